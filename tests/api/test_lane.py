"""The hot lane answers as Flask does: two equal worlds, one behind each lane, are asked the same."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from typing import Any

import pytest

from referee.docs.clients.referee_client import DeviceKey
from referee.games import load_games
from referee.infrastructure.root_publisher import RootPublisher
from tests.api import house
from tests.audit.sitting import signer
from tests.service import house as desks

CLOCK = {"CLOCK": lambda: 0.0}
HEADERS: dict[str, tuple[str, ...]] = {
    "Accept": ("application/json", "*/*", "text/html", "application/x-ndjson", "application/json;q=0.5, */*;q=0.1"),
    "Accept-Language": ("de", "en", "de-AT, en;q=0.5", "*", "fr", "de;q=0"),
    "Accept-Encoding": ("gzip", "gzip, deflate, br, zstd", "br", "gzip;q=0", "identity, gzip;q=0.5", "*"),
    "Prefer": ("return=representation", "return=minimal", "RETURN = representation", "return=representation, wait=0"),
    "If-Match": ("*", '"v3-de"', '"v3"', 'W/"v4"', "v5", '"v4:gzip"', '"v999999"', ""),
    "If-None-Match": ("*", '"v3-de"', 'W/"v4-en"', '"v3"', '"v4"', '"v999999", W/"v5"', "nonsense"),
    "Idempotency-Key": ("same-key", '"same-key"', "", "not a key", "k" * 65),
    "X-Request-Id": ("abc-123", "not good", "a" * 65),
    "Content-Type": ("application/json; charset=utf-8", "text/plain", "application/merge-patch+json", ""),
    "Authorization": ("Bearer nonsense", "bearer {token}", "Bearer  {token}", "Basic {token}", "Bearer {token} "),
    "Content-Encoding": ("gzip", "identity", ""),
    "Origin": ("https://elsewhere.example",),
    "Transfer-Encoding": ("chunked",),
    "Content-Length": ("", "x"),
}
PATHS = ("situation", "moves", "explanation", "situation/", "chance", "view", "entries")
SEEN = ("view", "entries", "board", "view/", "entries/2")
VIEWERS = (
    *("viewer=seat:{}", "viewer=seat%3A{}", "viewer=seat%3a{}") * 6,
    *("viewer=public", "viewer=full", "viewer=seat:0{}", "viewer=seat:{}x", "viewer=seat:99", "viewer=", "viewer"),
    *(
        "viewer=seat:{0}&viewer=seat:{0}",
        "viewer=seat:{}&viewer=public",
        "viewer=Seat:{}",
        "viewer=%73eat:{}",
        "",
        "x=1",
    ),
)
QUERIES = (
    *("near=0", "near=20", "near=21", "near=1&near=2", "near=01", "near=", "near", "near=%31", "x=1", "lang=de"),
    *("lang=all&near=1", "lang=fr", "lang=de&lang=en", "after=1&lang=en"),
    *("version=2", "after=1", "after=1&limit=3", "limit=0", "limit=50", "type=x", "after=-1", "after=2147483648"),
)
BODIES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'{"move": null}',
    b'{"move": {"type": "nothing"}}',
    b'{"seen": 1}',
    b'"x"',
    b"\xff",
)
TWISTS: tuple[dict[str, Any], ...] = (
    {"seen": 0}, {"seen": 2**31}, {"seen": 1}, {"seen": True}, {"seen": 3.0}, {"seen": None}, {"window": "3.0"},
    {"window": ""}, {"window": "3.0\n"}, {"window": 3}, {"more": 1}, {"seen": "4"},
)  # fmt: skip
KEYS = [DeviceKey(bytes([number]) * 32) for number in range(1, 9)]
TABLES = [(name, max(2, game.min_seats)) for name, game in load_games().items()]


class World:
    """An app with tables at which everybody sits, and the chairs of those who have no phone."""

    def __init__(self, *, hot_lane: bool) -> None:
        house.COUNTERS[0] = iter(range(10**6))
        service = desks.service(elapsed=lambda: 0.0)
        publisher = RootPublisher(service.log, signer(), "store")  # both worlds sign refusals with one key
        self.app = house.app(service, HOT_LANE=hot_lane, PUBLISHER=publisher, **CLOCK)
        self.client = self.app.test_client()
        self.tables = [house.opened(self.app, game, seats) for game, seats in TABLES]
        chairs = [{"kind": "human"}, {"kind": "table"}]
        self.tables.append(house.opened(self.app, "monster_combat", chairs=chairs))
        for table in self.tables:
            for seat, person in enumerate(table.seats):
                assert person.put(f"{table.path}/seats/{seat}/key", {"key": KEYS[seat].public}).status_code == 200

    def ask(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> tuple[int, Any, bytes]:
        """Return status, headers and body of an answer."""
        said = self.client.open(path, method=method, headers=headers, data=body)
        request_id, body = said.headers.pop("X-Request-Id"), said.data
        if request_id != headers.get("X-Request-Id"):  # it is drawn if the client names none that will do
            if said.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
                said.headers.pop("Content-Length")
            body = body.replace(request_id.encode(), b"id")
        return said.status_code, sorted(said.headers.items()), body


class Asker:
    """Draws requests: most of usual form, some twisted in one or two places."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.dice = world, random.Random(seed)

    def draw(self) -> tuple[str, str, dict[str, str], bytes | None]:
        """Return method, address with query, headers and body of a request."""
        dice = self.dice
        table = dice.choice(self.world.tables)
        awaited = [at for at in table.awaited if isinstance(at, int) and at < len(table.seats)]
        seat = dice.choice(awaited) if awaited and dice.random() < 0.8 else dice.randrange(len(table.seats))
        holder = seat if dice.random() < 0.9 else dice.randrange(len(table.seats))
        person = table.host if dice.random() < 0.05 else table.seats[holder]
        token = str(person.token)
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json",
            "X-Request-Id": f"r{dice.random()}",
        }
        headers["X-Request-Id"] = headers["X-Request-Id"].replace(".", "-")
        match = table.match if dice.random() < 0.98 else "00-" + "a" * 26
        base, method, body = f"/v1/matches/{match}/seats/{seat}", "GET", None
        if dice.random() < 0.6:
            method, path = "POST", f"{base}/moves"
            headers |= {"Idempotency-Key": f"k-{dice.randrange(10**9)}", "Content-Type": "application/json"}
            body = self.draw_body(table, seat)
        else:
            path = f"{base}/{dice.choice(PATHS[:2]) if dice.random() < 0.95 else dice.choice(PATHS)}"
        asked = [dice.choice(QUERIES)] if dice.random() < 0.15 else []
        if method == "GET" and dice.random() < 0.5:
            path = f"/v1/matches/{match}/{dice.choice(SEEN[:2]) if dice.random() < 0.95 else dice.choice(SEEN)}"
            asked.append(dice.choice(VIEWERS).format(seat))
            dice.shuffle(asked)
        elif dice.random() < 0.02:
            asked.append(dice.choice(VIEWERS).format(seat))
        if dice.random() < 0.02:
            path = path.replace("/seats/", "/seats/0") if dice.random() < 0.5 else f"{path}x"
        for _ in range(dice.choice((0, 0, 0, 1, 1, 2))):
            name = dice.choice(tuple(HEADERS))
            headers[name] = dice.choice(HEADERS[name]).format(token=token)
            if not headers[name]:
                del headers[name]
        if dice.random() < 0.05:
            method = dice.choice(("PUT", "HEAD", "OPTIONS", "DELETE", "POST", "GET"))
        return method, path + (f"?{'&'.join(asked)}" if asked else ""), headers, body

    def draw_body(self, table: house.Table, seat: int) -> bytes:
        """Return the body of a move: mostly legal, sometimes of somebody else, or nonsense."""
        dice = self.dice
        if dice.random() < 0.08:
            return dice.choice(BODIES)
        other = seat if dice.random() < 0.85 else dice.randrange(len(table.seats))
        by = table.seats[other]
        said = self.world.client.get(
            f"{table.path}/seats/{other}/moves?near=5&whole=true", headers={"Authorization": f"Bearer {by.token}"}
        ).json
        listed = [*said["legal"], *(said["near"] if dice.random() < 0.3 else ())]
        usual = [each for each in listed if each.get("flag") != "gives_up"] or listed
        if not usual:
            return b'{"move": {"type": "mc.attack"}}'
        body: dict[str, Any] = {"move": dice.choice(usual)["move"]}
        if dice.random() < 0.2:
            body |= self.draw_signature(table, other, body["move"])
        elif dice.random() < 0.2:
            body |= dice.choice(TWISTS)
        elif dice.random() < 0.3:
            body["seen"] = said["version"]
        if dice.random() < 0.05:
            body["move"] = {
                **body["move"],
                dice.choice(("type", "more", "card", "cards")): dice.choice((1, "x" * 70, [])),
            }
        return json.dumps(body).encode()

    def draw_signature(self, table: house.Table, seat: int, move: Any) -> dict[str, Any]:
        """Return what a signed move has besides: mostly what fits."""
        dice = self.dice
        looked = table.seats[seat].get(f"{table.path}/seats/{seat}/situation").json
        version, root = looked["version"], looked["root"]  # type: ignore[index]
        key = KEYS[seat] if dice.random() < 0.9 else KEYS[-1]
        signed: dict[str, Any] = key.sign(table.match, seat, version, root, move)
        if dice.random() < 0.2:
            signed |= dice.choice(
                ({"nonce": ""}, {"signature": "0" * 128}, {"more": 1}, {"nonce": 3}, {"signature": None})
            )
        if dice.random() < 0.1:
            return {"signed": dice.choice((signed, None, [], "x", {}))}
        return {"signed": signed, "seen": version}


