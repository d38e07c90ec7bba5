"""The components, read from `cards/`: kinds, copies, classes and faces.

Clauses: HTS-COMP-1, HTS-COMP-2, HTS-COMP-3, HTS-COMP-4, HTS-COMP-5, HTS-COMP-6, HTS-COMP-7, HTS-SETUP-3, HTS-TERM-8,
HTS-AMB-75.
HTS-COMP-2: Cards of the main deck are of five kinds: heroes, items (cursed ones included), magic, modifiers and
    challenges.
HTS-COMP-7: Equal cards are only counted. Copies need no number, because an item on the table is named by its hero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from referee.cardscript.books.card_attributes import check_own_card
from referee.cardscript.books.catalog import load_cards, load_game_rulebook
from referee.cardscript.books.files import CardRegistry
from referee.cardscript.language.primitives import Program
from referee.cardscript.table import CardRules
from referee.engine.codec import OMIT_IF_EMPTY
from referee.engine.rulebook.messages import name_seat_places
from referee.games.here_to_slay.texts.faces import Face, parse_face

FOLDER = Path(__file__).parent
DECK, DISCARD, MONSTERS, ROW, PENDING = "deck:", "discard", "monsters:", "row", "pending"
LEADERS, BOXED = "leaders", "box"
SEATS = 6
HANDS, PARTIES, SLAIN, LEADER = (
    tuple(f"{name}{seat}" for seat in range(SEATS)) for name in ("hand:", "party/", "slain/", "leader/")
)
CLASSES = ("fighter", "guardian", "ranger", "thief", "wizard", "bard")
MAIN_KINDS = ("hero", "item", "cursed_item", "magic", "modifier", "challenge")

PRINTED = "printed"

# By card and text. `texts/programs.py` fills it once all words are registered.
PROGRAMS: CardRegistry[tuple[str, str], Program] = CardRegistry()
MECHANICS_KEYS = ("does", "standing", "whenever", "instead", "action", "penalty", "reward")

CARD_ENTRIES, FACES, CARDS = load_cards(FOLDER, MECHANICS_KEYS, parse_face, check_own_card)
PLACE_LABELS: dict[str, dict[str, str]] = {  # what players call the places
    DECK: {"en": "main deck", "de": "Unterstützungsstapel"},
    DISCARD: {"en": "discard pile", "de": "Abwurfstapel"},
    MONSTERS: {"en": "monster deck", "de": "Monsterstapel"},
    ROW: {"en": "row of monsters", "de": "Auslage"},
    PENDING: {"en": "card being played", "de": "gespielte Karte"},
    BOXED: {"en": "box", "de": "Schachtel"},
    LEADERS: {"en": "leaders to pick from", "de": "Anführer zur Auswahl"},
    **name_seat_places(
        (HANDS, "hand of", "Hand von"),
        (PARTIES, "party of", "Gruppe von"),
        (SLAIN, "monsters slain by", "bezwungene Monster von"),
        (LEADER, "leader of", "Anführer von"),
    ),
}
WORD_LABELS: dict[str, dict[str, str]] = {  # rule words that stand as parameters in texts
    "hero": {"en": "hero", "de": "Held"},
    "item": {"en": "item", "de": "Gegenstand"},
    "cursed_item": {"en": "cursed item", "de": "Verfluchter Gegenstand"},
    "magic": {"en": "magic", "de": "Zauber"},
    "modifier": {"en": "modifier", "de": "Modifikator"},
    "leader": {"en": "leader", "de": "Anführer"},
    "monster": {"en": "monster", "de": "Monster"},
    "fighter": {"en": "fighter", "de": "Kämpfer"},
    "guardian": {"en": "guardian", "de": "Wächter"},
    "ranger": {"en": "ranger", "de": "Waldläufer"},
    "thief": {"en": "thief", "de": "Dieb"},
    "wizard": {"en": "wizard", "de": "Magier"},
    "bard": {"en": "bard", "de": "Barde"},
    "destroy": {"en": "destroying", "de": "Zerstören"},
    "steal": {"en": "stealing", "de": "Stehlen"},
}
BOOK = load_game_rulebook(FOLDER, CARD_ENTRIES, WORD_LABELS, PLACE_LABELS)


@dataclass(frozen=True)
class Boxes:
    """The box of one edition: copies by card."""

    main: dict[str, int]
    monsters: dict[str, int]
    leaders: dict[str, int]

    @cached_property
    def all_cards(self) -> dict[str, int]:
        """All cards of the box."""
        return {**self.main, **self.monsters, **self.leaders}

    @cached_property
    def awaited_events(self) -> frozenset[str]:
        """The events that some card of the box waits for."""
        return frozenset(trigger.event for card in self.all_cards for trigger in FACES[card].triggers)

    @cached_property
    def item_powers(self) -> frozenset[str]:
        """What the items of the box give all the time, and the verbs that they replace."""
        faces = [FACES[card] for card in self.main if FACES[card].kind in ("item", "cursed_item")]
        given = {standing.what for face in faces for standing in face.standing}
        return frozenset(given | {verb for face in faces for each in face.replacements for verb in each.of})

    @cached_property
    def owner_powers(self) -> frozenset[str]:
        """What the leaders and monsters of the box give all the time."""
        return frozenset(each.what for card in (*self.leaders, *self.monsters) for each in FACES[card].standing)

    def with_added_cards(self, faces: Iterable[Face]) -> Boxes:
        """Return the box with further cards. Cards that it holds already get more copies."""
        main, monsters, leaders = dict(self.main), dict(self.monsters), dict(self.leaders)
        for face in faces:
            box = {"monster": monsters, "leader": leaders}.get(face.kind, main)
            box[face.id] = box.get(face.id, 0) + face.copies
        return Boxes(main, monsters, leaders)


NO_BOXES = Boxes({}, {}, {})
BOXES: dict[str, Boxes] = {PRINTED: NO_BOXES.with_added_cards(FACES.values())}
MAIN, MONSTER_BOX, LEADER_BOX = BOXES[PRINTED].main, BOXES[PRINTED].monsters, BOXES[PRINTED].leaders
WHOLE_BOX = BOXES[PRINTED].all_cards


def boxes_of(edition: str) -> Boxes:
    """Return the box of an edition. Raises KeyError if the edition is not installed."""
    return BOXES[edition]


@dataclass(frozen=True)
class Rules(CardRules):
    """What was agreed before the match: card game rules and switchable rulings."""

    leader_choice: str = "roll"
    challenge_immediate: bool = True
    challenge_out_of_turn: bool = False
    fist_when_challenged: bool = False
    targets: str = "before_window"
    free_roll_counts: bool = True
    sabretooth_before_doll: bool = True
    unpayable_play: str = "allow"
    mega_slime_from: str = "at_once"
    good_items_at_home: bool = field(default=False, metadata=OMIT_IF_EMPTY)
    window_ms: int | None = None
    decision_ms: int | None = None

    @property
    def boxes(self) -> Boxes:
        """The box of the edition that is played with."""
        return BOXES[self.edition]


def face_of(card: str) -> Face:
    """Return the face of a named card. Raises KeyError for a back."""
    return FACES[card]


def is_kind(card: str, kind: str) -> bool:
    """Return whether a named card is of a kind.

    HTS-TERM-5: A text that just says item means cursed items as well.
    HTS-AMB-33: Every card text that speaks of items means cursed items too.
    """
    found = FACES[card].kind
    return found == kind or (kind == "item" and found == "cursed_item")


def leaders_for(seats: int, edition: str = PRINTED) -> tuple[str, ...]:
    """Return the leaders to choose from.

    HTS-SETUP-3: When only two play, The Shadow Claw is taken out before leaders are chosen.
    """
    return tuple(card for card in BOXES[edition].leaders if seats >= FACES[card].min_players)
