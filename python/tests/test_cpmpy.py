"""The solver for CPMpy beside OR-Tools', which comes with CPMpy: all solutions, optima, cores."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

cp = pytest.importorskip("cpmpy")

from cnfkit.cpmpy import CPM_cnfkit, register  # noqa: E402

register()
register()


@pytest.fixture(autouse=True)
def ctrl_c() -> Iterator[None]:
    """OR-Tools leaves Ctrl-C without Python's handler."""
    handler = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, handler)


CONSTRAINTS: dict[str, Callable[[Any, Any], Any]] = {
    "sums": lambda x, b: [2 * x[0] - 3 * x[1] + x[2] * b[0] <= 4, x[0] - x[1] != 1],
    "logic": lambda x, b: [b[0].implies((x[0] > 1) | (x[1] == x[2])), ~b[1] | (b[0] == (x[2] > 2)), b[0] != b[1]],
    "nested": lambda x, b: cp.max(x) + abs(x[0] - x[1]) <= cp.min([x[2] + 1, 3 * b[0]]) + 2,
    "functions": lambda x, b: [x[0] * x[1] // (x[2] + 1) == 1, x[0] % (x[1] + 1) == 0, x[1] ** 2 <= 4],
    "partial": lambda x, b: [(x[0] // x[1] == 1) | b[0]],
    "dropped": lambda x, b: cp.AllEqualExceptN([x[0] // x[1]], [0]),
    "alldifferent": lambda x, b: cp.AllDifferent(x),
    "except0": lambda x, b: cp.AllDifferentExcept0(x),
    "allequal": lambda x, b: cp.AllEqual(x[0], x[1] + 1).implies(b[0]),
    "negated": lambda x, b: ~cp.AllDifferent(x),
    "reified": lambda x, b: b[0] == cp.AllDifferent(x),
    "table": lambda x, b: cp.Table(x, [[0, 1, 2], [3, 3, 3], [1, 0, 1]]),
    "negative": lambda x, b: cp.NegativeTable([x[0], x[1]], [[0, 1], [3, 3]]),
    "element": lambda x, b: cp.Element(x, x[0]) == 2,
    "count": lambda x, b: [cp.Count(x, 2) >= 1, cp.Count(x, x[0]) <= 2],
    "among": lambda x, b: cp.Among(x, [1, 3]) == 2,
    "nvalue": lambda x, b: cp.NValue(x) == 2,
    "gcc": lambda x, b: cp.GlobalCardinalityCount(x, [1, 2], [x[0], 1]),
    "closed": lambda x, b: cp.GlobalCardinalityCount(x, [1, 2], [2, 1], closed=True),
    "circuit": lambda x, b: cp.Circuit(x),
    "inverse": lambda x, b: cp.Inverse(x, [x[1], x[2], x[0]]),
    "orders": lambda x, b: [cp.Increasing(x), cp.IncreasingStrict(x[:2])],
    "lex": lambda x, b: cp.LexLess([x[0], x[1]], [x[1], x[2]]),
    "indomain": lambda x, b: cp.InDomain(x[0] + x[1], [1, 5]),
    "cumulative": lambda x, b: cp.Cumulative(x, [1, 2, 2], demand=[1, 2, 1], capacity=2),
    "variable": lambda x, b: cp.Cumulative([x[0], x[1]], [x[2], 2], demand=1, capacity=1),
    "no_overlap": lambda x, b: cp.NoOverlap(x, [1, 1, 2]),
    "regular": lambda x, b: cp.Regular(x, [("a", 0, "a"), ("a", 1, "b"), ("b", 2, "b")], "a", ["b"]),
    "xor": lambda x, b: cp.Xor([b[0], b[1], x[0] > 1]),
    "ifthenelse": lambda x, b: cp.IfThenElse(b[0], x[0] == 3, x[1] == 2),
}


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_all_solutions(name: str) -> None:
    found = []
    for solver in ("cnfkit", "ortools"):
        x, b = cp.intvar(0, 3, shape=3), cp.boolvar(shape=2)
        model = cp.Model(CONSTRAINTS[name](x, b), x >= 0, b[0] | ~b[0], b[1] | ~b[1])
        seen: list[tuple[int, ...]] = []
        take = lambda x=x, b=b, seen=seen: seen.append((*x.value(), *b.value()))  # noqa: E731
        assert model.solveAll(solver=solver, display=take) == len(seen) == len(set(seen))
        found.append(set(seen))
    assert found[0] == found[1] and 0 < len(found[0]) < 4**3 * 4


@pytest.mark.parametrize("seed", range(5))
def test_optima(seed: int) -> None:
    draw = random.Random(seed)
    x = cp.intvar(-2, 9, shape=6)
    model = cp.Model(cp.AllDifferent(x[:4]))
    for _ in range(5):
        model += cp.sum(draw.randrange(-3, 6) * one for one in x) <= draw.randrange(10, 30)
    goal = cp.sum(draw.randrange(-2, 7) * one for one in x) + cp.max(x) - cp.NValue(x)
    for set_goal in (model.minimize, model.maximize):
        set_goal(goal)
        assert model.solve(solver="cnfkit")
        best, status = model.objective_value(), model.status().exitstatus
        assert goal.value() == best and model.solve(solver="ortools")
        assert model.objective_value() == best and model.status().exitstatus == status
    y = cp.intvar(0, 4, shape=3)
    small = cp.Model(cp.sum(y) >= 3, minimize=cp.sum(y))
    assert small.solveAll(solver="cnfkit") == sum(sum(v) == 3 for v in product(range(5), repeat=3))


def test_assumptions_and_limits() -> None:
    x, b = cp.intvar(1, 5, shape=3), cp.boolvar(shape=4)
    solver = CPM_cnfkit(cp.Model(b[0].implies(x[0] > x[1]), b[1].implies(x[1] > x[0]), b[2].implies(x[2] == 1)))
    assert solver.solve(assumptions=[b[0], b[2], ~b[3]]) and x[0].value() > x[1].value() and x[2].value() == 1
    assert not solver.solve(assumptions=[b[2], b[0], ~b[3], b[1]])
    assert set(solver.get_core()) == {b[0], b[1]}
    assert solver.solve() and solver.status().exitstatus.name == "FEASIBLE"
    pigeons = cp.intvar(1, 13, shape=14)
    hard = cp.Model([pigeons[i] != pigeons[j] for i in range(14) for j in range(i)])
    assert not hard.solve(solver="cnfkit", time_limit=0.2) and hard.status().exitstatus.name == "UNKNOWN"
    assert not cp.Model(x[0] > 5).solve(solver="cnfkit")
