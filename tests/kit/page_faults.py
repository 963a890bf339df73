"""What is wrong with a page: buttons too small for a finger, and what keeps readers out."""

from __future__ import annotations

from importlib.resources import files

from tests.kit.browsing import Phone

SMALL = """
    const small = (one) => { const { width, height } = one.getBoundingClientRect(); return width < 44 || height < 44; };
    return [...document.querySelectorAll("#main button, nav a")].filter((one) => one.checkVisibility() && small(one))
        .map((one) => one.outerHTML);
"""
AXE = """
    const done = arguments[arguments.length - 1];
    // A text that is being faded in has little contrast.
    const ends = ({ effect }) => effect.getComputedTiming().endTime !== Infinity;
    document.getAnimations().filter(ends).forEach((animation) => animation.finish());
    const rules = { "color-contrast-enhanced": { enabled: arguments[0] } }; // 7 to 1, which WCAG calls AAA
    const only = arguments[1] ? { runOnly: ["cat.color"] } : {};
    axe.run(document, { resultTypes: ["violations"], rules, ...only }).then(({ violations }) => done(violations.map(
        ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)));
"""


def in_light(phone: Phone, dark: bool, **more: str) -> None:
    """Set day or night, and finish all animations; `more` are other media features, as in prefers_contrast="more"."""
    wanted = {"prefers_color_scheme": "dark" if dark else "light", "prefers_reduced_motion": "reduce", **more}
    features = [{"name": name.replace("_", "-"), "value": value} for name, value in wanted.items()]
    phone.cdp("Emulation.setEmulatedMedia", features=features)


def faults(phone: Phone, enhanced: bool = False, only_colours: bool = False) -> list[str]:
    """Return axe-core's findings about the page, or about its colours only.

    `enhanced` asks for the contrast of WCAG's level AAA.
    """
    here = phone.here
    if not here.execute_script("return Boolean(window.axe)"):
        source = files("axe_core_python").joinpath("axe.min.js").read_text()
        phone.cdp("Runtime.evaluate", expression=source)  # past the page's own policy
    found: list[str] = here.execute_async_script(AXE, enhanced, only_colours)
    return found


def check_suits(phone: Phone) -> None:
    """Check that a view suits a small phone and readers, by day and by night."""
    assert phone.here.execute_script("return document.documentElement.scrollWidth") <= 360
    assert phone.here.execute_script(SMALL) == []
    check_readable(phone)


def check_readable(phone: Phone, view: str = "") -> None:
    """Check that nothing keeps readers out of a view, by day and by night: only its colours are others then."""
    for dark in (False, True):
        in_light(phone, dark)
        assert faults(phone, only_colours=dark) == [], f"{view} by {'night' if dark else 'day'}"
