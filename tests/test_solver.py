"""The open-hand solver: published puzzles, plain minimax on small positions, limits, threads, determinism."""

from __future__ import annotations

import itertools
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
import reference

from ddz_solver.ai.solver import Limits, OpenHandSolver, Solution, SolverError, solve, solve_many
from ddz_solver.core.hand import RANK_CHARS, pack
from ddz_solver.core.position import Position
from ddz_solver.core.solver import Solver
from ddz_solver.core.table import Table
from ddz_solver.game.notation import parse_position
from ddz_solver.game.rules import PRESETS, Rules

DATA = Path(__file__).parent / "data" / "solved"
PUZZLES = [
    json.loads(line)
    for name in ("two_hands", "three_hands")
    for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
]
SIGNATURE = DATA / "signature.json"
TABLES = (64, 1 << 10, 1 << 14, 1 << 20)


def position_of(text: str) -> Position:
    position = parse_position(text).position
    assert position is not None
    return position


def texts(plays: tuple[object, ...]) -> list[str]:
    return sorted(map(str, plays))


def random_deal(cards: int, seed: int, seats: int = 3, rules: str = "classic") -> Position:
    """So many random cards of one deck for each seat, seat 0 the landlord and to lead."""
    deck = random.Random(seed).sample(RANK_CHARS[:13] * 4 + RANK_CHARS[13:], cards * seats)
    hands = [deck[seat * cards : (seat + 1) * cards] for seat in range(seats)]
    switches = rules if seats != 2 else f"{rules},players=2"
    return Position(Rules.parse(switches).compiled, [pack([hand.count(rank) for rank in RANK_CHARS]) for hand in hands])


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle["position"])
def test_puzzles(puzzle: dict[str, object]) -> None:
    position = position_of(str(puzzle["position"]))
    solution = solve(position)
    assert solution.proven
    assert solution.complete
    assert solution.wins is (solution.value == (1 if position.turn == position.landlord else -1))
    assert solution.value == puzzle["value"]
    if "plays" in puzzle:
        plays = puzzle["plays"]
        assert isinstance(plays, list)
        assert texts(solution.plays) == sorted(plays)
    check_line(position, solution)


def test_score_puzzle() -> None:
    """A bomb and a pair against one card: whoever plays them as one loses a doubling."""
    solution = solve(position_of("7/99/335555 turn=2"), "score")
    assert solution.value == -2
    assert texts(solution.plays) == ["33", "5555"]


def test_fifty_five_deals() -> None:
    """DouZero #43: a peasant leads 7777AAAAXD3 and two cards unknown to us, the other one holds the remaining nine."""
    unknown = "366668QQQ22"
    deals = Counter(itertools.combinations(unknown, 2))
    assert sum(deals.values()) == 55
    always, rocket_loses = set(), 0
    for two, number in deals.items():
        rest = "".join((Counter(unknown) - Counter(two)).elements())
        hands = f"33444422JJJJ/{rest}/7777AAAAXD3{''.join(two)}"
        solution = solve(position_of(f"{hands} rules=rlcard,joker_kickers=yes turn=2"), line=False)
        assert solution.value == -1
        winning = set(map(str, solution.plays))
        always = always & winning if always else winning
        rocket_loses += number * ("7777XD" not in winning)
    assert always == {"AAAA", "XD", "3", "X", "D"}
    assert rocket_loses == 48


def check_line(position: Position, solution: Solution) -> None:
    """The line is legal, ends the game, and ends it with the value."""
    game = position.copy()
    for play in solution.line:
        game.play(play)
    assert game.over
    assert solution.value is not None
    if solution.objective == "score":
        assert solution.value == (game.factor if game.winner == game.landlord else -game.factor)
    else:
        assert (solution.value > 0) == (game.winner == game.landlord)


# --- plain minimax ----------------------------------------------------------------------------------------------------

#: Hands that bring out what presets differ in, and which random cards hardly ever make.
RICH = ("333444555", "33334444", "34567", "334455", "3333XD", "XXDD", "33333", "2222", "AAAA2X", "333344", "KKKAAA22")


