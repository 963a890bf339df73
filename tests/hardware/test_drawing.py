"""What a maker measures on the paper, and what a saw or a laser reads from the file."""

from __future__ import annotations

import re
from pathlib import Path

import ezdxf
import pypdfium2
import pytest
from ezdxf.math import Vec3

from hardware.case.drawings import sheets as case_sheets
from hardware.case.numbers import read_case
from hardware.drawing import Sheet
from hardware.drawing.pages import MARGIN_MM, OVERLAP_MM, Page, pages_of, whole_of
from hardware.drawing.revisions import DRAFT, REVISIONS, revision_of
from hardware.gate.drawings import sheets as gate_sheets
from hardware.gate.numbers import read_numbers
from hardware.wall.numbers import load as read_wall
from hardware.wall.render import sheets as wall_sheets

DOTS = 10  # a millimetre, in the pictures that are measured here


def plate(wide: float = 120, high: float = 60, scale: tuple[int, int] = (1, 1)) -> Sheet:
    sheet = Sheet("A plate", "T-1", scale)
    sheet.box((0, 0), wide, high)
    sheet.circle((wide / 4, high / 2), 8)
    sheet.dim((0, 0), (wide, 0), -10)
    return sheet


def runs(path: Path, page: int = 0) -> list[float]:
    """All unbroken dark lines across one page as it prints, in mm, 30 mm or longer."""
    picture = pypdfium2.PdfDocument(path)[page].render(scale=DOTS * 25.4 / 72, grayscale=True).to_pil()
    wide, data = picture.width, picture.tobytes()
    rows = (data[at : at + wide] for at in range(0, len(data), wide))
    return [len(run.group()) / DOTS for row in rows for run in re.finditer(rb"[\x00-\xa0]{300,}", row)]


@pytest.mark.parametrize(("wide", "scale"), [(120, (1, 1)), (500, (1, 1)), (900, (1, 5))])
def test_the_check_bar_is_100_mm_on_every_page_as_it_prints(
    tmp_path: Path, wide: float, scale: tuple[int, int]
) -> None:
    pdf = plate(wide, 60, scale).save(tmp_path, "plate")[1]
    for page in range(len(pypdfium2.PdfDocument(pdf))):
        assert any(abs(run - 100) <= 0.3 for run in runs(pdf, page)), f"page {page + 1}"


def test_at_1_to_1_what_is_drawn_prints_as_long_as_it_is(tmp_path: Path) -> None:
    assert any(abs(run - 151.3 - 0.5) <= 0.2 for run in runs(plate(151.3).save(tmp_path, "plate")[1]))


def test_at_1_to_5_it_prints_a_fifth_as_long(tmp_path: Path) -> None:
    assert any(abs(run - 121 - 0.5) <= 0.2 for run in runs(plate(605, 60, (1, 5)).save(tmp_path, "plate")[1]))


def test_pages_are_a4_whichever_way_takes_fewer(tmp_path: Path) -> None:
    for high, many in ((60, 1), (200, 1), (500, 3)):
        document = pypdfium2.PdfDocument(plate(120, high).save(tmp_path, "plate")[1])
        assert len(document) == many
        assert {tuple(sorted(round(side * 25.4 / 72) for side in page.get_size())) for page in document} == {(210, 297)}


def covered(page: Page) -> tuple[float, float, float, float]:
    """What of the drawing a page shows, in the drawing's own place."""
    left, bottom, right, top = page.window
    x, y = page.shift
    return left - x, bottom - y, right - x, top - y


def test_tiles_cover_all_and_share_the_overlap_with_their_neighbours() -> None:
    pages = pages_of(plate(500, 400))
    lefts, rights = sorted({covered(page)[0] for page in pages}), sorted({covered(page)[2] for page in pages})
    assert len(lefts) > 1
    assert lefts[0] <= 0
    assert rights[-1] >= 500
    shared = [right - left for right, left in zip(rights, lefts[1:], strict=False)]
    assert shared == pytest.approx([OVERLAP_MM] * len(shared))


def test_two_crosses_of_each_seam_print_on_both_of_its_pages() -> None:
    pages = pages_of(plate(500, 400))
    places = [ring.centre for ring in pages[0].crosses if hasattr(ring, "centre")]
    assert len(places) == len(set(places))
    for x, y in places:
        on = [box for box in map(covered, pages) if box[0] < x - 4 < x + 4 < box[2] and box[1] < y - 4 < y + 4 < box[3]]
        assert len(on) == 2
    for box in map(covered, pages):
        assert sum(box[0] < x < box[2] and box[1] < y < box[3] for x, y in places) >= 2


def test_the_printed_crosses_of_neighbours_lie_over_each_other(tmp_path: Path) -> None:
    """Read from the PDF: the same cross, moved by the step between two pages."""
    sheet = plate(500, 60)
    first, second = pages_of(sheet)[:2]
    step = covered(second)[0] - covered(first)[0]
    document = pypdfium2.PdfDocument(sheet.save(tmp_path, "plate")[1])

    def dots(page: int) -> set[tuple[int, int]]:
        found = set()
        for thing in document[page].get_objects():
            left, bottom, right, top = (side * 25.4 / 72 for side in thing.get_bounds())
            if right - left == pytest.approx(top - bottom, abs=0.05) and 4 < right - left < 4.5:
                found.add((round((left + right) / 2), round((bottom + top) / 2)))
        return found

    assert {(x - round(step), y) for x, y in dots(0)} & dots(1)


