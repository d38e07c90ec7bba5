"""The hero's best next move on a floor, and how likely it leads out."""

from __future__ import annotations

from collections.abc import Sequence

from referee.engine.events import Move
from referee.games.shy_monsters.components import FLOOR_COUNT
from referee.games.shy_monsters.moves import Explore, Jump, Place, Reveal
from referee.games.shy_monsters.reckoning.beliefs import imagine_worlds, list_cards
from referee.games.shy_monsters.reckoning.walks import NOWHERE, Action, Knowledge, Outline, Walks, list_down
from referee.games.shy_monsters.rules.checking import list_skippable_spots
from referee.games.shy_monsters.rules.exploring import RevealCards
from referee.games.shy_monsters.state import Dungeon

LATER_FLOORS = (1.0, 0.75, 0.6)  # how often a hero who has left this floor also leaves those after it, from the last on

Weighed = tuple[Move, float]


def weigh_hero_moves(dungeon: Dungeon) -> list[Weighed]:
    """Return the hero's sensible moves with their chances to win, the best first.

    There are none if nothing on the floor can be entered any more. Raises Undetermined.
    """
    spots = tuple(dungeon.board)
    outline, worlds = Outline.of(spots), imagine_worlds(dungeon, spots)
    known = Knowledge(
        spots.index(dungeon.hero_spot),
        dungeon.is_attack_ready(),
        dungeon.is_jump_ready(),
        list_cards(dungeon, spots),
    )
    whole = sum(world.weight for world in worlds)
    if not whole:
        return []
    walks = Walks(outline)
    found: dict[Move, float] = {}
    question = dungeon.agenda[-1]
    if isinstance(question, RevealCards):
        for card in list_down(known.cards):
            found[Reveal(*spots[card])] = walks.estimate_reveal(known, card, question.left or 1, worlds)
    else:
        reach = walks.find_reach(known)
        for action in walks.list_actions(known, reach):
            move = begin_action(dungeon, outline, reach, action)
            found[move] = max(found.get(move, 0.0), walks.estimate_action(known, action, worlds))
    later = LATER_FLOORS[FLOOR_COUNT - dungeon.floor_number] / whole
    return sorted(((move, value * later) for move, value in found.items()), key=lambda each: -each[1])


def begin_action(dungeon: Dungeon, outline: Outline, reach: Sequence[int], action: Action) -> Move:
    """Return the first move of an action: itself, or a step towards where it starts."""
    start, spots = action.start, outline.spots
    if start == reach[0]:
        onto = spots[action.onto]
        if action.over == NOWHERE:
            return Explore(*onto, attack=action.attack)
        several = len(list_skippable_spots(dungeon, onto)) > 1
        return Jump(*onto, Place(*spots[action.over]) if several else None, attack=action.attack)
    return Explore(*spots[find_first_step(outline, reach, start)])


def find_first_step(outline: Outline, reach: Sequence[int], target: int) -> int:
    """Return the card beside the hero over which a card within reach is nearest.

    `reach`: the nearest first, and the hero's own card in front.
    """
    while reach[0] not in outline.sides[target]:
        target = next(card for card in reach if card in outline.sides[target])
    return target
