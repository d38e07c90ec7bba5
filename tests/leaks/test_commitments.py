"""A commitment to hidden cards tells nothing to whoever has not the salt, however few cards there may be to guess."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from unittest import mock

import pytest

from referee.engine.codec import encode_canonical
from referee.engine.events import Event
from referee.engine.referee import sample_legal_move, seats_that_must_act
from referee.engine.zones import Moved, is_back
from referee.match import entries
from referee.match.entries import LogEntry, compute_commitment, content_to_dict, decode_entry
from referee.service.requests import MoveRequest
from referee.transparency.randomness import ServerRandomSource
from tests.leaks.sides import Side, Sitting

KEY = bytes(range(32))
HUMAN = {"kind": "human"}
MOVES = 12  # that are made, so that cards are drawn
GAMES = {"monster_combat": "V1", "here_to_slay": "standard"}  # those whose cards are drawn by `Moved`


@dataclass(frozen=True)
class Secret:
    """A draw that one seat saw: what the log says openly of it, what was true, and what else it could have been."""

    match: str
    version: int
    seat: int
    commitment: str
    true: bytes
    guesses: tuple[bytes, ...]


class Real(ServerRandomSource):
    """The server's own chance and salts, in a world of tests."""

    course = None


def side(game: str, salt: Callable[[str, int, int, str], bytes] | None = None) -> Side:
    """A started match whose salts are those of the server, or as given."""
    draws = Real(KEY)
    with mock.patch("tests.leaks.sides.Draws", return_value=draws):
        made = Side(Sitting(game, GAMES[game], (HUMAN, HUMAN, HUMAN), "server", held=(0,)))
    if salt is not None:
        made.service.appender._salt = salt
    table = made.table
    done = table.host.post(f"{table.path}/start", If_Match="*")
    assert done.status_code == 201, done.text
    dice = random.Random(game)
    for number in range(MOVES):
        state = made.loaded().match.state
        assert state is not None
        seat = min(seats_that_must_act(state))
        move = sample_legal_move(state, seat, dice.randrange)
        assert move is not None
        made.service.make_move(MoveRequest(made.match, seat, move, key=f"move-{number}"))
    return made


def secrets(made: Side) -> Iterator[Secret]:
    """The draws of the first entries, each with every card of the box in the place of each that was drawn."""
    for stored in made.log.read_entries(made.match):
        entry, envelope = decode_entry(stored), json.loads(stored.envelope)
        for at, event in enumerate(entry.events):
            if not isinstance(event, Moved) or not event.target.startswith("hand:"):
                continue
            seat = int(event.target.partition(":")[2])
            guesses = {seen_with(entry, at, other, seat) for other in others(made, event)}
            true = seen_with(entry, at, event, seat)
            guesses.discard(true)
            yield Secret(
                made.match, entry.version, seat, envelope["commitments"][str(seat)], true, tuple(sorted(guesses))
            )


def others(made: Side, event: Moved) -> Iterator[Moved]:
    """The fact with another card in the place of one."""
    state = made.loaded().match.state
    box = {card for cards in state.zones.values() for card in cards if not is_back(card)}  # type: ignore[union-attr]
    for at, _ in enumerate(event.put):
        for card in sorted(box):
            put = (*event.put[:at], card, *event.put[at + 1 :])
            yield replace(event, put=put, took=put if event.took == event.put else event.took)


def seen_with(entry: LogEntry, at: int, event: Event, seat: int) -> bytes:
    """What the seat would have seen with this fact in that place: one guess, as the bytes that are committed to."""
    told = replace(entry, events=(*entry.events[:at], event, *entry.events[at + 1 :]))
    return encode_canonical(content_to_dict(*told.view_for(seat)))


def broken(secret: Secret, salt: bytes) -> bool:
    """Whether somebody with this salt finds out what was hidden: it is one of the guesses, and fits."""
    return any(compute_commitment(salt, guess) == secret.commitment for guess in (*secret.guesses, secret.true))


@pytest.mark.parametrize("game", GAMES)
def test_without_the_salt_no_guess_fits(game: str) -> None:
    made = side(game)
    found = list(secrets(made))
    assert len(found) >= 3
    draws, wrong = Real(KEY), Real(bytes(32))
    for secret in found:
        assert len(secret.guesses) > 10
        others_salts = [
            *(draws.salt(secret.match, 0, secret.version, who) for who in ("full", str(secret.seat + 1))),
            draws.salt(secret.match, 0, secret.version + 1, str(secret.seat)),
            draws.salt("07-" + "a" * 26, 0, secret.version, str(secret.seat)),
            wrong.salt(secret.match, 0, secret.version, str(secret.seat)),
            draws.commitment(secret.match).encode(),  # all that is open of the secret behind the salts
            *(b"", secret.match.encode(), str(secret.version).encode()),
        ]
        assert not any(broken(secret, salt) for salt in others_salts)


@pytest.mark.parametrize("game", GAMES)
def test_with_the_salt_the_truth_fits_and_nothing_else(game: str) -> None:
    found = list(secrets(side(game)))
    assert found
    for secret in found:
        salt = Real(KEY).salt(secret.match, 0, secret.version, str(secret.seat))
        assert compute_commitment(salt, secret.true) == secret.commitment
        assert not any(compute_commitment(salt, guess) == secret.commitment for guess in secret.guesses)


@pytest.mark.parametrize("game", GAMES)
def test_the_guessing_would_find_a_salt_that_was_forgotten(game: str) -> None:
    found = list(secrets(side(game, salt=lambda match, generation, version, who: b"")))
    assert found
    assert all(broken(secret, b"") for secret in found)


def test_no_two_commitments_of_a_match_are_alike() -> None:
    """Not even to the same facts: else it would show when two seats saw the same, or nothing."""
    made = side("monster_combat")
    given = [
        value
        for stored in made.log.read_entries(made.match)
        for value in json.loads(stored.envelope)["commitments"].values()
    ]
    assert len(given) > 10
    assert len(set(given)) == len(given)


def test_every_seat_is_committed_to_in_every_entry() -> None:
    """Also where an entry tells it nothing of its own: else the presence of a commitment would tell."""
    made = side("here_to_slay")
    for stored in made.log.read_entries(made.match):
        assert set(json.loads(stored.envelope)["commitments"]) == {"full", "0", "1", "2"}


def test_the_salt_is_as_long_as_a_hash_and_another_one_for_each_seat_version_generation_and_match() -> None:
    draws = Real(KEY)
    salts = {
        draws.salt(match, generation, version, who)
        for match in ("07-" + "a" * 26, "07-" + "b" * 26)
        for generation in range(3)
        for version in range(1, 40)
        for who in ("full", "0", "1")
    }
    assert {len(salt) for salt in salts} == {32}
    assert len(salts) == 2 * 3 * 39 * 3


def test_the_constant_of_the_proof_stands_in_for_this_function() -> None:
    """What the two worlds hold constant is the very function that entries are packed with."""
    with mock.patch.object(entries, "compute_commitment", return_value="0" * 64):
        made = side("monster_combat")
    for stored in made.log.read_entries(made.match):
        assert set(json.loads(stored.envelope)["commitments"].values()) == {"0" * 64}
