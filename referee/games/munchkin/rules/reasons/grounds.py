"""Clauses that a legal move rests on in this very situation."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.events import Event, Move
from referee.engine.reasons.grounds import ground
from referee.engine.zones import Cards
from referee.games.munchkin.components import FACES, PROGRAMS
from referee.games.munchkin.events.cards import (
    CardPlayed,
    CardPut,
    DoorOpened,
    ItemsUsed,
    NothingToDraw,
    TreasurePicked,
)
from referee.games.munchkin.events.combat import (
    CombatEnded,
    KillClaimed,
    MonsterEnhanced,
    MonsterJoined,
    MonstersKilled,
)
from referee.games.munchkin.events.course import LevelsGained, PlayerRevived, TradeOffered, TurnBegan
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.moves import (
    AskHelp,
    ClaimKill,
    DiscardFromPlay,
    FleeFrom,
    GiveToCharity,
    JoinByTag,
    KickDoor,
    OfferTrade,
    Pass,
    PlayCard,
    PutIntoPlay,
    Sell,
    TakeTrade,
)
from referee.games.munchkin.rules.cards.playing import HIGHEST_LEVEL_BY_CARD
from referee.games.munchkin.rules.combat import helping
from referee.games.munchkin.rules.items.selling import GOLD_PER_LEVEL, compute_sale, sum_gold
from referee.games.munchkin.rules.items.slots import cite_cards_for_big_items, find_cards_for_big_items
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_winning
from referee.games.munchkin.values import NOBODY

PUT_CLAUSES = {
    "item": ("MK-7.6",), "one_shot": ("MK-7.6", "MK-8.2"), "citizenship": ("MK-4.4",), "dual_citizenship": ("MK-4.6",),
    "ride": ("MK-8.6",), "ride_enhancer": ("MK-8.8",),
}  # fmt: skip
PLAY_CLAUSES = {
    "curse": ("MK-20.1",), "one_shot": ("MK-8.1",), "go_up_a_level": ("MK-8.4",),
    "treasure_special": ("MK-8.5",), "wandering_monster": ("MK-14.3",), "enhancer": ("MK-10.1",),
}  # fmt: skip
TIME_CLAUSES = {  # by which a card may be played that is not for any time
    "fight": ("MK-14.1",), "window": ("MK-14.2", "MK-14.1"), "flee": ("MK-17.8",), "calm": ("MK-6.3",),
}  # fmt: skip
WAYS_TO_END = {"killed": ("MK-16.9",), "removed": ("MK-11.5", "MK-16.6"), "fled": ("MK-11.4", "MK-17.9")}


@ground(Table, Move)
def cite_events(_table: Table, _move: Move, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield what follows from a move by clauses that its events do not name.

    MK-3.3: A combat gives a level only for a kill.
    MK-10.3: A twin has a copy of every enhancer on the monster.
    MK-4.2: A gain of levels other than by a kill stops at 9.
    MK-18.4: Levels below 1 are simply not lost.
    MK-26.7: Treasures won go to the hand first.
    """
    for event in events:
        match event:
            case CardPut(received=True):
                yield "MK-6.6"
            case CardPlayed(card=card) if card in FACES:
                yield from PLAY_CLAUSES.get(FACES[card].kind, ())
            case DoorOpened(put=(card,)) if card in FACES and FACES[card].kind == "curse":
                yield from ("MK-20.1", "MK-5.5")
            case TreasurePicked():
                yield "MK-26.7"
            case LevelsGained(card=card) if card in FACES and FACES[card].kind == "monster":
                yield from ("MK-3.3", "MK-16.1")
            case LevelsGained(level=level) if level == HIGHEST_LEVEL_BY_CARD:
                yield "MK-4.2"
            case EffectLapsed(what="gain_levels"):
                yield "MK-4.2"
            case EffectLapsed(what="lose_levels"):
                yield "MK-18.4"
            case TurnBegan(back=back) if back:
                yield "MK-26.8"
            case PlayerRevived():
                yield "MK-5.2"
            case CombatEnded(how=how):
                yield from WAYS_TO_END.get(how, ())
            case MonsterJoined() | MonsterEnhanced():
                yield from cite_monster(event)


