"""Corrections by hand: move a card, set a value, give the turn, drop a question.

TABLE-REMEDY-2: A correction by hand moves a card, sets a count or says whose turn it is; the result has to be possible
with the cards of the box.

The corrected table is decoded from its bytes, resolves its pending steps, and passes the census of the game and every
check of its positions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.engine import codec
from referee.engine.codec import DecodeError
from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.referee import resolve_pending_steps
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulings import ContradictoryPosition, IllegalMove, MalformedInput, Undetermined
from referee.engine.seats import BYSTANDER
from referee.engine.steps import State
from referee.engine.zones import Cards, ZonedState, arrange_cards, back_of, is_back, remove_cards
from referee.match.aggregate import FINAL_STATUSES, Match, MatchEnded
from referee.match.events.dispute_events import TableCorrected
from referee.match.game_moves import apply_all, decide_match_end
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import texts
from referee.rendering.errors import translate_errors
from referee.rendering.quoting import strip_sentence_end

RULE_FAILURES = (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, RuntimeError)
MAX_CORRECTIONS = 50  # in one command
# Parts of a state that are no counts.
UNSETTABLE_KEYS = frozenset({"agenda", "zones", "rules", "named", "at_table", "type", "v"})


def apply_corrections(match: Match, fix: tuple[Any, ...]) -> tuple[Event, ...]:
    """Return the events of corrections by hand, applied in order.

    `fix` is JSON data, a list of

        {"move": card, "from": place, "to": place}    a back: the first card of a pile; `top` true: on top of a pile
        {"set": pointer, "to": value}                 a value of the encoded state (RFC 6901)
        {"turn": seat}                                the turn of a seat begins
        {"question": "drop"}                          the open question is dropped
        {"placement": [[seat, …], …]}                 after the end, alone: the final places

    Raises MalformedInput with the place in the fix, IllegalMove (court.position_impossible).
    """
    if not fix or len(fix) > MAX_CORRECTIONS or not all(isinstance(each, dict) for each in fix):
        raise build_malformed_error("", "fix.needs_list", most=MAX_CORRECTIONS)
    if match.status in FINAL_STATUSES:
        return _correct_placement(match, fix)
    corrected = _correct_table(match, fix)
    return (corrected, *_settle_corrected(match, corrected))


def forecast_corrections(seen: Match, fix: tuple[Any, ...]) -> Match | None:
    """Return the match after corrections by hand, as far as one viewer can foresee it.

    `seen` is the match and `fix` the corrections as the viewer may see them, so the result cannot reveal more. Of a
    hidden card it is believed to lie where the corrections say. Return None if the viewer cannot foresee the table.
    """
    believed = seen
    for each in fix:
        if seen.state is not None and "move" in each:
            believed = replace(believed, state=_believe_card(believed.state, each["move"], str(each.get("from"))))
    try:
        if seen.status in FINAL_STATUSES:
            return apply_all(seen, _correct_placement(seen, fix))
        stands = apply_all(believed, [_correct_table(believed, fix)])
        assert stands.state is not None
        return apply_all(stands, resolve_pending_steps(stands.state))
    except (IllegalMove, MalformedInput, Undetermined, *RULE_FAILURES):
        return None


def _believe_card(state: Any, card: Any, place: str) -> Any:
    """Return a table on which a card lies open at a place where its back was seen."""
    if not isinstance(state, ZonedState) or not isinstance(card, str) or card in state.cards_at(place):
        return state
    pile, back = list(state.cards_at(place)), back_of(card)
    if back not in pile:
        return state
    pile[pile.index(back)] = card
    return replace(state, zones={**state.zones, place: arrange_cards(pile)})


def _correct_table(match: Match, fix: tuple[Any, ...]) -> TableCorrected:
    """Return the event that corrects the table. Raises MalformedInput, IllegalMove."""
    assert match.state is not None
    state, places = match.state, list[str]()
    for at, each in enumerate(fix):
        kind = next((name for name in CORRECTION_KINDS if name in each), None)
        if kind is None or each.keys() - CORRECTION_KINDS[kind][0]:
            raise build_malformed_error(f"/{at}", "fix.unknown_kind")
        state = CORRECTION_KINDS[kind][1](match, state, each, f"/{at}")
        places += [place for place in list_corrected_places(each) if place not in places]
    state = match.rules.reconcile_state(state)
    return TableCorrected(match.game, codec.encode(state), tuple(places))


def list_corrected_places(each: dict[str, Any]) -> tuple[str, ...]:
    """Return the places that a correction is about, without their contents."""
    if "move" in each:
        return (str(each.get("from")), str(each.get("to")))
    return (str(each["set"]),) if "set" in each else (next(iter(each)),)


def _settle_corrected(match: Match, corrected: TableCorrected) -> tuple[Event, ...]:
    """Return the events that follow from the corrected table.

    Raises IllegalMove if no such table can be.
    """
    stands = apply_all(match, [corrected])
    assert stands.state is not None
    try:
        events = resolve_pending_steps(stands.state)
        events = (*events, *decide_match_end(stands, events))
        state = apply_all(stands, events).state
    except Undetermined as unknown:
        asks = texts.render_text(match.rules, unknown.need.key, **unknown.need.params)
        raise _build_impossible_error(TABLE_BOOK.render_texts("impossible.unknown", asks=asks)) from None
    except IllegalMove as refused:
        raise _build_impossible_error(texts.describe_reason(match.rules, refused.ruling)) from None
    except RULE_FAILURES as error:
        raise _build_impossible_error(TABLE_BOOK.render_texts("impossible.stuck")) from error
    if state is not None and not match.setup.named:  # no position can say what bots hold at a real table
        why = _find_contradiction(match, state)
        if why:  # the refusal must not reveal hidden cards
            is_public = why == _find_contradiction(match, state.view_for(BYSTANDER))
            raise _build_impossible_error(why if is_public else TABLE_BOOK.render_texts("impossible.hidden"))
    return events


def _find_contradiction(match: Match, state: State) -> Text | None:
    """Return why a table cannot be, in all languages; None if it can be."""
    rules = match.rules
    try:
        written = rules.positions.encode_position(state)
    except RULE_FAILURES:
        return TABLE_BOOK.render_texts("impossible.unwritable")
    try:
        census = rules.positions.check_census(written)
        if not census["possible"]:
            return _join_details(rules, census["contradictions"])
        if rules.positions.decode_position(written) == state:
            return None
    except ContradictoryPosition as contradictory:
        return _join_details(rules, contradictory.errors)
    except MalformedInput as malformed:  # what is wrong with a form is said in English only
        return TABLE_BOOK.render_texts("impossible.unwritable") | {"en": _join_details(rules, malformed.errors)["en"]}
    return TABLE_BOOK.render_texts("impossible.unwritable")


def _join_details(rules: Game, errors: Sequence[Mapping[str, Any]]) -> Text:
    """Return what is wrong, in all languages.

    The places in a position are left out, for nobody has written one here.
    """
    return {
        lang: "; ".join(
            dict.fromkeys(strip_sentence_end(each["detail"]) for each in translate_errors(rules, errors, lang))
        )
        + "."
        for lang in LANGUAGES
    }


def is_value_visible(match: Match, pointer: str, viewer: Iterable[int]) -> bool:
    """Tell whether one of these viewers sees a value of the state, and its container.

    That also goes for a value that does not exist. A caller who may not know a value must not learn whether another
    could take its place, and may not turn up a card. Of a card that lies face down only its place is visible.
    """
    keys = parse_pointer(pointer)[:-1] or parse_pointer(pointer)
    whole = _resolve_pointer(codec.encode(match.state), keys)
    seen = (codec.encode(match.view_for(seat).state) for seat in viewer)
    return any(_resolve_pointer(table, keys) == whole for table in seen)


def find_public_corrections(match: Match, fix: Iterable[Any]) -> tuple[int, ...]:
    """Return the places in a list of those corrections that hide nothing.

    They set a value that everybody sees, or say whose turn it is or what is asked.
    """
    return tuple(
        at
        for at, each in enumerate(fix)
        if "move" not in each and ("set" not in each or is_value_visible(match, str(each["set"]), (int(BYSTANDER),)))
    )


def parse_pointer(pointer: str) -> list[str]:
    """Return the parts of a JSON pointer (RFC 6901)."""
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def _resolve_pointer(data: Any, keys: list[str]) -> Any:
    """Return what a pointer leads to; None if it leads nowhere."""
    try:
        for key in keys:
            data = data[_parse_index(key)] if isinstance(data, list) else data[key]
    except (KeyError, IndexError, ValueError, TypeError):
        return None
    return data


# -- one correction each -----------------------------------------------------------------------------------------------


def _move_card(match: Match, state: State, each: dict[str, Any], at: str) -> State:
    card, source, target, top = each["move"], each.get("from"), each.get("to"), each.get("top", False)
    if not isinstance(state, ZonedState):
        raise build_malformed_error(at, "fix.no_places")
    card = _resolve_card_back(state.cards_at(str(source)), card) if str(source).endswith(":") else card
    if not isinstance(card, str) or card not in state.cards_at(str(source)):
        raise build_malformed_error(f"{at}/move", "fix.no_such_card", place=str(source))
    if not isinstance(target, str) or not _is_place(match, state, target):
        raise build_malformed_error(f"{at}/to", "fix.no_such_place")
    if type(top) is not bool:
        raise build_malformed_error(f"{at}/top", "fix.needs_boolean")
    zones = dict(state.zones)
    zones[str(source)] = remove_cards(zones[str(source)], (card,))
    there = zones.get(target, ())
    zones[target] = arrange_cards((card, *there) if top else (*there, card))
    return replace(state, zones=zones)


def _resolve_card_back(pile: Cards, card: Any) -> Any:
    """Return the first card of a pile that shows this back; `card` if it is none."""
    if not isinstance(card, str) or not is_back(card) or card in pile:
        return card
    return next((lying for lying in pile if back_of(lying) == card), card)


def _is_place(match: Match, state: ZonedState, name: str) -> bool:
    """Tell whether the table has such a place: a used one, or another seat's."""
    if name in state.zones:
        return True
    seats = range(len(match.chairs))
    alike = {_swap_place_seat(place, seat, other) for place in state.zones for seat in seats for other in seats}
    return name in alike


