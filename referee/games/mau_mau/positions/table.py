"""The written positions of Mau-Mau: a row for each member, and the questions.

What is left out is unknown, never empty (KERNEL-POSITION-1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError
from referee.engine.positions.contradictions import Contradiction, find_wrong
from referee.engine.positions.form import find_named_errors, index_display_names
from referee.engine.positions.questions import Agenda, Question, Steps
from referee.engine.positions.rows import Field, Group, Position, Zone
from referee.engine.positions.shapes import (
    FLAG,
    Member,
    choice_shape,
    list_shape,
    number_shape,
    optional_shape,
    pile_shape,
    seat_shape,
    settings_shape,
    word_shape,
)
from referee.engine.positions.table import Positions, PositionTable
from referee.engine.rulebook.book import read_yaml
from referee.games.mau_mau.components import (
    BOOK,
    CARD_IDS,
    DECK,
    DISCARD,
    FIRST_HAND_SIZE,
    HANDS,
    MAX_SEATS,
    MAX_TURNS,
    SETTINGS,
    SUITS,
    Rules,
)
from referee.games.mau_mau.positions.census import find_faults, take_census
from referee.games.mau_mau.rules.drawing import DRAWING_CLAUSES, CardDrawing, FirstCard
from referee.games.mau_mau.rules.turn import SuitWish, TurnQuestion, TurnStart
from referee.games.mau_mau.state import SOME, Table

UNKNOWN, UNKNOWN_CARDS = None, (SOME,)
AGREED = settings_shape(SETTINGS)
COUNT = number_shape(0, len(CARD_IDS))
PILE = pile_shape(CARD_IDS, len(CARD_IDS))
SEAT = seat_shape(MAX_SEATS)
WHOSE = Member("seat", SEAT, "Whose it is.", needed=True)
QUESTIONS = (  # name, step, description, members
    Question("turn", TurnQuestion, "Play or draw; after drawing, play or pass.", (
        WHOSE, Member("drew", FLAG, "Whether a card was drawn in this turn; false if left out.", usual=False),
    )),
    Question("wish", SuitWish, "The player of a jack wishes a suit.", (WHOSE,)),
    Question("draw", CardDrawing, "Cards are drawn.", (
        WHOSE,
        Member("count", number_shape(1, len(CARD_IDS)), "How many.", needed=True),
        Member("why", choice_shape(*DRAWING_CLAUSES), "Why.", needed=True),
    )),
    Question("first_card", FirstCard, "The first card is turned up."),
    Question("shuffle", Shuffle, "The draw pile is shuffled.", fixed={"where": DECK}),
)  # fmt: skip
WAITING_STEPS = (Question("turn_begins", TurnStart, "A turn is about to begin.", (WHOSE,)),)


def find_steps_beneath(table: Table, steps: Steps) -> Steps:
    """Return the steps that usually wait beneath a question.

    Raises DecodeError beneath a shuffle in the middle of a match: it interrupts a draw that only the position can name.

    MM-SETUP-1: The cards are shuffled, and everybody is dealt five.
    MM-SETUP-2: The next card is turned up and starts the discard pile.
    MM-DRAW-2: After drawing, the player may play a card or pass.
    MM-AMB-4: The dealer sits on the last seat, so seat 0 begins.
    MM-AMB-7: Drawing for sevens is the whole turn.
    """
    match steps[0]:
        case CardDrawing(seat=seat, why="turn"):
            return (TurnQuestion(seat, drew=True),)
        case CardDrawing(seat=seat, why="sevens"):
            return (TurnStart(table.seat_after(seat)),)
        case CardDrawing(seat=seat, why="deal"):
            return list_steps_after_deal(table, seat)
        case FirstCard():
            return (TurnStart(0),)
        case Shuffle() if table.cards_at(DISCARD):
            raise DecodeError("/pending", "is missing: a shuffle interrupts a draw, so say whose, and what follows")
        case Shuffle():
            return list_steps_after_deal(table, -1)
    return ()


def list_steps_after_deal(table: Table, seat: int) -> Steps:
    """Return the steps that wait beneath the deal of a seat; -1: beneath all."""
    others = range(table.rules.seats - 1, seat, -1)
    return (TurnStart(0), FirstCard(), *(CardDrawing(other, FIRST_HAND_SIZE, "deal") for other in others))


def find_waiting_faults(table: Table) -> Iterator[Contradiction]:
    """Find steps that cannot wait beneath the open question.

    MM-TURN-1: The turn passes on from seat to seat.
    MM-DRAW-3: A shuffle in the middle of a match interrupts a draw.
    """
    *beneath, top = table.agenda or (None,)
    if top is None or isinstance(top, TurnStart):
        return
    if isinstance(top, Shuffle) and beneath and isinstance(beneath[-1], CardDrawing) and beneath[-1].why != "deal":
        *beneath, top = beneath
    try:
        usual = find_steps_beneath(table, (top,))
    except DecodeError:
        usual = ()
    clause = "MM-SETUP-2" if isinstance(top, FirstCard | Shuffle) else "MM-TURN-1"
    lies_wrong = tuple(beneath) != usual or (isinstance(top, Shuffle) and not usual)
    yield from find_wrong((lies_wrong, "/pending", clause, "other steps wait here: leave this out, or list those"))


AGENDA = Agenda(QUESTIONS, find_steps_beneath, waiting_steps=WAITING_STEPS, stores_steps=False, pending="pending")
PLAYER = (Field("hand", PILE, Zone(HANDS.__getitem__), UNKNOWN_CARDS, "The hand."),)
ROWS = (  # name, shape, where it stands on the table, what it means if left out, description
    Field(
        "settings", AGREED, lambda table: {name: getattr(table.rules, name) for name in SETTINGS["properties"]},
        lambda p: AGREED.read({}, p), "The settings of the match; each has its default if left out.", assumed=True,
    ),
    Field("cards", word_shape({"server": False, "table": True}), "rules.at_table", False, "Who deals.", assumed=True),
    Field(
        "named", list_shape(SEAT, distinct=True), "rules.named", (),
        "Seats whose hands are named to the referee at a real table.", assumed=True,
    ),
    Group(
        "players", "The players in the order of their seats; the first is seat 0.", PLAYER,
        lambda table: table.rules.seats, 2, MAX_SEATS, needed=True,
    ),
    Field("draw_pile", PILE, Zone(DECK), UNKNOWN_CARDS, "The draw pile."),
    Field("discard", PILE, Zone(DISCARD), UNKNOWN_CARDS, "The discard pile."),
    Field("due", COUNT, "due", UNKNOWN, "How many cards the sevens on top ask for."),
    Field("wish", optional_shape(choice_shape(*SUITS), ""), "wish", UNKNOWN, "The suit wished; null for none."),
    Field(
        "turns", number_shape(0, MAX_TURNS), "turns", 0, "The number of turns so far; 0 if not counted.",
        assumed=True,
    ),
    *AGENDA.build_rows(
        "The open question; null if the match is over.",
        "The steps beneath it, nearest first; if left out, the usual ones.",
    ),
)  # fmt: skip


def build_state(p: Position) -> Table:
    """Return the table that a position describes, with any contradictions."""
    rules = Rules(len(p["players"]), at_table=p["cards"], named=p["named"], **p["settings"])
    table = Table(**p.read_fields() | {"rules": rules})
    return replace(table, agenda=AGENDA.read(p.written, table))


TABLE = PositionTable(
    "Mau-Mau, position",
    "A member that is left out is unknown, never empty. Piles are listed from the top down.",
    ROWS,
    build_state,
    lambda table, _: [*find_faults(table), *find_waiting_faults(table)],
    (lambda p: find_named_errors(p["named"], p["cards"]),),
    names=index_display_names(BOOK.names),
)
EXAMPLES: list[dict[str, Any]] = read_yaml(Path(__file__).parent / "examples.yaml")
POSITIONS = Positions(
    lambda _variant, _edition: TABLE, lambda _table: ("standard", ""), lambda _variant: EXAMPLES, take_census
)
