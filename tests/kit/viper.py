"""Lets CPython import modules that MicroPython compiles to machine code: viper's pointers are the arrays themselves."""

import builtins
import sys
from types import ModuleType


def install() -> None:
    """Define what viper knows, and the module `micropython`."""
    module = ModuleType("micropython")
    module.viper = lambda function: function  # type: ignore[attr-defined]
    module.kbd_intr = module.alloc_emergency_exception_buf = lambda _: None  # type: ignore[attr-defined]
    sys.modules.setdefault("micropython", module)
    for name in ("ptr8", "ptr32"):
        setattr(builtins, name, lambda words: words)
