"""What doctor has measured, kept: whole or not at all, and never half believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from umpi.box.calibration import BadCalibration, Calibration, read_calibration, write_calibration
from umpi.drivers.colours import Colour, ColourProfile

COLOURS = ColourProfile(4, (Colour("nothing", (0.1, 0.1, 0.1, 0.6), 0.01), Colour("red", (0.7, 0.2, 0.2, 1.0), 0.01)))


@pytest.mark.parametrize("measured", [Calibration(), Calibration(340), Calibration(120, COLOURS)])
def test_written_values_are_read_back(tmp_path: Path, measured: Calibration) -> None:
    path = tmp_path / "box" / "measured.json"
    write_calibration(path, measured)
    assert read_calibration(path) == measured
    assert [file.name for file in path.parent.iterdir()] == ["measured.json"]


def test_without_a_measurement_the_calibration_is_empty(tmp_path: Path) -> None:
    assert read_calibration(tmp_path / "measured.json") == Calibration()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "7", '{"resolution_us": -1}', '{"resolution_us": true}', '{"resolution_us": 1e400}',
     '{"colours": 7}', '{"colours": {"gain": 4, "colours": []}}', "[" * 100_000],
)  # fmt: skip
def test_an_invalid_calibration_value_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "measured.json"
    path.write_text(text)
    with pytest.raises(BadCalibration, match=r"measured\.json: "):
        read_calibration(path)


def test_a_file_that_cannot_be_read_is_named_with_the_cause(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    path.mkdir()
    with pytest.raises(BadCalibration, match=r"measured\.json: Is a directory"):
        read_calibration(path)


def test_a_disk_that_refuses_leaves_the_old_measures(tmp_path: Path) -> None:
    path = tmp_path / "measured.json"
    write_calibration(path, Calibration(340))
    (tmp_path / "measured.new").mkdir()
    with pytest.raises(OSError, match="Is a directory"):
        write_calibration(path, Calibration(7))
    assert read_calibration(path) == Calibration(340)
