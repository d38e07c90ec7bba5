"""The best walk over a floor of which some cards are down.

Everything that may lie there is tried.

A `World` says where the exit and the two monsters lie and whether these are comfortable there. Which monsters they are
makes no further difference on the floor. So there are at most 240 worlds, and all that a hero can meet is tried in
some hundredths of a second.

SM-ACT-0: A monster attacks only if it is comfortable and not frightened.
SM-ACT-2a, SM-AMB-14: Every monster that is up frightens those side by side that are turned up later.
SM-AMB-8: At a jump the card skipped is turned up after the one landed on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.games.shy_monsters.components import Spot, adjacent_spots

# What the hero knows of a card. Of monsters that lie up and do not attack, `CALM` is one that is not comfortable,
# `FRIGHTENED` and `BEATEN` ones that may be.
DOWN, OPEN, WAY_OUT, CALM, FRIGHTENED, BEATEN, DEADLY = range(7)
PASSABLE = (OPEN, CALM, FRIGHTENED, BEATEN)
NOWHERE = -1

Cards = tuple[int, ...]  # what the hero knows of each card of the floor


class World(NamedTuple):
    """What may lie down on a floor, by the numbers of the cards.

    `weight`: how likely that is. `NOWHERE` stands for an exit or a monster that is up already.
    """

    exit: int
    first: int
    second: int
    first_at_home: bool
    second_at_home: bool
    weight: float


class Knowledge(NamedTuple):
    """What decides on a walk: where the hero stands, the skills left, the cards."""

    at: int
    attack: bool
    jump: bool
    cards: Cards


class Action(NamedTuple):
    """A step or a jump from a card that can be reached over cards that are up."""

    start: int
    onto: int
    over: int = NOWHERE
    attack: bool = False


@dataclass(frozen=True)
class Outline:
    """The places of a floor, and for each card those side by side, by number."""

    spots: tuple[Spot, ...]
    sides: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, spots: Sequence[Spot]) -> Outline:
        """Return the outline of these places."""
        number = {spot: index for index, spot in enumerate(spots)}
        return cls(
            tuple(spots),
            tuple(tuple(number[side] for side in adjacent_spots(spot) if side in number) for spot in spots),
        )


Found = tuple[Knowledge, list[World]]  # what the hero may know next, and the worlds in which that is so


class Walks:
    """How likely the hero gets out of one floor, for all that can be met on it.

    The likelihoods are sums of the weights of worlds.
    """

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self._known: dict[Knowledge, float] = {}

    def estimate(self, known: Knowledge, worlds: list[World]) -> float:
        """Return in how many of the worlds the hero gets out by the best walk."""
        if not worlds:
            return 0.0
        reach = self.find_reach(known)
        key = Knowledge(min(reach), known.attack, known.jump, known.cards)
        if key not in self._known:
            whole, best = sum(world.weight for world in worlds), 0.0
            for action in self.list_actions(known, reach):
                best = max(best, self.estimate_action(known, action, worlds))
                if best >= whole:
                    break
            self._known[key] = best
        return self._known[key]

    def estimate_action(self, known: Knowledge, action: Action, worlds: list[World]) -> float:
        """Return in how many of the worlds the hero gets out who begins with this."""
        escaped, others = self.carry_out(known, action, worlds)
        return escaped + sum(self.estimate(then, left) for then, left in others)

    def estimate_reveal(self, known: Knowledge, card: int, left: int, worlds: list[World]) -> float:
        """Return in how many worlds the hero gets out who turns up this card first.

        After it the best others are turned up.
        """
        found = 0.0
        for then, there in self.turn_up(known, card, worlds):
            down = list_down(then.cards) if left > 1 else []
            options = [self.estimate_reveal(then, other, left - 1, there) for other in down]
            found += max(options) if options else self.estimate(then, there)
        return found

    def choose_action(self, known: Knowledge, worlds: list[World]) -> Action | None:
        """Return the best action; None if there is none."""
        actions = list(self.list_actions(known, self.find_reach(known)))
        return max(actions, key=lambda action: self.estimate_action(known, action, worlds), default=None)

    def choose_reveal(self, known: Knowledge, left: int, worlds: list[World]) -> int:
        """Return the card to turn up first, if `left` are to be."""
        return max(list_down(known.cards), key=lambda card: self.estimate_reveal(known, card, left, worlds))

    def find_reach(self, known: Knowledge) -> list[int]:
        """Return the cards that the hero can walk to without a risk, the nearest first."""
        reach = [known.at]
        for card in reach:
            reach += [side for side in self.outline.sides[card] if known.cards[side] in PASSABLE and side not in reach]
        return reach

    def list_actions(self, known: Knowledge, reach: Sequence[int]) -> Iterator[Action]:
        """Yield everything that brings the hero further, sure ways out first."""
        cards, sides = known.cards, self.outline.sides
        edge: dict[int, int] = {}
        for start in reach:
            for onto in sides[start]:
                if onto not in reach:
                    edge.setdefault(onto, start)
        jumps = [
            Action(start, onto, over)
            for start in (reach if known.jump else ())
            for over in sides[start]
            for onto in sides[over]
            if onto != start
        ]
        steps = [Action(start, onto) for onto, start in edge.items()]
        yield from (action for action in (*steps, *jumps) if cards[action.onto] == WAY_OUT)
        for action in (*steps, *jumps):
            face = cards[action.onto]
            if face == DOWN or (face in PASSABLE and (action.onto not in reach or cards[action.over] == DOWN)):
                yield action
            if known.attack and face in (DOWN, DEADLY):
                yield action._replace(attack=True)

    def carry_out(self, known: Knowledge, action: Action, worlds: list[World]) -> tuple[float, list[Found]]:
        """Return in how many worlds an action ends on the exit, and the other cases.

        These are what the hero may know then. The worlds in which the hero dies are left out.
        """
        onto, over = action.onto, action.over
        attack, jump = known.attack and not action.attack, known.jump and over == NOWHERE
        face = known.cards[onto]
        if face == WAY_OUT:
            return sum(world.weight for world in worlds), []
        if face != DOWN:
            cards = replace_card(known.cards, onto, BEATEN) if face == DEADLY else known.cards
            landed: list[Found] = [(Knowledge(onto, attack, jump, cards), worlds)]
            escaped = 0.0
        else:
            escaped, free, met = 0.0, [], []
            harmless = action.attack or self.is_frightened(known.cards, onto)
            for world in worlds:
                if world.exit == onto:
                    escaped += world.weight
                elif onto not in (world.first, world.second):
                    free.append(world)
                elif harmless or not is_at_home(world, onto):
                    met.append(world)
            monster = BEATEN if action.attack else FRIGHTENED if harmless else CALM
            landed = [
                (Knowledge(onto, attack, jump, replace_card(known.cards, onto, now)), there)
                for now, there in ((OPEN, free), (monster, met))
                if there
            ]
        if over == NOWHERE or known.cards[over] != DOWN:
            return escaped, landed
        return escaped, [found for then, there in landed for found in self.turn_up(then, over, there)]

    def turn_up(self, known: Knowledge, card: int, worlds: list[World]) -> list[Found]:
        """Return what the hero may know after a card is turned up that nobody enters."""
        frightened = self.is_frightened(known.cards, card)
        parts: dict[int, list[World]] = {}
        for world in worlds:
            if world.exit == card:
                face = WAY_OUT
            elif card not in (world.first, world.second):
                face = OPEN
            else:
                face = FRIGHTENED if frightened else DEADLY if is_at_home(world, card) else CALM
            parts.setdefault(face, []).append(world)
        return [(known._replace(cards=replace_card(known.cards, card, face)), there) for face, there in parts.items()]

    def is_frightened(self, cards: Cards, card: int) -> bool:
        """Return whether a monster that is turned up now panics."""
        return any(cards[side] >= CALM for side in self.outline.sides[card])


def is_at_home(world: World, card: int) -> bool:
    """Return whether the monster on a card is comfortable there."""
    return world.first_at_home if world.first == card else world.second_at_home


def replace_card(cards: Cards, card: int, face: int) -> Cards:
    """Return what the hero knows after one card has changed."""
    return (*cards[:card], face, *cards[card + 1 :])


def list_down(cards: Collection[int]) -> list[int]:
    """Return the numbers of the cards that are down."""
    return [card for card, face in enumerate(cards) if face == DOWN]
