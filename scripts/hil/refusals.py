"""Make calls of RPi.GPIO that it refuses or warns of, between calls that it accepts, and record what it answers.

In the guest this records RPi.GPIO itself. The tests give the same calls to their stand-in, which must answer alike.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from typing import Any

BOARD, BCM, OUT, IN = 10, 11, 0, 1
PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
RISING, FALLING, BOTH = 31, 32, 33
Call = tuple[str, list[Any], dict[str, Any]]
CALLS: list[Call] = [
    ("setup", [17, IN], {}), ("input", [17], {}), ("output", [17, 1], {}), ("add_event_detect", [17, BOTH], {}),
    ("getmode", [], {}), ("setmode", [99], {}), ("setmode", [BCM], {}), ("getmode", [], {}), ("setmode", [BOARD], {}),
    ("setup", [54, IN], {}), ("setup", ["17", IN], {}), ("setup", [17, 2], {}), ("setup", [17, IN, 23], {}),
    ("setup", [17, IN], {"initial": 1}), ("setup", [24, OUT, PUD_UP], {}),
    ("input", [17], {}), ("output", [17, 1], {}), ("add_event_detect", [17, BOTH], {}), ("gpio_function", [17], {}),
    ("setup", [17, IN, PUD_UP], {}), ("setup", [17, IN, PUD_UP], {}), ("setup", [3, IN, PUD_UP], {}),
    ("input", [17], {}), ("output", [17, 1], {}), ("gpio_function", [17], {}),
    ("add_event_detect", [17, 30], {}), ("add_event_detect", [17, BOTH], {"bouncetime": 0}),
    ("add_event_detect", [17, BOTH], {"callback": 5}),
    ("add_event_detect", [17, BOTH], {"callback": len, "bouncetime": -666}),
    ("add_event_detect", [17, BOTH], {"callback": len}), ("add_event_detect", [17, RISING], {}),
    ("setup", [24, OUT], {"initial": 1}), ("input", [24], {}), ("output", [24, 0], {}), ("input", [24], {}),
    ("output", [24, True], {}), ("input", [24], {}), ("output", [24, None], {}), ("gpio_function", [24], {}),
    ("add_event_detect", [24, BOTH], {}), ("remove_event_detect", [17], {}), ("remove_event_detect", [17], {}),
    ("add_event_detect", [17, BOTH], {"callback": len}), ("cleanup", [17], {}), ("input", [17], {}),
    ("cleanup", [17], {}), ("setwarnings", [False], {}), ("cleanup", [17], {}), ("setup", [3, IN, PUD_UP], {}),
    ("cleanup", [], {}), ("getmode", [], {}), ("input", [24], {}), ("setmode", [BOARD], {}),
]  # fmt: skip


def answers(module: Any) -> Iterator[list[Any]]:
    """Yield each call with its result or exception and its warnings."""
    for name, arguments, named in CALLS:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                answer = getattr(module, name)(*arguments, **named)
            except Exception as fault:
                answer = {"raises": type(fault).__name__, "says": str(fault)}
        noted = {key: "function" if callable(value) else value for key, value in named.items()}
        yield [name, arguments, noted, answer, [str(each.message) for each in warned]]


def main() -> None:
    """Write the answers of RPi.GPIO to the file that is the argument."""
    import RPi.GPIO

    with open(sys.argv[1], "w", encoding="utf-8") as file:
        for answer in answers(RPi.GPIO):
            file.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
