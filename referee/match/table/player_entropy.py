"""Seeds of the seats: what they add to the server's draws.

With them the server alone does not choose the draws. A seat commits to a seed: SHA-256 of "referee/v1/seed|" and its
bytes. Then it shows the seed. By then the server has long been bound to its secret, so nobody knows what a seed does to
the draws.

From the second scheme on a seed of 32 bytes is the end of a chain: it is itself such a hash, of the next link, and so
on. With its moves a seat shows one link after the other. A draw takes the newest link of each seat, so that nobody can
foresee the draws after the next move of an honest player. A link is taken only if the server has drawn since
the seat's last one. Else a seat that makes many moves could choose among as many draws. Of a new chain two links are
taken: somebody who commits when a link is on its way may know that one, but not the next, which a device sends only
when the log has the one before.

TABLE-SEED-1: A seat may add a seed to the server's draws. It first commits to it and then shows it. In the first scheme
it does so before the start.

TABLE-SEED-2: In the first scheme, once a seed was shown, nobody commits to one any more, and no match starts while a
seed is hidden. A later commitment could be chosen to fit the shown seed by somebody in league with the server.

TABLE-SEED-3: In the second scheme a seat goes on showing links of its chain, and may commit to another chain at any
time. Its last link counts until the first of the new chain is shown; during play that is after the next draw at the
earliest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.codec import named
from referee.engine.events import Event, Move
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.match.aggregate import FINAL_STATUSES, Match, SeatEvent
from referee.match.table.player_seed import PlayerSeed, compute_seed_commitment

MIN_SEED_BYTES, MAX_SEED_BYTES = 16, 64  # bytes of a seed
COMMITMENT_PATTERN = re.compile("[0-9a-f]{64}")
SEED_PATTERN = re.compile(f"(?:[0-9a-f]{{2}}){{{MIN_SEED_BYTES},{MAX_SEED_BYTES}}}")


@named("table.commit_seed")
@dataclass(frozen=True)
class CommitSeed(Move):
    """Bind a seat to a seed, or to another than before, until one is revealed."""

    seat: int
    commitment: str


@named("table.reveal_seed")
@dataclass(frozen=True)
class RevealSeed(Move):
    """Reveal the seed that a seat is bound to, in hex."""

    seat: int
    seed: str


@named("table.SeedCommitted")
@dataclass(frozen=True)
class SeedCommitted(SeatEvent):
    """A seat bound itself to a seed, in place of one that it was bound to before."""

    commitment: str
    clauses = ("TABLE-SEED-1",)

    def apply(self, state: Match) -> Match:
        others = [seed for seed in state.seeds if seed.seat != self.seat]
        own = PlayerSeed(self.seat, self.commitment)
        if state.later_scheme:
            shown = next((seed.revealed for seed in state.seeds if seed.seat == self.seat), "")
            own = PlayerSeed(self.seat, self.commitment, shown, self.commitment, fresh=state.status != "lobby")
        return replace(state, seeds=tuple(sorted((*others, own), key=lambda seed: seed.seat)))


@named("table.SeedRevealed")
@dataclass(frozen=True)
class SeedRevealed(SeatEvent):
    """A seat revealed its seed (hex); everybody can check it against the commitment."""

    seed: str
    clauses = ("TABLE-SEED-1",)

    def apply(self, state: Match) -> Match:
        return _reveal(state, self.seat, self.seed)


@named("table.LinkRevealed")
@dataclass(frozen=True)
class LinkRevealed(SeatEvent):
    """A seat revealed the next link of its chain (hex) with a move.

    The move does not rest on it. Everybody can check it against the link before it.
    """

    link: str

    def apply(self, state: Match) -> Match:
        return _reveal(state, self.seat, self.link)


def _reveal(state: Match, seat: int, link: str) -> Match:
    """Return the match after a seat revealed its seed or its next link."""
    chained = bool(state.later_scheme)
    seeds = (_reveal_seed(seed, link, chained) if seed.seat == seat else seed for seed in state.seeds)
    return replace(state, seeds=tuple(seeds))


def _reveal_seed(seed: PlayerSeed, link: str, is_chained: bool) -> PlayerSeed:
    """Return a seat's seed with its newest link.

    Of a new chain a second one may follow at once.
    """
    if not is_chained:
        return replace(seed, revealed=link)
    return replace(seed, revealed=link, awaited=link, fresh=seed.awaited != seed.commitment)


def decide_seed_commitment(match: Match, seat: int, commitment: str) -> tuple[Event, ...]:
    """Return the event of a seat that binds itself to a seed; nothing if it does not.

    Raises IllegalMove (TABLE-*), MalformedInput.
    """
    if not commitment:
        return ()
    if match.status != "lobby" and not match.later_scheme:
        raise IllegalMove("already_started", "TABLE-SEED-1")
    if not COMMITMENT_PATTERN.fullmatch(commitment):
        raise MalformedInput([{"pointer": "/seed_commitment", "detail": "64 lower-case hexadecimal digits are needed"}])
    shown = [seed.seat for seed in match.seeds if seed.revealed]
    if shown and not match.later_scheme:
        raise IllegalMove("seeds_revealed", "TABLE-SEED-2", seats=shown)
    return (SeedCommitted(seat, commitment),)


def find_unrevealed_seats(match: Match) -> list[int]:
    """Return the seats that have not revealed their seed yet."""
    return [seed.seat for seed in match.seeds if not seed.revealed]


def _handle_commit_seed(match: Match, command: CommitSeed) -> tuple[Event, ...]:
    """Bind a seat to a seed (TABLE-SEED-1)."""
    _require_taken_seat(match, command.seat)
    _require_coming_draws(match)
    return decide_seed_commitment(match, command.seat, command.commitment)


def _handle_reveal_seed(match: Match, command: RevealSeed) -> tuple[Event, ...]:
    """Reveal the seed or the next link of a seat (TABLE-SEED-1, TABLE-SEED-3)."""
    _require_taken_seat(match, command.seat)
    _require_coming_draws(match)
    if match.status != "lobby" and not match.later_scheme:
        raise IllegalMove("already_started", "TABLE-SEED-1")
    if not _takes_link(match, command.seat, command.seed):
        raise IllegalMove("seed_shown_already", "TABLE-SEED-1", seat=command.seat)
    return (SeedRevealed(command.seat, command.seed),)


def decide_link(match: Match, seat: int, link: str) -> tuple[Event, ...]:
    """Return the event of a link that comes with a seat's move.

    Nothing if none comes, or none is taken now. Raises IllegalMove (TABLE-*).
    """
    return (LinkRevealed(seat, link),) if link and _takes_link(match, seat, link) else ()


def find_revealed_link(events: Iterable[Event]) -> LinkRevealed | None:
    """Return the link among the events of a move; None if there is none."""
    return next((event for event in events if isinstance(event, LinkRevealed)), None)


def _takes_link(match: Match, seat: int, link: str) -> bool:
    """Tell whether a seat's seed or link is written down now.

    It is not if it was before, or if nothing has happened since that would make another one useful. Raises IllegalMove
    if the seat is bound to none or to another.
    """
    bound = next((seed for seed in match.seeds if seed.seat == seat), None)
    if bound is None:
        raise IllegalMove("seed_unbound", "TABLE-SEED-1", seat=seat)
    if bound.revealed and (not match.later_scheme or link == bound.revealed):
        return False
    is_bound = SEED_PATTERN.fullmatch(link) and compute_seed_commitment(bytes.fromhex(link)) == (
        bound.awaited or bound.commitment
    )
    if not is_bound and bound.revealed:
        raise IllegalMove("link_mismatch", "TABLE-SEED-3", seat=seat)
    if not is_bound:
        raise IllegalMove("seed_mismatch", "TABLE-SEED-1", seat=seat)
    return not bound.fresh


def get_draw_place(match: Match, version: int) -> int:
    """Return the place of the next draw, which is made by the entry `version`.

    It is the draw's number, from 1. In the first scheme it is the version.
    """
    return match.draws + 1 if match.later_scheme else version


def _require_taken_seat(match: Match, seat: int) -> None:
    if not 0 <= seat < len(match.chairs):
        raise IllegalMove("no_such_seat", "TABLE-SEAT-1", seat=seat)
    if not match.chairs[seat].taken:
        raise IllegalMove("seat_empty", "TABLE-SEED-1", seat=seat)


def _require_coming_draws(match: Match) -> None:
    """Raise IllegalMove after the end, when nothing is drawn any more.

    In the first scheme nobody brings a seed once play has begun, which is refused for that reason.
    """
    if match.status in FINAL_STATUSES and match.later_scheme:
        raise IllegalMove("match_over", "TABLE-END-1")


COMMAND_HANDLERS: dict[type[Move], Callable[[Match, Any], tuple[Event, ...]]] = {
    CommitSeed: _handle_commit_seed,
    RevealSeed: _handle_reveal_seed,
}
