"""Positions that carry stored steps, say too little or contradict themselves are answered and never fail."""

from __future__ import annotations

import random
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from referee.engine.codec import REGISTRY, decode_named
from referee.engine.events import Move
from referee.engine.game import Game, Setup
from referee.engine.positions.failures import blame_question
from referee.engine.rulebook.book import LANGUAGES
from referee.engine.rulings import ContradictoryPosition, MalformedInput, Undetermined, UnjudgeablePosition
from referee.engine.seats import CHANCE, Seat
from referee.engine.steps import Step
from referee.games import load_games
from referee.position_rulings.judging import rule_on_position

Data = dict[str, Any]
GAMES = load_games()
STORING = [name for name in GAMES if name in ("creature_crush", "here_to_slay", "munchkin")]
LEAVING = {"creature_crush": "cc.concede", "here_to_slay": "hts.leave", "munchkin": "mk.pass"}
BARE: list[Data] = [{}, {}]
BOARDS: list[Data] = [{"board": {}}, {"board": {}}]
PLAYERS = [{"level": 1, "hand": []}, {"level": 1}, {"level": 1}]
DECKS = {"variant": "league", "seats": [{"deck": [], "hand": [], "hell": [], "board": {}}] * 2, "pool": 200}


def find_errors(game: str, position: Data, seat: int = 0, **move: Any) -> dict[str, str]:
    """What is wrong with a position in which a move is judged, by pointer."""
    made = decode_named(move or {"type": LEAVING[game]}, Move)
    with pytest.raises(MalformedInput) as wrong:
        rule_on_position(GAMES[game], position, Seat(seat), made)
    return {error["pointer"]: error["detail"] for error in wrong.value.errors}


def rule(game: str, position: Data, seat: int, **move: Any) -> Data:
    return rule_on_position(GAMES[game], position, Seat(seat), decode_named(move, Move))


@pytest.mark.clause("KERNEL-POSITION-1")
def test_monsters_drawn_on_an_unknown_floor_ask_for_the_floor() -> None:
    drawn = {"type": "chance.picked", "cards": ["dragon", "kraken"]}
    given = rule("shy_monsters", {"question": "monsters", "dungeon_master": 0}, CHANCE, **drawn)
    assert [need["asks"]["en"] for need in given["needs"]] == [
        "On which floor is the hero: the first, second or third?"
    ]


@pytest.mark.parametrize("start_dice", [{}, {"start_dice": [5]}])
def test_dice_rolled_again_must_be_among_the_start_dice(start_dice: Data) -> None:
    asked = {"asks": "roll_again", "card": "lantern_moth", "dice": [2]}
    seats = [{"board": {"B3": "lantern_moth"}}, {"board": {}}]
    position = {"seats": seats, "turn": 0, "question": asked, **start_dice}
    assert [*find_errors("creature_crush", position, CHANCE, type="chance.rolled", values=[6])] == ["/question/dice"]


