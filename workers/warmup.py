"""Plays a match of every game in memory before the first job.

A forked job then finds decoders, tables and caches built. Otherwise each job would build them again while a player
waits. Measured: a job of one move took 23 ms of CPU without the warm-up, and 15 ms with it.

Where all processes are forks of one, that one does it for all of them.
"""

from __future__ import annotations

import gc
import importlib
import logging
from functools import cache

from referee.engine.game import Game
from referee.eventstore.contract import MatchLog
from referee.eventstore.memory.log import MemoryLog
from referee.games import load_games
from referee.match.aggregate import SeatAssignment
from referee.match.table import commands
from referee.service.match_service import MatchService
from referee.transparency.randomness import ServerRandomSource
from workers.bots.player import play_bots

LOGGER = logging.getLogger("referee.workers.rehearsal")
MOVES = 60
SECONDS = 1.0
# what workers import when they run, and not before
MODULES = (
    *("workers.composition", "workers.queue", "workers.queues", "workers.verdicts", "workers.webhooks.jobs"),
    *("workers.jobs.archiving", "workers.jobs.bundle_check", "workers.jobs.hints", "workers.jobs.sweeper"),
)


@cache
def load_workers() -> None:
    """Import all that workers need and warm up the games.

    That is done once in a process, also for its forks.
    """
    for name in MODULES:
        importlib.import_module(name)
    warm_up_games()


def warm_up_games() -> list[str]:
    """Play for a while at every game; return the games that worked.

    A failure is logged. It must not keep the bots from playing the other games.
    """
    done = []
    for name, game in load_games().items():
        try:
            _play_game(game)
        except Exception:
            LOGGER.exception("the warm-up of %s failed", name)
        else:
            done.append(name)
    gc.collect()
    gc.freeze()  # so that a child's collector does not touch, and thereby copy, what it shares with its parent
    return done


def _play_game(game: Game) -> None:
    log = MemoryLog()
    command = commands.OpenMatch(game.name, game.variants[0], {}, {}, (SeatAssignment("bot"),) * game.min_seats)
    service = _build_service(log)
    match = service.open_match(command, game.name).match.id
    service.execute_command(match, commands.StartMatch(), key="start", scope="rehearsal")
    play_bots(service, match, moves=MOVES, seconds=SECONDS)
    _build_service(log).load_match(match)  # as every job, which reads what another service wrote


def _build_service(log: MatchLog) -> MatchService:
    return MatchService(log, ServerRandomSource(bytes(32)), lambda *_: "", lambda _: None, lambda name: f"00-{name}")
