"""Find hints, and review matches, in processes of their own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from umpi.i18n.translate import current_language
from umpi.referee.effects import FindHint, FindReview
from umpi.referee.events import HintFound, ReviewFound
from umpi.referee.transcript import act_of
from umpi.service.found_aside import FoundAside

HINT, REVIEW = ((sys.executable, "-m", module) for module in ("umpi.lab.advice", "umpi.review"))


def hint_finder(post: Callable[[HintFound], object], command: Sequence[str] = HINT) -> FoundAside[FindHint, HintFound]:
    """Return what finds hints."""

    def read(wanted: FindHint, found: dict[str, Any]) -> HintFound:
        if "act" in found:
            return HintFound(wanted.question, act_of(found["act"]))
        return HintFound(wanted.question, why=found.get("why", "failed"))

    return FoundAside("hint", post, command, read)


def review_finder(
    post: Callable[[ReviewFound], object], command: Sequence[str] = REVIEW
) -> FoundAside[FindReview, ReviewFound]:
    """Return what reviews matches, in the language of the box."""

    def read(_: FindReview, found: dict[str, Any]) -> ReviewFound:
        return ReviewFound(tuple(map(str, found.get("lines", ()))))

    return FoundAside("review", post, command, read, lambda: (current_language(),))
