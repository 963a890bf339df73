"""Record every call of the module RPi.GPIO in this process.

Python imports this file at its start if its folder is on PYTHONPATH. Each line of the file $RPI_GPIO_CALLS is a list in
JSON: microseconds since the start, the function, its arguments, and its result or exception. The first line names the
versions. A callback is recorded when RPi.GPIO calls it, with the channel that it passes.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from threading import Lock
from typing import Any

import RPi.GPIO as GPIO


class Recorder:
    """Writes calls to a file, in the order in which they begin or, for functions, end."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "w", encoding="utf-8")  # noqa: SIM115 - open until the process ends
        self._lock, self._began_ns = Lock(), time.monotonic_ns()

    def write(self, line: Any) -> None:
        """Write a value as a line of JSON; what JSON does not have as its type's name."""
        with self._lock:
            self._file.write(json.dumps(line, default=lambda value: type(value).__name__) + "\n")
            self._file.flush()

    def recorded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is recorded each time it is called."""

        def call(*arguments: Any, **named: Any) -> Any:
            at_us = (time.monotonic_ns() - self._began_ns) // 1000
            noted = [at_us, name, list(arguments), dict(named)]
            if "callback" in named:
                named["callback"] = self._announced(named["callback"])
            try:
                result = function(*arguments, **named)
            except Exception as fault:
                self.write([*noted, {"raises": type(fault).__name__, "says": str(fault)}])
                raise
            self.write([*noted, result])
            return result

        return call

    def _announced(self, callback: Callable[[int], object]) -> Callable[[int], object]:
        def call(channel: int) -> object:
            self.write([(time.monotonic_ns() - self._began_ns) // 1000, "callback", [channel], {}, None])
            return callback(channel)

        return call


def head() -> dict[str, Any]:
    """Return the versions of the module that is recorded and of what is below and above it."""
    place = Path(str(GPIO.__file__))
    whose = next(name for name in ("RPi.GPIO", "rpi-lgpio") if _owns(name, place))
    packages = {name: version(name) for name in (whose, "gpiozero")}
    return {**packages, "kernel": platform.release(), "python": platform.python_version()}


def _owns(package: str, place: Path) -> bool:
    try:
        return Path(str(distribution(package).locate_file("RPi/GPIO/__init__.py"))) == place
    except PackageNotFoundError:
        return False


recorder = Recorder(os.environ["RPI_GPIO_CALLS"])
recorder.write(head())
for name, value in list(vars(GPIO).items()):
    if callable(value) and not name.startswith("_") and str(value.__module__).startswith("RPi"):
        setattr(GPIO, name, recorder.recorded(name, value))
