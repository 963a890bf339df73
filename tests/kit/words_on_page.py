"""What a reader's eye trips over on a page: words broken in two, words cut off, a page that scrolls sideways."""

from __future__ import annotations

from tests.kit.browsing import Phone

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


def resize(phone: Phone, size: str = "phone") -> None:
    """Give the page one of the sizes above."""
    width, height = SIZES[size]
    phone.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    phone.wait("return innerWidth === arguments[0]", width)


def broken_words(phone: Phone, place: str = "body") -> list[str]:
    """Return the words of a part of the page that are broken or cut, and what makes it scroll sideways."""
    found: list[str] = phone.here.execute_script(BROKEN, place)
    return found
