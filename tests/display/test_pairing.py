"""Phones at the box: the choices of the menu, the screen, and the code that a phone's camera reads."""

from __future__ import annotations

from dataclasses import replace

import pytest
import zxingcpp
from PIL import Image, ImageFilter

from tests.kit.panels import sees
from umpi.display.panel import Panel
from umpi.display.phone_menu import wifi_code
from umpi.display.picture import Picture
from umpi.display.qr import draw_qr
from umpi.kernel import Match
from umpi.kernel.registry import find, games
from umpi.simulator.reading import image_of
from umpi.table.commands import InvalidateCode
from umpi.table.seating import Seating

PAGE = "http://192.168.178.123:8000/"
PHONES = ((1, "Referee: iPhone"), (7, "Red: Android"))
KEYS = ("up", "down", "ok", "back", 0, 1, 2, 3, 4, 5)


@pytest.fixture
def panel():
    return Panel([find("dodeka"), find("dodekka")])


@pytest.fixture
def playing(panel):
    """A game of Ann's at the blue button and Ben's at the white one."""
    table = Seating(find("dodeka"), ("Ann", "Ben"), (1, 4))
    panel.show(Match(table.game, table.players), table)
    return panel


def read(picture):
    """What a camera reads."""
    image = image_of(picture) if isinstance(picture, Picture) else picture
    return [found.text for found in zxingcpp.read_barcodes(image.convert("L"))]


def shot(picture, scale=9, turned=11, blur=3.0, rim=80):
    """A photograph of the panel: its dots apart, in a dark bezel, held aslant and not quite sharp."""
    width, height = picture.size
    large = image_of(picture).convert("L").resize((width * scale, height * scale), Image.Resampling.NEAREST)
    for x in range(0, large.width, scale):
        large.paste(0, (x, 0, x + 1, large.height))
    for y in range(0, large.height, scale):
        large.paste(0, (0, y, large.width, y + 1))
    photo = Image.new("L", (large.width + 2 * rim, large.height + 2 * rim), 12)
    photo.paste(large, (rim, rim))
    return photo.rotate(turned, Image.Resampling.BICUBIC, fillcolor=12).filter(ImageFilter.GaussianBlur(blur))


def test_an_unchanged_list_of_phones_keeps_the_page():
    panel = Panel(games())
    panel.table.become(replace(panel.table.state, phones=PHONES))
    first = panel.picture().tobytes()
    panel.press("down")
    page = panel.picture().tobytes()
    assert page != first
    panel.table.become(replace(panel.table.state, phones=tuple(PHONES)))
    assert panel.picture().tobytes() == page


@pytest.mark.parametrize("page", [PAGE, "http://10.42.0.1:8000/", "http://umpi.local:8000", "http://127.0.0.1:8137/"])
def test_a_camera_reads_the_code_off_the_panel(playing, page):
    for digits in ("000000", "407123", "999999"):
        playing.table.become(replace(playing.table.state, code=(digits, page, "Ann", 60)))
        assert read(playing.picture()) == [f"{page.rstrip('/')}/#pair={digits}"]
        assert read(shot(playing.picture())) == [f"{page.rstrip('/')}/#pair={digits}"]


def test_a_camera_reads_it_beside_every_warning_too(playing):
    errors, code = {"Sensor head": "it is unplugged"}, ("407123", PAGE, "Ann", 60)
    state = replace(playing.table.state, unsaved="the disk is full", device_errors=errors, code=code)
    playing.table.become(state)
    assert sees(playing, "NOT SAVED")
    assert read(shot(playing.picture())) == [f"{PAGE}#pair=407123"]


@pytest.mark.parametrize("key", KEYS)
def test_any_press_only_removes_the_code(playing, key):
    before = playing.picture().tobytes()
    playing.table.become(replace(playing.table.state, code=("407123", PAGE, "Ann", 60)))
    assert playing.press(key) == InvalidateCode()
    playing.table.become(replace(playing.table.state, code=None))  # as the referee does
    assert playing.picture().tobytes() == before


