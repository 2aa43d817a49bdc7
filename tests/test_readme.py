"""The README's examples: Python blocks as doctests, console blocks as commands whose output must be what is shown.

What stands after a prompt of `ddz play` is typed. `PYTHONPATH=. python tests/test_readme.py` writes the present output
into the README.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
from pathlib import Path
from unittest.mock import patch

import pytest

from ddz_solver.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
#: Commands whose numbers come from networks: they depend a little on the processor.
JUDGED = {"hint", "bid", "play", "match", "review"}
#: What a person types after a prompt of `ddz play`.
TYPED = re.compile(r"^(?:call \(.*?\)|play)> (.*)$", re.MULTILINE)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def commands() -> list[tuple[str, str]]:
    """Each `$ ddz ...` of the console blocks and the output shown below it ('' where none is shown)."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    return found


def same(command: str, shown: str, printed: str) -> bool:
    """Whether output is as shown, but for blanks, times and, where networks gave the numbers, numbers."""
    shown, printed = (re.sub(r"\d+\.\d+ s\b", "0 s", text) for text in (shown, printed))
    if command.split()[1] in JUDGED:
        shown, printed = (re.sub(r"[+-]?\d+(\.\d+)?(?=[ %\n])", "0", text) for text in (shown, printed))
    return shown.split() == printed.split()


def run(command: str, shown: str) -> str:
    """What a `ddz` command prints, where that is typed which is shown after its prompts."""
    program, *words = shlex.split(command)
    assert program == "ddz"
    typed = io.StringIO("".join(f"{line}\n" for line in TYPED.findall(shown)))
    with patch("sys.stdin", typed), contextlib.redirect_stdout(io.StringIO()) as output:
        assert main(words) == 0
    return output.getvalue()


def refresh() -> None:
    """Replaces every shown output by the present one."""
    text = README
    for command, shown in commands():
        if shown.strip():
            trimmed = "".join(line.rstrip() + "\n" for line in run(command, shown).splitlines() if line.strip())
            text = text.replace(f"$ {command}\n{shown}", f"$ {command}\n{trimmed}")
    (ROOT / "README.md").write_text(text, encoding="utf-8")


def test_python_examples() -> None:
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, "README.md", "README.md", 0)
    assert examples.examples
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(examples)
    assert runner.failures == 0


@pytest.mark.parametrize(("command", "shown"), commands())
def test_console_examples(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    printed = run(command, shown)
    assert printed
    if shown.strip():
        assert same(command, shown, printed), printed


def test_ci_runs_the_test_command_of_the_readme() -> None:
    installs = [line for block in blocks("sh") for line in block.splitlines() if "pytest" in line]
    assert len(installs) == 1
    assert installs[0] in (ROOT / ".ci/run").read_text(encoding="utf-8")


if __name__ == "__main__":
    os.chdir(ROOT)
    refresh()
