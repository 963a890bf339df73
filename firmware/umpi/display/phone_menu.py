"""Phones on the panel: pair a phone, unpair a phone, and show how phones reach the page."""

from __future__ import annotations

from collections.abc import Mapping

from umpi.display.menu import Choice, Dialogue, Menu
from umpi.i18n.translate import Translated, player_label, tr
from umpi.table.commands import OpenJoin, PairPhone, UnpairPhone, Where
from umpi.table.state import Phones


def phone_choices(phones: Phones | None) -> list[Choice]:
    """Return the choices about phones; none if `phones` is None, on a box without a phone page."""
    if phones is None:
        return []
    listed = [Choice(tr("Phones"), PHONES)] if phones else []
    return [Choice(tr("Pair a phone"), PAIR), *listed, Choice(tr("Network"), Where())]


def ask_about(
    what: object, phones: Phones | None, seats: Mapping[int, str]
) -> Dialogue[PairPhone | OpenJoin | UnpairPhone | None] | None:
    """Return the dialogue of a choice about phones, None for other choices; `seats` maps buttons to players."""
    if what is PAIR:
        return _ask_whose(seats)
    return _ask_which(phones or ()) if what is PHONES else None


def _ask_whose(seats: Mapping[int, str]) -> Dialogue[PairPhone | OpenJoin]:
    """Ask for the owner of the phone: everybody at once, the referee or a seat."""
    choices = [Choice(player_label(name), PairPhone(button), button=button) for button, name in seats.items()]
    first = Choice(tr("All: one QR code"), OpenJoin()), Choice(tr("Referee"), PairPhone(None))
    who = yield Menu(tr("Whose phone?"), (*first, *choices), rows=True)
    assert isinstance(who, PairPhone | OpenJoin)
    return who


def _ask_which(phones: Phones) -> Dialogue[UnpairPhone | None]:
    """Ask which phone to unpair, and ask again before it is done."""
    names = dict(phones)
    number = yield Menu(tr("Phones"), tuple(Choice(name, number) for number, name in phones), rows=True)
    assert isinstance(number, int)
    text = tr("{name} cannot play until you pair it again.", name=Translated(names[number]))
    keys = (Choice(tr("keep"), None), Choice(tr("unpair"), UnpairPhone(number)))
    command = yield Menu(tr("Unpair?"), keys, text=text)
    assert command is None or isinstance(command, UnpairPhone)
    return command


def show_network(name: str, secret: str, page: str, trouble: str = "") -> Dialogue[None]:
    """Show which network a phone has to join and where the page is, each as text and as a QR code.

    `name` is the network's name. `secret` is its passphrase if the box itself offers the network, otherwise "".
    `trouble` is the reason if there is no network.
    """
    ways = [Choice(tr("Wi-Fi: {name}", name=Translated(name)), _WIFI)] if name else []
    ways += [Choice(Translated(page.removeprefix("http://")), _PAGE)] if page else []
    while True:
        if not ways:
            yield Menu(tr("Network"), (), None, text=trouble or tr("No network connection."))
            return
        way = yield Menu(tr("Network"), tuple(ways), rows=True)
        if way is _PAGE:
            yield Menu(tr("Web page"), (), None, text=Translated(page), qr=page)
        elif secret:
            yield Menu(tr("Wi-Fi"), (), None, text=Translated(f"{name}\n{secret}"), qr=wifi_code(name, secret))
        else:
            yield Menu(tr("Wi-Fi"), (), None, text=tr("Phones must join {name} too.", name=Translated(name)))


def greet(name: str, secret: str, page: str) -> Dialogue[None]:
    """Say hello at a new box, with the QR code of the page. Before it, the code of the network that the box offers."""
    if secret:
        text = Translated(f"{name}\n{secret}")
        yield Menu(tr("Hello!"), (), None, done=tr("next"), text=text, qr=wifi_code(name, secret))
    address = Translated(page.removeprefix("http://").rstrip("/"))
    yield Menu(tr("Hello!"), (), None, done=tr("play"), text=address, qr=page)


def wifi_code(name: str, secret: str) -> str:
    r"""Return the text of a QR code that joins a network; special characters follow a backslash.

    >>> wifi_code("umpi;7", "a:b")
    'WIFI:S:umpi\\;7;T:WPA;P:a\\:b;;'
    """
    return f"WIFI:S:{_escaped(name)};T:WPA;P:{_escaped(secret)};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,:"' else letter for letter in text)


PAIR, PHONES, _WIFI, _PAGE = object(), object(), object(), object()  # the values of the choices
