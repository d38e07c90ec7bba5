"""One sentence about an entry, to read aloud: what happened, what came of it, why. All its words are data.

The sentence is made of main clauses (`aloud.yaml` of game and table; where that is silent, what is told of a fact) and
of the first sentence of the rule that the weightiest of them rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from referee.engine.breakdown import Number
from referee.engine.events import Event, Move
from referee.engine.game import Game, aloud_keys
from referee.engine.rulebook.book import LANGUAGES, MINOR, Aloud, Clause, Text
from referee.engine.seats import BYSTANDER, CHANCE, spoken
from referee.match.aggregate import Ended, TableFact
from referee.match.entries import Logged
from referee.match.rulebook import TABLE
from referee.rendering import texts

MOST = 3  # main clauses in a sentence
NOTHING: Text = dict.fromkeys(LANGUAGES, "")
COUNTED = re.compile(r"(?P<before>(?P<count>\d+) (?:[^\W\d]+ )?)?(?P<word>[\w-]+)\((?P<more>[a-z]+)\)")
END = re.compile(r"[.!?] +(?=[^\W\d])")  # where one sentence ends and another begins


@dataclass(frozen=True, slots=True)
class Said:
    """A main clause of the sentence, and the clauses of the rules that it rests on."""

    aloud: Aloud
    rests: tuple[str, ...]


def sentence(
    game: Game, logged: Logged, move: Move | None, facts: Sequence[Event], numbers: Mapping[int, Sequence[Number]]
) -> tuple[Text, str]:
    """The sentence about an entry, in every language, and the clause that gives its reason (empty: none does).

    `move` and `facts` are what its reader may see of it; `numbers` are those of the facts, by their place.
    """
    told = list(_told(game, facts, numbers))
    opening = _opening(game, logged, move, told=bool(told))
    said = list({tuple(each.aloud.says.values()): each for each in (*opening, *told)}.values())
    said = said or [Said(Aloud(TABLE.texts("explain.unseen")), ())]
    by_weight = sorted(range(len(said)), key=lambda at: (said[at].aloud.rank, at))
    weightiest = said[by_weight[0]]
    chosen = {*range(len(opening)), *by_weight[: MOST - len(opening)]}
    kept = [said[at].aloud for at in sorted(chosen)]
    if weightiest.aloud.rank < MINOR:
        kept = [each for each in kept if each.rank < MINOR]
    why = reason(game, (weightiest.aloud.clause, *weightiest.rests, *logged.clauses))
    made = {lang: _joined(lang, [each.says[lang] for each in kept], why) for lang in LANGUAGES}
    return made, "" if why is None else why.id


def reason(game: Game, clauses: Iterable[str]) -> Clause | None:
    """The first of some clauses that gives a reason. A reading does not: it answers a question of its own."""
    found = (texts.clause(game, name) for name in clauses if name)
    return next((clause for clause in found if not clause.open), None)


def in_words(game: Game, number: Number) -> Text:
    """A number as a player reads it: its text, with `{number}` for its value and `{from}` for its card."""
    return texts.texts(game, number.says, **{**number.params, "number": number.value, "from": number.card})


def summed(game: Game, number: Number) -> Text:
    """The parts of a number in words, one after the other."""
    parts = [in_words(game, part) for part in number.parts]
    return {lang: ", ".join(part[lang] for part in parts) for lang in LANGUAGES}


def aloud(game: Game, thing: Event | Move, **more: Any) -> Aloud | None:
    """What is said of a fact or a move, of the game or of the table; None for bookkeeping."""
    if not of_table(thing):
        return game.aloud(thing, **more)
    found = TABLE.spoken(*_keys(game, thing))
    if found is None:
        words = texts.told(game, thing)
        return None if words is None else Aloud(words)
    said: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
    return TABLE.filled(found, **{**said, **more, "game": game.title})


def of_table(thing: Event | Move) -> bool:
    """Whether a fact or a move is business of the table and not of the game."""
    return isinstance(thing, TableFact) or thing.TAG.startswith("table.")


def _keys(game: Game, thing: Event | Move) -> tuple[str, ...]:
    if not of_table(thing):
        return aloud_keys(thing, game.case(thing))
    if isinstance(thing, Ended) and thing.status == "finished":
        return aloud_keys(thing, ("nobody", "one")[len(thing.winners)] if len(thing.winners) < 2 else "several")
    return aloud_keys(thing, thing.status if isinstance(thing, Ended) else "")


def _told(game: Game, facts: Iterable[Event], numbers: Mapping[int, Sequence[Number]]) -> Iterator[Said]:
    for at, fact in enumerate(facts):
        made = next((number for number in numbers.get(at, ()) if number.parts), None)
        found = aloud(game, fact, sum=NOTHING if made is None else summed(game, made))
        if found is not None:
            yield Said(found, ((made.parts[0].clause,) if made else ()) + fact.rests_on())


def _opening(game: Game, logged: Logged, move: Move | None, told: bool) -> list[Said]:
    """The move, where there are words for it to read aloud, or where no fact tells anything.

    What chance did its facts tell, and what the table does too.
    """
    if move is None or logged.seat == BYSTANDER or (told and logged.seat == CHANCE):
        return []
    who = spoken(logged.seat)
    book = TABLE if of_table(move) else game.book
    if book.spoken(*_keys(game, move)) is not None:
        found = aloud(game, move, who=who)
    elif not told and (words := texts.told(game, move)) is not None:
        plain = {lang: _part(words[lang]) for lang in LANGUAGES}
        frame = "explain.moved" if logged.seat >= 0 else "explain.chance"
        found = Aloud(TABLE.texts(frame, move=plain, who=who))
    else:
        found = None
    return [] if found is None else [Said(found, move.clauses)]


def _joined(lang: str, clauses: Sequence[str], why: Clause | None) -> str:
    """The main clauses and the reason as one sentence in one language."""
    parts = [_part(_plural(clause)) for clause in clauses]
    told = "; ".join([parts[0], *(_within(part, lang) for part in parts[1:])])
    if why is not None:
        rule = _part(END.split(why.says[lang])[0])
        told = TABLE.text("explain.because", lang, told=told, rule=rule)
    return f"{told[:1].upper()}{told[1:]}."


def _part(text: str) -> str:
    """A text as part of a sentence: no mark at its end, and no end within it."""
    return END.sub("; ", text.strip().rstrip(".!?:"))


def _within(text: str, lang: str) -> str:
    """A main clause as it stands within a sentence: a word that is capital only at its beginning is small."""
    first, space, rest = text.partition(" ")
    small = first in TABLE.text("explain.small", lang).split()
    return f"{first[:1].lower()}{first[1:]}{space}{rest}" if small else text


def _plural(text: str) -> str:
    """`2 card(s)` as it is read aloud: one or several, by the number before it."""

    def chosen(found: re.Match[str]) -> str:
        return f"{found['before'] or ''}{found['word']}{'' if found['count'] == '1' else found['more']}"

    return COUNTED.sub(chosen, text)
