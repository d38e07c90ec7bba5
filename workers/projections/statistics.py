"""The views behind standings, histories, statistics of cards and the fairness of dice.

What anyone may ask for in sum counts public matches alone, and only after their end: so it tells nothing of a private
match, and nothing of a match under way, not even to those who look on with a delay. A match that is disputed waits
until its courts have done with it, and one that was voided counts for nothing.
"""

from __future__ import annotations

from typing import Any

from referee.match.aggregate import FINAL_STATUSES
from referee.match.unilateral import find_unilateral_decisions
from referee.ratings import fairness, results
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from workers.projections.base import CounterProjection, Sources, Sums
from workers.projections.public_match import PublicMatch


class StandingsProjection(CounterProjection):
    """What each match came to, who sat there by which entry, who came on turn when; and the sums by seat and turn.

    Ratings are not kept here: they are reckoned from these rows (`referee.ratings.ratings`).
    """

    name = "standings"
    build = PROJECTION_VERSIONS["standings"]

    def build_row(self, match: str, told: PublicMatch, sources: Sources) -> dict[str, Any] | None:
        table, sat = told.match, dict(told.seated_at)
        return {
            "game": table.game,
            "variant": table.variant,
            "visibility": table.visibility,
            "status": table.public_status,
            "by_rules": told.by_rules,
            "late": table.spectator_delay > 0 and table.status not in FINAL_STATUSES,
            "version": told.version,
            "started_at_ms": told.started_ms,
            "ended_at_ms": told.ended_ms,
            "last_at_ms": told.last_ms,
            "seats": [
                {"kind": chair.kind, "level": chair.level, "taken": chair.taken, "sat": sat.get(seat)}
                for seat, chair in enumerate(table.chairs)
            ],
            "order": list(told.turn_order),
            "winners": [] if table.end is None else list(table.end.winners),
            "placement": [] if table.end is None else [list(place) for place in table.end.placement],
            "reason": None if table.end is None else table.end.reason,
            "alone": [[each.number, each.reason] for each in find_unilateral_decisions(table)],
        }

    def compute_sums(self, match: str, row: dict[str, Any]) -> Sums:
        return results.compute_contributions(match, row)


class CardsProjection(CounterProjection):
    """How often each card was drawn and played, by how many seats, and how many of those won.

    It looks at what was hidden as well, once the match is over: a hand of a match under way is never told of.
    """

    name = "cards"
    build = PROJECTION_VERSIONS["cards"]

    def build_row(self, match: str, told: PublicMatch, sources: Sources) -> dict[str, Any] | None:
        table = told.match
        if table.visibility != "public" or table.public_status != "finished" or not told.by_rules:
            return None
        assert table.end is not None
        found: dict[str, int] = {"matches": 1}
        players: dict[str, set[int]] = {}
        for entry in sources.public_matches.load_effective_history(match, told.version):
            for event in entry.events:
                for use in table.rules.collect_card_uses(event):
                    name = f"{use.card}:{use.how}"
                    found[name] = found.get(name, 0) + 1
                    if use.how == "played":
                        players.setdefault(use.card, set()).add(use.seat)
        for card, seats in players.items():
            found[f"{card}:seats"] = len(seats)
            found[f"{card}:won"] = len(seats & set(table.end.winners))
        return {f"{table.game}|{table.edition}": {name: value for name, value in found.items() if value}}

    def compute_sums(self, match: str, row: dict[str, Any]) -> Sums:
        return row


class DiceProjection(CounterProjection):
    """The rolls that players reported from a real table, by match; and the sums by game, of matches that are over."""

    name = "dice"
    build = PROJECTION_VERSIONS["dice"]

    def build_row(self, match: str, told: PublicMatch, sources: Sources) -> dict[str, Any] | None:
        if not told.reports:
            return None
        return {
            "game": told.match.game,
            "counts": told.match.visibility == "public" and told.match.public_status in FINAL_STATUSES - {"void"},
            "reports": [[each.version, each.by, each.sides, list(each.values)] for each in told.reports],
        }

    def compute_sums(self, match: str, row: dict[str, Any]) -> Sums:
        if not row["counts"]:
            return {}
        reports = ((by, sides, tuple(values)) for _version, by, sides, values in row["reports"])
        return {row["game"]: fairness.compute_sums(fairness.group_by_reporter(reports))}
