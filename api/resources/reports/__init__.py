"""The resource `reports`: reports of real dice and cards, and deviations."""
