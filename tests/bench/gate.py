"""The gate: a move may not cost much more CPU than is on record.

`python -m tests.bench.gate [--record] [--plot FILE.svg]`

What is compared are turns of a loop that is timed in the same run, so that the machine does not matter much. What else
it does only ever adds, so the quietest of some rounds counts, and a slow one is repeated.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from referee.rendering.plots.figures import plot_costs
from tests.bench import bench_lane

RECORD = Path(__file__).with_name("gate.json")
ALLOWED = 1.7  # times what is on record: the same program was seen at 1.0 and at 1.4 of it on one machine within a day
ROUNDS, MOST_ROUNDS = 3, 8
Costs = dict[str, float]  # turns of the loop by kind of request


def measure_round(app: bench_lane.App, least: Costs) -> Costs:
    """Return the least of what was found before and of one more round."""
    turn = bench_lane.calibrate()
    found = bench_lane.measure(app, "here_to_slay", "two", 250)
    turn = min(turn, bench_lane.calibrate())
    return {what: min(least.get(what, float("inf")), us / turn) for what, us in found.items()}


def find_excess(found: Costs, recorded: Costs) -> list[str]:
    """Return a line for each kind of request that costs too much."""
    return [
        f"{what}: {found[what]:.3f} turns of the loop, {turns:.3f} on record"
        for what, turns in recorded.items()
        if found[what] > ALLOWED * turns
    ]


def main(arguments: list[str]) -> int:
    """Measure, and compare or record; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.gate")
    parser.add_argument("--record", action="store_true", help="put on record what was measured")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw what was measured beside what is on record")
    given = parser.parse_args(arguments)
    recorded: Costs = {} if given.record else json.loads(RECORD.read_text("utf-8"))
    found: Costs = {}
    with bench_lane.serve_in_process() as app:
        for round_number in range(MOST_ROUNDS):
            found = measure_round(app, found)
            if round_number + 1 >= ROUNDS and not find_excess(found, recorded):
                break
    print("  ".join(f"{what} {turns:.3f}" for what, turns in found.items()))
    if given.plot:
        given.plot.write_text(plot_costs(found, recorded or found, ALLOWED, "en").to_file(), "utf-8")
    if given.record:
        RECORD.write_text(json.dumps({what: round(turns, 3) for what, turns in found.items()}, indent=1) + "\n")
    for line in (excess := find_excess(found, recorded)):
        print(f"too slow: {line}", file=sys.stderr)
    return 1 if excess else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
