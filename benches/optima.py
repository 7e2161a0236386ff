#!/usr/bin/env python3
"""How `cnfkit optimise` fares beside other solvers: time and conflicts to the optimum.

    cargo build --release -p cnfkit-cli
    pip install python-sat ortools exact; apt-get install clasp sat4j libclang-dev
    RUSTC_BOOTSTRAP=1 cargo install --locked scuttle
    python3 benches/optima.py --seed 2 --limit 20
    python3 benches/optima.py --limit 5 FOLDER...

Without folders: weighted instances by lot. Each family has instances of its own seed; other seeds give others. RC2 runs
as its authors recommend for weights: stratified by diversity, with at-most-ones, exhaustion and minimisation of cores,
on Glucose 3.

With `--set counts`: optima of counts in scrambled numbers, as if they were in a folder; `--count` of each family.

With `--set large` or `huge`: instances that are not solved within the limit. Printed is the best value of each solver,
and `*` where it is optimal.

With folders: the OPB and WCNF files in them, less those with products or several objectives. `--half` takes those whose
name, up to its first dot, has an odd SHA-256 (`apart`, to report on) or an even one (`tuning`), and `--sample` so many
by lot. Each solver has the limit as CPU time, one process at a time, on one core. Printed are files solved, PAR-2 in
seconds and wrong answers: optima and verdicts that are not those of the others, and models of `cnfkit` that break a
constraint or cost something else. clasp, Sat4j and Scuttle read the same problem, written anew as OPB. What a solver
refuses counts as not solved: weights that are too large.
"""

import argparse
import hashlib
import itertools
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

OURS = "target/release/cnfkit"
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

