"""The shapes of plots: intervals, columns, stacked bars, points."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from referee.rendering.plots.drawing import (
    NOWHERE,
    Caption,
    Plot,
    Series,
    clean_text,
    draw,
    find_left_margin,
    measure_letters,
    shorten,
)

ROW, LOW_ROW, MANY_ROWS = 26, 19, 30  # the height of a row, and of each of many
LINE = 21  # the height of a line of the legend
NUMBER = 42  # how much room the number of a mark needs beside others
LETTER = 8  # how wide a letter may be
Tick = Callable[[float], str]


@dataclass(frozen=True)
class Interval:
    """A value with its interval, in a row of a plot.

    `note` says it in words, `kind` is its class in the style.
    """

    label: str
    value: float
    low: float
    high: float
    note: str = ""
    kind: str = "value"


@dataclass(frozen=True)
class Point:
    """A point of a scatter plot. `is_named`: its label is written beside it."""

    label: str
    x: float
    y: float
    is_named: bool = False


def list_ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from below `low` to above `high`, at most some.

    Their distance is 1, 2 or 5 times a power of ten.
    """
    size = 10.0 ** math.floor(math.log10(max(high - low, 1e-9) / most))
    for factor in (1, 2, 5, 10, 20):
        step = size * factor
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first <= most:
            break
    return [round(step * at, 9) for at in range(first, max(last, first + 1) + 1)]


def plot_intervals(
    caption: Caption, rows: Sequence[Interval], ticks: Sequence[float], tick: Tick, mark: float | None = None
) -> Plot:
    """Return a row for each value with its interval.

    `mark` is a line across all of them.
    """
    first, last, height = ticks[0], ticks[-1], LOW_ROW if len(rows) > MANY_ROWS else ROW
    placed = list(zip(range(len(rows), 0, -1), rows, strict=True))  # from the top
    series = []
    for kind in dict.fromkeys(row.kind for row in rows):
        lines: list[tuple[float, float] | None] = []
        values = []
        for y, row in placed:
            if row.kind == kind:
                lines += [(max(row.low, first), y), (min(row.high, last), y), None]
                said = clean_text(f"{row.label}: {row.note or tick(row.value)}")
                values.append({"value": (row.value, y), "tooltip": said})
        series += [
            Series(f"{kind} interval", lines, options={"show_dots": False, "allow_interruptions": True}),
            Series(kind, values, options={"stroke": False, "dots_size": 5 if height == ROW else 4}),
        ]
    labels = {y: shorten(row.label, caption.width) for y, row in placed}
    across = (
        caption.width - LETTER * max(map(measure_letters, labels.values())) - 50
    )  # what is left for the plot itself
    near = NUMBER * (len(ticks) - 1) / across
    return draw(
        "XY",
        caption,
        height * len(rows) + 44,
        series,
        "y",
        {
            "show_legend": False,
            "margin_left": find_left_margin(list(labels.values())),
            "margin_right": 20,
            "show_x_guides": True,
            "range": (0.5, len(rows) + 0.5),
            "xrange": (first, last),
            "x_labels": list_places(ticks, tick, mark, near),
            "x_labels_major": [NOWHERE if mark is None else mark],
            "x_value_formatter": tick,
            "y_labels": [{"value": y, "label": label} for y, label in labels.items()],
            "y_labels_major": [NOWHERE],
        },
    )


def list_places(ticks: Sequence[float], tick: Tick, mark: float | None, near: float) -> list[dict[str, float | str]]:
    """Return the labels of an axis with a mark.

    Numbers are left out that would touch that of the mark: those `near` it, in steps of the axis.
    """
    if mark is None:
        return [{"value": at, "label": tick(at)} for at in ticks]
    far = [at for at in ticks if abs(at - mark) > near * (ticks[1] - ticks[0])]
    return [{"value": at, "label": tick(at)} for at in sorted({*far, mark})]


