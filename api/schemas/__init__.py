"""The shapes at the door, and only there: what may come in, and the small envelopes that go out. A file per noun."""
