"""The questions of a position: a short name and what decides, and the steps that they stand for.

A short form gives the steps of the matter up to the open question; what lies beneath is the turn and the combat, unless
the position says otherwise. A step without a short form is written as the codec has it.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.positions.steps import Said, Steps
from referee.cardscript.table import SOME
from referee.engine.chance import Shuffle
from referee.engine.codec import Unreadable
from referee.engine.steps import Step
from referee.engine.zones import is_back, without
from referee.games.munchkin.components import HANDS
from referee.games.munchkin.positions import texts
from referee.games.munchkin.positions.texts import seat_of
from referee.games.munchkin.rules.cards.cursing import CurseWindow, Strikes
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rewards import Sharing, Spoils
from referee.games.munchkin.rules.combat.rolling import AfterRoll, Throw
from referee.games.munchkin.rules.drawing import Naming, OpenDoor, TurnUpTreasures
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.setup import CastForStart, DealHands, Preparing
from referee.games.munchkin.rules.turn import AfterDoor, Calm, KeepOne, TurnBegins, TurnEnds
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import NOBODY

LOWEST = (Calm, AfterDoor, TurnBegins, TurnEnds, Preparing, CastForStart)  # what lies beneath everything
IN_FLIGHT = ("bad_stuff", "escaped")  # the texts that a roll to run away sets off


def bottom(table: Table, steps: Steps) -> Steps:
    """What lies beneath some steps in the ordinary course: the turn, and the combat if one is running."""
    first = steps[0]
    if isinstance(first, LOWEST) or table.turn == NOBODY:
        return ()
    if table.combat is None:
        return (_turn_beneath(first, table.turn),)
    after = AfterDoor(table.turn)
    if isinstance(first, Fight | Fleeing | Spoils):
        return (after,)
    in_flight = isinstance(first, CarryOut) and first.text in IN_FLIGHT
    if in_flight or (isinstance(first, Throw | AfterRoll) and not first.called):
        return (after, Fleeing(begun=True))
    return (after, Fight(table.combat.main))


def _turn_beneath(first: Step, turn: int) -> Step:
    """The step of the turn: once the door is open its end, or calm."""
    behind_the_door = isinstance(first, Strikes) and first.by == NOBODY and first.victim == turn
    if behind_the_door or isinstance(first, OpenDoor | Looting):
        return AfterDoor(turn)
    return Calm(turn, "after" if isinstance(first, KeepOne) else "start")


def built(said: Said, table: Table) -> Steps:
    """The steps that a short form stands for. Raises Unreadable; Unknown if the position says too little."""
    return BUILDERS[said["asks"]](said, table)


def usual(table: Table) -> Said:
    """What is asked if a position names no question."""
    return {"asks": "calm"} if table.combat is None else {"asks": "fight"}


# ---- the combat ----------------------------------------------------------------------------------------------------


def _in_combat(table: Table) -> int:
    """The main player of the combat. Raises Unreadable if there is none."""
    if table.combat is None:
        raise Unreadable("/combat", "is missing: this is asked in a combat only")
    return table.combat.main


def fight(_: Said, table: Table) -> Steps:
    """A combat is open."""
    return (Fight(_in_combat(table)),)


def claim(said: Said, table: Table) -> Steps:
    """Main claims the kill."""
    return (Fight(_in_combat(table)), ClaimWindow(tuple(said.get("passed", ()))))


def flee(said: Said, table: Table) -> Steps:
    """The fighters run."""
    _in_combat(table)
    return (Fleeing(said.get("begun", False)),)


def flight_die(said: Said, table: Table) -> Steps:
    """A die is to be rolled to escape a monster."""
    _in_combat(table)
    return (Throw(seat=seat_of(said, table), card=said["monster"]),)


def flight_die_fell(said: Said, table: Table) -> Steps:
    """The die of a flight lies there."""
    _in_combat(table)
    return (AfterRoll(seat_of(said, table), said["monster"], "", said["value"]),)


def share(said: Said, table: Table) -> Steps:
    """The treasures won are picked."""
    _in_combat(table)
    return (Spoils("extra"), Sharing(tuple(said["order"])))


def turn_up(said: Said, table: Table) -> Steps:
    """Treasures won with a helper are turned up."""
    _in_combat(table)
    return (Spoils("gifts"), TurnUpTreasures(said.get("count", 1)))


# ---- curses, death, cards ------------------------------------------------------------------------------------------


def curse(said: Said, table: Table) -> Steps:
    """Whoever is cursed may answer first."""
    victim = seat_of(said, table, "victim")
    return (Strikes(said["card"], victim, said.get("by", NOBODY)), CurseWindow(said["card"], victim))


def take(said: Said, _: Table) -> Steps:
    """The living take of what a dead player leaves."""
    return (Looting(said["of"], opened=True, order=tuple(said["order"])),)


def keep_one(said: Said, table: Table) -> Steps:
    """Of the doors just drawn one is kept. Raises Unreadable if they are not in the hand."""
    seat = seat_of(said, table)
    hand = table.zones.get(HANDS[seat], ())
    try:
        return (KeepOne(seat, without(hand, said["drawn"])),)
    except ValueError:
        raise Unreadable("/question/drawn", f"these cards are not in the hand of seat {seat}") from None


def name_cards(said: Said, table: Table) -> Steps:
    """At a real table cards of a hand are named: if no number is said, all that stand as backs. Raises Unreadable."""
    seat = said["seat"]
    hand = table.hand(seat)
    count = said.get("count", sum(map(is_back, hand)))
    if SOME in hand or not 0 < count <= sum(map(is_back, hand)):
        raise Unreadable("/question/count", f"seat {seat} has not so many cards that nobody has named")
    return (Naming(seat, count),)


def shuffle(said: Said, table: Table) -> Steps:
    """A deck is shuffled: in the setup, or because it is made anew."""
    step = Shuffle(said["where"])
    return (Preparing(), DealHands(), step) if table.turn == NOBODY else (step,)


def first_turn(said: Said, table: Table) -> Steps:
    """A die is rolled for who begins."""
    contenders = tuple(said.get("contenders", range(table.rules.seats)))
    return (CastForStart(contenders=contenders, cast=tuple(said.get("cast", ()))),)


BUILDERS: dict[str, Callable[[Said, Table], Steps]] = {
    "calm": lambda said, table: (Calm(seat_of(said, table), said.get("stage", "start")),),
    "fight": fight,
    "claim": claim,
    "flee": flee,
    "flight_die": flight_die,
    "flight_die_fell": flight_die_fell,
    "die": texts.die,
    "die_fell": texts.die_fell,
    "curse": curse,
    "share": share,
    "take": take,
    "keep_one": keep_one,
    "choose": texts.choose,
    "offer": texts.offer,
    "lose_items": texts.lose,
    "pay": texts.pay,
    "discard": texts.discard,
    "open_door": lambda said, table: (OpenDoor(seat_of(said, table)),),
    "turn_up": turn_up,
    "shuffle": shuffle,
    "name_cards": name_cards,
    "ready": lambda said, _: (Preparing(tuple(said.get("ready", ()))),),
    "first_turn": first_turn,
}
