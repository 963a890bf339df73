"""The game board of Dohdles! on paper shows what its profile says, and the card funnel fits the gate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from math import atan2, degrees, dist, hypot, radians, sqrt, tan
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from hardware.gate.geometry import Gate, corner_above
from hardware.gate.numbers import read_numbers
from hardware.gate.physics import wedge_from
from umpi.cli import main
from umpi.games.dohdles import funnel
from umpi.games.dohdles.board import PROPOSAL, code_of
from umpi.games.dohdles.drawn_board import GAP, MIDDLE, drawn
from umpi.games.dohdles.rules import BOARD
from umpi.kernel.fields import Value
from umpi.kernel.printable import GREEN, WHITE, Label, Outline, Point
from umpi.table.labels import profile_label

MANY: dict[str, Value] = {
    "clues": ("either", "letter", "letter", "questions", "questions", "letter", "questions"),
    "rewards": (1, 0, 1, 2, 3, 2, 1, 0),
    "track": (*((space % 6, 3 * space % 13) for space in range(59)), (0, 0)),
    "start": 40,
}
FORM = """\
clues: ?? ABC ?? ABC ?? ABC ??/ABC
rewards: 0 3 3 2 2 1 1 0
start: 1
0: 0 3
1: 1 3
2: 0 0
"""


def corners_of(path: str) -> list[Point]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def arrows_on(board: Mapping[str, Value]) -> list[tuple[int, int]]:
    """The arrows of each space as they are printed: counted by where an arrow is, and by where its tip points.

    A number in a space stands for as many arrows as it says, beside the one that is drawn.
    """
    spaces = len(board["track"])  # type: ignore[arg-type]
    back, forward, numbers = Counter[int](), Counter[int](), Counter[tuple[int, bool]]()

    def where(at: Point) -> tuple[int, float]:
        x, y = at[0] - MIDDLE, at[1] - MIDDLE
        turned = (degrees(atan2(y, x)) - 90 - GAP / 2) % 360
        return int(turned / ((360 - GAP) / spaces)), hypot(x, y)

    for mark in drawn(board).marks:
        if isinstance(mark, Outline) and mark.fill in (GREEN, WHITE) and mark.path.count("L") == 6:
            points = corners_of(mark.path)
            middle = sum(x for x, _ in points) / 7, sum(y for _, y in points) / 7
            space, out = where(middle)
            if 107 < out < 139:
                (x, y), (tip_x, tip_y) = middle, points[3]
                clockwise = (x - MIDDLE) * (tip_y - y) - (y - MIDDLE) * (tip_x - x) > 0
                assert clockwise == (mark.fill == GREEN)
                (forward if clockwise else back)[space] += 1
        if isinstance(mark, Label) and mark.bold and mark.text.isdigit():
            space, out = where(mark.at)
            if 107 < out < 139:
                numbers[space, out < 122] = int(mark.text)
    for (space, ahead), number in numbers.items():
        side = forward if ahead else back
        assert side[space] == 1
        side[space] = number
    return [(back[space], forward[space]) for space in range(spaces)]


@pytest.mark.parametrize("board", [PROPOSAL, MANY], ids=["printed", "own"])
def test_the_printed_arrows_are_those_of_the_profile(board: Mapping[str, Value]) -> None:
    assert arrows_on(board) == list(board["track"])  # type: ignore[call-overload]


@pytest.mark.parametrize("board", [PROPOSAL, MANY], ids=["printed", "own"])
def test_the_printed_clues_and_rewards_are_those_of_the_profile(board: Mapping[str, Value]) -> None:
    """Beside each of the twelve spaces, going round from the start of the chip."""
    texts = [mark for mark in drawn(board).marks if isinstance(mark, Label)]
    near = [mark for mark in texts if hypot(mark.at[0] - MIDDLE, mark.at[1] - MIDDLE - 190) < 47]  # the lowest space
    ways = {mark: (degrees(atan2(mark.at[1] - MIDDLE - 190, mark.at[0] - MIDDLE)) - 90) % 360 for mark in near}
    rewards = [int(mark.text) for mark in sorted(near, key=ways.__getitem__) if mark.text.isdigit()]
    assert rewards == list(board["rewards"])[1:]  # type: ignore[call-overload]
    signs = [""] * 8
    for mark in near:
        if not mark.text.isdigit():
            signs[round(ways[mark] / 45) % 8] += mark.text
    wanted = {"questions": "??", "letter": "ABC", "either": "??ABC"}
    assert signs == ["", *(wanted[kind] for kind in board["clues"])]  # type: ignore[union-attr]


def text_of(file: Path) -> str:
    return "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(file))


@pytest.mark.slow
def test_the_code_on_the_board_is_the_code_in_the_options(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["print", "dohdles", "board"]) == 0
    code = re.findall(r"Board code (\w+)", text_of(tmp_path / "dohdles-board.pdf"))[0]
    assert profile_label(BOARD, PROPOSAL) == f"printed {code}"
    assert BOARD.called(code) == PROPOSAL


@pytest.mark.slow
def test_a_measured_board_is_drawn_with_its_own_code(tmp_path: Path, monkeypatch: Any, capfd: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours.txt").write_text(FORM)
    assert main(["profile", "ours.txt", "--board", "ours.pdf"]) == 0
    own: dict[str, Value] = {**PROPOSAL, "track": ((0, 3), (1, 3), (0, 0)), "start": 1}
    assert f"The code of this board is {code_of(own)}." in capfd.readouterr().out
    assert f"Board code {code_of(own)}" in text_of(tmp_path / "ours.pdf")
    assert profile_label(BOARD, own) == f"own {code_of(own)}"
    assert main(["profile", "ours.txt", "--board", "ours.pdf"]) == 2
    assert "ours.pdf exists already" in capfd.readouterr().err
    (tmp_path / "long.txt").write_text(FORM + "".join(f"{space}: 1 1\n" for space in range(3, 61)))
    assert main(["profile", "long.txt", "--board", "long.pdf"]) == 2
    assert "long.txt: the track has 61 spaces. A board on paper has room for 60." in capfd.readouterr().err


def test_a_code_depends_on_every_number_of_the_profile() -> None:
    assert len(code_of(PROPOSAL)) == 4
    others = [
        {**PROPOSAL, "start": 4},
        {**PROPOSAL, "rewards": (0, 3, 3, 2, 2, 1, 0, 1)},
        {**PROPOSAL, "clues": ("letter", "questions") * 3 + ("either",)},
        *({**PROPOSAL, "track": ((number, 3), *PROPOSAL["track"][1:])} for number in range(1, 40)),  # type: ignore[index]
    ]
    codes = {code_of(other) for other in (*others, PROPOSAL)}
    assert len(codes) == len(others) + 1
    assert code_of(dict(reversed(PROPOSAL.items()))) == code_of(PROPOSAL)


@pytest.mark.parametrize("cube", [12, 16])
def test_the_lip_of_the_funnel_fits_into_the_mouth_of_the_gate(cube: float) -> None:
    gate = Gate(read_numbers(), cube)
    assert gate.mouth > funnel.LIP_OUTSIDE + 2
    least, most = gate.funnel_range
    assert least <= funnel.LIP_HIGH <= most, "the funnel's stand can be set to it"
    assert funnel.LIP_OUT > 20, "the lip can be 20 mm deep in the mouth, before the box touches it"
    assert cube + gate.numbers.cubes.play_mm < funnel.LIP_WIDE


def test_no_cube_of_16_mm_can_turn_in_the_lip_and_none_gets_stuck_where_the_chute_narrows() -> None:
    numbers = read_numbers()
    gate = Gate(numbers, 16)
    assert wedge_from(gate) > funnel.LIP_WIDE
    assert corner_above(16 + numbers.cubes.spread_mm, funnel.LIP_WIDE, funnel.SIDE_DEG) < 0
    assert pytest.approx(sqrt(2) * (funnel.WALL + funnel.LIP_OUT)) == funnel.CHUTE_LONG
    narrowed = funnel.CHUTE_WIDE - 2 * funnel.NARROWS * tan(radians(funnel.SIDE_DEG))
    assert narrowed == pytest.approx(funnel.LIP_WIDE)
    assert funnel.opening() > funnel.LIP_OUTSIDE
    assert funnel.BACK_HIGH + sqrt(2) * funnel.CHUTE_WALL < funnel.HIGH, "the chute is below the cover"


def test_the_walls_of_the_hopper_close_to_a_square_above_and_below() -> None:
    """Two nets of two walls: each wall is as wide as the hopper, above and below, and all its sides are equal."""
    for net in funnel.nets()[2:4]:
        cut = next(mark for mark in net.marks if isinstance(mark, Outline) and not mark.dashed)
        points = corners_of(cut.path)
        near, far = points[:3], points[-3:][::-1]
        edges = [round(dist(*pair), 2) for pair in (*pairwise(near), *pairwise(far))]
        assert edges == [funnel.HOPPER_LOW] * 2 + [funnel.HOPPER_TOP] * 2
        assert len({round(dist(*pair), 2) for pair in zip(near, far, strict=True)}) == 1
    assert funnel.HOPPER_LOW < funnel.HOLE < funnel.HOPPER_TOP, "it sits in the hole by its taper"
    assert funnel.HOPPER_LOW < funnel.CHUTE_WIDE


def test_each_net_is_on_its_sheet_and_both_halves_of_the_box_have_one_height() -> None:
    for net in funnel.nets():
        for mark in net.marks:
            if isinstance(mark, Outline):
                assert all(0 < x < funnel.SHEET[0] and 0 < y < funnel.SHEET[1] for x, y in corners_of(mark.path))
    heights = [max(y for _, y in corners_of(net.marks[0].path)) - 4 for net in funnel.nets()[:2]]  # type: ignore[union-attr]
    assert heights == [funnel.HIGH] * 2
