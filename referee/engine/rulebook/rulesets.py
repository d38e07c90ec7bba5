"""The rulesets of a game: named choices of interpretations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

from referee.engine.codec import escape_name
from referee.engine.events import replace_fields
from referee.engine.rulebook.book import Rulebook
from referee.engine.rulebook.interpretations import (
    FIRST_INTERPRETATION,
    ChosenInterpretations,
    Interpretation,
    collect_by_setting,
    collect_numbered,
    select_departures,
)
from referee.engine.rulings import MalformedInput


class Rulesets:
    """The part of a game that knows its rulesets and interpretations."""

    settings: ClassVar[dict[str, Any]]
    rulebook: ClassVar[Rulebook]
    # By name, the newest last: the interpretations that each ruleset chooses.
    rulesets: ClassVar[Mapping[str, ChosenInterpretations]] = {"1": {}}

    @property
    def newest_ruleset(self) -> str:
        """The newest ruleset, which new matches get."""
        return list(self.rulesets)[-1]

    @cached_property
    def interpretations(self) -> dict[str, tuple[Interpretation, ...]]:
        """The clauses with several interpretations, chosen by numbers or by a setting."""
        return {**collect_by_setting(self.settings), **self.numbered_interpretations}

    @cached_property
    def numbered_interpretations(self) -> dict[str, tuple[Interpretation, ...]]:
        """The clauses with several interpretations that are chosen by number alone."""
        return collect_numbered(self.rulebook)

    def find_departures(self, ruleset: str, chosen: ChosenInterpretations) -> dict[str, int]:
        """Return the numbered interpretations other than the first, as a state keeps them.

        `ruleset` may be empty for the newest. `chosen` is the table's own choice and goes before it. Raises KeyError
        if there is no such ruleset.
        """
        by_number = {**self.rulesets[ruleset or self.newest_ruleset], **chosen}
        return select_departures(
            {clause: by_number[clause] for clause in by_number if clause in self.numbered_interpretations}
        )

    def settings_of_ruleset(self, ruleset: str) -> dict[str, Any]:
        """Return the settings by which a ruleset departs from their defaults.

        `ruleset` may be empty for the newest. An unknown ruleset has none.
        """
        chosen = self.rulesets.get(ruleset or self.newest_ruleset, {})
        readings = (self.interpretations[clause][number - 1] for clause, number in chosen.items())
        return {each.setting: each.value for each in readings if each.setting}

    def effective_interpretations(
        self, ruleset: str, readings: ChosenInterpretations, settings: Mapping[str, Any]
    ) -> dict[str, int]:
        """Return the number of the interpretation that holds for every open clause.

        Raises KeyError if there is no such ruleset.
        """
        chosen = {**self.rulesets[ruleset], **readings}
        found = {}
        for clause, known in self.interpretations.items():
            number = chosen.get(clause, FIRST_INTERPRETATION)
            if known[0].setting and known[0].setting in settings:
                value = settings[known[0].setting]
                number = next((each.number for each in known if each.value == value), number)
            found[clause] = number
        return found

    def split_agreed_interpretations(
        self, chosen: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> tuple[dict[str, int], dict[str, Any]]:
        """Split a table's choice into numbered interpretations and settings.

        Raises MalformedInput if a clause has no such interpretation here, or a setting contradicts it.
        """
        numbers, agreed, errors = dict[str, int](), dict(settings), self.find_interpretation_errors(chosen)
        for clause, number in chosen.items() if not errors else ():
            reading = self.interpretations[clause][number - 1]
            if not reading.setting:
                numbers[clause] = number
            elif agreed.setdefault(reading.setting, reading.value) != reading.value:
                errors.append({"pointer": f"/readings/{clause}", "detail": f"settings has {reading.setting} otherwise"})
        if errors:
            raise MalformedInput(errors)
        return numbers, agreed

    def find_interpretation_errors(self, chosen: Mapping[str, Any]) -> list[dict[str, str]]:
        """Return the errors in a choice of interpretations."""
        errors = []
        for clause, number in chosen.items():
            known = self.interpretations.get(clause)
            if known is None:
                detail = (
                    f"only one reading of it is carried out; of several: {', '.join(self.interpretations) or 'none'}"
                )
            elif type(number) is not int or not 1 <= number <= len(known):
                detail = f"a whole number from 1 to {len(known)}"
            else:
                continue
            errors.append({"pointer": f"/readings/{escape_name(clause)}", "detail": detail})
        return errors

    def apply_interpretations(
        self, state: Any, held: ChosenInterpretations, settings: Mapping[str, Any] | None = None
    ) -> Any:
        """Return a table with these interpretations in place of those that held.

        `held` are numbered ones, `settings` chooses others. Nothing else of the table changes. A game whose state
        repeats what follows from an interpretation updates that here.
        """
        state = replace_fields(state, readings=dict(held)) if held != state.readings else state
        rules = getattr(state, "rules", None)
        named = {each[0].setting for each in self.interpretations.values() if each[0].setting}
        agreed = {name: value for name, value in (settings or {}).items() if name in named and hasattr(rules, name)}
        return replace_fields(state, rules=replace_fields(rules, **agreed)) if agreed else state

    def decode_with_interpretations(self, data: Mapping[str, Any], read: Callable[[dict[str, Any]], Any]) -> Any:
        """Return what `read` makes of a position, with the position's `readings` applied.

        Raises MalformedInput, as `read` does.
        """
        rest, held = self.split_position(data)
        return self.apply_interpretations(read(rest), held)

    def split_position(self, data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
        """Return a position without its `readings`, and the readings other than the first.

        Raises MalformedInput.
        """
        chosen = data.get("readings", {})
        if not isinstance(chosen, Mapping):
            raise MalformedInput([{"pointer": "/readings", "detail": "an object is needed"}])
        wrong = self.find_interpretation_errors(chosen) or [
            {
                "pointer": f"/readings/{clause}",
                "detail": f"the setting {self.interpretations[clause][0].setting} chooses it",
            }
            for clause in chosen
            if clause not in self.numbered_interpretations
        ]
        if wrong:
            raise MalformedInput(wrong)
        return {name: value for name, value in data.items() if name != "readings"}, select_departures(chosen)

    def apply_newest_ruleset(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return a written position, read by the newest ruleset where it chooses nothing.

        A position that is malformed there stays as it is.
        """
        found = dict(data)
        for clause, number in self.rulesets[self.newest_ruleset].items():
            reading = self.interpretations[clause][number - 1]
            member, key, value = (
                ("settings", reading.setting, reading.value) if reading.setting else ("readings", clause, number)
            )
            chosen = found.get(member, {})
            if isinstance(chosen, Mapping):
                found[member] = {key: value, **chosen}
        return found

    def keep_older_interpretations(self, data: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return a written position with those chosen interpretations that are older.

        They are the first ones of clauses for which `apply_newest_ruleset` would choose others.
        """
        first = {
            clause: number
            for clause, number in chosen.items()
            if number == FIRST_INTERPRETATION != self.find_newest_interpretation(clause).number
        }
        return {**data, "readings": {**data.get("readings", {}), **first}} if first else dict(data)

    def find_newest_interpretation(self, clause: str) -> Interpretation:
        """Return the interpretation of a clause by which new matches are played.

        Raises KeyError if the clause has only one.
        """
        return self.interpretations[clause][self.rulesets[self.newest_ruleset].get(clause, FIRST_INTERPRETATION) - 1]

    def add_interpretations(self, state: Any, data: dict[str, Any]) -> dict[str, Any]:
        """Return a written position with the interpretations that differ from the first."""
        return {**data, "readings": dict(state.readings)} if state.readings else data

    def add_interpretation_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON Schema of a position with the `readings` that it may name."""
        if not self.numbered_interpretations:
            return schema
        known = self.numbered_interpretations.items()
        choices = {
            clause: {"enum": [each.number for each in readings], "description": f"Which reading of {clause} holds."}
            for clause, readings in known
        }
        named = {
            "type": "object",
            "additionalProperties": False,
            "properties": choices,
            "description": "By the clause, the reading of it that holds; if left out, that of new matches.",
        }
        return {**schema, "properties": {**schema.get("properties", {}), "readings": named}}
