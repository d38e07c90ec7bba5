"""The parser of card texts: file, line and a suggestion for each error.

A text is a list of lines. A line is a mapping with the verb under `do`, its parameters, and perhaps `if` or `unless`
with a name bound before. The result is a flat program (`primitives.Program`), so that one number says how far a text
has come.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from referee.cardscript.language.alternatives import (
    CHOSEN_ALTERNATIVE,
    FEWEST_ALTERNATIVES,
    MOST_ALTERNATIVES,
    Label,
    find_label_error,
)
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.primitives import (
    BoundName,
    CardEffect,
    NewName,
    PlayerSelector,
    Program,
    ProgramLine,
    Selector,
    Vocabulary,
    describe_range_error,
)
from referee.cardscript.language.repeating import may_run_too_long
from referee.engine.rulebook.book import LANGUAGES, BookError
from referee.engine.rulebook.editions import ErrorCollector

COMMON_KEYS = ("do", "if", "unless")
WRITTEN_BY_PARSER = ("go_back", "alternative")
MAX_NUMBER = 10_000  # the largest number in a text
PLAIN_KINDS: dict[Any, str] = {int: "a whole number", bool: "true or false", str: "text"}


@dataclass
class CardTextParser:
    """Reads the texts of one file with the words of one game.

    Every error is a BookError that names file and line. With `errors_found`, errors of lines are collected there and
    parsing goes on.
    """

    file: str
    words: Vocabulary
    errors_found: ErrorCollector | None = None
    bound_names: dict[str, int] = field(default_factory=dict)  # names that the text binds, with their lines
    used_names: set[str] = field(default_factory=set)  # names that the text uses
    unsuggested_names: tuple[str, ...] = ()  # names that errors must not suggest for this card

    def error_at(self, line: int, detail: str) -> BookError:
        """Return an error at a line of this file."""
        return BookError(f"{self.file}:{line}: {detail}")

    def unknown_word_error(self, line: int, what: str, given: str, known: Iterable[str]) -> BookError:
        """Return the error of an unknown word, with the nearest known one."""
        known = [each for each in known if each not in self.unsuggested_names]
        near = get_close_matches(given, known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(sorted(known))}" if known else ""
        return self.error_at(line, f"{what} {given!r}{hint}")

    def unknown_kind_error(self, entry: LocatedMapping, kinds: Iterable[str]) -> BookError:
        """Return the error of a card whose kind is missing or unknown."""
        if entry.get("kind") is None:
            return self.error_at(entry.line_of("kind"), f"kind is missing; known: {', '.join(sorted(kinds))}")
        return self.unknown_word_error(entry.line_of("kind"), "unknown kind", str(entry["kind"]), kinds)

    # -- texts -----------------------------------------------------------------------------------------------------

    def parse_text(self, data: Any, line: int, ambient: Iterable[str] = ()) -> Program:
        """Return the program of one text. Raises BookError."""
        names = {*self.words.ambient, *ambient}
        self.bound_names.clear()
        self.used_names.clear()
        before = len(self.errors_found.errors) if self.errors_found else 0
        program = self._parse_lines(data, line, names, set(names), 0)
        if self.errors_found and len(self.errors_found.errors) > before:
            return program  # an unreadable line may have been the one that uses a name
        for name, at in self.bound_names.items():
            if name not in self.used_names:
                self._note_or_raise(self.error_at(at, f"the name {name!r} is never used"))
        return program

    def _note_or_raise(self, error: BookError) -> None:
        """Collect an error, or raise it if there is no collector."""
        if self.errors_found is None:
            raise error
        self.errors_found.errors.append(error)

    def _parse_lines(self, data: Any, line: int, names: set[str], declared: set[str], start: int) -> Program:
        if not isinstance(data, list):
            raise self.error_at(line, "a text must be a list of lines")
        program: list[ProgramLine] = []
        stopped = False
        for entry in data:
            if not isinstance(entry, LocatedMapping):
                self._note_or_raise(self.error_at(line, f"a line must be a mapping with 'do', not {entry!r}"))
                continue
            if stopped:
                raise self.error_at(entry.line, "this line is never reached: the text stops before it")
            try:
                read = self._parse_line(entry, names, declared, start + len(program))
            except BookError as error:
                self._note_or_raise(error)
                names |= _find_intended_names(entry)
                declared |= _find_intended_names(entry)
                continue
            program += read
            stopped = read[0].effect.WORD == "stop" and not (read[0].when or read[0].unless)
        return tuple(program)

    def _parse_line(self, entry: LocatedMapping, names: set[str], declared: set[str], at: int) -> list[ProgramLine]:
        verb = entry.get("do")
        if not isinstance(verb, str):
            raise self.error_at(entry.line, "a line needs a verb under 'do'")
        if verb not in self.words.effects:
            raise self.unknown_word_error(entry.line, "unknown verb", verb, self.words.effects)
        when, unless = (self._parse_condition(entry, key, names) for key in ("if", "unless"))
        if when and when == unless:
            raise self.error_at(
                entry.line, f"this line is never reached: it needs {when!r} both to hold and not to hold"
            )
        kind = self.words.effects[verb]
        in_advance = entry.get("declared", False) is True
        known = set(declared if in_advance else names)
        bound: set[str] = set()
        given = LocatedMapping({key: value for key, value in entry.items() if key not in COMMON_KEYS})
        given.lines = entry.lines
        inner, branches = given.pop("lines", None), getattr(kind, "CHOICES", False)
        if branches:
            given.pop("options", None)
        for key in set(given) & set(getattr(kind, "FILLED_IN", ())):
            raise self.unknown_word_error(entry.line_of(key), f"{verb} takes no", key, ("options", "who"))
        word = self._build_from_fields(kind, given, entry.line, known, bound, f"{verb} takes no")
        if complaint := word.find_parameter_error():
            raise self.error_at(entry.line, complaint)
        names |= bound
        if not (loops := getattr(kind, "LOOPS", False)):  # a loop need not use the name it binds
            self.bound_names.update(dict.fromkeys(bound, entry.line))
        if in_advance:
            declared |= bound
        line = ProgramLine(word, when, unless, at + 1, in_advance)
        if inner is None and branches:
            return self._parse_alternatives(entry, line, names, declared, at)
        if (inner is None) == loops:
            raise self.error_at(entry.line, f"{verb} needs 'lines' to repeat" if loops else f"{verb} takes no 'lines'")
        if inner is None:
            return [line]
        inside = set(names)
        within = self._parse_lines(inner, entry.line, inside, set(declared), at + 1)
        if may_run_too_long(kind, within):
            raise self.error_at(entry.line, "lines that repeat can hold no further loops: a text has to end soon")
        if getattr(kind, "LINES_COME_LATER", False):
            back = ProgramLine(self.words.effects["stop"]())
        else:
            back = self._build_return(at, inside - names)
        after = at + 1 + len(within) + 1
        return [replace(line, jump=after), *within, back]

    def _build_return(self, to: int, freed: set[str]) -> ProgramLine:
        """Return the line that ends inner lines, after which their names are free."""
        return ProgramLine(self.words.effects["go_back"](to, tuple(sorted(freed))))  # type: ignore[call-arg]

    def _list_alternatives(self, verb: str, options: Any, line: int) -> list[tuple[Label, LocatedMapping]]:
        """Return the alternatives of a line, each with its label. Raises BookError."""
        form, found = "{says: …, lines: [{do: …}]}", []
        if not isinstance(options, list) or not FEWEST_ALTERNATIVES <= len(options) <= MOST_ALTERNATIVES:
            raise self.error_at(line, f"{verb} needs 'options', {FEWEST_ALTERNATIVES} to {MOST_ALTERNATIVES} of {form}")
        for option in options:
            if not isinstance(option, LocatedMapping) or set(option) != {"says", "lines"} or option["lines"] == []:
                raise self.error_at(getattr(option, "line", line), f"an option of {verb} is {form}")
            label = option["says"]
            label = dict.fromkeys(LANGUAGES, label) if isinstance(label, str) else label
            if wrong := find_label_error(label, LANGUAGES):
                raise self.error_at(option.line_of("says"), f"{verb}: {wrong}")
            found.append((dict(label), option))
        return found

    def _parse_alternatives(
        self, entry: LocatedMapping, line: ProgramLine, names: set[str], declared: set[str], at: int
    ) -> list[ProgramLine]:
        """Return the lines of all alternatives, each skipped unless it is chosen."""
        options = self._list_alternatives(entry["do"], entry.get("options"), entry.line_of("options"))
        called, parts, start = f"{CHOSEN_ALTERNATIVE}/{at}", [], at + 1
        for number, (_, option) in enumerate(options, 1):
            inside = set(names)
            within = self._parse_lines(option["lines"], option.line, inside, set(declared), start + 1)
            opening = self.words.effects["alternative"](called, number)  # type: ignore[call-arg]
            start += len(within) + 2
            parts.append((ProgramLine(opening, jump=start), within, inside - names))
        effect = replace(line.effect, says=tuple(label for label, _ in options), called=called)  # type: ignore[call-arg]
        found = [replace(line, effect=effect, jump=start)]
        for opened, within, freed in parts:
            found += [opened, *within, self._build_return(start, freed)]
        return found

    def _parse_condition(self, entry: LocatedMapping, key: str, names: set[str]) -> str:
        name = entry.get(key, "")
        if key in entry and (not isinstance(name, str) or name not in names):
            raise self.unknown_word_error(entry.line, f"'{key}': unknown name", str(name), names)
        self.used_names.add(name)
        return str(name)

    # -- parameters ------------------------------------------------------------------------------------------------

    def _build_from_fields(
        self, kind: type[Any], given: Mapping[str, Any], line: int, names: set[str], bound: set[str], refusal: str
    ) -> Any:
        hints, parts = get_type_hints(kind), {part.name: part for part in fields(kind)}
        values: dict[str, Any] = {}
        for key, value in given.items():
            name = self._find_field(key, parts, hints)
            if name is None:
                raise self.unknown_word_error(
                    line, refusal, key, [*map(_spell_key, parts), *self._list_selectors(parts, hints)]
                )
            if name in (key, f"{key}_"):
                at = given.line_of(key) if isinstance(given, LocatedMapping) else line
                values[name] = self._parse_parameter(kind.WORD, key, hints[name], value, at, names, bound)
            else:
                if name in values:
                    raise self.error_at(line, f"{kind.WORD} takes only one of {', '.join(self.words.selectors)}")
                values[name] = self._parse_selector(key, value, line, names)
        for name, part in parts.items():
            if name not in values and _is_required(part):
                options = self._list_selectors({name: part}, hints)
                what = f"one of {', '.join(options)}" if options else repr(_spell_key(name))
                raise self.error_at(line, f"{kind.WORD} needs {what}")
        return kind(**values)

    def _parse_parameter(
        self, word: str, key: str, hint: Any, value: Any, line: int, names: set[str], bound: set[str]
    ) -> Any:
        """Return the value of a parameter.

        Raises BookError, for a number with the range that new books may use.
        """
        where = f"{word}.{key}"
        least, most = (0 if key in self.words.counts else -MAX_NUMBER, MAX_NUMBER)
        allowed = self.words.ranges.get(where, (least, most))
        try:
            read = self._parse_value(hint, value, line, where, names, bound)
        except BookError:
            if type(value) is not int or allowed[0] <= value <= allowed[1]:
                raise
            raise self.error_at(line, describe_range_error(where, value, allowed)) from None
        if type(read) is int and not least <= read <= most:
            raise self.error_at(line, describe_range_error(where, read, allowed))
        return read

    def _find_field(self, key: str, parts: Mapping[str, Any], hints: Mapping[str, Any]) -> str | None:
        """Return the field that a key fills: its own, or that of a selector for a noun."""
        if key in parts:
            return key
        if f"{key}_" in parts:
            return f"{key}_"  # `from` and `in` are keywords of Python
        if key in self.words.selectors:
            return next((name for name in parts if _is_selector_type(hints[name])), None)
        return None

    def _list_selectors(self, parts: Mapping[str, Any], hints: Mapping[str, Any]) -> list[str]:
        return list(self.words.selectors) if any(_is_selector_type(hints[name]) for name in parts) else []

    def _parse_selector(self, word: str, given: Any, line: int, names: set[str]) -> Selector:
        if not isinstance(given, dict):
            raise self.error_at(line, f"{word} must be followed by a mapping that says which")
        kind = self.words.selectors[word]
        noun: Selector = self._build_from_fields(
            kind, given, getattr(given, "line", line), names, set(), f"{word} takes no"
        )
        return noun

    def _parse_value(self, hint: Any, value: Any, line: int, where: str, names: set[str], bound: set[str]) -> Any:
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            if value is None and type(None) in args:
                return None
            *rest, last = [arg for arg in args if arg is not type(None)]
            for arg in rest:
                try:
                    return self._parse_value(arg, value, line, where, names, bound)
                except BookError:
                    continue  # one form of several suffices; the last one reports the error
            return self._parse_value(last, value, line, where, names, bound)
        if hint is BoundName:
            if not isinstance(value, str) or value not in names:
                raise self.unknown_word_error(line, f"{where}: unknown name", str(value), names)
            self.used_names.add(value)
            return value
        if hint is NewName:
            if not isinstance(value, str) or not value.isidentifier() or value in self.words.ambient:
                raise self.error_at(line, f"{where}: {value!r} cannot be a name")
            bound.add(value)
            return value
        if hint is PlayerSelector:
            return self._parse_player_selector(value, line, where, names)
        if _is_selector_type(hint):
            raise self.error_at(line, f"{where}: write the noun itself as the key")
        own_form = getattr(hint, "from_card", None)
        if own_form is not None:
            read = own_form(self.file, value, line)
            self.used_names.update(getattr(read, "mentioned_names", ()))
            return read
        if origin is Literal:
            if value not in args or type(value) is bool:
                raise self.unknown_word_error(line, f"{where}: unknown", str(value), filter(None, map(str, args)))
            return value
        if origin is tuple:
            items = value if isinstance(value, list) else [value]
            return tuple(self._parse_value(args[0], item, line, where, names, bound) for item in items)
        if hint in (int, str, bool) and type(value) is hint:
            return value
        kind = PLAIN_KINDS.get(hint, getattr(hint, "__name__", hint))
        raise self.error_at(line, f"{where}: {value!r} is not {kind}")

    def _parse_player_selector(self, value: Any, line: int, where: str, names: set[str]) -> PlayerSelector:
        if isinstance(value, LocatedMapping) and "player" in self.words.selectors:
            return PlayerSelector(noun=self._parse_selector("player", value, line, names))
        if players := self.words.players:
            if value not in players:
                raise self.unknown_word_error(line, f"{where}: unknown player", str(value), players)
            return PlayerSelector(value)
        if value == "others" or (isinstance(value, str) and value in names):
            self.used_names.add(value)
            return PlayerSelector(value)
        raise self.unknown_word_error(line, f"{where}: unknown player", str(value), [*names, "others"])


def _find_intended_names(entry: LocatedMapping) -> set[str]:
    """Return the name that a wrong line would have bound.

    Without it, the lines that use the name would be reported too.
    """
    called = entry.get("called")
    return {called} if isinstance(called, str) else set()


def _spell_key(name: str) -> str:
    """Return a field's name as a card text writes it."""
    return name.removesuffix("_")


def _is_required(part: Field[Any]) -> bool:
    return part.default is MISSING and part.default_factory is MISSING


def _is_selector_type(hint: Any) -> bool:
    kinds = get_args(hint) or (hint,)
    return any(isinstance(kind, type) and issubclass(kind, Selector) for kind in kinds)


def collect_verbs(lines: Program) -> set[str]:
    """Return the verbs that a program uses."""
    return {
        line.effect.WORD
        for line in lines
        if isinstance(line.effect, CardEffect) and line.effect.WORD not in WRITTEN_BY_PARSER
    }
