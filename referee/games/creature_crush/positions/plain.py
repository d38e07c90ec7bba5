"""Questions that need no card text beneath them.

In most of them each member of the short form is a field of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.steps import JsonObject, Steps
from referee.engine.chance import Shuffle
from referee.engine.codec import DecodeError
from referee.engine.steps import Step
from referee.games.creature_crush.positions.questions.happened import decode_seat
from referee.games.creature_crush.rules.activating import activate_texts
from referee.games.creature_crush.rules.combat.losing import Destroying, Discarding, Milling, RandomDestruction
from referee.games.creature_crush.rules.concede_and_draw import DrawAnswer
from referee.games.creature_crush.rules.decks import BringingDecks, ConfirmingDecks
from referee.games.creature_crush.rules.drafting import Drafting
from referee.games.creature_crush.rules.setup import StartingPlayerRoll
from referee.games.creature_crush.rules.turn import CombatPhase, StartDiceRoll, TacticPhase
from referee.games.creature_crush.state import Table
from referee.games.creature_crush.values import NOBODY, TriggerEvent

# By short name: the step, and which of its fields are written.
PLAIN_QUESTIONS: dict[str, tuple[type[Step], tuple[str, ...]]] = {
    "combat": (CombatPhase, ("seat",)),
    "tactic": (TacticPhase, ("seat",)),
    "answer_draw": (DrawAnswer, ("seat",)),
    "start_dice": (StartDiceRoll, ("seat", "dice", "which", "extra", "alike")),
    "shuffle": (Shuffle, ("where",)),
    "first_turn": (StartingPlayerRoll, ("cast",)),
}
SIMULTANEOUS_QUESTIONS: dict[str, type[Any]] = {
    "keep": Drafting,
    "bring_deck": BringingDecks,
    "deck_ready": ConfirmingDecks,
}


def _make_plain_builder(name: str) -> Callable[[JsonObject, Table], Steps]:
    kind, members = PLAIN_QUESTIONS[name]

    def build(said: JsonObject, table: Table) -> Steps:
        given = {each: said[each] for each in members if each in said}
        if "seat" in members and "seat" not in said:
            given["seat"] = 1 - decode_seat(said, table) if kind is DrawAnswer else decode_seat(said, table)
        return (kind(**{each: tuple(value) if isinstance(value, list) else value for each, value in given.items()}),)

    return build


def _make_simultaneous_builder(name: str) -> Callable[[JsonObject, Table], Steps]:
    def build(said: JsonObject, _: Table) -> Steps:
        given = {seat: tuple(cards) for seat, cards in said.get("given", {}).items()}
        return (SIMULTANEOUS_QUESTIONS[name]((0, 1), "", given),)

    return build


# ---- what a direct attack destroys, or a text ------------------------------------------------------------------------


def build_attack_done(table: Table, creature: str) -> TriggerEvent:
    """Build the event that a creature's direct attack is done, with its effects.

    Raises DecodeError.
    """
    seat = table.possessor_of(creature)
    if seat == NOBODY:
        raise DecodeError("/question/creature", f"{creature} does not lie on a field")
    effects = activate_texts(table, ((creature, "attacks_directly", seat),))
    return TriggerEvent("direct_done", seat, {"attacker": (creature,)}, effects)


def _make_loss_builder(kind: type[Milling | Discarding]) -> Callable[[JsonObject, Table], Steps]:
    def build(said: JsonObject, table: Table) -> Steps:
        seat = said["seat"] if "seat" in said else 1 - decode_seat(said, table)
        then = build_attack_done(table, said["creature"]).effects if "creature" in said else ()
        return (kind(seat, said.get("count", 1), then),)

    return build


def _build_turn_over(said: JsonObject, table: Table) -> Steps:
    return (
        Destroying(tuple(said["what"]), build_attack_done(table, said["creature"]) if "creature" in said else None),
    )


def _build_random_field(said: JsonObject, table: Table) -> Steps:
    happening = build_attack_done(table, said["creature"])
    them = 1 - happening.by
    targets = tuple(said.get("targets", table.list_crush_places(them) or table.list_creatures(them)))
    return (RandomDestruction(said["creature"], targets, happening),)


BUILDERS: dict[str, Callable[[JsonObject, Table], Steps]] = {
    **{name: _make_plain_builder(name) for name in PLAIN_QUESTIONS},
    **{name: _make_simultaneous_builder(name) for name in SIMULTANEOUS_QUESTIONS},
    "mill": _make_loss_builder(Milling),
    "discard": _make_loss_builder(Discarding),
    "turn_over": _build_turn_over,
    "random_field": _build_random_field,
}


def _make_plain_proposal(name: str) -> Callable[[Table, Any], JsonObject]:
    kind, members = PLAIN_QUESTIONS[name]

    def propose(_: Table, top: Any) -> JsonObject:
        said: JsonObject = {"asks": name}
        for each in members:
            value = getattr(top, each)
            if each == "seat" or value != getattr(kind, each, None):
                said[each] = list(value) if isinstance(value, tuple) else value
        return said

    return propose


def _make_simultaneous_proposal(name: str) -> Callable[[Table, Any], JsonObject]:
    def propose(_: Table, top: Any) -> JsonObject:
        given = {seat: list(cards) for seat, cards in top.given.items()}
        return {"asks": name, **({"given": given} if given else {})}

    return propose


def _encode_attacker(effects: tuple[Execution, ...]) -> JsonObject:
    return {"creature": effects[0].card} if effects else {}


def _make_loss_proposal(name: str) -> Callable[[Table, Any], JsonObject]:
    def propose(_: Table, top: Any) -> JsonObject:
        count = {} if top.count == 1 else {"count": top.count}
        return {"asks": name, "seat": top.seat, **count, **_encode_attacker(top.then)}

    return propose


def _propose_turn_over(_: Table, top: Destroying) -> JsonObject:
    attackers = () if top.done is None else top.done.refs.get("attacker", ())
    return {"asks": "turn_over", "what": list(top.what), **({"creature": attackers[0]} if attackers else {})}


PROPOSALS: dict[type[Step], Callable[[Table, Any], JsonObject]] = {
    **{kind: _make_plain_proposal(name) for name, (kind, _) in PLAIN_QUESTIONS.items()},
    **{kind: _make_simultaneous_proposal(name) for name, kind in SIMULTANEOUS_QUESTIONS.items()},
    Milling: _make_loss_proposal("mill"),
    Discarding: _make_loss_proposal("discard"),
    Destroying: _propose_turn_over,
    RandomDestruction: lambda _, top: {"asks": "random_field", "creature": top.creature, "targets": list(top.targets)},
}
