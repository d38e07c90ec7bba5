"""Readings: named at clauses, chosen when a match is opened, and what a match is judged by."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.eventstore.contract import StoredEntry
from referee.games import load_games
from tests.api.house import Person, opened, problem
from tests.api.tables import service, stands

TWO_BOTS = [{"kind": "bot"}, {"kind": "bot"}]


def told(app: Flask, game: str, clause: str) -> dict[str, Any]:
    found: dict[str, Any] = Person(app.test_client()).get(f"/v1/games/{game}/clauses/{clause}").json
    return found


def test_a_clause_names_its_other_readings_in_both_languages(app: Flask) -> None:
    first, second = told(app, "shy_monsters", "SM-AMB-12"), told(app, "shy_monsters", "SM-AMB-12-R2")
    (other,) = first["other_readings"]
    assert (first["number"], second["number"]) == (1, 2)
    assert (other["reading"], other["id"], other["setting"]) == (2, "SM-AMB-12-R2", None)
    assert other["says"] == second["says"]
    assert all(other[part][lang] for part in ("says", "why") for lang in ("en", "de"))
    assert [each["id"] for each in second["other_readings"]] == ["SM-AMB-12"]
    assert second["open"] == first["open"]
    assert told(app, "shy_monsters", "SM-HERO-KNOWN-1")["reading"] == "SM-AMB-12"
    assert told(app, "shy_monsters", "SM-AMB-13")["other_readings"] == []


def test_a_clause_that_a_setting_reads_names_the_setting(app: Flask) -> None:
    (other,) = told(app, "here_to_slay", "HTS-AMB-45")["other_readings"]
    assert other["setting"] == {"name": "unpayable_play", "value": "forbid"}
    assert (other["reading"], other["says"]) == (2, None)


def test_a_game_names_its_rulesets_and_what_can_be_read_otherwise(app: Flask) -> None:
    box = Person(app.test_client()).get("/v1/games/monster_combat").json
    assert (box["ruleset"], box["rulesets"]["1"]) == (load_games()["monster_combat"].newest_ruleset, {})
    assert (box["readings"]["MC-AMB-8"], box["readings"]["MC-AMB-16"]) == (2, 2)


def test_the_readings_of_a_match_are_chosen_when_it_is_opened_changed_in_the_lobby_and_told(app: Flask) -> None:
    anyone = Person(app.test_client())
    body = {"game": "monster_combat", "seats": TWO_BOTS, "readings": {"MC-AMB-8": 2, "MC-AMB-16": 2}}
    made = anyone.post("/v1/matches", body).json
    host, path = Person(anyone.client, made["token"]), f"/v1/matches/{made['match']}"
    about = host.get(path).json
    assert (about["readings"]["MC-AMB-8"], about["readings"]["MC-AMB-16"]) == (2, 2)
    assert about["settings"]["v2_immunity_until"] == "own_next_event_checked"
    assert about["ruleset"] == load_games()["monster_combat"].newest_ruleset
    changed = host.patch(path, {"readings": {"MC-AMB-8": 1}}, If_Match='"v1"')
    assert changed.status_code == 200, changed.json
    assert (changed.json["readings"]["MC-AMB-8"], changed.json["readings"]["MC-AMB-16"]) == (1, 2)
    wrong = host.patch(path, {"readings": {"MC-AMB-9": 2}}, If_Match='"v2"')
    assert problem(wrong, 422, "invalid-input")["errors"][0]["pointer"] == "/readings/MC-AMB-9"


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"readings": {"MC-AMB-9": 2}}, "/readings/MC-AMB-9"),
        ({"readings": {"MC-AMB-8": 3}}, "/readings/MC-AMB-8"),
        ({"readings": {"MC-AMB-8": "2"}}, "/readings/MC-AMB-8"),
        ({"readings": {"MC-AMB-8": True}}, "/readings/MC-AMB-8"),
        ({"readings": {"MC-AMB-8": 0}}, "/readings/MC-AMB-8"),
        ({"readings": {"x" * 65: 1}}, "/readings"),
        ({"readings": {str(number): 1 for number in range(101)}}, "/readings"),
        ({"readings": [2]}, "/readings"),
        ({"readings": {"MC-AMB-3": 2}, "settings": {"event_copies": "equal"}}, "/readings/MC-AMB-3"),
        ({"ruleset": "7"}, "/ruleset"),
    ],
)
def test_readings_that_there_are_not_open_nothing(app: Flask, more: dict[str, Any], pointer: str) -> None:
    body = {"game": "monster_combat", "seats": TWO_BOTS, **more}
    answer = Person(app.test_client()).post("/v1/matches", body)
    assert problem(answer, 422, "invalid-input")["errors"][0]["pointer"] == pointer


def test_a_written_position_is_judged_by_either_reading_and_a_quarrel_names_both(app: Flask) -> None:
    anyone, path = Person(app.test_client()), "/v1/games/monster_combat/rulings"
    position = load_games()["monster_combat"].positions.build_examples("V1")[0]
    players = [{**player, "hearts": 3} for player in position["players"]]
    players[0]["hand"] = ["life_back"]
    asked = {"position": {**position, "players": players}, "seat": 0, "move": {"type": "mc.play", "card": "life_back"}}
    usual = anyone.post(path, asked).json
    assert (usual["verdict"], usual["clauses"][-1]["id"]) == ("refused", "MC-AMB-8")
    other = anyone.post(path, {**asked, "readings": {"MC-AMB-8": 2}}).json
    assert (other["verdict"], other["after"]["readings"]) == ("granted", {"MC-AMB-8": 2})
    quarrel = anyone.post(path, {**asked, "claim": "illegal_move"}).json
    assert quarrel["verdict"] == "undecided"
    (item,) = (each for each in quarrel["rests_on"] if each["hangs"])
    (tried,) = item["others"]
    assert (item["clause"]["id"], item["setting"]["name"], tried["reading"]) == ("MC-AMB-8", None, 2)
    assert (tried["verdict"], tried["says"]["en"]) == (
        "granted",
        told(app, "monster_combat", "MC-AMB-8-R2")["says"]["en"],
    )
    chosen = anyone.post(path, {**asked, "claim": "illegal_move", "readings": {"MC-AMB-8": 1}}).json
    assert chosen["verdict"] == "refused"
    page = anyone.post(path, {**asked, "claim": "illegal_move"}, Accept="text/html")
    assert tried["says"]["en"] in page.get_data(as_text=True).replace("&#x27;", "'")


def test_a_match_by_rules_of_a_newer_program_is_told_plainly(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(app, visibility="public")
    ruleset = load_games()["monster_combat"].newest_ruleset
    assert stands(table).ruleset == ruleset
    log = service(table).log
    entries = log.read_entries

    def newer(match: str, after: int = 0, limit: int = 100) -> tuple[StoredEntry, ...]:
        found = entries(match, after, limit)
        return tuple(
            StoredEntry(each.version, each.envelope.replace(f'/{ruleset}"'.encode(), b'/9"'), each.sealed, each.root)
            for each in found
        )

    monkeypatch.setattr(log, "read_entries", newer)
    answer = table.anyone.get(f"{table.path}/entries")
    assert "ruleset 9 of" in problem(answer, 501, "rules-unknown")["detail"]