def plot_nothing(caption: Caption, sentence: str) -> Plot:
    """Return a picture that says in a sentence why there is nothing to see."""
    said = Caption(caption.title, sentence, width=caption.width, is_titled=caption.is_titled)
    options = {"show_legend": False, "show_y_labels": False, "no_data_text": sentence}
    return draw("Bar", said, 60, [Series("value", [])], "none", options)


def plot_columns(
    caption: Caption, columns: Mapping[str, float], tick: Tick, mark: float | None = None, height: int = 190
) -> Plot:
    """Return a column for each name; `mark` is a line across all of them.

    Of many names only some are written.
    """
    names = list(columns)
    written = max(1, math.ceil(sum(len(name) + 2 for name in names) * LETTER / (caption.width - 60)))
    ticks = list_ticks(0, max(*columns.values(), mark or 0, 5), 5)
    values = [{"value": count, "tooltip": clean_text(f"{name}: {tick(count)}")} for name, count in columns.items()]
    return draw(
        "Bar",
        caption,
        height,
        [Series("value", values)],
        "x",
        {
            "show_legend": False,
            "x_labels": names,
            "x_labels_major": names[::written],
            "show_minor_x_labels": False,
            "y_labels": list_places(ticks, tick, mark, 0.3),
            "y_labels_major": [NOWHERE if mark is None else mark],
            "range": (0, ticks[-1]),
        },
    )


def plot_stacks(caption: Caption, names: Sequence[str], parts: Mapping[str, tuple[str, Sequence[int]]]) -> Plot:
    """Return a bar for each name, made of the counts of its parts.

    `parts`: their titles in the legend and their counts, by their classes in the style. Empty ones are left out.
    """
    parts = {kind: part for kind, part in parts.items() if any(part[1])}
    sums = [sum(counts) for counts in zip(*(counts for _, counts in parts.values()), strict=True)]
    ticks = list_ticks(0, max(sums, default=1), 8)
    return draw(
        "HorizontalStackedBar",
        caption,
        (ROW + 4) * len(names) + LINE * len(parts) + 56,
        [
            Series(
                kind,
                [
                    {"value": count or None, "tooltip": clean_text(f"{name}: {count} {title}")}
                    for name, count in zip(reversed(names), reversed(counts), strict=True)
                ],
                title,
            )
            for kind, (title, counts) in parts.items()
        ],
        "y",
        {
            "legend_at_bottom": True,
            "legend_at_bottom_columns": 1,
            "margin_bottom": 16,
            "show_x_guides": True,
            "show_y_guides": False,
            "margin_left": find_left_margin([shorten(name, caption.width) for name in names]),
            "x_labels": [shorten(name, caption.width) for name in reversed(names)],
            "y_labels": [{"value": at, "label": f"{at:.0f}"} for at in ticks],
            "y_labels_major": [NOWHERE],
        },
    )


def plot_points(
    caption: Caption, kinds: Mapping[str, Sequence[Point]], averages: tuple[float, float], tick: Tick
) -> Plot:
    """Return a point for each pair of shares, coloured by its kind.

    Lines mark the averages.
    """
    shares = [0.0, 0.25, 0.5, 0.75, 1.0]
    return draw(
        "XY",
        caption,
        340,
        [
            Series(
                kind,
                [
                    {"value": (each.x, each.y), "tooltip": clean_text(each.label)}
                    | ({"label": shorten(each.label, caption.width)} if each.is_named else {})
                    for each in points
                ],
                options={"stroke": False, "dots_size": 4.5},
            )
            for kind, points in kinds.items()
        ],
        "none",
        {
            "show_legend": False,
            "margin_right": 20,
            "print_labels": True,
            "show_x_guides": True,
            "range": (0, 1),
            "xrange": (0, 1),
            "x_labels": list_places(shares, tick, averages[0], NUMBER * 4 / (caption.width - 100)),
            "x_labels_major": [averages[0]],
            "x_value_formatter": tick,
            "y_labels": list_places(shares, tick, averages[1], 0.3),
            "y_labels_major": [averages[1]],
        },
    )
