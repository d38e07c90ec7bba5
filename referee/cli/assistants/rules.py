"""The tools that look into the rulebooks: a search, and one clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from referee.cli.assistants.answers import (
    Answer,
    UnanswerableError,
    choose_language,
    join_lines,
    render_section,
    require_game,
    say,
)
from referee.engine.game import Game
from referee.engine.rulebook.book import CLAUSE_TEXTS, Clause
from referee.engine.rulebook.messages import blank_placeholders
from referee.games import load_games
from referee.rendering.rulebooks import (
    clause_response,
    collect_clauses,
    find_clause_texts,
    search_cards,
    search_clauses,
)

MAX_CARDS = 3  # cards that a search shows; their clauses are among those found
MAX_CARD_NAMES = 20  # cards under a clause that are named
MAX_SUGGESTIONS = 5


def search_rules(game: str, query: str, limit: int, lang: str) -> Answer:
    """Return the clauses and cards that a question in words is about.

    Raises UnanswerableError if there is no such game.
    """
    chosen = require_game(game, lang)
    found = search_clauses(chosen, query, chosen.cards)[:limit]
    cards = [choose_language(_card_response(card), lang) for card in search_cards(query, chosen.cards)[:MAX_CARDS]]
    clauses = [describe_clause(chosen, clause, lang) for clause in found]
    head = "found" if clauses or cards else "found_nothing"
    lines = [say(head, lang, game=chosen.title[lang], query=query, count=len(clauses))]
    for clause in clauses:
        lines += ["", *render_clause(clause, lang)]
    for card in cards:
        lines += render_section(say("card", lang, name=card["name"], id=card["id"]), _render_card(card, lang))
    return Answer(join_lines(lines), {"game": chosen.name, "clauses": clauses, "cards": cards})


def read_clause(clause: str, lang: str) -> Answer:
    """Return a clause with all that hangs on it.

    Raises UnanswerableError, which names similar ids, if no rulebook has it.
    """
    name = clause.strip().upper()
    found = _find_clause(name)
    if found is None:
        known = dict.fromkeys(each.id for game in load_games().values() for each in collect_clauses(game))
        close = get_close_matches(name, known, MAX_SUGGESTIONS, 0.5)
        raise UnanswerableError(say("no_clause", lang, clause=clause, close=", ".join(close) or "–"))
    game, wanted = found
    texts = find_clause_texts(game, name)
    events = CLAUSE_TEXTS["events"]
    cards = {card["id"]: card["name"][lang] for card in game.cards}
    data = {
        **describe_clause(game, wanted, lang),
        "game": game.name if name in game.rulebook.clauses else None,
        "refusals": [blank_placeholders(text[lang]) for key, text in texts.items() if not key.startswith(events)],
        "events": [blank_placeholders(text[lang]) for key, text in texts.items() if key.startswith(events)],
    }
    lines = [*render_clause(data, lang)]
    lines += render_section(say("refusals", lang), data["refusals"])
    lines += render_section(say("events", lang), data["events"])
    lines += render_section(say("cards_under", lang), _shorten_list([cards.get(each, each) for each in data["cards"]]))
    return Answer(join_lines(lines), data)


def _find_clause(name: str) -> tuple[Game, Clause] | None:
    """Return the clause of this id, with the game whose it is.

    With those that hold in every game it is any game.
    """
    games = load_games().values()
    owners = [game for game in games if name in game.rulebook.clauses]
    listed = ((game, clause) for game in (*owners, *games) for clause in collect_clauses(game))
    return next((found for found in listed if found[1].id == name), None)


def describe_clause(game: Game, clause: Clause, lang: str) -> dict[str, Any]:
    """Return a clause as data in one language.

    What is empty is null, and `other_readings` are those that a table may choose instead.
    """
    found = clause_response(game, clause, game.cards)
    kept = ("id", "chapter", "found", "open", "says", "why", "variant", "players_duty", "other_readings", "cards")
    data = {name: choose_language(found[name], lang) for name in kept}
    return {
        **{name: None if value in ("", {}) else value for name, value in data.items()},
        "usual": is_usual_reading(game, clause),
    }


def is_usual_reading(game: Game, clause: Clause) -> bool | None:
    """Return whether new matches use this reading of what is open.

    None: there is only one. A table may agree on another.
    """
    first = clause.reads or clause.id
    if first not in game.interpretations:
        return None
    return clause.interpretation_number == game.rulesets[game.newest_ruleset].get(first, 1)


def render_clause(clause: dict[str, Any], lang: str) -> Iterator[str]:
    """Yield the lines of a clause as `describe_clause` returns it."""
    place = f" ({clause['found']})" if clause["found"] else ""
    variant = f" [{say('variant', lang, variant=clause['variant'])}]" if clause["variant"] else ""
    yield f"{clause['id']}{variant}{place}"
    if clause["open"]:
        yield f"  {say('open', lang, open=clause['open'])}"
    yield f"  {clause['says']}"
    if clause["usual"] is not None:
        yield f"  {say('usual' if clause['usual'] else 'unusual', lang)}"
    if clause["why"]:
        yield f"  {say('why', lang, why=clause['why'])}"
    if clause["players_duty"]:
        yield f"  {say('players_duty', lang)}"
    for other in clause["other_readings"]:
        if other["says"]:
            yield f"  {say('other_reading', lang, number=other['reading'], says=other['says'])}"


def _card_response(card: Mapping[str, Any]) -> dict[str, Any]:
    return {name: card.get(name) or None for name in ("id", "name", "text")} | {
        "clauses": list(card.get("clauses", ()))
    }


def _render_card(card: dict[str, Any], lang: str) -> Iterator[str]:
    if card["text"]:
        yield from str(card["text"]).splitlines()
    if card["clauses"]:
        yield say("card_clauses", lang, clauses=", ".join(card["clauses"]))


def _shorten_list(names: Sequence[str]) -> Iterator[str]:
    """Yield one line with the names, or none if there are no names."""
    if names:
        yield ", ".join([*names[:MAX_CARD_NAMES], *(["…"] if len(names) > MAX_CARD_NAMES else [])])
