#!/usr/bin/env python3
"""Instances of the MiniZinc Challenge: our answers beside those that all of its solvers gave.

    cargo build --release -p cnfkit-fzn
    apt-get install minizinc flatzinc
    python3 benches/minizinc.py --challenge minizinc.github.io/public/challenge --limit 60

The challenge's site publishes models, data and results of each year (the repository MiniZinc/minizinc.github.io).
Whatever MiniZinc compiles with our library within the limit is solved with one thread in the rest of it. A solution
is checked by Gecode: the model with the values that were printed. An answer is wrong if Gecode refuses it, or if it
contradicts an answer of the challenge. Rows are Markdown; counts stand in the end. Of what is not compiled, standard
error has the reason.
"""

import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SHARE = os.path.join(HERE, "../crates/fzn/share/minizinc/solvers/cnfkit.msc")
PROGRAM = os.path.join(HERE, "../target/release/fzn-cnfkit")
GECODE = {
    "id": "org.gecode.fzn",
    "name": "fzn",
    "version": "0",
    "executable": "/usr/bin/fzn-gecode",
    "stdFlags": ["-t"],
}
DONE = "=========="


def run(command, seconds, text=""):
    """Output and time of a command, which is killed with all that it started when its time is over."""
    begun = time.monotonic()
    process = subprocess.Popen(
        command, text=True, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        out, error = process.communicate(text, timeout=max(seconds, 0.1))
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, error = process.communicate()
        code = None
    return code, out, error, time.monotonic() - begun


def instances(root, years):
    """Of each instance the files, the kind of its goal and what each solver answered."""
    for year in years:
        with open(os.path.join(root, str(year), "results.json"), encoding="utf-8") as file:
            data = json.load(file)
        results, places = data["results"], data["locations"]
        for at, problem in enumerate(results["problems"]):
            for instance in results["instances"][at]:
                answers = {
                    solver: (results["results"][by][instance], results["objectives"][by][instance],
                             results["times"][by][instance])
                    for by, solver in enumerate(results["solvers"])
                }  # fmt: skip
                model, file = places["problems"][at], places["instances"][instance]
                if model is None:  # a model for each instance
                    model, file = file, None
                files = [os.path.join(root, str(year), path) for path in (model, file) if path]
                name = f"{problem} {results['benchmarks'][instance]}"
                yield name, files, results["kind"][at], answers


def solve(files, folder, limit):
    """Our status as the challenge writes it, the objective, the solution, and the seconds to compile and to solve."""
    fzn, ozn = (os.path.join(folder, "m." + end) for end in ("fzn", "ozn"))
    output = ["--output-mode", "dzn", "--output-objective", "--fzn", fzn, "--ozn", ozn]
    code, _, error, compiled = run(["minizinc", "-c", "--solver", SHARE] + output + files, limit)
    if code != 0:
        return "MZN", None, None, compiled, 0, error or f"not compiled in {limit:.0f} s"
    left = limit - compiled
    code, out, error, solved = run([PROGRAM, "-t", str(max(1, int(left * 1000))), fzn], left + 10)
    if code != 0:
        return "ERR", None, None, compiled, solved, error or "it went on after the limit"
    status = ("S" if "----------" in out else "") + ("C" if DONE in out or "=====UNSATISFIABLE=====" in out else "")
    if "S" not in status:
        return status or "UNK", None, None, compiled, solved, error
    _, solution, _, _ = run(["minizinc", "--ozn-file", ozn], 30, out)
    objective = re.search(r"^_objective = (-?\d+);$", solution, re.MULTILINE)
    return status, objective and int(objective[1]), solution, compiled, solved, error


def checked(files, solution, folder, seconds):
    """Gecode's word on a solution: the model, and its printed values as constraints."""
    lines = [line for line in (solution or "").split(";\n") if " = " in line]
    values = [line.strip().split(" = ", 1) for line in lines]
    if not values:
        return "not printed"
    extra, msc = os.path.join(folder, "values.mzn"), os.path.join(folder, "gecode.msc")
    with open(extra, "w", encoding="utf-8") as file:
        file.writelines(f"constraint {name} = {value};\n" for name, value in values if not name.startswith("_"))
    with open(msc, "w", encoding="utf-8") as file:
        json.dump(GECODE, file)
    # It starts Gecode in a group of its own, and ends it itself.
    gecode = ["minizinc", "--solver", msc, "--time-limit", str(int(seconds * 1000))]
    _, out, error, _ = run(gecode + [files[0], extra] + files[1:], seconds + 5)
    if "----------" in out:
        return "accepted"
    if "=====UNSATISFIABLE=====" in out or "model inconsistency" in error:
        return "REFUSED"
    return "undecided"


def contradiction(status, objective, kind, answers):
    """The solver of the challenge that an answer contradicts, or none."""
    sign = -1 if kind == "MAX" else 1
    for solver, (theirs, value, _) in answers.items():
        if theirs not in ("S", "SC", "C"):
            continue
        has_value = kind != "SAT" and isinstance(value, int)
        if status == "C" and "S" in theirs or "S" in status and theirs == "C":
            return solver
        if "S" not in status or objective is None or not has_value or "S" not in theirs:
            continue
        if status == "SC" and sign * value < sign * objective or theirs == "SC" and sign * objective < sign * value:
            return solver
    return None


def half(name):
    """The half of a problem, by its name alone."""
    return ["even", "odd"][hashlib.sha256(name.split()[0].encode()).digest()[0] % 2]


def cell(answer):
    status, objective, ms = answer
    value = f" {objective}" if isinstance(objective, int) else ""
    return f"{status}{value}" + (f" in {ms / 1000:.0f} s" if "C" in status and isinstance(ms, int) else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", required=True, help="the folder with a folder for each year")
    parser.add_argument("--years", type=int, nargs="+", default=[2024, 2025])
    parser.add_argument("--limit", type=float, default=60, help="seconds for each, to compile and to solve")
    parser.add_argument("--check", type=float, default=30, help="seconds for Gecode to check a solution")
    parser.add_argument("--only", default="", help="instances whose names have this part")
    parser.add_argument("--half", choices=["odd", "even"], help="problems by the first byte of their name's SHA-256")
    parser.add_argument("--closed", action="store_true", help="only what some solver closed within the limit there")
    parser.add_argument("--shard", default="0/1", help="every n-th instance, from the i-th on, such as 0/2")
    args = parser.parse_args()
    part, parts = map(int, args.shard.split("/"))
    print("| instance | compiled, s | solved, s | ours | checked | the challenge's best | PicatSAT |")
    print("|---|---:|---:|---|---|---|---|", flush=True)
    ran = closed = theirs = wrong = late = 0
    for at, (name, files, kind, answers) in enumerate(instances(args.challenge, args.years)):
        if at % parts != part or args.only not in name or args.half not in (None, half(name)):
            continue
        done = "S" if kind == "SAT" else "C"
        in_time = (done in of and isinstance(ms, int) and ms <= 1000 * args.limit for of, _, ms in answers.values())
        if args.closed and not any(in_time):
            continue
        missing = [file for file in files if not os.path.exists(file)]
        if missing:
            print(f"{name}: no file {missing[0]}", file=sys.stderr, flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            status, objective, solution, compiled, solved, error = solve(files, folder, args.limit)
            check = checked(files, solution, folder, args.check) if "S" in status else ""
        if status in ("MZN", "ERR"):
            print(f"{name}: {status} {error.strip()[-300:]}", file=sys.stderr, flush=True)
        if status == "MZN":
            continue
        picat = next(answers[solver] for solver in answers if solver.startswith("picatsat"))
        ran += 1
        closed += done in status
        theirs += done in picat[0] and picat[2] <= 1000 * args.limit
        sign = -1 if kind == "MAX" else 1
        best = min((answer for answer in answers.values() if answer[0] != "ERR"),
                   key=lambda answer: ("C" not in answer[0], "S" not in answer[0],
                                       sign * answer[1] if isinstance(answer[1], int) else 0))  # fmt: skip
        ours = cell((status, objective, None))
        against = contradiction(status, objective, kind, answers) or (check == "REFUSED" and "Gecode")
        if against:
            wrong += 1
            ours += f" WRONG ({against})"
        if compiled + solved > args.limit + 1:
            late += 1
            ours += " late"
        print(f"| {name} | {compiled:.1f} | {solved:.1f} | {ours} | {check} | {cell((*best[:2], None))} "
              f"| {cell(picat)} |", flush=True)  # fmt: skip
    print(f"\n{ran} asked: {closed} closed, {wrong} wrong, {late} late; PicatSAT closed {theirs} in the limit there")


if __name__ == "__main__":
    main()
