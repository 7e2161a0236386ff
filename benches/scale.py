#!/usr/bin/env python3
"""CP-SAT, with one worker, on the models of `cargo run --release -p cnfkit-peers -- models scale`, by the same names.

    pip install ortools
    python3 benches/scale.py --limit 5 --only knapsack

Instances are the same: numbers by lot come from the same generator. Hitori is left out: CP-SAT has no constraint for
what is connected.
"""

import argparse
import math
import time

from ortools.sat.python import cp_model

MASK = (1 << 64) - 1


class Random:
    """SplitMix64, as in the harness."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return ((mixed ^ (mixed >> 31)) * n) >> 64


def ints(model, n, low, high):
    return [model.new_int_var(low, high, "") for _ in range(n)]


def job_shop(model):
    jobs = [
        [(1, 21), (0, 53), (4, 95), (3, 55), (2, 34)],
        [(0, 21), (3, 52), (4, 16), (2, 26), (1, 71)],
        [(3, 39), (4, 98), (1, 42), (2, 31), (0, 12)],
        [(1, 77), (0, 55), (4, 79), (2, 66), (3, 77)],
        [(0, 83), (3, 34), (2, 64), (1, 19), (4, 37)],
        [(1, 54), (2, 43), (4, 79), (0, 92), (3, 62)],
        [(3, 69), (4, 77), (1, 87), (2, 87), (0, 93)],
        [(2, 38), (0, 60), (1, 41), (3, 24), (4, 83)],
        [(3, 17), (1, 49), (4, 25), (0, 44), (2, 98)],
        [(4, 77), (3, 79), (2, 43), (1, 75), (0, 96)],
    ]
    horizon = sum(duration for job in jobs for _, duration in job)
    end = model.new_int_var(0, horizon, "")
    machines = [[] for _ in range(5)]
    for job in jobs:
        before = 0
        for machine, duration in job:
            start = model.new_int_var(0, horizon, "")
            machines[machine].append(model.new_fixed_size_interval_var(start, duration, ""))
            model.add(start >= before)
            before = start + duration
        model.add(end >= before)
    for machine in machines:
        model.add_no_overlap(machine)
    model.minimize(end)


def arcs(model, n):
    literals = {(a, b): model.new_bool_var("") for a in range(n) for b in range(n) if a != b}
    model.add_circuit([(a, b, literal) for (a, b), literal in literals.items()])
    return literals


def salesman(model, n):
    random = Random(7)
    places = [(random.below(100), random.below(100)) for _ in range(n)]
    distance = lambda a, b: math.isqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)
    literals = arcs(model, n)
    model.minimize(sum(distance(places[a], places[b]) * literal for (a, b), literal in literals.items()))


def window(model, n):
    x = ints(model, n, 0, 100)
    model.add(sum(x) >= 49 * n)
    model.add(sum(x) <= 50 * n)


def weighted(model, n, most):
    random = Random(n)
    x = ints(model, n, 0, most)
    weights = [1 + random.below(1000) for _ in x]
    total = sum(w * random.below(most + 1) for w in weights)
    model.add(sum(w * v for w, v in zip(weights, x)) == total)


def knapsack(model, n):
    random = Random(n)
    x = ints(model, n, 0, 9)
    weights = [10 + random.below(90) for _ in x]
    worths = [10 + random.below(90) for _ in x]
    model.add(sum(w * v for w, v in zip(weights, x)) <= sum(weights) * 9 // 2)
    model.minimize(-sum(w * v for w, v in zip(worths, x)))


def value_literals(model, x, values):
    """A literal for each variable and value."""
    rows = [[model.new_bool_var("") for _ in range(values)] for _ in x]
    for variable, row in zip(x, rows):
        model.add_exactly_one(row)
        model.add(variable == sum(value * literal for value, literal in enumerate(row)))
    return rows


def counts(model, n):
    rows = value_literals(model, ints(model, n, 0, 9), 10)
    for value in range(10):
        model.add(sum(row[value] for row in rows) == n // 10)


def magic(model, n):
    x = ints(model, n, 0, n - 1)
    rows = value_literals(model, x, n)
    for value in range(n):
        model.add(sum(row[value] for row in rows) == x[value])
    model.add(sum(x) == n)
    model.add(sum((value - 1) * v for value, v in enumerate(x)) == 0)


def templates(model):
    demands = [250, 255, 260, 500, 500, 800, 1100]
    runs = ints(model, 2, 0, 1100)
    made = [[model.new_int_var(0, 9900, "") for _ in runs] for _ in demands]
    slots = [ints(model, 2, 0, 9) for _ in demands]
    for template in range(2):
        model.add(sum(row[template] for row in slots) == 9)
    for design, demand in enumerate(demands):
        for template in range(2):
            model.add_multiplication_equality(made[design][template], [slots[design][template], runs[template]])
        model.add(sum(made[design]) >= demand)
    model.add(runs[0] <= runs[1])
    model.minimize(sum(runs))


def ascending(model):
    x = ints(model, 30, 0, 10**9)
    for a, b in zip(x, x[1:]):
        model.add(a < b)
    model.add(sum(x) == 12345678901)


def pythagoras(model):
    x = ints(model, 2, -(10**6), 10**6)
    squares = ints(model, 2, 0, 10**12)
    for variable, square in zip(x, squares):
        model.add_multiplication_equality(square, [variable, variable])
    model.add(sum(squares) == 25)


def tasks(model):
    random = Random(3)
    starts = ints(model, 100, 0, 400)
    durations = [1 + random.below(20) for _ in starts]
    demands = [1 + random.below(5) for _ in starts]
    intervals = [model.new_fixed_size_interval_var(s, d, "") for s, d in zip(starts, durations)]
    model.add_cumulative(intervals, demands, 10)


def slitherlink(model, n):
    random = Random(n)
    inside = [[False] * n for _ in range(n)]
    inside[n // 2][n // 2] = True
    around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]

    def ring(row, column):
        cells = [(row + down, column + right) for down, right in around]
        return [0 <= r < n and 0 <= c < n and inside[r][c] for r, c in cells]

    for _ in range(40 * n * n):
        row, column = random.below(n), random.below(n)
        near = ring(row, column)
        changes = sum(near[at] != near[(at + 1) % 8] for at in range(8))
        inside[row][column] |= changes == 2 and any(near[1::2])
    corners = [(row, column) for row in range(n + 1) for column in range(n + 1)]
    edges, circuit = {}, []
    number = {corner: at for at, corner in enumerate(corners)}
    for row, column in corners:
        circuit.append((number[row, column], number[row, column], model.new_bool_var("")))
        for other in [(row, column + 1), (row + 1, column)]:
            if other in number:
                both = [model.new_bool_var("") for _ in range(2)]
                circuit.append((number[row, column], number[other], both[0]))
                circuit.append((number[other], number[row, column], both[1]))
                edges[(row, column), other] = sum(both)
    model.add_circuit(circuit)
    for row in range(n):
        for column in range(n):
            sides = sum(beside != inside[row][column] for beside in ring(row, column)[1::2])
            if random.below(10) < 6:
                a, b, c, d = (row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)
                model.add(edges[a, b] + edges[c, d] + edges[a, c] + edges[b, d] == sides)


def rows():
    yield "job shop la01", job_shop
    sized = [
        ("circuit of", [25, 60, 100], arcs),
        ("TSP of", [10, 15, 20], salesman),
        ("49n <= sum <= 50n, n =", [10, 100, 1000], window),
        ("sum of w x = c, x in 0..9, n =", [30, 1000], lambda model, n: weighted(model, n, 9)),
        ("sum of w x = c, x in 0..1, n =", [100, 1000], lambda model, n: weighted(model, n, 1)),
        ("knapsack of integers,", [15, 20], knapsack),
        ("gcc on 10 values,", [1000], counts),
        ("magic sequence", [20, 100], magic),
        ("Slitherlink, cells a side", [14, 30], slitherlink),
    ]
    for name, sizes, make in sized:
        for n in sizes:
            yield f"{name} {n}", lambda model, make=make, n=n: make(model, n)
    yield "template design catfood_2", templates
    yield "30 numbers to 10^9", ascending
    yield "x^2 + y^2 = 25", pythagoras
    yield "cumulative of 100 tasks", tasks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="models whose names have this part")
    parser.add_argument("--limit", type=float, default=10, help="seconds for each")
    args = parser.parse_args()
    print("| model | CPU, s | answer |\n|---|---:|---|")
    for name, make in rows():
        if args.only not in name:
            continue
        start = time.process_time()
        model = cp_model.CpModel()
        make(model)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = args.limit
        status = solver.status_name(solver.solve(model))
        value = f"{solver.objective_value:.0f}, " if model.has_objective() and status in ("OPTIMAL", "FEASIBLE") else ""
        print(f"| {name} | {time.process_time() - start:.3f} | {value}{status.lower()} |", flush=True)


if __name__ == "__main__":
    main()
