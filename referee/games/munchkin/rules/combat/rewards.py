"""What a kill brings: levels, the victory, treasures, what the monster gives, the deal.

Clauses: MK-3.4, MK-3.5, MK-4.9, MK-13.5 to MK-13.8, MK-16.1 to MK-16.9, MK-22.1, MK-22.2, MK-26.7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import ClassVar

from referee.cardscript.hidden_cards import coming_to
from referee.cardscript.questions import Asking
from referee.engine.codec import named
from referee.engine.events import Event, Move, changed
from referee.engine.rulings import Refused
from referee.engine.seats import Seat
from referee.engine.steps import Became, Cleared, Closed, Opened, Step
from referee.games.munchkin.components import FACES, HANDS, TOP_LEVEL, WON
from referee.games.munchkin.derived import big_items, big_limit, is_free, summed
from referee.games.munchkin.events.cards import TreasurePicked
from referee.games.munchkin.events.combat import PromiseLapsed
from referee.games.munchkin.events.course import GameWon, LevelsGained
from referee.games.munchkin.moves import PickTreasure, PlayCard
from referee.games.munchkin.rules.cards import playing
from referee.games.munchkin.rules.cards.texts import has_text, text_of
from referee.games.munchkin.rules.combat import fighting, helping
from referee.games.munchkin.rules.drawing import TurnUpTreasures, draw
from referee.games.munchkin.rules.items.discarding import passed
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import treasures_of
from referee.games.munchkin.values import NOBODY, Deal

STAGES = ("levels", "treasures", "gifts", "sharing", "extra", "items", "plays", "end")


@named("mk.Spoils")
@dataclass(frozen=True)
class Spoils(Step):
    """The rewards of a kill, one after the other in the order of MK-16.8; `at` is the next, `done` how far it got."""

    at: str = "levels"
    done: int = 0
    clauses: ClassVar[tuple[str, ...]] = ("MK-3.4", "MK-16.8")

    def resolve(self, state: Table) -> Iterator[Event]:
        match self.at:
            case "levels":
                yield from self._levels(state)
            case "treasures":
                yield self._next()
                yield from self._treasures(state)
            case "gifts":
                yield from self._gifts(state)
            case "sharing":
                yield self._next()
                if state.place(WON):
                    yield Opened(Sharing(picking_order(state)))
            case "extra":
                yield self._next()
                helper = state.fight.helper
                if helper != NOBODY and (count := summed(state, helper, "help_treasures")):
                    yield draw(state, helper, "treasure", count)
            case "items":
                yield from self._items(state)
            case "plays":
                yield from self._plays(state)
            case _:
                yield Closed()
                yield from fighting.ended(state, "killed")

    def _next(self) -> Event:
        return Became(Spoils(STAGES[STAGES.index(self.at) + 1]))

    def _levels(self, table: Table) -> Iterator[Event]:
        """Main alone rises, by what is killed now and by nothing else of the combat (MK-3.3, MK-13.12, MK-16.7)."""
        main, before = table.fight.main, table.levels[table.fight.main]
        level = min(before + helping.gain_of(table), TOP_LEVEL)  # MK-22.2
        yield self._next()
        if level > before:
            yield LevelsGained(main, level - before, level, table.fight.foes[0].card)
        if level >= TOP_LEVEL:
            yield GameWon(main)
            yield Cleared()

    def _treasures(self, table: Table) -> Iterator[Event]:
        """Main draws, whoever's strength or power has won (MK-16.2, MK-16.5)."""
        combat = table.fight
        count = sum(map(treasures_of, combat.foes)) + summed(table, combat.main, "treasures")
        if not count:
            return
        if combat.helper == NOBODY:
            yield draw(table, combat.main, "treasure", count)  # MK-16.3
        else:
            yield Opened(TurnUpTreasures(count))

    def _gifts(self, table: Table) -> Iterator[Event]:
        foes = [foe for foe in table.fight.foes if has_text(table, foe.of, "reward")]
        if self.done < len(foes):
            yield Became(changed(self, done=self.done + 1))
            foe = foes[self.done]
            yield Opened(text_of(table, foe.of, "reward", table.fight.main, monster=foe.card))
        else:
            yield self._next()

    def _items(self, table: Table) -> Iterator[Event]:
        combat = table.fight
        items = combat.deal.items if combat.deal is not None else ()
        if self.done >= len(items):
            yield self._next()
            return
        item = items[self.done]
        yield Became(changed(self, done=self.done + 1))
        full = FACES[item].big and not is_free(table, item)
        full = full and len(big_items(table, combat.helper)) >= big_limit(table, combat.helper)
        if item not in table.items(combat.main) or full:
            yield PromiseLapsed(combat.main, combat.helper, item)  # MK-7.10
        else:
            yield passed(table, item, combat.main, combat.helper)

    def _plays(self, table: Table) -> Iterator[Event]:
        combat = table.fight
        plays = combat.deal.plays if combat.deal is not None else ()
        if self.done >= len(plays):
            yield self._next()
            return
        move = PlayCard(plays[self.done], seat=combat.helper)
        yield Became(changed(self, done=self.done + 1))
        try:
            playing.check_card(table, combat.main, move, "promise")
        except Refused:
            yield PromiseLapsed(combat.main, combat.helper, move.card)
        else:
            yield from playing.carried_out(table, combat.main, move)


