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
from referee.arbitration import auto_ruling, deviations, disputes, takebacks, timeline
from referee.arbitration.remedies import ladder as remedies
from referee.arbitration.remedies import rewind_impact
from referee.engine.codec import canonical, encode
from referee.engine.seats import BYSTANDER, FULL
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
    return mock.patch.object(kind, "seen_by", lambda self, *_: self)


def odd(*things: Any) -> bool:
    """Something that follows from all of these things, hidden cards too."""
    return bool(hashlib.sha256(canonical([encode(thing) for thing in things])).digest()[0] % 2)


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
    def refusal(desk: Any, loaded: Any, _: int, dispute: Any, kept: Any = dispute_views.refusal) -> Any:
        return kept(desk, loaded, FULL, disputes.found(loaded.match, dispute.number))

    return [mock.patch.object(dispute_views, "refusal", refusal)]


@shown_in(courtroom.refusals)
def a_house_ruling_tells_what_was_refused() -> list[Any]:
    def alike(evidence: Any, dispute: Any) -> tuple[str, str]:
        return auto_ruling.asked(evidence, dispute)[0], dispute.move["type"] if dispute.move else ""

    return [mock.patch.object(disputes, "alike", alike)]


# -- what is told of a dispute -----------------------------------------------------------------------------------------


@shown_in(courtroom.gone_back)
def what_is_disputed_is_explained_with_all_cards() -> list[Any]:
    def disputed(desk: Any, loaded: Any, _: int, dispute: Any, kept: Any = dispute_views.disputed) -> Any:
        return kept(desk, loaded, FULL, dispute)

    return [mock.patch.object(dispute_views, "disputed", disputed)]


@shown_in(courtroom.gone_back)
def what_followed_is_told_with_all_cards() -> list[Any]:
    def followed(desk: Any, loaded: Any, _: int, dispute: Any, kept: Any = dispute_views.followed) -> Any:
        return kept(desk, loaded, FULL, dispute)

    return [mock.patch.object(dispute_views, "followed", followed)]


# -- remedies ----------------------------------------------------------------------------------------------------------


@shown_in(courtroom.left_out)
def which_moves_stay_is_told_off_the_whole_table() -> list[Any]:
    def outlook(evidence: Any, correction: Any, to: int, eyes: int, kept: Any = remedies.outlook) -> Any:
        return kept(evidence, correction, to, eyes if eyes == BYSTANDER else FULL)

    return [mock.patch.object(remedies, "outlook", outlook)]


@shown_in(courtroom.put_right)
def what_is_offered_depends_on_the_whole_table() -> list[Any]:
    def ladder(evidence: Any, dispute: Any, eyes: int = FULL, kept: Any = remedies.ladder) -> Any:
        flips = odd(evidence.match.state)
        return [replace(each, offered=each.offered ^ flips) for each in kept(evidence, dispute, eyes)]

    return [mock.patch.object(remedies, "ladder", ladder)]


@shown_in(courtroom.gone_back)
def a_preview_shows_all_cards() -> list[Any]:
    told = SimpleNamespace(shown=lambda loaded, _: views.shown(loaded, FULL))
    return [mock.patch.object(remedy_previews, "views", told)]


@shown_in(courtroom.put_right)
def a_table_put_right_is_shown_to_all() -> list[Any]:
    return [unfiltered(dispute_events.Corrected)]


@shown_in(courtroom.fixing)
def whoever_rules_names_cards_that_he_does_not_see() -> list[Any]:
    return [mock.patch.object(remedy_previews, "unseen", return_value=[])]


@shown_in(courtroom.gone_back)
def the_timeline_depends_on_what_was_drawn() -> list[Any]:
    def standing(entry: Any, by: Any, kept: Any = timeline.standing) -> Any:
        state, at = kept(entry, by)
        return (timeline.PARTLY, at) if odd(*entry.facts) else (state, at)

    return [mock.patch.object(timeline, "standing", standing)]


# -- takebacks, deviations, counts -------------------------------------------------------------------------------------


@shown_in(courtroom.taking_back)
def what_a_takeback_crosses_depends_on_the_whole_table() -> list[Any]:
    def crossed(evidence: Any, to: int, seat: Any, kept: Any = rewind_impact.crossed) -> Any:
        found = kept(evidence, to, seat)
        hidden = odd(evidence.match.state) and "others" not in found.rules
        return rewind_impact.Crossing((*found.rules, "others"), found.learned, found.piles) if hidden else found

    return [mock.patch.object(takebacks, "crossed", crossed)]


@shown_in(courtroom.deviating)
def a_deviation_is_told_with_its_cards() -> list[Any]:
    return [unfiltered(deviation_events.DeviationAsked)]


@shown_in(courtroom.deviating)
def the_entry_of_a_deviation_tells_its_cards() -> list[Any]:
    return [unfiltered(deviation_events.Deviate)]


@shown_in(courtroom.deviating)
def a_deviation_is_read_with_its_cards() -> list[Any]:
    return [mock.patch.object(routes, "shown_move", lambda data, *_: data)]


@shown_in(courtroom.trying_deviations)
def a_deviation_is_judged_on_the_whole_table() -> list[Any]:
    return [mock.patch.object(deviations, "view", lambda state, _: state)]


@shown_in(courtroom.counting)
def a_census_counts_what_others_hold() -> list[Any]:
    def census(game: Any, entries: Any, _: int, claim: Any, kept: Any = api_census.census) -> Any:
        return kept(game, entries, FULL, claim)

    return [mock.patch.object(api_census, "census", census)]
