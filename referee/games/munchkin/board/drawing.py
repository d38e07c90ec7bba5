"""Draw the board of Munchkin from a view of its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from referee.cardscript.language.delayed import DelayedText
from referee.engine.parts.boards import Boards
from referee.engine.remembering import remember
from referee.engine.steps import Step
from referee.games.munchkin.board.cards import (
    MunchkinBelonging,
    MunchkinBelongings,
    MunchkinItem,
    MunchkinItems,
    Slot,
    Town,
)
from referee.games.munchkin.board.drawing_cards import (
    draw_card,
    draw_hand,
    draw_pile,
    draw_place,
    find_if_known,
    number_known_cards,
)
from referee.games.munchkin.board.drawing_combat import draw_combat
from referee.games.munchkin.board.drawing_running import draw_running
from referee.games.munchkin.board.shapes import (
    MunchkinBoard,
    MunchkinDelayed,
    MunchkinFigure,
    MunchkinLasting,
    MunchkinSeat,
    MunchkinTrade,
    Phase,
    TurnStep,
)
from referee.games.munchkin.components import (
    CURSES,
    DOOR_DISCARD,
    DOORS,
    FACES,
    HANDS,
    PENDING,
    PLAYS,
    RIDES,
    TOP_LEVEL,
    TOWNSHIP,
    TREASURE_DISCARD,
    TREASURES,
    WON,
)
from referee.games.munchkin.derived import big_limit, count_hands, hand_limit, sum_abilities
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rewards import Spoils
from referee.games.munchkin.rules.dying import Looting
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.rules.setup import CastForStart, DealHands, Preparing
from referee.games.munchkin.rules.turn import AfterDoor, Calm
from referee.games.munchkin.state import CARDS_IN_PLAY, Table
from referee.games.munchkin.strength import ScoreLines, score_player, sum_lines
from referee.games.munchkin.values import NOBODY, LastingValue, Trade

PHASES: dict[type[Step], Phase] = {
    DealHands: "setup",
    Preparing: "setup",
    CastForStart: "setup",
    AfterDoor: "door",
    Fight: "combat",
    ClaimWindow: "claim",
    Spoils: "rewards",
    Fleeing: "flight",
    Looting: "looting",
}
CALM_PHASES: dict[str, Phase] = {"start": "start", "choice": "choice", "after": "charity"}
STEPS_LEFT: dict[str, list[TurnStep]] = {  # by the stage of the turn
    "start": ["kick_door", "choice", "charity"],
    "choice": ["choice", "charity"],
    "after": ["charity"],
}


class MunchkinBoards(Boards):
    """Draws the tables of Munchkin."""

    shape = MunchkinBoard

    def draw(self, view: Table, viewer: int, variant: str) -> MunchkinBoard:
        """Return the board of a view."""
        middle = self.draw_middle(view, variant, (DOORS, TREASURES, DOOR_DISCARD, TREASURE_DISCARD))
        return {
            **middle,
            "piles": [*middle["piles"], self.draw_pile(view, PENDING), self.draw_pile(view, WON)],
            "game": "munchkin",
            "phase": find_phase(view),
            "steps_left": find_steps_left(view),
            "goal": TOP_LEVEL,
            "seats": [draw_player(view, seat) for seat in range(view.rules.seats)],
            "combat": draw_combat(view),
            "running": list(draw_running(view)),
            "trades": [draw_trade(trade) for trade in view.trades],
            "lasting": [draw_lasting(each) for each in view.lasting],
            "later": [draw_delayed(each) for each in view.later],
        }


def draw_lasting(each: LastingValue) -> MunchkinLasting:
    """Return what a card text gives for a while."""
    what: Any = each.what
    until: Any = each.until
    value = each.value or None
    return {"card": each.card, "what": what, "value": value, "until": until, "by": each.by, "seat": each.seat}


def draw_delayed(each: DelayedText) -> MunchkinDelayed:
    """Return what a card text has put off."""
    when: Any = each.when
    return {"card": each.text.card, "seat": each.text.by, "when": when}


# ---- the turn --------------------------------------------------------------------------------------------------------


def find_phase(view: Table) -> Phase | None:
    """Return the phase of the turn, or None between turns."""
    for step in reversed(view.agenda):
        if isinstance(step, Calm):
            return CALM_PHASES[step.stage]
        if type(step) in PHASES:
            return PHASES[type(step)]
    return None


def find_steps_left(view: Table) -> list[TurnStep]:
    """Return what is still to come in the turn.

    MK-5.1: First the door is kicked open, then comes a combat or a choice, then charity.
    MK-5.6: After a combat there is no choice.
    """
    for step in view.agenda:
        if isinstance(step, Calm):
            return STEPS_LEFT[step.stage]
        if isinstance(step, AfterDoor):
            return STEPS_LEFT["after" if view.fought else "choice"]
    return []


# ---- the seats -------------------------------------------------------------------------------------------------------


def draw_player(view: Table, seat: int) -> MunchkinSeat:
    """Return a player."""
    return {
        **draw_figure(view, seat),
        "seat": seat,
        "is_out": seat in view.gone,
        "is_dead": seat in view.dead,
        "gets_new_cards": seat in view.bereft,
        "is_ready": find_readiness(view, seat),
        "role": find_role(view, seat),
        "run_away_bonus": find_if_known(compute_run_away_bonus, view, seat),
        "hand": draw_hand(view, HANDS[seat], view.fresh.get(str(seat), ())),
    }


@remember(*CARDS_IN_PLAY)  # all of it is public, and few moves change it
def draw_figure(view: Table, seat: int) -> MunchkinFigure:
    """Return a player's level and what lies in play before them."""
    lines = find_if_known(score_player, view, seat)
    adds = None if lines is None else collect_additions(lines)
    return {
        "level": view.levels[seat],
        "strength": None if lines is None else sum_lines(lines),
        "towns": find_if_known(find_towns, view, seat),
        "hand_limit": find_if_known(hand_limit, view, seat),
        "hands": find_if_known(count_hands, view, seat),
        "big_limit": find_if_known(big_limit, view, seat),
        "items": draw_items(view, PLAYS[seat], adds),
        "citizenship": draw_pile(view, TOWNSHIP[seat]),
        "ride": draw_belongings(view, RIDES[seat], adds),
        "curses": draw_belongings(view, CURSES[seat], adds),
    }


