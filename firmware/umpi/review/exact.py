"""The exact review: the rules compute what each choice of a turn is worth, as a fraction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from umpi.kernel.match import Match
from umpi.kernel.messages import message
from umpi.kernel.worths import ToWin, Worth, Worths
from umpi.lab.world import decision
from umpi.review.split import About, Mistake, Review, Share, Step, Words, words_of


def exact(match: Match, lines: Sequence[int], worths: Worths) -> Review:
    """Return the review of a match whose acts stand in these `lines` of its record. A turn in play is left out."""
    seats = range(len(match.players))
    sums = [_Sum() for _ in seats]
    turn = _Sum()
    replayed = Match(match.game, match.players, match.options)
    for move, (act, line) in enumerate(zip(match.acts, lines, strict=True), 1):
        before, seat = replayed.now, replayed.seat
        choices = {decision(replayed, each.act): each for each in worths.choices(before)}
        chosen = choices.get(decision(replayed, act))
        replayed.play(act)
        if seat is None or chosen is None:
            continue
        best = max(choices.values(), key=lambda each: each.average)
        if not turn.begun:
            turn.begun, turn.expected = True, best.average
        elif turn.hoped is not None:
            turn.luck += best.average - turn.hoped
        turn.hoped = chosen.average
        loss = best.average - chosen.average
        turn.given_away += loss
        turn.decisions += len(choices) > 1
        turn.course.append(Step(move, turn.expected, turn.luck, turn.given_away))
        own, situation = _words(chosen), worths.situation(before)
        if safe := _better_for_match(chosen, choices.values()):
            least, most = _chance(safe).least, _chance(chosen).most
            turn.lost.append(Mistake(move, line, own, _words(safe), About(100 * (least - most)), situation, True))
        elif loss and not _right_for_match(chosen, choices.values()):
            turn.mistakes.append(Mistake(move, line, own, _words(best), About(loss), situation))
        earned = worths.earned(before, replayed.now)
        if earned is not None:
            turn.points = earned
            turn.luck += earned - turn.hoped
            turn.course[-1] = turn.course[-1]._replace(luck=turn.luck)
            sums[seat].add(turn)
            turn = _Sum()
    players = [
        Share(seat, match.players[seat], each.points, About(each.expected), About(each.luck), About(each.given_away),
              each.decisions, each.mistakes, each.course, each.lost)
        for seat, each in zip(seats, sums, strict=True)
    ]  # fmt: skip
    return Review(match.game.id, "exact", worths.measure, players, _missing(match, turn))


def _missing(match: Match, turn: _Sum) -> str:
    if match.result:
        return ""
    if turn.begun:
        return message("The match is not over. The turn in play is not counted.")
    return message("The match is not over.")


UNKNOWN = ToWin(Fraction(0), Fraction(1))


def _chance(worth: Worth) -> ToWin:
    return worth.chance or UNKNOWN


def _right_for_match(chosen: Worth, choices: Collection[Worth]) -> bool:
    """Check whether no choice can give a better chance to win the match, even if another one gives more points."""
    return all(_chance(each).most <= _chance(chosen).least for each in choices if each is not chosen)


def _better_for_match(chosen: Worth, choices: Collection[Worth]) -> Worth | None:
    """Return the choice that surely gives the best chance to win the match; None if the chosen one may be as good."""
    best = max(choices, key=lambda each: (_chance(each).least, each.average))
    return best if _chance(best).least > _chance(chosen).most else None


def _words(worth: Worth) -> Words:
    return words_of((worth.act.verb, tuple(worth.act.given.items())), worth.words)


class _Sum:
    """The figures of a turn in play, or of all turns of a seat."""

    def __init__(self) -> None:
        self.begun = False
        self.hoped: Fraction | None = None  # what the last choice is worth on average
        self.points = 0
        self.expected = self.luck = self.given_away = Fraction(0)
        self.decisions = 0
        self.mistakes: list[Mistake] = []
        self.lost: list[Mistake] = []
        self.course: list[Step] = []

    def add(self, turn: _Sum) -> None:
        for move, expected, luck, given_away in turn.course:
            assert expected is not None
            assert luck is not None
            sums = self.expected + expected, self.luck + luck, self.given_away + given_away
            self.course.append(Step(move, *sums))
        self.points += turn.points
        self.expected += turn.expected
        self.luck += turn.luck
        self.given_away += turn.given_away
        self.decisions += turn.decisions
        self.mistakes += turn.mistakes
        self.lost += turn.lost
