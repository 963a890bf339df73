"""The documents of the API, and the bodies that phones send. Their JSON Schemas are derived from these types.

In an annotation, a text describes the value, a pair is a keyword of JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from umpi.kernel.board import Ink, Shape
from umpi.table.card import CardStage, CardTask, CardWord
from umpi.table.seating import Level
from umpi.table.shelf_work import ShelfStage, ShelfTask
from umpi.timing.lines import Colour
from umpi.web.schema import AtLeast

LONGEST_RUN = 32  # characters of the name of a run
LAST_US = 2**53  # a reading is a whole number that JavaScript can count to
COARSEST_US = 100_000

Seat = Annotated[int, ("minimum", 0), ("maximum", 5)]
Anything = Annotated[Any, "null, a boolean, a whole number, a text, an object, or a list of these"]
Options = Mapping[str, Any]
Piece = Literal["card", "die", "dode"]
Source = Literal["will", "table", "cube", "buzz", "scan"]
Scores = Annotated[list[int | None], "null each while the game hides them"]
Acted = Annotated[str, "panel, phone:Red, phone:referee, funnel, rail, scanner, table or box"]


_Spoken = TypedDict("_Spoken", {"kind": str, "text": str})
_Done = TypedDict(
    "_Done", {"do": Annotated[str, "the verb of an ask"], "by": NotRequired[Annotated[int, "the seat that acts"]]}
)
Call = Annotated[Mapping[str, Any], AtLeast(_Spoken), "a sentence of the referee, and the facts that its kind has"]
Act = Annotated[
    Mapping[str, Any],
    AtLeast(_Done),
    'An act as a record has it, "do" and a value a field; `umpi schema GAME` has those of a game.',
]


Error = TypedDict("Error", {"error": Annotated[str, "a sentence a player understands"]})

# The table

Player = TypedDict(
    "Player",
    {"seat": Seat, "name": str, "button": Seat, "level": NotRequired[Annotated[Level, "the box plays here, so well"]]},
)


class Over(TypedDict):
    """How a match ended."""

    winners: Annotated[list[Seat], "empty if all have lost"]
    together: Annotated[bool, "the winners are one team"]
    places: Annotated[list[int], "by seat; if all have lost, each is 2"]
    why: str


class Option(TypedDict):
    """A value of a field."""

    value: Anything
    label: str
    off: Annotated[str, 'why it cannot be chosen, "" where it can']
    words: Annotated[list[str], "the parts of a word such as fire-2"]
    count: Annotated[int, "how often it is there"]


class Field(TypedDict):
    """A field of a form."""

    name: str
    label: str
    kind: Literal["pick", "number", "some", "text", "each", "forms"]
    source: Source
    optional: bool
    aside: NotRequired[Annotated[bool, "seldom answered: it may be left to a second step"]]
    in_order: NotRequired[Annotated[bool, "pick: nobody is asked, the first option that is on is taken"]]
    options: NotRequired[Annotated[list[Option], "pick, some: all there ever are"]]
    low: NotRequired[int]
    high: NotRequired[int]
    null: NotRequired[Annotated[bool, "number, text: null is an answer too"]]
    least: NotRequired[int]
    most: NotRequired[int]
    again: NotRequired[Annotated[bool, "some: a value may come any number of times"]]
    ends: NotRequired[Annotated[list[Anything], "some: the values that end the list"]]
    fields: NotRequired[Annotated[list[Field], "each: one a place; forms: those of every object"]]


class Ask(TypedDict):
    """One thing that may be done now, as a form."""

    verb: str
    label: str
    text: str
    help: Annotated[str, "the rule itself"]
    rare: bool
    referee: Annotated[bool, "only the referee's phone and the box may give this act"]
    seat: Annotated[Seat | None, "who is asked; null: nobody, or anybody"]
    then: Annotated[str, "the verb that usually follows at once"]
    secret: Annotated[bool, "each seat answers unseen, and all answers appear together"]
    alone: Annotated[Seat | None, "whose phone alone gets some of the fields, by /api/form; null: all are here"]
    usual: Mapping[str, Any] | None
    more: Annotated[bool, "fields may follow from the answers: /api/form tells them"]
    fields: list[Field]


class Form(TypedDict):
    """The fields of an ask after some answers."""

    fields: list[Field]
    refusal: Annotated[str, 'why the whole would be refused as it stands, "" where it would not']


class PastQuestion(Form):
    """The question that an act answered."""

    ask: Ask


class Seating(TypedDict):
    """A table: its game, players and rules."""

    game: str
    title: str
    players: list[Player]
    rules: str
    options: Options
    moderator: str


class BoardPiece(TypedDict):
    """A piece of a board that a game brings as data."""

    kind: Literal["card", "die", "token", "counter", "pile"]
    key: Annotated[str, "names the piece in calls and options; another position may show it elsewhere"]
    text: Annotated[str, 'what is written on it, "" if nothing is: a card shows its back then']
    ink: NotRequired[Annotated[Ink, "card"]]
    sides: NotRequired[Annotated[int, "die"]]
    seat: NotRequired[Annotated[Seat | None, "die, token: whose it is"]]
    number: NotRequired[Annotated[int, "counter, pile"]]


class BoardSpace(TypedDict):
    """A space of a board with its pieces."""

    key: str
    text: str
    pieces: list[BoardPiece]


class BoardPart(TypedDict):
    """A part of a board that a game brings as data. The parts lie one below the other."""

    kind: Literal["line", "track", "grid"]
    label: str
    pieces: NotRequired[Annotated[list[BoardPiece], "line"]]
    spaces: NotRequired[Annotated[list[BoardSpace], "track: from the first to the last"]]
    rows: NotRequired[Annotated[list[list[BoardSpace | None]], "grid: null where there is no space"]]
    shape: NotRequired[Annotated[Shape, "grid: each second row of hexagons lies further right"]]


Board = Annotated[list[BoardPart] | None, "the board that the game brings as data; null if it brings none"]


class Match(TypedDict):
    """The match in play."""

    id: int
    game: str
    title: str
    kind: str
    options: Options
    players: list[Player]
    phase: str
    turn: Seat | None
    pieces: Annotated[Mapping[str, Piece], "the fields whose values are pieces, by their names"]
    scores: Scores
    hidden: bool
    ranks: Annotated[list[int] | None, "places by the scores now; null where unknown or hidden"]
    beside: list[str]
    live: Annotated[bool, "what stands beside the scores is what the table looks at now"]
    head: str
    rows: Annotated[list[list[str]], "a label and its cells each"]
    facts: Annotated[Mapping[str, Any], "what everybody may see of the position, by the game; empty while it is hidden"]
    board: Board
    over: Over | None
    acts: int
    moderator: Annotated[str, "who judges the answers and does not play"]
    judge: Annotated[str, 'says who judges the answers, "" if nobody does']
    empty_seat: Annotated[str, 'why the box can play no seat, "" if it can']
    private: Annotated[list[Seat], "whose phones may ask /api/hand for what only they may know"]
    dealt: Annotated[list[Seat], "to whom the box has dealt a hand, which their phones show by /api/hand"]


class Question(TypedDict):
    """The open question, with a form for each answer."""

    id: Annotated[str, "names this question in every POST: another with each line of the record"]
    title: str
    asks: list[Ask]
    answered: Annotated[list[Seat], "the seats that have answered a secret question; others have not yet"]
    together: Annotated[list[list[Seat]], "the seats that give one answer to a secret question, as a team"]
    again: Annotated[list[Seat], "the seats whose secret answers the rules did not allow beside the others"]


class Now(TypedDict):
    """The sentence `now`: what the next person must do."""

    text: Annotated[str, "one sentence with their name"]
    seat: Annotated[Seat | None, "who must act; null: anybody may"]
    voice: Annotated[str, "the same for the ear"]


class Place(TypedDict):
    """A place in the order of cubes or presses."""

    name: str
    seat: Seat | None
    button: Seat | None
    margin_us: Annotated[int | None, "microseconds to the next"]
    behind_us: Annotated[int | None, "microseconds after the first; null if unknown"]
    close: Annotated[bool, "too close to call with another place"]


SeenText = TypedDict("SeenText", {"text": str})
SeenOrder = TypedDict("SeenOrder", {"order": list[Place]})


class Arrival(TypedDict):
    """A press or a cube of a race. Its times count from the first arrival, in nanoseconds."""

    by: Literal["button", "phone", "cube"]
    seat: Annotated[Seat | None, "null if nobody knows whose cube it is"]
    button: Seat | None
    name: str
    at_ns: Annotated[int, "decides its place"]
    from_ns: Annotated[int, "when it happened at the earliest"]
    to_ns: Annotated[int, "when it happened at the latest"]
    close: Annotated[bool, "too close to call with another one"]
    behind: Annotated[str, 'how long after the first, "?" if that is too close to call']
    bound: Annotated[str, 'by how much its stamp may be wrong, "" if that says nothing']


class Race(TypedDict):
    """Who was first, as a picture and in words."""

    before: Annotated[int, "the acts before it"]
    arrivals: list[Arrival]
    verdict: Annotated[str, 'who was first, or what is in doubt; "" if there is nothing to say']
    svg: Annotated[str, "the picture, as wide as its place and in the colour of the text around it"]


SlowMotion = TypedDict("SlowMotion", {"number": Annotated[int, "counts the requests"], "race": Race})


Showing = TypedDict("Showing", {"texts": list[str], "keys": list[str], "help": list[str]})
Doubt = TypedDict("Doubt", {"text": str, "seats": list[Seat]})
Trouble = TypedDict("Trouble", {"device": str, "text": str})


class Claimant(TypedDict):
    """A phone that asks for a seat."""

    claim: Annotated[str, "the two digits that this phone and the box show"]
    button: Seat
    name: str
    instead: Annotated[
        bool, "it plays instead of the player who has joined there; else it is that player's second phone"
    ]


class CardWork(TypedDict):
    """The last task of the card: an update, or a copy of the box on a stick."""

    task: Annotated[CardWord | None, "the last update is told after a restart, and nobody begins it"]
    stage: Annotated[CardStage, "a task that asks continues once the referee's phone agrees"]
    title: str
    text: Annotated[str, "how far it is, what it asks, or what has become of it"]
    percent: int | None
    agree: Annotated[str, "the label of the button that agrees"]


class ShelfWork(TypedDict):
    """The last task of the shelves with games of other people."""

    task: ShelfTask | None
    stage: ShelfStage
    text: Annotated[str, "how far it is, or what has become of it"]
    percent: int | None
    looks: Annotated[int, "how often the shelves have been read: after each, /api/shelf-games has another answer"]


class KnownShelf(TypedDict):
    """A shelf of this box."""

    where: Annotated[str, "its address, or its folder"]
    key: Annotated[str, "the public key of its owner"]
    trouble: Annotated[str, 'why it cannot be read, "" if it can']


class OnShelf(TypedDict):
    """A game of a shelf, or an installed one that no shelf has any more; then version is ""."""

    shelf: str
    game: str
    title: str
    package: str
    version: str
    installed: Annotated[str, 'its version on this box, "" if it is not there']
    newer: Annotated[bool, "whether the shelf has another version than this box"]
    players: Annotated[list[int], "the smallest and the largest number of players"]
    languages: Annotated[list[str], "the names of its languages"]
    minutes: Annotated[float | None, "of a match in the laboratory"]
    equal: Annotated[bool | None, "whether no difference between the seats was shown, null if that is not known"]
    licence: str
    check: Annotated[list[str], "the report of umpi check"]
    expands: Annotated[str, 'the title of the game that it expands, "" for a game']


class Shelves(TypedDict):
    """The shelves of the box, and their games."""

    shelves: list[KnownShelf]
    games: list[OnShelf]


Hint = TypedDict("Hint", {"for": list[str], "text": str})
OwnName = TypedDict("OwnName", {"button": Seat, "name": str})
Last = TypedDict("Last", {"who": Acted, "text": str})


class Shown(TypedDict):
    """What the table shows."""

    language: str
    screen: Literal["welcome", "play"]
    showing: Annotated[
        Showing | None,
        "what the screen of the box shows, the choices of its keys and what explains them; null during a match",
    ]
    match: Match | None
    question: Question | None
    now: Now | None
    paused: bool
    clock: str
    seen: SeenText | SeenOrder | None
    race: Annotated[Race | None, "the race of which `seen` is the order"]
    raced: Annotated[bool, "whether there is a race for /api/slow-motion"]
    slow_motion: Annotated[SlowMotion | None, "what a television shows once more; null after the next answer"]
    doubt: Annotated[Doubt | None, "to be settled before all else"]
    unsaved: Annotated[str, 'why nothing can be written, "" where all is on disk']
    troubles: list[Trouble]
    joining: Annotated[
        list[Claimant] | None, "the phones that ask for seats, null unless players have opened that at the box"
    ]
    hint: Annotated[
        Hint | None, 'what the box would do, "" until it is found; null if it gives no hints; "for": who asked'
    ]
    joined: Annotated[list[OwnName], "the names that phones gave for their buttons: those of the next match"]
    next: Annotated[Seating | None, "the table of the match that a club offers next, null if none"]
    referee: Annotated[bool, "whether a referee's phone is paired; if not, judgements are for the box"]
    card: Annotated[CardWork | None, "null on a box that did not start from a card of Umpi"]
    shelf: Annotated[ShelfWork | None, "null on a box that installs no games"]
    setup: Annotated[list[str], "how to set the game up, as long as no act has been made"]
    calls: Annotated[list[Call], "what the referee says about the last answer, in order"]
    last: Last | None


class State(Shown):
    """What the table shows, with its version."""

    boot: str
    version: Annotated[int, ("minimum", 1)]
    skipped: NotRequired[Annotated[int, "in a stream: the versions that this looker missed"]]


class Entry(TypedDict):
    """An act of the match in play."""

    index: int
    seat: Seat | None
    text: str
    calls: Annotated[list[str], "what the referee says about the act, in order"]
    line: Act
    at_ms: int | None
    who: Acted
    entered: Annotated[bool, "somebody entered it; an undo goes past what the box did by itself"]


Words = TypedDict("Words", {"language": str, "words": Mapping[str, str]})
# Phones


class Person(TypedDict):
    """Whose phone it is."""

    role: Literal["referee", "seat"]
    button: NotRequired[str]
    seat: NotRequired[Seat | None]
    name: NotRequired[str]


Who = Person | None


Me = TypedDict("Me", {"who": Who, "waiting": bool, "claim": str})
Mine = TypedDict("Mine", {"who": Who})
Private = TypedDict(
    "Private",
    {
        "texts": Annotated[list[str], "to be spoken, one after the other"],
        "hand": Annotated[list[str], "the hand alone, to be read"],
    },
)
Nobody = TypedDict("Nobody", {"who": None})
Waiting = TypedDict("Waiting", {"who": None, "waiting": bool})
App = TypedDict("App", {"port": int, "hosts": Sequence[str], "fingerprint": str})
Names = TypedDict("Names", {"names": list[str]})
Done = TypedDict("Done", {"version": Annotated[int, "the first version that shows it"]})


class Amended(TypedDict):
    """What an amendment changes."""

    version: NotRequired[int]
    lost: Annotated[list[Entry], "the later acts that no longer hold"]


Exchanged = TypedDict("Exchanged", {"id": int})
# What can be started


Choice = TypedDict("Choice", {"value": Anything, "label": str})


class GameOption(TypedDict):
    """An option of a game, as a form."""

    name: str
    label: str
    help: str
    experiment: Annotated[bool, "a number of the rules, for play-testing"]
    kind: Literal["pick", "number", "each", "fixed"]
    values: NotRequired[Annotated[list[Choice], "pick: all there are"]]
    low: NotRequired[int]
    high: NotRequired[int]
    null: NotRequired[Annotated[bool, "number: null is a value too"]]
    none: NotRequired[Annotated[str, "number: the label of null"]]
    fields: NotRequired[Annotated[list[Field], "each: a number for each place of the list"]]


class RuleSet(TypedDict):
    """A rule set of a game."""

    name: Annotated[str, 'the name in umpi.toml, "" for the rule sheet']
    label: str
    options: Options


class Usual(TypedDict):
    """The options that the box offers first."""

    rules: Annotated[str | None, "null if no rule set has these options"]
    options: Options


class Game(TypedDict):
    """A game that can be started."""

    game: str
    title: str
    about: Annotated[str, 'its goal in a sentence, from its rules; "" if it has none']
    lesson: Annotated[bool, "it has a lesson"]
    seats: Annotated[list[int], "the possible numbers of players"]
    judged: Annotated[bool, "somebody judges answers, so there may be a moderator"]
    empty_seat: Annotated[str, 'why the box can play no seat, "" if it can']
    chooses_first: Annotated[bool, "false if the game itself decides who starts"]
    rules: list[RuleSet]
    usual: Annotated[Usual, "what the box offers first"]
    options: list[GameOption]


class Games(TypedDict):
    """What can be started."""

    games: list[Game]
    last: Annotated[Seating | None, "the table that plays again, null if there is none"]


# The past


class Move(TypedDict):
    """A position of a past match, and the act that led to it."""

    text: Annotated[str, 'the act, "" at the beginning']
    calls: list[Call]
    turn: Seat | None
    scores: Scores
    facts: Annotated[Mapping[str, Any], "what everybody may see; if not `whole`, only what has changed"]
    whole: Annotated[bool, "the facts are complete"]
    board: NotRequired[Annotated[Board, "left out if it has not changed"]]


Replay = TypedDict("Replay", {"game": str, "players": list[Player], "moves": list[Move]})


class Past(TypedDict):
    """A match of the journal."""

    id: int
    uid: Annotated[str, 'the same on every box, "" in the journal of an old Umpi']
    game: str | None
    title: str | None
    began: str
    players: list[Player]
    ended: Annotated[str | None, "when it was last over, by the clock of the box; null if it is not"]
    rules: Annotated[str, 'the rule set that was chosen, "" for the rule sheet or options of its own']
    over: Over | None
    scores: list[int | None] | None
    winners: list[Seat]
    open: Annotated[bool, "the players have not finished with it"]
    error: Annotated[str, 'where and why it no longer replays, "" where it does']
    progress: NotRequired[
        Annotated[list[list[int]], "the scores after each act that stands; empty while the game hides them"]
    ]
    races: NotRequired[Annotated[list[Race], "the races that stand, oldest first"]]


class Mistake(TypedDict):
    """A choice that was worth less than another."""

    move: Annotated[int, "counted from 1"]
    situation: Annotated[str, 'what the player saw, "" if the rules cannot say it']
    chosen: str
    best: str
    loss: Annotated[str, 'to 0.1, with "±" if it is estimated']


class Step(TypedDict):
    """The sums of a player after one of their decisions, in tenths."""

    move: Annotated[int, "counted from 1"]
    expected: Annotated[int | None, "null if it is known only for the whole match, as luck is then"]
    luck: int | None
    given_away: int


class Share(TypedDict):
    """What a player got: points = expected + luck - given away. The figures are texts, with "±" if estimated."""

    seat: Seat
    points: str
    expected: str
    luck: str
    given_away: str
    decisions: int
    worst: Annotated[list[Mistake], "the three that cost most"]
    mistakes: Annotated[list[Mistake], "all, in the order of the match"]
    course: list[Step]


class Presses(TypedDict):
    """How a player did in races."""

    seat: Seat
    name: str
    points: int
    presses: int
    first: Annotated[int, "how many of them were the first"]
    reaction_ms: Annotated[float | None, "median; null if the record has no times"]
    lead_ms: Annotated[float | None, "median of how long the first presses were before the next one; null if unknown"]


class Review(TypedDict):
    """How much of a match was luck, and which choices cost most."""

    method: Literal["exact", "sampled", "none"]
    measure: Annotated[str, "what is counted"]
    why: Annotated[str, 'what it leaves out, or why nothing is split; "" otherwise']
    shares: list[Share]
    presses: list[Presses]


class Puzzle(TypedDict):
    """A position of an own match in which one choice is clearly best."""

    match: Annotated[str, "the uid of the match"]
    move: Annotated[int, "how many acts came before"]
    title: Annotated[str, "the game, and who is to move"]
    situation: Annotated[str, "what that player sees"]
    options: list[str]


class PuzzleDue(TypedDict):
    """The puzzle that is due."""

    puzzle: Puzzle | None
    why: Annotated[str, 'why there is none, "" if there is one']
    searching: Annotated[bool, "true while matches are searched: `why` says how far that is, so ask again"]


class PuzzleAnswer(TypedDict):
    """An answer to a puzzle."""

    match: Annotated[str, ("maxLength", 64), "the uid of the match"]
    move: Annotated[int, ("minimum", 0), ("maximum", 10**6)]
    choice: Annotated[int, ("minimum", 0), ("maximum", 10**6), "the number of an option, from 0"]


class Verdict(TypedDict):
    """What an answer to a puzzle was worth."""

    right: bool
    best: Annotated[int | None, "the number of the best option, from 0; null if the journal has the puzzle no more"]
    lines: Annotated[list[str], "what was better and by how much, and when the puzzle comes again"]


ResultPlayer = TypedDict("ResultPlayer", {"seat": int, "name": str, "button": int})


class Result(TypedDict):
    """A match for other programs, signed by its box."""

    box: Annotated[str, "the id of the box"]
    uid: Annotated[str, "the same on every box"]
    match: Annotated[int, "its number on this box"]
    revision: Annotated[int, "grows whenever the match or its names change"]
    chain: Annotated[
        str, "for each line of its record SHA-256 of the chain before it and the line, in hexadecimal digits"
    ]
    game: str
    title: str
    rules: str
    began: str
    ended: str | None
    over: bool
    players: list[ResultPlayer]
    scores: Annotated[list[int], "by seat; empty if it is not over"]
    places: Annotated[list[int], "by seat, empty if it is not over; if all have lost, each is 2"]
    winners: Annotated[list[int], "empty if it is not over, or if all have lost"]
    error: Annotated[str, 'why it cannot be read, "" if it can']
    key: Annotated[str, 'the public key of the box (Ed25519), in hexadecimal digits; "" if it is not signed']
    signature: Annotated[
        str, 'over "umpi-result", a line feed and this object without "signature": keys sorted, no spaces, ASCII only'
    ]


class Figures(TypedDict):
    """What one player has played and won."""

    name: str
    matches: int
    won: int
    shared: Annotated[int, "first places shared with others; these are not among those won"]
    mean: float | None
    best: Annotated[int | None, "null where it cannot be told whether the most or the fewest points win"]


class Pair(TypedDict):
    """Two players against each other."""

    names: list[str]
    ahead: Annotated[list[int], "how often each of them was placed ahead of the other"]
    level: int


RulesPlayed = TypedDict("RulesPlayed", {"name": str, "matches": int})


class Tally(TypedDict):
    """The statistics of one game, or of all."""

    game: Annotated[str | None, "null: all games; means and best scores are null there"]
    title: str | None
    matches: int
    open: Annotated[int, "not over: they count nowhere else"]
    players: list[Figures]
    pairs: list[Pair]
    rules: Annotated[list[RulesPlayed], "matches by a named rule set"]


Unread = TypedDict("Unread", {"match": int, "why": str})


class Stats(TypedDict):
    """Who has played and won how much."""

    tallies: list[Tally]
    unread: Annotated[list[Unread], "matches whose end cannot be read"]


# Rules and lessons


Title = TypedDict("Title", {"game": str, "title": str})


class ExampleStep(TypedDict):
    """A position of an example."""

    act: Annotated[str, 'the act that led to the position, "" at the beginning']
    calls: list[str]
    notes: list[str]
    turn: Seat | None
    scores: list[int]
    beside: list[str]
    head: str
    rows: list[list[str]]
    facts: Annotated[Mapping[str, Any], "what everybody may see of the position, by the game"]
    board: Board


class Block(TypedDict):
    """A part of a section."""

    kind: Literal["paragraph", "list", "table", "example"]
    text: NotRequired[str]
    items: NotRequired[list[str]]
    numbered: NotRequired[bool]
    head: NotRequired[list[str]]
    rows: NotRequired[list[list[str]]]
    name: NotRequired[str]
    title: NotRequired[str]
    players: NotRequired[list[str]]
    steps: NotRequired[Annotated[list[ExampleStep], "example: its positions, the first before any act"]]
    error: NotRequired[Annotated[str, 'example: why it cannot be shown, "" if it can']]


Section = TypedDict("Section", {"title": str, "blocks": list[Block]})


class Rules(TypedDict):
    """The rules of a game."""

    game: str
    title: str
    language: str
    sections: list[Section]
    missing: Annotated[str, 'that these are the English rules for want of others, "" if not']


class LessonStep(TypedDict):
    """A step of a lesson: a position with a comment, and what follows."""

    number: Annotated[int, "of the comment, from 1"]
    text: Annotated[str, "the comment"]
    match: Match
    question: Annotated[Question | None, "what the learner is asked; null if they only watch"]
    now: Now | None
    verb: Annotated[str, 'the act with which the learner answers, "" if they only watch']
    expected: Annotated[str, "the acts of the lesson, in words"]
    calls: Annotated[list[Call], "what the referee says after the acts"]


class Lesson(TypedDict):
    """A lesson with all its steps."""

    game: str
    title: str
    players: list[Player]
    comments: Annotated[int, "how many the lesson has"]
    steps: list[LessonStep]
    end: Annotated[Match, "the position after the last step"]


class LessonForm(Form):
    """The fields after some answers, and how the lesson judges them."""

    hint: Annotated[str, 'what the lesson has here if these answers are not those of the lesson, "" if they are']


# The box


Box = TypedDict("Box", {"id": str, "name": str, "version": str, "api": int, "boot": str})
Health = TypedDict("Health", {"ok": bool, "unsaved": str, "errors": Mapping[str, str]})
# What phones send

Meant = Annotated[str, "the id of the question that is meant"]
MatchId = Annotated[int, "the id of a match"]
Time = Annotated[int, ("minimum", 0), ("exclusiveMaximum", LAST_US)]
Run = Annotated[
    str,
    ("minLength", 1),
    ("maxLength", LONGEST_RUN),
    "a name for the time in which the clock of this phone has not stopped; another after a sleep",
]


class Nothing(TypedDict):
    """No keys."""


OneQuestion = TypedDict("OneQuestion", {"question": Meant})
Answers = TypedDict("Answers", {"question": Meant, "verb": str, "given": Mapping[str, Any]})


class Stamp(TypedDict):
    """When a player pressed."""

    run: Run
    at_us: Annotated[Time, "when the player pressed, on the clock of this phone"]


OneAct = TypedDict("OneAct", {"question": Meant, "act": Act, "stamp": NotRequired[Stamp]})


class Exchange(TypedDict):
    """An exchange of times."""

    run: Run
    step_us: Annotated[int, ("minimum", 1), ("maximum", COARSEST_US)]
    sent_us: Annotated[Time, "the clock of this phone before it sends this"]
    last: Annotated[int, "the id in the last reply, 0 if there was none in this run"]
    back_us: Annotated[Time, "the clock of this phone when the last reply had arrived"]


Undo = TypedDict(
    "Undo", {"question": Meant, "count": NotRequired[Annotated[int, "so many acts; without it, the last answer"]]}
)
Amend = TypedDict("Amend", {"question": Meant, "index": int, "act": Act, "try": bool})


class Settling(TypedDict):
    """What settles a doubt."""

    question: Meant
    how: Literal["toss again", "order by hand", "accept"]
    doubt: NotRequired[Annotated[str, "its text, so that this settles no other doubt"]]


Code = TypedDict("Code", {"code": str})


class Join(TypedDict):
    """What a phone asks for."""

    button: Colour
    name: Annotated[str, "that of the player who has joined there for a second phone"]
    instead: NotRequired[Annotated[bool, "play instead of the player who has joined there"]]


Open = TypedDict("Open", {"open": bool})
OneTask = TypedDict("OneTask", {"task": CardTask})


class OneShelfTask(TypedDict):
    """A task of the shelves, with the address of a shelf and the id of a game if it needs them."""

    task: ShelfTask
    shelf: NotRequired[str]
    game: NotRequired[str]


Admission = TypedDict("Admission", {"claim": str, "admit": bool})
PlayerName = TypedDict("PlayerName", {"name": str})


class Occupant(TypedDict):
    """Who plays a seat from now on: the box, or without a level a person."""

    seat: Seat
    level: NotRequired[Level]
    name: NotRequired[Annotated[str, ("maxLength", 24), "of the player; without it a name that is free"]]


class StartPlayer(TypedDict):
    """A player of a new match."""

    button: Colour
    name: Annotated[str, ("maxLength", 24), 'of the player, "" for the colour of the button']
    level: NotRequired[Annotated[Level, "the box plays here, so well"]]


class Start(TypedDict):
    """The table of a new match."""

    game: Annotated[str, "the id of a game in /api/games"]
    players: Annotated[tuple[StartPlayer, ...], "the box seats them clockwise, by their buttons from the left"]
    first: NotRequired[Annotated[Colour, "who starts; without it the leftmost"]]
    rules: NotRequired[Annotated[str, 'a rule set, "" for the rule sheet; without it what the box offers first']]
    options: NotRequired[Annotated[Options, "change these rules, option by option"]]
    moderator: NotRequired[
        Annotated[str, ("maxLength", 24), 'who judges the answers and does not play; "" or left out: nobody']
    ]


Offer = TypedDict("Offer", {"offer": Mapping[str, Any]})
OneMatch = TypedDict("OneMatch", {"match": MatchId})
COMPONENTS: Mapping[Any, str] = {
    Error: "Error", Done: "Done", Who: "Who", Entry: "Entry", Player: "Player", Over: "Over", Acted: "Acted",
    Past: "Past", Result: "Result", Stats: "Stats", Rules: "Rules", Lesson: "Lesson", Games: "Games", Field: "Field",
    Option: "Option", Ask: "Ask", State: "State", Call: "Call",
}  # fmt: skip
