"""What the start of a card does to its computer is what somebody has read: each command and file is in starts.txt."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from difflib import unified_diff
from errno import EACCES, ENOENT, EROFS
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.seen import check_part
from umpi.appliance import __main__ as words
from umpi.appliance import card as card_module
from umpi.appliance import start
from umpi.appliance.bundle import BadBundle, Version
from umpi.appliance.card import SAYS, SAYS_BYTES, CardFault, NoCard
from umpi.appliance.slots import (
    BadBootFile,
    BoardKernel,
    Restart,
    Slot,
    WriteBootFiles,
    WriteRoot,
    WriteTryboot,
)
from umpi.kernel.nothing import nothing

SEEN = Path(__file__).with_name("starts.txt")
CARD = Path(__file__).parents[2] / "firmware/card/root"
ANN = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHCqmDh4Yl9gZqmT1mTgXl ann@laptop"
OLD = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 ann@desk"
USER_DATA = f"""#cloud-config
hostname: den
timezone: Europe/Budapest
locale: hu_HU.UTF-8
users:
- name: ann
  ssh_authorized_keys:
    - {ANN}
    - {OLD}
"""
NETWORK = """network:
  version: 2
  wifis:
    wlan0:
      regulatory-domain: "HU"
      access-points:
        "Attic":
          password: "12345678"
