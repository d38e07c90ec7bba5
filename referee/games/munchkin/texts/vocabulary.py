"""The vocabulary of Munchkin's card texts.

It holds the common words. `nouns.py` and the files `verbs_of_*.py` add the others.
"""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.alternatives import Alternative, ChooseOne
from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.cardscript.language.delayed import Later
from referee.cardscript.language.primitives import NumberRange, Vocabulary
from referee.cardscript.language.repeating import MOST_TIMES
from referee.games.munchkin.rules.cards.texts import AMBIENT

CARDS, CHANGES, GOLD, PIPS = (1, 20), (-20, 20), (0, 10_000), (1, 6)
RANGES: dict[str, NumberRange] = {
    **dict.fromkeys(("between.least", "between.most", "turn_die.to"), PIPS),
    **dict.fromkeys(("gain_levels.count", "lose_levels.count", "lose.count"), CARDS),
    **dict.fromkeys(("draw.count", "discard_hand.count", "pull.count", "look_at_deck.count"), CARDS),
    **dict.fromkeys(("bonus.count", "enhance.count", "enhance.treasures", "hinder.count", "lasting.value"), CHANGES),
    **dict.fromkeys(("discard_hand.at_least", "enhance.at_least", "remove.treasures"), (0, 20)),
    **dict.fromkeys(("bonus_min", "bonus_max"), CHANGES),
    **dict.fromkeys(("gold_min", "gold_max", "carried_gold_min"), GOLD),
    **dict.fromkeys(("level_min", "level_max"), (0, 100)),
    **dict.fromkeys(("monsters_max", "hand_min"), (0, 20)),
    "lose_worth.gold": (1, 10_000),
    "repeat.times": (1, MOST_TIMES),
}
WORDS: Vocabulary = replace(COMMON_VOCABULARY.copy_for_game(), ambient=AMBIENT, ranges=RANGES)
WORDS.register_effect("choose_one")(ChooseOne)
WORDS.register_effect("alternative")(Alternative)
WORDS.register_effect("later")(Later)
