"""Rulings, clauses, questions and entries as data, in English and German."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.parts.narration import BOOKKEEPING_TYPES
from referee.engine.referee import seats_that_must_act
from referee.engine.rulebook.book import LANGUAGES, Clause, Text
from referee.engine.rulings import BrokenRule, Ruling, Undetermined
from referee.engine.seats import BYSTANDER, CHANCE, Seat, seat_label
from referee.engine.steps import State, Step
from referee.match import unilateral
from referee.match.aggregate import MatchEnded, MatchOpened, MatchStarted, TableEvent
from referee.match.entries import LogEntry
from referee.match.events.dispute_events import TableCorrected
from referee.match.rulebook import TABLE_BOOK
from referee.match.table.player_entropy import LinkRevealed
from referee.match.table.rekey import DrawsCounted
from referee.match.table.signed_moves import MoveSigned
from referee.rendering.house_rulings import NO_NOTES, HouseNotes, add_house_notes
from referee.rendering.input_errors import translate_parameters
from referee.rendering.transfers import transfers_response

TABLE_REPLACING_TYPES = (MatchStarted, TableCorrected)  # their `table` is the state of the engine
UNTOLD_TYPES = (LinkRevealed, DrawsCounted, MoveSigned)  # nobody at the table needs to hear of them


def render_text(game: Game, key: str, **params: Any) -> Text:
    """Return a text of the game, the table or the kernel, in every language.

    Raises KeyError.
    """
    return (game.rulebook if game.rulebook.has_text(key) else TABLE_BOOK).render_texts(key, **params)


def find_clause(game: Game | None, name: str) -> Clause:
    """Return the clause of this id: of the game, the card language, table or kernel."""
    if game is not None and name not in TABLE_BOOK.clauses:
        return game.rulebook.find_clause(name)
    return TABLE_BOOK.find_clause(name)


def clauses_response(game: Game, names: Iterable[str], notes: HouseNotes = NO_NOTES) -> list[dict[str, Any]]:
    """Return the clauses as a ruling shows them: id, place in the rulebook, text.

    Those that a house ruling chose name it.
    """
    found = (find_clause(game, name) for name in names)
    return add_house_notes(({"id": each.id, "found": each.found or None, "says": each.says} for each in found), notes)


def unrated_reasons_response(game: Game, found: Iterable[tuple[int, str]]) -> list[dict[str, Any]]:
    """Return why a match counts for no standings.

    `found` holds for each entry that is a cause its number and the key of the reason.
    """
    return [
        {
            "entry": entry,
            "says": render_text(game, key, entry=entry),
            "clauses": ["TABLE-TOURNAMENT-3" if key == unilateral.UNRATED_TOURNAMENT else unilateral.CLAUSE],
        }
        for entry, key in found
    ]


def describe_event(game: Game, thing: Event | Move) -> Text | None:
    """Return one line about an event or a move; None for bookkeeping."""
    if isinstance(thing, MatchOpened):
        title, variant = game.title, thing.variant
        return {
            lang: TABLE_BOOK.render_text("fact.MatchOpened", lang, game=title[lang], variant=variant)
            for lang in LANGUAGES
        }
    if isinstance(thing, UNTOLD_TYPES):
        return None
    if isinstance(thing, MatchStarted):
        return TABLE_BOOK.render_texts("fact.Started")
    if is_of_table(thing):
        kind = "fact" if isinstance(thing, Event) else "move"
        params = {key: value for key, value in encode(thing).items() if key != "type"}
        key = f"{kind}.{thing.TAG.rpartition('.')[2] if kind == 'fact' else thing.TAG}"
        if isinstance(thing, MatchEnded) and not thing.winners:
            is_drawn = len(thing.placement) == 1 and not game.cooperative_variants  # else all of them lost
            key = f"{key}.{'drawn' if is_drawn else 'nobody'}"
        of_chance = f"{key}.chance"  # what is said of a seat, where chance is no player
        by_chance = getattr(thing, "seat", None) == CHANCE and TABLE_BOOK.has_text(of_chance)
        words = TABLE_BOOK.render_texts(of_chance if by_chance else key, **params)
        return {lang: f"{says[:1].upper()}{says[1:]}" for lang, says in words.items()}  # it may begin with a role
    return game.narration.describe_event(thing)


def ruling_response(
    game: Game, given: Ruling, ways: Iterable[Move] = (), notes: HouseNotes = NO_NOTES
) -> dict[str, Any]:
    """Return a ruling as the API shows it, with its reason, clauses and ways out."""
    return {
        "verdict": given.verdict,
        "reason": describe_reason(game, given),
        "needs": [{"key": need.key, "asks": render_text(game, need.key, **need.params)} for need in given.needs],
        "clauses": clauses_response(game, given.clauses, notes),
        "broken": broken_rules_response(game, given),
        "way_out": [{"move": encode(way), "because": describe_way_out(game, way)} for way in ways],
    }


def describe_move(game: Game, state: State | None, move: Move) -> Text | None:
    """Return one line about a move that may be made in a state; None for bookkeeping.

    Without a state the line is about the move alone.
    """
    if state is None or not state.agenda or is_of_table(move):
        return describe_event(game, move)
    return game.narration.describe_move(state, move)


def legal_moves_response(
    game: Game, moves: Iterable[Move], state: State | None = None, seat: int = BYSTANDER
) -> list[dict[str, Any]]:
    """Return legal moves with their words, which fit the question of the state.

    Those by which a player gives up come last. Moves that would read alike are told apart. `seat` is who would make
    them.
    """
    told = [(move, describe_move(game, state, move)) for move in sorted(moves, key=gives_up)]
    often = Counter(words["en"] for _, words in told if words)
    passing = state.agenda[-1].passing_move(Seat(seat)) if state is not None and state.agenda else None
    return [
        {
            "move": encode(move),
            "told": game.narration.tell_apart(move) if words and often[words["en"]] > 1 else words,
            "cards": list(game.narration.list_move_cards(move)),
            "seats": list(game.narration.list_move_seats(move)),
            "flag": find_move_flag(game, move, passing),
        }
        for move, words in told
    ]


def find_move_flag(game: Game, move: Move, passing: Move | None) -> str | None:
    """Return what a legal move ends, or None if nothing.

    `gives_up`: the match for this player. `ends_turn`: the turn. `passes`: the question for this seat.
    """
    if gives_up(move):
        return "gives_up"
    if isinstance(move, game.narration.turn_ending_moves):
        return "ends_turn"
    return "passes" if move == passing else None


def move_groups_response(
    game: Game, listed: Iterable[Move], pickers: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the headings over listed moves and over pickers, each kind once."""
    by_tag = {kind.TAG: kind for kind in game.move_types}
    picked = (by_tag[each["type"]] for each in pickers)
    kinds: list[type[Move]] = [*map(type, listed), *picked]
    return [{"type": kind.TAG, "says": game.narration.describe_move_kind(kind)} for kind in dict.fromkeys(kinds)]


