"""A card in QEMU at its own menu: hello, an update from a stick in a match, a copy, a restore, and what it then shows.

The box runs as on a Pi, but for its pins and display, which are virtual (`in_guest`). Each screen that is named here
is kept as a picture.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PIL import Image

from scripts.card.boots import CALLED, CARD_BYTES, PAGE_S, Found, bundle_of, running, wipe
from scripts.card.guest import Guest, copy_of, slot_of
from scripts.card.hands import WORDS, Hands, put_hands
from scripts.card.tools import Tools
from umpi.appliance.layout import SLOT_B
from umpi.appliance.slots import Slot

STICK_BYTES = 1 << 29
LONG_S = 1200.0  # an update: the stick, the signature, the slot and what is read back
TRIAL_S = 700.0
MATCH = ("red", "blue", "ok", "ok", "red", "white", "ok")  # who plays, with which rules, and 20 points for Red
HISTORY = "runuser -u umpi -- umpi history"


def at_the_menu(tools: Tools, image: Path, work: Path) -> Iterator[Found]:
    """Do everything with a card that its menu has; the pictures are in `screens` beside the image."""
    work.mkdir(parents=True, exist_ok=True)
    pictures = image.with_name("screens")
    shutil.rmtree(pictures, ignore_errors=True)
    stick = make_stick(tools, work / "stick.img", bundle_of(image))
    card, on = copy_of(image, work / "card.img", CARD_BYTES), partial(running, tools, extra=WORDS, stick=stick)
    put_hands(tools, card)
    with on(card, work) as guest:
        hands = _hands(guest, pictures)
        hands.sees("Hello!", "OK play", name="1-hello", limit_s=PAGE_S)
        yield Found("a new card says hello, with the code of its page, after", f"{guest.age_s:.0f} s", True)
        hands.do("press ok")
        hands.do("take Score pad")
        for each in MATCH:
            hands.do(f"press {each}")
        match = hands.sees("Score pad", "20", name="2-match")
        hands.do("hold back")
        hands.do("take Update")
        hands.do("take from a USB stick")
        yield _seen(hands, "an update from a stick in a match is checked", "Checking:", name="3-checking", still=False)
        yield _seen(
            hands, "it is written into the other slot", "Writing:", name="4-writing", limit_s=LONG_S, still=False
        )
        yield _seen(hands, "it asks before the restart", "Restart now?", name="5-asks", limit_s=LONG_S)
        yield Found("until then the card starts slot", slot_of(tools, card, work), slot_of(tools, card, work) is Slot.A)
        hands.do("press back")
        yield _same(hands, match, "Back puts it off, and the match goes on")
        hands.do("hold back")
        hands.do("take Update")
        hands.do("take from a USB stick")
        yield _seen(hands, "the menu asks again, and nothing is written again", "Restart now?")
        guest.send("echo press ok >/run/umpi/hands\n")
        yield Found("OK restarts the box", f"{guest.age_s:.0f} s", guest.ended(300))
    broken = copy_of(card, work / "broken.img")
    wipe(broken, SLOT_B)
    with on(card, work) as guest:
        hands = _hands(guest, pictures)
        yield _seen(hands, f"slot {guest.slot}: the match in play is there", "Score", name="6-resumed", limit_s=PAGE_S)
        hands.do("press ok")
        yield _seen(hands, "the update works", "The update works", name="7-works", limit_s=TRIAL_S)
        hands.do("press ok")
        yield _same(hands, match, "the match in play is shown as before")
        hands.do("hold back")
        hands.do("take Back up")
        yield _seen(hands, "a copy is on the stick", "The copy is on", name="8-copied", limit_s=LONG_S)
        played = guest.run(HISTORY)
        guest.send("systemctl poweroff\n")
        yield Found("the box switches itself off", f"{guest.age_s:.0f} s", guest.ended(300))
    new = copy_of(image, work / "new.img", CARD_BYTES)
    put_hands(tools, new)
    with on(new, work) as guest:
        hands = _hands(guest, pictures)
        hands.sees("Hello!", limit_s=PAGE_S)
        hands.do("press ok")
        for label in ("Name of the box", "a-f", "d"):
            hands.do(f"take {label}")
        hands.do("press ok")
        yield _seen(hands, "a new card asks before it takes another name", "The box restarts as d.", name="9-name")
        guest.send("echo press ok >/run/umpi/hands\n")
        yield Found("it restarts", f"{guest.age_s:.0f} s", guest.ended(300))
    with on(new, work) as guest:
        hands = _hands(guest, pictures)
        hands.sees("Hello!", limit_s=PAGE_S)
        called = guest.run(f"hostname; {CALLED}").split()
        yield Found("and has the name", " ".join(called), called == "d Host name is d.local".split())
        hands.do("press ok")
        hands.do("take Restore")
        yield _seen(hands, "a new card finds the copy, and asks", "The copy is of", name="10-restore", limit_s=LONG_S)
        guest.send("echo press ok >/run/umpi/hands\n")
        yield Found("it restarts with the copy", f"{guest.age_s:.0f} s", guest.ended(300))
    with on(new, work) as guest:
        hands = _hands(guest, pictures)
        yield _seen(hands, "the new card resumes the match", "Score", name="11-restored", limit_s=PAGE_S)
        found = guest.run(HISTORY)
        yield Found("its matches are those of the first card", " ".join(found.split())[:80], found == played)
    with on(broken, work) as guest:
        yield Found("with a broken root, slot b restarts after", f"{guest.age_s:.0f} s", guest.ended(PAGE_S))
    with on(broken, work) as guest:
        hands = _hands(guest, pictures)
        hands.sees("Score", limit_s=PAGE_S)
        hands.do("press ok")
        yield _seen(hands, f"slot {guest.slot} is back", "did not start", name="12-back", limit_s=PAGE_S)
        hands.do("press ok")
        yield _same(hands, match, "no match is lost: it is shown as before")


def _hands(guest: Guest, pictures: Path) -> Hands:
    hands = Hands(guest, pictures)
    hands.wait_ready(PAGE_S)
    return hands


def _seen(hands: Hands, what: str, *texts: str, name: str = "", limit_s: float = 120, still: bool = True) -> Found:
    hands.sees(*texts, name=name, limit_s=limit_s, still=still)
    return Found(what, f"screens/{name}.png" if name else "seen", True)


def _same(hands: Hands, match: Image.Image, what: str) -> Found:
    return Found(what, "pixel by pixel", hands.sees_again(match))


def make_stick(tools: Tools, stick: Path, bundle: Path) -> Path:
    """Make a USB stick: a FAT file system without partitions, with a bundle in it."""
    with stick.open("wb") as file:
        file.truncate(STICK_BYTES)
    tools.run("sbin/mkfs.fat", "-F", "32", "-n", "STICK", stick)
    tools.run("bin/mtools", "-i", stick, bundle, f"::{bundle.name}", name="mcopy")
    return stick
