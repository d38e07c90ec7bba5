"""The ruling on a written position and the dispute about it, as plain data.

TABLE-JUDGE-1: A table that tracked nothing may write down a position and a move. The referee judges what is written,
says what it leaves out, and keeps nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Event, Move
from referee.engine.game import Game
from referee.engine.positions.failures import blame_question
from referee.engine.reasons.grounds import find_grounds
from referee.engine.reasons.preconditions import GENERAL_PREFIXES, collect_watched_clauses
from referee.engine.referee import find_state_after, seats_that_must_act
from referee.engine.rulebook.book import LANGUAGES, Clause, Text
from referee.engine.rulings import MAX_ERRORS, MissingInformation, Ruling, Undetermined
from referee.engine.seats import Seat
from referee.position_rulings import interpretations
from referee.position_rulings.facts import MissingFacts, describe_question, fact_response, findings_response
from referee.position_rulings.house_rulings import choose_house_readings, name_house_rulings
from referee.position_rulings.inquiry import Answer, Fact, Findings, Inquiry
from referee.position_rulings.request import (
    EFFECT_CLAIMS,
    MalformedQuestion,
    Question,
    compare_content,
    count_cards,
    find_place_schema,
    find_seen_errors,
    require_seats,
    resolve_pointer,
)
from referee.position_rulings.words import describe_place_value, render_text
from referee.position_rulings.written_moves import decode_position, find_ways_out, rule_on_written_move
from referee.rendering import quoting, summary, texts

PLAIN_QUESTION = Question()
Checks = list[dict[str, Any]]


def rule_on_position(
    game: Game, position: Mapping[str, Any], seat: Seat, move: Move, quarrel: Question = PLAIN_QUESTION
) -> dict[str, Any]:
    """Return the ruling on a move in a written position, as data.

    It holds the question, verdict, clauses, what is missing, what would have been legal, what follows, the readings it
    rests on, and who is right. Raises MalformedQuestion, and as `PositionFormat.decode_position` MalformedInput,
    ContradictoryPosition and UnjudgeablePosition.

    A plain question is answered by the readings of new matches, where neither position nor question chooses others.
    Moves and what was seen may name cards as positions do.

    TABLE-JUDGE-3: Where the answer to a dispute depends on something that the rulebook leaves open and the referee
    knows several readings of, it is undecided until the table agrees on a reading.
    """
    quarrel = choose_house_readings(game, position, quarrel)
    with blame_question():
        return name_house_rulings(game, _rule_on_position(game, position, seat, move, quarrel), quarrel)


def _rule_on_position(
    game: Game, position: Mapping[str, Any], seat: Seat, move: Move, quarrel: Question
) -> dict[str, Any]:
    written = interpretations.apply_agreed_interpretations(game, position, quarrel.readings)
    move, quarrel = game.positions.read_move_names(written, move), _read_seen_names(game, written, quarrel)
    findings = _look_into(game, game.apply_newest_ruleset(written), seat, move, quarrel)
    position = findings.position
    state = decode_position(game, position)
    usual, events = rule_on_written_move(game, state, seat, move)
    attempts = interpretations.try_alternatives(game, position, written, seat, move)
    open_to = [each for each in attempts if not each.chosen and each.changes_answer(quarrel.claim, usual, events)]
    given = usual
    if quarrel.is_disputed and (open_to or findings.unknown):
        given = _build_undecided_ruling(game, usual, open_to, findings.unknown)
    ways = find_ways_out(game, state, seat, move) if given.verdict == "refused" else ()
    follows = find_state_after(state, given, events)
    stands = None if follows is None else _encode_after(game, position, follows)
    named = [quarrel.clause, *(each.clause for each in quarrel.says)]
    cited = dict.fromkeys([*usual.clauses, *(name for name in named if name)])
    rests = interpretations.interpretations_response(game, cited, attempts, quarrel.claim, usual, events)
    decides = find_deciding_clause(game, given, state, move)
    return {
        **texts.ruling_response(game, given, ways),
        "events": [
            {**encode(event), "told": texts.describe_event(game, event)} for event in (events if given is usual else ())
        ],
        "after": stands if given.granted else None,
        "next": texts.next_question_response(game, follows),
        "asked": {**_question_response(game, written, state, seat, move), "names": [*quarrel.names]},
        "aloud": _render_spoken(game, given, seat, move, decides),
        "rests_on": rests,
        **findings_response(game, findings),
        "sums": [summary.term_response(game, each) for each in game.breakdowns.compute_totals(state)],
        "quarrel": _answer_question(
            game,
            quarrel,
            given,
            [*_find_bearing_clauses(given, rests, open_to)],
            stands,
            decides,
            collect_watched_clauses(state, move),
        )
        if quarrel.is_disputed
        else None,
    }


def _find_bearing_clauses(
    given: Ruling, rests: list[dict[str, Any]], open_to: list[interpretations.SwitchTrial]
) -> Iterator[str]:
    """Yield the clauses that a ruling rests on.

    Of one that is undecided, because the table chose no reading, they are also those by which the other readings
    answer.
    """
    yield from given.clauses
    yield from (item["clause"]["id"] for item in rests if item["by"] or item["hangs"])
    if given.verdict == "undecided":
        rulings = (other.ruling for each in open_to for other in each.others)
        yield from (name for ruling in rulings if ruling is not None and ruling.broken_rules for name in ruling.clauses)


def _read_seen_names(game: Game, position: dict[str, Any], quarrel: Question) -> Question:
    """Return the question with what was seen under the names of the game.

    Raises MalformedQuestion if there is no such place or name.
    """
    errors: list[dict[str, str]] = []

    def read(saw: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        if not saw:
            return saw
        seen: dict[str, Any] = game.positions.read_names_beside(position, dict(saw))
        schema = game.positions.build_schema(position.get("variant", game.variants[0]), position.get("edition", ""))
        names = game.positions.tables.find_table(game.split_position(position)[0]).names
        errors.extend(islice(find_seen_errors(schema, names, position, seen, where), MAX_ERRORS))
        return seen

    says = [replace(each, saw=read(each.saw, f"/says/{at}/saw")) for at, each in enumerate(quarrel.says)]
    quarrel = replace(quarrel, saw=read(quarrel.saw, "/saw"), says=tuple(says))
    if errors:
        raise MalformedQuestion(errors)
    return quarrel


def _look_into(game: Game, position: dict[str, Any], seat: Seat, move: Move, quarrel: Question) -> Findings:
    """Return what the position leaves out that the answer depends on.

    Raises MissingFacts if the table has to say more, and MalformedInput.

    TABLE-JUDGE-4: In a quarrel nothing that could change the answer is assumed silently. What every table assumes is
    said with the ruling; everything else is asked for, all at once.
    """

    def judge(tried: dict[str, Any]) -> Answer:
        with blame_question():
            state = decode_position(game, tried)
            require_seats(quarrel, seat, game.count_seats(state))
            given, events = rule_on_written_move(game, state, seat, move)
            if given.verdict == "undecided":
                return Answer(given.verdict, (), given.needs, state)
            return Answer(given.verdict, _find_answers(game, quarrel, state, given, events), (), state)

    inquiry = Inquiry(
        game, judge, [*_list_names(position), *_list_names(encode(move))],
        keeps_defaults=not quarrel.is_disputed, unknown=quarrel.unknown,
        unswitched=frozenset(each.setting for each in interpretations.find_switches(game).values() if each.setting),
    )  # fmt: skip
    findings = inquiry.look_into(game.positions.read_names(position))
    if findings.asked:
        raise MissingFacts([fact_response(game, fact) for fact in findings.asked])
    return findings


def _list_names(data: Any) -> Iterator[str]:
    """Yield the texts in written data, the names of cards among them."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping | list):
        for each in data.values() if isinstance(data, Mapping) else data:
            yield from _list_names(each)


