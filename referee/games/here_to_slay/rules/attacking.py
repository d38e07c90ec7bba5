"""Attacks on monsters: requirements, the roll, slaying, and refilling the row.

Clauses: HTS-MON-1 to HTS-MON-13, HTS-MON-5, HTS-MON-11, HTS-VERB-8, HTS-WIN-1, HTS-AMB-65, HTS-AMB-66, HTS-AMB-67,
HTS-AMB-70.
HTS-MON-5: Whether the party suffices is decided when the attack is declared. What changes afterwards does not matter.
HTS-MON-11: A newly turned-up monster can be attacked in the very same turn.
HTS-AMB-70: A penalty that cannot be paid in full is paid in part: one card instead of two, and no sacrifice without a
    hero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from referee.cardscript.chance import TopCardTurnUp
from referee.cardscript.hidden_cards import can_name_card, find_nameable_cards
from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.chance import RandomBelow, TurnUpResult
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import StackCleared, StepPopped, StepPushed, StepReplaced
from referee.games.here_to_slay.components import FACES, MONSTERS, PROGRAMS, ROW, SLAIN
from referee.games.here_to_slay.events.heroes import MonsterFoughtBack, MonsterSlain
from referee.games.here_to_slay.events.plays import RollSettled, UnsettledRolls
from referee.games.here_to_slay.events.turns import GameWon, MonsterTurnedUp, PointGained
from referee.games.here_to_slay.rules.effect_frames import EffectFrame
from referee.games.here_to_slay.rules.rolling import ModifierWindow, Throw, end_effects_on_roll
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.triggers import build_text_execution
from referee.games.here_to_slay.values import MONSTERS_TO_WIN, DiceRoll


def check_attack(table: Table, seat: int, monster: str) -> None:
    """Raise IllegalMove unless this party may attack this monster.

    HTS-MON-1: The monster must lie face up in the row.
    HTS-MON-2: The party must meet the monster's requirement: a different member for every symbol shown. Nobody counts
        for two.
    HTS-MON-3: A hero symbol takes a hero of any class, but no leader. A class symbol takes a hero or leader of that
        class. A mask changes a hero's class. Slain monsters fill no symbol.
    HTS-MON-4: A class and a hero take that class's leader and some hero, or two heroes, one of them of the class. A
        lone hero of the class fills only one of the two.
    """
    if monster not in table.cards_at(ROW):
        if UNCOUNTED_CARDS in table.cards_at(ROW):
            raise Undetermined("which_cards", place=ROW)
        owner = next((each for each in table.seats_at_table if monster in table.cards_at(SLAIN[each])), None)
        if owner is not None:
            raise IllegalMove("slain_already", "HTS-MON-13", "HTS-MON-1", card=monster, seat=owner)
        row = table.cards_at(ROW)
        raise IllegalMove("not_in_the_row", "HTS-MON-1", card=monster, row=row, count=len(row))
    slots = FACES[monster].requires
    heroes, leader = table.party_of(seat), table.leader_of(seat)
    classes, leading = list_party_classes(table, seat)
    if can_fill_slots(slots, classes, leading):
        return
    any_class = slots.count("hero")
    for slot in slots:
        if slot != "hero" and slot not in (*classes, leading):
            lacking = max(any_class - len(heroes), 0)
            raise IllegalMove(
                "class_is_missing", "HTS-MON-2", "HTS-MON-3", card=monster, kind=slot, slots=any_class, count=lacking
            )
    missing = count_missing_heroes(slots, classes, leading)
    if not heroes and missing == 1:
        kind = next((slot for slot in slots if slot != "hero"), "hero")
        raise IllegalMove("no_hero_for_it", "HTS-MON-2", "HTS-MON-3", card=monster, kind=kind)
    for slot in slots:
        if slot != "hero" and missing == 1:
            raise IllegalMove(
                "one_hero_for_two_symbols",
                "HTS-MON-4",
                "HTS-MON-2",
                "HTS-MON-3",
                card=monster,
                kind=slot,
                hero=heroes[0],
            )
    if missing == 1 and leader:
        raise IllegalMove("leader_is_no_hero", "HTS-MON-3", "HTS-MON-2", card=monster, leader=leader, slots=len(slots))
    raise IllegalMove("heroes_are_missing", "HTS-MON-2", "HTS-MON-3", card=monster, slots=len(slots), count=missing)


def list_party_classes(table: Table, seat: int) -> tuple[tuple[str, ...], str]:
    """Return the classes of a player's heroes, and of the leader. Raises Undetermined."""
    leader = table.leader_of(seat)
    return tuple(map(table.class_of, table.party_of(seat))), FACES[leader].class_ if leader else ""


