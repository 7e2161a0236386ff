"""Bad input is an exception of Python's own kind, whatever it is, and the interpreter lives."""

from __future__ import annotations

import decimal
import operator
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

import cnfkit
import cnfkit.pysat.gates
from cnfkit.pysat.card import CardEnc, EncType, ITotalizer
from cnfkit.pysat.pb import PBEnc

KINDS = (TypeError, ValueError, OverflowError, RecursionError, IndexError, KeyError, AssertionError)


@pytest.mark.parametrize(
    ("literal", "error"),
    [
        (0, ValueError),
        (numpy.int32(0), ValueError),
        (True, TypeError),
        (numpy.True_, TypeError),
        (1.0, TypeError),
        (numpy.float64(1), TypeError),
        (decimal.Decimal(1), TypeError),
        ("1", TypeError),
        (b"1", TypeError),
        (None, TypeError),
        ([1], TypeError),
        (2**26 + 1, OverflowError),
        (-(2**31), OverflowError),
        (2**63 - 1, OverflowError),
        (-(2**63), OverflowError),
        (10**100, OverflowError),
    ],
)
def test_no_literal(literal: Any, error: type[Exception]) -> None:
    formula = cnfkit.Formula()
    reified: Any = [] if literal is None else literal
    says: list[Callable[[], object]] = [
        lambda: formula.add_clause([literal]),
        lambda: formula.add_clauses([[1], [literal]]),
        lambda: formula.at_most([1, literal], 1),
        lambda: formula.at_least([1, literal], 2, weights=[1, 2]),
        lambda: formula.exactly([1, 2], 1, iff=reified),
        lambda: formula.set_objective([literal], [1]),
        lambda: formula.solve([literal]),
        lambda: cnfkit.encode([literal, 2], at_most=1),
        lambda: cnfkit.encode([1, 2, 3], at_most=1, when=[literal]),
        lambda: CardEnc.atmost([1, literal, 3], bound=1),
        lambda: PBEnc.leq([1, literal, 3], weights=[1, 2, 3], bound=4),
        lambda: ITotalizer([1, literal, 3], ubound=1),
    ]
    for say in says:
        with pytest.raises((error, TypeError)):
            say()
    assert formula.n_clauses == 1 and formula.n_vars == 1


def test_numpy_and_generators_are_fine() -> None:
    formula = cnfkit.Formula()
    formula.at_most(numpy.arange(1, 5, dtype=numpy.int64), numpy.int8(2))
    formula.add_clause(numpy.array([1, -2], dtype=numpy.int32))
    formula.exactly((i for i in range(1, 5)), 2)
    formula.at_least({1, 2, 3}, 1)
    assert formula.count() == 4
    assert CardEnc.atmost((i for i in range(1, 4)), bound=1, encoding=EncType.pairwise).clauses


def test_no_bound_and_no_encoding() -> None:
    formula = cnfkit.Formula()
    bounds: list[tuple[Any, type[Exception]]] = [(-1, ValueError), (1.5, TypeError), (True, TypeError)]
    bounds += [(2**64, OverflowError), ("1", TypeError)]
    for bound, error in bounds:
        with pytest.raises(error, match="bound"):
            formula.at_most([1, 2, 3], bound)
    for weights, error in (([1], ValueError), ([1, 2.5, 3], TypeError), ([2**63] * 3, OverflowError), (5, TypeError)):
        with pytest.raises(error):
            formula.at_most([1, 2, 3], 2, weights=weights)  # type: ignore[arg-type]
    with pytest.raises(OverflowError, match="sum beyond 64 bits"):
        formula.at_most([1, 2, 3], 2, weights=[2**63 - 1] * 3)
    with pytest.raises(ValueError, match="did you mean|allowed"):
        formula.at_most([1, 2, 3], 2, encoding="totaliser")
    with pytest.raises(TypeError, match="one of at_most, at_least and exactly"):
        cnfkit.encode([1, 2], at_most=1, exactly=1)
    with pytest.raises(OverflowError):
        cnfkit.encode(range(1, 61), at_most=30, encoding="combinatorial")
    with pytest.raises(OverflowError):
        cnfkit.Formula(2**26).new_lit()
    with pytest.raises(ValueError, match="time limit"):
        formula.solve(time_limit=-1)
    with pytest.raises(ValueError, match="variable 9: the formula has"):
        formula.solve([9])


def test_models() -> None:
    model, other = cnfkit.Model(), cnfkit.Model()
    x, y = model.int(0, 9), other.int(0, 9)
    b = model.bool()
    solution = model.solve()
    assert solution is not None
    later = model.int(0, 1)
    says: list[tuple[type[Exception], Callable[[], object]]] = [
        (ValueError, lambda: x + y),
        (ValueError, lambda: other.post(x > 3)),
        (ValueError, lambda: solution[y]),
        (ValueError, lambda: solution[later]),
        (TypeError, lambda: bool(x > 3)),
        (TypeError, lambda: 1 <= x <= 3),
        (TypeError, lambda: x * x),  # type: ignore[operator]
        (TypeError, lambda: x + 1.5),  # type: ignore[operator]
        (TypeError, lambda: x + "1"),  # type: ignore[operator]
        (TypeError, lambda: (x > 3) + 1),
        (TypeError, lambda: b & 3),  # type: ignore[operator]
        (TypeError, lambda: model.post(3)),  # type: ignore[arg-type]
        (ValueError, lambda: model.int(3, 2)),
        (ValueError, lambda: model.int([])),
        (TypeError, lambda: model.int(3)),  # type: ignore[call-overload]
        (TypeError, lambda: hash(x)),
        (ValueError, lambda: cnfkit.cumulative([x, x], [1], [1, 1], 1)),
        (ValueError, lambda: cnfkit.disjunctive([x], [-1])),
        (ValueError, lambda: cnfkit.table([x, x], [[1]])),
        (ValueError, lambda: cnfkit.inverse([x], [])),
        (ValueError, lambda: cnfkit.function("sqrt", x, x)),
        (ValueError, lambda: cnfkit.function("times", x, x)),
        (ValueError, lambda: cnfkit.automaton([x], 2, 0, [2], [])),
        (ValueError, lambda: cnfkit.automaton([x], 2, 0, [1], [(0, 1, 0), (0, 1, 1)])),
        (OverflowError, lambda: cnfkit.automaton([x], 2**60, 0, [], [])),
        (TypeError, lambda: cnfkit.count([x + 1], [1])),
    ]
    for error, say in says:
        with pytest.raises(error):
            say()
    deep = x > 3
    with pytest.raises(RecursionError, match="all_of or any_of"):
        for _ in range(10_000):
            deep = deep & (x > 1)
    model.post(cnfkit.all_of(x != i for i in range(9)), sum([x] * 1000) == 9000)
    assert model.count() == 4
    with pytest.raises(OverflowError):
        model.maximise(x * 2**62 + x * 2**62)


