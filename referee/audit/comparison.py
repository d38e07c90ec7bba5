"""Compares what was signed: files of a match, receipts, root log checkpoints.

A server can show each person a history that is sound in itself. It cannot do so twice without signing two things that
contradict each other. Somebody who puts both side by side has proved it, and needs to trust nobody for that:

- two files of one match with different entries at a version;
- two receipts of one match for as many entries, with different roots;
- two checkpoints of one root log of one size, with different roots.

Two logs of different sizes contradict each other only if the shorter one is not the beginning of the longer one. The
entries of a match are in its files. For the root log a server has to prove it (`check_growth`).
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from referee.audit.bundles.format import Bundle
from referee.audit.checks import merkle, provenance
from referee.audit.checks.findings import TEXTS, AuditFinding, CheckResult, FindingKind
from referee.audit.checks.signatures import FINGERPRINT_DIGITS, compute_fingerprint
from referee.audit.checks.times import render_time
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import format_message
from referee.transparency.merkle import verify_consistency
from referee.transparency.receipts import InvalidNoteError, split_note, verify_note, verify_signatures

ROOTS = "roots"  # the name of the root log in its origin
MAX_PAIRS = 12  # the most contradictions of a kind that are reported
DISPLAYED_SIZE = 2**53  # a size beyond this belongs to no log


@dataclass(frozen=True, slots=True)
class SignedRoot:
    """What a key signed: the root of a log at a size.

    `source` says where it was found. `at_ms` is the time that the file gives to the last entry, if it has one.
    """

    origin: str
    size: int
    root: bytes
    key: bytes
    source: str
    at_ms: int | None = None


@dataclass(frozen=True)
class SignedHistory:
    """The entries of a match in a file, as far as a key signed them.

    `roots` are those over the first 1, 2, ... entries, `times` the times of the entries. `signed` are the checkpoints
    that fit, `keys` the keys that count for each server, `published` the checkpoints of logs of roots in the file, and
    `places` those of them that have a root of these entries.
    """

    source: str
    match: str
    roots: tuple[bytes, ...] = ()
    times: tuple[int, ...] = ()
    signed: tuple[SignedRoot, ...] = ()
    keys: Mapping[str, Sequence[bytes]] = field(default_factory=dict)
    published: tuple[SignedRoot, ...] = ()
    places: tuple[merkle.PublishedPlace, ...] = ()

    @property
    def size(self) -> int:
        """How many entries a key signed."""
        return max((each.size for each in self.signed), default=0)

    def find_signed(self, version: int) -> tuple[SignedRoot, ...]:
        """Return what this file proves was signed up to a version, by key."""
        found = {each.key: each for each in self.signed if each.size >= version}
        return tuple(
            SignedRoot(each.origin, version, self.roots[version - 1], key, self.source, self.times[version - 1])
            for key, each in found.items()
        )


def read_history(source: str, bundle: Bundle, trusted: Sequence[bytes] = ()) -> SignedHistory:
    """Return what of a bundle is signed. Raises nothing because of what it holds."""
    tree = merkle.build_tree(bundle)
    signers = provenance.find_signers(bundle, tree.envelopes, trusted)
    times = tuple(envelope["at"] for envelope in tree.envelopes)
    good = []
    for line in bundle.checkpoints:
        found = verify_statement(line.note, signers.by_origin, f"{source}")
        if found is not None and 0 < found.size <= len(times) and tree.roots[found.size - 1] == found.root:
            good.append(found)
    logs = {f"{store}/{ROOTS}": known for store, known in signers.by_server.items()}
    published = (verify_statement(line.note, logs, source) for line in bundle.published)
    return SignedHistory(
        source, bundle.header.match, tuple(tree.roots), times, tuple(good), signers.by_server,
        tuple(each for each in published if each is not None),
        tuple(merkle.check_published_roots(bundle, tree, signers.by_server)[0]),
    )  # fmt: skip


def verify_statement(note: str, keys: Mapping[str, Sequence[bytes]], source: str) -> SignedRoot | None:
    """Return what a note says and which key signed it, or None if no known key did.

    `keys` are given by origin.
    """
    known = keys.get(note.partition("\n")[0], ())
    try:
        checkpoint = verify_note(note, known)
        text, signed = split_note(note)
        key = verify_signatures(text, signed, checkpoint.origin, known)
    except InvalidNoteError:
        return None
    if checkpoint.size > DISPLAYED_SIZE:
        return None
    return SignedRoot(checkpoint.origin, checkpoint.size, checkpoint.root, key, source)


# -- contradictions ----------------------------------------------------------------------------------------------------


@dataclass
class Comparison:
    """What was compared with each other, and what contradicts.

    `pairs` counts the comparisons that were possible. `receipts` and `logs` are the receipts and the checkpoints of
    logs of roots that a known key signed. `open_questions` are those of logs of roots that only a server can compare,
    as (origin, smaller, larger). `notes` say what else a reader should know.
    """

    findings: list[AuditFinding] = field(default_factory=list)
    pairs: int = 0
    receipts: list[SignedRoot] = field(default_factory=list)
    logs: list[SignedRoot] = field(default_factory=list)
    open_questions: list[tuple[str, SignedRoot, SignedRoot]] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0, or the code of the gravest finding."""
        return min((int(finding.kind) for finding in self.findings), default=0)

    @property
    def check(self) -> CheckResult:
        """The comparison as one check of a report."""
        if self.findings:
            return CheckResult("comparison", "failed")
        return CheckResult("comparison", "done") if self.pairs else CheckResult("comparison", "skipped", "one_alone")


