"""Play the scenarios of tests/screens on the virtual box in any language, and return the screens that they name."""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from PIL import Image

from scripts import REPO
from umpi.box.config import Config
from umpi.display.menu import Menu
from umpi.display.modes import spoken
from umpi.i18n.translate import ENGLISH, current_language, set_language
from umpi.kernel.messages import message
from umpi.referee.events import CardNews, Reach
from umpi.service.card_line import CardLine
from umpi.simulator.player import SimulatedPlayer
from umpi.simulator.script import ScriptFault, words_of
from umpi.simulator.steps import StepFault, Steps
from umpi.table.card import CardTask, ChosenNetwork, FoundNetwork, MenuTask
from umpi.table.commands import AskToJoin
from umpi.table.joining import Claim
from umpi.table.seats import COLOURS
from umpi.web.codes import Codes
from umpi.web.shown import shown_of

FOLDER = REPO / "tests" / "screens"
PLAYERS = ("Katy", "Kévin", "Christelle", "Maximilian", "Zsófia", "Bartholomew")  # who is known to the box
NETWORKS = (
    FoundNetwork("Café den"),
    FoundNetwork("Nachbarn 2.4", open=True),
    FoundNetwork("Router-5G-Wohnzimmer-3f2a"),
)
GONE = Path("/media/card/games.db")  # a journal that is not there


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen of a scenario, its question and its language, what is said of it, and what phones get meanwhile."""

    scenario: str
    image: Image.Image
    menu: Menu
    language: str
    said: tuple[str, ...]
    document: str

    @property
    def line(self) -> str:
        """A print of what phones get, and what is said: the referee's phone gets all that others get."""
        return f"{sha256(self.document.encode()).hexdigest()[:12]} {' · '.join(self.said)}"


class SilentCard(CardLine):
    """The line to a card whose reports come from the scenario."""

    def begin(self, task: CardTask | MenuTask, given: ChosenNetwork | str = "") -> None:
        """Wait for the scenario to report how the task ends."""


