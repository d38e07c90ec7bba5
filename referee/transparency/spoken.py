"""Roots as words that people read to each other across a table.

They are proquints (arXiv:0901.4016): a word of five letters for 16 bits, alike in all languages. Four of
them are 64 bits, enough that nobody finds another history with the same words during a match.
"""

from __future__ import annotations

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
WORDS = 4


def speak_root(root: bytes) -> str:
    """Return the first 64 bits of a root as four words."""
    return " ".join(_speak(int.from_bytes(root[at : at + 2], "big")) for at in range(0, 2 * WORDS, 2))


def _speak(bits: int) -> str:
    """Return the word for 16 bits: consonants of four bits, vowels of two."""
    return "".join(
        (CONSONANTS[bits >> shift & 15] if letters == CONSONANTS else VOWELS[bits >> shift & 3])
        for shift, letters in ((12, CONSONANTS), (10, VOWELS), (6, CONSONANTS), (4, VOWELS), (0, CONSONANTS))
    )
