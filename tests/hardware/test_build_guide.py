"""The build guide: each step is complete, it measures before the first power, and it is drawn from today's words."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from hardware.guide.measure import checks
from hardware.guide.paper import BEFORE, Book, pages, write_pdf
from hardware.guide.render import HARDWARE, README, book, cables, measured, settings, tables, ticks
from hardware.guide.steps import COMMAND, Step, commands, read_guide
from hardware.page import filled
from hardware.wiring.header import place
from hardware.wiring.model import BUILDS, read_wiring
from umpi.box.config import COLOURS, NAVIGATION, RAIL_PINS
from umpi.box.config_file import read_config

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
    assert all(sentence.endswith((".", ")")) != sentence.startswith(COMMAND) for sentence in step.do)
    assert all(sentence.endswith(".") for sentence in (step.see, *(do for _, do in step.wrong)))
    if step.picture:
        assert (HARDWARE / step.picture).exists()
    for drawing in step.drawings:
        assert (HARDWARE / drawing).exists()


@pytest.mark.parametrize("build", BUILDS)
def test_the_commands_of_a_build_make_its_wiring_file(build: str, tmp_path: Path) -> None:
    """A shell runs those that write a file, in their order, in a home of its own: the file is that of the build."""
    (tmp_path / "umpi").symlink_to(HARDWARE.parent)
    typed = [command for step in GUIDE.path(build) for command in commands(step)]
    writing = [command for command in typed if command.split()[0] in ("cp", "cat", "sed", "printf")]
    shell = ["bash", "-euc", "\n".join(writing)]
    subprocess.run(shell, check=True, env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]}, timeout=30)
    made = read_config(tmp_path / "umpi.toml")
    wanted = tmp_path / "wanted.toml"
    gate = "" if build == "minimal" else (HARDWARE / "gate" / "umpi-gate.toml").read_text(encoding="utf-8")
    wanted.write_text((HARDWARE / "wiring" / f"umpi-{build}.toml").read_text(encoding="utf-8") + gate, encoding="utf-8")
    assert made == read_config(wanted)


@pytest.mark.parametrize("build", BUILDS)
def test_the_last_page_has_the_lines_of_the_wiring_file(build: str, tmp_path: Path) -> None:
    """Read from the kept PDF: they make the wiring file of the build."""
    pdf = pypdfium2.PdfDocument(OUT / f"guide-{build}.pdf")
    page = pdf[len(pdf) - 1].get_textpage().get_text_bounded()
    printed = [line.strip() for line in page.partition("Your umpi.toml")[2].splitlines()][2:]
    assert sorted(line for line in printed if line) == sorted(settings(build))
    made, wanted = tmp_path / "umpi.toml", tmp_path / "wanted.toml"
    made.write_text("\n".join(settings(build)), encoding="utf-8")
    gate = "" if build == "minimal" else (HARDWARE / "gate" / "umpi-gate.toml").read_text(encoding="utf-8")
    wanted.write_text((HARDWARE / "wiring" / f"umpi-{build}.toml").read_text(encoding="utf-8") + gate, encoding="utf-8")
    assert read_config(made) == read_config(wanted)


@pytest.mark.parametrize("build", BUILDS)
def test_a_command_names_a_program_and_files_that_are_there(build: str) -> None:
    made_before = ["~/umpi.toml", "~/.bashrc", "~/umpi/.venv/bin/pip", "~/umpi/.venv/bin/activate", "~/umpi"]
    programs = {"sudo", "echo", "cp", "cat", "sed", "printf", "ls", "cd", "umpi", "mpremote"}
    for step in GUIDE.path(build):
        for command in commands(step):
            assert command.split()[0] in programs | {"~/umpi/scripts/setup", "~/umpi/.venv/bin/pip"}, step.label
            for name in re.findall(r"~/[\w./-]+", command):
                there = (
                    HARDWARE.parents[1] / "umpi" if name == "~/umpi" else HARDWARE.parent / name.removeprefix("~/umpi/")
                )
                assert name in made_before or there.exists(), f"{step.label}: {name}"
            if command.startswith("umpi "):
                assert command.split()[1] == "doctor"
                own = "~/umpi.toml" if step.label != "D4" else "~/umpi/hardware/wiring/umpi-full.toml"
                assert not command.split()[2:] or command.split()[2:4] == ["--config", own], step.label
            if "mpremote cp" in command:
                files = re.findall(r"\w+\.py", command)
                assert {path.name for path in (HARDWARE.parent / "firmware" / "sensor_head").glob("*.py")} == set(files)


@pytest.mark.parametrize("build", BUILDS)
def test_a_phone_reads_the_commands_of_each_chapter(build: str) -> None:
    """From the kept PDF, as it prints at 150 dpi."""
    page = pypdfium2.PdfDocument(OUT / f"guide-{build}.pdf")[BEFORE.index("commands")]
    image, square = page.render(scale=150 / 72).to_pil().convert("RGB"), zxingcpp.BarcodeFormat.QRCode
    read = {code.text for code in zxingcpp.read_barcodes(image, formats=square)}
    chapters = [chapter for chapter in GUIDE.chapters if build in chapter.builds]
    typed = ["\n".join(command for step in chapter.steps if build in step.builds for command in commands(step))
             for chapter in chapters]  # fmt: skip
    assert read == {words for words in typed if words}


def test_the_acceptance_sheet_of_a_build_has_the_rows_of_what_it_has() -> None:
    rows = {build: [words for _, own in ticks(build) for words in own] for build in BUILDS}
    assert not any("lamp" in words or "sounds" in words for words in rows["minimal"])
    assert any("lights alone" in words for words in rows["table"])
    assert any("knock" in words for words in rows["full"])
    assert len(rows["minimal"]) < len(rows["table"]) < len(rows["full"])


@pytest.mark.parametrize("build", BUILDS)
def test_a_guide_refers_to_no_page_that_is_not_printed(build: str) -> None:
    """Other pages of this folder are not at hand in the workshop."""
    for step in GUIDE.path(build):
        words = " ".join((*step.do, step.see, *(do for _, do in step.wrong)))
        assert ".md" not in words, step.label


def test_the_guide_says_what_can_hurt() -> None:
    """Small parts, infrared, dust, epoxy, and what else the build has; the smallest has no emitter, epoxy or saw."""
    named = {build: " ".join(what for what, _ in GUIDE.dangers(build)).lower() for build in BUILDS}
    for danger in ("small parts", "infrared", "dust", "epoxy", "solder", "power", "saw", "mains"):
        assert danger in named["full"]
    for danger in ("infrared", "epoxy", "saw"):
        assert danger not in named["minimal"]


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
    sensor = {str(place("head", pin)) for pin in RAIL_PINS}
    assert sensor < set(re.findall(r"\d+", head[5][0])), "its plug, J109, is in no circuit"
    assert not any("5 V" in row[0] for row in checks(WIRING, "pi", "minimal")), "its wires have none"


def test_the_height_of_the_funnel_is_that_of_the_gate() -> None:
    from hardware.gate.geometry import gates
    from hardware.gate.numbers import read_numbers

    words = " ".join((*LABEL["E5"].do, LABEL["E5"].see))
    lips = {gate.cube: round(gate.lip) for gate in gates(read_numbers()) if gate.build == "queue"}
    assert f"{lips[16]} mm minus h" in words
    assert f"cubes of 12 mm: {lips[12]} mm minus h" in words


def test_the_way_of_cubes_of_12_mm_is_named_wherever_the_guide_goes_that_of_16() -> None:
    """Drawings, settings of the gate, and beam boards, which exist for 16 mm alone."""
    words = {step.label: " ".join(step.do) for step in GUIDE.steps}
    for step in GUIDE.steps:
        for drawing in (HARDWARE / name for name in step.drawings if "-16" in name):
            small = drawing.with_name(drawing.name.replace("-16.png", "-12.pdf"))
            assert small.exists()
            assert f"for cubes of 12 mm {small.relative_to(HARDWARE.parent)}" in words[step.label], step.label
    assert "For cubes of 12 mm, write cube_mm = 12" in words["E4"]
    assert "write boards = false" in words["F5"]


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


def bound(build: str, blank: dict[str, Path]) -> Book:
    """A book with white pictures in the place of all."""
    own = book(GUIDE, build, blank)
    path = next(iter(blank.values()))
    return own._replace(cables=[(path, high) for _, high in own.cables], drawings=dict.fromkeys(own.drawings, path))


def test_a_step_that_is_too_long_is_named(tmp_path: Path, blank: dict[str, Path]) -> None:
    chapter = GUIDE.chapters[0]
    long = chapter.steps[0]._replace(do=chapter.steps[0].do * 12)
    guide = GUIDE._replace(chapters=(chapter._replace(steps=(long,)),))
    with pytest.raises(ValueError, match=r"A1 Make the case: it is \d+ mm longer than its place"):
        write_pdf(guide, "table", bound("table", blank), tmp_path / "guide.pdf")


@pytest.mark.parametrize("build", BUILDS)
def test_the_words_are_those_of_today(build: str, tmp_path: Path, blank: dict[str, Path]) -> None:
    """Otherwise: ./scripts/dev hardware guide"""
    kept = pypdfium2.PdfDocument(OUT / f"guide-{build}.pdf")
    fresh = pypdfium2.PdfDocument(write_pdf(GUIDE, build, bound(build, blank), tmp_path / "guide.pdf"))
    words = [[page.get_textpage().get_text_bounded() for page in pdf] for pdf in (fresh, kept)]
    assert words[0] == words[1]
    assert len(kept) == pages(GUIDE, build, cables(build))


def test_the_page_is_that_of_today() -> None:
    page = README.read_text(encoding="utf-8")
    assert filled(page, tables(GUIDE, measured())) == page
