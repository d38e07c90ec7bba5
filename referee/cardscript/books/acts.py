"""Say in single words what a card does, for those who draw it as icons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

Act = Literal[
    "draw", "discard", "pull", "give", "take", "steal", "destroy", "sacrifice", "revive", "search", "look", "swap",
    "shield", "attack", "heal", "bonus", "malus", "play", "roll", "stop", "skip", "lose", "gain", "flee", "turn",
    "wish",
]  # fmt: skip
ACTS: tuple[str, ...] = get_args(Act)

ACT_BY_VERB: dict[str, Act] = {
    "draw": "draw", "draw_to": "draw", "draft": "draw", "discard": "discard", "discard_hand": "discard",
    "pay": "discard", "mill": "discard", "levy": "discard", "throw": "discard", "pull": "pull",
    "take_from_hand": "pull", "take": "take", "recover": "take", "return_item": "take", "send_back": "take",
    "give": "give", "hand_over": "give", "move_hero": "give", "steal": "steal", "take_control": "steal",
    "destroy": "destroy", "remove": "destroy", "rout": "destroy", "die": "destroy", "sacrifice": "sacrifice",
    "revive": "revive", "stitch": "revive", "search": "search", "look_at_hand": "look", "look_at_deck": "look",
    "look_whether": "look", "show": "look", "swap_hands": "swap", "swap_town": "swap", "replace": "swap",
    "move": "swap", "twin": "swap", "protect": "shield", "give_way": "shield", "damage": "attack", "heal": "heal",
    "bonus": "bonus", "enhance": "bonus", "strengthen": "bonus", "add_value": "bonus", "hinder": "malus",
    "play": "play", "join": "play", "roll": "roll", "roll_for": "roll", "reroll": "roll", "turn_die": "roll",
    "start_dice": "roll", "cancel_attack": "stop", "cancel_effect": "stop", "cancel_curse": "stop",
    "lose_levels": "lose", "lose": "lose", "lose_worth": "lose", "lose_town": "lose", "lose_ride": "lose",
    "gain_levels": "gain", "ready": "gain", "escape": "flee", "leave_combat": "flee",
}  # fmt: skip

ACT_BY_ABILITY: dict[str, Act] = {
    "protects": "shield", "unchallenged": "shield", "no_challenge": "shield", "no_destroy": "shield",
    "no_steal": "shield", "armor": "shield", "shields": "shield", "sealed": "stop", "no_help": "stop", "class": "swap",
    "escape": "flee", "points": "play",
}  # fmt: skip

CONDITIONS = frozenset({"requires", "requires_target", "flips_when", "lets_pass"})  # these do nothing themselves
VALUES = ("plus", "value", "strength", "attack", "bonus", "count")  # of these, the sign says which way it goes


def list_acts(card: Mapping[str, Any], texts: Iterable[str]) -> list[Act]:
    """Return what the texts of a card do, in their order, each word once.

    A card whose file says `acts` itself, because it has no text in the card language, does those.
    """
    if "acts" in card:
        return list(card["acts"])
    known = frozenset(texts) - CONDITIONS
    found = (act for name, part in card.items() if name in known for act in find_acts(part))
    return list(dict.fromkeys(found))


def find_acts(part: Any) -> Iterator[Act]:
    """Yield what a part of a text does, in the order in which it is written."""
    if isinstance(part, list | tuple):
        for each in part:
            yield from find_acts(each)
    elif isinstance(part, Mapping):
        if "do" in part:
            yield from find_verb_act(part)
        else:
            yield from find_ability_acts(part)
        for each in part.values():
            if isinstance(each, Mapping | list | tuple):
                yield from find_acts(each)


def find_verb_act(line: Mapping[str, Any]) -> Iterator[Act]:
    """Yield the act of a line of a text; choices and conditions are none."""
    if line["do"] == "lasting":
        yield from find_ability_acts({str(line.get("what")): True, **line})
    elif (act := ACT_BY_VERB.get(line["do"])) is not None:
        yield "malus" if act == "bonus" and is_negative(line) else act


def find_ability_acts(line: Mapping[str, Any]) -> Iterator[Act]:
    """Yield what a standing ability comes to."""
    yield from (act for key, act in ACT_BY_ABILITY.items() if key in line and line[key] not in (False, None))
    if any(isinstance(line.get(key), int) and not isinstance(line[key], bool) for key in VALUES[:5]):
        yield "malus" if is_negative(line) else "bonus"


def is_negative(line: Mapping[str, Any]) -> bool:
    """Whether the number of a line is below zero."""
    return any(isinstance(line.get(key), int) and line[key] < 0 for key in VALUES)
