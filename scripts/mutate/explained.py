"""Read the changes that no test can notice, each with its reason, and check that they still fit the sources."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from scripts.mutate.choice import source_of
from umpi.conformance.mutation.changes import Change

EXPLAINED = Path(__file__).with_name("explained.toml")


@dataclass(frozen=True, slots=True)
class Explained:
    """A change of a line of a file, and why no test can notice it."""

    file: str
    line: str  # as it is in the source, without its indent
    change: str
    why: str


def explained(path: Path = EXPLAINED) -> list[Explained]:
    """Read the entries of the file; raises TypeError if one has a part too many or too few."""
    return [Explained(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("change", [])]


def line_of(change: Change, source: bytes) -> str:
    """Return the line of a source where a change begins, without its indent."""
    return _lines(source)[change.line - 1].strip()


@lru_cache(maxsize=1)  # the changes of a source come one after the other
def _lines(source: bytes) -> list[str]:
    return source.decode().splitlines()


def unfitting(entries: Iterable[Explained], changes: Iterable[Change]) -> Iterator[str]:
    """Yield what is wrong with each entry that fits no change, or has no reason."""
    known = {_key(change) for change in changes}
    for entry in entries:
        if (entry.file, entry.line, entry.change) not in known:
            yield f"{entry.file}: no change {entry.change} in a line {entry.line}"
        if not entry.why.strip():
            yield f"{entry.file}: {entry.change} has no reason"


def unexplained(changes: Iterable[Change], entries: Iterable[Explained]) -> list[Change]:
    """Return the changes without those that are explained."""
    known = {(entry.file, entry.line, entry.change) for entry in entries}
    return [change for change in changes if _key(change) not in known]


def _key(change: Change) -> tuple[str, str, str]:
    return source_of(change), line_of(change, _source(change.file)), change.text


@lru_cache(maxsize=1)  # as above
def _source(file: str) -> bytes:
    return Path(file).read_bytes()
