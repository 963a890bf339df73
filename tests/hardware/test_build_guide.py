"""The build guide: each step is complete, it measures before the first power, and it is drawn from today's words."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from hardware.case.assembly import Piece, assembly
from hardware.case.numbers import read_case
from hardware.guide.paper import write_pdf
from hardware.guide.pictures import GREY, draw
from hardware.guide.render import HARDWARE, README, tables
from hardware.guide.steps import Step, checks, read_guide
from hardware.wiring.header import place
from hardware.wiring.model import read_wiring
from hardware.wiring.tables import filled
from umpi.box.config import COLOURS, NAVIGATION
from umpi.cli import main

pytestmark = pytest.mark.once

GUIDE, WIRING = read_guide(), read_wiring()
OUT = README.parent / "out"


@pytest.fixture(scope="module")
def pieces() -> list[Piece]:
    return assembly(read_case(), HARDWARE / "case" / "out")


def pictures() -> list[Path]:
    return [
        HARDWARE / step.picture if step.picture else OUT / f"step-{number:02}.png"
        for number, step in enumerate(GUIDE.steps, 1)
    ]


@pytest.mark.parametrize("step", GUIDE.steps, ids=lambda step: step.title)
def test_a_step_has_all_that_a_builder_asks(step: Step) -> None:
    assert step.minutes > 0
    assert step.tools
    assert step.do
    assert step.see
    assert step.wrong, "what to do if not"
    assert bool(step.picture) != bool(step.new)
    words = [*step.do, step.see, *(do for _, do in step.wrong)]
    assert all(sentence.endswith(".") for sentence in words)
    if step.picture:
        assert (HARDWARE / step.picture).exists()


def test_the_guide_says_what_can_hurt() -> None:
    """Small parts, infrared, dust, epoxy, and what else the build has."""
    named = " ".join(f"{what} {do}" for what, do in GUIDE.safety).lower()
    for danger in ("small parts", "infrared", "dust", "epoxy", "solder", "5 v"):
        assert danger in named


def test_resistance_is_measured_before_the_first_power_and_at_every_button() -> None:
    titles = [step.title for step in GUIDE.steps]
    assert [step.check for step in GUIDE.steps].index(True) < titles.index("First power")
    rows = checks(WIRING)
    buttons = [row for row in rows if "pressed" in row[1]]
    assert len(buttons) == len(COLOURS) + len(NAVIGATION)
    assert {row[2] for row in buttons} == {"over 10 kΩ; 1 kΩ ± 5 %"}
    told = {row[0].split(" ")[0] for row in buttons}
    assert told == {str(place("pi", net.pin)) for net in WIRING.nets("table") if net.section in ("seats", "navigation")}
    assert rows[0][0] == "2 (5 V) and 6 (ground)"


def test_commands_of_the_guide_are_commands(capsys: pytest.CaptureFixture[str]) -> None:
    words = " ".join(sentence for step in GUIDE.steps for sentence in step.do)
    asked = set(re.findall(r"--guide (\w+)", words))
    assert asked
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    known = capsys.readouterr().out
    assert all(re.search(rf"\b{name}\b", known) for name in asked), known


def test_a_part_that_is_not_there_is_named(pieces: list[Piece], tmp_path: Path) -> None:
    step = GUIDE.steps[0]._replace(new=("lid",))
    with pytest.raises(ValueError, match="Make the case: there is no part 'lid'"):
        draw(step, pieces, tmp_path / "step.png")


def test_what_is_new_has_its_colour_and_the_rest_is_grey(pieces: list[Piece], tmp_path: Path) -> None:
    """A face is as bright as the sun makes it, so a grey one has three equal parts, nearly."""
    found = draw(next(step for step in GUIDE.steps if step.title == "Lamps into the front"), pieces, tmp_path / "a.png")
    spread = [max(dot) - min(dot) for _, dot in Image.open(found).convert("RGB").getcolors(1 << 20)]  # type: ignore[union-attr]
    assert max(spread) > 100, "red, blue, yellow"
    assert max(GREY) - min(GREY) < 10


def test_a_step_that_is_too_long_is_named(tmp_path: Path) -> None:
    long = GUIDE.steps[0]._replace(do=GUIDE.steps[0].do * 12)
    with pytest.raises(ValueError, match=r"Make the case: it is \d+ mm longer than its place"):
        write_pdf(GUIDE._replace(steps=(long,)), pictures()[:1], checks(WIRING), tmp_path / "guide.pdf")


def test_the_files_are_those_of_today(pieces: list[Piece], tmp_path: Path) -> None:
    """Otherwise: scripts/hardware guide. One picture stands for all."""
    for number in (3, 7):
        fresh = Image.open(draw(GUIDE.steps[number - 1], pieces, tmp_path / "step.png")).convert("RGB")
        kept = Image.open(OUT / f"step-{number:02}.png").convert("RGB")
        assert fresh.size == kept.size
        assert ImageChops.difference(fresh, kept).getbbox() is None
    fresh_pdf = write_pdf(GUIDE, pictures(), checks(WIRING), tmp_path / "guide.pdf")
    words = [[page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)]
             for pdf in (fresh_pdf, OUT / "build-guide.pdf")]  # fmt: skip
    assert words[0] == words[1]
    assert len(words[0]) == 1 + (len(GUIDE.steps) + 1) // 2
    page = README.read_text(encoding="utf-8")
    assert filled(page, tables(GUIDE, checks(WIRING))) == page
