"""The cases of CPMpy's own test suite, which its package does not ship, for this solver: every operator and every
global constraint and function that the installed CPMpy has, compared, implied, implying and reified, each solution
checked by CPMpy; and the questions that a solver is asked.

A class of CPMpy's that has no case here fails `test_every_class_has_a_case`; cases left out stand in `SKIPPED`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

cp = pytest.importorskip("cpmpy")

from cpmpy.exceptions import NotSupportedError  # noqa: E402
from cpmpy.expressions import globalconstraints, globalfunctions  # noqa: E402
from cpmpy.expressions.core import BoolVal, Comparison, Operator  # noqa: E402
from cpmpy.expressions.utils import argval, eval_comparison, get_bounds  # noqa: E402
from cpmpy.solvers.solver_interface import ExitStatus  # noqa: E402

from cnfkit.cpmpy import CPM_cnfkit, register  # noqa: E402
from common import veripb  # noqa: E402

register()

# The cases of CPMpy's suite that are not here, with the reason.
SKIPPED = {
    "GlobalConstraint, GlobalFunction": "the classes that others inherit from",
    "DirectConstraint": "a call of a native function by name: `CPM_cnfkit.native_model` has them all",
    "solution hints": "`solution_hint` is left as CPMpy has it, NotSupportedError: models take no hints",
    "subsolvers, parameters of other solvers": "there are none",
    "transformations, flattening, linearisation": "of CPMpy itself, not of a solver",
}
ABSTRACT = {"GlobalConstraint", "GlobalFunction", "DirectConstraint"}

X = [cp.intvar(-3, 5, name=name) for name in "xyz"]
B = [cp.boolvar(name=name) for name in "abc"]
GRID = cp.intvar(-3, 5, shape=(3, 3), name="grid")
SMALL, FROM_0, FROM_1, P = cp.intvar(-2, 2), cp.intvar(0, 10), cp.intvar(1, 10), cp.boolvar(name="p")
START, END, LATER = cp.intvar(0, 10, shape=3), cp.intvar(0, 10, shape=3), cp.intvar(0, 10)
TIMES, ANY_TIME, LINES = [1, 4, 3], cp.intvar(-3, 3), cp.intvar(0, 3, shape=(3, 3))
STEPS = [("a", 1, "b"), ("b", 1, "c"), ("b", 0, "b"), ("c", 1, "c"), ("c", 0, "b")]
PATHS = [("r", 0, "s"), ("r", 1, "t"), ("s", 2, "u"), ("t", 0, "u"), ("u", 1, "end"), ("u", 2, "end")]
OPTIONAL = [cp.boolvar(), cp.boolvar(), True]

CONSTRAINTS: dict[str, Callable[[], list[Any]]] = {
    "AllDifferent": lambda: [cp.AllDifferent(X), cp.AllDifferent(X[0] + 1, X[1], 3)],
    "AllDifferentExcept0": lambda: [cp.AllDifferentExcept0(X)],
    "AllDifferentExceptN": lambda: [cp.AllDifferentExceptN(X, [1, 2, 3]), cp.AllDifferentExceptN(X, -1)],
    "AllEqual": lambda: [cp.AllEqual(X)],
    "AllEqualExceptN": lambda: [cp.AllEqualExceptN(X, [1, 2]), cp.AllEqualExceptN(X, 0)],
    "Circuit": lambda: [cp.Circuit(X)],
    "Inverse": lambda: [cp.Inverse(X, [1, 0, 2])],
    "Table": lambda: [cp.Table(X, [[0, 1, 2], [1, 2, 0], [1, 0, 2]]), cp.Table(B, [[1, 0, 0], [0, 1, 0]])],
    "NegativeTable": lambda: [cp.NegativeTable(X, [[0, 1, 2], [1, 2, 0]])],
    "ShortTable": lambda: [cp.ShortTable(X, [[0, "*", 2], ["*", "*", 1]])],
    "Regular": lambda: [cp.Regular(LINES[0], STEPS, "a", ["c"])],
    "MDD": lambda: [cp.MDD(X, PATHS)],
    "IfThenElse": lambda: [cp.IfThenElse(*B)],
    "InDomain": lambda: [cp.InDomain(FROM_0, [0, 1, 6]), cp.InDomain(X[0] + X[1], [-2, 7])],
    "Xor": lambda: [cp.Xor(B), cp.Xor([*B, True, False])],
    "Cumulative": lambda: [
        cp.Cumulative(START, TIMES, END, [4, 5, 7], 10),
        cp.Cumulative(START, TIMES, demand=[4, 5, 7], capacity=10),
        cp.Cumulative([*START, LATER], [*TIMES, ANY_TIME], demand=1, capacity=2),
        cp.Cumulative(START, TIMES, demand=cp.intvar(-3, 3, shape=3), capacity=FROM_0),
    ],
    "CumulativeOptional": lambda: [
        globalconstraints.CumulativeOptional(START, TIMES, END, [11, 4, 8], 10, OPTIONAL)
    ],
    "NoOverlap": lambda: [
        cp.NoOverlap(START, TIMES, END), cp.NoOverlap(START, TIMES), cp.NoOverlap([*START, LATER], [*TIMES, ANY_TIME]),
    ],
    "NoOverlapOptional": lambda: [globalconstraints.NoOverlapOptional(START, TIMES, END, OPTIONAL)],
    "GlobalCardinalityCount": lambda: [
        cp.GlobalCardinalityCount(X, [1, 2, 3], [FROM_0, FROM_1, SMALL]),
        cp.GlobalCardinalityCount(X, [1, 2], [1, 2], closed=True),
    ],
    "Reservoir": lambda: [globalconstraints.Reservoir(START, [2, -1, -1], 0, 2)],
    "ReservoirOptional": lambda: [globalconstraints.ReservoirOptional(START, [2, 4, -1], 0, 2, OPTIONAL)],
    "Precedence": lambda: [cp.Precedence(LINES[0], [3, 1, 0])],
    "Increasing": lambda: [cp.Increasing(X)],
    "Decreasing": lambda: [cp.Decreasing(X)],
    "IncreasingStrict": lambda: [cp.IncreasingStrict(X)],
    "DecreasingStrict": lambda: [cp.DecreasingStrict(X)],
    "LexLess": lambda: [cp.LexLess(LINES[0], LINES[1])],
    "LexLessEq": lambda: [cp.LexLessEq(LINES[0], LINES[1])],
    "LexChainLess": lambda: [cp.LexChainLess(LINES)],
    "LexChainLessEq": lambda: [cp.LexChainLessEq(LINES)],
}
FUNCTIONS: dict[str, Callable[[], list[Any]]] = {
    "Abs": lambda: [cp.Abs(X[0])],
    "Minimum": lambda: [cp.Minimum(X)],
    "Maximum": lambda: [cp.Maximum(X)],
    "Count": lambda: [cp.Count(X, FROM_0), cp.Count(X, 2)],
    "Among": lambda: [cp.Among(X, [1, 2])],
    "NValue": lambda: [cp.NValue(X)],
    "NValueExcept": lambda: [cp.NValueExcept(X, 3)],
    "Element": lambda: [cp.Element(X, FROM_1), cp.Element([4, -1, 2], X[0])],
    "NDElement": lambda: [globalfunctions.NDElement(GRID, [FROM_0, FROM_1])],
    "Division": lambda: [globalfunctions.Division(X[0], X[1])],
    "Modulo": lambda: [globalfunctions.Modulo(X[0], X[1])],
    "Power": lambda: [globalfunctions.Power(SMALL, 3)],
    "Multiplication": lambda: [
        globalfunctions.Multiplication(*pair) for pair in ((X[0], X[1]), (B[0], B[1]), (3, B[0]), (3, X[0]))
    ],
}


def classes(module: Any, base: type) -> set[str]:
    found = {name for name, part in inspect.getmembers(module, inspect.isclass) if issubclass(part, base)}
    return found - ABSTRACT


def test_every_class_has_a_case() -> None:
    assert classes(globalconstraints, globalconstraints.GlobalConstraint) <= set(CONSTRAINTS)
    assert classes(globalfunctions, globalfunctions.GlobalFunction) <= set(FUNCTIONS)
    names = {name for name, (_, is_bool) in Operator.allowed.items()}
    assert names == {"and", "or", "->", "not", "sum", "wsum", "sub", "-"}
    with pytest.raises(NotSupportedError):
        CPM_cnfkit(cp.Model(X[0] > 1)).solution_hint(X[:1], [2])


def operators() -> Iterator[Any]:
    yield from (Operator("sum", X), Operator("sub", X[:2]), Operator("-", X[:1]), Operator("wsum", [[0, 1, 2], X]))
    yield Operator("wsum", [[True, BoolVal(False), -3], X])


def logic() -> Iterator[Any]:
    for of in (B, [~b for b in B]):
        yield from (Operator("and", of), Operator("and", of[:1]), Operator("or", of), Operator("or", of[:1]))
        yield from (Operator("->", of[:2]), Operator("not", of[:1]))
    yield from (B[0] == B[1], B[0] != B[1])


def reified(constraint: Any) -> list[Any]:
    return [constraint.implies(P), P.implies(constraint), constraint == P]


def check(constraints: list[Any]) -> None:
    """Each has a solution, which CPMpy finds to be one."""
    for constraint in constraints:
        assert CPM_cnfkit(cp.Model(constraint)).solve(), constraint
        assert argval(constraint) and constraint.value(), constraint


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_global_constraint(name: str) -> None:
    for constraint in CONSTRAINTS[name]():
        check([constraint, *reified(constraint), *comparisons(constraint)])


def test_logic() -> None:
    for constraint in logic():
        check([constraint, *reified(constraint), *comparisons(constraint)])


def comparisons(number: Any) -> Iterator[Any]:
    """All comparisons of an expression, on either side, that its bounds do not exclude."""
    for name, other in product(sorted(Comparison.allowed), (FROM_0, P, BoolVal(True), 1)):
        for one, two in ((number, other), (other, number)):
            if any(eval_comparison(name, a, b) for a in get_bounds(one) for b in get_bounds(two)):
                yield Comparison(name, one, two)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_global_function(name: str) -> None:
    for number in FUNCTIONS[name]():
        for constraint in comparisons(number):
            check([constraint, *reified(constraint)])


def test_operators() -> None:
    for number in operators():
        for constraint in comparisons(number):
            check([constraint, *reified(constraint)])


def test_statuses_and_limits() -> None:
    x = cp.intvar(0, 20, shape=3)
    model = cp.Model(cp.sum(x) >= 10)
    assert model.solve(solver="cnfkit") and model.status().exitstatus == ExitStatus.FEASIBLE
    model.minimize(x[0] + 2 * x[1] + 3 * x[2])
    assert model.solve(solver="cnfkit") and model.status().exitstatus == ExitStatus.OPTIMAL
    assert model.objective_value() == 10 and x[0].value() == 10 and model.status().runtime >= 0
    assert not cp.Model(x[0] > 9, x[0] < 3).solve(solver="cnfkit") and x[0].value() is None
    with pytest.raises(ValueError, match="positive"):
        model.solve(solver="cnfkit", time_limit=-1)
    assert CPM_cnfkit.supported() and CPM_cnfkit.version()
    assert "cnfkit" in cp.SolverLookup.solvernames() and cp.SolverLookup.get("cnfkit", model).solve()


def test_incremental() -> None:
    x = cp.intvar(0, 9, shape=3)
    solver = CPM_cnfkit()
    solver += cp.AllDifferent(x)
    solver += x[0] > x[1]
    solver.maximize(cp.sum(x))
    assert solver.solve() and solver.objective_value() == 24
    solver += x[2] < 3
    solver.minimize(x[1] + x[2])
    assert solver.solve() and solver.objective_value() == 1
    solver += [x[0] < 2, x[1] > 0]
    assert not solver.solve()


def test_solve_all() -> None:
    x, b = cp.intvar(0, 3, shape=2), cp.boolvar()
    model = cp.Model(x[0] < x[1], b.implies(x[0] == 0))
    seen: list[Any] = []
    take = lambda: seen.append((*x.value(), b.value()))  # noqa: E731
    assert model.solveAll(solver="cnfkit", display=take) == 6 + 3 == len(set(seen))
    assert model.solveAll(solver="cnfkit", solution_limit=4) == 4
    assert model.solveAll(solver="cnfkit", display=[x, b]) == 9
    # All variables of the user's, though no constraint has them.
    assert cp.Model(cp.any([b, ~b])).solveAll(solver="cnfkit") == 2
    assert cp.Model(b & ~b).solveAll(solver="cnfkit") == 0
    model.maximize(x[0])
    assert model.solveAll(solver="cnfkit") == 1


def test_assumptions_and_cores() -> None:
    b, x = cp.boolvar(shape=5), cp.intvar(0, 9)
    solver = CPM_cnfkit(cp.Model(b[0].implies(x > 5), b[1].implies(x < 5), b[2].implies(b[1]), cp.any(b[3:])))
    assert not solver.solve(assumptions=list(b)) and set(solver.get_core()) <= set(b)
    assert set(solver.get_core()) in ({b[0], b[1]}, {b[0], b[2]})
    assert solver.solve(assumptions=[b[0], ~b[1], ~b[3]]) and b[4].value() and x.value() > 5
    assert not solver.solve(assumptions=[~b[3], ~b[4], b[0]]) and set(map(str, solver.get_core())) == {
        str(~b[3]), str(~b[4])
    }  # fmt: skip
    # CPMpy's tool shrinks constraints by assumptions.
    from cpmpy.tools.explain import mus

    rules = [x > 5, x < 5, x != 3, x >= 1]
    assert set(mus(rules, solver="cnfkit")) == {rules[0], rules[1]}


def test_proofs(tmp_path: Path) -> None:
    x = cp.intvar(1, 4, shape=4)
    solver = CPM_cnfkit(cp.Model(cp.AllDifferent(x), x[0] * x[1] > x[2] + x[3]))
    assert solver.solve(proof=tmp_path / "none") and not (tmp_path / "none").exists()
    values = [2 * a + 3 * b + c for a, b, c, d in permutations(range(1, 5)) if a * b > c + d]
    for set_goal, best in ((solver.minimize, min(values)), (solver.maximize, max(values))):
        set_goal(2 * x[0] + 3 * x[1] + x[2])
        assert solver.solve(proof=tmp_path / str(best)) and solver.objective_value() == best
        veripb(tmp_path / str(best), "s VERIFIED UNSATISFIABLE")
    sums = CPM_cnfkit(cp.Model(cp.AllDifferent(x), x[0] * x[1] == x[2] + x[3]))
    assert not sums.solve(proof=tmp_path / "sums")
    veripb(tmp_path / "sums", "s VERIFIED UNSATISFIABLE")
    b = cp.boolvar()
    solver += b.implies(x[0] * x[1] < 4)
    assert not solver.solve(assumptions=[b], proof=tmp_path / "assumed") and solver.get_core() == [b]
    veripb(tmp_path / "assumed", "s VERIFIED UNSATISFIABLE")
    assert "conclusion UNSAT" in (tmp_path / "assumed" / "proof.pbp").read_text(encoding="utf-8")
