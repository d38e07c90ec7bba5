"""Card books of Here to Slay: what they mean, what is refused, and matches that are played with them."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from referee.cardscript.moves import Accept, ChooseCards, Decline
from referee.engine.codec import decode, encode
from referee.engine.game import Setup
from referee.engine.referee import build_view
from referee.engine.rulebook.editions import CardBook, CardBookError, strip_edition
from referee.engine.rulings import ContradictoryPosition, MalformedInput
from referee.engine.seats import BYSTANDER
from referee.games.books import check_book_text
from referee.games.here_to_slay import GAME
from referee.games.here_to_slay.components import BOXES, DECK, FACES, LEADERS, MAIN, WHOLE_BOX
from referee.games.here_to_slay.events.cards import CardDrawn
from referee.games.here_to_slay.moves import Modify, PlayCard, RollFor, UseLeader
from referee.games.here_to_slay.state import Table
from tests.games.course import of, refusal, then, when
from tests.games.here_to_slay.booked import FILE, TEXT, forgotten, harbour, of_book
from tests.games.here_to_slay.given import attacked, dice, names, rolled_for, settlements, stands, table
from tests.games.matches import random_match


def build_midway_position(**more: Any) -> dict[str, Any]:
    """A position in the middle of a match, with changes."""
    return {**deepcopy(GAME.positions.build_examples("standard")[0]), **more}


@pytest.fixture
def book() -> CardBook:
    """The expansion, installed."""
    return harbour()


def wrong(text: str) -> list[str]:
    """All that is wrong with a book, by line."""
    with pytest.raises(CardBookError) as misprints:
        check_book_text(text, FILE.name)
    return [f"{each.line}: {each.detail}" for each in misprints.value.problems]


def line_of(text: str, part: str) -> int:
    """The first line of a text that holds this."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


# ---- what a book means -----------------------------------------------------------------------------------------------


def test_an_expansion_adds_its_cards_to_the_printed_ones_and_leaves_these_alone(book: CardBook) -> None:
    printed, box = BOXES["printed"], BOXES[book.edition]
    more = Counter(box.all_cards) - Counter(printed.all_cards)
    named = {strip_edition(card): count for card, count in more.items()}
    assert named == {
        "salty_skipper": 1, "keel_hauler": 1, "lucky_compass": 2, "leaking_boots": 1, "spring_tide": 2, "tail_wind": 3,
        "challenge": 2, "harbour_master": 1, "old_kraken": 1,
    }  # fmt: skip
    assert (sum(WHOLE_BOX.values()), WHOLE_BOX["challenge"], len(FACES)) == (136, 14, 95)
    assert box.leaders.keys() - printed.leaders.keys() == {book.card_id("harbour_master")}
    assert box.monsters.keys() - printed.monsters.keys() == {book.card_id("old_kraken")}
    assert [card["id"] for card in GAME.cards_of_edition("printed")] == [card["id"] for card in GAME.cards]
    assert len(GAME.cards_of_edition(book.edition)) == len(GAME.cards) + 8


