"""Whether the steps of a position make sense: seats, cards and texts that exist, steps where they belong.

Steps may be written as the codec has them; whatever passes here can be asked about without an accident.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.positions.schema_check import suggestion
from referee.cardscript.questions import Choosing
from referee.engine.chance import Roll, Shuffle
from referee.engine.codec import Unreadable, encode
from referee.engine.steps import Frame, Step
from referee.engine.zones import Cards, is_back
from referee.games.here_to_slay.components import BOOK, DECK, FACES, MAIN_KINDS, MONSTERS, PROGRAMS
from referee.games.here_to_slay.events.plays import Rolling
from referee.games.here_to_slay.positions.names import check_bound
from referee.games.here_to_slay.positions.question_codec import Unsaid
from referee.games.here_to_slay.rules.announcing import PLAYED
from referee.games.here_to_slay.rules.attacking import AttackRoll, TurnUp
from referee.games.here_to_slay.rules.drawing import Naming, Reading
from referee.games.here_to_slay.rules.effect_frames import Carried, OrderTriggers
from referee.games.here_to_slay.rules.hero_removal import Instead
from referee.games.here_to_slay.rules.playing import ChallengeWindow, Equip, FreeRoll, MagicEnds, Playing, RollOff
from referee.games.here_to_slay.rules.rolling import HeroRoll, ModifierWindow, Throw
from referee.games.here_to_slay.rules.setup import BoxLeaders, CastForPick, Deal, FirstTurn, PickLeaders
from referee.games.here_to_slay.rules.turn import Turn, TurnBegins, TurnEnds
from referee.games.here_to_slay.state import Table
from referee.games.here_to_slay.texts.verbs_of_heroes import AddValue

SEATS = ("seat", "by", "to", "of", "waiting", "passed", "order", "contenders", "item_to", "roller")
CARDS = ("card", "cards", "hero", "item", "about", "mark", "source", "given", "before")
FREE = ("bound", "declared", "noun", "said")  # what stands here may be a card, a seat or a number
SHORT = {"waiting": "seats"}  # what a field of a step is called in a short form
BOTTOM = (Turn, TurnBegins, TurnEnds, FirstTurn, Unsaid)  # what lies beneath everything
WITHOUT_FRAME = (
    *BOTTOM, Frame, TurnUp, Shuffle, Naming, Reading, BoxLeaders, CastForPick, PickLeaders, Deal,
)  # fmt: skip
OF_KIND: tuple[tuple[type[Step], str, tuple[str, ...]], ...] = (  # what a step's card has to be
    (ChallengeWindow, "card", PLAYED),
    (RollOff, "card", PLAYED),
    (Playing, "card", PLAYED),
    (MagicEnds, "card", MAIN_KINDS),
    (FreeRoll, "hero", ("hero",)),
    (Equip, "item", ("item", "cursed_item")),
)


def held(agenda: tuple[Step, ...]) -> Cards:
    """The cards that pending steps hold, in the order in which they were played (HTS-ZONE-5)."""
    cards: list[str] = []
    for step in agenda:
        match step:
            case RollOff():
                cards += [step.card, "challenge"]
            case ChallengeWindow() | Playing() | MagicEnds():
                cards.append(step.card)
            case Equip():
                cards.append(step.item)
    return tuple(cards)


def is_of(table: Table, card: str, *kinds: str) -> bool:
    """Whether a card of one of these kinds is in the box that is played with."""
    return card in table.rules.boxes.whole and FACES[card].kind in kinds


def senseless(agenda: tuple[Step, ...], beneath: int, table: Table) -> None:
    """Raises Unreadable where a pending step makes no sense, with its place.

    `beneath` is how many of the steps a position names as pending; the question stands for the rest.
    """
    for at, step in enumerate(agenda):
        pointer = f"/pending_steps/{beneath - 1 - at}" if at < beneath else "/question"
        if not step.TAG.startswith(("hts.", "cards.")) and not isinstance(step, Shuffle):
            raise Unreadable(f"{pointer}/type", f"{step.TAG} is no step of this game")
        if isinstance(step, Unsaid) and not BOOK.has(step.need):
            raise Unreadable(f"{pointer}/need", "nothing of that name can be asked for")
        _check_names(encode(step), table, pointer)
        for kind, name, allowed in OF_KIND:
            if isinstance(step, kind) and not is_of(table, getattr(step, name), *allowed):
                raise Unreadable(f"{pointer}/{name}", f"no card that fits here is called {getattr(step, name)!r}")
        if isinstance(step, Rolling):
            _check_roll(step, table, pointer)
        for text in _texts(step):
            _check_text(text, agenda[:at], table, pointer)
        _check_place(step, agenda[:at], pointer)
    if agenda and not isinstance(agenda[0], BOTTOM):
        raise Unreadable("/pending_steps", "the turn is missing beneath everything else")


def _texts(step: Step) -> Iterator[CarryOut]:
    if isinstance(step, CarryOut):
        yield step
    elif isinstance(step, Frame):
        yield from (text for text in step.noted if isinstance(text, CarryOut))


def _named(pointer: str, short: str, kept: str) -> str:
    """What a part is called: in the short form of a question, or in a step as the referee keeps it."""
    return short if pointer == "/question" else kept


def _check_text(text: CarryOut, beneath: tuple[Step, ...], table: Table, pointer: str) -> None:
    """Whether a card has such a text, and what it speaks of is there."""
    lines = PROGRAMS.get((text.card, text.text))
    if lines is None or not 0 <= text.at <= len(lines):
        raise Unreadable(pointer, f"{text.card} has no such line in a text called {text.text!r}")
    check_bound(text.card, text.text, text.bound, table.rules, f"{pointer}/{_named(pointer, 'known', 'bound')}")
    of_a_roll = text.declaring or any(isinstance(line.word, AddValue) for line in lines)
    if of_a_roll and not any(isinstance(each, Rolling) for each in beneath):
        raise Unreadable(pointer, "the roll that this text is about is missing beneath it")


def _check_roll(step: Rolling, table: Table, pointer: str) -> None:
    kinds = {HeroRoll: ["hero"], AttackRoll: ["attack"], RollOff: ["challenger", "challenged"]}[type(step)]
    if [cast.kind for cast in step.casts] != kinds:
        raise Unreadable(f"{pointer}/casts", f"rolls of these kinds are needed: {', '.join(kinds)}")
    allowed = {"hero": ("hero",), "attack": ("monster",)}.get(kinds[0], PLAYED)
    if any(not is_of(table, cast.about, *allowed) for cast in step.casts):
        raise Unreadable(f"{pointer}/casts", "a roll is about a hero, a monster or a card being played")
    if len({cast.seat for cast in step.casts}) != len(step.casts):
        raise Unreadable(pointer, "nobody challenges themselves")
    if isinstance(step, HeroRoll):
        where = _named(pointer, "roll/targets", "declared")
        check_bound(step.casts[0].about, "does", step.declared, table.rules, f"{pointer}/{where}")


def _check_place(step: Step, beneath: tuple[Step, ...], pointer: str) -> None:
    """Whether what a step goes on with lies beneath it."""
    needed: list[type[Step]] = [] if isinstance(step, WITHOUT_FRAME) else [Frame]
    if isinstance(step, ModifierWindow | Throw):
        needed.append(Rolling)
    if isinstance(step, Choosing) or bool(getattr(step, "called", None)):
        needed.append(CarryOut)
    for kind in needed:
        if not any(isinstance(each, kind) for each in beneath):
            raise Unreadable(pointer, "what this goes on with is missing beneath it")
    if isinstance(step, Roll) and (step.dice, step.sides) != ((1, 6) if isinstance(step, CastForPick) else (2, 6)):
        raise Unreadable(pointer, "two dice are rolled, or one for the first pick")
    for name in ("waiting", "order", "contenders"):
        if len(set(seats := getattr(step, name, ()))) != len(seats):
            raise Unreadable(f"{pointer}/{_named(pointer, SHORT.get(name, name), name)}", "each seat once")
    if isinstance(step, CastForPick) and not len(step.cast) < len(step.contenders):
        raise Unreadable(f"{pointer}/cast", "all of them have rolled already")
    if isinstance(step, Shuffle) and step.where not in (DECK, MONSTERS):
        raise Unreadable(f"{pointer}/where", f"{DECK} or {MONSTERS} is needed")
    if isinstance(step, Instead) and (step.card, step.text) not in PROGRAMS:
        raise Unreadable(pointer, f"{step.card} has no such text")
    if isinstance(step, OrderTriggers):
        frame = beneath[-1] if beneath else None
        own = {text.card for text in _texts(frame) if text.by == step.seat} if isinstance(frame, Carried) else set()
        if not own or own != {*step.cards}:
            raise Unreadable(pointer, "the texts that wait do not lie in the frame beneath")


def _check_names(data: Any, table: Table, pointer: str, key: str = "") -> None:
    """Seats and cards by the names of the fields in which they stand."""
    if isinstance(data, dict):
        for name, part in data.items():
            inherited = key if key == "given" else name
            if key == "given" and not (name.isdigit() and int(name) < table.rules.seats):
                raise Unreadable(f"{pointer}/{name}", "answers are listed by seats")
            _check_names(part, table, f"{pointer}/{name}", "" if name in FREE else inherited)
    elif isinstance(data, list | tuple):
        for at, part in enumerate(data):
            _check_names(part, table, f"{pointer}/{at}", key)
    elif isinstance(data, bool):
        return
    elif isinstance(data, int) and key in SEATS and not (-1 if key == "item_to" else 0) <= data < table.rules.seats:
        raise Unreadable(pointer, f"seats go from 0 to {table.rules.seats - 1}")
    elif isinstance(data, str) and key in CARDS and data and not is_back(data) and data not in table.rules.boxes.whole:
        raise Unreadable(pointer, f"no card is called {data!r}{suggestion(data, table.rules.boxes.whole)}")
