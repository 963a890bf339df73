"""Named rule sets in the set-up: offered beside the rule sheet, kept by the table and by the record."""

from __future__ import annotations

from typing import Any

from tests.kit.panels import sees
from umpi.display.panel import Panel
from umpi.kernel.record import Header
from umpi.kernel.registry import find
from umpi.simulator.reading import reads
from umpi.table.commands import Start
from umpi.table.house import House
from umpi.table.seating import Seating
from umpi.table.state import Table, TableState

DODEKA, QUIZ = find("dodeka"), find("quiz")
RULES = {
    "short": {"game": "dodeka", "options": {"target": 300, "parts": 1}},
    "hard": {"game": "quiz", "options": {"penalty": 5}},
}


def at_options(game: Any = DODEKA, rules: Any = RULES, **house: Any) -> Panel:
    panel = Panel([game], Table(TableState(house=House(house, rules))))
    for key in (0, 0, 1, "ok"):
        panel.press(key)  # type: ignore[arg-type]
    return panel


def started(panel: Panel) -> Seating:
    command = panel.press("ok")
    assert isinstance(command, Start)
    return command.table


def test_a_set_is_chosen_beside_the_sheet() -> None:
    panel = at_options()
    assert sees(panel, "rules: by the sheet", "target: 700")
    panel.press(0)
    assert sees(panel, "Rules", "by the sheet", "short")
    assert not reads(panel.picture(), "hard"), "it is of another game"
    panel.press(1)
    assert sees(panel, "rules: short", "target: 300")
    table = started(panel)
    assert (table.rules, dict(table.options)) == ("short", {"target": 300, "parts": 1})


def test_options_of_ones_own_are_no_set() -> None:
    panel = at_options(target=500)
    assert sees(panel, "rules: own", "target: 500")
    assert started(panel).rules == ""
    panel = at_options(target=300, parts=1)
    assert sees(panel, "rules: short")


def test_without_a_set_for_the_game_there_is_no_question() -> None:
    assert not reads(at_options(rules={}).picture(), "rules:")
    assert not reads(at_options(rules={"hard": RULES["hard"]}).picture(), "rules:")


def test_the_record_names_the_set_and_a_rematch_keeps_it() -> None:
    panel = at_options()
    panel.press(0)
    panel.press(1)
    header = started(panel).header()
    line = header.line()
    assert (line["rules"], line["options"]) == ("short", {"target": 300, "parts": 1})
    assert Seating.of(Header.read(line, find)).rules == "short"
    assert Seating.of(Header.read(line, find)).begun_by(1).rules == "short"
    assert Seating.of(Header.read({**line, "rules": 3}, find)).rules == ""


def test_an_experiment_is_listed_only_where_a_set_has_changed_it() -> None:
    """A number of the rules is no everyday question, but what is in force is never hidden."""
    sets = {"wild": {"game": "dodekka", "options": {"limit": 15}}}
    panel = at_options(find("dodekka"), sets)
    assert sees(panel, "rules: by the sheet", "scores: hidden")
    assert not reads(panel.picture(), "limit:")
    panel.press(0)
    panel.press(1)
    assert sees(panel, "rules: wild", "limit: 15")
    assert dict(started(panel).options) == {"limit": 15}
