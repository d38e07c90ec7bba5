"""given a table / when a move / then facts: the words in which the tests of Monster Combat are told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.engine.events import Event, Move, apply_events
from referee.engine.referee import resolve_pending_steps, seats_that_must_act
from referee.engine.seats import CHANCE
from referee.engine.steps import Step
from referee.games.monster_combat.components import MONSTERS, Rules
from referee.games.monster_combat.rules.attacks import PendingAttack
from referee.games.monster_combat.rules.play_a_card import PlayPhase
from referee.games.monster_combat.rules.triggers import EventPhase
from referee.games.monster_combat.rules.turn import DrawPhase, EndOfTurn, TurnStart
from referee.games.monster_combat.state import DECK, DISCARD, EVENTS, HANDS, TRAY, Table
from tests.games.course import of, refusal, then, when  # noqa: F401  # said in the tests of this game, too

PLENTY = ("sword", "shield", "skip", "thief_1", "life_back", "lightning", "sword", "shield", "sword", "shield")


def table(
    *hands: Iterable[str],
    variant: str = "V1",
    hearts: tuple[int, ...] = (),
    deck: Iterable[str] = PLENTY,
    events: Iterable[str] = ("immune!event", "immune!event"),
    discard: Iterable[str] = (),
    tray: Iterable[str] = (),
    agenda: tuple[Step, ...] | None = None,
    rules: dict[str, Any] | None = None,
    **more: Any,
) -> Table:
    """A table with these hands; seat 0 is on turn in phase 3 unless `agenda` says otherwise."""
    seats = len(hands)
    piles = {DECK: tuple(deck), EVENTS: tuple(events), DISCARD: tuple(discard), TRAY: tuple(tray)}
    fields: dict[str, Any] = {
        "agenda": (EndOfTurn(), PlayPhase(0)) if agenda is None else agenda,
        "zones": {**piles, **{HANDS[seat]: tuple(hand) for seat, hand in enumerate(hands)}},
        "rules": Rules(variant=variant, seats=seats, **(rules or {})),
        "hearts": hearts or (3,) * seats,
        "turn": 0,
        "immune": (False,) * seats,
    }
    if variant == "V2":
        fields |= {"monster": 3, "monster_hearts": MONSTERS[3]["hearts"]}
    return Table(**{**fields, **more})


def turn_begins(*hands: Iterable[str], seat: int = 0, **more: Any) -> Table:
    """A table at which a player's turn is about to begin, settled down to the first question."""
    return settled(table(*hands, agenda=(TurnStart(seat),), **more))


def draws(*hands: Iterable[str], seat: int = 0, **more: Any) -> tuple[tuple[Event, ...], Table]:
    """What phase 1 of a player brings about, and the table then."""
    return settling(table(*hands, agenda=(EndOfTurn(), DrawPhase(seat)), **more))


def event(card: str, *hands: Iterable[str], seat: int = 0, **more: Any) -> tuple[tuple[Event, ...], Table]:
    """What an event brings about that a player turns up, and the table then."""
    return settling(table(*hands, agenda=(EndOfTurn(), EventPhase(seat)), events=(f"{card}!event",), **more))


def struck(*hands: Iterable[str], seat: int = 1, strength: int = 1, by: str = "sword", **more: Any) -> Table:
    """A table at which a player is attacked."""
    return table(*hands, agenda=(EndOfTurn(), PendingAttack(seat, strength, by)), **more)


def settling(state: Table) -> tuple[tuple[Event, ...], Table]:
    """What happens by itself, and the table then."""
    events = resolve_pending_steps(state)
    return events, apply_events(state, events)


def settled(state: Table) -> Table:
    """The table when nothing more happens by itself."""
    return settling(state)[1]


def chance(state: Table, move: Move) -> Table:
    """The table after a report, or a draw of the server."""
    return then(state, CHANCE, move)


def asked(state: Table) -> set[int]:
    """The seats that are awaited."""
    return {int(seat) for seat in seats_that_must_act(state)}
