"""The pictures of the build guide: what is new stands out, and the PDF has those of today."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

from hardware.guide.render import README, cables
from hardware.guide.steps import read_guide
from tests.kit.pictures import differing

pytest.importorskip("build123d", reason="no build123d here: pip install -e '.[cad]'")
from hardware.guide.pictures import GREY, draw

pytestmark = pytest.mark.slow  # each needs build123d
GUIDE = read_guide()
LABEL = {step.label: step for step in GUIDE.steps}


def test_a_part_that_is_not_there_is_named(tmp_path: Path) -> None:
    step = GUIDE.steps[0]._replace(new=("roof",))
    with pytest.raises(ValueError, match="A1 Make the case: there is no part 'roof'"):
        draw(step, tmp_path / "step.png")


def test_what_is_new_differs_from_the_rest_also_on_a_grey_print(tmp_path: Path) -> None:
    """What was there is pale, with pale edges. What is new has dark edges, whatever its colour."""
    found = Image.open(draw(LABEL["C1"], tmp_path / "a.png"))
    spread = [max(dot) - min(dot) for _, dot in found.convert("RGB").getcolors(1 << 20)]  # type: ignore[union-attr]
    assert max(spread) > 100, "red, blue, yellow"
    assert max(GREY) - min(GREY) < 10
    old = LABEL["C1"].shown
    without = Image.open(draw(LABEL["C1"]._replace(new=old, shown=old), tmp_path / "b.png"))
    assert without.size
    pale = Image.open(draw(LABEL["C1"]._replace(new=("front",), shown=()), tmp_path / "c.png"))
    dark = [sum(image.convert("L").histogram()[:90]) for image in (found, pale)]
    assert dark[0] > 100


def test_the_pdf_has_the_pictures_of_today(tmp_path: Path) -> None:
    """Otherwise: ./scripts/dev hardware guide. Some pictures stand for all."""
    shown = [
        image.get_bitmap().to_pil()
        for page in pypdfium2.PdfDocument(README.parent / "out" / "guide-full.pdf")
        for image in page.get_objects(filter=[FPDF_PAGEOBJ_IMAGE])
    ]
    steps = list(GUIDE.path("full"))
    boards = sum(step.listed for step in steps)
    assert len(shown) == len(steps) + boards + sum(len(step.drawings) for step in steps) + len(cables("full"))
    for label in ("A3", "E3", "F6"):
        fresh = draw(LABEL[label], tmp_path / "step.png")
        assert min(differing(Image.open(fresh), each) for each in shown) < 0.001, label
