"""A field to the questions that answer it: six soft keys, two presses a card, one or two a die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from umpi.panel.menu import NOTHING, Choice, Dialogue, Menu
from umpi.rules.fields import Each, Field, Number, Pick, Profile, Some, Text, Value, holds, show
from umpi.rules.game import Act, Ask, nothing_more

WHEEL = 24  # a number of more values than this is turned up and down, not picked
LETTERS = ("ABCDEF", "GHIJKL", "MNOPQR", "STUVWX", "YZ")
STEPS = (-100, -10, -1, 1, 10, 100)


class Progress:
    """How far an answer has come: the verb, and the fields answered whole or in part."""

    def __init__(self) -> None:
        self.verb = ""
        self.given: dict[str, Value] = {}


class Asker:
    """Puts fields as questions, for the players at one table; `buttons` is where each sits, 0 to 5 from the left."""

    def __init__(
        self, players: Sequence[str], progress: Progress | None = None, buttons: Sequence[int] = ()
    ) -> None:
        self.players = players
        self.progress = progress or Progress()
        self.buttons = tuple(buttons) or tuple(range(len(players)))

    def fill(self, ask: Ask) -> Dialogue[Act]:
        """Ask for each field of an ask."""
        given: dict[str, Value] = {}
        self.progress.verb, self.progress.given = ask.verb, given
        for field in ask.walk(given):
            alone = len(ask.fields) == 1 and ask.more is nothing_more
            title = ask.text if alone else f"{ask.text}: {field.name}"
            if field.optional:
                choices = (Choice("yes", True), Choice("no", False))
                wanted = yield _menu(f"{field.name}?", choices, ask.help, ok=False, done="no")
                if not wanted:
                    continue
            tell = partial(given.__setitem__, field.name)
            tell((yield from self.field(field, title, ask.help, tell)))
        return Act(ask.verb, given)

    def field(self, field: Field, title: str, help: str, tell: Callable[[Value], None]) -> Dialogue[Value]:
        """Ask for one field; `tell` hears of a part answered."""
        match field:
            case Pick():
                return (yield from self.pick(field, title, help))
            case Number():
                return (yield from self.number(field, title, help))
            case Some():
                return (yield from self.some(field, title, help, tell))
            case Text():
                return (yield from self.text(field, title, help))
            case Profile():
                return None
            case Each():
                values: tuple[Value, ...] = ()
                for each in field.fields:
                    note = " ".join(map(show, values))
                    name = f"{field.name}: {each.name}" + (f" ({note})" if note else "")
                    values += ((yield from self.field(each, name, help, lambda part: None)),)
                    tell(values)
                return values

    def pick(self, field: Pick, title: str, help: str, note: str = "", ok: object = NOTHING) -> Dialogue[Value]:
        """Ask for one of a pool; words of two parts in two steps."""
        kinds = list(dict.fromkeys(field.kinds or field.pool))
        branches = _branches(kinds)
        if branches is None:
            if field.name == "seat" and field.source in ("buzz", "cube"):
                return (yield self._own_buttons(field, title, help))
            label = self._label(field)
            choices = [Choice(label(kind), kind, _off(field, kind)) for kind in kinds]
            return (yield _menu(title, choices, help, note, ok))
        stems = [
            Choice(stem, stem, "" if any(holds(field.pool, card) for card in cards) else _off(field, cards[0]))
            for stem, cards in branches.items()
        ]
        stem = yield _menu(title, stems, help, note, ok)
        if stem is ok:
            return stem
        assert isinstance(stem, str)
        leaves = [Choice(card[len(stem) + 1 :], card, _off(field, card)) for card in branches[stem]]
        return (yield _menu(f"{stem}?", leaves, help, note))

    def number(self, field: Number, title: str, help: str, start: int | None = None) -> Dialogue[Value]:
        """Ask for a number; one of a wide range is turned up and down from `start`."""
        if field.high - field.low < WHEEL:
            numbers: list[Value] = [*range(field.low, field.high + 1)]
            choices = [Choice(show(number), number) for number in ([None, *numbers] if field.null else numbers)]
            return (yield _menu(title, choices, help))
        if field.null:
            wanted = yield _menu(title, [Choice("none", False), Choice("a number", True)], help)
            if not wanted:
                return None
        value = field.low if start is None else start
        while True:
            steps = [Choice(f"{step:+}", step) for step in STEPS]
            step = yield _menu(f"{title}: {value}", steps, help, ok=_DONE, done="this one")
            if step is _DONE:
                return value
            assert isinstance(step, int)
            value = min(max(value + step, field.low), field.high)

    def text(self, field: Text, title: str, help: str) -> Dialogue[Value]:
        """Ask for a text letter by letter: the group, then the letter."""
        text = ""
        while len(text) < field.most:
            groups = [Choice(f"{group[0]}-{group[-1]}", group) for group in LETTERS]
            none = [Choice("none", None)] if field.null and not text else []
            ok = _DONE if len(text) >= field.least else NOTHING
            group = yield _menu(title, [*groups, *none], help, text, ok)
            if group is None or group is _DONE:
                return text or None
            assert isinstance(group, str)
            text += str((yield _menu(title, [Choice(letter, letter) for letter in group], help, text)))
        return text

    def some(self, field: Some, title: str, help: str, tell: Callable[[Value], None]) -> Dialogue[Value]:
        """Ask for a list, one after the other, or which of a few to keep."""
        if field.most == 0:
            return ()
        if field.source == "will" and field.least < len(field.pool) <= 6 and not field.again:
            return (yield from self._toggle(field, title, help, tell))
        taken: tuple[Value, ...] = ()
        while len(taken) < field.most:
            blanks = ["_"] * (field.least - len(taken))
            note = " ".join([*map(show, taken), *blanks]) if field.most > 1 else ""
            left = field.pool if field.again else _less(field.pool, taken)
            one = Pick(field.name, left, field.kinds or tuple(dict.fromkeys(field.pool)), field.why)
            ok = _DONE if len(taken) >= field.least else NOTHING
            value = yield from self.pick(one, title, help, note, ok)
            if value is _DONE:
                break
            taken += (value,)
            tell(taken)
        return taken

    def _toggle(self, field: Some, title: str, help: str, tell: Callable[[Value], None]) -> Dialogue[Value]:
        marked: list[int] = []
        while True:
            kept = tuple(field.pool[index] for index in sorted(marked))
            tell(kept)
            full = f"at most {field.most} can be chosen" if len(kept) == field.most else ""
            choices = [
                Choice(show(item), index, "" if index in marked else full, index in marked)
                for index, item in enumerate(field.pool)
            ]
            ok = _DONE if len(kept) >= field.least else NOTHING
            tapped = yield _menu(title, choices, help, ok=ok, done=f"{show(kept)}")
            if tapped is _DONE:
                return kept
            assert isinstance(tapped, int)
            (marked.remove if tapped in marked else marked.append)(tapped)

    def _own_buttons(self, field: Pick, title: str, help: str) -> Menu:
        """Let each seat answer by its own button."""
        seats = range(len(self.players))
        choices = tuple(Choice(self.players[seat], seat, _off(field, seat)) for seat in seats)
        return Menu(title, choices, help=help, places=self.buttons)

    def _label(self, field: Field) -> Callable[[Value], str]:
        if field.name == "seat":
            return lambda seat: self.players[seat] if isinstance(seat, int) else show(seat)
        told = {True: field.name, False: f"not {field.name}"}
        return lambda value: told[value] if isinstance(value, bool) else show(value)


_DONE = object()


def _menu(
    title: str, choices: Sequence[Choice], help: str, note: str = "", ok: object = NOTHING, done: str = "done"
) -> Menu:
    return Menu(title, tuple(choices), ok, done, note, help)


def _branches(kinds: Sequence[Value]) -> dict[str, list[str]] | None:
    """Group words such as fire-2 by their stem, where there are too many for six keys."""
    cards = [kind for kind in kinds if isinstance(kind, str) and "-" in kind]
    if len(kinds) <= 6 or len(cards) < len(kinds):
        return None
    branches: dict[str, list[str]] = {}
    for card in cards:
        branches.setdefault(card.rpartition("-")[0], []).append(card)
    return branches if len(branches) < len(cards) else None


def _off(field: Pick, kind: Value) -> str:
    return "" if holds(field.pool, kind) else field.refuse(kind)


def _less(pool: Sequence[Value], taken: Sequence[Value]) -> tuple[Value, ...]:
    gone = Counter(taken)
    left: list[Value] = []
    for item in pool:
        if gone[item] > 0:
            gone[item] -= 1
        else:
            left.append(item)
    return tuple(left)
