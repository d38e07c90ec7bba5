"""Say which files are pages of the site, and which pages are written from data.

The address of a page does not depend on the folder of its file. Links between files work as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from referee.docs.site import figures, reference, rulebooks

# where a file appears on the site; the first pattern that fits gives the page's name
PLACES = (
    ("referee/docs/site/index.md", "index"),
    ("README.md", "first-steps"),
    ("CONTRIBUTING.md", "contributing"),
    ("SECURITY.md", "security"),
    ("CHANGELOG.md", "changelog"),
    ("tests/DEEP.md", "deep-tests"),
    ("tests/bench/peers/README.md", "other-programs"),
    ("referee/docs/*.md", "{name}"),
    ("referee/docs/decisions/README.md", "decisions/index"),
    ("referee/docs/decisions/*.md", "decisions/{name}"),
    ("referee/cardscript/README.md", "cards/language"),
    ("referee/cardscript/GUIDE.md", "cards/guide"),
    ("referee/cardscript/guides/*.md", "cards/{name}"),
    ("referee/games/*/README.md", "games/{folder}"),
    ("referee/position_rulings/README.md", "position-rulings"),
)
# files that are shown on a page of their own, so that a link to them leads there
SHOWN = (
    ("referee/docs/examples/*.py", "python"),
    ("referee/docs/clients/*.py", "python"),
    ("referee/docs/clients/*.ts", "ts"),
)
CONTRACT, CONTRACT_PAGE = "openapi.yaml", "reference/index"
TITLES = {"first-steps": "First steps"}  # of pages whose file is called otherwise by its heading
# pages that the sidebar leaves out, because they are many, and the page that leads to them
LED_TO = (
    (re.compile("decisions/[0-9]"), "[All decisions](README.md)"),
    (re.compile("reference/types-"), "[API reference](index.md)"),
)


def find_pages(root: Path) -> dict[str, Path]:
    """Return the files of the repository that are pages, by the page's name."""
    found: dict[str, Path] = {}
    for pattern, name in PLACES:
        for path in sorted(root.glob(pattern)):
            if path not in found.values():
                found[name.format(name=name_page(path.stem), folder=name_page(path.parent.name))] = path
    return found


def find_shown_files(root: Path) -> dict[Path, tuple[str, str]]:
    """Return the files that a page shows, with its name and the language."""
    return {
        path: (f"{path.parent.name}/{name_page(path.stem)}-{path.suffix[1:]}", language)
        for pattern, language in SHOWN
        for path in sorted(root.glob(pattern))
    }


def name_page(name: str) -> str:
    """Return what a file or folder is called in an address."""
    return name.lower().replace("_", "-")


def find_written_pages(folder: Path) -> dict[str, Path]:
    """Return the files that were written from data, by the page's name."""
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.md"))}


def write_all(root: Path) -> Iterator[tuple[str, str]]:
    """Yield every page that is written from data, as its file's name and its text."""
    yield from rulebooks.write_pages()
    yield from figures.write_pages(root)
    yield from reference.write_pages(root / CONTRACT)
    for path, (name, language) in find_shown_files(root).items():
        yield f"{name}.md", render_file(path.relative_to(root), language)


def render_file(path: Path, language: str) -> str:
    """Return a page that shows a file, and gives it to save."""
    saved = f"`{path}` ({{download}}`save it </{path}>`). How to use it: {{doc}}`/ten-calls`, {{doc}}`/api`."
    fence = f"```{{literalinclude}} /{path}\n:language: {language}\n```"
    return f"---\norphan: true\n---\n# {path.name}\n\n{saved}\n\n{fence}\n"


def adapt_text(page: str, text: str) -> str:
    """Return the text of a page as the site has it.

    Some pages have another title there, and some a link to the list that they belong to.
    """
    if page in TITLES:
        text = re.sub(r"^# .*", f"# {TITLES[page]}", text, count=1)
    for pattern, link in LED_TO:
        if pattern.match(page):
            text = f"---\norphan: true\n---\n{link}\n\n{text}"
    return text


def find_language(page: str) -> str:
    """Return the language that a page is written in."""
    return "de" if page.startswith("rulebooks/de/") else "en"