def compare(seed: int, requests: int) -> Counter[int]:
    """Ask two equal worlds the same; return how often each status came."""
    lane, flask = World(hot_lane=True), World(hot_lane=False)
    asker, seen = Asker(flask, seed), Counter[int]()
    for _ in range(requests):
        asked = asker.draw()
        found, wanted = lane.ask(*asked), flask.ask(*asked)
        assert found == wanted, asked
        seen[found[0]] += 1
    return seen


def test_both_lanes_answer_alike() -> None:
    seen = compare(1, 600)
    assert seen[201] > 50
    assert seen[200] > 60
    assert seen[409] > 5
    assert seen[422] > 10


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 5))
def test_both_lanes_answer_thousands_of_drawn_requests_alike(seed: int) -> None:
    assert sum(compare(seed, 1500).values()) == 1500


def counted(app: Any) -> tuple[dict[str, float], dict[str, float]]:
    """What an app has counted: requests by rule and status, and moves by outcome."""
    found = app.config["METRICS"].registry
    names = ("referee_http_requests_total", "referee_moves_total")
    sums: tuple[dict[str, float], ...] = ({}, {})
    for family in found.collect():
        for sample in family.samples:
            if sample.name in names:
                sums[names.index(sample.name)][str(sorted(sample.labels.items()))] = sample.value
    return sums[0], sums[1]


