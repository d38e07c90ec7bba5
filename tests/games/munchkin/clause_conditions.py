"""When clauses of Munchkin may be cited."""

from __future__ import annotations

from typing import Any

from referee.games.munchkin.components import FACES, PROGRAMS
from referee.games.munchkin.events.cards import (
    BelongingsLaidOpen,
    CardKept,
    CardLooted,
    CardPlayed,
    CardPut,
    CardsDealt,
    CurseLaid,
    DeckRenewed,
    DoorOpened,
    GivenInCharity,
    ItemsUsed,
    NoLongerFresh,
    NothingToDraw,
    TreasurePicked,
    TreasureTurnedUp,
)
from referee.games.munchkin.events.combat import (
    Caught,
    ClaimBroken,
    CombatEnded,
    Escaped,
    FlightRollModified,
    FlightStarted,
    HelperJoined,
    HelperLeft,
    HelpTermsProposed,
    KillClaimed,
    MonsterEnhanced,
    MonsterJoined,
    MonsterRemoved,
    MonstersKilled,
    WindowPassed,
)
from referee.games.munchkin.events.course import (
    GameDrawn,
    GameWon,
    LevelsGained,
    LevelsLost,
    PlayerDied,
    PlayerRevived,
    TradeOffered,
    TurnBegan,
    TurnEnded,
)
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.moves import (
    AskHelp,
    ClaimKill,
    DiscardFromPlay,
    GiveToCharity,
    JoinByTag,
    KickDoor,
    LookForTrouble,
    LootRoom,
    OfferTrade,
    PlayCard,
    PutIntoPlay,
    Ready,
    RunAway,
    Sell,
    TakeBackRequest,
    TakeTrade,
    UsePower,
)
from referee.games.munchkin.rules.cards.cursing import CurseStrike, CurseWindow
from referee.games.munchkin.rules.combat.fighting import Fight, MonsterArrival
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.opening_doors import BehindTheDoor, OpenDoor
from referee.games.munchkin.rules.setup import Preparing
from referee.games.munchkin.rules.turn import Calm, KeepOne
from referee.games.munchkin.state import Table
from tests.games.conditions import Condition, before, both, either, happens, moves, pending


def is_of(*kinds: str) -> Any:
    """The card of a move or an event is of one of these kinds."""
    return lambda thing: thing.card in FACES and FACES[thing.card].kind in kinds


def plays(*kinds: str) -> Condition:
    """A card of these kinds is played."""
    return either(moves(PlayCard, where=is_of(*kinds)), happens(CardPlayed, where=is_of(*kinds)))


def is_fought(table: Table) -> bool:
    """A combat is running."""
    return table.combat is not None


def has_helper(table: Table) -> bool:
    """Main is being helped."""
    return table.combat is not None and table.combat.helper >= 0


