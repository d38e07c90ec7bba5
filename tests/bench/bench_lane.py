"""CPU of a move in process, beside a calibrated loop: `python -m tests.bench.bench_lane [game] [--profile]`.

The app is called as a WSGI server calls it, over an embedded store by its socket, with receipts, limits and log as they
are served. Each move is posted and then looked at by the other seat, in the two patterns of a client: `two` has the
mover's situation in the answer and asks for the other's; `stream` asks for as little as possible (`Prefer:
return=minimal`), and the other seat's situation is read as a stream would bring it. What is printed is CPU of this
process, in microseconds and in turns of a loop that is measured in the same run, so that runs on different machines can
be compared.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import io
import os
import platform
import pstats
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import orjson
import yaml

RATES = ("READS", "WRITES", "DRY_RUNS", "JOINS", "MATCHES")
WAYS = ("two", "stream")
LOOP = 20_000
PARSED = "\n".join(f"key{at}: {{one: [1, 2, three], two: 'text {at}', three: null}}" for at in range(8))
App = Callable[..., Any]


def calibrate() -> float:
    """Return the CPU microseconds of a fixed piece of work in pure Python, the best of several.

    It is a short loop, and a parser of many small functions. Nothing is hashed: some processors have instructions for
    that, which made the loop quick and moves look slow beside it.
    """

    def work() -> float:
        began = time.process_time()
        table: dict[int, tuple[int, str]] = {}
        for at in range(LOOP):
            table[at % 997] = (at, str(at))
        orjson.dumps([list(each) for each in table.values()])
        yaml.load(PARSED, yaml.SafeLoader)
        return (time.process_time() - began) * 1e6

    return min(work() for _ in range(15))


class Client:
    """Calls an app as a server does, without a socket."""

    def __init__(self, app: App) -> None:
        self.app, self.spent, self.status = app, 0.0, ""

    def call(
        self, method: str, path: str, token: str = "", body: Any = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Make a request; return status, headers and body. `spent` adds up its CPU seconds."""
        content = b"" if body is None else orjson.dumps(body)
        path, _, query = path.partition("?")
        env: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "RAW_URI": path,
            "SCRIPT_NAME": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "HTTP_ACCEPT": "application/json",
            "CONTENT_LENGTH": str(len(content)),
            "wsgi.input": io.BytesIO(content),
            "wsgi.errors": io.StringIO(),
            "wsgi.url_scheme": "http",
            "wsgi.version": (1, 0),
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        if token:
            env["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        if body is not None:
            env["CONTENT_TYPE"] = "application/json"
        if method != "GET":
            env["HTTP_IDEMPOTENCY_KEY"] = uuid.uuid4().hex
        env.update({f"HTTP_{name.upper()}": value for name, value in headers.items()})
        answered: list[Any] = []
        began = time.process_time()
        made = self.app(env, lambda status, head, _info=None: answered.append((status, head)))
        data = b"".join(made)
        if close := getattr(made, "close", None):
            close()
        self.spent += time.process_time() - began
        status, head = answered[-1]
        return int(status[:3]), dict(head), data


def play(client: Client, game: str, dice: random.Random, way: str) -> Iterator[str]:
    """Play matches of two for ever, random legal moves; yield after each part of a move."""
    variant = {"monster_combat": "V1", "creature_crush": "skirmish"}.get(game, "standard")
    while True:
        seats = [{"kind": "human"}, {"kind": "human"}]
        ask = {"game": game, "variant": variant, "seats": seats, "visibility": "private"}
        made = orjson.loads(client.call("POST", "/v1/matches", body=ask)[2])
        name, tokens = f"/v1/matches/{made['match']}", []
        for seat in (0, 1):
            joined = client.call("POST", "/v1/join", body={"code": made["invitations"][seat]["code"]})
            tokens.append(orjson.loads(joined[2])["token"])
        status, _, said = client.call("POST", f"{name}/start", made["token"], {}, if_match='"v3"')
        assert status == 201, said
        near = "" if way == "two" else "?near=0"
        mine = [f"{name}/seats/{seat}" for seat in (0, 1)]
        offers = [
            orjson.loads(client.call("GET", f"{mine[seat]}/situation", tokens[seat])[2])["moves"] for seat in (0, 1)
        ]
        yield "opened"
        while any(offer["legal"] for offer in offers):
            able = [seat for seat in (0, 1) if offers[seat]["legal"] and offers[seat]["awaited"]]
            seat = dice.choice(able)
            usual = [each["move"] for each in offers[seat]["legal"] if each["flag"] != "gives_up"]
            move = {"move": dice.choice(usual or [offers[seat]["legal"][0]["move"]])}
            prefer = "return=representation" if way == "two" else "return=minimal"
            status, _, said = client.call("POST", f"{mine[seat]}/moves", tokens[seat], move, prefer=prefer)
            assert status == 201, said
            yield "move"
            for each in (1 - seat,) if way == "two" else (0, 1):
                status, _, body = client.call("GET", f"{mine[each]}/situation{near}", tokens[each])
                assert status == 200, body
                offers[each] = orjson.loads(body)["moves"]
                yield "situation" if each != seat else "own situation"
            if way == "two":
                offers[seat] = orjson.loads(said)["situation"]["moves"]
            status, _, _ = client.call(
                "GET", f"{mine[seat]}/situation", tokens[seat], if_none_match=f'"v{orjson.loads(said)["version"]}"'
            )
            yield "304" if status == 304 else "other"


def measure(app: App, game: str, way: str, moves: int, profile: bool = False) -> dict[str, float]:
    """Return the CPU microseconds of each kind of request, the mean of the quietest third of the run."""
    client = Client(app)
    parts: dict[str, list[float]] = {}
    playing = play(client, game, random.Random(1), way)
    count = {"move": 0}
    profiler = cProfile.Profile() if profile else None
    sums: dict[str, list[float]] = {}
    while count["move"] < moves + 60:
        before = client.spent
        if profiler and count["move"] >= 60:
            profiler.enable()
        what = next(playing)
        if profiler:
            profiler.disable()
        if what == "move":
            count["move"] += 1
        if count["move"] > 60:
            sums.setdefault(what, []).append((client.spent - before) * 1e6)
    if profiler:
        for order in ("tottime", "cumulative"):
            pstats.Stats(profiler).sort_stats(order).print_stats(45)
    for what, spent in sums.items():
        part = max(1, len(spent) // 12)
        parts[what] = sorted(statistics.fmean(spent[at : at + part]) for at in range(0, len(spent) - part + 1, part))
    # what other programs take away only ever adds: the quietest parts say most
    return {what: statistics.fmean(means[: len(means) // 3 + 1]) for what, means in parts.items() if what != "opened"}


@contextlib.contextmanager
def serve_in_process() -> Iterator[App]:
    """The app as WSGI, over servers of its own, with limits that let everything through."""
    from referee.infrastructure.embedded.servers import EmbeddedServers

    with tempfile.TemporaryDirectory() as folder, EmbeddedServers(Path(folder)) as servers:
        given = {f"REFEREE_RATE_{name}": "1000000" for name in RATES}
        given |= {"REFEREE_OPEN_MATCHES_PER_ADDRESS": "1000000"}
        given |= {"REFEREE_DATA_DIR": folder, "REFEREE_LOG_LEVEL": "warning"}
        given |= {"REFEREE_STORE_URL": servers.store_url or "", "REFEREE_QUEUE_URL": servers.queue_url or ""}
        with mock.patch.dict(os.environ, given):
            from api.app import create_app

            yield create_app().wsgi_app


def main() -> None:
    """Print one line for each pattern."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("game", nargs="?", default="here_to_slay")
    options.add_argument("--moves", type=int, default=600)
    options.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    options.add_argument("--profile", action="store_true")
    asked = options.parse_args()
    with serve_in_process() as app:
        turn = calibrate()
        print(f"Python {platform.python_version()}, {asked.game}; one turn of the loop: {turn:,.0f} us")
        for way in asked.ways:
            found = measure(app, asked.game, way, asked.moves, asked.profile)
            turn = min(turn, calibrate())
            told = "  ".join(f"{what} {us:,.0f} us ({us / turn:.3f})" for what, us in found.items())
            print(f"{way:<8}{told}", flush=True)


if __name__ == "__main__":
    main()