def test_both_lanes_count_alike() -> None:
    lane, flask, drawn_from = World(hot_lane=True), World(hot_lane=False), World(hot_lane=False)
    asker = Asker(drawn_from, 11)
    for _ in range(120):
        asked = asker.draw()
        for world in (lane, flask, drawn_from):
            world.ask(*asked)
    assert counted(lane.app) == counted(flask.app)


def test_a_limit_counts_a_request_once() -> None:
    """One that the lane hands on to Flask is not counted again there."""
    made = house.app(RATES={**house.FREE, "reads": 20})
    table = house.opened(made)
    path = f"{table.path}/seats/0/situation"
    other = house.Person(table.anyone.client, table.seats[1].token)
    for _ in range(20):
        assert other.get(path).status_code == 403  # it is not the caller's seat, so the lane leaves it to Flask
    said = house.problem(other.get(path), 429, "too-many-requests")
    assert said["limit"] == 20
    assert table.seats[0].get(path).status_code == 200


def test_what_is_unchanged_costs_nothing() -> None:
    made = house.app(RATES={**house.FREE, "reads": 3})
    table = house.opened(made)
    path, etag = (
        f"{table.path}/seats/0/situation",
        f'"v{table.seats[0].get(f"{table.path}/view?viewer=seat:0").json["version"]}"',
    )  # type: ignore[index]
    for _ in range(30):
        assert table.seats[0].get(path, If_None_Match=etag).status_code == 304
    assert table.seats[0].get(path).status_code == 200


def test_an_error_after_the_move_is_told_once_and_the_move_stands() -> None:
    """What breaks while the answer is written is 500, and the same request again gets its answer."""
    made = house.app()
    table = house.opened(made)
    seat = next(at for at in (0, 1) if table.moves(at)["legal"])
    move = table.moves(seat)["legal"][0]["move"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("api.lane.calls.render_made_move", lambda *_: 1 / 0)
        said = table.move(seat, move, Idempotency_Key="once-1")
        house.problem(said, 500, "internal-server-error")
    again = table.move(seat, move, Idempotency_Key="once-1")
    assert again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true"


def test_every_game_plays_in_the_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    """No move of a listing falls through to Flask, and no look at the table or the log either."""
    for name, game in load_games().items():
        made = house.app()
        table = house.opened(made, name, max(2, game.min_seats))
        asked: list[str] = []
        monkeypatch.setattr(made, "full_dispatch_request", lambda asked=asked: asked.append("flask"))
        for _ in range(12):
            offers = [
                (seat, dict(person.get(f"{table.path}/seats/{seat}/moves").json))  # type: ignore[arg-type]
                for seat, person in enumerate(table.seats)
            ]
            able = [(seat, each) for seat, offer in offers for each in offer["legal"] if each["flag"] != "gives_up"]
            if not able:
                break
            seat, chosen = able[0]
            made_move = table.move(seat, chosen["move"])
            assert made_move.status_code == 201
            for what in ("view", "entries", f"entries?after={made_move.json['version'] - 1}&limit=5"):  # type: ignore[index]
                assert table.seats[seat].get(house.seen_as(f"{table.path}/{what}", seat)).status_code == 200
            assert table.seats[seat].get(f"{table.path}/view?viewer=seat%3A{seat}").status_code == 200
        assert asked == []