@pytest.mark.parametrize(
    ("game", "position", "pointer"),
    [
        ("creature_crush", {"seats": BOARDS, "turn": 0, "question": {"type": "cc.Combat", "v": "x"}}, "/question/v"),
        ("munchkin", {"seats": PLAYERS, "turn": 0, "question": {"type": "mk.Calm", "v": "x"}}, "/question/v"),
        ("here_to_slay", {"seats": BARE, "pending_steps": [{"type": "hts.Turn", "v": 7}]}, "/pending_steps/0/v"),
        ("here_to_slay", {"seats": BARE, "question": {"type": "cards.CarryOut", "card": "x", "text": "y", "by": 0,
                                                      "at": 1}}, "/question/card"),
        ("munchkin", {"seats": PLAYERS, "turn": 0, "question": {"type": "mk.Finish", "card": ""}}, "/question/card"),
        ("munchkin", {"seats": PLAYERS, "turn": 0, "question": {"type": "mk.Naming", "seat": 0, "count": 3}},
         "/question/count"),
        ("here_to_slay", {"seats": BARE, "question": {"type": "hts.Naming", "seat": 0, "count": -2}},
         "/question/count"),
        ("creature_crush", {"seats": BOARDS, "turn": 0, "question": {"type": "cc.Naming", "seat": 0, "count": -2,
                                                                     "place": "hand:0"}}, "/question/count"),
        ("creature_crush", {"seats": BOARDS, "turn": None, "question": {"type": "cc.CastForStart", "cast": [1, 2]}},
         "/question/cast"),
        ("creature_crush", {**DECKS, "turn": None, "question": {"type": "cc.BringingDecks", "waiting": [0], "card": "",
                                                                "given": {}}}, "/question/waiting"),
        ("creature_crush", {"variant": "arena", "seats": BOARDS, "turn": None, "question": {
            "type": "cc.Drafting", "waiting": [1], "card": "", "given": {}}}, "/question/waiting"),
        ("here_to_slay", {"seats": BARE, "turn": 0, "question": {"asks": "equip", "item": "particularly_rusty_coin"},
                          "pending_steps": [{"type": "hts.FirstTurn"}]}, "/picked"),
        ("creature_crush", {"seats": BOARDS, "turn": 1, "question": {"asks": "start_dice", "seat": 1, "dice": 3},
                            "pending_steps": [{"type": "Frame", "noted": [{"type": "mc.PassTurn"}]}]},
         "/pending_steps/0/noted/0/type"),
    ],
)  # fmt: skip
def test_a_stored_step_that_makes_no_sense_is_refused_with_its_place(game: str, position: Data, pointer: str) -> None:
    assert pointer in find_errors(game, position)
    with pytest.raises(MalformedInput) as wrong:
        GAMES[game].positions.check_census(position)
    assert pointer in [error["pointer"] for error in wrong.value.errors]


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        (["?", *["hex_toad"] * 19], "/question/given/0/0"),
        (["nope", *["hex_toad"] * 19], "/question/given/0/0"),
        (["hex_toad"] * 20, "/question/given/0"),
    ],
)
def test_a_deck_that_was_brought_already_is_one_that_may_be_brought(given: list[str], pointer: str) -> None:
    position = {**DECKS, "question": {"asks": "bring_deck", "given": {"0": given}}}
    assert pointer in find_errors("creature_crush", position, 1)


def test_a_deck_that_was_brought_already_is_written_with_the_names_of_players_too() -> None:
    league = GAMES["creature_crush"].positions
    example = next(
        each for each in league.build_examples("league") if (each.get("question") or {}).get("asks") == "bring_deck"
    )
    spelled = {card: GAMES["creature_crush"].rulebook.names[card]["de"] for card in example["question"]["given"]["0"]}
    renamed = {**example, "question": {**example["question"], "given": {"0": [*spelled.values()]}}}
    assert renamed != example
    assert league.decode_position(renamed) == league.decode_position(example)


def test_what_lies_turned_over_is_a_creature_or_a_place() -> None:
    position = {"seats": BOARDS, "turn": 0, "cards": "table", "question": {"asks": "turn_over", "what": ["nothing"]}}
    assert "/question/what/0" in find_errors("creature_crush", position)


@pytest.mark.unjudgeable
def test_rules_that_fail_unforeseen_are_an_error_at_the_question_with_the_cause() -> None:
    with pytest.raises(UnjudgeablePosition) as wrong, blame_question():
        raise KeyError("x")
    assert [error["pointer"] for error in wrong.value.errors] == ["/question"]
    assert isinstance(wrong.value.__cause__, KeyError)
    with pytest.raises(ContradictoryPosition), blame_question():  # what is known to be wrong is said as it is
        raise ContradictoryPosition([{"pointer": "/turn", "detail": "x", "clause": "KERNEL-MOVE-1"}])
    with pytest.raises(MalformedInput, match="whose_turn") as missing, blame_question():
        raise Undetermined("whose_turn")
    assert not isinstance(missing.value, UnjudgeablePosition)


