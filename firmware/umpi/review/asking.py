"""Ask the puzzle that is due, or judge an answer, for the screens: `python -m umpi.review.asking LANGUAGE JOURNAL`.

It reads one JSON object: {"search": true} asks, and searches the journal if no puzzle is due; {"search": false} only
asks; {"match", "move", "choice"} answers. It prints a document with texts in the language, and ends by itself if it
takes too long.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from umpi.display.spoken import state_of
from umpi.i18n.translate import Translated, set_language, tr, tr_n
from umpi.kernel.fields import Value
from umpi.kernel.match import Match
from umpi.kernel.messages import Figure, Name, message
from umpi.kernel.options import worths_of
from umpi.kernel.record import dump, read_line
from umpi.kernel.registry import find
from umpi.lab.patience import Stalled, patience
from umpi.review.document import choice_text
from umpi.review.practice import FILE, NewerFile, Practice, known_puzzle, next_puzzle, position_of, practising
from umpi.review.sampled import MEASURE

LONGEST_S = 300.0
AFTER_OTHERS = 10  # how much lower its priority is, so that it delays nothing at the table
BOX_WORLDS = 100  # pairs of worlds per comparison: a Pi has a tenth of the speed of a computer

NONE = message("There is no puzzle today. Puzzles are moves of your own matches that cost much.")
UNKNOWN = message("No puzzle is known. A paired phone or the box can search your matches for one.")
BUSY = message("Another search of your matches is still running. Ask again later.")
EARLY = message("This puzzle was not due, so the answer does not count.")
GONE = message("This puzzle is no longer in the journal.")


def question(journal: Path, today: date, search: bool = True) -> dict[str, Value]:
    """Return the puzzle that is due, after a `search` if none is; `why` says that there is none.

    Without a search, nothing is written, and nobody who searches is waited for.
    """
    kept, notes = journal.with_name(FILE), list[str]()
    try:
        if search:
            found = next_puzzle(
                kept, journal, find, BOX_WORLDS, today, notes.append,
                lambda text: print(text, file=sys.stderr),
            )  # fmt: skip
        else:
            found = known_puzzle(Practice.glance(kept), journal, find, today)
    except NewerFile as fault:
        return {"puzzle": None, "why": tr(fault.why)}
    except Stalled:  # while it waited for another search
        return {"puzzle": None, "why": "\n".join(map(tr, (*notes, BUSY)))}
    if found is None:
        return {"puzzle": None, "why": "\n".join(map(tr, (*notes, NONE if search else UNKNOWN)))}
    card, match = found
    puzzle = card.puzzle
    return {
        "puzzle": {
            "match": card.uid,
            "move": puzzle.move,
            "title": tr("{game}: {name} to move", game=match.game.title, name=Name(match.players[puzzle.seat])),
            "situation": "\n".join((*map(tr, notes), _situation(match))),
            "options": tuple(choice_text(option.words) for option in puzzle.options),
        },
        "why": "",
    }


def verdict(journal: Path, answer: Mapping[str, Any], today: date) -> dict[str, Value]:
    """Note the answer to a puzzle; return whether it is `right`, and `lines` that say what was better and by how much.

    There is no `best`, and only a line, if the journal has lost the puzzle. Raises KeyError if the answer is none.
    """
    choice, notes = answer["choice"], list[str]()
    try:
        with practising(journal.with_name(FILE), notes.append) as practice:
            card = practice.card(answer["match"], answer["move"])
            match = position_of(card, journal, find) if card else None
            if card is None or match is None or choice not in range(len(card.puzzle.options)):
                return {"right": False, "best": None, "lines": tuple(map(tr, (*notes, GONE)))}
            right = choice == card.puzzle.best
            after = practice.answered(card, right, today)
    except NewerFile as fault:
        return {"right": False, "best": None, "lines": (tr(fault.why),)}
    due = after.due
    puzzle = card.puzzle
    best = choice_text(puzzle.options[puzzle.best].words)
    said = tr("Right: {best}.", best=best) if right else tr("Not the best.")
    lines = [said] if right else [said, tr("Better: {best}", best=best), _cost(match, puzzle.options[choice].cost)]
    then = puzzle.options[puzzle.chosen]
    name, chosen = Name(match.players[puzzle.seat]), choice_text(then.words)
    if choice == puzzle.chosen:
        lines.append(tr("{name} chose the same in the match.", name=name))
    else:
        lines += [tr("In the match, {name} chose: {chosen}.", name=name, chosen=chosen), _cost(match, then.cost)]
    assert due
    if after is card:
        lines.append(tr(EARLY))
    days = (due - today).days
    lines.append(tr_n("The puzzle comes again tomorrow.", "The puzzle comes again in {number} days.", days))
    return {"right": right, "best": puzzle.best, "lines": tuple(lines)}


def _situation(match: Match) -> str:
    """Return what the player sees, in the current language: in the words of the rules if they have some."""
    worths = worths_of(match.game, match.options)
    return (tr(worths().situation(match.now)) if worths else "") or state_of(match)


def _cost(match: Match, cost: str) -> Translated:
    """Return what a choice costs, in what is counted: `about` so much if it is estimated."""
    loss = tr(Figure(cost))
    if worths := worths_of(match.game, match.options):
        return tr("Cost: {loss} ({measure})", loss=loss, measure=worths.measure)
    return tr("Cost: about {loss} ({measure})", loss=loss, measure=MEASURE)


if __name__ == "__main__":
    set_language(sys.argv[1])
    os.nice(AFTER_OTHERS)
    path, asked = Path(sys.argv[2]), read_line(sys.stdin.buffer.read()) or {}
    with patience(LONGEST_S):
        answers = "choice" in asked
        print(dump(verdict(path, asked, date.today()) if answers else question(path, date.today(), asked["search"])))
