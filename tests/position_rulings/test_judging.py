"""Judging without a match: who is right, by which clause, and by which reading of what the rulebook leaves open."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import orjson
import pytest
from jsonschema_rs import Draft202012Validator

from referee.cardscript.books.files import parse_book
from referee.engine.codec import decode_named, encode
from referee.engine.events import Move
from referee.engine.game import Game
from referee.engine.parts.position_format import PositionFormat
from referee.engine.referee import draw_chance_move, judge_candidates, seats_that_must_act
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulings import ContradictoryPosition, MalformedInput, Undetermined
from referee.engine.seats import CHANCE, Seat
from referee.games import load_games
from referee.position_rulings import interpretations, labels, report, written_moves
from referee.position_rulings.file_format import say_what_matters
from referee.position_rulings.judging import rule_on_position
from referee.position_rulings.request import (
    MalformedQuestion,
    PartyStatement,
    Question,
    compare_content,
    parse_question,
    resolve_pointer,
)
from referee.position_rulings.words import RULING_TEXTS
from referee.rendering import quoting
from tests.games.here_to_slay.booked import TEXT as BOOK_TEXT

VARIANTS = [(name, variant) for name, game in load_games().items() for variant in game.variants]
LARGE = ("creature_crush", "here_to_slay", "munchkin")  # games with so many questions that all of them take long
VARIANTS_BY_DEPTH = [
    pytest.param(name, variant, marks=[pytest.mark.deep] if name in LARGE else []) for name, variant in VARIANTS
]
HTS, MC, CC, SM = (load_games()[name] for name in ("here_to_slay", "monster_combat", "creature_crush", "shy_monsters"))
SPELL = {"type": "hts.play", "card": "destructive_spell"}
LIFE = {"type": "mc.play", "card": "life_back"}


def move(data: dict[str, Any]) -> Move:
    return decode_named(data, Move)


def questions(game: Game, variant: str, most: int = 6) -> Iterator[tuple[dict[str, Any], Seat, Move]]:
    """Moves, legal and not, in every example position of a game."""
    for position in game.positions.build_examples(variant):
        state = game.positions.decode_position(position)
        for seat in sorted(each for each in seats_that_must_act(state) if each >= 0):
            for made, _ in islice(judge_candidates(state, seat), most):
                yield position, seat, made


def acting() -> dict[str, Any]:
    """The first player of Here to Slay is to act."""
    return {**HTS.positions.build_examples("standard")[0], "question": {"asks": "act"}}


def unpayable() -> dict[str, Any]:
    """A spell whose price is a card, and no other card in the hand."""
    position = acting()
    return {**position, "seats": [{**position["seats"][0], "hand": ["destructive_spell"]}, *position["seats"][1:]]}


def hurt() -> dict[str, Any]:
    """Two hearts, and a card that gives one back."""
    return {
        "variant": "V1",
        "players": [
            {"hearts": 2, "immune": False, "hand": ["life_back", "sword"]},
            {"hearts": 2, "immune": False, "hand": 4},
        ],
        "turn": 0, "direction": "clockwise", "skipped": None, "discard": [], "event_tray": [],
        "fallen": [], "question": {"asks": "play"},
    }  # fmt: skip


@pytest.mark.clause("TABLE-JUDGE-1")
@pytest.mark.parametrize(("name", "variant"), VARIANTS_BY_DEPTH)
def test_every_example_position_is_judged_and_told_in_both_languages(name: str, variant: str) -> None:
    game, verdicts = load_games()[name], set()
    for position, seat, made in questions(game, variant, 2):
        position = say_what_matters(game, position, seat, made)
        before = orjson.dumps(position)
        ruling = rule_on_position(game, position, seat, made)
        assert orjson.dumps(position) == before
        orjson.dumps(ruling)
        verdicts.add(ruling["verdict"])
        assert ruling["quarrel"] is None
        assert ruling["asked"]["seat"] == seat
        assert bool(ruling["needs"]) >= (ruling["verdict"] == "undecided")
        for lang in LANGUAGES:
            aloud = ruling["aloud"][lang]
            assert "{" not in aloud
            assert "\n" not in aloud
            printed, page = report.render_plain_text(game, ruling, lang), report.render_page(game, ruling, lang)
            assert aloud in printed
            assert "<script" not in page
            assert page.startswith("<!DOCTYPE html>")
            for clause in ruling["clauses"]:
                assert clause["id"] in printed
                assert clause["id"] in page
            for way in ruling["way_out"]:
                assert way["because"][lang] in printed
    assert {"granted", "refused"} <= verdicts


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_what_chance_reports_is_judged_as_any_move(name: str, variant: str) -> None:
    game, dice, reports = load_games()[name], random.Random(7), 0
    for position in game.positions.build_examples(variant):
        state = game.positions.decode_position(position)
        if CHANCE not in seats_that_must_act(state):
            continue
        try:
            made = draw_chance_move(state, dice.randrange)
        except Undetermined:  # the position leaves out what there is to draw from
            continue
        ruling = rule_on_position(game, position, CHANCE, made, Question("illegal_move"))
        assert ruling["asked"]["seat"] == "chance"
        assert re.search(r"\. That (is|cannot be) ", ruling["aloud"]["en"])
        assert "None" not in report.render_plain_text(game, ruling, "de")
        reports += ruling["verdict"] == "granted"
    assert reports


NINE = {"type": "mm.play", "card": "hearts_9"}
ELSEWHERE: list[tuple[str, Any, dict[str, Any]]] = [  # a change of the first example, and what cannot be played then
    ("mau_mau", {"players": [{"hand": 3}, {"hand": ["hearts_9"]}]}, NINE),
    ("mau_mau", {"players": [{"hand": 3}, {"hand": 2}], "draw_pile": {"cards": ["hearts_9"], "more": True}}, NINE),
    ("mau_mau", {"players": [{"hand": 3}, {"hand": ["hearts_9"]}], "cards": "table", "named": [1]}, NINE),
    ("here_to_slay", {"seats": [{"hand": 5}, {"hand": ["ranger_mask"]}]}, {"type": "hts.play", "card": "ranger_mask"}),
    (
        "munchkin",
        {"seats": [{"hand": 5}, {"hand": ["os_fruitcake"]}]},
        {"type": "mk.put", "card": "os_fruitcake", "instead": ""},
    ),
]


def changed(written: Any, by: Any) -> Any:
    """A position with other values at some of its places."""
    if isinstance(written, dict) and isinstance(by, dict):
        return {**written, **{name: changed(written.get(name), each) for name, each in by.items()}}
    if isinstance(written, list) and isinstance(by, list) and isinstance(written[0], dict):
        return [*(changed(*both) for both in zip(written, by, strict=False)), *written[len(by) :]]
    return by


@pytest.mark.clause("KERNEL-CENSUS-1")
@pytest.mark.parametrize(("name", "by", "made"), ELSEWHERE)
def test_no_card_is_played_that_the_position_names_elsewhere(name: str, by: Any, made: dict[str, Any]) -> None:
    game = load_games()[name]
    position = changed(game.positions.build_examples(game.variants[0])[0], by)
    ruling = rule_on_position(game, position, Seat(0), move(made))
    assert (ruling["verdict"], ruling["events"], ruling["after"]) == ("refused", [], None)
    assert ruling["clauses"][0]["id"] == "KERNEL-CENSUS-1"
    said = game.rulebook.names[made["card"]]
    assert all(said[lang] in ruling["reason"][lang] for lang in LANGUAGES)
    ways = [way["move"] for way in ruling["way_out"]]
    assert ways
    assert made not in ways
    seats = "seats" if "seats" in by else "players"
    unnamed = changed(game.positions.build_examples(game.variants[0])[0], {seats: by[seats][:1]})
    assert rule_on_position(game, unnamed, Seat(0), move(made))["verdict"] == "granted"


def called(data: Any, names: dict[str, dict[str, str]], lang: str) -> Any:
    """What a move holds, as people call it, in capitals."""
    if isinstance(data, dict):
        return {key: part if key in ("type", "note") else called(part, names, lang) for key, part in data.items()}
    if isinstance(data, list):
        return [called(part, names, lang) for part in data]
    return names[data][lang].upper() if isinstance(data, str) and data in names else data


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_a_move_may_name_cards_as_a_position_does(name: str, variant: str, lang: str) -> None:
    game, renamed = load_games()[name], 0
    for position, _seat, made in questions(game, variant, 20):
        written = called(encode(made), game.rulebook.names, lang)
        assert game.positions.read_move_names(position, move(written)) == made
        assert game.positions.read_move_names(position, made) == made
        renamed += written != encode(made)
    assert renamed


def test_a_ruling_reads_the_names_of_a_move_and_of_what_was_seen() -> None:
    seen = {"/players/0/hand": ["schwert"]}
    quarrel = Question("missed_effect", saw=seen, says=(PartyStatement(1, saw={"/players/0/hand": ["Sword"]}),))
    ruling = rule_on_position(MC, hurt(), Seat(0), move({"type": "mc.play", "card": "Leben zurück"}), quarrel)
    assert (ruling["verdict"], ruling["asked"]["move"]["card"]) == ("granted", "life_back")
    assert [each["right"] for each in ruling["quarrel"]["checked"]] == [True]
    assert [each["right"] for each in ruling["quarrel"]["parties"]] == [True]
    assert rule_on_position(MC, hurt(), Seat(0), move({"type": "mc.play", "card": "Leben"}))["verdict"] == "refused"


def test_free_text_in_a_move_is_never_read_as_a_name() -> None:
    munchkin = load_games()["munchkin"]
    card = munchkin.rulebook.names["os_fruitcake"]["de"]
    asked = {"type": "mk.ask_help", "treasures": 1, "seat": 1, "items": [card], "note": card}
    read = encode(munchkin.positions.read_move_names(munchkin.positions.build_examples("standard")[0], move(asked)))
    assert (read["items"], read["note"]) == (["os_fruitcake"], card)


@pytest.mark.clause("TABLE-JUDGE-2")
@pytest.mark.parametrize(("name", "variant"), VARIANTS_BY_DEPTH)
def test_of_two_who_contradict_each_other_one_is_right(name: str, variant: str) -> None:
    game, decided = load_games()[name], 0
    for position, seat, made in questions(game, variant, 1):
        position = say_what_matters(game, position, seat, made)
        both = (PartyStatement(0, "It is.", legal=True), PartyStatement(1, "It is not.", legal=False))
        ruling = rule_on_position(game, position, seat, made, Question("illegal_move", says=both))
        told = ruling["quarrel"]
        expected = {"granted": (False, True, False), "refused": (True, False, True), "undecided": (None, None, None)}
        assert (told["right"], *(each["right"] for each in told["parties"])) == expected[ruling["verdict"]]
        decided += ruling["verdict"] != "undecided"
    assert decided


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_whatever_the_examples_write_down_has_a_word_of_its_own(name: str, variant: str) -> None:
    missing: set[str] = set()
    own = re.compile(r"[A-Za-z]?[0-9]*|.*[/.].*")  # places and letters of a plan, which are called so

    def walk(data: Any) -> None:
        if isinstance(data, dict):
            missing.update({*data} - {*labels.MEMBER_NAMES} - {*named} - {key for key in data if own.fullmatch(key)})
            for below in data.values():
                walk(below)
        elif isinstance(data, list):
            for below in data:
                walk(below)

    named = load_games()[name].rulebook.names
    for position in load_games()[name].positions.build_examples(variant):
        walk({key: value for key, value in position.items() if key not in labels.QUESTION_FIELDS})
    assert not missing


@pytest.mark.parametrize("name", load_games())
def test_a_place_is_called_by_the_word_of_its_game(name: str) -> None:
    game = load_games()[name]
    tables = [game.positions.tables.build_table(variant, game.edition) for variant in game.variants]
    places = {place for table in tables for place, pointer in table.pointers.items() if pointer == f"/{place}"}
    own = places & {*game.rulebook.names}
    assert ("discard" in own) == (name in ("here_to_slay", "mau_mau", "monster_combat"))
    for lang, place in ((lang, place) for lang in LANGUAGES for place in own):
        assert labels.PositionWording(game, lang).describe_member(place) == game.rulebook.names[place][lang]


def test_every_text_of_the_page_is_there_in_both_languages() -> None:
    for texts in (RULING_TEXTS, labels.MEMBER_NAMES):
        for key, words in texts.items():
            assert set(words) == set(LANGUAGES), key
            assert all(words.values()), key


@pytest.mark.clause("TABLE-JUDGE-3")
def test_a_quarrel_that_hangs_on_a_reading_nobody_chose_is_undecided() -> None:
    ruling = rule_on_position(HTS, unpayable(), Seat(0), move(SPELL), Question("illegal_move"))
    assert ruling["verdict"] == "undecided"
    assert {"HTS-AMB-45", "TABLE-JUDGE-3"} <= {clause["id"] for clause in ruling["clauses"]}
    assert [need["key"] for need in ruling["needs"]] == ["judge.agree_on_reading"]
    assert (ruling["events"], ruling["after"], ruling["quarrel"]["right"]) == ([], None, None)
    first = ruling["rests_on"][0]
    assert (first["clause"]["id"], first["hangs"]) == ("HTS-AMB-45", True)
    assert first["setting"] == {"name": "unpayable_play", "value": "allow", "usual": "allow", "chosen": False}
    assert [(each["value"], each["verdict"]) for each in first["others"]] == [("forbid", "refused")]
    for lang in LANGUAGES:
        assert first["open"][lang] in ruling["aloud"][lang]


@pytest.mark.parametrize(("value", "verdict"), [("allow", "granted"), ("forbid", "refused")])
def test_a_reading_that_the_table_chooses_decides_the_quarrel(value: str, verdict: str) -> None:
    chosen = Question("illegal_move", readings={"HTS-AMB-45": value})
    ruling = rule_on_position(HTS, unpayable(), Seat(0), move(SPELL), chosen)
    agreed = rule_on_position(
        HTS, {**unpayable(), "settings": {"unpayable_play": value}}, Seat(0), move(SPELL), Question("other")
    )
    assert ruling["verdict"] == agreed["verdict"] == verdict
    assert ruling["rests_on"][0]["setting"]["chosen"] is True
    assert ruling["rests_on"][0]["others"][0]["verdict"] != verdict


def test_a_plain_question_is_answered_by_the_usual_reading_and_tells_that_it_rests_on_one() -> None:
    ruling = rule_on_position(HTS, unpayable(), Seat(0), move(SPELL))
    assert ruling["verdict"] == "granted"
    assert [item["clause"]["id"] for item in ruling["rests_on"] if item["hangs"]] == ["HTS-AMB-45"]


def test_rulings_on_one_position_share_what_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded, decode = [], PositionFormat.decode_position

    def note(self: PositionFormat, data: dict[str, Any]) -> Any:
        decoded.append(data)
        return decode(self, data)

    monkeypatch.setattr(PositionFormat, "decode_position", note)
    written_moves._decode_once.cache_clear()
    game, counts, rulings = load_games()["munchkin"], [], []
    position = game.positions.build_examples("standard")[0]
    state = game.positions.decode_position(position)
    (seat, *_) = sorted(each for each in seats_that_must_act(state) if each >= 0)
    first, second = (made for made, _ in islice(judge_candidates(state, seat), 2))
    for made in (first, second, first):
        decoded.clear()
        rulings.append(rule_on_position(game, position, seat, made))
        counts.append(len(decoded))
    assert counts[0] > 50, "every value of what is left out is tried"
    assert counts[1] < counts[0] / 4, "mostly the same values"
    assert counts[2] == 0
    assert rulings[2] == rulings[0] != rulings[1]


def test_what_contradicts_itself_is_told_each_time_and_a_book_is_known_once_it_is_installed() -> None:
    crowd = {**hurt(), "players": [{"hearts": 3, "hand": ["sword"] * 12}, {"hearts": 3, "hand": ["sword"] * 12}]}
    told = []
    for _ in range(2):
        with pytest.raises(ContradictoryPosition) as wrong:
            written_moves.decode_position(MC, crowd)
        told.append(wrong.value)
    assert told[0].errors == told[1].errors
    assert told[0] is not told[1]
    book = parse_book(BOOK_TEXT.replace("harbour_tales", "harbour_of_judges"), "book.yaml")
    position = {"edition": book.edition, "seats": [{"hand": 3}, {"hand": 3}], "turn": 0}
    with pytest.raises(MalformedInput):
        written_moves.decode_position(HTS, position)
    HTS.install_card_book(book)
    assert written_moves.decode_position(HTS, position) is written_moves.decode_position(HTS, position)


def test_where_no_other_reading_is_carried_out_the_answer_says_so() -> None:
    position = MC.positions.build_examples("V1")[0]
    quarrel = Question("illegal_move", clause="MC-AMB-9")
    ruling = rule_on_position(MC, position, Seat(0), move({"type": "mc.play", "card": "shield"}), quarrel)
    (item,) = (each for each in ruling["rests_on"] if each["clause"]["id"] == "MC-AMB-9")
    assert (item["setting"], item["others"], item["hangs"]) == (None, [], False)
    assert RULING_TEXTS["page.only"]["de"] in report.render_plain_text(MC, ruling, "de")
    with pytest.raises(MalformedQuestion) as wrong:
        rule_on_position(MC, position, Seat(0), move(LIFE), Question("other", readings={"MC-AMB-9": True}))
    assert wrong.value.errors[0]["pointer"] == "/readings/MC-AMB-9"
    assert "MC-AMB-16" in wrong.value.errors[0]["detail"]


@pytest.mark.parametrize(
    ("chosen", "settings"),
    [
        ({"HTS-AMB-45": "perhaps"}, {}),
        ({"HTS-AMB-45": "forbid"}, {"unpayable_play": "allow"}),
        ({"HTS-AMB-999": 1}, {}),
        ({"HTS-AMB-9/8~7": 1}, {}),
    ],
)
def test_a_reading_that_cannot_be_is_no_choice(chosen: dict[str, Any], settings: dict[str, Any]) -> None:
    with pytest.raises(MalformedQuestion) as wrong:
        rule_on_position(
            HTS, {**unpayable(), "settings": settings}, Seat(0), move(SPELL), Question("other", readings=chosen)
        )
    (clause,) = chosen
    escaped = clause.replace("~", "~0").replace("/", "~1")  # RFC 6901
    assert wrong.value.errors[0]["pointer"] == f"/readings/{escaped}"


@pytest.mark.parametrize("name", load_games())
def test_each_setting_that_names_a_clause_names_one_of_the_book(name: str) -> None:
    found = interpretations.find_switches(load_games()[name])
    assert all(switch.usual in switch.values for switch in found.values() if switch.values)
    named = [each for each in load_games()[name].settings["properties"].values() if "-" in each.get("description", "")]
    assert len(found) >= sum(load_games()[name].prefix.upper() in each["description"] for each in named)


def test_what_was_forgotten_shows_where_the_table_departs_from_the_rules() -> None:
    saw = {"/players/0/hearts": 2}
    both = (
        PartyStatement(0, "I had two hearts and still have two.", saw={"/players/0/hearts": 2, "/players/0/hand": 1}),
        PartyStatement(1, "It gave one back.", "MC-LIFE-1", saw={"/players/0/hearts": 3, "/players/0/hand": ["sword"]}),
    )
    ruling = rule_on_position(MC, hurt(), Seat(0), move(LIFE), Question("missed_effect", saw=saw, says=both))
    assert (ruling["verdict"], ruling["needs"]) == ("granted", [])
    told = ruling["quarrel"]
    assert told["right"] is True
    assert [(check["says"], check["is"], check["right"]) for check in told["checked"]] == [(2, 3, False)]
    assert [each["right"] for each in told["parties"]] == [False, True]
    assert [[check["right"] for check in each["checked"]] for each in told["parties"]] == [[False, True], [True, True]]
    fine = rule_on_position(MC, hurt(), Seat(0), move(LIFE), Question("wrong_count", saw={"/players/0/hearts": 3}))
    assert fine["quarrel"]["right"] is False


def test_what_is_refused_changes_nothing_so_the_position_itself_is_compared() -> None:
    said = (PartyStatement(1, saw={"/players/0/hearts": 2}), PartyStatement(0, saw={"/players/0/hearts": 3}))
    ruling = rule_on_position(
        MC, hurt(), Seat(0), move({"type": "mc.play", "card": "shield"}), Question("other", says=said)
    )
    assert ruling["verdict"] == "refused"
    assert [each["right"] for each in ruling["quarrel"]["parties"]] == [True, False]


def test_what_the_position_does_not_tell_is_held_against_nobody() -> None:
    short = {name: value for name, value in hurt().items() if name != "skipped"}
    said = (
        PartyStatement(0, saw={"/players/0/hearts": 3}),
        PartyStatement(1, "It was so."),
        PartyStatement(1, saw={"/players/1/hearts": 1}),
    )
    ruling = rule_on_position(MC, short, Seat(0), move(LIFE), Question("wrong_count", saw={"/turn": 1}, says=said))
    assert [need["key"] for need in ruling["needs"]] == ["who_misses_a_turn"]
    assert [ruling["quarrel"]["right"], *(each["right"] for each in ruling["quarrel"]["parties"])] == [None] * 4


def test_a_party_that_is_right_by_another_clause_is_told_by_which() -> None:
    said = (PartyStatement(0, clause="MC-SHIELD-1", legal=False), PartyStatement(1, clause="MC-LIFE-1", legal=False))
    position = MC.positions.build_examples("V1")[0]
    shield = move({"type": "mc.play", "card": "shield"})
    told = rule_on_position(MC, position, Seat(0), shield, Question("illegal_move", "MC-LIFE-1", says=said))["quarrel"]
    assert [each["right"] for each in told["parties"]] == [True, True]
    assert [each["bears"] for each in told["parties"]] == [True, False]
    assert told["bears"] is False
    assert "MC-SHIELD-1" in told["parties"][1]["bears_told"]["en"]
    assert told["parties"][1]["clause"]["id"] == "MC-LIFE-1"


def test_of_a_clause_that_the_move_keeps_or_that_speaks_of_something_else_the_judge_says_so() -> None:
    position = acting()
    out_of_turn = Question("illegal_move", "HTS-TURN-1")
    told = rule_on_position(HTS, position, Seat(1), move(SPELL), out_of_turn)["quarrel"]
    assert told["bears"] is True
    kept = rule_on_position(HTS, position, Seat(0), move(SPELL), out_of_turn)["quarrel"]
    assert kept["bears"] is False
    assert kept["bears_told"]["en"].startswith("The move does not break HTS-TURN-1.")
    other = rule_on_position(HTS, position, Seat(0), move(SPELL), Question("illegal_move", "HTS-MON-1"))["quarrel"]
    assert other["bears_told"]["en"].startswith("HTS-MON-1 is about something else: ")


def test_of_a_refused_move_nothing_is_said_to_be_kept() -> None:
    """Out of turn nobody has looked at the points."""
    position = acting()
    attack = move({"type": "hts.attack", "monster": "orthus"})
    told = rule_on_position(HTS, position, Seat(1), attack, Question("illegal_move", "HTS-ACT-8"))["quarrel"]
    assert told["bears"] is False
    assert told["bears_told"]["en"].startswith("HTS-ACT-8 is not what decides here. What decides is HTS-TURN-1.")
    assert told["bears_told"]["de"].startswith("HTS-ACT-8 gibt hier nicht den Ausschlag, sondern HTS-TURN-1.")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_clause_is_read_once_in_a_ruling(lang: str) -> None:
    """The verdict reads the clause that decides, and the first party's answer the one that both parties name."""
    position = acting()
    says = (PartyStatement(0, clause="HTS-MON-1"), PartyStatement(2, clause="HTS-MON-1"))
    ruling = rule_on_position(HTS, position, Seat(1), move(SPELL), Question("illegal_move", "HTS-ACT-8", says=says))
    answers = [ruling["quarrel"], *ruling["quarrel"]["parties"]]
    told = " ".join([ruling["aloud"][lang], *(each["bears_told"][lang] for each in answers)])
    for name in ("HTS-TURN-1", "HTS-MON-1"):
        says_first = HTS.rulebook.clauses[name].says[lang].partition(".")[0]
        assert told.count(says_first) == 1, told
    assert told.count("HTS-TURN-1") == 3


