"""Phase 2: the hero turns up cards and walks to the exit.

Clauses: SM-HERO-REVEAL-1 to SM-HERO-EXIT-1, SM-AMB-23.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import NO_SEATS, Step, StepPushed, StepReplaced
from referee.games.shy_monsters.components import CLAIMABLE_IDLE_MOVES, CORNERS, EXIT, Spot, adjacent_spots
from referee.games.shy_monsters.events import GameClaimed, HeroConceded, HeroExplored, HeroJumped
from referee.games.shy_monsters.moves import Claim, Concede, Explore, Jump, Place, Reveal
from referee.games.shy_monsters.rules.checking import (
    check_claimant,
    check_concession,
    check_exploration,
    check_idle_moves,
    check_jump,
    check_reveal,
    check_reveals_done,
    check_reveals_due,
    find_skipped_spot,
    list_skippable_spots,
)
from referee.games.shy_monsters.rules.ending import finish_game, is_known_deadly
from referee.games.shy_monsters.rules.turning import ResolveEntry, TurnUp
from referee.games.shy_monsters.state import Dungeon, Tile

CONCEDES_ONCE_IN = 200  # a random hero gives up once in this many moves


class HeroTurn(Step):
    """A question to the hero, who may concede instead of answering.

    SM-AMB-17: The hero may concede on the hero's turn.
    """

    __slots__ = ()

    def awaited_seats(self, state: Dungeon) -> frozenset[Seat]:
        return frozenset({Seat(state.hero)})

    def decide_move(self, state: Dungeon, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Concede):
            yield from concede_game(state)
        else:
            yield from self.resolve_move(state, move)

    def resolve_move(self, state: Dungeon, move: Move) -> Iterator[Event]:
        """Yield the events of a move other than conceding."""
        raise TypeError(f"{type(self).__name__} says not what follows")

    def sample_move(self, state: Dungeon, seat: Seat, below: Callable[[int], int]) -> Move | None:
        """Return a random legal move: first a random kind, then one of that kind.

        Conceding is made rare, because few random matches would reach a second floor otherwise.
        """
        if seat != state.hero:
            return None
        kinds: dict[str, list[Move]] = {}
        for move in self.candidate_moves(state, seat):
            try:
                self.check_move(state, seat, move)
            except IllegalMove:
                continue
            kinds.setdefault(move.TAG, []).append(move)
        concessions = kinds.pop(Concede.TAG)
        if not kinds or below(CONCEDES_ONCE_IN) == 0:
            return concessions[0]
        of_kind = kinds[sorted(kinds)[below(len(kinds))]]
        return of_kind[below(len(of_kind))]


def concede_game(state: Dungeon) -> Iterator[Event]:
    """End the game because the hero gives up.

    SM-AMB-17: The hero may concede. The dungeon master wins the game then.
    """
    yield HeroConceded()
    yield from finish_game(state, state.master, "conceded")


@named("sm.RevealCards")
@dataclass(frozen=True)
class RevealCards(HeroTurn):
    """The hero turns up any cards before moving, one after the other.

    `left` is None if a position does not say how many are due.

    SM-HERO-REVEAL-1: Before the hero moves, two cards are turned up on the first floor, one on the second, none on the
        last.
    SM-AMB-5: The hero picks any cards that are down and sees the first before choosing the second. It is a duty.
    """

    left: int | None
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-REVEAL-1", "SM-AMB-5")

    def awaited_seats(self, state: Dungeon) -> frozenset[Seat]:
        return NO_SEATS if self.left == 0 else super().awaited_seats(state)

    def timeout_move(self, state: Dungeon, seat: Seat) -> Move | None:
        """Return the card that is turned up when the time runs out.

        SM-AMB-23: The hero turns up the first card in rows that is down.
        """
        return next((Reveal(*spot) for spot, tile in state.board.items() if not tile.is_up()), Concede())

    def candidate_moves(self, state: Dungeon, seat: Seat) -> Iterable[Move]:
        yield from (Reveal(*spot) for spot in state.board)
        yield from (Explore(*spot) for spot in adjacent_spots(state.hero_spot) if spot in state.board)
        yield Concede()

    def check_move(self, state: Dungeon, seat: Seat, move: Move) -> None:
        match move:
            case Reveal():
                check_reveal(state, move)
            case Explore() | Jump():
                check_reveals_done(self.left)
            case Concede():
                pass
            case _:
                super().check_move(state, seat, move)

    def resolve_move(self, state: Dungeon, move: Move) -> Iterator[Event]:
        assert isinstance(move, Reveal)
        yield StepReplaced(RevealCards(None if self.left is None else self.left - 1))
        yield StepPushed(TurnUp(move.x, move.y))


@named("sm.Walk")
@dataclass(frozen=True)
class Walk(HeroTurn):
    """The hero explores or jumps until the exit is reached.

    The dungeon master is admitted, to claim a game in which nothing is turned up any more.

    SM-HERO-GOAL-1: The hero sets out for the exit.
    SM-AMB-19: No passing. Each turn of the hero is an exploration or a jump, with or without attack.
    SM-AMB-16: Up cards and the entrance may be walked over again and again.
    SM-AMB-17: After twenty hero moves in a row that turned nothing up, the dungeon master may claim the game.
    """

    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-GOAL-1", "SM-AMB-19")

    def admitted_seats(self, state: Dungeon) -> frozenset[Seat]:
        return frozenset({Seat(state.master)})

    def invited_seats(self, state: Dungeon) -> frozenset[Seat]:
        """Return the dungeon master as soon as the game may be claimed."""
        return self.admitted_seats(state) if state.idle is not None and state.idle >= CLAIMABLE_IDLE_MOVES else NO_SEATS

    def timeout_move(self, state: Dungeon, seat: Seat) -> Move | None:
        """Return the step that the hero makes when the time runs out.

        SM-AMB-23: The hero steps onto a card that is up, else onto one that is down, else with an attack, else jumps,
            and gives up only if nothing is left.
        """
        steps: tuple[Explore | Jump, ...] = (*generate_explorations(state), *generate_jumps(state))
        offered = [move for move in steps if self._is_legal(state, seat, move)]
        return min(offered, key=lambda move: rate_risk(state, move)) if offered else Concede()

    def _is_legal(self, state: Dungeon, seat: Seat, move: Move) -> bool:
        try:
            self.check_move(state, seat, move)
        except IllegalMove:
            return False
        return True

    def candidate_moves(self, state: Dungeon, seat: Seat) -> Iterable[Move]:
        if seat == state.master:
            if state.idle is not None and state.idle >= CLAIMABLE_IDLE_MOVES:
                yield Claim()
            return
        yield from generate_explorations(state)
        yield from generate_jumps(state)
        yield Concede()

    def check_move(self, state: Dungeon, seat: Seat, move: Move) -> None:
        if seat == state.master:
            check_concession(state, seat, move)
            if not isinstance(move, Claim):
                raise NotAsked("only_a_claim", "SM-BUILD-7")
            check_idle_moves(state)
            return
        match move:
            case Explore():
                check_exploration(state, move)
            case Jump():
                check_jump(state, move)
            case Concede():
                pass
            case Reveal():
                check_reveals_due(0)
            case Claim():
                check_claimant(state, seat)
            case _:
                super().check_move(state, seat, move)

    def decide_move(self, state: Dungeon, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Claim):
            yield GameClaimed()
            yield from finish_game(state, state.master, "claimed")
        else:
            yield from super().decide_move(state, seat, move)

    def resolve_move(self, state: Dungeon, move: Move) -> Iterator[Event]:
        onto = name_card_entered(state.board[move.spot]) if isinstance(move, Explore | Jump) else ""
        match move:
            case Jump():
                over: Spot | None = find_skipped_spot(state, move)
                assert over is not None  # `check_move` has made sure
                yield HeroJumped(move.x, move.y, over, move.attack, onto)
            case Explore():
                over = None
                yield HeroExplored(move.x, move.y, move.attack, onto)
            case _:
                raise TypeError(f"{move!r} has not been checked")
        yield StepPushed(ResolveEntry(move.x, move.y, move.attack, over, jumped=over is not None))
        if not state.board[move.spot].is_up():
            yield StepPushed(TurnUp(move.x, move.y))


def name_card_entered(tile: Tile) -> str:
    """Return what lies there, as `HeroMoved` has it. Raises Undetermined."""
    if not tile.is_up():
        return "down"
    if not tile.is_monster():
        return "exit" if tile.get_face() == EXIT else "open"
    return "active" if is_known_deadly(tile) else "harmless"


def generate_explorations(state: Dungeon) -> Iterator[Explore]:
    """Yield every exploration, and some illegal ones that a player may think of.

    Those go to an empty place, onto a diagonal, nowhere, or use a spent attack.
    """
    here, sides = state.hero_spot, adjacent_spots(state.hero_spot)
    for spot in sides:
        yield Explore(*spot)
        if spot in state.board:
            yield Explore(*spot, attack=True)
            if is_known_deadly(state.board[spot]):
                yield Explore(*spot, sure=True)
    diagonals = [(here[0] + dx, here[1] + dy) for dx, dy in CORNERS]
    yield from (Explore(*spot) for spot in diagonals if spot in state.board)
    yield Explore(*here)


def rate_risk(state: Dungeon, move: Explore | Jump) -> tuple[bool, bool, bool, bool, bool]:
    """Rate what a step risks and spends, as a key for sorting.

    Its parts, the worst first: certain death, a jump, an attack, a card that is down, the exit.
    """
    tile = state.board[move.spot]
    return move.sure, isinstance(move, Jump), move.attack, not tile.is_up(), tile.is_up() and tile.get_face() == EXIT


def generate_jumps(state: Dungeon) -> Iterator[Jump]:
    """Yield every jump, and some illegal ones that a player may think of.

    Each names the skipped card where there are two. The illegal ones go over an empty place, leave open which of two
    cards is skipped, or use a spent skill.
    """
    for over in adjacent_spots(state.hero_spot):
        for spot in adjacent_spots(over):
            if spot == state.hero_spot or spot not in state.board:
                continue
            several = len(list_skippable_spots(state, spot)) > 1
            named_over = Place(*over) if several or over not in state.board else None
            yield Jump(*spot, named_over)
            if over in state.board:
                yield Jump(*spot, named_over, attack=True)
                if is_known_deadly(state.board[spot]):
                    yield Jump(*spot, named_over, sure=True)
            if several and over == list_skippable_spots(state, spot)[0]:
                yield Jump(*spot)