def tell_made_move(game: Game, move: Move, seat: int) -> Text | None:
    """Return the sentence that is read aloud about a player's move.

    None if the game has no words to read aloud for it: then its line as a legal move tells it.
    """
    spoken = game.narration.render_spoken_text(move, who=seat) if seat >= 0 and not is_of_table(move) else None
    if spoken is None or spoken.is_sentence:
        return None
    return {lang: f"{says[:1].upper()}{says[1:]}." for lang, says in spoken.says.items()}


def is_of_table(thing: Event | Move) -> bool:
    """Tell whether an event or a move belongs to the table, not to the game."""
    return isinstance(thing, TableEvent) or thing.TAG.startswith("table.")


def gives_up(move: Move) -> bool:
    """Return whether a player leaves or loses the match by a move."""
    return move.is_concession


def broken_rules_response(game: Game, given: Ruling) -> list[dict[str, Any]]:
    """Return every rule that a refused move breaks, the most telling first.

    Empty if the move is not refused.
    """
    return [{"reason": describe_reason(game, each), "clauses": list(each.clauses)} for each in given.broken_rules]


def describe_reason(game: Game, given: Ruling | BrokenRule) -> Text:
    """Return the reason of a ruling in every language.

    Rulings of the table use the table's texts.
    """
    if any(name.startswith("TABLE-") for name in given.clauses):
        return TABLE_BOOK.render_texts(given.reason, **given.params)
    return render_text(game, given.reason, **translate_parameters(game.rulebook, given.params))


