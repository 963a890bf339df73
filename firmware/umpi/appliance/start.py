"""The start of a card: its state, what the owner wrote onto the boot partition, and the trial of a slot.

/etc and /var are in memory and new at each start. So the settings of the boot partition are applied at each start, too.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from umpi.appliance.bundle import BadBundle
from umpi.appliance.card import SAYS, SHARE, Card, CardFault, restart, say, sentences, this_version, writable
from umpi.appliance.copies import ASIDE, take_restored
from umpi.appliance.country import kept_country, use_country
from umpi.appliance.given import BadGiven, Given, Owner, read_custom, read_given
from umpi.appliance.journals import forget_copy, take_back
from umpi.appliance.layout import BOOT, DISK_ID, SECTOR, STATE, new_partitions
from umpi.appliance.name import kept_name
from umpi.appliance.profile import write_wifi
from umpi.appliance.slots import Restart, Step, Verdict, accept_steps, refuse_steps, settle
from umpi.appliance.update import Judgement, Watch, note_fault, noted_fault, recorded
from umpi.box.config import BadConfig
from umpi.box.config_file import OPTIONS, Owners, find_journal, place_of, read_config, read_toml
from umpi.box.preset import WrongOption, check_preset
from umpi.kernel.messages import message
from umpi.recording.values import dumped, plain
from umpi.referee.events import LastUpdate
from umpi.service.first_light import show_progress
from umpi.service.last_update import SETTLED
from umpi.shelf.installed import FOLDER, Packages

STATE_AT = Path("/state")
FIRST_PARTITION = Path(f"/dev/disk/by-partuuid/{DISK_ID:08x}-{BOOT:02d}")
BOOT_AT = Path("/boot/firmware")
CONFIG = Path("/etc/umpi/umpi.toml")
JOURNAL = Path("/var/lib/umpi/games.db")  # where updates and copies look for the matches
BINDS = {  # a folder of the state: where it appears, and its owner and mode
    "umpi": ("/var/lib/umpi", "umpi", 0o750),
    "umpi-mqtt": ("/var/lib/umpi-mqtt", "umpi-mqtt", 0o750),
    "etc-umpi": ("/etc/umpi", "root", 0o755),
    "connections": ("/etc/NetworkManager/system-connections", "root", 0o700),
    "clock": ("/var/lib/systemd/timesync", "systemd-timesync", 0o755),
}
SEALED = "ro,mode=750,uid=umpi,gid=umpi,size=4k"  # how the place of the journal is mounted as long as it has no state
GROUPS = "sudo,gpio,i2c,spi,dialout"
POLL_S = 5.0
STEPS = 4  # of the start, on the display: the state, the configuration, the settings of the owner, their login
LATER_ASIDE = Path("/run/umpi-later-matches")  # at this start, the journal is that of before the update
_BESIDE = re.compile(r"[\w-]+\.json")
_BOX = re.compile(r"(?m)^\[box\][^\n]*(?:\n|\Z)")

log = logging.getLogger(__name__)


def start() -> None:
    """Make the box ready: state, configuration, and what the owner gave. Each part that fails is logged, and said."""
    says: list[str] = []
    _try(says, mount_state)
    _show_progress(1)
    _try(says, lambda: take_config(BOOT_AT, CONFIG))
    _try(says, lambda: says.extend(take_journal_back(CONFIG)))
    _show_progress(2)
    given = _all_given(says)
    says += given.refused
    if (BOOT_AT / "firstrun.sh").exists():
        says.append("A card does not run firstrun.sh: choose Umpi in its own list in Imager, or write custom.toml.")
    if given.language:
        _try(says, lambda: set_language(given.language, CONFIG))
    if host := kept_name(CONFIG.parent) or given.host:
        _try(says, lambda: set_host(host))
    if given.zone:
        _try(says, lambda: set_zone(given.zone))
    if country := kept_country(CONFIG.parent) or given.country:
        _try(says, lambda: use_country(country))
    if given.wifi:
        wifi = given.wifi
        _try(says, lambda: write_wifi(wifi, Path("/run/NetworkManager/system-connections")))
    _show_progress(3)
    if given.owner:
        owner = given.owner
        _try(says, lambda: let_in(owner))
    _show_progress(STEPS)
    _say(says or ["All settings of this partition are in use."])


def _all_given(says: list[str]) -> Given:
    """Read all files of Imager; a wrong one costs nothing of the others. custom.toml counts where they say nothing."""
    data = _given(says, lambda: read_given(_text_of("user-data"), ""))
    net = _given(says, lambda: read_given("", _text_of("network-config")))
    custom = _given(says, lambda: read_custom(_text_of("custom.toml")))
    return Given(
        data.host or custom.host, data.zone or custom.zone, data.language or custom.language, net.wifi or custom.wifi,
        data.owner or custom.owner, (*data.refused, *custom.refused), net.country or custom.country,
    )  # fmt: skip


def _given(says: list[str], read: Callable[[], Given]) -> Given:
    try:
        return read()
    except BadGiven as fault:
        log.error("%s", fault)
        says.append(str(fault))
        return Given()


def _try(says: list[str], action: Callable[[], object]) -> None:
    """Do a part of the start. If it fails, the others go on, and the owner gets the reason."""
    try:
        action()
    except (OSError, LookupError, CardFault, BadConfig, BadBundle) as fault:
        log.exception("%s", fault)
        says.append(str(fault))


def _show_progress(done: int) -> None:
    """Show on the display how far the start is, if it is one on I²C: the service comes a while after this."""
    try:
        show_progress(read_toml(CONFIG)[1], done, STEPS)
    except (AttributeError, OSError, TypeError, ValueError) as fault:
        log.info("No progress on the display: %s", fault)


def _say(lines: list[str]) -> None:
    for line in lines:
        log.info("%s", line)
    try:
        if (BOOT_AT / SAYS).read_bytes() == sentences(lines):
            return  # most starts write nothing onto this partition
        with writable(BOOT_AT):
            say(BOOT_AT, lines)
    except (OSError, CardFault) as fault:
        log.warning("The boot partition takes no sentences: %s", fault)


def _text_of(name: str) -> str:
    try:
        return (BOOT_AT / name).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def mount_state() -> None:
    """Put the folders of the state into their places. Raises CardFault if there is no state that can be written.

    Then the folder of the journal takes no files, so that the box says NOT SAVED instead of keeping matches in memory.
    """
    try:
        if not os.path.ismount(STATE_AT):
            raise CardFault(too_small() or "it is not mounted")
        if take_restored(STATE_AT):
            log.info("the state is that of the copy; what was there is in %s", ASIDE)
        for name, (place, owner, mode) in BINDS.items():
            folder = STATE_AT / name
            folder.mkdir(exist_ok=True)
            shutil.chown(folder, owner, owner)
            folder.chmod(mode)
            Path(place).mkdir(parents=True, exist_ok=True)
            _run("mount", "--bind", str(folder), place)
        if not CONFIG.exists():
            _copy(SHARE / "umpi.toml", CONFIG)
    except (OSError, LookupError, CardFault) as fault:
        _run("mount", "-t", "tmpfs", "-o", SEALED, "tmpfs", "/var/lib/umpi")
        if not CONFIG.exists():
            CONFIG.parent.mkdir(exist_ok=True)
            shutil.copyfile(SHARE / "umpi.toml", CONFIG)
        why = f"The state partition cannot be used ({fault}): matches are NOT SAVED."
        raise CardFault(f"{why} Write the card again, or use another.") from None
    # it started before and must read the time that it kept: a Pi has no clock, and a table may have no network
    _run("systemctl", "--no-block", "try-restart", "systemd-timesyncd.service")


def too_small(first: Path = FIRST_PARTITION, listed: Path = Path("/sys/class/block")) -> str:
    """Return that the card ends before its partitions do, with both sizes, or nothing."""
    try:
        disk = (listed / first.resolve(strict=True).name).resolve(strict=True).parent
        has = int((disk / "size").read_text()) * SECTOR
    except (OSError, ValueError):
        return ""
    state = new_partitions()[STATE - 1]
    needs = (state.start + state.sectors) * SECTOR
    if has >= needs:
        return ""
    return f"the card is too small: it has {has / 1e6:.0f} MB, and Umpi needs {needs / 1e6:.0f} MB"


def take_config(boot: Path, config: Path) -> None:
    """Use the umpi.toml of the boot partition, if there is one that the service takes, with the files that it names.

    If it names no journal, it gets that of a card. Raises BadConfig and OSError.
    """
    given = boot / "umpi.toml"
    if not given.exists():
        return
    owners = Packages(JOURNAL.parent / FOLDER).owners  # only the service loads games of a shelf
    _check_options(given, read_config(given, owners=owners).options, owners)
    text, sections = read_toml(given)
    if "journal" not in sections.get("box", {}):
        if "box" in sections and not _BOX.search(text):
            raise BadConfig("umpi.toml: write the section [box] as [box], on a line of its own.")
        text = _with_line(text, f'journal = "{JOURNAL}"')
    elif find_journal(given).parent != JOURNAL.parent:
        raise BadConfig(f'umpi.toml: [box] journal: a card keeps its matches in {JOURNAL.parent}. Write "{JOURNAL}".')
    options = sections.get(OPTIONS, {}).items()
    named = {name: value[1:] for name, value in options if isinstance(value, str) and value.startswith("@")}
    for name, file in named.items():  # all, before the first is copied
        if not _BESIDE.fullmatch(file):
            raise BadConfig(f'umpi.toml: [{OPTIONS}] {name}: put the file beside umpi.toml, as in "@ours.json".')
    for file in named.values():
        _take_named(boot / file, config.parent / file)
    _use(text, config)


def _check_options(given: Path, options: Mapping[str, Any], owners: Owners) -> None:
    """Check preset options as the service does, which leaves out those of games of a shelf. Raises BadConfig."""
    for name, value in options.items():
        try:
            check_preset(name, value)
        except WrongOption as fault:
            if not owners(fault.game):
                raise BadConfig(f"{place_of(given, OPTIONS, name)}: [{OPTIONS}] {fault}") from None


def _take_named(source: Path, to: Path) -> None:
    """Copy a file that an option names from the boot partition beside the configuration. Raises OSError."""
    if not to.exists() or source.read_bytes() != to.read_bytes():
        _copy(source, to)


def take_journal_back(config: Path) -> list[str]:
    """After an update that was taken back, use a journal that this version can read. Return what to say."""
    if not take_back(read_config(config, games=False).journal, this_version().journal_schema):
        return []
    LATER_ASIDE.touch()
    return [
        "The matches are those of the moment before the update; later ones are in games.db.newer, for a newer version."
    ]


def _copy(source: Path, to: Path) -> None:
    new = to.with_name(f"{to.name}.new")
    with new.open("wb") as opened:
        opened.write(source.read_bytes())
        opened.flush()
        os.fsync(opened.fileno())
    new.chmod(0o644)
    new.replace(to)


def set_language(code: str, config: Path) -> None:
    """Write the first language of the box into umpi.toml, if that names none. Raises BadConfig and OSError."""
    read_config(config, games=False)
    text, sections = read_toml(config)
    if "language" in sections.get("box", {}):
        return
    _use(_with_line(text, f'language = "{code}"'), config)


def _with_line(text: str, line: str) -> str:
    """Return a configuration with one more line in its section [box]."""
    text = text if text.endswith("\n") else f"{text}\n"
    head = _BOX.search(text)
    return f"{text[: head.end()]}{line}\n{text[head.end() :]}" if head else f"{text}\n[box]\n{line}\n"


def _use(text: str, config: Path) -> None:
    """Write a configuration, if it is a new one and valid. Raises BadConfig and OSError."""
    if config.exists() and config.read_bytes() == text.encode():
        return
    trial = config.with_name(f"{config.name}.trial")
    trial.write_text(text, encoding="utf-8")
    try:
        read_config(trial, games=False)
        _copy(trial, config)
    finally:
        trial.unlink()


def set_host(name: str) -> None:
    """Give the box its name in the network."""
    socket.sethostname(name)
    Path("/etc/hostname").write_text(f"{name}\n")
    hosts = Path("/etc/hosts")
    hosts.write_text(re.sub(r"(?m)^127\.0\.1\.1 .*$", f"127.0.1.1 {name}", hosts.read_text()))


def set_zone(zone: str) -> None:
    """Set the time zone. Raises CardFault if there is none of this name."""
    file = Path("/usr/share/zoneinfo", zone)
    if not file.is_file():
        raise CardFault(f"user-data: there is no time zone {zone}.")
    local = Path("/etc/localtime")
    local.unlink(missing_ok=True)
    local.symlink_to(file)


def let_in(owner: Owner) -> None:
    """Make the user of the owner, and start SSH for their keys. Without this, SSH is off."""
    _run("useradd", "--create-home", "--shell", "/bin/bash", "--groups", GROUPS, owner.name)
    home = Path("/home", owner.name, ".ssh")
    home.mkdir(mode=0o700)
    (home / "authorized_keys").write_text("".join(f"{key}\n" for key in owner.keys), encoding="utf-8")
    (home / "authorized_keys").chmod(0o600)
    _run("chown", "-R", f"{owner.name}:{owner.name}", str(home))
    sudo = Path("/etc/sudoers.d/umpi-owner")
    sudo.write_text(f"{owner.name} ALL=(ALL) NOPASSWD:ALL\n")
    sudo.chmod(0o440)
    keys = STATE_AT / "ssh" if os.path.ismount(STATE_AT) else Path("/etc/ssh")
    keys.mkdir(mode=0o700, exist_ok=True)
    if not (keys / "ssh_host_ed25519_key").exists():
        _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(keys / "ssh_host_ed25519_key"))
    Path("/etc/ssh/sshd_config.d/host-key.conf").write_text(f"HostKey {keys / 'ssh_host_ed25519_key'}\n")
    _run("systemctl", "--no-block", "start", "ssh.service")


def settle_trial(card: Card) -> None:
    """Decide what became of the last update, and watch a slot on trial. Raises CardFault, BadBootFile and OSError."""
    trial, tried = card.trial()
    settled, name = settle(card.running, card.slot(), trial, tried), this_version().name
    match settled.verdict:
        case Verdict.QUIET:
            _tell(True, "")
            return
        case Verdict.ON_TRIAL:
            _watch(card)
            return
        case Verdict.FINISHED:
            sentence = _works(name)
        case Verdict.NOT_DONE:
            template = (
                "The update did not start, or the power failed before. The box has version {name} as before, with all "
                "its matches."
            )
            sentence = message(template, name=name)
        case Verdict.TAKEN_BACK:
            sentence = _taken_back(name, noted_fault(STATE_AT), LATER_ASIDE.exists())
    log.warning("%s", sentence)
    _do(card, settled.steps, sentence)
    _tell(settled.verdict is Verdict.FINISHED, sentence)
    if settled.verdict is Verdict.FINISHED:
        forget_copy(find_journal(CONFIG))


def _watch(card: Card) -> None:
    """Accept the slot on trial once it has been healthy for a while, or else go back to the other slot."""
    before, watch, judgement, why = recorded(STATE_AT), Watch(time.monotonic()), Judgement.WAIT, ""
    while judgement is Judgement.WAIT:
        found = unwell(before)
        if found:
            why = found
            log.info("On trial, not healthy yet: %s", why)
        judgement = watch.see(time.monotonic(), found)
        if judgement is Judgement.WAIT:
            time.sleep(POLL_S)
    name = this_version().name
    if judgement is Judgement.ACCEPT:
        sentence = _works(name)
        log.info("%s", sentence)
        _do(card, accept_steps(card.running, card.slot()), sentence)
        _tell(True, sentence)
        forget_copy(find_journal(CONFIG))
    else:
        log.error("Version %s is not healthy: back to the other slot. %s", name, why)
        with suppress(OSError):  # the reason is lost, and the box still goes back
            note_fault(STATE_AT, why)
        _do(card, refuse_steps(card.running), f"Version {name} was not well: {why}.")
        restart(Restart(once=False))


def _works(name: str) -> str:
    return message("The update works: version {name} is in use.", name=name)


def _taken_back(name: str, why: str, later_aside: bool) -> str:
    """Return what the players read after an update that was taken back; `why` is "" if that is not known."""
    if why:
        what = message("The new version did not work: {why}.", why=why)
    else:
        what = message("The update did not start, or its trial was cut off.")
    if later_aside:
        template = (
            "{what} The box is back at version {name}, with the matches of before the update. Later ones are in "
            "games.db.newer."
        )
        return message(template, what=what, name=name)
    return message("{what} The box is back at version {name}, with all its matches.", what=what, name=name)


def _tell(worked: bool, text: str) -> None:
    """Leave for the service what has become of the last update, "" if there was none. The box can do without."""
    try:
        new = SETTLED.with_suffix(".new")
        new.write_text(dumped(plain(LastUpdate(worked, text, time.monotonic_ns()))), encoding="utf-8")
        new.chmod(0o644)
        new.replace(SETTLED)
    except OSError as fault:
        log.warning("The players do not read what has become of the update: %s", fault)


def _do(card: Card, steps: tuple[Step, ...], sentence: str) -> None:
    with writable(card.boot):
        for step in steps:
            card.do(step, None, lambda done, whole: None)
        say(card.boot, [sentence])


def unwell(before: frozenset[str]) -> str:
    """Return why the box is not as well as before, or nothing. A box without a page has only its service to ask."""
    if subprocess.run(["systemctl", "is-active", "--quiet", "umpi.service"]).returncode:
        return "the service does not run"
    health = health_of_box()
    if health is None:
        return ""
    failed, unsaved = health
    if unsaved:
        return f"NOT SAVED: {unsaved}"
    new = failed - before
    return f"devices that worked before: {', '.join(sorted(new))}" if new else ""


def health_of_box() -> tuple[frozenset[str], str] | None:
    """Return the devices that have failed, and why nothing is saved; None if the box serves no page here."""
    try:
        desk = read_config(CONFIG, games=False).desk if CONFIG.exists() else None
        if desk is None:
            return None
        with urllib.request.urlopen(f"http://{_own_host(desk.listen)}:{desk.port}/healthz", timeout=5) as answer:
            found = json.load(answer)
        return frozenset(found["errors"]), str(found["unsaved"])
    except urllib.error.HTTPError as fault:
        return _told(fault)
    except (OSError, ValueError, KeyError, TypeError, HTTPException, BadConfig) as fault:
        return frozenset(), f"the page does not answer: {fault}"


def _told(fault: urllib.error.HTTPError) -> tuple[frozenset[str], str]:
    """Return the devices that have failed, and why nothing is saved, by a page that says that it is not well."""
    try:
        found = json.load(fault)
        return frozenset(found["errors"]), str(found["unsaved"])
    except (OSError, ValueError, KeyError, TypeError, HTTPException):
        return frozenset(), f"the page says {fault.code}"


def _own_host(listen: str) -> str:
    """Return where this computer reaches a server that listens at an address, as an address of the web has it.

    >>> [_own_host(each) for each in ("0.0.0.0", "::", "fe80::1", "10.0.0.7")]
    ['127.0.0.1', '[::1]', '[fe80::1]', '10.0.0.7']
    """
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(listen, listen)
    return f"[{host}]" if ":" in host else host


def _run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise CardFault(f"{' '.join(words[:3])}: {done.stderr.strip() or done.returncode}")
