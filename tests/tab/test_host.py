"""The host of a box in a tab, on this computer's Python: the page, its cookies, the buttons and the face."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.kit.journals import leave
from tests.kit.patience import Patience
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.referee.effects import FindHint, FindReview
from umpi.referee.events import HintFound, ReviewFound
from umpi.simulator.pico import VirtualPico
from umpi.tab.aside import Aside, Task
from umpi.tab.host import Host, Jar, known_language
from umpi.tab.second import answer


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

        raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
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

    run_host(lambda: Host(folder, language), lambda host: play(Page(host)))


def run_host(make: Callable[[], Host], play: Callable[[Host], Coroutine[Any, Any, None]]) -> None:
    """Let something happen at a host."""

    async def run() -> None:
        host = make()
        host.start()
        try:
            await play(host)
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


def test_a_request_of_the_page_is_whole_for_the_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ASGI 3.0 has it; what the page sends comes last, so that it cannot stand for what the host says."""
    scopes: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scopes.append((scope, await receive()))
        await send({"type": "http.response.start", "status": 204, "headers": [(b"x-frame-options", b"deny")]})
        await send({"type": "http.response.body", "body": b""})

    async def play(page: Page) -> None:
        monkeypatch.setattr(page.host, "_app", app)
        assert await page.ask("POST", "/hold?a=1", {"b": 2}) == (204, {}, b"")

    played(tmp_path, play)
    assert scopes == [(
        {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
            "path": "/hold", "raw_path": b"/hold", "query_string": b"a=1", "root_path": "",
            "headers": [(b"host", b"localhost"), (b"umpi", b"1"), (b"content-type", b"application/json")],
            "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        },
        {"type": "http.request", "body": b'{"b": 2}', "more_body": False},
    )]  # fmt: skip


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


@pytest.mark.slow
def test_a_second_python_reviews_matches_while_the_box_goes_on(tmp_path: Path) -> None:
    leave(tmp_path / "games.db", play_out(find("dodeka"), ("Ann\u2028", "Ben"), seed=7))
    begun: list[tuple[int, Task, str, str, int]] = []

    async def play(host: Host) -> None:
        page = Page(host)
        first, again = (asyncio.ensure_future(page.ask("GET", "/api/matches/1/review")) for _ in range(2))
        while not begun:
            assert not first.done()
            await asyncio.sleep(0.001)  # another thread reads the match, and would wait for a loop that spins
            await page.state()
        number, task, language, record, _ = begun[-1]
        assert (task, language) == ("past", "de")
        host.found(task, number, answer(task, language, record))
        for asked in (first, again):
            status, _, body = await asked
            assert (status, json.loads(body)["shares"][0]["expected"]) == (200, "4889,2")
        assert len(begun) == 1, "both got the same"

    run_host(lambda: Host(tmp_path, "de", start_aside=lambda *words: begun.append(words)), play)


def test_a_review_that_fails_is_said(tmp_path: Path) -> None:
    leave(tmp_path / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), seed=7))

    async def play(page: Page) -> None:
        status, _, body = await page.ask("GET", "/api/matches/1/review")
        assert (status, json.loads(body)["error"]) == (503, "This match cannot be reviewed.")

    played(tmp_path, play)


def test_matches_go_into_a_file_and_back_into_another_box(tmp_path: Path) -> None:
    leave(tmp_path / "here" / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), seed=7))
    told: list[tuple[int, str, Any]] = []

    async def export(page: Page) -> None:
        status, head, body = await page.ask("GET", "/matches")
        told.append((status, head["content-type"], body))

    async def take(page: Page) -> None:
        for body in (told[0][2], told[0][2], b"no export\n"):
            status, head, answer = await page.ask("POST", "/matches", body)
            told.append((status, head["content-type"], json.loads(answer)))
        page.host.loop.journal.trouble = "The disk is full."
        page.host.loop.journal.merge = lambda matches: {}  # type: ignore[method-assign, assignment, return-value]
        status, _, answer = await page.ask("POST", "/matches", told[0][2])
        told.append((status, "", json.loads(answer)))

    played(tmp_path / "here", export)
    played(tmp_path / "there", take)
    file, *answers = told
    assert file[:2] == (200, "application/x-ndjson")
    assert answers == [
        (200, "application/json", {"new": 1, "longer": 0, "there": 0, "beside": 0}),
        (200, "application/json", {"new": 0, "longer": 0, "there": 1, "beside": 0}),
        (400, "application/json", {"error": "Line 1: not JSON: Expecting value at character 1 of the line."}),
        (507, "", {"error": "The disk is full."}),
    ]  # fmt: skip


