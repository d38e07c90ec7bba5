"""An example position for every question of the game, as a person would write it."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]


def build_midway_position(**more: Any) -> Position:
    """Return a position of three players in the middle of a match, seat 0 on turn."""
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


def change_player(at: int, **more: Any) -> list[Position]:
    """Return the players of `build_midway_position` with changes to one of them."""
    return [
        {**player, **more} if seat == at else player for seat, player in enumerate(build_midway_position()["seats"])
    ]


def build_setup_position(**more: Any) -> Position:
    """Return a position of four players before the first turn."""
    return {"seats": [{"hand": [], "party": [], "slain": []} for _ in range(4)], "turn": None, **more}


HERO_ROLL = {"kind": "hero", "about": "bad_axe", "dice": [4, 4]}
ADDED_VALUES = [{"source": "modifier_plus_4", "value": 4, "seat": 2}]
ATTACK = {"kind": "attack", "about": "orthus", "dice": [2, 6]}
DOLL_CARRIER = {"hero": "fluffy", "item": "decoy_doll"}


def build_examples() -> list[Position]:
    """Return an example position for every question."""
    return [
        build_midway_position(),
        {
            "seats": [{"leader": "the_fist_of_reason", "party": ["qi_bear"], "slain": []}, {}],
            "row": ["dracos"],
            "turn": 0,
            "points": 2,
        },
        build_midway_position(question={"asks": "challenge", "card": "iron_resolve", "passed": [1]}),
        build_midway_position(
            question={
                "asks": "modifiers",
                "roll": {**HERO_ROLL, "added": ADDED_VALUES, "targets": {"target": ["fluffy"]}},
            },
            marked=["bad_axe"],
        ),
        build_midway_position(question={"asks": "modifiers", "roll": ATTACK, "passed": [1]}),
        build_midway_position(
            question={
                "asks": "modifiers",
                "roll": {
                    "kind": "challenge",
                    "about": "iron_resolve",
                    "challenger": {"seat": 2, "dice": [5, 2]},
                    "challenged": {"dice": [3, 3]},
                },
            }
        ),
        build_midway_position(
            question={"asks": "dice", "roll": {"kind": "attack", "about": "terratuga"}}, dice="table"
        ),
        build_midway_position(question={"asks": "target", "roll": HERO_ROLL}, marked=["bad_axe"]),
        build_midway_position(question={"asks": "free_roll", "hero": "bad_axe"}),
        build_midway_position(question={"asks": "equip", "item": "bard_mask"}),
        build_midway_position(question={"asks": "choose", "card": "winds_of_change"}),
        build_midway_position(question={"asks": "offer", "card": "dracos", "by": 0}),
        build_midway_position(question={"asks": "discard", "card": "critical_boost", "seats": [0]}),
        build_midway_position(question={"asks": "sacrifice", "card": "terratuga", "part": "penalty", "seats": [0]}),
        build_midway_position(question={"asks": "give", "card": "greedy_cheeks", "seats": [1, 2]}),
        build_midway_position(question={"asks": "look", "card": "sharp_fox", "cards": ["?", "?", "?", "?"]}),
        build_midway_position(
            question={"asks": "put_back", "card": "bullseye", "cards": ["tough_teddy", "bear_claw"]},
            deck={"cards": ["tough_teddy", "bear_claw"], "count": 70},
        ),
        build_midway_position(
            question={"asks": "tell", "card": "bear_claw", "known": {"victim": [1], "pulled": ["?"]}}, cards="table"
        ),
        build_midway_position(
            question={"asks": "instead", "card": "bad_axe", "hero": "fluffy", "use": "corrupted_sabretooth"},
            seats=[
                {**change_player(0)[0], "slain": ["corrupted_sabretooth"]},
                *change_player(1, party=[DOLL_CARRIER])[1:],
            ],
        ),
        build_midway_position(question={"asks": "pull", "card": "plundering_puma", "of": 1, "known": {"victim": [1]}}),
        build_midway_position(
            question={"asks": "next_trigger", "seat": 0, "texts": [{"card": "dracos"}, {"card": "arctic_aries"}]},
            seats=change_player(0, slain=["dracos", "arctic_aries"]),
            monsters=10,
        ),
        build_midway_position(question={"asks": "turn_up"}, row=["terratuga", "orthus"], monsters=12),
        build_midway_position(question={"asks": "shuffle", "where": "deck:"}, deck=["spooky", "snowball"], discard=[]),
        build_midway_position(question={"asks": "redraw"}, cards="table"),
        build_midway_position(
            question={"asks": "name_cards", "seat": 1}, cards="table", named=[1], seats=change_player(0, hand=5)
        ),
        build_setup_position(question={"asks": "first_pick", "contenders": [0, 2, 3], "cast": [4]}),
        build_setup_position(
            question={"asks": "pick_leader", "order": [1, 2, 3]},
            picked=[0],
            leaders=["the_divine_arrow", "the_shadow_claw", "the_fist_of_reason"],
        ),
    ]