@pytest.mark.parametrize(
    ("game", "position", "pointer", "clause"),
    [
        ("creature_crush", {"seats": BOARDS, "turn": 0, "question": {"asks": "start_dice", "dice": 3, "extra": 16}},
         "/question", "CC-START-4"),
        ("creature_crush", {"seats": BOARDS, "turn": 0, "question": {"asks": "first_turn"}}, "/turn", "CC-PREP-2"),
        ("munchkin", {"seats": PLAYERS, "turn": 0, "question": {"asks": "open_door", "seat": 2}}, "/question/seat",
         "MK-5.1"),
        ("here_to_slay", {"seats": BARE, "turn": 0, "cards": "table", "row": ["terratuga", "mega_slime", "orthus"],
                          "question": {"asks": "turn_up"}}, "/row", "HTS-MON-10"),
        ("shy_monsters", {"question": "monsters", "dungeon_master": 0, "turned_up": [[6, 4]]}, "/turned_up",
         "SM-STATE-1"),
    ],
    ids=["extra dice", "first turn", "door", "row", "turned up"],
)  # fmt: skip
def test_what_contradicts_the_course_of_a_match_is_found(game: str, position: Data, pointer: str, clause: str) -> None:
    with pytest.raises(ContradictoryPosition) as wrong:
        GAMES[game].positions.decode_position(position)
    assert (pointer, clause) in [(error["pointer"], error["clause"]) for error in wrong.value.errors]


@pytest.mark.clause("CC-AMB-7")
def test_no_card_is_laid_that_by_the_position_cannot_be_in_the_hand() -> None:
    known = {"deck": 17, "hand": 3, "hell": [], "board": {}}
    table = {"variant": "league", "turn": 0, "pool": 160, "start_dice": [2, 3, 6]}
    lay = {"type": "cc.lay", "place": "C3", "dice": [3]}
    other = rule("creature_crush", {**table, "seats": [known, known]}, 0, card="pitfall#2", **lay)
    assert (other["verdict"], "CC-AMB-7" in other["clauses"][1]["id"]) == ("refused", True)
    assert "crush card of the other player's deck" in other["reason"]["en"]
    own = rule("creature_crush", {**table, "seats": [known, known]}, 0, card="pitfall#1", **lay)
    assert own["verdict"] == "granted"
    listed = next(
        each["seats"][0]["list"]
        for each in GAMES["creature_crush"].positions.build_examples("league")
        if "list" in each["seats"][0]
    )
    seats = [{**known, "list": listed}, known]
    missing = rule("creature_crush", {**table, "seats": seats}, 0, card="pitfall#1", **lay)
    assert (missing["verdict"], missing["reason"]["de"].startswith("Nach der Stellung kann")) == ("refused", True)


@pytest.mark.parametrize(
    "position",
    [
        {**DECKS, "question": {"asks": "bring_deck"}},
        {"variant": "arena", "seats": [{"deck": 4, "hand": [], "hell": [], "board": {}, "draft": 7}] * 2, "pool": 78,
         "drafted": 1, "question": {"asks": "keep"}},
    ],
    ids=["bring_deck", "keep"],
)  # fmt: skip
def test_who_concedes_before_the_first_turn_leaves_a_position_that_can_be(position: Data) -> None:
    after = rule("creature_crush", position, 0, type="cc.concede")["after"]
    assert after["way"] == "conceded"
    GAMES["creature_crush"].positions.decode_position(after)


@pytest.mark.parametrize(
    ("game", "position", "card"),
    [
        ("here_to_slay", {"cards": "table", "named": [0], "seats": [{"hand": 3}, {"hand": ["peanut"]}], "turn": 0,
                          "question": {"asks": "name_cards", "seat": 0, "count": 1}}, "peanut"),
        ("munchkin", {"cards": "table", "named": [0], "turn": 0, "seats": [
            {"level": 1, "hand": 2, "items": [], "towns": []}, {"level": 1, "hand": ["os_fruitcake"]}, {"level": 1}],
            "question": {"asks": "name_cards", "seat": 0, "count": 1}}, "os_fruitcake"),
        ("mau_mau", {"players": [{"hand": ["clubs_9"]}, {"hand": 5}], "discard": ["hearts_9"], "draw_pile": 25,
                     "cards": "table", "named": [1],
                     "question": {"asks": "draw", "seat": 1, "count": 1, "why": "turn"}}, "clubs_9"),
    ],
    ids=["here_to_slay", "munchkin", "mau_mau"],
)  # fmt: skip
@pytest.mark.clause("KERNEL-CENSUS-1")
def test_no_card_is_read_to_the_referee_that_the_position_names_elsewhere(game: str, position: Data, card: str) -> None:
    given = rule(game, position, CHANCE, type="chance.picked", cards=[card])
    assert given["verdict"] == "refused"
    assert "KERNEL-CENSUS-1" in [clause["id"] for clause in given["clauses"]]


