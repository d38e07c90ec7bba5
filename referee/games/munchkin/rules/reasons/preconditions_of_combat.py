"""What the rules demand in a combat, on the run, and of what is shared."""

from __future__ import annotations

from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, Scope
from referee.games.munchkin.moves import (
    AcceptHelp,
    AskHelp,
    ClaimKill,
    CounterOffer,
    DeclineHelp,
    FleeFrom,
    GiveUpRide,
    HelperFirst,
    KeepRoll,
    LetPass,
    Pass,
    PickTreasure,
    RunAway,
    TakeBackPass,
    TakeBackRequest,
    TakeCard,
)
from referee.games.munchkin.rules.cards.cursing import CurseWindow
from referee.games.munchkin.rules.combat import fighting, fleeing, helping, rewards
from referee.games.munchkin.rules.combat.rolling import AfterRoll
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.items import claiming
from referee.games.munchkin.rules.reasons.preconditions import HELP_MOVES, MAIN_PLAYER_MOVES, demand, find_pending
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY


def is_running(table: Table) -> bool:
    """Return whether the fighters have turned to run."""
    return find_pending(table, fleeing.Fleeing) is not None


# ---- help ------------------------------------------------------------------------------------------------------------


@demand(DeclineHelp, TakeBackRequest, RunAway, clauses=("MK-13.9", "MK-13.10"))
def require_helper_to_stay(table: Table, seat: int, move: Move) -> None:
    """Refuse a helper who withdraws.

    MK-13.9: A helper who joined freely cannot withdraw.
    MK-13.10: A forced helper leaves only if the kill would win the game.
    """
    combat = table.combat
    if combat is not None and seat == combat.helper and not (isinstance(move, DeclineHelp) and combat.asked == seat):
        if isinstance(move, RunAway):
            raise IllegalMove("only_main_runs", "MK-17.2", "MK-13.9")
        raise IllegalMove("helper_stays", "MK-13.10" if combat.forced else "MK-13.9")


@demand(AskHelp, clauses=("MK-13.1", "MK-13.2", "MK-13.10", "MK-9.4", "MK-19.7", "MK-27.4"))
def require_player_to_ask(table: Table, seat: int, move: AskHelp) -> None:
    """Refuse to ask a player who cannot be asked (MK-13.1, MK-13.2)."""
    if table.combat is not None:
        helping.check_player_to_ask(table, seat, move.seat)


@demand(AskHelp, clauses=("MK-13.5", "MK-13.6", "MK-13.8"))
def require_terms_that_can_be_offered(table: Table, seat: int, move: AskHelp) -> None:
    """Refuse terms that main cannot promise (MK-13.5, MK-13.6)."""
    if table.combat is not None and seat == table.combat.main:
        helping.check_treasures_promised(table, move.deal)
        helping.check_deal(table, move.deal)


@demand(AskHelp, clauses=("MK-13.2", "MK-13.3"))
def require_reason_to_ask(table: Table, seat: int, _move: AskHelp) -> None:
    """Refuse a request without need, or after too many (MK-13.3-R2, MK-13.2-R2)."""
    if table.combat is not None and seat == table.combat.main and not is_running(table):
        helping.check_need_of_help(table)
        helping.check_proposals_left(table)


@demand(
    AcceptHelp,
    DeclineHelp,
    CounterOffer,
    TakeBackRequest,
    clauses=("MK-13.2", "MK-13.5", "MK-13.6", "MK-9.4", "MK-27.4"),
)
def require_open_terms(table: Table, seat: int, move: Move) -> None:
    """Refuse to answer, or to take back, what was not asked (MK-13.1, MK-13.2)."""
    if table.combat is not None:
        helping.check_help_move(table, seat, move)
    elif not isinstance(move, TakeBackRequest):
        helping.check_terms_for(table, seat)


