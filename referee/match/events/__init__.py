"""Events of disputes, reports, deviations, takebacks and transfers, with their commands and state."""
