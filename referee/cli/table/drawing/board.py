"""Draws the board of any game as lines.

They are seats with their numbers and cards, piles, and what the game shows besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rich.text import Text

from referee.cli.table.drawing.words import Words

SHAPES = "●▲■◆⬟✚★"
COLOURS = ("#2f88d8", "#d9730d", "#119c74", "#c050a0", "#d0402f", "#7a8590", "#8a8f10")  # on light and on dark ground
OWNER = re.compile(r" (of|von|des|der) .*$")  # "items of Player 1": it stands below the player's name
FLAGS = ("is_dead", "is_immune", "is_skipped")


def mark_seat(seat: int, words: Words) -> Text:
    """Return a seat as its shape and name in its colour."""
    return Text(f"{SHAPES[seat % 7]} {words.name_seat(seat)}", style=COLOURS[seat % 7])


def draw_board(board: dict[str, Any], words: Words) -> Iterator[Text]:
    """Yield the lines of the board, not broken yet.

    What belongs to the line above begins with blanks.
    """
    if board["game"] == "shy_monsters":
        yield from _draw_tiles(board)
    for row in board.get("row", ()):
        yield Text.assemble((f"{words.name_card(row['card'])} ", "bold"), draw_span(row["slays"]))
    for seat in board["seats"]:
        yield from _draw_seat(seat, board, words)
    if left := (board.get("dice") or {}).get("left"):
        yield Text(f"{words.t('dice_left')}: {' '.join(map(str, left))}", style="bold")
    for pile in board["piles"]:
        if pile["count"]:
            yield _draw_pile(pile, words, words.say(pile["label"]))


def describe_seat(seat: dict[str, Any], words: Words) -> str:
    """Return the numbers of a seat in one line."""
    parts = []
    if "hearts" in seat:
        parts.append("♥" * seat["hearts"] + "♡" * (seat["of_hearts"] - seat["hearts"]))
    for key in ("level", "deck"):
        if key in seat:
            parts.append(words.t(f"seat.{key}", **seat))
    if "slain" in seat:
        counts = {"slain": len(seat["slain"]), "classes": "?" if seat["classes"] is None else len(seat["classes"])}
        parts.append(words.t("seat.slain", **{**seat, **counts}))
        if seat["points"]:
            parts.append(words.t("seat.points", **seat))
    if seat.get("role") in ("hero", "dungeon_master"):
        parts += [words.t(f"seat.{seat['role']}"), words.t("seat.wins", wins=seat["wins"])]
    parts += [words.t(f"seat.{flag}") for flag in FLAGS if seat.get(flag)]
    if seat.get("is_out"):
        parts.append(words.t("out"))
    elif seat.get("hand") and seat["hand"]["count"] is not None:
        count = seat["hand"]["count"]
        parts.append(words.t("card_left") if count == 1 else words.t("cards_left", n=count))
    return " · ".join(parts)


def _draw_seat(seat: dict[str, Any], board: dict[str, Any], words: Words) -> Iterator[Text]:
    name = mark_seat(seat["seat"], words)
    name.stylize("bold" if board["turn"] == seat["seat"] else "")
    yield Text.assemble(name, "  ", describe_seat(seat, words))
    if leader := seat.get("leader"):
        yield Text(f"  {words.t('leader')}: {words.name_card(leader['card'])}")
    for hero in seat.get("party") or ():
        item = f" + {words.name_card(hero['item'])}" if hero["item"] else ""
        yield Text(f"  {words.name_card(hero['card'])} {draw_span(hero['needs'])}{item}")
    if slain := seat.get("slain"):
        yield Text(f"  {words.t('slain')}: {', '.join(words.name_card(each['card']) for each in slain)}")
    if "field" in seat:
        yield from _draw_field(seat, words)
    for key, pile in seat.items():
        if key != "hand" and isinstance(pile, dict) and pile.get("label") and pile["count"]:
            yield _draw_pile(pile, words, "  " + OWNER.sub("", words.say(pile["label"])))


def draw_span(span: dict[str, Any]) -> str:
    """Return the totals of a roll that do something: 8+ or 4-."""
    return (
        f"{span['least']}+"
        if span["most"] is None
        else f"{span['most']}-"
        if span["least"] is None
        else "{least}–{most}".format(**span)
    )


def _draw_pile(pile: dict[str, Any], words: Words, label: str) -> Text:
    named = [words.name_card(card) for card in pile["cards"] if card["name"]]
    return Text(f"{label} {pile['count']}{': ' if named else ''}{', '.join(named)}")


def _draw_field(seat: dict[str, Any], words: Words) -> Iterator[Text]:
    """Yield the creatures of Creature Crush, with attack and life; crush cards."""
    for place in seat["field"]:
        if creature := place["creature"]:
            numbers = f"⚔{creature['attack']} ♥{creature['life_left']}/{creature['life']}"
            armor = f" ⛨{creature['armor']}" if creature["armor"] else ""
            yield Text(f"  {place['name']} {words.name_card(creature)} {numbers}{armor}")
    if laid := [place for place in seat["crush"] if place["card"]]:
        yield Text("  " + "  ".join(f"{place['name']} {words.name_card(place['card'])}" for place in laid))


TILES = {"entrance": "⌂", "exit": "≡", "corridor": "·", "monster": "M"}


def _draw_tiles(board: dict[str, Any]) -> Iterator[Text]:
    """Yield the floor of Shy Monsters as a map.

    Cards that lie face down are ▒, the hero is @.
    """
    tiles = {(tile["x"], tile["y"]): tile for tile in board["tiles"] or ()}
    if not tiles:
        return
    hero = tuple(board["hero"] or ())
    columns = range(min(x for x, _ in tiles), max(x for x, _ in tiles) + 1)
    yield Text("    " + "".join(f"{column:>3}" for column in columns), style="dim")
    for row in range(min(y for _, y in tiles), max(y for _, y in tiles) + 1):
        line = Text(f"{row:>3} ", style="dim")
        for column in columns:
            tile = tiles.get((column, row))
            if tile is None:
                line.append("   ")
            elif (column, row) == hero:
                line.append("  @", style="bold reverse")
            else:
                line.append("  " + TILES.get(tile["kind"], "▒"), style="dim" if tile["is_alive"] is False else "")
        yield line
