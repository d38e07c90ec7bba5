"""The remedies for a dispute, the mildest first: what is offered, what it does.

TABLE-REMEDY-1: Remedies are tried from the mildest: let it stand, put it right and judge the rest again, go back to
before it, void the match. Going back across hidden information that somebody has seen since, or across a random result,
only an arbiter may order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.arbitration import auto_ruling
from referee.arbitration.real_tables import impossible_tables
from referee.arbitration.remedies.correction_forecast import (
    Correction,
    forecast_correction,
    rejudge_with_correction,
)
from referee.arbitration.remedies.manual_corrections import apply_corrections, build_malformed_error
from referee.arbitration.remedies.options import Remedy
from referee.arbitration.remedies.reinstatement import find_remedy_entry, find_restoration, restore_history
from referee.arbitration.remedies.rejudging import Rejudged, reshuffle_piles
from referee.arbitration.remedies.rewind_impact import (
    RewindImpact,
    compute_rewind_impact,
    find_hidden_piles,
    was_over_since,
)
from referee.arbitration.replay.divergence import find_play_divergence, is_game_entry
from referee.engine.events import Event
from referee.engine.rulings import IllegalMove, Undetermined
from referee.engine.seats import BYSTANDER, FULL_VIEWER, Seat
from referee.match.aggregate import FINAL_STATUSES, Match, MatchRewound
from referee.match.entries import LogEntry, effective_entries, replay_entries
from referee.match.events.dispute_events import MatchVoided
from referee.match.events.dispute_state import AS_IT_LIES, IMPOSSIBLE_TABLE, Dispute
from referee.match.evidence import Evidence

UNVOTABLE_CROSSINGS = frozenset({"revealed", "random"})  # across these only an arbiter may go back (TABLE-REMEDY-1)


def list_remedies(evidence: Evidence, dispute: Dispute, viewer: int = FULL_VIEWER) -> tuple[Remedy, ...]:
    """Return all remedies for a dispute, the mildest first, as a viewer may know them.

    What is offered follows from what everybody sees, so it is the same for all viewers (TABLE-REMEDY-1). Where a remedy
    needs everybody's consent, all that is possible is offered (TABLE-DISPUTE-9).
    """
    found, consent = _list_remedies(evidence, dispute, viewer), evidence.match.courts.needs_consent
    return tuple(
        replace(
            each,
            offered=each.offered or (consent and each.possible),
            mild=consent and each.offered and each.name in ("partial_fix", "rewind"),
            params={**each.params, "consent": "yes" if consent else "no"},
        )
        for each in found
    )


def _list_remedies(evidence: Evidence, dispute: Dispute, viewer: int) -> tuple[Remedy, ...]:
    mild = (
        Remedy("leave", True, "remedy.leave"),
        *_build_restore_remedies(evidence, dispute),
        *impossible_tables.list_table_remedies(evidence, dispute),
    )
    voided = evidence.match.status == "void"
    if voided or not is_still_effective(evidence, dispute):
        why, names = "remedy.is_void" if voided else "remedy.counts_no_more", ("partial_fix", "rewind", "void")
        return (*mild, *(Remedy(name, False, why, possible=name == "void" and not voided) for name in names))
    to = find_rewind_version(dispute)
    crossing = compute_rewind_impact(evidence, to, None)
    fix, back = (
        _build_partial_fix(evidence, dispute, to, crossing, viewer),
        _build_rewind_remedy(evidence, dispute, to, crossing),
    )
    milder = fix.offered or back.offered or any(each.offered for each in mild[1:])
    void = Remedy("void", not milder, "remedy.milder_ones" if milder else "remedy.void")
    return (*mild, fix, back, void)


def _build_restore_remedies(evidence: Evidence, dispute: Dispute) -> tuple[Remedy, ...]:
    """Return the remedy that undoes what a lower court carried out, if one did.

    No vote chooses it, because the table has decided already.

    TABLE-REMEDY-5: What a court has carried out, a higher one may undo.
    """
    remedied = find_remedy_entry(evidence, dispute.number)
    if remedied is None:
        return ()
    found = find_restoration(evidence, remedied)
    if found is None:
        return (Remedy("restore", False, "remedy.overtaken", {"entry": remedied.version}, possible=False),)
    params = {"entry": found.entry, "back": len(found.back), "drops": len(found.drops)}
    crossing = found.crossing
    return (
        Remedy(
            "restore", False, "remedy.restore", params, found.entry - 1, found.back, found.drops, crossing.rules,
            crossing.learned,
        ),
    )  # fmt: skip


def find_rewind_version(dispute: Dispute) -> int:
    """Return the version before what is disputed."""
    return dispute.about if dispute.claim == "wrong_refusal" else dispute.about - 1


def is_still_effective(evidence: Evidence, dispute: Dispute) -> bool:
    """Tell whether what is disputed is still part of the effective history."""
    if dispute.claim == "wrong_refusal":
        return auto_ruling.is_version_effective(evidence, dispute.about)
    return evidence.find_entry(dispute.about) is not None


def _build_rewind_remedy(evidence: Evidence, dispute: Dispute, to: int, crossing: RewindImpact) -> Remedy:
    drops = tuple(
        entry.version
        for entry in evidence.list_entries_since(to)
        if is_game_entry(entry) and entry.version != dispute.about
    )
    too_far = UNVOTABLE_CROSSINGS & set(crossing.rules)
    why = "remedy.rewind" if not too_far else f"remedy.crosses_{min(too_far, key=('revealed', 'random').index)}"
    params = {"to": to, "moves": len(drops)}
    return Remedy("rewind", not too_far, why, params, to, (), drops, crossing.rules, crossing.learned)


def _build_partial_fix(evidence: Evidence, dispute: Dispute, to: int, crossing: RewindImpact, viewer: int) -> Remedy:
    """Return the remedy that corrects the entry and judges the rest again.

    Whether it is offered follows from the public view, and what it keeps and drops from the viewer's.
    """
    correction = _find_correction(evidence, dispute)
    if correction is None:
        why = "remedy.name_the_entry" if dispute.claim == IMPOSSIBLE_TABLE else "remedy.no_correction"
        return Remedy("partial_fix", False, why, {}, to, possible=False)
    public = forecast_correction(evidence, correction, to, int(BYSTANDER))
    own = public if viewer == BYSTANDER else forecast_correction(evidence, correction, to, viewer)
    if public.illegal or (dispute.claim == "wrong_refusal" and not _was_legal(dispute)):
        why = "court.rests_on_hidden" if own.blind else "remedy.correction_illegal"
        return Remedy("partial_fix", False, why, {}, to, possible=False)
    later = (*public.keeps, *public.drops, *public.unsure)
    refused = dispute.claim == "wrong_refusal" and bool(later)  # the rest would be judged upon one seat's wish
    too_far = UNVOTABLE_CROSSINGS & set(crossing.rules)
    tells = bool(too_far) and not public.piles_stay
    if correction.seat is None and too_far & _find_rules_broken_by(evidence, dispute.about):
        tells = True  # the entry is left out, and with it what it has shown
    option = Remedy("partial_fix", not (refused or tells or public.drops), "", {}, to, own.keeps, own.drops)
    option = replace(option, unsure=own.unsure, crosses=crossing.rules if tells else (), forecast=own)
    first = (*own.drops, *own.unsure)[:1]
    params = {"moves": len(own.drops) or len(own.unsure), "first": first[0] if first else 0}
    if own.blind:
        return replace(option, why="court.rests_on_hidden")
    if refused:
        return replace(option, why="remedy.refused_move")
    if tells:
        return replace(option, why="remedy.crosses_revealed", learned=crossing.learned)
    if own.illegal:
        return replace(option, why="remedy.correction_illegal")
    if own.drops:
        return replace(option, why="remedy.no_move_again" if own.no_move else "remedy.not_all_legal", params=params)
    if own.unsure:
        return replace(option, why="remedy.shows_once_chosen", params=params)
    return replace(option, why="remedy.partial_fix", params={"moves": len(own.keeps)})


def _find_known_refilled_piles(evidence: Evidence, to: int, again: Rejudged) -> tuple[str, ...]:
    """Return the piles into which a correction puts back cards that somebody has seen."""
    now, then = _get_hidden_piles(evidence.match), _get_hidden_piles(again.after)
    seen_piles = compute_rewind_impact(evidence, to, None).piles
    return tuple(
        place for place in find_hidden_piles(again.after) if place in seen_piles and now.get(place) != then[place]
    )


def _find_rules_broken_by(evidence: Evidence, version: int) -> frozenset[str]:
    """Return the takeback rules that leaving out this one entry would break."""
    upto = replace(evidence, match=evidence.replay_to(version), version=version, log=lambda: evidence.entries[:version])
    return frozenset(compute_rewind_impact(upto, version - 1, None).rules)


def _get_hidden_piles(match: Match) -> dict[str, tuple[str, ...]]:
    zones: dict[str, tuple[str, ...]] = getattr(match.state, "zones", {})
    return {place: cards for place, cards in zones.items() if place.endswith(":")}


def _was_legal(dispute: Dispute) -> bool:
    """Tell whether a refused move was legal, as the referee ruled at once."""
    return bool(dispute.verdicts) and dispute.verdicts[0].verdict == "does_not_stand"


def _find_correction(evidence: Evidence, dispute: Dispute) -> Correction | None:
    """Return what is right in place of what is disputed; None if nobody has said it."""
    if dispute.claim == "wrong_refusal":
        seats = (int(dispute.by),) if dispute.by.isdecimal() else ()
        return Correction(
            0, int(_find_claimant_seat(dispute)), auto_ruling.parse_game_move(dispute.move), knowing=seats
        )
    entry = auto_ruling.require_disputed_entry(evidence, dispute)
    if not is_game_entry(entry):
        return None
    before = evidence.replay_to(entry.version - 1)
    wrong = find_play_divergence(before, entry)
    if _is_report_claim(before, dispute, entry) and (claimed := auto_ruling.find_claimed_move(dispute)) is not None:
        if evidence.match.courts.needs_consent and type(claimed) is not type(entry.move):
            return None  # a report that was read wrongly is still a report of the same kind
        return Correction(entry.version, entry.seat, claimed)
    if wrong is None:
        return Correction(entry.version) if dispute.claim == "illegal_move" else None
    knowing = dispute.verdicts[0].knowing if dispute.verdicts else ()
    again = wrong.kind == "facts"  # the move was legal, and something else follows from it
    return Correction(entry.version, entry.seat if again else None, None, again, knowing)


def _is_report_claim(before: Match, dispute: Dispute, entry: LogEntry) -> bool:
    """Tell whether a person's word can replace what an entry says.

    It cannot for cards that the referee holds: whether another move was legal would reveal the mover's hand.
    """
    held = entry.actor.partition(":")[0] == "bot"  # at a real table too, only the referee knows the cards of bots
    return dispute.claim == "misreported" and not held and auto_ruling.is_reported(before, entry)


def _find_claimant_seat(dispute: Dispute) -> Seat:
    return Seat(int(dispute.by)) if dispute.by.isdecimal() else BYSTANDER


def carry_out_remedy(
    evidence: Evidence, dispute: Dispute, remedy: str, fix: tuple[Any, ...] = (), arbiter: bool = False
) -> tuple[Event, ...]:
    """Return the events of a remedy.

    Raises IllegalMove (court.not_offered, court.needs_fix, court.position_impossible), MalformedInput.
    """
    courts = evidence.match.courts
    may_correct = arbiter or courts.needs_consent
    clause = "TABLE-REMEDY-1" if arbiter and courts.needs_consent else courts.voting_clause
    if fix and (not may_correct or remedy != "partial_fix"):
        raise build_malformed_error("", "fix.only_partial_fix" if may_correct else "fix.only_arbiter")
    if fix:
        return apply_corrections(evidence.match, fix)
    option = next((each for each in list_remedies(evidence, dispute, int(BYSTANDER)) if each.name == remedy), None)
    if arbiter and option is not None and option.name == "partial_fix" and not (option.offered or option.possible):
        raise IllegalMove("court.needs_fix", "TABLE-REMEDY-2")
    if option is None or not (option.offered or (arbiter and option.possible)):
        raise IllegalMove("court.not_offered", clause, remedy=remedy)
    if remedy == "leave":
        return ()
    if remedy == "restore":
        return _restore_history(evidence, dispute)
    if remedy == AS_IT_LIES:
        return impossible_tables.play_on_as_it_lies(evidence, dispute)
    if remedy == "void":
        return (MatchVoided(dispute.number),)
    to = find_rewind_version(dispute)
    if remedy == "rewind":
        return (
            MatchRewound(to),
            *reshuffle_piles(evidence.replay_to(to), compute_rewind_impact(evidence, to, None).piles),
        )
    correction = _find_correction(evidence, dispute)
    assert correction is not None
    try:
        again = rejudge_with_correction(evidence, correction, to)
    except (IllegalMove, Undetermined):
        raise IllegalMove("court.not_offered", clause, remedy=remedy) from None
    if again.after.status in FINAL_STATUSES:
        return (MatchRewound(to), *again.events)
    piles = (
        find_hidden_piles(again.after)
        if was_over_since(evidence, to)
        else _find_known_refilled_piles(evidence, to, again)
    )
    return (MatchRewound(to), *again.events, *reshuffle_piles(again.after, piles))


def _restore_history(evidence: Evidence, dispute: Dispute) -> tuple[Event, ...]:
    remedied = find_remedy_entry(evidence, dispute.number)
    found = None if remedied is None else find_restoration(evidence, remedied)
    assert found is not None, "restore is only possible if something can be restored"
    return restore_history(evidence, dispute, found)


def preview_match_after(evidence: Evidence, dispute: Dispute, remedy: str, fix: tuple[Any, ...] = ()) -> Match:
    """Return the match as it would be after a remedy, if an arbiter ordered it.

    Raises as `carry_out_remedy`.
    """
    events = carry_out_remedy(evidence, dispute, remedy, fix, arbiter=True)
    last = evidence.entries[-1]
    ruled = replace(last, version=last.version + 1, seat=int(BYSTANDER), actor="table", move=None, events=events)
    return replay_entries(Match(), effective_entries([*evidence.entries, ruled]))
