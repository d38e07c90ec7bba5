"""The ladder of remedies: what each would do, why it is offered or is not, and what follows once it is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.arbitration import auto_ruling
from referee.arbitration.remedies.correction_forecast import Correction, Outlook, mended, outlook
from referee.arbitration.remedies.manual_corrections import put_right
from referee.arbitration.remedies.reinstatement import carried, restored, restoring
from referee.arbitration.remedies.rejudging import Again, shuffled_again
from referee.arbitration.remedies.rewind_impact import Crossing, crossed, hidden_piles, over_since
from referee.arbitration.replay.divergence import is_play, of_play
from referee.engine.events import Event
from referee.engine.game import Malformed
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import BYSTANDER, FULL, Seat
from referee.match.aggregate import OVER, Match, Rewound
from referee.match.entries import Logged, course, folded
from referee.match.events.dispute_events import Voided
from referee.match.events.dispute_state import Dispute
from referee.match.evidence import Evidence

TOO_FAR = frozenset({"revealed", "random"})  # what no table goes back across by vote (TABLE-REMEDY-1)


@dataclass(frozen=True)
class Remedy:
    """A rung of the ladder. `offered`: the table may choose it by vote; else only an arbiter, if it is `possible`.
    `why`: a key of the texts with `params`. `to`: the version it goes back to, if it does. `keeps`, `drops`: versions
    of later moves; `unsure`: those of which these eyes cannot tell. `crosses`: the rules of takebacks that it breaks
    (`rewind_impact`). `learned`: the seats that have seen since what would be hidden again. `outlook`:
    what these eyes can tell of a correction.
    """

    name: str
    offered: bool
    why: str
    params: dict[str, Any] = field(default_factory=dict)
    to: int | None = None
    keeps: tuple[int, ...] = ()
    drops: tuple[int, ...] = ()
    crosses: tuple[str, ...] = ()
    learned: tuple[int, ...] = ()
    unsure: tuple[int, ...] = ()
    possible: bool = True
    outlook: Outlook | None = None


def ladder(evidence: Evidence, dispute: Dispute, eyes: int = FULL) -> tuple[Remedy, ...]:
    """All remedies for a dispute, the mildest first (TABLE-REMEDY-1), as these eyes may know them.

    What is offered follows from what everybody sees, so it is the same for all eyes.
    """
    mild = (Remedy("leave", True, "remedy.leave"), *_restore(evidence, dispute))
    voided = evidence.match.status == "void"
    if voided or not _counts(evidence, dispute):
        why, names = "remedy.is_void" if voided else "remedy.counts_no_more", ("partial_fix", "rewind", "void")
        return (*mild, *(Remedy(name, False, why, possible=name == "void" and not voided) for name in names))
    to = back_to(dispute)
    crossing = crossed(evidence, to, None)
    fix, back = _partial(evidence, dispute, to, crossing, eyes), _rewind(evidence, dispute, to, crossing)
    milder = fix.offered or back.offered
    void = Remedy("void", not milder, "remedy.milder_ones" if milder else "remedy.void")
    return (*mild, fix, back, void)


def _restore(evidence: Evidence, dispute: Dispute) -> tuple[Remedy, ...]:
    """The rung that undoes what a court below has carried out for this dispute, if one has (TABLE-REMEDY-5). No vote
    chooses it: the table has spoken."""
    remedied = carried(evidence, dispute.number)
    if remedied is None:
        return ()
    found = restoring(evidence, remedied)
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


def back_to(dispute: Dispute) -> int:
    """The version before what is disputed."""
    return dispute.about if dispute.claim == "wrong_refusal" else dispute.about - 1


def _counts(evidence: Evidence, dispute: Dispute) -> bool:
    """Whether what is disputed is still part of the valid course."""
    if dispute.claim == "wrong_refusal":
        return auto_ruling.counts(evidence, dispute.about)
    return evidence.entry(dispute.about) is not None


def _rewind(evidence: Evidence, dispute: Dispute, to: int, crossing: Crossing) -> Remedy:
    drops = tuple(entry.version for entry in evidence.since(to) if is_play(entry) and entry.version != dispute.about)
    too_far = TOO_FAR & set(crossing.rules)
    why = "remedy.rewind" if not too_far else f"remedy.crosses_{min(too_far, key=('revealed', 'random').index)}"
    params = {"to": to, "moves": len(drops)}
    return Remedy("rewind", not too_far, why, params, to, (), drops, crossing.rules, crossing.learned)


def _partial(evidence: Evidence, dispute: Dispute, to: int, crossing: Crossing, eyes: int) -> Remedy:
    """What was wrong put right, and the rest judged again: whether it is offered is judged by what everybody sees, and
    what it keeps and drops by what these eyes do."""
    correction = _correction(evidence, dispute)
    if correction is None:
        return Remedy("partial_fix", False, "remedy.no_correction", {}, to, possible=False)
    public = outlook(evidence, correction, to, int(BYSTANDER))
    own = public if eyes == BYSTANDER else outlook(evidence, correction, to, eyes)
    if public.illegal or (dispute.claim == "wrong_refusal" and not _was_legal(dispute)):
        why = "court.rests_on_hidden" if own.blind else "remedy.correction_illegal"
        return Remedy("partial_fix", False, why, {}, to, possible=False)
    later = (*public.keeps, *public.drops, *public.unsure)
    refused = dispute.claim == "wrong_refusal" and bool(later)  # all would be judged again upon what one seat wishes
    too_far = TOO_FAR & set(crossing.rules)
    tells = bool(too_far) and not public.piles_stay
    if correction.seat is None and too_far & _told_by(evidence, dispute.about):  # with the entry goes what it has shown
        tells = True
    rung = Remedy("partial_fix", not (refused or tells or public.drops), "", {}, to, own.keeps, own.drops)
    rung = replace(rung, unsure=own.unsure, crosses=crossing.rules if tells else (), outlook=own)
    first = (*own.drops, *own.unsure)[:1]
    params = {"moves": len(own.drops) or len(own.unsure), "first": first[0] if first else 0}
    if own.blind:
        return replace(rung, why="court.rests_on_hidden")
    if refused:
        return replace(rung, why="remedy.refused_move")
    if tells:
        return replace(rung, why="remedy.crosses_revealed", learned=crossing.learned)
    if own.illegal:
        return replace(rung, why="remedy.correction_illegal")
    if own.drops:
        return replace(rung, why="remedy.no_move_again" if own.no_move else "remedy.not_all_legal", params=params)
    if own.unsure:
        return replace(rung, why="remedy.shows_once_chosen", params=params)
    return replace(rung, why="remedy.partial_fix", params={"moves": len(own.keeps)})


def _laid_back(evidence: Evidence, to: int, again: Again) -> tuple[str, ...]:
    """The piles into which a correction lays cards back that somebody has seen meanwhile."""
    now, then = _piles(evidence.match), _piles(again.after)
    known = crossed(evidence, to, None).piles
    return tuple(place for place in hidden_piles(again.after) if place in known and now.get(place) != then[place])


def _told_by(evidence: Evidence, version: int) -> frozenset[str]:
    """Which of the rules of takebacks one entry by itself breaks for whoever would leave it out."""
    upto = replace(evidence, match=evidence.at(version), version=version, log=lambda: evidence.entries[:version])
    return frozenset(crossed(upto, version - 1, None).rules)


def _piles(match: Match) -> dict[str, tuple[str, ...]]:
    zones: dict[str, tuple[str, ...]] = getattr(match.state, "zones", {})
    return {place: cards for place, cards in zones.items() if place.endswith(":")}


def _was_legal(dispute: Dispute) -> bool:
    """Whether a move that was refused was legal, as the referee ruled at once."""
    return bool(dispute.verdicts) and dispute.verdicts[0].verdict == "does_not_stand"


def _correction(evidence: Evidence, dispute: Dispute) -> Correction | None:
    """What is right in place of what is disputed; None if nobody has said what is right."""
    if dispute.claim == "wrong_refusal":
        seats = (int(dispute.by),) if dispute.by.isdecimal() else ()
        return Correction(0, int(_seat(dispute)), auto_ruling.named_move(dispute.move), knowing=seats)
    entry = auto_ruling.disputed(evidence, dispute)
    if not is_play(entry):
        return None
    before = evidence.at(entry.version - 1)
    wrong = of_play(before, entry)
    if _a_report(before, dispute, entry) and (said := auto_ruling.said(dispute)) is not None:
        return Correction(entry.version, entry.seat, said)
    if wrong is None:
        return Correction(entry.version) if dispute.claim == "illegal_move" else None
    knowing = dispute.verdicts[0].knowing if dispute.verdicts else ()
    again = wrong.kind == "facts"  # the move was legal, and something else follows from it
    return Correction(entry.version, entry.seat if again else None, None, again, knowing)


def _a_report(before: Match, dispute: Dispute, entry: Logged) -> bool:
    """Whether somebody's word can stand in place of what an entry says. Of what the referee holds it cannot: whether
    another move was legal would tell what lies in the hand of whoever moved."""
    held = entry.actor.partition(":")[0] == "bot"  # at a table too the referee alone knows the cards of bots
    return dispute.claim == "misreported" and not held and auto_ruling.reported(before, entry)


def _seat(dispute: Dispute) -> Seat:
    return Seat(int(dispute.by)) if dispute.by.isdecimal() else BYSTANDER


def carried_out(
    evidence: Evidence, dispute: Dispute, remedy: str, fix: tuple[Any, ...] = (), arbiter: bool = False
) -> tuple[Event, ...]:
    """The facts of a remedy. Raises Refused (court.not_offered, court.position_impossible), Malformed."""
    if fix and (not arbiter or remedy != "partial_fix"):
        raise Malformed([{"pointer": "/fix", "detail": "goes with an arbiter's partial_fix"}])
    if fix:
        return put_right(evidence.match, fix)
    rung = next((each for each in ladder(evidence, dispute, int(BYSTANDER)) if each.name == remedy), None)
    if arbiter and rung is not None and rung.name == "partial_fix" and not (rung.offered or rung.possible):
        raise Refused("court.needs_fix", "TABLE-REMEDY-2")
    if rung is None or not (rung.offered or (arbiter and rung.possible)):
        raise Refused("court.not_offered", "TABLE-DISPUTE-4", remedy=remedy)
    if remedy == "leave":
        return ()
    if remedy == "restore":
        return _restored(evidence, dispute)
    if remedy == "void":
        return (Voided(dispute.number),)
    to = back_to(dispute)
    if remedy == "rewind":
        return (Rewound(to), *shuffled_again(evidence.at(to), crossed(evidence, to, None).piles))
    correction = _correction(evidence, dispute)
    assert correction is not None
    try:
        again = mended(evidence, correction, to)
    except (Refused, Unknown):
        raise Refused("court.not_offered", "TABLE-DISPUTE-4", remedy=remedy) from None
    if again.after.status in OVER:
        return (Rewound(to), *again.facts)
    piles = hidden_piles(again.after) if over_since(evidence, to) else _laid_back(evidence, to, again)
    return (Rewound(to), *again.facts, *shuffled_again(again.after, piles))


def _restored(evidence: Evidence, dispute: Dispute) -> tuple[Event, ...]:
    remedied = carried(evidence, dispute.number)
    found = None if remedied is None else restoring(evidence, remedied)
    assert found is not None, "the rung is only possible where something stands again"
    return restored(evidence, dispute, found)


def preview(evidence: Evidence, dispute: Dispute, remedy: str, fix: tuple[Any, ...] = ()) -> Match:
    """The match as it would be after a remedy, whoever may order it. Raises as `carried_out`."""
    facts = carried_out(evidence, dispute, remedy, fix, arbiter=True)
    last = evidence.entries[-1]
    ruled = replace(last, version=last.version + 1, seat=int(BYSTANDER), actor="table", move=None, facts=facts)
    return folded(Match(), course([*evidence.entries, ruled]))
