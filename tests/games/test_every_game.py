"""The laws that hold in every game, on random matches: a new game is covered by being registered."""

from __future__ import annotations

import inspect
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any

import pytest

from referee.engine.codec import REGISTRY, decode, decode_named, encode, encode_canonical
from referee.engine.events import Event, Move, apply_events
from referee.engine.game import Setup
from referee.engine.referee import (
    build_view,
    collect_granting_clauses,
    find_legal_moves,
    judge_candidates,
    judge_move,
    play_move,
    preview_move,
    seats_that_may_act,
    seats_that_may_respond,
    seats_that_must_act,
)
from referee.engine.seats import BYSTANDER, CHANCE, FULL_VIEWER, Seat
from referee.games import load_games
from referee.match.aggregate import Match
from referee.match.entries import LogEntry
from referee.queries.explanations import explanation_response, situation_response
from referee.rendering import texts as speech
from referee.rendering.quoting import shorten_clause
from tests.games.matches import marked_setups, recorded, setups

SETUPS = setups()
# one setup after the other, so that its tests share what was played
each = pytest.mark.parametrize("pair", marked_setups(), scope="module")
SEEDS = range(1)  # `tests.bench.soak` plays them by the thousand


def test_no_step_or_event_inherits_a_method_that_it_has_to_define() -> None:
    unfilled = {
        tag: [name for name, method in inspect.getmembers(kind, inspect.isfunction)
              if "NotImplementedError" in method.__code__.co_names]
        for tag, kind in REGISTRY.items() if kind.__module__.startswith("referee.")  # not those of other tests
    }  # fmt: skip
    assert len(unfilled) > 300
    assert {tag: names for tag, names in unfilled.items() if names} == {}


def viewer(setup: Setup) -> tuple[Seat, ...]:
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
            assert type(turn.move) in load_games()[name].move_types, "what is played can be posted"
            last = turn.after
        outcome = load_games()[name].find_outcome(last)
        assert outcome is not None
        assert sorted(seat for place in outcome.placement for seat in place) == list(range(setup.seats))


@each
def test_what_a_seat_sees_of_the_facts_leads_to_what_it_sees_of_the_table(pair: tuple[str, Setup]) -> None:
    _, setup = pair
    for seed in SEEDS:
        for turn in recorded(pair, seed):
            for seat in viewer(setup):
                seen = apply_events(build_view(turn.before, seat), [event.view_for(seat) for event in turn.events])
                assert seen == build_view(turn.after, seat)


