"""When clauses of Creature Crush may be cited."""

from __future__ import annotations

from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.engine.chance import PickResult
from referee.engine.zones import is_back
from referee.games.creature_crush.card_attributes import COST_X
from referee.games.creature_crush.components import face_of, row_of
from referee.games.creature_crush.events.cards import (
    CardsDestroyed,
    CardsReturned,
    ControlTaken,
    CreatureMoved,
    CreatureRevived,
    CreaturesSwapped,
    CreatureSummoned,
    CrushFlipped,
    CrushLaid,
    CrushSpent,
)
from referee.games.creature_crush.events.course import (
    BattleEnded,
    DiceBurned,
    DiceRerolled,
    DieCast,
    PhaseBegan,
    StartDiceGained,
    StartDiceLost,
    StartDiceRolled,
    TargetDiceRolled,
    TargetsDrawn,
    TurnBegan,
    TurnEnded,
)
from referee.games.creature_crush.events.decks import CardDrawn, HandDrawn, NothingToDraw
from referee.games.creature_crush.events.field import (
    AttackCancelled,
    AttackDeclared,
    AttackEnded,
    CreaturesAltered,
    CreaturesDamaged,
    CreaturesHealed,
    CreaturesReadied,
    EffectCancelled,
)
from referee.games.creature_crush.events.pending import PendingEffects, PendingHit, PendingLoss
from referee.games.creature_crush.moves import Attack, Flip, Keep, MoveCreature, Order, Pass, Summon, Swap
from referee.games.creature_crush.rules.combat.rerolling import Rerolling
from referee.games.creature_crush.state import Table
from tests.games.conditions import Condition, before, both, either, happens, moves, pending
from tests.games.matches import Turned

ENTERS = (CreatureSummoned, CreatureRevived, ControlTaken)


def enters(row: str, *kinds: type) -> Condition:
    """A creature enters that row of a field."""
    return happens(*(kinds or ENTERS), where=lambda event: row_of(event.target) == row)


def destroys_with(text: str) -> Condition:
    """A card with this text is destroyed."""
    return happens(
        CardsDestroyed, where=lambda event: any(text in face_of(card).texts for card in event.put if not is_back(card))
    )


def attacks_from(row: str) -> Condition:
    """A creature of this row attacks."""

    def is_in_row(turned: Turned) -> bool:
        move: Any = turned.move
        return bool(turned.before.zone_of(move.creature) == row)

    return both(moves(Attack), is_in_row)


def has_waiting_effects(turned: Turned) -> bool:
    """Effects wait, or one is being carried out, before the move or because of it."""
    begun = [step for event in turned.events if (step := getattr(event, "step", None)) is not None]
    steps = (*turned.before.agenda, *begun)
    return any(isinstance(step, Execution) or (isinstance(step, PendingEffects) and step.links) for step in steps)


def pays_low_cost(turned: Turned) -> bool:
    """Several dice pay for a cost of six or less."""
    move: Any = turned.move
    return len(move.dice) > 1 and sum(move.dice) <= 6


def is_second_action(turned: Turned) -> bool:
    """A creature acts that entered in this turn or has acted in it."""
    table: Table = turned.before
    named = (getattr(turned.move, "creature", ""), getattr(turned.move, "other", ""))
    return any(creature in table.entered or table.acted.get(creature) for creature in named if creature)


def flips(wanted: Any) -> Condition:
    """A crush card is flipped whose face is such."""
    return happens(CrushFlipped, where=lambda event: wanted(face_of(event.card)))


