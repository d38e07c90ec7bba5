"""What the rules demand of cards played, monsters that join, and powers."""

from __future__ import annotations

from referee.engine.rulings import Scope
from referee.games.munchkin.components import FACES
from referee.games.munchkin.moves import JoinByTag, PlayCard, UsePower
from referee.games.munchkin.rules.cards import playing
from referee.games.munchkin.rules.cards.requirements import find_required_names, find_verbs
from referee.games.munchkin.rules.combat import auto_join
from referee.games.munchkin.rules.reasons.preconditions import demand
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY


def is_played(table: Table, card: str) -> bool:
    """Return whether a name is that of a card that is played for what it does."""
    return card in table.boxes.whole and FACES[card].kind in playing.PLAYED_KINDS


def is_timely(table: Table, seat: int, card: str) -> bool:
    """Return whether a card is played at a time like this."""
    return any(playing.is_time_to_play(table, seat, when, table.moment) for when in FACES[card].when)


# ---- playing a card --------------------------------------------------------------------------------------------------


@demand(PlayCard, clauses=("MK-2.1", "MK-2.3", "MK-14.3", "MK-12.1", "MK-5.4", "MK-6.3"))
def require_card_to_play(table: Table, seat: int, move: PlayCard) -> None:
    """Refuse a card that the player does not have, or that is not played."""
    playing.check_card_to_play(table, seat, move.card)


@demand(PlayCard, clauses=("MK-19.7", "MK-20.7", "MK-10.1", "MK-3.1"))
def require_target(table: Table, seat: int, move: PlayCard) -> None:
    """Refuse a player or a monster on whom the card cannot be played."""
    if is_played(table, move.card) and is_named(table, move):
        playing.check_target(table, seat, move)


def is_named(table: Table, move: PlayCard) -> bool:
    """Return whether the play names what it is played on, so it can be judged."""
    asks = find_required_names(move.card)
    return not ("seat" in asks and move.seat == -1) and not (
        "monster" in asks and (not move.monster or table.combat is None)
    )


@demand(PlayCard, clauses=("MK-4.2", "MK-8.4", "MK-3.5", "MK-9.4", "MK-13.1", "MK-27.4"))
def require_no_bar(table: Table, seat: int, move: PlayCard) -> None:
    """Refuse level 10 by a card, forced help for it, and barred one-shots."""
    if not is_played(table, move.card):
        return
    nobody = "seat" in find_required_names(move.card) and not 0 <= move.seat < table.rules.seats
    main = NOBODY if table.combat is None else table.combat.main
    if not nobody and ("draft" not in find_verbs(move.card) or main == seat):
        playing.check_bars(table, seat, move)


@demand(PlayCard, clauses=(*playing.NAMING_CLAUSES.values(), "MK-3.1"))
def require_names(table: Table, seat: int, move: PlayCard) -> None:
    """Refuse a play that names too much or too little for its card."""
    if is_played(table, move.card) and is_timely(table, seat, move.card):
        playing.check_names(table, seat, move)


@demand(PlayCard, clauses=("MK-3.1",))
def require_conditions(table: Table, seat: int, move: PlayCard) -> None:
    """Refuse a play whose card sets a condition that does not hold (MK-3.1)."""
    if not is_played(table, move.card) or not is_timely(table, seat, move.card):
        return
    if FACES[move.card].requires_target is None or 0 <= move.seat < table.rules.seats:
        playing.check_conditions(table, seat, move)


@demand(PlayCard, scope=Scope.WINDOW, clauses=tuple(dict.fromkeys(sum(playing.TIME_CLAUSES.values(), ("MK-1.6",)))))
def require_time_to_play(table: Table, seat: int, move: PlayCard) -> None:
    """Refuse a card at a time that is not its own."""
    if is_played(table, move.card):
        playing.check_time(table, seat, move.card, table.moment)


# ---- monsters that join ----------------------------------------------------------------------------------------------


@demand(JoinByTag, clauses=("MK-2.1", "MK-12.1"))
def require_monster_to_join(table: Table, seat: int, move: JoinByTag) -> None:
    """Refuse a monster that the player does not have."""
    auto_join.check_cards_to_join(table, seat, move)


@demand(JoinByTag, clauses=("MK-12.1", "MK-12.2", "MK-12.3"))
def require_tag(table: Table, seat: int, move: JoinByTag) -> None:
    """Refuse a monster whose tag no monster in the combat shares (MK-12.1 to MK-12.3)."""
    known = all(card in table.boxes.whole for card in (move.monster, move.partner) if card or card is move.monster)
    if table.combat is not None and known and FACES[move.monster].kind == "monster":
        auto_join.check_tags(table, seat, move)


@demand(JoinByTag, scope=Scope.WINDOW, clauses=("MK-14.2", "MK-17.8"))
def require_open_combat_to_join(table: Table, seat: int, move: JoinByTag) -> None:
    """Refuse to add a monster while no combat is open (MK-14.2, MK-17.8)."""
    if move.monster in table.boxes.whole:
        auto_join.check_time_to_join(table, seat, move)


# ---- powers ----------------------------------------------------------------------------------------------------------


@demand(UsePower, clauses=("MK-4.9", "MK-4.7"))
def require_power(table: Table, seat: int, move: UsePower) -> None:
    """Refuse a power that no citizenship of the player gives (MK-4.9, MK-4.7)."""
    auto_join.find_power(table, seat, move.power)


@demand(UsePower, clauses=("MK-4.9",))
def require_price(table: Table, seat: int, move: UsePower) -> None:
    """Refuse a card that cannot pay for the power (MK-4.9)."""
    if has_power(table, seat, move.power):
        auto_join.check_price_of_power(table, seat, move)


@demand(UsePower, clauses=("MK-4.9",))
def require_power_left(table: Table, seat: int, move: UsePower) -> None:
    """Refuse a power that has been used as often as it can be (MK-4.9)."""
    if has_power(table, seat, move.power) and table.combat is not None:
        auto_join.check_power_left(table, seat, move)


@demand(UsePower, scope=Scope.WINDOW, clauses=("MK-4.9",))
def require_time_of_power(table: Table, seat: int, move: UsePower) -> None:
    """Refuse a power at a time that is not its own (MK-4.9)."""
    if has_power(table, seat, move.power):
        auto_join.check_time_of_power(table, seat, move)


def has_power(table: Table, seat: int, name: str) -> bool:
    """Return whether a player is a citizen of a town with this power."""
    return any(power.name == name for _, power in auto_join.find_powers(table, seat))
