"""Matches of before: lists, results, the scores act by act, records; and the record of the one in play."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.kit.at_table import DEAL, Table, laid
from tests.kit.journals import header, leave
from tests.kit.rig import Rigs
from umpi.i18n.translate import set_language
from umpi.journal import Journal, Kept
from umpi.kernel.match import Match
from umpi.kernel.random_games import play, play_out
from umpi.kernel.record import dump, replay
from umpi.kernel.registry import find
from umpi.referee.transcript import outcome_of
from umpi.web.operations import endpoints
from umpi.web.past import Past, summary


def kept(folder: Path, *matches: tuple[dict[str, Any], list[Any]]) -> None:
    journal = Journal(folder / "games.db")
    for head, lines in matches:
        journal.append(journal.begin(head), lines, "panel")
    journal.close()


def whole(game: str, names: list[str], seed: int) -> tuple[dict[str, Any], list[Any]]:
    match = play_out(find(game), names, seed=seed)
    return header(game, names), [act.line() for act in match.acts]


def test_a_match_of_before_has_its_result_and_its_scores_act_by_act(rigs: Rigs) -> None:
    head, lines = whole("dodekka", ["Ann", "Ben"], 4)
    kept(rigs.folder, (head, [*lines[:5], {"undo": 2}, {"note": "oops"}, *lines[3:]]))
    phone = Table(rigs()).phone()
    match = play_out(find("dodekka"), ["Ann", "Ben"], seed=4)
    result = match.now.result()
    assert result
    (reply,) = phone.get("matches").json()
    assert reply["winners"] == list(result.winners)
    assert (reply["over"]["why"], reply["error"], reply["scores"]) == (result.why, "", list(match.now.scores()))
    assert (reply["title"], [player["name"] for player in reply["players"]]) == ("Dodekka cards", ["Ann", "Ben"])
    progress = phone.get("matches/1").json().pop("progress")
    assert len(progress) == len(lines)
    assert progress[-1] == reply["scores"]
    positions = [list(position.scores()) for position in match._positions[1:]]
    assert progress == positions, "what was taken back is not in it"


def test_so_many_summaries_are_kept_as_a_list_is_long_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a box that is on for months would keep one of each match that it has ever listed."""
    made = list[int]()

    def counted(match: Kept, lines: Any) -> Any:
        made.append(match.id)
        return summary(match, lines)

    monkeypatch.setattr("umpi.web.past.summary", counted)
    kept(tmp_path, *(whole("dodekka", ["Ann", "Ben"], seed) for seed in range(3)))
    for most, again in ((3, 0), (2, 3)):
        monkeypatch.setattr("umpi.web.past.KEPT", most)
        past = Past(tmp_path / "games.db")
        past.matches()
        made.clear()
        past.matches()
        assert len(made) == again, "the oldest makes room"


def test_a_match_that_is_not_over_is_listed_in_the_language_of_now(tmp_path: Path) -> None:
    kept(tmp_path, (header("scorepad", ["Red", "Ben"]), []))
    past = Past(tmp_path / "games.db")
    for code, title, name in (("en", "Score pad", "Red"), ("de", "Spielblock", "Rot"), ("en", "Score pad", "Red")):
        set_language(code)
        (match,) = past.matches()
        assert (match["title"], match["players"][0]["name"]) == (title, name)


def test_a_match_that_is_over_is_listed_by_its_outcome_without_its_moves(rigs: Rigs) -> None:
    head, lines = whole("dodekka", ["Ann", "Ben"], 4)
    match = play_out(find("dodekka"), ["Ann", "Ben"], seed=4)
    journal = Journal(rigs.folder / "games.db")
    for moves in (lines, [{"do": "dance"}]):
        number = journal.begin(head)
        journal.append(number, moves, "panel", (), outcome_of(match))
        journal.close_match(number)
    journal.close()
    phone = Table(rigs()).phone()
    danced, played = phone.get("matches").json()
    opened = phone.get("matches/2").json(), phone.get("matches/1").json()
    own = {part: played[part] for part in ("id", "uid", "began", "ended")}
    assert danced | own == played, "no move was looked at"
    assert [one["error"].startswith("Line 2: Dodekka has no") for one in opened] == [True, False]
    assert {part: opened[0][part] for part in danced} == danced | {"error": opened[0]["error"]}, "it stays over"
    for part in ("title", "players", "scores", "winners", "ended", "open", "rules"):
        assert played[part] == opened[1][part], part
    assert {**opened[1]["over"], "why": ""} == played["over"]


