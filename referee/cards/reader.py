"""Reads card texts and refuses what they cannot mean: file, line, and what was probably meant.

A text is a list of lines; a line is a mapping with the verb under `do`, its parameters, and perhaps `if` or `unless`
with a name bound before. It is read into a flat program (`words.Lines`), so that one number says how far it has come.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import yaml

from referee.cards.words import Called, Line, Lines, Name, Noun, Vocabulary, Who, Word
from referee.kernel.clauses import Misprint

COMMON_KEYS = ("do", "if", "unless")


class Marked(dict[str, Any]):
    """A mapping that knows the line of its file."""

    line = 0


def marked(path: Path) -> list[Marked]:
    """The entries of a YAML file, every mapping with its line. Raises Misprint."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(path.read_text("utf-8"))
    try:
        node = loader.get_single_node()
        data = _data(loader, node, path)
    except yaml.YAMLError as error:
        raise Misprint(f"{path.name}: {error}") from error
    finally:
        loader.dispose()
    if not isinstance(data, list) or not all(isinstance(entry, Marked) for entry in data):
        raise Misprint(f"{path.name}: a list of entries is needed")
    return data


def _data(loader: Any, node: Any, path: Path) -> Any:
    if isinstance(node, yaml.MappingNode):
        found = Marked()
        found.line = node.start_mark.line + 1
        for key, value in node.value:
            name = loader.construct_object(key)
            if not isinstance(name, str):
                raise Misprint(f"{path.name}:{key.start_mark.line + 1}: {name!r} is no word; put it in quotes")
            if name in found:
                raise Misprint(f"{path.name}:{key.start_mark.line + 1}: {name} stands twice")
            found[name] = _data(loader, value, path)
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_data(loader, part, path) for part in node.value]
    return loader.construct_object(node)


