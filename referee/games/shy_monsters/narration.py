"""Choose texts and parameters for events, moves and questions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.engine.events import Event, Move
from referee.engine.parts.narration import Narration
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import join_words
from referee.engine.zones import is_back
from referee.games.shy_monsters.components import BOOK, FLOOR_COUNT, format_spot
from referee.games.shy_monsters.events import (
    CardTurnedUp,
    FloorBegun,
    FloorDestroyed,
    GameSetUp,
    GameWon,
    HeroJumped,
    MonstersDrawn,
)
from referee.games.shy_monsters.moves import Build, Jump, Place
from referee.games.shy_monsters.rules.building import BuildFloor, DrawMonsters
from referee.games.shy_monsters.rules.exploring import RevealCards, Walk
from referee.games.shy_monsters.state import Dungeon

SKILLS = {(True, True): "both", (True, False): "attack", (False, True): "jump", (False, False): "none"}


def choose_text_variant(thing: Event | Move) -> str:
    """Return which of several texts fits `thing`, or "" for the plain one."""
    match thing:
        case CardTurnedUp(is_active=bool(is_active), frightened=frightened):
            return "active" if is_active else "frightened" if frightened else "uncomfortable"
        case FloorDestroyed(found=found):
            return "found" if found else "none"
        case MonstersDrawn(put=put):
            return "unseen" if all(map(is_back, put)) else ""
        case GameWon(how=how):
            return how
        case Build(cells=cells):
            return "" if any(is_back(cell.card) for cell in cells) else "named"
    announced = "attack" if getattr(thing, "attack", False) else "sure" if getattr(thing, "sure", False) else ""
    if isinstance(thing, Jump) and thing.over is None:
        return f"only_way_{announced}" if announced else "only_way"
    return announced


class ShyMonstersNarration(Narration):
    """Texts about events, moves and questions."""

    turn_start_events = (GameSetUp, FloorBegun)
    text_variant = staticmethod(choose_text_variant)

    def text_parameters(self, thing: Event | Move, /) -> dict[str, Any]:
        """Return what fills the placeholders of the texts about an event or a move."""
        params = super().text_parameters(thing)
        match thing:
            case FloorDestroyed(found=found):
                monsters = list_with_articles(found)
                params |= {"count": thing.undiscovered_count, "found": monsters, "found_count": len(found)}
            case HeroJumped(over=over):
                params["over"] = Place(*over)  # a place reads "(1|0)" in every text
            case Build(cells=cells):
                params["places"] = ", ".join(format_spot(cell.x, cell.y) for cell in cells)
                params["laid"] = {
                    lang: ", ".join(
                        f"{BOOK.name_value(cell.card, lang)} {at} {format_spot(cell.x, cell.y)}" for cell in cells
                    )
                    for lang, at in (("en", "at"), ("de", "auf"))
                }
        return params

    def describe_question(self, state: Dungeon, /) -> tuple[str, dict[str, Any]]:
        """Return which text of the open question fits, and its values.

        All of them are public: the floor, the cards still to be turned up, where the hero stands, and both skills.
        Raises Undetermined.
        """
        match state.agenda[-1]:
            case DrawMonsters() | BuildFloor():
                return "floor", {"floor": state.floor_number, "floors": FLOOR_COUNT}
            case RevealCards(left=int(left)):
                return "left", {"left": left}
            case Walk():
                x, y = state.hero_spot
                return "at", {"x": x, "y": y, "skills": SKILLS[state.is_attack_ready(), state.is_jump_ready()]}
        return "", {}


def list_with_articles(cards: Iterable[str]) -> Text:
    """Return cards as they stand in a sentence: `the mantis and the kraken`."""
    return {lang: join_words([BOOK.render_text(f"named.{card}", lang) for card in cards], lang) for lang in LANGUAGES}
