"""Makes plays that it has not got, and bids that are too low."""

from polite import serve


def on_go(fields, number):
    if fields["phase"] == "auction":
        return f"bestmove id={fields['id']} call=7"
    return f"bestmove id={fields['id']} play={'pass' if 'beat' not in fields else '3333'}"


serve(on_go)
