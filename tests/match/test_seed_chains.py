"""Draws by number, and chains of seeds: a seat goes on showing links, and nobody foresees what comes after the next."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from referee.arbitration.replay.replay import find_first_divergence
from referee.audit import standalone
from referee.audit.facts import collect_facts
from referee.engine.codec import decode, encode
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove
from referee.engine.seats import Seat
from referee.eventstore.memory.log import MemoryLog
from referee.match.aggregate import Match, SeatAssignment
from referee.match.entries import LogEntry, effective_entries
from referee.match.events.dispute_commands import IssueRuling, OpenDispute, WithdrawDispute
from referee.match.events.dispute_state import UNLIMITED_COURTS
from referee.match.events.takeback_events import AnswerTakeback, RequestTakeback
from referee.match.table import commands
from referee.match.table.player_entropy import CommitSeed, LinkRevealed, RevealSeed, SeedRevealed
from referee.match.table.player_seed import PlayerSeed, compute_seed_commitment, encode_seeds
from referee.match.table.rekey import DrawsCounted
from referee.queries import views
from referee.repository.matches import decode_snapshot, encode_snapshot
from referee.service.match_service import MatchService
from referee.service.requests import CommandResult, MoveRequest
from referee.transparency.randomness import ServerRandomSource
from tests.match.chains import Chain
from tests.service.house import end_agreed_by_all, identify

KEY = bytes(range(32))


CHAINS = [Chain(bytes([n]) * 32) for n in range(4)]


class Room:
    """A table for three at a desk with the server's own draws."""

    def __init__(self, name: str = "chains", game: str = "here_to_slay", variant: str = "standard") -> None:
        self.house = MatchService(MemoryLog(), ServerRandomSource(KEY), lambda *_: "receipt", lambda _: None, identify)
        self.keys, self.random = itertools.count(), Random(1)
        ask = commands.OpenMatch(game, variant, {}, {}, (SeatAssignment("human"),) * 3, courts=UNLIMITED_COURTS)
        self.match = self.house.open_match(ask, name).match.id

    @property
    def now(self) -> Match:
        return self.house.load_match(self.match).match

    @property
    def version(self) -> int:
        return self.house.load_match(self.match).version

    @property
    def entries(self) -> Sequence[LogEntry]:
        return self.house.repository.load_entries(self.match)

    def ask(self, command: Move) -> CommandResult:
        return self.house.execute_command(self.match, command, key=f"key{next(self.keys)}", scope="table")

    def start(
        self, chains: Sequence[Chain | None] = CHAINS[:3], shown: Sequence[int] = (0, 1, 2), first: int = 2
    ) -> Room:
        """Everybody sits down; these seats show their first links."""
        for seat, chain in enumerate(chains):
            self.ask(commands.TakeSeat(seat, chain.commitment if chain else ""))
        for seat, at in itertools.product(shown, range(1, first + 1)):
            if chain := chains[seat]:
                self.ask(RevealSeed(seat, chain.links[at]))
        self.begun = self.ask(commands.StartMatch()).version
        return self

    def move(self, link: str | None = None, with_links: bool = True, key: str = "") -> CommandResult:
        """The awaited seat makes a legal move that does not give up, with the next link of its chain."""
        loaded = self.house.load_match(self.match)
        seat = min(views.awaited_response(loaded.match))
        offered = views.list_legal_moves(self.house, loaded, Seat(seat)).legal
        move = self.random.choice([each for each in offered if not each.is_concession])
        if link is None:
            link = next((self.follow(each) for each in loaded.match.seeds if each.seat == seat and with_links), "")
        return self.make(seat, move, link, key)

    def make(self, seat: int, move: Move, link: str = "", key: str = "") -> CommandResult:
        name = key or f"key{next(self.keys)}"
        return self.house.make_move(MoveRequest(self.match, Seat(seat), move, name, link=link))

    def follow(self, seed: PlayerSeed) -> str:
        chain = next(each for each in CHAINS if seed.awaited in each.links)
        return chain.follow(seed.awaited)

    def refuse(self, link: str) -> tuple[str, tuple[str, ...]]:
        before = self.version
        with pytest.raises(IllegalMove) as caught:
            self.move(link)
        assert self.version == before
        return caught.value.ruling.reason, caught.value.ruling.clauses


def list_draws(room: Room) -> list[tuple[int, Move]]:
    return [(each.version, each.move) for each in room.entries if each.actor == "chance" and each.move is not None]


