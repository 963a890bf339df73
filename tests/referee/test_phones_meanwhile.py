"""What a phone does while somebody uses the box, and what the box shows then."""

from __future__ import annotations

import pytest

from tests.kit.core import Core, Hand
from tests.kit.rig import MS, keys_of
from umpi.display.modes import spoken
from umpi.kernel import Act
from umpi.kernel.match import Refused
from umpi.kernel.registry import find
from umpi.referee.effects import SendReply
from umpi.referee.events import PhonesKnown, Reach
from umpi.referee.remote import RemoteRequest
from umpi.table.commands import Command, Do, NamePlayer, Start
from umpi.table.seating import Seating
from umpi.timing.lines import COLOURS

REFEREE, RED = None, 0
DEAL = Do((Act("deal", {"cards": ("air-1", "air-2", "air-3")}),))


class Table(Hand):
    """A hand at a box that the phone of the referee and that of Red are paired with."""

    def __init__(self) -> None:
        super().__init__(Core())
        self.core.step(PhonesKnown(((1, REFEREE, "Ref"), (2, RED, "RedPhone"))))
        self.wait_ns(100 * MS)

    def take(self, label: str) -> None:
        """Press the key of a choice."""
        menu, _ = self.core.referee.panel.question
        index = next(at for at, choice in enumerate(menu.choices) if choice.label == label)
        self.press(COLOURS[menu.key(index)])

    def phone(self, button: int | None, command: Command) -> None:
        """Send a command from a phone, and wait until it is done."""
        question = self.core.referee.session.question
        self.core.step(RemoteRequest(self.now_ns, question, command, button, id=7))
        self.wait_ns(100 * MS)
        how = [effect.reply.how for effect in self.core.effects if isinstance(effect, SendReply)]
        assert how[-1] == "done"


@pytest.mark.every_case
@pytest.mark.parametrize(("button", "command"), [(RED, NamePlayer("Ann")), (REFEREE, DEAL)])
def test_the_passphrase_on_the_screen_remains_private(button: int | None, command: Command) -> None:
    table = Table()
    table.start("dodekka")
    panel = table.core.referee.panel
    table.core.step(Reach("umpi-3f2a", "ring-toss", "", "http://192.168.4.1:8000/"))
    table.wait_ns(100 * MS)
    table.press("red")  # the passphrase
    shown = table.screen
    table.phone(button, command)
    assert table.screen == shown, table.screen
    assert panel.screen().private
    assert spoken(panel.screen()) == ("Wi-Fi",)


def names(table: Table) -> tuple[tuple[str, ...], str]:
    """Return the players of the match, and the name of Red for the next one."""
    session, state = table.core.referee.session, table.core.referee.table.state
    assert session.table
    return session.table.players, state.names.own[RED]


def test_a_name_from_a_phone_during_the_set_up_is_that_of_the_match() -> None:
    table = Table()
    table.press(f"{keys_of('dodekka')} red blue")
    table.phone(RED, NamePlayer("Ann"))
    table.press("ok")
    table.phone(RED, NamePlayer("Anna"))
    table.press("ok")
    assert names(table) == (("Anna", "Blue"), "Anna")


@pytest.mark.every_case
@pytest.mark.parametrize("last", ["box", "phone"])
def test_the_last_name_that_was_chosen_during_the_set_up_counts(last: str) -> None:
    table = Table()
    table.phone(RED, NamePlayer("Ann"))
    table.press(f"{keys_of('dodekka')} blue")
    if last == "box":
        table.phone(RED, NamePlayer("Zoe"))
    table.press("red")
    table.take("Red")
    if last == "phone":
        table.phone(RED, NamePlayer("Zoe"))
    table.press("ok ok")
    name = "Red" if last == "box" else "Zoe"
    assert names(table) == ((name, "Blue"), name)


def test_a_name_from_a_phone_that_another_player_got_at_the_box_is_not_given_twice() -> None:
    table = Table()
    table.phone(RED, NamePlayer("Ann"))
    table.phone(RED, NamePlayer("Zoe"))  # the box now offers Ann
    table.press(f"{keys_of('dodekka')} blue blue")
    table.take("Ann")
    table.phone(RED, NamePlayer("Ann"))
    table.press("ok ok")
    assert names(table) == (("Zoe", "Ann"), "Zoe")


def test_a_player_does_not_take_the_name_of_who_judges() -> None:
    table = Table()
    table.grant(Start(Seating(find("dohdles"), ("Ann", "Ben", "Cy"), (0, 1, 2), moderator="Zoe")))
    for command in (NamePlayer("Zoe"), NamePlayer("ZOE")):
        table.core.step(RemoteRequest(table.now_ns, table.core.referee.session.question, command, RED, id=8))
        table.wait_ns(100 * MS)
    answers = [effect.reply.text for effect in table.core.effects if isinstance(effect, SendReply)]
    assert answers[-2:] == ["Another player is already called Zoe.", "Another player is already called ZOE."]
    with pytest.raises(Refused, match="already called Zoe"):
        table.core.referee.session.table.check_name(1, "Zoe")
    assert table.core.referee.session.match.players == ("Ann", "Ben", "Cy")
