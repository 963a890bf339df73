"""The record: one line read strictly, the header checked by name, the lines around the acts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from written import DEAL, HEADER, steps

from tests.kit.seen import check_seen
from umpi.kernel.record import Unreadable, read_line

HERE = Path(__file__).parent


def nested(depth: int) -> bytes:
    return b'{"a":' * (depth - 1) + b"[]" + b"}" * (depth - 1)


RAW = (
    b'{"a": NaN}', b'{"a": Infinity}', b'{"a": -Infinity}', b'{"a": 1, "a": 1}', b'{"a": {"b": 1, "\\u0062": 2}}',
    b'{"a": "\\ud800"}', b'{"\\udfff": 1}', b'{"a": "\\udc00\\ud800"}', b'{"a": "\xed\xa0\x80"}', b'{"a": "\xff"}',
    b'{"a": 9007199254740993}', b'{"a": -9007199254740993}', b'{"a": 1' + b"0" * 5000 + b"}", b'{"a": 01}',
    b'{"a": 1e999}', b'{"a": [-1e400]}',
    b'{"a": +1}', b'{"a": .5}', b'{"a": 1.}', b'{"a": 0x1}', b"{'a': 1}", b'{"a": 1,}', b'{"a": [1,]}', b'{"a": 1',
    b'{"a": "\t"}', b'{"a": "\x00"}', b'{"a": 1} {}', b'{"a": 1}\x00', b"\x0c", b"\x0b{}", b"\xc2\xa0",
    b"\xef\xbb\xbf",
    b"\xef\xbb\xbf{}", b"[]", b"1", b'"a"', b"null", b"true", b"//", b'{"a": 1} // note', b'{"a": True}', b"{a: 1}",
    nested(33), b'{"a": ' + b"[" * 32 + b"]" * 32 + b"}", b"[" * 100_000, b'{"a": "\\x41"}', b'{"a": "\xe9"}',
)  # fmt: skip


def test_each_line_that_is_not_json_as_records_have_it_is_unreadable_as_somebody_has_read() -> None:
    """RFC 8259, no NaN, no key twice, no lone surrogate, ±2^53, nesting to 32; status 2. To add one, write it into RAW.

    What Python says of a line is left out: another version says it in other words.
    """
    lines = []
    for raw in RAW:
        for end in (b"", b"\n", b"\r\n"):
            with pytest.raises(Unreadable):
                read_line(raw + end)
        (*_, step), first = steps(HEADER, raw), steps(raw, HEADER)[-1]
        assert (step.status, first.line) == (2, 1)
        said = re.sub("(not JSON: (?!it begins)|not UTF-8).*", r"\1…", step.error)
        lines += [f"{raw[:60]!r}{'…' * (len(raw) > 60)}", f"    line {step.line}: {said}"]
    check_seen(HERE / "unreadable.txt", lines)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"a": 9007199254740992}', 2**53), (b'{"a": -9007199254740992}', -(2**53)), (b'{"a": -0}', 0),
        (b'{"a": "\\ud83d\\ude00"}', "😀"), ('{"a": "😀\u2028\u0085\x7f"}'.encode(), "😀\u2028\u0085\x7f"),
        (b'{"a": "\\u0000"}', "\0"), (b'\t {"a": [1, [2]]} \r\n', (1, (2,))), (b'{"a": "[[[[{{{{"}', "[[[[{{{{"),
        (b'{"a": "' + b"[" * 40 + b'\\"' + b"{" * 40 + b'"}', "[" * 40 + '"' + "{" * 40), (b'{"a": {}}', {}),
        (b'{"a": ' + b"[" + b"[], " * 40 + b"0]}", ((),) * 40 + (0,)), (b'{"a": 1.5}', 1.5), (b'{"a": null}', None),
    ],
)  # fmt: skip
def test_every_form_that_json_allows_is_read(raw: bytes, value: object) -> None:
    """Whole numbers to ±2^53; brackets in a text are no nesting; only LF ends a line."""
    assert read_line(raw) == {"a": value}


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"[" * 40 + b'"' + b'\\"' * 1_000_000, id="text without an end"),
        pytest.param(b"{" + b",".join(b'"%d": 1' % n for n in [*range(100_000), 99_999]) + b"}", id="many keys"),
    ],
)
def test_a_line_made_to_be_slow_is_refused_as_fast_as_it_is_read(raw: bytes) -> None:
    """The time grows with the length; by its square each of these would take an hour."""
    with pytest.raises(Unreadable):
        read_line(raw)


def test_thirty_two_levels_are_read() -> None:
    """Nesting to 32, the line's own object being the first."""
    assert read_line(nested(32))


@pytest.mark.parametrize("raw", [b"", b"\n", b" \t\r\n", b"\r"])
def test_space_tab_and_cr_alone_are_blank(raw: bytes) -> None:
    """Blank means space, tab, CR alone."""
    assert read_line(raw) is None


HEADERS: tuple[dict[str, Any], ...] = (  # in place of parts of a right one
    {"umpi": 2}, {"umpi": True}, {"umpi": "1"}, {"umpi": 1.0}, {"umpi": None}, {"game": "chess"}, {"game": 5},
    {"game": "Dodekka"}, {"players": "Ann"}, {"players": ["Ann"]}, {"players": list("ABCDEFG")}, {"players": []},
    {"players": ["Ann", "Ann"]}, {"players": ["Ann", 5]}, {"players": None}, {"players": ["Ann", ""]},
    {"players": ["Ann", "x" * 25]}, {"players": ["A", "\x7f"]}, {"players": ["A", "a\tb"]},
    {"players": ["A", " \u3000\xa0"]}, {"options": None}, {"options": []}, {"options": {"trak": 1}},
    {"options": {"track": "some"}}, {"options": {"track": None}}, {"game": "dodeka", "options": {"target": 9}},
    {"game": "dodeka", "options": {"target": 10001}}, {"game": "dodeka", "options": {"target": 700.0}},
    {"game": "dodeka", "options": {"parts": True}}, {"game": "dodeka", "options": {"parts": 0}},
    {"game": "dodeka", "options": {"parts": None}}, {"game": "dodeka", "options": {"minutes": 601}},
    {"game": "dodeka", "options": {"minutes": 0}}, {"players": ["Zoé", "Zoé"]}, {"players": ["Ann", "é" * 90]},
    {"umpi": [10**15] * 9}, {"game": "dudab-buba", "players": ["A", "B", "C"], "options": {"jungle": "true"}},
    {"package": "umpi-owls", "version": "0.2", "game": "owls"}, {"expansions": ["umpi-hour 1", 5], "game": "owls"},
)  # fmt: skip


def test_each_header_is_refused_as_somebody_has_read() -> None:
    """A refused header has n 0 and status 2, its line counted with blank ones. To add one, write it into HEADERS."""
    lines = []
    without = [{key: value for key, value in HEADER.items() if key != missing} for missing in HEADER]
    for change, header in [*((each, HEADER | each) for each in HEADERS), *((each, each) for each in without)]:
        (step,) = steps(b"\n", b" \r\n", header, DEAL)
        assert (step.n, step.line, step.status, step.record) == (0, 3, 2, None)
        lines += [str(change), f"    {step.error}"]
    check_seen(HERE / "headers.txt", lines)


@pytest.mark.parametrize("lines", [[], [b"\n"], [b"\n", b"\t\r\n", b" "]])
def test_a_file_without_a_header_is_refused_at_line_one(lines: Iterable[bytes]) -> None:
    """A file without a header is refused at line 1."""
    (step,) = steps(*lines)
    assert (step.n, step.line, step.status, step.record) == (0, 1, 2, None)


def test_names_as_written_and_free_tags_are_kept() -> None:
    """Names are unique as written; 24 code points; other keys are tags, never read."""
    names = ["Bob", "bob", " Bob", "Böb", "\u200b", "😀" * 24]
    (step,) = steps(HEADER | {"players": names, "options": {"track": "all"}, "date": {"x": [1.5, None]}, "do": "take"})
    assert step.record
    assert (list(step.record.match.players), step.error) == (names, "")
    assert step.record.header.tags == {"date": {"x": (1.5, None)}, "do": "take"}
