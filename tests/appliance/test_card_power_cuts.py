"""Updates of a card, with the power cut between any two writes: it always starts, with the old version or the new one.

The firmware is modelled by what its documentation says: it reads slot.txt, or once tryboot.txt, and starts that kernel.
The first program is firmware/card/init itself, from the line with `boot()` to the mounting of the root.
"""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

import pytest

from umpi.appliance import card as card_module
from umpi.appliance.bundle import BadBundle, Bundle, Version, opened, write_bundle
from umpi.appliance.card import SAYS, SAYS_BYTES, Card, CardFault
from umpi.appliance.slots import (
    BoardKernel,
    Restart,
    Settled,
    Slot,
    Trial,
    Verdict,
    accept_steps,
    command_line,
    refuse_steps,
    settle,
    slot_file,
    trial_file,
    update_steps,
)
from umpi.appliance.update import check, install
from umpi.box.signing import SigningKey

KEY = SigningKey.of("1" * 64)
INIT = Path(__file__).parents[2] / "firmware" / "card" / "init"
OLD, NEW = (
    Version("umpi", "1.0", "old", 1, BoardKernel.DEBIAN, 4),
    Version("umpi", "1.1", "new", 2, BoardKernel.DEBIAN, 4),
)
ROOT_BYTES = 3 << 20  # three blocks
COMMON = "quiet panic=10"


class Cut(Exception):
    """The power fails."""


@dataclass
class Pi:
    """A card with its firmware; `once` is whether the next start is that of tryboot.txt."""

    folder: Path
    kernel: BoardKernel
    once: bool = False
    bad: frozenset[bytes] = field(default_factory=frozenset)  # kernels that do not start at all

    @property
    def boot(self) -> Path:
        return self.folder / "boot"

    def card(self, running: Slot) -> Card:
        return Card(self.boot, {slot: self.folder / f"root-{slot}" for slot in Slot}, running)

    def version_of(self, slot: Slot) -> bytes:
        """Return the kernel of a slot, if slot and kernel are whole and of one version."""
        kernel = self.boot / slot / "vmlinuz"
        with (self.folder / f"root-{slot}").open("rb") as root:
            root_begin, root_all = root.read(3), ROOT_BYTES
            whole = len(root_begin + root.read()) == root_all
        named = kernel.read_bytes() if kernel.exists() else b""
        line = self.boot / slot / "cmdline.txt"
        assert not named or line.read_text() == command_line(COMMON, slot) or named != root_begin
        return named if whole and named == root_begin else b""

    def start(self) -> tuple[Slot, bytes]:
        """Switch on, and return the slot and the version that came up; at most four restarts are needed."""
        for _ in range(4):
            text = (self.boot / ("tryboot.txt" if self.once else "slot.txt")).read_text()
            self.once = False
            slot = next(slot for slot in Slot if f"os_prefix={slot}/" in text)
            kernel = self.boot / slot / "vmlinuz"
            assert kernel.exists(), f"the firmware finds no kernel in {slot}"
            if kernel.read_bytes() in self.bad:
                continue  # panic, or the watchdog of the firmware
            version = self.version_of(slot)
            if run_init(self.boot, slot, mounts=bool(version)):
                return slot, version
        raise AssertionError("the card does not start")


def run_init(boot: Path, slot: Slot, mounts: bool) -> bool:
    """Run the part of the first program that decides about slots; return whether it goes on to the root."""
    text = INIT.read_text(encoding="utf-8")
    part = text[text.index("boot() {") : text.index("mkdir -p /run/umpi-root")].replace("/boot", str(boot))
    stubs = "mount() { :; }; umount() { :; }; reboot() { exit 42; }; sleep() { :; }; say() { :; }\n"
    head = f"slot={slot} other={slot.other} card=/dev/card\n"
    done = subprocess.run(
        ["sh", "-eu"], input=stubs + head + part + ("" if mounts else "\ngo_back"), text=True, capture_output=True
    )
    assert done.returncode in (0, 42), done.stderr
    return done.returncode == 0


def make_pi(folder: Path, kernel: BoardKernel) -> Pi:
    """Make a new card with the old version in slot A."""
    boot = folder / "boot"
    (boot / "a").mkdir(parents=True)
    (boot / "slot.txt").write_bytes(slot_file(Slot.A))
    (boot / "trial.txt").write_bytes(trial_file(Trial.NONE, Slot.A))
    (boot / "config.txt").write_text("[all]\ninclude slot.txt\nkernel=vmlinuz\n")
    (boot / SAYS).write_bytes(b" " * SAYS_BYTES)
    (boot / "a" / "vmlinuz").write_bytes(b"old")
    (boot / "a" / "cmdline.txt").write_text(command_line(COMMON, Slot.A))
    (folder / "root-a").write_bytes(b"old".ljust(ROOT_BYTES, b"o"))
    (folder / "root-b").write_bytes(bytes(ROOT_BYTES))
    return Pi(folder, kernel)


