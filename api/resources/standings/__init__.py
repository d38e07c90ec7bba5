"""The resource `standings`: ratings, card statistics and fairness of dice."""
