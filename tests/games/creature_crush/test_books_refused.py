"""What a book of Creature Crush cannot say: refused when it is checked, with its line and what was probably meant."""

from __future__ import annotations

import pytest

from referee.engine.rulebook.editions import CardBookError
from referee.games.books import check_book_text
from tests.games.creature_crush.test_guide import MISTAKES

HEAD = "book: tide_pools\ngame: creature_crush\ntitle: Pools\nextends: printed\ncards:\n"
NUMBERS = {"creature": ("cost: 3", "attack: 1", "life: 2"), "crush": ("cost: 1",)}
TARGET = "{do: choose, creature: {of: enemy}, called: target}"
REPEATED = "{{do: repeat, times: 40, lines: [{}]}}"
BURIED = "{do: choose, hell_card: {}, called: buried}"


def misprints(text: str) -> list[str]:
    """All that is wrong with a book, line by line."""
    with pytest.raises(CardBookError) as error:
        check_book_text(text, "tide_pools.yaml")
    return str(error.value).splitlines()


def wrong(kind: str, *lines: str) -> list[str]:
    """What is wrong with a card of this kind, whose cost is in line 8: `lines` take the place of those with their keys,
    or come after them; the first after those of a creature is line 13, after that of a crush card 11."""
    said = {line.partition(":")[0]: line for line in NUMBERS[kind]}
    said |= {"name": "name: Newcomer", "text": "text: It comes."}
    said |= {line.partition(":")[0]: line for line in lines}
    card = "- id: newcomer\n  kind: " + kind + "\n" + "".join(f"  {line}\n" for line in said.values())
    return misprints(HEAD + card)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("cost: 0", "8: the cost of a creature is 1 to 30 pips, not 0"),
        ("cost: X", "8: the cost of a creature is 1 to 30 pips, not 'X'; only a crush card costs X"),
        ('attack: "2"', "9: attack must be a whole number from 0 to 99, not '2'"),
        ("life: 0", "10: life must be a whole number from 1 to 99, not 0"),
        ("text:", "12: text is missing"),
        ("copies: 2", "13: this game has only one copy of each card"),
        ("atacks: []", "13: a card of kind creature takes no 'atacks'; did you mean 'attacks'?"),
        ("actions: []", "13: a card of kind creature takes no 'actions'; did you mean 'action'?"),
        ("flip: [{do: draw, count: 1}]", "13: a card of kind creature takes no 'flip'; a card of kind crush does"),
        ("keywords: lively", "13: keywords must be a list, such as [lively], not 'lively'"),
        ("keywords: [livly]", "13: unknown keyword 'livly'; did you mean 'lively'?"),
        ("keywords: [[lively]]", "13: unknown keyword \"['lively']\"; did you mean 'lively'?"),
        ("keywords: [lively, lively]", "13: lively appears twice"),
        (
            "standing: {attack: 1}",
            "13: standing must be a list, such as [{attack: 1, to: adjacent}], not {'attack': 1}",
        ),
        ("standing: 1", "13: standing must be a list, such as [{attack: 1, to: adjacent}], not 1"),
        (
            "standing: [lively]",
            "13: a standing value must be a mapping such as {attack: 1, to: adjacent}, not 'lively'",
        ),
        ("standing: [{to: me, atack: 1}]", "13: unknown standing value 'atack'; did you mean 'attack'?"),
        ("standing: [{attack: 0}]", "13: attack must be a whole number up to 99, not 0"),
        ("standing: [{lively: 1}]", "13: lively must be true, not 1"),
        (
            "standing: [{attack: 1, armor: 1}]",
            "13: attack and armor are two standing values; each needs its own {…}",
        ),
        ("standing: [{attack: 1, to: adjacnt}]", "13: unknown receivers 'adjacnt'; did you mean 'adjacent'?"),
        ("standing: [{attack: 1, when: {zone: A}}]", "13: attack takes no 'when'; known: if, to"),
        ("standing: [{attack: 1, if: {zone: C}}]", "13: zone: 'C' is none of A, B"),
        ("standing: [{attack: 1, if: {hand_mni: 1}}]", "13: unknown condition 'hand_mni'; did you mean 'hand_min'?"),
        (
            "standing: [{attack: 1, if: {hand_min: 3}}]",
            "13: hand_min takes a player and a number, {of: me, count: 3}, not 3",
        ),
        (
            "standing: [{attack: 1, if: {cost_min: {of: attacker, count: 2}}}]",
            "13: unknown name 'attacker': no names can be used here",
        ),
        ("clauses: CC-CARD-1", "13: clauses must be a list, such as [CC-CARD-1], not 'CC-CARD-1'"),
        ("clauses: [CC-CARD-99]", "13: unknown clause 'CC-CARD-99'"),
        ("action: {do: draw, count: 1}", "13: a text must be a list of lines"),
        ("action: []", "13: action has no lines; leave it out if nothing happens"),
        ("action: [{do: darw, count: 1}]", "13: unknown verb 'darw'; did you mean 'draw'?"),
        ("action: [{do: draw}]", "13: draw needs 'count'"),
        (
            "action: [{do: draw, count: two}]",
            "13: 'two' is not an amount: a number, all, {x: 1, plus: 1} or a measure, "
            "{attack_of: name, times: 2, plus: 1}",
        ),
        ("action: [{do: draw, count: {x: 1}}]", "13: draw: x is the dice burned for a crush card; a creature has none"),
        (f"action: [{TARGET}, {{do: destroy, what: targt}}]", "13: destroy.what: unknown name 'targt'; did you"),
        (f"action: [{TARGET}]", "13: the name 'target' is never used"),
        (
            "action: [{do: damage, creature: attacker, points: 1}]",
            "13: damage.creature: unknown name 'attacker'; known: me, opponent, this",
        ),
        (
            f"action: [{BURIED}, {{do: damage, creature: buried, points: 1}}]",
            "13: damage.creature: 'buried' stands for cards in your own hell, not for creatures",
        ),
        (
            f"action: [{TARGET}, {{do: recover, card: target}}]",
            "13: recover.card: 'target' stands for creatures, not for cards in your own hell",
        ),
        (
            f"action: [{TARGET}, {{do: for_each, in: target, called: one, lines: [{{do: revive, card: one}}]}}]",
            "13: revive.card: 'one' stands for creatures, not for cards in your own hell",
        ),
        ("action: [{do: destroy, what: me}]", "13: destroy.what: 'me' stands for no card, not for creatures or crush"),
        ("trap: [{do: cancel_effect, card: this}]", "13: cancel_effect.card: 'this' stands for cards in your own hell"),
        ("action: [{do: mill, who: x, count: 1}]", "13: mill.who: unknown player 'x'; known: me, opponent"),
        ("action: [{do: discard, who: both, count: 1}]", "13: discard.who: unknown player 'both'; known: me"),
        ("action: [{do: discard, who: others, count: 1}]", "13: discard.who: unknown player 'others'; known: me"),
        (
            "action: [{do: choose, field_card: {of: enemy}, called: it}, {do: send_back, creature: it}]",
            "13: send_back.creature: 'it' stands for creatures and crush cards on the field, not only for creatures",
        ),
        ("action: [{do: mill, who: {any: true}, count: 1}]", "13: mill.who: unknown player"),
        ("action: [{do: search, count: 0}]", "13: search needs a count of 1 or more"),
        ("action: [{do: search, kind: monster}]", "13: search.kind: unknown 'monster'; known: creature, crush"),
        (
            "action: [{do: strengthen, creature: this}]",
            "13: strengthen needs either 'attack', 'armor', 'life', 'shield', 'growth', 'spared', 'cannot', 'keyword'",
        ),
        (
            "action: [{do: check, that: {cost_min: {of: foe, count: 3}}, called: it}, {do: draw, count: 1, if: it}]",
            "13: unknown name 'foe'; known: it, me, opponent, this",
        ),
    ],
)
def test_a_creature_is_refused_with_line_and_reason(line: str, says: str) -> None:
    (told,) = wrong("creature", line)
    assert told.startswith(f"tide_pools.yaml:{says}")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ((), "6: flip is missing"),
        (("cost: 5",), "8: the cost of a crush card is X or 0 to 4 dice, not 5"),
        (("cost: x",), "8: the cost of a crush card is X or 0 to 4 dice, not 'x'; did you mean 'X'?"),
        (("attack: 1",), "11: a card of kind crush takes no 'attack'; a card of kind creature does"),
        (
            ("flips_when: enemy_attacks",),
            "11: flips_when must be a mapping with 'event' or 'that', not 'enemy_attacks'",
        ),
        (("flips_when: {}",), "11: flips_when must be a mapping with 'event' or 'that', not {}"),
        (("flips_when:",), "11: flips_when must be a mapping with 'event' or 'that', not None"),
        (("flips_when: {evnt: x}",), "11: flips_when takes no 'evnt'; did you mean 'event'?"),
        (("flips_when: {event: enemy_atacks}",), "11: unknown event 'enemy_atacks'; did you mean 'enemy_attacks'?"),
        (("flips_when: {event: [enemy_attacks]}",), "11: unknown event \"['enemy_attacks']\"; did you mean"),
        (("flips_when: {that: {zone: A}}",), "11: a crush card lies in neither zone, so 'zone' never holds for it"),
        (
            ("flips_when: {event: enemy_attacks, that: {cost_min: {of: victim, count: 2}}}",),
            "11: unknown name 'victim'; known: attacker, defender",
        ),
        (("flip: [{do: recover, card: this}]",), "11: recover.card: 'this' stands for a flipped card, not for cards"),
        (
            ("flip: [{do: all, creature: {of: ally, adjacent: true}, called: near}, {do: ready, creature: near}]",),
            "11: all: nothing is adjacent to a crush card",
        ),
        (
            ("flip: [{do: check, that: {not: {zone: A}}, called: it}, {do: draw, count: 1, if: it}]",),
            "11: check: a crush card lies in neither zone",
        ),
    ],
)
def test_a_crush_card_is_refused_with_line_and_reason(lines: tuple[str, ...], says: str) -> None:
    flip = () if not lines or lines[0].startswith("flip:") else ("flip: [{do: draw, count: 1}]",)
    told = wrong("crush", *lines, *flip)
    assert [each for each in told if each.startswith(f"tide_pools.yaml:{says}")], told
    assert len(told) == 1