def test_a_refusal_gives_its_reason_and_the_rule_as_sentences_of_their_own() -> None:
    position = {**MC.positions.build_examples("V1")[0]}
    aloud = rule_on_position(MC, position, Seat(0), move({"type": "mc.play", "card": "shield"}))["aloud"]
    assert re.match(r"Player 1 .*\. That is not legal: [A-Z].*\. The rule is: [A-Z].*\.$", aloud["en"])
    assert re.match(r"Spieler 1 .*\. Das ist nicht erlaubt: [A-Z].*\. Es gilt: [A-Z].*\.$", aloud["de"])


def test_what_the_rulebook_leaves_open_is_read_with_the_answer() -> None:
    """“Only basic dice count” says nothing by itself."""
    asked, reroll = CC.rulebook.clauses["CC-AMB-9"], move({"type": "cc.reroll", "dice": [2]})
    rulings = (rule_on_position(CC, each, Seat(0), reroll) for each in CC.positions.build_examples("skirmish"))
    (aloud,) = (ruling["aloud"] for ruling in rulings if ruling["verdict"] == "granted")
    for lang, opening, reading in (
        ("en", "is legal. The rulebook leaves this open:", "Here it is read like this:"),
        ("de", "ist erlaubt. Die Spielregel lässt das offen:", "Hier wird es so gelesen:"),
    ):
        assert f"{opening} {asked.open[lang]} {reading} {asked.says[lang].partition('.')[0]}" in aloud[lang]


