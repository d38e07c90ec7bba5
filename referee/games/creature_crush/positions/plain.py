"""Questions that need no card text beneath: mostly, each member of their short form is a field of the step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.positions.steps import Said, Steps
from referee.engine.chance import Shuffle
from referee.engine.codec import Unreadable
from referee.engine.steps import Step
from referee.games.creature_crush.positions.questions.happened import of_turn
from referee.games.creature_crush.rules.actions.tactic import Tactic
from referee.games.creature_crush.rules.combat.fighting import Combat
from referee.games.creature_crush.rules.combat.losing import Destroying, Discarding, Milling, OneAtRandom
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer
from referee.games.creature_crush.rules.decks import BringingDecks, DecksLieReady
from referee.games.creature_crush.rules.drafting import Drafting
from referee.games.creature_crush.rules.setup import CastForStart
from referee.games.creature_crush.rules.triggers import effects_of
from referee.games.creature_crush.rules.turn import StartDice
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, Happening

PLAIN: dict[str, tuple[type[Step], tuple[str, ...]]] = {  # by short name: the step, and which of its fields are said
    "combat": (Combat, ("seat",)),
    "tactic": (Tactic, ("seat",)),
    "answer_draw": (DrawAnswer, ("seat",)),
    "start_dice": (StartDice, ("seat", "dice", "which", "extra", "alike")),
    "shuffle": (Shuffle, ("where",)),
    "first_turn": (CastForStart, ("cast",)),
}
TOGETHER: dict[str, type[Any]] = {"keep": Drafting, "bring_deck": BringingDecks, "deck_ready": DecksLieReady}


def _plain(name: str) -> Callable[[Said, Table], Steps]:
    kind, members = PLAIN[name]

    def build(said: Said, table: Table) -> Steps:
        given = {each: said[each] for each in members if each in said}
        if "seat" in members and "seat" not in said:
            given["seat"] = 1 - of_turn(said, table) if kind is DrawAnswer else of_turn(said, table)
        return (kind(**{each: tuple(value) if isinstance(value, list) else value for each, value in given.items()}),)

    return build


def _together(name: str) -> Callable[[Said, Table], Steps]:
    def build(said: Said, _: Table) -> Steps:
        given = {seat: tuple(cards) for seat, cards in said.get("given", {}).items()}
        return (TOGETHER[name]((0, 1), "", given),)

    return build


# ---- what a direct attack destroys, or a text ------------------------------------------------------------------------


def done(table: Table, creature: str) -> Happening:
    """The event that the direct attack of a creature is done, with the effects of this creature. Raises Unreadable."""
    seat = table.possessor(creature)
    if seat == NOBODY:
        raise Unreadable("/question/creature", f"{creature} is on no field")
    effects = effects_of(table, ((creature, "attacks_directly", seat),))
    return Happening("direct_done", seat, {"attacker": (creature,)}, effects)


def _lost(kind: type[Milling | Discarding]) -> Callable[[Said, Table], Steps]:
    def build(said: Said, table: Table) -> Steps:
        seat = said["seat"] if "seat" in said else 1 - of_turn(said, table)
        then = done(table, said["creature"]).effects if "creature" in said else ()
        return (kind(seat, said.get("count", 1), then),)

    return build


def _turn_over(said: Said, table: Table) -> Steps:
    return (Destroying(tuple(said["what"]), done(table, said["creature"]) if "creature" in said else None),)


def _random_field(said: Said, table: Table) -> Steps:
    happening = done(table, said["creature"])
    them = 1 - happening.by
    targets = tuple(said.get("targets", table.crush_places(them) or table.creatures(them)))
    return (OneAtRandom(said["creature"], targets, happening),)


BUILDERS: dict[str, Callable[[Said, Table], Steps]] = {
    **{name: _plain(name) for name in PLAIN},
    **{name: _together(name) for name in TOGETHER},
    "mill": _lost(Milling),
    "discard": _lost(Discarding),
    "turn_over": _turn_over,
    "random_field": _random_field,
}


def _proposed(name: str) -> Callable[[Table, Any], Said]:
    kind, members = PLAIN[name]

    def propose(_: Table, top: Any) -> Said:
        said: Said = {"asks": name}
        for each in members:
            value = getattr(top, each)
            if each == "seat" or value != getattr(kind, each, None):
                said[each] = list(value) if isinstance(value, tuple) else value
        return said

    return propose


def _proposed_together(name: str) -> Callable[[Table, Any], Said]:
    def propose(_: Table, top: Any) -> Said:
        given = {seat: list(cards) for seat, cards in top.given.items()}
        return {"asks": name, **({"given": given} if given else {})}

    return propose


def _by_whom(effects: tuple[CarryOut, ...]) -> Said:
    return {"creature": effects[0].card} if effects else {}


def _proposed_lost(name: str) -> Callable[[Table, Any], Said]:
    def propose(_: Table, top: Any) -> Said:
        count = {} if top.count == 1 else {"count": top.count}
        return {"asks": name, "seat": top.seat, **count, **_by_whom(top.then)}

    return propose


def _proposed_turn_over(_: Table, top: Destroying) -> Said:
    attackers = () if top.done is None else top.done.refs.get("attacker", ())
    return {"asks": "turn_over", "what": list(top.what), **({"creature": attackers[0]} if attackers else {})}


PROPOSALS: dict[type[Step], Callable[[Table, Any], Said]] = {
    **{kind: _proposed(name) for name, (kind, _) in PLAIN.items()},
    **{kind: _proposed_together(name) for name, kind in TOGETHER.items()},
    Milling: _proposed_lost("mill"),
    Discarding: _proposed_lost("discard"),
    Destroying: _proposed_turn_over,
    OneAtRandom: lambda _, top: {"asks": "random_field", "creature": top.creature, "targets": list(top.targets)},
}
