"""A match with its hidden cards and its chance: what is drawn next, and what a seat may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from umpi.kernel.fields import Chance, Field, Pick, Some, Value
from umpi.kernel.game import Act, Ask, Dealer, Game, gives
from umpi.kernel.match import Match, Refused
from umpi.kernel.random_games import sample
from umpi.kernel.redealt import redealt
from umpi.table.secret import own_ask, secret_ask

TRIES = 1000  # draws until one agrees with a decision and with the rules
BARRED_TRIES = 30  # draws until an act without a barred word is found; after them, the seat is forced to use one

Decision = tuple[str, tuple[tuple[str, Value], ...]]


class World:
    """A match that is played on at random, with real dice and with hidden cards.

    `barred` contains one set of words per seat: the verbs and values that the seat does not use if it can avoid them.
    """

    def __init__(self, match: Match, chance: Chance, dealer: Dealer | None, barred: Sequence[frozenset[str]]) -> None:
        self.match = match
        self._chance = chance
        self._dealer = dealer
        self._barred = barred
        self._bars_any = any(barred)
        self._drawn: list[tuple[Act, Dealer]] = []  # the acts drawn here, each with the dealer's cards after it

    @property
    def stopped(self) -> bool:
        """Check whether the game is over, or longer than a game may be."""
        return not self.match.asks or len(self.match.acts) >= self.match.game.longest

    @property
    def can_imagine(self) -> bool:
        """Check whether hidden cards can be drawn again."""
        return self._dealer is None or gives(type(self._dealer), Dealer.redrawn)

    def draw(self, without: Sequence[Act] = (), seat: int | None = None) -> Act:
        """Return a legal act as a random player chooses it, with what dice and cards then show. Play nothing.

        It is none of `without`, acts at will that their seats do not want. If the question is secret, it is that of
        `seat`, if one is given.
        """
        asks, secret = self.match.asks, secret_ask(self.match.asks)
        whose = seat if secret else None
        if secret and whose is not None and not self._dealer:
            asks = (own_ask(secret, whose),)
        for _ in range(TRIES if self._dealer and whose is not None else BARRED_TRIES):
            dealer = deepcopy(self._dealer)  # the source of chance is shared
            act = dealer.act(self.match.now) if dealer else sample(asks, self._chance)
            if whose is not None and act.given.get("seat") != whose:
                continue
            if act not in without and not self.bars(act):
                break
        if dealer:
            self._drawn.append((act, dealer))
        return act

    def play(self, act: Act) -> None:
        """Play an act that was drawn or completed here. Raises Refused if the rules do not allow it."""
        self.match.play(act)
        if self._dealer:
            self._dealer = next(dealer for drawn, dealer in self._drawn if drawn is act)
            self._drawn.clear()

    def play_out(self) -> None:
        """Play to the end at random."""
        while not self.stopped:
            self.step()

    def step(self) -> None:
        """Play one act at random."""
        if not self._bars_any:  # no copy of the cards: no act is discarded
            dealer, match = self._dealer, self.match
            match.play(dealer.act(match.now) if dealer else sample(match.asks, self._chance))
        else:
            self.play(self.draw())

    @property
    def reported(self) -> bool:
        """Check whether the next act says what happened at the table, so that no seat decides it."""
        return self.match.now.phase in self.match.game.reported

    def seat_of(self, act: Act) -> int | None:
        """Return the seat that decides an act, None if nobody does. Raises Refused if it is not offered."""
        if self.reported:
            return None
        ask = _asked(self.match, act)
        return act.given.get("seat") if ask.secret else ask.seat

    def at_will(self) -> tuple[Act, ...]:
        """Return the acts that seats may do now though nobody asks for them; none if the game has hidden cards."""
        if self._dealer:
            return ()
        verbs = self.match.game.at_will
        found = ((ask.verb, field) for ask in self.match.asks if ask.verb in verbs for field in ask.fields)
        pools = ((verb, field.pool) for verb, field in found if isinstance(field, Pick))
        return tuple(Act(verb, {"seat": seat}) for verb, pool in pools for seat in pool if seat is not None)

    def complete(self, wish: Act) -> Act:
        """Return an act with the decision of `wish`; dice and cards are drawn. Raises Refused if there is none."""
        if not self._dealer:
            return completed(self.match, wish, self._chance)
        wanted = decision(self.match, wish)
        for _ in range(TRIES):
            act = self.draw()
            if decision(self.match, act) == wanted:
                return act
            self._drawn.clear()
        raise Refused(f"{wish.line()} is not among the acts that these cards allow.")

    def bars(self, act: Act) -> bool:
        """Check whether a seat is to avoid an act that it decides."""
        if not self._bars_any:
            return False
        own = act.given.get("seat") if act in self.at_will() else self.seat_of(act)
        barred = self._barred[own] if isinstance(own, int) else frozenset[str]()
        return bool(barred) and not barred.isdisjoint(words_of(self.match, act))

    def imagined(self, seat: int, chance: Chance) -> World:
        """Return a copy as a seat imagines it: what it cannot see is drawn again."""
        if self._dealer:
            return World(self.match.copy(), chance, self._dealer.redrawn(self.match.now, seat, chance), self._barred)
        deals = gives(self.match.game, Game.own_hand)  # the box may have dealt hands
        match = redealt(self.match, seat, chance) if deals else self.match.copy()
        return World(match, chance, None, self._barred)


class Outlook:
    """What a seat knows: the decisions that it may take, and worlds that may be the real one."""

    def __init__(self, world: World, seat: int, chance: Chance) -> None:
        self._world, self._seat, self._chance = world, seat, chance

    def draw(self) -> Act:
        """Return a legal act of the seat. What its dice and cards show is an example."""
        return self.world().draw(seat=self._seat)

    def world(self) -> World:
        """Return a world to play on: the same match, with hidden cards drawn as the seat may expect them."""
        return self._world.imagined(self._seat, self._chance)


def decision(match: Match, act: Act) -> Decision:
    """Return what a player decides with an act: its verb, and the fields before dice, cards or cubes are seen."""
    own, ask = [], _asked(match, act)
    for field, value in _answers(match, act):
        if field.source != "will" and not (field.name == "seat" and ask.secret):
            break
        if isinstance(field, Some) and isinstance(value, tuple) and not field.until:
            value = tuple(sorted(value, key=repr))  # the same dice in another order
        own.append((field.name, value))
    return act.verb, tuple(own)


def completed(match: Match, wish: Act, chance: Chance) -> Act:
    """Return `wish` with its dice and cards drawn again.

    Raises Refused if its verb is not offered, or if nothing that the rules allow can be drawn.
    """
    ask = _asked(match, wish)
    offered = [field.name for field, _ in _answers(match, wish)]
    strange = {name: value for name, value in wish.given.items() if name not in offered}
    reason = ""
    for _ in range(TRIES):
        given = dict(strange)
        try:
            _fill(ask, wish, given, chance)
        except IndexError:  # an empty pool: nothing can be drawn this way
            reason = "a pool is empty"
            continue
        if not (reason := ask.objection(given)):
            return Act(wish.verb, given)
    raise Refused(f"{wish.line()}: {reason}")


def _fill(ask: Ask, wish: Act, given: dict[str, Value], chance: Chance) -> None:
    """Add the decision of `wish` to `given`, and draw all fields after it."""
    seen = False
    for field in ask.walk(given):
        if (field.source == "will" or (field.name == "seat" and ask.secret)) and not seen:
            if field.name in wish.given:
                given[field.name] = wish.given[field.name]
            continue
        seen = True
        if not field.optional or chance() < field.likely:
            given[field.name] = field.sample(chance)


def _asked(match: Match, act: Act) -> Ask:
    ask = next((ask for ask in match.asks if ask.verb == act.verb), None)
    if ask is None:
        raise Refused(f'"{act.verb}" is not offered; expected: {", ".join(ask.verb for ask in match.asks)}.')
    return ask


def _answers(match: Match, act: Act) -> list[tuple[Field, Value]]:
    """Return the fields of an act that the offer knows, with their answers, in the order of asking."""
    known: dict[str, Value] = {}
    found = []
    for field in _asked(match, act).walk(known):
        if field.name in act.given:
            known[field.name] = act.given[field.name]
            found.append((field, act.given[field.name]))
    return found


def words_of(match: Match, act: Act) -> list[str]:
    """Return the verb of an act and the values that a player decides with it, as texts."""
    words = [act.verb]
    for _, value in decision(match, act)[1]:
        words += map(str, value) if isinstance(value, tuple) else [str(value)]
    return words
