"""Triggers: what an event sets off.

An event is judged on the table as it was when it happened. Each card in play that waits for this event queues one
text. Clauses: HTS-TRIG-1 to HTS-TRIG-7, HTS-STATE-9.
HTS-TRIG-1: What is triggered is noted and follows when the step under way is complete, before the one around it
    resumes.
HTS-TRIG-3: Several at once go clockwise by owner, the active player first. Owners decide the order of their own.
HTS-TRIG-5: Each fitting card or event triggers once. If the card concerned is no longer in its place, the trigger
    lapses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.language.primitives import Values
from referee.engine.events import Event
from referee.engine.steps import TriggerQueued
from referee.engine.zones import Cards, backs_of
from referee.games.here_to_slay.components import FACES
from referee.games.here_to_slay.events.cards import LotDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed, HeroSacrificed, HeroStolen, MonsterSlain
from referee.games.here_to_slay.events.plays import (
    ChallengeDeclared,
    DiceRolled,
    HeroEntered,
    MagicPlayed,
    ModifierPlayed,
    RollSettled,
    TargetsDeclared,
)
from referee.games.here_to_slay.events.turns import TurnStarted
from referee.games.here_to_slay.texts.faces import Trigger
from referee.games.here_to_slay.values import MONSTERS_TO_WIN

if TYPE_CHECKING:
    from referee.games.here_to_slay.state import Table

TRIGGERING_EVENTS = (
    MagicPlayed, ModifierPlayed, RollSettled, ChallengeDeclared, HeroDestroyed, HeroSacrificed, HeroStolen, HeroEntered,
    MonsterSlain, LotDrawn, TurnStarted, DiceRolled,
)  # fmt: skip


def collect_triggers(table: Table, event: Event) -> Iterable[Event]:
    """Yield the triggers that an event sets off, each as a text to be carried out.

    HTS-TRIG-1: What is triggered is noted and follows when the step under way is complete, before the one around it
        resumes.
    """
    if not isinstance(event, TRIGGERING_EVENTS):
        return ()
    match event:
        case MagicPlayed(seat=seat):
            return _collect_owner_triggers(table, "magic_played", seat, {})
        case ModifierPlayed(seat=seat, roller=roller):
            return _collect_owner_triggers(table, "modifier_played", seat, {"roller": (roller,)}, roller)
        case ChallengeDeclared(seat=seat, of=of):
            return _collect_owner_triggers(table, "challenged", of, {"challenger": (seat,)})
        case HeroDestroyed(seat=seat, by=by, put=put):
            old = _collect_owner_triggers(table, "hero_destroyed", seat, {})
            return (*old, *_collect_loss_triggers(table, "destroyed", put, seat, by))
        case HeroSacrificed(seat=seat, put=put):
            return _collect_loss_triggers(table, "sacrificed", put, seat, seat)
        case HeroStolen(seat=by, of=seat, put=put):
            return _collect_loss_triggers(table, "stolen", put, seat, by)
        case HeroEntered(seat=seat, put=put):
            return _collect_party_triggers(table, "hero_entered", seat, {"hero": put})
        case MonsterSlain(seat=seat, put=put) if len(table.monsters_slain_by(seat)) + 1 < MONSTERS_TO_WIN:
            return _collect_party_triggers(table, "monster_slain", seat, {"monster": put})
        case TurnStarted(seat=seat):
            return _collect_party_triggers(table, "turn_starts", seat, {}, active=seat)
        case DiceRolled(seat=seat):
            return _collect_party_triggers(table, "rolled", seat, {"roller": (seat,)})
        case LotDrawn(seat=seat, cards=cards) if cards:
            return _collect_draw_triggers(table, seat, tuple(cards))
        case RollSettled(seat=seat, kind="hero", about=hero, outcome="success" | "failure" as outcome):
            return _collect_roll_triggers(
                table, seat, hero, "roll_succeeded" if outcome == "success" else "roll_failed"
            )
    return ()


def _collect_owner_triggers(
    table: Table, event: str, whose: int, names: dict[str, Values], roller: int = -1
) -> Iterator[Event]:
    """Yield the triggers of leaders and slain monsters for an event of player `whose`."""
    for owner in table.seats_clockwise_from(table.active):
        for card in table.ability_cards_of(owner):
            for trigger in FACES[card].triggers:
                if trigger.event == event and _matches_trigger(table, trigger, owner, whose, roller):
                    yield TriggerQueued(build_text_execution(card, trigger.text, owner, names))


def _matches_trigger(table: Table, trigger: Trigger, owner: int, whose: int, roller: int = -1) -> bool:
    if trigger.on_roll == "mine" and roller != owner:
        return False
    if trigger.turn != "any" and (trigger.turn == "own") != (whose == table.active):
        return False
    return trigger.by == "anyone" or (trigger.by == "me") == (whose == owner)


def _collect_draw_triggers(table: Table, whose: int, lot: Cards) -> Iterator[Event]:
    """Yield what a draw sets off.

    Only the player who drew the cards finds out which they are.

    HTS-TRIG-6: Cards drawn together form one lot: when all are drawn, the owner of a drawing ability picks one of them
        or declines, and after each pick is asked about the rest.
    """
    for owner in table.seats_clockwise_from(table.active):
        cards = lot if owner == whose else backs_of(lot)
        for card in table.ability_cards_of(owner):
            for trigger in FACES[card].triggers:
                if trigger.event == "drawn" and _matches_trigger(table, trigger, owner, whose):
                    yield TriggerQueued(build_text_execution(card, trigger.text, owner, {"lot": cards}, ("lot",)))


def awaits_draws(table: Table, whose: int) -> bool:
    """Return whether a text in play waits for a player's draws."""
    return any(True for _ in _collect_draw_triggers(table, whose, ()))