def code(width, height, left, right):
    """The distance of a bivariate bicycle code: S. Bravyi and others, Nature 627, 2024, pages 778-782, table 3. Checks
    are rows of shifts by powers of x and y; an error of least weight commutes with all checks of one kind, and not with
    some logical operator: a vector that commutes with the checks of the other kind, and is no sum of the first."""
    n = width * height

    def shift(at, by):
        return (at // height + by[0]) % width * height + (at % height + by[1]) % height

    def back(by):
        return -by[0], -by[1]

    checks = [[shift(at, by) for by in left] + [n + shift(at, by) for by in right] for at in range(n)]
    others = [[shift(at, back(by)) for by in right] + [n + shift(at, back(by)) for by in left] for at in range(n)]
    rows = [sum(1 << bit for bit in check) for check in checks]
    span = {}
    for row in rows:
        insert(span, row)
    commuting = kernel([sum(1 << bit for bit in other) for other in others], 2 * n)
    operators = [vector for vector in commuting if insert(span, vector)]
    hard, top, some = [], 2 * n, []
    for bits in checks:
        hard += parity([bit + 1 for bit in bits])
    for operator in operators:
        top += 1
        some.append(top)
        bits = [bit + 1 for bit in range(2 * n) if operator >> bit & 1] + [top]
        while len(bits) > 6:
            top += 1
            hard += parity([*bits[:4], top])
            bits = [top, *bits[4:]]
        hard += parity(bits)
    return [*hard, tuple(some)], ones(2 * n)


def insert(span, row):
    """Adds a vector to a basis by highest bit; false if it is in its span."""
    while row:
        top = row.bit_length()
        if top not in span:
            span[top] = row
            return True
        row ^= span[top]
    return False


def kernel(rows, n):
    """A basis of the vectors that have an even number of bits in common with each row."""
    vectors = [1 << bit for bit in range(n)]
    for row in rows:
        odd = [vector for vector in vectors if (vector & row).bit_count() % 2]
        vectors = [vector for vector in vectors if not (vector & row).bit_count() % 2]
        vectors += [vector ^ odd[0] for vector in odd[1:]]
    return vectors


def parity(lits):
    """An even number of the literals is true."""
    signs = itertools.product((1, -1), repeat=len(lits))
    return [tuple(s * lit for s, lit in zip(row, lits)) for row in signs if row.count(-1) % 2]


def ones(n):
    return [(1, (-v,)) for v in range(1, n + 1)]


def cubic(r, n):
    """A vertex cover of a graph whose vertices have three edges each."""
    while True:
        ends = [v for v in range(1, n + 1) for _ in range(3)]
        r.shuffle(ends)
        edges = {tuple(sorted(ends[at : at + 2])) for at in range(0, 3 * n, 2)}
        if len(edges) == 3 * n // 2 and all(a != b for a, b in edges):
            return sorted(edges), ones(n)


def domination(side, attacks):
    """Fields of a board that attack all others."""
    fields = list(itertools.product(range(side), repeat=2))
    near = [tuple(at + 1 for at, to in enumerate(fields) if to == of or attacks(of, to)) for of in fields]
    return near, ones(side * side)


def king_of_four(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def queen(a, b):
    return a[0] == b[0] or a[1] == b[1] or abs(a[0] - b[0]) == abs(a[1] - b[1])


def hitting(r, n, m, k):
    return [tuple(r.sample(range(1, n + 1), k)) for _ in range(m)], ones(n)


def scrambled(r, hard, soft):
    """Variables in other numbers, clauses in another order."""
    top = max(abs(lit) for clause in [*hard, *(clause for _, clause in soft)] for lit in clause)
    to = [0, *r.sample(range(1, top + 1), top)]

    def moved(clause):
        return tuple(to[lit] if lit > 0 else -to[-lit] for lit in clause)

    return r.sample([moved(c) for c in hard], len(hard)), [(weight, moved(c)) for weight, c in soft]


# A count is the objective.
A = [(3, 0), (0, 1), (0, 2)]
COUNTS = {
    "code 72": lambda r: code(6, 6, A, [(0, 3), (1, 0), (2, 0)]),
    "code 90": lambda r: code(15, 3, [(9, 0), (0, 1), (0, 2)], [(0, 0), (2, 0), (7, 0)]),
    "code 108": lambda r: code(9, 6, A, [(0, 3), (1, 0), (2, 0)]),
    "cubic graph": lambda r: cubic(r, 120),
    "grid": lambda r: domination(11, king_of_four),
    "queens": lambda r: domination(9, queen),
    "hitting triples": lambda r: hitting(r, 60, 170, 3),
    "hitting fives": lambda r: hitting(r, 100, 140, 5),
}

def colouring(r, nodes=125, share=0.15, colours=16):
    """The sum of the colours of a graph."""
    def var(node, colour):
        return node * colours + colour + 1

    hard = [tuple(var(node, colour) for colour in range(colours)) for node in range(nodes)]
    for node in range(nodes):
        for other in range(node):
            if r.random() < share:
                hard += [(-var(node, colour), -var(other, colour)) for colour in range(colours)]
    return hard, [(colour, (-var(node, colour),)) for node in range(nodes) for colour in range(1, colours)]


# Searches that take long.
LARGE = {
    "vertex cover": lambda r: vertex_cover(r, 1000, 3000),
    "set cover": lambda r: set_cover(r, 2000, 1000, 8, 100),
    "maximum cut": lambda r: max_cut(r, 200, 900),
    "partial random": lambda r: partial_random(r, 500, 1500, 2000),
    "independent set, triples": lambda r: independent(r, 600, 2400),
    "conflicting jobs": lambda r: assignment(r, 60, 12),
    "colouring": colouring,
}
# Those of 100,000 literals and more.
HUGE = {
    "vertex cover": lambda r: vertex_cover(r, 40_000, 120_000),
    "set cover": lambda r: set_cover(r, 30_000, 20_000, 10, 100),
    "maximum cut": lambda r: max_cut(r, 8000, 40_000),
    "partial random": lambda r: partial_random(r, 20_000, 60_000, 60_000),
    "independent set, triples": lambda r: independent(r, 30_000, 90_000),
}

RC2 = """
import sys
from pysat.examples.rc2 import RC2Stratified
from pysat.formula import WCNF
rc2 = RC2Stratified(WCNF(from_file=sys.argv[1]), solver="g3", adapt=True, exhaust=True, minz=True, trim=5, blo="div")
if rc2.compute() is None:
    sys.exit(print("s UNSATISFIABLE"))
print("o", rc2.cost)
print("c at least 0,", rc2.oracle.accum_stats()["conflicts"], "conflicts")
"""


READ = r"""
import re, sys
def problem(name):
    # The terms of the objective, None without one, and constraints: terms, relation, bound; ~x1 is -1.
    if name.endswith(".wcnf"):
        return wcnf(name)
    text = "".join(line for line in open(name) if not line.startswith("*"))
    text = re.sub(r"([+-])\s+", r"\1", re.sub(r"/\*.*?\*/", " ", text, flags=re.S))
    objective, rows = None, []
    for part in text.split(";"):
        if not part.strip():
            continue
        sense = re.match(r"\s*(min|max)\s*:", part)
        words = part.rpartition(":")[2].replace(">=", " >= ").replace(" = ", " == ").split()
        end = next((at for at, word in enumerate(words) if word in (">=", "==", "<=")), len(words))
        terms, weight = [], None
        for word in words[:end]:
            if re.fullmatch(r"~?[A-Za-z]\d+", word):
                terms.append((0 + weight, -int(word[2:]) if word[0] == "~" else int(word[1:])))
                weight = None
            else:
                weight = int(word)
        if sense:
            assert objective is None
            objective = [(w if sense[1] == "min" else -w, lit) for w, lit in terms]
        else:
            rows.append((terms, words[end], int(words[end + 1])))
    return objective, rows
def wcnf(name):
    soft, rows, top = [], [], None
    for words in map(str.split, open(name)):
        if not words or words[0].startswith("c"):
            continue
        if words[0] == "p":
            top = int(words[4]) if len(words) > 4 else 1 << 200
            continue
        clause = [int(word) for word in words[1:-1]]
        if words[0] == "h" or (top and int(words[0]) >= top):
            rows.append(([(1, lit) for lit in clause], ">=", 1))
        else:
            soft.append((int(words[0]), clause))
    free = max([abs(lit) for terms, _, _ in rows for _, lit in terms] + [abs(lit) for _, c in soft for lit in c] + [0])
    objective = []
    for weight, clause in soft:
        free += 1
        objective.append((weight, free))
        rows.append(([(1, lit) for lit in clause + [free]], ">=", 1))
    return objective, rows
"""

CP_SAT = READ + """
from ortools.sat.python import cp_model
objective, rows = problem(sys.argv[1])
model, x = cp_model.CpModel(), {}
def lit(of):
    if abs(of) not in x:
        x[abs(of)] = model.new_bool_var(str(abs(of)))
    return x[abs(of)] if of > 0 else 1 - x[abs(of)]
def total(terms):
    return sum(w * lit(of) for w, of in terms)
for terms, relation, bound in rows:
    left = total(terms)
    model.add(left >= bound if relation == ">=" else left <= bound if relation == "<=" else left == bound)
if objective:
    model.minimize(total(objective))
solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
solver.parameters.max_time_in_seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1e9
status = solver.solve(model)
if objective and (status == cp_model.OPTIMAL or len(sys.argv) > 2 and status == cp_model.FEASIBLE):
    print("o", solver.value(total(objective)))
print("s", {cp_model.OPTIMAL: "OPTIMUM FOUND", cp_model.INFEASIBLE: "UNSATISFIABLE"}.get(status, "UNKNOWN"))
"""

EXACT = READ + """
import exact
objective, rows = problem(sys.argv[1])
solver, known = exact.Exact(), set()
def positive(terms):
    for _, of in terms:
        if abs(of) not in known:
            known.add(abs(of))
            solver.addVariable(str(abs(of)))
    return [(w if of > 0 else -w, str(abs(of))) for w, of in terms], sum(w for w, of in terms if of < 0)
for terms, relation, bound in rows:
    terms, offset = positive(terms)
    bound -= offset
    solver.addConstraint(terms, relation != "<=", bound, relation != ">=", bound)
if objective:
    terms, offset = positive(objective)
    solver.setObjective(terms, True, offset)
state = solver.runFull(bool(objective))
if solver.hasSolution() and objective:
    print("o", solver.getBestSoFar())
print("s", "UNSATISFIABLE" if not solver.hasSolution() else "OPTIMUM FOUND", state)
"""

SAT4J = "/usr/share/java/org.sat4j.pb.jar:/usr/share/java/org.sat4j.core.jar"


def problem(file):
    """The objective and the constraints of a file; `None` where the anchors would not read it."""
    space = {}
    exec(READ, space)
    try:
        return space["problem"](file)
    except (AssertionError, TypeError, ValueError, IndexError):
        return None


def write_wcnf(file, hard, soft):
    with open(file, "w", encoding="ascii") as out:
        out.writelines("h " + " ".join(map(str, clause)) + " 0\n" for clause in hard)
        out.writelines(f"{weight} " + " ".join(map(str, clause)) + " 0\n" for weight, clause in soft)


def write_opb(file, opb):
    """Writes the problem of a file as competitions have it: a header, variables by number, `>=` and `=`."""
    objective, rows = problem(file)
    n_vars = max((abs(lit) for terms, *_ in [*rows, (objective or [],)] for _, lit in terms), default=0)
    with open(opb, "w", encoding="ascii") as out:
        out.write(f"* #variable= {n_vars} #constraint= {len(rows)}\n")
        if objective:
            out.write(f"min: {said(objective)};\n")
        for terms, relation, bound in rows:
            sign = -1 if relation == "<=" else 1
            terms = said([(sign * weight, lit) for weight, lit in terms])
            out.write(f"{terms}{'=' if relation == '==' else '>='} {sign * bound} ;\n")


def said(terms):
    return "".join(f"{weight:+} {'~' if lit < 0 else ''}x{abs(lit)} " for weight, lit in terms)


def anchors(file, opb):
    """The solvers that are here and read the file, or the same problem as OPB, with their commands."""
    kind = "wcnf" if file.endswith(".wcnf") else "opb"
    found = {"cnfkit": [OURS, "optimise", file]}
    if kind == "wcnf":
        found["RC2"] = [sys.executable, "-c", RC2, file]
    found["CP-SAT"] = [sys.executable, "-c", CP_SAT, file]
    found["Exact"] = [sys.executable, "-c", EXACT, file]
    if shutil.which("clasp"):
        found["clasp"] = ["clasp", opb]
    if shutil.which("java"):
        serial = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4", "-cp", SAT4J]
        found["Sat4j"] = [*serial, "org.sat4j.pb.LanceurPseudo2007", opb]
    if shutil.which("scuttle") and problem(file)[0]:
        found["Scuttle"] = ["sh", "-c", 'exec scuttle lower-bounding "$0" 2>&1', opb]
    return found


def verdict(text):
    """What a solver says: an optimum, that there is none, or a model for a formula without an objective."""
    if any(line.startswith("scuttle") for line in text):
        text = "\n".join(text)
        found = re.search(r"costs: \((-?\d+)\)", text)
        if "Oracle Stats" not in text or "terminated early" in text:
            return None
        return int(found[1]) if found else "unsatisfiable"
    value = next((line.split()[1] for line in reversed(text) if line.startswith("o ")), None)
    end = next((line[2:].strip() for line in reversed(text) if line.startswith("s ")), "")
    if end.startswith("UNSATISFIABLE"):
        return "unsatisfiable"
    if end.startswith("OPTIMUM FOUND"):
        return "satisfiable" if value is None else int(value)
    return None


def is_right(file, lines, found):
    """True if the model in the `v` line keeps every constraint and costs what was found."""
    words = [word for line in lines if line.startswith("v ") for word in line.split()[1:]]
    if file.endswith(".wcnf"):
        values = {at: bit == "1" for at, bit in enumerate("".join(words), 1)}
    else:
        values = {int(word.lstrip("-")[1:]): not word.startswith("-") for word in words}
    objective, rows = problem(file)

    def total(terms):
        return sum(weight for weight, lit in terms if values.get(abs(lit), False) == (lit > 0))

    if file.endswith(".wcnf"):
        paid = {lit: weight for weight, lit in objective}
        cost = 0
        for terms, _, _ in rows:
            if total(terms) < 1:
                if terms[-1][1] not in paid:
                    return False
                cost += paid[terms[-1][1]]
        return cost == found
    by = {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, "==": lambda a, b: a == b}
    return all(by[how](total(terms), bound) for terms, how, bound in rows) and (
        not objective or total(objective) == found
    )


def timed(command, limit):
    """The lines that a command printed within so much CPU time, and what it took."""

    def limited():
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited, timeout=20 * limit)
        lines = done.stdout.splitlines()
    except subprocess.TimeoutExpired:
        lines = []
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return lines, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(args, opb):
    files = sorted(str(file) for folder in args.folders for file in Path(folder).rglob("*") if file.is_file())
    files = [file for file in files if re.search(r"\.(opb|wcnf)$", file) and problem(file)]
    odd = {"apart": 1, "tuning": 0}
    if args.half in odd:
        bit = {file: hashlib.sha256(Path(file).name.split(".")[0].encode()).digest()[-1] % 2 for file in files}
        files = [file for file in files if bit[file] == odd[args.half]]
    random.Random(args.seed).shuffle(files)
    solved, times, wrong, number = defaultdict(int), defaultdict(float), defaultdict(int), defaultdict(int)
    for file in sorted(files[: args.sample]):
        objective, _ = problem(file)
        kind = "decision" if objective is None else "OPB"
        if file.endswith(".wcnf"):
            kind = "WCNF, weighted" if len({weight for weight, _ in objective}) > 1 else "WCNF, unweighted"
        number[kind] += 1
        found = {}
        write_opb(file, opb)
        for name, command in anchors(file, opb).items():
            lines, seconds = timed(command, args.limit)
            end = next((line for line in lines if line.startswith("s SATISFIABLE")), None)
            answer = "satisfiable" if kind == "decision" and end else verdict(lines)
            if name == "RC2" and any(line.startswith("c at least") for line in lines):
                answer = next(int(line.split()[1]) for line in lines if line.startswith("o "))
            if file.endswith(".wcnf") and answer == "satisfiable":
                answer = 0  # no clause is soft
            found[name] = answer
            key = kind, name
            solved[key] += answer is not None
            times[key] += 2 * args.limit if answer is None else seconds
            if name == "cnfkit" and answer is not None and answer != "unsatisfiable":
                wrong[key] += not is_right(file, lines, answer)
            if args.each:
                print(f"{Path(file).name:40} {name:10} {answer} {seconds:.2f}", flush=True)
        answers = [answer for answer in found.values() if answer is not None]
        for name, answer in found.items():
            if answer is not None and answers.count(answer) * 2 < len(answers):
                wrong[kind, name] += 1
                print(f"{file}: {found}", flush=True)
    print("| files | solver | solved | PAR-2 | wrong |\n|---|---|---|---|---|")
    for (kind, name), count in sorted(solved.items()):
        rest = f"{times[kind, name] / number[kind]:.2f} s | {wrong[kind, name]}"
        print(f"| {kind} | {name} | {count}/{number[kind]} | {rest} |")


def large(args, families):
    print("| family | cnfkit | CP-SAT |\n|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "instance.wcnf")
        for (family, make), index in itertools.product(families.items(), range(args.count)):
            r = random.Random(f"{args.seed} {index} {family}")
            write_wcnf(file, *scrambled(r, *make(r)))
            ours = [OURS, "optimise", file, "--time-limit", str(args.limit)]
            cells = []
            for command in [ours, [sys.executable, "-c", CP_SAT, file, str(args.limit)]]:
                text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
                values = re.findall(r"^o (\d+)", text, re.M)
                cells.append((values[-1] if values else "none") + ("*" if "s OPTIMUM FOUND" in text else ""))
            print(f"| {family} {index} |", " | ".join(cells), "|", flush=True)


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
    parser.add_argument("--half", choices=["apart", "tuning", "all"], default="all")
    parser.add_argument("--sample", type=int, help="so many files of the folders, by lot of the seed")
    parser.add_argument("--set", choices=["weights", "counts", "large", "huge"], default="weights")
    parser.add_argument("--each", action="store_true", help="print every answer")
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    if args.folders:
        args.limit = int(args.limit)
        with tempfile.TemporaryDirectory() as folder:
            return compare(args, os.path.join(folder, "instance.opb"))
    if args.set == "counts":
        args.limit = int(args.limit)
        with tempfile.TemporaryDirectory() as folder:
            for (name, make), index in itertools.product(COUNTS.items(), range(args.count)):
                r = random.Random(f"{args.seed} {index} {name}")
                write_wcnf(Path(folder, f"{name} {index}.wcnf"), *scrambled(r, *make(r)))
            args.folders, args.each = [folder], True
            return compare(args, os.path.join(folder, "instance.opb"))
    if args.set in ("large", "huge"):
        return large(args, LARGE if args.set == "large" else HUGE)
    names = [*STRATEGIES, "RC2"]
    print("| family |", " | ".join(names), "|")
    print("|---|" + "---|" * len(names))
    with tempfile.TemporaryDirectory() as folder:
        for family, make in FAMILIES.items():
            found = {name: [] for name in names}
            for index in range(args.count):
                hard, soft = make(random.Random(f"{args.seed} {index} {family}"))
                file = os.path.join(folder, "instance.wcnf")
                write_wcnf(file, hard, soft)
                for name in STRATEGIES:
                    command = [OURS, "optimise", file, "--strategy", name, "--time-limit", str(args.limit)]
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
