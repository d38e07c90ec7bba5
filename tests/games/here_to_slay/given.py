"""given a table / when a move / then facts: the words in which the tests of Here to Slay are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import referee.games.here_to_slay  # noqa: F401  # reads the card texts
from referee.engine.chance import RollResult, ShuffleResult
from referee.engine.events import Event, Move
from referee.engine.referee import find_legal_moves
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.games.here_to_slay.components import (
    BOXED,
    DECK,
    DISCARD,
    HANDS,
    LEADER,
    LEADER_BOX,
    MAIN,
    MONSTER_BOX,
    MONSTERS,
    PARTIES,
    ROW,
    SLAIN,
    Rules,
)
from referee.games.here_to_slay.events.plays import RollSettled
from referee.games.here_to_slay.moves import Attack, Challenge, Pass, PlayCard, RollFor
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table, item_place_of
from tests.games.course import (  # noqa: F401  # said in the tests of this game, too
    asked,
    of,
    pulled,
    refusal,
    settled,
    then,
    times_out,
    when,
)

Party = Iterable[str | tuple[str, str]]  # heroes, or a hero with the item it carries
LEADERS = ("the_charismatic_song", "the_divine_arrow", "the_cloaked_sage", "the_fist_of_reason",
           "the_protecting_horn", "the_shadow_claw")  # fmt: skip


def table(
    *hands: Iterable[str],
    parties: Mapping[int, Party] | None = None,
    leaders: Mapping[int, str] | None = None,
    slain: Mapping[int, Iterable[str]] | None = None,
    row: Iterable[str] | None = None,
    deck: Iterable[str] | None = None,
    discard: Iterable[str] = (),
    points: int = 3,
    turn: int = 0,
    agenda: tuple[Step, ...] | None = None,
    rules: Mapping[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A table with these hands, on which nothing of the 136 cards is missing; seat `turn` is to choose an action.

    Leaders that are not named have no influence on any roll but The Protecting Horn and The Shadow Claw, which are
    given out first. The rest of the cards lies in the deck, in the order of the box, under what `deck` names.
    """
    seats = len(hands)
    zones: dict[str, tuple[str, ...]] = {DISCARD: tuple(discard)}
    zones |= {HANDS[seat]: tuple(hand) for seat, hand in enumerate(hands)}
    for seat, party in (parties or {}).items():
        members = [member if isinstance(member, tuple) else (member, "") for member in party]
        zones[PARTIES[seat]] = tuple(hero for hero, _ in members)
        zones |= {item_place_of(hero): (item,) for hero, item in members if item}
    zones |= {SLAIN[seat]: tuple(monsters) for seat, monsters in (slain or {}).items()}
    named = dict(leaders or {})
    spare = [leader for leader in reversed(LEADERS) if leader not in named.values()]
    for seat in range(seats):
        zones[LEADER[seat]] = (named[seat] if seat in named else spare.pop(0),)
    zones[BOXED] = tuple(spare)
    dead = [monster for monsters in (slain or {}).values() for monster in monsters]
    zones[ROW] = tuple(row) if row is not None else tuple(m for m in MONSTER_BOX if m not in dead)[:3]
    zones[MONSTERS] = tuple(m for m in MONSTER_BOX if m not in (*dead, *zones[ROW]))
    used = Counter(card for name, cards in zones.items() for card in cards) + Counter(deck or ())
    rest = tuple((Counter(MAIN) - used).elements())
    zones[DECK] = (*(deck or ()), *rest)
    if over := (used - Counter(MAIN) - Counter(MONSTER_BOX) - Counter(LEADER_BOX)):
        raise AssertionError(f"the box has not so many: {over}")
    fields: dict[str, Any] = {
        "agenda": (Turn(turn),) if agenda is None else agenda,
        "zones": zones,
        "rules": Rules(seats=seats, **(rules or {})),
        "turn": turn,
        "turns": 1,
        "points": points,
    }
    return Table(**{**fields, **more})


def with_deck(state: Table, *cards: str) -> Table:
    """The same table with exactly these cards in the main deck; the others are put away into the box."""
    rest = Counter(state.zones[DECK]) - Counter(cards)
    return replace(state, zones={**state.zones, DECK: tuple(cards), BOXED: (*state.zones[BOXED], *rest.elements())})


def dice(state: Table, *pips: int) -> tuple[tuple[Event, ...], Table]:
    """The facts of throwing these dice, two by two for each roll that is due, and the table then."""
    events: tuple[Event, ...] = ()
    for at in range(0, len(pips), 2):
        more, state = when(state, CHANCE, RollResult(pips[at : at + 2]))
        events += more
    return events, state


def passes(state: Table) -> tuple[tuple[Event, ...], Table]:
    """Everybody asked passes in the window that is open now (the challenges, or the modifiers); what follows."""
    kind, events = type(state.agenda[-1]), ()
    while state.agenda and type(state.agenda[-1]) is kind and kind.window_kind and asked(state):
        more, state = when(state, min(asked(state)), Pass())
        events += more
    return events, state


def stands(state: Table, seat: int, move: Move) -> tuple[tuple[Event, ...], Table]:
    """A move after which nobody challenges: the facts of the move and the passes, and the table then."""
    events, state = when(state, seat, move)
    more, state = passes(state) if state.agenda and state.agenda[-1].window_kind == "challenge" else ((), state)
    return events + more, state


