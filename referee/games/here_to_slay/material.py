"""What lies in the box, read from `cards/`: kinds, copies, classes, and what each card stands for.

Clauses: HTS-COMP-1, HTS-COMP-2, HTS-COMP-3, HTS-COMP-4, HTS-COMP-5, HTS-COMP-6, HTS-COMP-7 (copies need no number: an
item on the table is named by its hero), HTS-SETUP-3, HTS-TERM-8, HTS-AMB-75.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.cards.reader import marked
from referee.cards.table import CardRules
from referee.cards.words import Lines
from referee.games.here_to_slay.texts.faces import Face, read_face
from referee.kernel.clauses import KERNEL, Book, Misprint

FOLDER = Path(__file__).parent
DECK, DISCARD, MONSTERS, ROW, PENDING = "deck:", "discard", "monsters:", "row", "pending"
LEADERS, BOXED = "leaders", "box"
SEATS = 6
HANDS, PARTIES, SLAIN, LEADER = (
    tuple(f"{name}{seat}" for seat in range(SEATS)) for name in ("hand:", "party/", "slain/", "leader/")
)
CLASSES = ("fighter", "guardian", "ranger", "thief", "wizard", "bard")
MAIN_KINDS = ("hero", "item", "cursed_item", "magic", "modifier", "challenge")

ENTRIES = [(file.name, entry) for file in sorted((FOLDER / "cards").glob("*.yaml")) for entry in marked(file)]
FACES: dict[str, Face] = {}
for _file, _entry in ENTRIES:
    _face = read_face(_file, _entry)
    if _face.id in FACES:
        raise Misprint(f"{_file}:{_entry.line}: {_face.id} stands twice")
    FACES[_face.id] = _face

PROGRAMS: dict[tuple[str, str], Lines] = {}  # by card and text; `texts/programs.py` fills it once all words are known
MECHANICS = ("does", "standing", "whenever", "instead", "action", "penalty", "reward")
CARDS: tuple[dict[str, Any], ...] = tuple(
    {key: value for key, value in {"copies": 1, **entry}.items() if key not in MECHANICS} for _, entry in ENTRIES
)
PLACES: dict[str, dict[str, str]] = {  # what players call the places
    DECK: {"en": "main deck", "de": "Unterstützungsstapel"},
    DISCARD: {"en": "discard pile", "de": "Abwurfstapel"},
    MONSTERS: {"en": "monster deck", "de": "Monsterstapel"},
    ROW: {"en": "row of monsters", "de": "Auslage"},
    PENDING: {"en": "card being played", "de": "Karte, die gespielt wird"},
    BOXED: {"en": "box", "de": "Schachtel"},
    LEADERS: {"en": "leaders to pick from", "de": "Anführer zur Auswahl"},
    **{
        places[seat]: {"en": f"{en} seat {seat}", "de": f"{de} Platz {seat}"}
        for places, en, de in (
            (HANDS, "hand of", "Hand von"),
            (PARTIES, "party of", "Gruppe von"),
            (SLAIN, "monsters slain by", "bezwungene Monster von"),
            (LEADER, "leader of", "Anführer von"),
        )
        for seat in range(SEATS)
    },
}
WORDS: dict[str, dict[str, str]] = {  # rule words that stand as parameters in texts
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
_CARDS_BOOK = Book.load(Path(__file__).parents[2] / "cards", base=KERNEL)
BOOK = Book.load(FOLDER, base=_CARDS_BOOK, names={**WORDS, **{e["id"]: e["name"] for _, e in ENTRIES}, **PLACES})

MAIN: dict[str, int] = {face.id: face.copies for face in FACES.values() if face.kind in MAIN_KINDS}
MONSTER_BOX: dict[str, int] = {face.id: 1 for face in FACES.values() if face.kind == "monster"}
LEADER_BOX: dict[str, int] = {face.id: 1 for face in FACES.values() if face.kind == "leader"}
WHOLE_BOX = {**MAIN, **MONSTER_BOX, **LEADER_BOX}


@dataclass(frozen=True)
class Rules(CardRules):
    """What was agreed before the match: as in every game with card texts, and the switchable rulings."""

    leader_choice: str = "roll"
    challenge_immediate: bool = True
    challenge_out_of_turn: bool = False
    fist_when_challenged: bool = False
    targets: str = "before_window"
    free_roll_counts: bool = True
    sabretooth_before_doll: bool = True
    unpayable_play: str = "allow"
    mega_slime_from: str = "at_once"
    window_ms: int | None = None
    decision_ms: int | None = None


def face_of(card: str) -> Face:
    """The face of a named card. Raises KeyError on a back."""
    return FACES[card]


def is_kind(card: str, kind: str) -> bool:
    """Whether a named card is of a kind; a cursed item is an item too (HTS-TERM-5, HTS-AMB-33)."""
    found = FACES[card].kind
    return found == kind or (kind == "item" and found == "cursed_item")


def leaders_for(seats: int) -> tuple[str, ...]:
    """The leaders to pick from; some stay in the box where few play (HTS-SETUP-3)."""
    return tuple(face.id for face in FACES.values() if face.kind == "leader" and seats >= face.min_players)


def pile(box: Mapping[str, int]) -> tuple[str, ...]:
    """Every card of a box, each as often as it is there."""
    return tuple(card for card, count in box.items() for _ in range(count))
