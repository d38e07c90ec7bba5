"""Write the contract as pages: calls by subject, types by their first letter."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from referee.docs.site.rulebooks import escape, escape_marks

METHODS = ("get", "put", "post", "patch", "delete")
TYPES = "#/components/schemas/"
Schema = Mapping[str, Any]


def write_pages(contract: Path) -> Iterator[tuple[str, str]]:
    """Yield the pages of the contract, as file name and text."""
    read = yaml.load(contract.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    yield from Reference(read).write_pages()


class Reference:
    """The contract, and how its parts are shown."""

    def __init__(self, contract: Schema) -> None:
        self.contract = contract
        self.components = contract["components"]
        self.schemas: Mapping[str, Schema] = self.components["schemas"]

    def write_pages(self) -> Iterator[tuple[str, str]]:
        """Yield the pages: for subjects, letters of types, and messages to webhooks."""
        subjects = [tag["name"] for tag in self.contract["tags"]]
        letters = sorted({name_letter(name) for name in self.schemas})
        for tag in self.contract["tags"]:
            yield f"reference/{tag['name']}.md", self.render_subject(tag)
        for letter in letters:
            yield f"reference/types-{letter}.md", self.render_types(letter)
        yield "reference/messages.md", self.render_messages()
        yield "reference/index.md", self.render_index(subjects, letters)

    def render_index(self, subjects: list[str], letters: list[str]) -> str:
        """Return the page that lists the others."""
        calls = list(self.list_calls())
        lines = [
            "# API reference",
            "",
            f"Every call and every type of the contract: {len(calls)} calls in {len(subjects)} subjects, and "
            f"{len(self.schemas)} types. These pages are written from {{download}}`openapi.yaml </openapi.yaml>`; "
            "a running server shows the same at `/docs`, where each call can be tried. To begin, read "
            "{doc}`/ten-calls` first, then {doc}`/api`.",
            "",
            "Any answer that is no success is a [Problem](types-p.md#problem).",
            "",
        ]
        for tag in self.contract["tags"]:
            lines += [f"## {name_subject(tag)}", "", escape_prose(tag["description"]), ""]
            for path, method, call in self.list_calls(tag["name"]):
                link = f"[{escape(call['summary'].rstrip('.'))}]({tag['name']}.md#{slug(call['summary'])})"
                lines += [f"- {link}\\", f"  {render_address(method, path)}"]
            lines.append("")
        lines += ["", *toctree([*subjects, "messages"])]
        links = (f"[{letter.upper()}](types-{letter}.md)" for letter in letters)
        lines += ["## Types", "", f"By their first letter: {' '.join(links)}", ""]
        return "\n".join(lines)

    def list_calls(self, subject: str = "") -> Iterator[tuple[str, str, Schema]]:
        """Yield path, method and description of the calls of one subject, or of all."""
        for path, item in self.contract["paths"].items():
            for method in METHODS:
                if method in item and subject in ("", *item[method]["tags"]):
                    shared = item.get("parameters", [])
                    yield path, method, {**item[method], "parameters": [*shared, *item[method].get("parameters", [])]}

    def render_subject(self, tag: Schema) -> str:
        """Return the page of a subject: its calls."""
        lines = [f"# {name_subject(tag)}", "", escape_prose(tag["description"]), ""]
        for path, method, call in self.list_calls(tag["name"]):
            lines += self.render_call(path, method, call)
        return "\n".join(lines)

    def render_call(self, path: str, method: str, call: Schema) -> list[str]:
        """Return the lines of a call."""
        lines = [f"## {escape(call['summary'].rstrip('.'))}", "", render_address(method, path), ""]
        if call.get("description"):
            lines += render_paragraphs(call["description"])
        is_open = call.get("security") == [] or {} in call.get("security", ())
        who = "Anybody may call it." if is_open else "It needs a token."
        lines += [f"{who} Its name is `{call['operationId']}`.", ""]
        if call["parameters"]:
            lines += ["| parameter | in | type | meaning |", "| --- | --- | --- | --- |"]
            lines += [self.render_parameter(self.resolve(each)) for each in call["parameters"]]
            lines += [""]
        lines += self.render_body(call.get("requestBody"))
        lines += ["| answer | type | |", "| --- | --- | --- |"]
        for status, answer in call["responses"].items():
            given = {**self.resolve(answer), **{k: v for k, v in answer.items() if k != "$ref"}}
            kinds = " or ".join(self.describe_media(kind, body) for kind, body in given.get("content", {}).items())
            name = "any other" if status == "default" else f"`{status}`"
            lines.append(f"| {name} | {kinds or '–'} | {escape_prose(given.get('description', ''))} |")
        return [*lines, ""]

    def render_body(self, body: Schema | None) -> list[str]:
        """Return the lines of a request's body, with its examples."""
        if not body:
            return []
        lines = []
        for kind, content in self.resolve(body)["content"].items():
            needed = "Body" if body.get("required") else "Body, which may be left out"
            lines += [f"{needed}: {self.describe_media(kind, content)}", ""]
            for example in content.get("examples", {}).values():
                shown = json.dumps(example["value"], indent=2, ensure_ascii=False)
                lines += [f"{escape_prose(example.get('summary', ''))}:", "", "```json", shown, "```", ""]
        return lines

    def describe_media(self, kind: str, content: Schema) -> str:
        """Return what a body is: its type, and the media type if it is not JSON."""
        if kind.endswith("json"):
            return self.describe(content.get("schema", {}))
        return f"`{kind}`"

    def render_parameter(self, parameter: Schema) -> str:
        """Return the row of a parameter."""
        name = f"`{parameter['name']}`" + ("" if parameter.get("required") else " (optional)")
        meaning = escape_prose(parameter.get("description", ""))
        return f"| {name} | {parameter['in']} | {self.describe(parameter.get('schema', {}))} | {meaning} |"

    def render_types(self, letter: str) -> str:
        """Return the page with the types of a letter."""
        lines = [f"# Types: {letter.upper()}", ""]
        for name, schema in sorted(self.schemas.items(), key=lambda each: each[0].lower()):
            if name_letter(name) == letter:
                lines += [f"## {name}", "", *self.render_type(schema), ""]
        return "\n".join(lines)

    def render_type(self, schema: Schema) -> list[str]:
        """Return the lines of a type: what it is, and its members."""
        lines = []
        if schema.get("description"):
            lines += render_paragraphs(schema["description"])
        for part in schema.get("allOf", ()):
            if "$ref" in part:
                lines += [f"All members of {self.describe(part)}, and:", ""]
            else:
                lines += self.render_type(part)
        if "properties" in schema:
            required = schema.get("required", ())
            lines += ["| member | type | meaning |", "| --- | --- | --- |"]
            for name, member in schema["properties"].items():
                optional = "" if name in required else " (optional)"
                meaning = escape_prose(member.get("description", ""))
                lines.append(f"| `{name}`{optional} | {self.describe(member)} | {meaning} |")
            lines.append("")
        elif "allOf" not in schema:
            lines += [f"It is {self.describe(schema)}.", ""]
        return lines

    def describe(self, schema: Any) -> str:
        """Return a type in a few words, with links to the named ones."""
        if not isinstance(schema, Mapping) or not schema:
            return "anything"
        if "$ref" in schema:
            name = schema["$ref"].removeprefix(TYPES)
            return f"[{name}](types-{name_letter(name)}.md#{slug(name)})"
        if "const" in schema:
            return show_value(schema["const"])
        if "enum" in schema:
            return " or ".join(map(show_value, schema["enum"]))
        for one in ("oneOf", "anyOf"):
            if one in schema:
                return " or ".join(dict.fromkeys(map(self.describe, schema[one])))
        if "allOf" in schema:
            return " with ".join(map(self.describe, schema["allOf"]))
        kinds = schema.get("type", "object")
        kinds = [kinds] if isinstance(kinds, str) else kinds
        return " or ".join(self.describe_kind(kind, schema) for kind in kinds)

    def describe_kind(self, kind: str, schema: Schema) -> str:
        """Return one kind of JSON value in a few words."""
        if kind == "array":
            return f"list of {self.describe(schema['items'])}" if "items" in schema else "list"
        if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
            return f"object of {self.describe(schema['additionalProperties'])}"
        if kind == "object" and "properties" in schema:
            members = ", ".join(f"`{name}`: {self.describe(each)}" for name, each in schema["properties"].items())
            return f"object ({members})"
        limits = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
        return " ".join(["text" if kind == "string" else kind, *limits])

    def render_messages(self) -> str:
        """Return the page with the messages to webhooks."""
        lines = ["# Messages to webhooks", "", "What a server sends, signed as Standard Webhooks 1.0 says.", ""]
        for name, item in self.contract["webhooks"].items():
            call = item["post"]
            content = call["requestBody"]["content"]["application/json"]
            lines += [
                f"## {name}",
                "",
                escape_prose(call["summary"]),
                "",
                f"Body: {self.describe(content['schema'])}",
                "",
            ]
        return "\n".join(lines)

    def resolve(self, part: Schema) -> Schema:
        """Return a part of the contract, or the component that it names."""
        while "$ref" in part:
            _, _, kind, name = part["$ref"].split("/")
            part = self.components[kind][name]
        return part


def toctree(pages: list[str]) -> list[str]:
    """Return the lines of a table of contents that only the sidebar shows."""
    return ["```{toctree}", ":hidden:", "", *pages, "```", ""]


def name_subject(tag: Schema) -> str:
    """Return the title of a subject."""
    return str(tag["name"]).replace("_", " ").replace("-", " ").capitalize()


def render_address(method: str, path: str) -> str:
    """Return method and path as they are called."""
    return f"`{method.upper()} {path}`"


def name_letter(name: str) -> str:
    """Return the letter of the page that a type stands on."""
    return name[0].lower()


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    kept = "".join(letter for letter in heading.rstrip(".").lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def show_value(value: Any) -> str:
    """Return a constant of the contract."""
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def render_paragraphs(text: str) -> list[str]:
    """Return the lines of a description that stands by itself."""
    return [line for part in text.split("\n\n") for line in (escape_prose(part), "")]


def escape_prose(text: str) -> str:
    """Return a description on one line; what it marks as code stays so."""
    parts = " ".join(text.split()).split("`")
    return "`".join(part if place % 2 else escape_marks(part) for place, part in enumerate(parts))
