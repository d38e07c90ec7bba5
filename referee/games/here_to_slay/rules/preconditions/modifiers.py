"""What the rules demand of a modifier, and of a pass in its window."""

from __future__ import annotations

from referee.cardscript.language.interpreter import Execution
from referee.engine.reasons.preconditions import precondition
from referee.engine.rulings import IllegalMove, Scope
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.moves import Modify, Pass
from referee.games.here_to_slay.rules.preconditions.pending import Play, has_begun, is_hero_effect, is_player
from referee.games.here_to_slay.rules.rolling import ModifierWindow, check_modified_roll, check_modifier_card
from referee.games.here_to_slay.rules.turn import Turn, TurnEnd
from referee.games.here_to_slay.state import Table


@precondition(Table, Modify, clauses=("HTS-SETUP-9",))
def require_roll_of_the_game(table: Table, seat: Seat, move: Modify) -> None:
    """Refuse modifiers before the first turn.

    HTS-SETUP-9: The die roll for the choice of leaders is no roll that could be changed.
    """
    if not has_begun(table):
        raise IllegalMove("no_modifier_before_first_turn", "HTS-SETUP-9", card=move.card)


@precondition(Table, Modify, clauses=("HTS-MOD-1", "HTS-MOD-3"))
def require_modifier_in_hand(table: Table, seat: Seat, move: Modify) -> None:
    """Refuse a card that is no modifier, not in the hand, or without this value."""
    if is_player(table, seat):
        check_modifier_card(table, int(seat), move)


@precondition(Table, Modify, clauses=("HTS-MOD-2", "HTS-MOD-5"))
def require_roll_of_that_player(table: Table, seat: Seat, move: Modify) -> None:
    """Refuse a modifier on the roll of a player who has none."""
    if table.agenda and isinstance(table.agenda[-1], ModifierWindow):
        check_modified_roll(table, move.roller)


@precondition(Table, Modify, Pass, clauses=("HTS-MOD-7",))
def require_no_pass_since(table: Table, seat: Seat, move: Modify | Pass) -> None:
    """Refuse a modifier, or another pass, after a pass that no modifier has cancelled.

    HTS-MOD-7: The window for modifiers stays open until everybody asked has passed with no modifier in between.
    """
    top = table.agenda[-1] if table.agenda else None
    if isinstance(top, ModifierWindow) and seat in top.passed:
        raise IllegalMove("passed_on_this_roll", "HTS-MOD-7", "HTS-AMB-13")


@precondition(Table, Modify, scope=Scope.WINDOW, clauses=("HTS-MOD-2", "HTS-MOD-4", "HTS-MOD-9", "HTS-NEST-2"))
def require_open_roll(table: Table, seat: Seat, move: Modify) -> None:
    """Refuse a modifier while no roll is open for it.

    It is too early before the dice and before the target, and too late when the total is settled.
    """
    above: list[Step] = []
    for step in reversed(table.agenda):
        if isinstance(step, ModifierWindow):
            return
        if is_hero_effect(step) or (isinstance(step, Execution) and step.text in ("penalty", "reward")):
            raise IllegalMove("total_is_settled", "HTS-MOD-9", card=move.card)
        above.append(step)
    if above and isinstance(above[0], Turn | TurnEnd) and has_rolled(table):
        raise IllegalMove("total_is_settled", "HTS-MOD-9", "HTS-MOD-2", card=move.card)
    raise IllegalMove("no_dice_lie_there", "HTS-MOD-2", card=move.card)


@precondition(Table, Modify, Pass, scope=Scope.WINDOW, clauses=("HTS-MOD-2", "HTS-MOD-4", "HTS-MOD-12", "HTS-NEST-2"))
def require_window_on_top(table: Table, seat: Seat, move: Modify | Pass) -> None:
    """Refuse a modifier or a pass while the window of the roll has to wait."""
    for at in range(len(table.agenda) - 1, 0, -1):
        if isinstance(table.agenda[at], ModifierWindow):
            rolls, above = table.agenda[at - 1], [*reversed(table.agenda[at + 1 :])]
            if above and isinstance(rolls, UnsettledRolls):
                refuse_waiting_window(seat, rolls, above)
            return


def refuse_waiting_window(seat: Seat, rolls: UnsettledRolls, above: list[Step]) -> None:
    """Raise the reason why the window over these rolls waits.

    `above` is what lies on top of it, the innermost first.
    HTS-NEST-2: While a nested play or roll runs, the windows around it are closed to everybody.
    """
    thrown = [bool(cast.dice) for cast in rolls.casts]
    if not any(thrown):
        raise IllegalMove("dice_come_first", "HTS-MOD-2", card=rolls.casts[0].about)
    if not all(thrown):
        raise IllegalMove("both_sides_roll_first", "HTS-MOD-5", "HTS-AMB-14")
    if any(isinstance(step, Execution) and step.declaring for step in above):
        if seat == rolls.casts[0].seat:
            raise IllegalMove("your_target_comes_first", "HTS-AMB-12", "HTS-ROLL-5", card=rolls.casts[0].about)
        raise IllegalMove("target_comes_first", "HTS-MOD-4", "HTS-ROLL-5", seat=rolls.casts[0].seat)
    if any(isinstance(step, Play | UnsettledRolls) for step in above):
        raise IllegalMove("window_waits_for_play", "HTS-NEST-2", "HTS-NEST-1")
    raise IllegalMove("ability_comes_first", "HTS-MOD-12")


def has_rolled(table: Table) -> bool:
    """Return whether the active player has rolled for a hero in this turn.

    A roll for an attack leaves no trace, so of that nobody is told that it is over.
    """
    return bool(table.rolled)
