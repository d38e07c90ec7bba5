"""Questions in a position, and the steps that they stand for.

A question is an object with its name under `asks`. It stands for one step or several, of which the last asks. The
steps beneath are listed as `pending` only if they are not the usual ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Any

from referee.engine.codec import DecodeError, decode_named, encode, escape_name
from referee.engine.positions.form import build_error
from referee.engine.positions.rows import Field, write_rows
from referee.engine.positions.schema import STEP_SCHEMA, Schema, list_schema
from referee.engine.positions.shapes import OMITTED, Member, Shape, members_schema
from referee.engine.rulings import MalformedInput, Undetermined
from referee.engine.steps import Step

GAMES = ("referee", "games")  # the package of all games; each has one of its own in it
Form = dict[str, Any]
Steps = tuple[Step, ...]


@dataclass(frozen=True)
class Question:
    """A question as a position writes it.

    `name`: what stands under `asks`.
    `step`: the step that asks. Each member is one of its attributes.
    `follows`: functions that find the value of a member that is left out, from the state and the values before it.
    They may raise Undetermined, or DecodeError if nothing can follow.
    `fixed`: attributes of the step that are not written.
    `frames`: returns steps beneath this one that the form stands for too.
    `build`: returns all the steps that the written members stand for, from their values, if they are not the above. May
    raise Undetermined, or DecodeError with a pointer.
    `propose`: returns values of members that may stand for the steps on top of a state, or nothing. Without it, they
    are those of the attributes.
    """

    name: str
    step: type[Step]
    says: str
    members: tuple[Member, ...] = ()
    follows: Mapping[str, Callable[[Any, Form], Any]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    frames: Callable[[Any], Steps] = lambda _state: ()
    build: Callable[[Form, Any], Steps] | None = None
    propose: Callable[[Any, Any], Form] | None = None

    @cached_property
    def schema(self) -> Schema:
        """The JSON Schema of the question."""
        return members_schema(self.says, self.members, asks={"const": self.name})

    def read(self, form: Form, state: Any, pointer: str = "/question") -> Steps:
        """Return the steps that a form stands for. Raises Undetermined or DecodeError."""
        if self.build is not None:
            written = (member for member in self.members if member.name in form)
            return self.build({member.name: member.shape.read(form[member.name], state) for member in written}, state)
        values = dict(self.fixed)
        for member in self.members:
            if member.name in form:
                values[member.attribute or member.name] = member.shape.read(form[member.name], state)
            elif member.name in self.follows:
                try:
                    values[member.name] = self.follows[member.name](state, values)
                except DecodeError as missing:
                    raise DecodeError(f"{pointer}/{member.name}", missing.detail) from None
        return (*self.frames(state), self.step(**values))

    def write(self, state: Any, step: Any) -> Form:
        """Return the form of the step that asks, or nothing if there is none."""
        if self.propose is None:
            values = {member.name: getattr(step, member.attribute or member.name) for member in self.members}
        elif not (values := self.propose(state, step)):
            return {}
        known = ((member, values.get(member.name)) for member in self.members)
        written = {
            member.name: member.shape.write(value) for member, value in known if value not in (None, member.usual)
        }
        return {"asks": self.name, **written}


def iterate_steps(value: Any, pointer: str) -> Iterator[tuple[str, Step]]:
    """Yield each step that a stored value holds, itself included, with its place."""
    if isinstance(value, Step):
        yield pointer, value
    if is_dataclass(value):
        for each in fields(value):
            yield from iterate_steps(getattr(value, each.name), f"{pointer}/{each.name}")
    elif isinstance(value, tuple):
        for at, part in enumerate(value):
            yield from iterate_steps(part, f"{pointer}/{at}")
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from iterate_steps(part, f"{pointer}/{escape_name(str(name))}")


def find_game_package(step: type[Step]) -> str:
    """Return the package of the game that has a step, "" if every game has it."""
    parts = step.__module__.split(".")
    return ".".join(parts[: len(GAMES) + 1]) if tuple(parts[: len(GAMES)]) == GAMES else ""


def is_of_another_game(step: type[Step], own: Collection[str]) -> bool:
    """Return whether a step belongs to a game whose package is not one of these."""
    return find_game_package(step) not in ("", *own)


@dataclass(frozen=True)
class Agenda:
    """The questions of a game, and how a position writes the steps that wait.

    `open_questions`: those that can be open. `waiting_steps`: those that can only wait beneath.
    `find_steps_beneath`: returns the steps that usually wait beneath some steps. By default none do. May raise
    DecodeError if only the position can say, and Undetermined if it says too little.
    `find_default`: returns the question that is open if a position does not say: its form, or a step that stands for
    the unknown. None: a position has to say it.
    `keep_undetermined`: returns a step that stands for a question that says too little. None: this is an error.
    `find_said`: returns the form of such a step, {} if the position does not name the question. None for other steps.
    `stores_steps`: other steps may be written as they are stored, and those beneath always are.
    `pending`: the name of the member that lists the steps beneath.
    """

    open_questions: tuple[Question, ...]
    find_steps_beneath: Callable[[Any, Steps], Steps] = lambda _state, _steps: ()
    find_default: Callable[[Any], Form | Step] | None = None
    keep_undetermined: Callable[[Form, Undetermined, Any], Step] | None = None
    find_said: Callable[[Step], Form | None] = lambda _: None
    waiting_steps: tuple[Question, ...] = ()
    stores_steps: bool = True
    pending: str = "pending_steps"

    @cached_property
    def by_name(self) -> dict[str, Question]:
        """All questions and waiting steps by their names."""
        return {each.name: each for each in (*self.open_questions, *self.waiting_steps)}

    def build_rows(self, question_says: str, pending_says: str) -> tuple[Field, Field]:
        """Return the rows of the question and of the steps beneath."""
        stored = [STEP_SCHEMA] if self.stores_steps else []
        asked = {"anyOf": [*(each.schema for each in self.open_questions), *stored, {"type": "null"}]}
        waiting = STEP_SCHEMA if self.stores_steps else {"anyOf": [each.schema for each in self.by_name.values()]}
        shape, needed = Shape(asked, write=lambda form: form or None), self.find_default is None
        return (
            Field("question", shape, self.write_question, None, question_says, needed=needed),
            Field(
                self.pending,
                Shape(list_schema("", waiting)),
                self.write_steps_beneath,
                None,
                pending_says,
                assumed=True,
            ),
        )

    def read(self, written: Mapping[str, Any], state: Any) -> Steps:
        """Return the steps that wait in a written position, the open question on top.

        Raises DecodeError or MalformedInput.
        """
        form: Form | Step | None = written.get("question")
        if "question" not in written and self.find_default is not None:
            form = self.find_default(state)
        if form is None:
            return ()
        steps = (form,) if isinstance(form, Step) else self._read_form(form, state, "/question")
        listed = written.get(self.pending)
        if listed is None:
            return self._add_steps_beneath(form, state, steps)
        beneath = [self._read_form(each, state, f"/{self.pending}/{at}") for at, each in enumerate(listed)]
        return (*(step for each in reversed(beneath) for step in each), *steps)

    def _add_steps_beneath(self, form: Form | Step, state: Any, steps: Steps) -> Steps:
        try:
            return (*self.find_steps_beneath(state, steps), *steps)
        except Undetermined as unknown:
            return (self._keep_undetermined(form if isinstance(form, dict) else {}, unknown, state, "/question"),)

    def _keep_undetermined(self, form: Form, unknown: Undetermined, state: Any, pointer: str) -> Step:
        if self.keep_undetermined is None or "asks" not in form:
            detail = f"the position leaves out what this question needs: {unknown.need.key}"
            raise MalformedInput([build_error(pointer, detail)]) from None
        return self.keep_undetermined(form, unknown, state)

    def _read_form(self, form: Form, state: Any, pointer: str) -> Steps:
        if "type" in form:
            return (self._require_own_step(decode_named(form, Step, pointer), pointer),)
        try:
            return self.by_name[form["asks"]].read(form, state, pointer)
        except Undetermined as unknown:
            return (self._keep_undetermined(form, unknown, state, pointer),)

    def _require_own_step(self, step: Step, pointer: str) -> Step:
        """Return a stored step.

        Raises DecodeError if it, or a step within it, is one of another game.
        """
        for place, each in iterate_steps(step, pointer):
            if is_of_another_game(type(each), self._modules):
                raise DecodeError(f"{place}/type", f"{each.TAG} is not a step of this game")
        return step

    @cached_property
    def _modules(self) -> frozenset[str]:
        """The packages of the game whose questions these are."""
        return frozenset(find_game_package(question.step) for question in self.by_name.values())

    def write(self, state: Any) -> Form:
        """Return the members of a position that say which steps wait."""
        return write_rows(self.build_rows("", ""), state)

    def write_question(self, state: Any) -> Any:
        """Return the open question as a position writes it.

        It is {} if there is none, OMITTED if it is unknown.
        """
        return self._write_top(state)[0] if state.agenda else {}

    def write_steps_beneath(self, state: Any) -> Any:
        """Return the steps beneath as a position writes them.

        The result is OMITTED if they are the usual ones.
        """
        if not state.agenda:
            return OMITTED
        steps = self._write_top(state)[1]
        rest = state.agenda[: len(state.agenda) - len(steps)]
        try:
            if rest == self.find_steps_beneath(state, steps):
                return OMITTED
        except (DecodeError, Undetermined):
            pass  # nothing is usual here, so they are all written
        return [encode(step) if self.stores_steps else self._write_step(state, step) for step in reversed(rest)]

    def _write_top(self, state: Any) -> tuple[Any, Steps]:
        """Return the form of the steps on top, and these steps.

        If steps are stored, a short form is used only if it stands for the very same ones.
        """
        top = state.agenda[-1]
        if not self.stores_steps:
            return self._write_step(state, top) or OMITTED, (top,)
        if (said := self.find_said(top)) is not None:
            return said or OMITTED, (top,)
        for question in self.open_questions:
            form = question.write(state, top) if question.step is type(top) else {}
            try:
                steps = question.read(form, state) if form else ()
            except (DecodeError, Undetermined):
                continue
            if steps and state.agenda[-len(steps) :] == steps:
                return form, steps
        return encode(top), (top,)

    def _write_step(self, state: Any, step: Step) -> Form:
        said = self.find_said(step)
        if said is not None:
            return said
        return next(each for each in self.by_name.values() if each.step is type(step)).write(state, step)
