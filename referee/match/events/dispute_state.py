"""What a match keeps of officials, disputes and requests, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY
from referee.engine.seats import FULL_VIEWER
from referee.engine.zones import back_of, is_open_to

IMPOSSIBLE_TABLE = "impossible_table"  # the claim that a table cannot be so, which accuses no entry
AS_IT_LIES = "as_it_lies"  # the remedy to play on with what lies there
CLAIMS = ("illegal_move", "wrong_refusal", "misreported", "missed_effect", "wrong_count", IMPOSSIBLE_TABLE, "other")
REMEDIES = ("leave", "restore", AS_IT_LIES, "partial_fix", "rewind", "void")
UNANIMOUS_REMEDIES = frozenset({AS_IT_LIES})  # the table chooses them only with all votes
LEVELS = ("referee", "table", "arbiter")  # the courts, lowest first; the first always speaks
VERDICTS = ("stands", "does_not_stand", "undecided")
NEWEST_EDITION = 3  # of the courts' rules; a match keeps the one that it was opened with
NO_TURN = -1  # of a slip in a report that counts no more
TAKEBACK_STAGES = ("asked", "granted", "refused", "overtaken")
MINUTE_MS = 60 * 1000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


@dataclass(frozen=True)
class CourtSettings:
    """How a match settles disputes; times in ms.

    The last three are None, no limit, in matches opened before there were such limits.
    """

    play_on: bool = False  # moves do not wait for a dispute
    levels: tuple[str, ...] = LEVELS  # the courts in order, `referee` first
    answer_ms: int = 120_000  # the time of the table to attest or to vote
    appeal_ms: int = 600_000  # for which a ruling can be appealed against
    correct_ms: int = 10_000  # for which the reporter can correct a report
    claims_ms: int = DAY_MS  # for which a dispute can be opened after the end
    witness: bool = False  # a report of real dice or cards waits for another seat to confirm it
    arbiter_sees: str = "public"  # or `full` while a dispute is open
    rule_ms: int = DAY_MS  # for which a dispute waits for the arbiter
    # What a seat, the host or the arbiters may bring within an hour, and have open at a time.
    disputes_an_hour: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    takebacks_an_hour: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    open_disputes: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    # Of these rules; None: the first, with majorities and the word of any host.
    edition: int | None = field(default=None, metadata=OMIT_IF_EMPTY)
    undo_ms: int | None = field(default=None, metadata=OMIT_IF_EMPTY)  # for which an official can undo a ruling

    @property
    def needs_consent(self) -> bool:
        """Whether remedies need everybody's consent, and officials that of the table."""
        return self.edition is not None

    @property
    def counts_words(self) -> bool:
        """Whether nobody's word alone decides a dispute or the end.

        So it is from the third edition on.
        """
        return self.edition is not None and self.edition >= 3

    @property
    def voting_clause(self) -> str:
        """The clause by which the table chooses a remedy."""
        return "TABLE-DISPUTE-9" if self.needs_consent else "TABLE-DISPUTE-4"


UNLIMITED_COURTS = CourtSettings()
DEFAULT_COURTS = CourtSettings(
    rule_ms=15 * MINUTE_MS, disputes_an_hour=6, takebacks_an_hour=20, open_disputes=3, edition=NEWEST_EDITION,
    undo_ms=15 * MINUTE_MS,
)  # fmt: skip


@dataclass(frozen=True)
class Speaking:
    """That at a real table one person may say for all that nobody reacts.

    `objection_ms`: how long anybody can object before the window is passed. 0: it is passed at once, because the
    speaker sits beside the others.
    """

    objection_ms: int = 0


@dataclass(frozen=True)
class SpokenWindow:
    """What was said at the table about the window that is open.

    - `window`: its name. `by`: who said that nobody reacts, a seat's number or `host`; empty if nobody did.
    - `seats`: the seats for which that was said and that have not moved since.
    - `until_ms`: until when they can object; None: the window is passed at once. `entry`: where it was said.
    - `objecting`: the seats that want to react or think.
    """

    window: str
    by: str = ""
    seats: tuple[int, ...] = ()
    until_ms: int | None = None
    entry: int = 0
    objecting: tuple[int, ...] = ()

    def without_seat(self, seat: int) -> SpokenWindow:
        """Return it after a move of a seat, for which nobody speaks any more then."""
        return replace(self, seats=tuple(each for each in self.seats if each != seat))


@dataclass(frozen=True)
class Proposal:
    """The open question whether a bot may play for a seat, or (level None) leave it."""

    seat: int
    level: int | None
    by: tuple[int, ...]  # the seats that have agreed
    number: int = field(default=0, metadata=OMIT_IF_EMPTY)  # the entry that asked; 0: it names none
    style: str = field(default="", metadata=OMIT_IF_EMPTY)  # of the bot that would come


@dataclass(frozen=True)
class TakenHint:
    """The last hint that a seat took; `at` is the version that it was about."""

    seat: int
    at: int