def test_a_code_stays_while_the_game_goes_on(playing):
    playing.table.become(replace(playing.table.state, code=("407123", PAGE, "Ann", 60)))
    table = Seating(find("dodeka"), ("Ann", "Ben"), (1, 4))
    playing.show(Match(table.game, table.players), table)
    playing.tell("Problem", "Sensor head")
    assert read(playing.picture())


def test_a_camera_joins_the_boxs_own_network_and_opens_the_page(playing):
    playing.reach("umpi-7f3a", "k7mw9xqd2hfp", "http://10.42.0.1:8000/")
    playing.press(0)
    assert sees(playing, "Wi-Fi", "umpi-7f3a", "k7mw9xqd2hfp", "OK")
    assert read(shot(playing.picture())) == ["WIFI:S:umpi-7f3a;T:WPA;P:k7mw9xqd2hfp;;"]
    playing.press("ok")
    playing.press(1)
    assert sees(playing, "Web page")
    assert read(shot(playing.picture())) == ["http://10.42.0.1:8000/"]
    playing.press("back")
    assert sees(playing, "Wi-Fi: umpi-7f3a")


def test_a_new_box_says_hello_with_the_code_of_its_page(panel):
    panel.hello("The house", "", "http://den.local:8000/")
    assert sees(panel, "Hello!", "den.local:8000", "OK play")
    assert read(shot(panel.picture())) == ["http://den.local:8000/"]
    assert panel.press("ok") is None
    assert sees(panel, "Which game?")


def test_a_new_box_with_a_network_of_its_own_shows_that_code_first(panel):
    panel.hello("umpi-7f3a", "k7mw9xqd2hfp", PAGE)
    assert read(shot(panel.picture())) == ["WIFI:S:umpi-7f3a;T:WPA;P:k7mw9xqd2hfp;;"]
    panel.press("ok")
    assert sees(panel, "Hello!", "192.168.178.123", "OK play")
    panel.press("ok")
    assert sees(panel, "Which game?")


def test_no_hello_takes_anything_away(playing):
    before = playing.picture().tobytes()
    playing.hello("The house", "", PAGE)
    assert playing.picture().tobytes() == before, "a match"
    panel = Panel([find("dodeka")])
    panel.tell("Problem", "Sensor head")
    panel.hello("The house", "", PAGE)
    assert sees(panel, "Problem")
    panel.press("ok")
    panel.hello("The house", "", "")
    assert sees(panel, "Which game?"), "without a page there is nothing to scan"


def test_an_answer_begun_meanwhile_is_not_taken_away(playing):
    in_menu_page = playing.picture().tobytes()
    playing.press(0)
    begun = playing.picture().tobytes()
    assert begun != in_menu_page
    playing.reach("umpi-7f3a", "k7mw9xqd2hfp", PAGE)
    assert playing.picture().tobytes() == begun


def test_names_with_marks_of_their_own_are_joined_as_they_are():
    code = draw_qr(wifi_code('a;b:"c\\', "p,w;p:w,pw"))
    assert code is not None
    assert read(code) == ['WIFI:S:a\\;b\\:\\"c\\\\;T:WPA;P:p\\,w\\;p\\:w\\,pw;;']


def test_a_code_is_a_lit_square_of_the_panels_height_with_a_rim():
    for length in (1, 14, 17, 32, 53):
        code = draw_qr("x" * length)
        assert code is not None
        assert code.size == (64, 64)
        assert code.crop((0, 0, 64, 3)) == Picture(64, 3, 1)
        assert read(code) == ["x" * length]
        image = image_of(code)
        left, top, *_ = image.point(lambda dot: not dot).getbbox()
        bar = image.crop((left, top, left + 14, top + 1))  # seven modules of the mark in the corner
        assert bar.getbbox() is None
    assert draw_qr("x" * 54) is None
