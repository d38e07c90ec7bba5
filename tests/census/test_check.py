"""The census of a match: no false alarm on what really happened, planted errors, claims, what onlookers can know."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.events import CardsMoved
from referee.census.check import Census, CensusClaim, take_census
from referee.census.observations import collect_observations
from referee.engine.game import Setup
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.engine.zones import Moved, is_back
from referee.games import load_games
from referee.games.here_to_slay.events.cards import HandsSwapped
from referee.match.entries import LogEntry
from referee.queries import census_views
from referee.rendering.texts import find_clause
from tests.bench.census import BEGAN, alarms, course, played
from tests.games.matches import random_match

GAMES = sorted(load_games())
CLAUSES = ("TABLE-CENSUS-1", "KERNEL-CENSUS-1")


def server_match(name: str, seed: int, most: int = 90) -> list[LogEntry]:
    """The first entries of a random match that the server deals."""
    game = load_games()[name]
    setup = game.complete_setup(Setup(game.variants[0], game.min_seats))
    return list(
        course(name, setup, (turn for _, turn in zip(range(most), random_match(name, setup, seed), strict=False)))
    )


def moves_of(entries: list[LogEntry]) -> list[tuple[int, int, Moved]]:
    """Where cards are moved by name: the place of the entry, of the fact in it, and the fact."""
    return [
        (at, nth, event)
        for at, entry in enumerate(entries)
        for nth, event in enumerate(entry.events)
        if entry.version > BEGAN and isinstance(event, Moved) and event.put and not any(map(is_back, event.put))
    ]


def told_wrongly(entries: list[LogEntry], at: int, nth: int, **changes: Any) -> list[LogEntry]:
    """The course with one fact in it that a broken program wrote."""
    events = list(entries[at].events)
    events[nth] = replace(events[nth], **changes)
    return [*entries[:at], replace(entries[at], events=tuple(events)), *entries[at + 1 :]]


SAMPLE = {"shy_monsters": (0, 1, 2), "monster_combat": (0, 3, 5010), "creature_crush": (0, 1), "munchkin": (1,)}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.clause(*CLAUSES)
def test_a_legal_match_sets_off_no_alarm(name: str) -> None:
    for number in SAMPLE.get(name, (0,)):  # `tests.bench.census` plays them by the thousand
        _, setup, entries = played(name, number)
        for viewer, upto, census in alarms(entries, setup, number, each=name == "shy_monsters"):
            assert census.possible, (number, viewer, upto, census)
            assert census.sure, (number, viewer, upto, census)


def test_hands_that_were_swapped_are_followed_although_only_backs_are_seen() -> None:
    game = load_games()["here_to_slay"]
    setup = game.complete_setup(Setup("standard", 2))
    entries = list(course("here_to_slay", setup, ()))
    known, other = "hand:0", "hand:1"

    def moved(source: str, target: str, took: str, put: str) -> LogEntry:
        event = CardsMoved(source, target, (took,), (put,))
        return LogEntry("07-census", len(entries) + 1, 0, 0, "player", None, (event,), (), b"")

    entries.append(moved("deck:", "discard", "bad_axe", "bad_axe"))
    entries.append(moved("deck:", other, "bear_claw", "bear_claw"))
    entries.append(moved("discard", known, "bad_axe", "bad_axe"))
    swap = HandsSwapped(0, 1, ("bear_claw",), ("bad_axe",))
    entries.append(LogEntry("07-census", len(entries) + 1, 0, 0, "player", None, (swap,), (), b""))
    entries.append(moved(other, "discard", "bad_axe", "bad_axe"))
    assert take_census(entries, BYSTANDER).possible
    del entries[-2]
    entries[-1] = replace(entries[-1], version=len(entries))
    assert take_census(entries, BYSTANDER).first == entries[-1].version


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_whoever_sees_all_finds_every_card_that_was_doubled_lost_or_swapped_in_the_very_entry(
    name: str, seed: int
) -> None:
    dice = random.Random(f"planted {name} {seed}")
    entries = server_match(name, seed)
    whole = list(
        load_games()[name]
        .initial_cards(
            load_games()[name].complete_setup(Setup(load_games()[name].variants[0], load_games()[name].min_seats))
        )
        .values()
    )
    cards = sorted({card for pile in whole for card in pile})
    found = Counter[str]()
    spots = moves_of(entries)
    for at, nth, event in dice.sample(spots, min(6, len(spots))):
        others = [card for card in cards if card not in event.put]
        for kind, put in (
            ("doubled", (*event.put, event.put[0])),
            ("lost", event.put[1:]),
            ("swapped", (dice.choice(others), *event.put[1:])),
        ):
            wrong = take_census(told_wrongly(entries, at, nth, put=put), FULL_VIEWER)
            assert not wrong.possible, (kind, event)
            assert wrong.first == entries[at].version, (kind, event, wrong)
            assert wrong.contradictions
            assert all(find_clause(load_games()[name], each.clause).says for each in wrong.contradictions)
            found[kind] += 1
            told = census_views.census_response(load_games()[name], wrong)
            for each in (*told["contradictions"], *told["recounts"]):
                assert each["says"]["en"]
                assert each["says"]["de"]
    assert found or name == "shy_monsters" or not spots


@pytest.mark.parametrize("name", [name for name in GAMES if name != "shy_monsters"])
def test_onlookers_find_nothing_before_the_entry_that_is_wrong_and_what_cannot_be_from_there_on(name: str) -> None:
    dice, caught = random.Random(f"looking on {name}"), 0
    entries = server_match(name, 5)
    spots = [spot for spot in moves_of(entries) if ":" not in spot[2].target]
    for at, nth, event in dice.sample(spots, min(8, len(spots))):
        other = take_census(told_wrongly(entries, at, nth, put=(*event.put, event.put[0])), BYSTANDER)
        assert other.first == entries[at].version
        seen = {each.card for each in collect_observations(entries[:at], BYSTANDER).sightings} - set(event.put)
        if not seen:
            continue
        put = (sorted(seen)[0], *event.put[1:])
        wrong = take_census(told_wrongly(entries, at, nth, put=put), BYSTANDER)
        assert wrong.first is None or wrong.first >= entries[at].version
        caught += not wrong.possible
    assert caught, "some of the cards swapped had been seen elsewhere"


def deals(seats: int = 2) -> list[LogEntry]:
    """A match of Monster Combat in which nothing but its start is written."""
    game = load_games()["monster_combat"]
    setup = game.complete_setup(Setup("V1", seats, {}, {"deck": "table"}))
    return list(course("monster_combat", setup, ()))


def discarded(version: int, seat: int, cards: tuple[str, ...]) -> LogEntry:
    """Somebody laid these cards from the hand on the discard."""
    event = CardsMoved(f"hand:{seat}", "discard", ("?",) * len(cards), cards)
    return LogEntry("07-census", version, 0, seat, "player", None, (event,), (), b"")


def drawn(version: int, seat: int, count: int) -> LogEntry:
    """Somebody drew cards of the plain back that nobody else saw."""
    event = CardsMoved("deck:", f"hand:{seat}", ("?",) * count, ("?",) * count)
    return LogEntry("07-census", version, 0, seat, "player", None, (event,), (), b"")


def all_swords(extra: int = 0) -> tuple[list[LogEntry], int]:
    """Both draw and discard until every plain sword lies in the discard, and perhaps more; and how many there are."""
    entries = deals()
    box = load_games()["monster_combat"].initial_cards(load_games()["monster_combat"].complete_setup(Setup("V1", 2)))
    swords = Counter(card for pile in box.values() for card in pile)["sword"]
    for nth in range(swords + extra):
        seat = nth % 2
        entries.append(drawn(len(entries) + 1, seat, 1))
        entries.append(discarded(len(entries) + 1, seat, ("sword",)))
    return entries, swords


def test_one_copy_too_many_is_found_in_the_entry_that_names_it_with_all_who_named_one() -> None:
    entries, swords = all_swords(1)
    census = take_census(entries, BYSTANDER)
    assert not census.possible
    assert census.first == entries[-1].version
    (wrong,) = census.contradictions
    assert (wrong.key, wrong.card, wrong.clause) == ("census.too_many_named", "sword", "MC-MAT-2")
    assert wrong.params["copies"] == swords
    assert len(wrong.sightings) == swords + 1
    assert census.suspects == (0, 1)
    (again,) = census.recounts
    assert (again.place, again.card, again.expected) == ("discard", "sword", swords + 1)
    assert len(again.outcomes) == 2
    assert take_census(entries[:-1], BYSTANDER) == Census(True)


def test_a_card_truly_held_that_the_census_says_is_gone_leads_to_the_entry_that_named_the_last_copy() -> None:
    entries, _ = all_swords()
    last = entries[-1].version
    entries += [drawn(last + 1, 0, 2), drawn(last + 2, 1, 2)]
    census = take_census(entries, BYSTANDER, CensusClaim("hand:0", "sword"))
    assert not census.possible
    assert census.first == last
    assert census.contradictions[0].key == "census.claimed_card"
    assert census.suspects == (0, 1)
    assert take_census(entries, BYSTANDER, CensusClaim("hand:0", "shield")).possible
    assert (
        take_census(entries, BYSTANDER, CensusClaim("hand:0", "no_card")).contradictions[0].key == "census.no_such_card"
    )


def test_so_many_cards_as_the_log_says_may_lie_there_and_no_others() -> None:
    entries, _ = all_swords()
    held = 5  # nobody was dealt a hand here
    entries.append(drawn(entries[-1].version + 1, 0, held))
    size = held
    assert take_census(entries, BYSTANDER, CensusClaim("hand:0", count=size)).possible
    census = take_census(entries, BYSTANDER, CensusClaim("hand:0", count=size + 1))
    assert not census.possible
    assert census.first == entries[-1].version
    assert census.recounts[0].expected == size


def test_a_card_taken_from_where_none_lies_does_not_fit() -> None:
    entries = [*deals(), discarded(3, 0, ("sword",))]
    census = take_census(entries, BYSTANDER)
    assert not census.possible
    assert census.first == 3
    assert {each.key for each in census.contradictions} >= {"census.unfit"}


def test_before_the_start_there_is_nothing_to_count() -> None:
    assert take_census(deals()[:1], BYSTANDER) == Census(True)


@pytest.mark.parametrize(
    ("name", "change", "key"),
    [
        ("monster_combat", {"hearts": (4, 3)}, "census.hearts"),
        ("here_to_slay", {"turn": 0, "points": 9}, "census.points"),
        ("munchkin", {"levels": (1, 11, 1)}, "census.level"),
        ("creature_crush", {"dice": (1,) * 6, "turn": 0}, "census.start_dice"),
        ("shy_monsters", {"floor": 4}, "census.floor"),
    ],
)
def test_a_number_out_of_its_range_is_told_with_its_clause_in_both_languages(
    name: str, change: dict[str, Any], key: str
) -> None:
    game = load_games()[name]
    setup = game.complete_setup(Setup(game.variants[0], game.min_seats))
    assert not list(game.tracking.find_out_of_range(game.build_table(setup)))
    (found,) = game.tracking.find_out_of_range(replace(game.build_table(setup), **change))
    assert found.key == key
    said = game.rulebook.render_texts(found.key, number=found.number, low=found.low, high=found.high, seat=found.seat)
    assert said["en"] != said["de"]
    assert game.rulebook.find_clause(found.clause).says
