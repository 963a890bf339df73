"""The box in other languages: every text that it shows is translated, and the collection misses none."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

import pytest

from scripts.texts.catalogues import TEMPLATE, collected, compiled, po_files, read
from tests.kit.pseudo import CODE, shown, speak_pseudo, untranslated
from tests.kit.rig import Rigs
from umpi.box.config import COLOURS
from umpi.conformance.tables import variants
from umpi.display.entering import Asker
from umpi.display.menu import Dialogue
from umpi.display.names import type_name
from umpi.display.panel import Key, Panel
from umpi.games.dudab_buba.cards import KINDS, short
from umpi.i18n.translate import (
    ENGLISH,
    Translated,
    current_language,
    languages,
    player_label,
    set_language,
    tr,
    tr_context,
    tr_n,
)
from umpi.journal import Journal, open_to_read, read_lines
from umpi.kernel.fields import Pick
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.messages import Name, Who, listed, message, named, spaced
from umpi.kernel.random_games import play
from umpi.kernel.registry import find, games
from umpi.referee.announcement import Announcement
from umpi.referee.health import in_words
from umpi.table.names import PlayerNames
from umpi.table.seating import Seating
from umpi.table.state import Table, TableState
from umpi.timing.funnel import Funnel

CATALOGUES = [(code, file) for code, file in po_files() if file.with_suffix(".mo").exists()]  # those that are offered
NAMES = ("Katy", "Kévin", "Christelle", "Zoë", "Ernő", "Rosie")
KEYS: tuple[Key, ...] = (0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, "ok", "down", "up", "back")


@pytest.fixture
def pseudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pseudo-language, spoken."""
    speak_pseudo(tmp_path / "tongues", monkeypatch)
    set_language(CODE)


def test_english_texts_stay_unchanged() -> None:
    sentence = message("{who} has left.", who=Who(1))
    assert tr(sentence, ["Ann", "Ben"]) == "Ben has left."
    assert (tr(sentence), str(sentence)) == ("player 1 has left.", "seat 1 has left.")
    assert tr("Undo: {verb}", verb="throw") == "Undo: throw"
    assert [tr_n("{number} cube", "{number} cubes", count) for count in (1, 2)] == ["1 cube", "2 cubes"]
    assert tr("no {placeholder} here") == "no {placeholder} here"
    assert player_label("Red 2") == "Red 2"


def test_a_template_and_its_values_are_translated(pseudo: None) -> None:
    assert tr("Undo: {verb}", verb="keep") == "«Undo: «keep»»"
    assert tr_n("{number} cube", "{number} cubes", 1) == "«1 cube»"
    assert tr_n("{number} cube", "{number} cubes", 3) == "«3 cubes»"


def test_a_sentence_inside_a_sentence_is_translated_and_names_are_kept(pseudo: None) -> None:
    where = listed([message("in {who}’s hand", who=Who(0)), message("in {who}’s pile", who=Who(1))])
    sentence = message("{card} is already {places}.", card="fire-4", places=where)
    translated = "««fire»-4 is already ««in Ann’s hand» and «in «Red»’s pile»».»"
    assert tr(sentence, ["Ann", "Red"]) == translated
    assert tr(named(sentence, ["Ann", "Red"])) == translated, "a refusal bears the names"
    assert tr(spaced([message("Take it back."), "fire-4"])) == "«Take it back.» «fire»-4"


def test_a_value_is_translated_by_parts_if_all_parts_are_known(pseudo: None) -> None:
    assert tr("fire-4") == "«fire»-4"
    assert tr("fire-4 water-0, air-1") == "«fire»-4 «water»-0, «air»-1"
    assert tr("colour:red") == "«colour»:«red»"
    assert tr("fire-engine") == "fire-engine"
    assert tr("OSError: no such fire") == "OSError: no such fire"


def test_a_device_error_is_shown_without_its_port(pseudo: None) -> None:
    port = "/dev/serial/by-id/usb-1"
    reason = message("{port}: {reason}", port=port, reason=message("the sensor head restarted"))
    unread = message("Card scanner at {port}: {fault}.", port=port, fault="OSError: [Errno 5] broken")
    strange = message("Whose cube is this? {why} Press your button.", why=message("It is too bright to tell."))
    assert tr(in_words(reason)) == "«The sensor head restarted.»"
    assert tr(in_words(unread)) == "«Card scanner: OSError: [Errno 5] broken.»"
    assert tr(in_words(strange)) == "«Whose cube is this? «It is too bright to tell.» Press your button.»"
    assert tr(in_words("OSError: no luma")) == "OSError: no luma.", "the system's words stay as they are"


