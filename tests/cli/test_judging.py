"""`referee judge`: a position in a file, judged without a server; the exit code tells the verdict."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from click.testing import CliRunner, Result

from referee.cli.commands.rulings import judge
from referee.cli.commands.rulings.judge import InvalidDataError
from referee.cli.main import cli
from referee.games import load_games
from referee.position_rulings.file_format import MAX_BYTES, QuestionFileError, build_example, rule_on_file
from tests.api import house
from tests.api.house import Person
from tests.games.here_to_slay.booked import TEXT as HARBOUR

VARIANTS = [(name, variant) for name, game in load_games().items() for variant in game.variants]
MC: dict[str, Any] = {
    "game": "monster_combat",
    "variant": "V1",
    "position": {
        "players": [{"hearts": 3, "hand": ["sword", "shield"]}, {"hearts": 2, "hand": 4}],
        "turn": 0,
        "direction": "clockwise",
        "question": {"asks": "play"},
    },
    "seat": 0,
    "move": {"type": "mc.play", "card": "shield"},
}
SPELL = {
    "game": "here_to_slay",
    "position": {
        **load_games()["here_to_slay"].positions.build_examples("standard")[0],
        "question": {"asks": "act"},
        "seats": [
            {"leader": "the_charismatic_song", "hand": ["destructive_spell"], "party": ["bad_axe"], "slain": []},
            {"leader": "the_divine_arrow", "hand": 4, "party": ["fluffy"], "slain": []},
        ],
    },
    "seat": 0,
    "move": {"type": "hts.play", "card": "destructive_spell"},
    "claim": "illegal_move",
}


def run(*arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["judge", *arguments], input=given)


def wrong(text: str | bytes) -> str:
    """What is said against a text."""
    with pytest.raises(QuestionFileError) as bad:
        rule_on_file(text.encode() if isinstance(text, str) else text, "quarrel.yaml")
    return str(bad.value)


def written(**changes: Any) -> str:
    return yaml.safe_dump({**MC, **changes}, sort_keys=False)


@pytest.mark.clause("TABLE-JUDGE-1")
@pytest.mark.parametrize(("name", "variant"), VARIANTS)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_example_of_each_game_is_a_file_that_is_judged(name: str, variant: str, lang: str, tmp_path: Path) -> None:
    shown = run("--example", name, "--variant", variant, "--lang", lang)
    assert (shown.exit_code, shown.output.startswith("# ")) == (0, True)
    file, page = tmp_path / "quarrel.yaml", tmp_path / "ruling.html"
    file.write_text(shown.output, "utf-8")
    told = run(str(file), "--lang", lang, "--html", str(page))
    assert told.exit_code == 1
    as_json = run(str(file), "--json")
    ruling = json.loads(as_json.output)
    assert (as_json.exit_code, ruling["verdict"]) == (1, "refused")
    assert [each["right"] for each in ruling["quarrel"]["parties"]] == [False, True]
    assert ruling["aloud"][lang] in told.output
    assert f'<html lang="{lang}">' in page.read_text("utf-8")
    for clause in ruling["clauses"]:
        assert clause["id"] in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({**MC, "move": {"type": "mc.play", "card": "sword"}}, 0),
        (MC, 1),
        (SPELL, 2),
        ({**SPELL, "readings": {"HTS-AMB-45": "allow"}}, 0),
        ({**SPELL, "readings": {"HTS-AMB-45": "forbid"}}, 1),
    ],
    ids=["granted", "refused", "undecided", "one reading", "the other"],
)
def test_the_exit_code_tells_the_verdict_of_yaml_and_of_json(asked: dict[str, Any], code: int) -> None:
    assert run("-", given=yaml.safe_dump(asked)).exit_code == code
    assert run("-", given=json.dumps(asked)).exit_code == code
    assert run("-", given=json.dumps(asked, indent="\t")).exit_code == code


def test_a_file_names_the_cards_of_its_move_as_people_call_them() -> None:
    asked = {**MC, "move": {"type": "mc.play", "card": "Schild"}}
    assert json.loads(run("-", "--json", given=json.dumps(asked)).output)["asked"]["move"]["card"] == "shield"
    assert run("-", given=json.dumps(asked)).output == run("-", given=json.dumps(MC)).output


def test_a_bad_file_is_told_with_line_and_member_and_has_a_code_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    lines = written(claim="theft").splitlines()
    at = lines.index("claim: theft") + 1
    assert wrong("\n".join(lines)).startswith(f"quarrel.yaml:{at}: /claim: One of illegal_move")
    hearts = written().replace("hearts: 2", "hearts: 9").splitlines()
    at = next(n for n, line in enumerate(hearts, 1) if "hearts: 9" in line)
    assert wrong("\n".join(hearts)).startswith(f"quarrel.yaml:{at}: /position/players/1/hearts: ")
    done = subprocess.run(
        [sys.executable, "-m", "referee.cli", "judge", "-"], input=b"game: chess\n", capture_output=True, check=False
    )
    assert done.returncode == 65
    assert b"standard input:1: /move: This is missing." in done.stderr
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ":1: members are needed"),
        ("- a\n", ":1: members are needed"),
        (written(game="chess"), ":1: /game: One of"),
        (written(variant="V9"), ":2: /variant: One of V1, V2."),
        (written(seat="dealer"), "/seat: A seat from 0 to 19 is needed, chance, or one of the names."),
        (written(seat=True), "/seat: A seat"),
        (written(seat=9), "/seat: The position has seats 0 to 1."),
        (written(move={"type": "sm.concede"}), "/move/type: Not a move of this game; known: "),
        (written(move={"type": "mc.fly"}), "/move/type: Unknown move 'mc.fly'."),
        (written(move={"type": "mc.play"}), "/move/card: Is missing."),
        (written(move={"type": "mc.play", "card": 7}), "/move/card: A text is needed."),
        (written(move=["sword"]), "/move: Members with values are needed."),
        (written(position={**MC["position"], "nonsense": 1}), "/position/nonsense: "),
        (written(position={**MC["position"], "turn": "zero"}), "/position/turn: "),
        (written(position={**MC["position"], "turn": 0.5}), "/position/turn: Text, a whole number"),
        (written(position={**MC["position"], "turn": 10**30}), "/position/turn: Too large a number."),
        (written(position={}), "/position/"),
        (written(variant="V1", settings={"event_copies": "many"}), "/settings/event_copies: "),
        (written(edition="mine@12345678"), "/edition: Known are the game's own cards, and those of the books that are"),
        (written(says=5), "/says: A list of up to 20 parties is needed"),
        (written(says=[{"says": "I"}]), "/says/0/seat: This is missing."),
        (written(says=[{"seat": 0, "says": "a\nb"}]), "/says/0/says: Text of one line is needed"),
        (written(says=[{"seat": 0, "legal": "perhaps"}]), "/says/0/legal: true or false is needed."),
        (written(says=["no"]), "/says: A list of up to 20 parties"),
        (written(says=[{"seat": n % 2} for n in range(21)]), "/says: A list of up to 20 parties"),
        (written(says=[{"seat": 0, "clause": "MC-X-1"}]), "/says/0/clause: The book of monster_combat has no clause"),
        (written(saw={f"/{n}": n for n in range(41)}), "/saw: Up to 40 places"),
        (written(saw={"turn": 1}), "/saw/turn: A place in the position is needed"),
        (written(readings={"MC-AMB-9": 1}), "/readings/MC-AMB-9: No other reading"),
        (written(readings={"MC-AMB-8": 3}), "/readings/MC-AMB-8: Expected a whole number from 1 to 2."),
        (written(when="now"), "/when: No such member; known: game, variant"),
        (f"{written()}at: 2026-11-22\n", "/at: "),
        ("game: [\n", ":2: "),
        ("a: &x [1]\nb: *x\n", ":2: *x is an alias"),
        ("a: 1\nmove: !foo {type: mc.pass}\n", ":2: !foo is a tag; write the value without it"),
        ('a: !!int "0"\n', ":1: tag:yaml.org,2002:int is a tag"),
        ("a: 1\n<<: {b: 1}\n", ":2: << is a merge; write out what it stands for"),
        ("game: !!python/object/apply:os.system ['true']\n", ":1: "),
        ("a: 1\na: 2\n", ":2: a appears twice"),
        ("1: 2\n", ":1: 1 is not text"),
        ("a: 1\n---\nb: 2\n", ":2: "),
        ("game: \x07\n", ":1: "),
        ("{" + '"a":{' * 30 + "}" * 31, ":1: nested more than"),
        ("[" * 30_000, ":1: nested more than"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_told(text: str, said: str) -> None:
    assert said in wrong(text)


BOOKED: dict[str, Any] = {
    "game": "here_to_slay",
    "edition": "harbour_tales",
    "position": {
        "seats": [
            {"leader": "harbour_master", "hand": ["spring_tide"], "party": ["salty_skipper"]},
            {"hand": 3, "party": []},
        ],
        "row": ["old_kraken", "orthus", "dracos"], "turn": 0, "points": 3,
    },
    "seat": 0,
    "move": {"type": "hts.attack", "monster": f"old_kraken@{hashlib.sha256(HARBOUR.encode()).hexdigest()[:8]}"},
}  # fmt: skip


def test_a_file_names_a_card_book_that_is_handed_in_or_stands_on_the_shelf(tmp_path: Path) -> None:
    (tmp_path / "harbour.yaml").write_text(HARBOUR, "utf-8")
    quarrel = json.dumps(BOOKED)
    unknown = run("-", given=quarrel)
    assert isinstance(unknown.exception, InvalidDataError)
    assert "/edition: Known are the game's own cards" in str(unknown.exception)
    handed = run("-", "--json", "--book", str(tmp_path / "harbour.yaml"), given=quarrel)
    assert (handed.exit_code, json.loads(handed.stdout)["verdict"]) == (0, "granted"), handed.output
    environment = {"REFEREE_CARDS_DIR": str(tmp_path)}
    shelf = CliRunner().invoke(cli, ["judge", "-", "--json"], input=quarrel, env=environment)
    assert json.loads(shelf.stdout) == json.loads(handed.stdout)
    within = {**BOOKED, "position": {**BOOKED["position"], "edition": "harbour_tales"}}
    del within["edition"]
    inside = run("-", "--json", "--book", str(tmp_path / "harbour.yaml"), given=json.dumps(within))
    assert json.loads(inside.stdout)["after"] == json.loads(handed.stdout)["after"]


def test_a_book_that_is_none_is_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "torn.yaml").write_text(f"{HARBOUR}\nnonsense: 1\n", "utf-8")
    for option, name, said in (
        ("--book", "torn.yaml", "a book has no key 'nonsense'"),
        ("--book", "none.yaml", "none.yaml cannot be read"),
        ("--cards-dir", ".", "a book has no key 'nonsense'"),
        ("--cards-dir", "nowhere", "is no directory"),
    ):
        told = run("-", option, str(tmp_path / name), given=json.dumps(BOOKED))
        assert isinstance(told.exception, InvalidDataError), told.output  # exit code 65, where 1 is a verdict
        assert said in str(told.exception)


def test_what_is_no_text_or_too_long_is_not_read() -> None:
    assert wrong(b"game: x\nseat: \xff\n") == "quarrel.yaml:2: what stands here is no UTF-8"
    assert wrong(b"#" * (MAX_BYTES + 1)) == f"quarrel.yaml:1: a file has up to {MAX_BYTES} bytes"
    assert "quarrel.yaml:1:" in wrong('{"game": "\\ud800", "position": {}, "seat": 0, "move": {}}')
    pairs = zip("abcdefgh", "bcdefghi", strict=True)
    doubling = (f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in pairs)
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(doubling)
    assert wrong(bomb) == "quarrel.yaml:2: *a is an alias; write out what it stands for"


def test_signs_that_json_writes_as_two_are_read_as_one() -> None:
    says = [{"seat": 0, "says": "mine \U0001f600 \\ud83d"}]
    text = json.dumps({**MC, "says": says})
    assert "\\ud83d\\ude00" in text
    _, ruling = rule_on_file(text.encode(), "quarrel.json")
    assert ruling["quarrel"]["parties"][0]["says"] == says[0]["says"]


def test_what_a_file_says_does_not_steer_the_terminal() -> None:
    escape = "\x1b[31m\u202e"
    told = run("-", given=json.dumps({**MC, "move": {"type": "mc.play", "card": escape}}))
    bad = wrong(json.dumps({**MC, escape: 1}))
    assert told.exit_code == 1
    for said in (told.output, bad, wrong(json.dumps({"a": 1})[:-1] + f', "{escape}": 1, "{escape}": 2}}')):
        assert "\x1b" not in said
        assert "\u202e" not in said


def test_a_position_that_cannot_be_is_told_with_its_clause() -> None:
    crowd = [{"hearts": 3, "hand": ["sword"] * 12}, {"hearts": 3, "hand": ["sword"] * 12}]
    said = wrong(written(position={**MC["position"], "players": crowd}))
    assert "/position/" in said
    assert "(MC-" in said


@pytest.mark.parametrize(
    "arguments",
    [[], ["a", "b"], ["--bogus"], ["a", "--example", "munchkin"], ["a", "--variant", "V1"], ["--example", "chess"],
     ["--example", "munchkin", "--variant", "V9"], ["a", "--lang", "fr"]],
)  # fmt: skip
def test_misuse_is_no_verdict(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 64


def test_a_file_that_cannot_be_read_and_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(judge.UnreadableInputError) as unread:
        judge.judge_file(str(tmp_path / "none.yaml"), lang="en", as_json=False, html=None)
    assert unread.value.exit_code == 66
    file = tmp_path / "quarrel.yaml"
    file.write_text(written(), "utf-8")
    with pytest.raises(judge.UnwritableOutputError) as unwritten:
        judge.judge_file(str(file), lang="en", as_json=False, html=tmp_path / "none" / "page.html")
    assert unwritten.value.exit_code == 73


@pytest.mark.parametrize("name", load_games())
def test_the_command_line_and_the_api_give_the_same_ruling(name: str) -> None:
    game = load_games()[name]
    text = build_example(game, game.variants[0], "en")
    _, ruling = rule_on_file(text.encode(), "x")
    body = yaml.safe_load(text)
    anyone = Person(house.app().test_client())
    answer = anyone.post(f"/v1/games/{body.pop('game')}/rulings", body, Idempotency_Key="")
    assert answer.status_code == 200, answer.text
    assert answer.json == orjson.loads(orjson.dumps(ruling))
