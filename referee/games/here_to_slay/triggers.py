"""What a fact sets off, and in which order (HTS-TRIG-1 to HTS-TRIG-7, HTS-STATE-9).

A fact is looked at on the table as it was when it happened; each card in play whose event it is notes one text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.language.primitives import Values
from referee.engine.events import Event
from referee.engine.steps import Noted
from referee.games.here_to_slay.components import FACES
from referee.games.here_to_slay.events.cards import LotDrawn
from referee.games.here_to_slay.events.heroes import HeroDestroyed
from referee.games.here_to_slay.events.plays import (
    ChallengeDeclared,
    MagicPlayed,
    ModifierPlayed,
    RollSettled,
    TargetsDeclared,
)
from referee.games.here_to_slay.texts.faces import Trigger

if TYPE_CHECKING:
    from referee.games.here_to_slay.state import Table

SETTING_OFF = (MagicPlayed, ModifierPlayed, RollSettled, ChallengeDeclared, HeroDestroyed, LotDrawn)


def noticed(table: Table, fact: Event) -> Iterable[Event]:
    """The triggers that a fact sets off, each as a text to be carried out at the end of the frame (HTS-TRIG-1)."""
    if not isinstance(fact, SETTING_OFF):
        return ()
    match fact:
        case MagicPlayed(seat=seat):
            return _of_owners(table, "magic_played", seat, {})
        case ModifierPlayed(seat=seat, roller=roller):
            return _of_owners(table, "modifier_played", seat, {"roller": (roller,)}, roller)
        case ChallengeDeclared(seat=seat, of=of):
            return _of_owners(table, "challenged", of, {"challenger": (seat,)})
        case HeroDestroyed(seat=seat):
            return _of_owners(table, "hero_destroyed", seat, {})
        case LotDrawn(seat=seat, cards=cards) if cards:
            return _of_owners(table, "drawn", seat, {"lot": tuple(cards)}, secret=("lot",))
        case RollSettled(seat=seat, kind="hero", about=hero, outcome="success" | "failure" as outcome):
            return _of_a_roll(table, seat, hero, "roll_succeeded" if outcome == "success" else "roll_failed")
    return ()


def _of_owners(
    table: Table, event: str, whose: int, names: dict[str, Values], roller: int = -1, secret: tuple[str, ...] = ()
) -> Iterator[Event]:
    """Of every leader and slain monster that waits for an event which is that of `whose`."""
    for owner in table.clockwise(table.active):
        for card in table.abilities(owner):
            for trigger in FACES[card].triggers:
                if trigger.event == event and _meant(trigger, owner, whose, roller):
                    yield Noted(text_of(card, trigger.text, owner, names, secret))


def _meant(trigger: Trigger, owner: int, whose: int, roller: int) -> bool:
    if trigger.on_roll == "mine" and roller != owner:
        return False
    return trigger.by == "anyone" or (trigger.by == "me") == (whose == owner)


def _of_a_roll(table: Table, seat: int, hero: str, event: str) -> Iterator[Event]:
    """Of a hero roll: the item under the hero acts on the roller, monsters as they say (HTS-DO-46, HTS-AMB-58)."""
    names: dict[str, Values] = {"roller": (seat,), "hero": (hero,)}
    item = table.item_of(hero)
    for trigger in FACES[item].triggers if item else ():
        if trigger.event == event and item:
            yield Noted(text_of(item, trigger.text, seat, names))
    yield from _of_owners(table, event, seat, names, seat)


def text_of(
    card: str, text: str, by: int, names: dict[str, Values] | None = None, secret: tuple[str, ...] = ()
) -> CarryOut:
    """A text of a card, to be carried out for a player, with what it finds named."""
    return CarryOut(card, text, by, 0, {"me": (by,), "this": (card,), **(names or {})}, secret)


def declared(text: CarryOut) -> Iterator[Event]:
    """The targets that a text has named in advance (HTS-ROLL-5, HTS-TGT-3)."""
    targets = {name: values for name, values in text.bound.items() if name not in ("me", "this")}
    if targets:
        yield TargetsDeclared(text.by, targets)
