"""What a viewer can foresee of a correction: which later moves stay, which cannot.

A claimant may name anything as right in place of an entry. So an answer computed from the full state would reveal cards
that the claimant must not see. Each viewer therefore learns only what follows from its own view. If a later move needs
a card that the viewer does not see, the viewer learns only that its fate shows once the table has chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.arbitration.remedies.manual_corrections import RULE_FAILURES
from referee.arbitration.remedies.rejudging import (
    Rejudged,
    can_repeat_move,
    find_repeatable_events,
    has_game_events,
    rejudge_entries,
)
from referee.arbitration.replay.divergence import is_game_entry
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.referee import seats_that_must_act
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import CHANCE, FULL_VIEWER, Seat
from referee.engine.zones import is_back, is_open_to
from referee.match.aggregate import FINAL_STATUSES, Match, MatchEnded
from referee.match.entries import LogEntry, replay_entries
from referee.match.events.dispute_events import MoveRemade, RefusedMoveMade, TableCorrected
from referee.match.evidence import Evidence
from referee.match.game_moves import apply_all, decide_move
from referee.match.house_readings import follow_readings

Events = tuple[Event, ...]
Piles = dict[str, tuple[str, ...]]
# Clauses by which a move is refused whatever cards the seat holds.
CARD_INDEPENDENT_CLAUSES = frozenset({"KERNEL-TURN-1", "KERNEL-MOVE-1", "KERNEL-OVER-1"})


@dataclass(frozen=True)
class Correction:
    """What is right in place of what is disputed.

    Without `move` and `same` nothing is made in place of the entry.
    """

    skip: int  # the entry that is left out; 0: none
    seat: int | None = None  # who makes the move
    move: Move | None = None
    same: bool = False  # the move is that of the entry left out, made again
    knowing: tuple[int, ...] | None = None  # the seats that may know the correction; None: everybody

    def find_replacement(self, entry: LogEntry | None) -> tuple[Seat, Move] | None:
        """Return seat and move made in place of `entry`, which is left out."""
        move = entry.move if self.same and entry is not None else self.move
        return None if self.seat is None or move is None else (Seat(self.seat), move)


@dataclass(frozen=True)
class Forecast:
    """What a viewer can foresee of a correction."""

    keeps: tuple[int, ...] = ()  # versions of later moves that stay
    drops: tuple[int, ...] = ()  # versions of later moves that cannot be made again
    unsure: tuple[int, ...] = ()  # versions of which the viewer cannot tell
    illegal: bool = False  # what is claimed to be right is against the rules itself
    blind: bool = False  # the viewer may not even know the correction
    no_move: bool = False  # the first entry that cannot be made again was no move
    piles_stay: bool = False  # what is hidden from all lies as it did
    after: Match | None = None  # the match then, as the viewer would see it; None: unknown


def forecast_correction(evidence: Evidence, correction: Correction, to: int, viewer: int) -> Forecast:
    """Return what a viewer can foresee of a correction upon the table at entry `to`."""
    if viewer == FULL_VIEWER:
        return _forecast_in_full(evidence, correction, to)
    entries = [
        entry
        for entry in evidence.list_entries_since(to)
        if entry.version != correction.skip and has_game_events(entry)
    ]
    later = tuple(entry.version for entry in entries if is_game_entry(entry) or find_repeatable_events(entry.events))
    if correction.knowing is not None and viewer not in correction.knowing:
        return Forecast(unsure=later, blind=True)
    return _ViewerForecast(evidence, correction, to, viewer).build_forecast(later)


def rejudge_with_correction(evidence: Evidence, correction: Correction, to: int) -> Rejudged:
    """Carry out a correction on the full state and judge the rest again.

    Raises IllegalMove, Undetermined.
    """
    return rejudge_entries(
        evidence, to, correction.find_replacement(evidence.find_entry(correction.skip)), correction.skip
    )


def _forecast_in_full(evidence: Evidence, correction: Correction, to: int) -> Forecast:
    try:
        again = rejudge_with_correction(evidence, correction, to)
    except (IllegalMove, Undetermined):
        return Forecast(illegal=True)
    stay = are_piles_unchanged(evidence.match, again.after)
    return Forecast(again.keeps, again.drops, no_move=again.no_move, piles_stay=stay, after=again.after)


def are_piles_unchanged(before: Match, after: Match) -> bool:
    """Tell whether the hidden piles are the same in both matches.

    Then a correction lets nobody know more of them.
    """
    return _get_hidden_piles(before) == _get_hidden_piles(after)


def _get_hidden_piles(match: Match) -> Piles:
    return {place: cards for place, cards in _get_zones(match).items() if place.endswith(":")}


def _get_zones(match: Match) -> Piles:
    zones: Piles = getattr(match.state, "zones", {})
    return zones


class _ViewerForecast:
    """A correction tried on the log as one viewer was shown it."""

    def __init__(self, evidence: Evidence, correction: Correction, to: int, viewer: int) -> None:
        self.correction, self.to, self.viewer = correction, to, viewer
        self.pairs = [(entry, _redact_entry(entry, viewer)) for entry in evidence.effective_entries]
        self.then = evidence.reinterpret(
            replay_entries(Match(), (seen for entry, seen in self.pairs if entry.version <= to))
        )

    def build_forecast(self, later: tuple[int, ...]) -> Forecast:
        """Return the forecast; `later` are the versions that would be made again."""
        skipped = next((seen for entry, seen in self.pairs if entry.version == self.correction.skip), None)
        match, then, keeps, foreseeable = self.then, self.then, list[int](), True
        # How the piles changed, as it was and as it would be.
        trails = [[_get_hidden_piles(then)], [_get_hidden_piles(then)]]
        try:
            if self.correction.seat is not None:
                match = _apply_and_trail(
                    match, _compute_visible_events(match, *self._require_replacement(skipped)), trails[1]
                )
                if self.correction.same and skipped is not None:
                    foreseeable = _asks_alike(match, replay_entries(then, [skipped]))
        except IllegalMove:
            return Forecast(illegal=True)
        except HiddenFromViewerError:
            return self._build_unsure_forecast((), later)
        for entry, seen in self.pairs:
            if entry.version <= self.to:
                continue
            if entry.version in later:
                try:
                    match = _apply_and_trail(match, self._repeat_entry(match, then, entry, seen), trails[1])
                except IllegalMove:
                    if not foreseeable:
                        return self._build_unsure_forecast(tuple(keeps), later[len(keeps) :])
                    return Forecast(tuple(keeps), drops=later[len(keeps) :], after=self._find_final_match(match))
                except HiddenFromViewerError:
                    return self._build_unsure_forecast(tuple(keeps), later[len(keeps) :])
                keeps.append(entry.version)
            then = replay_entries(then, [seen])
            foreseeable = foreseeable and (entry.version not in later or _asks_alike(match, then))
            match = apply_all(match, follow_readings(match, then))
            _record_piles(then, trails[0])
        after = self._find_final_match(match) if foreseeable else None
        return Forecast(tuple(keeps), piles_stay=trails[0] == trails[1], after=after)

    def _require_replacement(self, skipped: LogEntry | None) -> tuple[Seat, Move]:
        """Return the move made in place of what is disputed.

        Raises HiddenFromViewerError.
        """
        made = self.correction.find_replacement(skipped)
        if made is None:
            raise HiddenFromViewerError
        return made

    def _build_unsure_forecast(self, keeps: tuple[int, ...], unsure: tuple[int, ...]) -> Forecast:
        """Return a forecast that the viewer cannot follow to the end.

        Real cards lie in an order that no correction can know, so their piles stay.
        """
        return Forecast(keeps, unsure=unsure, piles_stay=self.then.rules.has_hidden_real_cards(self.then.setup))

    def _find_final_match(self, match: Match) -> Match | None:
        """Return the final match; None if it holds new cards that the viewer would see.

        The forecast does not know those cards.
        """
        if match.rules.has_hidden_real_cards(match.setup):
            return match
        drawn = any(
            is_open_to(place, self.viewer) and any(map(is_back, cards)) for place, cards in _get_zones(match).items()
        )
        return None if drawn or _is_chance_awaited(match) else match

    def _repeat_entry(self, match: Match, then: Match, entry: LogEntry, seen: LogEntry) -> Events:
        """Return the events of an entry made again.

        Raises IllegalMove if it cannot be made, HiddenFromViewerError if the viewer cannot tell.
        """
        left = find_repeatable_events(seen.events)
        if (
            not is_game_entry(entry)
            and all(isinstance(event, MatchEnded) for event in left)
            and match.status not in FINAL_STATUSES
        ):
            return left  # the table ended the match, whatever was played
        if not is_game_entry(entry) or any(
            isinstance(event, TableCorrected | MoveRemade | RefusedMoveMade) for event in left
        ):
            raise HiddenFromViewerError  # a court's correction is made again, which may rest on hidden cards
        if _is_chance_awaited(match) and entry.seat != CHANCE and not match.rules.has_hidden_real_cards(match.setup):
            raise HiddenFromViewerError  # the server knows what chance would show there
        if not can_repeat_move(match, then, seen):
            raise IllegalMove("court.not_offered", "TABLE-REMEDY-2")
        if seen.move is None:
            raise HiddenFromViewerError
        return _compute_visible_events(match, Seat(entry.seat), seen.move)


class HiddenFromViewerError(Exception):
    """What follows from a move depends on cards that the viewer does not see."""


def _redact_entry(entry: LogEntry, viewer: int) -> LogEntry:
    """Return an entry as the viewer was shown it."""
    move, events = entry.view_for(viewer)
    return replace(entry, move=move, events=events)


def _apply_and_trail(match: Match, events: Events, trail: list[Piles]) -> Match:
    """Return the match after these events, and add its piles to the trail."""
    match = apply_all(match, events)
    _record_piles(match, trail)
    return match


def _record_piles(match: Match, trail: list[Piles]) -> None:
    if (piles := _get_hidden_piles(match)) != trail[-1]:
        trail.append(piles)


# -- what the viewer knows of one move ---------------------------------------------------------------------------------


def _compute_visible_events(match: Match, seat: Seat, move: Move) -> Events:
    """Return what follows from a move upon a match as the viewer sees it.

    Raises IllegalMove if the viewer sees that it cannot be made, HiddenFromViewerError if hidden cards decide that.
    """
    held, names = not _is_real_card_move(match, seat), list(iterate_strings(encode(move)))
    cards = match.rules.own_card_ids
    named = {name.partition("#")[0] for name in names} & cards
    if any(map(is_back, names)) or (held and named - set(iterate_strings(encode(match.state)))):
        raise HiddenFromViewerError
    try:
        events = decide_move(match, seat, move)
    except IllegalMove as refused:
        if held and named and not CARD_INDEPENDENT_CLAUSES & set(refused.ruling.clauses):
            raise HiddenFromViewerError from None  # somebody may hold another copy of a card that the viewer sees
        raise
    except (Undetermined, *RULE_FAILURES):  # the rules expect a full state; the viewer sees a part of it
        raise HiddenFromViewerError from None
    if held and _reveals_hidden_card(match, events):
        raise HiddenFromViewerError
    return events


def _asks_alike(match: Match, then: Match) -> bool:
    """Tell whether an entry made again led to the same questions as it did.

    If not, hidden cards may decide what follows from it, and the viewer cannot tell how it goes on.
    """
    mine, shown = (
        [] if each.state is None else [step.question_name() for step in each.state.agenda] for each in (match, then)
    )
    return mine == shown


def _is_chance_awaited(match: Match) -> bool:
    return match.state is not None and CHANCE in seats_that_must_act(match.state)


def _is_real_card_move(match: Match, seat: Seat) -> bool:
    """Tell whether real cards are moved, of which the referee knows only some.

    It knows those that were named, and the cards of bots at every table.
    """
    return match.rules.has_hidden_real_cards(match.setup) and (seat == CHANCE or seat not in match.setup.named)


def _reveals_hidden_card(match: Match, events: Events) -> bool:
    """Tell whether these events name a card that is hidden from the viewer."""
    for event in events:
        after = apply_all(match, [event])
        was, now = _count_named_cards(match), _count_named_cards(after)
        if now - was:
            return True
        match = after
    return False


def _count_named_cards(match: Match) -> Counter[str]:
    """Return the cards that lie by name."""
    return Counter(card for cards in _get_zones(match).values() for card in cards if not is_back(card))


def iterate_strings(data: object) -> Iterable[str]:
    """Yield all texts in JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for part in data.values():
            yield from iterate_strings(part)
    elif isinstance(data, list | tuple):
        for part in data:
            yield from iterate_strings(part)
