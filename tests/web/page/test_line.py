"""A stalled connection: a sent act is busy at once, then of unknown result, and never sent again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, deal

pytestmark = pytest.mark.slow  # each needs a browser

CLOCK = """
    const [later, never] = [setTimeout, clearTimeout];
    window.clock = {
        now: 0, waiting: new Map(), acts: 0,
        pass(ms) {
            this.now += ms;
            for (const [id, { due, go }] of [...this.waiting]) if (due <= this.now) { this.waiting.delete(id); go(); }
        },
    };
    window.setTimeout = (go, ms = 0) => {
        if (ms < 1000) return later(go, ms);
        const id = `timer ${Math.random()}`;
        clock.waiting.set(id, { due: clock.now + ms, go });
        return id;
    };
    window.clearTimeout = (id) => clock.waiting.delete(id) || never(id);
    const real = window.fetch;
    window.fetch = (path, how) => { clock.acts += path === "api/act"; return real(path, how); };
"""
PLACE = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"


@pytest.fixture
def red(sim: Sim, browser: Any) -> Iterator[Phone]:
    """Red's phone, whose timers of a second and more run by `clock.pass(ms)` alone."""
    first = browser.current_window_handle
    phone = Phone(browser, sim.address(2))
    phone.cdp("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)
    phone.here.refresh()
    phone.pair(sim.code(0))
    yield phone
    phone.leave(first)


def passes(phone: Phone, ms: int) -> None:
    phone.here.execute_script("clock.pass(arguments[0])", ms)


def test_an_act_on_a_stalled_line_is_busy_at_once_then_unsure_and_is_not_sent_again(sim: Sim, red: Phone) -> None:
    deal(red)
    before = red.here.execute_script("return clock.acts")
    sim.stall()
    red.tap("[data-verb=take]")
    red.find("[data-verb=take][aria-busy=true][aria-disabled=true]")
    red.tap("[data-verb=take]")  # an impatient one
    passes(red, 4_900)
    red.find("[data-verb=take][aria-busy=true]")
    assert red.text("#line") == ""
    passes(red, 1_000)
    red.reads("#notice", "Your entry may not have arrived. Check the table.")
    red.reads("#line", "not connected")
    red.find("[data-verb=take]:not([aria-busy])")
    sim.thaw()
    red.here.execute_script("dispatchEvent(new Event('online'))")
    red.wait("return document.getElementById('line').innerText === ''")
    assert red.here.execute_script("return clock.acts") == before + 1
    taken = [act["text"] for act in sim.get("api/history")][1:]
    assert taken in ([], ["Red takes fire-1."]), "it was played once or not at all"


def test_a_one_tap_answer_is_busy_until_the_box_replies(sim: Sim, red: Phone) -> None:
    deal(red)
    sim.stall()
    red.tap("[data-verb=turn] [data-value='\"fire-2\"']")
    red.find("[data-verb=turn] [data-key=send][aria-busy=true]")
    passes(red, 5_900)
    red.reads("#question", "No reply from the box.")
    sim.thaw()
    red.tap("[data-key=send]")  # now it is asked again, then sent
    red.reads("#last", "flips fire-2.")


def test_the_box_says_something_more_often_than_the_page_loses_patience() -> None:
    from umpi.web import stream

    page = (Path(stream.__file__).parent / "page" / "stream.js").read_text(encoding="utf-8")
    silence_s = float(page.partition("const SILENCE_S = ")[2].partition(";")[0])
    assert 2 * stream.KEEP_ALIVE_S < silence_s < 6


def test_messages_do_not_cover_the_send_button(red: Phone) -> None:
    red.tap("[data-value='\"fire-1\"']")
    red.tap("[data-key=send]")
    red.reads("#notice", "Not answered yet")
    over = red.here.execute_script(
        "const { x, y, width, height } = document.querySelector('[data-key=send]').getBoundingClientRect();"
        "return document.elementFromPoint(x + width / 2, y + height / 2).dataset.key"
    )
    assert over == "send"
    notice, send = (red.here.execute_script(PLACE, one) for one in ("#notice", "[data-key=send]"))
    assert notice["bottom"] <= send["top"]


def test_the_page_says_why_the_box_refuses_it_only_while_the_box_does(red: Phone) -> None:
    attempts = """
        const real = window.fetch;
        window.tries = 0;
        window.fetch = async (path, how) => {
            if (path !== "api/events" || !window.answers) return real(path, how);
            const answer = await answers();
            tries += 1;
            return answer;
        };
        window.meets = (next) => { answers = next; tries = 0; dispatchEvent(new Event("online")); };
        window.answers = () => Response.json({ error: "Too many viewers." }, { status: 503 });
        dispatchEvent(new Event("offline"));
    """
    red.here.execute_script(attempts)
    red.reads("#line", "Too many viewers.")
    red.here.execute_script("meets(() => { throw new TypeError('the box is off'); })")
    red.reads("#line", "not connected")
    red.here.execute_script("meets(() => new Response('<h1>Bad Gateway</h1>', { status: 502 }))")
    red.wait("return tries > 0")
    red.reads("#line", "not connected")
    assert not red.complaints()
    red.here.execute_script("meets(null)")
    red.wait("return document.getElementById('line').innerText === ''")
