"""Choose texts and parameters for events, moves and questions.

Hidden cards are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.cardscript import narration
from referee.cardscript.free_text import telling
from referee.cardscript.language.alternatives import AlternativePrompt, find_label, number_labels
from referee.cardscript.language.interpreter import Execution, find_innermost_execution
from referee.cardscript.moves import ChooseCards, ChooseValue
from referee.cardscript.questions import ChoicePrompt
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import join_words
from referee.engine.zones import Moved, is_back
from referee.games.creature_crush import moves
from referee.games.creature_crush.card_attributes import KEYWORDS
from referee.games.creature_crush.components import BOOK, CARD_ENTRIES, DECKS, HANDS, row_of, strip_copy_number
from referee.games.creature_crush.events import cards, course, field
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.zone_changes import CardsTransferredTogether
from referee.games.creature_crush.rules.actions.looking import DiscardChoice, LookingAtTop
from referee.games.creature_crush.rules.actions.searching import Searching
from referee.games.creature_crush.rules.chain import Chain, EffectOrdering
from referee.games.creature_crush.rules.combat.rerolling import Rerolling
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer
from referee.games.creature_crush.rules.drafting import DRAFT_ROUNDS, Drafting
from referee.games.creature_crush.rules.turn import CombatPhase, TacticPhase
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.texts.nouns import CostHitSelector
from referee.games.creature_crush.texts.selecting import ChoosingSome
from referee.games.creature_crush.values import GROWTH, LOST, SHIELD, SPARED, TURN_ENDS, TriggerEvent

PILE_VARIANTS = {  # of cards put by name, and of cards that only their player sees
    "hand": ("", "unseen"), "deck_top": ("deck_top", "deck_top_unseen"),
    "deck_bottom": ("deck_bottom", "deck_bottom_unseen"), "deck": ("deck", "deck_unseen"),
}  # fmt: skip
CARD_TEXTS: dict[str, Text] = {str(entry["id"]): entry["text"] for _, entry in CARD_ENTRIES if entry.get("text")}


def text_parameters(thing: Event | Move) -> dict[str, Any]:
    """Return what fills the placeholders of the texts about an event or a move."""
    found = narration.collect_text_parameters(thing, (Moved, CardsTransferredTogether))
    found |= telling.find_report_parameters(BOOK, thing)
    if isinstance(thing, Moved):
        found["place"] = thing.target.partition("/")[0]  # without the seat, which the text names anyway
    match thing:
        case field.CreaturesDamaged(points=points):
            found["hits"] = render_points(points, {"en": "{} damage to {}", "de": "{1} {0} Schaden"})
        case field.DamagePrevented(points=points):
            found["hits"] = render_points(points, {"en": "{} damage to {}", "de": "{} Schaden an {}"})
        case field.CreaturesSpared(cards=cards_there) | field.GrowthTaken(cards=cards_there):
            found["count"] = len(cards_there)
        case field.CreaturesHealed(points=points):
            found["hits"] = render_points(points, {"en": "{} damage on {}", "de": "bei {1} {0} Schaden"})
        case field.CreaturesAltered(change=change, cards=altered):
            found |= {"stat": change.stat, "amount": change.amount, "by": change.by, "count": len(altered)}
        case field.CreaturesReadied(cards=readied):
            found["count"] = len(readied)
        case cards.CreaturesSwapped(cards=(first, second)) | cards.CreaturesExchanged(cards=(first, second)):
            found |= {"first": first, "second": second}
        case moves.Lay(dice=dice) | moves.Summon(dice=dice) | moves.Attack(dice=dice) | moves.Swap(dice=dice):
            found |= {"dice": name_dice(dice), "number": len(dice)}
        case moves.MoveCreature(die=die):
            found["dice"] = name_dice((die,))
        case moves.Reroll(dice=dice) | course.DiceBurned(pips=dice) | course.DiceRerolled(before=dice):
            found["dice"] = name_dice(dice)
        case course.NextCrushChanged(dice=count):
            found["count"] = abs(count)
        case course.StartDiceGained(count=count):
            found["count"] = abs(count)
        case cards.CrushLaid(dice=number):
            found["number"] = number
    return found


def render_points(points: Mapping[str, int], form: Text) -> Text:
    """Write the points of each creature in both languages, by a form for one of them."""
    return {
        lang: join_words([form[lang].format(n, BOOK.render_parameter(card, lang)) for card, n in points.items()], lang)
        for lang in LANGUAGES
    }


def name_dice(pips: Iterable[int]) -> Text:
    """Name dice as they stand in a sentence: `the 3 and the 6`.

    A bare number would read as how many.
    """
    return {lang: join_words([f"{the} {die}" for die in pips], lang) for lang, the in (("en", "the"), ("de", "die"))}


def text_variant(thing: Event | Move) -> str:
    """Return which of several texts fits an event or a move.

    For events about cards that is `seen` or `unseen`.
    """
    if (reported := telling.find_report_variant(thing)) is not None:
        return reported
    match thing:
        case ChooseCards(cards=()):
            return "none"
        case moves.Attack(target=target) | field.AttackDeclared(target=target):
            return "" if target else "direct"
        case moves.Flip(about=about):
            return "about" if about else ""
        case moves.Lay(card=card):
            return "unseen" if is_back(card) else ""
        case moves.Keep(cards=kept):
            return "unseen" if narration.are_all_hidden(kept) else ""
        case moves.BringDeck(cards=brought):
            return "" if brought else "unseen"
        case field.CreaturesDamaged(why="attack", sources=sources) if len(sources) > 1:
            return "vengeful"
        case field.CreaturesDamaged(why=why):
            return why if why in ("attack", "sluggish") else ""
        case field.CreaturesAltered(change=change):
            span = 1 if change.this_turn else 2 if change.until_turn_of else 0
            if change.stat == GROWTH:
                return "growth"
            if change.stat == SHIELD:
                return ("shield", "shield_this_turn", "shield_next_turn")[span]
            if change.stat == SPARED:
                return ("spared", "spared_this_turn", "spared_next_turn")[span]
            if change.stat.startswith("cannot_"):
                return ("cannot", "cannot_this_turn", "cannot_next_turn")[span]
            if change.stat not in KEYWORDS:
                return ("", "this_turn", "next_turn")[span]
            if change.amount == LOST:
                return ("loses", "loses_this_turn", "loses_next_turn")[span]
            return ("gains", "gains_this_turn", "gains_next_turn")[span]
        case field.AttackEnded(why=why) | field.EffectSkipped(why=why):
            return why
        case course.StartDiceRolled(which=which):
            return which
        case course.StartDiceGained(count=count) | course.NextCrushChanged(dice=count):
            return "" if count > 0 else "fewer"
        case course.EffectDelayed(delayed=delayed):
            return "turn_ends" if delayed.when == TURN_ENDS else "next_turn"
        case course.PhaseBegan(phase=phase):
            return phase
        case course.BattleEnded(way=way):
            return way
        case course.DiceBurned(pips=pips):
            return "" if pips else "none"
        case cards.CreatureSummoned(target=target) if row_of(target) == "A":
            return "front"
        case cards.CardsPut(to=to):
            unseen = narration.are_all_hidden(text_parameters(thing)["put"])
            return PILE_VARIANTS[to][unseen]
        case cards.CreaturesExchanged(changes_sides=changes_sides):
            return "sides" if changes_sides else ""
        case cards.CreatureMoved(retreat=retreat):
            return "retreat" if retreat else ""
        case CardDrawn(for_turn=for_turn, put=put) if for_turn:
            return "turn_unseen" if narration.are_all_hidden(put) else "turn_seen"
    found = text_parameters(thing)
    if isinstance(thing, Move) or "put" not in found:
        return ""
    return "unseen" if narration.are_all_hidden(found["put"]) else "seen"


def name_copies(value: Any) -> Any:
    """Return a parameter in which cards of the League are named with their decks.

    CC-AMB-7: Both decks may hold the same card, and control may bring both to one side.
    """
    if isinstance(value, tuple):
        return tuple(map(name_copies, value))
    if not isinstance(value, str) or "#" not in value:
        return value
    deck = DECKS[int(value.partition("#")[2]) - 1]
    return {lang: f"{BOOK.render_parameter(value, lang)} ({BOOK.name_value(deck, lang)})" for lang in LANGUAGES}


# ---- questions -------------------------------------------------------------------------------------------------------


def describe_question(table: Table) -> tuple[str, dict[str, Any]]:
    """Return which text of the open question fits, and its values.

    All of them are open to everybody: dice, cards on the field, and the printed texts of cards that lie open. Raises
    Undetermined.
    """
    step = table.agenda[-1]
    match step:
        case CombatPhase() | TacticPhase():
            return ("dice" if table.dice else "none"), {"dice": table.dice, "count": len(table.dice)}
        case Chain(windows=(*_, window)):
            return describe_window(table, window.happening)
        case EffectOrdering(left=left):
            return "effects", {"effects": name_effects(left)}
        case Drafting():
            return "round", {"round": table.drafted + 1, "rounds": DRAFT_ROUNDS}
        case DrawAnswer(seat=seat):
            return "from", {"other": 1 - seat}
        case ChoicePrompt(noun=CostHitSelector(dice=dice), card=card) if says := find_card_text(card):
            return "pips", {"says": says, "pips": find_innermost_execution(table).bound.get(dice, ())}
        case (
            ChoicePrompt(card=card)
            | ChoosingSome(card=card)
            | Searching(card=card)
            | DiscardChoice(card=card)
            | LookingAtTop(card=card)
        ) if says := find_card_text(card):
            return "text", {"says": says}
        case AlternativePrompt(says=ways):
            return "ways", {"ways": number_labels(ways)}
        case Rerolling(card=card) if says := find_card_text(card):
            return "text", {"says": says, "dice": name_dice(table.dice)}
    return "", {}


def describe_answer(table: Table, move: Move) -> Text | None:
    """Return the line about an answer that only the open question explains, or None."""
    match table.agenda[-1] if table.agenda else None, move:
        case AlternativePrompt() as step, ChooseValue(value=value) if (says := find_label(step, move)) is not None:
            return BOOK.render_texts("move.choose.value.way", value=value, says=says)
    return None


def describe_window(table: Table, happening: TriggerEvent) -> tuple[str, dict[str, Any]]:
    """Return which text of a window fits, and its values: what may be answered.

    Raises Undetermined.
    """
    refs = {name: named[0] for name, named in happening.refs.items() if named}
    there = table.places_by_creature
    match happening.kind:
        case "attack" if {refs["attacker"], refs["defender"]} <= there.keys():
            return "blow", {**refs, "seat": happening.by, **measure_blow(table, refs["attacker"], refs["defender"])}
        case "direct_attack":
            return "blow", {
                **refs,
                "seat": happening.by,
                "victim": 1 - happening.by,
                "lost": find_loss(table, 1 - happening.by),
            }
        case "placed" if (creature := refs["summoned"]) in there:
            life, attack = table.life_left(creature), table.attack_points(creature)
            return "named", {"creature": creature, "place": there[creature], "attack": attack, "life": life}
        case "destroyed" | "put":
            gone = [card for named in happening.refs.values() for card in named]
            return "named", {"cards": gone, "count": len(gone), "seat": happening.by}
        case "direct_done":
            return "named", refs
        case "flipped":
            says = find_card_text(refs["flipped"])
            return "text" if says else "named", {"seat": happening.by, "card": refs["flipped"], "says": says}
        case "start" | "end":
            return "named", {"seat": happening.by}
    return "", {}


def measure_blow(table: Table, attacker: str, defender: str) -> dict[str, int]:
    """Return the damage that a declared attack would do, and the block damage."""
    damage = table.attack_damage(attacker, defender)
    block = table.attack_points(defender) if table.has_keyword(defender, "vengeful") else 0
    return {"damage": damage, "life": table.life_left(defender), "block": block}


def find_loss(table: Table, seat: int) -> str:
    """Return where a direct attack would destroy a card of a player.

    Raises Undetermined.

    CC-DIRECT-2: If the deck is empty, it is a random hand card. If the hand is empty, too, a random crush card; if
        there is none, a random creature.
    """
    if table.count_cards_at(DECKS[seat]):
        return "deck"
    if table.count_cards_at(HANDS[seat]):
        return "hand"
    return "crush" if table.list_crush_places(seat) else "creature"


def name_effects(effects: Iterable[Execution]) -> Text:
    """Name effects by their cards and keywords."""
    return {
        lang: ", ".join(
            f"{BOOK.render_parameter(effect.card, lang)} ({BOOK.name_value(effect.text, lang)})" for effect in effects
        )
        for lang in LANGUAGES
    }


def find_card_text(card: str) -> Text | None:
    """Return the printed text of a card of the box, or None for one of a card book."""
    return CARD_TEXTS.get(strip_copy_number(card))
