"""Webhooks, as Standard Webhooks 1.0 has them: who is told what, where it may be sent, how it is signed and sent.

The API keeps the records, the worker sends; both find everything here. Nothing here reads a match.
"""
