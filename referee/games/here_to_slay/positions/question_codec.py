"""The questions of a position: a short name and what decides, and the steps that they stand for.

A short form gives the steps from the outermost frame of the matter up to the open question; what lies beneath is the
turn, unless the position says otherwise. A step without a short form is written as the codec has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.positions.steps import Said, Steps
from referee.engine.chance import Shuffle
from referee.engine.codec import Unreadable, named
from referee.engine.events import Event
from referee.engine.rulings import Unknown
from referee.engine.seats import Seat
from referee.engine.steps import Step
from referee.games.here_to_slay.components import DECK, HANDS, MONSTERS
from referee.games.here_to_slay.positions import texts
from referee.games.here_to_slay.positions.rolls import dice, modifiers, seat_of, target
from referee.games.here_to_slay.positions.texts import frames
from referee.games.here_to_slay.rules.attacking import TurnUp
from referee.games.here_to_slay.rules.drawing import Drawing, Naming
from referee.games.here_to_slay.rules.effect_frames import Carried
from referee.games.here_to_slay.rules.hands import GiveUp
from referee.games.here_to_slay.rules.playing import ChallengeWindow, Equip, FreeRoll
from referee.games.here_to_slay.rules.setup import ROW_SIZE, BoxLeaders, CastForPick, Deal, FirstTurn, PickLeaders
from referee.games.here_to_slay.rules.turn import REDRAWN, Turn
from referee.games.here_to_slay.state import NOBODY, Table, known


@named("hts.Unsaid")
@dataclass(frozen=True)
class Unsaid(Step):
    """What a position leaves open of what is asked, or waits (KERNEL-POSITION-1).

    `need` is the key of what it must still say, with its parameters; `said` is the question as far as it is said.
    """

    need: str
    params: dict[str, Any]
    said: dict[str, Any]

    def awaits(self, state: Any) -> frozenset[Seat]:
        raise Unknown(self.need, **self.params)

    def resolve(self, state: Any) -> Iterator[Event]:
        raise Unknown(self.need, **self.params)


def bottom(table: Table, steps: Steps) -> Steps:
    """What lies beneath some steps in the ordinary course: the turn, once there is one, and the frames of a text."""
    if isinstance(steps[0], Turn) or table.turn == NOBODY:
        return ()
    turn: Step = Unsaid("whose_turn", {}, {}) if table.turn is None else Turn(table.turn)
    if isinstance(steps[0], TurnUp):
        return (turn, Carried())
    return (turn, *frames(steps[0])) if isinstance(steps[0], CarryOut) else (turn,)


def built(said: Said, table: Table) -> Steps:
    """The steps that a short form stands for. Raises Unreadable; Unknown if the position says too little."""
    return BUILDERS[said["asks"]](said, table)


# ---- the turn, cards being played, the setup -------------------------------------------------------------------------


def setting_up(table: Table) -> Steps:
    """All that follows when the leaders are picked, the first on top."""
    everybody = tuple(range(table.rules.seats))
    return (FirstTurn(), TurnUp(ROW_SIZE), Shuffle(MONSTERS), Deal(everybody), Shuffle(DECK), BoxLeaders())


def shuffle(said: Said, table: Table) -> Steps:
    """A deck is shuffled: in the setup, or because it is made anew."""
    if table.turn != NOBODY:
        return (Shuffle(said["where"]),)
    return setting_up(table)[: 3 if said["where"] == MONSTERS else 5]


def turn_up(said: Said, table: Table) -> Steps:
    """Monsters are turned up: in the setup, or for one slain."""
    top = TurnUp(said.get("count", 1))
    return (FirstTurn(), top) if table.turn == NOBODY else (top,)


def first_pick(said: Said, table: Table) -> Steps:
    """A die is rolled for the first pick."""
    contenders = tuple(said.get("contenders", range(table.rules.seats)))
    return (*setting_up(table), CastForPick(contenders=contenders, cast=tuple(said.get("cast", ()))))


def pick_leader(said: Said, table: Table) -> Steps:
    """Players pick leaders."""
    at_once = said.get("at_once", table.rules.leader_choice == "at_once")
    return (*setting_up(table), PickLeaders(tuple(said["order"]), at_once))


def redraw(said: Said, table: Table) -> Steps:
    """At a real table, the cards of a hand that is discarded whole are named. Raises Unknown."""
    seat = seat_of(said, table)
    count = table.size(HANDS[seat])
    return (Carried(), Drawing(seat, REDRAWN), GiveUp((seat,), "", {}, count, count))


def name_cards(said: Said, table: Table) -> Steps:
    """At a real table, cards of a hand are named: if no number is said, all that stand as backs. Raises Unknown."""
    seat = seat_of(said, table)
    if "count" not in said and table.size(HANDS[seat]) == len(known(table.hand(seat))):
        raise Unreadable("/question/seat", f"all cards of seat {seat} are named")
    count = said.get("count", len(table.hand(seat)) - len(known(table.hand(seat))))
    return (Naming(seat, count),)


def challenge(said: Said, table: Table) -> Steps:
    """The others may challenge a card."""
    passed, called = tuple(said.get("passed", ())), said.get("called", "")
    return (Carried(), ChallengeWindow(seat_of(said, table), said["card"], called, passed))


BUILDERS: dict[str, Callable[[Said, Table], Steps]] = {
    "act": lambda said, table: (Turn(seat_of(said, table)),),
    "challenge": challenge,
    "modifiers": modifiers,
    "dice": dice,
    "target": target,
    "free_roll": lambda said, table: (Carried(), FreeRoll(seat_of(said, table), said["hero"])),
    "equip": lambda said, table: (Carried(), Equip(seat_of(said, table), said["item"])),
    "choose": texts.choose,
    "offer": texts.offer,
    "discard": texts.discard,
    "sacrifice": texts.sacrifice,
    "give": texts.give,
    "look": texts.look,
    "put_back": texts.put_back,
    "tell": texts.tell,
    "instead": texts.instead,
    "pull": texts.pull,
    "next_trigger": texts.next_trigger,
    "turn_up": turn_up,
    "shuffle": shuffle,
    "redraw": redraw,
    "name_cards": name_cards,
    "pick_leader": pick_leader,
    "first_pick": first_pick,
}  # fmt: skip
