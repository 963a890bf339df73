"""Phones at the box: whose phone is to be paired, which one may act no more, and where phones find the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, player_label, tr

Phones = Sequence[tuple[int, str]]  # those that may act: the number of each, and what it is called
Code = tuple[str, str, str, int]  # six digits, the page that takes them, whose phone they pair, the seconds left


@dataclass(frozen=True, slots=True)
class PairPhone:
    """Make a code to pair a phone of a button, 0 to 5 from the left, None: the referee's."""

    who: int | None


@dataclass(frozen=True, slots=True)
class UnpairPhone:
    """Let a phone act no more."""

    id: int


@dataclass(frozen=True, slots=True)
class InvalidateCode:
    """Let the code that stood on the screen pair no phone."""


@dataclass(frozen=True, slots=True)
class Where:
    """Find out where phones find the box; `Panel.reach` shows it."""


def phone_choices(phones: Phones | None) -> list[Choice]:
    """Offer what there is to do about phones; None, on a box without a page, is nothing."""
    if phones is None:
        return []
    listed = [Choice(tr("Phones"), PHONES)] if phones else []
    return [Choice(tr("Pair a phone"), PAIR), *listed, Choice(tr("Network"), Where())]


def ask_about(
    what: object, phones: Phones | None, seats: Mapping[int, str]
) -> Dialogue[PairPhone | UnpairPhone | None] | None:
    """Ask on about the one of these choices that was taken, if one was; `seats` are the players by their buttons."""
    if what is PAIR:
        return _ask_whose(seats)
    return _ask_which(phones or ()) if what is PHONES else None


def _ask_whose(seats: Mapping[int, str]) -> Dialogue[PairPhone]:
    """Ask whose phone it is: the referee's, or a seat's."""
    choices = [Choice(player_label(name), PairPhone(button), button=button) for button, name in seats.items()]
    who = yield Menu(tr("Whose phone?"), (Choice(tr("The referee"), PairPhone(None)), *choices), rows=True)
    assert isinstance(who, PairPhone)
    return who


def _ask_which(phones: Phones) -> Dialogue[UnpairPhone | None]:
    """Ask which phone is to act no more, and once more before it is done."""
    names = dict(phones)
    number = yield Menu(tr("Phones"), tuple(Choice(name, number) for number, name in phones), rows=True)
    assert isinstance(number, int)
    text = tr("{name} acts no more, until it is paired again.", name=Translated(names[number]))
    keys = (Choice(tr("keep it"), None), Choice(tr("unpair"), UnpairPhone(number)))
    wish = yield Menu(tr("Unpair?"), keys, text=text)
    assert wish is None or isinstance(wish, UnpairPhone)
    return wish


def show_network(name: str, secret: str, page: str, trouble: str = "") -> Dialogue[None]:
    """Show what a phone has to join and where the page is, each as text and as a code that it can read.

    `name` is the network's; its `secret` is known only where the box itself offers it. `trouble` is why there is none.
    """
    ways = [Choice(tr("Wi-Fi: {name}", name=Translated(name)), _WIFI)] if name else []
    ways += [Choice(Translated(page.removeprefix("http://")), _PAGE)] if page else []
    while True:
        if not ways:
            yield Menu(tr("Network"), (), None, text=trouble or tr("The box is in no network."))
            return
        way = yield Menu(tr("Network"), tuple(ways), rows=True)
        if way is _PAGE:
            yield Menu(tr("The page"), (), None, text=Translated(page), qr=page)
        elif secret:
            yield Menu(tr("Wi-Fi"), (), None, text=Translated(f"{name}\n{secret}"), qr=wifi_code(name, secret))
        else:
            yield Menu(tr("Wi-Fi"), (), None, text=tr("Phones must be in {name} too.", name=Translated(name)))


def wifi_code(name: str, secret: str) -> str:
    r"""Write what a phone's camera reads to join a network; what has a meaning there stands behind a backslash.

    >>> wifi_code("umpi;7", "a:b")
    'WIFI:S:umpi\\;7;T:WPA;P:a\\:b;;'
    """
    return f"WIFI:S:{_escaped(name)};T:WPA;P:{_escaped(secret)};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)


PAIR, PHONES, _WIFI, _PAGE = object(), object(), object(), object()  # what the choices answer
