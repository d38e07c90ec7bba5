"""Hand the pages to Sphinx: files from all over the repository, and flowcharts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.project import Project
from sphinx.util.docutils import SphinxDirective

from referee.docs.site import diagrams, pages


class RepositoryProject(Project):
    """The pages of the site, each with the file that it is made from."""

    def __init__(self, root: Path, written: Path) -> None:
        super().__init__(root, [".md"])
        self.root, self.written = root, written

    def discover(self, exclude_paths: Iterable[str] = (), include_paths: Iterable[str] = ()) -> set[str]:
        """Find all pages: those in the repository, and the written ones."""
        found = {**pages.find_pages(self.root), **pages.find_written_pages(self.written)}
        self._docname_to_path = {name: Path(os.path.relpath(path, self.root)) for name, path in found.items()}
        # a link to a file that is shown on a page leads there, though the page is made from another file
        shown = {path: name for path, (name, _) in pages.find_shown_files(self.root).items()}
        contract = {self.root / pages.CONTRACT: pages.CONTRACT_PAGE}
        self._path_to_docname = {**{path: name for name, path in found.items()}, **shown, **contract}
        self.docnames = set(found)
        return self.docnames


class Flowchart(SphinxDirective):
    """The directive `mermaid`: a flowchart, drawn when the site is built."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Return the drawing, or a warning, which fails the build."""
        self.env.note_dependency(str(diagrams.__file__))
        try:
            return [nodes.raw("", diagrams.draw("\n".join(self.content)), format="html")]
        except diagrams.DiagramError as wrong:
            return [self.state.document.reporter.warning(str(wrong), line=self.lineno)]


def write_pages(app: Sphinx) -> None:
    """Write the pages that are made from data, and take over which files are pages."""
    root, folder = Path(app.srcdir), Path(app.doctreedir) / "written"
    texts = dict(pages.write_all(root))
    for path in pages.find_written_pages(folder).values():
        if path.relative_to(folder).as_posix() not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:  # else Sphinx would read it again
            path.write_text(text, "utf-8")
    app.project = app.env.project = RepositoryProject(root, folder)


def adapt_page(_app: Sphinx, page: str, source: list[str]) -> None:
    """Give a page what it has on the site alone."""
    source[0] = pages.adapt_text(page, source[0])


def name_language(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Say of a page in which language it is written."""
    context["language"] = pages.find_language(page)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the pages to Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", adapt_page)
    app.connect("html-page-context", name_language)
    app.add_directive("mermaid", Flowchart)
    app.add_lexer("csv", TextLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
