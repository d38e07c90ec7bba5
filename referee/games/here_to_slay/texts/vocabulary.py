"""The words of Here to Slay's cards: the common ones, and what the files `nouns.py` and `verbs_of_*.py` add."""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.builtins import COMMON
from referee.cardscript.language.primitives import Vocabulary

COUNTS = ("count", "at_least", "size")
WORDS: Vocabulary = replace(COMMON.extended(), ambient=("me", "this", "hand", "discard"), counts=COUNTS)
