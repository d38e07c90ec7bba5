"""A Python client that is generated from the contract, and from nothing else, plays a match to its end."""

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

from tests.clients.house import CONTRACT, served

NAME = "generated_referee_client"
CALLS = {  # call: the room it lies in
    "open_match": "matches", "get_match": "matches", "start_match": "matches", "end_match": "endings",
    "answer_end": "endings",
    "join_match": "seats", "list_moves": "moves", "make_move": "moves", "get_situation": "moves",
    "get_seat_view": "log", "list_entries": "log", "get_full_view": "log", "list_games": "games",
    "judge_position": "rulings", "seat_bot": "bots",
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
        [*command, "--output-path", str(where / NAME)], check=True, capture_output=True, text=True, timeout=120
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


@pytest.mark.parametrize("game", ["monster_combat", "shy_monsters", "here_to_slay"])
def test_a_generated_client_plays_a_match_to_its_end(made: tuple[Any, str], game: str) -> None:
    package, _ = made
    models, dice = package.models, random.Random(game)
    body = {
        "monster_combat": models.MonsterCombatMatchBody,
        "shy_monsters": models.ShyMonstersMatchBody,
        "here_to_slay": models.HereToSlayMatchBody,
    }[game]
    with served() as (base, _app):
        anyone = package.client.Client(base_url=base, raise_on_unexpected_status=True)
        assert game in [box.name for box in package.list_games.sync(client=anyone).items]
        chair = models.ChairBody(kind=models.ChairBodyKind("human"))
        opened = package.open_match.sync(
            client=anyone, body=body(game=game, seats=[chair, chair]), idempotency_key=key()
        )
        assert isinstance(opened, models.OpenedMatch), opened

        def person(token: str) -> Any:
            return package.client.AuthenticatedClient(base_url=base, token=token)

        host, match = person(opened.token), opened.match
        people = []
        for invitation in opened.invitations:
            join = models.JoinBody(code=invitation.code, name="Ada")
            joined = package.join_match.sync(client=anyone, body=join, idempotency_key=key())
            assert isinstance(joined, models.JoinedMatch), joined
            people.append(person(joined.token))
        started = package.start_match.sync(match, client=host, idempotency_key=key(), if_match='"v3"')
        assert isinstance(started, models.WriteResult), started

        made_moves = 0
        while True:
            about = package.get_match.sync(match, client=host)
            if about.status != models.MatchStatus("running"):
                break
            seat = dice.choice([each for each in about.awaits if isinstance(each, int)])
            listed = package.list_moves.sync(match, str(seat), client=people[seat])
            assert isinstance(listed, models.MoveListing)
            willing = [each.move for each in listed.legal if type(each.move).__name__ not in GIVING_UP]
            move = dice.choice(willing or [each.move for each in listed.legal])
            played = package.make_move.sync(
                match,
                str(seat),
                client=people[seat],
                body=models.MoveBody(move=move, seen=listed.version),
                idempotency_key=key(),
                prefer="return=representation",
            )
            assert isinstance(played, models.MoveResult), played
            stands = package.get_situation.sync(match, seat, client=people[seat])
            assert isinstance(stands, models.Situation), stands
            assert stands == played.situation
            made_moves += 1
            if made_moves == LONGEST:
                end = models.EndBody(reason=models.EndBodyReason("abandoned"))
                version = f'"v{played.version}"'
                package.end_match.sync(match, client=host, body=end, idempotency_key=key(), if_match=version)
                proposed = package.get_match.sync(match, client=host).ending
                for one in people:  # an end needs everybody
                    consent = models.ConsentBody(grant=True)
                    package.answer_end.sync(match, proposed.ending, client=one, body=consent, idempotency_key=key())

        assert made_moves > 2  # a floor of Shy Monsters may be over soon
        full = package.get_full_view.sync(match, client=people[0])
        assert isinstance(full, models.View)
        assert full.outcome is not None
        again = package.make_move.sync(
            match, "0", client=people[0], body=models.MoveBody(move=move), idempotency_key=key()
        )
        assert isinstance(again, models.Problem)
        assert again.type_ == "/problems/match-over"


GIVING_UP = ("SmConcedeMove", "SmClaimMove", "HtsLeaveMove")
LONGEST = 250  # moves of the longest match that is waited for
