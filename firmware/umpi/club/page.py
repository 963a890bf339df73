"""The page of the hall as HTML: live tables, leaderboards, ratings, and who was ahead of whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, MutableMapping, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from umpi.club.hall import Table
from umpi.club.standings import Ladder, Standing, fair
from umpi.club.store import Played
from umpi.i18n.translate import Translated, current_language, tr
from umpi.kernel.messages import Figure
from umpi.lab.intervals import Z95
from umpi.mqtt.payloads import TablePlayer, TableState
from umpi.timing.lines import COLOURS

HEAD_TO_HEAD = 8  # players of that table
PERIODS = ("evening", "season")

Drawn = MutableMapping[str, tuple[int, str]]  # tables by id, each with its number of changes when it was drawn


class Counted(NamedTuple):
    """What a ladder counts: a game, "" for all, as the matches ended or `fair`: without luck."""

    game: str
    fair: bool = False


Ladders = MutableMapping[Counted, Ladder]


def page(title: str, main: str, period: str, game: str, games: dict[str, str]) -> str:
    """Return the whole page around its main part."""
    labels = {"evening": tr("This evening"), "season": tr("Season")}
    periods = "".join(_link(labels[each], each == period, when=each, game=game) for each in PERIODS)
    chosen = {"": tr("All games"), **games}
    links = "".join(_link(label, each == game, when=period, game=each) for each, label in chosen.items())
    navs = _nav(tr("Period"), periods) + _nav(tr("Games"), links)
    return (
        f'<!doctype html><html lang="{current_language()}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="tokens.css">'
        '<link rel="icon" href="icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="hall.css"><script src="hall.js" type="module"></script></head>'
        f"<body><header><h1>{escape(title)}</h1>{navs}</header>"
        f"<main>{main}</main></body></html>"
    )


def away(why: str) -> str:
    """Return the warning that the database cannot be reached."""
    text = tr("The database cannot be reached: {why}. Meanwhile, the boxes keep their results.", why=why)
    return _warning(text)


def tables(hall: Iterable[Table], trouble: str, drawn: Drawn | None = None, lost: bool = False) -> str:
    """Return the live tables. Those in `drawn` that have not changed since are not drawn again.

    `trouble` is why the database is away, "" if it is there; `lost` is whether the broker is away.
    """
    drawn = {} if drawn is None else drawn
    warning = away(trouble) if trouble else ""
    if lost:
        warning += _warning(tr("The broker cannot be reached. The tables may have changed since."))
    found = "".join(_drawn(table, drawn) for table in sorted(hall, key=lambda table: (table.name, table.id)))
    none = f"<p>{escape(tr('No box has reported yet.'))}</p>"
    return f"{warning}<h2>{escape(tr('Tables'))}</h2>" + (f'<ul class="tables">{found}</ul>' if found else none)


def boards(
    played: Sequence[Played], games: dict[str, str], game: str = "", ladders: Ladders | None = None,
    months: bool = False,
) -> str:  # fmt: skip
    """Return the leaderboards of some matches: all together, then the ratings of each game, last the `months`.

    If `game` is not "", only its matches count. The `ladders` of the boards before are added to.
    """
    ladders = {} if ladders is None else ladders
    of: dict[str, list[Played]] = {}
    for each in played:
        of.setdefault(each.game, []).append(each)
    played = of.get(game, []) if game else played
    if not played:
        return f"<h2>{escape(tr('Leaderboard'))}</h2><p>{escape(tr('No match has ended yet.'))}</p>"
    head = (tr("Player"), tr("Won"), tr("Matches"))
    whole = ladders.setdefault(Counted(game), Ladder()).follow(played)
    winners = whole.winners()
    rows = [(name, str(won), str(matches)) for name, won, matches in winners]
    parts = [_board(tr("Matches won"), head, rows)]
    for id, title in games.items():
        if game not in ("", id):
            continue
        if table := ladders.setdefault(Counted(id), Ladder()).follow(of.get(id, ())).standings():
            parts.append(_ratings(title, table))
        without = fair(of.get(id, ()))
        if table := ladders.setdefault(Counted(id, fair=True), Ladder()).follow(without).standings():
            parts.append(_ratings(tr("{game}, without luck", game=Translated(title)), table, tr("Ahead")))
    parts.append(_head_to_head(whole, [name for name, _, _ in winners[:HEAD_TO_HEAD]]))
    parts += [_by_month(played)] if months else []
    about = tr("Won: first places, also shared ones. ±: half of the 95 % interval of a rating.")
    shown = f'<div class="boards">{"".join(parts)}</div><footer>{escape(about)}</footer>'
    return f"<h2>{escape(tr('Leaderboard'))}</h2>{shown}"


def _warning(text: Translated) -> str:
    return f'<p class="warn" role="status">{escape(str(text))}</p>'


def _drawn(table: Table, drawn: Drawn) -> str:
    changes, (known, html) = table.changes, drawn.get(table.id, (-1, ""))
    if known != changes:
        html = _table(table)
        drawn[table.id] = changes, html
    return html


def _table(table: Table) -> str:
    state = table.state
    players = "".join(_player(player, state) for player in state.players)
    what = state.title or tr("No match")
    problem = tr("Two boxes have this id: {id}", id=table.id) if table.twin else state.problem
    warn = f'<p class="warn">{escape(str(problem))}</p>' if problem else ""
    names = ", ".join(table.next)
    offered = f'<p class="next">{escape(tr("Next: {names}", names=names))}</p>' if names else ""
    off = "" if table.online else f" <small>{escape(tr('offline'))}</small>"
    kind = "" if table.online else "off"
    return (
        f'<li class="{kind}" data-box="{escape(table.id)}" data-version="{state.version}">'
        f"<h3>{escape(table.name or table.id)}{off}</h3>"
        f'<p class="game">{escape(what)}</p><ul class="players">{players}</ul>{warn}{offered}</li>'
    )


def _player(player: TablePlayer, state: TableState) -> str:
    colour = COLOURS[player.button % len(COLOURS)].lower()
    turn, won = (" turn" if player.name == state.turn else ""), ("won" if player.name in state.winners else "")
    points = "" if player.score is None else player.score
    return f'<li class="seat-{colour}{turn}"><span class="{won}">{escape(player.name)}</span><b>{points}</b></li>'


def _ratings(title: str, table: Sequence[Standing], won: str = "") -> str:
    head = (tr("Player"), tr("Rating"), "±", won or tr("Won"), tr("Matches"))
    rows = [(one.name, f"{one.rating:.1f}", f"{Z95 * one.unsure:.1f}", str(one.won), str(one.matches)) for one in table]
    return _board(title, head, rows)


def _by_month(played: Sequence[Played]) -> str:
    """Return what was played in each month, the newest first. Hours are those of the matches whose length is known."""
    months: dict[str, list[Played]] = {}
    for each in played:
        months.setdefault(f"{each.evening:%Y-%m}", []).append(each)
    head = (tr("Month"), tr("Evenings"), tr("Matches"), tr("Hours"), tr("Players"), tr("Most played"))
    return _board(tr("By month"), head, [_month(month, months[month]) for month in sorted(months, reverse=True)])


def _month(month: str, played: Sequence[Played]) -> tuple[str, ...]:
    titles = Counter(each.title for each in played)
    most, times = min(titles.items(), key=lambda each: (-each[1], each[0]))
    hours = sum(each.lasted_s or 0 for each in played) / 3600
    evenings, players = {each.evening for each in played}, {name for each in played for name in each.players}
    figures = str(len(evenings)), str(len(played)), tr(Figure(f"{hours:.1f}")), str(len(players))
    return month, *figures, f"{most} ({times})"


def _head_to_head(ladder: Ladder, names: Sequence[str]) -> str:
    """Return how often the player of a row was ahead of the player of a column."""
    rows = [(one, *("" if one == other else str(ladder.ahead(one, other)) for other in names)) for one in names]
    return _board(tr("Head to head"), ("", *names), rows, "board crossed")


def _board(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "board") -> str:
    heads = "".join(f'<th scope="col">{escape(str(cell))}</th>' for cell in head)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<section class="{kind}" tabindex="0" aria-label="{escape(str(title))}"><h3>{escape(str(title))}</h3><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></section>"
    )


def _nav(label: str, links: str) -> str:
    return f'<nav aria-label="{escape(str(label))}">{links}</nav>'


def _link(label: str, current: bool, **query: str) -> str:
    marked = ' aria-current="page"' if current else ""
    return f'<a href="?{escape(urlencode(query))}"{marked}>{escape(str(label))}</a>'
