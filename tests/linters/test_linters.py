"""What other people's programs say of the contract: its patterns in a browser's engine, Redocly and Spectral."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from tests.clients.house import CONTRACT
from tests.clients.npm import install_packages, run

pytestmark = pytest.mark.deep
HERE = Path(__file__).parent
QUIET = ("REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
FAULTY: dict[str, Any] = {  # a contract with a tag and an answer that nobody declared, which both linters have to find
    "openapi": "3.1.0",
    "info": {"title": "Faulty", "version": "1.0.0"},
    "servers": [{"url": "/"}],
    "paths": {
        "/": {"get": {"operationId": "get", "tags": ["lost"], "responses": {"200": {"$ref": "#/components/lost"}}}}
    },
}


@pytest.fixture(scope="module")
def contract() -> dict[str, Any]:
    made: dict[str, Any] = yaml.load(CONTRACT.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return made


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, contract: dict[str, Any]) -> tuple[Path, str]:
    """A folder with the linters and the contract as JSON, which they read faster, and node."""
    where = tmp_path_factory.mktemp("linters")
    node = install_packages(HERE, where)
    for name in ("redocly.yaml", ".spectral.yaml"):
        shutil.copy(HERE / name, where)
    (where / "openapi.json").write_text(json.dumps(contract), "utf-8")
    (where / "faulty.json").write_text(json.dumps(FAULTY), "utf-8")
    return where, node


def lint(room: tuple[Path, str], cli: str, *options: str) -> list[Any]:
    """Return what a linter says of the contract and of the faulty one, as one document of JSON or several."""
    where, node = room
    command = ("env", *QUIET, node, f"node_modules/{cli}", "lint", "openapi.json", "faulty.json", "--format", "json")
    said, found = run(where, *command, *options), []
    left = said.stdout.strip()
    assert left.startswith(("[", "{")), said.stderr
    while left:
        document, end = json.JSONDecoder().raw_decode(left)
        found.append(document)
        left = left[end:].strip()
    return found


def test_redocly_finds_nothing_where_nothing_is_wrong(room: tuple[Path, str]) -> None:
    said = lint(room, "@redocly/cli/bin/cli.js", "--config", "redocly.yaml")
    problems = [each for document in said for each in document["problems"]]
    found = [(each["location"][0]["source"]["ref"], each["ruleId"], each["message"]) for each in problems]
    assert [each for each in found if each[0] != "faulty.json"] == []
    assert {"no-unresolved-refs", "security-defined"} <= {rule for _, rule, _ in found}


def test_spectral_finds_nothing_where_nothing_is_wrong(room: tuple[Path, str]) -> None:
    (problems,) = lint(room, "@stoplight/spectral-cli/dist/index.js", "--ruleset", ".spectral.yaml", "--quiet")
    found = [(Path(each["source"]).name, each["code"], each["path"]) for each in problems]
    assert [each for each in found if each[0] != "faulty.json"] == []
    assert {"invalid-ref", "operation-tag-defined"} <= {rule for _, rule, _ in found}


def iterate_schemas(part: Any) -> Iterator[dict[str, Any]]:
    """Yield each part of the contract that has a pattern, with its parameter's example."""
    if isinstance(part, list):
        for each in part:
            yield from iterate_schemas(each)
    if isinstance(part, dict):
        if isinstance(part.get("pattern"), str):
            yield part
        if isinstance(part.get("schema"), dict) and "pattern" in part["schema"] and "example" in part:
            yield {**part["schema"], "example": part["example"]}
        for each in part.values():
            yield from iterate_schemas(each)


def collect_texts(contract: dict[str, Any]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return by pattern the texts that have to match it, and all that the examples of bodies hold it against."""
    wanted, tried = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for schema in iterate_schemas(contract):
        named = [schema.get(key) for key in ("example", "default", "const")]
        named += [*schema.get("enum", ()), *schema.get("examples", ())]
        wanted[schema["pattern"]] |= {each for each in named if isinstance(each, str)}

    def note_text(_: Any, pattern: str, text: Any, __: Any) -> Iterator[Any]:
        if isinstance(text, str):
            tried[pattern].add(text)
        yield from ()

    noting = extend(Draft202012Validator, {"pattern": note_text})
    for item in contract["paths"].values():
        for operation in item.values():
            body = operation.get("requestBody", {}) if isinstance(operation, dict) else {}
            for media in body.get("content", {}).values():
                for example in media.get("examples", {}).values():
                    schema = {**media["schema"], "components": contract["components"]}
                    list(noting(schema).iter_errors(example["value"]))
    return wanted, tried


def test_the_engine_of_a_browser_reads_each_pattern_as_python_does(contract: dict[str, Any], tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    wanted, tried = collect_texts(contract)
    assert len(wanted) > 40
    assert sum(map(len, wanted.values())) > 2
    assert sum(map(len, tried.values())) > 20
    asked = {
        pattern: sorted({*texts, *tried[pattern], *(f"{text}Z" for text in texts), "", "card_7", "card_7\n", "\n", "ü"})
        for pattern, texts in wanted.items()
    }
    (tmp_path / "asked.json").write_text(json.dumps(asked), "utf-8")
    told = run(tmp_path, node, str(HERE / "patterns.mjs"), "asked.json")
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    for pattern, texts in asked.items():
        assert isinstance(found[pattern], list), f"{pattern}: {found[pattern]}"
        assert wanted[pattern] <= set(found[pattern]), f"an example does not match {pattern}"
        whole = re.sub(r"\$(?=$|\|)", r"\\Z", pattern)  # the $ of ECMA-262 is the very end
        assert set(found[pattern]) == {text for text in texts if re.search(whole, text)}, pattern
