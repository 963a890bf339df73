"""The Wi-Fi of a house on the panel: choose a network, and type the country and the password letter by letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from umpi.display.letters import LETTERS, type_text
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.display.symbols import SPACE
from umpi.i18n.translate import Translated, tr
from umpi.table.card import LONGEST, SHORTEST, ChosenNetwork, FoundNetwork
from umpi.table.commands import JoinNetwork

COUNTRY = ("ABCDEF", "GHIJKL", "MNOPQR", "STUVWX", "YZ")
PASSWORD: Mapping[str, str] = {  # by the label of the key: what can be typed, six keys for each group of a first page
    **LETTERS,
    "4-9": "456789",
    "A-F": "ABCDEF",
    "G-L": "GHIJKL",
    "M-R": "MNOPQR",
    "S-X": "STUVWX",
    "YZ.": f"YZ.-_{SPACE}",
    "!?#": "!?#&@*+=%$/:,;()<>[]{}'\"^~`|\\",
}
SEEN = 12  # characters of a password that the line has room for


def ask_network(networks: Sequence[FoundNetwork], country: str) -> Dialogue[JoinNetwork]:
    """Ask which Wi-Fi to join, and for its password. The country is asked too, or can be changed if it is known."""
    while True:
        found = tuple(Choice(Translated(each.name), each) for each in networks)
        known = (Choice(tr("Country: {letters}", letters=country), None),) if country else ()
        network = yield Menu(tr("Which Wi-Fi?"), (*found, *known), rows=True)
        if network is not None:
            break
        country = yield from _type_country()
    assert isinstance(network, FoundNetwork)
    country = country or (yield from _type_country())
    password = "" if network.open else (yield from _type_password())
    return JoinNetwork(ChosenNetwork(network.name, password, country))


def _type_country() -> Dialogue[str]:
    text = ""
    help = tr("Where is the box? Its two letters, as in FR or HU: they say which channels are allowed.")
    while len(text) < 2:
        shown = Translated(f"{text}_") if text else help
        groups = tuple(Choice(Translated(f"{group[0]}-{group[-1]}"), group) for group in COUNTRY)
        group = yield Menu(tr("Country"), groups, text=shown, help=help)
        assert isinstance(group, str)
        letters = tuple(Choice(Translated(letter), letter) for letter in group)
        letter = yield Menu(tr("Country"), letters, text=Translated(f"{text}_"), help=help)
        assert isinstance(letter, str)
        text += letter
    return text


def _type_password() -> Dialogue[str]:
    """Ask for a password. Only its last character is shown, and no phone shows the question."""
    short = tr("A password has at least {number} characters.", number=SHORTEST)
    return type_text(
        tr("Password"),
        PASSWORD,
        lambda text: short if len(text) < SHORTEST else "",
        tr("A password has at most {number} characters.", number=LONGEST),
        LONGEST,
        help=tr("Press the group, then the letter. Down shows capitals and signs. Back deletes."),
        done=tr("join"),
        shown=_hidden,
        private=True,
    )


def _hidden(text: str) -> str:
    r"""Return what the screen shows of a password: stars, and its last character.

    >>> _hidden(""), _hidden("a"), _hidden("paprika7")
    ('_', 'a_', '*******7_')
    """
    last = text[-1:].replace(" ", SPACE)
    return f"{'*' * (min(len(text), SEEN) - 1)}{last}_"