def _collect_loss_triggers(table: Table, how: str, heroes: Cards, loser: int, cause: int) -> Iterator[Event]:
    """Yield what the loss of a hero sets off.

    HTS-TRIG-8: A card of a book may also wait for a turn to start, a hero to join a party, a hero to be lost
        (destroyed, sacrificed or stolen) or a monster to be slain. An item waits for what happens to the player of its
        hero.
    """
    names: dict[str, Values] = {"hero": heroes, "loser": (loser,), "cause": (cause,)}
    return _collect_party_triggers(table, "hero_lost", loser, names, how)


def _collect_party_triggers(
    table: Table, event: str, whose: int, names: dict[str, Values], how: str = "", active: int | None = None
) -> Iterator[Event]:
    """Yield the triggers of leaders, slain monsters and items for an event.

    HTS-TRIG-8: A card of a book may also wait for a turn to start, a hero to join a party, a hero to be lost
        (destroyed, sacrificed or stolen) or a monster to be slain. An item waits for what happens to the player of its
        hero.
    """
    if event not in table.rules.boxes.awaited_events:
        return  # so nobody has to know who has slain what
    for owner in table.seats_clockwise_from(table.active if active is None else active):
        items = tuple(item for hero in table.party_of(owner) if (item := table.item_of(hero)))
        for card in (*table.ability_cards_of(owner), *items):
            for trigger in FACES[card].triggers:
                fits = trigger.event == event and (not trigger.how or how in trigger.how)
                if fits and _matches_trigger(table, trigger, owner, whose):
                    yield TriggerQueued(build_text_execution(card, trigger.text, owner, names))


def _collect_roll_triggers(table: Table, seat: int, hero: str, event: str) -> Iterator[Event]:
    """Yield the triggers of a hero roll: the hero's item, then leaders and monsters.

    HTS-DO-46: When a roll for a hero's effect succeeds, Suspiciously Shiny Coin under that hero costs the roller a
        card, and the owner of Arctic Aries may draw one if the roll was their own.
    HTS-AMB-58: The item acts on the player who rolled, even if the effect has moved the hero away meanwhile.
    """
    names: dict[str, Values] = {"roller": (seat,), "hero": (hero,)}
    item = table.item_of(hero)
    for trigger in FACES[item].triggers if item else ():
        if trigger.event == event and item:
            yield TriggerQueued(build_text_execution(item, trigger.text, seat, names))
    yield from _collect_owner_triggers(table, event, seat, names, seat)


def build_text_execution(
    card: str, text: str, by: int, names: dict[str, Values] | None = None, secret: tuple[str, ...] = ()
) -> Execution:
    """Return the step that carries out a text of a card for a player.

    `names` are names that the text finds bound, besides `me` and `this`.
    """
    return Execution(card, text, by, 0, {"me": (by,), "this": (card,), **(names or {})}, secret)


def declare_targets(text: Execution) -> Iterator[Event]:
    """Yield the event that declares the targets a text has named in advance.

    HTS-ROLL-5: Targets known by then are declared after the dice and before modifiers.
    HTS-TGT-3: Between dice and modifiers the roller names the player, the heroes to destroy or steal, or for Holy
        Curselifter the cursed item. Meowzio and Tipsy Tootie name a player and that player's hero.
    """
    targets = {name: values for name, values in text.bound.items() if name not in ("me", "this")}
    if targets:
        yield TargetsDeclared(text.by, targets)
