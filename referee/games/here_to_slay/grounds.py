"""Clauses that act in the course of a legal move, for rulings.

Events cite what always holds of them, and entries of the log are audited by that. A ruling says more: why a trigger is
there, what steps in, where a lasting bonus comes from. Only what everybody sees is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.language.interpreter import Execution
from referee.engine.events import Event, Move
from referee.engine.reasons.grounds import ground
from referee.engine.steps import TriggerQueued
from referee.games.here_to_slay.components import DISCARD, FACES
from referee.games.here_to_slay.events.cards import CardTaken
from referee.games.here_to_slay.events.heroes import (
    HeroMoved,
    HeroSacrificed,
    HeroStolen,
    ItemLost,
    MonsterSlain,
    ReplacementApplied,
)
from referee.games.here_to_slay.events.plays import (
    ChallengeDeclared,
    ItemEquipped,
    PendingCardDiscarded,
    PlayStood,
    RollSettled,
    WindowPassed,
)
from referee.games.here_to_slay.events.turns import GameWon, LastingEffectBegan, MonsterTurnedUp
from referee.games.here_to_slay.state import Table

# HTS-TRIG-7: what answers which event, and the rulings on it
TRIGGERS: dict[str, tuple[str, ...]] = {
    "drawn": ("HTS-DO-44",),
    "modifier_played": ("HTS-DO-45",),
    "roll_succeeded": ("HTS-DO-46",),
    "roll_failed": ("HTS-DO-47",),
    "magic_played": ("HTS-DO-48", "HTS-LEAD-6"),
    "challenged": ("HTS-DO-49", "HTS-AMB-8"),
    "hero_destroyed": ("HTS-DO-50",),
}
LASTING: dict[str, tuple[str, ...]] = {
    "roll_bonus": ("HTS-DO-30", "HTS-AMB-21"),
    "no_challenge": ("HTS-DO-33", "HTS-AMB-7"),
    "no_destroy": ("HTS-DO-23", "HTS-PROT-2", "HTS-AMB-40"),
    "no_steal": ("HTS-DO-24", "HTS-PROT-2", "HTS-AMB-40"),
}


@ground(Table, Move)
def find_course_grounds(table: Table, _move: Move, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield the clauses that act in the events of a legal move. Raises Undetermined."""
    compared = sacrificed = False
    for event in events:
        match event:
            case TriggerQueued(step=Execution() as text):
                yield from find_trigger_grounds(text)
            case RollSettled(outcome="compared"):
                compared = True
            case RollSettled(kind=kind):
                yield "HTS-ROLL-2"
                yield from ("HTS-VERB-8", "HTS-MON-6") if kind == "attack" else ()
            case PlayStood() if compared:
                yield "HTS-CHAL-9"
            case PendingCardDiscarded(put=("challenge",)):
                yield from ("HTS-CHAL-10", "HTS-AMB-3")
            case PendingCardDiscarded():
                yield "HTS-ITEM-7"
            case ChallengeDeclared():
                yield from ("HTS-VERB-7", "HTS-DO-34")
            case LastingEffectBegan(what=what):
                yield from LASTING.get(what, ())
            case CardTaken(source=source) if source == DISCARD:
                yield "HTS-DO-11"
            case ReplacementApplied(card=card, verb=verb):
                yield "HTS-DO-22" if verb == "sacrifice" else "HTS-DO-21"
                yield from ("HTS-REPL-4",) if FACES[card].kind == "monster" else ()
            case ItemEquipped(put=(item,), hero=hero):
                yield from find_item_grounds(item, FACES[hero].class_)
            case HeroSacrificed():
                sacrificed = True
            case ItemLost() if sacrificed:
                yield "HTS-AMB-30"
            case HeroStolen(put=(hero,)) if table.item_of(hero):
                yield "HTS-ITEM-5"
            case HeroMoved(put=(hero,)) if table.item_of(hero):
                yield from ("HTS-ITEM-5", "HTS-AMB-31")
            case MonsterSlain(put=(monster,)):
                yield "HTS-MON-12"
                yield from ("HTS-MON-8",) if FACES[monster].slay.contains_total(2) else ()
            case MonsterTurnedUp() if table.turns:
                yield from ("HTS-MON-10", "HTS-AMB-66")
            case GameWon(way="six_classes"):
                yield from ("HTS-WIN-3", "HTS-AMB-61", "HTS-TURN-8")
            case WindowPassed():
                yield from find_pass_grounds(table)


def find_trigger_grounds(text: Execution) -> Iterator[str]:
    """Yield the clauses by which a trigger is noted.

    HTS-AMB-58: A coin acts on the player who rolled.
    """
    face = FACES[text.card]
    for trigger in face.triggers:
        if trigger.text == text.text:
            yield from ("HTS-TRIG-1", *TRIGGERS.get(trigger.event, ()))
            if face.kind in ("item", "cursed_item"):
                yield "HTS-AMB-58"
            if trigger.event == "modifier_played" and trigger.on_roll == "mine" and trigger.by == "others":
                yield "HTS-AMB-19"


def find_item_grounds(item: str, class_: str) -> Iterator[str]:
    """Yield the clauses about what an item does under its hero."""
    face = FACES[item]
    if masks := face.find_abilities("class"):
        yield "HTS-DO-26"
        yield "HTS-AMB-42" if masks[0].values[0] == class_ else "HTS-ITEM-9"
    if face.find_abilities("roll"):
        yield from ("HTS-DO-29", "HTS-ROLL-9")
    if face.find_abilities("sealed"):
        yield "HTS-DO-27"
    yield "HTS-ITEM-6"


def find_pass_grounds(table: Table) -> Iterator[str]:
    """Yield the clause by which the open window waits for every pass."""
    kind = table.agenda[-1].window_kind if table.agenda else ""
    if kind == "challenge":
        yield "HTS-AMB-1"
