"""Everything that we could think of to do to the history of a match, and what verifiers must say of it.

`CASES` are made on the copied log of a short match of Here to Slay, which has dice, shuffled piles and hidden hands.
Each says what both verifiers must find: `whole` plays the match again, `alone` is the file that stands alone. They say
the same wherever it can know; of what only the rules tell it finds NOTHING, or but the draws that do not fit. What
neither of them finds, because the forger holds every key, the same case with the players' receipts shows.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from referee.audit.bundles.format import KeyLine, SecretLine
from referee.audit.checks.findings import FindingKind
from referee.engine.chance import RollResult, ShuffleResult
from referee.engine.zones import Moved
from referee.match.aggregate import MatchEnded
from referee.match.table.player_entropy import SeedRevealed
from referee.transparency.merkle import EMPTY_TREE_ROOT
from tests.audit.forging import Forger, salt_of, stranger
from tests.audit.sitting import STORE

NOTHING = 0
KEY, SIGNATURE, VERSION, ROOT, FORK = (
    FindingKind.KEY,
    FindingKind.SIGNATURE,
    FindingKind.VERSION,
    FindingKind.ROOT,
    FindingKind.FORK,
)
OPENING, CHANCE, RULES, PUBLISHED = FindingKind.OPENING, FindingKind.CHANCE, FindingKind.RULES, FindingKind.PUBLISHED
UNREADABLE, TIME = FindingKind.UNREADABLE, FindingKind.TIME


@dataclass(frozen=True)
class Case:
    """A tampering with what is found of it; with the players' receipts, or without."""

    name: str
    make: Callable[[Forger], None]
    whole: int
    alone: int
    receipts: bool = False
    trusted: bool = False  # whether the server's key is known from outside


CASES: list[Case] = []


def case(name: str, whole: int, alone: int | None = None, **more: bool) -> Callable[[Any], Any]:
    """Registers a tampering. `alone`: as `whole`, if nothing else is said."""

    def register(make: Callable[[Forger], None]) -> Callable[[Forger], None]:
        CASES.append(Case(name, make, whole, whole if alone is None else alone, **more))
        return make

    return register


def each(name: str, change: Callable[[Forger], None], alone: dict[str, int] | None = None, **found: int) -> None:
    """Registers a change by its forger's means: what is found where he has no more than these. Who holds the signing
    key is found out by receipts, whatever else he has (unless he has shown that he has it before they matter)."""
    for means, kind in found.items():

        def made(forger: Forger, means: str = means) -> None:
            change(forger)
            forger.cover(means)

        CASES.append(Case(f"{name}, by {means}", made, kind, (alone or {}).get(means, kind)))
        if means in ("key", "secret"):
            grave = min(FORK, kind) if kind else FORK
            CASES.append(Case(f"{name}, by {means}, with receipts", made, grave, grave, receipts=True))


# -- single entries ----------------------------------------------------------------------------------------------------


def rolled(forger: Forger) -> int:
    """The first roll of the server's dice."""
    return forger.first(lambda entry: isinstance(entry.move, RollResult))


def drew(forger: Forger) -> int:
    """The first entry by which a hidden card came to a hand."""
    return forger.first(lambda entry: any(hidden(event) for event in entry.events))


def hidden(event: Any) -> bool:
    return isinstance(event, Moved) and event.source == "deck:" and event.target.startswith("hand:")


def later(forger: Forger) -> None:
    forger.envelope(5, lambda told: told.update(at=told["at"] + 1))


def another_mover(forger: Forger) -> None:
    version = forger.first(lambda entry: entry.seat == 0)
    forger.envelope(version, lambda told: told.update(seat=1))


def said_to_be(actor: str) -> Callable[[Forger], None]:
    """Name another actor for a player's move, with commitments that fit."""

    def relabel(forger: Forger) -> None:
        version = forger.first(lambda entry: entry.seat == 0)
        forger.envelope(version, lambda told: told.update(actor=actor))

    return relabel


def another_clause(forger: Forger) -> None:
    version = forger.first(lambda entry: entry.seat == 0)
    forger.envelope(version, lambda told: told.update(clauses=["TABLE-TAKEBACK-1"]))


