"""The census of a match: whether everything that a viewer was shown can be true.

If not, it finds the entry since which it cannot.

    take_census(history, viewer) -> Census
    take_census(history, viewer, CensusClaim("hand:2", card="sword"))    # this card is truly in the hand
    take_census(history, viewer, CensusClaim("hand:2", count=6))         # the hand truly has this number of cards

`history` are the entries that count (`Evidence.effective_entries`), `viewer` is a seat, BYSTANDER or FULL_VIEWER. Of
the entries only what the viewer may see is used. If something is impossible, `Census.first` is the version of the
earliest entry that made it so. With a claim it is the entry since which the claim cannot be true, even if later
sightings of the card are not believed. `Census.suspects` are the seats that named or reported the cards in question.
Nothing is raised: a claim about a card or a place that does not exist is impossible.

The search (`CardTracker`) is exact. If it uses up its allowance, `sure` is False, and the entry may be a later one than
the first. Nothing is called impossible that was not found so: there is no false alarm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from referee.census.observations import START, Observations, Sighting, collect_observations
from referee.engine.cardtracking.consistency import CardTracker
from referee.engine.zones import back_of, is_back
from referee.match.entries import LogEntry


@dataclass(frozen=True)
class CensusClaim:
    """What somebody says truly lies at a place.

    It is a card, besides those that lie there by name, or a number of cards.
    """

    place: str
    card: str = ""
    count: int | None = None


@dataclass(frozen=True)
class Contradiction:
    """One thing that cannot be true, with the clause it is against.

    `key` and `params` make its text. `version` is the entry that made it so. `sightings` are the entries in which the
    copies in question were named, and by whom.
    """

    key: str
    params: dict[str, Any]
    clause: str
    version: int
    card: str = ""
    sightings: tuple[Sighting, ...] = ()


@dataclass(frozen=True)
class RecountOutcome:
    """What a possible result of a recount means.

    `key` and `params` make its text; `entries` are wrong if the recount gives this result.
    """

    key: str
    params: dict[str, Any]
    entries: tuple[int, ...]


@dataclass(frozen=True)
class Recount:
    """Something to count again, and the number that the log expects.

    It is a card at a place; an empty card means all cards there.
    """

    place: str
    card: str
    expected: int
    outcomes: tuple[RecountOutcome, ...]


@dataclass(frozen=True)
class Census:
    """The result of a census."""

    possible: bool
    sure: bool = True  # the search ended before its allowance was used up
    first: int | None = None
    contradictions: tuple[Contradiction, ...] = ()
    recounts: tuple[Recount, ...] = ()
    suspects: tuple[int, ...] = field(default=())  # the seats that named a card in question


def take_census(history: Iterable[LogEntry], viewer: int, claimed: CensusClaim | None = None) -> Census:
    """Return the census of an effective history as a viewer saw it. Raises nothing."""
    found = collect_observations(history, viewer)
    if found.game is None:
        return Census(True)
    if claimed is not None:
        return _check_claim(found, claimed)
    whole = found.whereabouts
    verdict = whole.is_possible()
    against = list(_find_range_contradictions(found))
    if found.unfit is not None:
        against.append(Contradiction("census.unfit", {"version": found.unfit}, "KERNEL-CENSUS-1", found.unfit))
    if verdict is False:
        against += _find_card_contradictions(found, _find_first_impossible(whole, found.last))
    against.sort(key=lambda each: each.version)
    return _build_census(found, against, verdict is not None and not whole.is_exhausted)


def _find_first_impossible(whole: CardTracker, last: int) -> int:
    """Return the version of the first entry after which no arrangement is possible.

    The whole history is known to allow none.
    """
    versions = sorted({each.version for each in whole.transfers})
    low, high = 0, len(versions) - 1
    while low < high:
        middle = (low + high) // 2
        if whole.up_to_version(versions[middle]).is_possible() is False:
            high = middle
        else:
            low = middle + 1
    return versions[low] if versions else last


def _find_range_contradictions(found: Observations) -> Iterable[Contradiction]:
    for each, version in found.miscounts.items():
        params = {"number": each.number, "low": each.low, "high": each.high, "seat": each.seat}
        yield Contradiction(each.key, params, each.clause, version)


def _find_card_contradictions(found: Observations, version: int) -> Iterable[Contradiction]:
    """Yield what is wrong with the cards as this entry left them."""
    assert found.game is not None
    then = found.whereabouts.up_to_version(version)
    for each in then.transfers:
        if each.version == version and each.find_unbalanced_back():
            took, put = (sum(map(Counter.total, part.values())) for part in (each.took, each.put))
            key = "census.lost" if put < took else "census.appeared" if put > took else "census.changed"
            params = {"version": version, "took": took, "put": put}
            yield Contradiction(key, params, found.game.tracking.copies_clause, version)
    if not then.is_sound:
        return
    cards = then.find_impossible_cards()
    named = {card for each in then.transfers if each.version == version for part in (each.took, each.put)
             for pile in part.values() for card in pile if not is_back(card)}  # fmt: skip
    for card in cards:
        yield _explain_card_contradiction(found, then, card, version)
    if not cards:
        for card in sorted(named):
            yield Contradiction(
                "census.together", {"card": card, "version": version}, "KERNEL-CENSUS-1", version, card,
                found.find_sightings(card, version),
            )  # fmt: skip


def _explain_card_contradiction(found: Observations, then: CardTracker, card: str, version: int) -> Contradiction:
    """Return why the copies of a card cannot be where they were shown."""
    assert found.game is not None
    copies, lie = then.all_copies[card], count_named_cards(then)
    there = sum(pile[card] for pile in lie.values())
    if not copies:
        key = "census.no_such_card"
    elif there > copies:
        key = "census.too_many_named"
    else:
        key = "census.elsewhere"
    params = {"card": card, "counted": there, "copies": copies, "version": version}
    return Contradiction(
        key, params, found.game.tracking.copies_clause, version, card, found.find_sightings(card, version)
    )


def count_named_cards(tracker: CardTracker) -> dict[str, Counter[str]]:
    """Return the cards that lie named at each place in the end, by what was shown.

    A card that left a place without having come there openly does not count.
    """
    lie: dict[str, Counter[str]] = {place: Counter(pile) for place, pile in tracker.start.items() if place != START}
    for each in tracker.transfers:
        for place, pile in each.took.items():
            lie.setdefault(place, Counter()).subtract(pile)
        for place, pile in each.put.items():
            lie.setdefault(place, Counter()).update(pile)
    return {place: Counter({card: n for card, n in pile.items() if n > 0 and not is_back(card)})
            for place, pile in lie.items()}  # fmt: skip


def _check_claim(found: Observations, claim: CensusClaim) -> Census:
    """Return the census with a claim added to all that was shown.

    If the claim cannot be true, the census says since when, and who may have erred.
    """
    assert found.game is not None
    lying = found.list_cards_by_place().get(claim.place, ())
    if claim.count is not None and claim.count != len(lying):
        changed = tuple(each.version for each in found.passages if claim.place in each.took or claim.place in each.put)
        version = changed[-1] if changed else found.last
        params = {"place": claim.place, "counted": claim.count, "expected": len(lying), "version": version}
        seen = tuple(each for each in found.sightings if each.place == claim.place and each.version <= version)
        wrong = Contradiction(
            "census.claimed_count", params, found.game.tracking.copies_clause, version, "", seen[-12:]
        )
        outcomes = (
            RecountOutcome("census.found_as_logged", {"place": claim.place, "expected": len(lying)}, ()),
            RecountOutcome("census.found_otherwise", {"place": claim.place}, tuple(dict.fromkeys(changed[-12:]))),
        )
        recount = Recount(claim.place, "", len(lying), outcomes)
        return Census(False, True, version, (wrong,), (recount,), _find_reporting_seats(seen[-12:]))
    if not claim.card:
        return Census(True)
    held = {claim.place: Counter([*(card for card in lying if not is_back(card)), claim.card])}
    whole = found.whereabouts
    alone = whole.is_possible(held, claim.card) is False  # all its copies are elsewhere, whatever the other cards are
    verdict = False if alone else whole.is_possible(held)
    if verdict is not False:
        return Census(True, verdict is not None)
    version = _find_first_claim_conflict(whole, held, claim.card, alone, found.last)
    copies = whole.all_copies[claim.card]
    params = {"card": claim.card, "place": claim.place, "copies": copies, "version": version}
    key = "census.claimed_card" if copies else "census.no_such_card"
    seen = found.find_sightings(claim.card, found.last)
    if copies and back_of(claim.card) not in map(back_of, lying):
        key, seen = "census.no_room", ()
    wrong = Contradiction(key, params, found.game.tracking.copies_clause, version, claim.card, seen)
    return _build_census(found, [wrong], not whole.is_exhausted)


def _find_first_claim_conflict(
    whole: CardTracker, held: dict[str, Counter[str]], card: str, alone: bool, last: int
) -> int:
    """Return the version of the first entry since which a claim cannot be true.

    Later sightings of the card are not believed.
    """
    versions = sorted({each.version for each in whole.transfers})
    low, high = 0, len(versions) - 1
    while low < high:
        middle = (low + high) // 2
        believed = whole.distrust_card_after(versions[middle], card)
        if (believed.is_possible(held, card) if alone else believed.is_possible(held)) is False:
            high = middle
        else:
            low = middle + 1
    return versions[low] if versions else last


def _build_census(found: Observations, against: list[Contradiction], sure: bool) -> Census:
    if not against:
        return Census(True, sure)
    first = min(each.version for each in against)
    recounts = tuple(_build_recounts(found, against))
    seen = [each for wrong in against for each in wrong.sightings]
    return Census(False, sure, first, tuple(against), recounts, _find_reporting_seats(seen))


def _find_reporting_seats(seen: Iterable[Sighting]) -> tuple[int, ...]:
    """Return the seats that named cards, by a move of their own or by a report."""
    own = {each.seat for each in seen if each.seat >= 0}
    return tuple(sorted(own | {int(each.reporter) for each in seen if each.reporter.isdecimal()}))


def _build_recounts(found: Observations, against: list[Contradiction]) -> Iterable[Recount]:
    """Yield what to count again: the cards in question where they were named last.

    Each recount says what its outcomes would mean.
    """
    listed: set[tuple[str, str]] = set()
    for wrong in against:
        latest = {each.place: each for each in wrong.sightings}  # the last sighting at each place
        now, then = (
            count_named_cards(found.whereabouts),
            count_named_cards(found.whereabouts.up_to_version(wrong.version)),
        )
        lie = now if any(pile[wrong.card] for pile in now.values()) else then  # prefer what can still be counted
        for place, seen in latest.items():
            expected = lie.get(place, Counter())[seen.card]
            if (place, seen.card) in listed or not expected:
                continue
            listed.add((place, seen.card))
            brought = tuple(dict.fromkeys(each.version for each in wrong.sightings if each.place == place))
            others = tuple(dict.fromkeys(each.version for each in wrong.sightings if each.place != place))
            params = {"card": seen.card, "place": place, "expected": expected}
            yield Recount(place, seen.card, expected, (
                RecountOutcome("census.found_card", params, others or brought),
                RecountOutcome("census.found_fewer", params, brought),
            ))  # fmt: skip