def redraw(room: Room) -> Iterator[tuple[int, Move, Move]]:
    """By number every draw, as it was made and as secret, number and newest links give it."""
    shown: dict[int, str] = {}
    number = 0
    for entry in room.entries:
        if entry.actor == "chance":
            number += 1
            before = room.house.load_version(room.match, entry.version - 1).match
            step = before.state.agenda[-1]  # type: ignore[union-attr]
            seeds = encode_seeds(PlayerSeed(seat, "", link) for seat, link in shown.items())
            below = ServerRandomSource(KEY).source(
                room.match, before.generation, number, step.question_name(), seeds, 2
            )
            assert entry.move is not None
            yield number, entry.move, step.draw_outcome(before.state, below)  # type: ignore[attr-defined]
        for event in entry.events:
            if isinstance(event, SeedRevealed | LinkRevealed):
                shown[event.seat] = event.seed if isinstance(event, SeedRevealed) else event.link


@pytest.mark.clause("TABLE-CHANCE-2", "TABLE-SEED-3")
def test_a_draw_rests_on_its_number_and_the_newest_link_of_each_seat() -> None:
    room = Room().start()
    for _ in range(40):
        room.move()
    drawn = list(redraw(room))
    assert len(drawn) > 8
    assert [made for _, made, _ in drawn] == [given for _, _, given in drawn]
    assert room.now.draws == len(drawn)
    assert find_first_divergence(room.entries) is None
    assert decode_snapshot(encode_snapshot(b"r", room.now)) == (b"r", room.now)
    links = [event.link for entry in room.entries for event in entry.events if isinstance(event, LinkRevealed)]
    assert len(links) == len(set(links)) > 3
    assert all("TABLE-SEED-3" not in entry.clauses for entry in room.entries), "no move rests on its link"


def test_another_link_of_any_seat_makes_another_draw() -> None:
    def roll(last: int) -> list[Move]:
        room = Room()
        chains = [Chain(bytes([7 + (seat if seat == last else 0)]) * 32) for seat in range(3)]
        return [move for _, move in list_draws(room.start(chains))]

    orders = [roll(seat) for seat in range(3)]
    assert all(one != other for one, other in itertools.combinations(orders, 2))


def pad(room: Room, times: int) -> None:
    """Writes entries that are no play: a host who knew what they do to draws could choose by them."""
    for number in range(times):
        if number % 2:
            room.ask(commands.SetProxy(1, "host" if number % 4 == 1 else "nobody"))
        else:
            dispute = room.ask(OpenDispute("2", room.begun, "other", statement="Hm.")).match.disputes[-1]
            if dispute.is_open:
                room.ask(WithdrawDispute(dispute.number, "2"))


@pytest.mark.clause("TABLE-CHANCE-2")
@pytest.mark.parametrize("logs", [5, pytest.param(50, marks=pytest.mark.deep)])
def test_entries_that_are_no_play_change_no_draw(logs: int) -> None:
    plain = Room().start()
    for _ in range(12):
        plain.move()
    for number in range(logs):
        paddings, padded = Random(number), Room().start()
        for _ in range(12):
            pad(padded, paddings.randrange(4))
            padded.move()
        assert padded.version > plain.version
        assert [move for _, move in list_draws(plain)] == [move for _, move in list_draws(padded)]


@pytest.mark.clause("TABLE-SEED-3")
def test_a_link_is_written_once_between_two_draws_however_many_moves_a_seat_makes() -> None:
    room = Room().start()
    for _ in range(60):
        room.move()
    served: set[int] = set()
    for entry in room.entries:
        if entry.actor == "chance":
            served.clear()
        for event in entry.events:
            if isinstance(event, LinkRevealed):
                assert event.seat not in served
                served.add(event.seat)
    assert sum(entry.actor == "player" for entry in room.entries) > len(
        [event for entry in room.entries for event in entry.events if isinstance(event, LinkRevealed)]
    )


@pytest.mark.clause("TABLE-SEED-3")
def test_only_the_next_link_is_taken_and_the_newest_once_more_does_no_harm() -> None:
    room = Room().start()
    seat = min(views.awaited_response(room.now))
    seed = room.now.seeds[seat]
    wrong = CHAINS[seat].links[4], CHAINS[seat].links[0], CHAINS[3].links[2], "00" * 32, "0" * 63, "0" * 65, "x" * 64
    for link in wrong:
        assert room.refuse(link) == ("link_mismatch", ("TABLE-SEED-3",))
    done = room.move(seed.revealed, key="again")
    assert not any(isinstance(event, LinkRevealed) for event in done.entries[0].events)
    assert room.now.seeds[seat].revealed == seed.revealed
    again = room.house.make_move(
        MoveRequest(room.match, Seat(seat), done.entries[0].move, "again", link=room.follow(seed))  # type: ignore[arg-type]
    )
    assert (again.replayed, again.entry) == (True, done.entry), "a link does not make it another request"
    bare = Room("bare").start([None, None, None])
    assert bare.refuse("0" * 64) == ("seed_unbound", ("TABLE-SEED-1",))


