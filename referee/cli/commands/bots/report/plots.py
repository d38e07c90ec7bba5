"""Plots as SVG, to stand in a page whose style gives them their colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from referee.bots.tournaments.statistics import Share
from referee.rendering.html import sanitize_line

WIDTH = 600
ROW, LABELS, NOTES = 26, 120, 110  # the height of a row, and the width left and right of a plot of intervals


@dataclass(frozen=True)
class Whisker:
    """A value with its interval, in a row of a plot."""

    label: str
    value: float
    low: float
    high: float
    note: str = ""


@dataclass(frozen=True)
class Dot:
    """A point of a scatter plot. `shown`: its label is written beside it."""

    label: str
    x: float
    y: float
    kind: str = "ordinary"
    shown: bool = False


Tick = Callable[[float], str]


def wrap(title: str, width: int, height: int, parts: Sequence[str]) -> Markup:
    """Return an SVG picture that grows no wider than it is."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    kind = ' class="full"' if width == WIDTH else ""
    return as_markup(f'<svg role="img"{kind} {size}>{name_shape(title)}{"".join(parts)}</svg>')


def as_markup(picture: str) -> Markup:
    """Return a picture as the page takes it.

    Every text in it was escaped when it was written.
    """
    return Markup(picture)  # noqa: S704


def name_shape(text: str) -> str:
    """Return the title of a shape, for readers who point at it or cannot see it."""
    return f"<title>{escape(sanitize_line(text))}</title>"


