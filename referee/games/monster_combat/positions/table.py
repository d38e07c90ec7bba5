"""The written positions of Monster Combat: a row for each member.

What is left out is unknown, never empty (KERNEL-POSITION-1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from referee.engine.positions.form import SchemaError, find_named_errors, index_display_names
from referee.engine.positions.rows import Field, Group, Position, Row, Zone
from referee.engine.positions.shapes import (
    FLAG,
    Shape,
    list_shape,
    number_shape,
    optional_shape,
    pile_shape,
    settings_shape,
    word_shape,
)
from referee.engine.positions.table import Census, Positions, PositionTable
from referee.engine.rulebook.book import read_yaml
from referee.games.monster_combat.components import (
    BOOK,
    EVENT_BACK,
    EVENT_CARDS,
    FACELESS_TRIGGER,
    LAST_MONSTER,
    PLAIN_BACK,
    PLAYING_CARDS,
    TRIGGER_BACK,
    Rules,
    settle_trigger_backs,
)
from referee.games.monster_combat.positions.cards import MAX_CARDS_AT_PLACE, find_card_errors, name_cards
from referee.games.monster_combat.positions.census import find_contradictions, list_recounts
from referee.games.monster_combat.positions.contradictions import find_faults
from referee.games.monster_combat.positions.questions import AGENDA, SEAT
from referee.games.monster_combat.settings import SETTINGS
from referee.games.monster_combat.state import (
    ANY,
    DECK,
    DISCARD,
    EVENTS,
    FULL_HEARTS,
    HANDS,
    SOME,
    TRAY,
    Table,
)

UNKNOWN, UNKNOWN_CARDS = None, (SOME,)
SEAT_OR_NOBODY = optional_shape(SEAT)
AGREED = settings_shape(SETTINGS)
USED = pile_shape(
    [name for card in EVENT_CARDS["equal"] for name in (card, f"{card}!event")], MAX_CARDS_AT_PLACE, (EVENT_BACK,), ANY
)


def find_settings(table: Table) -> dict[str, Any]:
    """Return the settings of a table."""
    settings = {name: getattr(table.rules, name) for name in SETTINGS["properties"]}
    if isinstance(settings["trigger_backs"], tuple):
        settings["trigger_backs"] = dict(settings["trigger_backs"])
    return settings | ({"first_player": "drawn"} if table.rules.first_player is None else {})


MONSTER = (
    Field("number", number_shape(1, LAST_MONSTER), "monster", UNKNOWN, "The number of the monster."),
    Field("hearts", number_shape(0, LAST_MONSTER), "monster_hearts", UNKNOWN, "The hearts that it has left."),
    Field(
        "asleep_until", SEAT_OR_NOBODY, "sleeper", UNKNOWN,
        "The seat on whose turn it wakes up; null if it is awake.",
    ),
)  # fmt: skip
SKIPPED = Field("skipped", SEAT_OR_NOBODY, "skipped", UNKNOWN, "V1: who misses the next turn; null for nobody.")


def build_rows(faceless: list[str]) -> tuple[Row, ...]:
    """Return the rows that both variants have, in the order of the schema.

    `faceless`: the names of cards without a face that the variant may have.
    """
    playing = pile_shape(
        [name for card in PLAYING_CARDS for name in (card, f"{card}!trigger")] + faceless,
        MAX_CARDS_AT_PLACE,
        (PLAIN_BACK, TRIGGER_BACK),
        ANY,
    )
    player = (
        Field("hearts", number_shape(0, FULL_HEARTS), "hearts", UNKNOWN, "The number of full hearts."),
        Field("immune", FLAG, "immune", UNKNOWN, "Whether the player is immune now."),
        Field("hand", playing, Zone(HANDS.__getitem__), UNKNOWN_CARDS, "The hand."),
    )
    return (  # name, shape, where it stands on the table, what it means if left out, description
        Field(
            "settings", AGREED, find_settings, lambda p: AGREED.read({}, p),
            "The settings of the match; each has its default if left out.", assumed=True,
        ),
        Field(
            "cards", word_shape({"server": False, "table": True}), "rules.at_table", False, "The source of cards.",
            assumed=True,
        ),
        Field(
            "named", list_shape(SEAT, distinct=True), "rules.named", (),
            "Seats whose hands are named to the referee at a real table.", assumed=True,
        ),
        Group(
            "players", "The players in the order of their seats; the first is seat 0.", player,
            lambda table: table.rules.seats, 2, 7, needed=True,
        ),
        Field("draw_pile", playing, Zone(DECK), UNKNOWN_CARDS, "The draw pile, from the top down."),
        Field(
            "top_of_draw_pile", word_shape({"plain": PLAIN_BACK, "trigger": TRIGGER_BACK, "none": ""}), "top", UNKNOWN,
            "The back on top of the draw pile.",
        ),
        Field("discard", playing, Zone(DISCARD), UNKNOWN_CARDS, "The discard pile, from the bottom up."),
        Field("event_pile", USED, Zone(EVENTS), UNKNOWN_CARDS, "The event pile."),
        Field("event_tray", USED, Zone(TRAY), UNKNOWN_CARDS, "The used events, the latest last."),
        Field("turn", SEAT_OR_NOBODY, "turn", UNKNOWN, "Whose turn it is; null before the first turn."),
        Field(
            "direction", word_shape({"clockwise": 1, "counterclockwise": -1}), "direction", UNKNOWN,
            "The direction of play. Clockwise: seat 1 comes after seat 0.",
        ),
        Field(
            "fallen", list_shape(SEAT), "fallen", UNKNOWN,
            "The defeated players, in the order in which they were defeated.",
        ),
        *AGENDA.build_rows(
            "The open question; null if the match is over.",
            "The steps beneath the question, nearest first; if left out, the usual ones of a turn.",
        ),
    )  # fmt: skip


def build_rules(p: Position) -> Rules:
    """Return what was agreed before the match."""
    agreed = dict(p["settings"])
    agreed["trigger_backs"] = settle_trigger_backs(agreed["trigger_backs"])
    if agreed["first_player"] == "drawn":
        agreed["first_player"] = None
    return Rules(p["variant"], len(p["players"]), at_table=p["cards"], named=p["named"], **agreed)


def find_unknown_cards(p: Position) -> Iterator[SchemaError]:
    """Yield the cards that do not exist with the settings of a position."""
    rules = build_rules(p)
    for place, pointer in build_table(rules.variant).pointers.items():
        *_, member = pointer.split("/")
        seats = [each.written for each in p["players"]]
        said = seats[HANDS.index(place)] if place in HANDS[: len(seats)] else p.written
        yield from find_card_errors(rules, place, said.get(member, ()), pointer)


def build_state(p: Position) -> Table:
    """Return the table that a position describes, with any contradictions."""
    found, rules = p.read_fields(), build_rules(p)
    piles_first = {place: found["zones"][place] for place in sorted(found["zones"], key=HANDS.__contains__)}
    table = Table(**found | {"rules": rules, "zones": name_cards(rules, piles_first)})
    return replace(table, agenda=AGENDA.read(p.written, table))


def take_census(table: Table, _wrong: Any) -> Census:
    """Return whether the cards of a table can be, and which places to count again."""
    found, pointers = find_contradictions(table.rules, table.zones), build_table(table.rules.variant).pointers
    again = [
        {"pointer": pointers[place], "says": BOOK.render_texts("census.recount", place=place)}
        for place in list_recounts(found)
    ]
    return {"possible": not found, "contradictions": found, "recounts": again}


@cache
def build_table(variant: str, _edition: str = "") -> PositionTable[Table]:
    """Return the table of the positions of a variant.

    MC-AMB-1: Trigger cards without a face are in the box only with `extra_cards`, and never in variant 2.
    """
    backs, faceless = "Cards with !trigger exist only with `trigger_mode: marked_backs`", []
    if Rules(variant, trigger_mode="extra_cards").has_faceless_triggers:
        backs, faceless = f"{backs}, {FACELESS_TRIGGER} only with `extra_cards`", [FACELESS_TRIGGER]
    says = "V1: all against all. V2: all against the monsters."
    named = Field("variant", Shape({"const": variant}), "rules.variant", UNKNOWN, says, needed=True)
    own = SKIPPED if variant == "V1" else Group("monster", "V2: the active monster.", MONSTER)
    return PositionTable(
        f"Monster Combat, position ({variant})",
        f"A member that is left out is unknown, never empty. {backs}.",
        (named, *build_rows(faceless), own),
        build_state,
        lambda table, _: find_faults(table, build_table(variant).pointers),
        (lambda p: find_named_errors(p["named"], p["cards"]), find_unknown_cards),
        names=index_display_names(BOOK.names),
    )


EXAMPLES: dict[str, list[dict[str, Any]]] = read_yaml(Path(__file__).parent / "examples.yaml")
POSITIONS = Positions(
    build_table, lambda table: (table.rules.variant, ""), EXAMPLES.__getitem__, take_census, ("V1", "V2")
)
