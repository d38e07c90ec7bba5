"""The server's dice: fixed beforehand, even, the same for whoever draws, and redone here by known answers.

The vectors were worked out with `openssl dgst -mac HMAC`, `openssl kdf ... HKDF` and `sha256sum`, not with this code.
"""

from __future__ import annotations

from collections import Counter

import pytest

from referee.match.table.player_seed import PlayerSeed, compute_seed_commitment, encode_seeds
from referee.transparency import randomness
from referee.transparency.randomness import SPAN, ServerRandomSource

KEY = bytes.fromhex("6b1f0e8a94c27d355fe2a3b8c1d04976e5aa10bb3c7d82f69e40135724fd8c6b")
MATCH = "07-abcdefghijklmnopqrstuvwxyz"
SECRET = "efeddad589e6f7ddf886ff1ad7ec320b9510af000da28ea8a35c53c514dffc2b"
DICE_18 = [
    *(0x6BBBE2BDB1273391, 0xCD3ABDE3D930AA29, 0x38E7AC6269C465C4, 0xFB57DD9C8A00D0DE),
    *(0x43620B378A9A3545, 0x7840409F896B21D3, 0x1B0497272D96F440, 0x91C988755B32C72E),
]


@pytest.fixture
def server() -> ServerRandomSource:
    return ServerRandomSource(KEY)


def test_known_answers_of_secret_and_commitment(server):
    assert server.secret(MATCH).hex() == SECRET
    assert server.commitment(MATCH) == "797efb9252487f51165e6f3975f7a5bf4140b1040aaa09572e38e4fe52ed45fd"


def test_known_answers_of_the_stream_over_two_blocks(server):
    below = server.source(MATCH, 0, 18, "dice")
    assert [below(SPAN) for _ in DICE_18] == DICE_18


def test_known_answers_with_seeds_and_for_another_purpose(server):
    assert server.source(MATCH, 0, 18, "dice", b"seedA|seedB")(SPAN) == 0xDED5A5B88F4E2A1A
    assert server.source(MATCH, 0, 18, "shuffle")(SPAN) == 0x812D46E6A72EC59A


def test_known_answers_of_salts(server):
    assert server.salt(MATCH, 0, 18, "full").hex() == "c9594423c0ddfbe9dca0b346b5dd0be9d5a41f0a62593d5231e5d4f17b6fe1d9"
    assert server.salt(MATCH, 0, 18, 2).hex() == "ba8b5e674afedda7ba3dd244dc1cc2b7a852ebbe8bf5c66484e3d01a958d6442"
    assert server.salt(MATCH, 0, 18, "2") == server.salt(MATCH, 0, 18, 2)


def test_known_answers_of_later_generations(server):
    assert server.secret(MATCH, 1).hex() == "8f4230b93fe161baadaa25c734bf90d2d1d66ef6f24a8278d7e6467f9ae79629"
    assert server.secret(MATCH, 2).hex() == "41918454b743eff1ff2186738fae17e9479c9b59375be9b1c47700a90ccdef1e"
    assert server.commitment(MATCH, 1) == "4ad1c592b18a573095974a6e535ab2a1d06b00c18fb6c4c5bc3aa7726ba4e747"
    assert server.salt(MATCH, 1, 18, 2).hex() == "c2e8973ff2876968e0b12b21fc1c55aa187403c100d706d126526a49aa4bfe3d"
    assert server.salt(MATCH, 2, 18, 2).hex() == "81fe89b2bb9cf303fd59289b10471d051d3975ce4ab201649c87b6dd18daf7b3"
    assert server.source(MATCH, 1, 18, "dice")(SPAN) == 0x8A51A4AB15067E8F
    assert server.source(MATCH, 2, 18, "dice")(SPAN) == 0xA139CF777004800C


def test_known_answers_of_the_seeds_of_seats(server):
    shown = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100ff"
    seeds = encode_seeds([PlayerSeed(2, "", shown[1]), PlayerSeed(1, "c", ""), PlayerSeed(0, "", shown[0])])
    assert server.source(MATCH, 0, 18, "dice", seeds)(SPAN) == 0x5BCDBF37F49C9E6E
    said = "9a08743041b59f23f11ca94c3faceae41ace784cf3987770116314ef09aff36f"
    assert compute_seed_commitment(bytes.fromhex(shown[0])) == said


def test_a_draw_is_the_number_of_the_stream_modulo_n(server):
    below = server.source(MATCH, 0, 18, "dice")
    assert [below(6) for _ in DICE_18] == [number % 6 for number in DICE_18]


def test_numbers_beyond_the_last_whole_multiple_of_n_are_thrown_away(server):
    n = SPAN // 2 + 1  # one multiple only: about half of the stream is too large
    below = server.source(MATCH, 0, 18, "dice")
    assert [below(n) for _ in range(4)] == [number for number in DICE_18 if number < n][:4]


@pytest.mark.parametrize("n", [0, -1, SPAN + 1])
def test_there_is_no_draw_below_what_is_no_number_of_sides(server, n):
    with pytest.raises(ValueError, match="below"):
        server.source(MATCH, 0, 1, "dice")(n)


def test_two_desks_draw_alike_and_a_verifier_with_the_disclosed_secret_too(server):
    again, verifier = (
        ServerRandomSource(KEY),
        randomness.build_draw_source(bytes.fromhex(SECRET), MATCH, 5, "deck", b"s"),
    )
    first, second = server.source(MATCH, 0, 5, "deck", b"s"), again.source(MATCH, 0, 5, "deck", b"s")
    drawn = [first(52) for _ in range(100)]
    assert drawn == [second(52) for _ in range(100)] == [verifier(52) for _ in range(100)]
    assert randomness.compute_commitment(bytes.fromhex(SECRET)) == server.commitment(MATCH)


def test_match_generation_version_purpose_seeds_and_key_each_give_a_stream_of_their_own(server):
    sources = [
        server.source(MATCH, 0, 5, "deck"),
        server.source(MATCH.replace("a", "b"), 0, 5, "deck"),
        server.source(MATCH, 1, 5, "deck"),
        server.source(MATCH, 0, 6, "deck"),
        server.source(MATCH, 0, 5, "dice"),
        server.source(MATCH, 0, 5, "deck", b"seed"),
        ServerRandomSource(KEY[::-1]).source(MATCH, 0, 5, "deck"),
    ]
    numbers = [source(SPAN) for source in sources for _ in range(50)]
    assert len(set(numbers)) == len(numbers), "64-bit numbers that meet by chance: once in 10^14 runs"


@pytest.mark.parametrize("sides", [2, 6, 20, 52])
def test_every_side_comes_up_about_equally_often(server, sides):
    below = server.source(MATCH, 0, 1, f"even-{sides}")
    rolls = 600 * sides
    counts = Counter(below(sides) for _ in range(rolls))
    assert set(counts) == set(range(sides))
    squares = sum((count - 600) ** 2 / 600 for count in counts.values())
    assert squares < (sides - 1) + 5 * (2 * (sides - 1)) ** 0.5 + 10, "chi-squared far beyond chance"


def test_successive_dice_do_not_depend_on_each_other(server):
    below = server.source(MATCH, 0, 1, "pairs")
    pairs = Counter((below(6), below(6)) for _ in range(3600))
    assert len(pairs) == 36
    assert sum((count - 100) ** 2 / 100 for count in pairs.values()) < 35 + 5 * 70**0.5


def test_a_short_key_is_refused():
    with pytest.raises(ValueError, match="32 bytes"):
        ServerRandomSource(b"short")
