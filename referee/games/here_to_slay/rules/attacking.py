"""Attacks on monsters.

Clauses: HTS-MON-1 to HTS-MON-13, HTS-MON-5, HTS-MON-11, HTS-VERB-8, HTS-WIN-1,
HTS-AMB-65, HTS-AMB-66, HTS-AMB-67, HTS-AMB-70.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.table import SOME
from referee.engine.chance import Below, ChanceStep, TurnedUp
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Became, Cleared, Closed, Opened
from referee.engine.zones import can_name, is_back, namable
from referee.games.here_to_slay.components import FACES, MONSTERS, PROGRAMS, ROW, SLAIN
from referee.games.here_to_slay.events.heroes import FoughtBack, MonsterSlain
from referee.games.here_to_slay.events.plays import Rolling, RollSettled
from referee.games.here_to_slay.events.turns import GameWon, MonsterTurnedUp, PointGained
from referee.games.here_to_slay.rules.effect_frames import Carried
from referee.games.here_to_slay.rules.rolling import ModifierWindow, Throw
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.triggers import text_of
from referee.games.here_to_slay.values import Cast

TO_WIN = 3  # monsters (HTS-WIN-1)


def check_attack(table: Table, seat: int, monster: str) -> None:
    """Raises Refused unless this monster may be attacked by this party (HTS-MON-1 to HTS-MON-4)."""
    if monster not in table.place(ROW):
        if SOME in table.place(ROW):
            raise Unknown("which_cards", place=ROW)
        raise Refused("not_in_the_row", "HTS-MON-1", card=monster)
    slots = FACES[monster].requires
    heroes, leader = table.party(seat), table.leader(seat)
    leading = FACES[leader].class_ if leader else ""
    classes = tuple(table.class_of(hero) for hero in heroes)
    if filled(slots, classes, leading):
        return
    for slot in slots:
        if slot != "hero" and slot not in (*classes, leading):
            raise Refused("class_is_missing", "HTS-MON-2", "HTS-MON-3", card=monster, kind=slot)
    raise Refused(
        "party_too_small", "HTS-MON-2", "HTS-MON-3", "HTS-MON-4", card=monster, slots=len(slots), heroes=len(heroes)
    )


def filled(slots: tuple[str, ...], heroes: tuple[str, ...], leader: str) -> bool:
    """Whether each slot finds a member of its own: the leader only where its class is shown (HTS-MON-2, HTS-MON-3).

    `heroes` are the classes of the heroes, `leader` that of the leader.
    """
    if not slots:
        return True
    slot, rest = max(slots, key=lambda each: each != "hero"), list(slots)  # class slots first: they are harder to fill
    rest.remove(slot)
    if slot == leader and filled(tuple(rest), heroes, ""):
        return True
    for at, class_ in enumerate(heroes):
        if slot in ("hero", class_) and filled(tuple(rest), heroes[:at] + heroes[at + 1 :], leader):
            return True
    return False


def attack(seat: int, monster: str) -> Iterator[Event]:
    """The facts with which an attack begins (HTS-MON-6)."""
    yield Opened(Carried())
    yield Opened(AttackRoll((Cast("attack", seat, monster),)))
    yield Opened(ModifierWindow())
    yield Opened(Throw(2, 6, seat, "attack", monster))


@named("hts.AttackRoll")
@dataclass(frozen=True)
class AttackRoll(Rolling):
    """The roll of an attack, settled once the window has closed (HTS-MON-7, HTS-MON-10)."""

    clauses: ClassVar[tuple[str, ...]] = ("HTS-MON-6", "HTS-MON-7", "HTS-MON-9", "HTS-MON-10")

    def resolve(self, state: Table) -> Iterator[Event]:
        (cast,) = self.casts
        face, total = FACES[cast.about], state.total(cast)
        if face.slay.holds(total):
            yield RollSettled(cast.seat, "attack", face.id, total, "slay")
            yield from self._slain(state, cast.seat, face.id)
        elif face.fight_back.holds(total):
            yield RollSettled(cast.seat, "attack", face.id, total, "fight_back")
            yield FoughtBack(cast.seat, face.id)
            yield Became(text_of(face.id, "penalty", cast.seat))
        else:
            yield RollSettled(cast.seat, "attack", face.id, total, "nothing")
            yield Closed()

    def _slain(self, state: Table, seat: int, monster: str) -> Iterator[Event]:
        """Slaying, in the order of HTS-MON-10; the third monster wins at once (HTS-WIN-1)."""
        yield MonsterSlain(ROW, SLAIN[seat], (monster,), (monster,), seat)
        if len(state.slain(seat)) + 1 >= TO_WIN:
            yield GameWon(seat, "three_monsters")
            yield Cleared()
            return
        more = sum(standing.plus for standing in FACES[monster].gives("points"))
        if more and seat == state.active and state.rules.mega_slime_from == "at_once":
            yield PointGained(seat, state.points_left + more)
        yield Became(TurnUp(1))
        if (monster, "reward") in PROGRAMS:
            yield Opened(text_of(monster, "reward", seat))


@named("hts.TurnUp")
@dataclass(frozen=True)
class TurnUp(ChanceStep):
    """Monsters are turned up into the row, while there are any (HTS-MON-10, HTS-SETUP-6, HTS-DECK-2)."""

    count: int
    clauses: ClassVar[tuple[str, ...]] = ("HTS-MON-10", "HTS-SETUP-6", "HTS-DECK-2", "HTS-AMB-65")

    def _unknown(self, table: Table) -> bool:
        there = table.place(MONSTERS)
        if self.count and SOME in there:
            raise Unknown("which_cards", place=MONSTERS)
        return bool(self.count and there and is_back(there[0]))

    def awaits(self, state: Table) -> frozenset[Seat]:
        return frozenset({CHANCE}) if self._unknown(state) else frozenset()

    def candidates(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnedUp, namable(state.rules.boxes.monsters, state, MONSTERS))

    def check(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, TurnedUp):
            raise Refused("not_what_is_asked", "KERNEL-MOVE-1", move=move.TAG)
        if move.card not in state.rules.boxes.monsters:
            raise Refused("no_such_monster", "HTS-COMP-1", card=move.card)
        if not can_name(state.rules.boxes.monsters, state, MONSTERS, move.card):
            raise Refused("lies_elsewhere", "HTS-ZONE-6", "KERNEL-CENSUS-1", card=move.card)

    def decide(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, TurnedUp)
        yield from self._turned(state, move.card)

    def draw(self, state: Table, below: Below) -> Move:
        names = namable(state.rules.boxes.monsters, state, MONSTERS)
        return TurnedUp(names[below(len(names))])

    def resolve(self, state: Table) -> Iterator[Event]:
        if self.count and state.place(MONSTERS):
            yield from self._turned(state, state.place(MONSTERS)[0])
        else:
            yield Closed()

    def _turned(self, state: Table, card: str) -> Iterator[Event]:
        yield Became(changed(self, count=self.count - 1))
        yield MonsterTurnedUp(MONSTERS, ROW, (state.place(MONSTERS)[0],), (card,))
