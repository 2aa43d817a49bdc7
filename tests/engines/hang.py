"""Never answers its second question, and does not end when its input does; a child of it neither."""

import subprocess
import sys
import time

from polite import move, serve

subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", *sys.argv[1:]])


def on_go(fields, number):
    if number == 2:
        time.sleep(600)
    return move(fields)


serve(on_go)
time.sleep(600)