def _find_answers(game: Game, quarrel: Question, state: Any, given: Ruling, events: tuple[Event, ...]) -> Any:
    """Return what the answer to a quarrel consists of besides the verdict.

    It is whether that which people saw is right, or if they say nothing of it, what follows from the move.
    """
    seen = [saw for saw in (quarrel.saw, *(each.saw for each in quarrel.says)) if saw]
    if seen:
        follows = find_state_after(state, given, events)
        stands = None if follows is None else game.positions.encode_position(follows)
        return [[check["right"] for check in _check_observations(game, saw, stands)] for saw in seen]
    return encode(events) if quarrel.claim in EFFECT_CLAIMS else None


def _encode_after(game: Game, position: Mapping[str, Any], follows: Any) -> dict[str, Any]:
    """Return the position after a move, with the readings of the position before it."""
    return game.keep_older_interpretations(game.positions.encode_position(follows), position.get("readings", {}))


def _build_undecided_ruling(
    game: Game, usual: Ruling, open_to: list[interpretations.SwitchTrial], unknown: Sequence[Fact]
) -> Ruling:
    """Return the ruling where the table chose no reading, or nobody knows a fact."""
    if not open_to:
        needs = tuple(
            MissingInformation("judge.unknown_fact", {"asks": describe_question(game, fact)}) for fact in unknown
        )
        return Ruling(False, "judge.facts_unknown", ("TABLE-JUDGE-4",), needs=needs)
    needs = tuple(
        MissingInformation(
            "judge.agree_on_reading",
            {"clause": each.switch.clause, "open": _describe_open_point(game, each.switch.clause)},
        )
        for each in open_to
    )
    names = (each.switch.clause for each in open_to)
    clauses = tuple(dict.fromkeys((*names, *usual.clauses, "TABLE-JUDGE-3")))
    return Ruling(False, "judge.readings_compete", clauses, needs=(*needs, *usual.needs))


