"""Jobs and loops: deadlines, recovery, archiving, root publishing, bundle checks."""
