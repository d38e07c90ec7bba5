"""Pages for people: the contract in a bundled Swagger UI, and each problem.

No page loads anything from another host.
"""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, request

from api.http.encoding.languages import negotiate_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import PROBLEMS, Problem
from api.http.responses import JSON, json_response
from referee import cardscript
from referee.audit import standalone
from referee.cardscript.sheets.catalog import list_catalogs
from referee.engine.rulebook.book import Text, read_yaml

HTML, CSS, SCRIPT, PNG, PLAIN = "text/html", "text/css", "text/javascript", "image/png", "text/plain"
PYTHON = "text/x-python"


PROBLEM_SCHEMA = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "description": "The address of this page, as problem documents have it"},
        "status": {"type": "integer", "description": "The status of answers with this problem"},
        **{
            key: {"$ref": "#/components/schemas/Words", "description": text}
            for key, text in {"title": "What happened", "cause": "Why", "cure": "What to do"}.items()
        },
    },
    "required": ["type", "status", "title", "cause", "cure"],
}
HERE = Path(__file__).parent
CARDS = Path(cardscript.__file__).parent  # with the guides for owners of cards
PAGES, SWAGGER = HERE, HERE.parent / "vendor" / "swagger_ui"
PAGE_FILES: dict[str, tuple[Path, str]] = {  # by the last part of their address
    "docs.js": (PAGES, SCRIPT),
    "page.css": (PAGES, CSS),
    "swagger-ui-bundle.js": (SWAGGER, SCRIPT),
    "swagger-ui.css": (SWAGGER, CSS),
    "favicon-32x32.png": (SWAGGER, PNG),
    "GUIDE.md": (CARDS, PLAIN),
    **{f"{game}.md": (CARDS / "guides", PLAIN) for game in list_catalogs()},
    "LICENSE": (SWAGGER, PLAIN),
    "NOTICE": (SWAGGER, PLAIN),
    "swagger-ui-bundle.js.LICENSE.txt": (SWAGGER, PLAIN),
}
PAGE_TEXTS: dict[str, Text] = read_yaml(PAGES / "texts.yaml")
PLACEHOLDER_PATTERN = re.compile(r"\{\w+\}")  # filled only in an actual problem
CACHE_FOR_A_DAY = "public, max-age=86400"
blueprint = EndpointBlueprint("docs", tag="pages")


@cache
def read_page_file(name: str) -> bytes:
    """Return a file of these pages. Raises KeyError."""
    folder, _ = PAGE_FILES[name]
    return (folder / name).read_bytes()


@cache
def read_verifier() -> bytes:
    """Return the standalone verifier as it is part of this program."""
    return Path(standalone.__file__).read_bytes()


def html_response(text: str) -> Response:
    """Return a response with an HTML page."""
    return Response(text, content_type=f"{HTML}; charset=utf-8")


@blueprint.declare(Endpoint("GET", "/docs", "getDocs", response=(200, {"type": "string"}), media=(HTML,)))
def get_docs() -> Response:
    """Show the contract, to read it and to try it out."""
    return html_response((PAGES / "docs.html").read_text("utf-8"))


@blueprint.declare(
    Endpoint(
        "GET",
        "/docs/<word:file>",
        "getDocsFile",
        response=(200, {"type": "string"}),
        media=(SCRIPT, CSS, PNG, PLAIN),
        other_responses=[(200, {"type": "string"}, kind) for kind in (CSS, PNG, PLAIN)],
        problems=["not-found"],
    )
)
def get_docs_file(file: str) -> Response:
    """Return a file that the pages need."""
    if file not in PAGE_FILES:
        raise Problem("not-found")
    kind = PAGE_FILES[file][1]
    response = Response(read_page_file(file), content_type=kind if kind == PNG else f"{kind}; charset=utf-8")
    response.headers["Cache-Control"] = CACHE_FOR_A_DAY
    return response


@blueprint.declare(
    Endpoint("GET", "/verify.py", "getVerifier", response=(200, {"type": "string"}), media=(PYTHON,), file=True)
)
def get_verifier() -> Response:
    """Return the program that checks a bundle of a match without any server.

    It is one file of Python and needs no other part of this program.
    """
    response = Response(read_verifier(), content_type=f"{PYTHON}; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="verify.py"'
    return response


@blueprint.declare(
    Endpoint(
        "GET",
        "/problems/<word:slug>",
        "getProblem",
        response=(200, PROBLEM_SCHEMA),
        media=(JSON, HTML),
        other_responses=[(200, {"type": "string"}, HTML)],
        problems=["unknown-problem"],
    )
)
def get_problem(slug: str) -> Response:
    """Explain a problem: what it means and what to do, as data or as a page."""
    if slug not in PROBLEMS:
        raise Problem("unknown-problem")
    if request.accept_mimetypes.best_match((JSON, HTML)) == HTML:
        response = html_response(render_problem_page(slug, PROBLEMS[slug], negotiate_language()))
        response.headers["Content-Language"] = negotiate_language()
        response.vary.update(("Accept", "Accept-Language"))
        return response
    response = json_response({"type": f"/problems/{slug}", **PROBLEMS[slug]})
    response.vary.add("Accept")
    return response


def render_problem_page(slug: str, problem: dict[str, Any], lang: str) -> str:
    """Return the page of a problem as HTML."""
    parts = {
        part: html.escape(PLACEHOLDER_PATTERN.sub("…", problem[part][lang])) for part in ("title", "cause", "cure")
    }
    words = {name: html.escape(text[lang]) for name, text in PAGE_TEXTS.items()}
    form = (PAGES / "problem.html").read_text("utf-8")
    return form.format(slug=slug, lang=lang, status=problem["status"], **parts, **words)
