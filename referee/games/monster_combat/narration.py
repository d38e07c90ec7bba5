"""What fills the texts about moves and questions.

These are backs of cards, hearts at stake, and who or what comes next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from referee.engine.chance import PickResult
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulings import Undetermined
from referee.engine.zones import is_back
from referee.games.monster_combat.components import BOOK, MONSTERS, design_name, find_back_kind
from referee.games.monster_combat.moves import DiscardSurplus, DrawResult, LayOpenResult, Parry, PlayCard
from referee.games.monster_combat.rules.attacks import LightningAttack, PendingAttack
from referee.games.monster_combat.rules.drawing import CardDrawing
from referee.games.monster_combat.rules.play_a_card import PlayPhase
from referee.games.monster_combat.state import Table


def add_text_parameters(thing: Event | Move) -> dict[str, Any]:
    """Return what the texts about an event or a move need besides its fields.

    Moves say which back a card has where that tells it from another of its name.
    """
    if isinstance(thing, Event):
        return {"monster": MONSTERS[thing.number]["id"]} if hasattr(thing, "number") else {}
    if isinstance(thing, PlayCard):
        aim = "help" if design_name(thing.card) == "life_back" else "attack"
        return {"back": find_back_kind(thing.card), "aim": aim}
    if isinstance(thing, Parry | LayOpenResult):
        return {"back": find_back_kind(thing.card)}
    if isinstance(thing, DiscardSurplus):
        return {"cards": tuple(map(describe_card, thing.cards))}
    if isinstance(thing, DrawResult | PickResult):
        return {"cards": tuple(count_cards(thing.cards)), "count": len(thing.cards)}
    return {}


def list_life_texts(thing: Event | Move, who: int | str | None) -> tuple[str, ...]:
    """Return the key of the sentence about a life-back card that somebody plays.

    Of anything else return none.
    """
    if not isinstance(thing, PlayCard) or design_name(thing.card) != "life_back":
        return ()
    if thing.target is None:
        return ("move.mc.play.life",)
    return ("move.mc.play.own_life",) if str(thing.target) == str(who) else ("move.mc.play.other_life",)


def describe_card(card: str) -> Text:
    """Return the name of a card with its back if that is marked.

    Of a hidden card return the back.
    """
    if is_back(card):
        return BOOK.render_texts("card.back", back=find_back_kind(card))
    return BOOK.render_texts("card.named", card=card, back=find_back_kind(card))


def count_cards(cards: Iterable[str]) -> Iterable[Text]:
    """Yield what cards are called, each once with how many there are."""
    for card, count in Counter(cards).items():
        words = describe_card(card)
        yield words if count == 1 else {lang: f"{count} × {words[lang]}" for lang in LANGUAGES}


def describe_question(table: Table) -> tuple[str, dict[str, Any]]:
    """Return which text of the open question fits, and its numbers.

    Raises Undetermined if a position does not say them.
    """
    top = table.agenda[-1]
    if isinstance(top, PlayPhase):
        return describe_play_phase(table, top.seat)
    if isinstance(top, PendingAttack):
        return describe_attack(table, top)
    if isinstance(top, LightningAttack) and top.order:
        return "hearts", {"hearts": table.hearts_of(top.order[0]), "lost": 1}
    if isinstance(top, CardDrawing):
        sees_backs = table.rules.at_table and not top.needs_names(table)
        return "backs" if sees_backs else "", {"due": top.count_due_cards(table)}
    return "", {}


def describe_play_phase(table: Table, seat: int) -> tuple[str, dict[str, Any]]:
    """Return against whom or what a card would go.

    It is the next player, or the active monster.
    """
    if table.rules.is_against_monsters:
        number, asleep = table.monster_number(), "yes" if table.is_monster_asleep() else "no"
        left = table.monster_hearts_left()
        return "monster", {"number": number, "monster": MONSTERS[number]["id"], "left": left, "asleep": asleep}
    target = table.find_next_living(seat)
    immune = "yes" if table.is_immune(target) else "no"
    return "next", {"next": target, "hearts": table.hearts_of(target), "immune": immune}


def describe_attack(table: Table, attack: PendingAttack) -> tuple[str, dict[str, Any]]:
    """Return who or what attacks, and the hearts at stake.

    MC-AMB-9: Without a shield a player with one heart loses just that one.
    """
    if attack.strength is None or attack.by is None:
        raise Undetermined("which_question")
    hearts = table.hearts_of(attack.seat)
    values: dict[str, Any] = {"hearts": hearts, "lost": min(attack.strength, hearts)}
    if attack.by == "sword":
        return "sword", {**values, "by": table.active}
    if attack.by == "event":
        return "event", values
    number = table.monster_number()
    return "monster", {**values, "number": number, "monster": MONSTERS[number]["id"]}
