"""The open question in words: which text fits, and the numbers that it needs.

All of it follows from public knowledge. So do the words of an answer that say more than the move alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.cardscript.language.alternatives import (
    AlternativePrompt,
    find_label,
    list_lines_ahead,
    number_labels,
)
from referee.cardscript.language.interpreter import Execution, find_innermost_execution
from referee.cardscript.language.primitives import CardEffect
from referee.cardscript.moves import Accept, ChooseCard, ChooseCards, ChoosePlayer, ChooseValue, Decline
from referee.cardscript.questions import ChoicePrompt, OfferPrompt
from referee.engine.events import Move, replace_fields
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulings import Undetermined
from referee.games.munchkin import moves
from referee.games.munchkin.components import BOOK, CARDS, CORPSES, FACES, HANDS, WON
from referee.games.munchkin.conditions import Amount
from referee.games.munchkin.derived import big_items, big_limit, count_hands, hand_limit
from referee.games.munchkin.events.dice import RolledDie
from referee.games.munchkin.narration import describe_deal
from referee.games.munchkin.rules import charity, citizenship
from referee.games.munchkin.rules.cards.cursing import CurseWindow
from referee.games.munchkin.rules.combat import fleeing, helping, rewards, rolling
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.hands import DiscardHand
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.items.item_loss import LoseItems, PayWorth, find_pickable_items, gold_value_of
from referee.games.munchkin.rules.state_based_checks import TooManyBig, TooManyInUse, TooManyTowns, find_taker
from referee.games.munchkin.rules.turn import Calm, KeepOne
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import find_restrictions, score_monsters, score_munchkins, sum_lines
from referee.games.munchkin.texts.nouns import Item
from referee.games.munchkin.texts.verbs_of_items import HandOver, Lose, Stitch
from referee.games.munchkin.texts.verbs_of_looking import Seen
from referee.games.munchkin.texts.verbs_of_players import DiscardFromHand, LoseLevels
from referee.games.munchkin.values import NOBODY, Deal, Foe

Asked = tuple[str, dict[str, Any]]  # which text of a question, and what fills it
OR = {"en": "or", "de": "oder"}
AND = {"en": "and", "de": "und"}
MOST_NAMED = 4  # so many cards are named in a question; more can be read off the answers
CARD_TEXTS: dict[str, Text] = {entry["id"]: entry["text"] for entry in CARDS}
BAD_TEXTS: dict[str, Text] = {entry["id"]: entry["bad_text"] for entry in CARDS if "bad_text" in entry}


def describe_question(table: Table) -> Asked:
    """Return which text of the open question fits, and its numbers.

    Raises Undetermined.
    """
    match step := table.agenda[-1]:
        case Calm():
            return describe_calm(table, step)
        case Fight():
            return describe_fight(table)
        case ClaimWindow():
            waiting = step.find_pending_seats(table)
            wins = "yes" if table.running_combat.foes and helping.would_win_game(table) else "no"
            return "claimed", {**describe_sides(table), "waiting": waiting, "count": len(waiting), "wins": wins}
        case rewards.Sharing(order=order) if order:
            return "next", {"seat": order[0], "count": len(table.cards_at(WON))}
        case rolling.Throw() | rolling.AfterRoll() | rolling.TurnDie():
            return describe_die(table, step)
        case fleeing.Fleeing():
            return describe_flight(table)
        case Looting(seat=seat):
            return "cards", {"seat": seat, "count": table.count_cards_at(CORPSES[seat])}
        case CurseWindow(card=card, victim=victim) if card in CARD_TEXTS:
            return "text", {"card": card, "seat": victim, "text": CARD_TEXTS[card]}
        case OfferPrompt():
            if (ways := find_offered_ways(table, step)) is not None:
                return "ways", {"gives": render_way("asks", ways[0]), "pays": render_way("otherwise", ways[1])}
        case ChoicePrompt():
            return describe_choice(table, step)
        case AlternativePrompt(says=ways):
            return "ways", {"ways": number_labels(ways)}
        case DiscardHand():
            least, most = step.count_least(table), step.count_cards(table)
            return ("count", {"count": most}) if least == most else ("up_to", {"least": least, "count": most})
    return describe_loss(table)


def describe_calm(table: Table, step: Calm) -> Asked:
    """Return the question in calm: at charity it says how many cards go, and to whom."""
    if step.stage != "after":
        return step.stage, {}
    limit, held = hand_limit(table, step.seat), table.count_cards_at(HANDS[step.seat])
    if held <= limit:
        return "end", {"held": held, "limit": limit}
    receivers = charity.find_receivers(table, step.seat)
    found = {"count": held - limit, "limit": limit, "to": receivers, "level": table.levels[step.seat]}
    return ("discard", "give", "share")[min(len(receivers), 2)], found


# ---- the combat ------------------------------------------------------------------------------------------------------


def describe_sides(table: Table) -> dict[str, Any]:
    """Return who fights whom, and with which strengths."""
    combat = table.running_combat
    return {
        "main": combat.main,
        "fighters": combat.fighters,
        "number": len(combat.fighters),
        "ours": sum_lines(score_munchkins(table)),
        "monsters": join_texts([name_foe(foe) for foe in combat.foes], AND),
        "foes": len(combat.foes),
        "theirs": sum_lines(score_monsters(table)),
    }


def name_foe(foe: Foe) -> Text:
    """Return the name of a monster in the combat, for a twin that of its double."""
    return name_card(foe.card) if foe.card == foe.of else BOOK.render_texts("foe.twin", card=foe.of)


def describe_fight(table: Table) -> Asked:
    """Return the question in an open combat: strengths, who leads, what is offered."""
    combat, found = table.running_combat, describe_sides(table)
    if combat.asked != NOBODY:
        found |= {"asked": combat.asked, "by": combat.offered_by, "deal": describe_deal(combat.offer or Deal())}
        if combat.offered_by != combat.main:
            return "counter", found
        if combat.helper != NOBODY:
            return "new_terms", found
        wins = "yes" if helping.would_win_game(table) else "no"
        then = describe_sides(replace_fields(table, combat=replace_fields(combat, helper=combat.asked)))
        found |= {"ours_then": then["ours"], "theirs_then": then["theirs"]}
        return "asked", {**found, "worth": helping.count_treasures_of_kill(table), "wins": wins}
    if not combat.foes:
        return "empty", found
    short = found["theirs"] + 1 - found["ours"]
    if short <= 0:
        return "ahead", found
    whom = [seat for seat in table.other_seats(combat.main) if seat not in combat.declined]
    alone = combat.helper == NOBODY and next(find_restrictions(table, "no_helper"), None) is None
    return "behind" if alone and whom else "no_help", {**found, "short": short}


# ---- the die ---------------------------------------------------------------------------------------------------------


def describe_die(table: Table, step: rolling.Throw | rolling.AfterRoll | rolling.TurnDie) -> Asked:
    """Return the question about a die: what it shows, its total, what escapes."""
    die = step if isinstance(step, rolling.Throw) else rolling.find_rolled_die(table)
    if isinstance(step, rolling.AfterRoll) and step.called and step.card in CARD_TEXTS:
        running = next((each.text for each in reversed(table.agenda) if isinstance(each, Execution)), "")
        total = rolling.compute_text_total(table, step.seat, step.value)
        found = {"text": (BAD_TEXTS if running == "bad_stuff" else CARD_TEXTS)[step.card], "total": total}
        return "text" if total == step.value else "changed_text", found
    if die is None or die.called or table.combat is None:
        return "", {}
    foe = table.combat.find_foe(die.card)
    if foe is None:
        return "", {}
    found = {"seat": die.seat, "monster": name_foe(foe), **describe_reach(table, die.seat, foe)}
    if isinstance(die, RolledDie):
        total = sum_lines(rolling.score_flight_roll(table, die.seat, foe))
        enough = "yes" if total >= rolling.ESCAPE_TOTAL else "no"
        found |= {"value": die.value, "total": total, "enough": enough, "least": rolling.ESCAPE_TOTAL}
    return "flight", found


def describe_reach(table: Table, seat: int, foe: Foe) -> dict[str, Any]:
    """Return the face that escapes a monster, and whether any or none does."""
    needed = rolling.compute_needed_roll(table, seat, foe)
    return {"needed": needed, "reach": "any" if needed <= 1 else "none" if needed > rolling.SIDES else "some"}


def describe_flight(table: Table) -> Asked:
    """Return the question of a fighter who runs: from which monster, by which roll."""
    seat = fleeing.find_runner(table)
    if seat is None:
        return "", {}
    foes = [table.running_combat.find_foe(card) for card in rolling.monsters_to_escape(table, seat)]
    left = [(foe, describe_reach(table, seat, foe)) for foe in foes if foe is not None]
    if len(left) == 1:
        ((foe, reach),) = left
        return "one", {"seat": seat, "monster": name_foe(foe), **reach}
    rolls = [
        BOOK.render_texts("foe.reach", monster=name_foe(foe), needed=reach["needed"], reach=reach["reach"])
        for foe, reach in left
    ]
    return "several", {"seat": seat, "rolls": join_texts(rolls, AND)}


# ---- what cards take or offer ----------------------------------------------------------------------------------------


def describe_loss(table: Table) -> Asked:
    """Return the question which of several cards goes."""
    match step := table.agenda[-1]:
        case LoseItems(seat=seat, by=by, card=card, count=count, best=best):
            options = find_pickable_items(table, seat, step.fitting, best, step.cause)
            found = {
                "card": card,
                "seat": seat,
                "count": count,
                "best": f"by_{best or 'none'}",
                "items": list_options(options),
            }
            return "of_another" if by != seat else "several" if count > 1 else "own", found
        case PayWorth(seat=seat):
            return "worth", {"gold": sum(map(gold_value_of, table.items_of(seat)))}
        case citizenship.LoseTown(seat=seat):
            return "towns", {"towns": list_options(table.towns_of(seat))}
        case citizenship.SwapTown(seat=seat):
            found_town = citizenship.find_topmost_town(table)
            offered = {"towns": list_options(table.towns_of(seat))}
            return ("lost", offered) if found_town is None else ("found", {**offered, "found": found_town})
        case TooManyTowns(seat=seat):
            towns = step.find_excess_cards(table)
            return "towns", {
                "count": len(towns),
                "most": 1 + table.has_dual_citizenship(seat),
                "towns": list_options(towns),
            }
        case TooManyInUse(seat=seat):
            cards = step.find_excess_cards(table)
            slot, hands = FACES[cards[0]].slot, count_hands(table, seat)
            variant = "hands" if slot == "hand" else "slot"
            return variant, {"slot": slot, "hands": hands, "items": list_options(cards)}
        case TooManyBig(seat=seat):
            cards = big_items(table, seat)
            taker = find_taker(table, seat, cards[0])
            found = {"count": len(cards), "most": big_limit(table, seat), "items": list_options(cards)}
            return ("discarded", found) if taker == NOBODY else ("given", {**found, "to": taker})
    return "", {}


def describe_choice(table: Table, step: ChoicePrompt) -> Asked:
    """Return the question which item, player or card a text of a card is about."""
    if isinstance(step.noun, Seen):
        return "", {}  # only the player who is asked knows more
    text = find_innermost_execution(table)
    options = step.noun.find_options(table, text, step.seat)
    if isinstance(step.noun, Item):
        owner = text.first_value(step.noun.of)
        return find_use_of_choice(table, step), {"seat": owner, "items": list_options(map(str, options))}
    if all(isinstance(each, int) for each in options):
        gift = find_gift(table, step)
        return ("gift", {"players": options, "item": gift}) if gift else ("among", {"players": options})
    return "", {}


def find_use_of_choice(table: Table, step: ChoicePrompt) -> str:
    """Return what the text does with the item chosen, such as take, give or stitch."""
    text = find_innermost_execution(table)
    assert isinstance(step.noun, Item)
    others = text.first_value(step.noun.of) != step.seat
    for line in list_lines_ahead(table.find_program(text.card, text.text), text.at):
        if isinstance(line.effect, HandOver) and line.effect.item == step.called:
            return "take" if others else "give"
        if isinstance(line.effect, Stitch) and line.effect.item == step.called:
            return "stitch"
    return "of_another" if others else "own"


def find_gift(table: Table, step: ChoicePrompt) -> str:
    """Return the item that the player chosen gets, or an empty text."""
    text = find_innermost_execution(table)
    for line in list_lines_ahead(table.find_program(text.card, text.text), text.at):
        if isinstance(line.effect, HandOver) and line.effect.to.name == step.called:
            return str(text.first_value(line.effect.item) or "")
    return ""


def find_offered_ways(table: Table, step: OfferPrompt) -> tuple[CardEffect, CardEffect] | None:
    """Return what happens if an offer is taken and if not.

    None: it is more than one thing each.
    """
    text = find_innermost_execution(table)
    lines = list_lines_ahead(table.find_program(text.card, text.text), text.at)
    taken = [line.effect for line in lines if line.when == step.called]
    left = [line.effect for line in lines if line.unless == step.called]
    ways = (*taken, *left)
    if len(taken) != 1 or len(left) != 1 or not all(map(is_tellable, ways)):
        return None
    return taken[0], left[0]


TELLABLE = (DiscardFromHand, Lose, LoseLevels)


def is_tellable(way: CardEffect) -> bool:
    """Return whether a way can be told in the question: nothing in it is counted."""
    return isinstance(way, TELLABLE) and not isinstance(getattr(way, "count", 1), Amount)


def render_way(how: str, way: CardEffect) -> Text:
    """Return one of the two ways that an offer leaves, asked about or done."""
    count = getattr(way, "count", 1)
    if isinstance(way, Lose):
        assert isinstance(way.which, Item)
        what = "one_shot" if way.which.one_shot else "item"
    else:
        what = "levels" if isinstance(way, LoseLevels) else "hand_cards"
    return BOOK.render_texts(f"offer.{how}", what=what, count=count if isinstance(count, int) else 99)


# ---- answers ---------------------------------------------------------------------------------------------------------


def describe_answer(table: Table, move: Move) -> Text | None:
    """Return a move as an answer to the open question.

    None: its own text says all.
    """
    try:
        found = find_answer_text(table, move)
    except Undetermined:
        return None
    return None if found is None else BOOK.render_texts(f"answer.{found[0]}", **found[1])


def find_answer_text(table: Table, move: Move) -> Asked | None:
    """Return which text says what an answer does, and what fills it.

    Raises Undetermined.
    """
    match table.agenda[-1], move:
        case AlternativePrompt() as step, ChooseValue(value=value) if (says := find_label(step, move)) is not None:
            return "alternative", {"value": value, "says": says}
        case OfferPrompt() as step, Accept() | Decline():
            ways = find_offered_ways(table, step)
            return None if ways is None else ("way", {"way": render_way("does", ways[isinstance(move, Decline)])})
        case CurseWindow(card=card), moves.Pass():
            return "let_strike", {"card": card}
        case ClaimWindow(), moves.Pass():
            return "let_kill", describe_sides(table)
        case Fight(), moves.ClaimKill() | moves.RunAway() if table.running_combat.foes:
            return ("claim" if isinstance(move, moves.ClaimKill) else "run"), describe_sides(table)
        case Fight(), moves.AcceptHelp():
            return "accept", {"deal": describe_deal(table.running_combat.offer or Deal())}
        case fleeing.Fleeing(), moves.FleeFrom(monster=monster):
            seat, foe = fleeing.find_runner(table), table.running_combat.find_foe(monster)
            if seat is None or foe is None:
                return None
            return "flee", {"monster": name_foe(foe), **describe_reach(table, seat, foe)}
        case rolling.AfterRoll(value=value), moves.KeepRoll():
            return "keep_die", {"value": value}
        case rolling.TurnDie(), ChooseValue(value=value):
            return "turn_die", {"value": value}
        case DiscardHand(), ChooseCards(cards=cards):
            return "discard", {"cards": join_texts([name_card(card) for card in cards], AND)}
        case ChoicePrompt() as step, ChooseCard(card=card) if isinstance(step.noun, Item):
            owner = find_innermost_execution(table).first_value(step.noun.of)
            return find_use_of_choice(table, step), {"item": card, "seat": owner}
        case ChoicePrompt() as step, ChoosePlayer(seat=seat):
            gift = find_gift(table, step)
            return ("gift", {"item": gift, "seat": seat}) if gift else None
        case _, ChooseCard(card=card):
            return find_fate_of_card(table, card)
    return None


def find_fate_of_card(table: Table, card: str) -> Asked | None:
    """Return what happens to the card named as an answer, in words."""
    match table.agenda[-1]:
        case KeepOne() | TooManyTowns():
            return "discard", {"cards": card}
        case PayWorth() if card in FACES:
            return "pay", {"card": card, "gold": gold_value_of(card)}
        case LoseItems(seat=seat, by=by):
            return ("lose", {"card": card}) if by == seat else ("make_lose", {"card": card, "seat": seat})
        case citizenship.LoseTown():
            return "lose", {"card": card}
        case citizenship.SwapTown():
            return "swap", {"card": card}
        case TooManyInUse():
            return "carry", {"card": card}
        case TooManyBig(seat=seat) if card in FACES:
            taker = find_taker(table, seat, card)
            return ("discard", {"cards": card}) if taker == NOBODY else ("gift", {"item": card, "seat": taker})
    return None


# ---- lists -----------------------------------------------------------------------------------------------------------


def name_card(card: str) -> Text:
    """Return the name of a card as it reads in a sentence."""
    return {lang: str(BOOK.render_parameter(card, lang)) for lang in LANGUAGES}


def join_texts(parts: list[Text], word: Text) -> Text:
    """Return texts as a list in a sentence: `A, B or C`."""
    return {
        lang: f" {word[lang]} ".join(
            part
            for part in (", ".join(each[lang] for each in parts[:-1]), *(each[lang] for each in parts[-1:]))
            if part
        )
        for lang in LANGUAGES
    }


def list_options(cards: Iterable[str]) -> Text:
    """Return the cards to choose from, after a colon; empty if they are many."""
    names = list(dict.fromkeys(cards))
    if len(names) > MOST_NAMED:
        return dict.fromkeys(LANGUAGES, "")
    return {lang: f": {text}" for lang, text in join_texts([name_card(card) for card in names], OR).items()}
