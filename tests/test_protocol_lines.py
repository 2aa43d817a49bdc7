"""Lines of the protocol: what is one, what is none, and that they are read back as written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz_solver.engine.lines import Line, ProtocolError, format_line, parse_line

KEYS = st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]{0,8}", fullmatch=True).filter(lambda key: key != "id")
VALUES = st.text(alphabet=[chr(code) for code in range(32, 127)], max_size=20)


@given(st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True), st.dictionaries(KEYS, VALUES, max_size=5))
def test_lines_round_trip(verb: str, fields: dict[str, str]) -> None:
    line = Line(verb, fields)
    assert parse_line(str(line)) == line


def test_blanks_and_comments() -> None:
    assert parse_line(" \t go  id=3\ttime=5 infinite   # as long as you like\r\n") == Line(
        "go", {"id": "3", "time": "5", "infinite": ""}
    )
    for text in ("", "   ", "# go", " \t# go"):
        assert parse_line(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Go",
        "3",
        "go =3",
        "go a=1 a=2",
        'go a="b',
        'go a="b"c',
        'go a=b"c"',
        'go "a"',
        "go \x00",
        "gö",
        "go id=",
        "go id=a/b",
    ],
)
def test_lines_that_break_the_grammar(text: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_line(text)
    assert caught.value.code == "syntax"


def test_what_cannot_be_written_becomes_a_question_mark() -> None:
    assert format_line("info", text="小王\n") == 'info text="???"'
    assert format_line("info", text='a "b" \\', flag=True, nothing=None) == 'info text="a \\"b\\" \\\\" flag'
