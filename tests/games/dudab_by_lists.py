"""Dudab Buba played act by act on plain lists, in every reading of the sheet: a second method for the engine."""

from __future__ import annotations

from typing import Any

from umpi.kernel import Act

Deck = dict[str, Any]
COLOURS = ("red", "blue", "yellow", "green")


class Column:
    """A column as it lies on the table, each card with how it lies there."""

    def __init__(self, card: str) -> None:
        self.lies = [("above", card)]

    def part(self, *names: str) -> list[str]:
        return [card for name, card in self.lies if name in names]

    @property
    def crossed(self) -> bool:
        return bool(self.part("across"))


class ListRound:
    """One round, played act by act; it never looks at the engine."""

    def __init__(self, seats: int, cards: int, options: Deck) -> None:
        self.seats, self.options = seats, {"request": "must", "second_dudab": "any", "jungle_place": "any"}
        self.options |= {"cover": "as-is", "jungle_shed": False, **options}
        self.least, self.most = options.get("hand_least", 2), options.get("hand_most", 5)
        self.length = options.get("column_length", 5)
        self.hands, self.owed = [3] * seats, [0] * seats
        self.deck = cards - 3 * seats
        self.piles: list[list[str]] = [[] for _ in range(seats)]
        self.columns: list[Column] = []
        self.open: tuple[int, str] | None = None  # the column that waits, and for what: a request, or "shaman"
        self.sheds, self.turn = False, 0

    def lays(self, card: str) -> list[int]:
        """Every column on which a card may be laid now."""
        places = range(len(self.columns))
        if self.open is None:
            return [place for place in places if self.follows(card, place) and self.mirrors(card, place)]
        there, wanted = self.open
        if wanted == "shaman":
            good = card == "dudab" or (card.startswith("shaman") and self.mirrors(card, there))
            return [there] if good else []
        if card == "dudab":
            return [*places] if self.options["second_dudab"] == "any" else [there]
        kind, what = wanted.split(":")
        words = card.split("-")
        met = what in (words if kind == "colour" or not card.startswith("shaman") else ())
        return [there] if met else []

    def follows(self, card: str, place: int) -> bool:
        """The table of the page: what goes on the last card."""
        column = self.columns[place]
        seen = column.part("below") or ([] if column.crossed else column.part("above"))
        if card == "dudab" or not seen or seen[-1] in ("jungle", "baby"):
            return True
        last, new = seen[-1].split("-"), card.split("-")
        if last == ["dudab"]:
            return new[0] != "shaman" or column.crossed
        if "shaman" in (last[0], new[0]):
            return last[0] != new[0] and bool({*last} & {*new} & {*COLOURS})
        return abs(int(last[2]) - int(new[2])) == 1 and not {*last} & {*new}

    def mirrors(self, card: str, place: int) -> bool:
        column = self.columns[place]
        below, above = column.part("below"), column.part("above")
        if card == "dudab" or not column.crossed or len(below) >= len(above):
            return True
        image = above[::-1][len(below)]
        if image in ("jungle", "baby"):
            return True
        if image == "dudab" or image.startswith("shaman"):
            return card.startswith(image.split("-")[0])
        return bool({*card.split("-")} & {*image.split("-")})

    def apply(self, act: Act) -> None:
        getattr(self, act.verb)(**act.given)
        if act.verb == "reveal":
            return
        if not self.deck:
            self.open, self.sheds, self.owed = None, False, [0] * self.seats
        elif not self.sheds and not any(self.lacks(seat) or self.hands[seat] > self.most for seat in range(self.seats)):
            self.turn = (self.turn + 1) % self.seats

    def lacks(self, seat: int) -> int:
        return max(0, self.owed[seat], self.least - self.hands[seat])

    @property
    def active(self) -> int:
        """The seat that acts: who owes something, from the seat whose turn it is."""
        order = [(self.turn + step) % self.seats for step in range(self.seats)]
        busy = [seat for seat in order if self.lacks(seat) or self.hands[seat] > self.most]
        return busy[0] if busy and not self.sheds else self.turn

    def reveal(self, cards: tuple[str, ...]) -> None:
        self.columns = [Column(card) for card in cards]
        self.deck -= len(cards)

    def play(self, card: str, column: int, ask: str | None = None) -> None:
        seat, there = self.turn, self.columns[column]
        self.hands[seat] -= 1
        crossed = there.crossed
        full = (
            len(there.part("below")) == len(there.part("above")) if crossed else len(there.part("above")) == self.length
        )
        if full:
            self.piles[seat] += [each for _, each in there.lies]
            self.columns[column] = Column(card)
            self.sheds = self.hands[seat] > self.least and (not crossed or self.options["jungle_shed"])
        else:
            there.lies.append(("below" if crossed else "above", card))
        wanted = "shaman" if card.startswith("shaman") else ask
        self.open = (column, wanted) if wanted and not (crossed and card == "dudab") else None

    def show(
        self, shed: str | None = None, card: str | None = None, column: int | None = None, turned: Any = ()
    ) -> None:
        self.draw((), shed, card, column, turned)

    def draw(
        self, shown: Any = (), shed: str | None = None, card: str | None = None, column: int | None = None,
        turned: Any = (),
    ) -> None:  # fmt: skip
        seat = self.active
        self.owed[seat] = max(0, self.owed[seat] - 1)
        self.deck -= 1 + len(turned)
        if shed:
            self.hands[seat] -= 1
            self.piles[seat].append(shed)
        if card is None:
            self.hands[seat] += 1
        if column is None:
            return
        there = self.columns[column]
        if self.open and self.open[0] == column:
            assert self.options["jungle_place"] == "any"
            self.open = None
        if card == "jungle":
            assert not there.crossed
            there.lies.append(("across", card))
            return
        stack = [("stack", each) for _, each in there.lies] + [("stack", "baby")]
        stack += [("stack", each) for each in turned]
        if turned and (self.options["cover"] == "as-is" or turned[-1] not in ("jungle", "baby")):
            stack[-1] = ("above", turned[-1])
            if turned[-1][-1].isdigit():
                self.owed = [owed + int(turned[-1][-1]) for owed in self.owed]
        there.lies = stack

    def face(self, turned: tuple[str, ...]) -> None:
        self.deck -= len(turned)
        self.open = None
        if turned[-1][-1].isdigit():
            self.owed[self.turn] += int(turned[-1][-1])

    def shed(self, cards: tuple[str, ...], to: str) -> None:
        seat = self.active
        self.hands[seat] -= len(cards)
        self.sheds = False
        if to == "pile":
            self.piles[seat] += cards

    def facts(self) -> Deck:
        """Return the facts of the page that show where the cards lie and what is asked for."""
        request = self.open if self.open and self.open[1] != "shaman" else (None, None)
        columns = tuple(
            {
                "above": tuple(column.part("above")), "jungle": column.crossed, "below": tuple(column.part("below")),
                "stack": len(column.part("stack")),
            }
            for column in self.columns
        )  # fmt: skip
        return {
            "deck": self.deck, "hands": tuple(self.hands), "columns": columns,
            "piles": tuple(map(tuple, self.piles)), "request": request[1], "request_column": request[0],
            "owed": tuple(self.lacks(seat) if self.deck else 0 for seat in range(self.seats)),
        }  # fmt: skip
