"""``Solver``: its answers are those that enumeration and PySAT's solvers give, and it keeps its state."""

from __future__ import annotations

import gc
import random
import threading
import time
import weakref
from itertools import product
from typing import Any

import pytest
from common import allowed, pigeons

import cnfkit
from cnfkit.pysat import solvers


def clauses(rng: random.Random, n: int, m: int) -> list[list[int]]:
    """m random clauses of two or three of n variables."""
    return [
        [rng.choice((-1, 1)) * var for var in rng.sample(range(1, n + 1), rng.choice((2, 3)))] for _ in range(m)
    ]


def satisfies(model: list[int], given: list[list[int]]) -> bool:
    return all(any(lit in model for lit in clause) for clause in given)


def test_questions_between_clauses() -> None:
    rng, answers = random.Random(1), {True: 0, False: 0}
    for _ in range(60):
        given: list[list[int]] = []
        solver = cnfkit.Solver()
        for _ in range(8):
            more = clauses(rng, 6, 3)
            solver.append_formula(more)
            given += more
            for _ in range(4):
                assumed = [rng.choice((-1, 1)) * var for var in rng.sample(range(1, 7), rng.choice((0, 1, 3)))]
                found = [
                    some
                    for some in product(*((-var, var) for var in range(1, 7)))
                    if satisfies(list(some), given) and set(assumed) <= set(some)
                ]
                answer = solver.solve(assumed)
                answers[answer] += 1
                assert answer == bool(found) == solver.get_status()
                if answer:
                    model = solver.get_model()
                    assert model is not None and solver.core is None
                    assert satisfies(model, given) and set(assumed) <= set(model)
                else:
                    core = solver.core
                    assert core is not None and solver.model is None and set(core) <= set(assumed)
                    assert not cnfkit.Solver(given).solve(core)
        assert solver.nof_clauses() == len(given)
    assert min(answers.values()) > 100


def test_auxiliaries_have_no_numbers() -> None:
    solver = cnfkit.Solver()
    solver.at_most([1, 2, 3, 4, 5], 2, encoding="totalizer")
    # Variable 6 is not one of the totalizer's.
    solver.exactly([4, 5, 6, 7], 2, when=8)
    solver.parity([1, 6, 9], odd=False)
    solver.at_least([1, 2, 3], 4, weights=[1, 2, 3], iff=10)
    assert solver.nof_vars() == 10

    def holds(true: set[int]) -> bool:
        count = len({1, 2, 3, 4, 5} & true) <= 2
        two = 8 not in true or len({4, 5, 6, 7} & true) == 2
        heavy = sum(var for var in (1, 2, 3) if var in true) >= 4
        return count and two and len({1, 6, 9} & true) % 2 == 0 and heavy == (10 in true)

    assert {tuple(model) for model in solver.enum_models()} == allowed(10, holds)
    assert not solver.solve()


@pytest.mark.parametrize("side", ["at_most", "at_least", "exactly"])
def test_constraints_are_those_of_formulas(side: str) -> None:
    for k, when in product(range(5), (None, 5, [5, -6])):
        solver, formula = cnfkit.Solver(), cnfkit.Formula(6)
        solver.add_clause([6, -6])
        for to in (solver, formula):
            getattr(to, side)([1, -2, 3, 4], k, when=when)
        assert {tuple(model) for model in solver.enum_models()} == set(map(tuple, formula.solutions()))


def test_enum_models() -> None:
    solver = cnfkit.Solver([[1, 2, 3]])
    assert len(list(solver.enum_models(assumptions=[-3]))) == 3
    solver = cnfkit.Solver([[1, 2, 3]])
    assert len({tuple(model[:2]) for model in solver.enum_models(projection=[1, 2])}) == 4
    assert not solver.solve()


def test_formulas_are_taken() -> None:
    formula = cnfkit.Formula()
    formula.exactly([1, 2, 3, 4, 5, 6], 3)
    solver = cnfkit.Solver(formula)
    solver.add_clause([7])
    assert len(list(solver.enum_models())) == 20 and solver.nof_vars() == 7
    encoded = cnfkit.encode(range(1, 7), at_most=2)
    solver = cnfkit.Solver(encoded)
    assert solver.nof_vars() == encoded.n_vars and not solver.solve([1, 2, 3])

    class Plus:
        clauses = [[1, 2]]
        atmosts: list[Any] = [([1, 2, 3], 1), ([1, 2, 3], 2, [2, 2, 1])]

    assert len(list(cnfkit.Solver(Plus()).enum_models())) == 2
    with pytest.raises(ValueError, match="at-most"):
        Plus.atmosts = [([1],)]
        cnfkit.Solver(Plus())


def test_phases() -> None:
    wanted = [1, -2, 3, -4, 5]
    for late in (False, True):
        solver = cnfkit.Solver([[1, 2, 3, 4, 5], [-1, -2, -3, -4, -5]])
        if late:
            assert solver.solve()
        solver.set_phases(wanted)
        assert solver.phases == wanted
        for _ in range(3):
            assert solver.solve() and solver.model == wanted
        solver.set_phases([-lit for lit in wanted])
        assert solver.solve() and solver.model == [-lit for lit in wanted]


def test_propagate_beside_pysat() -> None:
    theirs = pytest.importorskip("pysat.solvers")
    rng, conflicts = random.Random(2), 0
    for _ in range(300):
        given = clauses(rng, 8, 12)
        assumed = [rng.choice((-1, 1)) * var for var in rng.sample(range(1, 9), 3)]
        with theirs.Solver("m22", bootstrap_with=given) as other:
            expected = other.propagate(assumed)
        agrees, lits = cnfkit.Solver(given).propagate(assumed)
        assert agrees == expected[0]
        if agrees:
            assert sorted(lits) == sorted(expected[1])
        else:
            conflicts += 1
    assert conflicts > 50
    solver = cnfkit.Solver([[-1, 2], [-2, 3]])
    assert solver.propagate([1]) == (True, [1, 2, 3]) and solver.get_model() is None
    assert solver.solve([1, -3]) is False and solver.solve([1])


