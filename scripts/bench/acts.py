"""Measure acts per second of random games beside python-chess, and the presses that a game takes."""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec

from umpi.display.typist import CannotType, presses, presses_in_menu
from umpi.kernel.fields import Value
from umpi.kernel.game import Act, full_title
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find, games

ROUNDS = 7
PEER = "python-chess"
NAMES = ("Red", "Blue", "Yellow", "Green", "White", "Black")


def acts() -> None:
    """Print acts per second of processor time beside python-chess: in random games, and of games that are known."""
    if not find_spec("chess"):
        sys.exit("bench: python-chess is not installed: ./scripts/setup --full")
    ids = [game.id for game in games()]
    _print_rates(
        "in random play-outs, beside a random choice of all legal moves",
        {id: _play_outs(id) for id in ids} | {PEER: _chess},
    )
    _print_rates("of a known game, beside push_uci", {id: _replays(id) for id in ids} | {PEER: _chess_replays()})


def _print_rates(what: str, players: Mapping[str, Callable[[], int]]) -> None:
    """Measure how many acts each player plays per second, in turn, and print them beside the peer's."""
    rates: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(ROUNDS):
        for name, play in players.items():
            begun, count = time.process_time(), 0
            while time.process_time() - begun < 0.5:
                count += play()
            rates[name].append(count / (time.process_time() - begun))
    print(f"\nActs per second of processor time {what}, median of {ROUNDS} (least to most)")
    for name, measured in rates.items():
        ratios = [own / peer for own, peer in zip(measured, rates[PEER], strict=True)]
        spread = f"({min(measured):,.0f} to {max(measured):,.0f})"
        print(f"  {name:14} {statistics.median(measured):9,.0f} {spread:22} × {statistics.median(ratios):.1f}")


def _play_outs(name: str) -> Callable[[], int]:
    game, seeds = find(name), iter(range(10**9))
    return lambda: len(play_out(game, NAMES[:3], seed=next(seeds)).acts)


def _replays(name: str) -> Callable[[], int]:
    played = play_out(find(name), NAMES[:3], seed=1)

    def replay() -> int:
        match = Match(played.game, played.players)
        for act in played.acts:
            match.play(act)
        return len(played.acts)

    return replay


def _chess() -> int:
    return len(_random_moves(random.Random()))


def _random_moves(chance: random.Random) -> list[str]:
    import chess

    board = chess.Board()
    moves: list[str] = []
    while not board.is_game_over() and len(moves) < 200:
        move = chance.choice(list(board.legal_moves))
        board.push(move)
        moves.append(move.uci())
    return moves


def _chess_replays() -> Callable[[], int]:
    import chess

    moves = _random_moves(random.Random(1))

    def replay() -> int:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
        return len(moves)

    return replay


def presses_a_game(number: int = 100) -> None:
    """Print presses per turn and per game, entered on the panel, in random games of four players."""
    print(f"\nPresses on the panel, {number} random games of four players, of two where it is for two")
    tables: list[tuple[str, dict[str, Value], bool]] = [
        ("dodeka", {}, True), ("dodeka", {}, False), ("battledodes", {}, False), ("dodekka", {}, True),
        ("dodekka", {"track": "hands"}, True), ("dodekka", {"track": "sums"}, True),
        ("dudab-buba", {"track": "counts"}, True), ("dudab-buba", {}, True),
        ("quiz", {"questions": 20}, True), ("scorepad", {"rounds": 10}, True),
    ]  # fmt: skip
    for name, options, quick in tables:
        played = 3 if name == "dudab-buba" and not options else number  # a search through sixty cards takes its time
        counts = [_presses(name, options, quick, seed) for seed in range(played)]
        turns = [count for game in counts for count in game]
        whole = statistics.mean(map(sum, counts))
        how = ", final dice only" if quick and name == "dodeka" else f" {options}" if options else ""
        print(
            f"  {full_title(find(name))}{how}: {statistics.mean(turns):.1f} an answer (most {max(turns)}), "
            f"{whole:.0f} a game of {len(turns) / played:.0f} answers",
            flush=True,
        )


def _presses(name: str, options: dict[str, Value], quick: bool, seed: int) -> list[int]:
    game = find(name)
    names = NAMES[: min(4, game.seats[-1])]
    match = Match(game, names, options)
    chosen = _final_dice(seed) if quick and name == "dodeka" else _singly(play_out(game, names, options, seed))
    counts = []
    for answer in chosen:
        if not match.asks:
            break
        if answer[0].given.get("seat", 0) is not None:  # a cube whose owner is not known falls by itself
            counts.append(_cost(match, answer, quick))
        for act in answer:
            match.play(act)
    return counts


def _cost(match: Match, answer: tuple[Act, ...], quick: bool) -> int:
    """Count the presses of an answer, in the menu if the buttons do not offer it."""
    try:
        return len(presses(match.asks, match.players, answer, quick))
    except CannotType:
        try:
            return len(presses_in_menu(match, answer))
        except CannotType as fault:
            sys.exit(f"{match.game.id}: {fault}")


def _singly(match: Match) -> list[tuple[Act, ...]]:
    return [(act,) for act in match.acts]


def _final_dice(seed: int) -> Iterator[tuple[Act, ...]]:
    """Play turns with final dice: the better of two throws, as a player would do."""
    chance = random.Random(seed)
    while True:
        throws = [tuple(1 + int(chance.random() * 12) for _ in range(3)) for _ in range(2)]
        best = min(throws, key=lambda dice: (len(set(dice)), -sum(dice)))
        yield (Act("throw", {"keep": (), "dice": best}), Act("stop"))
