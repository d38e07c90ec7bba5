"""What a card of a book may say: verbs where they can be carried out, numbers in bounds, names for what they stand for.

The reader has seen to the form of every line; here is what would go wrong only once the card is played. The cards of
the box are held to it as well, by a test. Clauses: MK-8.1, MK-9.1, MK-10.1, MK-10.3, MK-10.6, MK-13.10, MK-14.1,
MK-14.3, MK-17.6, MK-17.7, MK-20.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any

from referee.cardscript.language.builtins import Choose, ForEach, OfferTo
from referee.cardscript.language.primitives import Line, Lines, Noun, Who
from referee.games.munchkin.card_attributes import Face
from referee.games.munchkin.texts.nouns import Item
from referee.games.munchkin.texts.verbs_of_players import Between, Check, RollDie

COMBAT = ("any_combat", "my_combat")
FLIGHT = ("fleeing", "any_flee")
SINGLE = ("monster", "enhancer", "door_special", "item", "go_up_a_level", "treasure_special", "ride", "ride_enhancer")
TIMES_OF: dict[str, tuple[str, ...]] = {  # when cards of a kind may be played, where that is not any time there is
    "enhancer": COMBAT,
    "wandering_monster": COMBAT,
    "curse": ("any_time",),
    "citizenship": ("own_turn",),
    "dual_citizenship": ("own_turn",),
    "ride": ("any_time", "own_turn", "calm"),
    "ride_enhancer": ("any_time", "own_turn", "calm"),
    "go_up_a_level": ("any_time", "own_turn", "calm"),
}
MUST: dict[str, str] = {"enhancer": "enhance", "wandering_monster": "join", "go_up_a_level": "gain_levels"}
PLACES: dict[str, tuple[str, ...]] = {  # the texts in which a verb can be carried out: of a kind, or by its own name
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
    "stitch": ("door_special", "treasure_special"),
    "die": ("bad_stuff",),
    "leave_combat": ("curse", "one_shot", "door_special"),
    "special": (),
}
TIMES: dict[str, tuple[str, ...]] = {  # when a verb can be carried out
    **dict.fromkeys(("enhance", "join", "twin", "replace", "rout", "bonus"), COMBAT),
    "remove": (*COMBAT, *FLIGHT),
    "draft": ("my_combat",),
    "escape": FLIGHT,
    "cancel_curse": ("reaction_curse",),
    "turn_die": ("after_my_roll",),
    "stitch": ("calm",),
}
SPANS: dict[tuple[str, str], tuple[int, int]] = {
    ("bonus", "count"): (-20, 20), ("enhance", "count"): (-20, 20), ("enhance", "treasures"): (-10, 10),
    ("enhance", "at_least"): (0, 10), ("hinder", "count"): (-20, 20), ("lose_worth", "gold"): (1, 10_000),
    ("between", "least"): (1, 6), ("between", "most"): (1, 6), ("remove", "treasures"): (0, 20),
}  # fmt: skip
LEAST, MOST = 1, 20  # of any other number
PLAYERS = ("me", "left", "right", "everyone", "main", "helper", "fighters", "target")
AMBIENT = {**dict.fromkeys(PLAYERS, "player"), **dict.fromkeys(("this", "monster", "partner"), "card"), "side": "side"}
WANTED = {("take", "card"): "discarded", ("hand_over", "item"): "item", ("between", "value"): "number"}
SAID = {
    "player": "players", "item": "an item in play", "discarded": "a discarded card", "number": "a number",
    "card": "a card", "side": "a side", "flag": "whether something was done",
}  # fmt: skip


def check_card(face: Face, texts: Mapping[str, Lines]) -> Iterator[tuple[str, str]]:
    """What is wrong with a card of which each part is of the right form: under which key it stands, and what."""
    if face.copies > 1 and face.kind in SINGLE:
        yield "copies", f"of a card of kind {face.kind} there is one copy; write another card for the next"
    if face.slot == "hand" and not face.hands:
        yield "hands", "an item for the hand says how many hands it needs"
    known = TIMES_OF.get(face.kind, face.when)
    for when in face.when:
        if when not in known:
            yield "when", f"a card of kind {face.kind} is played {' or '.join(known)}, not {when}"
    verbs = [line.word.WORD for line in texts.get("does", ())]
    if (must := MUST.get(face.kind)) is not None and verbs.count(must) != 1:
        yield "does", f"a card of kind {face.kind} says {must} once"
    if face.kind == "curse" and not face.stays and not verbs:
        yield "does", "a curse does something at once, or stays"
    if bool(face.gives("lets_pass")) != ("lets_pass" in texts):
        yield "lets_pass", "a monster that lets players pass says whom (standing) and what then happens (lets_pass)"
    for text, lines in texts.items():
        key = "powers" if text.startswith("power/") else text
        for complaint in (*_places(face, text, lines), *_numbers(lines), *_names(lines)):
            yield key, complaint


def _places(face: Face, text: str, lines: Lines) -> Iterator[str]:
    """Verbs in texts, and at times, that they cannot be carried out in."""
    power = next((each for each in face.powers if text == f"power/{each.name}"), None)
    here = face.kind if text == "does" else text.partition("/")[0]
    times = face.when if text == "does" else (power.when,) if power is not None else ()
    for line in lines:
        verb = line.word.WORD
        if verb in PLACES and here not in PLACES[verb]:
            yield f"{verb} cannot be carried out in {here}; it stands in: {', '.join(PLACES[verb]) or 'no book'}"
        elif verb in TIMES and (odd := [when for when in times if when not in TIMES[verb]]):
            yield f"{verb} cannot be carried out {odd[0]}; only {', '.join(TIMES[verb])}"


def _numbers(lines: Lines) -> Iterator[str]:
    """Numbers out of bounds."""
    for line in lines:
        word: Any = line.word
        if word.WORD == "go_back":
            continue
        for part in fields(word):
            value = getattr(word, part.name)
            if type(value) is int and (part.default is MISSING or value != part.default):
                least, most = SPANS.get((word.WORD, part.name), (LEAST, MOST))
                if not least <= value <= most:
                    yield f"{word.WORD}.{part.name}: {value} is no number from {least} to {most}"


def _names(lines: Lines) -> Iterator[str]:
    """Names that are used for something else than what they stand for."""
    known = dict(AMBIENT)
    for line in lines:
        yield from _uses(line, known)
        name = getattr(line.word, "called", "")
        if name:
            kind = _bound(line, known)
            if known.setdefault(name, kind) != kind:
                yield f"{line.word.WORD}: {name!r} is called so already, and stands for {SAID[known[name]]}"


def _uses(line: Line, known: Mapping[str, str]) -> Iterator[str]:
    word: Any = line.word
    for part in fields(word):
        value = getattr(word, part.name)
        wanted, name = "", ""
        if isinstance(value, Who):
            wanted, name = "player", value.name if value.name != "others" else ""
        elif isinstance(value, Item):
            wanted, name = "player", value.of
        elif (word.WORD, part.name) in WANTED:
            wanted, name = WANTED[word.WORD, part.name], value
        if name and known.get(name) != wanted:
            where = f"{word.WORD}.{part.name.rstrip('_')}"
            yield f"{where}: {name!r} stands for {SAID[known[name]]}, not for {SAID[wanted]}"


def _bound(line: Line, known: Mapping[str, str]) -> str:
    """What the name that a line gives stands for."""
    match line.word:
        case Choose(noun=noun):
            return noun.WORD
        case ForEach(noun=Noun() as noun):
            return noun.WORD
        case ForEach(in_=name):
            return known[str(name)]
        case Check() | OfferTo():
            return "player"
        case RollDie() | Between():
            return "number"
    return "flag"
