"""Joining: the phones that ask for seats, and the order in which they wait."""

from __future__ import annotations

from dataclasses import dataclass, replace

WAITING, SEATS = 12, 6  # the most phones that wait at once, and of one source


@dataclass(frozen=True, slots=True)
class Claim:
    """A phone that asks for a seat: the `button` of the seat and the `name` of its player.

    If another phone plays there, this one is a second phone of that player, or `instead` plays in their place.
    `hash` is the hash of the phone's secret, `phone` its kind ("Android"), `source` where it asked from.
    """

    hash: str
    button: int
    name: str
    phone: str
    source: str
    instead: bool = False


@dataclass(frozen=True, slots=True)
class Joining:
    """Joining that is open: the `page` for phones, the phones that wait, oldest first, and whom nobody let in."""

    page: str
    claims: tuple[Claim, ...] = ()
    refused: frozenset[str] = frozenset()

    def asked(self, claim: Claim, instead: str = "") -> Joining:
        """Return it with another phone that waits, `instead` of an earlier one with this hash.

        One source has at most as many phones as there are seats, so it cannot displace all others.
        """
        others = [each for each in self.claims if each.hash != instead]
        own = [each for each in others if each.source == claim.source]
        if len(own) >= SEATS:
            others.remove(own[0])
        return replace(self, claims=(*others, claim)[-WAITING:])

    def without(self, claim: Claim, refused: bool = False) -> Joining:
        """Return it without a phone, whose source is `refused` or not."""
        left = tuple(each for each in self.claims if each != claim)
        return replace(self, claims=left, refused=self.refused | ({claim.source} if refused else set()))

    def of(self, hash: str) -> Claim | None:
        """Return the phone that waits with this hash, None if there is none."""
        return next((claim for claim in self.claims if claim.hash == hash), None)