def test_the_cause_of_a_journal_fault_is_translated(pseudo: None, tmp_path: Path) -> None:
    path = tmp_path / "box" / "games.db"
    path.parent.write_text("in the way")
    with closing(Journal(path)) as journal:
        path.parent.unlink()
        path.parent.mkdir()
        path.write_bytes(b"no database" * 100)
        assert not journal.save()
        assert tr(journal.trouble).startswith(f"«{path} is not an Umpi journal: file is not a database. Move it")


def test_a_lost_edge_is_translated_with_its_number(pseudo: None) -> None:
    funnel = Funnel(["lane_1"])
    funnel.lost(3, 0)
    announcement = Announcement(funnel)
    announcement.before = 0
    table = Seating(find("quiz"), NAMES[:2], (0, 1))
    assert announcement.doubt
    assert tr(announcement.doubt.text(table)) == "«3 signals lost.»"


def test_a_catalogue_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    set_language("fr")
    monkeypatch.setattr("gettext.GNUTranslations", None)
    for code in ("en", "fr"):
        set_language(code)
        assert current_language() == code


def test_yes_and_no_have_words_of_their_own_where_a_language_has_them(pseudo: None) -> None:
    asker = Asker(NAMES)
    known, foreign = (next(asker.pick(Pick(name, (True, False)), "", "")) for name in ("right", "odd"))
    assert [choice.label for choice in known.choices] == ["«right»", "«not right»"]
    assert [choice.label for choice in foreign.choices] == ["odd", "«not odd»"], "of a game that has no catalogue"


def test_short_names_of_cards_are_translated_and_unique() -> None:
    for code in languages():
        set_language(code)
        shorts = [tr(short(card)) for card in KINDS]
        assert len(set(shorts)) == len(KINDS), code
        assert max(map(len, shorts)) <= 5, code
    set_language("de")
    assert [tr(short(card)) for card in ("green-club-3", "shaman-red", "dudab")] == ["grK3", "S.ro", "Dud"]


def test_a_name_is_no_word_but_a_colour_is(pseudo: None) -> None:
    assert tr("Change {name}", name=Name("fire")) == "«Change fire»"
    assert (player_label("Red"), player_label("Red 2"), player_label("Red Baron"), player_label("throw")) == (
        "«Red»", "«Red» 2", "Red Baron", "throw",
    )  # fmt: skip


def test_a_word_may_mean_something_else_as_an_act_or_an_option_s_value(pseudo: None) -> None:
    assert tr_context("act", "throw") == "«throw»"
    assert tr("throw") == "throw", "it is no word elsewhere"
    assert tr_context("early", "counts") == "«counts»"
    assert tr_context("early", "none") == "«none»", "a word like any other"


def test_a_translated_text_is_not_translated_again(pseudo: None) -> None:
    assert tr(tr("keep")) == "«keep»"
    assert tr("Undo: {verb}", verb=Translated("draw")) == "«Undo: draw»"


def test_a_language_without_a_catalogue_is_not_offered_and_english_is_spoken(pseudo: None) -> None:
    assert languages() == ["en", CODE]
    set_language("fr")
    assert current_language() == "en"
    assert tr("throw") == "throw"


