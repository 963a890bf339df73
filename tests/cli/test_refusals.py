"""What a command says to wrong usage, to wrong files and to answers is what somebody has read: refusals.txt has it."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import header, leave
from tests.kit.seen import check_part
from umpi.cli import main
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find

HERE, REPO = Path(__file__).parent, Path(__file__).parents[2]
SEEN = HERE / "refusals.txt"
TRACES = HERE.parent / "traces"
CHANCE = (
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d[.\d]*(\+00:00|Z)?)?"), "THEN"),
    (re.compile(r"  usage: .*?(?=  umpi \S+: error: )", re.S), ""),  # test_options has it
    (re.compile(r"umpi \S+, Python \S+:"), "umpi VERSION, Python VERSION:"),
    (re.compile(r"\b[0-9a-f]{32,64}\b"), "HEX"), (re.compile(r"\b[0-9a-f]{12}\b"), "PICTURE"),
    (re.compile(r"\bline [0-9a-f]{8}\b"), "line HEX"),
)  # fmt: skip
COMMANDS = """
games --json 5
schema nothing
check dodeka --games 0
check dodeka --renew
check dodeka --limit 0 --exhaustive
check dodeka --limit 5
check dodeka --exhaustive --records .
check dodeka --exhaustive --snapshot .
check dodeka --confirm
check dodeka --time-limit 5
check dodeka --mutate --exhaustive
check dodeka --mutate --snapshot .
check dodeka --mutate --confirm
check dodeka --mutate --records nothing
check dodeka --mutate --time-limit 0
check nothing --mutate
check nothing --exhaustive
check json:nothing
new-game 5
new-game snake --expands nothing
cards nothing
cards dodekka --size 20
cards dodekka --sheet cards.pdf --size 9
cards dodekka --sheet cards.pdf --size 51
cards dodekka --sheet no/cards.pdf
print
print dodekka --large --braille
print dodekka nothing
print dodekka --list
print --list nothing
print quiz --output game.jsonl
print dodekka deck --output no/deck.pdf
print dohdles board --braille
print dodekka deck --braille --output no/deck.brf
print dodekka --paper a5
profile bytes.txt
profile game.jsonl
profile form.txt
profile form.txt --board game.jsonl
profile form.txt --board no/board.pdf
lab
lab nothing
lab dodeka --games 0
lab dodeka --workers 0
lab dodeka --players 7
lab quiz --players 1
lab dodeka --strategy 0
lab dodeka --strategy 2=random
lab dodeka --strategy x=random
lab dodeka --strategy 0=greedy:0
lab dodeka --strategy 0=dodekka-odds
lab dodeka --match nothing random
lab dodeka --vary target
lab dodeka --vary target=
lab dodeka --vary target=1 --vary target=2
lab dodeka --option target=50 --vary target=60,70
lab dodeka --vary target=5..4
lab dodeka --vary target=1..10001
lab dodeka --vary target=a..b
lab dodeka --vary target=1,2
lab dodeka --vary nothing=1,2
lab dodeka --aim fair
lab dodeka --vary target=50,60 --aim nothing
lab dodeka --vary target=50,60 --aim minutes=x
lab dodeka --match greedy random --report report.html
lab dodeka --report no/report.html
lab dodeka --continue no/games.jsonl
lab dodeka --continue game.jsonl
lab dodeka --executor nowhere --workers 1
lab dodeka --option target
lab dodeka --option target=50 --option target=60
lab dodeka --option target=@nothing.json
lab dodeka --option target=@bytes.txt
lab quiz --games 4 --workers 1 --json
lab quiz --games 2 --workers 1 --match random random --json
lab quiz --games 3 --workers 1 --vary points=1,2 --match random random
lab --journal games.db --continue more.jsonl
lab --journal games.db --strategy 0=random
lab --journal games.db --players 2
lab --journal games.db --games 0
lab --journal nothing.db
lab --journal letters.db
lab --journal foreign.db
lab dohdles --journal games.db
lab nothing --journal games.db
lab quiz --journal games.db
lab quiz --journal games.db --games 3
history --truth Ann --journal games.db
history --record --journal games.db
history --trace 1 --journal games.db
history 2 --export out.jsonl --journal games.db
history 2 --trace 1 --journal games.db
history --export no/out.jsonl --journal games.db
history --export - --journal left.db
history --import nothing.jsonl --journal games.db
history --import export.jsonl --journal other.db ; history --import export.jsonl --journal other.db
history --import export.jsonl --journal foreign.db
history --journal left.db
history --journal nothing.db
history --journal letters.db
history --journal foreign.db
history --journal odd.db
stats --journal odd.db
stats --journal left.db
stats --journal nothing.db
stats --journal letters.db
stats --journal foreign.db
stats --journal games.db --game nothing
stats --journal games.db --game quiz --player Zoe
stats --journal games.db --dice --player Zoe
stats --journal games.db --dice --json
stats --journal games.db --dice --player Ann --json
stats --journal games.db --dice --game quiz
stats --journal games.db --game quiz --player Ann --json
replay refused.jsonl
replay refused.jsonl # for people
replay refused.jsonl --trace
replay cut.jsonl
replay cut.jsonl # for people
replay bytes.txt
replay bytes.txt # for people
replay empty.jsonl
replay nothing.jsonl
replay old.jsonl # for people
replay . # for people
replay .
replay-session .
verify .
history 99 --journal games.db
history --export out.jsonl --journal torn.db
history --journal torn.db
stats --journal torn.db
lab dodeka --option parts=1 --games 2 --workers 1 --vary target=50..51 --aim fair
lab dodeka --option parts=1 --games 2 --workers 1 --vary target=50..51 --aim fair --json
perft dodeka --depth 1 --players 3 --option target=50
odds refused.jsonl
odds quiz.jsonl
odds quiz.jsonl # for people
odds nothing.jsonl
play-out nothing --seed 1
play-out quiz --seed x
play-out dodeka
play-out scorepad --seed 1
judge trace.jsonl
judge trace.jsonl --svg race.svg
judge trace.jsonl --svg trace.jsonl
judge trace.jsonl --svg no/race.svg
judge none.jsonl --svg race.svg
judge nothing.jsonl
judge bytes.txt
judge bytes.txt # for people
review game.jsonl --worlds 1
review game.jsonl --workers 0
review game.jsonl --json --pdf review.pdf
review game.jsonl --pdf game.jsonl
review refused.jsonl --workers 1
review refused.jsonl --workers 1 # for people
review cut.jsonl --workers 1
review nothing.jsonl
review quiz.jsonl --workers 1
review quiz.jsonl --workers 1 --pdf no/review.pdf
review game.jsonl --language xx
perft nothing
perft dodeka --depth 0
perft dodeka --limit 0
perft dodeka --players 7
perft quiz --divide
perft quiz --depth 2 --divide
perft dodeka --option target=0
rules nothing
rules dodeka --diff dodeka best
rules --diff dodeka dodekka
rules --diff dodeka nothing
rules --diff dodeka short --config umpi.toml
rules --diff short short --config umpi.toml
rules --diff dodeka nothing --config umpi.toml
rules dodekka --rules short --config umpi.toml
rules scorepad
rules quiz
rules dodeka --pdf no/rules.pdf
rules scorepad --trace
rules dodeka --option nothing=1
scenario nothing.jsonl
scenario refused.jsonl
scenario bytes.txt
learn
learn dodeka --language xx
learn dodeka < q
learn dodeka < x h b | x | q
learn dodekka < | 9 | h | b | q
learn dodeka
sim --session session.jsonl
sim --script nothing.txt
sim --script short.txt
sim --script short.txt --lanes 0
sim --script wrong.txt
sim --script short.txt --session empty.jsonl/session.jsonl
sim --script short.txt --journal foreign.db
sim --script short.txt --journal letters.db
sim --script short.txt --option target=0
sim --script short.txt --option nothing=1
sim --script short.txt --config wrong.toml
sim --script short.txt --config preset.toml
sim --script short.txt --config nothing.toml
sim --port 65536
sim --lanes 2
sim --journal foreign.db
replay-session session.jsonl
replay-session session.jsonl --from 4 --until 6
replay-session session.jsonl --from 4 --until 6 # for people
replay-session session.jsonl --picture 2
replay-session session.jsonl --picture 999
replay-session session.jsonl --from 5 --until 6 --walk < | |
replay-session half.jsonl --until 3
replay-session half.jsonl --from 4
replay-session empty.jsonl
replay-session game.jsonl
report --journal games.db
report --journal box/games.db ; replay-session umpi-report.jsonl --until 3
report --journal box/games.db --output it.jsonl --replace-names ; replay-session it.jsonl --until 1
report --journal old/games.db --replace-names
report --journal box/games.db --output no/it.jsonl
doctor --guide nothing
network --wait 5
network --dry-run
network --offer --dry-run
network --offer --wait 601
network --offer --wait x
shelf add
shelf remove
shelf show
shelf add nothing
shelf remove nothing
shelf show quiz
shelf dance
install quiz
install quiz --remove
install nothing --remove
publish shelf
publish shelf package --remove quiz
publish shelf package --games 0
publish shelf nothing --games 1
publish shelf --remove quiz
publish shelf nothing
texts quiz fr
texts quiz xx
update nothing.bundle
verify unsigned.jsonl
verify keyless.jsonl
verify empty.jsonl
verify bytes.txt
verify --journal data/umpi/games.db
nothing
gmaes
--nothing
--version
games --jsn
games --log-level nothing
""".strip().splitlines()
FORM = """\
clues:   ?? abc ?? ABC questions either ??/ABC
rewards: 0 3 3 2 2 1 1 0
start:   1
0: 0 3
1: 1 3
2: 0 0
"""
SCENARIO = "game dodeka\npress red blue\npress red\nchoose 2\npress ok ok\npress red blue yellow\nhold back\n"
TEXTS = {
    "bytes.txt": b"\xff\xfe\n", "empty.jsonl": b"", "letters.db": b"Dear Ann, " * 200, "form.txt": FORM.encode(),
    "short.txt": SCENARIO.encode(), "wrong.txt": f"{SCENARIO}dance\n".encode(),
    "umpi.toml": b'[rules.short]\ngame = "dodeka"\noptions = { target = 50 }\n', "wrong.toml": b"[desk]\nprot = 1\n",
    "preset.toml": b"[options]\ntarget = 0\n",
    "unsigned.jsonl": b'{"umpi": 1, "game": "quiz", "players": ["Ann", "Ben"], "options": {}, "signed": 5}\n',
    "none.jsonl": b'{"umpi-trace": 1, "lanes": 1, "beams": 1}\n',
}  # fmt: skip


def kept(file: Path, games: tuple[str, ...]) -> None:
    """Write a journal with a match of each game."""
    with closing(Journal(file)) as journal:
        for seed, game in enumerate(games):
            match = play_out(find(game), ("Ann", "Ben"), seed=seed)
            uid = journal.begin(header(game, match.players))
            journal.append(uid, [{**act.line(), "at": 1000 * at} for at, act in enumerate(match.acts, 1)], "panel")
            journal.close_match(uid)


def record(game: str, number: int | None = None) -> list[str]:
    match = play_out(find(game), ("Ann", "Ben"), seed=7)
    return [json.dumps(line) for line in (header(game, match.players), *(act.line() for act in match.acts[:number]))]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with journals, records and settings, right and wrong ones; each command gets a copy of it."""
    folder = tmp_path_factory.mktemp("refusals")
    for name, content in TEXTS.items():
        (folder / name).write_bytes(content)
    kept(folder / "games.db", ("dodeka", "dodekka", "quiz"))
    leave(folder / "left.db", play_out(find("quiz"), ("Ann", "Ben"), seed=1))
    for name in ("odd", "torn"):
        kept(folder / f"{name}.db", ("quiz", "quiz"))
    for name, change in {
        "odd": """UPDATE match SET header = replace(header, '"quiz"', '"gone"') WHERE id = 2""",
        "torn": "UPDATE match SET header = substr(header, 9), rules = 'club night' WHERE id = 1",
        "foreign": "CREATE TABLE plants (name TEXT)",
    }.items():
        with closing(sqlite3.connect(folder / f"{name}.db")) as file:
            file.executescript(change)
    game = record("dodeka", 9)
    keyless = {**json.loads(game[0]), "signed": {"uid": "u1", "box": "0123456789ab"}}
    for name, lines in {
        "game": game, "refused": [*game[:4], '{"do": "fly"}', *game[4:]], "quiz": record("quiz"),
        "old": [game[0], '{"do": "throw", "keep": [13], "dice": []}'], "keyless": [json.dumps(keyless), *game[1:]],
    }.items():  # fmt: skip
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (folder / "cut.jsonl").write_text("\n".join(game)[:-9])
    shutil.copy(TRACES / "free-fall-two-beams.jsonl", folder / "trace.jsonl")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert main(["sim", "--script", "short.txt", "--session", "session.jsonl"]) == 0
        assert main(["history", "--export", "export.jsonl", "--journal", "games.db"]) == 0
    finally:
        os.chdir(before)
    session = (folder / "session.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "half.jsonl").write_bytes(b"".join([*session[:8], b"{}\n"]))
    for name, number, kept_lines in (("box", 2, session[:1]), ("box", 10, session), ("old", 1, [b"{}\n"])):
        (folder / name / "reports").mkdir(parents=True, exist_ok=True)
        (folder / name / "reports" / f"session-{number}.jsonl").write_bytes(b"".join(kept_lines))
    return folder


def said(command: str, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a command with what is typed behind its <; return its exit status and all that it prints."""
    words, _, typed = command.partition(" <")
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line.strip()}\n" for line in typed.split("|") if typed)))
    try:
        status = main(words.split())
    except SystemExit as left:
        status = int(left.code or 0)
    printed = capsys.readouterr()
    return f"status {status}\n{printed.out}{printed.err}"


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_says_why_it_cannot(
    line: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    folder = tmp_path / "here"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setattr("umpi.conformance.command.EVERY_S", float("inf"))
    commands, _, people = line.partition(" # ")
    if people:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    now = "".join(said(command, capsys, monkeypatch) for command in commands.split(" ; "))
    now = now.replace(f"{folder}/", "").replace(f"{REPO}/", "")
    now = "\n".join(f"  {row}".rstrip() for row in now.splitlines()).rstrip()
    for pattern, instead in CHANCE:
        now = pattern.sub(instead, now)
    check_part(SEEN, line, now, COMMANDS, mark="$ ")
