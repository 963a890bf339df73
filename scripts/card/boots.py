"""What a card must do in QEMU: come up, answer, keep what was played when the power fails, and take updates back."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import tarfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

from scripts.card.cuts import Cut, cuts, entries_of, new_log, places_in
from scripts.card.guest import RASPI3B, VIRT, Guest, boot_file, copy_of, drop_in, lines_of, put_boot_file, slot_of
from scripts.card.panel import DATA, memory_after, shown, transfers
from scripts.card.pins import in_use, wired
from scripts.card.tools import Fault, Tools
from umpi.appliance.bundle import FORM, MANIFEST, Bundle, Version, opened, read_version, write_bundle
from umpi.appliance.card import COMMAND_LINE, TRIAL
from umpi.appliance.layout import BOOT, SECTOR, SLOT_A, SLOT_B, STATE, new_partitions
from umpi.appliance.slots import Slot, Trial, read_trial
from umpi.appliance.start import STEPS
from umpi.box.signing import SigningKey
from umpi.journal import Journal
from umpi.service.first_light import FRAME, with_bar

SMALL_BYTES = 1 << 30
CARD_BYTES = 2 << 30  # QEMU takes cards of a power of two
PAGE_S = 900.0  # until a page or a display is there: this PC may have other work
PICTURE_S = 900
LINES = 300  # of the match that is cut
LAST_WRITES = 40  # of an update: those that change the slot are among them
PUBLIC = "update.pub"  # beside the image, if it was built with a key
SETTLES_S = 30  # until a picture has been sent whole
FAILED_HERE = {  # units that cannot work in QEMU, and why
    "umpi-network.service": "there is no Wi-Fi",
}
WIFI = b"""network:
  version: 2
  wifis:
    wlan0:
      access-points:
        "The house":
          password: "not 4 you"
"""
USER = b"#cloud-config\nhostname: den\ntimezone: Europe/Paris\n"
PERSON = b"""#cloud-config
hostname: den
users:
  - name: ann
    ssh_authorized_keys:
      - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBLv6z4OJaCbHCvLvLZ1YIuQQbGXBrm0MIGIpDMGSEpM ann
