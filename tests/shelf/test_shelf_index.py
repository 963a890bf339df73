"""The index of a shelf: what is written is read, whoever changed it is found out, and each fault has its sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tabs import served
from tests.kit.wheels import GAME, KEY, OTHER_KEY, package_of, put_on_shelf, wheel
from umpi.shelf.index import BadIndex, Index, read_index, write_index
from umpi.shelf.known import BadShelf, Shelf, look, read_shelves, write_shelves
from umpi.shelf.place import INDEX, NoPlace, Place, Unreached

PACKAGE = package_of(b"wheel")
WRITTEN = write_index((PACKAGE,), KEY)


def refusal(content: bytes) -> str:
    with pytest.raises(BadIndex) as refused:
        read_index(content)
    return str(refused.value)


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return the index with a change that its owner has signed."""
    content = json.loads(WRITTEN)
    change(content)
    del content["key"], content["signature"]
    return json.dumps(KEY.sign("shelf", content)).encode()


def test_what_is_written_is_read() -> None:
    index = read_index(WRITTEN.encode())
    assert index == Index((PACKAGE,), KEY.public)
    assert index.package_of(GAME) == PACKAGE
    assert index.package_of("chess") is None


@given(st.data())
def test_no_changed_character_of_the_content_passes(data: st.DataObject) -> None:
    """A change of white space or of how a letter is written is none."""
    at = data.draw(st.integers(0, len(WRITTEN) - 1))
    letter = data.draw(st.sampled_from('09az",{}[]: '))
    other = f"{WRITTEN[:at]}{letter}{WRITTEN[at + 1 :]}"
    try:
        same = json.loads(other) == json.loads(WRITTEN)
    except ValueError:
        same = False
    if not same:
        refusal(other.encode())


def test_an_index_of_another_purpose_is_none() -> None:
    """A box signs its results with the same key; nobody can put such a signature under an index."""
    content = json.loads(WRITTEN)
    del content["key"], content["signature"]
    assert refusal(json.dumps(KEY.sign("result", content)).encode()).startswith(
        "its signature does not fit (the signature is not that of this content)"
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"<html>Not found</html>", "not JSON"),
        (b"", 'it has no "shelf"'),
        (b"[]", "expected a JSON object"),
        (b'{"games": []}', 'it has no "shelf"'),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"shelf": 2}', "a newer Umpi has written it (format 2, this Umpi reads 1): update Umpi"),
        (b'{"shelf": 1, "packages": []}', "nobody has signed it"),
    ],
)
def test_what_is_no_index(content: bytes, why: str) -> None:
    assert refusal(content).startswith(why)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda index: index.pop("packages"), 'it has no "packages" where a shelf needs one'),
        (lambda index: index["packages"].append(index["packages"][0]), "it names a game or a package twice"),
        (lambda index: index["packages"][0].update(file="../evil.whl"), '"file" must be the name of a file beside'),
        (lambda index: index["packages"][0].update(sha256="aa/../.."), '"sha256" must have 64 hexadecimal digits'),
        (lambda index: index["packages"][0].update(bytes=10**12), '"bytes" must be a whole number up to '),
        (lambda index: index["packages"][0].update(umpi_api="3"), '"umpi_api" must be a whole number'),
        (lambda index: index["packages"][0].update(version="\x1b[2J"), '"version" must be a text of one line'),
        (lambda index: index["packages"][0].update(games={}), '"games" must be a list'),
        (lambda index: index["packages"][0]["games"][0].update(seats=[2]), '"seats" must be two whole numbers'),
        (lambda index: index["packages"][0]["games"][0].update(languages=["<b>"]), '"languages" must be codes'),
        (lambda index: index["packages"][0]["games"][0].update(check=["a\nb"]), '"check" must be a list of texts'),
        (lambda index: index["packages"][0]["games"][0].update(lab=3), '"lab" must be an object'),
        (lambda index: index["packages"][0]["games"][0]["lab"].update(moves="many"), '"moves" must be numbers'),
    ],
)
def test_a_field_that_is_wrong_although_it_is_signed(change: Callable[[dict[str, Any]], object], why: str) -> None:
    assert refusal(changed(change)).startswith(why)


@pytest.mark.parametrize(
    "text", ["https://games.example/a/", "https://games.example/a", "https://games.example/a/shelf.json"]
)
def test_an_address_is_that_of_the_folder(text: str) -> None:
    assert Place.read(text) == Place("https://games.example/a")


@pytest.mark.parametrize("text", ["shelf", "shelf/", "./shelf/shelf.json", "x/../shelf"])
def test_a_folder_is_known_however_it_is_typed(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Place.read(text) == Place(str(tmp_path / "shelf"))


@pytest.mark.parametrize(
    "text", ["", "ftp://games.example/a", "file:///etc", "https://", "http://a b/c", "http://x:y/"]
)
def test_no_other_place_is_taken(text: str) -> None:
    with pytest.raises(NoPlace):
        Place.read(text)


def test_a_shelf_is_read_from_a_folder_and_from_a_server(tmp_path: Path) -> None:
    put_on_shelf(tmp_path, wheel())
    with served(tmp_path) as address:
        assert look(Place.read(address)) == look(Place.read(str(tmp_path)))


def test_a_place_that_cannot_be_reached_says_why(tmp_path: Path) -> None:
    with served(tmp_path) as address, pytest.raises(BadShelf, match="the server has no such file"):
        look(Place.read(address))
    with pytest.raises(
        BadShelf, match=r"The shelf cannot be read: http://localhost:[0-9]+/shelf\.json: nobody answers there"
    ):
        look(Place.read(address))
    with pytest.raises(BadShelf, match=r"/shelf\.json: there is no such file or folder"):
        look(Place.read(str(tmp_path)))
    with pytest.raises(BadShelf, match=r"http://nowhere\.invalid/shelf\.json: "):
        look(Place.read("http://nowhere.invalid"))


def test_no_more_is_read_than_allowed(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 11)
    with served(tmp_path) as address:
        for place in (Place.read(address), Place(str(tmp_path))):
            assert place.fetch("long", 11) == b"x" * 11
            with pytest.raises(Unreached, match="it is larger than 10 bytes"):
                place.fetch("long", 10)


def test_another_key_than_the_first_is_refused_with_what_to_do(tmp_path: Path) -> None:
    put_on_shelf(tmp_path, wheel())
    shelf = Shelf(Place(str(tmp_path)), KEY.public)
    assert shelf.look().key == KEY.public
    put_on_shelf(tmp_path, wheel(), key=OTHER_KEY)
    with pytest.raises(BadShelf, match=f"whether their key is now {OTHER_KEY.public}. If so, remove the shelf"):
        shelf.look()


def test_the_shelves_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "state" / "shelves.json"
    shelves = [Shelf(Place("https://games.example/a"), KEY.public), Shelf(Place("/media/stick"), OTHER_KEY.public)]
    assert read_shelves(file) == []
    write_shelves(file, shelves)
    assert read_shelves(file) == shelves


@pytest.mark.parametrize("content", ["[]", "{", '{"/shelf": "key"}'])
def test_damaged_shelves_are_set_aside_with_a_sentence(tmp_path: Path, content: str) -> None:
    for number in (1, 2):
        (tmp_path / INDEX).write_text(content * number)
        with pytest.raises(BadShelf, match=rf"was damaged\. It is now .*\.damaged-{number}\. Add your shelves again$"):
            read_shelves(tmp_path / INDEX)
        assert read_shelves(tmp_path / INDEX) == []
    assert [(tmp_path / f"{INDEX}.damaged-{number}").read_text() for number in (1, 2)] == [content, content * 2]
