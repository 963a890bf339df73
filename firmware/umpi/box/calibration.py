"""Calibration: what `umpi doctor` has measured of a box, in a file beside the journal."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from umpi.drivers.colours import ColourProfile, Unfit
from umpi.frozen import frozen
from umpi.kernel.messages import fault_text, message

NO_MEASURES = message("not a calibration file; umpi doctor --guide writes a new one.")


class BadCalibration(ValueError):
    """Raised if a calibration file cannot be used; the message contains its path and the reason."""


@frozen
class Calibration:
    """The calibration of a box.

    `resolution_us` is the resolution of the beams' stamps, 0 if not measured. `colours` are the colours of the cubes,
    None if not measured.
    """

    resolution_us: int = 0
    colours: ColourProfile | None = None


def read_calibration(path: Path) -> Calibration:
    """Return the calibration in the file; the defaults if it does not exist. Raises BadCalibration."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Calibration()
    except OSError as fault:
        raise BadCalibration(message("{path}: {reason}", path=path, reason=fault.strerror or str(fault))) from None
    except (ValueError, RecursionError):
        raise BadCalibration(message("{path}: {reason}", path=path, reason=NO_MEASURES)) from None
    resolution_us = values.get("resolution_us", 0) if isinstance(values, dict) else None
    if type(resolution_us) is not int or not 0 <= resolution_us <= 1_000_000:
        raise BadCalibration(message("{path}: {reason}", path=path, reason=NO_MEASURES))
    try:
        colours = ColourProfile.read(values["colours"]) if values.get("colours") is not None else None
    except Unfit as fault:
        raise BadCalibration(message("{path}: {reason}", path=path, reason=fault_text(fault))) from None
    return Calibration(resolution_us, colours)


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write the file by replacing it in one step, so that it is never incomplete. Raises OSError."""
    values: dict[str, Any] = {"resolution_us": calibration.resolution_us}
    if calibration.colours:
        values["colours"] = calibration.colours.written()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    with new.open("w", encoding="utf-8") as file:
        json.dump(values, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
