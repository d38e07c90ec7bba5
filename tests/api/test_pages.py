"""Pages to read: the contract and the problems; none of them leads a browser to another host."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask

from api.http.problems import PROBLEMS
from api.pages import companion
from api.pages.pages import PAGE_FILES, SWAGGER
from api.pages.shrinking import shrink_script
from tests.api import house
from tests.api.house import Person, problem

HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
LOADS = {"src", "href", "action", "formaction", "data", "poster", "srcset", "manifest", "ping", "background"}
VENDORED = {  # SHA-256 of the files as their authors published them
    "swagger-ui-bundle.js": "e6a898692f2d768e807c3ba4626068a69a2c5dd960dd6c76f3e4d3a3de180af2",
    "swagger-ui.css": "5ed08757e53da3e026d6cbecc61fe5d43585c9560b302d534ad56692519a273d",
}

VENDORED_FOR_THE_PAGE = {
    "preact_htm/standalone.module.js": "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7",
    "noble/_md.js": "60cf3010fda89e3e4d3f0e7ff1ce249e9c467f34b4fd41b6fd6101d9f69be763",
    "noble/_u64.js": "b09da8c07fe8187c07649494cdb7cd0bcf13df90b506a9473d19e4d5f8c2e102",
    "noble/hmac.js": "fec9f8f3aeda785ea2de91cc4c059d54ef98196261c026c43f48341007ae52c9",
    "noble/noble-ed25519.js": "a4f631d1876b5d9e43a86cd71194ca27b5e1451edf4ba4db9a418f40a475569a",
    "noble/sha2.js": "471746bba6ec4c6238ca41358d1d3b40b6ff31cf3363f0b4d550c649c1a8e83b",
    "noble/utils.js": "037ad49adb78168b6b699598fd33f85f7877456b1d28b4d032e2a1a16807947c",
}


class Asked(HTMLParser):
    """What a page has a browser load, and what it holds that the policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inline: list[str] = []
        self._within = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in LOADS]
        self.inline += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self._within = tag

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within in ("script", "style") and data.strip():
            self.inline.append(self._within)


@pytest.fixture
def anyone(app: Flask) -> Person:
    return Person(app.test_client())


def test_the_contract_is_shown_by_files_of_this_server_alone(anyone: Person) -> None:
    answer = anyone.get("/docs", Accept=HTML)
    assert answer.status_code == 200
    assert answer.content_type == "text/html; charset=utf-8"
    page = Asked()
    page.feed(answer.text)
    assert not page.inline
    assert {"/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/docs.js", "/openapi.yaml"} <= set(page.found)
    for path in page.found:
        assert re.fullmatch(r"/[^/].*", path), path
        assert anyone.get(path).status_code == 200, path
    assert "'unsafe" not in answer.headers["Content-Security-Policy"]
    assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]


def test_what_this_project_says_in_its_pages_names_no_other_host(anyone: Person) -> None:
    for path in ("/docs", "/docs/docs.js", "/docs/page.css", *(f"/problems/{slug}" for slug in PROBLEMS)):
        text = anyone.get(path, Accept="text/html, */*;q=0.5").text
        assert not re.search(r"(?:https?:)?//\w", re.sub(r"^//.*$", "", text, flags=re.MULTILINE)), path
    script = anyone.get("/docs/docs.js").text
    assert "validatorUrl: null" in script, "else the contract is sent to a validator elsewhere"
    assert "persistAuthorization: false" in script


def test_style_sheets_load_nothing_from_elsewhere(anyone: Person) -> None:
    for name in ("swagger-ui.css", "page.css"):
        css = anyone.get(f"/docs/{name}").text
        assert "@import" not in css
        assert all(url.startswith("data:") for url in re.findall(r"""url\(["']?([^)"']{1,12})""", css))


@pytest.mark.parametrize("name", PAGE_FILES)
def test_each_file_comes_with_its_type_and_may_be_kept(anyone: Person, name: str) -> None:
    answer = anyone.get(f"/docs/{name}")
    assert answer.status_code == 200
    assert answer.mimetype == PAGE_FILES[name][1]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "public, max-age=86400"
    assert answer.data == (PAGE_FILES[name][0] / name).read_bytes()


def test_what_is_vendored_is_what_its_authors_published_and_bears_its_licence(anyone: Person) -> None:
    for name, digest in VENDORED.items():
        assert hashlib.sha256((SWAGGER / name).read_bytes()).hexdigest() == digest, name
    assert "Apache License" in anyone.get("/docs/LICENSE").text
    assert "swagger-ui" in anyone.get("/docs/NOTICE").text