@pytest.fixture(scope="module")
def bundle_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "root").write_bytes(b"new".ljust(ROOT_BYTES, b"n"))
    (folder / "vmlinuz").write_bytes(b"new")
    (folder / "initrd.img").write_bytes(b"initrd of new")
    boot = {name: folder / name for name in ("vmlinuz", "initrd.img")}
    write_bundle(folder / "umpi.bundle", NEW, folder / "root", boot, KEY)
    return folder / "umpi.bundle"


@dataclass
class Power:
    """Counts writes of the card, and fails before the one with number `at`."""

    at: int
    count: int = 0

    def writes(self) -> None:
        self.count += 1
        if self.count > self.at:
            raise Cut


def cut_into(power: Power) -> Callable[[Bundle, object], Iterator[bytes]]:
    """Return `Bundle.read` of a card whose power fails: each block that it gives is one write."""
    whole = Bundle.read

    def read(self: Bundle, part: object) -> Iterator[bytes]:
        for block in whole(self, part):  # type: ignore[arg-type]
            for at in range(0, len(block), 1 << 20):
                power.writes()
                yield block[at : at + (1 << 20)]

    return read


def update(pi: Pi, running: Slot, file: Path, power: Power) -> None:
    """Install a bundle until the power fails; small files are written whole, as they are one sector."""
    overwrite, write = card_module.overwrite, card_module._write

    def small(file: Path, data: bytes) -> None:
        power.writes()
        overwrite(file, data)

    def large(file: Path, blocks: Iterator[bytes]) -> None:
        power.writes()
        file.write_bytes(b"")  # a file that was begun
        write(file, blocks)

    def restarted(step: Restart) -> None:
        power.writes()
        pi.once = step.once

    with (
        opened(file, KEY.public) as bundle,
        patch.object(Bundle, "read", cut_into(power)),
        patch.object(card_module, "overwrite", small),
        patch.object(card_module, "_write", large),
    ):
        present = replace(OLD, kernel=pi.kernel)
        install(pi.card(running), bundle, present, lambda done, whole: None, lambda: None, restarted)


def after_start(pi: Pi, running: Slot, power: Power, well: bool = True) -> Settled:
    """Do what umpi-settle.service does after a start: clean up, or judge a slot on trial."""
    card = pi.card(running)
    trial, tried = card.trial()
    settled = settle(running, card.slot(), trial, tried)
    steps = settled.steps
    if settled.verdict is Verdict.ON_TRIAL:
        steps = accept_steps(running, card.slot()) if well else refuse_steps(running)
    for step in steps:
        power.writes()
        card.do(step, None, lambda done, whole: None)
    return settled


def always(pi: Pi, file: Path, at: int) -> tuple[bytes, bool]:
    """Update with a power cut before write number `at`; return the version at the end, and whether there was a cut."""
    power, slot, cut = Power(at), Slot.A, False
    try:
        update(pi, slot, file, power)
        slot, _ = pi.start()
        after_start(pi, slot, power)
    except Cut:
        cut, pi.once = True, False
    slot, version = pi.start()
    assert version in (b"old", b"new")
    after_start(pi, slot, Power(10**9))
    slot, again = pi.start()
    assert pi.card(slot).trial() == (Trial.NONE, None)
    assert pi.card(slot).slot() is slot, "it settles"
    assert again == version or (version, again) == (b"new", b"old"), "it never jumps forward by itself"
    return again, cut


@pytest.mark.slow
@pytest.mark.parametrize("kernel", list(BoardKernel))
def test_with_a_power_cut_before_each_write_the_card_starts(
    tmp_path: Path, bundle_file: Path, kernel: BoardKernel
) -> None:
    """No cut leaves a mixture. During the trial a cut counts as a failure, and the old version is back."""
    found = []
    for at in range(100):
        version, cut = always(make_pi(tmp_path / str(at), kernel), bundle_file, at)
        found.append(version)
        if not cut:
            break
    assert not cut
    assert len(found) > 10, "there are that many writes"
    assert found[0] == b"old"
    assert found[-1] == b"new"


@pytest.mark.parametrize("kernel", list(BoardKernel))
def test_a_version_that_is_not_well_is_taken_back(tmp_path: Path, bundle_file: Path, kernel: BoardKernel) -> None:
    pi, never = make_pi(tmp_path / "pi", kernel), Power(10**9)
    update(pi, Slot.A, bundle_file, never)
    slot, version = pi.start()
    assert (slot, version) == (Slot.B, b"new")
    assert after_start(pi, slot, never, well=False).verdict is Verdict.ON_TRIAL
    slot, version = pi.start()
    assert (slot, version) == (Slot.A, b"old")
    assert after_start(pi, slot, never).verdict is Verdict.TAKEN_BACK
    assert after_start(pi, slot, never).verdict is Verdict.QUIET


