"""Types for TypeScript are generated from the contract; a client without a cast draws and plays all games with them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from referee.games import load_games
from tests.clients.house import CONTRACT, BadLine, served
from tests.clients.npm import install_packages, run

HERE = Path(__file__).parent
HELPER = Path(__file__).parents[2] / "referee/docs/clients/referee_client.ts"
SOURCES = (HERE / "play.ts", HERE / "draw.ts", HELPER)
PLAYING = 300  # seconds
LONG = ("munchkin",)  # games whose matches are left after so many moves


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tools, the types of the contract and the client."""
    where = tmp_path_factory.mktemp("typescript")
    node = install_packages(HERE, where)
    for path in (HERE / "tsconfig.json", *SOURCES):
        shutil.copy(path, where)
    made = run(where, node, "node_modules/openapi-typescript/bin/cli.js", str(CONTRACT), "-o", "contract.ts")
    assert made.returncode == 0, made.stderr
    return where


SLIPS = (  # where, what the client says, and what would be wrong
    (
        "play.ts",
        'game: "mau_mau", variant: "standard", seats: three',
        'game: "mao_mao", variant: "standard", seats: three',
    ),
    ("play.ts", 'variant: "V2"', 'variant: "V3"'),
    ("play.ts", "roles: { dungeon_master: 0 }", "roles: { dungeon_master: 7 }"),
    ("play.ts", "{ code: invitation.code,", "{ kode: invitation.code,"),
    ("play.ts", "match, seat, chosen.move, listing.version", 'match, seat, { type: "sm.fly", x: 0 }, listing.version'),
    ("play.ts", 'status === "running" &&', 'status === "going" &&'),
    ("play.ts", 'each.flag !== "gives_up"', 'each.flag !== "gives_in"'),
    ("play.ts", '"/v1/matches", { body }', '"/v1/match", { body }'),
    ("draw.ts", '    case "munchkin": return drawMunchkin(board);\n', ""),
    ("draw.ts", '    case "theft":\n', '    case "thefts":\n'),
    ("draw.ts", '    case "draw_offer":\n', '    case "draw_offer": case "resignation":\n'),
    ("draw.ts", '    case "ends_turn": ', '    case "ends_it": '),
    (
        "draw.ts",
        '    case "removal": return `${card(running.hero)}',
        '    case "removed": return `${card(running.hero)}',
    ),
    ("draw.ts", "seat.is_skipped", "seat.is_stopped"),
    ("draw.ts", "card(monster.card)} ♥", "card(monster)} ♥"),
    ("draw.ts", "...(view.deadline === null ? [] : [`bis ${view.deadline.at}`])", "`bis ${view.deadline.at}`"),
    ("referee_client.ts", "const body = { move, seen,", 'const body = { move, seen: "17",'),
)


@pytest.fixture(scope="module")
def faults(room: Path) -> str:
    """What the compiler says of the client, and of the client with each of the slips."""
    files = ["play.ts"]
    for number, (name, right, wrong) in enumerate(SLIPS):
        good = (room / name).read_text("utf-8")
        assert good.count(right) == 1, right
        files.append(f"slip{number}.ts")
        (room / files[-1]).write_text(good.replace(right, wrong))
    settings = json.loads((room / "tsconfig.json").read_text("utf-8"))
    (room / "tsconfig.json").write_text(json.dumps({**settings, "files": files}))
    return run(room, "node", "node_modules/typescript/bin/tsc", "--project", "tsconfig.json").stdout


def test_a_client_agrees_with_the_generated_types(faults: str) -> None:
    assert [line for line in faults.splitlines() if not line.startswith(("slip", " "))] == []


@pytest.mark.parametrize("number", range(len(SLIPS)), ids=[wrong for _, _, wrong in SLIPS])
def test_a_client_that_slips_hears_so_from_the_types(faults: str, number: int) -> None:
    assert f"slip{number}.ts(" in faults, "the types accept it"


CASTS = re.compile(r"\bas (?!const\b)(?=[A-Za-z_])|\bany\b|<any>|[\w)\]]!(?!=)|@ts-|\bsatisfies\b")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_a_client_has_no_cast(path: Path) -> None:
    """A cast, `any` and `!` say to the compiler what the contract does not."""
    code = re.sub(r"^\s*(?://|/?\*).*$|//.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    assert CASTS.findall(re.sub(r'`[^`]*`|"[^"\n]*"', '""', code)) == []


@pytest.mark.parametrize("cast", ["x as Foo", "let x: any", "x!.y", "f()!", "<any>x", "// @ts-ignore"])
def test_a_cast_is_found(cast: str) -> None:
    assert CASTS.search(cast)


@pytest.mark.parametrize("game", load_games())
def test_a_client_draws_and_plays_all_variants_and_a_real_table(room: Path, faults: str, game: str) -> None:
    assert faults.count("play.ts") == 0
    with served() as (base, _app):
        played = run(room, "node", "out/play.js", base, game, timeout=PLAYING)
    assert played.returncode == 0, played.stderr
    matches: list[dict[str, Any]] = json.loads(played.stdout)
    at_screens = [match for match in matches if match["chance"] == '"server"']
    assert [match["variant"] for match in at_screens] == list(load_games()[game].variants)
    assert len(matches) == len(at_screens) + 1, "one at a real table"
    for match in matches:
        if game in LONG:
            assert match["moves"] == 300
        else:
            assert match["status"] == "finished"
            # against the monsters of the second variant all players may lose
            assert match["winners"] or match["variant"] == "V2"
        assert match["lines"] > 20 * match["moves"]
        assert match["links"] >= len(match["shares"]) > 1
        assert match["signed"] > match["moves"] / 4, "most of the rest are dice and cards that somebody reported"
        if match["chance"] == '"server"' and game != "creature_crush":  # which draws little
            assert match["links"] > len(match["shares"]), "links are taken with moves too"


def test_a_client_holds_a_tournament_and_hears_of_it(room: Path, faults: str) -> None:
    assert faults.count("play.ts") == 0
    with served() as (base, _app):
        held = run(room, "node", "out/play.js", base, "tournament", timeout=PLAYING)
    assert held.returncode == 0, held.stderr
    heard = json.loads(held.stdout)
    assert (heard[0], heard[-2:]) == ("snapshot", ["end", "null"]), heard
    assert "running" in heard


def test_a_chain_of_seeds_is_the_same_in_all_languages(room: Path, faults: str) -> None:
    assert faults.count("play.ts") == 0
    wanted = json.loads((HERE / "chain_vector.json").read_text("utf-8"))
    shown = run(room, "node", "out/play.js", "", "", wanted["end"])
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout) == wanted


def test_a_client_plays_on_over_a_bad_line(room: Path, faults: str) -> None:
    assert faults.count("play.ts") == 0
    with served(BadLine) as (base, line):
        played = run(room, "node", "out/play.js", base, "shy_monsters", timeout=PLAYING)
    assert played.returncode == 0, played.stderr
    assert all(match["status"] == "finished" for match in json.loads(played.stdout))
    assert min(line.lost, line.cut, line.away) > 2


def test_the_lock_file_names_versions_and_hashes_and_no_address() -> None:
    lock = json.loads((HERE / "package-lock.json").read_text("utf-8"))
    for name, package in lock["packages"].items():
        assert "resolved" not in package, name
        assert name == "" or (package["version"] and package["integrity"].startswith("sha512-")), name
    wanted = json.loads((HERE / "package.json").read_text("utf-8"))["devDependencies"]
    assert all(version[0].isdigit() for version in wanted.values())
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted
