"""The offers of Battledodes: the acts allowed in each phase, and the reasons for refusals."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import cast

from umpi.games.battledodes.attack import attackers, on_hex
from umpi.games.battledodes.dodes import FACES, HEXES, Place, Side, label, lying, numbers, place_text, places
from umpi.kernel import Ask, Each, Field, Forms, Given, Number, Pick, Some, Who, message
from umpi.kernel.game import nothing_more

WHYS = ("out", "far-side", "no-wall", "disputed")
CHOICES = ("replace", "reroll")

ROLL_OFF = "One dode each: the higher face begins. Equal faces are rolled again."
KEEP = "Leave any of your dodes where they lie, with the face they show now. All others are taken up to be rolled."
LAND = (
    "A roll counts if the dode bounces off the wall and stops on your side. Across several hexagons: move it to the "
    "one it covers most. If you cannot agree, roll it again. On the edge of the board it counts if it touches a "
    "hexagon. 0 is the dead zone. Your dodes it then moves stay where they stop; those knocked out are rolled again: "
    "hold Back, then details."
)
MISS = (
    "Out of bounds, on the far side, without touching the wall, or no agreement on the hexagon: roll it again. Your "
    "dodes it moved after the wall stay where they stop; those knocked out are rolled again. All others go back."
)
WAIVE = "A dode that has missed may stay out until your next turn instead of being rolled again."
CRASH = "It hit your dodes before the wall: all involved leave the board until your next turn."
CLASH = (
    "It hit the opponent's dodes: they put them back, or roll all or some of them again. Then roll yours again. Your "
    "dodes it moved after the wall stay where they stop; those knocked out are rolled again. All others go back."
)
ANSWER = "The dodes hit go back as they were, or you roll them again now, all or some of them."
ATTACK = "Each dode may strike one of the opponent's on the same multiplier: its face drops by the attacker's; at 0 or "
ATTACK += "below it is out."
DONE = "Attacks are optional. The opponent's dodes score what is left of them."

_FACE = Number("face", FACES[0], FACES[-1], source="table", text=message("Landed with which face?"))
_HEX = Number("hex", HEXES[0], HEXES[-1], source="table", text=message("On which hexagon?"))
NO_HIT = message("No wall hit: missed?")
_WHY = Pick("why", WHYS, text=message("Why does it not count?"))
_LABELS = {"replace": message("put back"), "reroll": message("roll again")}
_BY, _ON = message("Attack with which dode?"), message("Attack which dode?")
_WHICH_ROLLED, _STAYS_OUT = message("Which dode was rolled?"), message("Which dode stays out?")
_MOVED, _KNOCKED = message("Own dodes moved?"), message("Own dodes knocked out?")
_WHICH_HIT, _SOME_AGAIN = message("Which dodes were hit?"), message("Roll only some again?")
_CHOICE = Pick("choice", CHOICES, label=lambda choice: _LABELS[choice], text=message("Put back or roll again?"))
_ROLL_OFF = tuple(
    Number(name, FACES[0], FACES[-1], source="table", text=message("{who}: which face?", who=Who(seat)))
    for seat, name in enumerate(("first", "second"))
)


@lru_cache
def roll_off() -> tuple[Ask, ...]:
    """Offer the roll-off that decides who begins."""
    return (Ask("roll-off", "Who starts?", (Each("faces", _ROLL_OFF),), None, ROLL_OFF),)


def keep(seat: int, mine: Side) -> tuple[Ask, ...]:
    """Offer the choice of the seat's dodes that stay on the board."""
    there = lying(mine)
    why, shown = partial(_not_lying, seat, mine), partial(_label, mine)
    dodes = Some("dodes", there, 0, len(there), numbers(mine), why, label=shown)
    return (Ask("keep", "Keep which dodes?", (dodes,), seat, KEEP, objection=_ascending),)


def roll(seat: int, rolling: tuple[int, ...], mine: Side, theirs: Side) -> tuple[Ask, ...]:
    """Offer the possible ends of a roll; `rolling` are the dodes that may be rolled now."""
    asks, dode, usual, shifted = _own_ends(seat, rolling, mine)
    if not lying(theirs):
        return asks
    clashed, text = partial(_clashed, 1 - seat, theirs, shifted), "Hit the opponent's"
    return *asks, Ask("clash", text, (dode,), seat, CLASH, clashed, _sharing, "", usual, 0.06, rare=True)


def answer(seat: int, mine: Side, hit: tuple[int, ...]) -> tuple[Ask, ...]:
    """Offer the choice for the seat's dodes that were hit."""
    return (Ask("answer", "Dodes hit", (_CHOICE,), seat, ANSWER, partial(_again, seat, mine, hit)),)


def attack(seat: int, mine: Side, theirs: Side, spent: tuple[int, ...]) -> tuple[Ask, ...]:
    """Offer an attack, or the end of the attacks."""
    why = partial(_strikes_none, seat, mine, spent)
    by = Pick("with", attackers(mine, theirs, spent), numbers(mine), why, label=partial(_label, mine), text=_BY)
    on = partial(_targets, seat, mine, theirs)
    return (Ask("attack", "Attack", (by,), seat, ATTACK, on, question=_BY), _done(seat))


@lru_cache
def _done(seat: int) -> Ask:
    return Ask("done", "Done", (), seat, DONE)


