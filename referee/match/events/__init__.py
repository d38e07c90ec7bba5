"""Events of disputes, reports, deviations, takebacks and transfers, with commands."""
