"""The results of a series of matches, printed as text or as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.markup import escape

from referee.bots.tournaments.balance import NOTABLE, Balance, CardFigures, compute_balance
from referee.bots.tournaments.pairing import Plan
from referee.bots.tournaments.records import MatchRecord
from referee.bots.tournaments.statistics import NONE, SequentialTest, Share
from referee.bots.tournaments.summary import Summary, list_round_results, summarize
from referee.cli.commands.bots.words import format_number, format_percent, name_mind, say
from referee.cli.output import make_console, print_json
from referee.engine.game import Game
from referee.ratings.ratings import Ladder, MatchResult, PlayerStanding
from referee.rendering.texts import render_text


@dataclass
class Results:
    """What the whole rounds of a series show.

    `test`: whether the first mind is above a bar. `page`: where the page about it was written.
    """

    game: Game
    plan: Plan
    records: Sequence[MatchRecord]
    test: SequentialTest | None
    lang: str
    page: Path | None = field(default=None)

    @cached_property
    def summary(self) -> Summary:
        """Who won how often, against whom, and from where."""
        return summarize(self.records)

    @cached_property
    def balance(self) -> Balance:
        """How the cards did."""
        return compute_balance(self.records, [card["id"] for card in self.game.cards_of_edition(self.plan.edition)])

    @cached_property
    def ratings(self) -> dict[str, PlayerStanding]:
        """The ratings of the minds; none if one mind played alone."""
        results = (self._to_result(record) for record in self.records)
        standings = Ladder.from_results(results).standings
        rated = {name.removeprefix("bot:"): each for name, each in standings.items() if name.startswith("bot:")}
        return {name: each for name, each in rated.items() if each.rated}

    def _to_result(self, record: MatchRecord) -> MatchResult:
        """Return a match as ratings take it."""
        places = {seat: place for place, equals in enumerate(record.placement) for seat in equals}
        return MatchResult(
            record.number,
            record.seed,
            tuple(f"bot:{name}" for name in record.seats),
            tuple(places.get(seat, len(places)) for seat in range(len(record.seats))),
            frozenset(record.winners),
            self.plan.together,
        )

    @cached_property
    def decision(self) -> tuple[str, Share]:
        """The verdict of the test, and the matches that it rests on."""
        if self.test is None:
            return "open", NONE
        return self.test.decide(list_round_results(self.plan.minds[0], self.records))

    @property
    def verdict(self) -> str:
        """The verdict of the test: `above`, `not above` or `open`."""
        return self.decision[0]

    @property
    def rounds(self) -> int:
        """How many whole rounds there are."""
        return self.records[-1].round + 1 if self.records else 0

    def say(self, key: str, **values: Any) -> str:
        """Return a text in the language of the results."""
        return say(key, self.lang, **values)

    def percent(self, share: float, digits: int = 0) -> str:
        """Return a share in percent."""
        return format_percent(share, self.lang, digits)

    def number(self, number: float, digits: int = 0) -> str:
        """Return a number with the decimal mark of the language."""
        return format_number(number, self.lang, digits)

    def name_mind(self, name: str) -> str:
        """Return what users call a mind."""
        return name_mind(name, self.lang)

    def name_card(self, card: str) -> str:
        """Return what players call a card."""
        return str(self.game.rulebook.name_value(card, self.lang))

    def name_reason(self, reason: str) -> str:
        """Return why a match ended, in words."""
        return render_text(self.game, reason)[self.lang] if reason else self.say("took_too_long")

    def format_interval(self, share: Share) -> str:
        """Return the interval of a share in percent."""
        low, high = share.interval()
        return f"{100 * low:.0f}–{100 * high:.0f}"

    def format_share(self, share: Share) -> str:
        """Return a share in percent, with its interval."""
        return f"{self.percent(share.value)} ({self.format_interval(share)})" if share.of else "–"

    def describe_series(self) -> str:
        """Return in a line what was played."""
        return self.say(
            "about", variant=self.plan.variant, seats=self.plan.seats, matches=len(self.records), rounds=self.rounds,
            seed=self.plan.seed,
        )  # fmt: skip

    def describe_verdict(self) -> list[str]:
        """Return what the test says, and how it works; nothing without a test."""
        if self.test is None:
            return []
        verdict, share = self.decision
        low, high = share.interval()
        bar, better = self.percent(self.test.bar, 1), self.percent(self.test.bar + self.test.margin, 1)
        return [
            self.say(
                f"bar.{verdict}", mind=self.name_mind(self.plan.minds[0]), bar=bar, won=int(share.won), of=share.of,
                low=self.percent(low, 1), high=self.percent(high, 1),
            ),
            self.say("bar_how", bar=bar, better=better, error=self.percent(self.test.error)),
        ]  # fmt: skip

    def describe_cards(self) -> str:
        """Return how the cards were judged."""
        balance = self.balance
        return self.say(
            "cards_how", use=self.percent(balance.use.value), won=self.percent(balance.won_drawn.value),
            count=balance.judged, z=self.number(balance.z, 2),
        )  # fmt: skip

    def list_notable_cards(self) -> list[str]:
        """Return a line for each verdict that makes cards stand out."""
        lines = []
        for verdict in NOTABLE:
            cards = [self.name_card(each.card) for each in self.balance.select(verdict)]
            if cards:
                lines.append(self.say(f"cards.{verdict}", cards=", ".join(cards)))
        return lines or [self.say("none_stands_out")]

    def sort_cards(self) -> list[CardFigures]:
        """Return the cards by how often those won who drew them; the rare ones stand last."""
        rare = ("unseen", "too few")
        return sorted(self.balance.cards, key=lambda each: (each.verdict in rare, -each.won_drawn.value, each.card))

    def describe_lengths(self) -> dict[str, str]:
        """Return the median and the greatest length of a match."""
        median = self.summary.median_length
        return {"median": self.number(median, 1 if median % 1 else 0), "most": str(max(self.summary.lengths))}

    def render_page(self) -> str:
        """Return the page about this series."""
        from referee.cli.commands.bots.report.page import render_page

        return render_page(self)

    def draw_files(self) -> dict[str, str]:
        """Return the plots about this series as SVG files, by their names."""
        from referee.cli.commands.bots.report.page import draw_files

        return draw_files(self)

    def print_tournament(self, *, as_json: bool) -> None:
        """Print who won, from where, and how long it took."""
        if as_json:
            print_json(self.to_dict())
            return
        out = make_console()
        self._print_head(out, "title_tournament")
        for line in self.describe_verdict():
            out.print(escape(line))
        rows = [[self.say(f"col_{key}") for key in ("mind", "seats", "matches", "rating", "ms", "slowest", "slow")]]
        for mind in self.summary.minds:
            rating = self.ratings.get(mind.name)
            rows.append(
                [
                    self.name_mind(mind.name), self.format_share(mind.seats), self.format_share(mind.matches),
                    f"{self.number(rating.mu, 1)} ± {self.number(1.96 * rating.sigma, 1)}" if rating else "–",
                    self.number(mind.cpu_ms, 1), f"{mind.slowest_ms:.0f} ms", self.percent(mind.slow.value, 1),
                ]
            )  # fmt: skip
        self._print_rows(out, rows)
        for at, share in enumerate(self.summary.places if not self.plan.together else (), 1):
            out.print(escape(f"{self.say('place', number=at)}: {self.format_share(share)}"))
        if self.records:
            out.print(self.say("lengths_note", **self.describe_lengths()))
        out.print(self.say("undecided", count=int(self.summary.undecided.won)))
        self._print_foot(out)

    def print_balance(self, *, as_json: bool) -> None:
        """Print the cards, and which of them stand out."""
        if as_json:
            print_json(self.to_dict())
            return
        out = make_console()
        self._print_head(out, "title_balance")
        rows = [
            [self.say(f"col_{key}") for key in ("card", "drawn", "played", "use", "won_drawn", "won", "verdict")],
            *(
                [
                    self.name_card(card.card),
                    str(card.drawn),
                    str(card.played),
                    *map(self.format_share, (card.use, card.won_drawn, card.won_played)),
                    self.say(f"verdict.{card.verdict}"),
                ]
                for card in self.sort_cards()
            ),
        ]
        self._print_rows(out, rows)
        out.print(escape(self.describe_cards()))
        for line in self.list_notable_cards():
            out.print(f"[bold]{escape(line)}[/bold]")
        self._print_foot(out)

    def _print_head(self, out: Any, title: str) -> None:
        out.print(f"[bold]{escape(self.say(title, game=self.game.title[self.lang]))}[/bold]")
        out.print(escape(self.describe_series()))
        if self.plan.edition:
            out.print(escape(self.say("about_cards", edition=self.plan.edition)))
        if not self.records:
            out.print(self.say("no_matches"))

    def _print_rows(self, out: Any, rows: Sequence[Sequence[str]]) -> None:
        """Print rows with their columns one below the other; the first row is the heading."""
        widths = [max(cell_len(row[at]) for row in rows) for at in range(len(rows[0]))]
        for row in rows:
            padded = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
            line = escape("  ".join(padded).rstrip())
            out.print(f"[dim]{line}[/dim]" if row is rows[0] else line)

    def _print_foot(self, out: Any) -> None:
        if self.page is not None:
            out.print(escape(self.say("page_at", path=str(self.page))))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as data."""
        verdict, tried = self.decision
        summary = self.summary
        return {
            "plan": self.plan.to_dict(),
            "matches": len(self.records),
            "rounds": self.rounds,
            "bar": None if self.test is None else {**asdict(self.test), "verdict": verdict, **share_to_dict(tried)},
            "minds": [
                {
                    **asdict(mind),
                    "seats": share_to_dict(mind.seats),
                    "matches": share_to_dict(mind.matches),
                    "slow": share_to_dict(mind.slow),
                    "rating": [rating.mu, rating.sigma] if (rating := self.ratings.get(mind.name)) else None,
                }
                for mind in summary.minds
            ],
            "duels": [
                {"one": one, "other": other, **share_to_dict(share)} for (one, other), share in summary.duels.items()
            ],
            "places": [share_to_dict(share) for share in summary.places],
            "undecided": share_to_dict(summary.undecided),
            "endings": summary.endings,
            "moves": {"median": summary.median_length, "most": max(summary.lengths, default=0)},
            "cards": [
                {
                    **asdict(card),
                    "use": share_to_dict(card.use),
                    "won_drawn": share_to_dict(card.won_drawn),
                    "won_played": share_to_dict(card.won_played),
                }
                for card in self.balance.cards
            ],
            "page": None if self.page is None else str(self.page),
        }


def share_to_dict(share: Share) -> dict[str, Any]:
    """Return a share with its 95 % interval as data."""
    low, high = share.interval()
    return {"won": share.won, "of": share.of, "low": round(low, 4), "high": round(high, 4)}
