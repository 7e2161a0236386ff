"""`cnfkit.pysat` beside PySAT: its documentation's examples, the same constraints, the same errors.

Where the two differ is in the README's list, and in `test_differences`.
"""

from __future__ import annotations

import doctest
import itertools
import subprocess
import sys
from typing import Any

import pysat.card
import pysat.formula
import pysat.pb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from cnfkit.pysat import card as our_card
from cnfkit.pysat import pb as our_pb
from cnfkit.pysat.gates import IDPool
from common import allowed, models

CARD = {name: value for name, value in vars(pysat.card.EncType).items() if not name.startswith("_")}
PB = {name: value for name, value in vars(pysat.pb.EncType).items() if not name.startswith("_")}


def test_the_same_numbers() -> None:
    assert {name: getattr(our_card.EncType, name) for name in CARD} == CARD
    assert {name: getattr(our_pb.EncType, name) for name in PB} == PB


SIDES = {"atmost": int.__le__, "atleast": int.__ge__, "equals": int.__eq__}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(CARD)), st.sampled_from(sorted(SIDES)), st.data())
def test_cardinality(name: str, side: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 7))
    lits = data.draw(st.permutations([v if data.draw(st.booleans()) else -v for v in range(1, n + 1)]))
    bound = data.draw(st.integers(-1, n + 1))
    encoding = CARD[name]
    results = []
    for module in (pysat.card, our_card):
        try:
            results.append(getattr(module.CardEnc, side)(lits, bound=bound, top_id=n, encoding=encoding))
        except Exception as error:
            results.append(error)
    theirs, ours = results
    if isinstance(ours, Exception):
        # PySAT says nothing of a negative bound of `atleast`, and so do we.
        assert type(ours).__name__ == type(theirs).__name__ and str(ours) == str(theirs)
        return
    assert not isinstance(theirs, Exception)
    assert isinstance(ours, pysat.formula.CNFPlus)
    right = allowed(n, lambda true: SIDES[side](sum(lit in true for lit in lits), bound))
    if encoding == CARD["native"]:
        assert [(list(lits), k) for lits, k in ours.atmosts] == [(list(lits), k) for lits, k in theirs.atmosts]
        assert ours.nv == theirs.nv
        return
    assert models(ours.clauses, n) == right
    assert ours.nv == max([n, *(abs(lit) for clause in ours.clauses for lit in clause)])


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(PB)), st.sampled_from(["leq", "geq", "equals", "atmost", "atleast"]), st.data())
def test_sums_of_weights(name: str, side: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 6))
    lits = [v if data.draw(st.booleans()) else -v for v in range(1, n + 1)]
    weights = data.draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    bound = data.draw(st.integers(0, 40))
    conditionals = data.draw(st.none() | st.just([n + 1, -(n + 2)]))
    more = {"bound": bound, "encoding": PB[name], "conditionals": conditionals, "top_id": n + 2}
    ours = getattr(our_pb.PBEnc, side)(lits, weights=weights, **more)
    assert getattr(our_pb.PBEnc, side)(list(zip(lits, weights)), **more).clauses == ours.clauses
    if PB[name] == PB["native"]:
        theirs = getattr(pysat.pb.PBEnc, side)(lits, weights=weights, **more)
        assert (ours.atmosts, ours.nv) == (theirs.atmosts, theirs.nv)
        return
    compare = SIDES[{"leq": "atmost", "geq": "atleast"}.get(side, side)]

    def holds(true: set[int]) -> bool:
        value = sum(weight for lit, weight in zip(lits, weights) if lit in true)
        return compare(value, bound) or not set(conditionals or ()) <= true

    assert models(ours.clauses, n + 2) == allowed(n + 2, holds)
    theirs = getattr(pysat.pb.PBEnc, side)(lits, weights=weights, **more)
    assert models(theirs.clauses, n + 2) == allowed(n + 2, holds)


