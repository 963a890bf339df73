"""Commands: play acts; start, resume, correct and leave a match; set the timers, the language and the phones."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from umpi.display.menu import Remedy
from umpi.display.panel import Panel
from umpi.i18n.translate import Translated, game_label, player_label, set_language, tr
from umpi.kernel.game import Game, replace
from umpi.kernel.match import Refused
from umpi.kernel.messages import Name, message
from umpi.kernel.record import record_lines
from umpi.referee.announcement import cube_last
from umpi.referee.controller import Controller, report_broken
from umpi.referee.cubes import Cubes
from umpi.referee.effects import (
    AgreeToTask,
    BeginCardTask,
    BeginShelfTask,
    CountStatistics,
    Effect,
    FindPuzzle,
    FindReach,
    FindReview,
    JudgePuzzle,
    PlaySound,
    WriteReport,
)
from umpi.referee.empty_seats import EmptySeats
from umpi.referee.events import (
    CardNews,
    LastUpdate,
    PuzzleFound,
    PuzzleJudged,
    ReportWritten,
    ReviewFound,
    ShelfNews,
    StatisticsCounted,
)
from umpi.referee.hints import Hints
from umpi.referee.input_check import InputCheck
from umpi.referee.phone_pairing import PhonePairing
from umpi.referee.ports import JournalPort
from umpi.referee.session import MatchSession
from umpi.referee.timers import Timers
from umpi.referee.transcript import amendment, undo_line
from umpi.table.card import BEGINNING, TITLES, CardTask, CardWork, ChosenNetwork, MenuTask
from umpi.table.commands import (
    Admit,
    AgreeToCard,
    AnswerPuzzle,
    AskHint,
    AskPuzzle,
    CheckDevices,
    CloseJoin,
    Command,
    Correct,
    Do,
    End,
    EndCheck,
    FindNetworks,
    GoBack,
    GoOn,
    InvalidateCode,
    JoinNetwork,
    Leave,
    Limit,
    NameBox,
    Occupy,
    OfferMatch,
    OpenJoin,
    PairPhone,
    Pause,
    PutBack,
    Rematch,
    Rename,
    Report,
    Resume,
    Review,
    Settle,
    ShowRace,
    Speak,
    Start,
    StartMatch,
    Statistics,
    TakeBack,
    TurnAway,
    UnpairPhone,
    Unplug,
    UseCard,
    UseShelf,
    Where,
)
from umpi.table.empty_seat import free_name, why_not_at
from umpi.table.hint import Hint
from umpi.table.seating import Level, Seating, card_of
from umpi.table.sources import Phone, Source
from umpi.table.standing import open_question, points_of
from umpi.table.starting import table_of
from umpi.table.state import SlowMotion, Table

COUNTING = message("Counting the matches …")
WRITING = message("Writing the report …")
REVIEWING = message("Reviewing the match …")
SEARCHING = message("Searching your matches for a puzzle …")
JUDGING = message("Just a moment …")
TURN_S = "turn_s"  # name of a note of the match in the journal: the time limit per turn


class CommandHandler:
    """Execute commands from every source. `emit` takes effects."""

    def __init__(
        self,
        session: MatchSession,
        table: Table,
        panel: Panel,
        controller: Controller,
        cubes: Cubes | None,
        timers: Timers,
        pairing: PhonePairing,
        hints: Hints,
        seats: EmptySeats,
        check: InputCheck,
        emit: Callable[[Effect], object],
        games: Sequence[type[Game]],
        clock: Callable[[], int],
    ) -> None:
        self._session, self._table, self._panel = session, table, panel
        self._controller, self._cubes = controller, cubes
        self._timers, self._pairing, self._hints, self._check = timers, pairing, hints, check
        self._seats, self._emit, self._games, self._clock = seats, emit, games, clock

    async def grant(self, command: Command, at_ns: int, source: Source = "panel") -> None:
        """Execute a command, and show its result or why it is refused."""
        try:
            await self.execute(command, at_ns, source)
        except Refused as refusal:
            self._controller.refuse(refusal)
        state = self._table.state
        self._table.become(replace(state, unsaved=self._session.trouble, paused=self._timers.turn.paused))

    async def execute(self, command: Command, at_ns: int, source: Source, earliest_ns: int | None = None) -> None:
        """Execute a command as `grant` does, but raise Refused.

        `earliest_ns` is how early a player's phone may have given it, None for every other way.
        """
        session, playing = self._session, self._controller
        match command:
            case Start(table):
                await self._start(table, at_ns)
            case StartMatch() | Rematch():
                await self._start_from_phone(command, at_ns)
            case OfferMatch(start):
                next = table_of(start, self._games, self._table.state.house) if start else None
                self._table.become(replace(self._table.state, next=next))
            case GoOn(number):
                await self._go_on(session.number if number is None else number, at_ns)
            case Do(acts):
                if await playing.answer(acts, at_ns, source, earliest_ns) and source != "funnel":
                    await self.take_cubes_on_hold()
            case TakeBack(count):
                assert session.match
                line = undo_line(session.match, session.joined, self._seats.alone) if count is None else {"undo": count}
                await playing.play([line], at_ns, source)
                await self.take_cubes_on_hold()
            case Correct(index, act):
                assert session.match
                lines, _ = amendment(session.match, index, act.line())
                await playing.amend(lines, at_ns, source)
                await self.take_cubes_on_hold()
            case GoBack(index):
                await playing.drop()
                await session.go_back(index, at_ns, source)
                playing.show()
            case PutBack():
                await playing.drop()
                await session.put_back(at_ns, source)
                playing.show()
            case Settle(how):
                self._table.become(replace(self._table.state, doubt="", heat=()))
                self._panel.ask_about_doubt()
                if cubes := self._cubes:
                    await playing.play(cubes.settling(how), at_ns, "table")
                    await self.take_cubes_on_hold()
                    await cubes.settled(how)
            case Rename(seat, name):
                await session.rename(seat, name)
                playing.show("nothing" if source == "panel" else "entry")  # a name from a phone disturbs no answer
            case Occupy(seat, name, level):
                await self._occupy(seat, name, level, at_ns, source)
            case End(seat, again):
                await self._end(seat)
                if again:
                    await self._start(again, at_ns)
            case Leave():
                await playing.leave()
                await session.leave(at_ns)
                self._timers.resume(at_ns)  # else the next match would begin in this one's pause
                await self.welcome()
            case Unplug():
                await self.unplug()
            case Speak(code):
                await self._speak(code)
            case Limit() | Pause() | Resume():
                await self._time(command, at_ns)
            case AskHint():
                self._hints.ask(source)
            case ShowRace():
                self._show_race(source)
            case CheckDevices():
                self._check.open()
            case EndCheck():
                self._check.close()
            case Where():
                self._emit(FindReach())
            case Report():
                self._report()
            case Statistics(game):
                self._count(game)
            case Review():
                self._review()
            case AskPuzzle():
                self._emit(FindPuzzle())
                self._panel.tell(tr("Puzzle"), tr(SEARCHING))
            case AnswerPuzzle(uid, move, choice):
                self._emit(JudgePuzzle(uid, move, choice))
                self._panel.tell(tr("Puzzle"), tr(JUDGING))
            case UseCard(task):
                self._use_card(task, source)
            case FindNetworks():
                self._use_card("find networks", source)
            case JoinNetwork(network):
                self._use_card("join network", source, network)
            case NameBox(name):
                self._use_card("name the box", source, name)
            case AgreeToCard():
                self._agree_to_card()
            case UseShelf():
                self._use_shelf(command)
            case PairPhone() | UnpairPhone() | InvalidateCode() | OpenJoin() | CloseJoin():
                await self._pairing.grant(command, self._clock())
                self._pairing.tick(self._clock())  # at once, so that no press counts for the question below
            case Admit() | TurnAway():
                await self.decide(command, at_ns)

    async def take_cubes_on_hold(self) -> None:
        """Play the cubes that waited for this answer."""
        if self._cubes and self._cubes.kept:
            await self.take_cubes()

    async def take_cubes(self) -> None:
        """Play the cubes that have fallen, one after the other, as far as the question takes them."""
        while self._cubes and (fallen := await self._cubes.next()):
            await self.grant(fallen.answer, fallen.at_ns, "funnel")

    async def decide(self, command: Admit | TurnAway, at_ns: int) -> bool:
        """Let a phone that waits act, under the name that it gave, or turn it away; return False if it no longer waits.

        Raises Refused, with nothing changed, if another player has got that name.
        """
        claim = await self._pairing.decide(command)
        if claim and isinstance(command, Admit):
            await self.name_player(claim.button, claim.name, at_ns)
        return claim is not None

    async def name_player(self, button: int, name: str, at_ns: int) -> None:
        """Name the player of a phone: in the match in play, if they take part in it, and for the next match.

        Raises Refused.
        """
        self._pairing.check_name(button, name)
        self._table.become(replace(self._table.state, names=self._table.state.names.given(button, name)))
        match, seat = self._session.match, self._pairing.seat_of(button)
        if match and seat is not None and match.players[seat] != name:
            await self.execute(Rename(seat, name), at_ns, Phone(button))

    async def welcome(self) -> None:
        """Show the first screen, with the matches that can be resumed."""
        session, state = self._session, self._table.state
        names = state.names.played(session.table.people if session.table else ())
        paused = self._timers.turn.paused
        hint = Hint() if state.hint else None  # one that is being computed would come too late to be shown
        state = replace(state, match=None, paused=paused, doubt="", heat=(), names=names, race=None, hint=hint)
        self._table.become(replace(state, box_turn=None, alone=frozenset(), joined=frozenset()))
        self._panel.welcome(session.match, session.table, await session.resumable())

    async def unplug(self) -> None:
        """Write everything to disk, and show whether the box may be unplugged."""
        await self._session.write(JournalPort.checkpoint)
        if trouble := self._session.trouble:
            self._panel.tell(tr("NOT SAVED"), tr("Do not unplug: {trouble}", trouble=trouble))
        else:
            self._panel.tell(tr("Safe to unplug"), tr("All saved. Press any button."))

    async def resumed(self, differs: str = "", back: bool = False) -> None:
        """Show the match in play after it was resumed, with what differs.

        `back` is True after a power-off; then a running timer is paused, and the panel shows the game, the points and
        the open question.
        """
        match, cubes = self._session.match, self._cubes
        assert match
        turn, limit_s = self._timers.turn, await self._session.noted(TURN_S)
        turn.allow(limit_s if isinstance(limit_s, int) else None, self._clock())
        if back and (turn.limit_s or self._session.timed or self._session.wait_open):
            turn.pause(self._clock())  # perhaps nobody is at the table when the power returns
        self._table.become(replace(self._table.state, paused=turn.paused))
        await self._seats.resume()
        self._controller.show()
        if cubes:
            await cubes.resume()
        title, texts = tr("Resuming"), [differs] if differs else []
        if back and match.asks:
            texts.append(open_question(match))
            texts.append(tr("{game}: {names}. Hold Back for menu.", game=match.game.title, names=points_of(match)))
        if back and cubes and cube_last(match) and not self._table.state.doubt:
            title = tr("Unclear")
            texts.insert(0, tr("Power was lost while cubes fell. Check that their order is right."))
        if texts:
            self._panel.tell(title, Translated("\n".join(map(tr, texts))), passing=True)

    async def _go_on(self, number: int, at_ns: int) -> None:
        await self._controller.leave()
        await self.resumed(await self._session.go_on(number, at_ns))

    async def _start(self, table: Seating, at_ns: int) -> None:
        try:
            await self._begin(table, at_ns)
        except Refused as refusal:
            report_broken(refusal, self._emit)
            self._panel.tell(tr("Problem"), refusal.reason)
            self._emit(PlaySound("refused"))

    async def _start_from_phone(self, command: StartMatch | Rematch, at_ns: int) -> None:
        """Start the match that the referee's phone asks for. Raises Refused, with nothing changed, if it cannot begin.

        The set-up card is then a notice, because the phone does not wait until somebody has read it at the box.
        """
        session, state = self._session, self._table.state
        if isinstance(command, StartMatch):
            table = table_of(command, self._games, state.house)
        elif session.table:
            table = session.table if session.on else session.table.named(state.names.own)
        else:
            raise Refused(message("No match has been played yet."))
        await self._begin(table, at_ns)
        card = card_of(table)
        if card and state.house.card and isinstance(command, StartMatch):
            self._panel.tell(tr("Set-up"), Translated("\n".join(f"· {tr(sentence)}" for sentence in card)))

    async def _occupy(self, seat: int, name: str, level: Level | None, at_ns: int, source: Source) -> None:
        """Let the box play a seat from now on, or a person again. Raises Refused, with nothing changed."""
        table, state = self._session.table, self._table.state
        if not table or not self._session.on:
            raise Refused(message("No active match."))
        if seat not in range(len(table.players)):
            raise Refused(message("There is no such seat. The seats are 0 to {last}.", last=len(table.players) - 1))
        others = table.others(seat)
        name = name or (free_name(others) if level else state.names.usual(table.buttons[seat], others))
        table.check_name(seat, name)
        if why := why_not_at(table.occupied(seat, name, level)):
            raise Refused(why)
        await self._session.occupy(seat, name, level, at_ns, source)
        if not level:
            self._table.become(replace(state, names=state.names.played((name,))))
        self._controller.show("nothing" if source == "panel" else "entry")

    async def _begin(self, table: Seating, at_ns: int) -> None:
        if why := why_not_at(table):
            raise Refused(why)
        await self._controller.leave()
        await self._session.begin(table, at_ns)
        if (next := self._table.state.next) and {*next.players} == {*table.players}:
            self._table.become(replace(self._table.state, next=None))
        pairs = zip(table.buttons, table.players, strict=True)
        people = {button: name for button, name in pairs if button not in table.levels}
        names = self._table.state.names.begun(people)
        self._table.become(replace(self._table.state, names=names))
        await self._session.note(TURN_S, self._timers.turn.limit_s)
        self._emit(PlaySound("accepted"))
        self._controller.show()

    async def _time(self, command: Limit | Pause | Resume, at_ns: int) -> None:
        match command:
            case Limit(seconds):
                self._timers.turn.allow(seconds, at_ns)
                await self._session.note(TURN_S, seconds)
            case Pause():
                self._timers.turn.pause(at_ns)
            case Resume():
                self._timers.resume(at_ns)
        self._controller.show()

    def _show_race(self, source: Source) -> None:
        """Have the television show the last race once more. Raises Refused."""
        state = self._table.state
        if not state.race:
            raise Refused(message("Nothing to show yet."))
        number = state.slow_motion.number + 1 if state.slow_motion else 1
        slow_motion = SlowMotion(state.race, self._session.question, number)
        self._table.become(replace(state, slow_motion=slow_motion))
        if source == "panel":
            self._controller.show()
            self._panel.note(tr("The TV shows it."))

    def _count(self, game: str | None) -> None:
        """Have the statistics of a game counted, or of all games, as far as they are on disk. The game continues."""
        self._emit(CountStatistics(game))
        self._panel.tell(self._statistics_of(game), tr(COUNTING))

    def tell_statistics(self, counted: StatisticsCounted) -> bool:
        """Show the statistics to those who still wait for them; return False if nobody does."""
        if counted.why:
            text = tr("The matches cannot be read: {fault}", fault=counted.why)
        else:
            text = Translated("\n".join(map(tr, counted.lines)))
        return self._panel.follow_up(self._statistics_of(counted.game), tr(COUNTING), text)

    def _statistics_of(self, game: str | None) -> str:
        titles = {each.id: game_label(each) for each in self._games}
        return titles.get(game or "", tr("All games"))

    def _review(self) -> None:
        """Have the match reviewed in another process. Raises Refused if there is none."""
        match = self._session.match
        if not match:
            raise Refused(message("Nothing to show yet."))
        self._emit(FindReview(record_lines(match)))
        self._panel.tell(tr("Luck and skill"), tr(REVIEWING))

    def tell_review(self, found: ReviewFound) -> bool:
        """Show the review to those who still wait for it; return False if nobody does."""
        text = Translated("\n".join(found.lines)) if found.lines else tr("This match cannot be reviewed.")
        return self._panel.follow_up(tr("Luck and skill"), tr(REVIEWING), text)

    def tell_puzzle(self, found: PuzzleFound) -> bool:
        """Ask the puzzle to those who still wait for it; return False if nobody does."""
        if found.puzzle:
            return self._panel.ask_puzzle(tr("Puzzle"), tr(SEARCHING), found.puzzle)
        why = Translated(found.why) if found.why else tr("No puzzle can be found.")
        return self._panel.follow_up(tr("Puzzle"), tr(SEARCHING), why)

    def tell_verdict(self, judged: PuzzleJudged) -> bool:
        """Show whether the answer was right to those who still wait for it; return False if nobody does."""
        text = Translated("\n".join(judged.lines)) if judged.lines else tr("The answer cannot be judged.")
        return self._panel.follow_up(tr("Puzzle"), tr(JUDGING), text)

    def _report(self) -> None:
        """Have the session written to a file. The game continues."""
        self._emit(WriteReport())
        self._panel.tell(tr("Report a problem"), tr(WRITING))

    def tell_report(self, written: ReportWritten) -> bool:
        """Show the name of the report to those who still wait for it; return False if nobody does."""
        if written.file:
            file = Translated(written.file)
            text = tr("The report is in {file}. To save a copy, run umpi report on the box’s computer.", file=file)
        else:
            text = tr("The report cannot be written.")
        return self._panel.follow_up(tr("Report a problem"), tr(WRITING), text)

    def _use_card(self, task: CardTask | MenuTask, source: Source, given: ChosenNetwork | str = "") -> None:
        """Have a task of the card begun, or show its question again. The game continues. Raises Refused."""
        card = self._table.state.card
        if card is None:
            raise Refused(message("This box has no card for updates."))
        if card.stage == "busy":
            raise Refused(card.line)
        here = source == "panel"
        if card.stage == "asks" and card.task == task:
            card = replace(card, here=card.here or here)
        else:
            card = CardWork(task, "busy", BEGINNING, here=here)
            self._emit(BeginCardTask(task, given))
        self._table.become(replace(self._table.state, card=card))
        if here:
            self._show_card(card)

    def _agree_to_card(self) -> None:
        """Let the task of the card continue. Raises Refused if it asks nothing."""
        card = self._table.state.card
        if card is None or card.stage != "asks" or card.task is None:
            raise Refused(message("The box asks nothing."))
        card = CardWork(card.task, "busy", BEGINNING, here=True)  # everybody reads why the box restarts
        self._table.become(replace(self._table.state, card=card))
        self._emit(AgreeToTask())
        self._show_card(card)

    def tell_card(self, news: CardNews) -> bool:
        """Show how far the task of the card is: its progress to those who still look, and its end to everybody.

        The end may come in the middle of a race: a press that comes while it is shown counts.
        """
        card = self._table.state.card
        if card is None or card.task is None:
            return False
        new = CardWork(card.task, news.stage, news.text, news.percent, news.agree, card.here)
        self._table.become(replace(self._table.state, card=new))
        if new.stage == "busy":
            self._panel.follow_up(tr(TITLES[card.task]), tr(card.line), tr(new.line))
        elif news.networks:
            self._panel.ask_network(tr(TITLES[card.task]), tr(card.line), news.networks, news.country)
        elif card.here:
            self._show_card(new, passing=True)
        return True

    def tell_last_update(self, last: LastUpdate) -> bool:
        """Show everybody what has become of the last update, unless somebody has begun a task since.

        Nobody has asked for it now, perhaps in the middle of a race: a press that comes while it is shown counts.
        """
        card = self._table.state.card
        if card is None or card.stage in ("busy", "asks"):
            return False
        told = CardWork("last update", "done" if last.worked else "failed", last.text)
        self._table.become(replace(self._table.state, card=told))
        self._panel.tell(tr(TITLES["last update"]), tr(told.line), passing=True)
        return True

    def _use_shelf(self, command: UseShelf) -> None:
        """Have a task of the shelves begun. The game continues, and its rules stay as they are. Raises Refused."""
        shelf = self._table.state.shelf
        if shelf is None:
            raise Refused(message("This box cannot install games."))
        if shelf.stage == "busy":
            raise Refused(shelf.line)
        shelf = replace(shelf, task=command.task, stage="busy", text=BEGINNING, percent=None)
        self._table.become(replace(self._table.state, shelf=shelf))
        self._emit(BeginShelfTask(command.task, command.shelf, command.game))

    def tell_shelf(self, news: ShelfNews) -> bool:
        """Show on the referee's phone how far the task of the shelves is. Who plays at the box is not disturbed."""
        shelf = self._table.state.shelf
        if shelf is None:
            return False
        shelf = replace(shelf, stage=news.stage, text=news.text, percent=news.percent)
        if news.shelves is not None and news.games is not None:
            shelf = replace(shelf, shelves=news.shelves, games=news.games, looks=shelf.looks + 1)
        self._table.become(replace(self._table.state, shelf=shelf))
        return True

    def _show_card(self, card: CardWork, passing: bool = False) -> None:
        assert card.task
        remedy = Remedy(tr(card.agree), AgreeToCard()) if card.stage == "asks" else None
        self._panel.tell(tr(TITLES[card.task]), tr(card.line), passing, remedy)

    async def _speak(self, code: str) -> None:
        """Change the language of the box, and store it for the next start."""
        set_language(code)
        await self._session.write(JournalPort.speak, code)
        if self._table.state.playing:
            self._controller.show()
        else:
            await self.welcome()

    async def _end(self, seat: int) -> None:
        """End a match that cannot continue without a seat, and show its scores."""
        match = self._session.match
        assert match
        note = message("{who} left. The match cannot continue and ends.", who=Name(match.players[seat]))
        names = map(player_label, match.players)
        scores = ", ".join(f"{name} {score}" for name, score in zip(names, match.now.scores(), strict=True))
        await self._controller.leave()
        await self._session.end(note)
        await self.welcome()
        self._panel.tell(tr("Match over"), Translated(f"{tr(note)}\n{scores}"))
