"""Write the manual in every language: play each of its questions on the virtual box, and draw the pictures.

Each file of firmware/docs/manual is a question of players. It has a title, and parts with a text in each language. The
steps of a part are those of a scenario and of `./scripts/dev screens`; a part without a text prepares the next one.
`contents.toml` lists the chapters and their questions.

In texts, and in the words of steps, these are resolved in the language of the reader:

  {Past matches}           a label of the box. The screen must show it while the steps of the part are played
  {act|guess}              a label with the context of its translation
  {phone: Start}           a label of the page for phones
  <ok> <back> <up> <down>  a button. The steps of the part must press it

`choose "{Past matches}"` presses the choice with this label. `picture NAME` puts the screen below the text of the part.

  ./scripts/dev manual           write the pages and the pictures
  ./scripts/dev manual --check   change nothing; exit with status 1 if a page or picture is not up to date
"""

from __future__ import annotations

import argparse
import asyncio
import io
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

from scripts import REPO
from scripts.screens.gallery import Gallery
from scripts.texts.catalogues import TEMPLATE, read
from scripts.texts.terms import TERMS
from umpi.box.config import Config
from umpi.display.modes import spoken
from umpi.display.spoken import sentences
from umpi.i18n.translate import ENGLISH, LANGUAGES, set_language, tr, tr_context
from umpi.simulator.player import NoPicture, SimulatedPlayer
from umpi.simulator.reading import reads
from umpi.simulator.script import words_of
from umpi.simulator.steps import StepFault

FOLDER = REPO / "firmware" / "docs" / "manual"
PAGES = REPO / "firmware" / "docs"
PICTURES = REPO / "firmware" / "pictures" / "manual"
PLAYERS = ("Katy", "Kévin", "Zsófia")  # who is known to the box
SCALE = 3  # pixels per dot of the screen
LABEL = re.compile(r"{([^{}]+)}")
BUTTON = re.compile(r"<(ok|back|up|down)>")
PHONE = "phone: "
NOTE = "<!-- ./scripts/dev manual writes this page from firmware/docs/manual. Do not edit it by hand. -->\n"


