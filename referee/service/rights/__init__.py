"""Rights: what tokens let their bearers do, and which of them end together."""
