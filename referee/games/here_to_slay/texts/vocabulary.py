"""The words of Here to Slay's cards: the common ones, and what the files `nouns.py` and `verbs_of_*.py` add."""

from __future__ import annotations

from dataclasses import replace

from referee.cards.common import COMMON
from referee.cards.words import Vocabulary

COUNTS = ("count", "at_least", "size")
WORDS: Vocabulary = replace(COMMON.extended(), ambient=("me", "this", "hand", "discard"), counts=COUNTS)
