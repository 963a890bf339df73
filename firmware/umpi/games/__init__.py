"""The shipped games, found through the same entry points as anybody's."""