@dataclass(frozen=True)
class Slip:
    """A report that its reporter admits was wrong.

    `number` is the entry that says so, `move` (JSON data) how the report should read. `stage`: asked, confirmed or
    denied. `turn`: the only turn in which it can be confirmed; None: not kept, `NO_TURN`: the report counts no
    more.
    """

    number: int
    about: int
    first: int
    by: int
    move: Any
    asks: tuple[int, ...]
    stage: str = "asked"
    turn: int | None = field(default=None, metadata=OMIT_IF_EMPTY)

    @property
    def is_open(self) -> bool:
        """Whether nobody has confirmed or denied it."""
        return self.stage == "asked"


def lapse_slips(slips: tuple[Slip, ...], to: int) -> tuple[Slip, ...]:
    """Return the slips after play went back to just after entry `to`.

    Reports since then count no more.
    """
    return tuple(replace(each, turn=NO_TURN) if each.about > to else each for each in slips)


@dataclass(frozen=True)
class Testimony:
    """What a seat attests: whether the claim holds, and what it saw (JSON data)."""

    seat: int
    holds: bool
    saw: Any = None


def redact_corrections(fix: tuple[Any, ...], seat: int, shown: tuple[int, ...] = ()) -> tuple[Any, ...]:
    """Return corrections by hand without values and cards that the seat may not see.

    Everybody learns what a correction is about. A card is hidden unless one of its two places is open to the seat.
    `shown` are the places in the list of those corrections whose values everybody sees.
    """
    if seat == FULL_VIEWER:
        return fix
    return tuple(
        each if at in shown and isinstance(each, dict) and "set" in each else _redact_correction(each, seat)
        for at, each in enumerate(fix)
    )


def _redact_correction(each: Any, seat: int) -> Any:
    if not isinstance(each, dict):
        return None
    if "set" in each:
        return {"set": each["set"]}
    if "move" not in each or any(is_open_to(str(each.get(end, ":")), seat) for end in ("from", "to")):
        return each
    return {**each, "move": back_of(str(each["move"]))}


@dataclass(frozen=True)
class Vote:
    """The remedy that a seat voted for, with its corrections by hand."""

    seat: int
    remedy: str
    fix: tuple[Any, ...] = field(default=(), metadata=OMIT_IF_EMPTY)
    number: int = field(default=0, metadata=OMIT_IF_EMPTY)  # the entry that proposed it first; 0: it names none
    shown: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # the corrections whose values everybody sees
    cast: int = field(default=0, metadata=OMIT_IF_EMPTY)  # the entry of the vote; 0: from before votes could lapse


@dataclass(frozen=True)
class Verdict:
    """A court's ruling on a dispute."""

    court: str
    by: str  # `referee`, `table`, `host`, `arbiter`
    verdict: str
    remedy: str
    reason: str  # the key of a text for players, with `params`
    params: dict[str, Any]
    clauses: tuple[str, ...]  # those it rests on, if the viewer may know them
    statement: str = ""  # the words of the host or arbiter who ruled
    departs_from: tuple[str, ...] = ()  # the clauses of the ruling that it overrules
    knowing: tuple[int, ...] | None = None  # the seats that may know the reason; None: everybody
    departing: tuple[int, ...] | None = None  # likewise, of what it departs from

    def seen_by(self, seat: int) -> Verdict:
        """Return the verdict as a seat may know it.

        Only `knowing` see its reason, and only `departing` what it departs from.
        """
        seen = self if self.departing is None or seat in self.departing else replace(self, departs_from=())
        if self.knowing is None or seat in self.knowing:
            return seen
        return replace(seen, reason="court.rests_on_hidden", params={}, clauses=())


