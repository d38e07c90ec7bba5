"""What touches the machine: settings, keys, clients, servers, archives, webhooks.

No pure code imports this room (tests/architecture checks that). The API, the workers and the command line do.
"""
