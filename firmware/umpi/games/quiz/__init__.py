"""Quiz: any quiz evening; the box says who was first, the quizmaster says who was right."""

from umpi.games.quiz.rules import Quiz

__all__ = ["Quiz"]
