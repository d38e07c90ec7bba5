"""The examples of the documentation are run, and what TEN_CALLS.md shows is what a server answers."""

from __future__ import annotations

import json
import random
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from referee.docs.clients.referee_client import Event, Referee
from referee.docs.examples import own_bot, rulings_bot, ten_calls, webhook_receiver
from referee.eventstore.memory.log import MemoryLog
from tests.api import house
from tests.clients.house import served
from tests.service import house as desks
from tests.workers.posting import Sent, post
from workers.webhooks.dispatcher import Dispatcher

DOCS = Path(ten_calls.__file__).parents[1]
PAGE = (DOCS / "TEN_CALLS.md").read_text("utf-8")
ID = re.compile(r"[0-9]{2}-[a-z2-7]{26}")
MOST_LINES = 120


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served() as (base, _app):
        yield base


def test_an_example_is_short() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in (DOCS / "examples").glob("*.py")}
    assert len(lengths) == 4
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


@pytest.mark.parametrize("example", [own_bot, rulings_bot, ten_calls, webhook_receiver])
def test_an_example_without_arguments_says_how_it_is_called(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["example"])
    with pytest.raises(SystemExit, match=f"python -m {example.__name__} "):
        example.main()


# -- ten calls ------------------------------------------------------------------------------------------------------


