"""What players see and hear in each position of the golden records, as somebody has read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.kit.seen import check_seen
from umpi.i18n.translate import tr
from umpi.kernel import Ask, Field, Forms, Match, Pick, Some
from umpi.kernel.messages import named
from umpi.kernel.record import replay
from umpi.kernel.registry import find
from umpi.table.telling import tell_act

RECORDS = Path(__file__).parents[1] / "records"
GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz", "scorepad")
KEYS = 12  # a longer list has the labels of its values
ACTS = 12  # longer records tell of whole games, and show little that short ones do not


def _aside(field: Field) -> bool:
    return isinstance(field, Some | Forms) and field.in_menu


def asked(ask: Ask, players: tuple[str, ...]) -> Iterator[str]:
    """Yield the text of an ask, what is taken for granted, and the labels of its short lists."""
    notes = [
        f"asks {tr(ask.question, players)}" if ask.question else "",
        f"as a rule {dict(ask.usual)}" if ask.usual else "",
        f"after {ask.after_ms} ms" if ask.after_ms is not None else "",
        f"at {ask.at_ms} ms" if ask.at_ms is not None else "",
        f"in the menu: {', '.join(aside)}" if (aside := [one.name for one in ask.fields if _aside(one)]) else "",
    ]
    yield "; ".join([f"{ask.verb}{' (rare)' * ask.rare}: {tr(ask.text, players)}", *filter(None, notes)])
    for field in ask.fields:
        if isinstance(field, Pick | Some) and len(field.pool) <= KEYS and not ask.rare:
            labels = [tr(field.label(value), players) for value in field.pool]
            if labels != [str(value) for value in field.pool]:
                yield f"{ask.verb} {field.name}: {' / '.join(labels)}"


def shown(match: Match) -> Iterator[str]:
    """Yield what a position shows and says."""
    players, view, now = match.players, match.now.view(), match.next_step
    yield f"head: {tr(view.head, players)}"
    yield f"beside: {' / '.join(named(text, players) for text in view.beside)}"
    for row in view.rows:
        yield f"row: {' '.join(named(text, players) for text in (row.label, *row.cells))}"
    if view.large or view.hidden:
        yield f"looks: {'large ' * view.large}{'hidden' * view.hidden}"
    if now:
        yield f"now, seat {now.seat}: {now.text}"
        yield f"voice: {now.voice or 'the same'}"
    for row in match.now.odds():
        yield f"odds: {' '.join(named(text, players) for text in (row.label, *row.cells))}"
    for ask in match.asks:
        yield from asked(ask, players)


def short(path: Path) -> bool:
    """Return whether a record has few acts, and the numbers of the rule sheet."""
    return path.read_text("utf-8").count('{"do"') <= ACTS and not path.stem.startswith("experiment-")


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a record: each act as in the history, its calls, and what is new in the position after it."""
    yield f"== {path.stem}"
    before: list[str] = []
    acts = 0
    for step in replay(path.read_bytes().splitlines(), find):
        assert step.record
        match = step.record.match
        if len(match.acts) > acts:
            yield f"* {tell_act(match, len(match.acts) - 1)}"
            yield from (f"says {call.kind}: {call.text}" for call in match.calls())
        elif len(match.acts) < acts:
            yield "* undo"
        acts = len(match.acts)
        lines = list(shown(match))
        yield from (line for line in lines if line not in before)
        before = lines


def test_each_record_is_shown_as_somebody_has_read_it() -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes the files; read what is different.

    It is one test for all games, because the quick tier tries few cases of a test.
    """
    for game in GAMES:
        file = Path(__file__).with_name("shown") / f"{game}.txt"
        records = filter(short, sorted((RECORDS / game).glob("*.jsonl")))
        lines = [line for path in records for line in lines_of(path)]
        check_seen(file, lines)
