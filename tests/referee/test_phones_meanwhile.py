"""What a phone does while somebody uses the box, and what the box shows then."""

from __future__ import annotations

import pytest

from tests.kit.core import Core, Hand
from tests.kit.rig import MS
from umpi.display.modes import spoken
from umpi.kernel import Act
from umpi.referee.effects import SendReply
from umpi.referee.events import PhonesKnown, Reach
from umpi.referee.remote import RemoteRequest
from umpi.table.commands import Command, Do, NamePlayer

REFEREE, RED = None, 0
DEAL = Do((Act("deal", {"cards": ("air-1", "air-2", "air-3")}),))


class Table(Hand):
    """A hand at a box that the phone of the referee and that of Red are paired with."""

    def __init__(self) -> None:
        super().__init__(Core())
        self.core.step(PhonesKnown(((1, REFEREE, "Ref"), (2, RED, "RedPhone"))))
        self.wait_ns(100 * MS)

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
