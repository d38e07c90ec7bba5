"""Phase 2: the hero turns up cards and walks to the exit (SM-HERO-REVEAL-1 to SM-HERO-EXIT-1, SM-AMB-23)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import NO_SEATS, Step, StepPushed, StepReplaced
from referee.games.shy_monsters.components import CLAIMABLE_IDLE_MOVES, CORNERS, EXIT, Spot, adjacent_spots
from referee.games.shy_monsters.events import GameClaimed, HeroConceded, HeroExplored, HeroJumped
from referee.games.shy_monsters.moves import Claim, Concede, Explore, Jump, Place, Reveal
from referee.games.shy_monsters.rules.ending import finish_game, is_known_deadly
from referee.games.shy_monsters.rules.turning import ResolveEntry, TurnUp
from referee.games.shy_monsters.state import Dungeon

CONCEDES_ONCE_IN = 200  # how rarely a random hero gives up


class HeroTurn(Step):
    """A question to the hero, who may concede instead of answering (SM-AMB-17)."""

    __slots__ = ()

    def awaited_seats(self, state: Dungeon) -> frozenset[Seat]:
        return frozenset({Seat(state.hero)})

    def decide_move(self, state: Dungeon, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Concede):
            yield from concede_game(state)
        else:
            yield from self.resolve_move(state, move)

    def resolve_move(self, state: Dungeon, move: Move) -> Iterator[Event]:
        """The facts of a move other than conceding."""
        raise TypeError(f"{type(self).__name__} says not what follows")

    def sample_move(self, state: Dungeon, seat: Seat, below: Callable[[int], int]) -> Move | None:
        """A random move: the kind first; giving up is rare, or few random matches would see a second floor."""
        if seat != state.hero:
            return None
        kinds: dict[str, list[Move]] = {}
        for move in self.candidate_moves(state, seat):
            try:
                self.check_move(state, seat, move)
            except IllegalMove:
                continue
            kinds.setdefault(move.TAG, []).append(move)
        given_up = kinds.pop(Concede.TAG)
        if not kinds or below(CONCEDES_ONCE_IN) == 0:
            return given_up[0]
        of_kind = kinds[sorted(kinds)[below(len(kinds))]]
        return of_kind[below(len(of_kind))]


def concede_game(state: Dungeon) -> Iterator[Event]:
    """The hero gives up; the game is the dungeon master's (SM-AMB-17)."""
    yield HeroConceded()
    yield from finish_game(state, state.master, "conceded")


