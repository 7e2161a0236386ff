"""Programs written for PySAT run as they are when `pysat` becomes `cnfkit.pysat` in their imports."""

from __future__ import annotations

from typing import Any

import pytest

CORES = """
from pysat.card import ITotalizer
from pysat.formula import CNF, IDPool
from pysat.solvers import Solver

# The most vertices of a cycle of 11 without neighbours, by cores: each core of m soft literals costs one, and all but
# one of its bounds become soft.
n = 11
hard = CNF(from_clauses=[[-v, -(v % n + 1)] for v in range(1, n + 1)])
cost, top, bounds = 0, n, {}
with Solver(name="g4", bootstrap_with=hard) as oracle:
    soft = set(range(1, n + 1))
    while not oracle.solve(assumptions=sorted(soft)):
        core = oracle.get_core()
        cost += 1
        soft -= set(core)
        for lit in core:
            if lit in bounds:
                total, bound = bounds.pop(lit)
                total.increase(ubound=bound + 1, top_id=top)
                for clause in total.cnf.clauses[len(total.cnf.clauses) - total.nof_new :]:
                    oracle.add_clause(clause)
                top = max(top, total.top_id)
                if bound + 1 < len(total.rhs):
                    bounds[-total.rhs[bound + 1]] = (total, bound + 1)
                    soft.add(-total.rhs[bound + 1])
        if len(core) > 1:
            total = ITotalizer(lits=[-lit for lit in core], ubound=1, top_id=top)
            for clause in total.cnf.clauses:
                oracle.add_clause(clause)
            top = max(top, total.top_id)
            bounds[-total.rhs[1]] = (total, 1)
            soft.add(-total.rhs[1])
    model = oracle.get_model()
result = (cost, sum(lit > 0 for lit in model[:n]))
"""

BOUNDS = """
from pysat.card import CardEnc, EncType, ITotalizer
from pysat.formula import CNF
from pysat.solvers import Minisat22

# The smallest dominating set of a grid, by a bound that falls.
w, h = 5, 4
var = lambda x, y: y * w + x + 1
cnf = CNF()
for x in range(w):
    for y in range(h):
        near = [(x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        cnf.append([var(a, b) for a, b in near if 0 <= a < w and 0 <= b < h])
total = ITotalizer(lits=list(range(1, cnf.nv + 1)), ubound=cnf.nv)
cnf.extend(total.cnf.clauses)
result = []
with Minisat22(bootstrap_with=cnf) as solver:
    bound = w * h
    while solver.solve_limited(assumptions=[-total.rhs[bound]] if bound < w * h else []):
        bound = sum(lit > 0 for lit in solver.get_model()[: w * h]) - 1
    result = (bound + 1, solver.get_status(), solver.nof_vars() >= w * h)
total.delete()
"""

GRID = """
from pysat.card import *
from pysat.formula import IDPool
from pysat.solvers import Solver

# Six queens, counted: rows and columns exactly one, diagonals at most one.
n, pool = 6, IDPool()
queen = [[pool.id((row, column)) for column in range(n)] for row in range(n)]
cells = [(row, column) for row in range(n) for column in range(n)]
formula = CNFPlus()
for line in [*queen, *zip(*queen)]:
    formula.extend(CardEnc.equals(lits=list(line), bound=1, vpool=pool, encoding=EncType.ladder).clauses)
for key in range(-n, 2 * n):
    for line in ([c for c in cells if c[0] + c[1] == key], [c for c in cells if c[0] - c[1] == key]):
        if len(line) > 1:
            lits = [queen[row][column] for row, column in line]
            formula.extend(CardEnc.atmost(lits=lits, bound=1, vpool=pool).clauses)
with Solver(name="cadical153", bootstrap_with=formula.clauses) as solver:
    boards = set()
    while solver.solve():
        board = [var for row in queen for var in row if solver.get_model()[var - 1] > 0]
        boards.add(tuple(board))
        solver.add_clause([-var for var in board])
result = (len(boards), all(pool.obj(var) in cells for board in boards for var in board))
"""


@pytest.mark.parametrize("program", [CORES, BOUNDS, GRID], ids=["cores", "bounds", "grid"])
def test_ported(program: str) -> None:
    pytest.importorskip("pysat.solvers")
    spaces: list[dict[str, Any]] = [{}, {}]
    exec(program, spaces[0])
    exec(program.replace("from pysat.", "from cnfkit.pysat."), spaces[1])
    assert spaces[0]["result"] == spaces[1]["result"]
