"""A Python client that is generated from the contract draws and plays matches of all games.

Situations come over a stream, by the example client that apps copy.
"""

from __future__ import annotations

import importlib
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from referee.docs.clients.referee_client import Referee, build_move
from referee.games import load_games
from tests.clients.drawing import draw_entry, draw_situation
from tests.clients.house import CONTRACT, served

NAME = "generated_referee_client"
CALLS = {  # call: the room it lies in
    "open_match": "matches", "get_match": "matches", "start_match": "matches", "end_match": "matches",
    "answer_ending": "matches",
    "join_match": "invitations", "list_moves": "moves", "make_move": "moves", "get_situation": "moves",
    "get_view": "boards", "list_entries": "entries", "list_games": "games",
    "judge_position": "rulings", "seat_bot": "seats",
}  # fmt: skip
# kinds of answer that the generator leaves to the caller
EXPECTED = {"application/yaml", "image/svg+xml", "application/x-ndjson"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """The generated package with the calls by name, and what the generator said."""
    generator = shutil.which("openapi-python-client", path=str(Path(sys.executable).parent))
    if generator is None:
        pytest.skip("openapi-python-client is not installed beside this Python")
    where = tmp_path_factory.mktemp("client")
    settings = where / "settings.yaml"
    settings.write_text("post_hooks: []\n")  # no formatter is needed to run it
    command = [generator, "generate", "--path", str(CONTRACT), "--meta", "none", "--config", str(settings)]
    done = subprocess.run(
        [*command, "--output-path", str(where / NAME)], check=True, capture_output=True, text=True, timeout=300
    )
    sys.path.insert(0, str(where))
    try:
        calls = {name: importlib.import_module(f"{NAME}.api.{room}.{name}") for name, room in CALLS.items()}
        package = SimpleNamespace(
            **calls,
            client=importlib.import_module(f"{NAME}.client"),
            models=importlib.import_module(f"{NAME}.models"),
        )
        yield package, done.stdout + done.stderr
    finally:
        sys.path.remove(str(where))
        for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
            del sys.modules[name]


def key() -> str:
    return uuid4().hex


def test_the_generator_understands_all_of_the_contract(made: tuple[Any, str]) -> None:
    package, said = made
    left_out = [line for line in said.splitlines() if line.startswith(("Unable", "Cannot", "ERROR", "Attempted"))]
    assert [line for line in left_out if not any(kind in line for kind in EXPECTED)] == []
    for name in ("MonsterCombatMatchBody", "HereToSlayMatchBody", "ShyMonstersMatchBody", "McPlayMove", "HtsPlayMove"):
        assert hasattr(package.models, name), name


SETUPS = [
    *((name, variant, "server") for name, game in load_games().items() for variant in game.variants),
    *((name, game.variants[0], "table") for name, game in load_games().items()),
]


class Chair:
    """A seat of a match, played by the generated client; situations come from a stream."""

    def __init__(self, package: Any, base: str, joined: Any) -> None:
        self.package = package
        self.client = package.client.AuthenticatedClient(base_url=base, token=joined.token)
        self.news = Referee(base, joined.token, joined.match, joined.seats[0], "de").stream_situations()
        self.now: Any = None

    def situation_at(self, version: int) -> Any:
        """The situation at this version or a later one."""
        while self.now is None or self.now.version < version:
            self.now = self.package.models.Situation.from_dict(next(self.news).data)
        return self.now


def list_offers(listing: Any, dice: random.Random) -> list[Any]:
    """What a player who wants to play on would choose from: mostly moves that do more than pass."""
    willing = [each for each in listing.legal if each.flag != "gives_up" and each.move.type_ != "cc.offer_draw"]
    active = [each for each in willing if each.flag is None]
    return [*(active if active and dice.randrange(4) else willing), *listing.pickers]


def make_any_move(package: Any, chair: Chair, match: str, seat: Any, listing: Any, dice: random.Random) -> Any:
    """Try moves until one is accepted; what a picker leaves open is drawn."""
    said: Any = None
    for _ in range(TRIES):
        offer = dice.choice(list_offers(listing, dice))
        move = build_move(offer.to_dict(), dice) if isinstance(offer, package.models.Picker) else offer.move.to_dict()
        body = package.models.MoveBody.from_dict({"move": move, "seen": listing.version})
        said = package.make_move.sync(match, str(seat), client=chair.client, body=body, idempotency_key=key())
        if isinstance(said, package.models.MoveResult):
            return said
        assert said.type_ == "/problems/illegal-move", said
    raise AssertionError(said)


@pytest.mark.parametrize(("game", "variant", "chance"), SETUPS, ids=lambda part: part)
def test_a_generated_client_draws_and_plays_matches(
    made: tuple[Any, str], game: str, variant: str, chance: str
) -> None:
    package, _ = made
    models, dice = package.models, random.Random(f"{game} {variant} {chance}")
    with served() as (base, _app):
        anyone = package.client.Client(base_url=base, raise_on_unexpected_status=True)
        assert game in [box.name for box in package.list_games.sync(client=anyone).items]
        chairs = [{"kind": "human"}] * load_games()[game].min_seats
        kind = getattr(models, "".join(map(str.capitalize, game.split("_"))) + "MatchBody")
        body = kind.from_dict({"game": game, "variant": variant, "chance": chance, "seats": chairs})
        opened = package.open_match.sync(client=anyone, body=body, idempotency_key=key())
        assert isinstance(opened, models.OpenedMatch), opened
        host, match = package.client.AuthenticatedClient(base_url=base, token=opened.token), opened.match
        people = []
        for invitation in opened.invitations:
            join = models.JoinBody(code=invitation.code, name="Ada")
            joined = package.join_match.sync(client=anyone, body=join, idempotency_key=key())
            assert isinstance(joined, models.JoinedMatch), joined
            people.append(Chair(package, base, joined))
        about = package.get_match.sync(match, client=host)
        done = package.start_match.sync(match, client=host, idempotency_key=key(), if_match=f'"v{about.version}"')
        assert isinstance(done, models.WriteResult), done

        made_moves = 0
        while done.status == "running" and made_moves < LONGEST.get(game, MOST):
            situations = [chair.situation_at(done.version) for chair in people]
            assert all(draw_situation(situation) for situation in situations)
            seat = dice.choice([each for each in done.awaits if isinstance(each, int) or each == "chance"])
            chair = people[0 if seat == "chance" else seat]
            if seat == "chance":
                listing = package.list_moves.sync(match, "chance", client=chair.client)
            else:
                listing = situations[seat].moves
            done = make_any_move(package, chair, match, seat, listing, dice)
            assert all(draw_entry(entry) for entry in (done.entry, *done.followed))
            made_moves += 1
        if done.status == "running":  # an end needs everybody
            end = models.EndBody(reason=models.EndBodyReason("abandoned"))
            package.end_match.sync(match, client=host, body=end, idempotency_key=key(), if_match=f'"v{done.version}"')
            proposed = package.get_match.sync(match, client=host).ending
            for chair in people:
                consent = models.ConsentBody(grant=True)
                package.answer_ending.sync(
                    match, proposed.ending, client=chair.client, body=consent, idempotency_key=key()
                )

        full = package.get_view.sync(match, client=people[0].client, viewer="full")
        assert isinstance(full, models.View)
        assert full.outcome is not None
        last = people[0].situation_at(full.version)
        assert draw_situation(last)[0].startswith(f"v{full.version}")
        assert list(people[0].news) == [], "the stream ends with the match"
        assert package.get_situation.sync(match, 0, client=people[0].client) is not None


TRIES = 200  # moves put together at random until one is accepted
LONGEST = {"munchkin": 300}  # moves of a match that is waited for
MOST = 6000  # a match of any other game ends before
