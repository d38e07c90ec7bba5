"""The checks of a bundle, each of which needs no server, and the findings they report."""
