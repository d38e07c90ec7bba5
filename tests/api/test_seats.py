"""Coming and going: codes, tokens, several seats on one phone, leaving, proxies, names, the QR."""

from __future__ import annotations

import hashlib
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from flask import Flask

from api.resources.invitations.routes import EXPIRED_KEPT_MS
from referee.eventstore.memory.log import MemoryLog
from referee.service.rights import tokens
from tests.api import house
from tests.api.house import Person, Table, fresh, problem
from tests.service import house as desks


def log_of(app: Flask) -> MemoryLog:
    found: MemoryLog = app.config["SERVICE"].log
    return found


def test_a_token_is_opaque_and_only_its_hash_is_kept(app: Flask) -> None:
    table = house.opened(app, start=False)
    given = [table.host.token, *(person.token for person in table.seats)]
    assert len(set(given)) == 3
    assert all(tokens.TOKEN_PATTERN.fullmatch(token or "") and len(token or "") == 47 for token in given)
    kept = log_of(app).read_grants(table.match)
    assert set(kept) == {hashlib.sha256((token or "").encode()).hexdigest() for token in given}
    assert not any((token or "").encode() in str(vars(log_of(app))).encode() for token in given)


def test_a_lost_answer_to_join_comes_again(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    key, body = fresh(), {"code": table.codes[0], "name": "Ada"}
    first = table.anyone.post("/v1/join", body, Idempotency_Key=key)
    for _ in range(5):
        again = table.anyone.post("/v1/join", body, Idempotency_Key=key)
        assert again.status_code == 201
        assert again.json == first.json
        assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    other = table.anyone.post("/v1/join", {**body, "name": "Eve"}, Idempotency_Key=key)
    problem(other, 422, "idempotency-key-reused")
    assert table.version == 2
    problem(table.anyone.post("/v1/join", body), 410, "code-expired")


def test_a_join_that_died_halfway_is_finished_by_its_repetition(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.opened(app, start=False, join=False)
    key, body = fresh(), {"code": table.codes[0]}
    with monkeypatch.context() as broken:
        broken.setattr(MemoryLog, "put_grant", lambda *_: 1 / 0)
        problem(table.anyone.post("/v1/join", body, Idempotency_Key=key), 500, "internal-server-error")
    assert table.version == 2
    joined: Any = table.anyone.post("/v1/join", body, Idempotency_Key=key).json
    assert Person(table.anyone.client, joined["token"]).get(f"{table.path}/view?viewer=seat:0").status_code == 200
    assert table.version == 2


def test_a_code_lives_for_minutes_and_small_letters_do(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    assert table.anyone.post("/v1/join", {"code": table.codes[0].lower()}).status_code == 201
    log_of(app).advance_clock(15 * 60_000)
    problem(table.anyone.post("/v1/join", {"code": table.codes[1]}), 410, "code-expired")
    problem(table.anyone.post("/v1/join", {"code": "ZZZZZZ"}), 404, "unknown-code")
    new: Any = table.host.post(f"{table.path}/invitations", {"role": "seat:1"}).json
    assert new["code"] != table.codes[1]
    assert table.anyone.post("/v1/join", {"code": new["code"]}).status_code == 201


def test_codes_cannot_be_guessed_within_the_limit_of_tries() -> None:
    assert len(tokens.CODE_ALPHABET) == 31
    assert not set("ILO01") & set(tokens.CODE_ALPHABET)
    codes, tries = len(tokens.CODE_ALPHABET) ** tokens.CODE_LENGTH, 10 * 15  # ten a minute for fifteen minutes
    assert codes > 8.8e8
    assert tries / codes < 2e-7


def test_two_codes_that_meet_are_told_apart(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "derive_code", lambda *parts: f"AAAAA{tokens.CODE_ALPHABET[parts[-1]]}")
    table = house.opened(app, start=False, join=False)
    assert table.codes == ("AAAAAA", "AAAAAB")
    house.opened(app, start=False)
    assert table.anyone.post("/v1/join", {"code": "AAAAAB"}).json["role"] == "seat:1"  # type: ignore[index]


def test_one_phone_holds_two_seats(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    first: Any = table.anyone.post("/v1/join", {"code": table.codes[0]}).json
    phone = Person(table.anyone.client, first["token"])
    key = fresh()
    second = phone.post("/v1/join", {"code": table.codes[1]}, Idempotency_Key=key)
    assert {**second.json, "receipt": ""} == {  # type: ignore[dict-item]
        **first, "role": "seat:1", "seats": [0, 1], "version": 3, "receipt": "",
    }  # fmt: skip
    assert second.json["receipt"] != first["receipt"]  # type: ignore[index]
    assert phone.post("/v1/join", {"code": table.codes[1]}, Idempotency_Key=key).json == second.json
    for seat in (0, 1):
        assert phone.get(f"{table.path}/view?viewer=seat:{seat}").status_code == 200
    assert len(log_of(app).read_grants(table.match)) == 2


def test_the_host_may_sit_down_himself(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    joined: Any = table.host.post("/v1/join", {"code": table.codes[0]}).json
    assert joined["token"] == table.host.token
    assert table.host.get(f"{table.path}/view?viewer=seat:0").status_code == 200
    assert table.host.patch(table.path, {"visibility": "public"}, If_Match='"v2"').status_code == 200


def test_a_repeated_opening_does_not_take_seats_from_the_host(app: Flask) -> None:
    anyone, key = Person(app.test_client()), fresh()
    body = {"game": "monster_combat", "seats": [{"kind": "human"}] * 2}
    opened: Any = anyone.post("/v1/matches", body, Idempotency_Key=key).json
    host = Person(anyone.client, opened["token"])
    host.post("/v1/join", {"code": opened["invitations"][0]["code"]})
    again = anyone.post("/v1/matches", body, Idempotency_Key=key)
    assert again.json == opened
    assert again.headers["Idempotency-Replayed"] == "true"
    assert host.get(f"/v1/matches/{opened['match']}/view?viewer=seat:0").status_code == 200
    other = anyone.post("/v1/matches", {**body, "visibility": "public"}, Idempotency_Key=key)
    problem(other, 422, "idempotency-key-reused")


@pytest.mark.clause("TABLE-SEAT-3")
def test_a_host_who_plays_frees_nobodys_seat_once_play_runs(table: Table) -> None:
    answer = problem(table.host.delete(f"{table.path}/seats/1/player"), 409, "host-plays")
    assert answer["ruling"]["clauses"][0]["id"] == "TABLE-SEAT-3"
    assert table.seats[1].get(f"{table.path}/view?viewer=seat:1").status_code == 200, "the seat's token still counts"


def test_a_seat_is_handed_over(table: Table) -> None:
    old, path, view = table.seats[0], f"{table.path}/seats/0", f"{table.path}/view?viewer=seat:0"
    assert old.delete(f"{path}/player").status_code == 204
    assert table.host.delete(f"{path}/player").status_code == 204  # it is empty already
    problem(old.get(view), 404, "unknown-match")
    new: Any = table.host.post(f"{table.path}/invitations", {"role": "seat:0"}).json
    joined: Any = table.anyone.post("/v1/join", {"code": new["code"], "name": "Bea"}).json
    heir = Person(table.anyone.client, joined["token"])
    assert heir.get(view).status_code == 200
    problem(old.get(view), 404, "unknown-match")
    assert table.host.get(f"{table.path}/names").json == {"names": {"0": "Bea"}, "officials": {}}


def test_leaving_one_of_two_seats_keeps_the_other(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    first: Any = table.anyone.post("/v1/join", {"code": table.codes[0]}).json
    phone = Person(table.anyone.client, first["token"])
    phone.post("/v1/join", {"code": table.codes[1]})
    assert phone.delete(f"{table.path}/seats/0/player").status_code == 204
    problem(phone.get(f"{table.path}/view?viewer=seat:0"), 403, "not-your-seat")
    assert phone.get(f"{table.path}/view?viewer=seat:1").status_code == 200


def test_a_join_repeated_after_the_seat_went_on_lets_nobody_in(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.opened(app, start=False, join=False)
    key, body = fresh(), {"code": table.codes[0]}
    with monkeypatch.context() as broken:  # the answer is lost before anything but the entry was written
        broken.setattr(MemoryLog, "put_grant", lambda *_: 1 / 0)
        table.anyone.post("/v1/join", body, Idempotency_Key=key)
    table.host.delete(f"{table.path}/seats/0/player")
    new: Any = table.host.post(f"{table.path}/invitations", {"role": "seat:0"}).json
    heir: Any = table.anyone.post("/v1/join", {"code": new["code"]}).json
    problem(table.anyone.post("/v1/join", body, Idempotency_Key=key), 409, "seat-taken")
    assert Person(table.anyone.client, heir["token"]).get(f"{table.path}/view?viewer=seat:0").status_code == 200


def test_a_chair_given_away_is_lost_to_its_token(app: Flask) -> None:
    table = house.opened(app, start=False)
    chairs = {"seats": [{"kind": "bot"}, {"kind": "human"}]}
    problem(table.host.patch(table.path, chairs, If_Match='"v3"'), 409, "seat-taken")
    assert table.host.delete(f"{table.path}/seats/0/player").status_code == 204
    assert table.host.patch(table.path, chairs, If_Match='"v4"').status_code == 200
    problem(table.seats[0].get(f"{table.path}/view?viewer=seat:0"), 404, "unknown-match")
    back = {"seats": [{"kind": "human"}, {"kind": "human"}]}
    assert table.host.patch(table.path, back, If_Match='"v5"').status_code == 200
    problem(table.seats[0].get(f"{table.path}/view?viewer=seat:0"), 404, "unknown-match")
    new: Any = table.host.post(f"{table.path}/invitations", {"role": "seat:0"}).json
    assert table.anyone.post("/v1/join", {"code": new["code"]}).status_code == 201
    problem(table.seats[0].get(f"{table.path}/view?viewer=seat:0"), 404, "unknown-match")


def test_invitations(app: Flask) -> None:
    table = house.opened(app, start=False)
    path = f"{table.path}/invitations"
    problem(table.host.post(path, {"role": "seat:0"}), 409, "seat-taken")
    problem(table.host.post(path, {"role": "seat:5"}), 404, "unknown-seat")
    problem(table.host.post(path, {"role": "king"}), 422, "invalid-input")
    problem(table.host.post(path, {"role": "spectator\n"}), 422, "invalid-input")
    problem(table.host.post(path, {"role": "spectator", "uses": 0}), 422, "invalid-input")
    key = fresh()
    made = table.host.post(path, {"role": "spectator", "uses": 2, "minutes": 30}, Idempotency_Key=key)
    again = table.host.post(path, {"role": "spectator", "uses": 2, "minutes": 30}, Idempotency_Key=key)
    assert again.json == made.json
    assert again.headers["Idempotency-Replayed"] == "true"
    problem(table.host.post(path, {"role": "arbiter"}, Idempotency_Key=key), 422, "idempotency-key-reused")
    invitation: Any = made.json
    for _ in range(2):
        assert table.anyone.post("/v1/join", {"code": invitation["code"]}).status_code == 201
    problem(table.anyone.post("/v1/join", {"code": invitation["code"]}), 410, "code-expired")
    problem(table.host.get(f"{path}/{invitation['id']}/qr.svg"), 410, "code-expired")
    other: Any = table.host.post(path, {"role": "arbiter"}).json
    assert table.host.delete(f"{path}/{other['id']}").status_code == 204
    problem(table.host.delete(f"{path}/{other['id']}"), 404, "unknown-invitation")
    problem(table.anyone.post("/v1/join", {"code": other["code"]}), 404, "unknown-code")


def test_of_an_invitation_it_is_known_for_a_day_that_it_has_expired(app: Flask) -> None:
    table = house.opened(app, start=False)
    path, log = f"{table.path}/invitations", log_of(app)
    kept: Any = table.host.post(path, {"role": "spectator", "minutes": 30}).json
    withdrawn: Any = table.host.post(path, {"role": "spectator", "minutes": 30}).json
    assert table.host.delete(f"{path}/{withdrawn['id']}").status_code == 204
    problem(table.anyone.post("/v1/join", {"code": withdrawn["code"]}), 404, "unknown-code")
    log.advance_clock(30 * 60_000)
    problem(table.anyone.post("/v1/join", {"code": kept["code"].lower()}), 410, "code-expired")
    problem(table.host.get(f"{path}/{kept['id']}/qr.svg"), 410, "code-expired")
    problem(table.host.delete(f"{path}/{kept['id']}"), 410, "code-expired")
    log.advance_clock(EXPIRED_KEPT_MS)
    problem(table.anyone.post("/v1/join", {"code": kept["code"]}), 404, "unknown-code")
    problem(table.host.get(f"{path}/{kept['id']}/qr.svg"), 404, "unknown-invitation")


def test_an_opening_that_is_repeated_after_its_codes_expired_gives_codes_that_are_good(app: Flask) -> None:
    anyone, key, body = Person(app.test_client()), fresh(), {"game": "monster_combat", "seats": [{"kind": "human"}] * 2}
    first: Any = anyone.post("/v1/matches", body, Idempotency_Key=key).json
    log_of(app).advance_clock(15 * 60_000)
    problem(anyone.post("/v1/join", {"code": first["invitations"][0]["code"]}), 410, "code-expired")
    again: Any = anyone.post("/v1/matches", body, Idempotency_Key=key).json
    assert again["match"] == first["match"]
    for invitation in again["invitations"]:
        assert anyone.post("/v1/join", {"code": invitation["code"]}).status_code == 201


def test_the_qr_is_a_picture_of_the_address_alone(app: Flask) -> None:
    table = house.opened(app, start=False)
    made: Any = table.host.post(f"{table.path}/invitations", {"role": "spectator"}).json
    path = f"{table.path}/invitations/{made['id']}/qr.svg"
    picture = table.host.get(path, Accept="image/svg+xml,image/*")
    assert picture.content_type.startswith("image/svg+xml")
    assert ElementTree.fromstring(picture.data).tag.endswith("svg")
    assert made["code"] not in picture.text
    assert made["code"] not in path


def test_proxies(table: Table) -> None:
    seat = table.awaited[0]
    mine, other, path = table.seats[seat], table.seats[1 - seat], f"{table.path}/seats/{seat}"
    move = table.moves(seat)["legal"][0]["move"]
    for person in (other, table.host):
        problem(person.post(f"{path}/moves", {"move": move}), 403, "not-your-seat")
    problem(mine.put(f"{path}/proxy", {"by": str(seat)}), 409, "own-proxy")
    problem(mine.put(f"{path}/proxy", {"by": "7"}), 409, "no-such-seat")
    problem(mine.put(f"{path}/proxy", {"by": "everybody"}), 422, "invalid-input")
    named: Any = mine.put(f"{path}/proxy", {"by": "host"}).json
    assert named["seats"][seat]["proxy"] == "host"
    problem(other.post(f"{path}/moves", {"move": move}), 403, "not-your-seat")
    problem(table.host.get(f"{table.path}/view?viewer=seat:{seat}"), 403, "not-your-seat")
    problem(table.host.get(f"{path}/moves"), 403, "not-your-seat")
    problem(table.host.post(f"{path}/moves/check", {"move": move}), 403, "not-your-seat")
    mine.put(f"{path}/proxy", {"by": str(1 - seat)})
    problem(table.host.post(f"{path}/moves", {"move": move}), 403, "not-your-seat")
    moved = other.post(f"{path}/moves", {"move": move})
    assert moved.status_code == 201
    body: Any = moved.json
    assert body["entry"]["actor"] == {"kind": "proxy"}
    assert body["entry"]["seat"] == seat
    assert moved.headers["Location"] == f"{table.path}/entries/{body['entry']['version']}?viewer=seat:{1 - seat}"
    seen: Any = other.get(moved.headers["Location"]).json
    lean = {**seen, "events": [event for event in seen["events"] if event["told"] is not None]}
    assert lean == {**body["entry"], "events": [event for event in body["entry"]["events"] if event["told"]]}


def test_the_host_moves_for_a_seat_without_a_phone(app: Flask) -> None:
    table = house.opened(app, chairs=[{"kind": "table"}, {"kind": "table"}])
    seat = table.awaited[0]
    move = table.moves(seat, table.host)["legal"][0]["move"]
    moved: Any = table.move(seat, move, table.host).json
    assert moved["entry"]["actor"] == {"kind": "proxy"}
    assert table.host.get(f"{table.path}/view?viewer=seat:{seat}").status_code == 200
    problem(table.host.put(f"{table.path}/seats/0/proxy", {"by": "host"}), 403, "not-your-seat")


def test_names_stay_out_of_the_log(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    joined: Any = table.anyone.post("/v1/join", {"code": table.codes[0], "name": "Ädelheid ☂", "lang": "de"}).json
    person = Person(table.anyone.client, joined["token"])
    names = person.get(f"{table.path}/names")
    assert names.json == {"names": {"0": "Ädelheid ☂"}, "officials": {}}
    assert "ETag" not in names.headers
    assert "delheid" not in person.get(f"{table.path}/entries?viewer=seat:0").text
    person.delete(f"{table.path}/seats/0/player")
    assert table.host.get(f"{table.path}/names").json == {"names": {}, "officials": {}}


def test_two_apps_over_one_log_agree() -> None:
    log = MemoryLog()
    one, two = house.app(desks.service(log)), house.app(desks.service(log))
    table = house.opened(one)
    elsewhere = Person(two.test_client(), table.seats[0].token)
    assert (
        elsewhere.get(f"{table.path}/view?viewer=seat:0").json
        == table.seats[0].get(f"{table.path}/view?viewer=seat:0").json
    )


def test_a_proxy_is_not_told_what_the_hand_would_allow(table: Table) -> None:
    """A proxy moves for a seat without its eyes: no dry run, and a refusal without the ways out."""
    seat = next(each for each in table.awaited if isinstance(each, int))
    table.seats[seat].put(f"{table.path}/seats/{seat}/proxy", {"by": "host"})
    wrong = {"move": {"type": "mc.play", "card": "shield"}}
    path = f"{table.path}/seats/{seat}/moves"
    own = problem(table.seats[seat].post(path, wrong), 409, "illegal-move")
    assert own["legal"]
    assert own["ruling"]["way_out"]
    told = problem(table.host.post(path, wrong), 409, "illegal-move")
    assert told["ruling"]["clauses"] == own["ruling"]["clauses"], "a shield is never played by itself, in any hand"
    assert told["legal"] == told["ruling"]["way_out"] == []
    assert told["next"] == own["next"], "everybody at the table knows it"
    assert told["next"]["awaits"] == [seat]
    problem(table.host.post(f"{path}/check", wrong), 403, "not-your-seat")


def test_two_reporters_may_have_keys_alike(app: Flask) -> None:
    """The scope of a key is match and seat, also where both report what the table shows."""
    table = house.opened(app, chance={"deck": "table"})
    report = {"move": {"type": "mc.begins", "seat": 0}}
    path = f"{table.path}/seats/chance/moves"
    first = table.seats[0].post(path, report, Idempotency_Key="the-same-key-of-two")
    assert first.status_code == 201
    again = table.seats[0].post(path, report, Idempotency_Key="the-same-key-of-two")
    assert again.headers["Idempotency-Replayed"] == "true"
    problem(table.seats[1].post(path, report, Idempotency_Key="the-same-key-of-two"), 409, "illegal-move")


def test_a_number_in_a_query_is_plain_digits(table: Table) -> None:
    for wrong in ("1_0", "%D9%A1", "%2B1", "-1", "1.0", ""):
        problem(table.host.get(f"{table.path}/entries?after={wrong}"), 422, "invalid-input")
    assert table.host.get(f"{table.path}/entries?after=1").status_code == 200


def test_a_name_has_no_control_characters(app: Flask) -> None:
    table = house.opened(app, start=False, join=False)
    for name in ("\u0000", "a\nb", "\x7f"):
        problem(table.anyone.post("/v1/join", {"code": table.codes[0], "name": name}), 422, "invalid-input")
    assert table.anyone.post("/v1/join", {"code": table.codes[0], "name": "Zoë 🎲"}).status_code == 201
