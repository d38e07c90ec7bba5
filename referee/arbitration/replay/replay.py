"""Judging a log again: entry by entry under the rules it was played with, down to the first that is not what they say;
or under others, which are tried (`shadow`).

It needs whole entries, as the server reads them or as they are disclosed after the end, and nothing else: no store, no
clock, no secret. What chance gave is taken as it is recorded; whether it could be so, the rules say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.arbitration import dispatch, table_reports
from referee.arbitration.replay.divergence import Alike, Divergence, Facts, against, differing, is_play, itself, of_play
from referee.engine.events import Move
from referee.engine.game import Malformed
from referee.engine.rulings import Refused, Ruling
from referee.games import games
from referee.match.aggregate import OVER, Match, MatchOpened
from referee.match.entries import Logged, course, folded, rewinds
from referee.match.events.report_events import first_of
from referee.match.evidence import Evidence, as_it_is
from referee.match.table import commands, rekey

__all__ = ["Divergence", "Reading", "Tried", "divergences", "first_divergence"]


def first_divergence(entries: Sequence[Logged], struck: bool = True) -> Divergence | None:
    """The first of these entries, which are all of a match from its opening, that is not what the rules say; None if
    all are. The card book of the match has to be installed.

    `struck`: whether entries are named as well that count no more, because a remedy has gone back behind them since.
    """
    counted = {each.version: each.facts for each in course(entries)}
    for wrong in divergences(entries):
        written = entries[wrong.version - 1] if wrong.version <= len(entries) else None
        if struck or written is None or counted.get(wrong.version) == written.facts:
            return wrong
    return None


def divergences(entries: Iterable[Logged]) -> Iterator[Divergence]:
    """Every entry that is not what the rules say, upon the table as it was when it was written, wrong or not. Ends at
    what is no log of one match, for nothing can be judged after it."""
    reading = Reading()
    for logged in entries:
        wrong = reading.wrong(logged)
        if wrong is not None:
            yield wrong
            if wrong.kind == "chain":
                return
        reading.go_on(logged)


@dataclass(frozen=True)
class Tried:
    """Rules that a log is read by: the match as it is by them, and what is to count as the same fact."""

    read_as: Callable[[Match], Match] = as_it_is
    alike: Alike = itself


AS_PLAYED = Tried()


class Reading:
    """A log that is read entry by entry. `match` is what stands after those that were read, wrong or not.

    `rules`: other rules than those it was played by.
    """

    def __init__(self, rules: Tried = AS_PLAYED) -> None:
        self.match = Match()
        self._read: list[Logged] = []
        self._rules = rules

    def wrong(self, logged: Logged) -> Divergence | None:
        """What is not as the rules say in the entry that is to be read next; None if nothing is."""
        return self.wrong_by(self._rules, logged)

    def wrong_by(self, rules: Tried, logged: Logged) -> Divergence | None:
        """The same by other rules than this log is read by."""
        return _divergence(self.match, logged, len(self._read), lambda: self._read, rules)

    def go_on(self, logged: Logged) -> None:
        """Takes the entry as it stands. It has to be the next one."""
        self._read.append(logged)
        back = rewinds([logged])
        self.match = folded(Match(), course(self._read)) if back else folded(self.match, [logged])


def _divergence(
    match: Match, logged: Logged, version: int, log: Callable[[], list[Logged]], rules: Tried
) -> Divergence | None:
    """What is wrong with an entry that was written upon a match at a version; `log` reads the entries before it."""
    if logged.version != version + 1 or (match.id and logged.match != match.id) or logged.move is None:
        ruling = Ruling(False, "court.not_the_next", ("TABLE-COURSE-1",), {"version": logged.version})
        return Divergence(version + 1, "chain", ruling)
    renewed = _renewed(match, logged, log)
    if is_play(logged):
        try:
            table_reports.beside(Evidence(match, version, logged.at_ms, None, log), logged)
        except Refused as refused:
            return against(logged.version, refused)
        first = first_of(logged.version, logged.facts)
        if first != logged.version:  # a report that was corrected is made again where it was made first
            match = folded(Match(), (entry for entry in course(log()) if entry.version < first))
        return of_play(rules.read_as(match), logged, renewed, rules.alike)
    try:
        return differing(logged, (*_business(match, logged, logged.move, log, rules), *renewed), rules.alike)
    except (Refused, Malformed) as refused:
        return against(logged.version, refused)


def _business(match: Match, logged: Logged, ask: Move, log: Callable[[], list[Logged]], rules: Tried) -> Facts:
    """The facts that follow from table business as it was asked. Raises Refused, Malformed."""
    if not isinstance(ask, commands.Open):
        if not match.id:
            raise Refused("not_running", "TABLE-OPEN-1")
        if match.state is not None or isinstance(ask, commands.Start):  # what is agreed before stays as it was agreed
            match = rules.read_as(match)
        version, left = logged.version - 1, _left(logged)
        return dispatch.settled(Evidence(match, version, logged.at_ms, left, log, rules.read_as), ask)
    if match.id:
        raise Refused("already_started", "TABLE-OPEN-1")
    if ask.game not in games():
        raise Malformed([{"pointer": "/game", "detail": "no such game"}])
    opened = next((fact for fact in logged.facts if isinstance(fact, MatchOpened)), None)
    commitment, kept = (opened.commitment, opened.precedents) if opened is not None else ("", ())
    ruleset = opened.ruleset if opened is not None else ""  # a newer one may have come since
    name = logged.match or (opened.match if opened is not None else "")  # the opening itself is written upon no match
    return commands.opening(name, commitment, ask, games()[ask.game], kept, ruleset)


def _renewed(match: Match, logged: Logged, log: Callable[[], list[Logged]]) -> Facts:
    """What an entry written upon a match has to say at its end of a new secret of chance; to which one the server binds
    itself the log alone tells."""
    if (match.status not in OVER and match.gone is None) or not match.id:
        return ()
    plain = replace(logged, facts=tuple(fact for fact in logged.facts if not isinstance(fact, rekey.ChanceRenewed)))
    if not rekey.renews(match, folded(Match(), course([*log(), plain]))):
        return ()
    said = rekey.renewed(logged.facts)
    return (rekey.ChanceRenewed(match.generation + 1, "" if said is None else said.commitment),)


def _left(logged: Logged) -> int | None:
    """What was left of the time for the open question, which the log does not tell otherwise."""
    return next((fact.left_ms for fact in logged.facts if hasattr(fact, "left_ms")), None)
