"""The written positions of Here to Slay: a row for each member.

KERNEL-POSITION-1: What a written position leaves out is unknown, not empty. A ruling that needs it stays undecided and
    asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from referee.cardscript.positions.delayed import build_delayed_shape
from referee.cardscript.positions.editions import expand_card_names
from referee.engine.positions.form import SchemaError, build_error, find_named_errors, index_display_names
from referee.engine.positions.piles import decode_emptied_places, encode_pile
from referee.engine.positions.rows import Field, Group, Position, Row, Zone
from referee.engine.positions.schema import BACK, EMPTIED_SCHEMA
from referee.engine.positions.shapes import (
    FLAG,
    OMITTED,
    Member,
    Shape,
    choice_shape,
    list_shape,
    number_shape,
    optional_shape,
    record_shape,
    settings_shape,
    word_shape,
)
from referee.engine.positions.table import Positions, PositionTable
from referee.engine.rulebook.book import read_yaml
from referee.engine.rulebook.editions import strip_edition
from referee.engine.rulings import MalformedInput
from referee.engine.zones import Cards
from referee.games.here_to_slay.components import (
    BOOK,
    BOXED,
    BOXES,
    DECK,
    DISCARD,
    FACES,
    HANDS,
    LEADER,
    LEADERS,
    MONSTERS,
    PARTIES,
    PENDING,
    PRINTED,
    ROW,
    SEATS,
    SLAIN,
    Rules,
)
from referee.games.here_to_slay.positions.census import take_census
from referee.games.here_to_slay.positions.contradictions import find_faults
from referee.games.here_to_slay.positions.parties import UNKNOWN_PARTY, PartyField, build_party_shape
from referee.games.here_to_slay.positions.questions import UndeterminedQuestion, build_agenda
from referee.games.here_to_slay.positions.references import check_delayed_texts, check_steps, collect_pending_cards
from referee.games.here_to_slay.positions.shapes import DISTINCT_SEATS, NAME, SEAT, UNKNOWN_CARDS, CardShapes
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.state import NOBODY, Table, item_place_of
from referee.games.here_to_slay.values import MOST_POINTS, LastingEffect

UNKNOWN = None
SETUP_QUESTIONS = ("pick_leader", "first_pick")
AGREED, SOURCE = settings_shape(SETTINGS), word_shape({"server": False, "table": True})


# ---- single members --------------------------------------------------------------------------------------------------


def write_leader(leader: Cards) -> Any:
    """Return a leader as a position writes it."""
    return OMITTED if leader == UNKNOWN_CARDS else leader[0] if leader else None


def find_settings(table: Table) -> dict[str, Any]:
    """Return the settings of a table."""
    return {name: getattr(table.rules, name) for name in SETTINGS["properties"]}


def infer_turn(p: Position) -> int | None:
    """Infer whose turn it is: nobody's while leaders are picked, else unknown."""
    return NOBODY if (p.written.get("question") or {}).get("asks") in SETUP_QUESTIONS else UNKNOWN


def infer_pending_cards(table: Table) -> Cards:
    """Infer the cards being played from the pending steps.

    HTS-ZONE-5: A card that is being played is pending: face up, out of the hand and not yet on any pile, so nobody can
        pull it, search for it or shuffle it in.
    """
    if any(isinstance(step, UndeterminedQuestion) and step.said for step in table.agenda):
        return UNKNOWN_CARDS
    return collect_pending_cards(table.agenda)


def write_pending_cards(cards: Cards) -> Any:
    """Return the cards being played as a position writes them."""
    return {"more": True} if cards == UNKNOWN_CARDS else encode_pile(cards, False)


def find_emptied(table: Table) -> tuple[str, ...]:
    """Return the places that have become empty during play."""
    return tuple(sorted(place for place, cards in table.zones.items() if not cards))


# ---- the rows --------------------------------------------------------------------------------------------------------


