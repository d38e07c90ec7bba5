"""Bundles that are handed in: judged by a worker, told to whoever handed them in, lost by nobody."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.http.raw_bodies import MOST_PARTS
from api.resources.bundles import submissions as calls
from referee.audit import submissions
from referee.audit.bundles.format import Bundle, encode_bundle
from referee.audit.checks.findings import FindingKind
from referee.eventstore.memory.log import MemoryLog
from referee.infrastructure.root_publisher import RootPublisher
from tests.api import house
from tests.api.house import fresh, problem
from tests.audit import house as audited
from workers.context import WorkerContext
from workers.jobs import bundle_check


class Bench:
    """An app whose workers are called by hand."""

    def __init__(self) -> None:
        self.log, self.asked = MemoryLog(), list[str]()
        self.service = audited.service(self.log)
        self.publisher = RootPublisher(self.log, audited.SIGNER, audited.STORE)
        self.publisher.ensure_key_published()
        self.waiting = 0
        self.app: Flask = house.app(
            self.service, REQUEST_VERDICT=self.asked.append, QUEUE_STATE=lambda: {"waiting": {"bundles": self.waiting}}
        )
        self.client: FlaskClient = self.app.test_client()
        self.context = WorkerContext(self.service, self.log, None, lambda: "", self.publisher)  # type: ignore[arg-type]

    def hand_in(self, body: bytes, key: str = "", kind: str = "application/x-ndjson") -> Any:
        return self.client.post(
            "/v1/bundles", data=body, content_type=kind, headers={"Idempotency-Key": key or f'"{fresh()}"'}
        )

    def told(self, taken: Any, token: str = "") -> Any:
        bearer = {"Authorization": f"Bearer {token or taken.json['token']}"}
        return self.client.get(taken.headers["Location"], headers=bearer)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def body(bundle: Bundle) -> bytes:
    return b"".join(encode_bundle(bundle.all_lines))


def test_a_bundle_is_judged_for_whoever_handed_it_in_and_for_nobody_else(bench: Bench) -> None:
    taken = bench.hand_in(body(audited.finished()))
    assert (taken.status_code, taken.json["state"], taken.json["report"]) == (202, "waiting", None)
    assert bench.asked == [taken.json["id"]]
    assert bench.told(taken).json["state"] == "waiting"
    assert bench.asked == [taken.json["id"]] * 2, "whoever waits asks again for what may have been lost"
    bundle_check.judge_bundle(bench.context, taken.json["id"])
    found = bench.told(taken)
    report = found.json["report"]
    assert (found.json["state"], report["sound"], report["trusted"], report["findings"]) == ("judged", True, True, [])
    assert report["match"] == audited.finished().header.match
    other = bench.hand_in(b"something else")
    problem(bench.told(taken, other.json["token"]), 404, "unknown-bundle")
    problem(bench.client.get(taken.headers["Location"]), 401, "unauthorized")
    assert other.json["id"] != taken.json["id"]
    kept = str(vars(bench.log))
    assert taken.json["id"] in kept
    assert taken.json["token"] not in kept, "the token is not kept"


def test_the_first_thing_that_is_wrong_is_told_in_both_languages(bench: Bench) -> None:
    bundle = audited.finished()
    odd = replace(bundle, entries=bundle.entries[:5] + bundle.entries[6:])
    taken = bench.hand_in(gzip.compress(body(odd)), kind="application/gzip")
    bundle_check.judge_bundle(bench.context, taken.json["id"])
    report = bench.told(taken).json["report"]
    assert (report["sound"], report["exit_code"]) == (False, FindingKind.VERSION)
    assert report["findings"][0]["kind"] == "version"
    assert set(report["findings"][0]["says"]) == {"en", "de"}


def test_the_file_is_kept_no_longer_than_until_it_is_judged(bench: Bench) -> None:
    raw, key = body(audited.finished()), f'"{fresh()}"'
    taken = bench.hand_in(raw, key)
    scope = submissions.HANDED, taken.json["id"]
    kept = bench.log.find_answer(*scope)
    assert kept is not None
    assert len(kept[1]) > 1000
    bundle_check.judge_bundle(bench.context, taken.json["id"])
    left = bench.log.find_answer(*scope)
    assert left is not None
    assert len(left[1]) < 20
    found = bench.told(taken).json
    assert (found["state"], found["at"]) == ("judged", taken.json["at"])
    again = bench.hand_in(raw, key)
    assert (again.status_code, again.json["id"], again.json["state"]) == (202, taken.json["id"], "judged")
    problem(bench.hand_in(b"other", key), 422, "idempotency-key-reused")
    assert bundle_check.judge_bundle(bench.context, taken.json["id"]) is not None, "a job that was late finds it judged"


def test_whoever_invents_tokens_hands_in_no_more_bundles(bench: Bench) -> None:
    app = house.app(bench.service, REQUEST_VERDICT=bench.asked.append, RATES={**house.FREE, "bundles": 3})
    answers = [
        app.test_client().post(
            "/v1/bundles",
            data=b"no bundle",
            content_type="application/x-ndjson",
            headers={"Idempotency-Key": f'"{fresh()}"', "Authorization": f"Bearer rfs_{number:043d}"},
        )
        for number in range(4)
    ]
    assert [answer.status_code for answer in answers] == [202, 202, 202, 429]


@pytest.mark.parametrize("raw", [b"", b"no bundle", b"\x1f\x8bno gzip", b'{"kind":"end","lines":0}\n'])
def test_what_is_no_bundle_is_judged_as_that(bench: Bench, raw: bytes) -> None:
    taken = bench.hand_in(raw)
    bundle_check.judge_bundle(bench.context, taken.json["id"])
    assert bench.told(taken).json["report"]["exit_code"] == FindingKind.UNREADABLE


def test_a_bundle_of_a_stranger_is_judged_and_not_trusted(bench: Bench) -> None:
    bundle = audited.finished()
    keys = (replace(bundle.keys[0], public=audited.OTHER.public),)
    parts = [line.parts for line in bundle.entries]
    stranger = audited.resigned(bundle, [line.envelope for line in bundle.entries], parts, audited.OTHER)
    taken = bench.hand_in(body(replace(stranger, keys=keys)))
    bundle_check.judge_bundle(bench.context, taken.json["id"])
    report = bench.told(taken).json["report"]
    assert (report["sound"], report["trusted"]) == (True, False)


def test_a_repeated_request_gets_the_same_answer_and_a_used_key_takes_nothing_else(bench: Bench) -> None:
    key = fresh()
    first, again = bench.hand_in(b"one", key), bench.hand_in(b"one", key)
    assert first.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"
    problem(bench.hand_in(b"two", key), 422, "idempotency-key-reused")
    problem(bench.hand_in(b"two", "short"), 400, "idempotency-key-guessable")


def test_what_is_too_large_or_of_another_kind_or_too_much_at_once_is_refused(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem(bench.hand_in(b"{}", kind="application/json"), 415, "bundle-media-type")
    monkeypatch.setattr(calls, "MOST_BYTES", 100)
    problem(bench.hand_in(b"x" * 101), 413, "bundle-too-large")
    bench.waiting = calls.MAX_WAITING_BUNDLES
    problem(bench.hand_in(b"x"), 503, "bundles-waiting")
    assert bench.asked == []


def test_a_worker_that_is_killed_loses_nothing_and_what_kills_each_of_them_is_given_up(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    taken = bench.hand_in(body(audited.finished()))
    name = taken.json["id"]
    with monkeypatch.context() as patched:
        patched.setattr(submissions, "check_submitted_bundle", killed)
        with pytest.raises(Killed):
            bundle_check.judge_bundle(bench.context, name)
    assert bench.told(taken).json["state"] == "waiting"
    assert bundle_check.judge_bundle(bench.context, name).state == "judged"
    first = bench.told(taken).json
    assert bundle_check.judge_bundle(bench.context, name).state == "judged", "a second time changes nothing"
    assert bench.told(taken).json == first

    taken = bench.hand_in(b"of another kind")
    with monkeypatch.context() as patched:
        patched.setattr(submissions, "check_submitted_bundle", killed)
        for _ in range(submissions.TRIES):
            with pytest.raises(Killed):
                bundle_check.judge_bundle(bench.context, taken.json["id"])
    assert bundle_check.judge_bundle(bench.context, taken.json["id"]).state == "given_up"
    assert (bench.told(taken).json["state"], bench.told(taken).json["report"]) == ("given_up", None)


def with_receipts(bench: Bench, bundle: bytes, *receipts: bytes, key: str = "") -> Any:
    parts: dict[str, Any] = {"bundle": (BytesIO(bundle), "m.bundle")}
    parts["receipts"] = [(BytesIO(raw), "kept.txt") for raw in receipts]
    headers = {"Idempotency-Key": key or fresh()}
    return bench.client.post("/v1/bundles", data=parts, content_type="multipart/form-data", headers=headers)


def reported(bench: Bench, taken: Any) -> Any:
    assert taken.status_code == 202, taken.text
    bundle_check.judge_bundle(bench.context, taken.json["id"])
    return bench.told(taken).json["report"]


def state_of(report: Any, check: str) -> str:
    return str(next(each["state"] for each in report["checks"] if each["name"] == check))


def test_receipts_that_come_with_a_bundle_are_held_against_it(bench: Bench) -> None:
    bundle = audited.finished()
    note = bundle.checkpoints[-1].note
    alone = reported(bench, bench.hand_in(body(bundle)))
    assert state_of(alone, "receipts") == "skipped"
    answer = f'{{"version": 9, "receipt": {json.dumps(note)}}}'.encode()
    for packed in (body(bundle), gzip.compress(body(bundle))):
        report = reported(bench, with_receipts(bench, packed, note.encode(), answer))
        assert (report["sound"], state_of(report, "receipts")) == (True, "done")
    other = audited.SIGNER.sign_receipt(bundle.header.origin, bundle.header.size, b"\x07" * 32)
    forked = reported(bench, with_receipts(bench, body(bundle), note.encode(), other.encode()))
    assert (forked["sound"], forked["exit_code"], state_of(forked, "receipts")) == (False, FindingKind.FORK, "failed")
    torn = reported(bench, with_receipts(bench, body(bundle), note.replace("\n\n", "\nx\n\n", 1).encode()))
    assert torn["sound"] is False


def test_the_receipts_belong_to_what_was_asked_and_the_order_of_parts_does_not(bench: Bench) -> None:
    bundle, key = audited.finished(), fresh()
    note = bundle.checkpoints[-1].note.encode()
    first = with_receipts(bench, body(bundle), note, key=key)
    again = with_receipts(bench, body(bundle), note, key=key)
    assert (again.json["id"], again.headers["Idempotency-Replayed"]) == (first.json["id"], "true")
    problem(with_receipts(bench, body(bundle), key=key), 422, "idempotency-key-reused")
    problem(bench.hand_in(body(bundle), key), 422, "idempotency-key-reused")


def test_what_is_wrong_with_the_parts_is_told_and_nothing_is_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(**parts: Any) -> list[str]:
        sent = bench.client.post(
            "/v1/bundles", data=parts, content_type="multipart/form-data", headers={"Idempotency-Key": fresh()}
        )
        return [each["pointer"] for each in problem(sent, 422, "invalid-input")["errors"]]

    file = lambda raw: (BytesIO(raw), "name")  # noqa: E731
    assert told() == ["/bundle"]
    assert told(bundle=[file(b"a"), file(b"b")]) == ["/bundle"]
    assert told(bundle="no file") == ["/bundle"]
    assert told(bundle=file(b"a"), keys=file(b"b")) == ["/keys"]
    assert told(bundle=file(b"a"), receipts=file(b"\xff")) == ["/receipts"]
    assert told(bundle=file(b"a"), receipts=file(b"{}")) == ["/receipts"]
    assert told(bundle=file(b"a"), receipts=[file(b"x" * 700_000)] * 2) == ["/receipts"]
    monkeypatch.setattr(calls, "MOST_BYTES", 10)
    monkeypatch.setattr(calls, "LONGEST_RECEIPTS", 10)
    problem(with_receipts(bench, b"a" * 1000), 413, "bundle-too-large")
    assert bench.asked == []


def test_a_bundle_that_was_kept_before_there_were_receipts_is_judged_as_it_is(bench: Bench) -> None:
    packed = gzip.compress(body(audited.finished()))
    bench.log.remember_answer(
        submissions.HANDED, "bd-old", b"ask", b"%d\n" % bench.log.now() + packed, submissions.KEPT_MS
    )
    assert submissions.decode_submission(b"17\n" + packed) == (17, [], packed)
    found = bundle_check.judge_bundle(bench.context, "bd-old")
    assert found is not None
    assert found.report is not None
    assert found.report["sound"] is True


@pytest.mark.parametrize(
    ("extra", "pointer", "words"),
    [
        ({"receipts": [(BytesIO(b"r"), "kept.txt") for _ in range(MOST_PARTS)]}, "", f"At most {MOST_PARTS} parts."),
        ({"receipts": "r" * 600_000}, "/receipts", "Not a file."),
    ],
    ids=["more parts than may be", "a long part that is no file"],
)
def test_a_small_body_is_not_called_too_large_for_its_parts(
    bench: Bench, extra: dict[str, Any], pointer: str, words: str
) -> None:
    parts = {"bundle": (BytesIO(b"{}"), "m.bundle"), **extra}
    headers = {"Idempotency-Key": fresh()}
    answer = bench.client.post("/v1/bundles", data=parts, content_type="multipart/form-data", headers=headers)
    assert problem(answer, 422, "invalid-input")["errors"] == [{"pointer": pointer, "detail": words}]
