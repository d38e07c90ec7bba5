"""What is read aloud about an entry: what happened, its result, and why.

Facts that rest on the same clause, one after the other, make one sentence, which ends with that clause. A new turn
begins a new sentence. A clause is read once; if it gets long, those of the lesser facts are left out. The facts are
told by main clauses from `narration.yaml` of game and table, or else by the line about the event. All words are data.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Any

from referee.engine.breakdown import Term
from referee.engine.chance import Shuffle
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.parts.narration import BOOKKEEPING_TYPES, spoken_text_keys
from referee.engine.rulebook.book import LANGUAGES, MINOR_RANK_OFFSET, NO_CLAUSE, Clause, SpokenText, Text
from referee.engine.seats import BYSTANDER, CHANCE, seat_label
from referee.engine.steps import StepPushed
from referee.match.aggregate import MatchEnded, RewindEvent, TableEvent
from referee.match.entries import LogEntry
from referee.match.events.deviation_events import DeviationRequested
from referee.match.events.dispute_events import CourtCalled, DisputeOpened, RulingIssued
from referee.match.events.ending_events import END_WITHOUT_RESULT
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import quarrels, texts
from referee.rendering.quoting import add_reason, find_reason_clause, strip_sentence_end

MAX_FACTS = 3  # facts that are told of an entry
MAX_RUN = 6  # facts of one kind, such as what each player is dealt
MAX_LETTERS = 300  # of what is read of an entry; beyond it only the clause of the weightiest fact is read for sure
MAX_READ_OF_ENTRY = 160  # letters of a clause; fewer than in a ruling, because several may be read
CitedClauses = Callable[[Iterable[str]], Iterable[str]]  # clauses as they are cited in a match


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact in words, and the clause that it rests on, if one gives a reason.

    `turn` counts the turns that have begun within the entry. Facts of one kind that follow each other are told all or
    none, unless they are too many.
    """

    spoken: SpokenText
    clause: Clause | None
    turn: int = 0
    kind: type[Event] | None = None  # of the event; None: it tells of a move

    @property
    def group(self) -> tuple[int, str]:
        """What it has in common with the facts that are told in the same sentence."""
        return self.turn, "" if self.clause is None else self.clause.id


def render_sentences(
    game: Game,
    logged: LogEntry,
    move: Move | None,
    events: Sequence[Event],
    numbers: Mapping[int, Sequence[Term]],
    cite: CitedClauses = tuple,
    reason: Callable[[Event], str] = lambda _: "",
) -> tuple[Text, tuple[str, ...]]:
    """Return the sentences about an entry, and the clauses that they read.

    `move` and `events` are what the reader may see of the entry; `numbers` are the numbers of the events, by their
    place; `cite` gives the clauses that stand for those of the first interpretation; `reason` the clause that an event
    rests on in this very situation, if it is not the one of its text.
    """
    opening, facts = None, list(_collect_facts(game, events, numbers, cite, reason))
    if move is not None:
        opening = _build_opening(game, logged, move, cite, has_facts=bool(facts))
    told = _choose_facts(opening, facts) or [
        Fact(SpokenText(TABLE_BOOK.render_texts("explain.unseen")), find_reason_clause(game, cite(logged.clauses)))
    ]
    by_weight = sorted(told, key=lambda each: each.spoken.rank)
    due = list(dict.fromkeys(each.clause.id for each in by_weight if each.clause is not None))
    sentence, read = _read_facts(told, due)
    while len(due) > 1 and max(map(len, sentence.values())) > MAX_LETTERS:
        due.pop()
        sentence, read = _read_facts(told, due)
    return sentence, read


def _read_facts(told: Iterable[Fact], due: Collection[str]) -> tuple[Text, tuple[str, ...]]:
    """Return facts as sentences, and the clauses that these read.

    Only clauses that are due are read, and each once.
    """
    read: list[str] = []
    sentences = []
    for _, group in groupby(told, key=lambda each: each.group):
        facts = list(group)
        clause = facts[0].clause
        if clause is not None and (clause.id in read or clause.id not in due):
            clause = None
        read += [] if clause is None else [clause.id]
        sentences.append(add_reason({lang: _join_facts(facts, lang) for lang in LANGUAGES}, clause, MAX_READ_OF_ENTRY))
    return {lang: " ".join(each[lang] for each in sentences) for lang in LANGUAGES}, tuple(read)


