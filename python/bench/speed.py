"""CPU time to encode, beside PySAT's, in one run: `python bench/speed.py`, where numpy and python-sat are installed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time

import numpy
import pysat.card
from cnfkit import encode
from cnfkit.pysat import CardEnc

CASES = [(1000, 1), (200, 20), (1000, 100), (2000, 500)]


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


def main() -> None:
    """Prints the table of the README."""
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
    big = list(range(1, 1502))
    many = encode(big, at_most=500, encoding="sequential")
    taken = best(lambda: encode(big, at_most=500, encoding="sequential").to_numpy(), 10)
    print(f"\n{len(many):,} clauses into a NumPy array: {taken:.0f} ms")
    start = best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 10)
    whole = best(lambda: subprocess.run([sys.executable, "-c", "import cnfkit"], check=True), 10)
    print(f"import cnfkit: {whole - start:.0f} ms more than Python's start, {start:.0f} ms")


if __name__ == "__main__":
    main()
