"""Conversations of phones with a box: a file has what phones ask, and below each request what the box answers.

    # a comment
    table quiz Rosie Tom Ann {"questions": 3}       first: a game, its players and its options; or: box {settings}
    box {"card": true}                              its card can be written, or games installed: {"shelf": true}
    news {"#": "CardNews", "stage": "busy"}          an event of another program
    red POST act {"question": "", "act": {…}}       who asks: a colour, referee, stranger; "" is the question in play
    red again GET me                                 another phone of the same
    press red ok                                     buttons of the box
    hold back                                        a button, for a second
    choose Exit match                                the button beside a text, on whichever page of the menu it is
    screen                                           what the box shows, in words, and the choices of its keys
    wait 600                                         milliseconds pass
    hurry                                            from now on, no time passes between two requests
      200 version = 3                                the answer, and below it what changes for all who look at the table
        match.scores = [5,0]

What a box draws by chance, and what a clock says, is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from tests.kit.at_table import Phone, Table, codes_of, laid
from tests.kit.evenings import differences, events_of, flat, short
from tests.kit.rig import Rigs
from umpi.recording.values import dumped, read_value
from umpi.referee.view_state import ViewState
from umpi.table.card import ChosenNetwork
from umpi.table.seats import COLOURS
from umpi.web.shown import shown_of

BY_CHANCE = re.compile(r"[0-9a-f]{12,}|\b[0-9a-f]{8}(?=\.\d)|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)")
EXPIRES = re.compile(r"expires=[^;]*;")
REQUEST = re.compile(r"(\w+(?: \w+)?) (GET|HEAD|POST|PUT) (\S+)(?: (.*))?")
HEADERS = ("content-type", "cache-control", "content-disposition", "retry-after", "vary")
USUAL = {"content-type": "application/json", "cache-control": "no-store"}
BUTTONS = [colour.lower() for colour in COLOURS]
APART_MS = 250  # as often as a phone may ask
LATER = ("version", "boot")  # of the table: they change with each answer, or each start


class Program:
    """In place of the programs that write the card and install games: what the box has asked of them."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def begin(self, *asked: Any) -> None:
        """Note what the box asks for."""
        passwords = [each.password for each in asked if isinstance(each, ChosenNetwork)]
        self.heard.append(" ".join(filter(None, [*map(str, asked), *passwords])))

    def agree(self) -> None:
        """Note that somebody agrees."""
        self.heard.append("agree")

    def close(self) -> None:
        """Do nothing."""


def begun(rigs: Rigs, lines: Iterable[str]) -> Table:
    """Lay the table that the first line of a conversation names, after comments."""
    line = next(line for line in lines if line.startswith(("table", "box")))
    word, *names = line.partition(" {")[0].split()
    options = json.loads(line[line.index(" {") :]) if " {" in line else {}
    program: Any = Program()
    rigs.card = rigs.folder / "card.sock" if options.pop("card", False) else None
    rigs.shelf = program if options.pop("shelf", False) else None
    table = Table(rigs(**options)) if word == "box" else laid(rigs, names[0], names[1:], **options)
    if rigs.card:
        table.loop._card = program
    table.heard = program.heard
    return table


def requests_of(lines: Iterable[str]) -> list[str]:
    """Return the lines of a conversation without what the box answers."""
    return [line for line in lines if not line.startswith("  ")]


def held(table: Table, lines: Iterable[str]) -> Iterator[str]:
    """Hold a conversation at a table: yield each request, then the lines that answer it."""
    phones: dict[str, Phone] = {}
    before, apart_ms = _now(table), APART_MS
    for line in lines:
        yield line
        words = line.split()
        if not words or words[0] in ("#", "table", "box"):
            continue
        if words[0] in ("press", "hold"):
            table.rig.press(" ".join(words[1:]), 100 if words[0] == "press" else 1000)
        elif words[0] == "choose":
            table.rig.choose(line.partition(" ")[2])
        elif words[0] == "screen":
            showing = shown_of(ViewState(table.referee.panel.screen()))["showing"]
            assert showing, "a screen is asked for without its match"
            yield from (f"  texts = {dumped(showing['texts'])}", f"  keys = {dumped(showing['keys'])}")
        elif words[0] == "news":
            table.loop.inbox.post(read_value(json.loads(line.partition(" ")[2])))
        elif words[0] == "wait":
            table.rig.wait_ms(int(words[1]))
        elif words[0] == "hurry":
            apart_ms = 0
        else:
            table.rig.wait_ms(apart_ms)
            yield from map("  {}".format, _answer(table, phones, line))
        table.rig.settle()
        yield from map("  heard: {}".format, table.heard)
        table.heard.clear()
        now = _now(table)
        yield from map("    {}".format, differences(before, now))
        before = now


def recorded_by(file: Path) -> list[str]:
    """Hold the conversation of a file, and return the events of the box as the lines of an evening."""
    lines = requests_of(file.read_text(encoding="utf-8").splitlines())
    with TemporaryDirectory() as folder:
        rigs = Rigs(Path(folder), codes_of)
        try:
            table = begun(rigs, lines)
            list(held(table, lines))
            return events_of(table.loop._recorder)
        finally:
            rigs.switch_off()


def _answer(table: Table, phones: dict[str, Phone], line: str) -> Iterator[str]:
    found = REQUEST.fullmatch(line)
    assert found, line
    who, method, path, body = found.groups()
    if who not in phones:
        role = who.partition(" ")[0]
        seat = None if role == "referee" else 0 if role == "stranger" else BUTTONS.index(role)
        address = f"192.168.4.{20 + len(phones)}"
        phones[who] = table.phone(address=address) if role == "stranger" else table.paired(seat, address=address)
    given: Any = json.loads(body) if body else None
    if isinstance(given, dict) and given.get("question") == "":
        given["question"] = table.question
    reply = phones[who].ask(method, path, **({"json": given} if body else {}))
    yield from _told(reply)


def _told(reply: httpx.Response) -> Iterator[str]:
    kind = reply.headers.get("content-type", "")
    told = {name: reply.headers.get(name) for name in HEADERS}
    headers = [f"{name}: {value}" for name, value in told.items() if value not in (None, USUAL.get(name))]
    cookies = (re.sub(r"=[^;]{20,}?;", "=…;", each, count=1) for each in reply.headers.get_list("set-cookie"))
    headers += [f"set-cookie: {re.sub(EXPIRES, 'expires=…;', each)}" for each in cookies]
    document = reply.json() if kind.startswith("application/json") and reply.content else None
    whole = document if isinstance(document, Mapping) else {"": document if document is not None else reply.text}
    parts = [short(f"{key} = {text}", 160) for key, text in flat(json.loads(same(json.dumps(whole))))]
    first, *rest = [*headers, *parts] or [""]
    if len(parts) == 1 and not headers:
        first, rest = parts[0], []
    yield f"{reply.status_code} {first}".rstrip()
    yield from map("  {}".format, rest)


def same(text: str) -> str:
    """Return a text without what differs from run to run.

    >>> same('{"question": "0123abcd.4", "began": "2026-01-02T03:04:05.678+00:00"}')
    '{"question": "….4", "began": "…"}'
    """
    return BY_CHANCE.sub("…", text)


def _now(table: Table) -> dict[str, str]:
    document = {key: value for key, value in table.document.items() if key not in LATER}
    return {key: short(text) for key, text in flat(json.loads(same(json.dumps(document))))}