def values(draw: random.Random) -> Any:
    """Something that is more often wrong than right."""
    number = draw.choice([0, 1, -1, 2, 3, 5, -7, 100, 2**31, -(2**31), 2**63, -(2**63) - 1, 10**30, 2**26, 1 << 20])
    simple: list[Any] = [number, float(number), bool(number), str(number), None, numpy.int64(draw.randrange(-9, 9))]
    simple += [numpy.arange(4), b"\xff\x00", "p cnf 1 1\n1 0", object(), draw.random(), float("nan"), Path("/none")]
    simple += [cnfkit.Formula(3), cnfkit.Model().int(0, 3), cnfkit.Model().bool(), EncType.totalizer, "auto", len]
    kind = draw.randrange(5)
    if kind == 0:
        return [values(draw) for _ in range(draw.randrange(4))]
    if kind == 1:
        return [draw.randrange(-6, 7) or 1 for _ in range(draw.randrange(12))]
    if kind == 2:
        return (values(draw) for _ in range(2))
    return draw.choice(simple)


def calls() -> Iterator[tuple[str, Callable[..., object]]]:
    module = {name: getattr(cnfkit, name) for name in cnfkit.__all__ if callable(getattr(cnfkit, name))}
    yield from module.items()
    makers: dict[str, Callable[[], Any]] = {
        "Formula": lambda: cnfkit.Formula(5),
        "Model": cnfkit.Model,
        "Counter": lambda: cnfkit.Counter([1, 2, 3], 2),
        "Sudoku": lambda: cnfkit.Sudoku([[0] * 4] * 4),
        "GemHunter": lambda: cnfkit.GemHunter("1, _"),
        "Clauses": lambda: cnfkit.encode([1, 2, 3], at_most=1),
        "IntExpr": lambda: cnfkit.Model().int(0, 4),
        "Constraint": lambda: cnfkit.Model().bool(),
        "CardEnc": lambda: CardEnc,
        "PBEnc": lambda: PBEnc,
        "ITotalizer": lambda: ITotalizer([1, 2, 3]),
        "IDPool": cnfkit.pysat.gates.IDPool,
    }
    writes = ("write_", "certify", "solve_certified", "minimise_certified")
    for kind, make in makers.items():
        for name in dir(make()):
            is_plain = name.startswith("__") and name not in ("__add__", "__mul__", "__and__", "__eq__", "__getitem__")
            if is_plain or name.startswith(writes) or not callable(getattr(make(), name)):
                continue
            yield f"{kind}.{name}", lambda *args, make=make, name=name, **more: getattr(make(), name)(*args, **more)


CALLS = list(calls())
KEYWORDS = ["weights", "when", "iff", "encoding", "top_id", "at_most", "at_least", "time_limit", "limit", "bound"]
KEYWORDS += ["on_progress", "on_improvement", "smallest", "of"]


@pytest.mark.parametrize("seed", range(20))
def test_a_thousand(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(100):
        name, call = draw.choice(CALLS)
        args = [values(draw) for _ in range(draw.randrange(4))]
        more = {draw.choice(KEYWORDS): values(draw) for _ in range(draw.choice([0, 0, 1, 2]))}
        if any(word in name for word in ("solve", "count", "minimise", "maximise", "backbone", "core", "deduce")):
            more["time_limit"] = 0.05
        try:
            call(*args, **more)
        except (*KINDS, AttributeError, TimeoutError, OSError, cnfkit.pysat.NoSuchEncodingError) as error:
            assert "panic" not in str(error), (name, args, more)
        except cnfkit.pysat.UnsupportedBound:
            pass


def test_two_threads() -> None:
    formula, errors = cnfkit.Formula(), []

    def work(seed: int) -> None:
        draw = random.Random(seed)
        for _ in range(200):
            try:
                formula.at_most(draw.sample(range(1, 30), 6), 3)
                formula.solve()
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("orrowed" in error for error in errors) and formula.solve() is not None


@pytest.mark.parametrize("other", [2.0, 2.5, "2", None, [2]])
def test_comparisons_with_no_integers(other: object) -> None:
    """Python would answer False and True, and a model would have them posted."""
    model = cnfkit.Model()
    x = model.int(0, 5)
    for left in (x, 2 * x + 1):
        for compare in (operator.eq, operator.ne, operator.lt, operator.le):
            with pytest.raises(TypeError):
                compare(left, other)
