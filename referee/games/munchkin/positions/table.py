"""The written positions of Munchkin: a row for each member.

What is left out is unknown, never empty (KERNEL-POSITION-1), unless its description says otherwise.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from referee.cardscript.positions.delayed import build_delayed_shape
from referee.cardscript.positions.editions import expand_card_names
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import DecodeError
from referee.engine.events import replace_fields
from referee.engine.positions.form import index_display_names
from referee.engine.positions.piles import decode_emptied_places
from referee.engine.positions.rows import BySeat, Field, Group, Position, Row, Zone, usual_field
from referee.engine.positions.schema import BACK, EMPTIED_SCHEMA
from referee.engine.positions.shapes import (
    FLAG,
    Shape,
    choice_shape,
    list_shape,
    number_shape,
    optional_shape,
    settings_shape,
    word_shape,
)
from referee.engine.positions.table import Census, Positions, PositionTable
from referee.engine.rulebook.book import read_yaml
from referee.engine.rulebook.editions import strip_edition
from referee.engine.rulings import MalformedInput
from referee.games.munchkin.components import (
    BOOK,
    BOXES,
    COMBAT,
    CORPSES,
    CURSES,
    DOOR_DISCARD,
    DOORS,
    EDITION,
    FACES,
    HANDS,
    PENDING,
    PLAYS,
    RIDES,
    SEATS,
    TOP_LEVEL,
    TOWNSHIP,
    TREASURE_DISCARD,
    TREASURES,
    WON,
    Rules,
)
from referee.games.munchkin.events.triggers import NOW
from referee.games.munchkin.positions.cards import NAME, SEAT, CardShapes
from referee.games.munchkin.positions.census import take_census
from referee.games.munchkin.positions.combats import (
    build_combat,
    build_combat_row,
    build_lasting_shape,
    build_trade_shape,
)
from referee.games.munchkin.positions.contradictions import find_impossibilities
from referee.games.munchkin.positions.questions import build_agenda
from referee.games.munchkin.positions.references import (
    check_agenda,
    check_delayed_texts,
    collect_played_cards,
    find_reference_errors,
)
from referee.games.munchkin.rules.items.trading import MOST_OFFERS
from referee.games.munchkin.settings import SETTINGS
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY

BEFORE_THE_FIRST_TURN = ("ready", "first_turn")
UNKNOWN, UNKNOWN_CARDS = None, (UNCOUNTED_CARDS,)
OWN_PLACES = (HANDS, PLAYS, TOWNSHIP, RIDES, CURSES, CORPSES)  # each by seat
AGREED = settings_shape(SETTINGS)
SOURCE = word_shape({"server": False, "table": True})
SEATS_LISTED = list_shape(SEAT, distinct=True)

# ---- where values stand, and what follows if they are left out -------------------------------------------------------


def find_settings(table: Table) -> dict[str, Any]:
    """Return the settings of a table."""
    return {name: getattr(table.rules, name) for name in SETTINGS["properties"]}


def find_items_in_use(table: Table, seat: int) -> list[str] | None:
    """Return the items of a player that are in use, or None if none are known."""
    items = table.cards_at(PLAYS[seat])
    is_known = any(card != UNCOUNTED_CARDS for card in items)
    return [card for card in items if card in table.equipped] if is_known else None


def infer_items_in_use(player: Position) -> list[str]:
    """Return all known items of a player but one-shots."""
    return [card for card in player["items"] if card != UNCOUNTED_CARDS and FACES[card].kind == "item"]


def find_attached(table: Table, seat: int) -> dict[str, str]:
    """Return the card attached to each item of a player."""
    return {item: card for item, card in table.attached.items() if item in table.cards_at(PLAYS[seat])}


def find_dead(table: Table) -> tuple[int, ...]:
    """Return the players who are dead, without those who have left the table."""
    return tuple(seat for seat in table.dead if seat not in table.gone)


def infer_turn(p: Position) -> int:
    """Return whose turn it is: that of the main player, or of the player asked.

    Raises DecodeError if neither is named.
    """
    question = p.written.get("question") or {}
    if question.get("asks") in BEFORE_THE_FIRST_TURN:
        return NOBODY
    asked = question.get("seat") if question.get("asks") == "calm" else None
    seat: int | None = p.written.get("combat", {}).get("main", asked)
    if seat is None:
        raise DecodeError("/turn", "is missing, and the rest does not show whose turn it is")
    return seat


# ---- the table -------------------------------------------------------------------------------------------------------


def build_player_fields(cards: CardShapes) -> tuple[Field, ...]:
    """Return the rows of what belongs to a player."""
    whole = cards.boxes.whole
    in_play = cards.list_names("item", "one_shot", "door_special")
    attached = {
        "type": "object", "propertyNames": {"enum": in_play}, "additionalProperties": cards.any.schema
    }  # fmt: skip
    return (
        Field("level", number_shape(1, TOP_LEVEL), "levels", UNKNOWN, "The level.", needed=True),
        Field("hand", cards.pile_shape(whole), Zone(HANDS.__getitem__), UNKNOWN_CARDS, "The hand."),
        Field("items", cards.open_cards_shape(in_play), Zone(PLAYS.__getitem__), UNKNOWN_CARDS,
              "The items in play, including one-shots and cards attached to an item."),
        Field("in_use", cards.list_shape("item", distinct=True), find_items_in_use, infer_items_in_use,
              "The items in use; if left out, all items but one-shots.", assumed=True),
        usual_field("attached", Shape(attached), find_attached, {},
                    "The card attached to each item, by item; none if left out."),
        Field("towns", cards.open_cards_shape(cards.list_names("citizenship", "dual_citizenship")),
              Zone(TOWNSHIP.__getitem__), UNKNOWN_CARDS, "The citizenships in play."),
        Field("ride", cards.open_cards_shape(cards.list_names("ride", "ride_enhancer")), Zone(RIDES.__getitem__),
              UNKNOWN_CARDS, "The ride, and what is attached to it."),
        Field("curses", cards.open_cards_shape(card for card in whole if FACES[card].stays), Zone(CURSES.__getitem__),
              UNKNOWN_CARDS, "The lasting curses."),
        Field("just_received", list_shape(choice_shape(*whole, BACK)), BySeat("fresh"), UNKNOWN,
              "Cards just received that may be put into play at once; none if left out.", assumed=True),
        Field("next_flight", number_shape(-20, 20), BySeat("hindered"), UNKNOWN,
              "The modifier of the next roll to run away; 0 if left out.", assumed=True),
        Field("offers", number_shape(0, MOST_OFFERS), BySeat("offers"), UNKNOWN,
              "How many trades the player has offered in this turn, where that is limited; 0 if left out.",
              assumed=True),
        usual_field("left_behind", list_shape(cards.any), Zone(CORPSES.__getitem__), (),
                    "The belongings of a dead player that lie face up; none if left out."),
    )  # fmt: skip


def build_rows(edition: str) -> tuple[Row, ...]:
    """Return the rows of a position with the cards of an edition."""
    cards = CardShapes(edition)
    doors, treasures = (cards.pile_shape(deck) for deck in cards.boxes.decks.values())
    return (  # name, shape, where it stands on the table, what it means if left out, description
        usual_field(
            "edition", NAME, "rules.edition", EDITION, "The edition of the cards; the printed one if left out.",
        ),
        Field("settings", AGREED, find_settings, lambda p: AGREED.read({}, p),
              "The settings of the match; each has its default if left out.", assumed=True),
        Field(
            "cards", SOURCE, "rules.cards_at_table", False, "The source of cards; the server if left out.",
            assumed=True,
        ),
        Field(
            "dice", SOURCE, "rules.dice_at_table", False, "The source of dice; the server if left out.",
            assumed=True,
        ),
        usual_field(
            "named", SEATS_LISTED, "rules.named", (), "Seats whose cards are named to the referee at a real table.",
        ),
        Field("doors", doors, Zone(DOORS), UNKNOWN_CARDS, "The door deck, from the top down."),
        Field("treasures", treasures, Zone(TREASURES), UNKNOWN_CARDS, "The treasure deck, from the top down."),
        Field("door_discard", doors, Zone(DOOR_DISCARD), UNKNOWN_CARDS, "The discarded doors, from the bottom up."),
        Field("treasure_discard", treasures, Zone(TREASURE_DISCARD), UNKNOWN_CARDS,
              "The discarded treasures, from the bottom up."),
        usual_field("won", list_shape(choice_shape(*cards.boxes.decks["treasure"])), Zone(WON), (),
                    "Face-up treasures still to be shared out; none if left out."),
        Group("seats", "The players in the order of their seats, clockwise; the first is seat 0.",
              build_player_fields(cards), lambda table: table.rules.seats, 3, SEATS,
              "The cards in front of a player, and the player's hand.", needed=True),
        Field("turn", optional_shape(SEAT), "turn", infer_turn,
              "The active player; null before the first turn. If left out, the main player of the combat, or else the "
              "player asked."),
        Field(
            "turns", number_shape(0, 100_000), "turns", 0, "The number of turns so far; 0 if not counted.",
            assumed=True,
        ),
        Field("fought", FLAG, "fought", lambda p: p["combat"] is not None,
              "Whether there was a combat in this turn; if left out, whether one is running.",
              usual=lambda table: table.combat is not None, assumed=False),
        usual_field("dead", SEATS_LISTED, find_dead, (),
                    "The players who are dead until the next turn begins; nobody if left out."),
        usual_field("left", SEATS_LISTED, "gone", (), "The players who have left the table; nobody if left out."),
        usual_field("bereft", SEATS_LISTED, "bereft", (),
                    "The players who draw new cards at the start of their next turn; nobody if left out."),
        usual_field("trades", list_shape(build_trade_shape(cards)), "trades", (),
                    "The open offers to trade; none if left out."),
        usual_field("lasting", list_shape(build_lasting_shape(cards)), "lasting", (),
                    "What texts give players for a while, or keep them from; nothing if left out."),
        usual_field("later", build_delayed_shape(cards.any, NAME, SEAT, NOW), "later", (),
                    "What texts have put off, and those that were set off and wait; nothing if left out."),
        build_combat_row(cards),
        Field("pending", cards.open_cards_shape(cards.boxes.whole, {"more": True}), Zone(PENDING), UNKNOWN,
              "The cards being played; if left out, those that the pending steps name.",
              usual=lambda table: collect_played_cards(table.agenda), assumed=True),
        usual_field("winner", SEAT, "winner", NOBODY, "The winner; nobody if left out."),
        usual_field("way", choice_shape("level_ten", "too_many_turns", "last_one_left"), "way", "",
                    "How the match ended."),
        *build_agenda(edition).build_rows(
            "The open question; null if the match is over. If left out: with a combat, the open combat; without one, "
            "the active player may act before kicking open the door.",
            "The steps beneath the question, nearest first; if left out, the usual ones.",
        ),
        usual_field("emptied", Shape(EMPTIED_SCHEMA),
                    lambda table: sorted(place for place, cards in table.zones.items() if not cards), [],
                    EMPTIED_SCHEMA["description"]),
    )  # fmt: skip


def find_short_names(edition: str) -> dict[str, str]:
    """Return the cards and powers of an edition by the names that their book uses."""
    cards = CardShapes(edition)
    return {strip_edition(name): name for name in (*cards.boxes.whole, *cards.list_powers())}


def build_state(p: Position) -> Table:
    """Return the table that a position describes, with any contradictions."""
    found, players = p.read_fields(), p["seats"]
    zones = {place: cards for place, cards in found["zones"].items() if cards}
    if p["combat"] is not None:
        found["combat"] = build_combat(p["combat"], found["combat"])
    table = Table(
        **found
        | {
            "zones": zones,
            "rules": Rules(seats=len(players), **found["rules"], **p["settings"]),
            "equipped": tuple(sorted(card for player in players for card in player["in_use"])),
            "attached": {item: card for player in players for item, card in player["attached"].items()},
            "dead": (*p["dead"], *p["left"]),  # who has left counts as dead
        }
    )
    edition = table.rules.edition
    check_delayed_texts(table)
    agenda = build_agenda(edition).read(p.written, table)
    check_agenda(agenda, len(p.written.get("pending_steps", ())), table)
    if "pending" not in p.written and (played := collect_played_cards(agenda)):
        zones[PENDING] = played
    nowhere = {place for places in OWN_PLACES for place in places[len(players) :]}
    gone, errors = decode_emptied_places(p["emptied"], zones, build_table(edition).pointers.keys() - nowhere)
    if errors:
        raise MalformedInput(errors)
    return replace_fields(table, agenda=agenda, zones={**zones, **gone})


@cache
def build_table(edition: str) -> PositionTable[Table]:
    """Return the table of the positions with the cards of an edition."""
    short_names = find_short_names(edition)
    return PositionTable(
        "Munchkin, position",
        "A member that is left out is unknown, never empty, unless its description names a default.",
        build_rows(edition),
        build_state,
        lambda table, _: find_impossibilities(table, find_pointers(table)),
        (find_reference_errors,),
        names=index_display_names(BOOK.names, short_names),
        expand_names=lambda written: expand_card_names(written, short_names),
    )


def find_pointers(table: Table) -> dict[str, str]:
    """Return the JSON pointers of all zones.

    The cards in a combat follow from its other members, so their place is the whole combat.
    """
    return {**build_table(table.rules.edition).pointers, COMBAT: "/combat"}


def take_table_census(table: Table, _wrong: Any) -> Census:
    """Return whether the cards of a table can be, and which places to count again."""
    return take_census(table, find_pointers(table))


EXAMPLES: list[dict[str, Any]] = read_yaml(Path(__file__).parent / "examples.yaml")
POSITIONS = Positions(
    lambda _variant, edition: build_table(edition),
    lambda table: ("", table.rules.edition),
    lambda _variant: EXAMPLES,
    take_table_census,
    editions=BOXES,
    usual_edition=EDITION,
)
