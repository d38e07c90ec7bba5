"""Find the match that a person means by a link, a code or its id; sit down."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from referee.cli.client import ApiClient, ApiUnavailableError
from referee.cli.table.drawing.words import Words
from referee.cli.table.following import Line
from referee.cli.table.seats import SavedSeat, list_seats, save_seat
from referee.docs.clients.referee_client import TROUBLE, ProblemError, SeedChain
from referee.infrastructure.errors import HostError
from referee.tournament.state import is_tournament_id

MATCH = re.compile(r"[0-9]{2}-T?[a-z2-7]{20,}")  # or a tournament
WITHOUT_SEED = ("invalid-input", "already-started", "seeds-revealed")  # what is refused with a seed may go without
PAGES = re.compile(r"/(join|play|table|tournament|rounds|v1/matches|v1/tournaments)(/.*)?$")


@dataclass(frozen=True)
class Target:
    """What a person named: the server, and a code, or a match with perhaps a seat."""

    base: str
    code: str = ""
    match: str = ""
    seat: int | None = None


def read_target(named: str, api_url: str) -> Target:
    """Read a link, a code or a match.

    A link names its server; else it is the API's address. Raises HostError.
    """
    base, rest = api_url.rstrip("/"), named.strip()
    if "://" in rest:
        parts = urlsplit(rest)
        if parts.hostname is None:
            raise HostError(f"{named} is no link to a table")
        base = f"{parts.scheme}://{parts.netloc}{PAGES.sub('', parts.path.rstrip('/'))}"
        rest = parts.fragment or parts.path.rstrip("/").rpartition("/")[2]
    match, _, seat = rest.partition("/")
    if MATCH.fullmatch(match):
        return Target(base, match=match, seat=int(seat) if seat.isdecimal() else None)
    if not match:
        raise HostError(f"{named} names no table: it has neither a code nor a match")
    return Target(base, code=match)  # behind it a link may name the role


@dataclass(frozen=True)
class OwnTable:
    """A table that was opened here: the code of its free seat, and the host's token."""

    base: str
    match: str
    code: str
    token: str

    def start(self) -> None:
        """Start the match. Raises HostError."""
        address = f"/v1/matches/{self.match}"
        line = Line(self.base, self.token, self.match)
        version = call(line, "GET", address)["version"]
        call(line, "POST", f"{address}/start", if_match=version)


def open_table(base: str, game: str, level: int, lang: str, edition: str | None = None) -> OwnTable:
    """Open a match with one free seat and bots on the others.

    `edition`: the card book to play with, if not the game's own cards. Raises HostError.
    """
    line = Line(base, language=lang)
    boxes = {box["name"]: box for box in call(line, "GET", "/v1/games")["items"]}
    if game not in boxes:
        raise HostError(f"the API has no {game}; it has {', '.join(boxes)}")
    bots = [{"kind": "bot", "level": level}] * (boxes[game]["min_seats"] - 1)
    chosen = {} if edition is None else {"edition": edition}
    opened = call(line, "POST", "/v1/matches", {"game": game, "seats": [{"kind": "human"}, *bots]} | chosen)
    return OwnTable(base, opened["match"], opened["invitations"][0]["code"], opened["token"])


def find_saved_seat(target: Target | None) -> SavedSeat | None:
    """Return the seat that was taken before: the one meant, or the last one."""
    for saved in list_seats():
        if saved.seat is None and not is_tournament_id(saved.match):
            continue
        if target is None:
            return saved
        is_meant = saved.code.upper() == target.code.upper() if target.code else saved.match == target.match
        if is_meant and saved.base == target.base and target.seat in (None, saved.seat):
            return saved
    return None


def require_server(base: str) -> None:
    """Raise ApiUnavailableError if no API answers."""
    if not ApiClient(base).is_alive():
        raise ApiUnavailableError(f"no API answers at {base}; `referee serve` starts one")


def take_seat(target: Target, name: str, lang: str) -> SavedSeat:
    """Sit down with a code, and keep the token. Raises HostError."""
    line = Line(target.base, language=lang)
    body, chain = {"code": target.code, "lang": lang, **({"name": name} if name else {})}, SeedChain()
    try:
        joined = call(line, "POST", "/v1/join", body | {"seed_commitment": chain.commitment})
    except HostError as refused:
        if not isinstance(refused.__cause__, ProblemError) or refused.__cause__.kind not in WITHOUT_SEED:
            raise
        joined = call(line, "POST", "/v1/join", body)  # such as with the code of a spectator
    if tournament := joined.get("tournament"):
        saved = SavedSeat(target.base, tournament, joined["token"], None, target.code)
        save_seat(saved)
        return saved
    seat = joined["seats"][0] if joined["seats"] else None
    about = call(Line(target.base, joined["token"], language=lang), "GET", f"/v1/matches/{joined['match']}")
    saved = SavedSeat(
        target.base, joined["match"], joined["token"], seat, target.code, about["game"], chain=chain.end.hex()
    )
    save_seat(saved)
    return saved


def find_own_table(saved: SavedSeat, lang: str) -> SavedSeat:
    """Return the seat at the player's table of the current round.

    It is saved from now on.

    Raises HostError if there is none to play at.
    """
    line, words = Line(saved.base, saved.token, language=lang), Words(lang)
    view = call(line, "GET", f"/v1/tournaments/{saved.match}")
    page, player = f"{saved.base}/tournament#{saved.match}", view["you"]["player"]
    if player is None:
        raise HostError(words.t("tournament_office", page=page))
    open_round: dict[str, Any] = next((each for each in reversed(view["rounds"]) if not each["closed"]), {"tables": []})
    table = next((each for each in open_round["tables"] if player in each["players"]), None)
    if table is None:
        raise HostError(words.t("tournament_wait", tournament=saved.match))
    if table["match"] is None:
        raise HostError(words.t("tournament_reported", table=table["table"], page=page))
    seat = table["players"].index(player)
    known = find_saved_seat(Target(saved.base, match=table["match"], seat=seat))
    found = known or SavedSeat(saved.base, table["match"], saved.token, seat, game=view["format"]["game"])
    save_seat(found)
    return found


def show_seed(saved: SavedSeat) -> None:
    """Show the first link of a seat's chain before the start.

    If that fails, the match starts without.
    """
    line = Line(saved.base, saved.token, saved.match, saved.seat or 0)
    with suppress(ProblemError, *TROUBLE):
        line.show_seed(SeedChain(bytes.fromhex(saved.chain)))


def call(line: Line, method: str, path: str, body: Any = None, if_match: int | None = None) -> Any:
    """Make a request. Raises HostError if it is refused or nobody answers."""
    try:
        return line.request(method, path, body, if_match)
    except ProblemError as refused:
        errors = "".join(f"\n  {error['pointer']}: {error['detail']}" for error in refused.body.get("errors", ()))
        told = f"{refused.body.get('title', refused.status)}: {refused.body.get('detail', '')}{errors}"
        raise HostError(told) from refused
    except TROUBLE as wrong:
        raise ApiUnavailableError(f"no API answers at {line.base} ({wrong})") from wrong
