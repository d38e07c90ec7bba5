"""Where cards can be: the search, compared with trying out every way to lay the hidden cards of small boxes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

import pytest

from referee.engine.cardtracking import solver
from referee.engine.cardtracking.consistency import CardTracker
from referee.engine.cardtracking.transfers import Piles, Transfer
from referee.engine.zones import back_of, is_back

HIDDEN, OPEN = ("deck:", "hand:0", "hand:1"), ("discard", "row")
BOXES = (("a", "b", "c", "d"), ("a", "a", "b", "b", "c"), ("a", "a", "b", "c!red", "d!red"))
World = tuple[tuple[str, tuple[str, ...]], ...]  # what lies where, sorted


def played(box: tuple[str, ...], moves: int, dice: random.Random) -> CardTracker:
    """A course as onlookers see it: real cards go about, and only those that lie open show their names."""
    lie = {"deck:": list(box), **{place: [] for place in (*HIDDEN[1:], *OPEN)}}
    found = []
    for version in range(1, moves + 1):
        source = dice.choice([place for place, cards in lie.items() if cards])
        target = dice.choice([place for place in lie if place != source])
        cards = dice.sample(lie[source], min(len(lie[source]), dice.choice((1, 1, 1, 2))))
        for card in cards:
            lie[source].remove(card)
            lie[target].append(card)
        took = [card if source in OPEN else back_of(card) for card in cards]
        put = [card if target in OPEN else back_of(card) for card in cards]
        found.append(Transfer(version, {source: Counter(took)}, {target: Counter(put)}))
    return CardTracker({"deck:": Counter(box)}, tuple(found))


def worlds_after(worlds: set[World], each: Transfer) -> set[World]:
    """Every way in which cards can lie after a passage, from every way in which they could before it."""
    found: set[World] = set()
    for world in worlds:
        before = {place: list(cards) for place, cards in world}
        for taken in ways_to_take(before, [(place, card, n) for place, pile in each.took.items()
                                           for card, n in pile.items()]):  # fmt: skip
            left, carried = taken
            slots = [(place, card) for place, pile in each.put.items() for card in pile.elements()]
            if len(slots) != len(carried):
                continue
            for order in set(permutations(carried)):
                if all(shown in (card, back_of(card)) for card, (_, shown) in zip(order, slots, strict=True)):
                    after = {place: list(cards) for place, cards in left.items()}
                    for card, (place, _) in zip(order, slots, strict=True):
                        after.setdefault(place, []).append(card)
                    found.add(tuple(sorted((place, tuple(sorted(cards))) for place, cards in after.items() if cards)))
    return found


def ways_to_take(
    lie: dict[str, list[str]], shown: list[tuple[str, str, int]]
) -> Iterator[tuple[dict[str, list[str]], tuple[str, ...]]]:
    """Every way to take what was shown as taken."""
    units = [(place, card) for place, card, n in shown for _ in range(n)]
    if not units:
        yield lie, ()
        return
    (place, face), rest = units[0], [(place, card, 1) for place, card in units[1:]]
    for card in set(lie.get(place, ())):
        if face in (card, back_of(card)):
            left = {**lie, place: list(lie[place])}
            left[place].remove(card)
            for after, more in ways_to_take(left, rest):
                yield after, (card, *more)


def by_brute_force(course: CardTracker) -> tuple[set[World], int | None]:
    """All ways in which the cards can lie in the end, and the version after which there was none."""
    worlds = {tuple(sorted((place, tuple(sorted(cards.elements()))) for place, cards in course.start.items()))}
    for each in course.transfers:
        worlds = worlds_after(worlds, each)
        if not worlds:
            return worlds, each.version
    return worlds, None


def first(course: CardTracker) -> int | None:
    """The version after which the search finds no way."""
    for each in course.transfers:
        verdict = course.up_to_version(each.version).is_possible()
        assert verdict is not None, "on a small box the search comes to an end"
        if verdict is False:
            return each.version
    return None


def planted(course: CardTracker, dice: random.Random) -> Iterator[CardTracker]:
    """The course with one thing in it told wrongly: each name shown as each other one, a card lost, doubled."""
    names = sorted(course.all_copies)
    for at, each in enumerate(course.transfers):
        for side in ("took", "put"):
            piles: Piles = getattr(each, side)
            for place, pile in piles.items():
                for card in pile:
                    others = [name for name in names if name != card] if not is_back(card) else []
                    for other in [*others, "?", "", f"{card} {card}"]:
                        wrong = Counter(pile)
                        wrong[card] -= 1
                        wrong.update(other.split())
                        told = replace(each, **{side: {**piles, place: +wrong}})
                        yield replace(course, transfers=(*course.transfers[:at], told, *course.transfers[at + 1 :]))


@pytest.mark.parametrize("seed", range(60))
def test_what_really_happened_is_possible_whatever_was_shown_of_it(seed: int) -> None:
    dice = random.Random(f"real {seed}")
    course = played(dice.choice(BOXES), 14, dice)
    assert course.is_possible() is True
    assert by_brute_force(course)[1] is None


@pytest.mark.parametrize("seed", range(16))
def test_every_single_error_is_found_exactly_where_no_way_to_lay_the_cards_is_left(seed: int) -> None:
    dice = random.Random(f"wrong {seed}")
    course = played(dice.choice(BOXES), 9, dice)
    compared = impossible = 0
    for wrong in planted(course, dice):
        when = by_brute_force(wrong)[1]
        assert first(wrong) == when, wrong.transfers
        compared, impossible = compared + 1, impossible + (when is not None)
    assert compared > 20
    assert impossible > 0


@pytest.mark.parametrize("seed", range(20))
def test_a_card_can_be_held_exactly_where_some_way_to_lay_the_cards_puts_it(seed: int) -> None:
    dice = random.Random(f"held {seed}")
    course = played(dice.choice(BOXES), 10, dice)
    worlds, _ = by_brute_force(course)
    said = set()
    for place in (*HIDDEN, *OPEN):
        for card in course.all_copies:
            can = any(card in dict(world).get(place, ()) for world in worlds)
            assert course.is_possible({place: Counter([card])}) is can, (place, card)
            said.add(can)
    assert said == {True, False}


def hiding(box: tuple[str, ...], moves: int, dice: random.Random) -> CardTracker:
    """A course in which most goes on hidden, and a card now and then is shown on its way."""
    lie: dict[str, list[str]] = {"deck:": list(box), "hand:0": [], "hand:1": [], "hand:2": [], "discard": []}
    found = []

    def shown(place: str, card: str) -> str:
        return card if place == "discard" or dice.random() < 0.25 else back_of(card)

    for version in range(1, moves + 1):
        source = dice.choice([place for place, cards in lie.items() if cards])
        target = dice.choice([place for place in lie if place != source])
        cards = dice.sample(lie[source], min(len(lie[source]), dice.choice((1, 1, 2))))
        for card in cards:
            lie[source].remove(card)
            lie[target].append(card)
        took = Counter(shown(source, card) for card in cards)
        found.append(Transfer(version, {source: took}, {target: Counter(shown(target, card) for card in cards)}))
    return CardTracker({"deck:": Counter(box)}, tuple(found))


def renamed(course: CardTracker, dice: random.Random) -> CardTracker:
    """The course with one passage in which one name stands for another."""
    shown = [(at, card) for at, each in enumerate(course.transfers) for side in (each.took, each.put)
             for pile in side.values() for card in pile if not is_back(card)]  # fmt: skip
    at, card = dice.choice(shown)
    other = dice.choice([name for name in sorted(course.all_copies) if name != card])
    each = course.transfers[at]
    sides = [{place: Counter(other if shown == card else shown for shown in pile.elements())
              for place, pile in side.items()} for side in (each.took, each.put)]  # fmt: skip
    told = replace(each, took=sides[0], put=sides[1])
    return replace(course, transfers=(*course.transfers[:at], told, *course.transfers[at + 1 :]))


def compared(seeds: Iterable[int]) -> Counter[str]:
    """Courses in which one or two names are wrong and yet no card's own copies are in question: the search against
    trying out all ways."""
    found: Counter[str] = Counter()
    for seed in seeds:
        dice = random.Random(f"j {seed}")
        course = hiding(dice.choice((tuple("abcd"), tuple("aabc"), tuple("abcde"))), dice.randrange(8, 16), dice)
        assert course.is_possible() is True, "this really happened"
        if not any(not is_back(card) for each in course.transfers for side in (each.took, each.put)
                   for pile in side.values() for card in pile):  # fmt: skip
            continue
        for _ in range(dice.choice((1, 1, 2))):
            course = renamed(course, dice)
        if course.is_sound and not course.find_impossible_cards():
            when = by_brute_force(course)[1]
            assert first(course) == when, seed
            found["impossible" if when else "possible"] += 1
    return found


def test_what_cannot_be_only_because_of_several_cards_together_is_found_where_no_way_is_left() -> None:
    found = compared(range(500))
    assert found["impossible"] >= 2
    assert found["possible"] >= 50


def test_a_map_that_is_taken_apart_leads_to_the_same_as_bargaining(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MAX_ROUTES_TRIED", 0)
    monkeypatch.setattr(solver, "ROUNDS_PER_BRANCH", 4)
    found = compared(range(500, 900))
    assert found["impossible"] >= 1
    assert found["possible"] >= 40


def test_where_the_allowance_is_used_up_nothing_is_held_to_be_impossible() -> None:
    course = played(BOXES[0], 14, random.Random("real 1"))
    spent = replace(course, budget=solver.SearchBudget(-1))
    assert spent.is_exhausted
    assert spent.is_possible() is not False


def gave_one_of_two(*shown: str) -> CardTracker:
    """Two cards that were both seen in one hand; one of them went on hidden, and these came out of the other hand."""
    hands = [Transfer(1, {"deck:": Counter({"?": 2})}, {"hand:0": Counter("ab")}),
             Transfer(2, {"deck:": Counter({"?": 2})}, {"hand:1": Counter({"?": 2})}),
             Transfer(3, {"hand:0": Counter("?")}, {"hand:1": Counter("?")})]  # fmt: skip
    out = [Transfer(4 + nth, {"hand:1": Counter(card)}, {"discard": Counter(card)}) for nth, card in enumerate(shown)]
    return CardTracker({"deck:": Counter("abcde")}, (*hands, *out))


def test_of_two_cards_of_which_one_was_given_either_can_be_shown_and_both_cannot() -> None:
    assert gave_one_of_two("a", "c").is_possible() is True
    assert gave_one_of_two("b", "d").is_possible() is True
    both = gave_one_of_two("a", "b")
    assert both.find_impossible_cards() == []
    assert both.is_possible() is False
    assert first(both) == 5
    assert gave_one_of_two("a", "c").is_possible({"hand:1": Counter("b")}) is False
    assert gave_one_of_two("a", "c").is_possible({"hand:1": Counter("b")}, only="b") is True


def test_what_is_not_believed_any_more_says_nothing_of_where_a_card_lies() -> None:
    course = CardTracker(
        {"deck:": Counter(("a", "b"))},
        (
            Transfer(1, {"deck:": Counter("?")}, {"hand:0": Counter("?")}),
            Transfer(2, {"deck:": Counter("?")}, {"discard": Counter("a")}),
        ),
    )
    held = {"hand:0": Counter("a")}
    assert course.is_possible(held) is False
    assert course.distrust_card_after(1, "a").is_possible(held) is True
    assert course.distrust_card_after(2, "a").is_possible(held) is False
