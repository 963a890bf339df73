"""The modes of the panel: what is on the screen, what a press does and the voice says there, and which covers which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from umpi.display import screens, service_screens
from umpi.display.menu import Menu
from umpi.display.notice import Notice
from umpi.display.picture import Picture
from umpi.display.screen import Screen
from umpi.display.spoken import Spoken, clean, score_of, sentences
from umpi.frozen import frozen
from umpi.i18n.translate import tr
from umpi.kernel.match import Match
from umpi.table.commands import Admit, CloseJoin, Command, EndCheck, InvalidateCode, Resume, TurnAway, is_command
from umpi.table.joining import Claim, Joining
from umpi.table.standing import whose, winners_of

if TYPE_CHECKING:
    from umpi.display.panel import Key, Panel


class Pass:
    """The answer to a press that also counts for the mode below."""


PASS = Pass()


@frozen
class Mode:
    """What is on the screen until a press, a phone or the time ends it.

    - `picture`: draws it, with the sign in the corner. An engine's own code may run, and fail.
    - `press`: processes a press on the panel, long or not; returns a command, None or PASS.
    - `said`: returns the texts of the screen in the order of speaking. An engine's own code runs, and may fail.
    - `key`: returns what a seat button would do now, and why it may not.
    - `covers`: whether the calls of the referee wait below it.
    - `exclusive`: whether it never passes a press, so that no seat can answer the question below.
    """

    picture: Callable[[str], Picture]
    press: Callable[[Panel, Key, bool], Command | Pass | None]
    said: Callable[[], Spoken]
    key: Callable[[int], str]
    covers: bool = True
    exclusive: bool = True


def modes(screen: Screen) -> Iterator[Mode]:
    """List the modes that exist, from the top; the last one is the question.

    The top one is drawn, and takes a press first. Nothing else decides what is more important.
    """
    state, match, notice, buttons = screen.state, screen.match, screen.notice, screen.buttons
    asked, answer = partial(_say_question, screen), partial(_say_answer, screen)
    if state.code:
        yield Mode(
            partial(service_screens.code, *state.code), lambda *_: InvalidateCode(),
            lambda: (tr("A code is on the screen"),), _closes,
        )  # fmt: skip
    if notice:
        key = _nothing if notice.remedy else _closes
        yield Mode(notice.picture, partial(_press_notice, notice), partial(_say_notice, notice), key, exclusive=False)
    if joining := state.joining:
        if screen.rivals is not None and (rivals := joining.rivals(screen.rivals)):
            which = service_screens.rivals_menu(rivals)
            yield Mode(
                partial(service_screens.rivals, which), partial(_press_rivals, which),
                partial(_say_claims, tr("Which phone?"), rivals), partial(_say_rival, which),
            )  # fmt: skip
        yield Mode(
            partial(service_screens.join, joining), partial(_press_joining, joining),
            partial(_say_claims, tr("Join"), joining.claims), partial(_say_claim, joining),
        )  # fmt: skip
    if state.check:
        yield Mode(
            partial(service_screens.check, state.check), lambda _, key, __: EndCheck() if key == "back" else None,
            lambda: (tr("Check devices"),), _nothing,
        )  # fmt: skip
    if match and state.paused and not screen.lesson:
        yield Mode(
            partial(screens.paused, tr(match.game.title), state.clock), lambda *_: Resume(),
            lambda: (tr("Pause"),), _closes,
        )  # fmt: skip
    if match and screen.call:
        pictured = partial(screens.call, match, screen.call, buttons)
        yield Mode(pictured, _press_call, asked, answer, covers=False, exclusive=False)
    if match and screen.large is not None:
        yield Mode(
            partial(screens.number, match, screen.large, buttons), partial(_press_large, match, screen.large),
            asked, answer, covers=False, exclusive=False,
        )  # fmt: skip
    yield Mode(
        partial(_draw_question, screen), lambda panel, *press: panel.press_question(*press),
        asked, answer, covers=False, exclusive=False,
    )  # fmt: skip


def draw(screen: Screen) -> Picture:
    """Draw a screen: 128 × 64 dots. An engine's own code runs, and may fail."""
    state = screen.state
    # One sign at a time: two leave no room for the title. The menu lists both.
    # That a press was ignored is shown for a moment only, and then the other sign again.
    sign = tr("NOT SAVED") if state.unsaved else tr("ERR") if state.device_errors else ""
    sign = tr("IGNORED") if state.ignored else sign
    return next(modes(screen)).picture(sign)


def spoken(screen: Screen) -> Spoken:
    """Return the texts of a screen in the order of speaking; of a private screen only its title.

    An engine's own code runs, and may fail.
    """
    return next(modes(screen)).said()


def spoken_key(screen: Screen, key: int) -> str:
    """Return what a seat button would answer now, and why it may not."""
    return next(modes(screen)).key(key)


def _closes(_: int) -> str:
    return tr("This button closes the message.")


def _nothing(_: int) -> str:
    return tr("This button does nothing now.")


