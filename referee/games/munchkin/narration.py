"""The texts about events and moves: which variant fits, and what fills it."""

from __future__ import annotations

from typing import Any

from referee.cardscript import narration
from referee.cardscript.free_text import telling
from referee.cardscript.moves import ChooseCards
from referee.engine.events import Event, Move
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.engine.rulebook.messages import join_words
from referee.games.munchkin import moves
from referee.games.munchkin.components import BOOK, FACES
from referee.games.munchkin.events import cards, combat, course, looking, texts
from referee.games.munchkin.events.lasting import LastingBegan
from referee.games.munchkin.rules.combat.rolling import ESCAPE_TOTAL
from referee.games.munchkin.values import NOBODY, Deal


def text_parameters(thing: Event | Move) -> dict[str, Any]:
    """Return what fills the placeholders of the texts about an event or a move."""
    found = narration.collect_text_parameters(thing) | telling.find_report_parameters(BOOK, thing)
    match thing:
        case combat.StrengthAdded(added=added):
            found |= {"card": added.card, "seat": added.seat, "side": added.side, "count": added.count}
        case looking.DeckTopLookedAt(cards=seen):
            found["count"] = len(seen)
        case LastingBegan(lasting=each):
            found |= {"card": each.card, "seat": each.seat, "what": each.what, "until": each.until, "by": each.by}
            found["value"] = each.value
        case course.TradeOffered(trade=trade):
            found |= {"by": trade.by, "to": trade.to, "give": trade.give, "take": trade.take}
        case combat.HelpTermsProposed() | combat.HelperJoined():
            found["deal"] = describe_deal(thing.deal or Deal())
        case combat.Caught():
            found["needed"] = ESCAPE_TOTAL
        case moves.DealMove():
            found["deal"] = describe_deal(thing.deal)
        case moves.GiveToCharity():
            found["count"] = len(thing.cards)
            found["shares"] = describe_shares(thing)
        case moves.Sell(cards=sold):
            found["gold"] = sum(FACES[card].gold or 0 for card in sold if card in FACES)
    return found


def name_killed(killed: tuple[str, ...]) -> Text:
    """Return what the killed monsters are called; a twin is the card that made it."""
    real = [card for card in killed if FACES[card].kind == "monster"]
    twin = BOOK.render_texts("killed.twin" if len(real) == 1 else "killed.a_twin")
    named = {
        lang: [BOOK.render_parameter(card if card in real else twin, lang) for card in killed] for lang in LANGUAGES
    }
    return {lang: join_words(words, lang) for lang, words in named.items()}


def describe_shares(move: moves.GiveToCharity) -> Text:
    """Return who is given which cards, or how many where they are hidden."""
    shares: dict[int, list[str]] = {}
    for card, seat in zip(move.cards, move.to, strict=False):
        shares.setdefault(seat, []).append(card)
    if narration.are_all_hidden(move.cards):
        parts = [BOOK.render_texts("share.unseen", seat=seat, count=len(cards)) for seat, cards in shares.items()]
    else:
        parts = [BOOK.render_texts("share.cards", seat=seat, cards=cards) for seat, cards in shares.items()]
    return {lang: join_words([part[lang] for part in parts], lang) for lang in LANGUAGES}


def describe_deal(deal: Deal) -> Text:
    """Return a deal in words, part after part, the treasures first.

    MK-13.6: A deal names the treasures, the order of picking, the items and cards that change hands, and may carry a
        note.
    """
    parts: list[Text] = []
    if deal.all_of_them:
        parts.append(BOOK.render_texts("deal.all"))
    elif deal.treasures:
        parts.append(BOOK.render_texts("deal.one" if deal.treasures == 1 else "deal.treasures", count=deal.treasures))
    if deal.picks:
        if set(deal.picks) == {"helper"}:
            parts.append(BOOK.render_texts("deal.helper_first"))
        else:
            parts.append(BOOK.render_texts("deal.picks", picks=deal.picks))
    if deal.items:
        parts.append(BOOK.render_texts("deal.items", items=deal.items))
    if deal.plays:
        parts.append(BOOK.render_texts("deal.plays", plays=deal.plays))
    if not parts:
        parts.append(BOOK.render_texts("deal.none"))
    if deal.note:
        parts.append(BOOK.render_texts("deal.note", note=dict.fromkeys(LANGUAGES, " ".join(deal.note.split()))))
    return {lang: ", ".join(part[lang] for part in parts) for lang in LANGUAGES}


