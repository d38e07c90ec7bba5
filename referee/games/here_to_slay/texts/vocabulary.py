"""The words of Here to Slay's cards.

They are the common ones and those that `nouns.py` and `verbs_of_*.py` add.
"""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.alternatives import Alternative, ChooseOne
from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.cardscript.language.delayed import Later
from referee.cardscript.language.primitives import NumberRange, Vocabulary
from referee.cardscript.language.repeating import MOST_TIMES

TOTALS, CARDS, ON_ROLLS = (1, 20), (1, 20), (-20, 20)  # two dice come to 2 to 12, and cards add to them
RANGES: dict[str, NumberRange] = {
    **dict.fromkeys(("roll.min", "roll.max", "slay.min", "slay.max", "fight_back.min", "fight_back.max"), TOTALS),
    **dict.fromkeys(("hero.roll_min", "hero.roll_max"), TOTALS),
    **dict.fromkeys(("draw.count", "discard.count", "pay.count", "pull.count", "look_at_deck.count"), CARDS),
    **dict.fromkeys(("draw_to.size", "gain_points.count"), CARDS),
    **dict.fromkeys(("lasting.value", "add_value.value"), ON_ROLLS),
    **dict.fromkeys(("check.min", "check.max"), (-99, 99)),
    "discard.at_least": (0, 20),
    "value.among": (-9, 9),
    "repeat.times": (1, MOST_TIMES),
}
COUNT_KEYS = ("count", "at_least", "size", "times")
VOCABULARY: Vocabulary = replace(
    COMMON_VOCABULARY.copy_for_game(), ambient=("me", "this", "hand", "discard"), counts=COUNT_KEYS, ranges=RANGES
)
VOCABULARY.register_effect("choose_one")(ChooseOne)
VOCABULARY.register_effect("alternative")(Alternative)
VOCABULARY.register_effect("later")(Later)
