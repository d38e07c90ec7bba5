"""The card texts of Here to Slay in the card language: what is refused, and how little of it is there for one card."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from textwrap import dedent

import pytest

from referee.cardscript.language.located_yaml import load_entries
from referee.cardscript.language.parser import collect_verbs
from referee.engine.rulebook.book import BookError
from referee.games.here_to_slay.components import CARDS, FACES, PROGRAMS
from referee.games.here_to_slay.texts.faces import parse_face
from referee.games.here_to_slay.texts.programs import parse_texts

GUIDE = Path(__file__).parents[3] / "referee/cardscript/guides/here_to_slay.md"
ONE_IN = 10  # at most one card in ten may need a special function
USED_ONCE = {  # words that only one card uses so far, and whom they are waiting for
    "look_at_deck": "bullseye",
    "keep": "bullseye",
    "put_back": "bullseye",
    "draw_to": "wily_red",
    "take_from_hand": "silent_shadow",
    "throw": "slippery_paws",
    "roll_for": "wiggles",
    "swap_hands": "dodgy_dealer",
    "give": "greedy_cheeks",
    "give_way": "decoy_doll",
}


def users() -> dict[str, set[str]]:
    """The cards that use each word."""
    found: dict[str, set[str]] = defaultdict(set)
    for (card, _), lines in PROGRAMS.items():
        for word in collect_verbs(lines):
            found[word].add(card)
    return found


def test_at_most_one_card_in_ten_uses_a_special_function() -> None:
    assert len(users()["special"]) * ONE_IN <= len(CARDS)


def test_words_that_a_single_card_uses_are_known_by_name_and_few() -> None:
    once = {word: next(iter(cards)) for word, cards in users().items() if len(cards) == 1}
    assert once == USED_ONCE
    # even if each of them were a special in disguise, it would stay one card in ten
    assert len({*once.values(), *users()["special"]}) * ONE_IN <= len(CARDS)


def test_every_word_of_the_vocabulary_is_used_by_some_card() -> None:
    from referee.games.here_to_slay.texts.vocabulary import VOCABULARY

    shown = set(re.findall(r"\bdo: (\w+)", GUIDE.read_text("utf-8")))  # its book is played in test_guide.py
    unused = (
        set(VOCABULARY.effects) - set(users()) - shown - {"special", "go_back", "as_written", "alternative"}
    )  # the last one is for books alone
    assert not unused


def test_the_box_is_complete() -> None:
    kinds: dict[str, list[int]] = defaultdict(list)
    for face in FACES.values():
        kinds[face.kind].append(face.copies)
    assert {kind: sum(copies) for kind, copies in kinds.items()} == {
        "hero": 48, "item": 11, "cursed_item": 4, "magic": 13, "modifier": 25, "challenge": 14, "leader": 6,
        "monster": 15,
    }  # fmt: skip
    assert len(FACES) == 95


HERO = """\
- id: newcomer
  kind: hero
  class: bard
  name: {en: Newcomer, de: Neuling}
  text: {en: "Draw.", de: "Ziehen."}
  roll: {min: 5}
  does:
    - {do: draw, count: 1}
  clauses: [HTS-DO-1]
"""


def read(tmp_path: Path, written: str) -> None:
    file = tmp_path / "cards.yaml"
    file.write_text(dedent(written), "utf-8")
    for entry in load_entries(file):
        parse_face(file.name, entry)
        parse_texts(file.name, entry)


def test_a_card_of_one_s_own_can_be_read(tmp_path: Path) -> None:
    read(tmp_path, HERO)


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("kind: hero", "kind: heroine", "cards.yaml:2: unknown kind 'heroine'; did you mean 'hero'?"),
        ("class: bard", "class: brad", "unknown class 'brad'; did you mean 'bard'?"),
        ("roll: {min: 5}", "roll: {mni: 5}", "cards.yaml:6: unknown key 'mni'; did you mean 'min'?"),
        ("roll: {min: 5}", "roll: {min: five}", "cards.yaml:6: roll needs a whole number"),
        ("  roll: {min: 5}\n", "", "cards.yaml:1: roll is missing"),
        ("clauses:", "clause:", "a hero takes no 'clause'; did you mean 'clauses'?"),
        ("{do: draw, count: 1}", "{do: drwa, count: 1}", "cards.yaml:8: unknown verb 'drwa'; did you mean 'draw'?"),
        ("{do: draw, count: 1}", "{do: draw}", "cards.yaml:8: draw needs 'count'"),
        ("{do: draw, count: 1}", "{do: destroy, hero: target}", "cards.yaml:8: destroy.hero: unknown name"),
        ("{do: draw, count: 1}", "{do: special, rule: magic}", "cards.yaml:8: unknown special function 'magic'"),
        (
            "{do: draw, count: 1}",
            "{do: choose, hero: {to: eat}, called: x}",
            "cards.yaml:8: hero.to: unknown 'eat'; known: destroy, give, put, steal, use",
        ),
        ("does:", "whenever:", "a hero takes no 'whenever'"),
    ],
)
def test_a_card_with_a_mistake_is_refused_with_line_and_suggestion(
    tmp_path: Path, wrong: str, right: str, says: str
) -> None:
    with pytest.raises(BookError) as error:
        read(tmp_path, HERO.replace(wrong, right))
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("standing: [{rol: [hero], plus: 1}]", "unknown key 'rol'; did you mean 'roll'?"),
        ("standing: [{roll: [heroes], plus: 1}]", "unknown roll 'heroes'; did you mean 'hero'?"),
        ("standing: [{sealed: true, plus: 1}]", "sealed takes no 'plus'"),
        ("standing: [{protects: sleeping}]", "unknown protects 'sleeping'"),
        ("whenever: [{event: magic_plaid, does: []}]", "unknown event 'magic_plaid'; did you mean 'magic_played'?"),
        ("whenever: [{event: drawn, by: nobody, does: []}]", "unknown by 'nobody'"),
        ("whenever: [{event: drawn, again: true, does: [{do: draw, count: 1}]}]", "'again' needs a choice"),
        ("whenever: [{event: drawn, does: [{do: add_value, value: roller}]}]", "unknown name 'roller'"),
        ("instead: {of: stealing, does: []}", "unknown replacement of 'stealing'"),
        ("requires: [hero, knight]", "unknown slot 'knight'"),
    ],
)
def test_what_a_monster_cannot_say_is_refused(tmp_path: Path, part: str, says: str) -> None:
    requires = "" if part.startswith("requires") else "requires: [hero]"
    monster = f"""\
        - id: newcomer
          kind: monster
          name: {{en: Newcomer, de: Neuling}}
          text: {{en: "Waits.", de: "Wartet."}}
          slay: {{min: 8}}
          fight_back: {{max: 4}}
          penalty: []
          clauses: [HTS-MON-1]
          {part}
          {requires}
        """
    with pytest.raises(BookError, match=r"cards\.yaml:\d+: ") as error:
        read(tmp_path, monster)
    assert says in str(error.value)
