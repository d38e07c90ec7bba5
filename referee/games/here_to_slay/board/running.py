"""Draw what is going on beside the choice of an action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from referee.cardscript.language.alternatives import AlternativePrompt
from referee.cardscript.language.builtins import Choose
from referee.cardscript.language.interpreter import Execution, find_innermost_execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.questions import ChoicePrompt, LookPrompt, OfferPrompt
from referee.engine.chance import Shuffle
from referee.engine.parts.boards import BoardCard, Boards, board_place
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.engine.zones import is_back
from referee.games.here_to_slay.board.running_shapes import (
    HereToSlayChallenge,
    HereToSlayChoice,
    HereToSlayDice,
    HereToSlayRoll,
    HereToSlaySecretChoice,
    HereToSlaySpan,
    HereToSlayText,
    HereToSlayValue,
    HereToSlayWaitingText,
    Running,
)
from referee.games.here_to_slay.components import DISCARD, FACES, MONSTERS, PENDING
from referee.games.here_to_slay.rules.attacking import AttackRoll, MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import CardDrawing, HandNaming, Pulling
from referee.games.here_to_slay.rules.effect_frames import EffectFrame, OrderTriggers
from referee.games.here_to_slay.rules.hands import (
    LEFT,
    CardKindPrompt,
    DeckTopOrdering,
    SimultaneousDiscard,
    SimultaneousGift,
)
from referee.games.here_to_slay.rules.hero_removal import (
    ChooseSacrifice,
    HeroDestruction,
    HeroSacrifice,
    ImpendingDestruction,
    ReplacementOffer,
)
from referee.games.here_to_slay.rules.playing import (
    ChallengeWindow,
    EquipChoice,
    FreeRoll,
    MagicDisposal,
    PlayResolution,
    RollOff,
)
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow
from referee.games.here_to_slay.rules.setup import FirstPickRoll, PickLeaders
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.faces import Span
from referee.games.here_to_slay.texts.nouns import (
    CardSelector,
    HeroSelector,
    ItemSelector,
    OpponentSelector,
    ValueSelector,
)
from referee.games.here_to_slay.values import DiceRoll

CHOSEN_NOUNS = {
    HeroSelector: "hero",
    OpponentSelector: "player",
    CardSelector: "card",
    ItemSelector: "item",
    ValueSelector: "value",
}


class Answers(NamedTuple):
    """Who may still answer in a window, and who has passed."""

    asked: list[int]
    passed: list[int]


NO_ANSWERS = Answers([], [])


class RunningBoards(Boards):
    """Draws what is going on at the tables of Here to Slay."""

    def draw_running(self, view: Table) -> list[Running]:
        """Return what is going on, what waits for the rest first."""
        steps = view.agenda
        drawn = [each for at, step in enumerate(steps) for each in self.draw_step(view, step, find_answers(view, at))]
        return [*drawn, *self.draw_chance(steps[-1])] if steps else []

    def draw_step(self, view: Table, step: Step, answers: Answers) -> Iterator[Running]:
        """Yield how a step is drawn, nothing for bookkeeping.

        `answers` are those in the window for modifiers on it.
        """
        match step:
            case HeroRoll() | AttackRoll():
                yield self.draw_roll(view, step, answers)
            case RollOff():
                yield self.draw_challenge(view, step, answers)
            case ChallengeWindow(seat=seat, card=card):
                drawn = self.draw_named(view, card)
                asked, passed = list_asked(view, step), list(step.passed)
                yield {"kind": "play", "seat": seat, "card": drawn, "is_open": True, "asked": asked, "passed": passed}
            case PlayResolution(seat=seat, card=card) | MagicDisposal(seat=seat, card=card):
                drawn = self.draw_named(view, card)
                yield {"kind": "play", "seat": seat, "card": drawn, "is_open": False, "asked": [], "passed": []}
            case Execution():
                yield self.draw_text(view, step)
            case EffectFrame(noted=noted) if noted:
                texts = [self.draw_waiting_text(view, each) for each in noted if isinstance(each, Execution)]
                yield {"kind": "abilities", "texts": texts}
            case ImpendingDestruction(hero=hero, by=by) | HeroDestruction(hero=hero, by=by):
                yield {"kind": "removal", "how": "destroy", "hero": self.draw_named(view, hero), "seat": by}
            case HeroSacrifice(hero=hero, seat=seat):
                yield {"kind": "removal", "how": "sacrifice", "hero": self.draw_named(view, hero), "seat": seat}
            case ReplacementOffer(hero=hero, seat=seat, card=card):
                yield {"kind": "removal", "how": "destroy", "hero": self.draw_named(view, hero), "seat": seat}
                yield self.draw_choice(view, "instead", seat, card)
            case CardDrawing(seat=seat, count=count) if count:
                yield {"kind": "draw", "seat": seat, "count": count}
            case Pulling(seat=seat, of=victim, count=count) if count:
                yield {"kind": "pull", "seat": seat, "victim": victim, "count": count}
            case FirstPickRoll(contenders=seats, cast=cast):
                yield {"kind": "start_roll", "seats": list(seats), "rolled": list(cast)}
            case PickLeaders(order=order, at_once=at_once):
                yield {"kind": "leaders", "waiting": list(order), "is_at_once": at_once}
            case _:
                yield from self.draw_question(view, step)

    # ---- rolls -------------------------------------------------------------------------------------------------------

    def draw_roll(self, view: Table, step: HeroRoll | AttackRoll, answers: Answers) -> HereToSlayRoll:
        """Return a roll for a hero or for an attack."""
        (cast,) = step.casts
        face, dice = FACES[cast.about], self.draw_dice(view, cast)
        rolls: Any = cast.kind
        roll: HereToSlayRoll = {
            **dice,
            "kind": "roll",
            "rolls": rolls,
            "card": self.draw_named(view, cast.about),
            "needs": draw_span(face.roll if isinstance(step, HeroRoll) else face.slay),
            "fights_back_at": None if isinstance(step, HeroRoll) else draw_span(face.fight_back),
            "outcome": None,
            "targets": [],
            "target_seats": [],
            "asked": answers.asked,
            "passed": answers.passed,
        }
        if isinstance(step, HeroRoll):
            heroes, roll["target_seats"] = list_targets(view, cast.about, "does", step.declared)
            roll["targets"] = [self.draw_named(view, hero) for hero in heroes]
        if dice["total"] is not None:
            try:
                outcome: Any = step.find_outcome(view, dice["total"])
                roll["outcome"] = outcome
            except Undetermined:
                pass  # the position does not say whether the hero is still there and not sealed
        return roll

    def draw_challenge(self, view: Table, step: RollOff, answers: Answers) -> HereToSlayChallenge:
        """Return the rolls of a challenge."""
        challenger, challenged = (self.draw_dice(view, cast) for cast in step.casts)
        against, total = challenger["total"], challenged["total"]
        return {
            "kind": "challenge",
            "seat": step.seat,
            "card": self.draw_named(view, step.card),
            "challenger": challenger,
            "challenged": challenged,
            "stands": None if against is None or total is None else not step.is_lost(against, total),
            "asked": answers.asked,
            "passed": answers.passed,
        }

    def draw_dice(self, view: Table, cast: DiceRoll) -> HereToSlayDice:
        """Return what a player has rolled, with all that is added."""
        drawn: HereToSlayDice = {"seat": cast.seat, "dice": list(cast.dice), "values": None, "total": None}
        try:
            standing = [self.draw_value(value, card, None) for card, value in view.list_standing_values(cast)]
            drawn["values"] = [*standing, *(self.draw_value(each.value, each.source, each.seat) for each in cast.added)]
            drawn["total"] = view.compute_roll_total(cast) if cast.dice else None
        except Undetermined:
            pass  # the position does not say which cards give the roller a bonus
        return drawn

    def draw_value(self, value: int, card: str, seat: int | None) -> HereToSlayValue:
        """Return a value that counts on a roll."""
        drawn = self.draw_card(card)
        return {"value": value, "card": card, "name": drawn["name"], "seat": seat}

    # ---- texts -------------------------------------------------------------------------------------------------------

    def draw_waiting_text(self, view: Table, text: Execution) -> HereToSlayWaitingText:
        """Return a text of a card."""
        part: Any = text.text.rstrip("0123456789")
        return {"card": self.draw_named(view, text.card), "part": part, "seat": text.by}

    def draw_text(self, view: Table, text: Execution) -> HereToSlayText:
        """Return a text that is being carried out, with its targets."""
        heroes, seats = list_targets(view, text.card, text.text, text.bound)
        return {
            **self.draw_waiting_text(view, text),
            "kind": "text",
            "is_naming_targets": text.declaring,
            "targets": [self.draw_named(view, hero) for hero in heroes],
            "target_seats": seats,
        }

    def draw_named(self, view: Table, card: str) -> BoardCard:
        """Return a card with the id that it has where it lies in the open."""
        places = [place for place, cards in view.zones.items() if ":" not in place and card in cards]
        place = PENDING if PENDING in places else min(places, key=lambda each: each == DISCARD, default="")
        return self.draw_card(card, place)

    # ---- questions ---------------------------------------------------------------------------------------------------

    def draw_question(self, view: Table, step: Step) -> Iterator[Running]:
        """Yield the choice that a step asks for."""
        match step:
            case ChoicePrompt(seat=seat, card=card, noun=noun):
                shown = list_shown_cards(view, noun)
                yield self.draw_choice(view, CHOSEN_NOUNS[type(noun)], seat, card, shown)
            case OfferPrompt(seat=seat, card=card):
                yield self.draw_choice(view, "offer", seat, card)
            case AlternativePrompt(seat=seat, card=card):
                yield self.draw_choice(view, "alternative", seat, card)
            case FreeRoll(seat=seat, hero=card):
                yield self.draw_choice(view, "free_roll", seat, card)
            case EquipChoice(seat=seat, item=card):
                yield self.draw_choice(view, "equip", seat, card)
            case OrderTriggers(seat=seat, cards=cards):
                yield {
                    **self.draw_choice(view, "order", seat),
                    "cards": [self.draw_named(view, card) for card in cards],
                }
            case LookPrompt(seat=seat, card=card, cards=cards):
                yield self.draw_choice(view, "look", seat, card, cards)
            case DeckTopOrdering(seat=seat, cards=cards):
                yield self.draw_choice(view, "put_back", seat, "", cards)
            case CardKindPrompt(seat=seat, card=card):
                yield self.draw_choice(view, "kind", seat, card)
            case SimultaneousDiscard(least=least, most=most):
                yield {**self.draw_secret_choice(view, step), "about": "discard", "least": least, "most": most}
            case SimultaneousGift(to=to):
                yield {**self.draw_secret_choice(view, step), "about": "give", "to": None if to == LEFT else to}
            case ChooseSacrifice():
                yield {**self.draw_secret_choice(view, step), "about": "sacrifice"}

    def draw_choice(
        self, view: Table, about: Any, seat: int, card: str = "", shown: Iterable[str] = ()
    ) -> HereToSlayChoice:
        """Return the choice of one player."""
        return {
            "kind": "choice",
            "about": about,
            "seat": seat,
            "card": self.draw_named(view, card) if card else None,
            "cards": self.draw_cards("shown", (each for each in shown if not is_back(each))),
        }

    def draw_secret_choice(
        self, view: Table, step: SimultaneousDiscard | SimultaneousGift | ChooseSacrifice
    ) -> HereToSlaySecretChoice:
        """Return a choice of several players, of one card or hero each."""
        waiting = step.prompted_seats(view)
        return {
            "kind": "secret_choice",
            "about": "sacrifice",
            "card": self.draw_named(view, step.card) if step.card else None,
            "to": None,
            "least": 1,
            "most": 1,
            "waiting": list(waiting),
            "chosen": [seat for seat in step.waiting if seat not in waiting],
        }

    def draw_chance(self, step: Step) -> Iterator[Running]:
        """Yield what has to be shuffled, turned up or read to the referee just now."""
        match step:
            case Shuffle(where=where):
                yield {"kind": "report", "reports": "shuffle", "place": board_place(where), "count": None}
            case MonsterTurnUp(count=count):
                yield {"kind": "report", "reports": "monster", "place": board_place(MONSTERS), "count": count}
            case HandNaming(count=count):
                yield {"kind": "report", "reports": "cards", "place": board_place(step.find_place()), "count": count}


def draw_span(span: Span) -> HereToSlaySpan:
    """Return a span of totals as boards give it."""
    return {"least": span.least, "most": span.most}


def find_answers(view: Table, at: int) -> Answers:
    """Return who is asked, and who has passed, in the window above a step."""
    steps = view.agenda
    above = steps[at + 1] if at + 1 < len(steps) else None
    if not isinstance(above, ModifierWindow):
        return NO_ANSWERS
    return Answers(list_asked(view, above) if above is steps[-1] else [], list(above.passed))


def list_asked(view: Table, window: ModifierWindow | ChallengeWindow) -> list[int]:
    """Return who is still asked in a window; nobody if that is not known."""
    try:
        return list(window.prompted_seats(view))
    except Undetermined:
        return []


def list_targets(view: Table, card: str, text: str, bound: Mapping[str, Values]) -> tuple[list[str], list[int]]:
    """Return the heroes and players that were chosen for a text."""
    heroes, seats = [], []
    for line in view.find_program(card, text) if bound else ():
        if isinstance(line.effect, Choose):
            chosen = bound.get(line.effect.called, ())
            if isinstance(line.effect.noun, HeroSelector | ItemSelector):
                heroes += [str(value) for value in chosen]
            elif isinstance(line.effect.noun, OpponentSelector):
                seats += [int(value) for value in chosen]
    return heroes, seats


def list_shown_cards(view: Table, noun: Any) -> tuple[str, ...]:
    """Return the cards that a text has set aside to choose from.

    Those that the viewer does not see are backs.
    """
    if not isinstance(noun, CardSelector) or noun.among in ("hand", "discard"):
        return ()
    return tuple(map(str, find_innermost_execution(view).bound.get(noun.among, ())))
