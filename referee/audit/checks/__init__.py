"""The checks of a bundle, each in a module of its own."""