in_combat = either(before(is_fought), happens(MonsterJoined))
CONDITIONS: dict[str, Condition] = {
    "MK-1.4": happens(CardsDealt),
    "MK-1.6": either(moves(Ready), pending(Preparing)),
    "MK-2.6": happens(DeckRenewed, NothingToDraw),
    "MK-3.2": happens(LevelsLost),
    "MK-3.3": happens(LevelsGained),
    "MK-4.1": happens(LevelsGained),
    "MK-4.2": either(happens(LevelsGained, where=lambda event: event.level == 9), happens(EffectLapsed)),
    "MK-4.9": either(moves(UsePower), pending(KeepOne), happens(Escaped)),
    "MK-5.1": either(pending(Calm), happens(TurnBegan)),
    "MK-5.2": either(happens(TurnBegan, PlayerRevived)),
    "MK-5.3": either(moves(KickDoor), pending(OpenDoor, BehindTheDoor), happens(DoorOpened, CardKept)),
    "MK-5.4": moves(LookForTrouble, LootRoom),
    "MK-5.5": happens(DoorOpened, where=lambda event: FACES[event.put[0]].kind == "curse"),
    "MK-5.7": happens(NothingToDraw),
    "MK-5.10": happens(TurnEnded, TurnBegan),
    "MK-6.4": both(before(is_fought), moves(PlayCard, JoinByTag)),
    "MK-6.6": either(happens(NoLongerFresh), happens(CardPut, where=lambda event: event.received)),
    "MK-7.6": moves(PutIntoPlay, where=is_of("item", "one_shot")),
    "MK-7.7": moves(PutIntoPlay, OfferTrade, TakeTrade),
    "MK-7.9": either(moves(TakeTrade), happens(TradeOffered)),
    "MK-7.14": moves(Sell),
    "MK-7.15": both(moves(Sell), before(lambda table: max(table.levels) >= 7)),
    "MK-7.16": moves(Sell),
    "MK-8.1": plays("one_shot"),
    "MK-8.4": plays("go_up_a_level"),
    "MK-8.5": plays("treasure_special"),
    "MK-8.6": either(moves(PutIntoPlay, where=is_of("ride")), moves(DiscardFromPlay, where=is_of("ride"))),
    "MK-9.2": happens(MonstersKilled),
    "MK-9.5": either(
        happens(MonsterJoined, where=lambda event: (event.of, "enters") in PROGRAMS), pending(MonsterArrival)
    ),
    "MK-9.6": either(pending(Fight), in_combat),
    "MK-10.1": either(plays("enhancer"), happens(MonsterEnhanced)),
    "MK-10.2": happens(MonsterEnhanced),
    "MK-11.1": happens(MonsterJoined),
    "MK-11.3": happens(MonsterRemoved),
    "MK-11.4": happens(CombatEnded, where=lambda event: event.how == "fled"),
    "MK-11.5": happens(CombatEnded, where=lambda event: event.how == "removed"),
    "MK-12.1": moves(JoinByTag),
    "MK-13.1": either(moves(AskHelp, TakeBackRequest), happens(HelpTermsProposed, HelperJoined)),
    "MK-13.3": both(moves(AskHelp), before(is_fought)),
    "MK-13.4": happens(HelperJoined),
    "MK-13.11": happens(HelperLeft),
    "MK-13.12": both(before(has_helper), happens(MonstersKilled)),
    "MK-14.1": in_combat,
    "MK-14.2": in_combat,
    "MK-14.3": plays("wandering_monster"),
    "MK-15.1": either(moves(ClaimKill), happens(KillClaimed), pending(ClaimWindow)),
    "MK-15.2": happens(ClaimBroken),
    "MK-15.3": either(pending(ClaimWindow), happens(WindowPassed)),
    "MK-15.6": both(moves(ClaimKill), before(lambda table: max(table.levels) >= 8)),
    "MK-16.1": happens(LevelsGained),
    "MK-16.3": happens(TreasureTurnedUp),
    "MK-16.5": both(before(has_helper), happens(MonstersKilled)),
    "MK-16.9": happens(CombatEnded, where=lambda event: event.how == "killed"),
    "MK-17.1": either(moves(RunAway), happens(FlightStarted), pending(Fleeing)),
    "MK-17.2": either(moves(RunAway), happens(FlightStarted)),
    "MK-17.4": happens(Caught),
    "MK-17.5": both(before(has_helper), pending(Fleeing)),
    "MK-17.6": happens(Escaped),
    "MK-17.8": either(happens(CardPlayed), happens(FlightRollModified)),
    "MK-17.9": happens(CombatEnded, where=lambda event: event.how == "fled"),
    "MK-18.4": happens(EffectLapsed),
    "MK-19.1": happens(PlayerDied, BelongingsLaidOpen),
    "MK-19.4": either(pending(Looting), happens(CardLooted)),
    "MK-19.8": happens(TurnBegan, PlayerRevived),
    "MK-20.1": either(plays("curse"), pending(CurseStrike), happens(DoorOpened)),
    "MK-20.2": happens(CurseLaid),
    "MK-20.5": pending(CurseWindow),
    "MK-21.2": moves(GiveToCharity, where=lambda move: bool(move.to)),
    "MK-21.3": moves(GiveToCharity, where=lambda move: not move.to),
    "MK-21.5": happens(GivenInCharity),
    "MK-22.1": happens(GameWon),
    "MK-26.5": happens(ItemsUsed),
    "MK-26.7": happens(TreasurePicked),
    "MK-26.8": happens(TurnBegan, where=lambda event: bool(event.back)),
    "MK-26.10": happens(GameDrawn),
}  # fmt: skip
