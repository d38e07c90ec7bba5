"""Plots as SVG: pygal draws them, and one style has the colours."""