def text_variant(thing: Event | Move) -> str:
    """Return which of several texts about an event or a move fits.

    For an event about cards without a case of its own it is `seen` or `unseen`.
    """
    if (reported := telling.find_report_variant(thing)) is not None:
        return reported
    if isinstance(thing, Move):
        return case_of_move(thing)
    match thing:
        case cards.CardPlayed() | combat.PowerUsed() | combat.MonsterJoined():
            return case_of_play(thing)
        case cards.ItemsUsed(on=on, off=off):
            return "" if on and off else "on" if on else "off"
        case cards.NothingToDraw(deck=deck):
            return deck
        case looking.DeckTopArranged():
            return ""
        case (
            combat.Escaped(how=how)
            | combat.CombatEnded(how=how)
            | combat.HelpTermsClosed(how=how)
            | course.TradeOfferClosed(how=how)
        ):
            return how
        case combat.HelperJoined(deal=deal, forced=forced):
            return "forced" if forced else "" if deal is None else "deal"
        case combat.MonsterRemoved(replaced=True):
            return "replaced"
        case combat.WindowPassed(taken_back=True):
            return "taken_back"
        case combat.FlightStarted(forced=True):
            return "forced"
        case combat.ClaimBroken(seat=seat):
            return "weaker" if seat == NOBODY else ""
        case combat.MonstersKilled(monsters=()):
            return "none"
        case course.TurnBegan(back=back):
            return "back" if back else ""
        case course.LevelsGained(card=""):
            return "sold"
        case course.LevelsLost(card="") | course.PlayerDied(card=""):
            return "plain"
        case course.LevelsGained(card=card) | course.LevelsLost(card=card) | cards.CardPut(card=card):
            return case_of_cause(thing, card)
        case texts.EffectLapsed(what=what):
            return what
        case course.TradeOffered(trade=trade):
            return case_of_trade(bool(trade.give), bool(trade.take))
    found = text_parameters(thing)
    shown = found.get("put", found.get("cards", ()))
    return "unseen" if narration.are_all_hidden(shown) and ("put" in found or "cards" in found) else "seen"


def case_of_cause(event: Event, card: str) -> str:
    """Return which rule is behind a card that gives or takes levels or is put down."""
    kind = FACES[card].kind if card in FACES else ""
    causes = {
        course.LevelsGained: {"monster": "kill", "go_up_a_level": "played"},
        course.LevelsLost: {"monster": "bad_stuff", "curse": "curse"},
        cards.CardPut: {"citizenship": "citizenship", "ride": "ride"},
    }
    return causes[type(event)].get(kind, "")


def case_of_play(thing: Event) -> str:
    """Return which text fits a card played, a power used or a monster that joined."""
    match thing:
        case combat.MonsterJoined(card=card, of=of, by=by):
            return "twin" if card != of else "" if by == NOBODY else "by"
        case cards.CardPlayed(side=side) if side:
            return "side"
        case cards.CardPlayed(monster=monster) | combat.PowerUsed(monster=monster) if monster:
            return "monster"
        case cards.CardPlayed(whom=whom, seat=seat) if whom != NOBODY:
            return "self" if whom == seat else "whom"
    return ""


def case_of_move(move: Move) -> str:
    """Return which of several texts about a move fits."""
    match move:
        case ChooseCards(cards=()):
            return "none"
        case moves.GiveToCharity(cards=given, to=to):
            way = "given" if to else "discarded"
            return f"{way}_unseen" if given and narration.are_all_hidden(given) else way
        case moves.PutIntoPlay(instead=instead):
            return "instead" if instead else ""
        case moves.PlayCard(seat=seat, monster=monster, side=side, partner=partner):
            named = {"both": monster and partner, "partner": partner, "monster": monster, "side": side}
            return next((name for name, there in named.items() if there), "" if seat == NOBODY else "seat")
        case moves.JoinByTag(partner=partner):
            return "partner" if partner else ""
        case moves.UsePower(monster=monster):
            return "monster" if monster else ""
        case moves.Equip(off=off):
            return "off" if off else ""
        case moves.OfferTrade(give=give, take=take):
            return case_of_trade(bool(give), bool(take))
    return ""


def case_of_trade(gives: bool, takes: bool) -> str:
    """Return which text fits a trade that gives something, takes something, or both."""
    return "" if gives and takes else "gift" if gives else "request"
