"""Witnesses: cosignatures as C2SP writes them, our own witness, and witnesses written here that do wrong."""

from __future__ import annotations

import base64
import hashlib
import http.client
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from referee.audit import standalone
from referee.audit.bundles.files import parse_notes
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.errors import HostError
from referee.infrastructure.publication.cosigned import CosignedFile, Witness, WitnessError, collect_cosignatures
from referee.infrastructure.publication.http_post import PeerError, post_bytes
from referee.infrastructure.publication.tile_folder import write_tiles
from referee.infrastructure.publication.witness import (
    MOST_REQUEST_BYTES,
    MOST_REQUESTS,
    WatchingWitness,
    build_server,
)
from referee.infrastructure.root_publisher import RootPublisher
from referee.transparency.cosignatures import (
    AddCheckpoint,
    WitnessKey,
    cosign,
    find_cosignatures,
    parse_add_checkpoint,
    parse_witness_key,
)
from referee.transparency.receipts import InvalidNoteError, Signer, split_note, verify_note
from tests.infrastructure.publication.authority import serve_bytes
from tests.infrastructure.publication.test_tile_folder import STORE, build_publisher, grow

NAME = "witness.example/w1"
LOG_KEY = Ed25519PrivateKey.from_private_bytes(bytes([1] * 32))
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes([9] * 32))
PUBLIC = PRIVATE.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
SIZE = "text/x.tlog.size"


def write_line(text: str, at_s: int, private: Ed25519PrivateKey = PRIVATE, name: str = NAME) -> str:
    """Write a cosignature from the specification alone."""
    public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    key_id = hashlib.sha256(name.encode() + b"\n\x04" + public).digest()[:4]
    signature = private.sign(b"cosignature/v1\ntime %d\n" % at_s + text.encode())
    return f"\u2014 {name} {base64.b64encode(key_id + at_s.to_bytes(8, 'big') + signature).decode()}\n"


def build_with(folder: Path, size: int) -> tuple[RootPublisher, CosignedFile]:
    file = CosignedFile(folder / "cosigned-roots")
    publisher = RootPublisher(MemoryLog(), Signer(LOG_KEY), STORE, file)
    grow(publisher, size)
    return publisher, file


def build_witness(folder: Path, publisher: RootPublisher, now: Callable[[], float] = time.time) -> WatchingWitness:
    folder.mkdir(exist_ok=True)
    return WatchingWitness(Signer(PRIVATE), NAME, [(publisher.origin, publisher.signer.public)], folder, now)


@contextmanager
def served(witness: WatchingWitness) -> Iterator[str]:
    with build_server(witness, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def ask(publisher: RootPublisher, old: int, size: int | None = None) -> bytes:
    size, _, note = publisher.sign_checkpoint(size)
    return AddCheckpoint(old, publisher.prove_consistency(old, size) if old else (), note).encode()


# -- the form ----------------------------------------------------------------------------------------------------------


def test_a_cosignature_is_the_one_that_the_specification_describes() -> None:
    text = split_note(build_publisher().sign_checkpoint()[2])[0]
    assert cosign(Signer(PRIVATE), NAME, text, 1679315147) == write_line(text, 1679315147)


def test_the_example_of_the_specification_is_read() -> None:
    """C2SP tlog-cosignature: the line of a witness whose key is not told, so only its form can be looked at."""
    note = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "\u2014 example.com/behind-the-sofa "
        "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        "\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5"
        "nNo0xUe+mbIUBkBIfZ+qnA==\n"
    )
    _, (_, (name, key_id, stamped)) = split_note(note)
    assert (name, key_id.hex(), len(stamped)) == ("witness.example.com/w1", "8d66cf3f", 72)
    assert int.from_bytes(stamped[:8], "big") == 1679315147


def test_a_witness_key_is_written_and_read_and_a_wrong_one_is_refused() -> None:
    key = WitnessKey(NAME, PUBLIC)
    assert parse_witness_key(f" {key.encode()}\n") == key
    for wrong in (
        "", NAME, Signer(PRIVATE).encode_verifier_key(NAME), key.encode().replace("w1", "w2"), key.encode()[:-4],
        f"two words+{key.encode().partition('+')[2]}",
    ):  # fmt: skip
        with pytest.raises(ValueError, match="witness"):
            parse_witness_key(wrong)


