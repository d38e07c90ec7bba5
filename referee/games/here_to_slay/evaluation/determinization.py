"""Determinization: whole tables of which this is the view of a seat."""

from __future__ import annotations

from collections import Counter

from referee.cardscript.determinization import complete_card_table, fill_in_first_cards, fill_in_secrets
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.questions import LookPrompt
from referee.engine.cardtracking.determinization import Memory
from referee.engine.chance import RandomBelow
from referee.engine.events import replace_fields
from referee.engine.steps import Step
from referee.engine.zones import Cards, is_back, remove_cards
from referee.games.here_to_slay.components import DECK, HANDS
from referee.games.here_to_slay.rules.drawing import CardDrawing, Pulling
from referee.games.here_to_slay.rules.hands import DeckTopOrdering
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.verbs_of_cards import LookAtDeck, LookAtHand


def complete_table(view: Table, seat: int, below: RandomBelow, memory: Memory) -> Table:
    """Return a whole table of which this is the seat's view.

    Monsters lie in the monster deck, other cards in the main deck and in hands.

    HTS-DO-13: The cards that a text lets the seat look at lie on top of the deck.
    """
    boxes = view.rules.boxes
    shown = find_shown_cards(view, seat)
    known = {**memory, **{place: join_known_cards(memory.get(place, ()), cards) for place, cards in shown.items()}}
    table = complete_card_table(view, seat, below, {**boxes.main, **boxes.monsters}, known, fill_in_step)
    deck = table.cards_at(DECK)
    top = tuple(card for card in shown.get(DECK, ()) if card in deck)
    return replace_fields(table, zones={**table.zones, DECK: (*top, *remove_cards(deck, top))}) if top else table


def join_known_cards(remembered: Cards, shown: Cards) -> Cards:
    """Return the cards that a place surely holds, by memory and by sight.

    Most that are seen are remembered as well.
    """
    return (*shown, *(Counter(remembered) - Counter(shown)).elements())


def find_shown_cards(view: Table, seat: int) -> dict[str, Cards]:
    """Return by place the cards that a text under way lets the seat look at."""
    shown: dict[str, Cards] = {}
    for text in view.agenda:
        if isinstance(text, Execution) and text.by == seat:
            for line in view.find_program(text.card, text.text):
                match line.effect:
                    case LookAtDeck(called=called) if called in text.bound:
                        shown[DECK] = tuple(map(str, text.bound[called]))
                    case LookAtHand(called=called, of=of) if called in text.bound:
                        shown[HANDS[text.first_value(of)]] = tuple(map(str, text.bound[called]))
    return shown


def fill_in_step(table: Table, step: Step) -> Step:
    """Return a step with the cards named that only one seat knows."""
    match step:
        case CardDrawing(seat=seat, before=before) | Pulling(seat=seat, before=before):
            return replace_fields(step, before=fill_in_first_cards(before, table.cards_in_hand(seat)))
        case DeckTopOrdering(cards=cards) if any(map(is_back, cards)):
            return replace_fields(step, cards=table.cards_at(DECK)[: len(cards)])
        case LookPrompt(cards=cards) if any(map(is_back, cards)):
            return replace_fields(step, cards=find_looked_at_cards(table)[: len(cards)])
        case Execution():
            return fill_in_secrets(table, step, lambda text, name: find_secret_cards(table, text, name))
    return step


def find_looked_at_cards(table: Table) -> Cards:
    """Return the cards that somebody looks at: the top of the deck or a hand."""
    text = next(other for other in reversed(table.agenda) if isinstance(other, Execution))
    effect = find_last_look(table, text)
    if isinstance(effect, LookAtHand):
        return table.cards_in_hand(text.first_value(effect.of))
    return table.cards_at(DECK)


def find_last_look(table: Table, text: Execution) -> LookAtDeck | LookAtHand | None:
    """Return the last line carried out that lets the player look at cards."""
    lines = table.find_program(text.card, text.text)[: text.at]
    looks = [line.effect for line in lines if isinstance(line.effect, LookAtDeck | LookAtHand)]
    return looks[-1] if looks else None


def find_secret_cards(table: Table, text: Execution, name: str) -> Cards:
    """Return the cards that a secret name can stand for, the likeliest last.

    HTS-DO-7, HTS-DO-13: It is a hand or the top of the deck that the text has let the player see, else what the player
        got last.
    """
    for line in table.find_program(text.card, text.text):
        match line.effect:
            case LookAtDeck(called=called) if called == name:
                return table.cards_at(DECK)[: len(text.bound[name])][::-1]
            case LookAtHand(called=called, of=of) if called == name:
                return table.cards_in_hand(text.first_value(of))
    return table.cards_in_hand(text.by)
