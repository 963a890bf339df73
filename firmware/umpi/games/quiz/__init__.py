"""Quiz: the box decides who was first, and the quizmaster decides who was right."""

from umpi.games.quiz.rules import Quiz

__all__ = ["Quiz"]
