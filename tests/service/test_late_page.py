"""The page for phones comes behind the first picture, and what fails there costs no game."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from tests.kit.journals import leave
from tests.kit.patience import soon
from tests.kit.rig import Rig
from umpi.box.config import Config, WebPlan
from umpi.cli import main
from umpi.drivers.oled import Oled
from umpi.journal import Journal
from umpi.kernel import registry
from umpi.kernel.match import Match
from umpi.kernel.nothing import nothing
from umpi.kernel.registry import find, games
from umpi.referee.events import DeviceStatus
from umpi.referee.view_state import ViewState
from umpi.rulebook.shelf import Shelf
from umpi.service import run as run_module
from umpi.service.page import LatePage
from umpi.service.run import NoHeader, run_until_signal
from umpi.simulator.chip import Ssd1306
from umpi.web import serving
from umpi.web.app import WebApp
from umpi.web.codes import Codes

LATE = {"starlette", "uvicorn", "umpi.web.app", "umpi.web.documents", "umpi.web.publisher", "luma.oled", "segno"}


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch) -> Ssd1306:
    """The panel of a box on mock pins, which `umpi run` starts."""
    glass = Ssd1306()
    monkeypatch.setattr(run_module, "pin_factory", lambda *_: MockFactory())
    monkeypatch.setattr(run_module, "i2c_bus", lambda *_: glass)
    monkeypatch.setattr(gc, "freeze", nothing)  # of all that the tests have imported
    return glass


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """A box with a page, which is served at no real port."""

    async def serve(*_: Any) -> None:
        pass

    monkeypatch.setattr(serving, "serve", serve)
    return Config(journal=tmp_path / "games.db", desk=WebPlan("127.0.0.1", 18700), silent=True)


def stop() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def no_chip(*_: Any) -> Any:
    raise NoHeader("there is no /dev/gpiochip*")


def missing(name: str) -> None:
    raise ModuleNotFoundError("No module named 'uvicorn'")


def test_the_page_is_imported_and_served_behind_the_first_picture(
    glass: Ssd1306, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    async def serve(web_app: WebApp, listen: str, port: int, _: Any, on_trouble: Callable[[str], object]) -> None:
        async def troubles() -> list[Any]:
            while not web_app.stream.latest["troubles"]:
                await asyncio.sleep(0)
            return [(each["device"], each["text"]) for each in web_app.stream.latest["troubles"]]

        seen.append((listen, port, bool(web_app.stream.latest)))
        on_trouble("no network")
        seen.extend(await soon(troubles()))
        stop()

    def shown(oled: Oled, timeout_s: float) -> bool:
        seen.append("shown")
        return wait_shown(oled)

    wait_shown = Oled.wait_shown
    monkeypatch.setattr(Oled, "wait_shown", shown)

    monkeypatch.setattr(serving, "serve", serve)
    monkeypatch.setattr(run_module, "import_module", lambda name: seen.append((name, bool(glass.picture().getbbox()))))
    run_module.run(config)
    assert seen == [
        "shown",
        ("umpi.web.serving", True),
        ("127.0.0.1", 18700, True),
        ("Phones", "Use the box: it does all a phone can. No network."),
    ]


@pytest.mark.parametrize("paged", [True, False], ids=["page", "no page"])
def test_a_match_is_resumed_before_the_other_games_are_loaded(
    glass: Ssd1306, config: Config, monkeypatch: pytest.MonkeyPatch, paged: bool
) -> None:
    seen: list[list[str]] = []

    def shown(oled: Oled, timeout_s: float) -> bool:
        seen.append([game.id for game in registry.games_so_far()])
        return wait_shown(oled)

    def read(shelf: Shelf) -> None:
        everything(shelf)
        seen.append([game.id for game in registry.games_so_far()])
        stop()

    wait_shown, everything = Oled.wait_shown, Shelf.read
    monkeypatch.setattr(Oled, "wait_shown", shown)
    monkeypatch.setattr(Shelf, "read", read)
    leave(config.journal, Match(find("dodeka"), ("Ann", "Ben")))
    registry.look_again()
    run_module.run(replace(config, desk=config.desk if paged else None))
    assert seen == [["dodeka"], ["dodeka", *(game.id for game in games() if game.id != "dodeka")]]


@pytest.mark.parametrize("broken", [False, True], ids=["no page", "a page that cannot be imported"])
def test_the_collector_need_not_look_at_the_games_without_a_page_either(
    glass: Ssd1306, config: Config, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    """Each look at them stops the game."""
    there: list[int] = []

    def read(shelf: Shelf) -> None:
        everything(shelf)
        stop()

    everything = Shelf.read
    monkeypatch.setattr(Shelf, "read", read)
    monkeypatch.setattr(run_module, "import_module", missing)
    monkeypatch.setattr(gc, "freeze", lambda: there.append(len(registry.games_so_far())))
    leave(config.journal, Match(find("dodeka"), ("Ann", "Ben")))
    registry.look_again()
    run_module.run(replace(config, desk=config.desk if broken else None))
    assert there == [1, len(games())]


@pytest.mark.parametrize("paged", [True, False], ids=["page", "no page"])
def test_a_fault_while_the_games_are_loaded_is_logged_and_costs_no_page(
    glass: Ssd1306, config: Config, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, paged: bool
) -> None:
    served: list[bool] = []

    def read(shelf: Shelf) -> None:
        stop()
        raise KeyError("of one game")

    async def serve(*_: Any) -> None:
        served.append(True)

    monkeypatch.setattr(Shelf, "read", read)
    monkeypatch.setattr(serving, "serve", serve)
    run_module.run(replace(config, desk=config.desk if paged else None))
    assert "Not all games and rules can be loaded" in caplog.text
    assert "KeyError: 'of one game'" in caplog.text
    assert served == [True] * paged


def test_a_computer_without_pins_serves_the_page_and_invites_the_referee(
    config: Config, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Phones play there, and the page says once what is missing."""
    seen: list[Any] = []
    invitation = r"No buttons here\. .* opens http://localhost:18700/#pair=(\S+)\n"

    async def serve(web_app: WebApp, *_: Any) -> None:
        seen.append(web_app.stream.latest["troubles"])
        seen.append(bool(re.fullmatch(invitation, capfd.readouterr().out)))
        stop()

    monkeypatch.setattr(run_module, "pin_factory", no_chip)
    monkeypatch.setattr(run_module, "i2c_bus", lambda *_: Ssd1306())
    monkeypatch.setattr(serving, "serve", serve)
    run_module.run(config)
    journal = Journal(config.journal)
    journal.pair(hash="abc", who="referee", name="laptop")
    journal.close()
    run_module.run(config)
    first, invited, again, invited_again = seen
    assert (
        first
        == again
        == [
            {
                "device": "Buttons and lamps",
                "text": "Play on phones: they do all a box can. There is no /dev/gpiochip*.",
            }
        ]
    )
    assert (invited, invited_again) == (True, True), "a phone can be lost"