def collect_additions(lines: ScoreLines) -> dict[str, int]:
    """Return what each card adds to its owner's strength."""
    adds: dict[str, int] = {}
    for line in lines:
        adds[line.card] = adds.get(line.card, 0) + line.count
    return adds


def find_readiness(view: Table, seat: int) -> bool | None:
    """Return whether a player is ready for the first turn, or None once it has begun."""
    if view.turn != NOBODY:
        return None
    preparing = next((step for step in view.agenda if isinstance(step, Preparing)), None)
    return preparing is None or seat in preparing.ready


def compute_run_away_bonus(view: Table, seat: int) -> int:
    """Return what counts for each roll of a player to run away, besides the die.

    Raises Undetermined. What a single monster adds or takes off is not in it.
    MK-17.3: Bonuses and penalties of the player count for all monsters.
    """
    hindered = view.hindered.get(str(seat), 0)
    return sum_abilities(view, seat, "die_rolls") + sum_abilities(view, seat, "escape") + hindered


def find_role(view: Table, seat: int) -> Literal["main", "helper"] | None:
    """Return the part that a player has in the running combat."""
    if view.combat is None or seat not in view.combat.fighters:
        return None
    return "main" if seat == view.combat.main else "helper"


def find_towns(view: Table, seat: int) -> list[Town]:
    """Return the towns whose citizen a player is. Raises Undetermined."""
    return cast("list[Town]", [FACES[card].town for card in view.towns_of(seat)])


def draw_items(view: Table, place: str, adds: Mapping[str, int] | None) -> MunchkinItems:
    """Return the items and one-shots in play before a player.

    What is attached to an item is drawn with it.
    """
    attached = view.attached.values()
    known = number_known_cards(view.cards_at(place))
    items = [draw_item(view, place, card, number, adds) for card, number in known if card not in attached]
    return {**draw_place(view, place), "cards": items}


def draw_item(view: Table, place: str, card: str, number: int, adds: Mapping[str, int] | None) -> MunchkinItem:
    """Return an item or a one-shot in play.

    MK-7.2: Items in use add their bonus, others are only carried.
    """
    face, lying = FACES[card], view.attached.get(card)
    added = None if adds is None else adds.get(card, 0)
    drawn: MunchkinItem = {
        **draw_card(card, place, number),
        "adds": added,
        "slot": cast("Slot | None", face.slot or None),
        "hands": face.hands,
        "is_big": face.big,
        "bonus": face.bonus,
        "gold": face.gold,
        "attached": None if lying is None else draw_card(lying, place),
    }
    if card in view.equipped:
        drawn["marks"] = ["used", "no_bonus"] if face.bonus and added == 0 else ["used"]
    return drawn


def draw_belongings(view: Table, place: str, adds: Mapping[str, int] | None) -> MunchkinBelongings:
    """Return the ride or the lasting curses of a player."""
    cards: list[MunchkinBelonging] = [
        {**draw_card(card, place, number), "adds": None if adds is None else adds.get(card, 0)}
        for card, number in number_known_cards(view.cards_at(place))
    ]
    return {**draw_place(view, place), "cards": cards}


def draw_trade(trade: Trade) -> MunchkinTrade:
    """Return an offer to trade."""
    return {
        "by": trade.by,
        "to": trade.to,
        "gives": [draw_card(card, PLAYS[trade.by]) for card in trade.give],
        "takes": [draw_card(card, PLAYS[trade.to]) for card in trade.take],
    }
