"""Checks of a card that only its play would reveal: verbs, numbers and names.

The parser has already checked the form of every line. A test holds the cards of the box to these checks as well.
Clauses: MK-8.1, MK-9.1, MK-10.1, MK-10.3, MK-10.6, MK-13.10, MK-14.1, MK-14.3, MK-17.6, MK-17.7, MK-20.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any

from referee.cardscript.language.builtins import AsWritten, Choose, ForEach, GoBack, OfferTo
from referee.cardscript.language.primitives import PlayerSelector, Program, ProgramLine, Selector
from referee.games.munchkin.card_attributes import GRANTED_ABILITIES, TRIGGER_NAMES, Face
from referee.games.munchkin.conditions import ITEM_NUMBERS, Amount
from referee.games.munchkin.texts.nouns import Item
from referee.games.munchkin.texts.verbs_of_looking import LookAtDeck, LookAtHand, Seen
from referee.games.munchkin.texts.verbs_of_players import Between, Check, DiscardFromHand, RollDie

COMBAT_TIMES = ("any_combat", "my_combat")
FLIGHT_TIMES = ("fleeing", "any_flee")
SINGLE_COPY_KINDS = (
    "monster",
    "enhancer",
    "door_special",
    "item",
    "go_up_a_level",
    "treasure_special",
    "ride",
    "ride_enhancer",
)
# when cards of a kind may be played; a kind left out may name any of the times
TIMES_BY_KIND: dict[str, tuple[str, ...]] = {
    "enhancer": COMBAT_TIMES,
    "wandering_monster": COMBAT_TIMES,
    "curse": ("any_time",),
    "citizenship": ("own_turn",),
    "dual_citizenship": ("own_turn",),
    "ride": ("any_time", "own_turn", "calm"),
    "ride_enhancer": ("any_time", "own_turn", "calm"),
    "go_up_a_level": ("any_time", "own_turn", "calm"),
}
REQUIRED_VERBS: dict[str, str] = {"enhancer": "enhance", "wandering_monster": "join", "go_up_a_level": "gain_levels"}
# the texts in which a verb can be carried out: kinds of cards, or names of texts
TEXTS_BY_VERB: dict[str, tuple[str, ...]] = {
    "enhance": ("enhancer",),
    "join": ("wandering_monster",),
    "twin": ("door_special",),
    "replace": ("door_special", "one_shot"),
    "remove": ("door_special", "one_shot"),
    "draft": ("door_special", "one_shot"),
    "rout": ("door_special", "one_shot"),
    "bonus": ("door_special", "one_shot", "enters", "power"),
    "escape": ("door_special", "one_shot", "power"),
    "cancel_curse": ("one_shot",),
    "turn_die": ("one_shot",),
    "roll_again": ("one_shot",),
    "redirect_curse": ("one_shot",),
    "stitch": ("door_special", "treasure_special"),
    "die": ("bad_stuff",),
    "leave_combat": ("curse", "one_shot", "door_special"),
    "special": (),
}
TIMES_BY_VERB: dict[str, tuple[str, ...]] = {  # when a verb can be carried out
    **dict.fromkeys(("enhance", "join", "twin", "replace", "rout", "bonus"), COMBAT_TIMES),
    "remove": (*COMBAT_TIMES, *FLIGHT_TIMES),
    "draft": ("my_combat",),
    "escape": FLIGHT_TIMES,
    **dict.fromkeys(("cancel_curse", "redirect_curse"), ("reaction_curse", "reaction_any_curse")),
    **dict.fromkeys(("turn_die", "roll_again"), ("after_my_roll", "after_any_roll")),
    "stitch": ("calm",),
}
NUMBER_RANGES: dict[tuple[str, str], tuple[int, int]] = {
    ("bonus", "count"): (-20, 20), ("enhance", "count"): (-20, 20), ("enhance", "treasures"): (-10, 10),
    ("enhance", "at_least"): (0, 10), ("hinder", "count"): (-20, 20), ("lose_worth", "gold"): (1, 10_000),
    ("between", "least"): (1, 6), ("between", "most"): (1, 6), ("remove", "treasures"): (0, 20),
    ("lasting", "value"): (-20, 20), ("repeat", "times"): (1, 40), ("turn_die", "to"): (1, 6),
    ("discard_hand", "at_least"): (0, 20),
}  # fmt: skip
LEAST, MOST = 1, 20  # of any other number
PLAYERS = ("me", "left", "right", "everyone", "main", "helper", "fighters", "target")
AMBIENT = {**dict.fromkeys(PLAYERS, "player"), **dict.fromkeys(("this", "monster", "partner"), "card"), "side": "side"}
EXPECTED_NAME_KINDS = {
    ("take", "card"): "discarded", ("put_on_deck", "card"): "discarded",
    ("discard_seen", "card"): "seen", ("discard_seen", "among"): "looked", ("put_back", "among"): "looked",
    ("hand_over", "item"): "item", ("between", "value"): "number",
}  # fmt: skip
NAME_KIND_LABELS = {
    "player": "players", "item": "an item in play", "discarded": "a discarded card", "number": "a number",
    "seen": "a card that was looked at", "looked": "cards that were looked at",
    "card": "a card", "side": "a side", "flag": "whether something was done",
}  # fmt: skip


def find_card_problems(face: Face, texts: Mapping[str, Program]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a card whose parts all have the right form.

    Each problem is a pair of the key that it is under and the complaint.
    """
    if face.copies > 1 and face.kind in SINGLE_COPY_KINDS:
        yield "copies", f"a card of kind {face.kind} can have only one copy; write a second card for another"
    if face.slot == "hand" and not face.hands:
        yield "hands", "an item for the hand must say how many hands it needs"
    allowed = TIMES_BY_KIND.get(face.kind, face.when)
    for when in face.when:
        if when not in allowed:
            yield "when", f"a card of kind {face.kind} can be played only {' or '.join(allowed)}, not {when}"
    verbs = [line.effect.WORD for line in texts.get("does", ())]
    must = None if AsWritten.WORD in verbs else REQUIRED_VERBS.get(face.kind)  # the players carry out a free text
    if must is not None and verbs.count(must) != 1:
        yield "does", f"a card of kind {face.kind} needs the verb {must} exactly once"
    if face.kind == "curse" and not face.stays and not verbs:
        yield "does", "a curse must do something at once or stay"
    if face.kind == "curse" and face.triggers and not face.stays:
        yield "whenever", "only a curse that stays can wait for something"
    if any(each.what == "sale_times" and not 2 <= each.number <= 5 for each in face.standing):
        yield "standing", "sale_times is a number from 2 to 5"
    if face.find_abilities("spares") and face.kind != "item":
        yield "standing", f"only an item can be given up in place of a life, not a card of kind {face.kind}"
    for each in face.grants:
        if each.what not in GRANTED_ABILITIES:
            yield "grants", f"an enhancer cannot grant {each.what}; it can grant: {', '.join(GRANTED_ABILITIES)}"
    owner = "main" if face.kind == "monster" else "me"
    if any(each.counted is not None and each.counted.of != "main" for each in face.grants):
        yield "grants", "what a monster is granted is counted of main"
    if any(each.counted is not None and each.counted.of != owner for each in face.standing):
        yield "standing", f"what a card of kind {face.kind} counts all the time is of {owner}"
    if bool(face.find_abilities("lets_pass")) != ("lets_pass" in texts):
        yield "lets_pass", "a monster that lets players pass must say whom (standing) and what then happens (lets_pass)"
    for text, lines in texts.items():
        key = "powers" if text.startswith("power/") else "whenever" if text.startswith("whenever") else text
        for complaint in (
            *_find_misplaced_verbs(face, text, lines),
            *_find_bad_numbers(lines),
            *_find_misused_names(lines, TRIGGER_NAMES if key == "whenever" else ()),
        ):
            yield key, complaint


