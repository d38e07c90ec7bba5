"""Read a table from the position that a person wrote.

Clauses: KERNEL-POSITION-1, SM-STATE-1.

What is left out is unknown unless it follows from the rest. For example, before the hero has moved the pawn stands on
the entrance and both skills are ready, and the floor says how many monsters have been drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from referee.engine.game import ContradictoryPosition
from referee.engine.rulings import MalformedInput
from referee.engine.steps import Step
from referee.engine.zones import Cards, arrange_cards
from referee.games.shy_monsters.components import (
    BACK,
    BASE_HAND,
    ENTRANCE,
    MONSTERS,
    MONSTERS_PER_FLOOR,
    REVEALS_PER_FLOOR,
    START_SPOT,
    Spot,
)
from referee.games.shy_monsters.events import ONLY_ENTRANCE
from referee.games.shy_monsters.positions.census import find_contradictions, infer_monster_state, list_recounts
from referee.games.shy_monsters.positions.form import SchemaMismatch, find_mismatches
from referee.games.shy_monsters.positions.schema import BUILDING, SCHEMA, Data
from referee.games.shy_monsters.rules.building import BuildFloor, DrawMonsters
from referee.games.shy_monsters.rules.course import DrawRoles, PlayFloors, PlayMatch, ShufflePile
from referee.games.shy_monsters.rules.exploring import RevealCards, Walk
from referee.games.shy_monsters.rules.turning import CheckHeroBarred, ResolveEntry, TurnUp
from referee.games.shy_monsters.state import DISCOVERED, PILE, Dungeon, GameResult, Tile, hand_zone, undiscovered_zone


def decode_position(data: Data) -> Dungeon:
    """Return the table that a position describes.

    Raises MalformedInput if its form is wrong, ContradictoryPosition if it cannot be.
    """
    reading = _PositionDecoder(data)
    state = reading.build_state()
    wrong = find_contradictions(state, data["question"], reading.is_before_first_move)
    if wrong:
        raise ContradictoryPosition(wrong)
    return state


def check_census(data: Data) -> Data:
    """Return whether a position's cards can be, and which of them to count again.

    Raises MalformedInput.
    """
    reading = _PositionDecoder(data)
    state = reading.build_state()
    wrong = find_contradictions(state, data["question"], reading.is_before_first_move)
    return {"possible": not wrong, "contradictions": wrong, "recounts": list_recounts(state)}


@dataclass(frozen=True)
class _PositionDecoder:
    """A position being read. Raises MalformedInput if its form is wrong."""

    data: Data

    def __post_init__(self) -> None:
        errors = list(find_mismatches(SCHEMA, self.data))
        if not errors:
            errors = list(self._find_misplaced_parts())
        if errors:
            raise MalformedInput(errors)

    def _find_misplaced_parts(self) -> list[SchemaMismatch]:
        """Find letters that are not on the plan, and parts that do not belong together."""
        data, errors = self.data, []
        if "tiles" in data and "plan" in data:
            errors.append({"pointer": "/plan", "detail": "give either tiles or a plan, not both"})
        if (data["question"] == "turn_up") != ("turn_up" in data):
            errors.append(
                {
                    "pointer": "/turn_up",
                    "detail": "this member and the question turn_up need each other: give both or neither",
                }
            )
        plan = data.get("plan")
        drawn = self._locate_letters() if plan else {}
        if plan and sum(len(row.replace(".", "").replace(" ", "")) for row in plan["rows"]) != len(drawn):
            errors.append({"pointer": "/plan/rows", "detail": "use each letter only once"})
        if plan and "E" not in drawn:
            errors.append({"pointer": "/plan/rows", "detail": "E, the entrance, is missing"})
        turn = data.get("turn_up", {})
        places = [("/hero", data.get("hero")), ("/turn_up/at", turn.get("at")), ("/turn_up/over", turn.get("over"))]
        places += [(f"/turned_up/{at}", place) for at, place in enumerate(data.get("turned_up", ()))]
        if plan:
            for part in ("cards", "up", "dead"):
                places += [(f"/plan/{part}", letter) for letter in plan.get(part, ())]
        for pointer, place in places:
            if isinstance(place, str) and place not in drawn:
                errors.append({"pointer": pointer, "detail": f"{place} is not a letter of the plan"})
        if turn and not errors:
            errors += self._check_turn_up(turn)
        return errors

    def _check_turn_up(self, turn: Data) -> list[SchemaMismatch]:
        """Find what is wrong with the card to be turned up."""
        board = {tile.spot: tile for tile in self.decode_tiles() or ()}
        at = self.decode_spot(turn["at"])
        if at not in board or board[at].card != BACK or board[at].up:
            return [{"pointer": "/turn_up/at", "detail": "this must be an unknown card that lies face down"}]
        if turn.get("over") is not None and self.decode_spot(turn["over"]) not in board:
            return [{"pointer": "/turn_up/over", "detail": "no card lies there"}]
        extra = [part for part in ("attack", "over") if part in turn and turn["because"] != "entered"]
        return [
            {"pointer": f"/turn_up/{part}", "detail": "this member is only for a card that the hero entered"}
            for part in extra
        ]

    def _locate_letters(self) -> dict[str, Spot]:
        rows = self.data["plan"]["rows"]
        lie = {mark: (x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark not in ". "}
        x0, y0 = lie.get("E", START_SPOT)
        return {mark: (x - x0, y - y0) for mark, (x, y) in lie.items()}

    def decode_spot(self, written: Any) -> Spot:
        """Read a place written as coordinates or as a letter of the plan."""
        if isinstance(written, str):
            return self._locate_letters()[written]
        return (written[0], written[1])

    @property
    def is_before_first_move(self) -> bool:
        """Whether the hero has not moved yet on this floor."""
        turn = self.data.get("turn_up", {})
        return self.data["question"] in (*BUILDING, "reveal") or turn.get("because") == "revealed"

    @property
    def floor_number(self) -> int | None:
        """The number of the floor, 0 before the first."""
        return 0 if self.data["question"] == "shuffle" else self.data.get("floor")

    def decode_tiles(self) -> tuple[Tile, ...] | None:
        """Return the cards of the floor as written, without what follows from other parts."""
        if self.data["question"] in BUILDING:
            return ONLY_ENTRANCE
        if "plan" in self.data:
            tiles = self._decode_plan(self.data["plan"])
        elif "tiles" in self.data:
            tiles = [_decode_tile(tile) for tile in self.data["tiles"]]
        else:
            return None
        return tuple(sorted(tiles, key=lambda tile: (tile.y, tile.x)))

    def _decode_plan(self, plan: Data) -> list[Tile]:
        tiles: list[Tile] = []
        for letter, (x, y) in self._locate_letters().items():
            if letter == "E":
                tiles.append(*ONLY_ENTRANCE)
                continue
            up = letter in plan["up"] if "up" in plan else None
            card = plan.get("cards", {}).get(letter, BACK)
            alive = letter not in plan["dead"] if "dead" in plan and up and card in MONSTERS else None
            tiles.append(Tile(x, y, card, up, alive=alive))
        return tiles

    def build_state(self) -> Dungeon:
        """Build the table without looking for contradictions."""
        data = self.data
        question = data["question"]
        results = tuple(GameResult(each["winner"], each["how"]) for each in data.get("results", ()))
        match = Dungeon(
            games=data.get("games", 1),
            at_table=data.get("cards") == "table",
            named=tuple(data.get("named", ())),
            results=results,
        )
        if question == "roles":
            return replace(match, agenda=(PlayMatch(), DrawRoles()))
        tiles = self.decode_tiles()
        turned = self._infer_turned_spots(tiles)
        attack, jump = self._infer_skills(tiles or ())
        if tiles is not None:
            tiles = tuple(infer_monster_state(tile, tiles, turned, attack) for tile in tiles)
        return replace(
            match,
            zones=self._build_zones(),
            agenda=self._build_agenda(tiles),
            game=data.get("game", len(results) + (question != "over")),
            dungeon_master=data.get("dungeon_master"),
            floor=self.floor_number,
            tiles=tiles,
            pawn=self._infer_pawn(),
            attack=attack,
            jump=jump,
            turned=turned,
            idle=data.get("idle_moves", 0 if self.is_before_first_move else None),
        )

    def _infer_skills(self, tiles: tuple[Tile, ...]) -> tuple[bool | None, bool | None]:
        """Infer whether attack and jump are ready.

        A skill used by a move still under way or by a kill is not.
        """
        turn, ready = self.data.get("turn_up", {}), True if self.is_before_first_move else None
        struck = turn.get("attack") is True or any(tile.alive is False for tile in tiles)
        jumped = turn.get("over") is not None or turn.get("because") == "skipped"
        attack = self.data.get("attack_ready", False if struck else ready)
        return attack, self.data.get("jump_ready", False if jumped else ready)

    def _infer_pawn(self) -> Spot | None:
        if "hero" in self.data:
            return self.decode_spot(self.data["hero"])
        turn = self.data.get("turn_up", {})
        if turn.get("because") == "entered":
            return self.decode_spot(turn["at"])
        return START_SPOT if self.is_before_first_move else None

    def _infer_turned_spots(self, tiles: tuple[Tile, ...] | None) -> tuple[Spot, ...] | None:
        """Infer the order in which cards were turned up, or None if it does not follow.

        It follows only if at most one card is up.
        """
        if "turned_up" in self.data:
            return tuple(map(self.decode_spot, self.data["turned_up"]))
        laid = [tile for tile in tiles or () if tile.card != ENTRANCE]
        up = tuple(tile.spot for tile in laid if tile.up)
        is_known = tiles is not None and all(tile.up is not None for tile in laid)
        return up if is_known and len(up) < 2 else None

    def _build_zones(self) -> dict[str, Cards]:
        data, question, floor = self.data, self.data["question"], self.floor_number
        zones: dict[str, Cards] = {}
        if "pile" in data:
            zones[PILE] = _decode_cards(data["pile"])
        elif floor is not None:
            drawn = floor - 1 if question == "monsters" else floor
            zones[PILE] = (BACK,) * (len(MONSTERS) - MONSTERS_PER_FLOOR * drawn)
        if "discovered" in data:
            zones[DISCOVERED] = tuple(data["discovered"])
        elif floor is not None and floor <= 1:
            zones[DISCOVERED] = ()
        if "dungeon_master" not in data:
            return zones
        hand, aside = hand_zone(data["dungeon_master"]), undiscovered_zone(data["dungeon_master"])
        if "hand" in data:
            zones[hand] = _decode_cards(data["hand"])
        elif question != "over":
            held = {"shuffle": BASE_HAND, "monsters": BASE_HAND, "build": (*BASE_HAND, BACK, BACK)}
            zones[hand] = held.get(question, ())
        if "undiscovered" in data:
            zones[aside] = _decode_cards(data["undiscovered"])
        elif floor is not None and DISCOVERED in zones:
            zones[aside] = (BACK,) * (MONSTERS_PER_FLOOR * max(0, floor - 1) - len(zones[DISCOVERED]))
        return zones

    def _build_agenda(self, tiles: tuple[Tile, ...] | None) -> tuple[Step, ...]:
        below = (PlayMatch(), PlayFloors())
        reveals = RevealCards(self._count_reveals_left(tiles))
        match self.data["question"]:
            case "shuffle":
                return (*below, ShufflePile(PILE))
            case "monsters":
                return (*below, Walk(), reveals, BuildFloor(), DrawMonsters())
            case "build":
                return (*below, Walk(), reveals, BuildFloor())
            case "reveal":
                return (*below, Walk(), reveals)
            case "explore":
                return (*below, Walk())
            case "over":
                return ()
            case _:
                return (*below, Walk(), *self._build_turning_steps(reveals))

    def _build_turning_steps(self, reveals: RevealCards) -> tuple[Step, ...]:
        turn = self.data["turn_up"]
        at = self.decode_spot(turn["at"])
        waiting: dict[str, Step] = {
            "revealed": reveals,
            "entered": self._build_entry_step(at, turn),
            "skipped": CheckHeroBarred(),
        }
        return (waiting[turn["because"]], TurnUp(*at))

    def _build_entry_step(self, at: Spot, turn: Data) -> ResolveEntry:
        """Build the step of the card entered.

        A skill that is still ready was not used for it. Otherwise the position has to say whether it was used.
        """
        attack = turn.get("attack", False if self.data.get("attack_ready") else None)
        if turn.get("over") is not None:
            return ResolveEntry(*at, attack, self.decode_spot(turn["over"]), jumped=True)
        walked = "over" in turn or self.data.get("jump_ready") is True
        return ResolveEntry(*at, attack, jumped=False if walked else None)

    def _count_reveals_left(self, tiles: tuple[Tile, ...] | None) -> int | None:
        """Count the cards still to be turned up after the one that is being turned up now."""
        if "reveals_left" in self.data:
            left: int = self.data["reveals_left"]
            return left
        if not self.floor_number or tiles is None or any(tile.up is None for tile in tiles):
            return None
        up = sum(tile.up is True for tile in tiles) - 1
        due: int = REVEALS_PER_FLOOR[self.floor_number - 1] - up
        return due - 1 if self.data["question"] == "turn_up" else due


def _decode_tile(written: Data) -> Tile:
    start = (written["x"], written["y"]) == START_SPOT
    return Tile(
        written["x"],
        written["y"],
        written.get("card", ENTRANCE if start else BACK),
        written.get("up", True if start else None),
        written.get("active"),
        written.get("alive"),
    )


def _decode_cards(written: Any) -> Cards:
    return (BACK,) * written if isinstance(written, int) else arrange_cards(written)