@dataclass(frozen=True)
class Dispute:
    """A disagreement about entry `about`, opened by entry `number`.

    For a refusal, `about` is the version at which it was refused.
    """

    number: int
    by: str  # a seat's number as text, `host` or `arbiter`
    about: int
    claim: str
    parties: tuple[int, ...]  # the seats that it is between
    clause: str = ""
    move: Any = None  # JSON data: the refused move, or how a report should have read; None if hidden from the viewer
    saw: Any = None
    statement: str = ""
    court: str = "referee"  # the court that has it
    stage: str = "ruled"  # `attesting`, `voting`, `ruling` (the arbiter is awaited), `ruled`, `withdrawn`, `moot`
    until_ms: int | None = None  # when the stage ends, by the store's clock; None: no limit
    testimony: tuple[Testimony, ...] = ()
    votes: tuple[Vote, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    secret: bool = False
    looked: bool = False  # an arbiter looks at all cards

    def seen_by(self, seat: int) -> Dispute:
        """Return the dispute as a seat may know it: a refused move only if it opened it."""
        verdicts = tuple(each.seen_by(seat) for each in self.verdicts)
        votes = tuple(replace(each, fix=redact_corrections(each.fix, seat, each.shown)) for each in self.votes)
        seen = replace(self, verdicts=verdicts, votes=votes)
        if not self.secret or str(int(seat)) == self.by:
            return seen
        return replace(seen, move=None, saw=None, clause="")

    def without_votes_of(self, seat: int) -> Dispute:
        """Return the dispute without the vote of a seat whose player has left.

        What is settled stays.
        """
        return self._without_votes(lambda vote: vote.seat == seat)

    def without_overtaken_votes(self) -> Dispute:
        """Return the dispute without votes for corrections that play overtook."""
        return self._without_votes(lambda vote: bool(vote.fix))

    def _without_votes(self, lapsed: Callable[[Vote], bool]) -> Dispute:
        if not self.is_open or not any(vote.cast and lapsed(vote) for vote in self.votes):
            return self
        return replace(self, votes=tuple(vote for vote in self.votes if not (vote.cast and lapsed(vote))))

    @property
    def is_open(self) -> bool:
        """Whether a court still has to decide it."""
        return self.stage in ("attesting", "voting", "ruling")


@dataclass(frozen=True)
class Takeback:
    """A seat's request, made by entry `number`, to go back to just after entry `to`."""

    number: int
    seat: int
    to: int
    waives: tuple[str, ...]  # the takeback rules that it breaks
    by: tuple[int, ...] = ()  # the seats that consented
    stage: str = "asked"  # `asked`, `granted`, `refused`, `overtaken` (play went on meanwhile)
    against: int | None = None  # the seat that refused


@dataclass(frozen=True)
class PendingWitness:
    """Report `report` waits until `until_ms` for one of `asks` to confirm it."""

    report: int
    asks: tuple[int, ...]
    until_ms: int


@dataclass(frozen=True)
class Deviation:
    """A move against the rules that is to stand, brought by entry `number`."""

    number: int
    by: str
    seat: int
    move: Any  # JSON data; None if hidden from the viewer
    cites: tuple[str, ...]  # the clauses that it broke, as `by` says
    reason: str
    fix: tuple[Any, ...] = ()  # the result of the move, as corrections by hand
    asks: tuple[int, ...] = ()  # the seats that have to agree
    granted: tuple[int, ...] = ()  # the seats that have agreed
    stage: str = "asked"  # `asked`, `recorded`, `refused`, `overtaken` (play went on before all had agreed)
    house: int = field(default=0, metadata=OMIT_IF_EMPTY)  # the entry of the house ruling that allows it; 0: none
    shown: tuple[int, ...] = field(default=(), metadata=OMIT_IF_EMPTY)  # the corrections that everybody is shown
    attended: bool = field(default=False, metadata=OMIT_IF_EMPTY)  # a house ruling allows it, and others were there


@dataclass(frozen=True)
class TakebackBan:
    """Seat `seat` bars further takeback requests of seat `asker`."""

    seat: int
    asker: int


@dataclass(frozen=True)
class EndProposal:
    """A request, made by entry `number`, to end the match by agreement."""

    number: int
    by: str  # a seat's number as text, `host` or `arbiter`
    reason: str  # `agreed` or `abandoned`
    placement: tuple[tuple[int, ...], ...]
    granted: tuple[int, ...] = ()  # the seats that have agreed
    stage: str = "asked"  # `asked`, `agreed`, `refused`, `overtaken` (a seat was left, or the match ended otherwise)
    against: tuple[int, ...] = ()  # the seats that refused

    def overtake(self) -> EndProposal:
        """Return the proposal after a player has left, closed if it was open."""
        return replace(self, stage="overtaken") if self.stage == "asked" else self


@dataclass(frozen=True)
class Relocation:
    """Where a match went when it left its server."""

    store: str  # the store that it left
    new_home: str = ""  # the address of the other server, empty if nobody named it
    to: str = ""  # the public key (hex) of the only server that may import it; empty: any server


@dataclass(frozen=True)
class TransferProposal:
    """A question to the table, asked by entry `number`: may the match move?"""

    number: int
    new_home: str  # as in `Relocation`
    to: str
    granted: tuple[int, ...] = ()  # the seats that agree
    stage: str = "asked"  # `asked`, `refused`, `overtaken` (by another question, or the match has left)
    against: tuple[int, ...] = ()  # the seats that refused

    def overtake(self) -> TransferProposal:
        """Return the question, closed if it was open."""
        return replace(self, stage="overtaken") if self.stage == "asked" else self

    def without_seat(self, seat: int) -> TransferProposal:
        """Return the question after a player has left a seat.

        The yes was theirs, and the next one on the seat is asked.
        """
        return replace(self, granted=tuple(each for each in self.granted if each != seat))


@dataclass(frozen=True)
class Precedent:
    """A ruling that the table keeps, from dispute `number` of match `match`.

    It is offered if a dispute has the same claim, question and type of move. The type is empty if not everybody may
    know it.

    - `entry`: the entry of the ruling. 0: kept before house rulings bound anybody; such a one decides nothing.
    - `readings`: by clause, the reading that it chooses.
    - `allows`: the type of move that may be recorded against the rules without asking; empty: none.
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
    entry: int = field(default=0, metadata=OMIT_IF_EMPTY)
    readings: dict[str, int] = field(default_factory=dict, metadata=OMIT_IF_EMPTY)
    allows: str = field(default="", metadata=OMIT_IF_EMPTY)
