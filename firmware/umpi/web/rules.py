"""The rules of the games as documents: sections, and examples with every position to step through."""

from __future__ import annotations

from collections.abc import Mapping

from umpi.i18n.translate import LANGUAGES, Translated, current_language, game_label, player_label, tr
from umpi.kernel.fields import Value
from umpi.kernel.game import Game
from umpi.kernel.match import Match, Refused
from umpi.kernel.registry import games
from umpi.rulebook.book import Block, Example, Items, Paragraph, Table
from umpi.rulebook.example import ExampleStep, replay_example
from umpi.rulebook.shelf import Shelf
from umpi.table.examples import broken_example
from umpi.table.telling import sentence_of
from umpi.web import documents
from umpi.web.boards import shown_board


def games_with_rules(shelf: Shelf) -> list[documents.Title]:
    """List the games that have rules."""
    return [{"game": game.id, "title": game_label(game)} for game in shelf.games()]


def rules_of(shelf: Shelf, id: str, options: Mapping[str, Value] | None = None) -> documents.Rules | None:
    """Return the rules of a game with the `options` of its match, if it is in play; None if it has no rules."""
    book = shelf.find(id, current_language(), options)
    game = next((game for game in games() if game.id == id), None)
    if book is None or game is None:
        return None
    missing = ""
    if book.language != current_language():
        missing = tr("These rules exist only in {language}.", language=Translated(LANGUAGES[book.language]))
    sections: list[documents.Section] = [
        {"title": section.title, "blocks": [_block(block, game) for block in section.blocks]}
        for section in book.sections
    ]
    return {"game": id, "title": book.title, "language": book.language, "missing": missing, "sections": sections}


def _block(block: Block, game: type[Game]) -> documents.Block:
    match block:
        case Paragraph(text):
            return {"kind": "paragraph", "text": text}
        case Items(items, numbered):
            return {"kind": "list", "items": list(items), "numbered": numbered}
        case Table(head, rows):
            return {"kind": "table", "head": list(head), "rows": [list(row) for row in rows]}
        case Example():
            return _example(block, game)


def _example(example: Example, game: type[Game]) -> documents.Block:
    document: documents.Block = {"kind": "example", "name": example.name, "title": example.title}
    try:
        match, steps = replay_example(example, game)
    except (Refused, ValueError) as fault:
        document |= {"players": [], "steps": [], "error": broken_example(example, fault)}
        return document
    players = map(player_label, match.players)
    document |= {"players": [*players], "steps": [_step(match, step) for step in steps], "error": ""}
    return document


def _step(match: Match, step: ExampleStep) -> documents.ExampleStep:
    """Return a position of an example: the act that led to it, what was said, and what the table shows."""
    position, players = match.position(step.count), match.players
    shown = position.view()
    return {
        "act": sentence_of(match, step.count - 1) if step.count else "",
        "calls": [tr(call.text) for call in step.calls],
        "notes": list(step.notes),
        "turn": next((ask.seat for ask in position.asks() if ask.seat is not None), None),
        "scores": list(position.scores()),
        "beside": [tr(text, players) for text in shown.beside] or [""] * len(players),
        "head": tr(shown.head, players),
        "rows": [[tr(text, players) for text in (row.label, *row.cells)] for row in shown.rows],
        "facts": position.shown_facts(),
        "board": shown_board(position, players, None),
    }