@pytest.mark.parametrize(
    ("was", "becomes", "where", "says"),
    [
        ("kind: cursed_item", "kind: cursed_tiem", "", "unknown kind 'cursed_tiem'; did you mean 'cursed_item'?"),
        ("id: salty_skipper", "id: bad_axe", "", "bad_axe is already a printed card"),
        ("id: salty_skipper", "id: hero", "", "hero is a word of the rules and cannot be the id of a card"),
        ("id: challenge", "id: reef_challenge", "", "all challenges are one card; did you mean 'challenge'?"),
        ("  class: thief\n", "", "- id: keel_hauler", "class is missing"),
        ("  roll: {min: 9}", "  rol: {min: 9}", "", "a hero takes no 'rol'; did you mean 'roll'?"),
        ("id: lucky_compass", "id: lucky_compass\n  class: wise", "class: wise", "unknown class 'wise'"),
        ("options: [5, -5]", "options: [5, many]", "", "options must be a list of whole numbers from -9 to 9"),
        ("plus: -3", "plus: minus", "", "plus: 'minus' is not a whole number from -9 to 9"),
        ("{roll: [hero], plus: -3}", "{roll: [heroes], plus: -3}", "", "unknown roll 'heroes'; did you mean 'hero'?"),
        ("cost: 1", "cost: 9", "", "cost: 9 is not a whole number from 1 to 3"),
        ("once: turn", "once: match", "", "unknown once 'match'"),
        ("event: roll_succeeded", "event: roll_suceeded", "", "unknown event 'roll_suceeded'; did you mean"),
        ("may: true", "may: perhaps", "", "may must be true or false"),
        ("slay: {min: 7}", "slay: seven", "", "slay must be a mapping, not 'seven'"),
        ("requires: [hero]", "requires: [heroine]", "", "unknown slot 'heroine'; did you mean 'hero'?"),
        ("  fight_back: {max: 4}\n", "", "- id: old_kraken", "fight_back is missing"),
        ("{do: draw, count: 3}", "{do: draw, count: -3}", "", "draw.count: -3 is out of range; allowed: 1 to 20"),
        ("hero: target}", "hero: tagret}", "", "destroy.hero: unknown name 'tagret'; did you mean 'target'?"),
        ("kind: magic", "kind: magic\n  clauses: [HTS-X-9]", "clauses:", "unknown clause 'HTS-X-9'"),
        ("copies: 3", "copies: 300", "", "copies: 300 is not a whole number from 1 to 20"),
        ("kind: monster", "kind: monster\n  copies: 2", "copies: 2\n  name: {en: Old", "copies: 2 is not a whole"),
    ],
)  # fmt: skip
def test_what_a_card_cannot_say_is_refused_with_its_line(was: str, becomes: str, where: str, says: str) -> None:
    assert was in TEXT
    text = TEXT.replace(was, becomes, 1)
    at = text[: text.index(where or becomes)].count("\n") + 1
    assert any(told.startswith(f"{at}: ") and says in told for told in wrong(text)), wrong(text)


def test_every_misprint_of_a_book_is_told_and_nothing_of_it_is_installed() -> None:
    text = TEXT.replace("harbour_tales", "harbour_drafts").replace("class: thief", "class: theif")
    text = text.replace("{do: draw, count: 2}", "{do: daw, count: 2}").replace("slay: {min: 7}", "slay: {least: 7}")
    text = text.replace("de: Undichte Stiefel}", "nl: Lekke laarzen}")
    before = (GAME.list_editions(), len(BOXES))
    lines = [int(told.partition(":")[0]) for told in wrong(text)]
    meant = [line_of(text, part) for part in ("class: theif", "nl: Lekke", "slay: {least")]
    meant += [number for number, line in enumerate(text.splitlines(), 1) if "{do: daw" in line]
    assert set(lines) == set(meant)
    assert (GAME.list_editions(), len(BOXES)) == before


def test_a_book_that_stands_alone_has_to_have_enough_of_everything() -> None:
    alone = TEXT.replace("extends: printed\n", "")
    assert wrong(alone) == [
        "1: a book that stands alone needs 6 leaders, not 1; 9 monsters, not 1; 60 cards of the main deck, not 12; "
        "did you mean 'extends: printed'?"
    ]


def whole_box() -> str:
    """A book that stands alone: twelve plain heroes, modifiers, magic and challenges, nine monsters, six leaders."""
    classes = ("fighter", "guardian", "ranger", "thief", "wizard", "bard")
    cards = [
        f"- {{id: hero_{at}, kind: hero, class: {classes[at % 6]}, name: H{at}, text: Draws., roll: {{min: 5}}, "
        "does: [{do: draw, count: 1}]}"
        for at in range(24)
    ]
    cards += [
        f"- {{id: plus_{at}, kind: modifier, copies: 6, name: P, text: '+{at}', options: [{at}]}}" for at in (1, 2, 3)
    ]
    cards += ["- {id: gust, kind: magic, copies: 12, name: Gust, text: Draws., does: [{do: draw, count: 2}]}"]
    cards += ["- {id: challenge, kind: challenge, copies: 8, name: Challenge, text: Challenges.}"]
    cards += [
        f"- {{id: monster_{at}, kind: monster, name: M{at}, text: Bites., requires: [hero], slay: {{min: 6}}, "
        "fight_back: {max: 3}, penalty: [{do: sacrifice, who: me}]}"
        for at in range(9)
    ]
    cards += [
        f"- {{id: leader_{at}, kind: leader, class: {classes[at]}, name: L{at}, text: Leads.}}" for at in range(6)
    ]
    return "book: own_box\ngame: here_to_slay\ntitle: Own box\ncards:\n" + "\n".join(cards) + "\n"