def describe_way_out(game: Game, way: Move) -> Text:
    """Return why a way out is one, with the move in words."""
    words = describe_event(game, way) or {}
    return {lang: TABLE_BOOK.render_text("way_out", lang, move=words.get(lang, way.TAG)) for lang in LANGUAGES}


def question_response(game: Game, state: State) -> dict[str, Any]:
    """Return the open question of a state: its name and its text.

    The text has what is needed to answer, as far as everybody knows it.
    """
    try:
        variant, params = game.narration.describe_question(state)
    except Undetermined:  # a position may not say so much
        variant, params = "", {}
    return step_question_response(game, state.agenda[-1], variant, **params)


def step_question_response(game: Game, step: Step, variant: str = "", **more: Any) -> dict[str, Any]:
    """Return the question of a step: its name and its text.

    `variant` says which of its texts; `more` are values besides the fields of the step.
    """
    name = step.question_name()
    key = f"question.{name.rpartition('.')[2]}"
    fields = {part: value for part, value in encode(step).items() if part != "type"}
    return {"name": name, "asks": render_text(game, f"{key}.{variant}" if variant else key, **{**fields, **more})}


def next_question_response(game: Game, state: State | None) -> dict[str, Any] | None:
    """Return whom the table waits for in a state, and for what.

    None if the state is not known. `question` is null if nothing is open any more. If nobody is found to be awaited, it
    is chance: of a pile to shuffle a viewer sees only backs, which need no shuffle.
    """
    if state is None:
        return None
    if not state.agenda:
        return {"question": None, "awaits": []}
    waits = seats_that_must_act(state) or frozenset({CHANCE})
    return {
        "question": question_response(game, state),
        "awaits": [actor_label(each) for each in sorted(waits, reverse=True)],
    }


def actor_response(logged: LogEntry) -> dict[str, Any]:
    """Return how an entry came about, and who reported it or said it for the seat.

    The latter is a seat's number or `host`.
    """
    kind, _, by = logged.actor.partition(":")
    return {"kind": kind, "seat": int(by) if by.isdecimal() else by} if by else {"kind": kind}


def entry_response(
    game: Game, logged: LogEntry, viewer: int, steps: bool = True, states: Sequence[Any] | None = None
) -> dict[str, Any]:
    """Return an entry as a viewer sees it, each event with its readable line.

    For a bot's seat it holds what the bot's move rests on. `steps`: events that only record what is
    pending are listed, too, and the engine's state with which the match started. `states` as in `transfers_response`.
    """
    move, events = logged.view_for(viewer)
    told = move and (tell_made_move(game, move, logged.seat) or describe_event(game, move))
    return {
        "version": logged.version,
        "at_ms": logged.at_ms,
        "seat": actor_label(logged.seat),
        "actor": actor_response(logged),
        "move": None if move is None else {**encode(move), "told": told},
        "events": [
            {"n": f"{logged.version}.{at}", **encode_shown(event, steps), "told": describe_event(game, event)}
            for at, event in enumerate(events)
            if steps or not isinstance(event, BOOKKEEPING_TYPES)
        ],
        "transfers": transfers_response(game, events, logged.version, states),
        "clauses": list(logged.clauses),
        **logged.decision_for(viewer).to_dict(),
    }


def encode_shown(event: Event, whole: bool) -> dict[str, Any]:
    """Return an event as data, unless it is `whole` without the engine's state."""
    fields: dict[str, Any] = encode(event)
    if not whole and isinstance(event, TABLE_REPLACING_TYPES):
        del fields["table"]
    return fields


def actor_label(seat: int) -> int | str:
    """Return a seat's number, `chance`, `clock`, or `table`.

    It says who made an entry, or who is awaited.
    """
    return "table" if seat == BYSTANDER else int(seat) if seat >= 0 else seat_label(seat)