def compare_histories(
    histories: Sequence[SignedHistory],
    receipts: Iterable[tuple[str, str]] = (),
    checkpoints: Iterable[tuple[str, str]] = (),
    trusted: Sequence[bytes] = (),
) -> Comparison:
    """Return what files, receipts and checkpoints of logs of roots say of each other.

    Receipts and checkpoints are notes with the names of their files. The keys that count are the `trusted` ones, and
    those of the files.
    """
    found, known = Comparison(), _KnownKeys(histories, trusted)
    for one, other in combinations(histories, 2):
        if one.match == other.match and one.size and other.size:
            found.pairs += 1
            found.findings += _compare_pair(one, other, known)
    found.receipts = [each for each in known.verify(receipts) if each is not None]
    found.findings += _find_contradictions(found.receipts, known, "compare.receipts", found)
    logs = found.logs = [each for history in histories for each in history.published]
    for number, (note, signed) in enumerate(_with_results(checkpoints, known), 1):
        if signed is None:
            params = {"number": number, "about": note.partition("\n")[0][:100]}
            found.findings.append(AuditFinding(FindingKind.SIGNATURE, "compare.unsigned", None, params))
        elif not signed.origin.endswith(f"/{ROOTS}"):
            params = {"number": number, "about": signed.origin[:100]}
            found.findings.append(AuditFinding(FindingKind.VERSION, "compare.no_roots", None, params))
        else:
            logs.append(signed)
    found.findings += _find_contradictions(logs, known, "compare.roots", found)
    by_origin: dict[str, dict[int, SignedRoot]] = {}
    for each in logs:
        by_origin.setdefault(each.origin, {}).setdefault(each.size, each)
    for origin, by_size in by_origin.items():
        sizes = sorted(by_size)
        found.open_questions += [(origin, by_size[one], by_size[two]) for one, two in pairwise(sizes) if one]
    return found


