"""The questions that a position can say in short; any other stands as the referee keeps it."""

from __future__ import annotations

from referee.cards.positions.forms import NAMED, Schema, asks, listed, one, thing
from referee.games.creature_crush.faces import TEXTS
from referee.games.creature_crush.positions.happened import KINDS
from referee.games.creature_crush.positions.names import Names

SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 1}
PIPS: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
ON_TURN = one("The seat asked; if left out, the one whose turn it is.", SEAT)
LINE: Schema = {"type": "integer", "minimum": 0, "maximum": 40}
SECRET = listed("Those of the names that only that player may know.", {"type": "string"})


def _event(effects: Schema) -> dict[str, Schema]:
    """The members that say what has happened."""
    return {
        "event": {"enum": list(KINDS), "description": "What has happened."},
        "by": one("Whose event it is; if left out, of the player on turn.", SEAT),
        "about": {
            "type": "object",
            "description": "The cards that it is about: attacker, defender, summoned, flipped, card, victim/0 and "
            "victim/1 (by the player who had them).",
            "additionalProperties": listed("Cards.", {"type": "string"}),
        },
        "effects": one("The effects that it set off; if left out, those of the cards that it is about.", effects),
    }


def questions(names: Names, variant: str) -> list[Schema]:
    """The questions of a format."""
    card = {"enum": names.known()}
    effect = thing(
        "A text of a card that was activated.",
        ("card", "part"),
        card=one("The card.", card),
        part={"enum": list(TEXTS), "description": "Which of its texts."},
        by=one("For whom it is carried out; if left out, the player on turn.", SEAT),
        line={**LINE, "description": "The line that is next; the first if left out."},
        known=NAMED,
        secret=SECRET,
    )
    effects = listed("Effects.", effect)
    happened = _event(effects)
    window = thing(
        "A window in which players may answer an event by flipping a crush card.",
        ("event",),
        **happened,
        next=one("Who is asked next; if left out, the player who is not on turn.", SEAT),
        passed={"type": "integer", "minimum": 0, "maximum": 2,
                "description": "How many have passed in a row; nobody if left out."},
    )  # fmt: skip
    links = one(
        "The effects that wait, the oldest first; if left out, those that the first window's event set off.", effects
    )
    text: dict[str, Schema] = {
        "card": one("The card whose text is being carried out.", card),
        "part": {"enum": list(TEXTS), "description": "Which of its texts; if left out, the first that asks this."},
        "by": one("For whom it is carried out; if left out, the player on turn.", SEAT),
        "line": {**LINE, "description": "The line that asks; if left out, the first to ask this."},
        "known": NAMED,
        "secret": SECRET,
        "seat": one("The seat asked; if left out, the one for whom the text is carried out.", SEAT),
    }
    return [
        asks("combat", "An action of the combat phase. Asked if the position names no question.", seat=ON_TURN),
        asks("tactic", "An action of the tactic phase.", seat=ON_TURN),
        asks("order", "Which of several effects activated at once is carried out first.", ("event",), **happened,
             left=one("The effects still to be ordered; if left out, all.", effects),
             chosen=one("Those that come first, in their order; none if left out.", effects)),
        asks("respond", "Whether a crush card is flipped in answer to what has happened.", ("windows",),
             windows=listed("The open windows, the innermost last.", window, 1, 40), links=links),
        asks("choose", "A card text lets a player choose.", ("card",), **text),
    ]  # fmt: skip
