"""After the restart of an update: what the box decides, writes onto the card, and tells its players."""

from __future__ import annotations

import io
import json
import stat
import subprocess
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

import pytest

from scripts.card.__main__ import CANNOT, main
from scripts.card.boots import bars_in
from scripts.card.menus import MATCH
from scripts.card.pins import in_use, wired
from tests.kit.rig import Rigs
from umpi.appliance import card as card_module
from umpi.appliance import start as start_module
from umpi.appliance.bundle import Version
from umpi.appliance.card import SAYS, SAYS_BYTES, Card
from umpi.appliance.slots import BoardKernel, Restart, Slot, Trial, slot_file, trial_file
from umpi.appliance.start import POLL_S, STEPS, settle_trial
from umpi.box.config import Config
from umpi.recording.values import read_value
from umpi.referee.events import LastUpdate
from umpi.service.first_light import FRAME, with_bar

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


# How well a box is


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s, self.slept = 0.0, list[float]()
        monkeypatch.setattr("time.monotonic", lambda: self.now_s)
        monkeypatch.setattr("time.sleep", self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_s += seconds


@pytest.mark.parametrize(
    ("well_from_s", "ends_s", "works"), [(0, 60, True), (10, 70, True), (240, 300, True), (245, 300, False)]
)
def test_a_trial_takes_as_long_as_it_must(
    box: Box, monkeypatch: pytest.MonkeyPatch, well_from_s: int, ends_s: int, works: bool
) -> None:
    """A minute without a break within five minutes; it looks each five seconds, and the copy of the journal goes."""
    monkeypatch.setattr(start_module, "POLL_S", POLL_S)
    clock, copy = Clock(monkeypatch), box.folder / "games.db.before-update"
    copy.touch()
    (box.folder / "update.json").write_text('{"failed": ["display"]}')

    def unwell(before: frozenset[str]) -> str:
        assert before == {"display"}
        return "" if clock.now_s >= well_from_s else f"unwell at {clock.now_s:.0f}"

    monkeypatch.setattr(start_module, "unwell", unwell)
    if works:
        assert box.starts(Slot.B, Slot.A, Trial.STARTED, Slot.B).worked
        assert (box.card.slot(), box.restarts, copy.exists()) == (Slot.B, [], False)
    else:
        with pytest.raises(FileNotFoundError):
            box.starts(Slot.B, Slot.B, Trial.STARTED, Slot.B)
        assert (box.card.slot(), box.restarts, copy.exists()) == (Slot.A, [Restart(once=False)], True)
        assert (box.folder / "update-fault.txt").read_text() == "unwell at 240"
        assert box.says == "Version 1.1 (abc) was not well: unwell at 240."
    assert (clock.now_s, set(clock.slept)) == (ends_s, {5.0})


def test_a_trial_that_was_finished_before_the_power_failed_is_told_and_its_copy_goes(box: Box) -> None:
    (box.folder / "games.db.before-update").touch()
    last = box.starts(Slot.B, Slot.A, Trial.GOOD, Slot.B)
    assert (last.worked, last.text) == (True, "The update works: version 1.1 (abc) is in use.")
    assert (box.card.slot(), box.card.trial(), box.says) == (Slot.B, (Trial.NONE, None), last.text)
    assert not (box.folder / "games.db.before-update").exists()


def test_a_box_that_cannot_leave_its_news_settles_all_the_same(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_module, "SETTLED", box.folder / "nowhere" / "settled.json")
    with pytest.raises(FileNotFoundError):  # of this test, which reads them
        box.starts(Slot.A, Slot.B, Trial.NEW, Slot.B)
    assert box.card.slot() is Slot.A


@pytest.mark.parametrize(
    ("service", "config", "page", "why"),
    [
        (3, "", None, "the service does not run"),
        (0, None, None, ""), (0, "", None, ""),
        (0, "[desk]\n", {"errors": [], "unsaved": ""}, ""),
        (0, "[desk]\n", {"errors": ["display", "scanner", "beams"], "unsaved": ""},
         "devices that worked before: beams, scanner"),
        (0, "[desk]\n", {"errors": ["display"], "unsaved": ""}, ""),
        (0, "[desk]\n", {"errors": ["scanner"], "unsaved": "disk full"}, "NOT SAVED: disk full"),
        (0, "[desk]\n", {"errors": []}, "NOT SAVED: the page does not answer: 'unsaved'"),
        (0, "[desk]\n", URLError("refused"), "NOT SAVED: the page does not answer: <urlopen error refused>"),
        (0, "[desk]\n", (503, {"errors": ["scanner"], "unsaved": ""}), "devices that worked before: scanner"),
        (0, "[desk]\n", (503, {"errors": [], "unsaved": "disk full"}), "NOT SAVED: disk full"),
        (0, "[desk]\n", (503, []), "NOT SAVED: the page says 503"),
        (0, "[desk]\nprot = 1\n", None,
         "NOT SAVED: the page does not answer: umpi.toml, line 2: [desk] has no prot. Did you mean port?"),
    ],
)  # fmt: skip
def test_a_box_is_unwell_by_its_service_its_journal_and_its_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, service: int, config: str | None, page: Any, why: str
) -> None:
    asked: list[object] = []

    def opened(url: str, timeout: float) -> Any:
        asked.append((url, timeout))
        if isinstance(page, Exception):
            raise page
        if isinstance(page, tuple):
            raise HTTPError(url, page[0], "Unavailable", Message(), io.BytesIO(json.dumps(page[1]).encode()))
        return io.BytesIO(json.dumps(page).encode())

    def run(words: list[str]) -> subprocess.CompletedProcess[str]:
        assert words == ["systemctl", "is-active", "--quiet", "umpi.service"]
        return subprocess.CompletedProcess(words, service)

    monkeypatch.setattr("subprocess.run", run)
    monkeypatch.setattr("urllib.request.urlopen", opened)
    monkeypatch.setattr(start_module, "CONFIG", tmp_path / "umpi.toml")
    if config is not None:
        (tmp_path / "umpi.toml").write_text(config)
    assert start_module.unwell(frozenset({"display"})) == why
    assert asked == ([] if page is None else [("http://127.0.0.1:8000/healthz", 5)])


