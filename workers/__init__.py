"""The workers: what is done after a move was answered. Projections, bots, deadlines, recovery, webhooks.

Nothing here is ever the truth. Jobs take ids, may run twice, may get lost, and read what they need from the store.
"""
