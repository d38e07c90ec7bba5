"""Rolls in a position, and the questions about them.

A roll has a seat, a kind, a subject, dice and added values.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.language.builtins import Choose
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.questions import ChoicePrompt
from referee.engine.codec import DecodeError
from referee.engine.positions.questions import Form, Steps
from referee.engine.positions.shapes import Member, Shape, list_shape, number_shape, record_shape
from referee.engine.rulings import Undetermined
from referee.games.here_to_slay.components import PROGRAMS
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.positions.shapes import BINDINGS, DIE, NAME, SEAT, CardShapes
from referee.games.here_to_slay.rules.announcing import PLAYED_KINDS
from referee.games.here_to_slay.rules.attacking import AttackRoll
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.playing import RollOff
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow, Throw
from referee.games.here_to_slay.state import NOBODY, Table
from referee.games.here_to_slay.values import AddedValue, DiceRoll

CALLED = Member("called", NAME, "The name that tells the text beneath that no challenge stopped the card.", usual="")


def find_seat(values: Form, table: Table) -> int:
    """Return the seat that a form names, else the player on turn.

    Raises Undetermined or DecodeError.
    """
    if "seat" in values:
        return int(values["seat"])
    if table.turn is None:
        raise Undetermined("whose_turn")
    if table.turn == NOBODY:
        raise DecodeError("/question/seat", "is missing: no turn has begun, so this has no default")
    return table.turn


def build_roll_shapes(cards: CardShapes) -> tuple[Shape, Shape]:
    """Return the shape of a roll, and that of a roll for a hero.

    Each stands for a step.
    """
    value = record_shape(
        AddedValue,
        Member("source", cards.any, "The card it comes from.", needed=True),
        Member("value", number_shape(-12, 12), "The value.", needed=True),
        Member("seat", SEAT, "The player who added it.", needed=True),
        says="A value added to a roll.",
    )
    dice = (
        Member("dice", list_shape(DIE, 2, 2), "The two dice.", usual=()),
        Member("added", list_shape(value), "The values added to the roll so far; none if left out.", usual=()),
    )
    challenger = record_shape(
        dict, Member("seat", SEAT, "Who rolls.", needed=True), *dice, says="The roll of the challenger."
    )
    challenged = record_shape(dict, *dice, says="The roll of the player who is challenged.")
    roller = Member("seat", SEAT, "Who rolls; if left out, the active player.", assumed=True)
    kinds = {
        "hero": _build_kind_shape(
            "hero", "A roll for the effect of a hero.", roller,
            Member("about", cards.hero, "The hero.", needed=True),
            *dice,
            Member("targets", BINDINGS, "The declared targets, under the names that the card gives them.", usual={}),
        ),
        "attack": _build_kind_shape(
            "attack", "An attack.", roller, Member("about", cards.monster, "The monster.", needed=True), *dice,
        ),
        "challenge": _build_kind_shape(
            "challenge", "The two rolls of a challenge.",
            Member("seat", SEAT, "Who plays the card; if left out, the active player.", assumed=True),
            Member("about", cards.of_kinds(*PLAYED_KINDS), "The card that is challenged.", needed=True),
            Member("challenger", challenger, needed=True),
            Member("challenged", challenged),
            CALLED,
        ),
    }  # fmt: skip

    def read(written: Any, table: Any) -> UnsettledRolls:
        return _build_roll(kinds[written["kind"]].read(written, table), table)

    def write(step: Any) -> Any:
        values = _list_values(step)
        return kinds[values["kind"]].write(values)

    any_kind = {"description": "The roll or rolls in question.", "anyOf": [kind.schema for kind in kinds.values()]}
    return Shape(any_kind, read, write), Shape(kinds["hero"].schema, read, write)


def _build_kind_shape(kind: str, says: str, *members: Member) -> Shape:
    return record_shape(dict, Member("kind", Shape({"const": kind}), needed=True), *members, says=says)


def _build_roll(values: Form, table: Table) -> UnsettledRolls:
    """Return the step that a roll stands for, from the values of its members.

    Raises Undetermined or DecodeError.
    """
    kind, seat, about = values["kind"], find_seat(values, table), values["about"]
    sides = {kind: values}
    if kind == "challenge":
        sides = {"challenger": values["challenger"], "challenged": values.get("challenged", {})}
    casts = tuple(
        DiceRoll(name, side.get("seat", seat), about, side.get("dice", ()), side.get("added", ()))
        for name, side in sides.items()
    )
    match kind:
        case "challenge":
            return RollOff(casts, seat, about, values.get("called", ""))
        case "attack":
            return AttackRoll(casts)
    return HeroRoll(casts, values.get("targets", {}))


def _list_values(step: UnsettledRolls) -> Form:
    """Return the values of the members that a roll is written with."""
    cast = step.casts[-1]
    if isinstance(step, RollOff):
        sides = {"challenger": step.casts[0], "challenged": cast}
        return {"kind": "challenge", "seat": step.seat, "about": step.card, **sides, "called": step.called}
    return {**vars(cast), **({"targets": step.declared} if isinstance(step, HeroRoll) else {})}


# ---- the steps around a roll -----------------------------------------------------------------------------------------


def _require_thrown_dice(step: UnsettledRolls) -> None:
    """Raise DecodeError unless all dice of a roll have fallen."""
    if not all(cast.dice for cast in step.casts):
        raise DecodeError("/question/roll", "the dice are missing: they are already rolled when this is asked")


def build_modifier_window(values: Form, _table: Table) -> Steps:
    """Return the steps of a window for modifiers on a roll."""
    _require_thrown_dice(values["roll"])
    return (EffectFrame(), values["roll"], ModifierWindow(values.get("passed", ())))


def propose_modifier_window(table: Table, top: ModifierWindow) -> Form:
    """Return the values of a window for modifiers on the roll directly beneath."""
    roll = table.agenda[-2] if len(table.agenda) > 1 else None
    return {"roll": roll, "passed": top.passed} if isinstance(roll, UnsettledRolls) else {}


def build_dice(values: Form, table: Table) -> Steps:
    """Return the steps of throwing the missing dice, the challenger's first."""
    step = values["roll"]
    lacking = [cast for cast in reversed(step.casts) if not cast.dice]
    if not lacking:
        raise DecodeError("/question/roll", "all the dice are already rolled")
    naming: Steps = ()
    cast = step.casts[0]
    if cast.kind == "hero" and table.rules.targets == "before_window" and _has_declared_targets(cast.about):
        bound: dict[str, Values] = {"me": (cast.seat,), "this": (cast.about,)}
        naming = (Execution(cast.about, "does", cast.seat, 0, bound, (), True),)
    marks = cast.about if cast.kind == "hero" and values.get("marks", True) else ""
    throws = tuple(Throw(2, 6, each.seat, each.kind, each.about, marks) for each in lacking)
    return (EffectFrame(), step, ModifierWindow(), *naming, *throws)


