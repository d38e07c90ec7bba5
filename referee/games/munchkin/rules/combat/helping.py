"""Help: asked of one player at a time, with terms as data, and one helper.

MK-13.3: Help may be asked for at any point of an open combat, even by a main player who is winning.
Clauses: MK-13.1 to MK-13.11, MK-3.5, MK-9.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.cardscript.hidden_cards import check_in_hand
from referee.engine.events import Event, Move
from referee.engine.remembering import remember
from referee.engine.rulings import IllegalMove
from referee.engine.zones import Cards
from referee.games.munchkin.components import BOOK, FACES, HANDS, TOP_LEVEL
from referee.games.munchkin.derived import find_active_abilities, sum_abilities
from referee.games.munchkin.events.combat import HelperJoined, HelperLeft, HelpTermsClosed, HelpTermsProposed
from referee.games.munchkin.moves import AcceptHelp, AskHelp, CounterOffer, DealMove, DeclineHelp, TakeBackRequest
from referee.games.munchkin.player_leaves import check_presence
from referee.games.munchkin.rules.cards.requirements import find_required_names
from referee.games.munchkin.state import CARDS_IN_PLAY, Table
from referee.games.munchkin.strength import (
    count_treasures,
    find_restrictions,
    is_winning,
    score_monsters,
    score_munchkins,
    sum_lines,
)
from referee.games.munchkin.values import NOBODY, Deal

MOST_TREASURES, MOST_WORDS = 40, 200
MOST_PROPOSALS = 20  # how often terms are named before the combat has to change (MK-13.2-R2)


def count_treasures_at_stake(table: Table) -> int:
    """Return how many treasures the monsters in the combat are worth now (MK-16.2)."""
    return sum(map(count_treasures, table.running_combat.foes))


@remember(*CARDS_IN_PLAY)
def count_treasures_of_kill(table: Table) -> int:
    """Return how many treasures the kill would bring now.

    MK-16.2: The number is the sum over the monsters. Some items of main add to it.
    """
    return count_treasures_at_stake(table) + sum_abilities(table, table.running_combat.main, "treasures")


def count_levels_at_stake(table: Table) -> int:
    """Return how many levels the kill would give main (MK-16.1)."""
    return sum(FACES[foe.of].levels for foe in table.running_combat.foes)


def would_win_game(table: Table) -> bool:
    """Return whether the kill would win the game for main (MK-13.10, MK-22.1)."""
    return table.levels[table.running_combat.main] + count_levels_at_stake(table) >= TOP_LEVEL


def check_help_allowed(table: Table) -> None:
    """Raise IllegalMove if a monster of the combat allows no helper (MK-9.4)."""
    foe = next((foe for foe, _ in find_restrictions(table, "no_helper")), None)
    if foe is not None:
        raise IllegalMove("nobody_can_help", "MK-9.4", card=foe.card)


def check_able_to_help(table: Table, seat: int) -> None:
    """Raise IllegalMove if a card keeps a player from helping.

    MK-27.4: A text may keep a player from helping, or from playing one-shots in a combat, for a while.
    """
    by = next((card for card, _ in find_active_abilities(table, seat, "cannot_help")), None)
    if by is not None:
        raise IllegalMove("cannot_help", "MK-27.4", seat=seat, by=by)


def must_helper_leave(table: Table) -> bool:
    """Return whether the helper has to leave: dead, drafted too far, or not allowed.

    MK-13.10: If the kill would now win the game, a forced helper leaves the combat unharmed.
    MK-9.4: A monster's restriction, such as no helper, holds for the whole combat.
    """
    combat = table.running_combat
    if combat.helper == NOBODY:
        return False
    if combat.helper in table.dead or (combat.forced and would_win_game(table)):
        return True
    return next(find_restrictions(table, "no_helper"), None) is not None


def suggest_deals(table: Table) -> Iterator[Deal]:
    """Yield typical terms: none, one treasure that the helper picks first, all."""
    yield Deal()
    if count_treasures_at_stake(table) > 1:
        yield Deal(treasures=1, picks=("helper",))
    yield Deal(all_of_them=True)


def _deal_fields(deal: Deal) -> dict[str, Any]:
    return {
        "treasures": deal.treasures, "all_of_them": deal.all_of_them, "picks": deal.picks, "items": deal.items,
        "plays": deal.plays, "note": deal.note,
    }  # fmt: skip


def list_help_moves(table: Table, seat: int) -> Iterator[Move]:
    """Yield typical moves about help that a seat may make now, and near misses."""
    combat = table.running_combat
    if combat.asked == seat:
        yield AcceptHelp()
        yield DeclineHelp()
        for deal in suggest_deals(table):
            yield CounterOffer(**_deal_fields(deal))
    elif combat.asked == NOBODY and seat == combat.main:
        whom = table.other_seats(seat) if combat.helper == NOBODY else (combat.helper,)
        for other in whom:
            if other in combat.declined:
                yield AskHelp(seat=other)
                continue
            for deal in suggest_deals(table):
                yield AskHelp(**_deal_fields(deal), seat=other)


def check_help_move(table: Table, seat: int, move: Move) -> None:
    """Raise IllegalMove unless a seat may make this move about help now."""
    combat = table.running_combat
    match move:
        case TakeBackRequest():
            if combat.asked == NOBODY or seat != combat.main or combat.offered_by != seat:
                raise IllegalMove("nothing_to_take_back", "MK-13.1")
        case AcceptHelp():
            check_terms_for(table, seat)
            check_able_to_help(table, seat)
            check_help_allowed(table)  # a monster may have come meanwhile
            assert combat.offer is not None
            check_deal(table, combat.offer, named=combat.offer.plays)
        case DeclineHelp():
            check_terms_for(table, seat)
        case CounterOffer():
            check_terms_for(table, seat)
            check_help_allowed(table)
            check_proposals_left(table)
            assert combat.offer is not None
            deal = move.deal
            check_treasures_promised(table, deal)
            check_deal(table, deal, named=None if seat == combat.main else combat.offer.plays)
            if deal == combat.offer:
                raise IllegalMove("same_terms", "MK-13.2")
        case AskHelp():
            check_player_to_ask(table, seat, move.seat)
            check_need_of_help(table)
            check_proposals_left(table)
            deal = move.deal
            check_treasures_promised(table, deal)
            check_deal(table, deal)
            if combat.helper == move.seat and deal == combat.deal:
                raise IllegalMove("same_terms", "MK-13.6")


def check_terms_for(table: Table, seat: int) -> None:
    """Raise IllegalMove unless terms wait for this player (MK-13.2)."""
    if table.combat is None or table.combat.asked != seat:
        raise IllegalMove("no_terms_for_you", "MK-13.2")


def check_need_of_help(table: Table) -> None:
    """Raise IllegalMove if main needs no help, and the match asks for a need.

    MK-13.3: Help may be asked for at any point of an open combat.
    MK-13.3-R2: Help is asked for only while main could not claim the kill.
    """
    if table.interpretation_number("MK-13.3") == 2 and table.running_combat.helper == NOBODY and is_winning(table):
        ours, theirs = sum_lines(score_munchkins(table)), sum_lines(score_monsters(table))
        raise IllegalMove("no_need_of_help", "MK-13.3", ours=ours, theirs=theirs)


def check_proposals_left(table: Table) -> None:
    """Raise IllegalMove if terms were named too often, and the match limits talks.

    MK-13.2-R2: In an unchanged combat terms are named at most twenty times.
    """
    if table.interpretation_number("MK-13.2") == 2 and table.running_combat.proposals >= MOST_PROPOSALS:
        raise IllegalMove("talked_enough", "MK-13.2", most=MOST_PROPOSALS)


def check_treasures_promised(table: Table, deal: Deal) -> None:
    """Raise IllegalMove if more treasures are named than there would be now.

    MK-13.8-R2: Nobody can promise more treasures than the kill would bring at that time. Later there may be fewer.
    """
    worth = count_treasures_of_kill(table)
    if table.interpretation_number("MK-13.8") == 2 and deal.treasures > worth:
        raise IllegalMove("more_than_there_are", "MK-13.8", "MK-16.2", count=worth, named=deal.treasures)


@remember()  # each of the terms that can be offered to a player asks for it
def check_player_to_ask(table: Table, seat: int, other: int) -> None:
    """Raise IllegalMove unless this player may ask that one for help now.

    MK-13.1: The main player may ask any other living player, one at a time, until one accepts.
    """
    combat = table.running_combat
    if seat != combat.main:
        raise IllegalMove("only_main_asks", "MK-13.1")
    if combat.asked != NOBODY:
        raise IllegalMove("terms_are_open", "MK-13.1", seat=combat.asked)
    if not 0 <= other < table.rules.seats or other == seat:
        raise IllegalMove("ask_another", "MK-13.1", seat=other)
    check_presence(table, other)
    check_able_to_help(table, other)
    if other in table.dead:
        raise IllegalMove("is_dead", "MK-19.7", seat=other)
    check_help_allowed(table)
    if combat.helper not in (NOBODY, other):
        raise IllegalMove("has_a_helper", "MK-13.1", seat=combat.helper)
    if combat.helper == other and combat.forced:
        raise IllegalMove("was_drafted", "MK-13.10", seat=other)
    if other in combat.declined:
        raise IllegalMove("has_declined", "MK-13.2", seat=other)


def check_deal(table: Table, deal: Deal, named: Cards | None = None) -> None:
    """Raise IllegalMove unless main can promise these terms.

    `named` are the cards from main's hand that earlier terms named. It is given if the other player proposes the terms.
    That player may repeat those cards, but may not name others or learn whether main still holds them.
    MK-13.5: The main player may offer items in play, treasures, the order of picking them, and playable hand cards.
    MK-13.6: A deal names treasures, picking order, items and cards, and may carry a note.
    """
    main = table.running_combat.main
    if not 0 <= deal.treasures <= MOST_TREASURES or (deal.all_of_them and (deal.treasures or deal.picks)):
        raise IllegalMove("no_such_number_of_treasures", "MK-13.6")
    if any(who not in ("main", "helper") for who in deal.picks) or len(deal.picks) > MOST_TREASURES:
        raise IllegalMove("main_or_helper_picks", "MK-13.6")
    if deal.picks and deal.picks.count("helper") != deal.treasures:
        raise IllegalMove("picks_and_treasures", "MK-13.6", count=deal.treasures)
    if len(deal.note) > MOST_WORDS:
        raise IllegalMove("note_too_long", "MK-13.6", most=MOST_WORDS)
    for item in deal.items:
        if item not in table.items_of(main) or deal.items.count(item) > 1:
            raise IllegalMove("not_an_item_of_theirs", "MK-13.5", card=item, seat=main)
    for card in deal.plays:
        if named is not None and card not in named:
            raise IllegalMove("not_your_cards", "MK-13.5", card=card)
        if card not in FACES or deal.plays.count(card) > FACES[card].copies or not is_promisable(card):
            raise IllegalMove("cannot_be_promised", "MK-13.5", card=card)
        if named is None:
            check_in_hand(table, main, card, "MK-13.5")


def is_promisable(card: str) -> bool:
    """Return whether a card is played on a player and can be promised to a helper.

    MK-13.5: The main player may offer to play on the helper cards such as a Go Up a Level.
    """
    return FACES[card].kind == "go_up_a_level" and find_required_names(card) == {"seat"}


def decide_help_move(table: Table, seat: int, move: Move) -> Iterator[Event]:
    """Yield the event of a move about help."""
    combat = table.running_combat
    match move:
        case AskHelp():
            yield HelpTermsProposed(seat, move.seat, move.deal)
        case CounterOffer():
            yield HelpTermsProposed(seat, combat.offered_by, move.deal)
        case TakeBackRequest():
            yield HelpTermsClosed(seat, "taken_back")
        case DeclineHelp():
            yield HelpTermsClosed(seat, "declined")
        case AcceptHelp():
            helper = combat.offered_by if seat == combat.main else seat
            yield HelperJoined(helper, combat.offer)


def draft_helper(seat: int) -> Iterator[Event]:
    """Yield the event with which a player is forced to help (MK-13.10)."""
    yield HelperJoined(seat, None, forced=True)


def check_drafting(table: Table, seat: int) -> None:
    """Raise IllegalMove unless this player can be forced to help now.

    MK-3.5: Nobody can be forced to help in the combat that would bring level 10.
    MK-13.10: Nobody can be forced to help in a combat whose kill would win the game for the main player.
    """
    combat = table.running_combat
    if seat in combat.fighters:
        raise IllegalMove("ask_another", "MK-13.1", seat=seat)
    if combat.helper != NOBODY:
        raise IllegalMove("has_a_helper", "MK-13.1", seat=combat.helper)
    check_help_allowed(table)
    check_able_to_help(table, seat)
    if would_win_game(table):
        raise IllegalMove("nobody_is_forced", "MK-3.5", "MK-13.10")


def release_helper(table: Table, seat: int) -> Iterator[Event]:
    """Yield the event with which a card lets the helper leave unharmed.

    MK-13.11: If a card makes the helper leave, the main player may ask for help again.
    """
    if table.combat is not None and table.combat.helper == seat:
        yield HelperLeft(seat)


def build_deal_patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describe every deal that a seat may propose now."""
    combat = table.running_combat
    if combat.asked == seat:
        kind: type[DealMove] = CounterOffer
        whom: Iterable[int] = ()
    elif combat.asked == NOBODY and seat == combat.main:
        kind, whom = AskHelp, table.other_seats(seat) if combat.helper == NOBODY else (combat.helper,)
    else:
        return ()
    whom = [other for other in whom if other not in combat.declined and not combat.forced]
    try:
        check_proposals_left(table)
        if kind is AskHelp:
            check_need_of_help(table)
    except IllegalMove:
        return ()
    if (kind is AskHelp and not whom) or next(find_restrictions(table, "no_helper"), None) is not None:
        return ()
    names = {"type": "array", "items": {"enum": sorted(table.items_of(combat.main))}, "uniqueItems": True}
    hand = [card for card in table.zones.get(HANDS[combat.main], ()) if card in FACES and is_promisable(card)]
    most = count_treasures_of_kill(table) if table.interpretation_number("MK-13.8") == 2 else MOST_TREASURES
    fields: dict[str, Any] = {
        "treasures": {"type": "integer", "minimum": 0, "maximum": min(max(most, 0), MOST_TREASURES)},
        "all_of_them": {"type": "boolean"},
        "picks": {"type": "array", "items": {"enum": ["main", "helper"]}, "maxItems": MOST_TREASURES},
        "items": names,
        "plays": {"type": "array", "items": {"enum": sorted(hand)} if seat == combat.main else {"type": "string"}},
        "note": {"type": "string", "maxLength": MOST_WORDS},
    }
    if kind is AskHelp:
        fields["seat"] = {"enum": whom}
    return ({"type": kind.TAG, "fields": fields, "says": BOOK.render_texts("pattern.deal")},)
