"""A colour sensor under the queue rail: it names owners, and wrong or missing it costs its own function only."""

from __future__ import annotations

from tests.kit.dohdles_tables import toss
from tests.kit.rig import Rig
from umpi.timing.events import Lost, QueueDetection


def test_a_press_is_sooner_than_the_sensor_and_the_sensor_names_nobody_twice(chute: Rig) -> None:
    chute.box.toss(["yellow", "red"])
    chute.wait_ms(330)
    assert chute.acts[-2:] == ["cube", "cube"], chute.acts
    chute.press("yellow")
    chute.wait_ms(3000)
    assert chute.acts.count("owner") == 1


def test_no_player_is_named_while_an_order_is_disputed(chute: Rig) -> None:
    chute.box.toss(["yellow"])
    chute.wait_ms(330)
    chute.loop.inbox.post(Lost(1))
    chute.wait_ms(3000)
    assert chute.shows("Unclear"), chute.screen
    assert "owner" not in chute.acts


def test_an_earlier_cube_names_no_player_even_if_it_is_touched(chute: Rig) -> None:
    chute.box.lay("red")
    chute.wait_ms(2000)
    chute.box.toss(["yellow"])
    chute.wait_ms(2000)
    chute.box.lift()
    chute.wait_ms(50)
    chute.box.lay("red")
    chute.wait_ms(3000)
    assert "owner" not in chute.acts
    assert chute.shows("Whose cube?", "Unknown cube"), chute.screen
    chute.press("yellow")
    assert chute.acts[-1] == "owner"


def test_after_a_cube_sent_home_the_sensor_names_the_next_place(chute: Rig) -> None:
    chute.box.toss(["yellow", "red"])
    chute.wait_ms(330)
    chute.press("ok")  # the first goes home
    assert chute.acts[-1] == "home", chute.screen
    chute.wait_ms(3000)
    assert "owner" not in chute.acts, "yellow lies there, and is not the second"
    chute.box.lift()
    chute.wait_ms(3000)
    match = chute.referee.session.match
    assert [act.given for act in match.acts if act.verb == "owner"] == [{"seat": 0}]


def test_a_press_that_contradicts_the_colour_is_reported(chute: Rig) -> None:
    chute.box.toss(["yellow", "red"])
    chute.wait_ms(330)
    chute.press("red")
    chute.wait_ms(3000)
    assert chute.shows("Whose cube?", "Yellow?", "Red"), chute.screen
    assert chute.acts.count("owner") == 1


def test_an_unknown_colour_names_no_player_and_harms_nothing(chute: Rig) -> None:
    chute.loop.inbox.post(QueueDetection("empty", None, "", chute.now_ns))
    toss(chute, "yellow")
    chute.loop.inbox.post(QueueDetection("cube", "orange", "", chute.now_ns))
    chute.settle()
    chute.wait_ms(500)
    assert chute.acts[-1] in ("cube", "owner")
