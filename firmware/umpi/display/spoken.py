"""What the voice says about a screen: its texts as parts, the label of a key, and the state of the game."""

from __future__ import annotations

from collections.abc import Iterable

from umpi.display.aloud import aloud
from umpi.display.screen import Screen
from umpi.display.service_screens import rivals_menu
from umpi.i18n.translate import player_label, tr
from umpi.kernel.match import Match
from umpi.table.standing import open_question, whose, winners_of

Spoken = tuple[str, ...]


def spoken(screen: Screen) -> Spoken:
    """Return the texts of a screen in the order of speaking; of a private screen only its title.

    An engine's own code runs, and may fail.
    """
    state, menu, match = screen.state, screen.menu, screen.match
    if state.code:
        return (tr("A code is on the screen"),)
    if notice := screen.notice:
        ways = (f"OK: {notice.remedy.label}", tr("Back: no")) if notice.remedy else ()
        return _clean(notice.title, notice.text, *ways)
    if joining := state.joining:
        text = tr("Scan, choose a colour, then press its button here.")
        rivals = screen.rival_claims
        claims = [f"{claim.name} {claim.sign}" for claim in rivals or joining.claims]
        return _clean(tr("Which phone?") if rivals else tr("Join"), *(claims or [text]))
    if state.check:
        return _clean(tr("Check devices"))
    if menu.private:
        return (tr("A secret question is on the screen"),)
    if screen.private:
        return _clean(menu.title)
    if match and state.paused:
        return (tr("Pause"),)
    if match and screen.large is not None:
        return _clean(_score(match, screen.large))
    if match and not match.asks and not menu.rows:
        return _clean(winners_of(match))
    what = (tr(menu.now.aloud),) if menu.now else (whose(match, menu.title) if match else "", menu.title)
    page = tr("Page {number} of {many}", number=screen.page + 1, many=menu.pages) if menu.pages > 1 else ""
    running = menu.texts[screen.page] if menu.texts else ""
    wheel = "" if menu.wheel is None else str(menu.wheel)
    marked = ", ".join(choice.label for choice in menu.choices if choice.marked)
    return _clean(*what, page, menu.head, menu.text, running, menu.note, wheel, marked)


def spoken_key(screen: Screen, key: int) -> str:
    """Return what a seat button would answer now, and why it may not."""
    if screen.menu.private:
        return tr("A secret question is on the screen")
    if screen.notice and screen.notice.remedy:
        return tr("This button does nothing now.")
    if screen.notice or screen.state.code:
        return tr("This button closes the message.")
    if joining := screen.state.joining:
        if rivals := screen.rival_claims:
            asking = rivals_menu(rivals).under(key, 0)
            labels = [asking.label] if asking else []
        else:
            labels = [f"{claim.name} {claim.sign}" for claim in joining.claims if claim.button == key]
        return sentences(labels) or tr("This button does nothing now.")
    if screen.state.check:
        return tr("This button does nothing now.")
    if screen.state.paused or screen.private:
        return tr("This button closes the message.")
    choice = screen.menu.under(key, screen.page)
    if choice is None:
        return tr("This button does nothing now.")
    players = screen.match.players if screen.match else ()
    return sentences(_clean(tr(choice.label, players), tr(choice.off, players)))


def state_of(match: Match) -> str:
    """Return where the game is: whose turn it is, what is asked, the scores and the facts that the table shows."""
    now, players = match.now, match.players
    view = now.view()
    parts: list[str] = [tr(view.head, players), open_question(match) if match.asks else winners_of(match)]
    parts += [_score(match, seat) for seat in range(len(players))]
    parts += [" ".join(aloud(tr(text, players)) for text in (row.label, *row.cells)) for row in view.rows]
    return sentences(_clean(*parts))


def sentences(parts: Iterable[str]) -> str:
    """Join parts into one text, each as a sentence of its own.

    >>> sentences(["Which game?", "Page 1 of 2"])
    'Which game? Page 1 of 2.'
    """
    return " ".join(part if part.endswith(("?", "!", ".", ":")) else f"{part}." for part in parts)


def _score(match: Match, seat: int) -> str:
    view = match.now.view()
    beside = aloud(tr(view.beside[seat], match.players)) if view.beside else ""
    score = tr("hidden until the end") if view.hidden and match.asks else str(match.now.scores()[seat])
    name = player_label(match.players[seat])
    return tr("{who}: {score} {beside}", who=name, score=score, beside=beside).rstrip()


def _clean(*texts: str) -> Spoken:
    """Return the texts for the ear, without those that are empty."""
    each = (aloud(text).rstrip(".") for text in texts)
    return tuple(text for text in each if text)
