"""Whoever knows all that is open foretells a draw as well as by guessing, and gains nothing by choosing when it is.

Each attack gets what an onlooker or a seat has: the commitment, the match id, the version, the purpose, the seeds, the
draws before, and the salts that are disclosed to a seat. The same attacks break a server that draws from its published
hash, so they are no straw men.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from referee.engine.chance import RollResult, ShuffleResult
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import SeatAssignment
from referee.match.events.takeback_events import RequestTakeback
from referee.match.table import commands
from referee.match.table.player_seed import PlayerSeed, compute_seed_commitment, encode_seeds
from referee.service.match_service import MatchService
from referee.transparency import randomness
from referee.transparency.randomness import SPAN, ServerRandomSource
from tests.arbitration.playing import plays
from tests.service.house import end_agreed_by_all, identify
from tests.transparency.fairness import by_chance, even

pytestmark = pytest.mark.deep

KEY = bytes.fromhex("6b1f0e8a94c27d355fe2a3b8c1d04976e5aa10bb3c7d82f69e40135724fd8c6b")
SEEDS = encode_seeds(
    [PlayerSeed(seat, compute_seed_commitment(bytes([seat]) * 16), bytes([seat]).hex() * 16) for seat in range(2)]
)
SIDES, DRAWS = 6, 1500


@dataclass(frozen=True)
class Known:
    """What is open to somebody who wants to know a draw before it is made."""

    match: str
    commitment: str
    version: int
    purpose: str
    seeds: bytes
    salts: tuple[bytes, ...]  # disclosed to his own seat
    before: tuple[int, ...]  # what was drawn before


Attack = Callable[[Known], int]


def as_secret(candidate: Callable[[Known], bytes]) -> Attack:
    """Takes something open for the secret, and draws from it as the server does."""

    def attack(known: Known) -> int:
        return randomness.build_draw_source(candidate(known), known.match, known.version, known.purpose, known.seeds)(
            SIDES
        )

    return attack


def as_key(candidate: Callable[[Known], bytes]) -> Attack:
    """Takes something open for the subkey of the stream."""

    def attack(known: Known) -> int:
        numbers = randomness._generate_numbers(
            candidate(known), f"v1|{known.match}|{known.version}", hashed(known.seeds)
        )
        return next(numbers) % SIDES

    return attack


def hashed(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def often(known: Known) -> int:
    """What came most often so far."""
    return Counter(known.before).most_common(1)[0][0] if known.before else 0


def following(known: Known) -> int:
    """What came most often after what came last."""
    last = known.before[-1] if known.before else 0
    pairs = Counter(b for a, b in zip(known.before, known.before[1:], strict=False) if a == last)
    return pairs.most_common(1)[0][0] if pairs else 0


def lagging(known: Known) -> int:
    """The sum of two earlier draws, as a lagged generator would give."""
    return (known.before[-3] + known.before[-5]) % SIDES if len(known.before) > 5 else 0


ATTACKS: dict[str, Attack] = {
    "the commitment as the secret": as_secret(lambda known: bytes.fromhex(known.commitment)),
    "its text as the secret": as_secret(lambda known: known.commitment.encode()),
    "its hash as the secret": as_secret(lambda known: hashlib.sha256(bytes.fromhex(known.commitment)).digest()),
    "the match as the secret": as_secret(lambda known: known.match.encode()),
    "the match under an empty key": as_secret(lambda known: hmac.digest(b"", known.match.encode(), "sha256")),
    "the seeds as the secret": as_secret(lambda known: hashlib.sha256(known.seeds).digest()),
    "a salt as the secret": as_secret(lambda known: known.salts[0]),
    "the last salt as the secret": as_secret(lambda known: known.salts[-1]),
    "all salts together as the secret": as_secret(lambda known: _mixed(known.salts)),
    "nothing as the secret": as_secret(lambda _: bytes(32)),
    "the commitment as the key": as_key(lambda known: bytes.fromhex(known.commitment)),
    "a salt as the key": as_key(lambda known: known.salts[-1]),
    "the commitment itself": lambda known: int(known.commitment, 16) % SIDES,
    "the commitment and the version": lambda known: (int(known.commitment, 16) + known.version) % SIDES,
    "the hash of all that is open": lambda known: int(hashed(repr(known).encode()), 16) % SIDES,
    "the seeds themselves": lambda known: int(hashed(known.seeds), 16) % SIDES,
    "a salt itself": lambda known: int.from_bytes(known.salts[-1][:8], "big") % SIDES,
    "the same again": lambda known: known.before[-1] if known.before else 0,
    "one more": lambda known: (known.before[-1] + 1) % SIDES if known.before else 0,
    "what came most often": often,
    "what came most often after it": following,
    "what came least lately": lambda known: min(range(SIDES), key=lambda side: known.before[-30:].count(side)),
    "a sum of earlier ones": lagging,
}


CHOOSING = ("the commitment as the secret", "a salt as the key", "the hash of all that is open")


def _mixed(salts: tuple[bytes, ...]) -> bytes:
    mixed = bytes(32)
    for salt in salts:
        mixed = bytes(a ^ b for a, b in zip(mixed, salt, strict=True))
    return mixed


def course(secret: Callable[[str], bytes], purpose: str = "dice") -> Iterator[tuple[Known, int]]:
    """Draws of several matches, each with what is known before it."""
    made = 0
    for number in range(30):
        match = identify(f"attacked-{number}")
        own, before = secret(match), list[int]()
        salts = tuple(randomness.derive_salt(own, match, version, 0) for version in range(1, 6))
        for version in range(6, 6 + DRAWS // 30):
            seeds = SEEDS if number % 2 else b""
            known = Known(match, randomness.compute_commitment(own), version, purpose, seeds, salts, tuple(before))
            drawn = randomness.build_draw_source(own, match, version, purpose, seeds)(SIDES)
            yield known, drawn
            before.append(drawn)
            made += 1
    assert made == DRAWS


def hits(attack: Attack, secret: Callable[[str], bytes]) -> int:
    return sum(attack(known) == drawn for known, drawn in course(secret))


@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_on_what_is_open_foretells_a_die_better_than_guessing(name: str) -> None:
    assert by_chance(hits(ATTACKS[name], ServerRandomSource(KEY).secret), DRAWS, 1 / SIDES)


@pytest.mark.parametrize(
    ("name", "weak"),
    [
        ("the match under an empty key", lambda match: hmac.digest(b"", match.encode(), "sha256")),
        ("the match as the secret", lambda match: match.encode()),
        ("nothing as the secret", lambda match: bytes(32)),
    ],
)
def test_the_same_attacks_break_a_server_whose_secret_is_no_secret(name: str, weak: Callable[[str], bytes]) -> None:
    assert hits(ATTACKS[name], weak) == DRAWS


def test_the_attack_with_the_commitment_breaks_a_server_that_draws_from_what_it_published() -> None:
    def published(match: str, version: int) -> int:
        own = bytes.fromhex(ServerRandomSource(KEY).commitment(match))
        return randomness.build_draw_source(own, match, version, "dice", b"")(SIDES)

    attack, found = ATTACKS["the commitment as the secret"], 0
    for version in range(1, 101):
        match = identify(f"published-{version}")
        known = Known(match, ServerRandomSource(KEY).commitment(match), version, "dice", b"", (bytes(32),), ())
        found += attack(known) == published(match, version)
    assert found == 100


def test_with_the_secret_itself_every_draw_is_known_as_it_has_to_be_after_the_end() -> None:
    secrets = {identify(f"attacked-{n}"): ServerRandomSource(KEY).secret(identify(f"attacked-{n}")) for n in range(30)}
    assert hits(as_secret(lambda known: secrets[known.match]), ServerRandomSource(KEY).secret) == DRAWS


@pytest.mark.parametrize("sides", [2, 6])
def test_the_secret_of_an_earlier_generation_foretells_nothing_of_a_later_one(sides: int) -> None:
    found = 0
    for number in range(DRAWS):
        match = identify(f"renewed-{number}")
        told = randomness.build_draw_source(ServerRandomSource(KEY).secret(match), match, 40, "dice")(sides)
        found += told == ServerRandomSource(KEY).source(match, 1, 40, "dice")(sides)
    assert by_chance(found, DRAWS, 1 / sides)


# -- salts -------------------------------------------------------------------------------------------------------------


def bits(data: bytes) -> int:
    return int.from_bytes(data, "big")


def test_the_salts_that_one_seat_is_told_say_nothing_of_those_of_another() -> None:
    """Nor do they of its own later ones, nor of the draws: as numbers they are as far apart as by chance."""
    match, server = identify("salts"), ServerRandomSource(KEY)
    mine = [server.salt(match, 0, version, 0) for version in range(1, 400)]
    for others in (
        [server.salt(match, 0, version, 1) for version in range(1, 400)],
        [server.salt(match, 0, version, "full") for version in range(1, 400)],
        [server.salt(match, 1, version, 0) for version in range(1, 400)],
        mine[1:],
    ):
        apart = sum((bits(a) ^ bits(b)).bit_count() for a, b in zip(mine, others, strict=False))
        tries = 256 * min(len(mine), len(others))
        assert by_chance(apart, tries, 0.5)
        assert even((zip((salt[0] % 8 for salt in mine), (salt[0] % 8 for salt in others), strict=False)), 64)
    said = [key for salt in mine[:40] for key in (salt, hmac.digest(salt, match.encode(), "sha256"))]
    wanted = {server.salt(match, 0, version, who) for version in range(1, 60) for who in (1, 2, "full")}
    derived = {
        randomness.derive_salt(key, match, version, who)
        for key in said
        for version in (1, 2, 50)
        for who in (1, "full")
    }
    assert not wanted & (derived | set(said))


def test_salts_that_were_alike_for_all_seats_would_be_found() -> None:
    one = [randomness.derive_salt(bytes(32), "m", version, "all") for version in range(1, 400)]
    apart = sum((bits(a) ^ bits(b)).bit_count() for a, b in zip(one, one, strict=True))
    assert not by_chance(apart, 256 * len(one), 0.5)


# -- choosing when -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHOOSING)
def test_whoever_may_choose_the_version_of_a_draw_gains_nothing(name: str) -> None:
    """Table business before a roll shifts it to another version. He takes, of eight, the one that he thinks best."""
    attack, gained = ATTACKS[name], list[int]()
    for known, _ in list(course(ServerRandomSource(KEY).secret))[::3]:
        choices = [Known(**{**vars(known), "version": known.version + later}) for later in range(8)]
        best = max(choices, key=attack)
        gained.append(ServerRandomSource(KEY).source(best.match, 0, best.version, best.purpose, best.seeds)(SIDES))
    assert even(gained, SIDES)


def test_whoever_knew_the_secret_would_gain_by_it() -> None:
    gained = []
    for known, _ in list(course(ServerRandomSource(KEY).secret))[::10]:
        of = [
            ServerRandomSource(KEY).source(known.match, 0, known.version + n, "dice", known.seeds)(SIDES)
            for n in range(8)
        ]
        gained.append(max(of))
    assert not even(gained, SIDES)


@pytest.mark.parametrize("name", CHOOSING)
def test_whoever_reveals_the_last_seed_gains_nothing_even_if_he_might_choose_it(name: str) -> None:
    """He knows all other seeds. That he has to commit before is for the case that the server is in league with him."""
    attack, gained = ATTACKS[name], list[int]()
    for known, _ in list(course(ServerRandomSource(KEY).secret))[::3]:
        mixed = [
            encode_seeds(
                [PlayerSeed(0, "", "00" * 16), *([PlayerSeed(1, "", bytes([last]).hex() * 16)] if last else [])]
            )
            for last in range(8)  # the first: he goes without revealing
        ]
        best = max((Known(**{**vars(known), "seeds": seeds}) for seeds in mixed), key=attack)
        gained.append(ServerRandomSource(KEY).source(best.match, 0, best.version, best.purpose, best.seeds)(SIDES))
    assert even(gained, SIDES)


# -- grinding at a desk ------------------------------------------------------------------------------------------------


def service(log: MemoryLog | None = None) -> MatchService:
    return MatchService(log or MemoryLog(), ServerRandomSource(KEY), lambda *_: "", lambda _: None, identify)


OPEN = commands.OpenMatch("monster_combat", "V1", {}, {}, (SeatAssignment("human"), SeatAssignment("human")))


def begun(house: MatchService, key: str, ask: commands.OpenMatch = OPEN) -> str:
    match = house.open_match(ask, key).match.id
    for seat in range(len(ask.chairs)):
        house.execute_command(match, commands.TakeSeat(seat), key=f"{key}-{seat}", scope="join")
    house.execute_command(match, commands.StartMatch(), key=f"{key}-start", scope="host")
    return match


def shuffles(house: MatchService, match: str) -> list[tuple[str, ...]]:
    return [entry.move.order for entry in house.repository.load_entries(match) if isinstance(entry.move, ShuffleResult)]


def test_opening_again_under_the_same_key_gives_the_same_match_and_the_same_cards() -> None:
    """Also after it was abandoned, and on another server of the same secret: there is no second try."""
    house = service()
    match = begun(house, "key")
    first = shuffles(house, match)
    plays(house, match, 1, 6)
    house.execute_command(match, end_agreed_by_all("abandoned"), key="end", scope="host")
    for _ in range(3):
        again = house.open_match(OPEN, "key")
        assert (again.match.id, again.replayed) == (match, True)
        assert house.load_match(match).match.status == "abandoned"
    other = service()
    assert begun(other, "key") == match
    assert shuffles(other, match) == first


def test_other_keys_give_matches_whose_shuffles_have_nothing_to_do_with_each_other() -> None:
    house, found = service(), []
    for number in range(60):
        found.append(shuffles(house, begun(house, f"key-{number}"))[0])
        house.execute_command(identify(f"key-{number}"), end_agreed_by_all("abandoned"), key="end", scope="host")
    assert len(set(found)) == len(found)
    size = len(found[0])
    alike = sum(a == b for one, other in pairwise(found) for a, b in zip(one, other, strict=True))
    by_luck = sum((count / size) ** 2 for count in Counter(found[0]).values())  # equal cards at the same place
    assert by_chance(alike, size * (len(found) - 1), by_luck)
    assert not by_chance(size * (len(found) - 1), size * (len(found) - 1), by_luck)


def test_a_retry_or_another_desk_at_the_same_version_draws_the_same() -> None:
    """So nobody who makes it fail, be it by killing the server, gets another try."""
    for times in range(1, 4):
        house, calls = service(), list[Any]()
        match = house.open_match(OPEN, "key").match.id
        for seat in range(2):
            house.execute_command(match, commands.TakeSeat(seat), key=f"s{seat}", scope="join")
        kept = house.appender.append_entry

        def failing(*args: Any, times: int = times, calls: list[Any] = calls, kept: Any = kept, **more: Any) -> Any:
            if args[2] == "chance":
                calls.append(args[3])
                if len(calls) <= times:
                    raise ConnectionError("killed after the draw and before it was written")
            return kept(*args, **more)

        house.appender.append_entry = failing  # type: ignore[method-assign]
        with pytest.raises(ConnectionError):
            house.execute_command(match, commands.StartMatch(), key="start", scope="host")
        for _ in range(times - 1):
            with pytest.raises(ConnectionError):
                house.recover_match(match)
        house.recover_match(match)
        assert len(calls) > times
        assert all(each == calls[0] for each in calls[: times + 1])


def test_what_chance_has_shown_is_not_taken_back_alone_and_is_drawn_anew_at_another_version() -> None:
    ask = commands.OpenMatch("here_to_slay", "standard", {}, {}, (SeatAssignment("human"), SeatAssignment("human")))
    house = service()
    match = begun(house, "back", ask)
    for seed in range(60):
        (done,) = plays(house, match, seed, 1)
        rolled = [
            each for each in house.repository.load_entries(match, done.entry - 1) if isinstance(each.move, RollResult)
        ]
        mover = house.repository.load_entries(match)[done.entry - 1].seat
        if rolled and mover >= 0:
            break
    asked = house.execute_command(match, RequestTakeback(mover, done.entry - 1), key="back", scope=f"seat{mover}")
    assert house.load_match(match).match.takebacks[-1].stage == "asked"
    assert "random" in house.load_match(match).match.takebacks[-1].waives
    assert asked.version == asked.entry, "nothing was drawn"
    roll = rolled[0]
    purposes = {house.load_version(match, roll.version - 1).match.state.agenda[-1].question_name()}  # type: ignore[union-attr]
    streams = [
        ServerRandomSource(KEY).source(match, 0, asked.entry + n, purpose)(SPAN)
        for n in range(5)
        for purpose in purposes
    ]
    assert len(set(streams)) == len(streams), "each version has a stream of its own"
