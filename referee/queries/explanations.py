"""Why an entry is as it is: the question that was open, the clauses, the numbers, what else was legal, one sentence.
And how things stand at a moment: what is asked, the sums on the table, who could do what.

All of it is worked out from what a pair of eyes may see: the log is folded from what `seen_by` shows of each fact, and
of a moment nothing is looked at but the view, so an explanation cannot tell more than log and view do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from referee.engine.breakdown import Number
from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.referee import awaited, considered, heard, listed
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.interpretations import holding
from referee.engine.seats import BYSTANDER, CHANCE, FULL, Seat
from referee.match.aggregate import OVER, GoesBack, Match, TableFact, happened
from referee.match.entries import Logged, rewinds
from referee.queries import views
from referee.rendering import summary, texts
from referee.service.match_service import Desk, Loaded, UnknownVersion

LOOKED_AT = 400  # candidates that are looked at for the kinds of move a question takes


class Blank:
    """What stands for something that is not told: `…`, in whatever form it was to be written."""

    def __format__(self, form: str) -> str:
        return "…"

    def __getitem__(self, key: Any) -> Blank:
        return self

    def __getattr__(self, name: str) -> Blank:
        return self


class Blanks(dict[str, Any]):
    """Parameters of which none is told."""

    def __missing__(self, key: str) -> Blank:
        return Blank()


@dataclass(frozen=True, slots=True)
class Seen:
    """An entry as its reader may see it: the match before it, the move, the facts; `back` gives the match after that
    one of its facts, by its place, by which play goes back."""

    before: Match
    move: Move | None
    facts: tuple[Event, ...]
    eyes: int
    back: Callable[[int], Match] | None = None


def explained(desk: Desk, match: str | Loaded, eyes: int, n: int) -> dict[str, Any]:
    """Why entry `n` is as it is, as far as these eyes may know. `match`: its id, or the match as it was just loaded.

    Raises UnknownMatch, UnknownVersion, and Refused for the eyes that see all while the match runs.
    """
    last = views.latest(desk, match, eyes, None)
    if not 1 <= n <= last.version:
        raise UnknownVersion(n)
    return of_entry(desk, last.match, eyes, n)


def of_entry(desk: Desk, match: Match, eyes: int, n: int) -> dict[str, Any]:
    """The explanation of entry `n`, which there is and which these eyes may look at."""
    (entry,) = desk.entries(match.id, n - 1, n)

    def back(at: int) -> Match:
        return desk.seen_within(entry, at, eyes)

    return explanation(match.rules, desk.seen(match.id, eyes, n - 1), entry, eyes, back)


def moment(desk: Desk, match: str | Loaded, eyes: int, version: int | None = None) -> dict[str, Any]:
    """How things stand at a version (None: now), as far as these eyes may know. `match` and what is raised: as in
    `seeing.latest`."""
    loaded = views.latest(desk, match, eyes, version)
    return {"version": loaded.version, **standing(loaded.match.rules, loaded.match, eyes)}


def standing(game: Game, match: Match, eyes: int) -> dict[str, Any]:
    """What is asked, the sums that stand on the table, and what those who are heard could do, for a pair of eyes.

    Of the match nothing is looked at but what they see.
    """
    state = playing(match.seen_by(eyes))
    if state is None:
        return {"question": None, "sums": [], "could": []}
    open_now = asked(game, state, CHANCE)
    sums = [number(game, each) for each in game.sums(state)]
    if match.halted:  # the question stands and waits, as everybody does
        return {"question": {**open_now, "awaits": [], "admits": []}, "sums": sums, "could": []}
    return {
        "question": open_now,
        "sums": sums,
        "could": [
            {"seat": int(seat), "kinds": kinds(game, could(state, seat, eyes))}
            for seat in sorted(heard(state))
            if seat >= 0
        ],
    }


def could(state: Any, seat: Seat, eyes: int) -> list[Move]:
    """Moves that a seat could make in a table as these eyes see it: its legal ones, for itself and for whoever sees
    all; for others those that may be legal as far as these eyes can tell, to whom a hidden card may be any.
    """
    if eyes in (seat, FULL):
        return allowed(state, seat)
    looked_at = islice(considered(state, seat), LOOKED_AT)
    return [move for move, against in looked_at if against is None or against.verdict == "undecided"]


def allowed(state: Any, seat: Seat) -> list[Move]:
    """The legal moves of a seat, one more than are worth listing if there are more."""
    most = listed(state)
    legal = (move for move, against in islice(considered(state, seat), 20 * most) if against is None)
    return list(islice(legal, most + 1))


def explanation(
    game: Game, before: Match, logged: Logged, eyes: int, back: Callable[[int], Match] | None = None
) -> dict[str, Any]:
    """The explanation of an entry for a pair of eyes. Of the match before it nothing is looked at but what they see.

    `back(at)` is the match as they see it after fact `at`, which goes back (see `Reader.seen_within`): of an entry that
    may hold such a fact it has to be given.
    """
    assert back is not None or not rewinds([logged])
    move, facts = logged.seen_by(eyes)
    seen = Seen(before.seen_by(eyes), move, facts, eyes, back)
    numbers = reckoned(game, seen)
    seen = replace(seen, before=answered(seen, logged.seat))
    sentence, why = summary.sentence(game, logged, move, facts, numbers)
    shown = [
        {"n": f"{logged.version}.{at}", "type": fact.TAG, "told": told, "clauses": list(as_read(seen, fact.rests_on()))}
        for at, fact in enumerate(facts)
        if (told := texts.told(game, fact)) is not None
    ]
    return {
        "version": logged.version,
        "at_ms": logged.at_ms,
        "seat": texts.whose(logged.seat),
        "actor": texts.actor(logged),
        "question": None if logged.seat == BYSTANDER else question(game, seen, logged.seat),
        "move": None if move is None else {"move": encode(move), "told": texts.told(game, move)},
        "facts": shown,
        "clauses": cited(game, logged, seen, numbers, why),
        "numbers": [
            {"n": f"{logged.version}.{at}", **number(game, each)} for at, found in numbers.items() for each in found
        ],
        "otherwise": otherwise(game, seen, logged.seat),
        "sentence": sentence,
    }


def answered(seen: Seen, seat: int) -> Match:
    """The match whose open question an entry answers: that to which it goes back first, if a seat makes it."""
    backs = [at for at, fact in enumerate(seen.facts) if isinstance(fact, GoesBack)]
    return seen.back(backs[-1]) if backs and seat != BYSTANDER and seen.back is not None else seen.before


def question(game: Game, seen: Seen, seat: int) -> dict[str, Any] | None:
    """What was asked before an entry, and whom: those awaited, and those who might have moved besides.

    None where no game was being played. Where these eyes find nobody to be awaited it was chance: of a pile to shuffle
    they see only backs, which need no shuffling.
    """
    state = playing(seen.before)
    return None if state is None else asked(game, state, seat)


def asked(game: Game, state: Any, otherwise: int) -> dict[str, Any]:
    """The open question of a table, and whom it asks; where nobody is found to be awaited, `otherwise` is."""
    waited = awaited(state) or frozenset({Seat(otherwise)})
    return {
        **texts.question(game, state.agenda[-1]),
        "awaits": [texts.whose(each) for each in sorted(waited, reverse=True)],
        "admits": sorted(int(each) for each in heard(state) - waited if each >= 0),
        "clauses": list(state.cited(state.agenda[-1].clauses)),
    }


def playing(match: Match) -> Any:
    """The state of a game that is being played and has a question open; None if there is none."""
    state = match.state
    return None if state is None or match.status in OVER or not state.agenda else state


def cited(
    game: Game, logged: Logged, seen: Seen, numbers: Mapping[int, Sequence[Number]], why: str
) -> list[dict[str, Any]]:
    """The clauses in the order of their use, with what of the entry each of them was used for: those that the entry
    rests on, then those that only its numbers and the sentence name."""
    state = None if logged.seat == BYSTANDER else playing(seen.before)
    uses: list[tuple[str, tuple[str, ...]]] = [
        ("move", () if seen.move is None else as_read(seen, seen.move.clauses)),
        ("question", () if state is None else state.cited(state.agenda[-1].clauses)),
    ]
    for at, fact in enumerate(seen.facts):
        counted = (each.clause for number in numbers.get(at, ()) for each in (number, *number.parts))
        uses.append((f"{logged.version}.{at}", as_read(seen, (*fact.rests_on(), *counted))))
    uses.append(("sentence", as_read(seen, (why,) if why else ())))
    more = (clause for use, clauses in uses if use not in ("move", "question") for clause in clauses)
    return [
        {**clause, "used_for": [use for use, clauses in uses if clause["id"] in clauses]}
        for clause in texts.cited(game, dict.fromkeys((*logged.clauses, *more)))
    ]


def as_read(seen: Seen, clauses: Iterable[str]) -> tuple[str, ...]:
    """Clauses as they are cited in a match: each by the reading of it that holds there."""
    return holding(clauses, seen.before.held if seen.before.game else {})


def reckoned(game: Game, seen: Seen) -> dict[int, Sequence[Number]]:
    """The numbers of each fact that has some, worked out on the table as it was seen just before the fact."""
    match = seen.before
    found: dict[int, Sequence[Number]] = {}
    for at, fact in enumerate(seen.facts):
        if not isinstance(fact, TableFact):
            numbers = game.reckoned(match.state, fact)
            if numbers:
                found[at] = numbers
        match = seen.back(at) if seen.back is not None and isinstance(fact, GoesBack) else happened(match, fact)
    return found


def number(game: Game, each: Number) -> dict[str, Any]:
    """A number as plain data, with its parts."""
    return {
        "value": each.value,
        "says": summary.in_words(game, each),
        "clause": each.clause,
        "card": each.card or None,
        "parts": [number(game, part) for part in each.parts],
    }


def otherwise(game: Game, seen: Seen, seat: int) -> dict[str, Any] | None:
    """What else the seat might have done: its other legal moves, for itself and for whoever sees all; for others the
    kinds of move that the question takes, as far as they themselves could tell. None where no seat was asked.
    """
    state = playing(seen.before)
    if state is None or seat < 0:
        return None
    found = could(state, Seat(seat), seen.eyes)
    if seen.eyes not in (seat, FULL):
        return {"legal": None, "cut": False, "patterns": [], "kinds": kinds(game, found)}
    most = listed(state)
    cut = len(found) > most or (bool(found) and state.agenda[-1].examples)
    patterns = state.agenda[-1].patterns(state.seen_by(seat), Seat(seat)) if cut else ()
    others = [move for move in found[:most] if move != seen.move]
    return {
        "legal": [{"move": encode(move), "told": texts.told(game, move)} for move in others],
        "cut": cut,
        "patterns": list(patterns),
        "kinds": kinds(game, found),
    }


def kinds(game: Game, moves: Iterable[Move]) -> list[dict[str, Any]]:
    """The kinds of some moves, in words that leave out what distinguishes moves of one kind."""
    return [{"type": kind, "told": in_general(game, kind)} for kind in dict.fromkeys(move.TAG for move in moves)]


def in_general(game: Game, kind: str) -> Text:
    """A kind of move in words: those of a move of the kind, with `…` for whatever it names."""
    book = game.book
    return {lang: book.template(f"move.{kind}", lang).format_map(Blanks()) for lang in LANGUAGES}
