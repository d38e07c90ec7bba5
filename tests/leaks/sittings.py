"""The tables at which the proof is run: every registered game and variant, dealt by the server and by hand, with the
fewest seats, the most, and a number between, which is another one in the next round. Who else sits there, the settings
and who looks on are drawn, the same ones for the same round."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from referee.engine.game import Game, Setup
from referee.engine.rulings import MalformedInput
from referee.games import load_games
from tests.leaks.sides import Sitting

LIMIT_MS = 60_000  # the time to think, where a setting is one


def sittings(number: int = 0) -> list[Sitting]:
    """A sitting for each of them; other ones in each round."""
    found = []
    for game in load_games().values():
        between = range(game.min_seats + 1, game.max_seats)
        seats = {game.min_seats, game.max_seats}
        if between:
            seats.add(between[number % len(between)])
        for variant, count, chance in product(game.variants, sorted(seats), ("server", "table")):
            found.append(sitting(game, variant, count, chance, random.Random(f"{game.name}{variant}{count}{number}")))
    return found


def sitting(game: Game, variant: str, count: int, chance: str, dice: random.Random) -> Sitting:
    """A table of so many seats."""
    kinds = ["human", *(dice.choices(("human", "bot"), (3, 1))[0] for _ in range(count - 1))]
    if chance == "table" and "bot" not in kinds:
        kinds[-1] = "bot"  # of hands of real cards the server knows nothing that it could tell
    dice.shuffle(kinds)
    humans = [seat for seat, kind in enumerate(kinds) if kind == "human"]
    held = dice.choice([*((seat,) for seat in humans), *((seat,) for seat in humans), ()])
    if len(humans) > 2 and dice.random() < 0.15:
        held = tuple(sorted(dice.sample(humans, 2)))  # one phone, two children
    return Sitting(
        game.name,
        variant,
        tuple({"kind": kind, **({"level": dice.randrange(2)} if kind == "bot" else {})} for kind in kinds),
        chance,
        settings(game, variant, count, dice),
        dice.choice(("public", "private")),
        dice.choice((0, 0, 2)),
        held,
    )


def settings(game: Game, variant: str, count: int, dice: random.Random) -> dict[str, Any]:
    """Settings of the game, drawn each by itself; the printed ones where those do not go together."""
    found = {}
    for name, schema in game.settings.get("properties", {}).items():
        if dice.random() < 0.3 and (choices := options(schema)):
            found[name] = dice.choice(choices)
    try:
        game.build_table(game.complete_setup(Setup(variant, count, found)))
    except MalformedInput:
        return {}
    return found


def options(schema: dict[str, Any]) -> list[Any]:
    """Some values that fit the schema of a setting."""
    if "enum" in schema or "const" in schema:
        return list(schema.get("enum", [schema.get("const")]))
    if "oneOf" in schema or "anyOf" in schema:
        return [value for each in schema.get("oneOf", schema.get("anyOf", [])) for value in options(each)]
    low, high = schema.get("minimum", 0), schema.get("maximum", LIMIT_MS)
    return {
        "boolean": [True, False],
        "integer": [max(low, min(LIMIT_MS, high))],
        "null": [None],
    }.get(str(schema.get("type")), [])