STRIKES = happens(CreaturesDamaged, where=lambda event: event.why == "attack")
IN_A_CHAIN = pending(PendingEffects)
CONDITIONS: dict[str, Condition] = {
    "CC-PREP-2": happens(DieCast),
    "CC-AMB-5": happens(DieCast),
    "CC-PREP-3": happens(HandDrawn),
    "CC-AMB-6": moves(Keep),
    "CC-START-1": happens(CardDrawn, where=lambda event: event.for_turn),
    "CC-START-2": happens(StartDiceRolled),
    "CC-START-3": both(happens(StartDiceRolled), before(lambda table: table.turns <= 1)),
    "CC-AMB-32": both(happens(StartDiceRolled), before(lambda table: table.turns == 2)),
    "CC-START-4": either(
        happens(StartDiceGained, StartDiceLost), happens(StartDiceRolled, where=lambda event: event.which == "extra")
    ),
    "CC-AMB-10": happens(StartDiceGained, StartDiceLost),
    "CC-AMB-8": happens(NothingToDraw),
    "CC-TURN-1": either(happens(TurnBegan, TurnEnded, PhaseBegan), moves(MoveCreature, Swap)),
    "CC-COMBAT-1": before(lambda table: table.phase == "combat"),
    "CC-PAY-1": moves(Summon, Attack),
    "CC-PAY-2": happens(DiceBurned),
    "CC-PAY-4": both(moves(Summon, Attack), pays_low_cost),
    "CC-SUMMON-1": enters("B", CreatureSummoned),
    "CC-SUMMON-2": enters("A"),
    "CC-AMB-11": enters("A"),
    "CC-SUMMON-3": happens(CreatureRevived, ControlTaken),
    "CC-GLOSS-3": happens(CreatureRevived),
    "CC-GLOSS-5": happens(ControlTaken),
    "CC-AMB-3": either(happens(ControlTaken), happens(CardsDestroyed, CardsReturned)),
    "CC-AMB-27": happens(CreatureRevived, ControlTaken, CardsReturned, CreaturesAltered),
    "CC-KEY-ACTION-1": happens(CreatureSummoned, where=lambda event: "action" in face_of(event.card).texts),
    "CC-AMB-12": either(is_second_action, happens(CreaturesReadied)),
    "CC-KEY-LIVELY-1": is_second_action,
    "CC-ATTACK-1": happens(AttackDeclared),
    "CC-ATTACK-3": attacks_from("A"),
    "CC-ATTACK-4": attacks_from("B"),
    "CC-ZONE-2": moves(Attack),
    "CC-AMB-13": moves(Attack),
    "CC-ATTACK-5": STRIKES,
    "CC-DAMAGE-1": happens(CreaturesDamaged, CreaturesHealed),
    "CC-DIRECT-1": pending(PendingHit, PendingLoss),
    "CC-DIRECT-2": pending(PendingHit, PendingLoss),
    "CC-AMB-25": pending(PendingHit, PendingLoss),
    "CC-GLOSS-2": happens(CardsReturned),
    "CC-GLOSS-6": either(happens(CardsDestroyed), pending(PendingLoss)),
    "CC-GLOSS-7": either(happens(TargetsDrawn), moves(PickResult)),
    "CC-AMB-24": either(happens(TargetsDrawn), moves(PickResult)),
    "CC-KEY-TRAP-1": destroys_with("trap"),
    "CC-AMB-21": destroys_with("trap"),
    "CC-KEY-HELL-1": destroys_with("hell"),
    "CC-KEY-VENGEFUL-1": STRIKES,
    "CC-AMB-22": STRIKES,
    "CC-CRUSH-1": happens(CrushLaid),
    "CC-AMB-14": happens(CrushLaid),
    "CC-AMB-15": either(
        happens(CrushLaid, where=lambda event: not event.dice), flips(lambda printed: printed.cost == COST_X)
    ),
    "CC-CRUSH-2": flips(lambda printed: printed.cost == COST_X),
    "CC-CRUSH-3": happens(CrushSpent),
    "CC-CRUSH-FLIP-1": moves(Flip),
    "CC-CRUSH-FLIP-2": flips(lambda printed: printed.flips_when is None),
    "CC-CRUSH-FLIP-3": flips(lambda printed: printed.flips_when is not None),
    "CC-AMB-16": flips(lambda printed: printed.flips_when is not None),
    "CC-CHAIN-2": moves(Order),
    "CC-CHAIN-4": either(moves(Pass, Flip, Order), IN_A_CHAIN),
    "CC-CHAIN-5": either(has_waiting_effects, happens(EffectCancelled)),
    "CC-CHAIN-6": happens(CardsDestroyed),
    "CC-CHAIN-7": happens(AttackCancelled, AttackEnded),
    "CC-CHAIN-8": IN_A_CHAIN,
    "CC-AMB-9": either(pending(Rerolling), happens(DiceRerolled, StartDiceRolled)),
    "CC-AMB-23": happens(TargetDiceRolled),
    "CC-DICE-1": happens(TargetDiceRolled),
    "CC-AMB-30": happens(CreatureMoved, where=lambda event: not event.retreat),
    "CC-TACTIC-1": moves(MoveCreature),
    "CC-TACTIC-2": happens(CreaturesSwapped),
    "CC-AMB-17": happens(CreaturesSwapped),
    "CC-TACTIC-3": both(happens(TurnEnded), before(lambda table: table.dice)),
    "CC-KEY-SLUGGISH-1": happens(CreaturesDamaged, where=lambda event: event.why == "sluggish"),
    "CC-END-1": happens(BattleEnded),
    "CC-END-2": happens(BattleEnded, where=lambda event: event.way == "conceded"),
}  # fmt: skip
