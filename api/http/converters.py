"""URL converters: what the parts of an address may look like."""

from __future__ import annotations

from typing import Any

from werkzeug.routing import BaseConverter, IntegerConverter

from api.http.schemas.fields import WINDOW
from referee.match.events.dispute_state import REMEDIES


class Patterned(BaseConverter):
    """A part of an address that has to look like this; anything else leads nowhere."""

    part_isolating = True


class MatchId(Patterned):
    """A match: its partition, then its name."""

    regex = "(?:[0-5][0-9]|6[0-3])-[a-z]{26}"


class Whole(IntegerConverter):
    """A whole number in plain digits and in one form: what else Unicode calls a digit, or with a nought before it,
    leads nowhere."""

    regex = "(?:0|[1-9][0-9]{0,9})"


class SeatNumber(Patterned):
    """A seat: 0, 1, …"""

    regex = "(?:1?[0-9])"

    def to_python(self, value: str) -> int:
        return int(value)


class Mover(Patterned):
    """A seat, or `chance`."""

    regex = "(?:1?[0-9]|chance)"

    def to_python(self, value: str) -> int | str:
        return value if value == "chance" else int(value)


class GameName(Patterned):
    """A game."""

    regex = "[a-z][a-z_]{0,40}"


class PlayerId(Patterned):
    """An account of a player."""

    regex = "pl-[a-z]{26}"


class DeckName(Patterned):
    """A deck, as its player calls it in addresses."""

    regex = "[a-z0-9][a-z0-9_-]{0,39}"


class Word(Patterned):
    """The name of a clause, a card, an invitation or a problem."""

    regex = "[A-Za-z0-9_.-]{1,64}"


class EditionName(Patterned):
    """An edition, or a card, which may be one of a card book: both end in the first digits of its hash."""

    regex = "[A-Za-z0-9_.@-]{1,64}"


class WindowName(Patterned):
    """A window, by the event that opened it."""

    regex = f"(?:{WINDOW})"


class RemedyName(Patterned):
    """A remedy."""

    regex = f"(?:{'|'.join(REMEDIES)})"


class BundleName(Patterned):
    """A bundle that somebody handed in."""

    regex = "bd-[a-z]{26}"


CONVERTERS = {
    "int": Whole, "match": MatchId, "seat": SeatNumber, "mover": Mover, "name": GameName, "word": Word,
    "window": WindowName, "player": PlayerId, "deck": DeckName, "edition": EditionName, "remedy": RemedyName,
    "bundle": BundleName,
}  # fmt: skip


def shape(converter: BaseConverter) -> dict[str, Any]:
    """The JSON Schema of a part of an address."""
    if isinstance(converter, SeatNumber):
        return {"type": "integer", "minimum": 0, "maximum": 19}
    return {"type": "string", "pattern": f"^{converter.regex}$".replace("(?:", "(")}