def test_the_newest_hundred_matches_are_listed_newest_first(rigs: Rigs) -> None:
    kept(rigs.folder, *[(header("dodekka", ["Ann", "Ben"]), [DEAL])] * 103)
    table = Table(rigs())
    reply = table.phone().get("matches").json()
    assert [match["id"] for match in reply] == list(range(103, 3, -1))
    assert table.phone().get("matches/1").status_code == 200


def test_a_match_that_no_longer_replays_says_where_and_why(rigs: Rigs) -> None:
    scored = {"do": "score", "seat": 0, "points": 5}
    lines = [scored, scored, {"do": "dance"}, scored]
    kept(
        rigs.folder,
        (header("scorepad", ["Ann", "Ben"]), lines),
        (header("chess", ["Ann", "Ben"]), []),
        ({}, []),
    )
    phone = Table(rigs()).phone()
    empty, chess, pad = phone.get("matches").json()
    assert pad["error"].startswith("Line 4: Score pad has no"), pad["error"]
    assert chess["error"].startswith("Line 1:")
    assert chess["title"] == "chess"
    assert empty["error"]
    assert phone.get("matches/1").json()["progress"] == [[5, 0], [10, 0]], "as far as it goes"
    odd = summary(Kept(1, '{"umpi": 1, "game": 3, "players": null}', "", 0, "closed", "", None), [])
    assert (odd["players"], bool(odd["error"])) == ([], True)


def without_signature(record: str) -> str:
    """A record without the result that the box has signed."""
    header, _, rest = record.partition("\n")
    fields = json.loads(header)
    assert fields.pop("signed")["signature"]
    return f"{dump(fields)}\n{rest}"


def test_records_are_downloads_that_replay(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])
    phone = table.paired()
    phone.act("turn", card="earth-4")
    phone.post("undo", question=table.question, count=1)
    phone.act("turn", card="earth-2")
    for path in ("record", "matches/1/record"):
        answered = phone.get(path)
        assert answered.headers["content-type"] == "application/x-ndjson"
        assert answered.headers["content-disposition"] == 'attachment; filename="umpi-1.jsonl"'
        *_, step = replay(answered.content.splitlines(keepends=True), find)
        assert step.error == ""
        assert step.record
        assert step.record.match.now == table.referee.session.match.now
    assert phone.get("record").text == without_signature(phone.get("matches/1/record").text)


def test_a_match_that_goes_on_under_newer_rules_has_a_record_that_replays(rigs: Rigs) -> None:
    scored = {"do": "score", "seat": 0, "points": 5}
    kept(rigs.folder, (header("scorepad", ["Ann", "Ben"]), [scored, scored, {"do": "dance"}]))
    table = Table(rigs())
    table.paired().act("score", seat=1, points=7)
    record = table.phone().get("record").text
    assert record == without_signature(table.phone().get("matches/2/record").text)
    lines = [json.loads(line) for line in record.splitlines()]
    assert [next(iter(line)) for line in lines] == ["umpi", "do", "do", "note", "do"]
    assert lines[3]["note"].startswith("match 1 goes on here. ")
    *_, step = replay(record.encode().splitlines(keepends=True), find)
    assert (step.error, step.record and step.record.match.now.scores()) == ("", (10, 7))


@pytest.mark.parametrize("damage", ["gone", "garbage"])
def test_an_unavailable_journal_affects_only_past_matches(rigs: Rigs, damage: str) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])
    path = rigs.folder / "games.db"
    path.unlink()
    if damage == "garbage":
        path.write_bytes(b"no journal" * 1000)
    phone = table.phone()
    assert phone.get("matches").json() == []
    assert phone.get("matches/1").status_code == 404
    assert phone.get("state").json()["match"]["acts"] == 1
    assert json.loads(phone.get("record").text.splitlines()[1])["do"] == "deal"