@demand(*HELP_MOVES, scope=Scope.WINDOW, clauses=("MK-13.3",))
def require_open_combat_for_help(table: Table, _seat: int, _move: Move) -> None:
    """Refuse to bargain about help outside an open combat.

    MK-13.3: Help may be asked for at any point of an open combat.
    """
    if table.combat is None or is_running(table) or find_pending(table, claiming.ClaimWindow) is not None:
        raise IllegalMove("help_in_an_open_combat", "MK-13.3")


# ---- main decides ----------------------------------------------------------------------------------------------------


@demand(ClaimKill, clauses=("MK-15.1",))
def require_main_to_claim(table: Table, seat: int, _move: ClaimKill) -> None:
    """Refuse a claim of anybody but main (MK-15.1)."""
    if table.combat is not None and seat != table.combat.main:
        raise IllegalMove("only_main_claims", "MK-15.1", seat=table.combat.main)


@demand(RunAway, clauses=("MK-17.2",))
def require_main_to_run(table: Table, seat: int, _move: RunAway) -> None:
    """Refuse a bystander who turns the fighters to run (MK-17.2)."""
    if table.combat is not None and seat not in table.combat.fighters:
        raise IllegalMove("only_main_runs", "MK-17.2")


@demand(LetPass, clauses=("MK-11.3",))
def require_main_to_let_pass(table: Table, seat: int, _move: LetPass) -> None:
    """Refuse anybody but main who spares a monster (MK-11.3)."""
    if table.combat is not None and seat != table.combat.main:
        raise IllegalMove("only_main_lets_pass", "MK-11.3")


@demand(*MAIN_PLAYER_MOVES, clauses=("MK-13.2",))
def require_answer_about_help(table: Table, seat: int, _move: Move) -> None:
    """Refuse to go on while a player has been asked for help (MK-13.2)."""
    if table.combat is not None and seat == table.combat.main and not is_running(table):
        fighting.check_nobody_is_asked(table)


@demand(ClaimKill, clauses=("MK-9.2",))
def require_greater_strength(table: Table, seat: int, _move: ClaimKill) -> None:
    """Refuse a claim of fighters who are not stronger (MK-9.2)."""
    if table.combat is not None and seat == table.combat.main and not is_running(table):
        fighting.check_stronger(table)


@demand(RunAway, clauses=("MK-17.2",))
def require_lesser_strength(table: Table, seat: int, _move: RunAway) -> None:
    """Refuse to run while the fighters are stronger (MK-17.2)."""
    if table.combat is not None and seat == table.combat.main and not is_running(table):
        fighting.check_not_stronger(table)


@demand(LetPass, clauses=("MK-11.3", "MK-3.1"))
def require_monster_that_lets_pass(table: Table, seat: int, move: LetPass) -> None:
    """Refuse to let a monster pass that lets nobody pass (MK-11.3, MK-3.1)."""
    if table.combat is not None and seat == table.combat.main:
        fighting.check_let_pass(table, move.monster)


@demand(*MAIN_PLAYER_MOVES, scope=Scope.WINDOW, clauses=("MK-15.1", "MK-17.1", "MK-11.3"))
def require_combat(table: Table, _seat: int, move: Move) -> None:
    """Refuse what is done in a combat where there is none."""
    if table.combat is None:
        clause = {ClaimKill: "MK-15.1", RunAway: "MK-17.1", LetPass: "MK-11.3"}[type(move)]
        raise IllegalMove("no_combat_now", clause, "MK-6.5")


@demand(*MAIN_PLAYER_MOVES, scope=Scope.WINDOW, clauses=("MK-17.8", "MK-17.1"))
def require_fight_not_given_up(table: Table, _seat: int, move: Move) -> None:
    """Refuse to go back to the fight once the fighters run.

    MK-17.8: A level gained while running away does not reopen the combat.
    """
    if table.combat is not None and is_running(table):
        if isinstance(move, RunAway):
            raise IllegalMove("runs_already", "MK-17.1")
        raise IllegalMove("no_way_back", "MK-17.8", "MK-14.2")