def test_a_book_that_stands_alone_is_a_box_of_its_own_and_is_played_to_the_end() -> None:
    book = check_book_text(whole_box())
    GAME.install_card_book(book)
    box = BOXES[book.edition]
    assert not {strip_edition(card) for card in box.all_cards} & (set(WHOLE_BOX) - {"challenge"})
    assert box.main["challenge"] == 8
    last: Any = None
    for turn in random_match("here_to_slay", Setup("standard", 6, edition=book.edition), 2):
        last = turn.after
    assert GAME.find_outcome(last) is not None
    assert Counter(card for cards in last.zones.values() for card in cards) == Counter(box.all_cards)


def test_leaders_for_every_number_of_players_are_needed() -> None:
    few = whole_box().replace("text: Leads.}", "text: Leads., min_players: 3}")
    assert "2 leaders that 2 players may pick from" in wrong(few)[0]


# ---- its cards in play -----------------------------------------------------------------------------------------------


def test_the_steps_and_states_of_a_match_with_a_book_survive_json(book: CardBook) -> None:
    for number, turn in enumerate(random_match("here_to_slay", Setup("standard", 3, edition=book.edition), 11)):
        if number % 20 == 0:
            assert decode(Table, encode(turn.after)) == turn.after
            assert GAME.positions.decode_position(GAME.positions.encode_position(turn.after)) == turn.after
            seen = build_view(turn.after, BYSTANDER)
            assert GAME.positions.decode_position(GAME.positions.encode_position(seen)) == seen


def test_a_hero_of_a_book_does_what_its_text_says_if_it_is_rolled_well(book: CardBook) -> None:
    skipper = book.card_id("salty_skipper")
    state = of_book(book, table([], ["hook"], parties={0: ["bad_axe"]}), **{"party/0": "salty_skipper"})
    events, after = rolled_for(state, skipper, 3, 3)
    assert (len(of(events, CardDrawn)), len(after.cards_in_hand(0))) == (2, 2)
    after = then(after, 0, ChooseCards((after.cards_in_hand(0)[0],)))
    assert len(after.cards_in_hand(0)) == 1
    events, after = rolled_for(state, skipper, 3, 2)
    assert of(events, CardDrawn) == []


def test_items_of_a_book_bear_on_the_hero_that_carries_them_and_on_no_other(book: CardBook) -> None:
    state = table([], [], parties={0: ["bad_axe", "bear_claw"]})
    for item, total in (("lucky_compass", 7), ("leaking_boots", 2)):
        carried = of_book(book, state, **{"under/bad_axe": item})
        assert settlements(rolled_for(carried, "bad_axe", 2, 3)[0])[0][0] == total
        assert settlements(rolled_for(carried, "bear_claw", 2, 3)[0])[0][0] == 5


def test_magic_and_modifiers_of_a_book_are_played_as_printed_ones(book: CardBook) -> None:
    tide, wind = book.card_id("spring_tide"), book.card_id("tail_wind")
    state = of_book(book, table([], []), hand="spring_tide")
    events, after = stands(state, 0, PlayCard(tide))
    assert len(of(events, CardDrawn)) == 3
    assert after.cards_at("discard")[-1] == tide
    state = of_book(book, table([], [], parties={0: ["bad_axe"], 1: ["fluffy"]}), hand="tail_wind")
    state = then(state, 0, RollFor("bad_axe"))
    _, state = dice(state, 1, 2)
    assert refusal(state, 0, Modify(wind, 4, 0)).reason == "no_such_value"
    events, _ = when(state, 0, Modify(wind, 5, 0))
    assert "ModifierPlayed" in names(events)
    assert refusal(table([], []), 0, PlayCard(tide)).reason == "no_such_card"


def test_a_leader_of_a_book_is_offered_and_has_its_action(book: CardBook) -> None:
    master = book.card_id("harbour_master")
    opened: Any = GAME.build_table(Setup("standard", 2, {"leader_choice": "at_once"}, edition=book.edition))
    assert master in opened.cards_at(LEADERS)
    state = table([], [])
    state = of_book(book, replace(state, zones={**state.zones, "leader/0": ()}), **{"leader/0": "harbour_master"})
    events, after = when(state, 0, UseLeader())
    assert (len(of(events, CardDrawn)), after.points) == (2, 2)
    assert not refusal(after, 0, UseLeader()).granted


