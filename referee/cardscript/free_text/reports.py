"""What a report on a free text may list, and what follows from it.

Whether it may is judged by what its player sees, so a refusal reveals nothing.
CARDS-FREE-1: A text that no words say is carried out by its player, who lists what it changed.
CARDS-FREE-2: A report moves cards that its player sees or that lie on top of a pile, or has one picked by chance; it
    sets what lies open to all; it has cards drawn. It sets off no other text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.cardscript.free_text.changes import CardMove, CardsToDraw, Change, NewValue
from referee.cardscript.free_text.events import (
    CardMovedAsWritten,
    ValueSetAsWritten,
    replace_value,
)
from referee.cardscript.free_text.games import find_game
from referee.cardscript.hidden_cards import can_name_card
from referee.cardscript.table import HAND_PLACES, UNCOUNTED_CARDS
from referee.engine.chance import ONLY_CHANCE, ChanceStep, PickResult, RandomBelow
from referee.engine.codec import named
from referee.engine.events import Event, Move, replace_fields
from referee.engine.positions.table import UNKNOWN
from referee.engine.rulebook.book import Text
from referee.engine.rulings import ContradictoryPosition, IllegalMove, MalformedInput, Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import NO_SEATS, Step, StepPopped, StepPushed, require_move
from referee.engine.zones import Cards, CardsForgotten, back_of, is_back

CLAUSE = "CARDS-FREE-2"
WRITING_FAILURES = (LookupError, ValueError, TypeError, AttributeError, AssertionError)
UNWRITABLE = "a value that is set is out of range"
MISPLACED = "a card does not belong where it goes"
FACE_DOWN = ":"  # stands for all piles that nobody sees


def build_report_events(table: Any, by: int, changes: tuple[Change, ...]) -> tuple[Event, ...]:
    """Return the events of a report, the steps that have to follow last, or a win.

    Raises IllegalMove if its player may not list that, or if a change needs what only those steps draw or pick.
    """
    events: list[Event] = []
    later: list[Step] = []
    unsettled: set[str] = set()
    after, seen = table, table.view_for(by)
    before = seen
    for number, change in enumerate(changes, 1):
        if isinstance(change, CardMove) and not _is_pick(change) and unsettled & _list_places(change):
            raise IllegalMove("not_drawn_yet", CLAUSE, number=number)
        _require_free_place(after, change, later, number)
        built = tuple(_build_change_events(after, seen, by, change, number))
        if all(isinstance(event, StepPushed) for event in built):
            unsettled |= _list_places(change)
        for event in built:
            if isinstance(event, StepPushed):
                later.append(event.step)
            else:
                events.append(event)
                after, seen = event.apply(after), _mask_unseen(seen, event).apply(seen)
    won = tuple(find_game(table).decide_reported_win(after))
    for event in won:
        seen = event.apply(seen)
    if events:
        _require_possible_table(before, seen)
    if won:
        return (*events, *won)
    steps = (find_game(table).mark_reported_step(after, step) for step in reversed(later))
    return (*events, *map(StepPushed, steps))  # the first one is carried out first


def _is_pick(change: CardMove) -> bool:
    """Return whether a card is picked out of a hand unseen.

    Picks by chance follow each other, and draws, in the order of the report.
    """
    return is_back(change.move) and not change.source.endswith(":")


def _list_places(change: Change) -> set[str]:
    """Return the places whose cards a change concerns, all face-down piles as one."""
    match change:
        case CardMove(_, source, target):
            return {FACE_DOWN if place.endswith(":") else place for place in (source, target)}
        case CardsToDraw(_, seat):
            return {FACE_DOWN, HAND_PLACES[seat]}
        case NewValue():
            return set()


def _mask_unseen(seen: Any, event: Event) -> Event:
    """Return an event as its player foresees it.

    A card that only now comes to lie openly stays a back.
    """
    if not isinstance(event, CardMovedAsWritten) or event.took[0] in seen.cards_at(event.source):
        return event
    back = (back_of(event.took[0]),)
    return replace_fields(event, took=back, put=back)


def _build_change_events(table: Any, seen: Any, by: int, change: Change, number: int) -> Iterator[Event]:
    match change:
        case CardMove():
            yield from _move_card(table, seen, by, change, number)
        case NewValue():
            yield _set_value(table, by, change, number)
        case CardsToDraw(count, seat, source):
            if not 0 <= seat < table.rules.seats:
                raise IllegalMove("no_such_change", CLAUSE, number=number)
            yield find_game(table).draw_reported_cards(table, seat, source, count)


# ---- a card ----------------------------------------------------------------------------------------------------------


def _move_card(table: Any, seen: Any, by: int, change: CardMove, number: int) -> Iterator[Event]:
    card, source, target, game = change.move, change.source, change.target, find_game(table)
    there: Cards = seen.cards_at(source)
    if not game.is_place(seen, target) or (target == source and not target.endswith(":")):
        raise IllegalMove("no_place_for_card", CLAUSE, number=number)
    if card in there and not is_back(card):
        yield _build_move(table, by, change, card, card)
    elif card in there:
        _require_any_card(table, change, number)
        yield from _move_unseen_card(table, by, change)
        yield from _disclose_hands(table, source, target)
    elif table.rules.cards_at_table and back_of(card) in there and can_name_card(seen, source, card):
        yield from _forget_names(table, source)
        yield _build_move(table, by, change, back_of(card), card)
        yield from _disclose_hands(table, source)
    else:
        raise IllegalMove("no_such_card_there", CLAUSE, number=number)


def _move_unseen_card(table: Any, by: int, change: CardMove) -> Iterator[Event]:
    """Yield what moves the top card of a pile, or one of a hand that chance picks."""
    back, source = change.move, change.source
    if source.endswith(":"):
        first = next(lying for lying in table.cards_at(source) if back_of(lying) == back)
        target = find_game(table).find_place_of_unseen(source, change.target, first) or change.target
        yield _build_move(table, by, replace_fields(change, target=target), first, first)
    elif table.rules.cards_at_table:  # they pick it themselves, and a bot's hand is read to the referee again
        yield from _forget_names(table, source)
        yield _build_move(table, by, change, back, back)
    else:
        yield StepPushed(RandomReportedCard(by, back, source, change.target, change.top))


def _forget_names(table: Any, source: str) -> Iterator[Event]:
    """Yield what makes the referee forget a bot's real hand.

    So nothing tells whether the bot holds a card that is named.
    """
    if not all(map(is_back, table.cards_at(source))):
        yield CardsForgotten(source)


def _disclose_hands(table: Any, *places: str) -> Iterator[Event]:
    """Yield the steps that read the real hands of bots to the referee again."""
    for holder in filter(lambda seat: seat >= 0, map(_find_holder, places)):
        yield from find_game(table).disclose_reported_cards(table, holder)


def _find_holder(place: str) -> int:
    """Return the seat that alone sees a place, or -1."""
    viewer = place.partition(":")[2]
    return int(viewer) if viewer.isdigit() else -1


def _require_any_card(table: Any, change: CardMove, number: int) -> None:
    """Raise IllegalMove unless a card that nobody names may go to this place.

    Elsewhere its kind matters, so that a refusal would tell of it. At a real table the card has to be named.
    """
    game = find_game(table)
    if not game.find_place_of_unseen(change.source, change.target, change.move):
        is_open = ":" not in change.target and change.target not in game.open_piles
        raise IllegalMove("unseen_card_there" if is_open else "unseen_card_misplaced", CLAUSE, number=number)
    if ":" not in change.target and table.rules.cards_at_table:
        raise IllegalMove("nameless_card_laid_down", CLAUSE, number=number)


def _require_free_place(table: Any, change: Change, later: list[Step], number: int) -> None:
    """Raise IllegalMove if a card goes where only one may lie and the place is taken.

    A card that is still to be picked for it takes it, too.
    """
    if not isinstance(change, CardMove) or change.target not in find_game(table).single_places:
        return
    picks = [step for step in later if isinstance(step, RandomReportedCard)]
    lying = len(table.cards_at(change.target)) - sum(step.from_place == change.target for step in picks)
    if change.target != change.source and lying + sum(step.to_place == change.target for step in picks) > 0:
        raise IllegalMove("place_taken", CLAUSE, number=number)


def _build_move(table: Any, by: int, change: CardMove, took: str, card: str) -> Event:
    """Return the event that moves a card, as both places hold it."""
    put = card
    if ":" in change.target and table.rules.cards_at_table:
        holder = _find_holder(change.target)
        put = card if holder >= 0 and table.rules.knows_hand_of(holder) else back_of(card)
    return CardMovedAsWritten(change.source, change.target, (took,), (put,), by, change.top)


@named("cards.PickingAsWritten")
@dataclass(frozen=True)
class RandomReportedCard(ChanceStep):
    """A card is picked out of a hand by chance, and goes to another place."""

    seat: int
    back: str
    from_place: str
    to_place: str
    top: bool

    def _list_cards(self, table: Any) -> Cards:
        return tuple(sorted(card for card in table.cards_at(self.from_place) if back_of(card) == self.back))

    def awaited_seats(self, state: Any) -> frozenset[Seat]:
        return ONLY_CHANCE if len(self._list_cards(state)) > 1 else NO_SEATS

    def check_move(self, state: Any, seat: Seat, move: Move) -> None:
        move = require_move(move, PickResult)
        if len(move.cards) != 1 or move.cards[0] not in self._list_cards(state):
            raise IllegalMove("not_these_cards", "KERNEL-CHANCE-1")

    def decide_move(self, state: Any, seat: Seat, move: Move) -> Iterator[Event]:
        assert isinstance(move, PickResult)
        yield from self._pick_card(state, move.cards[0])

    def draw_outcome(self, state: Any, below: RandomBelow) -> Move:
        cards = self._list_cards(state)
        return PickResult((cards[below(len(cards))],))

    def resolve(self, state: Any) -> Iterator[Event]:
        cards = self._list_cards(state)
        if cards:
            yield from self._pick_card(state, cards[0])
        else:
            yield StepPopped()  # the card has gone meanwhile

    def _pick_card(self, table: Any, card: str) -> Iterator[Event]:
        yield StepPopped()
        target = find_game(table).find_place_of_unseen(self.from_place, self.to_place, card) or self.to_place
        change = CardMove(card, self.from_place, target, self.top)
        yield _build_move(table, self.seat, change, card, card)


# ---- a value ---------------------------------------------------------------------------------------------------------


def _set_value(table: Any, by: int, change: NewValue, number: int) -> Event:
    if change.set not in find_game(table).list_settable_values(table):
        raise IllegalMove("no_open_value", CLAUSE, number=number)
    try:
        replace_value(table, change.set, change.to)
    except (LookupError, ValueError, TypeError):
        raise IllegalMove("no_open_value", CLAUSE, number=number) from None
    return ValueSetAsWritten(by, change.set, change.to)


# ---- the whole table -------------------------------------------------------------------------------------------------


def _leave_out_turned_up_cards(seen: Any) -> Any:
    """Return a table with unknown cards in each open pile where one is turned up.

    KERNEL-POSITION-1: What a written position leaves out is unknown. Which card it is, nobody knows yet.
    """
    zones = {
        place: (*(card for card in cards if not is_back(card)), UNCOUNTED_CARDS)
        for place, cards in seen.zones.items()
        if place in find_game(seen).open_piles and UNCOUNTED_CARDS not in cards and any(map(is_back, cards))
    }
    return replace_fields(seen, zones={**seen.zones, **zones}) if zones else seen


def _require_possible_table(before: Any, after: Any) -> None:
    """Raise IllegalMove if a table cannot be as its player sees it.

    What was wrong before does not count.
    """
    found, known = _find_contradictions(after), _find_contradictions(before)
    if fresh := sorted(detail for detail in found if detail not in known):
        wrong = found[fresh[0]]
        against = {"against": wrong["clause"]} if wrong.get("clause") else {}
        detail: str | Text = wrong.get("says", fresh[0])
        raise IllegalMove("impossible_report", CLAUSE, "KERNEL-CENSUS-1", detail=detail, **against)


def _find_contradictions(seen: Any) -> dict[str, Mapping[str, Any]]:
    """Return why a table cannot be as its player sees it: errors by their English."""
    seen = _leave_out_turned_up_cards(seen)
    positions = find_game(seen).positions
    try:
        written = positions.encode_position(seen)
        census = positions.check_census(written)
        positions.decode_position(written)
    except (ContradictoryPosition, MalformedInput) as wrong:
        return {MISPLACED if each["detail"].startswith(UNKNOWN) else each["detail"]: each for each in wrong.errors}
    except Undetermined:
        return {}
    except WRITING_FAILURES:  # a number that no table of the game has
        return {UNWRITABLE: {}}
    return {each["says"]["en"]: each for each in census["contradictions"]}
