"""The words of Creature Crush's cards: the common ones, and what the other files of this folder add."""

from __future__ import annotations

from dataclasses import replace

from referee.cardscript.language.builtins import COMMON
from referee.cardscript.language.primitives import Vocabulary
from referee.games.creature_crush.conditions import PLAYERS
from referee.games.creature_crush.rules.triggers import AMBIENT

WORDS: Vocabulary = replace(COMMON.extended(), ambient=AMBIENT, players=PLAYERS)