def _swap_place_seat(place: str, seat: int, other: int) -> str:
    return place[: -len(str(seat))] + str(other) if place.endswith((f":{seat}", f"/{seat}")) else place


def _set_value(match: Match, state: State, each: dict[str, Any], at: str) -> State:
    pointer = each["set"]
    if not isinstance(pointer, str) or not pointer.startswith("/"):
        raise build_malformed_error(f"{at}/set", "fix.needs_pointer")
    if "to" not in each:
        raise build_malformed_error(f"{at}/to", "fix.missing")
    keys = parse_pointer(pointer)
    if keys[0] in UNSETTABLE_KEYS:
        raise build_malformed_error(f"{at}/set", "fix.not_settable", name=keys[0])
    data = codec.encode(state)
    if _makes_unknown(_resolve_pointer(data, keys), each["to"], match.rules.has_hidden_real_cards(match.setup)):
        raise build_malformed_error(f"{at}/to", "fix.made_unknown")
    try:
        _replace_value(data, keys, each["to"])
        stands: State = codec.decode(type(state), data)
    except (KeyError, IndexError, ValueError, TypeError) as error:
        if isinstance(error, DecodeError):  # what is wrong with the form of a value
            raise build_malformed_error(f"{at}/set", "fix.wrong_form", detail=str(error)) from None
        raise build_malformed_error(f"{at}/set", "fix.no_such_value") from None
    return stands