"""
CUSTOM = """config_version = 1
[system]
hostname = "other"
[locale]
keymap = "fr"
timezone = "Europe/Paris"
[wlan]
ssid = "Cellar"
password = "87654321"
password_encrypted = false
country = "FR"
"""
VERSION = Version("umpi", "1.0", "abc", 5, BoardKernel.DEBIAN, 4)
FAMILY = 0x1D
HEAD, GENERIC, ATTRIBUTE = "=IHHII", "=BBH", "=HH"  # of linux/netlink.h and linux/genetlink.h


class Kernel:
    """The kernel at the other end of generic netlink: the family nl80211, and the country it was told."""

    def __init__(self, computer: Computer, *kind: int) -> None:
        assert kind == (socket.AF_NETLINK, socket.SOCK_RAW, 16), "linux/netlink.h: NETLINK_GENERIC is 16"
        self._computer, self._answers, self._patience = computer, list[bytes](), 0.0

    def __enter__(self) -> Kernel:
        return self

    def __exit__(self, *_: object) -> None: ...

    def settimeout(self, seconds: float) -> None:
        self._patience = seconds

    def sendall(self, sent: bytes) -> None:
        """Read a request, and keep the answer."""
        size, kind, flags, number, port = struct.unpack_from(HEAD, sent)
        command, version, _ = struct.unpack_from(GENERIC, sent, 16)
        length, attribute = struct.unpack_from(ATTRIBUTE, sent, 20)
        value = sent[24 : 20 + length]
        assert (size, flags, len(sent) % 4, self._patience) == (len(sent), 1 | 4, 0, 5.0), "asked for an answer"
        self._computer.does(
            f"kernel: family {kind:#x}, command {command}.{version}, {attribute} = {value.decode()!r}, {number}, {port}"
        )
        fault = self._computer.broken.get("kernel", 0)
        if kind == 0x10 and not fault:  # other attributes come first, each filled up to four bytes
            other = struct.pack(ATTRIBUTE, 4 + len(value), 2) + value + struct.pack("=HHBxxx", 5, 4, 1)
            found = struct.pack(GENERIC, 1, 2, 0) + other + struct.pack("=HHHxx", 6, 1, FAMILY)
            self._answers.append(struct.pack(HEAD, 16 + len(found), FAMILY, 0, number, 0) + found)
        else:
            self._answers.append(struct.pack(HEAD, 36, 2, 0, number, 0) + struct.pack("=i", -fault) + sent[:16])

    def recv(self, most: int) -> bytes:
        answer = self._answers.pop(0)
        assert len(answer) <= most
        return answer


class Computer:
    """A computer whose file system is a folder. It notes its commands; `broken` names what fails, and how."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.boot, self.state = root, root / "boot/firmware", root / "state"
        self.mounted, self.broken, self.done = True, dict[str, Any](), list[str]()
        for folder in ("boot/firmware", "state", "run", "home", "etc/sudoers.d", "usr/share/zoneinfo/Europe"):
            (root / folder).mkdir(parents=True)
        shutil.copytree(CARD / "etc/ssh", root / "etc/ssh")
        for file in ("hosts", "hostname"):
            shutil.copy(CARD / "etc" / file, root / "etc" / file)
        (root / "etc/localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
        for city in ("Budapest", "Paris"):
            (root / "usr/share/zoneinfo/Europe" / city).write_text("TZif2")
        (root / "var/lib/umpi").mkdir(parents=True)  # as fstab mounts it
        share = root / "usr/share/umpi"
        share.mkdir()
        (share / "card.json").write_text(json.dumps(VERSION.as_json()))
        (share / "umpi.toml").write_text(f'[box]\njournal = "{root}/var/lib/umpi/games.db"\n')
        (self.boot / SAYS).write_bytes(bytes(SAYS_BYTES))
        for module in (start, card_module):
            monkeypatch.setattr(module, "Path", self._at)
            monkeypatch.setattr(module, "SHARE", share)
        for name, place in {
            "STATE_AT": "state", "BOOT_AT": "boot/firmware", "CONFIG": "etc/umpi/umpi.toml",
            "JOURNAL": "var/lib/umpi/games.db",
            "LATER_ASIDE": "run/umpi-later-matches",
        }.items():  # fmt: skip
            monkeypatch.setattr(start, name, root / place)
        monkeypatch.setattr(start, "show_progress", lambda box, done, of: self.does(f"display: {done} of {of}"))
        monkeypatch.setattr("os.sync", lambda: self.does("sync"))
        monkeypatch.setattr("os.path.ismount", lambda path: self.mounted and path == self.state)
        monkeypatch.setattr("shutil.chown", self._chown)
        monkeypatch.setattr("socket.sethostname", lambda name: self.does(f"kernel: the host is {name}"))
        monkeypatch.setattr("socket.socket", lambda *kind: Kernel(self, *kind))
        monkeypatch.setattr("subprocess.run", self._run)

    def _at(self, *parts: str) -> Path:
        place = Path(*parts)
        return place if place.is_relative_to(self.root) else self.root / place.relative_to("/")

    def does(self, line: str) -> None:
        self.done.append(line.replace(str(self.root), ""))

    def _chown(self, place: Path, user: str, group: str) -> None:
        if fault := self.broken.get("chown"):
            raise fault
        self.does(f"chown {user}:{group} {place}")

    def _run(self, words: tuple[str, ...], **how: Any) -> subprocess.CompletedProcess[str]:
        assert how == {"capture_output": True, "text": True}
        said = " ".join(words)
        self.does(said if all(words) else " ".join(word or "''" for word in words))
        for start_of, (status, why) in self.broken.items() if self.broken.keys() - {"kernel", "chown"} else ():
            if said.startswith(start_of):
                return subprocess.CompletedProcess(words, status, "", why)
        match words:
            case ("mount", "--bind", folder, place):
                self._at(place).rmdir()
                self._at(place).symlink_to(folder)
            case ("useradd", *_, name):
                (self.root / "home" / name).mkdir()
            case ("ssh-keygen", *_, file):
                Path(file).write_text("a key")
            case _:
                pass
        return subprocess.CompletedProcess(words, 0, "", "")

    def _files(self) -> Iterator[tuple[str, str]]:
        """Yield the folders, files and links with their modes and what is in them; a place that is bound is a link."""
        for each in sorted(self.root.rglob("*")):
            mode = each.lstat().st_mode & 0o777
            name = f"/{each.relative_to(self.root)}"
            if each.is_symlink():
                yield name, f"-> {each.readlink()}".replace(str(self.root), "")
            elif each.is_dir():
                yield name, f"folder {mode:o}"
            else:
                content = each.read_bytes().decode(errors="replace").replace(str(self.root), "")
                lines = [line for line in content.splitlines() if line.strip() and "\0" not in line]
                yield name, "\n".join([f"{mode:o}", *(f"        {line}".rstrip() for line in lines)])

    def starts(self) -> Iterator[str]:
        """Start, and yield what was done, and each file that is new or another."""
        before = dict(self._files())
        start.start()
        yield from self.done
        after = dict(self._files())
        for name, what in after.items():
            if before.get(name) != what:
                yield from f"{name}: {what}".splitlines()
        yield from (f"{name}: gone" for name in before if name not in after)


def gives(computer: Computer, user_data: str = USER_DATA, network: str = NETWORK) -> None:
    """Write the files of Imager."""
    (computer.boot / "user-data").write_text(user_data)
    (computer.boot / "network-config").write_text(network)


def all_is_given(computer: Computer) -> None:
    gives(computer)


def it_was_used_before(computer: Computer) -> None:
    """Its state has a configuration, a key of the host, and a name and a country that were chosen at the box."""
    gives(computer, USER_DATA.replace("hu_HU", "fr_FR"))
    (computer.state / "etc-umpi").mkdir()
    toml = f'[box]\nlanguage = "de"\njournal = "{computer.root}/var/lib/umpi/games.db"\n'
    (computer.state / "etc-umpi/umpi.toml").write_text(toml)
    (computer.state / "etc-umpi/box-name").write_text("cellar\n")
    (computer.state / "etc-umpi/wifi-country").write_text("FR\n")
    (computer.state / "ssh").mkdir(mode=0o700)
    (computer.state / "ssh/ssh_host_ed25519_key").write_text("the key of before")


def another_configuration_is_on_the_boot_partition(computer: Computer) -> None:
    toml = f'[box]\njournal = "{computer.root}/var/lib/umpi/games.db"\n[desk]\nport = 8123\n'
    (computer.boot / "umpi.toml").write_text(toml)


def all_files_of_the_boot_partition_are_wrong(computer: Computer) -> None:
    (computer.boot / "umpi.toml").write_text("[desk]\nprot = 1\n")
    (computer.boot / "custom.toml").write_text('[system]\nhostname = "my den"\n')
    (computer.boot / "firstrun.sh").write_text("#!/bin/bash\n")
    gives(computer, USER_DATA.replace("Budapest", "Atlantis"), NETWORK.replace("12345678", "short"))


def a_copy_was_restored(computer: Computer) -> None:
    for name, text in {"etc-umpi/box-name": "copied\n", "umpi/notes": "of the copy"}.items():
        (computer.state / "restored" / name).parent.mkdir(parents=True)
        (computer.state / "restored" / name).write_text(text)
    (computer.state / "umpi").mkdir()
    (computer.state / "umpi/notes").write_text("of before")


def an_update_that_has_converted_the_matches_was_taken_back(computer: Computer) -> None:
    (computer.state / "umpi").mkdir()
    with closing(sqlite3.connect(computer.state / "umpi/games.db")) as journal:
        journal.execute(f"PRAGMA user_version = {VERSION.journal_schema + 1}")
    (computer.state / "umpi/games.db.before-update").write_text("the matches of before")


def the_state_is_not_mounted(computer: Computer) -> None:
    gives(computer)
    computer.mounted = False


def the_state_is_read_only(computer: Computer) -> None:
    computer.broken["chown"] = OSError(EROFS, "Read-only file system")


def a_folder_of_the_state_cannot_be_bound(computer: Computer) -> None:
    computer.broken[f"mount --bind {computer.state}/umpi-mqtt"] = (32, "mount: no\n")


def there_is_no_wifi(computer: Computer) -> None:
    gives(computer, "")
    computer.broken["kernel"] = ENOENT


def the_wifi_refuses_its_country(computer: Computer) -> None:
    gives(computer, "")
    computer.broken["kernel"] = EACCES


def the_owner_cannot_be_made(computer: Computer) -> None:
    gives(computer)
    computer.broken["useradd"] = (9, "useradd: user 'ann' already exists\n")


def the_key_of_the_host_cannot_be_made(computer: Computer) -> None:
    gives(computer)
    computer.broken["ssh-keygen"] = (1, "  \n")


def the_boot_partition_stays_read_only(computer: Computer) -> None:
    computer.broken["mount -o remount,rw"] = (32, "mount: it is write-protected\n")


def custom_toml_is_given_too(computer: Computer) -> None:
    """The newer files of Imager count."""
    gives(computer)
    only_custom_toml_is_given(computer)


def only_custom_toml_is_given(computer: Computer) -> None:
    (computer.boot / "custom.toml").write_text(CUSTOM)


def a_password_is_given(computer: Computer) -> None:
    gives(computer, "users:\n- name: ann\n  passwd: secret\n  lock_passwd: false\n", "")


def one_file_cannot_be_read(computer: Computer) -> None:
    gives(computer, USER_DATA.replace("den", "den!"))


def its_settings_cannot_be_read(computer: Computer) -> None:
    (computer.state / "etc-umpi").mkdir()
    (computer.state / "etc-umpi/umpi.toml").write_text("no settings")


def it_has_nothing_new_to_say(computer: Computer) -> None:
    (computer.boot / SAYS).write_bytes(card_module.sentences(["All settings of this partition are in use."]))


NEW = "a new card to which nothing is given"
STORIES = (
    all_is_given, it_was_used_before, another_configuration_is_on_the_boot_partition,
    all_files_of_the_boot_partition_are_wrong, a_copy_was_restored,
    an_update_that_has_converted_the_matches_was_taken_back, the_state_is_not_mounted, the_state_is_read_only,
    a_folder_of_the_state_cannot_be_bound, there_is_no_wifi, the_wifi_refuses_its_country, the_owner_cannot_be_made,
    the_key_of_the_host_cannot_be_made, the_boot_partition_stays_read_only, custom_toml_is_given_too,
    only_custom_toml_is_given, a_password_is_given, one_file_cannot_be_read, its_settings_cannot_be_read,
    it_has_nothing_new_to_say,
)  # fmt: skip
TITLES = {story.__name__.replace("_", " "): story for story in STORIES}


def told(folder: Path, story: Callable[[Computer], object]) -> list[str]:
    """Start a new computer of a story; return what it does, line by line."""
    before = os.umask(0o022)
    try:
        with pytest.MonkeyPatch.context() as monkeypatch:
            computer = Computer(folder, monkeypatch)
            story(computer)
            return list(computer.starts())
    finally:
        os.umask(before)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return told(tmp_path_factory.mktemp("new") / "root", lambda computer: None)


@pytest.mark.parametrize("title", [NEW, *TITLES])
def test_a_start_does_to_its_computer_what_somebody_has_read(title: str, new: list[str], tmp_path: Path) -> None:
    """starts.txt has all of a new card, and of each other one what is different.

    After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed.
    """
    lines = new
    if title != NEW:
        differ = [*unified_diff(new, told(tmp_path / "root", TITLES[title]), n=0, lineterm="")][2:]
        lines = [line for line in differ if not line.startswith("@@")]
    now = "\n".join(f"  {line}" for line in lines)
    check_part(SEEN, title, now, (NEW, *TITLES))


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    return Computer(tmp_path / "root", monkeypatch)


def test_the_card_of_a_computer_is_the_one_whose_slot_its_kernel_names(computer: Computer) -> None:
    (computer.root / "proc").mkdir()
    (computer.root / "proc/cmdline").write_text("quiet umpi.slot=b panic=10\n")
    card = card_module.this_card()
    by_number = "/dev/disk/by-partuuid/756d7069"
    places = {slot.value: str(root).removeprefix(str(computer.root)) for slot, root in card.roots.items()}
    assert (card.boot, card.running.value) == (computer.boot, "b")
    assert places == {"a": f"{by_number}-02", "b": f"{by_number}-03"}
    (computer.root / "proc/cmdline").write_text("quiet\n")
    with pytest.raises(NoCard, match="has not started from a card of Umpi"):
        card_module.this_card()


def test_what_a_root_says_of_itself(computer: Computer) -> None:
    share = computer.root / "usr/share/umpi"
    assert (card_module.this_version(), card_module.trusted_key()) == (VERSION, "")
    (share / "update.pub").write_text(f"{'ab' * 32}\n")
    assert card_module.trusted_key() == "ab" * 32
    for text, why in (("{", "Expecting property name"), ("{}", "'built_s'"), ("[]", "list indices must be integers")):
        (share / "card.json").write_text(text)
        with pytest.raises(CardFault, match=rf"card\.json: {why}"):
            card_module.this_version()


def test_a_restart_tries_a_slot_once_or_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[object, ...]] = []
    monkeypatch.setattr("subprocess.run", lambda words, check: done.append((*words, check)))
    for once in (False, True):
        card_module.restart(Restart(once))
    assert done == [("systemctl", "reboot", True), ("systemctl", "reboot", "--reboot-argument=0 tryboot", True)]


