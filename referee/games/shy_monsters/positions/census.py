"""Find what in a position cannot be.

Clauses: KERNEL-CENSUS-1, SM-STATE-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.engine.positions.contradictions import Contradiction, find_first_wrong, find_wrong
from referee.engine.positions.rows import Position
from referee.games.shy_monsters import components as box
from referee.games.shy_monsters.components import BACK, ENTRANCE, EXIT, MONSTERS, START_SPOT, Spot, adjacent_spots
from referee.games.shy_monsters.floors import find_connected_spots
from referee.games.shy_monsters.positions import inference
from referee.games.shy_monsters.positions.inference import BUILDING, Tiles
from referee.games.shy_monsters.rules.ending import is_hero_barred, is_known_deadly
from referee.games.shy_monsters.rules.exploring import RevealCards, Walk
from referee.games.shy_monsters.rules.turning import CheckHeroBarred, ResolveEntry, TurnUp
from referee.games.shy_monsters.state import Dungeon, Tile


def find_contradictions(state: Dungeon, p: Position) -> list[Contradiction]:
    """Find what cannot be, each contradiction as `{pointer, detail, clause}`.

    A floor is looked at card by card only if it can have been built.
    """
    question: str = p["question"]
    found = [*_check_cards(state), *_check_games(state, p), *_check_progress(state, p)]
    if state.tiles is not None and question not in ("roles", *BUILDING):
        found += _check_floor(state.tiles, question)
        if not found:
            found += [*_check_monsters(state, state.tiles), *_check_turned_cards(state, state.tiles)]
            found += [*_check_hero(state, question), *_check_turning(state)]
    if question in ("roles", *BUILDING):
        laid = "no card lies on the floor yet, so none is turned up"
        found += find_wrong((bool(p.written.get("turned_up")), "/turned_up", "SM-STATE-1", laid))
    moved = (state.pawn, state.attack, state.jump, state.idle) != (START_SPOT, True, True, 0)
    start = "before the first move the hero must stand on the entrance with both skills ready"
    return [*found, *find_wrong((inference.is_before_first_move(p) and moved, "/hero", "SM-SETUP-2", start))]


def list_recounts(state: Dungeon) -> list[dict[str, Any]]:
    """List the cards of which more are named than the box holds, to be counted again."""
    cards = [card for cards in state.zones.values() for card in cards]
    cards += [tile.card for tile in state.tiles or () if tile.card != ENTRANCE]
    return [
        {"card": card, "copies": box.CARD_COPIES[card], "counted": count}
        for card, count in sorted(Counter(card for card in cards if card != BACK).items())
        if count > box.CARD_COPIES[card]
    ]


def _check_cards(state: Dungeon) -> Iterator[Contradiction]:
    for each in list_recounts(state):
        clause = "SM-AMB-18" if each["card"] in MONSTERS else "SM-MAT-2"
        detail = f"{each['card']} is named {each['counted']} times, but the box holds {each['copies']}"
        yield from find_wrong((True, "", clause, detail))
    laid = [tile.card for tile in state.tiles or () if tile.card != ENTRANCE]
    for cards in (laid, *(cards for place, cards in state.zones.items() if "hand" in place)):
        many = sum(card in MONSTERS for card in cards) > box.MONSTERS_PER_FLOOR
        few = sum(card in (BACK, *MONSTERS) for card in cards) < box.MONSTERS_PER_FLOOR
        few = few and len(cards) == box.CARDS_PER_FLOOR
        yield from find_wrong(
            (many, "", "SM-BUILD-1", "a floor has two monsters, but more are named"),
            (few, "", "SM-BUILD-1", "a floor has two monsters, but fewer can be among these cards"),
        )


def _check_games(state: Dungeon, p: Position) -> Iterator[Contradiction]:
    """Find results that do not fit the match, its running game or the roles in it."""
    played, question = len(state.results), p["question"]
    many = f"too many results: the match has {state.games} game(s), and only a finished game has a result"
    few = "a match that is over needs a result for each of its games"
    early = "roles are drawn only before the first game, so no game can be over"
    number = f"this number does not fit the results: {played} games are over"
    masters = {  # of the first game, as each result implies
        (each.winner if each.how != "escaped" else 1 - each.winner) ^ (at % 2) for at, each in enumerate(state.results)
    }
    if state.dungeon_master is not None:
        masters.add(state.dungeon_master ^ ((state.game - 1) % 2))
    roles = "the results contradict the roles: only the hero wins by escaping, and in no other way"
    yield from find_first_wrong(
        (played > state.games or (state.agenda and played == state.games), "/results", "SM-END-1", many),
        (question == "over" and played < state.games, "/results", "SM-END-1", few),
        (question == "roles" and played, "/results", "SM-AMB-1", early),
        (question != "roles" and state.game != inference.infer_game(p), "/game", "SM-AMB-1", number),
        (len(masters) > 1, "/results", "SM-END-1", roles),
    )


def _check_progress(state: Dungeon, p: Position) -> Iterator[Contradiction]:
    """Find floors, used monsters and cards held that do not fit each other."""
    question = p["question"]
    aside = sum(len(cards) for place, cards in state.zones.items() if place.startswith(("disc", "undisc")))
    many = state.floor is not None and state.game and aside > box.MONSTERS_PER_FLOOR * max(0, state.floor - 1)
    due, hand = inference.infer_hand(p), p["hand"] if state.dungeon_master is not None else None
    other = due is not None and hand is not None and len(hand) != len(due)
    held = f"the dungeon master must hold {len(due or ())} cards when this question is asked"
    floorless = state.floor == 0 and question not in ("roles", "shuffle", "over")
    yield from find_wrong(
        (floorless, "/floor", "SM-COURSE-1", "the floor must be 1, 2 or 3 when this question is asked"),
        (many, "/discovered", "SM-AMB-18", "more monsters are laid aside than the earlier floors had"),
        (other, "/hand", "SM-BUILD-1", held),
    )
    left = next((step.left for step in state.agenda if isinstance(step, RevealCards)), None)
    if left is None:
        return
    due_reveals = inference.infer_reveals_left(p) if state.tiles else None
    misfit = due_reveals is not None and left != due_reveals
    done = left < 0 or (question == "reveal" and left == 0)
    fault = "this does not fit the number of cards due on this floor and already turned up"
    yield from find_first_wrong(
        (done, "/reveals_left", "SM-HERO-REVEAL-1", "all cards due on this floor have already been turned up"),
        (misfit, "/reveals_left", "SM-HERO-REVEAL-1", fault),
    )


def _check_floor(tiles: Tiles, question: str) -> Iterator[Contradiction]:
    """Find what is wrong with a floor that cannot have been built."""
    if question == "over" and len(tiles) == 1:
        return
    spots = {tile.spot for tile in tiles}
    starts = [tile.spot for tile in tiles if tile.card == ENTRANCE]
    wrong = starts != [START_SPOT] or any(tile.up is not True for tile in tiles if tile.spot == START_SPOT)
    count = len(tiles) != box.CARDS_PER_FLOOR + 1 or len(spots) != len(tiles)
    apart = not count and find_connected_spots(spots) != spots
    yield from find_wrong(
        (wrong, "/tiles", "SM-BUILD-4", "the entrance must lie face up on 0,0, and nowhere else"),
        (count, "/tiles", "SM-BUILD-2", "a floor needs the entrance and six cards, each on a place of its own"),
        (apart, "/tiles", "SM-BUILD-3", "all cards of a floor must be connected by their sides"),
    )


def _check_monsters(state: Dungeon, tiles: Tiles) -> Iterator[Contradiction]:
    """Find monsters whose state cannot be."""
    dead = [tile for tile in tiles if tile.alive is False]
    killed = "a monster dies only by the attack, which can be used once per floor"
    yield from find_wrong((len(dead) > 1 or (dead and state.attack), "/tiles", "SM-HERO-SKILL-1", killed))
    for tile in tiles:
        at, marked = f"{tile.x},{tile.y}", tile.active is not None or tile.alive is not None
        is_monster = tile.up and tile.card in MONSTERS
        known = inference.infer_activity(tile, tiles, state.turned) if is_monster and tile.active is not None else None
        only = f"only a monster that lies face up can be active or alive, but none lies on {at}"
        cannot = f"{tile.card} on {at} cannot be {'active' if tile.active else 'inactive'}"
        yield from find_wrong(
            (marked and not is_monster, "/tiles", "SM-STATE-1", only),
            (known not in (None, tile.active), "/tiles", "SM-AMB-13", cannot),
        )


def _check_turned_cards(state: Dungeon, tiles: Tiles) -> Iterator[Contradiction]:
    """Find cards that are up without having been turned up, and similar faults."""
    up, turned = {tile.spot for tile in tiles if tile.up and tile.spot != START_SPOT}, state.turned
    sure = all(tile.up is not None for tile in tiles)
    twice = turned is not None and (len(set(turned)) != len(turned) or (sure and set(turned) != up))
    steps = {type(step) for step in state.agenda}
    walking = Walk in steps and RevealCards not in steps
    few = walking and sure and state.floor and len(up) < box.REVEALS_PER_FLOOR[state.floor - 1]
    yield from find_wrong(
        (twice, "/turned_up", "SM-STATE-1", "this must list each card that was turned up exactly once"),
        (few, "/tiles", "SM-HERO-REVEAL-1", "too few cards lie face up: more are due before the hero moves"),
    )


def _check_hero(state: Dungeon, question: str) -> Iterator[Contradiction]:
    """Find what is wrong with a hero who cannot stand on this place."""
    if state.pawn is None:
        return
    tile = state.board.get(state.pawn)
    if tile is None:
        yield from find_wrong((True, "/hero", "SM-HERO-EXPLORE-1", "no card lies there"))
    elif question != "over" and not any(isinstance(step, ResolveEntry) for step in state.agenda):
        exits, deadly = tile.up and tile.card == EXIT, is_known_deadly(tile)
        barred = tile.up is not False and not exits and not deadly and question == "explore" and is_hero_barred(state)
        kills = "the hero cannot stand here: the active monster would have killed the hero"
        won = "the hero has no way left, so the dungeon master has already won the game"
        yield from find_first_wrong(
            (tile.up is False, "/hero", "SM-HERO-EXPLORE-1", "the card that the hero stands on must lie face up"),
            (exits, "/hero", "SM-HERO-EXIT-1", "the hero cannot stand on the exit: reaching it ends the floor"),
            (deadly, "/hero", "SM-HERO-EXPLORE-2", kills),
            (barred, "/hero", "SM-AMB-17", won),
        )


def _check_turning(state: Dungeon) -> Iterator[Contradiction]:
    """Find what is wrong with a card that cannot be turned up for the reason given.

    For example a skill used for it is still ready, or the hero could not reach it.
    """
    if not (state.agenda and isinstance(state.agenda[-1], TurnUp)):
        return
    turn, why = state.agenda[-1], state.agenda[-2]
    at, pawn = (turn.x, turn.y), state.pawn
    ready = "a card was skipped, so the jump must be used up"
    beside = "a jump must land beside the card that was skipped"
    if isinstance(why, CheckHeroBarred):
        far = pawn is not None and pawn not in adjacent_spots(at)
        yield from find_wrong(
            (state.jump, "/jump_ready", "SM-HERO-SKILL-1", ready), (far, "/hero", "SM-HERO-JUMP-1", beside)
        )
    if isinstance(why, ResolveEntry):
        used = why.attack and (state.attack or any(tile.alive is False for tile in state.board.values()))
        struck = "the announced attack is used up, and no monster of this floor can have died before"
        away, far = pawn not in (None, at), why.over is not None and why.over not in adjacent_spots(at)
        lost, clause = not _could_have_come(state.board, at, why), "SM-AMB-10" if why.jumped else "SM-HERO-EXPLORE-1"
        yield from find_wrong(
            (used, "/turn_up/attack", "SM-HERO-SKILL-1", struck),
            (why.jumped and state.jump, "/turn_up/over", "SM-HERO-SKILL-1", ready),
            (away, "/hero", "SM-HERO-EXPLORE-1", "the hero must stand on the card that was entered"),
            (far, "/turn_up/over", "SM-HERO-JUMP-1", beside),
            (lost and not far, "/turn_up/at", clause, "there is no card from which the hero could have moved here"),
        )


def _could_have_come(board: dict[Spot, Tile], at: Spot, why: ResolveEntry) -> bool:
    """Return whether some card lets the hero have come here by a step or a jump."""

    def starts(beside_what: Spot) -> bool:
        near = [board[spot] for spot in adjacent_spots(beside_what) if spot in board and spot != at]
        return any(tile.up is not False and tile.card != EXIT and not is_known_deadly(tile) for tile in near)

    skipped = [why.over] if why.over is not None else [] if why.jumped is False else adjacent_spots(at)
    return (not why.jumped and starts(at)) or any(starts(over) for over in skipped if over in board)
