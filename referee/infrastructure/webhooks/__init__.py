"""Webhooks by Standard Webhooks 1.0: subscriptions, addresses that are allowed, signing and sending.

The API keeps the records, the worker sends; both find everything here. Nothing here reads a match.
"""
