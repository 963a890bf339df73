"""A phone that is turned and zoomed, and what is wrong on its page then."""

from __future__ import annotations

from tests.kit.browsing import Phone

PHONE = 360, 740, 2.0  # at 200 %
FAULTS = """
    const found = [];
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`a horizontal scroll bar: ${root.scrollWidth}`);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { currentNode: text } = texts;
        if (!shown(text.parentElement) || text.parentElement.closest("script, style")) continue;
        for (const { index, 0: word } of text.data.matchAll(/[^\\s\\-\\u2013/\\u00ad]+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const tops = [...range.getClientRects()].filter(({ width }) => width).map(({ top }) => Math.round(top));
            const where = text.parentElement.outerHTML.slice(0, 90);
            if (new Set(tops).size > 1) found.push(`a word broken in two: ${word} in ${where}`);
        }
    }
    for (const one of document.querySelectorAll("#question h2, #question .thumb button, #question [data-key=send]")) {
        if (!shown(one) || !one.textContent.trim()) continue;
        one.scrollIntoView({ block: "center", behavior: "instant" });
        const { left, top, width, height } = one.getBoundingClientRect();
        for (const [across, down] of [[0.5, 0.5], [0.1, 0.3], [0.9, 0.3], [0.1, 0.7], [0.9, 0.7]]) {
            const over = document.elementFromPoint(left + across * width, top + down * height);
            const own = over && (one.contains(over) || over.contains(one));
            if (over && !own) found.push(`${one.textContent.trim()} is covered by ${over.outerHTML.slice(0, 90)}`);
        }
    }
    return [...new Set(found)];
"""


def faults(phone: Phone) -> list[str]:
    found: list[str] = phone.here.execute_script(FAULTS)
    return found


def sized(phone: Phone, view: tuple[int, int, float]) -> None:
    """Turn a phone and zoom, as a browser does: the page gets fewer CSS pixels, each of them larger."""
    width, height, zoom = view
    size = {"width": round(width / zoom), "height": round(height / zoom)}
    phone.cdp("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=zoom, mobile=False)
    phone.wait("return innerWidth === arguments[0]", size["width"])
