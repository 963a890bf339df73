"""Who a box is: an id that never changes, in `box.json` beside the journal, and a name for people."""

from __future__ import annotations

import json
import logging
import re
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FILE = "box.json"
ID = re.compile("[0-9a-f]{12}")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """The id of a box, twelve hexadecimal digits, and its name."""

    id: str
    name: str


def has_identity(folder: Path) -> bool:
    """Return whether a box has had its journal in `folder`."""
    return (folder / FILE).exists()


def read_identity(folder: Path, name: str = "") -> Identity:
    """Return the identity of the box whose journal is in `folder`; the first call makes its id.

    Without a `name`, that of the computer is used. If the file cannot be written, the id is valid until the box stops.
    """
    file = folder / FILE
    name = name or socket.gethostname()
    found = _read(file)
    if not found:
        found = secrets.token_hex(6)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            new = file.with_name(f"{FILE}.{found}")
            new.write_text(json.dumps({"id": found}) + "\n", encoding="utf-8")
            keep_first(new, file)
            new.unlink(missing_ok=True)
        except OSError as fault:
            log.warning("The id of this box cannot be kept in %s: %s", file, fault.strerror or fault)
    return Identity(_read(file) or found, name)


def keep_first(new: Path, file: Path) -> None:
    """Give a file a second name, unless another process of this box was first. Raises OSError.

    Without hard links, as on a USB stick or in a browser, it is renamed; two processes could then both be first.
    """
    try:
        file.hardlink_to(new)
    except FileExistsError:
        return
    except (PermissionError, NotImplementedError):
        if not file.exists():
            new.replace(file)


def _read(file: Path) -> str:
    """Return the id in a file, "" if there is no file or no id in it. A damaged file is removed."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(kept, dict) and isinstance(kept.get("id"), str) and ID.fullmatch(kept["id"]):
            return str(kept["id"])
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        pass
    log.warning("%s does not contain the id of a box; a new one is made", file)
    with suppress(OSError):
        file.unlink()
    return ""
