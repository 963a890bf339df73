"""The wording for the ear: no sign reaches the voice, lists and plurals are those of the language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.lists import format_list
from babel.plural import to_python

from scripts.screens.positions import positions
from scripts.texts.catalogues import po_files, read
from umpi.conformance.calls import called
from umpi.conformance.now import instructed
from umpi.display.aloud import READ, aloud
from umpi.display.modes import spoken, spoken_key
from umpi.display.panel import Panel
from umpi.display.spoken import sentences, state_of
from umpi.i18n.packages import PackageTexts, file_of
from umpi.i18n.translate import languages, set_language, tr
from umpi.kernel.calls import Call
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.messages import Name, Who, listed, message, message_n
from umpi.kernel.now import Now
from umpi.kernel.registry import games
from umpi.table.seating import Seating

PLAYERS = ("Ann", "Ben", "Cleo", "Dana")
CLDR = {"en": "en_GB"}  # British English has no comma before "and"


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_no_sign_reaches_the_voice(game: type[Game]) -> None:
    """Random games of all variants: calls, the question, each key and the state, in each language."""
    heard: set[str] = set()
    for match, _ in positions(game):
        panel = Panel([game])
        panel.show(match, Seating(game, match.players, tuple(range(len(match.players)))))
        for code in languages():
            set_language(code)
            heard |= set(_of(match, panel))
    assert len(heard) > 20
    assert {text for text in heard if READ.sub("", text)} == set()


def _of(match: Match, panel: Panel) -> Iterator[str]:
    """Yield the texts of a position as the box speaks them, and the calls as phones speak them: as they are."""
    screen = panel.screen()
    yield from (tr(call.text) for call in match.calls())
    yield sentences(spoken(screen))
    yield state_of(match)
    yield from (spoken_key(screen, key) for key in range(6))


@pytest.mark.parametrize(
    "text", ["20-29", "7x2", "3/0", "set 1/3", "0 +27", "-4", "💨19-9", "15 ms", "Stop / Go", "= 4"]
)
def test_signs_become_words_in_each_language(text: str) -> None:
    for code in languages():
        set_language(code)
        assert not set("-/x+=💨") & set(aloud(text)), (code, aloud(text))


@pytest.mark.parametrize("number", range(1, 5))
def test_names_are_listed_as_the_language_lists_them(number: int) -> None:
    names = PLAYERS[:number]
    for code in languages():
        set_language(code)
        assert tr(listed([Name(name) for name in names])) == format_list(names, locale=CLDR.get(code, code))


def test_each_catalogue_and_package_has_the_plural_forms_of_its_language(tmp_path: Path) -> None:
    """Hungarian words stay singular after a number, but CLDR gives them two forms."""
    for code, file in po_files():
        catalogue, translated = read(file, code), file_of(tmp_path, code)
        translated.parent.mkdir(exist_ok=True)
        translated.write_text('[texts]\n"{number} card" = ["{number} one", "{number} other"]', encoding="utf-8")
        package = PackageTexts(code, lambda: {"cards": tmp_path})
        rule = to_python(catalogue.locale.plural_form)
        for number in range(200):
            form = eval(catalogue.plural_expr.replace("&&", "and"), {}, {"n": number})
            assert int(form) == (rule(number) != "one"), (code, number)
            assert package.ngettext("{number} card", "", number) == f"{{number}} {rule(number)}", (code, number)


@pytest.mark.parametrize("number", ["3", 3.0, True, None])
def test_a_plural_needs_a_whole_number(number: object) -> None:
    with pytest.raises(TypeError, match="expected a whole number, got"):
        message_n("{number} card", "{number} cards", number)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="third argument"):
        message_n("{number} card", "{number} cards", 3, number=4)


def test_umpi_check_finds_signs_that_no_voice_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(each for each in games() if each.id == "scorepad")
    match = next(match for match, _ in positions(game) if match.acts)
    assert [flaw.why for flaw in (*called(match, lambda: 0.5), *instructed(match, lambda: 0.5))] == []
    monkeypatch.setattr(game, "calls", lambda self, before, act: (Call("moved", message("{who} → A1", who=Who(0))),))
    monkeypatch.setattr(game, "now", lambda self: Now(message("Roll ⚄ or pass.")))
    flaws = [flaw.why for flaw in (*called(match, lambda: 0.5), *instructed(match, lambda: 0.5))]
    assert flaws == [
        'The call "moved" contains "→", which a voice cannot read; expected words.',
        'The sentence of now() for the ear contains "⚄", which a voice cannot read: use voice=….',
    ]