@pytest.mark.parametrize("name", load_games())
def test_no_answer_is_read_without_its_question(name: str) -> None:
    for clause in load_games()[name].rulebook.clauses.values():
        for lang in LANGUAGES:
            quoted, rest = quoting.quote_clause(clause)[lang], quoting.tell_rule(clause)[lang]
            assert not clause.answers_question or (clause.open[lang] in quoted and clause.open[lang] in rest), clause.id
            assert rest.endswith("."), rest


def into_certain_death(*named: str, **more: Any) -> dict[str, dict[str, Any]]:
    """What the judge says to parties about the clauses they name, as the hero walks into a known active monster."""
    plan = {"rows": ["Eabcdef"], "cards": {"a": "mantis"}, "up": ["a"]}
    position = {
        "question": "explore", "dungeon_master": 0, "floor": 3, "plan": plan, "turned_up": ["a"], "hero": "E",
        "attack_ready": True, "jump_ready": True, "idle_moves": 0, "discovered": [],
    }  # fmt: skip
    step = move({"type": "sm.explore", "x": 1, "y": 0, "sure": True})
    said = tuple(PartyStatement(0, clause=name) for name in named)
    ruling = rule_on_position(SM, position, Seat(1), step, Question("illegal_move", says=said, **more))
    return {each["clause"]["id"]: each for each in ruling["quarrel"]["parties"]}


