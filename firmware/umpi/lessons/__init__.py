"""Lessons: one written game with comments per game, in which the learner makes the moves."""

from __future__ import annotations

from collections.abc import Mapping

from umpi.lessons import battledodes, dodeka, dodekka, dohdles, dudab_buba
from umpi.lessons.lesson import Lesson

LESSONS: Mapping[str, Lesson] = {
    each.LESSON.game: each.LESSON for each in (battledodes, dodeka, dodekka, dohdles, dudab_buba)
}
