"""The workers: projections, bots, deadlines, recovery and webhooks.

They do what follows after a move was answered. Nothing that they write is authoritative. A job takes only ids, may run
twice or get lost, and reads what it needs from the store.
"""
