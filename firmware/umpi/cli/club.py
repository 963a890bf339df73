"""Keep the results of many boxes and serve the page of the hall: `umpi club`."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import secrets
import threading
from collections import Counter
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING, Any

from umpi.box.identity import ID
from umpi.cli.arguments import add_box, port
from umpi.cli.box import NO_START
from umpi.cli.mqtt import add_broker, plan_of, put_dropped
from umpi.cli.parser import BUILD, AddParser
from umpi.cli.terminal import Problem, config_of, counted, needing, why_not
from umpi.i18n.translate import languages, set_language
from umpi.kernel.match import Refused
from umpi.kernel.output import put
from umpi.kernel.record import name_refusal
from umpi.kernel.registry import find

if TYPE_CHECKING:
    from umpi.club.store import Store
    from umpi.mqtt.broker import BrokerPlan, Received

PATIENCE_S = 10.0  # for the broker to answer

log = logging.getLogger(__name__)


def run_club(options: argparse.Namespace) -> int:
    """`umpi club`: serve the hall; other options change the database or the tables, and exit."""
    for option, value, needed, there in (
        ("--players", options.players, "--round", options.round),
        ("--size", options.size, "--round", options.round),
        ("--boxes", options.boxes, "--make-broker", options.make_broker),
    ):
        if value is not None and not there:
            raise Problem(f"{option} needs {needed}.")
    if options.make_broker:
        return _make_broker(options)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it has a line for each of its plugins, also when imported
    with needing("umpi club", "club"):
        import openskill  # noqa: F401  # the ladders of --round and of the hall import it late
        from sqlalchemy.exc import ArgumentError, SQLAlchemyError

        from umpi.club.store import ForeignDatabase, NewerDatabase, Store, why_away
    try:
        store = Store(options.database)
    except (ArgumentError, ModuleNotFoundError) as fault:
        raise Problem(f"--database {options.database}: {fault}") from None
    set_language(options.language)
    plan = plan_of(config_of(options), options, "club")
    try:
        if options.rename:
            return _rename(store, *options.rename)
        if options.dropped:
            store.migrate()
            put_dropped(store.dropped())
            return 0
        if options.new_key:
            return _new_key(store, options.new_key)
        if options.forget is not None:
            return _forget(store, plan, options.forget)
        return _round(store, plan, options) if options.round else _serve(store, plan, options)
    except NewerDatabase as fault:
        raise Problem(str(fault), NO_START) from None
    except ForeignDatabase as fault:
        raise Problem(str(fault)) from None
    except SQLAlchemyError as fault:
        raise Problem(f"The database cannot be used: {why_away(fault)}", 1) from None


def _serve(store: Store, plan: BrokerPlan, options: argparse.Namespace) -> int:
    from umpi.club.run import run
    from umpi.web.address import address
    from umpi.web.door import listen_at

    try:
        listening = listen_at(options.host, options.port)
    except OSError as fault:
        why = (fault.strerror or str(fault)).partition(" (while ")[0]  # Python names the address again
        raise Problem(f"{options.host}:{options.port}: {why}") from None
    if ID.fullmatch(plan.user):  # the broker would send nothing to it, and confirm all that it does not let it publish
        log.warning("The user %s in [mqtt] is that of a box. Enter the user and the password of the club.", plan.user)
    put(f"The hall is at {address(options.host, listening.getsockname()[1])}")
    with listening:
        asyncio.run(run(options.title, store, plan, listening, options.season))
    return 0


def _round(store: Store, plan: BrokerPlan, options: argparse.Namespace) -> int:
    """Seat the players at the boxes that the club knows and that are online, and offer each box its match."""
    from umpi.club.rounds import next_round
    from umpi.club.standings import Ladder, counts
    from umpi.club.store import evening_of, season_of
    from umpi.mqtt.topics import of

    try:
        game = find(options.round)
    except Refused as refusal:
        raise Problem(f"--round: {refusal}") from None
    names = list(filter(None, map(str.strip, (options.players or "").split(","))))
    size = min(max(2, game.seats[0]), game.seats[-1]) if options.size is None else options.size
    if size not in game.seats:
        raise Problem(f"--size {size}: {game.title} has tables of {game.seats[0]} to {game.seats[-1]} players.")
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise Problem(f"--players: {twice} is named twice.")
    if wrong := next(filter(None, map(name_refusal, names)), ""):
        raise Problem(f"--players: {wrong}")
    if len(names) < size:
        raise Problem(f"--players: a table needs {size} names, given: {len(names)}.")
    store.migrate()
    aliases, typed = store.names(), dict[str, str]()
    for name in names:
        player = aliases.get(name, name)
        if player in typed:
            raise Problem(f"--players: {typed[player]} and {name} are one player: see --rename.")
        typed[player] = name
    boxes = store.boxes()
    if not boxes:
        raise Problem(f"No box has reported to {options.database} yet, so there is no table for a round.")
    names_of = Counter(boxes.values())
    shown = {id: f"{name} ({id})" if names_of[name] > 1 else name for id, name in boxes.items()}
    reported = _reported(plan)
    online = [box for box in boxes if reported.get(box)]
    if not online:
        raise Problem(f"None of these boxes is online: {', '.join(shown.values())}.")
    played = store.played(season_of(evening_of(datetime.now().astimezone()), options.season))
    own = [each for each in played if each.game == game.id]
    won = {name: won for name, won, _ in Ladder().follow(own).winners()}
    found = next_round(list(typed), online, size, [each.players for each in played if counts(each)], won)
    pairings = [replace(each, players=tuple(typed[player] for player in each.players)) for each in found]
    key, number = store.key(), store.count_offer()
    offers = {each.box: {**each.offer(game.id), "box": each.box, "number": number} for each in pairings}
    none: dict[str, Any] = {
        of(box, "next"): {} for box in boxes
    }  # a table that rests, or is offline, loses the offer of the round before
    _publish(plan, none | {of(box, "next"): key.sign("offer", offer) for box, offer in offers.items()})
    for each in pairings:
        put(f"{shown[each.box]}: {', '.join(each.players)}")
    seated = {name for each in pairings for name in each.players}
    if resting := [name for name in names if name not in seated]:
        put(f"{counted(len(resting), 'player rests', 'players rest')}: {', '.join(resting)}")
    if offline := [shown[box] for box in boxes if box not in online]:
        put(f"{counted(len(offline), 'box is offline', 'boxes are offline')}: {', '.join(offline)}")
    return 0


def _rename(store: Store, name: str, player: str) -> int:
    """Count what was played under a name for a player."""
    if name != player and (wrong := name_refusal(player)):
        raise Problem(f"--rename: {wrong}")
    store.migrate()
    try:
        found = store.rename(name, player)
    except KeyError:
        raise Problem(f"--rename {name}: nobody has played under this name.") from None
    put(f"What {name} has played counts for {found}.")
    return 0


def _new_key(store: Store, box: str) -> int:
    """Let a box sign with another key from now on."""
    store.migrate()
    if not store.forget_key(box):
        raise Problem(f"--new-key {box}: no result of this box is in the database. It needs nothing.")
    put(f"The next signed result of box {box} says what its key is. Its earlier results stay.")
    return 0


def _forget(store: Store, plan: BrokerPlan, box: str) -> int:
    """Remove a box that is gone from the broker, and so from the page, and from the database. Its results stay."""
    from umpi.mqtt.topics import of

    store.migrate()
    reported = _reported(plan)
    if not box or box not in {*store.boxes(), *reported}:
        raise Problem(f"--forget {box}: neither the club nor its broker knows a box with this id.")
    if reported.get(box):
        raise Problem(f"--forget {box}: this box is online. Switch it off first.")
    found = _exchange(plan, {of(box, what): "" for what in ("state", "next", "online")}, of(box, "online"))
    if not found or found[-1].payload:
        raise Problem(
            "The broker lets the club remove no box. Run umpi club --make-broker again, and restart Mosquitto.", 1
        )
    store.forget(box)
    put(f"Box {box} is forgotten. Its results stay. If it reports again, the club knows it again.")
    return 0


def _make_broker(options: argparse.Namespace) -> int:
    """Write the settings of a broker, and say what is left to do."""
    from umpi.club.make_broker import CLUB_USER, NotOurs, make_broker

    boxes = list(filter(None, map(str.strip, (options.boxes or "").split(","))))
    if wrong := next((box for box in boxes if not ID.fullmatch(box)), ""):
        raise Problem(f"--boxes {wrong}: expected the id of a box, 12 digits and letters, as in its box.json.")
    host, number = options.broker or ("BROKER", None)
    try:
        made = make_broker(options.make_broker.resolve(), number, boxes)
    except NotOurs as fault:
        raise Problem(f"{fault} is not from this command: move it away first.") from None
    except OSError as fault:
        raise Problem(why_not(fault)) from None
    put(f"Written: {made.settings}\n\n1. Restart the broker: sudo systemctl restart mosquitto")
    if made.settings.parent.name != "conf.d":
        put(f"   Its own settings need the line: include_dir {made.settings.parent}")
    put("2. Copy each of these files to its computer. It is the password there:")
    for user, file in made.logins.items():
        put(f"   {'the club' if user == CLUB_USER else f'box {user}'}: {file}")
    put(f'''3. In umpi.toml there, with its own user:
   [mqtt]
   broker = "{host}"
   port = {made.port}
   user = "{list(made.logins)[-1]}"
   password_file = "/etc/umpi/broker-password"''')
    return 0


def _reported(plan: BrokerPlan) -> dict[str, bool]:
    """Return by the ids of the boxes that the broker knows whether they are online."""
    from umpi.mqtt.topics import CLUB, ONLINE, ROOT, parts

    found = _exchange(plan, {}, f"{ROOT}/+/online")
    return {parts(each.topic)[0]: each.payload == ONLINE.encode() for each in found if each.topic != CLUB}


def _publish(plan: BrokerPlan, documents: dict[str, dict[str, Any]]) -> None:
    """Let the broker keep documents by their topics, and none where it is empty."""
    _exchange(plan, {topic: json.dumps(each) if each else "" for topic, each in documents.items()})


def _exchange(plan: BrokerPlan, messages: dict[str, str], *topics: str) -> list[Received]:
    """Let the broker keep messages by their topics. Return what it sends of other topics, first what it has kept.

    A broker confirms also what the rights of a user do not allow. So the last message must come back: all others
    arrive before it. Raises Problem if it does not.
    """
    from umpi.mqtt.broker import Broker, BrokerEvent, Confirmed, Connected, Disconnected, Received
    from umpi.mqtt.topics import ECHO

    events, found, last = Queue[BrokerEvent | None](), list[Received](), secrets.token_hex(8)
    broker = Broker(plan, events.put)
    broker.start()
    timer = threading.Timer(PATIENCE_S, partial(events.put, None))
    timer.start()
    why = f"The broker does not answer: {plan.host}:{plan.port}"
    try:
        while (event := events.get()) is not None:
            match event:
                case Connected():
                    user = f"the user {plan.user}" if plan.user else "a program without a user"
                    why = f"The broker does not pass on what {user} publishes for the club."
                    why += " Enter the club's user in [mqtt]."
                    broker.subscribe(ECHO, *topics)
                    for topic, text in messages.items():
                        broker.publish(topic, text, retain=True)
                    broker.publish(ECHO, last)
                case Received(topic, payload):
                    if (topic, payload) == (ECHO, last.encode()):
                        return found
                    found.append(event)
                case Disconnected():
                    why = event.why
                case Confirmed():
                    pass  # it says nothing of the rights
        raise Problem(why, 1)
    finally:
        timer.cancel()
        broker.stop()


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "club", run_club, group=BUILD,
        purpose="Keep the results of many boxes, and show a club evening.",
        description="Keep the results that boxes publish at an MQTT broker, and serve the page of the hall: live "
        "tables, leaderboards, ratings. Runs until Ctrl-C or SIGTERM. Results come once, however often they are sent.",
        examples=(
            "umpi club --database postgresql+psycopg://umpi@localhost/umpi",
            "umpi club --round dodeka --players Ann,Ben,Cid,Dora",
            "umpi club --make-broker /etc/mosquitto --boxes 3f9ac1d20b7e",
        ),
        statuses={
            0: "The command succeeded.", 1: "The broker or the database does not answer.",
            2: "Wrong usage, or the database is another program's.", NO_START: "The database is of a newer Umpi.",
        },
    )  # fmt: skip
    add_box(command)
    add_broker(command)
    command.add_argument(
        "--database", default="sqlite:///club.db", metavar="URL", help="database of the club (default: %(default)s)"
    )
    command.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="address to serve at (default: %(default)s)"
    )
    command.add_argument(
        "--port", type=port, default=8200, metavar="NUMBER", help="port to serve at (default: %(default)s)"
    )
    command.add_argument("--title", default="Umpi", metavar="TEXT", help="title of the page (default: %(default)s)")
    command.add_argument(
        "--season",
        type=date.fromisoformat,
        metavar="DATE",
        help="first day of the season (default: 1 January of this year)",
    )
    command.add_argument(
        "--language", choices=list(languages()), default="en", help="language of the page (default: %(default)s)"
    )
    command.add_argument(
        "--rename", nargs=2, metavar=("NAME", "PLAYER"), help="count the matches of NAME for PLAYER, and exit"
    )
    command.add_argument(
        "--dropped", action="store_true", help="print the newest messages that could not be used, and exit"
    )
    command.add_argument(
        "--new-key", metavar="BOX", help="let the next result of this box say what its key is (a new card), and exit"
    )
    command.add_argument(
        "--forget", metavar="BOX", help="remove a box that is gone from the page, and exit; its results stay"
    )
    command.add_argument(
        "--round", metavar="GAME", help="divide --players between tables for a round of this game, and exit"
    )
    command.add_argument("--players", metavar="NAMES", help="with --round: who plays, with commas between the names")
    command.add_argument(
        "--size",
        type=int,
        metavar="NUMBER",
        help="with --round: players of a table (default: as few as the game allows, at least 2)",
    )
    command.add_argument(
        "--make-broker", type=Path, metavar="FOLDER",
        help="write the settings of a Mosquitto into its folder, with a user for each of --boxes, and exit",
    )  # fmt: skip
    command.add_argument(
        "--boxes", metavar="IDS", help="with --make-broker: the ids of the boxes, with commas between them"
    )
    command.set_defaults(log_level="info")
