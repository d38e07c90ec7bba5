"""The rulesets of a game: which reading holds of a clause that the rulebook leaves open (see `interpretations`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

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
    """The part of a game's box that knows its rulesets and readings."""

    settings: ClassVar[dict[str, Any]]
    rulebook: ClassVar[Rulebook]
    rulesets: ClassVar[Mapping[str, ChosenInterpretations]] = {
        "1": {}
    }  # by name, the newest last; each the readings it chooses

    @property
    def newest_ruleset(self) -> str:
        """The newest ruleset: that of a match which is opened now."""
        return list(self.rulesets)[-1]

    @cached_property
    def interpretations(self) -> dict[str, tuple[Interpretation, ...]]:
        """The clauses that can be read in several ways here, by numbers or by a setting, each with all its readings."""
        return {**collect_by_setting(self.settings), **self.numbered_interpretations}

    @cached_property
    def numbered_interpretations(self) -> dict[str, tuple[Interpretation, ...]]:
        """Those of them that are chosen by their numbers alone."""
        return collect_numbered(self.rulebook)

    def find_departures(self, ruleset: str, chosen: ChosenInterpretations) -> dict[str, int]:
        """The numbered readings that are not the first, in a ruleset (empty: the newest) with a table's own choice, as
        a state keeps them. Raises KeyError where there is no such ruleset."""
        by_number = {**self.rulesets[ruleset or self.newest_ruleset], **chosen}
        return select_departures(
            {clause: by_number[clause] for clause in by_number if clause in self.numbered_interpretations}
        )

    def settings_of_ruleset(self, ruleset: str) -> dict[str, Any]:
        """The settings by which a ruleset (empty: the newest) chooses readings otherwise than by their defaults; none
        where there is no such ruleset."""
        chosen = self.rulesets.get(ruleset or self.newest_ruleset, {})
        readings = (self.interpretations[clause][number - 1] for clause, number in chosen.items())
        return {each.setting: each.value for each in readings if each.setting}

    def effective_interpretations(
        self, ruleset: str, readings: ChosenInterpretations, settings: Mapping[str, Any]
    ) -> dict[str, int]:
        """The number of the reading that holds, for every clause that can be read in several ways. Raises KeyError."""
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
        """What a table chose, by numbers: the numbered readings, and the settings with those that settings choose.

        Raises MalformedInput where a clause has no such reading here, or a setting says otherwise.
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
        """What is wrong with a choice of readings."""
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
            errors.append({"pointer": "/readings/" + clause.replace("~", "~0").replace("/", "~1"), "detail": detail})
        return errors

    def apply_interpretations(
        self, state: Any, held: ChosenInterpretations, settings: Mapping[str, Any] | None = None
    ) -> Any:
        """A table with these numbered readings, and with those that settings choose, in place of those that held.

        Nothing else of it changes. A game whose state repeats what follows from a reading brings that in line here.
        """
        state = replace_fields(state, readings=dict(held)) if held != state.readings else state
        rules = getattr(state, "rules", None)
        named = {each[0].setting for each in self.interpretations.values() if each[0].setting}
        agreed = {name: value for name, value in (settings or {}).items() if name in named and hasattr(rules, name)}
        return replace_fields(state, rules=replace_fields(rules, **agreed)) if agreed else state

    def decode_with_interpretations(self, data: Mapping[str, Any], read: Callable[[dict[str, Any]], Any]) -> Any:
        """What `read` makes of a position, whose `interpretations` then hold. Raises MalformedInput, as `read` does."""
        rest, held = self.split_position(data)
        return self.apply_interpretations(read(rest), held)

    def split_position(self, data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
        """A position without its `interpretations`, and those of them that are not the first. Raises MalformedInput."""
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

    def add_interpretations(self, state: Any, data: dict[str, Any]) -> dict[str, Any]:
        """A written position with the readings that hold; none where all are the first."""
        return {**data, "readings": dict(state.readings)} if state.readings else data

    def add_interpretation_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The JSON Schema of a position with the readings that it may name."""
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
            "description": "By the clause, the reading of it that holds; the first if left out.",
        }
        return {**schema, "properties": {**schema.get("properties", {}), "readings": named}}
