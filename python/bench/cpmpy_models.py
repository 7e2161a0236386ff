"""Models as those of CPMpy's examples, by each of its solvers in one run: `python cpmpy_models.py --limit 20`.

Each cell has the value of the objective, or "sat" or "unsat", and the CPU seconds of one thread, CPMpy's transformations
included. "≤" and "≥" are bounds by solutions that are not shown to be optimal; "time" is no answer within the limit of
seconds; "–" is what the solver's interface does not take: PySAT's takes sums of weights only where pypblib is installed,
which is compiled for that. Every solution is checked by CPMpy, and answers are compared.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import cpmpy as cp
from cpmpy.exceptions import NotSupportedError
from cpmpy.solvers.solver_interface import ExitStatus
from cpmpy.transformations.normalize import toplevel_list

from cnfkit.cpmpy import register

SOLVERS: dict[str, dict[str, int]] = {
    "cnfkit": {},
    "ortools": {"num_workers": 1},
    "pysat": {},
    "pindakaas": {},
    "exact": {},
}


def send_more_money() -> Any:
    s, e, n, d, m, o, r, y = x = cp.intvar(0, 9, shape=8)
    words = [cp.sum(10**i * letter for i, letter in enumerate(reversed(word)))
             for word in ((s, e, n, d), (m, o, r, e), (m, o, n, e, y))]
    return cp.Model(cp.AllDifferent(x), words[0] + words[1] == words[2], s > 0, m > 0)


def sudoku() -> Any:
    rows = "8........ ..36..... .7..9.2.. .5...7... ....457.. ...1...3. ..1....68 ..85...1. .9....4..".split()
    x = cp.intvar(1, 9, shape=(9, 9))
    boxes = [x[i : i + 3, j : j + 3].flatten() for i, j in product((0, 3, 6), repeat=2)]
    given = [x[i, j] == int(rows[i][j]) for i, j in product(range(9), repeat=2) if rows[i][j] != "."]
    return cp.Model([cp.AllDifferent(line) for line in [*x, *x.T, *boxes]], given)


def queens(n: int = 16) -> Any:
    x = cp.intvar(0, n - 1, shape=n)
    return cp.Model(cp.AllDifferent(x), cp.AllDifferent(x + range(n)), cp.AllDifferent(x - range(n)))


def zebra() -> Any:
    kinds = [cp.intvar(1, 5, shape=5) for _ in range(5)]
    (english, spanish, japanese, ukrainian, norwegian), (red, green, ivory, yellow, blue) = kinds[:2]
    (dog, snails, fox, horse, _), (old, kools, chester, lucky, parliament), (coffee, tea, milk, juice, _) = kinds[2:]
    beside = [(chester, fox), (kools, horse), (norwegian, blue)]
    pairs = [(english, red), (spanish, dog), (coffee, green), (ukrainian, tea), (old, snails), (kools, yellow),
             (lucky, juice), (japanese, parliament)]
    return cp.Model([cp.AllDifferent(kind) for kind in kinds], [a == b for a, b in pairs], green == ivory + 1,
                    milk == 3, norwegian == 1, [abs(a - b) == 1 for a, b in beside])


def agatha() -> Any:
    names = agatha, butler, charles = range(3)
    killer = cp.intvar(0, 2)
    hates, richer = cp.boolvar(shape=(3, 3)), cp.boolvar(shape=(3, 3))
    return cp.Model(
        cp.Element(hates[:, agatha], killer) == 1, cp.Element(richer[:, agatha], killer) == 0,
        [~richer[i, i] for i in names], [richer[i, j] != richer[j, i] for i, j in combinations(names, 2)],
        [hates[agatha, i].implies(~hates[charles, i]) for i in names],
        hates[agatha, agatha], hates[agatha, charles], ~hates[agatha, butler],
        [(~richer[i, agatha]).implies(hates[butler, i]) for i in names],
        [hates[agatha, i].implies(hates[butler, i]) for i in names], [cp.sum(hates[i]) <= 2 for i in names])


def wolf_goat_cabbage(steps: int = 8) -> Any:
    wolf, goat, cabbage, boat = cp.boolvar(shape=(4, steps))
    cargo = (wolf, goat, cabbage)
    model = cp.Model([~one[0] for one in (*cargo, boat)], [one[-1] for one in (*cargo, boat)])
    for t in range(steps):
        model += [(one[t] == other[t]).implies(boat[t] == goat[t]) for one, other in ((wolf, goat), (goat, cabbage))]
        if t:
            model += [boat[t] != boat[t - 1], cp.sum(one[t] != one[t - 1] for one in cargo) <= 1]
            model += [(one[t] != one[t - 1]).implies(one[t] == boat[t]) for one in cargo]
    return model


def knapsack(n: int = 30) -> Any:
    values, sizes = [7 + 37 * i % 41 for i in range(n)], [5 + 29 * i % 31 for i in range(n)]
    x = cp.boolvar(shape=n)
    return cp.Model(cp.sum(x * sizes) <= sum(sizes) // 3, maximize=cp.sum(x * values))


def job_shop(n: int = 5, machines: int = 4) -> Any:
    times = [[1 + (7 * i + 5 * j + i * j) % 9 for j in range(machines)] for i in range(n)]
    order = [[(i + j * (1 + i % 2 * 2)) % machines for j in range(machines)] for i in range(n)]
    horizon = sum(map(sum, times)) // 2
    start, makespan = cp.intvar(0, horizon, shape=(n, machines)), cp.intvar(0, horizon)
    model = cp.Model(minimize=makespan)
    for i in range(n):
        model += [start[i, j] + times[i][j] <= start[i, j + 1] for j in range(machines - 1)]
        model += start[i, -1] + times[i][-1] <= makespan
    for machine in range(machines):
        tasks = [(i, j) for i in range(n) for j in range(machines) if order[i][j] == machine]
        model += cp.NoOverlap([start[i, j] for i, j in tasks], [times[i][j] for i, j in tasks])
    return model


def fries() -> Any:
    mayo, ketchup, curry, andalouse, samurai = cp.boolvar(shape=5)
    return cp.Model(mayo | ketchup, (~mayo).implies(andalouse), ketchup.implies(curry & ~samurai),
                    (curry | andalouse).implies(~mayo | samurai), andalouse.implies(ketchup))


def buses() -> Any:
    demands = [8, 10, 7, 12, 4, 4]
    x = cp.intvar(0, 20, shape=6)
    return cp.Model([x[i] + x[i - 1] >= demands[i] for i in range(6)], minimize=cp.sum(x))


def magic_square(n: int = 4) -> Any:
    x = cp.intvar(1, n * n, shape=(n, n))
    lines = [*x, *x.T, [x[i, i] for i in range(n)], [x[i, n - 1 - i] for i in range(n)]]
    return cp.Model(cp.AllDifferent(x), [cp.sum(line) == n * (n * n + 1) // 2 for line in lines], x[0, 0] < x[0, -1])


def golomb(n: int = 7) -> Any:
    x = cp.intvar(0, n * n, shape=n)
    return cp.Model(x[0] == 0, cp.IncreasingStrict(x), cp.AllDifferent([b - a for a, b in combinations(x, 2)]),
                    minimize=x[-1])


def langford(n: int = 8) -> Any:
    at = cp.intvar(0, 2 * n - 1, shape=2 * n)
    return cp.Model(cp.AllDifferent(at), [at[n + i] == at[i] + i + 2 for i in range(n)])


def colours(n: int = 24) -> Any:
    x = cp.intvar(1, 8, shape=n)
    edges = [(i, j) for i, j in combinations(range(n), 2) if (i * i + j * j + i * j) % 5 < 2]
    return cp.Model([x[i] != x[j] for i, j in edges], minimize=cp.max(x))


def salesman(n: int = 9) -> Any:
    places = [(17 * i % 23, 11 * i % 19) for i in range(n)]
    far = [[abs(a - c) + abs(b - d) for c, d in places] for a, b in places]
    x = cp.intvar(0, n - 1, shape=n)
    return cp.Model(cp.Circuit(x), minimize=cp.sum(cp.Element(far[i], x[i]) for i in range(n)))


def minesweeper() -> Any:
    rows = "..2.3. 2..... ..24.3 1.34.. .....3 .3.3..".split()
    x = cp.boolvar(shape=(6, 6))
    model = cp.Model()
    for i, j in product(range(6), repeat=2):
        if rows[i][j] != ".":
            model += [~x[i, j], cp.sum(x[max(0, i - 1) : i + 2, max(0, j - 1) : j + 2]) == int(rows[i][j])]
    return model


def magic_sequence(n: int = 14) -> Any:
    x = cp.intvar(0, n - 1, shape=n)
    return cp.Model([cp.Count(x, i) == x[i] for i in range(n)], cp.sum(x) == n)


def project(n: int = 10) -> Any:
    times, demands = [1 + 5 * i % 7 for i in range(n)], [1 + 3 * i % 4 for i in range(n)]
    start, end = cp.intvar(0, 40, shape=n), cp.intvar(0, 40)
    before = [(i, j) for i, j in combinations(range(n), 2) if (i + 2 * j) % 7 == 0]
    return cp.Model(cp.Cumulative(start, times, demand=demands, capacity=5), [start + times <= end],
                    [start[i] + times[i] <= start[j] for i, j in before], minimize=end)


def block_design() -> Any:
    x = cp.boolvar(shape=(7, 7))
    return cp.Model([cp.sum(row) == 3 for row in [*x, *x.T]],
                    [cp.sum(a & b for a, b in zip(one, other)) == 1 for one, other in combinations(x, 2)],
                    [cp.LexLessEq(one, other) for one, other in zip(x, x[1:])])


def warehouses(shops: int = 8, houses: int = 5) -> Any:
    cost = [[10 + (13 * i + 29 * j) % 47 for j in range(houses)] for i in range(shops)]
    at, is_open = cp.intvar(0, houses - 1, shape=shops), cp.boolvar(shape=houses)
    return cp.Model([(at[i] == j).implies(is_open[j]) for i in range(shops) for j in range(houses)],
                    [cp.Count(at, j) <= 3 for j in range(houses)],
                    minimize=30 * cp.sum(is_open) + cp.sum(cp.Element(cost[i], at[i]) for i in range(shops)))


def flexible_job_shop(n: int = 12, machines: int = 3) -> Any:
    times = [[2 + (5 * i + 3 * j + i * j) % 7 for j in range(machines)] for i in range(n)]
    start, end = cp.intvar(0, 8 * n, shape=n), cp.intvar(0, 8 * n, shape=n)
    runs = cp.boolvar(shape=(n, machines))
    model = cp.Model([cp.sum(row) == 1 for row in runs],
                     minimize=100 * cp.max(end) + cp.sum((5 + 7 * i * j % 11) * runs[i, j]
                                                         for i in range(n) for j in range(machines)))
    for j in range(machines):
        model += cp.NoOverlapOptional(start, [row[j] for row in times], end, list(runs[:, j]))
    return model


def distances(n: int = 6) -> Any:
    wanted, x = [700 - 113 * i % 590 for i in range(n)], cp.intvar(0, 10_000, shape=n)
    return cp.Model([x[i] + x[(i + 1) % n] >= x[(i + 2) % n] + 97 * i + 400 for i in range(n)],
                    minimize=cp.sum(abs(x[i] - wanted[i]) for i in range(n)))


def facilities(houses: int = 7, shops: int = 14) -> Any:
    demand = [5 + 11 * i % 16 for i in range(shops)]
    runs, at = cp.boolvar(shape=houses), cp.boolvar(shape=(shops, houses))
    cost = [[1 + (19 * i + 31 * j + i * j) % 59 for j in range(houses)] for i in range(shops)]
    return cp.Model([cp.sum(row) == 1 for row in at],
                    [cp.sum(at[:, j] * demand) <= (40 + 13 * j % 29) * runs[j] for j in range(houses)],
                    minimize=cp.sum((50 + 23 * j % 70) * runs[j] for j in range(houses))
                    + cp.sum(cost[i][j] * at[i, j] for i in range(shops) for j in range(houses)))


MODELS: list[Callable[[], Any]] = [
    send_more_money, sudoku, queens, zebra, agatha, wolf_goat_cabbage, knapsack, job_shop, fries, buses,
    magic_square, golomb, langford, colours, salesman, minesweeper, magic_sequence, project, block_design, warehouses,
    flexible_job_shop, distances, facilities,
]  # fmt: skip


def answer(make: Callable[[], Any], solver: str, limit: float, pipe: Any) -> None:
    """Sends what a solver says of a model: a word, a value and the CPU seconds."""
    try:
        model, begin = make(), time.process_time()
        try:
            found = model.solve(solver=solver, time_limit=limit, **SOLVERS[solver])
        except (NotSupportedError, NotImplementedError, ImportError):
            pipe.send(("–", None, 0.0))
            return
        spent, status = time.process_time() - begin, model.status().exitstatus
        has_objective = model.objective_ is not None
        word = {ExitStatus.UNSATISFIABLE: "unsat", ExitStatus.UNKNOWN: "time"}.get(status, "sat")
        if found:
            value = model.objective_value() if has_objective else None
            if not all(constraint.value() for constraint in toplevel_list(model.constraints)):
                word = "wrong: a constraint does not hold"
            elif has_objective and model.objective_.value() != value:
                word = "wrong: another value"
            elif has_objective and status != ExitStatus.OPTIMAL:
                word = "≤" if model.objective_is_min else "≥"
        pipe.send((word, value if found else None, spent))
    except Exception as error:  # of a solver's interface
        pipe.send((f"error: {type(error).__name__}: {str(error)[:60]}", None, 0.0))


def ask(make: Callable[[], Any], solver: str, limit: float) -> tuple[str, int | None, float]:
    """The answer of a process of its own, which is ended if it heeds no limit."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=answer, args=(make, solver, limit, theirs))
    process.start()
    said: tuple[str, int | None, float] = ours.recv() if ours.poll(3 * limit + 20) else ("time", None, limit)
    process.kill()
    process.join()
    return said


def main() -> int:
    """Prints the table; 1 if an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for each answer")
    parser.add_argument("--solvers", nargs="+", default=list(SOLVERS), choices=list(SOLVERS))
    parser.add_argument("--models", nargs="+", choices=[make.__name__ for make in MODELS])
    args = parser.parse_args()
    register()
    wrong = 0
    print("| model |", " | ".join(args.solvers), "|\n|---|" + "---|" * len(args.solvers))
    for make in MODELS:
        if args.models and make.__name__ not in args.models:
            continue
        row, proven = [], set()
        for solver in args.solvers:
            word, value, spent = ask(make, solver, args.limit)
            wrong += word.startswith("wrong")
            if word in ("sat", "unsat"):
                proven.add(value if word == "sat" else word)
            shown = {"sat": "" if value is not None else "sat"}.get(word, word)
            row.append(f"{shown}{'' if value is None else value}" + (f", {spent:.2f}" if spent else ""))
        wrong += len(proven) > 1
        print("|", make.__name__.replace("_", " "), "|", " | ".join(row), "|", flush=True)
    print(f"\n{wrong} wrong")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
