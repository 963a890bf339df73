"""Install a game from a folder and from a server, with real wheels: it plays, and what is wrong changes nothing."""

from __future__ import annotations

import json
import os
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import rmtree

import pytest

from tests.kit.seen import check_part
from tests.kit.shelf_stories import BOX, Step, Story, told, writes
from tests.kit.tabs import Quiet, served
from tests.kit.wheels import (
    EXPANSION,
    GAME,
    KEY,
    NAME,
    OTHER_KEY,
    POINTS,
    RULES,
    Umpi,
    expansion,
    file_of,
    info_of,
    package_of,
    package_of_expansion,
    put_on_shelf,
    retold,
    wheel,
)
from umpi.shelf.index import Package
from umpi.shelf.known import Shelf, read_shelves, write_shelves
from umpi.shelf.place import INDEX, Place, Unreached


@pytest.mark.slow
def test_a_game_is_installed_from_a_server_and_plays(
    state: Path, umpi: Umpi, program: Callable[..., str], tmp_path: Path
) -> None:
    venv = sorted(os.listdir(sysconfig.get_path("purelib")))
    put_on_shelf(tmp_path / "shelf", wheel())
    with served(tmp_path / "shelf") as address:
        status, out, _ = umpi("shelf", "add", address)
        assert (status, KEY.public in out, f"To install one: umpi install {GAME}" in out) == (0, True, True)
        assert umpi("install", GAME)[:2] == (
            0, "Night owls 0.1 is installed.\nThe box has it from its next start on: umpi sim --open\n",
        )  # fmt: skip
    assert sorted(os.listdir(sysconfig.get_path("purelib"))) == venv
    assert GAME in [json.loads(line)["id"] for line in program("games").splitlines()]
    (tmp_path / "record.jsonl").write_text(program("play-out", GAME, "--seed", "1"))
    assert json.loads(program("replay", str(tmp_path / "record.jsonl")))["state"]["phase"] == "over"
    assert "NIGHT OWLS" in program("rules", GAME)
    assert "2 games, 2 players" in program("lab", GAME, "--games", "2", "--workers", "2")
    (tmp_path / "scenario.txt").write_text(f"game {GAME}\npress red blue ok ok\n")
    assert "all as expected" in program("sim", "--script", str(tmp_path / "scenario.txt"))


def offers(what: str, content: bytes | None = None, package: Package | None = None, folder: str = "shelf") -> Step:
    """Return the step that adds a shelf with a wheel, of which the index says what it is or something else."""
    key = KEY if folder == "shelf" else OTHER_KEY

    def offer(at: Path) -> None:
        put_on_shelf(at / folder, content or wheel(), package, key)
        shelves = read_shelves(at / BOX / "shelves.json")
        write_shelves(at / BOX / "shelves.json", [*shelves, Shelf(Place(str(at / folder)), key.public)])

    return f"{folder} offers {what}", offer


def fault(what: str, content: bytes | None = None, game: str = GAME, **said: object) -> Story:
    """Return the story of a wheel that is not installed: its content, or what the index says of it, is wrong."""
    content = content or wheel()
    package = package_of_expansion(content) if game == EXPANSION else package_of(content)
    return offers(what, content, replace(package, **said)), f"install {game}"  # type: ignore[arg-type]


def renamed(id: str, name: str = NAME) -> tuple[bytes, Package]:
    """Return the wheel of the same game with another id, and what an index says of it."""
    points = {f"{info_of(name)}/entry_points.txt": POINTS.replace(GAME, id).encode()}
    content = wheel(changed={**points, **retold(f'"{GAME}"', f'"{id}"')}, name=name)
    package = package_of(content, name=name)
    return content, replace(package, games=(replace(package.games[0], id=id),))


def second_game(id: str) -> tuple[bytes, Package]:
    """Return the wheel of two games, and what an index says of it."""
    points = f"{POINTS}{POINTS.replace(GAME, id).partition(chr(10))[2]}"
    content = wheel(changed={f"{info_of()}/entry_points.txt": points.encode()})
    package = package_of(content)
    return content, replace(package, games=(*package.games, replace(package.games[0], id=id)))


def changes_the_checksum(at: Path) -> None:
    evil = package_of(wheel(changed={RULES: b"print('evil')"}))
    text = (at / "shelf" / INDEX).read_text()
    (at / "shelf" / INDEX).write_text(text.replace(package_of(wheel()).sha256, evil.sha256))


