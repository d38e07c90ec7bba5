"""What others do before a court, alike in both worlds as far as the observer may know: what of it is hidden from him
(the move that somebody says was refused to him, the card that he should not have played) is another one in each."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from referee.engine.codec import encode
from referee.engine.referee import sample_legal_move
from referee.engine.seats import Seat
from referee.games import load_games
from tests.leaks.sides import Side

RULED = {"clauses": ["TABLE-RULING-4"], "reason": "Go on."}


@dataclass(frozen=True)
class Said:
    """A write of somebody else's: the path below that of the match, the body, and whether it names a version."""

    path: str
    body: Any
    any_version: bool = False


def said(side: Side, here: bool, what: str, by: str, about: str, rest: tuple[str, ...]) -> Said:
    """What `court <what> <by> <about> …` stands for in this world; `here`: it is the first one."""
    seat = {} if by == "host" else {"seat": int(by)}
    if what in OTHERS:
        return OTHERS[what](side, here, by, int(about), rest)
    return Said("disputes", {"about": int(about), "claim": what, "statement": "I think so.", **seat})


def _refused(side: Side, here: bool, by: str, about: int, _: tuple[str, ...]) -> Said:
    """Some move that was legal for him then: he says that it was refused. Nobody else is told which."""
    then = side.service.load_version(side.match, about).match.state
    found = [
        move for number in range(8) if (move := sample_legal_move(then, Seat(int(by)), random.Random(number).randrange))
    ]
    found.sort(key=lambda move: move.TAG)
    move = found[0 if here else -1]
    side.service.refusals.record(side.loaded().match, Seat(int(by)), move, about, 0)  # as if it had been refused then
    body = {"about": about, "claim": "wrong_refusal", "move": encode(move), "seat": int(by)}
    return Said("disputes", body)


def _ruling(_: Side, __: bool, by: str, about: int, rest: tuple[str, ...]) -> Said:
    """The host has the last word: he leaves it as it is, or orders the remedy that is named."""
    remedy = rest[0] if rest else "leave"
    body = {"upheld": remedy != "leave", "remedy": remedy, "keep": remedy == "leave", **RULED}
    return Said(f"disputes/{about}/rulings", body, True)


def _fixed(side: Side, __: bool, by: str, about: int, ___: tuple[str, ...]) -> Said:
    """The host puts something right that lies open."""
    body = {"upheld": True, "remedy": "partial_fix", "fix": [_heart(side)], **RULED}
    return Said(f"disputes/{about}/rulings", body, True)


def _heart(side: Side) -> dict[str, Any]:
    """A heart more or less; where there are none, a point."""
    data = encode(side.loaded().match.state)
    where, left = ("/hearts/1", data["hearts"][1]) if "hearts" in data else ("/points", data["points"])
    return {"set": where, "to": left - 1 if left > 1 else left + 1}


def _deviated(side: Side, here: bool, by: str, about: int, _: tuple[str, ...]) -> Said:
    """The seat `about` is said to have laid a card aside unasked; which, only it may know."""
    state: Any = side.loaded().match.state
    hand = sorted(set(state.cards_at(f"hand:{about}"))) or ["no_card"]
    move = {"type": "choose.cards", "cards": [hand[0 if here else -1]]}
    told = {"clauses": ["TABLE-DEVIATION-1"], "reason": "So it was."}
    return Said("deviations", {"seat": about, "move": move, "fix": [_heart(side)], **told}, True)


def _taken_back(_: Side, __: bool, by: str, about: int, ___: tuple[str, ...]) -> Said:
    return Said("takebacks", {"to": about, "seat": int(by)}, True)


def _attested(_: Side, __: bool, by: str, about: int, ___: tuple[str, ...]) -> Said:
    return Said(f"disputes/{about}/attestations", {"holds": True, "seat": int(by)})


def _appealed(_: Side, __: bool, by: str, about: int, ___: tuple[str, ...]) -> Said:
    ground = {"clause": "TABLE-REMEDY-1", "grounds": "It was not so.", "seat": int(by)}
    return Said(f"disputes/{about}/appeals", ground)


OTHERS: dict[str, Callable[[Side, bool, str, int, tuple[str, ...]], Said]] = {
    "refused": _refused,
    "rulings": _ruling,
    "fixed": _fixed,
    "deviated": _deviated,
    "takebacks": _taken_back,
    "attestations": _attested,
    "appeals": _appealed,
}


def box(side: Side) -> list[str]:
    """The names of all cards of the game, each once."""
    return sorted({str(card["id"]) for card in load_games()[side.sitting.game].cards})
