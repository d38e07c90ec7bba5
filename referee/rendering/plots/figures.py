"""Plots of ratings, dice, coverage of clauses and costs of requests."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine.rulebook.book import Clause, Text, read_yaml
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
# the parts of a rulebook, each with its class in the style
CLAUSE_KINDS = {"named": "good", "kept": "pale", "silent": "weak", "duty": "dead", "missing": "bad"}
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

    `named`, `kept` and `silent` are tested: rulings or events named the first while the tests ran, the program cannot
    but keep to the second, and nothing named the third. To `duty` the players see themselves.
    """

    book: str
    named: int
    kept: int
    silent: int
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


def count_clauses(
    book: str, clauses: Mapping[str, Clause], tested: Container[str], silent: Container[str]
) -> ClauseCounts:
    """Return how many clauses of a rulebook are tested, and how."""
    found = dict.fromkeys(CLAUSE_KINDS, 0)
    for name, clause in clauses.items():
        if clause.players_duty:
            part = "duty"
        elif name not in tested:
            part = "missing"
        elif clause.by_construction:
            part = "kept"
        else:
            part = "silent" if name in silent else "named"
        found[part] += 1
    return ClauseCounts(book, **found)


def plot_coverage(books: Sequence[ClauseCounts], lang: str, width: int = 640) -> Plot:
    """Return how many clauses of each rulebook are tested."""
    parts: Mapping[str, tuple[str, Sequence[int]]] = {
        kind: (say(f"coverage.{part}", lang), [getattr(each, part) for each in books])
        for part, kind in CLAUSE_KINDS.items()
    }
    rows = []
    for at, each in enumerate(books):
        counts = [f"{counts[at]} {title}" for title, counts in parts.values() if counts[at]]
        rows.append(f"{each.book}: {', '.join(counts)}.")
    caption = Caption(say("coverage", lang), " ".join(rows), say("coverage.across", lang), width=width)
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
        said = say("costs.row", lang, name=name, percent=f"{share:.0f}", recorded=format_turns(turns, lang))
        rows.append(Interval(name, share, min(share, 100), max(share, 100), said.removeprefix(f"{name}: ")))
    ticks = list_ticks(0, max(100 * allowed, *(row.value for row in rows)), 8)
    lines = [say("costs.says", lang), *(f"{row.label}: {row.note}." for row in rows)]
    caption = Caption(say("costs", lang), " ".join(lines), say("costs.across", lang), width=width)
    return plot_intervals(caption, rows, ticks, lambda at: f"{at:.0f}", 100 * allowed)


def plot_recorded_costs(recorded: Mapping[str, float], lang: str, width: int = 640) -> Plot:
    """Return what each kind of request costs, as it is on record."""
    rows = [Interval(name, turns, 0, turns, format_turns(turns, lang)) for name, turns in recorded.items()]
    lines = [say("costs", lang) + ":", ", ".join(f"{row.label} {row.note}" for row in rows) + "."]
    caption = Caption(say("costs", lang), " ".join(lines), say("costs.turns", lang), width=width)
    ticks = list_ticks(0, max(recorded.values()), 8)
    return plot_intervals(caption, rows, ticks, lambda at: format_figure(at, lang))


def format_turns(turns: float, lang: str) -> str:
    """Return turns of the loop with three decimals, in the manner of a language."""
    text = f"{turns:.3f}"
    return text.replace(".", ",") if lang == "de" else text
