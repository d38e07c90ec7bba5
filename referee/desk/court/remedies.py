"""The ladder of remedies: what each would do, why it is offered or is not, and what follows once it is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.desk.court import judging
from referee.desk.court.again import Again, judged_again, shuffled_again
from referee.desk.court.crossing import Crossing, crossed, hidden_piles, over_since
from referee.desk.court.divergence import is_play, of_play
from referee.desk.court.evidence import Evidence
from referee.desk.court.facts import Voided
from referee.desk.court.fixes import put_right
from referee.desk.court.records import Dispute
from referee.desk.court.restoring import carried, restored, restoring
from referee.desk.entries import Logged, course, folded
from referee.desk.matches import OVER, Match, Rewound
from referee.kernel.box import Malformed
from referee.kernel.facts import Event, Move
from referee.kernel.rulings import Refused, Unknown
from referee.kernel.seats import BYSTANDER, Seat

TOO_FAR = frozenset({"revealed", "random"})  # what no table goes back across by vote (TABLE-REMEDY-1)


@dataclass(frozen=True)
class Remedy:
    """A rung of the ladder. `offered`: the table may choose it by vote; else only an arbiter. `why`: a key of the
    texts with `params`. `to`: the version it goes back to, if it does. `keeps` and `drops`: versions of later moves.
    `crosses`: the rules of takebacks that it breaks (`referee.desk.court.crossing`). `learned`: the seats that have
    seen since what would be hidden again.
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


def ladder(evidence: Evidence, dispute: Dispute) -> tuple[Remedy, ...]:
    """All remedies for a dispute, the mildest first (TABLE-REMEDY-1)."""
    mild = (Remedy("leave", True, "remedy.leave"), *_restore(evidence, dispute))
    if evidence.match.status == "void" or not _counts(evidence, dispute):
        why = "remedy.is_void" if evidence.match.status == "void" else "remedy.counts_no_more"
        return (*mild, *(Remedy(name, False, why) for name in ("partial_fix", "rewind", "void")))
    to = back_to(dispute)
    crossing = crossed(evidence, to, None)
    fix, back = _partial(evidence, dispute, to, crossing), _rewind(evidence, dispute, to, crossing)
    mended = fix.offered or back.offered
    void = Remedy("void", not mended, "remedy.milder_ones" if mended else "remedy.void")
    return (*mild, fix, back, void)


def _restore(evidence: Evidence, dispute: Dispute) -> tuple[Remedy, ...]:
    """The rung that undoes what a court below has carried out for this dispute, if one has (TABLE-REMEDY-5). No vote
    chooses it: the table has spoken."""
    remedied = carried(evidence, dispute.number)
    if remedied is None:
        return ()
    found = restoring(evidence, remedied)
    if found is None:
        return (Remedy("restore", False, "remedy.overtaken", {"entry": remedied.version}),)
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
        return judging.counts(evidence, dispute.about)
    return evidence.entry(dispute.about) is not None


def _rewind(evidence: Evidence, dispute: Dispute, to: int, crossing: Crossing) -> Remedy:
    drops = tuple(entry.version for entry in evidence.since(to) if is_play(entry) and entry.version != dispute.about)
    too_far = TOO_FAR & set(crossing.rules)
    why = "remedy.rewind" if not too_far else f"remedy.crosses_{min(too_far, key=('revealed', 'random').index)}"
    params = {"to": to, "moves": len(drops)}
    return Remedy("rewind", not too_far, why, params, to, (), drops, crossing.rules, crossing.learned)


def _partial(evidence: Evidence, dispute: Dispute, to: int, crossing: Crossing) -> Remedy:
    try:
        again = _mended(evidence, dispute, to)
    except (Refused, Unknown):
        return Remedy("partial_fix", False, "remedy.correction_illegal", {}, to)
    if again is None:
        return Remedy("partial_fix", False, "remedy.no_correction", {}, to)
    if dispute.claim == "wrong_refusal" and (again.keeps or again.drops):  # what it keeps tells of others' cards
        return Remedy("partial_fix", False, "remedy.refused_move", {}, to, again.keeps, again.drops)
    if again.drops:
        params = {"moves": len(again.drops), "first": again.drops[0]}
        why = "remedy.no_move_again" if again.no_move else "remedy.not_all_legal"
        return Remedy("partial_fix", False, why, params, to, again.keeps, again.drops)
    too_far = TOO_FAR & set(crossing.rules)
    tells = too_far and not _as_hidden(evidence.at(evidence.version), again.after)
    if again.left_out and too_far & _told_by(evidence, dispute.about):  # with the entry goes what it has shown
        tells = True
    why = "remedy.crosses_revealed" if tells else "remedy.partial_fix"
    rules, learned = (crossing.rules, crossing.learned) if tells else ((), ())
    return Remedy("partial_fix", not tells, why, {"moves": len(again.keeps)}, to, again.keeps, (), rules, learned)


