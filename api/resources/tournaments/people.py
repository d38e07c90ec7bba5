"""Routes for who takes part: codes, names and decks.

Names lie apart from the log. Of a deck only a commitment is in the log; its list is kept under that commitment, which
nobody can make without the server's secret.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import orjson
from flask import Response

from api.http import context, preconditions
from api.http.access import admission
from api.http.endpoint import Endpoint, EndpointBlueprint
from api.http.problems import Problem
from api.http.responses import json_response, replay_header
from api.resources.tournaments import schemas as shapes
from api.resources.tournaments.access import (
    COMMAND_PROBLEMS,
    MEMBER,
    TOURNAMENT_PATH,
    admit_member,
    answering_refusals,
    load_tournament,
)
from api.resources.tournaments.commands import MOST_CARDS, MOST_OF_A_CARD
from api.resources.tournaments.rendering import OFFICIAL_NAMES
from referee.engine.codec import encode_canonical, escape_name
from referee.engine.events import Move
from referee.engine.rulings import IllegalMove, MalformedInput
from referee.games import load_games
from referee.match.aggregate import FINAL_STATUSES, Match
from referee.match.table.endings import is_ended_by_tournament
from referee.repository.tournaments import LoadedTournament
from referee.service.requests import CommandResult
from referee.service.rights import tokens
from referee.service.rights.device_tokens import find_device, is_logged_out, note_match
from referee.tournament import commands
from referee.tournament.state import OFFICES, Tournament, list_tables

PLAYER_ROLE = "player"
PLAYER_PATH = f"{TOURNAMENT_PATH}/players/<int(min=0, max=255):entrant>"
DECKS_SCOPE = "tournament-decks"
DECK_KEPT_MS = 400 * 24 * 3600 * 1000  # longer than any tournament lasts
blueprint = EndpointBlueprint("tournament-people", tag="tournaments")


def join_tournament(
    record: dict[str, Any], code: str, body: dict[str, Any], key: str, shown: str | None, account: str
) -> dict[str, Any]:
    """Let somebody in by a code of this record; return the welcome.

    `shown` is the token of the request, `account` the caller's account or "". A commitment to a seed, which clients
    send before they know what a code is for, is left aside. Raises Problem.
    """
    log, tournament, role = context.get_match_service().log, record["match"], record["role"]
    load_tournament(tournament)
    token = tokens.derive_token(context.get_secret(), tournament, role, key)
    token_hash, person = tokens.hash_token(token), admission.find_person(tournament, shown, token)
    if is_logged_out(log, tournament, token_hash):  # a repeated call makes no void token good again
        raise Problem("code-expired")
    used = log.redeem_invitation(code, key)
    if used is None:
        raise Problem("code-expired")
    command: Move = commands.Enter(person) if role == PLAYER_ROLE else commands.AppointOfficer(person, role)
    service = context.get_tournament_service()
    try:
        done = service.execute(tournament, command, key=key, scope="join", actor="host")
    except IllegalMove:
        if used[1]:
            log.release_invitation(code, key)
        with answering_refusals():
            raise
    number = find_number(done.after.state, person, role)
    held = shown is not None and not account and tokens.hash_token(shown) in log.read_grants(tournament)
    if not held:
        device = find_device(log, tournament, shown, account)
        if account:
            note_match(log, account, device, tournament)
        log.put_grant(tournament, token_hash, tokens.Grant("seat", (), person, device).encode())
    place = str(number) if role == PLAYER_ROLE else f"{OFFICIAL_NAMES}{number}"
    keep_name(tournament, place, done.entry, body.get("name"), account)
    welcome = {"role": role, "seats": [], "match": "", "tournament": tournament, "version": done.after.version}
    return {**welcome, "officials": [], "receipt": done.receipt, "held": held}


def concede_seat(match: Match, seat: int) -> CommandResult:
    """Let a player give up the match of a table; return its end by the tournament.

    The player stays in the tournament. Raises Problem, and IllegalMove if the match is over otherwise.
    """
    service, tournament = context.get_tournament_service(), match.tournament
    if match.status in FINAL_STATUSES and not is_ended_by_tournament(match):
        raise IllegalMove("match_over", "TABLE-END-1")
    for one, table in list_tables(load_tournament(tournament).state):
        if table.match == match.id and not table.final:
            player = table.players[seat]
            command = commands.Concede(player, one.number, table.number)
            with answering_refusals():
                service.execute(tournament, command, key=f"{match.id}:{seat}", scope="leave", actor=f"player:{player}")
            load_tournament(tournament)
    ended = service.matches.load_match(match.id)
    return service.matches.build_fresh_response(ended, ended)


def find_number(state: Tournament, person: str, role: str) -> int:
    """Return the number under which a person takes part: the latest one."""
    if role == PLAYER_ROLE:
        return max(each.number for each in state.entrants if each.person == person)
    assert role in OFFICES
    return max(each.number for each in state.officers if each.person == person)


def keep_name(tournament: str, place: str, entry: int, name: str | None, account: str) -> None:
    """Keep the name of somebody who takes part, and link the entry to the account.

    An account notes it before there is a link, so that its deletion finds every link and every name.
    """
    log = context.get_match_service().log
    if not account:
        log.put_seat_names(tournament, {place: name})
        return
    kept = log.find_player(account)
    if name is None and kept is not None:
        name = orjson.loads(kept[1])["name"]
    log.put_seat_names(tournament, {place: name})
    note = orjson.dumps({"seat": place, "at_ms": log.now(), "name": name})
    if log.add_sitting(account, f"{tournament}:{entry}", note):
        log.link_player(tournament, entry, account)
    else:
        log.put_seat_names(tournament, {place: None})


# -- names -------------------------------------------------------------------------------------------------------------


@blueprint.declare(
    Endpoint(
        "DELETE",
        f"{PLAYER_PATH}/name",
        "eraseTournamentName",
        MEMBER,
        response=(204, None),
        problems=["unknown-tournament", "forbidden", "not-found"],
    )
)
def erase_tournament_name(tournament: str, entrant: int) -> Response:
    """Erase the name of a player here and at all tables, as the player or the host.

    The number stays, and with it what was played.
    """
    loaded, caller = admit_member(tournament)
    found = loaded.state.find_entrant(entrant)
    if not caller.is_host and (found is None or found.person != caller.person):
        raise Problem("forbidden")
    if found is None:
        raise Problem("not-found")
    erase_name(loaded, entrant)
    return Response(status=204)


def erase_name(loaded: LoadedTournament, player: int) -> None:
    """Erase the name of a player in a tournament and in its matches."""
    log = context.get_match_service().log
    log.put_seat_names(loaded.state.id, {str(player): None})
    for one in loaded.state.rounds:
        table = one.find_table_of(player)
        if table is not None:
            for match in filter(None, (table.match, *table.former)):
                log.put_seat_names(match, {str(table.players.index(player)): None})


# -- decks -------------------------------------------------------------------------------------------------------------


@blueprint.declare(
    Endpoint(
        "PUT",
        f"{PLAYER_PATH}/deck",
        "depositDeck",
        MEMBER,
        body=shapes.DepositBody,
        response=(200, shapes.DepositedDeckSchema),
        key=True,
        problems=COMMAND_PROBLEMS,
    )
)
def deposit_deck(body: dict[str, Any], tournament: str, entrant: int) -> Response:
    """Deposit a deck, or exchange it before the start.

    The log gets a salted commitment to it; the list is kept sealed, and nobody is shown it.
    """
    key = preconditions.require_idempotency_key()
    loaded, caller = admit_member(tournament)
    depositor = loaded.state.find_entrant(entrant)
    if depositor is None or depositor.person != caller.person:  # who has left is refused by the rules, if it is news
        raise Problem("forbidden")
    cards = check_cards(loaded.state, body["cards"])
    salt, commitment = seal_deck(tournament, entrant, cards)
    log, sealed = context.get_match_service().log, orjson.dumps({"salt": salt, "cards": cards})
    log.remember_answer(f"{DECKS_SCOPE}:{tournament}", commitment, b"", sealed, DECK_KEPT_MS)
    with answering_refusals():
        done = context.get_tournament_service().execute(
            tournament, commands.DepositDeck(entrant, commitment), key=key, scope=f"deck:{entrant}",
            actor=f"player:{entrant}",
        )  # fmt: skip
    answer = {"player": entrant, "commitment": commitment, "cards": sum(cards.values())}
    return json_response(
        {**answer, "version": done.after.version, "receipt": done.receipt}, headers=replay_header(done.replayed)
    )


def check_cards(
    state: Tournament, given: dict[str, Any], pointer: str = "/cards", *, is_deck: bool = True
) -> dict[str, int]:
    """Return how often each card is there, as given.

    `is_deck`: it is a whole deck, and not what was found of one. Raises MalformedInput.
    """
    known = {card["id"] for card in load_games()[state.format.game].cards_of_edition(state.format.edition)}
    wrong = [
        {"pointer": f"{pointer}/{escape_name(name)}", "detail": "There is no such card."}
        for name in given
        if name not in known
    ]
    wrong += [
        {"pointer": f"{pointer}/{escape_name(name)}", "detail": f"Must be 1 to {MOST_OF_A_CARD}."}
        for name, count in given.items()
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_OF_A_CARD
    ]
    if not given and is_deck:
        wrong.append({"pointer": pointer, "detail": "A deck has a card at least."})
    if len(given) > MOST_CARDS:
        wrong.append({"pointer": pointer, "detail": f"Longer than maximum length {MOST_CARDS}."})
    if wrong:
        raise MalformedInput(wrong)
    return dict(sorted(given.items()))


def seal_deck(tournament: str, player: int, cards: dict[str, int]) -> tuple[str, str]:
    """Return the salt of a deck, and the commitment to it.

    That is SHA-256 over the salt and the RFC 8785 form of the list. The salt comes from the server's secret, so
    without it nobody can try decks out; with it the seal can be opened.
    """
    listed = encode_canonical(cards)
    salt = tokens.compute_hmac(context.get_secret(), "tournament-deck", tournament, str(player), listed.decode())
    return salt.hex(), hashlib.sha256(salt + listed).hexdigest()


def compare_deck(state: Tournament, player: int, given: Any) -> dict[str, dict[str, int]]:
    """Return which cards are missing and which are foreign.

    They are compared with the deposited deck. Raises MalformedInput; LookupError if the list is kept no longer.
    """
    return compare_counted(state, player, check_cards(state, given, "/command/cards", is_deck=False))


def compare_counted(state: Tournament, player: int, cards: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return which cards are missing and which are foreign in a deck.

    Raises LookupError if the deposited list is kept no longer.
    """
    counted, entrant = Counter(cards), state.find_entrant(player)
    if entrant is None or not entrant.deck:  # which the rules refuse
        return {"missing": {}, "foreign": {}}
    kept = context.get_match_service().log.find_answer(f"{DECKS_SCOPE}:{state.id}", entrant.deck)
    if kept is None:
        raise LookupError(entrant.deck)
    deposited = Counter(orjson.loads(kept[1])["cards"])
    return {"missing": dict(deposited - counted), "foreign": dict(counted - deposited)}
