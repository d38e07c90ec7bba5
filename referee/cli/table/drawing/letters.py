"""Large letters, three lines high, for whose turn it is.

Each letter is drawn five pixels high, with a sixth row above it for dots and accents. Two pixels are one character.
"""

from __future__ import annotations

import unicodedata

PIXELS = {  # five rows of each letter, from the top
    "A": "010 101 111 101 101", "B": "110 101 110 101 110", "C": "011 100 100 100 011", "D": "110 101 101 101 110",
    "E": "111 100 110 100 111", "F": "111 100 110 100 100", "G": "011 100 101 101 011", "H": "101 101 111 101 101",
    "I": "1 1 1 1 1", "J": "001 001 001 101 010", "K": "101 101 110 101 101", "L": "100 100 100 100 111",
    "M": "10001 11011 10101 10001 10001", "N": "1001 1101 1011 1001 1001", "O": "111 101 101 101 111",
    "P": "110 101 110 100 100", "Q": "111 101 101 111 001", "R": "110 101 110 101 101", "S": "011 100 010 001 110",
    "T": "111 010 010 010 010", "U": "101 101 101 101 111", "V": "101 101 101 101 010",
    "W": "10001 10001 10101 10101 01010", "X": "101 101 010 101 101", "Y": "101 101 010 010 010",
    "Z": "111 001 010 100 111", "ß": "110 101 110 101 110", "0": "010 101 101 101 010", "1": "01 11 01 01 01",
    "2": "110 001 010 100 111", "3": "110 001 010 001 110", "4": "101 101 111 001 001", "5": "111 100 110 001 110",
    "6": "011 100 111 101 111", "7": "111 001 010 010 010", "8": "111 101 111 101 111", "9": "111 101 111 001 110",
    " ": "00 00 00 00 00", "!": "1 1 1 0 1", "?": "110 001 010 000 010", ".": "0 0 0 0 1", ",": "00 00 00 01 10",
    "-": "000 000 111 000 000", "'": "1 1 0 0 0", "\u2019": "1 1 0 0 0", ":": "0 1 0 1 0",
}  # fmt: skip
HALVES = {("0", "0"): " ", ("1", "0"): "▀", ("0", "1"): "▄", ("1", "1"): "█"}


def draw_large(text: str, width: int) -> list[str] | None:
    """Return the text in three lines.

    Returns None if a letter is missing or they are too wide.
    """
    rows = [""] * 6
    for letter in text:
        parts = unicodedata.normalize("NFD", letter if letter == "ß" else letter.upper())
        base, accents = parts[0], parts[1:]
        if base not in PIXELS:
            return None
        pixels = PIXELS[base].split()
        wide = len(pixels[0])
        above = "" if not accents else "101" if accents == "\u0308" else "010"
        for at, row in enumerate([above.center(wide, "0"), *pixels]):
            rows[at] += row + "0"
    if len(rows[0]) > width:
        return None
    return ["".join(HALVES[pair] for pair in zip(rows[at], rows[at + 1], strict=True)) for at in (0, 2, 4)]
