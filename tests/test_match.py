"""Matches: independent engines, executors, resuming, results, seatings."""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ddz_solver.core.moves import Play
from ddz_solver.engine.executors import ExecutorError, open_executor
from ddz_solver.engine.match import Match, MatchError
from ddz_solver.engine.players import check_spec
from ddz_solver.engine.records import Record, RecordError, RecordFile, read_records
from ddz_solver.engine.report import results_json
from ddz_solver.engine.results import SprtTest
from ddz_solver.engine.schedule import deal_seed, match_deal, read_deals, seatings_of
from ddz_solver.engine.specs import EngineSpec, SpecError
from ddz_solver.engine.table import Setup
from ddz_solver.game.deal import Deal
from ddz_solver.game.errors import DealError
from ddz_solver.game.game import Game
from ddz_solver.game.notation import format_game, parse_game
from ddz_solver.game.observation import Observation
from ddz_solver.game.rules import PRESETS, Rules

ROOT = Path(__file__).parent.parent
PLAIN = f'cmd="{sys.executable} {ROOT / "tests/engines/plain.py"}" name=plain'


def facts(record: Record) -> Record:
    """A record without what the clock says."""
    tags = {name: value for name, value in record.tags.items() if name != "Times"}
    return Record.from_json({**record.to_json(), "tags": tags})


def figures(results: dict) -> dict:
    """Results without what the clock says."""
    for engine in results["engines"]:
        del engine["mean_ms"], engine["slowest_ms"]
    return results


# --- engines ----------------------------------------------------------------------------------------------------------


def quick(rules: str) -> str:
    """The same rules with two hands a deal, but for classic."""
    return rules if rules == "classic" else f"{rules},auction=none"


@pytest.mark.parametrize("rules", PRESETS)
def test_the_independent_engine_plays_every_preset(rules: str) -> None:
    results = Match(["greedy", PLAIN], quick(rules), deals=1, seed=2).run()
    assert results.faults() == 0
    assert set(results.endings(1)) <= {"normal", "passed"}


@pytest.mark.parametrize("rules", ["classic", "classic4", "botzone"])
def test_the_engine_printed_in_the_specification_plays(rules: str, tmp_path: Path) -> None:
    page = (ROOT / "PROTOCOL.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    dice = tmp_path / "dice.py"
    dice.write_text(program)
    results = Match([f'cmd="{sys.executable} {dice}"', "random"], quick(rules), deals=1).run()
    assert results.faults() == 0


def test_our_engine_plays_as_a_program() -> None:
    ours = f'cmd="{sys.executable} -m ddz_solver engine" name=ours option.level=greedy option.seed=3 time=1000'
    hands: list[Record] = []
    match = Match(
        [ours, "greedy"], "classic4,auction=none", deals=1, on_hand=lambda record, results: hands.append(record)
    )
    results = match.run()
    assert results.faults() == 0
    twins = Match(["greedy", "greedy"], "classic4,auction=none", deals=1)
    inside: list[Record] = []
    twins.on_hand = lambda record, results: inside.append(record)
    twins.run()
    assert [hand.plays for hand in hands] == [hand.plays for hand in inside]


class Fixed:
    """An agent for tests of what may go wrong inside this process."""

    def __init__(self, seed: int = 0, sin: str = "") -> None:
        self.sin = sin

    def bid(self, observation: Observation) -> int:
        return 9 if self.sin == "bid" else observation.legal_calls[-1]

    def play(self, observation: Observation) -> Play:
        if self.sin == "crash":
            raise ZeroDivisionError("no luck")
        if self.sin == "late":
            time.sleep(0.05)
        return None if self.sin == "nothing" else observation.legal_plays[-1]  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("sin", "ending"),
    [("bid", "illegal"), ("crash", "crash"), ("late", "time"), ("nothing", "illegal"), ("", "normal")],
)
def test_agents_in_this_process(sin: str, ending: str) -> None:
    limit = " time=1" if sin == "late" else ""
    spec = f"python=test_match:Fixed name=fixed option.sin={sin or 'none'}{limit}"
    from ddz_solver.engine.client import Timing

    results = Match(["random", spec], "classic", deals=1, timing=Timing(margin=0.01)).run()
    assert ending in results.endings(1)


