"""Thinks for the bot of a match, and records how.

A bot is given the view of its seat and what that seat remembers, and nothing else.
"""

from __future__ import annotations

import hashlib

from referee.bots.minds import clamp_level, think
from referee.bots.search import MayGoOn, Thought, go_on_always
from referee.engine.cardtracking.determinization import NOTHING_REMEMBERED, Memory
from referee.engine.codec import encode_canonical
from referee.engine.referee import seats_that_must_act
from referee.engine.seats import BYSTANDER, Seat
from referee.match.aggregate import Match
from referee.match.bots.decisions import BotDecision, ThoughtRecord
from referee.queries.views import describe_view
from referee.thoughts.digest import compute_mind_digest


def think_for_seat(
    match: Match,
    seat: Seat,
    seed: str,
    memory: Memory = NOTHING_REMEMBERED,
    may_go_on: MayGoOn = go_on_always,
    level: int | None = None,
) -> Thought:
    """Return what the bot of a seat thinks now.

    `level`: that of the seat if None. The move is None if the bot declines an invitation, or finds no move. Raises
    Undetermined if the view says too little.
    """
    assert match.state is not None
    is_invited = seat not in seats_that_must_act(match.state.view_for(BYSTANDER))
    chosen = clamp_level(match.chairs[seat].level) if level is None else level
    style = match.chairs[seat].style
    return think(chosen, match.state.view_for(seat), seat, seed, is_invited, may_go_on, memory, style)


def record_decision(
    match: Match, version: int, seat: Seat, level: int, thought: Thought, memory: Memory = NOTHING_REMEMBERED
) -> BotDecision:
    """Return what a bot's move rests on, to be sealed into its entry."""
    return BotDecision(
        describe_view(match, version, seat)["view_hash"],
        ThoughtRecord(level, thought.playouts, version, compute_mind_digest(match.game), hash_memory(memory)),
    )


def hash_memory(memory: Memory) -> str:
    """Return the hash of what a seat remembers, in hex; empty if that is nothing."""
    told = {place: list(cards) for place, cards in memory.items() if cards}
    return hashlib.sha256(encode_canonical(told)).hexdigest() if told else ""
