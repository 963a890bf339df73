"""The head's own files on an emulated Pico with MicroPython, through the box's driver: `dev pico` in short."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from scripts.pico.cable import Cable
from scripts.pico.emulated import EmulatedPico, NotHere, tools, write_image
from scripts.pico.trials import TRIALS
from tests.kit.pico import FIRMWARE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cable]:
    firmware = os.environ.get("UMPI_PICO_FIRMWARE")
    if not firmware:
        pytest.skip("the emulated Pico needs MicroPython's firmware.bin: name it in UMPI_PICO_FIRMWARE")
    folder = tmp_path_factory.mktemp("pico")
    try:
        node, modules = tools()
        write_image([(file.name, file.read_bytes()) for file in FIRMWARE.glob("*.py")], folder / "image")
        pico = EmulatedPico(node, modules, Path(firmware), folder / "image")
    except NotHere as fault:
        pytest.skip(str(fault))
    cable = Cable(pico, folder)
    yield cable
    cable.close()


@pytest.mark.parametrize("trial", [name for name in TRIALS if name != "overflow"])
def test_the_head_on_the_emulated_pico_is_right(cable: Cable, trial: str) -> None:
    results = list(TRIALS[trial](cable, Random(1), True))
    assert results
    assert [result for result in results if not result.passed] == []