@named("sm.RevealCards")
@dataclass(frozen=True)
class RevealCards(HeroTurn):
    """The hero turns up any cards before setting out, one after the other (SM-HERO-REVEAL-1, SM-AMB-5, SM-AMB-6).

    `left` is None where a position does not say how many are due.
    """

    left: int | None
    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-REVEAL-1", "SM-AMB-5", "SM-AMB-6")

    def awaited_seats(self, state: Dungeon) -> frozenset[Seat]:
        return NO_SEATS if self.left == 0 else super().awaited_seats(state)

    def timeout_move(self, state: Dungeon, seat: Seat) -> Move | None:
        """The first card in rows that is down (SM-AMB-23)."""
        return next((Reveal(*spot) for spot, tile in state.board.items() if not tile.is_up()), Concede())

    def candidate_moves(self, state: Dungeon, seat: Seat) -> Iterable[Move]:
        yield from (Reveal(*spot) for spot in state.board)
        yield from (Explore(*spot) for spot in adjacent_spots(state.hero_spot) if spot in state.board)
        yield Concede()

    def check_move(self, state: Dungeon, seat: Seat, move: Move) -> None:
        match move:
            case Reveal():
                if move.spot not in state.board:
                    raise IllegalMove("no_card_there", "SM-HERO-REVEAL-1", x=move.x, y=move.y)
                if state.board[move.spot].is_up():
                    raise IllegalMove("already_up", "SM-HERO-REVEAL-1", "SM-AMB-5", x=move.x, y=move.y)
            case Explore() | Jump():
                if self.left is None:
                    raise Undetermined("how_many_reveals_are_left")
                raise IllegalMove("first_turn_cards_up", "SM-HERO-REVEAL-1", "SM-AMB-5")
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
    """The hero explores or jumps until the exit is reached; there is no waiting (SM-HERO-GOAL-1, SM-AMB-19), and up
    cards and the entrance may be walked over again (SM-AMB-16).

    The dungeon master is let in to claim a game in which nothing is turned up any more (SM-AMB-17).
    """

    clauses: ClassVar[tuple[str, ...]] = ("SM-HERO-GOAL-1", "SM-AMB-19")

    def admitted_seats(self, state: Dungeon) -> frozenset[Seat]:
        return frozenset({Seat(state.master)})

    def invited_seats(self, state: Dungeon) -> frozenset[Seat]:
        """The dungeon master, once the game may be claimed."""
        return self.admitted_seats(state) if state.idle is not None and state.idle >= CLAIMABLE_IDLE_MOVES else NO_SEATS

    def timeout_move(self, state: Dungeon, seat: Seat) -> Move | None:
        """The step that changes least: onto a card that is up, else one that is down, else with an attack (SM-AMB-23).

        Where no step is left, it is a jump; where none is left either, the hero gives up.
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
            check_claim(state, move)
            return
        match move:
            case Explore():
                check_exploration(state, move)
            case Jump():
                check_jump(state, move)
            case Concede():
                pass
            case Reveal():
                raise IllegalMove("no_more_reveals", "SM-HERO-REVEAL-1", "SM-AMB-5")
            case Claim():
                raise IllegalMove("only_the_dungeon_master_claims", "SM-AMB-17")
            case _:
                super().check_move(state, seat, move)

    def decide_move(self, state: Dungeon, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, Claim):
            yield GameClaimed()
            yield from finish_game(state, state.master, "claimed")
        else:
            yield from super().decide_move(state, seat, move)

    def resolve_move(self, state: Dungeon, move: Move) -> Iterator[Event]:
        match move:
            case Jump():
                over: Spot | None = move.over.spot
                yield HeroJumped(move.x, move.y, move.over.spot, move.attack)
            case Explore():
                over = None
                yield HeroExplored(move.x, move.y, move.attack)
            case _:
                raise TypeError(f"{move!r} has not been checked")
        yield StepPushed(ResolveEntry(move.x, move.y, move.attack, over, jumped=over is not None))
        if not state.board[move.spot].is_up():
            yield StepPushed(TurnUp(move.x, move.y))


def generate_explorations(state: Dungeon) -> Iterator[Explore]:
    """Every exploration, and those that come to mind: without a card, onto a diagonal, staying, with a spent attack."""
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
    """How much a step risks and spends: death for sure, a jump, an attack, a card that is down, the way out."""
    tile = state.board[move.spot]
    return move.sure, isinstance(move, Jump), move.attack, not tile.is_up(), tile.is_up() and tile.get_face() == EXIT


def generate_jumps(state: Dungeon) -> Iterator[Jump]:
    """Every jump, and those that come to mind: over an empty place, with a spent skill."""
    for over in adjacent_spots(state.hero_spot):
        for spot in adjacent_spots(over):
            if spot == state.hero_spot or spot not in state.board:
                continue
            yield Jump(*spot, Place(*over))
            if over in state.board:
                yield Jump(*spot, Place(*over), attack=True)
                if is_known_deadly(state.board[spot]):
                    yield Jump(*spot, Place(*over), sure=True)


def check_claim(state: Dungeon, move: Move) -> None:
    """Raises IllegalMove unless the dungeon master claims after enough idle moves (SM-AMB-17). Raises Undetermined."""
    if isinstance(move, Concede):
        raise IllegalMove("only_the_hero_concedes", "SM-AMB-17")
    if not isinstance(move, Claim):
        raise IllegalMove("only_a_claim", "SM-BUILD-7")
    if state.idle is None:
        raise Undetermined("how_many_moves_turned_nothing_up")
    if state.idle < CLAIMABLE_IDLE_MOVES:
        raise IllegalMove("claim_too_early", "SM-AMB-17", moves=state.idle)


def check_exploration(state: Dungeon, move: Explore) -> None:
    """Raises IllegalMove unless the card entered lies side by side with the hero's (SM-HERO-EXPLORE-1). Raises
    Undetermined."""
    x, y = state.hero_spot
    if move.spot == (x, y):
        raise IllegalMove("no_waiting", "SM-AMB-19")
    if move.spot not in state.board:
        raise IllegalMove("no_card_there", "SM-HERO-EXPLORE-1", x=move.x, y=move.y)
    if move.spot not in adjacent_spots((x, y)):
        diagonal = abs(move.x - x) == abs(move.y - y) == 1
        raise IllegalMove(
            "never_diagonally" if diagonal else "not_side_by_side", "SM-HERO-EXPLORE-1", x=move.x, y=move.y
        )
    check_entering(state, move)


def check_jump(state: Dungeon, move: Jump) -> None:
    """Raises IllegalMove unless one card beside is skipped and another beside it entered (SM-AMB-10). Raises
    Undetermined."""
    over = move.over.spot
    if not state.is_jump_ready():
        raise IllegalMove("jump_is_spent", "SM-HERO-SKILL-1")
    if over not in adjacent_spots(state.hero_spot):
        raise IllegalMove("jump_skips_a_side_neighbour", "SM-HERO-JUMP-1", "SM-AMB-10", x=over[0], y=over[1])
    if over not in state.board:
        raise IllegalMove("jump_over_nothing", "SM-HERO-JUMP-3", "SM-AMB-10", x=over[0], y=over[1])
    if move.spot == state.hero_spot:
        raise IllegalMove("jump_goes_onward", "SM-AMB-10")
    if move.spot not in adjacent_spots(over):
        raise IllegalMove("jump_lands_beside_the_skipped", "SM-HERO-JUMP-1", "SM-AMB-10", x=move.x, y=move.y)
    if move.spot not in state.board:
        raise IllegalMove("no_card_there", "SM-HERO-JUMP-1", "SM-AMB-10", x=move.x, y=move.y)
    check_entering(state, move)


def check_entering(state: Dungeon, move: Explore | Jump) -> None:
    """Raises IllegalMove for an attack that is spent or pointless, and for death unasked (SM-AMB-7, SM-AMB-12); or for
    a step onto a monster known to be active (SM-AMB-12-R2).

    A monster that is up and dead has spent the attack, so it needs no word of its own. Raises Undetermined.
    """
    tile = state.board[move.spot]
    if move.attack:
        if not state.is_attack_ready():
            raise IllegalMove("attack_is_spent", "SM-HERO-SKILL-1")
        if tile.is_up() and not tile.is_monster():
            raise IllegalMove("attack_is_pointless", "SM-AMB-7", card=tile.card, x=move.x, y=move.y)
    kills = not move.attack and tile.is_up() and tile.is_deadly()
    if kills and state.interpretation_number("SM-AMB-12") == 2:
        raise IllegalMove("round_it_or_kill_it", "SM-AMB-12", "SM-HERO-KNOWN-1", card=tile.card, x=move.x, y=move.y)
    if kills and not move.sure:
        raise IllegalMove("sure_to_die", "SM-AMB-12", "SM-HERO-KNOWN-1", card=tile.card, x=move.x, y=move.y)
    if move.sure and not kills:
        raise IllegalMove("nothing_to_be_sure_of", "SM-AMB-12")
