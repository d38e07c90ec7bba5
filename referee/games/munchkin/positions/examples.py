"""A position for every question the game asks, as a person would write it down."""

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


def midway(*seats: Position, **more: Any) -> Position:
    """Three players in the middle of a match, seat 0 on turn; `seats` say otherwise of the first of them."""
    said = [*seats, *[{}] * (3 - len(seats))]
    players = [{**player, **other} for player, other in zip((MAIN, SECOND, THIRD), said, strict=True)]
    return {"seats": players, "doors": 60, "treasures": 45, "turn": 0, **more}


def fighting(*seats: Position, combat: Position | None = None, **more: Any) -> Position:
    """A combat of seat 0 with the Wolfman."""
    return midway(*seats, combat={"monsters": ["wolfman"], **(combat or {})}, **more)


def asking(asks: str, **more: Any) -> Position:
    """The member that names a question."""
    return {"asks": asks, **more}


def running(*monsters: str) -> Position:
    """A combat in which seat 0 has still to escape these monsters."""
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


def examples() -> list[Position]:
    """A position for every question."""
    return [
        midway(),
        midway(question=asking("calm", stage="choice")),
        midway({"hand": 8}, question=asking("calm", stage="after"), fought=True),
        {"seats": [{"level": 9, "items": ["candy_hook"], "towns": [], "ride": [], "curses": []}, {"level": 3},
                   {"level": 5}], "combat": {"main": 0, "monsters": ["stale_candy_swarm"]}},
        fighting(),
        fighting(combat=TERMS),
        fighting(combat={"helper": 1, "drafted": True, "used": [{"power": "scare", "seat": 0}],
                         "added": [{"card": "town_halloween", "side": "munchkins", "count": 3}]}),
        fighting(combat=CLAIMED, question=asking("claim", passed=[1])),
        fighting(combat=HELPED, question=asking("claim"), trades=[{"by": 1, "to": 2, "give": ["chained_lantern"]}]),
        fighting(combat=running("wolfman", "bog_bride"), question=asking("flee")),
        fighting(combat=running("wolfman"), question=asking("flight_die", monster="wolfman")),
        fighting({"next_flight": -2, "hand": ["os_knucklebone"]}, combat=running("wolfman"),
                 question=asking("flight_die_fell", monster="wolfman", value=2)),
        fighting({"hand": ["os_knucklebone"]}, combat={"monsters": ["ink_fiend"]},
                 question=asking("die", card="ink_fiend", part="bad_stuff")),
        fighting({"hand": ["os_knucklebone"]}, combat={"monsters": ["ink_fiend"]},
                 question=asking("die_fell", card="ink_fiend", part="bad_stuff", value=3)),
        midway(question=asking("curse", card="curse_headgear")),
        fighting(question=asking("curse", card="curse_two_levels", victim=1, by=2)),
        fighting(combat=WON, won=["bat_hat", "gual_coin"], question=asking("share", order=[1, 0])),
        fighting(combat=WON, question=asking("turn_up", count=2), cards="table"),
        midway({}, {}, {"hand": [], "items": [], "left_behind": ["stilts", "bat_hat"]}, dead=[2], bereft=[2],
               question=asking("take", of=2, order=[1, 0])),
        midway(question=asking("keep_one", drawn=["town_easter", "puddle_bat"])),
        midway({"items": ["candy_hook", "crooked_crown"]}, question=asking("choose", card="loose_stitches")),
        midway(question=asking("lose_items", card="curse_small_item")),
        fighting(combat={"monsters": ["tinsel_serpent"]}, question=asking(
            "lose_items", card="tinsel_serpent", part="bad_stuff", chosen_by=1)),
        fighting(combat={"monsters": ["bone_bailiff"]}, question=asking("pay", card="bone_bailiff", part="bad_stuff")),
        fighting(combat={"monsters": ["cellar_imp"]}, question=asking("offer", card="cellar_imp", part="bad_stuff")),
        fighting(combat={"monsters": ["gravy_wisp"]}, question=asking("discard", card="gravy_wisp", part="bad_stuff")),
        midway(question=asking("open_door"), cards="table", seats=[{**MAIN, "hand": 4}, SECOND, {**THIRD, "hand": 4}]),
        midway(question=asking("shuffle", where="treasures:"), treasures=["stilts", "bat_hat"], treasure_discard=[]),
        midway({"hand": 3}, question=asking("name_cards", seat=0), cards="table", named=[0]),
        {"seats": [{"level": 1, "hand": 8, "items": [], "towns": [], "ride": [], "curses": []} for _ in range(4)],
         "doors": 80, "treasures": 56, "door_discard": [], "treasure_discard": [],
         "question": asking("ready", ready=[2])},
        {"seats": [{"level": 1, "hand": 8, "items": [], "towns": [], "ride": [], "curses": []} for _ in range(3)],
         "question": asking("first_turn", cast=[4])},
        *unsaid(),
    ]  # fmt: skip


def unsaid() -> list[Position]:
    """Questions that have no short form: as the referee keeps them, with what waits beneath where it matters."""
    towns = {"towns": ["town_easter", "town_halloween", "dual_citizenship"]}
    after = {"type": "mk.AfterDoor", "seat": 0}
    die = {"type": "mk.AfterRoll", "seat": 0, "card": "wolfman", "called": "", "value": 2}
    dying = {"type": "mk.Looting", "seat": 2}
    casting = {**dying, "opened": True, "casting": [1, 0]}
    dead: Position = {"dead": [2], "bereft": [2]}
    left = {"hand": [], "items": [], "left_behind": ["stilts", "bat_hat"]}
    return [
        midway({"items": ["candy_hook", "rusty_bell", "chained_lantern"]}, {"items": []},
               question={"type": "mk.UseLess", "seat": 0}),
        midway({"items": ["confetti_cannon", "drumstick_club"], "in_use": [], "ride": []},
               question={"type": "mk.TooManyBig", "seat": 0}),
        midway({"towns": ["town_easter", "town_halloween"]}, question={"type": "mk.OneTownLess", "seat": 0}),
        midway(towns, question={"type": "mk.LoseTown", "seat": 0, "card": "curse_lose_town"}),
        midway(towns, question={"type": "mk.SwapTown", "seat": 0, "card": "curse_swap_town"}),
        midway(question={"type": "mk.Pulling", "seat": 1, "of": 0}),
        midway(question={"type": "mk.DiscardAtRandom", "seat": 0, "card": "puddle_bat"}),
        fighting(combat=running("wolfman"), question={"type": "mk.TurnDie", "seat": 0, "card": "os_knucklebone"},
                 pending_steps=[die, {"type": "mk.Fleeing", "begun": True}, after]),
        midway({"hand": 4}, {}, {"hand": 2}, cards="table", **dead,
               question={"type": "mk.NamingDead", "seat": 2, "count": 2}, pending_steps=[dying, after]),
        midway({"level": 7}, {}, left, **dead, question={"type": "mk.CastForLoot", "seat": 1},
               pending_steps=[casting, after]),
    ]  # fmt: skip
