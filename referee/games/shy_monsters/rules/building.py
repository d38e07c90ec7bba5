"""Phase 1: the dungeon master builds the floor.

Clauses: SM-BUILD-1 to SM-BUILD-7, SM-AMB-23.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

from referee.engine.chance import ChanceStep, PickResult, RandomBelow, shuffle_cards
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, NotAsked, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import Step, StepPopped, require_move
from referee.games.shy_monsters.components import (
    BACK,
    BOOK,
    CARD_COPIES,
    CARDS_PER_FLOOR,
    FACES,
    MAX_DISTANCE,
    MONSTERS,
    MONSTERS_PER_FLOOR,
    START_SPOT,
)
from referee.games.shy_monsters.events import FloorBuilt, MonstersDrawn
from referee.games.shy_monsters.floors import (
    find_connected_spots,
    generate_floors,
    get_shape_sets,
    lay_floor,
    list_shapes,
)
from referee.games.shy_monsters.moves import Build, Concede, sort_cells
from referee.games.shy_monsters.rules.checking import check_concession
from referee.games.shy_monsters.rules.exploring import concede_game
from referee.games.shy_monsters.rules.turning import check_unused
from referee.games.shy_monsters.state import DISCOVERED, PILE, Dungeon, Laid, hand_zone, undiscovered_zone


@named("sm.DrawMonsters")
@dataclass(frozen=True)
class DrawMonsters(ChanceStep):
    """The two monsters drawn are named, for real cards of a seat that no person holds.

    SM-BUILD-1: The dungeon master adds two monsters from the pile to the hand.
    SM-AMB-18: Each floor takes two of the monsters left. Those of earlier floors do not come back.
    """

    device: ClassVar[str] = "cards"
    clauses: ClassVar[tuple[str, ...]] = ("SM-BUILD-1", "SM-AMB-18")

    def candidate_moves(self, state: Dungeon, seat: Seat) -> Iterable[Move]:
        return map(PickResult, combinations(MONSTERS, MONSTERS_PER_FLOOR))

    def check_move(self, state: Dungeon, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        check_drawn_monsters(state, move.cards)

    def decide_move(self, state: Dungeon, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield StepPopped()
        yield MonstersDrawn(PILE, hand_zone(state.master), (BACK,) * MONSTERS_PER_FLOOR, move.cards)

    def draw_outcome(self, state: Dungeon, below: RandomBelow) -> Move:
        used = {card for cards in state.zones.values() for card in cards}
        return PickResult(
            tuple(shuffle_cards([card for card in MONSTERS if card not in used], below)[:MONSTERS_PER_FLOOR])
        )


def check_drawn_monsters(state: Dungeon, cards: tuple[str, ...]) -> None:
    """Check that these monsters can have been drawn. Raises IllegalMove if not.

    SM-BUILD-1: The dungeon master adds two monsters from the pile to the hand.
    SM-AMB-18: Monsters of earlier floors do not come back.
    """
    if len(cards) != MONSTERS_PER_FLOOR or len(set(cards) & set(MONSTERS)) != MONSTERS_PER_FLOOR:
        raise IllegalMove("two_monsters_are_drawn", "SM-BUILD-1", "SM-MAT-2")
    for card in cards:
        check_unused(state, card)


@named("sm.BuildFloor")
@dataclass(frozen=True)
class BuildFloor(Step):
    """The dungeon master lays all six cards.

    SM-BUILD-2: All six hand cards are laid out face down.
    SM-BUILD-5: A monster may lie where it will not be active. That is no fault.
    SM-BUILD-6: Monsters may lie side by side.
    SM-AMB-22: Only the finished floor is looked at.
    SM-AMB-17: The hero may concede while the dungeon master builds.
    """

    clauses: ClassVar[tuple[str, ...]] = (
        "SM-BUILD-2", "SM-BUILD-3", "SM-BUILD-4", "SM-BUILD-5", "SM-BUILD-6", "SM-AMB-2", "SM-AMB-22",
    )  # fmt: skip
    listing_limit: ClassVar[int] = 20  # of 638,400 floors: a longer list helps nobody, the pattern describes them all

    def awaited_seats(self, state: Dungeon) -> frozenset[Seat]:
        return frozenset({Seat(state.master)})

    def admitted_seats(self, state: Dungeon) -> frozenset[Seat]:
        return frozenset({Seat(state.hero)})

    def timeout_move(self, state: Dungeon, seat: Seat) -> Move | None:
        """Return the floor that is laid when the time runs out.

        SM-AMB-23: It is the first floor there is, with the cards sorted by name. Real cards nobody lays for their
            holder.
        """
        hand = sorted(state.get_hand())
        return None if BACK in hand else next(map(Build, generate_floors(tuple(hand))), None)

    def candidate_moves(self, state: Dungeon, seat: Seat) -> Iterable[Move]:
        """Return a few floors that break a rule, then every floor that can be built.

        There are 5320 shapes with up to 120 orders of the cards each.
        """
        if seat == state.hero:
            return iter((Concede(),))
        return self._generate_candidates(state)

    def promising_moves(self, state: Dungeon, seat: Seat) -> Iterable[Move]:
        if seat == state.hero:
            return (Concede(),)
        return map(Build, generate_floors(self._list_cards_to_lay(state)))

    def _generate_candidates(self, state: Dungeon) -> Iterator[Build]:
        cards = self._list_cards_to_lay(state)
        yield from generate_illegal_floors(cards)
        yield from map(Build, generate_floors(cards))

    def _list_cards_to_lay(self, state: Dungeon) -> tuple[str, ...]:
        hand = state.get_hand()
        return (BACK,) * CARDS_PER_FLOOR if BACK in hand else hand

    def check_move(self, state: Dungeon, seat: Seat, move: Move) -> None:
        if seat == state.hero:
            if isinstance(move, Build):
                raise IllegalMove("only_the_dungeon_master_builds", "SM-COURSE-1")
            if not isinstance(move, Concede):
                raise NotAsked("wait_for_the_floor", "SM-BUILD-7")
        elif isinstance(move, Build):
            check_shape(move.cells)
            check_cards(state, [cell.card for cell in move.cells])
        else:
            check_concession(state, seat, move)
            super().check_move(state, seat, move)

    def decide_move(self, state: Dungeon, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Build):
            yield FloorBuilt(state.master, sort_cells(move.cells))
            yield StepPopped()
        else:
            yield from concede_game(state)

    def move_patterns(self, state: Dungeon, seat: Seat) -> tuple[dict[str, Any], ...]:
        if seat != state.master:
            return ()
        hand = state.get_hand()
        cards = {BACK: len(hand)} if BACK in hand else dict(sorted(Counter(hand).items()))
        place = {"type": "integer", "minimum": -MAX_DISTANCE, "maximum": MAX_DISTANCE}
        card = {"enum": [*cards], "copies": [*cards.values()]}
        cell = {
            "type": "object",
            "required": ["x", "y", "card"],
            "properties": {"x": place, "y": place, "card": card},
        }
        fields = {"cells": {"type": "array", "minItems": CARDS_PER_FLOOR, "maxItems": CARDS_PER_FLOOR, "items": cell}}
        return ({"type": Build.TAG, "fields": fields, "says": BOOK.render_texts("pattern.sm.build")},)

    def sample_move(self, state: Dungeon, seat: Seat, below: Callable[[int], int]) -> Move | None:
        """Return a random shape with the hand laid on it in random order."""
        if seat != state.master:
            return None
        cards = self._list_cards_to_lay(state)
        return Build(lay_floor(list_shapes()[below(len(list_shapes()))], shuffle_cards(cards, below)))


def check_shape(cells: tuple[Laid, ...]) -> None:
    """Check that six cards lie on six places, connected with the entrance by sides.

    Raises IllegalMove if they do not.

    SM-BUILD-2: All six hand cards are laid out face down.
    SM-BUILD-3: The seven cards, entrance included, form one shape on a square grid, connected by sides.
    """
    if len(cells) == CARDS_PER_FLOOR and frozenset((cell.x, cell.y) for cell in cells) in get_shape_sets():
        return
    if len(cells) != CARDS_PER_FLOOR:
        raise IllegalMove("six_cards_are_laid", "SM-BUILD-2", "SM-AMB-2", count=len(cells))
    spots = Counter((cell.x, cell.y) for cell in cells)
    for (x, y), count in spots.items():
        if (x, y) == START_SPOT:
            raise IllegalMove("entrance_lies_there", "SM-BUILD-3")
        if count > 1:
            raise IllegalMove("two_cards_on_one_place", "SM-BUILD-3", x=x, y=y)
        if abs(x) + abs(y) > MAX_DISTANCE:
            raise IllegalMove("too_far_away", "SM-BUILD-3", "SM-STATE-3", x=x, y=y)
    apart = min(spots.keys() - find_connected_spots(spots))  # not empty, or the shape would be a known one
    raise IllegalMove("cards_lie_apart", "SM-BUILD-3", x=apart[0], y=apart[1])


def check_cards(state: Dungeon, cards: list[str]) -> None:
    """Check that the cards laid are those in hand, or backs if the cards are real.

    Raises IllegalMove if they are not, Undetermined if the hand is not known. There have to be six.

    SM-AMB-18: Monsters of earlier floors do not come back.
    SM-AMB-20: The referee keeps the floor and decides on attacks itself. It has to know the floor for that. Real cards
        it sees only as they are turned up.
    """
    hand = state.get_hand()
    if BACK not in hand:
        if sorted(cards) == sorted(hand):
            return
        if BACK in cards:
            raise IllegalMove("name_every_card", "SM-AMB-20", "SM-BUILD-2")
        card = min(Counter(cards) - Counter(hand))  # six cards each, so there is one
        if is_laid_aside(state, card):
            raise IllegalMove("monster_was_used", "SM-AMB-18", "SM-BUILD-1", card=card)
        raise IllegalMove("not_your_six_cards", "SM-BUILD-1", "SM-AMB-2", card=card)
    if set(cards) == {BACK}:
        return
    if state.at_table:
        raise IllegalMove("name_no_card", "SM-BUILD-2", "SM-BUILD-4")
    if BACK in cards:
        raise IllegalMove("name_every_card", "SM-AMB-20", "SM-BUILD-2")
    check_could_hold(state, cards)
    raise Undetermined("which_cards_are_held")


def is_laid_aside(state: Dungeon, card: str) -> bool:
    """Return whether a monster of an earlier floor is known to lie aside."""
    aside = (DISCOVERED, undiscovered_zone(state.master))
    return any(card in state.zones.get(zone, ()) for zone in aside)


def check_could_hold(state: Dungeon, cards: list[str]) -> None:
    """Check that a dungeon master could hold these six cards on this floor.

    Raises IllegalMove if that cannot be.

    SM-MAT-2: The box has three corridors, one exit and six different monsters.
    SM-BUILD-1: The dungeon master holds two monsters on each floor.
    """
    for card in cards:
        if card not in FACES:
            raise IllegalMove("no_such_dungeon_card", "SM-MAT-2", card=card)
    for card in sorted(Counter(cards) - Counter(CARD_COPIES)):
        raise IllegalMove("no_such_hand", "SM-MAT-2", "SM-BUILD-1", card=card)
    for card in sorted(Counter(state.get_hand()) - Counter(cards)):
        if card != BACK:
            raise IllegalMove("card_is_kept_back", "SM-BUILD-2", "SM-AMB-2", card=card)
    monsters = [card for card in cards if card in MONSTERS]
    if len(monsters) > MONSTERS_PER_FLOOR:
        raise IllegalMove("no_such_hand", "SM-MAT-2", "SM-BUILD-1", card=monsters[-1])
    for card in monsters:
        if card in state.get_discovered_monsters():
            raise IllegalMove("monster_was_used", "SM-AMB-18", card=card)


def generate_illegal_floors(cards: tuple[str, ...]) -> Iterator[Build]:
    """Yield floors that a player may think of and that break a rule.

    These are: too few cards, a covered entrance, cards joined by corners only, gaps, and a card laid twice.
    """
    line = lay_floor(tuple((x, 0) for x in range(1, CARDS_PER_FLOOR + 1)), cards)
    yield Build(line[:-1])
    yield Build((replace(line[0], x=0), *line[1:]))
    yield Build((*line[:-1], replace(line[-1], x=CARDS_PER_FLOOR - 1)))
    yield Build((*line[:-1], replace(line[-1], x=-1, y=1)))
    yield Build(tuple(replace(cell, y=1) for cell in line))
    yield Build((*line[:-1], replace(line[-1], x=-CARDS_PER_FLOOR)))
    named_cards = {card for card in cards if card != BACK}
    for card in sorted(named_cards):
        if cards.count(card) < CARD_COPIES[card] + 1 and card != cards[0]:
            yield Build((replace(line[0], card=card), *line[1:]))
