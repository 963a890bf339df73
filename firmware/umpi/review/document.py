"""Make a document of the page of the review of one match, in the current language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from umpi.i18n.translate import Translated, tr, tr_context
from umpi.kernel.fields import Value
from umpi.kernel.messages import Figure, Name
from umpi.kernel.record import replay
from umpi.kernel.registry import find
from umpi.review.match_review import review
from umpi.review.played import last_of
from umpi.review.split import About, Mistake, Number, Presses, Review, Share, Step, Words, by_loss, rounded_down, tenths
from umpi.table.telling import ACT


def document(lines: Sequence[bytes]) -> dict[str, Value]:
    """Return the review of a record, with its texts in the current language. Raises ValueError if a line is wrong."""
    step, numbers = last_of(replay(lines, find))
    if step.record is None or step.error:
        raise ValueError(f"line {step.line}: {step.error}")
    found = review(step.record.match, numbers)
    return {
        "method": found.method,
        "measure": tr(found.measure),
        "why": tr(found.why) if found.why else "",
        "shares": tuple(_share(each) for each in found.players if isinstance(each, Share)),
        "presses": tuple(each.jsonable() for each in found.players if isinstance(each, Presses)),
        "lines": tuple(_lines(found)),
    }


def _lines(found: Review) -> Iterator[str]:
    """Yield the review as lines of text, for the panel."""
    if found.method != "none":
        yield tr(found.measure)
    if found.method == "sampled":
        yield tr("about, ± half of a 95 % interval")
    for each in found.players:
        if isinstance(each, Presses):
            yield tr(
                "{name}: pressed {presses}, first {first}", name=Name(each.name), presses=each.presses, first=each.first
            )
            continue
        share = _share(each)
        yield tr(
            "{name}: {points}. Expected {expected}, luck {luck}, given away {given_away}",
            name=Name(each.name), points=share["points"], expected=share["expected"], luck=share["luck"],
            given_away=share["given_away"],
        )  # fmt: skip
        for one in map(_mistake, (*by_loss(each.lost)[:1], *each.worst[:1])):
            yield tr(
                "Move {move}: {chosen}. Better: {best}. Cost: {loss}",
                move=one["move"], chosen=one["chosen"], best=one["best"], loss=one["loss"],
            )  # fmt: skip
    if found.why:
        yield tr(found.why)


def _share(share: Share) -> dict[str, Value]:
    return {
        "seat": share.seat,
        "points": points_text(share),
        "expected": figure_text(share.expected),
        "luck": figure_text(share.luck),
        "given_away": figure_text(share.given_away),
        "decisions": share.decisions,
        "worst": tuple(map(_mistake, (*share.lost, *share.worst))),
        "mistakes": tuple(map(_mistake, share.mistakes)),
        "course": tuple(_step(each) for each in share.course),
    }


def _step(step: Step) -> dict[str, Value]:
    """Return the sums after an act in tenths: the page draws them, and writes them with the mark of its language."""
    sums = {"expected": step.expected, "luck": step.luck, "given_away": step.given_away}
    return {"move": step.move, **{name: None if sum is None else round(sum * 10) for name, sum in sums.items()}}


def _mistake(mistake: Mistake) -> dict[str, Value]:
    return {
        "move": mistake.move,
        "situation": tr(mistake.situation) if mistake.situation else "",
        "chosen": choice_text(mistake.chosen),
        "best": choice_text(mistake.best),
        "loss": loss_text(mistake),
    }


def points_text(share: Share) -> str:
    """Return what a player got, with the decimal mark of the language."""
    return str(share.points) if isinstance(share.points, int) else _tenths(share.points)


def choice_text(words: Words) -> Translated:
    """Return a choice in the current language."""
    verb, given = tr_context(ACT, words.verb), ", ".join(f"{tr(name)} {tr(value)}" for name, value in words.given)
    return tr("{what}: {value}", what=verb, value=Translated(given)) if given else verb


def loss_text(mistake: Mistake) -> str:
    """Return what a mistake cost, in the current language."""
    if mistake.match:
        return tr("at least {loss} % chance to win", loss=tr(Figure(rounded_down(mistake.loss.value))))
    loss = figure_text(mistake.loss)
    return loss if mistake.loss.error is None else tr("about {loss}", loss=Translated(loss))


def figure_text(figure: About) -> str:
    """Return a figure with half of its interval if it is estimated, and the decimal mark of the language."""
    number = _tenths(figure.value)
    return number if figure.error is None else f"{number} ±\N{NO-BREAK SPACE}{_tenths(figure.error)}"


def _tenths(value: Number) -> str:
    """Return a number to 0.1, with the decimal mark of the language."""
    return tr(Figure(tenths(value)))
