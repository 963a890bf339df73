"""A page by the keyboard alone: what Tab reaches, and what of that cannot be seen."""

from __future__ import annotations

from tests.kit.browsing import Phone

SPARE = 8  # stops beside those on the list
WANTED = """
    const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    const there = (one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0 && !one.disabled;
    const found = [...document.querySelectorAll(all)].filter(there);
    window.wanted = new Set(found.map((one) => (one.type === "radio" ? `radio ${one.name}` : one)));
    window.passing = new Set(found.filter((one) => one.closest("#notice"))); // it goes away by itself
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    return wanted.size;
"""
STOP = """
    const one = document.activeElement;
    if (!one || !window.wanted.size) return "end";
    const said = one.outerHTML.slice(0, 100);
    const name = one.type === "radio" ? `radio ${one.name}` : one;
    if (!window.wanted.delete(name)) return ""; // a region that scrolls, or the browser's own
    const marked = (which) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(which);
        return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    };
    if (!marked(one) && !marked(one.closest("label, .choice") ?? one)) return `no mark: ${said}`;
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
    const over = document.elementFromPoint(x, y);
    const seen = over && (one.contains(over) || over.contains(one));
    return seen ? "" : `covered: ${said} by ${over?.outerHTML.slice(0, 60)}`;
"""
LEFT = """
    const left = [...window.wanted].filter((one) => one.isConnected !== false || !window.passing.has(one));
    return left.map((one) => `not reached: ${(one.outerHTML ?? one).slice(0, 100)}`);
"""


def tab_faults(phone: Phone) -> list[str]:
    """Press Tab from the top to the end. Return what is not reached, or reached without a mark or out of sight."""
    here, faults = phone.here, []
    for _ in range(here.execute_script(WANTED) + SPARE):
        for kind in ("rawKeyDown", "keyUp"):
            phone.cdp("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        fault = here.execute_script(STOP)
        if fault == "end":
            break
        if fault:
            faults.append(fault)
    return [*faults, *here.execute_script(LEFT)]
