"""Split what players got in a match into expectation, luck and choices: `umpi review`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal

from umpi.cli.arguments import add_language, add_paper
from umpi.cli.parser import LOOK, AddParser
from umpi.cli.records import RECORD, REPLAYED, wrong
from umpi.cli.terminal import Problem, check_folder, counted, opened, put_json, why_not
from umpi.i18n.translate import set_language
from umpi.kernel.game import full_title
from umpi.kernel.match import Broken, Match
from umpi.kernel.output import put
from umpi.kernel.random_games import NeverEnds
from umpi.kernel.record import Record, Unreadable, read_line, replay
from umpi.kernel.registry import find
from umpi.review.match_review import review
from umpi.review.played import last_of
from umpi.review.sampled import WORLDS
from umpi.review.split import About, Mistake, Presses, Review, Share, rounded_down, tenths
from umpi.table.labels import clock_time

EXISTS = "{file} exists already. Replace it with --replace, or name another file with --pdf."


def run_review(options: argparse.Namespace) -> int:
    """`umpi review FILE`: print what each player got by expectation, by luck, and by choices."""
    for name, value, least in (("--worlds", options.worlds, 2), ("--workers", options.workers, 1)):
        if value is not None and value < least:
            raise Problem(f"{name}: expected a number from {least}, got {value}.")
    if options.json and options.pdf:
        raise Problem("Choose one line of JSON or a sheet of paper: --json or --pdf.")
    if options.pdf and Path(options.pdf).exists() and not options.replace:  # said before a review that takes long
        raise Problem(EXISTS.format(file=options.pdf))
    if options.pdf:
        check_folder("--pdf", Path(options.pdf))
    line: int | None = None
    try:
        with opened(options.file) as raw:
            step, lines = last_of(replay(_whole_lines(options.file, raw), find))
        line = step.line
        if step.error:
            return wrong(options.file, {"line": line, "error": step.error}, step.status)
        assert step.record
        match, workers, progress = step.record.match, options.workers or os.cpu_count() or 1, _Progress()
        if workers == 1:
            found = review(match, lines, options.worlds, map, progress)
        else:
            with ProcessPoolExecutor(workers, get_context("spawn"), signal, (SIGINT, SIG_IGN)) as pool:
                found = review(match, lines, options.worlds, pool.map, progress)
    except Broken as broken:
        return wrong(options.file, {"line": line, "error": str(broken)}, 1)
    except NeverEnds as fault:
        raise Problem(f"{options.file}: {fault}", 1) from None
    except OSError as fault:
        return wrong(options.file, {"line": None, "error": why_not(fault, options.file)}, 2)
    if options.pdf:
        _print(options, step.record, found)
    elif options.json:
        put_json(found.jsonable())
    else:
        for text in _text(match, found):
            put(text)
    return 0


def _whole_lines(file: str, raw: Iterable[bytes]) -> list[bytes]:
    """Return the lines of a record without a last one that is cut off, as by a copy that failed; then say so."""
    lines = list(raw)
    if len(lines) > 1 and not lines[-1].endswith(b"\n"):
        try:
            read_line(lines[-1])
        except Unreadable:
            print(f"{file}: line {len(lines)} is cut off. The review ends before it.", file=sys.stderr)
            del lines[-1]
    return lines


def _print(options: argparse.Namespace, record: Record, found: Review) -> None:
    """Write the review as PDF; raises Problem."""
    from umpi.printing.fonts import MissingFont  # reportlab takes long to import on a Pi
    from umpi.review.sheet import write_review

    set_language(options.language)
    try:
        pages = write_review(options.pdf, record, found, options.paper, options.replace)
    except FileExistsError:
        raise Problem(EXISTS.format(file=options.pdf)) from None
    except (MissingFont, ValueError) as fault:
        raise Problem(f"{options.pdf}: {fault}") from None
    except OSError as fault:
        raise Problem(why_not(fault, options.pdf)) from None
    put(f"{options.pdf}: {counted(pages, 'page')}.")


def _text(match: Match, found: Review) -> Iterator[str]:
    """Yield the lines of a review for people."""
    yield f"{full_title(match.game)}: {found.measure}" if found.players else full_title(match.game)
    for each in found.players:
        yield from _presses(each) if isinstance(each, Presses) else _share(each)
    if found.why:
        yield found.why


def _share(share: Share) -> Iterator[str]:
    points = str(share.points) if isinstance(share.points, int) else tenths(share.points)
    parts = f"{_figure(share.expected)} expected {_signed(share.luck)} luck - {_figure(share.given_away)} given away"
    yield f"  {share.name}: {points} = {parts}, in {counted(share.decisions, 'decision')}"
    for each in (*share.lost, *share.worst):
        yield f"    {_mistake(each)}"


def _mistake(mistake: Mistake) -> str:
    seen = f"{mistake.situation}: " if mistake.situation else ""
    chosen, best = mistake.chosen.reported(), mistake.best.reported()
    cost = f"at least {rounded_down(mistake.loss.value)} % chance to win" if mistake.match else _figure(mistake.loss)
    return f"line {mistake.line}: {seen}{chosen}. Better: {best}. Cost: {cost}"


def _presses(each: Presses) -> Iterator[str]:
    reaction = "" if each.reaction_ms is None else f", median reaction {each.reaction_ms:.0f} ms"
    lead = "" if each.lead_ms is None else f", median lead {each.lead_ms:.0f} ms"
    yield (
        f"  {each.name}: {counted(each.points, 'point')}, {counted(each.presses, 'press', 'presses')}, "
        f"{each.first} first{reaction}{lead}"
    )


def _figure(figure: About) -> str:
    return tenths(figure.value) if figure.error is None else f"about {tenths(figure.value)} (±{tenths(figure.error)})"


def _signed(figure: About) -> str:
    value = figure.value
    return f"- {_figure(About(-value, figure.error))}" if value < 0 else f"+ {_figure(figure)}"


class _Progress:
    """Print on a terminal's standard error how many moves have been reviewed, and how long the others take."""

    def __init__(self) -> None:
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._began_s = time.monotonic()

    def __call__(self, number: int, whole: int) -> None:
        if self._shown:
            left_s = round((time.monotonic() - self._began_s) / number * (whole - number))
            end = "\n" if number == whole else ""
            text = f"\r{number} of {whole} moves, {clock_time(left_s)} left "
            print(text, end=end, file=sys.stderr, flush=True)


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "review", run_review, group=LOOK,
        purpose="Say how much of a match was luck, and what choices cost.",
        description="Split what each player got in a recorded match: points = expected + luck - given away. Expected "
        "is what the best choices give on average. Luck is what dice and cards added. Given away is what choices lost "
        "against the best ones. The choices that cost most are listed by their lines in the record. The figures are "
        'exact where the rules can compute them. Where worlds are played on at random, they are "about", with half of '
        "a 95 % interval. Then a choice is listed only if its cost is more than 1.8 times that. On paper, each player "
        "has a chart of the course of the match too.",
        examples=(
            "umpi play-out dodeka --seed 7 > game.jsonl",
            "umpi review game.jsonl",
            "umpi review game.jsonl --pdf review.pdf --language de",
        ),
        statuses=REPLAYED,
    )  # fmt: skip
    command.add_argument("file", metavar="FILE", help=RECORD)
    command.add_argument("--json", action="store_true", help="print one line of JSON")
    command.add_argument("--pdf", metavar="FILE", help="write a sheet for paper: scores, figures, charts and mistakes")
    add_paper(command)
    add_language(command, "PDF")
    command.add_argument("--replace", action="store_true", help="replace the file of --pdf if it exists")
    command.add_argument(
        "--worlds", type=int, default=WORLDS, metavar="N",
        help="where the review is sampled: worlds that are played on for a decision (default: %(default)s)",
    )  # fmt: skip
    command.add_argument("--workers", type=int, metavar="N", help="processes that play (default: one per core)")
