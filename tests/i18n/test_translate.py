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
from tests.kit.seen import check_seen
from umpi.box.config import COLOURS
from umpi.conformance.tables import variants
from umpi.display.entering import Asker
from umpi.display.menu import Dialogue
from umpi.display.names import type_name
from umpi.display.panel import Key, Panel
from umpi.games.dudab_buba.cards import KINDS, short
from umpi.i18n import translate
from umpi.i18n.translate import (
    ENGLISH,
    current_language,
    languages,
    set_language,
    tr,
)
from umpi.journal import Journal, open_to_read, read_lines
from umpi.kernel import messages
from umpi.kernel.fields import Pick
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.messages import message
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
SAID = Path(__file__).with_name("said.txt")
KEYS: tuple[Key, ...] = (0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, "ok", "down", "up", "back")


@pytest.fixture
def pseudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pseudo-language, spoken."""
    speak_pseudo(tmp_path / "tongues", monkeypatch)
    set_language(CODE)


def test_each_text_is_said_in_each_language_as_somebody_has_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To add a text, write it as Python into said.txt, and approve what is read. xx puts what it knows in brackets."""
    texts = [line for line in SAID.read_text(encoding="utf-8").splitlines() if not line.startswith(" ")]
    said: dict[str, dict[str, str]] = {text: {} for text in texts}
    for code in (*languages(), CODE):
        if code == CODE:
            speak_pseudo(tmp_path / "tongues", monkeypatch)
        set_language(code)
        for text, found in said.items():
            found[code] = str(eval(text, {**vars(messages), **vars(translate), "in_words": in_words}))
    lines = []
    for text, found in said.items():
        lines.append(text)
        for way in dict.fromkeys(found.values()):
            lines.append(f"  {' '.join(code for code in found if found[code] == way)}: {way}")
    check_seen(SAID, lines)


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
    assert "That question is closed. {what}" in [message.id for message in found], "a name in an async function"


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
