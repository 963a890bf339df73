"""Write the umpi.toml of a box and the command line that starts its service."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from umpi.box.config import Config


def umpi_toml(config: Config) -> str:
    """Return the umpi.toml of a configuration: the journal, pins that are not the defaults, connected devices."""
    defaults = Config()
    sections: dict[str, Mapping[str, Any]] = {
        "box": {"journal": str(config.journal), "setup_card": config.setup_card},
        "pins": {"factory": config.factory},
        "display": {"chip": config.display, "dim_after_s": config.dim_after_s, "off_after_s": config.off_after_s},
        "sounder": {"silent": config.silent},
    }
    for name in ("seats", "lamps", "navigation"):
        if (pins := dict(getattr(config, name))) != getattr(defaults, name):
            sections[name] = pins
    if config.beams:
        sections["beams"] = {**config.beams, "dark": "low" if config.dark_low else "high"}
    if config.gate:
        sections["gate"] = config.gate
    if head := config.head:
        keys = asdict(head)
        sections["head"] = {**keys.pop("pins"), "dark": "low" if keys.pop("dark_low") else "high", **keys}
    if config.rail is not None:
        sections["rail"] = {"bus": config.rail}
    if config.scanner is not None:
        sections["scanner"] = config.scanner
    return "\n".join(_section(name, keys) for name, keys in sections.items())


def command(umpi: Path, toml: Path, config: Config) -> list[str]:
    """Return the command line of the service, with the options of games."""
    options = [word for key, value in config.options.items() for word in ("--option", f"{key}={json.dumps(value)}")]
    return [str(umpi), "run", "--config", str(toml), *options]


def _section(name: str, keys: Mapping[str, Any]) -> str:
    lines = [f"{key} = {json.dumps(list(value) if isinstance(value, tuple) else value)}" for key, value in keys.items()]
    return "\n".join([f"[{name}]", *lines, ""])
