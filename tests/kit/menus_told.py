"""Questions in one line each, as traces have them."""

from __future__ import annotations

from umpi.display.menu import NOTHING, Choice, Menu


def said(choice: Choice) -> str:
    """A choice as it is on its key: why it is off, whether it is marked, and its remedy."""
    notes = {"off": choice.off, "OK": choice.remedy.label if choice.remedy else "", "or": ", ".join(choice.shorter)}
    button = "" if choice.button is None else f"@{choice.button}"
    told = "".join(f" ({name}: {text})" for name, text in notes.items() if text)
    return f"{choice.label}{'*' * choice.marked}{button}{told}"


def described(menu: Menu, page: int) -> str:
    """A question in one line."""
    parts = {
        "ok": "" if menu.ok is NOTHING else menu.done, "less": menu.less, "note": menu.note, "text": menu.text,
        "head": menu.head, "why": menu.why, "qr": menu.qr, "help": menu.help[:40],
        "now": menu.now.text if menu.now else "", "wheel": "" if menu.wheel is None else f"{menu.wheel}",
        "seat": "" if menu.seat is None else f"{menu.seat}",
    }  # fmt: skip
    told = "; ".join(f"{name} {text}" for name, text in parts.items() if text)
    kind = "".join(letter for letter, yes in zip("rpt", (menu.rows, menu.private, menu.texts), strict=True) if yes)
    choices = " | ".join(map(said, menu.page(page)))
    return f"{menu.title} {page + 1}/{menu.pages}{kind} [{choices}] {told}".replace("\n", "/")
