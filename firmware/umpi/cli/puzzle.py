"""Ask puzzles from the matches of the box: `umpi puzzle`."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

from umpi.cli.arguments import add_box
from umpi.cli.parser import LOOK, AddParser
from umpi.cli.terminal import Problem, config_of, counted, for_people, put_json, reading
from umpi.display.spoken import state_of
from umpi.kernel.game import full_title
from umpi.kernel.kept import Kept
from umpi.kernel.match import Match
from umpi.kernel.output import put
from umpi.kernel.registry import find
from umpi.review.practice import FILE, Card, NewerFile, next_puzzle, practising
from umpi.review.puzzles import Option, Puzzle

WORLDS = 400  # pairs of worlds per comparison: a match is searched once


def run_puzzle(options: argparse.Namespace) -> int:
    """`umpi puzzle`: ask the puzzle that is due, and say when it comes again."""
    path = options.journal or config_of(options).journal
    try:
        with reading(path):
            return _practised(path, path.with_name(FILE), options)
    except NewerFile as fault:
        raise Problem(str(fault)) from None


def _practised(path: Path, kept: Path, options: argparse.Namespace) -> int:
    today = date.today()
    found = next_puzzle(kept, path, find, WORLDS, today, _note, put, _searching, _waiting)
    if options.count:
        with practising(kept, _note) as practice:
            put(f"{counted(len(practice.cards), 'puzzle')}, {len(practice.due(today))} due today.")
    elif found is None:
        put("There is no puzzle today. Puzzles are moves of your own matches that cost much.")
    elif options.json:
        put_json(_line(*found))
    else:
        _ask(*found, kept, today)
    return 0


def _ask(card: Card, match: Match, kept: Path, today: date) -> None:
    """Ask a puzzle, say what is best, and note the answer; without an answer, nothing is noted."""
    puzzle = card.puzzle
    put(f"{full_title(match.game)}, {match.players[puzzle.seat]} to move.")
    put(puzzle.situation or state_of(match))
    for number, option in enumerate(puzzle.options, 1):
        put(f"  {number}  {option.words.reported()}")
    picked = _picked(len(puzzle.options))
    if picked is None:
        put("The puzzle comes again.")
        return
    right = picked == puzzle.best
    with practising(kept) as practice:
        now = practice.card(card.uid, puzzle.move) or card
        after = practice.answered(now, right, today)
    put(("Right. " if right else f"Wrong, that costs {puzzle.options[picked].cost}. ") + f"Best: {_best(puzzle)}.")
    then = puzzle.options[puzzle.chosen]
    put(f"In the match, {match.players[puzzle.seat]} chose: {then.words.reported()}. Cost: {then.cost}.")
    assert after.due
    if after is now:
        put("Somebody else has answered it meanwhile, so this answer does not count.")
    put(f"It comes again on {after.due.isoformat()}.")


def _best(puzzle: Puzzle) -> str:
    return puzzle.options[puzzle.best].words.reported()


def _picked(many: int) -> int | None:
    """Ask for the number of an option; return it from 0, None if somebody leaves."""
    while True:
        try:
            typed = input("Which is best? ").strip()
        except EOFError:
            put("")
            return None
        if typed.lower() == "q":
            return None
        if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= many:
            return int(typed) - 1
        put(f"Type a number from 1 to {many}, or q to leave.")


def _note(text: str) -> None:
    print(text, file=sys.stderr)


def _searching(match: Kept, number: int, whole: int) -> None:
    """Print on a terminal which match is searched next: that takes up to a minute."""
    if for_people():
        _note(f"Searching match {match.id} for puzzles, {number} of {whole} …")


def _waiting() -> None:
    _note("Another program already searches these matches. Waiting for its puzzles …")


def _line(card: Card, match: Match) -> dict[str, object]:
    puzzle = card.puzzle
    return {
        "umpi_puzzle": 1, "game": match.game.id, "match": card.uid, "move": puzzle.move + 1, "seat": puzzle.seat,
        "name": match.players[puzzle.seat], "situation": puzzle.situation or state_of(match),
        "options": tuple(map(_option, puzzle.options)), "best": puzzle.best, "chosen": puzzle.chosen,
    }  # fmt: skip


def _option(option: Option) -> dict[str, object]:
    return {"words": option.words.reported(), "cost": option.cost}


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "puzzle", run_puzzle, group=LOOK,
        purpose="Ask a puzzle from your own matches.",
        description="Ask a puzzle: a position of one of your matches in which one choice is clearly best, and in which "
        "the player took another one. A puzzle that you solve comes again after 3 days, then after 7, 16, 35 and 90. "
        f"After a wrong answer it comes the next day. The file {FILE} beside the journal keeps that; nothing leaves "
        "the box. Dodéka counts the points of the turn. Other games count the chance to win in percent, if all play "
        "on at random. Their first search can take a minute per match.",
        examples=("umpi puzzle", "umpi puzzle --count", "umpi puzzle --json"),
    )  # fmt: skip
    add_box(command)
    command.add_argument("--count", action="store_true", help="print how many puzzles there are, and ask none")
    command.add_argument("--json", action="store_true", help="print the puzzle with its answer as one line of JSON")
