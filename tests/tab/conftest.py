"""The folder of a box in a tab, built once, and programs that Node runs in it."""

from tests.kit.in_node import folder, run

__all__ = ["folder", "run"]
