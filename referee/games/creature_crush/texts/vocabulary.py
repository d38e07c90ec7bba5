"""The words of Creature Crush's cards: the common ones, and those of this folder."""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.alternatives import Alternative, ChooseOne
from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.cardscript.language.primitives import NumberRange, Vocabulary
from referee.cardscript.language.repeating import MOST_TIMES
from referee.games.creature_crush.card_attributes import HIGHEST_COST, HIGHEST_NUMBER
from referee.games.creature_crush.components import MOST_START_DICE
from referee.games.creature_crush.conditions import CARD_CONDITIONS, PLAYER_CONDITIONS, PLAYERS
from referee.games.creature_crush.rules.activating import COMMON_NAMES

CARDS, POINTS, COSTS, COUNTED = (1, 99), (1, HIGHEST_NUMBER), (0, HIGHEST_COST), (0, 99)
# what else is a number is checked by its verb, older books' as well
RANGES: dict[str, NumberRange] = {
    **dict.fromkeys(("choose_some.count", "at_random.count", "search.count", "reveal_top.count"), CARDS),
    **dict.fromkeys(("draw.count", "mill.count", "discard.count"), CARDS),
    **dict.fromkeys(("damage.points", "heal.points"), POINTS),
    **dict.fromkeys(("strengthen.life", "strengthen.shield", "strengthen.growth"), POINTS),
    **dict.fromkeys(("strengthen.attack", "strengthen.armor"), (-HIGHEST_NUMBER, HIGHEST_NUMBER)),
    **dict.fromkeys(("creature.cost_min", "creature.cost_max", "hell_card.cost_max", "search.cost_max"), COSTS),
    **dict.fromkeys(("creature.attack_min", "creature.attack_max", "search.attack_min"), (0, HIGHEST_NUMBER)),
    **dict.fromkeys((f"{word}.count" for word in (*PLAYER_CONDITIONS, *CARD_CONDITIONS)), COUNTED),
    "start_dice.count": (-MOST_START_DICE, MOST_START_DICE),
    "reroll.count": (1, MOST_START_DICE),
    "repeat.times": (1, MOST_TIMES),
}
VOCABULARY: Vocabulary = replace(
    COMMON_VOCABULARY.copy_for_game(), ambient=COMMON_NAMES, players=PLAYERS, ranges=RANGES
)
VOCABULARY.register_effect("choose_one")(ChooseOne)
VOCABULARY.register_effect("alternative")(Alternative)
