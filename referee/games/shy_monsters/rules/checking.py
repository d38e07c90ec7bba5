"""What is checked of the moves of phase 2, each rule by a function of its own.

The steps call them to decide, the preconditions to say all that is broken.
"""

from __future__ import annotations

from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.games.shy_monsters.components import CLAIMABLE_IDLE_MOVES, Spot, adjacent_spots, format_spot
from referee.games.shy_monsters.moves import Concede, Explore, Jump, Reveal
from referee.games.shy_monsters.state import Dungeon


def check_concession(state: Dungeon, seat: Seat, move: Move) -> None:
    """Check that it is the hero who concedes. Raises IllegalMove or Undetermined.

    SM-AMB-17: The hero may concede.
    """
    if isinstance(move, Concede) and seat != state.hero:
        raise IllegalMove("only_the_hero_concedes", "SM-AMB-17")


def check_claimant(state: Dungeon, seat: Seat) -> None:
    """Check that it is the dungeon master who claims the game.

    Raises IllegalMove or Undetermined.

    SM-AMB-17: The dungeon master may claim the game.
    """
    if seat != state.master:
        raise IllegalMove("only_the_dungeon_master_claims", "SM-AMB-17")


def check_idle_moves(state: Dungeon) -> None:
    """Check that the hero has made enough moves that turned nothing up.

    Raises IllegalMove if not, Undetermined if their number is not known.

    SM-AMB-17: After twenty hero moves in a row that turned nothing up, the dungeon master may claim the game.
    """
    if state.idle is None:
        raise Undetermined("how_many_moves_turned_nothing_up")
    if state.idle < CLAIMABLE_IDLE_MOVES:
        raise IllegalMove("claim_too_early", "SM-AMB-17", moves=state.idle)


def check_reveal(state: Dungeon, move: Reveal) -> None:
    """Check that a card lies there that is down. Raises IllegalMove or Undetermined.

    SM-AMB-5: The hero picks any cards that are down.
    """
    if move.spot not in state.board:
        raise IllegalMove("no_card_there", "SM-HERO-REVEAL-1", x=move.x, y=move.y)
    if state.board[move.spot].is_up():
        raise IllegalMove("already_up", "SM-HERO-REVEAL-1", "SM-AMB-5", x=move.x, y=move.y)


def check_reveals_done(left: int | None) -> None:
    """Check that no card is left to be turned up before the hero moves.

    Raises IllegalMove if any is, Undetermined if that is not known.

    SM-AMB-5: Turning up the cards due is a duty.
    """
    if left is None:
        raise Undetermined("how_many_reveals_are_left")
    if left:
        raise IllegalMove("first_turn_cards_up", "SM-HERO-REVEAL-1", "SM-AMB-5", left=left)


def check_reveals_due(left: int | None) -> None:
    """Check that a card is left to be turned up before the hero moves.

    Raises IllegalMove if none is.

    SM-HERO-REVEAL-1: Before the hero moves, two cards are turned up on the first floor, one on the second, none on the
        last.
    """
    if left == 0:
        raise IllegalMove("no_more_reveals", "SM-HERO-REVEAL-1", "SM-AMB-5")


def check_exploration(state: Dungeon, move: Explore) -> None:
    """Check that the hero may step onto a card, with what is announced.

    Raises IllegalMove or Undetermined.
    """
    check_step(state, move)
    check_attack(state, move)
    check_certain_death(state, move)


def check_step(state: Dungeon, move: Explore) -> None:
    """Check that the card entered lies side by side with the hero's.

    Raises IllegalMove or Undetermined.

    SM-HERO-EXPLORE-1: To explore is to step onto a card that lies side by side with the present one, never diagonally.
    """
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


def check_jump(state: Dungeon, move: Jump) -> None:
    """Check that the hero may jump onto a card, with what is announced.

    Raises IllegalMove or Undetermined.
    """
    check_jump_ready(state)
    check_jump_way(state, move)
    check_attack(state, move)
    check_certain_death(state, move)


def check_jump_ready(state: Dungeon) -> None:
    """Check that the jump is unused on this floor. Raises IllegalMove or Undetermined.

    SM-HERO-SKILL-1: Each skill may be used once on a floor.
    """
    if not state.is_jump_ready():
        raise IllegalMove("jump_is_spent", "SM-HERO-SKILL-1")


