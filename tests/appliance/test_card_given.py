"""What the owner wrote onto the boot partition with Raspberry Pi Imager, compared with what a reader of YAML finds."""

from __future__ import annotations

import ast
import configparser
import dataclasses
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.seen import check_seen
from umpi.appliance import start
from umpi.appliance.card import SAYS, SAYS_BYTES, say
from umpi.appliance.given import BadGiven, Given, Wifi, _mapping, read_custom, read_given
from umpi.appliance.profile import write_wifi
from umpi.appliance.start import set_language, take_config
from umpi.box.config import BadConfig
from umpi.box.config_file import read_config
from umpi.shelf.installed import FOLDER, Installed, Packages

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHCqmDh4Yl9gZqmT1mTgXl ann@laptop"
SEEN = Path(__file__).with_name("given.txt")
CASES = [line for line in SEEN.read_text(encoding="utf-8").splitlines() if not line.startswith("    ")]
WHOLE = [  # the form of the files that Imager 2 writes, with all its settings
    ast.literal_eval(case.partition(" ")[2]) for case in CASES if "#cloud-config" in case or "dhcp4: true" in case
]


@pytest.mark.parametrize("text", [*WHOLE, "a:\n- b: 'it''s'\n  c:\n  - d\n  - e\n- f: x\n", "# nothing\n"])
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


@pytest.fixture
def boot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The boot partition of a card that keeps its matches in this folder."""
    monkeypatch.setattr(start, "JOURNAL", tmp_path / "games.db")
    (tmp_path / "boot").mkdir()
    return tmp_path / "boot"


RULES = '[rules.{game}]\ngame = "{game}"\noptions = {{ target = 0 }}\n'
NO_OPTION = "umpi.toml, line 2: [options] targt: no installed game has such an option. Did you mean target?"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[desk]\nprot = 1\n", "prot"),
        (RULES.format(game="dodeka"), "target"),
        (RULES.format(game="night-owls"), "night-owls"),
        ("[options]\ntargt = 500\n", re.escape(NO_OPTION)),
        ('[options]\ntarget = "many"\n', r"umpi\.toml, line 2: \[options\] target: .+ refuses it\. Option"),
        ('[options]\nboard = "@ours.json"\n', r"umpi\.toml, line 2: .*ours\.json"),
        ('[options]\ntarget = "@/etc/target.json"\n', r"target.*target\.json"),
        ('[options]\ntarget = "@sub/target.json"\n', "put the file beside umpi.toml"),
        ('[box]\njournal = "/srv/games.db"\n', "a card keeps its matches in"),
        ('box.name = "Den"\n', "write the section"),
    ],
)
def test_an_umpi_toml_that_the_service_would_refuse_leaves_the_old(text: str, why: str, boot: Path) -> None:
    """Else the box would not start, or would look for its matches where no update and no copy does."""
    config = boot.parent / "umpi.toml"
    config.write_text("[desk]\n")
    (boot / "sub").mkdir()
    (boot / "sub/target.json").write_text("500")
    (boot / "umpi.toml").write_text(text)
    with pytest.raises(BadConfig, match=why):
        take_config(boot, config)
    assert config.read_text() == "[desk]\n"
    assert {each.name for each in boot.parent.iterdir()} == {"boot", "umpi.toml"}


def test_a_valid_umpi_toml_is_used_with_the_journal_of_a_card_and_the_files_that_it_names(boot: Path) -> None:
    config = boot.parent / "umpi.toml"
    take_config(boot, config)
    assert not config.exists()
    (boot / "target.json").write_text("500")
    for box in ("", "[box] # ours\nname = 'Den'\n", f'[box]\njournal = "{boot.parent}/others.db"'):
        text = f'[options]\ntarget = "@target.json"\n[desk]\nport = 8123\n{box}'
        (boot / "umpi.toml").write_text(text, encoding="utf-8-sig", newline="\r\n")  # as Windows saves it
        take_config(boot, config)
        read = read_config(config)
        assert read.desk
        assert (read.desk.port, read.options) == (8123, {"target": 500})
        assert read.journal == boot.parent / ("others.db" if "others" in box else "games.db")
    (boot / "target.json").write_text("600")
    take_config(boot, config)
    assert read_config(config).options == {"target": 600}
    written = config.stat().st_ino
    take_config(boot, config)
    assert config.stat().st_ino == written, "a start writes nothing that is there"


def test_what_games_of_a_shelf_take_is_left_to_the_service(boot: Path) -> None:
    """They are not loaded here."""
    config = boot.parent / "umpi.toml"
    shelf = Installed("1.0", "night_owls-1.0", "0" * 64, "https://example.org/", ("night-owls",))
    packages = Packages(boot.parent / FOLDER)
    with packages.new_folder() as new:
        packages.add("night-owls", shelf, new, lambda state: "")
    (boot / "umpi.toml").write_text(f"[options]\nowls = 3\n{RULES.format(game='night-owls')}")
    take_config(boot, config)
    assert "night-owls" in config.read_text()


def test_the_service_may_read_its_configuration_whatever_the_mask_of_the_start(boot: Path) -> None:
    (boot / "umpi.toml").write_text("[desk]\n")
    before = os.umask(0o077)
    try:
        take_config(boot, boot.parent / "umpi.toml")
    finally:
        os.umask(before)
    assert (boot.parent / "umpi.toml").stat().st_mode & 0o777 == 0o644


def test_the_box_answers_in_a_file_of_the_same_length(tmp_path: Path) -> None:
    (tmp_path / SAYS).write_bytes(bytes(SAYS_BYTES))
    say(tmp_path, ["There is no time zone X.", "ő" * 5000])
    data = (tmp_path / SAYS).read_bytes()
    assert len(data) == SAYS_BYTES
    assert data.startswith(b"There is no time zone X.\r\n")


@pytest.mark.parametrize(
    "before", ["[box]\n\n[desk]\n", "[desk]\n", "\ufeff[box]\n", "", "[box] # mine\nplayers = ['Ann']\n"]
)
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
    check_seen(SEEN, outcomes(CASES))
