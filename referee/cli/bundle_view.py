"""What an exported match tells without a server: its entries, the match, and the table as it stood, for the eyes that
the file holds. Whether the file is true is another question: `referee verify` answers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.audit.bundles.export import OPEN, PUBLIC, WHOLE
from referee.audit.bundles.files import bundle_at
from referee.audit.bundles.format import BadBundle, Bundle
from referee.audit.checks.envelopes import BadEntry, envelope
from referee.audit.checks.rules import Unjudgeable, book, guarded
from referee.cli.commands.histories.show import NotShown, Told, Wish
from referee.cli.commands.rulings.judge import NoInput, WrongData
from referee.engine.codec import encode
from referee.engine.seats import FULL
from referee.eventstore.contract import Entry
from referee.match.aggregate import OVER, Match
from referee.match.entries import Logged, course, folded, public, unpack
from referee.queries import views
from referee.rendering import texts


def told_in(file: Path, wish: Wish) -> tuple[Told, Wish]:
    """What a file tells, and the wish with the eyes that it is for. Without `--seat` these are those of the file.

    Raises NoInput (it cannot be read), WrongData (it is no bundle), NotShown (it holds too little for the wish).
    """
    try:
        bundle = bundle_at(file)
    except OSError as wrong:
        raise NoInput(f"{file} cannot be read: {wrong.strerror}") from wrong
    except BadBundle as wrong:
        raise WrongData(f"{file.name} is no exported match: {wrong}") from wrong
    eyes = looking(bundle.header.eyes, wish.eyes)
    try:
        return guarded(lambda: _told(bundle, eyes, wish.at)), replace(wish, eyes=shown_as(bundle.header.eyes, eyes))
    except Unjudgeable as wrong:
        if isinstance(wrong.__cause__, NotShown):
            raise wrong.__cause__ from None
        raise WrongData(f"{file.name} cannot be shown: {wrong}") from wrong


def looking(held: str, wished: str | int) -> int | None:
    """Through which eyes entries are still to be looked at; None: as the file has them. Raises NotShown."""
    if wished == PUBLIC or str(wished) == held or (wished == WHOLE and held in OPEN):
        return None
    if held in OPEN and isinstance(wished, int):
        return wished
    told = {PUBLIC: "everybody sees", WHOLE: "there is"}.get(held, f"seat {held} saw")
    raise NotShown(f"the file holds no more than what {told}")


def shown_as(held: str, eyes: int | None) -> str | int:
    """The eyes as a protocol names them."""
    if eyes is not None:
        return eyes
    return int(held) if held.isdecimal() else WHOLE if held in OPEN else held


def _told(bundle: Bundle, eyes: int | None, at: int | None) -> Told:
    entries = list(seen(logged(bundle), eyes))
    if at is not None and not 1 <= at <= len(entries):
        raise NotShown(f"the file has the entries 1 to {len(entries)}")
    match = matched(entries)
    if eyes is not None and eyes >= len(match.chairs):
        raise NotShown(f"there is no seat {eyes} in this match")
    about = described(match, len(entries))
    if at is not None:
        return Told(about, {}, [], view(matched(entries[:at]), at))
    return Told(about, {}, [texts.entry(match.rules, entry, int(FULL)) for entry in entries])


def logged(bundle: Bundle) -> Iterator[Logged]:
    """The entries as the file has them, after the card book that they need was installed. Raises BadEntry."""
    for number, line in enumerate(bundle.entries, 1):
        data = envelope(line.envelope)
        if number == 1 and (wrong := book(bundle, data["events"][0])):
            raise BadEntry(f"its card book is not the one that was played with ({wrong[0].key})")
        if data["version"] != number:
            raise BadEntry(f"entry {data['version']} stands where {number} belongs")
        part = next((each.part for each in line.parts if each.who in (bundle.header.eyes, WHOLE)), None)
        stored = Entry(number, line.envelope.encode(), (part or "").encode(), line.root)
        yield public(stored) if part is None else unpack(stored)


def seen(entries: Iterable[Logged], eyes: int | None) -> Iterator[Logged]:
    """The entries as these eyes know them; None: as they are."""
    for entry in entries:
        if eyes is None:
            yield entry
        else:
            move, facts = entry.seen_by(eyes)
            yield replace(entry, move=move, facts=facts)


def matched(entries: Sequence[Logged]) -> Match:
    """The match after these entries, as far as they tell it."""
    return folded(Match(), course(entries))


def described(match: Match, version: int) -> dict[str, Any]:
    """The match as a protocol needs it."""
    seats = [
        {"seat": at, "kind": chair.kind, "level": chair.level, "taken": chair.taken}
        for at, chair in enumerate(match.chairs)
    ]
    return {
        "id": match.id, "game": match.game, "variant": match.variant, "edition": match.edition,
        "ruleset": match.ruleset, "status": match.condition, "chance": match.chance, "seats": seats,
        "commitment": match.commitment, "version": version, "outcome": views.outcome(match),
    }  # fmt: skip


def view(match: Match, version: int) -> dict[str, Any]:
    """The table of a match, as a view shows it."""
    state = match.state
    top = state.agenda[-1] if state is not None and state.agenda and match.status not in OVER else None
    return {
        "match": match.id,
        "version": version,
        "status": match.status,
        "table": None if state is None else encode(state),
        "question": None if top is None else texts.question(match.rules, top),
        "awaits": views.awaits(match),
        "outcome": views.outcome(match),
    }
