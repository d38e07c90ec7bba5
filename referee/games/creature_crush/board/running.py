"""Draw what is going on beside the course of the turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.cardscript.hand_disclosure import HandReport
from referee.cardscript.language.alternatives import AlternativePrompt
from referee.cardscript.language.interpreter import Execution, find_innermost_execution
from referee.cardscript.questions import ChoicePrompt, OfferPrompt
from referee.engine.chance import Shuffle
from referee.engine.parts.boards import BoardCard, Boards, board_place
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.games.creature_crush.board.running_shapes import (
    CreatureCrushAttack,
    CreatureCrushChain,
    CreatureCrushChoice,
    CreatureCrushEffect,
    CreatureCrushRandom,
    CreatureCrushWindow,
    Running,
)
from referee.games.creature_crush.components import DRAFT_DRAWN, DRAFT_KEPT, SEAT_BY_PLACE, face_of
from referee.games.creature_crush.narration import find_loss, measure_blow
from referee.games.creature_crush.rules.actions.looking import DiscardChoice, LookingAtTop
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.actions.summoning import Placing
from referee.games.creature_crush.rules.chain import Chain, EffectOrdering, ResponseWindow
from referee.games.creature_crush.rules.combat.damage import Strike
from referee.games.creature_crush.rules.combat.losing import Destroying, Discarding, Milling, RandomDestruction
from referee.games.creature_crush.rules.combat.rerolling import Rerolling, RollAgain
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer
from referee.games.creature_crush.rules.decks import BringingDecks, ConfirmingDecks
from referee.games.creature_crush.rules.drafting import DRAFT_ROUNDS, Drafting
from referee.games.creature_crush.rules.setup import StartingPlayerRoll
from referee.games.creature_crush.rules.turn import CombatPhase, StartDiceRoll, TacticPhase
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.nouns import CostHitSelector
from referee.games.creature_crush.texts.selecting import ChoosingSome, DrawTargets, RollForTarget
from referee.games.creature_crush.texts.verbs_of_dice import AddedDiceRoll

PHASES = (CombatPhase, TacticPhase)  # the most frequent questions, which the phase of the board says


class RunningBoards(Boards):
    """Draws what is going on at the tables of Creature Crush."""

    def draw_running(self, view: Table) -> list[Running]:
        """Return what is going on, what waits for the rest first."""
        return [drawn for step in view.agenda if not isinstance(step, PHASES) for drawn in self.draw_step(view, step)]

    def draw_step(self, view: Table, step: Step) -> Iterator[Running]:
        """Yield how a step is drawn, nothing for bookkeeping."""
        match step:
            case Strike():
                yield self.draw_attack(view, step)
            case Chain(links=links, windows=windows):
                if links or windows:
                    yield self.draw_chain(step)
            case Execution():
                yield {**self.draw_effect(step), "kind": "effect"}
            case EffectOrdering(chosen=chosen, left=left):
                yield {
                    "kind": "ordering",
                    "seat": view.turn,
                    "chosen": [*map(self.draw_effect, chosen)],
                    "left": [*map(self.draw_effect, left)],
                }
            case DrawAnswer(seat=seat):
                yield {"kind": "draw_offer", "seat": seat}
            case Shuffle(where=where):
                yield {"kind": "report", "reports": "shuffle", "place": board_place(where)}
            case HandReport():
                yield {"kind": "report", "reports": "cards", "place": board_place(step.find_place())}
            case _:
                yield from self.draw_choice(view, step)
                yield from self.draw_chance(view, step)
                yield from self.draw_preparation(view, step)

    # ---- attacks and chains ------------------------------------------------------------------------------------------

    def draw_attack(self, view: Table, strike: Strike) -> CreatureCrushAttack:
        """Return a declared attack, with what it would do as things stand."""
        attack: CreatureCrushAttack = {
            "kind": "attack",
            "seat": strike.seat,
            "attacker": self.draw_card(strike.creature),
            "target": self.draw_card(strike.target) if strike.target else None,
            "cost": find_attack_cost(view, strike),
            "fails": None,
            "damage": None,
            "block_damage": None,
            "target_left": None,
            "attacker_left": None,
            "loses": None,
        }
        fails: Any = strike.find_miss_reason(view)
        if fails:
            attack["fails"] = fails
            return attack
        try:
            if strike.target:
                blow = measure_blow(view, strike.creature, strike.target)
                attack["damage"], attack["block_damage"] = blow["damage"], blow["block"]
                attack["target_left"] = max(0, blow["life"] - blow["damage"])
                attack["attacker_left"] = max(0, view.life_left(strike.creature) - blow["block"])
            else:
                loses: Any = find_loss(view, 1 - strike.seat)
                attack["loses"] = loses
        except Undetermined:
            pass  # the position does not say enough
        return attack

    def draw_chain(self, chain: Chain) -> CreatureCrushChain:
        """Return the effects that wait, with the innermost open window."""
        return {
            "kind": "chain",
            "effects": [*map(self.draw_effect, chain.links)],
            "window": self.draw_window(chain.windows[-1]) if chain.windows else None,
        }

    def draw_window(self, window: ResponseWindow) -> CreatureCrushWindow:
        """Return a window: the event, and who may answer it."""
        kind: Any = window.happening.kind
        return {
            "event": kind,
            "by": window.happening.by,
            "cards": [self.draw_card(card) for named in window.happening.refs.values() for card in named],
            "asked": window.next,
            "has_other_passed": window.passed > 0,
        }

    def draw_effect(self, effect: Execution) -> CreatureCrushEffect:
        """Return an effect of a card."""
        part: Any = effect.text
        return {"card": self.draw_card(effect.card), "part": part, "seat": effect.by}

    # ---- choices -----------------------------------------------------------------------------------------------------

    def draw_choice(self, view: Table, step: Step) -> Iterator[CreatureCrushChoice]:
        """Yield the choice of a player that a step is."""
        about: Any
        match step:
            case ChoicePrompt(seat=seat, card=card):
                about, count = "target", 1
            case ChoosingSome(seat=seat, card=card, count=count):
                about = "targets"
            case AlternativePrompt(seat=seat, card=card):
                about, count = "alternative", 1
            case OfferPrompt(seat=seat, card=card):
                about, count = "offer", 1
            case Searching(seat=seat, card=card, count=count, opened=True):
                about = "search"
            case DiscardChoice(seat=seat, card=card, count=count, opened=True):
                about = "discard"
            case LookingAtTop(seat=seat, card=card, count=count, opened=True):
                about = "look"
            case Placing(seat=seat, creature=card):
                about, count = "place", 1
            case Rerolling(seat=seat, card=card, count=count):
                about = "reroll"
            case _:
                return
        yield {
            "kind": "choice",
            "about": about,
            "seat": seat,
            "card": self.draw_card(card),
            "count": count,
            "pips": find_target_pips(view, step),
        }

    # ---- chance ------------------------------------------------------------------------------------------------------

    def draw_chance(self, view: Table, step: Step) -> Iterator[Running]:
        """Yield what chance decides in a step."""
        match step:
            case StartDiceRoll(seat=seat, dice=dice):
                rolls: Any = step.which
                yield {"kind": "roll", "seat": seat, "rolls": rolls, "dice": dice, "card": None}
            case RollAgain(seat=seat, dice=dice):
                yield {"kind": "roll", "seat": seat, "rolls": "again", "dice": dice, "card": None}
            case AddedDiceRoll(seat=seat, dice=dice, card=card):
                yield {"kind": "roll", "seat": seat, "rolls": "added", "dice": dice, "card": self.draw_card(card)}
            case RollForTarget(seat=seat, dice=dice, card=card):
                yield {"kind": "roll", "seat": seat, "rolls": "target", "dice": dice, "card": self.draw_card(card)}
            case Milling(seat=seat, count=count):
                yield {"kind": "loss", "seat": seat, "source": "deck", "count": count}
            case Discarding(seat=seat, count=count):
                yield {"kind": "loss", "seat": seat, "source": "hand", "count": count}
            case RandomDestruction(creature=card, targets=targets):
                yield self.draw_random(card, 1, self.draw_named(view, targets))
            case DrawTargets(card=card, count=count):
                try:
                    yield self.draw_random(card, count, self.draw_named(view, step.list_fitting(view)))
                except Undetermined:
                    yield self.draw_random(card, count, None)
            case Destroying(what=what):
                yield {"kind": "destroying", "cards": self.draw_named(view, what)}

    def draw_random(self, card: str, count: int, candidates: list[BoardCard] | None) -> CreatureCrushRandom:
        """Return a draw among candidates for a card."""
        return {"kind": "random", "card": self.draw_card(card), "count": count, "candidates": candidates}

    def draw_named(self, view: Table, names: Iterable[str]) -> list[BoardCard]:
        """Return cards that are named by card, and those on C-places by place."""
        return [
            self.draw_card(view.card_at(each), each) if each in SEAT_BY_PLACE else self.draw_card(each)
            for each in names
        ]

    # ---- before the first turn ---------------------------------------------------------------------------------------

    def draw_preparation(self, view: Table, step: Step) -> Iterator[Running]:
        """Yield what a step of the preparation is."""
        match step:
            case StartingPlayerRoll(cast=cast):
                yield {"kind": "start_roll", "rolled": list(cast)}
            case Drafting():
                yield {
                    "kind": "draft",
                    "round": view.drafted + 1,
                    "rounds": DRAFT_ROUNDS,
                    "drawn": DRAFT_DRAWN,
                    "keep": DRAFT_KEPT,
                    "waiting": list(step.prompted_seats(view)),
                }
            case BringingDecks() | ConfirmingDecks():
                yield {"kind": "decks", "waiting": list(step.prompted_seats(view))}


def find_attack_cost(view: Table, strike: Strike) -> int:
    """Return the pips that pay for an attack, else those printed."""
    try:
        return view.pips_to_pay(strike.seat, strike.creature)
    except Undetermined:
        return face_of(strike.creature).cost


def find_target_pips(view: Table, step: Step) -> list[int]:
    """Return the dice that were rolled to find the target of a choice."""
    if not isinstance(step, ChoicePrompt) or not isinstance(step.noun, CostHitSelector):
        return []
    return [int(pips) for pips in find_innermost_execution(view).bound.get(step.noun.dice, ())]
