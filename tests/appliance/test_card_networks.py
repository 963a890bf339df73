"""The Wi-Fi of a house at the menu of a card: what is listed, each refusal with its sentence, and the way back."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest

from umpi.appliance import networks, start
from umpi.appliance import tasks as tasks_module
from umpi.appliance.card import CardFault
from umpi.appliance.country import acknowledged, family_in, keep_country, kept_country, request
from umpi.appliance.name import KEPT, kept_name
from umpi.appliance.slots import Restart
from umpi.recording.values import read_value
from umpi.referee.events import CardNews
from umpi.service.card_line import AGREE
from umpi.table.card import FoundNetwork
from umpi.wifi.nmcli import Device, NoNetwork

LISTED = "guests:55:\nCaf\\: den:40:WPA2\n::WPA2\nCaf\\: den:81:WPA2\nwork:90:WPA2 802.1X\n:70:WPA2\n"
WRONG = "nmcli connection up: Connection activation failed: Secrets were required, but not provided."


class House:
    """NetworkManager in a house: its radio, the country of the kernel, and why it does not connect."""

    def __init__(self, folder: Path) -> None:
        self.profiles, self.state = folder / "profiles", folder
        self.radio: list[Device] = [Device("wlan0", "wifi", "disconnected", "")]
        self.calls: list[str] = []
        self.country = self.fault = ""
        self.listed = LISTED

    def nmcli(self, *words: str, within_s: float | None = None) -> str:
        said = " ".join(words)
        self.calls.append(said)
        if self.fault and said.endswith("up id house"):
            raise NoNetwork(self.fault)
        return self.listed if "list" in words else ""

    def use_country(self, letters: str) -> None:
        self.country = letters

    def asks(self, *lines: str) -> CardNews:
        """Send lines over a connection, and return the last news that comes back."""
        told = io.BytesIO()
        tasks_module.serve(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), told)
        news = read_value(json.loads(told.getvalue().splitlines()[-1]))
        assert isinstance(news, CardNews)
        return news

    def joins(self, name: str, password: str, country: str = "FR") -> CardNews:
        return self.asks("join network", json.dumps([name, password, country]))

    @property
    def file(self) -> Path:
        return self.profiles / "house.nmconnection"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    house = House(tmp_path)
    monkeypatch.setattr(networks, "nmcli", house.nmcli)
    monkeypatch.setattr(networks, "devices", lambda: house.radio)
    monkeypatch.setattr(networks, "use_country", house.use_country)
    monkeypatch.setattr(networks, "countries", lambda: frozenset({"FR", "HU"}))
    monkeypatch.setattr(networks, "PROFILES", house.profiles)
    monkeypatch.setattr(tasks_module, "STATE_AT", tmp_path)
    monkeypatch.setattr(tasks_module, "CONFIG", tmp_path / "umpi.toml")
    return house


def test_the_strongest_network_is_first_and_what_cannot_be_joined_is_left_out(house: House) -> None:
    keep_country(house.state, "HU")
    news = house.asks("find networks")
    assert news.networks == (FoundNetwork("Caf: den"), FoundNetwork("guests", open=True))
    assert (news.stage, news.country) == ("done", "HU")


def test_joining_keeps_the_network_and_the_country_for_the_next_starts(house: House) -> None:
    news = house.joins("Café den", "paprika 7")
    assert (news.stage, news.text) == ("done", "The box is in Café den. Its address is under Network.")
    assert (house.country, kept_country(house.state)) == ("FR", "FR")
    text = house.file.read_text()
    assert "psk=paprika\\s7" in text
    assert "autoconnect-priority=1" in text
    assert house.file.stat().st_mode & 0o777 == 0o600


def test_the_password_is_in_no_log_and_on_no_command_line(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    house.fault = WRONG
    assert "paprika" not in house.joins("den", "paprika7").text
    assert "paprika" not in caplog.text + "".join(house.calls)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (WRONG, "The password of den is wrong. Try again."),
        ("nmcli connection up: The Wi-Fi network could not be found.", "den is out of reach now."),
        ("nmcli connection up: no answer within 45 s.", "den does not answer."),
        ("nmcli connection up: IP configuration could not be reserved.", "den does not answer."),
        ("nmcli connection up: NetworkManager is not running.", "The box is not in den: nmcli"),
    ],
)
def test_who_cannot_join_reads_why_and_has_the_network_of_before(house: House, fault: str, sentence: str) -> None:
    house.joins("before", "paprika7", "HU")
    before = house.file.read_bytes()
    house.fault = fault
    news = house.joins("den", "12345678")
    assert news.stage == "failed"
    assert news.text.startswith(sentence)
    assert (house.file.read_bytes(), kept_country(house.state)) == (before, "HU")
    assert house.file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("on", "back"), [("umpi", "umpi"), ("house", "house")])
def test_who_cannot_join_is_in_the_network_of_before_again(house: House, on: str, back: str) -> None:
    """The box offers its own Wi-Fi where the network that it knows is out of reach: nobody could reach it else."""
    house.joins("before", "paprika7")
    house.radio = [Device("wlan0", "wifi", "connected", on)]
    house.calls.clear()
    house.fault = WRONG
    house.joins("den", "12345678")
    raised = [call.removeprefix("connection up id ") for call in house.calls if call.startswith("connection up")]
    assert raised == [back]
    assert any(call.startswith("connection load") for call in house.calls[-2:]), "and it knows the network of before"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ('["den", "short", "FR"]', "8 to 63 characters"),
        ('["den", "12345678\\n[wifi]", "FR"]', "8 to 63 characters"),
        ('["den", "12345678", ""]', "Choose the country first"),
        ('["den", "12345678", "XX"]', "There is no country XX."),
        ('["", "12345678", "FR"]', "cannot read"),
        ('["den", 12345678, "FR"]', "cannot read"),
        ("nothing", "cannot read"),
        ("5", "cannot read"),
        ('["\\ud800", "12345678", "FR"]', "cannot read"),
        ('["den", "12345678", "FR", "more"]', "cannot read"),
        ("", "cannot read"),
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(house: House, given: str, sentence: str) -> None:
    news = house.asks("join network", given)
    assert news.stage == "failed"
    assert sentence in news.text
    assert (house.calls, house.country, house.profiles.exists()) == ([], "", False)


@pytest.mark.parametrize("task", ["find networks", "join network"])
def test_a_box_whose_radio_is_missing_or_off_says_so(house: House, task: str) -> None:
    words = (task, '["den", "12345678", "FR"]')
    house.radio = [Device("wlan0", "wifi", "unavailable", "")]
    assert "The Wi-Fi of the box is off." in house.asks(*words).text
    house.radio = [Device("eth0", "ethernet", "connected", "wired")]
    assert house.asks(*words).text == "There is no Wi-Fi in this box."


def test_each_network_is_listed_once_by_the_strongest_of_its_stations() -> None:
    """Else the network of the house could come after the neighbour's, or fall off the end of the list."""
    listed = "house:30:WPA2\nnext door:55:WPA2\nhouse:80:WPA2\nhouse:20:WPA2\nfar:20:\n"
    assert [each.name for each in networks.networks_in(listed)] == ["house", "next door", "far"]


