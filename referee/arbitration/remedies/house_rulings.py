"""House rulings: what a kept ruling orders for the rest of the match.

A house ruling that chooses a reading changes the rules of the match (`referee/match/house_readings.py`). One in words
says what may be recorded against the rules without asking everybody again.

TABLE-HOUSE-1: A ruling that is kept as a house ruling may choose a numbered reading of a clause that the rulebook
leaves open. Only who is no party to the dispute can give such a ruling.

TABLE-HOUSE-2: If an official who is no party has ruled that a move counts after all, another one of its type, upon the
same question, may be recorded at once. It breaks no rule but those whose clauses the house ruling cites. Players whose
hidden cards it names are asked all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from referee.engine.codec import escape_name
from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.referee import seats_that_may_act
from referee.engine.rulings import IllegalMove, MalformedInput, Ruling
from referee.match.aggregate import Match
from referee.match.events.deviation_events import RecordDeviation
from referee.match.events.dispute_commands import IssueRuling
from referee.match.events.dispute_state import Dispute, Precedent
from referee.match.evidence import Evidence
from referee.match.house_readings import HouseReadingAdopted, apply_readings, find_allowing_ruling

# The verdicts by which a move counts although the rules refuse it.
LETTING_VERDICTS = {"illegal_move": "stands", "wrong_refusal": "does_not_stand"}


def bind_precedent(evidence: Evidence, dispute: Dispute, command: IssueRuling, kept: Precedent) -> Precedent:
    """Return a kept ruling as a house ruling, with all that it orders.

    Raises MalformedInput if it orders what it cannot, IllegalMove if a reading cannot change or a party chooses it.
    """
    match, allows = evidence.match, command.allows
    if not command.binds:  # an entry of the time before house rulings bound anybody
        return kept
    party = bool(set(command.seats) & set(dispute.parties)) or dispute.by == command.by
    if party and (command.readings or allows):
        raise IllegalMove("court.house_by_party", "TABLE-HOUSE-1")
    lets = LETTING_VERDICTS.get(dispute.claim) == kept.verdict
    if allows and not lets:
        raise MalformedInput([{"pointer": "/allows", "detail": "the ruling does not let a refused move count"}])
    require_readings(match, command.readings)
    if lets and not party:
        allows = allows or kept.move
    return replace(kept, entry=evidence.version + 1, readings=command.readings, allows=allows)


def require_readings(match: Match, readings: Mapping[str, int]) -> None:
    """Check that a running match can be played by these readings from now on.

    Raises MalformedInput or IllegalMove. A reading that decides what is in the box, or what is done at the start,
    cannot change any more.
    """
    game = match.rules
    if wrong := game.find_interpretation_errors(readings):
        raise MalformedInput(wrong)
    for clause, number in readings.items():
        setting = game.interpretations[clause][number - 1].setting
        if setting and not (_is_kept_in_state(match, setting) and _is_box_the_same(match, {clause: number})):
            raise IllegalMove(
                "court.reading_fixed", "TABLE-HOUSE-1", clause=clause, pointer=f"/readings/{escape_name(clause)}"
            )


def _is_kept_in_state(match: Match, setting: str) -> bool:
    return hasattr(getattr(match.state, "rules", None), setting)


def _is_box_the_same(match: Match, readings: Mapping[str, int]) -> bool:
    """Tell whether a match under these readings would have begun with the same cards.

    It looks at the start, not at the state of play, so that the answer cannot reveal a hidden card.
    """
    return _count_cards(match.rules, match) == _count_cards(match.rules, apply_readings(match, readings))


def _count_cards(game: Game, match: Match) -> Counter[str]:
    zones: dict[str, tuple[str, ...]] = getattr(game.build_initial_state(match.setup), "zones", {})
    return Counter(card for cards in zones.values() for card in cards)


def adopt_readings(kept: Precedent | None) -> tuple[Event, ...]:
    """Return the events by which the readings of a house ruling come into force."""
    readings = {} if kept is None else kept.readings
    return tuple(HouseReadingAdopted(clause, number) for clause, number in sorted(readings.items()))


def require_allowing_ruling(match: Match, command: RecordDeviation, against: Ruling) -> None:
    """Check that a house ruling allows a move that the rules refuse now.

    `against` is the refusal as the caller sees it. A ruling of this match goes before one that was taken over. Raises
    IllegalMove, and MalformedInput if the result is set by hand: a house ruling allows only what the question makes of
    the move.
    """
    if command.fix:
        detail = "With a house ruling the result follows from the question; leave out `fix` or `house_ruling`."
        raise MalformedInput([{"pointer": "/fix", "detail": detail}])
    where = {"entry": command.house, "pointer": "/house_ruling"}
    one = find_allowing_ruling(match, command.house)
    if one is None:
        raise IllegalMove("court.no_such_house_ruling", "TABLE-HOUSE-2", **where)
    assert match.state is not None
    if command.seat not in seats_that_may_act(match.state):
        raise build_no_result_error(command)
    question = match.state.agenda[-1].question_name() if match.state.agenda else ""
    breaks_others = any(set(one.clauses).isdisjoint(each.clauses) for each in against.broken_rules)
    if (one.question, one.allows) != (question, command.move["type"]) or breaks_others:
        raise IllegalMove("court.not_covered", "TABLE-HOUSE-2", **where)


def build_no_result_error(command: RecordDeviation) -> IllegalMove:
    """Return the refusal of a deviation whose house ruling gives no result.

    The move is not asked of the seat, or what would follow is impossible. A house ruling takes no corrections by hand.
    """
    where = {"entry": command.house, "pointer": "/house_ruling"}
    return IllegalMove("court.house_without_result", "TABLE-HOUSE-2", "TABLE-DEVIATION-3", **where)
