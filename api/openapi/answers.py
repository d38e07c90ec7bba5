"""Examples of answers: what the real program answered, recorded by the tests.

`answers.yaml` is written by `python -m tests.api.recorded`; a test compares it with what the program answers now.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api.http.problems import PROBLEM_MEDIA_TYPE
from api.http.responses import JSON
from referee.engine.rulebook.book import read_yaml

ANSWERS_FILE = Path(__file__).with_name("answers.yaml")
Doc = dict[str, Any]


class InOneLine(Doc):
    """A part of the contract that is written in one line, however long it is."""


def load_recorded() -> dict[str, dict[str, Doc]]:
    """Return what was recorded: `answers` by operation, `problems` by slug.

    Each has a summary and its value.
    """
    found: dict[str, dict[str, Doc]] = read_yaml(ANSWERS_FILE)
    return found


def add_answers(contract: Doc) -> None:
    """Put the recorded answers into the contract.

    An answer that several calls share has the example of the first call.
    """
    recorded = load_recorded()
    shared = contract["components"]["responses"]
    for item in contract["paths"].values():
        for operation in item.values():
            if not isinstance(operation, dict) or operation.get("operationId") not in recorded["answers"]:
                continue
            example = recorded["answers"][operation["operationId"]]
            answer = operation["responses"][str(example["status"])]
            while "$ref" in answer:
                answer = shared[answer["$ref"].rpartition("/")[2]]
            told = InOneLine({name: example[name] for name in ("summary", "value")})
            answer["content"][example.get("media", JSON)].setdefault("examples", {"recorded": told})
    problem = shared["Problem"]["content"][PROBLEM_MEDIA_TYPE]
    problem["examples"] = {name: InOneLine(example) for name, example in recorded["problems"].items()}
