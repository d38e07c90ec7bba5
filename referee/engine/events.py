"""Moves, which a seat asks for, and events, which have happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from referee.engine.remembering import copy_values

if TYPE_CHECKING:
    from referee.engine.steps import State

S = TypeVar("S", bound="State")


class Move:
    """A request of a seat.

    Subclasses are frozen dataclasses with a tag (`codec.named`).
    """

    __slots__ = ()
    TAG: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()
    playable_at_random: ClassVar[bool] = True  # False for moves such as leaving, which no random player may make
    answers_question: ClassVar[bool] = True  # False for moves that are made beside the open question
    judged_by_people: ClassVar[bool] = False  # whether only the people at the table can tell that it is right
    is_concession: ClassVar[bool] = False  # whether the player loses by this move, so that no greedy bot makes it

    def view_for(self, seat: int, by: int) -> Move | None:
        """Return the move of seat `by` as `seat` may know it, or None to hide it entirely."""
        return self

    def applied_clauses(self) -> tuple[str, ...]:
        """Return the clauses that this very move rests on if it is legal.

        The telling one is first.
        """
        return self.clauses


class Event:
    """Something that happened, in the past tense.

    Subclasses are frozen dataclasses with a registered name. `apply` holds no rule.
    """

    __slots__ = ()
    TAG: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()

    def apply(self, state: Any) -> Any:
        """Return the state after this event. It only updates data and decides nothing."""
        return state

    def view_for(self, seat: int) -> Event:
        """Return the event as `seat` may know it. By default it is public."""
        return self

    def without_refusal(self) -> Event:
        """Return the event without the words in which the referee refused a move.

        A later referee may cite a refusal otherwise, so a log is compared without them.
        """
        return self

    def seats_shown_cards(self) -> tuple[int, ...]:
        """Return the seats to which this event shows hidden cards that stay in place.

        The same goes for seats that learn of such cards without a name. BYSTANDER stands for all seats but the event's
        `seat`. Cards that move into the open need not be mentioned.
        """
        return ()

    def applied_clauses(self) -> tuple[str, ...]:
        """Return the clauses that this event carries out."""
        return self.clauses


D = TypeVar("D")


def replace_fields(thing: D, **changes: Any) -> D:
    """Return a copy of a frozen dataclass with other values in some fields.

    The class must have neither slots nor `__post_init__`. It is many times as fast as `replace`, which matters because
    every event needs it. Names are not checked. Of what was remembered of the original (`remember`), the copy takes
    over what still holds.
    """
    fresh = object.__new__(type(thing))
    object.__setattr__(fresh, "__dict__", copy_values(thing, changes))  # faster than to fill its own
    return fresh


def apply_events(state: S, events: Iterable[Event]) -> S:
    """Return the state after all these events, in order."""
    for event in events:
        state = event.apply(state)
    return state
