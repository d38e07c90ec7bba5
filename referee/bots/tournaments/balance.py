"""What matches say about cards: which are never played, which win too often.

A card is judged by how those fared who drew it. What one draws is chance; what one plays is choice, and who can afford
an expensive card may be winning already. Cards are compared with the average card of the same matches, because who
draws many cards may win more often anyway. A judgement on one of many cards uses intervals that all hold at once
(Bonferroni), as otherwise one card in twenty would stand out by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from referee.bots.tournaments.records import MatchRecord
from referee.bots.tournaments.statistics import NONE, Share, compute_joint_z

Verdict = Literal["unseen", "dead", "dominating", "weak", "ordinary", "too few"]
NOTABLE: tuple[Verdict, ...] = ("dominating", "weak", "dead")
MIN_SEATS = 30  # seats that drew a card, before it is judged
DEAD_BELOW = 0.25  # of the average use: a card that is surely used less is dead


@dataclass(frozen=True)
class CardFigures:
    """How one card did; a seat counts once a match.

    `drawn`, `played`: how many times, all copies together. `use`: of the seats that drew it, those that played it.
    `won_drawn`, `won_played`: of the seats that drew or played it, those that won.
    """

    card: str
    drawn: int
    played: int
    use: Share
    won_drawn: Share
    won_played: Share
    verdict: Verdict


@dataclass(frozen=True)
class Balance:
    """How the cards of a game did.

    `use`, `won_drawn`, `won_played`: the average card. `matches`: how many it rests on. `judged`: how many cards were
    drawn often enough to be judged. `z`: how wide the intervals of the verdicts are, so that all hold at once.
    """

    cards: tuple[CardFigures, ...]
    matches: int
    use: Share
    won_drawn: Share
    won_played: Share
    judged: int
    z: float

    def select(self, verdict: Verdict) -> tuple[CardFigures, ...]:
        """Return the cards with this verdict."""
        return tuple(card for card in self.cards if card.verdict == verdict)


@dataclass
class _Counts:
    drawn: int = 0
    played: int = 0
    use: Share = NONE
    won_drawn: Share = NONE
    won_played: Share = NONE

    def add(self, drawn: Sequence[int], played: Sequence[int], winners: Sequence[int]) -> None:
        """Add one match."""
        had = [seat for seat, count in enumerate(drawn) if count]
        used = [seat for seat, count in enumerate(played) if count]
        self.drawn += sum(drawn)
        self.played += sum(played)
        self.use += Share(sum(seat in used for seat in had), len(had))
        self.won_drawn += Share(sum(seat in winners for seat in had), len(had))
        self.won_played += Share(sum(seat in winners for seat in used), len(used))


def compute_balance(records: Iterable[MatchRecord], cards: Iterable[str]) -> Balance:
    """Return how these cards did in these matches.

    Cards that were used and are not named are counted too.
    """
    counts = {card: _Counts() for card in cards}
    matches = 0
    for record in records:
        matches += 1
        for card, (drawn, played) in record.cards.items():
            counts.setdefault(card, _Counts()).add(drawn, played, record.winners)
    use = sum((each.use for each in counts.values()), NONE)
    won_drawn = sum((each.won_drawn for each in counts.values()), NONE)
    won_played = sum((each.won_played for each in counts.values()), NONE)
    judged = sum(each.won_drawn.of >= MIN_SEATS for each in counts.values())
    z = compute_joint_z(judged)
    figures = tuple(
        CardFigures(
            card,
            each.drawn,
            each.played,
            each.use,
            each.won_drawn,
            each.won_played,
            judge_card(each, use, won_drawn, z),
        )
        for card, each in counts.items()
    )
    return Balance(figures, matches, use, won_drawn, won_played, judged, z)


def judge_card(card: _Counts, average_use: Share, average_won: Share, z: float) -> Verdict:
    """Return what can be said of a card beside the average one.

    It is dead if those who drew it surely played it less than a quarter as often as an average card. Else it is
    dominating or weak if they surely won more or less often.
    """
    if not card.drawn and not card.played:
        return "unseen"
    if card.won_drawn.of < MIN_SEATS:
        return "too few"
    if card.use.interval(z)[1] < DEAD_BELOW * average_use.value:
        return "dead"
    low, high = card.won_drawn.interval(z)
    return "dominating" if low > average_won.value else "weak" if high < average_won.value else "ordinary"
