"""What a match keeps of its disputes, takebacks and house rulings: plain data, folded from the log."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY

CLAIMS = ("illegal_move", "wrong_refusal", "misreported", "missed_effect", "wrong_count", "other")
REMEDIES = ("leave", "restore", "partial_fix", "rewind", "void")
LEVELS = ("referee", "table", "arbiter")  # the courts, lowest first; the first always speaks
VERDICTS = ("stands", "does_not_stand", "undecided")
TAKEBACK_STAGES = ("asked", "granted", "refused", "overtaken")
HOUR_MS = 3600 * 1000
DAY_MS = 24 * HOUR_MS


@dataclass(frozen=True)
class CourtSettings:
    """How a match settles quarrels; times in ms.

    `levels` are its courts in order, `referee` first. `play_on`: moves do not wait for a dispute. `answer_ms` is how
    long the table has to attest or to vote, `appeal_ms` how long a ruling can be appealed against, `rule_ms` how long a
    dispute waits for the arbiter, `correct_ms` how long a report can be corrected by whoever made it, `claims_ms` how
    long after the end a dispute can be opened. `witness`: a report of real dice or cards waits for another seat to
    confirm it. `arbiter_sees`: `public`, or `full` while a dispute is open. `disputes_an_hour` and `takebacks_an_hour`
    are how many of them a seat (or the host, or an arbiter) may bring within an hour, `open_disputes` how many of its
    disputes may be open at a time; None, as in all matches opened before there were such limits: as many as it likes.
    """

    play_on: bool = False
    levels: tuple[str, ...] = LEVELS
    answer_ms: int = 120_000
    appeal_ms: int = 600_000
    correct_ms: int = 10_000
    claims_ms: int = DAY_MS
    witness: bool = False
    arbiter_sees: str = "public"
    rule_ms: int = DAY_MS
    disputes_an_hour: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    takebacks_an_hour: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    open_disputes: int | None = field(default=None, metadata=OMIT_IF_EMPTY)


UNLIMITED_COURTS = CourtSettings()
DEFAULT_COURTS = CourtSettings(disputes_an_hour=6, takebacks_an_hour=20, open_disputes=3)


@dataclass(frozen=True)
class Testimony:
    """What a seat attests: whether the claim holds, and what it saw (JSON data) if it says so."""

    seat: int
    holds: bool
    saw: Any = None


@dataclass(frozen=True)
class Vote:
    """Which remedy a seat voted for."""

    seat: int
    remedy: str


@dataclass(frozen=True)
class Verdict:
    """What a court said of a dispute. `by`: `referee`, `table`, `host`, `arbiter`.

    `reason` is a key of the texts that players read, with `params`; `statement` the words of whoever ruled. `clauses`
    are those it rests on, as far as these eyes may know; `departs_from`: the clauses of the ruling that it overrules.
    """

    court: str
    by: str
    verdict: str
    remedy: str
    reason: str
    params: dict[str, Any]
    clauses: tuple[str, ...]
    statement: str = ""
    departs_from: tuple[str, ...] = ()
    knowing: tuple[int, ...] | None = None

    def seen_by(self, seat: int) -> Verdict:
        """As a seat may know it: where the reason is not for everybody, only `knowing` are told."""
        if self.knowing is None or seat in self.knowing:
            return self
        return replace(self, reason="court.rests_on_hidden", params={}, clauses=())


@dataclass(frozen=True)
class Dispute:
    """A quarrel about entry `about` (for a refusal: the version at which it was refused), opened by entry `number`.

    `by`: a seat's number as text, `host` or `arbiter`. `parties` are the seats that it is between. `move` is the move
    that was refused, or how a report should have read, as JSON data; None where these eyes may not know it. `court`:
    before which it stands; `stage`: `attesting`, `voting`, `ruling` (the arbiter is awaited), `ruled`, `withdrawn`.
    `until_ms`: when the stage ends, by the store's clock; None: without limit. `looked`: an arbiter looks at all cards.
    """

    number: int
    by: str
    about: int
    claim: str
    parties: tuple[int, ...]
    clause: str = ""
    move: Any = None
    saw: Any = None
    statement: str = ""
    court: str = "referee"
    stage: str = "ruled"
    until_ms: int | None = None
    testimony: tuple[Testimony, ...] = ()
    votes: tuple[Vote, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    secret: bool = False
    looked: bool = False

    def seen_by(self, seat: int) -> Dispute:
        """As a seat may know it: what was refused (`secret`) is told to whoever asked it."""
        known = replace(self, verdicts=tuple(each.seen_by(seat) for each in self.verdicts))
        if not self.secret or str(int(seat)) == self.by:
            return known
        return replace(known, move=None, saw=None, clause="")

    @property
    def is_open(self) -> bool:
        """Whether a court is still at it."""
        return self.stage in ("attesting", "voting", "ruling")


@dataclass(frozen=True)
class Takeback:
    """A request to go back to just after entry `to`, made by entry `number`. `waives`: the rules that it breaks.

    `by`: the seats that consented, `against` the one that did not. `stage`: `asked`, `granted`, `refused`, `overtaken`
    (play went on meanwhile).
    """

    number: int
    seat: int
    to: int
    waives: tuple[str, ...]
    by: tuple[int, ...] = ()
    stage: str = "asked"
    against: int | None = None


@dataclass(frozen=True)
class PendingWitness:
    """Report `report` waits for one of the seats `asks` to confirm it, until `until_ms` by the store's clock."""

    report: int
    asks: tuple[int, ...]
    until_ms: int


@dataclass(frozen=True)
class Deviation:
    """A move against the rules that is to count as having happened, brought by entry `number`.

    `move` is JSON data, None where these eyes may not know it; `cites` are the clauses that it broke, as `by` says;
    `fix` says by hand what came of it. `asks`: the seats that have to agree; `granted`: those that have. `stage`:
    `asked`, `recorded`, `refused`, `overtaken` (play went on before all had agreed).
    """

    number: int
    by: str
    seat: int
    move: Any
    cites: tuple[str, ...]
    reason: str
    fix: tuple[Any, ...] = ()
    asks: tuple[int, ...] = ()
    granted: tuple[int, ...] = ()
    stage: str = "asked"


@dataclass(frozen=True)
class TakebackBan:
    """A seat bars further requests of another for takebacks."""

    seat: int
    asker: int


@dataclass(frozen=True)
class Precedent:
    """A ruling that the table keeps. It is offered when the same is asked again: same claim, question and type of move,
    which is empty where not all may know it.

    `match` and `number`: the dispute it comes from. By itself it decides nothing: people do.
    """

    match: str
    number: int
    game: str
    claim: str
    question: str
    move: str
    verdict: str
    clauses: tuple[str, ...]
    statement: str
    by: str
