"""Who takes part: officials, players and their decks.

TOURNAMENT-OFFICE-1: The host names the officials openly: a head, floor officials and a committee. Each appointment is
an entry that everybody sees.

TOURNAMENT-OFFICE-3: Nobody is player and official at once.

TOURNAMENT-ENTRY-1: People and bots enter until the start, as long as there is room.
"""

from __future__ import annotations

from referee.engine.events import Event
from referee.engine.rulings import IllegalMove
from referee.tournament import commands
from referee.tournament.conduct_events import DeckChecked
from referee.tournament.deciding.evidence import (
    Evidence,
    close_round,
    decide_loss,
    list_open_places,
    require_entrant,
    require_not_over,
    require_officer,
    require_registration,
    require_ruling_officer,
)
from referee.tournament.events import (
    DeckDeposited,
    Entered,
    InvitationWithdrawn,
    OfficerAccepted,
    OfficerAppointed,
    OfficerLeft,
    PlayerLeft,
)
from referee.tournament.state import DEPOSITED_DECKS, OFFICES, Tournament

Events = tuple[Event, ...]


def handle_appointment(evidence: Evidence, command: commands.AppointOfficer) -> Events:
    """Give an office to a person who does not play.

    It rests on TOURNAMENT-OFFICE-1 and TOURNAMENT-OFFICE-3.
    """
    state = evidence.state
    require_not_over(state)
    if command.office not in OFFICES:
        raise IllegalMove("no_such_office", "TOURNAMENT-OFFICE-1")
    if any(each.person == command.person and each.status != "left" for each in state.entrants):
        raise IllegalMove("officer_plays", "TOURNAMENT-OFFICE-3")
    if any(each.person == command.person and not each.left for each in state.officers):
        raise IllegalMove("officer_already", "TOURNAMENT-OFFICE-1")
    if command.office == "head":
        require_no_head(state)
    return (OfficerAppointed(evidence.entry, command.person, command.office),)


def require_no_head(state: Tournament, *, is_invited: bool = False) -> None:
    """Refuse a second head official.

    `is_invited`: another invitation for one is open. Raises IllegalMove.
    """
    if any(each.office == "head" and not each.left for each in state.officers):
        raise IllegalMove("one_head", "TOURNAMENT-OFFICE-1")
    if is_invited:
        raise IllegalMove("head_invited", "TOURNAMENT-OFFICE-1")


def handle_acceptance(evidence: Evidence, command: commands.AcceptOfficer) -> Events:
    """Accept an official who was named after the player entered (TOURNAMENT-OFFICE-2)."""
    require_not_over(evidence.state)
    require_entrant(evidence.state, command.player)
    officer = require_officer(evidence.state, command.officer)
    return () if command.player in officer.accepted else (OfficerAccepted(command.player, (officer.number,)),)


def handle_resignation(evidence: Evidence, command: commands.ResignOffice) -> Events:
    """Let an official go.

    TOURNAMENT-OFFICE-4: An office can be given back, or taken by the host, at any time, by an entry that everybody
    sees. The committee of an open appeal goes on without them.
    """
    require_not_over(evidence.state)
    return (OfficerLeft(require_officer(evidence.state, command.officer).number),)


def handle_entry(evidence: Evidence, command: commands.Enter) -> Events:
    """Enter a person or a bot.

    Who enters accepts the officials named so far (TOURNAMENT-OFFICE-2).
    """
    state = evidence.state
    require_registration(state)
    if len(state.entrants) >= state.format.most_players:
        raise IllegalMove("tournament_full", "TOURNAMENT-ENTRY-1", most=state.format.most_players)
    if command.level is None:
        if any(each.person == command.person and each.status != "left" for each in state.entrants):
            raise IllegalMove("entered_already", "TOURNAMENT-ENTRY-1")
        if any(each.person == command.person and not each.left for each in state.officers):
            raise IllegalMove("officer_plays", "TOURNAMENT-OFFICE-3")
    number = len(state.entrants)
    entered: Events = (Entered(number, command.person, command.level),)
    officers = tuple(each.number for each in state.officers if not each.left)
    if command.level is not None or not officers:
        return entered
    return (*entered, OfficerAccepted(number, officers))


def handle_withdrawal(evidence: Evidence, command: commands.WithdrawInvitation) -> Events:
    """Withdraw an invitation.

    TOURNAMENT-ENTRY-3: The host can withdraw an invitation, by an entry that everybody sees. Nobody comes in by its
    code any more; who has come in by it stays.
    """
    require_not_over(evidence.state)
    if command.invitation in evidence.state.withdrawn:
        return ()
    return (InvitationWithdrawn(command.invitation),)


def handle_leaving(evidence: Evidence, command: commands.Leave) -> Events:
    """Let a player go.

    TOURNAMENT-ENTRY-2: A player may leave at any time. They lose the table at which they sit, and are paired no more;
    what they have played counts.
    """
    state = evidence.state
    require_not_over(state)
    require_entrant(state, command.player)
    return leave_tournament(evidence, command.player, "left")


def leave_tournament(evidence: Evidence, player: int, status: str, officer: int = 0, penalty: int = 0) -> Events:
    """Return the events of a player who goes: first the loss of what is open."""
    places = list_open_places(evidence.state, player)
    lost = tuple(decide_loss(evidence, each, player, officer, penalty) for each in places)
    return tuple(close_round(evidence.state, (*lost, PlayerLeft(player, status))))


def handle_deck(evidence: Evidence, command: commands.DepositDeck) -> Events:
    """Take the commitment to a deck.

    TOURNAMENT-DECK-1: Where decks are deposited, each player deposits one before the start, and can exchange it until
    then. Only its commitment is in the log.
    """
    state = evidence.state
    require_not_over(state)
    entrant = require_entrant(state, command.player)
    if state.format.decks != DEPOSITED_DECKS:
        raise IllegalMove("no_decks", "TOURNAMENT-DECK-1")
    if state.status != "registration":
        raise IllegalMove("decks_closed", "TOURNAMENT-DECK-1")
    return () if entrant.deck == command.commitment else (DeckDeposited(entrant.number, command.commitment),)


def handle_deck_check(evidence: Evidence, command: commands.CheckDeck) -> Events:
    """Record how a player's cards compare with the deposited deck.

    TOURNAMENT-DECK-2: A player plays with the deck that was deposited. An official can check that at any time; what was
    found, only the officials and the player learn. Where a match of this server knows the deck, the officials are told
    of a difference.
    """
    state: Tournament = evidence.state
    require_not_over(state)
    entrant = require_entrant(state, command.player)
    require_ruling_officer(state, command.officer, (command.player,))
    if not entrant.deck:
        raise IllegalMove("no_deck", "TOURNAMENT-DECK-1", player=command.player)
    matches = not command.missing and not command.foreign
    return (
        DeckChecked(
            evidence.entry, command.officer, player=command.player, matches=matches, missing=command.missing,
            foreign=command.foreign,
        ),
    )  # fmt: skip