def _describe_open_point(game: Game, name: str) -> Text:
    """Return what the rulebook leaves open if the clause says; else what it is about."""
    clause = texts.find_clause(game, name)
    return clause.open or clause.says


def _question_response(game: Game, position: dict[str, Any], state: Any, seat: Seat, move: Move) -> dict[str, Any]:
    """Return what was asked, so that the answer can be read by itself."""
    try:
        waits = sorted(seats_that_must_act(state), reverse=True)
    except Undetermined:  # the position does not even say whose move it is
        waits = []
    return {
        "game": game.name,
        "title": game.title,
        "variant": position.get("variant", game.variants[0]),
        "position": position,
        "question": texts.question_response(game, state) if state.agenda else None,
        "awaits": [texts.actor_label(each) for each in waits],
        "seat": texts.actor_label(seat),
        "move": encode(move),
        "told": texts.describe_event(game, move),
    }


def _render_spoken(game: Game, given: Ruling, seat: Seat, move: Move, decides: Clause) -> Text:
    """Return the verdict to read aloud, with the rule that is its reason."""
    told = _tell_move(game, seat, move)
    if given.verdict == "undecided":
        asks = [texts.render_text(game, need.key, **need.params) for need in given.needs]
        if given.reason == "judge.readings_compete":
            return render_text(game, "aloud.open", told=told, open=given.needs[0].params["open"])
        return render_text(game, "aloud.unsaid", told=told, asks=asks[0])
    if given.verdict == "granted":
        return quoting.add_reason(render_text(game, "aloud.granted", told=told), decides)
    reason, rule = texts.describe_reason(game, given), quoting.tell_rule(decides)
    return render_text(game, "aloud.refused", told=told, reason=reason, rule=rule)


