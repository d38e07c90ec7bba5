"""The words of Creature Crush's cards: the common ones, and what the other files of this folder add."""

from __future__ import annotations

from dataclasses import replace

from referee.cards.common import COMMON
from referee.cards.words import Vocabulary
from referee.games.creature_crush.conditions import PLAYERS
from referee.games.creature_crush.rules.happenings import AMBIENT

WORDS: Vocabulary = replace(COMMON.extended(), ambient=AMBIENT, players=PLAYERS)
