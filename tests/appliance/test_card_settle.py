"""After the restart of an update: what the box decides, writes onto the card, and tells its players."""

from __future__ import annotations

import json
import stat
from dataclasses import dataclass
from pathlib import Path

import pytest

from umpi.appliance import card as card_module
from umpi.appliance import start as start_module
from umpi.appliance.bundle import Version
from umpi.appliance.card import SAYS, SAYS_BYTES, Card
from umpi.appliance.slots import BoardKernel, Restart, Slot, Trial, slot_file, trial_file
from umpi.appliance.start import settle_trial
from umpi.recording.values import read_value
from umpi.referee.events import LastUpdate

VERSION = Version("umpi", "1.1", "abc", 5, BoardKernel.DEBIAN, 4)


@dataclass
class Box:
    """A card in files, and what the box has told and done."""

    folder: Path
    restarts: list[Restart]

    def starts(self, running: Slot, starts: Slot, trial: Trial, tried: Slot) -> LastUpdate:
        """Settle after a start of `running`, and return what the players are told."""
        boot = self.folder / "boot"
        boot.mkdir()
        (boot / SAYS).write_bytes(bytes(SAYS_BYTES))
        (boot / "slot.txt").write_bytes(slot_file(starts))
        (boot / "trial.txt").write_bytes(trial_file(trial, tried))
        self.card = Card(boot, {}, running)
        settle_trial(self.card)
        last = read_value(json.loads((self.folder / "settled.json").read_text(encoding="utf-8")))
        assert isinstance(last, LastUpdate)
        return last

    @property
    def says(self) -> str:
        return (self.folder / "boot" / SAYS).read_text().strip()


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    box = Box(tmp_path, [])
    monkeypatch.setattr(card_module, "_mount", lambda how, boot: None)
    monkeypatch.setattr(start_module, "this_version", lambda: VERSION)
    monkeypatch.setattr(start_module, "restart", box.restarts.append)
    monkeypatch.setattr(start_module, "STATE_AT", tmp_path)
    monkeypatch.setattr(start_module, "CONFIG", tmp_path / "umpi.toml")
    monkeypatch.setattr(start_module, "SETTLED", tmp_path / "settled.json")
    monkeypatch.setattr(start_module, "LATER_ASIDE", tmp_path / "later")
    monkeypatch.setattr(start_module, "POLL_S", 0.0)
    (tmp_path / "umpi.toml").write_text(f'[box]\njournal = "{tmp_path}/games.db"\n')
    return box


def test_most_starts_tell_nothing_and_write_nothing(box: Box) -> None:
    assert box.starts(Slot.A, Slot.A, Trial.NONE, Slot.A).text == ""
    assert box.says.strip("\0") == ""
    assert box.restarts == []


def test_a_new_version_that_is_well_for_a_minute_works(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_module, "unwell", lambda before: "")
    monkeypatch.setattr("umpi.appliance.update.HEALTHY_S", 0.0)
    last = box.starts(Slot.B, Slot.B, Trial.STARTED, Slot.B)
    assert (last.worked, last.text) == (True, "The update works: version 1.1 (abc) is in use.")
    assert box.says == last.text
    assert box.card.trial() == (Trial.NONE, None)
    assert stat.S_IMODE((box.folder / "settled.json").stat().st_mode) == 0o644, "the service is another user"


@pytest.mark.parametrize(
    ("starts", "trial", "why", "later", "sentence"),
    [
        (Slot.A, Trial.STARTED, "", False,
         "The update did not start, or its trial was cut off. The box is back at version 1.1 (abc), with all its"
         " matches."),
        (Slot.A, Trial.STARTED, "NOT SAVED: disk full", False,
         "The new version did not work: NOT SAVED: disk full. The box is back at version 1.1 (abc), with all its"
         " matches."),
        (Slot.A, Trial.STARTED, "", True,
         "The update did not start, or its trial was cut off. The box is back at version 1.1 (abc), with the matches"
         " of before the update. Later ones are in games.db.newer."),
        (Slot.B, Trial.NEW, "", False,
         "The update did not start, or the power failed before. The box has version 1.1 (abc) as before, with all its"
         " matches."),
    ],
)  # fmt: skip
def test_an_old_version_that_is_back_says_why_and_what_is_kept(
    box: Box, starts: Slot, trial: Trial, why: str, later: bool, sentence: str
) -> None:
    if why:
        (box.folder / "update-fault.txt").write_text(why)
    if later:
        (box.folder / "later").touch()
    last = box.starts(Slot.A, starts, trial, Slot.B)
    assert (last.worked, last.text) == (False, sentence)
    assert box.says == sentence
    assert (box.card.slot(), box.card.trial()) == (Slot.A, (Trial.NONE, None))


def test_a_version_that_is_not_well_goes_back_and_leaves_the_reason(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_module, "unwell", lambda before: "the service does not run")
    monkeypatch.setattr("umpi.appliance.update.TRIAL_S", 0.0)
    with pytest.raises(FileNotFoundError):  # nothing is told: the box restarts
        box.starts(Slot.B, Slot.B, Trial.STARTED, Slot.B)
    assert box.restarts == [Restart(once=False)]
    assert box.card.slot() is Slot.A
    assert (box.folder / "update-fault.txt").read_text() == "the service does not run"
