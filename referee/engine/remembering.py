"""Remember what pure functions say of a state, as long as it holds.

Listing, judging and playing ask the same questions of a state over and over. The answers lie on the state itself, so
they go when it goes. A later state takes them over if the fields that they rest on are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")
Answers = dict[Any, Any]

KEY = "_remembered"  # where the answers lie in the `__dict__` of a state, by the fields that they rest on
NOTHING: Any = object()
WHOLE_STATE = "*"  # stands for all fields
PUBLIC = "public"  # among the fields: every seat's view gives the same answer as the state


def collect_fields(fields: tuple[str, ...]) -> frozenset[str]:
    """Return the fields that an answer rests on, WHOLE_STATE if none is named."""
    return frozenset(fields) if set(fields) - {PUBLIC} else frozenset({WHOLE_STATE, *fields})


def remember(*fields: str) -> Callable[[Callable[Concatenate[S, P], R]], Callable[Concatenate[S, P], R]]:
    """Decorate a pure function of a state so that its answers are remembered.

    `fields`: all fields of the state that the function reads, however deep. None: any of them. With `PUBLIC` among
    them, the answers are handed on to views. Other arguments are given by position and should take few values, such as
    seats and cards in play. Nobody may change an answer in place. What the function raises is not remembered.
    """
    rests_on = collect_fields(fields)

    def decorate(function: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
        @wraps(function)
        def look_up(state: Any, *args: Any) -> Any:
            remembered = state.__dict__.get(KEY)
            if remembered is None:
                remembered = state.__dict__.setdefault(KEY, {})
            answers = remembered.get(rests_on)
            if answers is None:
                answers = remembered.setdefault(rests_on, {})
            key = (function, args)
            answer = answers.get(key, NOTHING)
            if answer is NOTHING:
                answer = answers[key] = function(state, *args)
            return answer

        return look_up  # type: ignore[return-value]

    return decorate


class remembered_property(Generic[R]):  # like functools.cached_property, which takes a lock
    """A property of a state whose value is remembered.

    It is faster than a remembered function, as the value lies in the `__dict__` of the state under the name of the
    property. `fields` as for `remember`.
    """

    def __init__(self, *fields: str) -> None:
        self.fields = collect_fields(fields)

    def __call__(self, function: Callable[[Any], R]) -> remembered_property[R]:
        self.function, self.__doc__ = function, function.__doc__
        return self

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, state: Any, owner: type | None = None) -> R:
        value = state.__dict__[self.name] = self.function(state)
        return value


@cache
def list_remembered_properties(kind: type) -> tuple[tuple[str, frozenset[str]], ...]:
    """List the remembered properties of a class, with the fields that they rest on."""
    own = ((name, each) for base in kind.__mro__ for name, each in vars(base).items())
    return tuple((name, each.fields) for name, each in own if isinstance(each, remembered_property))


def forget_what_changed(values: dict[str, Any], kind: type, changed: Collection[str]) -> None:
    """Remove what no longer holds after these fields have changed.

    `values`: the `__dict__` of a state of this class.
    """
    for name, fields in list_remembered_properties(kind):
        if name in values and (WHOLE_STATE in fields or not fields.isdisjoint(changed)):
            del values[name]
    remembered = values.pop(KEY, None)
    if remembered is not None:
        # The tuple is made in one go, because another thread may be adding to the answers.
        lasting = {
            fields: kept
            for fields, kept in tuple(remembered.items())
            if WHOLE_STATE not in fields and fields.isdisjoint(changed)
        }
        if lasting:
            values[KEY] = lasting


def share_public_answers(state: Any, view: Any) -> None:
    """Hand on to a view what is remembered of the state and is public.

    State and view go on to share these answers, so that what one is asked the other knows.
    """
    if remembered := state.__dict__.get(KEY):
        seen = view.__dict__.setdefault(KEY, {})
        for fields, answers in tuple(remembered.items()):
            if PUBLIC in fields:
                seen[fields] = answers
    for name, fields in list_remembered_properties(type(state)):
        if PUBLIC in fields and name in state.__dict__:
            view.__dict__[name] = state.__dict__[name]
