"""Help: asked of one player after the other, with terms as data, counter-offers, one helper.

Main may ask at any point of an open combat, even when winning (MK-13.3).
Clauses: MK-13.1 to MK-13.11, MK-3.5, MK-9.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.cardscript.hidden_cards import check_in_hand
from referee.engine.events import Event, Move
from referee.engine.rulings import Refused
from referee.engine.zones import Cards
from referee.games.munchkin.components import BOOK, FACES, HANDS, TOP_LEVEL
from referee.games.munchkin.events.combat import HelperJoined, HelperLeft, TermsNamed, TermsOff
from referee.games.munchkin.moves import AcceptHelp, AskHelp, Counter, DeclineHelp, TakeBack, WithDeal
from referee.games.munchkin.state import Table
from referee.games.munchkin.strength import restricted, treasures_of
from referee.games.munchkin.values import NOBODY, Deal

MOST_TREASURES, MOST_WORDS = 40, 200


def treasures_at_stake(table: Table) -> int:
    """How many treasures the monsters in the combat are worth now (MK-16.2)."""
    return sum(map(treasures_of, table.fight.foes))


def gain_of(table: Table) -> int:
    """How many levels killing all that is in the combat would give main (MK-16.1)."""
    return sum(FACES[foe.of].levels for foe in table.fight.foes)


def would_win(table: Table) -> bool:
    """Whether the kill would win the game for main (MK-13.10, MK-22.1)."""
    return table.levels[table.fight.main] + gain_of(table) >= TOP_LEVEL


def check_allowed(table: Table) -> None:
    """Raises Refused if a monster of the combat allows no helper (MK-9.4)."""
    foe = next((foe for foe, _ in restricted(table, "no_helper")), None)
    if foe is not None:
        raise Refused("nobody_can_help", "MK-9.4", card=foe.card)


def must_leave(table: Table) -> bool:
    """Whether the helper cannot stay: dead, drafted into what has become the winning combat (MK-13.10), or barred by a
    monster that allows no helper, which holds for the whole combat (MK-9.4)."""
    combat = table.fight
    if combat.helper == NOBODY:
        return False
    if combat.helper in table.dead or (combat.forced and would_win(table)):
        return True
    return next(restricted(table, "no_helper"), None) is not None


def typical(table: Table) -> Iterator[Deal]:
    """Terms that come to mind first: none, one treasure that the helper picks first, all."""
    yield Deal()
    if treasures_at_stake(table) > 1:
        yield Deal(treasures=1, picks=("helper",))
    yield Deal(all_of_them=True)


def _with(deal: Deal) -> dict[str, Any]:
    return {
        "treasures": deal.treasures, "all_of_them": deal.all_of_them, "picks": deal.picks, "items": deal.items,
        "plays": deal.plays, "note": deal.note,
    }  # fmt: skip


def answers(table: Table, seat: int) -> Iterator[Move]:
    """What somebody may say of help now, in typical instances, and near misses."""
    combat = table.fight
    if combat.asked == seat:
        yield AcceptHelp()
        yield DeclineHelp()
        for deal in typical(table):
            yield Counter(**_with(deal))
    elif combat.asked == NOBODY and seat == combat.main:
        whom = table.others(seat) if combat.helper == NOBODY else (combat.helper,)
        for other in whom:
            if other in combat.declined:
                yield AskHelp(seat=other)
                continue
            for deal in typical(table):
                yield AskHelp(**_with(deal), seat=other)


def check(table: Table, seat: int, move: Move) -> None:
    """Raises Refused unless this may be said of help now."""
    combat = table.fight
    match move:
        case TakeBack():
            if combat.asked == NOBODY or seat != combat.main or combat.offered_by != seat:
                raise Refused("nothing_to_take_back", "MK-13.1")
        case AcceptHelp() | DeclineHelp():
            if combat.asked != seat:
                raise Refused("no_terms_for_you", "MK-13.2")
            if isinstance(move, AcceptHelp):
                check_allowed(table)  # a monster may have come meanwhile
                assert combat.offer is not None
                check_deal(table, combat.offer, named=combat.offer.plays)
        case Counter():
            if combat.asked != seat:
                raise Refused("no_terms_for_you", "MK-13.2")
            check_allowed(table)
            assert combat.offer is not None
            check_deal(table, move.deal, named=None if seat == combat.main else combat.offer.plays)
            if move.deal == combat.offer:
                raise Refused("same_terms", "MK-13.2")
        case AskHelp():
            _check_asking(table, seat, move)


def _check_asking(table: Table, seat: int, move: AskHelp) -> None:
    combat = table.fight
    if seat != combat.main:
        raise Refused("only_main_asks", "MK-13.1")
    if combat.asked != NOBODY:
        raise Refused("terms_are_open", "MK-13.1", seat=combat.asked)
    if not 0 <= move.seat < table.rules.seats or move.seat == seat:
        raise Refused("ask_another", "MK-13.1", seat=move.seat)
    if move.seat in table.dead:
        raise Refused("is_dead", "MK-19.7", seat=move.seat)
    check_allowed(table)
    if combat.helper not in (NOBODY, move.seat):
        raise Refused("has_a_helper", "MK-13.1", seat=combat.helper)
    if combat.helper == move.seat and combat.forced:
        raise Refused("was_drafted", "MK-13.10", seat=move.seat)
    if move.seat in combat.declined:
        raise Refused("has_declined", "MK-13.2", seat=move.seat)
    check_deal(table, move.deal)
    if combat.helper == move.seat and move.deal == combat.deal:
        raise Refused("same_terms", "MK-13.6")


def check_deal(table: Table, deal: Deal, named: Cards | None = None) -> None:
    """Raises Refused unless main can promise these terms (MK-13.5, MK-13.6).

    `named`: the cards of main's hand that were named before, where it is not main who names the terms now: nobody else
    may name one of them, or learn whether it is still there.
    """
    main = table.fight.main
    if not 0 <= deal.treasures <= MOST_TREASURES or (deal.all_of_them and (deal.treasures or deal.picks)):
        raise Refused("no_such_number_of_treasures", "MK-13.6")
    if any(who not in ("main", "helper") for who in deal.picks) or len(deal.picks) > MOST_TREASURES:
        raise Refused("main_or_helper_picks", "MK-13.6")
    if deal.picks and deal.picks.count("helper") != deal.treasures:
        raise Refused("picks_and_treasures", "MK-13.6", count=deal.treasures)
    if len(deal.note) > MOST_WORDS:
        raise Refused("note_too_long", "MK-13.6", most=MOST_WORDS)
    for item in deal.items:
        if item not in table.items(main) or deal.items.count(item) > 1:
            raise Refused("not_an_item_of_theirs", "MK-13.5", card=item, seat=main)
    for card in deal.plays:
        if named is not None and card not in named:
            raise Refused("not_your_cards", "MK-13.5", card=card)
        if card not in FACES or deal.plays.count(card) > FACES[card].copies or not promisable(card):
            raise Refused("cannot_be_promised", "MK-13.5", card=card)
        if named is None:
            check_in_hand(table, main, card, "MK-13.5")


def promisable(card: str) -> bool:
    """Whether a card is played on a player and can so be promised to a helper (MK-13.5)."""
    from referee.games.munchkin.rules.cards.playing import needs

    return FACES[card].kind == "go_up_a_level" and needs(card) == {"seat"}


def decide(table: Table, seat: int, move: Move) -> Iterator[Event]:
    """The facts of what is said of help."""
    combat = table.fight
    match move:
        case AskHelp():
            yield TermsNamed(seat, move.seat, move.deal)
        case Counter():
            yield TermsNamed(seat, combat.offered_by, move.deal)
        case TakeBack():
            yield TermsOff(seat, "taken_back")
        case DeclineHelp():
            yield TermsOff(seat, "declined")
        case AcceptHelp():
            helper = combat.offered_by if seat == combat.main else seat
            yield HelperJoined(helper, combat.offer)


def drafted(seat: int) -> Iterator[Event]:
    """The facts with which a player is forced to help (MK-13.10)."""
    yield HelperJoined(seat, None, forced=True)


def check_drafting(table: Table, seat: int) -> None:
    """Raises Refused unless this player can be forced to help now (MK-3.5, MK-13.10)."""
    combat = table.fight
    if seat in combat.fighters:
        raise Refused("ask_another", "MK-13.1", seat=seat)
    if combat.helper != NOBODY:
        raise Refused("has_a_helper", "MK-13.1", seat=combat.helper)
    check_allowed(table)
    if would_win(table):
        raise Refused("nobody_is_forced", "MK-3.5", "MK-13.10")


def left(table: Table, seat: int) -> Iterator[Event]:
    """The facts with which the helper leaves unharmed by a card (MK-13.11)."""
    if table.combat is not None and table.combat.helper == seat:
        yield HelperLeft(seat)


def patterns(table: Table, seat: int) -> tuple[dict[str, Any], ...]:
    """Describes every deal that may be named now."""
    combat = table.fight
    if combat.asked == seat:
        kind: type[WithDeal] = Counter
        whom: Iterable[int] = ()
    elif combat.asked == NOBODY and seat == combat.main:
        kind, whom = AskHelp, table.others(seat) if combat.helper == NOBODY else (combat.helper,)
    else:
        return ()
    whom = [other for other in whom if other not in combat.declined and not combat.forced]
    if (kind is AskHelp and not whom) or next(restricted(table, "no_helper"), None) is not None:
        return ()
    names = {"type": "array", "items": {"enum": sorted(table.items(combat.main))}, "uniqueItems": True}
    hand = [card for card in table.zones.get(HANDS[combat.main], ()) if card in FACES and promisable(card)]
    fields: dict[str, Any] = {
        "treasures": {"type": "integer", "minimum": 0, "maximum": MOST_TREASURES},
        "all_of_them": {"type": "boolean"},
        "picks": {"type": "array", "items": {"enum": ["main", "helper"]}, "maxItems": MOST_TREASURES},
        "items": names,
        "plays": {"type": "array", "items": {"enum": sorted(hand)} if seat == combat.main else {"type": "string"}},
        "note": {"type": "string", "maxLength": MOST_WORDS},
    }
    if kind is AskHelp:
        fields["seat"] = {"enum": whom}
    return ({"type": kind.TAG, "fields": fields, "says": BOOK.texts("pattern.deal")},)
