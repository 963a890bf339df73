"""The sound of an answer, by what the referee says about it."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.kernel.calls import OVER, TOO_EARLY, Call, Sound

SOUNDS: dict[str, Sound] = {
    OVER: "winner", "bust": "bad", "expired": "bad", TOO_EARLY: "bad",
    "no-bust": "good", "pairtraiz": "good", "part": "good", "scored": "good",
}  # fmt: skip


def sound_of(calls: Sequence[Call], over: bool) -> Sound:
    """Return the sound of an answer: that of its first call, or by its kind.

    If the game is `over`, it is that of its end: the fanfare, unless all have lost.
    """
    if over:
        return next((call.sound for call in calls if call.kind == OVER and call.sound), "winner")
    if not calls:
        return "accepted"
    if calls[0].sound:
        return calls[0].sound
    right = calls[0].keys.get("right")
    if isinstance(right, bool):  # a verdict on a guess
        return "good" if right else "bad"
    return SOUNDS.get(calls[0].kind, "call")
