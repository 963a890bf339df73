"""What a card does for the service of its box, which may not write it: one task for each connection.

`umpi-card.socket` accepts connections of the user `umpi` alone, and starts this program as root. It takes one word of
`CardTask` or `MenuTask` and, later, that somebody agrees. No path, address or option comes over the connection: sticks
are searched, the address is that of umpi.toml, and a bundle counts only with the signature of this card's makers. To
join a Wi-Fi, a second line has its name, password and country; they are written as data, and never logged. To name the
box, it has the name.
"""

from __future__ import annotations

import logging
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, assert_never, get_args

from umpi.appliance import card as cards
from umpi.appliance import copies, networks
from umpi.appliance import stick as sticks
from umpi.appliance import update as updates
from umpi.appliance.bundle import BadBundle, Bundle, Manifest, Progress, Version, check_fit, opened
from umpi.appliance.card import Card, CardFault, NoCard
from umpi.appliance.country import kept_country
from umpi.appliance.fetch import fetch
from umpi.appliance.journals import journal_schema
from umpi.appliance.name import keep_name, read_name
from umpi.appliance.slots import BadBootFile, Restart
from umpi.appliance.start import CONFIG, STATE_AT, health_of_box
from umpi.box.config import BadConfig
from umpi.box.config_file import find_journal, read_config
from umpi.kernel.messages import message
from umpi.recording.values import dumped, plain
from umpi.referee.events import CardNews
from umpi.service.card_line import AGREE, LONGEST
from umpi.table.card import CardTask, MenuTask

BUNDLES = "*.bundle"  # in the top folder of a stick
DOWNLOAD = "update.bundle"  # in the state

log = logging.getLogger(__name__)


class Later(Exception):
    """Nobody has agreed: the connection has ended."""


