"""The companion page: one shell, and the files of which it is made.

The page is a client like any other: it uses the public contract alone, and nothing in it decides a rule. Its files lie
under an address that names their content, so a browser keeps them and never shows old ones.
"""

from __future__ import annotations

import hashlib
import html
from functools import cache
from http import HTTPStatus
from pathlib import Path

from flask import Flask, Response, current_app, request
from marshmallow import Schema, fields
from werkzeug.exceptions import NotFound

import referee
from api.http.encoding.languages import negotiate_language
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem, problem_from_http_error, problem_response
from api.http.responses import JSON, json_response
from api.openapi.spec import VERSION
from api.pages.pages import CSS, HTML, PAGE_TEXTS, SCRIPT, html_response
from api.pages.saved_proof import render_saved_proof
from api.pages.shrinking import shrink_script
from referee.games import load_games

APP = Path(__file__).parent / "app"
VENDOR = tuple(Path(__file__).parents[1] / "vendor" / name for name in ("preact_htm", "noble"))
SHRINKING = Path(__file__).with_name("shrinking.py")
SVG = "image/svg+xml"
MEDIA_TYPES = {".js": SCRIPT, ".css": CSS, ".svg": SVG, ".txt": "text/plain"}
PRELOADED = ("vendor/standalone.module.js", "lib/html.js", "lib/words.js", "lib/device.js", "texts.js")
CACHE_FOR_A_YEAR = "public, max-age=31536000, immutable"
blueprint = EndpointBlueprint("pages")


class IndexSchema(Schema):
    """The addresses to begin with."""

    name = fields.Str(required=True)
    version = fields.Str(required=True)
    contract_version = fields.Str(required=True)
    contract = fields.Str(required=True)
    docs = fields.Str(required=True)
    verifier = fields.Str(required=True)
    games = fields.Dict(keys=fields.Str(), values=fields.Str(), required=True)
    try_ = fields.List(
        fields.Str(), required=True, data_key="try", metadata={"description": "Calls to begin with, method and path"}
    )


@cache
def read_files() -> dict[str, bytes]:
    """Return the files of the page as they are written, by their addresses.

    Vendored ones lie in `vendor/`.
    """
    found = {path.relative_to(APP).as_posix(): path for path in APP.rglob("*") if path.suffix in MEDIA_TYPES}
    for folder in VENDOR:
        found |= {f"vendor/{path.name}": path for path in folder.iterdir() if path.suffix in MEDIA_TYPES}
    return {name: path.read_bytes() for name, path in sorted(found.items())}


@cache
def read_served_file(name: str) -> bytes:
    """Return a file of the page as a browser is given it. Raises KeyError."""
    content = read_files()[name]
    return shrink_script(content) if name.endswith(".js") else content


@cache
def compute_digest() -> str:
    """Return what names the content of all files, and how they are served."""
    digest = hashlib.sha256()
    for name, content in [*read_files().items(), ("", SHRINKING.read_bytes())]:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def render_warning() -> str:
    """Return a warning in both languages; the page shows that of its own."""
    said = "".join(f'<span lang="{each}">{html.escape(text)}</span>' for each, text in PAGE_TEXTS["unsafe"].items())
    return f'<p class="banner still">{said}</p>\n'


@cache
def render_shell(lang: str, is_unsafe: bool) -> str:
    """Return the page in which every scene is shown, and a note without scripts.

    `is_unsafe`: the server could lose what was played, and the page says so.
    """
    base = f"/app/{compute_digest()}"
    lines = [PAGE_TEXTS[f"join_{line}"][lang] for line in (1, 2, 3)]
    return (
        (APP / "index.html")
        .read_text("utf-8")
        .format(
            lang=lang,
            base=base,
            preloads="\n".join(f'<link rel="modulepreload" href="{base}/{name}">' for name in PRELOADED),
            warning=render_warning() if is_unsafe else "",
            title=html.escape(PAGE_TEXTS["home_title"][lang]),
            paragraphs="\n".join(f"<p>{html.escape(line)}</p>" for line in lines),
        )
    )