def _makes_unknown(old: Any, new: Any, backs: bool) -> bool:
    """Tell whether a new value makes something unknown that is known.

    No rule could go on from it. Unknown is null, and a back unless `backs` allows backs.
    """
    if new is None:
        return old is not None
    if isinstance(new, str):
        return not backs and is_back(new) and not (isinstance(old, str) and is_back(old))
    if isinstance(new, dict):
        return any(_makes_unknown(_resolve_pointer(old, [key]), part, backs) for key, part in new.items())
    return isinstance(new, list) and any(
        _makes_unknown(_resolve_pointer(old, [str(at)]), part, backs) for at, part in enumerate(new)
    )


def _replace_value(data: Any, keys: list[str], value: Any) -> None:
    """Set the value that a pointer names; a key of a mapping may be new.

    Raises KeyError, IndexError, ValueError, TypeError.
    """
    *way, last = keys
    for key in way:
        data = data[_parse_index(key)] if isinstance(data, list) else data[key]
    if isinstance(data, list):
        data[_parse_index(last)] = value
    elif isinstance(data, dict):
        data[last] = value
    else:
        raise TypeError("a value has no parts")


def _parse_index(key: str) -> int:
    """Return the place in a list. Raises ValueError if RFC 6901 knows no such index."""
    if not re.fullmatch("0|[1-9][0-9]*", key):
        raise ValueError("the place in a list is a number")
    return int(key)