@pytest.mark.slow
@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_no_text_of_a_game_is_missed(game: type[Game], pseudo: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games with every option: what the screens show, presses into menus, rules and refusals among it."""
    with shown(monkeypatch) as texts:
        for seed, options in enumerate([{}, *variants(game)]):
            seats = (game.seats[0], min(game.seats[-1], 6))[seed % 2]
            if not game.objection(seats, **options):
                _play(Match(game, NAMES[:seats], options), seed)
    missed = sorted({rest for text in texts if (rest := untranslated(text, NAMES))})
    assert not missed
    assert len(texts) > 100


@pytest.mark.slow
def test_no_text_before_a_game_is_missed(pseudo: None, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(1)
    typed: set[str] = set()

    def typing(taken: Collection[str]) -> Dialogue[str]:
        name = yield from type_name(taken)
        typed.add(name)
        return name

    monkeypatch.setattr("umpi.display.names.type_name", typing)
    with shown(monkeypatch) as texts:
        for _ in range(60):
            panel = Panel(games(), Table(TableState(names=PlayerNames(tuple(NAMES)))))
            _press(panel, chance, 40)
        game = games()[0]
        table = Seating(game, NAMES[:2], (0, 1))
        for open in (None, Match(game, table.players)):
            panel.welcome(open, table)
            panel.picture()
        errors = {message("Screen"): message("Lamps show whose turn it is.")}
        panel.table.become(replace(panel.table.state, unsaved="full", device_errors=errors))
        panel.picture()
    names = [*NAMES, *sorted(typed, key=len, reverse=True)]
    missed = sorted({rest for text in texts if (rest := untranslated(text, names))})
    assert not missed
    assert {"«Which game?»", "«Players?»", "«Options»", "«Language»"} <= texts


@pytest.mark.slow
def test_the_template_is_up_to_date() -> None:
    """`./scripts/dev texts --update` writes it."""
    kept, found = read(TEMPLATE, "en"), collected()
    assert {_key(message) for message in found} == {_key(message) for message in kept}


def _key(message: Any) -> tuple[Any, Any]:
    return message.id, message.context


def test_the_box_uses_the_compiled_translation() -> None:
    """`./scripts/dev texts --compile` makes it."""
    for code, file in CATALOGUES:
        assert file.with_suffix(".mo").read_bytes() == compiled(read(file, code)), code


def test_a_language_that_is_offered_is_whole() -> None:
    for code, file in CATALOGUES:
        catalogue = read(file, code)
        open_ones = [message.id for message in catalogue if message.id and (message.fuzzy or not _is_whole(message))]
        assert open_ones == [], code
        known, own = ({_key(message) for message in texts} for texts in (read(TEMPLATE, "en"), catalogue))
        assert own <= known if code == ENGLISH else own == known, code


def _is_whole(message: Any) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


@pytest.mark.parametrize(("code", "file"), list(po_files()))
def test_a_translation_has_the_values_of_its_text(code: str, file: Path) -> None:
    for entry in read(file, code):
        if not entry.id or not any(entry.string):
            continue
        one, *rest = entry.id if isinstance(entry.id, tuple) else (entry.id,)
        for put in entry.string if isinstance(entry.string, tuple) else (entry.string,):
            assert _values(put) in [_values(text) for text in (one, *rest)], (entry.id, put)


def _values(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_the_language_is_chosen_at_the_box_and_kept(rigs: Rigs, pseudo: None) -> None:
    set_language("en")
    box = rigs()
    assert box.shows("Which game?")
    page, row = divmod(len(games()) + 1, 6)  # after the lessons
    box.press(" ".join(["down"] * page + [COLOURS[row]]))
    assert box.shows("Language", "English", "Pseudo"), box.screen
    box.press("blue")
    assert box.shows("«Which game?»"), box.screen
    rigs.switch_off()
    set_language("en")
    assert rigs().shows("«Which game?»"), "after a restart too"


def test_the_language_is_chosen_in_mid_game_and_the_record_stays_english(
    rigs: Rigs, in_play: Any, pseudo: None
) -> None:
    box = in_play()
    box.press("back", ms=1000)
    box.press("down")
    box.choose("Language: English")
    box.press("blue")
    assert box.shows("dice?»"), box.screen
    box.press("red red red ok")
    assert box.acts == ["throw", "stop"]
    with closing(open_to_read(box.loop.journal.path)) as file:
        written = read_lines(file, 1)
    assert '"do":"throw"' in written[0].replace(" ", "")
    assert "«" not in "".join(written)


def test_umpi_toml_names_the_language_the_box_begins_with(rigs: Rigs, pseudo: None) -> None:
    set_language("en")
    assert rigs(language=CODE).shows("«Which game?»")


def _play(match: Match, seed: int) -> None:
    """Look at many positions of a game, press at random in each, then let the game go its own way."""
    chance = Random(seed)
    table = Seating(match.game, match.players, tuple(range(len(match.players))))
    panel = Panel([match.game], Table(TableState(names=PlayerNames(tuple(NAMES)))))
    panel.show(match, table)
    for number, _ in enumerate(play(match, seed, audited=False)):
        if number < 12 or number % 40 == 0 or not match.asks:
            panel.show(match, table)
            _press(panel, chance, 8)
            panel.show(match, table)
            panel.press("back", long=True)
            _press(panel, chance, 4)
        if number > 1200:
            break


def _press(panel: Panel, chance: Random, times: int) -> None:
    panel.picture()
    for _ in range(times):
        panel.press(chance.choice(KEYS), long=chance.random() < 0.1)
        panel.picture()
