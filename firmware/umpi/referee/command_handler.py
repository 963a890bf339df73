"""What the panel wishes, done: a match begun, gone on with, corrected, left; the clocks, the language, the phones."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from umpi.display.acts import Correct, GoBack, PutBack
from umpi.display.commands import Do, End, Leave, Limit, Pause, Rename, Resume, Settle, Start, TakeBack, Unplug, Wish
from umpi.display.languages import Speak
from umpi.display.pairing import Pair, Unpair, Void, Where
from umpi.display.panel import Panel
from umpi.display.resumable import GoOn
from umpi.display.setup import Table, told_title
from umpi.display.statistics import Statistics
from umpi.drivers.speaker import Sound
from umpi.i18n.translate import Told, called, speak, told
from umpi.journal import Foreign
from umpi.journal.statistics import lines, read_stats
from umpi.kernel.match import Refused
from umpi.kernel.message import Name, words
from umpi.kernel.registry import find
from umpi.referee.announcement import News, cube_last
from umpi.referee.controller import Playing
from umpi.referee.phones import Phones
from umpi.referee.session import Sitting
from umpi.referee.timers import Clocks

TURN_S = "turn_s"  # beside a match in the journal: how long a turn may take


class Granting:
    """Does what the panel wishes; `locate` is called when somebody asks how phones reach the box."""

    def __init__(
        self,
        sitting: Sitting,
        panel: Panel,
        news: News,
        playing: Playing,
        clocks: Clocks,
        phones: Phones,
        sound: Callable[[Sound], object],
        clock: Callable[[], int],
    ) -> None:
        self._sitting, self._panel, self._news, self._playing = sitting, panel, news, playing
        self._clocks, self._phones, self._sound, self._clock = clocks, phones, sound, clock
        self.locate: Callable[[], object] = lambda: None

    async def grant(self, wish: Wish, at_ns: int, who: str = "panel") -> None:
        """Do what is wished, and show where that leads, or why it cannot be."""
        try:
            await self._grant(wish, at_ns, who)
        except Refused as refusal:
            self._news.forget()
            self._panel.refuse(refusal.reason)
            self._sound("refused")
        self._panel.unsaved, self._panel.paused = self._sitting.journal.trouble, self._clocks.turn.paused

    async def _grant(self, wish: Wish, at_ns: int, who: str) -> None:
        sitting, playing = self._sitting, self._playing
        match wish:
            case Start(table):
                await self._start(table, at_ns)
            case GoOn(number):
                await self._go_on(sitting.number if number is None else number)
            case Do(acts):
                if sitting.match:
                    self._news.hear(sitting.match, acts[0], at_ns)
                await playing.do([act.line() for act in acts], at_ns, who)
            case TakeBack():
                await playing.do([sitting.taking_back()], at_ns, who)
            case Correct(index, act):
                lines, _ = sitting.amending(index, act.line())
                await playing.amend(lines, at_ns, who)
            case GoBack(index):
                await playing.drop()
                await sitting.go_back(index, at_ns, who)
                playing.show()
            case PutBack():
                await playing.drop()
                await sitting.put_back(at_ns, who)
                playing.show()
            case Settle(how):
                if playing.cubes:
                    await playing.cubes.settle(how, at_ns)
            case Rename(seat, name):
                await sitting.rename(seat, name)
                playing.show()
            case End(seat, again):
                await self._end(seat)
                if again:
                    await self._start(again, at_ns)
            case Leave():
                await playing.leave()
                await sitting.leave()
                await self.welcome()
            case Unplug():
                await self.unplug()
            case Speak(code):
                await self._speak(code)
            case Limit() | Pause() | Resume():
                await self._time(wish, at_ns)
            case Where():
                self.locate()
            case Statistics(game):
                await self._tell_figures(game)
            case Pair() | Unpair() | Void():
                await self._phones.grant(wish, at_ns)

    async def welcome(self) -> None:
        """Show the first screen, with all that can be gone on with."""
        sitting = self._sitting
        self._panel.welcome(sitting.match, sitting.table, await sitting.write(sitting.lying))

    async def unplug(self) -> None:
        """Bring all that was played to rest on the disk, and say whether the box may be unplugged."""
        await self._sitting.write(self._sitting.journal.settle)
        if trouble := self._sitting.journal.trouble:
            self._panel.tell(told("NOT SAVED"), told("Do not unplug: {trouble}", trouble=trouble))
        else:
            self._panel.tell(told("Safe to unplug"), told("All is on disk. Any key goes on."))

    def resumed(self, differs: str = "", back: bool = False) -> None:
        """Show the match laid on the table; say what it is where the box came `back` to it, and what is to be known."""
        match, cubes = self._sitting.match, self._playing.cubes
        assert match
        turn = self._clocks.turn
        turn.allow(self._sitting.noted(TURN_S), self._clock())
        if back and (turn.limit_s or self._sitting.timed):
            turn.pause(self._clock())  # nobody may be at the table when the power is back
        self._panel.paused = turn.paused
        self._playing.show()
        if cubes:
            cubes.resume()
        title, texts = told("Going on"), [differs] if differs else []
        if back and match.asks:
            pairs = zip(match.players, match.now.scores(), strict=True)
            names = Told(", ".join(f"{called(name)}\N{NO-BREAK SPACE}{score}" for name, score in pairs))
            texts.append(told("{game}: {names}. Back, held: the menu.", game=match.game.title, names=names))
        if cubes and cube_last(match) and not self._panel.unsure[0]:
            title = told("Not sure")
            texts.insert(0, told("The box went off while cubes fell. Look whether their order is right."))
        if texts:
            self._panel.tell(title, Told("\n".join(map(told, texts))), passing=True)

    async def _go_on(self, number: int) -> None:
        await self._playing.leave()
        self.resumed(await self._sitting.go_on(number))

    async def _start(self, table: Table, at_ns: int) -> None:
        await self._playing.leave()
        try:
            await self._sitting.begin(table, at_ns)
        except Refused as refusal:
            self._panel.tell(told("Trouble"), refusal.reason)
            self._sound("refused")
            return
        await self._sitting.note(TURN_S, self._clocks.turn.limit_s)
        self._sound("accepted")
        self._playing.show()

    async def _time(self, wish: Limit | Pause | Resume, at_ns: int) -> None:
        match wish:
            case Limit(seconds):
                self._clocks.turn.allow(seconds, at_ns)
                await self._sitting.note(TURN_S, seconds)
            case Pause():
                self._clocks.turn.pause(at_ns)
            case Resume():
                self._clocks.resume(at_ns)
        self._playing.show()

    async def _tell_figures(self, game: str | None) -> None:
        """Show who has played and won how much, in a game or in all, as far as it is on disk."""
        titles = {each.id: told_title(each) for each in self._panel.games}
        try:
            stats = await self._sitting.write(read_stats, self._sitting.journal.path, find)
            text = Told("\n".join(map(told, lines(stats, game))))
        except (OSError, Foreign, sqlite3.Error) as fault:
            text = told("The games cannot be read: {fault}", fault=str(fault))
        self._panel.tell(titles.get(game or "", told("All games")), text)

    async def _speak(self, code: str) -> None:
        """Speak another language from here on, after the next start too."""
        speak(code)
        await self._sitting.write(self._sitting.journal.speak, code)
        if self._panel.playing:
            self._playing.show()
        else:
            await self.welcome()

    async def _end(self, seat: int) -> None:
        """Be done with a match that cannot go on without a seat."""
        match = self._sitting.match
        assert match
        note = words("{who} left; the game cannot go on and ends here.", who=Name(match.players[seat]))
        names = map(called, match.players)
        scores = ", ".join(f"{name} {score}" for name, score in zip(names, match.now.scores(), strict=True))
        await self._playing.leave()
        await self._sitting.end(note)
        await self.welcome()
        self._panel.tell(told("It ends here"), Told(f"{told(note)}\n{scores}"))
