"""Events that set effects off, and effects that wait, as a position says them.

An effect says what it knows beyond what every activated text of its card would know. An event says its effects where
they are others than those that follow from the cards it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.bindings import bound_by, said_of
from referee.cardscript.positions.steps import Said, no_card
from referee.engine.codec import Unreadable
from referee.games.creature_crush.components import SEATS, box
from referee.games.creature_crush.rules.chain import Window
from referee.games.creature_crush.rules.combat.flipping import named_in
from referee.games.creature_crush.rules.triggers import effect, effects_of
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, Happening

KINDS: dict[str, tuple[str, ...]] = {  # the kinds of events, and what each has to be about
    "attack": ("attacker", "defender"), "direct_attack": ("attacker",), "placed": ("summoned",), "destroyed": (),
    "put": ("card",), "direct_done": ("attacker",), "flipped": ("flipped",), "start": (),
}  # fmt: skip
Effects = tuple[CarryOut, ...]


def of_turn(said: Said, table: Table, name: str = "seat", pointer: str = "/question") -> int:
    """The seat that a form names, else the player on turn. Raises Unreadable."""
    if name in said:
        return int(said[name])
    if table.turn == NOBODY:
        raise Unreadable(f"{pointer}/{name}", "is missing: nobody is on turn")
    return table.turn


# ---- effects ---------------------------------------------------------------------------------------------------------


def around(table: Table, card: str, text: str, by: int, happening: Happening | None = None) -> Mapping[str, Values]:
    """What a text of a card knows when it is activated now, by what has happened."""
    return effect(table, card, text, by, named_in(happening, by)).bound


def effect_of(said: Said, table: Table, happening: Happening | None = None) -> CarryOut:
    """The effect that a form stands for."""
    card, text, by = said["card"], said["part"], of_turn(said, table, "by")
    bound = bound_by(said, around(table, card, text, by, happening))
    return CarryOut(card, text, by, said.get("line", 0), bound, tuple(said.get("secret", ())))


def written_effect(table: Table, text: CarryOut, happening: Happening | None = None) -> Said:
    """The form of an effect."""
    said: Said = {"card": text.card, "part": text.text, "by": text.by}
    said |= {"line": text.at} if text.at else {}
    return said | said_of(text, around(table, text.card, text.text, text.by, happening))


def effects(said: list[Said], table: Table, happening: Happening | None = None) -> Effects:
    """The effects that forms stand for."""
    return tuple(effect_of(each, table, happening) for each in said)


def usual(table: Table, kind: str, by: int, refs: Mapping[str, tuple[str, ...]]) -> Effects:
    """The effects that an event sets off by itself, as far as the cards it is about tell."""
    names = {name: cards[0] for name, cards in refs.items() if cards and "/" not in name}
    match kind:
        case "attack" if {"attacker", "defender"} <= names.keys():
            cards = [(names["attacker"], "attacks", by), (names["defender"], "attacked", 1 - by)]
            return effects_of(table, cards, **names)
        case "destroyed":
            victims = [(card, "hell", seat) for seat in SEATS for card in refs.get(f"victim/{seat}", ())]
            return effects_of(table, victims)
        case "put":
            return effects_of(table, [(card, "trap", by) for card in refs.get("card", ())])
        case "start":
            return effects_of(table, [(card, "turn_starts", by) for card in table.creatures(by)])
    return ()


# ---- events ----------------------------------------------------------------------------------------------------------


def happening_of(said: Said, table: Table) -> Happening:
    """The event that a form speaks of. Raises Unreadable where it speaks of cards that there are not."""
    kind, by = said["event"], of_turn(said, table, "by")
    refs = {name: tuple(cards) for name, cards in said.get("about", {}).items()}
    check_refs(kind, refs, table, "/question/about")
    bare = Happening(kind, by, refs)
    given = effects(said["effects"], table, bare) if "effects" in said else usual(table, kind, by, refs)
    return Happening(kind, by, refs, given)


def check_refs(kind: str, refs: Mapping[str, Any], table: Table, pointer: str) -> None:
    """Raises Unreadable unless an event is about cards that there are, and about those that it needs."""
    for name in (*KINDS[kind], *refs):
        if not refs.get(name):
            raise Unreadable(f"{pointer}/{name}", "is missing: which card is it?")
        for card in refs[name]:
            if wrong := no_card(box(table.rules))(card) or ("" if card else "which card is it?"):
                raise Unreadable(f"{pointer}/{name}", wrong)
    if kind == "destroyed" and not any(refs.get(f"victim/{seat}") for seat in SEATS):
        raise Unreadable(pointer, "is missing: what was destroyed?")


def written_happening(table: Table, happening: Happening) -> Said:
    """The form of an event; of one whose cards nobody has named, with all its effects."""
    said: Said = {"event": happening.kind, "by": happening.by}
    said["about"] = {name: list(cards) for name, cards in happening.refs.items()}
    if not said["about"]:
        del said["about"]
    if happening.effects != usual(table, happening.kind, happening.by, happening.refs):
        bare = Happening(happening.kind, happening.by, happening.refs)
        said["effects"] = [written_effect(table, each, bare) for each in happening.effects]
    return said


def known_to_links(happening: Happening) -> Happening | None:
    """What the effects of a chain usually know to have happened: what began it, but for a flip that is one of them."""
    return None if happening.kind == "flipped" else Happening(happening.kind, happening.by, happening.refs)


def window_of(said: Said, table: Table) -> Window:
    """The window that a form stands for."""
    return Window(happening_of(said, table), said.get("next", 1 - table.turn), said.get("passed", 0))


def written_window(table: Table, window: Window) -> Said:
    """The form of a window."""
    said: Said = {**written_happening(table, window.happening), "next": window.next}
    return said | ({"passed": window.passed} if window.passed else {})
