"""What people hand to the verifier: files, receipts, keys."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from referee.audit.bundles import files
from referee.audit.bundles.files import (
    PublicKeyError,
    ReceiptFileError,
    parse_notes,
    parse_public_key,
    read_bundle_file,
)
from referee.audit.bundles.format import BundleError, encode_bundle
from tests.audit.house import OTHER, SIGNER, finished

NOTE, LATER = SIGNER.sign_receipt("store/match", 7, bytes(32)), OTHER.sign_receipt("store/match", 8, bytes(32))


def test_a_bundle_is_read_from_its_file_packed_or_not(tmp_path: Path) -> None:
    raw = b"".join(encode_bundle(finished().all_lines))
    (tmp_path / "plain").write_bytes(raw)
    (tmp_path / "packed").write_bytes(gzip.compress(raw))
    assert read_bundle_file(tmp_path / "plain") == read_bundle_file(tmp_path / "packed") == finished()


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "empty"),
        (b"\x1f\x8b", "not packed"),
        (gzip.compress(b"{}" * 9000)[:-9], "not packed|too long|no line"),
        (b"\xff\xfe\n" * 3, "no JSON"),
        (b'{"kind":"header"' + b" " * (files.LONGEST_LINE + 9), "too long"),
        (gzip.compress(b" " * (files.LONGEST_LINE * 3)), "too long"),
        (b"[" * 4000 + b"]" * 4000, "no JSON|no line"),
    ],
    ids=["empty", "not packed", "packed and cut", "no text", "long", "packed and long", "deep"],
)
def test_a_file_that_is_no_bundle_is_refused_without_being_read_whole(raw: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(raw)
    with pytest.raises(BundleError, match=says):
        read_bundle_file(tmp_path / "file")


def test_a_file_that_unpacks_to_more_than_a_bundle_may_have_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = b"".join(encode_bundle(finished().all_lines))
    (tmp_path / "file").write_bytes(gzip.compress(raw))
    monkeypatch.setattr(files, "MOST_BYTES", len(raw) - 1)
    with pytest.raises(BundleError, match="longer than"):
        read_bundle_file(tmp_path / "file")


@pytest.mark.parametrize(
    "raw",
    [
        NOTE + LATER,
        NOTE + "\n\n" + LATER,
        (NOTE + LATER).replace("\n", "\r\n"),
        json.dumps([NOTE, LATER]),
        json.dumps({"version": 7, "receipt": NOTE}) + "\n" + json.dumps({"checkpoint": {"note": LATER}}),
        json.dumps([{"receipt": NOTE, "entry": {"version": 7}}, {"note": LATER}]),
    ],
)
def test_receipts_are_found_however_they_were_kept(raw: str) -> None:
    assert parse_notes(raw.encode()) == [NOTE, LATER]


PEM = b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"  \n",
        b"\xff\xfe",
        b"{}",
        b"[",
        b'{"receipt":7}',
        b'{"a":"b"}\n{',
        bytes(99),
        PEM,
        b'["x"]',
        NOTE[:30].encode(),
    ],
)
def test_a_file_without_receipts_is_refused(raw: bytes) -> None:
    with pytest.raises(ReceiptFileError):
        parse_notes(raw)


def test_too_many_receipts_are_refused() -> None:
    with pytest.raises(ReceiptFileError, match="too many"):
        parse_notes(json.dumps(["x"] * (files.MOST_NOTES + 1)).encode())


@pytest.mark.parametrize(
    "text",
    [
        SIGNER.encode_public_pem(),
        SIGNER.encode_verifier_key("store/match"),
        SIGNER.public.hex(),
        base64.b64encode(SIGNER.public).decode(),
        f"  {base64.b64encode(SIGNER.public).decode()}\n",
    ],
)
def test_a_key_is_read_in_any_of_its_spellings(text: str) -> None:
    assert parse_public_key(text) == SIGNER.public


def test_a_key_whose_base64_holds_plus_signs_is_read() -> None:
    key = b"\xfb\xef\xbe" * 10 + b"\xfb\xef"
    assert base64.b64encode(key).count(b"+") > 2
    assert parse_public_key(base64.b64encode(key).decode()) == key


CURVE = generate_private_key(SECP256R1()).public_key()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "g" * 64,
        base64.b64encode(bytes(31)).decode(),
        SIGNER.encode_verifier_key("a").replace("a+", "b+", 1),
        SIGNER.encode_verifier_key("a")[:-8],
        "name+00000000+!!!!",
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        CURVE.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode(),
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(PublicKeyError):
        parse_public_key(text)
