"""Pairing of phones: codes from the box, limits for wrong codes, and the sessions of paired phones."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from umpi.frozen import frozen
from umpi.table.joining import SIGNS, Claim
from umpi.table.seats import COLOURS
from umpi.web.rates import Rate

S = 1_000_000_000
VALID_NS = 60 * S
FORGET_NS = 900 * S  # an address without a try for so long counts as new
LONGEST_S = 600
FIRST = 60, 1  # burst and rate per second, for all addresses without a wrong try together
AGAIN = 10, 1  # the same, for addresses with a wrong try
CLAIMS = 8, 0.2  # burst and rate per second, for an address that asks for a seat
ADDRESSES = 1024  # how many addresses are tracked
REFEREE = "referee"


@frozen
class PhoneSession:
    """A phone that may act: `hash` is the SHA-256 of its secret, `button` its button, None for the referee's."""

    id: int
    hash: str
    button: int | None
    name: str

    @property
    def who(self) -> str:
        """Return whose phone it is, in the form that the journal stores.

        >>> PhoneSession(1, "", 0, "iPhone").who, PhoneSession(2, "", None, "iPhone").who
        ('red', 'referee')
        """
        return REFEREE if self.button is None else COLOURS[self.button].lower()


class WrongCode(Exception):
    """Report a wrong or expired code."""


class TooSoon(Exception):
    """Report a try that came too soon. `wait_s` is the waiting time in seconds."""

    def __init__(self, wait_s: int) -> None:
        self.wait_s = wait_s


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    last_ns: int = 0
    until_ns: int = 0


