"""What the rules demand of each kind of move, whatever question is open.

They give the reasons of refusals (`referee.engine.reasons.preconditions`); the steps decide what is legal, by the same
functions. Who plays which role comes first, since the other demands hold for that role only.
"""

from __future__ import annotations

from referee.engine.chance import PickResult, TurnUpResult
from referee.engine.events import Move
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.games.shy_monsters.components import CARDS_PER_FLOOR
from referee.games.shy_monsters.events import TURN_UP_CLAUSES
from referee.games.shy_monsters.moves import Build, Claim, Concede, Explore, Jump, Reveal, RolesDrawn
from referee.games.shy_monsters.rules.building import (
    BuildFloor,
    DrawMonsters,
    check_cards,
    check_drawn_monsters,
    check_shape,
)
from referee.games.shy_monsters.rules.checking import (
    check_attack,
    check_attack_ready,
    check_certain_death,
    check_claimant,
    check_concession,
    check_idle_moves,
    check_jump_ready,
    check_jump_way,
    check_reveal,
    check_reveals_done,
    check_reveals_due,
    check_step,
)
from referee.games.shy_monsters.rules.course import DrawRoles, ShufflePile, check_drawn_role
from referee.games.shy_monsters.rules.exploring import HeroTurn, RevealCards
from referee.games.shy_monsters.rules.turning import TurnUp, check_turn_up, find_reason_to_turn_up
from referee.games.shy_monsters.state import Dungeon

HERO_MOVES = (Reveal, Explore, Jump)


def find_pending(dungeon: Dungeon, *kinds: type[Step]) -> Step | None:
    """Return the innermost pending step of these kinds, or None."""
    return next((step for step in reversed(dungeon.agenda) if isinstance(step, kinds)), None)


def is_master(dungeon: Dungeon, seat: Seat) -> bool:
    """Return whether this seat is known to be the dungeon master."""
    return dungeon.dungeon_master is not None and seat == dungeon.master


def is_hero(dungeon: Dungeon, seat: Seat) -> bool:
    """Return whether this seat is known to be the hero."""
    return dungeon.dungeon_master is not None and seat == dungeon.hero


def has_tile(dungeon: Dungeon, move: Explore | Jump) -> bool:
    """Return whether a card lies where a move goes. Raises Undetermined."""
    return move.spot in dungeon.board


def is_floor_built(dungeon: Dungeon) -> bool:
    """Return whether the cards of a floor lie on the table."""
    return find_pending(dungeon, BuildFloor, DrawMonsters, ShufflePile, DrawRoles) is None


def count_reveals_left(dungeon: Dungeon) -> int | None:
    """Return how many cards the hero still has to turn up before moving.

    None: a position does not say.
    """
    return next((step.left for step in dungeon.agenda if isinstance(step, RevealCards)), 0)


# ---- the dungeon master lays the floor -----------------------------------------------------------------------


@precondition(Dungeon, Build, clauses=("SM-COURSE-1",))
def require_dungeon_master_to_build(dungeon: Dungeon, seat: Seat, move: Build) -> None:
    """Refuse a floor that anybody but the dungeon master lays.

    SM-COURSE-1: On each floor the dungeon master builds.
    """
    if seat != dungeon.master:
        raise IllegalMove("only_the_dungeon_master_builds", "SM-COURSE-1")


@precondition(Dungeon, Build, clauses=("SM-BUILD-2", "SM-AMB-2", "SM-BUILD-3", "SM-STATE-3"))
def require_connected_floor(dungeon: Dungeon, seat: Seat, move: Build) -> None:
    """Refuse a floor of too few or too many cards, or one that is not connected."""
    if is_master(dungeon, seat):
        check_shape(move.cells)


@precondition(Dungeon, Build, clauses=("SM-BUILD-1", "SM-BUILD-2", "SM-MAT-2", "SM-AMB-18", "SM-AMB-20"))
def require_own_cards(dungeon: Dungeon, seat: Seat, move: Build) -> None:
    """Refuse six other cards than those in hand, once the hand is complete."""
    if is_master(dungeon, seat) and len(dungeon.get_hand()) == len(move.cells) == CARDS_PER_FLOOR:
        check_cards(dungeon, [cell.card for cell in move.cells])


@precondition(Dungeon, Build, scope=Scope.WINDOW, clauses=("SM-SETUP-3", "SM-SETUP-1", "SM-BUILD-1", "SM-BUILD-7"))
def require_time_to_build(dungeon: Dungeon, seat: Seat, move: Build) -> None:
    """Refuse a floor laid before its cards are drawn, or when it stands already.

    SM-SETUP-3: Who takes which role is left to the players.
    SM-SETUP-1: The dungeon master shuffles the six monsters into a face-down pile.
    SM-BUILD-1: The dungeon master adds two monsters from the pile to the hand.
    SM-BUILD-7: Once the dungeon master is content, the floor stays as it is.
    """
    if find_pending(dungeon, DrawRoles):
        raise IllegalMove("first_draw_the_roles", "SM-SETUP-3", "SM-AMB-1")
    if find_pending(dungeon, ShufflePile):
        raise IllegalMove("first_shuffle_the_pile", "SM-SETUP-1")
    if find_pending(dungeon, DrawMonsters):
        raise IllegalMove("first_draw_the_monsters", "SM-BUILD-1")
    if not find_pending(dungeon, BuildFloor):
        raise IllegalMove("the_floor_stands", "SM-BUILD-7")


