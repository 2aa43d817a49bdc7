"""Never stops talking."""

from polite import serve


def on_go(fields, number):
    while True:
        print("info depth=1 text=thinking")


serve(on_go)
