"""The form of a bundle: what is written is read, and what is not in its one proper form is refused with its line."""

from __future__ import annotations

import pytest

from referee.audit.bundles import format as form
from referee.audit.bundles.format import Bundle, BundleError

HEADER = form.BundleHeader(
    "07-" + 26 * "a", "s/07-" + 26 * "a", "full", "toy", "standard", "", "1", "finished", 1, 5, "0"
)
WHOLE = Bundle(
    HEADER,
    (form.KeyLine(bytes(32), 1), form.KeyLine(bytes(range(32)), 2, "a note\n")),
    form.BookLine("mine", "game: toy\n"),
    (form.EntryLine(1, '{"match":"é"}', bytes(32), (form.OpenedPart("full", b"salt", '{"events":[]}'),)),),
    (form.SecretLine(0, b"secret"),),
    (form.DrawLine(1, 0, "Roll", (6, 6), (2, 5), ("a", "b")),),
    (form.CheckpointLine("note\n"),),
    (form.PublishedRootLine("{}", 3, (bytes(32),), "note\n"),),
)
LINES = list(form.encode_bundle(WHOLE.all_lines))


def test_what_is_written_is_read() -> None:
    found = form.decode_bundle(LINES)
    assert found == WHOLE
    assert list(form.encode_bundle(found.all_lines)) == LINES
    assert found.lines["entry 1"] == 5


@pytest.mark.parametrize("at", range(len(LINES)))
def test_a_bundle_without_one_of_its_lines_is_refused(at: int) -> None:
    with pytest.raises(BundleError):
        form.decode_bundle(LINES[:at] + LINES[at + 1 :])


@pytest.mark.parametrize("at", range(len(LINES)))
def test_a_bundle_with_a_line_twice_is_refused(at: int) -> None:
    with pytest.raises(BundleError):
        form.decode_bundle(LINES[: at + 1] + LINES[at:])


@pytest.mark.parametrize(
    ("at", "old", "new", "says"),
    [
        (0, b"referee.bundle/1", b"referee.bundle/9", "the format is not"),
        (0, b'"size":1', b'"size": 1', "proper form"),
        (0, b'"size":1', b'"size":1.0', "size is malformed"),
        (0, b'"size":1', b'"size":true', "size is malformed"),
        (0, b'"size":1', b'"size":-1', "size is malformed"),
        (1, b'"kind":"key"', b'"kind":"kay"', "no line of a bundle"),
        (1, b'"kind":"key"', b'"kind":["key"]', "no line of a bundle"),
        (1, b'"public":"', b'"public":"!', "public is malformed"),
        (4, b'"who":"full"', b'"what":"full"', "parts is malformed"),
        (5, b'"generation":0', b'"generation":"0"', "generation is malformed"),
        (6, b'"below":[6,6]', b'"below":6', "below is malformed"),
        (6, b'"below":[6,6]', b'"below":[6,9007199254740993]', "below is malformed"),
        (9, b'"lines":9', b'"lines":8', "8 lines were written"),
        (9, b"}", b"", "no JSON"),
    ],
)
def test_a_line_that_is_not_in_its_proper_form_is_named(at: int, old: bytes, new: bytes, says: str) -> None:
    assert old in LINES[at]
    with pytest.raises(BundleError, match=says) as wrong:
        form.decode_bundle([*LINES[:at], LINES[at].replace(old, new), *LINES[at + 1 :]])
    assert wrong.value.line == at + 1


def test_an_empty_file_and_a_line_of_any_length_are_refused() -> None:
    with pytest.raises(BundleError, match="empty"):
        form.decode_bundle([])
    with pytest.raises(BundleError, match="too long"):
        form.decode_bundle([b" " * (form.LONGEST_LINE + 1)])