def _find_misplaced_verbs(face: Face, text: str, lines: Program) -> Iterator[str]:
    """Yield verbs in texts, or at times, in which they cannot be carried out."""
    power = next((each for each in face.powers if text == f"power/{each.name}"), None)
    here = face.kind if text == "does" else text.partition("/")[0]
    times = face.when if text == "does" else (power.when,) if power is not None else ()
    for line in lines:
        verb = line.effect.WORD
        if verb in TEXTS_BY_VERB and here not in TEXTS_BY_VERB[verb]:
            yield f"{verb} cannot be used in {here}; it can be used in: {', '.join(TEXTS_BY_VERB[verb]) or 'no book'}"
        elif verb in TIMES_BY_VERB and (odd := [when for when in times if when not in TIMES_BY_VERB[verb]]):
            yield f"{verb} cannot be used with the time {odd[0]}; only with {', '.join(TIMES_BY_VERB[verb])}"


def _find_bad_numbers(lines: Program) -> Iterator[str]:
    """Yield numbers out of bounds."""
    for line in lines:
        word: Any = line.effect
        if word.WORD == "go_back":
            continue
        for part in fields(word):
            value = getattr(word, part.name)
            if type(value) is int and (part.default is MISSING or value != part.default):
                least, most = NUMBER_RANGES.get((word.WORD, part.name), (LEAST, MOST))
                if not least <= value <= most:
                    yield f"{word.WORD}.{part.name}: {value} is not a number from {least} to {most}"


