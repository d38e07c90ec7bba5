"""What players read: every text is there, fits what it is filled from, and shows names in both languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from referee.cardscript.table import UNCOUNTED_CARDS
from referee.engine.codec import REGISTRY
from referee.engine.events import Event, Move
from referee.engine.game import Setup
from referee.engine.referee import find_near_misses, seats_that_may_act
from referee.engine.rulebook.book import LANGUAGES, Rulebook
from referee.engine.rulebook.messages import find_placeholders
from referee.engine.rulings import Undetermined
from referee.engine.steps import Step
from referee.engine.zones import CardsForgotten, CardsReordered
from referee.games import here_to_slay
from referee.games.here_to_slay import GAME, breakdowns, wording
from referee.games.here_to_slay.components import DECK, FACES, HANDS, LEADER, PARTIES, PLACE_LABELS, SLAIN
from referee.games.here_to_slay.events.cards import CardDrawn, EffectLapsed, HandShown
from referee.games.here_to_slay.events.heroes import ItemReturned
from referee.games.here_to_slay.events.plays import DiceRolled, ModifierPlayed, RollSettled, TargetsDeclared
from referee.games.here_to_slay.events.turns import GameWon, HandDealt
from referee.games.here_to_slay.moves import Attack, Modify, RollFor
from referee.games.here_to_slay.rules.drawing import HandNaming
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.settings import SETTINGS
from referee.games.here_to_slay.state import Table
from referee.rendering import texts as speech
from tests.games.here_to_slay.given import table
from tests.games.matches import random_match

FOLDER = Path(here_to_slay.__file__).parent
OWN: dict[str, dict[str, str]] = GAME.rulebook.reasons
GERMAN = {entry["name"]["en"]: entry["name"]["de"] for entry in GAME.cards}
KINDS_TOO = ("Challenge", "Herausforderung")  # a card named as its kind, which stands in sentences as a plain word

CASES = {  # facts that are told in different words, by what they say
    "RollSettled": ("success", "failure", "void", "slay", "fight_back", "nothing", "challenger", "challenged"),
    "DiceRolled": ("hero", "attack", "challenger", "challenged"),
    "LastingBegan": (
        "roll_bonus",
        "no_challenge",
        "no_destroy",
        "no_steal",
        "no_attack",
        "no_challenging",
        "no_modifying",
    ),
    "Lapsed": ("destroy", "sacrifice", "steal", "give", "cost", "pull"),
    "CardPut": ("hand", "top", "bottom", "discard"),
    "GameWon": ("three_monsters", "six_classes", "last_one_left"),
    "TargetsDeclared": ("none", "cards", "seats", "both"),
    **dict.fromkeys(("HandDealt", "HandShown", "TopLookedAt", "CardsNamed"), ("unseen",)),
}


def blanks(key: str, lang: str) -> set[str]:
    """The placeholders of a text of this game, or of one it has from the card language or the kernel."""
    book: Rulebook | None = GAME.rulebook
    while book is not None:
        if key in book.reasons:
            return set(find_placeholders(book.reasons[key][lang]))
        book = book.base
    raise KeyError(key)


def parts(kind: type[Any]) -> set[str]:
    """The fields of a fact, move or step; of a fact that moves cards also how many they are."""
    names = {part.name for part in fields(kind)}
    return names | {"count"} if "put" in names else names


def classes(kind: type[Any]) -> list[type[Any]]:
    """All registered classes of the game of one sort."""
    return [cls for tag, cls in REGISTRY.items() if tag.startswith("hts.") and issubclass(cls, kind)]


def short_tag(kind: type[Any]) -> str:
    """What a class is called in the keys of the texts: its name in the registry without the game."""
    return str(kind.TAG).rpartition(".")[2]


def raised() -> Iterable[tuple[str, set[str]]]:
    """The key of every refusal and of every open need in the code, with the names of its parameters."""
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(ast.Name("IllegalMove" | "NotAsked" | "Undetermined"), [ast.Constant(key), *_], keywords):
                    yield str(key), {word.arg for word in keywords if word.arg}


def sentences(lang: str) -> list[str]:
    """All that the clauses say in a language."""
    book = GAME.rulebook.clauses.values()
    return [text[lang] for clause in book for text in (clause.says, clause.open, clause.why) if text]


# ---- every text is there, and fits -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", classes(Event), ids=lambda kind: kind.__name__)
def test_every_fact_has_a_text_that_is_filled_from_its_fields(kind: type[Event]) -> None:
    for lang in LANGUAGES:
        assert blanks(f"fact.{short_tag(kind)}", lang) <= parts(kind)


@pytest.mark.parametrize("kind", classes(Move), ids=lambda kind: kind.__name__)
def test_every_move_has_a_text_that_is_filled_from_its_fields(kind: type[Move]) -> None:
    for lang in LANGUAGES:
        needed = {"span", "bound"} if kind in (RollFor, Attack) else set()
        assert blanks(f"move.{kind.TAG}", lang) == parts(kind) | needed


def test_every_refusal_and_need_has_a_text_that_is_filled_from_its_parameters() -> None:
    found = list(raised())
    assert len(found) > 60
    for key, given in found:
        for lang in LANGUAGES:
            assert blanks(key, lang) <= given, key


def test_every_question_of_a_step_has_a_text_that_is_filled_from_it() -> None:
    asking = [kind for kind in classes(Step) if kind.candidate_moves is not Step.candidate_moves]
    assert {Turn, HandNaming} <= set(asking)
    for kind in asking:
        for lang in LANGUAGES:
            assert blanks(f"question.{short_tag(kind)}", lang) <= parts(kind)


def test_both_languages_say_the_same_things() -> None:
    for key in OWN:
        assert blanks(key, "en") == blanks(key, "de"), key


def test_no_text_is_left_over() -> None:
    wanted = {key for key, _ in raised()} | {f"move.{kind.TAG}" for kind in classes(Move)} | {"pattern.cards"}
    wanted |= {f"question.{short_tag(kind)}" for kind in classes(Step)}
    asked = ("hero", "player", "card", "item", "value", "Offer", "Looking", "Unsaid")
    wanted |= {f"question.{name}" for name in asked} | {f"choose_{name}" for name in asked[:5]}
    wanted |= {f"question.ModifierWindow.{kind}" for kind in ("hero", "hero_at", "attack", "challenge")}
    wanted |= {f"fact.{short_tag(kind)}" for kind in (*classes(Event), CardsForgotten, CardsReordered)}
    wanted |= {f"outcome.{way}" for way in ("three_monsters", "six_classes", "last_one_left")}
    made = Path(breakdowns.__file__).read_text("utf-8")
    wanted |= {f"number.{name}" for name in re.findall(r'"(?:number\.)?([a-z_]+)"', made)}
    wanted |= {f"number.{what}.{end}" for what in re.findall(r'"([a-z_]+)"', made) for end in ("least", "most")}
    said = set(re.findall(r'"([a-z_]+)"', Path(wording.__file__).read_text("utf-8"))) | {"take_item", "return_item"}
    wanted |= {key for key in OWN if key.startswith(("question.", "move.")) and key.rpartition(".")[2] in said}
    left = {key for key in OWN if not key.startswith(("census.", "setting.", "group.", "value."))} - wanted
    assert left == {f"fact.{name}.{case}" for name, cases in CASES.items() for case in cases}


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_the_text_of_a_case_is_filled_from_the_fields_as_well(name: str, case: str) -> None:
    more = {"TargetsDeclared": {"cards", "seats"}, "RollSettled": {"bound", "span"}}.get(name, set())
    for lang in LANGUAGES:
        assert blanks(f"fact.{name}.{case}", lang) <= parts(REGISTRY[f"hts.{name}"]) | more


# ---- names, not ids --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [*PLACE_LABELS, *SLAIN, *LEADER])
def test_every_place_that_a_question_may_name_has_a_name(place: str) -> None:
    for key in ("which_cards", "how_many_cards"):
        assert set(GAME.rulebook.render_texts(key, place=place)) == set(LANGUAGES)
        assert not any(
            place in line for line in GAME.rulebook.render_texts(key, place=place).values() if not place.isalpha()
        )
    assert place in GAME.rulebook.names


def test_a_party_that_was_left_out_is_asked_for_by_its_name() -> None:
    state = table([], [])
    state = Table(
        agenda=state.agenda, zones={**state.zones, PARTIES[1]: (UNCOUNTED_CARDS,)}, rules=state.rules, turn=0, points=3
    )
    with pytest.raises(Undetermined) as unknown:
        state.party_of(1)
    need = unknown.value.need
    assert (
        GAME.rulebook.render_text(need.key, "de", **need.params) == "Welche Karten liegen hier: Gruppe von Spieler 2?"
    )


@pytest.mark.parametrize(("source", "seats"), [("server", 2), ("server", 5), ("table", 3)])
def test_nothing_that_a_match_tells_asks_or_refuses_shows_an_id(source: str, seats: int) -> None:
    setup = GAME.complete_setup(Setup("standard", seats, {}, dict.fromkeys(GAME.devices, source)))
    said: set[str] = set()
    for number, turned in enumerate(random_match("here_to_slay", setup, seed=41)):
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
        assert not re.search(r"[a-z]_[a-z]|[a-z]/\w|\w:\d|\?[a-z]|[{}()]{2}|\bNone\b|  | [.,:]", line), line


def test_what_one_may_not_see_is_a_hidden_card_and_what_lay_open_keeps_its_name() -> None:
    drawn = CardDrawn(DECK, HANDS[0], ("peanut",), ("peanut",), 0)
    assert GAME.narration.describe_event(drawn.view_for(0)) == {
        "en": "Player 1 draws Peanut.",
        "de": "Spieler 1 zieht „Erdnüsschen“.",
    }
    assert GAME.narration.describe_event(drawn.view_for(1)) == {
        "en": "Player 1 draws a hidden card.",
        "de": "Spieler 1 zieht eine verdeckte Karte.",
    }
    back = ItemReturned("under/peanut", HANDS[0], ("bard_mask",), ("bard_mask",), 0)
    assert GAME.narration.describe_event(back.view_for(1)) == GAME.narration.describe_event(back)
    assert "Bardenmaske" in str(GAME.narration.describe_event(back))


@pytest.mark.parametrize(
    ("event", "english"),
    [
        (RollSettled(0, "hero", "peanut", 9, "success"), "9: the roll for Peanut succeeds."),
        (RollSettled(0, "hero", "peanut", 6, "failure"), "6, needed 7: the roll for Peanut fails."),
        (RollSettled(0, "attack", "dracos", 8, "fight_back"), "8, needed 5 or less: Dracos fights back."),
        (
            RollSettled(0, "attack", "rex_major", 6, "nothing"),
            "6, needed 8: nothing happens to Rex Major, nor to Player 1.",
        ),
        (RollSettled(0, "challenged", "peanut", 6, "compared"), "Player 1, the challenged player, has 6 in all."),
        (RollSettled(0, "attack", "dracos", 5, "slay"), "5: enough to slay Dracos."),
        (DiceRolled(1, "attack", "dracos", (2, 3)), "Player 2 rolls 2, 3 against Dracos."),
        (TargetsDeclared(1, {"target": ("peanut",)}), "Player 2 aims the effect at Peanut."),
        (TargetsDeclared(1, {"victim": (0,), "target": ("peanut",)}), "Player 2 aims the effect at Player 1: Peanut."),
        (TargetsDeclared(1, {"target": ()}), "Player 2 finds nothing to aim the effect at."),
        (EffectLapsed("entangling_trap", "cost"), "The price of Entangling Trap cannot be paid, so nothing happens."),
        (GameWon(2, "six_classes"), "Player 3 ends the turn with all six classes and wins."),
        (HandDealt(DECK, HANDS[0], ("?",) * 5, ("?",) * 5, 0), "Player 1 is dealt 5 cards."),
        (HandShown(0, 1, ("?", "?")), "Player 1 looks at Player 2's hand."),
        (HandShown(0, 1, ("peanut", "hook")), "Player 1 looks at Player 2's hand: Peanut, Hook."),
    ],
)
def test_what_happened_is_told_by_its_case(event: Event, english: str) -> None:
    told = GAME.narration.describe_event(event)
    assert told is not None
    assert told["en"] == english
    assert told["de"] not in ("", english)


def test_a_value_is_told_with_its_sign() -> None:
    move = Modify("modifier_plus_1_minus_3", 1, 2)
    assert GAME.narration.describe_event(move) == {
        "en": "Play Modifier +1/-3 with +1 on Player 3's roll.",
        "de": "„Modifikator +1/-3“ mit +1 auf den Wurf von Spieler 3 spielen.",
    }
    card = ("modifier_plus_1_minus_3",)
    told = GAME.narration.describe_event(ModifierPlayed(HANDS[0], "discard", card, card, 0, card[0], -3, 2))
    assert told is not None
    assert all(line.endswith(": -3.") for line in told.values())


# ---- clauses and the README ------------------------------------------------------------------------------------


def test_german_clauses_call_cards_by_their_german_names_in_quotation_marks() -> None:
    english = [name for name, german in GERMAN.items() if name != german and name not in KINDS_TOO]
    german = [name for name in GERMAN.values() if name not in KINDS_TOO and not name.startswith("Modifikator")]
    for text in sentences("de"):
        assert not [name for name in english if re.search(rf"\b{re.escape(name)}(?!\w)", text)], text
        bare = re.sub(r"„[^“]*“", "", text)
        assert not [name for name in german if re.search(rf"\b{re.escape(name)}(?!\w)", bare)], text
        assert set(re.findall(r"„([^“]*)“", text)) <= set(GERMAN.values()), text


def test_english_clauses_call_cards_by_their_english_names() -> None:
    german = [name for english, name in GERMAN.items() if name != english and name not in KINDS_TOO]
    for text in sentences("en"):
        assert not [name for name in german if re.search(rf"\b{re.escape(name)}(?!\w)", text)], text


def test_places_and_cards_have_one_name_each_in_a_language() -> None:
    for lang in LANGUAGES:
        places = [names[lang] for names in PLACE_LABELS.values()]
        cards = [entry["name"][lang] for entry in GAME.cards]
        assert len(set(places)) == len(places)
        assert len(set(cards)) == len(cards) == len(FACES)


def test_the_readme_names_every_move_and_every_setting_as_the_code_does() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    asks = readme.partition("## Who is asked")[2].partition("## Settings")[0]
    settings = readme.partition("## Settings")[2].partition("## What is hidden")[0]
    moves = set(re.findall(r"`((?:hts|choose|chance|clock)\.[a-z_]+)`", asks))
    questions = {"choose.hero", "choose.item"}  # choose.card and choose.player are names of moves, too
    assert moves - questions == {move.TAG for move in GAME.move_types} | {"clock.timed_out"}
    assert re.findall(r"^\| `([a-z_]+)`", settings, re.MULTILINE) == list(SETTINGS["properties"])
    steps = {short_tag(kind) for kind in classes(Step)} | {"Offer", "Looking", "Shuffle"}
    assert set(re.findall(r"`([A-Z]\w+)`", asks)) <= steps


def test_the_texts_of_the_book_stand_in_its_languages_only() -> None:
    for key, texts in OWN.items():
        assert set(texts) == set(LANGUAGES), key
        assert all(text == text.strip() for text in texts.values()), key


@pytest.mark.parametrize(
    ("roller", "english", "german"),
    [(2, "on their own roll", "auf den eigenen Wurf"), (0, "on Player 1's roll", "auf den Wurf von Spieler 1")],
)
def test_a_modifier_on_ones_own_roll_is_read_so(roller: int, english: str, german: str) -> None:
    played = ModifierPlayed(
        "hand:2", "discard", ("modifier_plus_4",), ("modifier_plus_4",), 2, "modifier_plus_4", 4, roller
    )
    spoken = GAME.narration.render_spoken_text(played)
    assert spoken is not None
    assert english in spoken.says["en"]
    assert german in spoken.says["de"]
