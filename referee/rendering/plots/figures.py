"""Plots of ratings, dice, coverage of clauses and costs of requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import Text, read_yaml
from referee.engine.rulebook.messages import format_message
from referee.rendering.plots.drawing import Caption, Plot
from referee.rendering.plots.shapes import (
    Interval,
    list_ticks,
    plot_columns,
    plot_intervals,
    plot_nothing,
    plot_stacks,
)

WORDS: dict[str, Text] = read_yaml(Path(__file__).with_name("words.yaml"))
NEWCOMER = 25.0  # the strength of somebody who has not played
SPREAD = 3  # sigmas on each side: the left end is the rating


@dataclass(frozen=True)
class RatedName:
    """Somebody with a strength and how sure it is."""

    name: str
    mu: float
    sigma: float


@dataclass(frozen=True)
class ClauseCounts:
    """How many clauses of a rulebook are tested, and how many are not.

    `emitted` and `quiet` are tested; the former are named by rulings or events. To `duty` the players see.
    """

    book: str
    emitted: int
    quiet: int
    duty: int
    missing: int


def say(key: str, lang: str, **values: Any) -> str:
    """Return the words under a key with their placeholders filled. Raises KeyError."""
    return format_message(WORDS[key][lang], lang, values)


def format_figure(number: float, lang: str) -> str:
    """Return a number with at most one decimal, in the manner of a language."""
    text = f"{number:.1f}".removesuffix(".0")
    return text.replace(".", ",") if lang == "de" else text


def name_standing(who: str, name: str | None, lang: str) -> str:
    """Return what a line of the standings is called.

    It is a player, a level of bots, or the game itself.
    """
    kind, _, number = who.partition(":")
    if kind == "bot":
        return say("ratings.bot", lang, level=number)
    if kind == "box":
        return say("ratings.box", lang, seats=int(number))
    return name or say("ratings.nameless", lang)


def plot_ratings(rated: Sequence[RatedName], lang: str, width: int = 640) -> Plot:
    """Return the strengths of players with their uncertainty, in the order given."""
    if not rated:
        return plot_nothing(Caption(say("ratings", lang), width=width), say("ratings.none", lang))
    rows = []
    for each in rated:
        mu, spread = format_figure(each.mu, lang), format_figure(SPREAD * each.sigma, lang)
        low, high = each.mu - SPREAD * each.sigma, each.mu + SPREAD * each.sigma
        rows.append(Interval(each.name, each.mu, low, high, f"{mu} ± {spread}"))
    ticks = list_ticks(min(NEWCOMER, *(row.low for row in rows)), max(NEWCOMER, *(row.high for row in rows)), 6)
    lines = [say("ratings.says", lang), *(f"{row.label}: {row.note}." for row in rows)]
    caption = Caption(say("ratings", lang), " ".join(lines), say("ratings.across", lang), width=width)
    return plot_intervals(caption, rows, ticks, lambda at: format_figure(at, lang), NEWCOMER)


def plot_dice(counts: Sequence[int], lang: str, width: int = 640) -> Plot:
    """Return how often each face of dice came up, from 1 on.

    A line shows where fair dice would end.
    """
    if not any(counts):
        return plot_nothing(Caption(say("dice", lang), width=width), say("dice.none", lang))
    expected = sum(counts) / len(counts)
    lines = [
        say("dice.says", lang, thrown=sum(counts), expected=format_figure(expected, lang)),
        ", ".join(say("dice.face", lang, face=face, count=count) for face, count in enumerate(counts, 1)) + ".",
    ]
    across = say("dice.across", lang, sides=len(counts))
    caption = Caption(say("dice", lang), " ".join(lines), across, say("dice.up", lang), width)
    columns = {str(face): float(count) for face, count in enumerate(counts, 1)}
    return plot_columns(caption, columns, lambda at: format_figure(at, lang), expected)


def plot_coverage(books: Sequence[ClauseCounts], lang: str, width: int = 640) -> Plot:
    """Return how many clauses of each rulebook are tested."""
    rows = [
        say(
            "coverage.row", lang, name=each.book, emitted=each.emitted, quiet=each.quiet, duty=each.duty,
            missing=each.missing,
        )
        for each in books
    ]  # fmt: skip
    parts: Mapping[str, tuple[str, Sequence[int]]] = {
        "good": (say("coverage.emitted", lang), [each.emitted for each in books]),
        "pale": (say("coverage.quiet", lang), [each.quiet for each in books]),
        "weak": (say("coverage.duty", lang), [each.duty for each in books]),
        "bad": (say("coverage.missing", lang), [each.missing for each in books]),
    }
    across = say("coverage.across", lang)
    caption = Caption(say("coverage", lang), "; ".join(rows) + ".", across, width=width)
    return plot_stacks(caption, [each.book for each in books], parts)


def plot_costs(
    found: Mapping[str, float], recorded: Mapping[str, float], allowed: float, lang: str, width: int = 640
) -> Plot:
    """Return what each kind of request cost, in percent of what is on record.

    `allowed`: how many times that it may cost.
    """
    rows = []
    for name, turns in recorded.items():
        share = 100 * found[name] / turns
        said = say("costs.row", lang, name=name, percent=f"{share:.0f}", recorded=format_figure(turns, lang))
        rows.append(Interval(name, share, min(share, 100), max(share, 100), said.removeprefix(f"{name}: ")))
    ticks = list_ticks(0, max(100 * allowed, *(row.value for row in rows)), 8)
    lines = [say("costs.says", lang), *(f"{row.label}: {row.note}." for row in rows)]
    caption = Caption(say("costs", lang), " ".join(lines), say("costs.across", lang), width=width)
    return plot_intervals(caption, rows, ticks, lambda at: f"{at:.0f}", 100 * allowed)