def _tell_move(game: Game, seat: Seat, move: Move) -> Text:
    """Return who makes which move, as a sentence without its full stop.

    It is the one that is read aloud about the move, if there is one, or else the player before the words of the move.
    """
    if (told := texts.tell_made_move(game, move, int(seat))) is not None:
        return {lang: quoting.strip_sentence_end(told[lang]) for lang in LANGUAGES}
    words = texts.describe_event(game, move) or dict.fromkeys(LANGUAGES, move.TAG)
    bare = {lang: quoting.strip_sentence_end(words[lang]) for lang in LANGUAGES}
    return bare if seat < 0 else render_text(game, "told.named", seat=seat, move=bare)


def _answer_question(
    game: Game,
    quarrel: Question,
    given: Ruling,
    bearing: list[str],
    stands: dict[str, Any] | None,
    decides: Clause,
    watched: tuple[str, ...],
) -> dict[str, Any]:
    """Return who is right, where statements can be compared with the rules.

    TABLE-JUDGE-2: What each party says is compared with what the rules make of the position. What the position leaves
    out is not held against anybody.
    """
    read = set() if given.verdict == "undecided" else {decides.id}
    checked = _check_observations(game, quarrel.saw, stands)
    right = _is_claim_right(quarrel, given, checked)
    named = _clause_response(game, quarrel.clause, given, bearing, decides, watched, read)
    parties = []
    for each in quarrel.says:
        checks = _check_legality(game, each.legal, given) + _check_observations(game, each.saw, stands)
        found = _combine_checks(checks)
        parties.append(
            {
                "seat": each.seat,
                "says": each.says,
                "right": found,
                "told": render_text(game, f"party_is.{_rightness_key(found)}", seat=each.seat),
                "checked": checks,
                **_clause_response(game, each.clause, given, bearing, decides, watched, read),
            }
        )
    return {
        "claim": quarrel.claim or None,
        "right": right,
        "told": render_text(game, f"claim_is.{quarrel.claim}.{_rightness_key(right)}") if quarrel.claim else None,
        "checked": checked,
        **named,
        "parties": parties,
    }


def _is_claim_right(quarrel: Question, given: Ruling, checked: Checks) -> bool | None:
    """Return whether the claim is right; None if it is open.

    A forgotten effect or a wrong count shows where the table departs from the rules.
    """
    if quarrel.claim == "illegal_move":
        return None if given.verdict == "undecided" else not given.granted
    as_played = _combine_checks(checked)
    return None if quarrel.claim not in EFFECT_CLAIMS or as_played is None else not as_played


def _check_legality(game: Game, legal: bool | None, given: Ruling) -> Checks:
    if legal is None:
        return []
    right = None if given.verdict == "undecided" else legal == given.granted
    told = render_text(game, f"check.legal.{'yes' if legal else 'no'}")
    return [{"what": "legal", "says": legal, "is": given.verdict, "right": right, "told": told}]


def _check_observations(game: Game, saw: Mapping[str, Any], stands: dict[str, Any] | None) -> Checks:
    """Return what was seen at places of the position, beside what the rules put there."""
    schema = game.positions.build_schema((stands or {}).get("variant", game.variants[0])) if saw else {}
    found = []
    for place, said in saw.items():
        exists, there = (False, None) if stands is None else resolve_pointer(stands, place)
        right = compare_content(said, there) if exists else None
        if isinstance(said, int) and not isinstance(there, int | None) and (number := count_cards(there)) is not None:
            there = number
        key = {True: "same", False: "other", None: "unknown"}[right]
        of = find_place_schema(schema, place)
        is_seat = any("x-seat" in option for option in of.get("anyOf", [of]))
        says, rules = (describe_place_value(game, each, is_seat=is_seat) for each in (said, there))
        told = render_text(game, f"check.place.{key}", place=place, says=says, **{"is": rules})
        found.append({"what": place, "says": said, "is": there, "right": right, "told": told})
    return found