def adds_a_server_that_is_gone(at: Path) -> None:
    with served(at) as address:
        pass
    write_shelves(at / BOX / "shelves.json", [Shelf(Place.read(address), KEY.public)])


def is_installed_by_pip(at: Path) -> None:
    (at / "venv" / info_of()).mkdir(parents=True)
    (at / "venv" / info_of() / "METADATA").write_text(f"Name: {NAME}\nVersion: 0.1\n")


def loses_its_folder(at: Path) -> None:
    for folder in (at / BOX / "packages").glob("umpi-*"):
        rmtree(folder)


def prints(what: str) -> bytes:
    return expansion(options=f"(__import__('os').write(1, b'{what}\\n'), base)[1]")


WHOLE, INSTALLED = offers("the game"), f"install {GAME}"
REMOVED, GIVEN = f"install {GAME} --remove", "--config umpi.toml"
EXPANDS = expansion(GAME)
SETTINGS = '[box]\njournal = "BOX/games.db"\n'
STORIES: Mapping[str, Story] = {
    "the settings cannot be read": (
        WHOLE, writes("umpi.toml", "[box\n"), f"shelf {GIVEN}", f"shelf add shelf {GIVEN}", f"{INSTALLED} {GIVEN}",
        f"{REMOVED} {GIVEN}", f"publish shelf {GAME} {GIVEN}",
    ),
    "the bridge needs no game": (
        writes("umpi.toml", f'[rules.owls]\ngame = "{GAME}"\n'), f"mqtt --dropped --outbox mqtt.db {GIVEN}",
        f"history {GIVEN}",
    ),
    "a checksum": (offers("another wheel", package=package_of(wheel("0.2"))), INSTALLED),
    "a compiler": fault("a compiled wheel", file=file_of(tag="cp311-cp311-linux_armv6l")),
    "a newer kernel": fault("a wheel for a newer kernel", umpi_api=99),
    "an older kernel": fault("a wheel for an older kernel", umpi_api=2),
    "another version": fault("another version", version="0.3"),
    "it hides a module": fault("a module of Python", wheel(changed={"json/__init__.py": b""})),
    "it needs more": fault("a wheel that needs numpy", wheel(needs=["numpy"])),
    "an expansion needs more": fault("one that needs numpy", expansion(needs=["umpi", "numpy"]), EXPANSION),
    "an expansion needs another Umpi": fault("one for Umpi 99", expansion(needs=["umpi>=99"]), EXPANSION),
    "no package replaces a game of Umpi": (
        offers("a game and dudab-buba", *second_game("dudab-buba")), INSTALLED, "install dudab-buba",
    ),
    "what is no shelf is not added": (
        *("shelf", writes(INDEX, "<html>"), "shelf add .", writes(INDEX, '{"shelf": 9}'), "shelf add .", "shelf"),
    ),
    "somebody has changed the index": (WHOLE, ("somebody changes the checksum", changes_the_checksum), INSTALLED),
    "pip has installed it": (WHOLE, ("pip installs the game", is_installed_by_pip), INSTALLED),
}  # fmt: skip
LOADED: Mapping[str, Story] = {  # in which a process loads the game
    "it is removed and installed again": (WHOLE, INSTALLED, "games", REMOVED, "games", INSTALLED),
    "it is expanded": (
        WHOLE, INSTALLED, offers("an expansion", EXPANDS, package_of_expansion(EXPANDS, GAME), "other"),
        f"install {EXPANSION}", "games",
    ),
    "the settings name it": (
        WHOLE, writes("umpi.toml", f'{SETTINGS}[rules.owls]\ngame = "{GAME}"\noptions = {{goal = 50}}\n'),
        f"{INSTALLED} {GIVEN}", f"{REMOVED} {GIVEN}", writes("umpi.toml", f"{SETTINGS}[options]\ngoal = 50\n"),
        f"{REMOVED} {GIVEN}", writes("umpi.toml", f"{SETTINGS}[options]\ntarget = 300\n"), f"{REMOVED} {GIVEN}",
    ),
    "a kernel that nobody has told of": fault(
        "an old wheel", wheel(changed=retold("umpi_api: ClassVar = 3", "umpi_api: ClassVar = 2"))
    ),
    "it does not load": fault("a game that does not load", wheel(changed={RULES: b"1 / 0"})),
    "it ends the process": fault("a game that ends", wheel(changed={RULES: b"import os; os._exit(7)"})),
    "another id": fault("a game with another id", wheel(changed=retold(f'"{GAME}"', '"day-owls"'))),
    "an expansion does not load": fault("one that does not load", expansion(options="nothing"), EXPANSION),
    "an expansion writes words": fault("one that writes", prints("hello"), EXPANSION),
    "an expansion writes a number": fault("one that writes", prints("5"), EXPANSION),
    "an expansion prints": fault("one that prints", expansion(options="(print('it is late'), base)[1]"), EXPANSION),
    "a shelf cannot be reached": (
        ("a server is added, and gone", adds_a_server_that_is_gone), INSTALLED, WHOLE, "shelf", INSTALLED,
    ),
    "another shelf has a package of its name": (
        WHOLE, INSTALLED, offers("day-owls", *renamed("day-owls"), folder="other"), "install day-owls",
    ),
    "two packages bring one module": (
        WHOLE, INSTALLED, offers("day-owls", *renamed("day-owls", "umpi-day-owls"), folder="other"), "install day-owls",
    ),
    "its folder is lost": (WHOLE, INSTALLED, ("its folder is lost", loses_its_folder), "games", INSTALLED, "games"),
    "the list is damaged": (
        WHOLE, INSTALLED, writes(f"{BOX}/packages/packages.json", "{"), "games", INSTALLED, REMOVED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", [*STORIES, *(pytest.param(name, marks=pytest.mark.slow) for name in LOADED)])
def test_each_story_of_a_game_is_what_somebody_has_read(
    name: str, state: Path, umpi: Umpi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    monkeypatch.syspath_prepend(str(tmp_path / "venv"))
    text = told({**STORIES, **LOADED}[name], umpi, tmp_path)
    check_part(Path(__file__).with_name("seen") / "stories.txt", name, text, [*STORIES, *LOADED], "== ")


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("http://127.0.0.1:1/router?restart=1", "the server redirects to another address"),
        ("file:///etc/hostname", "the server answers with the error 302"),
        ("http://a..b/x", "the server redirects to another address"),
    ],
)
def test_a_shelf_sends_the_box_to_no_other_server(to: str, why: str) -> None:
    class Sending(Quiet):
        def do_GET(self) -> None:  # noqa: N802  # the name that the standard library calls
            self.send_response(302)
            self.send_header("Location", to)
            self.end_headers()

    with served(Path(), handler=Sending) as address, pytest.raises(Unreached, match=why):
        Place.read(address).fetch(INDEX, 100)


def test_a_shelf_may_move_its_files_on_its_own_server(tmp_path: Path) -> None:
    class Moved(Quiet):
        def do_GET(self) -> None:  # noqa: N802  # the name that the standard library calls
            if self.path.startswith("/old"):
                self.send_response(302)
                self.send_header("Location", self.path.replace("/old", ""))
                self.end_headers()
            else:
                super().do_GET()

    (tmp_path / INDEX).write_text("found")
    with served(tmp_path, handler=partial(Moved, directory=tmp_path)) as address:
        assert Place.read(f"{address}old").fetch(INDEX, 100) == b"found"


@pytest.mark.parametrize("sent", [b"half", b""])
def test_an_answer_that_breaks_off_is_named(sent: bytes) -> None:
    class Broken(Quiet):
        def do_GET(self) -> None:  # noqa: N802  # the name that the standard library calls
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(sent)

    with served(Path(), handler=Broken) as address, pytest.raises(Unreached, match="the answer broke off"):
        Place.read(address).fetch(INDEX, 1000)


def test_root_leaves_the_files_to_the_user_of_the_box(state: Path, umpi: Umpi, monkeypatch: pytest.MonkeyPatch) -> None:
    state.mkdir(parents=True)
    if os.geteuid() == 0:
        os.chown(state, 65534, 65534)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    status, _, err = umpi("install", GAME)
    assert (status, f"{state} belongs to {state.owner()}. Run the command as {state.owner()}: sudo -u " in err) == (
        2,
        True,
    )
    assert [*state.iterdir()] == []
