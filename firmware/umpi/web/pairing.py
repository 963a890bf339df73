"""Who may act from a phone: codes made at the box, wrong ones slowed, and the sessions they open."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from umpi.display.setup import COLOURS
from umpi.i18n.translate import Translated, player_label, tr
from umpi.kernel.messages import Name
from umpi.web.rates import Rate

S = 1_000_000_000
VALID_NS = 60 * S
FORGET_NS = 900 * S  # an address that has not tried for so long begins anew
LONGEST_S = 600
FIRST = 60, 1  # tries of addresses that have not been wrong: so many at once, then so many per second, of all together
AGAIN = 10, 1  # and of those that have been
ADDRESSES = 1024  # how many are kept apart
REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class PhoneSession:
    """A phone that may act: `hash` is the SHA-256 of its secret, `button` whose it is, None for the referee's."""

    id: int
    hash: str
    button: int | None
    name: str

    @property
    def who(self) -> str:
        """Whose it is, as the journal writes it down.

        >>> PhoneSession(1, "", 0, "iPhone").who, PhoneSession(2, "", None, "iPhone").who
        ('red', 'referee')
        """
        return REFEREE if self.button is None else COLOURS[self.button].lower()


class WrongCode(Exception):
    """A code that opens nothing."""


class TooSoon(Exception):
    """A try before its time; `wait_s` is how many seconds are still to wait."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    last_ns: int = 0
    until_ns: int = 0


class Codes:
    """Keeps the code that stands and the sessions; times are monotonic nanoseconds.

    Nobody can guess a code, and nobody can keep others from using it. It has six digits and is valid for a minute. A
    wrong try makes its address wait 1 s, then 2, 4, 8 …, so one address makes 6 guesses per code: 6 chances in a
    million. All addresses together make at most 120 first and 70 further guesses in a minute: 190 in a million, and
    that only for somebody who has some 60 addresses. Wrong tries void no code: first tries have a room of their own,
    which no address uses twice within a quarter of an hour, so that the phone at the table waits only after more than
    60 strange ones. IPv6 addresses count by their network (/64), as one device has as many of these as it wants.

    `address` tells where phones find the page. `digits` draws a code below a million, `secret` 256 bits; `kept` are
    the sessions of before: hash, who, name.
    """

    def __init__(
        self,
        kept: Iterable[tuple[str, str, str]] = (),
        address: Callable[[], str] = str,
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
        self._used: tuple[str, str] | None = None  # the hash of the session that used a code last, and that code
        self._first, self._again = Rate(*FIRST), Rate(*AGAIN)
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    @property
    def address(self) -> str:
        """Where phones find the page, "" where they cannot."""
        return self._address()

    def code(self, who: int | None, now_ns: int) -> tuple[str, int]:
        """Make the code to pair a phone of a button, None: the referee's; any other holds no more.

        Returns it and until when it holds.
        """
        self._code, self._who, self._used = f"{self._digits(1_000_000):06}", who, None
        self._until_ns = now_ns + VALID_NS
        return self._code, self._until_ns

    def open(self, now_ns: int) -> bool:
        """Tell whether the code made last can still be used."""
        return bool(self._code) and now_ns < self._until_ns

    def void(self) -> None:
        """Let the code hold no more."""
        self._code, self._used = "", None

    def redeem(self, code: str, address: str, name: str, now_ns: int) -> tuple[str, PhoneSession]:
        """Check the code of the phone `name` at an address; returns its secret and the session that `enter` opens.

        Raises TooSoon, which tells nothing of the code, or WrongCode.
        """
        address = network_of(address)
        tries = self._of(address, now_ns)
        if now_ns < tries.until_ns:
            raise TooSoon(-(-(tries.until_ns - now_ns) // S))
        if self.open(now_ns) and (wait_s := (self._again if tries.wrong else self._first).wait_s("", now_ns)):
            raise TooSoon(wait_s)
        if not self.open(now_ns) or not hmac.compare_digest(code.encode(), self._code.encode()):
            tries.wrong += 1
            tries.last_ns = now_ns
            tries.until_ns = now_ns + min(LONGEST_S, 2 ** (min(tries.wrong, 16) - 1)) * S
            raise WrongCode
        del self._tries[address]
        secret = self._secret()
        self._last_id += 1
        return secret, PhoneSession(self._last_id, _hash(secret), self._who, name)

    def enter(self, session: PhoneSession, code: str) -> bool:
        """Let the phone of a session act, and its code pair no other; returns False if the code is valid no longer."""
        if not self._code or code != self._code:
            return False
        self._code, self._used = "", (session.hash, code)
        self._sessions[session.hash] = session
        return True

    def reopen(self, session: PhoneSession) -> None:
        """Make the code valid again that a session has used, unless another was made or it was voided."""
        if self._used and self._used[0] == session.hash:
            self._code, self._used = self._used[1], None

    def session(self, secret: str) -> PhoneSession | None:
        """Find the session that a secret opens."""
        return self._sessions.get(_hash(secret)) if secret else None

    def known(self) -> list[tuple[int, str]]:
        """List the phones that may act, each with its number and what it is called."""
        return [(session.id, _called(session)) for session in self._sessions.values()]

    def revoke(self, number: int) -> str:
        """Let a phone act no more; returns the hash of its secret, "" where there is none."""
        hash = next((session.hash for session in self._sessions.values() if session.id == number), "")
        self._sessions.pop(hash, None)
        return hash

    def _of(self, address: str, now_ns: int) -> _Tries:
        """What is known of an address; of too many the one that tried first is forgotten."""
        tries = self._tries.pop(address, None)
        if tries is None or now_ns - tries.last_ns > FORGET_NS:
            tries = _Tries(last_ns=now_ns)
        self._tries[address] = tries
        if len(self._tries) > ADDRESSES:
            self._tries.popitem(last=False)
        return tries


@lru_cache(ADDRESSES)
def network_of(address: str) -> str:
    """Return the network that an address counts for: an IPv4 address is its own, an IPv6 address its /64.

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
    """Name a phone by what its browser says of itself.

    >>> phone_name("Mozilla/5.0 (Linux; Android 15; Pixel 8) Chrome/140.0")
    'Android'
    """
    kinds = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")
    return next((kind for kind in kinds if kind in agent), "phone")


def _called(session: PhoneSession) -> Translated:
    who = tr("The referee") if session.button is None else Name(player_label(COLOURS[session.button]))
    return tr("{who}: {phone}", who=Translated(who), phone=Name(session.name))


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
