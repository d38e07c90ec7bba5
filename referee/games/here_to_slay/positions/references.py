"""Check the steps of a position: seats, cards, texts, and whether steps fit.

Steps may be written as the codec encodes them. What passes here cannot make the rules fail unexpectedly.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cardscript.language.interpreter import Execution
from referee.cardscript.positions.steps import build_card_check, build_seat_check, check_step_fields
from referee.cardscript.questions import ChoicePrompt
from referee.engine.chance import Roll, Shuffle
from referee.engine.codec import DecodeError, encode, escape_name, quote_value
from referee.engine.steps import Frame, Step
from referee.engine.zones import Cards
from referee.games.here_to_slay.components import BOOK, DECK, FACES, MAIN_KINDS, MONSTERS, PROGRAMS
from referee.games.here_to_slay.events.plays import UnsettledRolls
from referee.games.here_to_slay.positions.names import check_bindings
from referee.games.here_to_slay.positions.questions import UndeterminedQuestion
from referee.games.here_to_slay.rules.announcing import PLAYED_KINDS
from referee.games.here_to_slay.rules.attacking import AttackRoll, MonsterTurnUp
from referee.games.here_to_slay.rules.drawing import HandNaming, HandReading
from referee.games.here_to_slay.rules.effect_frames import EffectFrame, OrderTriggers
from referee.games.here_to_slay.rules.hands import LEFT, SimultaneousGift
from referee.games.here_to_slay.rules.hero_removal import ReplacementOffer
from referee.games.here_to_slay.rules.playing import (
    ChallengeWindow,
    EquipChoice,
    FreeRoll,
    MagicDisposal,
    PlayResolution,
    RollOff,
)
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow, Throw
from referee.games.here_to_slay.rules.setup import BoxLeaders, Deal, FirstPickRoll, FirstTurn, PickLeaders
from referee.games.here_to_slay.rules.turn import Turn, TurnEnd, TurnStart
from referee.games.here_to_slay.state import NOBODY, Table
from referee.games.here_to_slay.texts.verbs_of_heroes import AddValue

SEAT_FIELDS = ("seat", "by", "to", "of", "waiting", "passed", "order", "contenders", "roller")
CARD_FIELDS = ("card", "cards", "hero", "item", "about", "mark", "source", "before")
FREE_FIELDS = ("bound", "declared", "noun", "said")  # fields that may hold cards, seats or numbers
SHORT_NAMES = {"waiting": "seats"}  # names of step fields in short forms
BOTTOM_STEPS = (Turn, TurnStart, TurnEnd, FirstTurn, UndeterminedQuestion)  # steps that may lie beneath all others
FRAMELESS_STEPS = (
    *BOTTOM_STEPS, Frame, MonsterTurnUp, Shuffle, HandNaming, HandReading, BoxLeaders, FirstPickRoll, PickLeaders, Deal,
)  # fmt: skip
CARD_KINDS_BY_STEP: tuple[tuple[type[Step], str, tuple[str, ...]], ...] = (  # the kinds that a step's card may have
    (ChallengeWindow, "card", PLAYED_KINDS),
    (RollOff, "card", PLAYED_KINDS),
    (PlayResolution, "card", PLAYED_KINDS),
    (MagicDisposal, "card", MAIN_KINDS),
    (FreeRoll, "hero", ("hero",)),
    (EquipChoice, "item", ("item", "cursed_item")),
)


def collect_pending_cards(agenda: tuple[Step, ...]) -> Cards:
    """Return the cards that pending steps hold, in the order they were played.

    HTS-ZONE-5: A card that is being played is pending: face up, out of the hand and not yet on any pile, so nobody can
        pull it, search for it or shuffle it in.
    """
    cards: list[str] = []
    for step in agenda:
        match step:
            case RollOff():
                cards += [step.card, "challenge"]
            case ChallengeWindow() | PlayResolution() | MagicDisposal():
                cards.append(step.card)
            case EquipChoice():
                cards.append(step.item)
    return tuple(cards)


def is_card_of_kind(table: Table, card: str, *kinds: str) -> bool:
    """Return whether the box that is played with has this card, of one of these kinds."""
    return card in table.rules.boxes.all_cards and FACES[card].kind in kinds


def check_steps(agenda: tuple[Step, ...], beneath: int, table: Table) -> None:
    """Raise DecodeError if a pending step makes no sense, with its place.

    `beneath` is the number of steps that come from `pending_steps`. The others come from the question.
    """
    in_box, seats = build_card_check(table.rules.boxes.all_cards), table.rules.seats
    fields = dict.fromkeys(SEAT_FIELDS, build_seat_check(seats)) | {"item_to": build_seat_check(seats, NOBODY)}
    fields |= dict.fromkeys((*CARD_FIELDS, *map(str, range(seats))), in_box)  # answers are listed by seat
    for at, step in enumerate(agenda):
        pointer = f"/pending_steps/{beneath - 1 - at}" if at < beneath else "/question"
        if not step.TAG.startswith(("hts.", "cards.")) and not isinstance(step, Shuffle):
            raise DecodeError(f"{pointer}/type", f"{step.TAG} is not a step of this game")
        if isinstance(step, UndeterminedQuestion) and not BOOK.has_text(step.need):
            raise DecodeError(f"{pointer}/need", "no information with this name can be asked for")
        _check_answers(step, table, pointer)
        passes_left = {"to": build_seat_check(seats, LEFT)} if isinstance(step, SimultaneousGift) else {}
        check_step_fields(encode(step), fields | passes_left, pointer, FREE_FIELDS)
        for kind, name, allowed in CARD_KINDS_BY_STEP:
            if isinstance(step, kind) and not is_card_of_kind(table, getattr(step, name), *allowed):
                raise DecodeError(
                    f"{pointer}/{name}", f"{quote_value(getattr(step, name))} is not a card that fits here"
                )
        if isinstance(step, UnsettledRolls):
            _check_roll(step, table, pointer)
        for text in _iterate_texts(step):
            _check_text(text, agenda[:at], table, pointer)
        _check_context(step, agenda[:at], pointer)
    picks_to_come = any(isinstance(step, FirstPickRoll | PickLeaders) for step in agenda)
    if any(isinstance(step, FirstTurn) for step in agenda) and not (picks_to_come or table.picked):
        raise DecodeError("/picked", "is missing: the player who picked a leader last has the first turn")
    if agenda and not isinstance(agenda[0], BOTTOM_STEPS):
        raise DecodeError("/pending_steps", "the turn is missing: it lies beneath all other steps, so list it last")


def check_delayed_texts(table: Table) -> None:
    """Raise DecodeError unless the texts that were put off exist."""
    for at, each in enumerate(table.later):
        _check_text(each.text, (), table, f"/later/{at}")


def _check_answers(step: Step, table: Table, pointer: str) -> None:
    for seat in getattr(step, "given", ()):
        if not (seat.isdigit() and int(seat) < table.rules.seats):
            raise DecodeError(f"{pointer}/given/{escape_name(seat)}", "list the answers by seat number")


def _iterate_texts(step: Step) -> Iterator[Execution]:
    if isinstance(step, Execution):
        yield step
    elif isinstance(step, Frame):
        yield from (text for text in step.noted if isinstance(text, Execution))


def _choose_member_name(pointer: str, short: str, kept: str) -> str:
    """Return the name of a part: in a short form, or in a stored step."""
    return short if pointer == "/question" or pointer.startswith("/later/") else kept


def _check_text(text: Execution, beneath: tuple[Step, ...], table: Table, pointer: str) -> None:
    """Raise DecodeError unless a card has such a text, and the roll it needs is there."""
    lines = PROGRAMS.get((text.card, text.text))
    if lines is None or not 0 <= text.at <= len(lines):
        raise DecodeError(pointer, f"{text.card} has no such line in its text {quote_value(text.text)}")
    check_bindings(
        text.card, text.text, text.bound, table.rules, f"{pointer}/{_choose_member_name(pointer, 'known', 'bound')}"
    )
    of_a_roll = text.declaring or any(isinstance(line.effect, AddValue) for line in lines)
    if of_a_roll and not any(isinstance(each, UnsettledRolls) for each in beneath):
        raise DecodeError(pointer, "the roll that this text is about must lie beneath it, but is missing")


def _check_roll(step: UnsettledRolls, table: Table, pointer: str) -> None:
    kinds = {HeroRoll: ["hero"], AttackRoll: ["attack"], RollOff: ["challenger", "challenged"]}[type(step)]
    if [cast.kind for cast in step.casts] != kinds:
        raise DecodeError(f"{pointer}/casts", f"this needs rolls of these kinds: {', '.join(kinds)}")
    allowed = {"hero": ("hero",), "attack": ("monster",)}.get(kinds[0], PLAYED_KINDS)
    if any(not is_card_of_kind(table, cast.about, *allowed) for cast in step.casts):
        raise DecodeError(f"{pointer}/casts", "a roll must be about a hero, a monster or a card being played")
    if len({cast.seat for cast in step.casts}) != len(step.casts):
        raise DecodeError(pointer, "players cannot challenge themselves")
    if isinstance(step, HeroRoll):
        where = _choose_member_name(pointer, "roll/targets", "declared")
        check_bindings(step.casts[0].about, "does", step.declared, table.rules, f"{pointer}/{where}")


def _check_context(step: Step, beneath: tuple[Step, ...], pointer: str) -> None:
    """Raise DecodeError unless the steps that a step relies on lie beneath it."""
    needed: list[type[Step]] = [] if isinstance(step, FRAMELESS_STEPS) else [Frame]
    if isinstance(step, ModifierWindow | Throw):
        needed.append(UnsettledRolls)
    if isinstance(step, ChoicePrompt) or bool(getattr(step, "called", None)):
        needed.append(Execution)
    for kind in needed:
        if not any(isinstance(each, kind) for each in beneath):
            raise DecodeError(pointer, "a step that this depends on must lie beneath it, but is missing")
    if isinstance(step, Roll) and (step.dice, step.sides) != ((1, 6) if isinstance(step, FirstPickRoll) else (2, 6)):
        raise DecodeError(pointer, "two six-sided dice must be rolled, or one for the first pick")
    for name in ("waiting", "order", "contenders"):
        if len(set(seats := getattr(step, name, ()))) != len(seats):
            raise DecodeError(
                f"{pointer}/{_choose_member_name(pointer, SHORT_NAMES.get(name, name), name)}",
                "name each seat only once",
            )
    if isinstance(step, HandNaming) and step.count < 1:
        raise DecodeError(f"{pointer}/count", "at least one card must be named")
    if isinstance(step, FirstPickRoll) and not len(step.cast) < len(step.contenders):
        raise DecodeError(f"{pointer}/cast", "everybody has already rolled, so no roll is due")
    if isinstance(step, Shuffle) and step.where not in (DECK, MONSTERS):
        raise DecodeError(f"{pointer}/where", f"{DECK} or {MONSTERS} is needed")
    if isinstance(step, ReplacementOffer) and (step.card, step.text) not in PROGRAMS:
        raise DecodeError(pointer, f"{step.card} has no such text")
    if isinstance(step, OrderTriggers):
        frame = beneath[-1] if beneath else None
        own = (
            {text.card for text in _iterate_texts(frame) if text.by == step.seat}
            if isinstance(frame, EffectFrame)
            else set()
        )
        if not own or own != {*step.cards}:
            raise DecodeError(pointer, "the waiting texts must be those of the frame directly beneath")
