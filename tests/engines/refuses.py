"""Answers every question with an error."""

from polite import serve

serve(lambda fields, number: f'error id={fields["id"]} code=internal text="no idea"')