def find_attack_grounds(table: Table, seat: int, monster: str) -> tuple[str, ...]:
    """Return the clauses by which this party may attack this monster.

    HTS-MON-4: A class and a hero take that class's leader and some hero, or two heroes, one of them of the class.
    HTS-LEAD-3: The leader's class counts where a monster asks for that class.
    HTS-ITEM-9: A hero with a mask has the class of the mask.
    """
    found, slots, leader = ["HTS-MON-1", "HTS-MON-2", "HTS-MON-3"], FACES[monster].requires, table.leader_of(seat)
    wanted = [slot for slot in slots if slot != "hero"]
    if wanted and "hero" in slots:
        found.append("HTS-MON-4")
    if leader and FACES[leader].class_ in wanted:
        found.append("HTS-LEAD-3")
    elif wanted and not any(FACES[hero].class_ == table.class_of(hero) == wanted[0] for hero in table.party_of(seat)):
        found += ["HTS-ITEM-9", "HTS-AMB-41"]  # only a mask has made somebody one of the class
    return tuple(found)


def count_missing_heroes(slots: tuple[str, ...], heroes: tuple[str, ...], leader: str) -> int:
    """Return how many heroes of any class a party still lacks.

    It has the classes of the requirement.
    """
    return next(
        (more for more in range(1, len(slots)) if can_fill_slots(slots, (*heroes, *("",) * more), leader)), len(slots)
    )


@lru_cache(4096)  # the same few parties are asked about at every action
def can_fill_slots(slots: tuple[str, ...], heroes: tuple[str, ...], leader: str) -> bool:
    """Return whether each slot of a requirement can be filled by a different member.

    `heroes` are the classes of the heroes, `leader` is the leader's class.
    HTS-MON-2: The party must meet the monster's requirement: a different member for every symbol shown. Nobody counts
        for two.
    HTS-MON-3: A hero symbol takes a hero of any class, but no leader. A class symbol takes a hero or leader of that
        class. A mask changes a hero's class. Slain monsters fill no symbol.
    """
    if not slots:
        return True
    # Class slots come first, because they are harder to fill.
    slot, rest = max(slots, key=lambda each: each != "hero"), list(slots)
    rest.remove(slot)
    if slot == leader and can_fill_slots(tuple(rest), heroes, ""):
        return True
    for at, class_ in enumerate(heroes):
        if slot in ("hero", class_) and can_fill_slots(tuple(rest), heroes[:at] + heroes[at + 1 :], leader):
            return True
    return False


def start_attack(seat: int, monster: str) -> Iterator[Event]:
    """Yield the events that begin an attack.

    HTS-MON-6: An attack goes like this: pay, throw the dice, play modifiers, settle the total, outcome, triggers. The
        monster is named with the action, so no other target is declared.
    """
    yield StepPushed(EffectFrame())
    yield StepPushed(AttackRoll((DiceRoll("attack", seat, monster),)))
    yield StepPushed(ModifierWindow())
    yield StepPushed(Throw(2, 6, seat, "attack", monster))


