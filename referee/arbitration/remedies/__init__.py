"""Remedies: what each would do, why it is offered, and what follows once it is chosen."""
