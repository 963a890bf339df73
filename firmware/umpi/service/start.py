"""The start of the service: one function builds a box, its referee, its loop and its web server from the devices up."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from umpi.box.box import Box, Plugs, Post, build
from umpi.box.config import Config
from umpi.box.identity import has_identity
from umpi.frozen import frozen
from umpi.journal import Journal
from umpi.kernel.nothing import nothing
from umpi.kernel.registry import InstalledGames, find
from umpi.recording.recorder import Recorder
from umpi.recording.report import Reporter
from umpi.referee.effects import FindHint
from umpi.referee.events import DeviceStatus, HintFound, Reach
from umpi.referee.referee import Referee
from umpi.referee.setup import BoxSetup
from umpi.rulebook.shelf import Shelf
from umpi.service.card_line import CardLine
from umpi.service.emitter_check import EmitterCheck
from umpi.service.found_aside import FoundAside
from umpi.service.hints import hint_finder, review_finder
from umpi.service.inbox import Inbox
from umpi.service.loop import Loop, by_chance
from umpi.service.page import LatePage
from umpi.service.puzzles import puzzle_finder, puzzle_judge
from umpi.service.shelf_line import ShelfLine
from umpi.service.shown import time_picture

if TYPE_CHECKING:  # a box without a page for phones need not import this
    from umpi.web.codes import Codes

ALL_GAMES = InstalledGames()

KeptPhones = Iterable[tuple[str, str, str]]  # from the journal: the hash of the secret, whose phone it is, its name
CodesOf = Callable[[KeptPhones], "Codes"]
FindReach = Callable[[Callable[[Reach], object]], object]  # posts a Reach, soon and on any thread


@frozen
class Service:
    """The parts of a running box: `page` opens its page for phones, if it has one; `hints` also finds decisions."""

    box: Box
    loop: Loop
    page: LatePage | None
    hints: FoundAside[FindHint, HintFound]


def journal_of(config: Config) -> Journal:
    """Open the journal of a box. An empty file is damage if the box has an id, which it gets after its journal.

    Raises Foreign.
    """
    return Journal(config.journal, own=config.own_journal, known=has_identity(config.journal.parent))


def unknown_reach(post: Callable[[Reach], object]) -> None:
    """Report that nothing is known of a network."""
    post(Reach())


def assemble(
    config: Config,
    journal: Journal,
    inbox: Inbox,
    pins: Any,
    plugs: Plugs,
    clock: Callable[[], int],
    *,
    post: Post | None = None,
    codes_of: CodesOf | None = None,
    check_of: Callable[[Box], EmitterCheck | None] = nothing,
    find_reach: FindReach = unknown_reach,
    card_of: Callable[[Post], CardLine | None] = nothing,
    shelf_of: Callable[[Post], ShelfLine | None] = nothing,
    recorder: Recorder | None = None,
    messages: Iterable[str] = (),
    seed: int | None = None,
    draw: Callable[[], int] = by_chance,
) -> Service:
    """Build a box and all that runs it; each part gets only parts that are there. Its match is resumed.

    `pins` is the gpiozero factory, `plugs` opens what is plugged in, and `clock` returns the monotonic nanoseconds by
    which both stamp their events. These go to `post`, by default straight into the inbox. `codes_of` makes the codes
    that pair phones; without it, no page is served. `check_of` makes the test of the emitters, `card_of` the line to
    the card, if the box started from one, `shelf_of` that to the program that installs games. `messages` are the log
    messages for a report. Without `seed`, one is drawn. `draw` returns each number by which the box draws a lot. Raises
    GPIOZeroError if no button can be opened.
    """
    post = post or inbox.post
    box = build(config, pins, plugs, post)  # its devices post events

    card, shelf = card_of(inbox.post), shelf_of(inbox.post)
    setup = replace(setup_of(config, box, journal, seed), card=card is not None, shelf=shelf is not None)
    recorder = recorder or Recorder()
    recorder.begin(setup)
    referee = Referee(setup, ALL_GAMES, find, Shelf(ALL_GAMES))  # events in, effects out

    codes = codes_of(journal.phones()) if codes_of else None
    page = LatePage(config, codes, lambda why: post(DeviceStatus("https", why))) if codes else None

    hints = hint_finder(inbox.post)

    loop = Loop(  # gives the referee its events, and performs its effects
        referee=referee,
        box=box,
        journal=journal,
        inbox=inbox,
        clock=clock,
        recorder=recorder,
        reporter=Reporter(config, recorder, messages),
        find_reach=partial(find_reach, inbox.post),
        find_hint=hints.find,
        find_review=review_finder(inbox.post).find,
        find_puzzle=puzzle_finder(inbox.post, journal.path).find,
        judge_puzzle=puzzle_judge(inbox.post, journal.path).find,
        time_picture=partial(time_picture, box, clock, inbox.post),
        keeper=codes,
        publish=page.publish if page else nothing,
        emitter_check=check_of(box),
        draw=draw,
        card=card,
        shelf=shelf,
    )

    return Service(box, loop, page, hints)


def setup_of(config: Config, box: Box, journal: Journal, seed: int | None = None) -> BoxSetup:
    """Return the setup of a box; without `seed`, a seed for its lots is drawn."""
    gate = asdict(box.funnel.settings) if box.funnel else {}
    return BoxSetup(
        known=(*config.players, *journal.players()),
        options=dict(config.options),
        language=journal.spoken() or config.language,
        beams=tuple(box.funnel.lines) if box.funnel else (),
        gate={name: value for name, value in gate.items() if name not in ("lanes", "beams")},
        dim_after_s=config.dim_after_s,
        off_after_s=config.off_after_s,
        voice=config.voice,
        seed=secrets.randbits(48) if seed is None else seed,
        setup_card=config.setup_card,
        rule_sets=dict(config.rules),
        hint=config.hint,
        hold_ms=config.hold_ms,
        repeat_ms=config.repeat_ms,
        wall=bool(config.head and config.head.wall),
    )