def test_where_readings_compete_every_reading_bears_and_so_does_what_it_rests_on() -> None:
    named = ("SM-AMB-12", "SM-AMB-12-R2", "SM-HERO-KNOWN-1", "SM-HERO-JUMP-1")
    told = into_certain_death(*named)
    assert [told[name]["bears"] for name in named] == [True, True, True, False]
    assert told["SM-HERO-JUMP-1"]["bears_told"]["en"].endswith("What decides is how the table reads SM-AMB-12.")
    agreed = into_certain_death(*named, readings={"SM-AMB-12": 2})
    assert [agreed[name]["bears"] for name in named] == [False, True, True, False]
    other = agreed["SM-AMB-12"]["bears_told"]
    assert other["en"].startswith("SM-AMB-12 is another reading of the same rule. Here SM-AMB-12-R2 holds")
    assert other["de"].startswith("SM-AMB-12 ist eine andere Lesart derselben Regel. Hier gilt SM-AMB-12-R2")


def test_a_ruling_says_who_is_asked_next() -> None:
    position = acting()
    granted = rule_on_position(HTS, position, Seat(0), move(SPELL))
    assert sorted(granted["next"]["awaits"]) == [1, 2]
    assert granted["next"]["question"]["name"].endswith("ChallengeWindow")
    refused = rule_on_position(HTS, position, Seat(1), move(SPELL))
    assert refused["next"]["awaits"] == [0], "whom it waited for before"
    assert refused["next"]["question"] == refused["asked"]["question"]
    short = {name: value for name, value in hurt().items() if name != "skipped"}
    unclear = rule_on_position(MC, short, Seat(0), move(LIFE))
    assert unclear["next"] is None, "nobody knows who misses a turn"
    for game, doc in ((HTS, granted), (HTS, refused), (MC, unclear)):
        assert (unclear is not doc) == ("Who is asked next" in report.render_plain_text(game, doc, "en"))


