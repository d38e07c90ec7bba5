"""The tags of the contract: what calls are about, as an app meets them.

They are spelled as parts of addresses are.
"""

TAGS: dict[str, str] = {
    "games": "Games: rules as numbered clauses, cards, bots.",
    "matches": "Matches, from the lobby to the end, and once again.",
    "invitations": "Codes for seats, onlookers, arbiters and auditors, and what is done with them.",
    "seats": "Who sits where: people, bots and proxies, their keys and their share in the draws.",
    "moves": "Legal moves, making them, and hints.",
    "boards": "What is drawn of a match, and the state behind it.",
    "entries": "The log of a match, why an entry is as it is, and how play stands.",
    "streams": "What happens, as it happens: in a match, in all matches of a player, in a tournament.",
    "windows": "Reactions that seats are asked for, each named after the event that opened it, and passes in advance.",
    "takebacks": "Requests of seats to go back.",
    "disputes": "Disagreements, how they were settled, and the rulings that a table keeps.",
    "officials": "People without a seat who have the last word in disputes, and calls for them.",
    "real-tables": "Real dice and cards: reports, corrections, moves against the rules, and the census.",
    "rulings": "Rulings on written positions: nothing is stored, and no key is needed.",
    "players": "Accounts of players; no log of a match names them.",
    "devices": "Devices that are logged in to an account.",
    "decks": "Decks that players have made. Only the player can see them, or whether there are any.",
    "notifications": "Messages to an account when one of its seats is asked for something.",
    "standings": "Results of all matches, as data and as pictures: projections, each up to a position in the logs.",
    "tournaments": "Tournaments: many tables, their people and officials, and what comes of them.",
    "card-books": "Owners' own cards, by table, by form and as books. A published book never changes.",
    "proofs": "Checkpoints, receipts, proofs, keys and what is behind commitments: they show that nothing was changed.",
    "bundles": "Matches as files that anyone can check with no server, and files of any server, to be checked here.",
    "webhooks": "Messages over HTTP about what happens in matches: Standard Webhooks 1.0.",
    "service": "The service itself, and its contract.",
    "pages": "Pages for people: the companion page, the contract, problems, the verifier.",
}


def list_tags() -> list[dict[str, str]]:
    """Return the tags as the contract lists them."""
    return [{"name": name, "description": text} for name, text in TAGS.items()]
