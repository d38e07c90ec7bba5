"""The question of a table as a position says it, and what waits beneath: the other half of `position_questions`.

A short form is proposed for the open step, and taken only if it reads back to the very same steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.cardscript.language.interpreter import CarryOut
from referee.cardscript.positions.steps import Said, Steps, listed
from referee.cardscript.questions import Choosing, Looking, Offer, Together
from referee.engine.chance import Shuffle
from referee.engine.codec import Unreadable, encode
from referee.engine.rulings import Unknown
from referee.engine.steps import Step
from referee.games.here_to_slay.events.plays import Rolling
from referee.games.here_to_slay.positions.question_codec import Unsaid, bottom, built
from referee.games.here_to_slay.positions.rolls import written_roll
from referee.games.here_to_slay.rules.attacking import TurnUp
from referee.games.here_to_slay.rules.drawing import Naming, Pulling
from referee.games.here_to_slay.rules.effect_frames import Carried, OrderTriggers
from referee.games.here_to_slay.rules.hands import GiveUp, HandOver, PutBack, Telling
from referee.games.here_to_slay.rules.hero_removal import ChooseSacrifice, Instead
from referee.games.here_to_slay.rules.playing import ChallengeWindow, Equip, FreeRoll
from referee.games.here_to_slay.rules.rolling import ModifierWindow, Throw
from referee.games.here_to_slay.rules.setup import CastForPick, PickLeaders
from referee.games.here_to_slay.rules.turn import Turn
from referee.games.here_to_slay.state import Table


def written_agenda(table: Table) -> Said:
    """The members `question` and `pending_steps` of a position; neither where all is as usual."""
    if not table.agenda:
        return {"question": None}
    top = table.agenda[-1]
    if isinstance(top, Unsaid):
        said: Said = {"question": top.said} if top.said else {}
        return said | ({"pending_steps": listed(table.agenda[:-1])} if table.agenda[:-1] else {})
    for propose in PROPOSALS.get(type(top), ()):
        said = propose(table, top)
        if said and (found := _read_back(said, table)) is not None and _ends_with(table.agenda, found):
            rest = table.agenda[: len(table.agenda) - len(found)]
            usual = rest == bottom(table, found)
            return {"question": said} | ({} if usual else {"pending_steps": listed(rest)})
    usual = table.agenda[:-1] == bottom(table, (top,))
    return {"question": encode(top)} | ({} if usual else {"pending_steps": listed(table.agenda[:-1])})


def _read_back(said: Said, table: Table) -> Steps | None:
    """The steps that a proposal stands for, None if it stands for none."""
    try:
        return built(said, table)
    except (Unreadable, Unknown):
        return None


def _ends_with(agenda: Steps, steps: Steps) -> bool:
    return agenda[-len(steps) :] == steps


# ---- proposals -------------------------------------------------------------------------------------------------------


def _of_text(asks: str, table: Table, **more: Any) -> Said:
    """A question on top of a text; nothing if none lies beneath."""
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(text, CarryOut) or text.at < 1:
        return {}
    said = {"asks": asks, **more, **_text(text, text.at - 1)}
    if "seat" in said and said["seat"] == said["by"]:
        del said["by"]
    return said


def _text(text: CarryOut, line: int) -> Said:
    said: Said = {"card": text.card, "part": text.text, "by": text.by, "line": line}
    known = {name: list(given) for name, given in text.bound.items() if name not in ("me", "this")}
    if known:
        said["known"] = known
    return said | ({"secret": list(text.secret)} if text.secret else {})


def _choosing(table: Table, top: Choosing) -> Said:
    text = table.agenda[-2] if len(table.agenda) > 1 else None
    if isinstance(text, CarryOut) and text.declaring:
        roll = table.agenda[-4] if len(table.agenda) > 3 else None
        if not isinstance(roll, Rolling):
            return {}
        said = {"asks": "target", "roll": written_roll(roll), **_text(text, text.at - 1)}
        return {name: value for name, value in said.items() if name not in ("card", "part", "by")}
    return _of_text("choose", table, seat=top.seat)


def _together(asks: str) -> Callable[[Table, Together], Said]:
    def propose(table: Table, top: Together) -> Said:
        given = {seat: list(cards) for seat, cards in top.given.items()}
        return _of_text(asks, table, seats=list(top.waiting), **({"given": given} if given else {}))

    return propose


def _modifiers(table: Table, top: ModifierWindow) -> Said:
    roll = table.agenda[-2] if len(table.agenda) > 1 else None
    return {"asks": "modifiers", "roll": written_roll(roll), **_passed(top)} if isinstance(roll, Rolling) else {}


def _passed(step: ModifierWindow | ChallengeWindow) -> Said:
    return {"passed": list(step.passed)} if step.passed else {}


def _throw(table: Table, top: Throw) -> Said:
    roll = next((step for step in reversed(table.agenda) if isinstance(step, Rolling)), None)
    if roll is None:
        return {}
    said: Said = {"asks": "dice", "roll": written_roll(roll)}
    return said if top.mark or top.kind != "hero" else said | {"marks": False}


def _challenge(_: Table, top: ChallengeWindow) -> Said:
    called = {"called": top.called} if top.called else {}
    return {"asks": "challenge", "seat": top.seat, "card": top.card, **called, **_passed(top)}


def _pull(table: Table, top: Pulling) -> Said:
    before = {} if top.before == table.hand(top.seat) else {"before": list(top.before)}
    return _of_text("pull", table, seat=top.seat, of=top.of, count=max(top.count, 1), **before)


def _instead(table: Table, top: Instead) -> Said:
    return _of_text("instead", table, seat=top.seat, hero=top.hero, use=top.card)


def _next_trigger(table: Table, top: OrderTriggers) -> Said:
    frame = table.agenda[-2] if len(table.agenda) > 1 else None
    if not isinstance(frame, Carried):
        return {}
    texts = [_text(step, step.at) for step in frame.noted if isinstance(step, CarryOut)]
    return {"asks": "next_trigger", "seat": top.seat, "texts": texts}


def _first_pick(_: Table, top: CastForPick) -> Said:
    return {"asks": "first_pick", "contenders": list(top.contenders), "cast": list(top.cast)}


PROPOSALS: dict[type[Step], tuple[Callable[[Table, Any], Said], ...]] = {
    Turn: (lambda _, top: {"asks": "act", "seat": top.seat},),
    ChallengeWindow: (_challenge,),
    ModifierWindow: (_modifiers,),
    Throw: (_throw,),
    Choosing: (_choosing,),
    FreeRoll: (lambda _, top: {"asks": "free_roll", "seat": top.seat, "hero": top.hero},),
    Equip: (lambda _, top: {"asks": "equip", "seat": top.seat, "item": top.item},),
    Offer: (lambda table, top: _of_text("offer", table, seat=top.seat),),
    GiveUp: (_together("discard"), lambda _, top: {"asks": "redraw", "seat": top.waiting[0]}),
    ChooseSacrifice: (_together("sacrifice"),),
    HandOver: (_together("give"),),
    Looking: (lambda table, top: _of_text("look", table, seat=top.seat, cards=list(top.cards)),),
    PutBack: (lambda table, top: _of_text("put_back", table, seat=top.seat, cards=list(top.cards)),),
    Telling: (lambda table, top: _of_text("tell", table, seat=top.seat),),
    Instead: (_instead,),
    Pulling: (_pull,),
    OrderTriggers: (_next_trigger,),
    TurnUp: (lambda _, top: {"asks": "turn_up", "count": top.count},),
    Shuffle: (lambda _, top: {"asks": "shuffle", "where": top.where},),
    Naming: (lambda _, top: {"asks": "name_cards", "seat": top.seat, "count": top.count},),
    PickLeaders: (lambda _, top: {"asks": "pick_leader", "order": list(top.order), "at_once": top.at_once},),
    CastForPick: (_first_pick,),
}
