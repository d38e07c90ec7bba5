"""The written positions of Creature Crush: a row for each member.

What is left out is unknown, never empty, unless its description names a default (KERNEL-POSITION-1).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import DecodeError
from referee.engine.positions.form import index_display_names
from referee.engine.positions.piles import decode_emptied_places
from referee.engine.positions.questions import Agenda
from referee.engine.positions.rows import BySeat, Field, Group, Position, Row, Zone
from referee.engine.positions.shapes import (
    FLAG,
    Member,
    Shape,
    choice_shape,
    list_shape,
    members_schema,
    number_shape,
    open_cards_shape,
    optional_shape,
    pile_shape,
    settings_shape,
    word_shape,
)
from referee.engine.positions.table import Positions, PositionTable
from referee.engine.rulebook.book import read_yaml
from referee.engine.rulings import MalformedInput
from referee.games.creature_crush.components import (
    BOOK,
    BOXES,
    DECK_SIZE,
    DECKS,
    DRAFTS,
    EDITION,
    FLIPPED,
    HANDS,
    HELLS,
    MOST_START_DICE,
    POOL,
    SEAT_BY_PLACE,
    SEATS,
    SOUGHT,
    VARIANTS,
    Rules,
)
from referee.games.creature_crush.events.course import END_CLAUSES
from referee.games.creature_crush.positions.board import (
    MANY,
    build_board_shape,
    find_board,
    find_unpaid_errors,
    read_boards,
)
from referee.games.creature_crush.positions.census import build_census
from referee.games.creature_crush.positions.contradictions import DRAFT_ROUNDS, find_faults
from referee.games.creature_crush.positions.names import CardNames, load_card_names
from referee.games.creature_crush.positions.questions.rows import (
    BEFORE_THE_FIRST_TURN,
    KNOWN,
    LINE,
    NAME,
    PIPS,
    SEAT,
    SECRET,
    TEXT,
    build_agenda,
)
from referee.games.creature_crush.positions.references import (
    check_delayed_effects,
    check_steps,
    find_flipped_cards,
    find_member_errors,
)
from referee.games.creature_crush.positions.texts import decode_delayed, encode_delayed
from referee.games.creature_crush.settings import SETTINGS
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NEXT_TURN, NOBODY, TURN_ENDS

UNKNOWN, UNKNOWN_CARDS, MANY_TURNS = None, (UNCOUNTED_CARDS,), number_shape(0, 100_000)
AGREED, SOURCE = settings_shape(SETTINGS), word_shape({"server": False, "table": True})
DELAYED = Shape(members_schema("Lines of a card text that come later.", (
    Member("when", choice_shape(TURN_ENDS, NEXT_TURN), "As this turn ends, or as the player's next one begins.", True),
    Member("card", NAME, "The card.", True),
    Member("part", TEXT, "Which of its texts.", True),
    Member("by", SEAT, "The player for whom they are carried out.", True),
    Member("line", LINE, "The first of these lines.", True),
    KNOWN,
    SECRET,
)), decode_delayed, encode_delayed)  # fmt: skip
ALL_PLACES = {POOL, *SEAT_BY_PLACE, *DECKS, *HANDS, *HELLS, *DRAFTS, *SOUGHT, *FLIPPED}

# ---- what follows from the rest of a position ------------------------------------------------------------------------


def infer_turn(p: Position) -> int:
    """Infer whose turn it is: the seat that is asked. Raises DecodeError."""
    question = p.written.get("question") or {}
    if question.get("asks") in BEFORE_THE_FIRST_TURN:
        return NOBODY
    if question.get("asks") not in ("combat", "tactic") or "seat" not in question:
        raise DecodeError("/turn", "is missing, and the rest does not show whose turn it is")
    return int(question["seat"])


def infer_opener(p: Position) -> int:
    """Infer who played the first turn: seat 0, or by the number of turns."""
    if p["turn"] == NOBODY or "turns" not in p.written:
        return NOBODY if p["turn"] == NOBODY else 0
    return int(p["turn"]) if p["turns"] % 2 else 1 - p["turn"]


def infer_turns(p: Position) -> int:
    """Infer how many turns have begun: some, by the seat whose turn it is."""
    if p["turn"] == NOBODY:
        return 0
    return 3 if p["turn"] == p["opener"] else 4


def infer_phase(p: Position) -> str:
    """Infer the phase of the turn from the question."""
    question = p.written.get("question", {})
    if p["turn"] == NOBODY or question is None:
        return ""
    return "tactic" if question.get("asks") == "tactic" else "combat"


# ---- the table -------------------------------------------------------------------------------------------------------


def build_player_rows(names: CardNames, variant: str) -> tuple[Field, ...]:
    """Return the rows of a player."""
    every, most = names.list_names(), names.card_count
    pile = names.name_cards(pile_shape(every, most))
    hell = names.name_cards(open_cards_shape({"enum": every}, most))
    own = {
        "arena": (
            Field(
                "draft", pile, Zone(DRAFTS.__getitem__), (),
                "The cards to choose from in the draft; none if left out.", usual=(),
            ),
        ),
        "league": (
            Field(
                "list", list_shape(names.build_deck_card_shape(), 0, DECK_SIZE, distinct=True), BySeat("lists"),
                UNKNOWN, "The deck list; if left out, none was given.", assumed=True,
            ),
        ),
    }  # fmt: skip
    return (
        Field("deck", pile, Zone(DECKS.__getitem__), UNKNOWN_CARDS, "The deck, from the top down."),
        Field("hand", pile, Zone(HANDS.__getitem__), UNKNOWN_CARDS, "The hand."),
        Field("hell", hell, Zone(HELLS.__getitem__), UNKNOWN_CARDS, "The face-up discard pile, from the bottom up."),
        Field(
            "board", build_board_shape(names), find_board, UNKNOWN,
            "The player's board, by place; a place that is not listed is empty.", needed=True,
        ),
        Field(
            "extra_dice", number_shape(-MANY, MANY), "extra", 0,
            "Additional start dice for the next turn, below 0 if it has fewer; none if left out.", usual=0,
        ),
        Field(
            "next_crush", number_shape(-MANY, MANY), find_crush_change, 0,
            "How many dice more the next crush card costs that is laid, below 0 if fewer; none if left out.", usual=0,
        ),
        *own.get(variant, ()),
        Field(
            "sought", pile, Zone(SOUGHT.__getitem__), (),
            "The deck while its player searches it; empty if left out.", usual=(),
        ),
        Field(
            "flipped", list_shape(names.build_card_shape("crush")), Zone(FLIPPED.__getitem__), UNKNOWN,
            "Crush cards turned up whose effect is still to come; if left out, those that the question names.",
            usual=lambda table, seat: find_flipped_cards(table.agenda, seat), assumed=True,
        ),
    )  # fmt: skip


def find_crush_change(table: Table, seat: int) -> int:
    """Return how many dice more a player's next crush card costs."""
    return table.crush_change_of(seat)