def test_an_interrupt_before_the_question() -> None:
    answers = []

    def ask() -> None:
        solver = cnfkit.Solver([[1, 2], [1, -2], [-1, 2], [-1, -2]])
        solver.interrupt()
        answers.append(solver.solve_limited())

    for _ in range(20):  # the first question of a thread
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    assert answers == [None] * 20


def test_limits() -> None:
    solver = cnfkit.Solver(pigeons(12))
    solver.conf_budget(50)
    assert solver.solve_limited() is None and solver.get_status() is None
    solver.conf_budget(2000)
    assert solver.solve_limited(expect_interrupt=True) is None
    assert 2000 <= solver.accum_stats()["conflicts"] < 2200
    solver.conf_budget()
    begun = time.monotonic()
    assert solver.solve_limited(time_limit=0.2) is None
    with pytest.raises(TimeoutError):
        solver.solve(time_limit=0.2)
    assert time.monotonic() - begun < 3
    solver.conf_budget(-1)
    timer = threading.Timer(0.2, solver.interrupt)
    timer.start()
    assert solver.solve_limited(expect_interrupt=True) is None
    assert solver.solve_limited() is None  # until it is cleared
    solver.clear_interrupt()
    solver.add_clause([1])
    solver.add_clause([-1])
    assert solver.solve_limited() is False


def test_threads() -> None:
    solver, errors = cnfkit.Solver(pigeons(14)), []

    def others() -> None:
        time.sleep(0.2)
        for call in (lambda: solver.add_clause([1]), solver.get_model, solver.solve):
            try:
                call()
            except RuntimeError as error:
                errors.append(str(error))
        solver.interrupt()

    thread = threading.Thread(target=others)
    thread.start()
    assert solver.solve_limited() is None
    thread.join()
    assert errors == ["the solver answers a question of another thread"] * 3


def test_end() -> None:
    with cnfkit.Solver([[1]]) as solver:
        assert solver.solve()
    solver.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        solver.solve()
    assert "deleted" in repr(solver)
    solver = cnfkit.Solver([[1], [-2, 3]])
    assert repr(solver) == "<Solver: 3 variables, 2 clauses>"
    gone = weakref.ref(solver)
    del solver
    gc.collect()
    assert gone() is None


def test_bad_input() -> None:
    solver = cnfkit.Solver()
    cases: list[tuple[Any, type[Exception]]] = [
        *(([0], ValueError), ([True], TypeError), ([1.5], TypeError), ([1 << 40], OverflowError)),
    ]
    for wrong, error in cases:
        for call in (solver.add_clause, solver.solve, solver.propagate, solver.set_phases, solver.enum_models):
            with pytest.raises(error):
                call(wrong)
    with pytest.raises(ValueError, match="time limit"):
        solver.solve(time_limit=float("nan"))
    assert solver.solve() and solver.nof_vars() == 0 and solver.model == []


def test_formulas_keep_a_solver() -> None:
    rng = random.Random(3)
    formula = cnfkit.Formula(8)
    formula.at_most(range(1, 9), 4)
    given: list[list[int]] = []
    for step in range(60):
        if step % 3 == 0:
            given += clauses(rng, 8, 1)
            formula.add_clause(given[-1])
        if step == 30:
            formula.at_least(range(1, 9), 2)
        if step == 40:
            # A new variable has a number that an auxiliary of the solver has.
            formula.add_clause([formula.new_lit(), 1])
            given.append([9, 1])
        assumed = [rng.choice((-1, 1)) * var for var in rng.sample(range(1, 9), 2)]
        fresh = cnfkit.Formula(formula.n_vars)
        fresh.at_most(range(1, 9), 4)
        fresh.add_clauses(given)
        if step >= 30:
            fresh.at_least(range(1, 9), 2)
        models = [model for model in fresh.solutions() if set(assumed) <= set(model)]
        model = formula.solve(assumed)
        assert (model is None) == (not models) and (model is None or model in models)
        model = formula.solve()
        assert model is not None and satisfies(model, given)
    other = cnfkit.Formula(2)
    other.add_clause([1, 2])
    assert other.solve([-1]) == [-1, 2]
    other.parity([1, 2])
    assert other.solve([1]) == [1, -2] and other.solve([1, 2]) is None
    other.add_clause([-1])
    assert other.solve([1]) is None and other.solve([2]) == [-1, 2]


def test_pysat_programs() -> None:
    made: list[Any] = [solvers.Solver, solvers.Glucose4, solvers.Cadical153]
    for new in made:
        with new(bootstrap_with=[[-1, 2], [-2, 3]], use_timer=True) as solver:
            assert solver.solve(assumptions=[1, -3]) is False
            assert sorted(solver.get_core() or []) == [-3, 1]
            assert solver.add_clause([4], no_return=False) is True
            solver.add_atmost([1, 2, 3, 4], 3)
            assert solver.solve_limited(assumptions=[1]) is False
            solver.add_xor_clause([5, 6], value=True)
            assert solver.solve() and solver.time() is not None and solver.time_accum() is not None
            assert solver.supports_atmost() and solver.get_proof() is None
            assert solver.append_formula([[-4]], no_return=False) is False
            with pytest.raises(NotImplementedError, match="prop_budget"):
                solver.prop_budget(3)
    with pytest.raises(solvers.NoSuchSolverError):
        solvers.Solver("no such")
    assert solvers.Solver("cd15", [[1]]).solve() and solvers.Solver("G4").get_core() is None
