"""The index of a shelf: what is written is read, whoever changed it is found out, and each fault has its sentence."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.seen import check_seen
from tests.kit.tabs import served
from tests.kit.wheels import GAME, KEY, OTHER_KEY, package_of, put_on_shelf, wheel
from umpi.shelf.index import MOST_WHEEL, BadIndex, Index, read_index, write_index
from umpi.shelf.known import BadShelf, Shelf, look, read_shelves, write_shelves
from umpi.shelf.place import INDEX, Place

PACKAGE = package_of(b"wheel")
WRITTEN = write_index((PACKAGE,), KEY)


def refusal(content: bytes) -> str:
    with pytest.raises(BadIndex) as refused:
        read_index(content)
    return str(refused.value)


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


LACKING = "nothing"
OTHERS: list[Any] = [
    LACKING, None, True, -1, 0, 1, 1.5, MOST_WHEEL, MOST_WHEEL + 1, 2**31, 2**31 + 1, "", "3", "a\nb", "x" * 500,
    "x" * 501, "../evil.whl", ".whl", "a\\b.whl", "AB" * 32, "ab" * 32, "ab" * 32 + "c", "fr", [], ["fr"],
    ["pt-BR", "gsw"], ["f", "<b>"], ["a\nb"], ["x" * 500], ["x" * 501], [1], [1, 2], [1, 2, 3], [1, True], [0.5, None],
    {}, "elsewhere",
]  # fmt: skip


def fields_of(part: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to each field of an index."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        if isinstance(key, str):
            yield (*way, key)
        yield from fields_of(value, (*way, key))


def outcome(way: tuple[str | int, ...], value: Any) -> tuple[str, Any]:
    """Return why an index with another value of a field is refused; or "", and the value with which it is read."""
    content = json.loads(WRITTEN)
    *before, last = way
    part = reduce(getitem, before, content)
    if value is LACKING:
        del part[last]
    else:
        part[last] = value
    del content["key"], content["signature"]
    try:
        index = read_index(json.dumps(KEY.sign("shelf", content)).encode())
    except BadIndex as fault:
        return fault.reason, None
    read = json.loads(write_index(index.packages, KEY))
    return "", reduce(getitem, way, read)


def short(value: Any) -> str:
    return re.sub(r"(x|ab|AB)\1{9,}", lambda run: f"{run[1]}…{len(run[0])}", json.dumps(value))


def field_lines() -> Iterator[str]:
    for way in fields_of(json.loads(WRITTEN)):
        if way[0] in ("key", "signature", "shelf"):
            continue
        said = dict[str, list[str]]()
        for value in OTHERS:
            why, read = outcome(way, value)
            then = f" is read as {short(read)}" if not why and read != value else ""
            said.setdefault(why, []).append(f"{value if value is LACKING else short(value)}{then}")
        yield f"== {'.'.join(map(str, way))}"
        for why, values in said.items():
            yield from (f"{why or 'read'}:", f"    {'  '.join(values)}")


def test_each_field_takes_the_values_that_somebody_has_read_although_others_are_signed_too() -> None:
    check_seen(Path(__file__).with_name("seen") / "fields.txt", field_lines())


def test_an_index_names_each_game_and_each_package_once() -> None:
    other = replace(PACKAGE, name="umpi-other")
    same_name = replace(PACKAGE, games=(replace(PACKAGE.games[0], id="other"),))
    for second in (PACKAGE, other, same_name):
        assert refusal(write_index((PACKAGE, second), KEY).encode()).startswith("it names a game or a package twice")
    both = (PACKAGE, replace(other, games=same_name.games))
    assert read_index(write_index(both, KEY).encode()) == Index(both, KEY.public)


def test_a_shelf_is_read_from_a_folder_and_from_a_server(tmp_path: Path) -> None:
    put_on_shelf(tmp_path, wheel())
    with served(tmp_path) as address:
        assert look(Place.read(address)) == look(Place.read(str(tmp_path)))


def test_a_place_that_cannot_be_reached_says_why(tmp_path: Path) -> None:
    with served(tmp_path) as address, pytest.raises(BadShelf, match="the server has no such file"):
        look(Place.read(address))
    nobody = r"The shelf cannot be read: http://localhost:[0-9]+/shelf\.json: nobody answers there"
    with closing(socket.socket()) as held:  # its port is nobody else's, and nobody listens there
        held.bind(("127.0.0.1", 0))
        with pytest.raises(BadShelf, match=nobody):
            look(Place.read(f"http://localhost:{held.getsockname()[1]}"))
    with pytest.raises(BadShelf, match=r"/shelf\.json: there is no such file or folder"):
        look(Place.read(str(tmp_path)))
    with pytest.raises(BadShelf, match=r"http://nowhere\.invalid/shelf\.json: "):
        look(Place.read("http://nowhere.invalid"))


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