def test_the_page_is_made_of_its_files_under_the_name_of_their_content(anyone: Person) -> None:
    for name, digest in VENDORED_FOR_THE_PAGE.items():
        assert hashlib.sha256((SWAGGER.parent / name).read_bytes()).hexdigest() == digest, name
    base = f"/app/{companion.compute_digest()}"
    for name, content in companion.read_files().items():
        answer = anyone.get(f"{base}/{name}")
        assert answer.data == (shrink_script(content) if name.endswith(".js") else content), name
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for wrong in (f"{base}/nothing.js", "/app/0123456789abcdef/main.js", f"{base}/index.html", f"{base}/../pages.py"):
        problem(anyone.get(wrong), 404, "not-found")
    shell = anyone.get("/play", Accept=HTML)
    page = Asked()
    page.feed(shell.text)
    assert not page.inline
    assert page.found
    assert all(path.startswith(f"{base}/") and anyone.get(path).status_code == 200 for path in page.found)
    assert anyone.get("/nothing", Accept=HTML).status_code == 404


@pytest.mark.parametrize(("lang", "title"), [("de", "Partie nachprüfen"), ("en", "Check a match")])
def test_the_proof_is_handed_out_as_one_file_that_needs_no_other(anyone: Person, lang: str, title: str) -> None:
    answer = anyone.get(f"/verify.html?lang={lang}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="referee-verify.html"'
    assert f"<title>{title}</title>" in answer.text
    assert not re.search(r"""(?:src|href)=|@import|url\(""", answer.text.partition("<body>")[0])
    imports = json.loads(answer.text.partition('<script type="importmap">')[2].partition("</script>")[0])["imports"]
    modules = {name: base64.b64decode(url.partition("base64,")[2]).decode() for name, url in imports.items()}
    assert {"scenes/verify/checks.js", "vendor/noble-ed25519.js", "vendor/_u64.js"} <= set(modules)
    for name, text in modules.items():
        asked = set(re.findall(r"""^(?:import|export|[} ])[^\n*]*\bfrom ["']([^"']+)["'];$""", text, re.MULTILINE))
        assert asked <= set(modules), (name, asked)
    policy = answer.text.partition('Content-Security-Policy" content="')[2].partition('">')[0]
    assert "connect-src" not in policy  # so `default-src 'none'` holds for it
    assert policy.startswith("default-src 'none';")
    for licence in ("Preact", "noble"):
        assert licence.lower() in answer.text.partition("<!--")[2].lower()


def test_no_other_file_is_handed_out(anyone: Person) -> None:
    for name in ("docs.html", "problem.html", "texts.yaml", "..", "page.css.map", "README.md", "docs.py"):
        problem(anyone.get(f"/docs/{name}"), 404, "not-found")
    for path in ("/docs/../api/problems.yaml", "/docs/%2e%2e/problems.yaml", "/docs/vendor/README.md"):
        assert anyone.get(path).status_code == 404


def test_every_problem_is_a_page_in_both_languages(anyone: Person) -> None:
    for slug, about in PROBLEMS.items():
        for lang in ("en", "de"):
            answer = anyone.get(f"/problems/{slug}", Accept=HTML, Accept_Language=lang)
            assert answer.content_type == "text/html; charset=utf-8"
            assert answer.headers["Content-Language"] == lang
            assert {"Accept", "Accept-Language"} <= set(answer.vary)
            page = Asked()
            page.feed(answer.text)
            assert not page.inline
            assert "{" not in answer.text, "a place that only the problem itself can fill"
            assert page.found == ["/docs/favicon-32x32.png", "/docs/page.css", "/"]
            assert f'<html lang="{lang}">' in answer.text
            assert about["title"][lang].replace("&", "&amp;") in answer.text
        plain: Any = anyone.get(f"/problems/{slug}").json
        assert plain["cure"] == about["cure"]
    problem(anyone.get("/problems/no-such-thing", Accept="text/html, application/problem+json"), 404, "unknown-problem")


def test_a_browser_at_an_unknown_address_gets_the_page_and_a_program_the_problem(anyone: Person) -> None:
    page = anyone.get("/jion", Accept=HTML, Accept_Language="de")
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert page.text == companion.render_shell("de", False)
    assert {"Accept", "Accept-Language"} <= set(page.vary)
    for accepted in ("*/*", "application/json", "application/problem+json"):
        answer = anyone.get("/jion", Accept=accepted)
        problem(answer, 404, "not-found")
        assert "Accept" in answer.vary
    problem(anyone.post("/jion", {}, Accept=HTML), 404, "not-found")


def test_the_contract_comes_as_yaml_and_as_json(anyone: Person) -> None:
    assert anyone.get("/openapi.json").json["openapi"] == "3.1.0"  # type: ignore[index]
    assert anyone.get("/openapi.yaml").mimetype == "application/yaml"
    assert anyone.get("/").json["docs"] == "/docs"  # type: ignore[index]


def test_a_room_of_phones_loads_the_page_at_one_address() -> None:
    anyone = Person(house.app(RATES={**house.FREE, "reads": 12}).test_client())
    page = anyone.get("/play", Accept=HTML).text
    files = re.findall(r'(?:src|href)="(/app/[^"]+)"', page)
    assert len(files) > 3
    assert {anyone.get(path).status_code for _ in range(5) for path in ("/play", *files)} == {200}
    assert [anyone.get("/v1/games").status_code for _ in range(13)] == [200] * 12 + [429]