# ---- the hero turns cards up and walks -----------------------------------------------------------------------


@precondition(Dungeon, Reveal, clauses=("SM-HERO-REVEAL-1",))
def require_hero_to_reveal(dungeon: Dungeon, seat: Seat, move: Reveal) -> None:
    """Refuse cards turned up by anybody but the hero.

    SM-HERO-REVEAL-1: The hero turns up cards before moving.
    """
    if seat != dungeon.hero:
        raise IllegalMove("only_the_hero_reveals", "SM-HERO-REVEAL-1")


@precondition(Dungeon, Explore, Jump, clauses=("SM-COURSE-1",))
def require_hero_to_explore(dungeon: Dungeon, seat: Seat, move: Explore | Jump) -> None:
    """Refuse steps and jumps of anybody but the hero.

    SM-COURSE-1: On each floor the hero explores what the dungeon master has built.
    """
    if seat != dungeon.hero:
        raise IllegalMove("only_the_hero_explores", "SM-COURSE-1")


@precondition(Dungeon, Reveal, clauses=("SM-HERO-REVEAL-1", "SM-AMB-5"))
def require_card_that_is_down(dungeon: Dungeon, seat: Seat, move: Reveal) -> None:
    """Refuse an empty place and a card that is up, as long as any card is due."""
    if is_hero(dungeon, seat) and is_floor_built(dungeon) and count_reveals_left(dungeon) != 0:
        check_reveal(dungeon, move)


@precondition(Dungeon, Explore, Jump, clauses=("SM-HERO-SKILL-1",))
def require_attack_ready(dungeon: Dungeon, seat: Seat, move: Explore | Jump) -> None:
    """Refuse a second attack on a floor."""
    if is_hero(dungeon, seat) and is_floor_built(dungeon):
        check_attack_ready(dungeon, move)


@precondition(Dungeon, Explore, clauses=("SM-HERO-EXPLORE-1", "SM-AMB-19"))
def require_card_side_by_side(dungeon: Dungeon, seat: Seat, move: Explore) -> None:
    """Refuse a step to anything but a card side by side with the hero's."""
    if is_hero(dungeon, seat) and is_floor_built(dungeon):
        check_step(dungeon, move)


@precondition(Dungeon, Jump, clauses=("SM-HERO-SKILL-1",))
def require_jump_ready(dungeon: Dungeon, seat: Seat, move: Jump) -> None:
    """Refuse a second jump on a floor."""
    if is_hero(dungeon, seat) and is_floor_built(dungeon):
        check_jump_ready(dungeon)


@precondition(Dungeon, Jump, clauses=("SM-HERO-JUMP-1", "SM-HERO-JUMP-3", "SM-AMB-10"))
def require_way_to_jump(dungeon: Dungeon, seat: Seat, move: Jump) -> None:
    """Refuse a jump that does not skip one card and land on the next."""
    if is_hero(dungeon, seat) and is_floor_built(dungeon):
        check_jump_way(dungeon, move)


@precondition(Dungeon, Explore, Jump, clauses=("SM-AMB-7",))
def require_attack_with_a_point(dungeon: Dungeon, seat: Seat, move: Explore | Jump) -> None:
    """Refuse an attack on an open card that is no monster."""
    if is_hero(dungeon, seat) and is_floor_built(dungeon) and has_tile(dungeon, move):
        check_attack(dungeon, move)


@precondition(Dungeon, Explore, Jump, clauses=("SM-AMB-12", "SM-HERO-KNOWN-1"))
def require_word_on_certain_death(dungeon: Dungeon, seat: Seat, move: Explore | Jump) -> None:
    """Refuse certain death that is not confirmed, and a word where none is due."""
    if is_hero(dungeon, seat) and is_floor_built(dungeon) and has_tile(dungeon, move):
        check_certain_death(dungeon, move)


@precondition(Dungeon, *HERO_MOVES, scope=Scope.WINDOW, clauses=("SM-BUILD-7",))
def require_built_floor(dungeon: Dungeon, seat: Seat, move: Move) -> None:
    """Refuse moves of the hero before the floor is built.

    SM-BUILD-7: Once the dungeon master is content, it is the hero's turn.
    """
    if not is_floor_built(dungeon):
        raise IllegalMove("wait_for_the_floor", "SM-BUILD-7")


