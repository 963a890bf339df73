"""The photo finish: the picture and its words agree with the stamps, and a past match still has its races."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.at_table import Table, laid
from tests.kit.rig import MS, SECOND, Rigs
from umpi.i18n.translate import set_language
from umpi.timing.edge import Edge
from umpi.timing.gate import BeamEdge, Settings, judge
from umpi.timing.race import Arrival, Race
from umpi.web.past import races_of
from umpi.web.photo import Runner, file_picture, picture, time_text, verdict_text

PHOTOS = Path(__file__).with_name("photos")
NAMES = ("Anne", "Ben", "Cleo", "Dov", "Éva", "Zoé")
SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def races(draw: st.DrawFn) -> Race:
    """Draw a race of one to six, by buttons and by phones: stamps 20 µs to hours apart, some of them equal."""
    unit_ns = draw(st.sampled_from((20_000, MS, 40 * MS, 60 * SECOND)))
    begin_ns = draw(st.integers(0, 10**15))
    arrivals = []
    for seat in draw(st.permutations(range(6)))[: draw(st.integers(1, 6))]:
        at_ns = begin_ns + unit_ns * draw(st.integers(0, 80))
        wide_ns = unit_ns * draw(st.integers(0, 30)) if draw(st.booleans()) else 0
        arrivals.append(Arrival("phone" if wide_ns else "button", seat, at_ns, at_ns - wide_ns, at_ns))
    return Race(0, tuple(sorted(arrivals, key=lambda one: one.at_ns)))


def runners(race: Race) -> list[Runner]:
    return [Runner("?" if one.seat is None else NAMES[one.seat], one.seat) for one in race.arrivals]


def drawn(race: Race) -> list[tuple[float, tuple[float, float]]]:
    """Return where the picture has each arrival, and from where to where its bar goes, in per cent of the width."""
    found = []
    for lane in ElementTree.fromstring(picture(race, runners(race))).iter(f"{SVG}g"):
        if lane.get("class") == "arrival":
            (at,) = [share(one, "x") for one in lane.findall(f"{SVG}svg")]
            wide = [(share(one, "x"), share(one, "x") + share(one, "width")) for one in lane.findall(f"{SVG}rect")]
            found.append((at, wide[0] if wide else (at, at)))
    return found


def share(one: ElementTree.Element, key: str) -> float:
    assert one.attrib[key].endswith("%")
    return float(one.attrib[key].rstrip("%"))


@given(races())
def test_the_order_on_the_axis_is_the_order_of_the_stamps(race: Race) -> None:
    lanes = drawn(race)
    assert len(lanes) == len(race.arrivals)
    for (one, (at, _)), (other, (at_other, _)) in combinations(zip(race.arrivals, lanes, strict=True), 2):
        assert (one.at_ns < other.at_ns) == (at < at_other)


@given(races())
def test_bars_overlap_exactly_if_the_order_is_too_close_to_call(race: Race) -> None:
    bars = [bar for _, bar in drawn(race)]
    overlap = {
        place
        for pair in combinations(range(len(bars)), 2)
        if max(bars[one][0] for one in pair) <= min(bars[one][1] for one in pair) + 1e-3
        for place in pair
    }
    assert overlap == race.close
    said = verdict_text(race, runners(race))
    assert ("Too close to call" in said) == bool(race.close)
    assert ("was first" in said) == (0 not in race.close and len(bars) > 1)


@given(st.lists(st.integers(0, 40), min_size=6, max_size=6))
def test_the_bars_of_cubes_overlap_exactly_if_they_are_a_dead_heat(fronts: list[int]) -> None:
    settings = Settings(lanes=6)
    edges = [(front * MS // 2 + end, lane, not end) for lane, front in enumerate(fronts) for end in (0, 14 * MS)]
    seen = [BeamEdge(number, t, lane, 0, dark) for number, (t, lane, dark) in enumerate(sorted(edges), 1)]
    cubes = judge(seen, settings).cubes
    race = Race(0, tuple(Arrival("cube", cube.lane, cube.t, cube.t, cube.t + cube.heat_ns) for cube in cubes))
    assert race.close == {place for place, cube in enumerate(cubes) if "dead-heat" in cube.doubts}


@given(races())
def test_a_race_is_read_as_it_was_noted(race: Race) -> None:
    (read,) = races_of([race.line()])
    first_ns = race.arrivals[0].at_ns
    assert [one.at_ns + first_ns for one in read.arrivals] == [one.at_ns for one in race.arrivals]
    assert picture(read, runners(race)) == picture(race, runners(race))


@pytest.mark.parametrize(
    "noted", [None, {}, {"before": 0, "arrivals": [], "reasons": []}, {"before": "a", "arrivals": [{}], "reasons": []}]
)
def test_a_note_that_is_no_race_is_left_out(noted: object) -> None:
    assert races_of([noted]) == []


def test_the_words_are_those_of_the_language_and_names_stay_text() -> None:
    race = Race(0, (Arrival("button", 0, 0, 0, 0), Arrival("phone", 1, 5_240_000, 1_000_000, 5_240_000)))
    set_language("de")
    svg = file_picture(race, [Runner('<b>"&', 0), Runner("Ben", 1)])
    texts = [one.text for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert '1. <b>"&' in texts
    assert "Wer Erster war" in texts, texts
    assert any(text and text.startswith("+5,2 ms") for text in texts), texts


def test_a_doubt_about_cubes_names_nobody_as_the_first() -> None:
    race = Race(0, (Arrival("cube", 0, 0, 0, 2 * MS), Arrival("cube", 1, 90 * MS, 90 * MS, 92 * MS)), ("beam",))
    assert verdict_text(race, runners(race)) == "Only one of two beams saw it."


def test_a_time_is_short_and_never_zero_from_twenty_microseconds_on() -> None:
    assert [time_text(ns) for ns in (20_000, 5_240_000, 120 * MS, 3 * SECOND)] == [
        "0.02 ms",
        "5.2 ms",
        "120 ms",
        "3.00 s",
    ]


def phone(seat: int, at_ms: float, wide_ms: float) -> Arrival:
    at_ns, wide_ns = round(at_ms * MS), round(wide_ms * MS)
    return Arrival("phone", seat, at_ns, at_ns - wide_ns, at_ns)


def cube(seat: int | None, at_us: int, heat_us: int) -> Arrival:
    return Arrival("cube", seat, at_us * 1000, at_us * 1000, (at_us + heat_us) * 1000)


SEEN = {
    "buttons": Race(0, tuple(Arrival("button", seat, at, at, at) for seat, at in (
        (2, 7), (0, 5_240_007), (5, 99 * MS), (1, 120 * MS), (3, 980 * MS), (4, 3100 * MS),
    ))),
    "phones": Race(0, (
        Arrival("button", 1, 40 * MS, 40 * MS, 40 * MS), phone(3, 55, 30), phone(0, 61, 12), phone(2, 400, 380),
        phone(4, 2000, 1),
    )),
    "a phone that is far behind": Race(0, (Arrival("button", 5, 0, 0, 0), phone(4, 80, 20))),
    "cubes": Race(0, (cube(None, 0, 300), cube(4, 200, 300), cube(1, 20_000, 300))),
    "doubts": Race(0, (cube(0, 0, 40), cube(1, 90, 40)), ("beam", "dead-heat", "beam")),
    "alone": Race(0, (phone(3, 10, 8),)),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_picture_is_as_somebody_has_seen_it(language: str) -> None:
    """After a change on purpose: write the new pictures into the folder, and look at them in a browser."""
    set_language(language)
    for name, race in SEEN.items():
        seen = PHOTOS / f"{name.replace(' ', '-')}-{language}.svg"
        assert file_picture(race, runners(race)).replace("><", ">\n<") == seen.read_text(encoding="utf-8"), seen.name
        in_page, alone = ElementTree.fromstring(picture(race, runners(race))), race.arrivals
        assert (in_page.get("width"), in_page.get("height")) == ("100%", f"{len(alone) * 2.7 + 1.6:.4g}em")


@pytest.fixture
def quiz(rigs: Rigs) -> Table:
    return laid(rigs, "quiz", ["Rosie", "Tom", "Ann"], [{"do": "open"}])


def press(table: Table, **after_ms: int) -> None:
    """Press buttons of the box, each so long after now."""
    rig = table.rig
    begin_ns = rig.now_ns
    for button, ms in sorted(after_ms.items(), key=lambda each: each[1]):
        for down in (True, False):
            table.loop.inbox.post(Edge(button, down, begin_ns + ms * MS + (not down) * 30 * MS))
    rig.now_ns += SECOND
    rig.settle()


def test_a_race_is_in_the_state_and_later_with_its_match(quiz: Table) -> None:
    press(quiz, blue=10, red=130)
    race = quiz.document["race"]
    assert [(one["name"], one["by"], one["at_ns"], one["behind"]) for one in race["arrivals"]] == [
        ("Tom", "button", 0, ""), ("Rosie", "button", 120 * MS, "+120 ms"),
    ]  # fmt: skip
    assert race["verdict"] == "Tom was first, by 120 ms."
    (kept,) = quiz.phone().get("matches/1").json()["races"]
    assert kept == race


def test_a_race_that_was_undone_is_not_shown_again(quiz: Table) -> None:
    press(quiz, blue=10, red=130)
    assert quiz.paired().post("undo", question=quiz.question, count=2).status_code == 200
    assert quiz.document["race"] is None
    assert quiz.phone().get("matches/1").json()["races"] == []
