"""Batches of constraints, and arrays of literals."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy
import pytest
from common import models

import cnfkit

SIDES = {"at_most": "at_most", "at_least": "at_least", "exactly": "exactly"}


@pytest.mark.parametrize("side", SIDES)
def test_a_row_is_a_constraint(side: str) -> None:
    rows: list[Any] = [
        [[1, 2, 3], [-2, 4, 5], [1, -4, 6]],
        numpy.array([[1, 2, 3], [-2, 4, 5], [1, -4, 6]], dtype=numpy.int64),
        numpy.array([[1, 2, 3], [-2, 4, 5], [1, -4, 6]], dtype=numpy.int8).T.copy().T,
        (tuple(row) for row in ([1, 2, 3], [-2, 4, 5], [1, -4, 6])),
    ]
    for k, when in ((0, None), (1, None), (2, [7]), ([2, 1, 3], None), (numpy.array([0, 1, 2]), -7)):
        one = cnfkit.Formula(7)
        bounds = [k] * 3 if isinstance(k, int) else list(k)
        for row, bound in zip([[1, 2, 3], [-2, 4, 5], [1, -4, 6]], bounds):
            getattr(one, side)(row, bound, when=when)
        expected = set(map(tuple, one.solutions()))
        for given in rows[:3]:
            many, solver = cnfkit.Formula(7), cnfkit.Solver()
            getattr(many, f"{side}_many")(given, k, when=when)
            solver.add_clause([7, -7])
            getattr(solver, f"{side}_many")(given, k, when=when)
            keyword: dict[str, Any] = {side: k}
            encoded = cnfkit.encode_many(given, when=when, top_id=7, **keyword)
            assert set(map(tuple, many.solutions())) == expected
            assert {tuple(model) for model in solver.enum_models()} == expected
            assert models(encoded.to_lists(), 7) == expected
    many = cnfkit.Formula(7)
    getattr(many, f"{side}_many")(rows[3], 1)
    assert len(many.encode()) > 0


def test_auxiliaries_are_numbered_through() -> None:
    rows = numpy.arange(1, 41).reshape(4, 10)
    encoded = cnfkit.encode_many(rows, at_most=3, encoding="sequential", top_id=50)
    one = cnfkit.encode(range(1, 11), at_most=3, encoding="sequential")
    assert encoded.n_vars == 50 + 4 * (one.n_vars - 10) and len(encoded) == 4 * len(one)


def test_to_arrays() -> None:
    formula = cnfkit.Formula()
    formula.exactly_many([[1, 2, 3], [4, 5]], [2, 1])
    lits, ends = formula.to_arrays()
    assert lits.dtype == ends.dtype == numpy.int32
    assert [list(part) for part in numpy.split(lits, ends[:-1])] == formula.encode().to_lists()
    lits, ends = cnfkit.Formula().to_arrays()
    assert len(lits) == len(ends) == 0


def test_arrays_of_literals() -> None:
    formula = cnfkit.Formula()
    formula.at_most(numpy.arange(1, 6), 2)
    formula.add_clause(numpy.array([1, -2], dtype=numpy.int16))
    assert formula.clauses() == [[1, -2]] and formula.n_vars == 5


WRONG: list[tuple[Any, Any, type[Exception], str]] = [
    (numpy.zeros((2, 2), dtype=int), 1, ValueError, "literal 0"),
    (numpy.ones(3, dtype=int), 1, ValueError, "1 dimensions"),
    (numpy.ones((2, 2)), 1, TypeError, "literal"),
    (numpy.ones((2, 2), dtype=bool), 1, TypeError, "bool"),
    (numpy.full((1, 1), 2**64 - 1, dtype=numpy.uint64), 1, OverflowError, "64 bits"),
    ([[1, 2], [3, 4]], [1], ValueError, "2 rows, but 1 bounds"),
    ([[1, 2]], -1, ValueError, "bound"),
    ([[1, 2]], True, TypeError, "bool"),
    ([1, 2], 1, TypeError, "iterable"),
    (5, 1, TypeError, "iterable"),
]


@pytest.mark.parametrize(("at", "side"), list(product(range(len(WRONG)), SIDES)))
def test_wrong_rows(at: int, side: str) -> None:
    rows, k, error, match = WRONG[at]
    for call in (getattr(cnfkit.Formula(), f"{side}_many"), getattr(cnfkit.Solver(), f"{side}_many")):
        with pytest.raises(error, match=match):
            call(rows, k)
    with pytest.raises(error, match=match):
        cnfkit.encode_many(rows, **{side: k})


def test_encode_many_takes_one_bound() -> None:
    with pytest.raises(TypeError, match="one of"):
        cnfkit.encode_many([[1, 2]])
    with pytest.raises(TypeError, match="one of"):
        cnfkit.encode_many([[1, 2]], at_most=1, at_least=1)
    with pytest.raises(ValueError, match="encoding"):
        cnfkit.encode_many([[1, 2, 3]], at_most=2, encoding="no such")
    assert len(cnfkit.encode_many([], at_most=1)) == 0