def random_small(rng: random.Random) -> tuple[Rules, reference.State]:
    """A small position of a random preset: few ranks, so that runs, bombs and kickers come up."""
    name = rng.choice(list(PRESETS))
    rules = PRESETS[name]
    seats = rng.choice((2, 3)) if rules.players == 3 else 4
    if seats == 2:
        rules = Rules.parse(f"{name},players=2")
    low = rng.randrange(0, 11)
    ranks = RANK_CHARS[low : low + rng.randrange(3, 9)]
    cards = [rank for rank in ranks for _ in range(rules.decks * (4 if rank not in "XD" else 1))]
    if rng.random() < 0.3:
        cards += [joker for joker in "XD" if joker not in ranks for _ in range(rules.decks)]
    rng.shuffle(cards)
    most = {2: 5, 3: 4, 4: 3}[seats] + (rng.random() < 0.1)
    hands = []
    for seat in range(seats):
        size = rng.randint(1, most)
        hands.append(reference.in_order("".join(cards[:size])) or rng.choice(RANK_CHARS))
        cards = cards[size:]
        if seat == 0 and rng.random() < 0.15:
            hands[0] = rng.choice(RICH[: 5 if rules.decks == 1 else len(RICH)])
            if rules.decks == 1 and rng.random() < 0.5:
                hands[0] = rng.choice(("2222", "AAAA2X", "333344", "KKKAAA22"))
    turn = rng.randrange(seats)
    state = reference.State(tuple(hands), turn, rng.randrange(seats))
    for _ in range(rng.choice((0, 0, 1, 2))):
        legal = reference.legal_moves(state.hands[state.turn], state.last, rules)
        after = reference.play(state, rng.choice(legal))
        if reference.result(after, rules) is not None:
            break
        state = after
    return rules, state


def as_position(state: reference.State, rules: Rules) -> Position:
    """The same state as a position of the core."""
    seats = len(state.hands)
    hands = [pack([hand.count(rank) for rank in RANK_CHARS]) for hand in state.hands]
    last = None
    if state.last is not None:
        owner = state.owner
        cards = pack([state.last.cards.count(rank) for rank in RANK_CHARS])
        before = list(hands)
        assert owner is not None
        before[owner] += cards
        lead = Position(rules.compiled, before, turn=owner, landlord=state.landlord)
        last = next(play for play in lead.legal() if reference.move_of(play) == state.last)
    return Position(
        rules.compiled,
        hands,
        turn=state.turn,
        landlord=state.landlord,
        last=last,
        owner=state.owner if last is not None else None,
        plays=state.plays[:seats],
    )


def check_against_minimax(seed: int) -> None:
    """One random position: both objectives, every play, any table, any order."""
    rng = random.Random(seed)
    rules, state = random_small(rng)
    position = as_position(state, rules)
    table = rng.choice(TABLES)
    for objective, score in (("win", False), ("score", True)):
        oracle = reference.Minimax(rules, score)
        value = oracle.value(state)
        assert objective in ("win", "score")
        solution = solve(position, objective, Limits(table=table))  # type: ignore[arg-type]
        context = f"seed {seed}: {rules} {state} {objective}"
        assert solution.value == value, context
        assert solution.complete, context
        best = oracle.best_moves(state)
        if not score and not solution.wins:
            best = set()
        assert {reference.move_of(play) for play in solution.plays} == best, context
        check_line(position, solution)
        first = solve(position, objective, Limits(table=table), all_plays=False)  # type: ignore[arg-type]
        assert {reference.move_of(play) for play in first.plays} <= best, context
        assert bool(first.plays) == bool(best), context
        solver = Solver(rules.compiled, table_size=table)
        solver.begin(position, node_limit=1 << 40, seconds=1e9, shuffle=seed + 1)
        if score:
            assert solver.reaches(position, value) is True, context
            assert solver.reaches(position, value + 1 or 1) is False, context
        else:
            assert solver.reaches(position, 1) is (value > 0), context


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_minimax(start: int) -> None:
    for seed in range(start, start + 40):
        check_against_minimax(seed)


@pytest.mark.slow
def test_minimax_many() -> None:
    for seed in range(1000, 21_500):
        check_against_minimax(seed)


# --- limits, stopping, threads ----------------------------------------------------------------------------------------


def test_node_limit_gives_bounds() -> None:
    position = random_deal(14, 1)
    for nodes in (0, 1 << 64):
        with pytest.raises(SolverError, match=f"limit of {nodes} nodes: expected 1 to"):
            Limits(nodes=nodes)
    assert solve(parse_position("3/4").position, limits=Limits(nodes=(1 << 64) - 1)).proven
    solution = solve(position, "score", Limits(nodes=1000))
    assert not solution.proven
    assert solution.wins is None
    assert solution.stopped == "nodes"
    assert solution.nodes <= 1001
    assert solution.lower < 0 < solution.upper
    assert len(solution.undecided) == position.legal_count
    assert solution.line == ()


def test_time_limit() -> None:
    start = time.process_time()  # of this process alone, however busy the machine is
    solution = solve(random_deal(17, 3), limits=Limits(seconds=0.3))
    assert solution.stopped == "stop"
    assert solution.seconds >= 0.3
    assert time.process_time() - start < 3


def test_stop_from_another_thread() -> None:
    position = random_deal(17, 3)
    solver = OpenHandSolver(Rules.parse("classic").compiled)
    timer = threading.Timer(0.2, solver.stop)
    timer.start()
    solution = solver.solve(position, limits=Limits(seconds=60))
    timer.join()
    assert solution.stopped == "stop"
    assert solution.seconds < 30


