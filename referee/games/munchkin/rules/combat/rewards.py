"""The rewards of a kill: levels, the victory, treasures, gifts, the deal.

Clauses: MK-3.4, MK-3.5, MK-4.9, MK-13.5 to MK-13.8, MK-16.1 to MK-16.9, MK-22.1, MK-22.2, MK-26.7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import ClassVar

from referee.cardscript.hidden_cards import cards_arriving
from referee.cardscript.questions import CardPrompt
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.rulings import IllegalMove, NotAsked
from referee.engine.seats import Seat
from referee.engine.steps import StackCleared, Step, StepPopped, StepPushed, StepReplaced
from referee.games.munchkin.components import FACES, HANDS, TOP_LEVEL, WON
from referee.games.munchkin.derived import big_items, big_limit, sum_abilities
from referee.games.munchkin.events.cards import TreasurePicked
from referee.games.munchkin.events.combat import PromiseLapsed
from referee.games.munchkin.events.course import GameWon, LevelsGained
from referee.games.munchkin.moves import PickTreasure, PlayCard
from referee.games.munchkin.rules.cards import playing
from referee.games.munchkin.rules.cards.texts import build_text_execution, has_text
from referee.games.munchkin.rules.combat import helping
from referee.games.munchkin.rules.combat.combat_end import end_combat
from referee.games.munchkin.rules.drawing import TurnUpTreasures, draw_cards
from referee.games.munchkin.rules.items.discarding import pass_item
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import is_exempt_from_limits
from referee.games.munchkin.values import NOBODY, Deal

STAGES = ("levels", "treasures", "gifts", "sharing", "extra", "items", "plays", "end")


@named("mk.Spoils")
@dataclass(frozen=True)
class Spoils(Step):
    """The rewards of a kill, stage by stage.

    `at` is the next stage and `done` counts what has been done in it.
    MK-3.4: No reward of a combat is taken before the whole combat is over.
    MK-16.8: First come the levels, then the check for victory, then the treasures, then what the monster does when
        killed,
    then the deal, and last the discards of the combat.
    """

    at: str = "levels"
    done: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("MK-3.4", "MK-16.8")

    def resolve(self, state: Table) -> Iterator[Event]:
        match self.at:
            case "levels":
                yield from self._grant_levels(state)
            case "treasures":
                yield self._advance_stage()
                yield from self._grant_treasures(state)
            case "gifts":
                yield from self._resolve_gifts(state)
            case "sharing":
                yield self._advance_stage()
                if state.cards_at(WON):
                    yield StepPushed(Sharing(picking_order(state)))
            case "extra":
                yield self._advance_stage()
                helper = state.running_combat.helper
                if helper != NOBODY and (count := sum_abilities(state, helper, "help_treasures")):
                    yield draw_cards(state, helper, "treasure", count)
            case "items":
                yield from self._hand_over_items(state)
            case "plays":
                yield from self._play_promised_cards(state)
            case _:
                yield StepPopped()
                yield from end_combat(state, "killed")

    def _advance_stage(self) -> Event:
        return StepReplaced(Spoils(STAGES[STAGES.index(self.at) + 1]))

    def _grant_levels(self, table: Table) -> Iterator[Event]:
        """Yield the levels of main, and the victory if they reach the last one.

        MK-3.3: A combat gives a level only for killing a monster.
        MK-13.12: The helper gains no level from the combat.
        MK-16.7: A card that kills a monster by itself counts as a kill.
        """
        main, before = table.running_combat.main, table.levels[table.running_combat.main]
        level = min(before + helping.count_levels_at_stake(table), TOP_LEVEL)  # MK-22.2
        yield self._advance_stage()
        if level > before:
            yield LevelsGained(main, level - before, level, table.running_combat.foes[0].card)
        if level >= TOP_LEVEL:
            yield GameWon(main)
            yield StackCleared()

    def _grant_treasures(self, table: Table) -> Iterator[Event]:
        """Yield the draw of the treasures.

        MK-16.2: The number of treasures is the sum over the killed monsters, changed by their enhancers.
        MK-16.5: The main player draws the treasures even if it was the helper's power that won.
        """
        combat = table.running_combat
        count = helping.count_treasures_of_kill(table)
        if not count:
            return
        if combat.helper == NOBODY:
            yield draw_cards(table, combat.main, "treasure", count)  # MK-16.3
        else:
            yield StepPushed(TurnUpTreasures(count))

    def _resolve_gifts(self, table: Table) -> Iterator[Event]:
        foes = [foe for foe in table.running_combat.foes if has_text(table, foe.of, "reward")]
        if self.done < len(foes):
            yield StepReplaced(replace_fields(self, done=self.done + 1))
            foe = foes[self.done]
            yield StepPushed(build_text_execution(table, foe.of, "reward", table.running_combat.main, monster=foe.card))
        else:
            yield self._advance_stage()

    def _hand_over_items(self, table: Table) -> Iterator[Event]:
        combat = table.running_combat
        items = combat.deal.items if combat.deal is not None else ()
        if self.done >= len(items):
            yield self._advance_stage()
            return
        item = items[self.done]
        yield StepReplaced(replace_fields(self, done=self.done + 1))
        full = FACES[item].big and not is_exempt_from_limits(table, item)
        full = full and len(big_items(table, combat.helper)) >= big_limit(table, combat.helper)
        if item not in table.items_of(combat.main) or full:
            yield PromiseLapsed(combat.main, combat.helper, item)  # MK-7.10
        else:
            yield pass_item(table, item, combat.main, combat.helper)

    def _play_promised_cards(self, table: Table) -> Iterator[Event]:
        combat = table.running_combat
        plays = combat.deal.plays if combat.deal is not None else ()
        if self.done >= len(plays):
            yield self._advance_stage()
            return
        move = PlayCard(plays[self.done], seat=combat.helper)
        yield StepReplaced(replace_fields(self, done=self.done + 1))
        try:
            playing.check_play_at(table, combat.main, move, "promise")
        except IllegalMove:
            yield PromiseLapsed(combat.main, combat.helper, move.card)
        else:
            yield from playing.play_card(table, combat.main, move)


def picking_order(table: Table) -> tuple[int, ...]:
    """Return who gets the treasures that lie open, one after the other.

    MK-13.8: If there are fewer treasures than promised, picking goes in the agreed order until none are left.
    MK-16.4: The treasures are shared by the deal. Without a deal all of them are the main player's.
    """
    combat, count = table.running_combat, len(table.cards_at(WON))
    deal = combat.deal or Deal()
    if deal.all_of_them:
        return (combat.helper,) * count
    if deal.picks:
        named_picks = tuple(combat.main if who == "main" else combat.helper for who in deal.picks)
    else:  # the deal names no order, so main begins and they pick in turn
        theirs = min(deal.treasures, count)
        ours = (combat.main,) * (count - theirs)
        pairs = zip_longest(ours, (combat.helper,) * theirs)
        named_picks = tuple(seat for pair in pairs for seat in pair if seat is not None)
    return (*islice(named_picks, count), *(combat.main,) * (count - len(named_picks)))


@named("mk.Sharing")
@dataclass(frozen=True)
class Sharing(CardPrompt):
    """The picking of the treasures that lie open, in the agreed order.

    Afterwards the players may put down what they received (MK-24.6).
    MK-16.4: With a helper the treasures are shared by the deal.
    MK-26.4: What all can see to have only one possible outcome is settled without asking.
    """

    order: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.7", "MK-13.8", "MK-16.4")
    moment: ClassVar[str] = "rewards"

    def prompted_seats(self, state: Table) -> tuple[int, ...]:
        return self.order[:1] if len(set(self.order)) > 1 and len(set(state.cards_at(WON))) > 1 else ()

    def possible_answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(PickTreasure, dict.fromkeys(state.cards_at(WON)))

    def check_answer(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, PickTreasure):
            raise NotAsked("pick_a_treasure", "MK-16.4", move=move.TAG)
        check_treasure(state, move.card)

    def apply_answer(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickTreasure)
        yield StepReplaced(Sharing(self.order[1:]))
        yield pick_treasure(state, int(seat), move.card)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield StepPopped()
        for seat, card in zip(self.order, state.cards_at(WON), strict=False):
            yield pick_treasure(state, seat, card)


def check_treasure(table: Table, card: str) -> None:
    """Raise IllegalMove unless this treasure lies open (MK-16.4)."""
    if card not in table.cards_at(WON):
        raise IllegalMove("not_among_these", "MK-16.4", card=card)


def pick_treasure(table: Table, seat: int, card: str) -> Event:
    """Return the event with which an open treasure goes to a hand.

    MK-26.7: Treasures won are put into the hand first.
    """
    return TreasurePicked(WON, HANDS[seat], (card,), cards_arriving(table, seat, (card,)), seat)
