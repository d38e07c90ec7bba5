"""Write the page of figures: which clauses are tested, and what a request costs.

Both are drawn from the records in the repository when the site is built.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from html import escape
from pathlib import Path

from referee.docs.site.rulebooks import collect_books
from referee.rendering.plots import figures
from referee.rendering.plots.drawing import Plot

COVERAGE, COSTS = "referee/coverage.json", "tests/bench/gate.json"  # the records
PAGE = """# Figures

These pictures are drawn from the records in the repository when this site is built. With `--plot` the two commands
below draw their own.

## Which clauses are tested

{coverage}

A clause is tested if a test names it. It is named if a ruling, an event or an error did so while the tests ran; some
the program cannot but keep, and some only the players can see to. `referee rules coverage` lists what is missing, and
`referee rules coverage --plot coverage.svg` draws this picture ([Contributing](/CONTRIBUTING.md)).

## What a request costs

{costs}

CPU of the server for a move, for a seat's situation after it, and for an answer "nothing is new" (304). A turn is one
turn of a loop that is timed in the same run, so that the machine does not matter much. `python -m tests.bench.gate`
fails if a request costs more than 1.7 times what is on record, and `--plot costs.svg` draws what it measured beside
that ([Operations](/referee/docs/OPERATIONS.md)).
"""


def write_pages(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the page of figures, as file name and text."""
    costs = json.loads((root / COSTS).read_text("utf-8"))
    pictures = {"coverage": draw_coverage(root), "costs": figures.plot_recorded_costs(costs, "en")}
    yield "figures.md", PAGE.format(**{name: show_plot(plot) for name, plot in pictures.items()})


def draw_coverage(root: Path) -> Plot:
    """Return how many clauses of each rulebook are tested, by the committed record."""
    record = json.loads((root / COVERAGE).read_text("utf-8"))
    counts = [
        figures.count_clauses(title["en"], book.clauses, record["clauses"], record["silent"])
        for title, book in collect_books().values()
    ]
    return figures.plot_coverage(counts, "en")


def show_plot(plot: Plot) -> str:
    """Return a plot as a picture of a page.

    As a picture of its own it keeps its style, and takes the colours of the page, light or dark.
    """
    encoded = base64.b64encode(plot.to_file().encode()).decode()
    picture = f'<img alt="{escape(plot.description)}" src="data:image/svg+xml;base64,{encoded}">'
    return f'<figure class="plot">{picture}</figure>'