def picking_order(table: Table) -> tuple[int, ...]:
    """Who gets the treasures that lie open, one after the other, by the deal; the rest is main's (MK-13.8, MK-16.4)."""
    combat, count = table.fight, len(table.place(WON))
    deal = combat.deal or Deal()
    if deal.all_of_them:
        return (combat.helper,) * count
    if deal.picks:
        named_picks = tuple(combat.main if who == "main" else combat.helper for who in deal.picks)
    else:  # nothing was said of the order: main begins, and then turn by turn
        theirs = min(deal.treasures, count)
        ours = (combat.main,) * (count - theirs)
        pairs = zip_longest(ours, (combat.helper,) * theirs)
        named_picks = tuple(seat for pair in pairs for seat in pair if seat is not None)
    return (*islice(named_picks, count), *(combat.main,) * (count - len(named_picks)))


@named("mk.Sharing")
@dataclass(frozen=True)
class Sharing(Asking):
    """The treasures that lie open are picked in the agreed order (MK-16.4); where only one is left to pick, it is
    settled without asking (MK-26.4). What was received may be put down afterwards (MK-24.6)."""

    order: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("MK-13.7", "MK-13.8", "MK-16.4")
    moment: ClassVar[str] = "rewards"

    def asked(self, state: Table) -> tuple[int, ...]:
        return self.order[:1] if len(set(self.order)) > 1 and len(set(state.place(WON))) > 1 else ()

    def answers(self, state: Table, seat: Seat) -> Iterable[Move]:
        return map(PickTreasure, dict.fromkeys(state.place(WON)))

    def judged(self, state: Table, seat: Seat, move: Move) -> None:
        if not isinstance(move, PickTreasure):
            raise Refused("pick_a_treasure", "MK-16.4", move=move.TAG)
        if move.card not in state.place(WON):
            raise Refused("not_among_these", "MK-16.4", card=move.card)

    def answered(self, state: Table, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickTreasure)
        yield Became(Sharing(self.order[1:]))
        yield picked(state, int(seat), move.card)

    def resolve(self, state: Table) -> Iterator[Event]:
        yield Closed()
        for seat, card in zip(self.order, state.place(WON), strict=False):
            yield picked(state, seat, card)


def picked(table: Table, seat: int, card: str) -> Event:
    """The fact with which a treasure that lies open comes to a hand (MK-26.7)."""
    return TreasurePicked(WON, HANDS[seat], (card,), coming_to(table, seat, (card,)), seat)
