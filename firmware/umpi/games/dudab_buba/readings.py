"""The readings of the rule sheet of Dudab Buba that a table may choose; each option's first value is the default."""

from __future__ import annotations

from typing import Literal, NamedTuple

from umpi.kernel import Field, Pick

Must = Literal["must", "trust", "may"]
Second = Literal["any", "same"]
Place = Literal["any", "free"]
Cover = Literal["as-is", "number"]


class Readings(NamedTuple):
    """The chosen readings. The last value of each option is how revision 1 of the rules judged.

    - `request`: with "must", a seat that draws while a request is open shows its hand first, as it cannot meet it;
      with "trust" it need not show it, as in revision 2; with "may", it may even draw if it could meet the request.
    - `second_dudab`: with "any", a dudab replaces an open request from every column; with "same", only from its column.
    - `jungle_place`: with "any", a drawn jungle or baby may be laid on an open request or a waiting shaman, which is
      then void; with "free", it may not.
    - `cover`: with "as-is", the card turned onto a baby stays, whatever it is; with "number", cards are turned until
      one is neither a jungle nor a baby.
    - `jungle_shed`: whether a seat that takes a column with a jungle sheds down to two cards.
    """

    request: Must
    second_dudab: Second
    jungle_place: Place
    cover: Cover
    jungle_shed: bool


FORMERLY = {
    "request": "may", "second_dudab": "same", "jungle_place": "free", "cover": "number", "jungle_shed": True,
}  # fmt: skip
OPTIONS: tuple[Field, ...] = (
    Pick("request", ("must", "trust", "may")),
    Pick("second_dudab", ("any", "same")),
    Pick("jungle_place", ("any", "free")),
    Pick("cover", ("as-is", "number")),
    Pick("jungle_shed", (False, True)),
)
