"""Rolls in a position: seat, kind, subject, dice, and added values."""

from __future__ import annotations

from typing import Any

from referee.cardscript.language.builtins import Choose
from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.steps import JsonObject, Steps, decode_values
from referee.cardscript.questions import ChoicePrompt
from referee.engine.codec import DecodeError
from referee.engine.rulings import Undetermined
from referee.games.here_to_slay.components import PROGRAMS
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.rules.attacking import AttackRoll
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.playing import RollOff
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow, Throw
from referee.games.here_to_slay.state import NOBODY, Table
from referee.games.here_to_slay.values import AddedValue, DiceRoll


def decode_seat(form: JsonObject, table: Table, name: str = "seat") -> int:
    """Return the seat that a short form names, else the player on turn.

    Raises Undetermined or DecodeError.
    """
    if name in form:
        return int(form[name])
    if table.turn is None:
        raise Undetermined("whose_turn")
    if table.turn == NOBODY:
        raise DecodeError(f"/question/{name}", "is missing: no turn has begun, so this has no default")
    return table.turn


def decode_roll(form: JsonObject, table: Table, thrown: bool = True) -> UnsettledRolls:
    """Return the step that a roll stands for. `thrown`: all its dice must have fallen.

    Raises Undetermined or DecodeError.
    """
    seat, about = decode_seat(form, table), form["about"]
    if form["kind"] == "challenge":
        challenger = _decode_cast("challenger", form["challenger"]["seat"], about, form["challenger"])
        challenged = _decode_cast("challenged", seat, about, form.get("challenged", {}))
        casts: tuple[DiceRoll, ...] = (challenger, challenged)
    else:
        casts = (_decode_cast(form["kind"], seat, about, form),)
    if thrown and not all(cast.dice for cast in casts):
        raise DecodeError("/question/roll", "the dice are missing: they are already rolled when this is asked")
    match form["kind"]:
        case "challenge":
            return RollOff(casts, seat, about, form.get("called", ""))
        case "attack":
            return AttackRoll(casts)
    return HeroRoll(casts, decode_values(form.get("targets", {})))


def _decode_cast(kind: str, seat: int, about: str, form: JsonObject) -> DiceRoll:
    added = tuple(AddedValue(each["source"], each["value"], each["seat"]) for each in form.get("added", ()))
    return DiceRoll(kind, seat, about, tuple(form.get("dice", ())), added)


def encode_roll(step: UnsettledRolls) -> JsonObject:
    """Return a roll as a position writes it."""
    cast = step.casts[-1]
    if isinstance(step, RollOff):
        challenger = {"seat": step.casts[0].seat, **_encode_cast(step.casts[0])}
        form: JsonObject = {"kind": "challenge", "seat": step.seat, "about": step.card, "challenger": challenger}
        return form | {"challenged": _encode_cast(cast)} | ({"called": step.called} if step.called else {})
    form = {"kind": cast.kind, "seat": cast.seat, "about": cast.about, **_encode_cast(cast)}
    if isinstance(step, HeroRoll) and step.declared:
        form["targets"] = {name: list(listed) for name, listed in step.declared.items()}
    return form


def _encode_cast(cast: DiceRoll) -> JsonObject:
    form: JsonObject = {"dice": list(cast.dice)} if cast.dice else {}
    if cast.added:
        form["added"] = [{"source": each.source, "value": each.value, "seat": each.seat} for each in cast.added]
    return form


# ---- the steps around a roll -----------------------------------------------------------------------------------------


def build_modifier_window(form: JsonObject, table: Table) -> Steps:
    """Return the steps of a window for modifiers on a roll."""
    return (EffectFrame(), decode_roll(form["roll"], table), ModifierWindow(tuple(form.get("passed", ()))))


def build_dice(form: JsonObject, table: Table) -> Steps:
    """Return the steps of throwing the missing dice, the challenger's first."""
    step = decode_roll(form["roll"], table, thrown=False)
    lacking = [cast for cast in reversed(step.casts) if not cast.dice]
    if not lacking:
        raise DecodeError("/question/roll", "all the dice are already rolled")
    naming: Steps = ()
    cast = step.casts[0]
    if cast.kind == "hero" and table.rules.targets == "before_window" and _has_declared_targets(cast.about):
        bound: dict[str, Values] = {"me": (cast.seat,), "this": (cast.about,)}
        naming = (Execution(cast.about, "does", cast.seat, 0, bound, (), True),)
    marks = cast.about if cast.kind == "hero" and form.get("marks", True) else ""
    throws = tuple(Throw(2, 6, each.seat, each.kind, each.about, marks) for each in lacking)
    return (EffectFrame(), step, ModifierWindow(), *naming, *throws)


def _has_declared_targets(hero: str) -> bool:
    return any(line.declared for line in PROGRAMS[hero, "does"])


def build_target_choice(form: JsonObject, table: Table) -> Steps:
    """Return the steps of declaring a target between dice and modifiers.

    Raises DecodeError if the hero's text declares none.
    """
    step = decode_roll(form["roll"], table)
    seat, hero = step.casts[0].seat, step.casts[0].about
    lines = PROGRAMS[hero, "does"]
    first = next((at for at, line in enumerate(lines) if line.declared), None)
    at = form.get("line", first)
    if at is None or at >= len(lines) or not lines[at].declared or not isinstance(lines[at].effect, Choose):
        raise DecodeError("/question/roll/about", f"no such line of {hero} names a target before the modifiers")
    bound: dict[str, Values] = {"me": (seat,), "this": (hero,), **decode_values(form.get("known", {}))}
    text = Execution(hero, "does", seat, at + 1, bound, tuple(form.get("secret", ())), True)
    return (EffectFrame(), step, ModifierWindow(), text, build_choice_prompt(seat, hero, lines[at].effect))


def build_choice_prompt(seat: int, card: str, word: Any) -> ChoicePrompt:
    """Return the question that a line with `choose` asks."""
    return ChoicePrompt(seat, card, word.noun, word.called, word.optional, word.duty, word.unseen)