@demand(ClaimKill, LetPass, scope=Scope.WINDOW, clauses=("MK-15.1",))
def require_first_claim(table: Table, _seat: int, _move: Move) -> None:
    """Refuse a claim while one is open (MK-15.1)."""
    if find_pending(table, claiming.ClaimWindow) is not None:
        raise IllegalMove("claimed_already", "MK-15.1", "MK-15.2")


# ---- the window ------------------------------------------------------------------------------------------------------


@demand(Pass, clauses=("MK-15.1",))
def require_bystander_to_pass(table: Table, seat: int, _move: Pass) -> None:
    """Refuse the pass of a fighter in the window.

    MK-15.1: The window is open for all other living players.
    """
    if table.moment == "window" and table.is_in_combat(seat):
        raise IllegalMove("fighters_do_not_pass", "MK-15.1")


@demand(Pass, clauses=("MK-15.5",))
def require_first_pass(table: Table, seat: int, _move: Pass) -> None:
    """Refuse a second pass (MK-15.5)."""
    if isinstance(window := table.agenda[-1], claiming.ClaimWindow):
        claiming.check_not_passed(window, seat)


@demand(TakeBackPass, clauses=("MK-15.5",))
def require_pass_to_take_back(table: Table, seat: int, _move: TakeBackPass) -> None:
    """Refuse to take back a pass that was not made (MK-15.5)."""
    if isinstance(window := table.agenda[-1], claiming.ClaimWindow):
        claiming.check_passed(window, seat)


@demand(Pass, TakeBackPass, scope=Scope.WINDOW, clauses=("MK-15.3", "MK-15.5", "MK-20.5"))
def require_window(table: Table, seat: int, move: Move) -> None:
    """Refuse a pass where the player has nothing to pass (MK-15.3, MK-20.5)."""
    top = table.agenda[-1]
    if isinstance(top, CurseWindow) and isinstance(move, Pass):
        if seat != top.victim:
            raise IllegalMove("victim_alone_answers", "MK-20.5", seat=top.victim)
    elif not isinstance(top, claiming.ClaimWindow):
        raise IllegalMove("nothing_to_pass", "MK-15.5" if isinstance(move, TakeBackPass) else "MK-15.3")


# ---- running away ----------------------------------------------------------------------------------------------------


@demand(FleeFrom, GiveUpRide, clauses=("MK-17.3",))
def require_fighter_to_run(table: Table, seat: int, _move: Move) -> None:
    """Refuse a bystander who runs (MK-17.3)."""
    if is_running(table) and table.combat is not None and seat not in table.combat.fighters:
        raise IllegalMove("only_fighters_run", "MK-17.3")


@demand(FleeFrom, clauses=("MK-17.3",))
def require_monster_to_escape(table: Table, seat: int, move: FleeFrom) -> None:
    """Refuse to run from a monster that is not there, or twice from one (MK-17.3)."""
    if is_running(table) and table.is_in_combat(seat):
        fleeing.check_monster_to_escape(table, seat, move.monster)


@demand(GiveUpRide, clauses=("MK-8.7",))
def require_ride_to_give_up(table: Table, seat: int, _move: GiveUpRide) -> None:
    """Refuse to give up a ride without one, or where it is off (MK-8.7)."""
    fleeing.check_ride_to_give_up(table, seat)


@demand(HelperFirst, clauses=("MK-17.5",))
def require_say_in_the_order(table: Table, seat: int, _move: HelperFirst) -> None:
    """Refuse a wish about the order, too late or from another (MK-17.5)."""
    flight = find_pending(table, fleeing.Fleeing)
    if flight is not None and table.combat is not None:
        fleeing.check_order_wish(table, seat, flight.begun)


