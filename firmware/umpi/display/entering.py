"""Entering an answer: the questions for each field, with six soft keys, two presses per card, one or two per die."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from umpi.display.answer_progress import AnswerProgress
from umpi.display.cover import cover, privately
from umpi.display.key_values import (
    InputPart,
    InputRange,
    branches_of,
    button_called,
    has_choice,
    in_menu,
    kinds_of,
    places_of,
    ranges_of,
    remaining,
    toggled,
    usual_fields,
    why_off,
)
from umpi.display.menu import NOTHING, Choice, Dialogue, Menu
from umpi.display.optional_values import alone, crowded, joined
from umpi.i18n.translate import Translated, player_label, tr, tr_context
from umpi.kernel.drawn import is_own
from umpi.kernel.fields import (
    Each,
    Field,
    Forms,
    Given,
    Number,
    Pick,
    Profile,
    Some,
    Text,
    Value,
    holds,
    private_to,
    show,
)
from umpi.kernel.game import Act, Ask, nothing_more, replace
from umpi.kernel.messages import Message, message
from umpi.table.secret import seats_of

WHEEL = 24  # a number with a wider range is turned up and down instead of picked
LONGEST = 11  # the most letters of the label of OK
LETTERS = ("ABCDEF", "GHIJKL", "MNOPQR", "STUVWX", "YZ")
SHORTER = (9, 8, 7, 6, 5, 4, 3)  # letters of a name on a key with little room
STEPS = (-50, -1, 1, 5, 20, 100)  # of all sets of six round steps, the quickest for 0 to 60 and a few below 0


class Asker:
    """Ask for fields, for the players at one table; `buttons` contains the button of each, 0 to 5 from the left.

    `question` is the title of all questions; if it is "", each has the title of its ask and field.
    """

    def __init__(
        self,
        players: Sequence[str],
        progress: AnswerProgress | None = None,
        buttons: Sequence[int] = (),
        whole: bool = False,
        question: str = "",
    ) -> None:
        self.players = players
        self.progress = progress or AnswerProgress()
        self.buttons = tuple(buttons) or tuple(range(len(players)))
        self.question = question
        self.whole = whole  # whether to ask for usual values and rarely used fields too

    def apart(self) -> Asker:
        """Return an asker that looks ahead without recording progress."""
        return Asker(self.players, None, self.buttons, self.whole, self.question)

    def fill(self, ask: Ask) -> Dialogue[Act]:
        """Ask for each field of an ask, except the usual values."""
        given: dict[str, Value] = {}
        granted = {} if self.whole else usual_fields(ask)
        self.progress.verb, self.progress.given = ask.verb, given
        covered = _answering(ask)  # who alone looks at the box
        beside: list[Pick] = []  # optional fields that share the keys of the next question
        for field in ask.walk(given):
            if field.name in granted and not field.refuse(granted[field.name]):
                given[field.name] = granted[field.name]
                continue
            if is_own(field) or (not self.whole and in_menu(field)):
                continue
            if isinstance(field, Pick) and field.in_order and field.pool:
                given[field.name] = field.pool[0]
                continue
            if isinstance(field, Pick) and field.optional and field.beside and field.to is None:
                beside.append(field)
                continue
            if _last_card(field):
                assert isinstance(field, Pick)
                given[field.name] = field.pool[0]
                continue
            owner = private_to(field)
            if owner not in (None, covered):
                yield cover(self.players[owner])
                covered = owner
            title = self._title(ask, field, granted, given)
            own = _own_text(field)
            if field.optional:
                choices = (Choice(tr("yes"), True), Choice(tr("no"), False))
                whether = title if own.endswith("?") else tr("{what}?", what=self._name(field))
                wanted = yield _menu(whether, choices, ask.help, ok=False, done=tr("no"))
                if not wanted:
                    continue
            self.progress.field = field.name
            tell = partial(given.__setitem__, field.name)
            if beside:
                question = partial(self.field, title=title, help=ask.help, tell=tell)
                yield from joined(self, ask, given, field, beside, question)
                beside = []
            else:
                asked = self.field(field, title, ask.help, tell)
                tell((yield from asked if owner is None else privately(asked)))
        if beside:
            yield from alone(self, given, beside, self._title(ask, beside[0], granted, given), ask.help)
        return Act(ask.verb, given)

    def _title(self, ask: Ask, field: Field, granted: Given, given: Given) -> Translated:
        """Return the question for a field: its own if it has one, that of the ask, or both."""
        own = _own_text(field)
        if own.endswith("?"):
            return tr(own, self.players)
        if isinstance(field, Each):
            return self._head(ask, granted, given)
        yes_or_no = isinstance(field, Pick) and {type(value) for value in field.pool} == {bool}
        single = ask.more is nothing_more and sum(map(has_choice, ask.fields)) == 1
        if self.question or single or yes_or_no:
            return tr(self.question or ask.text, self.players)
        return tr("{what}: {field}", what=self._head(ask, granted, given), field=self._name(field))

    def _head(self, ask: Ask, granted: Given, given: Given) -> Translated:
        """Return the start of an ask's question titles: its player, or the ask with its usual values."""
        seat = given.get("seat")
        if isinstance(seat, int):
            return player_label(self.players[seat])
        return Translated(" ".join([tr(ask.text, self.players), *(tr(show(value)) for value in granted.values())]))

    def _name(self, field: Field) -> Translated:
        """Return the name of a field in a question."""
        text = _own_text(field)
        if not text and field.name == "seat":
            return tr("who?")
        return Translated(tr(text or field.name, self.players).replace("_", " "))

    def field(self, field: Field, title: str, help: str, tell: Callable[[Value], None]) -> Dialogue[Value]:
        """Ask for one field; `tell` is called with each part that is answered."""
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
            case Forms():
                return (yield from self.forms(field, title, help, tell))
            case Each():
                values: tuple[Value, ...] = ()
                for each in field.fields:
                    note = " ".join(tr(show(value)) for value in values if not isinstance(value, tuple))
                    own = _own_text(each)
                    name = self._name(each)
                    asked = name if own else tr("{what}: {field}", what=Translated(title), field=name)
                    asked = Translated(f"{asked} ({note})") if note else asked
                    values += ((yield from self.field(each, asked, help, lambda part: None)),)
                    tell(values)
                return values

    def pick(self, field: Pick, title: str, help: str, note: str = "", ok: object = NOTHING) -> Dialogue[Value]:
        """Ask for one item of a pool, but not for the only seat left; ask for words of several parts part by part."""
        if field.name == "seat" and field.source == "will" and len(field.pool) == 1:
            return field.pool[0]
        kinds, stem = kinds_of(field), ""
        while branches := branches_of(kinds, stem):
            stems = [
                Choice(
                    tr(leaf),
                    whole[0] if whole == [stem + leaf] else InputPart(leaf),
                    self._off_all(field, whole),
                    button=button_called(leaf),
                )
                for leaf, whole in branches.items()
            ]
            picked = yield _menu(title, stems, help, note, ok)
            if not isinstance(picked, InputPart):
                return picked
            kinds, title, ok = branches[picked], tr("{what}?", what=picked), NOTHING
            stem += picked + "-"
        if field.name == "seat" and field.source in ("buzz", "cube"):
            return (yield self._own_buttons(field, title, help))
        whole = Translated(title)
        while field.label is show and (ranges := ranges_of(kinds)):
            parts = [Choice(str(part), part, self._off_all(field, part.numbers)) for part in ranges]
            picked = yield _menu(title, parts, help, note, ok)
            if not isinstance(picked, InputRange):
                return picked
            kinds = list(picked.numbers)
            title, ok = tr("{what}: {field}", what=whole, field=str(picked)), NOTHING
        label, shorter = self.label(field, stem), partial(self._shorter, field)
        choices = [
            Choice(
                label(kind), kind, why_off(field, kind), button=self._button(field, kind, stem), shorter=shorter(kind)
            )
            for kind in kinds
        ]
        return (yield _menu(title, choices, help, note, ok))

    def number(self, field: Number, title: str, help: str, start: int | None = None) -> Dialogue[Value]:
        """Ask for a number, if there is a choice; turn a wide range up and down from `start`, or from 0."""
        if field.low == field.high and not field.null:
            return field.low
        if field.high - field.low < WHEEL:
            numbers: list[Value] = [*range(field.low, field.high + 1)]
            choices = [
                Choice(tr_context(field.name, show(number)), number)
                for number in ([None, *numbers] if field.null else numbers)
            ]
            return (yield _menu(title, choices, help))
        if field.null:
            wanted = yield _menu(
                title, [Choice(tr_context(field.name, "none"), False), Choice(tr("number"), True)], help
            )
            if not wanted:
                return None
        value = min(max(0, field.low), field.high) if start is None else start
        while True:
            steps = [Choice(f"{step:+}", step) for step in STEPS]
            asked = tr("{what}: {value}", what=Translated(title), value=value)
            step = yield Menu(asked, tuple(steps), _DONE, help=help, wheel=value)
            if step is _DONE:
                return value
            assert isinstance(step, int)
            value = min(max(value + step, field.low), field.high)

    def text(self, field: Text, title: str, help: str) -> Dialogue[Value]:
        """Ask for a text one letter at a time: first the group, then the letter."""
        text = ""
        while len(text) < field.most:
            groups = [Choice(f"{group[0]}-{group[-1]}", InputPart(group)) for group in LETTERS]
            none = [Choice(tr("none"), None)] if field.null and not text else []
            ok = _DONE if len(text) >= field.least else NOTHING
            group = yield _menu(title, [*groups, *none], help, text, ok)
            if group is None:
                return None
            if group is _DONE:
                break
            assert isinstance(group, str)
            text += str((yield _menu(title, [Choice(letter, InputPart(letter)) for letter in group], help, text)))
        return text

    def some(self, field: Some, title: str, help: str, tell: Callable[[Value], None]) -> Dialogue[Value]:
        """Ask for a list, one item after the other, or which of a few items to keep."""
        room = field.most if field.again and field.pool else min(field.most, len(field.pool))
        if toggled(field) and room:
            return (yield from self._toggle(field, title, help, tell))
        taken: tuple[Value, ...] = ()
        kinds = kinds_of(field)
        while len(taken) < room:
            blanks = ["_"] * (field.least - len(taken))
            note = " ".join([*(tr(field.label(value)) for value in taken), *blanks]) if field.most > 1 else ""
            left = field.pool if field.again else remaining(field.pool, taken)
            one = Pick(field.name, left, kinds, partial(_objection, field, taken), label=field.label)
            ok = _DONE if len(taken) >= field.least and not (field.until and taken) else NOTHING
            value = yield from self.pick(one, title, help, note, ok)
            if value is _DONE:
                break
            taken += (value,)
            tell(taken)
            if field.until and field.until(value):
                break
        return taken

    def forms(self, field: Forms, title: str, help: str, tell: Callable[[Value], None]) -> Dialogue[Value]:
        """Ask for small objects one after the other, each by its first field, which may not repeat."""
        forms: tuple[dict[str, Value], ...] = ()
        first, *rest = field.fields
        while len(forms) < field.most:
            names = tuple(form[first.name] for form in forms)
            name: object
            asked = title if field.text else tr("{what}: {field}", what=Translated(title), field=first.name)
            enough = len(forms) >= field.least
            if isinstance(first, Pick):
                left = replace(first, pool=tuple(one for one in first.pool if not holds(names, one)), all_values=())
                if not left.pool:
                    break
                ok = _DONE if enough else NOTHING
                name = yield from self.pick(left, asked, help, tr(show(names)) if names else "", ok)
            else:
                name = (yield from self._another(field, first, asked, help)) if enough else None
                if name is not _DONE:
                    name = yield from self.field(first, asked, help, lambda part: None)
            if name is _DONE:
                break
            if enough and holds(names, name):
                continue
            form: dict[str, Value] = {first.name: name}
            for other in rest:
                called = first.label(name) if isinstance(first, Pick) else show(name)
                title_of = tr("{what}: {field}", what=called, field=other.name)
                form[other.name] = yield from self.field(other, title_of, help, lambda part: None)
            forms += (form,)
            tell(forms)
        return forms

    def _another(self, field: Forms, first: Field, title: str, help: str) -> Dialogue[object]:
        """Ask whether to enter another object, if its first question has no choice for "none"."""
        choices = (Choice(tr("yes"), True), Choice(tr("no"), _DONE))
        return (yield _menu(tr("{what}?", what=self._name(field)), choices, help, done=tr("no")))

    def _toggle(self, field: Some, title: str, help: str, tell: Callable[[Value], None]) -> Dialogue[Value]:
        marked: list[int] = []
        places = places_of(field)
        while True:
            kept = tuple(field.pool[index] for index in sorted(marked))
            tell(kept)
            full = tr("choose at most {number}", number=field.most) if len(kept) == field.most else ""
            choices = [
                Choice(tr(field.label(item)), index, "" if index in marked else off or full, index in marked)
                for item, index, off in places
            ]
            ok = _DONE if len(kept) >= field.least else NOTHING
            done = " ".join(tr(field.label(item)) for item in kept) or tr("none")
            done = done if len(done) <= LONGEST else str(len(kept))
            tapped = yield _menu(title, choices, help, ok=ok, done=done)
            if tapped is _DONE:
                return kept
            assert isinstance(tapped, int)
            (marked.remove if tapped in marked else marked.append)(tapped)

    def _own_buttons(self, field: Pick, title: str, help: str) -> Menu:
        """Let each seat answer by its own button."""
        seats = range(len(self.players))
        choices = tuple(Choice(player_label(self.players[seat]), seat, why_off(field, seat)) for seat in seats)
        return Menu(title, choices, help=help, places=self.buttons)

    def _button(self, field: Pick, kind: Value, stem: str) -> int | None:
        """Return the seat button that a choice names: the button of a seat, or of a colour."""
        if field.name == "seat":
            return self.buttons[kind] if isinstance(kind, int) else None
        return button_called(kind.removeprefix(stem)) if isinstance(kind, str) else None

    def _shorter(self, field: Pick, kind: Value) -> tuple[str, ...]:
        """Return the labels of a yes or no with fewer letters of the names, which stand elsewhere on the screen."""
        text = field.label(kind)
        if not (isinstance(kind, bool) and isinstance(text, Message)):
            return ()
        names = [player_label(name) for name in self.players]
        return tuple(tr(text, [name[:letters] for name in names]) for letters in SHORTER)

    def _off_all(self, field: Pick, kinds: Sequence[Value]) -> str:
        return "" if any(holds(field.pool, kind) for kind in kinds) else why_off(field, kinds[0])

    def label(self, field: Pick, stem: str = "") -> Callable[[Value], str]:
        """Return how the keys label the values of a field, without their first part `stem`."""
        label: Callable[[Value], str]
        if field.name == "seat":
            return lambda seat: player_label(self.players[seat]) if isinstance(seat, int) else tr(show(seat))
        labels = {True: tr(field.name), False: _denied(field.name)} if field.label is show else {}
        label = (lambda value: show(value).removeprefix(stem)) if stem else field.label
        return lambda value: labels[value] if labels and isinstance(value, bool) else tr(label(value), self.players)