def test_all_mistakes_of_a_card_are_told_at_once() -> None:
    told = wrong("creature", "cost: X", "life: 0", "keywords: [livly]", "action: [{do: darw}]", "trap: [{do: darw}]")
    assert [int(each.split(":")[1]) for each in sorted(told)] == [10, 13, 14, 15, 8]


def test_a_name_that_is_not_known_is_told_of_x_on_a_crush_card_only() -> None:
    crush = wrong("crush", "flip: [{do: destroy, what: foe}]")
    assert crush == ["tide_pools.yaml:11: destroy.what: unknown name 'foe'; known: me, opponent, this, x"]
    creature = wrong("creature", "action: [{do: destroy, what: foe}]")
    assert creature == ["tide_pools.yaml:13: destroy.what: unknown name 'foe'; known: me, opponent, this"]


def test_an_amount_below_nothing_is_refused_with_what_its_numbers_may_be() -> None:
    (told,) = wrong("crush", "flip: [{do: mill, who: opponent, count: {x: 1, plus: -1}}]")
    assert told == (
        "tide_pools.yaml:11: {'x': 1, 'plus': -1} is not an amount: a number, all, {x: 1, plus: 1} or "
        "a measure, {attack_of: name, times: 2, plus: 1}, of attack_of, damage_of, life_of, cost_of, growth_of, "
        "number_of, pips_of, hand_of, deck_of, hell_of, creatures_of, dice_of; numbers are 0 to 99"
    )


