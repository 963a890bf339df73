"""The two slots of a card: which one starts next, what an update changes in which order, and how its trial ends.

Two files of the boot partition say all of it. Both keep their length, so that each change writes one sector:

- `slot.txt`: the slot that the firmware starts (`config.txt` includes it)
- `trial.txt`: whether a slot is on trial, and how far it is. firmware/card/init reads and advances it, too
"""

from __future__ import annotations

from enum import StrEnum

from umpi.appliance.layout import DISK_ID, SLOT_A, SLOT_B
from umpi.frozen import frozen

_TRIAL_BYTES = 16


class Slot(StrEnum):
    """One of the two slots; its value is the name of its folder on the boot partition."""

    A = "a"
    B = "b"

    @property
    def other(self) -> Slot:
        """The slot that is not this one."""
        return Slot.B if self is Slot.A else Slot.A

    @property
    def number(self) -> int:
        """The number of the partition with its root."""
        return SLOT_A if self is Slot.A else SLOT_B


class Trial(StrEnum):
    """How far a slot on trial is."""

    NONE = "none"  # no slot is on trial
    NEW = "new"  # written, and not started yet
    STARTED = "started"  # started: a second start without a verdict is a failure
    GOOD = "good"  # found healthy


class BadBootFile(ValueError):
    """Raised if a file of the boot partition has contents that Umpi did not write; the message says which."""


def slot_file(slot: Slot) -> bytes:
    """Return `slot.txt`.

    >>> slot_file(Slot.B)
    b'os_prefix=b/\\n'
    """
    return f"os_prefix={slot}/\n".encode()


def read_slot(text: bytes) -> Slot:
    """Return the slot that `slot.txt` names. Raises BadBootFile.

    >>> read_slot(b"os_prefix=c/")
    Traceback (most recent call last):
    umpi.appliance.slots.BadBootFile: slot.txt: expected os_prefix=a/ or os_prefix=b/, got 'os_prefix=c/'
    """
    for slot in Slot:
        if text.strip() == slot_file(slot).strip():
            return slot
    raise BadBootFile(f"slot.txt: expected os_prefix=a/ or os_prefix=b/, got {text[:40].decode(errors='replace')!r}")


def trial_file(trial: Trial, slot: Slot) -> bytes:
    """Return `trial.txt`.

    >>> trial_file(Trial.STARTED, Slot.B)
    b'b:started      \\n'
    """
    text = trial.value if trial is Trial.NONE else f"{slot}:{trial}"
    return text.encode().ljust(_TRIAL_BYTES - 1) + b"\n"


def read_trial(text: bytes) -> tuple[Trial, Slot | None]:
    """Return how far which slot is on trial. Raises BadBootFile.

    >>> read_trial(b"b:old")
    Traceback (most recent call last):
    umpi.appliance.slots.BadBootFile: trial.txt: expected for example none or b:new, got 'b:old'
    """
    for slot in Slot:
        for trial in Trial:
            if text.strip() == trial_file(trial, slot).strip():
                return trial, None if trial is Trial.NONE else slot
    raise BadBootFile(f"trial.txt: expected for example none or b:new, got {text[:40].decode(errors='replace')!r}")


def command_line(common: str, slot: Slot) -> str:
    """Return the kernel's command line of a slot.

    >>> command_line("quiet", Slot.B)
    'root=PARTUUID=756d7069-03 rootfstype=erofs umpi.slot=b quiet\\n'
    """
    return f"root=PARTUUID={DISK_ID:08x}-{slot.number:02d} rootfstype=erofs umpi.slot={slot} {common}\n"


def running_slot(line: str) -> Slot | None:
    """Return the slot that a kernel's command line names; None if this is no card.

    >>> running_slot("quiet umpi.slot=b panic=10")
    <Slot.B: 'b'>
    """
    for word in line.split():
        for slot in Slot:
            if word == f"umpi.slot={slot}":
                return slot
    return None


class BoardKernel(StrEnum):
    """Whose kernel a card has. Only Raspberry Pi's has `tryboot`, by which the firmware tries a slot for one start."""

    DEBIAN = "debian"
    RPI = "rpi"


@frozen
class WriteRoot:
    """Write the root of the bundle into the partition of a slot, and read it back."""

    slot: Slot


@frozen
class WriteBootFiles:
    """Write the boot files of the bundle into the folder of a slot, and read them back."""

    slot: Slot


@frozen
class WriteSlot:
    """Let the firmware start a slot from now on."""

    slot: Slot


@frozen
class WriteTrial:
    """Note how far a slot is on trial."""

    trial: Trial
    slot: Slot


@frozen
class WriteTryboot:
    """Write `tryboot.txt`, which starts a slot once."""

    slot: Slot


@frozen
class Restart:
    """Restart the Pi; `once` with `tryboot.txt` in place of `config.txt`."""

    once: bool


Step = WriteRoot | WriteBootFiles | WriteSlot | WriteTrial | WriteTryboot | Restart


def update_steps(running: Slot, kernel: BoardKernel) -> tuple[Step, ...]:
    """Return the steps of an update, in order. Before the last but one, each start is that of the running slot.

    With `tryboot` the firmware goes back by itself, also from a kernel that does not start. Without it, the initial RAM
    disk of the new slot goes back, so its kernel and that RAM disk have to start.
    """
    new = running.other
    written: tuple[Step, ...] = (WriteRoot(new), WriteBootFiles(new))
    match kernel:
        case BoardKernel.RPI:
            return (*written, WriteTryboot(new), WriteTrial(Trial.NEW, new), Restart(once=True))
        case BoardKernel.DEBIAN:
            return (*written, WriteTrial(Trial.NEW, new), WriteSlot(new), Restart(once=False))


class Verdict(StrEnum):
    """What the start of a slot means for the last update."""

    QUIET = "quiet"  # there was none, or it is long over
    ON_TRIAL = "on-trial"  # this is its first start: its health decides
    FINISHED = "finished"  # it was healthy, and the power failed before that was noted
    NOT_DONE = "not-done"  # the power failed before the new slot was started
    TAKEN_BACK = "taken-back"  # the new slot did not come up


@frozen
class Settled:
    """A verdict, and the steps that it needs now."""

    verdict: Verdict
    steps: tuple[Step, ...] = ()


def settle(running: Slot, starts: Slot, trial: Trial, tried: Slot | None) -> Settled:
    """Decide after a start of `running` what became of the last update; `starts` is the slot of `slot.txt`."""
    clear = WriteTrial(Trial.NONE, running)
    if tried is None:
        return Settled(Verdict.QUIET)
    if tried is running:
        if trial is Trial.GOOD:
            return Settled(Verdict.FINISHED, _only((WriteSlot(running), starts is not running), (clear, True)))
        return Settled(Verdict.ON_TRIAL)
    verdict = Verdict.TAKEN_BACK if trial is Trial.STARTED else Verdict.NOT_DONE
    return Settled(verdict, _only((WriteSlot(running), starts is not running), (clear, True)))


def accept_steps(running: Slot, starts: Slot) -> tuple[Step, ...]:
    """Return the steps that make a healthy slot on trial the one that starts from now on."""
    return (
        WriteTrial(Trial.GOOD, running),
        *_only((WriteSlot(running), starts is not running), (WriteTrial(Trial.NONE, running), True)),
    )


def _only(*steps: tuple[Step, bool]) -> tuple[Step, ...]:
    return tuple(step for step, wanted in steps if wanted)


def refuse_steps(running: Slot) -> tuple[Step, ...]:
    """Return the steps that leave an unhealthy slot on trial for the other one."""
    return (WriteSlot(running.other), Restart(once=False))
