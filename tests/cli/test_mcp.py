"""`referee mcp`: what an assistant is offered, answered and refused, in this process and over real pipes."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, Tool

from referee.audit.bundles.format import encode_bundle
from referee.cli.assistants import register, server
from referee.cli.assistants.answers import WORDS, choose_language
from referee.cli.main import cli, main
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.seats import BYSTANDER, FULL_VIEWER
from referee.games import load_games
from referee.position_rulings.file_format import rule_on_file
from referee.queries.census_views import match_census_response
from referee.queries.explanations import explain_entry
from referee.rendering import texts
from referee.service.match_service import MatchService
from tests.audit.house import bundled, played
from tests.cli import mcp_session
from tests.cli.mcp_session import SESSION, ask_all, read_session, render_session, start_process

VECTORS = Path(__file__).parents[1] / "audit/vectors"
GOLDEN = str(VECTORS / "golden.bundle")
GAMES = list(load_games())
SEATS = {"public": int(BYSTANDER), "0": 0, "full": int(FULL_VIEWER)}
DUEL: dict[str, Any] = {
    "game": "monster_combat",
    "position": {"players": [{"hearts": 2, "hand": ["sword"]}, {"hearts": 1, "hand": 3}]},
    "seat": 0,
    "move": {"type": "mc.play", "card": "Schwert"},
    "claim": "illegal_move",
}


def in_client(command: Callable[[Client], Any]) -> Any:
    """What a command makes of a client that is connected to a server in this process."""

    async def run() -> Any:
        async with Client(built_server()) as client:
            return await command(client)

    return asyncio.run(run())


@cache
def built_server() -> MCPServer:
    return server.build_server()


@cache
def tools() -> dict[str, Tool]:
    async def listed(client: Client) -> Any:
        return (await client.list_tools()).tools

    return {tool.name: tool for tool in in_client(listed)}


def call(tool: str, **arguments: Any) -> CallToolResult:
    """The answer of a tool; if it is none of errors, its data fits the schema that the tool announces."""

    async def called(client: Client) -> Any:
        return await client.call_tool(tool, arguments)

    answer: CallToolResult = in_client(called)
    if not answer.is_error:
        schema = tools()[tool].output_schema
        assert schema is not None
        jsonschema.validate(answer.structured_content, schema)
    return answer


def data(tool: str, **arguments: Any) -> dict[str, Any]:
    answer = call(tool, **arguments)
    assert not answer.is_error, read_text(answer)
    assert answer.structured_content is not None
    return answer.structured_content


def read_text(answer: CallToolResult) -> str:
    (content,) = answer.content
    assert content.type == "text"
    return content.text


@cache
def example(game: str) -> dict[str, Any]:
    return data("judge_position", game=game)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


# -- the session of the page -------------------------------------------------------------------------------------------


def check_session(answers: list[CallToolResult]) -> None:
    """Each answer cites the clauses that answer its question, as they stand in the rulebook; the page has it."""
    for asked, answer in zip(SESSION, answers, strict=True):
        assert not answer.is_error, read_text(answer)
        found, lang = answer.structured_content, asked.arguments.get("lang", "en")
        assert found is not None
        cited = {clause["id"]: clause["says"] for clause in found["clauses"]}
        for clause in asked.clauses:
            assert cited[clause] == texts.find_clause(load_games()[asked.game], clause).says[lang]
            assert f"{clause}" in read_text(answer)
            assert cited[clause] in read_text(answer)
        assert found.get("verdict", "") == asked.verdict
    assert render_session(answers) == read_session()


def test_the_session_has_two_questions_for_each_of_five_games() -> None:
    games = [asked.game for asked in SESSION]
    assert len(games) == 10
    assert all(games.count(game) == 2 for game in games)
    assert {asked.verdict for asked in SESSION} == {"", "granted", "refused"}


def test_ten_questions_are_answered_with_their_clauses_and_the_page_has_the_answers(no_network: None) -> None:
    check_session(asyncio.run(ask_all(built_server())))


@pytest.mark.deep
def test_the_session_over_pipes_is_the_one_of_the_page() -> None:
    check_session(asyncio.run(ask_all(start_process())))


@pytest.mark.deep
def test_over_pipes_nothing_but_the_protocol_is_written_and_no_file_is_left(tmp_path: Path) -> None:
    asked = [
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        }},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "verify_bundle", "arguments": {"bundle": GOLDEN}}},
        {"id": 4, "method": "tools/call", "params": {"name": "get_clause", "arguments": {"clause": "NO-1"}}},
        {"id": 5, "method": "tools/call", "params": {"name": "judge_position", "arguments": DUEL}},
    ]  # fmt: skip
    sent = "".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in asked)
    here = {"PYTHONPATH": str(mcp_session.ROOT), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        [sys.executable, *mcp_session.ARGUMENTS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, **here},
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(sent)
    process.stdin.flush()
    answers = {}
    while len(answers) < 5:  # each request is answered, in any order
        answer = json.loads(process.stdout.readline())
        assert answer["jsonrpc"] == "2.0"
        answers[answer["id"]] = answer["result"]
    rest, errors = process.communicate(timeout=180)
    assert (process.returncode, rest, errors) == (0, "", "")
    assert [tool["name"] for tool in answers[2]["tools"]] == list(tools())
    assert answers[3]["structuredContent"]["sound"] is True
    assert answers[4]["isError"] is True
    assert answers[5]["structuredContent"]["status"] == "facts_missing"
    assert list(tmp_path.iterdir()) == []


# -- what is offered ---------------------------------------------------------------------------------------------------


def test_six_tools_are_offered_that_only_read_and_say_what_each_argument_is() -> None:
    names = ["search_rules", "get_clause", "judge_position", "count_cards", "explain_entry", "verify_bundle"]
    assert list(tools()) == names
    for tool in tools().values():
        assert tool.description
        assert "Use it " in tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert tool.output_schema is not None
        assert tool.input_schema["additionalProperties"] is False
        for argument in tool.input_schema["properties"].values():
            assert argument["description"]
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)


def test_each_game_can_be_read_as_resources() -> None:
    async def read(client: Client) -> dict[str, str]:
        listed = (await client.list_resources()).resources
        return {str(each.uri): (await client.read_resource(str(each.uri))).contents[0].text for each in listed}

    found = in_client(read)
    for name, game in load_games().items():
        for lang in LANGUAGES:
            rulebook = found[f"referee://{name}/rulebook/{lang}"]
            for clause in game.rulebook.clauses.values():
                assert clause.id in rulebook
                assert clause.says[lang] in rulebook
        for variant in game.variants:
            assert yaml.safe_load(found[f"referee://{name}/example/{variant}"])["game"] == name
            schema = json.loads(found[f"referee://{name}/positions/{variant}"])
            assert schema["type"] == "object"
            assert schema["examples"]


def test_the_words_of_the_tools_are_there_in_both_languages() -> None:
    assert all(set(words) == set(LANGUAGES) and all(words.values()) for words in WORDS.values())


# -- rules -------------------------------------------------------------------------------------------------------------


def test_a_clause_is_returned_with_its_readings_refusals_and_cards_in_one_language() -> None:
    found = data("get_clause", clause="mc-shield-1", lang="de")
    assert (found["id"], found["game"], found["cards"]) == ("MC-SHIELD-1", "monster_combat", ["shield"])
    assert any("Angegriffen wird …" in text for text in found["refusals"])
    assert found["events"] == ["… wehrt den Angriff ab."]
    assert "Schild" in read_text(call("get_clause", clause="MC-SHIELD-1", lang="de"))
    first, second = data("get_clause", clause="CC-AMB-12"), data("get_clause", clause="CC-AMB-12-R2")
    assert (first["usual"], second["usual"]) == (False, True)
    assert second["says"] in [other["says"] for other in first["other_readings"]]
    assert data("get_clause", clause="TABLE-CENSUS-1")["game"] is None
    assert data("get_clause", clause="MK-3.5")["usual"] is None


def test_a_search_names_the_cards_that_a_question_names() -> None:
    found = data("search_rules", game="Monster Combat", query="Was macht der Blitz?", lang="de", limit=2)
    assert [card["id"] for card in found["cards"]] == ["lightning"]
    assert found["cards"][0]["name"] == "Blitz"
    assert len(found["clauses"]) == 2
    nothing = call("search_rules", game="mau_mau", query="zxqj")
    assert nothing.structured_content == {"game": "mau_mau", "clauses": [], "cards": []}
    assert "zxqj" in read_text(nothing)


# -- positions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_example_that_is_shown_can_be_judged_and_the_ruling_is_that_of_the_command_line(game: str) -> None:
    shown = example(game)
    assert shown["status"] == "example"
    assert {kind["type"] for kind in shown["kinds"]} == {kind.TAG for kind in load_games()[game].move_types}
    answer = call("judge_position", **shown["example"], lang="de")
    found = answer.structured_content
    assert found is not None
    _, ruling = rule_on_file(json.dumps(shown["example"]).encode(), "x")
    assert (found["status"], found["verdict"]) == ("ruled", ruling["verdict"])
    assert found["spoken"] == ruling["aloud"]["de"]
    assert [clause["id"] for clause in found["clauses"]] == [clause["id"] for clause in ruling["clauses"]]
    assert [way["move"] for way in found["instead"]] == [way["move"] for way in ruling["way_out"]]
    assert found["quarrel"]["right"] is True
    assert ruling["aloud"]["de"] in read_text(answer)


@pytest.mark.parametrize("game", GAMES)
def test_without_a_move_the_moves_to_ask_about_are_listed_and_each_can_be_asked_about(game: str) -> None:
    asked = {
        name: value
        for name, value in example(game)["example"].items()
        if name in ("game", "variant", "position", "seat")
    }
    shown = data("judge_position", **asked)
    assert shown["status"] == "choose_move"
    assert {each["seat"] for each in shown["moves"]} == {asked["seat"]}
    complete = [each for each in shown["moves"] if not each["choices"]]
    for each in complete[:3]:
        assert data("judge_position", **{**asked, "move": each["move"]})["status"] == "ruled"
    assert complete or shown["moves"]


def test_facts_that_are_missing_are_asked_for_and_added_where_the_answer_says() -> None:
    shown = data("judge_position", **DUEL, names=["Ada", "Ben"])
    assert shown["status"] == "facts_missing"
    assert {fact["pointer"] for fact in shown["missing"]} == {"/position/question", "/position/turn"}
    turn = next(fact for fact in shown["missing"] if fact["pointer"] == "/position/turn")
    assert {value["says"] for value in turn["values"]} == {"Ada", "Ben"}
    position = dict(DUEL["position"])
    for fact in shown["missing"]:
        position |= fact["fragment"]
    again = data("judge_position", **{**DUEL, "position": position, "names": ["Ada", "Ben"]})
    assert (again["status"], again["verdict"]) == ("ruled", "granted")
    assert again["spoken"].startswith("Ada plays Sword")


def test_an_assistant_may_pass_a_position_as_json_in_a_string() -> None:
    asked = example("monster_combat")["example"]
    found = data("judge_position", **{**asked, "position": json.dumps(asked["position"])})
    assert found["verdict"] == "refused"


def test_the_cards_of_a_position_are_counted() -> None:
    position = example("monster_combat")["example"]["position"]
    assert data("count_cards", game="monster_combat", position=position)["possible"] is True
    answer = call("count_cards", game="Monster Combat", position={**position, "discard": ["Schild"] * 20}, lang="de")
    found = answer.structured_content
    assert found is not None
    assert (found["possible"], [each["clause"] for each in found["contradictions"]]) == (False, ["MC-MAT-2"])
    assert found["recounts"][0]["place"] == "/discard"
    assert "22-mal" in read_text(answer)


@cache
def match_played() -> tuple[MatchService, str]:
    return played("monster_combat")


# -- matches -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", SEATS)
def test_an_exported_match_is_explained_and_counted_as_its_server_does(viewer: str, tmp_path: Path) -> None:
    house, match = match_played()
    path = tmp_path / "a.bundle"
    path.write_bytes(b"".join(encode_bundle(bundled(house, match, viewer).all_lines)))
    entries = house.repository.load_entries(match)
    for n in (1, 2, 9, len(entries)):
        found = data("explain_entry", bundle=str(path), entry=n)
        assert found == json.loads(json.dumps(choose_language(explain_entry(house, match, SEATS[viewer], n), "en")))
    counted = match_census_response(load_games()["monster_combat"], entries, SEATS[viewer])
    assert data("count_cards", bundle=str(path), lang="de") == json.loads(json.dumps(choose_language(counted, "de")))
    if viewer == "public":
        answer = call("explain_entry", bundle=str(path), entry=2, seat=1, lang="de")
        assert answer.is_error
        assert "nur, was jeder gesehen hat" in read_text(answer)
    if viewer == "full":
        own = data("explain_entry", bundle=str(path), entry=9, seat=1)
        assert own == json.loads(json.dumps(choose_language(explain_entry(house, match, 1, 9), "en")))


def test_a_claim_about_a_card_is_checked_against_what_was_shown() -> None:
    found = data("count_cards", bundle=GOLDEN, place="hand:1", card="Drache", lang="de")
    assert found["possible"] is False
    assert [(each["clause"], each["card"]) for each in found["contradictions"]] == [("SM-MAT-2", "dragon")]
    assert data("count_cards", bundle=GOLDEN, place="hand:1", count=9)["possible"] is False
    answer = call("count_cards", bundle=GOLDEN, place="the hand", card="dragon")
    assert answer.is_error
    assert "Places: box, discovered, hand:1, pile:, " in read_text(answer)


def test_a_bundle_is_verified_with_keys_and_receipts_as_by_the_command() -> None:
    receipts = str(VECTORS / "golden.receipts")
    answer = call("verify_bundle", bundle=GOLDEN, receipts=[receipts], lang="de")
    found = answer.structured_content
    assert found is not None
    printed = CliRunner().invoke(cli, ["verify", GOLDEN, "--receipts", receipts, "--json"]).stdout
    (report,) = json.loads(printed)["files"]
    assert found == {name: choose_language(report[name], "de") for name in found}
    assert report.keys() - found.keys() == {"file", "unmet"}
    assert found["says"] in read_text(answer)
    trusted = data("verify_bundle", bundle=GOLDEN, keys=["eA+/5UxDTB6vjkd6nLMJF3Etrf8JWcb/5QeAxyYswCA="])
    assert (trusted["trusted"], trusted["sound"]) == (True, True)
    assert data("verify_bundle", bundle=__file__)["sound"] is False


# -- errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search_rules", {"game": "chess", "query": "castling"}, "game: no game is called chess. Known: "),
        ("search_rules", {"game": "mau_mau"}, "query"),
        ("search_rules", {"game": "mau_mau", "query": "seven", "limit": 99}, "limit"),
        ("search_rules", {"game": "mau_mau", "query": "seven", "language": "de"}, "language"),
        ("search_rules", {"game": "mau_mau", "query": "x" * 501}, "query"),
        ("get_clause", {"clause": "MC-SHIELD-9"}, "Similar: MC-SHIELD-"),
        ("get_clause", {"clause": "MC-SHIELD-9", "lang": "de"}, "Keine Spielregel hat MC-SHIELD-9"),
        ("get_clause", {"clause": "MC-SHIELD-1", "lang": "fr"}, "lang"),
        ("judge_position", {"game": "mau_mau", "variant": "V9"}, "variant: V9 is none of standard"),
        ("judge_position", {"game": "mau_mau", "position": {}}, "/position/"),
        ("judge_position", {**DUEL, "move": {"type": "mc.fly"}}, "/move"),
        ("judge_position", {**DUEL, "clause": "MC-NO-1"}, "/clause"),
        ("judge_position", {**DUEL, "seat": 9}, "/seat: The position has seats 0 to 1."),
        ("judge_position", {**DUEL, "says": [{"seat": 0, "thinks": "x"}]}, "/says/0/thinks"),
        ("judge_position", {**DUEL, "position": {"players": [{"hearts": 9}, {}]}}, "/position/players/0/hearts"),
        ("judge_position", {**DUEL, "position": {"players": ["\x85" * 70_000]}}, "65536 bytes"),
        ("judge_position", {"game": "monster_combat", "position": {"players": 1}, "lang": "de"}, "/position/players"),
        ("count_cards", {}, "either game and position, or bundle"),
        ("count_cards", {"game": "mau_mau", "position": {}, "bundle": GOLDEN}, "either game and position, or bundle"),
        ("count_cards", {"game": "mau_mau", "position": {}, "place": "draw"}, "place belongs to a bundle"),
        ("count_cards", {"bundle": GOLDEN, "card": "dragon"}, "place: a claim names"),
        ("count_cards", {"bundle": GOLDEN, "seat": 7}, "seat: there are seats 0 to 1, not 7."),
        ("explain_entry", {"bundle": GOLDEN, "entry": 29}, "entry: there is no entry 29; the last is 28."),
        ("explain_entry", {"bundle": GOLDEN, "entry": 0}, "entry"),
        ("explain_entry", {"bundle": "/dev/zero", "entry": 1}, "There is no file /dev/zero."),
        ("explain_entry", {"bundle": "a\0b", "entry": 1}, "There is no file"),
        ("verify_bundle", {"bundle": "no/such/file", "lang": "de"}, "Es gibt keine Datei no/such/file."),
        ("verify_bundle", {"bundle": GOLDEN, "keys": ["x"]}, "keys: x is neither"),
        ("verify_bundle", {"bundle": GOLDEN, "receipts": [__file__]}, "receipts: "),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_an_error_that_names_the_argument(
    tool: str, arguments: dict[str, Any], told: str
) -> None:
    answer = call(tool, **arguments)
    assert answer.is_error, read_text(answer)
    assert told in read_text(answer)
    assert "Traceback" not in read_text(answer)


def test_a_file_that_is_no_bundle_is_not_quoted(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("the password is swordfish\n", "utf-8")
    answers = [call("explain_entry", bundle=str(path), entry=1), call("verify_bundle", bundle=str(path))]
    answers += [call("verify_bundle", bundle=GOLDEN, **{name: [str(path)]}) for name in ("keys", "receipts")]
    assert [answer.is_error for answer in answers] == [True, False, True, True]
    assert not [answer for answer in answers if "swordfish" in answer.model_dump_json()]


def test_entries_that_break_the_code_are_an_error_of_the_tool(tmp_path: Path) -> None:
    lines = Path(GOLDEN).read_text("utf-8").splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if '\\"game\\":\\"shy_monsters\\"' in line)
    lines[at] = lines[at].replace('\\"game\\":\\"shy_monsters\\"', '\\"game\\":\\"no_such_game\\"')
    path = tmp_path / "odd.bundle"
    path.write_text("".join(lines), "utf-8")
    answer = call("explain_entry", bundle=str(path), entry=3)
    assert answer.is_error
    assert str(path) in read_text(answer)


# -- the command -------------------------------------------------------------------------------------------------------


def test_without_the_extra_one_line_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(register, "is_sdk_installed", lambda: False)
    with pytest.raises(SystemExit) as ended:
        main(["mcp"])
    assert ended.value.code == 69
    assert capsys.readouterr().err == (
        "referee: `referee mcp` needs the MCP SDK; install it with: pip install '.[mcp]'\n"
    )


@pytest.mark.deep
def test_at_a_terminal_it_says_what_it_is_and_ctrl_c_ends_it() -> None:
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, *mcp_session.ARGUMENTS],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=mcp_session.ROOT,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("An assistant speaks with this program; ")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=180)
    os.close(keyboard)
    os.close(terminal)
    assert (process.returncode, out) == (-signal.SIGINT, "")


def test_the_help_says_what_it_is_for_and_does_not_need_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register, "is_sdk_installed", lambda: False)
    shown = CliRunner().invoke(cli, ["mcp", "--help"]).output
    assert "Model Context Protocol (MCP)" in " ".join(shown.split())
    assert "pip install '.[mcp]'" in " ".join(shown.split())