def cite_monster(event: MonsterJoined | MonsterEnhanced) -> Iterator[str]:
    """Yield what a monster that joins, or an enhancer, brings with it.

    MK-9.5: What a monster does on entering happens before anything else.
    MK-10.5, MK-12.4: A tag counts from the moment it is given, and lets others of that tag join.
    """
    if isinstance(event, MonsterJoined):
        if event.card != event.of:
            yield "MK-10.3"
        if (event.of, "enters") in PROGRAMS:
            yield "MK-9.5"
        return
    if len(event.monsters) > 1:
        yield "MK-10.3"
    if event.card in FACES and FACES[event.card].gives_tag:
        yield from ("MK-10.5", "MK-12.4")


@ground(Table, PutIntoPlay)
def cite_put(table: Table, move: PutIntoPlay, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield why a card of this kind comes into play now.

    MK-26.5: An item is equipped as it comes into play.
    """
    put = [event for event in events if isinstance(event, CardPut)]
    seat = put[0].seat if put else table.turn
    if seat in range(table.rules.seats):
        yield from cite_room(table, seat, (move.card,))
    if table.moment != "setup" and not any(event.received for event in put):
        yield from PUT_CLAUSES[FACES[move.card].kind]
    if any(isinstance(event, ItemsUsed) for event in events):
        yield "MK-26.5"


def cite_room(table: Table, seat: int, comes: Cards, goes: Cards = ()) -> Iterator[str]:
    """Yield why a player may have one more Big item.

    MK-7.7: A player has at most one Big item in play.
    MK-3.1: A card that lets carry more wins against that.
    """
    there = [card for card in table.cards_in_play_of(seat) if FACES[card].big and card not in goes]
    if not there or not any(FACES[card].big for card in comes):
        return
    yield "MK-7.7"
    yield from cite_cards_for_big_items(find_cards_for_big_items(table, seat))


@ground(Table, OfferTrade, TakeTrade)
def cite_trade_of_big_items(table: Table, move: OfferTrade | TakeTrade, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield why a Big item may change hands (MK-7.10)."""
    offered = [event.trade for event in events if isinstance(event, TradeOffered)]
    if isinstance(move, TakeTrade):
        offered = [trade for trade in table.trades if trade.by == move.seat]
    for trade in offered:
        for seat, comes, goes in ((trade.to, trade.give, trade.take), (trade.by, trade.take, trade.give)):
            if any(FACES[card].big for card in comes):
                yield "MK-7.10"
                yield from cite_room(table, seat, comes, goes)


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


@ground(Table, FleeFrom)
def cite_order_of_running(table: Table, _move: FleeFrom, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield that two fighters run one after the other (MK-17.5)."""
    if table.combat is not None and table.combat.helper != NOBODY:
        yield "MK-17.5"


@ground(Table, GiveToCharity)
def cite_charity(_table: Table, move: GiveToCharity, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield who gets what is too much (MK-21.2), or that it is discarded (MK-21.3)."""
    yield "MK-21.2" if move.to else "MK-21.3"


@ground(Table, KickDoor)
def cite_missing_door(_table: Table, _move: KickDoor, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield that the turn goes on if there is no door (MK-5.7)."""
    if any(isinstance(event, NothingToDraw) for event in events) and not any(isinstance(e, DoorOpened) for e in events):
        yield "MK-5.7"


@ground(Table, PlayCard)
def cite_play(table: Table, move: PlayCard, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield why a card of this kind may be played now.

    MK-6.1: Some cards may be played at any moment of any turn.
    MK-6.3: Others are played in calm on the player's own turn.
    MK-14.1: In a combat any living player may play cards that have to do with it.
    MK-14.2: That goes on until the claim window has run out.
    MK-17.8: While somebody runs only cards that say so are played.
    """
    face = FACES.get(move.card)
    if face is None:
        return
    if "any_time" in face.when:
        yield from (*PLAY_CLAUSES.get(face.kind, ()), "MK-6.1")
    else:
        yield from (*TIME_CLAUSES.get(table.moment, ()), *PLAY_CLAUSES.get(face.kind, ()))


@ground(Table, Sell)
def cite_sale(table: Table, move: Sell, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield what is odd about a sale.

    MK-7.16: Items without value may be thrown in.
    MK-7.15: A sale never gives level 10, whatever its sum.
    """
    if any(not FACES[card].gold for card in move.cards):
        yield "MK-7.16"
    worth = compute_sale(table, table.turn, move.cards)
    if table.levels[table.turn] + worth // GOLD_PER_LEVEL > HIGHEST_LEVEL_BY_CARD:
        yield "MK-7.15"
    if worth != sum_gold(move.cards):
        yield "MK-27.3"
