"""Ways to leak by a court, each a small change of the code, with the quarrel in which it shows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

from api.resources.census import routes as api_census
from api.resources.reports import routes
from referee.arbitration import auto_ruling, deviations, takebacks, timeline
from referee.arbitration.courts import last_word, levels
from referee.arbitration.remedies import ladder as remedies
from referee.arbitration.remedies import rewind_impact
from referee.engine.codec import encode, encode_canonical
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.match.events import deviation_events, dispute_commands, dispute_events
from referee.queries import dispute_views, remedy_previews, views
from tests.leaks import courtroom
from tests.leaks.courtroom import Quarrel

MUTANTS: dict[str, tuple[Quarrel, Callable[[], list[Any]]]] = {}


def shown_in(quarrel: Quarrel) -> Callable[[Callable[[], list[Any]]], Callable[[], list[Any]]]:
    """Registers a way to leak under its name, with the quarrel in which the proof has to find it."""

    def register(make: Callable[[], list[Any]]) -> Callable[[], list[Any]]:
        MUTANTS[make.__name__] = quarrel, make
        return make

    return register


@contextmanager
def leaking(name: str) -> Iterator[None]:
    """The code with that leak in it."""
    with ExitStack() as stack:
        for patch in MUTANTS[name][1]():
            stack.enter_context(patch)
        yield


def unfiltered(kind: type) -> Any:
    """A fact or an ask that shows all of itself to everybody."""
    return mock.patch.object(kind, "view_for", lambda self, *_: self)


def odd(*things: Any) -> bool:
    """Something that follows from all of these things, hidden cards too."""
    return bool(hashlib.sha256(encode_canonical([encode(thing) for thing in things])).digest()[0] % 2)


# -- rulings -----------------------------------------------------------------------------------------------------------


@shown_in(courtroom.refusals)
def why_it_does_not_stand_is_told_to_all() -> list[Any]:
    return [unfiltered(dispute_events.RulingIssued)]


@shown_in(courtroom.refusals)
def what_was_refused_is_told_to_all() -> list[Any]:
    return [unfiltered(dispute_events.DisputeOpened)]


@shown_in(courtroom.refusals)
def the_entry_of_a_claim_tells_what_was_refused() -> list[Any]:
    return [unfiltered(dispute_commands.OpenDispute)]


@shown_in(courtroom.refusals)
def a_refusal_is_judged_again_before_all() -> list[Any]:
    def refusal(service: Any, loaded: Any, _: int, dispute: Any, kept: Any = dispute_views.refusal_response) -> Any:
        return kept(service, loaded, FULL_VIEWER, levels.require_dispute(loaded.match, dispute.number))

    return [mock.patch.object(dispute_views, "refusal_response", refusal)]


@shown_in(courtroom.refusals)
def a_house_ruling_tells_what_was_refused() -> list[Any]:
    def alike(evidence: Any, dispute: Any) -> tuple[str, str]:
        return auto_ruling.find_question_and_move(evidence, dispute)[0], dispute.move["type"] if dispute.move else ""

    return [mock.patch.object(last_word, "build_precedent_key", alike)]


# -- what is told of a dispute -----------------------------------------------------------------------------------------


@shown_in(courtroom.gone_back)
def what_is_disputed_is_explained_with_all_cards() -> list[Any]:
    def disputed(
        service: Any, loaded: Any, _: int, dispute: Any, kept: Any = dispute_views.disputed_entry_response
    ) -> Any:
        return kept(service, loaded, FULL_VIEWER, dispute)

    return [mock.patch.object(dispute_views, "disputed_entry_response", disputed)]


@shown_in(courtroom.gone_back)
def what_followed_is_told_with_all_cards() -> list[Any]:
    def followed(
        service: Any, loaded: Any, _: int, dispute: Any, kept: Any = dispute_views.following_entries_response
    ) -> Any:
        return kept(service, loaded, FULL_VIEWER, dispute)

    return [mock.patch.object(dispute_views, "following_entries_response", followed)]


# -- remedies ----------------------------------------------------------------------------------------------------------


@shown_in(courtroom.left_out)
def which_moves_stay_is_told_off_the_whole_table() -> list[Any]:
    def outlook(evidence: Any, correction: Any, to: int, viewer: int, kept: Any = remedies.forecast_correction) -> Any:
        return kept(evidence, correction, to, viewer if viewer == BYSTANDER else FULL_VIEWER)

    return [mock.patch.object(remedies, "forecast_correction", outlook)]


@shown_in(courtroom.put_right)
def what_is_offered_depends_on_the_whole_table() -> list[Any]:
    def ladder(evidence: Any, dispute: Any, viewer: int = FULL_VIEWER, kept: Any = remedies.list_remedies) -> Any:
        flips = odd(evidence.match.state)
        return [replace(each, offered=each.offered ^ flips) for each in kept(evidence, dispute, viewer)]

    return [mock.patch.object(remedies, "list_remedies", ladder)]


@shown_in(courtroom.gone_back)
def a_preview_shows_all_cards() -> list[Any]:
    told = SimpleNamespace(view_response=lambda loaded, _: views.view_response(loaded, FULL_VIEWER))
    return [mock.patch.object(remedy_previews, "views", told)]


@shown_in(courtroom.put_right)
def a_table_put_right_is_shown_to_all() -> list[Any]:
    return [unfiltered(dispute_events.TableCorrected)]


@shown_in(courtroom.fixing)
def whoever_rules_names_cards_that_he_does_not_see() -> list[Any]:
    return [mock.patch.object(remedy_previews, "find_unseen_pointers", return_value=[])]


@shown_in(courtroom.gone_back)
def the_timeline_depends_on_what_was_drawn() -> list[Any]:
    def standing(entry: Any, by: Any, kept: Any = timeline.find_entry_state) -> Any:
        state, at = kept(entry, by)
        return (timeline.PARTLY, at) if odd(*entry.events) else (state, at)

    return [mock.patch.object(timeline, "find_entry_state", standing)]


# -- takebacks, deviations, counts -------------------------------------------------------------------------------------


@shown_in(courtroom.taking_back)
def what_a_takeback_crosses_depends_on_the_whole_table() -> list[Any]:
    def crossed(evidence: Any, to: int, seat: Any, kept: Any = rewind_impact.compute_rewind_impact) -> Any:
        found = kept(evidence, to, seat)
        hidden = odd(evidence.match.state) and "others" not in found.rules
        return rewind_impact.RewindImpact((*found.rules, "others"), found.learned, found.piles) if hidden else found

    return [mock.patch.object(takebacks, "compute_rewind_impact", crossed)]


@shown_in(courtroom.deviating)
def a_deviation_is_told_with_its_cards() -> list[Any]:
    return [unfiltered(deviation_events.DeviationRequested)]


@shown_in(courtroom.deviating)
def the_entry_of_a_deviation_tells_its_cards() -> list[Any]:
    return [unfiltered(deviation_events.RecordDeviation)]


@shown_in(courtroom.deviating)
def a_deviation_is_read_with_its_cards() -> list[Any]:
    return [mock.patch.object(routes, "redact_move", lambda data, *_: data)]


@shown_in(courtroom.trying_deviations)
def a_deviation_is_judged_on_the_whole_table() -> list[Any]:
    return [mock.patch.object(deviations, "build_view", lambda state, _: state)]


@shown_in(courtroom.counting)
def a_census_counts_what_others_hold() -> list[Any]:
    def census(game: Any, entries: Any, _: int, claim: Any, kept: Any = api_census.match_census_response) -> Any:
        return kept(game, entries, FULL_VIEWER, claim)

    return [mock.patch.object(api_census, "match_census_response", census)]
