"""Clauses that act in the course of a legal move, for rulings.

Events cite what always holds of them, and entries of the log are audited by that. A ruling says more: why a trigger is
there, what steps in, where a lasting bonus comes from. Only what everybody sees is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.language.interpreter import Execution
from referee.engine.events import Event, Move, apply_events
from referee.engine.prompts import TimedOut
from referee.engine.reasons.grounds import ground
from referee.engine.steps import TriggerQueued
from referee.games.here_to_slay.components import DISCARD, FACES, MONSTERS
from referee.games.here_to_slay.events.cards import CardTaken, DeckRenewed
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
    PlayLost,
    PlayStood,
    RollSettled,
    TargetsDeclared,
    WindowPassed,
)
from referee.games.here_to_slay.events.turns import GameWon, LastingEffectBegan, MonsterTurnedUp
from referee.games.here_to_slay.rules.attacking import MonsterTurnUp
from referee.games.here_to_slay.rules.hero_removal import ReplacementOffer
from referee.games.here_to_slay.rules.playing import RollOff
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
    **dict.fromkeys(("turn_starts", "hero_entered", "hero_lost", "monster_slain"), ("HTS-TRIG-8",)),
    "rolled": ("HTS-AGAIN-1",),
}
LASTING: dict[str, tuple[str, ...]] = {
    "roll_bonus": ("HTS-DO-30", "HTS-AMB-21"),
    "no_challenge": ("HTS-DO-33", "HTS-AMB-7"),
    "no_destroy": ("HTS-DO-23", "HTS-PROT-2", "HTS-AMB-40"),
    "no_steal": ("HTS-DO-24", "HTS-PROT-2", "HTS-AMB-40"),
    **dict.fromkeys(("no_attack", "no_challenging", "no_modifying"), ("HTS-CANNOT-1",)),
}


@ground(Table, Move)
def find_course_grounds(table: Table, _move: Move, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield the clauses that act in the events of a legal move. Raises Undetermined."""
    yield from find_gap_grounds(table, events)
    if sum(isinstance(event, TriggerQueued) for event in events) > 1:
        yield "HTS-TRIG-5"
    compared = sacrificed = False
    for event in events:
        match event:
            case TriggerQueued(step=Execution() as text):
                yield from find_trigger_grounds(text)
            case RollSettled(outcome="compared", seat=seat):
                compared = True
                yield from ("HTS-AMB-9",) if has_challenge_bonus(table, seat) else ()
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
            case ReplacementApplied(card=card, hero=hero, verb=verb):
                yield {"sacrifice": "HTS-DO-22", "steal": "HTS-REPL-6"}.get(verb, "HTS-DO-21")
                offer = table.agenda[-1]
                if isinstance(offer, ReplacementOffer) and offer.item_to >= 0 and table.item_of(hero):
                    yield "HTS-AMB-38"
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
            case DeckRenewed():
                yield "HTS-EDGE-4"
            case TargetsDeclared():
                yield "HTS-AMB-15"
            case PlayLost(put=(card,), seat=seat):
                yield from find_lost_play_grounds(table, seat, card)
            case MonsterTurnedUp():
                yield from ("HTS-MON-10", "HTS-AMB-66") if table.turns else ("HTS-SETUP-6",)
            case GameWon(way="six_classes"):
                yield from ("HTS-WIN-3", "HTS-AMB-61", "HTS-TURN-8")
            case WindowPassed():
                yield from find_pass_grounds(table)


def find_gap_grounds(table: Table, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield the clauses by which a gap in the row stays a gap.

    HTS-DECK-2: Once the monster deck has run out, a gap in the row stays a gap.
    """
    slain = any(isinstance(event, MonsterSlain) for event in events)
    if not slain and not any(isinstance(step, MonsterTurnUp) for step in table.agenda):
        return
    if table.open_cards_at(MONSTERS) or any(isinstance(event, MonsterTurnedUp | GameWon) for event in events):
        return
    if not any(isinstance(step, MonsterTurnUp) for step in apply_events(table, events).agenda):
        yield from ("HTS-DECK-2", "HTS-EDGE-4", "HTS-AMB-65")


def find_trigger_grounds(text: Execution) -> Iterator[str]:
    """Yield the clauses by which a trigger is noted.

    HTS-AMB-58: A coin acts on the player who rolled.
    """
    face = FACES[text.card]
    for trigger in face.triggers:
        if trigger.text == text.text:
            yield from ("HTS-TRIG-1", *TRIGGERS.get(trigger.event, ()))
            if face.kind in ("item", "cursed_item") and trigger.event.startswith("roll_"):
                yield "HTS-AMB-58"
            if trigger.event == "modifier_played" and trigger.on_roll == "mine" and trigger.by == "others":
                yield "HTS-AMB-19"
            if trigger.event == "modifier_played" and trigger.by == "anyone":
                yield "HTS-AMB-20"


def find_lost_play_grounds(table: Table, seat: int, card: str) -> Iterator[str]:
    """Yield the clauses by which a card that was stopped was not played.

    HTS-NEST-4: If a card played by a text is lost to a challenge, the text continues as though nothing had been played.
    HTS-AMB-10: What waits for a card to be played does not count it.
    """
    nested = any(isinstance(step, RollOff) and step.called for step in table.agenda)
    waiting = (trigger.event for own in table.ability_cards_of(seat) for trigger in FACES[own].triggers)
    if nested:
        yield "HTS-NEST-4"
    if nested or (FACES[card].kind == "magic" and "magic_played" in waiting):
        yield "HTS-AMB-10"


def has_challenge_bonus(table: Table, seat: int) -> bool:
    """Return whether a leader or slain monster counts on this side of the challenge.

    HTS-AMB-9: The Fist of Reason counts when its owner challenges, Titan Wyvern on both sides.
    """
    casts = [cast for step in table.agenda if isinstance(step, RollOff) for cast in step.casts if cast.seat == seat]
    own = table.ability_cards_of(seat)
    return any(card in own for cast in casts for card, _ in table.list_standing_values(cast))


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


@ground(Table, TimedOut)
def find_clock_grounds(_table: Table, _move: Move, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield the clause by which the clock answers.

    HTS-AMB-76: When a clock runs out, the player passes or declines, a duty takes the first legal answer, and a turn
        ends.
    """
    yield "HTS-AMB-76"


def find_pass_grounds(table: Table) -> Iterator[str]:
    """Yield the clause by which the open window waits for every pass."""
    kind = table.agenda[-1].window_kind if table.agenda else ""
    if kind == "challenge":
        yield "HTS-AMB-1"
