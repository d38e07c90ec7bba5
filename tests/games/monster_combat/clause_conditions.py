"""When clauses of Monster Combat may be cited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.games.monster_combat.components import HEARTS_HIT_BY_CARD, TRIGGER_BACK, design_name
from referee.games.monster_combat.events import (
    AttackParried,
    BecameImmune,
    CardsStolen,
    ComingTurnLost,
    EventTurnedUp,
    FirstPlayerChosen,
    HandDealt,
    HandLost,
    HeartRegained,
    HeartsLost,
    ImmunityEnded,
    ImmunityHeld,
    LightningStruckBack,
    NothingToDraw,
    PileRenewed,
    PlayerDefeated,
    PlayerDrewCards,
    PlayerRevived,
    SurplusDiscarded,
    TurnBegan,
    TurnMissed,
)
from referee.games.monster_combat.monster_events import (
    LastSurvivorWon,
    MonsterAppeared,
    MonsterBeaten,
    MonsterFellAsleep,
    MonsterHit,
    MonsterSleptOn,
    MonstersWon,
    MonsterWoke,
    PlayersWon,
)
from referee.games.monster_combat.moves import DrawResult, Parry, PlayCard, ReviveDraw, TakeHit
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.play_a_card import PlayPhase, RefillHand
from referee.games.monster_combat.rules.theft import Theft
from referee.games.monster_combat.rules.triggers import AfterEvent, EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, SurplusDiscard
from referee.games.monster_combat.state import NOBODY, Table
from tests.games.conditions import Condition, before, both, either, happens, moves, pending
from tests.games.matches import Turned


def plays(*cards: str) -> Condition:
    """A card of these kinds is played."""
    return moves(PlayCard, where=lambda move: design_name(move.card) in cards)


def turns_up(*cards: str) -> Condition:
    """An event of these kinds is turned up."""
    return happens(EventTurnedUp, where=lambda event: design_name(event.put[0]) in cards)


def shows_trigger(event: Any) -> bool:
    """A card with the trigger back is among those that were moved."""
    return any(card == TRIGGER_BACK or card.endswith("!trigger") for card in event.put)


def has_immune_player(table: Table) -> bool:
    """Somebody is immune."""
    return any(table.immune)


def is_asleep(table: Table) -> bool:
    """The active monster sleeps."""
    return table.sleeper != NOBODY


def has_few_opponents(table: Table) -> bool:
    """Somebody was defeated, or only two play."""
    return 0 in table.hearts or len(table.hearts) == 2


def hits_in_excess(turned: Turned) -> bool:
    """A card hits a monster for more hearts than it has."""
    table = turned.before
    force = HEARTS_HIT_BY_CARD[design_name(turned.move.card)] * (2 if is_asleep(table) else 1)
    return bool(force > table.monster_hearts)


def costs(wanted: Callable[[int], bool]) -> Condition:
    """An attack is pending that costs so many hearts."""
    return before(
        lambda table: any(isinstance(step, PendingAttack) and wanted(step.strength or 0) for step in table.agenda)
    )


in_an_event = pending(AfterEvent)
ATTACK = either(pending(PendingAttack, LightningAttack), moves(Parry, TakeHit))
CONDITIONS: dict[str, Condition] = {
    "MC-SETUP-5": happens(HandDealt),
    "MC-AMB-5": happens(FirstPlayerChosen),
    "MC-TURN-DRAW-1": either(happens(PlayerDrewCards), moves(DrawResult)),
    "MC-V1-TURN-EVENT-1": either(happens(EventTurnedUp), pending(EventPhase)),
    "MC-V1-TRIGGER-1": either(
        both(pending(DrawPhase), happens(PlayerDrewCards, where=shows_trigger)), pending(EventPhase)
    ),
    "MC-V2-TURN-EVENT-1": either(happens(EventTurnedUp, PlayerDrewCards), pending(EventPhase)),
    "MC-V2-TRIGGER-1": happens(PlayerDrewCards, where=shows_trigger),
    "MC-AMB-4": either(
        happens(HandDealt, where=shows_trigger), both(plays("thief_1", "thief_2"), happens(PlayerDrewCards)),
        both(moves(DrawResult), happens(PlayerDrewCards, where=shows_trigger)),
    ),
    "MC-AMB-6": happens(PileRenewed, NothingToDraw),
    "MC-TURN-PLAY-1": either(moves(PlayCard), pending(PlayPhase)),
    "MC-TURN-END-1": either(happens(SurplusDiscarded), pending(SurplusDiscard)),
    "MC-TURN-END-2": happens(TurnBegan),
    "MC-V1-SWORD-1": plays("sword"),
    "MC-V2-SWORD-1": plays("sword"),
    "MC-V1-LIGHTNING-1": either(plays("lightning"), pending(LightningAttack)),
    "MC-V1-LIGHTNING-2": either(plays("lightning"), pending(LightningAttack)),
    "MC-V1-LIGHTNING-3": happens(LightningStruckBack),
    "MC-V2-LIGHTNING-1": plays("lightning"),
    "MC-V1-SKIP-1": either(plays("skip"), happens(ComingTurnLost, TurnMissed)),
    "MC-V2-SKIP-1": either(plays("skip"), happens(MonsterFellAsleep, MonsterSleptOn)),
    "MC-V2-SKIP-2": both(plays("sword", "lightning"), before(is_asleep)),
    "MC-V1-LIFE-1": plays("life_back"),
    "MC-V2-LIFE-1": either(plays("life_back"), happens(PlayerRevived)),
    "MC-V2-LIFE-2": either(moves(ReviveDraw), pending(RefillHand), happens(PlayerRevived), happens(PlayerDrewCards)),
    "MC-V1-THIEF-1": either(plays("thief_1", "thief_2"), pending(Theft), happens(CardsStolen)),
    "MC-V1-THIEF-2": either(plays("thief_1", "thief_2"), both(moves(DrawResult), happens(PlayerDrewCards))),
    "MC-V2-THIEF-1": either(plays("thief_1", "thief_2"), both(moves(DrawResult), happens(PlayerDrewCards))),
    "MC-AMB-26": either(pending(Theft), happens(CardsStolen)),
    "MC-SHIELD-1": either(ATTACK, happens(AttackParried)),
    "MC-SHIELD-3": ATTACK,
    "MC-AMB-20": ATTACK,
    "MC-AMB-9": costs(lambda strength: strength > 1),
    "MC-AMB-10": both(happens(LightningStruckBack), before(has_few_opponents)),
    "MC-AMB-11": both(before(has_immune_player), either(plays("lightning"), pending(LightningAttack))),
    "MC-AMB-12": either(happens(ImmunityHeld), happens(ImmunityEnded)),
    "MC-AMB-13": either(happens(HandLost), turns_up("discard_hand")),
    "MC-AMB-14": happens(MonsterFellAsleep, MonsterWoke),
    "MC-AMB-15": both(happens(MonsterHit), hits_in_excess),
    "MC-AMB-16": both(before(has_immune_player), before(lambda table: table.rules.variant == "V2")),
    "MC-AMB-17": turns_up("attacked"),
    "MC-AMB-18": either(happens(PlayerDefeated, HandLost, PlayerRevived, PlayerDrewCards), pending(RefillHand)),
    "MC-AMB-19": both(happens(PlayerDefeated), in_an_event),
    "MC-AMB-21": happens(LastSurvivorWon),
    "MC-EVENT-1": either(happens(EventTurnedUp), pending(EventPhase)),
    "MC-EVENT-2": either(happens(ImmunityEnded), happens(MonsterWoke, where=lambda woke: not woke.rules)),
    "MC-EVENT-3": either(happens(EventTurnedUp), both(moves(Parry, TakeHit), in_an_event)),
    "MC-EVENT-HEARTS-1": turns_up("all_hearts_back"),
    "MC-EVENT-IMMUNE-1": either(turns_up("immune"), happens(BecameImmune, ImmunityHeld)),
    "MC-EVENT-DISCARD-1": either(turns_up("discard_hand"), happens(HandLost)),
    "MC-EVENT-DIRECTION-1": turns_up("change_direction"),
    "MC-V1-EVENT-ATTACK-1": turns_up("attacked"),
    "MC-V2-EVENT-ATTACK-1": either(turns_up("attacked"), happens(MonsterSleptOn)),
    "MC-V2-MONSTER-1": happens(MonsterBeaten, MonsterAppeared),
    "MC-V2-MONSTER-2": happens(MonsterHit),
    "MC-V2-MONSTER-3": turns_up("attacked"),
    "MC-TERM-8": happens(HeartsLost, HeartRegained),
    "MC-LIFE-1": happens(HeartsLost, PlayerDefeated),
    "MC-LIFE-2": happens(PlayerDefeated),
    "MC-V1-END-1": happens(LastSurvivorWon),
    "MC-V2-END-1": happens(PlayersWon),
    "MC-V2-END-2": happens(MonstersWon),
}  # fmt: skip
