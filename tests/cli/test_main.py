"""The console script: what is offered, exit codes, and the commands that speak to an API."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import click
import pytest
from click.testing import CliRunner

import referee
from referee.cli.client import ApiAddressError, ApiClient, ApiUnavailableError, ProblemError
from referee.cli.commands.running import openapi
from referee.cli.main import cli, main
from referee.cli.options import SECTIONS
from referee.cli.timeline_output import render_entries
from referee.infrastructure.secrets import is_operator_token
from referee.infrastructure.settings import list_variables

MATCH = "07-" + "a" * 26
ENTRIES = [
    {"version": 1, "seat": "table", "move": {"type": "table.open"}, "events": [], "clauses": ["TABLE-OPEN-1"]},
    {
        "version": 2,
        "seat": 0,
        "move": {"type": "mc.parry", "told": {"en": "parries", "de": "pariert"}},
        "events": [
            {
                "n": "2.0",
                "type": "CardPlayed",
                "told": {"en": "Player 1 plays [Shield]", "de": "Spieler 1 spielt Schild"},
            },
            {"n": "2.1", "type": "Parried", "told": {"en": "The blow is parried", "de": "Der Hieb ist pariert"}},
        ],
        "clauses": ["MC-SHIELD-1"],
    },
]
KEPT_READINGS = {
    "entry": 31,
    "readings": [
        {"clause": "MC-AMB-8", "number": 2, "setting": None, "says": {"en": "Yes.", "de": "Ja."}, "holds": True},
        {
            "clause": "MC-AMB-16",
            "number": 2,
            "setting": {"name": "v2_immunity_until", "value": "own_next_event_checked"},
            "says": {"en": "No.", "de": "Nein."},
            "holds": False,
        },
    ],
    "allows": "mc.play",
}
PRECEDENTS = [
    {
        "match": MATCH,
        "dispute": 2,
        "game": "monster_combat",
        "claim": claim,
        "question": "mc.Turn",
        "move": "mc.play",
        "verdict": verdict,
        "clauses": [
            {
                "id": "MC-SHIELD-1",
                "found": None,
                "says": {"en": "A [shield] parries.", "de": "Schild hilft."},
            }
        ],
        "statement": "At our table\x1b[31m [so] it is.",
        "by": "arbiter",
    }
    | chosen
    for claim, verdict, chosen in (
        ("wrong_refusal", "does_not_stand", KEPT_READINGS),
        ("later", "perhaps", {}),
    )
]


class Api(BaseHTTPRequestHandler):
    """As much of the API as `show` and `demo` ask for; matches end after being looked at twice."""

    asked: ClassVar[list[tuple[str, str, Any, dict[str, str]]]] = []
    looks: ClassVar[dict[str, int]] = {}

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    def answer(self, status: int, body: Any, **headers: str) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self.asked.append(("GET", self.path, None, dict(self.headers)))
        path, _, query = self.path.partition("?")
        if path == "/healthz":
            self.answer(200, {})
        elif path == "/v1/games":
            boxes = [
                {"name": "monster_combat", "variants": ["V1", "V2"], "min_seats": 3},
                {"name": "shy_monsters", "variants": ["standard"], "min_seats": 2},
            ]
            self.answer(200, {"items": boxes})
        elif path.endswith("/entries"):
            second = "after=1" in query
            self.answer(200, {"items": ENTRIES[1:] if second else ENTRIES[:1], "next_cursor": None if second else 1})
        elif path.endswith("/names"):
            self.answer(200, {"names": {"0": "A[d]a"}})
        elif path.endswith("/precedents"):
            self.answer(200, {"items": PRECEDENTS if path.startswith("/v1/matches/07-") else []})
        elif path.startswith("/v1/matches/0"):
            seen = self.looks[path] = self.looks.get(path, 0) + 1
            status = "running" if seen < 3 else "finished"
            about = {"id": path.rpartition("/")[2], "game": "monster_combat", "variant": "V1", "status": status}
            self.answer(200, about | {"version": seen})
        else:
            self.answer(
                404, {"title": "Not Found", "detail": "unknown match", "errors": [{"pointer": "/x", "detail": "y"}]}
            )

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(("POST", self.path, body, dict(self.headers)))
        if self.path == "/v1/matches":
            number = sum(method == "POST" and path == "/v1/matches" for method, path, *_ in self.asked)
            self.answer(201, {"match": f"{number:02d}-" + "a" * 26, "token": "rfs_host", "version": 1}, ETag='"v1"')
        else:
            self.answer(201, {"version": 2})


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    Api.asked.clear()
    Api.looks.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, list(arguments))


def test_only_commands_that_are_written_are_offered():
    offered = set(cli.commands)
    assert offered == {
        *("serve", "api", "worker", "demo", "doctor", "rules", "show", "openapi", "token", "projections", "dev"),
        *("cards", "judge", "precedents", "keys", "verify", "export", "archive", "backup", "shadow", "audit"),
        *("import", "move", "play", "watch", "roots", "stamp", "witness", "bots", "history", "restore", "salvage"),
        *("tournament", "mcp"),
    }
    for command in offered:
        assert run(command, "--help").exit_code == 0
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(offered)


def test_the_help_lists_every_command_with_a_whole_sentence() -> None:
    """The list of a group cuts off what is too long for its line."""
    listed = run("--help").output
    assert all(f"\n  {name} " in listed for name in cli.commands)
    assert "Others:" not in listed
    groups = [name for name, command in cli.commands.items() if isinstance(command, click.Group)]
    cut = [
        line
        for name in ("", *groups)
        for line in run(*name.split(), "--help").output.splitlines()
        if line.endswith("...")
    ]
    assert [line for line in cut if not line.startswith("Usage:")] == []


def test_the_version_is_referees_own():
    assert run("--version").output == f"referee, version {referee.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["serve", "--port", "99999"],
        ["serve", "--lan", "--host", "10.0.0.1"],
        ["serve", "--ephemeral", "--data-dir", "d"],
    ],
)
def test_misuse_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "Usage:" in capsys.readouterr().err


def test_a_wrong_setting_ends_with_2_and_its_name(monkeypatch, capsys):
    monkeypatch.setenv("REFEREE_PORT", "x")
    with pytest.raises(SystemExit) as caught:
        main(["token", "operator"])
    assert caught.value.code == 2
    assert "REFEREE_PORT" in capsys.readouterr().err


def test_a_new_operator_token_is_printed_and_counts(tmp_path):
    made = run("token", "operator", "--data-dir", str(tmp_path))
    assert made.exit_code == 0
    assert is_operator_token(tmp_path / "operator.sha256", made.output.strip())
    again = json.loads(run("token", "operator", "--json", "--data-dir", str(tmp_path)).output)["operator_token"]
    assert is_operator_token(tmp_path / "operator.sha256", again)
    assert not is_operator_token(tmp_path / "operator.sha256", made.output.strip())


def test_the_contract_is_written_by_the_apis_own_generator(tmp_path, monkeypatch):
    (tmp_path / "a_generator.py").write_text(
        "def made():\n    return 'openapi: 3.1.0 \N{LATIN SMALL LETTER U WITH DIAERESIS}\\n'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(openapi, "GENERATOR", "a_generator:made")
    assert run("openapi", "write").output.startswith("openapi: 3.1.0")
    assert run("openapi", "write", str(tmp_path / "out.yaml")).exit_code == 0
    assert (tmp_path / "out.yaml").read_text("utf-8") == "openapi: 3.1.0 ü\n"


def test_show_tells_the_course_with_clauses_page_by_page(api):
    done = run("show", MATCH, "--url", api)
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0] == f"{MATCH}: Monster Combat (V1), running, version 1"
    assert [line.split() for line in lines[1:] if line] == [
        ["Before", "the", "first", "turn"],
        ["1", "Table", "Nothing", "to", "tell", "here."],
        ["TABLE-OPEN-1"],
        ["2", "A[d]a", "A[d]a", "plays", "[Shield]"],
        ["The", "blow", "is", "parried"],
        ["MC-SHIELD-1"],
        ["Outcome"],
        ["The", "match", "is", "not", "over."],
    ]
    assert "Der Hieb ist pariert" in run("show", MATCH, "--url", api, "--lang", "de").output
    assert json.loads(run("show", MATCH, "--url", api, "--json").output)["entries"] == ENTRIES


def test_what_was_taken_back_is_marked_and_what_stays_by_itself_is_not():
    told = {"en": "something", "de": "etwas"}
    hit, back = ["mc.Hit"], ["table.Rewound"]
    types = [hit, ["table.SeatLeft"], ["mc.Hit", "table.Ended"], back, hit, back]
    course = [
        {"version": n, "seat": 0, "events": [{"type": kind, "to": 1, "told": told} for kind in kinds]}
        for n, kinds in enumerate(types, 1)
    ]
    shown = (line.replace("[dim strike]", "").partition("something") for line in render_entries(course, "en"))
    marked = {head.split()[0]: rest for head, _, rest in shown if head.strip() and head.split()[0].isdecimal()}
    by_4, by_6 = " (taken back by 4)[/dim strike]", " (taken back by 6)[/dim strike]"
    assert marked == {"1": "", "2": "", "3": by_4, "4": by_6, "5": by_6, "6": ""}


def test_show_of_an_unknown_match_ends_with_1_and_the_problem(api, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["show", "nothing", "--url", api])
    assert caught.value.code == 1
    assert "404 Not Found: unknown match\n  /x: y" in capsys.readouterr().err


def test_without_an_api_show_ends_with_69(capsys, monkeypatch):
    with pytest.raises(SystemExit) as caught:
        main(["show", MATCH, "--url", "http://127.0.0.1:9"])
    assert caught.value.code == 69
    assert "referee serve" in capsys.readouterr().err


def test_the_demo_plays_every_game_and_variant_with_bots_and_shows_the_last(api):
    done = run("demo", "--url", api)
    assert done.exit_code == 0, done.output
    posts = [(path, body, headers) for method, path, body, headers in Api.asked if method == "POST"]
    opened = [body for path, body, _ in posts if path == "/v1/matches"]
    assert [(ask["game"], ask["variant"], len(ask["seats"])) for ask in opened] == [
        ("monster_combat", "V1", 3),
        ("monster_combat", "V2", 3),
        ("shy_monsters", "standard", 2),
    ]
    assert all(seat["kind"] == "bot" for ask in opened for seat in ask["seats"])
    starts = [headers for path, _, headers in posts if path.endswith("/start")]
    assert [(headers["If-Match"], headers["Authorization"]) for headers in starts] == [('"v1"', "Bearer rfs_host")] * 3
    assert all(len(headers["Idempotency-Key"]) >= 22 for *_, headers in posts)
    assert done.output.count("finished") == 3
    assert done.output.rstrip().endswith("MC-SHIELD-1")


def test_the_demo_of_one_game_or_of_one_that_is_not_there(api, capsys):
    done = run("demo", "--url", api, "--game", "shy_monsters", "--json")
    assert len(json.loads(done.stdout)["matches"]) == 1
    with pytest.raises(SystemExit) as caught:
        main(["demo", "--url", api, "--game", "chess"])
    assert caught.value.code == 1
    assert "the API has no chess" in capsys.readouterr().err


def test_the_demo_does_not_wait_for_ever(api, monkeypatch, capsys):
    monkeypatch.setitem(Api.looks, "/v1/matches/01-" + "a" * 26, -1000)
    with pytest.raises(SystemExit) as caught:
        main(["demo", "--url", api, "--game", "shy_monsters", "--minutes", "0.01"])
    assert caught.value.code == 1
    assert "not ended" in capsys.readouterr().err


def test_a_named_api_that_is_away_is_not_replaced_by_another(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["demo", "--url", "http://127.0.0.1:9"])
    assert caught.value.code == 1
    assert "no API answers" in capsys.readouterr().err


def test_the_client_tells_an_absent_api_from_one_that_refuses(api):
    with pytest.raises(ApiUnavailableError):
        ApiClient("http://127.0.0.1:9").get("/healthz")
    with pytest.raises(ProblemError) as caught:
        ApiClient(api).get("/nothing")
    assert caught.value.status == 404
    assert ApiClient(api).is_alive()
    assert not ApiClient("http://127.0.0.1:9").is_alive()


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "ftp://a.example",
        "http://",
        "http://[::1",
        "http://a.example:99999",
        "http://a b",
        "http://a/ü",
        "http://a/b c",
        f"http://{'a' * 99}",
    ],
)
def test_what_is_no_address_of_an_api_is_wrong_usage(url):
    with pytest.raises(ApiAddressError, match="is not the address of an API") as caught:
        ApiClient(url)
    assert caught.value.exit_code == 64


def test_colours_are_left_out_where_they_are_not_wanted(api, monkeypatch, tmp_path: Path):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[3" not in run("doctor", "--data-dir", str(tmp_path / "data")).output


def test_precedents_prints_the_house_rulings_of_a_table_and_exports_them(api: str) -> None:
    told = run("precedents", MATCH, "--url", api, "--lang", "de")
    assert told.exit_code == 0
    assert "1. Es hat keinen Bestand (ein Zug wurde zu Unrecht abgelehnt)" in told.output
    assert "MC-SHIELD-1: Schild hilft." in told.output
    assert f"Partie {MATCH}, Anfechtung 2, entschieden vom Schiedsrichter" in told.output
    assert "[so] it is." in told.output
    assert "Ab Eintrag 31 gilt Lesart 2 von MC-AMB-8: Ja." in told.output
    assert "die nicht mehr gilt: v2_immunity_until = own_next_event_checked" in told.output
    assert "ohne alle zu fragen: mc.play" in told.output
    assert "\x1b[31m" not in told.output
    assert "2. perhaps (later)" in told.output
    exported = json.loads(run("precedents", MATCH, "--url", api, "--json").output)
    assert exported == {"match": MATCH, "precedents": PRECEDENTS}
    other = run("precedents", "08-" + "a" * 26, "--url", api)
    assert other.output == "This table has kept no house rulings.\n"


def test_a_failure_of_the_program_is_one_line_and_no_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise KeyError("two\nlines")

    for arguments, place in (
        (["judge", "x.yaml"], "referee.cli.commands.rulings.judge.judge_file"),
        (["doctor"], "referee.cli.commands.running.doctor.run_doctor"),
        (["verify", "x.json"], "referee.cli.commands.histories.verify.verify_files"),
        (["cards", "check", __file__], "referee.cli.commands.card_books.cards.check_card_books"),
    ):
        monkeypatch.setattr(place, fail)
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 70
        told = capsys.readouterr().err
        assert told.startswith("referee: the program failed: KeyError: ")
        assert told.count("\n") == 1
    monkeypatch.setenv("REFEREE_LOG_LEVEL", "debug")
    with pytest.raises(SystemExit):
        main(["doctor"])
    assert "Traceback" in capsys.readouterr().err
