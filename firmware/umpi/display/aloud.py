"""Texts for the ear: write signs as words, because a voice would leave them out or name them ("slash", "dash")."""

from __future__ import annotations

import re
import unicodedata

from umpi.display.symbols import AIR, EARTH, ETHER, FIRE, WATER
from umpi.i18n.translate import Translated, tr

ELEMENTS = {FIRE: "fire", WATER: "water", AIR: "air", EARTH: "earth", ETHER: "ether"}
SCORE = re.compile(rf"([{''.join(ELEMENTS)}])(\d+)-(\d+)")
SILENT = re.compile(r"[_●■▲◆○✕▼▶…⬟⬡⏸␣\s]+")  # they point to buttons and pieces that the words name too
ADDRESS = re.compile(r"(?:https?://)?([\w.-]+:\d+)/|https?://")
READ = re.compile(r"[\w\s.,:;?!'’\"„“”«»()&%-]")  # what a voice reads as it is meant; "&" is a word in each language


def aloud(text: str) -> Translated:
    """Return a text as it is spoken in the language of the box.

    >>> [str(aloud(text)) for text in ("Roll 2/3 / Stop", "3/0", "7x2 +27", "🔥19-9", "20-29, 5 ms")]
    ['Roll 2 of 3, Stop', '3, 0', '7 times 2 plus 27', 'fire 19 minus 9', '20 to 29, 5 milliseconds']
    >>> print(aloud("http://umpi.local:8000/"))
    umpi.local:8000
    """
    text = ADDRESS.sub(r"\1", text)
    text = SCORE.sub(lambda m: f"{m[1]} {tr('{one} minus {other}', one=m[2], other=m[3])}", text)
    for sign, word in ELEMENTS.items():
        text = text.replace(sign, f" {tr(word)} ")
    text = SILENT.sub(" ", text).strip()
    text = re.sub(r"^(\d+)/(\d+)$", r"\1, \2", text)  # two numbers of a table
    text = re.sub(r"(\d+) ?/ ?(\d+)", lambda m: tr("{one} of {other}", one=m[1], other=m[2]), text)
    text = re.sub(r" ?[/=] ?", ", ", text)
    text = re.sub(r"\b(\d+)[x×](\d+)\b", lambda m: tr("{one} times {other}", one=m[1], other=m[2]), text)
    text = re.sub(r"\b(\d+)[-–](\d+)\b", lambda m: tr("{one} to {other}", one=m[1], other=m[2]), text)
    text = re.sub(r"(?<!\w)\+(\d+)", lambda m: tr("plus {number}", number=m[1]), text)
    text = re.sub(r"(?<!\w)[-−](\d+)", lambda m: tr("minus {number}", number=m[1]), text)
    text = re.sub(r"(\d+) ms\b", lambda m: tr("{number} milliseconds", number=m[1]), text)
    return Translated(" ".join(text.split()))


def unspeakable(text: str) -> str:
    """Return the signs of a text that have no words, "" if there are none.

    >>> unspeakable("Ann → Zsófia, 3-4")
    '→'
    """
    return READ.sub("", unicodedata.normalize("NFC", aloud(text)))
