"""Who a box is: an id that never changes, in `box.json` beside the journal, and a name for people."""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import socket
from contextlib import suppress
from pathlib import Path

from umpi.frozen import frozen

FILE = "box.json"
ID = re.compile("[0-9a-f]{12}")

log = logging.getLogger(__name__)


@frozen
class Identity:
    """The id of a box, twelve hexadecimal digits, and its name. `kept` is whether the id is in its file."""

    id: str
    name: str
    kept: bool = True


def has_identity(folder: Path) -> bool:
    """Return whether a box has had its journal in `folder`."""
    return (folder / FILE).exists()


def read_identity(folder: Path, name: str = "") -> Identity:
    """Return the identity of the box whose journal is in `folder`; the first call makes its id.

    Without a `name`, that of the computer is used. If the file cannot be read or written, it is left alone, so that a
    club knows the box again after the next start. Until then the box has an id that is not kept, and signs nothing.
    """
    file = folder / FILE
    name = name or socket.gethostname()
    try:
        return Identity(_read(file) or _make(file), name)
    except OSError as fault:
        log.warning("The id of this box cannot be read or kept in %s: %s", file, fault.strerror or fault)
        return Identity(secrets.token_hex(6), name, kept=False)


def keep_first(file: Path, text: str, mode: int = 0o666) -> None:
    """Write a file, whole and on the disk, unless another process of this box was first. Raises OSError."""
    new = file.with_name(f"{file.name}.{secrets.token_hex(6)}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="ascii") as written:
            written.write(text)
            written.flush()
            os.fsync(written.fileno())  # else a power cut could leave an empty file
        _name_first(new, file)
    finally:
        with suppress(OSError):
            new.unlink()


def _name_first(new: Path, file: Path) -> None:
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
    """Return the id in a file, "" if there is no file or no id in it. A damaged file is removed. Raises OSError."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ""
    except ValueError:
        kept = None
    if isinstance(kept, dict) and isinstance(kept.get("id"), str) and ID.fullmatch(kept["id"]):
        return str(kept["id"])
    log.warning("%s does not contain the id of a box; a new one is made", file)
    file.unlink(missing_ok=True)
    return ""


def _make(file: Path) -> str:
    """Write a new id to a file, unless another process of this box is first; return the id in it. Raises OSError."""
    made = secrets.token_hex(6)
    file.parent.mkdir(parents=True, exist_ok=True)
    keep_first(file, json.dumps({"id": made}) + "\n")
    return _read(file) or made