def list_card_names(name: str, variant: str) -> dict[str, dict[str, str]]:
    """What players call the cards of a game, by their names, where that is clear."""
    game = GAMES[name]
    setup = game.complete_setup(Setup(variant, game.min_seats))
    cards = {card.partition("!")[0].partition("#")[0] for pile in game.initial_cards(setup).values() for card in pile}
    return {card: game.rulebook.names[card] for card in cards if card in game.rulebook.names}


def spell_cards(data: Any, names: dict[str, dict[str, str]], lang: str) -> Any:
    """Return data with what players call the cards in place of their names."""
    if isinstance(data, dict):
        plain = ("asks", "type", "kind", "part", "event")
        return {key: part if key in plain else spell_cards(part, names, lang) for key, part in data.items()}
    if isinstance(data, list):
        return [spell_cards(part, names, lang) for part in data]
    return names[data][lang] if isinstance(data, str) and data in names else data


@pytest.mark.parametrize(
    ("name", "variant"), [(name, variant) for name, game in GAMES.items() for variant in game.variants]
)
def test_cards_of_every_example_may_be_called_as_players_call_them(name: str, variant: str) -> None:
    positions, names, told = GAMES[name].positions, list_card_names(name, variant), 0
    for example in positions.build_examples(variant):
        for lang in LANGUAGES:
            spelled = spell_cards(example, names, lang)
            told += spelled != example
            assert positions.decode_position(spelled) == positions.decode_position(example)
    assert told


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if len(game.variants) == 1])
def test_a_position_may_name_the_only_variant_of_its_game(name: str) -> None:
    positions, variant = GAMES[name].positions, GAMES[name].variants[0]
    example = positions.build_examples(variant)[0]
    named = {**example, "variant": variant}
    assert positions.decode_position(named) == positions.decode_position(example)
    assert positions.check_census(named) == positions.check_census(example)
    with pytest.raises(MalformedInput):
        positions.decode_position({**example, "variant": "another"})


LONG = "y" * 50_000


@pytest.mark.parametrize(
    ("game", "position", "pointer"),
    [
        ("here_to_slay", {"seats": BARE, "question": {"type": LONG}}, "/question/type"),
        ("creature_crush", {"seats": BOARDS, "turn": 0, "question": {
            "asks": "respond", "windows": [{"event": "flipped", "about": {"flipped": [LONG]}}]}},
         "/question/windows/0/about/flipped/0"),
        ("creature_crush", {"seats": BOARDS, "turn": 0, "question": {
            "asks": "choose", "card": "hex_toad", "known": {"a/b~c": [LONG]}}}, "/question/known/a~1b~0c/0"),
        ("here_to_slay", {"seats": BARE, "turn": 0, "question": {
            "asks": "choose", "card": "bad_axe", "known": {LONG: [1]}}}, f"/question/known/{LONG[:64]}…"),
        ("here_to_slay", {"seats": BARE, "question": {"type": "hts.Turn", "seat": 0, "a/b": 1}}, "/question/a~1b"),
        ("munchkin", {"seats": PLAYERS, "turn": 0, "pending_steps": [{"type": "mk.Calm", "seat": 0, "a~b/c": 1}]},
         "/pending_steps/0/a~0b~1c"),
    ],
    ids=["type", "about", "known", "name", "field", "pending"],
)  # fmt: skip
def test_errors_escape_names_and_quote_only_the_beginning(game: str, position: Data, pointer: str) -> None:
    errors = find_errors(game, position)
    assert pointer in errors
    assert len(str(errors)) < 1000


@pytest.mark.parametrize("game", STORING)
def test_no_more_contradictions_are_reported_than_anybody_mends_at_once(game: str) -> None:
    example = GAMES[game].positions.build_examples(GAMES[game].variants[0])[0]
    assert len(find_errors(game, {**example, "emptied": ["nowhere"] * 200})) == 50


