"""List every question that the buttons of a game ask: who is asked, the text, the keys, and the presses of an answer.

The questions are those of random games, with the options that a box starts with. A number or a name that varies is
written as "…". An answer that is only in the menu begins with holding Back. Presses are the fewest, the usual number
(the median) and the most. Of each question, the first answers count.

  ./scripts/dev questions                   the five games of the box, as tables for a page
  ./scripts/dev questions dodeka --option parts=1 --games 20
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import median_low
from typing import Any

from umpi.conformance.tables import players
from umpi.display.answer import answer
from umpi.display.menu import NOTHING, Menu, MenuEntry
from umpi.display.panel import Key
from umpi.display.typist import CannotType, presses, presses_in_menu
from umpi.i18n.translate import player_label
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find

FIVE = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba")
Question = tuple[str, str, str]  # who is asked, the text, the keys
ENOUGH = 8  # answers of a kind in a random game; the search for their presses takes long
Row = tuple[str, str, str]  # the move, who is asked, the text


def main() -> None:
    """Play, and print a table for each game."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./scripts/dev questions", description=__doc__, formatter_class=formatter)
    parser.add_argument("game", nargs="*", default=FIVE)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--games", type=int, default=5, metavar="N", help="random games for each game (default: 5)")
    options = parser.parse_args()
    chosen = {key: _value(text) for key, _, text in (each.partition("=") for each in options.option)}
    for game in options.game:
        print("\n".join(table(game, chosen, options.games)), end="\n\n")


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def table(name: str, chosen: Mapping[str, Any], many: int) -> Iterator[str]:
    """Yield the lines of a game's table."""
    game, found, keys_of = (
        find(name),
        defaultdict[tuple[str, str, str], list[int]](list),
        dict[tuple[str, str, str], str](),
    )
    begin = {**game.at_buttons, **chosen}
    for seed in range(many):
        seats = game.seats[seed % len(game.seats)]
        for verb, (who, text, keys), count in asked(play_out(game, players(seats), begin, seed=seed)):
            found[verb, who, text].append(count)
            keys_of.setdefault((verb, who, text), keys)
    yield f"## {game.title}\n"
    yield "| move | asked | question | keys | presses |"
    yield "|---|---|---|---|---|"
    for (verb, who, text), counts in sorted(found.items(), key=lambda row: row[0][0]):
        spread = f"{min(counts)} / {median_low(counts)} / {max(counts)}" if all(counts) else "by a device"
        yield f"| {verb} | {who} | {text} | {keys_of[verb, who, text]} | {spread} |"


def asked(played: Match) -> Iterator[tuple[str, Question, int]]:
    """Yield each question that an act of a random game answers, with the act's verb and its presses."""
    match = Match(played.game, played.players, played.options)
    done = Counter[tuple[str, str]]()
    for act in played.acts:
        ask = next(ask for ask in match.asks if ask.verb == act.verb)
        kind = ask.verb, _plain(match, ask.text)
        done[kind] += 1
        for acts in ([act, Act(ask.followed_by)], [act]) if ask.followed_by else ([act],):
            if done[kind] <= ENOUGH:
                yield from _answered(match, acts)
        match.play(act)


def _answered(match: Match, acts: Sequence[Act]) -> Iterator[tuple[str, Question, int]]:
    verb, quick = " + ".join(act.verb for act in acts), len(acts) > 1
    try:
        keys = presses(match.asks, match.players, acts, quick)
    except CannotType:
        yield verb, ("menu", "hold Back", _named(acts[0])), _in_menu(match, acts)
        return
    entry = MenuEntry[object](lambda: answer(match.asks, match.players, quick))
    for question in _walked(match, entry, keys):
        yield verb, question, len(keys)


def _in_menu(match: Match, acts: Sequence[Act]) -> int:
    try:
        return len(presses_in_menu(match, acts))
    except CannotType:  # a value that only a device gives
        return 0


def _named(act: Act) -> str:
    return ", ".join(name for name in act.given) or "no question"


def _walked(match: Match, entry: MenuEntry[object], keys: Sequence[Key]) -> Iterator[Question]:
    """Press the keys; yield each question once."""
    seen: list[Question] = []
    for key in keys:
        question = entry.menu
        assert question
        shown = (_who(match, question), _plain(match, question.title), _keys(match, question))
        if shown not in seen:
            seen.append(shown)
            yield shown
        if key == "ok":
            entry.tap(question.ok)
        elif key == "down" and question.down is not NOTHING:
            entry.tap(question.down)
        elif key in ("up", "down"):
            entry.turn(1 if key == "down" else -1)
        elif isinstance(key, int) and (choice := question.under(key, entry.page)):
            entry.tap(choice.value)


def _who(match: Match, question: Menu) -> str:
    if question.places:
        return "each by their own button"
    return "everybody" if match.seat is None else "the player whose turn it is"


def _keys(match: Match, question: Menu) -> str:
    labels = list(dict.fromkeys(_plain(match, choice.label) for choice in question.choices))
    labels += [f"OK: {_plain(match, question.done)}"] if question.ok is not NOTHING else []
    labels += [f"down: {question.less}"] if question.down is not NOTHING else []
    return ", ".join(labels)


def _plain(match: Match, text: str) -> str:
    """Return a text with "…" in place of names and numbers that vary."""
    names = "|".join(re.escape(player_label(name)) for name in match.players)
    plain = re.sub(rf"\b({names})\b|[🔥💧💨⛰✦]?[-+]?\d+", "…", text)
    return "…?" if re.fullmatch(r"\w+\?", plain) else plain  # the rest of a card, such as "fire?"


if __name__ == "__main__":
    main()
