"""The build guide: each step is complete, it measures before the first power, and it is drawn from today's words."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from hardware.guide.measure import checks
from hardware.guide.paper import BUILDS, write_pdf
from hardware.guide.render import HARDWARE, README, measured, tables
from hardware.guide.steps import Step, read_guide
from hardware.page import filled
from hardware.wiring.header import place
from hardware.wiring.model import read_wiring
from umpi.box.config import COLOURS, NAVIGATION

GUIDE, WIRING = read_guide(), read_wiring()
OUT = README.parent / "out"
LABEL = {step.label: step for step in GUIDE.steps}


@pytest.mark.parametrize("step", GUIDE.steps, ids=lambda step: step.label)
def test_a_step_has_all_that_a_builder_asks(step: Step) -> None:
    assert step.minutes > 0
    assert step.tools
    assert step.do
    assert step.see
    assert step.wrong, "what to do if not"
    assert bool(step.picture) != bool(step.new)
    assert all(
        sentence.endswith((".", "!", ")")) or sentence.startswith("Enter: ") or "umpi doctor" in sentence
        for sentence in step.do
    )
    assert all(sentence.endswith(".") for sentence in (step.see, *(do for _, do in step.wrong)))
    if step.picture:
        assert (HARDWARE / step.picture).exists()


def test_files_that_the_guide_names_are_there() -> None:
    words = " ".join(sentence for step in GUIDE.steps for sentence in step.do)
    named = {
        word.strip("(),.:;") for word in words.split() if "/" in word and not word.strip("(").startswith(("~", "/"))
    }
    files = {word for word in named if word.endswith((".pdf", ".md", ".toml", ".html"))}
    assert len(files) > 8
    for word in files:
        assert any((root / word).exists() for root in (HARDWARE, HARDWARE.parent)), word


def test_the_guide_says_what_can_hurt() -> None:
    """Small parts, infrared, dust, epoxy, and what else the build has."""
    named = " ".join(f"{what} {do}" for what, do in GUIDE.safety).lower()
    for danger in ("small parts", "infrared", "dust", "epoxy", "solder", "5 v", "saw", "mains"):
        assert danger in named


def test_resistance_is_measured_at_every_button_and_beam() -> None:
    rows = checks(WIRING, "pi")
    buttons = {row[0].split(" ")[0]: row[2] for row in rows if "pressed" in row[1]}
    assert len(buttons) == len(COLOURS) + len(NAVIGATION)
    for net in WIRING.nets("full"):
        if net.section in ("seats", "navigation"):
            clamped = net.section == "seats"
            right = f"over 10 kΩ; {'700' if clamped else '950'} to 1050 Ω"
            assert buttons[str(place("pi", net.pin))] == right
    assert rows[0][0] == "2 (5 V) and 6 (ground)"
    head = checks(WIRING, "head")
    assert head[3] == ("36 (3.3 V) and each of 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17", "", "9.8 to 10.8 kΩ")
    assert head[4] == ("19 (wall) and 38 (ground)", "after 30 s", "542 to 598 kΩ")
    assert not any("5 V" in row[0] for row in checks(WIRING, "pi", "minimal")), "its wires have none"


def test_the_height_of_the_funnel_is_that_of_the_gate() -> None:
    from hardware.gate.geometry import gates
    from hardware.gate.numbers import read_numbers

    words = " ".join((*LABEL["E5"].do, LABEL["E5"].see))
    lips = {gate.cube: round(gate.lip) for gate in gates(read_numbers()) if gate.build == "queue"}
    assert f"{lips[16]} mm minus h" in words
    assert f"cubes of 12 mm: {lips[12]} mm minus h" in words


def test_the_page_above_says_how_long_each_build_takes() -> None:
    page = (HARDWARE / "README.md").read_text(encoding="utf-8")
    for build in BUILDS:
        row = next(line for line in page.splitlines() if line.startswith(f"| {build} |"))
        assert row.endswith(f"| {GUIDE.minutes(build) / 60:.0f} hours |")


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A white picture for each step: words have their place without one."""
    path = tmp_path_factory.mktemp("guide") / "blank.png"
    Image.new("L", (8, 8), 255).save(path)
    return {step.label: path for step in GUIDE.steps}


def test_a_step_that_is_too_long_is_named(tmp_path: Path, blank: dict[str, Path]) -> None:
    chapter = GUIDE.chapters[0]
    long = chapter.steps[0]._replace(do=chapter.steps[0].do * 12)
    guide = GUIDE._replace(chapters=(chapter._replace(steps=(long,)),))
    with pytest.raises(ValueError, match=r"A1 Make the case: it is \d+ mm longer than its place"):
        write_pdf(guide, blank, measured(), tmp_path / "guide.pdf")


def test_the_words_are_those_of_today(tmp_path: Path, blank: dict[str, Path]) -> None:
    """Otherwise: ./scripts/dev hardware guide"""
    kept = pypdfium2.PdfDocument(OUT / "build-guide.pdf")
    fresh_pdf = pypdfium2.PdfDocument(write_pdf(GUIDE, blank, measured(), tmp_path / "guide.pdf"))
    words = [[page.get_textpage().get_text_bounded() for page in pdf] for pdf in (fresh_pdf, kept)]
    assert words[0] == words[1]
    page = README.read_text(encoding="utf-8")
    assert filled(page, tables(GUIDE, measured())) == page
