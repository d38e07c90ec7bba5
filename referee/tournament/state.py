"""The aggregate `Tournament`, folded from its log.

A tournament has a log of its own, as a match has. It knows people by random ids; their names lie apart and can be
erased. Times are in ms by the store's clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from referee.engine.codec import OMIT_IF_EMPTY
from referee.match.aggregate import NO_TIME_LIMITS, Clocks
from referee.match.events.dispute_state import MINUTE_MS
from referee.tournament.results import TableResult
from referee.tournament.standings import Points

DEFAULT_POINTS = Points()
# The generations of a tournament's secret. That of the lots is disclosed at the end; that of the salts never is, as it
# would let everybody try out who was warned for what.
SALTS, LOTS = 0, 1
GAME = "tournament"  # what entries of tournaments name in place of a game
RULESET = "1"
# Schemes of a format: how a tournament is run. FIRST_SCHEME: a lot depends on the version of its entry, an appeal is
# decided by those whom the player has accepted, and only the current round is ever open. LATER_SCHEME: a lot depends on
# the number of the round, who appeals against a caution or a warning does not follow from the committee (decision 110),
# and a round is open again with any of its tables (decision 115). SECTIONS_SCHEME: a large field of a Swiss
# is paired in sections (decision 119).
FIRST_SCHEME, LATER_SCHEME, SECTIONS_SCHEME = SCHEMES = (0, 1, 2)
ID_MARK = "T"  # the first letter of a tournament's id, after its partition; ids of matches have small letters
OFFICES = ("head", "floor", "committee")
RULING_OFFICES = ("head", "floor")  # who rule at the tables; the committee decides appeals against them
REFEREED, REPORTED = "refereed", "reported"  # whether tables are matches of this server, or only report how they ended
NO_DECKS, DEPOSITED_DECKS = "none", "deposited"
PUBLIC, PRIVATE = "public", "private"  # who may look at the matches: everybody, or who takes part


def is_tournament_id(name: str) -> bool:
    """Tell whether an id is that of a tournament (`07-T…`) and not of a match."""
    return name[2:4] == f"-{ID_MARK}"


@dataclass(frozen=True)
class Format:
    """What is played, and how; all of it stays as it is from the opening on.

    - `system`: one of `pairing.systems.SYSTEMS`. `rounds`: 0 for as many as the system needs.
    - `least_seats`, `most_seats`: how many sit at a table.
    - `plays`: REFEREED or REPORTED. `decks`: NO_DECKS or DEPOSITED_DECKS.
    - `rated`: whether its matches count for the players' ratings. `visibility`: PUBLIC or PRIVATE; empty: public if
      they are rated.
    - `scheme`: by which scheme it is run; 0 is that of the first tournaments (SCHEMES).
    - `round_ms`: how long a round takes; None: as long as it needs. `sign_ms`: how long the players of a table may
      object to a result. `appeal_ms`: how long a ruling can be appealed against, and a committee may take.
    """

    game: str
    variant: str
    edition: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    readings: dict[str, int] = field(default_factory=dict)
    chance: dict[str, str] = field(default_factory=dict)
    clocks: Clocks = NO_TIME_LIMITS
    system: str = "round_robin"
    rounds: int = 0
    least_seats: int = 2
    most_seats: int = 2
    points: Points = DEFAULT_POINTS
    tiebreaks: tuple[str, ...] = ("buchholz", "sonneborn_berger", "wins")
    plays: str = REFEREED
    decks: str = NO_DECKS
    rated: bool = True
    round_ms: int | None = None
    sign_ms: int = 5 * MINUTE_MS
    appeal_ms: int = 15 * MINUTE_MS
    most_players: int = 64
    visibility: str = field(default="", metadata=OMIT_IF_EMPTY)
    scheme: int = field(default=0, metadata=OMIT_IF_EMPTY)

    @property
    def shown_to(self) -> str:
        """Who may look at its matches: PUBLIC or PRIVATE."""
        return self.visibility or (PUBLIC if self.rated else PRIVATE)


@dataclass(frozen=True)
class Entrant:
    """Who plays: a person, known by a random id, or a bot of a `level`.

    `status` is `playing`, `left` or `disqualified`. `deck` is the commitment to the deposited deck.
    """

    number: int
    person: str
    level: int | None = None
    status: str = "playing"
    deck: str = ""

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays."""
        return self.level is not None


