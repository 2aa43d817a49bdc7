"""Benchmarks: one script a question, each a list of rows that compare the project with a named peer in one run."""
