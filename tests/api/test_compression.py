"""Packed answers: which, how they are marked, and that streams come event by event."""

from __future__ import annotations

import gzip
import zlib

import pytest
from flask import Flask

from api.http.encoding.compression import LEAST, accepts_gzip, pack_events
from tests.api import house
from tests.api.streaming import quick


@pytest.fixture(params=[True, False], ids=["lane", "flask"])
def table(request: pytest.FixtureRequest) -> house.Table:
    return house.opened(house.app(HOT_LANE=request.param), "munchkin", 3)


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("gzip", True),
        ("br, gzip;q=0.1", True),
        ("*", True),
        ("identity, gzip", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("identity, gzip;q=0.5", False),
        ("nonsense;", False),
    ],
)
def test_a_body_is_packed_for_those_who_accept_it(accept: str, wanted: bool) -> None:
    assert accepts_gzip(accept) is wanted


@pytest.mark.parametrize("name", ["situation", "view", "entries"])
def test_a_packed_body_says_the_same(table: house.Table, name: str) -> None:
    place = f"{table.path}/seats/0/{name}" if name == "situation" else f"{table.path}/{name}?viewer=seat:0"
    person, path = table.seats[0], f"{place}{'&' if '?' in place else '?'}lang=de"
    plain, packed = person.get(path), person.get(path, Accept_Encoding="gzip")
    assert len(plain.data) >= LEAST
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert gzip.decompress(packed.data) == plain.data
    for said in (plain, packed):
        assert "Accept-Encoding" in said.headers["Vary"]
    assert "Content-Encoding" not in plain.headers


def test_the_etag_of_a_packed_body_is_weak_and_304_repeats_it(table: house.Table) -> None:
    person, path = table.seats[0], f"{table.path}/seats/0/situation"
    packed = person.get(path, Accept_Encoding="gzip", Accept_Language="de")
    etag = packed.headers["ETag"]
    assert etag.startswith('W/"v')
    for have, told in ((etag, etag), (etag[2:], etag[2:])):
        said = person.get(path, Accept_Encoding="gzip", Accept_Language="de", If_None_Match=have)
        assert (said.status_code, said.headers["ETag"], said.data) == (304, told, b"")
        assert said.headers["Vary"] == packed.headers["Vary"]  # RFC 9110, 15.4.5
    seat = next(at for at in range(3) if table.moves(at)["awaited"])
    move = next(each["move"] for each in table.moves(seat)["legal"] if each["flag"] != "gives_up")
    assert table.move(seat, move, If_Match=etag).status_code == 201


def test_a_short_body_stays_as_it_is(table: house.Table) -> None:
    said = table.anyone.get("/healthz", Accept_Encoding="gzip")
    assert said.json == {"status": "ok"}
    assert "Content-Encoding" not in said.headers
    assert "Accept-Encoding" in said.headers["Vary"]


def test_a_head_says_that_the_body_would_be_packed(table: house.Table) -> None:
    said = table.seats[0].ask("HEAD", f"{table.path}/view?viewer=seat:0", Accept_Encoding="gzip")
    assert (said.status_code, said.data) == (200, b"")
    assert said.headers["Content-Encoding"] == "gzip"
    assert "Content-Length" not in said.headers


def test_a_problem_is_packed(table: house.Table) -> None:
    said = table.move(0, {"type": "mc.pass"}, Accept_Encoding="gzip")
    assert said.status_code == 409
    assert said.headers["Content-Encoding"] == "gzip"
    assert b"/problems/illegal-move" in gzip.decompress(said.data)


def test_a_picture_is_packed_and_304_repeats_its_etag(table: house.Table) -> None:
    path = "/v1/standings.svg?game=munchkin"
    packed = table.anyone.get(path, Accept_Encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == table.anyone.get(path).data
    again = table.anyone.get(path, Accept_Encoding="gzip", If_None_Match=packed.headers["ETag"])
    assert (again.status_code, again.headers["ETag"], again.data) == (304, packed.headers["ETag"], b"")


def test_an_answer_with_a_new_secret_is_never_packed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.http.encoding.compression.LEAST", 1)
    anyone = house.Person(app.test_client())
    asked = {"game": "munchkin", "seats": [{"kind": "human"}] * 3}
    opened = anyone.post("/v1/matches", asked, Accept_Encoding="gzip")
    code = opened.json["invitations"][0]["code"]  # type: ignore[index]
    joined = anyone.post("/v1/join", {"code": code}, Accept_Encoding="gzip")
    account = anyone.post("/v1/players", {"name": "Ada"}, Accept_Encoding="gzip")
    host = house.Person(anyone.client, opened.json["token"])  # type: ignore[index]
    path = f"/v1/matches/{opened.json['match']}"  # type: ignore[index]
    invited = host.post(f"{path}/invitations", {"role": "spectator"}, Accept_Encoding="gzip")
    hook = {"url": "https://hooks.table.example/referee", "events": ["match.ended"], "match": opened.json["match"]}  # type: ignore[index]
    hooked = host.post("/v1/webhooks", hook, Accept_Encoding="gzip")
    picture = host.get(f"{path}/invitations/{invited.json['id']}/qr.svg", Accept_Encoding="gzip")  # type: ignore[index]
    for said in (opened, joined, account, invited, hooked, picture):
        assert said.status_code == (200 if said is picture else 201), said.text
        assert "Content-Encoding" not in said.headers
        assert "no-transform" in said.headers["Cache-Control"]


def test_a_stream_is_packed_and_comes_event_by_event(app: Flask) -> None:
    table = house.opened(quick(app))
    response = table.seats[0].get(f"{table.path}/stream?viewer=seat:0", Accept_Encoding="gzip")
    assert response.headers["Content-Encoding"] == "gzip"
    pieces, reader = iter(response.response), zlib.decompressobj(31)
    assert b"event: snapshot" in reader.decompress(next(pieces))  # type: ignore[arg-type]
    seat = next(at for at in (0, 1) if table.moves(at)["awaited"])
    move = next(each["move"] for each in table.moves(seat)["legal"] if each["flag"] != "gives_up")
    version = table.move(seat, move).json["version"]  # type: ignore[index]
    for piece in pieces:  # each can be read as soon as it is there
        text = reader.decompress(piece)  # type: ignore[arg-type]
        assert text.endswith(b"\n\n")
        if b"id: %d\n" % version in text:
            break
    response.close()


def test_no_event_of_a_stream_refers_to_another() -> None:
    """The size of what a stranger wrote does not tell whether it repeats what only the viewer saw."""
    hand = b'event: entry\ndata: {"card":"sword-of-the-deep"}\n\n'
    words = (b"sword-of-the-deep", b"xqzjv-kw-yqp-wkvb")
    same, other = (b'event: entry\ndata: {"statement":"%s"}\n\n' % word for word in words)
    sizes = [[len(piece) for piece in pack_events(iter(pieces))][1] for pieces in ((hand, same), (b": \n\n", same))]
    assert sizes[0] == sizes[1]
    together = [len(next(iter(pack_events(iter([hand + said]))))) for said in (same, other)]
    alone = [[len(piece) for piece in pack_events(iter([hand, said]))] for said in (same, other)]
    assert together == [first + second for first, second, _ in alone]
