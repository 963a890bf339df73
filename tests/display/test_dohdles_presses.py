"""Dohdles! by the ten buttons: the presses of a guess, and what the questions say."""

from __future__ import annotations

from typing import Any

import pytest

from umpi.display.menu import NOTHING
from umpi.display.modes import spoken, spoken_key
from umpi.display.panel import Key, Panel
from umpi.games.dohdles import Dohdles
from umpi.games.dohdles.board import PROPOSAL, code_of, flaw
from umpi.games.dohdles.offer import CLAIM, CLAIM_CUBE
from umpi.games.dohdles.rules import BOARD as BOARD_OPTION
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.simulator.reading import reads
from umpi.table.commands import Do, Start, StartMatch
from umpi.table.house import House
from umpi.table.labels import profile_label
from umpi.table.seating import Seating
from umpi.table.starting import table_of
from umpi.table.state import Table, TableState

RED, BLUE, YELLOW, GREEN, WHITE, BLACK = range(6)
COLOURS = ("Red", "Blue", "Yellow", "Green", "White", "Black")
CLUES = ("questions", "letter") * 3
BOARD = {"clues": (*CLUES, "either"), "rewards": (0, 3, 3, 2, 2, 1, 1, 0), "track": ((0, 2),) * 20, "start": 3}


class Box:
    """A panel with one match: presses are counted, and what they enter is played."""

    def __init__(self, players: tuple[str, ...] = COLOURS[:4], **options: Any) -> None:
        self.match = Match(Dohdles, players, options)
        self.table = Seating(Dohdles, players, tuple(range(len(players))), options)
        self.panel = Panel([Dohdles])
        self.presses = 0
        self.panel.show(self.match, self.table)

    def play(self, *acts: Act) -> None:
        """Play what devices and earlier presses have entered."""
        for act in acts:
            self.match.play(act)
        self.presses = 0
        self.panel.show(self.match, self.table)

    def press(self, *keys: Key) -> None:
        for key in keys:
            self.presses += 1
            command = self.panel.press(key)
            if isinstance(command, Do):
                for act in command.acts:
                    self.match.play(act)
                self.panel.show(self.match, self.table)

    @property
    def asked(self) -> str:
        return self.panel.question[0].title

    @property
    def labels(self) -> list[str]:
        return [choice.label for choice in self.panel.question[0].choices]


def clue(riddle: str, **kind: str) -> tuple[Act, Act]:
    """The clue of a riddle, and the end of the turn that took it."""
    return Act("clue", {"riddle": riddle, **kind}), Act("asked", {"kind": "questions"})


CUBE = Act("cube", {"seat": None})
FIRST = clue("B1", kind="questions")


def test_a_right_guess_is_four_presses_without_a_board() -> None:
    """From one chute: whose cube, right, the green arrows, the reward. No end is asked for behind others."""
    box = Box()
    ahead = Act("guess", {"right": True, "steps": 6, "reward": 0})
    box.play(*FIRST, *(Act("cube", {"seat": 3}), Act("hear", {"riddle": "B1"}), ahead))
    box.play(*clue("C1", kind="questions"), CUBE)
    assert box.asked == "Whose is cube 1?"
    box.press(RED)
    assert (box.asked, box.labels) == ("Red guesses Yellow 1", ["Red right", "Red wrong"])
    box.press(RED)
    assert box.asked == "Red: steps forward?"
    box.press(GREEN)
    assert (box.asked, box.labels) == ("Yellow: steps as reward?", ["0", "1", "2", "3"])
    box.press(YELLOW)
    assert (box.presses, box.match.now.scores()) == (4, (3, 0, 2, 6))


def test_the_first_right_and_the_guess_are_two_questions() -> None:
    """While the player on turn may guess first, no key judges a guess; then the question names whose guess it is."""
    for board, judged in ((None, (RED, GREEN, BLUE)), (BOARD, (RED,))):
        kind = {} if board else {"kind": "questions"}
        box = Box(board=board)
        box.play(Act("clue", {"riddle": "B1", **kind}), Act("cube", {"seat": YELLOW}), Act("cube", {"seat": RED}))
        assert (box.asked, box.labels) == ("Red may guess first", ["guess", "pass"])
        assert (box.match.seat, box.panel.question[0].seat) == (None, RED)
        box.press(RED)
        assert [act.verb for act in box.match.acts[-2:]] == ["hear", "claim"]
        assert (box.match.seat, box.asked, box.labels) == (RED, "Red guesses Blue 1", ["Red right", "Red wrong"])
        box.press(*judged)
        assert (box.presses, box.match.now.riddle_called("B1").solver) == (1 + len(judged), RED)


