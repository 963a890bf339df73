"""The host of a box in a tab, on this computer's Python: the page, its cookies, the buttons and the face."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.kit.patience import Patience
from umpi.tab.host import Host, Jar, known_language


class Page:
    """A page that asks the host, as the service worker does."""

    def __init__(self, host: Host) -> None:
        self.host, self.asked = host, 0

    async def ask(self, method: str, target: str, body: Any = None) -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers and the body of an answer."""
        self.asked += 1
        head: list[Any] = []
        parts: list[bytes] = []
        ended: list[str] = []

        def send(kind: str, value: Any) -> None:
            {"head": lambda: head.append(json.loads(value)), "part": lambda: parts.append(value)}.get(
                kind, lambda: ended.append(kind)
            )()

        raw = b"" if body is None else json.dumps(body).encode()
        await self.host.answer(self.asked, method, target, [("Content-Type", "application/json")], raw, send)
        assert ended == ["end"]
        return head[0][0], dict(head[0][1]), b"".join(parts)

    async def state(self) -> Any:
        """Return what the table shows."""
        return json.loads((await self.ask("GET", "/api/state"))[2])

    async def shows(self, wanted: Callable[[Any], object]) -> Any:
        """Wait until the table shows what is wanted."""
        patience = Patience()
        while not wanted(found := await self.state()):
            assert patience.spend(0.01), found
            await asyncio.sleep(0.01)
        return found


def played(folder: Path, play: Callable[[Page], Coroutine[Any, Any, None]], language: str = "en") -> None:
    """Switch a box on, play at it, and switch it off."""

    async def run() -> None:
        host = Host(folder, language)
        host.start()
        try:
            await play(Page(host))
        finally:
            await host.close()

    asyncio.run(run())


def test_its_page_is_marked_and_may_be_shown_in_a_frame(tmp_path: Path) -> None:
    async def play(page: Page) -> None:
        status, headers, body = await page.ask("GET", "/")
        assert status == 200
        assert b"<html data-box data-alone data-tab " in body
        assert not {"x-frame-options", "content-security-policy", "set-cookie"} & headers.keys()
        assert (await page.ask("GET", "/nothing"))[0] == 404

    played(tmp_path, play)


def test_a_press_is_seen_on_the_face(tmp_path: Path) -> None:
    async def play(page: Page) -> None:
        before = page.host.devices.face()
        assert len(base64.b64decode(before["dots"])) == 1024
        for down in (True, False):
            assert (await page.ask("POST", "/hold", {"button": "red", "down": down}))[0] == 204
            await asyncio.sleep(0.03)
        await page.shows(lambda found: found["showing"]["texts"] != ["Which game?"])
        assert page.host.devices.face()["dots"] != before["dots"]
        assert page.host.devices.held() == []
        assert (await page.ask("POST", "/hold", {"button": "purple", "down": True}))[0] == 400

    played(tmp_path, play)


def test_a_stream_ends_when_its_client_leaves(tmp_path: Path) -> None:
    async def play(page: Page) -> None:
        streaming = asyncio.ensure_future(page.ask("GET", "/face"))
        await asyncio.sleep(0)
        page.host.leave(1)
        status, headers, _ = await asyncio.wait_for(streaming, 30)
        assert status == 200
        assert headers["content-type"].startswith("text/event-stream")

    played(tmp_path, play)


def test_the_page_is_the_referees_also_after_a_restart(tmp_path: Path) -> None:
    async def pair(page: Page) -> None:
        assert (await page.ask("POST", "/api/pair", {"code": page.host.invitation()}))[0] == 200

    async def look(page: Page) -> None:
        assert page.host.invitation() == ""
        assert json.loads((await page.ask("GET", "/api/me"))[2])["who"] == {"role": "referee"}
        assert (await page.ask("POST", "/api/unpair", {}))[0] == 200
        assert page.host.invitation() != ""

    played(tmp_path, pair)
    played(tmp_path, look)


def test_a_loop_that_fails_is_reported_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    async def run() -> None:
        host = Host(tmp_path)
        monkeypatch.setattr(host.loop, "catch_up", broken)
        host.start(told.append)
        await host.close()

    async def broken() -> None:
        raise ZeroDivisionError("one of the core")

    asyncio.run(run())
    assert told == ["ZeroDivisionError: one of the core"]
    assert len(list(tmp_path.rglob("session-*.jsonl"))) == 1


def test_a_box_speaks_the_language_of_the_browser_until_another_is_chosen(tmp_path: Path) -> None:
    async def play(page: Page) -> None:
        assert (await page.state())["language"] == "hu"

    played(tmp_path, play, "hu-HU")


@pytest.mark.parametrize(("wanted", "spoken"), [("fr", "fr"), ("FR-ca", "fr"), ("", "en"), ("xx-DE", "en")])
def test_a_language_that_umpi_does_not_speak_becomes_english(wanted: str, spoken: str) -> None:
    assert known_language(wanted) == spoken


def test_the_jar_keeps_replaces_and_forgets_cookies(tmp_path: Path) -> None:
    jar = Jar(tmp_path / "cookies.json")
    jar.keep(["umpi=one; Max-Age=100; HttpOnly; Path=/", "other=x"])
    jar.keep(["umpi=two; Max-Age=100"])
    assert Jar(tmp_path / "cookies.json").line == "other=x; umpi=two"
    jar.keep(['other=""; Max-Age=0'])
    assert jar.header() == [(b"cookie", b"umpi=two")]
