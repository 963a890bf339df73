"""Who gets the face and the buttons of a virtual box that the whole network can reach."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.kit.browsing import a_game_of_dodekka
from tests.kit.patience import limit_s
from umpi.box.config import Config, WebPlan
from umpi.simulator.page import Page, serve
from umpi.timing.edge import Edge

ADDRESS = "http://192.168.178.200:8137/"
PHONE, COMPUTER = "192.168.178.30", "192.168.178.200"
OPEN_S = 20.0  # a stream that is open so long was not refused
PRESS = {"button": "red", "down": True}
SCRIPT = {"Umpi": "1"}


def made(journal: Path, **plan: Any) -> Page:
    return Page(Config(journal=journal, desk=replace(WebPlan(), **plan)), ADDRESS)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    found = made(tmp_path / "games.db")
    yield found
    found.box.close()


class Device:
    """A browser or script at an address, with its cookies."""

    def __init__(self, page: Page, address: str, **cookies: str) -> None:
        self._page, self._address, self.cookies = page, address, dict(cookies)

    def asks(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Return the response to a GET, or to a POST with a body."""

        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self._page.app(), client=(self._address, 1))
            async with httpx.AsyncClient(transport=transport, base_url=ADDRESS, cookies=self.cookies) as client:
                sent = {"Accept-Encoding": "identity", **headers}
                if body is None:
                    answer = await client.get(path, headers=sent)
                else:
                    answer = await client.post(path, json=body, headers={**SCRIPT, **sent})
                self.cookies |= dict(client.cookies)
                return answer

        return asyncio.run(asyncio.wait_for(asked(), OPEN_S))


def pressed(page: Page) -> list[str]:
    return [edge.line for edge in page.box.loop.inbox.take(1000) if isinstance(edge, Edge)]


@pytest.mark.parametrize("address", [PHONE, "127.0.9.9", "2001:db8::7", "testclient", ""])
def test_another_device_gets_the_page_of_a_phone_and_no_face_and_no_button(page: Page, address: str) -> None:
    stranger = Device(page, address)
    refused = [
        stranger.asks("/hold", PRESS), stranger.asks("/toss", {"cubes": ["red"]}),
        stranger.asks("/toss", {"jiggle": True}), stranger.asks("/hold", "no JSON object"),
    ]  # fmt: skip
    assert {answer.status_code for answer in refused} == {403}
    refused.append(stranger.asks("/face"))
    assert {json.loads(answer.text)["error"] for answer in refused} == {
        "Only the computer of the box may do that. On another device, open the address in its terminal."
    }
    assert pressed(page) == []
    shown = stranger.asks("/")
    assert shown.status_code == 200
    assert "data-box" not in shown.text.partition("<head>")[0]


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", COMPUTER])
def test_the_computer_of_the_box_gets_all_by_each_of_its_addresses(page: Page, address: str) -> None:
    own = Device(page, address)
    assert own.asks("/hold", PRESS).status_code == 204
    assert pressed(page) == ["red"]
    assert "data-box" in own.asks("/").text.partition("<head>")[0]


def test_a_device_with_the_owners_address_gets_all_and_keeps_it(page: Page) -> None:
    device = Device(page, PHONE)
    entered = device.asks(page.owners_address())
    assert (entered.status_code, entered.headers["location"]) == (303, "/"), "the secret does not stay in the address"
    assert {"HttpOnly", "SameSite=lax"} <= {each.strip() for each in entered.headers["set-cookie"].split(";")}
    assert "data-box" in device.asks("/").text.partition("<head>")[0]
    assert device.asks("/hold", PRESS).status_code == 204
    assert pressed(page) == ["red"]


@pytest.mark.parametrize("secret", ["", "x", "é", "\udc80", "0" * 10_000])
def test_a_wrong_secret_is_refused(page: Page, secret: str) -> None:
    guess = secret.encode(errors="surrogateescape")
    answer = Device(page, PHONE).asks(f"/?box={''.join(f'%{byte:02x}' for byte in guess)}")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    cookie = f"umpi-box={secret.encode('ascii', 'replace').decode()}"
    assert Device(page, PHONE).asks("/hold", PRESS, Cookie=cookie).status_code == 403
    assert pressed(page) == []


def test_the_secret_of_one_box_opens_no_other_and_none_of_a_later_start(page: Page, tmp_path: Path) -> None:
    device = Device(page, PHONE)
    device.asks(page.owners_address())
    other = made(tmp_path / "other.db")
    try:
        assert Device(other, PHONE, **device.cookies).asks("/hold", PRESS).status_code == 403
    finally:
        other.box.close()


def test_behind_a_proxy_nobody_is_taken_for_the_computer_itself(tmp_path: Path) -> None:
    page = made(tmp_path / "games.db", trusted_proxy="127.0.0.1")
    try:
        proxy = Device(page, "127.0.0.1")
        assert proxy.asks("/hold", PRESS).status_code == 403
        assert proxy.asks("/hold", PRESS, **{"X-Forwarded-For": PHONE}).status_code == 403
        assert proxy.asks("/hold", PRESS, **{"X-Forwarded-For": "127.0.0.1, 127.0.0.1"}).status_code == 403
        proxy.asks(page.owners_address())
        assert proxy.asks("/hold", PRESS, **{"X-Forwarded-For": PHONE}).status_code == 204
    finally:
        page.box.close()


def test_the_terminal_shows_the_address_for_another_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served: list[Page] = []

    async def serve_nobody(page: Page, listening: object, stop: asyncio.Event) -> None:
        served.append(page)
        stop.set()

    monkeypatch.setattr("umpi.simulator.page.Page.serve", serve_nobody)
    monkeypatch.setattr("umpi.simulator.page.address_for_phones", lambda host, port: ADDRESS)
    serve(Config(journal=tmp_path / "games.db"), tmp_path, "127.0.0.1", 0)
    line = capsys.readouterr().out.splitlines()[1]
    assert line == f"To have the box and its buttons on another device too, open: {served[0].owners_address()}"
    assert len(served[0].owners_address()) > len(ADDRESS) + 20


@pytest.mark.slow
def test_a_stranger_in_the_network_cannot_pair_and_a_player_with_the_code_can(tmp_path: Path) -> None:
    """From another source address: press, read the code, pair."""
    with a_game_of_dodekka(tmp_path / "games.db") as sim:

        def asks(path: str, body: object = None) -> tuple[int, Any]:
            link = http.client.HTTPConnection("127.0.0.1", sim.port, limit_s(), source_address=("127.0.9.9", 0))
            headers = {"Content-Type": "application/json", **SCRIPT}
            link.request("GET" if body is None else "POST", path, json.dumps(body) if body else None, headers)
            answer = link.getresponse()
            found = answer.status, json.loads(answer.read())
            link.close()
            return found

        assert asks("/hold", {"button": "back", "down": True})[0] == 403
        code = sim.code(None)
        assert asks("/face")[0] == 403, "the code is on the screen now"
        assert code not in json.dumps(asks("/api/state"))
        status, answer = asks("/api/pair", {"code": code})
        assert (status, answer["who"]) == (200, {"role": "referee"}), "who was told the code"


def test_a_server_that_ends_by_itself_stops_the_box(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for the end goes on, although nobody has asked for it."""

    async def served(*_: object) -> None:
        """End at once."""

    async def ended() -> bool:
        stop = asyncio.Event()
        with socket.socket() as listening:
            await page.serve(listening, stop)
        return stop.is_set()

    monkeypatch.setattr("umpi.simulator.page.serve_at", served)
    assert asyncio.run(ended())
