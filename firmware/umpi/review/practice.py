"""Practice with the puzzles of a journal: which one comes next, and when it comes again. A file beside it keeps that.

A puzzle that was solved comes again after some days, each time after more. After a wrong answer it comes the next day.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from umpi.frozen import frozen
from umpi.journal import open_to_read, read_lines, read_matches
from umpi.journal.queries import hides_hands, read_written
from umpi.kernel.game import Act
from umpi.kernel.kept import Kept
from umpi.kernel.match import Match
from umpi.kernel.messages import Message, message
from umpi.kernel.nothing import nothing
from umpi.kernel.record import Find, Record, dump, read_line, replay
from umpi.lab.patience import Stalled
from umpi.referee.transcript import read_transcript
from umpi.review.puzzles import Option, Puzzle, puzzles_of
from umpi.review.searching import SEARCH, alone
from umpi.review.split import Words

log = logging.getLogger(__name__)

DAYS = (1, 3, 7, 16, 35, 90)  # until a puzzle comes again that was solved so often in a row, counted from 0
FILE = "puzzles.json"  # beside the journal
ASIDE = ".damaged-{number}"  # what the name of a file that cannot be read gets at its end
VERSION = 1


class BadFile(Exception):
    """Report that the file of the puzzles is damaged; the text says where and why."""


class NewerFile(Exception):
    """Report that a newer version of Umpi wrote the file of the puzzles."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


@frozen
class Card:
    """A puzzle of a match: how often it was solved in a row, and from which day on it may come; None if it is new.

    `check` is the checksum of the acts up to the one of the puzzle: after an undo, others have the same numbers.
    """

    uid: str
    puzzle: Puzzle
    check: str
    solved: int = 0
    due: date | None = None

    def after(self, right: bool, today: date) -> Card:
        """Return the card after an answer.

        >>> card = Card("", Puzzle(0, 0, "", (), 0), "")
        >>> [str(card.after(True, date(2026, 1, 1)).due), str(card.after(False, date(2026, 1, 1)).due)]
        ['2026-01-04', '2026-01-02']
        """
        solved = min(self.solved + 1, len(DAYS) - 1) if right else 0
        return replace(self, solved=solved, due=today + timedelta(days=DAYS[solved]))


@dataclass
class Practice:
    """The cards so far, and the matches that have been searched for puzzles, each with its revision then."""

    cards: list[Card]
    searched: dict[str, int]

    @classmethod
    def read(cls, path: Path) -> Practice:
        """Read the file, if there is one. Raises BadFile, NewerFile, or OSError if it cannot be read."""
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return cls([], {})
        try:
            line = read_line(text) or {}
            version = line.get("umpi_puzzles")
            if isinstance(version, int) and version > VERSION:
                raise NewerFile(
                    message(
                        "A newer version of Umpi has written the puzzles, and they stay as they are in {name}. "
                        "Update Umpi to continue them.", name=path.name
                    )
                )  # fmt: skip
            if version != VERSION:
                raise ValueError(f"expected version {VERSION}, got {version}")
            cards = [_card(each) for each in line["cards"] if "check" in each]
            unsure = {each["match"] for each in line["cards"] if "check" not in each}  # of earlier versions of Umpi
            searched = dict(line["searched"])
            return cls(cards, {uid: revision for uid, revision in searched.items() if uid not in unsure})
        except (ValueError, KeyError, TypeError, IndexError) as fault:
            raise BadFile(f"{path}: {fault}") from fault

    @classmethod
    def glance(cls, path: Path) -> Practice:
        """Read the file without waiting for those who write it; one that is damaged counts as empty.

        Raises NewerFile or OSError.
        """
        try:
            return cls.read(path)
        except BadFile:
            log.warning("no puzzle is known", exc_info=True)
            return cls([], {})

    def write(self, path: Path) -> None:
        """Write the file, all of it or nothing. Raises OSError."""
        part = path.with_suffix(".part")
        part.write_text(self.text(), encoding="utf-8")
        os.replace(part, path)

    def text(self) -> str:
        """Return the content of its file."""
        line = {"umpi_puzzles": VERSION, "searched": self.searched, "cards": [_line(card) for card in self.cards]}
        return dump(line)

    def due(self, today: date) -> list[Card]:
        """Return the cards that may come, the next one first: those that have waited longest, then new ones."""
        again = [card for card in self.cards if card.due and card.due <= today]
        return [*sorted(again, key=lambda card: card.due or today), *(card for card in self.cards if card.due is None)]

    def card(self, uid: str, move: int) -> Card | None:
        """Return the card of the puzzle before an act of a match, None if there is none."""
        return next((card for card in self.cards if (card.uid, card.puzzle.move) == (uid, move)), None)

    def note(self, match: Kept, found: Iterable[Card]) -> None:
        """Note that a match has been searched, and the cards found in it that are not known yet.

        A card whose move has been undone gives way to the card of the move in its place.
        """
        known = {(card.uid, card.puzzle.move): card.check for card in self.cards}
        new = {(card.uid, card.puzzle.move): card for card in found}
        new = {place: card for place, card in new.items() if known.get(place) != card.check}
        self.cards = [card for card in self.cards if (card.uid, card.puzzle.move) not in new] + [*new.values()]
        self.searched[match.uid] = match.revision

    def answered(self, card: Card, right: bool, today: date) -> Card:
        """Note an answer, and return the card after it. An answer before the card is due does not count."""
        if card.due and card.due > today:
            return card
        after = card.after(right, today)
        self.cards = [after if each is card else each for each in self.cards]
        return after


