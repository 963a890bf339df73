"""A past match is played again on the page, move by move, and a page that gets no moves says so."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
import pytest

from tests.kit.browsing import Phone, Sim
from tests.kit.page_faults import check_readable
from tests.kit.resumed import played
from tests.kit.speaking import speak_german
from umpi.games.dodeka import Dodeka
from umpi.kernel.match import Match
from umpi.review.match_review import review
from umpi.review.split import Share, tenths
from umpi.table.telling import sentence_of

pytestmark = pytest.mark.slow  # it needs a browser

WHERE = "return document.querySelector('.replay .position .when')?.innerText"
SCORES = "return [...document.querySelectorAll('.replay .points')].map((one) => Number(one.innerText))"
FACES = "return [...document.querySelectorAll('.replay .board .b-die .b-value')].map((one) => one.textContent)"
OFF = """
    const off = (one) => one.ariaDisabled === "true";
    return [...document.querySelectorAll(".replay .verbs button")].filter(off).map((one) => one.dataset.key);
"""
OUTSIDE = """
    const place = (one) => one.getBoundingClientRect();
    return [".replay .board", ".replay .position", ".replay .verbs"].filter((selector) => {
        const { left, right, top, bottom } = place(document.querySelector(selector));
        return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
    });
"""
LAST_SUMS = "return [...document.querySelectorAll('.course tbody tr:last-child td')].map((one) => one.textContent)"


@pytest.fixture
def match() -> Match:
    return played(Dodeka.id, ("Anne-Catherine", "Ben"), 9)


@pytest.fixture
def page(open_at: Any, match: Match) -> Iterator[tuple[Sim, Phone]]:
    """The page of a past match, on a laptop."""
    sim, phone = open_at(match, 1280, 800, "table")
    phone.go("past/1")
    phone.find(".replay .board")
    yield sim, phone
    assert not phone.complaints()


def shows(phone: Phone, match: Match, step: int) -> None:
    """Check the text, the scores and the dice of a step against the match."""
    assert phone.here.execute_script(WHERE) == f"Step {step} of {len(match.acts)}"
    if step:
        phone.reads(".replay .did", sentence_of(match, step - 1))
    assert phone.here.execute_script(SCORES) == list(match.position(step).scores())
    dice = [str(face) for face in match.position(step).shown_facts()["dice"]]
    assert [face for face in phone.here.execute_script(FACES) if face] == dice


def test_each_step_of_a_past_match_shows_its_move_its_scores_and_its_board(page: Any, match: Match) -> None:
    _, phone = page
    last = len(match.acts)
    assert any(match.position(step).shown_facts()["dice"] for step in range(last))
    shows(phone, match, last)
    assert phone.here.execute_script(OFF) == ["next", "last"]
    phone.tap(".replay [data-key=first]")
    shows(phone, match, 0)
    assert phone.here.execute_script(OFF) == ["first", "back"]
    for step in range(1, last + 1):
        phone.tap(".replay [data-key=next]")
        shows(phone, match, step)
    phone.tap(".replay [data-key=back]")
    shows(phone, match, last - 1)
    phone.tap(".replay summary")
    phone.tap(".replay .moves li:nth-child(4) button")
    shows(phone, match, 3)
    phone.tap(".replay [data-key=last]")
    shows(phone, match, last)


def test_board_text_and_buttons_fit_on_a_laptop_by_day_and_night(page: Any) -> None:
    _, phone = page
    phone.here.execute_script("document.querySelector('.replay').scrollIntoView({ block: 'end' })")
    assert phone.here.execute_script(OUTSIDE) == []
    check_readable(phone)
    assert phone.here.execute_script(OUTSIDE) == [], "by night"


def test_a_replay_stays_at_its_step_when_the_language_changes(page: Any) -> None:
    sim, phone = page
    for _ in range(2):
        phone.tap(".replay [data-key=back]")
    speak_german(sim)
    phone.reads("nav", "Tisch")
    phone.wait("return document.querySelector('.replay .when')?.innerText === 'Schritt 7 von 9'")


def test_a_page_that_gets_no_moves_says_so_and_asks_again(page: Any, match: Match) -> None:
    _, phone = page
    phone.cdp("Network.enable")
    phone.cdp("Network.setBlockedURLs", urls=["*/moves"])
    phone.go("past")
    phone.go("past/1")
    phone.reads(".replay [role=alert]", "The moves cannot be shown. No reply from the box.")
    phone.cdp("Network.setBlockedURLs", urls=[])
    phone.complaints()  # of the blocked request
    phone.tap(".replay [data-key='moves again']")
    phone.find(".replay .board")
    shows(phone, match, len(match.acts))


def test_a_puzzle_of_the_matches_is_asked_and_judged(page: Any) -> None:
    sim, phone = page
    phone.pair(sim.code(None))
    phone.go("past")
    phone.tap("[data-key=puzzle]")
    phone.find(".puzzle .options button")
    phone.tap("[data-key='option 0']")
    phone.wait("return /comes again/.test(document.querySelector('.puzzle').textContent)")
    assert phone.here.execute_script("return document.querySelectorAll('.puzzle [aria-current]').length") == 1
    phone.tap("[data-key=puzzle]")
    phone.find(".puzzle .options button")


def test_a_review_shows_what_cost_most_and_a_tap_shows_it_on_the_board(page: Any, match: Match) -> None:
    _, phone = page
    phone.tap("[data-key=review]")
    phone.wait("return document.querySelectorAll('.review > table tbody tr').length === 2")
    found = review(match, range(len(match.acts)))
    ann, ben = (each for each in found.players if isinstance(each, Share))
    phone.reads(".review > table tbody tr", "Anne-Catherine", tenths(ann.luck.value), tenths(ann.given_away.value))
    crosses = phone.here.execute_script("return document.querySelectorAll('svg[role=img] .mistake').length")
    assert crosses == len(ann.mistakes) + len(ben.mistakes)
    cells = phone.here.execute_script(LAST_SUMS)
    sums = [(each.expected, each.luck, each.given_away) for each in (ann, ben)]
    assert cells == [tenths(figure.value) for share in sums for figure in share]
    dearest = (ann.worst or ben.worst)[0]
    phone.tap(".mistakes button")
    shows(phone, match, dearest.move - 1)


def test_a_review_is_printed_as_by_day_and_with_little_ink(page: Any) -> None:
    """At night too: scores, table, mistakes and charts, without what only a screen needs."""
    _, phone = page
    phone.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    phone.tap("[data-key=review]")
    phone.find("[data-key=print]")
    phone.here.execute_script("window.print = () => document.body.dataset.printed = 'yes'")
    phone.tap("[data-key=print]")
    phone.wait("return document.body.dataset.printed === 'yes'")
    pdf = pdfium.PdfDocument(base64.b64decode(phone.cdp("Page.printToPDF", printBackground=True)["data"]))
    texts = "".join(each.get_textpage().get_text_bounded() for each in pdf)
    for text in ("Anne-Catherine", "Luck and skill", "Given away", "move 9", "Better: ", "Scores by move"):
        assert text in texts
    for text in ("Rules", "Print", "Next step", "Download"):
        assert text not in texts
    for each in pdf:
        grey = each.render(scale=0.5).to_pil().convert("L")
        ink = sum(number * (255 - shade) for shade, number in enumerate(grey.histogram()))
        assert ink < 0.05 * 255 * grey.width * grey.height