def test_a_seat_without_links_plays_on_and_counts_for_nothing() -> None:
    room = Room().start([CHAINS[0], None, CHAINS[2]], shown=(0,))
    assert room.now.status == "running", "a hidden seed holds up nobody"
    for _ in range(20):
        room.move(with_links=False)
    assert [made for _, made, _ in redraw(room)] == [given for _, _, given in redraw(room)]
    assert encode_seeds(room.now.seeds) == f'[[0,"{CHAINS[0].links[2]}"]]'.encode()


def test_of_a_struck_move_only_its_link_is_left() -> None:
    """What was taken back is no move that anybody could go back to, though its link stays known."""
    room = Room().start()
    before, seat = room.version, min(views.awaited_response(room.now))
    made = [room.move().entry for _ in range(4)]
    links = sum(isinstance(event, LinkRevealed) for entry in room.entries for event in entry.events)
    asked = room.ask(RequestTakeback(seat, before))
    for other in range(3):
        if room.now.takebacks[-1].stage == "asked" and other != seat:
            room.ask(AnswerTakeback(asked.entry, other, True))
    assert room.now.takebacks[-1].stage == "granted"
    left = [entry for entry in effective_entries(room.entries) if entry.version in made]
    assert links > 0 < len(left) <= links
    assert all(entry.move is None and len(entry.events) == 1 for entry in left)
    mover = min(views.awaited_response(room.now))
    room.move()
    with pytest.raises(IllegalMove) as caught:
        room.ask(RequestTakeback(mover, left[0].version))
    assert caught.value.ruling.reason == "nothing_to_take_back"
    assert find_first_divergence(room.entries) is None


@pytest.mark.clause("TABLE-SEED-3")
def test_a_new_chain_counts_from_its_first_link_which_is_shown_after_the_next_draw() -> None:
    room = Room().start()
    seat = min(views.awaited_response(room.now))
    before = room.now.seeds[seat].revealed
    room.ask(CommitSeed(seat, CHAINS[3].commitment))
    assert room.now.seeds[seat] == PlayerSeed(seat, CHAINS[3].commitment, before, CHAINS[3].commitment, fresh=True)
    drawn = room.now.draws
    while room.now.draws == drawn:
        with pytest.raises(IllegalMove) as caught:
            room.ask(RevealSeed(seat, CHAINS[3].links[1]))
        assert caught.value.ruling.reason == "seed_shown_already"
        done = room.move()
        assert not any(isinstance(event, LinkRevealed) and event.seat == seat for event in done.entries[0].events)
        assert room.now.seeds[seat].revealed == before
    for link in CHAINS[3].links[1:3]:
        room.ask(RevealSeed(seat, link))
    assert room.now.seeds[seat] == PlayerSeed(seat, CHAINS[3].commitment, *[CHAINS[3].links[2]] * 2, fresh=True)
    for _ in range(20):
        room.move()
    assert [made for _, made, _ in redraw(room)] == [given for _, _, given in redraw(room)]
    assert find_first_divergence(room.entries) is None


@pytest.mark.clause("TABLE-CHANCE-2")
def test_a_rewind_repeats_no_draw_that_people_have_seen() -> None:
    room = Room().start()
    start = room.version
    while len(list_draws(room)) < room.house.load_version(room.match, start).match.draws + 2:
        room.move(with_links=False)
    seen, drawn = list_draws(room), room.now.draws
    first = next(version for version, _ in seen if version > start)
    number = room.ask(OpenDispute("0", first - 1, "other")).entry
    ruled = room.ask(IssueRuling(number, "host", (), True, "rewind", ("TABLE-REMEDY-1",), "so it is"))
    back = ruled.entries[0]
    assert DrawsCounted(drawn) in back.events
    assert "TABLE-CHANCE-2" in back.clauses
    assert ruled.match.draws >= drawn
    then = room.house.load_version(room.match, back.version).match
    assert not any(seed.fresh for seed in then.seeds), "what all know by now must not be the newest in the next draw"
    again = next(move for version, move in list_draws(room) if version > back.version)
    assert again != next(move for version, move in seen if version == first)
    for _ in range(10):
        room.move()
    assert [made for _, made, _ in redraw(room)] == [given for _, _, given in redraw(room)]
    assert find_first_divergence(room.entries) is None
    fresh = MatchService(room.house.log, ServerRandomSource(KEY), lambda *_: "receipt", lambda _: None, identify)
    assert fresh.load_match(room.match).match == room.now


