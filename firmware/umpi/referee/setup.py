"""The setup of the referee: what a box is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from umpi.frozen import frozen
from umpi.timing.debounce import HOLD_MS


@frozen
class BoxSetup:
    """What a box is: plain values from its configuration, its calibration and its journal.

    `beams` are the lines of the funnel, none on a box without one, and `gate` its settings. `known` are the players
    that the journal and the configuration name. `seed` determines what is drawn by lot. With a `voice`, the referee
    says what the screen shows. With a `setup_card`, the panel shows how to set a game up before it begins. `rule_sets`
    are named, each with its game and options. `wall` is whether a sensor hears hits of a wall. With `hint`, players may
    ask what the box would do. `hold_ms` and `repeat_ms` are those of the buttons. A press of a button is at most
    `press_bound_ns` older than its stamp. `card` is whether the box started from a card of Umpi, `shelf` whether it
    can install games.
    """

    known: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    language: str = "en"
    beams: tuple[str, ...] = ()
    gate: Mapping[str, Any] = field(default_factory=dict)
    dim_after_s: int = 0
    off_after_s: int = 0
    seed: int = 0
    voice: bool = False
    setup_card: bool = False
    rule_sets: Mapping[str, Any] = field(default_factory=dict)
    wall: bool = False
    hint: bool = False
    hold_ms: int = HOLD_MS
    repeat_ms: int = 0
    press_bound_ns: int = 0
    card: bool = False
    shelf: bool = False
