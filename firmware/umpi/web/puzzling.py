"""Ask the puzzles of the box on the page, by processes of their own, so that they delay nothing at the table."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from umpi.i18n.translate import tr
from umpi.kernel.record import dump
from umpi.review.searching import SEARCH, how_far
from umpi.web import documents
from umpi.web.found_aside import FoundAside

AT_ONCE_S = 3.0  # a puzzle that is known is found meanwhile; a search that takes longer is reported
COMMAND = (sys.executable, "-m", "umpi.review.asking")  # it ends by itself if it takes too long


class NoPuzzle(Exception):
    """Raised if no puzzle can be found, or an answer cannot be judged; the log says why."""


class Puzzles:
    """Find the puzzle that is due in a journal, and judge the answers."""

    def __init__(self, journal: Path, command: Sequence[str] = COMMAND, at_once_s: float = AT_ONCE_S) -> None:
        self._journal, self._at_once_s = journal, at_once_s
        self._found = FoundAside("no puzzle can be found", command)
        self._known = FoundAside("no puzzle can be found", command)
        self._judged = FoundAside("a puzzle cannot be judged", command)
        self._finding: dict[bool, asyncio.Task[Mapping[str, Any]]] = {}

    async def due(self, search: bool) -> documents.PuzzleDue:
        """Return the puzzle that is due, in the language of the box. Raises NoPuzzle.

        If none is, and `search` is set, the matches of the journal are searched. All who ask meanwhile join that
        search: while it goes on, the answer is `searching`, and says how far it is. They ask again for the next answer.
        """
        finding = self._finding.get(search)
        if finding is None or finding.done():
            finding = self._finding[search] = asyncio.create_task(self._read(search))
        done, _ = await asyncio.wait([finding], timeout=self._at_once_s if search else None)
        if not done:
            return {"puzzle": None, "why": self._how_far(), "searching": True}
        found = finding.result()
        if not found:
            raise NoPuzzle
        return cast(documents.PuzzleDue, {**found, "searching": False})

    async def judge(self, answer: documents.PuzzleAnswer) -> documents.Verdict:
        """Return what an answer is worth, and note when the puzzle comes again. Raises NoPuzzle."""
        given = {"match": answer["match"], "move": answer["move"], "choice": answer["choice"]}
        found = await self._judged.found(dump(given), str(self._journal))
        if not found:
            raise NoPuzzle
        return cast(documents.Verdict, found)

    def close(self) -> None:
        """End what is being found, so that the box can stop."""
        self._found.close()
        self._known.close()
        self._judged.close()

    async def _read(self, search: bool) -> Mapping[str, Any]:
        aside = self._found if search else self._known  # whoever searches nothing waits for no search of this page
        return await aside.found(dump({"search": search}), str(self._journal))

    def _how_far(self) -> str:
        """Return how far the search of the journal is; the panel or `umpi puzzle` may be searching too."""
        if far := how_far(self._journal.with_name(SEARCH)):
            number, whole = far
            return tr(
                "The box searches your matches: {number} of {whole}. This may take some minutes.",
                number=number,
                whole=whole,
            )
        return tr("The box searches your matches. This may take some minutes.")
