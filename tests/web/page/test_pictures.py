"""The pictures of the page in the documents show what the page shows today."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from scripts.pictures.web_pages import web_pages
from scripts.screens.golden import PICTURES
from tests.kit.pictures import differing

TOLERANCE = 0.0005  # of the dots: two machines may smooth letters differently, and a changed word is more


@pytest.mark.slow
def test_the_pictures_of_the_page_show_the_page_of_today() -> None:
    """`./scripts/dev pictures` draws them again."""
    taken = {name: Image.open(BytesIO(png)) for name, png in web_pages()}
    shares = {name: differing(PICTURES / name, picture) for name, picture in taken.items()}
    assert {name: share for name, share in shares.items() if share > TOLERANCE} == {}
    assert shares.keys() == {"box.png", "phone.png", "phone-dark.png", "tv.png"}