def check_jump_way(state: Dungeon, move: Jump) -> None:
    """Check that a jump skips one card beside the hero and lands on another beside it.

    Raises IllegalMove or Undetermined.

    SM-HERO-JUMP-1: A jump skips one dungeon card and lands on the next one.
    SM-AMB-10: A jump is two steps by sides, the first onto the skipped card, the second onward and not back. Both
        places hold cards.
    """
    if move.spot == state.hero_spot:
        raise IllegalMove("jump_goes_onward", "SM-AMB-10")
    over = find_skipped_spot(state, move)
    if over is None:
        raise build_unclear_jump_refusal(state, move)
    if over not in adjacent_spots(state.hero_spot):
        raise IllegalMove("jump_skips_a_side_neighbour", "SM-HERO-JUMP-1", "SM-AMB-10", x=over[0], y=over[1])
    if over not in state.board:
        raise IllegalMove("jump_over_nothing", "SM-HERO-JUMP-3", "SM-AMB-10", x=over[0], y=over[1])
    if move.spot not in adjacent_spots(over):
        raise IllegalMove("jump_lands_beside_the_skipped", "SM-HERO-JUMP-1", "SM-AMB-10", x=move.x, y=move.y)
    if move.spot not in state.board:
        raise IllegalMove("no_card_there", "SM-HERO-JUMP-1", "SM-AMB-10", x=move.x, y=move.y)


def build_unclear_jump_refusal(state: Dungeon, move: Jump) -> IllegalMove:
    """Return why a jump that names no skipped card skips no certain one.

    Raises Undetermined.

    SM-AMB-10: Where two cards could be the skipped one, the hero names one beforehand. An empty place cannot be
        skipped.
    """
    if skippable := list_skippable_spots(state, move.spot):
        first, second = (format_spot(*spot) for spot in skippable)
        return IllegalMove("name_the_skipped_card", "SM-AMB-10", x=move.x, y=move.y, first=first, second=second)
    between = [over for over in adjacent_spots(state.hero_spot) if move.spot in adjacent_spots(over)]
    if between:
        x, y = between[0]
        return IllegalMove("jump_over_nothing", "SM-HERO-JUMP-3", "SM-AMB-10", x=x, y=y)
    return IllegalMove("jump_is_two_steps", "SM-HERO-JUMP-1", "SM-AMB-10", x=move.x, y=move.y)


def check_attack_ready(state: Dungeon, move: Explore | Jump) -> None:
    """Check that an announced attack is unused on this floor.

    Raises IllegalMove or Undetermined.

    SM-HERO-SKILL-1: Each skill may be used once on a floor.
    """
    if move.attack and not state.is_attack_ready():
        raise IllegalMove("attack_is_spent", "SM-HERO-SKILL-1")


def check_attack(state: Dungeon, move: Explore | Jump) -> None:
    """Check that an announced attack is left and makes sense.

    A card must lie where it goes.

    Raises IllegalMove or Undetermined. A monster that is up and dead has spent the attack, so an attack on it is
    refused without a case of its own.

    SM-AMB-7: An attack on a card that is up and no monster is refused as pointless. The skill may be spent only once.
    """
    check_attack_ready(state, move)
    tile = state.board[move.spot]
    if move.attack and tile.is_up() and not tile.is_monster():
        raise IllegalMove("attack_is_pointless", "SM-AMB-7", card=tile.card, x=move.x, y=move.y)


def check_certain_death(state: Dungeon, move: Explore | Jump) -> None:
    """Check that certain death is confirmed. A card must lie where the move goes.

    Raises IllegalMove or Undetermined.

    SM-AMB-12: Entering a monster known to be active kills, so the referee wants it confirmed. Only then is there
        anything to confirm.
    SM-HERO-KNOWN-1: The hero has to go round such a monster or kill it, if not into certain death.
    SM-AMB-12-R2: Entering a monster known to be active is not allowed without an attack.
    """
    tile = state.board[move.spot]
    kills = not move.attack and tile.is_up() and tile.is_deadly()
    if kills and state.interpretation_number("SM-AMB-12") == 2:
        raise IllegalMove("round_it_or_kill_it", "SM-AMB-12", "SM-HERO-KNOWN-1", card=tile.card, x=move.x, y=move.y)
    if kills and not move.sure:
        raise IllegalMove("sure_to_die", "SM-AMB-12", "SM-HERO-KNOWN-1", card=tile.card, x=move.x, y=move.y)
    if move.sure and not kills:
        raise IllegalMove("nothing_to_be_sure_of", "SM-AMB-12")


def list_skippable_spots(state: Dungeon, target: Spot) -> tuple[Spot, ...]:
    """Return the places of the cards that a jump could skip. Raises Undetermined."""
    return tuple(
        over for over in adjacent_spots(state.hero_spot) if over in state.board and target in adjacent_spots(over)
    )


def find_skipped_spot(state: Dungeon, move: Jump) -> Spot | None:
    """Return the place of the card that a jump skips.

    Return None if it does not follow. Raises Undetermined.

    SM-AMB-10: Where two cards could be the skipped one, the hero names one.
    """
    if move.over is not None:
        return move.over.spot
    skippable = list_skippable_spots(state, move.spot)
    return skippable[0] if len(skippable) == 1 else None
