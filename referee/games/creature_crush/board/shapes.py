"""The shapes of the board of Creature Crush: players, places, creatures."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from referee.engine.parts.boards import Board, BoardCard, BoardPile, BoardSeat
from referee.engine.rulebook.book import Text
from referee.games.creature_crush.board.running_shapes import Running

Mark = Literal["entered", "acted", "may_act", "borrowed", "attacks", "attacked"]
Keyword = Literal["lively", "vengeful", "sluggish", "free_aim"]
Phase = Literal["start", "combat", "tactic"]


class CreatureCrushSource(TypedDict):
    """The card whose effect something is, wherever it lies now."""

    card: Annotated[str, "Its design, as in the list of the game's cards"]
    name: Text | None


class CreatureCrushChange(TypedDict):
    """What an effect has changed of a creature."""

    stat: Literal[
        "attack", "armor", "life", "shield", "growth", "spared", "lively", "vengeful", "sluggish", "cannot_attack",
        "cannot_attack_directly", "cannot_be_attacked", "cannot_be_chosen",
    ]  # fmt: skip
    amount: Annotated[int, "Of a keyword: 1, or below 0 if it is lost"]
    is_this_turn: Annotated[bool, "Whether it ends with the turn"]
    until_turn_of: Annotated[int | None, "Whose next turn ends it"]
    by: CreatureCrushSource


class CreatureCrushCreature(TypedDict):
    """A creature on the field. Null values: the position does not say enough."""

    id: Annotated[str, "Names the card on this board. It stays the same as long as no transfer names it"]
    card: Annotated[str | None, "Its design, as in the list of the game's cards"]
    name: Text | None
    back: Annotated[str, "Empty: all backs are alike"]
    marks: Annotated[
        list[Mark],
        "What is true of it just now: it `entered` the field in this turn; it has `acted` in this turn; it `may_act`: "
        "it has an action left; it is `borrowed`: it comes from the other player's deck and goes to that one's hell or "
        "hand; it `attacks`; it is `attacked`",
    ]
    cost: Annotated[int, "The pips that pay for it, and for each of its attacks"]
    attack: Annotated[int | None, "Its attack points now"]
    printed_attack: Annotated[int, "The attack points on the card"]
    armor: Annotated[int | None, "By how much attacks damage it less; less than 0: by how much more"]
    life: Annotated[int, "The life points on the card"]
    damage: int
    life_left: Annotated[int, "Life points, with what effects added, less damage"]
    keywords: Annotated[list[Keyword] | None, "What it has now, by its card or by others; `free_aim`: any enemy"]
    changes: Annotated[list[CreatureCrushChange], "What effects have changed of it; contained in attack and armor"]
    actions_left: Annotated[int | None, "How many actions it has left in this turn; 0 in the turn of the other player"]


class CreatureCrushFieldPlace(TypedDict):
    """A place for a creature.

    Equal columns of the two boards lie opposite each other, with the rows A in the middle.
    """

    place: Annotated[str, "The name of the place, as in the transfers of an entry"]
    name: Annotated[str, "What the board calls it and moves name it by, such as A1"]
    row: Literal["A", "B"]
    column: Annotated[int, "1 to 3"]
    creature: Annotated[CreatureCrushCreature | None, "Null: the place is free"]


class CreatureCrushCrushPlace(TypedDict):
    """A place for a crush card, which lies face down."""

    place: Annotated[str, "The name of the place, as in the transfers of an entry"]
    name: Annotated[str, "What the board calls it and moves name it by, such as C1"]
    column: Annotated[int, "1 to 3"]
    card: Annotated[BoardCard | None, "By name only for its player; null: the place is free"]
    dice: Annotated[int | None, "How many dice were burned for the card; null: the place is free, or nobody knows"]


class CreatureCrushSeat(BoardSeat):
    """A player and the own board."""

    cards_left: Annotated[int | None, "The cards in deck and hand and on the board: without any, the player has lost"]
    deck: BoardPile
    hell: Annotated[BoardPile, "The open discard pile, with all its cards"]
    flipped: Annotated[BoardPile | None, "Crush cards turned up whose effect is still to come; null: none"]
    sought: Annotated[BoardPile | None, "The deck while its player searches it; null otherwise"]
    draft: Annotated[BoardPile | None, "The cards to choose from in the draft; null: none"]
    deck_list: Annotated[list[str] | None, "The designs of the deck brought to the League; null: hidden, or none given"]
    field: Annotated[list[CreatureCrushFieldPlace], "A1 to A3, B1 to B3"]
    crush: Annotated[list[CreatureCrushCrushPlace], "C1 to C3"]
    extra_dice: Annotated[int, "Additional start dice for the next turn, below 0 if it has fewer"]
    crush_change: Annotated[int, "How many dice more the next crush card that is laid costs, below 0 if fewer"]


class CreatureCrushDelayed(TypedDict):
    """Lines of a card text that come later."""

    card: BoardCard
    seat: Annotated[int, "Whose effect it is"]
    when: Annotated[Literal["turn_ends", "next_turn"], "As this turn ends, or as that player's next one begins"]


class CreatureCrushDice(TypedDict):
    """The start dice of this turn."""

    left: Annotated[list[int], "What those show that are not burned, in order of pips"]
    burned: Annotated[int, "How many are burned"]


class CreatureCrushBoard(Board):
    """The table of Creature Crush."""

    game: Literal["creature_crush"]
    phase: Annotated[Phase | None, "The phase of the turn; null between turns and before the first"]
    seats: list[CreatureCrushSeat]
    dice: CreatureCrushDice
    draw_offered_by: Annotated[int | None, "The seat that has offered a draw in this turn"]
    later: Annotated[list[CreatureCrushDelayed], "What card texts have put off"]
    quiet_turns: Annotated[int, "Turns in a row in which nothing has changed"]
    most_quiet_turns: Annotated[int, "How many of them draw the match"]
    running: Annotated[
        list[Running],
        "What is going on beside the course of the turn. The last one is being dealt with and the others wait for it: "
        "an attack waits for the chain that it set off, and the chain for the effect that is carried out",
    ]
