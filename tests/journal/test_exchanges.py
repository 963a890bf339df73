"""Boxes that play on, and export to each other: no match is doubled or lost, each counts once, by the last names."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.journals import header
from tests.kit.sampling import examples
from umpi.journal import Journal, Kept, open_to_read
from umpi.journal.recovery import check_whole
from umpi.journal.schema import connect
from umpi.journal.statistics import read_stats
from umpi.journal.transfer import export, read_export
from umpi.kernel.kept import Uid
from umpi.kernel.registry import find

Lines = tuple[str, ...]
Names = tuple[str, ...]
Known = dict[int, dict[Lines, set[Names]]]
FIRST, SECOND = "first", "second"  # the player at this seat wins; any other word is a move in mid-match
PLAYERS = ("Ann", "Ben")
WORDS = ("move", "other move", FIRST, SECOND)


class Box:
    """A box whose players resume and leave its matches.

    `known` contains the versions of each match by its tag, with all names that the players have had. `replaced`
    contains for each names those that they have replaced, for all boxes.
    """

    def __init__(self, path: Path, replaced: dict[Names, set[Names]]) -> None:
        self.journal = Journal(path)
        self.known: Known = {}
        self.replaced = replaced

    def begin(self, tag: int) -> None:
        match = self.journal.begin({**header("scorepad", PLAYERS), "event": tag}, 1)
        self.journal.leave(match)
        self.known[tag] = {(): {PLAYERS}}

    def rename(self, number: int, names: Names) -> None:
        """Give the players of one of the matches new names."""
        if found := self.matches():
            tag, lines, kept = found[number % len(found)]
            self.journal.rename(kept.uid, names)
            self.replaced[names] = set(self.known[tag][lines])
            self.known[tag][lines].add(names)

    def matches(self) -> list[tuple[int, Lines, Kept]]:
        """Return the tag and the lines of each match on disk."""
        return [(json.loads(kept.header)["event"], self.lines(kept.uid), kept) for kept in self.journal.matches()]

    def lines(self, match: Uid) -> Lines:
        return tuple(json.loads(line)["note"] for line in self.journal.lines(match))

    def play(self, number: int, word: str) -> None:
        """Add a line to one of the matches."""
        if found := self.matches():
            tag, lines, kept = found[number % len(found)]
            outcome = {FIRST: {"places": [1, 2], "scores": [1, 0]}, SECOND: {"places": [2, 1], "scores": [0, 1]}}
            self.journal.append(kept.uid, [{"note": word}], "panel", [len(lines)], outcome.get(word))
            self.journal.leave(kept.uid)
            self.known[tag][*lines, word] = self.known[tag].pop(lines)

    def export(self) -> list[str]:
        with closing(open_to_read(self.journal.path)) as file:
            return list(export(file))

    def bring(self, exported: Sequence[str]) -> Counter[str]:
        done = self.journal.merge(read_export([line.encode() for line in exported]))
        assert self.journal.trouble == ""
        return done

    def learn(self, known: Known) -> None:
        """Note what an import brings: the versions that no other version extends, with the names of those it extends.

        If several versions extend one, any of them may get its names.
        """
        for tag, theirs in known.items():
            ours = self.known.get(tag, {})
            both = [*ours.items(), *theirs.items()]
            extended = {longer[:n] for longer, _ in both for n in range(len(longer))}
            versions: dict[Lines, set[Names]] = {lines: set() for lines, _ in both if lines not in extended}
            for lines, names in both:
                longer = [version for version in versions if version[: len(lines)] == lines]
                if len(longer) == 1:
                    versions[longer[0]] |= names
            self.known[tag] = versions

    def wins(self) -> dict[str, int]:
        return {one.name: one.won for one in read_stats(self.journal.path, find).of("scorepad").players}

    def names(self) -> dict[tuple[int, Lines], Names]:
        """Return the names of the players of each version."""
        return {(tag, lines): tuple(json.loads(kept.header)["players"]) for tag, lines, kept in self.matches()}

    def check(self) -> None:
        found = self.matches()
        for (tag, lines), names in self.names().items():
            known = self.known[tag][lines]
            assert not [later for later in known if names in self.replaced.get(later, ())], "they are not the last ones"
            known |= {names, *self.replaced.get(names, ())}
        versions = Counter((tag, lines) for tag, lines, _ in found)
        assert versions == Counter((tag, lines) for tag, known in self.known.items() for lines in known)
        won = Counter(self.winners(found))
        assert {name: won[name] for name in self.wins()} == self.wins()
        assert won.keys() <= self.wins().keys()

    def winners(self, found: Sequence[tuple[int, Lines, Kept]]) -> Iterator[str]:
        for _, lines, kept in found:
            if lines and lines[-1] in (FIRST, SECOND):
                yield json.loads(kept.header)["players"][lines[-1] == SECOND]


def state(box: Box) -> list[Any]:
    return [kept for _, _, kept in box.matches()]


def copied(known: Known) -> Known:
    return {tag: {lines: set(names) for lines, names in versions.items()} for tag, versions in known.items()}


number = st.integers(0, 7)
steps = st.one_of(
    st.tuples(st.just("begin"), number),
    *[st.tuples(st.just("play"), number, number, st.sampled_from(WORDS))] * 3,
    st.tuples(st.just("rename"), number, number),
    st.tuples(st.just("export"), number),
    *[st.tuples(st.just("import"), number, number)] * 3,
)


@settings(max_examples=examples(48), deadline=None)
@given(st.integers(2, 3), st.lists(steps, min_size=12, max_size=40))
def test_no_match_is_doubled_and_none_lost_between_boxes(count: int, done: Sequence[tuple[Any, ...]]) -> None:
    """An export may be imported long after it was made, and more than once."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        replaced: dict[Names, set[Names]] = {}
        boxes = [Box(Path(folder) / f"{n}.db", replaced) for n in range(count)]
        for box in boxes:
            stack.enter_context(closing(box.journal))
        boxes[0].begin(0)
        exports = []
        for tag, (what, at, *rest) in enumerate(done, 1):
            box = boxes[at % count]
            if what == "begin":
                box.begin(tag)
            elif what == "play":
                box.play(*rest)
            elif what == "rename":
                box.rename(*rest, (f"{'Zoe' if tag % 2 else 'Eva'} {tag}", "Ben"))
            elif what == "export" or not exports:
                exports.append((box.export(), copied(box.known)))
            else:
                exported, known = exports[-1 - rest[0] % len(exports)]
                box.bring(exported)
                box.learn(known)
                box.check()
                before = state(box)
                assert box.bring(exported).keys() <= {"there"}
                assert state(box) == before
        for box in boxes * 2:
            for other in boxes:
                box.bring(other.export())
                box.learn(copied(other.known))
        for box in boxes:
            box.check()
            assert box.names() == boxes[0].names()
            with closing(connect(box.journal.path)) as file:
                check_whole(file, True)


