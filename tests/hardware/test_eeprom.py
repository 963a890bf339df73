"""The file of the ID EEPROM: what eepmake reads, and the revision of the boards."""

from __future__ import annotations

import re
from pathlib import Path

from hardware.drawing.revisions import REVISIONS

TEXT = (Path(__file__).parents[2] / "hardware" / "board" / "eeprom.txt").read_text(encoding="utf-8")


def fields() -> dict[str, str]:
    """Read it as eepmake does: a line ends at a #, its first word is the command."""
    lines = (line.partition("#")[0].split(None, 1) for line in TEXT.splitlines())
    return {words[0]: words[1].strip() for words in lines if words}


def test_it_has_the_five_fields_that_eepmake_needs_and_none_that_a_hat_plus_must_not_have() -> None:
    """raspberrypi/utils, eeptools/eepmake.c, read_text and parse_command; gpio_drive and so on end a HAT+."""
    assert set(fields()) == {"product_uuid", "product_id", "product_ver", "vendor", "product"}
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", fields()["product_uuid"])
    for name in ("product_id", "product_ver"):
        assert re.fullmatch(r"0x[0-9a-f]{4}", fields()[name])
    for name in ("vendor", "product"):
        assert re.fullmatch(r'"[^"]{1,255}"', fields()[name])


def test_its_version_is_the_letter_of_the_boards() -> None:
    assert int(fields()["product_ver"], 16) == "ABCDEFG".index(REVISIONS["B"].name) + 1