def propose_dice(table: Table, top: Throw) -> Form:
    """Return the values of dice to be thrown for the innermost roll."""
    roll = next((step for step in reversed(table.agenda) if isinstance(step, UnsettledRolls)), None)
    return {} if roll is None else {"roll": roll, "marks": bool(top.mark) or top.kind != "hero"}


def _has_declared_targets(hero: str) -> bool:
    return any(line.declared for line in PROGRAMS[hero, "does"])


def build_target_choice(values: Form, _table: Table) -> Steps:
    """Return the steps of declaring a target between dice and modifiers.

    Raises DecodeError if the hero's text declares none.
    """
    step = values["roll"]
    _require_thrown_dice(step)
    seat, hero = step.casts[0].seat, step.casts[0].about
    lines = PROGRAMS[hero, "does"]
    first = next((at for at, line in enumerate(lines) if line.declared), None)
    at = values.get("line", first)
    if at is None or at >= len(lines) or not lines[at].declared or not isinstance(lines[at].effect, Choose):
        raise DecodeError("/question/roll/about", f"no such line of {hero} names a target before the modifiers")
    bound: dict[str, Values] = {"me": (seat,), "this": (hero,), **values.get("known", {})}
    text = Execution(hero, "does", seat, at + 1, bound, values.get("secret", ()), True)
    return (EffectFrame(), step, ModifierWindow(), text, build_choice_prompt(seat, hero, lines[at].effect))


def build_choice_prompt(seat: int, card: str, word: Any) -> ChoicePrompt:
    """Return the question that a line with `choose` asks."""
    return ChoicePrompt(seat, card, word.noun, word.called, word.optional, word.duty, word.unseen)
