"""Remember what pure functions say of a state, as long as it holds.

Listing, judging and playing ask the same questions of a state over and over. The answers lie in the `__dict__` of the
state, behind its fields, so they go when it goes. A later state takes them over if the fields that they rest on are the
same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields as fields_of
from functools import cache, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")

NOTHING: Any = object()
MOST_ANSWERS = 1024  # that rest on the same fields of a state
WHOLE_STATE = "*"  # stands for all fields
PUBLIC = "public"  # among the fields: every seat's view gives the same answer as the state
# The key under which answers lie, with the fields that they rest on.
FIELDS_BY_KEY: dict[str, frozenset[str]] = {}
PUBLIC_KEYS: list[str] = []


def remember(*fields: str) -> Callable[[Callable[Concatenate[S, P], R]], Callable[Concatenate[S, P], R]]:
    """Decorate a pure function of a state so that its answers are remembered.

    `fields`: all fields of the state that the function reads, however deep. None: any of them. With `PUBLIC` among
    them, the answers are handed on to views. Other arguments are given by position and should take few values, such as
    seats and cards in play. Nobody may change an answer in place. What the function raises is not remembered.
    """
    rests_on = collect_fields(fields)
    place = f"remembered:{','.join(sorted(rests_on))}"
    if place not in FIELDS_BY_KEY and PUBLIC in rests_on:
        PUBLIC_KEYS.append(place)
    FIELDS_BY_KEY[place] = rests_on

    def decorate(function: Any) -> Any:
        @wraps(function)
        def look_up(state: Any, *args: Any) -> Any:
            answers = state.__dict__.get(place)
            if answers is None:
                answers = state.__dict__.setdefault(place, {})
            key = (function, args)
            answer = answers.get(key, NOTHING)
            if answer is NOTHING:
                answer = function(state, *args)
                if len(answers) >= MOST_ANSWERS:  # somebody asks about cards that there are not
                    answers.clear()
                answers[key] = answer
            return answer

        def keep(state: Any, answer: Any, *args: Any) -> None:
            state.__dict__.setdefault(place, {})[function, args] = answer

        look_up.keep = keep  # type: ignore[attr-defined]
        return look_up

    return decorate


def keep_answer(function: Callable[Concatenate[S, P], R], state: S, answer: R, *args: P.args, **_: P.kwargs) -> None:
    """Remember an answer of a remembered function that was found in another way."""
    function.keep(state, answer, *args)  # type: ignore[attr-defined]


class RememberedProperty(Generic[R]):
    """A property of a state whose value is remembered, made by `remembered_property`."""

    def __init__(self, function: Callable[[Any], R], fields: frozenset[str]) -> None:
        self.function, self.fields, self.__doc__ = function, fields, function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, state: Any, owner: type | None = None) -> R:
        value = state.__dict__[self.name] = self.function(state)
        return value


def remembered_property(*fields: str) -> Callable[[Callable[[Any], R]], RememberedProperty[R]]:
    """Decorate a property of a state so that its value is remembered.

    It is faster than a remembered function, as the value lies in the `__dict__` of the state under the name of the
    property. `fields` as for `remember`.
    """
    return lambda function: RememberedProperty(function, collect_fields(fields))


def collect_fields(fields: tuple[str, ...]) -> frozenset[str]:
    """Return the fields that an answer rests on, WHOLE_STATE if none is named."""
    return frozenset(fields) if set(fields) - {PUBLIC} else frozenset({WHOLE_STATE, *fields})


@cache
def find_layout(kind: Any) -> tuple[int, dict[str, frozenset[str]]]:
    """Return the number of fields of a dataclass, and its remembered properties.

    Each property comes with the fields that it rests on.
    """
    own = ((name, each) for base in kind.__mro__ for name, each in vars(base).items())
    properties = {name: each.fields for name, each in own if isinstance(each, RememberedProperty)}
    return len(fields_of(kind)), properties


def copy_values(thing: Any, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a dataclass with some changed.

    What is remembered and still holds is among them.
    """
    kind: Any = type(thing)
    values: dict[str, Any] = thing.__dict__ | changes
    count, properties = find_layout(kind)
    if len(values) > count:
        lasting = {}
        while len(values) > count:  # what is remembered lies behind the fields
            name, value = values.popitem()
            fields = properties.get(name) or FIELDS_BY_KEY.get(name)
            if fields is not None and WHOLE_STATE not in fields and fields.isdisjoint(changes):
                lasting[name] = value
        values.update(lasting)
    return values


def share_public_answers(state: Any, view: Any) -> None:
    """Hand on to a view what is remembered of the state and is public.

    State and view go on to share these answers, so that what one is asked the other knows.
    """
    kind: Any = type(state)
    held, seen = state.__dict__, view.__dict__
    for place in PUBLIC_KEYS:
        if place in held:
            seen[place] = held[place]
    for name, fields in find_layout(kind)[1].items():
        if name in held and PUBLIC in fields:
            seen[name] = held[name]
