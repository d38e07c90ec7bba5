"""Play many matches at once, on all cores.

The processes are started afresh and not forked, because the program shows its progress from a thread. They die with
the program that started them, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from referee.bots.tournaments.pairing import Pairing, Plan
from referee.bots.tournaments.records import MatchRecord, play_pairing
from referee.cli.processes.parent_watchdog import bind_to_parent
from referee.games.books import install_book_text
from referee.infrastructure.errors import HostError

AHEAD = 2  # matches handed out for each process, so that none waits


class BrokenMatchError(HostError):
    """A match could not be played to its end: a mind or a game is at fault."""

    exit_code = 70


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_pairings(
    plan: Plan, pairings: Iterable[Pairing], jobs: int, book: str = ""
) -> Generator[MatchRecord, None, None]:
    """Yield the record of each match as it ends, playing `jobs` at once.

    With one job they are played in this process. Closing the iterator drops what has not begun.

    Raises BrokenMatchError.
    """
    if jobs == 1:
        for pairing in pairings:
            yield play_one(plan, pairing)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=begin_process, initargs=(os.getpid(), book))
    waiting, running = iter(pairings), dict[Future[MatchRecord], Pairing]()
    try:
        while True:
            for pairing in islice(waiting, AHEAD * jobs - len(running)):
                running[pool.submit(play_one, plan, pairing)] = pairing
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                pairing = running.pop(done)
                try:
                    record = done.result()
                except BrokenProcessPool as broken:
                    raise BrokenMatchError("a process that played matches died; --resume goes on") from broken
                yield record
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def begin_process(parent: int, book: str) -> None:
    """Prepare a process that plays matches.

    It ends with its parent, and has the card book.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    bind_to_parent(parent)
    if book:
        install_book_text(book)


def play_one(plan: Plan, pairing: Pairing) -> MatchRecord:
    """Play a match and return its record. Raises BrokenMatchError."""
    try:
        return play_pairing(plan, pairing, time.process_time)
    except Exception as failure:  # whatever a mind or a game does wrong, one has to learn in which match
        raise BrokenMatchError(
            f"match {pairing.number} failed: {type(failure).__name__}: {failure}. Play it alone with `referee bots "
            f"match {plan.game} --variant {plan.variant} --seats {','.join(pairing.seats)} --seed {pairing.seed}`"
        ) from failure