@pytest.mark.parametrize(
    "text",
    ["", "level=", "greedy random", "cmd=a level=b", "greedy speed=3", "greedy time=0", 'cmd="x', "greedy name='#'"],
)
def test_bad_specifications(text: str) -> None:
    with pytest.raises(SpecError):
        EngineSpec.parse(text)


def test_specifications_round_trip() -> None:
    for text in ("greedy", 'cmd="a \\"b\\" c" name="x y" time=5 nodes=3 option.a="1 2"', "python=a.b:c option.d=e"):
        spec = EngineSpec.parse(text)
        assert EngineSpec.parse(str(spec)) == spec


@pytest.mark.parametrize("path", ["/tmp/引擎/dice.py", "/tmp/a\tb", "/tmp/\udcff"])
def test_specifications_keep_every_character(path: str) -> None:
    spec = EngineSpec.parse(f'cmd="python3 \\"{path}\\"" name=小明 option.file="{path}" time=5')
    assert EngineSpec.parse(str(spec)) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    setups = [Setup(Rules.of("rlcard"), (spec.renamed(name), EngineSpec.parse("greedy"))) for name in ("小明", "小红")]
    assert setups[0].fingerprint != setups[1].fingerprint
    if path.isprintable():
        with pytest.raises(SpecError, match="expected printable ASCII"):
            check_spec(EngineSpec.parse(f'cmd=python3 option.file="{path}"'))


def test_names_differ() -> None:
    for names, expected in (
        ("random random random", "random random-2 random-3"),
        ("random name=random-2 random", "random random-2 random-3"),
        ("random random name=random-2", "random random-3 random-2"),
    ):
        specs = [f"level=random {name}" if "=" in name else name for name in names.split()]
        assert Match(specs).results.names == tuple(expected.split())


@pytest.mark.parametrize(
    "engines",
    [["greedy"], ["greedy", "no-such-level"], ["greedy", "python=nowhere:at_all"], ["greedy", "greedy option.x=1"]],
)
def test_matches_that_cannot_be(engines: list[str]) -> None:
    with pytest.raises(ValueError, match=r"expected|unexpected"):
        Match(engines)


# --- schedule ---------------------------------------------------------------------------------------------------------


def test_every_engine_sits_everywhere_equally_often() -> None:
    for rules, hands in (("classic", 6), ("classic4", 14), ("douzero", 2)):
        seatings = seatings_of(Rules.parse(rules), (0, 1))
        assert len(set(seatings)) == hands
        for seat in range(len(seatings[0])):
            counts = Counter(seating[seat] for seating in seatings)
            assert counts[0] == counts[1]


