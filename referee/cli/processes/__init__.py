"""Child processes: forked, watched and ended together with their parent."""