def test_a_monster_of_a_book_is_slain_fights_back_and_helps_its_slayer(book: CardBook) -> None:
    kraken = book.card_id("old_kraken")
    state = table(["hook", "peanut"], [], parties={0: ["bad_axe"], 1: ["fluffy"]}, row=["orthus", "mega_slime"])
    state = of_book(book, state, row="old_kraken")
    events, after = attacked(state, kraken, 4, 3)
    assert settlements(events)[0][1] == "slay"
    assert after.monsters_slain_by(0) == (kraken,)
    assert len(of(events, CardDrawn)) == 1  # its reward
    events, after = attacked(state, kraken, 2, 2)
    assert settlements(events)[0][1] == "fight_back"
    assert after.cards_in_hand(0) == ()  # the penalty takes both cards
    state = of_book(book, table([], [], parties={0: ["napping_nibbles"]}), **{"slain/0": "old_kraken"})
    _, asked = rolled_for(state, "napping_nibbles", 3, 3)
    events, _ = when(asked, 0, Accept())
    assert len(of(events, CardDrawn)) == 1
    assert of(when(asked, 0, Decline())[0], CardDrawn) == []


def test_a_match_is_played_with_the_cards_of_its_edition_alone(book: CardBook) -> None:
    printed: Any = GAME.build_table(Setup("standard", 4))
    assert not any("@" in card for cards in printed.zones.values() for card in cards)
    assert Counter(printed.cards_at(DECK)) == Counter(MAIN)
    for seed in range(3):
        last: Any = None
        for turn in random_match("here_to_slay", Setup("standard", 4, edition=book.edition), seed):
            last = turn.after
        assert GAME.find_outcome(last) is not None
        assert Counter(card for cards in last.zones.values() for card in cards) == Counter(
            BOXES[book.edition].all_cards
        )


def test_an_edition_that_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch, book: CardBook) -> None:
    forgotten(monkeypatch)
    with pytest.raises(MalformedInput, match="/edition: no such edition"):
        GAME.complete_setup(Setup("standard", 2, edition=book.edition))
    with pytest.raises(MalformedInput, match="/edition: no such edition"):
        GAME.positions.decode_position(build_midway_position(edition=book.edition))
    with pytest.raises(KeyError):
        GAME.cards_of_edition(book.edition)
    assert harbour().edition == book.edition
    assert GAME.complete_setup(Setup("standard", 2, edition=book.edition)).edition == book.edition


# ---- positions -------------------------------------------------------------------------------------------------------


def test_a_position_of_an_edition_may_call_its_cards_plainly_everywhere(book: CardBook) -> None:
    said = build_midway_position(edition=book.edition, row=["old_kraken", "orthus", "mega_slime"], monsters=12, deck=80)
    said["seats"][0] |= {
        "hand": ["spring_tide", "challenge"],
        "party": ["salty_skipper", {"hero": "bad_axe", "item": "lucky_compass"}],
    }
    said["marked"] = ["salty_skipper"]
    said["question"] = {"asks": "choose", "card": "keel_hauler", "known": {"target": ["fluffy"]}}
    state = GAME.positions.decode_position(said)
    assert isinstance(state, Table)
    assert state.cards_in_hand(0) == (book.card_id("spring_tide"), "challenge")
    assert state.item_of("bad_axe") == book.card_id("lucky_compass")
    assert state.rolled == (book.card_id("salty_skipper"),)
    assert state.agenda[-2].card == book.card_id("keel_hauler")  # type: ignore[attr-defined]
    written = GAME.positions.encode_position(state)
    assert written["edition"] == book.edition
    assert GAME.positions.decode_position(written) == state
    del said["edition"]
    with pytest.raises(MalformedInput, match="unknown value 'spring_tide'"):
        GAME.positions.decode_position(said)


def test_the_census_of_an_edition_counts_its_copies(book: CardBook) -> None:
    many = build_midway_position(edition=book.edition, discard={"cards": ["lucky_compass"] * 3, "more": True})
    with pytest.raises(ContradictoryPosition, match="Lucky Compass"):
        GAME.positions.decode_position(many)
    assert [each["copies"] for each in GAME.positions.check_census(many)["contradictions"]] == [2]
    assert GAME.positions.check_census(
        build_midway_position(edition=book.edition, discard=["lucky_compass"] * 2, deck=80, monsters=12)
    )["possible"]


def test_the_form_of_an_edition_has_its_cards_in_their_places(book: CardBook) -> None:
    form = GAME.positions.build_schema("standard", book.edition)
    own = GAME.positions.build_schema("standard", "printed")
    assert own == GAME.positions.build_schema("standard")
    kraken, skipper = book.card_id("old_kraken"), book.card_id("salty_skipper")
    assert kraken in str(form["properties"]["monsters"])
    assert kraken not in str(form["properties"]["deck"])
    assert skipper in str(form["properties"]["marked"])
    assert skipper in str(form["properties"]["deck"])
    assert "@" not in str(own)
