"""Choose texts and parameters for events and moves, without hidden cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cardscript import narration
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.zones import Moved, is_back
from referee.games.creature_crush import moves
from referee.games.creature_crush.components import BOOK, row_of
from referee.games.creature_crush.events import cards, course, field
from referee.games.creature_crush.events.decks import CardDrawn
from referee.games.creature_crush.events.zone_changes import CardsTransferredTogether


def text_parameters(thing: Event | Move) -> dict[str, Any]:
    """Return what fills the placeholders of the texts about an event or a move."""
    found = narration.collect_text_parameters(thing, (Moved, CardsTransferredTogether))
    if isinstance(thing, Moved):
        found["place"] = thing.target.partition("/")[0]  # without the seat, which the text names anyway
    match thing:
        case field.CreaturesDamaged(points=points) | field.CreaturesHealed(points=points):
            found["hits"] = render_points(points)
        case field.CreaturesAltered(change=change):
            found |= {"stat": change.stat, "amount": change.amount, "by": change.by}
    return found


def render_points(points: Mapping[str, int]) -> Text:
    """Write the points of each creature in both languages."""
    return {
        lang: ", ".join(f"{BOOK.render_parameter(card, lang)} {number}" for card, number in points.items())
        for lang in LANGUAGES
    }


def text_variant(thing: Event | Move) -> str:
    """Return which of several texts fits an event or a move.

    For events about cards that is `seen` or `unseen`.
    """
    match thing:
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
        case field.CreaturesDamaged(why=why):
            return why if why in ("attack", "sluggish") else ""
        case field.CreaturesAltered(change=change):
            return "this_turn" if change.this_turn else ""
        case field.AttackEnded(why=why) | field.EffectSkipped(why=why):
            return why
        case course.StartDiceRolled(which=which):
            return which
        case course.PhaseBegan(phase=phase):
            return phase
        case course.BattleEnded(way=way):
            return way
        case course.DiceBurned(pips=pips):
            return "" if pips else "none"
        case cards.CreatureSummoned(target=target) if row_of(target) == "A":
            return "front"
        case cards.CreatureMoved(retreat=retreat):
            return "retreat" if retreat else ""
        case CardDrawn(for_turn=for_turn, put=put) if for_turn:
            return "turn_unseen" if narration.are_all_hidden(put) else "turn_seen"
    found = text_parameters(thing)
    if isinstance(thing, Move) or "put" not in found:
        return ""
    return "unseen" if narration.are_all_hidden(found["put"]) else "seen"
