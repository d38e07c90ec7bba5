"""What players read: every text is there, fits what it is filled from, and shows names in both languages."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from referee.cardscript.moves import Accept, Decline
from referee.engine.codec import REGISTRY
from referee.engine.events import Event, Move
from referee.engine.game import Setup
from referee.engine.referee import find_near_misses, seats_that_may_act
from referee.engine.rulebook.book import LANGUAGES, NO_CLAUSE, Rulebook
from referee.engine.rulebook.messages import find_placeholders
from referee.engine.steps import Step
from referee.engine.zones import CardsForgotten, CardsReordered
from referee.games import munchkin
from referee.games.munchkin import narration
from referee.games.munchkin.card_attributes import PLAY_TIMES
from referee.games.munchkin.components import DECKS, FACES, HANDS, PENDING, PLACE_LABELS, TREASURES
from referee.games.munchkin.conditions import SLOTS
from referee.games.munchkin.events.cards import (
    CardDrawn,
    CardKept,
    CardPlayed,
    CardPut,
    CardsDealt,
    HandShown,
    ItemsUsed,
)
from referee.games.munchkin.events.combat import (
    ClaimBroken,
    CombatEnded,
    Escaped,
    HelperJoined,
    HelpTermsProposed,
    MonsterJoined,
    StrengthAdded,
)
from referee.games.munchkin.events.course import LevelsGained, LevelsLost, TradeOffered, TurnBegan
from referee.games.munchkin.events.texts import EffectLapsed
from referee.games.munchkin.moves import AskHelp, GiveToCharity, PlayCard, UsePower
from referee.games.munchkin.positions.references import CALM_STAGES
from referee.games.munchkin.rules.cards.playing import SIDES
from referee.games.munchkin.rules.combat.fighting import Fight
from referee.games.munchkin.settings import SETTINGS
from referee.games.munchkin.values import AddedStrength, Deal, LastingValue, Trade
from referee.position_rulings.interpretations import find_switches
from referee.rendering import texts as speech
from tests.games.matches import random_match

GAME = munchkin.GAME
FOLDER = Path(munchkin.__file__).parent
OWN: dict[str, dict[str, str]] = GAME.rulebook.reasons
GERMAN = {entry["name"]["en"]: entry["name"]["de"] for entry in GAME.cards}
NUMBERED = {"number", "from", "seat", "of"}  # what texts of numbers are filled from
DUMMIES = {
    AddedStrength: AddedStrength("x", 0, "munchkins", 1),
    Trade: Trade(0, 1),
    LastingValue: LastingValue("x", 0, "escape", "turn_end", 0, 1),
}

CASES = {  # facts and moves that are told in different words, by what they say
    "fact.NothingToDraw": ("door", "treasure"),
    "fact.ItemsUsed": ("on", "off"),
    "fact.CardPlayed": ("self", "whom", "monster", "side"),
    "fact.PowerUsed": ("monster",),
    "fact.TradeOffered": ("gift", "request"),
    "fact.TradeOff": ("taken", "declined", "withdrawn"),
    "fact.MonsterJoined": ("by", "twin"),
    "fact.MonsterGone": ("replaced",),
    "fact.TermsOff": ("declined", "taken_back"),
    "fact.HelperJoined": ("deal", "forced"),
    "fact.ClaimBroken": ("weaker",),
    "fact.Passed": ("taken_back",),
    "fact.MonstersKilled": ("none",),
    "fact.CombatEnded": ("killed", "removed", "fled", "left"),
    "fact.TurnedToRun": ("forced",),
    "fact.Escaped": ("rolled", "card", "not_pursued"),
    "fact.TurnBegan": ("back",),
    "fact.LevelsGained": ("sold",),
    "fact.LevelsLost": ("plain",),
    "fact.PlayerDied": ("plain",),
    **{
        f"fact.{name}": ("unseen",)
        for name in (
            "CardsDealt",
            "CardDrawn",
            "HandShown",
            "GivenInCharity",
            "CardsNamed",
            "DeckTopLookedAt",
            "HandLookedAt",
        )
    },
    "move.mk.give": ("given", "given_unseen", "discarded", "discarded_unseen"),
    "move.mk.put": ("instead",),
    "move.mk.play": ("seat", "monster", "side", "partner", "both"),
    "move.mk.join": ("partner",),
    "move.mk.use": ("monster",),
    "move.mk.equip": ("off",),
    "move.mk.offer_trade": ("gift", "request"),
}
CAUSES = {  # facts that are told alike, and read aloud with another reason
    "fact.LevelsGained": ("kill", "played", "sold"),
    "fact.LevelsLost": ("curse", "bad_stuff", "plain"),
    "fact.CardPut": ("citizenship", "ride"),
}
DEALS = {
    f"deal.{part}" for part in ("none", "all", "one", "treasures", "picks", "helper_first", "items", "plays", "note")
}


def filled(text: str) -> set[str]:
    """The placeholders of a text."""
    return set(find_placeholders(text))


def blanks(key: str, lang: str) -> set[str]:
    """The placeholders of a text of this game, or of one it has from the card language or the kernel."""
    book: Rulebook | None = GAME.rulebook
    while book is not None:
        if key in book.reasons:
            return filled(book.reasons[key][lang])
        book = book.base
    raise KeyError(key)


def example(kind: type[Any]) -> Any:
    """Some instance of a fact or a move."""
    plain: dict[Any, Any] = {int: 0, str: "x", bool: False, **DUMMIES}
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for part in fields(kind):
        if part.default is MISSING and part.default_factory is MISSING:
            given[part.name] = plain.get(hints[part.name], ())
    return kind(**given)


def given(thing: Any) -> set[str]:
    """What fills the placeholders of the texts about a fact or a move."""
    return set(GAME.narration.text_parameters(thing))


def classes(kind: type[Any]) -> list[type[Any]]:
    """All registered classes of the game of one sort."""
    return [cls for tag, cls in REGISTRY.items() if tag.startswith("mk.") and issubclass(cls, kind)]


def short_tag(kind: type[Any]) -> str:
    """What a class is called in the keys of the texts: its name in the registry without the game."""
    return str(kind.TAG).rpartition(".")[2]


@cache
def code() -> tuple[ast.Call, ...]:
    """Every call of something by its plain name in the code of the game."""
    trees = [ast.parse(path.read_text("utf-8")) for path in sorted(FOLDER.rglob("*.py"))]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return tuple(node for node in nodes if isinstance(node.func, ast.Name))


def calls(*names: str) -> Iterator[ast.Call]:
    """Every call of one of these names in the code of the game."""
    return (node for node in code() if isinstance(node.func, ast.Name) and node.func.id in names)


def raised() -> Iterable[tuple[str, set[str]]]:
    """The key of every refusal and of every open need in the code, with the names of its parameters."""
    for call in calls("IllegalMove", "NotAsked", "Undetermined"):
        yield ast.literal_eval(call.args[0]), {word.arg for word in call.keywords if word.arg}


def spoken() -> Iterator[tuple[str, set[str]]]:
    """Every text that the code fills in by itself, by its key, with the names of the parameters given to it."""
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    ast.Attribute(ast.Name("BOOK"), "render_texts" | "render_text"), [ast.Constant(key), *_], keywords
                ):
                    yield str(key), {word.arg for word in keywords if word.arg}


def lapsed() -> set[str]:
    """What the code lets lapse, by name."""
    return {call.args[1].value for call in calls("EffectLapsed") if isinstance(call.args[1], ast.Constant)}  # type: ignore[misc]


def spelled(*heads: str) -> set[str]:
    """Every text key that begins so and stands in the code as it is."""
    code = "\n".join(path.read_text("utf-8") for path in sorted(FOLDER.rglob("*.py")))
    return set(re.findall(rf'"((?:{"|".join(heads)})\.[a-z_.]*[a-z])"', code))


def all_cases() -> Iterator[tuple[str, str]]:
    """Every case of a fact or a move that has a text of its own."""
    for key, cases in {**CASES, "fact.Lapsed": tuple(sorted(lapsed()))}.items():
        yield from ((key, case) for case in cases)


def about(key: str) -> tuple[type[Any], str]:
    """The fact or the move that a text is about, and the case it is for."""
    for name, case in ((key, ""), (key.rpartition(".")[0], key.rpartition(".")[2])):
        plain = name.removeprefix("fact.").removeprefix("move.")
        tags = (plain,) if name.startswith("move.") else (f"mk.{plain}", plain)
        found = next((REGISTRY[tag] for tag in tags if tag in REGISTRY), None)
        if found is not None:
            return found, case
    raise KeyError(key)


# ---- every text is there, and fits -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", classes(Event), ids=lambda kind: kind.__name__)
def test_every_fact_of_the_game_has_a_text_that_is_filled_from_what_it_says(kind: type[Event]) -> None:
    for lang in LANGUAGES:
        assert blanks(f"fact.{short_tag(kind)}", lang) <= given(example(kind))


@pytest.mark.parametrize("kind", classes(Move), ids=lambda kind: kind.__name__)
def test_every_move_of_the_game_has_a_text_that_is_filled_from_what_it_names(kind: type[Move]) -> None:
    for lang in LANGUAGES:
        assert blanks(f"move.{kind.TAG}", lang) <= given(example(kind))


@pytest.mark.parametrize(("key", "case"), sorted(all_cases()))
def test_the_text_of_a_case_of_the_game_is_filled_from_the_same(key: str, case: str) -> None:
    for lang in LANGUAGES:
        assert blanks(f"{key}.{case}", lang) <= given(example(about(key)[0]))


def test_every_refusal_and_need_of_the_game_has_a_text_that_is_filled_from_its_parameters() -> None:
    found = list(raised())
    assert len(found) > 80
    for key, params in found:
        for lang in LANGUAGES:
            assert blanks(key, lang) <= params, key


def test_every_question_that_the_game_asks_has_a_text_that_is_filled_from_its_step() -> None:
    asking = [kind for kind in classes(Step) if kind.candidate_moves is not Step.candidate_moves]
    assert Fight in asking
    for kind in asking:
        for lang in LANGUAGES:
            assert blanks(f"question.{short_tag(kind)}", lang) <= {part.name for part in fields(kind)}, kind


@pytest.mark.parametrize("key", sorted(spelled("number", "line", "pattern", "deal", "question", "fact")))
def test_every_key_that_the_code_spells_out_has_its_text(key: str) -> None:
    for lang in LANGUAGES:
        assert blanks(key, lang) <= NUMBERED or not key.startswith(("number.", "line."))


def test_every_text_that_the_code_fills_in_is_given_what_it_asks_for() -> None:
    found = dict(spoken())
    assert {"pattern.deal", "deal.picks"} <= found.keys()
    for key, params in found.items():
        for lang in LANGUAGES:
            assert blanks(key, lang) <= params, key


def test_both_languages_of_the_game_say_the_same_things() -> None:
    for key in OWN:
        assert blanks(key, "en") == blanks(key, "de"), key


def test_no_text_of_the_game_is_left_over() -> None:
    wanted = {key for key, _ in raised()} | {f"move.{kind.TAG}" for kind in classes(Move)} | DEALS
    wanted |= {f"group.{kind.TAG}" for kind in classes(Move)}
    wanted |= {f"question.{short_tag(kind)}" for kind in classes(Step)}
    wanted |= {f"question.{name}" for name in ("item", "player", "discarded", "seen", "Offer", "Unsaid")}
    wanted |= {"line.escape", "census.more_doors", "census.more_treasures", "not_what_is_asked"}
    wanted |= {"number.munchkins", "number.monsters"}
    wanted |= {f"fact.{short_tag(kind)}" for kind in (*classes(Event), CardsForgotten, CardsReordered)}
    wanted |= spelled("number", "line", "pattern", "outcome", "question", "census")
    wanted |= {f"{key}.card" for key in wanted if key.startswith("number.levels_")}
    wanted |= {f"outcome.{way}" for way in ("level_ten", "too_many_turns", "last_one_left")}
    wanted |= {f"setting.{name}.says" for name in GAME.settings["properties"]}
    wanted |= {f"{key}.{case}" for key, case in all_cases()}
    wanted |= {f"move.{kind.TAG}" for kind in (Accept, Decline)} | spelled("share", "foe", "killed")
    words = set(re.findall(r'"([a-z_]+)"', (FOLDER / "texts" / "questions.py").read_text("utf-8"))) | set(CALM_STAGES)
    for key in set(OWN) - wanted:  # the cases of questions and of answers stand in the code by their last word
        if key.startswith(("question.", "answer.", "offer.")) and key.rpartition(".")[2] in words:
            wanted.add(key)
    wanted |= {key for key in OWN if key.startswith("value.")}  # of reports that people make (free_text)
    assert set(OWN) - wanted == set()


def test_the_texts_of_the_book_of_the_game_stand_in_its_languages_only() -> None:
    for key, texts in OWN.items():
        assert set(texts) == set(LANGUAGES), key
        assert all(text == text.strip() for text in texts.values()), key


# ---- sentences to read aloud -----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(GAME.rulebook.spoken_texts))
def test_what_is_read_aloud_is_about_something_that_is_there_and_filled_from_it(key: str) -> None:
    said = GAME.rulebook.spoken_texts[key]
    kind, case = about(key)
    plain = f"move.{kind.TAG}" if issubclass(kind, Move) else f"fact.{short_tag(kind)}"
    assert not case or case in {**CASES, **CAUSES, "fact.Lapsed": lapsed()}[plain], key
    for text in said.says.values():
        assert filled(text) <= given(example(kind)) | {"who", "sum"}
        assert not re.search(r"[.!?]( |$)|:$|^[A-ZÄÖÜ](?!latz )", text), text


@pytest.mark.parametrize(
    ("event", "clause"),
    [
        (LevelsGained(1, 1, 3, "wolfman"), "MK-16.1"),
        (LevelsGained(1, 1, 3), "MK-7.14"),
        (LevelsLost(1, 1, 3, "curse_level"), "MK-20.2"),
        (LevelsLost(1, 1, 3, "wolfman"), "MK-18.1"),
        (CardPut("hand:1", "town/1", ("?",), ("town_easter",), 1, "town_easter"), "MK-4.4"),
        (EffectLapsed("curse_armor", "lose_items", 1), "MK-18.2"),
    ],
)
def test_the_reason_that_is_read_aloud_is_that_of_what_did_it(event: Event, clause: str) -> None:
    said = GAME.narration.render_spoken_text(event)
    assert said is not None
    assert said.clause == clause


def test_every_clause_that_a_sentence_gives_as_its_reason_is_there() -> None:
    for key, said in GAME.rulebook.spoken_texts.items():
        assert said.clause in ("", NO_CLAUSE) or GAME.rulebook.find_clause(said.clause), key


# ---- names, not ids --------------------------------------------------------------------------------------------


def test_every_word_that_stands_as_a_parameter_has_a_name_in_both_languages() -> None:
    words = {*PLAY_TIMES, *SIDES, *(slot for slot in SLOTS if slot != "none"), "undead", "demon", "main", "helper"}
    words |= {f"names_{what}" for what in ("seat", "monster", "side", "partner")} | {
        "bonus",
        "gold",
        *CALM_STAGES,
        *DECKS,
    }
    words |= {power.name for face in FACES.values() for power in face.powers} | set(PLACE_LABELS)
    for word in words:
        assert set(GAME.rulebook.names[word]) == set(LANGUAGES), word


@pytest.mark.parametrize(("source", "seats"), [("server", 3), ("server", 6), ("table", 4)])
def test_nothing_that_a_match_of_the_game_tells_asks_or_refuses_shows_an_id(source: str, seats: int) -> None:
    setup = GAME.complete_setup(Setup("standard", seats, {}, dict.fromkeys(GAME.devices, source)))
    said: set[str] = set()
    for number, turned in enumerate(islice(random_match("munchkin", setup, seed=41), 900)):
        said |= set(speech.question_response(GAME, turned.before)["asks"].values())
        lines = [
            GAME.narration.describe_event(turned.move),
            *(GAME.narration.describe_event(event.view_for(0)) for event in turned.events),
        ]
        said |= set(chain.from_iterable(line.values() for line in lines if line))
        if number % 20 == 0:
            for seat in seats_that_may_act(turned.before):
                for _move, ruling in find_near_misses(turned.before, seat):
                    said |= set(speech.describe_reason(GAME, ruling).values())
    assert len(said) > 200
    for line in said:
        assert not re.search(
            r"[a-z]_[a-z]|[a-z]/\w|\w:\d|\?[a-z]|[{}()]{2}|\bNone\b|  | [.,:]|(seat|Platz) -1\b", line
        ), line


@pytest.mark.parametrize(
    ("thing", "english"),
    [
        (CardsDealt(TREASURES, HANDS[0], ("?",) * 4, ("?",) * 4, 0), "dealt 4 cards from the treasure deck."),
        (HandShown(0, 1, ("?", "?")), "Player 1 shows their hand to Player 2."),
        (HandShown(0, 1, ("bat_hat",)), "Player 1 shows their hand to Player 2: Bat Hat."),
        (CardPlayed(HANDS[0], PENDING, ("?",), ("curse_level",), 0, "curse_level", 0), "on themselves."),
        (CardPlayed(HANDS[0], PENDING, ("?",), ("curse_level",), 0, "curse_level", 2), "on Player 3."),
        (ItemsUsed(1, on=("bat_hat",)), "Player 2 uses Bat Hat from now on."),
        (ItemsUsed(1, off=("bat_hat",)), "Player 2 only carries Bat Hat from now on."),
        (MonsterJoined("x", "combat", (), (), "wolfman", "wolfman", 2), "Player 3 brings Wolfman into the combat."),
        (MonsterJoined("x", "combat", (), (), "second_helping", "wolfman", 2), "Wolfman has a twin: Second Helping."),
        (StrengthAdded(AddedStrength("snow_grenade", 1, "monsters", 5)), ": +5 for the monsters."),
        (Escaped(1, "wolfman", "rolled", 6), "6: Player 2 escapes Wolfman."),
        (CombatEnded("fled"), "The combat is over, and so is running away."),
        (ClaimBroken(-1), "The munchkins are no longer the stronger side: the combat is open again."),
        (EffectLapsed("curse_armor", "lose_items", 1), "Player 2 has nothing that Curse: Moth Supper could take."),
        (LevelsGained(1, 2, 5), "The sale lifts Player 2 by 2 levels, to level 5."),
        (TurnBegan(2, (0,)), "Player 3's turn begins. Back from the dead: Player 1."),
        (TradeOffered(Trade(0, 1, ("bat_hat",))), "Player 1 offers Player 2 Bat Hat as a gift."),
        (TradeOffered(Trade(0, 1, (), ("bat_hat",))), "Player 1 asks Player 2 for Bat Hat as a gift."),
        (HelpTermsProposed(0, 1, Deal()), "Player 1 proposes terms of help to Player 2: nothing in return."),
        (HelperJoined(1, None, forced=True), "Player 2 is forced to help in the combat."),
        (PlayCard("snow_grenade", side="munchkins"), "for the munchkins."),
        (UsePower("parting_gift", "bat_hat", "wolfman"), "for the power Parting Gift, because of Wolfman."),
        (GiveToCharity(("?", "?"), (1, 1)), "Give 2 cards to Player 2 in charity."),
    ],
)
def test_what_has_happened_in_the_game_is_told_by_its_case(thing: Event | Move, english: str) -> None:
    told = GAME.narration.describe_event(thing)
    assert told is not None
    assert told["en"].endswith(english)
    assert told["de"] not in ("", told["en"])


def test_a_deal_is_told_part_by_part_and_the_note_as_it_was_written() -> None:
    move = AskHelp(2, False, ("main", "helper", "helper"), ("bat_hat",), (), " you owe me\n one ", seat=1)
    assert GAME.narration.describe_event(move) == {
        "en": "Ask Player 2 for help: 2 treasures for the helper, picked in this order (the main player, the helper, "
        "the helper), Bat Hat after the win, with the note “you owe me one”.",
        "de": "Spieler 2 um Hilfe bitten: 2 Schätze für den Helfer, ausgesucht in dieser Reihenfolge (der "
        "Hauptkämpfer, der Helfer, der Helfer), nach dem Sieg dazu „Fledermaushut“, mit der Notiz „you owe "
        "me one“.",
    }
    assert narration.describe_deal(Deal(all_of_them=True))["de"] == "alle Schätze für den Helfer"


def test_what_one_may_not_see_is_a_hidden_card_or_a_number_and_what_lay_open_keeps_its_name() -> None:
    drawn = CardDrawn(TREASURES, HANDS[0], ("bat_hat",), ("bat_hat",), 0)
    assert "Fledermaushut" in str(GAME.narration.describe_event(drawn.view_for(0)))
    assert GAME.narration.describe_event(drawn.view_for(1)) == {
        "en": "Player 1 draws 1 card from the treasure deck.",
        "de": "Spieler 1 zieht 1 Karte vom Schatzstapel.",
    }
    kept = CardKept(PENDING, HANDS[0], ("bat_hat",), ("bat_hat",), 0)
    assert GAME.narration.describe_event(kept.view_for(1)) == GAME.narration.describe_event(kept)
    assert "Fledermaushut" in str(GAME.narration.describe_event(kept))


# ---- clauses and the README ------------------------------------------------------------------------------------


def test_places_cards_and_words_have_one_name_each_in_a_language() -> None:
    for lang in LANGUAGES:
        places = [names[lang] for names in PLACE_LABELS.values()]
        cards = [entry["name"][lang] for entry in GAME.cards]
        assert len(set(places)) == len(places)
        assert len(set(cards)) == len(cards) == len(FACES)


def test_german_clauses_of_the_game_call_cards_by_their_german_names() -> None:
    licensed = [name for name, german in GERMAN.items() if name != german]
    for clause in GAME.rulebook.clauses.values():
        for text in (clause.says, clause.open, clause.why):
            for name in licensed:
                assert not re.search(rf"\b{re.escape(name)}(?!\w)", text.get("de", "")), (clause.id, name)


def test_every_setting_has_a_clause_that_says_what_a_table_may_agree() -> None:
    assert {switch.setting for switch in find_switches(GAME).values() if switch.setting} == set(SETTINGS["properties"])


def test_the_readme_of_the_game_names_every_move_and_every_setting_as_the_code_does() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    asks = readme.partition("## Who is asked")[2].partition("## Settings")[0]
    settings = readme.partition("## Settings")[2].partition("## What is hidden")[0]
    moves = set(re.findall(r"`((?:mk|choose|chance|clock)\.[a-z_]+)`", asks))
    assert moves - {"choose.item", "choose.discarded"} == {move.TAG for move in GAME.move_types} | {"clock.timed_out"}
    assert re.findall(r"^\| `([a-z_]+)`", settings, re.MULTILINE) == list(SETTINGS["properties"])
    for name, schema in SETTINGS["properties"].items():
        (row,) = re.findall(rf"^\| `{name}`.*", settings, re.MULTILINE)
        assert f"{json.dumps(schema['default'])} (usual" in row, name
    steps = {short_tag(kind) for kind in classes(Step)} | {"Offer", "Shuffle", "Looking", "Alternatives"}
    assert set(re.findall(r"`([A-Z]\w+)`", asks)) <= steps
