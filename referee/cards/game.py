"""The box of a game with card texts: how its table is opened, and what every such table can be asked."""

from __future__ import annotations

from typing import Any, ClassVar

from referee.cards.table import CardRules
from referee.kernel.agenda import State
from referee.kernel.box import Game, Malformed, Setup


class CardGame(Game):
    """A game with card texts. Its class says what is agreed on (`rules`) and how the table is laid out by that."""

    rules: ClassVar[type[CardRules]]

    def laid_out(self, rules: Any) -> State:
        """The table before anything has happened."""
        raise NotImplementedError

    def agreed(self, setup: Setup) -> dict[str, Any]:
        """What the rules hold besides what is the same in all these games: the settings."""
        return setup.settings

    def open(self, setup: Setup) -> State:
        """The table before anything is shuffled. Raises Malformed where the setup does not fit."""
        setup = self.set_up(setup)
        if any(seat not in range(setup.seats) for seat in setup.named):
            raise Malformed([{"pointer": "/named", "detail": f"seats go from 0 to {setup.seats - 1}"}])
        at_table = setup.at_table("deck")
        return self.laid_out(
            self.rules(
                seats=setup.seats,
                edition=setup.edition,
                cards_at_table=at_table,
                dice_at_table=setup.at_table("dice"),
                named=tuple(sorted(setup.named)) if at_table else (),
                **self.agreed(setup),
            )
        )

    def turn(self, state: Any) -> int:
        """How many turns have begun."""
        return int(state.turns)

    def seats_at(self, state: Any) -> int:
        """How many play."""
        return int(state.rules.seats)

    def on_turn(self, state: Any) -> int | None:
        """The seat on turn; None before the first turn."""
        return state.turn if state.turns else None
