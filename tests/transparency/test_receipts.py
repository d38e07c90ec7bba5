"""Receipts: deterministic, checked by our own reader and by openssl, and refused once a byte is changed."""

from __future__ import annotations

import base64
import hashlib
import shutil
import stat
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric import x25519
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from referee.audit.bundles.files import parse_notes
from referee.infrastructure.keyring import load_signer
from referee.infrastructure.secrets import InsecureFileError
from referee.transparency.receipts import Checkpoint, InvalidNoteError, Signer, compute_key_id, verify_note

ORIGIN = "store-1f3a/07-abcdefghijklmnopqrstuvwxyz"
ROOT = hashlib.sha256(b"root").digest()


@pytest.fixture
def signer() -> Signer:
    return Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def test_the_key_is_made_at_the_first_start_private_and_stays(tmp_path):
    path = tmp_path / "keys" / "signing.pem"
    first = load_signer(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text().startswith("-----BEGIN PRIVATE KEY-----"), "PKCS#8 in PEM"
    assert load_signer(path).public == first.public
    assert load_signer(path).fingerprint == hashlib.sha256(first.public).hexdigest()


def test_an_exposed_key_or_one_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "signing.pem"
    load_signer(path)
    path.chmod(0o644)
    with pytest.raises(InsecureFileError, match="chmod 600"):
        load_signer(path)
    path.chmod(0o600)
    path.write_bytes(
        x25519.X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    with pytest.raises(InsecureFileError, match="not Ed25519"):
        load_signer(path)
    path.write_text("nothing of the kind")
    with pytest.raises(InsecureFileError, match="no unencrypted private key"):
        load_signer(path)


def test_a_receipt_is_a_checkpoint_in_a_signed_note(signer):
    note = signer.sign_receipt(ORIGIN, 17, ROOT)
    text, signature = note.split("\n\n")
    assert text == f"{ORIGIN}\n17\n{base64.b64encode(ROOT).decode()}"
    dash, name, encoded = signature.rstrip("\n").split(" ")
    assert (dash, name) == ("\N{EM DASH}", ORIGIN)
    raw = base64.b64decode(encoded)
    assert raw[:4] == hashlib.sha256(ORIGIN.encode() + b"\n\x01" + signer.public).digest()[:4]
    assert len(raw) == 68


def test_known_answer_of_a_receipt(signer):
    """Ed25519 has one signature for a text; this one was made with `openssl pkeyutl -sign -rawin`."""
    assert signer.sign_receipt("store/m", 1, bytes(32)) == (
        "store/m\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n"
        "\N{EM DASH} store/m "
        "JCsPQ27BW/EakPJPnNw85jesqZXR7lAf5DkQM1uisJxakJB36lRP7DBoR/vsecLUtj3Lh7ikcMC7SDuq88rrDkaCowA=\n"
    )


def test_the_key_id_is_the_one_of_the_specifications_example():
    """C2SP signed-note, Verifier keys: the example's key and its id."""
    encoded = "AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
    kind_and_key = base64.b64decode(encoded)
    assert kind_and_key[:1] == b"\x01"
    assert compute_key_id("example.com/foo", kind_and_key[1:]).hex() == "530d903a"


def test_the_verifier_key_is_written_as_the_specification_has_it(signer):
    name, number, encoded = signer.encode_verifier_key(ORIGIN).split("+", 2)
    assert (name, number) == (ORIGIN, compute_key_id(ORIGIN, signer.public).hex())
    assert base64.b64decode(encoded) == b"\x01" + signer.public


def test_a_repeated_commit_gets_the_very_same_receipt(signer):
    assert signer.sign_receipt(ORIGIN, 17, ROOT) == signer.sign_receipt(ORIGIN, 17, ROOT)


def test_a_receipt_verifies_and_says_what_was_signed(signer):
    note = signer.sign_receipt(ORIGIN, 17, ROOT)
    assert verify_note(note, [signer.public]) == Checkpoint(ORIGIN, 17, ROOT)
    assert verify_note(note, [signer.public], ORIGIN).size == 17
    with pytest.raises(InvalidNoteError, match="not about"):
        verify_note(note, [signer.public], "store-1f3a/another")


def test_another_key_does_not_verify_it(signer):
    other = Signer(Ed25519PrivateKey.from_private_bytes(bytes(32)))
    with pytest.raises(InvalidNoteError, match="none of the trusted keys"):
        verify_note(signer.sign_receipt(ORIGIN, 17, ROOT), [other.public])
    with pytest.raises(InvalidNoteError, match="none of the trusted keys"):
        verify_note(signer.sign_receipt(ORIGIN, 17, ROOT), [])


def test_no_character_of_a_receipt_can_be_changed(signer):
    note = signer.sign_receipt(ORIGIN, 17, ROOT)
    for at in range(len(note)):
        for other in ("A", "\n", " ", "1"):
            changed = note[:at] + other + note[at + 1 :]
            if changed != note:
                with pytest.raises(InvalidNoteError):
                    verify_note(changed, [signer.public])


def test_signatures_of_unknown_keys_are_passed_over_and_a_false_one_of_a_known_key_is_not(signer):
    note = signer.sign_receipt(ORIGIN, 17, ROOT)
    witness = Signer(Ed25519PrivateKey.from_private_bytes(bytes(32))).sign_receipt(ORIGIN, 17, ROOT).split("\n\n")[1]
    assert verify_note(note + witness, [signer.public]).size == 17
    later = signer.sign_receipt(ORIGIN, 18, ROOT).split("\n\n")[1]
    with pytest.raises(InvalidNoteError, match="does not fit"):
        verify_note(note + later, [signer.public])


def extended(signer, *lines):
    """A checkpoint with extension lines, as other logs and witnesses write them."""
    text = f"{ORIGIN}\n17\n{base64.b64encode(ROOT).decode()}\n" + "".join(f"{line}\n" for line in lines)
    return signer.sign_note(ORIGIN, text)


@pytest.mark.parametrize(
    "lines", [("2026-11-28",), ("more", "and more"), ("\N{EM DASH} no signature",), ("ends here ", "ä")]
)
def test_extension_lines_are_signed_with_the_rest_and_change_nothing(signer, lines):
    note = extended(signer, *lines)
    assert verify_note(note, [signer.public], ORIGIN) == Checkpoint(ORIGIN, 17, ROOT)
    assert parse_notes((note + signer.sign_receipt(ORIGIN, 18, ROOT) + note).encode())[::2] == [note, note]
    with pytest.raises(InvalidNoteError, match="does not fit"):
        verify_note(note.replace(lines[0], f"{lines[0]}.", 1), [signer.public], ORIGIN)


def test_an_extension_line_is_not_empty(signer):
    for lines in (("",), ("a", "", "b"), ("a", "")):
        with pytest.raises(InvalidNoteError):
            verify_note(extended(signer, *lines), [signer.public])


@pytest.mark.parametrize(
    "text",
    [
        "o\n01\n{root}\n",
        "o\n-1\n{root}\n",
        "o\n1\n{root}\n\nmore\n",
        "o\n1\n",
        "o\n" + "9" * 5000 + "\n{root}\n",
        "o\n1\nAAAA\n",
        "a b\n1\n{root}\n",
    ],
)
def test_a_signed_text_that_is_no_checkpoint_is_refused(signer, text):
    text = text.format(root=base64.b64encode(ROOT).decode())
    with pytest.raises(InvalidNoteError):
        verify_note(f"{text}\n\N{EM DASH} o AAAAAAAAAAAA\n", [signer.public])


@pytest.mark.parametrize(
    ("origin", "size", "root"),
    [("", 1, ROOT), ("a b", 1, ROOT), ("a+b", 1, ROOT), ("a\nb", 1, ROOT), ("a", -1, ROOT), ("a", 1, b"short")],
)
def test_what_no_checkpoint_can_hold_is_not_signed(signer, origin, size, root):
    with pytest.raises(ValueError, match=r"origin|size"):
        signer.sign_receipt(origin, size, root)


def test_openssl_alone_verifies_a_receipt(signer, tmp_path):
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    text, signature = signer.sign_receipt(ORIGIN, 17, ROOT).split("\n\n")
    (tmp_path / "text").write_text(text + "\n")
    (tmp_path / "signature").write_bytes(base64.b64decode(signature.split(" ")[2])[4:])
    (tmp_path / "public.pem").write_text(signer.encode_public_pem())
    command = [openssl, "pkeyutl", "-verify", "-pubin", "-inkey", "public.pem", "-rawin", "-in", "text"]
    done = subprocess.run([*command, "-sigfile", "signature"], cwd=tmp_path, capture_output=True, check=False)
    assert b"Verified Successfully" in done.stdout, done.stderr
