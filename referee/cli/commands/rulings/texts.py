"""`referee rules texts`: all that players of a game read, with examples.

Examples come from matches that are played at random for this, so that they are what players really read. Texts that no
such match needs are filled with sample values.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import click
from rich.markup import escape

from referee.cli.output import make_console, print_json
from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Game, Setup
from referee.engine.parts.narration import text_key
from referee.engine.referee import (
    draw_chance_move,
    find_near_misses,
    play_move,
    resolve_pending_steps,
    sample_legal_move,
    seats_that_must_act,
)
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import find_placeholders
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from referee.rendering import texts

MATCHES = 4  # for each variant and each source of chance
MAX_MOVES = 250  # of each match
NEAR_MISSES = 3  # for each question
SAMPLE_NUMBER = 2


def print_texts(name: str, *, lang: str, as_json: bool) -> None:
    """Print every text of a game. Raises UsageError if there is no such game."""
    game = load_games().get(name)
    if game is None:
        raise click.UsageError(f"no game {name}; one of {', '.join(load_games())}")
    found = list(list_texts(game))
    if as_json:
        print_json({"game": name, "texts": found})
        return
    out = make_console()
    chapter = ""
    for each in found:
        if each["chapter"] != chapter:
            chapter = each["chapter"]
            out.print(f"\n[bold]{escape(chapter)}[/bold]")
        played = "" if each["played"] else " [dim](sample)[/dim]" if each["placeholders"] else ""
        out.print(f"[dim]{escape(each['key'])}[/dim]  {escape(each['example'][lang])}{played}")


def list_texts(game: Game) -> Iterator[dict[str, Any]]:
    """Yield every text of a game.

    Each has its key, where it stands, its template and an example. `played`: the example comes from a match.
    """
    book = game.rulebook
    played = collect_played_texts(game)
    for clause in book.clauses.values():
        for part in ("open", "says", "why"):
            says: Text = getattr(clause, part)
            if says:
                yield _describe_text(clause.id, f"{clause.id} {part}", says, says, played=False)
        for key in (key for key, home in book.clause_by_text.items() if home == clause.id):
            yield _describe_text(
                clause.id, key, book.reasons[key], played.get(key) or _fill_with_samples(game, key), key in played
            )
    for key, template in book.reasons.items():
        if key not in book.clause_by_text:
            example = played.get(key) or _fill_with_samples(game, key)
            yield _describe_text("messages", key, template, example, key in played)
    for key, spoken in book.spoken_texts.items():
        samples = _sample_values(game, spoken.says)
        yield _describe_text(
            "read aloud", key, spoken.says, book.fill_spoken_text(spoken, **samples).says, played=False
        )
    for key, names in book.names.items():
        yield _describe_text("names of cards and places", key, names, names, played=False)


def _describe_text(chapter: str, key: str, template: Text, example: Text, played: bool) -> dict[str, Any]:
    names = list(find_placeholders(template["en"])) if template is not example else []
    return {
        "chapter": chapter, "key": key, "template": template, "example": example, "placeholders": names,
        "played": played,
    }  # fmt: skip


def _fill_with_samples(game: Game, key: str) -> Text:
    return game.rulebook.render_texts(key, **_sample_values(game, game.rulebook.reasons[key]))


def _sample_values(game: Game, template: Text) -> dict[str, Any]:
    """Return a value for each placeholder.

    It is a card for one that names cards, else a number.
    """
    names = {name for lang in LANGUAGES for name in find_placeholders(template[lang])}
    names_of_cards = (name for name in game.rulebook.names if name in game.rulebook.quoted_names)
    card = next(names_of_cards, next(iter(game.rulebook.names), ""))
    return {name: card if name in ("card", "cards", "from", "put", "hero", "item", "monster", "creature", "source")
            else SAMPLE_NUMBER for name in names}  # fmt: skip


def collect_played_texts(game: Game) -> dict[str, Text]:
    """Return a text for each key that random matches of a game need."""
    found: dict[str, Text] = {}
    for variant in game.variants:
        for source in ("server", "table"):
            chance = dict.fromkeys(game.devices, source)
            for seed in range(MATCHES):
                seats = game.min_seats + seed % (game.max_seats - game.min_seats + 1)
                setup = game.complete_setup(Setup(variant, seats, chance=chance))
                for key, text in _tell_match(game, setup, random.Random(f"{variant} {source} {seed}")):  # noqa: S311  # examples
                    found.setdefault(key, text)
    return found


def _tell_match(game: Game, setup: Setup, dice: random.Random) -> Iterator[tuple[str, Text]]:
    """Play a match at random, and yield what its players would read, with the keys."""
    state = game.build_initial_state(setup)
    state = apply_events(state, resolve_pending_steps(state))
    for _ in range(MAX_MOVES):
        waiting = sorted(seats_that_must_act(state))
        if not waiting:
            return
        yield from _tell_question(game, state)
        seat = waiting[dice.randrange(len(waiting))]
        move = draw_chance_move(state, dice.randrange) if seat == CHANCE else None
        if seat >= 0:
            for _, refused in islice(find_near_misses(state, seat), NEAR_MISSES):
                for rule in refused.broken_rules:
                    yield rule.reason, texts.describe_reason(game, rule)
            move = sample_legal_move(state, seat, dice.randrange)
        if move is None:
            return
        events = play_move(state, Seat(seat), move)
        yield from _tell_thing(game, move)
        for event in events:
            yield from _tell_thing(game, event)
        state = apply_events(state, events)


def _tell_question(game: Game, state: Any) -> Iterator[tuple[str, Text]]:
    key = f"question.{state.agenda[-1].question_name().rpartition('.')[2]}"
    variant, _ = game.narration.describe_question(state)
    yield f"{key}.{variant}" if variant else key, texts.question_response(game, state)["asks"]


def _tell_thing(game: Game, thing: Event | Move) -> Iterator[tuple[str, Text]]:
    words = texts.describe_event(game, thing)
    if words is not None:
        variant = game.narration.text_variant(thing)
        special = f"{text_key(thing)}.{variant}"
        yield special if game.rulebook.has_text(special) else text_key(thing), words
