"""The case as solids: what a printer, a viewer, a CAD program and a browser read is the box of case.toml."""

from __future__ import annotations

import json
import re
import struct
from itertools import pairwise
from math import pi
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from hardware.case import panels
from hardware.case.numbers import Case, read_case
from hardware.case.render import README, save_solids
from hardware.case.shapes import closed
from hardware.case.strength import ribs
from tests.kit.pictures import differing
from tests.kit.stl import mesh_of, read_stl

pytest.importorskip("build123d", reason="no build123d here: pip install -e '.[cad]'")
from hardware.case.assembly import assembly
from hardware.case.models import lies, models
from hardware.solids.shapes import Piece

pytestmark = pytest.mark.slow  # each needs build123d
CASE = read_case()
OUT = README.parent / "out"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files of solids, newly made."""
    folder = tmp_path_factory.mktemp("case")
    save_solids(CASE, folder)
    return folder


@pytest.mark.parametrize("name", list(models(CASE)))
def test_a_kept_model_is_the_solid_of_today(name: str) -> None:
    """Otherwise: ./scripts/dev hardware case"""
    solid, kept = models(CASE)[name](), read_stl(OUT / f"{name}.stl")
    fresh = mesh_of(Piece(name, (0, 0, 0), solid))
    assert kept.volume == pytest.approx(fresh.volume, rel=1e-4)
    assert (kept.low, kept.high) == (pytest.approx(fresh.low, abs=1e-3), pytest.approx(fresh.high, abs=1e-3))
    assert kept.bodies == len(solid.solids()) == 1
    assert kept.open_edges == 0


@pytest.mark.parametrize("name", list(models(CASE)))
def test_a_model_is_as_large_and_as_heavy_as_drawn(name: str) -> None:
    """Its volume is that of the panels it is of; grooves take at most a twentieth."""
    solid, (size, volume) = models(CASE)[name](), _drawn(CASE, name)
    box = solid.bounding_box()
    assert tuple(box.min) == pytest.approx((0, 0, 0), abs=1e-3)
    assert tuple(box.max) == pytest.approx(size, abs=1e-3)
    assert 0.95 * volume <= solid.volume <= volume * 1.001


def test_the_glb_has_every_piece_by_its_name_and_is_as_large_as_the_box_in_metres(made: Path) -> None:
    """Its two chunks as the specification of glTF 2.0 lays them out."""
    data = (made / "box.glb").read_bytes()
    magic, version, long = struct.unpack_from("<III", data)
    assert (magic, version, long) == (0x46546C67, 2, len(data))
    first, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    scene: dict[str, Any] = json.loads(data[20 : 20 + first])
    names = [piece.name.replace('"', "") for piece in assembly(CASE)]
    assert [node["name"] for node in scene["nodes"]] == ["Umpi", *names]
    tray = scene["meshes"][scene["nodes"][1]["mesh"]]["primitives"]
    ends = [scene["accessors"][part["attributes"]["POSITION"]] for part in tray]
    width, depth, height = (side / 1000 for side in CASE.box.outer)
    assert [max(axis) for axis in zip(*(end["max"] for end in ends), strict=True)] == pytest.approx(
        [width, depth, height - CASE.box.sheet / 1000]
    )
    assert scene["nodes"][0]["rotation"][0] == pytest.approx(-(0.5**0.5)), "y is up"


def test_the_step_file_has_every_panel_at_its_place(made: Path) -> None:
    """Read as text: its parts by name, in millimetres."""
    text = (made / "box.step").read_text()
    assert text.startswith("ISO-10303-21;")
    products = set(re.findall(r"PRODUCT\('([^']*)'", text))
    assert set(lies(CASE)) <= products
    assert {"Pi", "carrier", "micro-USB 54"} <= products
    assert "SI_UNIT(.MILLI.,.METRE.)" in text.replace(" ", "")
    assert text.count("MANIFOLD_SOLID_BREP(") == len(products - {"Umpi"})


def test_the_kept_picture_is_that_of_today(made: Path) -> None:
    assert differing(made / "exploded.png", OUT / "exploded.png") < 0.001


def test_the_page_draws_the_box_and_takes_it_apart(browser: WebDriver, made: Path) -> None:
    browser.get((made / "box.html").as_uri())
    colours = """
        const dots = new Uint8Array(4 * canvas.width * canvas.height);
        gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, dots);
        const found = new Set();
        for (let at = 0; at < dots.length; at += 4) found.add(dots[at] << 16 | dots[at + 1] << 8 | dots[at + 2]);
        return found.size;"""
    if not browser.execute_script("return Boolean(gl)"):
        pytest.skip("this Chromium has no WebGL 2")
    WebDriverWait(browser, 30).until(lambda page: page.execute_script(f"draw(false); {colours}") > 40)
    shown = browser.execute_script(f"apart.value = 0; draw(false); {colours}")
    assert shown < browser.execute_script(f"apart.value = 1; draw(false); {colours}"), "the inside comes into view"
    assert browser.find_element(By.ID, "view").get_attribute("aria-label")


def _area(outline: Any) -> float:
    return float(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(closed(outline))) / 2)


def _drawn(case: Case, name: str) -> tuple[tuple[float, float, float], float]:
    """The size and the volume of a model, from the panels; 48 corners of a hole are 0.3 % less than a circle."""
    (width, depth, height), sheet = case.box.outer, case.box.sheet
    if name == "clip":
        (long, wide), bore = case.clip.size, pi * case.box.screw**2 / 4
        high = case.clip.spacer
        return (long, wide, sheet + high), (long * wide - bore) * sheet + (wide * wide - bore) * high
    if name == "tray":
        found = panels.panels(case, case.oleds["2.42"])
        holes = sum(_area(cut.contour()) for key in found if key != "front" for cut in found[key].cuts) * sheet
        kept = sum(
            _area(rib.contour()) * sheet for key in found for cut in found[key].cuts for rib in ribs(case, cut)
            if key in ("rear", "left", "right")
        )  # fmt: skip
        hollow = (width - 2 * sheet) * (depth - 2 * sheet) * (height - 2 * sheet)
        return (width, depth, height - sheet), width * depth * (height - sheet) - hollow - holes + kept
    front = panels.front(case, case.oleds[name.removeprefix("front-")])
    return (width, depth, sheet), (width * depth - sum(_area(cut.contour()) for cut in front.cuts)) * sheet