@contextmanager
def practising(path: Path, tell: Callable[[str], object] = nothing) -> Iterator[Practice]:
    """Yield the practice of a file, and write it at the end if it has changed; another process waits meanwhile.

    So nobody searches inside. A damaged file gets another name, and the puzzles start again; `tell` is called with a
    message that says so. Raises OSError, or NewerFile, which leaves the file as it is.
    """
    with path.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            practice = Practice.read(path)
        except BadFile:
            log.warning("the puzzles start again", exc_info=True)
            names = (path.name + ASIDE.format(number=number) for number in count(1))
            aside = next(free for name in names if not (free := path.with_name(name)).exists())
            os.replace(path, aside)
            tell(
                message(
                    "The file of the puzzles is damaged. It is now {name}; the puzzles start again.", name=aside.name
                )
            )
            practice = Practice([], {})
        before = practice.text()
        yield practice
        if practice.text() != before:
            practice.write(path)


def next_puzzle(
    kept: Path, path: Path, find: Find, worlds: int, today: date,
    tell: Callable[[str], object] = nothing, skip: Callable[[str], object] = nothing,
    progress: Callable[[Kept, int, int], object] = nothing, waits: Callable[[], object] = nothing,
) -> tuple[Card, Match] | None:  # fmt: skip
    """Return the puzzle that comes next, and the match before its move; if none is due, search the journal first.

    Returns None if there is none. A puzzle whose match today's journal or rules do not have is kept, and not asked.
    If another process searches, wait for it, because it may find one; `waits` is called then. `tell` is called with
    what `practising` says, `skip` with why a match cannot be searched. Raises what `practising` and `search` raise.
    """

    def known() -> tuple[Card, Match] | None:
        with practising(kept, tell) as practice:
            pass
        return known_puzzle(practice, path, find, today)

    if found := known():
        return found
    with alone(kept.with_name(SEARCH), waits) as note:
        if found := known():
            return found

        def searching(match: Kept, number: int, whole: int) -> None:
            note(number, whole)
            progress(match, number, whole)

        for text in search(kept, path, find, worlds, searching):
            skip(text)
    return known()


def known_puzzle(practice: Practice, path: Path, find: Find, today: date) -> tuple[Card, Match] | None:
    """Return the puzzle that comes next, of those that a search has found, and the match before its move."""
    found = ((card, position_of(card, path, find)) for card in practice.due(today))
    return next(((card, match) for card, match in found if match), None)