class Line:
    """What an app asked and was answered, by the call as TEN_CALLS.md writes it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: dict[str, Any] = {}
        request, stream = Referee.request, Referee.stream

        def noted(me: Referee, method: str, path: str, *given: Any, **more: Any) -> Any:
            answer = request(me, method, path, *given, **more)
            self.answers.setdefault(generalize(f"{method} {path}"), answer)
            return answer

        def noted_stream(me: Referee, path: str, *given: Any) -> Iterator[Event]:
            for event in stream(me, path, *given):
                self.answers.setdefault(generalize(f"GET {path}"), event.data)
                yield event

        monkeypatch.setattr(Referee, "request", noted)
        monkeypatch.setattr(Referee, "stream", noted_stream)


def generalize(call: str) -> str:
    """A call without what is another in each match: its id, the seat, the entry."""
    call = ID.sub("{match}", call)
    call = re.sub(r"/entries/[0-9]+", "/entries/6", call)
    return re.sub(r"(/seats/|seat:)1", r"\g<1>0", call)


def read_page() -> list[tuple[str, Any]]:
    """The calls of the page, each with the answer that it shows."""
    calls = re.findall(r"^```http\n(\S+ \S+) HTTP/1.1\n.*?^```$.*?^```(json|text)\n(.*?)^```$", PAGE, re.M | re.S)
    return [(call, json.loads(answer) if kind == "json" else None) for call, kind, answer in calls]


def find_missing(shown: Any, answer: Any, at: str = "") -> list[str]:
    """The members that the page shows and the answer lacks; of lists the first element counts."""
    if isinstance(shown, dict):
        if not isinstance(answer, dict):
            return [at]
        return [
            missing
            for name, value in shown.items()
            for missing in (find_missing(value, answer[name], f"{at}/{name}") if name in answer else [f"{at}/{name}"])
        ]
    if isinstance(shown, list) and shown and isinstance(shown[0], dict):
        return find_missing(shown[0], next(iter(answer), None), f"{at}/0")
    return [] if type(shown) is type(answer) else [at]


def test_the_page_shows_ten_calls_as_they_are_answered(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ten_calls, "Referee", partial(Referee, language="*"))
    line = Line(monkeypatch)
    told = ten_calls.play(server, settings={"max_turns": 20})
    page = read_page()
    assert len(page) == 10
    assert [call for call, _ in page if call not in line.answers] == []
    wrong = {call: find_missing(shown, line.answers[call]) for call, shown in page if shown is not None}
    assert {call: missing for call, missing in wrong.items() if missing} == {}
    assert told[0] == "Mau-Mau, 2 to 4 seats"
    assert told[1].endswith("(MM-DRAW-1, MM-DRAW-2)")
    assert any(re.match(r"MM-[A-Z]+-[0-9]+: ", each) for each in told)


def test_what_the_page_makes_up_is_noticed() -> None:
    answer = {"items": [{"name": "mau_mau", "seats": 2}], "next": None}
    assert find_missing({"items": [{"name": "x"}]}, answer) == []
    assert find_missing({"items": [{"title": "x"}], "more": True}, answer) == ["/items/0/title", "/more"]
    assert find_missing({"items": [{"name": 7}]}, answer) == ["/items/0/name"]


# -- a bot of one's own -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "settings"), [("mau_mau", {"max_turns": 20}), ("monster_combat", {})])
def test_two_bots_of_ones_own_play_a_match_to_its_end(server: str, game: str, settings: dict[str, Any]) -> None:
    anyone = Referee(server)
    opened = anyone.request(
        "POST", "/v1/matches", {"game": game, "seats": [{"kind": "human"}] * 2, "settings": settings}
    )
    bots = [anyone.join(each["code"], name) for each, name in zip(opened["invitations"], "AB", strict=True)]
    Referee(server, opened["token"], opened["match"]).write_at_present(f"/v1/matches/{opened['match']}/start")
    made: dict[int, int] = {}
    threads = [
        threading.Thread(target=lambda me=bot: made.update({me.seat: own_bot.play_seat(me, random.Random(me.seat))}))
        for bot in bots
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert set(made) == {0, 1}, "both have seen the end"
    assert min(made.values()) > 0
    assert bots[0].request("GET", f"/v1/matches/{opened['match']}")["status"] == "finished"


# -- rulings in a chat ------------------------------------------------------------------------------------------------


def test_a_bot_in_a_chat_answers_with_the_clause(server: str) -> None:
    bot = rulings_bot.RulingsBot(Referee(server))
    assert bot.reply("may I play the shield?") == rulings_bot.HELP, "no table has been named"
    assert bot.reply("Nice weather, isn't it?") is None
    assert str(bot.reply("table monster_combat")).startswith('On the table: {"variant": "V1"')
    answer = str(bot.reply("May I play the shield now?"))
    assert "That is not legal" in answer
    assert "\nMC-SHIELD-1: " in answer
    assert "\nInstead: Legal now: Play Sword." in answer
    assert "That is legal" in str(bot.reply("may I play my sword?"))
    assert str(bot.reply("may I fly?")).startswith("Which move do you mean? Play no card.")
    assert str(bot.reply("clause shield")).startswith("MC-")
    assert bot.reply("clause zeppelin") == "No clause says that."


def test_a_bot_in_a_chat_says_what_is_wrong_with_a_table(server: str) -> None:
    bot = rulings_bot.RulingsBot(Referee(server))
    assert "Unknown game" in str(bot.reply("table chess"))
    assert str(bot.reply("table mau_mau {")).startswith("That position is no JSON")
    jack = {
        "players": [{"hand": ["clubs_jack", "clubs_9"]}, {"hand": 4}],
        "discard": {"cards": ["hearts_jack"], "more": True},
    }
    turn = {"wish": "spades", "question": {"asks": "turn", "seat": 0}}
    bot.reply(f"table mau_mau {json.dumps(jack | turn)}")
    assert "MM-" in str(bot.reply("may I play the jack of clubs?"))


# -- a receiver of webhooks -------------------------------------------------------------------------------------------


def test_a_receiver_takes_what_the_server_signs_once_and_nothing_else() -> None:
    log, heard, now = MemoryLog(), [], [0.0]
    app = house.app(desks.service(log))
    table = house.opened(app, join=False, start=False)
    hook = table.host.post(
        "/v1/webhooks", {"url": "https://hooks.example.org/in", "events": ["match.started"], "match": table.match}
    ).json
    for code in table.codes:
        table.anyone.post("/v1/join", {"code": code})
    table.host.post(f"{table.path}/start", If_Match=f'"v{table.version}"')
    sent = Sent()
    post(Dispatcher(log, sent, app.config["WEBHOOK_KEY"], threads=0, chance=lambda: 0.0))
    (message,) = sent.sent
    now[0] = float(message["webhook-timestamp"])
    inbox = webhook_receiver.Inbox(hook["secret"], heard.append, now=lambda: now[0])
    server = webhook_receiver.build_server(inbox, 0)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}).start()
    headers = {name: message[name] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
    address = f"http://127.0.0.1:{server.server_port}/"
    try:
        assert deliver(address, headers, message["body"]) == 204
        assert [(each["type"], each["data"]["match"]) for each in heard] == [("match.started", table.match)]
        assert deliver(address, headers, message["body"]) == 204, "a repetition is taken"
        assert deliver(address, headers, message["body"] + b" ") == 401
        assert deliver(address, headers | {"webhook-id": "msg_other"}, message["body"]) == 401
        assert deliver(address, {}, message["body"]) == 401
        now[0] += webhook_receiver.TOLERANCE + 1
        assert deliver(address, headers, message["body"]) == 401, "recorded, and sent again later"
        assert len(heard) == 1
    finally:
        server.shutdown()
        server.server_close()


def test_a_receiver_takes_what_the_standards_own_library_signs() -> None:
    secret, body, at = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"type": "webhook.test"}', int(time.time())
    signature = Webhook(secret).sign("msg_1", datetime.fromtimestamp(at, UTC), body.decode())
    headers = {"webhook-id": "msg_1", "webhook-timestamp": str(at), "webhook-signature": f"v1,{'A' * 43}= {signature}"}
    heard: list[Any] = []
    webhook_receiver.Inbox(secret, heard.append).take(headers, body)
    assert heard == [{"type": "webhook.test"}]
    with pytest.raises(webhook_receiver.SignatureError, match="of another secret"):
        webhook_receiver.Inbox("whsec_" + "A" * 32, heard.append).take(headers, body)


def test_a_message_that_could_not_be_dealt_with_is_taken_when_it_comes_again() -> None:
    heard: list[Any] = []

    def fail_once(message: Any) -> None:
        heard.append(message)
        if len(heard) == 1:
            raise OSError("no room")

    at = int(time.time())
    inbox = webhook_receiver.Inbox("whsec_" + "A" * 32, fail_once)
    signature = Webhook("whsec_" + "A" * 32).sign("msg_1", datetime.fromtimestamp(at, UTC), "{}")
    headers = {"webhook-id": "msg_1", "webhook-timestamp": str(at), "webhook-signature": signature}
    with pytest.raises(OSError, match="no room"):
        inbox.take(headers, b"{}")
    inbox.take(headers, b"{}")
    inbox.take(headers, b"{}")
    assert len(heard) == 2


def deliver(address: str, headers: dict[str, str], body: bytes) -> int:
    """The status with which a receiver answers."""
    asked = urllib.request.Request(address, body, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code