"""
LISTENING = {"53", "8000"}  # TCP ports: names, and the page
UNITS = {"umpi": 1.5, "umpi-network": 1.5, "umpi-mqtt": 1.5, "umpi-shelf@0": 1.5, "umpi-card@0": 5.0}  # most exposure
EXPOSED = (
    f"for unit in {' '.join(UNITS)}; do "
    "systemd-analyze security $unit.service --no-pager | tail -1 | grep -o '[0-9]\\+\\.[0-9]\\+'; done | xargs"
)
CALLED = "journalctl -b -u avahi-daemon -o cat | grep -o 'Host name is [a-z0-9-]*.local' | tail -1"
PROFILE = "/run/NetworkManager/system-connections/card.nmconnection"
LOOKS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("units that failed", "systemctl --failed --plain --no-legend | cut -d' ' -f1",
     lambda text: set(text.split()) <= set(FAILED_HERE)),
    ("bytes of the state partition", "cat /sys/class/block/vda4/size", lambda text: int(text) * 512 > 800 << 20),
    ("bytes of its file system", "df -B1 --output=size /state | tail -1", lambda text: int(text) > 700 << 20),
    ("the journal of matches is in the state", "ls /state/umpi", lambda text: "games.db" in text.split()),
    ("name and zone of the owner", "cat /etc/hostname; readlink /etc/localtime",
     lambda text: text.split() == ["den", "/usr/share/zoneinfo/Europe/Paris"]),
    ("name that phones find", CALLED, lambda text: text == "Host name is den.local"),
    ("Wi-Fi of the owner", f"grep ^psk {PROFILE}", lambda text: text == "psk=not\\s4\\syou"),
    ("SSH", "systemctl is-active ssh", lambda text: text == "inactive"),
    ("users with a password", "grep -vc '^[^:]*:[*!]' /etc/shadow", lambda text: text == "0"),
    ("TCP ports that listen", "ss -Hlnt | awk '{sub(/.*:/, \"\", $4); print $4}' | sort -un | xargs",
     lambda text: set(text.split()) <= LISTENING),
    (f"exposure of {', '.join(UNITS)}, of 10", EXPOSED,
     lambda text: all(one <= most for one, most in zip(map(float, text.split()), UNITS.values(), strict=True))),
    ("memory of the service, bytes", "systemctl show umpi -P MemoryCurrent", lambda text: int(text) < 200 << 20),
    ("umpi-says.txt", "head -1 /boot/firmware/umpi-says.txt", lambda text: text.startswith("All settings")),
    ("start", "systemd-analyze | head -1", bool),
)  # fmt: skip
FLIPPED = (
    "cp /state/umpi.bundle /state/bad.bundle; "
    "printf X | dd of=/state/bad.bundle bs=1 seek=50000000 conv=notrunc 2>/dev/null; "
    "umpi update /state/bad.bundle 2>&1 | grep -v Checking; rm /state/bad.bundle"
)
SETTLED = 'until [ "$(systemctl show umpi-settle -P ExecMainExitTimestampMonotonic)" != 0 ]; do sleep 2; done'
MOUNTED = (
    "mount /dev/vda4 /state && mkdir /state/umpi && chown umpi: /state/umpi && mount -B /state/umpi /var/lib/umpi; sync"
)
CARD_MOUNTED = (
    "mkdir -p /boot/firmware /dev/disk/by-partuuid; mount -o ro /dev/vda1 /boot/firmware; "
    "for n in 1 2 3 4; do ln -s /dev/vda$n /dev/disk/by-partuuid/756d7069-0$n; done; "
    "mount -o remount,size=300M /run; ip link set eth0 up; ip address add 10.0.2.15/24 dev eth0"
)
HANGS = "[Service]\nExecStart=\nExecStart=/bin/sleep infinity\n"
SHELL = "systemd.unit=debug-shell.service"  # nothing else starts
PLAYED = """
import sys
from umpi.journal import Journal
journal = Journal(sys.argv[1])
match = journal.begin({"umpi": 1, "game": "scorepad", "players": ["Ann", "Ben"]})
for number in range(1, 10000):
    journal.append(match, [{"do": "score", "seat": 1, "points": number % 7}], "panel")
    print("SAVED", number, flush=True)
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A row of the table: what was looked at, what was found, and whether that is as wanted."""

    what: str
    figure: str
    passed: bool


@contextmanager
def running(
    tools: Tools,
    card: Path,
    work: Path,
    machine: str = VIRT,
    extra: str = "",
    log: Path | None = None,
    stick: Path | None = None,
) -> Iterator[Guest]:
    """Switch a card on, and off again however it ends."""
    guest = Guest(tools, card, work, machine, extra, log, stick)
    try:
        yield guest
    finally:
        guest.cut_power()


def first_start(tools: Tools, image: Path, work: Path) -> Iterator[Found]:
    """Start a new card with the settings of an owner, and look at it as far as QEMU's board without pins allows."""
    work.mkdir(parents=True, exist_ok=True)
    card = copy_of(image, work / "card.img", CARD_BYTES)
    for name, data in (("user-data", USER), ("network-config", WIFI)):
        (work / name).write_bytes(data)
        put_boot_file(tools, card, work / name, name)
    with running(tools, card, work) as guest:
        page = guest.page(PAGE_S)
        yield Found("the page answers after power-on", f"{guest.age_s:.0f} s", "<html" in page.lower())
        health = json.loads(guest.page(30, "/api/box"))
        yield Found("the box says who it is", str(health.get("version")), bool(health.get("id")))
        for what, command, wanted in LOOKS:
            yield _asked(guest, what, command, wanted)


def without_state(tools: Tools, image: Path, work: Path) -> Iterator[Found]:
    """Start a card without a state, one that is too small, and one whose start hangs: the box says NOT SAVED."""
    work.mkdir(parents=True, exist_ok=True)
    card = copy_of(image, work / "card.img", CARD_BYTES)
    wipe(card, STATE)
    with running(tools, card, work) as guest:
        guest.page(PAGE_S)
        yield Found("without a state, the page answers after", f"{guest.age_s:.0f} s", True)
        said = guest.run("systemctl show umpi -P StatusText", 60)
        yield Found("and the service says", said, "Not saved" in said)
    small = copy_of(image, work / "small.img")
    with small.open("r+b") as file:
        file.truncate(SMALL_BYTES)
    before = sha256_at(small, new_partitions()[SLOT_A - 1].start * SECTOR, SMALL_BYTES)
    with running(tools, small, work) as guest:
        guest.page(PAGE_S)
        said = guest.run("head -1 /boot/firmware/umpi-says.txt; systemctl show umpi -P StatusText", 120)
        yield Found("a card of 1 GiB says", " ".join(said.split()), "too small" in said and "Not saved" in said)
    after = sha256_at(small, new_partitions()[SLOT_A - 1].start * SECTOR, SMALL_BYTES)
    yield Found("behind its boot partition", "nothing was written", before == after)
    hung = copy_of(image, work / "hung.img", CARD_BYTES)
    with running(tools, hung, work, extra=drop_in("umpi-start.service", HANGS)) as guest:
        guest.page(PAGE_S)
        yield Found("if the reading of the settings hangs, the page answers after", f"{guest.age_s:.0f} s", True)
        said = guest.run("systemctl show umpi -P StatusText; systemctl show umpi-start -P Result", 60)
        yield Found("and the service says", " / ".join(said.splitlines()), "Not saved" in said and "timeout" in said)


