"""Names from phones: in the match in play, for the next match, and refused in words."""

from __future__ import annotations

import pytest

from tests.kit.at_table import Table, laid
from tests.kit.rig import Rigs, keys_of
from umpi.table.commands import Leave


def named(table: Table) -> list[str]:
    return [player["name"] for player in table.document["match"]["players"]]


def test_a_name_in_a_match_reaches_the_table_the_record_and_the_lists(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Red", "Tom"], [{"do": "deal", "cards": ["air-4", "fire-4", "water-4"]}])
    phone, question = table.paired(0), table.question
    reply = phone.post("name", name="  Zoë ")
    assert (reply.status_code, reply.json()["who"]["name"]) == (200, "Zoë")
    assert named(table) == ["Zoë", "Tom"]
    assert table.question == question, "an answer on its way stays valid"
    assert '"players": ["Zoë", "Tom"]' in phone.get("record").text
    assert phone.get("names").json()["names"] == ["Zoë", "Tom"]


@pytest.mark.parametrize(("name", "why"), [
    ("", "1 to 24"), (" \t", "1 to 24"), ("x" * 25, "1 to 24"), ("a\nb", "control"), ("tom", "already called tom"),
    ("Blue", "already called Blue"), ("\uff34\uff2f\uff2d", "already called"), ("T\u043em", "one alphabet"),
    ("Tom\u200b", "one alphabet"), ("\u202emoT", "one alphabet"), ("A" + 3 * "\u0301", "one alphabet"),
])  # fmt: skip
def test_a_name_that_cannot_be_is_refused_in_words_and_changes_nothing(rigs: Rigs, name: str, why: str) -> None:
    table = laid(rigs, "dodekka", ["Red", "Tom"])
    refused = table.paired(0).post("name", name=name)
    assert refused.status_code == 422
    assert why in refused.json()["error"]
    assert named(table) == ["Red", "Tom"]


def test_only_a_players_phone_names_its_player(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Red", "Tom"])
    assert table.phone().post("name", name="Eve").status_code == 401
    assert table.phone().get("names").status_code == 403
    assert table.paired(None).post("name", name="Eve").status_code == 403
    assert table.paired(0).post("name", nom="Eve").status_code == 400
    assert named(table) == ["Red", "Tom"]


def test_before_a_match_a_name_is_for_the_next_one_at_that_button(rigs: Rigs) -> None:
    table = Table(rigs())
    assert table.paired(1).post("name", name="Zoë").json()["who"]["name"] == "Zoë"
    assert table.paired(0).post("name", name="ZOË").status_code == 422
    table.rig.press(keys_of("dodekka"))
    table.rig.press("red ok ok")  # Zoë, who has joined, is chosen already
    assert named(table) == ["Red", "Zoë"]


def test_a_rematch_has_the_new_name_and_the_match_that_was_left_keeps_its_own(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Red", "Tom"])
    phone = table.paired(0)
    table.rig.grant(Leave())
    assert phone.post("name", name="Zoë").status_code == 200
    assert "Red" in phone.get("matches").text
    table.rig.press("yellow")
    assert named(table) == ["Zoë", "Tom"]


def test_a_name_changed_at_the_box_counts_in_the_next_match(rigs: Rigs) -> None:
    table = Table(rigs())
    phone = table.paired(0)
    assert phone.post("name", name="Zoë").status_code == 200
    table.rig.press(keys_of("dodekka"))
    table.rig.press("blue red")  # Zoë, who has joined, is chosen already: the press asks for the name
    table.rig.choose("Red")
    table.rig.press("ok ok")
    assert named(table) == ["Red", "Blue"]
    assert phone.get("me").json()["who"]["name"] == "Red"


def test_a_name_from_a_phone_disturbs_no_answer_at_the_box(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Red", "Tom"])
    phone, panel = table.paired(0), table.referee.panel
    before = panel.question
    table.rig.press("red")
    begun = panel.question
    assert begun != before
    assert phone.post("name", name="Zoë").status_code == 200
    assert panel.question == begun
    assert named(table) == ["Zoë", "Tom"]