@precondition(
    Dungeon, *HERO_MOVES, Claim, scope=Scope.WINDOW,
    clauses=("SM-AMB-5", "SM-HERO-EXPLORE-1", "SM-HERO-JUMP-1", "SM-HERO-JUMP-2"),
)  # fmt: skip
def require_no_card_to_report(dungeon: Dungeon, seat: Seat, move: Move) -> None:
    """Refuse moves before the face of a card that is being turned up has been told.

    SM-AMB-5: The hero sees the first card before choosing the second.
    SM-HERO-EXPLORE-1: The card entered is turned up.
    SM-HERO-JUMP-1: The card on which a jump lands is turned up.
    SM-HERO-JUMP-2: If the hero outlives the landing, the skipped card is turned up as well.
    """
    turning = dungeon.agenda[-1]
    if isinstance(turning, TurnUp) and turning.awaited_seats(dungeon):
        because = find_reason_to_turn_up(dungeon)
        order = ("SM-AMB-5",) if because == "revealed" else ()  # one card after the other
        clauses = dict.fromkeys((*order, *(TURN_UP_CLAUSES[because] or ("SM-HERO-EXPLORE-1",))))
        raise IllegalMove("first_report_the_card", *clauses, x=turning.x, y=turning.y)


@precondition(Dungeon, Reveal, scope=Scope.WINDOW, clauses=("SM-HERO-REVEAL-1", "SM-AMB-5"))
def require_reveal_that_is_due(dungeon: Dungeon, seat: Seat, move: Reveal) -> None:
    """Refuse more cards than are due."""
    if is_floor_built(dungeon):
        check_reveals_due(count_reveals_left(dungeon))


@precondition(Dungeon, Explore, Jump, scope=Scope.WINDOW, clauses=("SM-HERO-REVEAL-1", "SM-AMB-5"))
def require_reveals_done(dungeon: Dungeon, seat: Seat, move: Explore | Jump) -> None:
    """Refuse moves before the cards due are up."""
    if is_floor_built(dungeon):
        check_reveals_done(count_reveals_left(dungeon))


# ---- giving up and claiming ----------------------------------------------------------------------------------


@precondition(Dungeon, Concede, clauses=("SM-AMB-17",))
def require_hero_to_concede(dungeon: Dungeon, seat: Seat, move: Concede) -> None:
    """Refuse that anybody but the hero gives up."""
    check_concession(dungeon, seat, move)


@precondition(Dungeon, Concede, scope=Scope.WINDOW, clauses=("SM-AMB-17",))
def require_time_to_concede(dungeon: Dungeon, seat: Seat, move: Concede) -> None:
    """Refuse that the hero gives up while something is still to be told.

    SM-AMB-17: The hero may concede on the hero's turn and while the dungeon master builds.
    """
    if not isinstance(dungeon.agenda[-1], HeroTurn | BuildFloor):
        raise IllegalMove("concede_later", "SM-AMB-17")


@precondition(Dungeon, Claim, clauses=("SM-AMB-17",))
def require_dungeon_master_to_claim(dungeon: Dungeon, seat: Seat, move: Claim) -> None:
    """Refuse that anybody but the dungeon master claims the game."""
    check_claimant(dungeon, seat)


@precondition(Dungeon, Claim, scope=Scope.WINDOW, clauses=("SM-AMB-17",))
def require_idle_moves(dungeon: Dungeon, seat: Seat, move: Claim) -> None:
    """Refuse a claim before the hero has made enough moves that turned nothing up."""
    check_idle_moves(dungeon)


# ---- chance --------------------------------------------------------------------------------------------------


@precondition(Dungeon, RolesDrawn, clauses=("SM-MAT-1", "SM-AMB-1"))
def require_seat_for_the_role(dungeon: Dungeon, seat: Seat, move: RolesDrawn) -> None:
    """Refuse a dungeon master who does not sit at the table."""
    check_drawn_role(move)


@precondition(Dungeon, RolesDrawn, scope=Scope.WINDOW, clauses=("SM-SETUP-3", "SM-AMB-1"))
def require_lot_for_the_roles(dungeon: Dungeon, seat: Seat, move: RolesDrawn) -> None:
    """Refuse a role that a player takes, and a change of roles.

    SM-SETUP-3: Who takes which role is left to the players.
    SM-AMB-1: The players agree on the roles, or the roles are drawn.
    """
    if not find_pending(dungeon, DrawRoles):
        raise IllegalMove("the_roles_stand", "SM-SETUP-3", "SM-AMB-1")
    if seat != CHANCE:
        raise IllegalMove("the_lot_gives_the_roles", "SM-SETUP-3", "SM-AMB-1")


@precondition(Dungeon, PickResult, clauses=("SM-BUILD-1", "SM-MAT-2", "SM-AMB-18"))
def require_monsters_that_are_left(dungeon: Dungeon, seat: Seat, move: PickResult) -> None:
    """Refuse monsters that cannot have been drawn."""
    if seat == CHANCE and isinstance(dungeon.agenda[-1], DrawMonsters):
        check_drawn_monsters(dungeon, move.cards)


@precondition(Dungeon, TurnUpResult, clauses=("SM-MAT-2", "SM-BUILD-1", "SM-BUILD-4", "SM-AMB-18"))
def require_face_that_can_be(dungeon: Dungeon, seat: Seat, move: TurnUpResult) -> None:
    """Refuse a face that the card turned up cannot show."""
    if seat == CHANCE and isinstance(dungeon.agenda[-1], TurnUp):
        check_turn_up(dungeon, move.card)
