"""The words of Munchkin's cards: the common ones, and what the files `nouns.py` and `verbs_*.py` add."""

from __future__ import annotations

from dataclasses import replace

from referee.cards.common import COMMON
from referee.cards.words import Vocabulary
from referee.games.munchkin.rules.texts import AMBIENT

WORDS: Vocabulary = replace(COMMON.extended(), ambient=AMBIENT)