def test_seats_and_clauses_that_are_not_there_are_named() -> None:
    with pytest.raises(MalformedQuestion) as wrong:
        parse_question(MC, {"clause": "XX-1", "says": [{"seat": 0, "clause": "MC-NONE-1", "saw": {"hearts": 1}}]})
    pointers = {each["pointer"] for each in wrong.value.errors}
    assert pointers == {"/clause", "/says/0/clause", "/says/0/saw/hearts"}
    with pytest.raises(MalformedQuestion) as wrong:
        rule_on_position(
            MC, hurt(), Seat(5), move(LIFE), Question("other", says=(PartyStatement(2), PartyStatement(1)))
        )
    assert [each["pointer"] for each in wrong.value.errors] == ["/seat", "/says/0/seat"]


def test_a_position_that_cannot_be_is_not_judged() -> None:
    crowd = {**hurt(), "players": [{"hearts": 3, "hand": ["sword"] * 12}, {"hearts": 3, "hand": ["sword"] * 12}]}
    with pytest.raises(ContradictoryPosition):
        rule_on_position(MC, crowd, Seat(0), move(LIFE), Question("other"))
    with pytest.raises(MalformedInput):
        rule_on_position(MC, {**hurt(), "settings": [1]}, Seat(0), move(LIFE), Question("other"))


