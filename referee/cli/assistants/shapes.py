"""The shapes of what the tools return, from which their schemas are made."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12


class OtherReading(TypedDict):
    """Another reading of what a clause leaves open, which a table may agree on."""

    reading: int
    id: str
    says: str | None
    why: str | None
    setting: dict[str, Any] | None


class ClauseData(TypedDict):
    """A numbered rule.

    `open` is what the printed rules leave open, and `says` is then a reading of it; `usual` if new matches take it.
    """

    id: str
    chapter: str | None
    found: str | None
    open: str | None
    says: str
    why: str | None
    variant: str | None
    players_duty: bool
    usual: bool | None
    other_readings: list[OtherReading]
    cards: list[str]


class CardData(TypedDict):
    """A card that the query names."""

    id: str
    name: str
    text: str | None
    clauses: list[str]


class SearchData(TypedDict):
    """The clauses and cards that fit a query, the most fitting first."""

    game: str
    clauses: list[ClauseData]
    cards: list[CardData]


class WholeClauseData(ClauseData):
    """A clause with what is said when a move breaks it and when it happens."""

    game: str | None
    refusals: list[str]
    events: list[str]


class CitedClause(TypedDict):
    """A clause as an answer cites it."""

    id: str
    says: str
    found: str | None


class WayOut(TypedDict):
    """A move that would have been legal."""

    move: dict[str, Any]
    says: str


class MissingFact(TypedDict, total=False):
    """A fact that the answer depends on; `fragment` shows what to add at `pointer`."""

    pointer: str
    asks: str
    fragment: dict[str, Any]
    kind: str
    values: list[dict[str, Any]]
    least: int | None
    most: int | None


class AskableMove(TypedDict):
    """A move that one may ask about; `choices` are values that its fields may have."""

    seat: int | str
    says: str
    move: dict[str, Any]
    choices: list[dict[str, Any]]


class RulingData(TypedDict, total=False):
    """What judge_position found; `status` says which members there are."""

    status: Literal["ruled", "facts_missing", "choose_move", "example"]
    verdict: Literal["granted", "refused", "undecided"]
    spoken: str
    reason: str
    clauses: list[CitedClause]
    instead: list[WayOut]
    follows: list[str]
    next: dict[str, Any] | None
    after: dict[str, Any] | None
    needs: list[str]
    readings: list[dict[str, Any]]
    assumed: list[str]
    quarrel: dict[str, Any] | None
    missing: list[MissingFact]
    asks: str | None
    awaits: list[int | str]
    moves: list[AskableMove]
    example: dict[str, Any]
    variants: list[str]
    kinds: list[dict[str, Any]]


class CensusData(TypedDict, total=False):
    """Whether the cards can lie so, and what to count again if not."""

    possible: bool
    contradictions: list[dict[str, Any]]
    recounts: list[dict[str, Any]]
    clauses: list[dict[str, Any]]
    version: int
    sure: bool
    first: int | None
    suspects: list[int]


class ExplanationData(TypedDict):
    """Why an entry is as it is: what was asked, what happened, by which clauses."""

    version: int
    at_ms: int
    seat: int | str
    actor: dict[str, Any]
    question: dict[str, Any] | None
    move: dict[str, Any] | None
    events: list[dict[str, Any]]
    clauses: list[dict[str, Any]]
    numbers: list[dict[str, Any]]
    otherwise: dict[str, Any] | None
    sentence: str | None


class ReportData(TypedDict):
    """What a check of an exported match found; `sound`: nothing is wrong."""

    match: str
    size: int
    sound: bool
    verdict: str
    says: str
    fault: str | None
    exit_code: int
    trusted: bool
    keys: list[str]
    checks: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    notices: list[dict[str, Any]]