def _find_misused_names(lines: Program, players: tuple[str, ...]) -> Iterator[str]:
    """Yield names that are used for something other than what they stand for.

    `players` are names of players that this text finds besides.
    """
    name_kinds = {**AMBIENT, **dict.fromkeys(players, "player")}
    for line in lines:
        if isinstance(line.effect, GoBack):
            for name in line.effect.names:  # free again after a loop or an alternative
                name_kinds.pop(name, None)
        yield from _find_misuses_in_line(line, name_kinds)
        name = getattr(line.effect, "called", "")
        if name:
            kind = _kind_of_bound_name(line, name_kinds)
            if name_kinds.setdefault(name, kind) != kind:
                label = NAME_KIND_LABELS[name_kinds[name]]
                yield f"{line.effect.WORD}: the name {name!r} is already taken and stands for {label}"


def _find_misuses_in_line(line: ProgramLine, name_kinds: Mapping[str, str]) -> Iterator[str]:
    word: Any = line.effect
    for part in fields(word):
        value = getattr(word, part.name)
        wanted, name = "", ""
        if isinstance(value, PlayerSelector):
            wanted, name = "player", value.name if value.name != "others" else ""
        elif isinstance(value, Item):
            wanted, name = "player", value.of
        elif isinstance(value, Seen):
            wanted, name = "looked", value.among
        elif isinstance(value, Amount):
            wanted, name = _kind_of_counted_name(value, name_kinds), value.of
            if name not in name_kinds:
                yield f"{word.WORD}.{part.name}: {value.measure} needs a name of this text, not {name!r}"
                continue
        elif (word.WORD, part.name) in EXPECTED_NAME_KINDS:
            wanted, name = EXPECTED_NAME_KINDS[word.WORD, part.name], value
        if isinstance(value, Item) and any(len(getattr(value, bound)) > 1 for bound in ITEM_NUMBERS):
            yield f"{word.WORD}.{part.name}: each of {', '.join(ITEM_NUMBERS)} is one number"
        if isinstance(value, Item) and value.same_slot and name_kinds.get(value.same_slot) != "item":
            yield f"{word.WORD}.{part.name}: same_slot needs the name of an item in play, not {value.same_slot!r}"
        if name and name_kinds.get(name) != wanted:
            where = f"{word.WORD}.{part.name.rstrip('_')}"
            label = NAME_KIND_LABELS[name_kinds[name]]
            yield f"{where}: {name!r} stands for {label}, not for {NAME_KIND_LABELS[wanted]}"


def _kind_of_counted_name(amount: Amount, name_kinds: Mapping[str, str]) -> str:
    """Return what the name has to stand for of which an amount counts something."""
    if amount.measure == "number_of":
        return name_kinds.get(amount.of, "")  # whatever it is
    return "number" if amount.measure == "value_of" else "player"


def _kind_of_bound_name(line: ProgramLine, name_kinds: Mapping[str, str]) -> str:
    """Return what the name that a line binds stands for."""
    match line.effect:
        case Choose(noun=noun):
            return noun.WORD
        case ForEach(noun=Selector() as noun):
            return noun.WORD
        case ForEach(in_=name):
            return name_kinds[str(name)]
        case Check() | OfferTo():
            return "player"
        case RollDie() | Between():
            return "number"
        case LookAtDeck() | LookAtHand():
            return "looked"
        case DiscardFromHand():
            return "card"
    return "flag"
