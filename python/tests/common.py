"""Formulas that several tests need, counting by trying everything, and a checker of proofs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import cnfkit


def pigeons(n: int) -> cnfkit.Formula:
    """n pigeons in n - 1 holes, by clauses: no solver shows within a second that 14 do not fit."""
    formula = cnfkit.Formula()
    holes = n - 1
    formula.add_clauses([i * holes + j + 1 for j in range(holes)] for i in range(n))
    formula.add_clauses(
        [-(i * holes + j + 1), -(k * holes + j + 1)] for j in range(holes) for i in range(n) for k in range(i)
    )
    return formula


def assignments(n: int) -> Iterable[list[int]]:
    """All assignments of n variables, as lists of literals."""
    for signs in product((-1, 1), repeat=n):
        yield [sign * var for var, sign in enumerate(signs, 1)]


def models(clauses: list[list[int]], n: int) -> set[tuple[int, ...]]:
    """The models of clauses over the first n variables, whatever the others are."""
    formula = cnfkit.Formula(n)
    formula.add_clauses(clauses)
    return {tuple(some) for some in assignments(n) if formula.solve(some) is not None}


def allowed(n: int, test: Callable[[set[int]], bool]) -> set[tuple[int, ...]]:
    """The assignments of n variables whose true literals pass a test."""
    return {tuple(some) for some in assignments(n) if test(set(some))}


def veripb(folder: Path, verdict: str) -> None:
    """The verdict of VeriPB, whose path is in the environment, on a proof; nothing where that is not set."""
    program = os.environ.get("VERIPB")
    if program:
        files = [name for name in ("formula.opb", "proof.pbp", "clauses.opb") if (folder / name).exists()]
        said = subprocess.run([program, *files], cwd=folder, capture_output=True, text=True)
        assert verdict in said.stdout, said
