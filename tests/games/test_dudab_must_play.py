"""Dudab Buba: a seat whose full hand must contain a card that fits is not offered to draw."""

from __future__ import annotations

from pathlib import Path

from umpi.kernel.record import Header, Record, read_line
from umpi.kernel.registry import find

FILE = Path(__file__).parents[1] / "records" / "dudab-buba" / "five-must-play.jsonl"


def test_a_hand_that_must_contain_a_card_that_fits_is_not_offered_to_draw() -> None:
    header, *lines = map(read_line, FILE.read_bytes().splitlines())
    assert header
    record = Record(Header.read(header, find))
    offered = []
    for line in lines[:-1]:
        offered.append([ask.verb for ask in record.match.asks])
        assert line
        record.take(line)
    assert ["play", "draw"] in offered, "others may draw"
    assert [ask.verb for ask in record.match.asks] == ["play"]
