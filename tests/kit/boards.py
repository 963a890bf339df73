"""Draw boards in a browser, and measure what is wrong with the drawings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.kit.browsing import Phone

DRAWN = """
    const [tables, small, done] = arguments;
    const inside = (one, other) => one.left > other.left - 1 && one.right < other.right + 1 &&
        one.top > other.top - 1 && one.bottom < other.bottom + 1;
    const over = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1.5 &&
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
    const flawsOf = (drawing) => {
        const frame = drawing.getBoundingClientRect();
        const all = [...drawing.querySelectorAll("*:not(.b-wave)")];
        const at = new Map(all.map((one) => [one, one.getBoundingClientRect()]));
        const flaws = all.filter((one) => !inside(at.get(one), frame)).map((one) => `outside: ${one.outerHTML}`);
        const texts = [...drawing.querySelectorAll("text:not(.b-card *)")]; // a card lies over another
        for (const [nth, one] of texts.entries()) {
            const under = texts.slice(nth + 1).filter((other) => over(at.get(one), at.get(other)));
            flaws.push(...under.map((other) => `${one.textContent} over ${other.textContent}`));
        }
        const keys = all.map((one) => one.dataset.key).filter(Boolean);
        flaws.push(...keys.filter((key, nth) => keys.indexOf(key) !== nth).map((key) => `twice: ${key}`));
        if (drawing.getAttribute("role") !== "img" || !drawing.getAttribute("aria-label")) flaws.push("no sentence");
        if (!frame.width || !frame.height) flaws.push("no size");
        return flaws.map((flaw) => flaw.slice(0, 160));
    };
    import("/boards/all.js").then(({ boardOf }) => {
        const place = document.getElementById("board");
        place.style.width = small ? "336px" : "800px";
        const found = tables.flatMap(([name, match]) => {
            const drawing = boardOf(match, small)?.made();
            place.replaceChildren(drawing ?? "");
            return (drawing ? flawsOf(drawing) : ["not drawn"]).map((flaw) => [name, flaw]);
        });
        place.replaceChildren();
        done(found);
    }).catch((fault) => done([["", String(fault.stack)]]));
"""


def draw(page: Phone, tables: Sequence[tuple[str, dict[str, Any]]], small: bool) -> list[tuple[str, str]]:
    """Draw boards and return the flaws by the names of the positions."""
    page.here.set_script_timeout(120)
    return [(name, flaw) for name, flaw in page.here.execute_async_script(DRAWN, tables, small)]
