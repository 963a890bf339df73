"""What `umpi doctor` has measured of a box, kept in a file beside the journal."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from umpi.drivers.colours import ColourProfile, Unfit
from umpi.kernel.messages import fault_text, message

NO_MEASURES = message("this is no file of measures; umpi doctor --guide writes a new one.")


class BadCalibration(ValueError):
    """A file of measures that cannot be used: which, and why."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How fine the stamps of the beams are, 0 where nobody has looked; and the colours of the cubes."""

    resolution_us: int = 0
    colours: ColourProfile | None = None


def read_calibration(path: Path) -> Calibration:
    """Read the file; where there is none nothing has been measured. Raises BadMeasure, naming file and cause."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Calibration()
    except OSError as fault:
        raise BadCalibration(message("{path}: {reason}", path=path, reason=fault.strerror or str(fault))) from None
    except (ValueError, RecursionError):
        raise BadCalibration(message("{path}: {reason}", path=path, reason=NO_MEASURES)) from None
    resolution_us = told.get("resolution_us", 0) if isinstance(told, dict) else None
    if type(resolution_us) is not int or not 0 <= resolution_us <= 1_000_000:
        raise BadCalibration(message("{path}: {reason}", path=path, reason=NO_MEASURES))
    try:
        colours = ColourProfile.read(told["colours"]) if told.get("colours") is not None else None
    except Unfit as fault:
        raise BadCalibration(message("{path}: {reason}", path=path, reason=fault_text(fault))) from None
    return Calibration(resolution_us, colours)


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write the file, whole or not at all. Raises OSError."""
    told: dict[str, Any] = {"resolution_us": calibration.resolution_us}
    if calibration.colours:
        told["colours"] = calibration.colours.written()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    with new.open("w", encoding="utf-8") as file:
        json.dump(told, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
