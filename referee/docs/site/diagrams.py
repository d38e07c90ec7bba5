"""Draw the flowcharts of the documentation as SVG.

They are written in the language of Mermaid. Of that it knows what these pages use: boxes, diamonds and stores with
labels, and three kinds of arrows. Rows go down whatever direction the source names, so that a phone shows them as well.
What it does not understand is a warning, which fails the build.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

HEAD = re.compile(r"flowchart (?:LR|TD|TB)$")
NODE = re.compile(r"\s*(\w+)(?:\[\((.+?)\)\]|\[(.+?)\]|\{\{(.+?)\}\})?")
ARROW = re.compile(r"\s*(?:(-->)|-- (.+?) -->|-\. (.+?) \.->)")
LETTER, LINE, PADDING = 7.3, 18, 12  # width of a letter, height of a line, room round a label
ACROSS, DOWN = 22, 24  # room between boxes of a row, and between rows
PULL = 0.35  # how much a box is drawn to its place in a row of which the middle is that of the picture
SWEEPS = 8  # how often the rows are ordered by their neighbours


class DiagramError(ValueError):
    """A flowchart says what this drawing does not know."""


@dataclass
class Box:
    """A box, the label of an arrow, or a bend of an arrow that passes a row."""

    lines: tuple[str, ...] = ()
    kind: str = "bend"
    row: int = 0
    passes: float = 0.0  # the height of the row that a bend passes
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """How wide it is."""
        return max((len(line) * LETTER for line in self.lines), default=0) + 2 * PADDING * bool(self.lines)

    @property
    def height(self) -> float:
        """How high it is."""
        return len(self.lines) * LINE + (2 * PADDING - 8 if self.kind in ("box", "store", "choice") else 0)


@dataclass
class Arrow:
    """An arrow with the boxes that it passes; `is_back` if it goes up."""

    source: str
    target: str
    label: tuple[str, ...] = ()
    is_dotted: bool = False
    is_back: bool = False
    path: list[Box] = field(default_factory=list)


def read_flowchart(text: str) -> tuple[dict[str, Box], list[Arrow]]:
    """Return the boxes and arrows of a flowchart. Raises DiagramError."""
    head, *lines = [line.strip() for line in text.strip().splitlines()]
    if not HEAD.match(head):
        raise DiagramError(f"no flowchart: {head}")
    boxes: dict[str, Box] = {}
    arrows: list[Arrow] = []
    for line in lines:
        at, before, link = 0, "", None
        while at < len(line):
            found = NODE.match(line, at)
            if found is None:
                raise DiagramError(f"no box at {at}: {line}")
            name, at = take_box(found, boxes), found.end()
            if link is not None:
                plain, label, dotted = link.groups()
                arrows.append(
                    Arrow(before, name, split_label(label or dotted or ""), is_dotted=not plain and not label)
                )
            link = ARROW.match(line, at)
            if link is None and line[at:].strip():
                raise DiagramError(f"no arrow at {at}: {line}")
            before, at = name, link.end() if link else len(line)
    return boxes, arrows


def take_box(found: re.Match[str], boxes: dict[str, Box]) -> str:
    """Keep the box that a part of a line names, and return its name."""
    name, store, plain, choice = found.groups()
    label = store or plain or choice
    if label or name not in boxes:
        kind = "store" if store else "choice" if choice else "box"
        boxes[name] = Box(split_label(label or name), kind)
    return name


def split_label(label: str) -> tuple[str, ...]:
    """Return the lines of a label."""
    return tuple(line.strip() for line in label.strip('"').split("<br/>") if line.strip())


def lay_out(boxes: dict[str, Box], arrows: list[Arrow]) -> list[list[Box]]:
    """Give every box its place, and return the rows.

    Boxes take even rows, labels of arrows odd ones.
    """
    mark_back_arrows(boxes, arrows)
    for _ in boxes:
        for arrow in arrows:
            upper, lower = (boxes[name] for name in find_ends(arrow))
            lower.row = max(lower.row, upper.row + 2)
    rows: list[list[Box]] = [[] for _ in range(max(box.row for box in boxes.values()) + 1)]
    for box in boxes.values():
        rows[box.row].append(box)
    for arrow in arrows:
        upper, lower = (boxes[name] for name in find_ends(arrow))
        bends = [Box(row=row) for row in range(upper.row + 1, lower.row)]
        if arrow.label:
            bends[0] = Box(arrow.label, "label", upper.row + 1)
        for bend in bends:
            rows[bend.row].append(bend)
        arrow.path = [upper, *bends, lower]
    order_rows(rows, arrows)
    place_rows(rows, arrows)
    return rows


def find_ends(arrow: Arrow) -> tuple[str, str]:
    """Return the upper and the lower box of an arrow."""
    return (arrow.target, arrow.source) if arrow.is_back else (arrow.source, arrow.target)


def mark_back_arrows(boxes: dict[str, Box], arrows: list[Arrow]) -> None:
    """Mark the arrows that close a circle: they go up."""
    below: dict[str, set[str]] = {name: set() for name in boxes}
    for arrow in arrows:
        seen, open_boxes = set[str](), [arrow.target]
        while open_boxes:
            name = open_boxes.pop()
            seen.add(name)
            open_boxes += below[name] - seen
        arrow.is_back = arrow.source in seen
        upper, lower = find_ends(arrow)
        below[upper].add(lower)


def order_rows(rows: list[list[Box]], arrows: list[Arrow]) -> None:
    """Order each row by its neighbours, so that few arrows cross."""
    steps = [step for arrow in arrows for step in pairwise(arrow.path)]
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            places = {id(box): place for each in rows for place, box in enumerate(each)}
            middles = {}
            for box in row:
                beside = [upper for upper, lower in steps if lower is box] if sweep % 2 == 0 else []
                beside = beside or [lower for upper, lower in steps if upper is box and sweep % 2]
                near = [places[id(each)] / len(rows[each.row]) for each in beside]
                middles[id(box)] = sum(near) / len(near) if near else places[id(box)] / len(row)
            row.sort(key=lambda box: middles[id(box)])


def place_rows(rows: list[list[Box]], arrows: list[Arrow]) -> None:
    """Give the boxes of each row their places."""
    top, home = 0.0, dict[int, float]()
    for row in rows:
        height = max(box.height for box in row)
        at = -(sum(box.width for box in row) + ACROSS * (len(row) - 1)) / 2
        for box in row:
            home[id(box)] = box.x = at + box.width / 2
            box.y, box.passes = top + height / 2, height
            at += box.width + ACROSS
        top += height + DOWN
    beside: dict[int, list[Box]] = {}
    for upper, lower in (step for arrow in arrows for step in pairwise(arrow.path)):
        beside.setdefault(id(upper), []).append(lower)
        beside.setdefault(id(lower), []).append(upper)
    for _ in range(SWEEPS):
        for row in rows:
            middles = [find_middle(beside.get(id(box), [box])) for box in row]
            wanted = [(1 - PULL) * middle + PULL * home[id(box)] for box, middle in zip(row, middles, strict=True)]
            for box, x in zip(row, spread(row, wanted), strict=True):
                box.x = x


def find_middle(boxes: list[Box]) -> float:
    """Return the middle of some boxes."""
    return sum(box.x for box in boxes) / len(boxes)


def spread(row: list[Box], wanted: list[float]) -> list[float]:
    """Return places near the wanted ones at which the boxes of a row do not overlap.

    They are pushed apart to the right and to the left; each gets the middle of both.
    """
    gaps = [(left.width + right.width) / 2 + ACROSS for left, right in pairwise(row)]
    rightwards, leftwards = list(wanted), list(wanted)
    for place, gap in enumerate(gaps):
        rightwards[place + 1] = max(rightwards[place + 1], rightwards[place] + gap)
    for place, gap in reversed(list(enumerate(gaps))):
        leftwards[place] = min(leftwards[place], leftwards[place + 1] - gap)
    return [(right + left) / 2 for right, left in zip(rightwards, leftwards, strict=True)]


def draw(text: str) -> str:
    """Return a flowchart as SVG. Raises DiagramError."""
    boxes, arrows = read_flowchart(text)
    rows = lay_out(boxes, arrows)
    everything = [box for row in rows for box in row]
    left = min(box.x - box.width / 2 for box in everything) - PADDING
    right = max(box.x + box.width / 2 for box in everything) + PADDING
    bottom = max(box.y + box.height / 2 for box in everything) + PADDING
    parts = [draw_arrow(arrow) for arrow in arrows] + [draw_box(box) for box in everything if box.lines]
    size = f'viewBox="{left:.0f} {-PADDING} {right - left:.0f} {bottom + PADDING:.0f}" width="{right - left:.0f}"'
    tip = '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    defined = f'<defs>{tip}<path d="M0,0L8,4L0,8z"/></marker></defs>'
    svg = f'<svg role="img" xmlns="http://www.w3.org/2000/svg" {size}>{defined}{"".join(parts)}</svg>'
    return f'<div class="diagram">{svg}</div>'


def draw_arrow(arrow: Arrow) -> str:
    """Return an arrow as SVG."""
    first, *bends, last = arrow.path
    points = [(first.x, first.y + first.height / 2)]
    for bend in bends:
        points += [(bend.x, bend.y - bend.passes / 2), (bend.x, bend.y + bend.passes / 2)]
    points.append((last.x, last.y - last.height / 2))
    if arrow.is_back:
        points.reverse()
    way = f"M{points[0][0]:.0f},{points[0][1]:.0f}"
    for (x, y), (to_x, to_y) in pairwise(points):
        middle = (y + to_y) / 2
        way += f"C{x:.0f},{middle:.0f} {to_x:.0f},{middle:.0f} {to_x:.0f},{to_y:.0f}"
    dotted = ' class="dotted"' if arrow.is_dotted else ""
    return f'<path{dotted} d="{way}" marker-end="url(#tip)"/>'


def draw_box(box: Box) -> str:
    """Return a box or a label as SVG."""
    x, y = box.x - box.width / 2, box.y - box.height / 2
    round_by = {"box": 4, "store": 16, "choice": 12, "label": 0}[box.kind]
    frame = f'<rect x="{x:.0f}" y="{y:.0f}" width="{box.width:.0f}" height="{box.height:.0f}" rx="{round_by}"/>'
    top = box.y - (len(box.lines) - 1) * LINE / 2
    lines = "".join(
        f'<text x="{box.x:.0f}" y="{top + place * LINE + 5:.0f}">{escape(line)}</text>'
        for place, line in enumerate(box.lines)
    )
    return f'<g class="{box.kind}">{frame}{lines}</g>'