def test_a_cosignature_of_another_text_time_or_length_does_not_count() -> None:
    note = build_publisher().sign_checkpoint()[2]
    text, key = split_note(note)[0], WitnessKey(NAME, PUBLIC)
    assert [each.at_s for each in find_cosignatures(note + write_line(text, 5), [key])] == [5]
    assert find_cosignatures(note, [key]) == ()
    other = Ed25519PrivateKey.generate()
    assert find_cosignatures(note + write_line(text, 5, other), [key]) == ()
    assert find_cosignatures(note + write_line(text, 5, name="other"), [key]) == ()
    raw = base64.b64decode(write_line(text, 5).split(" ")[2])
    for changed in (raw[:-1], raw + b"x", raw[:5] + b"\1" + raw[6:], raw[:4] + b"\xff" + raw[5:]):
        line = f"\u2014 {NAME} {base64.b64encode(changed).decode()}\n"
        with pytest.raises(InvalidNoteError):
            find_cosignatures(note + line, [key])
    with pytest.raises(InvalidNoteError):
        find_cosignatures(note + write_line(f"{text}more\n", 5), [key])


def test_all_verifiers_accept_a_cosigned_checkpoint() -> None:
    publisher = build_publisher()
    size, root, note = publisher.sign_checkpoint()
    signed = note + write_line(split_note(note)[0], 5)
    assert verify_note(signed, [publisher.signer.public], publisher.origin).root == root
    assert standalone.verify_checkpoint(signed, publisher.origin, [publisher.signer.public]) == (size, root)
    assert parse_notes(f"{signed}{note}".encode()) == [signed, note]


# -- the witness -------------------------------------------------------------------------------------------------------


def test_a_witness_follows_a_log_that_grows_and_remembers_it(tmp_path: Path) -> None:
    publisher, _ = build_with(tmp_path, 7)
    for size, old in ((7, 0), (7, 7), (20, 7), (300, 20)):
        grow(publisher, size)
        witness = build_witness(tmp_path / "w", publisher, lambda: 1679315147.9)  # each time a new process
        answer = witness.add_checkpoint(ask(publisher, old))
        assert answer.status == 200
        text = split_note(publisher.sign_checkpoint()[2])[0]
        assert answer.body == write_line(text, 1679315147)


def test_a_witness_refuses_as_the_specification_says(tmp_path: Path) -> None:
    publisher, _ = build_with(tmp_path, 50)
    witness = build_witness(tmp_path / "w", publisher)
    assert witness.add_checkpoint(ask(publisher, 0, 20)).status == 200
    before = [path.read_bytes() for path in (tmp_path / "w").iterdir()]

    wrong = witness.add_checkpoint(ask(publisher, 0))
    assert (wrong.status, wrong.body, wrong.media_type) == (409, "20\n", SIZE)
    assert witness.add_checkpoint(ask(publisher, 10, 50)).status == 409
    rolled_back = witness.add_checkpoint(ask(publisher, 0, 10))
    assert (rolled_back.status, rolled_back.body) == (409, "20\n")

    note = publisher.sign_checkpoint()[2]
    assert witness.add_checkpoint(AddCheckpoint(51, (), note).encode()).status == 400
    assert witness.add_checkpoint(AddCheckpoint(20, (), note).encode()).status == 422
    proof = publisher.prove_consistency(20, 50)
    assert witness.add_checkpoint(AddCheckpoint(20, (*proof, proof[0]), note).encode()).status == 422
    assert witness.add_checkpoint(AddCheckpoint(20, proof[::-1], note).encode()).status == 422
    at_20 = publisher.sign_checkpoint(20)[2]
    assert witness.add_checkpoint(AddCheckpoint(20, proof, at_20).encode()).status == 422

    liar = Signer(LOG_KEY)  # the log's own key, but another tree
    forked = liar.sign_receipt(publisher.origin, 20, bytes(32))
    assert witness.add_checkpoint(AddCheckpoint(20, (), forked).encode()).status == 409
    grown = liar.sign_receipt(publisher.origin, 50, bytes(32))
    assert witness.add_checkpoint(AddCheckpoint(20, proof, grown).encode()).status == 422

    stranger = Signer.generate()
    root = publisher.load_root(50)
    assert (
        witness.add_checkpoint(
            AddCheckpoint(20, proof, stranger.sign_receipt(publisher.origin, 50, root)).encode()
        ).status
        == 403
    )
    assert witness.add_checkpoint(AddCheckpoint(20, proof, liar.sign_receipt("other", 50, root)).encode()).status == 404

    body = AddCheckpoint(20, proof, note).encode()
    for malformed in (
        b"", b"\xff", note.encode(), body.replace(b"old 20", b"old 020"), body.replace(b"old", b"new"),
        body.replace(b"\n\n", b"\n", 1), body[:-1], body.replace(b"\n", b"\r\n"), b"old 20\n" + b"x\n" * 3 + b"\n",
        b"old 20\n" + b"AAAA\n" + b"\n" + note.encode(),
        AddCheckpoint(20, (bytes(32),) * 64, note).encode(),
    ):  # fmt: skip
        assert witness.add_checkpoint(malformed).status == 400, malformed[:40]
    assert [path.read_bytes() for path in (tmp_path / "w").iterdir()] == before
    assert witness.add_checkpoint(body).status == 200


