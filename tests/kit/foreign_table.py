"""A referee with a match of a foreign game, without a box."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.kit.core import Core
from tests.kit.panels import granting
from umpi.kernel.game import Act, Game
from umpi.kernel.registry import find
from umpi.referee.effects import JournalCall, SendReply
from umpi.referee.events import Tick
from umpi.referee.remote import RemoteRequest, Reply
from umpi.table.commands import Command, Do, Start
from umpi.table.seating import Seating
from umpi.timing.edge import Edge
from umpi.web.documents import Shown
from umpi.web.shown import shown_of

MS = 1_000_000
FOREIGN = Path(__file__).parents[1] / "foreign"
PACKAGES = [file.parent for file in sorted(FOREIGN.glob("*/pyproject.toml"))]
FERRY = FOREIGN / "night_ferry/night_ferry.py"


def install_ferry(site: Path) -> None:
    """Install Night ferry into a folder for packages, as pip would do it."""
    info = site / "night_ferry-1.dist-info"
    info.mkdir(parents=True)
    (site / FERRY.name).write_bytes(FERRY.read_bytes())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: night-ferry\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[umpi.games]\nnight-ferry = night_ferry:NightFerry\n")


class Table(Core):
    """A referee with a match of a game of strangers, or of a test; `now_ms` is the time."""

    def __init__(
        self, game: str | type[Game], players: tuple[str, ...] = ("Red", "Blue"), voice: bool = False, **options: Any
    ) -> None:
        super().__init__(voice=voice)
        self.now_ms, self.id = 1_000, 0
        rules = find(game) if isinstance(game, str) else game
        self.grant(Start(Seating(rules, players, tuple(range(len(players))), options)))

    @property
    def match(self) -> Any:
        return self.referee.session.match

    @property
    def title(self) -> str:
        """The question on the panel."""
        return self.referee.panel.question[0].title

    @property
    def lit(self) -> tuple[int, ...]:
        """The lamps that are lit."""
        return self.referee._viewer.view(self.referee._look).lit

    @property
    def document(self) -> Shown:
        """What the phones get."""
        return shown_of(self.referee._viewer.view(self.referee._look))

    @property
    def recorded(self) -> list[tuple[dict[str, Any], str]]:
        """The lines that are written, each with who wrote it."""
        calls = [each for each in self.effects if isinstance(each, JournalCall) and each.name == "append"]
        return [(dict(line), call.values[2]) for call in calls for line in call.values[1]]

    def grant(self, command: Command) -> None:
        """Give a command at the panel, whatever its buttons mean now."""
        with granting(self.referee.panel, command):
            self.press("ok")

    def wait(self, ms: int) -> None:
        """Let time pass: the referee looks whenever something is due."""
        now_ns, until_ns = self.now_ms * MS, (self.now_ms + ms) * MS
        for _ in range(200):
            due_ns = self.referee.due_ns(now_ns)
            if due_ns is None or due_ns > until_ns:
                break
            now_ns = max(due_ns, now_ns)
            self.step(Tick(now_ns))
        self.now_ms += ms
        self.step(Tick(until_ns))

    def press(self, *buttons: str) -> None:
        """Press buttons one after the other: 30 ms down, 50 ms up."""
        for button in buttons:
            for active, ms in ((True, 30), (False, 50)):
                self.step(Edge(button, active, self.now_ms * MS))
                self.wait(ms)

    def phone(self, button: int | None, verb: str, **given: Any) -> Reply:
        """Answer the question by the phone of a button, or of the referee; return the reply."""
        self.id += 1
        command, question = Do((Act(verb, given),)), self.referee.session.question
        self.step(RemoteRequest(self.now_ms * MS, question, command, button, self.id))
        self.wait(100)
        return next(each.reply for each in self.effects if isinstance(each, SendReply) and each.id == self.id)
