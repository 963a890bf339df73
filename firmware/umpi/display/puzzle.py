"""A puzzle on the panel: first what the player saw, page by page, then the choices."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.display.lettering import SMALL
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.display.setup import CARD_LINES
from umpi.display.sheet import ACROSS, MARK, WIDTH
from umpi.i18n.translate import Translated, tr
from umpi.table.commands import AnswerPuzzle
from umpi.table.puzzle import Puzzle

ROW = WIDTH - MARK - 5  # dots of a choice in its row


def ask_puzzle(puzzle: Puzzle) -> Dialogue[AnswerPuzzle]:
    """Show the position of a puzzle until OK, then ask for the best choice. Back returns to the position.

    If a choice is too long for its row, all of them follow the position, so that players can read them whole.
    """
    texts = [puzzle.title, *filter(None, [puzzle.situation])]
    if any(SMALL.measure(option) > ROW for option in puzzle.options):
        texts += [f"· {option}" for option in puzzle.options]
    help = tr("A position of one of your matches. OK leads to its choices.")
    yield Menu(tr("Puzzle"), (), None, tr("choices"), help=help, texts=_pages(texts))
    options = tuple(
        Choice(Translated(text), AnswerPuzzle(puzzle.match, puzzle.move, number))
        for number, text in enumerate(puzzle.options)
    )
    help = tr("One of the choices is clearly the best. Press the button of that choice.")
    answer = yield Menu(tr("What is best?"), options, help=help, rows=True)
    assert isinstance(answer, AnswerPuzzle)
    return answer


def _pages(texts: Sequence[str]) -> tuple[str, ...]:
    """Divide texts into pages of lines in the small letters."""
    lines = [line for text in texts for line in SMALL.wrap(text, ACROSS)]
    return tuple("\n".join(lines[first : first + CARD_LINES]) for first in range(0, len(lines), CARD_LINES))