_DONE = object()


def _answering(ask: Ask) -> int | None:
    """Return the only seat that can still answer a secret ask: it is asked behind a cover already."""
    seats = seats_of(ask) if ask.secret else ()
    return seats[0] if len(seats) == 1 else None


def _objection(field: Some, taken: Sequence[Value], value: Value) -> str:
    """Return why the next item of a list cannot be this one: it has been entered, or the game says why."""
    if holds(taken, value):
        return message("{value} has been entered already.", value=show(value))
    return field.objection(value)


def _last_card(field: Field) -> bool:
    """Check whether a field leaves only the last card of a hand: nobody is asked for it, as for the only seat left."""
    return isinstance(field, Pick) and field.to is not None and len(field.pool) == 1 and not field.optional


def _denied(name: str) -> Translated:
    """Return the negation of a name: "not right", for which a language may have its own word."""
    own = f"not {name}"
    return tr(own) if tr(own) != own else tr("not {what}", what=name)


def _own_text(field: Field) -> str:
    """Return the text that an engine gives a field; if it ends with a question mark, it is the whole question."""
    return field.text if isinstance(field, (Number, Pick, Some, Text, Forms)) else ""


def _menu(
    title: str, choices: Sequence[Choice], help: str, note: str = "", ok: object = NOTHING, done: str = ""
) -> Menu:
    return Menu(title, tuple(choices), ok, done or tr("done"), note, help, crowded(choices))
