"""What the owner wrote onto the boot partition with Raspberry Pi Imager, compared with what a reader of YAML finds."""

from __future__ import annotations

import ast
import configparser
import dataclasses
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.seen import check_seen
from umpi.appliance.card import SAYS, SAYS_BYTES, say
from umpi.appliance.given import BadGiven, Given, Owner, Wifi, _mapping, read_custom, read_given
from umpi.appliance.profile import write_wifi
from umpi.appliance.start import set_language, take_config
from umpi.box.config import BadConfig
from umpi.box.config_file import read_config

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHCqmDh4Yl9gZqmT1mTgXl ann@laptop"
# the form of the files that Imager 2 writes, with all its settings
USER_DATA = f"""#cloud-config
hostname: den
manage_etc_hosts: true
packages:
- avahi-daemon
apt:
  conf: |
    Acquire {{
      Check-Date "false";
    }};
timezone: Europe/Budapest
keyboard:
  model: pc105
  layout: "hu"
enable_ssh: true
users:
- name: ann
  groups: users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo
  shell: /bin/bash
  lock_passwd: true
  ssh_authorized_keys:
    - {KEY}
    - {KEY}2
  sudo: ALL=(ALL) NOPASSWD:ALL
"""
NETWORK = r"""network:
  version: 2
  wifis:
    wlan0:
      dhcp4: true
      regulatory-domain: "HU"
      access-points:
        "Café \"den\" 2: up":
          hidden: true
          password: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
      optional: true
"""


@pytest.mark.parametrize("text", [USER_DATA, NETWORK, "a:\n- b: 'it''s'\n  c:\n  - d\n  - e\n- f: x\n", "# nothing\n"])
def test_it_is_read_as_yaml(text: str) -> None:
    yaml = pytest.importorskip("yaml")

    def texts(value: object) -> object:
        """Return a value with words in place of true and of numbers, and without the lines of a block."""
        if isinstance(value, dict):
            return {key: texts(each) for key, each in value.items() if key != "conf"}
        if isinstance(value, list):
            return [texts(each) for each in value]
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

    assert texts(_mapping(text, "it")) == texts(yaml.safe_load(text) or {})


def test_what_imager_writes_is_used() -> None:
    wifi = Wifi('Café "den" 2: up', "0123456789abcdef" * 4, hidden=True)
    owner = Owner("ann", (KEY, f"{KEY}2"))
    assert read_given(USER_DATA, NETWORK) == Given("den", "Europe/Budapest", "", wifi, owner, country="HU")


def test_without_files_nothing_is_chosen() -> None:
    assert read_given("", "") == Given()


def test_a_password_opens_nothing_and_that_is_said() -> None:
    text = "users:\n- name: ann\n  passwd: $5$abc\n  lock_passwd: false\nssh_pwauth: true\n"
    given = read_given(text, "")
    assert given.owner is None
    assert given.refused == ("A password opens nothing on this card. Give a public key for SSH.",)


@pytest.mark.parametrize(
    ("user_data", "network", "sentence"),
    [
        ("hostname: -den-", "", "user-data: hostname: expected letters, digits and hyphens, got '-den-'."),
        ("timezone: ../etc/passwd", "", "user-data: timezone: expected for example Europe/Paris, got '../etc/passwd'."),
        ("users:\n- name: root\n", "", "expected a name of small letters, digits and hyphens, got 'root'."),
        ("users:\n- name: ann\n  ssh_authorized_keys:\n  - ssh-dss\n", "", "this is no public key: 'ssh-dss'."),
        ("hostname: x\n   timezone: y\n", "", "user-data, line 2: this line has another indentation"),
        ("hostname: x\nnonsense\n", "", "user-data, line 2: expected KEY: VALUE, got 'nonsense'."),
        ('hostname: "x\n', "", "user-data, line 1: a quotation mark is missing."),
        ("", NETWORK.replace("0123456789abcdef", r"x\nkey="), "has a character that cannot be typed."),
        ("", NETWORK.replace("0123456789abcdef", "x"), "has 8 to 63 characters, this one 4."),
        ("", NETWORK.replace('Café \\"den\\" 2: up', "x" * 40), "a Wi-Fi has a name of 1 to 32 bytes, this one 40."),
    ],
)  # fmt: skip
def test_bad_files_are_named_with_line_and_reason(user_data: str, network: str, sentence: str) -> None:
    with pytest.raises(BadGiven) as bad:
        read_given(user_data, network)
    assert sentence in str(bad.value)


def test_the_profile_of_a_wifi_is_for_root_only(tmp_path: Path) -> None:
    write_wifi(Wifi("Café; =[x]", r"pass \ word", hidden=True), tmp_path)
    file = tmp_path / "card.nmconnection"
    assert file.stat().st_mode & 0o777 == 0o600
    read = configparser.RawConfigParser()
    read.read(file)
    name = bytes(int(each) for each in read["wifi"]["ssid"].rstrip(";").split(";"))
    assert name.decode() == "Café; =[x]"
    assert read["wifi-security"]["psk"] == r"pass\s\\\sword"
    assert read["wifi"]["hidden"] == "true"


def test_an_open_wifi_has_no_secret(tmp_path: Path) -> None:
    write_wifi(Wifi("open", ""), tmp_path)
    assert "security" not in (tmp_path / "card.nmconnection").read_text()


