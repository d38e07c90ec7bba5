"""Turn up cards, and resolve what the card entered does.

Clauses: SM-ACT-0 to SM-ACT-4, SM-HERO-EXPLORE-2, SM-HERO-JUMP-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.chance import ONLY_CHANCE, ChanceStep, RandomBelow, TurnUpResult
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import NO_SEATS, Step, StepPopped, StepPushed, StepReplaced, require_move
from referee.engine.zones import count_copies
from referee.games.shy_monsters.components import (
    BACK,
    CARD_COPIES,
    CORRIDOR,
    ENTRANCE,
    EXIT,
    FACES,
    MONSTERS,
    MONSTERS_PER_FLOOR,
    Spot,
    adjacent_spots,
    is_comfortable,
)
from referee.games.shy_monsters.events import CardTurnedUp, ExitReached, HeroBarred, HeroKilled, MonsterKilled
from referee.games.shy_monsters.rules.ending import finish_game, is_hero_barred
from referee.games.shy_monsters.state import Dungeon


@named("sm.TurnUp")
@dataclass(frozen=True)
class TurnUp(ChanceStep):
    """The card on this place is turned up.

    Chance reports the face if it is not known, as at a table of real cards or in a view.
    """

    x: int
    y: int
    device: ClassVar[str] = "cards"
    clauses: ClassVar[tuple[str, ...]] = ("SM-STATE-1",)

    def awaited_seats(self, state: Dungeon) -> frozenset[Seat]:
        return ONLY_CHANCE if state.board[self.x, self.y].card == BACK else NO_SEATS

    def candidate_moves(self, state: Dungeon, seat: Seat) -> Iterable[Move]:
        return map(TurnUpResult, (*FACES, ENTRANCE))

    def check_move(self, state: Dungeon, seat: Seat, move: Move) -> None:
        move = require_move(move, TurnUpResult)
        check_turn_up(state, move.card)

    def decide_move(self, state: Dungeon, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TurnUpResult)
        yield StepPopped()
        yield build_card_turned_up(state, (self.x, self.y), move.card)

    def resolve(self, state: Dungeon) -> Iterator[Event]:
        yield StepPopped()
        yield build_card_turned_up(state, (self.x, self.y), state.board[self.x, self.y].card)

    def draw_outcome(self, state: Dungeon, below: RandomBelow) -> Move:
        """Draw the face of the card at random.

        Each card that is still down is equally likely, and so is each monster that a card may be.
        """
        there = [tile.card for tile in state.board.values()]
        cards = [CORRIDOR] * (CARD_COPIES[CORRIDOR] - there.count(CORRIDOR)) + [EXIT] * (
            CARD_COPIES[EXIT] - there.count(EXIT)
        )
        unknown = there.count(BACK)
        pick = below(unknown)
        if pick < len(cards):
            return TurnUpResult(cards[pick])
        monsters = [card for card in MONSTERS if may_turn_up(state, card)]
        return TurnUpResult(monsters[below(len(monsters))])


def check_turn_up(state: Dungeon, card: str) -> None:
    """Check that a card that is down on this floor can show this face.

    Raises IllegalMove if none can, Undetermined if it is not known which monsters came before.

    SM-MAT-2: The box has three corridors, one exit and six different monsters.
    SM-BUILD-1: There are two monsters on each floor.
    SM-AMB-18: Monsters of earlier floors do not come back.
    """
    if card == ENTRANCE:
        raise IllegalMove("entrance_is_up_already", "SM-BUILD-4")
    if card not in FACES:
        raise IllegalMove("no_such_dungeon_card", "SM-MAT-2", card=card)
    there = [tile.card for tile in state.board.values()]
    if there.count(card) >= count_copies(CARD_COPIES, state)[card]:
        raise IllegalMove("all_copies_lie_elsewhere", "SM-MAT-2", "KERNEL-CENSUS-1", card=card)
    if card in MONSTERS:
        if sum(other in MONSTERS for other in there) >= MONSTERS_PER_FLOOR:
            raise IllegalMove("two_monsters_a_floor", "SM-BUILD-1", card=card)
        state.get_discovered_monsters()  # the ruling stays open if a position does not name them
        check_unused(state, card)


def check_unused(state: Dungeon, card: str) -> None:
    """Check that a monster lies in no place where its name is known.

    Raises IllegalMove if it does.

    SM-AMB-18: Monsters of earlier floors do not come back.
    """
    if sum(cards.count(card) for cards in state.zones.values()) >= count_copies(CARD_COPIES, state)[card]:
        raise IllegalMove("monster_was_used", "SM-AMB-18", "KERNEL-CENSUS-1", card=card)


def may_turn_up(state: Dungeon, card: str) -> bool:
    """Return whether a card that is down on this floor can show this face."""
    try:
        check_turn_up(state, card)
    except IllegalMove:
        return False
    return True


def build_card_turned_up(state: Dungeon, spot: Spot, card: str) -> CardTurnedUp:
    """Build the event that a card shows its face, for a monster with its activity.

    SM-AMB-13: Whether a monster is active is decided once, when it is turned up, and holds for the floor.
    """
    because, entry = find_reason_to_turn_up(state), state.agenda[-2]
    attacked = isinstance(entry, ResolveEntry) and entry.attack is True
    if card not in MONSTERS:
        return CardTurnedUp(*spot, card, because=because, attacked=attacked)
    frightened = state.is_frightened_at(spot)
    beside = name_frightening_monster(state, spot) if frightened else ""
    comfortable = is_comfortable(card, spot, state.board)
    return CardTurnedUp(*spot, card, comfortable, frightened, because, attacked, beside)


def name_frightening_monster(state: Dungeon, spot: Spot) -> str:
    """Return which kind of monster lies up beside a place, as `CardTurnedUp` has it."""
    tiles = [state.board[other] for other in adjacent_spots(spot) if other in state.board]
    near = [tile for tile in tiles if tile.is_up() and tile.is_monster()]
    if any(tile.active and tile.alive is not False for tile in near):
        return ""
    return "dead" if any(tile.alive is False for tile in near) else "harmless"


def find_reason_to_turn_up(state: Dungeon) -> str:
    """Return why a card is turned up: the step that waits beneath says.

    It is `revealed` before the hero moves, `entered` by a step, `landed` on by a jump, `skipped` by one, or `reached`
    if a position does not say whether the hero jumped.
    """
    why = state.agenda[-2]
    if isinstance(why, CheckHeroBarred):
        return "skipped"
    if not isinstance(why, ResolveEntry):
        return "revealed"
    return "reached" if why.jumped is None else "landed" if why.jumped else "entered"


@named("sm.Entered")
@dataclass(frozen=True)
class ResolveEntry(Step):
    """The hero has entered this card, which is up by now, and it takes effect.

    `over` is the card skipped by a jump. A position may leave out whether an attack was announced (`attack` is None),
    and whether the hero jumped and over which card (`jumped` is None). The step asks for that only if it matters.

    SM-HERO-EXPLORE-2: If the card entered is an active monster, the hero dies.
    SM-HERO-ATTACK-1: An attack kills a monster on the card entered.
    SM-HERO-EXIT-1: The phase is over as soon as the hero reaches the exit.
    SM-HERO-JUMP-1: If an active monster lies where a jump lands, the hero dies.
    SM-HERO-JUMP-2: If the hero outlives the landing, the skipped card is turned up as well.
    SM-AMB-8: The landing card is turned up and judged first.
    SM-AMB-9: The exit goes first. The skipped card stays down then.
    Also SM-ACT-4, SM-AMB-15, SM-AMB-20.
    """

    x: int
    y: int
    attack: bool | None
    over: Spot | None = None
    jumped: bool | None = False
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-EXPLORE-2",)

    def resolve(self, state: Dungeon) -> Iterator[Event]:
        tile = state.board[self.x, self.y]
        if tile.get_face() == EXIT:
            skips_hidden = self.over is not None and not state.board[self.over].is_up()
            yield ExitReached(self.x, self.y, "jump_over_down" if skips_hidden else "jump" if self.jumped else "step")
            yield StepPopped()
            yield StepPopped()  # also ends `Walk`: the step below destroys the floor
            return
        if tile.is_monster() and self.attack is None:
            raise Undetermined("was_an_attack_announced", x=self.x, y=self.y)
        if tile.is_monster() and self.attack:
            yield MonsterKilled(self.x, self.y, tile.card)
        elif tile.is_deadly():
            yield HeroKilled(self.x, self.y, tile.card)
            yield from finish_game(state, state.master, "killed")
            return
        yield StepReplaced(CheckHeroBarred())
        skipped = self.find_skipped_spot(state)
        if skipped is not None and not state.board[skipped].is_up():
            yield StepPushed(TurnUp(*skipped))

    def find_skipped_spot(self, state: Dungeon) -> Spot | None:
        """Return the place skipped by a jump, or None if there was no jump.

        Raises Undetermined if it matters and is not known.
        """
        if self.jumped is None:
            near = [state.board[spot] for spot in adjacent_spots((self.x, self.y)) if spot in state.board]
            if any(tile.up is not True for tile in near):
                raise Undetermined("which_card_was_skipped", x=self.x, y=self.y)
        return self.over


@named("sm.Onward")
@dataclass(frozen=True)
class CheckHeroBarred(Step):
    """The hero lives, and loses the game if no way is left.

    SM-AMB-17: If no card that is down and no exit can be entered any more and no skill can change that, the game goes
        to the dungeon master.
    """

    clauses: ClassVar[tuple[str, ...]] = ("SM-AMB-17",)

    def resolve(self, state: Dungeon) -> Iterator[Event]:
        if is_hero_barred(state):
            yield HeroBarred()
            yield from finish_game(state, state.master, "barred")
        else:
            yield StepPopped()
