"""The projections behind standings, card statistics and the fairness of dice.

Public sums count public matches only, and only after their end. So they reveal nothing of a private match, and nothing
of a running one, even to spectators with a delay. A disputed match is counted once its courts are done. A voided match
is not counted.
"""

from __future__ import annotations

from typing import Any

from referee.match.aggregate import FINAL_STATUSES
from referee.match.table.endings import is_ended_by_tournament
from referee.match.unilateral import list_uncounted_causes
from referee.ratings import fairness, results
from referee.ratings.projection_versions import PROJECTION_VERSIONS
from workers.projections.base import CounterProjection, Sources, Sums
from workers.projections.public_match import PublicMatch


class StandingsProjection(CounterProjection):
    """The result, seats and turn order of each match, and sums by seat and turn.

    Each seat has the entry by which its player took it. Ratings are not stored here but computed from these rows
    (`referee.ratings.ratings`).
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
                {
                    **{"kind": chair.kind, "level": chair.level, "taken": chair.taken, "sat": sat.get(seat)},
                    **({"style": chair.style} if chair.style else {}),
                }
                for seat, chair in enumerate(table.chairs)
            ],
            "order": list(told.turn_order),
            "winners": [] if table.end is None else list(table.end.winners),
            "placement": [] if table.end is None else [list(place) for place in table.end.placement],
            "reason": None if table.end is None else table.end.reason,
            "alone": [list(each) for each in list_uncounted_causes(table)],
            **({"by_tournament": True} if is_ended_by_tournament(table) else {}),
        }

    def compute_sums(self, match: str, row: dict[str, Any]) -> Sums:
        return results.compute_contributions(match, row)


class CardsProjection(CounterProjection):
    """How often each card was drawn and played, by how many seats and winners.

    It reads hidden cards too, but only after the match is over, so that it reveals no hand of a running match.
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
                for use in table.rules.tracking.collect_card_uses(event):
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
    """The dice that players reported from a real table, by match, and sums by game.

    Only public matches that are over count in the sums, and no voided ones.
    """

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