def test_without_pins_and_with_a_page_that_cannot_be_loaded_the_box_ends(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody could play at it."""

    monkeypatch.setattr(run_module, "pin_factory", no_chip)
    monkeypatch.setattr(run_module, "i2c_bus", lambda *_: Ssd1306())
    monkeypatch.setattr(run_module, "import_module", missing)
    with pytest.raises(ModuleNotFoundError):
        run_module.run(config)


def test_a_computer_with_neither_pins_nor_a_page_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_module, "pin_factory", no_chip)
    assert main(["run", "--journal", str(tmp_path / "games.db")]) == 78, "systemd ends its tries"
    assert capfd.readouterr().err == (
        "umpi: there is no /dev/gpiochip*. Without pins, play on the virtual box: umpi sim. With [desk] in umpi.toml, "
        "this box has a page, and phones can play on it.\n"
    )


def test_a_page_that_cannot_be_imported_is_a_device_error(
    glass: Ssd1306, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A box whose packages are broken plays on, and says why no phone can reach it."""
    posted: list[str] = []
    really = run_module._post_and_log

    def post(inbox: Any, event: Any) -> None:
        really(inbox, event)
        if isinstance(event, DeviceStatus) and event.device == "desk":
            posted.append(event.reason)
            stop()

    monkeypatch.setattr(run_module, "import_module", missing)
    monkeypatch.setattr(run_module, "_post_and_log", post)
    run_module.run(config)
    assert posted == ["ModuleNotFoundError: No module named 'uvicorn'"]


def test_what_runs_beside_the_loop_begins_behind_the_first_picture(
    in_play: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, turned = in_play(), []
    rig.loop.turned = 0
    catch_up = rig.loop.catch_up

    async def waiting() -> None:
        """Wait for the journal, as the first round of a start does."""
        await asyncio.sleep(0)
        await catch_up()

    monkeypatch.setattr(rig.loop, "catch_up", waiting)

    async def serving(stop_event: asyncio.Event) -> None:
        turned.append(rig.loop.turned)
        stop()

    asyncio.run(run_until_signal(rig.loop, serving))
    assert turned[0] >= 1


def test_a_page_shows_the_newest_view_from_the_moment_it_is_opened(in_play: Callable[..., Rig]) -> None:
    rig = in_play()
    page = LatePage(rig.config, Codes(), nothing)
    page.publish(rig.loop.view)
    web_app = page.open(rig.loop)
    assert web_app.stream.version == 1
    assert web_app.stream.latest["match"] is not None
    page.publish(ViewState())
    assert web_app.stream.version == 2


@pytest.mark.slow
def test_a_start_imports_no_web_server() -> None:
    """Up to the first picture a box needs none, and it takes as long to import as the referee."""
    code = "import sys; from umpi.service import run; run._codes_of(run.WebPlan(), ()).page(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not LATE & {*loaded}


def test_the_collector_is_off_during_a_start_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    during: list[bool] = []

    def no_pins(*_: Any) -> Any:
        during.append(gc.isenabled())
        raise run_module.NoPins("none")

    monkeypatch.setattr(run_module, "pin_factory", no_pins)
    assert main(["run", "--journal", str(tmp_path / "games.db")]) == 2
    assert (during, gc.isenabled()) == ([False], True)
