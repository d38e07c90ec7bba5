"""A position for every question of the game, as a person would write it down."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]
OWN_BOARD = {
    "B1": {"creature": "bog_leech", "damage": 1}, "B2": "iron_boar", "A2": "dusk_bat",
    "C1": "broken_seal", "C2": "sky_bolt",
}  # fmt: skip
STRONGER = {"stat": "attack", "amount": 1, "by": "rune_smith"}
OTHER_BOARD = {
    "A1": "stone_owl", "B3": {"creature": "tar_golem", "changes": [STRONGER]},
    "C1": {"dice": 1}, "C3": {"card": "?", "dice": 2},
}  # fmt: skip
FIRST_PLAYER: Position = {
    "deck": 8,
    "hand": ["hex_toad", "cave_scout", "overthrow", "?"],
    "hell": [],
    "board": OWN_BOARD,
}
SECOND_PLAYER: Position = {"deck": 9, "hand": 4, "hell": {"cards": ["gutter_rat"], "more": True}, "board": OTHER_BOARD}


def build_midgame(*seats: Position, **more: Any) -> Position:
    """Return a position of two players in the middle of a match.

    Seat 0 is on turn in the combat phase. `seats` replace what is usual for the players.
    """
    said = [*seats, *[{}] * (2 - len(seats))]
    players = [{**player, **other} for player, other in zip((FIRST_PLAYER, SECOND_PLAYER), said, strict=True)]
    return {"seats": players, "turn": 0, "start_dice": [2, 3, 6], **more}


def change_board(board: Position, **more: Any) -> Position:
    """Return a board with other things on some places. None clears a place."""
    return {place: said for place, said in {**board, **more}.items() if said is not None}


def build_question(asks: str, **more: Any) -> Position:
    """Build the member that names a question."""
    return {"asks": asks, **more}


ATTACK = {"event": "attack", "about": {"attacker": ["bog_leech"], "defender": ["stone_owl"]}}
BOTH_EFFECTS = [{"card": "bog_leech", "part": "attacks"}, {"card": "stone_owl", "part": "attacked", "by": 1}]
DIRECT = {"event": "direct_attack", "about": {"attacker": ["dusk_bat"]}}
RECOIL = {"card": "recoil", "part": "flip", "by": 1}
SEAL = {"card": "broken_seal", "part": "flip", "known": {"flipped": ["recoil"], "x": [1]}}
BOARD_WITHOUT_SEAL = change_board(OWN_BOARD, C1=None)


def build_chain_examples() -> list[Position]:
    """Return positions with answers to events: one window, an order, a chain of four."""
    attacked = build_question("respond", windows=[ATTACK], links=BOTH_EFFECTS)
    flipped = [{"event": "flipped", "by": 1, "about": {"flipped": ["recoil"]}},
               {"event": "flipped", "by": 0, "about": {"flipped": ["broken_seal"]}}]  # fmt: skip
    chain = build_question("respond", windows=[{**ATTACK, "next": 0}, {**flipped[0], "next": 1}, flipped[1]],
                   links=[*BOTH_EFFECTS, RECOIL, SEAL])  # fmt: skip
    summoned = {"event": "placed", "about": {"summoned": ["hex_toad"]}, "effects": [{"card": "hex_toad",
                                                                                    "part": "action"}]}  # fmt: skip
    toad: Position = {"board": change_board(OWN_BOARD, B3="hex_toad"), "hand": 3}
    return [
        build_midgame(question=build_question("order", **ATTACK), start_dice=[3, 6], burned=1),
        build_midgame(question=attacked, start_dice=[3, 6], burned=1),
        build_midgame(
            {"board": BOARD_WITHOUT_SEAL},
            {"board": change_board(OTHER_BOARD, C1=None, B3=None)},
            question=chain,
            start_dice=[3, 6],
            burned=1,
        ),
        build_midgame(
            {"board": change_board(OWN_BOARD, B2=None)},
            {"board": change_board(OTHER_BOARD, B3=None, C2={"dice": 0})},
            question=build_question("respond", windows=[DIRECT]),
            start_dice=[3, 6],
            burned=1,
        ),
        build_midgame(
            toad,
            question=build_question("respond", windows=[summoned]),
            entered=["hex_toad"],
            start_dice=[2, 6],
            burned=1,
        ),
        build_midgame(
            {"board": change_board(OWN_BOARD, C3="second_wind"), "hell": {"cards": ["bone_pup"], "more": True}},
            question=build_question(
                "respond", windows=[{"event": "destroyed", "about": {"victim/0": ["bone_pup"]}, "next": 0, "passed": 1}]
            ),
        ),
        build_midgame(
            {"board": change_board(OWN_BOARD, C2=None)},
            question=build_question(
                "respond",
                windows=[{"event": "flipped", "about": {"flipped": ["sky_bolt"]}}],
                links=[{"card": "sky_bolt", "part": "flip", "known": {"x": [1]}}],
            ),
        ),
    ]


def build_text_examples() -> list[Position]:
    """Return positions with questions that card texts ask."""
    toad: Position = {"board": change_board(OWN_BOARD, B3="hex_toad"), "hand": 3}
    entered: Position = {"start_dice": [2, 6], "burned": 1}
    enemies = {"board": change_board(OTHER_BOARD, B1="iron_boar")}
    robbery = {"hell": ["hex_toad", "spark_imp"], "hand": 3, "board": change_board(OWN_BOARD, B2=None)}
    pips = {"dice/target": [4, 1, 1]}

    def acting(card: str, **board: Any) -> Position:
        return {"board": change_board(OWN_BOARD, B3=card, **board), "hand": 3}

    return [
        build_midgame(toad, question=build_question("choose", card="hex_toad"), entered=["hex_toad"], **entered),
        build_midgame({"hand": 3}, question=build_question("choose", card="overthrow", known=pips)),
        build_midgame(
            {"board": change_board(OWN_BOARD, B2=None), "hand": 3},
            enemies,
            question=build_question("choose_some", card="banishing_gale"),
        ),
        build_midgame(
            acting("scrap_crow"),
            entered=["scrap_crow"],
            **entered,
            question=build_question("at_random", card="scrap_crow"),
        ),
        build_midgame({"hand": 3}, question=build_question("target_dice", card="overthrow")),
        build_midgame(robbery, question=build_question("place", card="grave_robbery", known={"buried": ["hex_toad"]})),
        build_midgame(
            acting("trench_digger"),
            entered=["trench_digger"],
            **entered,
            question=build_question(
                "place", card="trench_digger", known={"target": ["stone_owl"], "at/target": ["A1/1"]}
            ),
        ),
        build_midgame(
            {"hand": 3},
            question=build_question(
                "place", card="overthrow", known={**pips, "target": ["stone_owl"], "at/target": ["A1/1"]}
            ),
        ),
        build_midgame(
            {**acting("cave_scout"), "deck": [], "sought": ["recoil", "pitfall", "frost_lout"]},
            question=build_question("search", card="cave_scout"),
            entered=["cave_scout"],
            **entered,
        ),
        build_midgame(
            acting("lantern_moth"),
            question=build_question("reroll", card="lantern_moth"),
            entered=["lantern_moth"],
            **entered,
        ),
        build_midgame(
            acting("lantern_moth"),
            question=build_question("roll_again", card="lantern_moth", dice=[2]),
            entered=["lantern_moth"],
            **entered,
        ),
    ]


def build_chance_examples() -> list[Position]:
    """Return positions with questions to chance or to a table of real cards.

    Interruptions and questions between turns are among them.
    """
    direct: Position = {"board": change_board(OWN_BOARD, B2=None)}
    none_left = {"deck": [], "hand": [], "board": {"C1": {"dice": 1}, "C3": {"card": "?", "dice": 2}}}
    real: Position = {"cards": "table", "start_dice": [6], "burned": 2}
    return [
        build_midgame(question=build_question("start_dice", dice=3), phase="start", start_dice=[]),
        build_midgame(
            question=build_question("start_dice", which="quadruple", alike=4), phase="start", start_dice=[4, 4, 4, 4]
        ),
        build_midgame(direct, question=build_question("mill", creature="dusk_bat"), **real),
        build_midgame(
            {"hand": 3},
            {"deck": [], "hand": ["pit_viper", "recoil"]},
            question=build_question("discard", creature="dusk_bat"),
            start_dice=[6],
            burned=2,
        ),
        build_midgame(
            {}, none_left, question=build_question("random_field", creature="dusk_bat"), start_dice=[6], burned=2
        ),
        build_midgame(
            {"hand": 4}, none_left, question=build_question("turn_over", what=["C1/1:1"], creature="dusk_bat"), **real
        ),
        build_midgame(
            question=build_question("shuffle", where="deck/0:"),
            seats=[{**FIRST_PLAYER, "deck": ["hex_toad", "recoil"], "hand": 4}, SECOND_PLAYER],
        ),
        build_midgame(
            {"hand": 5},
            question=build_question("name_cards", seat=0, count=1),
            cards="table",
            named=[0],
            phase="start",
            start_dice=[],
        ),
        build_midgame(question=build_question("answer_draw"), offered=0),
        build_midgame(question=build_question("tactic"), start_dice=[6], burned=2),
        {
            "seats": [{"board": {}, "deck": 20, "hand": []}, {"board": {}, "deck": 20, "hand": []}],
            "question": build_question("first_turn", cast=[4]),
        },
        {
            "seats": [{"board": {}, "deck": [], "hand": []}, {"board": {}, "deck": [], "hand": []}],
            "question": build_question("deck_ready", given={"1": ["ready"]}),
            "cards": "table",
        },
    ]


DECK_LIST = [
    "hex_toad", "cave_scout", "overthrow", "bog_leech", "iron_boar", "dusk_bat", "broken_seal", "sky_bolt", "spark_imp",
    "bone_pup", "moss_tick", "lantern_moth", "gutter_rat", "pebble_brute", "thornback", "scrap_crow", "ember_fox",
    "clay_guard", "salve_sprite", "grave_beetle",
]  # fmt: skip


def build_format_examples(variant: str) -> list[Position]:
    """Return positions with questions and members that only one format has."""
    bare: Position = {"board": {}, "deck": [], "hand": [], "hell": []}
    if variant == "arena":
        seven = ["hex_toad", "cave_scout", "overthrow", "bog_leech", "iron_boar", "dusk_bat", "sky_bolt"]
        drafting = [{**bare, "deck": 4, "draft": seven}, {**bare, "deck": 4, "draft": 7}]
        return [{"seats": drafting, "drafted": 1, "question": build_question("keep", given={"1": []}), "pool": 78}]
    if variant == "league":
        return [
            {"seats": [bare, bare], "question": build_question("bring_deck", given={"0": DECK_LIST}), "pool": 200},
            build_midgame({"list": DECK_LIST}),
        ]
    return []


def build_examples(variant: str) -> list[Position]:
    """Return a position for every question of a format."""
    found = [
        build_midgame(),
        *build_chain_examples(),
        *build_text_examples(),
        *build_chance_examples(),
        *build_format_examples(variant),
    ]
    return found if variant == "skirmish" else [{"variant": variant, **each} for each in found]
