"""Melodies on a kernel's PWM that is files in a folder, in injected time."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import get_args

import pytest

from umpi.drivers.tones import CHANNELS, FUNCTIONS, MELODIES, Tones
from umpi.kernel.calls import Sound
from umpi.timing.units import MS

PI_4 = "fe20c000.pwm"
PI_5 = "1f00098000.pwm"


class FakeSysfs:
    """/sys/class/pwm with one chip a device of `devices`, numbered by `numbers`, which refuses what the kernel refuses.

    Faults: `denied` (the first n writes into a channel, before udev has been there), `locked` (the export itself),
    `taken` (by a driver: nobody else gets the channel), `broken` (files that cannot be written).
    Source: drivers/pwm/sysfs.c and core.c.
    """

    def __init__(self, folder: Path, devices: Sequence[str] = (PI_4,), numbers: Sequence[int] = (0, 2, 6)) -> None:
        self.root = folder / "class"
        self.denied, self.locked, self.taken = 0, False, False
        self.broken: set[str] = set()
        for device, number in zip(devices, numbers, strict=False):
            chip = self.root / f"pwmchip{number}"
            chip.mkdir(parents=True)
            (folder / device).mkdir()
            (chip / "device").symlink_to(folder / device)
            (chip / "export").touch()

    def write(self, path: Path, text: str) -> None:
        if not path.exists():
            raise _refusal(errno.ENOENT)
        if path.name == "export":
            return self._export(path.with_name(f"pwm{text}"))
        if self.denied:
            self.denied -= 1
            raise _refusal(errno.EACCES)
        if path.name in self.broken:
            raise _refusal(errno.EIO)
        state = {name: int((path.parent / name).read_text()) for name in ("period", "duty_cycle")}
        state[path.name] = int(text)
        if not state["period"] or state["duty_cycle"] > state["period"]:
            raise _refusal(errno.EINVAL)
        path.write_text(text)
        return None

    def export(self, chip: int = 0, channel: int = 0, **state: int) -> Path:
        """Export a channel as another program would."""
        path = self.root / f"pwmchip{chip}" / f"pwm{channel}"
        self._export(path)
        for name, value in state.items():
            (path / name).write_text(str(value))
        return path

    def exported(self) -> list[str]:
        return [str(path.relative_to(self.root)) for path in self.root.glob("pwmchip*/pwm*")]

    def sounding(self) -> int:
        """Hertz on the pin, rounded; 0 means silence."""
        for path in self.root.glob("pwmchip*/pwm*"):
            state = {name: int((path / name).read_text()) for name in ("enable", "period", "duty_cycle")}
            if state["enable"] and state["duty_cycle"]:
                return round(1e9 / state["period"])
        return 0

    def vanish(self) -> None:
        shutil.rmtree(self.root)

    def _export(self, path: Path) -> None:
        if self.locked:
            raise _refusal(errno.EACCES)
        if self.taken or path.is_dir():
            raise _refusal(errno.EBUSY)
        path.mkdir()
        for name in ("period", "duty_cycle", "enable"):
            (path / name).write_text("0")


def _refusal(number: int) -> OSError:
    return OSError(number, os.strerror(number))


class Recording:
    """Tones, and the sounds they made: from which millisecond on how many hertz."""

    def __init__(self, sysfs: FakeSysfs, pin: int = 18) -> None:
        self.sysfs = sysfs
        self.tones = Tones(pin, sysfs.root, sysfs.write)
        self.notes: list[tuple[int, int]] = []

    def play(self, sound: Sound, at_ms: int = 0) -> None:
        self.tones.play(sound, at_ms * MS)
        self.notes.append((at_ms, self.sysfs.sounding()))

    def until_silent(self) -> None:
        while (due_ns := self.tones.due_ns) is not None:
            self.tones.tick(due_ns)
            self.notes.append((due_ns // MS, self.sysfs.sounding()))


def written(sound: Sound) -> list[tuple[int, int]]:
    """The expected sounds of a melody, with the silence at its end."""
    at_ms, notes = 0, []
    for hz, long_ms in MELODIES[sound]:
        notes.append((at_ms, hz))
        at_ms += long_ms
    return [*notes, (at_ms, 0)]


@pytest.fixture
def sysfs(tmp_path: Path) -> FakeSysfs:
    return FakeSysfs(tmp_path)


@pytest.mark.parametrize("sound", MELODIES)
def test_a_melody_plays_as_written_and_ends_silent(sysfs: FakeSysfs, sound: Sound) -> None:
    recording = Recording(sysfs)
    recording.play(sound)
    recording.until_silent()
    assert recording.notes == written(sound)
    assert recording.tones.trouble == ""


def test_any_sound_may_follow_any_other(sysfs: FakeSysfs) -> None:
    """A duty longer than the period is refused (EINVAL): a step up and a step down are written in other orders."""
    recording = Recording(sysfs)
    for first in MELODIES:
        for second in MELODIES:
            recording.play(first)
            recording.notes.clear()
            recording.play(second)
            recording.until_silent()
            assert recording.notes == written(second), (first, second)


def test_a_new_sound_breaks_off_the_one_before(sysfs: FakeSysfs) -> None:
    recording = Recording(sysfs)
    recording.play("winner")
    recording.tones.tick(95 * MS)
    recording.play("accepted", 100)
    recording.until_silent()
    assert recording.notes[-2:] == [(100, MELODIES["accepted"][0][0]), (145, 0)]


def test_a_late_loop_leaves_no_tone_on(sysfs: FakeSysfs) -> None:
    recording = Recording(sysfs)
    recording.play("winner")
    recording.tones.tick(10_000 * MS)
    assert sysfs.sounding() == 0
    assert recording.tones.due_ns is None


def test_each_pitch_is_a_note_of_the_piano_and_each_length_a_step_of_5_ms() -> None:
    """Equal temperament from A4 = 440 Hz, rounded; a pitch a little beside its note would be a slip."""
    notes = {round(440 * 2 ** (key / 12)) for key in range(-48, 40)}
    assert {hz for melody in MELODIES.values() for hz, _ in melody} <= {0, *notes}
    assert {ms % 5 for melody in MELODIES.values() for _, ms in melody} == {0}


def test_a_refusal_falls_and_a_winner_rises() -> None:
    refused, winner = ([hz for hz, _ in MELODIES[sound] if hz] for sound in ("refused", "winner"))
    assert len(refused) > 1
    assert refused == sorted(set(refused), reverse=True)
    assert len(winner) > 1
    assert winner == sorted(set(winner))


def test_frequent_sounds_are_short_and_all_sounds_differ() -> None:
    long_ms = {sound: sum(ms for _, ms in melody) for sound, melody in MELODIES.items()}
    assert long_ms["accepted"] <= 60
    assert long_ms["cube"] <= 150
    assert max(long_ms.values()) <= 1000
    assert len({tuple(hz for hz, _ in melody) for melody in MELODIES.values()}) == len(MELODIES)


@pytest.mark.parametrize("pin", FUNCTIONS)
@pytest.mark.parametrize("device", ["2020c000.pwm", "3f20c000.pwm", "fe20c000.pwm", "1f00098000.pwm"])
def test_each_pin_has_its_channel_on_each_pi(tmp_path: Path, device: str, pin: int) -> None:
    """raspberrypi/linux: overlays/README, pwm (BCM2835 to BCM2711); pinctrl-rp1.c (RP1)."""
    sysfs = FakeSysfs(tmp_path, [device])
    Recording(sysfs, pin)
    channel = {12: 0, 13: 1, 18: 2, 19: 3} if device == PI_5 else {12: 0, 13: 1, 18: 0, 19: 1}
    assert sysfs.exported() == [f"pwmchip0/pwm{channel[pin]}"]


@pytest.mark.parametrize(
    ("devices", "numbers", "chip"),
    [
        (["107d517a80.pwm", PI_5, "1f0009c000.pwm"], [0, 2, 6], 2),  # kernel 6.6
        ([PI_5, "1f0009c000.pwm"], [0, 1], 0),  # kernel 6.12
        (["fe20c800.pwm", PI_4], [0, 1], 1),  # the headphone jack of a Pi 4
    ],
)
def test_the_header_is_found_by_its_device_whatever_its_number(
    tmp_path: Path, devices: list[str], numbers: list[int], chip: int
) -> None:
    """raspberrypi/linux issue 6818: "the kernel doesn't make any attempt to use systematic numbering"."""
    sysfs = FakeSysfs(tmp_path, devices, numbers)
    Recording(sysfs, 12)
    assert sysfs.exported() == [f"pwmchip{chip}/pwm0"]


@pytest.mark.parametrize(
    ("pin", "line"),
    [
        (12, "dtoverlay=pwm,pin=12,func=4"),
        (13, "dtoverlay=pwm,pin=13,func=4"),
        (18, "dtoverlay=pwm,pin=18,func=2"),
        (19, "dtoverlay=pwm,pin=19,func=2"),
    ],
)
@pytest.mark.parametrize("devices", [[], ["1f0009c000.pwm"]])
def test_without_pwm_the_error_names_the_line_for_the_configuration(
    tmp_path: Path, devices: list[str], pin: int, line: str
) -> None:
    sysfs = FakeSysfs(tmp_path, devices)
    message = f"^Pin {pin} has no PWM: add {line} to /boot/firmware/config.txt and restart the Pi.$"
    with pytest.raises(OSError, match=message):
        Recording(sysfs, pin)
    assert not sysfs.exported(), "the fan's PWM is left alone"


def test_a_channel_already_exported_is_used_and_what_it_sounds_ends(sysfs: FakeSysfs) -> None:
    sysfs.export(period=1_000_000, duty_cycle=1_000_000, enable=1)
    recording = Recording(sysfs)
    assert sysfs.sounding() == 0
    recording.play("winner")
    recording.until_silent()
    assert recording.notes == written("winner")


def test_a_channel_of_a_driver_is_not_to_be_had(sysfs: FakeSysfs) -> None:
    sysfs.taken = True
    with pytest.raises(OSError, match=r"Pin 18 cannot play tones: Device or resource busy \(pwmchip0/pwm0\)"):
        Recording(sysfs)


def test_without_permission_the_error_names_the_group_and_the_udev_rule(sysfs: FakeSysfs) -> None:
    sysfs.locked = True
    with pytest.raises(OSError, match="group gpio; if that fails, add a udev rule"):
        Recording(sysfs)


def test_permissions_that_come_a_moment_after_the_export_cost_a_note_at_most(sysfs: FakeSysfs) -> None:
    """udev answers the export with a chgrp, measured by others some 300 ms later."""
    sysfs.denied = 3  # the silence at the start, then the first note and the silence after it
    recording = Recording(sysfs)
    recording.play("winner")
    assert "add the user to group gpio" in recording.tones.trouble
    recording.until_silent()
    assert recording.notes == [(0, 0), *written("winner")[1:]]
    assert recording.tones.trouble == ""


def test_permissions_that_never_come_are_a_silence_with_a_reason(sysfs: FakeSysfs) -> None:
    sysfs.denied = 1000
    recording = Recording(sysfs)
    recording.play("winner")
    recording.until_silent()
    assert {hz for _, hz in recording.notes} == {0}
    assert "add a udev rule for /sys/class/pwm" in recording.tones.trouble


@pytest.mark.parametrize("name", ["period", "enable"])
def test_a_note_that_is_refused_is_silence_and_not_the_note_before(sysfs: FakeSysfs, name: str) -> None:
    recording = Recording(sysfs)
    recording.play("winner")
    sysfs.broken = {name}
    recording.until_silent()
    assert [hz for _, hz in recording.notes] == [1047, 0, 0, 0, 0]
    assert recording.tones.trouble.startswith("Pin 18 cannot play tones: Input/output error (pwmchip0/pwm0).")
    sysfs.broken = set()
    recording.play("accepted")
    assert sysfs.sounding() == 2093
    assert recording.tones.trouble == ""


def test_a_pwm_that_vanishes_in_a_melody_is_a_trouble_and_no_exception(sysfs: FakeSysfs) -> None:
    recording = Recording(sysfs)
    recording.play("winner")
    sysfs.vanish()
    recording.until_silent()
    assert "No such file or directory" in recording.tones.trouble
    recording.play("cube")
    recording.tones.close()


def test_closed_in_the_middle_of_a_note_it_is_silent_and_still_exported(sysfs: FakeSysfs) -> None:
    recording = Recording(sysfs)
    recording.play("winner")
    recording.tones.close()
    channel = sysfs.root / "pwmchip0" / "pwm0"
    assert [(channel / name).read_text() for name in ("duty_cycle", "enable")] == ["0", "0"]


def test_closed_before_any_sound_it_closes(sysfs: FakeSysfs) -> None:
    Recording(sysfs).tones.close()


def test_plain_files_laid_out_like_sysfs_get_the_values(sysfs: FakeSysfs) -> None:
    """The way of writing that a Pi gets: whole values, no newline needed, into files that are there."""
    channel = sysfs.export(period=1_000_000_000, duty_cycle=500_000_000)
    tones = Tones(18, sysfs.root)
    tones.play("accepted", 0)
    names = ("period", "duty_cycle", "enable")
    assert [(channel / name).read_text() for name in names] == ["477783", "238891", "1"]
    assert (sysfs.root / "pwmchip0" / "export").read_text() == "0"
    tones.tick(45 * MS)
    assert (channel / "duty_cycle").read_text() == "0"
    (channel / "enable").unlink()
    tones.play("accepted", 100 * MS)
    assert "No such file" in tones.trouble
    assert not (channel / "enable").exists(), "nothing is made where nothing was"


def test_the_tables_know_the_same_pins() -> None:
    assert all(channels.keys() == FUNCTIONS.keys() for channels in CHANNELS.values())


@pytest.mark.parametrize(("one", "other"), list(combinations(get_args(Sound), 2)))
def test_two_sounds_differ_in_their_first_note(one: Sound, other: Sound) -> None:
    """By a minor third at least, 2 to the power of 3/12: without a trained ear people hear that it differs."""
    low, high = sorted((MELODIES[one][0][0], MELODIES[other][0][0]))
    assert high / low >= 1.189
