"""Draw the running combat: both sides, help, and what is still to be escaped."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import cast

from referee.engine.rulebook.book import Text
from referee.engine.steps import Step
from referee.games.munchkin.board.cards import MunchkinCard, Tag
from referee.games.munchkin.board.combat import (
    CombatStage,
    MunchkinAddition,
    MunchkinClaim,
    MunchkinCombat,
    MunchkinDeal,
    MunchkinEnhancer,
    MunchkinEscape,
    MunchkinMonster,
    MunchkinPowerUse,
    MunchkinTalks,
)
from referee.games.munchkin.board.drawing_cards import draw_card, find_if_known, number_known_cards
from referee.games.munchkin.components import BOOK, COMBAT, FACES, PLAYS, TOWNSHIP
from referee.games.munchkin.narration import describe_deal
from referee.games.munchkin.rules.combat import helping
from referee.games.munchkin.rules.combat.fleeing import Fleeing
from referee.games.munchkin.rules.combat.rewards import Spoils
from referee.games.munchkin.rules.combat.rolling import compute_needed_roll
from referee.games.munchkin.rules.items.claiming import ClaimWindow
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import (
    ScoreLines,
    count_treasures,
    find_enhancement,
    score_monsters,
    score_munchkins,
    sum_lines,
    tags_of,
)
from referee.games.munchkin.texts.books import LIBRARY
from referee.games.munchkin.values import NOBODY, AddedStrength, Combat, Deal, Foe

PROMISED = "promised"  # where promised cards lie on the board: their hand is hidden from the others
STAGES: dict[type[Step], CombatStage] = {ClaimWindow: "claim", Fleeing: "flight", Spoils: "rewards"}


class CombatCards:
    """The cards of a combat, of which equal ones are told apart by their order."""

    def __init__(self) -> None:
        self.drawn: Counter[str] = Counter()

    def draw_next(self, card: str) -> MunchkinCard:
        """Return a card of the combat that was not drawn before."""
        self.drawn[card] += 1
        return draw_card(card, COMBAT, self.drawn[card])

    def draw_others(self, view: Table) -> list[MunchkinCard]:
        """Return the cards of the combat that were not drawn before."""
        lying = number_known_cards(view.cards_at(COMBAT))
        return [draw_card(card, COMBAT, number) for card, number in lying if number > self.drawn[card]]


def draw_combat(view: Table) -> MunchkinCombat | None:
    """Return the running combat, or None.

    MK-9.2: At equal strength the monsters win.
    """
    combat = view.combat
    if combat is None:
        return None
    cards = CombatCards()
    ours, theirs = find_if_known(score_munchkins, view), find_if_known(score_monsters, view)
    short = None
    if ours is not None and theirs is not None:
        short = max(0, sum_lines(theirs) + 1 - sum_lines(ours))
    return {
        "stage": find_stage(view),
        "main": combat.main,
        "helper": None if combat.helper == NOBODY else combat.helper,
        "is_drafted": combat.forced,
        "strength": {"munchkins": sum_if_known(ours), "monsters": sum_if_known(theirs)},
        "leads": None if short is None else "monsters" if short else "munchkins",
        "short": short,
        "monsters": [draw_monster(view, cards, foe, theirs) for foe in combat.foes],
        "additions": [draw_addition(cards, added) for added in combat.added],
        "other_cards": cards.draw_others(view),
        "removed": combat.removed,
        "levels": helping.count_levels_at_stake(view),
        "treasures": find_if_known(helping.count_treasures_of_kill, view),
        "wins_game": bool(combat.foes) and helping.would_win_game(view),
        "talks": draw_talks(combat),
        "deal": None if combat.deal is None else draw_deal(combat.deal, combat.main),
        "declined": [seat for seat in combat.declined if seat != combat.main],
        "powers_used": [draw_power_use(used) for used in combat.used],
        "claim": draw_claim(view),
        "escapes": [draw_escape(view, pair) for pair in combat.to_flee],
        "helper_first": combat.helper_first,
        "wants_helper_first": list(combat.swap_wanted),
        "died": list(combat.caught),
    }


def sum_if_known(lines: ScoreLines | None) -> int | None:
    """Return the strength that the lines add up to, or None if they are not known."""
    return None if lines is None else sum_lines(lines)


def find_stage(view: Table) -> CombatStage:
    """Return how far the combat has come."""
    return next((STAGES[type(step)] for step in reversed(view.agenda) if type(step) in STAGES), "fight")


# ---- both sides ------------------------------------------------------------------------------------------------------


def draw_monster(view: Table, cards: CombatCards, foe: Foe, lines: ScoreLines | None) -> MunchkinMonster:
    """Return a monster. `lines` are the summands of all monsters, if they are known."""
    face = FACES[foe.of]
    is_twin = foe.card != foe.of
    own = None if lines is None else tuple(line for line in lines if line.of == foe.card)
    return {
        "card": cards.draw_next(foe.card),
        "of": foe.of,
        "name": BOOK.names.get(foe.of),
        "is_twin": is_twin,
        "level": face.level,
        "strength": sum_if_known(own),
        "levels": face.levels,
        "treasures": count_treasures(foe),
        "tags": cast("list[Tag]", sorted(tags_of(foe))),
        "enhancers": [draw_enhancer(cards, card, is_twin) for card in foe.enhancers],
        "bad_stuff": collect_bad_texts(view.rules.edition).get(foe.of),
    }


def draw_enhancer(cards: CombatCards, card: str, is_copy: bool) -> MunchkinEnhancer:
    """Return an enhancer on a monster.

    MK-10.3: A twin has a copy of every enhancer on its double.
    """
    strength, treasures, _ = find_enhancement(card)
    drawn = draw_card(card, COMBAT) if is_copy else cards.draw_next(card)
    return {**drawn, "strength": strength, "treasures": treasures}


@cache
def collect_bad_texts(edition: str) -> dict[str, Text]:
    """Return the bad stuff of all monsters of an edition in words."""
    return {entry["id"]: entry["bad_text"] for entry in LIBRARY.by_edition[edition] if "bad_text" in entry}


def draw_addition(cards: CombatCards, added: AddedStrength) -> MunchkinAddition:
    """Return what a card or a power adds to a side."""
    is_power = FACES[added.card].kind == "citizenship"
    return {
        "card": draw_card(added.card, TOWNSHIP[added.seat]) if is_power else cards.draw_next(added.card),
        "by": added.seat,
        "side": "munchkins" if added.side == "munchkins" else "monsters",
        "strength": added.count,
        "is_one_shot": added.one_shot,
    }


def draw_power_use(used: str) -> MunchkinPowerUse:
    """Return which power was used by whom, as a combat keeps it."""
    power, _, seat = used.rpartition("/")
    return {"power": power, "name": BOOK.names.get(power), "by": int(seat)}


# ---- help ------------------------------------------------------------------------------------------------------------


def draw_talks(combat: Combat) -> MunchkinTalks | None:
    """Return the terms of help that wait for an answer."""
    if combat.asked == NOBODY:
        return None
    return {"by": combat.offered_by, "asked": combat.asked, "deal": draw_deal(combat.offer or Deal(), combat.main)}


def draw_deal(deal: Deal, main: int) -> MunchkinDeal:
    """Return what main gives for help."""
    return {
        "text": describe_deal(deal),
        "treasures": None if deal.all_of_them else deal.treasures,
        "picks": ["main" if who == "main" else "helper" for who in deal.picks],
        "items": [draw_card(card, PLAYS[main]) for card in deal.items],
        "plays": [draw_card(card, PROMISED) for card in deal.plays],
        "note": deal.note,
    }


# ---- the claim and the flight ----------------------------------------------------------------------------------------


def draw_claim(view: Table) -> MunchkinClaim | None:
    """Return who has passed and who may still act while a kill is claimed."""
    window = next((step for step in reversed(view.agenda) if isinstance(step, ClaimWindow)), None)
    if window is None:
        return None
    return {"passed": list(window.passed), "waiting": list(window.find_pending_seats(view))}


def draw_escape(view: Table, pair: str) -> MunchkinEscape:
    """Return a monster that a fighter has still to escape."""
    seat, _, monster = pair.partition("/")
    return {"seat": int(seat), "monster": monster, "face": find_needed_face(view, int(seat), monster)}


def find_needed_face(view: Table, seat: int, monster: str) -> int | None:
    """Return the least face that escapes a monster, or None if it is not known."""
    foe = view.combat.find_foe(monster) if view.combat is not None else None
    return None if foe is None else find_if_known(compute_needed_roll, view, seat, foe)
