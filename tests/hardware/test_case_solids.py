"""The box as solids: what a viewer, a CAD program and a browser read is the box of case.toml."""

from __future__ import annotations

import json
import re
import struct
from base64 import b64decode
from typing import Any

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from hardware.case.assembly import assembly
from hardware.case.glb import glb
from hardware.case.numbers import read_case
from hardware.case.render import README
from hardware.case.step import lies

pytestmark = pytest.mark.once

CASE = read_case()
OUT = README.parent / "out"


def opened(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The two chunks of a GLB file, as the specification of glTF 2.0 lays them out."""
    magic, version, long = struct.unpack_from("<III", data)
    assert (magic, version, long) == (0x46546C67, 2, len(data))
    first, kind = struct.unpack_from("<I4s", data, 12)
    second, other = struct.unpack_from("<I4s", data, 20 + first)
    assert (kind, other, 28 + first + second) == (b"JSON", b"BIN\0", long)
    return json.loads(data[20 : 20 + first]), data[28 + first :]


def test_the_glb_is_drawn_from_these_numbers_and_keeps_its_own_rules() -> None:
    assert (OUT / "box.glb").read_bytes() == glb(assembly(CASE, OUT)), "scripts/hardware case"
    scene, data = opened((OUT / "box.glb").read_bytes())
    assert scene["buffers"] == [{"byteLength": len(data)}]
    for view in scene["bufferViews"]:
        assert view["byteOffset"] % 4 == 0
        assert view["byteOffset"] + view["byteLength"] <= len(data)
    for accessor in scene["accessors"]:
        view = scene["bufferViews"][accessor["bufferView"]]
        size = {"VEC3": 12, "SCALAR": 2}[accessor["type"]]
        assert accessor["count"] * size == view["byteLength"]
    for mesh in scene["meshes"]:
        (primitive,) = mesh["primitives"]
        places, order = (scene["accessors"][at] for at in (primitive["attributes"]["POSITION"], primitive["indices"]))
        view = scene["bufferViews"][order["bufferView"]]
        used = struct.unpack_from(f"<{order['count']}H", data, view["byteOffset"])
        assert max(used) == places["count"] - 1
        assert len(used) % 3 == 0


def test_the_glb_is_as_large_as_the_box_in_metres() -> None:
    scene, _ = opened((OUT / "box.glb").read_bytes())
    tray = next(node for node in scene["nodes"] if node["name"] == "tray")
    place = scene["accessors"][scene["meshes"][tray["mesh"]]["primitives"][0]["attributes"]["POSITION"]]
    width, depth, height = (side / 1000 for side in CASE.box[:3])
    assert place["max"] == pytest.approx([width, height - CASE.box.sheet / 1000, 0])
    assert place["min"] == pytest.approx([0, 0, -depth])


def test_the_step_file_has_every_panel_at_its_place() -> None:
    """Read as text: its parts by name, and its corners in millimetres."""
    text = (OUT / "box.step").read_text()
    assert text.startswith("ISO-10303-21;")
    products = set(re.findall(r"PRODUCT\('([^']*)'", text))
    assert set(lies(CASE)) <= products
    assert {"Pi", "carrier", "head", "Pico", "USB-A 9"} <= products
    assert "SI_UNIT(.MILLI.,.METRE.)" in text.replace(" ", "")
    assert text.count("MANIFOLD_SOLID_BREP(") == len(products - {"Umpi"})


@pytest.mark.slow
def test_the_page_draws_the_box_and_takes_it_apart(browser: WebDriver) -> None:
    page = OUT / "box.html"
    assert b64decode(re.search(r'id="model">([^<]*)', page.read_text())[1]) == (OUT / "box.glb").read_bytes()  # type: ignore[index]
    browser.get(page.as_uri())
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