def another_die(forger: Forger) -> None:
    version = rolled(forger)

    def change(told: dict[str, Any]) -> None:
        told["move"]["values"][0] = told["move"]["values"][0] % 6 + 1

    forger.envelope(version, change)
    forger.part(version, lambda part: part.replace('"values":[', '"values":[0,', 1))


def committed_die(forger: Forger) -> None:
    version = rolled(forger)

    def change(entry: Any) -> Any:
        first, *others = entry.move.values
        return replace(entry, move=replace(entry.move, values=(first % 6 + 1, *others)))

    forger.repack(version, change)


def another_card(forger: Forger) -> None:
    version = drew(forger)
    (event, *_) = [event for event in forger.logged(version).events if hidden(event)]
    forger.part(version, lambda part: part.replace(event.put[0], "Bad Axe" if event.put[0] != "Bad Axe" else "Qi Bear"))


def committed_card(forger: Forger) -> None:
    version = drew(forger)
    entry = forger.logged(version)
    (event, *_) = [event for event in entry.events if hidden(event)]
    state: Any = forger.service.load_version(forger.played.match, version - 1).match.state
    other = next(card for card in reversed(state.cards_at("deck:")) if card != event.put[0])
    cards = (other, *event.put[1:])
    forger.event(version, type(event), lambda event: replace(event, took=cards, put=cards))


def by_the_table(forger: Forger) -> None:
    """The server's die is said to have been reported by the host, and another one at that."""
    version = rolled(forger)

    def change(entry: Any) -> Any:
        values = tuple(value % 6 + 1 for value in entry.move.values)
        return replace(entry, actor="reporter:host", move=replace(entry.move, values=values))

    forger.repack(version, change)
    forger.draws = [draw for draw in forger.draws if draw.version != version]


def stacked(forger: Forger) -> None:
    """The deck was not shuffled as drawn, but lies as the forger likes."""
    version = forger.first(lambda entry: isinstance(entry.move, ShuffleResult))
    forger.repack(version, lambda entry: replace(entry, move=ShuffleResult(tuple(reversed(entry.move.order)))))


def another_end(forger: Forger) -> None:
    version = forger.first(lambda entry: any(isinstance(event, MatchEnded) for event in entry.events))
    forger.event(version, MatchEnded, lambda event: replace(event, winners=(1,), placement=((1,), (0,))))


def another_seed(forger: Forger) -> None:
    version = forger.first(lambda entry: any(isinstance(event, SeedRevealed) for event in entry.events))
    forger.event(version, SeedRevealed, lambda event: replace(event, seed="00" * 16))


each("a seat's seed is another", another_seed, {"secret": CHANCE}, disk=ROOT, tree=ROOT, secret=RULES)
each("the time of an entry is another", later, disk=ROOT, tree=ROOT, key=NOTHING)
each("another seat moved", another_mover, {"key": NOTHING}, disk=ROOT, tree=ROOT, key=RULES)
each("a player's move is said to be a bot's", said_to_be("bot"), disk=ROOT, tree=ROOT, secret=RULES)
each("a player's move is said to be the host's", said_to_be("proxy"), disk=ROOT, tree=ROOT, secret=RULES)
each("a player's move is said to be the clock's", said_to_be("clock"), disk=ROOT, tree=ROOT, secret=TIME)
each("a player's move is said to be made up", said_to_be("wizard"), disk=ROOT, tree=ROOT, secret=RULES)
each("other clauses are cited", another_clause, {"key": NOTHING}, disk=ROOT, tree=ROOT, key=NOTHING)
each("a die shows something else", another_die, disk=ROOT, tree=ROOT, key=OPENING)
each("a die shows something else, and is committed to", committed_die, secret=CHANCE)
each("a hidden card is another", another_card, disk=OPENING, tree=OPENING)  # the tree is over what is open
each("a hidden card is another, and is committed to", committed_card, {"secret": NOTHING}, secret=RULES)
each("a die of the server's was reported", by_the_table, {"secret": CHANCE}, secret=RULES)
each("the deck was stacked", stacked, secret=CHANCE)
each("another seat has won", another_end, {"secret": NOTHING}, disk=ROOT, tree=ROOT, secret=RULES)


# -- the order of entries ----------------------------------------------------------------------------------------------


def dropped(forger: Forger) -> None:
    forger.drop(6)


def dropped_and_numbered(forger: Forger) -> None:
    forger.drop(rolled(forger))
    forger.renumbered(3)


