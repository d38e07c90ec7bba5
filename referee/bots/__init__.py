"""What thinks for a seat: from its view alone, and purely.

It imports the engine and the games. Who plays the seats of bots is `workers.bots`. For research, `env` plays matches
without a server, and `pettingzoo` adapts it for learners.
"""
