"""Who holds the server and tries again and again gains nothing once an honest seat has shown its next link."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from referee.match.table.player_seed import PlayerSeed, encode_seeds
from referee.transparency.randomness import ServerRandomSource, build_draw_source

MATCH, SIDES, TRIALS, CANDIDATES = "07-abcdefghijklmnopqrstuvwxyz", 6, 500, 20  # 10,000 candidates for each attack
HIGHEST = 25.7  # of chi-square with five degrees of freedom: once in 10,000 honest runs

Draw = Callable[[str], int]  # the newest link of the honest seat -> the roll
Attack = Callable[[random.Random], Sequence[Draw]]


def roll(secret: bytes, number: int, link: str, match: str = MATCH, other: str = "11" * 32) -> int:
    seeds = encode_seeds([PlayerSeed(0, "", link), PlayerSeed(1, "", other)])
    return build_draw_source(secret, match, number, "dice", seeds, 2)(SIDES)


def move_away(dice: random.Random) -> Sequence[Draw]:
    """The next server tries secrets before it commits to one."""
    keys = [dice.randbytes(32) for _ in range(CANDIDATES)]
    return [lambda link, key=key: roll(ServerRandomSource(key).secret(MATCH, 1), 9, link) for key in keys]  # type: ignore[misc]


def rewind(dice: random.Random) -> Sequence[Draw]:
    """Play goes back again and again, so that the draw gets another number."""
    secret = dice.randbytes(32)
    return [lambda link, number=number: roll(secret, number, link) for number in range(9, 9 + CANDIDATES)]  # type: ignore[misc]


def renew(dice: random.Random) -> Sequence[Draw]:
    """Play goes back behind the end again and again, each time with the secret of the next generation."""
    source = ServerRandomSource(dice.randbytes(32))
    return [lambda link, n=n: roll(source.secret(MATCH, n), 9 + n, link) for n in range(1, CANDIDATES + 1)]  # type: ignore[misc]


def abandon(dice: random.Random) -> Sequence[Draw]:
    """Matches are opened and abandoned, until one begins well."""
    source = ServerRandomSource(dice.randbytes(32))
    names = [f"07-{dice.randbytes(13).hex()}" for _ in range(CANDIDATES)]
    return [lambda link, name=name: roll(source.secret(name), 9, link, name) for name in names]  # type: ignore[misc]


def choose_chain(dice: random.Random) -> Sequence[Draw]:
    """A confederate commits to one of many chains."""
    secret, links = dice.randbytes(32), [dice.randbytes(32).hex() for _ in range(CANDIDATES)]
    return [lambda link, other=other: roll(secret, 9, link, other=other) for other in links]  # type: ignore[misc]


ATTACKS: list[Attack] = [move_away, rewind, renew, abandon, choose_chain]


def play(attack: Attack, shows_next: bool) -> float:
    """Chi-square of the rolls that come out, if each time the best candidate for the link known so far is taken."""
    dice, rolls = random.Random(attack.__name__), Counter[int]()
    for _ in range(TRIALS):
        following = dice.randbytes(32)
        known = hashlib.sha256(b"referee/v1/seed|" + following).hexdigest()
        best = max(attack(dice), key=lambda draw: draw(known))
        rolls[best(following.hex() if shows_next else known)] += 1
    due = TRIALS / SIDES
    return sum((rolls[side] - due) ** 2 / due for side in range(SIDES))


@pytest.mark.parametrize("attack", ATTACKS)
def test_trying_gains_nothing_once_an_honest_seat_shows_its_next_link(attack: Attack) -> None:
    assert play(attack, shows_next=True) < HIGHEST


@pytest.mark.parametrize("attack", ATTACKS)
def test_trying_would_gain_if_no_seat_showed_another_link(attack: Attack) -> None:
    assert play(attack, shows_next=False) > 10 * HIGHEST


def test_a_restart_draws_the_same() -> None:
    key, link = bytes(range(32)), "22" * 32
    assert len({roll(ServerRandomSource(key).secret(MATCH), 9, link) for _ in range(10)}) == 1
