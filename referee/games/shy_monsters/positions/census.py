"""What in a position cannot be, and what follows from the rest of it (KERNEL-CENSUS-1, SM-STATE-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.engine.cardtracking.ranges import Miscount, ranged
from referee.engine.rulebook.book import Text
from referee.engine.zones import Cards
from referee.games.shy_monsters.components import (
    BACK,
    COPIES,
    ENTRANCE,
    EXIT,
    FLOORS,
    LAID,
    MONSTERS,
    PER_FLOOR,
    REVEALS,
    START,
    Spot,
    beside,
    comfortable,
)
from referee.games.shy_monsters.floors import reached
from referee.games.shy_monsters.rules.ending import barred, deadly
from referee.games.shy_monsters.rules.exploring import RevealCards
from referee.games.shy_monsters.rules.turning import Entered, Onward, TurnUp
from referee.games.shy_monsters.state import DISCOVERED, Dungeon, Tile

Finding = dict[str, str]
Tiles = tuple[Tile, ...]
BOX, ASIDE = "box", "undiscovered:"


def contradictions(state: Dungeon, question: str, early: bool) -> list[Finding]:
    """What cannot be, each as `{pointer, detail, clause}`; `early`: the hero has not moved yet on this floor."""
    found = [*_cards(state), *_games(state, question), *_progress(state, question)]
    if state.tiles is not None and question not in ("roles", "shuffle", "monsters", "build"):
        found += _floor(state.tiles, question)
        if not found:
            found += [*_monsters(state, state.tiles), *_turned(state, state.tiles), *_hero(state, question)]
            found += _turning(state)
    if early and not (state.pawn == START and state.attack and state.jump and not state.idle):
        found.append(finding("/hero", "before moving the hero is on the entrance, both skills ready", "SM-SETUP-2"))
    return found


def finding(pointer: str, detail: str, clause: str) -> Finding:
    """One thing that cannot be."""
    return {"pointer": pointer, "detail": detail, "clause": clause}


def named_cards(state: Dungeon) -> Counter[str]:
    """How often each card lies named somewhere: on the floor, in the hand, in the pile, laid aside."""
    cards = [card for cards in state.zones.values() for card in cards]
    cards += [tile.card for tile in state.tiles or () if tile.card != ENTRANCE]
    return Counter(card for card in cards if card != BACK)


def recounts(state: Dungeon) -> list[dict[str, Any]]:
    """The cards to count again: more of them are named than the box holds."""
    return [
        {"card": card, "copies": COPIES[card], "counted": count}
        for card, count in sorted(named_cards(state).items())
        if count > COPIES[card]
    ]


def _cards(state: Dungeon) -> Iterator[Finding]:
    for each in recounts(state):
        clause = "SM-AMB-18" if each["card"] in MONSTERS else "SM-MAT-2"
        yield finding("", f"{each['counted']} times {each['card']}; the box holds {each['copies']}", clause)
    laid = [tile for tile in state.tiles or () if tile.card != ENTRANCE]
    for cards in ([tile.card for tile in laid], *(cards for place, cards in state.zones.items() if "hand" in place)):
        if sum(card in MONSTERS for card in cards) > PER_FLOOR:
            yield finding("", "more than two monsters of one floor", "SM-BUILD-1")
        if len(cards) == LAID and sum(card in (BACK, *MONSTERS) for card in cards) < PER_FLOOR:
            yield finding("", "fewer than two monsters of one floor", "SM-BUILD-1")


def _games(state: Dungeon, question: str) -> Iterator[Finding]:
    """Results that do not go with the course of the match, its running game or the roles in it."""
    played = len(state.results)
    if played > state.games or (state.agenda and played == state.games):
        yield finding("/results", "all games of the match are over", "SM-END-1")
    elif question == "over" and played < state.games:
        yield finding("/results", "a match that is over has a result of each of its games", "SM-END-1")
    elif question == "roles" and played:
        yield finding("/results", "roles are drawn before the first game only", "SM-AMB-1")
    elif question != "roles" and state.game != played + (question != "over"):
        yield finding("/game", f"{played} games are over", "SM-AMB-1")
    else:
        first = [each.winner if each.how != "escaped" else 1 - each.winner for each in state.results]
        masters = {seat ^ (at % 2) for at, seat in enumerate(first)}  # of the first game, as each game tells it
        if state.dungeon_master is not None:
            masters.add(state.dungeon_master ^ ((state.game - 1) % 2))
        if len(masters) > 1:
            yield finding("/results", "the hero alone escapes; every other end is the dungeon master's", "SM-END-1")


def _progress(state: Dungeon, question: str) -> Iterator[Finding]:
    """Floors, monsters used and cards held that do not go together."""
    if state.floor == 0 and question not in ("roles", "shuffle", "over"):
        yield finding("/floor", "the floors are 1, 2 and 3", "SM-COURSE-1")
    if state.floor is not None and state.game:
        monsters = sum(len(cards) for place, cards in state.zones.items() if place.startswith(("disc", "undisc")))
        if monsters > PER_FLOOR * max(0, state.floor - 1):
            yield finding("/discovered", "more monsters laid aside than earlier floors had", "SM-AMB-18")
    held = [len(cards) for place, cards in state.zones.items() if place.startswith("hand:")]
    due = {"build": LAID, "monsters": LAID - PER_FLOOR, "shuffle": LAID - PER_FLOOR, "over": None}.get(question, 0)
    if due is not None and any(count != due for count in held):
        yield finding("/hand", f"the dungeon master holds {due} cards now", "SM-BUILD-1")
    left = [step.left for step in state.agenda if isinstance(step, RevealCards) and step.left is not None]
    if left and (left[0] < 0 or (question == "reveal" and left[0] == 0)):
        yield finding("/reveals_left", "the cards due on this floor are up already", "SM-HERO-REVEAL-1")
    elif left and state.floor and state.tiles and all(tile.up is not None for tile in state.tiles):
        up = sum(tile.up is True for tile in state.tiles) - 1 + (question == "turn_up")
        if up + left[0] != REVEALS[state.floor - 1]:
            yield finding("/reveals_left", "not what is due on this floor", "SM-HERO-REVEAL-1")


def _floor(tiles: Tiles, question: str) -> Iterator[Finding]:
    """A floor that cannot have been built."""
    if question == "over" and len(tiles) == 1:
        return
    spots = {tile.spot for tile in tiles}
    starts = [tile.spot for tile in tiles if tile.card == ENTRANCE]
    if starts != [START] or any(tile.up is not True for tile in tiles if tile.spot == START):
        yield finding("/tiles", "the entrance, and nothing else, lies up on 0,0", "SM-BUILD-4")
    if len(tiles) != LAID + 1 or len(spots) != len(tiles):
        yield finding("/tiles", "a floor is the entrance and six cards, each on a place of its own", "SM-BUILD-2")
    elif reached(spots) != spots:
        yield finding("/tiles", "the cards are not connected by sides", "SM-BUILD-3")


def _monsters(state: Dungeon, tiles: Tiles) -> Iterator[Finding]:
    """Monsters whose state cannot be."""
    dead = [tile for tile in tiles if tile.alive is False]
    if len(dead) > 1 or (dead and state.attack):
        yield finding("/tiles", "a monster dies by the attack, which is used once a floor", "SM-HERO-SKILL-1")
    for tile in tiles:
        if not (tile.up and tile.card in MONSTERS):
            if tile.active is not None or tile.alive is not None:
                yield finding("/tiles", f"{tile.x},{tile.y} is no monster that is up", "SM-STATE-1")
        elif tile.active is not None and activity(tile, tiles, state.turned) not in (None, tile.active):
            yield finding("/tiles", f"{tile.card} on {tile.x},{tile.y} cannot be that", "SM-AMB-13")


def _turned(state: Dungeon, tiles: Tiles) -> Iterator[Finding]:
    """Cards that are up and were not turned up, and the like."""
    up = {tile.spot for tile in tiles if tile.up and tile.spot != START}
    sure = all(tile.up is not None for tile in tiles)
    if state.turned is not None and (len(set(state.turned)) != len(state.turned) or (sure and set(state.turned) != up)):
        yield finding("/turned_up", "not the cards that are up", "SM-STATE-1")
    walking = any(step.TAG == "sm.Walk" for step in state.agenda) and not any(
        isinstance(step, RevealCards) for step in state.agenda
    )
    if walking and sure and state.floor and len(up) < REVEALS[state.floor - 1]:
        yield finding("/tiles", "fewer cards up than were due before the hero moved", "SM-HERO-REVEAL-1")


def _hero(state: Dungeon, question: str) -> Iterator[Finding]:
    """A hero who cannot stand there."""
    if state.pawn is None:
        return
    if state.pawn not in state.board:
        yield finding("/hero", "no card lies there", "SM-HERO-EXPLORE-1")
        return
    tile = state.board[state.pawn]
    entered = question == "turn_up" and state.agenda[-2:-1] and state.agenda[-2].TAG == "sm.Entered"
    if question == "over" or entered:
        return
    if tile.up is False:
        yield finding("/hero", "the card on which the hero stands is up", "SM-HERO-EXPLORE-1")
    elif tile.up and tile.card == EXIT:
        yield finding("/hero", "whoever reaches the exit leaves the floor", "SM-HERO-EXIT-1")
    elif deadly(tile):
        yield finding("/hero", "an active monster has killed the hero there", "SM-HERO-EXPLORE-2")
    elif question == "explore" and barred(state):
        yield finding("/hero", "no way is left, so the dungeon master has won the game already", "SM-AMB-17")


def _turning(state: Dungeon) -> Iterator[Finding]:
    """A card that cannot have been turned up so: a skill used for it is still ready, the hero could not come there."""
    if not (state.agenda and isinstance(state.agenda[-1], TurnUp)):
        return
    turn, why = state.agenda[-1], state.agenda[-2]
    at = (turn.x, turn.y)
    if isinstance(why, Onward):
        if state.jump:
            yield finding("/jump_ready", "a card was skipped, so the jump is used", "SM-HERO-SKILL-1")
        if state.pawn is not None and state.pawn not in beside(at):
            yield finding("/hero", "a jump lands beside the card skipped", "SM-HERO-JUMP-1")
    if isinstance(why, Entered):
        if why.attack and (state.attack or any(tile.alive is False for tile in state.board.values())):
            yield finding("/turn_up/attack", "the attack announced is used once a floor", "SM-HERO-SKILL-1")
        if why.jumped and state.jump:
            yield finding("/turn_up/over", "a card was skipped, so the jump is used", "SM-HERO-SKILL-1")
        if state.pawn not in (None, at):
            yield finding("/hero", "the hero stands on the card entered", "SM-HERO-EXPLORE-1")
        if why.over is not None and why.over not in beside(at):
            yield finding("/turn_up/over", "a jump lands beside the card skipped", "SM-HERO-JUMP-1")
        elif not _came(state.board, at, why):
            clause = "SM-AMB-10" if why.jumped else "SM-HERO-EXPLORE-1"
            yield finding("/turn_up/at", "from no card on which the hero could stand is this a move", clause)


def _came(board: dict[Spot, Tile], at: Spot, why: Entered) -> bool:
    """Whether there is a card from which the hero can have come, by a step or a jump, as far as that is told."""

    def starts(beside_what: Spot) -> bool:
        near = [board[spot] for spot in beside(beside_what) if spot in board and spot != at]
        return any(tile.up is not False and tile.card != EXIT and not deadly(tile) for tile in near)

    skipped = [why.over] if why.over is not None else [] if why.jumped is False else beside(at)
    return (not why.jumped and starts(at)) or any(starts(over) for over in skipped if over in board)


def activity(tile: Tile, tiles: Tiles, turned: tuple[Spot, ...] | None) -> bool | None:
    """Whether a monster that is up is active, as far as it follows from the floor and the order of turning up."""
    board = {other.spot: other for other in tiles}
    if not comfortable(tile.card, tile.spot, board):
        return False
    near = [board[spot] for spot in beside(tile.spot) if spot in board and board[spot].up is not False]
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


def mood(tile: Tile, tiles: Tiles, turned: tuple[Spot, ...] | None, attack: bool | None) -> Tile:
    """The tile with what follows for a monster that is up: whether it is active, and alive if no attack was used."""
    if not tile.up or tile.card not in MONSTERS:
        return tile
    active = activity(tile, tiles, turned) if tile.active is None else tile.active
    return replace(tile, active=active, alive=True if tile.alive is None and attack else tile.alive)


def lying(state: Dungeon) -> dict[str, Cards]:
    """Every card by its place: those of the floor on a place each, and all in the box before it is unpacked."""
    if not state.zones:
        return {BOX: tuple(card for card, copies in COPIES.items() for _ in range(copies))}
    floor = {f"tile:{tile.x},{tile.y}": (tile.card,) for tile in state.tiles or () if tile.card != ENTRANCE}
    return {**state.zones, **floor}


def miscounted(state: Dungeon) -> Iterator[Miscount]:
    """Floors that there are not, monsters used that earlier floors had not (SM-COURSE-1, SM-AMB-18)."""
    yield from ranged("census.floor", state.floor, 0, FLOORS, "SM-COURSE-1")
    used = sum(len(cards) for place, cards in state.zones.items() if place.startswith((DISCOVERED, ASIDE)))
    earlier = PER_FLOOR * max(0, (state.floor or 0) - 1)
    # a floor that was just destroyed has given its monsters before the next one begins
    yield from ranged("census.monsters_aside", used, 0, max(earlier, PER_FLOOR * (state.floor or 0)), "SM-AMB-18")
    up = [tile.card for tile in state.tiles or () if tile.card in MONSTERS]
    yield from ranged("census.monsters_of_a_floor", len(up), 0, PER_FLOOR, "SM-BUILD-1")


PLACES: dict[str, Text] = {  # what players call the places, by what stands before the colon
    BOX: {"en": "box", "de": "Schachtel"},
    "pile": {"en": "pile of monsters", "de": "Monsterstapel"},
    "hand": {"en": "hand of the dungeon master", "de": "Hand des Herrn des Verlieses"},
    "undiscovered": {"en": "undiscovered monsters laid aside", "de": "beiseitegelegte unentdeckte Monster"},
    DISCOVERED: {"en": "discovered monsters", "de": "entdeckte Monster"},
    "tile": {"en": "card of the floor at", "de": "Karte des Stockwerks auf"},
}


def called(place: str) -> Text:
    """What players call a place; a card of the floor by where it lies."""
    sort, _, at = place.partition(":")
    found = PLACES.get(sort, {"en": sort, "de": sort})
    return {lang: f"{said} {at}" for lang, said in found.items()} if sort == "tile" else found