def swapped(forger: Forger) -> None:
    forger.swap(7)


def swapped_and_numbered(forger: Forger) -> None:
    forger.swap(rolled(forger))
    forger.renumbered(3)


def doubled(forger: Forger) -> None:
    forger.entries.insert(8, forger.line(8))


each("an entry is gone", dropped, disk=VERSION, tree=VERSION, key=VERSION)
each("an entry is gone, and all are numbered", dropped_and_numbered, secret=CHANCE)
each("two entries are swapped", swapped, disk=VERSION, tree=VERSION, key=VERSION)
each("two entries are swapped, and numbered", swapped_and_numbered, secret=CHANCE)
each("an entry stands there twice", doubled, disk=SIGNATURE, tree=SIGNATURE, key=VERSION)  # nobody signed so many


@case("the last entries are cut off, and the old checkpoint stands there", VERSION)
def cut(forger: Forger) -> None:
    forger.cut(forger.size - 3)


@case("the store was set back to an old state, which the server signs", NOTHING, receipts=True)
def set_back(forger: Forger) -> None:
    """That a file is older than receipts accuses nobody; `audit`, a newer file and the server tell more."""
    forger.header = replace(forger.header, status="running", eyes="sealed")
    forger.cut(forger.size - 3)
    forger.secrets, forger.draws = [], []
    forger.sign()


@case("the first entry is of another match", VERSION)
def first_of_another(forger: Forger) -> None:
    forger.envelope(1, lambda told: told.update(match="07-" + 26 * "z"))
    forger.cover("key")


# -- receipts, signatures, keys ----------------------------------------------------------------------------------------


@case("a receipt was signed by somebody else", SIGNATURE, receipts=True)
def forged_receipt(forger: Forger) -> None:
    forger.receipts.append(stranger().sign_receipt(f"{STORE}/{forger.header.match}", 4, forger.line(4).root))


@case("a receipt names another root", SIGNATURE, receipts=True)
def receipt_with_another_root(forger: Forger) -> None:
    note = forger.receipts[3]
    root = base64.b64encode(bytes(32)).decode()
    forger.receipts[3] = "\n".join([*note.split("\n")[:2], root, *note.split("\n")[3:]])


@case("a receipt names another size", SIGNATURE, receipts=True)
def receipt_with_another_size(forger: Forger) -> None:
    origin, size, *others = forger.receipts[3].split("\n")
    forger.receipts[3] = "\n".join([origin, str(int(size) + 1), *others])


@case("a receipt is of a match that is none of this", VERSION, receipts=True)
def receipt_of_another(forger: Forger) -> None:
    forger.receipts.append(forger.signer.sign_receipt(f"{STORE}/07-{26 * 'z'}", 4, bytes(32)))


@case("the server has signed two histories", FORK, receipts=True)
def two_histories(forger: Forger) -> None:
    forger.receipts.append(forger.signer.sign_receipt(f"{STORE}/{forger.header.match}", 4, bytes(32)))


@case("the server has signed that there was nothing", FORK, receipts=True)
def empty_history(forger: Forger) -> None:
    forger.receipts.append(forger.signer.sign_receipt(f"{STORE}/{forger.header.match}", 0, EMPTY_TREE_ROOT))


@case("the checkpoint was signed by somebody else", SIGNATURE)
def strange_checkpoint(forger: Forger) -> None:
    forger.sign(stranger())


@case("there is no checkpoint", SIGNATURE)
def no_checkpoint(forger: Forger) -> None:
    forger.checkpoints = []


@case("the key is another, and the true one is known", KEY, trusted=True)
def another_key(forger: Forger) -> None:
    forger.keys = [KeyLine(stranger().public, 0)]
    forger.sign(stranger())


@case("the key is another, and there are receipts", SIGNATURE, receipts=True)
def another_key_and_receipts(forger: Forger) -> None:
    another_key(forger)


@case("a second key that the first has not named", KEY)
def unnamed_key(forger: Forger) -> None:
    forger.keys.append(KeyLine(stranger().public, 5))
    forger.sign(stranger())


@case("a second key that has named itself", KEY)
def self_named_key(forger: Forger) -> None:
    other = stranger()
    note = other.sign_receipt(f"{STORE}/keys", 1, other.public)
    forger.keys.append(KeyLine(other.public, 5, note))
    forger.sign(other)


