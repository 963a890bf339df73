"""What the checks are checked with: a sound game, and for each check the same with one fault planted."""

from collections.abc import Mapping, Sequence

from planted import around, hands, within, worth
from planted.bag import Bag
from planted.chance import Chancy
from planted.taught.rules import Taught
from umpi.kernel import Game

FAULTS: Mapping[str, Sequence[type[Game]]] = {
    "declaration": (
        within.Unbounded, within.OutOfRange, within.Deaf, within.Handless, within.Narrow, within.Forgetful,
        within.Unhinted, within.Vague, within.Limitless, within.Nobodys,
    ),
    "purity": (within.Listed, within.Restless, Chancy),
    "legality": (within.Crashing, within.Braced, within.Unended, within.Speechless),
    "offers": (within.Overlong, within.Double, within.Misplaced, within.Telling, within.Doubled),
    "end": (within.Endless, within.Stuck),
    "turns": (within.Skipping,),
    "record": (around.Disguised,),
    "undo": (around.Onward,),
    "amend": (around.Unbroken,),
    "texts": (around.Wordy, around.Labelled, around.Titled),
    "screens": (around.Nameless,),
    "presses": (around.Laborious,),
    "audit": (around.Torn, around.Cheated),
    "view": (around.Misseen, around.Hollow, around.Unlikely),
    "board": (around.Twinned,),
    "calls": (around.Loud, around.Muddled, around.Single, around.Stammering, around.Fickle),
    "now": (around.Wordless, around.Anonymous, around.Longwinded, around.Brief, around.Changing),
    "setup": (around.Unsorted,),
    "hands": (
        hands.OpenFacts, hands.Totals, hands.Loud, hands.Calling, hands.Listed, hands.Crossed, hands.Handless,
    ),
    "lesson": (Taught,),
    "worths": (worth.Generous, worth.Lasting, worth.Inexact),
    "speed": (around.Slow,),
}  # fmt: skip

__all__ = ["FAULTS", "Bag"]