@named("hts.AttackRoll")
@dataclass(frozen=True)
class AttackRoll(UnsettledRolls):
    """The roll of an attack, settled once the window for modifiers has closed.

    HTS-MON-7: A total in the slaying range slays the monster. In the range where it fights back, the attacker pays the
        penalty and the monster is unharmed. Otherwise nothing happens. Modifiers always count, and the points stay
        spent.
    HTS-MON-10: When a monster is slain, in this order: it joins the party beside the leader, the win is checked, its
        ability begins, the reward is given, a new monster is turned up, triggers follow. The reward is one card drawn
        for Corrupted Sabretooth, two for Mega Slime.
    """

    clauses: ClassVar[tuple[str, ...]] = ("HTS-MON-6", "HTS-MON-7", "HTS-MON-9", "HTS-MON-10")

    def find_outcome(self, table: Table, total: int) -> str:
        """Return the outcome with this total: `slay`, `fight_back` or `nothing`."""
        face = FACES[self.casts[0].about]
        if face.slay.contains_total(total):
            return "slay"
        return "fight_back" if face.fight_back.contains_total(total) else "nothing"

    def resolve(self, state: Table) -> Iterator[Event]:
        (cast,) = self.casts
        total = state.compute_roll_total(cast)
        outcome = self.find_outcome(state, total)
        yield RollSettled(cast.seat, "attack", cast.about, total, outcome)
        yield from end_effects_on_roll(state, cast.seat)
        if outcome == "slay":
            yield from self._slay_monster(state, cast.seat, cast.about)
        elif outcome == "fight_back":
            yield MonsterFoughtBack(cast.seat, cast.about)
            yield StepReplaced(build_text_execution(cast.about, "penalty", cast.seat))
        else:
            yield StepPopped()

    def _slay_monster(self, state: Table, seat: int, monster: str) -> Iterator[Event]:
        """Yield the events of slaying a monster.

        HTS-MON-10: When a monster is slain, in this order: it joins the party beside the leader, the win is checked,
            its ability begins, the reward is given, a new monster is turned up, triggers follow. The reward is one
            card drawn for Corrupted Sabretooth, two for Mega Slime.
        HTS-WIN-1: The third slain monster wins the game on the spot, before any reward, new monster or trigger.
        """
        yield MonsterSlain(ROW, SLAIN[seat], (monster,), (monster,), seat)
        if len(state.monsters_slain_by(seat)) + 1 >= MONSTERS_TO_WIN:
            yield GameWon(seat, "three_monsters")
            yield StackCleared()
            return
        more = sum(standing.plus for standing in FACES[monster].find_abilities("points"))
        if more and seat == state.active and state.rules.mega_slime_from == "at_once":
            yield PointGained(seat, state.points_left + more)
        yield StepReplaced(MonsterTurnUp(1))
        if (monster, "reward") in PROGRAMS:
            yield StepPushed(build_text_execution(monster, "reward", seat))


@named("hts.TurnUp")
@dataclass(frozen=True)
class MonsterTurnUp(TopCardTurnUp):
    """Monsters are turned up into the row, as long as there are any.

    HTS-MON-10: A slain monster is replaced by a new one from the deck.
    HTS-SETUP-6: The shuffled monsters form the monster deck. Three from its top are laid face up as the row.
    HTS-DECK-2: Once the monster deck has run out, a gap in the row stays a gap.
    """

    count: int

    def find_pile(self) -> str:
        return MONSTERS

    def is_due(self, table: Table) -> bool:
        return self.count > 0

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(TurnUpResult, find_nameable_cards(state, MONSTERS))

    def check_card(self, table: Table, card: str) -> None:
        if card not in table.rules.boxes.monsters:
            raise IllegalMove("no_such_monster", "HTS-COMP-1", card=card)
        if not can_name_card(table, MONSTERS, card):
            raise IllegalMove("lies_elsewhere", "HTS-ZONE-6", "KERNEL-CENSUS-1", card=card)

    def draw_outcome(self, state: Table, below: RandomBelow) -> Move:
        names = find_nameable_cards(state, MONSTERS)
        return TurnUpResult(names[below(len(names))])

    def place_card(self, table: Table, took: str, card: str) -> Iterator[Event]:
        yield StepReplaced(replace_fields(self, count=self.count - 1))
        yield MonsterTurnedUp(MONSTERS, ROW, (took,), (card,))