def _choose_facts(opening: Fact | None, facts: Sequence[Fact]) -> list[Fact]:
    """Return what is told, in the order in which it happened.

    That is the move and the weightiest facts. Minor ones are left out where there is anything else. The clause of a
    move is left out where what followed from it has a higher rank.
    """
    first = [] if opening is None else [opening]
    parts = list({(each.turn, *each.spoken.says.values()): each for each in (*first, *facts)}.values())
    by_weight = sorted(range(len(parts)), key=lambda at: (parts[at].spoken.rank, at))
    chosen = {*range(len(first)), *by_weight[: MAX_FACTS - len(first)]}
    chosen |= {at for run in _list_runs(parts) if chosen & set(run) for at in run}
    kept = [parts[at] for at in sorted(chosen)]
    weightiest = min((each.spoken.rank for each in kept), default=0)
    if weightiest < MINOR_RANK_OFFSET:
        kept = [each for each in kept if each.spoken.rank < MINOR_RANK_OFFSET]
    if opening is None or opening not in kept:
        return kept
    came = [each for each in kept[1:] if each.clause is not None]
    joined = bool(came) and came[0].group == opening.group
    if not joined and any(each.spoken.rank < opening.spoken.rank for each in came):
        kept[0] = replace(opening, clause=None)
    return kept


def _list_runs(parts: Sequence[Fact]) -> Iterator[list[int]]:
    """Yield the places of facts of one kind in a row, if they are not too many."""
    for kind, run in groupby(range(len(parts)), key=lambda at: (parts[at].turn, parts[at].kind)):
        places = list(run)
        if kind[1] is not None and len(places) <= MAX_RUN:
            yield places


def _join_facts(group: Sequence[Fact], lang: str) -> str:
    """Return facts as one sentence without its full stop.

    What is told by whole sentences stays whole sentences.
    """
    joined, was_clause = "", False
    for each in (fact.spoken for fact in group):
        says = strip_sentence_end(each.says[lang])
        if was_clause and not each.is_sentence:
            joined = f"{joined}; {says}"
        else:
            joined = f"{joined}. {_begin_sentence(says)}" if joined else _begin_sentence(says)
        was_clause = not each.is_sentence
    return joined


def _begin_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def describe_term(game: Game, number: Term) -> Text:
    """Return a number in words.

    Its text has `{number}` for its value and `{from}` for its card.
    """
    return texts.render_text(game, number.says, **{**number.params, "number": number.value, "from": number.card})


def term_response(game: Game, each: Term) -> dict[str, Any]:
    """Return a number as plain data, with its parts."""
    return {
        "value": each.value,
        "says": describe_term(game, each),
        "clause": each.clause,
        "card": each.card or None,
        "parts": [term_response(game, part) for part in each.parts],
    }


def describe_parts(game: Game, number: Term) -> Text:
    """Return the parts of a number in words, one after the other."""
    parts = [describe_term(game, part) for part in number.parts]
    return {lang: ", ".join(part[lang] for part in parts) for lang in LANGUAGES}


def find_spoken_text(game: Game, thing: Event | Move, **more: Any) -> SpokenText | None:
    """Return the spoken text of an event or a move; None for bookkeeping."""
    if not texts.is_of_table(thing):
        return game.narration.render_spoken_text(thing, **more)
    if isinstance(thing, DeviationRequested) and not thing.asks:
        return None  # nobody is asked
    found = TABLE_BOOK.find_spoken_text(*_find_spoken_keys(game, thing))
    if found is not None and isinstance(thing, DisputeOpened):
        return replace(found, says=quarrels.describe_claim(thing), is_sentence=True)
    if found is not None and isinstance(thing, RulingIssued):
        return replace(found, says=quarrels.describe_ruling(game, thing), is_sentence=True)
    if found is None:
        words = texts.describe_event(game, thing)
        return None if words is None else SpokenText(words, is_sentence=True)
    params: dict[str, Any] = {part.name: getattr(thing, part.name) for part in fields(thing)}  # type: ignore[arg-type]
    counted = {"count": len(params["by"])} if isinstance(params.get("by"), tuple) else {}
    return TABLE_BOOK.fill_spoken_text(found, **{**params, **counted, **more, "game": game.title})