@dataclass(frozen=True)
class Officer:
    """An official: a person with an office, and the entrants who have accepted them.

    `number` is that of the entry that named them.
    """

    number: int
    person: str
    office: str
    accepted: tuple[int, ...] = ()
    left: bool = False


@dataclass(frozen=True)
class Table:
    """A table of a round.

    - `match`: the id of the match that is played there; empty before it is open, and where results are only reported.
    - `result`: how it ended, as far as that was reported or ruled. `by`: who said so: `player:3`, `official:7`,
      `match` or `clock`. `entry`: the entry that said so.
    - `signed`: the entrants who agree. `until_ms`: until when others can object. `final`: nobody can any more.
    - `disputed`: the entrants who object.
    - `extra_ms`: time that officials added, or that the table got back for calls in its match (`waits`).
    - `lapsed`: the match ended without a result. `former`: the matches that were played there before.
    """

    number: int
    players: tuple[int, ...]
    match: str = ""
    result: TableResult | None = None
    by: str = ""
    entry: int = 0
    signed: tuple[int, ...] = ()
    until_ms: int | None = None
    final: bool = False
    disputed: tuple[int, ...] = ()
    extra_ms: int = 0
    lapsed: bool = False
    former: tuple[str, ...] = ()
    waits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Round:
    """A round: its tables, who has none, and when it ends if it has an end."""

    number: int
    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    started_ms: int = 0
    ends_ms: int | None = None
    closed: bool = False

    def find_table(self, number: int) -> Table | None:
        """Return the table of this number; None if there is none."""
        return next((each for each in self.tables if each.number == number), None)

    def find_table_of(self, player: int) -> Table | None:
        """Return the table at which an entrant sits; None if at none."""
        return next((each for each in self.tables if player in each.players), None)


def list_tables(state: Tournament) -> Iterator[tuple[Round, Table]]:
    """Yield all tables, each with its round, in order."""
    yield from ((one, table) for one in state.rounds for table in one.tables)


@dataclass(frozen=True)
class Penalty:
    """A penalty, by the number of its entry.

    - `infraction`, `grade`: of `penalties.yaml`; `proposed` is the grade that the ledger proposed, `because` why the
      official gave another. `fix`: what was done about it at the table, apart from the grade.
    - `stage`: `given`, `appealed` or `expunged`.
    """

    number: int
    player: int
    infraction: str
    grade: str
    proposed: str
    by: int
    at_ms: int
    round: int = 0
    table: int = 0
    fix: str = ""
    because: str = ""
    stage: str = "given"


@dataclass(frozen=True)
class PendingLoss:
    """A loss by a penalty that waits for the player's next table."""

    player: int
    penalty: int


