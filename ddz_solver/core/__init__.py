"""The one gate to the compiled modules."""
