"""What a remedy would come to, shown before it is chosen: the table then, as a pair of eyes would see it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from referee.arbitration import disputes
from referee.arbitration.remedies import ladder
from referee.arbitration.remedies.correction_forecast import strings
from referee.arbitration.remedies.manual_corrections import lies_open
from referee.engine.codec import encode
from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.rulings import Refused
from referee.engine.seats import BYSTANDER, FULL
from referee.engine.zones import Zoned
from referee.match.aggregate import Match, Rewound
from referee.match.entries import Logged
from referee.match.events.dispute_commands import CastVote
from referee.queries import views
from referee.queries.dispute_views import rung
from referee.service.match_service import Desk, Loaded

COPY = re.compile(r"[#!@]")  # what follows tells copies and triggers of a card apart


def preview(desk: Desk, loaded: Loaded, eyes: int, number: int, name: str) -> dict[str, Any]:
    """A remedy for a dispute, and the view that these eyes would have after it.

    The view is left out (`hides`) where it would show these eyes a card that nothing has shown them yet, or follows
    from cards that they do not see: whoever only thinks about a remedy learns nothing by it. Nothing is kept. Raises
    Refused where there is no such dispute, or the remedy cannot be given at all.
    """
    dispute, evidence = disputes.found(loaded.match, number), desk.evidence(loaded)
    found = next((each for each in ladder.ladder(evidence, dispute, eyes) if each.name == name), None)
    if found is None or not (found.offered or found.possible):
        raise Refused("court.not_offered", "TABLE-DISPUTE-4", remedy=name)
    told = rung(loaded.match.rules, found)
    if found.outlook is not None and eyes != FULL:  # a correction, of which only what these eyes can tell is told
        then = found.outlook.after
        view = None if then is None else views.shown(_next(loaded, then), eyes)
        return {**told, "hides": view is None, "view": view}
    facts = ladder.carried_out(evidence, dispute, name, arbiter=True)
    hides = bool(revealed(loaded.match.rules, facts, evidence.entries, eyes))
    return {**told, "hides": hides, "view": None if hides else after(desk, loaded, facts, eyes)}


def _next(loaded: Loaded, then: Match) -> Loaded:
    return Loaded(then, loaded.version + 1, loaded.head, loaded.reading)


def after(desk: Desk, loaded: Loaded, facts: tuple[Event, ...], eyes: int) -> dict[str, Any]:
    """The view of these eyes if these facts came next."""
    version, now = loaded.version + 1, loaded.reading.now_ms
    ask = CastVote(0, 0, "")  # stands for whatever chooses the remedy: the view does not tell
    entry = Logged(loaded.match.id, version, now, int(BYSTANDER), "table", ask, facts, (), b"")
    then = desk.recoursed(loaded, entry)
    return views.shown(_next(loaded, then), eyes)


def revealed(game: Game, facts: Iterable[Event], entries: Iterable[Logged], eyes: int) -> Counter[str]:
    """The cards that these facts would show a pair of eyes, and the log has not shown them as often since the entry
    that is gone back to."""
    if eyes == FULL:
        return Counter()
    facts = tuple(facts)
    to = min((fact.to for fact in facts if isinstance(fact, Rewound)), default=0)
    cards = {str(card["id"]) for card in game.cards}
    told = (fact.seen_by(eyes) for entry in entries if entry.version > to for fact in entry.facts)
    return named(cards, (fact.seen_by(eyes) for fact in facts)) - named(cards, told)


def unseen(match: Match, fix: Iterable[Any], eyes: Sequence[int]) -> list[str]:
    """The places in corrections by hand (RFC 6901) that name a card, or a value, which lies open to none of these eyes.

    Whoever puts things right says where a card lies; whether a hidden one lies there, no answer may tell him.
    """
    tables = [seen.state for eye in eyes if (seen := match.seen_by(eye)).state is not None]
    known = {name for table in tables for name in strings(encode(table))}
    hidden = {*strings(encode(match.state)), *(str(card["id"]) for card in match.rules.cards)} - known
    moved, found = Counter[tuple[str, str]](), []
    for at, each in enumerate(fix):
        if "set" in each and not lies_open(match, str(each["set"]), eyes):
            found.append(f"/fix/{at}/set")
        elif "set" in each and hidden & set(strings(each.get("to"))):
            found.append(f"/fix/{at}/to")
        if "move" not in each:
            continue
        card, source, target = (str(each.get(part, "")) for part in ("move", "from", "to"))
        lie = max((table.place(source).count(card) for table in tables if isinstance(table, Zoned)), default=0)
        if lie + moved[card, source] < 1:  # as many as lie open there, and were laid there before
            found.append(f"/fix/{at}/move")
        moved[card, source] -= 1
        moved[card, target] += 1
    return found


def named(cards: set[str], facts: Iterable[Event]) -> Counter[str]:
    """How often each card is named in these facts."""
    words = (COPY.split(word)[0] for fact in facts for word in strings(encode(fact)))
    return Counter(word for word in words if word in cards)