def test_a_census_reports_no_more_contradictions_than_anybody_mends_at_once() -> None:
    schema = GAMES["munchkin"].positions.build_schema("standard")["properties"]["door_discard"]["anyOf"][0]
    names = [name for name in schema["items"]["enum"] if not name.startswith("?")]
    written = {"seats": PLAYERS, "turn": 0, "door_discard": [names[0], *names, *names][: schema["maxItems"]]}
    census = GAMES["munchkin"].positions.check_census(written)
    assert not census["possible"]
    assert len(census["contradictions"]) == 50


# ---- nonsense by chance ----------------------------------------------------------------------------------------------


def make_value(hint: Any, words: list[str], rng: random.Random) -> Any:
    """A value that fits a type and means nothing."""
    origin, args = get_origin(hint), get_args(hint)
    hint = getattr(hint, "__supertype__", hint)
    if hint is int:
        return rng.choice([0, 1, 2, 3, -1, -2, 40, 10**9])
    if hint is str:
        return rng.choice([*words, "", "x", "?"])
    if hint is bool:
        return rng.random() < 0.5
    if origin is Literal:
        return rng.choice(args)
    if origin in (Union, types.UnionType):
        return make_value(rng.choice(args), words, rng)
    if origin is tuple:
        parts = [args[0]] * rng.randrange(3) if args[-1] is Ellipsis else args
        return [make_value(part, words, rng) for part in parts]
    if origin in (dict, Mapping):
        return {rng.choice([*words, "0", "1"]): make_value(args[1], words, rng) for _ in range(rng.randrange(3))}
    if isinstance(hint, type) and hint is not type(None):
        kinds = [kind for kind in REGISTRY.values() if issubclass(kind, hint)] or [hint]
        kind = rng.choice(kinds)
        return make_object(kind, words, rng) if is_dataclass(kind) else None
    return None


def make_object(kind: Any, words: list[str], rng: random.Random) -> Data:
    """A stored object, with what it needs and some of the rest."""
    hints = get_type_hints(kind)
    needed = {each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING}
    given = [each.name for each in fields(kind) if each.name in needed or rng.random() < 0.6]
    tag = {"type": kind.TAG} if getattr(kind, "TAG", "") else {}
    return tag | {name: make_value(hints[name], words, rng) for name in given}


def collect_words(data: Any) -> set[str]:
    """All texts in some data, names of members included."""
    if isinstance(data, dict):
        return {*data, *(word for part in data.values() for word in collect_words(part))}
    if isinstance(data, list):
        return {word for part in data for word in collect_words(part)}
    return {data} if isinstance(data, str) else set()


def list_steps(game: Game) -> list[type[Step]]:
    """The steps that a position of a game may store."""
    others = tuple(f"{other.prefix}." for other in GAMES.values() if other is not game)
    return [kind for tag, kind in REGISTRY.items() if issubclass(kind, Step) and not tag.startswith((*others, "test."))]


@pytest.mark.unjudgeable
@pytest.mark.parametrize("name", STORING)
def test_no_stored_nonsense_makes_an_answer_fail(name: str) -> None:
    game, rng = GAMES[name], random.Random(18)
    examples = [each for variant in game.variants for each in game.positions.build_examples(variant)]
    words, steps = sorted(collect_words(examples)), list_steps(game)
    refused = answered = 0
    for turn in range(600):
        step, position = make_object(steps[turn % len(steps)], words, rng), rng.choice(examples)
        put = {"question": step} if rng.random() < 0.6 else {"pending_steps": [step]}
        moves: list[Data] = [{"type": LEAVING[name]}, {"type": "chance.picked", "cards": [rng.choice(words)]},
                           {"type": "chance.rolled", "values": [3]}]  # fmt: skip
        move = rng.choice(moves)
        try:
            game.positions.check_census({**position, **put})
            rule(name, {**position, **put}, rng.choice([0, 1, CHANCE]), **move)
            answered += 1
        except MalformedInput:
            refused += 1
    assert answered
    assert refused