def _give_turn(match: Match, state: State, each: dict[str, Any], at: str) -> State:
    seat = each["turn"]
    if type(seat) is not int or seat not in range(len(match.chairs)):
        raise build_malformed_error(f"{at}/turn", "fix.no_such_seat")
    try:
        return match.rules.give_turn(state, seat)
    except ValueError as error:
        raise _build_impossible_error(TABLE_BOOK.render_texts("impossible.turn", seat=seat)) from error


def _drop_question(_: Match, state: State, each: dict[str, Any], at: str) -> State:
    if each["question"] != "drop":
        raise build_malformed_error(f"{at}/question", "fix.only_drop")
    if not state.agenda:
        raise _build_impossible_error(TABLE_BOOK.render_texts("impossible.nothing_open"))
    return replace(state, agenda=state.agenda[:-1])


CorrectionHandler = Callable[[Match, Any, dict[str, Any], str], State]
CORRECTION_KINDS: dict[str, tuple[frozenset[str], CorrectionHandler]] = {
    "move": (frozenset({"move", "from", "to", "top"}), _move_card),
    "set": (frozenset({"set", "to"}), _set_value),
    "turn": (frozenset({"turn"}), _give_turn),
    "question": (frozenset({"question"}), _drop_question),
}


def _correct_placement(match: Match, fix: tuple[Any, ...]) -> tuple[Event, ...]:
    """Return the event that corrects the final placement."""
    if match.status != "finished" or len(fix) != 1 or fix[0].keys() != {"placement"}:
        raise build_malformed_error("", "fix.match_over")
    placement = fix[0]["placement"]
    try:
        places = tuple(tuple(place) for place in placement)
        complete = sorted(seat for place in places for seat in place) == list(range(len(match.chairs)))
    except TypeError:
        complete, places = False, ()
    if not complete or not all(places) or any(type(seat) is not int for place in places for seat in place):
        raise build_malformed_error("/0/placement", "fix.incomplete_placement")
    return (MatchEnded("finished", "end_corrected", places[0], places, ("TABLE-REMEDY-2",)),)


def build_malformed_error(at: str, key: str, **params: Any) -> MalformedInput:
    """Return the error at a place of the corrections, told by the text under a key."""
    says = TABLE_BOOK.render_texts(key, **params)
    return MalformedInput([{"pointer": f"/fix{at}", "detail": says["en"], "says": says}])


def _build_impossible_error(detail: Text) -> IllegalMove:
    return IllegalMove("court.position_impossible", "TABLE-REMEDY-2", detail=detail)
