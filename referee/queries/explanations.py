"""Why an entry is as it is, and how things stand at a moment.

An explanation names the question that was open, the clauses, the numbers, what else was legal, and what is read aloud.
Of a moment it names the question, the sums on the table, and who could do what. All of it is computed from what the
viewer may see: the log is folded from the viewer's view of each event, and of a moment only the view is used. So an
explanation cannot reveal more than log and view do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from referee.engine.breakdown import Term
from referee.engine.codec import encode
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.referee import find_listing_limit, judge_candidates, seats_that_may_act, seats_that_must_act
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import blank_placeholders
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.match.aggregate import Match
from referee.match.entries import LogEntry, effective_entries, has_rewind, up_to_event
from referee.match.errors import UnknownVersion
from referee.match.loaded import LoadedMatch
from referee.queries import views
from referee.queries.visible_entries import (
    VisibleEntry,
    apply_interpretations,
    compute_breakdowns,
    find_active_state,
    find_answered_match,
    tell_entry,
)
from referee.rendering import pickers, summary, texts
from referee.rendering.house_rulings import (
    add_house_notes,
)
from referee.repository.matches import replay_visible
from referee.service.match_service import MatchService

MAX_CANDIDATES = 400  # how many candidates are tried to find which kinds of move a question takes


def explain_entry(service: MatchService, match: str | LoadedMatch, viewer: int, n: int) -> dict[str, Any]:
    """Return why entry `n` is as it is, if the viewer may know.

    `match` is its id, or the match as it was just loaded. Raises UnknownMatch and UnknownVersion. Raises IllegalMove
    for the full viewer while the match runs.
    """
    last = views.load_visible_version(service, match, viewer, None)
    if not 1 <= n <= last.version:
        raise UnknownVersion(n)
    return explain_visible_entry(service, last.match, viewer, n)


def explain_visible_entry(service: MatchService, match: Match, viewer: int, n: int) -> dict[str, Any]:
    """Return the explanation of entry `n`, which exists and is visible to the viewer."""
    (entry,) = service.repository.load_entries(match.id, n - 1, n)

    def back(at: int) -> Match:
        return service.repository.replay_within_entry(entry, at, viewer)

    return explanation_response(
        match.rules, service.repository.replay_for_viewer(match.id, viewer, n - 1), entry, viewer, back
    )


def explain_listed_entry(entries: Sequence[LogEntry], viewer: int, n: int) -> dict[str, Any]:
    """Return the explanation of entry `n` of these entries, without a store.

    They must be all entries from the first. Raises UnknownVersion.
    """
    if not 1 <= n <= len(entries):
        raise UnknownVersion(n)
    before, entry = entries[: n - 1], entries[n - 1]

    def replay(history: Sequence[LogEntry]) -> Match:
        return replay_visible(Match(), effective_entries(history), viewer)

    def back(at: int) -> Match:
        return replay([*before, up_to_event(entry, at)])

    return explanation_response(replay(entries[:1]).rules, replay(before), entry, viewer, back)


def explain_moment(
    service: MatchService, match: str | LoadedMatch, viewer: int, version: int | None = None
) -> dict[str, Any]:
    """Return how things stand at a version (None: now), as the viewer may know.

    `match` and exceptions are as in `load_visible_version`.
    """
    loaded = views.load_visible_version(service, match, viewer, version)
    return {"version": loaded.version, **situation_response(loaded.match.rules, loaded.match, viewer)}


def situation_response(game: Game, match: Match, viewer: int) -> dict[str, Any]:
    """Return the open question, the sums on the table, and what seats could do.

    Of the match only what the viewer sees is used.
    """
    state = find_active_state(match.view_for(viewer))
    if state is None:
        return {"question": None, "sums": [], "could": []}
    open_now = open_question_response(game, state, CHANCE)
    sums = [summary.term_response(game, each) for each in game.breakdowns.compute_totals(state)]
    if match.is_halted:  # the question stays open, but nobody may answer it now
        return {"question": {**open_now, "awaits": [], "admits": []}, "sums": sums, "could": []}
    return {
        "question": open_now,
        "sums": sums,
        "could": [
            {"seat": int(seat), "kinds": move_kinds_response(game, find_possible_moves(state, seat, viewer))}
            for seat in sorted(seats_that_may_act(state))
            if seat >= 0
        ],
    }


def find_possible_moves(state: Any, seat: Seat, viewer: int) -> list[Move]:
    """Return moves that a seat could make, in a state as the viewer sees it.

    For the seat itself and the full viewer these are its legal moves. Other viewers get those that may be legal,
    because to them a hidden card may be any card.
    """
    if viewer in (seat, FULL_VIEWER):
        return find_legal_moves(state, seat)
    candidates = islice(judge_candidates(state, seat, complete=False), MAX_CANDIDATES)
    return [move for move, against in candidates if against is None or against.verdict == "undecided"]


def find_legal_moves(state: Any, seat: Seat) -> list[Move]:
    """Return the legal moves of a seat, up to one more than are listed."""
    most = find_listing_limit(state)
    legal = (
        move for move, against in islice(judge_candidates(state, seat, complete=False), 20 * most) if against is None
    )
    return list(islice(legal, most + 1))


def explanation_response(
    game: Game, before: Match, logged: LogEntry, viewer: int, back: Callable[[int], Match] | None = None
) -> dict[str, Any]:
    """Return the explanation of an entry for a viewer.

    Of `before` only what the viewer sees is used. `back(at)` is the match as the viewer sees it after event `at`, which
    goes back (`MatchRepository.replay_within_entry`). It is needed for an entry that may hold such an event.
    """
    assert back is not None or not has_rewind([logged])
    move, events = logged.view_for(viewer)
    seen = VisibleEntry(before.view_for(viewer), move, events, viewer, back)
    numbers, _ = compute_breakdowns(game, seen)
    seen = replace(seen, before=find_answered_match(seen, logged.seat))
    told = tell_entry(game, logged, seen, numbers)
    why, decides = told.clauses, told.decides
    shown = [
        {
            "n": f"{logged.version}.{at}",
            "type": event.TAG,
            "told": line,
            "clauses": list(apply_interpretations(seen, event.applied_clauses())),
        }
        for at, event in enumerate(events)
        if (line := texts.describe_event(game, event)) is not None
    ]
    return {
        "version": logged.version,
        "at_ms": logged.at_ms,
        "seat": texts.actor_label(logged.seat),
        "actor": texts.actor_response(logged),
        "question": None if logged.seat == BYSTANDER else entry_question_response(game, seen, logged.seat),
        "move": None if move is None else {"move": encode(move), "told": texts.describe_event(game, move)},
        "events": shown,
        "clauses": add_house_notes(used_clauses_response(game, logged, seen, numbers, why, decides), told.notes),
        "numbers": [
            {"n": f"{logged.version}.{at}", **summary.term_response(game, each)}
            for at, found in numbers.items()
            for each in found
        ],
        "otherwise": alternatives_response(game, seen, logged.seat),
        "sentence": told.says,
    }


def entry_question_response(game: Game, seen: VisibleEntry, seat: int) -> dict[str, Any] | None:
    """Return what was asked before an entry, and whom.

    It names the seats awaited and those admitted; None if no game was being played. If the viewer finds nobody awaited,
    it was chance: of a pile to shuffle the viewer sees only backs, which need no shuffle.
    """
    state = find_active_state(seen.before)
    return None if state is None else open_question_response(game, state, seat)


def open_question_response(game: Game, state: Any, otherwise: int) -> dict[str, Any]:
    """Return the open question of a state, and whom it asks.

    If nobody is found to be awaited, it names the seat `otherwise`.
    """
    waited = seats_that_must_act(state) or frozenset({Seat(otherwise)})
    return {
        **texts.question_response(game, state),
        "awaits": [texts.actor_label(each) for each in sorted(waited, reverse=True)],
        "admits": sorted(int(each) for each in seats_that_may_act(state) - waited if each >= 0),
        "clauses": list(state.cite_clauses(state.agenda[-1].clauses)),
    }


def used_clauses_response(
    game: Game,
    logged: LogEntry,
    seen: VisibleEntry,
    numbers: Mapping[int, Sequence[Term]],
    why: tuple[str, ...],
    decides: tuple[str, ...],
) -> list[dict[str, Any]]:
    """Return the clauses in the order of their use, with what each was used for.

    First come those that the entry cites, then the readings of house rulings that decide (`decides`), and those that
    only its numbers and the sentences name.
    """
    state = None if logged.seat == BYSTANDER else find_active_state(seen.before)
    uses: list[tuple[str, tuple[str, ...]]] = [
        ("move", () if seen.move is None else (*apply_interpretations(seen, seen.move.applied_clauses()), *decides)),
        ("question", () if state is None else state.cite_clauses(state.agenda[-1].clauses)),
    ]
    for at, event in enumerate(seen.events):
        counted = (each.clause for number in numbers.get(at, ()) for each in (number, *number.parts))
        uses.append((f"{logged.version}.{at}", apply_interpretations(seen, (*event.applied_clauses(), *counted))))
    uses.append(("sentence", why))
    more = (clause for use, clauses in uses if use not in ("move", "question") for clause in clauses)
    return [
        {**clause, "used_for": [use for use, clauses in uses if clause["id"] in clauses]}
        for clause in texts.clauses_response(game, dict.fromkeys((*logged.clauses, *decides, *more)))
    ]


def alternatives_response(game: Game, seen: VisibleEntry, seat: int) -> dict[str, Any] | None:
    """Return what else the seat might have done; None if no seat was asked.

    The seat itself and the full viewer get its other legal moves. Other viewers get the kinds of move that the question
    takes, if they could tell those themselves.
    """
    state = find_active_state(seen.before)
    if state is None or seat < 0:
        return None
    found = find_possible_moves(state, Seat(seat), seen.viewer)
    if seen.viewer not in (seat, FULL_VIEWER):
        return {"legal": None, "cut": False, "pickers": [], "kinds": move_kinds_response(game, found)}
    most = find_listing_limit(state)
    cut = len(found) > most or (bool(found) and state.agenda[-1].lists_examples_only)
    patterns = state.agenda[-1].move_patterns(state.view_for(seat), Seat(seat)) if cut else ()
    others, picked = pickers.condense_moves(game, [move for move in found[:most] if move != seen.move], patterns)
    return {
        "legal": texts.legal_moves_response(game, others, state, seat),
        "cut": cut,
        "pickers": picked,
        "kinds": move_kinds_response(game, found),
    }


def move_kinds_response(game: Game, moves: Iterable[Move]) -> list[dict[str, Any]]:
    """Return the kinds of these moves, in words common to all moves of a kind."""
    return [
        {"type": kind, "told": describe_move_kind(game, kind)} for kind in dict.fromkeys(move.TAG for move in moves)
    ]


def describe_move_kind(game: Game, kind: str) -> Text:
    """Return a kind of move in words, with `…` for all that it names."""
    book = game.rulebook
    return {lang: blank_placeholders(book.find_template(f"move.{kind}", lang)) for lang in LANGUAGES}
