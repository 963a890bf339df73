"""Puzzles: decisions of a match that cost its player something, where one choice is clearly best."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from umpi.frozen import frozen
from umpi.kernel.match import Match
from umpi.kernel.options import worths_of
from umpi.kernel.worths import Worth, Worths
from umpi.lab.world import decision
from umpi.review.sampled import judge_act, rivals
from umpi.review.split import Words, tenths, words_of

CLEAR = 0.1  # of the points of the best choice: by so much, the second best is worse, if the rules compute them


@frozen
class Option:
    """A choice of a puzzle, and what it costs against the best one, as text; "" for the best one."""

    words: Words
    cost: str = ""


@frozen
class Puzzle:
    """The decision of a seat before the act number `move`, counted from 0: what it saw, and its options in words.

    One option is the best. `chosen` is the number of the option that the player took then.
    """

    move: int
    seat: int
    situation: str
    options: tuple[Option, ...]
    chosen: int

    @property
    def best(self) -> int:
        """Return the number of the best option, from 0."""
        return next(number for number, option in enumerate(self.options) if not option.cost)


def puzzles_of(match: Match, moves: Collection[int], worlds: int) -> Iterator[Puzzle]:
    """Yield the puzzles among these acts, counted from 0, in the order of the match.

    `worlds` is the budget of a comparison where it is sampled. Games with hidden hands have none.
    """
    game = match.game
    if worths := worths_of(game, match.options):
        yield from _exact(match, moves, worths())
    elif not game.dealer:
        for index in sorted(moves):
            if found := _sampled(match, index, worlds):
                yield found


def _exact(match: Match, moves: Collection[int], worths: Worths) -> Iterator[Puzzle]:
    replayed = Match(match.game, match.players, match.options)
    for index, act in enumerate(match.acts):
        seat, before = replayed.seat, replayed.now
        choices = {decision(replayed, each.act): each for each in worths.choices(before)}
        own = decision(replayed, act)
        replayed.play(act)
        ranked = sorted(choices.values(), key=lambda each: -each.average)
        if any(each.chance for each in ranked):
            continue  # the last turn of a match is for winning it, not for points
        if seat is None or index not in moves or own not in choices or len(ranked) < 2 or choices[own] is ranked[0]:
            continue
        best, second = ranked[:2]
        if best.average - second.average >= abs(best.average) * CLEAR and best.average > second.average:
            options = tuple(Option(_words(each), _cost(best, each)) for each in choices.values())
            yield Puzzle(index, seat, worths.situation(before), options, [*choices].index(own))


def _words(worth: Worth) -> Words:
    return words_of((worth.act.verb, tuple(worth.act.given.items())), worth.words)


def _cost(best: Worth, other: Worth) -> str:
    return "" if other is best else tenths(best.average - other.average)


def _sampled(match: Match, index: int, worlds: int) -> Puzzle | None:
    """Return the puzzle before an act, None if no choice is surely better than each other."""
    before = Match(match.game, match.players, match.options)
    for act in match.acts[:index]:
        before.play(act)
    act = match.acts[index]
    judged = judge_act(before, act, index, worlds)
    if judged is None or not judged.sure:
        return None
    options, chosen = [Option(judged.best), Option(judged.chosen, tenths(judged.loss))], 1
    for wish in rivals(before, act, judged.seat, index):
        other = judge_act(before, wish, index, worlds)
        if other is None or other.chosen in (judged.best, judged.chosen):
            continue
        if other.best != judged.best or not other.sure:
            return None
        options.append(Option(other.chosen, tenths(other.loss)))
    ordered = sorted(options, key=lambda option: option.words)
    return Puzzle(index, judged.seat, "", tuple(ordered), ordered.index(options[chosen]))
