"""Cardinality and pseudo-Boolean constraints into CNF, formulas with questions, integer models, and two puzzles.

Literals are ints other than 0, as in DIMACS and PySAT: variables from 1 on, negative for their negations.

>>> import cnfkit
>>> cnfkit.encode([1, 2, 3], at_most=1).to_lists()
[[-1, -2], [-1, -3], [-2, -3]]

``cnfkit.pysat`` has the names and signatures of PySAT's encodings.
"""

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
from cnfkit._cnfkit import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cnfkit._results import Core, Kept, Lexicographic, ModelOptimum, Optimum, Progress

__all__ = [
    "Clauses",
    "Constraint",
    "Core",
    "Counter",
    "Formula",
    "GemHunter",
    "IntExpr",
    "Kept",
    "Lexicographic",
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


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cnfkit import _results

    made = globals()[name] = getattr(_results, name)
    return made


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
