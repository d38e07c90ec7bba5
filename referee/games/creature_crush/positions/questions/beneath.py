"""The steps that usually wait beneath the question of a position.

They are the phase of the turn, and the action that caused the question.
"""

from __future__ import annotations

from referee.cardscript.language.interpreter import Execution
from referee.engine.chance import Shuffle
from referee.engine.positions.questions import Steps
from referee.engine.steps import Frame, Step
from referee.games.creature_crush.components import BASIC_DICE, DECKS, DRAFTS, OPENING_DICE, POOL, face_of
from referee.games.creature_crush.rules.chain import Chain, EffectOrdering, FlippedCardDisposal
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer
from referee.games.creature_crush.rules.drafting import Drafting, DraftRound, DrawSeven
from referee.games.creature_crush.rules.drawing import CardDrawing, CardNaming
from referee.games.creature_crush.rules.ending import MatchEndCheck
from referee.games.creature_crush.rules.setup import DealDecks, StartingPlayerRoll
from referee.games.creature_crush.rules.turn import (
    CombatPhase,
    StartDiceRoll,
    TacticPhase,
    TurnStart,
)
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, TriggerEvent

TURN_STEPS = (CombatPhase, TacticPhase, TurnStart)


def find_steps_beneath(table: Table, steps: Steps) -> Steps:
    """Return the steps that usually lie beneath some steps.

    These are the phase, and the action that caused the question.
    """
    first = steps[0]
    if table.turn == NOBODY:
        return _build_setup_steps(table, first)
    if isinstance(first, TURN_STEPS):
        return ()
    if isinstance(first, DrawAnswer):
        return (_build_phase_step(table),)
    if isinstance(first, StartDiceRoll):
        return (CombatPhase(table.turn),)
    if isinstance(first, CardNaming) and table.phase == "start":
        return build_start_phase_steps(table)[:-1]
    text = first if isinstance(first, Execution) else None
    spent = (FlippedCardDisposal(text.card, text.by),) if text is not None and text.text == "flip" else ()
    chain = (Chain((), ()), Frame(), *spent) if text is not None else ()
    return (*_build_cause_steps(table, first), *chain)


def _build_setup_steps(table: Table, first: Step) -> Steps:
    """Return the steps that are still to come before the first turn."""
    if isinstance(first, StartingPlayerRoll):
        return ()
    dice = StartingPlayerRoll()
    match first:
        case Drafting():
            return (dice, DraftRound())
        case Shuffle(where=where) if where == POOL:
            arena = table.rules.variant == "arena"
            return (dice, DraftRound(), DrawSeven()) if arena else (dice, DealDecks())
        case Shuffle(where=where) if where == DECKS[0]:
            return (dice, Shuffle(DECKS[1]))
        case CardNaming(place=place) if place in DRAFTS:
            return (dice, DraftRound(), Drafting((0, 1), "", {}))
        case CardNaming():
            return (TurnStart(0),)
    return (dice,)


def _build_phase_step(table: Table) -> Step:
    return TacticPhase(table.turn) if table.phase == "tactic" else CombatPhase(table.turn)


def _build_cause_steps(table: Table, first: Step) -> Steps:
    """Return the phase, and above it what has set off the matter of this first step."""
    happening = _find_trigger_event(first)
    if table.phase == "start":
        return (*build_start_phase_steps(table), Frame())
    begun = happening is not None and happening.kind == "flipped"
    if begun or (isinstance(first, Execution) and first.text == "flip" and face_of(first.card).flips_when is None):
        return (_build_phase_step(table), MatchEndCheck())  # a flip in the player's combat phase begins a chain itself
    attack = _build_attack_steps(table, happening) if happening is not None else _build_attack_of_text(table, first)
    return (_build_phase_step(table), MatchEndCheck(), *attack, Frame())


def build_start_phase_steps(table: Table) -> Steps:
    """Return what is still to come in the start phase before the roll: draw and dice."""
    seat = table.turn
    dice = OPENING_DICE if table.turns == 1 else BASIC_DICE
    return (CombatPhase(seat), StartDiceRoll(dice=dice, seat=seat, extra=table.extra[seat]), CardDrawing(seat, 1, True))


def _find_trigger_event(first: Step) -> TriggerEvent | None:
    """Return the trigger event whose effects these steps begin with, or None."""
    if isinstance(first, EffectOrdering):
        return first.happening
    return first.windows[0].happening if isinstance(first, Chain) and first.windows else None


def _build_attack_steps(table: Table, happening: TriggerEvent) -> Steps:
    """Return the attack that waits for what its declaration has set off."""
    if happening.kind not in ("attack", "direct_attack"):
        return ()
    refs = {name: cards[0] for name, cards in happening.refs.items() if cards}
    return _build_strike(table, happening.by, refs.get("attacker", ""), refs.get("defender", ""))


def _build_attack_of_text(table: Table, first: Step) -> Steps:
    """Return the attack that waits for a text of one of its two creatures."""
    if not isinstance(first, Execution) or first.text not in ("attacks", "attacked"):
        return ()
    mine, seat = first.text == "attacks", first.by
    attacker = first.card if mine else str(first.first_value("attacker") or "")
    target = str(first.first_value("defender") or "") if mine else first.card
    return _build_strike(table, seat if mine else 1 - seat, attacker, target)


def _build_strike(table: Table, seat: int, attacker: str, target: str) -> Steps:
    if attacker not in table.places_by_creature or (target and target not in table.places_by_creature):
        return ()
    return (
        Strike(seat, attacker, table.places_by_creature[attacker], target, table.places_by_creature.get(target, "")),
    )
