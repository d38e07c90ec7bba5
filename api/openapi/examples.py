"""Examples of requests for the contract; a test plays every one of them."""

from __future__ import annotations

from typing import Any

SEED = "5a1f0c7790be4d2286c1e3b5d4f6a798"
SEED_COMMITMENT = "5312a5738355dff7c862cfa5c4b5e2acd5d31c3eb37906ddb976a8d21c6c8aa1"

REQUEST_EXAMPLES: dict[str, dict[str, Any]] = {
    "openMatch": {
        "monster_combat": {
            "summary": "Two people, every player alone, the server deals",
            "value": {
                "game": "monster_combat",
                "variant": "V1",
                "seats": [{"kind": "human"}, {"kind": "human"}],
                "visibility": "public",
            },
        },
        "mau_mau": {
            "summary": "One person against two bots, a seven may not answer a seven",
            "value": {
                "game": "mau_mau",
                "settings": {"stacking": False},
                "seats": [{"kind": "human"}, {"kind": "bot"}, {"kind": "bot"}],
            },
        },
        "shy_monsters": {
            "summary": "One person against a bot",
            "value": {
                "game": "shy_monsters",
                "settings": {"roles": {"dungeon_master": 0}},
                "seats": [{"kind": "human"}, {"kind": "bot", "level": 0}],
            },
        },
        "at_a_table": {
            "summary": "Real cards lie on a table; phones report what is turned up",
            "value": {
                "game": "monster_combat",
                "variant": "V2",
                "seats": [{"kind": "human"}, {"kind": "human"}, {"kind": "table"}],
                "chance": {"deck": "table"},
            },
        },
    },
    "openTournament": {
        "club_evening": {
            "summary": "Five rounds for a club evening; the host is the head official",
            "value": {
                "game": "monster_combat",
                "system": "swiss",
                "rounds": 5,
                "round_ms": 1_800_000,
                "host_plays": False,
            },
        },
    },
    "makeTournamentInvitation": {"floor": {"summary": "A floor official", "value": {"role": "floor"}}},
    "depositDeck": {"short": {"summary": "A short deck", "value": {"cards": {"sword": 2, "shield": 1}}}},
    "commandTournament": {
        "enter": {"summary": "Enter a bot", "value": {"command": {"type": "tournament.enter", "level": 1}}},
        "pair": {"summary": "Pair the next round", "value": {"command": {"type": "tournament.pair"}}},
    },
    "publishBook": {
        "one_card": {
            "summary": "An expansion of a single card",
            "value": """\
book: one_more
game: here_to_slay
title: {en: One more, de: Noch eine}
extends: printed
cards:
- id: salty_skipper
  kind: hero
  class: ranger
  name: {en: Salty Skipper, de: Salziger Skipper}
  text: {en: "6+: draw two cards.", de: "6+: Ziehe zwei Karten."}
  roll: {min: 6}
  does:
  - {do: draw, count: 2}
""",
        },
    },
    "checkCardTable": {
        "one_card": {
            "summary": "A table with a single card",
            "value": """\
game,here_to_slay
book,one_more
extends,printed
name,name (German),kind,class,roll,text 1,blanks 1
Salty Skipper,Salziger Skipper,hero,ranger,6,Draw {n} cards.,2
""",
        },
    },
    "checkQuestionFile": {
        "in_words": {
            "summary": "A question in words",
            "value": """\
game: Monster Combat
names: [Ada, Ben]
position:
  players:
  - {hearts: 3, hand: [Sword, Shield]}
  - {hearts: 2, hand: 4}
  turn: Ada
  question: {asks: play}
seat: Ada
move: Ada plays Shield
""",
        },
        "in_german": {
            "summary": "The same in German",
            "value": """\
Spiel: Monster Combat
Namen: [Ada, Ben]
Stellung:
  Spieler:
  - {Herzen: 3, Hand: [Schwert, Schild]}
  - {Herzen: 2, Hand: 4}
  am Zug: Ada
  question: {asks: play}
Platz: Ada
Zug: Ada spielt Schild
""",
        },
    },
    "judgeBundle": {
        "cut": {
            "summary": "Only the first and the last line of a bundle: the report says what is missing",
            "value": """\
{"edition":"printed","eyes":"public","format":"referee.bundle/1","game":"monster_combat","kind":"header",\
"made_ms":1767225600000,"match":"07-aaaaaaaaaaaaaaaaaaaaaaaaaa","origin":"1f3a1f3a1f3a1f3a/07-aaaaaaaaaaaaaaaaaaaaaaaaaa",\
"program":"referee 1","ruleset":"1","size":0,"status":"lobby","variant":"V1"}
{"kind":"end","lines":1}
""",
        },
    },
    "takeSeat": {"again": {"summary": "Take a seat that is kept", "value": {"name": "Ada"}}},
    "joinMatch": {"player": {"summary": "Take a seat", "value": {"code": "K7QF2M", "name": "Ada", "lang": "en"}}},
    "makePlayer": {"player": {"summary": "An account for a player", "value": {"name": "Ada", "lang": "de"}}},
    "addDevice": {
        "phone": {"summary": "Log in by a link", "value": {"secret": "K7QF2MB9ARX4WTH6NPE3DJCYUV5", "label": "phone"}}
    },
    "makePushSubscription": {
        "browser": {
            "summary": "What a browser gives",
            "value": {
                "endpoint": "https://push.example.org/w/abc",
                "keys": {
                    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
                },
            },
        }
    },
    "makePlayerWebhook": {"own": {"summary": "Of an account", "value": {"url": "https://hooks.example.org/me"}}},
    "changePlayer": {
        "renamed": {"summary": "Another name", "value": {"name": "Ada L."}},
        "nameless": {"summary": "Forget the name", "value": {"name": None}},
    },
    "setDeck": {
        "league": {
            "summary": "Twenty different cards for the League",
            "value": {
                "game": "creature_crush",
                "name": "Fast and cheap",
                "cards": [
                    *("spark_imp", "bone_pup", "moss_tick", "lantern_moth", "gutter_rat", "pebble_brute", "thornback"),
                    *("scrap_crow", "cave_scout", "bog_leech", "dusk_bat", "ember_fox", "clay_guard", "hex_toad"),
                    *("salve_sprite", "second_wind", "sudden_lunge", "sky_bolt", "pitfall", "war_drums"),
                ],
            },
        },
    },
    "makeInvitation": {
        "onlooker": {"value": {"role": "spectator", "uses": 5, "minutes": 60}},
        "all_seats": {"summary": "One link for all free seats", "value": {"role": "seat:any", "link": True}},
    },
    "changeMatch": {"open_to_all": {"value": {"visibility": "public"}}},
    "setProxy": {"host": {"value": {"by": "host"}}},
    "setDeviceKey": {"ed25519": {"value": {"key": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"}}},
    "setSeed": {
        "commit": {"summary": "Commit to a seed", "value": {"commitment": SEED_COMMITMENT}},
        "reveal": {"summary": "Reveal the seed", "value": {"reveal": SEED}},
    },
    "seatBot": {"greedy": {"summary": "A greedy bot", "value": {"level": 1}}},
    "answerBot": {"yes": {"summary": "Let the bot play", "value": {"grant": True}}},
    "setStandingPasses": {
        "modifiers": {"summary": "Play no modifiers this turn", "value": {"kinds": ["modifiers"], "until": "turn"}}
    },
    "makeWebhook": {
        "a_match": {
            "summary": "A host wants to know whose turn it is",
            "value": {
                "url": "https://hooks.table.example/referee",
                "events": ["seat.awaited", "match.ended"],
                "match": "07-abcdefghijklmnopqrstuvwxyz",
            },
        },
        "all_matches": {
            "summary": "The operator wants to hear of all public matches",
            "value": {"url": "https://hooks.table.example/lobby", "events": ["match.opened", "match.ended"]},
        },
    },
    "changeWebhook": {
        "pause": {"value": {"paused": True}},
        "rotate": {"summary": "A new secret; for a day, both sign", "value": {"rotate_secret": True}},
    },
    "openDispute": {
        "illegal_move": {
            "summary": "That card may not be played by itself",
            "value": {
                "about": 9,
                "claim": "illegal_move",
                "clause": "MC-SHIELD-2",
                "statement": "A shield only answers an attack.",
            },
        },
        "wrong_refusal": {
            "summary": "I was refused a sword, and it was my turn",
            "value": {"about": 9, "claim": "wrong_refusal", "move": {"type": "mc.play", "card": "sword"}},
        },
        "misreported": {
            "summary": "Another card was turned up",
            "value": {"about": 12, "claim": "misreported", "saw": "lightning"},
        },
    },
    "giveAttestation": {"against": {"summary": "The report was right", "value": {"holds": False}}},
    "castVote": {"leave": {"summary": "The move was wrong, but may stand", "value": {"remedy": "leave"}}},
    "issueRuling": {
        "overruled": {
            "summary": "The host decides, and the table keeps the ruling",
            "value": {
                "upheld": False,
                "remedy": "leave",
                "clauses": ["TABLE-RULING-4"],
                "reason": "At this table it has always been played so.",
                "keep": True,
            },
        },
    },
    "correctReport": {
        "turned_up": {
            "summary": "A sword was turned up",
            "value": {"move": {"type": "chance.turned_up", "card": "sword!trigger"}},
        },
    },
    "witnessReport": {
        "holds": {"summary": "I saw the same", "value": {"holds": True}},
        "otherwise": {"summary": "I saw a shield", "value": {"holds": False, "saw": "shield"}},
    },
    "recordDeviation": {
        "shield": {
            "summary": "A shield was played alone, and nobody noticed",
            "value": {
                "seat": 0,
                "move": {"type": "mc.play", "card": "shield"},
                "clauses": ["MC-SHIELD-2"],
                "reason": "We noticed only a round later.",
            },
        },
    },
    "answerDeviation": {"yes": {"summary": "Let the move stand", "value": {"grant": True}}},
    "fileAppeal": {
        "misapplied": {
            "summary": "The clause says something else",
            "value": {"grounds": "The shield was played too late.", "clause": "MC-SHIELD-1"},
        },
    },
    "askTakeback": {"back": {"summary": "Go back to just after entry 9", "value": {"to": 9}}},
    "answerTakeback": {
        "yes": {"summary": "Agree to go back", "value": {"grant": True}},
        "never_again": {"summary": "Refuse, and allow no further request", "value": {"grant": False, "bar": True}},
    },
    "objectInWindow": {"only_seat": {"summary": "This seat has not passed", "value": {}}},
    "answerCorrection": {"yes": {"summary": "Confirm the slip", "value": {"grant": True}}},
    "answerEnding": {"yes": {"summary": "Agree that the match ends", "value": {"grant": True}}},
    "answerOfficial": {"yes": {"summary": "Accept the official", "value": {"grant": True}}},
    "callOfficial": {"rules": {"summary": "Ask an official about the rules", "value": {"reason": "rules"}}},
    "endMatch": {"agreed": {"value": {"reason": "agreed", "placement": [[0], [1]]}}},
    "checkMove": {
        "shield": {
            "summary": "Would a shield be accepted?",
            "value": {"move": {"type": "mc.play", "card": "shield"}},
        },
    },
    "makeMove": {
        "monster_combat": {
            "summary": "Play a sword",
            "value": {"move": {"type": "mc.play", "card": "sword"}, "seen": 9},
        },
        "mau_mau": {"summary": "Draw a card", "value": {"move": {"type": "mm.draw"}}},
        "shy_monsters": {"summary": "Turn up a card", "value": {"move": {"type": "sm.reveal", "x": 0, "y": 1}}},
        "refused": {
            "summary": "A shield only answers an attack, so this is refused",
            "value": {"move": {"type": "mc.play", "card": "shield"}},
        },
    },
    "judgePosition": {
        "monster_combat": {
            "summary": "May a shield be played alone?",
            "value": {
                "position": {
                    "variant": "V1",
                    "players": [
                        {"hearts": 3, "immune": False, "hand": ["sword", "shield"]},
                        {"hearts": 2, "immune": False, "hand": 4},
                    ],
                    "turn": 0,
                    "direction": "clockwise",
                    "question": {"asks": "play"},
                },
                "seat": 0,
                "move": {"type": "mc.play", "card": "shield"},
            },
        },
        "mau_mau": {
            "summary": "May a jack be put on a jack?",
            "value": {
                "position": {
                    "players": [{"hand": ["clubs_jack", "clubs_9"]}, {"hand": 4}],
                    "discard": {"cards": ["hearts_jack"], "more": True},
                    "wish": "spades",
                    "question": {"asks": "turn", "seat": 0},
                },
                "seat": 0,
                "move": {"type": "mm.play", "card": "clubs_jack"},
            },
        },
        "shy_monsters": {
            "summary": "A disagreement: may the hero jump when no jump is left?",
            "value": {
                "position": {
                    "question": "explore",
                    "dungeon_master": 0,
                    "floor": 2,
                    "plan": {
                        "rows": ["Ea..", ".bc.", "..de", "...f"],
                        "cards": {"a": "corridor", "b": "basilisk"},
                        "up": ["a", "b"],
                    },
                    "turned_up": ["a", "b"],
                    "hero": "a",
                    "attack_ready": True,
                    "jump_ready": False,
                },
                "seat": 1,
                "move": {"type": "sm.jump", "over": {"x": 1, "y": 1}, "x": 2, "y": 1},
                "claim": "illegal_move",
                "clause": "SM-HERO-SKILL-1",
                "says": [
                    {"seat": 0, "says": "The jump is used up.", "clause": "SM-HERO-SKILL-1", "legal": False},
                    {"seat": 1, "says": "I have jumped on the first floor only.", "legal": True},
                ],
            },
        },
    },
    "countPosition": {
        "monster_combat": {
            "value": {
                "position": {
                    "variant": "V1",
                    "players": [{"hearts": 3, "hand": ["sword"]}, {"hearts": 2, "hand": 4}],
                    "question": {"asks": "play"},
                }
            }
        },
        "mau_mau": {
            "value": {
                "position": {
                    "players": [{"hand": ["clubs_jack", "clubs_9"]}, {"hand": 4}],
                    "question": {"asks": "turn", "seat": 0},
                }
            }
        },
        "shy_monsters": {"value": {"position": {"question": "roles"}}},
    },
    "listPositionMoves": {
        "monster_combat": {
            "value": {
                "position": {
                    "variant": "V1",
                    "players": [{"hearts": 3, "hand": ["sword", "shield"]}, {"hearts": 2, "hand": 4}],
                    "turn": 0,
                    "question": {"asks": "play"},
                }
            }
        },
        "mau_mau": {
            "value": {
                "position": {
                    "players": [{"hand": ["clubs_jack", "clubs_9"]}, {"hand": 4}],
                    "discard": {"cards": ["hearts_jack"], "more": True},
                    "wish": "spades",
                    "question": {"asks": "turn", "seat": 0},
                }
            }
        },
        "shy_monsters": {"value": {"position": {"question": "roles"}}},
    },
}


def add_examples(contract: dict[str, Any]) -> None:
    """Put the examples of requests into the contract, at their operations."""
    for operations in contract["paths"].values():
        for operation in operations.values():
            if not isinstance(operation, dict) or "operationId" not in operation:
                continue
            name = operation["operationId"]
            if name in REQUEST_EXAMPLES:
                content = next(iter(operation["requestBody"]["content"].values()))  # of several, the plain one is first
                content["examples"] = REQUEST_EXAMPLES[name]
