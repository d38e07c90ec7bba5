"""Example positions, one for every question that the game asks."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]
MAIN = {
    "level": 6, "hand": ["second_helping", "os_fruitcake", "town_easter", "puddle_bat"],
    "items": ["candy_hook", "crooked_crown", "os_moth_cloak"], "towns": ["town_halloween"], "ride": ["ride_sleigh"],
    "curses": [],
}  # fmt: skip
SECOND = {"level": 7, "hand": 5, "items": ["chained_lantern"], "towns": [], "ride": [], "curses": []}
THIRD = {
    "level": 4, "hand": {"cards": ["drafted"], "count": 4}, "items": [], "towns": ["town_thanksgiving"], "ride": [],
    "curses": [],
}  # fmt: skip


def build_midway_position(*seats: Position, **more: Any) -> Position:
    """Return a position of three players in the middle of a match, seat 0 on turn.

    `seats` overrides members of the first players.
    """
    overrides = [*seats, *[{}] * (3 - len(seats))]
    players = [{**player, **other} for player, other in zip((MAIN, SECOND, THIRD), overrides, strict=True)]
    return {"seats": players, "doors": 60, "treasures": 45, "turn": 0, **more}


def build_combat_position(*seats: Position, combat: Position | None = None, **more: Any) -> Position:
    """Return a position with a combat of seat 0 against the Wolfman."""
    return build_midway_position(*seats, combat={"monsters": ["wolfman"], **(combat or {})}, **more)


def build_question(asks: str, **more: Any) -> Position:
    """Return the member that names a question."""
    return {"asks": asks, **more}


def build_flight_combat(*monsters: str) -> Position:
    """Return a combat in which seat 0 still has to escape these monsters."""
    flight = [{"seat": 0, "monster": monster} for monster in monsters]
    return {"monsters": list(monsters) or ["wolfman"], "to_flee": flight}


CLAIMED = {
    "monsters": [{"monster": "wolfman", "enhancers": ["enh_asleep"]}],
    "added": [{"card": "os_popping_corn", "seat": 2, "side": "munchkins", "count": 2}],
}
HELPED = {"monsters": ["pumpkin_brute"], "helper": 2, "deal": {"treasures": 1, "picks": ["helper", "main"]}}
TERMS = {"terms": {"asked": 1, "deal": {"treasures": 1, "items": ["crooked_crown"]}}}
WON = {"monsters": ["pumpkin_brute"], "helper": 1, "deal": {"treasures": 1}}
TWIN = {
    "monsters": ["wolfman", {"monster": "wolfman", "twin_by": "second_helping"}],
    "to_flee": [{"seat": 0, "monster": "second_helping"}], "helper": 1,
}  # fmt: skip


def build_examples() -> list[Position]:
    """Return a position for every question."""
    return [
        build_midway_position(),
        build_midway_position(question=build_question("calm", stage="choice")),
        build_midway_position({"hand": 8}, question=build_question("calm", stage="after"), fought=True),
        {
            "seats": [
                {"level": 9, "items": ["candy_hook"], "towns": [], "ride": [], "curses": []},
                {"level": 3},
                {"level": 5},
            ],
            "combat": {"main": 0, "monsters": ["stale_candy_swarm"]},
        },
        build_combat_position(),
        build_combat_position(combat=TERMS),
        build_combat_position(
            combat={
                "helper": 1,
                "drafted": True,
                "used": [{"power": "scare", "seat": 0}],
                "added": [{"card": "town_halloween", "side": "munchkins", "count": 3}],
            }
        ),
        build_combat_position(combat=CLAIMED, question=build_question("claim", passed=[1])),
        build_combat_position(
            combat=HELPED, question=build_question("claim"), trades=[{"by": 1, "to": 2, "give": ["chained_lantern"]}]
        ),
        build_combat_position(combat=build_flight_combat("wolfman", "bog_bride"), question=build_question("flee")),
        build_combat_position(
            combat=build_flight_combat("wolfman"), question=build_question("flight_die", monster="wolfman")
        ),
        build_combat_position(
            {"next_flight": -2, "hand": ["os_knucklebone"]},
            combat=build_flight_combat("wolfman"),
            question=build_question("flight_die_fell", monster="wolfman", value=2),
        ),
        build_combat_position(
            {"hand": ["os_knucklebone"]},
            combat={"monsters": ["ink_fiend"]},
            question=build_question("die", card="ink_fiend", part="bad_stuff"),
        ),
        build_combat_position(
            {"hand": ["os_knucklebone"]},
            combat={"monsters": ["ink_fiend"]},
            question=build_question("die_fell", card="ink_fiend", part="bad_stuff", value=3),
        ),
        build_midway_position(question=build_question("curse", card="curse_headgear")),
        build_combat_position(question=build_question("curse", card="curse_two_levels", victim=1, by=2)),
        build_combat_position(combat=WON, won=["bat_hat", "gual_coin"], question=build_question("share", order=[1, 0])),
        build_combat_position(combat=WON, question=build_question("turn_up", count=2), cards="table"),
        build_midway_position(
            {},
            {},
            {"hand": [], "items": [], "left_behind": ["stilts", "bat_hat"]},
            dead=[2],
            bereft=[2],
            question=build_question("take", of=2, order=[1, 0]),
        ),
        build_midway_position(question=build_question("keep_one", drawn=["town_easter", "puddle_bat"])),
        build_midway_position(
            {"items": ["candy_hook", "crooked_crown"]}, question=build_question("choose", card="loose_stitches")
        ),
        build_midway_position(question=build_question("lose_items", card="curse_small_item")),
        build_combat_position(
            combat={"monsters": ["tinsel_serpent"]},
            question=build_question("lose_items", card="tinsel_serpent", part="bad_stuff", chosen_by=1),
        ),
        build_combat_position(
            combat={"monsters": ["bone_bailiff"]}, question=build_question("pay", card="bone_bailiff", part="bad_stuff")
        ),
        build_combat_position(
            combat={"monsters": ["cellar_imp"]}, question=build_question("offer", card="cellar_imp", part="bad_stuff")
        ),
        build_combat_position(
            combat={"monsters": ["gravy_wisp"]}, question=build_question("discard", card="gravy_wisp", part="bad_stuff")
        ),
        build_midway_position(
            question=build_question("open_door"),
            cards="table",
            seats=[{**MAIN, "hand": 4}, SECOND, {**THIRD, "hand": 4}],
        ),
        build_midway_position(
            question=build_question("shuffle", where="treasures:"), treasures=["stilts", "bat_hat"], treasure_discard=[]
        ),
        build_midway_position({"hand": 3}, question=build_question("name_cards", seat=0), cards="table", named=[0]),
        {
            "seats": [{"level": 1, "hand": 8, "items": [], "towns": [], "ride": [], "curses": []} for _ in range(4)],
            "doors": 80,
            "treasures": 56,
            "door_discard": [],
            "treasure_discard": [],
            "question": build_question("ready", ready=[2]),
        },
        {
            "seats": [{"level": 1, "hand": 8, "items": [], "towns": [], "ride": [], "curses": []} for _ in range(3)],
            "question": build_question("first_turn", cast=[4]),
        },
        *build_longhand_examples(),
    ]


def build_longhand_examples() -> list[Position]:
    """Return positions with questions that have no short form.

    They are written as the codec stores steps, with the steps beneath where those matter.
    """
    towns = {"towns": ["town_easter", "town_halloween", "dual_citizenship"]}
    after = {"type": "mk.AfterDoor", "seat": 0}
    die = {"type": "mk.AfterRoll", "seat": 0, "card": "wolfman", "called": "", "value": 2}
    dying = {"type": "mk.Looting", "seat": 2}
    casting = {**dying, "opened": True, "casting": [1, 0]}
    dead: Position = {"dead": [2], "bereft": [2]}
    left = {"hand": [], "items": [], "left_behind": ["stilts", "bat_hat"]}
    return [
        build_midway_position(
            {"items": ["candy_hook", "rusty_bell", "chained_lantern"]},
            {"items": []},
            question={"type": "mk.UseLess", "seat": 0},
        ),
        build_midway_position(
            {"items": ["confetti_cannon", "drumstick_club"], "in_use": [], "ride": []},
            question={"type": "mk.TooManyBig", "seat": 0},
        ),
        build_midway_position(
            {"towns": ["town_easter", "town_halloween"]}, question={"type": "mk.OneTownLess", "seat": 0}
        ),
        build_midway_position(towns, question={"type": "mk.LoseTown", "seat": 0, "card": "curse_lose_town"}),
        build_midway_position(towns, question={"type": "mk.SwapTown", "seat": 0, "card": "curse_swap_town"}),
        build_midway_position(question={"type": "mk.Pulling", "seat": 1, "of": 0}),
        build_midway_position(question={"type": "mk.DiscardAtRandom", "seat": 0, "card": "puddle_bat"}),
        build_combat_position(
            combat=build_flight_combat("wolfman"),
            question={"type": "mk.TurnDie", "seat": 0, "card": "os_knucklebone"},
            pending_steps=[die, {"type": "mk.Fleeing", "begun": True}, after],
        ),
        build_midway_position(
            {"hand": 4},
            {},
            {"hand": 2},
            cards="table",
            **dead,
            question={"type": "mk.NamingDead", "seat": 2, "count": 2},
            pending_steps=[dying, after],
        ),
        build_midway_position(
            {"level": 7},
            {},
            left,
            **dead,
            question={"type": "mk.CastForLoot", "seat": 1},
            pending_steps=[casting, after],
        ),
    ]
