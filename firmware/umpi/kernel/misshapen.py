"""The error of an engine that returns a value of the wrong shape."""

from __future__ import annotations

from types import CodeType


class Misshapen(TypeError):
    """Report that an engine returned a value of the wrong shape; `code` is the engine's code that returned it."""

    def __init__(self, why: str, code: CodeType | None = None) -> None:
        super().__init__(why)
        self.code = code
