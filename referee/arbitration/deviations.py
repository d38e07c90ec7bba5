"""Moves against the rules that nobody noticed: recorded as having happened, with the ruling that they stand.

Whether a move is against the rules, and what came of it, is worked out first on what whoever asks sees of the table, so
that no answer tells him of a hidden card. Where the move names a card that only another seat sees, that seat is asked
too, even by an arbiter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

from referee.arbitration import auto_ruling, disputes
from referee.arbitration.remedies.manual_corrections import lies_open, put_right
from referee.engine.events import Event, Move, fold
from referee.engine.game import Malformed
from referee.engine.referee import carried_out, considered, heard, judge, view
from referee.engine.rulebook.book import KERNEL
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER, Seat
from referee.engine.steps import State
from referee.engine.zones import is_back, open_to
from referee.match.aggregate import Match, happened
from referee.match.events.deviation_events import (
    ConsentDeviation,
    Deviate,
    Deviated,
    DeviationAsked,
    DeviationGranted,
    DeviationRefused,
)
from referee.match.events.dispute_state import Deviation
from referee.match.evidence import Evidence
from referee.match.game_moves import ended, playable

Facts = tuple[Event, ...]
LOOKED_AT = 2000  # candidates that are looked at for the kinds of move a question takes
IMPOSSIBLE = "court.deviation_impossible"


def found(match: Match, number: int) -> Deviation:
    """The deviation of this number. Raises Refused."""
    deviation = next((each for each in match.deviations if each.number == number), None)
    if deviation is None:
        raise Refused("court.no_such_deviation", "TABLE-DEVIATION-2", deviation=number)
    return deviation


def awaited(match: Match, deviation: Deviation) -> tuple[int, ...]:
    """The seats that a deviation still waits for."""
    if deviation.stage != "asked":
        return ()
    return tuple(sorted(set(deviation.asks) & disputes.voices(match) - set(deviation.granted)))


def _asked(evidence: Evidence, ask: Deviate) -> Facts:
    match, number = evidence.match, evidence.version + 1
    playable(match)
    if not 0 <= ask.seat < len(match.chairs):
        raise Refused("no_such_seat", "TABLE-SEAT-1", seat=ask.seat)
    move = _named(match, ask)
    _against_the_rules(match, ask, move)
    there = disputes.voices(match)
    trusted = ask.by == "arbiter" and not ask.seats and "arbiter" in match.courts.levels
    others = set() if trusted else set(there) - set(ask.seats)
    others |= _holders(match, ask, move) - set(ask.seats)
    asked = DeviationAsked(
        number, ask.by, ask.seat, ask.move, ask.cites, ask.reason, ask.fix, tuple(sorted(others)),
        tuple(sorted(there & set(ask.seats))),
    )  # fmt: skip
    return (asked, *(() if others else _recorded(match, asked.apply(match).deviations[-1])))


def _named(match: Match, ask: Deviate) -> Move:
    """The move of a deviation. Raises Malformed where it is none of the game, or a clause is none."""
    move, known = auto_ruling.named_move(ask.move), match.rules.book
    if type(move) not in match.rules.moves:
        raise Malformed([{"pointer": "/move/type", "detail": "no such move in this game"}])
    for at, name in enumerate(ask.cites):
        if name not in known.clauses and name not in KERNEL.clauses and not name.startswith("TABLE-"):
            raise Malformed([{"pointer": f"/clauses/{at}", "detail": "no such clause in this game"}])
    return move


def _eyes(ask: Deviate) -> Seat:
    """The eyes of whoever asks: those of the seat that moved, if it is his, else of his first, else everybody's."""
    own = ask.seat if ask.seat in ask.seats else min(ask.seats, default=int(BYSTANDER))
    return Seat(own)


def _against_the_rules(match: Match, ask: Deviate, move: Move) -> None:
    """Raises Refused where the move may be legal, as far as whoever asks can see."""
    assert match.state is not None
    if judge(view(match.state, _eyes(ask)), Seat(ask.seat), move).verdict != "refused":
        raise Refused("court.move_legal", "TABLE-DEVIATION-1")


def _holders(match: Match, ask: Deviate, move: Move) -> set[int]:
    """The seats that alone see a card which the move names, and which whoever asks does not see; the seat that moved,
    where it may have moved with such cards and it cannot be told without them.

    Raises Refused, Malformed where it cannot be carried out on what he sees, or names a card that no person sees.
    """
    assert match.state is not None
    for at, each in enumerate(ask.fix):  # whether another value could stand there would tell which one does
        if "set" in each and not lies_open(match, str(each["set"]), (int(_eyes(ask)),)):
            raise Malformed([{"pointer": f"/fix/{at}/set", "detail": "only what lies open to you can be set"}])
    seen: State = view(match.state, _eyes(ask))
    before = replace(match, state=seen)
    try:
        facts = _came(before, Seat(ask.seat), move, ask.fix, seen)
    except Refused as refused:
        unseen = not ask.fix and refused.ruling.reason == IMPOSSIBLE and _hides(match, ask)
        if not unseen or ask.seat not in disputes.voices(match):
            raise
        return {ask.seat}
    people, holders = disputes.voices(match), set[int]()
    for fact in facts:
        after = happened(before, fact)
        for place in _named_from(before.state, after.state):
            if any(not is_back(card) for card in _zones(match.state).get(place, ())):
                eyes = {seat for seat in range(len(match.chairs)) if open_to(place, seat)}
                if not eyes or not eyes <= people:
                    raise Refused(IMPOSSIBLE, "TABLE-DEVIATION-3")
                holders |= eyes
        before = after
    return holders