def test_of_two_histories_at_once_a_witness_cosigns_one(tmp_path: Path) -> None:
    publisher, _ = build_with(tmp_path, 5)
    roots = [bytes([number] * 32) for number in range(16)]
    notes = [Signer(LOG_KEY).sign_receipt(publisher.origin, 9, root) for root in roots]
    witnesses = [build_witness(tmp_path / "w", publisher) for _ in notes]
    statuses: list[int] = []

    def race(witness: WatchingWitness, note: str) -> None:
        statuses.append(witness.add_checkpoint(AddCheckpoint(0, (), note).encode()).status)

    threads = [threading.Thread(target=race, args=each) for each in zip(witnesses, notes, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(statuses) == [200, *[409] * 15]


def test_a_damaged_memory_stops_the_witness_instead_of_beginning_again(tmp_path: Path) -> None:
    publisher, _ = build_with(tmp_path, 5)
    witness = build_witness(tmp_path / "w", publisher)
    assert witness.add_checkpoint(ask(publisher, 0)).status == 200
    (kept,) = (tmp_path / "w").iterdir()
    kept.write_bytes(b"")
    with pytest.raises(HostError, match="damaged"):
        witness.add_checkpoint(ask(publisher, 0))
    with served(witness) as url:
        line = http.client.HTTPConnection(url.removeprefix("http://"), timeout=10)
        line.request("POST", "/add-checkpoint", ask(publisher, 0))
        assert line.getresponse().status == 500
        line.close()


def test_the_service_answers_only_what_it_is_for(tmp_path: Path) -> None:
    publisher, _ = build_with(tmp_path, 5)
    with served(build_witness(tmp_path / "w", publisher)) as url:
        place = url.removeprefix("http://")

        def post(path: str, body: bytes, **headers: str) -> tuple[int, str]:
            line = http.client.HTTPConnection(place, timeout=10)
            line.request("POST", path, body, headers)
            answer = line.getresponse()
            told = answer.status, answer.headers["Content-Type"]
            line.close()
            return told

        assert post("/other", b"")[0] == 404
        assert post("/add-checkpoint", bytes(MOST_REQUEST_BYTES + 1))[0] == 413
        assert post("/add-checkpoint", b"", **{"Content-Length": "-1"})[0] == 411
        assert post("/add-checkpoint", b"x")[0] == 400
        assert post("/add-checkpoint", ask(publisher, 3)) == (409, SIZE)
        line = http.client.HTTPConnection(place, timeout=10)
        for _ in range(2):  # on one connection
            line.request("POST", "/add-checkpoint", ask(publisher, 0))
            answer = line.getresponse()
            answer.read()
            assert answer.status in (200, 409)
        line.close()


# -- asking ------------------------------------------------------------------------------------------------------------


def test_who_sends_slowly_or_hangs_up_keeps_nobody_waiting(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    publisher = build_publisher()
    with served(build_witness(tmp_path / "w", publisher)) as url, ExitStack() as slow:
        host, _, port = url.removeprefix("http://").partition(":")
        for _ in range(MOST_REQUESTS + 1):
            line = slow.enter_context(socket.create_connection((host, int(port))))
            line.sendall(b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
        began = time.monotonic()
        answer = post_bytes(f"{url}/add-checkpoint", b"x", "text/plain", most_bytes=999)
        assert answer.status == 400
        assert time.monotonic() - began < 12, "a request may last for 15"
        with socket.create_connection((host, int(port))) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close at once, by a reset
            line.sendall(b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 9\r\n\r\n123")
        time.sleep(0.3)
    assert capfd.readouterr().err == ""


def test_a_log_is_cosigned_and_shown_with_the_cosignature_until_it_grows(tmp_path: Path) -> None:
    publisher, file = build_with(tmp_path, 7)
    key = WitnessKey(NAME, PUBLIC)
    with served(build_witness(tmp_path / "w", publisher)) as url:
        for size in (7, 40, 40):
            grow(publisher, size)
            note, found, failed = collect_cosignatures(publisher, file, [Witness(url, key)])
            assert ([each.witness for each in found], failed) == ([key], [])
            assert publisher.sign_checkpoint() == (size, publisher.load_root(size), note)
            assert len(split_note(note)[1]) == 2
            assert find_cosignatures(note, [key])
        write_tiles(publisher, tmp_path / "tiles")
        assert (tmp_path / "tiles" / "checkpoint").read_text() == note
        file.write("", ())  # the file is lost: the witness says what it has seen
        grow(publisher, 44)
        assert find_cosignatures(publisher.sign_checkpoint()[2], [key]) == ()
        assert collect_cosignatures(publisher, file, [Witness(f"{url}/", key)])[2] == []
    assert find_cosignatures(publisher.sign_checkpoint(44)[2], [key])
    assert find_cosignatures(publisher.sign_checkpoint(40)[2], [key]) == ()


def test_several_witnesses_sign_one_checkpoint_and_one_that_is_away_spoils_nothing(tmp_path: Path) -> None:
    publisher, file = build_with(tmp_path, 7)
    other = Ed25519PrivateKey.generate()
    keys = [WitnessKey(NAME, PUBLIC), WitnessKey("second", Signer(other).public), WitnessKey("away", bytes(32))]
    (tmp_path / "2").mkdir()
    second = WatchingWitness(Signer(other), "second", [(publisher.origin, Signer(LOG_KEY).public)], tmp_path / "2")
    with served(build_witness(tmp_path / "w", publisher)) as one, served(second) as two:
        note, found, failed = collect_cosignatures(
            publisher, file, [Witness("http://127.0.0.1:1", keys[2]), Witness(one, keys[0]), Witness(two, keys[1])]
        )
        assert [each.witness for each in found] == keys[:2]
        assert [type(each) for each in failed] == [PeerError]
        assert [each.witness for each in find_cosignatures(note, keys)] == keys[:2]
        again, _, _ = collect_cosignatures(publisher, file, [Witness(two, keys[1])])
        assert sorted(each.witness.name for each in find_cosignatures(again, keys)) == ["second", NAME]


def test_a_log_that_was_rolled_back_learns_that_its_witness_has_seen_more(tmp_path: Path) -> None:
    publisher, file = build_with(tmp_path, 40)
    key = WitnessKey(NAME, PUBLIC)
    with served(build_witness(tmp_path / "w", publisher)) as url:
        collect_cosignatures(publisher, file, [Witness(url, key)])
        (tmp_path / "back").mkdir()
        back, other_file = build_with(tmp_path / "back", 30)
        _, _, (failed,) = collect_cosignatures(back, other_file, [Witness(url, key)])
        assert "40 leaves, and this log has only 30: it was rolled back" in str(failed)


def answers(make: Callable[[str], str], status: int = 200, media_type: str = "text/plain") -> WitnessError | PeerError:
    """Return what the client says of a witness that answers so to the text of the checkpoint."""

    def respond(body: bytes) -> bytes:
        return make(split_note(parse_add_checkpoint(body).note)[0]).encode()

    with tempfile.TemporaryDirectory() as folder, serve_bytes(respond, status, media_type) as url:
        publisher, file = build_with(Path(folder), 9)
        _, found, (failed,) = collect_cosignatures(publisher, file, [Witness(url, WitnessKey(NAME, PUBLIC))])
        assert not found
        assert not (Path(folder) / "cosigned-roots").exists()
        return failed


def test_wrong_witnesses_are_named_and_their_lines_are_not_kept() -> None:
    now = int(time.time())
    other = Ed25519PrivateKey.generate()
    assert "without a cosignature" in str(answers(lambda text: write_line(text, now, other)))
    assert "without a cosignature" in str(answers(lambda text: ""))
    assert "does not fit" in str(answers(lambda text: write_line(text.replace("\n9\n", "\n8\n"), now)))
    assert "s off" in str(answers(lambda text: write_line(text, now - 3600)))
    assert "s off" in str(answers(lambda text: write_line(text, now + 3600)))
    assert "no valid" in str(answers(lambda text: "<html>\n"))
    assert "no valid" in str(answers(lambda text: f"x\n\n{write_line(text, now)}"))
    assert "no valid" in str(answers(lambda text: write_line(text, now)[:-1]))
    assert "more than" in str(answers(lambda text: "x" * 20_000))
    assert "rolled back" in str(answers(lambda text: "12\n", 409, SIZE))
    assert "no size" in str(answers(lambda text: "012\n", 409, SIZE))
    assert "does not cosign: status 409" in str(answers(lambda text: "5\n", 409, SIZE))
    for status, words in ((403, "trust the key"), (404, "not know"), (422, "only grew"), (500, "status 500")):
        assert words in str(answers(lambda text: "", status))


def test_a_cosigned_file_that_is_damaged_or_foreign_takes_no_line_away(tmp_path: Path) -> None:
    publisher, file = build_with(tmp_path, 9)
    plain = publisher.sign_checkpoint()[2]
    text = split_note(plain)[0]
    for kept in ("", "x", f"{text}\nnonsense\n", f"other\n9\n\n{write_line(text, 5)}", f"{text}\n"):
        (tmp_path / "cosigned-roots").write_text(kept)
        assert publisher.sign_checkpoint()[2] == plain
        assert file.find_size(WitnessKey(NAME, PUBLIC)) == 0
    (tmp_path / "cosigned-roots").write_bytes(b"\xff")
    assert publisher.sign_checkpoint()[2] == plain
