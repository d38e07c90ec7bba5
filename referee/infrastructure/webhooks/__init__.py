"""Webhooks by Standard Webhooks 1.0: subscriptions, URLs, signatures and sending.

The API keeps the records, the worker sends, and both find everything here. Nothing here reads a match.
"""
