"""The laws that hold in every game, on random matches: a new game is covered by being registered."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any

import pytest

from referee.engine.codec import canonical, decode, decode_named, encode
from referee.engine.events import Event, Move, fold
from referee.engine.game import Setup
from referee.engine.referee import awaited, considered, foreseen, granting, heard, invited, judge, legal, play, view
from referee.engine.seats import BYSTANDER, CHANCE, FULL, Seat
from referee.games import games
from referee.match.aggregate import Match
from referee.match.entries import Logged
from referee.queries.explanations import explanation, standing
from referee.rendering import texts as speech
from tests.games.matches import ids, recorded, setups

SETUPS = setups()
# one setup after the other, so that its tests share what was played
each = pytest.mark.parametrize("pair", SETUPS, ids=ids, scope="module")
SEEDS = range(1)  # `tests.bench.soak` plays them by the thousand


def eyes(setup: Setup) -> tuple[Seat, ...]:
    return (*map(Seat, range(setup.seats)), BYSTANDER)


@each
def test_a_random_match_ends_and_no_card_appears_or_vanishes(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    for seed in SEEDS:
        held: Counter[int] = Counter()
        last: Any = None
        for turn in recorded(pair, seed):
            if hasattr(turn.after, "zones"):
                held[sum(map(len, turn.after.zones.values()))] += 1
            assert type(turn.move) in games()[name].moves, "what is played can be posted"
            last = turn.after
        outcome = games()[name].outcome(last)
        assert outcome is not None
        assert sorted(seat for place in outcome.placement for seat in place) == list(range(setup.seats))


@each
def test_what_a_seat_sees_of_the_facts_leads_to_what_it_sees_of_the_table(pair: tuple[str, Setup]) -> None:
    _, setup = pair
    for seed in SEEDS:
        for turn in recorded(pair, seed):
            for seat in eyes(setup):
                seen = fold(view(turn.before, seat), [fact.seen_by(seat) for fact in turn.facts])
                assert seen == view(turn.after, seat)


@each
def test_permuting_what_is_hidden_from_a_seat_changes_nothing_for_it(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    game, dice = games()[name], random.Random(7)
    for seed in SEEDS:
        for at, turn in enumerate(recorded(pair, seed)):
            for seat in eyes(setup) if at < 150 else dice.sample(eyes(setup), 2):  # long matches repeat themselves
                other = game.otherwise(turn.after, seat, lambda things: dice.sample(things, len(things)))
                assert view(other, seat) == view(turn.after, seat)
                assert awaited(other) == awaited(turn.after)
                assert heard(other) == heard(turn.after)
                assert invited(other) == invited(turn.after)
                if dice.random() < 0.1 and seat in heard(other):
                    here = list(islice(considered(turn.after, seat), 60))
                    there = list(islice(considered(other, seat), 60))
                    assert here == there


@each
def test_whoever_is_invited_is_admitted_and_everybody_can_tell(pair: tuple[str, Setup]) -> None:
    for turn in recorded(pair, 1):
        if turn.after.agenda:
            top, public = turn.after.agenda[-1], view(turn.after, BYSTANDER)
            assert top.invites(turn.after) <= top.admits(turn.after)
            assert public.agenda[-1].invites(public) == top.invites(turn.after)


@each
def test_a_move_is_judged_alike_on_the_view_and_on_the_state(pair: tuple[str, Setup]) -> None:
    _, setup = pair
    for turn in recorded(pair, 0):
        for seat in range(setup.seats):
            for move, against in islice(considered(turn.before, Seat(seat)), 40):
                ruling = judge(turn.before, Seat(seat), move)
                assert ruling.granted == (against is None), (move, ruling, against)
                assert against is None or (ruling.reason, ruling.clauses) == (against.reason, against.clauses)


@each
def test_a_legal_move_stays_legal_and_whoever_is_awaited_has_one(pair: tuple[str, Setup]) -> None:
    _, setup = pair
    for turn in recorded(pair, 1):
        for seat in awaited(turn.before):
            if seat >= 0:
                assert next(legal(turn.before, seat), None) is not None
        if turn.seat != CHANCE or setup.at_table(getattr(turn.before.agenda[-1], "device", "")):
            assert judge(turn.before, turn.seat, turn.move).granted


@each
def test_a_listed_move_can_be_tried_on_the_view_as_far_as_it_shows(pair: tuple[str, Setup]) -> None:
    dice = random.Random(3)
    for turn in recorded(pair, 2):
        for seat in awaited(turn.before):
            if seat >= 0 and dice.random() < 0.5:
                seen, offered = view(turn.before, seat), list(islice(legal(turn.before, seat), 60))
                for move in dice.sample(offered, min(3, len(offered))):
                    facts, _ = foreseen(seen, seat, move)
                    fold(seen, facts)


@each
def test_every_state_fact_and_move_survives_its_bytes(pair: tuple[str, Setup]) -> None:
    name, _ = pair
    kind, dice = games()[name].state, random.Random(2)
    for at, turn in enumerate(recorded(pair, 2)):
        if at > 150 and dice.random() < 0.8:
            continue  # long matches repeat themselves
        assert decode(kind, encode(turn.after)) == turn.after
        for seat in (0, BYSTANDER):
            seen = view(turn.after, Seat(seat))
            assert decode(kind, encode(seen)) == seen
        for fact in turn.facts:
            assert decode_named(encode(fact), Event) == fact
            canonical(encode(fact))
        assert decode_named(encode(turn.move), Move) == turn.move


@each
def test_every_state_can_be_written_down_and_read_back(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    if setup.named:
        pytest.skip("people may name what a bot holds, for no refusal tells; such tables cannot be, and are refused")
    game = games()[name]
    everybody, dice = eyes(setup), random.Random(4)
    for at, turn in enumerate(recorded(pair, 0)):
        if at > 150 and dice.random() < 0.8:
            continue
        assert game.position(game.written(turn.after)) == turn.after
        seen = view(turn.after, everybody[at % len(everybody)])
        assert game.position(game.written(seen)) == seen


@each
def test_every_fact_and_move_can_be_told_in_both_languages(pair: tuple[str, Setup]) -> None:
    name, _ = pair
    game = games()[name]
    for turn in recorded(pair, 0):
        for seat in (Seat(0), BYSTANDER, FULL):
            for fact in turn.facts:
                told = game.told(fact if seat == FULL else fact.seen_by(seat))
                assert told is None or (told["en"] and told["de"])
        assert game.told(turn.move)


@pytest.mark.parametrize("name", games())
def test_every_example_position_is_read_and_judged(name: str) -> None:
    game = games()[name]
    for variant in game.variants:
        examples = game.examples(variant)
        assert examples
        asked = set()
        for example in examples:
            state = game.position(example)
            assert state.agenda, "an example asks a question"
            asked.add(state.agenda[-1].question())
            written = game.written(state)
            assert game.position(written) == state
        assert len(asked) > 1


# ---- explanations --------------------------------------------------------------------------------------------


def logged(turn: Any, version: int) -> Logged:
    """A move of a random match as an entry of a log."""
    clauses = granting(turn.before, turn.move, turn.facts)
    actor = "chance" if turn.seat == CHANCE else "player"
    return Logged("", version, 0, turn.seat, actor, turn.move, turn.facts, clauses, b"")


def explained(name: str, state: Any, entry: Logged, seat: int) -> dict[str, Any]:
    return explanation(games()[name], Match(game=name, status="running", state=state), entry, seat)


def texts(thing: Any) -> Iterator[dict[str, str]]:
    """Every text for people in an explanation."""
    if isinstance(thing, dict):
        if set(thing) == {"en", "de"}:
            yield thing
        for part in thing.values():
            yield from texts(part)
    elif isinstance(thing, list):
        for part in thing:
            yield from texts(part)


def summed_up(number: dict[str, Any]) -> None:
    """A number that has parts is their sum, and says which clause it rests on."""
    assert number["clause"]
    if number["parts"]:
        assert number["value"] == sum(part["value"] for part in number["parts"]), number
    for part in number["parts"]:
        summed_up(part)


@each
def test_every_entry_is_explained_to_everybody_in_both_languages(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    dice = random.Random(5)
    for version, turn in enumerate(recorded(pair, 0), 1):
        if version > 80 and dice.random() < 0.8:
            continue  # long matches repeat themselves
        entry = logged(turn, version)
        for seat in (dice.choice(eyes(setup)), FULL, *((turn.seat,) if turn.seat >= 0 else ())):
            told = explained(name, turn.before, entry, seat)
            canonical(told)
            for text in texts(told):
                assert text["en"], text
                assert text["de"], text
                assert not {"{", "}"} & set(text["en"] + text["de"]), text
            for lang, line in told["sentence"].items():
                assert line[0] == line[0].upper()
                assert line.endswith("."), line
                assert "(s)" not in line, line
                assert not re.search(r"[.!?] +[A-ZÄÖÜ]", line), (lang, line)
            for clause in told["clauses"]:
                assert clause["says"] == speech.clause(games()[name], clause["id"]).says
            cited = [clause["id"] for clause in told["clauses"]]
            assert cited[: len(entry.clauses)] == list(entry.clauses)
            for number in told["numbers"]:
                summed_up(number)
                assert {number["clause"], *(part["clause"] for part in number["parts"])} <= set(cited)
            assert told["question"]["asks"]
            assert told["question"]["awaits"]
            if turn.seat >= 0:
                own = told["otherwise"]["legal"]
                assert (own is not None) == (seat in (turn.seat, FULL))
                assert own is None or encode(turn.move) not in [other["move"] for other in own]
            else:
                assert told["otherwise"] is None


@each
def test_an_explanation_is_the_same_in_a_world_that_its_reader_cannot_tell_from_this_one(
    pair: tuple[str, Setup],
) -> None:
    name, setup = pair
    game, dice, compared = games()[name], random.Random(9), 0
    for version, turn in enumerate(recorded(pair, 1), 1):
        if version > 80 and dice.random() < 0.8:
            continue
        seat = dice.choice(eyes(setup))
        other = game.otherwise(turn.before, seat, lambda things: dice.sample(things, len(things)))
        if other == turn.before or not judge(other, turn.seat, turn.move).granted:
            continue
        here = logged(turn, version)
        facts = play(other, turn.seat, turn.move)
        there = logged(replace(turn, before=other, facts=facts, after=fold(other, facts)), version)
        if here.seen_by(seat) != there.seen_by(seat):
            continue  # a card was shown on the way, and it is another one
        assert explained(name, turn.before, here, seat) == explained(name, other, there, seat)
        compared += 1
    assert compared > 3 or setup.at_table(game.devices[-1]), "too seldom was there another world"


# ---- how things stand ----------------------------------------------------------------------------------------


def stands(name: str, state: Any, seat: int) -> dict[str, Any]:
    """How things stand for these eyes."""
    return standing(games()[name], Match(game=name, status="running", state=state), seat)


@each
def test_how_things_stand_is_told_to_everybody_in_both_languages(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    book, dice = games()[name].book, random.Random(6)
    for version, turn in enumerate(recorded(pair, 2), 1):
        if dice.random() < (0.5 if version < 60 else 0.9) or not turn.after.agenda:
            continue
        seen = cache(partial(stands, name, turn.after))
        for seat in (dice.choice(eyes(setup)), FULL):
            told = seen(seat)
            canonical(told)
            for text in texts(told):
                assert text["en"], text
                assert text["de"], text
                assert not {"{", "}"} & set(text["en"] + text["de"]), text
            for number in told["sums"]:
                summed_up(number)
                assert all(book.clause(part["clause"]) for part in (number, *number["parts"]))
            assert [each["seat"] for each in told["could"]] == sorted(who for who in heard(turn.after) if who >= 0)
            assert told["question"]["awaits"]
        for who in (each for each in awaited(turn.after) if each >= 0):
            rows = [next(row["kinds"] for row in seen(seat)["could"] if row["seat"] == who) for seat in (who, FULL)]
            own = [{kind["type"] for kind in row} for row in rows]
            may: set[str] = set()
            for number, move in enumerate(legal(turn.after, who)):
                may.add(move.TAG)
                if number < 200:
                    assert all(move.TAG in kinds for kinds in own)
                elif set().union(*own) <= may:
                    break
            assert set().union(*own) <= may, "what is told that he could do he may"


@each
def test_how_things_stand_is_the_same_in_a_world_that_its_reader_cannot_tell_from_this_one(
    pair: tuple[str, Setup],
) -> None:
    name, setup = pair
    game, dice, compared = games()[name], random.Random(11), 0
    for version, turn in enumerate(recorded(pair, 1), 1):
        if version > 80 and dice.random() < 0.8:
            continue
        seat = dice.choice(eyes(setup))
        other = game.otherwise(turn.after, seat, lambda things: dice.sample(things, len(things)))
        if other != turn.after:
            assert stands(name, turn.after, seat) == stands(name, other, seat)
            compared += 1
    assert compared > 3 or setup.at_table(game.devices[-1]), "too seldom was there another world"