@lru_cache(maxsize=1024)
def _own_ends(
    seat: int, rolling: tuple[int, ...], mine: Side
) -> tuple[tuple[Ask, ...], Pick, Given, tuple[Field, ...]]:  # fmt: skip
    """Return the ends of a roll that concern the seat's own dodes only; then the fields that all ends share.

    These are the field of the rolled dode, its usual answer, and the optional fields for the dodes that the roll has
    moved or knocked out.
    """
    all, there, shown = numbers(mine), lying(mine), partial(_label, mine)
    places_now, missed = places(mine), tuple([number for number in rolling if mine[number - 1].missed])
    dode = Pick("dode", rolling, all, partial(_not_rolled, seat, places_now), text=_WHICH_ROLLED)
    usual = {"dode": rolling[0]}
    why = partial(_not_lying, seat, mine)
    which = Pick("dode", there, all, why, label=shown)
    most = max(1, len(there))  # at least 1, so that a refusal gives the reason if no dode is on the board
    moved = Forms("moved", (which, _FACE, _HEX), 0, most, "table", True, 0.05, True, _MOVED)
    knocked = Some("knocked", there, 0, len(there), all, why, "table", True, False, 0.05, True, shown, None, _KNOCKED)
    landed, fouled = (dode, _FACE, _HEX, moved, knocked), (dode, _WHY, moved, knocked)
    resting = Pick("dode", missed, all, partial(_not_waived, seat, places_now, rolling), text=_STAYS_OUT)
    asks = [
        Ask("land", "Landed", landed, seat, LAND, nothing_more, _sharing, "", usual, note_if_no_hit=NO_HIT),
        Ask("miss", "Missed", fouled, seat, MISS, nothing_more, _sharing, "", usual, 0.08, rare=True),
        Ask("waive", "Skip", (resting,), seat, WAIVE, weight=0.08, rare=True),
    ]
    if there:
        hit = partial(_hit, seat, mine)
        asks.append(Ask("crash", "Hit own first", (dode,), seat, CRASH, hit, usual=usual, weight=0.04, rare=True))
    return tuple(asks), dode, usual, (moved, knocked)


def _hit(seat: int, side: Side, given: Given) -> tuple[Field, ...]:
    there = lying(side)
    why, shown, text = partial(_not_lying, seat, side), partial(_label, side), _WHICH_HIT
    return (Some("hit", there, 1, len(there), numbers(side), why, label=shown, text=text),)


def _clashed(seat: int, side: Side, shifted: tuple[Field, ...], given: Given) -> tuple[Field, ...]:
    return *_hit(seat, side, given), *shifted


def _again(seat: int, mine: Side, hit: tuple[int, ...], given: Given) -> tuple[Field, ...]:
    """Return the optional field for the dodes that are rolled again, if not all of those hit are."""
    if given.get("choice") != "reroll":
        return ()
    why, shown = partial(_not_struck, seat, mine), partial(_label, mine)
    text, one = _SOME_AGAIN, len(hit) == 1
    return (Some("dodes", hit, 1, len(hit), numbers(mine), why, "will", True, False, 0.3, one, shown, text=text),)


def _targets(seat: int, mine: Side, theirs: Side, given: Given) -> tuple[Field, ...]:
    hex = mine[cast(int, given["with"]) - 1].hex
    why, text = partial(_out_of_reach, 1 - seat, theirs, hex), _ON
    return (Pick("on", on_hex(theirs, hex), numbers(theirs), why, label=partial(_label, theirs), text=text),)


def _label(side: Side, number: object) -> str:
    return label(side, cast(int, number))


def _not_rolled(seat: int, mine: tuple[Place, ...], number: object) -> str:
    place = mine[cast(int, number) - 1]
    if place == "hand":
        template = "Dode {dode} waits: only dodes that were hit, and those they knock out, are rolled now."
        return message(template, dode=number)
    return message("Dode {dode} cannot be rolled: {where}.", dode=number, where=place_text(seat, place))


def _not_waived(seat: int, mine: tuple[Place, ...], rolling: tuple[int, ...], number: object) -> str:
    if number in rolling:
        return message("Dode {dode} cannot be skipped: it has not missed since pick-up.", dode=number)
    return _not_rolled(seat, mine, number)


def _not_lying(seat: int, side: Side, number: object) -> str:
    dode = side[cast(int, number) - 1]
    if dode.at == "board":
        return ""
    template = "{who}'s dode {dode} is not on the board: {where}."
    return message(template, who=Who(seat), dode=number, where=place_text(seat, dode.at))


def _not_struck(seat: int, side: Side, number: object) -> str:
    template = "{who}'s dode {dode} was not hit: it stays where it is."
    return _not_lying(seat, side, number) or message(template, who=Who(seat), dode=number)


def _strikes_none(seat: int, mine: Side, spent: tuple[int, ...], number: object) -> str:
    place = places(mine)[cast(int, number) - 1]
    if number in spent:
        return message("Dode {dode} has already attacked this turn.", dode=number)
    if place in HEXES[1:]:
        template = "Dode {dode} cannot attack: it is on {hex}, where {who} has none."
        return message(template, dode=number, hex=place, who=Who(1 - seat))
    return message("Dode {dode} cannot attack: {where}.", dode=number, where=place_text(seat, place))


def _out_of_reach(seat: int, side: Side, hex: int, number: object) -> str:
    dode = side[cast(int, number) - 1]
    if dode.at != "board":
        return _not_lying(seat, side, number)
    template = "{who}'s dode {dode} cannot be hit: {where}, the attacker on {hex}."
    return message(template, who=Who(seat), dode=number, where=place_text(seat, dode.hex), hex=hex)


def _ascending(given: Given) -> str:
    dodes = cast(tuple[int, ...], given["dodes"])
    return "" if list(dodes) == sorted(dodes) else message("dodes: write them in ascending order.")


def _sharing(given: Given) -> str:
    """Return an objection if a dode is both moved and knocked out, "" otherwise."""
    if "moved" not in given or "knocked" not in given:
        return ""
    for each in given["moved"]:
        if each["dode"] in given["knocked"]:
            return message("Dode {dode} is both moved and knocked out: it is one or the other.", dode=each["dode"])
    return ""
