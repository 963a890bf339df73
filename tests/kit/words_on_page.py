"""What a reader's eye trips over on a page: words broken in two, words cut off, a page that scrolls sideways."""

from __future__ import annotations

from tests.kit.browsing import Phone

ZOOMED = 360, 740, 2.0  # a phone at 200 %
SIZES = {  # width and height in CSS pixels
    "phone": (360, 740), "phone turned": (740, 360), "laptop": (1280, 800), "television": (1920, 1080),
    "laptop at 200 %": (640, 400), "laptop at 400 %": (320, 200),
}  # fmt: skip
BROKEN = """
    const parts = (text, start, end) => {
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, end);
        return [...range.getClientRects()].filter(({ width }) => width > 0);
    };
    const found = new Set();
    const texts = document.createTreeWalker(document.querySelector(arguments[0]), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { currentNode: text } = texts;
        const { parentElement: holder } = text;
        if (!holder.checkVisibility({ visibilityProperty: true }) || holder.closest("svg, .unseen")) continue;
        for (const { index, 0: word } of text.data.matchAll(/[^\\s\\u2010-\\u2015-]+/g)) { // a hyphen may end a line
            const lines = new Set(parts(text, index, index + word.length).map(({ top }) => Math.round(top)));
            if (lines.size > 1) found.add(`broken: ${word}`);
        }
        for (let one = holder; one && one !== document.documentElement; one = one.parentElement) {
            const { overflowX, clipPath } = getComputedStyle(one);
            if (clipPath !== "none") break; // for screen readers only
            if (["auto", "scroll"].includes(overflowX)) break;
            if (overflowX === "visible") continue;
            const { left, right, bottom } = one.getBoundingClientRect();
            const beside = (part) => part.left < left - 1 || part.right > right + 1;
            const outside = (part) => beside(part) || part.top + part.height / 2 > bottom;
            if (parts(text, 0, text.length).some(outside)) found.add(`cut: ${text.data}`);
        }
    }
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) {
        const leaves = (one) => one.getBoundingClientRect().right > innerWidth + 1;
        const wide = [...document.querySelectorAll("body *")].filter(leaves);
        found.add(`sideways by ${scrollWidth - innerWidth}: ${wide.at(-1)?.outerHTML.slice(0, 90)}`);
    }
    return [...found];
"""


COVERED = """
    const found = [];
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
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


def broken_words(phone: Phone, place: str = "body") -> list[str]:
    """Return the words of a part of the page that are broken or cut, and what makes it scroll sideways."""
    found: list[str] = phone.here.execute_script(BROKEN, place)
    return found


def faults(phone: Phone) -> list[str]:
    """Return the words that are broken, what makes the page scroll sideways, and what of the question is covered."""
    covered: list[str] = phone.here.execute_script(COVERED)
    return [*(fault for fault in broken_words(phone) if not fault.startswith("cut")), *covered]
