"""A command to what it leaves behind when it has run in the guest."""

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

HERE = Path(__file__).parent
REPO = HERE.parent.parent
# tsc, as other clocks step by 4 ms here; no_timer_check, as a busy machine emulates the timer too late for that check
KERNEL_LINE = (
    "console=ttyS0 quiet panic=-1 reboot=t mitigations=off random.trust_cpu=on"
    " tsc=reliable clocksource=tsc no_timer_check"
)
DISK_MB = 64
LOCK = Path(gettempdir(), "umpi-guest.lock")
CANNOT = 77  # the exit status of `build` where no guest can be had here


class NoGuest(Exception):
    """Why no guest can be had on this machine."""


class GuestFault(Exception):
    """Why a guest did not come to the end of its command."""


class Killed(GuestFault):
    """The guest was killed, by `kill`."""


def guarded(program: str, doing: Callable[[], int]) -> int:
    """Do what needs guests; returns its exit status, or CANNOT or 1, saying why, where there is none."""
    try:
        return doing()
    except NoGuest as fault:
        print(f"{program}: skipped: {fault}", file=sys.stderr)
        return CANNOT
    except GuestFault as fault:
        print(f"{program}: the guest: {fault}", file=sys.stderr)
        return 1


def default_work() -> Path:
    """Tell where guests are built unless another place is named."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "umpi" / "hil"


class Guest:
    """A guest built in the folder `work`; `say` is told each line it prints, and what is built.

    It sees this machine's files as they are, but what it writes is gone when it ends, except in /out, which is `out`
    here. A venv with this Umpi lies at `python`. Only one guest runs at a time: others wait for it.
    """

    def __init__(self, work: Path | None = None, say: Callable[[str], object] = print) -> None:
        self.work = (work or default_work()).absolute()
        self.out, self.python = self.work / "out", self.work / "venv/bin/python"
        self._say = say
        self._machine: subprocess.Popen[str] | None = None
        self._killed = False

    def build(self, limit_s: int = 900) -> None:
        """Build all that it starts from, or what of that has changed. Raises NoGuest, saying why, and GuestFault."""
        if os.geteuid() != 0:
            raise NoGuest("root is needed, to install Debian packages and to read all files of this machine")
        told = []
        with self._alone(), self._process([str(HERE / "build"), str(self.work)], limit_s, "to be built") as process:
            assert process.stdout
            for line in process.stdout:
                told.append(line.rstrip())
                self._say(told[-1])
        if process.returncode == CANNOT:
            raise NoGuest(told[-1].removeprefix("guest: "))
        if process.returncode:
            raise GuestFault(f"building it failed with status {process.returncode}")
        if self.out.exists():
            shutil.rmtree(self.out)
        self.out.mkdir()

    def run(self, command: str, *, exact: bool = False, disk: Path | None = None, limit_s: int = 600) -> bool:
        """Boot, run a shell command as root, and shut down; True where it ended with status 0, False where not.

        Two processors are emulated, which put edges out of order and know no even pace. With `exact` it is one, of two
        nanoseconds an instruction whatever else this machine does: times in it are true, and to sleep takes none.
        `disk` is an ext4 file system at /disk that lives on, made where there is none. Raises GuestFault where the
        guest does not come to an end in `limit_s` of this machine's time, or is killed.
        """
        (self.out / "command").write_text(f"export PYTHONPATH={REPO / 'scripts'}\n{command}\n")
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
            raise Killed("it was killed")
        try:
            return (self.out / "status").read_text().strip() == "0"
        except OSError:
            raise GuestFault("it ended before its command did") from None

    def kill(self) -> None:
        """Cut the power of the guest that runs: from within `say`, or from another thread."""
        if machine := self._machine:
            self._killed = True
            machine.send_signal(signal.SIGKILL)

    def _line(self, exact: bool, disk: Path | None) -> list[str]:
        kernel = (self.work / "kernel").read_text().strip()
        line = ["qemu-system-x86_64", "-M", "q35", "-cpu", "max", "-m", "1024"]
        # Emulated on purpose: a /dev/kvm that opens does not mean that a guest starts
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
        """Run a program to its end; it is killed, and GuestFault raised, where that takes longer than the limit."""
        process = subprocess.Popen(
            line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
        late = []

        def stop() -> None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        timer = Timer(limit_s, lambda: (late.append(True), stop()))
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
        """Wait until no other guest runs on this machine, or is being built: two would be slow beyond all limits."""
        with open(LOCK, "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                began_s = time.monotonic()
                self._say("another guest is up; waiting for it")
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._say(f"waited {time.monotonic() - began_s:.0f} s for it")
            yield
