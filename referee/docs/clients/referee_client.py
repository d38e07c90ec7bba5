"""A client of the referee to copy into an app: retries, and streams that resume.

It needs the standard library, and for signatures `cryptography`. Bodies are plain data as the contract describes them;
classes for them can be generated from the contract.

    anyone, chain = Referee("http://localhost:8000"), SeedChain()
    ada = anyone.join("K7MQ2X", "Ada", chain)
    key = ada.name_key(DeviceKey())
    for event in ada.stream_situations():
        draw(event.data["view"]["board"])
        move = choose(event.data["moves"]["legal"])["move"]
        ada.make_move(move, seen=event.data["version"], chain=chain, key=key, root=event.data["root"])

The chain gives Ada a share in the server's draws, and with the key her moves are signed, so that nobody can make up one
in her name. Everything works without as well.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import random
import secrets
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

TRIES = 6  # of one request, before it is given up
LONGEST_WAIT = 20.0  # seconds between two tries, unless the app is more impatient
SILENCE = 60.0  # seconds without a byte after which a stream counts as lost; the server sends something more often
AGAIN = (429, 502, 503, 504)  # nothing was decided: the same request may be sent again
FIRST_LINKS = 2  # links to show before the start
STATE_LENGTH = 16  # digits of an id that is a hash, as in a player's stream
CHAIN_LENGTH = 1000  # links of a chain; a draw uses up one at most
SEED_LABEL = b"referee/v1/seed|"
SIGNED_LABEL = "referee/v1/move"
SIGNATURE_PROBLEM = "signature-misfit"  # likewise: the seat has another key, or the server another history
LINK_PROBLEMS = ("link-mismatch", "seed-mismatch", "seed-unbound")  # the move itself may be right
TROUBLE = (OSError, http.client.HTTPException)  # the connection failed, so nobody knows what the server did


class ProblemError(Exception):
    """A request was refused; `body` is the problem document (RFC 9457) that says why.

    `kept` is what proves later that the server refused a signed move: keep it as a line of JSON for
    `referee verify --refusals`.
    """

    kept: dict[str, Any] | None = None

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status} {body.get('type', '')}: {body.get('detail', '')}")
        self.status, self.body = status, body
        self.kind = str(body.get("type", "")).removeprefix("/problems/")

    @property
    def is_overtaken(self) -> bool:
        """Whether somebody else was faster.

        Nothing is wrong then: look at the next situation, and ask the player again.
        """
        return self.status == 412 or self.kind in ("overtaken", "window-closed", "match-over")

    @property
    def is_against_the_rules(self) -> bool:
        """Whether the rules forbid the move.

        `body["ruling"]` says why, with clauses and moves that are allowed; `body["legal"]` lists what is legal.
        """
        return self.kind == "illegal-move"


@dataclass(frozen=True)
class Event:
    """An event of a stream: its name, its data, and the version it belongs to.

    `id` is what resumes the stream after it; in a player's stream it is no version.
    """

    name: str
    data: Any
    version: int | None
    id: str = ""


class Dice(Protocol):
    """What chooses, where a picker leaves open what is meant."""

    def choice(self, of: Any, /) -> Any: ...
    def randint(self, least: int, most: int, /) -> int: ...
    def sample(self, of: Any, count: int, /) -> Any: ...


class SeedChain:
    """The chain of hashes that a seat adds to the server's draws.

    With it nobody decides the draws alone. Each link is the SHA-256 of a label and the link after it. The seat commits
    to the first and shows one after the other with its moves. Keep `end` where only the app can read it, and restore
    the chain from it after a restart.
    """

    def __init__(self, end: bytes = b"", length: int = CHAIN_LENGTH) -> None:
        self.end = end or secrets.token_bytes(32)
        links = [self.end]
        for _ in range(length):
            links.append(hashlib.sha256(SEED_LABEL + links[-1]).digest())
        self.links = [link.hex() for link in reversed(links)]
        self.at = 0  # the place of the newest link that the match has

    @property
    def commitment(self) -> str:
        """Return what the seat commits to when it joins, or later with `PUT …/seed`."""
        return self.links[0]

    @property
    def next_link(self) -> str | None:
        """Return the link to show next.

        It stays the same until the match has taken it; None at the end of the chain.
        """
        return self.links[self.at + 1] if self.at + 1 < len(self.links) else None

    def note_answer(self, answer: Any) -> None:
        """Note by the answer to a move whether its link was taken."""
        for event in answer["entry"]["events"]:
            if event["type"] == "table.LinkRevealed":
                self._go_to(event["link"])

    def follow(self, seeds: list[Any], seat: int) -> bool:
        """Go on from the link that the match has of a seat, by its `seeds`.

        Return whether the seat is bound to this chain.
        """
        bound = next((each for each in seeds if each["seat"] == seat), None)
        if bound is None or bound["commitment"] != self.commitment:
            return False
        self._go_to(bound["seed"])
        return True

    def _go_to(self, link: str | None) -> None:
        if link in self.links:
            self.at = max(self.at, self.links.index(link))


class DeviceKey:
    """The key with which the device of a seat signs its moves.

    Make one for each match, so that nobody links them by it. Keep `secret` where only the app can read it, and restore
    the key from it after a restart.
    """

    def __init__(self, secret: bytes = b"") -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # only apps that sign need it

        self.secret = secret or secrets.token_bytes(32)
        self._key = Ed25519PrivateKey.from_private_bytes(self.secret)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, match: str, seat: int, seen: int, root: str, move: Any, link: str = "") -> dict[str, str]:
        """Return what is sent as `signed` with a move.

        `root` is that of the situation with the version `seen`. With it the device signs all that came before. `link`
        is what goes with the move of the seat's chain.
        """
        nonce = secrets.token_bytes(16)
        encoded = json.dumps(move, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
        digest = hashlib.sha256(f"{SIGNED_LABEL}|".encode() + nonce + encoded).hexdigest()
        text = f"{SIGNED_LABEL}\n{match}\n{seat}\n{seen} {root}\n{link or '-'}\n{digest}\n"
        return {"nonce": nonce.hex(), "signature": self._key.sign(text.encode()).hex()}


@dataclass(frozen=True)
class Referee:
    """A person who calls the server: with a token, or without one.

    `match` and `seat`, or `tournament`, are where the token belongs, as `join` returned it.
    """

    base: str
    token: str = ""
    match: str = ""
    seat: int = 0
    language: str = "en"
    longest_wait: float = LONGEST_WAIT
    tournament: str = ""

    def join(self, code: str, name: str, chain: SeedChain | None = None) -> Referee:
        """Use the code of an invitation, and return the client that acts with its token.

        A seat is bound to the chain, if there is one. A code may also be of an onlooker, an arbiter or a tournament.
        """
        bound = {"seed_commitment": chain.commitment} if chain else {}
        joined = self.request("POST", "/v1/join", {"code": code, "name": name, **bound})
        seat = next(iter(joined["seats"]), 0)
        there = {"match": joined["match"], "tournament": joined.get("tournament", "")}
        return replace(self, token=joined["token"], seat=seat, **there)

    def get_situation(self) -> Any:
        """Return the board of this seat and what it may do."""
        return self.request("GET", f"{self.seat_path(self.seat)}/situation")

    def list_moves(self, seat: int | str) -> Any:
        """List the moves of a seat, or of `chance` at a table with real cards or dice."""
        return self.request("GET", f"{self.seat_path(seat)}/moves")

    def name_key(self, key: DeviceKey) -> DeviceKey:
        """Name the key with which this device signs the moves of its seat, and return it."""
        self.request("PUT", f"{self.seat_path(self.seat)}/key", {"key": key.public})
        return key

    def make_move(
        self,
        move: Any,
        seen: int,
        seat: int | str | None = None,
        chain: SeedChain | None = None,
        key: DeviceKey | None = None,
        root: str = "",
    ) -> Any:
        """Make a move that was decided on at version `seen`, and return the result.

        The next link of the seat's chain goes with it. It is signed if the device has a key and `root` is that of the
        situation. Raises ProblemError. If it `is_overtaken`, wait for the next situation.
        """
        seat = self.seat if seat is None else seat
        body = {"move": move, "seen": seen}
        link = {"link": chain.next_link} if chain and chain.next_link and seat == self.seat else {}
        if key and root and seat == self.seat:
            body["signed"] = key.sign(self.match, self.seat, seen, root, move, link.get("link", ""))
        try:
            made = self.request("POST", f"{self.seat_path(seat)}/moves", body | link)
        except ProblemError as refused:
            if "signed" in body and "refusal" in refused.body:
                refused.kept = {"note": refused.body["refusal"], "nonce": body["signed"]["nonce"], "move": move}
            if refused.kind == SIGNATURE_PROBLEM and "signed" in body:
                return self.make_move(move, seen, seat, chain)
            if not chain or not link or refused.kind not in LINK_PROBLEMS:
                raise
            if not chain.follow(self.request("GET", f"/v1/matches/{self.match}")["seeds"], self.seat):
                chain = None  # the seat is bound to the chain of another device
            chain = chain if chain and chain.next_link != link["link"] else None
            return self.make_move(move, seen, seat, chain, key, root)
        if chain:
            chain.note_answer(made)
        return made

    def show_seed(self, chain: SeedChain) -> None:
        """Show the first links of the chain before the start, once all are bound.

        Nobody who bound himself before the first was written can know the second.
        """
        while chain.at < FIRST_LINKS:
            self.request("PUT", f"{self.seat_path(self.seat)}/seed", {"reveal": chain.next_link})
            chain.follow(self.request("GET", f"/v1/matches/{self.match}")["seeds"], self.seat)

    def write_at_present(self, path: str, body: Any = None) -> Any:
        """Make a write that needs `If-Match`, at the version that the match has now.

        For starting a match and the like, where it does not matter what happened since the caller looked.
        """
        while True:
            version = self.request("GET", f"/v1/matches/{self.match}")["version"]
            try:
                return self.request("POST", path, body, if_match=version)
            except ProblemError as refused:
                if refused.status != 412:
                    raise

    def seat_path(self, seat: int | str) -> str:
        """Return the address of a seat of the match."""
        return f"/v1/matches/{self.match}/seats/{seat}"

    def request(self, method: str, path: str, body: Any = None, if_match: int | None = None, key: str = "") -> Any:
        """Make a request and return the body of the answer.

        Every try of a write has the same idempotency key, so it is done once however often the connection fails. Give
        a `key` that you have stored before to repeat a write after the app was restarted. Raises ProblemError, also if
        the server asks for a longer wait than `longest_wait`, or OSError if it was not reached in `TRIES` tries.
        """
        headers = {"Idempotency-Key": key or uuid.uuid4().hex} if method != "GET" else {}
        if if_match is not None:
            headers["If-Match"] = f'"v{if_match}"'
        for number in range(1, TRIES + 1):
            try:
                with self.send(method, path, headers, body) as answer:
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as refused:
                wait = float(refused.headers.get("Retry-After") or 0)
                if refused.code not in AGAIN or number == TRIES or wait > self.longest_wait:
                    raise read_problem(refused) from None
            except TROUBLE:
                if number == TRIES:
                    raise
                wait = 0.0
            time.sleep(wait or draw_wait(number, self.longest_wait))
        raise AssertionError("the last try returns or raises")

    def send(self, method: str, path: str, headers: dict[str, str], body: Any = None) -> Any:
        """Send a request, and return the answer as soon as it begins."""
        sent = {"Accept-Language": self.language, **headers}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.base + path, data, sent, method=method)
        return urllib.request.urlopen(asked, timeout=SILENCE)

    def stream_situations(self) -> Iterator[Event]:
        """Yield the situation of the seat now, and after each change until the end."""
        stream = self.stream(f"/v1/matches/{self.match}/stream?viewer=seat:{self.seat}&send=situations")
        return (event for event in stream if event.name == "situation")

    def stream(self, path: str, after: int | str | None = None) -> Iterator[Event]:
        """Yield the events of a stream, and resume it when the connection is lost.

        It ends with the event `end`, or if there is nothing more. Raises ProblemError if the stream is refused.
        """
        failed = 0
        while True:
            headers = {"Accept": "text/event-stream"}
            if after is not None:
                headers["Last-Event-ID"] = str(after)
            try:
                with self.send("GET", path, headers) as answer:
                    if answer.status == 204:
                        return
                    for event in read_events(answer):
                        failed = 0
                        after = event.id or after
                        yield event
                        if event.name == "end":
                            return
                wait = 0.0
            except urllib.error.HTTPError as refused:
                if refused.code not in AGAIN:
                    raise read_problem(refused) from None
                wait = float(refused.headers.get("Retry-After") or 0)
            except TROUBLE:
                wait = 0.0
            failed += 1
            time.sleep(wait or draw_wait(failed, self.longest_wait))


def read_events(lines: Iterator[bytes]) -> Iterator[Event]:
    """Yield the events in the lines of a stream (WHATWG HTML, 9.2).

    One that was cut off is dropped.
    """
    name, data, known = "", "", ""
    for line in lines:
        # a line that was cut off may end within a letter; its event is dropped below, for no empty line follows
        field, _, value = line.decode(errors="replace").rstrip("\r\n").partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data += value
        elif field == "id":
            known = value
        elif not field and not value:  # an empty line ends an event; a line with a colon first is a comment
            if data:
                version = int(known) if known.isdecimal() and len(known) < STATE_LENGTH else None
                yield Event(name, json.loads(data), version, known)
            name, data, known = "", "", ""


def read_problem(refused: urllib.error.HTTPError) -> ProblemError:
    """Return an answer that is no success as an exception."""
    with refused:
        try:
            body = json.loads(refused.read())
        except ValueError:  # of a proxy on the way
            body = {}
    return ProblemError(refused.code, body if isinstance(body, dict) else {})


def draw_wait(failed: int, longest: float = LONGEST_WAIT) -> float:
    """Return the seconds until the next try: more each time.

    They are drawn, so that clients do not come all at once.
    """
    return random.uniform(0.5, 1) * min(longest, 0.25 * 2.0**failed)


def build_move(picker: dict[str, Any], dice: Dice) -> dict[str, Any]:
    """Return a move of a picker's kind, with everything drawn that it leaves open.

    An app lets its player choose instead. A picker may allow more than the rules do: then the move is refused.
    """
    chosen = {each["field"]: choose_value(each, dice) for each in picker["choices"]}
    return {**picker["move"], **chosen}


def choose_value(choice: dict[str, Any], dice: Dice) -> Any:
    """Return a value for one field of a move."""
    values, least, most = choice["values"], choice["least"], choice["most"]
    match choice["kind"]:
        case "one":
            return dice.choice(values)
        case "number":
            return dice.randint(least, most)
        case "several":
            cards = spread_copies(choice)
            count = dice.randint(least or 0, len(cards) if most is None else min(most, len(cards)))
            return list(dice.sample(cards, count))
        case "places":  # cards with coordinates: laid in one row here
            laid = enumerate(dice.sample(spread_copies(choice), least))
            return [{"card": card, "x": 0, "y": row + 1} for row, card in laid]
        case "changes":  # what a card did that the table carries out: nothing here
            return []
        case _:
            return "-"


def spread_copies(choice: dict[str, Any]) -> list[Any]:
    """Return the values of a choice, each as often as it may be chosen."""
    copies = choice["copies"] or [choice["most"] or 1] * len(choice["values"])
    return [value for value, many in zip(choice["values"], copies, strict=True) for _ in range(many)]