class _KnownKeys:
    """The keys that the files and the checker know, by origin.

    It also tells which of them belong to one server.
    """

    def __init__(self, histories: Sequence[SignedHistory], trusted: Sequence[bytes]) -> None:
        self._rings = [frozenset(trusted)]
        self._trusted = tuple(trusted)
        self._by_server: dict[str, dict[bytes, None]] = {}
        for history in histories:
            for store, keys in history.keys.items():
                self._rings.append(frozenset(keys))
                self._by_server.setdefault(store, {}).update(dict.fromkeys(keys))

    def are_of_one_server(self, one: bytes, other: bytes) -> bool:
        """Return whether two keys are one, or are known to belong to the same server."""
        return one == other or any(one in ring and other in ring for ring in self._rings)

    def find_for(self, origin: str) -> tuple[bytes, ...]:
        """Return the keys that count for a log."""
        return (*self._trusted, *self._by_server.get(origin.rpartition("/")[0], ()))

    def verify(self, notes: Iterable[tuple[str, str]]) -> Iterator[SignedRoot | None]:
        """Yield what each note says, or None if no known key signed it."""
        for source, note in notes:
            origin = note.partition("\n")[0]
            yield verify_statement(note, {origin: self.find_for(origin)}, source)


def _with_results(notes: Iterable[tuple[str, str]], known: _KnownKeys) -> Iterator[tuple[str, SignedRoot | None]]:
    listed = list(notes)
    return zip((note for _, note in listed), known.verify(listed), strict=True)


def _compare_pair(one: SignedHistory, other: SignedHistory, known: _KnownKeys) -> Iterator[AuditFinding]:
    """Yield a finding for the first entry in which two files of a match differ."""
    both = min(one.size, other.size)
    if one.roots[both - 1] == other.roots[both - 1]:
        return
    at = next(n for n in range(both) if one.roots[n] != other.roots[n]) + 1
    pairs = [(left, right) for left in one.find_signed(at) for right in other.find_signed(at)]
    same = next((pair for pair in pairs if known.are_of_one_server(pair[0].key, pair[1].key)), None)
    left, right = same or pairs[0]
    yield build_fork("compare.files" if same else "compare.strangers", left, right, version=at)


def _find_contradictions(
    signed: Sequence[SignedRoot], known: _KnownKeys, key: str, found: Comparison
) -> Iterator[AuditFinding]:
    """Yield findings for signed roots of one log and one size that differ."""
    by_place: dict[tuple[str, int], list[SignedRoot]] = {}
    for each in signed:
        by_place.setdefault((each.origin, each.size), []).append(each)
    told = 0
    for alike in by_place.values():
        first, *others = alike
        found.pairs += len(others)
        for other in others:
            if other.root != first.root and told < MAX_PAIRS:
                told += 1
                is_one = known.are_of_one_server(first.key, other.key)
                yield build_fork(key if is_one else "compare.strangers", first, other)


def build_fork(key: str, one: SignedRoot, other: SignedRoot, version: int | None = None) -> AuditFinding:
    """Return the finding for two signed things that contradict each other."""
    kind = FindingKind.KEY if key == "compare.strangers" else FindingKind.FORK
    params = {"signed": one.size, "other": other.size, "log": one.origin[:100]}
    sides = [_render_side(each) for each in (one, other)]
    return AuditFinding(
        kind, key, version, params, {lang: "\n".join(each[lang] for each in sides) for lang in LANGUAGES}
    )


def _render_side(signed: SignedRoot) -> Text:
    values = {
        "source": signed.source[:100],
        "size": signed.size,
        "root": base64.b64encode(signed.root).decode(),
        "key": compute_fingerprint(signed.key)[:FINGERPRINT_DIGITS],
    }
    lines = {lang: format_message(TEXTS["compare.side"][lang], lang, values) for lang in LANGUAGES}
    if signed.at_ms is None:
        return lines
    when = render_time(signed.at_ms)
    return {
        lang: f"{lines[lang]}{format_message(TEXTS['compare.when'][lang], lang, {'when': when})}" for lang in LANGUAGES
    }


# -- with a server that answers ----------------------------------------------------------------------------------------


def check_growth(one: SignedRoot, other: SignedRoot, path: Sequence[bytes]) -> AuditFinding | None:
    """Return a finding unless the path proves that one log begins the other.

    The server that signed both has been asked for this path.
    """
    if verify_consistency(one.size, other.size, path, one.root, other.root):
        return None
    return build_fork("compare.not_grown", one, other)
