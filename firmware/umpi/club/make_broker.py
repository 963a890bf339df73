"""The settings of a Mosquitto for a club: a user for each box and for the club, and what each may publish."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from umpi.box.identity import ID
from umpi.frozen import frozen
from umpi.mqtt.discovery import PREFIX
from umpi.mqtt.topics import BIRTH, CLUB, ROOT

CLUB_USER = "club"
SIGN = "# Written by `umpi club --make-broker`; to add a box, run it again."
LISTENER, PORT = re.compile(r"^listener +(\d+)", re.MULTILINE), 1883
ITERATIONS = 1000  # the passwords are random, 144 bits: the time that a hash takes protects nothing more
OWN_WORDS = ("online", "state", "call", "result", "reply")  # what a box publishes below its own id


class NotOurs(ValueError):
    """Report a file that somebody else has written; it stays as it is."""


@frozen
class Made:
    """What was written: the settings of the broker, and the file with the password of each user."""

    settings: Path
    port: int
    logins: dict[str, Path]


def make_broker(folder: Path, port: int | None, boxes: Sequence[str]) -> Made:
    """Write the settings of a Mosquitto into its folder, such as /etc/mosquitto.

    A user who has a password already keeps it, so boxes can be added later. Users that somebody has added, such as Home
    Assistant, stay with their rights, and the settings stay as they are but for a port that is given. In `conf.d`, if
    it is there, Mosquitto of Debian reads the settings by itself. Raises NotOurs if other settings are there, OSError
    if nothing can be written.
    """
    place = folder / "conf.d" if (folder / "conf.d").is_dir() else folder
    settings, rights, passwords = place / "umpi.conf", folder / "umpi.acl", folder / "umpi.passwords"
    for file in (settings, rights):
        if file.exists() and not file.read_text(encoding="utf-8").startswith(SIGN):
            raise NotOurs(str(file))
    kept = folder / "umpi-logins"
    kept.mkdir(mode=0o700, exist_ok=True)
    had = sorted(file.name for file in kept.iterdir() if file.name != CLUB_USER)
    logins = {user: kept / user for user in (CLUB_USER, *dict.fromkeys((*had, *boxes)))}
    for file in logins.values():
        if not file.exists():
            _write(file, secrets.token_urlsafe(18) + "\n", 0o600)
    hashes = [f"{user}:{_hash(file.read_text(encoding='utf-8').strip())}" for user, file in logins.items()]
    hashes += [line for line in _lines(passwords) if _is_added(line.partition(":")[0], logins)]
    own_rights = _rights([user for user in logins if user != CLUB_USER])
    _write(passwords, "\n".join(hashes) + "\n", 0o640)
    _write(rights, "\n".join([*own_rights, *_added_rights(_lines(rights), logins)]) + "\n", 0o640)
    own = settings.read_text(encoding="utf-8") if settings.exists() else _settings(PORT, passwords, rights)
    if port is None:
        found = LISTENER.search(own)
        port = int(found[1]) if found else PORT
    else:
        own = LISTENER.sub(f"listener {port}", own, count=1)
    _write(settings, own, 0o644)
    return Made(settings, port, logins)


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _is_added(user: str, logins: Collection[str]) -> bool:
    """Return whether somebody has added a user, who has no login here. One with the id of a box was ours."""
    return bool(user) and user not in logins and not ID.fullmatch(user)


def _added_rights(rights: Sequence[str], logins: Collection[str]) -> list[str]:
    """Return the rights of the users that somebody has added."""
    found, user = list[str](), ""
    for line in rights:
        if line.startswith("user "):
            user = line.removeprefix("user ").strip()
        if _is_added(user, logins):
            found.append(line)
    return found


def _settings(port: int, passwords: Path, rights: Path) -> str:
    lines = [
        SIGN, f"listener {port}", "allow_anonymous false", f"password_file {passwords}", f"acl_file {rights}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _rights(boxes: Sequence[str]) -> list[str]:
    """Return who may publish and read what: %u is the user, so a box speaks only under its own id."""
    own = [f"pattern write {ROOT}/%u/{word}" for word in OWN_WORDS]
    lines = [
        SIGN, *own, f"pattern read {ROOT}/%u/#", f"pattern read {CLUB}", f"pattern read {BIRTH}",
        f"user {CLUB_USER}", f"topic read {ROOT}/#", f"topic write {CLUB}",
        f"topic write {ROOT}/+/kept", f"topic write {ROOT}/+/next",
        f"topic write {ROOT}/+/online", f"topic write {ROOT}/+/state",  # to remove a box that is gone
    ]  # fmt: skip
    for box in boxes:  # by these Home Assistant finds it; a pattern takes no part of a level
        lines += [f"user {box}", f"topic write {PREFIX}/+/umpi_{box}/+/config"]
    return lines


def _hash(password: str) -> str:
    """Return a password as Mosquitto 2 keeps it: PBKDF2 with SHA-512 (mosquitto_passwd(1))."""
    salt = secrets.token_bytes(12)
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"


def _write(file: Path, text: str, mode: int) -> None:
    """Write a file whole or not at all. One that its group may read belongs to Mosquitto's group if root writes it."""
    new = file.with_name(f".{file.name}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    new.chmod(mode)
    if mode == 0o640 and os.geteuid() == 0:
        _give_to_mosquitto(new)
    new.replace(file)


def _give_to_mosquitto(file: Path) -> None:
    with suppress(LookupError):  # Mosquitto is not installed here: whoever copies the file gives it to the broker
        shutil.chown(file, group="mosquitto")
