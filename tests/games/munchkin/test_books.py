"""An expansion of Munchkin: shuffled in, dealt, played to the end, named at real tables, counted, and written down."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from referee.engine.codec import decode, encode
from referee.engine.game import Setup
from referee.engine.referee import build_view, find_legal_moves, judge_move
from referee.engine.rulings import MalformedInput
from referee.engine.seats import Seat
from referee.games.munchkin import GAME
from referee.games.munchkin.card_attributes import KINDS
from referee.games.munchkin.components import BOXES, FACES, HANDS, PLAYS, PRINTED, Rules
from referee.games.munchkin.components import EDITION as OWN
from referee.games.munchkin.moves import PutIntoPlay
from referee.games.munchkin.state import Table
from tests.games.matches import random_match
from tests.games.munchkin import given
from tests.games.munchkin.expansion import BOOK, EDITION, called
from tests.games.munchkin.written import build_midway_position

BOX = BOXES[EDITION].whole
FAIR = {"rules": {"edition": EDITION}}


def lying(state: Table) -> Counter[str]:
    """Every card of a table."""
    return Counter(card for cards in state.zones.values() for card in cards)


def setup(seats: int, source: str, *named: int, most: int = 30) -> Setup:
    """A match with the expansion."""
    return GAME.complete_setup(
        Setup("standard", seats, {"max_turns": most}, dict.fromkeys(GAME.devices, source), named, EDITION)
    )


# ---- the book ------------------------------------------------------------------------------------------------------


def test_the_cards_of_an_expansion_come_to_those_of_the_box() -> None:
    added = {card: count for card, count in BOX.items() if card not in PRINTED.whole}
    assert EDITION in GAME.list_editions()
    assert sum(added.values()) == 19
    assert {card.partition("@")[2] for card in added} == {BOOK.hash[:8]}
    assert {card: BOX[card] for card in PRINTED.whole} == PRINTED.whole
    assert [card["id"] for card in GAME.cards_of_edition(EDITION)] == list(BOX)
    assert GAME.cards_of_edition(OWN) == GAME.cards == GAME.cards_of_edition("")
    assert sum(PRINTED.whole.values()) == 168


def test_the_expansion_has_cards_of_nearly_every_kind() -> None:
    kinds = {FACES[card].kind for card in called(*(entry["id"] for entry in BOOK.entries))}
    assert set(KINDS) - kinds == {"wandering_monster", "dual_citizenship", "ride_enhancer"}


def test_a_match_is_opened_with_the_cards_of_its_edition_and_no_others() -> None:
    assert lying(GAME.build_table(setup(3, "server"))) == Counter(BOX)
    assert lying(GAME.build_table(GAME.complete_setup(Setup("standard", 3)))) == Counter(PRINTED.whole)
    assert sum(lying(GAME.build_table(setup(4, "table"))).values()) == sum(BOX.values())
    with pytest.raises(MalformedInput) as error:
        GAME.complete_setup(Setup("standard", 3, edition="autumn_fair@00000000"))
    assert error.value.errors == [{"pointer": "/edition", "detail": "no such edition"}]


def test_a_table_that_was_recorded_before_there_were_books_is_played_with_the_cards_of_the_box() -> None:
    state = GAME.build_table(GAME.complete_setup(Setup("standard", 3)))
    data = encode(state)
    del data["rules"]["edition"]
    assert decode(Table, data) == state
    assert Rules().edition == OWN == GAME.edition


# ---- whole matches -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "source", "least"), [(3, "server", 14), (6, "server", 14), (4, "table", 3)])
def test_a_random_match_with_the_expansion_ends_and_every_table_of_it_can_be(
    seats: int, source: str, least: int
) -> None:
    seen: set[str] = set()
    for number, turn in enumerate(random_match("munchkin", setup(seats, source), 1)):
        after = turn.after
        seen |= {card for cards in after.zones.values() for card in cards if "@" in card}
        assert sum(lying(after).values()) == sum(BOX.values())
        assert decode(Table, encode(after)) == after
        for event in turn.events:
            told = GAME.narration.describe_event(event)
            assert told is None or "@" not in told["en"] + told["de"]
        if number % 10 == 0:
            assert GAME.positions.decode_position(GAME.positions.encode_position(after)) == after
            assert GAME.positions.check_census(GAME.positions.encode_position(after))["possible"]
            for seat in range(seats):
                shown = build_view(after, Seat(seat))
                assert GAME.positions.decode_position(GAME.positions.encode_position(shown)) == shown
    assert GAME.find_outcome(after) is not None
    assert len(seen) >= least


def test_a_random_match_with_the_expansion_and_a_bot_at_a_real_table_ends() -> None:
    named: set[str] = set()
    for turn in random_match("munchkin", setup(3, "table", 1), 2):
        named |= {card for card in turn.after.cards_in_hand(1) if "@" in card}
    assert GAME.find_outcome(turn.after) is not None
    assert named


def test_greedy_bots_value_the_cards_of_an_expansion() -> None:
    for turn in random_match("munchkin", setup(3, "server", most=12), 3):
        for seat in range(3):
            shown = build_view(turn.after, Seat(seat))
            GAME.evaluation.evaluate_state(shown, seat)
            for move in list(find_legal_moves(turn.after, Seat(seat)))[:20]:
                GAME.evaluation.expected_gain(shown, seat, move)


def test_in_another_world_cards_of_the_expansion_may_lie_where_others_lay() -> None:
    chance, moved = random.Random(1), 0
    for number, turn in enumerate(random_match("munchkin", setup(3, "server", most=12), 4)):
        if number % 20 == 0:
            other = GAME.tracking.determinize(turn.after, 0, chance.randrange)
            assert build_view(other, Seat(0)) == build_view(turn.after, Seat(0))
            assert lying(other) == Counter(BOX)
            moved += sum("@" in card for card in other.cards_in_hand(1))
    assert moved


# ---- naming at a real table ------------------------------------------------------------------------------------------


@pytest.mark.clause("KERNEL-CENSUS-1", "MK-2.1")
def test_a_hand_that_nobody_has_seen_can_give_cards_of_the_edition_only() -> None:
    (hat,) = called("lantern_hat")
    for edition, granted in ((EDITION, True), (OWN, False)):
        state = given.with_real_cards(given.table((), (), (), fresh={0: ["?"]}, rules={"edition": edition}))
        decks = {place: cards[2:] for place, cards in state.zones.items() if place.endswith("s:")}
        state = given.replace_fields(state, zones={**state.zones, **decks, HANDS[0]: ("?",) * 4})
        ruling = judge_move(state, Seat(0), PutIntoPlay(hat))
        assert (ruling.granted, ruling.reason) == (granted, "granted" if granted else "no_such_card")


@pytest.mark.clause("KERNEL-CENSUS-1")
def test_a_card_of_the_expansion_that_lies_open_is_not_named_again() -> None:
    (hat,) = called("lantern_hat")
    state = given.with_real_cards(given.table((), (), (), items={1: [hat]}, **FAIR))
    decks = {place: cards[2:] for place, cards in state.zones.items() if place.endswith("s:")}
    state = given.replace_fields(state, zones={**state.zones, **decks, HANDS[0]: ("?",) * 4})
    assert given.refused(state, 0, PutIntoPlay(hat))[0] == "not_in_the_hand"


# ---- positions and the census --------------------------------------------------------------------------------------


def at_the_fair(**more: Any) -> dict[str, Any]:
    """A position with the expansion."""
    return {"edition": EDITION, **build_midway_position({"hand": ["toffee_apple", "first_prize"]}, {}, {}), **more}


def test_a_position_of_an_edition_calls_its_cards_as_their_book_does_or_in_full() -> None:
    plainly = at_the_fair()
    plainly["seats"][1] |= {"items": ["corn_rake", "loose_stitches"], "attached": {"corn_rake": "loose_stitches"}}
    in_full = json.loads(json.dumps(plainly))
    (apple, prize, rake) = called("toffee_apple", "first_prize", "corn_rake")
    in_full["seats"][0]["hand"] = [apple, prize]
    in_full["seats"][1] |= {"items": [rake, "loose_stitches"], "attached": {rake: "loose_stitches"}}
    state = GAME.positions.decode_position(plainly)
    assert state == GAME.positions.decode_position(in_full)
    assert (state.cards_in_hand(0), state.cards_at(PLAYS[1])) == ((apple, prize), (rake, "loose_stitches"))
    assert GAME.positions.encode_position(state)["edition"] == EDITION
    assert "edition" not in GAME.positions.encode_position(
        GAME.positions.decode_position(build_midway_position({}, {}, {}))
    )


def test_a_combat_of_an_edition_is_read_with_plain_names_too() -> None:
    said = at_the_fair(
        combat={
            "main": 0,
            "monsters": [{"monster": "candle_thief", "enhancers": ["on_stilts"]}],
            "added": [{"card": "market_citizen", "side": "munchkins", "count": 2}],
            "used": [{"power": "hard_sell", "seat": 0}],
        }
    )
    state = GAME.positions.decode_position(said)
    thief, stilts, citizen, power = called("candle_thief", "on_stilts", "market_citizen", "hard_sell")
    assert (state.running_combat.foes[0].of, state.running_combat.foes[0].enhancers) == (thief, (stilts,))
    assert (state.running_combat.added[0].card, state.running_combat.used) == (citizen, (f"{power}/0",))
    assert GAME.positions.decode_position(GAME.positions.encode_position(state)) == state


@pytest.mark.parametrize(
    ("said", "pointer", "detail"),
    [
        ({"edition": "autumn_fiar"}, "/edition", f"no such edition; did you mean {EDITION}?"),
        ({"edition": 5}, "/edition", "no such edition"),
        ({"edition": OWN}, "/seats/0/hand/0", "unknown value 'toffee_apple'"),
    ],
)
def test_a_position_cannot_name_other_editions_nor_their_cards(said: Any, pointer: str, detail: str) -> None:
    with pytest.raises(MalformedInput) as error:
        GAME.positions.decode_position(at_the_fair(**said))
    assert error.value.errors[0]["pointer"] == pointer
    assert error.value.errors[0]["detail"].startswith(detail)


def test_the_form_of_a_position_names_the_cards_of_its_edition() -> None:
    own, fair = (json.dumps(GAME.positions.build_schema("standard", edition)) for edition in (OWN, EDITION))
    assert json.dumps(GAME.positions.build_schema("standard")) == own
    assert [called("hay_wagon")[0] in form for form in (own, fair)] == [False, True]


@pytest.mark.clause("MK-1.2", "MK-2.1")
def test_the_census_counts_the_cards_of_the_edition() -> None:
    apple, name = called("toffee_apple")[0], "toffee_apple"
    assert GAME.positions.check_census(at_the_fair(treasure_discard=[name]))["possible"]
    found = GAME.positions.check_census(at_the_fair(treasure_discard=[name, name]))["contradictions"]
    assert [(each["card"], each["counted"], each["copies"]) for each in found] == [(apple, 3, 2)]
    assert "Kandierter Apfel" in found[0]["says"]["de"]
    own, fair = (sum(BOXES[edition].decks["door"].values()) for edition in (OWN, EDITION))
    assert GAME.positions.check_census(at_the_fair(doors=own + 1))["possible"]
    for position, copies in ((build_midway_position({}, {}, {}, doors=own), own), (at_the_fair(doors=fair), fair)):
        found = GAME.positions.check_census({**position, "pending": ["wolfman"]})["contradictions"]
        assert [each["copies"] for each in found] == [copies]
