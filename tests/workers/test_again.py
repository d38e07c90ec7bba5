"""The rest judged again where play went back in between: by takebacks, by remedies, by what was restored."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from referee.arbitration.remedies.ladder import Remedy, list_remedies
from referee.arbitration.remedies.rejudging import rejudge_entries
from referee.arbitration.replay.divergence import is_game_entry
from referee.arbitration.replay.replay import find_divergences
from referee.engine.chance import RollResult
from referee.engine.codec import encode
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import LastingTableEvent, MatchRewound, RewindEvent
from referee.match.entries import LogEntry
from referee.match.events.dispute_commands import Attest, CastVote, IssueRuling, OpenDispute
from referee.match.events.dispute_events import HistoryRestored, MatchVoided, MoveRemade
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.match.evidence import Evidence
from referee.service.match_service import MatchService
from tests.service.house import service
from tests.workers.quarrels import HALTING, Quarrel, quarrelling, step
from workers.projections.public_match import PublicMatches

pytestmark = pytest.mark.deep


def wrong(at: MatchService, match: str) -> list[int]:
    """The entries that are not what the rules say; apart from the opening, in which these tests set the courts."""
    return [each.version for each in find_divergences(at.repository.load_entries(match)) if each.version > 1]


def rolls(at: MatchService, match: str) -> list[LogEntry]:
    return [
        each for each in at.build_evidence(at.load_match(match)).effective_entries if isinstance(each.move, RollResult)
    ]


def misread(at: MatchService, match: str, roll: LogEntry, shows: int, key: str) -> tuple[int, Remedy]:
    """A dispute that a die showed something else, and what the ladder says of putting that right."""
    ask = OpenDispute("0", roll.version, "misreported", move=encode(RollResult((shows,))))
    number = at.execute_command(match, ask, key=key, scope="seat0").entry
    dispute = next(each for each in at.load_match(match).match.disputes if each.number == number)
    (rung,) = (
        each for each in list_remedies(at.build_evidence(at.load_match(match)), dispute) if each.name == "partial_fix"
    )
    return number, rung


def ruled(at: MatchService, match: str, number: int, remedy: str, **more: Any) -> LogEntry:
    ask = IssueRuling(number, "host", (), True, remedy, ("TABLE-REMEDY-2",), "so it was", **more)
    entry = at.execute_command(match, ask, key=f"rule-{number}", scope="arbiter").entry
    return at.repository.load_entries(match, entry - 1, entry)[0]


class Orderly(Quarrel):
    """Nobody puts the table right past the courts; instead a die that fell once is put right, and the rest is judged
    again."""

    def _by_hand(self) -> None:
        cast = rolls(self.at, self.match)
        if not cast or self.at.load_match(self.match).match.has_open_dispute:
            return
        roll, pips = self.dice.choice(cast), encode(RollResult((self.dice.randint(1, 6),)))
        self._asked(OpenDispute("0", roll.version, "misreported", move=pips))
        newest = self._disputes()[-1] if self._disputes() else None
        if newest is not None and newest.is_open:
            order = IssueRuling(newest.number, "host", (), True, "partial_fix", ("TABLE-REMEDY-2",), "so it was")
            self._asked(order)


def begun(key: str, moves: int = 9) -> tuple[MatchService, str, random.Random]:
    """A match with real dice, in which none of those that were cast so far draws a card."""
    for seed in range(300):
        at, dice = service(MemoryLog()), random.Random(seed)
        match = quarrelling(at, f"{key}-{seed}", HALTING)
        made = [step(at, match, dice, f"{number}") for number in range(moves)]
        cast = rolls(at, match)
        plain = all(isinstance(each.move, RollResult) and each.move.values[0] < 6 for each in cast)
        if all(made) and len(cast) > 1 and plain and cast[0].version < len(at.repository.load_entries(match)) - 4:
            return at, match, dice
    raise AssertionError("no such match")


def other(roll: LogEntry) -> int:
    """What else a die might have shown that draws no card either."""
    assert isinstance(roll.move, RollResult)
    return 5 if roll.move.values == (4,) else 4


def taken_back(at: MatchService, match: str) -> int:
    """The last move of somebody is taken back, with the consent of all; the entry by which it was."""
    last = next(each for each in reversed(at.repository.load_entries(match)) if each.seat >= 0)
    assert rolls(at, match)[0].version < last.version - 1
    number = at.execute_command(match, RequestTakeback(last.seat, last.version - 1), key="take", scope="seat").entry
    for seat in range(3):
        if at.load_match(match).match.takebacks[-1].stage == "asked" and seat != last.seat:
            at.execute_command(match, AnswerTakeback(number, seat, True), key=f"yes-{seat}", scope="seat")
    back = next(
        each
        for each in reversed(at.repository.load_entries(match))
        if any(isinstance(f, MatchRewound) for f in each.events)
    )
    return back.version


@pytest.mark.clause("TABLE-REMEDY-2")
def test_a_die_is_put_right_across_a_takeback_and_what_was_taken_back_stays_so() -> None:
    at, match, dice = begun("takeback", 10)
    back = taken_back(at, match)
    for number in range(2):
        assert step(at, match, dice, f"later-{number}")
    roll = rolls(at, match)[0]
    stood = [
        each.version
        for each in at.build_evidence(at.load_match(match)).list_entries_since(roll.version)
        if is_game_entry(each)
    ]
    number, rung = misread(at, match, roll, other(roll), "ask")
    assert (rung.possible, rung.drops) == (True, ())
    assert list(rung.keeps) == stood
    assert back not in rung.keeps
    entry = ruled(at, match, number, "partial_fix")
    made = [event.entry for event in entry.events if isinstance(event, MoveRemade)]
    assert made == [roll.version, *stood]
    assert wrong(at, match) == []


@pytest.mark.clause("TABLE-REMEDY-2")
def test_two_dice_are_put_right_the_later_first_and_each_reads_as_it_should() -> None:
    at, match, dice = begun("two")
    first, second, *_ = rolls(at, match)
    number, rung = misread(at, match, second, other(second), "second")
    assert rung.possible
    ruled(at, match, number, "partial_fix")
    assert step(at, match, dice, "between")
    again, rung = misread(at, match, first, other(first), "first")
    assert (rung.possible, rung.drops) == (True, ())
    entry = ruled(at, match, again, "partial_fix")
    marks = {event.entry: event.right for event in entry.events if isinstance(event, MoveRemade)}
    assert {version: right for version, right in marks.items() if right} == {second.version: number}
    assert wrong(at, match) == []
    told = PublicMatches(at.log).load_match(match, at.load_match(match).version)
    shown = {report.version: report.values for report in told.reports}
    assert (shown[first.version], shown[second.version]) == ((other(first),), (other(second),))


@pytest.mark.clause("TABLE-REMEDY-2")
@pytest.mark.clause("TABLE-REMEDY-5")
def test_a_die_is_put_right_across_what_was_restored() -> None:
    at, match, dice = begun("restored")
    later = rolls(at, match)[1]
    number, rung = misread(at, match, later, other(later), "later")
    assert not rung.offered  # it rests on cards that the table does not see
    table = {0, 1, 2} - {0, int(later.reporter)}
    for seat in sorted(table):  # the table carries it out, the arbiter undoes it
        if at.load_match(match).match.disputes[-1].stage == "attesting":
            at.execute_command(match, Attest(number, seat, True), key=f"saw-{seat}", scope="seat")
    for seat in sorted(table):
        if at.load_match(match).match.has_open_dispute:
            at.execute_command(match, CastVote(number, seat, "void"), key=f"vote-{seat}", scope="seat")
    assert at.load_match(match).match.disputes[-1].verdicts[-1].remedy == "void"
    entry = ruled(at, match, number, "restore")
    assert any(isinstance(event, HistoryRestored) for event in entry.events)
    assert step(at, match, dice, "after")
    first = rolls(at, match)[0]
    again, rung = misread(at, match, first, other(first), "first")
    assert (rung.possible, rung.drops) == (True, ())
    assert later.version in rung.keeps
    made = ruled(at, match, again, "partial_fix")
    assert [f.right for f in made.events if isinstance(f, MoveRemade)] == [0] * (len(rung.keeps) + 1)
    assert wrong(at, match) == []


def test_judged_again_with_nothing_changed_every_match_comes_to_what_it_is() -> None:
    """The law: what is made again upon the same table is the same, whatever went back in between.

    A ruling that voids a match is alone not made again: in a void match no correction is offered but to undo that.
    """
    crossed = Counter[str]()
    for seed in range(20):
        at = service(MemoryLog())
        quarrel = Orderly(at, quarrelling(at, f"again {seed}", HALTING), seed)
        quarrel.on(110)
        assert wrong(at, quarrel.match) == []
        evidence: Evidence = at.build_evidence(at.load_match(quarrel.match))
        for to in sorted(
            {entry.version for entry in evidence.effective_entries if entry.version >= evidence.start_version}
        ):
            again = rejudge_entries(evidence, to, None, 0)
            since = evidence.list_entries_since(to)
            over = [e.version for e in since if any(not isinstance(f, LastingTableEvent) for f in e.events)]
            voided = [e.version for e in since if any(isinstance(f, MatchVoided) for f in e.events)]
            assert list(again.drops) == voided, evidence.entries[again.drops[0] - 1]
            assert again.no_move == bool(voided)
            assert again.after.state == evidence.match.state
            if not voided:
                assert (again.after.status, again.after.end) == (evidence.match.status, evidence.match.end)
            assert set(again.keeps) <= set(over)
            crossed.update({f.TAG for e in since for f in e.events if isinstance(f, RewindEvent | MoveRemade)})
    assert min(crossed[f"table.{kind}"] for kind in ("Rewound", "Restored", "MadeAgain")) > 3, crossed
