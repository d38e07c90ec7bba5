"""A match on a served program, with people on all its seats who play by chance over HTTP, as any app does."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.tours.curl import Answer, Teller

SEATS = {"shy_monsters": 2, "creature_crush": 2}  # of people; three elsewhere
WAITS = 100  # looks, while a window is open that time alone closes
ENDS = ("concede", "leave", "resign", "draw")


class Stuck(Exception):
    """What was looked for did not come in this match."""


@dataclass
class Sitting:
    """A running match with the tokens of all who belong to it."""

    teller: Teller
    game: str
    match: str
    host: str
    seats: tuple[str, ...]
    arbiter: str
    dice: random.Random = field(default_factory=random.Random)

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match}"

    def about(self) -> dict[str, Any]:
        """What the match says of itself."""
        return dict(self.teller.call("GET", self.path, by=self.host, shows=None).body)

    def read(self, path: str, *, by: str | None = None, shows: tuple[str, ...] | None = None, **more: str) -> Answer:
        """Something of this match; with `shows` it is told."""
        return self.teller.call("GET", f"{self.path}{path}", by=by or self.host, shows=shows, **more)

    def write(
        self, path: str, body: Any, by: str, shows: tuple[str, ...] | None = (), *, refused: str = "", **more: str
    ) -> Answer:
        """A write that has to succeed, or to be refused with this problem."""
        found = self.teller.call("POST", f"{self.path}{path}", body, by=by, shows=shows, **more)
        assert found.slug == refused, (path, body, found)
        assert (found.status == 201) is not bool(refused), (path, body, found)
        return found

    def others(self, seat: int) -> list[int]:
        return [each for each in range(len(self.seats)) if each != seat]

    # -- playing -------------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """One move by chance, if somebody is asked for one."""
        self.confirmed()
        if self.about()["awaits"]:
            self.moves()

    def confirmed(self) -> None:
        """Where a report waits for a witness, the first who is asked confirms it."""
        waits = self.about()["witness"]
        if waits is not None:
            seat = waits["asks"][0]
            self.write(f"/entries/{waits['report']}/attestations", {"holds": True}, self.seats[seat], None)

    def following(self) -> tuple[int | str, dict[str, Any]]:
        """Whose move it is, and what he may do. Raises Stuck once nobody is asked."""
        self.confirmed()
        for _ in range(WAITS):
            awaits = self.about()["awaits"]
            if not awaits:
                raise Stuck("nobody is awaited")
            if awaits != ["clock"]:
                break
            time.sleep(0.2)
        awaits = [who for who in awaits if who != "clock"]
        if not awaits:
            raise Stuck("the clock does not come")
        who = "chance" if "chance" in awaits else self.dice.choice(awaits)
        by = self.seats[0] if who == "chance" else self.seats[who]
        return who, dict(self.read(f"/seats/{who}/moves?near=5&whole=true", by=by).body)

    def moves(self, most: int = 1) -> Answer:
        """Plays so many moves by chance; what the last of them came to."""
        made = None
        for _ in range(most):
            who, listing = self.following()
            made = self.makes(who, self.chosen(listing))
        assert made is not None
        return made

    def chosen(self, listing: dict[str, Any]) -> dict[str, Any]:
        legal = [each["move"] for each in listing["legal"] if not each["move"]["type"].endswith(ENDS)]
        if not legal:
            raise Stuck("nothing but giving up is listed")
        return dict(self.dice.choice(legal))

    def makes(self, who: int | str, move: dict[str, Any], shows: tuple[str, ...] | None = None, **more: Any) -> Answer:
        by = self.seats[0] if who == "chance" else self.seats[int(who)]
        return self.write(f"/seats/{who}/moves", {"move": move, **more}, by, shows)

    def makes_not(self, seat: int, move: dict[str, Any]) -> Answer:
        """A move that is refused; the refusal is told."""
        found = self.teller.call("POST", f"{self.path}/seats/{seat}/moves", {"move": move}, by=self.seats[seat])
        assert found.status == 409, found
        return found

    def until(self, wanted: Callable[[int | str, dict[str, Any]], bool], most: int = 250) -> Any:
        """Plays on until whoever is awaited may do what is wanted; who it is, and the listing. Raises Stuck."""
        for _ in range(most):
            who, listing = self.following()
            if wanted(who, listing):
                return who, listing
            self.makes(who, self.chosen(listing))
        raise Stuck("what was looked for never came")


def opened(teller: Teller, game: str, seed: str, shows: tuple[str, ...] | None = None, **body: Any) -> Sitting:
    """A match that everybody has joined and that has begun, with an arbiter who has no seat."""
    asked = {"game": game, "seats": [{"kind": "human"}] * SEATS.get(game, 3), "visibility": "public", **body}
    made = teller.call("POST", "/v1/matches", asked, shows=shows)
    assert made.status == 201, made
    match, host = made.body["match"], made.body["token"]
    teller.names |= {match: "$match", host: "$host"}
    path = f"/v1/matches/{match}"
    code = teller.call("POST", f"{path}/invitations", {"role": "arbiter"}, by=host, shows=None).body["code"]
    arbiter = teller.call("POST", "/v1/join", {"code": code}, shows=None).body["token"]
    teller.names[arbiter] = "$arbiter"
    tokens = []  # of players, who sit down after the arbiter has come, and so accept the arbiter
    for seat, invitation in enumerate(made.body["invitations"]):
        joined = teller.call("POST", "/v1/join", {"code": invitation["code"]}, shows=None)
        assert joined.status == 201, joined
        teller.names[joined.body["token"]] = f"$seat{seat}"
        tokens.append(joined.body["token"])
    started = teller.call("POST", f"{path}/start", by=host, shows=None, If_Match="*")
    assert started.status == 201, started
    return Sitting(teller, game, match, host, tuple(tokens), arbiter, random.Random(f"{game}-{seed}"))
