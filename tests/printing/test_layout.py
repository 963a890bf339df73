"""Tiles of a large board: they cover it, overlap as the page says, and fit on the paper."""

from __future__ import annotations

from itertools import pairwise

import pytest

from umpi.kernel.printable import Piece
from umpi.printing.layout import CROSS, OVERLAP, joins, pages_of, tiles_of
from umpi.printing.paper import PAPERS, room_of

A0 = (1189.0, 841.0)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", [A0, (841.0, 1189.0), (400.0, 50.0), (200.0, 300.0)])
def test_tiles_cover_a_board_and_overlap_by_10_mm(paper: str, size: tuple[float, float]) -> None:
    wide, tiles = tiles_of(size, paper)
    room = room_of(paper, wide)
    for axis in (0, 1):
        spans = sorted({(tile.at[axis], tile.at[axis] + tile.size[axis]) for tile in tiles})
        assert spans[0][0] == 0
        assert spans[-1][1] == pytest.approx(size[axis])
        for (_, end), (start, _) in pairwise(spans):
            assert end - start == pytest.approx(OVERLAP)
        assert all(end - start <= room[axis] for start, end in spans)
        assert OVERLAP + (len(spans) - 1) * (room[axis] - OVERLAP) < size[axis], "fewer would do"
    columns, rows = (len({tile.at[axis] for tile in tiles}) for axis in (0, 1))
    assert len(tiles) == columns * rows == len({tile.name for tile in tiles})


@pytest.mark.parametrize("paper", PAPERS)
def test_a0_needs_25_tiles(paper: str) -> None:
    wide, tiles = tiles_of(A0, paper)
    assert wide
    assert [tile.name for tile in tiles][::6] == ["A1", "B2", "C3", "D4", "E5"]


def test_each_mark_to_join_is_whole_on_two_tiles() -> None:
    _, tiles = tiles_of(A0, "a4")
    marks = list(joins(tiles))
    assert len(set(marks)) == 2 * (4 * 5 + 5 * 4)
    for x, y in marks:
        on = [
            tile
            for tile in tiles
            if tile.at[0] + CROSS <= x <= tile.at[0] + tile.size[0] - CROSS
            and tile.at[1] + CROSS <= y <= tile.at[1] + tile.size[1] - CROSS
        ]
        assert len(on) == 2


@pytest.mark.parametrize(("paper", "pages", "wide"), [("a4", 7, False), ("letter", 8, True)])
def test_sixty_cards_need_the_fewest_pages(paper: str, pages: int, wide: bool) -> None:
    made = pages_of([Piece((63, 88), ())] * 60, paper, "Deck")
    assert (len(made), {page.wide for page in made}) == (pages, {wide})
