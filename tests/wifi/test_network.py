"""The box's network by a fake nmcli: a real program on the PATH, its faults by their names."""

from __future__ import annotations

import json
import re
import shutil
import socket
import stat
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.patience import got
from tests.kit.seen import check_part
from umpi.cli import main
from umpi.referee.events import Reach
from umpi.web.address import address
from umpi.wifi import nmcli as asking
from umpi.wifi.nmcli import NoNetwork, fields, nmcli
from umpi.wifi.own import LETTERS, Own, commands, own_network
from umpi.wifi.reach import address_of, connected, find_reach, reach, wait

HERE = Path(__file__).parent
IDLE = ["wlan0", "wifi", "disconnected", ""]
AT_HOME = ["wlan0", "wifi", "connected", "preconfigured"]
OTHERS = [["lo", "loopback", "connected (externally)", "lo"], ["p2p-dev-wlan0", "wifi-p2p", "disconnected", ""]]
HOME = {"preconfigured": {"802-11-wireless.ssid": "Rosie's: 5 GHz"}}


class NetworkManager:
    """The world of the fake nmcli, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.program, self._file = folder / "nmcli", folder / "world.json"
        self.program.write_text(f"#!{sys.executable}\n{(HERE / 'fake_nmcli.py').read_text()}")
        self.program.chmod(0o755)
        self.is_like()

    def is_like(self, *devices: list[str], **found: Any) -> None:
        """Be in another world: by default there is one Wi-Fi device, in no network."""
        world = {"devices": [*(devices or (IDLE,)), *OTHERS], "profiles": HOME, "fault": "", "calls": []}
        self._file.write_text(json.dumps({**world, "connects_after": 999, "starts_after": 0, **found}))

    @property
    def world(self) -> Any:
        return json.loads(self._file.read_text())

    @property
    def calls(self) -> list[str]:
        return [" ".join(words) for words in self.world["calls"]]


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NetworkManager:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return NetworkManager(folder)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the box keeps its own network; not even the folder is there."""
    return tmp_path / "box" / "network.json"