def test_progress_and_its_errors() -> None:
    seen: list[tuple[int, float]] = []
    solve(
        random_deal(17, 3), limits=Limits(nodes=140_000), progress=lambda nodes, seconds: seen.append((nodes, seconds))
    )
    assert [nodes for nodes, _ in seen] == [65536, 2 * 65536]
    assert [seconds for _, seconds in seen] == sorted(seconds for _, seconds in seen)

    def fail(nodes: int, seconds: float) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        solve(random_deal(17, 3), progress=fail)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT to a child")
def test_ctrl_c() -> None:
    program = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored where tests run in the background
        "import test_solver as t\n"
        "print('go', flush=True)\n"
        "try:\n    t.solve(t.random_deal(17, 3))\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "go\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert out == "interrupted\n"


def test_one_question_at_a_time() -> None:
    solver = OpenHandSolver(Rules.parse("classic").compiled)
    thread = threading.Thread(target=solver.solve, args=(random_deal(17, 3),))
    thread.start()
    time.sleep(0.2)
    with pytest.raises(RuntimeError, match="another"):
        solver.solve(random_deal(5, 1))
    solver.stop()
    thread.join(30)
    assert not thread.is_alive()


def test_deterministic_and_memoryless() -> None:
    positions = [random_deal(6, seed) for seed in range(6)]
    solver = OpenHandSolver(Rules.parse("classic").compiled, table=1 << 16)
    first = [solver.solve(position) for position in positions]
    again = [solver.solve(position) for position in reversed(positions)][::-1]
    for one, other in zip(first, again, strict=True):
        assert (one.value, one.plays, one.line, one.nodes) == (other.value, other.plays, other.line, other.nodes)


def test_table_keeps_to_its_size() -> None:
    for size in (64, 100, 1000, 1 << 20):
        assert 64 <= Table(size).size <= size
    with pytest.raises(ValueError, match="63 bytes"):
        Table(63)


def test_threads_agree_with_one() -> None:
    positions = [random_deal(7, seed, seats) for seed in range(8) for seats in (2, 3)]
    alone = [(s.value, s.plays, s.nodes) for s in solve_many(positions, limits=Limits(table=1 << 18))]
    many = [(s.value, s.plays, s.nodes) for s in solve_many(positions, limits=Limits(table=1 << 18), threads=8)]
    assert alone == many


def test_solve_many_can_be_left() -> None:
    solutions = solve_many([random_deal(5, 1), random_deal(17, 3), random_deal(17, 4)], threads=2)
    assert next(solutions).proven
    solutions.close()


def test_bad_input() -> None:
    position = random_deal(5, 1)
    with pytest.raises(SolverError, match="objective 'draw'"):
        solve(position, "draw")  # type: ignore[arg-type]
    for wrong in ({"nodes": 0}, {"seconds": 0}, {"seconds": float("nan")}, {"table": 63}):
        with pytest.raises(SolverError, match="expected"):
            Limits(**wrong)
    with pytest.raises(SolverError, match="expected at least 1"):
        list(solve_many([position], threads=0))
    ended = position_of("3/4")
    ended.play(ended.legal()[0])
    with pytest.raises(SolverError, match="over"):
        solve(ended)
    with pytest.raises(ValueError, match="other rules"):
        OpenHandSolver(Rules.parse("rlcard").compiled).solve(position)


def test_rules_and_landlords_do_not_mix_in_one_table() -> None:
    """The same hands with every landlord and every seat to move, one after another without forgetting."""
    rules = Rules.parse("classic").compiled
    solver = Solver(rules, table_size=1 << 16)
    hands = [pack([hand.count(rank) for rank in RANK_CHARS]) for hand in ("347", "55", "66")]
    seen = set()
    for seats in itertools.product(range(3), repeat=2):
        position = Position(rules, hands, landlord=seats[0], turn=seats[1])
        solver.begin(position, node_limit=1 << 40, seconds=1e9)
        wins = solver.reaches(position, 1)
        assert wins is (solve(position).value == 1)
        seen.add(wins)
    assert seen == {True, False}


def signature() -> dict[str, int]:
    """Nodes that fixed positions cost: a change to the search shows here, and is then written down on purpose."""
    found = {f"{seats} hands, {cards} cards": 0 for seats, cards in ((2, 10), (3, 8), (4, 5))}
    for seats, cards in ((2, 10), (3, 8), (4, 5)):
        for seed in range(10):
            position = random_deal(cards, seed, seats, "classic" if seats < 4 else "classic,players=4")
            found[f"{seats} hands, {cards} cards"] += solve(position, limits=Limits(table=1 << 20)).nodes
    return found


def test_signature() -> None:
    assert signature() == json.loads(SIGNATURE.read_text(encoding="utf-8"))
