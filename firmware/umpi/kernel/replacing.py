"""Copy a position with some fields changed. Each act of a game does it, so the copy is made as fast as Python can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def replace(position: T, **changes: object) -> T:
    """Return a copy of a position, or of a part of an offer, with some fields changed.

    It takes a quarter of the time of `dataclasses.replace`, because it does not run the class's `__init__`.
    Raises AttributeError if a position has no such field, ValueError if a part of an offer has none.

    >>> from umpi.kernel import Row
    >>> replace(Row("line", ("4",)), label="last")
    Row(label='last', cells=('4',))
    """
    try:
        return _copier(type(position))(position, **changes)  # type: ignore[arg-type, no-any-return]
    except TypeError:
        known = {field.name for field in fields(position)}  # type: ignore[arg-type]
        for name in changes:
            if name not in known:
                raise AttributeError(f"{type(position).__name__} has no field {name}") from None
        raise


put = object.__setattr__  # sets a field though its class is frozen


@cache
def _copier(kind: type[Any]) -> Callable[..., Any]:
    """Return a function that copies an object of a dataclass; its keyword arguments are the fields that change.

    The new object is first of a class that has the same fields but is not frozen, so that Python sets each of them in
    one step. It becomes one of `kind` afterwards. Python does not allow this for a class that inherits slots.
    """
    if issubclass(kind, tuple):  # a part of an offer
        replace: Callable[..., Any] = kind._replace  # type: ignore[attr-defined]
        return replace
    names = [field.name for field in fields(kind)]
    twin = type(kind.__name__, (), {"__slots__": kind.__slots__} if "__slots__" in vars(kind) else {})
    lines = [f" _new.{name} = _old.{name} if {name} is _same else {name}" for name in names]
    try:
        put(object.__new__(twin), "__class__", kind)
        lines.append(" _new.__class__ = _kind")
    except TypeError:
        twin = kind
        lines = [f" _put(_new, '{name}', _old.{name} if {name} is _same else {name})" for name in names]
    takes = ", ".join(["_old", "/", *(f"{name}=_same" for name in names)])
    scope: dict[str, Any] = {"_make": object.__new__, "_twin": twin, "_kind": kind, "_put": put, "_same": object()}
    exec("\n".join([f"def copy({takes}):", " _new = _make(_twin)", *lines, " return _new"]), scope)
    copy: Callable[..., Any] = scope["copy"]
    return copy