def find_deciding_clause(game: Game, given: Ruling, state: Any, move: Move) -> Clause:
    """Return the clause that decides the ruling.

    Of a refusal it is the first of the rule that says most about the move. Of a legal move it is one that makes it
    legal in this very situation, else one of the kind of move or of what follows, and one of the open question only if
    there is no other. A rule of the game explains more than one of all games, and than the answer to an open question.
    """
    if given.broken_rules:
        return texts.find_clause(game, given.clauses[0])
    names = list(given.clauses)
    if given.granted:
        own, asked = move.applied_clauses(), state.cite_clauses(state.agenda[-1].clauses)
        grounds = state.cite_clauses(find_grounds(state, move, ()))
        if own and all(name.startswith(GENERAL_PREFIXES) for name in own):  # the question is why there is an answer
            return _find_telling_clause(game, (*grounds, *asked, *own))
        names = [*grounds, *state.cite_clauses(own), *sorted(given.clauses, key=lambda name: name in asked)]
        names.sort(key=lambda name: name.startswith(GENERAL_PREFIXES))
    return _find_telling_clause(game, names)


def _find_telling_clause(game: Game, names: Sequence[str]) -> Clause:
    """Return the first clause that tells players something, or else the first of all."""
    return quoting.find_reason_clause(game, names) or texts.find_clause(game, names[0])


def _clause_response(
    game: Game, name: str, given: Ruling, bearing: list[str], decides: Clause, watched: tuple[str, ...], read: set[str]
) -> dict[str, Any]:
    """Return the clause that a party names, and whether the ruling rests on it.

    `bearing` are the clauses that it rests on, `decides` the one that decides it, `watched` those that the rules demand
    of such a move, `read` those whose text was read before in this ruling; here those are added that are read now.
    """
    if not name:
        return {"clause": None, "bears": None, "bears_told": None}
    bears = name in bearing
    params = {"clause": name, "decides": decides.id}
    holds = next((each for each in bearing if _are_readings_of_one_rule(game, each, name)), None)
    if bears:
        told = render_text(game, "bears.yes", clause=name)
    elif holds is not None:
        rule = _read_once(texts.find_clause(game, holds), read)
        told = render_text(game, "bears.read_otherwise", clause=name, holds=holds, rule=rule)
    elif given.reason == "judge.readings_compete":
        told = render_text(game, "bears.open", clause=name, decides=given.clauses[0])
    elif name in watched:  # a legal move keeps it; of a refused one nothing may have been asked about it
        rule = _read_once(decides, read)
        told = render_text(game, "bears.kept" if given.granted else "bears.beside", **params, rule=rule)
    else:
        about, rule = _read_once(texts.find_clause(game, name), read), _read_once(decides, read)
        told = render_text(game, "bears.no", **params, about=about, rule=rule)
    return {"clause": texts.clauses_response(game, [name])[0], "bears": bears, "bears_told": told}


def _read_once(clause: Clause, read: set[str]) -> Text:
    """Return what a clause says, after a colon; nothing if it was read before."""
    if clause.id in read:
        return dict.fromkeys(LANGUAGES, "")
    read.add(clause.id)
    said = quoting.quote_clause(clause)
    return {lang: f": {said[lang]}" for lang in LANGUAGES}


def _are_readings_of_one_rule(game: Game, name: str, other: str) -> bool:
    """Return whether two clauses are readings of the same unclear place."""
    first, second = texts.find_clause(game, name), texts.find_clause(game, other)
    return (first.reads or first.id) == (second.reads or second.id)


def _combine_checks(checks: Checks) -> bool | None:
    """Return False if a check fails, None if one is open or there are none, else True."""
    found = [check["right"] for check in checks]
    return False if False in found else None if None in found or not found else True


def _rightness_key(right: bool | None) -> str:
    return "unknown" if right is None else "right" if right else "wrong"
