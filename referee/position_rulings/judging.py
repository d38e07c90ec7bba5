"""The ruling on a written position, and on the quarrel about it, as plain data in every language (TABLE-JUDGE-1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.engine.codec import encode
from referee.engine.events import Move, fold
from referee.engine.game import Game
from referee.engine.referee import awaited, heard, nearest, ruled
from referee.engine.rulebook.book import LANGUAGES, Text, read_yaml
from referee.engine.rulings import Need, Ruling, Unknown
from referee.engine.seats import Seat
from referee.position_rulings import interpretations
from referee.position_rulings.request import OF_EFFECT, Quarrel, agrees, count, pointed, seated
from referee.rendering import summary, texts

WORDS: dict[str, Text] = read_yaml(Path(__file__).with_name("words.yaml"))
SENTENCE = re.compile(r"[.!?] +(?=[^\W\d])")  # where one sentence ends and another begins
PLAIN = Quarrel()
MOST_NAMED = 3  # clauses that somebody is told in place of the one that does not bear on it
Checks = list[dict[str, Any]]


def says(game: Game, key: str, **params: Any) -> Text:
    """A text of this room in every language; cards among the parameters are called by name. Raises KeyError."""
    return {lang: game.book.fill(WORDS[key][lang], lang, params) for lang in LANGUAGES}


def judged(game: Game, position: Mapping[str, Any], seat: Seat, move: Move, quarrel: Quarrel = PLAIN) -> dict[str, Any]:
    """The ruling on a move in a written position: what was asked, verdict, clauses, what is missing, what would have
    been legal, what follows, the readings it rests on, and who is right.

    A plain question is answered by the usual readings. A quarrel that hangs on a reading nobody chose is undecided,
    with what each reading makes of it (TABLE-JUDGE-3).

    Raises Misasked, and as `Game.position` Malformed and Impossible.
    """
    position = interpretations.agreed(game, position, quarrel.readings)
    state = game.position(position)
    seated(quarrel, seat, game.seats_at(state))
    usual, facts = ruled(state, seat, move)
    attempts = interpretations.tried(game, position, seat, move)
    open_to = [each for each in attempts if not each.chosen and each.hangs(quarrel.claim, usual, facts)]
    given = _undecided(game, usual, open_to) if quarrel.disputed and open_to else usual
    ways = nearest(state, seat, move) if given.verdict == "refused" and seat in heard(state) else ()
    after = game.written(fold(state, facts)) if given.granted and not given.needs else None
    stands = game.written(state) if given.verdict == "refused" else after  # what is refused changes nothing
    named = [quarrel.clause, *(each.clause for each in quarrel.says)]
    cited = dict.fromkeys([*usual.clauses, *(name for name in named if name)])
    rests = interpretations.shown(game, cited, attempts, quarrel.claim, usual, facts)
    return {
        **texts.ruling(game, given, ways),
        "events": [{**encode(fact), "told": texts.told(game, fact)} for fact in (facts if given is usual else ())],
        "after": after,
        "asked": _asked(game, position, state, seat, move),
        "aloud": _aloud(game, given, seat, move),
        "rests_on": rests,
        "quarrel": _answered(game, quarrel, given, rests, stands) if quarrel.disputed else None,
    }


def _undecided(game: Game, usual: Ruling, open_to: list[interpretations.Tried]) -> Ruling:
    """The ruling where the readings of a clause compete, and the table has chosen none."""
    needs = tuple(
        Need("judge.agree_on_reading", {"clause": each.switch.clause, "open": _left_open(game, each.switch.clause)})
        for each in open_to
    )
    names = (each.switch.clause for each in open_to)
    clauses = tuple(dict.fromkeys((*names, *usual.clauses, "TABLE-JUDGE-3")))
    return Ruling(False, "judge.readings_compete", clauses, needs=(*needs, *usual.needs))


def _left_open(game: Game, name: str) -> Text:
    """What the rulebook leaves open, as far as the clause says; else what the clause is about."""
    clause = texts.clause(game, name)
    return clause.open or clause.says


def _asked(game: Game, position: dict[str, Any], state: Any, seat: Seat, move: Move) -> dict[str, Any]:
    """What was asked, so that the answer can be read by itself."""
    try:
        waits = sorted(awaited(state), reverse=True)
    except Unknown:  # the position does not even tell whose move it is
        waits = []
    return {
        "game": game.name,
        "title": game.title,
        "variant": position.get("variant", game.variants[0]),
        "position": position,
        "question": texts.question(game, state.agenda[-1]) if state.agenda else None,
        "awaits": [texts.whose(each) for each in waits],
        "seat": texts.whose(seat),
        "move": encode(move),
        "told": texts.told(game, move),
    }


def _aloud(game: Game, given: Ruling, seat: Seat, move: Move) -> Text:
    """The verdict as one sentence to read aloud, with the rule that gives the reason."""
    who = says(game, "mover", seat=seat) if seat >= 0 else says(game, "chance")
    words = texts.told(game, move) or dict.fromkeys(LANGUAGES, move.TAG)
    parts: dict[str, Any] = {"who": who, "move": {lang: part(text) for lang, text in words.items()}}
    if given.verdict == "undecided":
        asks = [texts.texts(game, need.key, **need.params) for need in given.needs]
        if given.reason == "judge.readings_compete":
            return says(game, "aloud.open", **parts, open=given.needs[0].params["open"])
        return says(game, "aloud.unsaid", **parts, asks=asks[0])
    rule = summary.reason(game, given.clauses) or texts.clause(game, given.clauses[0])
    parts["rule"] = {lang: part(SENTENCE.split(rule.says[lang])[0]) for lang in LANGUAGES}
    reason = texts.reason(game, given)
    parts["reason"] = {lang: part(reason[lang]) for lang in LANGUAGES}
    return says(game, f"aloud.{given.verdict}", **parts)


def part(text: str) -> str:
    """A text as part of a sentence: no mark at its end, and no end within it."""
    return SENTENCE.sub("; ", text.strip().rstrip(".!?:"))


def _answered(
    game: Game, quarrel: Quarrel, given: Ruling, rests: list[dict[str, Any]], stands: dict[str, Any] | None
) -> dict[str, Any]:
    """Who is right, as far as what was said can be compared with what the rules make of it (TABLE-JUDGE-2)."""
    bearing = [*given.clauses, *(item["clause"]["id"] for item in rests if item["by"] or item["hangs"])]
    checked = _seen(game, quarrel.saw, stands)
    right = _claim_right(quarrel, given, checked)
    claim = says(game, f"claim.{quarrel.claim}")
    parties = []
    for each in quarrel.says:
        checks = _legal(game, each.legal, given) + _seen(game, each.saw, stands)
        found = _all_right(checks)
        parties.append(
            {
                "seat": each.seat,
                "says": each.says,
                "right": found,
                "told": says(game, f"party_is.{_word(found)}", seat=each.seat),
                "checked": checks,
                **_cited(game, each.clause, given, bearing),
            }
        )
    return {
        "claim": quarrel.claim or None,
        "right": right,
        "told": says(game, f"claim_is.{_word(right)}", claim=claim) if quarrel.claim else None,
        "checked": checked,
        **_cited(game, quarrel.clause, given, bearing),
        "parties": parties,
    }


def _claim_right(quarrel: Quarrel, given: Ruling, checked: Checks) -> bool | None:
    """Whether the claim is right. What was forgotten or miscounted shows where the table departs from the rules."""
    if quarrel.claim == "illegal_move":
        return None if given.verdict == "undecided" else not given.granted
    as_played = _all_right(checked)
    return None if quarrel.claim not in OF_EFFECT or as_played is None else not as_played


def _legal(game: Game, legal: bool | None, given: Ruling) -> Checks:
    if legal is None:
        return []
    right = None if given.verdict == "undecided" else legal == given.granted
    told = says(game, f"check.legal.{'yes' if legal else 'no'}")
    return [{"what": "legal", "says": legal, "is": given.verdict, "right": right, "told": told}]


def _seen(game: Game, saw: Mapping[str, Any], stands: dict[str, Any] | None) -> Checks:
    """What was seen at places of the position, beside what the rules put there."""
    found = []
    for place, said in saw.items():
        known, there = (False, None) if stands is None else pointed(stands, place)
        right = agrees(said, there) if known else None
        if isinstance(said, int) and not isinstance(there, int | None) and (number := count(there)) is not None:
            there = number
        key = {True: "same", False: "other", None: "unknown"}[right]
        told = says(game, f"check.place.{key}", place=place, says=said, **{"is": there})
        found.append({"what": place, "says": said, "is": there, "right": right, "told": told})
    return found


def _cited(game: Game, name: str, given: Ruling, bearing: list[str]) -> dict[str, Any]:
    """The clause that somebody names, and whether the ruling rests on it."""
    if not name:
        return {"clause": None, "bears": None, "bears_told": None}
    bears = name in bearing
    rests = ", ".join(given.clauses[:MOST_NAMED])
    told = says(game, "bears.yes", clause=name) if bears else says(game, "bears.no", clause=name, clauses=rests)
    return {"clause": texts.cited(game, [name])[0], "bears": bears, "bears_told": told}


def _all_right(checks: Checks) -> bool | None:
    """False if anything is wrong, None if nothing can be said or something is not known, else True."""
    found = [check["right"] for check in checks]
    return False if False in found else None if None in found or not found else True


def _word(right: bool | None) -> str:
    return "unknown" if right is None else "right" if right else "wrong"