@pytest.mark.parametrize(
    ("said", "there", "right"),
    [
        (3, 3, True), (3, 4, False), (1, True, False), (True, True, True), (4, ["a"] * 4, True), (4, ["a"], False),
        (3, {"cards": ["a"], "count": 3}, True), (3, {"cards": ["a"]}, False), (3, {"cards": "a"}, None),
        (1, {"cards": ["a"], "more": True}, None), (["b", "a"], ["a", "b"], True), (["a", "a"], ["a", "b"], False),
        (["a"], ["?"], None), (["a"], ["?", "?"], False), ("a", "?", None), (None, None, True), (0, None, False),
        ("clockwise", "counterclockwise", False), (["a", "b"], {"cards": ["a"], "count": 2}, None),
        (["b", "c"], {"cards": ["a"], "count": 2}, False), (["a", "?"], {"cards": ["a"], "count": 2}, True),
        (["a", "b"], 2, None), (["a"], 2, False), (["b"], {"cards": ["a"], "more": True}, False),
        ({"cards": ["b", "a"], "count": 2}, ["a", "b"], True), ({"cards": ["a"], "count": 2}, ["a", "b"], True),
        ({"cards": ["a"], "more": True}, ["a", "b"], True), ({"cards": ["c"], "more": True}, ["a", "b"], False),
        (0, {"cards": ["a"], "more": True}, False), ({"more": True}, {"cards": ["a"], "more": True}, True),
        ({"count": 10**9}, ["a"], False), ({"asks": "play"}, ["a"], False), ([["a"]], [["a"]], True),
    ],
)  # fmt: skip
def test_what_was_said_of_a_place_is_compared_with_what_is_there(said: Any, there: Any, right: bool | None) -> None:
    assert compare_content(said, there) is right


