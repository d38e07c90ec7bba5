"""Timestamps over checkpoints of the root log (RFC 3161).

They are given by an authority that is not this server. A stamp is a folder of three files: the checkpoint, the request
and the answer. OpenSSL checks it, too:

    openssl ts -verify -data checkpoint -in response.tsr -CAfile CERTIFICATE
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import NameOID
from rfc3161_client import (
    HashAlgorithm,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)
from rfc3161_client.tsp import PKIStatus, TimeStampRequest

from referee.infrastructure.disk import sync_to_disk
from referee.infrastructure.errors import HostError
from referee.infrastructure.publication.http_post import SECONDS, PeerError, post_bytes
from referee.infrastructure.publication.stamp_files import (
    CHECKPOINT,
    REQUEST,
    RESPONSE,
    StampFileError,
    read_small_file,
)

QUERY_TYPE, REPLY_TYPE = "application/timestamp-query", "application/timestamp-reply"
MOST_BYTES = 64 * 1024  # of an answer, with the certificates in it
SHA256_OID = "2.16.840.1.101.3.4.2.1"
BEGUN = ".begun."  # how the names of folders begin that are not finished


class StampError(HostError):
    """A timestamp is not over these bytes, or not by a trusted authority."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """By when the bytes existed, and who says so."""

    at: datetime
    authority: str


# -- asking ------------------------------------------------------------------------------------------------------------


def request_stamp(
    url: str, checkpoint: str, certificates: Sequence[x509.Certificate], folder: Path, *, seconds: float = SECONDS
) -> tuple[Path, Stamp]:
    """Ask an authority for a timestamp over a checkpoint, and keep it in the folder.

    Return where it is, and what it says. Nothing is kept that does not pass the check. Raises PeerError (no answer),
    StampError (a wrong one), HostError (the folder cannot be written).
    """
    request = TimestampRequestBuilder().data(checkpoint.encode()).hash_algorithm(HashAlgorithm.SHA256).build()
    answer = post_bytes(url, request.as_bytes(), QUERY_TYPE, accept=REPLY_TYPE, most_bytes=MOST_BYTES, seconds=seconds)
    if answer.status != 200 or answer.media_type != REPLY_TYPE:
        raise PeerError(f"{url} gave no timestamp: status {answer.status}, {answer.media_type or 'no media type'}")
    stamp = verify_stamp(checkpoint.encode(), answer.body, certificates, request=request)
    return _keep(folder, checkpoint.encode(), request.as_bytes(), answer.body, stamp), stamp


def _keep(folder: Path, checkpoint: bytes, request: bytes, response: bytes, stamp: Stamp) -> Path:
    """Write the three files into a folder that appears when it is whole."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        begun = Path(tempfile.mkdtemp(dir=folder, prefix=BEGUN))
        try:
            for name, data in ((CHECKPOINT, checkpoint), (REQUEST, request), (RESPONSE, response)):
                (begun / name).write_bytes(data)
                sync_to_disk(begun / name)
            sync_to_disk(begun)
            digest = hashlib.sha256(response).hexdigest()[:8]
            kept = folder / f"{stamp.at.strftime('%Y%m%dT%H%M%SZ')}-{digest}"
            os.rename(begun, kept)
        except BaseException:
            shutil.rmtree(begun, ignore_errors=True)
            raise
        sync_to_disk(folder)
    except OSError as wrong:
        raise HostError(f"{folder} cannot be written: {wrong.strerror}") from wrong
    return kept


# -- checking ----------------------------------------------------------------------------------------------------------


def verify_stamp(
    data: bytes,
    response: bytes,
    certificates: Sequence[x509.Certificate],
    *,
    request: TimeStampRequest | None = None,
) -> Stamp:
    """Return what a timestamp says if it is over these bytes.

    The certificates are those that vouch for its authority, up to the root. They need to be valid at the time of the
    stamp, not now. With the request, the answer must be to that request. Raises StampError.
    """
    if not certificates:
        raise StampError("no certificate of a timestamp authority was given")
    try:
        found = decode_timestamp_response(response)
    except ValueError as wrong:  # its message shows the parser's own data
        raise StampError("it is no answer of a timestamp authority (RFC 3161)") from wrong
    try:
        if PKIStatus(found.status) is not PKIStatus.GRANTED:
            raise StampError(f"the authority refused: {' '.join(found.status_string) or f'status {found.status}'}")
        builder = VerifierBuilder() if request is None else VerifierBuilder.from_request(request)
        for certificate in dict.fromkeys(certificates):
            builder = builder.add_root_certificate(certificate)
        if found.tst_info.message_imprint.hash_algorithm != x509.ObjectIdentifier(SHA256_OID):
            raise StampError("the timestamp is not over a SHA-256 of these bytes")
        builder.build().verify_message(found, data)
        return Stamp(_find_latest_time(found), _find_authority(found, certificates))
    except (VerificationError, ValueError) as wrong:
        raise StampError(f"the timestamp does not hold: {wrong}") from wrong


def _find_latest_time(response: TimeStampResponse) -> datetime:
    """Return the time of a stamp, plus how far off the authority says it may be."""
    at, accuracy = response.tst_info.gen_time, response.tst_info.accuracy
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    if accuracy is None:
        return at
    return at + timedelta(
        seconds=accuracy.seconds or 0, milliseconds=accuracy.millis or 0, microseconds=accuracy.micros or 0
    )


def _find_authority(response: TimeStampResponse, certificates: Iterable[x509.Certificate]) -> str:
    """Return the name in the certificate that signed, which has been checked."""
    (signer,) = response.signed_data.signer_infos
    inner = (x509.load_der_x509_certificate(each) for each in response.signed_data.certificates)
    for each in (*inner, *certificates):
        if (each.issuer, each.serial_number) == (signer.issuer, signer.serial_number):
            names = each.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
            return str(names[0].value) if names else each.subject.rfc4514_string()
    raise StampError("the certificate of the authority is missing")


# -- files -------------------------------------------------------------------------------------------------------------


def read_certificates(path: Path) -> list[x509.Certificate]:
    """Return the certificates in a file, PEM or DER. Raises StampFileError."""
    data = read_small_file(path)
    try:
        if b"-----BEGIN" in data:
            return x509.load_pem_x509_certificates(data)
        return [x509.load_der_x509_certificate(data)]
    except ValueError as wrong:
        raise StampFileError(f"{path} holds no certificate: {wrong}") from wrong
