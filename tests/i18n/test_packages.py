"""Texts of packages: what players read of a stranger's game is in their language, and `umpi texts` finds all of it."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.kit.seen import check_seen
from umpi.cli import main
from umpi.conformance import texts
from umpi.conformance.catalogue import UNUSED, Catalogue
from umpi.conformance.everywhere import shown_everywhere
from umpi.conformance.new_game import write_package
from umpi.conformance.said import said
from umpi.conformance.tables import tables, variants
from umpi.i18n import translate
from umpi.i18n.packages import PackageTexts, file_of, read
from umpi.i18n.translate import set_language, tr, tr_context, tr_n
from umpi.kernel import registry
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.messages import Who, message
from umpi.kernel.random_games import play
from umpi.kernel.registry import find
from umpi.table.telling import ACT

FOREIGN = Path(__file__).parents[1] / "foreign"
STRANGERS = {
    "blind_market": "BlindMarket", "bold_bids": "BoldBids", "green_light": "GreenLight", "hot_six": "HotSix",
    "night_ferry": "NightFerry", "quiet_high": "QuietHigh",
}  # fmt: skip
SPOKEN = """
[texts]
"Roll" = "Lancer le dé"
"{who} loses the pot: {pot}" = "{who} perd la cagnotte : {pot}"
"{number} card" = ["{number} carte", "{number} cartes"]
"pot" = ""

[words.act]
roll = "lancer"
"""


def look_again() -> None:
    """Find packages and their texts as after a restart of the box."""
    registry.look_again()
    translate._read.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the package snake_eyes, which is installed as `pip install -e` does it."""
    site = tmp_path / "site"
    info = site / "umpi_snake_eyes-0.1.dist-info"
    info.mkdir(parents=True)
    write_package("snake-eyes", tmp_path)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: umpi-snake-eyes\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[umpi.games]\nsnake-eyes = snake_eyes.rules:SnakeEyes\n")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.syspath_prepend(str(tmp_path / "snake-eyes"))
    look_again()
    yield tmp_path / "snake-eyes" / "snake_eyes"
    for name in [name for name in sys.modules if name.split(".")[0] == "snake_eyes"]:
        del sys.modules[name]
    monkeypatch.undo()
    look_again()


def write(folder: Path, code: str, text: str) -> Path:
    file = file_of(folder, code)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_a_package_speaks_the_language_of_the_box(folder: Path) -> None:
    write(folder, "fr", SPOKEN)
    assert "snake_eyes" not in sys.modules, "to read its texts, nothing of a package runs"
    set_language("fr")
    assert tr("Roll") == "Lancer le dé"
    assert tr(message("{who} loses the pot: {pot}", who=Who(0), pot=7), ["Ann"]) == "Ann perd la cagnotte : 7"
    assert [tr_n("{number} card", "{number} cards", number) for number in (0, 1, 2)] == [
        "0 carte", "1 carte", "2 cartes",
    ]  # fmt: skip
    assert tr_context("act", "roll") == "lancer"
    assert tr("pot") == "pot", "what is not translated yet stays English"
    set_language("de")
    assert tr("Roll") == "Roll"
    assert "snake_eyes" not in sys.modules


ENTRIES = (  # of the table [texts], unless they begin with a bracket
    '"Roll" = "Lancer"', '"Roll" = ""', '"Roll" = ["", "x"]', '"{who} rolls" = "{who} lance"',
    '"Roll" = "Lancer {die}"', '"Roll" = "Lancer {b} {a} {c}"', '"{who} rolls" = "Lance"', '"{b} {c} {a}" = "{c}"',
    '"{who} rolls" = "{who"', '"Roll" = 7', '"Roll" = ["a", 7]', '"Roll" = ["a"]', '"Roll" = ["a", "b", "c"]',
    '"Roll" = []', '"Roll" = {}', '"{number} cards" = ["une carte", "{number} cartes"]',
    '"{number} cards" = "des cartes"', '"cards" = ["carte", "{number} cartes"]', '"cards" = "{number} cartes"',
    '"{n:.1} {m}" = ["{m}", "{n} {m}"]', '[]\n"Roll" = "Lancer"', '[]\nwords = 3', '[]\nb = 1\na = 2',
    '[words]\nact = "x"', '[words.act]\nroll = "lancer"', '[words.act]\nroll = "{x}"', '[words.act.more]\nroll = "x"',
    '[]\ntexts = "x"', '[other]\nroll = "x"',
)  # fmt: skip


def test_each_entry_of_a_package_is_read_or_named_as_somebody_has_read(tmp_path: Path) -> None:
    """To add an entry, write it into ENTRIES, and approve what is read."""
    lines = []
    for entry in ENTRIES:
        file = write(tmp_path, "fr", entry.removeprefix("[]\n") if entry.startswith("[") else f"[texts]\n{entry}")
        found, faults = read(tmp_path, "fr")
        lines += [entry.removeprefix("[]\n").replace("\n", "  "), f"    {found}"]
        lines += [f"    {fault.removeprefix(str(file))}" for fault in faults]
    check_seen(Path(__file__).with_name("entries.txt"), lines)


