"""Disputes in words: who claims what, why it is so or not, what happens now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.engine.game import Game
from referee.engine.rulebook.book import LANGUAGES, Text
from referee.match.events.dispute_events import DisputeOpened, RulingIssued
from referee.match.events.dispute_state import CourtSettings, Dispute
from referee.match.rulebook import TABLE_BOOK
from referee.rendering import texts
from referee.rendering.quoting import strip_sentence_end

PLAIN_REASONS = ("court.host_ruled", "court.arbiter_ruled")  # what they say is said by who ruled
UNITS = (("days", 24 * 3600), ("hours", 3600), ("minutes", 60), ("seconds", 1))


def describe_claim(dispute: Dispute | DisputeOpened) -> Text:
    """Return in words who claims what of whom, with the claimant's own words."""
    others = [seat for seat in dispute.parties if str(seat) != dispute.by]
    key = f"claim.{dispute.claim}"
    if others and TABLE_BOOK.has_text(f"{key}.of"):
        key = f"{key}.of"
    claim = _join_sentences([TABLE_BOOK.render_texts(key, by=dispute.by, of=others, about=dispute.about)])
    if not dispute.statement:
        return claim
    return TABLE_BOOK.render_texts("claim.quoted", claim=_strip_ends(claim), statement=dispute.statement.rstrip(". "))


def describe_ruling(game: Game, ruled: RulingIssued) -> Text:
    """Return a ruling in words: verdict, reason, who said what, and the remedy."""
    kind = "restore" if ruled.remedy == "restore" else ruled.verdict
    found = [TABLE_BOOK.render_texts(f"ruling.{kind}", by=ruled.by, dispute=ruled.dispute)]
    if ruled.reason and ruled.reason not in PLAIN_REASONS:
        found.append(render_reason(game, ruled.reason, ruled.params, ruled.cites))
    if ruled.statement:
        found.append(TABLE_BOOK.render_texts("ruling.quoted", statement=ruled.statement.rstrip(". ")))
    if ruled.remedy not in ("", "leave"):
        found.append(TABLE_BOOK.render_texts("ruling.remedy", remedy=ruled.remedy))
    return _join_sentences(found)


@dataclass(frozen=True, slots=True)
class UndoRight:
    """Who may undo the last ruling of an official, and until when.

    `until_ms`: by the store's clock. `others`: another official is there, who may undo it at any time.
    """

    by: str
    until_ms: int
    others: bool


def describe_progress(
    courts: CourtSettings,
    dispute: Dispute,
    asks: list[int],
    next_court: str | None,
    undo: UndoRight | None = None,
    by_claimant: bool = False,
) -> Text:
    """Return in words what was ruled or happens now, by whom, and until when.

    `asks` are the seats that are awaited; `next_court` hears an appeal or decides next, None: there is none. `undo`
    says who may undo what was ruled, None: nobody. `by_claimant`: the claimant may be among those who attest.
    """
    params: dict[str, Any] = {"asks": asks, "open": "yes" if asks else "no", "next": next_court or "none"}
    if dispute.stage == "attesting" and by_claimant:
        time = describe_duration(courts.answer_ms)
        return TABLE_BOOK.render_texts("progress.attesting.claimant", **params, time=time)
    if dispute.stage in ("attesting", "voting"):
        key = f"progress.{dispute.stage}.{'consent' if courts.needs_consent else 'majority'}"
        return TABLE_BOOK.render_texts(key, **params, time=describe_duration(courts.answer_ms))
    if dispute.stage == "ruling":
        return TABLE_BOOK.render_texts("progress.ruling", time=describe_duration(courts.rule_ms))
    found = [TABLE_BOOK.render_texts(f"progress.{dispute.stage}", remedy=_find_settled_remedy(dispute))]
    if dispute.stage == "ruled" and next_court is not None:
        appeal = TABLE_BOOK.render_texts("progress.appeal", **params, time=describe_duration(courts.appeal_ms))
        found.append(appeal)
    elif dispute.stage == "ruled" and undo is not None:
        others = "yes" if undo.others else "no"
        time = describe_duration(courts.undo_ms or 0)
        found.append(TABLE_BOOK.render_texts("progress.undo", by=undo.by, time=time, others=others))
    return _join_sentences(found)


def _find_settled_remedy(dispute: Dispute) -> str:
    """Return the remedy of the last ruling; `upheld` if it leaves an earlier one."""
    *earlier, last = [each.remedy for each in dispute.verdicts] or [""]
    carried_out = [remedy for remedy in earlier if remedy not in ("", "leave")]
    return "upheld" if last == "leave" and carried_out and carried_out[-1] != "restore" else last


def describe_duration(ms: int) -> Text:
    """Return a time span in words, in the largest unit that is exact."""
    seconds = max(1, ms // 1000)
    unit, size = next(each for each in UNITS if seconds % each[1] == 0)
    return TABLE_BOOK.render_texts(f"time.{unit}", count=seconds // size)


def render_reason(game: Game, key: str, params: dict[str, Any], cites: tuple[str, ...] = ()) -> Text:
    """Return the reason of a court in words of the table or the game.

    A log keeps the key of a reason and its values, and an older referee may have had a text that is gone or needed
    less. Then the first clause cited speaks for itself.
    """
    try:
        if TABLE_BOOK.has_text(key):
            return TABLE_BOOK.render_texts(key, **params)
        return texts.render_text(game, key, **params)
    except KeyError:
        if not cites:
            raise
        return texts.find_clause(game, cites[0]).says


def _strip_ends(text: Text) -> Text:
    return {lang: strip_sentence_end(text[lang]) for lang in LANGUAGES}


def _join_sentences(found: list[Text]) -> Text:
    return {lang: " ".join(f"{each[lang][:1].upper()}{each[lang][1:]}" for each in found) for lang in LANGUAGES}
