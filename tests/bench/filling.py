"""Finished matches by the thousand over HTTP: most are given up after a few moves, others played out."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from tests.bench.driving import Play, drive, request

PLAYED_IN_FULL = 25  # one in that many
MOVES_OF_OTHERS = 4
SIDE_BY_SIDE = 16


class _Filled(Exception):
    """There are as many matches as were asked for."""


def finish_matches(address: tuple[str, int], many: int) -> int:
    """Open and finish so many matches; return the moves made in them."""
    numbers, done = iter(range(many)), [0, 0]
    try:
        drive(address, [_finish(numbers, done, many) for _ in range(SIDE_BY_SIDE)], time.perf_counter() + 24 * 3600)
    except _Filled:
        return done[1]
    raise AssertionError("a day was not enough")


def _finish(numbers: Iterator[int], done: list[int], many: int) -> Play:
    for number in numbers:
        dice = random.Random(number)
        ask = {"game": "monster_combat", "variant": "V1", "seats": [{"kind": "human"}] * 2, "visibility": "public"}
        (opened,) = yield [(0, request("POST", "/v1/matches", body=ask))]
        made = opened.json()
        name, tokens = f"/v1/matches/{made['match']}", []
        for seat in (0, 1):
            (joined,) = yield [(0, request("POST", "/v1/join", body={"code": made["invitations"][seat]["code"]}))]
            tokens.append(joined.json()["token"])
        (begun,) = yield [(0, request("POST", f"{name}/start", made["token"], {}, match='"v3"'))]
        assert begun.status == 201, begun.body
        moves = 10**6 if number % PLAYED_IN_FULL == 0 else MOVES_OF_OTHERS
        while moves > 0:
            moves -= 1
            legal: dict[int, list[dict[str, str]]] = {}
            for seat in (0, 1):
                (offer,) = yield [(0, request("GET", f"{name}/seats/{seat}/moves", tokens[seat]))]
                if offer.json()["awaited"]:
                    legal[seat] = [each["move"] for each in offer.json()["legal"]]
            seat = next((seat for seat in legal if legal[seat]), -1)
            if seat < 0:
                break
            body = {"move": dice.choice(legal[seat])}
            (moved,) = yield [(0, request("POST", f"{name}/seats/{seat}/moves", tokens[seat], body))]
            assert moved.status == 201, moved.body
            done[1] += 1
        (about,) = yield [(0, request("GET", name))]
        if about.json()["status"] == "running":  # also where only moves of several cards are left, which are not listed
            ending = {"reason": "abandoned"}
            (proposed,) = yield [(0, request("POST", f"{name}/end", tokens[0], ending, match="*"))]
            assert proposed.status == 201, proposed.body
            yes = {"grant": True}
            (agreed,) = yield [
                (0, request("POST", f"{name}/endings/{proposed.json()['entry']['version']}/consents", tokens[1], yes))
            ]
            assert agreed.status == 201, agreed.body
        done[0] += 1
        if done[0] == many:
            raise _Filled
    while True:  # the others have the last ones under way
        yield [(0, request("GET", "/healthz"))]
