"""What somebody can do who holds the server with all its keys: play on with a die of his own, go back and play
otherwise, write all of it anew. Each test says what finds it, and what nobody can find without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from referee.audit.bundles import format as form
from referee.audit.checks.findings import FindingKind
from referee.engine.chance import RollResult, ShuffleResult
from referee.engine.events import Move
from referee.transparency import randomness
from referee.transparency.randomness import ServerRandomSource
from tests.audit.forging import Forger
from tests.audit.sitting import House, Played, played
from tests.audit.test_tampering import MOVES, NUMBER, alone, honest, whole

NOTHING = 0


class Rigged(ServerRandomSource):
    """Chance that gives the next number than the secret does, in one draw."""

    at = 0

    def source(
        self, match: str, generation: int, place: int, purpose: str, seeds: bytes = b"", scheme: int = 1
    ) -> Callable[[int], int]:
        below = super().source(match, generation, place, purpose, seeds, scheme)
        return (lambda n: (below(n) + 1) % n) if place == self.at else below


def rigged(kind: type[Move]) -> Forger:
    """A match of which the first such draw was the server's own choice, and all that follows is as the rules say."""
    house = House(draws=Rigged(bytes(range(32))))
    version = Forger.on(honest()).first(lambda entry: isinstance(entry.move, kind))
    house.draws.at = [draw.version for draw in Forger.on(honest()).draws].index(version) + 1  # type: ignore[attr-defined]
    return Forger.on(played(NUMBER, house, MOVES))


def find_rigged_draw(forger: Forger) -> int:
    """The place of the draw that the server chose itself."""
    return int(forger.played.house.draws.at) - 1  # type: ignore[attr-defined]


def found(forger: Forger, folder: Path, receipts: list[str] = []) -> tuple[int, int]:  # noqa: B006  # it is only read
    """What the two verifiers say."""
    lines = forger.lines()
    return whole(lines, receipts, []).exit_code, alone(lines, receipts, [], folder)["exit"]


@pytest.mark.parametrize("kind", [RollResult, ShuffleResult])
def test_a_draw_that_the_server_chose_itself_is_found_though_the_rules_were_kept(
    kind: type[Move], tmp_path: Path
) -> None:
    assert found(rigged(kind), tmp_path) == (FindingKind.CHANCE, FindingKind.CHANCE)


@pytest.mark.parametrize("kind", [RollResult, ShuffleResult])
def test_telling_the_numbers_that_were_chosen_does_not_help(kind: type[Move], tmp_path: Path) -> None:
    forger = rigged(kind)
    at = find_rigged_draw(forger)
    draw = forger.draws[at]
    gave = tuple((number + 1) % n for number, n in zip(draw.gave, draw.below, strict=True))
    forger.draws[at] = replace(draw, gave=gave)
    assert found(forger, tmp_path) == (FindingKind.CHANCE, FindingKind.CHANCE)


def test_a_purpose_that_was_searched_for_until_it_gives_the_wished_for_die_is_found(tmp_path: Path) -> None:
    """Who may choose what a draw is for can try until it comes out as he likes: the log has to have asked for it."""
    forger = rigged(RollResult)
    at = find_rigged_draw(forger)
    draw, secret = forger.draws[at], forger.secrets[0].secret
    wished = [value - 1 for value in forger.logged(draw.version).move.values]  # type: ignore[union-attr]

    def gives(purpose: str) -> bool:
        below = randomness.build_draw_source(secret, forger.header.match, at + 1, purpose, scheme=2)
        return [below(n) for n in draw.below] == wished

    purpose = next(name for n in range(100_000) if gives(name := f"{draw.purpose}{n}"))
    forger.draws[at] = replace(draw, purpose=purpose, gave=tuple(wished))
    assert found(forger, tmp_path) == (FindingKind.CHANCE, FindingKind.CHANCE)


def set_back(moves: int) -> Played:
    """The match once more, by a server with the same keys: the same moves up to here, and then it is given up."""
    again = played(NUMBER, House(), most=moves)
    assert again.match == honest().match
    return again


def common(one: Played, other: Played) -> int:
    """How many entries two histories share."""
    pairs = zip(*(each.house.log.read_entries(each.match, 0, 1000) for each in (one, other)), strict=False)
    return next(n for n, (a, b) in enumerate(pairs) if a.root != b.root)