@pytest.mark.clause("TABLE-SEED-3")
def test_links_have_served_in_draws_that_a_rewind_struck() -> None:
    room = Room().start()
    moved, drawn = room.version + 1, room.now.draws
    while room.now.draws == drawn:
        room.move()
    number = room.ask(OpenDispute("0", moved, "other")).entry
    ruled = room.ask(IssueRuling(number, "host", (), True, "rewind", ("TABLE-REMEDY-1",), "so it is"))
    assert any(isinstance(event, DrawsCounted) for event in ruled.entries[0].events)
    assert not any(seed.fresh for seed in room.house.load_version(room.match, ruled.entry).match.seeds)
    for _ in range(10):
        room.move()
    assert find_first_divergence(room.entries) is None


def shares(room: Room) -> list[tuple[int, ...]]:
    """Who had a share, run by run, as both verifiers in Python find it."""
    envelopes = [json.loads(each.envelope) for each in room.house.log.read_entries(room.match, 0, 1000)]
    found, seeds = list[tuple[int, ...]](), standalone.SeatSeeds(is_chained=True)
    for envelope in envelopes:
        if envelope["actor"] == "chance":
            found.append(tuple(seeds.list_sharing_seats()))
            seeds.fresh.clear()
        assert not any(seeds.take(event) for event in envelope["events"])
    runs = [share.seats for share in collect_facts(envelopes).shares]
    assert runs == [seats for seats, _ in itertools.groupby(found)]
    return runs


def test_a_seat_has_a_share_in_a_draw_if_the_link_before_its_newest_came_when_all_others_were_bound() -> None:
    assert shares(Room().start()) == [(0, 1, 2)]
    assert shares(Room().start([CHAINS[0], None, CHAINS[2]], shown=(2,))) == [(2,)]
    assert shares(Room().start([None, None, None])) == [()]


def test_a_link_that_the_server_knew_when_others_committed_gives_no_share() -> None:
    """It reads a link before it writes it: so the first ones give a share to nobody but who committed last."""
    assert shares(Room().start(first=1)) == [(2,)]
    room = Room().start()
    room.ask(CommitSeed(2, CHAINS[3].commitment))  # chosen to fit a link of seat 0 that came and was kept waiting
    play_to_a_draw(room)
    room.ask(RevealSeed(2, CHAINS[3].links[1]))
    room.ask(RevealSeed(0, CHAINS[0].links[3]))
    play_to_a_draw(room)
    assert shares(room)[-1] == (2,)
    room.ask(RevealSeed(0, CHAINS[0].links[4]))
    play_to_a_draw(room)
    assert shares(room)[-1] == (0, 2)


@pytest.mark.clause("TABLE-SEED-3")
def test_who_has_left_has_no_share_though_the_last_link_goes_on_counting() -> None:
    """Nobody is there to show the next, so the server foresees all draws until another seat shows one."""
    room = Room().start([CHAINS[0], None, None])
    link = room.now.seeds[0].revealed
    room.ask(commands.LeaveSeat(0))
    play_to_a_draw(room)
    assert encode_seeds(room.now.seeds) == f'[[0,"{link}"]]'.encode()
    assert shares(room) == [(0,), ()]
    room.ask(commands.TakeSeat(0))
    assert shares(room) == [(0,), ()]
    room.ask(RevealSeed(0, CHAINS[0].follow(link)))  # the same person is back, and kept the chain
    play_to_a_draw(room)
    assert shares(room) == [(0,), (), (0,)]


@pytest.mark.clause("TABLE-END-1")
def test_after_the_end_no_seed_is_brought_and_none_is_shown() -> None:
    room = Room().start()
    play_to_a_draw(room)
    room.ask(end_agreed_by_all("abandoned"))
    before, next_link = room.version, room.follow(room.now.seeds[1])
    for ask in (CommitSeed(1, CHAINS[3].commitment), RevealSeed(1, next_link)):
        with pytest.raises(IllegalMove) as caught:
            room.ask(ask)
        assert (caught.value.ruling.reason, caught.value.ruling.clauses) == ("match_over", ("TABLE-END-1",))
    assert room.version == before


def play_to_a_draw(room: Room) -> None:
    drawn = room.now.draws
    while room.now.draws == drawn:
        room.move(with_links=False)


def test_an_entry_of_an_earlier_match_encodes_as_it_did() -> None:
    assert encode(PlayerSeed(1, "c", "r")) == {"seat": 1, "commitment": "c", "revealed": "r"}
    assert decode(PlayerSeed, {"seat": 1, "commitment": "c", "revealed": "r"}) == PlayerSeed(1, "c", "r")
    assert not {"draws", "later_scheme"} & encode(Match()).keys()


def test_the_chain_is_one_of_known_answers() -> None:
    """So that a device in any language can check its own."""
    chain = Chain(bytes(32), 3)
    assert chain.links[-2] == compute_seed_commitment(bytes(32))
    assert chain.commitment == compute_seed_commitment(
        bytes.fromhex(compute_seed_commitment(bytes.fromhex(chain.links[2])))
    )
