"""A position for every question the game asks, as a person would write it down."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]


def midway(**more: Any) -> Position:
    """Three players in the middle of a match, seat 0 on turn."""
    return {
        "seats": [
            {
                "leader": "the_charismatic_song",
                "hand": ["challenge", "modifier_plus_2_minus_2", "ranger_mask", "destructive_spell", "hook"],
                "party": ["bad_axe", {"hero": "wise_shield", "item": "really_big_ring"}],
                "slain": ["dracos"],
            },
            {
                "leader": "the_divine_arrow",
                "hand": 4,
                "party": ["fluffy", {"hero": "bullseye", "item": "curse_of_the_snakes_eyes"}],
                "slain": [],
            },
            {
                "leader": "the_cloaked_sage",
                "hand": {"cards": ["challenge"], "count": 3},
                "party": ["peanut"],
                "slain": [],
            },
        ],
        "row": ["terratuga", "mega_slime", "orthus"],
        "monsters": 11,
        "deck": 70,
        "discard": {"cards": ["heavy_bear", "modifier_plus_4"], "more": True},
        "turn": 0,
        "points": 2,
        "marked": [],
        "leader_used": False,
        **more,
    }


def with_seat(at: int, **more: Any) -> list[Position]:
    """The players of `midway`, one of them with something else."""
    return [{**player, **more} if seat == at else player for seat, player in enumerate(midway()["seats"])]


def beginning(**more: Any) -> Position:
    """Four players before the first turn."""
    return {"seats": [{"hand": [], "party": [], "slain": []} for _ in range(4)], "turn": None, **more}


HERO_ROLL = {"kind": "hero", "about": "bad_axe", "dice": [4, 4]}
ADDED = [{"source": "modifier_plus_4", "value": 4, "seat": 2}]
ATTACK = {"kind": "attack", "about": "orthus", "dice": [2, 6]}
DOLL = {"hero": "fluffy", "item": "decoy_doll"}


def examples() -> list[Position]:
    """A position for every question."""
    return [
        midway(),
        {"seats": [{"leader": "the_fist_of_reason", "party": ["qi_bear"], "slain": []}, {}], "row": ["dracos"],
         "turn": 0, "points": 2},
        midway(question={"asks": "challenge", "card": "iron_resolve", "passed": [1]}),
        midway(question={"asks": "modifiers", "roll": {**HERO_ROLL, "added": ADDED, "targets": {"target": ["fluffy"]}}},
               marked=["bad_axe"]),
        midway(question={"asks": "modifiers", "roll": ATTACK, "passed": [1]}),
        midway(
            question={
                "asks": "modifiers",
                "roll": {"kind": "challenge", "about": "iron_resolve", "challenger": {"seat": 2, "dice": [5, 2]},
                         "challenged": {"dice": [3, 3]}},
            }
        ),
        midway(question={"asks": "dice", "roll": {"kind": "attack", "about": "terratuga"}}, dice="table"),
        midway(question={"asks": "target", "roll": HERO_ROLL}, marked=["bad_axe"]),
        midway(question={"asks": "free_roll", "hero": "bad_axe"}),
        midway(question={"asks": "equip", "item": "bard_mask"}),
        midway(question={"asks": "choose", "card": "winds_of_change"}),
        midway(question={"asks": "offer", "card": "dracos", "by": 0}),
        midway(question={"asks": "discard", "card": "critical_boost", "seats": [0]}),
        midway(question={"asks": "sacrifice", "card": "terratuga", "part": "penalty", "seats": [0]}),
        midway(question={"asks": "give", "card": "greedy_cheeks", "seats": [1, 2]}),
        midway(question={"asks": "look", "card": "sharp_fox", "cards": ["?", "?", "?", "?"]}),
        midway(question={"asks": "put_back", "card": "bullseye", "cards": ["tough_teddy", "bear_claw"]},
               deck={"cards": ["tough_teddy", "bear_claw"], "count": 70}),
        midway(question={"asks": "tell", "card": "bear_claw", "known": {"victim": [1], "pulled": ["?"]}},
               cards="table"),
        midway(question={"asks": "instead", "card": "bad_axe", "hero": "fluffy", "use": "corrupted_sabretooth"},
               seats=[{**with_seat(0)[0], "slain": ["corrupted_sabretooth"]}, *with_seat(1, party=[DOLL])[1:]]),
        midway(question={"asks": "pull", "card": "plundering_puma", "of": 1, "known": {"victim": [1]}}),
        midway(question={"asks": "next_trigger", "seat": 0, "texts": [{"card": "dracos"}, {"card": "arctic_aries"}]},
               seats=with_seat(0, slain=["dracos", "arctic_aries"]), monsters=10),
        midway(question={"asks": "turn_up"}, row=["terratuga", "orthus"], monsters=12),
        midway(question={"asks": "shuffle", "where": "deck:"}, deck=["spooky", "snowball"], discard=[]),
        midway(question={"asks": "redraw"}, cards="table"),
        midway(question={"asks": "name_cards", "seat": 1}, cards="table", named=[1], seats=with_seat(0, hand=5)),
        beginning(question={"asks": "first_pick", "contenders": [0, 2, 3], "cast": [4]}),
        beginning(question={"asks": "pick_leader", "order": [1, 2, 3]}, picked=[0],
                  leaders=["the_divine_arrow", "the_shadow_claw", "the_fist_of_reason"]),
    ]  # fmt: skip
