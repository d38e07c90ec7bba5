"""Courts: disputes, remedies, takebacks, corrections. What happens when people disagree, or reality went on."""
