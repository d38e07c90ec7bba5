"""The page about a series of matches: one file without scripts, to keep and print."""

from __future__ import annotations

import html as escaping
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

import referee
from referee.bots.tournaments.balance import NOTABLE, CardFigures
from referee.bots.tournaments.statistics import NONE, Share
from referee.rendering import html
from referee.rendering.plots.drawing import STYLE as PLOT_STYLE
from referee.rendering.plots.drawing import Caption, Plot
from referee.rendering.plots.shapes import (
    Interval,
    Point,
    list_ticks,
    plot_columns,
    plot_intervals,
    plot_points,
)

if TYPE_CHECKING:
    from referee.cli.commands.bots.report.results import Results

HERE = Path(__file__).parent
STYLE = HERE / "report.css"
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
WIDTH = 540  # of a plot, that it can be read on a phone too
BINS = 24  # columns of the plot of lengths, at most


def render_page(results: Results) -> str:
    """Return the page about a series."""
    alone = len(results.summary.minds) < 2
    template = html.load_templates(HERE).get_template("report.html")
    return template.render(
        results=results,
        say=results.say,
        lang=results.lang,
        version=referee.__version__,
        policy=html.compute_content_policy(STYLE, PLOT_STYLE),
        styles=[Markup(html.load_style(file)) for file in (STYLE, PLOT_STYLE)],  # noqa: S704  (files of ours)
        title=results.say("title_balance" if alone else "title_tournament", game=results.game.title[results.lang]),
        alone=alone,
        fair=results.percent(1 / results.plan.seats),
        plots=Plots(results),
        unescape=escaping.unescape,
    )


def draw_files(results: Results) -> dict[str, str]:
    """Return the plots about a series as files, by their names."""
    plots, summary = Plots(results, is_titled=True), results.summary
    is_compared = len(summary.minds) > 1
    drawn: dict[str, Plot | None] = {
        "minds.svg": plots.minds() if is_compared or results.plan.together else None,
        "ratings.svg": plots.ratings() if results.ratings else None,
        "places.svg": plots.places() if summary.places and not results.plan.together else None,
        "lengths.svg": plots.lengths() if results.records else None,
        "cards.svg": plots.cards() if results.balance.use.of else None,
        "card-success.svg": plots.card_success() if results.balance.use.of else None,
    }
    return {name: plot.to_file() for name, plot in drawn.items() if plot is not None}


class Plots:
    """The plots of a page, or of files, where each has its title in it."""

    def __init__(self, results: Results, is_titled: bool = False) -> None:
        self.results, self.is_titled = results, is_titled

    def _caption(self, key: str, across: str = "", up: str = "") -> Caption:
        return Caption(self.results.say(key), "", across, up, WIDTH, self.is_titled)

    def _make_row(self, label: str, share: Share) -> Interval:
        note = f"{self.results.say('reached', won=int(share.won), of=share.of)} ({self.results.format_share(share)})"
        return Interval(label, share.value, *share.interval(), note)

    def _plot_shares(self, key: str, rows: list[Interval]) -> Plot:
        mark = None if self.results.plan.together else 1 / self.results.plan.seats
        caption = self._caption(key, self.results.say("axis_won"))
        return plot_intervals(caption, rows, SHARES, self.results.percent, mark)

    def minds(self) -> Plot:
        """Return how often each mind won."""
        return self._plot_shares(
            "minds",
            [self._make_row(self.results.name_mind(mind.name), mind.seats) for mind in self.results.summary.minds],
        )

    def duels(self) -> list[tuple[str, list[tuple[Share, str]]]]:
        """Return who beat whom: each mind's name, and its share against each.

        A share has the class of its colour.
        """
        names, duels = [mind.name for mind in self.results.summary.minds], self.results.summary.duels
        return [
            (
                self.results.name_mind(one),
                [(share, name_strength(share)) for share in (duels.get((one, other), NONE) for other in names)],
            )
            for one in names
        ]

    def ratings(self) -> Plot:
        """Return the ratings with their intervals."""
        rows = [
            Interval(
                self.results.name_mind(name),
                each.mu,
                each.mu - 1.96 * each.sigma,
                each.mu + 1.96 * each.sigma,
                f"{self.results.number(each.mu, 1)} ± {self.results.number(1.96 * each.sigma, 1)}",
            )
            for name, each in sorted(self.results.ratings.items(), key=lambda item: -item[1].mu)
        ]
        ticks = list_ticks(min(25, *(row.low for row in rows)), max(25, *(row.high for row in rows)), 6)
        caption = self._caption("ratings", self.results.say("axis_rating"))
        return plot_intervals(caption, rows, ticks, self._format_tick, 25.0)

    def _format_tick(self, at: float) -> str:
        return self.results.number(at, 1 if at % 1 else 0)

    def places(self) -> Plot:
        """Return how often each place in the order of turns won."""
        return self._plot_shares(
            "places",
            [
                self._make_row(self.results.say("place", number=at), share)
                for at, share in enumerate(self.results.summary.places, 1)
            ],
        )

    def lengths(self) -> Plot:
        """Return how many moves matches took."""
        lengths = self.results.summary.lengths
        ticks = [int(at) for at in list_ticks(0, max(lengths) + 1, BINS)]
        step = max(1, ticks[1] - ticks[0])
        columns = {
            f"{low}–{low + step - 1}" if step > 1 else str(low): float(
                sum(low <= each < low + step for each in lengths)
            )
            for low in range(0, max(lengths) + 1, step)
        }
        caption = self._caption("lengths", self.results.say("axis_moves"), self.results.say("axis_matches"))
        return plot_columns(caption, columns, self._format_tick)

    def cards(self) -> Plot:
        """Return use and success of each card."""
        kinds: dict[str, list[Point]] = {}
        for card in self.results.balance.cards:
            if card.use.of:
                is_notable = card.verdict in NOTABLE
                point = Point(self.results.name_card(card.card), card.use.value, card.won_drawn.value, is_notable)
                kinds.setdefault(name_kind(card), []).append(point)
        say, balance = self.results.say, self.results.balance
        caption = self._caption("cards", say("axis_use"), say("col_won_drawn"))
        ordered = {kind: kinds[kind] for kind in sorted(kinds, key=lambda each: each.replace("-", " ") in NOTABLE)}
        averages = (balance.use.value, balance.won_drawn.value)
        return plot_points(caption, ordered, averages, self.results.percent)

    def card_success(self) -> Plot | None:
        """Return how often those won who drew each card that was judged.

        The intervals are as wide as the verdicts take them.
        """
        balance = self.results.balance
        rows = [
            Interval(
                self.results.name_card(card.card),
                card.won_drawn.value,
                *card.won_drawn.interval(balance.z),
                self.results.percent(card.won_drawn.value),
                name_kind(card),
            )
            for card in self.results.sort_cards()
            if card.won_drawn.of and card.verdict not in ("unseen", "too few")
        ]
        if not rows:
            return None
        ticks = list_ticks(min(row.low for row in rows), max(row.high for row in rows), 6)
        caption = self._caption("card_success", self.results.say("col_won_drawn"))
        return plot_intervals(caption, rows, ticks, self.results.percent, balance.won_drawn.value)


def name_kind(card: CardFigures) -> str:
    """Return the class that the style has for a card with this verdict."""
    return card.verdict.replace(" ", "-")


def name_strength(share: Share) -> str:
    """Return the class of a share's colour: good or bad, in four steps, or even."""
    step = min(4, round(8 * abs(share.value - 0.5))) if share.of else 0
    return f"{'good' if share.value > 0.5 else 'bad'}-{step}" if step else "even"