def test_no_network_around_is_said(house: House) -> None:
    assert networks.networks_in("::\n:70:WPA2\n") == ()
    house.listed = ""
    assert house.asks("find networks").text.startswith("The box finds no Wi-Fi.")


# The country


def test_the_kernel_is_told_the_country_as_its_headers_have_it() -> None:
    """By linux/genetlink.h and linux/nl80211.h, for a family with the number 0x1d. No radio has heard it yet."""
    assert request(0x1D, 27, 33, b"FR\0").hex() == "1c0000001d0005000000000000000000" + "1b010000" + "0700210046520000"
    family = bytes.fromhex("20000000100000000000000000000000" + "01020000" + "06000100" + "1d000000")
    assert family_in(family) == 0x1D
    acknowledged(bytes.fromhex("24000000020000000000000000000000" + "00000000"))
    with pytest.raises(OSError, match="No such file"):
        acknowledged(bytes.fromhex("24000000020000000000000000000000" + "feffffff"))
    for broken in (b"", family[:20], family[:24]):
        with pytest.raises(OSError, match="Protocol error"):
            family_in(broken)


# The name of a box, chosen at the menu of a card: kept once somebody agrees, and used at each start.


@pytest.fixture
def restarts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Restart]:
    found: list[Restart] = []
    monkeypatch.setattr(tasks_module.cards, "restart", found.append)
    monkeypatch.setattr(tasks_module, "STATE_AT", tmp_path)
    monkeypatch.setattr(tasks_module, "CONFIG", tmp_path / "umpi.toml")
    return found