def test_a_valid_umpi_toml_is_used_and_a_bad_one_leaves_the_old(tmp_path: Path) -> None:
    boot, config = tmp_path / "boot", tmp_path / "umpi.toml"
    boot.mkdir()
    take_config(boot, config)
    assert not config.exists()
    (boot / "umpi.toml").write_text("[desk]\nport = 8123\n")
    take_config(boot, config)
    assert config.read_text() == "[desk]\nport = 8123\n"
    (boot / "umpi.toml").write_text("[desk]\nprot = 1\n")
    with pytest.raises(BadConfig, match="prot"):
        take_config(boot, config)
    assert config.read_text() == "[desk]\nport = 8123\n"


def test_the_service_may_read_its_configuration_whatever_the_mask_of_the_start(tmp_path: Path) -> None:
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot/umpi.toml").write_text("[desk]\n")
    before = os.umask(0o077)
    try:
        take_config(tmp_path / "boot", tmp_path / "umpi.toml")
    finally:
        os.umask(before)
    assert (tmp_path / "umpi.toml").stat().st_mode & 0o777 == 0o644


def test_the_box_answers_in_a_file_of_the_same_length(tmp_path: Path) -> None:
    (tmp_path / SAYS).write_bytes(bytes(SAYS_BYTES))
    say(tmp_path, ["There is no time zone X.", "ő" * 5000])
    data = (tmp_path / SAYS).read_bytes()
    assert len(data) == SAYS_BYTES
    assert data.startswith(b"There is no time zone X.\r\n")


CUSTOM = f"""config_version = 1
[system]
hostname = "den"
[user]
name = "ann"
password = "$5$secret"
password_encrypted = true
[ssh]
enabled = true
password_authentication = false
authorized_keys = [ "{KEY}" ]
[wlan]
ssid = "Café den"
password = "paprika7"
password_encrypted = false
hidden = false
country = "HU"
[locale]
keymap = "hu"
timezone = "Europe/Budapest"
"""


def test_what_imager_1_8_writes_is_used() -> None:
    wifi, owner = Wifi("Café den", "paprika7"), Owner("ann", (KEY,))
    assert read_custom(CUSTOM) == Given("den", "Europe/Budapest", "", wifi, owner, country="HU")
    assert read_custom("") == Given()
    assert read_custom(CUSTOM.replace("enabled = true", "enabled = false")).owner is None, (
        "SSH only if it was asked for"
    )


def test_a_locale_is_a_language_if_umpi_has_it() -> None:
    assert read_given("locale: fr_FR.UTF-8\n", "").language == "fr"
    assert read_given("locale: pt_BR.UTF-8\n", "").language == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[system", "custom.toml: not TOML"),
        (CUSTOM.replace('"den"', '"den!"'), "custom.toml: hostname: expected letters"),
        (CUSTOM.replace('"Europe/Budapest"', '"../etc"'), "custom.toml: timezone: expected"),
        (CUSTOM.replace("paprika7", "short"), "custom.toml: the passphrase of Café den has 8 to 63"),
        (CUSTOM.replace('"ann"', '"root"'), "custom.toml: users: expected a name"),
        (CUSTOM.replace(KEY, "rm -rf /"), "custom.toml: ssh_authorized_keys: this is no public key"),
    ],
)
def test_a_wrong_custom_toml_says_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(BadGiven, match=why):
        read_custom(text)


@pytest.mark.parametrize("before", ["[box]\n\n[desk]\n", "[desk]\n", "", "[box] # mine\nplayers = ['Ann']\n"])
def test_the_language_of_imager_is_the_first_one_of_the_box(before: str, tmp_path: Path) -> None:
    config = tmp_path / "umpi.toml"
    config.write_text(before)
    set_language("fr", config)
    assert read_config(config).language == "fr"
    written = config.read_text()
    set_language("de", config)
    assert config.read_text() == written, "a language that somebody has chosen stays"
    assert [each.name for each in tmp_path.iterdir()] == ["umpi.toml"]


def test_a_wrong_configuration_stays_as_it_is(tmp_path: Path) -> None:
    config = tmp_path / "umpi.toml"
    config.write_text("[box]\nlanguage_ = 7\n")
    with pytest.raises(BadConfig):
        set_language("fr", config)
    assert config.read_text() == "[box]\nlanguage_ = 7\n"


# All of what may stand in these files

SEEN = Path(__file__).with_name("given.txt")
READERS: dict[str, Callable[[str], Given]] = {
    "user-data": lambda text: read_given(text, ""), "network-config": lambda text: read_given("", text),
    "custom.toml": read_custom,
}  # fmt: skip


def outcomes(cases: list[str]) -> Iterator[str]:
    """Yield each file with what is read of it."""
    for case in cases:
        file, _, text = case.partition(" ")
        try:
            found = dataclasses.asdict(READERS[file](ast.literal_eval(text).replace("KEY", KEY)))
            outcome = ", ".join(f"{name} {value}" for name, value in found.items() if value) or "nothing"
        except BadGiven as fault:
            outcome = f"refused: {fault}"
        yield case
        yield f"    {outcome}".replace(KEY, "KEY")


def test_each_file_of_an_owner_is_read_or_refused_as_somebody_has_read() -> None:
    """To add a file, write a line into given.txt. After a change on purpose: set UMPI_APPROVE=1, run this, and read."""
    lines = SEEN.read_text(encoding="utf-8").splitlines()
    now = list(outcomes([line for line in lines if not line.startswith("    ")]))
    check_seen(SEEN, now)
