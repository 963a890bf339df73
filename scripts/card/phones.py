"""A card in QEMU at its referee's phone: an update in a match, and what the phone says if that does not start."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from scripts.card.boots import CARD_BYTES, PAGE_S, Found, bundle_of, running, wipe
from scripts.card.guest import Guest, copy_of, slot_of
from scripts.card.menus import LONG_S, make_stick
from scripts.card.tools import Fault, Tools
from umpi.appliance.layout import SLOT_B
from umpi.appliance.slots import Slot
from umpi.table.card import CardStage, CardTask

INVITATION = "journalctl -u umpi -o cat | grep -o 'pair=.*' | tail -1"  # a box without buttons prints it
PLAYERS = [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]
LOOK_S = 1.0


class Phone:
    """The referee's phone, with its cookie. It asks the card that runs now: `at` is its port."""

    def __init__(self) -> None:
        self._client = httpx.Client(headers={"Umpi": "1"}, timeout=60)

    def meet(self, guest: Guest) -> None:
        """Open the page of a card that has just started."""
        guest.page(PAGE_S)
        self._guest, self._at = guest, f"http://127.0.0.1:{guest.port}/api"

    def state(self) -> Any:
        """Return what the table shows."""
        return self._client.get(f"{self._at}/state").raise_for_status().json()

    def post(self, path: str, **body: Any) -> None:
        """Send a request. Raises Fault with what the box says if it refuses."""
        answer = self._client.post(f"{self._at}/{path}", json=body)
        if answer.is_error:
            raise Fault(f"{path}: {answer.status_code} {answer.text[:200]}")

    def begin(self, task: CardTask) -> None:
        """Begin a task of the card."""
        self.post("card", task=task)

    def reads(self, stage: CardStage, limit_s: float) -> str:
        """Wait until a task has come so far or has failed, and return what the phone then says. Raises Fault."""
        self._guest.wait(lambda: self.state()["card"]["stage"] in (stage, "failed"), limit_s, LOOK_S)
        card = self.state()["card"]
        return f"{card['title']}: {card['text']}"

    def acts(self) -> int:
        """Return how many acts the match in play has, 0 without one."""
        match = self.state()["match"]
        return int(match["acts"]) if match else 0


def at_the_phone(tools: Tools, image: Path, work: Path) -> Iterator[Found]:
    """Update a card by its referee's phone in a match; the root of the new slot is broken before its first start."""
    work.mkdir(parents=True, exist_ok=True)
    stick, phone = make_stick(tools, work / "stick.img", bundle_of(image)), Phone()
    card, on = copy_of(image, work / "card.img", CARD_BYTES), partial(running, tools, stick=stick)
    with on(card, work) as guest:
        phone.meet(guest)
        phone.post("pair", code=guest.run(INVITATION).rpartition("pair=")[2])
        phone.post("start", game="scorepad", players=PLAYERS)
        phone.post("act", question=phone.state()["question"]["id"], act={"do": "score", "seat": 0, "points": 20})
        acts = phone.acts()
        yield Found("the referee's phone begins a match, and counts", f"acts: {acts}", acts == 1)
        phone.begin("update from stick")
        asked = phone.reads("asks", LONG_S)
        yield Found("the phone asks before the restart", asked, "Restart now?" in asked)
        yield Found("until then the card starts slot", slot_of(tools, card, work), slot_of(tools, card, work) is Slot.A)
        phone.post("card-agree")
        yield Found("it agrees, and the box restarts", f"{guest.age_s:.0f} s", guest.ended(300))
    wipe(card, SLOT_B)
    with on(card, work) as guest:
        yield Found(f"slot {guest.slot}, broken, restarts after", f"{guest.age_s:.0f} s", guest.ended(PAGE_S))
    with on(card, work) as guest:
        phone.meet(guest)
        said = phone.reads("failed", PAGE_S)
        yield Found(f"slot {guest.slot} is back, and the phone says", said, "did not start" in said)
        found = phone.acts()
        yield Found("the phone is still the referee's, and the match has", f"acts: {found}", found == acts)
        phone.post("act", question=phone.state()["question"]["id"], act={"do": "score", "seat": 1, "points": 7})
        yield Found("the match continues", f"acts: {phone.acts()}", phone.acts() == acts + 1)
