"""Hints: the best options of a thought, and in words what sets them apart.

Nothing is said that the thought does not bear out. A move counts as better than another only beyond twice the error of
their paired difference. What a move does at once is told by the game's own sentences about its foreseeable events, and
only where the other moves do not do the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.bots.memory import list_zones
from referee.bots.search import Option, Thought
from referee.engine.breakdown import Term
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.parts.narration import BOOKKEEPING_TYPES
from referee.engine.referee import build_view, preview_move
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml
from referee.engine.rulebook.messages import format_message
from referee.engine.rulings import Undetermined
from referee.engine.seats import Seat
from referee.engine.steps import State
from referee.engine.zones import is_back, is_open_to
from referee.games import game_of

MOST_OPTIONS = 3
MOST_FACTS = 3
CLEAR_BEYOND = 2.0  # standard errors, so that about one clear difference in twenty is none
FEWEST_WORLDS = 6  # of fewer playouts it is not said how they ended
EVEN = 0.05  # of a match: two moves are about equal if the playouts would show a larger difference
SHOWN_DIGITS = 3  # of estimates, where hints are shown
WON, LOST = 1.0, 0.0  # shares of matches that end within the playout; an evaluated position is never worth just that


@dataclass(frozen=True)
class AdvisedMove:
    """One of the best options.

    - `move`: None stands for making no move, where nobody waits for the seat.
    - `estimate`: the share of the match that the seat gets by it, 0 to 1; None if that was not played out.
    - `behind`: by how much it is worse than the first, in the worlds in which both were played out, and `error` the
      standard error of that; None for the first, and if they share too few worlds.
    - `says`: how it compares with the others. `facts`: what sets it apart.
    """

    move: Move | None
    estimate: float | None
    behind: float | None
    error: float | None
    playouts: int
    says: Text
    facts: tuple[Text, ...]

    @property
    def is_clearly_worse(self) -> bool:
        """Whether it is worse than the first beyond what chance explains."""
        return self.behind is not None and self.error is not None and self.behind > CLEAR_BEYOND * self.error


def explain_thought(state: State, seat: Seat, thought: Thought) -> tuple[AdvisedMove, ...]:
    """Return the best options of what a seat thought, the chosen one first.

    It thought about its view of `state`. There are none if no move is left but a concession.
    """
    chosen = next((option for option in thought.options if option.move == thought.move), None)
    if chosen is None:
        return ()
    others = sorted((option for option in thought.options if option is not chosen), key=lambda each: rank(each, chosen))
    shown = [chosen, *others][:MOST_OPTIONS]
    seen = build_view(state, seat)
    game = game_of(seen)
    lines = list_differing_lines([list_lines(game, seen, seat, option.move) for option in shown])
    if chosen.shares and not thought.playouts:
        return tuple(
            describe_known_chance(option, chosen, told[:MOST_FACTS], len(thought.options))
            for option, told in zip(shown, lines, strict=True)
        )
    facts = [(*told, *list_outcomes(option, shown)) for option, told in zip(shown, lines, strict=True)]
    compared = [
        describe_option(option, chosen, told[:MOST_FACTS]) for option, told in zip(shown[1:], facts[1:], strict=True)
    ]
    return (describe_choice(chosen, facts[0][:MOST_FACTS], compared, len(thought.options)), *compared)


def shows_own_cards(view: State, seat: Seat) -> bool:
    """Return whether a seat's view has all cards that the seat can look at.

    At a table with real cards it does not: there they are named only when they are played. Advice would be about cards
    that the player may not hold.
    """
    own = (cards for place, cards in list_zones(view).items() if is_open_to(place, seat))
    return not any(is_back(card) for cards in own for card in cards)


def rank(option: Option, chosen: Option) -> tuple[bool, float]:
    """Return by what options are sorted: by their difference to the chosen one.

    Those that were not compared with it come last.
    """
    difference, error = option.compare(chosen)
    return math.isinf(error), -difference


def describe_known_chance(option: Option, chosen: Option, facts: list[Text], count: int) -> AdvisedMove:
    """Return an option whose chance the game has worked out, without playouts.

    That is what `Game.weigh_moves` does. The chosen option need not have the best chance by itself: a seat that always
    made that move would be foreseen.
    """
    behind = chosen.estimate - option.estimate
    points = count_points(chosen.estimate) - count_points(option.estimate)
    if option is chosen:
        says = render_words("known", count=count)
        return AdvisedMove(option.move, option.estimate, None, None, 0, says, tuple(facts))
    key = "lower" if points > 0 else "higher" if points < 0 else "same"
    return AdvisedMove(
        option.move, option.estimate, behind, 0.0, 0, render_words(key, points=abs(points)), tuple(facts)
    )


def describe_choice(chosen: Option, facts: tuple[Text, ...], others: Sequence[AdvisedMove], count: int) -> AdvisedMove:
    """Return the chosen option, and how surely it is better than the others."""
    key = "alone" if not others else "best" if all(each.is_clearly_worse for each in others) else "first"
    estimate = chosen.estimate if chosen.shares else None
    return AdvisedMove(chosen.move, estimate, None, None, len(chosen.shares), render_words(key, count=count), facts)


def describe_option(option: Option, chosen: Option, facts: tuple[Text, ...]) -> AdvisedMove:
    """Return another option, and how it compares with the chosen one.

    What it is estimated at follows from the difference: its own mean may come from fewer worlds, kinder or harsher.
    """
    difference, error = option.compare(chosen)
    many = len(option.shares)
    if math.isinf(error):
        return AdvisedMove(option.move, None, None, None, many, render_words("uncompared"), facts)
    estimate = min(1.0, max(0.0, chosen.estimate + difference))
    doubt, points = CLEAR_BEYOND * error, count_points(chosen.estimate) - count_points(estimate)
    is_clear = -difference > doubt
    key = "worse" if is_clear and points else "equal" if is_clear or doubt <= EVEN else "unclear"
    says = render_words(key, points=points, error=math.ceil(100 * doubt))
    return AdvisedMove(option.move, estimate, -difference, error, many, says, facts)


def count_points(share: float) -> int:
    """Return a share in points of a hundred, rounded as it is shown.

    So the difference that is told is that of the numbers beside it.
    """
    return math.floor(100 * round(share, SHOWN_DIGITS) + 0.5)


def list_lines(game: Game, seen: State, seat: Seat, move: Move | None) -> list[Text]:
    """Return what the seat foresees that a move does at once, weightiest first."""
    if move is None:
        return []
    try:
        events = [event.view_for(seat) for event in preview_move(seen, seat, move)[0]]
        sums = list(list_sums(game, seen, events))
        told = [
            game.narration.render_spoken_text(event, sum=sums[at]) for at, event in game.narration.join_cards(events)
        ]
    except Undetermined:
        return []  # the view does not say what follows
    spoken = sorted((each for each in told if each is not None), key=lambda each: each.rank)
    return [{lang: format_sentence(each.says[lang]) for lang in LANGUAGES} for each in spoken]


def list_sums(game: Game, state: Any, events: Iterable[Event]) -> Iterator[Text | str]:
    """Yield for each event what its number is made of; empty if it has none."""
    for event in events:
        terms = () if isinstance(event, BOOKKEEPING_TYPES) else game.breakdowns.break_down_event(state, event)
        made = next((term for term in terms if term.parts), None)
        yield "" if made is None else describe_parts(game, made)
        state = event.apply(state)


def describe_parts(game: Game, number: Term) -> Text:
    """Return the parts of a number in words, one after the other."""
    parts = [
        game.rulebook.render_texts(part.says, **{**part.params, "number": part.value, "from": part.card})
        for part in number.parts
    ]
    return {lang: ", ".join(part[lang] for part in parts) for lang in LANGUAGES}


def list_differing_lines(lines: Sequence[Sequence[Text]]) -> list[list[Text]]:
    """Return for each option the lines that not all options share, each once."""
    often = Counter(text for told in lines for text in {each["en"] for each in told})
    return [
        list({each["en"]: each for each in told if often[each["en"]] < len(lines) or len(lines) == 1}.values())
        for told in lines
    ]


def list_outcomes(option: Option, shown: Sequence[Option]) -> Iterator[Text]:
    """Yield how often the match is won or lost within the playouts.

    That is told where it differs in the worlds that all options share.
    """
    worlds = set.intersection(*(set(each.shares) for each in shown))
    if len(worlds) < FEWEST_WORLDS:
        return
    for key, share in (("won", WON), ("lost", LOST)):
        counts = [sum(each.shares[world] == share for world in worlds) for each in shown]
        if len(set(counts)) > 1:
            won = sum(option.shares[world] == share for world in worlds)
            yield render_words(key, count=won, of=len(worlds))


def format_sentence(text: str) -> str:
    """Return a main clause as a sentence."""
    begun = f"{text[:1].upper()}{text[1:]}"
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."


def render_words(key: str, **params: Any) -> Text:
    """Return a text of `explain.yaml` in every language."""
    return {lang: format_message(_load_words()[key][lang], lang, params, lambda value, _: value) for lang in LANGUAGES}


@cache
def _load_words() -> dict[str, Text]:
    found: dict[str, Text] = read_yaml(Path(__file__).with_name("explain.yaml"))
    return found