@pytest.mark.parametrize("text", ['[texts]\n"Roll" = 7\n"Bank" = "Garder"\n', "[texts\n"])
def test_a_wrong_text_is_named_and_the_others_count(
    folder: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    file = write(folder, "fr", text)
    found, (fault,) = read(folder, "fr")
    with caplog.at_level(logging.WARNING):
        set_language("fr")
        assert (tr("Roll"), tr("Bank")) == ("Roll", "Garder" if found else "Bank")
    assert fault in caplog.text
    assert caplog.text.count("left in English") == 1
    before = file.read_bytes()
    assert main(["texts", "snake-eyes", "fr"]) == 1
    assert file.read_bytes() == before
    assert "left as it is" in capsys.readouterr().err


def test_rules_that_fail_while_their_texts_are_looked_for_end_in_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def do_roll(*_: object, **__: object) -> Game:
        raise ZeroDivisionError

    monkeypatch.setattr(find("snake-eyes"), "do_roll", do_roll)
    assert main(["texts", "snake-eyes", "fr"]) == 1
    assert 'Snake eyes rules failed on "roll": ZeroDivisionError' in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.slow
def test_the_check_of_a_game_names_a_wrong_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "fr", '[texts]\n"{who} rolls" = "Lance"')
    assert main(["check", "snake-eyes", "--games", "1"]) == 1
    assert "FAILED texts" in (printed := capsys.readouterr().out)
    assert "{who} is missing" in printed


@pytest.mark.slow
def test_the_command_writes_what_the_game_says_and_keeps_what_is_translated(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["texts", "snake-eyes", "fr"]) == 0
    file = file_of(folder, "fr")
    assert capsys.readouterr().out == f"{file}: 0 of 24 texts are translated\n"
    text = file.read_text(encoding="utf-8")
    assert '"{who} loses the pot: {pot}" = ""' in text
    assert '[words."act"]' in text
    assert '"Pause"' not in text, "what Umpi says is translated already"
    file.write_text(text.replace('"Bank" = ""', '"Bank" = "Garder"') + '"steal" = "voler"\n', encoding="utf-8")
    assert main(["texts", "snake-eyes", "fr"]) == 0
    assert '"Bank" = "Garder"' in (again := file.read_text(encoding="utf-8"))
    assert f'# {UNUSED}\n"steal" = "voler"' in again
    assert main(["texts", "snake-eyes"]) == 0
    counts = [line.rpartition(": ")[2] for line in capsys.readouterr().out.splitlines()]
    assert counts == [f"{count} of 24 texts are translated" for count in (1, 1, 0, 0)]


def test_a_game_without_a_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["texts", "dodeka", "fr"]) == 2
    assert "comes with Umpi" in capsys.readouterr().err
    assert main(["texts", "no-such"]) == 2
    with pytest.raises(SystemExit):
        main(["texts", "dodeka", "xx"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["snake_eyes", *STRANGERS])
def test_once_all_is_translated_no_english_is_left(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Translate all that `said` finds. Then other random games show no text without a translation."""
    game = find("snake-eyes") if name == "snake_eyes" else stranger(name, monkeypatch)
    found = said(game)
    write(tmp_path, "fr", "")
    catalogue = Catalogue(game.title, tmp_path, "fr", found)
    for text in found:
        english = [text.english, text.many] if text.many else [text.english]
        catalogue._known[text.context, text.english] = tuple(f"¤{each}" for each in english)
    catalogue.write()
    missed: set[str] = set()

    class Listening(PackageTexts):
        def pgettext(self, context: str, message: str) -> str:
            text = super().pgettext(context, message)
            if not text and not context:
                missed.add(message)
            return text

    monkeypatch.setattr(translate, "PackageTexts", lambda code, _=None: Listening(code, lambda: {game.id: tmp_path}))
    translate._read.cache_clear()
    set_language("fr")
    assert tr(game.title) == f"¤{game.title}"
    show(game)
    own = {"{title} {kind}", "{who}"}  # templates of Umpi that need no translation
    denied = {text for text in missed if text.startswith("not ")}  # without a text of its own it is "not {what}"
    words = {word for text in denied for word in text.split()}
    verbs = {text.english for text in found if text.context == ACT}  # a refusal quotes the record
    left = {text for text in missed - own - denied - words - verbs if any(map(str.isalpha, text))}
    assert [text for text in left if not translate._word(text, translate._catalogue)] == []
    assert len(found) > 8


def stranger(name: str, monkeypatch: pytest.MonkeyPatch) -> type[Game]:
    """Import the game of a stranger, without installing it."""
    monkeypatch.syspath_prepend(str(FOREIGN / name))
    game: type[Game] = getattr(importlib.import_module(name), STRANGERS[name])
    return game


def show(game: type[Game]) -> None:
    """Show positions of random games on the panel and in the forms of phones."""
    for seed, header in enumerate(tables(game, [{}, *variants(game)]), 100):
        match, chance = Match(game, header.players, header.options), Random(seed)
        for number, _ in enumerate(play(match, seed, audited=False)):
            for call in match.calls():
                tr(call.text, match.players)
            if number < 40:
                assert not list(shown_everywhere(match, chance.random))
                list(texts.fitting(match, chance.random))
            else:
                break
