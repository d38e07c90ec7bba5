"""A position for every question of the game, as a person would write it down."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]


def build_player_match_position(**more: Any) -> Position:
    """Return a position of three players in the middle of a match of variant 1."""
    return {
        "variant": "V1",
        "players": [
            {"hearts": 3, "immune": False, "hand": ["sword", "shield", "life_back", "lightning"]},
            {"hearts": 2, "immune": False, "hand": 4},
            {"hearts": 1, "immune": True, "hand": {"cards": ["shield"], "count": 3}},
        ],
        "discard": ["sword", "thief_1"],
        "event_tray": ["immune"],
        "turn": 0,
        "direction": "clockwise",
        "skipped": None,
        "fallen": [],
        **more,
    }


def build_monster_match_position(**more: Any) -> Position:
    """Return a position of three players, one of them defeated, before the dinosaur."""
    return {
        "variant": "V2",
        "players": [
            {"hearts": 2, "immune": False, "hand": ["sword", "shield", "life_back"]},
            {"hearts": 0, "immune": False, "hand": []},
            {"hearts": 3, "immune": False, "hand": 5},
        ],
        "discard": ["lightning"],
        "turn": 0,
        "direction": "clockwise",
        "monster": {"number": 6, "hearts": 4, "asleep_until": None},
        "fallen": [1],
        **more,
    }


LONG_HAND = {"hearts": 3, "immune": False, "hand": ["sword"] * 5 + ["skip", "thief_2", "life_back"]}


def build_examples(variant: str) -> list[Position]:
    """Return a position for every question of a variant."""
    start: Position = {
        "variant": variant,
        "players": [{"hearts": 3, "immune": False, "hand": []}, {"hearts": 3, "immune": False, "hand": []}],
        "discard": [],
        "event_tray": [],
        "turn": None,
        "direction": "clockwise",
        "fallen": [],
    }
    if variant == "V1":
        make, start = build_player_match_position, start | {"skipped": None}
        special = [
            make(question={"asks": "parry", "seat": 1}),
            make(question={"asks": "parry", "seat": 0, "by": "event"}),
            make(question={"asks": "lightning", "order": [1], "by": 0, "all_parried": False}),
            make(question={"asks": "steal", "victim": 1, "thief": 0, "count": 2}),
        ]
    else:
        make = build_monster_match_position
        start |= {"monster": {"number": 1, "hearts": 1, "asleep_until": None}}
        special = [
            make(question={"asks": "parry", "seat": 0, "by": "monster", "strength": 2}),
            make(
                players=[make()["players"][0], {"hearts": 1, "immune": False, "hand": []}, make()["players"][2]],
                fallen=[],
                question={"asks": "revive_draw", "seat": 1},
            ),
        ]
    return [
        make(question={"asks": "play"}),
        *special,
        make(players=[LONG_HAND, *make()["players"][1:]], question={"asks": "discard_down", "count": 1}),
        make(question={"asks": "draw"}),
        make(question={"asks": "draw_more", "seat": 0, "count": 2}),
        make(question={"asks": "event"}),
        make(question={"asks": "lose_hand", "seat": 0}),
        start | {"question": {"asks": "first_player"}, "pending": [{"asks": "first_hands"}]},
        start
        | {
            "turn": 0,
            "question": {"asks": "deal", "seat": 0, "count": 5},
            "pending": [{"asks": "deal", "seat": 1, "count": 5}, {"asks": "turn_begins", "seat": 0}],
        },
        make(
            draw_pile={"cards": ["sword", "shield"], "more": True},
            discard=["thief_1"],
            question={"asks": "shuffle", "where": "deck:"},
            pending=[{"asks": "look_at_top"}, {"asks": "draw"}, {"asks": "end_of_turn"}],
        ),
    ]
