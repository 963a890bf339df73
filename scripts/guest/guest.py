"""Build the guest, and run commands in it."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from threading import Timer

from scripts import REPO

HERE = Path(__file__).parent
# tsc: other clocks have steps of 4 ms here; no_timer_check: a busy machine emulates the timer too late for that check
KERNEL_LINE = (
    "console=ttyS0 quiet panic=-1 reboot=t mitigations=off random.trust_cpu=on"
    " tsc=reliable clocksource=tsc no_timer_check"
)
DISK_MB = 64
LOCK = Path(gettempdir(), "umpi-guest.lock")
CANNOT = 77  # the exit status of `build` if the guest cannot run here


class NoGuest(Exception):
    """The guest cannot run on this machine; the message says why."""


class GuestFault(Exception):
    """A guest did not complete its command; the message says why."""


class Killed(GuestFault):
    """`kill` has killed the guest."""


def guarded(program: str, action: Callable[[], int]) -> int:
    """Return the exit status of `action`, which needs guests. On a fault print the reason and return CANNOT or 1."""
    try:
        return action()
    except NoGuest as fault:
        print(f"{program}: skipped: {fault}", file=sys.stderr)
        return CANNOT
    except GuestFault as fault:
        print(f"{program}: the guest: {fault}", file=sys.stderr)
        return 1


def default_work() -> Path:
    """Return the folder where guests are built by default."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "umpi" / "hil"


class Guest:
    """A guest built in the folder `work`; `say` is called with each line that the guest or its build prints.

    The guest sees this machine's files. What it writes is lost when it ends, except in /out, which is `out` here.
    `python` is the interpreter of a venv with this Umpi. Only one guest runs at a time; others wait for it.
    """

    def __init__(self, work: Path | None = None, say: Callable[[str], object] = print) -> None:
        self.work = (work or default_work()).absolute()
        self.out, self.python = self.work / "out", self.work / "venv/bin/python"
        self._say = say
        self._machine: subprocess.Popen[str] | None = None
        self._killed = False

    def build(self, limit_s: int = 900) -> None:
        """Build the guest, or the parts that have changed. Raises NoGuest, GuestFault."""
        if os.geteuid() != 0:
            raise NoGuest("root is needed, to install Debian packages and to read all files of this machine")
        lines = []
        with self._alone(), self._process([str(HERE / "build"), str(self.work)], limit_s, "to be built") as process:
            assert process.stdout
            for line in process.stdout:
                lines.append(line.rstrip())
                self._say(lines[-1])
        if process.returncode == CANNOT:
            raise NoGuest(lines[-1].removeprefix("guest: "))
        if process.returncode:
            raise GuestFault(f"building it failed with status {process.returncode}")
        if self.out.exists():
            shutil.rmtree(self.out)
        self.out.mkdir()

    def run(self, command: str, *, exact: bool = False, disk: Path | None = None, limit_s: int = 600) -> bool:
        """Boot, run a shell command as root, and shut down; return whether its exit status was 0.

        By default two processors are emulated: edges come out of order, and their speed varies. With `exact` there is
        one, at two nanoseconds per instruction however busy this machine is: times are exact, and sleeping takes none.
        `disk` is the file of an ext4 file system at /disk, which is kept; it is created if needed. Raises GuestFault
        if the guest needs more than `limit_s` of this machine's time, or is killed.
        """
        (self.out / "command").write_text(f"export PYTHONPATH={REPO}\n{command}\n")
        (self.out / "start").write_text((HERE / "start").read_text())
        (self.out / "status").unlink(missing_ok=True)
        self._killed = False
        with self._alone(), self._process(self._line(exact, disk), limit_s, "to come to its end") as machine:
            self._machine = machine
            assert machine.stdout
            for line in machine.stdout:
                self._say(line.rstrip())
        self._machine = None
        if self._killed:
            raise Killed("its power was cut")
        try:
            return (self.out / "status").read_text().strip() == "0"
        except OSError:
            raise GuestFault("it ended before its command") from None

    def kill(self) -> None:
        """Cut the power of the running guest. Call this from `say` or from another thread."""
        if machine := self._machine:
            self._killed = True
            machine.send_signal(signal.SIGKILL)

    def _line(self, exact: bool, disk: Path | None) -> list[str]:
        kernel = (self.work / "kernel").read_text().strip()
        line = ["qemu-system-x86_64", "-M", "q35", "-cpu", "max", "-m", "1024"]
        # Without KVM on purpose: even if /dev/kvm opens, a guest may not start
        line += ["-accel", "tcg", "-smp", "1" if exact else "2", *(["-icount", "shift=1,sleep=off"] if exact else [])]
        line += ["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "stdio"]
        line += ["-kernel", str(self.work / f"root/boot/vmlinuz-{kernel}"), "-initrd", str(self.work / "boot.gz")]
        line += ["-append", KERNEL_LINE]
        for name, path, more in (("host", "/", ",readonly=on"), ("out", str(self.out), "")):
            line += ["-fsdev", f"local,id={name},path={path},security_model=none,multidevs=remap{more}"]
            line += ["-device", f"virtio-9p-pci,fsdev={name},mount_tag={name}"]
        line += ["-drive", f"file={self.work / 'files.img'},format=raw,if=virtio,readonly=on"]
        if disk:
            if not disk.exists():
                disk.write_bytes(b"")
                os.truncate(disk, DISK_MB << 20)
                subprocess.run(["/sbin/mkfs.ext4", "-q", "-F", str(disk)], check=True)
            line += ["-drive", f"file={disk},format=raw,if=virtio"]
        return line

    @contextmanager
    def _process(self, line: list[str], limit_s: int, what: str) -> Iterator[subprocess.Popen[str]]:
        """Run a program to its end. Kills it and raises GuestFault if it takes longer than `limit_s`."""
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *line],  # no guest runs on if this process is killed
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
        late = False

        def stop() -> None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        def expire() -> None:
            nonlocal late
            late = True
            stop()

        timer = Timer(limit_s, expire)
        timer.start()
        try:
            yield process
            process.wait()
        except BaseException:
            stop()
            raise
        finally:
            timer.cancel()
        if late:
            raise GuestFault(f"it took more than {limit_s} s {what}")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait until no other guest runs or is built on this machine: two at once would exceed the time limits."""
        with open(LOCK, "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                began_s = time.monotonic()
                self._say("another guest is up; waiting for it")
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._say(f"waited {time.monotonic() - began_s:.0f} s for it")
            yield