def _laid_back(evidence: Evidence, to: int, again: Again) -> tuple[str, ...]:
    """The piles into which a correction lays cards back that somebody has seen meanwhile."""
    now, then = _piles(evidence.match), _piles(again.after)
    known = crossed(evidence, to, None).piles
    return tuple(place for place in hidden_piles(again.after) if place in known and now.get(place) != then[place])


def _told_by(evidence: Evidence, version: int) -> frozenset[str]:
    """Which of the rules of takebacks one entry by itself breaks for whoever would leave it out."""
    upto = replace(evidence, match=evidence.at(version), version=version, log=lambda: evidence.entries[:version])
    return frozenset(crossed(upto, version - 1, None).rules)


def _as_hidden(before: Match, after: Match) -> bool:
    """Whether what is hidden from all lies as it did, so that nobody knows more of it by a correction."""
    return _piles(before) == _piles(after)


def _piles(match: Match) -> dict[str, tuple[str, ...]]:
    zones: dict[str, tuple[str, ...]] = getattr(match.state, "zones", {})
    return {place: cards for place, cards in zones.items() if place.endswith(":")}


def _mended(evidence: Evidence, dispute: Dispute, to: int) -> Again | None:
    """What is right in place of what is disputed, and the rest made again; None if nobody has said what is right.

    Raises Refused, Unknown where what was said to be right is not legal.
    """
    if dispute.claim == "wrong_refusal":
        return judged_again(evidence, to, (_seat(dispute), judging.named_move(dispute.move)), 0)
    entry = judging.disputed(evidence, dispute)
    if not is_play(entry):
        return None
    assert entry.move is not None
    wrong = of_play(evidence.at(to), entry)
    first: tuple[Seat, Move] | None = None
    if _a_report(evidence.at(to), dispute, entry) and (said := judging.said(dispute)) is not None:
        first = (Seat(entry.seat), said)
    elif wrong is not None and wrong.kind == "facts":
        first = (Seat(entry.seat), entry.move)
    elif wrong is None and dispute.claim != "illegal_move":
        return None
    return judged_again(evidence, to, first, entry.version)


def _a_report(before: Match, dispute: Dispute, entry: Logged) -> bool:
    """Whether somebody's word can stand in place of what an entry says. Of what the referee holds it cannot: whether
    another move was legal would tell what lies in the hand of whoever moved."""
    held = entry.actor.partition(":")[0] == "bot"  # at a table too the referee alone knows the cards of bots
    return dispute.claim == "misreported" and not held and judging.reported(before, entry)


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
    rung = next((each for each in ladder(evidence, dispute) if each.name == remedy), None)
    if arbiter and rung is not None and rung.name == "partial_fix" and not (rung.offered or _possible(rung)):
        raise Refused("court.needs_fix", "TABLE-REMEDY-2")
    if rung is None or not (rung.offered or (arbiter and _possible(rung))):
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
    again = _mended(evidence, dispute, to)
    assert again is not None
    if again.after.status in OVER:
        return (Rewound(to), *again.facts)
    shown = hidden_piles(again.after) if over_since(evidence, to) else ()
    piles = shown or (() if rung.offered else _laid_back(evidence, to, again))
    return (Rewound(to), *again.facts, *shuffled_again(again.after, piles))


def _restored(evidence: Evidence, dispute: Dispute) -> tuple[Event, ...]:
    remedied = carried(evidence, dispute.number)
    found = None if remedied is None else restoring(evidence, remedied)
    assert found is not None, "the rung is only possible where something stands again"
    return restored(evidence, dispute, found)


def _possible(rung: Remedy) -> bool:
    """Whether an arbiter may order a remedy that the table cannot choose."""
    if rung.why in ("remedy.is_void", "remedy.overtaken"):
        return False
    if rung.why == "remedy.counts_no_more":
        return rung.name == "void"
    whys = ("remedy.crosses_revealed", "remedy.refused_move")
    return rung.name != "partial_fix" or bool(rung.keeps or rung.drops) or rung.why in whys


def preview(evidence: Evidence, dispute: Dispute, remedy: str, fix: tuple[Any, ...] = ()) -> Match:
    """The match as it would be after a remedy, whoever may order it. Raises as `carried_out`."""
    facts = carried_out(evidence, dispute, remedy, fix, arbiter=True)
    last = evidence.entries[-1]
    ruled = replace(last, version=last.version + 1, seat=int(BYSTANDER), actor="table", move=None, facts=facts)
    return folded(Match(), course([*evidence.entries, ruled]))
