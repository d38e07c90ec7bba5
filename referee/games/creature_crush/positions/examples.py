"""A position for every question the game asks, as a person would write it down."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]
MINE = {
    "B1": {"creature": "bog_leech", "damage": 1}, "B2": "iron_boar", "A2": "dusk_bat",
    "C1": "broken_seal", "C2": "sky_bolt",
}  # fmt: skip
STRONGER = {"stat": "attack", "amount": 1, "by": "rune_smith"}
THEIRS = {
    "A1": "stone_owl", "B3": {"creature": "tar_golem", "changes": [STRONGER]},
    "C1": {"dice": 1}, "C3": {"card": "?", "dice": 2},
}  # fmt: skip
FIRST: Position = {"deck": 8, "hand": ["hex_toad", "cave_scout", "overthrow", "?"], "hell": [], "board": MINE}
SECOND: Position = {"deck": 9, "hand": 4, "hell": {"cards": ["gutter_rat"], "more": True}, "board": THEIRS}


def midway(*seats: Position, **more: Any) -> Position:
    """Two players in the middle of a match, seat 0 on turn in the combat phase; `seats` say otherwise of them."""
    said = [*seats, *[{}] * (2 - len(seats))]
    players = [{**player, **other} for player, other in zip((FIRST, SECOND), said, strict=True)]
    return {"seats": players, "turn": 0, "start_dice": [2, 3, 6], **more}


def on(board: Position, **more: Any) -> Position:
    """A board on which these places hold something else; None: nothing."""
    return {place: said for place, said in {**board, **more}.items() if said is not None}


def asking(asks: str, **more: Any) -> Position:
    """The member that names a question."""
    return {"asks": asks, **more}


ATTACK = {"event": "attack", "about": {"attacker": ["bog_leech"], "defender": ["stone_owl"]}}
BOTH = [{"card": "bog_leech", "part": "attacks"}, {"card": "stone_owl", "part": "attacked", "by": 1}]
DIRECT = {"event": "direct_attack", "about": {"attacker": ["dusk_bat"]}}
RECOIL = {"card": "recoil", "part": "flip", "by": 1}
SEAL = {"card": "broken_seal", "part": "flip", "known": {"flipped": ["recoil"], "x": [1]}}
LYING = on(MINE, C1=None)


def chains() -> list[Position]:
    """Answers to events: one window, an order, a chain of four with three windows."""
    attacked = asking("respond", windows=[ATTACK], links=BOTH)
    flipped = [{"event": "flipped", "by": 1, "about": {"flipped": ["recoil"]}},
               {"event": "flipped", "by": 0, "about": {"flipped": ["broken_seal"]}}]  # fmt: skip
    chain = asking("respond", windows=[{**ATTACK, "next": 0}, {**flipped[0], "next": 1}, flipped[1]],
                   links=[*BOTH, RECOIL, SEAL])  # fmt: skip
    summoned = {"event": "placed", "about": {"summoned": ["hex_toad"]}, "effects": [{"card": "hex_toad",
                                                                                    "part": "action"}]}  # fmt: skip
    toad: Position = {"board": on(MINE, B3="hex_toad"), "hand": 3}
    return [
        midway(question=asking("order", **ATTACK), start_dice=[3, 6], burned=1),
        midway(question=attacked, start_dice=[3, 6], burned=1),
        midway({"board": LYING}, {"board": on(THEIRS, C1=None, B3=None)}, question=chain, start_dice=[3, 6], burned=1),
        midway({"board": on(MINE, B2=None)}, {"board": on(THEIRS, B3=None, C2={"dice": 0})},
               question=asking("respond", windows=[DIRECT]), start_dice=[3, 6], burned=1),
        midway(toad, question=asking("respond", windows=[summoned]), entered=["hex_toad"], start_dice=[2, 6], burned=1),
        midway({"board": on(MINE, C3="second_wind"), "hell": {"cards": ["bone_pup"], "more": True}}, question=asking(
            "respond", windows=[{"event": "destroyed", "about": {"victim/0": ["bone_pup"]}, "next": 0, "passed": 1}])),
        midway({"board": on(MINE, C2=None)}, question=asking(
            "respond", windows=[{"event": "flipped", "about": {"flipped": ["sky_bolt"]}}],
            links=[{"card": "sky_bolt", "part": "flip", "known": {"x": [1]}}])),
    ]  # fmt: skip


def texts() -> list[Position]:
    """What texts of cards ask."""
    toad: Position = {"board": on(MINE, B3="hex_toad"), "hand": 3}
    entered: Position = {"start_dice": [2, 6], "burned": 1}
    enemies = {"board": on(THEIRS, B1="iron_boar")}
    robbery = {"hell": ["hex_toad", "spark_imp"], "hand": 3, "board": on(MINE, B2=None)}
    pips = {"dice/target": [4, 1, 1]}

    def acting(card: str, **board: Any) -> Position:
        return {"board": on(MINE, B3=card, **board), "hand": 3}

    return [
        midway(toad, question=asking("choose", card="hex_toad"), entered=["hex_toad"], **entered),
        midway({"hand": 3}, question=asking("choose", card="overthrow", known=pips)),
        midway({"board": on(MINE, B2=None), "hand": 3}, enemies, question=asking("choose_some", card="banishing_gale")),
        midway(acting("scrap_crow"), entered=["scrap_crow"], **entered,
               question=asking("at_random", card="scrap_crow")),
        midway({"hand": 3}, question=asking("target_dice", card="overthrow")),
        midway(robbery, question=asking("place", card="grave_robbery", known={"buried": ["hex_toad"]})),
        midway(acting("trench_digger"), entered=["trench_digger"], **entered, question=asking(
            "place", card="trench_digger", known={"target": ["stone_owl"], "at/target": ["A1/1"]})),
        midway({"hand": 3}, question=asking(
            "place", card="overthrow", known={**pips, "target": ["stone_owl"], "at/target": ["A1/1"]})),
        midway({**acting("cave_scout"), "deck": [], "sought": ["recoil", "pitfall", "frost_lout"]},
               question=asking("search", card="cave_scout"), entered=["cave_scout"], **entered),
        midway(acting("lantern_moth"), question=asking("reroll", card="lantern_moth"), entered=["lantern_moth"],
               **entered),
        midway(acting("lantern_moth"), question=asking("roll_again", card="lantern_moth", dice=[2]),
               entered=["lantern_moth"], **entered),
    ]  # fmt: skip


def by_chance() -> list[Position]:
    """What chance decides, or a table of real cards reports, and what cuts in or comes between the turns."""
    direct: Position = {"board": on(MINE, B2=None)}
    none_left = {"deck": [], "hand": [], "board": {"C1": {"dice": 1}, "C3": {"card": "?", "dice": 2}}}
    real: Position = {"cards": "table", "start_dice": [6], "burned": 2}
    return [
        midway(question=asking("start_dice", dice=3), phase="start", start_dice=[]),
        midway(question=asking("start_dice", which="quadruple", alike=4), phase="start", start_dice=[4, 4, 4, 4]),
        midway(direct, question=asking("mill", creature="dusk_bat"), **real),
        midway({"hand": 3}, {"deck": [], "hand": ["pit_viper", "recoil"]},
               question=asking("discard", creature="dusk_bat"), start_dice=[6], burned=2),
        midway({}, none_left, question=asking("random_field", creature="dusk_bat"), start_dice=[6], burned=2),
        midway({"hand": 4}, none_left, question=asking("turn_over", what=["C1/1:1"], creature="dusk_bat"), **real),
        midway(question=asking("shuffle", where="deck/0:"),
               seats=[{**FIRST, "deck": ["hex_toad", "recoil"], "hand": 4}, SECOND]),
        midway({"hand": 5}, question=asking("name_cards", seat=0, count=1), cards="table", named=[0], phase="start",
               start_dice=[]),
        midway(question=asking("answer_draw"), offered=0),
        midway(question=asking("tactic"), start_dice=[6], burned=2),
        {"seats": [{"board": {}, "deck": 20, "hand": []}, {"board": {}, "deck": 20, "hand": []}],
         "question": asking("first_turn", cast=[4])},
        {"seats": [{"board": {}, "deck": [], "hand": []}, {"board": {}, "deck": [], "hand": []}],
         "question": asking("deck_ready", given={"1": ["ready"]}), "cards": "table"},
    ]  # fmt: skip


LIST = [
    "hex_toad", "cave_scout", "overthrow", "bog_leech", "iron_boar", "dusk_bat", "broken_seal", "sky_bolt", "spark_imp",
    "bone_pup", "moss_tick", "lantern_moth", "gutter_rat", "pebble_brute", "thornback", "scrap_crow", "ember_fox",
    "clay_guard", "salve_sprite", "grave_beetle",
]  # fmt: skip


def of_the_format(variant: str) -> list[Position]:
    """What only one format asks, or says."""
    bare: Position = {"board": {}, "deck": [], "hand": [], "hell": []}
    if variant == "arena":
        seven = ["hex_toad", "cave_scout", "overthrow", "bog_leech", "iron_boar", "dusk_bat", "sky_bolt"]
        drafting = [{**bare, "deck": 4, "draft": seven}, {**bare, "deck": 4, "draft": 7}]
        return [{"seats": drafting, "drafted": 1, "question": asking("keep", given={"1": []}), "pool": 78}]
    if variant == "league":
        return [
            {"seats": [bare, bare], "question": asking("bring_deck", given={"0": LIST}), "pool": 200},
            midway({"list": LIST}),
        ]
    return []


def examples(variant: str) -> list[Position]:
    """A position for every question of a format."""
    found = [midway(), *chains(), *texts(), *by_chance(), *of_the_format(variant)]
    return found if variant == "skirmish" else [{"variant": variant, **each} for each in found]
