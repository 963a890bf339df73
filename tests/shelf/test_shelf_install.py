"""Install a game from a folder and from a server, with real wheels: it plays, and what is wrong changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import sysconfig
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.kit.tabs import Quiet, served
from tests.kit.wheels import (
    GAME,
    KEY,
    MODULE,
    NAME,
    OTHER_KEY,
    POINTS,
    RULES,
    Umpi,
    file_of,
    info_of,
    package_of,
    put_on_shelf,
    retold,
    wheel,
)
from umpi.shelf.index import Package
from umpi.shelf.installed import Packages
from umpi.shelf.place import INDEX, Place, Unreached


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder with their contents."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


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


@pytest.mark.slow
def test_a_removed_game_leaves_nothing(state: Path, umpi: Umpi, program: Callable[..., str], tmp_path: Path) -> None:
    put_on_shelf(tmp_path / "shelf", wheel())
    umpi("shelf", "add", "shelf")
    umpi("install", GAME)
    assert umpi("install", GAME, "--remove")[1].startswith(f"{GAME} 0.1 is removed.\n")
    assert sorted(tree(state / "packages")) == ["lock", "packages.json"]
    assert GAME not in program("games")
    assert umpi("install", GAME)[0] == 0, "and it can be installed again"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (f'[rules.owls]\ngame = "{GAME}"\noptions = {{ goal = 50 }}\n', "[rules.owls]"),
        ("[options]\ngoal = 50\n", "[options] goal"),
    ],
)
def test_a_game_that_the_settings_name_is_not_removed(
    lines: str, what: str, state: Path, umpi: Umpi, tmp_path: Path
) -> None:
    """Without it the settings would be wrong, and the box would not start."""
    settings = tmp_path / "umpi.toml"
    settings.write_text(f'[box]\njournal = "{state / "games.db"}"\n{lines}')
    given = ("--config", str(settings))
    put_on_shelf(tmp_path / "shelf", wheel())
    umpi("shelf", "add", "shelf", *given)
    assert umpi("install", GAME, *given)[0] == 0, "the settings are not yet valid"
    status, _, err = umpi("install", GAME, "--remove", *given)
    assert (status, err) == (
        1, f"umpi: {settings} has {what} for {GAME}, and would not be valid without it. Delete that first.\n"
    )  # fmt: skip
    settings.write_text(f'[box]\njournal = "{state / "games.db"}"\n[options]\ntarget = 300\n')
    assert umpi("install", GAME, "--remove", *given)[0] == 0


@pytest.mark.parametrize("command", [
    "shelf", "shelf add shelf", f"install {GAME}", f"install {GAME} --remove", f"publish shelf {GAME}",
])  # fmt: skip
def test_unreadable_settings_are_named_and_nothing_changes(
    command: str, state: Path, umpi: Umpi, tmp_path: Path
) -> None:
    """Else the games, shelves and key of another box would count."""
    put_on_shelf(tmp_path / "shelf", wheel())
    (tmp_path / "umpi.toml").write_text("[box\n")
    status, out, err = umpi(*command.split(), "--config", "umpi.toml")
    assert (status, out, err.startswith("umpi: umpi.toml: "), err.count("\n")) == (2, "", True, 1)
    assert not state.exists()


def test_the_bridge_needs_no_game(state: Path, umpi: Umpi, tmp_path: Path) -> None:
    """It runs as a user who may not read those of the box."""
    settings = tmp_path / "umpi.toml"
    settings.write_text(f'[rules.owls]\ngame = "{GAME}"\n')
    given = ("--config", str(settings))
    assert umpi("mqtt", "--dropped", "--outbox", str(tmp_path / "mqtt.db"), *given)[0] == 0
    assert "night-owls" in umpi("history", *given)[2], "a command that needs it says that it is not there"


def made(**change: object) -> Callable[[], tuple[bytes, Package]]:
    """Return what makes a wheel with this change, and what the index says of it."""

    def make() -> tuple[bytes, Package]:
        content = wheel(**change)  # type: ignore[arg-type]
        return content, package_of(content)

    return make


def said(**change: object) -> Callable[[], tuple[bytes, Package]]:
    """Return what makes a whole wheel of which the index says something else."""

    def make() -> tuple[bytes, Package]:
        return wheel(), package_of(wheel(), **change)  # type: ignore[arg-type]

    return make


FAULTS: dict[str, tuple[Callable[[], tuple[bytes, Package]], str]] = {
    "checksum": (
        lambda: (wheel(), package_of(wheel("0.2"))),
        f"{file_of()}: its checksum is not the one that the owner of the shelf has signed. Try again later, or ask",
    ),
    "compiler": (
        said(file=file_of(tag="cp311-cp311-linux_armv6l")),
        "it is compiled for cp311-cp311-linux_armv6l. Only wheels of pure Python can be installed (py3-none-any)",
    ),
    "newer kernel": (
        said(api=99),
        f"{NAME} 0.1 is for version 99 of the kernel, which is newer than that of this Umpi, 3. Update Umpi",
    ),
    "older kernel": (said(api=2), "which is older than that of this Umpi, 3. Its author must adapt it"),
    "kernel that nobody has told of": (
        made(changed=retold("umpi_api: ClassVar = 3", "umpi_api: ClassVar = 2")),
        f"{GAME} does not load: it is written to version 2 of the kernel, this Umpi has 3",
    ),
    "does not load": (made(changed={RULES: b"1 / 0"}), f"{GAME} does not load: ZeroDivisionError: division by zero"),
    "ends the process": (
        made(changed={RULES: b"import os; os._exit(7)"}),
        f"{GAME} does not load: the process ends with status 7",
    ),
    "another id": (
        made(changed=retold(f'"{GAME}"', '"day-owls"')),
        f'{GAME} does not load: its id is "day-owls", its entry point says "{GAME}"',
    ),
    "another version": (
        said(version="0.3", file=file_of()), f"{file_of()}: the index describes another package",
    ),
    "hides a module": (
        made(changed={"json/__init__.py": b""}),
        "Python has another module json already, which would hide that of the game",
    ),
    "needs more": (made(needs=["numpy"]), "it needs the package numpy too. A game of the shelf may need nothing"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_sentence_and_nothing_is_installed(fault: str, state: Path, umpi: Umpi, tmp_path: Path) -> None:
    make, why = FAULTS[fault]
    content, package = make()
    put_on_shelf(tmp_path / "shelf", content, package)
    umpi("shelf", "add", "shelf")
    before = tree(state)
    status, out, err = umpi("install", GAME)
    assert (status, out) == (1, "")
    assert why in err
    assert err.endswith(". Nothing was installed.\n")
    assert err.count("\n") == 1
    assert {path: content for path, content in tree(state).items() if not path.endswith("/lock")} == before
    assert [file for file in (state / "packages").glob("*") if file.is_dir()] == []


def test_no_package_replaces_a_game_that_umpi_contains(state: Path, umpi: Umpi, tmp_path: Path) -> None:
    second = POINTS.replace(GAME, "dudab-buba").partition("\n")[2]
    content = wheel(changed={f"{info_of()}/entry_points.txt": f"{POINTS}{second}".encode()})
    package = package_of(content)
    both = (*package.games, replace(package.games[0], id="dudab-buba"))
    put_on_shelf(tmp_path / "shelf", content, replace(package, games=both))
    umpi("shelf", "add", "shelf")
    why = (
        "the game dudab-buba is one of those that Umpi contains, and no package may replace it. Nothing was installed."
    )
    assert umpi("install", GAME) == (1, "", f"umpi: {file_of()}: {why}\n")
    status, _, err = umpi("install", "dudab-buba")
    assert (status, err) == (2, "umpi: dudab-buba is one of the games that Umpi contains. It is there already.\n")
    assert not (state / "packages").exists()


def test_a_shelf_that_cannot_be_reached(state: Path, umpi: Umpi, tmp_path: Path) -> None:
    put_on_shelf(tmp_path / "shelf", wheel())
    put_on_shelf(tmp_path / "other", wheel())
    with served(tmp_path / "shelf") as address:
        umpi("shelf", "add", address)
    status, _, err = umpi("install", GAME)
    assert status == 1
    assert "nobody answers there. No shelf that can be read has a game night-owls." in err
    umpi("shelf", "add", "other")
    status, out, err = umpi("shelf")
    assert (status, json.loads(out)["id"]) == (1, GAME), "the other shelf is listed"
    assert "nobody answers there" in err
    assert umpi("install", GAME)[0] == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [("<html>", "it is not the index of a shelf (not JSON"), ('{"shelf": 9}', "a newer Umpi has written it (format 9")],
)
def test_what_is_no_shelf_is_not_added(content: str, why: str, state: Path, umpi: Umpi, tmp_path: Path) -> None:
    (tmp_path / INDEX).write_text(content)
    with served(tmp_path) as address:
        status, out, err = umpi("shelf", "add", address)
    assert (status, out) == (1, "")
    assert why in err
    assert umpi("shelf") == (0, "", "")
    assert not state.exists()


def test_an_index_that_somebody_has_changed_is_not_used(state: Path, umpi: Umpi, tmp_path: Path) -> None:
    put_on_shelf(tmp_path / "shelf", wheel())
    umpi("shelf", "add", "shelf")
    evil = package_of(wheel(changed={RULES: b"print('evil')"}))
    text = (tmp_path / "shelf" / INDEX).read_text()
    (tmp_path / "shelf" / INDEX).write_text(text.replace(package_of(wheel()).sha256, evil.sha256))
    status, _, err = umpi("install", GAME)
    assert status == 1
    assert "its signature does not fit (the signature is not that of this content). Somebody has changed it, or" in err
    assert not (state / "packages").exists()


@pytest.mark.slow
def test_only_its_shelf_may_update_a_game(state: Path, umpi: Umpi, packages: Packages, tmp_path: Path) -> None:
    """Else anybody whose shelf was added could bring another program under the name of a game."""
    put_on_shelf(tmp_path / "shelf", wheel())
    umpi("shelf", "add", "shelf")
    umpi("install", GAME)
    put_on_shelf(tmp_path / "other", wheel("0.2"), package_of(wheel("0.2"), "0.2"), OTHER_KEY)
    umpi("shelf", "add", "other")
    assert "installed already" in umpi("install", GAME)[1]
    umpi("shelf", "remove", "shelf")
    status, _, err = umpi("install", GAME)
    assert status == 1
    assert err.startswith(f"umpi: {GAME} was installed from {tmp_path / 'shelf'}, and only that shelf may update it.")
    assert packages.read().packages[NAME].version == "0.1"
    umpi("install", GAME, "--remove")
    assert umpi("install", GAME)[0] == 0
    assert packages.read().packages[NAME].version == "0.2"


@pytest.mark.slow
def test_another_shelf_may_not_replace_a_package_by_its_name(
    state: Path, umpi: Umpi, packages: Packages, tmp_path: Path
) -> None:
    """Not even with a game of another name in it."""
    put_on_shelf(tmp_path / "shelf", wheel())
    umpi("shelf", "add", "shelf")
    umpi("install", GAME)
    points = {f"{info_of()}/entry_points.txt": POINTS.replace(GAME, "day-owls").encode()}
    content = wheel(changed={**points, **retold(f'"{GAME}"', '"day-owls"')})
    package = package_of(content)
    package = replace(package, games=(replace(package.games[0], id="day-owls"),))
    put_on_shelf(tmp_path / "other", content, package, OTHER_KEY)
    umpi("shelf", "add", "other")
    status, _, err = umpi("install", "day-owls")
    assert status == 1
    assert f"{NAME} was installed from {tmp_path / 'shelf'}, and only that shelf may update it." in err
    assert packages.read().packages[NAME].games == (GAME,)


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("http://127.0.0.1:1/router?restart=1", "the server sends to another address"),
        ("file:///etc/hostname", "the server answers with the error 302"),
        ("http://a..b/x", "the server sends to another address"),
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


@pytest.mark.slow
def test_two_packages_cannot_bring_one_module(state: Path, umpi: Umpi, tmp_path: Path) -> None:
    put_on_shelf(tmp_path / "one", wheel())
    umpi("shelf", "add", "one")
    umpi("install", GAME)
    points = {f"{info_of('umpi-day-owls')}/entry_points.txt": POINTS.replace(GAME, "day-owls").encode()}
    content = wheel(changed={**points, **retold(f'"{GAME}"', '"day-owls"')}, name="umpi-day-owls")
    package = package_of(content, name="umpi-day-owls")
    put_on_shelf(tmp_path / "two", content, replace(package, games=(replace(package.games[0], id="day-owls"),)))
    umpi("shelf", "add", "two")
    status, _, err = umpi("install", "day-owls")
    assert status == 1
    assert f"Python has another module {MODULE} already" in err


def test_a_game_that_pip_has_installed_is_not_installed_twice(
    state: Path, umpi: Umpi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "venv" / info_of()).mkdir(parents=True)
    (tmp_path / "venv" / info_of() / "METADATA").write_text(f"Name: {NAME}\nVersion: 0.1\n")
    monkeypatch.syspath_prepend(str(tmp_path / "venv"))
    put_on_shelf(tmp_path / "shelf", wheel())
    umpi("shelf", "add", "shelf")
    status, _, err = umpi("install", GAME)
    assert (status, f"First: pip uninstall {NAME}. Nothing was installed." in err) == (1, True)


@pytest.mark.slow
def test_a_folder_that_is_lost_is_named_and_installed_again(
    state: Path, umpi: Umpi, packages: Packages, tmp_path: Path
) -> None:
    put_on_shelf(tmp_path / "shelf", wheel())
    umpi("shelf", "add", "shelf")
    umpi("install", GAME)
    shutil.rmtree(packages.root / packages.read().packages[NAME].folder)
    status, _, err = umpi("games")
    assert status == 0
    assert f"is not there, so its game is left out. Install it again: umpi install {GAME}" in err
    assert umpi("install", GAME)[1].startswith("Night owls 0.1 is installed")
    assert umpi("games")[2] == ""


@pytest.mark.parametrize("content", ["{", "[]", '{"format": 9, "packages": {}, "used": {}}',
                                     '{"format": 1, "packages": {"x": {"version": "1", "folder": "../..", "sha256": "",'
                                     ' "shelf": "", "games": []}}, "used": {}}'])  # fmt: skip
def test_a_damaged_list_costs_only_the_installed_games(content: str, state: Path, umpi: Umpi, tmp_path: Path) -> None:
    put_on_shelf(tmp_path / "shelf", wheel())
    umpi("shelf", "add", "shelf")
    umpi("install", GAME)
    (state / "packages" / "packages.json").write_text(content)
    status, out, err = umpi("games")
    assert (status, '"dodeka"' in out, GAME in out) == (0, True, False)
    assert "The installed games are left out: " in err
    status, _, err = umpi("install", GAME)
    assert status == 2
    assert "Delete the file, and install them again" in err


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
