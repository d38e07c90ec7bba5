"""The words of open questions, and of moves as answers to them.

What a card lets a player choose is told by what its text does with the choice: destroy a hero, pull from a hand. A
question says only what everybody knows, so of cards that others do not see it tells the number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from referee.cardscript.language.alternatives import AlternativePrompt, find_label, list_lines_ahead, number_labels
from referee.cardscript.language.builtins import Choose, Stop
from referee.cardscript.language.interpreter import Execution, find_innermost_execution
from referee.cardscript.language.primitives import CardEffect, PlayerSelector
from referee.cardscript.moves import Accept, ChooseCards, Decline
from referee.cardscript.questions import ChoicePrompt, OfferPrompt
from referee.engine.events import Move
from referee.engine.zones import is_back
from referee.games.here_to_slay.components import DISCARD, FACES
from referee.games.here_to_slay.moves import Challenge, Leave, Pass, UseLeader
from referee.games.here_to_slay.narration import describe_span
from referee.games.here_to_slay.rules.effect_frames import OrderTriggers
from referee.games.here_to_slay.rules.hands import (
    LEFT,
    CardKindPrompt,
    DeckTopOrdering,
    SimultaneousDiscard,
    SimultaneousGift,
)
from referee.games.here_to_slay.rules.hero_removal import ChooseSacrifice, ReplacementOffer
from referee.games.here_to_slay.rules.playing import ChallengeWindow, EquipChoice, FreeRoll
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow, find_open_rolls
from referee.games.here_to_slay.rules.turn import Turn, find_action_cost, find_cost_change
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.amounts import count_for_line
from referee.games.here_to_slay.texts.nouns import (
    CardSelector,
    HeroSelector,
    ItemSelector,
    OpponentSelector,
    ValueSelector,
)
from referee.games.here_to_slay.values import sign_values

Wording = tuple[str, dict[str, Any]]  # which of several texts, and the values that it needs
PLAIN: Wording = ("", {})
HEROES_CHOSEN_TO = ("destroy", "steal", "put", "use")
# What an answer does, where the question distinguishes more cases.
DEEDS = {
    "destroy_other": "destroy",
    "steal_from": "steal",
    "look_and_take": "look",
    "steal_and_pull": "steal",
    "steal_and_give": "steal",
    "take_of": "take",
    "take_from_hand": "take",
    "must_play": "play",
    "play_from_hand": "play",
}


# ---- questions -----------------------------------------------------------------------------------------------


def describe_question(table: Table) -> Wording:
    """Return which text of the open question fits, and its values.

    Raises Undetermined.
    """
    match table.agenda[-1]:
        case ModifierWindow():
            return _describe_modifier_window(table)
        case Turn():
            return "points", {"count": table.points_left}
        case FreeRoll(hero=hero):
            return "needs", describe_span(FACES[hero].roll)
        case ReplacementOffer(hero=hero) if (owner := table.controller_of(hero)) is not None:
            return "of", {"of": owner}
        case SimultaneousDiscard() as step:
            return _describe_discard(table, step)
        case SimultaneousGift(to=to) if to == LEFT:
            return "left", {}
        case OfferPrompt():
            return _describe_offer(table)
        case AlternativePrompt(says=ways):
            return "ways", {"ways": number_labels(ways)}
        case ChoicePrompt() as step:
            return _describe_choice(table, step)
    return PLAIN


def _describe_modifier_window(table: Table) -> Wording:
    roll, *others = find_open_rolls(table)
    values: dict[str, Any] = {"seat": roll.seat, "total": table.compute_roll_total(roll), "about": roll.about}
    face = FACES[roll.about]
    match roll.kind:
        case "hero":
            named = next(step.declared for step in reversed(table.agenda) if isinstance(step, HeroRoll))
            targets = [each for chosen in named.values() for each in chosen if isinstance(each, str)]
            return "hero_at" if targets else "hero", {**values, **describe_span(face.roll), "targets": targets}
        case "attack":
            slay, back = describe_span(face.slay), describe_span(face.fight_back)
            return "attack", {**values, **slay, "back_span": back["span"], "back": back["bound"]}
        case _ if others:
            rolls = {each.kind: each for each in (roll, *others)}
            one, other = rolls["challenger"], rolls["challenged"]
            return "challenge", {
                "challenger": one.seat, "theirs": table.compute_roll_total(one), "seat": other.seat,
                "total": table.compute_roll_total(other), "about": roll.about,
            }  # fmt: skip
    return PLAIN


def _describe_discard(table: Table, step: SimultaneousDiscard) -> Wording:
    """Return how many cards are discarded, if it is the same number for all asked."""
    bounds = {step.discard_bounds(table, seat) for seat in step.waiting}
    if len(bounds) > 1:
        return PLAIN
    ((least, most),) = bounds
    if not step.card:
        return "redraw", {"count": most}
    return ("exactly", {"count": most}) if least == most else ("free", {"least": least, "most": most})


def _describe_offer(table: Table) -> Wording:
    text = find_innermost_execution(table)
    offered = (effect for effect in _list_effects(table, text) if not isinstance(effect, Stop))
    first = next(offered, None)
    return ("draw", {"count": _count(table, text, first)}) if first is not None and first.WORD == "draw" else PLAIN


def _describe_choice(table: Table, step: ChoicePrompt) -> Wording:
    """Return the words for a choice, by what the text does with what is chosen."""
    text = find_innermost_execution(table)
    uses = [effect for effect in _list_effects(table, text) if step.called in _list_names(effect)]
    when = {"when": "declared" if text.declaring else "now"}
    match step.noun:
        case HeroSelector() as noun:
            variant, values = _describe_hero_choice(text, noun, uses)
        case OpponentSelector():
            variant, values = _describe_player_choice(table, text, uses)
        case CardSelector() as noun:
            variant, values = _describe_card_choice(table, text, step, noun, uses)
        case ItemSelector(kind=kind) if uses and uses[0].WORD == "return_item":
            variant, values = "take" if getattr(uses[0], "to_me", False) else "return", {"kind": kind or ""}
        case ValueSelector(among=among) if uses and uses[0].WORD == "add_value" and "roller" in text.bound:
            roller = text.bound["roller"][0]
            own = "yes" if step.seat == roller else "no"
            variant, values = "add", {"values": sign_values(among), "roller": roller, "own": own}
        case _:
            return PLAIN
    return (variant, {**values, **when}) if variant else PLAIN


def _describe_hero_choice(text: Execution, noun: HeroSelector, uses: list[CardEffect]) -> Wording:
    if noun.to == "give":
        to = text.first_value(getattr(uses[0], "to", "")) if uses else None
        return ("give", {"to": to}) if to is not None else PLAIN
    if noun.of is not None and noun.to == "steal" and (owner := text.first_value(noun.of)) is not None:
        return "steal_from", {"of": owner}
    if noun.but is not None and noun.to == "destroy" and (other := text.first_value(noun.but)) is not None:
        return "destroy_other", {"other": other}
    return noun.to if noun.to in HEROES_CHOSEN_TO else "", {}


def _describe_player_choice(table: Table, text: Execution, uses: list[CardEffect]) -> Wording:
    words = [effect.WORD for effect in uses]
    match words:
        case ["pull" | "discard" as word, *_]:
            return word, {"count": _count(table, text, uses[0])}
        case ["sacrifice", *_]:
            return "sacrifice", {}
        case ["look_at_hand", *_]:
            return "look_and_take" if "take_from_hand" in words else "look", {}
        case ["swap_hands", *_]:
            return "swap", {}
        case ["steal", *_]:
            return "steal_and_pull" if "pull" in words else "steal_and_give" if "move_hero" in words else "steal", {}
    return PLAIN


def _describe_card_choice(
    table: Table, text: Execution, step: ChoicePrompt, noun: CardSelector, uses: list[CardEffect]
) -> Wording:
    kind = {"kind": noun.kind or ""}
    match uses[0].WORD if uses else "":
        case "take" if noun.among == "discard":
            return "take", kind
        case "take":
            cards = tuple(map(str, text.bound.get(noun.among, ())))
            lie_open = text.bound.get(f"{noun.among}/at") == (DISCARD,) and not any(map(is_back, cards))
            return ("take_of", {"cards": cards}) if lie_open else PLAIN
        case "take_from_hand":
            owner = text.first_value(getattr(uses[0], "from_", ""))
            return ("take_from_hand", {"of": owner}) if owner is not None else PLAIN
        case "keep" | "throw" as word:
            return word, {}
        case "show":
            return "show", {**kind, "then": _find_consequence(table, text, step.called)}
        case "play" if step.duty:
            return "must_play", kind
        case "play" if noun.among == "hand":
            return "play_from_hand", kind
        case "play":
            count = len(text.bound.get(noun.among, ()))
            return "play", {**kind, "count": count, "how": _find_origin(table, text, noun)}
    return PLAIN


def _find_consequence(table: Table, text: Execution, called: str) -> str:
    """Return the word of what the text does if a card was chosen, or nothing."""
    lines = list_lines_ahead(table.find_program(text.card, text.text), text.at)
    return next((line.effect.WORD for line in reversed(lines) if line.when == called), "")


def _find_origin(table: Table, text: Execution, noun: CardSelector) -> str:
    """Return whether the cards to choose from were drawn or pulled."""
    lines = table.find_program(text.card, text.text)
    pulled = any(line.effect.WORD == "pull" and getattr(line.effect, "called", "") == noun.among for line in lines)
    return "pulled" if pulled else "drawn"


def _list_effects(table: Table, text: Execution) -> list[CardEffect]:
    """Return what a text still does, besides further choices."""
    lines = list_lines_ahead(table.find_program(text.card, text.text), text.at)
    return [line.effect for line in lines if not isinstance(line.effect, Choose)]


def _list_names(effect: CardEffect) -> Iterable[str]:
    """Return the names that the parameters of a line stand for."""
    values = [getattr(effect, part.name) for part in fields(effect)]
    return [each.name if isinstance(each, PlayerSelector) else each for each in values if each is not None]


def _count(table: Table, text: Execution, effect: CardEffect) -> int:
    return count_for_line(table, text, getattr(effect, "count", 1))


# ---- answers -------------------------------------------------------------------------------------------------


def describe_answer(table: Table, move: Move) -> Wording:
    """Return which text of a move says what it does as an answer, and its values.

    Raises Undetermined.
    """
    if isinstance(move, Leave):
        return PLAIN
    match table.agenda[-1], move:
        case Turn(seat=seat), UseLeader() if leader := table.leader_of(seat):
            cost = find_action_cost(table, seat, move)  # none if this leader has no action
            return "named" if cost else "", {"leader": leader, "cost": cost}
        case Turn(seat=seat), _ if find_cost_change(table, seat, move):
            return "costs", {"cost": find_action_cost(table, seat, move)}
        case AlternativePrompt() as step, _ if (says := find_label(step, move)) is not None:
            return "way", {"says": says}
        case ChoicePrompt() as step, _:
            return _describe_chosen(table, step, move)
        case FreeRoll(hero=hero), Accept() | Decline():
            return "roll", {"hero": hero}
        case ReplacementOffer(hero=hero), Accept() | Decline():
            return "instead", {"hero": hero}
        case CardKindPrompt(kind=kind), Accept() | Decline():
            return "kind", {"kind": kind}
        case OfferPrompt(), Accept() | Decline():
            return _describe_offer(table)
        case ChallengeWindow(card=card), Challenge() | Pass():
            return "challenge", {"card": card}
        case ModifierWindow(), Pass():
            return "modifier", {}
        case EquipChoice(item=item), _ if (owner := table.controller_of(getattr(move, "card", ""))) is not None:
            return "equip", {"item": item, "of": owner}
        case OrderTriggers(), _:
            return "next", {}
        case SimultaneousDiscard(), ChooseCards(cards=cards):
            return "discard" if cards else "discard_none", {}
        case SimultaneousGift(to=to), ChooseCards() if to == LEFT:
            return "pass", {}
        case SimultaneousGift(to=to), ChooseCards():
            return "give", {"to": to}
        case ChooseSacrifice(), ChooseCards():
            return "sacrifice", {}
        case DeckTopOrdering(), ChooseCards():
            return "put_back", {}
    return PLAIN


def _describe_chosen(table: Table, step: ChoicePrompt, move: Move) -> Wording:
    """Return the words for what is chosen, or for choosing nothing."""
    variant, values = _describe_choice(table, step)
    deed = DEEDS.get(variant, variant)
    if not deed or isinstance(move, Decline):
        return (deed, values) if deed in ("play", "show", "add") else PLAIN
    if isinstance(step.noun, HeroSelector | ItemSelector):
        hero = str(step.noun.parse_answer(move, step.unseen))
        owner, item = table.controller_of(hero), table.item_of(hero)
        if owner is None or (item is None and isinstance(step.noun, ItemSelector)):
            return PLAIN
        deed = f"{deed}_item" if isinstance(step.noun, ItemSelector) else deed
        values = {**values, "of": owner, "item": item}
    return deed, values
