"""The declaration of an engine: what it says about its options is about options that it has."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypedDict

import pytest
from planted.bag import MOST, Bag, Stone

from umpi.conformance import check_game
from umpi.conformance.declaration import answered, described
from umpi.conformance.examine import examine
from umpi.conformance.idle import idle
from umpi.conformance.wider import limited, wider_fields
from umpi.kernel import Ask, Field, Game, Given, Match, NamedSeat, Pick
from umpi.kernel.registry import find, games


class Anybody(Bag):
    """Asks nobody for an act of somebody."""

    def asks(self) -> tuple[Ask, ...]:
        return tuple(ask._replace(seat=None) for ask in super().asks())


class Named(Anybody):
    """Names the seat in the line, with the first field or with the next."""

    def asks(self) -> tuple[Ask, ...]:
        def more(given: Given) -> tuple[Field, ...]:
            return (Pick("seat", range(len(self.hands))),)

        draw = super().asks()[0]
        return draw._replace(fields=(*draw.fields, *more({}))), draw._replace(more=more)

    def do_draw(self, seat: NamedSeat, stone: Stone, loud: bool = False) -> Self:
        return super().do_draw(seat, stone, loud)


class Nobody(Bag):
    """Asks a seat for an act of nobody."""

    def do_draw(self, seat: None, stone: Stone, loud: bool = False) -> Self:  # type: ignore[override]
        return self


@pytest.mark.parametrize(("game", "flaws"), [
    (Bag, []), (Named, []),
    (Anybody, [
        f'It asks nobody for "{verb}", but do_{verb} hints `seat: int`, an act of somebody.'
        for verb in ("draw", "pass")
    ]),
    (Nobody, ['It asks seat 0 for "draw", but do_draw hints `seat: None`, an act of nobody.']),
])  # fmt: skip
def test_who_is_asked_is_who_may_act(game: type[Bag], flaws: list[str]) -> None:
    assert [flaw.why for flaw in answered(Match(game, ("Ann", "Ben")), lambda: 0.5)] == flaws


class Spot(TypedDict):
    """A place, with a number."""

    row: Literal["a", "b"]
    number: Stone


class Shelf(Bag):
    """The bag with an act of every kind of field."""

    def do_put(
        self,
        seat: int,
        word: Annotated[str, range(1, 5)],
        pair: tuple[Stone, Stone],
        many: Annotated[tuple[Stone, ...], range(4)],
        spot: Spot,
        maybe: Stone | None,
    ) -> Self:
        """Change nothing."""
        return self


@pytest.mark.parametrize(
    ("field", "hint", "more"),
    [
        ("word", Annotated[str, range(1, 5)], ""),
        ("word", Annotated[str, ("a", "bcd")], ""),
        ("word", Annotated[str, range(1, 6)], "bounded"),
        ("word", str, "any text"),
        ("pair", tuple[Annotated[int, range(2, 4)], Stone], ""),
        ("pair", tuple[Stone, Stone, Stone], "bounded"),
        ("pair", tuple[Stone, int], "any number"),
        ("many", Annotated[tuple[Stone, ...], range(3)], ""),
        ("many", Annotated[tuple[Stone, ...], range(5)], "bounded"),
        ("many", tuple[Stone, ...], "a list of any length"),
        ("many", Annotated[tuple[int, ...], range(4)], "any number"),
        ("spot", Spot, ""),
        ("spot", Spot | None, "bounded"),
        ("maybe", Stone, ""),
        ("maybe", Literal[1, 2], ""),
        ("maybe", Literal[1, MOST + 1], "bounded"),
        ("maybe", int | None, "any number"),
    ],
)
def test_a_replaced_act_that_takes_more_is_named_and_without_a_limit_it_is_a_flaw(
    field: str, hint: object, more: str
) -> None:
    def do_put(self, seat, word, pair, many, spot, maybe):  # type: ignore[no-untyped-def]
        return self

    do_put.__annotations__ = Shelf.do_put.__annotations__ | {field: hint}
    wider = type("Wider", (Shelf,), {"do_put": do_put})
    assert wider_fields(wider) == ([f"{field} in do_put of Wider"] if more else [])
    said = [flaw.why for flaw in limited(wider)]
    assert [f" takes {more}, that of Shelf has a limit." in why for why in said] == [True] * (more[:1] == "a")


@pytest.mark.slow
def test_an_expansion_with_more_stones_passes_and_its_report_names_the_field() -> None:
    class More(Bag):
        """The bag with one more stone, which no game has yet."""

        def do_draw(self, seat: int, stone: Annotated[int, range(1, MOST + 2)], loud: bool = False) -> Self:
            """Move a stone from the bag to a hand."""
            return super().do_draw(seat, stone, loud)

    declaration = check_game(More, games=1).findings[0]
    assert declaration.figures.endswith("; the records take more: stone in do_draw of More")


def test_rules_for_players_that_name_no_option_of_the_game_are_a_flaw() -> None:
    dodeka = find("dodeka")
    fewer = type("Fewer", (dodeka,), {"options": [option for option in dodeka.options if option.name != "ties"]})
    found = [flaw.why for flaw in described(fewer)]
    assert [why for why in found if "rules for players" in why] == [
        "Its rules for players cannot be read: de.md: line 88: the game has no option ties."
    ]
    assert not [flaw.why for flaw in described(dodeka)]


class Third(Bag):
    """The third version of the rules of the bag."""

    revision = 3


@pytest.mark.parametrize(("formerly", "why"), [
    ({1: {"stones": 3}, 2: {"stones": 12}}, ""),
    ({3: {}}, "names the revision 3, which is no older one"),
    ({0: {}}, "names the revision 0, which is no older one"),
    ({"1": {}}, "names the revision '1', which is no older one"),
    ({1: {"stnoes": 3}}, 'for the revision 1 is refused: Bag has no option "stnoes"; its options: stones.'),
    ({2: {"stones": 2}}, "for the revision 2 is refused: Option stones: 2 is not a whole number from 3 to 12."),
])  # fmt: skip
def test_options_of_older_revisions_are_ones_that_the_game_accepts(formerly: dict[Any, Any], why: str) -> None:
    flaws = [flaw.why for flaw in described(type("Made", (Third,), {"__doc__": "A bag.", "formerly": formerly}))]
    assert len(flaws) == bool(why)
    assert why in "".join(flaws)


def test_a_misspelled_phase_is_compared_with_those_that_games_had() -> None:
    for phase, flaws in (("turn", []), ("later", []), ("turm", ['"turm", which no game had: did you mean "turn"?'])):
        made = type("Made", (Bag,), {"__doc__": "A bag.", "reported": (phase,)})
        found = [finding.flaw.why for finding in examine(made, games=1) if finding.flaw]
        assert [why.partition("phase ")[2] for why in found] == flaws


class Windy(Bag):
    """Has an option about the wind; some of these games keep it."""

    options = (*Bag.options, Pick("wind", (False, True)))


class Dropped(Windy):
    """Takes the wind and drops it."""

    @classmethod
    def setup(cls, seats: int, stones: int = 8, wind: bool = False) -> Self:
        return super().setup(seats, stones)


class Beside(Windy):
    """Heeds the wind if there are few stones."""

    @classmethod
    def setup(cls, seats: int, stones: int = 8, wind: bool = False) -> Self:
        return super().setup(seats, stones + (wind and stones == 3))


class Warned(Dropped):
    """Uses the wind for the table only."""

    @classmethod
    def table_setup(cls, seats: int, wind: bool = False, **others: object) -> tuple[str, ...]:
        return ("Close the window.",) if wind else ()


WIND = ['No first position that was tried depends on the option "wind": setup() must keep it in a field.']


@pytest.mark.parametrize(("game", "flaws"), [(Bag, []), (Dropped, WIND), (Beside, []), (Warned, [])])
def test_an_option_changes_the_first_position_or_the_table(game: type[Bag], flaws: list[str]) -> None:
    assert [flaw.why for flaw in idle(game)] == flaws


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_each_option_of_a_shipped_game_changes_something(game: type[Game]) -> None:
    assert list(idle(game)) == []
