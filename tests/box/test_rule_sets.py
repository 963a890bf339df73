"""Named rule sets of umpi.toml: a game, a base, options. Errors: refusals.txt."""

from __future__ import annotations

from pathlib import Path

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
