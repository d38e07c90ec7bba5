"""Corrections by hand: a card to where it belongs, a count, whose turn it is, a question that falls away.

What comes of them has to be a table that can be: it is read back from its bytes, settles, and passes the census of the
game and every check of its positions (TABLE-REMEDY-2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from referee.engine import codec
from referee.engine.codec import Unreadable
from referee.engine.events import Event
from referee.engine.game import Malformed
from referee.engine.referee import settle
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulings import Refused, Unknown
from referee.engine.seats import BYSTANDER
from referee.engine.steps import State
from referee.engine.zones import Cards, Zoned, arranged, back, is_back, without
from referee.match.aggregate import OVER, Ended, Match
from referee.match.events.dispute_events import Corrected
from referee.match.game_moves import after_all, ended

BROKEN = (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, RuntimeError)
HIDDEN = {"en": "it does not go with what lies hidden", "de": "es passt nicht zu dem, was verdeckt liegt"}
MOST = 50  # corrections at once
SETTLED = frozenset({"agenda", "zones", "rules", "named", "at_table", "type", "v"})  # what no count is: not to be set


def put_right(match: Match, fix: tuple[Any, ...]) -> tuple[Event, ...]:
    """The facts of corrections by hand on the table as it stands, in their order. `fix`: JSON data, a list of

        {"move": card, "from": place, "to": place}    a card, a back for the first of a pile; `top` true: upon a pile
        {"set": pointer, "to": value}                 a value of the table as it is encoded (RFC 6901)
        {"turn": seat}                                the turn of a seat begins
        {"question": "drop"}                          the open question falls away
        {"placement": [[seat, …], …]}                 after the end, alone: who came in where

    Raises Malformed with the place in the fix, Refused (court.position_impossible).
    """
    if not fix or len(fix) > MOST or not all(isinstance(each, dict) for each in fix):
        raise _malformed("", f"a list of 1 to {MOST} corrections is needed")
    if match.status in OVER:
        return _placed(match, fix)
    assert match.state is not None
    state, places = match.state, list[str]()
    for at, each in enumerate(fix):
        kind = next((name for name in KINDS if name in each), None)
        if kind is None or each.keys() - KINDS[kind][0]:
            raise _malformed(f"/{at}", "a correction is one of move, set, turn, question; after the end placement")
        state = KINDS[kind][1](match, state, each, f"/{at}")
        places += [place for place in named_by(each) if place not in places]
    state = match.rules.in_line(state)
    corrected = Corrected(match.game, codec.encode(state), tuple(places))
    return (corrected, *_settled(match, corrected))


def named_by(each: dict[str, Any]) -> tuple[str, ...]:
    """What a correction is about, without what lies there."""
    if "move" in each:
        return (str(each.get("from")), str(each.get("to")))
    return (str(each["set"]),) if "set" in each else (next(iter(each)),)


def _settled(match: Match, corrected: Corrected) -> tuple[Event, ...]:
    """What follows from the table as it was put right. Raises Refused where no such table can be."""
    stands = after_all(match, [corrected])
    assert stands.state is not None
    try:
        facts = settle(stands.state)
        facts = (*facts, *ended(stands, facts))
        state = after_all(stands, facts).state
    except Unknown as unknown:
        raise _impossible(f"{unknown.need.key} is not known") from None
    except Refused as refused:
        raise _impossible(refused.ruling.reason) from None
    except BROKEN as error:
        raise _impossible(f"the rules cannot go on from it ({type(error).__name__})") from error
    if state is not None and not match.setup.named:  # what bots hold at a table people have said; no position tells it
        why = _against(match, state)
        if why:  # no answer tells more of what lies hidden
            raise _impossible(why if why == _against(match, state.seen_by(BYSTANDER)) else HIDDEN)
    return facts


def _against(match: Match, state: State) -> str | Text:
    """Why a table cannot be, in every language if the game can say so; empty if it can."""
    rules = match.rules
    try:
        written = rules.written(state)
    except BROKEN as error:
        return f"it cannot be written down ({type(error).__name__})"
    try:
        census = rules.census(written)
        if not census["possible"]:
            return {lang: " ".join(_said(each, lang) for each in census["contradictions"]) for lang in LANGUAGES}
        return "" if rules.position(written) == state else "no position says this"
    except Malformed as malformed:
        return str(malformed)


def _said(finding: dict[str, Any], lang: str) -> str:
    """A finding of a census in words; some games have them in English alone."""
    return str(finding["says"][lang] if "says" in finding else finding["detail"])


def lies_open(match: Match, pointer: str, eyes: Iterable[int]) -> bool:
    """Whether a value of the table, as it is encoded, and what it is a part of, is as some of these eyes see it; also
    where there is none. Whoever may not know a value is not answered whether another could stand in its place, and
    turns nothing up: a card that lies down is no part of what is open, only its place is."""
    keys = keys_of(pointer)[:-1] or keys_of(pointer)
    whole = _pointed(codec.encode(match.state), keys)
    seen = (codec.encode(match.seen_by(eye).state) for eye in eyes)
    return any(_pointed(table, keys) == whole for table in seen)


def keys_of(pointer: str) -> list[str]:
    """The parts of a JSON pointer (RFC 6901)."""
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def _pointed(data: Any, keys: list[str]) -> Any:
    """What a pointer leads to; None if it leads nowhere."""
    try:
        for key in keys:
            data = data[_index(key)] if isinstance(data, list) else data[key]
    except (KeyError, IndexError, ValueError, TypeError):
        return None
    return data


# -- one correction each -----------------------------------------------------------------------------------------------


def _moved(match: Match, state: State, each: dict[str, Any], at: str) -> State:
    card, source, target, top = each["move"], each.get("from"), each.get("to"), each.get("top", False)
    if not isinstance(state, Zoned):
        raise _malformed(at, "this game has no places")
    card = _first(state.place(str(source)), card) if str(source).endswith(":") else card
    if not isinstance(card, str) or card not in state.place(str(source)):
        raise _malformed(f"{at}/move", f"no such card lies at {source!r}")
    if not isinstance(target, str) or not _is_place(match, state, target):
        raise _malformed(f"{at}/to", "no such place")
    if type(top) is not bool:
        raise _malformed(f"{at}/top", "true or false is needed")
    zones = dict(state.zones)
    zones[str(source)] = without(zones[str(source)], (card,))
    there = zones.get(target, ())
    zones[target] = arranged((card, *there) if top else (*there, card))
    return replace(state, zones=zones)


def _first(pile: Cards, card: Any) -> Any:
    """The card that a back means in a pile: the first that shows it."""
    if not isinstance(card, str) or not is_back(card) or card in pile:
        return card
    return next((lying for lying in pile if back(lying) == card), card)


def _is_place(match: Match, state: Zoned, name: str) -> bool:
    """Whether the table has such a place: one that was used, or the same of another seat."""
    if name in state.zones:
        return True
    seats = range(len(match.chairs))
    alike = {_of_seat(place, seat, other) for place in state.zones for seat in seats for other in seats}
    return name in alike


def _of_seat(place: str, seat: int, other: int) -> str:
    return place[: -len(str(seat))] + str(other) if place.endswith((f":{seat}", f"/{seat}")) else place


def _set(match: Match, state: State, each: dict[str, Any], at: str) -> State:
    pointer = each["set"]
    if not isinstance(pointer, str) or not pointer.startswith("/"):
        raise _malformed(f"{at}/set", "a pointer into the table is needed, such as /hearts/1")
    if "to" not in each:
        raise _malformed(f"{at}/to", "is missing")
    keys = keys_of(pointer)
    if keys[0] in SETTLED:
        raise _malformed(f"{at}/set", f"{keys[0]} is not set; cards are moved, and turns given")
    data = codec.encode(state)
    if _forgets(_pointed(data, keys), each["to"], match.rules.holds_real_cards(match.setup)):
        raise _malformed(f"{at}/to", "what the table knows cannot be made unknown")
    try:
        _replaced(data, keys, each["to"])
        stands: State = codec.decode(type(state), data)
    except (KeyError, IndexError, ValueError, TypeError) as error:
        detail = str(error) if isinstance(error, Unreadable) else "the table has no such value"
        raise _malformed(f"{at}/set", detail) from None
    return stands


def _forgets(old: Any, new: Any, backs: bool) -> bool:
    """Whether a value says "not known", as positions may (null, and where `backs` are not what lies there, a back), of
    what is known in a match that is played: no rule could go on from it."""
    if new is None:
        return old is not None
    if isinstance(new, str):
        return not backs and is_back(new) and not (isinstance(old, str) and is_back(old))
    if isinstance(new, dict):
        return any(_forgets(_pointed(old, [key]), part, backs) for key, part in new.items())
    return isinstance(new, list) and any(_forgets(_pointed(old, [str(at)]), part, backs) for at, part in enumerate(new))


def _replaced(data: Any, keys: list[str], value: Any) -> None:
    """Sets what a pointer names; a name in a mapping may be new. Raises KeyError, IndexError, ValueError, TypeError."""
    *way, last = keys
    for key in way:
        data = data[_index(key)] if isinstance(data, list) else data[key]
    if isinstance(data, list):
        data[_index(last)] = value
    elif isinstance(data, dict):
        data[last] = value
    else:
        raise TypeError("a value has no parts")


def _index(key: str) -> int:
    if not key.isdecimal():
        raise ValueError("the place in a list is a number")
    return int(key)


def _turn(match: Match, state: State, each: dict[str, Any], at: str) -> State:
    seat = each["turn"]
    if type(seat) is not int or seat not in range(len(match.chairs)):
        raise _malformed(f"{at}/turn", "no such seat")
    try:
        return match.rules.turn_given(state, seat)
    except ValueError as error:
        raise _impossible(str(error)) from None


def _dropped(_: Match, state: State, each: dict[str, Any], at: str) -> State:
    if each["question"] != "drop":
        raise _malformed(f"{at}/question", "only to drop it")
    if not state.agenda:
        raise _impossible("nothing is open")
    return replace(state, agenda=state.agenda[:-1])


Kind = Callable[[Match, Any, dict[str, Any], str], State]
KINDS: dict[str, tuple[frozenset[str], Kind]] = {
    "move": (frozenset({"move", "from", "to", "top"}), _moved),
    "set": (frozenset({"set", "to"}), _set),
    "turn": (frozenset({"turn"}), _turn),
    "question": (frozenset({"question"}), _dropped),
}


def _placed(match: Match, fix: tuple[Any, ...]) -> tuple[Event, ...]:
    """Who came in where, after the end."""
    if match.status != "finished" or len(fix) != 1 or fix[0].keys() != {"placement"}:
        raise _malformed("", "the match is over: only the placement can be put right, or play goes back")
    placement = fix[0]["placement"]
    try:
        places = tuple(tuple(place) for place in placement)
        complete = sorted(seat for place in places for seat in place) == list(range(len(match.chairs)))
    except TypeError:
        complete, places = False, ()
    if not complete or not all(places) or any(type(seat) is not int for place in places for seat in place):
        raise _malformed("/0/placement", "a placement names every seat exactly once, the best first")
    return (Ended("finished", "end_corrected", places[0], places, ("TABLE-REMEDY-2",)),)


def _malformed(at: str, detail: str) -> Malformed:
    return Malformed([{"pointer": f"/fix{at}", "detail": detail}])


def _impossible(detail: str | Text) -> Refused:
    return Refused("court.position_impossible", "TABLE-REMEDY-2", detail=detail)
