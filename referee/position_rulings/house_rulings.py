"""Written positions judged by the house rulings of a match.

TABLE-HOUSE-4: A written position may be judged by the house rulings of a match. The ruling names each that it rests on.
A reading that the request chooses itself must not contradict them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.engine.codec import escape_name
from referee.engine.game import Game
from referee.engine.rulings import MalformedInput
from referee.match.house_readings import cite_reading
from referee.position_rulings.interpretations import find_switches, resolve_value
from referee.position_rulings.request import HouseReading, MalformedQuestion, Question
from referee.position_rulings.words import render_text
from referee.rendering.house_rulings import add_house_notes, describe_house_ruling, read_aloud

Doc = dict[str, Any]


def add_house_rulings(game: Game, quarrel: Question, precedents: Sequence[Mapping[str, Any]]) -> Question:
    """Return a question to be judged by these house rulings too.

    They are given as the API lists them. Those of other games, and readings that hold no longer, are left out. Raises
    MalformedQuestion.
    """
    found, wrong = dict[str, HouseReading](), list[dict[str, str]]()
    for at, each in enumerate(precedents):
        if not _is_house_ruling(each):
            detail = "A house ruling is needed as a match lists it: match, entry, game and readings."
            wrong.append({"pointer": f"/precedents/{at}", "detail": detail})
            continue
        for place, chosen in enumerate(each.get("readings", ()) if each["game"] == game.name else ()):
            clause, number = chosen["clause"], chosen["number"]
            if errors := game.find_interpretation_errors({clause: number}):
                pointer = f"/precedents/{at}/readings/{place}"
                wrong.append({"pointer": pointer, "detail": f"{clause}: {errors[0]['detail']}"})
            elif chosen.get("holds", True):
                found[clause] = HouseReading(clause, number, each["match"], each["entry"])
    if wrong:
        raise MalformedQuestion(wrong)
    return replace(quarrel, house=tuple(found.values()))


def _is_house_ruling(each: Any) -> bool:
    """Tell whether this has the form in which a match lists a house ruling.

    One that was kept before house rulings bound anybody has no entry and no readings.
    """
    if not isinstance(each, Mapping) or not isinstance(each.get("readings", []), list):
        return False
    named = isinstance(each.get("match"), str) and isinstance(each.get("game"), str)
    chosen = each.get("readings", ())
    numbered = type(each.get("entry")) is int or not chosen
    return (
        named
        and numbered
        and all(isinstance(one, Mapping) and isinstance(one.get("clause"), str) and "number" in one for one in chosen)
    )


def choose_house_readings(game: Game, position: Mapping[str, Any], quarrel: Question) -> Question:
    """Return the question with the readings of its house rulings.

    Raises MalformedQuestion or MalformedInput if the question or the position chooses another reading.
    """
    if not quarrel.house:
        return quarrel
    switches = find_switches(game)
    members = ("settings", "readings")
    if not all(isinstance(position.get(name, {}), Mapping) for name in members):
        return replace(quarrel, house=())  # the game says what is wrong with the position
    in_question, in_position = list[dict[str, Any]](), list[dict[str, Any]]()
    for each in quarrel.house:
        switch = switches[each.clause]
        meant, _ = resolve_value(game, switch, each.number)
        said, wrong = resolve_value(game, switch, quarrel.readings.get(each.clause, each.number))
        if said != meant and not wrong:
            in_question.append(_build_contradiction(game, each, f"/readings/{escape_name(each.clause)}"))
        if switch.is_chosen(position) and switch.value_in(position) != meant:
            in_position.append(_build_contradiction(game, each, switch.pointer))
    if in_question:
        raise MalformedQuestion(in_question)
    if in_position:
        raise MalformedInput(in_position)
    chosen = {each.clause: each.number for each in quarrel.house}
    return replace(quarrel, readings={**quarrel.readings, **chosen})


def _build_contradiction(game: Game, kept: HouseReading, pointer: str) -> dict[str, Any]:
    """Return the error at a line that chooses another reading than a house ruling."""
    ruling = describe_house_ruling(kept.match, kept.entry)["says"]
    says = render_text(game, "house.contradicted", ruling=ruling, number=kept.number, clause=kept.clause)
    return {"pointer": pointer, "detail": says["en"], "says": says}


def name_house_rulings(game: Game, ruling: Doc, quarrel: Question) -> Doc:
    """Return a ruling with the house rulings that chose the readings of its clauses.

    `house_rulings` are those on which the ruling rests.
    """
    notes = {
        cite_reading(game, each.clause, each.number): describe_house_ruling(each.match, each.entry)
        for each in quarrel.house
    }
    rests = [{**each, "clause": add_house_notes([each["clause"]], notes)[0]} for each in ruling["rests_on"]]
    cited = [each["id"] for each in ruling["clauses"]]
    cited += [each["clause"]["id"] for each in rests if each["hangs"] or each["by"]]
    named = [name for name in dict.fromkeys(cited) if name in notes]
    return {
        **ruling,
        "clauses": add_house_notes(ruling["clauses"], notes),
        "rests_on": rests,
        "aloud": read_aloud(ruling["aloud"], named, notes),
        "house_rulings": [{"clause": name, **notes[name]} for name in named],
    }