def test_the_rule_of_the_first_right_is_read_where_it_applies() -> None:
    box = Box(board=BOARD)
    box.play(Act("clue", {"riddle": "B1"}), Act("cube", {"seat": YELLOW}), Act("cube", {"seat": RED}))
    box.panel.press("ok", long=True)
    notice = box.panel.screen().notice
    assert notice
    assert notice.text == f"{CLAIM} {CLAIM_CUBE}"


def test_an_unnamed_cube_is_named_before_it_gives_the_first_right() -> None:
    """By the sheet, the player on turn needs a cube in the funnel; without one, the cubes guess in their order."""
    for owner, asked in ((RED, "Red may guess first"), (GREEN, "Yellow guesses Blue 1")):
        box = Box(board=BOARD)
        box.play(Act("clue", {"riddle": "B1"}), CUBE, CUBE)
        box.press(YELLOW)
        assert box.asked == "Whose is cube 2?"
        box.press(owner)
        assert box.asked == asked


def test_a_phone_that_hears_an_unnamed_cube_is_asked_whose_it_is() -> None:
    box = Box(board=BOARD)
    box.play(Act("clue", {"riddle": "B1"}), Act("cube", {"seat": YELLOW}), CUBE, Act("hear", {"riddle": "B1"}))
    assert (box.asked, box.labels) == ("Did Red toss a cube?", ["yes, guess", "no, pass"])


def test_a_refused_cube_is_taken_back_by_one_press_on_that_screen() -> None:
    """Blue sculpted the only riddle: OK takes the cube back, no other seat's button names it, Back asks again."""
    box = Box()
    box.play(*FIRST, CUBE, CUBE)
    box.press(BLUE, YELLOW)
    notice = box.panel.screen().notice
    assert notice
    assert (notice.title, notice.remedy and notice.remedy.label) == ("Not allowed", "Take it back")
    assert spoken(box.panel.screen())[-2:] == ("OK: Take it back", "Back: no")
    assert spoken_key(box.panel.screen(), YELLOW) == "This button does nothing now."
    box.press("back", BLUE, "ok")
    assert [act.line() for act in box.match.acts[-1:]] == [{"do": "home"}]
    assert (box.panel.noticing, box.match.state()["facts"]["queue"]) == (False, (None,))
    box.press(YELLOW)
    assert (box.asked, box.match.state()["facts"]["queue"]) == ("Yellow guesses Blue 1", (YELLOW,))


def test_ok_says_why_no_cube_can_count() -> None:
    """No riddle has left its start, so OK offers no cube; pressed, it gives the reason."""
    box = Box()
    menu, _ = box.panel.question
    assert menu.ok is NOTHING
    box.press("ok")
    notice = box.panel.screen().notice
    assert notice
    assert notice.text == "No riddle has left its start: which one moved?"
    box.press("ok", *(RED, RED))
    assert (box.asked, box.panel.question[0].done) == ("Blue: all answered?", "cube")


def test_a_right_guess_is_two_presses_with_a_board() -> None:
    """The measured board moves the tokens."""
    box = Box(board=BOARD)
    box.play(*clue("B1"), CUBE)
    box.press(RED, RED)
    assert (box.presses, box.match.now.riddle_called("B1").solver) == (2, 0)


def test_a_verdict_bears_the_name_of_whoever_guessed_as_far_as_a_key_has_room() -> None:
    """The largest name is beside it, so the key cuts the name and never the verdict."""
    box = Box(("Rosie", "Ben", "Bartholomew"), board=BOARD)
    box.play(*clue("B1"), *clue("A1"), Act("clue", {"riddle": "B2"}), Act("cube", {"seat": 2}))
    menu, _ = box.panel.question
    assert [choice.label for choice in menu.choices] == ["Bartholomew right", "Bartholomew wrong", "other"]
    assert not menu.rows
    assert spoken_key(box.panel.screen(), RED) == "Bartholomew right."
    assert reads(box.panel.picture(), "Bart right")
    assert reads(box.panel.picture(), "Bart wrong")