def write(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    """Return a text of a picture."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(sanitize_line(text))}</text>'


def draw_line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a line of a picture."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def plot_whiskers(
    title: str, rows: Sequence[Whisker], ticks: Sequence[float], tick: Tick, mark: float | None = None
) -> Markup:
    """Return a row for each value with its interval.

    `mark` is a line across all of them.
    """
    left, right = LABELS, WIDTH - NOTES
    first, last = ticks[0], ticks[-1]

    def place(value: float) -> float:
        return left + (right - left) * (min(max(value, first), last) - first) / (last - first)

    bottom = ROW * len(rows) + 8
    parts = [draw_line(place(at), 4, place(at), bottom, "grid") for at in ticks]
    parts += [write(place(at), bottom + 16, tick(at), "quiet", "middle") for at in ticks]
    if mark is not None:
        parts.append(draw_line(place(mark), 2, place(mark), bottom, "mark"))
    for at, row in enumerate(rows):
        y = ROW * at + ROW / 2 + 4
        parts += [
            write(left - 10, y + 4, row.label, "", "end"),
            draw_line(place(row.low), y, place(row.high), y, "whisker"),
            f'<circle cx="{place(row.value):.1f}" cy="{y:.1f}" r="5" class="dot"/>',
            write(right + 10, y + 4, row.note, "quiet"),
        ]
    return wrap(title, WIDTH, bottom + 24, parts)


def plot_matrix(title: str, names: Mapping[str, str], duels: Mapping[tuple[str, str], Share], tick: Tick) -> Markup:
    """Return a field for each pair of minds: how often that of the row was better.

    `names`: what each mind is called.
    """
    side, high, top = min(96, (WIDTH - LABELS) // max(1, len(names))), 46, 26
    parts = [
        write(LABELS + side * at + side / 2, top - 8, name, "", "middle") for at, name in enumerate(names.values())
    ]
    for down, one in enumerate(names):
        y = top + high * down
        parts.append(write(LABELS - 10, y + high / 2 + 4, names[one], "", "end"))
        for across, other in enumerate(names):
            share, x = duels.get((one, other), Share()), LABELS + side * across
            kind, strength = ("good" if share.value >= 0.5 else "bad"), abs(share.value - 0.5) if share.of else 0.0
            frame = f'x="{x + 1}" y="{y + 1}" width="{side - 2}" height="{high - 2}" rx="3"'
            parts.append(f'<rect {frame} class="field"/>')
            if share.of:
                parts.append(f'<rect {frame} class="{kind}" opacity="{0.08 + 0.8 * strength:.2f}"/>')
                parts.append(write(x + side / 2, y + 20, tick(share.value), "strong", "middle"))
                parts.append(write(x + side / 2, y + 36, f"{share.won:.0f} / {share.of}", "small", "middle"))
    return wrap(title, LABELS + side * len(names), top + high * len(names) + 4, parts)


def choose_step(most: float, steps: int) -> int:
    """Return a round step of which `steps` reach `most`.

    It is 1, 2 or 5 times a power of ten.
    """
    size = 1
    while True:
        for factor in (1, 2, 5):
            if size * factor * steps >= most:
                return size * factor
        size *= 10


def plot_histogram(title: str, values: Sequence[int], bins: int = 24) -> Markup:
    """Return how often values lie in each of some equal ranges."""
    step = choose_step(max(values, default=1) + 1, bins)
    counts = [0] * (max(values, default=0) // step + 1)
    for value in values:
        counts[value // step] += 1
    left, top, bottom, most = 40, 10, 170, max(counts)
    wide = (WIDTH - left - 20) / len(counts)
    across = choose_step(len(counts) * step, 8)
    up = choose_step(most, 4)
    parts = []
    for level in range(0, most + 1, up):
        y = bottom - (bottom - top) * level / most
        parts += [draw_line(left, y, WIDTH - 20, y, "grid"), write(left - 8, y + 4, str(level), "quiet", "end")]
    for at, count in enumerate(counts):
        high = (bottom - top) * count / most
        parts.append(
            f'<rect x="{left + wide * at + 1:.1f}" y="{bottom - high:.1f}" width="{max(1.0, wide - 2):.1f}" '
            f'height="{high:.1f}" class="bar">{name_shape(f"{step * at}–{step * (at + 1) - 1}: {count}")}</rect>'
        )
    parts += [
        write(left + wide * value / step, bottom + 18, str(value), "quiet", "middle")
        for value in range(0, len(counts) * step + 1, max(across, step))
    ]
    return wrap(title, WIDTH, bottom + 26, parts)


def plot_scatter(
    title: str, dots: Sequence[Dot], labels: tuple[str, str], averages: tuple[float, float], tick: Tick
) -> Markup:
    """Return a point for each pair of shares; lines mark the averages."""
    left, right, top, bottom = 80, WIDTH - 20, 12, 330

    def across(value: float) -> float:
        return left + (right - left) * value

    def down(value: float) -> float:
        return bottom - (bottom - top) * value

    parts = []
    for at in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts += [
            draw_line(across(at), top, across(at), bottom, "grid"),
            draw_line(left, down(at), right, down(at), "grid"),
            write(across(at), bottom + 18, tick(at), "quiet", "middle"),
            write(left - 8, down(at) + 4, tick(at), "quiet", "end"),
        ]
    parts += [
        draw_line(across(averages[0]), top, across(averages[0]), bottom, "mark"),
        draw_line(left, down(averages[1]), right, down(averages[1]), "mark"),
        write((left + right) / 2, bottom + 38, labels[0], "", "middle"),
        f'<g transform="translate(14 {(top + bottom) / 2}) rotate(-90)">{write(0, 0, labels[1], "", "middle")}</g>',
    ]
    for dot in sorted(dots, key=lambda each: each.shown):
        x, y = across(dot.x), down(dot.y)
        place = f'cx="{x:.1f}" cy="{y:.1f}" r="4.5"'
        parts.append(f'<circle {place} class="dot {dot.kind}">{name_shape(dot.label)}</circle>')
        if dot.shown:
            end = x > (left + right) / 2
            parts.append(write(x - 8 if end else x + 8, y + 4, dot.label, "", "end" if end else "start"))
    return wrap(title, WIDTH, bottom + 46, parts)


def draw_interval(value: float, interval: tuple[float, float], mark: float, kind: str) -> Markup:
    """Return a small interval between 0 and 1 for a row of a table."""
    wide, middle = 120, 9
    low, high = interval
    parts = [
        draw_line(0, middle, wide, middle, "grid"),
        draw_line(wide * mark, 1, wide * mark, 17, "mark"),
        draw_line(wide * low, middle, wide * high, middle, f"whisker {kind}"),
        f'<circle cx="{wide * value:.1f}" cy="{middle}" r="3.5" class="dot {kind}"/>',
    ]
    size = f'viewBox="-4 0 {wide + 8} 18" width="{wide + 8}" height="18"'
    return as_markup(f'<svg aria-hidden="true" {size}>{"".join(parts)}</svg>')
