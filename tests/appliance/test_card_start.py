"""The start of a card: each part that the owner has given is used, and one that fails costs only itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from umpi.appliance import start
from umpi.appliance.card import SAYS, CardFault, sentences
from umpi.appliance.given import Owner, Wifi

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHCqmDh4Yl9gZqmT1mTgXl ann@laptop"
USER_DATA = f"""#cloud-config
hostname: den
timezone: Europe/Budapest
users:
- name: ann
  ssh_authorized_keys:
    - {KEY}
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
IN_USE = "All settings of this partition are in use."
PARTS = {  # what each part gets of the files above
    "mount_state": (), "take_config": (), "take_journal_back": (), "set_host": ("den",),
    "set_zone": ("Europe/Budapest",), "use_country": ("HU",), "write_wifi": (Wifi("Attic", "12345678"),),
    "let_in": (Owner("ann", (KEY,)),),
}  # fmt: skip


class Box:
    """A box whose parts note what they get; those in `broken` fail. The files of its boot partition are real."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.boot, self.broken, self.done = folder, set[str](), dict[str, tuple[Any, ...]]()
        self.progress: list[tuple[int, int]] = []
        monkeypatch.setattr(start, "BOOT_AT", folder)
        monkeypatch.setattr(start, "CONFIG", folder / "etc" / "umpi.toml")
        (folder / SAYS).write_bytes(sentences([]))
        (folder / "etc").mkdir()
        (folder / "etc" / "umpi.toml").write_text("[oled]\n")
        monkeypatch.setattr(start, "writable", nullcontext)
        monkeypatch.setattr(start, "show_progress", lambda box, done, of: self.progress.append((done, of)))
        for part in PARTS:
            monkeypatch.setattr(start, part, self._noting(part))

    def _noting(self, part: str) -> Callable[..., list[str]]:
        def noted(*given: Any) -> list[str]:
            if part in self.broken:
                raise CardFault(f"{part} has failed.")
            self.done[part] = given[: len(PARTS[part])]
            return []

        return noted

    def starts(self, user_data: str = "", network: str = "", custom: str = "") -> bytes:
        """Start with these files of the owner; return what is said to them."""
        for name, text in {"user-data": user_data, "network-config": network, "custom.toml": custom}.items():
            if text:
                (self.boot / name).write_text(text, encoding="utf-8")
        start.start()
        return (self.boot / SAYS).read_bytes()


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    return Box(tmp_path, monkeypatch)


def test_all_that_the_owner_has_given_is_used(box: Box) -> None:
    assert box.starts(user_data=USER_DATA, network=NETWORK) == sentences([IN_USE])
    assert box.done == PARTS
    assert box.progress == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_fails_costs_only_itself_and_says_why(box: Box, part: str) -> None:
    box.broken = {part}
    assert box.starts(user_data=USER_DATA, network=NETWORK) == sentences([f"{part} has failed."])
    assert box.done == {name: given for name, given in PARTS.items() if name != part}


def test_of_two_answers_that_of_imagers_newer_files_counts(box: Box) -> None:
    box.starts(user_data=USER_DATA, network=NETWORK, custom=CUSTOM)
    assert box.done == PARTS


def test_where_the_newer_files_say_nothing_custom_toml_counts(box: Box) -> None:
    box.starts(custom=CUSTOM)
    assert {part: given for part, given in box.done.items() if PARTS[part]} == {
        "set_host": ("other",), "set_zone": ("Europe/Paris",), "use_country": ("FR",),
        "write_wifi": (Wifi("Cellar", "87654321"),),
    }  # fmt: skip


def test_a_file_that_cannot_be_read_costs_nothing_of_the_others(box: Box) -> None:
    said = box.starts(user_data=USER_DATA.replace("den", "den!"), network=NETWORK).decode()
    assert "user-data" in said
    assert box.done["write_wifi"] == PARTS["write_wifi"]
    assert IN_USE not in said


def test_a_start_that_has_nothing_new_to_say_writes_nothing(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.starts()
    monkeypatch.setattr(start, "writable", lambda boot: pytest.fail("the partition was made writable"))
    assert box.starts() == sentences([IN_USE])


def test_a_box_without_a_display_starts_all_the_same(box: Box) -> None:
    (box.boot / "etc" / "umpi.toml").write_text("no settings")
    assert box.starts() == sentences([IN_USE])
    assert box.progress == []


def test_what_a_card_does_not_do_is_said(box: Box) -> None:
    password = "  passwd: secret\n  lock_passwd: false\n"
    assert b"A password opens nothing on this card." in box.starts(user_data=f"users:\n- name: ann\n{password}")
    assert "let_in" not in box.done
