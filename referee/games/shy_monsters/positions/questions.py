"""The questions of Shy Monsters, each with the steps that wait behind it."""

from __future__ import annotations

from typing import Any

from referee.engine.positions.rows import Position
from referee.engine.steps import Step
from referee.games.shy_monsters.rules.building import BuildFloor, DrawMonsters
from referee.games.shy_monsters.rules.course import DrawRoles, PlayFloors, PlayMatch, ShufflePile
from referee.games.shy_monsters.rules.exploring import RevealCards, Walk
from referee.games.shy_monsters.rules.turning import CheckHeroBarred, ResolveEntry, TurnUp
from referee.games.shy_monsters.state import PILE, Dungeon

QUESTIONS: dict[str, tuple[type[Step], ...]] = {  # each question with the steps that wait, its own on top
    "roles": (PlayMatch, DrawRoles),
    "shuffle": (PlayMatch, PlayFloors, ShufflePile),
    "monsters": (PlayMatch, PlayFloors, Walk, RevealCards, BuildFloor, DrawMonsters),
    "build": (PlayMatch, PlayFloors, Walk, RevealCards, BuildFloor),
    "reveal": (PlayMatch, PlayFloors, Walk, RevealCards),
    "explore": (PlayMatch, PlayFloors, Walk),
    "turn_up": (PlayMatch, PlayFloors, Walk, TurnUp),  # beneath `TurnUp` waits the step that is the reason
    "over": (),
}
REASONS: dict[str, type[Step]] = {"revealed": RevealCards, "entered": ResolveEntry, "skipped": CheckHeroBarred}


def find_question(state: Dungeon) -> str:
    """Return the question that is open."""
    return next(name for name, steps in QUESTIONS.items() if steps[-1:] == tuple(map(type, state.agenda[-1:])))


def find_reveals_left(state: Dungeon) -> int | None:
    return next((step.left for step in state.agenda if isinstance(step, RevealCards)), None)


def find_turn_up(state: Dungeon) -> dict[str, Any] | None:
    """Return which card is being turned up, and why."""
    *_, why, top = (None, None, *state.agenda)
    if not isinstance(top, TurnUp):
        return None
    found: dict[str, Any] = {
        "at": (top.x, top.y),
        "because": next(name for name, kind in REASONS.items() if isinstance(why, kind)),
    }
    if isinstance(why, ResolveEntry):
        found |= {} if why.attack is None else {"attack": why.attack}
        found |= {} if why.jumped is None else {"over": why.over}
    return found


def build_agenda(p: Position) -> tuple[Step, ...]:
    """Return the steps that wait in a position, the question on top."""
    kinds, turn = QUESTIONS[p["question"]], p["turn_up"]
    built: dict[type[Step], Step] = {ShufflePile: ShufflePile(PILE), RevealCards: RevealCards(p["reveals_left"])}
    if turn:
        kinds = (*kinds[:-1], REASONS[turn["because"]], kinds[-1])
        built |= {TurnUp: TurnUp(*turn["at"]), ResolveEntry: _build_entry(p, turn)}
    return tuple(built.get(kind) or kind() for kind in kinds)


def _build_entry(p: Position, turn: dict[str, Any]) -> ResolveEntry:
    """Build the step of the card entered.

    A skill that is still ready was not used for it. Otherwise the position has to say whether it was used.
    """
    x, y = turn["at"]
    attack = turn.get("attack", False if p["attack_ready"] else None)
    over, walked = turn.get("over"), "over" in turn or p["jump_ready"]
    return ResolveEntry(x, y, attack, over, jumped=True if over is not None else False if walked else None)
