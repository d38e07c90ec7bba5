"""What the rules demand of each kind of move, whatever question is open.

They give the reasons of refusals (`referee.engine.reasons.preconditions`); the steps decide what is legal, by the same
functions. Importing this package registers them.
"""

from referee.games.here_to_slay.rules.preconditions import actions, answers, challenges, leaders, modifiers

__all__ = ["actions", "answers", "challenges", "leaders", "modifiers"]
