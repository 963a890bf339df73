"""Notices: texts that remain on the screen until they are read."""

from __future__ import annotations

from dataclasses import replace

from umpi.display import screens
from umpi.display.menu import Remedy
from umpi.display.picture import Picture
from umpi.display.sheet import pages
from umpi.frozen import frozen


@frozen
class Notice:
    """A text with its title, at one of its pages; a `passing` notice lets a seat's own press through.

    A notice with a `remedy` waits for OK, which gives that answer, or for Back.
    """

    title: str
    text: str
    passing: bool = False
    page: int = 0
    remedy: Remedy | None = None

    @property
    def pages(self) -> int:
        """The number of pages that the text fills."""
        return pages(self.text, screens.REMEDIED if self.remedy else screens.NOTICE)

    def after(self, key: object) -> Notice | None:
        """Return the notice after a press: at its page before for up, else at its next page; None if it is left."""
        if key == "back":
            return None
        if key == "up" and self.page:
            return replace(self, page=self.page - 1)
        if self.page + 1 < self.pages:
            return replace(self, page=self.page + 1)
        return self if self.remedy else None

    def picture(self, sign: str) -> Picture:
        """Draw the notice, with the sign in the corner."""
        return screens.notice(self.title, self.text, self.page, sign, self.remedy.label if self.remedy else "")
