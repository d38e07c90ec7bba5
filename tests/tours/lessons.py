"""The lessons of the tour of disputes: each takes a running match, brings about a quarrel, and settles it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.tours.sitting import Sitting, Stuck

Lesson = Callable[[Sitting], None]
SAID = ("version", "status", "dispute.stage", "dispute.court", "dispute.asks", "dispute.until", "dispute.rulings.-1")
TOLD = (
    *("claim", "stage", "court", "parties", "decide", "asks", "until", "appeal_until", "rulings", "remedies"),
    *("suspects", "disputed", "refusal", "since", "precedents"),
)


# -- steps that lessons share ------------------------------------------------------------------------------------------


def last_move(here: Sitting) -> tuple[int, int, list[str]]:
    """Somebody at a seat moves: the entry, the seat, its clauses."""
    for _ in range(60):
        made = here.moves().body["entry"]
        if isinstance(made["seat"], int):
            return made["version"], made["seat"], list(made["clauses"])
    raise Stuck("chance alone moves")


def disputes(here: Sitting, by: int, about: int | None, claim: str, **more: Any) -> dict[str, Any]:
    """A seat opens a dispute, and reads it."""
    shows = (*SAID, "dispute.rulings.0.reason")
    subject = {} if about is None else {"about": about}
    made = here.write("/disputes", {**subject, "claim": claim, **more}, here.seats[by], shows)
    return read(here, made.body["dispute"]["dispute"], by)


def read(here: Sitting, number: int, by: int | None = None, told: bool = True) -> dict[str, Any]:
    """A dispute as a seat sees it, or as the arbiter does."""
    path = f"/disputes/{number}" + ("" if by is None else f"?viewer=seat:{by}")
    token = here.arbiter if by is None else here.seats[by]
    return dict(here.read(path, by=token, shows=TOLD if told else None).body)


def appeals(here: Sitting, number: int, by: int, clause: str) -> None:
    body = {"clause": clause, "grounds": "The clause was misapplied."}
    here.write(f"/disputes/{number}/appeals", body, here.seats[by], SAID)


def attest(here: Sitting, number: int, holds: bool, **saw: Any) -> dict[str, Any]:
    """All who are asked attest the same, until that decides it."""
    while (found := read(here, number, told=False))["stage"] == "attesting" and found["asks"]:
        seat = found["asks"][0]
        here.write(f"/disputes/{number}/attestations", {"holds": holds, **saw}, here.seats[seat], SAID)
    return found


def votes(here: Sitting, number: int, remedy: str) -> dict[str, Any]:
    """All who are asked vote for the same remedy, until that decides it."""
    while (found := read(here, number, told=False))["stage"] == "voting" and found["asks"]:
        here.write(f"/disputes/{number}/votes", {"remedy": remedy}, here.seats[found["asks"][0]], SAID)
    return found


def rules(here: Sitting, number: int, remedy: str, upheld: bool, **more: Any) -> None:
    """The arbiter looks at what a remedy would come to, and has the last word."""
    if not more.get("fix"):
        shows = ("remedy", "offered", "why", "keeps", "drops", "crosses", "learned", "hides")
        here.read(f"/disputes/{number}/remedies/{remedy}", by=here.arbiter, shows=shows)
    body = {"upheld": upheld, "remedy": remedy, "clauses": ["TABLE-RULING-4"], "reason": "I was there.", **more}
    here.write(f"/disputes/{number}/rulings", body, here.arbiter, SAID, If_Match="*")


def both_courses(here: Sitting, number: int, about: int) -> None:
    """What counts and what does not, and the table as it was on the course that counts no more."""
    found = here.read("/timeline", shows=("stretches",)).body
    gone = [each for each in found["stretches"] if each["state"] != "current" and each["dispute"] == number]
    assert gone, found
    then = here.read(f"/view?version={about}", shows=("version", "status", "view_hash"))
    assert then.status == 200
    here.read(f"/entries/{gone[0]['superseded_by']}", shows=("version", "move", "events", "clauses"))


def settles(here: Sitting, number: int, remedies: tuple[str, ...] = ("partial_fix", "rewind")) -> str:
    """By vote if the table may choose one of these, else by the arbiter: which remedy it was."""
    found = read(here, number, told=False)
    if found["stage"] == "voting":
        offered = {each["remedy"] for each in found["remedies"] if each["offered"]}
        best = next((name for name in remedies if name in offered), "")
        if best:
            found = votes(here, number, best)
            if found["stage"] == "ruled":
                return best
    rules(here, number, "rewind", upheld=True)
    return "rewind"


# -- at the server -----------------------------------------------------------------------------------------------------


def illegal_move(here: Sitting) -> None:
    """An illegal move? The referee says that it stands; an appeal, testimony, a remedy; both courses afterwards.

    A referee that is not broken lets no illegal move pass, so the table overrules it here.
    """
    about, mover, clauses = last_move(here)
    claimant = here.others(mover)[0]
    found = disputes(here, claimant, about, "illegal_move", clause=clauses[0], statement="That was not allowed.")
    number = found["dispute"]
    if found["stage"] == "ruled":  # else the clause has two readings, and the table is asked at once
        appeals(here, number, claimant, clauses[0])
    attest(here, number, True)
    settles(here, number)
    both_courses(here, number, about)


def wrong_consequence(here: Sitting) -> None:
    """A wrong consequence? The table denies it, and the arbiter puts something right by hand all the same."""
    about, mover, clauses = last_move(here)
    claimant = here.others(mover)[0]
    found = disputes(here, claimant, about, "missed_effect", statement="Something was forgotten.")
    number = found["dispute"]
    appeals(here, number, claimant, clauses[0])
    found = attest(here, number, False)
    if found["stage"] == "ruled":
        assert found["rulings"][-1]["verdict"] == "stands"
        appeals(here, number, claimant, clauses[0])
    mended(here, f"/disputes/{number}/rulings", {"upheld": True, "remedy": "partial_fix",
           "clauses": ["TABLE-RULING-4"], "reason": "I was there."})  # fmt: skip
    assert read(here, number, told=False)["stage"] == "ruled"


def mended(here: Sitting, path: str, body: dict[str, Any]) -> None:
    """The arbiter writes something with a correction by hand: the first that leaves a possible table."""
    for fix in by_hand(here):
        found = here.teller.call("POST", f"{here.path}{path}", {**body, "fix": [fix]}, by=here.arbiter, If_Match="*")
        if found.status == 201:
            return
        assert found.slug in ("position-impossible", "invalid-input"), found
    raise Stuck("no correction leaves a possible table here")


def by_hand(here: Sitting) -> list[dict[str, Any]]:
    """Corrections by hand that may do: a count, a card to where it belongs, whose turn it is."""
    table = here.read("/view").body["table"]
    found: list[dict[str, Any]] = []
    for count in ("hearts", "levels"):
        found += [{"set": f"/{count}/{seat}", "to": value - 1 or 2} for seat, value in enumerate(table.get(count, ()))]
    heap = next((name for name in ("discard", "treasures/discard") if table["zones"].get(name)), None)
    if heap:
        found += [{"move": table["zones"][heap][-1], "from": heap, "to": "hand:0"}]
    return found[:3] + [{"turn": seat} for seat in range(len(here.seats))]


def wrong_refusal(here: Sitting) -> None:
    """A refusal that is disputed; the arbiter overrules it with a reason, keeps that, and it is offered again."""

    def near_misses(who: int | str, listing: dict[str, Any]) -> bool:
        return who != "chance" and bool(listing["near"])

    seat, listing = here.until(near_misses)
    move, about = listing["near"][0]["move"], listing["version"]
    here.makes_not(seat, move)
    for attempt in ("first", "again"):
        found = disputes(here, seat, about, "wrong_refusal", move=move)
        number = found["dispute"]
        if attempt == "first":
            rules(here, number, "leave", upheld=True, keep=True, reason="From now on we allow it.")
            here.read("/precedents", shows=("items",))
        else:
            assert found["precedents"], found


def only_people_know(here: Sitting) -> None:
    """What only people know, and nobody answers: the time of the table runs out, the arbiter is called, he voids."""
    about, mover, _ = last_move(here)
    found = disputes(here, here.others(mover)[0], about, "other", statement="The table was knocked over.")
    number = found["dispute"]
    assert (found["stage"], found["rulings"][0]["verdict"]) == ("attesting", "undecided")
    here.teller.tell("# nobody says anything")
    for _ in range(30):
        if read(here, number, told=False)["stage"] != "attesting":
            break
        time.sleep(0.5)
    found = read(here, number)
    assert found["stage"] == "ruling", found
    here.read("", shows=("status", "disputes", "awaits", "deadline"))
    rules(here, number, "void", upheld=True)
    here.read("", shows=("status", "disputes", "outcome"))


# -- at a table --------------------------------------------------------------------------------------------------------


def reports(here: Sitting) -> tuple[int, dict[str, Any]]:
    """Chance is reported in a way that could have read otherwise: the entry, and what else it could have been."""

    def ambiguous(who: int | str, listing: dict[str, Any]) -> bool:
        return who == "chance" and len(listing["legal"]) > 1

    who, listing = here.until(ambiguous)
    first, second = here.dice.sample([each["move"] for each in listing["legal"]], 2)
    made = here.makes(who, first, shows=("version", "entry.move", "entry.actor"))
    return made.body["entry"]["version"], second


def misreported(here: Sitting) -> None:
    """A die or card that was misreported: attested, voted on, put right, and the rest judged again."""
    about, right = reports(here)
    number = disputes(here, 1, about, "misreported", move=right, saw=right)["dispute"]
    attest(here, number, True)
    settles(here, number)
    both_courses(here, number, about)


def forgotten_card(here: Sitting) -> None:
    """A card that was forgotten at the table: who was there says so, and play goes back or is mended by hand."""
    about, mover, clauses = last_move(here)
    claimant = here.others(mover)[0]
    number = disputes(here, claimant, about, "missed_effect", statement="His card was overlooked.")["dispute"]
    appeals(here, number, claimant, clauses[0])
    attest(here, number, True)
    settles(here, number)


def wrong_count(here: Sitting) -> None:
    """A wrong count: the census, the claim put to the table, and the table says that all is well."""
    about, mover, _ = last_move(here)
    here.read("/census", shows=("possible", "sure", "contradictions", "recounts"))
    number = disputes(here, here.others(mover)[0], about, "wrong_count", statement="One too few.")["dispute"]
    found = attest(here, number, False)
    if found["stage"] in ("ruling", "attesting", "voting"):
        rules(here, number, "leave", upheld=False)


def impossible_table(here: Sitting) -> None:
    """A card that lies there twice: nobody knows which report is wrong, and all agree to play on with what lies there.

    If none lies there twice, the referee says at once that the table can be so.
    """
    found = disputes(here, 1, None, "impossible_table", statement="We have one card too many.")
    for _ in range(40):
        if not here.about()["awaits"]:
            break
        who, listing = here.following()
        again = [each["move"] for each in listing["near"] if is_used_up(each["ruling"])] if who == "chance" else []
        if again:
            refused = here.write("/seats/chance/moves", {"move": again[0]}, here.seats[0], refused="illegal-move")
            assert refused.body["contradiction"]["suspects"], refused
            found = disputes(here, 1, None, "impossible_table", move=again[0])
            assert found["suspects"]
            found = votes(here, found["dispute"], "as_it_lies")
            here.read("/census", shows=("possible", "sure"))
            break
        here.moves()
    assert found["stage"] == "ruled", found


def is_used_up(ruling: dict[str, Any]) -> bool:
    """Whether a report is refused because all copies of the card lie elsewhere, in the open."""
    return any(each["id"] == "KERNEL-CENSUS-1" for each in ruling["clauses"])


def correction(here: Sitting) -> None:
    """A report that is corrected by its reporter in time; then too late, so that it takes a dispute."""
    about, right = reports(here)
    here.write(f"/entries/{about}/corrections", {"move": right}, here.seats[0], ("version", "entry"))
    about, right = reports(here)
    time.sleep(3.2)
    here.write(f"/entries/{about}/corrections", {"move": right}, here.seats[0], refused="out-of-time")
    number = disputes(here, 0, about, "misreported", move=right)["dispute"]
    here.write(f"/disputes/{number}/withdrawal", None, here.seats[0], SAID)


def deviation(here: Sitting) -> None:
    """A move against the rules that nobody noticed: it is recorded as having happened, and that it stands."""

    def near_misses(who: int | str, listing: dict[str, Any]) -> bool:
        return who != "chance" and bool(listing["near"])

    seat, listing = here.until(near_misses)
    clauses = [each["id"] for each in listing["near"][0]["ruling"]["clauses"][:1]]
    body = {"seat": seat, "move": listing["near"][0]["move"], "clauses": clauses, "reason": "We saw it too late."}
    found = here.teller.call("POST", f"{here.path}/deviations", body, by=here.arbiter, If_Match="*")
    if found.status != 201:
        mended(here, "/deviations", body)


def takeback(here: Sitting) -> None:
    """A takeback: at once within the four rules, else the others are asked."""
    about, mover, _ = last_move(here)
    asked = {"to": about - 1, "seat": mover}
    found = here.teller.call("POST", f"{here.path}/takebacks", asked, by=here.seats[mover], If_Match="*")
    if found.status != 201:
        raise Stuck(found.slug)
    while found.body["takeback"]["stage"] == "asked":
        number, seat = found.body["takeback"]["takeback"], found.body["takeback"]["asks"][0]
        found = here.write(f"/takebacks/{number}/consents", {"grant": True}, here.seats[seat], ("version", "takeback"))
    assert found.body["takeback"]["stage"] == "granted"


# -- play goes on, and witnesses ---------------------------------------------------------------------------------------


def witness(here: Sitting) -> None:
    """A report waits for a witness; he contradicts, which disputes it; play goes on, and a phone catches up."""

    def ambiguous(who: int | str, listing: dict[str, Any]) -> bool:
        return who == "chance" and len(listing["legal"]) > 1

    _, listing = here.until(ambiguous)
    away = listing["version"]
    first, second = here.dice.sample([each["move"] for each in listing["legal"]], 2)
    made = here.makes("chance", first, shows=("version", "entry.move", "awaits", "status")).body
    report, seat = made["version"], len(here.seats) - 1
    here.read(f"/seats/{seat}/situation", by=here.seats[seat], shows=("moves.halted", "moves.asked"))
    said = {"holds": False, "saw": second, "move": second}
    here.write(f"/entries/{report}/attestations", said, here.seats[seat], ("version", "entry.events", "status"))
    number = here.about()["disputes"][-1]
    for _ in range(2):
        here.go_on()
    attest(here, number, True)
    if read(here, number, told=False)["stage"] != "ruled":
        settles(here, number)
    here.teller.tell("# the phone of this seat was away since then")
    shows = ("items.0.version", "items.-1.version", "snapshot.version", "snapshot.awaits")
    caught = here.read(f"/entries?viewer=seat:{seat}&after={away}&limit=200", by=here.seats[seat], shows=shows).body
    went_back = any(event["type"] == "table.Rewound" for entry in caught["items"] for event in entry["events"])
    assert (caught["snapshot"] is not None) == went_back


ON_SCREENS: tuple[Lesson, ...] = (illegal_move, wrong_consequence, wrong_refusal, takeback, only_people_know)
AT_A_TABLE: tuple[Lesson, ...] = (misreported, forgotten_card, wrong_count, impossible_table, correction, deviation)
PLAYING_ON: tuple[Lesson, ...] = (witness,)
