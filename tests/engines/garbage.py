"""Prints its debugging output."""

from polite import move, serve

serve(lambda fields, number: "Traceback (most recent call last): \x00\xff\n" + move(fields))
