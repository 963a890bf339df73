"""Find hints, and review matches, in processes of their own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from umpi.i18n.translate import current_language
from umpi.referee.effects import FindHint, FindReview
from umpi.referee.events import HintFound, ReviewFound
from umpi.referee.transcript import act_of
from umpi.service.found_aside import FoundAside, record_of

HINT, REVIEW = ((sys.executable, "-m", module) for module in ("umpi.lab.advice", "umpi.review"))


def hint_finder(post: Callable[[HintFound], object], command: Sequence[str] = HINT) -> FoundAside[FindHint, HintFound]:
    """Return what finds hints."""

    return FoundAside("hint", post, command, hint_of, tuple, record_of)


def review_finder(
    post: Callable[[ReviewFound], object], command: Sequence[str] = REVIEW
) -> FoundAside[FindReview, ReviewFound]:
    """Return what reviews matches, in the language of the box."""

    return FoundAside("review", post, command, review_of, lambda: (current_language(),), record_of)


def hint_of(wanted: FindHint, found: Mapping[str, Any]) -> HintFound:
    """Return the event of a hint as `umpi.lab.advice` prints it, of {} if it has failed."""
    if "act" in found:
        return HintFound(wanted.question, act_of(found["act"]))
    return HintFound(wanted.question, why=found.get("why", "failed"))


def review_of(_: FindReview, found: Mapping[str, Any]) -> ReviewFound:
    """Return the event of a review as `umpi.review` prints it, of {} if it has failed."""
    return ReviewFound(tuple(map(str, found.get("lines", ()))))
