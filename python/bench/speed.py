"""CPU time to encode and to ask, beside PySAT's, in one run: `python bench/speed.py`, with numpy and python-sat."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time
from typing import Any

import numpy
import pysat.card
import pysat.solvers
from cnfkit import Formula, Solver, encode, encode_many
from cnfkit.pysat import CardEnc

CASES = [(1000, 1), (200, 20), (1000, 100)]


def cpu() -> float:
    """Seconds of CPU so far, of this process and of those that it started."""
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def best(work: Callable[[], object], times: int = 20) -> float:
    """The least CPU time of some runs, in milliseconds."""
    spent = []
    for _ in range(times):
        begin = cpu()
        result = work()
        spent.append(cpu() - begin)
        del result
    return 1000 * min(spent)


def small() -> None:
    """One small constraint each: `CardEnc.atmost` beside PySAT's."""
    print("\n| at most k of n | µs | PySAT's, µs | × |")
    print("|---|---|---|---|")
    for n, k in [(3, 1), (3, 2), (5, 2), (10, 3), (20, 5)]:
        lits = list(range(1, n + 1))
        ours = best(lambda: [CardEnc.atmost(lits, k) for _ in range(1000)])
        theirs = best(lambda: [pysat.card.CardEnc.atmost(lits, k) for _ in range(1000)])
        print(f"| {k} of {n} | {ours:.2f} | {theirs:.2f} | {theirs / ours:.1f} |")


def rows() -> None:
    """Many constraints at once, beside PySAT's one after the other."""
    print("\n| constraints | as arrays, ms | in a Solver, ms | PySAT's CNFs, ms | in its Solver, ms | × | × |")
    print("|---|---|---|---|---|---|---|")
    for m, n, k in [(1000, 10, 3), (1000, 20, 5), (10000, 5, 2)]:
        array = numpy.arange(1, m * n + 1).reshape(m, n)
        lists = array.tolist()

        def theirs(to: Callable[[object], object], n_vars: int = m * n, lists: object = lists, k: int = k) -> None:
            for row in lists:  # type: ignore[attr-defined]
                cnf = pysat.card.CardEnc.atmost(row, k, top_id=n_vars)
                n_vars = cnf.nv
                to(cnf)

        def in_solver() -> None:
            with pysat.solvers.Solver("m22") as solver:
                theirs(solver.append_formula)

        ours = best(lambda: encode_many(array, at_most=k, encoding="sequential").to_arrays())
        solver = best(lambda: Solver().at_most_many(array, k, encoding="sequential"))
        lone, loaded = best(lambda: theirs(lambda _: None), 5), best(in_solver, 5)
        row = [f"{m} × at most {k} of {n}", f"{ours:.2f}", f"{solver:.2f}", f"{lone:.1f}", f"{loaded:.1f}"]
        print("|", " | ".join([*row, f"{lone / ours:.0f}", f"{loaded / solver:.0f}"]), "|")


def questions() -> None:
    """1,000 questions of one assumption over 20,000 variables and 40,000 clauses."""
    print("\n| literals in a clause | Solver, ms | Formula, ms | PySAT's minisat22, ms | glucose4, ms |")
    print("|---|---|---|---|---|")
    for name, share in (("3", 0.0), ("2 or 3, satisfiable", 0.3), ("2 or 3, not satisfiable", 0.5)):
        rng, n = random.Random(1), 20000
        sizes = (2 if rng.random() < share else 3 for _ in range(2 * n))
        clauses = [[rng.choice((-1, 1)) * var for var in rng.sample(range(1, n + 1), size)] for size in sizes]
        asked = [rng.choice((-1, 1)) * rng.randint(1, n) for _ in range(1000)]

        def formula() -> None:
            formula = Formula(n)
            formula.add_clauses(clauses)
            for lit in asked:
                formula.solve([lit])

        def loop(solver: Any) -> None:
            for lit in asked:
                (solver.get_model if solver.solve(assumptions=[lit]) else solver.get_core)()

        spent = [best(lambda: loop(Solver(clauses)), 1), best(formula, 1)]
        for theirs in ("m22", "g4"):
            spent.append(best(lambda: loop(pysat.solvers.Solver(theirs, bootstrap_with=clauses)), 1))
        print("|", " | ".join([name, *(f"{ms:.0f}" for ms in spent)]), "|")


def main() -> None:
    """Prints the tables of the README."""
    print("| at most k of n | clauses | to NumPy, ms | PySAT's, ms | × | to its CNF, ms | PySAT's, ms | × |")
    print("|---|---|---|---|---|---|---|---|")
    for n, k in CASES:
        lits = list(range(1, n + 1))
        clauses = len(encode(lits, at_most=k, encoding="card:sequential" if k == 1 else "sequential"))

        def their_array(lits: list[int] = lits, k: int = k) -> object:
            cnf = pysat.card.CardEnc.atmost(lits, k)
            return numpy.array([lit for clause in cnf.clauses for lit in (*clause, 0)], dtype=numpy.int32)

        name = "card:sequential" if k == 1 else "sequential"
        array = best(lambda: encode(lits, at_most=k, encoding=name).to_numpy())
        theirs = best(their_array, 5)
        ours = best(lambda: CardEnc.atmost(lits, k))
        pysat_ms = best(lambda: pysat.card.CardEnc.atmost(lits, k), 20 if clauses < 10**4 else 5)
        row = [f"{k} of {n}", f"{clauses:,}", f"{array:.2f}", f"{theirs:.1f}", f"{theirs / array:.0f}"]
        print("|", " | ".join([*row, f"{ours:.1f}", f"{pysat_ms:.1f}", f"{pysat_ms / ours:.1f}"]), "|")
    small()
    rows()
    questions()
    big = list(range(1, 1502))
    many = encode(big, at_most=500, encoding="sequential")
    taken = best(lambda: encode(big, at_most=500, encoding="sequential").to_numpy(), 10)
    print(f"\n{len(many):,} clauses into a NumPy array: {taken:.0f} ms")
    start = best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 10)
    whole = best(lambda: subprocess.run([sys.executable, "-c", "import cnfkit"], check=True), 10)
    print(f"import cnfkit: {whole - start:.0f} ms more than Python's start, {start:.0f} ms")


if __name__ == "__main__":
    main()
