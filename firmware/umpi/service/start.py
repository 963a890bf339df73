"""The start of the loop: the referee of a box, from its configuration, its calibration and its journal."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial

from umpi.box.box import Box
from umpi.box.config import Config
from umpi.journal import Journal
from umpi.kernel.registry import find, games
from umpi.recording.recorder import Recorder
from umpi.recording.report import Reporter
from umpi.referee.events import Reach
from umpi.referee.referee import Referee
from umpi.referee.setup import BoxSetup
from umpi.rulebook.shelf import read_shelf
from umpi.service.hints import HintFinder
from umpi.service.inbox import Inbox
from umpi.service.loop import Loop
from umpi.service.shown import time_picture


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
        wall=bool(config.head and config.head.wall),
    )


def start_loop(
    config: Config,
    box: Box,
    journal: Journal,
    inbox: Inbox,
    clock: Callable[[], int],
    find_reach: Callable[[], object] | None = None,
    recorder: Recorder | None = None,
    messages: Iterable[str] = (),
    seed: int | None = None,
) -> Loop:
    """Return the loop of a box, with its match resumed.

    `messages` are the log messages for a report. Without `find_reach`, nothing is known of a network; without `seed`,
    one is drawn.
    """
    setup, recorder = setup_of(config, box, journal, seed), recorder or Recorder()
    find_reach = find_reach or (lambda: inbox.post(Reach()))
    recorder.begin(setup)
    referee = Referee(setup, games(), find, read_shelf(games()))
    reporter, find_hint = Reporter(config, recorder, messages), HintFinder(inbox.post).find
    timed = partial(time_picture, box, clock, inbox.post)
    return Loop(referee, box, journal, inbox, clock, recorder, reporter, find_reach, find_hint, timed)
