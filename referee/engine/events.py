"""Moves, which a seat asks for, and events, which have happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

if TYPE_CHECKING:
    from referee.engine.steps import State

S = TypeVar("S", bound="State")


class Move:
    """What a seat asks. Subclasses are frozen dataclasses with a registered name (`codec.named`)."""

    __slots__ = ()
    TAG: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()
    playable_at_random: ClassVar[bool] = (
        True  # whether whoever moves at random may do this; nobody leaves a table by chance
    )
    is_concession: ClassVar[bool] = False  # whether whoever does this has lost by it; no greedy bot does it

    def view_for(self, seat: int, by: int) -> Move | None:
        """The move as `seat` may know it, asked by seat `by`; None if nothing of it may be known."""
        return self


class Event:
    """What happened, in the past tense. Frozen dataclasses with a registered name; `apply` holds no rule."""

    __slots__ = ()
    TAG: ClassVar[str] = ""
    clauses: ClassVar[tuple[str, ...]] = ()

    def apply(self, state: Any) -> Any:
        """The state after this fact: bookkeeping only, never a decision."""
        return state

    def view_for(self, seat: int) -> Event:
        """The fact as `seat` may know it: public unless the event says otherwise."""
        return self

    def seats_shown_cards(self) -> tuple[int, ...]:
        """The seats to which this fact shows hidden cards that stay where they lie (BYSTANDER: all but its `seat`), or
        tells of them without a name. Cards that are moved into the open need not say so."""
        return ()

    def applied_clauses(self) -> tuple[str, ...]:
        """The clauses this fact carries out."""
        return self.clauses


D = TypeVar("D")


def replace_fields(thing: D, **changes: Any) -> D:
    """A frozen dataclass without slots or `__post_init__`, with other values in some fields: `replace`, five times as
    fast, for what happens at every fact. Names are not checked; what was cached on the old one is left behind."""
    kind: Any = type(thing)
    kept, fresh = thing.__dict__, object.__new__(kind)
    fresh.__dict__.update({name: kept[name] for name in _field_names(kind)}, **changes)
    return cast(D, fresh)


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def apply_events(state: S, events: Iterable[Event]) -> S:
    """The state after all these facts, in order."""
    for event in events:
        state = event.apply(state)
    return state