def build_rows(names: CardNames, agenda: Agenda, variant: str) -> tuple[Row, ...]:
    """Return the rows of a format: name, shape, place, default, description."""
    pool = names.name_cards(pile_shape(names.list_names(), names.card_count))
    drafted = Field(
        "drafted", number_shape(0, DRAFT_ROUNDS), "drafted", 0,
        "The number of draft rounds that are over; 0 if left out.", usual=0,
    )  # fmt: skip
    return (
        Field(
            "variant", Shape({"const": variant}), "rules.variant", variant, "The format; Skirmish if left out.",
            needed=variant != VARIANTS[0], assumed=True,
        ),
        Field(
            "edition", NAME, "rules.edition", EDITION, "The edition of the cards; the game's own if left out.",
            usual=EDITION,
        ),
        Field(
            "settings", AGREED, lambda table: {name: getattr(table.rules, name) for name in SETTINGS["properties"]},
            lambda p: AGREED.read({}, p), "The settings of the match; each has its default if left out.", assumed=True,
        ),
        Field(
            "cards", SOURCE, "rules.cards_at_table", False, "The source of cards; the server if left out.",
            assumed=True,
        ),
        Field(
            "dice", SOURCE, "rules.dice_at_table", False, "The source of dice; the server if left out.",
            assumed=True,
        ),
        Field(
            "named", list_shape(SEAT, 0, 2, distinct=True), "rules.named", (),
            "Seats whose cards are named to the referee at a real table.", usual=(),
        ),
        Field("pool", pool, Zone(POOL), UNKNOWN_CARDS, "All cards that are not in a deck, from the top down."),
        Group(
            "seats", "The two players; the first is seat 0.", build_player_rows(names, variant), lambda _: len(SEATS),
            2, 2, "The cards and dice of a player.", needed=True,
        ),
        Field(
            "turn", optional_shape(SEAT), "turn", infer_turn,
            "Whose turn it is; null during the preparation. If left out, the seat asked, in a question of the combat "
            "or tactic phase.",
        ),
        Field(
            "opener", SEAT, "opener", infer_opener,
            "Who played the first turn; if left out, it follows from `turns`, or else is seat 0.", usual=NOBODY,
            assumed=True,
        ),
        Field(
            "turns", MANY_TURNS, "turns", infer_turns,
            "The number of turns that have begun; if left out, 3 in a turn of the opener, else 4.", assumed=True,
        ),
        Field(
            "phase", choice_shape("start", "combat", "tactic", ""), "phase", infer_phase,
            "The phase of the turn; empty between two turns. If left out, tactic for a question of the tactic phase, "
            "otherwise combat.", usual=lambda table: "" if table.turn == NOBODY else None, assumed=False,
        ),
        Field(
            "start_dice", list_shape(PIPS, 0, MOST_START_DICE), "dice", (),
            "The start dice that are not burned; none if left out.", usual=(), assumed=False,
        ),
        Field(
            "burned", number_shape(0, MOST_START_DICE), "burned", 0,
            "The number of start dice burned in this turn; 0 if left out.", usual=0, assumed=False,
        ),
        Field(
            "entered", list_shape(choice_shape(*names.list_names("creature")), distinct=True), "entered", (),
            "The creatures that have entered a field in this turn, in this order; none if left out.", usual=(),
            assumed=False,
        ),
        Field(
            "taken", list_shape(choice_shape(*names.list_names("creature")), distinct=True), "taken", (),
            "Of these, those whose control was taken, where Lively counts for summoned ones only; none if left out.",
            usual=(),
        ),
        Field(
            "borrowed", list_shape(choice_shape(*names.list_names("creature")), distinct=True), "borrowed", (),
            "The creatures that lie on the field of the player from whose deck they do not come, where control lasts "
            "on the field only (CC-AMB-3-R2); none if left out.",
            usual=(),
        ),
        Field(
            "later", list_shape(DELAYED), "later", (),
            "What texts have put off to the end of the turn or to a player's next one; nothing if left out.",
            usual=(),
        ),
        Field(
            "quiet", MANY_TURNS, "quiet", 0, "The number of turns in a row without any change; 0 if left out.", usual=0
        ),
        Field(
            "stirred", FLAG, "stirred", False, "Whether anything has changed in this turn; false if left out.",
            usual=False,
        ),
        *((drafted,) if variant == "arena" else ()),
        Field(
            "offered", SEAT, "offered", NOBODY, "Who has offered a draw in this turn; nobody if left out.",
            usual=NOBODY,
        ),
        Field("winner", SEAT, "winner", NOBODY, "Who has won; nobody if left out.", usual=NOBODY),
        Field("way", choice_shape(*END_CLAUSES), "way", "", "How the match ended.", usual=""),
        *agenda.build_rows(
            "The open question; null if the match is over. If left out, an action of the combat phase.",
            "The steps beneath the question, nearest first; if left out, only the turn.",
        ),
        Field(
            "emptied", list_shape(NAME), find_emptied_places, (),
            "Places that have become empty during play. Only the referee writes this.", usual=(),
        ),
    )  # fmt: skip


