"""What a card does for the service of its box: each task with its question and its refusals, and nothing else."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast
from zlib import crc32

import pytest

from tests.kit.journals import leave
from tests.kit.seen import check_part
from umpi.appliance import card as card_module
from umpi.appliance import networks
from umpi.appliance import start as start_module
from umpi.appliance import stick as stick_module
from umpi.appliance import tasks as tasks_module
from umpi.appliance.bundle import BadBundle, Version, write_bundle
from umpi.appliance.card import Card, CardFault
from umpi.appliance.fetch import fetch
from umpi.appliance.slots import BoardKernel, Restart, Slot, Trial, slot_file, trial_file
from umpi.appliance.stick import partitions_on_usb
from umpi.appliance.tasks import newest_bundle, serve
from umpi.appliance.update import only_one
from umpi.box.signing import SigningKey
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.recording.values import read_value
from umpi.referee.events import CardNews
from umpi.wifi.nmcli import PROFILE, Device, NoNetwork

SEEN = Path(__file__).with_name("tasks.txt")
KEY, OTHER = SigningKey.of("1" * 64), SigningKey.of("2" * 64)
VERSION = Version("umpi", "1.1", "abc", 5, BoardKernel.DEBIAN, 4)
ADDRESS = "https://umpi.example.org/umpi.bundle"
Pack = Callable[..., Path]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """Write a bundle into a folder."""

    def write(folder: Path, name: str = "umpi.bundle", version: Version = VERSION, key: SigningKey = KEY) -> Path:
        folder.mkdir(exist_ok=True)
        (tmp_path / "root").write_bytes(b"r" * 2_000_000)
        (tmp_path / "vmlinuz").write_bytes(b"kernel")
        write_bundle(folder / name, version, tmp_path / "root", {"vmlinuz": tmp_path / "vmlinuz"}, key)
        return folder / name

    return write


class Box:
    """A computer that looks as if it had started from a card: files in place of partitions, a folder for the stick."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.stick = folder, folder / "stick"
        self.restarts: list[Restart] = []
        boot = folder / "boot"
        (boot / "a").mkdir(parents=True)
        (boot / "a" / "cmdline.txt").write_text("quiet")
        (boot / "slot.txt").write_bytes(slot_file(Slot.A))
        (boot / "trial.txt").write_bytes(trial_file(Trial.NONE, Slot.A))
        for slot in Slot:
            (folder / f"root-{slot}").write_bytes(bytes(3_000_000))
        self.card = Card(boot, {slot: folder / f"root-{slot}" for slot in Slot}, Slot.A)
        self.state = folder / "state"
        (self.state / "umpi").mkdir(parents=True)
        self.config = folder / "umpi.toml"
        self.journal = self.state / "umpi" / "games.db"
        self.configure()

    def configure(self, more: str = "") -> None:
        self.config.write_text(f'[box]\njournal = "{self.journal}"\n{more}')

    def asks(self, *words: str) -> list[CardNews]:
        """Send words over a connection, and return what it tells."""
        told = io.BytesIO()
        serve(io.BytesIO("".join(f"{word}\n" for word in words).encode()), told)
        news = [read_value(json.loads(line)) for line in told.getvalue().splitlines()]
        assert all(isinstance(each, CardNews) for each in news)
        return news

    @property
    def files(self) -> dict[Path, int]:
        """Everything of the card, as checksums."""
        return {each: crc32(each.read_bytes()) for each in sorted(self.folder.rglob("*")) if self._ours(each)}

    def _ours(self, file: Path) -> bool:
        passing = file.name == "update.lock" or file.suffix in (".db-wal", ".db-shm")  # SQLite makes them to read
        return file.is_file() and self.stick not in file.parents and not passing


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    box = Box(tmp_path / "box")
    monkeypatch.setattr(card_module, "this_card", lambda: box.card)
    monkeypatch.setattr(card_module, "this_version", lambda: replace(VERSION, version="1.0"))
    monkeypatch.setattr(card_module, "trusted_key", lambda: KEY.public)
    monkeypatch.setattr(card_module, "_mount", lambda how, boot: None)
    monkeypatch.setattr(card_module, "restart", box.restarts.append)
    monkeypatch.setattr(tasks_module, "STATE_AT", box.state)
    monkeypatch.setattr(tasks_module, "CONFIG", box.config)
    monkeypatch.setattr(tasks_module, "health_of_box", lambda: (frozenset({"display"}), ""))
    monkeypatch.setattr(start_module, "STATE_AT", box.state)
    monkeypatch.setattr("shutil.chown", lambda *_: None)

    @contextmanager
    def mounted(writable: bool = False) -> Iterator[Path]:
        if not box.stick.exists():
            raise CardFault("There is no USB stick at the box.")
        yield box.stick

    monkeypatch.setattr(stick_module, "stick", mounted)
    return box


