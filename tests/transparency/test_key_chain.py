"""The chain of keys: each names the next, and what nothing vouches for is seen; leaves have one form."""

from __future__ import annotations

import base64
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.transparency.key_chain import (
    ChainKey,
    RootLeaf,
    decode_leaf,
    encode_key_leaf,
    encode_root_leaf,
    find_trusted_keys,
    sign_statement,
    verify_statement,
)
from referee.transparency.receipts import InvalidNoteError, Signer, verify_note

STORE = "1f3a1f3a1f3a1f3a"


def signer(number: int) -> Signer:
    return Signer(Ed25519PrivateKey.from_private_bytes(bytes([number] * 32)))


def chain(*numbers: int) -> list[ChainKey]:
    """A chain in which each key names the next."""
    found = [ChainKey(signer(numbers[0]).public, 0)]
    for before, after in pairwise(numbers):
        at = len(found) * 1000
        note = sign_statement(signer(before), STORE, signer(after).public, at)
        found.append(ChainKey(signer(after).public, at, note))
    return found


def test_a_statement_names_the_next_key() -> None:
    note = sign_statement(signer(1), STORE, signer(2).public, 1_790_000_000_000)
    text = note.split("\n\n")[0]
    encoded = base64.b64encode(signer(2).public).decode()
    assert text == f"{STORE}/keys\nnext key ed25519 {encoded}\nsince 1790000000000"
    assert verify_statement(note, [signer(1).public]) == ChainKey(signer(2).public, 1_790_000_000_000, note)
    with pytest.raises(InvalidNoteError, match="not of another"):
        verify_statement(note, [signer(1).public], "another")
    with pytest.raises(InvalidNoteError, match="none of the trusted"):
        verify_statement(note, [signer(3).public])


def test_no_character_of_a_statement_can_be_changed() -> None:
    note = sign_statement(signer(1), STORE, signer(2).public, 5)
    for at in range(len(note)):
        for other in ("A", "\n", " ", "1"):
            changed = note[:at] + other + note[at + 1 :]
            if changed != note:
                with pytest.raises(InvalidNoteError):
                    verify_statement(changed, [signer(1).public])


def test_a_statement_is_no_checkpoint_and_a_checkpoint_no_statement() -> None:
    note = sign_statement(signer(1), STORE, signer(2).public, 5)
    with pytest.raises(InvalidNoteError):
        verify_note(note, [signer(1).public])
    checkpoint = signer(1).sign_receipt(f"{STORE}/keys", 5, signer(2).public)
    with pytest.raises(InvalidNoteError, match="names no key"):
        verify_statement(checkpoint, [signer(1).public])


def test_each_key_of_a_chain_is_vouched_for_by_the_one_before_it() -> None:
    keys = chain(1, 2, 3)
    assert find_trusted_keys(keys, store=STORE) == {key.public for key in keys}
    assert find_trusted_keys(keys, [keys[1].public]) == {key.public for key in keys[1:]}, "nobody vouches backwards"


def test_a_key_without_a_word_of_an_earlier_one_is_not_vouched_for() -> None:
    keys = chain(1, 2, 3)
    forged = ChainKey(
        keys[2].public, keys[2].since_ms, sign_statement(signer(9), STORE, keys[2].public, keys[2].since_ms)
    )
    moved = ChainKey(keys[2].public, 7, keys[2].statement)
    bare = ChainKey(keys[2].public, keys[2].since_ms)
    for wrong in (forged, moved, bare):
        assert keys[2].public not in find_trusted_keys([*keys[:2], wrong], store=STORE)
    assert keys[1].public not in find_trusted_keys(keys, store="another")
    assert find_trusted_keys([]) == frozenset()


def test_leaves_say_what_was_written_in_one_form() -> None:
    root = RootLeaf("07-abcdefghijklmnopqrstuvwxyz", 40, bytes(32), "finished")
    assert encode_root_leaf(root) == (
        b'{"kind":"root","match":"07-abcdefghijklmnopqrstuvwxyz","root":"' + b"00" * 32
        + b'","size":40,"status":"finished"}'
    )  # fmt: skip
    assert decode_leaf(encode_root_leaf(root)) == root
    key = chain(1, 2)[1]
    assert decode_leaf(encode_key_leaf(key, signer(1).public)) == key
    assert decode_leaf(encode_key_leaf(ChainKey(signer(1).public, 3))) == ChainKey(signer(1).public, 3)


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"null", b'{"kind":"other"}', b'{"kind":"root"}', b"\xff", b'{"kind":"key","public":"zz"}',
     b'{"kind": "root", "match":"m","root":"","size":1,"status":"s"}',
     b'{"kind":"root","match":"m","root":"","size":"1","status":"s"}'],
)  # fmt: skip
def test_what_is_no_leaf_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"leaf|hexadecimal|Expecting"):
        decode_leaf(data)


def test_openssl_alone_verifies_a_statement(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    text, signature = sign_statement(signer(1), STORE, signer(2).public, 5).split("\n\n")
    (tmp_path / "text").write_text(text + "\n")
    (tmp_path / "signature").write_bytes(base64.b64decode(signature.split(" ")[2])[4:])
    (tmp_path / "public.pem").write_text(signer(1).encode_public_pem())
    command = [openssl, "pkeyutl", "-verify", "-pubin", "-inkey", "public.pem", "-rawin", "-in", "text"]
    done = subprocess.run([*command, "-sigfile", "signature"], cwd=tmp_path, capture_output=True, check=False)
    assert b"Verified Successfully" in done.stdout, done.stderr
