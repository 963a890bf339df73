"""The name of a box, chosen at the menu of a card: kept once somebody agrees, and used at each start."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from umpi.appliance import start
from umpi.appliance import tasks as tasks_module
from umpi.appliance.name import KEPT, kept_name
from umpi.appliance.slots import Restart
from umpi.service.card_line import AGREE


@pytest.fixture
def restarts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Restart]:
    found: list[Restart] = []
    monkeypatch.setattr(tasks_module.cards, "restart", found.append)
    monkeypatch.setattr(tasks_module, "STATE_AT", tmp_path)
    monkeypatch.setattr(tasks_module, "CONFIG", tmp_path / "umpi.toml")
    return found


def asks(*lines: str) -> list[str]:
    """Send lines over a connection, and return the stages that come back, and the last text."""
    answer = io.BytesIO()
    tasks_module.serve(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), answer)
    reports = [json.loads(line) for line in answer.getvalue().splitlines()]
    return [*(str(each["stage"]) for each in reports), json.dumps(reports[-1])]


def test_a_name_counts_once_somebody_agrees(restarts: list[Restart], tmp_path: Path) -> None:
    *stages, last = asks("name the box", '"den-2"')
    assert stages == ["asks"]
    assert '"name": "den-2"' in last
    assert (kept_name(tmp_path), restarts) == ("", [])
    *stages, _ = asks("name the box", '"den-2"', AGREE)
    assert stages == ["asks", "busy", "done"]
    assert (kept_name(tmp_path), restarts) == ("den-2", [Restart(once=False)])


@pytest.mark.parametrize("name", ["", "-den", "den-", "my den", "den.local", "a\\n", 64 * "a", "ſ", "\u212a"])
def test_no_other_name_is_kept(restarts: list[Restart], tmp_path: Path, name: str) -> None:
    for given in (f'"{name}"', "5", ""):
        *stages, last = asks("name the box", given, AGREE)
        assert stages == ["failed"]
        assert "letters, digits and hyphens" in last
    assert (kept_name(tmp_path), restarts) == ("", [])


@pytest.mark.parametrize(("kept", "used"), [(b"attic\n", "attic"), (b"-\n", "den"), (b"\xff", "den")])
def test_the_chosen_name_is_preferred_to_that_of_imager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bytes, used: str
) -> None:
    names: list[str] = []
    (tmp_path / KEPT).write_bytes(kept)
    (tmp_path / "user-data").write_text("hostname: den\n")
    monkeypatch.setattr(start, "BOOT_AT", tmp_path)
    monkeypatch.setattr(start, "CONFIG", tmp_path / "umpi.toml")
    monkeypatch.setattr(start, "set_host", names.append)
    for part in ("mount_state", "_show_progress", "_say"):
        monkeypatch.setattr(start, part, lambda *given: None)
    start.start()
    assert names == [used]
