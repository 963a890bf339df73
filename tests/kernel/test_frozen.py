"""`frozen` makes what `dataclasses.dataclass(frozen=True)` makes, later."""

from __future__ import annotations

import abc
import copy
import dataclasses
import functools
import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

import pytest

import umpi
from umpi.frozen import _set, _Unwritten, frozen

T = TypeVar("T")
START = """
import gc
import umpi.__main__, umpi.cli, umpi.cli.box, umpi.service.run, umpi.web.serving
from umpi.frozen import _Unwritten
from umpi.kernel.registry import games
games()
kinds = [each for each in gc.get_objects() if isinstance(each, type) and each.__module__.startswith("umpi.")]
kept = [vars(each)["__dataclass_fields__"] for each in kinds if "__dataclass_fields__" in vars(each)]
print(sum(isinstance(each, _Unwritten) for each in kept), len(kept))
"""


def shapes(make: Callable[[type[Any]], type[Any]]) -> dict[str, type[Any]]:
    """Return a class of each shape, all made by one decorator."""

    @make
    class Plain:
        """Fields with and without defaults."""

        x: int
        y: list[int] = field(default_factory=list)
        z: int = field(default=3, compare=False)
        kept: ClassVar[int] = 4

    @make
    class Derived(Plain):
        """Another field, and another default."""

        w: list[str] = field(default_factory=list)
        z: int = 5

    class Bare(Derived):
        """No dataclass of its own."""

        def __init__(self, x: int) -> None:
            super().__init__(x + 1)

    @make
    class Own(abc.ABC, Generic[T]):
        """Methods of its own, and values that are set in the end."""

        x: T
        late: int = field(init=False, repr=False)
        only_named: int = field(default=1, kw_only=True)

        def __post_init__(self) -> None:
            object.__setattr__(self, "late", 7)

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

        @functools.cached_property
        def twice(self) -> Any:
            return [self.x, self.x]

    @make
    class Nothing:
        """No fields."""

    return {each.__name__: each for each in (Plain, Derived, Bare, Own, Nothing)}


WORDS = {"Plain": (1,), "Derived": (1, [2]), "Bare": (1,), "Own": (1,), "Nothing": ()}
OURS, THEIRS = shapes(frozen), shapes(dataclass(frozen=True))


def seen(cls: type[Any], values: tuple[Any, ...], first: str) -> dict[str, Any]:
    """Return what can be seen of a class and its objects; `first` is looked at first."""
    looks: dict[str, Callable[[], Any]] = {
        "repr": lambda: repr(cls(*values)),
        "signature": lambda: str(inspect.signature(cls)),
        "fields": lambda: [(each.name, each.type, each.compare, each.kw_only) for each in dataclasses.fields(cls)],
        "is one": lambda: dataclasses.is_dataclass(cls),
        "match": lambda: cls.__match_args__,
        "frozen": lambda: vars(cls.__mro__[1] if cls.__name__ == "Bare" else cls)["__dataclass_params__"].frozen,
        "own": lambda: sorted(name for name in vars(cls) if not name.startswith(("_abc", "__static"))),
        "equal": lambda: cls(*values) == cls(*values),
        "other": lambda: cls(*values) == object(),
        "names": lambda: [getattr(cls, name).__qualname__ for name in ("__init__", "__eq__", "__repr__")],
        "hash": lambda: hash(cls(*values)) == hash(cls(*values)),
        "dict": lambda: dataclasses.asdict(cls(*values)),
        "copied": lambda: copy.copy(cls(*values)) == cls(*values),
        "defaults": lambda: {name: getattr(cls, name, None) for name in ("x", "y", "z", "kept", "late")},
    }
    found = {}
    for name in dict.fromkeys([first, *looks]):
        try:
            found[name] = looks[name]()
        except (TypeError, AttributeError, KeyError) as fault:
            found[name] = f"{type(fault).__name__}: {fault}"
    return found


@pytest.mark.parametrize("first", ["repr", "signature", "fields", "is one", "match", "equal", "hash", "defaults"])
@pytest.mark.parametrize("name", WORDS)
def test_it_is_a_frozen_dataclass_whatever_is_asked_first(name: str, first: str) -> None:
    ours, theirs = (shapes(make)[name] for make in (frozen, dataclass(frozen=True)))
    assert seen(ours, WORDS[name], first) == seen(theirs, WORDS[name], first)


@pytest.mark.parametrize("cls", [OURS, THEIRS], ids=["frozen", "dataclass"])
def test_nothing_can_be_set_or_deleted(cls: dict[str, type[Any]]) -> None:
    one = cls["Plain"](1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del one.x
    with pytest.raises(TypeError, match=r"Plain\.__init__\(\) missing 1 required positional argument: 'x'"):
        cls["Plain"]()
    assert cls["Own"](1).twice == [1, 1]
    assert dataclasses.replace(one, x=2).x == 2


@frozen
class Sent:
    """Goes to another process."""

    x: int


def test_an_object_from_elsewhere_comes_before_the_class_was_used() -> None:
    line = "import pickle, sys; sys.path[:0] = sys.argv[1:]; data = sys.stdin.buffer.read()"
    line += "; one, other = pickle.loads(data), pickle.loads(data); assert one == other and hash(one) == hash(other)"
    subprocess.run([sys.executable, "-c", line, *sys.path], input=pickle.dumps(Sent(3)), check=True)


def test_threads_may_use_a_class_first_at_the_same_time() -> None:
    """Each sees a whole class at any time."""
    wrong: list[BaseException] = []
    kinds = [shapes(frozen)["Derived"] for _ in range(60)]
    together = threading.Barrier(6)

    def use() -> None:
        together.wait()
        for kind in kinds:
            try:
                assert repr(kind(1))
                assert kind(1, [2]) == kind(1, [2])
            except BaseException as fault:
                wrong.append(fault)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=use) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong


def test_all_classes_of_umpi_can_be_written() -> None:
    """Else a mistake of a class would be found when somebody plays."""
    modules = [
        importlib.import_module(each.name)
        for each in pkgutil.walk_packages(umpi.__path__, "umpi.")
        if not each.name.startswith("umpi.games.") and each.name not in ("umpi.tab.box", "umpi.__main__")
    ]
    classes = {
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__.startswith("umpi.") and "__dataclass_fields__" in vars(each)
    }
    for each in classes:
        dataclasses.fields(each)
    assert not [each for each in classes if any(isinstance(value, _Unwritten) for value in vars(each).values())]
    assert len(classes) > 200
    at_once = [
        each for each in classes if vars(each)["__dataclass_params__"].frozen and vars(each)["__setattr__"] != _set
    ]
    assert not at_once, "dataclasses writes these at each start: use @frozen"


def test_a_start_writes_few_of_them() -> None:
    """To write all takes a quarter of a start."""
    answer = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True)
    unwritten, whole = map(int, answer.stdout.split())
    assert unwritten > 0.7 * whole > 140, answer.stdout
