"""The contract is generated, valid and committed; its examples are played."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

import referee
from api.http.converters import group_alternatives
from api.http.endpoint import GENERAL_PROBLEMS
from api.http.problems import PROBLEMS
from api.openapi.answers import load_recorded
from api.openapi.describing import (
    find_own_text,
    is_described,
    iterate_parameters,
    list_members,
    load_component_members,
    load_descriptions,
)
from api.openapi.examples import REQUEST_EXAMPLES
from api.openapi.generate import as_yaml
from api.openapi.tags import TAGS
from api.resources.health.routes import load_contract
from referee.games import load_games
from referee.match.rulebook import TABLE_BOOK
from tests.api import house
from tests.api.house import Person, problem, publish
from tests.api.test_playing import GIVING_UP

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return load_contract(house.app())


def operations(made: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in made["paths"].items():
        for method, operation in item.items():
            if method in ("get", "put", "post", "patch", "delete"):
                yield path, method, operation


def test_the_committed_contract_is_the_generated_one() -> None:
    assert COMMITTED.read_text("utf-8") == as_yaml(), "run `referee openapi write openapi.yaml`"


def test_the_contract_is_valid_openapi(made: dict[str, Any]) -> None:
    validate(made)
    assert made["openapi"] == "3.1.0"
    assert yaml.load(as_yaml(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)) == made  # the fast one, if it is there


def test_versions_stand_in_one_place_each(made: dict[str, Any]) -> None:
    """That of the program in `referee/__init__.py`, that of the contract in `api/openapi/spec.py`."""
    assert re.fullmatch(r"[0-9]+[.][0-9]+[.][0-9]+", made["info"]["version"])
    numbers = {found[1] for path in made["paths"] if (found := re.match(r"/v([0-9]+)/", path))}
    assert numbers == {made["info"]["version"].partition(".")[0]}
    project = tomllib.loads((COMMITTED.parent / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "referee.__version__"}
    assert re.fullmatch(r"[0-9]+[.][0-9]+[.][0-9]+", referee.__version__)
    changes = (COMMITTED.parent / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[([0-9.]+)\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$", changes, re.MULTILINE)
    assert released[0] == referee.__version__


def test_every_operation_is_named_once_and_described(made: dict[str, Any]) -> None:
    names = Counter(operation["operationId"] for _, _, operation in operations(made))
    assert set(names.values()) == {1}
    for path, method, operation in operations(made):
        assert operation["summary"], (path, method)
        assert any(status.startswith("2") for status in operation["responses"]), (path, method)
        assert operation["responses"]["default"], (path, method)
        writes = method in ("put", "patch") or (method == "post" and operation["operationId"] not in STATELESS)
        named = (*made["paths"][path].get("parameters", []), *operation.get("parameters", []))
        names = {each.get("$ref", "").rpartition("/")[2] for each in named}
        keyed = bool(names & {"IdempotencyKey", "UnguessableKey"})
        assert writes == keyed, (path, method)


VERBS = {  # of the names of operations, by method
    "get": ("get", "list", "stream"),
    "put": ("set", "seat", "take", "deposit"),
    "patch": ("change",),
    "delete": ("delete", "withdraw", "remove", "leave", "resign", "erase"),
    "post": (
        *("open", "make", "add", "start", "end", "join", "record", "correct", "take", "ask", "call", "answer"),
        *("object", "declare", "file", "give", "cast", "issue", "witness", "withdraw", "command", "publish", "test"),
        *("redeliver", "judge", "count", "check", "list"),  # `list`: of a position, which comes in the body
    ),
}


def test_operations_are_named_by_verb_and_noun_and_listed_under_one_tag(made: dict[str, Any]) -> None:
    for path, method, operation in operations(made):
        verb, noun = re.fullmatch(r"([a-z]+)((?:[A-Z][a-z]+)+)", operation["operationId"]).groups()  # type: ignore[union-attr]
        assert noun, path
        assert verb in VERBS[method], (path, verb)
        assert len(operation["tags"]) == 1, path
    used = Counter(operation["tags"][0] for _, _, operation in operations(made))
    assert list(TAGS) == [tag["name"] for tag in made["tags"]]
    assert set(used) == set(TAGS)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", name) for name in TAGS)
    by_tag = Counter((operation["tags"][0], operation["summary"]) for _, _, operation in operations(made))
    assert [each for each, count in by_tag.items() if count > 1] == [], "summaries are headings of a page for each tag"


SPELLED_ELSEWHERE = {  # names that others have given, browsers and the boxes of the games, and what is hidden
    *("expirationTime", "V1", "V2", "A", "B", "POST", "?"),
}


def test_names_are_spelled_alike(made: dict[str, Any]) -> None:
    """Members, parameters and values in snake_case, parts of addresses with hyphens, times by their names."""
    for path in made["paths"]:
        for part in path.strip("/").split("/"):
            assert re.fullmatch(r"([a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)?|\{[a-z]+\})?", part), path
    for each in iterate_parameters(made):
        assert each["in"] == "header" or re.fullmatch("[a-z]+(_[a-z]+)*", each["name"]), each["name"]
    for at, name, member in list_members(made):
        assert name in SPELLED_ELSEWHERE or re.fullmatch("[a-z][a-z0-9]*(_[a-z0-9]+)*", name), at
        kinds = member.get("type", [])
        if name.endswith("_at") and "string" in kinds:
            assert member.get("format") == "date-time", (at, name)
        if name.endswith("_ms") and kinds:
            assert "integer" in kinds, at
        if name == "id" and kinds:
            assert kinds == "string", at
    values = [value for found in find_values(made, "enum") for value in found if isinstance(value, str)]
    values += [value for value in find_values(made, "const") if isinstance(value, str)]
    assert len(values) > 500
    wrong = {value for value in values if not re.fullmatch(r"[a-z0-9]+([_.][a-z0-9]+)*", value)}
    assert wrong <= SPELLED_ELSEWHERE


STATELESS = ("checkMove", "judgePosition", "countPosition", "listPositionMoves", "checkCardTable", "checkQuestionFile")


def test_the_url_map_is_the_contract(made: dict[str, Any]) -> None:
    routed = {
        (re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule), method.lower())
        for rule in house.app().url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert {(path, method) for path, method, _ in operations(made)} == routed


OPEN = (  # members by clause, type or game; a test below says where JsonObject may stand
    "ChosenReadings", "SomeEvent", "NumberedEvent", "TournamentEvent", "SomeSettings", "Card", "JsonObject",
)  # fmt: skip


def test_bodies_are_closed_answers_are_open_and_unions_are_not_empty(made: dict[str, Any]) -> None:
    schemas = made["components"]["schemas"]
    for name, schema in schemas.items():
        if "oneOf" in schema and name not in ("Awaited", "ChosenChance"):  # its members have names, and so their turn
            assert all(set(part) == {"$ref"} for part in schema["oneOf"]), name
    requested = {name for _, _, call in operations(made) for name in references(call.get("requestBody", {}))}
    while found := {name for each in requested for name in references(schemas[each])} - requested:
        requested |= found
    assert len(requested) > 100
    for name in requested - set(OPEN) - {"JsonList", "JsonValue"}:
        for at, schema in schemas_within({name: schemas[name]}, "schemas"):
            if "properties" in schema and not at.endswith(("/precedents/items", "/readings/items")):
                assert schema.get("additionalProperties") is False, at
    answered = {name: schemas[name] for name in schemas.keys() - requested}
    assert [at for at, schema in schemas_within(answered) if schema.get("additionalProperties") is False] == []
    assert len(schemas["Move"]["oneOf"]) == len(schemas["Move"]["discriminator"]["mapping"]) > 10
    assert "PaginationMetadata" not in schemas


def references(part: Any) -> set[str]:
    """The names of the schemas that a part refers to."""
    return set(re.findall(r"#/components/schemas/(\w+)", json.dumps(part)))


PROSE = {"description", "title", "example", "examples"}


def schemas_within(part: Any, at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """All schemas of the contract, or of a part of it, with where they stand."""
    if isinstance(part, list):
        for number, each in enumerate(part):
            yield from schemas_within(each, f"{at}/{number}")
    if not isinstance(part, dict):
        return
    above, _, last = at.rpartition("/")
    is_member = above.endswith("/properties") and not above.endswith("/properties/properties")
    is_part = last in ("schema", "items", "additionalProperties") or above.endswith(("anyOf", "oneOf", "schemas"))
    if is_member or is_part:
        yield at, part
    for key, each in part.items():
        if key not in ("examples", "example") or last == "properties":
            yield from schemas_within(each, f"{at}/{key}")


def is_bare(schema: dict[str, Any]) -> bool:
    """Whether the contract says of something only that it is there, or that it is an object."""
    kind = schema.get("type")
    is_object = "object" in (kind if isinstance(kind, list) else [kind])
    says = {"properties", "additionalProperties", "anyOf", "oneOf", "allOf", "const", "enum"}
    return not schema.keys() - PROSE or (is_object and not schema.keys() & says)


def test_no_object_is_bare(made: dict[str, Any]) -> None:
    assert [at for at, schema in schemas_within(made) if is_bare(schema)] == []
    assert is_bare({"description": "Any JSON value"})
    assert is_bare({"type": ["object", "null"]})


ANY_JSON = {  # where the contract leaves the form open, and why
    "saw": "as somebody gave it, in older matches of any form; in rulings, values of a position by their places",
    "says": "a value of a position, or a verdict, compared with what the rules give (`is`)",
    "is": "as `says`",
    "value": "a value of a fact: any member of a position",
    "fragment": "a member of a position",
    "position": "the JSON Schema of `GET …/positions`, of which each variant has its own, says how it is written",
    "after": "a position",
    "question": "out of a file: what could not be read is left as it is written",
    "examples": "positions",
    "settings": "of a game: a JSON Schema; settings themselves have one in the contract",
    "schema": "a JSON Schema",
    "table": "the state of the engine, for proofs; what clients draw is the typed board",
    "precedents": "a house ruling as a match lists it: the members that count are typed, the others are passed over",
    "Card": "the members that all games share are typed, and what a card does differs from game to game",
    "JsonValue": "the definition", "JsonList": "the definition", "JsonObject": "the definition",
}  # fmt: skip


def test_any_json_stands_only_where_there_is_a_reason(made: dict[str, Any]) -> None:
    used = set()
    for at, schema in schemas_within(made):
        if schema.get("$ref", "").rpartition("/")[2] in ("JsonValue", "JsonObject", "JsonList"):
            reasons = ANY_JSON.keys() & set(at.split("/"))
            assert reasons, at
            used |= reasons
    assert used == set(ANY_JSON), "a reason without a place"


def test_a_seat_has_one_type(made: dict[str, Any]) -> None:
    found = 0
    for at, schema in schemas_within(made):
        name, limits = at.rpartition("/")[2], [schema.get(key) for key in ("minimum", "maximum")]
        if name == "SeatNumber" or at.split("/")[3:4] in (["BotStrength"], ["CardStatistic"]):  # levels, counts
            continue
        is_named = name == "seat" or re.search(r"\b[Ss]eats? (that|whose|between)\b", schema.get("description", ""))
        if is_named:
            inner = schema.get("items", schema)
            assert inner.get("type") not in ("integer", ["integer", "null"]), (at, schema)
            found += "SeatNumber" in str(schema)
        assert limits != [0, 19], at
    assert found > 80


def test_everything_is_described(made: dict[str, Any]) -> None:
    schemas = made["components"]["schemas"]
    assert [name for name, schema in schemas.items() if not schema.get("description")] == []
    assert [tag["name"] for tag in made["tags"] if not tag["description"]] == []
    parameters = [*iterate_parameters(made)]
    assert [each["name"] for each in parameters if not each.get("description")] == []
    members = list_members(made)
    assert [(at, name) for at, name, member in members if not is_described(member, schemas, name)] == []
    assert len(members) > 2500
    assert len(parameters) > 100
    for told in (each["description"] for each in (*schemas.values(), *parameters) if "description" in each):
        assert told == told.strip(), told
    assert not is_described({"type": "string"}, schemas, "name")
    assert not is_described({"$ref": "#/components/schemas/Words"}, schemas, "name"), "it says what, not what for"
    assert not is_described({"type": "integer", "description": "Default: 1"}, schemas, "name")


def test_no_description_is_left_over(made: dict[str, Any]) -> None:
    schemas, members = made["components"]["schemas"], list_members(made)
    told = {(name, member.get("description", "")) for _, name, member in members}
    for name, text in load_descriptions("members").items():
        assert any(each == name and said.startswith(text) for each, said in told), name
    for component, texts in load_component_members().items():
        named = [name for name in schemas if name.endswith(component[1:])] if component[0] == "*" else [component]
        assert schemas.keys() >= set(named), component
        for name, text in texts.items():
            assert any(each == name and said.startswith(text) for each, said in told), (component, name)
            assert find_own_text(named[0], name, {}) is not None
    parameters = [(each["name"], each["description"]) for each in iterate_parameters(made)]
    assert set(load_descriptions("parameters").items()) <= set(parameters)
    assert {name: schemas[name]["description"] for name in load_descriptions("components")} == {
        name: " ".join(text.split()) for name, text in load_descriptions("components").items()
    }


def find_values(part: Any, key: str, *, names: bool = True) -> Iterator[Any]:
    """All values of a keyword of schemas; a member of an object may have the same name."""
    if isinstance(part, list):
        for each in part:
            yield from find_values(each, key)
    if isinstance(part, dict):
        for name, each in part.items():
            if name == key and not names:
                yield each
            if name not in ("example", "examples", "responses"):
                yield from find_values(each, key, names=name in ("properties", "schemas"))


def test_defaults_make_no_member_required_and_patterns_are_those_of_ecmascript(made: dict[str, Any]) -> None:
    assert not list(find_values(made["components"]["schemas"], "default"))
    patterns = list(find_values(made, "pattern"))
    assert len(patterns) > 50
    for pattern in patterns:
        assert pattern.startswith("^"), pattern
        assert not re.search(r"\(\?(?!:|=|!|<=|<!)|\\[AZz]|[*+?}]\+", pattern), pattern
        inner = pattern.removeprefix("^").removesuffix("$")
        assert group_alternatives(inner) == inner, f"^ and $ of {pattern} would be of one alternative only"
    assert group_alternatives("a|b") == "(?:a|b)"
    assert group_alternatives("(?:a|b)c[|]") == "(?:a|b)c[|]"


def test_each_call_names_its_own_problems_and_what_comes_everywhere_is_named_once(
    app: Flask, made: dict[str, Any]
) -> None:
    everywhere, told = made["components"]["responses"]["Problem"]["description"], 0
    for rule in app.url_map.iter_rules():
        endpoint = app.view_functions[rule.endpoint]._apidoc["endpoint"]  # type: ignore[attr-defined]
        path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
        answers = made["paths"][path][endpoint.method.lower()]["responses"]
        assert not [status for status in answers if status[0] in "45"], "one answer stands for all problems"
        for slug in endpoint.list_problems():
            where = everywhere if slug in GENERAL_PROBLEMS else answers["default"]["description"]
            assert re.search(rf"(^|[:;] ){PROBLEMS[slug]['status']} [^;]*`{slug}`", where), (path, slug)
            told += slug not in GENERAL_PROBLEMS
    assert told > 200


def test_every_problem_has_a_page_and_both_languages(app: Flask) -> None:
    anyone = Person(app.test_client())
    for slug, entry in PROBLEMS.items():
        assert 400 <= entry["status"] < 600
        for part in ("title", "cause", "cure"):
            assert set(entry[part]) == {"en", "de"}, slug
        page: Any = anyone.get(f"/problems/{slug}").json
        assert page["type"] == f"/problems/{slug}"
        assert page["cure"] == entry["cure"]
    problem(anyone.get("/problems/no-such"), 404, "unknown-problem")
    refusals = [key for key in TABLE_BOOK.reasons if "." not in key and not key.startswith("end_")]
    named = {key.replace("_", "-") for key in refusals} - {
            "way-out", "server-draws", "disclosed", "proxy-not-told", "not-moved", "another-home",
            "transfer-unagreed", "transfer-proposed", "transfer-decided", "no-such-transfer", "nobody-to-ask",
            "no-tournament",
        }  # fmt: skip
    assert named <= set(PROBLEMS), named - set(PROBLEMS)


def test_every_example_fits_its_schema_and_is_played(app: Flask, made: dict[str, Any]) -> None:
    bodies = {op["operationId"]: op["requestBody"] for _, _, op in operations(made) if "requestBody" in op}
    assert set(REQUEST_EXAMPLES) == set(bodies)
    for name, body in bodies.items():
        media, *others = body["content"].values()  # the plain one first
        assert len(others) == (name == "judgeBundle"), "all others have one form"
        validator = Draft202012Validator({**media["schema"], "components": made["components"]})
        for example in media["examples"].values():
            assert not list(validator.iter_errors(example["value"])), name

    anyone = Person(app.test_client())
    tables = {}
    for name, example in REQUEST_EXAMPLES["openMatch"].items():
        opened: Any = anyone.post("/v1/matches", example["value"])
        assert opened.status_code == 201, opened.text
        tables[name] = opened.json
    joining = REQUEST_EXAMPLES["joinMatch"]["player"]["value"]
    for opened in tables.values():
        opened["people"] = []
        for invitation in opened["invitations"]:
            joined: Any = anyone.post("/v1/join", {**joining, "code": invitation["code"]})
            assert joined.status_code == 201, joined.text
            opened["people"].append(Person(anyone.client, joined.json["token"]))
    made_player: Any = anyone.post("/v1/players", REQUEST_EXAMPLES["makePlayer"]["player"]["value"])
    assert made_player.status_code == 201, made_player.text
    player = Person(anyone.client, made_player.json["token"])
    for example in REQUEST_EXAMPLES["changePlayer"].values():
        assert player.patch(f"/v1/players/{made_player.json['id']}", example["value"]).status_code == 200
    for example in REQUEST_EXAMPLES["addDevice"].values():  # tests/api/test_devices.py uses links that are still good
        problem(anyone.post("/v1/devices", example["value"]), 410, "device-link-void")
    for example in REQUEST_EXAMPLES["setDeck"].values():
        kept: Any = player.put(f"/v1/players/{made_player.json['id']}/decks/mine", example["value"])
        assert kept.status_code == 200, kept.text
    shy, duel = tables["shy_monsters"], tables["monster_combat"]
    host, path = Person(anyone.client, shy["token"]), f"/v1/matches/{shy['match']}"
    assert host.patch(path, REQUEST_EXAMPLES["changeMatch"]["open_to_all"]["value"], If_Match='"v2"').status_code == 200
    assert host.post(f"{path}/invitations", REQUEST_EXAMPLES["makeInvitation"]["onlooker"]["value"]).status_code == 201
    assert (
        shy["people"][0].put(f"{path}/seats/0/proxy", REQUEST_EXAMPLES["setProxy"]["host"]["value"]).status_code == 200
    )
    for example in REQUEST_EXAMPLES["setSeed"].values():
        assert shy["people"][0].put(f"{path}/seats/0/seed", example["value"]).status_code == 200
    host, path = Person(anyone.client, duel["token"]), f"/v1/matches/{duel['match']}"
    started: Any = host.post(f"{path}/start", If_Match='"v3"').json
    hooks = REQUEST_EXAMPLES["makeWebhook"]
    mine: Any = host.post("/v1/webhooks", {**hooks["a_match"]["value"], "match": duel["match"]})
    assert mine.status_code == 201, mine.text
    for example in REQUEST_EXAMPLES["changeWebhook"].values():
        assert host.patch(f"/v1/webhooks/{mine.json['id']}", example["value"]).status_code == 200
    known = "rfs_" + "o" * 43
    app.config["IS_OPERATOR"] = lambda token: token == known
    operator = Person(anyone.client, known)
    assert operator.post("/v1/webhooks", hooks["all_matches"]["value"]).status_code == 201
    for example in REQUEST_EXAMPLES["publishBook"].values():
        published = publish(operator, "here_to_slay", example["value"])
        assert published.status_code == 201, published.text
    for example in REQUEST_EXAMPLES["checkCardTable"].values():
        table: Any = anyone.client.post(
            "/v1/games/here_to_slay/card-tables", data=example["value"], content_type="text/csv"
        )
        assert (table.status_code, table.json["errors"], len(table.json["cards"])) == (200, [], 1)
    for example in REQUEST_EXAMPLES["checkQuestionFile"].values():
        opened: Any = anyone.client.post("/v1/question-files", data=example["value"], content_type="application/yaml")
        assert (opened.status_code, opened.json["question"]["move"]["card"]) == (200, "shield"), opened.text
    for example in REQUEST_EXAMPLES["judgeBundle"].values():
        taken: Any = anyone.client.post(
            "/v1/bundles", data=example["value"], content_type="application/x-ndjson",
            headers={"Idempotency-Key": "an-example-of-a-key-of-a-bundle"},
        )  # fmt: skip
        assert taken.status_code == 202, taken.text
    for name in ("askTakeback", "answerTakeback"):  # tests/api/test_takebacks.py plays them where they are granted
        for example in REQUEST_EXAMPLES[name].values():
            where = f"{path}/takebacks" if name == "askTakeback" else f"{path}/takebacks/1/consents"
            asked: Any = duel["people"][0].post(where, example["value"], If_Match="*")
            assert asked.status_code in (404, 409), asked.text
            assert asked.json["type"] in ("/problems/nothing-to-take-back", "/problems/no-such-takeback")
    ended = host.post(
        f"{path}/end", REQUEST_EXAMPLES["endMatch"]["agreed"]["value"], If_Match=f'"v{started["version"]}"'
    )
    assert ended.status_code == 201, ended.text


def test_the_examples_of_moves_are_played() -> None:
    played: set[str] = set()
    examples = REQUEST_EXAMPLES["makeMove"]
    for attempt in range(40):  # deals differ; each example has its deal
        app = house.app()
        house.COUNTERS[0] = iter(range(attempt * 1000, 10**9))
        for name in examples.keys() & load_games().keys():
            settings = REQUEST_EXAMPLES["openMatch"][name]["value"].get("settings", {})
            names = (name, "refused") if name == "monster_combat" else (name,)
            played |= tried(house.opened(app, name, settings=settings), names)
        if played == set(examples):
            return
    pytest.fail(f"never played: {set(examples) - played}")


def tried(table: house.Table, names: tuple[str, ...]) -> set[str]:
    """Which of these examples did what they say within a few moves of a match."""
    found = set()
    for _ in range(4):
        seat = next((seat for seat in table.awaited if isinstance(seat, int)), None)
        if seat is None:
            break
        for name in names:
            body = dict(REQUEST_EXAMPLES["makeMove"][name]["value"])
            if "seen" in body:
                body["seen"] = table.version
            answer = table.seats[seat].post(f"{table.path}/seats/{seat}/moves/check", body)
            granted = answer.json["verdict"] == "granted"  # type: ignore[index]
            if granted == (name == "refused"):
                continue
            made: Any = table.seats[seat].post(f"{table.path}/seats/{seat}/moves", body)
            assert made.status_code == (409 if name == "refused" else 201)
            if name == "refused":
                refused = load_recorded()["problems"]["illegal-move"]["value"]
                assert set(refused) == set(made.json)
                assert set(refused["ruling"]) == set(made.json["ruling"])
            found.add(name)
            break
        else:
            listed = [each["move"] for each in table.moves(seat)["legal"]]
            listed.sort(key=lambda move: not any((cell["x"], cell["y"]) == (0, 1) for cell in move.get("cells", ())))
            move = next((move for move in listed if move["type"] not in GIVING_UP), None)
            if move is None or table.move(seat, move).status_code != 201:
                break
    return found


@pytest.mark.parametrize("name", REQUEST_EXAMPLES["judgePosition"])
def test_the_examples_of_positions_are_judged(app: Flask, name: str) -> None:
    anyone = Person(app.test_client())
    judged: Any = anyone.post(
        f"/v1/games/{name}/rulings", REQUEST_EXAMPLES["judgePosition"][name]["value"], Idempotency_Key=""
    )
    assert judged.status_code == 200, judged.text
    assert judged.json["verdict"] == "refused"
    counted: Any = anyone.post(
        f"/v1/games/{name}/positions/census", REQUEST_EXAMPLES["countPosition"][name]["value"], Idempotency_Key=""
    )
    assert counted.json["possible"] is True
    listed: Any = anyone.post(
        f"/v1/games/{name}/positions/moves", REQUEST_EXAMPLES["listPositionMoves"][name]["value"], Idempotency_Key=""
    )
    assert listed.json["question"]


def test_pages_of_lists_are_alike(made: dict[str, Any]) -> None:
    """What has a cursor takes `after` and `limit`, and links to the next page; any other list says how long it gets."""
    schemas, paged, whole = made["components"]["schemas"], {}, []
    for path, method, call in operations(made):
        answer = call["responses"].get("200", {})
        if "$ref" in answer:
            answer = made["components"]["responses"][answer["$ref"].rpartition("/")[2]]
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        members = schemas.get(schema.get("$ref", "").rpartition("/")[2], {}).get("properties", {})
        if "next_cursor" not in members:
            if "items" in members:
                assert members["items"]["description"].startswith("All "), path
                whole.append(path)
            continue
        named = [*made["paths"][path].get("parameters", []), *call["parameters"]]
        given = [
            made["components"]["parameters"][each["$ref"].rpartition("/")[2]] if "$ref" in each else each
            for each in named
        ]
        parameters = {each["name"]: each["schema"] for each in given}
        assert method == "get"
        assert {"after", "limit"} <= parameters.keys(), path
        limits = [parameters["limit"].get(key) for key in ("minimum", "maximum", "default")]
        assert limits == [1, 200, None if path.endswith("{match}/entries") else 50], path  # NDJSON is whole
        kind = parameters["after"]["type"]
        assert members["next_cursor"]["type"] == [kind, "null"], path
        assert kind == "integer" or "pattern" in parameters["after"], path
        assert "Link" in answer["headers"], path
        paged[path] = kind
    assert {path for path, kind in paged.items() if kind == "integer"} == IN_A_LOG
    assert len(paged) == 15
    assert len(whole) == 15


IN_A_LOG = {  # lists whose cursor is a place in a log, and so a number
    *(f"/v1/matches/{{match}}/{what}" for what in ("entries", "openings", "disputes", "takebacks", "deviations")),
    *("/v1/tournaments/{tournament}/entries", "/v1/roots"),
}


def test_the_contract_says_which_answers_are_named_files(made: dict[str, Any]) -> None:
    token = "rfs_" + "o" * 43
    app = house.app(IS_OPERATOR=lambda given: given == token)
    anyone, table = Person(app.test_client()), house.opened(app, visibility="public")
    text = REQUEST_EXAMPLES["publishBook"]["one_card"]["value"]
    edition = publish(Person(anyone.client, token), "here_to_slay", text).json["edition"]  # type: ignore[index]
    game = {"game": "here_to_slay", "edition": edition, "seats": [{"kind": "human"}] * 2, "visibility": "public"}
    match = anyone.post("/v1/matches", game).json["match"]  # type: ignore[index]
    tournament = anyone.post("/v1/tournaments", {"game": "monster_combat"}).json["tournament"]  # type: ignore[index]
    files = {
        "getBundle": [f"{table.path}/bundle"],
        "getBook": [f"/v1/games/here_to_slay/books/{edition}"],
        "getMatchBook": [f"/v1/matches/{match}/book"],
        "getTournamentFile": [
            f"/v1/tournaments/{tournament}/exports/{name}" for name in ("results.csv", "public.bundle")
        ],
        "getVerifier": ["/verify.py"],
        "getVerifierPage": ["/verify.html"],
    }
    said = {
        call["operationId"]: set(call["responses"]["200"].get("headers", {}))
        for _, _, call in operations(made)
        if "200" in call["responses"]
    }
    assert {name for name, headers in said.items() if "Content-Disposition" in headers} == files.keys()
    for name, paths in files.items():
        for path in paths:
            answer = anyone.get(path)
            assert answer.status_code == 200, answer.text
            assert {each for each in ANSWER_HEADERS if each in answer.headers} <= said[name]
            assert "filename=" in answer.headers["Content-Disposition"]


def test_the_contract_names_the_headers_of_answers(app: Flask, made: dict[str, Any]) -> None:
    """Those of writes to a log, of what is made outside logs, of repeated writes, and of problems."""
    named = {call["operationId"]: call["responses"] for _, _, call in operations(made)}
    table = house.opened(app, "monster_combat", visibility="public")
    anyone = Person(app.test_client())
    move = {"move": {"type": "mc.play", "card": "no such card"}}
    answers: list[tuple[str, Any]] = [
        ("makePlayer", anyone.post("/v1/players", {"name": "Ada"}, Idempotency_Key="k" * 22)),
        ("makePlayer", anyone.post("/v1/players", {"name": "Ada"}, Idempotency_Key="k" * 22)),
        ("openMatch", anyone.post("/v1/matches", REQUEST_EXAMPLES["openMatch"]["mau_mau"]["value"])),
        ("askTakeback", table.seats[0].post(f"{table.path}/takebacks", {"to": 1}, If_Match="*")),
        ("endMatch", table.host.post(f"{table.path}/end", {"reason": "abandoned"}, If_Match=f'"v{table.version}"')),
        ("makeMove", table.seats[0].post(f"{table.path}/seats/0/moves", move)),
        ("getMatch", table.host.get(table.path)),
        ("getMatch", table.host.get(table.path, If_None_Match="x")),
        ("listEntries", table.host.get(f"{table.path}/entries", Prefer="wait=1")),
        ("listEntries", table.host.get(f"{table.path}/entries?limit=1")),
        ("getMatch", table.host.get(table.path, If_None_Match=table.host.get(table.path).headers["ETag"])),
        ("getMatch", Person(app.test_client(), "rfs_" + "x" * 43).get(table.path)),
        ("listWebhooks", anyone.get("/v1/webhooks")),
        ("makeMove", table.seats[0].post(f"{table.path}/seats/0/moves", {"move": {"type": "mc.pass"}, "seen": 1})),
        ("getCardForm", anyone.get("/v1/games/munchkin/card-form")),
    ]
    seen = set()
    for name, answer in answers:
        found: Any = named[name].get(str(answer.status_code), {"$ref": "#/components/responses/Problem"})
        while "$ref" in found:
            found = made["components"]["responses"][found["$ref"].rpartition("/")[2]]
        given = {header for header in ANSWER_HEADERS if header in answer.headers}
        assert given <= set(found.get("headers", {})), (name, answer.status_code)
        seen |= given
    assert seen >= {"ETag", "Location", "Idempotency-Replayed", "Link", "WWW-Authenticate"}
    assert [answer.status_code for _, answer in answers[-5:]] == [304, 200, 401, 409, 200]


ANSWER_HEADERS = (  # X-Request-Id comes with each answer, and is named where people need it
    *("ETag", "Location", "Receipt", "Idempotency-Replayed", "Preference-Applied", "Link", "Deprecation", "Sunset"),
    *("Retry-After", "WWW-Authenticate", "Content-Disposition"),
)
