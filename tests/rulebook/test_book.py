"""Rules are read from a little Markdown; what cannot be read is refused with its line."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from umpi.kernel.match import Refused
from umpi.kernel.registry import find
from umpi.rulebook.book import Example, Items, Paragraph, Table, Unreadable, parse
from umpi.rulebook.example import replay_example
from umpi.rulebook.shelf import FOLDER, Shelf

HEADER = b'{"umpi": 1, "game": "dodeka", "players": ["Ann", "Ben"]}\n'
ROLL = b'{"do": "throw", "keep": [], "dice": [1, 1, 11]}\n'
NOTE = b'{"note": "Thirteen, and a pair."}\n'
RECORDS = {"one": (HEADER, ROLL, NOTE)}
TEXT = """# Snake eyes

## Goal

Roll no
1s.

1. Roll.
2. Stop,
   or roll again.

| Roll | Points |
|---|---|
| 1 | none |

```example one
A roll
```
"""


def test_each_kind_of_block_is_read() -> None:
    assert parse(TEXT, "en", RECORDS).sections[0].blocks == (
        Paragraph("Roll no 1s."),
        Items(("Roll.", "Stop, or roll again."), numbered=True),
        Table(("Roll", "Points"), (("1", "none"),)),
        Example("one", "A roll", (), RECORDS["one"]),
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no section"),
        ("Hello\n", 'line 1: the text begins with "# "'),
        ("# T\n\n## S\n\n### Deeper\n", "line 5: a heading"),
        ("# T\n\n## S\n\n| a | b |\n|---|---|\n| c |\n", "line 5: a table"),
        ("# T\n\n## S\n\n```python\nx\n```\n", "line 5: an example is"),
        ("# T\n\n## S\n\n```example two\nx\n```\n", "line 5: there is no record two.jsonl"),
        ("# T\n\n## S\n\n```example one\nx\n", "line 5: the example has no end"),
    ],
)
def test_an_unreadable_rulebook_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        parse(text, "en", RECORDS)


def test_an_example_is_replayed_with_its_calls_and_the_notes_of_its_language() -> None:
    match, (begin, roll) = replay_example(Example("one", "", (), RECORDS["one"]), find("dodeka"))
    assert (begin.count, roll.count, roll.notes) == (0, 1, ("Thirteen, and a pair.",))
    assert match.now.phase == "throw"
    refused = b'{"refuse": {"do": "roll", "dice": [1, 1]}}\n'
    _, steps = replay_example(Example("one", "", (), (*RECORDS["one"], refused, refused)), find("dodeka"))
    assert len(steps) == 2, "a refusal is no step"
    _, (_, translated) = replay_example(Example("one", "", ("Treize et une paire.",), RECORDS["one"]), find("dodeka"))
    assert translated.notes == ("Treize et une paire.",)


@pytest.mark.parametrize(
    ("game", "lines", "why"),
    [
        ("dodekka", (HEADER,), "The example is a match of dodeka."), ("dodeka", (), "the record one is empty"),
        ("dodeka", (b"\n",), "the record one is empty"), ("dodeka", (HEADER, b'{"do": "stop"}\n'), "expected: throw"),
    ],
)  # fmt: skip
def test_an_example_that_cannot_be_played_is_an_error(game: str, lines: tuple[bytes, ...], why: str) -> None:
    with pytest.raises((Refused, ValueError), match=why):
        replay_example(Example("one", "", (), lines), find(game))


def test_a_game_of_another_package_brings_its_own_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stranger" / FOLDER).mkdir(parents=True)
    (tmp_path / "stranger" / "__init__.py").touch()
    (tmp_path / "stranger" / "rules.py").write_text(
        'from umpi.kernel import Game\n\n\nclass Stranger(Game):\n    id = "stranger"\n    def setup(seats): ...\n'
    )
    (tmp_path / "stranger" / FOLDER / "en.md").write_text("# Stranger\n\n## Goal\n\nWin.\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    game = import_module("stranger.rules").Stranger
    found = Shelf([game]).find("stranger", "en")
    assert found
    assert found.title == "Stranger"
    (tmp_path / "stranger" / FOLDER / "en.md").write_text("Win.\n")
    shelf = Shelf([game])
    assert shelf.find("stranger", "en") is None
    assert shelf.flaw(game).startswith("en.md: line 1")
    for name in ("stranger", "stranger.rules"):
        monkeypatch.delitem(sys.modules, name)


def test_a_fault_in_one_game_costs_no_other_game_its_rules(caplog: pytest.LogCaptureFixture) -> None:
    torn, whole = type("Torn", (find("dodeka"),), {"id": "torn", "at_buttons": 5}), find("dodekka")
    shelf = Shelf([torn, whole])
    assert shelf.games() == [whole]
    assert shelf.flaw(torn) == "TypeError: 'int' object is not a mapping"
    assert "The rules of torn cannot be read" in caplog.text
    assert "Traceback" in caplog.text