class Gallery(Steps):
    """The steps of a scenario, and seven of its own; nothing may be expected, as it would be of one language.

    `picture NAME` keeps a screen by its name, after the referee's calls have passed, and `call NAME` the call that is
    on the screen; `hammer BUTTON` presses a button once, also if the box ignores that; `disk gone` and `disk back` take
    the journal away and bring it back; `phones at` has the box serve a page that phones find, at another address if one
    is named, and `phones away` one that they do not; `asks COLOUR NAME` is a phone that asks for a seat; `card in` has
    the box start from a card, which then finds networks, with `card finds`, or cannot join one, with `card refuses`.
    """

    playing: SimulatedPlayer

    def __init__(self, playing: SimulatedPlayer, file: Path) -> None:
        super().__init__(playing, file.parent)
        self.scenario, self.screens = file.stem, dict[str, Screen]()
        self.page = ""  # the address of the page for phones
        self.verbs |= {
            "picture": self._kept,
            "call": self._called,
            "hammer": self._hammer,
            "disk": self._disk,
            "phones": self._phones,
            "asks": self._asks,
            "card": self._card,
        }
        del self.verbs["expect"]

    async def _kept(self, words: list[str]) -> None:
        while await self.playing.pass_call():
            pass
        self._keep(words)

    async def _called(self, words: list[str]) -> None:
        if self.playing.box.referee.panel.calls.current is None:
            raise StepFault(f"call {' '.join(words)}: no call is on the screen.", 1)
        self._keep(words)

    def _keep(self, words: list[str]) -> None:
        if len(words) != 1 or words[0] in self.screens:
            raise StepFault(f"picture {' '.join(words)}: one name is needed that no other screen has.")
        box = self.playing.box
        menu, _ = box.referee.panel.question
        view = box.loop.view
        shown = shown_of(view, referee=True)
        if question := shown["question"]:
            question["id"] = question["id"].rpartition(".")[2]  # what comes before is drawn by chance
        document = json.dumps(shown, ensure_ascii=False, sort_keys=True)
        self.screens[words[0]] = Screen(
            self.scenario, box.picture().convert("1"), menu, current_language(), spoken(view.screen), document
        )

    async def _hammer(self, words: list[str]) -> None:
        for button in words:
            await self._pressed(button, 100)

    async def _disk(self, words: list[str]) -> None:
        if words not in (["gone"], ["back"]):
            raise StepFault("disk: gone or back?")
        self.playing.box.loop.journal.path = GONE if words == ["gone"] else self.playing.config.journal
        await self.playing.pass_ms(2000)

    async def _phones(self, words: list[str]) -> None:
        if words[:1] not in (["at"], ["away"]) or len(words) > 2:
            raise StepFault("phones: at or away?")
        self.page = (words[1:] or ["http://192.168.4.1:8000/"])[0] if words[0] == "at" else ""
        if not self.playing.codes_of:
            kept = [("", "blue", "Kévin's phone")]
            self.playing.codes_of = lambda _: Codes(
                kept, lambda: self.page, lambda below: 314159 % below, lambda: "secret"
            )
            await self.playing.restart()
        loop = self.playing.box.loop
        loop._find_reach = lambda: loop.inbox.post(Reach("umpi-3f2a", "ring-toss-four"))
        await self.playing.pass_ms(100)

    async def _asks(self, words: list[str]) -> None:
        button, name = COLOURS.index(words[0].capitalize()), words[1]
        claim = Claim(f"hash-{button}-{name}", button, name, "Android", f"192.168.4.2{button}", sign=31 + button)
        self.playing.box.loop.request("", AskToJoin(claim), None)
        await self.playing.pass_ms(100)

    async def _card(self, words: list[str]) -> None:
        match words:
            case ["in"]:
                self.playing.card_of = SilentCard
                await self.playing.restart()
                return
            case ["finds", *country] if len(country) <= 1:
                text = message("Choose a Wi-Fi at the box.")
                news = CardNews("done", text, networks=NETWORKS, country="".join(country))
            case ["refuses"]:
                text = message("The password of {name} is wrong. Try again.", name=NETWORKS[0].name)
                news = CardNews("failed", text)
            case _:
                raise StepFault("card: in, finds or refuses?")
        self.playing.box.loop.inbox.post(news)
        await self.playing.pass_ms(100)


def gallery(language: str = ENGLISH) -> dict[str, Screen]:
    """Play all scenarios in a language; returns their screens by name, as they came. Raises ScriptFault."""
    screens: dict[str, Screen] = {}
    for file in scenarios():
        played = screens_in(file, language)
        if again := screens.keys() & played:
            raise ScriptFault(file.name, f"{', '.join(again)}: another scenario has a screen of that name.", 2)
        screens |= played
    return screens


def scenarios() -> list[Path]:
    """List the files of all scenarios, in their order."""
    return sorted(FOLDER.glob("*.txt"))


def screens_in(file: Path, language: str = ENGLISH) -> dict[str, Screen]:
    """Play one scenario in a language; returns its screens by name, as they came. Raises ScriptFault."""
    try:
        return asyncio.run(_played(file, language))
    finally:
        set_language(ENGLISH)


async def _played(file: Path, language: str) -> dict[str, Screen]:
    with tempfile.TemporaryDirectory() as folder:
        playing = SimulatedPlayer(Config(journal=Path(folder) / "games.db", players=PLAYERS, language=language))
        steps, place = Gallery(playing, file), file.name
        try:
            await playing.wait_until_shown()
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                place = f"{file.name}, line {number}, in {language}"
                if words := words_of(place, line):
                    await steps.take(words[0], words[1:])
        except StepFault as fault:
            raise ScriptFault(place, str(fault), fault.status) from None
        finally:
            playing.close()
    return steps.screens
