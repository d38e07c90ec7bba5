"""Moves that may ask the server about what is hidden: everything that is listed, and the same with other cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from referee.engine.codec import encode
from referee.engine.zones import is_back
from referee.games import load_games
from tests.leaks.recipes import Ask, Here, key, seat_path
from tests.leaks.sides import Side
from tests.leaks.worlds import leaves, put


def names(side: Side) -> list[str]:
    """Every card of the box, and whatever else lies on the table under a name that somebody may not know."""
    cards = {str(card["id"]) for card in load_games()[side.sitting.game].cards}
    return sorted(cards | set(held_by_others(side)))


def held_by_others(side: Side) -> list[str]:
    """The names that are hidden from the one who asks: the guesses that would tell the most."""
    state = side.loaded().match.state
    if state is None:
        return []
    known = {value for eye in side.sitting.viewers for value in leaves(encode(state.view_for(eye))).values()}
    texts = {value for value in leaves(encode(state)).values() if isinstance(value, str)}
    return sorted(value for value in texts if value not in known and not is_back(value))


def templates(here: Here, mover: Any) -> list[dict[str, Any]]:
    """Moves to begin from: what is listed for this mover, legal or not, and what was done at this table so far."""
    person = here.side.observer
    listed: Any = person.get(f"{seat_path(here, mover, 'moves')}?near=20", X_Request_Id="templates").json
    found = [each["move"] for each in (*listed.get("legal", ()), *listed.get("near", ()))]
    kinds = load_games()[here.side.sitting.game].move_types
    log = here.side.service.repository.load_entries(here.match, 0, None)
    found += [encode(entry.move) for entry in log if type(entry.move) in kinds]
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for move in found:
        by_kind.setdefault(move["type"], []).append(move)
    return [move for moves in by_kind.values() for move in here.dice.sample(moves, min(len(moves), 4))]


def guesses(here: Here, mover: Any, most: int) -> list[dict[str, Any]]:
    """Moves for one mover: templates, and templates with a name in them exchanged; the hidden names first."""
    found: list[dict[str, Any]] = []
    secret, box = held_by_others(here.side), names(here.side)
    for move in templates(here, mover):
        found.append(move)
        places = [path for path, value in leaves(move).items() if isinstance(value, str) and path != ("type",)]
        if places:
            chosen = here.dice.sample(secret, min(3, len(secret))) + here.dice.sample(box, min(2, len(box)))
            found += [put(move, here.dice.choice(places), name) for name in chosen]
    unique = [move for at, move in enumerate(found) if move not in found[:at]]
    return some(unique, most, here.dice)


def some(things: list[Any], most: int, dice: random.Random) -> list[Any]:
    """At most so many of them."""
    return things if len(things) <= most else dice.sample(things, most)


def dry(here: Here, mover: Any, move: dict[str, Any]) -> Ask:
    """A move tried out."""
    return Ask("POST", seat_path(here, mover, "moves/check"), {"move": move})


def in_earnest(here: Here, mover: Any, move: dict[str, Any]) -> Ask:
    """A move that the dry run has refused, made all the same."""
    return Ask("POST", seat_path(here, mover, "moves"), {"move": move}, key("guess"))


def too_late(here: Here, mover: Any, move: dict[str, Any]) -> Iterator[Ask]:
    """A move against a version of long ago: the answer tells what was missed."""
    path = seat_path(here, mover, "moves")
    yield Ask("POST", path, {"move": move, "seen": 1}, key("late"))
    yield Ask("POST", path, {"move": move}, key("late") | {"If-Match": '"v1"'})