def test_a_store_that_is_set_back_and_goes_on_is_shown_by_a_receipt_and_by_nothing_else(tmp_path: Path) -> None:
    """Whoever holds the keys can tell another story; one receipt from before suffices."""
    forged = set_back(MOVES // 2)
    assert 3 < common(honest(), forged) < len(form.decode_bundle(forged.house.bundle(forged.match)).entries)
    forger = Forger.on(forged)
    assert found(forger, tmp_path) == (NOTHING, NOTHING)
    late = [note for note in honest().receipts if int(note.split("\n")[1]) > common(honest(), forged)]
    assert found(forger, tmp_path, late[:1]) == (FindingKind.FORK, FindingKind.FORK)
    early = [note for note in honest().receipts if int(note.split("\n")[1]) <= common(honest(), forged)]
    assert found(forger, tmp_path, early) == (NOTHING, NOTHING), "these receipts are of what both share"


def test_a_store_that_is_set_back_is_shown_by_the_root_that_was_published(tmp_path: Path) -> None:
    first = Forger.on(honest())
    first.publish()
    forger = Forger.on(set_back(MOVES // 2))
    forger.published = first.published
    assert found(forger, tmp_path) == (FindingKind.PUBLISHED, FindingKind.PUBLISHED)


def test_a_match_written_anew_from_its_beginning_with_another_secret_is_shown_by_any_receipt(tmp_path: Path) -> None:
    """Nothing of it needs to hang together with what was played: all of it is signed, committed to, and legal."""
    house = House(draws=ServerRandomSource(bytes(range(1, 33))))
    forger = Forger.on(played(NUMBER, house, MOVES))
    assert forger.header.match == honest().match
    assert found(forger, tmp_path) == (NOTHING, NOTHING)
    within = [note for note in honest().receipts if int(note.split("\n")[1]) <= forger.size]
    for note in (within[0], within[-1]):
        assert found(forger, tmp_path, [note]) == (FindingKind.FORK, FindingKind.FORK)
    beyond = [note for note in honest().receipts if note not in within]
    for note in beyond[-1:]:  # for more entries than there are, it shows only that the file ends before
        assert found(forger, tmp_path, [note]) == (NOTHING, NOTHING)


def test_a_server_that_shows_two_players_two_histories_is_found_once_they_compare_receipts(tmp_path: Path) -> None:
    forged = set_back(MOVES // 2)
    assert found(Forger.on(forged), tmp_path, forged.receipts) == (NOTHING, NOTHING)
    assert found(Forger.on(honest()), tmp_path, honest().receipts) == (NOTHING, NOTHING)
    both = [*forged.receipts, *honest().receipts]
    assert found(Forger.on(forged), tmp_path, both) == (FindingKind.FORK, FindingKind.FORK)
    assert found(Forger.on(honest()), tmp_path, both) == (FindingKind.FORK, FindingKind.FORK)


RENEWED = range(111, 311)  # among these one goes on behind its end, with another secret and a draw from that


@cache
def renewed_number() -> int:
    """The first of these matches that goes on like that: which one it is changes with every rule."""
    return next(number for number in RENEWED if is_renewed(Forger.on(played(number))))


def is_renewed(forger: Forger) -> bool:
    return [line.generation for line in forger.secrets] == [0, 1] and {draw.generation for draw in forger.draws} == {
        0,
        1,
    }


def renewed() -> Forger:
    return Forger.on(played(renewed_number()))


def without_the_second_secret(forger: Forger) -> None:
    forger.secrets.pop()


def the_secrets_are_swapped(forger: Forger) -> None:
    one, other = (line.secret for line in forger.secrets)
    forger.secrets = [form.SecretLine(0, other), form.SecretLine(1, one)]


def drawn_from_the_secret_that_was_known_by_then(forger: Forger) -> None:
    """Of what is told at an end everybody knows the numbers that it would give: so they must not count any more."""
    at = next(n for n, draw in enumerate(forger.draws) if draw.generation == 1)
    draw = forger.draws[at]
    below = randomness.build_draw_source(forger.secrets[0].secret, forger.header.match, at + 1, draw.purpose, scheme=2)
    forger.draws[at] = replace(draw, generation=0, gave=tuple(map(below, draw.below)))


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda _: None, NOTHING),
        (without_the_second_secret, FindingKind.OPENING),
        (the_secrets_are_swapped, FindingKind.OPENING),
        (drawn_from_the_secret_that_was_known_by_then, FindingKind.CHANCE),
    ],
)
def test_after_an_end_only_the_new_secret_counts(change: Callable[[Forger], None], kind: int, tmp_path: Path) -> None:
    forger = renewed()
    change(forger)
    assert found(forger, tmp_path, forger.receipts) == (kind, kind)
