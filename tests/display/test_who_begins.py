"""Who begins: a seat that is chosen, or drawn by lot for all to see; players and buttons go round together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.panels import sees
from umpi.display.panel import Panel
from umpi.kernel.registry import find
from umpi.table.commands import Start
from umpi.table.seating import Seating
from umpi.table.seats import COLOURS

DODEKKA = find("dodekka")
FIRST = 2  # the row of the options page that shows who begins: under "track" and "scores"


class Lots:
    """A random generator that returns given seats one after another, then always the first seat."""

    def __init__(self, *chances: float) -> None:
        self._chances: Iterator[float] = chain(chances, repeat(0.0))

    def __call__(self) -> float:
        return next(self._chances)


def seated(lots: Lots, *buttons: int) -> Panel:
    """A panel at the options of Dodekka, these buttons playing."""
    panel = Panel([DODEKKA], chance=lots)
    panel.press(0)
    for button in buttons or (0, 2, 5):
        panel.press(button)  # type: ignore[arg-type]
    panel.press("ok")
    return panel


def test_by_default_the_first_seat_from_the_left_begins() -> None:
    panel = seated(Lots(0.5, 0.5, 0.5))
    assert sees(panel, "Options", "Red starts", "OK start")
    assert panel.press("ok") == Start(Seating(DODEKKA, ("Red", "Yellow", "Black"), (0, 2, 5)))


def test_a_lot_is_shown_and_drawn_again_until_it_is_good() -> None:
    panel = seated(Lots(0.99, 0.0, 0.5))
    panel.press(FIRST)
    panel.press("ok")
    assert sees(panel, "Random", "Black starts", "redraw", "OK")
    panel.press(0)
    assert sees(panel, "Red starts")
    panel.press(0)
    assert sees(panel, "Yellow starts")
    panel.press(5)  # good
    assert sees(panel, "Options", "Yellow starts")
    assert panel.press("ok") == Start(Seating(DODEKKA, ("Yellow", "Black", "Red"), (2, 5, 0)))


def test_back_goes_back_step_by_step_and_a_lot_once_drawn_stays_the_same() -> None:
    """Nobody fishes for a better lot by going back: it is gone through again as it was."""
    panel = seated(Lots(0.99, 0.0, 0.5, 0.5, 0.5, 0.5))
    panel.press(FIRST)
    panel.press("ok")
    panel.press(0)
    assert sees(panel, "Red starts")
    panel.press("back")
    assert sees(panel, "Random", "Black starts")
    panel.press("back")
    assert sees(panel, "Who starts?")
    panel.press("back")
    assert sees(panel, "Options", "Red starts")
    assert panel.press("ok") == Start(Seating(DODEKKA, ("Red", "Yellow", "Black"), (0, 2, 5)))


def test_options_that_were_set_stay_when_another_begins() -> None:
    panel = seated(Lots(0.5))
    panel.press(0)
    assert sees(panel, "entry")
    panel.press(1)  # final hands
    panel.press(FIRST)
    panel.press(2)
    assert sees(panel, "entry: final hands", "Yellow starts")
    assert panel.press("ok") == Start(Seating(DODEKKA, ("Yellow", "Black", "Red"), (2, 5, 0), {"track": "hands"}))


@settings(deadline=None)
@given(st.sets(st.integers(0, 5), min_size=2), st.floats(0, 1, exclude_max=True))
def test_any_lot_is_a_seat_of_the_table(buttons: set[int], chance: float) -> None:
    panel = seated(Lots(chance), *sorted(buttons))
    panel.press(FIRST)
    panel.press("ok")
    panel.press("ok")
    command = panel.press("ok")
    assert isinstance(command, Start)
    first = sorted(buttons)[int(chance * len(buttons))]
    assert command.table.buttons[0] == first
    assert command.table.players == tuple(COLOURS[button] for button in command.table.buttons)
    assert sorted(command.table.buttons) == sorted(buttons)


@settings(deadline=None)
@given(st.integers(2, 6), st.data())
def test_players_and_buttons_go_round_together(many: int, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, many - 1))
    table = Seating(DODEKKA, tuple("ABCDEF"[:many]), tuple(range(many)), {"track": "hands"})
    turned = table.begun_by(seat)
    assert turned.players[0] == "ABCDEF"[seat]
    assert dict(zip(turned.players, turned.buttons, strict=True)) == dict(
        zip(table.players, table.buttons, strict=True)
    )
    doubled = turned.players * 2
    start = doubled.index("A")
    assert doubled[start : start + many] == table.players, "clockwise as before"
    assert turned.options == table.options
    assert Seating.of(turned.header()) == turned