def wipe(card: Path, partition: int) -> None:
    """Write zeros over the beginning of a partition."""
    with card.open("r+b") as file:
        file.seek(new_partitions()[partition - 1].start * SECTOR)
        file.write(bytes(8 << 20))


def power_cuts(tools: Tools, image: Path, work: Path, times: int, random: Random) -> Iterator[Found]:
    """Write a match, cut the power after some line, and start again: each line that was shown as saved is there."""
    work.mkdir(parents=True, exist_ok=True)
    card = copy_of(image, work / "card.img", CARD_BYTES)
    shown: dict[int, int] = {}
    for number in range(times + 1):
        with running(tools, card, work) as guest:
            guest.page(PAGE_S)
            for match, lines in shown.items():
                text = guest.run(f"runuser -u umpi -- umpi history {match} --record | wc -l", 120)
                found = int(re.findall(r"\d+", text)[-1]) - 1
                yield Found(f"start {number}: match {match}", f"{lines} shown, {found} kept", found >= lines)
            if number == times:
                said = guest.run("journalctl -b -o cat | grep -E 'umpi-state: (clean|recover)' | tail -1", 60)
                yield Found("the file system of the state", said, "clean" in said)
                return
            shown[number + 1] = _play_and_cut(guest, random)


def _play(guest: Guest) -> int:
    """Begin to write lines into the journal in place of the service. Return from where the shell tells of them."""
    guest.run(f"cat >/run/play.py <<'EOF'\n{PLAYED}\nEOF", 120)
    before = len(guest.got)
    guest.send("runuser -u umpi -- /opt/umpi/venv/bin/python /run/play.py /var/lib/umpi/games.db\n")
    return before


def _played(guest: Guest) -> Iterator[int]:
    """Write lines into the journal, and yield the number of the newest one that is shown as saved, as it grows."""
    before, newest = _play(guest), 0

    def shown_after(line: int) -> bool:
        return f"SAVED {line + 1}\r".encode() in guest.got[before:]

    while True:
        guest.wait(partial(shown_after, newest), PAGE_S, 0.01)
        newest = int(re.findall(rb"SAVED (\d+)\r", guest.got[before:])[-1])
        yield newest


def _play_and_cut(guest: Guest, random: Random) -> int:
    """Write lines into the journal, and cut the power after some. Return their number."""
    guest.run("systemctl stop umpi", 60)
    stop, before = random.randrange(20, 150), _play(guest)
    guest.wait(lambda: guest.got[before:].count(b"SAVED") >= stop, 120)
    guest.cut_power()
    text = guest.got[before:].decode(errors="replace")
    return int(re.findall(r"SAVED (\d+)\r?\n", text)[-1])