def rolls(state: Table, first: int, second: int) -> tuple[tuple[Event, ...], Table]:
    """The dice fall so, and nobody plays a modifier (targets must not need declaring, or have but one choice)."""
    events, state = dice(state, first, second)
    more, state = passes(state)
    return events + more, state


def shuffled(state: Table, *order: str) -> tuple[tuple[Event, ...], Table]:
    """The main deck lies in this order after shuffling (all of its cards must be named), or in the order it has."""
    return when(state, CHANCE, ShuffleResult(order or state.zones[DECK]))


def names(events: Iterable[Event]) -> list[str]:
    """The names of the facts that are told, in order: bookkeeping is left out."""
    quiet = ("Opened", "Became", "Closed", "Cleared", "Noted", "cards.Bound", "cards.Answered", "hts.LotDrawn",
             "hts.Passed")  # fmt: skip
    return [event.TAG.removeprefix("hts.") for event in events if event.TAG not in quiet]


def offered(state: Table, seat: int) -> list[Move]:
    """All legal moves of a seat but for leaving the table."""
    return [move for move in find_legal_moves(state, Seat(seat)) if move.playable_at_random]


def rolled_for(
    state: Table, hero: str, first: int, second: int, *targets: Move, seat: int = 0
) -> tuple[tuple[Event, ...], Table]:
    """The hero is rolled for, the dice fall so, its targets are named and nobody plays a modifier; what follows."""
    declared, state = when(state, seat, RollFor(hero))
    thrown, state = dice(state, first, second)
    named, state = when(state, seat, *targets)
    rest, state = passes(state) if state.agenda else ((), state)
    return declared + thrown + named + rest, state


def attacked(state: Table, monster: str, first: int, second: int, seat: int = 0) -> tuple[tuple[Event, ...], Table]:
    """The monster is attacked, the dice fall so, and nobody plays a modifier; what follows."""
    declared, state = when(state, seat, Attack(monster))
    thrown, state = dice(state, first, second)
    rest, state = passes(state) if state.agenda else ((), state)
    return declared + thrown + rest, state


def challenged(
    state: Table, seat: int, card: str, by: int, against: tuple[int, int], total: tuple[int, int]
) -> tuple[tuple[Event, ...], Table]:
    """A card is played and challenged by that seat; its dice, those of who plays, no modifiers; what follows."""
    played, state = when(state, seat, PlayCard(card))
    declared, state = when(state, by, Challenge())
    rest, state = rolls_off(state, against, total)
    return played + declared + rest, state


def rolls_off(state: Table, against: tuple[int, int], total: tuple[int, int]) -> tuple[tuple[Event, ...], Table]:
    """The dice of the challenger, those of the challenged, and nobody plays a modifier; what follows."""
    thrown, state = dice(state, *against, *total)
    rest, state = passes(state)
    return thrown + rest, state


def settlements(events: Iterable[Event]) -> list[tuple[int, str]]:
    """The totals of the rolls settled, each with its outcome."""
    return [(event.total, event.outcome) for event in of(events, RollSettled)]


def succeeds(state: Table, hero: str, *answers: Move, seat: int = 0) -> tuple[tuple[Event, ...], Table]:
    """A hero is rolled for with two sixes, these targets are declared, nobody plays a modifier: what follows."""
    events, state = when(state, seat, RollFor(hero))
    thrown, state = dice(state, 6, 6)
    declared, state = when(state, seat, *answers)
    rest, state = passes(state)
    return events + thrown + declared + rest, state


def pips(total: int) -> tuple[int, int]:
    """Two dice that show so much together."""
    return min(6, total - 1), total - min(6, total - 1)


def effect(events: Iterable[Event]) -> list[str]:
    """The names of the facts told after the first roll was settled; what could not be done is left out."""
    told = names(events)
    return [name for name in told[told.index("RollSettled") + 1 :] if name not in ("Lapsed", "cards.NothingThere")]


def amid(hero: str) -> Table:
    """A table of three on which every hero of the box finds something to do, this one in the party of seat 0."""
    one, two, three, four = [each for each in ("wily_red", "qi_bear", "snowball", "peanut", "hook") if each != hero][:4]
    return table(
        ["challenge", "really_big_ring"],
        ["critical_boost", "challenge"],
        ["fighter_mask", "challenge"],
        parties={0: [hero, (one, "sealing_key")], 1: [two, three], 2: [four]},
        discard=["bad_axe" if hero != "bad_axe" else "bear_claw", "thief_mask", "enchanted_spell", "modifier_plus_4"],
    )


def tried(state: Table, hero: str, total: int) -> tuple[tuple[Event, ...], Table]:
    """The hero is rolled for with this total, the first targets are named that may be, nobody plays a modifier."""
    events, state = when(state, 0, RollFor(hero))
    more, state = dice(state, *pips(total))
    while not state.agenda[-1].window_kind:
        events, (more, state) = events + more, when(state, 0, offered(state, 0)[0])
    last, state = passes(state)
    return events + more + last, state


def owner(
    monster: str,
    *hands: Iterable[str],
    party: Party = ("peanut",),
    parties: Mapping[int, Party] | None = None,
    **more: Any,
) -> Table:
    """Seat 0 has slain this monster, and has a party (Peanut, if nothing is said); no leader has a say in any roll."""
    leaders = {0: "the_cloaked_sage", 1: "the_divine_arrow", 2: "the_shadow_claw"}
    return table(*hands, parties={0: party, **(parties or {})}, slain={0: [monster]}, leaders=leaders, **more)
