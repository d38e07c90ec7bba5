"""The vocabulary of Munchkin's card texts.

It holds the common words. `nouns.py` and the files `verbs_of_*.py` add the others.
"""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.alternatives import Alternative, ChooseOne
from referee.cardscript.language.builtins import COMMON_VOCABULARY
from referee.cardscript.language.delayed import Later
from referee.cardscript.language.primitives import Vocabulary
from referee.games.munchkin.rules.cards.texts import AMBIENT

WORDS: Vocabulary = replace(COMMON_VOCABULARY.copy_for_game(), ambient=AMBIENT)
WORDS.register_effect("choose_one")(ChooseOne)
WORDS.register_effect("alternative")(Alternative)
WORDS.register_effect("later")(Later)
