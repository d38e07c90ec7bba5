"""What is refused when a card is read, and that every word of the game is used by a card and told of."""

from __future__ import annotations

import pytest

from referee.cardscript.language.builtins import COMMON_VOCABULARY, Special
from referee.cardscript.language.located_yaml import LocatedMapping
from referee.cardscript.language.primitives import ProgramLine
from referee.engine.rulebook.book import BookError
from referee.games.books import install_book_text
from referee.games.creature_crush.card_attributes import TEXT_NAMES
from referee.games.creature_crush.components import CARD_ENTRIES, CARDS_BY_EDITION, FACES, PROGRAMS, program_of
from referee.games.creature_crush.texts.programs import collect_bound_names, collect_mentioned_names, parse_texts
from referee.games.creature_crush.texts.vocabulary import VOCABULARY
from tests.games.creature_crush.test_guide import TEXT as GUIDE
from tests.games.creature_crush.wording import card, read

DRAW = {"do": "draw", "count": 1}


def list_lines(entry: LocatedMapping) -> list[ProgramLine]:
    """The lines of all texts of an entry of the guide's book."""
    return [line for lines in parse_texts("guide", entry).values() for line in lines]


def test_the_box_holds_eighty_creatures_and_twenty_crush_cards() -> None:
    for cards in CARDS_BY_EDITION.values():
        assert len(cards) == 100
        assert sum(card["kind"] == "creature" for card in cards) == 80
    for language in ("en", "de"):
        assert len({entry["name"][language] for _, entry in CARD_ENTRIES}) == 100


def test_every_text_of_every_card_is_a_program_and_no_program_belongs_to_no_text() -> None:
    assert set(PROGRAMS) == {(name, text) for name, printed in FACES.items() for text in printed.texts}
    assert all(PROGRAMS.values())
    assert program_of("hex_toad#2", "action") == PROGRAMS["hex_toad", "action"]


def test_no_card_needs_a_special_function_and_every_word_of_the_game_is_used() -> None:
    words = [line.effect for lines in PROGRAMS.values() for line in lines]
    assert not any(isinstance(word, Special) for word in words)
    words += [line.effect for entry in install_book_text(GUIDE).entries for line in list_lines(entry)]
    assert {word.WORD for word in words} >= set(VOCABULARY.effects) - set(COMMON_VOCABULARY.effects)
    nouns = {word.noun.WORD for word in words if hasattr(word, "noun")}
    assert nouns == set(VOCABULARY.selectors)


def test_every_text_finds_bound_what_it_speaks_of() -> None:
    for file, entry in CARD_ENTRIES:
        assert set(parse_texts(file, entry)) == {text for text in TEXT_NAMES if text in entry}
    speaking = {
        key: set(collect_mentioned_names(lines))
        for key, lines in PROGRAMS.items()
        if set(collect_mentioned_names(lines))
    }
    assert speaking == {("pit_viper", "attacks"): {"defender"}, ("recoil", "flip"): {"attacker"}}
    assert set(collect_bound_names(PROGRAMS["war_council", "flip"])) == {"enough", "target"}


@pytest.mark.parametrize(
    ("parts", "detail"),
    [
        ({"action": [{"do": "drwa", "count": 1}]}, "unknown verb 'drwa'; did you mean 'draw'"),
        ({"action": [{"do": "draw", "cuont": 1}]}, "draw takes no 'cuont'"),
        ({"action": [{"do": "damage", "creature": "defender", "points": 1}]}, "unknown name 'defender'"),
        ({"attacks": [{"do": "damage", "creature": "attacker", "points": 1}]}, "unknown name 'attacker'"),
        ({"action": [{"do": "choose", "creature": {"of": "foe"}, "called": "who"}]}, "unknown 'foe'"),
        ({"action": [{"do": "choose", "creature": {}, "called": "who"}]}, "creature needs 'of'"),
        ({"action": [{"do": "all", "creature": {"of": "enemy"}, "called": "who"}]}, "is never used"),
        ({"action": [{"do": "damage", "creature": "this", "points": {"attack_of": "attacker"}}]}, "'attacker'"),
        (
            {"action": [{"do": "check", "that": {"cost_min": {"of": "defender", "count": 8}}, "called": "so"},
                        {**DRAW, "if": "so"}]},
            "unknown name 'defender'",
        ),
        (
            {"flips_when": {"event": "ally_attacks", "that": {"cost_min": {"of": "victim", "count": 1}}},
             "flip": [DRAW]},
            "unknown name 'victim'",
        ),
    ],
)  # fmt: skip
def test_what_a_text_cannot_mean_is_refused(parts: dict[str, object], detail: str) -> None:
    with pytest.raises(BookError, match=detail):
        card(id="x", **parts)


@pytest.mark.parametrize(
    ("text", "when", "name"),
    [
        ("attacks", None, "defender"), ("attacked", None, "attacker"), ("flip", "enemy_attacks", "attacker"),
        ("flip", "ally_attacks", "defender"), ("flip", "enemy_attacks_directly", "attacker"),
        ("flip", "enemy_summoned", "summoned"),
    ],
)  # fmt: skip
def test_a_text_may_speak_of_whom_its_event_is_about(text: str, when: str | None, name: str) -> None:
    flips = {"flips_when": {"event": when}} if when else {}
    texts = card(id="x", **flips, **{text: [{"do": "damage", "creature": name, "points": 1}]})
    assert len(texts[text]) == 1


def test_no_name_that_every_text_finds_may_be_given_anew() -> None:
    for name in ("me", "opponent", "this", "x"):
        with pytest.raises(BookError, match="cannot be a name"):
            read({"do": "all", "creature": {"of": "enemy"}, "called": name}, DRAW)
