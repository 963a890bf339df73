"""The set-up card: how to set a game up, on pages of whole sentences, shown before the first question."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.display.lettering import SMALL
from umpi.display.menu import Dialogue, Menu
from umpi.display.sheet import HEIGHT, TOP, WIDTH
from umpi.i18n.translate import tr

LINES = (HEIGHT - TOP) // SMALL.height  # lines of a page


def show_card(sentences: Sequence[str]) -> Dialogue[None]:
    """Show how to set a game up until OK; there is no question if there are no sentences."""
    if sentences:
        pages = card_pages([tr(sentence) for sentence in sentences])
        help = tr("Set the game up like this, then press OK. Back returns to the options.")
        yield Menu(tr("Set-up"), (), None, tr("start"), help=help, texts=pages)


def card_pages(sentences: Sequence[str]) -> tuple[str, ...]:
    """Divide sentences into pages: each starts on a new line, and none continues on the next page.

    >>> card_pages(["Deal three cards each."] * 6 + ["Red begins."])[1]
    '· Red begins.'
    """
    pages: list[str] = []
    for sentence in sentences:
        item = f"· {sentence}"
        more = f"{pages[-1]}\n{item}" if pages else item
        if pages and lines_of(more) <= LINES:
            pages[-1] = more
        else:
            pages.append(item)
    return tuple(pages)


def lines_of(text: str) -> int:
    """Return how many lines a text fills on a page."""
    return len(SMALL.wrap(text, WIDTH - 2))