def test_the_same_errors() -> None:
    for ours, theirs in ((our_card.CardEnc, pysat.card.CardEnc), (our_pb.PBEnc, pysat.pb.PBEnc)):
        for args in (([1, 2], -1), ([1, 2, 3, 4, 5], 2, 0), ([1, 2], 1, 17), ([1, 2], 1, -1)):
            names: dict[str, Any] = dict(zip(("lits", "bound", "encoding"), args))
            caught = []
            for module in (ours, theirs):
                try:
                    module.atmost(**names)
                except Exception as error:
                    caught.append((type(error).__name__, str(error)))
                else:
                    caught.append(("", ""))
            assert caught[0] == caught[1], (ours, args)
        with pytest.raises(AssertionError, match="not both"):
            ours.atmost([1, 2, 3], bound=1, top_id=5, vpool=IDPool())


@pytest.mark.parametrize("pool", [IDPool, pysat.formula.IDPool])
def test_pools(pool: Any) -> None:
    for occupied in ([], [[8, 11]], [[5, 6], [9, 9], [30, 40]], [[1, 3]], [[2, 20]]):
        for start in (1, 5, 7):
            vpool = pool(start_from=start, occupied=occupied)
            cnf = our_card.CardEnc.atmost([1, 2, 3, 4], bound=2, vpool=vpool, encoding=our_card.EncType.seqcounter)
            other = pysat.formula.IDPool(start_from=start, occupied=occupied)
            pysat.card.CardEnc.atmost([1, 2, 3, 4], bound=2, vpool=other)
            assert models(cnf.clauses, 4) == allowed(4, lambda true: sum(lit > 0 for lit in true) <= 2)
            used = {abs(lit) for clause in cnf.clauses for lit in clause} - {1, 2, 3, 4}
            blocked = {v for low, high in occupied for v in range(low, high + 1)}
            assert used and not used & blocked and vpool.id() > max(used), (occupied, start)
            assert cnf.nv == max(used)


def test_our_pool_is_theirs() -> None:
    for occupied in ([], [[12, 18], [3, 10]], [[1, 2], [2, 5], [6, 6]]):
        ours, theirs = IDPool(occupied=occupied), pysat.formula.IDPool(occupied=occupied)
        for key in ("a", "b", "a", None, "c", None, "d", "b"):
            assert ours.id(key) == theirs.id(key)
        assert [ours.obj(v) for v in range(25)] == [theirs.obj(v) for v in range(25)]
        assert repr(ours) == repr(theirs)
        ours.occupy(30, 40)
        theirs.occupy(30, 40)
        assert [ours.id() for _ in range(25)] == [theirs.id() for _ in range(25)]
    pair = IDPool(with_neg=True), pysat.formula.IDPool(with_neg=True)
    assert {(pool.id(7), pool.id(-7), pool.obj(-1)) for pool in pair} == {(1, -1, -7)}


# The examples of PySAT's documentation that print as it says there, but not here, with the reason.
BOTH_WAYS = "a totalizer has clauses in both directions, so that a false bound literal means more true literals, too"
DIFFERENT = {
    ("ITotalizer", "print(t.cnf.clauses)"): BOTH_WAYS,
    ("ITotalizer.increase", "print(t.cnf.clauses)"): BOTH_WAYS,
    ("ITotalizer.increase", "print(t.cnf.clauses[-t.nof_new:])"): BOTH_WAYS,
    ("PBEnc", "print(cnf.clauses)"): "other encodings, and other auxiliaries",
}