def test_deals_are_documented_ones() -> None:
    """The generator of PROTOCOL.md, written again from its text."""
    mask = (1 << 64) - 1

    class Generator:
        def __init__(self, seed: int) -> None:
            self.state = seed

        def next(self) -> int:
            self.state = z = (self.state + 0x9E3779B97F4A7C15) & mask
            z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
            z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
            return z ^ z >> 31

        def below(self, n: int) -> int:
            while True:
                product = (self.next() >> 32) * n
                if product & 0xFFFFFFFF >= (1 << 32) % n:
                    return product >> 32

    for rules, size, packs in (("classic", 17, 1), ("classic4", 25, 2)):
        outer = Generator(5)
        for number in range(4):
            seed = outer.next()
            assert deal_seed(5, number) == seed
            inner = Generator(seed)
            cards = [card for card in "3456789TJQKA2" for _ in range(4 * packs)] + list("X" * packs + "D" * packs)
            for last in range(len(cards) - 1, 0, -1):
                other = inner.below(last + 1)
                cards[last], cards[other] = cards[other], cards[last]
            deal = match_deal(Rules.parse(rules), 5, number)
            players = len(deal.hands)
            dealt = ["".join(cards[size * seat : size * (seat + 1)]) for seat in range(players)]
            assert [sorted(str(hand)) for hand in deal.hands] == [sorted(hand) for hand in dealt]
            turned = inner.below(size * players)
            assert (deal.first_bidder, deal.face_up) == (turned // size, cards[turned])


def test_deal_files(tmp_path: Path) -> None:
    deals = [Deal.random("classic", seed) for seed in range(3)]
    path = tmp_path / "deals"
    path.write_text("# three deals\n" + "\n".join(f"{deal}  # one" for deal in deals) + "\n\n")
    assert read_deals(path, Rules.parse("classic")) == deals
    with pytest.raises(DealError, match="line 2"):
        read_deals(path, Rules.parse("classic4"))
    path.write_text("# none\n")
    with pytest.raises(DealError, match="no deals"):
        read_deals(path, Rules.parse("classic"))
    seen: list[Deal] = []
    Match(["greedy", "random"], deals=deals, on_hand=lambda record, results: seen.append(record.deal)).run()
    assert [deal for deal in deals for _ in range(6)] == seen


# --- executors and resuming -------------------------------------------------------------------------------------------


def test_every_executor_gives_the_same_records() -> None:
    expected: dict[str, Record] = {}
    for name in ("inline", "threads", "processes"):
        with open_executor(name, 2) as (executor, concurrency):
            records: list[Record] = []
            match = Match(["random", "greedy"], "classic", deals=4, executor=executor, concurrency=concurrency)
            match.on_hand = lambda record, results, records=records: records.append(record)  # type: ignore[misc]
            match.run()
        found = {record.tags["Hand"]: facts(record) for record in records}
        assert len(found) == len(records) == 24
        expected = expected or found
        assert found == expected


def test_any_executor_will_do() -> None:
    with ThreadPoolExecutor(3) as executor:
        results = Match(["random", "greedy", "random"], "douzero", deals=3, executor=executor, concurrency=3).run()
    assert [len(results.deals(pair)) for pair in results.pairs] == [3, 3, 3]


def test_unknown_executors() -> None:
    with pytest.raises(ExecutorError, match="expected"), open_executor("cloud", 1):
        pass


def kill_and_resume(path: Path, deals: int, kills: int, seconds: float) -> None:
    """Run `ddz match`, kill it again and again, and compare the end with an uninterrupted match."""
    command = [sys.executable, "-m", "ddz_solver", "match", "greedy", "random", "--rules", "classic", "--json"]
    command += ["--deals", str(deals), "--executor", "processes", "--concurrency", "2"]
    for number in range(kills):
        runner = subprocess.Popen([*command, "--record", str(path)], stdout=subprocess.DEVNULL, start_new_session=True)
        size = path.stat().st_size if path.exists() else 0
        deadline = time.monotonic() + 30
        while (not path.exists() or path.stat().st_size <= size) and runner.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(seconds * (number * 7919 % 13) / 13)
        os.kill(runner.pid, signal.SIGKILL)
        runner.wait()
        if number % 2:
            with open(path, "r+b") as file:
                file.truncate(path.stat().st_size - 17)  # as if the machine had died in the middle of writing
    done = subprocess.run([*command, "--record", str(path)], stdout=subprocess.PIPE, check=True)
    whole = subprocess.run([*command, "--record", str(path.with_name("whole.ddz"))], stdout=subprocess.PIPE, check=True)
    mine, theirs = (json.loads(run.stdout.splitlines()[-1]) for run in (done, whole))
    assert figures(mine) == figures(theirs)
    sets = [[facts(record).to_text() for record in read_records(file)] for file in (path, path.with_name("whole.ddz"))]
    assert len(sets[0]) == deals * 6
    assert sorted(sets[0]) == sorted(sets[1])


def test_a_killed_match_goes_on(tmp_path: Path) -> None:
    kill_and_resume(tmp_path / "match.ddz", deals=40, kills=2, seconds=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".ddz", ".jsonl"])
def test_a_match_killed_ten_times_goes_on(tmp_path: Path, suffix: str) -> None:
    kill_and_resume(tmp_path / f"match{suffix}", deals=1000, kills=10, seconds=1.0)