@pytest.mark.parametrize("game", ["creature_crush", "here_to_slay", "munchkin"])
def test_a_card_without_a_kind_is_told_that_it_is_missing(game: str) -> None:
    told = misprints(HEAD.replace("creature_crush", game) + "- {id: own, name: A, text: B}\n")
    assert [each for each in told if each.startswith("tide_pools.yaml:6: kind is missing; known: ")], told


def test_a_card_of_no_kind_and_one_of_the_game_are_refused() -> None:
    assert misprints(HEAD + "- {id: own, kind: monster, name: A, text: B}\n") == [
        "tide_pools.yaml:6: unknown kind 'monster'; known: creature, crush"
    ]
    card = "- {id: hex_toad, kind: creature, cost: 1, attack: 1, life: 1, name: A, text: B}\n"
    assert misprints(HEAD + card) == ["tide_pools.yaml:6: hex_toad is already a card of the game"]
    assert misprints(HEAD.replace("extends: printed\n", "") + card) == [
        "tide_pools.yaml:1: a book that stands alone needs 46 cards, and this one has 1;"
        " did you mean 'extends: printed'?"
    ]


def test_the_mistakes_of_the_guide_are_told_as_it_says() -> None:
    told = [
        *wrong("creature", "cost: X"),
        *wrong("creature", "flip: [{do: draw, count: 1}]"),
        *wrong("creature", f"action: [{BURIED}, {{do: damage, creature: buried, points: 1}}]"),
        *wrong("creature", "action: [{do: draw, count: {x: 1}}]"),
        *wrong("creature", "standing: {attack: 1}"),
    ]
    assert told == MISTAKES.splitlines()


@pytest.mark.parametrize("name", ["printed", "original", "second"])
def test_a_book_cannot_have_the_name_of_an_edition_of_ours(name: str) -> None:
    assert "is the name of an edition of ours" in misprints(HEAD.replace("tide_pools", name) + "- id: x")[0]


@pytest.mark.parametrize(
    "lines",
    [
        REPEATED.format(REPEATED.format("{do: draw, count: 1}")),
        REPEATED.format("{do: for_each, creature: {of: enemy}, called: it, lines: [{do: draw, count: 1}]}"),
        "{do: for_each, creature: {of: enemy}, called: a, "
        "lines: [{do: for_each, creature: {of: enemy}, called: b, lines: ["
        + REPEATED.format("{do: draw, count: 1}")
        + "]}]}",
    ],
)
def test_repeated_lines_hold_no_loop_that_would_never_end(lines: str) -> None:
    assert any("can hold no further loops" in each for each in wrong("creature", f"action: [{lines}]"))