def test_cards_of_which_some_are_unknown_are_said_in_words() -> None:
    position = MC.positions.build_examples("V1")[0]
    seen = {"/players/1/hand": {"cards": ["shield"], "count": 2}, "/fallen": []}
    told = rule_on_position(MC, position, Seat(0), move({"type": "mc.pass"}), Question("wrong_count", saw=seen))
    hand, fallen = (each["told"] for each in told["quarrel"]["checked"])
    assert hand["en"].startswith("/players/1/hand: Shield (2 cards in all); by the rules it is ")
    assert hand["de"].startswith("/players/1/hand: „Schild“ (zusammen 2 Karten); nach den Regeln ist es ")
    assert fallen == {"en": "/fallen: nothing; that is right", "de": "/fallen: nichts; das stimmt"}


@pytest.mark.parametrize(
    ("place", "said", "pointer", "detail"),
    [
        ("/nowhere", 1, "", "The position has no such place; near it are: /"),
        ("/players/9/hearts", 1, "", "near it are: /players/0, /players/1, "),
        ("/players/0/herz", 1, "", "near it are: /players/0/hearts, "),
        ("/players/0/hand", ["axe"], "/0", "unknown value 'axe'; known: sword, "),
        ("/players/0/hand", ["Swordd"], "/0", "did you mean Sword?"),
        ("/players/0/hand", ["shield", "Dieb"], "/1", "thief_1, "),
        ("/players/0/hand", {"cards": ["axe"]}, "/cards/0", "unknown value 'axe'; known: sword, "),
        ("/discard", {"cards": [], "count": "x"}, "/count", "this must be of type integer"),
        ("/turn", "Eva", "", "this must be of type"),
    ],
)
def test_what_was_seen_names_only_places_and_names_that_there_are(
    place: str, said: Any, pointer: str, detail: str
) -> None:
    position = MC.positions.build_examples("V1")[0]
    saw, skip = {place: said}, move({"type": "mc.pass"})
    for where, asked in (
        ("/saw/", Question("wrong_count", saw=saw)),
        ("/says/1/saw/", Question("wrong_count", says=(PartyStatement(1), PartyStatement(0, saw=saw)))),
    ):
        with pytest.raises(MalformedQuestion) as wrong:
            rule_on_position(MC, position, Seat(0), skip, asked)
        assert [each["pointer"] for each in wrong.value.errors] == [where + place.replace("/", "~1") + pointer]
        assert detail in wrong.value.errors[0]["detail"]


