"""A card in QEMU: its own kernel starts from its own partitions, and its root shell answers over a serial port."""

from __future__ import annotations

import re
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from scripts.card.tools import Fault, Tools
from umpi.appliance.layout import MIB, SECTOR, START_MIB
from umpi.appliance.slots import Slot, read_slot

VIRT, RASPI3B = "virt", "raspi3b"
MACHINES = (VIRT, RASPI3B)
SHELL_S = 15  # what is sent before the shell has started is lost, so it is sent again after this time
PORT = 8000
WATCHED = "systemd.debug_shell={port} systemd.mask=serial-getty@{port}.service systemd.show_status=false"
PATIENT = "systemd.default_device_timeout_sec=300"  # an emulated Pi on a shared processor is slow
NO_WATCHDOG = "systemd.watchdog_sec=0"  # QEMU resets a Pi 3 at once when its watchdog is started
TREE = "bcm2837-rpi-3-b.dtb"
UART = "/soc/serial@7e201000"


def drop_in(unit: str, settings: str) -> str:
    """Return words for the kernel that give a unit settings of its own: systemd takes these from its credentials."""
    return f"systemd.set_credential_binary=systemd.unit-dropin.{unit}:{b64encode(settings.encode()).decode()}"


def boot_file(tools: Tools, card: Path, name: str, to: Path) -> None:
    """Copy a file from the boot partition of a card."""
    tools.run("bin/mtools", "-n", "-o", "-i", f"{card}@@{START_MIB * MIB}", f"::{name}", to, name="mcopy")


def put_boot_file(tools: Tools, card: Path, file: Path, name: str) -> None:
    """Copy a file to the boot partition of a card."""
    tools.run("bin/mtools", "-o", "-i", f"{card}@@{START_MIB * MIB}", file, f"::{name}", name="mcopy")


def slot_of(tools: Tools, card: Path, work: Path) -> Slot:
    """Return the slot that the firmware would start."""
    boot_file(tools, card, "slot.txt", work / "slot.txt")
    return read_slot((work / "slot.txt").read_bytes())


