"""Check what the form of a text does not show: what names stand for, and X.

A verb about creatures does not take a crush card, and a verb about the player's own hell does not take an enemy.
Clauses: CC-GLOSS-1, CC-EFF-TARGET-1, CC-AMB-15.
"""

from __future__ import annotations

from referee.cardscript.language.parser import CardTextParser
from referee.cardscript.language.primitives import CardEffect, Program, Selector
from referee.games.creature_crush.conditions import CARD_MEASURES, Amount, Condition
from referee.games.creature_crush.texts.nouns import (
    CreatureSelector,
    CrushCardSelector,
    FieldCardSelector,
    HellCardSelector,
)
from referee.games.creature_crush.texts.verbs_of_dice import DieSelector

CREATURES, CRUSHES, BURIED, BURIED_BEYOND, BURIED_CRUSH, FLIPPED, ARRIVED, NO_CARD, DICE = (
    "creatures", "crush cards on the field", "cards in your own hell", "cards lying in the opponent's hell",
    "this crush card in hell", "a flipped card",
    "a creature just summoned", "no card", "dice",
)  # fmt: skip
MEANINGS_BY_NOUN: dict[type[Selector], frozenset[str]] = {
    CreatureSelector: frozenset({CREATURES}),
    CrushCardSelector: frozenset({CRUSHES}),
    FieldCardSelector: frozenset({CREATURES, CRUSHES}),
    HellCardSelector: frozenset({BURIED}),
    DieSelector: frozenset({DICE}),
}
MEANINGS_OF_HELLS = {"enemy": frozenset({BURIED_BEYOND}), "any": frozenset({BURIED, BURIED_BEYOND})}
AMBIENT_MEANINGS: dict[str, frozenset[str]] = {  # what the names stand for that are bound before a text begins
    **dict.fromkeys(("me", "opponent", "x"), frozenset({NO_CARD})),
    **dict.fromkeys(("attacker", "defender"), frozenset({CREATURES})),
    "summoned": frozenset({CREATURES, ARRIVED}),
    "victim": frozenset({BURIED}),  # it has just been put into hell
    "flipped": frozenset({FLIPPED}),
}
THIS_MEANINGS = {
    False: frozenset({CREATURES, BURIED}),
    True: frozenset({FLIPPED}),
}  # by whether it is the text of a crush card
CRUSH_CARD_IN_HELL = frozenset({BURIED_CRUSH})  # what Trap and Hell of a crush card are about
VERB_PARAMETERS: dict[str, dict[str, frozenset[str]]] = {  # by verb and parameter
    **{
        verb: {"creature": frozenset({CREATURES})}
        for verb in (
            "damage",
            "heal",
            "send_back",
            "take_control",
            "move",
            "strengthen",
            "ready",
            "take_growth",
            "copy_action",
        )
    },
    "exchange": {"creature": frozenset({CREATURES}), "other": frozenset({CREATURES})},
    "destroy": {"what": frozenset({CREATURES, CRUSHES})},
    "put": {"what": frozenset({CREATURES, CRUSHES, BURIED, BURIED_BEYOND, BURIED_CRUSH})},
    "revive": {"card": frozenset({BURIED, BURIED_BEYOND})},
    **{verb: {"card": frozenset({BURIED, BURIED_CRUSH})} for verb in ("recover", "recycle")},
    **{verb: {"die": frozenset({DICE})} for verb in ("set_die", "turn_die", "burn_die")},
    "cancel_effect": {"card": frozenset({FLIPPED, ARRIVED})},
}


def check_name_meanings(
    reader: CardTextParser, line: int, lines: Program, of_crush_card: bool, text: str = "flip"
) -> None:
    """Check that every line of a text can be carried out.

    Raises BookError if one cannot. Errors are a name that stands for something else than its verb is about, an X in the
    text of a creature, and a crush card that asks for its zone or its neighbours.
    """
    this = CRUSH_CARD_IN_HELL if of_crush_card and text != "flip" else THIS_MEANINGS[of_crush_card]
    stands: dict[str, frozenset[str]] = {**AMBIENT_MEANINGS, "this": this}
    revived: set[str] = set()
    for each in lines:
        word = each.effect
        for key, taken in VERB_PARAMETERS.get(word.WORD, {}).items():
            name = getattr(word, key)
            if name is None:
                continue
            meant = stands.get(name, frozenset({NO_CARD}))
            one_of_them = (
                name in AMBIENT_MEANINGS or name == "this" or name in revived
            )  # known only when the line is reached
            if not (meant & taken if one_of_them else meant <= taken):
                said, wanted = " and ".join(sorted(meant)), " or ".join(sorted(taken - CRUSH_CARD_IN_HELL))
                # it may stand for what the verb takes, but also for something else
                where = f"{word.WORD}.{key}"
                raise reader.error_at(
                    line, f"{where}: {name!r} stands for {said}, not {'only ' if meant & taken else ''}for {wanted}"
                )
        if complaint := _find_line_error(word, of_crush_card) or _find_dice_error(word, stands):
            raise reader.error_at(line, f"{word.WORD}: {complaint}")
        if word.WORD == "revive":  # from then on the name stands for a creature, too
            name = str(word.card)  # type: ignore[attr-defined]
            stands[name] = stands.get(name, frozenset()) | {CREATURES}
            revived.add(name)
        if called := str(getattr(word, "called", "")):
            stands[called] = _find_meaning(word, stands)


def _find_line_error(word: CardEffect, of_crush_card: bool) -> str:
    """Return what is wrong with a line for a card of this kind, or ""."""
    values = tuple(vars(word).values())
    if not of_crush_card and any(isinstance(value, Amount) and value.times_x for value in values):
        return "x is the dice burned for a crush card; a creature has none"
    if of_crush_card and any(isinstance(value, Condition) and value.mentions_word("zone") for value in values):
        return "a crush card lies in neither zone, so 'zone' never holds for it"
    if of_crush_card and any(isinstance(value, CreatureSelector) and value.adjacent for value in values):
        return "nothing is adjacent to a crush card"
    return ""


def _find_dice_error(word: CardEffect, stands: dict[str, frozenset[str]]) -> str:
    """Return what is wrong with the dice of a line, or ""."""
    if isinstance(getattr(word, "noun", None), DieSelector) and word.WORD != "choose":
        return "a die is named with choose"
    for value in vars(word).values():
        if isinstance(value, Amount) and value.measure in (*CARD_MEASURES, "pips_of"):
            meant = stands.get(value.of, frozenset({NO_CARD}))
            if (value.measure == "pips_of") != (DICE in meant):
                return f"{value.measure} {value.of!r}: it stands for {' and '.join(sorted(meant))}"
    return ""


def _find_meaning(word: CardEffect, stands: dict[str, frozenset[str]]) -> frozenset[str]:
    """Return what the name that a line gives stands for."""
    named = getattr(word, "in_", None)
    noun = getattr(word, "noun", None)
    if isinstance(noun, HellCardSelector) and noun.of in ("enemy", "any"):
        return MEANINGS_OF_HELLS[noun.of]
    return MEANINGS_BY_NOUN[type(noun)] if isinstance(noun, Selector) else stands.get(str(named), frozenset({NO_CARD}))
