"""Cardinality and pseudo-Boolean constraints into CNF, formulas with questions, integer models, and two puzzles.

Literals are ints other than 0, as in DIMACS and PySAT: variables from 1 on, negative for their negations.

>>> import cnfkit
>>> cnfkit.encode([1, 2, 3], at_most=1).to_lists()
[[-1, -2], [-1, -3], [-2, -3]]

``cnfkit.pysat`` has the names and signatures of PySAT's encodings.
"""

from __future__ import annotations

from typing import NamedTuple

from cnfkit._cnfkit import (
    Clauses,
    Constraint,
    Counter,
    Formula,
    GemHunter,
    IntExpr,
    Model,
    ReadError,
    Solution,
    Solutions,
    Solver,
    Sudoku,
    all_different,
    all_equal,
    all_of,
    any_of,
    automaton,
    circuit,
    count,
    cumulative,
    disjunctive,
    element,
    encode,
    encode_many,
    encodings,
    function,
    global_cardinality,
    inverse,
    lex,
    table,
    weighted_sum,
)


class Optimum(NamedTuple):
    """The best model of a formula that was found, and bounds on the best there is."""

    model: list[int]
    value: int
    lower_bound: int
    upper_bound: int
    is_optimal: bool


class ModelOptimum(NamedTuple):
    """The best solution of a model that was found, and a bound on the best there is."""

    solution: Solution
    value: int
    bound: int
    is_optimal: bool


class Progress(NamedTuple):
    """How far a question is: seconds, conflicts of the solver, and for an optimum what is known of it, or None."""

    seconds: float
    conflicts: int
    value: int | None = None
    lower_bound: int | None = None
    upper_bound: int | None = None


class Core(NamedTuple):
    """Named groups and assumptions that contradict each other."""

    groups: list[str]
    assumptions: list[int]


class Kept(NamedTuple):
    """A constraint as a formula keeps it: literals with positive weights, and a bound."""

    terms: list[tuple[int, int]]
    relation: str
    bound: int
    when: list[int]
    iff: int | None


__all__ = [
    "Clauses",
    "Constraint",
    "Core",
    "Counter",
    "Formula",
    "GemHunter",
    "IntExpr",
    "Kept",
    "Model",
    "ModelOptimum",
    "Optimum",
    "Progress",
    "ReadError",
    "Solution",
    "Solutions",
    "Solver",
    "Sudoku",
    "all_different",
    "all_equal",
    "all_of",
    "any_of",
    "automaton",
    "circuit",
    "count",
    "cumulative",
    "disjunctive",
    "element",
    "encode",
    "encode_many",
    "encodings",
    "function",
    "global_cardinality",
    "inverse",
    "lex",
    "table",
    "weighted_sum",
]