class Talk:
    """The connection with the service. If the service ends, a task that writes goes on, and one that asks ends."""

    def __init__(self, heard: IO[bytes], told: IO[bytes]) -> None:
        self._heard, self._told = heard, told
        self._last: CardNews | None = None

    def word(self) -> str:
        """Return the next word of the service, "" at the end of the connection."""
        return self.line().decode(errors="replace").strip()

    def line(self) -> bytes:
        """Return the next line of the service, empty at the end of the connection."""
        return self._heard.readline(LONGEST)

    def tell(self, news: CardNews) -> None:
        """Tell the service how far the task is, if that is new."""
        if news == self._last:
            return
        self._last = news
        try:
            self._told.write(f"{dumped(plain(news))}\n".encode())
            self._told.flush()
        except OSError as fault:
            log.info("the service does not listen: %s", fault)

    def ask(self, text: str, agree: str) -> None:
        """Ask the players, and wait until somebody agrees. Raises Later if the connection ends."""
        self.tell(CardNews("asks", text, agree=agree))
        if self.word() != AGREE:
            raise Later

    def progress(self, text: str) -> Progress:
        """Return what tells how far a long part is."""
        return lambda done, whole: self.tell(CardNews("busy", text, 100 * done // max(1, whole)))


def serve(heard: IO[bytes], told: IO[bytes]) -> None:
    """Do the task that the service names. What fails is told and logged."""
    talk = Talk(heard, told)
    word = talk.word()
    try:
        task = next((each for each in (*get_args(CardTask), *get_args(MenuTask)) if each == word), None)
        if task is None:
            raise CardFault(message("The card knows no task {word}.", word=repr(word[:40])))
        log.info("asked for: %s", task)
        with updates.only_one(STATE_AT):
            talk.tell(_do(task, talk))
    except Later:
        log.info("nobody has agreed, and nothing has changed")
    except (BadBundle, CardFault) as fault:
        log.warning("%s", fault)
        talk.tell(CardNews("failed", fault.reason))
    except BadConfig as fault:
        log.warning("%s", fault)
        talk.tell(CardNews("failed", str(fault)))
    except (NoCard, BadBootFile, OSError) as fault:
        log.exception("the task failed")
        talk.tell(CardNews("failed", message("The box cannot work on its card: {why}.", why=str(fault))))
    except Exception as fault:
        log.exception("the task failed")
        why = f"{type(fault).__name__}: {fault}"
        talk.tell(CardNews("failed", message("The box cannot work on its card: {why}.", why=why)))


def _do(task: CardTask | MenuTask, talk: Talk) -> CardNews:
    """Do a task; return what has become of it."""
    match task:
        case "update from stick":
            with sticks.stick() as folder:
                return CardNews("done", _update(newest_bundle(folder, cards.trusted_key()), talk))
        case "update from network":
            with _downloaded(talk) as file:
                return CardNews("done", _update(file, talk))
        case "back up":
            return CardNews("done", _back_up(talk))
        case "restore":
            return CardNews("done", _restore(talk))
        case "find networks":
            talk.tell(CardNews("busy", message("Looking for Wi-Fi …")))
            country = kept_country(CONFIG.parent)
            return CardNews("done", message("Choose a Wi-Fi at the box."), networks=networks.find(), country=country)
        case "join network":
            chosen = networks.read_chosen(talk.line())
            talk.tell(CardNews("busy", message("Joining {name} …", name=chosen.name)))
            networks.join(chosen, CONFIG.parent)
            return CardNews("done", message("The box is in {name}. Its address is under Network.", name=chosen.name))
        case "name the box":
            return CardNews("done", _name(read_name(talk.line()), talk))
        case _:
            assert_never(task)


def _back_up(talk: Talk) -> str:
    """Write everything that the box keeps onto a stick."""
    box, progress = socket.gethostname(), talk.progress(message("Copying:"))
    with sticks.stick(writable=True) as folder:
        journal = find_journal(CONFIG)
        file = copies.back_up(STATE_AT, journal, box, int(time.time()), cards.this_version(), folder, progress)
        found = copies.read_copy(file)
    template = (
        "The copy is on the stick: {file}. It has all matches ({matches}), settings, keys and Wi-Fi. Keep it safe. You "
        "may now unplug the stick."
    )
    return message(template, file=file.name, matches=found.matches)


def _restore(talk: Talk) -> str:
    """Let the next start use a copy from a stick, and restart. Raises Later."""
    journal, progress = find_journal(CONFIG), talk.progress(message("Restoring:"))
    with sticks.stick() as folder:
        file = copies.newest_copy(folder)
        found = copies.read_copy(file, check=True)
        copies.check_copy(found, cards.this_version())
        template = (
            "The copy is of {date}, of the box {box}, with all its matches ({matches}). It replaces all that this box "
            "has: its matches ({present}), settings, keys and Wi-Fi. The box then restarts."
        )
        own = copies.count_matches(journal)
        asked = message(template, date=found.date, box=found.box[:40], matches=found.matches, present=own)
        talk.ask(asked, message("restore"))
        copies.unpack(file, journal, STATE_AT, True, progress)
    _restart_now(Restart(once=False), message("The box restarts with its copy."), talk)
    return message("The box restarts with its copy.")


def _name(name: str, talk: Talk) -> str:
    """Keep a name of the box, and restart with it. Raises Later."""
    asked = message("The box restarts as {name}. Phones then find it at {name}.local.", name=name)
    talk.ask(asked, message("restart now"))
    keep_name(CONFIG.parent, name)
    done = message("The box restarts as {name}.", name=name)
    _restart_now(Restart(once=False), done, talk)
    return done


def newest_bundle(folder: Path, key: str) -> Path:
    """Return the newest bundle in a folder that this card accepts. Raises BadBundle, with why it accepts none."""
    found: list[tuple[int, Path]] = []
    refused: BadBundle | None = None
    for file in sorted(each for each in folder.glob(BUNDLES) if not each.name.startswith(".")):
        try:
            with opened(file, key) as bundle:
                found.append((bundle.manifest.version.built_s, file))
        except BadBundle as fault:
            log.warning("%s: %s", file.name, fault)
            refused = fault
    if found:
        return max(found)[1]
    raise refused or BadBundle(message("The stick has no bundle: put a file umpi-….bundle into its top folder."))


@contextmanager
def _downloaded(talk: Talk) -> Iterator[Path]:
    """Download the newest bundle, if it is another version than that of the box. Raises CardFault and BadBundle."""
    address = read_config(CONFIG, games=False).update_address
    if not address:
        raise CardFault(message("umpi.toml names no address for updates: [update], address. Take a USB stick."))
    present, journal = cards.this_version(), find_journal(CONFIG)

    def wanted(manifest: Manifest) -> None:
        if manifest.version == present:
            raise BadBundle(message("The box has the newest version, {name}.", name=present.name))
        check_fit(manifest.version, present, journal_schema(journal))

    file = STATE_AT / DOWNLOAD
    try:
        fetch(address, cards.trusted_key(), file, wanted, talk.progress(message("Downloading:")))
        yield file
    finally:
        file.unlink(missing_ok=True)


def _update(file: Path, talk: Talk) -> str:
    """Write a bundle into the other slot, ask whether to restart, and restart with it. Raises Later."""
    card, present, journal = cards.this_card(), cards.this_version(), find_journal(CONFIG)
    with opened(file, cards.trusted_key()) as bundle:
        updates.check(card, bundle, present, journal, talk.progress(message("Checking:")))
        new = bundle.manifest.version
        _write(card, bundle, present, talk)
    template = (
        "Version {new} is ready. The box has {present}. Restart now? A match in play continues. If the new version "
        "does not work within five minutes, the old one comes back."
    )
    talk.ask(message(template, new=new.name, present=present.name), message("restart now"))
    return _restart(card, new, present, journal, talk)


def _write(card: Card, bundle: Bundle, present: Version, talk: Talk) -> None:
    with cards.writable(card.boot):
        updates.write_slot(card, bundle, present, talk.progress(message("Writing:")))


def _restart(card: Card, new: Version, present: Version, journal: Path, talk: Talk) -> str:
    done, health = message("The box restarts with version {new}.", new=new.name), health_of_box()
    updates.record(STATE_AT, health[0] if health else frozenset())
    with cards.writable(card.boot), updates.service_back():
        updates.keep_matches(journal, new)
        updates.start_slot(card, present, lambda step: _restart_now(step, done, talk))
    return done


def _restart_now(step: Restart, text: str, talk: Talk) -> None:
    """Restart the box. It says so before, as its service ends soon, and "done" once that cannot fail any more.

    Raises CardFault if it does not restart. A version that is tried once starts only by a restart. Everything else is
    written, so somebody can switch the box off and on.
    """
    talk.tell(CardNews("busy", text))
    try:
        cards.restart(step)
    except (OSError, subprocess.CalledProcessError) as fault:
        log.exception("the box does not restart")
        if step.once:
            template = "The box does not restart by itself ({why}), so it keeps its version. Try the update again."
        else:
            template = "Everything is ready, but the box does not restart by itself ({why}). Switch it off and on."
        raise CardFault(message(template, why=str(fault).rstrip("."))) from None
