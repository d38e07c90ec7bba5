"""Find the facts that a position leaves out and that its ruling depends on.

Like the readings of the rulebook, values of what is left out are tried: the same move, judged again. A fact matters if
a value that it may have gives another answer. Nothing here knows a game: what may be left out, and which values are
possible, follows from the rows of its positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.engine.game import Game
from referee.engine.positions.left_out import LeftOut, Path, PossibleValues, find_left_out, list_values, write_member
from referee.engine.rulings import MalformedInput, MissingInformation

MOST_TRIALS = 4000  # positions that are judged for one ruling
MOST_QUICK_VALUES = 4  # values that show whether a ruling asks for a fact, or whether something assumed matters
MOST_KEPT_VALUES = 10  # values of a default that holds anyway, and is only said to matter
MOST_FACTS_DEEP = 3  # facts whose values together leave a ruling as it is
Position = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the rules make of a position, as far as two answers are compared.

    `says`: what else the answer to the quarrel consists of. `needs`: what is missing for a verdict, if it is undecided.
    """

    verdict: str
    says: Any = None
    needs: tuple[MissingInformation, ...] = ()
    state: Any = field(default=None, compare=False)

    @property
    def is_open(self) -> bool:
        """Whether the position says too little for a verdict."""
        return bool(self.needs)


Judge = Callable[[Position], Answer]


@dataclass(frozen=True)
class Fact:
    """A fact that a position leaves out.

    `answers`: for each value tried that is possible, the answer with it. `usual`: the value that the position means by
    leaving it out, if it means one (`is_defaulted`). `need`: the question by which a rule asks for it. `are_all`: the
    fact has no other possible values.
    """

    member: LeftOut
    answers: tuple[tuple[Any, Answer], ...]
    are_all: bool
    is_defaulted: bool = False
    usual: Any = None
    need: MissingInformation | None = None

    @property
    def path(self) -> Path:
        """Where in the position the fact stands."""
        return self.member.path

    @property
    def values(self) -> list[Any]:
        """The values that are possible."""
        return [value for value, _ in self.answers]


@dataclass(frozen=True)
class Findings:
    """What was found out about a position.

    `asked`: the facts without which there is no ruling. `unknown`: those of them that nobody knows any more. `assumed`:
    those that every table assumes, though another value would change the answer. `beside`: those that rules need, but
    whose every value gives the same answer. `position`: the position, completed by one value of each of these.
    """

    asked: tuple[Fact, ...]
    unknown: tuple[Fact, ...]
    assumed: tuple[Fact, ...]
    beside: tuple[Fact, ...]
    position: Position


