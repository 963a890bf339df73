"""A guest who reads nothing and hammers on the box plays on in each game: no dead end, no point that nobody judged."""

from __future__ import annotations

import pytest

from tests.kit.guest import MOST, Fault, Guest
from tests.kit.rig import Rigs, keys_of
from tests.kit.sampling import sampled
from umpi.box.config import Config
from umpi.display.menu import Choice, Menu
from umpi.games.quiz import Quiz
from umpi.kernel.game import Ask
from umpi.kernel.registry import games
from umpi.referee import late_inputs
from umpi.service.found_aside import FoundAside
from umpi.simulator.virtual import with_lanes

PRESSES = 250
LEAST = 25  # steps in so many presses: a match in which only the final hands are entered has few moves
LANES = (0, 1, 6)
FOUND = (  # a game, lanes and the seed of a guest who once found a fault there
    ("quiz", 0, 1),  # a burst of OK closed a notice, and then said "right"
    ("quiz", 1, 0),  # the screen did not say which key says "right"
    ("dohdles", 0, 7),  # a press at a call answered the question below
    ("dohdles", 1, 1),  # a burst of a seat button named a riddle, and then called the guess right
    ("dodekka", 0, 2),  # one answer of twenty was possible, on one of four pages
)
SEEDS = sampled([(game.id, lanes, seed) for game in games() for lanes in LANES for seed in range(10)], 10)


def guest(rigs: Rigs, game: str, lanes: int, seed: int) -> Guest:
    """Let a guest choose a game at a box with so many lanes."""
    beams = with_lanes(Config(), lanes).beams
    rig = rigs(beams=beams)
    rig.press(keys_of(game))
    return Guest(rig, seed)


@pytest.fixture(autouse=True)
def no_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process can be started at this box, so people enter the moves of the seats that a guest gives to it."""
    monkeypatch.setattr(FoundAside, "find", lambda aside, wanted: aside._post(aside._read(wanted, {})))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lanes", "seed"), [*FOUND, *SEEDS])
def test_a_guest_who_reads_nothing_always_gets_on(rigs: Rigs, game: str, lanes: int, seed: int) -> None:
    one = guest(rigs, game, lanes, seed)
    one.play(PRESSES)
    print(f"{game}, {lanes} lanes, seed {seed}: {one.presses} presses, {one.steps} steps, moves {dict(one.acts)}")
    assert one.presses >= PRESSES
    assert one.acts[game], f"seed {seed}: a guest who gets on plays the chosen game"
    assert one.steps >= LEAST, f"seed {seed}: a guest who gets on comes to something new"


def test_the_guest_finds_a_question_that_nobody_can_answer(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> None:
    one = guest(rigs, "scorepad", 0, 1)
    closed = Menu("Whose?", (Choice("Red", 0, off="not now."), Choice("Blue", 1, off="not now.")))
    monkeypatch.setattr(Menu, "under", lambda menu, key, page: closed.choices[0])
    monkeypatch.setattr(one.rig.referee.panel, "_press_ok", lambda menu, long: None)
    with pytest.raises(Fault, match=f"seed 1: .*{MOST + 1}.* tries"):
        one.play(PRESSES)


@pytest.mark.slow
def test_the_guest_finds_a_point_that_nobody_judged(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the last buzz turned the buttons of the seats into those of the judge."""
    always = Quiz._ask_buzz

    def only_if_somebody_can(quiz: Quiz, rule: str) -> tuple[Ask, ...]:
        return tuple(ask for ask in always(quiz, rule) if ask.fields[0].pool)

    monkeypatch.setattr(Quiz, "_ask_buzz", only_if_somebody_can)
    monkeypatch.setattr(late_inputs, "HAMMERED_NS", 0)
    for seed in range(8):
        try:
            guest(rigs, "quiz", 0, seed).play(PRESSES)
        except Fault as fault:
            if "nobody judged" in str(fault):
                return
        rigs.switch_off()
        (rigs.folder / "games.db").unlink()
    pytest.fail("no guest of eight finds it")
