"""RULES.md says what the rules data says; `python tests/test_rules_page.py` writes its tables anew."""

import re
from pathlib import Path

from ddz_solver import PRESETS, Kind, Rules, leads
from ddz_solver.game.rules import SWITCHES

PAGE = Path(__file__).parent.parent / "RULES.md"
KINDS = {kind.name.lower(): kind for kind in Kind}


def table(header: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def switch_table(kinds: bool) -> str:
    """Every switch of every preset: those that are kinds of play, or the others."""
    rows = [
        [f"`{name}`", meaning, *(preset.switches()[name] for preset in PRESETS.values())]
        for name, meaning in SWITCHES.items()
        if (name in KINDS) == kinds
    ]
    return table(["switch", "what it says", *PRESETS], rows)


def count_table() -> str:
    """How many plays of each kind there are: leads of a hand that holds the whole pack, as far as one can hold them."""
    columns = {}
    for name, rules in PRESETS.items():
        most = rules.hand_size + rules.bottom_size
        plays = [play for play in leads(rules.pack, rules) if len(play) <= most]
        columns[name] = [sum(play.kind is kind for play in plays) for kind in Kind]
    rows = [
        [
            kind.name.lower().replace("_", " "),
            *(str(counts[kind]) if counts[kind] else "–" for counts in columns.values()),
        ]
        for kind in Kind
        if any(counts[kind] for counts in columns.values())
    ]
    return table(["kind", *columns], [*rows, ["all", *(str(sum(counts)) for counts in columns.values())]])


TABLES = {"switches": lambda: switch_table(False), "kinds": lambda: switch_table(True), "counts": count_table}


def written(page: str) -> str:
    """The page with its tables made from the rules of now."""
    for name, make in TABLES.items():
        parts = re.split(f"(<!-- /?{name} -->\\n)", page)
        assert len(parts) == 5, name
        page = "".join([*parts[:2], make(), *parts[3:]])
    return page


def test_the_tables_are_those_of_the_rules() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written(page) == page, "run python tests/test_rules_page.py"


def test_every_example_is_what_the_page_says() -> None:
    """Rows `kind | example` of the page: the example is a play of that kind under the rules that it names."""
    rows = re.findall(r"^\| \d+ \| `(\w+)` [^|]*\|[^|]*\| (`.*`) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(rows) >= 12
    for kind, examples in rows:
        for example in re.findall(r"`(\w+)`", examples):
            assert KINDS[kind] in {play.kind for rules in PRESETS.values() for play in leads(example, rules)
                                   if len(play) == len(example)}, example  # fmt: skip


def test_every_rules_text_of_the_page_parses() -> None:
    texts = re.findall(
        r"`((?:classic|classic4|rlcard|douzero|openspiel|botzone|tencent)(?:,\w+=[\w/]+)*)`",
        PAGE.read_text(encoding="utf-8"),
    )
    assert set(PRESETS) <= set(texts)
    assert all(Rules.parse(text) for text in texts)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