def test_an_update_from_a_stick_asks_before_the_card_starts_it(box: Box, pack: Pack) -> None:
    pack(box.stick)
    news = box.asks("update from stick", "agree")
    assert [each.percent for each in news if "Checking" in each.text][-1] == 100
    assert [each.percent for each in news if "Writing" in each.text][-1] >= 99  # of root and boot files
    asked = next(each for each in news if each.stage == "asks")
    assert asked.text.startswith("Version 1.1 (abc) is ready. The box has 1.0 (abc). Restart now?")
    assert (news[-1].stage, news[-1].text) == ("done", "The box restarts with version 1.1 (abc).")
    assert box.restarts == [Restart(once=False)]
    assert (box.card.slot(), box.card.trial()) == (Slot.B, (Trial.NEW, Slot.B))
    assert json.loads((box.state / "update.json").read_text()) == {"failed": ["display"]}


def test_the_newest_bundle_of_this_card_is_taken(tmp_path: Path, pack: Pack) -> None:
    folder = tmp_path / "stick"
    pack(folder, "a.bundle", replace(VERSION, built_s=9))
    pack(folder, "b.bundle", replace(VERSION, built_s=7))
    pack(folder, "c.bundle", replace(VERSION, built_s=99), key=OTHER)
    assert newest_bundle(folder, KEY.public).name == "a.bundle"


def test_one_task_at_a_time(box: Box, pack: Pack) -> None:
    pack(box.stick)
    with only_one(box.state):
        assert box.asks("update from stick")[-1].text == "Another update is running."


@pytest.mark.parametrize("word", ["", "update from /etc", "../../x", "rm -rf /", "BACK UP", "\0" * 70_000])
def test_no_other_word_does_anything(box: Box, word: str) -> None:
    before = box.files
    (news,) = box.asks(word)
    assert (news.stage, "knows no task" in news.text) == ("failed", True)
    assert box.files == before


def test_a_service_that_has_gone_does_not_stop_what_is_written(box: Box, pack: Pack) -> None:
    pack(box.stick)

    class Gone(io.BytesIO):
        def write(self, data: object) -> int:
            raise BrokenPipeError

    serve(io.BytesIO(b"update from stick\nagree\n"), Gone())
    assert box.restarts == [Restart(once=False)]


# The network