@pytest.mark.parametrize(("keys", "won"), [([WHITE], (0,)), ([BLACK, RED], (1,)), ([YELLOW], ())], ids=str)
def test_the_final_space_is_asked_for_where_a_token_leads(keys: list[Key], won: tuple[int, ...]) -> None:
    """Red has moved ahead of all, and the creator may pass Red: the ends of both are beside the reward."""
    box = Box()
    box.play(*FIRST, Act("cube", {"seat": 0}), Act("hear", {"riddle": "B1"}))
    box.press(RED, BLUE)
    ends = ["0", "1", "2", "3", "Red: final space", "Blue: final space"]
    assert (box.asked, box.labels[:6]) == ("Blue: steps as reward?", ends)
    box.press(*keys)
    assert (box.match.acts[-1].verb, box.match.state()["winners"]) == ("guess", won)


def test_the_board_is_chosen_in_the_options() -> None:
    """By the table, the board that umpi prints, or the box's own board; a board by the code printed on it."""
    panel = Panel([Dohdles], Table(TableState(house=House({"board": BOARD}))))
    for key in (0, RED, BLUE, YELLOW, "ok"):
        panel.press(key)
    menu, _ = panel.question
    assert menu.choices[0].label == f"board: own {code_of(BOARD)}"
    panel.press(RED)
    menu, _ = panel.question
    codes = [f"printed {code_of(PROPOSAL)}", f"own {code_of(BOARD)}"]
    assert [choice.label for choice in menu.choices] == ["ask each time", *codes]
    panel.press(BLUE)
    command = panel.press("ok")
    assert isinstance(command, Start)
    assert command.table.options["board"] == PROPOSAL
    panel = Panel([Dohdles], Table(TableState(house=House({"board": code_of(PROPOSAL)}))))
    for key in (0, RED, BLUE, YELLOW, "ok", RED):
        panel.press(key)
    assert [choice.label for choice in panel.question[0].choices] == ["ask each time", codes[0]], "named once"
    assert flaw(PROPOSAL) == ""
    assert command.table.header().match().now.phase == "clue"


@pytest.mark.parametrize("board", [code_of(PROPOSAL), code_of(PROPOSAL).lower()])
def test_a_guess_is_two_presses_on_a_board_whose_code_the_box_knows(board: str) -> None:
    """From one chute: whose cube, and the verdict. With a lane per player only the verdict."""
    right, wrong = (3, 6, 3, 6), (3, 3, 3, 2)
    for verdict, moved in ((RED, right), (BLACK, wrong)):
        for cube, owner in ((CUBE, (GREEN,)), (Act("cube", {"seat": GREEN}), ())):
            box = Box(board=board)
            box.play(*clue("B1"), cube)
            box.press(*owner, verdict)
            assert (box.presses, box.match.now.scores()) == (1 + len(owner), moved)


def test_a_code_that_no_board_has_is_said_and_the_box_asks_for_the_arrows() -> None:
    box = Box(board="ZZZZ")
    assert Dohdles.table_setup(4, board="ZZZZ", riddles=None)[0] == (
        "No board has the code ZZZZ. So the box asks for the arrows."
    )
    box.play(*FIRST, CUBE)
    box.press(GREEN, RED)
    assert box.asked == "Green: steps forward?"
    for none in ("STHW?", "ours", "x", ""):
        assert BOARD_OPTION.refuse(none) == "board: expected an object, a code or null"


def test_the_code_of_the_boxs_own_board_begins_a_match_with_that_board() -> None:
    """From a phone, or in umpi.toml; the record contains the whole board, so that it can be played elsewhere."""
    house = House({"board": BOARD})
    for board, begun in ((code_of(BOARD), BOARD), (code_of(PROPOSAL), PROPOSAL), ("ZZZZ", "ZZZZ"), (None, None)):
        start = StartMatch("dohdles", ("", "", ""), (0, 1, 2), options={"board": board})
        assert table_of(start, [Dohdles], house).header().options.get("board") == begun
    named = House({"board": code_of(PROPOSAL)})
    assert named.begun_with(Dohdles)["board"] == PROPOSAL
    assert House({"board": "ZZZZ"}).begun_with(Dohdles)["board"] == "ZZZZ"
    assert profile_label(BOARD_OPTION, "ZZZZ") == "ZZZZ unknown"