@pytest.mark.parametrize(
    ("pointer", "found"),
    [("/a/1", (True, 5)), ("/a/2", (False, None)), ("/a/-1", (False, None)), ("/a/99999", (False, None)),
     ("/b~1c", (True, "x")), ("/b~1c/0", (False, None)), ("/a/²", (False, None)), ("/n", (True, None))],
)  # fmt: skip
def test_a_pointer_leads_to_a_place_or_nowhere(pointer: str, found: tuple[bool, Any]) -> None:
    assert resolve_pointer({"a": [4, 5], "b/c": "x", "n": None}, pointer) == found


def test_what_people_write_is_text_on_the_page_and_nothing_else() -> None:
    nasty = "<img src=x onerror=alert(1)>\"'{{ 7*7 }}{seat}"
    said = Question("other", says=(PartyStatement(0, nasty, clause="MC-LIFE-1"),))
    ruling = rule_on_position(MC, hurt(), Seat(0), move(LIFE), said)
    page = report.render_page(MC, ruling, "en")
    assert "<img" not in page
    assert "<b>" not in page
    assert "&lt;img src=x" in page
    assert "{{ 7*7 }}{seat}" in page
    assert nasty in report.render_plain_text(MC, ruling, "de")


def test_the_page_is_whole_in_itself_and_its_policy_allows_its_own_style_alone() -> None:
    page = report.render_page(MC, rule_on_position(MC, hurt(), Seat(0), move(LIFE)), "de")
    assert '<html lang="de">' in page
    assert not re.search(r"<(script|link|img|iframe|form)\b|\son\w+=|\bstyle=|https?://|@import|url\(", page)
    assert Draft202012Validator({"type": "string", "pattern": "^default-src 'none'; style-src 'sha256-"}).is_valid(
        report.content_policy()
    )
    assert report.page_style() in page