def _named_from(before: State | None, after: State | None) -> list[str]:
    """The places from which a fact took cards that were hidden, and named them."""
    was, now = _zones(before), _zones(after)
    if not _lying(now) - _lying(was):
        return []
    return [place for place, cards in was.items() if sum(map(is_back, cards)) > sum(map(is_back, now.get(place, ())))]


def _hides(match: Match, ask: Deviate) -> bool:
    """Whether the seat that moved sees cards by name that whoever asks does not see."""
    assert match.state is not None
    own, eyes = ask.seat, int(_eyes(ask))
    return any(
        open_to(place, own) and not open_to(place, eyes) and any(not is_back(card) for card in cards)
        for place, cards in _zones(match.state).items()
    )


def _zones(state: State | None) -> dict[str, tuple[str, ...]]:
    zones: dict[str, tuple[str, ...]] = getattr(state, "zones", {})
    return zones


def _lying(zones: dict[str, tuple[str, ...]]) -> Counter[str]:
    """The cards that lie by name."""
    return Counter(card for cards in zones.values() for card in cards if not is_back(card))


def _came(match: Match, seat: Seat, move: Move, fix: tuple[Any, ...], state: State) -> Facts:
    """What came of a move that the rules forbid: as it is put right by hand, else what the open question makes of it.

    Raises Refused where it cannot be, Malformed where the corrections have the wrong form.
    """
    if fix:
        return put_right(match, fix)
    if seat not in heard(state) or not _takes(state, seat, move):
        raise Refused("court.deviation_needs_fix", "TABLE-DEVIATION-3")
    try:
        facts = carried_out(state, seat, move)
        after = fold(state, facts)
        written = match.rules.written(after)
        match.rules.position(written)  # no fourth heart: whatever a position may not say is impossible
        possible = match.rules.census(written)["possible"]
    except Exception as broken:  # without the check that guards it a step may break in any way: so it cannot be
        raise Refused(IMPOSSIBLE, "TABLE-DEVIATION-3") from broken
    if not possible or after == state:
        raise Refused(IMPOSSIBLE, "TABLE-DEVIATION-3")
    return (*facts, *ended(match, facts))


def _takes(state: State, seat: Seat, move: Move) -> bool:
    """Whether the open question takes moves of this kind at all; of others a step would make what it likes."""
    return any(type(other) is type(move) for other, _ in islice(considered(state, seat), LOOKED_AT))


def _recorded(match: Match, deviation: Deviation) -> Facts:
    """The facts of a deviation that everybody who is asked agrees to. Why it cannot be, should that turn on hidden
    cards, is not told."""
    assert match.state is not None
    seat, move = Seat(deviation.seat), auto_ruling.named_move(deviation.move)
    public = judge(view(match.state, BYSTANDER), seat, move)
    against = public.clauses if public.verdict == "refused" else ()
    stands = Deviated(
        deviation.number, deviation.by, deviation.seat, deviation.move, deviation.cites, against, deviation.reason
    )
    try:
        return (stands, *_came(match, seat, move, deviation.fix, match.state))
    except (Refused, Malformed):
        raise Refused(IMPOSSIBLE, "TABLE-DEVIATION-3") from None


def _consented(evidence: Evidence, ask: ConsentDeviation) -> Facts:
    match, deviation = evidence.match, found(evidence.match, ask.deviation)
    if deviation.stage == "overtaken":
        raise Refused("court.deviation_overtaken", "TABLE-DEVIATION-2", deviation=ask.deviation)
    if deviation.stage != "asked":
        raise Refused("court.deviation_closed", "TABLE-DEVIATION-2", deviation=ask.deviation)
    by = tuple(sorted(set(awaited(match, deviation)) & set(ask.by)))
    if not by:
        raise Refused("court.no_say_in_deviation", "TABLE-DEVIATION-2", deviation=ask.deviation)
    if not ask.grant:
        return (DeviationRefused(ask.deviation, by),)
    playable(match)
    granted = DeviationGranted(ask.deviation, by)
    after = found(granted.apply(match), ask.deviation)
    return (granted, *(() if awaited(match, after) else _recorded(match, after)))


DECIDES: dict[type[Move], Callable[[Evidence, Any], Facts]] = {
    Deviate: _asked,
    ConsentDeviation: _consented,
}