@dataclass(frozen=True)
class Appeal:
    """An appeal against a penalty, or against a ruling on how a table ended.

    - `number`: its entry. `about`: the entry of what it is about, `kind`: `penalty` or `result`.
    - `ruled_by`: the officer who ruled and so has no vote. `committee`: who decides.
    - `votes`: by officer, whether the ruling is overturned (None: not known). `until_ms`: until when they may vote.
    - `is_open`: everybody may know who appeals.
    - `stage`: `open`, `upheld` or `overturned`: what became of the ruling.
    - `before`: the table as it was before the ruling, which is restored if that is overturned.
    """

    number: int
    by: int
    about: int
    kind: str
    ruled_by: int
    committee: tuple[int, ...]
    until_ms: int
    votes: tuple[tuple[int, bool | None], ...] = ()
    stage: str = "open"
    reason: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class Call:
    """A table calls an official.

    If the call `stops` its time, then until `until_ms` at most.
    """

    number: int
    round: int
    table: int
    by: int
    reason: str
    at_ms: int
    until_ms: int
    stops: bool = True
    answered_by: int | None = None
    ended: str = ""  # answered or withdrawn

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to come."""
        return not self.ended

    def compute_wait(self, now_ms: int) -> int:
        """Return for how long the time of the table has stood still by now, in ms."""
        return max(0, min(now_ms, self.until_ms) - self.at_ms) if self.stops else 0


@dataclass(frozen=True)
class ClaimedItem:
    """An item of the queue that an officer looks after until `until_ms`."""

    item: str
    officer: int
    until_ms: int


@dataclass(frozen=True)
class DeckCheck:
    """A check of a deposited deck: what was missing, and what did not belong there.

    `matches` is None where it is not known.
    """

    number: int
    player: int
    officer: int
    matches: bool | None
    missing: dict[str, int] = field(default_factory=dict)
    foreign: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class RulingOnTable:
    """What a table was before an official ruled how it ended.

    An appeal can bring that back.
    """

    entry: int
    round: int
    officer: int
    before: Table
    at_ms: int
    penalty: int = 0  # the penalty that brought it; 0: none


@dataclass(frozen=True)
class Tournament:
    """A tournament, folded from its log."""

    id: str = ""
    commitment: str = ""  # binds the server to the secret behind its lots
    format: Format = Format("", "")
    status: str = "registration"  # then running, and finished or withdrawn
    entrants: tuple[Entrant, ...] = ()
    officers: tuple[Officer, ...] = ()
    lots: tuple[int, ...] = ()  # all entrants in the order drawn at the start
    rounds: tuple[Round, ...] = ()
    planned: int = 0  # how many rounds there will be
    penalties: tuple[Penalty, ...] = ()
    losses: tuple[PendingLoss, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    rulings: tuple[RulingOnTable, ...] = ()
    calls: tuple[Call, ...] = ()
    claims: tuple[ClaimedItem, ...] = ()
    checks: tuple[DeckCheck, ...] = ()
    ranks: tuple[tuple[int, int], ...] = ()  # at the end: entrants with their ranks
    withdrawn: tuple[str, ...] = ()  # invitations that the host has withdrawn

    # What the encoding of entries needs of an aggregate (`referee.match.entries.encode_entry`).
    game = GAME
    ruleset = RULESET
    edition = ""
    chairs: tuple[()] = ()
    generation = SALTS

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.status in ("finished", "withdrawn")

    @property
    def current_round(self) -> Round | None:
        """The last round that was paired; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def open_round(self) -> Round | None:
        """The first round that is not closed; None if all are.

        By the first rules only the current one can be open.
        """
        if self.format.scheme == FIRST_SCHEME:
            return self.rounds[-1] if self.rounds and not self.rounds[-1].closed else None
        return next((each for each in self.rounds if not each.closed), None)

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of the entrants who are still in it."""
        return tuple(each.number for each in self.entrants if each.status == "playing")

    def find_entrant(self, number: int) -> Entrant | None:
        """Return the entrant of this number; None if there is none."""
        return self.entrants[number] if 0 <= number < len(self.entrants) else None

    def find_officer(self, number: int) -> Officer | None:
        """Return the official of this number who still is one; None if there is none."""
        return next((each for each in self.officers if each.number == number and not each.left), None)

    def is_accepted(self, officer: Officer, players: tuple[int, ...]) -> bool:
        """Tell whether the people among these entrants accepted an official.

        Who is no longer in the tournament does not matter.
        """
        here = (self.entrants[each] for each in players)
        people = {each.number for each in here if each.status == "playing" and not each.is_bot}
        return not officer.left and people <= set(officer.accepted)

    def has_bracket_gone_on(self, round_number: int) -> bool:
        """Tell whether players already play on by the results of a round of a knockout."""
        return self.format.system == "knockout" and round_number < len(self.rounds)

    @property
    def results(self) -> tuple[TableResult, ...]:
        """The final results of all rounds, byes included, in order."""
        found = []
        for one in self.rounds:
            found += [each.result for each in one.tables if each.final and each.result is not None]
            found += [TableResult(one.number, 0, (player,), ((player,),)) for player in one.byes]
        return tuple(found)

    def with_table(self, round_number: int, table: Table) -> Tournament:
        """Return the tournament with another state of a table."""
        rounds = tuple(
            replace(one, tables=tuple(table if each.number == table.number else each for each in one.tables))
            if one.number == round_number
            else one
            for one in self.rounds
        )
        return replace(self, rounds=rounds)

    def with_entrant(self, number: int, **changes: Any) -> Tournament:
        """Return the tournament with other values in some fields of an entrant."""
        found = (replace(each, **changes) if each.number == number else each for each in self.entrants)
        return replace(self, entrants=tuple(found))