def lost_in_play(tools: Tools, image: Path, work: Path, times: int, random: Random) -> Iterator[Found]:
    """Write a match, and cut the power at many places of that run: what was not flushed is lost in part.

    Each time the state is repaired as at a start, and each line that was shown as saved before the cut is there. Only a
    shell is started, with the state where the box has it, so that all writes of that run are those of the match.
    """
    work.mkdir(parents=True, exist_ok=True)
    before = copy_of(image, work / "before.img", CARD_BYTES)
    card, log = copy_of(before, work / "card.img"), new_log(work / "writes.log")
    shown: list[tuple[int, int]] = []  # the length of the log when a line was seen, and the number of the line
    with running(tools, card, work, extra=SHELL, log=log) as guest:
        guest.run(MOUNTED, PAGE_S)
        began = log.stat().st_size
        for line in _played(guest):
            shown.append((log.stat().st_size, line))
            if line >= LINES:
                break
    places = places_in([entry for entry in entries_of(log) if entry.end > began], times, random)
    kept_all, worst, waited = 0, "", 0
    for cut in cuts(before, log, places, work, random):
        lines = max((line for place, line in shown if place <= cut.end), default=0)
        found = _kept_lines(tools, cut.card, work / "state")
        waited += cut.lost > 0
        if found >= lines:
            kept_all += 1
        else:
            worst = worst or f"; cut {cut.number}: {lines} shown, {found} kept"
    what = f"{len(places)} power cuts in play, {waited} of them with lost writes: all lines that were shown are kept in"
    yield Found(what, f"{kept_all}{worst}", kept_all == len(places))
    yield Found("lines that were shown before the last cut", str(shown[-1][1]), len(shown) > LINES // 2)


def lost_in_updates(tools: Tools, image: Path, work: Path, times: int, random: Random) -> Iterator[Found]:
    """Update a card, and cut the power at many places of that run: the slot that starts next is whole.

    Half of the cuts are among the last writes, where the card changes its slot. Only a shell is started, and `umpi
    update` in it.
    """
    bundle = bundle_of(image)
    work.mkdir(parents=True, exist_ok=True)
    before = copy_of(image, work / "before.img", CARD_BYTES)
    card, log = copy_of(before, work / "card.img"), new_log(work / "writes.log")
    with serving(bundle) as port, running(tools, card, work, extra=SHELL, log=log) as guest:
        guest.run(MOUNTED, PAGE_S)
        guest.run(CARD_MOUNTED, PAGE_S)
        guest.run(f"busybox wget -q http://10.0.2.2:{port}/{bundle.name} -O /run/umpi.bundle; ls /run; sync", PAGE_S)
        began = log.stat().st_size
        guest.send("umpi update /run/umpi.bundle\n")
        yield Found("the box restarts after the update", f"{guest.age_s:.0f} s", guest.ended(900))
    during = [entry for entry in entries_of(log) if entry.end > began]
    late = times // 2
    places = sorted([*places_in(during, times - late, random), *places_in(during[-LAST_WRITES:], late, random)])
    whole, broken, starts, waited = 0, "", dict.fromkeys(Slot, 0), 0
    with opened(bundle, (image.parent / PUBLIC).read_text().strip()) as read:
        for cut in cuts(before, log, places, work, random):
            slot, why = _why_no_start(tools, cut, work, read)
            starts[slot] += 1
            waited += cut.lost > 0
            whole += not why
            broken = broken or (f"; cut {cut.number}: {why}" if why else "")
    what = f"{len(places)} power cuts in an update, {waited} of them with lost writes: the next slot is whole in"
    yield Found(what, f"{whole}{broken}", whole == len(places))
    yield Found(
        "the next start is that of", ", ".join(f"{slot}: {n}" for slot, n in starts.items()), all(starts.values())
    )


def _why_no_start(tools: Tools, cut: Cut, work: Path, bundle: Bundle) -> tuple[Slot, str]:
    """Return which slot a card starts next, and why that would fail, or nothing: its parts are those of the bundle."""
    slot = slot_of(tools, cut.card, work)
    boot_file(tools, cut.card, TRIAL, work / TRIAL)
    trial, tried = read_trial((work / TRIAL).read_bytes())
    if slot is Slot.B and (trial, tried) != (Trial.NEW, Slot.B):
        return slot, f"slot b starts without a trial: {trial} {tried}"
    part, *files = bundle.manifest.parts
    number = SLOT_A if slot is Slot.A else SLOT_B
    if sha256_at(cut.card, new_partitions()[number - 1].start * SECTOR, part.size) != part.sha256:
        return slot, f"the root of slot {slot} is not whole"
    for each in files:
        name = Path(each.name).name
        boot_file(tools, cut.card, f"{slot}/{name}", work / name)
        if hashlib.sha256((work / name).read_bytes()).hexdigest() != each.sha256:
            return slot, f"{slot}/{name} is not whole"
    boot_file(tools, cut.card, f"{slot}/{COMMAND_LINE}", work / COMMAND_LINE)
    line = (work / COMMAND_LINE).read_text()
    return slot, "" if f"umpi.slot={slot}" in line else f"{slot}/{COMMAND_LINE}: {line[:60]!r}"


def sha256_at(card: Path, at: int, size: int) -> str:
    """Return the checksum of a part of a card, or of what there is of it."""
    found = hashlib.sha256()
    with card.open("rb") as file:
        file.seek(at)
        while size and (block := file.read(min(size, 1 << 20))):
            found.update(block)
            size -= len(block)
    return found.hexdigest()


def _kept_lines(tools: Tools, card: Path, folder: Path) -> int:
    """Repair the state of a card as its start does, and return the lines of its newest match. Raises Fault."""
    place = f"{card}?offset={new_partitions()[STATE - 1].start * SECTOR}"
    with suppress(Fault):  # its status is 1 if it has repaired something
        tools.run("sbin/e2fsck", "-p", place)
    tools.run("sbin/e2fsck", "-f", "-n", place)  # nothing is left to repair
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    tools.run("sbin/debugfs", "-R", f"rdump /umpi {folder}", place)
    journal = Journal(folder / "umpi" / "games.db")
    try:
        matches = journal.matches()
        return len(journal.lines(matches[-1].uid)) if matches else 0
    finally:
        journal.close()


def raspi3b(tools: Tools, image: Path, work: Path) -> Iterator[Found]:
    """Start a card on QEMU's Pi 3, and read from the I²C bus what the panel would show.

    The inputs of that board are always low, so the service finds every button stuck: it has taken the pins of the real
    driver, and draws over the real driver of the bus.
    """
    work.mkdir(parents=True, exist_ok=True)
    card = copy_of(image, work / "card.img", CARD_BYTES)
    with running(tools, card, work, RASPI3B) as guest:

        def memory() -> bytes:
            return memory_after(transfers(lines_of(guest.bus)))

        guest.wait(lambda: memory() == FRAME, PICTURE_S, 2)
        yield Found("the first light is on the bus, pixel by pixel, after", f"{guest.age_s:.0f} s", True)
        bars = bars_in(transfers(lines_of(guest.bus)))
        yield Found("the bar of the start was on the bus before", f"{bars} of {STEPS}", bars == [*range(1, STEPS + 1)])
        guest.wait(lambda: memory() != FRAME, PICTURE_S, 2)
        guest.ended(SETTLES_S)
        picture = shown(transfers(lines_of(guest.bus)))
        picture.resize((512, 256)).save(image.with_name("panel.png"))
        lit = sum(bin(each).count("1") for each in picture.tobytes())
        pins, table = in_use(guest.run("gpioinfo", PAGE_S)), wired()
        differ = sorted(pin for pin in {*pins, *table} if pins.get(pin) != table.get(pin))
        yield Found("pins in gpioinfo as hardware/README.md has them", f"{len(pins)}; differ: {differ}", not differ)
        yield Found(f"pixels that are lit in {image.with_name('panel.png')}", f"{lit}, {guest.age_s:.0f} s", lit > 200)


def bars_in(sent: Iterable[bytes]) -> list[int]:
    """Return which pictures of the bar of the start were sent, each by how far it was."""
    data = b"".join(transfer[1:] for transfer in sent if transfer[0] == DATA)
    return [done for done in range(1, STEPS + 1) if with_bar(done, STEPS) in data]


def updates(tools: Tools, image: Path, work: Path) -> Iterator[Found]:
    """Update a card with the bundle beside its image: a damaged one, one whose slot is then broken, and a good one."""
    bundle = bundle_of(image)
    work.mkdir(parents=True, exist_ok=True)
    card = copy_of(image, work / "card.img", CARD_BYTES)
    (work / "user-data").write_bytes(PERSON)
    put_boot_file(tools, card, work / "user-data", "user-data")
    with serving(bundle) as port, running(tools, card, work) as guest:
        guest.page(PAGE_S)
        ssh = "systemctl is-active ssh; ls /home/ann/.ssh | grep -c auth; head -1 /boot/firmware/umpi-says.txt"
        yield _asked(
            guest, "SSH with the key of an owner", ssh, lambda text: text.split()[:3] == ["active", "1", "All"]
        )
        guest.run(f"busybox wget -q http://10.0.2.2:{port}/{bundle.name} -O /state/umpi.bundle", 300)
        shutil.copy(image.with_name("card.json"), work)
        with serving(work / "refused.bundle") as refused:
            yield from _refused(guest, card, refused, work)
        yield _asked(guest, "a bundle with one flipped byte", FLIPPED, lambda text: "is damaged" in text, 900)
        guest.send("umpi update /state/umpi.bundle\n")
        ended = guest.ended(900)
        yield Found("the box restarts after the update", f"{guest.age_s:.0f} s", ended)
    yield Found("the next start is that of slot", slot_of(tools, card, work), slot_of(tools, card, work) is Slot.B)
    good = copy_of(card, work / "good.img")
    wipe(card, SLOT_B)
    with running(tools, card, work) as guest:
        ended = guest.ended(300)
        yield Found("with a broken root, slot B restarts after", f"{guest.age_s:.0f} s", ended)
    with running(tools, card, work) as guest:
        guest.page(PAGE_S)
        said = guest.run(f"{SETTLED}; head -1 /boot/firmware/umpi-says.txt; cat /boot/firmware/trial.txt", 400)
        yield Found(
            f"then slot {guest.slot} says",
            " / ".join(said.splitlines()),
            "did not start" in said and said.endswith("none"),
        )
    with running(tools, good, work) as guest:
        guest.page(PAGE_S)
        said = guest.run(f"{SETTLED}; head -1 /boot/firmware/umpi-says.txt; cat /boot/firmware/trial.txt", 600)
        yield Found(
            f"the good slot {guest.slot} says",
            " / ".join(said.splitlines()),
            "is in use" in said and said.endswith("none"),
        )


def _refused(guest: Guest, card: Path, port: int, folder: Path) -> Iterator[Found]:
    """Try bundles that no card may take, and look whether the boot partition and slot B stay as they are."""
    key, own = SigningKey.of("1" * 64), read_version(json.loads((folder / "card.json").read_text()))
    older = replace(own, journal_schema=own.journal_schema - 1)
    bundles = {
        "of another key": (own, "not signed by the makers of this card"),
        "of another product": (replace(own, product="toaster"), "is one of toaster, not of Umpi"),
        "older than the saved matches": (older, "too old for the saved matches"),
    }
    before = _written(card)
    guest.run("cp /usr/share/umpi/update.pub /run/own.pub")
    for what, (version, sentence) in bundles.items():
        root = folder / "root"
        root.write_bytes(bytes(1 << 20))
        write_bundle(folder / "refused.bundle", version, root, {"vmlinuz": root}, key)
        yield _asked(guest, f"a bundle {what}", _taken(port), partial(_says, sentence))
        guest.run(f"echo {key.public} >/usr/share/umpi/update.pub")  # the next ones have a signature that counts
    guest.run("cp /run/own.pub /usr/share/umpi/update.pub")
    _without_signature(folder / "refused.bundle", own)
    yield _asked(guest, "a bundle without a signature", _taken(port), partial(_says, "not signed"))
    yield Found("after these, boot partition and slot B", "as before", _written(card) == before)


def _says(sentence: str, text: str) -> bool:
    return sentence in text


def _taken(port: int) -> str:
    return (
        f"busybox wget -q http://10.0.2.2:{port}/refused.bundle -O /run/refused.bundle; umpi update /run/refused.bundle"
    )


def _written(card: Path) -> list[str]:
    """Return the checksums of the partitions that only an update writes."""
    parts = [new_partitions()[number - 1] for number in (BOOT, SLOT_B)]
    return [sha256_at(card, part.start * SECTOR, part.sectors * SECTOR) for part in parts]


def _without_signature(file: Path, version: Version) -> None:
    text = json.dumps({"umpi_update": FORM, **version.as_json(), "parts": []}).encode()
    with tarfile.open(file, "w") as tar:
        info = tarfile.TarInfo(MANIFEST)
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text))


def bundle_of(image: Path) -> Path:
    """Return the newest bundle beside an image. Raises Fault."""
    bundles = sorted(image.parent.glob("*.bundle"), key=lambda each: each.stat().st_mtime)
    if not bundles:
        raise Fault(f"there is no bundle in {image.parent}: ./scripts/dev card bundle {image.parent} --key FILE")
    return bundles[-1]


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(file: Path) -> Iterator[int]:
    """Serve the folder of a file to this machine and its guests, and give the port."""
    handler = partial(Quiet, directory=str(file.parent))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()


def _asked(guest: Guest, what: str, command: str, wanted: Callable[[str], bool], limit_s: float = 120) -> Found:
    text = guest.run(command, limit_s)
    try:
        return Found(what, " ".join(text.split())[:120], wanted(text.strip()))
    except (ValueError, IndexError):
        return Found(what, text[:120], False)