class Inquiry:
    """The search for the facts that one ruling depends on.

    `judge`: answers for a position; raises MalformedInput if it cannot be. `keeps_defaults`: defaults hold, as people
    do not disagree. `unknown`: the paths of facts that nobody knows any more, which are not asked for.
    """

    def __init__(
        self, game: Game, judge: Judge, named: Sequence[str], *, keeps_defaults: bool,
        unknown: frozenset[Path] = frozenset(), unswitched: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self._game, self._judge, self._named = game, judge, named
        self._keeps_defaults, self._unknown, self._unswitched = keeps_defaults, unknown, unswitched
        self._trials = 0
        self._asked: dict[Path, Fact] = {}
        self._assumed: dict[Path, Fact] = {}

    def look_into(self, position: Position) -> Findings:
        """Return what a position leaves out that its ruling depends on.

        Raises MalformedInput if the position cannot be judged, and no left-out fact is the reason.
        """
        start = self._complete_needed(position)
        settled, beside = self._settle(start, self._try(start), 0)
        self._search(settled, lambda values: values[0])
        if self._asked:  # with other values the rules may ask for other facts
            self._search(settled, lambda values: values[-1])
        skipped = {fact.path for fact in beside}
        # What depends on another fact is asked only after it.
        open_places = {member.path for member in self._list_members(position)}
        found = [fact for path, fact in self._asked.items() if path not in skipped and path in open_places]
        asked = tuple(fact for fact in found if fact.path not in self._unknown)
        unknown = tuple(fact for fact in found if fact.path in self._unknown)
        return Findings(asked, unknown, tuple(self._assumed.values()), tuple(beside), settled)

    # ---- trying ------------------------------------------------------------------------------------------------------

    def _try(self, position: Position) -> Answer:
        self._trials += 1
        return self._judge(position)

    def _list_members(self, position: Position) -> Iterator[LeftOut]:
        schema = self._game.positions.find_schema(position)
        for member in find_left_out(schema, position):
            is_switch = member.path[0] == "settings" and member.name in self._unswitched
            if not is_switch and member.path[0] != "readings":
                yield member

    def _find_values(self, position: Position, member: LeftOut) -> PossibleValues:
        seats = len(position.get("seats") or position.get("players") or "00")  # two where no list of players says
        found = list_values(member, seats, self._named)
        if member.path != ("question",):
            return found
        examples = self._game.positions.build_examples(position.get("variant", self._game.variants[0]))
        asked = [each["question"] for each in examples if "asks" in (each.get("question") or ())]
        values = [*found.values, *(each for each in asked if each not in found.values)]
        return PossibleValues(tuple(values), False)

    def _examine(self, position: Position, member: LeftOut, answer: Answer | None, most: int | None = None) -> Fact:
        """Return a fact with the answers for its possible values.

        `most`: how many values are tried at most, the first and the last of them. None: all.
        """
        found, answers, usual = self._find_values(position, member), [], []
        whole = found.values
        for value in whole if most is None or len(whole) <= most else (*whole[: most // 2], *whole[-most // 2 :]):
            if self._trials >= MOST_TRIALS:
                break
            try:
                other = self._try(write_member(position, member.path, value))
            except MalformedInput:
                continue  # the position is impossible with this value
            answers.append((value, other))
            if answer is not None and other.state == answer.state:
                usual.append(value)
        need = answer.needs[0] if answer is not None and answer.needs else None
        is_whole = found.are_all and self._trials < MOST_TRIALS
        return Fact(member, tuple(answers), is_whole, bool(usual), usual[0] if usual else None, need)

    # ---- what has to be said in any case -----------------------------------------------------------------------------

    def _complete_needed(self, position: Position) -> Position:
        """Return the position with a value for each member that it needs to be read.

        These members are asked for.

        Raises MalformedInput if something else is wrong with it.
        """
        for _ in range(MOST_TRIALS):
            try:
                self._try(position)
            except MalformedInput as wrong:
                missing = self._find_missing(position, wrong)
                if missing is None:
                    raise
                fact = self._examine_missing(position, missing)
                self._asked[missing.path] = fact
                if not fact.values:
                    raise
                position = write_member(position, missing.path, fact.values[0])
            else:
                break
        return position

    def _find_missing(self, position: Position, wrong: MalformedInput) -> LeftOut | None:
        """Return a left-out member that a position needs to be read.

        None: something else is wrong with the position, too.
        """
        left_out = {_render_path(each.path): each for each in self._list_members(position) if each.written is None}
        if not all(error["pointer"] in left_out for error in wrong.errors):
            return None
        missing = left_out[wrong.errors[0]["pointer"]]
        is_record = missing.schema.get("items", {}).get("type") == "object"  # such as the players: no single fact
        return None if is_record else missing

    def _examine_missing(self, position: Position, member: LeftOut) -> Fact:
        """Return a fact without which a position cannot be read.

        Its values are those with which no error is left at its place; other members may still be missing.
        """
        values, found = [], self._find_values(position, member)
        for value in found.values:
            try:
                self._try(write_member(position, member.path, value))
            except MalformedInput as wrong:
                at = _render_path(member.path)
                if any(f"{error['pointer']}/".startswith(f"{at}/") for error in wrong.errors):
                    continue
                if self._find_missing(write_member(position, member.path, value), wrong) is None:
                    continue
            values.append(value)
        return Fact(member, tuple((value, Answer("")) for value in values), found.are_all)

    # ---- what matters ------------------------------------------------------------------------------------------------

    def _settle(self, position: Position, answer: Answer, depth: int) -> tuple[Position, list[Fact]]:
        """Return a position with a ruling, and the facts that do not matter to it.

        Every value of these facts gives that ruling.

        If there is no such position it is the one given, without facts.
        """
        if not answer.is_open or depth >= MOST_FACTS_DEEP:
            return position, []
        for member in self._list_members(position):
            if member.has_cards or member.is_needed or not self._asks_for(position, member, answer):
                continue
            fact = self._examine(position, member, answer)
            if not fact.are_all or not fact.answers or fact.is_defaulted:
                continue
            ends = []
            for value, other in fact.answers:
                filled, beside = self._settle(write_member(position, member.path, value), other, depth + 1)
                ends.append((self._try(filled), filled, beside))
            answers = {repr((end.verdict, end.says)) for end, _, _ in ends}
            if len(answers) == 1 and not any(end.is_open for end, _, _ in ends):
                others = {each.path: each for _, _, beside in ends for each in beside}
                return ends[0][1], [fact, *others.values()]
        return position, []

    def _search(self, position: Position, pick: Callable[[Sequence[Any]], Any]) -> None:
        """Note every fact that matters.

        As long as the ruling is open, a fact that a rule asks for gets a value, so that the next one is asked for.
        `pick` chooses among the values that give another answer.
        """
        answer = self._try(position)
        while answer.is_open and self._trials < MOST_TRIALS:
            filled = self._fill_first(position, answer, pick)
            if filled is None:
                return
            position, answer = filled, self._try(filled)
        for member in self._list_members(position):
            if not member.has_cards and self._trials < MOST_TRIALS:  # a rule that needs cards asks for them
                kept = MOST_KEPT_VALUES if self._keeps_defaults else None
                most = MOST_QUICK_VALUES if member.assumed else kept
                self._note(self._examine(position, member, answer, most), answer)

    def _fill_first(self, position: Position, answer: Answer, pick: Callable[[Sequence[Any]], Any]) -> Position | None:
        """Return the position with a value for the first fact that a rule asks for.

        None: there is no such fact.
        """
        for member in self._iterate_asked_members(position, answer):
            fact = self._examine(position, member, answer)
            if fact.is_defaulted:
                continue
            self._asked.setdefault(member.path, fact)
            values = [value for value, other in fact.answers if other != answer]
            filled: Position = write_member(position, member.path, pick(values))
            return filled
        return None

    def _iterate_asked_members(self, position: Position, answer: Answer) -> Iterator[LeftOut]:
        """Yield the members that an open ruling seems to ask for, the likeliest first.

        A rule asks for what answers it with every value. What answers it only with some (if all cards have a trigger, a
        shield without one is in no hand) bears on it in a roundabout way.
        """
        roundabout: list[tuple[float, LeftOut]] = []
        for member in self._list_members(position):
            share = self._weigh_need(position, member, answer)
            if share == 1:
                yield member
            elif share:
                roundabout.append((share, member))
        yield from (member for _, member in sorted(roundabout, key=lambda each: -each[0]))

    def _asks_for(self, position: Position, member: LeftOut, answer: Answer) -> bool:
        """Return whether an open ruling seems to ask for a fact, by a few of its values."""
        return self._weigh_need(position, member, answer) > 0

    def _weigh_need(self, position: Position, member: LeftOut, answer: Answer) -> float:
        """Return which share of a few values of a fact gives another answer."""
        fact = self._examine(position, member, answer, MOST_QUICK_VALUES)
        others = [other != answer for _, other in fact.answers]
        return 0.0 if fact.is_defaulted or not others else sum(others) / len(others)

    def _note(self, fact: Fact, answer: Answer) -> None:
        """Note a fact that is defaulted, if it matters."""
        if fact.path in self._asked or all(other == answer for _, other in fact.answers):
            return
        # A default that cannot be written cannot be asked for either.
        kept = self._keeps_defaults or fact.member.assumed or not fact.is_defaulted
        (self._assumed if kept else self._asked).setdefault(fact.path, fact)


def _render_path(path: Path) -> str:
    return "".join(f"/{part}" for part in path)
