"""Seats in requests and answers: who sits where, and how a bot plays."""

from __future__ import annotations

from typing import Any

from api.http.problems import Problem
from referee.bots.levels import list_styles
from referee.bots.minds import BRIEF
from referee.engine.game import Game
from referee.match.aggregate import Match, SeatAssignment
from referee.match.bots.substitution import find_proposal, find_voting_seats


def parse_seat_assignments(given: list[dict[str, Any]], game: Game) -> tuple[SeatAssignment, ...]:
    """Return seats from their JSON form.

    Raises Problem for a style that makes no difference.
    """
    return tuple(
        SeatAssignment("bot", chair["level"], style=parse_style(chair, game, f"/seats/{at}"))
        if chair["kind"] == "bot"
        else SeatAssignment(chair["kind"])
        for at, chair in enumerate(given)
    )


def parse_style(bot: dict[str, Any], game: Game, place: str = "") -> str:
    """Return the style of a bot, empty for none.

    Raises Problem if it makes no difference.
    """
    style = bot.get("style") or ""
    styles = [each["id"] for each in list_styles(game.name)] if bot["level"] >= BRIEF else []
    if style and style not in styles:
        detail = (
            f"Must be one of: {', '.join(styles)}." if styles else "Bots of this level or in this game have no style."
        )
        raise Problem("invalid-input", errors=[{"pointer": f"{place}/style", "detail": detail}])
    return style


def seat_to_dict(match: Match, seat: int) -> dict[str, Any]:
    """Return a seat as everybody who may see the match sees it."""
    chair, question = match.chairs[seat], find_proposal(match, seat)
    proposal = question and {
        **{"proposal": question.number, "bot": question.level is not None, "level": question.level},
        "style": question.style or None,
        "granted": list(question.by),
        "asks": sorted(find_voting_seats(match, seat) - set(question.by)),
    }
    return {
        "seat": seat,
        "kind": chair.kind,
        "level": chair.level,
        "style": chair.style or None,
        "taken": chair.taken,
        "proxy": chair.proxy,
        "stands_in": seat in match.stand_ins,
        "device_key": chair.device_key or None,
        "proposal": proposal,
    }
