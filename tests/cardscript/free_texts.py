"""Tables on which a card with a free text is being carried out, in every game with card texts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from referee.cardscript.books.files import parse_book
from referee.cardscript.free_text.asking import WrittenTextPrompt
from referee.cardscript.language.interpreter import Execution
from referee.engine.events import apply_events
from referee.engine.game import Game, Setup
from referee.engine.referee import (
    draw_chance_move,
    find_legal_moves,
    play_move,
    resolve_pending_steps,
    seats_that_must_act,
)
from referee.engine.seats import CHANCE
from referee.games import load_games
from tests.games.matches import random_match

BOOKS = Path(__file__).parent / "books"
CARDS = {  # the free text of each book
    "here_to_slay": ("plain_words", "standard", "old_map", "does"),
    "munchkin": ("village_fair", "standard", "maypole_spider", "bad_stuff"),
    "creature_crush": ("back_room", "skirmish", "house_cat", "action"),
}


def installed(name: str) -> tuple[Any, Any]:
    """The game, and its book of free texts."""
    file = BOOKS / f"{CARDS[name][0]}.yaml"
    book, game = parse_book(file.read_text("utf-8"), file.name), load_games()[name]
    game.install_card_book(book)
    return game, book


def asked_for_report(name: str, *, seat: int = 0, **chance: Any) -> tuple[Any, Any]:
    """A table on which the setup is over and a seat carries out a free text; by default the server deals."""
    game, book = installed(name)
    _, variant, card, text = CARDS[name]
    setup = Setup(
        variant if variant in game.variants else game.variants[0], game.min_seats, {}, chance, (), book.edition
    )
    state, dice = game.build_initial_state(setup), random.Random(4)
    state = apply_events(state, resolve_pending_steps(state))
    while not game.turn_number(state):
        state = apply_events(state, play_move(state, *_first_move(state, dice)))
    state = replace(state, agenda=(*state.agenda, Execution(book.card_id(card), text, seat)))
    state = apply_events(state, resolve_pending_steps(state))
    assert state.agenda[-1] == WrittenTextPrompt(seat, book.card_id(card))
    return game, state


def _first_move(state: Any, dice: random.Random) -> Any:
    waiting = seats_that_must_act(state)
    if CHANCE in waiting:
        found = list(find_legal_moves(state, CHANCE)) if state.rules.cards_at_table or state.rules.dice_at_table else []
        return CHANCE, dice.choice(found) if found else draw_chance_move(state, dice.randrange)
    seat = min(each for each in waiting if each >= 0)
    return seat, next(iter(find_legal_moves(state, seat)))


def views(state: Any) -> Iterator[int]:
    """Everybody who looks at the table, bystanders too."""
    yield from range(-1, state.rules.seats)


def questions_met(name: str) -> Iterator[tuple[Game, Any]]:
    """Tables of random matches, each at the moment when a free text is carried out."""
    game, book = installed(name)
    variant = CARDS[name][1]
    variant = variant if variant in game.variants else game.variants[0]
    for chance in ({}, {"deck": "table", "dice": "table"}):
        setup = Setup(variant, game.min_seats, {}, chance, (), book.edition)
        for seed in range(3):
            for turned in islice(random_match(name, setup, seed), 500):
                if isinstance(turned.before.agenda[-1], WrittenTextPrompt):
                    yield game, turned.before
