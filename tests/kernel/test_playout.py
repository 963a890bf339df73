"""Random games: the same seed gives the same record everywhere, and no game goes on past its longest."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from toy import Toy

from tests.foreign.green_light.green_light import CLOSE_MS, GreenLight
from umpi.cli import main
from umpi.kernel import Ask, Number, Pick
from umpi.kernel.random_games import NeverEnds, Stopwatch, play_out, sample
from umpi.kernel.registry import find
from umpi.table.seats import COLOURS

DIGESTS = {
    ("dodeka", "--players=3"): "79a45fb3d255bd60",
    ("dodeka", "--option=minutes=1"): "3ea37eaa9da86a51",
    ("dodekka", "--players=3"): "92e8b55fdfb8c0d5",
    ("dodekka", "--option=track=sums"): "344bc770d7a9a013",
}


@pytest.mark.parametrize(("arguments", "digest"), DIGESTS.items(), ids=str)
def test_a_seed_gives_the_same_record_for_ever(
    arguments: tuple[str, ...], digest: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A play-out is the same on every machine and Python; a changed use of chance shows here."""
    written = []
    for _ in range(2):
        assert main(["play-out", *arguments, "--seed", "1"]) == 0
        written.append(capfdbinary.readouterr().out)
    assert written[0] == written[1]
    assert hashlib.sha256(written[0]).hexdigest()[:16] == digest


@pytest.mark.parametrize("game", ["dodeka", "dodekka"])
def test_other_seeds_give_other_games(game: str) -> None:
    """Chance has its say."""
    games = {str(play_out(find(game), ["A", "B"], seed=seed).acts) for seed in range(20)}
    assert len(games) == 20


def test_without_more_the_fewest_play_under_plain_names(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """By default the fewest players, named P1, P2 …"""
    main(["play-out", "dodekka", "--seed", "4"])
    header, *acts = map(json.loads, capfdbinary.readouterr().out.splitlines())
    assert header == {"umpi": 1, "game": "dodekka", "players": ["P1", "P2"], "options": {}, "revision": 1}
    assert all("do" in act for act in acts)


def test_an_option_is_json_or_text_or_a_file(tmp_path: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """VALUE is JSON, else text; @FILE is that file's JSON."""
    (tmp_path / "minutes.json").write_text("\n 5 \n")
    options = ["target=20", f"minutes=@{tmp_path}/minutes.json", "parts=2"]
    main(["play-out", "dodeka", "--seed", "4", *(word for option in options for word in ("--option", option))])
    header = json.loads(capfdbinary.readouterr().out.splitlines()[0])
    assert header["options"] == {"target": 20, "minutes": 5, "parts": 2}
    for text in ("hands", '"hands"'):
        assert main(["play-out", "dodekka", "--seed", "4", "--option", f"track={text}"]) == 0
        assert json.loads(capfdbinary.readouterr().out.splitlines()[0])["options"] == {"track": "hands"}


def test_a_game_past_its_longest_never_ends() -> None:
    """An engine declares a `longest` that no play-out passes."""
    longest = len(play_out(Toy, ["A", "B"], seed=9).acts)

    class Short(Toy):
        longest = 0

    Short.longest = longest
    assert len(play_out(Short, ["A", "B"], seed=9).acts) == longest
    Short.longest = longest - 1
    with pytest.raises(NeverEnds, match=f"{longest - 1} acts"):
        play_out(Short, ["A", "B"], seed=9)


def test_the_times_of_presses_rise_until_the_box_acts_again() -> None:
    """As at a table: who presses second has the longer time, and nobody can press after the box has ended the wait."""
    for seed in range(20):
        match, last_ms = play_out(GreenLight, COLOURS[:6], seed=seed), 0
        for index, act in enumerate(match.acts):
            last_ms = 0 if match.asked(index).of_box else last_ms
            assert last_ms <= act.given.get("ms", last_ms) < last_ms + CLOSE_MS, (seed, index)
            last_ms = act.given.get("ms", last_ms)


def test_a_time_needs_no_act_of_the_box_beside_it() -> None:
    """The box then measures from the question, and any time that the field accepts can be drawn."""
    press = Ask("press", "Press", (Number("ms", 0, 3_000, source="clock"),), 0)
    assert sample([press], lambda: 0.5, Stopwatch()).given == {"ms": 1_500}
    assert sample([press], lambda: 0.0, Stopwatch(7)).given == {"ms": 7}


def test_asks_fall_by_their_weight() -> None:
    """Rare acts fall with a weight the engine gives."""
    asks = [Ask("often", "", weight=3), Ask("seldom", "", weight=1), Ask("never", "", weight=0)]
    chance = Random(2).random
    fallen = Counter(sample(asks, chance).verb for _ in range(4000))
    assert set(fallen) == {"often", "seldom"}
    assert 2700 < fallen["often"] < 3300


def test_an_act_its_offer_turns_down_is_drawn_again() -> None:
    """The check of the whole act holds in random games too; an empty pool is passed over."""
    odd = Ask("odd", "", (Pick("n", (1, 2, 3)),), objection=lambda given: "" if given["n"] == 3 else "no")
    empty = Ask("empty", "", (Pick("n", ()),))
    chance = Random(2).random
    assert {(act.verb, act.given["n"]) for act in (sample([empty, odd], chance) for _ in range(30))} == {("odd", 3)}
    with pytest.raises(NeverEnds):
        sample([empty], chance)
