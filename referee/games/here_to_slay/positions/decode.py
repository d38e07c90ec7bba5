"""A position as a person writes it, and back: what is left out is unknown, never empty (KERNEL-POSITION-1).

`read` gives a table for every written position, `write` a position for every table - also for a view, or a table of
real cards - and the one undoes the other. `position_form.py` describes the form.
"""

from __future__ import annotations

from typing import Any

from referee.cardscript.books.files import plain
from referee.cardscript.positions import piles
from referee.cardscript.positions.editions import spelt_out
from referee.cardscript.positions.piles import cards_of, miscounted
from referee.cardscript.positions.piles import written as written_pile
from referee.cardscript.positions.schema_check import Error, error, misfits, suggestion
from referee.cardscript.positions.steps import read_listed
from referee.cardscript.table import SOME
from referee.engine.codec import Unreadable, decode_named
from referee.engine.events import changed
from referee.engine.game import Impossible, Malformed
from referee.engine.rulings import Unknown
from referee.engine.steps import Step
from referee.engine.zones import Cards
from referee.games.here_to_slay.components import (
    BOXED,
    BOXES,
    DECK,
    DISCARD,
    FACES,
    HANDS,
    LEADER,
    LEADERS,
    MONSTERS,
    PARTIES,
    PENDING,
    PRINTED,
    ROW,
    SLAIN,
    Rules,
)
from referee.games.here_to_slay.positions.contradictions import impossible
from referee.games.here_to_slay.positions.encode import written_agenda
from referee.games.here_to_slay.positions.question_codec import Unsaid, bottom, built
from referee.games.here_to_slay.positions.references import held, senseless
from referee.games.here_to_slay.positions.schema import schema_of
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.state import NOBODY, Table, under
from referee.games.here_to_slay.values import Lasting

PILES = {"row": ROW, "monsters": MONSTERS, "deck": DECK, "discard": DISCARD, "leaders": LEADERS, "box": BOXED}
BEFORE_THE_FIRST_TURN = ("pick_leader", "first_pick")
Data = dict[str, Any]


def read(data: Data) -> Table:
    """The table that a position describes. Raises Malformed, or Impossible where it cannot be."""
    table = understood(data)
    faults = impossible(table)
    if faults:
        raise Impossible(faults)
    return table


def understood(data: Data) -> Table:
    """The table that a position describes, contradictions and all. Raises Malformed."""
    edition = data.get("edition", PRINTED)
    if not isinstance(edition, str) or edition not in BOXES:
        raise Malformed([error("/edition", f"no such edition{suggestion(edition, BOXES)}")])
    data = spelt_out(data, {plain(card): card for card in BOXES[edition].whole})
    errors = list(misfits(schema_of(edition), data))
    if not errors:
        errors = list(_strangers(data))
    if errors:
        raise Malformed(errors)
    table = Table(
        zones=_zones(data),
        rules=_rules(data),
        turn=_turn(data),
        turns=data.get("turns", 0),
        points=data.get("points"),
        rolled=tuple(data["marked"]) if "marked" in data else None,
        used=data.get("leader_used"),
        lasting=tuple(Lasting(**each) for each in data.get("lasting", ())),
        picked=tuple(data.get("picked", ())),
        gone=tuple(data.get("left", ())),
        winner=data.get("winner", NOBODY),
        way=data.get("way", ""),
    )
    try:
        agenda = _agenda(data, table)
        beneath = len(data.get("pending_steps", ()))
        senseless(agenda, beneath, table)
    except Unreadable as unreadable:
        raise Malformed([error(unreadable.pointer, unreadable.detail)]) from None
    zones = {**table.zones, **_pending(data, agenda)}
    return changed(table, agenda=agenda, zones={**zones, **_emptied(data, table.rules, zones)})


# ---- reading the parts -----------------------------------------------------------------------------------------------


def _strangers(data: Data) -> list[Error]:
    """Seats that do not sit at this table, and a way to win without a winner."""
    seats, errors = len(data["seats"]), []
    said: list[tuple[str, Any]] = [(f"/{name}", data.get(name)) for name in ("turn", "winner")]
    for name in ("named", "picked", "left"):
        said += [(f"/{name}/{at}", seat) for at, seat in enumerate(data.get(name, ()))]
        if len(set(data.get(name, ()))) != len(data.get(name, ())):
            errors.append(error(f"/{name}", "each seat once"))
    said += [(f"/lasting/{at}/seat", each["seat"]) for at, each in enumerate(data.get("lasting", ()))]
    errors += [error(at, f"seats go from 0 to {seats - 1}") for at, seat in said if seat is not None and seat >= seats]
    if ("winner" in data) != ("way" in data):
        errors.append(error("/way", "winner and way belong together"))
    if data.get("named") and data.get("cards") != "table":
        errors.append(error("/named", "cards are named to the referee only where real cards are dealt"))
    for pointer, cards in [(f"/{name}", data.get(name)) for name in PILES] + [
        (f"/seats/{seat}/hand", player.get("hand")) for seat, player in enumerate(data["seats"])
    ]:
        errors += miscounted(pointer, cards)
    return errors


def _rules(data: Data) -> Rules:
    agreed = {name: schema["default"] for name, schema in SETTINGS["properties"].items()} | data.get("settings", {})
    return Rules(
        seats=len(data["seats"]),
        cards_at_table=data.get("cards") == "table",
        dice_at_table=data.get("dice") == "table",
        named=tuple(data.get("named", ())),
        edition=data.get("edition", PRINTED),
        **agreed,
    )


def _turn(data: Data) -> int | None:
    question = data.get("question") or {}
    usual = NOBODY if question.get("asks") in BEFORE_THE_FIRST_TURN else None
    turn: int | None = data.get("turn", usual)
    return NOBODY if "turn" in data and turn is None else turn