def build_player_fields(cards: CardShapes) -> tuple[Field, ...]:
    """Return the rows of each seat."""
    leader = Shape(
        {"anyOf": [{"enum": [*cards.boxes.leaders]}, {"type": "null"}]},
        lambda written, _: (written,) if written else (),
        write_leader,
    )
    return (
        Field("hand", cards.pile(cards.boxes.main), Zone(HANDS.__getitem__), UNKNOWN_CARDS, "The hand."),
        Field(
            "slain", cards.monsters, Zone(SLAIN.__getitem__), UNKNOWN_CARDS, "The monsters that the player has slain."
        ),
        Field("leader", leader, Zone(LEADER.__getitem__), UNKNOWN_CARDS, "The leader; null for none."),
        PartyField(
            "party", build_party_shape(cards), Zone(PARTIES.__getitem__), UNKNOWN_PARTY, "The heroes of the party."
        ),
    )  # fmt: skip


def build_rows(edition: str) -> tuple[Row, ...]:
    """Return the rows of positions with the cards of an edition."""
    cards = CardShapes(edition)
    main, monsters = cards.pile(cards.boxes.main), cards.pile(cards.boxes.monsters)
    leaders, box = cards.open_cards(*cards.boxes.leaders), cards.open_cards(*cards.boxes.all_cards, BACK)
    pending = replace(cards.open_cards(*cards.boxes.main, BACK), write=write_pending_cards)
    lasting = record_shape(
        LastingEffect,
        Member("source", cards.any, "The card it comes from.", needed=True),
        Member("seat", SEAT, "The player whom it helps.", needed=True),
        Member(
            "what",
            choice_shape(
                "roll_bonus", "no_challenge", "no_destroy", "no_steal", "no_attack", "no_challenging", "no_modifying"
            ),
            "What it gives, or keeps the player from.",
            needed=True,
        ),
        Member(
            "until",
            choice_shape("own_turn_end", "own_turn_start", "next_roll", "my_turn_start"),
            "When it ends.",
            needed=True,
        ),
        Member("value", number_shape(-12, 12), "For roll_bonus: the value added."),
        Member("of", list_shape(SEAT, 0, 1), "For my_turn_start: the player whose turn it is.", usual=()),
        says="An effect that lasts for a while.",
    )
    return (  # name, shape, where it stands on the table, what it means if left out, description
        Field(
            "edition", Shape({"type": "string"}), "rules.edition", PRINTED,
            "The edition of the cards; the printed one if left out.", usual=PRINTED,
        ),
        Field(
            "settings", AGREED, find_settings, lambda p: AGREED.read({}, p),
            "The settings of the match; each has its default if left out.", assumed=True,
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
            "named", DISTINCT_SEATS, "rules.named", (),
            "Seats whose cards are named to the referee at a real table.", usual=(),
        ),
        Field("row", cards.monsters, Zone(ROW), UNKNOWN_CARDS, "The face-up monsters."),
        Field("monsters", monsters, Zone(MONSTERS), UNKNOWN_CARDS, "The monster deck, from the top down."),
        Field("deck", main, Zone(DECK), UNKNOWN_CARDS, "The main deck, from the top down."),
        Field("discard", main, Zone(DISCARD), UNKNOWN_CARDS, "The discard pile, from the bottom up."),
        Field("leaders", leaders, Zone(LEADERS), UNKNOWN_CARDS, "The leaders that can be picked."),
        Field("box", box, Zone(BOXED), UNKNOWN_CARDS, "The cards in the box."),
        Group(
            "seats", "The players in the order of their seats, clockwise; the first is seat 0.",
            build_player_fields(cards), lambda table: table.rules.seats, 2, SEATS,
            "The cards in front of a player, and the player's hand.", needed=True,
        ),
        Field(
            "pending", pending, Zone(PENDING), UNKNOWN,
            "The cards being played; if left out, those that the question and the pending steps name.",
            usual=infer_pending_cards, assumed=True,
        ),
        Field("turn", optional_shape(SEAT), "turn", infer_turn, "Whose turn it is; null before the first turn."),
        Field(
            "turns", number_shape(0, 100_000), "turns", 0, "The number of turns so far; 0 if not counted.",
            assumed=True,
        ),
        Field("points", number_shape(0, MOST_POINTS), "points", UNKNOWN, "The active player's points."),
        Field("marked", list_shape(cards.hero), "rolled", UNKNOWN, "The heroes that were rolled for this turn."),
        Field("leader_used", FLAG, "used", UNKNOWN, "Whether the leader's own action was used this turn."),
        Field(
            "lasting", list_shape(lasting), "lasting", (), "The effects that last for a while; none if left out.",
            usual=(),
        ),
        Field(
            "later", build_delayed_shape(cards.any, NAME, SEAT), "later", (),
            "What texts have put off to the end of the turn or to a player's next one; nothing if left out.", usual=(),
        ),
        Field(
            "picked", DISTINCT_SEATS, "picked", (),
            "The seats that have picked a leader, first to last; none if left out.", usual=(),
        ),
        Field("left", DISTINCT_SEATS, "gone", (), "The seats that have left the table; none if left out.", usual=()),
        Field("winner", SEAT, "winner", lambda _: NOBODY, "The winner; nobody if left out.", usual=NOBODY),
        Field(
            "way", choice_shape("three_monsters", "six_classes", "last_one_left"), "way", lambda _: "",
            "How the match was won.", usual="",
        ),
        *build_agenda(edition).build_rows(
            "The open question; null if the match is over. If left out, the active player is to act.",
            "The steps beneath the question, nearest first; if left out, only the turn.",
        ),
        Field("emptied", Shape(EMPTIED_SCHEMA, write=list), find_emptied, (), "", usual=()),
    )  # fmt: skip


