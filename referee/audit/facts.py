"""Facts that a reader of a report should know, from the public part of a match.

They say who had a share in its chance, and where it moved.
None of them is wrong. But each says what signatures and secrets cannot show: a server that chooses its secret when it
knows all seeds can choose the dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.audit.consents import MoveConsents

SHOWN_MOVES = 5  # the most moves to another server that are named
SHOWN_SHARES = 5  # the most runs of draws that are named


@dataclass(frozen=True, slots=True)
class DrawShare:
    """A run of the server's draws in which the same seats had a share.

    It reaches from the draw of the entry `first` to that of `last`. A seat has a share in a draw if the link before its
    newest one (before the first, its commitment) was written after the server and all other seats had bound themselves,
    and nobody has left the seat since. A device sends a link only when the log has the one before, so nobody could
    choose anything to fit the newest.
    """

    first: int
    last: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatSignatures:
    """What the device of a seat signed of the moves that are said to be the player's.

    `signed` is how many of them, `seen` the last version that it signed to have looked at (0: none). `unsigned` are the
    entries of the others: moves without a signature, also those that a standing pass made. `keys` are the keys that
    signed, in hex.
    """

    seat: int
    signed: int
    seen: int
    unsigned: tuple[int, ...]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """What the public part of a match says.

    `shares` say who had a share in the draws besides the server. `counts_draws` is whether each draw depends on its
    number; else it depends on the version of its entry. `moves` are the entries by which the match came to other
    servers, with their names; `unagreed` those by which it left a server, with the seats that had not agreed.
    `signers` are the seats of people who moved, with what their devices signed.
    `server_draws` and `real_devices` say whether the server draws, and whether dice or cards
    are real. `lots` says that the server drew the lots of a tournament, `lots_by_round` that entries before a draw
    changed nothing in it.
    """

    shares: tuple[DrawShare, ...] = ()
    counts_draws: bool = False
    moves: tuple[tuple[int, str], ...] = ()
    unagreed: tuple[tuple[int, tuple[int, ...]], ...] = ()
    server_draws: bool = False
    real_devices: bool = False
    signers: tuple[SeatSignatures, ...] = ()
    lots: bool = False
    lots_by_round: bool = False

    @property
    def are_moves_signed(self) -> bool:
        """Whether devices have signed all moves that people are said to have made."""
        return bool(self.signers) and not any(each.unsigned for each in self.signers)

    @property
    def is_chance_shared(self) -> bool:
        """Whether no server alone chose what is drawn.

        A seat had a share in each draw, or the server draws nothing.
        """
        return not self.server_draws or (bool(self.shares) and all(share.seats for share in self.shares))


NO_FACTS = MatchFacts()


@dataclass(frozen=True, slots=True)
class MatchFrame:
    """What match it is: the game, who sat there, when it was.

    `game` and `status` are what the header says, which the check of the rules compares with the entries. `bots` are the
    seats that bots had at any time. Times are those of the first and last entry, in ms. Of a tournament, `game` is
    TOURNAMENT, `variant` the game that is played, `seats` are those who entered, and `rounds` those that were paired.
    """

    game: str
    variant: str
    status: str
    seats: int
    bots: tuple[int, ...]
    first_ms: int
    last_ms: int
    rounds: int = 0


def collect_frame(game: str, variant: str, status: str, entries: Sequence[Mapping[str, Any]]) -> MatchFrame | None:
    """Return what match these envelopes are of, None without any."""
    seats, bots, rounds = 0, set[int](), 0
    for event in (event for entry in entries for event in entry["events"] if isinstance(event, dict)):
        chairs = event.get("chairs")
        if event.get("type") in ("table.MatchOpened", "table.SettingsChanged") and isinstance(chairs, list):
            seats = len(chairs)
            bots |= {at for at, chair in enumerate(chairs) if isinstance(chair, dict) and chair.get("kind") == "bot"}
        elif event.get("type") == "table.BotSeated" and type(event.get("seat")) is int:
            bots.add(event["seat"])
        elif event.get("type") == "tournament.Entered":
            bots |= {seats} if event.get("level") is not None else set()
            seats += 1
        elif event.get("type") == "tournament.RoundPaired":
            rounds += 1
    if not entries:
        return None
    times = int(entries[0]["at"]), int(entries[-1]["at"])
    return MatchFrame(game, variant, status, seats, tuple(sorted(bots)), *times, rounds)


@dataclass(frozen=True, slots=True)
class _Showing:
    """When a seat showed a link, when the one before, and when it was bound."""

    bound: int
    before: int  # of the first link: when it was bound; 0: somebody has left the seat since
    at: int


@dataclass(slots=True)
class _Bonds:
    """Who is bound since when, and who showed something when.

    Times are places in the order of all events.
    """

    is_chained: bool = False  # whether seats go on showing links during play
    has_started: bool = False
    secret_at: int = 0
    bound_at: dict[int, int] = field(default_factory=dict)
    shown_at: dict[int, _Showing] = field(default_factory=dict)

    def note(self, at: int, event: Mapping[str, Any]) -> None:
        """Note the event at this place."""
        kind, seat = event.get("type"), event.get("seat")
        if kind in ("table.MatchOpened", "table.ChanceRenewed"):
            self.secret_at = at
            self.is_chained = bool(event.get("later_scheme")) if kind == "table.MatchOpened" else self.is_chained
        elif kind == "table.Started":
            self.has_started = True
        elif type(seat) is not int or (self.has_started and not self.is_chained):
            return
        elif kind in ("table.SeedRevealed", "table.LinkRevealed"):
            bound, last = self.bound_at.get(seat, 0), self.shown_at.get(seat)
            before = last.at if last is not None and last.bound == bound else bound
            self.shown_at[seat] = _Showing(bound, before, at)
        elif kind == "table.SeedCommitted":
            self.bound_at[seat] = at
            if not self.is_chained:
                self.shown_at.pop(seat, None)
        elif kind == "table.SeatLeft" and seat in self.shown_at:
            own = self.shown_at.pop(seat)
            if self.has_started:  # its link goes on counting, but nobody is there to show the next
                self.shown_at[seat] = replace(own, before=0)

    def list_sharing_seats(self) -> tuple[int, ...]:
        """Return the seats that have a share in the next draw."""
        return tuple(
            seat
            for seat, own in sorted(self.shown_at.items())
            if own.before > self.secret_at
            and all(own.before > each.bound for other, each in self.shown_at.items() if other != seat)
        )


def collect_facts(entries: Iterable[Mapping[str, Any]]) -> MatchFacts:
    """Return the facts of a match from its envelopes, sound or not."""
    consents, unagreed = MoveConsents(), list[tuple[int, tuple[int, ...]]]()
    by_round = False
    bonds, shares, moves, chance, at = _Bonds(), list[DrawShare](), list[tuple[int, str]](), dict[str, Any](), 0
    for entry in entries:
        if entry["actor"] == "chance":
            seats, first = bonds.list_sharing_seats(), entry["version"]
            if shares and shares[-1].seats == seats:
                first = shares.pop().first
            shares.append(DrawShare(first, entry["version"], seats))
        for event in entry["events"]:
            if not isinstance(event, dict):
                continue
            at, kind = at + 1, event.get("type")
            bonds.note(at, event)
            consents.note(event)
            if kind in ("table.MatchOpened", "table.SettingsChanged") and isinstance(event.get("chance"), dict):
                chance = event["chance"]
            elif kind == "tournament.Opened" and isinstance(event.get("format"), dict):
                by_round = bool(event["format"].get("scheme"))
            elif kind == "tournament.Started":
                chance = {"lots": "server"}
            elif kind == "table.MatchMoved" and (missing := consents.leave(event)):
                unagreed.append((entry["version"], missing))
            elif kind == "table.MatchArrived":
                moves.append((entry["version"], str(event.get("store"))[:100]))
    sources = list(chance.values())
    told = (tuple(shares), bonds.is_chained, tuple(moves), tuple(unagreed))
    return MatchFacts(*told, "server" in sources, "table" in sources, lots="lots" in chance, lots_by_round=by_round)


def list_notices(facts: MatchFacts) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what a reader should know of a match, as keys and parameters of texts."""
    for version, store in facts.moves[:SHOWN_MOVES]:
        yield "fact.moved", {"at": version, "store": store}
    for version, seats in facts.unagreed[:SHOWN_MOVES]:
        yield "fact.unagreed", {"at": version, "players": name_players(seats)}
    yield from _list_signature_notices(facts.signers)
    if facts.lots:
        yield "fact.lots_by_round" if facts.lots_by_round else "fact.lots", {}
    if facts.lots or not facts.server_draws:
        return
    if not any(share.seats for share in facts.shares):
        yield "fact.no_seeds", {}
    elif len(facts.shares) == 1:
        signed = "yes" if facts.are_moves_signed else "no"
        yield "fact.seeds", {"players": name_players(facts.shares[0].seats), "signed": signed}
    else:
        for share in facts.shares[:SHOWN_SHARES]:
            where = "one" if share.first == share.last else "more"
            players = name_players(share.seats)
            reach = {"where": where, "first": share.first, "last": share.last}
            reach |= {"players": players, "count": len(share.seats)}
            yield "fact.share" if share.seats else "fact.no_share", reach
        if len(facts.shares) > SHOWN_SHARES:
            yield "fact.more_shares", {"count": len(facts.shares) - SHOWN_SHARES}
    if not facts.counts_draws:
        yield "fact.draws_by_entry", {}


def _list_signature_notices(signers: Sequence[SeatSignatures]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield whose device vouches for which moves."""
    for each in signers:
        if not each.signed:
            continue
        keys = ", ".join(f"{key[:4]} {key[4:8]} {key[8:12]}…" for key in each.keys)
        yield (
            "fact.signed",
            {
                "player": each.seat + 1,
                "count": each.signed,
                "total": each.signed + len(each.unsigned),
                "whole": "no" if each.unsigned else "yes",
                "seen": each.seen,
                "keys": keys,
                "number": len(each.keys),
            },
        )
        if each.unsigned:
            more = ", …" if len(each.unsigned) > SHOWN_MOVES else ""
            entries = ", ".join(map(str, each.unsigned[:SHOWN_MOVES])) + more
            yield "fact.unsigned", {"player": each.seat + 1, "count": len(each.unsigned), "entries": entries}
    if bare := [each.seat for each in signers if not each.signed]:
        yield "fact.none_signed", {"players": name_players(bare)}


def name_players(seats: Iterable[int]) -> str:
    """Return the numbers by which the players at these seats are called."""
    return ", ".join(str(seat + 1) for seat in seats)
