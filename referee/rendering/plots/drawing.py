"""Draw with pygal, and clean its SVG.

It has no scripts and no random ids, and one style for light, dark and print.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from referee.rendering.html import load_style, sanitize_line

STYLE = Path(__file__).with_name("plots.css")
NOT_XML = re.compile("[\ufffe\uffff]")
LONG_NUMBER = re.compile(r"-?\d+\.\d\d+")
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
NAMESPACES = re.compile(r' xmlns(?::xlink)?="[^"]*"')
COLOR = re.compile(r"\bcolor-(\d+)\b")
MAX_LABEL, LABEL_SHARE = 26, 18  # letters of a name beside a row, and one for so much of the width
FONT_SIZE, TITLE_SIZE = 13, 15
PYGAL_LETTER = 0.6 * FONT_SIZE  # how wide pygal takes any letter to be
WIDE_LETTERS, WIDE, CAPITAL = "MWmw@%…—", 1.7, 1.15
MARGIN = 6
NOWHERE = float("-inf")  # the place of a mark that a plot has not


@dataclass(frozen=True)
class Caption:
    """What a plot says of itself.

    `description` says in words what it shows, for readers who cannot see it. `across` and `up` name the axes with
    their units. Where the text around a plot has its title already, `is_titled` is False: then it is not drawn.
    """

    title: str
    description: str = ""
    across: str = ""
    up: str = ""
    width: int = 640
    is_titled: bool = True

    @property
    def heading_height(self) -> int:
        """How much of the picture the title and the name of the axis below take."""
        return 30 * self.is_titled + 30 * bool(self.across)


@dataclass(frozen=True)
class Series:
    """What is drawn in one colour.

    `kind` is its class in the style, `title` its line in the legend.
    """

    kind: str
    values: Sequence[Any]
    title: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Plot:
    """A drawn plot; `svg` is without its style and its namespace, as HTML takes it.

    `description` says in words what it shows.
    """

    svg: str
    description: str

    def embed(self) -> Markup:
        """Return the plot for a page that has the style itself (`STYLE`)."""
        return Markup(self.svg)  # noqa: S704  (an XML library wrote it and escaped every text)

    def to_file(self) -> str:
        """Return the plot as a file of its own, which carries its style."""
        head, end, rest = self.svg.partition(">")
        return f'{head} xmlns="{SVG_NAMESPACE}"{end}<style>{load_style(STYLE)}</style>{rest}\n'


def clean_text(text: str) -> str:
    """Return a text of people as a picture can hold it."""
    return NOT_XML.sub("\ufffd", sanitize_line(text))


def shorten(text: str, width: int) -> str:
    """Return a name short enough to stand beside a row of a picture."""
    text, most = clean_text(text), min(MAX_LABEL, width // LABEL_SHARE)
    if measure_letters(text) <= most:
        return text
    while measure_letters(text) > most - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def measure_letters(text: str) -> float:
    """Return as how many usual letters a text is wide."""
    return sum(measure_letter(each) for each in text)


def measure_letter(letter: str) -> float:
    """Return as how many usual letters one is wide."""
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in ("W", "F") or letter in WIDE_LETTERS:
        return WIDE
    return CAPITAL if letter.isupper() else 1.0


def draw(
    chart: str, caption: Caption, height: int, series: Sequence[Series], named_axis: str, options: Mapping[str, Any]
) -> Plot:
    """Return a chart of a kind that pygal knows.

    `named_axis` (x or y) is the one with names instead of numbers.
    """
    import pygal  # it takes a quarter of a second, and few commands draw
    from pygal.style import Style

    parts = ("label", "major_label", "legend", "value", "value_label", "no_data")
    style = Style(**{f"{part}_font_size": FONT_SIZE for part in parts}, title_font_size=TITLE_SIZE)
    fixed = {"js": (), "css": (), "no_prefix": True, "classes": ("plot-picture",), "margin": MARGIN, "spacing": 8}
    titles = {"title": clean_text(caption.title) if caption.is_titled else None, "x_title": caption.across or None}
    drawn = getattr(pygal, chart)(
        width=caption.width, height=height + caption.heading_height, style=style, explicit_size=True,
        y_title=caption.up or None, truncate_label=-1, truncate_legend=-1, **fixed, **titles, **options,
    )  # fmt: skip
    for each in series:
        drawn.add(each.title, each.values, **each.options)
    return Plot(
        clean_svg(drawn.render_tree(), caption, [each.kind for each in series], named_axis), caption.description
    )


def find_left_margin(labels: Sequence[str]) -> int:
    """Return the margin beside names.

    It is wider by what they need beyond the room that pygal gives to their letters.
    """
    needed = max((measure_letters(each) for each in labels), default=0)
    return MARGIN + math.ceil(PYGAL_LETTER * max(0.0, needed - max(map(len, labels), default=0)))


def clean_svg(root: Any, caption: Caption, kinds: Sequence[str], named_axis: str) -> str:
    """Return pygal's tree as text with our classes and without scripts."""
    from pygal.etree import etree

    for each in list(root.iter()):
        if is_dropped(each):
            each.getparent().remove(each)
    for each in root.iter():
        each.attrib.pop("id", None)
        for name, value in each.attrib.items():
            each.set(name, LONG_NUMBER.sub(lambda found: f"{float(found[0]):.1f}", value))
        if classes := each.get("class"):
            each.set("class", COLOR.sub(lambda found: kinds[int(found[1])], classes))
        if f"axis {named_axis}" in (classes or ""):
            each.set("class", f"{classes} named")
        if each.tag == "text" and "label" in (classes or "").split():
            place_label(each, caption.width)
    root.set("role", "img")
    title, description = etree.Element("title"), etree.Element("desc")
    title.text, description.text = clean_text(caption.title), clean_text(caption.description)
    root.insert(0, title)
    if caption.description:
        root.insert(1, description)
    return NAMESPACES.sub("", etree.tostring(root, encoding="unicode"), count=2)  # those of the root


def is_dropped(node: Any) -> bool:
    """Return whether a node serves a script or repeats what is drawn.

    Those are comments, styles, texts for tooltips and their places.
    """
    if not isinstance(node.tag, str) or node.tag in ("defs", "desc"):
        return True
    if node.tag == "title":  # the picture gets its own; those of axes repeat the label
        return node.getparent().getparent() is None or "guides" in node.getparent().get("class", "")
    return "tooltip-overlay" in node.get("class", "")


def place_label(text: Any, width: int) -> None:
    """Move the label of a point beside it, to the left in the right part."""
    x, y = float(text.get("x")), float(text.get("y"))
    is_right = x > 0.45 * width
    text.set("y", f"{y - FONT_SIZE:.1f}")
    text.set("x", f"{x - 1.7 * FONT_SIZE if is_right else x - 0.3 * FONT_SIZE:.1f}")
    text.set("class", "label ends" if is_right else "label")
