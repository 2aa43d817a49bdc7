"""Ends before the handshake."""

raise SystemExit("no licence found")
