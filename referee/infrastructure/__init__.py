"""What touches the machine: settings, keys, clients, the embedded store, archives, webhooks.

Nothing pure imports this room (tests/architecture holds it); the API, the workers and the command line do.
"""
