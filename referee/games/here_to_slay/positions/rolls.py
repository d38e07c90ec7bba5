"""Rolls as a position says them: whose they are, what they are about, the dice, and what was put on them."""

from __future__ import annotations

from typing import Any

from referee.cardscript.language.builtins import Choose
from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Values
from referee.cardscript.positions.steps import Said, Steps, values
from referee.cardscript.questions import Choosing
from referee.engine.codec import Unreadable
from referee.engine.rulings import Unknown
from referee.games.here_to_slay.components import PROGRAMS
from referee.games.here_to_slay.events.plays import Rolling
from referee.games.here_to_slay.rules.attacking import AttackRoll
from referee.games.here_to_slay.rules.effect_frames import Carried
from referee.games.here_to_slay.rules.playing import RollOff
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow, Throw
from referee.games.here_to_slay.state import NOBODY, Table
from referee.games.here_to_slay.values import Added, Cast


def seat_of(said: Said, table: Table, name: str = "seat") -> int:
    """The seat that a form names, else the player on turn. Raises Unknown, Unreadable."""
    if name in said:
        return int(said[name])
    if table.turn is None:
        raise Unknown("whose_turn")
    if table.turn == NOBODY:
        raise Unreadable(f"/question/{name}", "is missing: nobody is on turn")
    return table.turn


def roll_of(said: Said, table: Table, thrown: bool = True) -> Rolling:
    """The step that a roll stands for; `thrown`: all its dice lie there already. Raises Unknown, Unreadable."""
    seat, about = seat_of(said, table), said["about"]
    if said["kind"] == "challenge":
        challenger = _cast("challenger", said["challenger"]["seat"], about, said["challenger"])
        challenged = _cast("challenged", seat, about, said.get("challenged", {}))
        casts: tuple[Cast, ...] = (challenger, challenged)
    else:
        casts = (_cast(said["kind"], seat, about, said),)
    if thrown and not all(cast.dice for cast in casts):
        raise Unreadable("/question/roll", "dice are missing: they lie there already when this is asked")
    match said["kind"]:
        case "challenge":
            return RollOff(casts, seat, about, said.get("called", ""))
        case "attack":
            return AttackRoll(casts)
    return HeroRoll(casts, values(said.get("targets", {})))


def _cast(kind: str, seat: int, about: str, said: Said) -> Cast:
    added = tuple(Added(each["source"], each["value"], each["seat"]) for each in said.get("added", ()))
    return Cast(kind, seat, about, tuple(said.get("dice", ())), added)


def written_roll(step: Rolling) -> Said:
    """What a position says of a roll."""
    cast = step.casts[-1]
    if isinstance(step, RollOff):
        challenger = {"seat": step.casts[0].seat, **_sides(step.casts[0])}
        said: Said = {"kind": "challenge", "seat": step.seat, "about": step.card, "challenger": challenger}
        return said | {"challenged": _sides(cast)} | ({"called": step.called} if step.called else {})
    said = {"kind": cast.kind, "seat": cast.seat, "about": cast.about, **_sides(cast)}
    if isinstance(step, HeroRoll) and step.declared:
        said["targets"] = {name: list(listed) for name, listed in step.declared.items()}
    return said


def _sides(cast: Cast) -> Said:
    said: Said = {"dice": list(cast.dice)} if cast.dice else {}
    if cast.added:
        said["added"] = [{"source": each.source, "value": each.value, "seat": each.seat} for each in cast.added]
    return said


# ---- the steps around a roll -----------------------------------------------------------------------------------------


def modifiers(said: Said, table: Table) -> Steps:
    """The window for modifiers on a roll."""
    return (Carried(), roll_of(said["roll"], table), ModifierWindow(tuple(said.get("passed", ()))))


def dice(said: Said, table: Table) -> Steps:
    """The dice that a roll still lacks, the challenger's before those of the challenged."""
    step = roll_of(said["roll"], table, thrown=False)
    lacking = [cast for cast in reversed(step.casts) if not cast.dice]
    if not lacking:
        raise Unreadable("/question/roll", "all the dice lie there already")
    naming: Steps = ()
    cast = step.casts[0]
    if cast.kind == "hero" and table.rules.targets == "before_window" and _declares(cast.about):
        bound: dict[str, Values] = {"me": (cast.seat,), "this": (cast.about,)}
        naming = (CarryOut(cast.about, "does", cast.seat, 0, bound, (), True),)
    marks = cast.about if cast.kind == "hero" and said.get("marks", True) else ""
    throws = tuple(Throw(2, 6, each.seat, each.kind, each.about, marks) for each in lacking)
    return (Carried(), step, ModifierWindow(), *naming, *throws)


def _declares(hero: str) -> bool:
    return any(line.declared for line in PROGRAMS[hero, "does"])


def target(said: Said, table: Table) -> Steps:
    """A target that is named between the dice and the modifiers. Raises Unreadable if the hero has none."""
    step = roll_of(said["roll"], table)
    seat, hero = step.casts[0].seat, step.casts[0].about
    lines = PROGRAMS[hero, "does"]
    first = next((at for at, line in enumerate(lines) if line.declared), None)
    at = said.get("line", first)
    if at is None or at >= len(lines) or not lines[at].declared or not isinstance(lines[at].word, Choose):
        raise Unreadable("/question/roll/about", f"no such line of {hero} names a target in advance")
    bound: dict[str, Values] = {"me": (seat,), "this": (hero,), **values(said.get("known", {}))}
    text = CarryOut(hero, "does", seat, at + 1, bound, tuple(said.get("secret", ())), True)
    return (Carried(), step, ModifierWindow(), text, choosing(seat, hero, lines[at].word))


def choosing(seat: int, card: str, word: Any) -> Choosing:
    """The question that a line with `choose` asks."""
    return Choosing(seat, card, word.noun, word.called, word.optional, word.duty, word.unseen)
