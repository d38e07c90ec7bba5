"""The words of Creature Crush's cards: the common ones, and those of this folder."""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.alternatives import Alternative, ChooseOne
from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.cardscript.language.primitives import Vocabulary
from referee.games.creature_crush.conditions import PLAYERS
from referee.games.creature_crush.rules.activating import COMMON_NAMES

VOCABULARY: Vocabulary = replace(COMMON_VOCABULARY.copy_for_game(), ambient=COMMON_NAMES, players=PLAYERS)
VOCABULARY.register_effect("choose_one")(ChooseOne)
VOCABULARY.register_effect("alternative")(Alternative)