class Clock:
    """Time that passes only while somebody sleeps; in seconds."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_name_and_passphrase_are_made_once_and_only_the_box_may_read_them(file: Path) -> None:
    own = own_network(file)
    assert own_network(file) == own
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(own.passphrase) == 12
    assert set(own.passphrase) <= set(LETTERS)
    assert own.name.startswith("umpi-")


def test_each_box_has_its_own(tmp_path: Path) -> None:
    assert len({own_network(tmp_path / str(box) / "network.json").passphrase for box in range(9)}) == 9


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "\udcff", '{"name": "umpi"}', '{"name": "umpi", "passphrase": "short"}'),
        *('{"name": 3, "passphrase": "12345678"}', '{"name": "", "passphrase": "12345678"}'),
    ],
)
def test_a_spoilt_file_is_named_and_no_other_passphrase_is_made_in_silence(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(NoNetwork, match=r"network\.json: expected a name and a passphrase"):
        own_network(file)
    assert file.read_bytes() == text.encode(errors="surrogateescape")


@pytest.mark.parametrize(("name", "passphrase", "fits"), [
    ("u", 8 * "p", True), (32 * "u", 63 * "p", True), (16 * "é", 8 * "p", True), (33 * "u", 8 * "p", False),
    (17 * "é", 8 * "p", False), ("u", 7 * "p", False), ("u", 64 * "p", False), ("u", 8 * "é", False),
])  # fmt: skip
def test_the_limits_of_wpa2_are_those_of_the_file(file: Path, name: str, passphrase: str, fits: bool) -> None:
    file.parent.mkdir()
    file.write_text(json.dumps({"name": name, "passphrase": passphrase}))
    with nullcontext() if fits else pytest.raises(NoNetwork):
        assert own_network(file) == Own(name, passphrase)


def test_a_place_where_nothing_can_be_kept_is_named(tmp_path: Path) -> None:
    (tmp_path / "box").write_text("no folder")
    with pytest.raises(NoNetwork, match="box"):
        own_network(tmp_path / "box" / "network.json")


@pytest.mark.slow
def test_a_network_that_comes_late_is_waited_for(manager: NetworkManager, clock: Clock) -> None:
    manager.is_like(connects_after=12)
    device = wait(30, clock, clock.sleep)
    assert device is not None
    assert device.profile == "preconfigured"
    assert clock.now_s == 112


def test_a_network_that_never_appears_is_reported_as_failed(manager: NetworkManager, clock: Clock) -> None:
    assert wait(5, clock, clock.sleep) is None
    assert clock.now_s == 105


def test_a_network_manager_that_starts_late_is_waited_for(manager: NetworkManager, clock: Clock) -> None:
    manager.is_like(AT_HOME, starts_after=3)
    assert wait(30, clock, clock.sleep) is not None
    assert clock.now_s == 103


def test_a_network_that_never_starts_is_reported(manager: NetworkManager, clock: Clock) -> None:
    manager.is_like(fault="not running")
    with pytest.raises(NoNetwork, match="systemctl enable --now NetworkManager"):
        wait(5, clock, clock.sleep)
    assert clock.now_s == 105


def test_without_networkmanager_its_package_is_named(manager: NetworkManager) -> None:
    manager.program.unlink()
    with pytest.raises(NoNetwork, match="sudo apt install network-manager"):
        connected()


def test_a_program_that_cannot_be_run_is_reported(manager: NetworkManager) -> None:
    manager.program.write_text("#!/nowhere/python\n")
    manager.program.chmod(0o755)
    with pytest.raises(NoNetwork):
        connected()
    manager.program.write_text("\0")
    with pytest.raises(NoNetwork, match="nmcli device status: Exec format error"):
        connected()


def test_nmcli_speaks_english_to_the_box_whatever_the_language(
    manager: NetworkManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "hu_HU.UTF-8")
    manager.program.write_text("#!/bin/sh\necho $LC_ALL\n")
    assert nmcli("general") == "C\n"


def test_the_network_is_read_in_another_thread(manager: NetworkManager, file: Path) -> None:
    from queue import Queue

    posted: Queue[Reach] = Queue()
    manager.is_like(AT_HOME)
    find_reach(file, posted.put)
    assert got(posted) == Reach("Rosie's: 5 GHz")


def test_the_address_of_an_interface_is_found() -> None:
    assert address_of("lo") == "127.0.0.1"
    assert address_of("nowhere0") == ""


def test_phones_find_the_page_in_a_network_that_leads_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box's own Wi-Fi has no route to the Internet, from which its address could be read."""

    def no_way(*_: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", no_way)
    monkeypatch.setattr("umpi.wifi.reach.address_of", {"lo": "127.0.0.1", "eth0": "", "wlan0": "10.42.0.1"}.get)
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo"), (2, "eth0"), (3, "wlan0")])
    assert address("0.0.0.0", 8000) == "http://10.42.0.1:8000/"


@given(st.lists(st.text(st.characters(exclude_characters="\n\r")), min_size=1))
def test_whatever_a_network_is_called_nmcli_is_read_right(values: list[str]) -> None:
    line = ":".join(value.replace("\\", "\\\\").replace(":", "\\:") for value in values)
    assert fields(line) == values


def run(capfd: pytest.CaptureFixture[str], folder: Path, *words: str) -> tuple[int, str, str]:
    """Run `umpi network`, the journal in a folder."""
    status = main(["network", *words, "--journal", str(folder / "games.db")])
    printed = capfd.readouterr()
    return status, printed.out, printed.err


OWN = Own("umpi-7f3a", "k7mw9xqd2hfp")
CABLE = ["eth0", "ethernet", "connected", "Wired connection 1"]
AT_ONCE, IF_NONE = "--offer", "--offer --wait 0"
WORLDS: dict[str, tuple[list[list[str]], dict[str, str], tuple[str, ...]]] = {  # devices, more, the words of commands
    "one Wi-Fi device, in no network": ([IDLE], {}, ("", IF_NONE, AT_ONCE, "")),
    "at home": ([AT_HOME], {}, ("", "--offer --wait 30", AT_ONCE)),
    "a cable": ([CABLE, IDLE], {}, ("", IF_NONE, AT_ONCE)),
    **{
        f"a cable that is {state}": ([[*CABLE[:2], state, CABLE[3]]], {}, ("",))
        for state in ("connecting (getting IP configuration)", "disconnected", "deactivating")
    },
    "a Wi-Fi device that is off": ([["wlan0", "wifi", "unavailable", ""]], {}, (AT_ONCE,)),
    "a Wi-Fi device of somebody else": ([["wlan0", "wifi", "unmanaged", ""]], {}, (AT_ONCE,)),
    "no Wi-Fi device": ([["eth0", "ethernet", "disconnected", ""]], {}, (AT_ONCE,)),
    **{
        f"nmcli is {fault}": ([], {"fault": fault}, (AT_ONCE,))
        for fault in ("refused", "no dnsmasq", "not running", "garbage", "dead", "slow")
    },
}


@pytest.mark.parametrize("world", WORLDS)
def test_what_the_network_of_the_box_does_in_each_world_is_as_somebody_has_read_it(
    manager: NetworkManager, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    world: str,
) -> None:  # fmt: skip
    """What `umpi network` prints, what it asks of nmcli, and what phones get.

    After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed. Protected management frames are
    off because of raspberrypi/linux 3619.
    """
    devices, more, commands = WORLDS[world]
    manager.is_like(*devices, **more)
    file, lines = tmp_path / "network.json", list[str]()
    file.write_text(json.dumps(asdict(OWN)))
    monkeypatch.setattr("umpi.cli.network.address_of", {"eth0": "192.168.4.9"}.get)
    if slow := more == {"fault": "slow"}:
        monkeypatch.setattr(asking, "ANSWER_S", 0.3)  # perhaps too short for the program to note what it is asked
    for words in commands:
        before = len(manager.calls)
        status, out, err = run(capfd, tmp_path, *words.split())
        assert OWN.passphrase not in err, "an error is shown to everybody"
        lines += [f"umpi network {words} → {status}", *(f"  {line}" for line in (out + err).splitlines())]
        lines += [f"  asks nmcli {call}" for call in manager.calls[before:] if not slow]
    lines += [f"profile {name} {settings}" for name, settings in manager.world["profiles"].items()]
    check_part(HERE / "network.txt", world, "\n".join([*lines, f"phones get {reach(file)}"]), WORLDS)


def test_a_dry_run_asks_nothing_and_makes_nothing(
    manager: NetworkManager, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capfd, tmp_path, "--offer", "--dry-run")
    assert status == 0
    add, up = out.splitlines()
    assert add.startswith("nmcli connection add type wifi ifname '*' con-name umpi ")
    assert up == "nmcli --wait 30 connection up umpi"
    assert manager.calls == []
    assert not (tmp_path / "network.json").exists()


@pytest.mark.parametrize("words", [["--wait", "3"], ["--dry-run"]])
def test_words_that_go_with_an_offer_are_refused_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert run(capfd, tmp_path, *words)[0] == 2


@pytest.mark.skipif(not shutil.which("nmcli"), reason="nmcli is not here; get it with: apt install network-manager")
def test_nmcli_itself_accepts_the_arguments() -> None:
    """Without NetworkManager: --offline only checks the settings and prints the profile."""
    add, _ = commands(Own("umpi-7f3a", "k7mw9xqd2hfp"))
    modify, _ = commands(Own("umpi-8000", "another1"), known=True)
    del modify[2]  # offline it comes by standard input, not by its name
    made = ""
    for words, ssid, psk in ((add, "umpi-7f3a", "k7mw9xqd2hfp"), (modify, "umpi-8000", "another1")):
        done = subprocess.run(["nmcli", "--offline", *words], input=made, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        made = done.stdout
        wanted = {f"ssid={ssid}", f"psk={psk}", "mode=ap", "method=shared", "pmf=1", "autoconnect=false"}
        assert wanted <= set(made.splitlines())


def test_the_service_is_a_command_there_is(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    unit = (HERE.parent.parent / "firmware" / "system" / "umpi-network.service").read_text(encoding="utf-8")
    started = re.search(r"^ExecStart=\S+/umpi network (.*) --config \S+$", unit, re.MULTILINE)
    assert started
    assert run(capfd, tmp_path, *started[1].split(), "--dry-run")[0] == 0