@demand(FleeFrom, GiveUpRide, HelperFirst, scope=Scope.WINDOW, clauses=("MK-17.1",))
def require_flight(table: Table, _seat: int, _move: Move) -> None:
    """Refuse to run before main has turned to run (MK-17.1)."""
    if not is_running(table):
        raise IllegalMove("nobody_runs", "MK-17.1")


@demand(FleeFrom, GiveUpRide, scope=Scope.TURN, clauses=("MK-17.5",))
def require_turn_to_run(table: Table, seat: int, _move: Move) -> None:
    """Refuse a fighter who runs before the other is through (MK-17.5)."""
    runner = fleeing.find_runner(table)
    if is_running(table) and table.is_in_combat(seat) and runner not in (None, seat):
        raise IllegalMove("another_runs_first", "MK-17.5", seat=runner)


@demand(KeepRoll, clauses=("MK-26.3",))
def require_own_die(table: Table, seat: int, _move: KeepRoll) -> None:
    """Refuse a say in the die of another.

    MK-26.3: After every roll of a player's die that player has a moment to change it.
    """
    if isinstance(die := table.agenda[-1], AfterRoll) and die.seat != seat:
        raise IllegalMove("die_of_another", "MK-26.3", seat=die.seat)


@demand(KeepRoll, scope=Scope.WINDOW, clauses=("MK-26.3",))
def require_fallen_die(table: Table, _seat: int, _move: KeepRoll) -> None:
    """Refuse to keep a die that has not been rolled (MK-26.3)."""
    if not isinstance(table.agenda[-1], AfterRoll):
        raise IllegalMove("no_die_to_keep", "MK-26.3")


# ---- what is shared --------------------------------------------------------------------------------------------------


@demand(PickTreasure, clauses=("MK-16.4",))
def require_treasure_to_pick(table: Table, _seat: int, move: PickTreasure) -> None:
    """Refuse a treasure that does not lie open (MK-16.4)."""
    if find_pending(table, rewards.Sharing) is not None:
        rewards.check_treasure(table, move.card)


@demand(PickTreasure, scope=Scope.WINDOW, clauses=("MK-16.4",))
def require_sharing(table: Table, _seat: int, _move: PickTreasure) -> None:
    """Refuse to pick where nothing is shared (MK-16.4)."""
    if find_pending(table, rewards.Sharing) is None:
        raise IllegalMove("nothing_is_shared", "MK-16.4")


@demand(PickTreasure, scope=Scope.TURN, clauses=("MK-16.4", "MK-13.7"))
def require_turn_to_pick(table: Table, seat: int, _move: PickTreasure) -> None:
    """Refuse to pick before it is one's turn by the deal (MK-16.4)."""
    sharing = find_pending(table, rewards.Sharing)
    if sharing is not None and seat not in sharing.order[:1]:
        raise IllegalMove("another_picks", "MK-16.4", "MK-13.7", seat=sharing.order[0] if sharing.order else NOBODY)


@demand(TakeCard, clauses=("MK-19.4",))
def require_card_left_behind(table: Table, _seat: int, move: TakeCard) -> None:
    """Refuse a card that the dead player did not leave (MK-19.4)."""
    looting = find_pending(table, Looting)
    if looting is not None and looting.opened:
        looting.check_card(table, move.card)


@demand(TakeCard, scope=Scope.WINDOW, clauses=("MK-19.4",))
def require_looting(table: Table, _seat: int, _move: TakeCard) -> None:
    """Refuse to take a card where nobody is looted (MK-19.4)."""
    if find_pending(table, Looting) is None:
        raise IllegalMove("nobody_is_looted", "MK-19.4")


@demand(TakeCard, scope=Scope.TURN, clauses=("MK-19.4",))
def require_turn_to_take(table: Table, seat: int, _move: TakeCard) -> None:
    """Refuse to take a card before those of higher level (MK-19.4)."""
    looting = find_pending(table, Looting)
    if looting is not None and looting.order and looting.order[0] != seat:
        raise IllegalMove("another_takes", "MK-19.4", seat=looting.order[0])
