"""Foreign light: receivers are watched while the emitters are off, and each lane of a head shines alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from workbench import LANES, SOON_MS, Workbench, statuses

from umpi.box.config import Config, HeadPlan
from umpi.doctor.light import _at_head
from umpi.doctor.visit import Visit


def made(tmp_path: Path, **config: Any) -> Workbench:
    return Workbench(Config(journal=tmp_path / "games.db", **config))


def test_receivers_that_go_dark_see_no_sun(tmp_path: Path) -> None:
    bench = made(tmp_path, beams=LANES, emitters=10)
    assert statuses(bench.guide("light")) == {"light": "ok"}
    assert bench.box.emitters.value == 1
    assert bench.live == ["lane_1 dark  second_1 dark"]


def test_a_receiver_that_sees_the_sun_is_named_and_shown_live(tmp_path: Path) -> None:
    bench = made(tmp_path, beams=LANES, emitters=10)
    bench.torn.add("second_1")
    (finding,) = bench.guide("light")
    assert finding.status == "failed"
    assert finding.what.startswith("second_1 saw light although all emitters were off")
    assert bench.live == ["lane_1 dark  second_1 LIGHT"]


def test_without_a_switch_foreign_light_is_unproven(tmp_path: Path) -> None:
    assert statuses(made(tmp_path, beams=LANES).guide("light")) == {"light": "not tested"}


def test_a_head_that_is_well_sees_neither_sun_nor_another_lane(tmp_path: Path) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=2, beams=2))
    assert statuses(bench.guide("light")) == {"light": "ok"}


THREE = {f"lane_{lane}": 7 + lane for lane in (1, 2, 3)}


def cover(bench: Workbench, *crossed: str) -> None:
    """Cover the emitters as requested; the receivers in `crossed` still see another lane's."""

    def covered(lane: str) -> None:
        if f"lane_{lane}" not in crossed:
            bench.beam(f"lane_{lane}", True)
        bench.type("", ms=SOON_MS + 1)

    bench.at(r"Cover every emitter of lane (\d)", lambda found: covered(found[1]))
    bench.at("Uncover them", lambda _: [bench.beam(line, False) for line in THREE])


def test_with_one_switched_group_each_lane_is_covered_in_turn(tmp_path: Path) -> None:
    bench = made(tmp_path, beams=THREE, emitters=11)
    cover(bench)
    assert [finding.status for finding in bench.guide("light")] == ["ok"]
    assert len([message for message in bench.messages if message.startswith("Cover")]) == len(THREE)


def test_with_one_switched_group_a_receiver_that_sees_another_lane_is_named(tmp_path: Path) -> None:
    bench = made(tmp_path, beams=THREE, emitters=11)
    cover(bench, "lane_2")
    well, crossed = bench.guide("light")
    assert (well.status, crossed.status) == ("ok", "failed")
    assert crossed.what.startswith("lane_2 saw light although every emitter of lane 2 was covered")


def test_light_that_comes_and_goes_behind_the_cover_is_seen(tmp_path: Path) -> None:
    bench = made(tmp_path, beams=THREE, emitters=11)
    cover(bench)
    flicker = [("lane_3", False, 500), ("lane_3", True, 503)]
    bench.at(r"Cover every emitter of lane 3", lambda _: (
        bench.beam("lane_3", True), bench.type("", ms=SOON_MS + 1), [bench.beam(*each) for each in flicker],
    ))  # fmt: skip
    assert [finding.what[:6] for finding in bench.guide("light")][1:] == ["lane_3"]


def test_if_nobody_covers_an_emitter_the_rest_is_unproven(tmp_path: Path) -> None:
    bench = made(tmp_path, beams=THREE, emitters=11)
    assert [finding.status for finding in bench.guide("light")] == ["ok", "not tested"]


class CrossedHead:
    """A head whose receiver of lane 2 also sees the emitter of lane 1, and which may be in the sun."""

    dark: frozenset[str] = frozenset()

    def __init__(self, sun: frozenset[str] = frozenset()) -> None:
        self.on, self.sun = {1, 2}, sun

    def emit(self, lane: int, on: bool, timeout_s: float = 1.0, mute: bool = True) -> frozenset[str]:
        (self.on.add if on else self.on.discard)(lane)
        lit = {f"lane_{each}" for each in self.on} | ({"lane_2"} if 1 in self.on else set()) | self.sun
        return frozenset({"lane_1", "lane_2"} - lit)


@pytest.mark.parametrize(("sun", "found"), [(frozenset(), "lane_2 see the emitter of lane 1"), ({"lane_2"}, "")])
def test_a_receiver_that_sees_another_lane_is_named(tmp_path: Path, sun: frozenset[str], found: str) -> None:
    bench = made(tmp_path, head=HeadPlan(lanes=2, beams=1))
    visit = Visit(bench.config, bench.box, bench)
    bench.box.head, real = CrossedHead(frozenset(sun)), bench.box.head
    try:
        findings = [finding.what for finding in _at_head(visit, 2)]
        assert (found in findings) if found else findings[0].startswith("lane_2 saw light")
        assert bench.box.head.on == {1, 2}, "all shine again"
    finally:
        bench.box.head = real
