"""Find what in a position cannot be, and infer what follows from the rest of it.

Clauses: KERNEL-CENSUS-1, SM-STATE-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.engine.cardtracking.ranges import OutOfRange, check_range
from referee.engine.rulebook.book import Text
from referee.engine.zones import Cards
from referee.games.shy_monsters.components import (
    BACK,
    CARD_COPIES,
    CARDS_PER_FLOOR,
    ENTRANCE,
    EXIT,
    FLOOR_COUNT,
    MONSTERS,
    MONSTERS_PER_FLOOR,
    REVEALS_PER_FLOOR,
    START_SPOT,
    Spot,
    adjacent_spots,
    is_comfortable,
)
from referee.games.shy_monsters.floors import find_connected_spots
from referee.games.shy_monsters.rules.ending import is_hero_barred, is_known_deadly
from referee.games.shy_monsters.rules.exploring import RevealCards
from referee.games.shy_monsters.rules.turning import CheckHeroBarred, ResolveEntry, TurnUp
from referee.games.shy_monsters.state import DISCOVERED, Dungeon, Tile

Contradiction = dict[str, str]
Tiles = tuple[Tile, ...]
BOX, ASIDE = "box", "undiscovered:"


def find_contradictions(state: Dungeon, question: str, early: bool) -> list[Contradiction]:
    """Find what cannot be, each contradiction as `{pointer, detail, clause}`.

    `early` says that the hero has not moved yet on this floor.
    """
    found = [*_check_cards(state), *_check_games(state, question), *_check_progress(state, question)]
    if state.tiles is not None and question not in ("roles", "shuffle", "monsters", "build"):
        found += _check_floor(state.tiles, question)
        if not found:
            found += [
                *_check_monsters(state, state.tiles),
                *_check_turned_cards(state, state.tiles),
                *_check_hero(state, question),
            ]
            found += _check_turning(state)
    if early and not (state.pawn == START_SPOT and state.attack and state.jump and not state.idle):
        found.append(
            build_contradiction(
                "/hero",
                "before the first move the hero must stand on the entrance with both skills ready",
                "SM-SETUP-2",
            )
        )
    return found


def build_contradiction(pointer: str, detail: str, clause: str) -> Contradiction:
    """Build one contradiction."""
    return {"pointer": pointer, "detail": detail, "clause": clause}


def count_named_cards(state: Dungeon) -> Counter[str]:
    """Count how often each card is named on the floor, in hand and piles, and aside."""
    cards = [card for cards in state.zones.values() for card in cards]
    cards += [tile.card for tile in state.tiles or () if tile.card != ENTRANCE]
    return Counter(card for card in cards if card != BACK)


def list_recounts(state: Dungeon) -> list[dict[str, Any]]:
    """List the cards of which more are named than the box holds, to be counted again."""
    return [
        {"card": card, "copies": CARD_COPIES[card], "counted": count}
        for card, count in sorted(count_named_cards(state).items())
        if count > CARD_COPIES[card]
    ]


def _check_cards(state: Dungeon) -> Iterator[Contradiction]:
    for each in list_recounts(state):
        clause = "SM-AMB-18" if each["card"] in MONSTERS else "SM-MAT-2"
        yield build_contradiction(
            "", f"{each['card']} is named {each['counted']} times, but the box holds {each['copies']}", clause
        )
    laid = [tile for tile in state.tiles or () if tile.card != ENTRANCE]
    for cards in ([tile.card for tile in laid], *(cards for place, cards in state.zones.items() if "hand" in place)):
        if sum(card in MONSTERS for card in cards) > MONSTERS_PER_FLOOR:
            yield build_contradiction("", "a floor has two monsters, but more are named", "SM-BUILD-1")
        if len(cards) == CARDS_PER_FLOOR and sum(card in (BACK, *MONSTERS) for card in cards) < MONSTERS_PER_FLOOR:
            yield build_contradiction("", "a floor has two monsters, but fewer can be among these cards", "SM-BUILD-1")


def _check_games(state: Dungeon, question: str) -> Iterator[Contradiction]:
    """Find results that do not fit the match, its running game or the roles in it."""
    played = len(state.results)
    if played > state.games or (state.agenda and played == state.games):
        yield build_contradiction(
            "/results",
            f"too many results: the match has {state.games} game(s), and only a finished game has a result",
            "SM-END-1",
        )
    elif question == "over" and played < state.games:
        yield build_contradiction("/results", "a match that is over needs a result for each of its games", "SM-END-1")
    elif question == "roles" and played:
        yield build_contradiction(
            "/results", "roles are drawn only before the first game, so no game can be over", "SM-AMB-1"
        )
    elif question != "roles" and state.game != played + (question != "over"):
        yield build_contradiction("/game", f"this number does not fit the results: {played} games are over", "SM-AMB-1")
    else:
        first = [each.winner if each.how != "escaped" else 1 - each.winner for each in state.results]
        masters = {seat ^ (at % 2) for at, seat in enumerate(first)}  # of the first game, as each result implies
        if state.dungeon_master is not None:
            masters.add(state.dungeon_master ^ ((state.game - 1) % 2))
        if len(masters) > 1:
            yield build_contradiction(
                "/results",
                "the results contradict the roles: only the hero wins by escaping, and in no other way",
                "SM-END-1",
            )


def _check_progress(state: Dungeon, question: str) -> Iterator[Contradiction]:
    """Find floors, used monsters and cards held that do not fit each other."""
    if state.floor == 0 and question not in ("roles", "shuffle", "over"):
        yield build_contradiction("/floor", "the floor must be 1, 2 or 3 when this question is asked", "SM-COURSE-1")
    if state.floor is not None and state.game:
        monsters = sum(len(cards) for place, cards in state.zones.items() if place.startswith(("disc", "undisc")))
        if monsters > MONSTERS_PER_FLOOR * max(0, state.floor - 1):
            yield build_contradiction(
                "/discovered", "more monsters are laid aside than the earlier floors had", "SM-AMB-18"
            )
    held = [len(cards) for place, cards in state.zones.items() if place.startswith("hand:")]
    due = {
        "build": CARDS_PER_FLOOR,
        "monsters": CARDS_PER_FLOOR - MONSTERS_PER_FLOOR,
        "shuffle": CARDS_PER_FLOOR - MONSTERS_PER_FLOOR,
        "over": None,
    }.get(question, 0)
    if due is not None and any(count != due for count in held):
        yield build_contradiction(
            "/hand", f"the dungeon master must hold {due} cards when this question is asked", "SM-BUILD-1"
        )
    left = [step.left for step in state.agenda if isinstance(step, RevealCards) and step.left is not None]
    if left and (left[0] < 0 or (question == "reveal" and left[0] == 0)):
        yield build_contradiction(
            "/reveals_left", "all cards due on this floor have already been turned up", "SM-HERO-REVEAL-1"
        )
    elif left and state.floor and state.tiles and all(tile.up is not None for tile in state.tiles):
        up = sum(tile.up is True for tile in state.tiles) - 1 + (question == "turn_up")
        if up + left[0] != REVEALS_PER_FLOOR[state.floor - 1]:
            yield build_contradiction(
                "/reveals_left",
                "this does not fit the number of cards due on this floor and already turned up",
                "SM-HERO-REVEAL-1",
            )


def _check_floor(tiles: Tiles, question: str) -> Iterator[Contradiction]:
    """Find what is wrong with a floor that cannot have been built."""
    if question == "over" and len(tiles) == 1:
        return
    spots = {tile.spot for tile in tiles}
    starts = [tile.spot for tile in tiles if tile.card == ENTRANCE]
    if starts != [START_SPOT] or any(tile.up is not True for tile in tiles if tile.spot == START_SPOT):
        yield build_contradiction("/tiles", "the entrance must lie face up on 0,0, and nowhere else", "SM-BUILD-4")
    if len(tiles) != CARDS_PER_FLOOR + 1 or len(spots) != len(tiles):
        yield build_contradiction(
            "/tiles", "a floor needs the entrance and six cards, each on a place of its own", "SM-BUILD-2"
        )
    elif find_connected_spots(spots) != spots:
        yield build_contradiction("/tiles", "all cards of a floor must be connected by their sides", "SM-BUILD-3")


def _check_monsters(state: Dungeon, tiles: Tiles) -> Iterator[Contradiction]:
    """Find monsters whose state cannot be."""
    dead = [tile for tile in tiles if tile.alive is False]
    if len(dead) > 1 or (dead and state.attack):
        yield build_contradiction(
            "/tiles", "a monster dies only by the attack, which can be used once per floor", "SM-HERO-SKILL-1"
        )
    for tile in tiles:
        if not (tile.up and tile.card in MONSTERS):
            if tile.active is not None or tile.alive is not None:
                yield build_contradiction(
                    "/tiles",
                    f"only a monster that lies face up can be active or alive, but none lies on {tile.x},{tile.y}",
                    "SM-STATE-1",
                )
        elif tile.active is not None and infer_activity(tile, tiles, state.turned) not in (None, tile.active):
            yield build_contradiction(
                "/tiles",
                f"{tile.card} on {tile.x},{tile.y} cannot be {'active' if tile.active else 'inactive'}",
                "SM-AMB-13",
            )


def _check_turned_cards(state: Dungeon, tiles: Tiles) -> Iterator[Contradiction]:
    """Find cards that are up without having been turned up, and similar faults."""
    up = {tile.spot for tile in tiles if tile.up and tile.spot != START_SPOT}
    sure = all(tile.up is not None for tile in tiles)
    if state.turned is not None and (len(set(state.turned)) != len(state.turned) or (sure and set(state.turned) != up)):
        yield build_contradiction(
            "/turned_up", "this must list each card that was turned up exactly once", "SM-STATE-1"
        )
    walking = any(step.TAG == "sm.Walk" for step in state.agenda) and not any(
        isinstance(step, RevealCards) for step in state.agenda
    )
    if walking and sure and state.floor and len(up) < REVEALS_PER_FLOOR[state.floor - 1]:
        yield build_contradiction(
            "/tiles", "too few cards lie face up: more are due before the hero moves", "SM-HERO-REVEAL-1"
        )


def _check_hero(state: Dungeon, question: str) -> Iterator[Contradiction]:
    """Find what is wrong with a hero who cannot stand on this place."""
    if state.pawn is None:
        return
    if state.pawn not in state.board:
        yield build_contradiction("/hero", "no card lies there", "SM-HERO-EXPLORE-1")
        return
    tile = state.board[state.pawn]
    entered = question == "turn_up" and state.agenda[-2:-1] and state.agenda[-2].TAG == "sm.Entered"
    if question == "over" or entered:
        return
    if tile.up is False:
        yield build_contradiction("/hero", "the card that the hero stands on must lie face up", "SM-HERO-EXPLORE-1")
    elif tile.up and tile.card == EXIT:
        yield build_contradiction(
            "/hero", "the hero cannot stand on the exit: reaching it ends the floor", "SM-HERO-EXIT-1"
        )
    elif is_known_deadly(tile):
        yield build_contradiction(
            "/hero", "the hero cannot stand here: the active monster would have killed the hero", "SM-HERO-EXPLORE-2"
        )
    elif question == "explore" and is_hero_barred(state):
        yield build_contradiction(
            "/hero", "the hero has no way left, so the dungeon master has already won the game", "SM-AMB-17"
        )


def _check_turning(state: Dungeon) -> Iterator[Contradiction]:
    """Find what is wrong with a card that cannot be turned up for the reason given.

    For example a skill used for it is still ready, or the hero could not reach it.
    """
    if not (state.agenda and isinstance(state.agenda[-1], TurnUp)):
        return
    turn, why = state.agenda[-1], state.agenda[-2]
    at = (turn.x, turn.y)
    if isinstance(why, CheckHeroBarred):
        if state.jump:
            yield build_contradiction(
                "/jump_ready", "a card was skipped, so the jump must be used up", "SM-HERO-SKILL-1"
            )
        if state.pawn is not None and state.pawn not in adjacent_spots(at):
            yield build_contradiction("/hero", "a jump must land beside the card that was skipped", "SM-HERO-JUMP-1")
    if isinstance(why, ResolveEntry):
        if why.attack and (state.attack or any(tile.alive is False for tile in state.board.values())):
            yield build_contradiction(
                "/turn_up/attack",
                "the announced attack is used up, and no monster of this floor can have died before",
                "SM-HERO-SKILL-1",
            )
        if why.jumped and state.jump:
            yield build_contradiction(
                "/turn_up/over", "a card was skipped, so the jump must be used up", "SM-HERO-SKILL-1"
            )
        if state.pawn not in (None, at):
            yield build_contradiction("/hero", "the hero must stand on the card that was entered", "SM-HERO-EXPLORE-1")
        if why.over is not None and why.over not in adjacent_spots(at):
            yield build_contradiction(
                "/turn_up/over", "a jump must land beside the card that was skipped", "SM-HERO-JUMP-1"
            )
        elif not _could_have_come(state.board, at, why):
            clause = "SM-AMB-10" if why.jumped else "SM-HERO-EXPLORE-1"
            yield build_contradiction(
                "/turn_up/at", "there is no card from which the hero could have moved here", clause
            )


def _could_have_come(board: dict[Spot, Tile], at: Spot, why: ResolveEntry) -> bool:
    """Return whether some card lets the hero have come here by a step or a jump."""

    def starts(beside_what: Spot) -> bool:
        near = [board[spot] for spot in adjacent_spots(beside_what) if spot in board and spot != at]
        return any(tile.up is not False and tile.card != EXIT and not is_known_deadly(tile) for tile in near)

    skipped = [why.over] if why.over is not None else [] if why.jumped is False else adjacent_spots(at)
    return (not why.jumped and starts(at)) or any(starts(over) for over in skipped if over in board)


def infer_activity(tile: Tile, tiles: Tiles, turned: tuple[Spot, ...] | None) -> bool | None:
    """Infer from floor and order of turning up whether a monster that is up is active.

    Return None if that does not follow.
    """
    board = {other.spot: other for other in tiles}
    if not is_comfortable(tile.card, tile.spot, board):
        return False
    near = [board[spot] for spot in adjacent_spots(tile.spot) if spot in board and board[spot].up is not False]
    sure = [other.spot for other in near if other.up and other.card in MONSTERS]
    perhaps = [other.spot for other in near if other.card == BACK or (other.up is None and other.card in MONSTERS)]
    if not sure and not perhaps:
        return True
    if turned is None or tile.spot not in turned:
        return None
    before = turned[: turned.index(tile.spot)]
    if any(spot in before for spot in sure):
        return False
    return None if any(spot in before for spot in perhaps) else True


def infer_monster_state(tile: Tile, tiles: Tiles, turned: tuple[Spot, ...] | None, attack: bool | None) -> Tile:
    """Add to a tile what follows for a monster that is up.

    That is whether the monster is active, and that it is alive if no attack was used.
    """
    if not tile.up or tile.card not in MONSTERS:
        return tile
    active = infer_activity(tile, tiles, turned) if tile.active is None else tile.active
    return replace(tile, active=active, alive=True if tile.alive is None and attack else tile.alive)


def collect_cards_by_place(state: Dungeon) -> dict[str, Cards]:
    """Return every card by its place. Each card of the floor has a place of its own.

    Before the box is unpacked, all cards are in the box.
    """
    if not state.zones:
        return {BOX: tuple(card for card, copies in CARD_COPIES.items() for _ in range(copies))}
    floor = {f"tile:{tile.x},{tile.y}": (tile.card,) for tile in state.tiles or () if tile.card != ENTRANCE}
    return {**state.zones, **floor}


def find_out_of_range(state: Dungeon) -> Iterator[OutOfRange]:
    """Find numbers of floors and of used monsters that cannot be.

    SM-COURSE-1: There are three floors.
    SM-AMB-18: Each floor takes two of the monsters left.
    """
    yield from check_range("census.floor", state.floor, 0, FLOOR_COUNT, "SM-COURSE-1")
    used = sum(len(cards) for place, cards in state.zones.items() if place.startswith((DISCOVERED, ASIDE)))
    earlier = MONSTERS_PER_FLOOR * max(0, (state.floor or 0) - 1)
    # the monsters of a floor just destroyed are aside before the next floor begins
    yield from check_range(
        "census.monsters_aside", used, 0, max(earlier, MONSTERS_PER_FLOOR * (state.floor or 0)), "SM-AMB-18"
    )
    up = [tile.card for tile in state.tiles or () if tile.card in MONSTERS]
    yield from check_range("census.monsters_of_a_floor", len(up), 0, MONSTERS_PER_FLOOR, "SM-BUILD-1")


PLACE_TEXTS: dict[str, Text] = {  # the places' names for players, by the part before the colon
    BOX: {"en": "box", "de": "Schachtel"},
    "pile": {"en": "pile of monsters", "de": "Monsterstapel"},
    "hand": {"en": "hand of the dungeon master", "de": "Hand des Herrn des Verlieses"},
    "undiscovered": {"en": "undiscovered monsters laid aside", "de": "beiseitegelegte unentdeckte Monster"},
    DISCOVERED: {"en": "discovered monsters", "de": "entdeckte Monster"},
    "tile": {"en": "card of the floor at", "de": "Karte des Stockwerks auf"},
}


def describe_place(place: str) -> Text:
    """Return what players call a place. A card of the floor is named by where it lies."""
    sort, _, at = place.partition(":")
    found = PLACE_TEXTS.get(sort, {"en": sort, "de": sort})
    return {lang: f"{name} {at}" for lang, name in found.items()} if sort == "tile" else found
