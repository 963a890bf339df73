"""The game of a lesson that its rules refuse."""

from planted.bag import Bag


class Taught(Bag):
    """Teaches to pass twice, which the rules do not allow."""
