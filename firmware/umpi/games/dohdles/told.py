"""What somebody did in Dohdles!, in sentences: the page shows them after "Last:" and in the history."""

from __future__ import annotations

from typing import Any

from umpi.games.dohdles.riddle import named, sculptor_of
from umpi.kernel import Act, Message, Who, message, message_n
from umpi.kernel.messages import spaced


def told(act: Act, active: int, guesser: int | None, picked: str, announced: str, clue: int) -> str:
    """Return a sentence about an act.

    `active` has the turn and `guesser` has the first cube. `picked` is the riddle that was moved in this turn, or that
    the act moves, and `clue` the space to which it moves. `announced` is the riddle that is being guessed.
    """
    who, given = Who(active), dict[str, Any](act.given)
    match act.verb:
        case "clue":
            riddle = named(given["riddle"])
            return message("{who} moves {riddle} to clue {number}.", who=who, riddle=riddle, number=clue)
        case "asked":
            return _clue(given, who, picked)
        case "cube" | "owner":
            return _cube(act.verb, given["seat"])
        case "home":
            return message("The cube goes back to its owner.")
        case "hear":
            return message("The riddle to guess is {riddle}.", riddle=named(given["riddle"]))
        case "claim":
            return message("{who} guesses first." if given["take"] else "{who} lets the first cube guess.", who=who)
        case "guess":
            return _guess(given, Who(guesser or 0), announced)
        case _:
            return message("Nobody solves {riddle}.", riddle=named(picked))


def _clue(given: dict[str, Any], who: Who, riddle: str) -> Message:
    """Return what the sculptor has answered."""
    if given["kind"] == "questions":
        return message("{who} has asked about {riddle}.", who=who, riddle=named(riddle))
    letter, position = given["letter"], given["position"]
    if letter is None:
        return message("{riddle} has no letter {position}.", riddle=named(riddle), position=position)
    return message("Letter {position} of {riddle} is {letter}.", riddle=named(riddle), position=position, letter=letter)


def _cube(verb: str, seat: int | None) -> Message:
    if seat is None:
        return message("A cube falls, and nobody knows whose.")
    return message("{who}’s cube falls." if verb == "cube" else "The cube is {who}’s.", who=Who(seat))


def _guess(given: dict[str, Any], who: Who, riddle: str) -> str:
    """Return the verdict on a guess, and how far the tokens move if the players count the arrows."""
    right, steps, reward = given["right"], given.get("steps", 0), given.get("reward", 0)
    template = "{who} guesses {riddle}: right." if right else "{who} guesses {riddle}: wrong."
    said = [message(template, who=who, riddle=named(riddle))]
    if steps and right:
        said.append(message_n("{who} moves one step forward.", "{who} moves {number} steps forward.", steps, who=who))
    elif steps:
        said.append(message_n("{who} moves one step back.", "{who} moves {number} steps back.", steps, who=who))
    if reward:
        sculptor = sculptor_of(riddle)
        said.append(
            message_n("{who} moves one step forward.", "{who} moves {number} steps forward.", reward, who=sculptor)
        )
    return spaced(said)