def _zones(data: Data) -> dict[str, Cards]:
    """What lies where; an empty place is not listed."""
    zones = {place: cards_of(data[name]) if name in data else (SOME,) for name, place in PILES.items()}
    for seat, player in enumerate(data["seats"]):
        zones[HANDS[seat]] = cards_of(player["hand"]) if "hand" in player else (SOME,)
        zones[SLAIN[seat]] = cards_of(player["slain"]) if "slain" in player else (SOME,)
        zones[LEADER[seat]] = ((player["leader"],) if player["leader"] else ()) if "leader" in player else (SOME,)
        zones[PARTIES[seat]] = (SOME,)
        if "party" in player:
            said = player["party"] if isinstance(player["party"], dict) else {"cards": player["party"]}
            members = said.get("cards", [])
            heroes = [each if isinstance(each, dict) else {"hero": each, "item": None} for each in members]
            more = (SOME,) if said.get("more") else ()
            zones[PARTIES[seat]] = (*(each["hero"] for each in heroes if "hero" in each), *more)
            for each in heroes:
                item = each.get("item", SOME)
                if item is not None:
                    place = under(each.get("hero", ""))  # an item on nobody: `impossible` says so
                    zones[place] = (*zones.get(place, ()), item)
    return {place: cards for place, cards in zones.items() if cards}


def _pending(data: Data, agenda: tuple[Step, ...]) -> dict[str, Cards]:
    """The cards being played: as said, else those that the pending steps speak of (HTS-ZONE-5)."""
    if "pending" in data:
        cards = cards_of(data["pending"])
    elif any(isinstance(step, Unsaid) and step.said for step in agenda):
        cards = (SOME,)
    else:
        cards = held(agenda)
    return {PENDING: cards} if cards else {}


def _emptied(data: Data, rules: Rules, zones: dict[str, Cards]) -> dict[str, Cards]:
    """The places of which the referee still knows that cards have lain there. Raises Malformed."""
    seats = range(len(data["seats"]))
    places = {PENDING, *PILES.values(), *(under(card) for card in rules.boxes.main if FACES[card].kind == "hero")}
    places |= {place[seat] for place in (HANDS, PARTIES, SLAIN, LEADER) for seat in seats}
    found, errors = piles.emptied(data.get("emptied", []), zones, places)
    if errors:
        raise Malformed(errors)
    return found


def _agenda(data: Data, table: Table) -> tuple[Step, ...]:
    """What is asked, and what waits beneath. Raises Unreadable."""
    said = data.get("question", {"asks": "act"})
    if said is None:
        return ()
    beneath: tuple[Step, ...] | None = None
    if "pending_steps" in data:
        beneath = read_listed(data["pending_steps"])
    if "asks" not in said:
        step = decode_named(said, Step, "/question")
        return (*(bottom(table, (step,)) if beneath is None else beneath), step)
    try:
        steps = built(said, table)
    except Unknown as unknown:
        return (*(beneath or ()), Unsaid(unknown.need.key, unknown.need.params, data.get("question") or {}))
    return (*(bottom(table, steps) if beneath is None else beneath), *steps)


# ---- writing ---------------------------------------------------------------------------------------------------------


def write(table: Table) -> Data:
    """The position that says what this table knows; what it does not know is left out."""
    rules = table.rules
    said: Data = {
        **({"edition": rules.edition} if rules.edition != PRINTED else {}),
        "settings": {name: getattr(rules, name) for name in SETTINGS["properties"]},
        "cards": "table" if rules.cards_at_table else "server",
        "dice": "table" if rules.dice_at_table else "server",
        "seats": [_player(table, seat) for seat in range(rules.seats)],
        "turns": table.turns,
    }
    for name, place in PILES.items():
        if (cards := written_pile(table.place(place), name not in ("row", "leaders", "box"))) is not None:
            said[name] = cards
    marked = None if table.rolled is None else list(table.rolled)
    known = {"points": table.points, "leader_used": table.used, "marked": marked, "turn": table.turn}
    said |= {name: value for name, value in known.items() if value is not None}
    if table.turn == NOBODY:
        said["turn"] = None
    if table.lasting:
        said["lasting"] = [vars(each) for each in table.lasting]
    lists = {"named": rules.named, "picked": table.picked, "left": table.gone}
    said |= {name: list(seats) for name, seats in lists.items() if seats}
    if table.winner != NOBODY:
        said |= {"winner": table.winner, "way": table.way}
    said |= written_agenda(table)
    if table.place(PENDING) != _pending({}, table.agenda).get(PENDING, ()):
        pending = written_pile(table.place(PENDING), False)
        said["pending"] = {"more": True} if pending is None else pending
    emptied = sorted(place for place, cards in table.zones.items() if not cards)
    return said | ({"emptied": emptied} if emptied else {})


def _player(table: Table, seat: int) -> Data:
    said: Data = {}
    if (leader := table.place(LEADER[seat])) != (SOME,):
        said["leader"] = leader[0] if leader else None
    if (hand := written_pile(table.place(HANDS[seat]), True)) is not None:
        said["hand"] = hand
    if (party := table.place(PARTIES[seat])) != (SOME,):
        members = [_member(hero, table.place(under(hero))) for hero in party if hero != SOME]
        said["party"] = {"cards": members, "more": True} if SOME in party else members
    if (slain := written_pile(table.place(SLAIN[seat]), False)) is not None:
        said["slain"] = slain
    return said


def _member(hero: str, carried: Cards) -> Any:
    if not carried:
        return hero
    return {"hero": hero} if carried == (SOME,) else {"hero": hero, "item": carried[0]}