class ManualFault(Exception):
    """Report a part of the manual that is not true, or not complete: its place and the reason."""


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph of a question in each language, and the steps that prove it. Without texts it only prepares."""

    play: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A question of players: the name of its file, its title in each language, and its parts."""

    name: str
    titles: Mapping[str, str]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen below a part: its dots, and its words for readers who do not see it."""

    image: Image.Image
    words: str

    @property
    def enlarged(self) -> Image.Image:
        """Return the picture as a page shows it."""
        return self.image.resize((self.image.width * SCALE, self.image.height * SCALE))


class Played(Gallery):
    """The steps of one question: those of the gallery of screens, with labels in place of words of one language.

    `seen` contains each screen of the present part, `pressed` its buttons, and `pictures` those to keep.
    """

    def __init__(self, playing: SimulatedPlayer) -> None:
        super().__init__(playing, FOLDER / "contents.toml")
        self.verbs["expect"] = self._expect
        self.seen: dict[bytes, Image.Image] = {}
        self.pressed: set[str] = set()
        self.pictures: dict[str, Picture] = {}

    def begin(self) -> None:
        """Begin a part."""
        self.seen, self.pressed, self.pictures = {}, set(), {}
        self._look()

    async def take(self, verb: str, words: list[str]) -> None:
        """Run one step with its labels resolved."""
        await super().take(verb, [LABEL.sub(lambda found: label(found[1]), word) for word in words])
        self._look()

    def shows(self, text: str) -> bool:
        """Return whether a screen of the part shows a text."""
        return any(reads(picture, text) for picture in self.seen.values())

    async def _choose(self, words: list[str]) -> None:
        for word in words:
            if word.isdecimal():
                await super()._choose([word])
                continue
            menu, page = self._question(f"choose {word}")
            labels = [str(choice.label) for choice in menu.choices]
            if word not in labels:
                raise StepFault(f"choose {word}: {menu.title} has {', '.join(labels)}.")
            await self._tap(menu, page, labels.index(word))

    async def _pressed(self, button: str, for_ms: int) -> None:
        self.pressed.add(button)
        await super()._pressed(button, for_ms)
        self._look()

    def _keep(self, words: list[str]) -> None:
        super()._keep(words)
        screen = self.playing.box.referee.panel.screen()
        texts = [str(tr(screen.call.text))] if screen.call else spoken(screen)
        spaced = re.sub(
            r" (?=[:;?!])", "\u00a0", sentences(texts)
        )  # a voice has no use for the no-break space of French
        self.pictures[words[0]] = Picture(self.screens[words[0]].image, spaced)

    def _look(self) -> None:
        picture = self.playing.box.picture().convert("1")
        self.seen[picture.tobytes()] = picture


@cache
def known() -> frozenset[tuple[str | None, str]]:
    """Return each text of the box, with the context of its translation."""
    messages = (message for message in read(TEMPLATE, ENGLISH) if message.id)
    return frozenset((message.context, str(message.id)) for message in messages)


def label(reference: str) -> str:
    """Return a label in the language of the box. Raises ManualFault if the box has no such text."""
    context, bar, text = reference.removeprefix(PHONE).rpartition("|")
    if (context if bar else None, text) not in known():
        raise ManualFault(f"{{{reference}}}: the box has no such text.")
    return str(tr_context(context, text) if bar else tr(text))


def read_question(name: str) -> Question:
    """Read a question. Raises ManualFault if a language is missing, or has other labels or buttons than English."""
    words = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    parts = tuple(_part(name, each) for each in words["part"])
    return Question(name, in_all_languages(name, words["title"]), parts)


def in_all_languages(place: str, texts: Mapping[str, str]) -> Mapping[str, str]:
    """Return texts by language. Raises ManualFault if one is missing, or has other labels or buttons than English."""
    if texts.keys() != LANGUAGES.keys():
        raise ManualFault(f"{place}: expected {', '.join(LANGUAGES)}, got {', '.join(texts)}.")
    for language, text in texts.items():
        for pattern in (LABEL, BUTTON):
            if {*pattern.findall(text)} != {*pattern.findall(texts[ENGLISH])}:
                raise ManualFault(f"{place}: {language} has other labels or buttons than English: {text}")
    return texts


def _part(name: str, words: dict[str, Any]) -> Part:
    play = words.pop("play", "")
    return Part(play, in_all_languages(name, words) if words else {})


async def _play(question: Question, language: str) -> list[dict[str, Picture]]:
    """Play the parts of a question; return the pictures of each. Raises ManualFault."""
    with tempfile.TemporaryDirectory() as folder:
        playing = SimulatedPlayer(Config(journal=Path(folder) / "games.db", players=PLAYERS, language=language))
        try:
            await playing.wait_until_shown()
            played = Played(playing)
            return [await _play_part(played, part, f"{question.name} in {language}") for part in question.parts]
        finally:
            playing.close()


async def _play_part(played: Played, part: Part, place: str) -> dict[str, Picture]:
    played.begin()
    for line in part.play.splitlines():
        if words := words_of(place, line):
            try:
                await played.take(words[0], words[1:])
            except (StepFault, NoPicture, ManualFault) as fault:
                raise ManualFault(f"{place}: {line}: {fault}") from None
    text = part.texts.get(ENGLISH, "")
    for reference in LABEL.findall(text):
        shown = label(reference)
        if not reference.startswith(PHONE) and not played.shows(shown):
            raise ManualFault(f"{place}: no screen of its part shows {{{reference}}}: {shown}")
    if part.play and (missing := {*BUTTON.findall(text)} - played.pressed):
        raise ManualFault(f"{place}: its part presses no {', '.join(sorted(missing))}: {text}")
    return played.pictures


def manual(language: str) -> tuple[str, dict[str, Image.Image]]:
    """Play the manual in a language; return its page, and its pictures by file name. Raises ManualFault."""
    contents = tomllib.loads((FOLDER / "contents.toml").read_text(encoding="utf-8"))
    pictures: dict[str, Image.Image] = {}
    set_language(language)
    try:
        page = "".join(_page(contents, language, pictures))
    finally:
        set_language(ENGLISH)
    return page, pictures


def _page(contents: dict[str, Any], language: str, pictures: dict[str, Image.Image]) -> Iterator[str]:
    others = (f"[{name}]({file_of(code).name})" for code, name in LANGUAGES.items() if code != language)
    colon = contents["colon"][language]
    names = {button: texts[language] for button, texts in contents["button"].items()}

    def written(text: str) -> str:
        text = LABEL.sub(lambda found: f"*{label(found[1])}*", text.strip("\n"))
        return BUTTON.sub(lambda found: f"**{names[found[1]]}**", text)

    chapters = [
        (in_all_languages("contents", chapter["title"])[language], [*map(read_question, chapter["questions"])])
        for chapter in contents["chapter"]
    ]
    yield f"{NOTE}# {contents['title'][language]}\n\n{' · '.join(others)}\n\n"
    yield f"{written(in_all_languages('contents', contents['intro'])[language])}\n"
    for title, questions in chapters:
        titles = (_title(each, language) for each in questions)
        yield f"\n{title}{colon} {' · '.join(f'[{each}](#{_slug(each)})' for each in titles)}\n"
    for title, questions in chapters:
        yield f"\n## {title}\n"
        for question in questions:
            kept = asyncio.run(_play(question, language))
            pictures |= {f"{name}.{language}.png": picture.enlarged for each in kept for name, picture in each.items()}
            texts = [written(part.texts[language]) if part.texts else "" for part in question.parts]
            yield f"\n### {_title(question, language)}\n{_body(texts, kept, language)}"
    words = contents["glossary"]
    yield f"\n## {words['title'][language]}\n\n"
    explained = [term for term in tomllib.loads(TERMS.read_text(encoding="utf-8"))["term"] if "about" in term]
    terms = [(term[language], in_all_languages(term["en"], term["about"])[language]) for term in explained]
    for term, about in sorted(terms, key=lambda term: _plain(term[0])):
        yield f"- {term}{colon} {written(about)}\n"


def _title(question: Question, language: str) -> str:
    """Return the title of a question in the current language."""
    return LABEL.sub(lambda found: f"*{label(found[1])}*", question.titles[language])


def _body(texts: Sequence[str], kept: Sequence[Mapping[str, Picture]], language: str) -> str:
    """Return the paragraphs of a question. A picture comes after the list that its part belongs to."""
    item = re.compile(r"\d+\. |- ")
    lines, waiting = list[str](), list[str]()
    for before, text, pictures in zip(["", *texts], texts, kept, strict=False):
        if text:
            listed = bool(item.match(before) and item.match(text))
            if not listed:
                lines += waiting
                waiting = []
            lines.append(f"{'' if listed else chr(10)}{text}\n")
        waiting += [
            f"\n![{picture.words}](../pictures/{PICTURES.name}/{name}.{language}.png)\n"
            for name, picture in pictures.items()
        ]
    return "".join((*lines, *waiting))


def _slug(heading: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def _plain(word: str) -> str:
    """Return a word for sorting: in lower case, each letter with an accent behind the letter without."""
    return word.lower().translate(str.maketrans("áàâäéèêëíîïóöőôúùûüűç", "aaaaeeeeiiioooouuuuuc"))


def file_of(language: str) -> Path:
    """Name the page of a language."""
    return PAGES / ("manual.md" if language == ENGLISH else f"manual.{language}.md")


def png(image: Image.Image) -> bytes:
    """Return a picture as the bytes of a PNG with one bit per pixel."""
    file = io.BytesIO()
    image.convert("1").save(file, "PNG", optimize=True)
    return file.getvalue()


def stale(language: str) -> list[str]:
    """List what is not up to date in a language: the page, a picture that differs, is missing or is no longer used."""
    page, pictures = manual(language)
    kept = {file.name: file for file in PICTURES.glob(f"*.{language}.png")}
    differ = [name for name in pictures.keys() | kept.keys() if not _same(pictures.get(name), kept.get(name))]
    differs = file_of(language).read_text(encoding="utf-8") != page
    return [file_of(language).name] * differs + sorted(differ)


def _same(image: Image.Image | None, file: Path | None) -> bool:
    if image is None or file is None:
        return False
    with Image.open(file) as kept:
        return kept.size == image.size and kept.convert("1").tobytes() == image.convert("1").tobytes()


def _write(language: str) -> None:
    page, pictures = manual(language)
    file_of(language).write_text(page, encoding="utf-8", newline="\n")
    PICTURES.mkdir(exist_ok=True)
    for file in PICTURES.glob(f"*.{language}.png"):
        file.unlink()
    for name, image in pictures.items():
        (PICTURES / name).write_bytes(png(image))
    print(file_of(language).relative_to(REPO))


def main() -> int:
    """Write the manual, or with --check compare it."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev manual", description=__doc__, formatter_class=formatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit status 1: not up to date")
    check = parser.parse_args().check
    try:
        if check:
            found = [name for language in LANGUAGES for name in stale(language)]
            print("\n".join(found) or "The manual is up to date.")
            return int(bool(found))
        for language in LANGUAGES:
            _write(language)
    except ManualFault as fault:
        print(f"./scripts/dev manual: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
