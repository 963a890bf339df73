"""Pairing: the phones that the box knows, and the code that pairs another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Concatenate, ParamSpec, TypeVar

from umpi.i18n.translate import Translated, player_label, tr
from umpi.kernel.match import Refused
from umpi.kernel.messages import Name, message
from umpi.kernel.record import name_refusal
from umpi.referee.effects import LetPhoneIn, PairingCall, perform
from umpi.referee.ports import JournalPort, PairingPort
from umpi.referee.session import MatchSession
from umpi.table.commands import AddPhone, Admit, CloseJoin, InvalidateCode, OpenJoin, PairPhone, TurnAway, UnpairPhone
from umpi.table.joining import Claim, Joining
from umpi.table.names import disguised
from umpi.table.seats import COLOURS
from umpi.table.state import NO_PAGE, Code, Table

S = 1_000_000_000
P = ParamSpec("P")
T = TypeVar("T")


class PhonePairing:
    """Keep the paired phones and the code on the screen. The service makes the codes and knows the secrets."""

    def __init__(self, session: MatchSession, table: Table) -> None:
        self._session, self._table = session, table
        self._known: Sequence[tuple[int, int | None, str]] | None = None  # None on a box without a phone page
        self._code: tuple[str, int | None, int, str] | None = None  # on the screen: code, button, expiry, page
        self._joining: Joining | None = None  # on the screen

    def know(self, phones: Sequence[tuple[int, int | None, str]]) -> None:
        """Take the paired phones: number, button and name of each."""
        self._known = phones

    async def grant(
        self, command: PairPhone | UnpairPhone | InvalidateCode | OpenJoin | CloseJoin, now_ns: int
    ) -> None:
        """Execute a command about phones."""
        if self._known is None:
            return
        match command:
            case PairPhone(who):
                code, until_ns = await _ask(PairingPort.make_code, who, now_ns)
                self._code = code, who, until_ns, await _ask(PairingPort.page)
            case UnpairPhone(number):
                if hash := await _ask(PairingPort.unpair, number):
                    await self._session.write(JournalPort.revoke, hash)
            case InvalidateCode():
                await _ask(PairingPort.void_code)
                self._code = None
            case OpenJoin():
                if not (page := await _ask(PairingPort.page)):
                    raise Refused(NO_PAGE)
                self._joining = self._joining or Joining(f"{page.rstrip('/')}/#pair")
            case CloseJoin():
                await _ask(PairingPort.dismiss, None)
                self._joining = None

    async def ask_to_join(self, claim: Claim, instead: str) -> str:
        """Let a phone wait for its seat, `instead` of one with this hash; return why it may not, "" if it may.

        Raises Refused if the name cannot be, or if another player's phone has the seat.
        """
        joining, match, table = self._joining, self._session.match, self._session.table
        if joining is None:
            return tr("At the box, choose “Pair a phone”, then “All: one QR code”.")
        if claim.source in joining.refused:
            return tr("The players have turned this phone away.")
        if match and table and self._session.on and claim.button not in table.buttons:
            return tr("No player uses this phone’s button: {button}.", button=Name(player_label(COLOURS[claim.button])))
        self._check(claim)
        self._joining = joining.asked(claim, instead)
        for other in joining.claims:
            if other.hash != instead and not self._joining.of(other.hash):  # too many wait
                await _ask(PairingPort.dismiss, other.hash)
        return ""

    def withdraw(self, hash: str) -> None:
        """Forget a phone that waits, because its player no longer asks for the seat."""
        if self._joining and (claim := self._joining.of(hash)):
            self._joining = self._joining.without(claim)

    def _check(self, claim: Claim) -> None:
        """Check whether a phone may have its seat. Raises Refused."""
        self.check_name(claim.button, claim.name)
        owner = self._table.state.names.own.get(claim.button, claim.name)
        if owner != claim.name and not claim.instead and self._phones_of(claim.button):
            raise Refused(
                message("{name} has this colour. Ask for a second phone, or to play instead.", name=Name(owner))
            )

    def _phones_of(self, button: int) -> list[int]:
        """List the numbers of the phones that act for a button."""
        return [number for number, other, _ in self._known or () if other == button]

    def check_name(self, button: int, name: str) -> None:
        """Check the name of the player at a button. Raises Refused if it cannot be, or if somebody else has it."""
        table, seat = self._session.table, self.seat_of(button)
        others = table.others(seat) if table and seat is not None else ()
        if name_refusal(name):
            raise Refused(message("A name has 1 to 24 characters, and no control characters."))
        if disguised(name):
            raise Refused(message("Use letters of one alphabet, and no invisible characters."))
        if self._table.state.names.taken(button, name, others):
            raise Refused(message("Another player is already called {name}.", name=Name(name)))

    def seat_of(self, button: int) -> int | None:
        """Return the seat of a button in the match in play, None if it has none."""
        table = self._session.table if self._session.match and self._session.on else None
        return table.buttons.index(button) if table and button in table.buttons else None

    async def decide(self, command: Admit | TurnAway) -> Claim | None:
        """Let a phone that waits act, or turn it away; return it, or None if it no longer waits.

        A phone that plays instead of another player's unpairs the phones of the seat. Raises Refused, with nothing
        changed, if another player has got its name or its seat since it asked.
        """
        claim = self._joining and self._joining.of(command.hash)
        if not self._joining or not claim:
            return None
        if isinstance(command, Admit):
            self._check(claim)
        before = self._phones_of(claim.button) if claim.instead else []
        self._joining = self._joining.without(claim, refused=isinstance(command, TurnAway))
        if isinstance(command, TurnAway):
            await _ask(PairingPort.dismiss, claim.hash)
        elif await _ask(PairingPort.admit, claim.hash):
            who = COLOURS[claim.button].lower()
            await self._session.write(JournalPort.pair, hash=claim.hash, who=who, name=claim.phone)
            for number in before:
                if hash := await _ask(PairingPort.unpair, number):
                    await self._session.write(JournalPort.revoke, hash)
        else:
            return None
        return claim

    async def add(self, phone: AddPhone, request: int) -> bool:
        """Pair the phone that sent a request; return False if its code is no longer valid."""
        if not await perform(LetPhoneIn(request)):
            return False
        self._code = None
        await self._session.write(JournalPort.pair, hash=phone.hash, who=phone.who, name=phone.name)
        return True

    def tick(self, now_ns: int) -> bool:
        """Show the paired phones and the valid code on the panel; return whether they changed."""
        if self._known is None:
            return False
        if self._code and now_ns >= self._code[2]:
            self._code = None
        phones = tuple((number, _label(button, name)) for number, button, name in self._known)
        code = self._code and self._shown_code(*self._code, now_ns)
        state = self._table.state
        if (state.phones, state.code, state.joining) == (phones, code, self._joining):
            return False
        return self._table.become(replace(state, phones=phones, code=code, joining=self._joining))

    def due_ns(self, now_ns: int) -> int | None:
        """When the code on the screen shows another second, in nanoseconds; None if there is no code."""
        return now_ns + (self._code[2] - now_ns - 1) % S + 1 if self._code else None

    def _shown_code(self, code: str, button: int | None, until_ns: int, page: str, now_ns: int) -> Code:
        match, table = self._session.match, self._session.table
        who = tr("Referee") if button is None else player_label(COLOURS[button])
        if match and table and button in table.buttons:
            who = player_label(match.players[table.buttons.index(button)])
        return code, page, who, -((now_ns - until_ns) // S)


async def _ask(method: Callable[Concatenate[PairingPort, P], T], *values: P.args, **named: P.kwargs) -> T:
    """Call the keeper of the codes, and return its result."""
    call: PairingCall[T] = PairingCall(method, values, named)
    return await perform(call)


def _label(button: int | None, name: str) -> Translated:
    """Return the name of a paired phone with its owner."""
    who = tr("Referee") if button is None else Name(player_label(COLOURS[button]))
    return tr("{who}: {phone}", who=Translated(who), phone=Name(name))
