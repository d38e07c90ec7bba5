"""Write a table down as a position: the opposite of `decode_position`."""

from __future__ import annotations

from typing import Any

from referee.engine.steps import Step
from referee.engine.zones import Cards
from referee.games.shy_monsters.components import BACK
from referee.games.shy_monsters.positions.schema import BUILDING, Data
from referee.games.shy_monsters.rules.building import BuildFloor, DrawMonsters
from referee.games.shy_monsters.rules.course import DrawRoles, ShufflePile
from referee.games.shy_monsters.rules.exploring import RevealCards, Walk
from referee.games.shy_monsters.rules.turning import CheckHeroBarred, ResolveEntry, TurnUp
from referee.games.shy_monsters.state import DISCOVERED, PILE, Dungeon, Tile, hand_zone, undiscovered_zone


def encode_position(state: Dungeon) -> Data:
    """Return the position that describes a table. `decode_position` restores it."""
    question = _find_question(state)
    data: Data = {"question": question, "cards": "table" if state.at_table else "server", "games": state.games}
    if state.named:
        data["named"] = list(state.named)
    if state.results:
        data["results"] = [{"winner": result.winner, "how": result.how} for result in state.results]
    if question == "roles":
        return data
    data["game"] = state.game
    parts: Data = {
        "dungeon_master": state.dungeon_master,
        "floor": state.floor,
        "discovered": _list_cards(state.zones.get(DISCOVERED)),
        "pile": _count_or_list(state.zones.get(PILE)),
        **_encode_steps(state),
    }
    if state.dungeon_master is not None:
        parts["hand"] = _list_cards(state.zones.get(hand_zone(state.dungeon_master)))
        parts["undiscovered"] = _count_or_list(state.zones.get(undiscovered_zone(state.dungeon_master)))
    if question not in BUILDING:
        parts |= {
            "tiles": None if state.tiles is None else [_encode_tile(tile) for tile in state.tiles],
            "hero": _list_cards(state.pawn),
            "attack_ready": state.attack,
            "jump_ready": state.jump,
            "turned_up": None if state.turned is None else [list(spot) for spot in state.turned],
            "idle_moves": state.idle,
        }
    return data | {name: value for name, value in parts.items() if value is not None}


def _find_question(state: Dungeon) -> str:
    if not state.agenda:
        return "over"
    questions: dict[type[Step], str] = {
        DrawRoles: "roles",
        ShufflePile: "shuffle",
        DrawMonsters: "monsters",
        BuildFloor: "build",
        RevealCards: "reveal",
        Walk: "explore",
        TurnUp: "turn_up",
    }
    return questions[type(state.agenda[-1])]


def _encode_steps(state: Dungeon) -> Data:
    """Return what the pending steps hold: cards due, and the card being turned up."""
    parts: Data = {}
    for step in state.agenda:
        match step:
            case RevealCards(left):
                parts["reveals_left"] = left
                parts["turn_up"] = {"because": "revealed"}
            case ResolveEntry(_, _, attack, over, jumped):
                parts["turn_up"] = {"because": "entered"}
                if attack is not None:
                    parts["turn_up"]["attack"] = attack
                if jumped is not None:
                    parts["turn_up"]["over"] = _list_cards(over)
            case CheckHeroBarred():
                parts["turn_up"] = {"because": "skipped"}
            case TurnUp(x, y):
                return parts | {"turn_up": {**parts["turn_up"], "at": [x, y]}}
    parts.pop("turn_up", None)
    return parts


def _encode_tile(tile: Tile) -> Data:
    data = {"x": tile.x, "y": tile.y, "card": tile.card, "up": tile.up, "active": tile.active, "alive": tile.alive}
    return {name: value for name, value in data.items() if value is not None}


def _list_cards(cards: tuple[Any, ...] | None) -> list[Any] | None:
    return None if cards is None else list(cards)


def _count_or_list(cards: Cards | None) -> int | list[str] | None:
    if cards is None:
        return None
    return len(cards) if set(cards) <= {BACK} else list(cards)
