"""Named rule sets of umpi.toml: a game, a base, options; an error names its place and its cause."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from umpi.box.config import BadConfig
from umpi.box.config_file import read_config

SHORT = '[rules.short]\ngame = "dodeka"\noptions = {target = 300, parts = 1}\n'


def read(tmp_path: Path, text: str) -> dict[str, object]:
    (tmp_path / "umpi.toml").write_text(text, encoding="utf-8")
    return dict(read_config(tmp_path / "umpi.toml").rules)


def test_a_set_has_its_options_and_those_of_its_base(tmp_path: Path) -> None:
    text = '[rules.evening]\nbase = "short"\noptions = {parts = 5}\n[rules.long]\nbase = "evening"\n' + SHORT
    evening = {"game": "dodeka", "options": {"target": 300, "parts": 5}}
    assert read(tmp_path, text) == {
        "evening": evening, "long": evening, "short": {"game": "dodeka", "options": {"target": 300, "parts": 1}},
    }  # fmt: skip


ON_SHORT = '[rules.odd]\nbase = "short"\n'
WRONG = [
    ("[rules.odd]\noptions = {}\n", 'it needs the id of a game, as in game = "dodeka", or a base.'),
    ('[rules.odd]\ngame = "chess"\n', 'No game "chess" is installed. There are: '),
    ('[rules.odd]\nbase = "tall"\n', "there is no rule set 'tall' to build on; there are: short, odd."),
    ('[rules.odd]\nbase = "odd"\n', "it builds on itself: odd, odd."),
    ('[rules.odd]\nbase = "even"\n[rules.even]\nbase = "odd"\n', "it builds on itself: odd, even, odd."),
    (ON_SHORT + 'game = "quiz"\n', "its game is quiz, but its base short is for dodeka."),
    (ON_SHORT + "parts = 2\n", 'it has no "parts"; it has game, base, options.'),
    (ON_SHORT + "options = {part = 2}\n", 'Dodéka has no option "part"'),
    (ON_SHORT + "options = {parts = 0}\n", "Option parts"),
    (ON_SHORT + "options = {parts = 2026-01-01}\n", "an option of a game cannot be that"),
    ("[rules]\nodd = 3\n", "expected a section"),
]


@pytest.mark.parametrize(("text", "why"), WRONG)
def test_a_wrong_rule_set_is_reported_with_place_and_cause(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(BadConfig) as error:
        read(tmp_path, SHORT + text)
    assert re.match(rf"umpi\.toml, line [45]: \[rules\.odd\]: {re.escape(why)}", str(error.value)), error.value


def test_a_name_has_room_on_the_screen(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="its name needs 1 to 14 printable characters"):
        read(tmp_path, SHORT + '[rules.a-name-that-is-long]\nbase = "short"\n')
