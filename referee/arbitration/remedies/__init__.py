"""Remedies: what each would do, why it is offered, and what carrying it out does."""
