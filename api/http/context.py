"""Getters for what every endpoint needs: the match service, the match, the secret."""

from __future__ import annotations

from flask import current_app, g

from referee.match.loaded import LoadedMatch
from referee.service.match_service import MatchService
from referee.service.tournament_service import TournamentService


def get_match_service() -> MatchService:
    """Return the match service of this app."""
    found: MatchService = current_app.config["SERVICE"]
    return found


def get_tournament_service() -> TournamentService:
    """Return the tournament service of this app."""
    found: TournamentService = current_app.config["TOURNAMENTS"]
    return found


def get_loaded_match(match: str) -> LoadedMatch:
    """Return the match of the address as it was read when the request was admitted.

    Load it again after a wait or a write. Raises LookupError for any other match.
    """
    found: LoadedMatch = g.loaded
    if found.match.id != match:
        raise LookupError(match)
    return found


def get_secret() -> bytes:
    """Return the secret behind tokens and codes."""
    found: bytes = current_app.config["SECRET"]
    return found