def test_columns_are_numbered_from_one(rigs: Rigs) -> None:
    match = Match(find("dudab-buba"), ("Red", "Blue"), {})
    for _ in play(match, 5):
        if "column" in match.acts[-1].given:
            break
    column = match.acts[-1].given["column"]
    table = laid(rigs, "dudab-buba", match.players, [act.line() for act in match.acts])
    assert table.phone().get("history").json()[-1]["text"].endswith(f"column {column + 1}.")


@pytest.mark.parametrize(("game", "wins", "ranks"), [
    ("scorepad", {"wins": "highest"}, [2, 1, 2]), ("scorepad", {"wins": "lowest"}, [1, 3, 1]), ("quiz", {}, [1, 1, 1]),
])  # fmt: skip
def test_the_seats_are_ranked_by_the_scores_that_win(
    rigs: Rigs, game: str, wins: dict[str, Any], ranks: list[int]
) -> None:
    lines = [{"do": "score", "seat": 1, "points": 5}] if game == "scorepad" else []
    assert laid(rigs, game, ["Ann", "Ben", "Cat"], lines, **wins).document["match"]["ranks"] == ranks


def test_a_game_that_does_not_say_which_scores_win_ranks_nobody_before_the_end(
    rigs: Rigs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(find("quiz"), "wins")
    assert laid(rigs, "quiz", ["Ann", "Ben"]).document["match"]["ranks"] is None


def test_the_moves_of_a_match_have_each_position_that_was_played(rigs: Rigs, tmp_path: Path) -> None:
    match = Match(find("dodekka"), ("Ann", "Ben"), {})
    for _ in play(match, 5):
        pass
    leave(tmp_path / "other.db", match)
    replay = Past(tmp_path / "other.db").moves("1")
    assert replay
    facts: dict[str, Any] = {}
    for count, move in enumerate(replay["moves"]):
        facts = {**({} if move["whole"] else facts), **move["facts"]}
        assert facts == match.position(count).shown_facts()
        assert bool(move["text"]) == (count > 0)
    assert len(replay["moves"]) == len(match.acts) + 1
    assert (
        sum(len(json.dumps(move["facts"])) for move in replay["moves"]) < len(match.acts) * len(json.dumps(facts)) / 2
    )
    assert Past(tmp_path / "other.db").moves("7") is None


def test_rules_that_fail_on_their_past_cost_this_answer_and_say_so(
    rigs: Rigs, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept(rigs.folder, whole("dodekka", ["Ann", "Ben"], 4))
    phone = Table(rigs()).phone()

    def fails(position: object) -> dict[str, Any]:
        raise KeyError("card")

    monkeypatch.setattr(find("dodekka"), "shown_facts", fails)
    reply = phone.get("matches/1/moves")
    assert (reply.status_code, reply.json()["error"]) == (503, "Box error: KeyError: 'card'")
    assert "matches/1/moves cannot be answered" in caplog.text
    assert "Traceback" in caplog.text
    assert phone.get("matches/1").status_code == 200


def test_who_reads_leaves_the_locks_of_the_box_alone(rigs: Rigs) -> None:
    """Linux drops all locks of a process on a file as soon as the process closes the file anywhere.

    Another program that opens the journal and closes it would delete the log then, to which the box still writes.
    """
    kept(rigs.folder, whole("scorepad", ["Ann", "Ben"], 4))  # its review is short
    box = Table(rigs())
    phone = box.phone()
    files = {each.stat().st_ino for each in rigs.folder.glob("games.db*")}

    def locks() -> int:
        held = (line.split() for line in Path("/proc/locks").read_text().splitlines())
        return sum(words[4] == str(os.getpid()) and int(words[5].rpartition(":")[2]) in files for words in held)

    before = locks()
    assert before
    paths = {
        re.sub(r"{\w+(:int)?}", lambda part: "0" if part[1] else "1", each.operation.path.replace("{game}", "dodekka"))
        for each in endpoints(type(box.desk))
        if each.operation.method == "GET" and each.operation.media != "text/event-stream"
    }
    assert len(paths) > 15
    for path in sorted(paths):
        phone.get(path.removeprefix("/api/"))
        assert locks() == before, path