@case("there is no key", KEY)
def no_key(forger: Forger) -> None:
    forger.keys = []


@case("the checkpoint has lines of its own after the root, as a specification allows", NOTHING)
def extended_checkpoint(forger: Forger) -> None:
    text = forger.checkpoints[-1].partition("\n\n")[0]
    forger.checkpoints = [forger.signer.sign_note(text.partition("\n")[0], f"{text}\ntime 1\n\N{EM DASH} and more\n")]


# -- what is hidden, and chance ----------------------------------------------------------------------------------------


@case("a salt is another", OPENING)
def another_salt(forger: Forger) -> None:
    (part,) = forger.line(9).parts
    forger.put(9, parts=(replace(part, salt=bytes(32)),))


@case("a hidden part is missing", OPENING)
def no_part(forger: Forger) -> None:
    forger.put(9, parts=())


@case("a salt that the secret does not give, though it was committed to", OPENING)
def salt_of_its_own(forger: Forger) -> None:
    version, house = 9, forger.played.house
    (part,) = forger.line(version).parts
    salt = bytes(reversed(salt_of(house, forger.header.match, version)))
    from referee.match.entries import compute_commitment

    told = compute_commitment(salt, part.part.encode())
    forger.envelope(version, lambda envelope: envelope["commitments"].update(full=told))
    forger.put(version, parts=(replace(part, salt=salt),))
    forger.cover("key")


@case("the secret is another", OPENING)
def another_secret(forger: Forger) -> None:
    forger.secrets = [SecretLine(0, bytes(32))]


@case("the secret is missing", OPENING)
def no_secret(forger: Forger) -> None:
    forger.secrets, forger.draws = [], []


@case("a draw is told otherwise", CHANCE)
def another_draw(forger: Forger) -> None:
    draw = forger.draws[-1]
    forger.draws[-1] = replace(draw, gave=tuple((one + 1) % n for one, n in zip(draw.gave, draw.below, strict=True)))


@case("a draw is not told", CHANCE)
def no_draw(forger: Forger) -> None:
    forger.draws.pop()


@case("a draw is told for an entry that is none", CHANCE)
def draw_of_no_draw(forger: Forger) -> None:
    version = forger.first(lambda entry: entry.seat == 0)
    forger.draws.append(replace(forger.draws[-1], version=version))


# -- what is published, and the header ---------------------------------------------------------------------------------


@case("the published root is of another history", PUBLISHED)
def published_other(forger: Forger) -> None:
    forger.publish(root=bytes(32).hex())


@case("the published root is of another match", PUBLISHED)
def published_of_another(forger: Forger) -> None:
    forger.publish(match="07-" + 26 * "z")


@case("the published root is of no entries", PUBLISHED)
def published_of_nothing(forger: Forger) -> None:
    forger.publish(size=0, root="")


@case("the published root does not lie where it is said to", PUBLISHED)
def published_elsewhere(forger: Forger) -> None:
    forger.publish()
    (line,) = forger.published
    forger.published = [replace(line, leaf=line.leaf.replace('"status":"', '"status":"x'))]


@case("the history is rewritten with every key, and its root was published", PUBLISHED)
def rewritten_after_publishing(forger: Forger) -> None:
    forger.publish()
    later(forger)
    forger.cover("key")


@case("the log of roots was signed by somebody else", SIGNATURE)
def published_by_another(forger: Forger) -> None:
    kept, forger.signer = forger.signer, stranger()
    forger.publish()
    forger.signer = kept


for _field, _value in (("game", "munchkin"), ("variant", "x"), ("edition", "x"), ("ruleset", "9"), ("match", "07-x")):

    @case(f"the header tells of another {_field}", VERSION)
    def header(forger: Forger, field: str = _field, value: str = _value) -> None:
        checkpoint = forger.checkpoints
        forger.header = replace(forger.header, **{field: value})
        forger.checkpoints = checkpoint


@case("the header names a viewer that there is not", OPENING, VERSION)
def header_viewer(forger: Forger) -> None:
    forger.header = replace(forger.header, eyes="7")


@case("the header says that the match still runs", VERSION)
def header_status(forger: Forger) -> None:
    forger.header = replace(forger.header, status="running")
