"""The hot lane: the few calls that make up play, answered without Flask."""
