"""What players read and hear in the golden records is what somebody has read: heard/ has each sentence of each game.

Each sentence is listed once, with the values it has when it first appears. The number before it counts the
positions that have it, whatever the values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.game_tables import OPTIONS
from tests.kit.seen import check_seen
from umpi.kernel.match import Match
from umpi.kernel.messages import Message
from umpi.kernel.record import replay
from umpi.kernel.registry import find

HERE = Path(__file__).parent
RECORDS = HERE.parent / "records"


def heard(match: Match) -> Iterator[tuple[str, str]]:
    """Yield each sentence of a position, and of the act before it, with its place."""
    if now := match.next_step:
        yield "now", now.text
        if now.voice:
            yield "voice", now.voice
    for ask in match.asks:
        yield "ask", ask.text
        yield "question", ask.question
        yield "help", ask.help
        for field in ask.fields:
            yield "field", field.name
    view = match.now.view()
    yield "head", view.head
    for row in view.rows:
        yield "row", row.label
    if result := match.now.result():
        yield "result", result.why
    if match.acts:
        yield "told", match.told(-1)
        for call in match.calls():
            yield "call", call.text


def all_heard(game: str) -> Iterator[str]:
    """Yield a line for the help of each option, and for each sentence that the records of a game have."""
    for option in find(game).options:
        yield f"option {option.name}: {' '.join(find(game).option_help.get(option.name, 'no help').split())}"
    often: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for path in sorted((RECORDS / game).glob("*.jsonl")):
        for step in replay(path.read_bytes().splitlines(keepends=True), find):
            assert step.record, path
            for place, text in heard(step.record.match):
                key = place, text.template if isinstance(text, Message) else text
                often[key] += 1
                first.setdefault(key, text)
    for place, template in sorted(often):
        if first[place, template]:
            yield f"{place} {often[place, template]:,}: {' '.join(first[place, template].split())}"


@pytest.mark.parametrize("game", OPTIONS)
def test_each_sentence_of_a_game_is_as_somebody_has_read_it(game: str) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    check_seen(HERE / "heard" / f"{game}.txt", all_heard(game))
