"""Links, codes and matches that a person names, and the lists of matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner
from rich.console import Console
from rich.text import Text

from referee.cli.main import cli
from referee.cli.table.following import Line
from referee.cli.table.keys import Terminal
from referee.cli.table.opening import (
    Target,
    call,
    find_own_table,
    find_saved_seat,
    open_table,
    read_target,
    take_seat,
)
from referee.cli.table.seats import SavedSeat, list_seats, save_seat
from referee.docs.clients.referee_client import ProblemError
from referee.infrastructure.errors import HostError
from tests.clients.house import served
from tests.page.tables import request

HERE = "http://127.0.0.1:8080"
TOURNAMENT = "07-Tabcdefghijklmnopqrstuvwxyz"
MATCH = "35-gkbtgyremmpcmnzgkufwnklmln"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("named", "target"),
    [
        ("K7MQ2X", Target(HERE, "K7MQ2X")),
        ("http://table:8000/join#K7MQ2X", Target("http://table:8000", "K7MQ2X")),
        ("https://example.org/games/join#K7MQ2X", Target("https://example.org/games", "K7MQ2X")),
        ("http://table:8000/join#K7MQ2X/spectator", Target("http://table:8000", "K7MQ2X")),
        (MATCH, Target(HERE, match=MATCH)),
        (f"http://table/table#{MATCH}", Target("http://table", match=MATCH)),
        (f"http://table/play#{MATCH}/2", Target("http://table", match=MATCH, seat=2)),
        (f"http://table/tournament#{TOURNAMENT}", Target("http://table", match=TOURNAMENT)),
        (f"http://table/v1/matches/{MATCH}", Target("http://table", match=MATCH)),
    ],
)
def test_what_is_named_is_understood(named: str, target: Target) -> None:
    assert read_target(named, f"{HERE}/") == target


@pytest.mark.parametrize("named", ["", "http://", "http://table:8000/"])
def test_what_names_no_table_is_refused(named: str) -> None:
    with pytest.raises(HostError, match=r"no table|no link"):
        read_target(named, HERE)


def test_a_seat_is_found_again_by_its_code_its_match_or_as_the_last_one() -> None:
    seat = SavedSeat(HERE, MATCH, "secret", 1, "K7MQ2X")
    save_seat(seat)
    save_seat(SavedSeat("http://elsewhere", MATCH.replace("35", "36"), "secret", 0, "K7MQ2X"))
    for target in (Target(HERE, "k7mq2x"), Target(HERE, match=MATCH), Target(HERE, match=MATCH, seat=1)):
        assert find_saved_seat(target) == seat
    for target in (Target(HERE, "ZZZZZZ"), Target(HERE, match=MATCH, seat=2), Target("http://third", "K7MQ2X")):
        assert find_saved_seat(target) is None
    last = find_saved_seat(None)
    assert last is not None
    assert last.base == "http://elsewhere"


def test_commands_say_what_is_wrong() -> None:
    run = CliRunner().invoke
    lost = run(cli, ["play", "--url", "http://127.0.0.1:1", "ABCDEF"])
    assert "no API answers" in str(lost.exception)
    with served() as (base, _app):
        assert "No invitation has this code" in str(run(cli, ["play", "--url", base, "ABCDEF"]).exception)
        assert "private" in str(run(cli, ["watch", "--url", base, MATCH]).exception)
        assert "no seat is kept" in str(run(cli, ["play", "--url", base, MATCH]).exception)
        listed = run(cli, ["watch", "--url", base, "--lang", "de"])
        assert listed.output == "Gerade ist keine öffentliche Partie offen.\n"
        assert json.loads(run(cli, ["watch", "--url", base, "--json"]).output) == {"matches": []}
    assert list_seats() == []


@pytest.mark.parametrize(("has_colour", "codes"), [(True, ["38;2;47;136;216"]), (False, [])])
def test_there_is_no_colour_without_colour(has_colour: bool, codes: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not has_colour:
        monkeypatch.setenv("NO_COLOR", "1")
    written = Terminal(Console(), 0, 0).encode(Text("● Ada", style="#2f88d8"))
    assert "● Ada" in written
    assert [code for code in ("38;2;47;136;216",) if code in written] == codes


def test_a_code_of_a_tournament_leads_to_the_table_of_the_round() -> None:
    with served() as (base, _app):
        made = request(base, "POST", "/v1/tournaments", {"game": "mau_mau", "host_plays": False})
        path, code = f"/v1/tournaments/{made['tournament']}", made["invitations"][0]["code"]
        floor = request(base, "POST", f"{path}/invitations", {"role": "floor"}, made["token"])["code"]
        ada = take_seat(Target(base, code), "Ada", "en")
        assert (ada.match, ada.seat) == (made["tournament"], None)
        assert find_saved_seat(Target(base, code)) == ada, "the code is not used twice"
        with pytest.raises(HostError, match="no table for you just now"):
            find_own_table(ada, "en")
        take_seat(Target(base, code), "Ben", "en")
        for command in ("start", "pair"):
            request(base, "POST", f"{path}/commands", {"command": {"type": f"tournament.{command}"}}, made["token"])
        (table,) = request(base, "GET", path)["rounds"][0]["tables"]
        seat = find_own_table(ada, "en")
        assert (seat.match, seat.seat, seat.game) == (table["match"], table["players"].index(0), "mau_mau")
        kept = seat.keep_pending({"path": "/p", "body": None, "key": "k"})
        assert find_own_table(ada, "en") == kept, "what was not answered is kept"
        with pytest.raises(HostError, match="officials work on the page"):
            find_own_table(take_seat(Target(base, floor), "Kim", "en"), "en")


def test_a_new_table_is_played_with_a_card_book() -> None:
    asked: list[tuple[str, Any]] = []
    boxes = {"items": [{"name": "here_to_slay", "min_seats": 2}]}
    opened = {"match": MATCH, "invitations": [{"code": "K7MQ2X"}], "token": "secret"}

    def answer(_line: Any, method: str, _path: str, body: Any = None, _if_match: int | None = None) -> Any:
        asked.append((method, body))
        return boxes if method == "GET" else opened

    with pytest.MonkeyPatch.context() as here:
        here.setattr("referee.cli.table.opening.call", answer)
        assert open_table(HERE, "here_to_slay", 1, "de", "harbour_tales").match == MATCH
        assert asked[-1][1]["edition"] == "harbour_tales"
        open_table(HERE, "here_to_slay", 1, "de")
        assert "edition" not in asked[-1][1]
    said = CliRunner().invoke(cli, ["play", "K7MQ2X", "--edition", "harbour_tales"])
    assert (said.exit_code, "--new GAME --edition BOOK" in said.output) == (2, True)


def test_a_refused_table_is_told_with_what_is_wrong() -> None:
    problem = {
        "title": "Ungültig",
        "detail": "So nicht.",
        "errors": [{"pointer": "/edition", "detail": "Gibt es nicht."}],
    }

    class Refusing:
        base = HERE

        def request(self, *_: Any) -> Any:
            raise ProblemError(422, problem)

    with pytest.raises(HostError, match=r"Ungültig: So nicht\.\n  /edition: Gibt es nicht\."):
        call(cast(Line, Refusing()), "POST", "/v1/matches", {})