class Failures(doctest.DocTestRunner):
    """Notes which examples fail."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.found: set[tuple[str, str]] = set()

    def _note(self, test: doctest.DocTest, example: doctest.Example) -> None:
        self.found.add((test.name, example.source.strip()))

    def report_failure(self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self._note(test, example)

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        self._note(test, example)


def test_documentation() -> None:
    """The examples in PySAT's documentation print the same with the import changed, or stand in `DIFFERENT`."""
    ours, theirs, n = Failures(), Failures(), 0
    for part in (pysat.card.CardEnc, pysat.card.ITotalizer, pysat.pb.PBEnc, pysat.formula.IDPool):
        for runner, package in ((ours, "cnfkit.pysat"), (theirs, "pysat")):
            scope: dict[str, Any] = {}
            for test in doctest.DocTestFinder(exclude_empty=True).find(part, part.__name__, globs=scope):
                for example in test.examples:
                    example.source = example.source.replace("from pysat.", f"from {package}.")
                # `obj` goes on where `id` ends.
                runner.run(test, clear_globs=False)
                scope.update(test.globs)
                n += len(test.examples)
    assert n > 80
    # Some do not print with PySAT itself what is written: there is a prompt amid their output, or it is out of date.
    assert {key for key in ours.found - theirs.found if "import" not in key[1]} == set(DIFFERENT)


def counted(t: Any, lits: list[int]) -> None:
    """Each bound of a totalizer, assumed, bounds the number of its literals, and no more."""
    with Solver(bootstrap_with=t.cnf.clauses) as solver:
        n = len(lits)
        assert len(t.rhs) == min(t.ubound + 1, n) and t.top_id == t.cnf.nv >= max(t.rhs)
        for some in itertools.product((1, -1), repeat=n):
            values = [sign * lit for sign, lit in zip(some, lits)]
            for k, bound in enumerate(t.rhs):
                assert solver.solve(assumptions=[*values, -bound]) == (some.count(1) <= k)


@pytest.mark.parametrize("module", [pysat.card, our_card])
def test_totalizers(module: Any) -> None:
    t = module.ITotalizer(lits=[1, -2, 3], ubound=1, top_id=10)
    counted(t, [1, -2, 3])
    t.increase(ubound=2, top_id=20)
    counted(t, [1, -2, 3])
    t.increase(ubound=1)
    assert t.nof_new == 0
    t.extend(lits=[4, 3, 5], ubound=3)
    counted(t, [1, -2, 3, 4, 5])
    other = module.ITotalizer(lits=[6, 7], ubound=1, top_id=t.top_id)
    t.merge_with(other, ubound=4)
    counted(t, [1, -2, 3, 4, 5, 6, 7])
    assert len(t.cnf.clauses[-t.nof_new :]) == t.nof_new > len(other.cnf.clauses)
    t.delete()
    other.delete()
    assert (t.rhs, t.lits) == ([], [])


def test_differences() -> None:
    """What the README lists, each with a reason there."""
    ours, theirs = our_card.CardEnc, pysat.card.CardEnc
    # *Exactly* is one structure, not two.
    lits = list(range(1, 21))
    assert len(ours.equals(lits, 10).clauses) < len(theirs.equals(lits, 10).clauses)
    # A trivial constraint keeps the highest variable.
    assert ours.atmost([1, 2], bound=5, top_id=9).nv == 9
    # Repeated literals count each time in sums of weights, too.
    cnf = our_pb.PBEnc.leq([1, 1, 2], weights=[1, 1, 1], bound=1)
    assert models(cnf.clauses, 2) == {(-1, 2), (-1, -2)}
    # A condition on counts, and negative weights.
    cnf = ours.atmost([1, 2, 3], bound=1, conditionals=[4])
    assert all(-4 in clause for clause in cnf.clauses)
    cnf = our_pb.PBEnc.geq([1, 2], weights=[2, -3], bound=1)
    assert models(cnf.clauses, 2) == {(1, -2)}


def test_without_pysat() -> None:
    program = """
import sys
sys.modules["pysat"] = None
from cnfkit.pysat import CardEnc, ITotalizer, PBEnc, PBEncType
cnf = CardEnc.atmost([1, 2, 3], bound=1)
cnf.extend([[4, -9]])
assert cnf.nv == 9 and len(cnf.clauses) == 4, cnf
assert CardEnc.atmost([1, 2, 3], bound=1, encoding=9).atmosts == [([1, 2, 3], 1)]
assert ITotalizer([1, 2, 3], 1).cnf.nv == 7
assert PBEnc.leq([(1, 2), (2, 3)], bound=4, encoding=PBEncType.bdd).clauses == [[-1, -2]]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