class Guest:
    """A card that runs. It does what the Pi's firmware does: it reads slot.txt, and starts the kernel of that slot.

    `machine` is one of MACHINES. On raspi3b, whatever the box sends to its display is written to `bus`. With a `log`, a
    virt notes its writes and flushes there (`scripts.card.cuts`), and those that are not flushed may wait. A `stick` is
    the image of a USB stick that is plugged in.
    """

    def __init__(
        self,
        tools: Tools,
        card: Path,
        work: Path,
        machine: str = VIRT,
        extra: str = "",
        log: Path | None = None,
        stick: Path | None = None,
    ) -> None:
        self._began, self.work, self.got = time.monotonic(), work, b""
        work.mkdir(parents=True, exist_ok=True)
        self.slot = slot_of(tools, card, work)
        for name in ("vmlinuz", "initrd.img", "cmdline.txt", TREE):
            boot_file(tools, card, f"{self.slot}/{name}", work / name)
        self.port, self._greeted = _free_port(), False
        self._near = work / "shell"
        self._near.unlink(missing_ok=True)
        line = (work / "cmdline.txt").read_text().strip().replace("console=tty0 console=ttyS1,115200 quiet", "")
        self.bus = work / "i2c.log"
        match machine:
            case "virt":
                words, line = self._virt(card, line, log)
            case _:
                words, line = self._raspi3b(tools, card, line)
        if stick:
            words += ["-drive", f"file={stick},if=none,id=stick,format=raw,cache=writethrough"]
            words += ["-device", "qemu-xhci", "-device", "usb-storage,drive=stick,removable=on"]
        words += ["-kernel", f"{work}/vmlinuz", "-initrd", f"{work}/initrd.img", "-append", f"{line} {PATIENT} {extra}"]
        qemu = [*tools.line("bin/qemu-system-aarch64"), "-L", f"{tools.folder}/usr/share/qemu"]
        with (work / "qemu.log").open("ab") as said:
            self.process = subprocess.Popen([*qemu, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        self._shell = self._connected()
        threading.Thread(target=self._drain, daemon=True).start()

    @property
    def age_s(self) -> float:
        """Seconds since the power came on."""
        return time.monotonic() - self._began

    def run(self, command: str, limit_s: float = 120) -> str:
        """Run a command in the root shell and return what it printed. Raises Fault if it does not answer in time."""
        end = time.monotonic() + limit_s
        while not self._greeted:
            mark, at = self._mark(), len(self.got)
            self.send(f"\nstty -echo cols 400; echo EN''D{mark}\n")
            self._greeted = self._heard(mark, at, min(end, time.monotonic() + SHELL_S))
            if not self._greeted and time.monotonic() >= end:
                raise Fault(f"the guest has no shell after {self.age_s:.0f} s\n{self.last_words()}")
        mark, at = self._mark(), len(self.got)
        self.send(f"{command}\necho EN''D{mark}\n")
        if not self._heard(mark, at, end):
            raise Fault(f"the guest did not answer: {command}\n{self.last_words()}")
        return _printed(self.got[at:], command, mark)

    def _mark(self) -> str:
        return f"{Random().randrange(10**9):09d}"

    def _heard(self, mark: str, at: int, end_s: float) -> bool:
        """Wait for a mark in what the shell prints, and return whether it came in time. Raises Fault if QEMU ended."""
        while f"END{mark}".encode() not in self.got[at:]:
            if self.process.poll() is not None:
                raise Fault(f"the guest has ended\n{self.last_words()}")
            if time.monotonic() >= end_s:
                return False
            time.sleep(0.2)
        return True

    def send(self, text: str) -> None:
        """Type something into the root shell."""
        self._shell.sendall(text.encode())

    def wait(self, true: Callable[[], bool], limit_s: float, poll_s: float = 0.05) -> None:
        """Wait until something is true, and ask for it each `poll_s`. Raises Fault."""
        end = time.monotonic() + limit_s
        while not true():
            if time.monotonic() > end or self.process.poll() is not None:
                raise Fault(f"waited in vain\n{self.last_words()}")
            time.sleep(poll_s)

    def page(self, limit_s: float, path: str = "/") -> str:
        """Wait for a page of the box and return it. Raises Fault if it does not answer in time."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                    return str(answer.read().decode())
            except OSError:
                time.sleep(0.5)
        raise Fault(f"no page after {self.age_s:.0f} s\n{self.last_words()}")

    def last_words(self) -> str:
        """Return the end of what the kernel and the shell have printed."""
        console = self.work / "console"
        text = (console.read_bytes() if console.exists() else b"")[-1500:] + self.got[-500:]
        return text.decode(errors="replace")

    def cut_power(self) -> None:
        """End it at once, as when somebody pulls the plug."""
        self.process.kill()
        self.process.wait()

    def ended(self, limit_s: float) -> bool:
        """Wait until it has switched itself off or restarts, and return whether it did so in time."""
        try:
            self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _virt(self, card: Path, line: str, log: Path | None) -> tuple[list[str], str]:
        drive = ["-drive", f"file={card},if=none,id=card,format=raw,cache=writethrough"]
        if log:
            files = f"file.driver=file,file.filename={card},log.driver=file,log.filename={log}"
            drive = ["-blockdev", f"driver=blklogwrites,node-name=card,{files},log-sector-size={SECTOR}"]
        return [
            "-M", "virt", "-cpu", "cortex-a53", "-smp", "2", "-m", "512", "-accel", "tcg,thread=multi",
            "-display", "none", "-nodefaults", "-no-reboot",
            *drive, "-device", "virtio-blk-pci,drive=card,romfile=",
            "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.port}-:{PORT}",
            "-device", "virtio-net-pci,netdev=net,romfile=", "-device", "virtio-rng-pci,romfile=",
            "-chardev", f"socket,id=shell,path={self._near},server=on,wait=off",
            "-device", "virtio-serial-pci,romfile=", "-device", "virtconsole,chardev=shell",
            "-serial", f"file:{self.work}/console",
        ], f"{line} console=ttyAMA0 {WATCHED.format(port='hvc0')}"  # fmt: skip

    def _raspi3b(self, tools: Tools, card: Path, line: str) -> tuple[list[str], str]:
        """Return the words for a Pi 3. Something at 0x3C takes every byte; the port of Bluetooth is for our shell."""
        tree = self.work / TREE
        tools.run("bin/fdtput", "-r", tree, f"{UART}/bluetooth")
        return [
            "-M", "raspi3b", "-display", "none", "-nodefaults", "-no-reboot", "-dtb", str(tree),
            "-drive", f"file={card},if=sd,format=raw,cache=writethrough",
            "-chardev", f"socket,id=shell,path={self._near},server=on,wait=off,logfile={self.work}/console",
            "-serial", "chardev:shell", "-device", "at24c-eeprom,bus=i2c-bus.1,address=0x3c,rom-size=65536",
            "-trace", "enable=i2c_send", "-trace", "enable=i2c_event", "-D", str(self.bus),
        ], f"{line} console=ttyAMA0,115200 loglevel=4 {NO_WATCHDOG} {WATCHED.format(port='ttyAMA0')}"  # fmt: skip

    def _connected(self) -> socket.socket:
        while self.process.poll() is None:
            near = socket.socket(socket.AF_UNIX)
            try:
                near.connect(str(self._near))
                return near
            except OSError:
                near.close()
                time.sleep(0.1)
        raise Fault(f"QEMU ended with status {self.process.returncode}: {(self.work / 'qemu.log').read_text()[-500:]}")

    def _drain(self) -> None:
        """Read always: a serial port that nobody reads stops the whole guest after some 280 bytes."""
        while True:
            try:
                data = self._shell.recv(1 << 16)
            except OSError:
                return
            if not data:
                return
            self.got += data


def _printed(got: bytes, command: str, mark: str) -> str:
    """Return what a command printed, without what the terminal repeats of it before it is told not to."""
    text = re.sub(r"\x1b[\[\]][0-9;?!]*[a-zA-Z]?", "", got.decode(errors="replace").replace("\r", ""))
    own = ("root@", "EN''D", f"END{mark}", "stty -echo", *command.split("\n"))
    return "\n".join(line for line in text.split("\n") if not any(each in line for each in own)).strip()


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def copy_of(card: Path, to: Path, size: int = 0) -> Path:
    """Copy a card, its holes as holes, and make the copy as large as a larger card."""
    subprocess.run(["cp", "--sparse=always", str(card), str(to)], check=True)
    if size:
        with to.open("r+b") as file:
            file.truncate(size)
    return to


def lines_of(bus: Path) -> Sequence[str]:
    """Return the lines of QEMU's trace of the bus."""
    return bus.read_text(errors="replace").splitlines() if bus.exists() else ()
