"""The tuples that questions answer with, which need ``typing``: it takes longer to import than all the rest."""

from __future__ import annotations

from typing import NamedTuple

from cnfkit._cnfkit import Solution


class Optimum(NamedTuple):
    """The best model of a formula that was found, and bounds on the best there is."""

    model: list[int]
    value: int
    lower_bound: int
    upper_bound: int
    is_optimal: bool


class Lexicographic(NamedTuple):
    """The best model of several objectives, one after the other: the first ``n_optimal`` of its values are the least."""

    model: list[int]
    values: list[int]
    n_optimal: int
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


for _made in (Core, Kept, Lexicographic, ModelOptimum, Optimum, Progress):
    _made.__module__ = "cnfkit"
