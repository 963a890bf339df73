"""The offers of Battledodes: the acts allowed in each phase, and the reasons for refusals."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import cast

from umpi.games.battledodes.attack import attackers, on_hex
from umpi.games.battledodes.dodes import FACES, HEXES, Side, label, lying, numbers, off_board, on_board
from umpi.kernel import Ask, Each, Field, Forms, Given, Number, Pick, Some, Who, message
from umpi.kernel.game import nothing_more
from umpi.kernel.messages import paged

WHYS = ("out", "far-side", "no-wall", "disputed")
CHOICES = ("replace", "reroll")

ROLL_OFF = "Each player rolls one dode. The higher number starts. If the numbers are equal, roll again."
KEEP = "Keep any of your dodes on the board as they are. Pick up the others and roll them."
LAND = (
    "A roll counts if the dode bounces off the wall and stops on your side. If it touches several hexagons, move it to "
    "the one that it covers most. If you cannot agree, roll it again. On the edge of the board, it counts if it "
    "touches a hexagon. 0 is the dead zone."
)
OWN_DODES = (
    "If it hit your own dodes before the wall, it and they are out until your next turn. If it moved them after the "
    "wall, they stay where they stop. Roll those knocked out again. To enter this, hold Back."
)
LANDED = paged((LAND, OWN_DODES))
MISS = (
    "Roll it again if it left the board, stopped on the far side or missed the wall, or if you cannot agree on the "
    "hexagon. Your dodes that it moved after the wall stay where they stop. Roll those knocked out again. All others "
    "go back."
)
WAIVE = "A dode that has missed may stay out until your next turn instead of being rolled again."
CRASH = "If it hit your own dodes before the wall, it and they leave the board until your next turn."
CLASH = (
    "If it hit the opponent’s dodes, they put these back, or roll some or all of them again. Then roll yours again. "
    "Your dodes that it moved after the wall stay where they stop. Roll those knocked out again. All others go back."
)
ANSWER = "Your dodes were hit: put them back as they were, or roll some or all of them again now."
ATTACK = "Each dode may attack one of the opponent’s dodes on a hexagon with the same number. "
ATTACK += "Subtract the attacker’s face. At 0 or less, the dode is removed."
DONE = "Attacks are optional. Then each of the opponent’s dodes scores what is left of it."

_FACE = Number("face", FACES[0], FACES[-1], source="table", text=message("Which face is up?"))
_HEX = Number("hex", HEXES[0], HEXES[-1], source="table", text=message("On which hexagon?"))
NO_HIT = message("Did it miss the wall?")
_WHY = Pick("why", WHYS, text=message("Why does it not count?"))
_LABELS = {"replace": message("put back"), "reroll": message("roll again")}
_BY, _ON = message("Attack with which dode?"), message("Attack which dode?")
_MOVED, _KNOCKED = message("Which of yours moved?"), message("Which were knocked out?")
_WHICH_HIT, _SOME_AGAIN = message("Which dodes were hit?"), message("Roll which ones again?")
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
    asks, dode, usual, shifted, sharing = _own_ends(seat, rolling, mine)
    if not lying(theirs):
        return asks
    clashed, text = partial(_clashed, 1 - seat, theirs, shifted), "Hit opponent’s dodes"
    return *asks, Ask("clash", text, (dode,), seat, CLASH, clashed, sharing, "", usual, 0.06, rare=True)


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
) -> tuple[tuple[Ask, ...], Pick, Given, tuple[Field, ...], Callable[[Given], str]]:  # fmt: skip
    """Return the ends of a roll that concern the seat's own dodes only; then what all ends share.

    This is the field of the rolled dode, its usual answer, the optional fields for the dodes that the roll has moved
    or knocked out, and the objection to them.
    """
    all, there, shown = numbers(mine), lying(mine), partial(_label, mine)
    missed = tuple([number for number in rolling if mine[number - 1].missed])
    dode = Pick("dode", rolling, all, partial(_not_rolled, seat, mine), in_order=True)
    usual = {"dode": rolling[0]}
    why = partial(_not_lying, seat, mine)
    which = Pick("dode", there, all, why, label=shown)
    most = max(1, len(there))  # at least 1, so that a refusal gives the reason if no dode is on the board
    moved = Forms("moved", (which, _FACE, _HEX), 0, most, "table", True, 0.05, True, _MOVED)
    knocked = Some("knocked", there, 0, len(there), all, why, "table", True, False, 0.05, True, shown, None, _KNOCKED)
    landed, fouled = (dode, _FACE, _HEX, moved, knocked), (dode, _WHY, moved, knocked)
    resting = Pick("dode", missed, all, partial(_not_waived, seat, mine, rolling), in_order=True)
    sharing = partial(_sharing, mine)
    asks = [
        Ask("land", "Landed", landed, seat, LANDED, nothing_more, sharing, "", usual, note_if_no_hit=NO_HIT),
        Ask("miss", "Missed", fouled, seat, MISS, nothing_more, sharing, "", usual, 0.08, rare=True),
        Ask("waive", "Skip", (resting,), seat, WAIVE, weight=0.08, rare=True),
    ]
    if there:
        hit = partial(_hit, seat, mine)
        text = "Hit own before the wall"
        asks.append(Ask("crash", text, (dode,), seat, CRASH, hit, usual=usual, weight=0.04, rare=True))
    return tuple(asks), dode, usual, (moved, knocked), sharing


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


def _not_rolled(seat: int, mine: Side, number: object) -> str:
    dode = mine[cast(int, number) - 1]
    if dode.at == "hand":
        return message("This dode waits: only dodes that were hit, and those they knock out, are rolled now.")
    if dode.at == "board":
        template = "{who}’s {dode} cannot be rolled: it is on the board."
        return message(template, who=Who(seat), dode=on_board(mine, cast(int, number)))
    return message("This dode cannot be rolled: {where}.", where=off_board(seat, dode.at))


def _not_waived(seat: int, mine: Side, rolling: tuple[int, ...], number: object) -> str:
    if number in rolling:
        return message("Only a dode whose last roll was a miss can be skipped.")
    return _not_rolled(seat, mine, number)


def _not_lying(seat: int, side: Side, number: object) -> str:
    dode = side[cast(int, number) - 1]
    if dode.at == "board":
        return ""
    return message("{who}’s dode is not on the board: {where}.", who=Who(seat), where=off_board(seat, dode.at))


def _not_struck(seat: int, side: Side, number: object) -> str:
    if reason := _not_lying(seat, side, number):
        return reason
    template = "{who}’s {dode} was not hit: it stays where it is."
    return message(template, who=Who(seat), dode=on_board(side, cast(int, number)))


def _strikes_none(seat: int, mine: Side, spent: tuple[int, ...], number: object) -> str:
    dode = mine[cast(int, number) - 1]
    if dode.at != "board":
        return message("This dode cannot attack: {where}.", where=off_board(seat, dode.at))
    named = {"who": Who(seat), "dode": on_board(mine, cast(int, number))}
    if number in spent:
        return message("{who}’s {dode} has already attacked this turn.", **named)
    if not dode.hex:
        return message("{who}’s {dode} cannot attack.", **named)
    return message("{who}’s {dode} cannot attack: {other} has no dode there.", **named, other=Who(1 - seat))


def _out_of_reach(seat: int, side: Side, hex: int, number: object) -> str:
    if reason := _not_lying(seat, side, number):
        return reason
    template = "{who}’s {dode} cannot be attacked: the attacker is on hexagon {hex}."
    return message(template, who=Who(seat), dode=on_board(side, cast(int, number)), hex=hex)


def _ascending(given: Given) -> str:
    dodes = cast(tuple[int, ...], given["dodes"])
    return "" if list(dodes) == sorted(dodes) else message("Choose the dodes in the order listed.")


def _sharing(mine: Side, given: Given) -> str:
    """Return an objection if a dode is both moved and knocked out, "" otherwise."""
    if "moved" not in given or "knocked" not in given:
        return ""
    for each in given["moved"]:
        if each["dode"] in given["knocked"]:
            template = "{dode} cannot be both moved and knocked out."
            return message(template, dode=on_board(mine, each["dode"]))
    return ""
