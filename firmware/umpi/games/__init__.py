"""The shipped games. The registry finds them by entry point, like any other game."""
