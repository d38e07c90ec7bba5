"""A player's die: the roll, the moment to turn it, and what it totals.

Clauses: MK-2.7, MK-17.3, MK-17.4, MK-17.7, MK-17.8, MK-26.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from referee.cardscript.language.interpreter import NameBound
from referee.cardscript.moves import ChooseValue
from referee.cardscript.questions import CardPrompt
from referee.engine.chance import Roll
from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulebook.interpretations import FIRST_INTERPRETATION
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import StepPopped, StepPushed, require_move
from referee.games.munchkin.components import FACES, HANDS
from referee.games.munchkin.derived import find_active_abilities, sum_abilities
from referee.games.munchkin.events.combat import Caught, DieRolled, DieRolledAgain, DieTurned, Escaped
from referee.games.munchkin.events.dice import RolledDie
from referee.games.munchkin.moves import KeepRoll, PlayCard
from referee.games.munchkin.rules.cards import playing
from referee.games.munchkin.rules.cards.texts import build_text_execution, has_text
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import ScoreLine, ScoreLines, find_foe_abilities, is_condition_met, sum_lines
from referee.games.munchkin.values import Foe

SIDES = 6
ESCAPE_TOTAL = 5  # a total of 5 or more escapes (MK-17.3)
TURN_DIE_TIME, ANY_DIE_TIME = "after_my_roll", "after_any_roll"


def start_roll(seat: int, card: str, called: str = "") -> Iterator[Event]:
    """Yield the event with which a player rolls a die.

    `called` is the name to which a text of `card` binds the number. Without it, the player rolls to escape the monster
    `card`.
    """
    yield StepPushed(Throw(seat=seat, card=card, called=called))


@named("mk.Throw")
@dataclass(frozen=True)
class Throw(Roll):
    """A die that a player has to roll (MK-17.3).

    MK-2.7: The outcome of a roll is fixed the moment it is recorded.
    """

    seat: int = 0
    card: str = ""
    called: str = ""
    clauses: ClassVar[tuple[str, ...]] = ("MK-2.7",)

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield DieRolled(self.seat, values[0], self.card)
        yield StepPushed(AfterRoll(self.seat, self.card, self.called, values[0]))


@named("mk.ThrowAgain")
@dataclass(frozen=True)
class ThrowAgain(Roll):
    """The last die is rolled again; it may then be turned as any die (MK-27.5)."""

    seat: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("MK-27.5", "MK-2.7")

    def resolve_roll(self, state: Table, values: tuple[int, ...]) -> Iterator[Event]:
        yield DieRolledAgain(self.seat, values[0])


@named("mk.AfterRoll")
@dataclass(frozen=True)
class AfterRoll(RolledDie):
    """The window in which a player may turn the die just rolled, or keep it.

    MK-26.3: After every roll of a player's die that player has a short moment to change it, whatever they hold.
    MK-26.3-R2: There is no such moment if everybody can see that the player can have no card for it.
    MK-17.7: A die whose face was changed counts as rolled so.
    """

    clauses: ClassVar[tuple[str, ...]] = ("MK-17.7", "MK-26.3")
    window_kind: ClassVar[str] = "roll"
    moment: ClassVar[str] = "roll"

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        asked = state.interpretation_number("MK-26.3") == FIRST_INTERPRETATION or may_turn_die(state, self.seat)
        others = ANY_DIE_TIME in state.boxes.play_times
        asked = asked or (others and any(may_turn_die(state, seat) for seat in state.other_seats(self.seat)))
        return (self.seat,) if asked else ()

    def admitted_seats(self, state: Table) -> frozenset[Seat]:
        return playing.admit_players(state, ANY_DIE_TIME) | super().admitted_seats(state)

    def candidate_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield from super().candidate_moves(state, seat)
        yield from playing.list_answers_of_others(state, seat, ANY_DIE_TIME)

    def promising_moves(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield from super().promising_moves(state, seat)
        yield from playing.list_answers_of_others(state, seat, ANY_DIE_TIME)

    def check_move(self, state: Table, seat: Seat, move: Move) -> None:
        if playing.is_answer_of_another(state, seat, move, ANY_DIE_TIME):
            self.check_answer(state, seat, move)
        else:
            super().check_move(state, seat, move)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        yield from self.settle_die(state)

    def concerned_seats(self, state: Table) -> frozenset[int]:
        return frozenset({self.seat})

    def passing_move(self, seat: Seat) -> Move:
        return KeepRoll()

    def time_limit(self, state: Table) -> int | None:
        limit = state.rules.curse_window_ms
        return limit if limit is not None else state.decision_time()  # null: as for other questions (MK-23.2)

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        yield KeepRoll()
        for card in playing.list_playable_cards(state, int(seat)):
            if {TURN_DIE_TIME, ANY_DIE_TIME} & set(FACES[card].when):
                yield from playing.list_plays_of_card(state, int(seat), card)

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if isinstance(move, PlayCard):
            playing.check_play_at(state, int(seat), move, self.moment)
        elif not isinstance(move, KeepRoll):
            raise NotAsked("turn_or_keep", "MK-17.7", "MK-26.2", move=move.TAG)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        if isinstance(move, PlayCard):
            yield from playing.play_card(state, int(seat), move)
        else:
            yield StepPopped()
            yield from self.settle_die(state)

    def settle_die(self, state: Table) -> Iterator[Event]:
        """Yield the events of the die as it lies, after the step has closed."""
        if self.called:
            yield NameBound(self.called, (compute_text_total(state, self.seat, self.value),))
        else:
            yield from settle_flight_roll(state, self.seat, self.card, self.value)


def may_turn_die(table: Table, seat: int) -> bool:
    """Return whether a player can have a card that turns a die.

    That is so as far as everybody knows. What the player really holds does not matter.
    """
    rolled = find_rolled_die(table)
    times = {ANY_DIE_TIME} if rolled is not None and rolled.seat != seat else {TURN_DIE_TIME, ANY_DIE_TIME}
    turning = [card for card in table.boxes.whole if times & set(FACES[card].when)]
    if any(card in table.cards_in_play_of(seat) for card in turning):
        return True
    unseen = table.free_copies("")
    return table.count_cards_at(HANDS[seat]) > 0 and any(unseen[card] > 0 for card in turning)


@named("mk.TurnDie")
@dataclass(frozen=True)
class TurnDie(CardPrompt):
    """The question to which face a player turns the die.

    MK-17.7: A die whose face was changed counts as rolled so.
    """

    seat: int
    card: str
    clauses: ClassVar[tuple[str, ...]] = ("MK-17.7",)

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return (self.seat,) if find_rolled_die(state) is not None else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(ChooseValue, range(1, SIDES + 1))

    def default_answer(self, state: Table, seat: Seat) -> Move:
        die = find_rolled_die(state)
        return ChooseValue(die.value if die is not None else SIDES)  # the die keeps its face

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        move = require_move(move, ChooseValue)
        if not 1 <= move.value <= SIDES:
            raise IllegalMove("no_such_face", "MK-17.7", sides=SIDES)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, ChooseValue)
        die = find_rolled_die(state)
        yield StepPopped()
        if die is not None and die.value != move.value:
            yield DieTurned(die.seat, move.value)


def start_turning_die(table: Table, seat: int, card: str, face: int = 0) -> Iterator[Event]:
    """Yield the event with which a player turns the last die by this card.

    Without a face the player chooses one.
    """
    if not face:
        yield StepPushed(TurnDie(seat, card))
    elif (die := find_rolled_die(table)) is not None and die.value != face:
        yield DieTurned(die.seat, face)


def start_rolling_again(table: Table) -> Iterator[Event]:
    """Yield the event with which the last die is rolled again."""
    if (die := find_rolled_die(table)) is not None:
        yield StepPushed(ThrowAgain(seat=die.seat))


def find_rolled_die(table: Table) -> RolledDie | None:
    """Return the last die rolled that does not count yet, or None."""
    return next((step for step in reversed(table.agenda) if isinstance(step, RolledDie)), None)


def compute_text_total(table: Table, seat: int, value: int) -> int:
    """Return what a die totals for a card, limited to the faces of a die."""
    return min(max(value + sum_abilities(table, seat, "die_rolls"), 1), SIDES)


def score_die(table: Table, seat: int, value: int) -> ScoreLines:
    """Return the summands of a die rolled for a card.

    They are its face and what cards add to every die of this player.
    """
    every = find_active_abilities(table, seat, "die_rolls")
    extra = (ScoreLine("line.die_rolls", each.number, "MK-17.7", card, seat) for card, each in every)
    return (ScoreLine("line.die", value, "MK-17.7", seat=seat), *extra)


def score_flight_roll(table: Table, seat: int, foe: Foe, value: int | None = None) -> ScoreLines:
    """Return the summands of a player's roll to escape a monster, the die first.

    The die is `value`, else the one that was just rolled for this. Before the roll there is none.
    MK-17.3: A fighter escapes with 5 or more, bonuses and penalties included.
    MK-17.7: Bonuses and penalties are added after a die was turned.
    """
    die = find_rolled_die(table)
    if value is None and die is not None and not die.called and (die.seat, die.card) == (seat, foe.card):
        value = die.value
    lines = [] if value is None else [ScoreLine("line.die", value, "MK-17.7", seat=seat)]
    for what in ("die_rolls", "escape"):
        for card, each in find_active_abilities(table, seat, what):
            lines.append(ScoreLine(f"line.{what}", each.number, "MK-17.3", card, seat))
    for card, each in find_foe_abilities(foe, "escape"):
        if is_condition_met(table, each.when, seat, foe, harms=each.number < 0):
            says = "line.escape_monster" if card == foe.of else "line.escape_enhancer"
            lines.append(ScoreLine(says, each.number, "MK-17.3", card, of=foe.card))
    if hindered := table.hindered.get(str(seat), 0):
        lines.append(ScoreLine("line.hindered", hindered, "MK-17.8", seat=seat))
    return tuple(lines)


def compute_needed_roll(table: Table, seat: int, foe: Foe) -> int:
    """Return the least face of the die that escapes this monster now.

    Above 6 no face escapes. At 1 or below every face does.
    """
    die = find_rolled_die(table)
    on_it = die is not None and not die.called and (die.seat, die.card) == (seat, foe.card)
    lines = score_flight_roll(table, seat, foe)
    return ESCAPE_TOTAL - sum_lines(lines[1:] if on_it else lines)


# ---- a roll to run away ----------------------------------------------------------------------------------------------


def monsters_to_escape(table: Table, seat: int) -> tuple[str, ...]:
    """Return the names of the monsters that a player still has to escape."""
    if table.combat is None:
        return ()
    pairs = (pair.partition("/") for pair in table.combat.to_flee)
    return tuple(monster for who, _, monster in pairs if who == str(seat))


def settle_flight_roll(table: Table, seat: int, monster: str, value: int) -> Iterator[Event]:
    """Yield the events of a roll to escape a monster with this die.

    MK-17.3: A fighter rolls once per monster and escapes with 5 or more.
    MK-17.4: The bad stuff strikes as soon as a roll has failed, before the next roll.
    """
    foe = table.combat.find_foe(monster) if table.combat is not None else None
    if foe is None or monster not in monsters_to_escape(table, seat):
        return  # a card played after the roll has settled it
    count = sum_lines(score_flight_roll(table, seat, foe, value))
    if count >= ESCAPE_TOTAL:
        yield Escaped(seat, monster, "rolled", count)
        text = "escaped"
    else:
        yield Caught(seat, monster, count)
        text = "bad_stuff"
    if has_text(table, foe.of, text):
        yield StepPushed(build_text_execution(table, foe.of, text, by=seat, monster=monster))
