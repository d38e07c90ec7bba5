"""What a seat can do now, as a list with a key for each.

These are moves by group, pickers, answers to what the table asks, and near misses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.cli.table.following import build_address
from referee.cli.table.state import RUNNING, TableState
from referee.match.table.office_state import CALL_REASONS

KEYS = "123456789abcdefghijklmnopqrstuvwxyz"  # capital letters are commands of the table


@dataclass(frozen=True)
class Offer:
    """Something that has a key.

    `kind` is `write`, `withdraw` (of a call), `leave` (asks whether it is meant), `picker`, `dice`, `why` or `hand`.
    `path` and `body` are what is sent; of a picker, `about` is the picker and `body` what the move is put into.
    """

    group: str
    text: str
    kind: str
    path: str = ""
    body: Any = None
    about: Any = None


def list_offers(state: TableState, is_hand_open: bool) -> list[Offer]:
    """Return what the seat can do, in the order of the screen."""
    if state.seat is None or state.view is None or state.status not in RUNNING:
        return []
    offers = [*_list_asked(state), *_list_chance(state)]
    if state.moves is not None and state.moves["version"] == state.version:
        offers += _list_moves(state, is_hand_open)
    return offers


def list_calls(state: TableState) -> list[Offer]:
    """Return the reasons to call an official, or the way to withdraw the seat's call."""
    words, call, seat = state.words, state.call, state.seat
    if seat is None or state.status not in RUNNING:
        return []
    if call is not None:
        path = build_address(state.match, f"calls/{call['call']}", seat)
        return [Offer("", words.t("call_withdraw"), "withdraw", path)] if call["by"] == seat else []
    if not state.may_call:
        return []
    path = build_address(state.match, "calls", seat)
    return [Offer("", words.t(f"call_{each}"), "write", path, {"reason": each}) for each in CALL_REASONS]


def _list_moves(state: TableState, is_hand_open: bool) -> list[Offer]:
    moves, words, match, seat = state.moves, state.words, state.match, state.seat
    assert moves is not None
    path, seen = build_address(match, "moves", seat), moves["version"]
    names = _list_hand_names(state)
    offers: list[Offer] = []
    heads = {group["type"]: words.say(group["says"]) for group in moves["groups"]}
    for each in (*moves["legal"], *moves["pickers"]):
        heads.setdefault(each["move"]["type"], "")
    for kind, head in heads.items():
        hidden = 0
        for legal in moves["legal"]:
            if legal["move"]["type"] != kind or legal["flag"] == "gives_up":
                continue
            if not is_hand_open and names.intersection(legal["cards"]):
                hidden += 1
            else:
                body = {"move": legal["move"], "seen": seen}
                offers.append(Offer(head, words.say(legal["told"]), "write", path, body))
        offers += [
            Offer(head, f"{words.say(picker['says'])} …", "picker", path, {"seen": seen}, picker)
            for picker in moves["pickers"]
            if picker["type"] == kind and not _lists_changes(picker)
        ]
        if hidden:
            offers.append(Offer(head, words.t("uncover", n=hidden), "hand"))
    if _is_real_window(state):
        address = build_address(match, f"windows/{moves['window']['id']}/no-reaction")
        offers.append(Offer("", words.t("nobody_reacts"), "write", address))
    offers += [
        Offer(words.t("not_now"), words.say(near["told"]), "why", about=near["ruling"])
        for near in state.list_near_misses()
        if is_hand_open or not _names_hand_card(near["move"], names)
    ]
    offers += [
        Offer(words.t("leave"), words.say(legal["told"]), "leave", path, {"move": legal["move"], "seen": seen})
        for legal in moves["legal"]
        if legal["flag"] == "gives_up"
    ]
    return offers


def _list_asked(state: TableState) -> list[Offer]:
    """Return the answers to what the table asks: to vote, to consent, to attest."""
    words = state.words
    return [
        Offer(words.say(question["asks"]), words.say(answer["says"]), "write", question["path"], answer["body"])
        for question in (state.moves or {}).get("asked", ())
        for answer in question["answers"]
    ]


def _list_chance(state: TableState) -> list[Offer]:
    """Return what real dice or cards may have shown."""
    listing, words = state.find_chance_moves(), state.words
    if listing is None:
        return []
    path, seen = build_address(state.match, "moves", "chance"), listing["version"]
    head = words.t("report_now")
    if many := count_dice(listing):
        return [Offer(head, head, "dice", path, {"seen": seen}, many)]
    return [
        *(
            Offer(head, words.say(legal["told"]), "write", path, {"move": legal["move"], "seen": seen})
            for legal in listing["legal"]
        ),
        *(
            Offer(head, f"{words.say(picker['says'])} …", "picker", path, {"seen": seen}, picker)
            for picker in listing["pickers"]
        ),
    ]


def count_dice(listing: dict[str, Any]) -> int:
    """Return how many dice are to be reported; 0: something else is."""
    for legal in listing["legal"]:
        return len(legal["move"]["values"]) if legal["move"]["type"] == "chance.rolled" else 0
    for picker in listing["pickers"]:
        return int(picker["choices"][0]["least"] or 0) if picker["type"] == "chance.rolled" else 0
    return 0


def _lists_changes(picker: dict[str, Any]) -> bool:
    """Return whether a picker asks for changes, which only the page has a form for."""
    return any(choice["kind"] == "changes" for choice in picker["choices"])


def _is_real_window(state: TableState) -> bool:
    """Whether one person may say for all at a real table that nobody reacts."""
    return bool(state.moves and state.moves["window"] and "table" in (state.about or {}).get("chance", {}).values())


def _list_hand_names(state: TableState) -> set[str]:
    """Return the cards of the hand, in the forms in which a move may name them."""
    cards = [card for card in (state.hand or {"cards": []})["cards"] if card["card"]]
    return {name for card in cards for name in (card["card"], f"{card['card']}!{card['back']}")}


def _names_hand_card(value: Any, names: set[str]) -> bool:
    """Whether a move, or a part of one, names a card of the hand."""
    if isinstance(value, dict):
        return any(_names_hand_card(each, names) for each in value.values())
    if isinstance(value, list):
        return any(_names_hand_card(each, names) for each in value)
    return isinstance(value, str) and value in names
