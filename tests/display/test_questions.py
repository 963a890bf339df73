"""The table of questions: it contains what the box asks, and the presses of the answers."""

from scripts.docs.questions import table


def test_the_questions_of_dodeka_with_their_presses() -> None:
    lines = list(table("dodeka", {"parts": 1, "target": 100}, 1))
    assert lines[0] == "## Dodéka\n"
    final = next(line for line in lines if "| Final dice |" in line)
    assert final.startswith("| throw + stop | the player whose turn it is | Final dice | … | ")
    assert "| stop | the player whose turn it is | Roll again or stop? | roll, stop | 1 / 1 / 1 |" in lines


def test_a_seat_answers_by_its_own_button() -> None:
    lines = list(table("scorepad", {"target": 50}, 2))
    assert any("| score | each by their own button | Score for whom? |" in line for line in lines)
