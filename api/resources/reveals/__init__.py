"""The resource `reveals`: what the commitments of the log open to."""