def test_a_config_txt_without_its_include_and_a_step_without_its_bundle_are_refused(computer: Computer) -> None:
    card = card_module.Card(computer.boot, {}, Slot.A)
    (computer.boot / "config.txt").write_text("kernel=vmlinuz\n")
    with pytest.raises(CardFault, match=r"^config\.txt has no line “include slot\.txt”: write it again"):
        card.do(WriteTryboot(Slot.B), None, nothing)
    (computer.boot / "config.txt").write_text("[all]\ninclude slot.txt\nkernel=vmlinuz\n")
    card.do(WriteTryboot(Slot.B), None, nothing)
    assert (computer.boot / "tryboot.txt").read_text() == "[all]\nos_prefix=b/\nkernel=vmlinuz\n"
    for step in (WriteRoot(Slot.B), WriteBootFiles(Slot.B)):
        with pytest.raises(BadBundle, match="needs a bundle"):
            card.do(step, None, nothing)


@pytest.mark.parametrize("fault", [None, CardFault("no"), NoCard("no"), BadBootFile("no"), OSError("no")])
def test_each_word_of_a_unit_does_its_part_and_ends_with_its_status(
    fault: Exception | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[tuple[object, ...]] = []

    def noting(*what: object) -> None:
        done.append(what)
        if fault:
            raise fault

    monkeypatch.setattr(words, "start", lambda: noting("start"))
    monkeypatch.setattr(words, "this_card", lambda: "the card")
    monkeypatch.setattr(words, "settle_trial", lambda card: noting("settle", card))
    monkeypatch.setattr(words, "serve", lambda heard, told: noting("serve", heard.name, told.name))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=SimpleNamespace(name="heard")))
    monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=SimpleNamespace(name="told")))
    assert {words.main([word]) for word in ("start", "settle", "card")} == {int(fault is not None)}
    assert done == [("start",), ("settle", "the card"), ("serve", "heard", "told")]
