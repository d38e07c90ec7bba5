"""When clauses of Here to Slay may be cited."""

from __future__ import annotations

from typing import Any, cast

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.cardscript.questions import ChoicePrompt, OfferPrompt, SimultaneousChoice
from referee.engine.chance import RollResult
from referee.engine.prompts import TimedOut
from referee.games.here_to_slay.components import FACES, MONSTERS
from referee.games.here_to_slay.events.cards import (
    CardDiscarded,
    CardDrawn,
    CardGiven,
    CardPulled,
    CardShown,
    CardTaken,
    DeckRenewed,
    EffectLapsed,
    HandShown,
    HandsSwapped,
    NothingToDraw,
)
from referee.games.here_to_slay.events.heroes import (
    HeroDestroyed,
    HeroMoved,
    HeroSacrificed,
    HeroStolen,
    ItemReturned,
    MonsterFoughtBack,
    MonsterSlain,
    ReplacementApplied,
)
from referee.games.here_to_slay.events.plays import (
    ChallengeDeclared,
    DiceRolled,
    ItemEquipped,
    MagicPlayed,
    ModifierPlayed,
    PlayLost,
    PlayStood,
    RollSettled,
    TargetsDeclared,
)
from referee.games.here_to_slay.events.turns import (
    GameWon,
    HandDealt,
    LastingEffectBegan,
    LastingEffectEnded,
    MonsterTurnedUp,
    TurnEnded,
    TurnStarted,
)
from referee.games.here_to_slay.moves import (
    Attack,
    Challenge,
    DrawOne,
    EndTurn,
    Modify,
    Pass,
    PickLeader,
    PlayCard,
    RedrawHand,
    RollFor,
    UseLeader,
)
from referee.games.here_to_slay.rules.hands import SimultaneousDiscard, SimultaneousGift
from referee.games.here_to_slay.rules.hero_removal import ChooseSacrifice
from referee.games.here_to_slay.rules.playing import EquipChoice, FreeRoll
from tests.games.conditions import Condition, before, both, either, happens, moves, pending
from tests.games.matches import Turned


def settles(*kinds: str, outcome: str = "") -> Condition:
    """A roll of these kinds is settled so."""
    return happens(RollSettled, where=lambda event: event.kind in kinds and outcome in ("", event.outcome))


def are_several_asked(turned: Turned) -> bool:
    """The open question asks several players to choose."""
    top = turned.before.agenda[-1]
    return isinstance(top, SimultaneousChoice) and len(top.waiting) > 1


def may_be_declined(turned: Turned) -> bool:
    """The open question is an offer, or a choice that a text leaves open."""
    top = turned.before.agenda[-1]
    return isinstance(top, OfferPrompt) or (isinstance(top, ChoicePrompt) and top.optional)


def is_on_two_rolls(turned: Turned) -> bool:
    """Both sides of a challenge have rolled."""
    return any(len(getattr(step, "casts", ())) > 1 for step in turned.before.agenda)


def goes_elsewhere(turned: Turned) -> bool:
    """An item goes to a hero for whom it is not made: a good one abroad, or a cursed one at home."""
    top, move = turned.before.agenda[-1], cast(Any, turned.move)
    at_home = turned.before.controller_of(move.card) == top.seat
    return bool(at_home == (FACES[top.item].kind == "cursed_item"))


def is_in_a_penalty(turned: Turned) -> bool:
    """The penalty of a monster is being carried out."""
    return any(isinstance(step, Execution) and step.text == "penalty" for step in turned.before.agenda)


