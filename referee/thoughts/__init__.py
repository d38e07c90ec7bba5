"""What the bots of a match think, so that anybody can repeat it.

A thought follows from the view of the seat, from what the seat remembers, from a seed that the match's secret gives,
and from the number of playouts. All of that is recorded or can be computed once the secret is disclosed. The minds
themselves are in `referee.bots`; they know no matches.
"""
