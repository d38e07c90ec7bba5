"""Clauses that a legal move rests on in this very situation."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event, Move
from referee.engine.rulebook.grounds import ground
from referee.games.munchkin.components import FACES
from referee.games.munchkin.events.cards import CardPlayed, CardPut, ItemsUsed
from referee.games.munchkin.events.combat import KillClaimed, MonsterJoined, MonstersKilled
from referee.games.munchkin.moves import (
    AskHelp,
    ClaimKill,
    DiscardFromPlay,
    JoinByTag,
    Pass,
    PlayCard,
    PutIntoPlay,
    Sell,
)
from referee.games.munchkin.rules.combat import helping
from referee.games.munchkin.rules.items.selling import GOLD_PER_LEVEL, sum_gold
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_winning
from referee.games.munchkin.values import NOBODY

PUT_CLAUSES = {
    "item": ("MK-7.6",), "one_shot": ("MK-7.6", "MK-8.2"), "citizenship": ("MK-4.4",), "dual_citizenship": ("MK-4.6",),
    "ride": ("MK-8.6",), "ride_enhancer": ("MK-8.8",),
}  # fmt: skip
HIGHEST_LEVEL_BY_SALE = 9  # MK-7.15


@ground(Table, PutIntoPlay)
def cite_put(table: Table, move: PutIntoPlay, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield why a card of this kind comes into play now.

    MK-26.5: An item is equipped as it comes into play.
    """
    received = any(isinstance(event, CardPut) and event.received for event in events)
    if table.moment != "setup" and not received:
        yield from PUT_CLAUSES[FACES[move.card].kind]
    if any(isinstance(event, ItemsUsed) for event in events):
        yield "MK-26.5"


@ground(Table, DiscardFromPlay)
def cite_discard(_table: Table, move: DiscardFromPlay, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield why this card may be discarded at any time (MK-4.4, MK-8.6)."""
    yield "MK-8.6" if FACES[move.card].kind == "ride" else "MK-4.4"


@ground(Table, AskHelp)
def cite_request(table: Table, _move: AskHelp, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield that even a main player who is winning may ask (MK-13.3)."""
    if table.combat is not None and is_winning(table):
        yield "MK-13.3"


@ground(Table, ClaimKill)
def cite_claim(table: Table, _move: ClaimKill, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield that the window is held even for the kill that wins the game (MK-15.6)."""
    if helping.would_win_game(table) and (not events or any(isinstance(event, KillClaimed) for event in events)):
        yield "MK-15.6"


@ground(Table, ClaimKill, Pass)
def cite_kill(table: Table, _move: Move, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield what a kill means for a helper (MK-13.12, MK-16.5)."""
    helped = table.combat is not None and table.combat.helper != NOBODY
    if helped and any(isinstance(event, MonstersKilled) for event in events):
        yield from ("MK-13.12", "MK-16.5")


@ground(Table, JoinByTag, PlayCard)
def cite_interference(table: Table, _move: Move, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield who adds to a combat: main (MK-11.6), or a bystander (MK-6.4)."""
    if table.combat is None:
        return
    joined = any(isinstance(event, MonsterJoined) and event.by == table.combat.main for event in events)
    if joined:
        yield "MK-11.6"
    others = [event.seat for event in events if isinstance(event, CardPlayed)]
    if others and others[0] not in table.combat.fighters:
        yield "MK-6.4"


@ground(Table, Sell)
def cite_sale(table: Table, move: Sell, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield what is odd about a sale.

    MK-7.16: Items without value may be thrown in.
    MK-7.15: A sale never gives level 10, whatever its sum.
    """
    if any(not FACES[card].gold for card in move.cards):
        yield "MK-7.16"
    if table.levels[table.turn] + sum_gold(move.cards) // GOLD_PER_LEVEL > HIGHEST_LEVEL_BY_SALE:
        yield "MK-7.15"