class Codes:
    """Keep the current pairing code and the sessions. Times are monotonic nanoseconds.

    A code has six digits and is valid for a minute. After a wrong try, an address must wait 1 s, then 2, 4, 8 … One
    address can therefore make 6 guesses per code, a chance of 6 in a million. All addresses together can make at most
    120 first and 70 further guesses per minute, a chance of 190 in a million. That takes some 60 addresses.

    Wrong tries do not invalidate a code, so nobody can prevent others from pairing. First tries have a limit of their
    own, which an address uses at most once per 15 minutes. The phone at the table must therefore wait only after more
    than 60 other addresses have tried. IPv6 addresses count by their network (/64), because one device can use as many
    addresses of it as it wants.

    `address` returns the address of the page. `digits` draws a code below a million, `secret` a secret of 256 bits.
    `kept` contains the sessions from the journal: hash, who, name.
    """

    def __init__(
        self,
        kept: Iterable[tuple[str, str, str]] = (),
        address: Callable[[], str] = lambda: "",
        digits: Callable[[int], int] = secrets.randbelow,
        secret: Callable[[], str] = lambda: secrets.token_urlsafe(32),
    ) -> None:
        self._address, self._digits, self._secret = address, digits, secret
        buttons = {colour.lower(): button for button, colour in enumerate(COLOURS)}
        sessions = (PhoneSession(id, hash, buttons.get(who), name) for id, (hash, who, name) in enumerate(kept, 1))
        self._sessions = {session.hash: session for session in sessions}
        self._last_id = len(self._sessions)
        self._code = ""
        self._who: int | None = None
        self._until_ns = 0
        self._invitation = ""  # to be used once
        self._invited = False  # whether the invitation is still valid
        self._used: tuple[str, str] | None = None  # the hash of the session that last used a code, and the code
        self._first, self._again = Rate(*FIRST), Rate(*AGAIN)
        self._tries: OrderedDict[str, _Tries] = OrderedDict()
        self._claims = Rate(*CLAIMS)
        self._waiting: dict[str, PhoneSession] = {}  # by hash; the table decides how many there may be

    def page(self) -> str:
        """Return the address of the page for phones, or "" if phones cannot reach it."""
        return self._address()

    def make_code(self, who: int | None, now_ns: int) -> tuple[str, int]:
        """Create a code to pair a phone of a button, or the referee's phone if `who` is None.

        The previous code becomes invalid. Returns the code and the time when it expires, in ns.
        """
        self._code, self._who, self._used = f"{self._digits(1_000_000):06}", who, None
        self._until_ns = now_ns + VALID_NS
        return self._code, self._until_ns

    def invite(self) -> str:
        """Return a secret that pairs the referee's phone, once and however late.

        Only the computer of a virtual box, or of a box without pins, shows it. It is as long as the secret of a phone,
        so nobody can guess it.
        """
        self._invitation, self._invited = self._secret(), True
        return self._invitation

    def open(self, now_ns: int) -> bool:
        """Return whether the current code is still valid."""
        return bool(self._code) and now_ns < self._until_ns

    def void_code(self) -> None:
        """Invalidate the code."""
        self._code, self._used = "", None

    def redeem(self, code: str, address: str, name: str, now_ns: int) -> tuple[str, PhoneSession]:
        """Check a code. Return a new secret and the session, which `enter` activates.

        `name` is the name of the phone, `address` its IP address. Raises TooSoon, which does not reveal whether the
        code is right, or WrongCode.
        """
        address = network_of(address)
        tries = self._of(address, now_ns)
        if now_ns < tries.until_ns:
            raise TooSoon(-(-(tries.until_ns - now_ns) // S))
        if self._invited and hmac.compare_digest(code.encode(), self._invitation.encode()):
            return self._session_of(None, name)
        if self.open(now_ns) and (wait_s := (self._again if tries.wrong else self._first).wait_s("", now_ns)):
            raise TooSoon(wait_s)
        if not self.open(now_ns) or not hmac.compare_digest(code.encode(), self._code.encode()):
            tries.wrong += 1
            tries.last_ns = now_ns
            tries.until_ns = now_ns + min(LONGEST_S, 2 ** (min(tries.wrong, 16) - 1)) * S
            raise WrongCode
        del self._tries[address]
        return self._session_of(self._who, name)

    def _session_of(self, button: int | None, name: str) -> tuple[str, PhoneSession]:
        secret = self._secret()
        self._last_id += 1
        return secret, PhoneSession(self._last_id, _hash(secret), button, name)

    def enter(self, session: PhoneSession, code: str) -> bool:
        """Activate a session and use up its code. Return False if the code is no longer valid."""
        if self._invited and code == self._invitation:
            self._invited = False
        elif self._code and code == self._code:
            self._code = ""
        else:
            return False
        self._used = session.hash, code
        self._sessions[session.hash] = session
        return True

    def claim(
        self, button: int, name: str, address: str, phone: str, now_ns: int, instead: bool
    ) -> tuple[str, PhoneSession, Claim]:
        """Return a new secret, the session that waits for `admit`, and its claim, whose source stands for the address.

        `name` is that of the player, `phone` that of the phone. Raises TooSoon if an address asks too often.
        """
        address = network_of(address)
        if wait_s := self._claims.wait_s(address, now_ns):
            raise TooSoon(wait_s)
        secret, session = self._session_of(button, phone)
        self._waiting[session.hash] = session
        sign = SIGNS[self._digits(1_000_000) % len(SIGNS)]
        return secret, session, Claim(session.hash, button, name, phone, _hash(address)[:12], instead, sign)

    def waiting(self, secret: str) -> str:
        """Return the hash of a secret if its phone waits to be let in, otherwise ""."""
        session = self._waiting.get(_hash(secret))
        return session.hash if session else ""

    def admit(self, hash: str) -> bool:
        """Let a phone that waits act; return False if it no longer waits."""
        session = self._waiting.pop(hash, None)
        if session:
            self._sessions[hash] = session
        return session is not None

    def dismiss(self, hash: str | None) -> None:
        """Forget a phone that waits, or all of them."""
        if hash is None:
            self._waiting.clear()
        else:
            self._waiting.pop(hash, None)

    def reopen(self, session: PhoneSession) -> None:
        """Make the code that a session used valid again, unless it was replaced or invalidated."""
        if self._used and self._used[0] == session.hash:
            if self._used[1] == self._invitation:
                self._invited = True
            else:
                self._code = self._used[1]
            self._used = None

    def session(self, secret: str) -> PhoneSession | None:
        """Return the session of a secret, or None."""
        return self._sessions.get(_hash(secret)) if secret else None

    def paired(self) -> tuple[tuple[int, int | None, str], ...]:
        """List the paired phones: number, button and name of each."""
        return tuple((session.id, session.button, session.name) for session in self._sessions.values())

    def unpair(self, number: int) -> str:
        """Unpair a phone. Return the hash of its secret, or "" if there is no such phone."""
        hash = next((session.hash for session in self._sessions.values() if session.id == number), "")
        self._sessions.pop(hash, None)
        return hash

    def _of(self, address: str, now_ns: int) -> _Tries:
        """Return the tries of an address. If too many are tracked, forget the least recent address."""
        tries = self._tries.pop(address, None)
        if tries is None or now_ns - tries.last_ns > FORGET_NS:
            tries = _Tries(last_ns=now_ns)
        self._tries[address] = tries
        if len(self._tries) > ADDRESSES:
            self._tries.popitem(last=False)
        return tries


@lru_cache(ADDRESSES)
def network_of(address: str) -> str:
    """Return the network that an address counts for: an IPv4 address itself, the /64 of an IPv6 address.

    >>> network_of("192.168.4.20"), network_of("2001:db8::1"), network_of("::ffff:192.168.4.20"), network_of("a")
    ('192.168.4.20', '2001:db8::/64', '192.168.4.20', 'a')
    """
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # a name, in a test
        return address
    if number.version == 4:
        return str(number)
    return str(number.ipv4_mapped or ipaddress.ip_network((number, 64), strict=False))


def phone_name(agent: str) -> str:
    """Return a name for a phone from its User-Agent header.

    >>> phone_name("Mozilla/5.0 (Linux; Android 15; Pixel 8) Chrome/140.0")
    'Android'
    """
    kinds = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")
    return next((kind for kind in kinds if kind in agent), "phone")


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
