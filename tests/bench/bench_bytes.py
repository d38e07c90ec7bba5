"""Bytes of situations and of move lists, plain and packed: `python -m tests.bench.bench_bytes [game]`.

Random matches of each variant are played in process, at screens and at real tables where people report what chance
has shown. After each move every seat's `GET …/situation` with `Accept-Language: de` is measured: all of it, and the
list of moves alone. What a picker leaves open is drawn at random; refused moves are drawn again.
"""

from __future__ import annotations

import argparse
import gzip
import random
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from referee.docs.clients.referee_client import build_move
from referee.games import load_games
from tests.api import house

MOVES, TRIES = 150, 60  # of a match; for one move
MATCHES = 3
GERMAN = {"Accept_Language": "de"}
OFFER = "cc.offer_draw"  # it would end most matches soon
LIMIT = 6 * 1024  # bytes of a packed list of moves


@dataclass
class Sizes:
    """Bytes of bodies, plain and packed, and the worst of each kind."""

    plain: list[int] = field(default_factory=list)
    packed: list[int] = field(default_factory=list)
    lists: list[int] = field(default_factory=list)
    packed_lists: list[int] = field(default_factory=list)
    questions: dict[str, int] = field(default_factory=dict)  # the longest packed list by the name of the question

    def measure(self, body: bytes) -> None:
        """Add the body of a situation."""
        moves = orjson.loads(body)["moves"]
        listing = orjson.dumps(moves)
        self.plain.append(len(body))
        self.packed.append(len(gzip.compress(body, 6)))
        self.lists.append(len(listing))
        self.packed_lists.append(len(gzip.compress(listing, 6)))
        name = (moves["question"] or {}).get("name", "")
        self.questions[name] = max(self.questions.get(name, 0), self.packed_lists[-1])


def list_setups(only: str) -> Iterator[tuple[str, str, str]]:
    """Yield game, variant, and where chance lies."""
    for name, game in load_games().items():
        if only in ("", name):
            for variant in game.variants:
                for chance in ("server", "table"):
                    yield name, variant, chance


def play(table: house.Table, dice: random.Random, sizes: Sizes) -> int:
    """Play a match at random as far as `MOVES`; return how many moves were made."""
    for number in range(MOVES):
        awaited = [each for each in table.awaited if each != "clock"]
        for seat, person in enumerate(table.seats):
            sizes.measure(person.get(f"{table.path}/seats/{seat}/situation", **GERMAN).data)
        if not awaited or not make_any_move(table, dice.choice(awaited), dice):
            return number
    return MOVES


def make_any_move(table: house.Table, seat: Any, dice: random.Random) -> bool:
    """Draw moves until one is accepted; return whether one was."""
    person = table.seats[0] if seat == "chance" else table.seats[seat]
    listing: Any = person.get(f"{table.path}/seats/{seat}/moves", **GERMAN).json
    listed = [each["move"] for each in listing["legal"] if each["flag"] != "gives_up" and each["move"]["type"] != OFFER]
    for _ in range(TRIES):
        offers = [*listed, *listing["pickers"]]
        if not offers:
            return False
        offer = dice.choice(offers)
        move = build_move(offer, dice) if "choices" in offer else offer
        if table.move(seat, move, by=person).status_code == 201:
            return True
    return False


def main(only: str) -> None:
    """Print a line for each game, variant and kind of table."""
    app = house.app()
    print(f"{'bytes, median / most':44} {'plain':>15} {'gzip':>15} {'moves':>15} {'moves gzip':>15}")
    for game, variant, chance in list_setups(only):
        dice, sizes, made = random.Random(f"{game} {variant} {chance}"), Sizes(), 0
        seats = max(load_games()[game].min_seats, min(3, load_games()[game].max_seats))
        for _ in range(MATCHES):
            made += play(house.opened(app, game, seats, variant=variant, chance=chance), dice, sizes)
        columns = (sizes.plain, sizes.packed, sizes.lists, sizes.packed_lists)
        shown = " ".join(f"{statistics.median(each):>7.0f} /{max(each):>6}" for each in columns)
        print(f"{game:16} {variant:10} {chance:6} {made:>4} moves {shown}", flush=True)
        for question, most in sorted(sizes.questions.items(), key=lambda each: -each[1])[:3]:
            if most > LIMIT:
                print(f"    above {LIMIT}: {question} {most}", flush=True)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("game", nargs="?", default="")
    main(arguments.parse_args().game)