def asks(*lines: str) -> list[str]:
    """Send lines over a connection, and return the stages that come back, and the last text."""
    answer = io.BytesIO()
    tasks_module.serve(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), answer)
    reports = [json.loads(line) for line in answer.getvalue().splitlines()]
    return [*(str(each["stage"]) for each in reports), json.dumps(reports[-1])]


def test_a_name_counts_once_somebody_agrees(restarts: list[Restart], tmp_path: Path) -> None:
    *stages, last = asks("name the box", '"den-2"')
    assert stages == ["asks"]
    assert '"name": "den-2"' in last
    assert (kept_name(tmp_path), restarts) == ("", [])
    *stages, _ = asks("name the box", '"den-2"', AGREE)
    assert stages == ["asks", "busy", "done"]
    assert (kept_name(tmp_path), restarts) == ("den-2", [Restart(once=False)])


@pytest.mark.parametrize("name", ["", "-den", "den-", "my den", "den.local", "a\\n", 64 * "a", "ſ", "\u212a"])
def test_no_other_name_is_kept(restarts: list[Restart], tmp_path: Path, name: str) -> None:
    for given in (f'"{name}"', "5", ""):
        *stages, last = asks("name the box", given, AGREE)
        assert stages == ["failed"]
        assert "letters, digits and hyphens" in last
    assert (kept_name(tmp_path), restarts) == ("", [])


@pytest.mark.parametrize(("kept", "used"), [(b"attic\n", "attic"), (b"-\n", "den"), (b"\xff", "den")])
def test_the_chosen_name_is_preferred_to_that_of_imager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bytes, used: str
) -> None:
    names: list[str] = []
    (tmp_path / KEPT).write_bytes(kept)
    (tmp_path / "user-data").write_text("hostname: den\n")
    monkeypatch.setattr(start, "BOOT_AT", tmp_path)
    monkeypatch.setattr(start, "CONFIG", tmp_path / "umpi.toml")
    monkeypatch.setattr(start, "set_host", names.append)
    for part in ("mount_state", "_show_progress", "_say"):
        monkeypatch.setattr(start, part, lambda *given: None)
    start.start()
    assert names == [used]


@pytest.mark.parametrize(("name", "password"), [
    ("den", ""), ("den", "x" * 8), ("den", "x" * 63), ("n" * 32, "a ~ b ~ c"), ("é" * 16, ""),
])  # fmt: skip
def test_a_name_and_a_password_as_wpa_allows_them_are_taken(house: House, name: str, password: str) -> None:
    chosen = networks.read_chosen(json.dumps([name, password, "FR"]).encode())
    assert (chosen.name, chosen.password) == (name, password)


@pytest.mark.parametrize(("name", "password", "why"), [
    ("den", "x" * 7, "8 to 63"), ("den", "x" * 64, "8 to 63"), ("den", "passwörter", "8 to 63"),
    ("den", "tab\tinside", "8 to 63"), ("", "", "cannot read which"), ("n" * 33, "", "cannot read which"),
    ("é" * 17, "", "cannot read which"),
])  # fmt: skip
def test_others_are_refused(house: House, name: str, password: str, why: str) -> None:
    with pytest.raises(CardFault, match=why):
        networks.read_chosen(json.dumps([name, password, "FR"]).encode())
