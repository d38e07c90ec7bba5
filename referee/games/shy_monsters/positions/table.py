"""The written positions of Shy Monsters: a row for each member, and their shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.engine.positions.contradictions import Contradiction
from referee.engine.positions.form import SchemaError, index_display_names
from referee.engine.positions.plans import find_plan_errors, locate_letters
from referee.engine.positions.rows import Field, Position, Zone
from referee.engine.positions.shapes import (
    FLAG,
    TEXT,
    Member,
    Shape,
    cards_shape,
    choice_shape,
    counted_cards_shape,
    list_shape,
    number_shape,
    record_shape,
    seat_shape,
    word_shape,
)
from referee.engine.positions.table import Positions, PositionTable
from referee.engine.rulebook.book import read_yaml
from referee.games.shy_monsters.components import BACK, BOOK, ENTRANCE, FACES, MAX_DISTANCE, MONSTERS, START_SPOT, Spot
from referee.games.shy_monsters.events import ONLY_ENTRANCE
from referee.games.shy_monsters.positions import inference
from referee.games.shy_monsters.positions.census import find_contradictions, list_recounts
from referee.games.shy_monsters.positions.questions import (
    QUESTIONS,
    REASONS,
    build_agenda,
    find_question,
    find_reveals_left,
    find_turn_up,
)
from referee.games.shy_monsters.state import DISCOVERED, PILE, Dungeon, GameResult, Tile, hand_zone, undiscovered_zone


def read_place(written: Any, p: Position) -> Spot | None:
    """Return a place written as coordinates or as a letter of the plan."""
    if isinstance(written, str):
        return locate_letters(p.written["plan"]["rows"], "E")[written]
    return written and (written[0], written[1])


def build_tile(x: int, y: int, card: str = "", up: bool | None = None, **monster: bool) -> Tile:
    """Return a card of the floor. The entrance needs no name."""
    start = (x, y) == START_SPOT
    return Tile(x, y, card or (ENTRANCE if start else BACK), True if start and up is None else up, **monster)


def build_planned_tiles(
    rows: tuple[str, ...], cards: dict[str, str] | None = None, up: Any = None, dead: Any = None
) -> list[Tile]:
    """Return the cards of the floor that a plan draws."""
    tiles = [*ONLY_ENTRANCE]
    for letter, (x, y) in locate_letters(rows, "E").items():
        is_up, card = None if up is None else letter in up, (cards or {}).get(letter, BACK)
        alive = letter not in dead if dead is not None and is_up and card in MONSTERS else None
        tiles += [Tile(x, y, card, is_up, alive=alive)] if letter != "E" else []
    return tiles


SEAT, COORDINATE = seat_shape(2), number_shape(-MAX_DISTANCE, MAX_DISTANCE)
PLACE = Shape(
    {
        "description": "[x, y] counted from the entrance, x to the right and y down; or a letter of the plan, "
        "with E for the entrance.",
        "anyOf": [
            {"type": "array", "items": COORDINATE.schema, "minItems": 2, "maxItems": 2},
            {"type": "string", "minLength": 1, "maxLength": 1},
        ],
    },
    read_place,
    lambda spot: spot and list(spot),
)
PLACE_OR_NONE = Shape({"anyOf": [*PLACE.schema["anyOf"], {"type": "null"}]}, PLACE.read, PLACE.write)
TILE = record_shape(
    build_tile,
    Member("x", COORDINATE, "The column: the entrance is 0, and numbers grow to the right.", needed=True),
    Member("y", COORDINATE, "The row: the entrance is 0, and numbers grow downwards.", needed=True),
    Member("card", choice_shape(ENTRANCE, *FACES, BACK), "The card; if ? or left out, it is unknown."),
    Member("up", FLAG, "Whether it lies face up."),
    Member("active", FLAG, "For a monster that lies face up: whether it is active."),
    Member("alive", FLAG, "For a monster that lies face up: whether it is alive."),
)
PLAN_CARDS = Shape({"type": "object", "additionalProperties": {"enum": [*FACES, BACK]}})
PLAN = record_shape(
    build_planned_tiles,
    Member(
        "rows",
        list_shape(TEXT),
        "E for the entrance, another letter for each other card, a dot where no card lies.",
        needed=True,
    ),
    Member("cards", PLAN_CARDS, "The card at each letter; a letter that is left out is unknown."),
    Member("up", list_shape(TEXT), "The letters of the cards that lie face up; if given, all others lie face down."),
    Member("dead", list_shape(TEXT), "The letters of killed monsters."),
)
TURN_UP = record_shape(
    dict,
    Member("at", PLACE, "Where it lies.", needed=True),
    Member("because", choice_shape(*REASONS), "Why it is turned up.", needed=True),
    Member("attack", FLAG, "If entered: whether an attack was announced; false if the attack is still ready."),
    Member("over", PLACE_OR_NONE, "If entered: the card skipped by a jump; null if there was no jump."),
)
RESULT = record_shape(
    GameResult,
    Member("winner", SEAT, "The seat that won.", needed=True),
    Member(
        "how", choice_shape("escaped", "killed", "conceded", "barred", "claimed"), "How the game ended.", needed=True
    ),
)
MONSTER_CARDS = counted_cards_shape((*MONSTERS, BACK), len(MONSTERS))

# ---- what must belong together ---------------------------------------------------------------------------------------


def find_misplaced(p: Position) -> Iterator[SchemaError]:
    """Find letters that are not on the plan, and members that do not belong together."""
    data, turn = p.written, p.written.get("turn_up", {})
    if "tiles" in data and "plan" in data:
        yield {"pointer": "/plan", "detail": "give either tiles or a plan, not both"}
    if (data["question"] == "turn_up") != ("turn_up" in data):
        detail = "this member and the question turn_up need each other: give both or neither"
        yield {"pointer": "/turn_up", "detail": detail}
    places = [("/hero", data.get("hero")), ("/turn_up/at", turn.get("at")), ("/turn_up/over", turn.get("over"))]
    places += [(f"/turned_up/{at}", place) for at, place in enumerate(data.get("turned_up", ()))]
    yield from find_plan_errors(data.get("plan"), "E", "the entrance", places)


def find_turn_up_errors(p: Position) -> Iterator[SchemaError]:
    """Find what is wrong with the card to be turned up."""
    turn, board = p["turn_up"], {tile.spot: tile for tile in p["tiles"] or ()}
    if not turn:
        return
    if turn["at"] not in board or board[turn["at"]].card != BACK or board[turn["at"]].up:
        yield {"pointer": "/turn_up/at", "detail": "this must be an unknown card that lies face down"}
    elif turn.get("over") is not None and turn["over"] not in board:
        yield {"pointer": "/turn_up/over", "detail": "no card lies there"}
    elif turn["because"] != "entered":
        for part in [part for part in ("attack", "over") if part in turn]:
            yield {"pointer": f"/turn_up/{part}", "detail": "this member is only for a card that the hero entered"}


# ---- the table -------------------------------------------------------------------------------------------------------

EXAMPLES: list[dict[str, Any]] = read_yaml(Path(__file__).parent / "examples.yaml")
MATCH, GAME, FLOOR = "match", "game", "floor"  # the parts of a position: from the start, in a game, on a floor
UNKNOWN = None
ROWS = (  # name, shape, where it stands on the table, what it means if left out, description, part
    Field(
        "question", choice_shape(*QUESTIONS), find_question, UNKNOWN,
        "The open question. If the hero has no way left, SM-AMB-17 has ended the game: write `over` then, since "
        "explore would contradict the rules.", needed=True, part=MATCH,
    ),
    Field("dungeon_master", SEAT, "dungeon_master", UNKNOWN, "The seat of the dungeon master.", part=GAME),
    Field(
        "floor", number_shape(0, 3), "floor", inference.infer_floor, "The number of the floor.",
        ignored_in=("shuffle",), part=GAME,
    ),
    Field(
        "tiles", list_shape(TILE), "tiles", inference.infer_tiles,
        "All seven cards of the floor, entrance included.", ignored_in=inference.BUILDING, part=FLOOR,
    ),
    Field("plan", PLAN, None, UNKNOWN, "The floor drawn as rows of text, in place of `tiles`.", part=FLOOR),
    Field("hero", PLACE, "pawn", inference.infer_hero, "Where the hero stands.", part=FLOOR),
    Field(
        "attack_ready", FLAG, "attack", inference.infer_attack,
        "Whether the attack is still unused on this floor.", part=FLOOR,
    ),
    Field(
        "jump_ready", FLAG, "jump", inference.infer_jump,
        "Whether the jump is still unused on this floor.", part=FLOOR,
    ),
    Field(
        "turned_up", list_shape(PLACE), "turned", inference.infer_turned_up,
        "The places of the cards turned up on this floor, first to last, without the entrance.", part=FLOOR,
    ),
    Field(
        "reveals_left", number_shape(0, 2), find_reveals_left, inference.infer_reveals_left,
        "How many cards the hero still has to turn up before moving.", part=GAME,
    ),
    Field(
        "idle_moves", number_shape(0, 1_000_000), "idle", inference.infer_idle_moves,
        "How many moves in a row the hero has made without turning a card up.", part=FLOOR,
    ),
    Field(
        "turn_up", TURN_UP, find_turn_up, UNKNOWN,
        "For the question turn_up: which card is turned up, and why.", part=GAME,
    ),
    Field(
        "discovered", cards_shape(MONSTERS), Zone(DISCOVERED, absent=None), inference.infer_discovered,
        "The monsters from earlier floors that lie face up beside the floor.", part=GAME,
    ),
    Field(
        "undiscovered", MONSTER_CARDS, Zone(undiscovered_zone, "dungeon_master", absent=None),
        inference.infer_undiscovered,
        "Monsters laid aside unseen: how many, or which ones if known.", part=GAME,
    ),
    Field(
        "hand", cards_shape((*FACES, BACK)), Zone(hand_zone, "dungeon_master", absent=None), inference.infer_hand,
        "The dungeon master's hand; ? for each unknown card.", part=GAME,
    ),
    Field(
        "pile", MONSTER_CARDS, Zone(PILE, absent=None), inference.infer_pile,
        "The pile of monsters: how many, or which ones from the top down, with ? for unknown cards.", part=GAME,
    ),
    Field(
        "cards", word_shape({"server": False, "table": True}), "at_table", False,
        "server (the default): the server deals; table: real cards are used.", part=MATCH, assumed=True,
    ),
    Field(
        "named", list_shape(SEAT, distinct=True), "named", (),
        "Seats whose real cards are named to the referee; none if left out.", usual=(), part=MATCH,
    ),
    Field("games", choice_shape(1, 2), "games", 1, "Games in the match; 1 if left out.", part=MATCH, assumed=True),
    Field(
        "game", number_shape(0, 2), "game", inference.infer_game, "The number of the running game.", part=GAME,
        assumed=True,
    ),
    Field(
        "results", list_shape(RESULT), "results", (),
        "How the finished games ended; none if left out.", usual=(), part=MATCH,
    ),
)  # fmt: skip


def build_state(p: Position) -> Dungeon:
    """Build the table without looking for contradictions."""
    parts = (MATCH,) if p["question"] == "roles" else (MATCH, GAME, FLOOR)
    state = Dungeon(agenda=build_agenda(p), **p.read_fields(parts))
    return replace(state, tiles=inference.infer_monsters(state.tiles, state.turned, state.attack))


def take_census(state: Dungeon, wrong: list[Contradiction]) -> dict[str, Any]:
    """Return whether the cards of a position can be, and which to count again."""
    return {"possible": not wrong, "contradictions": wrong, "recounts": list_recounts(state)}


def list_parts(question: str) -> tuple[str, ...]:
    """Return the parts of a position that are written at a question."""
    return (
        (MATCH,) if question == "roles" else (MATCH, GAME) if question in inference.BUILDING else (MATCH, GAME, FLOOR)
    )


POSITION = PositionTable(
    "Shy Monsters, position",
    "A position of Shy Monsters. A member that is left out is unknown, unless it follows from the rest.",
    ROWS,
    build_state,
    find_contradictions,
    (find_misplaced, find_turn_up_errors),
    list_parts,
    index_display_names(BOOK.names),
)
POSITIONS = Positions(
    lambda _variant, _edition: POSITION, lambda _state: ("standard", ""), lambda _variant: EXAMPLES, take_census
)
