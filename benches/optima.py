#!/usr/bin/env python3
"""Weighted instances by lot, and how `minimise` and RC2 fare on them: time and conflicts to the optimum.

    cargo build --release --example minimise
    pip install python-sat
    python3 benches/optima.py --seed 2 --limit 20

Each family has instances of its own seed; other seeds give others. RC2 runs as its authors recommend for weights:
stratified by diversity, with at-most-ones, exhaustion and minimisation of cores, on Glucose 3.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

OURS = "target/release/examples/minimise"
STRATEGIES = ["auto", "core-guided", "solution-improving"]


def pairs(r, n, m):
    edges = set()
    while len(edges) < m:
        a, b = r.sample(range(1, n + 1), 2)
        edges.add((min(a, b), max(a, b)))
    return sorted(edges)


def costs(r, n, heaviest):
    return [(r.randint(1, heaviest), (-v,)) for v in range(1, n + 1)]


def vertex_cover(r, n=90, m=220, heaviest=50):
    return pairs(r, n, m), costs(r, n, heaviest)


def set_cover(r, n=100, m=120, k=4, heaviest=20):
    return [tuple(r.sample(range(1, n + 1), k)) for _ in range(m)], costs(r, n, heaviest)


def max_cut(r, n=26, m=70, heaviest=9):
    soft = []
    for a, b in (r.sample(range(1, n + 1), 2) for _ in range(m)):
        weight = r.randint(1, heaviest)
        soft += [(weight, (a, b)), (weight, (-a, -b))]
    return [], soft


def partial_random(r, n=60, hard=150, soft=120, heaviest=10):
    def clause(k):
        return tuple(v if r.random() < 0.5 else -v for v in r.sample(range(1, n + 1), k))

    return [clause(3) for _ in range(hard)], [(r.randint(1, heaviest), clause(2)) for _ in range(soft)]


def independent(r, n=60, m=180, heaviest=30):
    hard = [tuple(-v for v in r.sample(range(1, n + 1), 3)) for _ in range(m)]
    return hard, [(r.randint(1, heaviest), (v,)) for v in range(1, n + 1)]


def assignment(r, jobs=20, slots=6, heaviest=100):
    def var(job, slot):
        return job * slots + slot + 1

    hard = [tuple(var(job, slot) for slot in range(slots)) for job in range(jobs)]
    for job in range(jobs):
        hard += [(-var(job, a), -var(job, b)) for a in range(slots) for b in range(a)]
        for other in range(job):
            if r.random() < 0.3:
                hard += [(-var(job, slot), -var(other, slot)) for slot in range(slots)]
    return hard, costs(r, jobs * slots, heaviest)


FAMILIES = {
    "vertex cover": vertex_cover,
    "vertex cover, weights to 10⁶": lambda r: vertex_cover(r, 80, 200, 10**6),
    "vertex cover, weights 1": lambda r: vertex_cover(r, 80, 180, 1),
    "set cover": set_cover,
    "maximum cut": max_cut,
    "partial random": partial_random,
    "independent set, triples": independent,
    "conflicting jobs": assignment,
}

RC2 = """
import sys
from pysat.examples.rc2 import RC2Stratified
from pysat.formula import WCNF
rc2 = RC2Stratified(WCNF(from_file=sys.argv[1]), solver="g3", adapt=True, exhaust=True, minz=True, trim=5, blo="div")
rc2.compute()
print("o", rc2.cost)
print("c at least 0,", rc2.oracle.accum_stats()["conflicts"], "conflicts")
"""


def run(command, limit):
    """The last value, whether it is optimal, seconds and conflicts."""
    start = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit + 5)
        text, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired:
        text, code = "", None
    lines = text.splitlines()
    value = next((int(line.split()[1]) for line in reversed(lines) if line.startswith("o ")), None)
    conflicts = next((int(line.split()[-2]) for line in reversed(lines) if line.startswith("c at least")), None)
    optimal = code == 30 or (command[0] == sys.executable and code == 0)
    return value, optimal, time.time() - start, conflicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--count", type=int, default=3, help="instances of each family")
    parser.add_argument("--limit", type=float, default=20, help="seconds for each run")
    args = parser.parse_args()
    names = [*STRATEGIES, "RC2"]
    print("| family |", " | ".join(names), "|")
    print("|---|" + "---|" * len(names))
    with tempfile.TemporaryDirectory() as folder:
        for family, make in FAMILIES.items():
            found = {name: [] for name in names}
            for index in range(args.count):
                hard, soft = make(random.Random(f"{args.seed} {index} {family}"))
                file = os.path.join(folder, "instance.wcnf")
                with open(file, "w", encoding="ascii") as out:
                    out.writelines("h " + " ".join(map(str, clause)) + " 0\n" for clause in hard)
                    out.writelines(f"{weight} " + " ".join(map(str, clause)) + " 0\n" for weight, clause in soft)
                for name in STRATEGIES:
                    command = [OURS, "wcnf", file, "--strategy", name, "--time-limit", str(args.limit)]
                    found[name].append(run(command, args.limit))
                found["RC2"].append(run([sys.executable, "-c", RC2, file], args.limit - 5))
                optima = {result[0] for results in found.values() for result in results[index:] if result[1]}
                assert len(optima) <= 1, f"{family} {index}: optima {optima}"
            cells = []
            for name in names:
                solved = [result for result in found[name] if result[1]]
                seconds = sum(result[2] for result in solved)
                conflicts = sum(result[3] for result in solved)
                cells.append(f"{len(solved)}/{args.count}, {seconds:.1f} s, {conflicts:,}")
            print(f"| {family} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
