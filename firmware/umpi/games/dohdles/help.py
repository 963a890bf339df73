"""What the options of Dohdles! mean, in sentences."""

from __future__ import annotations

from umpi.kernel import message

OPTION_HELP = {
    "board": message(
        "By the table: the box asks for the arrows and rewards of your board. If it knows the board, it asks for "
        "neither."
    ),
    "riddles": message("How many riddles each player sculpts. Auto: three with 3 players, two with more."),
    "lone": message("In a game of teams, one player may have no partner. Enter their place in the order of play."),
    "lone_riddles": message("How many riddles the player without a partner sculpts."),
    "first_right": message(
        "The player who moves a riddle to its first clue may guess first. With cube: only after tossing a cube. No "
        "cube: also without one. The rule sheet says: with cube."
    ),
    "second_end": message(
        "What if no riddle is left to pick on your turn? All solved: the game ends only if the others' riddles are "
        "solved, else the next player picks. None to pick: the game ends. The rule sheet says: all solved."
    ),
    "announcement": message(
        "After a wrong guess the owner of the next cube guesses. Own riddle: they may name another riddle. Same "
        "riddle: they may not. The rule sheet says: own riddle."
    ),
    "steps_back": message("How far each red arrow moves a token back."),
    "steps_forward": message("How far each green arrow moves a token forward."),
    "steps_reward": message("How far the creator of a solved riddle moves forward as a reward."),
}
