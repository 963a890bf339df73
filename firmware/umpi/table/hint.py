"""A hint: what the box would answer to a question, in the words of the question."""

from __future__ import annotations

from dataclasses import replace

from umpi.frozen import frozen
from umpi.i18n.translate import Translated, tr, tr_context
from umpi.kernel.fields import Field, Pick, Some, Value, show
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.table.sources import Source
from umpi.table.telling import ACT


@frozen
class Hint:
    """The last hint: its `question`, who asked, and the `text`, "" while the box computes it."""

    question: str = ""
    who: tuple[Source, ...] = ()
    text: str = ""

    def asked_by(self, who: Source) -> Hint:
        """Return the hint with one more who asked."""
        return self if who in self.who else replace(self, who=(*self.who, who))


def tell_hint(match: Match, act: Act) -> str:
    """Return what the box would do, as in "I would: roll 5, 7"."""
    ask = next(ask for ask in match.asks if ask.verb == act.verb)
    values = [
        _labelled(field, act.given[field.name], match) for field in ask.walk(act.given) if field.name in act.given
    ]
    words = [tr_context(ACT, act.verb), ", ".join(filter(None, values))]
    return tr("Suggestion: {act}", act=Translated(" ".join(filter(None, words))))


def _labelled(field: Field, value: Value, match: Match) -> str:
    """Return a value as its button names it; "" for an empty list."""
    label = field.label if isinstance(field, Pick | Some) else show
    each = value if isinstance(value, tuple) else (value,)
    return ", ".join(tr(label(one), match.players) for one in each)
