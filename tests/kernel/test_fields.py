"""Fields: what an answer may be, by type and value, and how the table would draw it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.sampling import examples
from umpi.kernel import Dice, Draw, Each, Forms, Number, Pick, Some
from umpi.kernel.fields import holds, same

steady = settings(max_examples=examples(150), deadline=None, derandomize=True, database=None)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 14) | st.floats(0, 3) | st.text("ab-1", max_size=3),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.just("a"), inner, max_size=1),
    max_leaves=4,
)
FIELDS = [
    Pick("pick", (1, 2, 2, True, None, "a")), Pick("pick", range(1, 13)), Pick("none", ()), Pick("words", ("a", "b")),
    Number("number", 0, 3), Number("number", 1, 2, null=True), Some("some", (1, 1, 2), 0, 2), Some("none", (), 0, 0),
    Dice("dice", 2, 6), Draw("draw", ("a", "a", "b"), 2), Each("each", (Number("one", 0, 3), Pick("two", ("a",)))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [(1, 1, True), (1, True, False), (0, False, False), (1, 1.0, False), ("1", 1, False), ((1,), (1,), True),
     ((1,), (True,), False), ((1,), (1, 1), False), (None, False, False), ({"a": 1}, {"a": 1}, True)],
)  # fmt: skip
def test_values_are_compared_by_type_and_value(one: Any, other: Any, alike: bool) -> None:
    """`true` is no number."""
    assert (same(one, other), same(other, one), holds((other,), one)) == (alike, alike, alike)


@pytest.mark.slow
@pytest.mark.parametrize("field", FIELDS, ids=lambda field: type(field).__name__)
@steady
@given(value=values)
def test_any_value_is_taken_or_refused_by_the_name_of_its_field(field: Any, value: Any) -> None:
    """A refusal is one sentence that names the field; no value makes a field fail."""
    reason = field.refuse(value)
    assert reason == "" or reason.startswith(f"{field.name}: ")


@pytest.mark.parametrize("field", [f for f in FIELDS if f.name != "none"], ids=lambda field: type(field).__name__)
def test_drawn_values_are_never_refused(field: Any) -> None:
    """From the offer alone come the random player and the legality check."""
    chance = Random(1).random
    drawn = {field.sample(chance) for _ in range(200)}
    assert [field.refuse(value) for value in drawn] == [""] * len(drawn)
    assert len(drawn) > 1


def test_the_least_and_the_greatest_chance_stay_in_the_pool() -> None:
    """Chance runs from 0 up to, not including, 1."""
    for chance in (lambda: 0.0, lambda: 1 - 2**-53):
        for field in FIELDS:
            if field.name != "none":
                assert field.refuse(field.sample(chance)) == ""


@steady
@given(pool=st.lists(st.sampled_from("abc"), max_size=5), value=st.lists(st.sampled_from("abcd"), max_size=5))
def test_copies_are_counted(pool: list[str], value: list[str]) -> None:
    """A value comes as often as the pool holds it, in any order, in number between least and most."""
    fits = not Counter(value) - Counter(pool) and 1 <= len(value) <= 3
    assert (Some("some", tuple(pool), 1, 3).refuse(tuple(value)) == "") == fits


def test_a_list_is_a_list() -> None:
    """A text is no list of its letters, an object no list of its keys."""
    for value in ("ab", {"a": 1}, None, 1):
        assert Some("some", ("a", "b"), 0, 2).refuse(value) != ""
        assert Each("each", (Pick("a", ("a",)),)).refuse(value) != ""


def test_an_off_kind_is_refused_by_its_reason() -> None:
    """`objection(value)` says why a kind is off; a thing that is no kind is not asked about."""
    field = Pick("card", ("air-1",), ("air-1", "fire-4"), lambda card: f"{card} lies in Ann’s hand.")
    assert field.refuse("fire-4") == "fire-4 lies in Ann’s hand."
    assert field.refuse("wood-1") == "card: wood-1 is not in air-1, fire-4."


def test_dice_fall_evenly_and_cards_do_not_come_back() -> None:
    """Play-outs: dice and cards drawn as the real ones would fall."""
    chance = Random(3).random
    faces = Counter(face for _ in range(4000) for face in Dice("dice", 3, 12).sample(chance))
    assert set(faces) == set(range(1, 13))
    assert max(faces.values()) < 1.2 * min(faces.values())
    pool = ("a", "a", "b", "c")
    assert {tuple(sorted(Draw("draw", pool, 4).sample(chance))) for _ in range(20)} == {pool}


def test_a_value_named_more_often_than_it_is_there_is_not_called_used() -> None:
    """A player who counts one too many reads how many there are; where a card lies, they read of one that is gone."""
    field = Some("cards", ("a", "a", "b"), 0, 3, ("a", "b", "c"), lambda card: f"{card} is in Ann’s hand.")
    assert field.refuse(("a", "a", "a")) == "cards: a appears only twice."
    assert field.refuse(("c",)) == "c is in Ann’s hand."


def test_a_list_with_an_end_goes_on_up_to_it() -> None:
    """Cards are turned up to a number, or until the deck has run out."""
    field = Some("turned", ("a", "a", "b"), 1, 3, until=lambda card: card == "b")
    assert [field.refuse(value) for value in (("b",), ("a", "b"), ("a", "a", "b"))] == ["", "", ""]
    assert field.refuse(("b", "a")) == "turned: nothing may follow b."
    assert field.refuse(("a",)) == "turned: more must follow a."
    assert Some("turned", ("a", "a"), 1, 2, until=lambda card: card == "b").refuse(("a", "a")) == ""
    chance = Random(1).random
    endless = Some("turned", ("a", "b", "c"), 1, 3, until=lambda card: card == "no card of the pool")
    for drawn in (field, endless):
        assert all(drawn.refuse(drawn.sample(chance)) == "" for _ in range(50))


MOVED = Forms("moved", (Pick("dode", (1, 2, 4)), Number("hex", 0, 5)), 0, 2)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ((), ""),
        (({"dode": 1, "hex": 5}, {"hex": 0, "dode": 4}), ""),
        (({"dode": 1, "hex": 5}, {"dode": 1, "hex": 4}), "moved: dode 1 appears twice."),
        (({"dode": 3, "hex": 5},), "moved: dode: 3 is not in 1, 2, 4."),
        (({"dode": True, "hex": 5},), "moved: dode: true is not in 1, 2, 4."),
        (({"dode": 1},), "moved: each needs exactly dode, hex."),
        (({"dode": 1, "hex": 5, "face": 3},), "moved: each needs exactly dode, hex."),
        ((1,), "moved: each needs exactly dode, hex."),
        ({"dode": 1, "hex": 5}, "moved: expected a list of 0 to 2 objects."),
        (({"dode": 1, "hex": 0},) * 3, "moved: expected a list of 0 to 2 objects."),
    ],
)
def test_small_objects_answer_every_field_and_differ_in_the_first(value: object, why: str) -> None:
    """Battledodes: `moved` is a list of objects, no list names a dode twice."""
    assert MOVED.refuse(value) == why


def test_small_objects_are_drawn_each_once() -> None:
    """Play-outs tell what was moved, too."""
    chance = Random(2).random
    drawn = [MOVED.sample(chance) for _ in range(60)]
    assert {MOVED.refuse(value) for value in drawn} == {""}
    assert {len(value) for value in drawn} == {0, 1, 2}  # type: ignore[arg-type]


def test_a_value_that_is_not_possible_now_is_not_said_to_be_outside_its_range() -> None:
    """4 is a face of the die: "4 is not in 1 to 6" would be false."""
    face = Pick("face", (1,), range(1, 7))
    assert face.refuse(4) == "face: 4 is not possible now; possible: 1."
    assert face.refuse(7) == "face: 7 is not in 1 to 6."
    assert Some("keep", (1, 2), 0, 2, range(1, 7)).refuse((4,)) == "keep: 4 is not possible now; possible: 1, 2."
    assert Pick("face", (), range(1, 7)).refuse(4) == "face: 4 is not possible; there is nothing to choose from."
    assert Pick("face", (1,), range(1, 7), lambda value: "The 4 is gone.").refuse(4) == "The 4 is gone."