def _press_notice(notice: Notice, panel: Panel, key: Key, long: bool) -> Command | Pass | None:
    """Turn the page, or give the answer of the remedy; pass the press of a seat that answers for itself if it may."""
    if key == "ok" and notice.remedy:
        panel.read(None)
        return notice.remedy.value if is_command(notice.remedy.value) else panel.tap(notice.remedy.value)
    if notice.passing and panel.owns(key):
        panel.pass_notice()
        return PASS
    panel.read(notice.after(key))
    return None


def _press_joining(joining: Joining, panel: Panel, key: Key, long: bool) -> Admit | TurnAway | CloseJoin | None:
    """Let the phone of a seat in by its button, turn the oldest of all away by Down, or close by OK and Back.

    If several phones ask for the seat, ask which one it is.
    """
    if key in ("ok", "back"):
        return CloseJoin()
    if key == "down":
        return TurnAway(joining.claims[0].hash) if joining.claims else None
    if isinstance(key, int) and joining.rivals(key):
        panel.compare(key)
        return None
    return next((Admit(claim.hash) for claim in joining.claims if claim.button == key), None)


def _press_rivals(which: Menu, panel: Panel, key: Key, long: bool) -> Admit | None:
    """Let one of several phones in by the button beside its sign. Back returns to all phones."""
    chosen = which.under(key, 0) if isinstance(key, int) else None
    if chosen or key == "back":
        panel.compare(None)
    return Admit(chosen.value.hash) if chosen and isinstance(chosen.value, Claim) else None


def _press_call(panel: Panel, key: Key, long: bool) -> Pass | None:
    """End the calls, and pass the press on unless it would call an answer right: nobody can see that question yet."""
    if long or not panel.awards(key):
        return PASS
    panel.calls.say()
    return None


def _press_large(match: Match, seat: int, panel: Panel, key: Key, long: bool) -> Pass | None:
    """Show another seat's score by Up and Down. Any other press ends it, and that of a seat for itself counts."""
    step = {"up": -1, "down": 1}.get(str(key))
    panel.enlarge((seat + step) % len(match.players) if step else None)
    return PASS if panel.owns(key) else None


def _draw_question(screen: Screen, sign: str) -> Picture:
    """Draw the start screen, the end of the game, or the game with its question or menu."""
    match, menu, page, buttons = screen.match, screen.menu, screen.page, screen.buttons
    if match is None:
        return screens.question(menu, page, sign)
    if not match.asks and not menu.rows:
        return screens.over(match, menu, page, buttons, sign)
    if menu.rows and screen.answering and match.asks:
        return screens.listed(match, menu, page, screen.seen, buttons, sign)
    return screens.table(match, menu, page, screen.seen, buttons, screen.state.clock, sign)


def _say_notice(notice: Notice) -> Spoken:
    ways = (f"OK: {notice.remedy.label}", tr("Back: no")) if notice.remedy else ()
    return clean(notice.title, notice.text, *ways)


def _say_claims(title: str, claims: Iterable[Claim]) -> Spoken:
    """Return the phones that ask for seats; how to ask if there are none."""
    return clean(title, *(_names(claims) or [tr("Scan, choose a colour, then press its button here.")]))


def _names(claims: Iterable[Claim]) -> list[str]:
    return [f"{claim.name} {claim.sign}" for claim in claims]


def _say_claim(joining: Joining, key: int) -> str:
    return sentences(_names(claim for claim in joining.claims if claim.button == key)) or _nothing(key)


def _say_rival(which: Menu, key: int) -> str:
    chosen = which.under(key, 0)
    return sentences([chosen.label]) if chosen else _nothing(key)


def _say_question(screen: Screen) -> Spoken:
    """Return a large score, the start screen, the end of the game, or the question; a secret one only by its title."""
    menu, match = screen.menu, screen.match
    if menu.private:
        return (tr("A secret question is on the screen"),)
    if screen.private:
        return clean(menu.title)
    if match and screen.large is not None:
        return clean(score_of(match, screen.large))
    if match and not match.asks and not menu.rows:
        return clean(winners_of(match))
    what = (tr(menu.now.aloud),) if menu.now else (whose(match, menu.title) if match else "", menu.title)
    page = tr("Page {number} of {many}", number=screen.page + 1, many=menu.pages) if menu.pages > 1 else ""
    running = menu.texts[screen.page] if menu.texts else ""
    wheel = "" if menu.wheel is None else str(menu.wheel)
    marked = ", ".join(choice.label for choice in menu.choices if choice.marked)
    return clean(*what, page, menu.head, menu.text, running, menu.note, wheel, marked)


def _say_answer(screen: Screen, key: int) -> str:
    """Return the answer of a key to the question or menu."""
    if screen.menu.private:
        return tr("A secret question is on the screen")
    if screen.private:
        return _closes(key)
    choice = screen.menu.under(key, screen.page)
    if choice is None:
        return _nothing(key)
    players = screen.match.players if screen.match else ()
    return sentences(clean(tr(choice.label, players), tr(choice.off, players)))
