"""Updates and copies from the menu of a box with a card: progress, the question, refusals, and a match in play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.rig import Rig, Rigs
from umpi.kernel.messages import message
from umpi.referee.events import CardNews, LastUpdate
from umpi.table.commands import AgreeToCard, UseCard
from umpi.table.state import TableState


class Card:
    """In place of the line to the card: what the box has asked of it."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def begin(self, task: str, network: object) -> None:
        self.heard.append(task)

    def agree(self) -> None:
        self.heard.append("agree")

    def close(self) -> None:
        pass


@pytest.fixture
def card() -> Card:
    return Card()


@pytest.fixture
def rig(rigs: Rigs, card: Card, tmp_path: Path) -> Rig:
    rigs.card = tmp_path / "card.sock"
    rig = rigs()
    rig.loop._card = card  # type: ignore[assignment]
    return rig


def hears(rig: Rig, news: CardNews) -> None:
    rig.loop.inbox.post(news)
    rig.settle()


def update(rig: Rig) -> None:
    rig.take("Update")
    rig.take("from a USB stick")


def test_an_update_shows_how_far_it_is_and_asks_before_it_restarts(rig: Rig, card: Card) -> None:
    update(rig)
    assert card.heard == ["update from stick"]
    assert rig.shows("One moment"), rig.screen
    hears(rig, CardNews("busy", message("Writing:"), 40))
    assert rig.shows("Writing: 40 %"), rig.screen
    hears(rig, CardNews("asks", "Version 1.1 is ready. Restart now?", agree=message("restart")))
    assert rig.shows("Restart now?", "OK restart"), rig.screen
    rig.press("ok")
    assert card.heard == ["update from stick", "agree"]
    hears(rig, CardNews("done", "The box restarts with version 1.1."))
    assert rig.shows("The box restarts"), rig.screen


def test_later_leaves_everything_and_the_entry_asks_again(rig: Rig, card: Card) -> None:
    update(rig)
    hears(rig, CardNews("asks", "Restart now?", agree="restart"))
    rig.press("back")
    assert not rig.shows("Restart now?"), rig.screen
    update(rig)
    assert rig.shows("Restart now?"), rig.screen
    assert card.heard == ["update from stick"], "what is written is not written again"
    rig.press("back")
    rig.take("Back up")
    assert card.heard == ["update from stick", "back up"]


def test_a_phone_and_the_panel_share_one_task(rig: Rig, card: Card) -> None:
    """What a phone has begun is not shown on the box, until somebody asks for it there; then until its end."""

    def ask(command: UseCard | AgreeToCard) -> str:
        replies: list[Any] = []
        rig.loop.request("", command, None, replies.append)
        rig.settle()
        return str(replies[0].how)

    before = rig.screen
    assert ask(AgreeToCard()) == "refused"
    assert ask(UseCard("update from stick")) == "done"
    assert ask(AgreeToCard()) == "refused"
    hears(rig, CardNews("asks", "Restart now?", agree="restart"))
    assert rig.screen == before
    assert ask(UseCard("update from stick")) == "done"
    assert rig.screen == before
    update(rig)
    assert rig.shows("Restart now?"), rig.screen
    rig.press("back")
    assert ask(UseCard("update from stick")) == "done"
    assert card.heard == ["update from stick"]
    assert ask(AgreeToCard()) == "done"
    assert card.heard == ["update from stick", "agree"]
    assert rig.shows("One moment"), "everybody reads why the box restarts"
    hears(rig, CardNews("done", "The box restarts with version 1.1."))
    assert rig.shows("The box restarts"), rig.screen


def test_a_refusal_is_shown_and_changes_nothing(rig: Rig) -> None:
    update(rig)
    hears(rig, CardNews("failed", message("The bundle is one of {product}, not of Umpi.", product="toaster")))
    assert rig.shows("one of toaster"), rig.screen
    assert rig.referee.table.state.card is not None
    assert rig.referee.table.state.card.stage == "failed"


def test_who_plays_on_is_not_disturbed_until_the_end(rig: Rig) -> None:
    update(rig)
    rig.press("back")
    before = rig.screen
    hears(rig, CardNews("busy", message("Writing:"), 40))
    assert rig.screen == before
    hears(rig, CardNews("asks", "Restart now?", agree="restart"))
    assert rig.shows("Restart now?"), rig.screen


def test_while_the_card_is_written_another_task_is_refused(rig: Rig, card: Card) -> None:
    update(rig)
    hears(rig, CardNews("busy", message("Writing:"), 40))
    rig.press("back")
    rig.take("Back up")
    assert rig.shows("Not allowed", "Writing: 40 %"), rig.screen
    assert card.heard == ["update from stick"]


def test_a_match_in_play_has_the_update_and_no_restore(rigs: Rigs, rig: Rig) -> None:
    rig.start("scorepad", "red blue ok ok")
    rig.press("back", ms=1000)
    labels = [choice.label for choice in rig.referee.panel.question[0].choices]
    assert "Update" in labels
    assert "Restore" not in labels


@pytest.mark.parametrize(("worked", "stage"), [(True, "done"), (False, "failed")])
def test_what_became_of_the_last_update_is_shown_and_a_match_goes_on(rig: Rig, worked: bool, stage: str) -> None:
    rig.start("scorepad", "red blue ok ok")
    before = rig.screen
    hears(rig, LastUpdate(worked, message("The update works: version {name} is in use.", name="1.1"), 0))
    assert rig.shows("Update", "The update works: version 1.1"), rig.screen
    card = rig.referee.table.state.card
    assert card is not None
    assert (card.task, card.stage) == ("last update", stage)
    rig.press("ok")
    assert rig.screen == before


def test_a_press_counts_that_comes_while_the_last_update_is_shown(rig: Rig) -> None:
    """It is told a minute after the start: a resumed race may be on. Without it, the slower player would be first."""
    rig.start("quiz", "red blue yellow ok ok")
    rig.press("ok")
    hears(rig, LastUpdate(True, message("The update works: version {name} is in use.", name="1.1"), 0))
    assert rig.shows("The update works"), rig.screen
    rig.press("blue")
    rig.press("yellow")
    acts = rig.referee.session.match.acts
    assert [act.given["seat"] for act in acts if act.verb == "buzz"] == [1, 2]


def test_the_last_update_does_not_hide_what_somebody_has_begun_since(rig: Rig) -> None:
    update(rig)
    hears(rig, CardNews("asks", "Restart now?", agree="restart"))
    hears(rig, LastUpdate(False, "The box is back at version 1.0.", 0))
    assert rig.shows("Restart now?"), rig.screen
    update_again = rig.referee.table.state.card
    assert update_again is not None
    assert update_again.stage == "asks"


def test_a_box_without_a_card_has_none_of_it(rigs: Rigs) -> None:
    rig = rigs()
    labels = [choice.label for choice in rig.referee.panel.question[0].choices]
    assert not {"Update", "Back up", "Restore"} & {*labels}
    for command in (UseCard("back up"), AgreeToCard()):
        replies: list[Any] = []
        rig.loop.request("", command, None, replies.append)
        rig.settle()
        assert replies[0].how == "refused", replies
    assert TableState().card is None