def test_a_record_file_of_another_match_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.ddz"
    Match(["greedy", "random"], deals=1, record=path).run()
    again = Match(["greedy", "random"], deals=2, record=path)
    again.run()
    assert again.resumed == 6
    assert len(read_records(path)) == 12
    for other in ({"seed": 1}, {"rules": "tencent"}, {"policy": "void"}, {"deals": [Deal.random("classic", 1)]}):
        with pytest.raises(RecordError, match="another match"):
            Match(["greedy", "random"], record=path, **other).run()  # type: ignore[arg-type]
    for text in (
        "Dear diary,\n",
        format_game(Game("classic", seed=1)),
        format_game(Game.from_hands(["34", "5", "6"])),
        format_game(parse_game((ROOT / "tests/data/games/classic-22.txt").read_text())),
    ):
        path.write_text(text)
        with pytest.raises(RecordError, match="something else"):
            Match(["greedy", "random"], deals=1, record=path).run()
        assert path.read_text() == text
    with pytest.raises(RecordError, match="No such file"):
        Match(["greedy", "random"], deals=1, record=tmp_path / "no" / "such").run()


def test_more_than_ten_engines(tmp_path: Path) -> None:
    path = tmp_path / "a.ddz"
    words: dict[str, Any] = {"rules": "rlcard", "deals": 1, "format": "gauntlet", "record": path}
    results = Match(["random"] * 12, **words).run()
    assert [len(results.deals(pair)) for pair in results.pairs] == [1] * 11
    assert {"0:0-9:099", "0:0-11:0-11-11", "0:0-11:11-0-0"} < results.keys
    again = Match(["random"] * 12, **words)
    again.run()
    assert again.resumed == 22


def test_two_matches_do_not_share_a_record_file(tmp_path: Path) -> None:
    with RecordFile(tmp_path / "a.ddz"), pytest.raises(RecordError, match="in use by another match"):
        RecordFile(tmp_path / "a.ddz")
    RecordFile(tmp_path / "a.ddz").__exit__()


def test_stopping_a_match(tmp_path: Path) -> None:
    match = Match(["greedy", "random"], deals=50)
    match.on_hand = lambda record, results: match.stop() if len(results.keys) == 7 else None
    assert len(match.run().keys) == 7


# --- results ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS)
def test_results_add_up(rules: str) -> None:
    results = Match(["greedy", "random"], rules, deals=6).run()
    first, second = results.points(0), results.points(1)
    assert first.value == pytest.approx(-second.value)
    assert results.difference((0, 1)).value == pytest.approx(first.value)
    assert first.value > 0
    assert results.score((0, 1)).value > 0.6
    if Rules.parse(rules).auction == "none":
        assert results.win_rate(0).value == pytest.approx(1 - results.win_rate(1).value)
        assert results.win_rate(0, ("landlord",)).value == pytest.approx(1 - results.win_rate(1, ("peasant",)).value)
        assert results.role_points(0, "landlord").value == pytest.approx(
            results.win_rate(0, ("landlord",)).value if rules == "rlcard" else -results.role_points(1, "peasant").value
        )
    assert json.dumps(results_json(results), allow_nan=False)


def test_an_engine_against_itself_is_even() -> None:
    results = Match(["greedy", "greedy"], "classic4", deals=3).run()
    assert results.names == ("greedy", "greedy-2")
    assert results.points(0).value == 0
    assert results.score((0, 1)).value == 0.5


def test_gauntlet_and_ratings() -> None:
    match = Match(["greedy", "random", "random"], "douzero", deals=20, format="gauntlet")
    assert match.pairs == [(0, 1), (0, 2)]
    results = match.run()
    greedy, one, other = results.rating()
    assert greedy.value == 0 and one.value < -100 and other.value < -100
    assert one.low <= one.value <= one.high


def test_a_sequential_test_stops_at_the_same_deal_in_any_order() -> None:
    def run(executor: ThreadPoolExecutor | None) -> tuple[dict, int]:
        match = Match(
            ["greedy", "random"],
            "douzero",
            deals=500,
            sprt=SprtTest.make("elo", 0, 100),
            executor=executor,
            concurrency=4,
        )
        results = match.run()
        assert results.sprt_state is not None and results.sprt_state.decision == "H1"
        return figures(results_json(results)), results.sprt_state.deals

    plain = run(None)
    with ThreadPoolExecutor(4) as executor:
        assert run(executor) == plain
    assert plain[1] < 100
    with pytest.raises(MatchError, match="expected two"):
        Match(["greedy", "random", "random"], sprt=SprtTest.make("elo", 0, 100))
