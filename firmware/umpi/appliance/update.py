"""Updates: check a bundle, write it into the other slot, and judge the first start of that slot."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from umpi.appliance import journals
from umpi.appliance.bundle import BadBundle, Bundle, Progress, Version, check_fit
from umpi.appliance.card import Card, CardFault
from umpi.appliance.journals import journal_schema
from umpi.appliance.slots import Restart, Trial, WriteBootFiles, WriteRoot, update_steps
from umpi.kernel.messages import message

HEALTHY_S = 60.0  # how long a slot on trial must be healthy without a break
TRIAL_S = 300.0  # after which a slot on trial is given up
RECORD = "update.json"  # in the state: which devices had failed before the last update
LOCK = "update.lock"  # there too: held while an update runs
FAULT = "update-fault.txt"  # there too: why the last version on trial was given up


def check(card: Card, bundle: Bundle, present: Version, journal: Path, progress: Progress) -> None:
    """Check that a bundle can be installed now, and read it to its end. Raises BadBundle, BadBootFile and OSError."""
    if card.trial()[0] is not Trial.NONE:
        raise BadBundle(message("The last update is still on trial. Wait until the box has run for five minutes."))
    check_fit(bundle.manifest.version, present, journal_schema(journal))
    bundle.check(progress)


def write_slot(card: Card, bundle: Bundle, present: Version, progress: Progress) -> None:
    """Write a checked bundle into the other slot; the card does not start it yet. Raises CardFault and BadBundle."""
    for step in update_steps(card.running, present.kernel):
        if isinstance(step, WriteRoot | WriteBootFiles):
            card.do(step, bundle, progress)


def start_slot(card: Card, present: Version, restart: Callable[[Restart], object]) -> None:
    """Let the card start the other slot, on trial, and restart. Raises CardFault and OSError."""
    for step in update_steps(card.running, present.kernel):
        if not isinstance(step, WriteRoot | WriteBootFiles):
            card.do(step, None, lambda done, whole: None)
        if isinstance(step, Restart):
            restart(step)


def install(
    card: Card, bundle: Bundle, present: Version, progress: Progress, ready: Callable[[], object],
    restart: Callable[[Restart], object],
) -> None:  # fmt: skip
    """Write a checked bundle into the other slot, and restart with it. Raises CardFault, BadBundle and OSError.

    `ready` is called once the slot is written, before anything lets the card start it. If the power fails, or something
    cannot be written, the box starts as before.
    """
    write_slot(card, bundle, present, progress)
    ready()
    start_slot(card, present, restart)


def keep_matches(journal: Path, new: Version) -> None:
    """If the new version will convert the journal, keep a copy of it, with nobody writing. Raises CardFault."""
    if not 0 < journal_schema(journal) < new.journal_schema:
        return
    try:
        subprocess.run(["systemctl", "stop", "umpi.service"], check=True)
        journals.keep_copy(journal)
    except (OSError, sqlite3.Error, subprocess.CalledProcessError) as fault:
        template = "The matches cannot be copied ({file}: {why}), so the box keeps its version."
        raise CardFault(message(template, file=str(journal), why=str(fault))) from None


@contextmanager
def service_back() -> Iterator[None]:
    """Start the service again if the box does not restart, as it may have been stopped."""
    try:
        yield
    except BaseException:
        subprocess.run(["systemctl", "start", "umpi.service"], check=False)
        raise


@contextmanager
def only_one(state: Path) -> Iterator[None]:
    """Let one update run at a time. Raises BadBundle if another one runs, OSError."""
    with (state / LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadBundle(message("Another update is running.")) from None
        yield


def record(state: Path, failed: frozenset[str]) -> None:
    """Note which devices have failed now, so that the new version is not blamed for them. Raises OSError."""
    new = state / f"{RECORD}.new"
    with new.open("w", encoding="utf-8") as opened:
        json.dump({"failed": sorted(failed)}, opened)
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(state / RECORD)
    (state / FAULT).unlink(missing_ok=True)


def recorded(state: Path) -> frozenset[str]:
    """Return the devices that had failed before the last update."""
    try:
        return frozenset(json.loads((state / RECORD).read_text(encoding="utf-8"))["failed"])
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()


def note_fault(state: Path, why: str) -> None:
    """Note why a version on trial is given up. Raises OSError."""
    with (state / FAULT).open("w", encoding="utf-8") as opened:
        opened.write(why)
        opened.flush()
        os.fsync(opened.fileno())


def noted_fault(state: Path) -> str:
    """Return why the last version on trial was given up, "" if that is not known."""
    try:
        return (state / FAULT).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


class Judgement(StrEnum):
    """What the health of a slot on trial means so far."""

    WAIT = "wait"
    ACCEPT = "accept"
    REFUSE = "refuse"


@dataclass(slots=True)
class Watch:
    """The trial of a slot, from its health at some times, in seconds of a clock that never jumps."""

    began_s: float
    well_since_s: float | None = None

    def see(self, now_s: float, why_unwell: str) -> Judgement:
        """Take the health of now into account: why the box is unwell, or nothing.

        >>> watch = Watch(0.0)
        >>> [watch.see(now_s, "").value for now_s in (10.0, 69.0, 70.0)]
        ['wait', 'wait', 'accept']
        """
        if why_unwell:
            self.well_since_s = None
        elif self.well_since_s is None:
            self.well_since_s = now_s
        if self.well_since_s is not None and now_s - self.well_since_s >= HEALTHY_S:
            return Judgement.ACCEPT
        return Judgement.REFUSE if now_s - self.began_s >= TRIAL_S else Judgement.WAIT
