"""Roots as words: proquints, which anybody can read out."""

from __future__ import annotations

import hashlib

import pytest

from referee.transparency.spoken import speak_root


@pytest.mark.parametrize(
    ("bits", "word"),  # of the proposal: the addresses 127.0.0.1, 63.84.220.193, 140.98.193.141
    [("7f000001", "lusab babad"), ("3f54dcc1", "gutih tugad"), ("8c62c18d", "mudof sakat")],
)
def test_words_are_those_of_the_proposal(bits: str, word: str) -> None:
    assert speak_root(bytes.fromhex(bits + "00000000")) == f"{word} babab babab"


def test_roots_that_differ_in_the_first_64_bits_have_other_words() -> None:
    words = {speak_root(hashlib.sha256(bytes([n])).digest()) for n in range(256)}
    assert len(words) == 256
    assert all(len(each.split()) == 4 and each.replace(" ", "").isalpha() for each in words)