@dataclass
class Reader:
    """Reads the texts of one file with the words of one game. Every error is a Misprint that names file and line."""

    file: str
    words: Vocabulary
    named: dict[str, int] = field(default_factory=dict)  # what the text has bound, with the line
    used: set[str] = field(default_factory=set)  # what it has made use of

    def wrong(self, line: int, detail: str) -> Misprint:
        """The error at a line of this file."""
        return Misprint(f"{self.file}:{line}: {detail}")

    def unknown(self, line: int, what: str, given: str, known: Iterable[str]) -> Misprint:
        """The error of a word that is none, with the nearest that is."""
        known = list(known)
        near = get_close_matches(given, known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(sorted(known))}"
        return self.wrong(line, f"{what} {given!r}{hint}")

    # -- texts -----------------------------------------------------------------------------------------------------

    def text(self, data: Any, line: int, ambient: Iterable[str] = ()) -> Lines:
        """The program of one text. Raises Misprint."""
        names = {*self.words.ambient, *ambient}
        self.named.clear()
        self.used.clear()
        program = self._lines(data, line, names, set(names), 0)
        for name, at in self.named.items():
            if name not in self.used:
                raise self.wrong(at, f"nothing makes use of what is called {name!r} here")
        return program

    def _lines(self, data: Any, line: int, names: set[str], declared: set[str], start: int) -> Lines:
        if not isinstance(data, list):
            raise self.wrong(line, "a text is a list of lines")
        program: list[Line] = []
        stopped = False
        for entry in data:
            if not isinstance(entry, Marked):
                raise self.wrong(line, f"a line is a mapping with 'do', not {entry!r}")
            if stopped:
                raise self.wrong(entry.line, "this line is never reached: the text has stopped before it")
            read = self._line(entry, names, declared, start + len(program))
            program += read
            stopped = read[0].word.WORD == "stop" and not (read[0].when or read[0].unless)
        return tuple(program)

    def _line(self, entry: Marked, names: set[str], declared: set[str], at: int) -> list[Line]:
        verb = entry.get("do")
        if not isinstance(verb, str):
            raise self.wrong(entry.line, "a line needs a verb under 'do'")
        if verb not in self.words.words:
            raise self.unknown(entry.line, "unknown verb", verb, self.words.words)
        when, unless = (self._condition(entry, key, names) for key in ("if", "unless"))
        if when and when == unless:
            raise self.wrong(entry.line, f"this line is never reached: it wants {when!r} and not {when!r}")
        kind = self.words.words[verb]
        in_advance = entry.get("declared", False) is True
        known = set(declared if in_advance else names)
        bound: set[str] = set()
        given = {key: value for key, value in entry.items() if key not in COMMON_KEYS}
        inner = given.pop("lines", None)
        word = self._filled(kind, given, entry.line, known, bound, f"{verb} takes no")
        if complaint := word.amiss():
            raise self.wrong(entry.line, complaint)
        names |= bound
        if not getattr(kind, "LOOPS", False):  # what is repeated for each need not be looked at
            self.named.update(dict.fromkeys(bound, entry.line))
        if in_advance:
            declared |= bound
        line = Line(word, when, unless, at + 1, in_advance)
        if inner is None:
            if getattr(kind, "LOOPS", False):
                raise self.wrong(entry.line, f"{verb} needs 'lines' to repeat")
            return [line]
        if not getattr(kind, "LOOPS", False):
            raise self.wrong(entry.line, f"{verb} takes no 'lines'")
        inside = set(names)
        within = self._lines(inner, entry.line, inside, set(declared), at + 1)
        back = Line(self.words.words["go_back"](at, tuple(sorted(inside - names))))  # type: ignore[call-arg]
        after = at + 1 + len(within) + 1
        return [replace(line, jump=after), *within, back]

    def _condition(self, entry: Marked, key: str, names: set[str]) -> str:
        name = entry.get(key, "")
        if key in entry and (not isinstance(name, str) or name not in names):
            raise self.unknown(entry.line, f"'{key}' names", str(name), names)
        self.used.add(name)
        return str(name)

    # -- parameters ------------------------------------------------------------------------------------------------

    def _filled(
        self, kind: type[Any], given: Mapping[str, Any], line: int, names: set[str], bound: set[str], refusal: str
    ) -> Any:
        hints, parts = get_type_hints(kind), {part.name: part for part in fields(kind)}
        values: dict[str, Any] = {}
        for key, value in given.items():
            name = self._field_for(key, parts, hints)
            if name is None:
                raise self.unknown(line, refusal, key, [*map(_spelt, parts), *self._nouns_of(parts, hints)])
            if name in (key, f"{key}_"):
                values[name] = self._value(hints[name], value, line, f"{kind.WORD}.{key}", names, bound)
            else:
                if name in values:
                    raise self.wrong(line, f"{kind.WORD} takes one of {', '.join(self.words.nouns)}")
                values[name] = self._noun(key, value, line, names)
        for name, part in parts.items():
            if name not in values and _needed(part):
                options = self._nouns_of({name: part}, hints)
                what = f"one of {', '.join(options)}" if options else repr(_spelt(name))
                raise self.wrong(line, f"{kind.WORD} needs {what}")
        return kind(**values)

    def _field_for(self, key: str, parts: Mapping[str, Any], hints: Mapping[str, Any]) -> str | None:
        """The field that a key fills: its own, or the one for a noun if the key is a noun."""
        if key in parts:
            return key
        if f"{key}_" in parts:
            return f"{key}_"  # `from` and `in` are words of Python, too
        if key in self.words.nouns:
            return next((name for name in parts if _is_noun(hints[name])), None)
        return None

    def _nouns_of(self, parts: Mapping[str, Any], hints: Mapping[str, Any]) -> list[str]:
        return list(self.words.nouns) if any(_is_noun(hints[name]) for name in parts) else []

    def _noun(self, word: str, given: Any, line: int, names: set[str]) -> Noun:
        if not isinstance(given, dict):
            raise self.wrong(line, f"{word} is followed by a mapping that says which")
        kind = self.words.nouns[word]
        noun: Noun = self._filled(kind, given, getattr(given, "line", line), names, set(), f"{word} takes no")
        return noun

    def _value(self, hint: Any, value: Any, line: int, where: str, names: set[str], bound: set[str]) -> Any:
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            if value is None and type(None) in args:
                return None
            *rest, last = [arg for arg in args if arg is not type(None)]
            for arg in rest:
                try:
                    return self._value(arg, value, line, where, names, bound)
                except Misprint:
                    continue  # one of several forms will do; the last one says what is wrong
            return self._value(last, value, line, where, names, bound)
        if hint is Name:
            if not isinstance(value, str) or value not in names:
                raise self.unknown(line, f"{where}: nothing is called", str(value), names)
            self.used.add(value)
            return value
        if hint is Called:
            if not isinstance(value, str) or not value.isidentifier() or value in self.words.ambient:
                raise self.wrong(line, f"{where}: {value!r} cannot be a name")
            bound.add(value)
            return value
        if hint is Who:
            return self._who(value, line, where, names)
        if _is_noun(hint):
            raise self.wrong(line, f"{where}: write the noun itself as key")
        own_form = getattr(hint, "from_card", None)
        if own_form is not None:
            return own_form(self.file, value, line)
        if origin is Literal:
            if value not in args or type(value) is bool:
                raise self.unknown(line, f"{where}: unknown", str(value), map(str, args))
            return value
        if origin is tuple:
            items = value if isinstance(value, list) else [value]
            return tuple(self._value(args[0], item, line, where, names, bound) for item in items)
        if hint in (int, str, bool) and type(value) is hint:
            return value
        raise self.wrong(line, f"{where}: {value!r} is no {getattr(hint, '__name__', hint)}")

    def _who(self, value: Any, line: int, where: str, names: set[str]) -> Who:
        if isinstance(value, Marked):
            return Who(noun=self._noun("player", value, line, names))
        if value == "others" or (isinstance(value, str) and value in names):
            self.used.add(value)
            return Who(value)
        raise self.unknown(line, f"{where}: nobody is called", str(value), [*names, "others"])


def _spelt(name: str) -> str:
    """A field as a card text writes it."""
    return name.removesuffix("_")


def _needed(part: Field[Any]) -> bool:
    return part.default is MISSING and part.default_factory is MISSING


def _is_noun(hint: Any) -> bool:
    kinds = get_args(hint) or (hint,)
    return any(isinstance(kind, type) and issubclass(kind, Noun) for kind in kinds)


def words_used(lines: Lines) -> set[str]:
    """The verbs that a program uses, for whoever counts them."""
    return {line.word.WORD for line in lines if isinstance(line.word, Word) and line.word.WORD != "go_back"}