def _find_spoken_keys(game: Game, thing: Event | Move) -> tuple[str, ...]:
    if not texts.is_of_table(thing):
        return spoken_text_keys(thing, game.narration.text_variant(thing))
    if isinstance(thing, MatchEnded) and thing.status == "finished":
        return spoken_text_keys(thing, ("nobody", "one")[len(thing.winners)] if len(thing.winners) < 2 else "several")
    if isinstance(thing, CourtCalled):
        return spoken_text_keys(thing, thing.stage)
    if isinstance(thing, MatchEnded) and thing.reason == END_WITHOUT_RESULT:
        return spoken_text_keys(thing, "without_result")
    by_chance = isinstance(thing, TableEvent) and getattr(thing, "seat", None) == CHANCE
    return spoken_text_keys(thing, thing.status if isinstance(thing, MatchEnded) else "chance" if by_chance else "")


def _collect_facts(
    game: Game,
    events: Iterable[Event],
    numbers: Mapping[int, Sequence[Term]],
    cite: CitedClauses,
    reason: Callable[[Event], str],
) -> Iterator[Fact]:
    turn, goes_back = 0, False
    for at, event in game.narration.join_cards(events):
        turn += isinstance(event, game.narration.turn_start_events)
        reshuffles = goes_back and isinstance(event, StepPushed) and isinstance(event.step, Shuffle)
        goes_back = reshuffles or isinstance(event, RewindEvent) or (goes_back and isinstance(event, CourtCalled))
        if reshuffles:
            piles = SpokenText(TABLE_BOOK.render_texts("explain.reshuffled"), clause="TABLE-REMEDY-3")
            yield Fact(piles, _find_reason(game, piles, cite, ()), turn)
        if isinstance(event, BOOKKEEPING_TYPES):
            continue
        made = next((number for number in numbers.get(at, ()) if number.parts), None)
        found = find_spoken_text(game, event, sum="" if made is None else describe_parts(game, made))
        if found is not None:
            counted = (made.parts[0].clause,) if made else ()
            if (better := reason(event)) and better != found.clause:
                found = replace(found, clause=better)
            yield Fact(found, _find_reason(game, found, cite, (*counted, *event.applied_clauses())), turn, type(event))


def _build_opening(game: Game, logged: LogEntry, move: Move, cite: CitedClauses, has_facts: bool) -> Fact | None:
    """Return the move as a fact, if it is worth saying.

    It is if there are words for it to read aloud, or if no event says anything. What chance and the table did, their
    events say.
    """
    if logged.seat == BYSTANDER or (has_facts and logged.seat == CHANCE):
        return None
    who = seat_label(logged.seat)
    book = TABLE_BOOK if texts.is_of_table(move) else game.rulebook
    if book.find_spoken_text(*_find_spoken_keys(game, move)) is not None:
        found = find_spoken_text(game, move, who=who)
    elif not has_facts and (words := texts.describe_event(game, move)) is not None:
        plain = {lang: strip_sentence_end(words[lang]) for lang in LANGUAGES}
        frame = "explain.moved" if logged.seat >= 0 else "explain.chance"
        found = SpokenText(TABLE_BOOK.render_texts(frame, move=plain, who=who))
    else:
        found = None
    return None if found is None else Fact(found, _find_reason(game, found, cite, move.clauses))


def _find_reason(game: Game, found: SpokenText, cite: CitedClauses, clauses: Iterable[str]) -> Clause | None:
    """Return the clause that gives the reason of a spoken text.

    It is its own, or else the first of `clauses` that gives one.
    """
    return None if found.clause == NO_CLAUSE else find_reason_clause(game, cite((found.clause, *clauses)))
