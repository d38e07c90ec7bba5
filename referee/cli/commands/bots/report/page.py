"""The page about a series of matches: one file without scripts, to keep and print."""

from __future__ import annotations

import html as escaping
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

import referee
from referee.bots.tournaments.balance import NOTABLE, CardFigures
from referee.bots.tournaments.statistics import Share
from referee.cli.commands.bots.report.plots import (
    Dot,
    Whisker,
    choose_step,
    draw_interval,
    plot_histogram,
    plot_matrix,
    plot_scatter,
    plot_whiskers,
)
from referee.rendering import html

if TYPE_CHECKING:
    from referee.cli.commands.bots.report.results import Results

HERE = Path(__file__).parent
STYLE = HERE / "report.css"
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def render_page(results: Results) -> str:
    """Return the page about a series."""
    alone = len(results.summary.minds) < 2
    template = html.load_templates(HERE).get_template("report.html")
    return template.render(
        results=results,
        say=results.say,
        lang=results.lang,
        version=referee.__version__,
        policy=html.compute_content_policy(STYLE),
        style=Markup(html.load_style(STYLE)),  # noqa: S704  (a file of ours)
        title=results.say("title_balance" if alone else "title_tournament", game=results.game.title[results.lang]),
        alone=alone,
        fair=results.percent(1 / results.plan.seats),
        plots=Plots(results),
        unescape=escaping.unescape,
    )


class Plots:
    """The plots of a page."""

    def __init__(self, results: Results) -> None:
        self.results = results

    def _make_row(self, label: str, share: Share) -> Whisker:
        note = self.results.say("reached", won=int(share.won), of=share.of)
        return Whisker(label, share.value, *share.interval(), note)

    def _plot_shares(self, title: str, rows: list[Whisker]) -> Markup:
        mark = None if self.results.plan.together else 1 / self.results.plan.seats
        return plot_whiskers(title, rows, SHARES, self.results.percent, mark)

    def minds(self) -> Markup:
        """Return how often each mind won."""
        rows = [self._make_row(self.results.name_mind(mind.name), mind.seats) for mind in self.results.summary.minds]
        return self._plot_shares(self.results.say("minds"), rows)

    def duels(self) -> Markup:
        """Return who beat whom."""
        names = {mind.name: self.results.name_mind(mind.name) for mind in self.results.summary.minds}
        return plot_matrix(self.results.say("duels"), names, self.results.summary.duels, self.results.percent)

    def ratings(self) -> Markup:
        """Return the ratings with their intervals."""
        rows = [
            Whisker(
                self.results.name_mind(name),
                each.mu,
                each.mu - 1.96 * each.sigma,
                each.mu + 1.96 * each.sigma,
                self.results.number(each.mu, 1),
            )
            for name, each in sorted(self.results.ratings.items(), key=lambda item: -item[1].mu)
        ]
        low, high = min(row.low for row in rows), max(row.high for row in rows)
        step = choose_step(high - low, 6)
        first = int(low // step) * step
        ticks = [float(first)]
        while ticks[-1] < high:
            ticks.append(ticks[-1] + step)
        return plot_whiskers(self.results.say("ratings"), rows, ticks, lambda value: f"{value:.0f}", 25.0)

    def places(self) -> Markup:
        """Return how often each place in the order of turns won."""
        rows = [
            self._make_row(self.results.say("place", number=at), share)
            for at, share in enumerate(self.results.summary.places, 1)
        ]
        return self._plot_shares(self.results.say("places"), rows)

    def lengths(self) -> Markup:
        """Return how many moves matches took."""
        return plot_histogram(self.results.say("lengths"), self.results.summary.lengths)

    def cards(self) -> Markup:
        """Return use and success of each card."""
        dots = [
            Dot(
                self.results.name_card(card.card),
                card.use.value,
                card.won_drawn.value,
                name_kind(card),
                card.verdict in NOTABLE,
            )
            for card in self.results.balance.cards
            if card.use.of
        ]
        say, balance = self.results.say, self.results.balance
        return plot_scatter(
            say("cards"), dots, (say("axis_use"), say("col_won_drawn")), (balance.use.value, balance.won_drawn.value),
            self.results.percent,
        )  # fmt: skip

    def card_success(self, card: CardFigures) -> Markup:
        """Return the interval of a card's success once drawn.

        It is as wide as its verdict takes it.
        """
        balance, won = self.results.balance, card.won_drawn
        return draw_interval(won.value, won.interval(balance.z), balance.won_drawn.value, name_kind(card))


def name_kind(card: CardFigures) -> str:
    """Return the class that the style has for a card with this verdict."""
    return card.verdict.replace(" ", "-")
