"""Cite what acts while card texts are carried out, for rulings.

It looks at the lines that were carried out, at what lapsed, and at what a player could decline. All that is open to
everybody. Clauses: HTS-DO-2, HTS-DO-3, HTS-DO-8, HTS-DO-32, HTS-DO-39, HTS-DO-41 to HTS-DO-43, HTS-MAY-4, HTS-EACH-3,
HTS-EDGE-2, HTS-TGT-4, HTS-TRIG-7, HTS-LEAD-5, HTS-AMB-16, HTS-AMB-25, HTS-AMB-46, HTS-AMB-47, HTS-AMB-49, HTS-AMB-55,
HTS-AMB-56, HTS-AMB-60, HTS-AMB-68.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from referee.cardscript.language.builtins import Choose, ForEach, OfferTo, Stop
from referee.cardscript.language.interpreter import Execution, NameBound, NothingToChoose
from referee.cardscript.language.primitives import CardEffect, PlayerSelector, Program
from referee.cardscript.moves import Accept, ChooseCard, Decline
from referee.cardscript.questions import ChoicePrompt, OfferPrompt
from referee.engine.events import Event, Move
from referee.engine.reasons.grounds import ground
from referee.engine.steps import StepPushed, StepReplaced
from referee.games.here_to_slay.components import FACES
from referee.games.here_to_slay.events.cards import CardGiven, DeckRenewed, DeckTopLookedAt, EffectLapsed
from referee.games.here_to_slay.rules.drawing import LookingAtDeck
from referee.games.here_to_slay.rules.hands import SimultaneousDiscard, SimultaneousGift
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.nouns import OpponentSelector
from referee.games.here_to_slay.texts.verbs_of_cards import (
    DiscardCards,
    DrawCards,
    DrawToSize,
    GiveCards,
    LookAtHand,
    PullCards,
    TakeFromHand,
)
from referee.games.here_to_slay.texts.verbs_of_heroes import RollAtOnce

OUT_OF_HANDS = (PullCards, LookAtHand, DiscardCards)
PARTS_THAT_MAY_LAPSE = ("HTS-AMB-46", "HTS-AMB-47")  # cited of the cards that name them
OF_TARGETS = ("destroy", "steal", "discard", "pull", "look", "item")  # parts that are done to a target
LOOKED_AT = 3  # cards of the deck, at most


@dataclass(frozen=True)
class Run:
    """A line of a card text that was carried out, and the events up to the next line."""

    text: Execution
    lines: Program
    at: int
    events: tuple[Event, ...]

    @property
    def effect(self) -> CardEffect:
        """The word of the line."""
        return self.lines[self.at].effect

    @property
    def loop(self) -> ForEach | None:
        """The innermost loop that the line is in, or None."""
        found = [
            line.effect
            for at, line in enumerate(self.lines)
            if isinstance(line.effect, ForEach) and at < self.at < line.jump
        ]
        return found[-1] if found else None


def find_runs(table: Table, events: tuple[Event, ...]) -> Iterator[Run]:
    """Yield the lines that were carried out.

    A text that ends early jumps over its other lines. They are not carried out.
    """
    begins = [
        at for at, event in enumerate(events) if isinstance(event, StepReplaced) and isinstance(event.step, Execution)
    ]
    stops = False
    for at, end in pairwise((*begins, len(events))):
        event, before = events[at], events[at - 1] if at else None
        assert isinstance(event, StepReplaced)
        text = event.step
        assert isinstance(text, Execution)
        jumps = stops or (isinstance(before, EffectLapsed) and before.what == "cost")
        lines = table.find_program(text.card, text.text)
        if text.at and not jumps:
            yield Run(text, lines, text.at - 1, events[at + 1 : end])
        stops = not jumps and bool(text.at) and isinstance(lines[text.at - 1].effect, Stop)


@ground(Table, Move)
def find_text_grounds(table: Table, _move: Move, events: tuple[Event, ...]) -> Iterator[str]:
    """Yield the clauses that act in the lines of texts that a legal move carries out."""
    for run in find_runs(table, events):
        yield from cite_line(table, run)
        yield from cite_lapse(run)
    for at, event in enumerate(events):
        if isinstance(event, DeckTopLookedAt) and is_short_look(table, event, events[:at]):
            yield "HTS-AMB-60"


def is_short_look(table: Table, look: DeckTopLookedAt, before: tuple[Event, ...]) -> bool:
    """Return whether the deck had too few cards to look at, or was rebuilt.

    HTS-AMB-60: With one or two cards left, those are looked at. With none, the discard pile is shuffled first.
    """
    renewed = any(isinstance(event, DeckRenewed) for event in before)
    pending = any(isinstance(step, LookingAtDeck) for step in table.agenda)  # its deck was shuffled meanwhile
    return len(look.cards) < LOOKED_AT or renewed or pending


def cite_line(table: Table, run: Run) -> Iterator[str]:
    """Yield the clauses of a line that was carried out."""
    effect, loop = run.effect, run.loop
    match effect:
        case DrawToSize():
            yield "HTS-DO-2"
        case TakeFromHand() if any(isinstance(event, CardGiven) for event in run.events):
            yield "HTS-DO-8"
        case RollAtOnce():
            yield from ("HTS-DO-32", "HTS-AMB-25")
        case PullCards() if any(isinstance(line.effect, PullCards) for line in run.lines[: run.at]):
            yield "HTS-AMB-56"
        case OfferTo(who=who) if who.name != "me" and isinstance(run.lines[run.at + 1].effect, DrawCards):
            yield "HTS-DO-3"
        case Choose() if any(isinstance(event, NameBound) and event.values for event in run.events[:1]):
            yield "HTS-AMB-55"
    if loop is not None and loop.in_ in find_discard_names(run.lines):
        yield "HTS-DO-42"
    meant = getattr(effect, "who", None)
    if isinstance(meant, PlayerSelector):
        yield from cite_players(meant)
        if meant.name == "others" and isinstance(effect, DiscardCards | GiveCards):
            yield from cite_skipped_players(table, run)
    if loop is not None and loop.noun is not None:
        yield from cite_players(PlayerSelector(noun=loop.noun))


def find_discard_names(lines: Program) -> set[str]:
    """Return the names that a text gives to cards discarded for it."""
    return {line.effect.called for line in lines if isinstance(line.effect, DiscardCards)}


def cite_players(who: PlayerSelector) -> Iterator[str]:
    """Yield the clauses by which several other players are meant.

    HTS-DO-39: A text about all other players affects each of them, clockwise.
    HTS-DO-41: Some texts affect only other players with a certain class in the party.
    """
    if who.name == "others":
        yield "HTS-DO-39"
    elif isinstance(who.noun, OpponentSelector) and who.noun.class_:
        yield from ("HTS-DO-39", "HTS-DO-41")


def cite_skipped_players(table: Table, run: Run) -> Iterator[str]:
    """Yield the clauses by which a player with an empty hand is not asked.

    HTS-EACH-3: A player who has nothing to choose is skipped.
    HTS-EDGE-2: From an empty hand nothing is discarded. Its player is not asked.
    """
    asking = [event.step for event in run.events if isinstance(event, StepPushed)]
    for step in asking:
        if isinstance(step, SimultaneousDiscard | SimultaneousGift):
            skipped = set(table.other_seats(run.text.by)) - set(step.waiting)
            yield from ("HTS-EACH-3", "HTS-EDGE-2") if skipped else ()


def cite_lapse(run: Run) -> Iterator[str]:
    """Yield the clauses by which a part of a text lapses.

    HTS-EDGE-2: From an empty hand nothing is pulled, looked at or discarded.
    HTS-TGT-4: A named target stays the target. If it can no longer be affected when its part comes, that part lapses.
    """
    lapsed = [event for event in run.events if isinstance(event, EffectLapsed | NothingToChoose)]
    if not lapsed:
        return
    if isinstance(run.effect, OUT_OF_HANDS):
        yield "HTS-EDGE-2"
    named = any(line.declared for line in run.lines)
    if named and any(isinstance(event, EffectLapsed) and event.what in OF_TARGETS for event in lapsed):
        yield from ("HTS-TGT-4", "HTS-AMB-16")
    yield from (clause for clause in PARTS_THAT_MAY_LAPSE if clause in FACES[run.text.card].clauses)


# ---- what a player may decline -------------------------------------------------------------------------------


@ground(Table, Accept, Decline, ChooseCard)
def find_option_grounds(table: Table, move: Move, _events: tuple[Event, ...]) -> Iterator[str]:
    """Yield the clauses by which a text asks a player who may say no.

    HTS-DO-43: Where a text only permits, the player is asked and may decline.
    HTS-MAY-4: A player who has taken up an option must also do what the text attaches to it.
    """
    top = table.agenda[-1] if table.agenda else None
    if not isinstance(top, OfferPrompt) and not (isinstance(top, ChoicePrompt) and top.optional):
        return
    text = next(step for step in reversed(table.agenda) if isinstance(step, Execution))
    face = FACES[text.card]
    yield "HTS-DO-43"
    if not isinstance(move, Decline) and any(
        line.when == top.called for line in table.find_program(text.card, text.text)
    ):
        yield "HTS-MAY-4"
    if "HTS-AMB-49" in face.clauses:
        yield "HTS-AMB-49"
    if face.kind in ("leader", "monster") and any(trigger.text == text.text for trigger in face.triggers):
        yield from ("HTS-TRIG-7", "HTS-AMB-68")
        yield from ("HTS-LEAD-5",) if face.kind == "leader" else ()