@pytest.mark.parametrize("kernel", list(BoardKernel))
def test_a_start_that_hangs_and_is_unplugged_is_taken_back(
    tmp_path: Path, bundle_file: Path, kernel: BoardKernel
) -> None:
    """Between the first program and the verdict, somebody pulls the plug."""
    pi, never = make_pi(tmp_path / "pi", kernel), Power(10**9)
    update(pi, Slot.A, bundle_file, never)
    assert pi.start() == (Slot.B, b"new")
    assert pi.start() == (Slot.A, b"old")
    assert after_start(pi, Slot.A, never).verdict is Verdict.TAKEN_BACK


@pytest.mark.parametrize("kernel", list(BoardKernel))
def test_a_root_that_cannot_be_mounted_is_taken_back(tmp_path: Path, bundle_file: Path, kernel: BoardKernel) -> None:
    pi, never = make_pi(tmp_path / "pi", kernel), Power(10**9)
    update(pi, Slot.A, bundle_file, never)
    (tmp_path / "pi" / "root-b").write_bytes(b"worn")
    assert pi.start() == (Slot.A, b"old")
    assert after_start(pi, Slot.A, never).verdict is Verdict.TAKEN_BACK


def test_only_tryboot_takes_back_a_kernel_that_does_not_start(tmp_path: Path, bundle_file: Path) -> None:
    """This is what Debian's kernel cannot promise, and what the page says."""
    never = Power(10**9)
    pi = make_pi(tmp_path / "rpi", BoardKernel.RPI)
    pi.bad = frozenset([b"new"])
    update(pi, Slot.A, bundle_file, never)
    assert pi.start() == (Slot.A, b"old")
    pi = make_pi(tmp_path / "debian", BoardKernel.DEBIAN)
    pi.bad = frozenset([b"new"])
    update(pi, Slot.A, bundle_file, never)
    with pytest.raises(AssertionError, match="does not start"):
        pi.start()


def test_before_the_switch_nothing_of_the_running_slot_is_written(tmp_path: Path, bundle_file: Path) -> None:
    pi = make_pi(tmp_path / "pi", BoardKernel.DEBIAN)
    before = {file: file.read_bytes() for file in ((pi.boot / "a").iterdir())} | {
        pi.folder / "root-a": (pi.folder / "root-a").read_bytes()
    }
    update(pi, Slot.A, bundle_file, Power(10**9))
    assert {file: file.read_bytes() for file in before} == before


def test_the_other_slot_has_the_boot_files_of_the_bundle_and_no_older_ones(tmp_path: Path, bundle_file: Path) -> None:
    """Another kernel beside the new one would not fit."""
    pi = make_pi(tmp_path / "pi", BoardKernel.DEBIAN)
    old = pi.boot / "b" / "vmlinuz-of-old"
    old.parent.mkdir()
    old.write_bytes(b"old")
    update(pi, Slot.A, bundle_file, Power(10**9))
    assert {each.name for each in old.parent.iterdir()} == {"vmlinuz", "initrd.img", card_module.COMMAND_LINE}


def test_the_next_update_goes_into_the_first_slot(tmp_path: Path, bundle_file: Path) -> None:
    pi, never = make_pi(tmp_path / "pi", BoardKernel.DEBIAN), Power(10**9)
    update(pi, Slot.A, bundle_file, never)
    after_start(pi, pi.start()[0], never)
    update(pi, Slot.B, bundle_file, never)
    assert pi.start() == (Slot.A, b"new")


def test_during_a_trial_no_other_update_starts(tmp_path: Path, bundle_file: Path) -> None:
    pi = make_pi(tmp_path / "pi", BoardKernel.DEBIAN)
    update(pi, Slot.A, bundle_file, Power(10**9))
    with opened(bundle_file, KEY.public) as bundle, pytest.raises(BadBundle, match="still on trial"):
        check(pi.card(Slot.B), bundle, OLD, tmp_path / "none.db", lambda done, whole: None)


def test_a_card_that_returns_something_else_is_worn_out(tmp_path: Path, bundle_file: Path) -> None:
    pi = make_pi(tmp_path / "pi", BoardKernel.DEBIAN)
    worn = io.BytesIO(bytes(ROOT_BYTES))
    with (
        opened(bundle_file, KEY.public) as bundle,
        patch.object(card_module, "_compare", lambda file, *words: COMPARE(worn, *words)),
        pytest.raises(CardFault, match="worn out"),
    ):
        pi.card(Slot.A).do(update_steps(Slot.A, BoardKernel.DEBIAN)[0], bundle, lambda done, whole: None)


COMPARE = card_module._compare