def test_every_page_keeps_clear_of_what_a_printer_leaves_white(tmp_path: Path) -> None:
    pdf = plate(500, 400).save(tmp_path, "plate")[1]
    for page in pypdfium2.PdfDocument(pdf):
        picture = page.render(scale=4 * 25.4 / 72, grayscale=True).to_pil().point(lambda level: 255 - level)
        box = picture.getbbox()
        assert box is not None
        edge = MARGIN_MM * 4 - 2
        assert min(box[0], box[1], picture.width - box[2], picture.height - box[3]) >= edge


def test_the_dxf_is_the_real_thing_in_millimetres_whatever_the_scale(tmp_path: Path) -> None:
    document = ezdxf.readfile(plate(605, 60, (1, 5)).save(tmp_path, "plate")[0])
    assert document.units == ezdxf.units.MM
    space = document.modelspace()
    (outline,) = space.query('LWPOLYLINE[layer=="CUT"]')
    assert {tuple(point[:2]) for point in outline} == {(0, 0), (605, 0), (605, 60), (0, 60)}
    (hole,) = space.query("CIRCLE")
    assert (hole.dxf.layer, hole.dxf.radius, hole.dxf.center) == ("HOLE", 4, Vec3(605 / 4, 30, 0))
    (measure,) = space.query("DIMENSION")
    assert measure.get_measurement() == pytest.approx(605)
    assert document.layers.get("HIDDEN").dxf.linetype == "DASHED"
    assert not document.audit().errors


def test_a_measure_says_the_real_length() -> None:
    sheet = plate(605, 60, (1, 5))
    sheet.dim((0, 0), (30, 40), 5)
    sheet.dim((0, 0), (30, 40), 5, along="y")
    assert [item.words for item in sheet.items if hasattr(item, "words")] == ["605", "50", "40"]


def test_the_same_drawing_gives_the_same_files(tmp_path: Path) -> None:
    once, again = (plate().save(tmp_path / folder, "plate") for folder in ("a", "b"))
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]


def test_the_title_block_says_what_is_ordered_and_when(tmp_path: Path) -> None:
    """Revision and date by the letter of the number; material, tolerance and quantity of the sheet."""
    sheet = Sheet("A plate", "C-9", material="plywood 3", tolerance="±0.2", quantity="4")
    sheet.box((0, 0), 60, 30)
    words = pypdfium2.PdfDocument(sheet.save(tmp_path, "plate")[1])[0].get_textpage().get_text_bounded()
    revision = REVISIONS["C"]
    for text in ("plywood 3", "tolerance ±0.2", "quantity 4", f"revision {revision.name}", f"date {revision.date}"):
        assert text in words, text


def test_letters_are_in_the_pdf_and_decimals_have_points(tmp_path: Path) -> None:
    sheet = plate(120.5)
    dxf, pdf = sheet.save(tmp_path, "plate")[:2]
    fonts = re.findall(rb"/BaseFont /(\S+)", pdf.read_bytes())
    assert fonts
    assert all(b"DejaVuSans" in font for font in fonts)
    assert pdf.read_bytes().count(b"/FontFile2") == len(fonts)
    document = ezdxf.readfile(dxf)
    blocks = [text.dxf.get("text", "") for block in document.blocks for text in block.query("TEXT MTEXT")]
    assert any("120.5" in text for text in blocks)
    assert not any("," in text for text in blocks)


def test_every_sheet_has_a_revision_and_a_material() -> None:
    case, gate, wall = read_case(), read_numbers(), read_wall()
    every = [*case_sheets(case).values(), *(sheet for sheet, _ in gate_sheets(gate)), *wall_sheets(wall).values()]
    numbers = [sheet.number for sheet in every]
    assert len(numbers) == len(set(numbers))
    for sheet in every:
        assert revision_of(sheet.number) != DRAFT, sheet.number
        assert sheet.material != "see the sheet", sheet.number


def test_a_drawing_on_one_page_is_its_own_whole() -> None:
    assert whole_of(plate()) == pages_of(plate())[0]


def test_a_drawing_error_is_reported_with_its_sheet() -> None:
    sheet = Sheet("A plate", "T-1")
    with pytest.raises(ValueError, match=r"sheet T-1: layer 'LASER': there are CUT, HOLE"):
        sheet.line((0, 0), (1, 1), "LASER")
    with pytest.raises(ValueError, match=r"sheet T-1: .* lack '漢'"):
        sheet.text((0, 0), "漢 3 mm")
    with pytest.raises(ValueError, match=r"sheet T-1: a measure from .* is none"):
        sheet.dim((0, 0), (5, 0), 5, along="y")
    with pytest.raises(ValueError, match="nothing on the sheet"):
        pages_of(sheet)
