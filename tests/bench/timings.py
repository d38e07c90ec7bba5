"""Whether the time that an answer takes tells of hidden cards.

`python -m tests.bench.timings [--sittings 6] [--rounds 150]`: a match is played for a while at tables of all games.
Then an observer, a seat or an onlooker, asks what leaves no trace, refused moves too, again and again: on the table as
it is, on a copy of it, and on one that differs only in what he may not see (the game's own `determinize`), in random
order and in one process. The copy is the control: what it shows is noise. For each question the durations without their
slowest tenth are compared by Welch's t, and all by ranks (Mann and Whitney's z). A difference counts if both are above
LOUD and it is more than twice that of the copy. The questions of a sitting are also taken together.

It sees microseconds in process. Over a network an attacker sees less.
"""

from __future__ import annotations

import argparse
import gc
import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.engine.codec import decode, encode
from referee.match.aggregate import FINAL_STATUSES
from tests.leaks import guessing
from tests.leaks.recipes import Ask, Here
from tests.leaks.recording import Recording
from tests.leaks.sides import Sitting, arranged
from tests.leaks.sittings import sittings

LOUD = 4.5
WARM = 3
WORLDS = HERE, COPY, THERE = range(3)
SHOWN = 12


@dataclass(frozen=True)
class Difference:
    """What the durations of one question in two worlds differ by: the mean and its standard error in µs, t, z."""

    us: float
    error: float
    t: float
    z: float

    @property
    def is_loud(self) -> bool:
        return min(abs(self.t), abs(self.z)) > LOUD

    def __str__(self) -> str:
        return f"{self.us:+7.1f} us t {self.t:+6.1f} z {self.z:+6.1f}"


def compare(one: Sequence[float], other: Sequence[float]) -> Difference:
    """Compares durations (seconds), each without its slowest tenth; ranks are of all."""
    first, second = (sorted(each)[: math.ceil(0.9 * len(each))] for each in (one, other))
    by = statistics.fmean(second) - statistics.fmean(first)
    error = math.sqrt(statistics.variance(first) / len(first) + statistics.variance(second) / len(second))
    ranked = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    total = sum(rank for rank, (_, which) in enumerate(ranked, 1) if which)
    n, m = len(one), len(other)
    z = (total - m * (n + m + 1) / 2) / math.sqrt(n * m * (n + m + 1) / 12)
    return Difference(1e6 * by, 1e6 * error, by / error if error else 0.0, z)


def sum_up(found: Sequence[Difference]) -> float:
    """The t of all questions together (Stouffer): it shows what is too small at each of them."""
    return sum(each.t for each in found) / math.sqrt(len(found))


def collect_questions(room: Recording, dice: random.Random) -> list[Ask]:
    """What the observer asks: all that leaves no trace, with moves that are refused."""
    here = Here(room.side, dice, room.side.loaded().version)
    asks = [ask for ask in room.questions(here, once=False) if ask.pure and ask.until is None]
    for mover in room.movers(here):
        for move in guessing.guesses(here, mover, 8):
            asks.append(guessing.dry(here, mover, move))
            if b'"verdict":"refused"' in room.ask(asks[-1], weighed=False).body:
                asks.append(guessing.in_earnest(here, mover, move))
    about = [ask for ask in asks if room.side.match in ask.path and "viewer=full" not in ask.path]
    return [ask for ask in about if ask.method in ("GET", "POST")]


def time_questions(
    sitting: Sitting, seed: str, moves: int, rounds: int, most: int, planted: float = 0.0
) -> list[tuple[Ask, Difference, Difference]]:
    """For each question what the copy and the other world differ by; empty if nothing is hidden at this table."""
    dice = random.Random(f"{sitting}-{seed}")
    with arranged() as lines:
        room = Recording(sitting, lines, dice, 6)
        try:
            room.does("start")
            for _ in range(moves):
                if not room.turn():
                    break
            room.does("drain")
            service, match = room.side.service, room.side.loaded().match
            if match.state is None or match.status in FINAL_STATUSES or len(sitting.held) > 1:
                return []
            eye = sitting.viewers[0]
            there = match.rules.tracking.determinize(match.state, eye, dice.randrange)
            if there == match.state:
                return []
            asks = collect_questions(room, dice)
            asks = dice.sample(asks, min(most, len(asks)))
            kept = service.repository._cache[room.side.match]
            states = [decode(type(state), encode(state)) for state in (match.state, match.state, there)]
            worlds = [kept._replace(match=replace(kept.match, state=state)) for state in states]
            took: list[list[list[float]]] = [[[] for _ in WORLDS] for _ in asks]
            person = room.side.observer
            for turn in range(rounds + WARM):
                for number in dice.sample(range(len(asks)), len(asks)):
                    ask, who = asks[number], room.side.table.anyone if asks[number].anonymous else person
                    for world in dice.sample(WORLDS, len(WORLDS)):
                        service.repository._cache[room.side.match] = worlds[world]
                        began = time.perf_counter()
                        who.ask(ask.method, ask.path, ask.body, **ask.headers).close()
                        until = time.perf_counter() + planted
                        while world == THERE and time.perf_counter() < until:
                            pass
                        if turn >= WARM:
                            took[number][world].append(time.perf_counter() - began)
                lines.clear()
                gc.collect()
            service.repository._cache[room.side.match] = kept
        finally:
            room.close()
    return [(ask, compare(t[HERE], t[COPY]), compare(t[HERE], t[THERE])) for ask, t in zip(asks, took, strict=True)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sittings", type=int, default=6)
    options.add_argument("--rounds", type=int, default=150)
    options.add_argument("--moves", type=int, default=24)
    options.add_argument("--questions", type=int, default=60, help="drawn for each sitting")
    options.add_argument(
        "--planted", type=float, default=0.0, help="us that the other table takes longer, to see it seen"
    )
    options.add_argument("--seed", default="1")
    asked = options.parse_args()
    drawn = random.Random(asked.seed).sample(sittings(), len(sittings()))
    total, loud, noise, done = 0, [], 0, 0
    gc.disable()
    for sitting in drawn:
        if done == asked.sittings:
            break
        found = time_questions(sitting, asked.seed, asked.moves, asked.rounds, asked.questions, asked.planted / 1e6)
        if not found:
            continue
        done += 1
        total += len(found)
        noise += sum(control.is_loud for _, control, _ in found)
        here = [each for each in found if each[2].is_loud and abs(each[2].us) > 2 * abs(each[1].us)]
        loud += here
        seen = LOUD * statistics.median(other.error for _, _, other in found)
        together = sum_up([other for _, _, other in found]), sum_up([control for _, control, _ in found])
        print(f"{sitting}: {len(found)} questions, {len(here)} told apart; half of them would be from {seen:.0f} us on")
        print(f"  together t {together[0]:+.1f}, of the copy {together[1]:+.1f}", flush=True)
        for ask, control, other in sorted(here, key=lambda each: -abs(each[2].us))[:SHOWN]:
            print(f"  {other}   copy {control}   {str(ask)[:110]}", flush=True)
    requests = total * asked.rounds * len(WORLDS)
    print(f"{requests} requests, {total} questions: {len(loud)} told apart, of the copies {noise}")


if __name__ == "__main__":
    main()
