"""The row of the running combat, and the shapes of its parts and of trades."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.engine.positions.rows import Field, Group, Position, Zone, usual_field
from referee.engine.positions.schema import describe_schema
from referee.engine.positions.shapes import (
    FLAG,
    Member,
    Shape,
    choice_shape,
    list_shape,
    members_schema,
    number_shape,
    optional_shape,
    record_shape,
    short_record_shape,
)
from referee.engine.zones import Cards
from referee.games.munchkin.components import COMBAT, FACES
from referee.games.munchkin.positions.cards import MAX_LISTED, NAME, SEAT, CardShapes
from referee.games.munchkin.state import Table
from referee.games.munchkin.values import (
    COMBAT_END,
    LASTING_WORDS,
    NOBODY,
    OWN_NEXT_TURN,
    TURN_END,
    AddedStrength,
    Combat,
    Deal,
    Foe,
    LastingValue,
    Trade,
)


def build_trade_shape(cards: CardShapes) -> Shape:
    """Return the shape of an open offer to trade."""
    items = cards.list_shape("item", "one_shot")
    return record_shape(
        Trade,
        Member("by", SEAT, "The player who offers it.", needed=True),
        Member("to", SEAT, "The player to whom it is offered.", needed=True),
        Member("give", items, "The items given; none if left out.", usual=()),
        Member("take", items, "The items wanted in return; none if left out.", usual=()),
        says="An open offer to trade.",
    )


def build_lasting_shape(cards: CardShapes) -> Shape:
    """Return the shape of what a text gives a player for a while."""
    return record_shape(
        LastingValue,
        Member("card", cards.any, "The card it comes from.", needed=True),
        Member("seat", SEAT, "The player whom it concerns.", needed=True),
        Member("what", choice_shape(*LASTING_WORDS), "What it gives, or keeps the player from.", needed=True),
        Member("until", choice_shape(COMBAT_END, TURN_END, OWN_NEXT_TURN), "When it ends.", needed=True),
        Member("by", SEAT, "The player whose text it was; next_turn is that player's.", needed=True),
        Member("value", number_shape(-1000, 1000), "The number that it gives; 0 if left out.", usual=0),
        says="What a text gives a player for a while, or keeps the player from.",
    )


def build_deal_shape(cards: CardShapes) -> Shape:
    """Return the shape of what the main player gives for help."""

    def build_deal(treasures: Any = 0, **others: Any) -> Deal:
        is_all = treasures == "all"
        return Deal(0 if is_all else treasures, is_all, **others)

    number = Shape({"anyOf": [number_shape(0, MAX_LISTED).schema, {"const": "all"}]})
    picks = list_shape(choice_shape("main", "helper"), 0, MAX_LISTED)
    picking = "The order of picking; if left out, the main player and the helper take turns."
    items, plays = cards.list_shape("item", "one_shot"), cards.list_shape("go_up_a_level")
    deal = record_shape(
        build_deal,
        Member("treasures", number, "The number of treasures that the helper gets.", usual=0),
        Member("picks", picks, picking, usual=()),
        Member("items", items, "Items of the main player that the helper gets.", usual=()),
        Member("plays", plays, "Cards that the main player will play on the helper.", usual=()),
        Member("note", NAME, "A note that is not binding.", usual=""),
        says="What the main player gives for help; what is left out is not promised.",
    )
    return replace(deal, write=lambda made: deal.write(made) | ({"treasures": "all"} if made.all_of_them else {}))


def build_terms_shape(deal: Shape) -> Shape:
    """Return the shape of terms of help."""
    return record_shape(
        dict,
        Member("by", SEAT, "The player who proposed them; if left out, the main player."),
        Member("asked", SEAT, "The player who has to answer them.", needed=True),
        Member("deal", deal, needed=True),
    )


def build_foe_shape(cards: CardShapes) -> Shape:
    """Return the shape of a monster: its name, or an object with its enhancers."""
    foe = short_record_shape(
        lambda monster, enhancers=(), twin_by="": Foe(twin_by or monster, monster, enhancers),
        Member("monster", cards.choice_shape("monster"), "The monster.", needed=True),
        Member("enhancers", cards.list_shape("enhancer"), "The enhancers on it; none if left out.", usual=()),
        Member("twin_by", cards.choice_shape("door_special"), "The card that stands for this monster, if it is a twin.",
               usual=lambda said: said["monster"]),
        says="A monster, the enhancers on it, and the card that makes it a twin.",
    )  # fmt: skip
    says = "A monster in the combat: just its name, or an object with its enhancers."
    return Shape(
        describe_schema(says, foe.schema),
        foe.read,
        lambda there: foe.write({"monster": there.of, "enhancers": there.enhancers, "twin_by": there.card}),
    )


def is_one_shot(card: str) -> bool:
    """Return whether a card counts as a one-shot that was played for a side."""
    return FACES[card].kind == "one_shot"


def build_added_shape(cards: CardShapes) -> Shape:
    """Return the shape of something that counts for one side."""
    added = record_shape(
        AddedStrength,
        Member("card", cards.any, "The card, or the citizenship whose power it was.", needed=True),
        Member("seat", SEAT, "The player who played it; if left out, the main player."),
        Member("side", choice_shape("munchkins", "monsters"), "The side for which it counts.", needed=True),
        Member("count", number_shape(-100, 100), "The strength that it adds.", needed=True),
        Member("one_shot", FLAG, "Whether it is a one-shot; if left out, as its card says.",
               usual=lambda each: is_one_shot(each.card)),
        says="Something that counts for one side in this combat.",
    )  # fmt: skip

    def read(written: dict[str, Any], combat: Position) -> Any:
        usual = {"seat": combat["main"], "one_shot": is_one_shot(written["card"])}
        return added.read({**usual, **written}, combat)

    return replace(added, read=read)


def build_pair_shape(says: str, *members: Member) -> Shape:
    """Return the shape of values that the table keeps as one text, with slashes."""

    def read(written: dict[str, Any], _position: Position) -> str:
        return "/".join(str(written[member.name]) for member in members)

    def write(pair: str) -> dict[str, Any]:
        parts = zip(members, pair.split("/"), strict=True)
        return {member.name: int(part) if member.shape is SEAT else part for member, part in parts}

    return Shape(members_schema(says, members), read, write)


def collect_combat_cards(foes: tuple[Foe, ...], added: tuple[AddedStrength, ...]) -> Cards:
    """Return the cards that a combat mentions: monsters, enhancers, cards for a side."""
    cards = [foe.card for foe in foes]
    cards += [card for foe in foes for card in foe.enhancers]
    cards += [each.card for each in added if FACES[each.card].kind != "citizenship"]
    return tuple(dict.fromkeys(cards))


def find_terms(table: Table) -> dict[str, Any] | None:
    """Return the terms of help that a player still has to answer, or None."""
    combat = table.running_combat
    if combat.offer is None:
        return None
    return {"by": combat.offered_by, "asked": combat.asked, "deal": combat.offer}


def build_combat(said: Position, found: dict[str, Any]) -> Combat:
    """Return the combat that a position describes, from the attributes found in it."""
    terms = said["terms"]
    if terms is None:
        return Combat(**found)
    return Combat(**found, asked=terms["asked"], offered_by=terms.get("by", said["main"]), offer=terms["deal"])


def build_combat_row(cards: CardShapes) -> Group:
    """Return the row of the running combat."""
    deal, seats = build_deal_shape(cards), list_shape(SEAT)
    fields = (
        Field(
            "main", SEAT, "combat.main", lambda p: p.whole["turn"], "The main player; if left out, the active player.",
            assumed=True
        ),
        usual_field(
            "helper", optional_shape(SEAT), "combat.helper", NOBODY, "The helper; null or left out: nobody.",
            assumed=False,
        ),
        usual_field(
            "drafted", FLAG, "combat.forced", False, "Whether the helper was forced to help; false if left out.",
        ),
        Field("deal", deal, "combat.deal", None, ""),
        Field("monsters", list_shape(build_foe_shape(cards), 0, MAX_LISTED), "combat.foes", None,
              "The monsters, in the order in which they joined.", needed=True),
        usual_field("added", list_shape(build_added_shape(cards), 0, MAX_LISTED), "combat.added", (),
                    "What was played or used for one side; nothing if left out."),
        Field(
            "terms", build_terms_shape(deal), find_terms, None, "Terms of help that a player still has to answer.",
            assumed=True,
        ),
        usual_field("declined", seats, "combat.declined", (),
                    "The seats that have declined since the combat last changed; the main player's: it withdrew its "
                    "request for help. None if left out."),
        usual_field("proposals", number_shape(0, MAX_LISTED), "combat.proposals", 0,
                    "How often terms of help were named since the combat last changed, where talks are limited "
                    "(MK-13.2); never if left out."),
        Field(
            "used", list_shape(build_pair_shape(
                "A power used.",
                Member("power", choice_shape(*cards.list_powers()), "The name of the power.", needed=True),
                Member("seat", SEAT, "The player who used it.", needed=True),
            ), 0, MAX_LISTED), "combat.used", (),
            "The powers of citizenships used in this combat; none if left out.", usual=(),
        ),
        usual_field("removed", number_shape(0, MAX_LISTED), "combat.removed", 0,
                    "The number of monsters removed without a kill; 0 if left out."),
        usual_field("helper_first_wanted", list_shape(SEAT, 0, 2), "combat.swap_wanted", (),
                    "The fighters who want the helper to run first; neither if left out."),
        Field("helper_first", FLAG, "combat.helper_first", lambda p: len(p["helper_first_wanted"]) > 1,
              "Whether the helper runs first; if left out, true if both want it.",
              usual=lambda table: len(table.combat.swap_wanted) > 1),
        usual_field(
            "to_flee", list_shape(build_pair_shape(
                "A roll that is still due.",
                Member("seat", SEAT, "The fighter.", needed=True),
                Member("monster", cards.any, "The monster to escape.", needed=True),
            ), 0, 2 * MAX_LISTED), "combat.to_flee", (),
            "The monsters that each fighter still has to escape; none if left out.",
        ),
        usual_field("died", seats, "combat.caught", (), "The fighters who died in this combat; nobody if left out."),
        Field("lying", cards.open_cards_shape(cards.boxes.whole, {"more": True}), Zone(COMBAT),
              lambda p: collect_combat_cards(p["monsters"], p["added"]),
              "The cards in the combat; if left out, those that its other members name.",
              usual=lambda table: collect_combat_cards(table.combat.foes, table.combat.added)),
    )  # fmt: skip
    return Group("combat", "The running combat.", fields, is_there=lambda table: table.combat is not None)