def find_emptied_places(table: Table) -> tuple[str, ...]:
    """Return the places that have become empty."""
    return tuple(sorted(place for place, cards in table.zones.items() if not cards))


def build_state(p: Position, names: CardNames, agenda: Agenda) -> Table:
    """Return the table that a position describes, with any contradictions.

    Raises DecodeError or MalformedInput.
    """
    found, boards = p.read_fields(), read_boards(p)
    turned_up = {place: found["zones"].pop(place, None) for place in FLIPPED}
    zones = {place: cards for place, cards in (boards.pop("zones") | found["zones"]).items() if cards}
    found |= boards | {
        "zones": zones,
        "rules": Rules(**found["rules"], **p["settings"]),
        "dice": tuple(sorted(found["dice"])),
        "entered": tuple(names.find_meant_card(card, zones) for card in found["entered"]),
        "taken": tuple(names.find_meant_card(card, zones) for card in found["taken"]),
        "borrowed": tuple(names.find_meant_card(card, zones) for card in found["borrowed"]),
    }
    changes = {str(seat): player["next_crush"] for seat, player in enumerate(p["seats"]) if player["next_crush"]}
    table = Table(**found, next_crush=changes)
    check_delayed_effects(table)
    asked = p.written.get("question", {"asks": "combat"})
    if asked and "type" not in asked:
        asked = names.resolve_question_names(asked, zones, max(table.turn, 0))
    steps = agenda.read({**p.written, "question": asked}, table)
    check_steps(steps, len(p.written.get("pending_steps", ())), table)
    # CC-CRUSH-3: When its effect has been handled, a flipped crush card goes to its player's hell.
    flipped = {
        place: find_flipped_cards(steps, seat) if turned_up[place] is None else turned_up[place]
        for seat, place in enumerate(FLIPPED)
    }
    zones = zones | {place: cards for place, cards in flipped.items() if cards}
    gone, errors = decode_emptied_places(p["emptied"], zones, ALL_PLACES)
    if errors:
        raise MalformedInput(errors)
    return replace(table, agenda=steps, zones=zones | gone)


@cache
def build_table(variant: str, edition: str) -> PositionTable[Table]:
    """Return the table of the positions of a format with the cards of an edition."""
    names = load_card_names(variant, edition)
    agenda = build_agenda(names, variant)
    return PositionTable(
        f"Creature Crush, position ({variant})",
        "A member that is left out is unknown, never empty, unless its description names a default.",
        build_rows(names, agenda, variant),
        lambda p: build_state(p, names, agenda),
        lambda table, _: find_faults(table),
        (find_member_errors, find_unpaid_errors),
        names=index_display_names(BOOK.names),
    )


EXAMPLES: dict[str, list[dict[str, Any]]] = read_yaml(Path(__file__).parent / "examples.yaml")


def build_examples(variant: str) -> list[dict[str, Any]]:
    """Return a position for every question of a format."""
    named = {} if variant == VARIANTS[0] else {"variant": variant}
    return [{**named, **each} for each in (*EXAMPLES["all"], *EXAMPLES.get(variant, ()))]


POSITIONS = Positions(
    build_table,
    lambda table: (table.rules.variant, table.rules.edition),
    build_examples,
    lambda table, _: build_census(table),
    VARIANTS,
    BOXES,
    EDITION,
)