def test_a_download_is_checked_by_its_beginning_and_leaves_nothing(box: Box, pack: Pack, tmp_path: Path) -> None:
    file = pack(tmp_path / "web")
    to, read = tmp_path / "download", [0]

    class Server(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            block = super().read(size)
            read[0] += len(block)
            return block

    def unwanted(manifest: object) -> None:
        raise BadBundle("The box has the newest version.")

    with pytest.raises(BadBundle, match="newest"):
        fetch(ADDRESS, KEY.public, to, unwanted, lambda *_: None, lambda _: Server(file.read_bytes()))
    assert read[0] < file.stat().st_size
    with pytest.raises(BadBundle, match="not signed"):
        fetch(ADDRESS, OTHER.public, to, lambda _: None, lambda *_: None, lambda _: Server(file.read_bytes()))
    assert not to.exists()
    shown: list[int] = []
    fetch(
        ADDRESS, KEY.public, to, lambda _: None, lambda done, _: shown.append(done),
        lambda _: Server(file.read_bytes()),
    )  # fmt: skip
    assert to.read_bytes() == file.read_bytes()
    assert shown == sorted(shown)


def test_a_download_that_never_ends_and_a_full_card_are_refused(
    pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, to = pack(tmp_path / "web"), tmp_path / "download"

    class Endless(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(size) or bytes(size or 1)

    monkeypatch.setattr("umpi.appliance.fetch.MOST", 4_000_000)
    with pytest.raises(BadBundle, match="longer than any"):
        fetch(ADDRESS, KEY.public, to, lambda _: None, lambda *_: None, lambda _: Endless(file.read_bytes()))
    monkeypatch.setattr("umpi.appliance.fetch.FREE", 1 << 60)
    with pytest.raises(CardFault, match="MB free"):
        fetch(ADDRESS, KEY.public, to, lambda _: None, lambda *_: None, lambda _: io.BytesIO(file.read_bytes()))
    assert not to.exists()


def test_an_update_from_the_network_is_that_of_a_stick(
    box: Box, pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pack(tmp_path / "web")
    monkeypatch.setattr("umpi.appliance.fetch._over_https", lambda address: io.BytesIO(file.read_bytes()))
    settings = f'[update]\naddress = "{ADDRESS}"\n[rules.owls]\ngame = "of-a-shelf"\n'
    box.configure(settings)  # the games of shelves are beside the journal: this program does not look for them
    news = box.asks("update from network", "agree")
    assert [each.stage for each in news if each.stage != "busy"] == ["asks", "done"]
    assert box.restarts == [Restart(once=False)]
    assert not (box.state / "update.bundle").exists()
    monkeypatch.setattr(card_module, "this_version", lambda: VERSION)
    assert box.asks("update from network", "agree")[-1].text == "The box has the newest version, 1.1 (abc)."


# The stick


def test_only_usb_disks_are_sticks(tmp_path: Path) -> None:
    """As Linux lists them: a card and its partitions, a stick with one partition, and one without any."""
    block = tmp_path / "class"
    block.mkdir()
    for name, at in {
        "mmcblk0": "platform/soc/mmc0/block/mmcblk0",
        "mmcblk0p1": "platform/soc/mmc0/block/mmcblk0/mmcblk0p1",
        "sda": "platform/soc/3f980000.usb/usb1/1-1/host0/block/sda",
        "sda1": "platform/soc/3f980000.usb/usb1/1-1/host0/block/sda/sda1",
        "sdb": "platform/soc/3f980000.usb/usb1/1-2/host1/block/sdb",
        "loop0": "virtual/block/loop0",
    }.items():
        (tmp_path / at).mkdir(parents=True, exist_ok=True)
        (block / name).symlink_to(tmp_path / at)
        if name[-2:] in ("p1", "a1"):
            (tmp_path / at / "partition").write_text("1")
    assert partitions_on_usb(block) == ["sda1", "sdb"]
    assert partitions_on_usb(tmp_path / "none") == []


def test_a_version_that_only_a_restart_can_try_is_not_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switched off and on, such a box starts its old version."""

    def fails(step: Restart) -> None:
        raise subprocess.CalledProcessError(1, ["systemctl", "reboot"])

    monkeypatch.setattr(card_module, "restart", fails)
    with pytest.raises(CardFault, match="so it keeps its version"):
        tasks_module._restart_now(
            Restart(once=True), "The box restarts.", tasks_module.Talk(io.BytesIO(), io.BytesIO())
        )


# What each task tells and does, from its word to its end


class Played:
    """A story of a task: what the service sends, and what is otherwise than at a box where all works."""

    def __init__(self, *words: str, first: tuple[str, ...] = (), **otherwise: object) -> None:
        self.words, self.first, self.otherwise = words, first, otherwise


LISTED = "guests:55:\nCaf\\: den:40:WPA2\nCaf\\: den:81:WPA2\n"
DEN = '["den", "12345678", "FR"]'
WIFI, OWN = Device("wlan0", "wifi", "disconnected", ""), Device("wlan0", "wifi", "connected", PROFILE)
STORIES = {
    "a bundle is on the stick": Played("update from stick", "agree", bundle=VERSION),
    "nobody agrees to the update": Played("update from stick", bundle=VERSION),
    "another word comes than to agree": Played("update from stick", "later", bundle=VERSION),
    "an empty word comes": Played("update from stick", "", bundle=VERSION),
    "others have signed the bundle": Played("update from stick", "agree", bundle=VERSION, key=OTHER),
    "the bundle is for a toaster": Played("update from stick", "agree", bundle=replace(VERSION, product="toaster")),
    "the bundle has another kernel": Played(
        "update from stick", "agree", bundle=replace(VERSION, kernel=BoardKernel.RPI)
    ),
    "the bundle is too old for the matches": Played(
        "update from stick", "agree", bundle=replace(VERSION, journal_schema=1)
    ),
    "a byte of the bundle is flipped": Played("update from stick", "agree", bundle=VERSION, flipped=True),
    "no bundle is on the stick": Played("update from stick", "agree"),
    "no stick is there for an update": Played("update from stick", "agree", stick=False),
    "the box does not restart for an update": Played("update from stick", "agree", bundle=VERSION, restarts=False),
    "a copy is made": Played("back up"),
    "a copy is made of nothing but matches": Played("back up", bare=True),
    "a copy is made without a stick": Played("back up", stick=False),
    "a copy is used": Played("restore", "agree", first=("back up",)),
    "nobody agrees to the copy": Played("restore", first=("back up",)),
    "there is no copy": Played("restore", "agree"),
    "the copy is damaged": Played("restore", "agree", first=("back up",), damaged=True),
    "the copy is of a newer version": Played("restore", "agree", first=("back up",), schema=3),
    "the box does not restart with its copy": Played("restore", "agree", first=("back up",), restarts=False),
    "networks are found": Played("find networks"),
    "the own network is away meanwhile": Played("find networks", radio=OWN),
    "no network is found": Played("find networks", listed=""),
    "the radio cannot search": Played("find networks", fault="wifi list"),
    "a network is joined": Played("join network", DEN),
    "a network is not joined": Played("join network", DEN, radio=OWN, fault="up id house"),
    "the network of before comes back": Played("join network", DEN, before=True, fault="up id house"),
    "the network of before does not come back": Played("join network", DEN, before=True, fault="id house"),
    "nothing can be read": Played("join network", "5"),
    "the box gets a name": Played("name the box", '"Den-2"', "agree"),
    "nobody agrees to the name": Played("name the box", '"den"'),
    "the name is none": Played("name the box", '"den."', "agree"),
    "the box does not restart with its name": Played("name the box", '"den"', "agree", restarts=False),
    "a copy is made though the configuration is wrong": Played("back up", config="[desk]\nprot = 1\n"),
    "the configuration is wrong": Played("update from network", config="[desk]\nprot = 1\n"),
    "the configuration names no address": Played("update from network"),
    "the state is not there": Played("back up", state=False),
    "the program has a fault": Played("find networks", listed=None),
}


@pytest.mark.parametrize("title", STORIES)
def test_a_task_tells_and_does_what_somebody_has_read(
    title: str, box: Box, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed in tasks.txt."""
    story, done = STORIES[title], list[str]()
    how = {"stick": True, "restarts": True, "listed": LISTED, "radio": WIFI, "schema": 4, **story.otherwise}

    def nmcli(*words: str, within_s: float | None = None) -> str:
        done.append(f"nmcli {' '.join(words)}{f' within {within_s:g} s' if within_s else ''}")
        if "fault" in how and str(how["fault"]) in done[-1]:
            raise NoNetwork("nmcli connection up: Secrets were required.")
        if "delete" in words:  # NetworkManager removes its file
            (box.folder / "profiles/house.nmconnection").unlink()
        return str(how["listed"]) if "list" in words and how["listed"] is not None else cast(str, how["listed"])

    def restart(step: Restart) -> None:
        done.append(f"restart, once: {step.once}")
        if not how["restarts"]:
            raise subprocess.CalledProcessError(1, ["systemctl", "reboot"])

    mounted = stick_module.stick

    @contextmanager
    def noted(writable: bool = False) -> Iterator[Path]:
        done.append(f"the stick is mounted{' to write' if writable else ''}")
        with mounted(writable) as folder:
            yield folder

    monkeypatch.setattr(networks, "nmcli", nmcli)
    monkeypatch.setattr(networks, "devices", lambda: [how["radio"]])
    monkeypatch.setattr(networks, "PROFILES", box.folder / "profiles")
    monkeypatch.setattr(networks, "countries", lambda: frozenset({"FR"}))
    monkeypatch.setattr(networks, "use_country", lambda letters: done.append(f"kernel: country {letters}"))
    monkeypatch.setattr(stick_module, "stick", noted)
    monkeypatch.setattr(card_module, "restart", restart)
    monkeypatch.setattr("socket.gethostname", lambda: "club box")
    monkeypatch.setattr("time.time", lambda: 1_763_856_000.5)
    monkeypatch.setattr(Path, "owner", lambda file: "umpi" if "umpi" in file.parts else "root")
    monkeypatch.setattr(Path, "group", Path.owner)
    monkeypatch.setattr("shutil.chown", lambda place, user, group: done.append(f"chown {user}:{group} {place}"))
    box.configure()
    leave(box.journal, play_out(find("quiz"), ("Ann", "Ben"), seed=1))
    if "bare" not in how:
        (box.state / "etc-umpi").mkdir()
        (box.state / "etc-umpi/umpi.toml").write_text("[box]\n")
    if how["stick"]:
        box.stick.mkdir()
    if "bundle" in how:
        file = pack(box.stick, version=cast(Version, how["bundle"]), key=cast(SigningKey, how.get("key", KEY)))
        data = bytearray(file.read_bytes())
        data[1_000_000] ^= "flipped" in how
        file.write_bytes(data)
    if "before" in how:
        (box.folder / "profiles").mkdir()
        (box.folder / "profiles/house.nmconnection").write_text("the network of before")
    for word in story.first:
        assert box.asks(word)[-1].stage == "done"
    if "damaged" in how:
        (copy,) = box.stick.glob("*.tar")
        copy.write_bytes(copy.read_bytes().replace(b"[box]", b"[bax]"))
    present = replace(VERSION, version="1.0", journal_schema=cast(int, how["schema"]))
    monkeypatch.setattr(card_module, "this_version", lambda: present)
    if "config" in how:
        box.config.write_text(str(how["config"]))
    if not how.get("state", True):
        monkeypatch.setattr(tasks_module, "STATE_AT", box.folder / "nowhere")
    done.clear()
    before = box.files
    lines = list[str]()
    for each in box.asks(*story.words):
        lines.append(f"{each.stage}{f' {each.percent} %' if each.percent else ''}: {each.text}")
        lines += [f"    to agree: {each.agree}"] if each.agree else []
        lines += [f"    {network}" for network in each.networks]
        lines += [f"    country {each.country}"] if each.country else []
    after = box.files
    lines += done
    lines += [f"{file}: {'changed' if file in before else 'new'}" for file in after if before.get(file) != after[file]]
    lines += [f"{file}: gone" for file in before if file not in after]
    lines += [f"{file.name} is on the stick" for file in sorted(box.stick.glob("*.tar")) if not story.first]
    now = "\n".join(f"  {line}" for line in lines).replace(f"{box.folder}/", "")
    check_part(SEEN, title, now, STORIES)


def test_a_stick_is_mounted_only_as_long_as_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on it may be run, and what was written is on it before it may be unplugged."""
    monkeypatch.undo()
    done: list[str] = []
    broken: set[str] = set()

    def run(words: list[str], capture_output: bool, text: bool = False) -> subprocess.CompletedProcess[str]:
        assert capture_output
        done.append(" ".join(words).replace(str(tmp_path), ""))
        failed = any(each in done[-1] for each in broken)
        return subprocess.CompletedProcess(words, 32 if failed else 0, "", "busy\ntarget is busy\n" if failed else "")

    monkeypatch.setattr(stick_module, "PLACE", tmp_path / "stick")
    monkeypatch.setattr(stick_module, "partitions_on_usb", lambda: ["sda1", "sdb"])
    monkeypatch.setattr("os.sync", lambda: done.append("sync"))
    monkeypatch.setattr(subprocess, "run", run)
    safe = "nosuid,nodev,noexec,nosymfollow"
    for writable, how, syncs in ((False, "ro", []), (True, "rw", ["sync"])):
        with stick_module.stick(writable) as folder:
            assert (folder, folder.stat().st_mode & 0o777) == (tmp_path / "stick", 0o700)
            assert done == [f"mount -o {how},{safe} /dev/sda1 /stick"]
        assert done[1:] == [*syncs, "umount /stick"]
        done.clear()
    broken |= {"sda1", "umount /"}
    with pytest.raises(RuntimeError), stick_module.stick():
        raise RuntimeError
    assert [line.partition(" /")[0] for line in done] == [f"mount -o ro,{safe}"] * 2 + ["umount", "umount --lazy"]
    broken.add("sdb")
    with pytest.raises(CardFault, match=r"^The USB stick cannot be read: target is busy\.$"), stick_module.stick():
        pass
    monkeypatch.setattr(stick_module, "partitions_on_usb", list)
    with pytest.raises(CardFault, match="no USB stick at the box"), stick_module.stick():
        pass