@each
def test_permuting_what_is_hidden_from_a_seat_changes_nothing_for_it(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    game, dice = load_games()[name], random.Random(7)
    for seed in SEEDS:
        for at, turn in enumerate(recorded(pair, seed)):
            for seat in viewer(setup) if at < 150 else dice.sample(viewer(setup), 2):  # long matches repeat themselves
                other = game.tracking.determinize(turn.after, seat, dice.randrange)
                assert build_view(other, seat) == build_view(turn.after, seat)
                assert seats_that_must_act(other) == seats_that_must_act(turn.after)
                assert seats_that_may_act(other) == seats_that_may_act(turn.after)
                assert seats_that_may_respond(other) == seats_that_may_respond(turn.after)
                if dice.random() < 0.1 and seat in seats_that_may_act(other):
                    here = list(islice(judge_candidates(turn.after, seat), 60))
                    there = list(islice(judge_candidates(other, seat), 60))
                    assert here == there


@each
def test_whoever_is_invited_is_admitted_and_everybody_can_tell(pair: tuple[str, Setup]) -> None:
    for turn in recorded(pair, 1):
        if turn.after.agenda:
            top, public = turn.after.agenda[-1], build_view(turn.after, BYSTANDER)
            assert top.invited_seats(turn.after) <= top.admitted_seats(turn.after)
            assert public.agenda[-1].invited_seats(public) == top.invited_seats(turn.after)


@each
def test_a_move_is_judged_alike_on_the_view_and_on_the_state(pair: tuple[str, Setup]) -> None:
    _, setup = pair
    for turn in recorded(pair, 0):
        for seat in range(setup.seats):
            for move, against in islice(judge_candidates(turn.before, Seat(seat)), 40):
                ruling = judge_move(turn.before, Seat(seat), move)
                assert ruling.granted == (against is None), (move, ruling, against)
                assert against is None or (ruling.reason, ruling.clauses) == (against.reason, against.clauses)


@each
def test_a_legal_move_stays_legal_and_whoever_is_awaited_has_one(pair: tuple[str, Setup]) -> None:
    _, setup = pair
    for turn in recorded(pair, 1):
        for seat in seats_that_must_act(turn.before):
            if seat >= 0:
                assert next(find_legal_moves(turn.before, seat), None) is not None
        if turn.seat != CHANCE or setup.is_at_table(getattr(turn.before.agenda[-1], "device", "")):
            assert judge_move(turn.before, turn.seat, turn.move).granted


@each
def test_a_listed_move_can_be_tried_on_the_view_as_far_as_it_shows(pair: tuple[str, Setup]) -> None:
    dice = random.Random(3)
    for turn in recorded(pair, 2):
        for seat in seats_that_must_act(turn.before):
            if seat >= 0 and dice.random() < 0.5:
                seen, offered = build_view(turn.before, seat), list(islice(find_legal_moves(turn.before, seat), 60))
                for move in dice.sample(offered, min(3, len(offered))):
                    events, _ = preview_move(seen, seat, move)
                    apply_events(seen, events)


@each
def test_every_state_fact_and_move_survives_its_bytes(pair: tuple[str, Setup]) -> None:
    name, _ = pair
    kind, dice = load_games()[name].state_type, random.Random(2)
    for at, turn in enumerate(recorded(pair, 2)):
        if at > 150 and dice.random() < 0.8:
            continue  # long matches repeat themselves
        assert decode(kind, encode(turn.after)) == turn.after
        for seat in (0, BYSTANDER):
            seen = build_view(turn.after, Seat(seat))
            assert decode(kind, encode(seen)) == seen
        for event in turn.events:
            assert decode_named(encode(event), Event) == event
            encode_canonical(encode(event))
        assert decode_named(encode(turn.move), Move) == turn.move


@each
def test_every_state_can_be_written_down_and_read_back(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    if setup.named:
        pytest.skip("people may name what a bot holds, for no refusal tells; such tables cannot be, and are refused")
    game = load_games()[name]
    everybody, dice = viewer(setup), random.Random(4)
    for at, turn in enumerate(recorded(pair, 0)):
        if at > 150 and dice.random() < 0.8:
            continue
        assert game.positions.decode_position(game.positions.encode_position(turn.after)) == turn.after
        seen = build_view(turn.after, everybody[at % len(everybody)])
        assert game.positions.decode_position(game.positions.encode_position(seen)) == seen


@each
def test_every_fact_and_move_can_be_told_in_both_languages(pair: tuple[str, Setup]) -> None:
    name, _ = pair
    game = load_games()[name]
    for turn in recorded(pair, 0):
        for seat in (Seat(0), BYSTANDER, FULL_VIEWER):
            for event in turn.events:
                told = game.narration.describe_event(event if seat == FULL_VIEWER else event.view_for(seat))
                assert told is None or (told["en"] and told["de"])
        assert game.narration.describe_event(turn.move)


@pytest.mark.parametrize("name", load_games())
def test_every_example_position_is_read_and_judged(name: str) -> None:
    game = load_games()[name]
    for variant in game.variants:
        examples = game.positions.build_examples(variant)
        assert examples
        asked = set()
        for example in examples:
            state = game.positions.decode_position(example)
            assert state.agenda, "an example asks a question"
            asked.add(state.agenda[-1].question_name())
            written = game.positions.encode_position(state)
            assert game.positions.decode_position(written) == state
        assert len(asked) > 1


# ---- explanations --------------------------------------------------------------------------------------------


def logged(turn: Any, version: int) -> LogEntry:
    """A move of a random match as an entry of a log."""
    clauses = collect_granting_clauses(turn.before, turn.move, turn.events)
    actor = "chance" if turn.seat == CHANCE else "player"
    return LogEntry("", version, 0, turn.seat, actor, turn.move, turn.events, clauses, b"")


def explained(name: str, state: Any, entry: LogEntry, seat: int) -> dict[str, Any]:
    return explanation_response(load_games()[name], Match(game=name, status="running", state=state), entry, seat)


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
        for seat in (dice.choice(viewer(setup)), FULL_VIEWER, *((turn.seat,) if turn.seat >= 0 else ())):
            told = explained(name, turn.before, entry, seat)
            encode_canonical(told)
            for text in texts(told):
                assert text["en"], text
                assert text["de"], text
                assert not {"{", "}"} & set(text["en"] + text["de"]), text
            for lang, line in told["sentence"].items():
                assert line[0] == line[0].upper()
                assert line.endswith("."), line
                assert "(s)" not in line, line
                assert not re.search(r"[.!?] +[a-zäöü]", line), (lang, line)
            heard = [clause for clause in told["clauses"] if "sentence" in clause["used_for"]]
            for clause in heard:
                for lang, first in shorten_clause(clause["says"], 0).items():
                    assert told["sentence"][lang].count(first.rstrip(".")) == 1, (clause["id"], told["sentence"])
            for clause in told["clauses"]:
                assert clause["says"] == speech.find_clause(load_games()[name], clause["id"]).says
            cited = [clause["id"] for clause in told["clauses"]]
            assert cited[: len(entry.clauses)] == list(entry.clauses)
            for number in told["numbers"]:
                summed_up(number)
                assert {number["clause"], *(part["clause"] for part in number["parts"])} <= set(cited)
            assert told["question"]["asks"]
            assert told["question"]["awaits"]
            if turn.seat >= 0:
                own = told["otherwise"]["legal"]
                assert (own is not None) == (seat in (turn.seat, FULL_VIEWER))
                assert own is None or encode(turn.move) not in [other["move"] for other in own]
            else:
                assert told["otherwise"] is None


@each
def test_an_explanation_is_the_same_in_a_world_that_its_reader_cannot_tell_from_this_one(
    pair: tuple[str, Setup],
) -> None:
    name, setup = pair
    game, dice, compared = load_games()[name], random.Random(9), 0
    for version, turn in enumerate(recorded(pair, 1), 1):
        if version > 80 and dice.random() < 0.8:
            continue
        seat = dice.choice(viewer(setup))
        other = game.tracking.determinize(turn.before, seat, dice.randrange)
        if other == turn.before or not judge_move(other, turn.seat, turn.move).granted:
            continue
        here = logged(turn, version)
        events = play_move(other, turn.seat, turn.move)
        there = logged(replace(turn, before=other, events=events, after=apply_events(other, events)), version)
        if here.view_for(seat) != there.view_for(seat):
            continue  # a card was shown on the way, and it is another one
        assert explained(name, turn.before, here, seat) == explained(name, other, there, seat)
        compared += 1
    assert compared > 3 or setup.is_at_table(game.devices[-1]), "too seldom was there another world"


# ---- how things stand ----------------------------------------------------------------------------------------


def stands(name: str, state: Any, seat: int) -> dict[str, Any]:
    """How things stand for these eyes."""
    return situation_response(load_games()[name], Match(game=name, status="running", state=state), seat)


@each
def test_how_things_stand_is_told_to_everybody_in_both_languages(pair: tuple[str, Setup]) -> None:
    name, setup = pair
    book, dice = load_games()[name].rulebook, random.Random(6)
    for version, turn in enumerate(recorded(pair, 2), 1):
        if dice.random() < (0.5 if version < 60 else 0.9) or not turn.after.agenda:
            continue
        seen = cache(partial(stands, name, turn.after))
        for seat in (dice.choice(viewer(setup)), FULL_VIEWER):
            told = seen(seat)
            encode_canonical(told)
            for text in texts(told):
                assert text["en"], text
                assert text["de"], text
                assert not {"{", "}"} & set(text["en"] + text["de"]), text
            for number in told["sums"]:
                summed_up(number)
                assert all(book.find_clause(part["clause"]) for part in (number, *number["parts"]))
            assert [each["seat"] for each in told["could"]] == sorted(
                who for who in seats_that_may_act(turn.after) if who >= 0
            )
            assert told["question"]["awaits"]
        for who in (each for each in seats_that_must_act(turn.after) if each >= 0):
            rows = [
                next(row["kinds"] for row in seen(seat)["could"] if row["seat"] == who) for seat in (who, FULL_VIEWER)
            ]
            own = [{kind["type"] for kind in row} for row in rows]
            may: set[str] = set()
            for number, move in enumerate(find_legal_moves(turn.after, who)):
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
    game, dice, compared = load_games()[name], random.Random(11), 0
    for version, turn in enumerate(recorded(pair, 1), 1):
        if version > 80 and dice.random() < 0.8:
            continue
        seat = dice.choice(viewer(setup))
        other = game.tracking.determinize(turn.after, seat, dice.randrange)
        if other != turn.after:
            assert stands(name, turn.after, seat) == stands(name, other, seat)
            compared += 1
    assert compared > 3 or setup.is_at_table(game.devices[-1]), "too seldom was there another world"