def shell_response() -> Response:
    """Return the shell in the language that the request prefers."""
    lang = negotiate_language()
    response = html_response(render_shell(lang, current_app.config["IS_STORE_UNSAFE"]()))
    response.headers["Content-Language"] = lang
    response.vary.update(("Accept", "Accept-Language"))
    return response


def prefers_page() -> bool:
    """Whether a browser asks, in which somebody reads the answer."""
    return request.accept_mimetypes.best_match((JSON, HTML)) == HTML


def init_app(app: Flask) -> None:
    """Lead a browser home from an address that is not in the contract."""
    app.register_error_handler(NotFound, answer_unknown_address)


def answer_unknown_address(error: NotFound) -> Response:
    """Return the problem document.

    A browser that asks for an address without a route gets the page.
    """
    response = problem_response(problem_from_http_error(error))
    if request.url_rule is None and request.method in ("GET", "HEAD"):
        if prefers_page():
            response = shell_response()
            response.status_code = HTTPStatus.NOT_FOUND
        response.vary.add("Accept")
    return response


@blueprint.declare(Endpoint("GET", "/<scene:scene>", "getScene", response=(200, {"type": "string"}), media=(HTML,)))
def get_scene(scene: str) -> Response:  # noqa: ARG001
    """Show a scene of the companion page.

    What it shows, such as a match or a code, stands behind `#`, which a browser keeps to itself.
    """
    return shell_response()


@cache
def render_verifier(lang: str) -> str:
    """Return the scene `/verify` as one file, with its comments for readers."""
    return render_saved_proof(read_files(), lang, PAGE_TEXTS["verifier_title"][lang])


@blueprint.declare(
    Endpoint("GET", "/verify.html", "getVerifierPage", response=(200, {"type": "string"}), media=(HTML,), file=True)
)
def get_verifier_page() -> Response:
    """Return the page that checks a bundle of a match, as one file to save.

    It needs no server and no network: opened from a disk it checks everything but the rules.
    """
    lang = negotiate_language()
    response = html_response(render_verifier(lang))
    response.headers["Content-Disposition"] = 'attachment; filename="referee-verify.html"'
    response.headers["Content-Language"] = lang
    response.vary.add("Accept-Language")
    return response


@blueprint.declare(
    Endpoint(
        "GET",
        "/app/<word:digest>/<file:asset>",
        "getPageFile",
        response=(200, {"type": "string"}),
        media=(SCRIPT, CSS, SVG),
        other_responses=[(200, {"type": "string"}, kind) for kind in (CSS, SVG)],
        problems=["not-found"],
    )
)
def get_page_file(digest: str, asset: str) -> Response:
    """Return a file of the companion page."""
    if asset not in read_files() or digest != compute_digest():
        raise Problem("not-found")
    kind = MEDIA_TYPES[Path(asset).suffix]
    response = Response(read_served_file(asset), content_type=f"{kind}; charset=utf-8")
    response.headers["Cache-Control"] = CACHE_FOR_A_YEAR
    return response


@blueprint.declare(
    Endpoint(
        "GET",
        "/",
        "getIndex",
        response=(200, IndexSchema),
        media=(JSON, HTML),
        other_responses=[(200, {"type": "string"}, HTML)],
    )
)
def get_index() -> Response:
    """Return the addresses to begin with as data, or the companion page."""
    if prefers_page():
        return shell_response()
    response = json_response(
        {
            "name": "referee",
            "version": referee.__version__,
            "contract_version": VERSION,
            "contract": "/openapi.yaml",
            "docs": "/docs",
            "verifier": "/verify.py",
            "games": {name: f"/v1/games/{name}" for name in load_games()},
            "try": [
                "GET /v1/games",
                "GET /v1/games/{game}/rulebook",
                "GET /v1/games/{game}/positions",
                "POST /v1/games/{game}/rulings",
                "POST /v1/matches",
                "POST /v1/join",
                "POST /v1/players",
                "GET /v1/standings?game={game}",
            ],
        }
    )
    response.vary.add("Accept")
    return response
