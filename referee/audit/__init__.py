"""The audit: histories as files that anyone can check, and the checks.

The checks need no server. A bundle (`bundles/format.py`) holds a match with its proofs. What is wrong with it is a
finding (`checks/findings.py`), with a kind, an exit code and a text.
"""
