"""Every screen of the box in every language equals its golden picture, and every kind of screen is among them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import coverage
import pytest
from PIL import Image

from scripts.screens.full import fullest
from scripts.screens.gallery import Screen, scenarios, screens_in
from scripts.screens.golden import FACE, PICTURES, SAID, golden_of, said_of, sheets
from scripts.screens.sheets import compared, differing, read_golden, write_golden
from scripts.texts.fit import cut_in_gallery, cut_in_games, play_gallery
from umpi.conformance.texts import Cut, collect_cuts
from umpi.display import screens, tiles
from umpi.display.menu import Choice, Menu
from umpi.i18n.translate import ENGLISH, LANGUAGES, current_language, set_language

HOW = "Look: ./scripts/dev screens --differ; if all is as it should be: ./scripts/dev screens --golden"
DRAWN = coverage.Coverage(data_file=None, include=[screens.__file__, tiles.__file__], config_file=False)


def played(language: str) -> dict[str, Screen]:
    """The screens of the gallery of a language."""
    return gallery_of(language)[0]


@lru_cache
def gallery_of(language: str) -> tuple[dict[str, Screen], list[Cut]]:
    """The gallery of a language, played once for all tests, and the texts that it cuts."""
    if language != ENGLISH:
        return play_gallery(language)
    parts = [in_english(scenario) for scenario in scenarios()]
    shown = {name: screen for played, _ in parts for name, screen in played.items()}
    return shown, [cut for _, cuts in parts for cut in cuts]


@lru_cache
def in_english(scenario: Path) -> tuple[dict[str, Screen], list[Cut]]:
    """The screens of a scenario, and the texts that it cuts. DRAWN has the lines of the drawing it went through."""
    with DRAWN.collect(), collect_cuts() as cuts:
        played = screens_in(scenario)
    return played, cuts


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda file: file.stem)
def test_every_screen_of_a_scenario_is_golden(scenario: Path) -> None:
    """In English, with what the voice says and what phones get; a scenario is quick."""
    golden, (played, _) = read_golden(golden_of(ENGLISH)), in_english(scenario)
    now = {name: screen.image for name, screen in played.items()}
    names = differing({name: golden[name] for name in golden.keys() & now}, now)
    assert not names, f"Screens of {scenario.name} that differ: {', '.join(names)}. {HOW}"
    assert not [line for line in said_of(played) if line not in SAID.read_text(encoding="utf-8").splitlines()], HOW


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_is_golden(language: str) -> None:
    gallery = played(language)
    now = {name: screen.image for name, screen in gallery.items()} | fullest(language)
    names = differing(read_golden(golden_of(language)), now)
    differences = [
        f"{gallery[name].scenario}.txt: {name}" if name in gallery else name + " (gone)" * (name not in now)
        for name in names
    ]
    assert not names, f"Screens in {LANGUAGES[language]} that differ: {', '.join(differences)}. {HOW}"


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_cut(language: str) -> None:
    """In random games and in the gallery; the players have the names of their colours."""
    _, cuts = gallery_of(language)
    try:
        assert cut_in_games(language) + cut_in_gallery(language, cuts) == []
    finally:
        set_language(ENGLISH)


@pytest.mark.slow
def test_the_gallery_goes_through_every_line_that_draws() -> None:
    gallery_of(ENGLISH)
    for module in (screens, tiles):
        _, _, _, lacking, _ = DRAWN.analysis2(module.__file__)
        lacking = [line for line in lacking if line in _in_functions(module)]
        assert not lacking, f"No picture of tests/screens needs these lines of {module.__file__}: {lacking}"


def _in_functions(module: ModuleType) -> set[int]:
    """The lines that run when a function is called, not when its file is read."""
    nodes = ast.walk(ast.parse(inspect.getsource(module)))
    bodies = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return {line for body in bodies for line in range(body.body[0].lineno, (body.end_lineno or 0) + 1)}


@pytest.mark.slow
def test_the_gallery_has_every_kind_of_question() -> None:
    menus = [screen.menu for screen in played(ENGLISH).values()]
    assert {kind for menu in menus for kind in _kinds(menu)} == {
        field.name for of in (Menu, Choice) for field in fields(of)
    }
    assert {menu.span for menu in menus} == {1, 2, 3, 6}
    assert any(menu.pages > 1 for menu in menus)


def _kinds(menu: Menu) -> Iterator[str]:
    """Yield the fields of a question and its choices that differ from their defaults."""
    parts: tuple[Any, ...] = (menu, *menu.choices)
    for part in parts:
        for field in fields(part):
            if getattr(part, field.name) != field.default:
                yield field.name


@pytest.mark.slow
def test_other_languages_show_the_same_screens() -> None:
    """A scenario that goes astray in one language would show another question under the same name."""
    asked = {name: len(screen.menu.choices) for name, screen in played(ENGLISH).items()}
    for language in LANGUAGES:
        assert {name: len(screen.menu.choices) for name, screen in played(language).items()} == asked, language
        assert {screen.language for screen in played(language).values()} == {language}
    assert current_language() == ENGLISH


def test_a_golden_sheet_reads_back_as_it_was_written(tmp_path: Any) -> None:
    images = {f"screen-{number}": Image.new("1", (128, 64), number % 2) for number in range(10)}
    images["screen-3"].putpixel((127, 63), 0)
    write_golden(tmp_path / "sheet.png", images)
    assert differing(read_golden(tmp_path / "sheet.png"), images) == []
    images["screen-3"].putpixel((0, 0), 0)
    del images["screen-4"]
    assert differing(read_golden(tmp_path / "sheet.png"), images | {"new": images["screen-1"]}) == [
        "new", "screen-3", "screen-4",
    ]  # fmt: skip


def test_changed_screens_are_drawn_side_by_side() -> None:
    blank, lit = Image.new("1", (128, 64)), Image.new("1", (128, 64), 1)
    sheet = compared(blank, lit, scale=1)
    high = sheet.height - 64
    assert [bool(sheet.getpixel((x * (128 + 8) + 64, high + 32))) for x in range(3)] == [False, True, True]
    assert compared(None, lit).size == compared(lit, None).size


@pytest.mark.slow
def test_the_pictures_of_the_pages_show_the_screens_of_today() -> None:
    assert set(FACE) <= played(ENGLISH).keys()
    drawn = sheets({name: screen.image for name, screen in played(ENGLISH).items()})
    for name, sheet in drawn.items():
        with Image.open(PICTURES / name) as kept:
            same = kept.size == sheet.size and kept.convert("RGB").tobytes() == sheet.convert("RGB").tobytes()
        assert same, f"{name} shows other screens. Draw it again: ./scripts/dev screens"