# ---- the table -------------------------------------------------------------------------------------------------------


def find_misplaced(p: Position) -> Iterator[SchemaError]:
    """Find the members that do not belong together."""
    if ("winner" in p.written) != ("way" in p.written):
        yield build_error("/way", "give both winner and way, or neither")
    yield from find_named_errors(p["named"], p["cards"])


def build_state(p: Position) -> Table:
    """Return the table that a position describes, even if it contradicts itself.

    Raises DecodeError or MalformedInput.
    """
    found = p.read_fields()
    rules = Rules(len(p["seats"]), **p["settings"], **found.pop("rules"))
    zones = {place: cards for place, cards in found.pop("zones").items() if cards}
    table = Table(zones=zones, rules=rules, **found)
    check_delayed_texts(table)
    table = replace(table, agenda=build_agenda(rules.edition).read(p.written, table))
    check_steps(table.agenda, len(p.written.get("pending_steps", ())), table)
    if "pending" not in p.written and (pending := infer_pending_cards(table)):
        zones[PENDING] = pending
    emptied, errors = decode_emptied_places(p["emptied"], zones, list_places(rules))
    if errors:
        raise MalformedInput(errors)
    return replace(table, zones=zones | emptied)


def list_places(rules: Rules) -> set[str]:
    """Return all places at a table."""
    seats = [places[seat] for places in (HANDS, PARTIES, SLAIN, LEADER) for seat in range(rules.seats)]
    heroes = [item_place_of(card) for card in rules.boxes.main if FACES[card].kind == "hero"]
    return {PENDING, ROW, MONSTERS, DECK, DISCARD, LEADERS, BOXED, *seats, *heroes}


@cache
def build_table(_variant: str, edition: str) -> PositionTable[Table]:
    """Return the table of positions with the cards of an edition.

    Raises KeyError if the edition is not installed.
    """
    full_names = {strip_edition(card): card for card in BOXES[edition].all_cards}
    return PositionTable(
        "Here to Slay, position",
        "A member that is left out is unknown, never empty, unless its description names a default.",
        build_rows(edition),
        build_state,
        lambda table, _: find_faults(table),
        (find_misplaced,),
        names=index_display_names(BOOK.names),
        expand_names=partial(expand_card_names, names=full_names),
    )


EXAMPLES: list[dict[str, Any]] = read_yaml(Path(__file__).parent / "examples.yaml")
POSITIONS = Positions(
    build_table,
    lambda table: ("standard", table.rules.edition),
    lambda _variant: EXAMPLES,
    lambda table, _: take_census(table),
    editions=BOXES,
    usual_edition=PRINTED,
)