def two_boxes(folder: Path, stack: ExitStack) -> tuple[Box, Box]:
    """Return two boxes with the same match, which continued differently on each."""
    one, other = Box(folder / "one.db", {}), Box(folder / "other.db", {})
    for box in (one, other):
        stack.enter_context(closing(box.journal))
    one.begin(1)
    one.play(0, "move")
    other.bring(one.export())
    other.learn(copied(one.known))
    one.play(0, FIRST)
    other.play(0, SECOND)
    return one, other


def test_a_version_that_has_grown_is_extended_and_counts_once(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one, other = two_boxes(tmp_path, stack)
        assert one.bring(other.export()) == {"beside": 1}
        for word in ("undo", SECOND):  # an undo is one more line, so a match only grows
            other.play(0, word)
            assert one.bring(other.export()) == {"longer": 1}
        assert one.bring(other.export()) == {"there": 1}
        assert one.wins() == {"Ann": 1, "Ben": 1}
        assert [lines for _, lines, _ in one.matches()] == [("move", FIRST), ("move", SECOND, "undo", SECOND)]


def test_a_version_that_comes_back_to_its_own_box_is_not_doubled(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one, other = two_boxes(tmp_path, stack)
        one.bring(other.export())
        one.learn(copied(other.known))
        one.play(1, "undo")
        assert other.bring(one.export()) == {"beside": 1, "longer": 1}
        assert other.wins() == {"Ann": 1, "Ben": 0}


def test_a_version_that_a_repair_has_cut_short_does_not_prevent_an_import(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one, other = two_boxes(tmp_path, stack)
        one.bring(other.export())
        one.learn(copied(other.known))
        with closing(connect(tmp_path / "one.db")) as file, file:
            file.execute("DELETE FROM outcome WHERE match = 2")
            file.execute("DELETE FROM line WHERE match = 2 AND n = 2")
        one.known[1][("move",)] = one.known[1].pop(("move", SECOND))
        one.play(1, "other move")
        assert one.bring(other.export()) == {"beside": 1}
        assert one.bring(other.export()) == {"there": 1}
        assert [lines[-1] for _, lines, _ in one.matches()] == [FIRST, "other move", SECOND]


def test_a_renamed_player_counts_under_the_new_name_on_the_other_box(tmp_path: Path) -> None:
    """Names arrive with new lines and without them, and older ones never replace them, also on a third box."""
    with ExitStack() as stack:
        one, other, third = (Box(tmp_path / f"{n}.db", {}) for n in range(3))
        for box in (one, other, third):
            stack.enter_context(closing(box.journal))
        one.begin(1)
        old = one.export()
        other.bring(old)
        other.known = copied(one.known)
        other.rename(0, ("Zoe", "Ben"))
        other.play(0, FIRST)
        assert one.bring(other.export()) == {"longer": 1}
        assert one.wins() == other.wins() == {"Zoe": 1, "Ben": 0}
        finished = one.export()
        for names in (("Ann", "Ben"), ("Zoe", "Tom")):  # the first name again, then others
            other.rename(0, names)
            assert one.bring(other.export()) == {"longer": 1}
            for each in (other.export(), finished, old):
                assert one.bring(each) == {"there": 1}
        assert third.bring(one.export()) == {"new": 1}
        assert third.bring(finished) == {"there": 1}
        assert one.wins() == other.wins() == third.wins() == {"Zoe": 1, "Tom": 0}
        assert one.export() == other.export() == third.export()


def test_two_boxes_that_have_both_renamed_players_agree_on_the_names(tmp_path: Path) -> None:
    """More renames prevail, then more lines; then only agreement counts."""
    for at, (renamed, played, expected) in enumerate(
        [
            ((("Ada", "Ben"), ("Bea", "Ben")), (), "Bea"),
            ((("Ada", "Ben"),), ("move",), "Ada"),
            ((("Ada", "Ben"),), (), "Eva"),
        ]
    ):
        with ExitStack() as stack:
            one, other = (Box(tmp_path / f"{at} {n}.db", {}) for n in range(2))
            for box in (one, other):
                stack.enter_context(closing(box.journal))
            one.begin(1)
            other.bring(one.export())
            other.known = copied(one.known)
            for names in renamed:
                one.rename(0, names)
            for word in played:
                one.play(0, word)
            other.rename(0, ("Eva", "Ben"))
            exported = one.export()
            one.bring(other.export())
            other.bring(exported)
            other.learn(copied(one.known))
            (ours,), (theirs,) = one.matches(), other.matches()
            assert ours[2].header == theirs[2].header
            assert expected in ours[2].header
            other.rename(0, ("Bob", "Ben"))  # a later one prevails over all these
            assert one.bring(other.export()) == {"longer": 1}
            assert one.bring(exported) == {"there": 1}
            assert "Bob" in one.matches()[0][2].header
