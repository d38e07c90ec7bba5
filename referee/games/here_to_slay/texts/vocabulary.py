"""The words of Here to Slay's cards.

They are the common ones and those that `nouns.py` and `verbs_of_*.py` add.
"""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.alternatives import Alternative, ChooseOne
from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.cardscript.language.delayed import Later
from referee.cardscript.language.primitives import Vocabulary

COUNT_KEYS = ("count", "at_least", "size", "times")
VOCABULARY: Vocabulary = replace(
    COMMON_VOCABULARY.copy_for_game(), ambient=("me", "this", "hand", "discard"), counts=COUNT_KEYS
)
VOCABULARY.register_effect("choose_one")(ChooseOne)
VOCABULARY.register_effect("alternative")(Alternative)
VOCABULARY.register_effect("later")(Later)
