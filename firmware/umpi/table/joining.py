"""Joining: the phones that ask for seats, and the order in which they wait."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from operator import itemgetter

from umpi.frozen import frozen

WAITING, SEATS = 12, 6  # the most phones that wait at once, and of one source
SIGNS = range(10, 100)


@frozen
class Claim:
    """A phone that asks for a seat: the `button` of the seat and the `name` of its player.

    If another phone plays there, this one is a second phone of that player, or `instead` plays in their place.
    `hash` is the hash of the phone's secret, `phone` its kind ("Android"), `source` where it asked from. The box and
    the phone show the `sign`, so that its player finds it among others. No two phones that wait have the same sign.
    """

    hash: str
    button: int
    name: str
    phone: str
    source: str
    instead: bool = False
    sign: int = SIGNS[0]


@frozen
class Joining:
    """Joining that is open: the `page` for phones, the phones that wait, oldest first, and whom nobody let in."""

    page: str
    claims: tuple[Claim, ...] = ()
    refused: frozenset[str] = frozenset()

    def asked(self, claim: Claim, instead: str = "") -> Joining:
        """Return it with another phone that waits, `instead` of an earlier one with this hash.

        If too many wait, the oldest one of the source with the most phones goes. So no source can displace the others.
        """
        claims = [each for each in self.claims if each.hash != instead]
        signs = {each.sign for each in claims}
        sign = next(sign for sign in (*range(claim.sign, SIGNS.stop), *SIGNS) if sign not in signs)
        claims.append(replace(claim, sign=sign))
        source, most = Counter(each.source for each in claims).most_common(1)[0]
        if most > SEATS or len(claims) > WAITING:
            claims.remove(next(each for each in claims if each.source == source))
        return replace(self, claims=tuple(claims))

    def without(self, claim: Claim, refused: bool = False) -> Joining:
        """Return it without a phone, whose source is `refused` or not."""
        left = tuple(each for each in self.claims if each != claim)
        return replace(self, claims=left, refused=self.refused | ({claim.source} if refused else set()))

    def rivals(self, button: int) -> tuple[Claim, ...]:
        """Return the phones that ask for the seat of a button, if there are several: a press does not say which one.

        The first phones of all sources come first, so that no source fills the screen.
        """
        turns: Counter[str] = Counter()
        claims = []
        for claim in self.claims:
            if claim.button == button:
                claims.append((turns[claim.source], claim))
                turns[claim.source] += 1
        return tuple(claim for _, claim in sorted(claims, key=itemgetter(0))) if len(claims) > 1 else ()

    def signed(self, sign: str) -> str:
        """Return the hash of the phone with this sign, "" if none waits with it."""
        return next((claim.hash for claim in self.claims if str(claim.sign) == sign), "")

    def of(self, hash: str) -> Claim | None:
        """Return the phone that waits with this hash, None if there is none."""
        return next((claim for claim in self.claims if claim.hash == hash), None)
