"""A recorded session on a terminal: its events and effects as text, its pictures as blocks, and a walk through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from umpi.display.picture import Picture
from umpi.frozen import frozen
from umpi.recording.replay import Step, described, event_text
from umpi.referee.effects import Show

HALVES = " ▀▄█"  # the dots above and below: none, above, below, both
PROMPT = "Enter: next, b: back, number: go there, q: quit > "


@frozen
class Entry:
    """An event to read: its number and text, and the picture that it led to, with the number of the picture."""

    number: int
    text: str
    picture: Picture | None
    picture_number: int


def entries(steps: Iterable[Step]) -> Iterator[Entry]:
    """Yield the events of a session that say something, or led to something."""
    began_ns: int | None = None
    pictures = 0
    for step in steps:
        at_ns: int | None = getattr(step.event, "at_ns", None)
        began_ns = at_ns if began_ns is None else began_ns
        shown = [effect for effect in step.effects if isinstance(effect, Show)]
        pictures += len(shown)
        lines = [line.replace("picture", f"picture {pictures}", 1) for line in described(step.effects)]
        text = event_text(step.event)
        if text or lines:
            at = "" if at_ns is None or began_ns is None else f"{(at_ns - began_ns) / 1e9:.3f}"
            head = f"{step.number:6} {at:>10}  {text}".rstrip()
            whole = "\n".join([head, *(f"{'':19}> {line}" for line in lines)])
            yield Entry(step.number, whole, shown[-1].picture if shown else None, pictures)


def walk(found: Iterator[Entry], read: Callable[[], str], put: Callable[[str], object]) -> None:
    """Show one event after the other with its picture; `read` returns what is typed after each, "" at the end."""
    seen: list[Entry] = []
    at = 0
    while True:
        while at >= len(seen) and (entry := next(found, None)):
            seen.append(entry)
        if at >= len(seen):
            return
        put(seen[at].text)
        if picture := seen[at].picture:
            put(blocks(picture))
        put(PROMPT)
        typed = read()
        match typed.strip():
            case "":
                at += 1
            case "b":
                at = max(0, at - 1)
            case number if number.isdecimal():
                while seen[-1].number < int(number) and (entry := next(found, None)):
                    seen.append(entry)
                at = next((place for place, entry in enumerate(seen) if entry.number >= int(number)), len(seen) - 1)
            case _:
                return
        if not typed:
            return


def cut(text: str, width: int) -> str:
    """Cut each line of a text to a width.

    >>> cut("a short one\\nand one that is longer", 12)
    'a short one\\nand one tha…'
    """
    return "\n".join(line if len(line) <= width else f"{line[: width - 1]}…" for line in text.split("\n"))


def blocks(picture: Picture) -> str:
    """Draw a picture with blocks, two dots per letter."""
    rows = []
    for y in range(0, picture.height, 2):
        row = [HALVES[picture.dot(x, y) + 2 * picture.dot(x, y + 1)] for x in range(picture.width)]
        rows.append("".join(row).rstrip())
    return "\n".join(rows)
