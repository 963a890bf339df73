"""A package of a game with a lesson."""
