"""Texts for the ear: the state of a game, a score, and parts joined into sentences."""

from __future__ import annotations

from collections.abc import Iterable

from umpi.display.aloud import aloud
from umpi.i18n.translate import player_label, tr
from umpi.kernel.match import Match
from umpi.table.standing import open_question, winners_of

Spoken = tuple[str, ...]


def state_of(match: Match) -> str:
    """Return where the game is: whose turn it is, what is asked, the scores and the facts that the table shows."""
    view, players = match.view, match.players
    parts: list[str] = [tr(view.head, players), open_question(match) if match.asks else winners_of(match)]
    parts += [score_of(match, seat) for seat in range(len(players))]
    parts += [" ".join(aloud(tr(text, players)) for text in (row.label, *row.cells)) for row in view.rows]
    return sentences(clean(*parts))


def sentences(parts: Iterable[str]) -> str:
    """Join parts into one text, each as a sentence of its own.

    >>> sentences(["Which game?", "Page 1 of 2"])
    'Which game? Page 1 of 2.'
    """
    return " ".join(part if part.endswith(("?", "!", ".", ":")) else f"{part}." for part in parts)


def score_of(match: Match, seat: int) -> str:
    """Return the score of a seat with its name and what is beside it."""
    view = match.view
    beside = aloud(tr(view.beside[seat], match.players)) if view.beside else ""
    score = tr("hidden until the end") if view.hidden and match.asks else str(match.now.scores()[seat])
    name = player_label(match.players[seat])
    return tr("{who}: {score} {beside}", who=name, score=score, beside=beside).rstrip()


def clean(*texts: str) -> Spoken:
    """Return the texts for the ear, without those that are empty."""
    each = (aloud(text).rstrip(".") for text in texts)
    return tuple(text for text in each if text)
