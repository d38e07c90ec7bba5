"""The audit: histories as files that anyone can check, and the checks.

What is checked here needs no server: a bundle (bundle.py) holds a match with its proofs, and what is wrong with it is
a finding (findings.py), with a kind, an exit code and words for people.
"""
