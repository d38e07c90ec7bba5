"""The contents of the box, read from `cards/`: kinds, copies, numbers and names.

Clauses: MK-1.1, MK-1.2, MK-1.3, MK-2.1, MK-2.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from referee.cardscript.books.card_attributes import check_own_card
from referee.cardscript.books.catalog import load_cards, load_game_rulebook
from referee.cardscript.books.files import CardRegistry
from referee.cardscript.language.primitives import Program
from referee.cardscript.table import CardRules
from referee.engine.rulebook.messages import name_seat_places
from referee.games.munchkin.card_attributes import Face, parse_face

FOLDER = Path(__file__).parent
SEATS = 6
EDITION = "nightmare_before_christmas"
TOP_LEVEL = 10  # only a kill reaches it (MK-3.5)
DOORS, TREASURES = "doors:", "treasures:"
DOOR_DISCARD, TREASURE_DISCARD = "doors/discard", "treasures/discard"
COMBAT, PENDING, WON = "combat", "pending", "won"
HANDS, PLAYS, TOWNSHIP, RIDES, CURSES, CORPSES = (
    tuple(f"{name}{seat}" for seat in range(SEATS))
    for name in ("hand:", "play/", "town/", "ride/", "curse/", "corpse/")
)
DECKS = {"door": DOORS, "treasure": TREASURES}
DISCARDS = {"door": DOOR_DISCARD, "treasure": TREASURE_DISCARD}

# by card and text; `texts/programs.py` fills it once all verbs are defined
PROGRAMS: CardRegistry[tuple[str, str], Program] = CardRegistry()
MECHANICS = (
    "does", "standing", "grants", "stays", "powers", "enters", "reward", "escaped", "bad_stuff", "lets_pass",
    "whenever", "requires", "requires_target",
)  # fmt: skip

ENTRIES, FACES, CARDS = load_cards(FOLDER, MECHANICS, parse_face, check_own_card)
PLACE_LABELS: dict[str, dict[str, str]] = {  # the names that players use
    DOORS: {"en": "door deck", "de": "Türstapel"},
    TREASURES: {"en": "treasure deck", "de": "Schatzstapel"},
    DOOR_DISCARD: {"en": "door discards", "de": "Ablagestapel der Türen"},
    TREASURE_DISCARD: {"en": "treasure discards", "de": "Ablagestapel der Schätze"},
    COMBAT: {"en": "combat", "de": "Kampf"},
    PENDING: {"en": "card being played", "de": "gespielte Karte"},
    WON: {"en": "treasures won", "de": "gewonnene Schätze"},
    **name_seat_places(
        (HANDS, "hand of", "Hand von"),
        (PLAYS, "items of", "Gegenstände von"),
        (TOWNSHIP, "citizenship of", "Bürgerschaft von"),
        (RIDES, "ride of", "Gefährt von"),
        (CURSES, "lasting curses of", "bleibende Flüche von"),
        (CORPSES, "belongings left by", "Nachlass von"),
    ),
}
TOWN_LABELS = {
    "halloween": {"en": "Halloween Town", "de": "Halloween"},
    "christmas": {"en": "Christmas Town", "de": "Weihnachten"},
    "easter": {"en": "Easter Town", "de": "Ostern"},
    "thanksgiving": {"en": "Thanksgiving Town", "de": "Erntedank"},
}
WORD_LABELS: dict[str, dict[str, str]] = {  # words of the rules that fill placeholders in texts
    "door": {"en": "door", "de": "Tür"},
    "treasure": {"en": "treasure", "de": "Schatz"},
    "munchkins": {"en": "the munchkins", "de": "die Munchkins"},
    "monsters": {"en": "the monsters", "de": "die Monster"},
    "headgear": {"en": "headgear", "de": "Kopfbedeckung"},
    "armor": {"en": "armor", "de": "Rüstung"},
    "footgear": {"en": "footgear", "de": "Schuhwerk"},
    "hand": {"en": "hands", "de": "Hände"},
    "undead": {"en": "Undead", "de": "Untot"},
    "demon": {"en": "Demon", "de": "Dämon"},
    "main": {"en": "the main player", "de": "der Hauptkämpfer"},
    "helper": {"en": "the helper", "de": "der Helfer"},
    **TOWN_LABELS,
    "scare": {"en": "Scare", "de": "Erschrecken"},
    "parting_gift": {"en": "Parting Gift", "de": "Abschiedsgeschenk"},
    "calm": {"en": "on your own turn, outside combat", "de": "in einer Ruhephase deines Zugs"},
    "own_turn": {"en": "on your own turn", "de": "in deinem eigenen Zug"},
    "any_time": {
        "en": "while nothing else is taking effect",
        "de": "solange gerade nichts anderes wirkt",
    },
    "any_combat": {"en": "while a combat is open", "de": "während ein Kampf offen ist"},
    "my_combat": {
        "en": "while a combat that you fight in is open",
        "de": "während ein Kampf offen ist, in dem du kämpfst",
    },
    "fleeing": {"en": "while you are running away", "de": "während du wegläufst"},
    "any_flee": {"en": "while anybody is running away", "de": "während jemand wegläuft"},
    "after_my_roll": {"en": "right after one of your rolls", "de": "gleich nach einem deiner Würfe"},
    "reaction_curse": {"en": "when a curse is about to strike you", "de": "wenn dich gleich ein Fluch trifft"},
    "after_any_roll": {"en": "right after anybody's roll", "de": "gleich nach irgendeinem Wurf"},
    "reaction_any_curse": {
        "en": "when a curse is about to strike anybody",
        "de": "wenn gleich jemanden ein Fluch trifft",
    },
    "names_seat": {"en": "a player", "de": "ein Spieler"},
    "names_monster": {"en": "a monster in the combat", "de": "ein Monster im Kampf"},
    "names_side": {"en": "a side of the combat", "de": "eine Seite im Kampf"},
    "names_partner": {"en": "a monster from your hand", "de": "ein Monster von deiner Hand"},
    "start": {"en": "the door is still closed", "de": "die Tür ist noch zu"},
    "choice": {"en": "the door has brought no combat", "de": "die Tür hat keinen Kampf gebracht"},
    "after": {"en": "only charity is still to come", "de": "nur die Milde Gabe steht noch aus"},
    # what a card asks for, if it is not met (`conditions.name_condition`)
    **{
        f"needs_{town}": {"en": f"being a citizen of {name['en']}", "de": f"Bürgerschaft von {name['de']}"}
        for town, name in TOWN_LABELS.items()
    },
    **{
        f"needs_not_{town}": {
            "en": f"not being a citizen of {name['en']}",
            "de": f"keine Bürgerschaft von {name['de']}",
        }
        for town, name in TOWN_LABELS.items()
    },
    **{
        f"needs_level_min_{level}": {"en": f"level {level} or more", "de": f"mindestens Stufe {level}"}
        for level in range(1, TOP_LEVEL + 1)
    },
    **{
        f"needs_level_max_{level}": {"en": f"level {level} or less", "de": f"höchstens Stufe {level}"}
        for level in range(1, TOP_LEVEL + 1)
    },
    "needs_has_ride": {"en": "a ride", "de": "ein Gefährt"},
    "needs_no_town": {"en": "having no citizenship", "de": "keine Stadtbürgerschaft"},
    "needs_is_main": {"en": "being the main player", "de": "Hauptkämpfer sein"},
    "needs_alone": {"en": "fighting without a helper", "de": "ohne Helfer kämpfen"},
    "needs_losing": {"en": "not being the stronger side", "de": "nicht die stärkere Seite sein"},
    "needs_in_combat": {"en": "fighting in this combat", "de": "in diesem Kampf mitkämpfen"},
    "needs_not_in_combat": {"en": "not fighting in this combat", "de": "in diesem Kampf nicht mitkämpfen"},
    "needs_not_is_highest": {"en": "not being on the highest level", "de": "nicht auf der höchsten Stufe sein"},
    "needs_what_it_says": {"en": "what stands on the card", "de": "was auf der Karte steht"},
    "bonus": {"en": "highest bonus", "de": "höchsten Bonus"},
    "gold": {"en": "highest value", "de": "höchsten Wert"},
}
BOOK = load_game_rulebook(FOLDER, ENTRIES, WORD_LABELS, PLACE_LABELS)


@dataclass(frozen=True)
class Boxes:
    """The cards of an edition with their copies: all cards, and those of each deck."""

    whole: dict[str, int]
    decks: dict[str, dict[str, int]]
    awaited_events: frozenset[str] = frozenset()  # what cards of it wait for (MK-27.1)
    play_times: frozenset[str] = frozenset()  # when cards of it can be played

    def with_added_cards(self, faces: Iterable[Face]) -> Boxes:
        """Return the boxes with these cards shuffled in (MK-1.2)."""
        added = tuple(faces)
        return Boxes(
            {**self.whole, **{face.id: face.copies for face in added}},
            {
                deck: {**box, **{face.id: face.copies for face in added if face.deck == deck}}
                for deck, box in self.decks.items()
            },
            self.awaited_events | {trigger.event for face in added for trigger in face.triggers},
            self.play_times | {when for face in added for when in face.when},
        )


NO_CARDS = Boxes({}, {deck: {} for deck in DECKS})
PRINTED = NO_CARDS.with_added_cards(FACES.values())
BOXES: dict[str, Boxes] = {EDITION: PRINTED}  # by edition; a card book adds its own when it is installed


@dataclass(frozen=True)
class Rules(CardRules):
    """What was agreed before the match: seats, edition, time limits and rule variants."""

    seats: int = 3
    edition: str = EDITION
    claim_window_ms: int | None = 2600
    curse_window_ms: int | None = 2600
    turn_timeout_ms: int | None = None
    ride_sacrifice: bool = False
    window_after_removal: bool = False
    max_turns: int = 200


def discard_pile_of(card: str) -> str:
    """Return the discard pile of a named card. Raises KeyError on a back.

    MK-1.3: Each of the two decks has a face-up discard pile of its own.
    """
    return DISCARDS[FACES[card].deck]
