"""Frozen dataclasses whose methods are written when a class is first used.

`dataclasses` writes the source of six methods of each class and compiles it. For the more than 200 classes that a start
imports, this is a quarter of it. A start uses a fifth of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")

OF_DATACLASSES = (
    "__init__", "__repr__", "__eq__", "__hash__", "__match_args__",
    *(("__replace__",) if sys.version_info >= (3, 13) else ()),
    "__dataclass_params__", "__dataclass_fields__",
)  # fmt: skip
NOT_OF_THE_BODY = {"__dict__", "__weakref__", "_abc_impl", "__abstractmethods__"}  # Python makes them for each class


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass, as `dataclass(frozen=True)` does, when it is first used.

    An object of a subclass cannot get attributes of its own either.

    >>> @frozen
    ... class Place:
    ...     column: int
    ...     row: int = 1
    >>> Place(2)
    Place(column=2, row=1)
    """
    body = {name: value for name, value in vars(cls).items() if name not in NOT_OF_THE_BODY}
    if body.get("__hash__", "") is None:  # so Python marks a class with an __eq__ of its own; dataclasses writes one
        del body["__hash__"]
    unwritten = [name for name in OF_DATACLASSES if name not in body]

    def write() -> None:
        # dataclasses overwrites no method of a class, and another thread may use the class now: it needs all of them at
        # any time. If it writes them too, they are the same.
        kind: Any = type(cls)
        like = kind(cls.__name__, cls.__bases__, {**body, "__qualname__": cls.__qualname__})
        written = vars(dataclass(frozen=True)(like))
        for name in unwritten:
            setattr(cls, name, written[name])

    for name, value in body.items():
        if not isinstance(value, Field):
            continue
        if value.default is MISSING:
            delattr(cls, name)  # as dataclasses does
        else:
            setattr(cls, name, value.default)
    for name in unwritten:
        setattr(cls, name, _Unwritten(cls, name, write))
    changing: Any = cls
    changing.__setattr__, changing.__delattr__ = _set, _delete
    return cls


class _Unwritten:
    """A name of a class, until it is first looked up."""

    def __init__(self, cls: type, name: str, write: Callable[[], None]) -> None:
        self.cls, self.name, self.write = cls, name, write

    def __get__(self, instance: object, owner: type) -> Any:
        """Write the methods of the class, and return what the name stands for now."""
        self.write()
        written = vars(self.cls)[self.name]
        return written.__get__(instance, owner) if hasattr(written, "__get__") else written


def _set(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
