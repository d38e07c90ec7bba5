"""The words of Here to Slay's cards.

They are the common ones and those that `nouns.py` and `verbs_of_*.py` add.
"""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.cardscript.language.primitives import Vocabulary

COUNT_KEYS = ("count", "at_least", "size")
VOCABULARY: Vocabulary = replace(
    COMMON_VOCABULARY.copy_for_game(), ambient=("me", "this", "hand", "discard"), counts=COUNT_KEYS
)
