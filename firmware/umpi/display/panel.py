"""The panel: turn presses and scans into commands, and draw what the box shows."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, TypeVar, cast

from umpi.cards.decode import PartialAnswer, answer_of
from umpi.display.answer import Acts, After, answer, instructed
from umpi.display.answer_progress import AnswerProgress
from umpi.display.calls import PassingCalls
from umpi.display.last_answer import LastAnswer
from umpi.display.menu import NOTHING, Choice, Dialogue, Menu, MenuEntry, Remedy
from umpi.display.menus import ask_about_doubt, menu, over, welcome, where_are_we
from umpi.display.modes import Pass, draw, modes
from umpi.display.notice import Notice
from umpi.display.phone_menu import greet, show_network
from umpi.display.picture import Picture
from umpi.display.puzzle import ask_puzzle
from umpi.display.screen import Screen
from umpi.display.screens import Seen
from umpi.display.setup import set_table
from umpi.display.wifi_menu import ask_network
from umpi.i18n.translate import Translated, capitalised, tr
from umpi.kernel.game import Act, Ask, Game, gives, replace
from umpi.kernel.match import Match
from umpi.table.card import FoundNetwork
from umpi.table.commands import (
    Command,
    Do,
    Large,
    Learn,
    Say,
    Swap,
    is_command,
)
from umpi.table.empty_seat import BoxTurn, left_to_hands, now_of_turn, part_of
from umpi.table.faults import broke
from umpi.table.lot import Lot
from umpi.table.puzzle import Puzzle
from umpi.table.seating import Seating
from umpi.table.secret import parties, secret_ask
from umpi.table.state import ResumableMatch, Table
from umpi.table.telling import of_players
from umpi.timing.lines import COLOURS

log = logging.getLogger(__name__)
T = TypeVar("T")
Keep = Literal["nothing", "menu", "entry"]  # of what players enter or read when the match is shown again
Key = Literal["up", "down", "ok", "back"] | int  # a seat button counts from 0, left to right


def key_of(button: str) -> Key:
    """Return the key that a button of the box is: seat buttons are numbers."""
    return COLOURS.index(button) if button in COLOURS else cast(Key, button)


class Panel:
    """Show the questions of the box on its screen, and turn presses into commands.

    `press` takes a press and returns a command for the referee, or None. `picture` draws the current screen. The
    referee answers a command by `welcome`, `show` or `refuse`. The panel shows all texts in the box's language.

    `table` is what the referee keeps of the table. `chance` returns a number from 0 to below 1, to draw who begins.
    """

    def __init__(
        self, games: Sequence[type[Game]], table: Table | None = None, chance: Callable[[], float] | None = None
    ) -> None:
        self.table = table or Table()
        self._set_table = partial(set_table, games, chance=chance or Lot(0), own=lambda: self.table.state.names.own)
        self._offered: object = None  # what the menu before a match was made of
        self._match: Match | None = None
        self._table: Seating | None = None  # the table of the last match
        self._open: Match | None = None
        self._quick = True
        self._seen: Seen = ""
        self._large: int | None = None  # the seat with its score in large digits
        self._rivals: int | None = None  # the button whose seat several phones ask for
        self._answering = False  # whether the match's question is on the screen
        self._last = LastAnswer()
        self._notice: Notice | None = None
        self._read: set[str] = set()  # the notices that players have read and removed at this question
        self.calls = PassingCalls()
        self._progress = AnswerProgress()
        self._part: PartialAnswer | None = None  # of an answer that scans have started
        self._decided: PartialAnswer | None = None  # what the box has decided for its own seat
        self._private = False  # whether the question shows a passphrase
        self._fault: Exception | None = None  # the last failure, None once the question is shown again
        self._asked: MenuEntry[Any] | None = None  # None for the menu before a match, until somebody looks
        self._opened: MenuEntry[Any] | None = None  # the last menu of a match
        self.welcome(None, None)

    def welcome(self, open: Match | None, table: Seating | None, resumable: Sequence[ResumableMatch] = ()) -> None:
        """Show the first screen: the `open` match, the table of the last match, and the matches that can be resumed."""
        self._match, self._open, self._table, self._notice = None, open, table, None
        self._resumable, self._large = resumable, None
        self._read.clear()
        self.calls.say()
        self._offer()

    @property
    def _entry(self) -> MenuEntry[Any]:
        """What is asked. The menu before a match shows all games, so the resumption of a match need not load them."""
        if self._asked is None:
            open, table, resumable, state = self._open, self._table, self._resumable, self.table.state
            names, next, setup = state.names, state.next, partial(self._set_table, state, resumable)
            self._offered = state.offered
            self._asked = MenuEntry(lambda: welcome(open, table and table.named(names.own), setup, next))
        return self._asked

    @property
    def fault(self) -> Exception | None:
        """The last failure, None once the question is shown again."""
        return self._fault

    def reach(self, name: str, secret: str, page: str, trouble: str = "") -> None:
        """Show how phones reach the box: the network's name, its secret if it is the box's, the page; or why not."""
        if not self._entry.taps and not self._part:  # nothing else has been entered since the command
            self._ask(MenuEntry(lambda: show_network(name, secret, page, trouble)))
            self._private = bool(secret)

    def hello(self, name: str, secret: str, page: str) -> None:
        """Greet the people at a new box, and show how phones reach it, unless somebody has begun something."""
        if page and not (self._match or self._notice or self._entry.taps or self._part):
            self._ask(MenuEntry(lambda: greet(name, secret, page)))
            self._private = bool(secret)

    def ask_about_doubt(self) -> None:
        """Ask the players to settle the table's doubt before anything else, or the match's question after it."""
        self._notice = None
        self._again()

    def show(self, match: Match, table: Seating, seen: Seen = "", cube: bool = False) -> None:
        """Show a match and ask its question; `seen` is what the funnel saw.

        If another `cube` has come to an open question, a refusal with its remedy stays on the screen.
        """
        refusal = self._notice if cube and self._notice and self._notice.remedy else None
        asked = self._entry.menu.title if refusal and self._entry.menu else ""
        self._match, self._table, self._notice, self._seen = match, table, None, seen
        self._read.clear()
        if seen or self.table.state.doubt or not match.asks:
            self._large = None
        if doubt := self.table.state.doubt:
            heat = tuple(table.buttons[seat] for seat in self.table.state.heat)
            self._ask(MenuEntry(lambda: ask_about_doubt(doubt, heat)))
            return
        try:
            self._ask(MenuEntry(self._question_of(match, table)))
            self._answering, self._fault = True, None
            self._last.reenter(match, self._entry)
            if refusal and self._entry.menu and self._entry.menu.title == asked:
                self._notice = refusal
        except Exception as fault:  # the engine's own code runs in its offers
            self._strand(fault)

    def _question_of(self, match: Match, table: Seating) -> Callable[[], Dialogue[Any]]:
        """Return what asks the question of a match: what the box leaves to hands at its own turn, or all of it."""
        asks, after, turn = match.asks, match.after, self.table.state.box_turn
        self._decided = part_of(match, turn.act) if turn and turn.act and not turn.given_up else None
        if turn and asks and not turn.given_up:
            return lambda: self._for_box(match, turn, self._decided)
        return lambda: self._answer(asks, after) if asks else over(table)

    def _for_box(self, match: Match, turn: BoxTurn, part: PartialAnswer | None) -> Dialogue[Acts]:
        """Show what the box does at its turn, and ask for what hands have rolled; OK does at once what needs none."""
        now = now_of_turn(match, turn)
        while part is None:  # it thinks
            yield Menu(tr(now.text), (), now=now)
        if left_to_hands(part):
            return (yield from instructed(self._answer([part.rest._replace(text=part.ask.text)]), now, again=True))
        yield Menu(tr(now.text), (), ok=part, now=now)
        return (Act(part.ask.verb),)

    def renew(self, match: Match, table: Seating, seen: Seen = "", keep: Keep = "entry") -> None:
        """Show a match after an act of the box or of a phone, and keep an open menu; its rows follow the match.

        If an `entry` is kept, keep also a partial answer and a notice, if the match still asks the same players the
        same: what one player has entered is no part of another's answer.
        """
        entry, notice, answering, part = self._entry, self._notice, self._answering, self._part
        private = self._private
        same = bool(match.asks) and self._match is not None and _asked(self._match) == _asked(match)
        self.show(match, table, seen)
        if self._fault or ((answering or part) and (keep == "menu" or not same)):
            return
        opened = entry is self._opened
        try:
            if opened:
                self._ask(self._menu(match))
            if opened or (answering and not part):
                self._entry.repeat(entry)
        except Exception as fault:  # the engine's own code runs in its offers
            self._strand(fault)
            return
        if part or not (answering or opened):
            self._ask(entry)
            self._part, self._answering, self._private = part, answering, private
        self._notice = notice

    @property
    def question(self) -> tuple[Menu, int]:
        """The current question, and the page of its choices, from 0."""
        self._follow()
        assert self._entry.menu is not None
        return self._entry.menu, self._entry.page

    @property
    def answering(self) -> bool:
        """Whether the match's own question is on the screen, not a menu or a doubt."""
        return self._answering

    @property
    def noticing(self) -> bool:
        """Whether an unread notice is on the screen."""
        return self._notice is not None

    @property
    def remedied(self) -> bool:
        """Whether OK would give the answer of a notice."""
        return bool(self._notice and self._notice.remedy)

    @property
    def entering(self) -> bool:
        """Whether a part of an answer has been entered."""
        return bool(self._entry.taps)

    @property
    def owning(self) -> bool:
        """Whether each seat answers the question on the screen by its own button."""
        menu = self._entry.menu
        return bool(menu and menu.places) and not any(mode.exclusive for mode in modes(self.screen()))

    def owns(self, key: Key) -> bool:
        """Check whether a press answers the question for the seat whose button it is."""
        return self.owning and isinstance(key, int)

    def awards(self, key: Key) -> bool:
        """Check whether a press on the question would say that an answer is right."""
        menu = self._entry.menu
        if not self._answering or menu is None or self._match is None or not self._match.game.judged:
            return False
        choice = menu.under(key, self._entry.page) if isinstance(key, int) else None
        value = {"ok": menu.ok, "down": menu.down}.get(str(key), choice and choice.value)
        own = value[-1] if isinstance(value, tuple) and value else value  # beside another act, the answer is the last
        return own is True

    @property
    def covered(self) -> bool:
        """Whether something more important than a call is shown over the question."""
        return next(modes(self.screen())).covers

    def tell(self, title: str, text: str, passing: bool = False, remedy: Remedy | None = None) -> None:
        """Show a notice until the next press. A `passing` one lets a press through if the seat answers for itself.

        While one with a `remedy` is on the screen, OK gives that answer to the question, and Back returns to it.
        """
        self._notice = Notice(tr(title), tr(text), passing, remedy=remedy)

    def tell_where(self) -> None:
        """Show where the match is, over the question, which stays as it is. Without a match, nothing changes."""
        if self._match and self._table:
            say = where_are_we(self._match, self._table)
            self.tell(say.title, say.text, passing=True)

    def forget(self, title: str) -> None:
        """Remove the notice with this title, if it is still on the screen."""
        if self._notice and self._notice.title == tr(title):
            self._notice = None

    def follow_up(self, title: str, before: str, text: str) -> bool:
        """Replace the text of a notice, if that notice is still on the screen; return whether it was."""
        if self._notice != Notice(tr(title), tr(before)):
            return False
        self._notice = Notice(tr(title), tr(text))
        return True

    def ask_puzzle(self, title: str, before: str, puzzle: Puzzle) -> bool:
        """Ask a puzzle in place of a notice, if that notice is still on the screen; return whether it was."""
        if self._notice != Notice(tr(title), tr(before)):
            return False
        self._notice = None
        self._ask(MenuEntry(lambda: ask_puzzle(puzzle)))
        return True

    def ask_network(self, title: str, before: str, networks: Sequence[FoundNetwork], country: str) -> bool:
        """Ask which Wi-Fi to join in place of a notice, if it is still on the screen; return whether it was."""
        if self._match or self._notice != Notice(tr(title), tr(before)):
            return False
        self._notice = None
        self._ask(MenuEntry(lambda: ask_network(networks, country)))
        return True

    def note(self, text: str) -> None:
        """Show a short text with the question, unless an order of cubes is shown there."""
        self._seen = self._seen or tr(text)

    def refuse(self, why: str, remedy: Remedy | None = None) -> None:
        """Show why an act was refused, and what OK answers instead."""
        self.tell(tr("Not allowed"), capitalised(tr(why)), passing=self.owning and not remedy, remedy=remedy)

    def press(self, key: Key, long: bool = False) -> Command | None:
        """Process a press, `long` if the button was kept down; return a command, or None."""
        return self._tried(lambda: self._press(key, long))

    def read(self, notice: Notice | None) -> None:
        """Show a notice at another page, or remove it, because somebody has read it."""
        if self._notice and notice is None:
            self._read.add(self._notice.text)
        self._notice = notice

    def pass_notice(self) -> None:
        """Remove a notice that a seat's press passes: nobody need have read it."""
        self._notice = None

    def enlarge(self, seat: int | None) -> None:
        """Show the score of another seat in large digits, or of none; this also ends the calls."""
        self.calls.say()
        self._large = seat

    def compare(self, button: int | None) -> None:
        """Show the phones that ask for the seat of a button, to choose one, or again all phones that ask."""
        self._rivals = button

    def scan(self, code: str) -> Command | str | None:
        """Process a scanned code as an answer or a part of it; return a command, why it is refused, or None."""
        return self._tried(lambda: self._scan(code))

    def screen(self) -> Screen:
        """Return what the display shows."""
        self._follow()
        menu, buttons = self._entry.menu, self._table.buttons if self._table else ()
        assert menu is not None
        if not self.table.state.joining:
            self._rivals = None
        return Screen(
            self.table.state, menu, self._entry.page, self._notice, self._match, buttons, self._seen, self._large,
            self._private or menu.private or bool(self.table.state.code), self.calls.current,
            rivals=self._rivals, answering=self._answering,
        )  # fmt: skip

    def picture(self) -> Picture:
        """Draw the screen. If the engine fails, the screen is then a notice over the menu."""
        try:
            return draw(self.screen())
        except Exception as fault:  # the engine's own code computes scores and view
            (self._strand if self._match else self._fail)(fault)
            return draw(self.screen())

    def _tried(self, do: Callable[[], T]) -> T | None:
        try:
            return do()
        except Exception as fault:  # the engine's own code runs in its offers; the box continues
            self._again()
            self._fail(fault)
            return None

    def _press(self, key: Key, long: bool) -> Command | None:
        for mode in modes(self.screen()):
            command = mode.press(self, key, long)
            if not isinstance(command, Pass):
                return command
        return None

    def press_question(self, key: Key, long: bool) -> Command | None:
        """Process a press that nothing above the question has taken; it also ends the calls."""
        menu = self._entry.menu
        assert menu is not None
        self.calls.say()
        if undo := self._last.pressed(self._match, key == "back" and not long):
            return undo
        if key == "back":
            self._back(long)
        elif key == "ok":
            return self._press_ok(menu, long)
        elif key == "down" and menu.down is not NOTHING:
            return self.tap(menu.down)
        elif key == "up" and menu.pages == 1 and self._match:
            self._large = self._match.seat or 0
        elif key in ("up", "down"):
            self._entry.turn(1 if key == "down" else -1)
        elif isinstance(key, int) and (choice := menu.under(key, self._entry.page)):
            return self._choose(choice)
        return None

    def _press_ok(self, menu: Menu, long: bool) -> Command | None:
        if long:
            rule = tr(menu.help, self._match.players if self._match else ())
            self.tell(tr("Rules"), rule or tr("Choose with the buttons below."))
        elif menu.ok is not NOTHING:
            return self.tap(menu.ok)
        elif menu.why:
            self.refuse(menu.why)
        return None

    def _choose(self, choice: Choice) -> Command | None:
        if choice.off:
            why = tr(choice.off, self._match.players if self._match else ())
            if self.owning and not choice.remedy and capitalised(why) in self._read:
                # who hammers on a button would cover the question again after each OK
                self.table.become(replace(self.table.state, ignored=True))
            else:
                self.refuse(why, choice.remedy)
        elif choice.read:
            self.tell(choice.label, choice.read())
        else:
            return self.tap(choice.value)
        return None

    def _scan(self, code: str) -> Command | str | None:
        match = self._match
        if self.table.state.paused:
            return tr("The match is paused.")
        if match is None or not (self._answering or self._part) or not match.asks:
            return tr("No card needed right now.")
        if self._entry.menu is None:
            return None
        turn = self.table.state.box_turn
        if turn and not turn.given_up and not self._decided:
            return tr(now_of_turn(match, turn).text)
        self.calls.say()
        part = self._part or self._decided
        scanned = answer_of(match.asks, code, self._progress.with_scans(match.asks, part), match.game)
        if isinstance(scanned, str):
            return tr(scanned, match.players)
        self._notice = None
        if isinstance(scanned, PartialAnswer):
            part = scanned
            self._ask(MenuEntry(lambda: self._answer([part.rest])))
            self._part, self._answering = part, True
            return None
        self._again()
        return Do((scanned,))

    def _answer(self, asks: Sequence[Ask], after: After | None = None) -> Dialogue[Acts]:
        assert self._match
        assert self._table
        self._progress, buttons = AnswerProgress(), self._table.buttons
        secret, sealed = secret_ask(asks), self.table.state.sealed
        together = parties(self._match, secret) if secret else ()
        dialogue = answer(
            asks, self._match.players, self._quick, self._progress, buttons, after, sealed=sealed, together=together
        )
        step_by_step = not self._quick and any(ask.followed_by for ask in asks)  # its questions say which step it is
        own = after and not step_by_step and gives(self._match.game, Game.now)
        now = self._match.next_step if own else None
        return instructed(dialogue, now) if now else dialogue

    def _strand(self, fault: Exception) -> None:
        """Show what failed, and then the menu, which works even if the engine fails."""
        assert self._match
        self._large = None
        self._ask(self._menu(self._match))
        self._fail(fault)

    def _fail(self, fault: Exception) -> None:
        self._fault = self._match.sayable(fault) if self._match else fault
        if self._match:
            why: str = broke(self._match, "the panel cannot show it", fault)
        else:
            log.error("the panel fails", exc_info=fault)
            why = tr("Screen error: {fault}", fault=Translated(f"{type(fault).__name__}: {fault}"))
        self.tell(tr("Problem"), why)

    def _offer(self) -> None:
        """Ask what to play."""
        self._ask(None)

    def _follow(self) -> None:
        """Show the first menu again if its contents have changed and nobody has begun to answer it."""
        if self._match is None and self._asked and not self._asked.taps and self._offered != self.table.state.offered:
            self._offer()

    def _ask(self, entry: MenuEntry[Any] | None) -> None:
        self._asked, self._answering, self._part = entry, False, None
        self._private = False

    def tap(self, value: object) -> Command | None:
        """Answer the question; return the command that this completes, or None."""
        self._entry.tap(value)
        if self._entry.menu is not None:
            return None
        command = self._entry.result
        self._quick ^= isinstance(command, Swap)
        if isinstance(command, Large) and self._match:
            self._large = self._match.seat or 0
        if isinstance(command, tuple):
            if self._match and self._answering and not self._part:
                self._last.keep(self._match, command, self._entry.taps)
            part = self._part or (self._decided if self._answering else None)
            command = Do((part.whole(command[0]), *command[1:]) if part else command)
        self._again()  # keep the same question until the referee shows another
        if isinstance(command, Say):
            self.tell(command.title, command.text)
        elif isinstance(command, Learn):
            self._learn(command)
        return command if is_command(command) else None

    def _learn(self, command: Learn) -> None:
        """Begin a lesson, on a panel that has them."""

    def _back(self, long: bool) -> None:
        if not long and self._entry.back():
            return
        if not long and self._part:
            self._again()
        elif self._match and (long or self._answering or self.table.state.doubt):
            self._ask(self._menu(self._match))
        elif self._match:
            self._again()
        else:
            self.welcome(self._open, self._table, self._resumable)

    def _menu(self, match: Match) -> MenuEntry[Any]:
        table, quick, state = self._table, self._quick, self.table.state
        assert table
        self._opened = MenuEntry(lambda: menu(match, table, quick, state))
        return self._opened

    def _again(self) -> None:
        if self._match and self._table:
            self.show(self._match, self._table, self._seen)
        else:
            self.welcome(self._open, self._table, self._resumable)


def _asked(match: Match) -> list[tuple[str, str, int | None]]:
    """List what a match usually asks, and whom: the verb, the text and the seat of each ask on a button."""
    return [(ask.verb, ask.text, ask.seat) for ask in of_players(match.asks) if not ask.rare]
