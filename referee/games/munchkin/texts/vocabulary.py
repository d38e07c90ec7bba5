"""The words of Munchkin's cards: the common ones, and what the files `nouns.py` and `verbs_*.py` add."""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.cardscript.language.primitives import Vocabulary
from referee.games.munchkin.rules.cards.texts import AMBIENT

WORDS: Vocabulary = replace(COMMON_VOCABULARY.copy_for_game(), ambient=AMBIENT)