# The trials of a card in QEMU: what they read there, and what they say where nothing can be tried.


GPIOINFO = """gpiochip0 - 54 lines:
\tline   4:\t"GPIO_GCLK"     \tinput bias=pull-up edges=both consumer="umpi"
\tline  17:\t"GPIO17"        \tinput bias=pull-up edges=rising consumer="umpi"
\tline  18:\t"GPIO18"        \toutput consumer="umpi"
\tline  47:\t"SD_DATA_R"     \toutput consumer="ACT"
\tline  53:\tunnamed         \tinput
"""


def test_the_match_of_the_menu_counts_20_points(rigs: Rigs) -> None:
    rig = rigs()
    rig.take("Score pad")
    for key in MATCH:
        rig.press(key)
    assert rig.shows("Score pad", "20"), rig.screen


def test_the_pins_of_the_table_are_those_of_the_service() -> None:
    box, pins = Config(), wired()
    assert {pin for pin, use in pins.items() if use == "output"} == {*box.lamps.values(), box.sounder}
    assert {pin for pin, use in pins.items() if use != "output"} == {*box.buttons.values()}


def test_only_lines_of_the_service_count_each_as_the_kernel_has_it() -> None:
    assert in_use(GPIOINFO) == {4: "input pull-up both", 17: "input pull-up rising", 18: "output"}


def test_the_pictures_of_a_start_are_found_among_what_was_sent() -> None:
    sent = [b"\x00\xae", *(b"\x40" + with_bar(done, STEPS) for done in (1, 2)), b"\x00\xaf", b"\x40" + FRAME]
    assert bars_in(sent) == [1, 2]


def test_the_kernel_of_raspberry_pi_is_refused_with_what_each_promises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", str(tmp_path / "out"), "--board-kernel", "rpi"]) == 1
    said = capsys.readouterr().err
    assert "Debian's archive does not have it" in said
    assert "is taken back by hand, in slot.txt" in said
    assert not (tmp_path / "out").exists(), "nothing is written"


def test_without_kept_packages_no_card_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["check"]) == CANNOT
    assert "not tried" in capsys.readouterr().err
