"""URL converters: the form of each part of an address."""

from __future__ import annotations

import re
from typing import Any

from werkzeug.routing import BaseConverter, IntegerConverter

from api.http.schemas.fields import SEAT_NUMBER, WINDOW_PATTERN
from referee.match.events.dispute_state import REMEDIES
from referee.tournament.state import ID_MARK

TOURNAMENT_ID_PATTERN = f"(?:[0-5][0-9]|6[0-3])-{ID_MARK}[a-z]{{26}}"


class PatternConverter(BaseConverter):
    """A part of an address that has to match a pattern; otherwise the answer is 404."""

    part_isolating = True


class MatchIdConverter(PatternConverter):
    """A match: its partition, then its name."""

    regex = "(?:[0-5][0-9]|6[0-3])-[a-z]{26}"


class TournamentIdConverter(PatternConverter):
    """A tournament: its partition, then a T and its name."""

    regex = TOURNAMENT_ID_PATTERN


class PlainIntegerConverter(IntegerConverter):
    """A whole number in ASCII digits without leading zeros; anything else is 404."""

    regex = "(?:0|[1-9][0-9]{0,9})"


class SeatConverter(PatternConverter):
    """The number of a seat, from 0."""

    regex = "(?:1?[0-9])"

    def to_python(self, value: str) -> int:
        return int(value)


class MoverConverter(PatternConverter):
    """A seat, or `chance`."""

    regex = "(?:1?[0-9]|chance)"

    def to_python(self, value: str) -> int | str:
        return value if value == "chance" else int(value)


class GameNameConverter(PatternConverter):
    """The name of a game."""

    regex = "[a-z][a-z_]{0,40}"


class PlayerIdConverter(PatternConverter):
    """The id of a player's account."""

    regex = "pl-[a-z]{26}"


class DeckNameConverter(PatternConverter):
    """A deck, by the name that its player gave it in addresses."""

    regex = "[a-z0-9][a-z0-9_-]{0,39}"


class NameConverter(PatternConverter):
    """The name of a clause, a card, an invitation or a problem."""

    regex = "[A-Za-z0-9_.-]{1,64}"


class EditionConverter(PatternConverter):
    """An edition or a card; those of a card book end in the first digits of its hash."""

    regex = "[A-Za-z0-9_.@-]{1,64}"


class WindowConverter(PatternConverter):
    """A window, named after the event that opened it."""

    regex = f"(?:{WINDOW_PATTERN})"


class RemedyConverter(PatternConverter):
    """The name of a remedy."""

    regex = f"(?:{'|'.join(REMEDIES)})"


class BundleIdConverter(PatternConverter):
    """The id of a submitted bundle."""

    regex = "bd-[a-z]{26}"


class ExportConverter(PatternConverter):
    """A file that a tournament is exported as."""

    regex = r"(?:standings|results|pairings)[.]csv|report[.]trf|(?:public|full)[.]bundle"


class SceneConverter(PatternConverter):
    """A scene of the companion page."""

    regex = "(?:join|host|play|table|dispute|history|desk|verify|judge|rules|cards|tournament|rounds)"


class PageFileConverter(PatternConverter):
    """A file of the companion page, with its folder."""

    part_isolating = False
    regex = "[a-z_]+(?:/[a-z_]+){0,3}[.](?:js|css|svg)|vendor/[A-Za-z0-9_.-]+"


CONVERTERS = {
    "int": PlainIntegerConverter,
    "match": MatchIdConverter,
    "tournament": TournamentIdConverter,
    "seat": SeatConverter,
    "mover": MoverConverter,
    "name": GameNameConverter,
    "word": NameConverter,
    "window": WindowConverter,
    "player": PlayerIdConverter,
    "deck": DeckNameConverter,
    "edition": EditionConverter,
    "remedy": RemedyConverter,
    "bundle": BundleIdConverter,
    "export": ExportConverter,
    "scene": SceneConverter,
    "file": PageFileConverter,
}


def converter_to_json_schema(converter: BaseConverter) -> dict[str, Any]:
    """Return the JSON Schema of a part of an address.

    Alternatives stand in a group, so that `^` and `$` are of all of them.
    """
    if isinstance(converter, SeatConverter):
        return SEAT_NUMBER
    return {"type": "string", "pattern": f"^{group_alternatives(converter.regex)}$".replace("(?:", "(")}


def group_alternatives(pattern: str) -> str:
    """Return a pattern in a group if it has alternatives that stand in none."""
    outside = pattern
    while (inner := re.sub(r"\[[^]]*\]|\([^()]*\)", "", outside)) != outside:
        outside = inner
    return f"(?:{pattern})" if "|" in outside else pattern
