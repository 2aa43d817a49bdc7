"""The engine behind the text protocol, matches between engines, and their records."""
