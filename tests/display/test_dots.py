"""Each kind of screen at its edges, dot by dot as somebody has seen it: short and long texts, few and many of them.

dots.txt has a print of each group. UMPI_APPROVE=1 writes it anew, and the pictures of each group to build/approved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from umpi.display import screens, service_screens
from umpi.display.facts import board_facts, draw_facts
from umpi.display.lettering import FONTS, SMALL, TINY
from umpi.display.menu import Choice, Menu
from umpi.display.picture import Picture
from umpi.display.screens import Place
from umpi.display.sheet import FOOT, HEIGHT, TOP, WIDTH, Sheet, pages
from umpi.display.tiles import draw_tiles, least
from umpi.kernel import Match
from umpi.kernel.board import Board, Card, Counter, Die, Grid, Line, Pile, Space, Token, Track
from umpi.kernel.calls import Call
from umpi.kernel.now import Now
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.simulator.reading import image_of
from umpi.table.device_check import DeviceCheck
from umpi.table.joining import Claim, Joining
from umpi.table.standing import Tile

SEEN = Path(__file__).with_name("dots.txt")
APPROVED = Path(__file__).parents[2] / "build" / "approved"
SHORT, LONG = (
    ("Ann", "Ben", "Cem", "Dora", "Eve", "Fay"),
    ("Christelle", "Maximilian", "Bartholomew", "Zsófia", "Kévin", "Ann"),
)
TEXTS = (
    "", "A", "Deal three", "Press your own button.", "Choose another player’s riddle and move its chip.",
    "Red is out.\nBlue is in.", "One page.\n\nAnother page, which is longer.", "Donaudampfschifffahrtsgesellschaft",
    "w " * 90,
)  # fmt: skip
ADDRESSES = ("", "192.168.4.1:8000", "umpi.local", "192.168.104.101:8000", f"{'x' * 50}.local:8")
LABELS = ("no", "undo", "rematch", "keep order", "Maximilian right", "a label longer than a row of the screen can be")


def bars() -> Iterator[Picture]:
    """Title bars: a title, a text at the right, a mark, a shorter text and a sign."""
    rights = ("", "1/2", "OK start", "NEXT 12:34", "3 rolls left, then stop")
    for left, right, sign in product(
        ("", "Ann", "Which game?", "Bartholomew: which?", "W" * 33), rights, ("", "NOT SAVED")
    ):
        for button, short in ((None, None), (2, None), (None, "1/2"), (5, "")):
            sheet = Sheet(sign)
            sheet.bar(left, right, button, short)
            yield sheet.image.crop((0, 0, WIDTH, 12))


def menus() -> Iterator[Menu]:
    """Menus of one to eight choices, marked, off and named by a button, with all that may stand beside them."""
    for many in range(1, 9):
        for label in (LABELS[many % 6][:9], LABELS[(many * 5) % 6]):
            choices = tuple(
                Choice(label[at % 2 :], at, "off" if at == 1 else "", at == 2, shorter=("ab", "c") if at == 3 else ())
                for at in range(many)
            )
            yield Menu("Title", choices)
            yield Menu("Which of these?", choices, 1, "start", rows=True)
            named = tuple(choice if at else Choice(label, at, button=4) for at, choice in enumerate(choices))
            yield Menu("A title of some length?", named, 1, note="fire 2 air 3")


def keys() -> Iterator[Picture]:
    """Labels above the keys, rows, and rows in two columns."""
    for menu in menus():
        for page in range(menu.pages):
            sheet = Sheet()
            (sheet.rows if menu.rows else sheet.keys)(menu, page)
            yield sheet.image
            for columns in (1, 2):
                sheet = Sheet()
                sheet.dotted(TOP + sheet.halves(menu, page))
                sheet.list(menu, page, 20, columns)
                yield sheet.image


def blocks() -> Iterator[Picture]:
    """Running text in rooms of several heights, whole or page by page."""
    for text, (top, bottom), centred in product(TEXTS, ((TOP, HEIGHT), (TOP, FOOT), (30, 46), (20, 29)), (False, True)):
        sheet = Sheet()
        sheet.block(text, top, bottom, centred=centred)
        yield sheet.image
        if not centred:
            sheet = Sheet()
            sheet.block(text, top, bottom, pages(text, bottom - top) - 1)
            sheet.number(text[:5], 0, 10)
            yield sheet.image


def numbers() -> Iterator[Picture]:
    """Scores as large as possible."""
    for text, top in product(
        ("7", "-3", "42", "144", "-1234", "99999", "123456789", "7+", "+42", "hidden until the end"), (TOP, 40)
    ):
        sheet = Sheet()
        sheet.number(text, top, HEIGHT - 1)
        yield sheet.image


def tiles_of(many: int, names: tuple[str, ...], score: str, beside: str, light: int) -> list[Tile]:
    """The tiles of so many seats."""
    return [
        Tile(seat, names[seat], beside if seat != 1 else "", score[: 1 + seat], seat == light) for seat in range(many)
    ]


def tiles() -> Iterator[Picture]:
    """Tiles of one to six seats, in rooms of several heights."""
    for many, names, score, beside in product(
        range(1, 7), (SHORT, LONG), ("", "7", "-42", "123456"), ("", "2/3", "next out")
    ):
        each = tiles_of(many, names, score, beside, many // 2)
        sheet = Sheet()
        draw_tiles(sheet, each, FOOT, TOP)
        yield sheet.image
        sheet = Sheet()
        draw_tiles(sheet, each, 45, 45 - max(least(each), 20))
        yield sheet.image


BOARD = Board((
    Line((Card("a", 7), Card("b"), Die("c", 3, seat=1), Die("d", seat=1), Die("e"), Token("f", 0), Token("g"),
          Counter("h", "bank", 12), Pile("i", 40)), "market"),
    Line(tuple(Card(f"s{at}") for at in range(9)) + tuple(Card(f"t{at}", 1) for at in range(3))),
    Track((Space("x", (Token("k", 1),), "A"), Space("y"), Space("z", (Card("l", 2), Token("m", 5)))), "road"),
    Grid(((Space("p", (), "1"), None, Space("q")), (Space("r", (Token("n", 2),)), Space("u"), None)), label="grid"),
    Grid(tuple((Space(f"v{at}"),) for at in range(6))),
))  # fmt: skip


def facts() -> Iterator[Picture]:
    """Facts and boards above the tiles of the seats."""
    lists = [
        [], ["deck 40"], ["deck 40", "pile 3", "Red has 12 cards"], ["a fact as long as the line is wide, or longer"],
        ["one\ntwo", "three"], [f"fact number {at}" for at in range(9)], [*board_facts(BOARD, SHORT)],
    ]  # fmt: skip
    for each, many, (top, bottom) in product(lists, (2, 4, 6), ((TOP, FOOT), (TOP, 30), (20, 64))):
        for score, names in (("12", SHORT), ("", SHORT), ("123456", LONG)):
            sheet = Sheet()
            draw_facts(sheet, each, tiles_of(many, names, score, "x" if score == "12" else "", 0), top, bottom)
            yield sheet.image


def questions() -> Iterator[Picture]:
    """Questions on a screen of their own."""
    two = (Choice("yes", True), Choice("no", False))
    for text, sign in product(TEXTS, ("", "ERR")):
        for more in ({}, {"head": "Dodéka dice"}, {"head": "A" * 22}, {"heat": (0, 3)}, {"heat": (1, 2, 5)}):
            yield screens.question(Menu("Umpi", two, 1, text=text, **more), 0, sign)  # type: ignore[arg-type]
    for wheel in (-50, 0, 144, 99999):
        yield screens.question(Menu("Points", two, 1, wheel=wheel), 0)
    for texts in (("a", "b"), ("w " * 40,)):
        yield screens.question(Menu("Set-up", (), None, "start", texts=texts), len(texts) - 1)
    for qr, text in (
        ("http://192.168.4.1:8000/", "umpi\nring-toss-four"),
        ("x" * 60, "too long"),
        ("x" * 50, "w " * 40),
    ):
        yield screens.question(Menu("A long title here", (), None, "next", text=text, qr=qr), 0, "ERR")
    for menu in menus():
        for page in range(menu.pages):
            yield screens.question(menu, page)


def quiz(names: tuple[str, ...] = SHORT) -> Match:
    """A quiz before its first question."""
    return Match(find("quiz"), names)


def orders() -> Iterator[Picture]:
    """The order of cubes, with owners and without, at somebody's turn or nobody's."""
    for names, many, owned, close in product((SHORT, LONG), range(1, 7), (True, False), (0, 2, 9)):
        order = tuple(
            Place(names[at] if owned or at % 2 else f"cube {at}", at if owned or at % 2 else None,
                  (900, 99_949, 99_950, 12_345_600, None)[at % 5], at in (close, close + 1))
            for at in range(many)
        )  # fmt: skip
        for seat, now in ((None, None), (1, Now("Ben: say your answer, and be quick about it.", 1))):
            menu = Menu("Right?", (Choice("yes", 1), Choice("no", 0)), 1, seat=seat, now=now)
            yield screens.table(quiz(names), menu, 0, order, tuple(range(5, -1, -1)))
            if many in (2, 5):
                yield screens.listed(quiz(names), menu, 0, order)


@lru_cache
def matches() -> list[tuple[Match, bool]]:
    """Matches with few and many players: before the first act, in the middle and at the end."""
    found = []
    for id, names in (
        ("dodeka", SHORT[:2]), ("dodekka", LONG[:4]), ("dodekka", SHORT[:2]), ("dohdles", LONG), ("dohdles", SHORT[:3]),
        ("dudab-buba", SHORT[:3]), ("quiz", LONG), ("quiz", SHORT[:3]), ("scorepad", LONG[:4]), ("scorepad", SHORT),
    ):  # fmt: skip
        whole = play_out(find(id), names, {"parts": 1} if id == "dodeka" else None, seed=1)
        for acts in (0, len(whole.acts) // 2, len(whole.acts)):
            match = whole.copy()
            if acts < len(whole.acts):
                match.undo(len(whole.acts) - acts)
            found.append((match, acts > 0))
    return found


NOTES = ("", "fire 2 air 3", "blue-hand-1 red-club-2 shaman-green")
NOWS = (None, Now("Ann: roll.", 0), Now("Deal three cards, nearest the deck first: which element?", 1))


def tables() -> Iterator[Picture]:
    """The table of each game: its scores, facts and question, with all that may stand beside."""
    for number, (match, _) in enumerate(matches()):
        buttons = tuple(range(len(match.players)))[::-1]
        for at, menu in enumerate(menus()):
            if (at + number) % 7 == 0 and not menu.rows:
                own = {"note": NOTES[at % 3], "now": NOWS[(at + number) % 3], "seat": (None, 0, 1)[at % 3]}
                own |= {"down": 1, "less": "not right"} if at % 5 == 0 else {}
                menu = Menu(menu.title, menu.choices, menu.ok, menu.done, **own)  # type: ignore[arg-type]
                seen = ("", "2 of 4")[at % 2]
                yield screens.table(match, menu, 0, seen, buttons, ("", "1:05")[at % 2], ("", "NOT SAVED")[number % 2])
            if (at + number) % 7 == 1 and menu.rows:
                yield screens.listed(
                    match, menu, menu.pages - 1, ("", "2 of 4")[at % 2], buttons, ("", "ERR")[number % 2]
                )


def ends() -> Iterator[Picture]:
    """Who has won and why, calls, and scores in large digits."""
    over = Menu("", (Choice("undo", 0), Choice("rematch", 1), Choice("done", 2)), 1)
    for match, begun in matches():
        if not match.asks:
            for sign in ("", "NOT SAVED"):
                yield screens.over(match, over, 0, (), sign)
        if begun:
            seat = len(match.players) - 1
            yield screens.number(match, seat, (), "ERR" if match.asks else "")
            for what in ({"seat": seat}, {"winners": (0, 1)}, {"winners": ()}, {"seat": 9}):
                yield screens.call(match, Call("x", TEXTS[2 + seat], what), ())
    for clock in ("", "1:23"):
        yield screens.paused("Dodéka dice", clock, clock and "ERR")
    for text, ok in product(TEXTS, ("", "cube", "a longer remedy than most")):
        yield screens.notice("Not allowed", text, 0, ok=ok)
        yield screens.notice("Rules", text, pages(text, HEIGHT - TOP) - 1)


def beside() -> Iterator[Picture]:
    """Codes, phones that join, and the check of the devices."""
    for address, who, seconds in product(ADDRESSES, ("Red", "Bartholomew"), (5, 180)):
        page = address and f"http://{address}/"
        yield service_screens.code("314159", page, who, seconds, "ERR" if seconds == 5 else "")
    for page in ("http://192.168.4.1:8000/", f"http://{'x' * 60}:8000/"):
        for many in range(7):
            claims = [
                Claim(f"{at}", at, LONG[at], "Android", "", at % 3 == 1, sign=10 + 33 * (at % 3)) for at in range(many)
            ]
            yield service_screens.join(Joining(page, tuple(claims)))
            yield service_screens.rivals(service_screens.rivals_menu(claims))
    lanes = tuple(f"lane_{at}" for at in range(1, 7))
    for beams in ((), lanes, (*lanes[:2], "second_2", "second_3")):
        for active in ((), ("lane_2", "second_3", "red", "ok"), ("black", "back", "up", "lane_1")):
            for latest in (None, 17):
                yield service_screens.check(DeviceCheck(beams, frozenset(active), latest, 240))


def letters() -> Iterator[Picture]:
    """Letters of each font before capitals and beside each other, cut at either end."""
    for font, text in product(FONTS, ("MWmw0OKH", "Wa WA MAM", "🔥💧💨⛰✦⬟⬡⏸␣", "őűŐŰßæœ.:…■▼", "")):
        yield font.render(text)
        yield font.render(font.fit(text, 20))
        yield font.render(font.tail(text, 20))
    for name, width in product(("Maximilian", "Maximus", "Max", "Anna"), (8, 20, 30, 60)):
        for font in (SMALL, TINY):
            yield font.render(font.apart(name, ["Maximilian", "Maximus", "Max", "Anna", "Anne"], width))


GROUPS: dict[str, Callable[[], Iterator[Picture]]] = {
    "bars": bars, "keys": keys, "blocks": blocks, "numbers": numbers, "tiles": tiles, "facts": facts,
    "questions": questions, "orders": orders, "tables": tables, "ends": ends, "beside": beside, "letters": letters,
}  # fmt: skip


def looked_at(pictures: list[Picture]) -> Image.Image:
    """All pictures beside each other."""
    across, whole = 12, [image_of(picture) for picture in pictures]
    sheet = Image.new("L", (across * (WIDTH + 4), -(-len(whole) // across) * (HEIGHT + 4)), 90)
    for at, image in enumerate(whole):
        sheet.paste(image.convert("L"), (at % across * (WIDTH + 4), at // across * (HEIGHT + 4)))
    return sheet


@pytest.mark.parametrize("group", GROUPS)
def test_each_dot_is_where_somebody_has_seen_it(group: str) -> None:
    """After a change on purpose: UMPI_APPROVE=1 keeps the prints; look at the pictures that it writes."""
    pictures = [*GROUPS[group]()]
    dots = sha256(b"".join(f"{picture.size}".encode() + picture.tobytes() for picture in pictures))
    now = f"{len(pictures)} {dots.hexdigest()[:16]}"
    seen: dict[str, Any] = dict(line.split(": ") for line in SEEN.read_text(encoding="utf-8").splitlines())
    if os.environ.get("UMPI_APPROVE"):
        APPROVED.mkdir(parents=True, exist_ok=True)
        looked_at(pictures).save(APPROVED / f"dots-{group}.png")
        seen = {each: now if each == group else seen.get(each, "") for each in GROUPS}
        SEEN.write_text("".join(f"{each}: {what}\n" for each, what in seen.items()), encoding="utf-8")
    assert now == seen[group]