IN_A_WINDOW = moves(Challenge, Modify, Pass)
EQUIPS = either(happens(ItemEquipped), pending(EquipChoice))
CHALLENGES = either(moves(Challenge, Pass), happens(ChallengeDeclared))
CONDITIONS: dict[str, Condition] = {
    "HTS-SETUP-1": moves(PickLeader),
    "HTS-SETUP-2": moves(PickLeader, RollResult),
    "HTS-SETUP-5": happens(HandDealt),
    "HTS-SETUP-6": both(happens(MonsterTurnedUp), before(lambda table: not table.turns)),
    "HTS-SETUP-9": both(moves(RollResult), before(lambda table: not table.turns)),
    "HTS-TURN-2": happens(TurnStarted),
    "HTS-TURN-6": happens(TurnEnded),
    "HTS-TURN-7": happens(TurnStarted),
    "HTS-AMB-77": happens(TurnEnded),
    "HTS-ACT-1": moves(DrawOne),
    "HTS-ACT-2": moves(PlayCard),
    "HTS-ACT-3": moves(RollFor),
    "HTS-ACT-4": moves(Attack),
    "HTS-ACT-5": either(moves(RedrawHand), pending(SimultaneousDiscard)),
    "HTS-ACT-6": moves(UseLeader),
    "HTS-ACT-7": moves(EndTurn),
    "HTS-PLAY-1": moves(PlayCard),
    "HTS-PLAY-4": moves(PlayCard),
    "HTS-PLAY-5": happens(PlayLost),
    "HTS-CHAL-1": CHALLENGES,
    "HTS-CHAL-6": moves(Challenge),
    "HTS-CHAL-7": either(moves(Challenge), settles("challenger", "challenged")),
    "HTS-CHAL-8": happens(PlayLost),
    "HTS-CHAL-9": both(happens(PlayStood), settles("challenged")),
    "HTS-CHAL-10": settles("challenged"),
    "HTS-AMB-3": settles("challenged"),
    "HTS-AMB-9": settles("challenger", "challenged"),
    "HTS-AMB-10": happens(PlayLost),
    "HTS-NEST-4": happens(PlayLost),
    "HTS-VERB-7": happens(ChallengeDeclared),
    "HTS-DO-34": happens(ChallengeDeclared),
    "HTS-MOD-1": IN_A_WINDOW,
    "HTS-MOD-3": moves(Modify),
    "HTS-MOD-5": both(moves(Modify), is_on_two_rolls),
    "HTS-MOD-10": happens(ModifierPlayed),
    "HTS-AMB-14": both(moves(Modify), is_on_two_rolls),
    "HTS-AMB-19": moves(Modify),
    "HTS-AMB-20": moves(Modify),
    "HTS-ROLL-1": happens(DiceRolled),
    "HTS-ROLL-5": happens(TargetsDeclared),
    "HTS-TGT-3": happens(TargetsDeclared),
    "HTS-AMB-15": happens(TargetsDeclared),
    "HTS-ROLL-6": settles("hero", outcome="success"),
    "HTS-HERO-2": either(pending(FreeRoll), happens(PlayStood)),
    "HTS-HERO-3": moves(RollFor),
    "HTS-MAY-1": pending(FreeRoll),
    "HTS-MAY-4": both(may_be_declined, lambda turned: not isinstance(turned.move, Decline)),
    "HTS-DO-43": may_be_declined,
    "HTS-TRIG-7": may_be_declined,
    "HTS-LEAD-5": both(may_be_declined, moves(Accept, Decline, ChooseCard)),
    "HTS-MON-1": moves(Attack),
    "HTS-MON-2": moves(Attack),
    "HTS-MON-6": settles("attack"),
    "HTS-MON-7": settles("attack"),
    "HTS-MON-8": settles("attack", outcome="slay"),
    "HTS-MON-9": either(happens(MonsterFoughtBack), is_in_a_penalty),
    "HTS-MON-10": either(happens(MonsterSlain), both(happens(MonsterTurnedUp), before(lambda table: table.turns))),
    "HTS-MON-12": happens(MonsterSlain),
    "HTS-DECK-2": before(lambda table: not table.open_cards_at(MONSTERS)),
    "HTS-VERB-9": happens(MonsterSlain),
    "HTS-VERB-1": happens(CardDrawn, NothingToDraw),
    "HTS-DO-1": happens(CardDrawn),
    "HTS-VERB-2": either(happens(CardDiscarded), pending(SimultaneousDiscard)),
    "HTS-DO-9": either(happens(CardGiven), pending(SimultaneousGift)),
    "HTS-EACH-2": are_several_asked,
    "HTS-AMB-54": are_several_asked,
    "HTS-VERB-3": happens(HeroDestroyed),
    "HTS-VERB-4": either(happens(HeroSacrificed), pending(ChooseSacrifice)),
    "HTS-VERB-5": happens(HeroStolen),
    "HTS-VERB-6": happens(CardPulled),
    "HTS-VERB-12": happens(CardPulled),
    "HTS-DO-6": happens(CardPulled),
    "HTS-DO-7": happens(HandShown),
    "HTS-DO-8": happens(CardGiven),
    "HTS-DO-10": happens(HandsSwapped),
    "HTS-DO-11": happens(CardTaken),
    "HTS-DO-15": happens(CardShown),
    "HTS-DO-16": happens(ItemReturned),
    "HTS-DO-20": happens(HeroMoved),
    "HTS-DO-21": happens(ReplacementApplied),
    "HTS-DO-22": either(happens(ReplacementApplied, HeroSacrificed)),
    "HTS-DO-30": happens(LastingEffectBegan),
    "HTS-DO-33": happens(LastingEffectBegan),
    "HTS-AMB-30": happens(HeroSacrificed),
    "HTS-DECK-1": happens(DeckRenewed, NothingToDraw),
    "HTS-AMB-64": happens(DeckRenewed, NothingToDraw),
    "HTS-TEXT-2": happens(EffectLapsed),
    "HTS-AMB-16": happens(EffectLapsed),
    "HTS-ITEM-1": EQUIPS,
    "HTS-ITEM-3": EQUIPS,
    "HTS-ITEM-4": EQUIPS,
    "HTS-AMB-32": both(pending(EquipChoice), goes_elsewhere),
    "HTS-MAGIC-1": happens(MagicPlayed),
    "HTS-UNTIL-1": happens(LastingEffectEnded),
    "HTS-UNTIL-2": happens(LastingEffectEnded),
    "HTS-AMB-76": moves(TimedOut),
    "HTS-WIN-1": happens(GameWon, where=lambda event: event.way == "three_monsters"),
    "HTS-WIN-3": happens(GameWon, where=lambda event: event.way == "six_classes"),
}  # fmt: skip