def test_a_newer_wish_ends_an_older_one() -> None:
    posted: list[HintFound | ReviewFound] = []
    begun: list[tuple[int, Task, str, str, int]] = []
    aside = Aside(posted.append, lambda *words: begun.append(words))
    for question in ("one", "two"):
        aside.find_hint(FindHint(question, ("{}",)))
    aside.find_review(FindReview(("{}",)))
    for number, task, *_ in begun:
        aside.found(task, number, '{"why": "hidden", "lines": ["Ann: 5"]}')
    assert posted == [HintFound("two", why="hidden"), ReviewFound(("Ann: 5",))]
    aside.found("hint", 2, "{}")
    assert len(posted) == 2, "an answer that comes twice counts once"


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


class Cable:
    """A sensor head at the USB port of the browser, as the window carries its bytes: a Pico in the time of the host."""

    def __init__(self) -> None:
        self.host: Host | None = None
        self.blocked: set[str] = set()
        self.pico: VirtualPico | None = None
        self.born_ns = 0

    @property
    def us(self) -> int:
        return (time.monotonic_ns() - self.born_ns) // 1000

    def write(self, text: str) -> None:
        if self.pico:
            self.pico.take(text.encode(), self.us)

    def plug(self) -> None:
        assert self.host
        self.born_ns = time.monotonic_ns()
        self.pico = VirtualPico(self.blocked, f"{self.born_ns % 0x7FFFFFFF:08x}")
        self.pico.firmware = "2.0"  # no test of the emitters, which hides a cube that falls in that moment
        self.host.head_opened()

    def pull(self) -> None:
        assert self.host
        self.pico = None
        self.host.head_closed(False)

    async def fall(self, *changes: tuple[int, str, bool]) -> None:
        """Change beams, each so many microseconds after now. The head reports all of them at the end."""
        assert self.pico
        pico, self.pico, began_us = self.pico, None, self.us
        while self.us < began_us + max(after_us for after_us, _, _ in changes):
            await asyncio.sleep(0.001)
        for after_us, line, dark in sorted(changes):
            (self.blocked.add if dark else self.blocked.discard)(line)
            pico.look(began_us + after_us)
        self.pico = pico

    async def carry(self) -> None:
        """Carry the bytes for ever."""
        while True:
            if self.pico and self.host:
                self.pico.step(self.us)
                sent, self.pico.output[:] = b"".join(self.pico.output), []
                if sent:
                    self.host.head_sent(sent.decode("latin-1"), 0)
            await asyncio.sleep(0.001)


def test_cubes_at_a_sensor_head_of_the_browser_have_an_order_and_a_pulled_one_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        cable = Cable()
        host = cable.host = Host(tmp_path, wiring='{"lanes": 2, "beams": 1, "wall": false}', write=cable.write)
        page = Page(host)
        host.start()
        carrying = asyncio.ensure_future(cable.carry())
        try:
            host.head_closed(False)
            found = await page.shows(lambda state: state["troubles"])
            assert "No sensor head is plugged in." in found["troubles"][0]["text"]
            cable.plug()
            await page.shows(lambda state: not state["troubles"])
            assert (await page.ask("POST", "/api/pair", {"code": host.invitation()}))[0] == 200
            players = [{"button": colour, "name": name} for colour, name in (("red", "Ann"), ("blue", "Ben"))]
            start = {"game": "quiz", "rules": "", "options": {}, "players": players}
            assert (await page.ask("POST", "/api/start", start))[0] == 200
            question = (await page.state())["question"]["id"]
            assert (await page.ask("POST", "/api/act", {"question": question, "act": {"do": "open"}}))[0] == 200
            await page.shows(lambda state: state["question"]["id"] != question)
            await cable.fall(
                (0, "lane_2", True), (5_000, "lane_1", True), (12_000, "lane_2", False), (17_000, "lane_1", False)
            )
            found = await page.shows(lambda state: state["seen"] and len(state["seen"]["order"]) == 2)
            assert [place["seat"] for place in found["seen"]["order"]] == [1, 0]
            cable.pull()
            found = await page.shows(lambda state: state["troubles"])
            assert "was unplugged" in found["troubles"][0]["text"]
        finally:
            carrying.cancel()
            await host.close()

    asyncio.run(run())
