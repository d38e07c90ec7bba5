"""A match as an environment for research: reset, observe, list, step, clone.

    env = Environment("here_to_slay")
    env.reset(seed=7, seats=3)
    while env.outcome is None:
        seat = env.seat_to_move
        env.step(choose(env.observe(seat), env.list_legal_moves(seat)))
    print(env.rewards)

It is the engine with the seats' moves coming from the caller and chance from the seed. There is no server, no log and
no clock. The same seed and the same moves give the same course.

What a player may know comes from `observe`, `view`, `observe_events`, `list_legal_moves`, `offer_moves`, and from who
is awaited. `state`, `clone` and `seed` tell more: they are for the experimenter. A player that looks ahead
works on `determinize(seat, below)`, where hidden cards and coming dice are drawn again.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import asdict, dataclass
from typing import Any

from referee.bots.offers import Offer, offer_moves
from referee.bots.seeded import SeededChance
from referee.engine.cardtracking.determinization import Memory
from referee.engine.chance import RandomBelow
from referee.engine.codec import decode, decode_named, encode
from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Game, Outcome, Setup
from referee.engine.referee import (
    build_view,
    carry_out_move,
    draw_chance_move,
    find_legal_moves,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_may_act,
    seats_that_may_respond,
    seats_that_must_act,
)
from referee.engine.seats import BYSTANDER, CHANCE, Seat, seat_label, seats_in_order
from referee.engine.steps import StackCleared, State
from referee.games import load_games

UNPROMPTED_MOVES_PER_SEAT = 3  # moves on invitations in a row, times the seats of the match


@dataclass(frozen=True)
class Happening:
    """A move and the events that followed from it. `seat` may be CHANCE."""

    seat: Seat
    move: Move
    events: tuple[Event, ...]


class Environment:
    """A match between seats that the caller plays, with chance from a seed.

    `game`: the name of a game (`referee.games.load_games`).
    """

    game: Game
    setup: Setup
    seed: str
    state: State  # the whole table, hidden cards included: not for players
    outcome: Outcome | None  # how the match has ended, or None while it goes on
    move_count: int  # moves of seats since the reset; neither draws nor declined invitations

    def __init__(self, game: str) -> None:
        if game not in load_games():
            raise ValueError(f"one of {', '.join(load_games())}")
        self.game = load_games()[game]

    def reset(
        self,
        seed: int | str = 0,
        variant: str = "",
        seats: int = 0,
        settings: Mapping[str, Any] | None = None,
        edition: str = "",
    ) -> None:
        """Begin a match: everything is laid out, and the first seat is asked.

        Without `variant` and `seats` it is the first variant with the fewest seats. `edition`: a card book.

        Raises MalformedInput if there is no such setup.
        """
        asked = Setup(
            variant or self.game.variants[0],
            seats or self.game.min_seats,
            dict(settings or {}),
            edition=edition or self.game.newest_edition,
        )
        self.setup = self.game.complete_setup(asked)
        self.seed = str(seed)
        self.move_count = 0
        self._chance = SeededChance(f"chance|{self.seed}")
        self._last_mover = Seat(self.setup.seats - 1)
        self._declined = frozenset[Seat]()
        self._unprompted = 0
        begun = self.game.build_initial_state(self.setup)
        self.state = apply_events(begun, resolve_pending_steps(begun))
        self._happenings = tuple[Happening, ...]()
        self._go_on()

    # ---- whose turn it is

    @property
    def seats(self) -> range:
        """The seats of the match."""
        return range(self.setup.seats)

    @property
    def awaited_seats(self) -> frozenset[Seat]:
        """The seats that the open question waits for; none after the end.

        Where there are several, any of them may answer first, and none sees a sealed answer of another.
        """
        return seats_that_must_act(self.state)

    @property
    def invited_seats(self) -> frozenset[Seat]:
        """The seats that may use an opportunity and have not declined it.

        Nobody waits for them, for instance where a trade is offered.
        """
        return seats_that_may_respond(self.state) - self._declined

    @property
    def admitted_seats(self) -> frozenset[Seat]:
        """All seats whose moves are considered: awaited, invited, or free to act."""
        return seats_that_may_act(self.state)

    @property
    def seat_to_move(self) -> Seat:
        """The seat to ask next, if the caller has no order of its own.

        Invited seats come first, as the next move may withdraw what they are invited to. Then come awaited seats. Of
        several it is the next one round the table after the seat that moved last. Seats that answer each other's
        invitations again and again are not asked any more until an awaited seat has moved.

        Raises RuntimeError after the end.
        """
        round_the_table = seats_in_order(self.setup.seats, self._last_mover + 1)
        for asked in (self.invited_seats if self._may_invite() else frozenset(), self.awaited_seats):
            for seat in round_the_table:
                if seat in asked:
                    return seat
        raise RuntimeError("the match is over, nobody is to move")

    def may_decline(self, seat: int) -> bool:
        """Return whether a seat is only invited, so that it may do nothing."""
        return seat in self.invited_seats

    def _may_invite(self) -> bool:
        return self._unprompted < UNPROMPTED_MOVES_PER_SEAT * self.setup.seats

    # ---- what a player may know

    def view(self, seat: int) -> Any:
        """Return what a seat, or BYSTANDER, sees of the table.

        It is a state with backs in place of hidden cards.
        """
        return build_view(self.state, self._require_viewer(seat))

    def observe(self, seat: int) -> dict[str, Any]:
        """Return what a seat, or BYSTANDER, sees, as plain data."""
        outcome = None if self.outcome is None else asdict(self.outcome)
        return {
            "seat": seat_label(seat),
            "awaited": sorted(map(int, self.awaited_seats)),
            "invited": sorted(map(int, seats_that_may_respond(self.state))),
            "outcome": outcome,
            "table": encode(self.view(seat)),
        }

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """What happened since the move before, hidden cards included: not for players."""
        return self._happenings

    def observe_events(self, seat: int) -> list[dict[str, Any]]:
        """Return what happened since the move before, as a seat may know it.

        It is the last move and then what chance did, or after a reset all that chance has done. A move that the seat
        may not know is None.
        """
        viewer = self._require_viewer(seat)
        return [
            {
                "seat": seat_label(each.seat),
                "move": None if (move := each.move.view_for(viewer, each.seat)) is None else encode(move),
                "events": [encode(event.view_for(viewer)) for event in each.events],
            }
            for each in self._happenings
        ]

    def list_legal_moves(self, seat: int) -> tuple[Move, ...]:
        """Return all listed legal moves of a seat, concessions among them.

        There are few of them, except for a floor of the Shy Monsters (638,400) and a deck of the League, of which only
        one example is listed: see `offer_moves`.
        """
        return tuple(find_legal_moves(self.state, self._require_seat(seat)))

    def offer_moves(self, seat: int, most: int) -> Offer:
        """Return the legal moves of a seat, or a sample of `most` if there are more.

        The sample depends on the seed, on how many moves were made and on the seat, so it is the same each time.
        """
        if most < 1:
            raise ValueError("at least one move has to be offered")
        below = SeededChance(f"offer|{self.seed}|{self.move_count}|{seat}")
        return offer_moves(self.view(seat), self._require_seat(seat), most, below)

    def sample_move(self, seat: int, below: RandomBelow) -> Move | None:
        """Return a random legal move: first its kind is drawn, then the move.

        Return None if there is none. `below(n)` is uniform in 0 … n-1.
        """
        return sample_legal_move(self.state, self._require_seat(seat), below)

    @property
    def rewards(self) -> tuple[int, ...]:
        """For each seat 1 if it won, -1 if it lost, 0 if nobody won or before the end.

        Where all play together and nobody won, all have lost. Places are in `outcome.placement`.
        """
        if self.outcome is None:
            return (0,) * self.setup.seats
        nobody = -1 if self.setup.variant in self.game.cooperative_variants else 0
        lost = -1 if self.outcome.winners else nobody
        return tuple(1 if seat in self.outcome.winners else lost for seat in self.seats)

    # ---- play

    def step(self, move: Move | Mapping[str, Any] | None, seat: int | None = None) -> None:
        """Make a move, and what chance does after it, down to the next question.

        `move`: also as plain data (`{"type": "mm.pass"}`). None declines an invitation.
        `seat`: who moves, by default `seat_to_move`. Any admitted seat may move.

        Nothing changes if it raises. Raises IllegalMove, or DecodeError for plain data that is no move, or ValueError
        if the seat may not decline.
        """
        mover = self.seat_to_move if seat is None else self._require_seat(seat)
        if move is None:
            if not self.may_decline(mover):
                raise ValueError(f"seat {mover} is not invited, so it cannot decline")
            self._declined |= {mover}
            return
        made = move if isinstance(move, Move) else decode_named(dict(move), Move)
        was_awaited = mover in self.awaited_seats
        events, after = carry_out_move(self.state, mover, made)
        self.state, self._happenings = after, (Happening(mover, made, events),)
        self.move_count += 1
        self._last_mover = mover
        self._declined = frozenset()
        self._unprompted = 0 if was_awaited else self._unprompted + 1
        self._go_on()

    def _go_on(self) -> None:
        """Let chance act until a seat is asked or the match has ended."""
        while (outcome := self.game.find_outcome(self.state)) is None and CHANCE in seats_that_must_act(self.state):
            drawn = draw_chance_move(self.state, self._chance)
            events, self.state = carry_out_move(self.state, CHANCE, drawn)
            self._happenings += (Happening(CHANCE, drawn, events),)
        self.outcome = outcome
        if outcome is not None and self.state.agenda:
            self.state = apply_events(self.state, (StackCleared(),))

    # ---- other courses

    def clone(self) -> Environment:
        """Return a copy that goes on independently, with the same dice to come.

        It knows all that is hidden: a player that looks ahead uses `determinize`.
        """
        other = self._copy()
        other._chance = copy(self._chance)
        return other

    def determinize(self, seat: int, below: RandomBelow, memory: Memory | None = None) -> Environment:
        """Return a copy that this seat cannot tell from this match.

        What the seat does not see is drawn at random from all that it could be, and so is all chance to come. `memory`:
        by place, cards that the seat remembers to lie there. Nothing but the seat's view is used.
        """
        other = self._copy()
        other.state = self.game.tracking.determinize(self.view(seat), self._require_viewer(seat), below, memory)
        other._chance = SeededChance(f"world|{below(1 << 62)}")
        other._happenings = ()  # their events name what is hidden
        return other

    def _copy(self) -> Environment:
        """Return a copy that shares everything: states and events do not change."""
        other = object.__new__(Environment)
        other.__dict__.update(self.__dict__)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs to go on with the match."""
        held = {"state": encode(self.state)} if hasattr(self, "state") else {}
        return {**self.__dict__, "game": self.game.name, **held}

    def __setstate__(self, held: dict[str, Any]) -> None:
        self.__dict__.update(held, game=load_games()[held["game"]])
        if "state" in held:
            self.state = decode(self.game.state_type, held["state"])

    def _require_seat(self, seat: int) -> Seat:
        if seat not in self.seats:
            raise ValueError(f"seats are numbered from 0 to {self.setup.seats - 1}")
        return Seat(seat)

    def _require_viewer(self, seat: int) -> Seat:
        return BYSTANDER if seat == BYSTANDER else self._require_seat(seat)