def search(
    kept: Path, path: Path, find: Find, worlds: int, progress: Callable[[Kept, int, int], object] = nothing
) -> Iterator[str]:
    """Search the matches of a journal that are new, the newest first; stop after one with puzzles.

    Matches with hands that only their owners may see now are left until they are over.
    If that takes longer than the caller has `patience` for, the match keeps the puzzles so far. Each match is noted
    in the file `kept` when it has been searched. Yields why some cannot be searched. `progress` is called with each
    match, its number, and how many there are. Raises the exceptions of `open_to_read` and `practising`.
    """
    with closing(open_to_read(path)) as file:
        with practising(kept) as practice:
            searched = practice.searched
        new = [
            match
            for match in reversed(list(read_matches(file)))
            if searched.get(match.uid) != match.revision and not hides_hands(file, match)
        ]
        for number, match in enumerate(new, 1):
            progress(match, number, len(new))
            found, late = list[Card](), False
            try:
                transcript = read_transcript(match, read_written(file, match.id), find)
                if transcript.differs:
                    raise ValueError(transcript.differs)
                people = {index for index, done in enumerate(transcript.done) if done.who != "box"}
                for puzzle in puzzles_of(transcript.record.match, people, worlds):
                    check = _check(transcript.record.match.acts, puzzle.move)
                    found.append(Card(match.uid, puzzle, check))
            except ValueError as fault:  # invalid JSON, an invalid record, or moves that today's rules refuse
                yield f"Match {match.id} is not searched: {fault}"
            except Stalled:
                yield f"Match {match.id} is searched only in part: it takes too long."
                late = True
            with practising(kept) as practice:
                practice.note(match, found)
            if found or late:
                return


def position_of(card: Card, path: Path, find: Find) -> Match | None:
    """Return the match as it was before the move of a card.

    Returns None if the journal has not that position any more, or if the match has hands that are hidden now.
    """
    with closing(open_to_read(path)) as file:
        kept = next((each for each in read_matches(file) if each.uid == card.uid), None)
        if kept is None or hides_hands(file, kept):
            return None
        try:
            whole = _replayed([kept.record_header, *read_lines(file, kept.id)], find).match
        except ValueError:  # the rules have changed since
            return None
    if card.puzzle.move >= len(whole.acts) or _check(whole.acts, card.puzzle.move) != card.check:
        return None
    match = Match(whole.game, whole.players, whole.options)
    for act in whole.acts[: card.puzzle.move]:
        match.play(act)
    return match if match.seat == card.puzzle.seat else None


def _check(acts: Sequence[Act], move: int) -> str:
    """Return a checksum of what was done up to the act number `move`, whoever entered it and when."""
    lines = [Act(act.verb, act.given).line() for act in acts[: move + 1]]
    return sha256(json.dumps(lines, sort_keys=True).encode()).hexdigest()[:16]


def _replayed(lines: list[str], find: Find) -> Record:
    *_, step = replay((line.encode() for line in lines), find)
    if step.error or step.record is None:
        raise ValueError(f"line {step.line}: {step.error}")
    return step.record


def _line(card: Card) -> dict[str, Any]:
    puzzle = card.puzzle
    options = [[option.words.verb, option.words.given, option.words.name, option.cost] for option in puzzle.options]
    return {
        "match": card.uid, "move": puzzle.move, "seat": puzzle.seat, "situation": puzzle.situation, "options": options,
        "chosen": puzzle.chosen, "check": card.check, "solved": card.solved, "due": card.due and card.due.isoformat(),
    }  # fmt: skip


def _card(line: Mapping[str, Any]) -> Card:
    options = tuple(
        Option(Words(verb, tuple((name, value) for name, value in given), name), cost)
        for verb, given, name, cost in line["options"]
    )
    puzzle = Puzzle(line["move"], line["seat"], line["situation"], options, line["chosen"])
    if sum(not option.cost for option in options) != 1 or not 0 <= puzzle.chosen < len(options):
        raise ValueError(f"move {puzzle.move} of {line['match']} is no puzzle")
    solved = int(line["solved"])
    if solved not in range(len(DAYS)):
        raise ValueError(f"solved: {solved}")
    return Card(line["match"], puzzle, line["check"], solved, date.fromisoformat(line["due"]) if line["due"] else None)
