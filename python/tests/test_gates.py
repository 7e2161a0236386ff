"""Our own formulas of gates beside PySAT's: truth tables, names, simplification, sizes."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import pytest
from common import assignments, models
from test_dropin import same_parameters

import cnfkit
from cnfkit.pysat import cnf, gates
from cnfkit.pysat.gates import IDPool

theirs = pytest.importorskip("pysat.formula")
N = 4
GATES = ("And", "Or", "Neg", "Implies", "Equals", "XOr", "ITE")
SIGNS = ("&", "|", ">>", "<<", "@", "^")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    for of in (gates, theirs):
        of.Formula.cleanup()
        of.Formula.set_context()


def text_of(rng: random.Random, depth: int) -> str:
    """A formula as Python, of atoms 1 to N and constants."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["PYSAT_TRUE", "PYSAT_FALSE"]) if rng.random() < 0.08 else f"Atom({rng.randint(1, N)})"
    if rng.random() < 0.4:
        return f"({text_of(rng, depth - 1)} {rng.choice(SIGNS)} {'~' * rng.randint(0, 1)}{text_of(rng, depth - 1)})"
    gate = rng.choice(GATES)
    n = {"Neg": 1, "Implies": 2, "ITE": 3}.get(gate) or rng.randint(1 if gate in ("And", "Or") else 2, 4)
    return f"{gate}({', '.join(text_of(rng, depth - 1) for _ in range(n))})"


def made(text: str) -> list[Any]:
    """Theirs and ours of a text, in new contexts where 1 to N are taken."""
    found = []
    for of in (theirs, gates):
        of.Formula.cleanup()
        for var in range(1, N + 1):
            of.Atom(var)
        found.append(eval(text, vars(of)))
    return found


def lits(of: Any, some: Any) -> list[Any]:
    return [of.Atom(abs(lit)) if lit > 0 else ~of.Atom(-lit) for lit in some]


def test_truth_tables_and_sizes() -> None:
    rng = random.Random(55)
    sizes = []
    for _ in range(400):
        text = text_of(rng, 3)
        other, own = made(text)
        said = {tuple(some): other.satisfied(lits(theirs, some)) for some in assignments(N)}
        clauses = list(own)
        assert models(clauses, N) == {some for some, truth in said.items() if truth}, text
        for some, truth in said.items():
            known = lits(gates, some)
            assert own.satisfied(known) is truth, text
            assert own.simplified(known[::2]).satisfied(known[1::2]) is truth, text
        try:
            expected = list(other)
        except AttributeError:  # an XOr of three with a constant
            continue
        sizes.append((len(clauses), len(expected)))
        assert len(clauses) <= len(expected), text
        assert sum(map(len, clauses)) <= sum(map(len, expected)), text
    assert len(sizes) > 380 and sum(size for size, _ in sizes) < 0.9 * sum(size for _, size in sizes)


def test_an_auxiliary_has_one_value() -> None:
    rng = random.Random(56)
    for _ in range(100):
        _, formula = made(text_of(rng, 3))
        counted = cnfkit.Formula(N)
        counted.add_clauses(formula)
        assert counted.count() == len(models(list(formula), N))
        # The name is true if and only if the formula is.
        define = list(gates.Or(formula, gates.Atom("free")))
        for lit in gates.Formula.literals([formula]):
            for sign, some in ((1, formula), (-1, ~formula)):
                assert models([*define, [sign * lit]], N) == models(list(some), N)


def test_names_and_numbers() -> None:
    for of in (theirs, gates):
        x, y, z = (of.Atom(name) for name in "xyz")
        assert x is of.Atom("x") and x & y is y & x and of.And(x, y) is of.And(y, x) is not of.Or(x, y)
        assert of.Atom(True) is of.PYSAT_TRUE and ~of.PYSAT_TRUE is of.PYSAT_FALSE
        assert ~~x is x and repr(~x) == "Neg(Atom('x'))" and (str(of.PYSAT_FALSE), repr(of.PYSAT_FALSE)) == (
            "F", "Atom(False)"
        )
        assert repr(z & (x & y)) == "And[Atom('x'), Atom('y'), Atom('z')]" and str(x & ~(y | z)) == "x & ~(y | z)"
        assert str(of.ITE(x, y, z)) == "(x >> y) & (~x >> z)" and str(of.XOr(of.XOr(x, y), z)) == "(x ^ y) ^ z"
        assert of.ITE(x, cons2=y, cons1=z) is of.ITE(x, z, y) and of.Implies(right=x, left=y) is y >> x is x << y
        assert of.Formula(x, y, type=of.FormulaType.AND) is of.And(x, y)
        a = (x @ y) | z
        assert {frozenset(clause) for clause in a} == {
            frozenset(clause) for clause in ([-1, 2, -3], [1, -2, -3], [3, -1, -2], [3, 1, 2], [3, 4])
        }
        assert a.clauses == [[3, 4]] and (x @ y).name == 3 and of.Formula.literals([x, ~z]) == [1, -4]
        assert of.Formula.formulas([-1, 3, 4]) == [~x, z] and of.Formula.formulas([3], atoms_only=False) == [x @ y]
        assert set(a.atoms()) == {x, y, z} and a.simplified([~z]) is of.Equals(x, y) or of is theirs
        assert (x & ~x).simplified() is of.PYSAT_FALSE and (x | y | ~x).simplified() is of.PYSAT_TRUE
        assert of.Atom(1) is not of.PYSAT_TRUE and a.satisfied([z]) is True and a.satisfied([~z]) is None
        pool = IDPool(start_from=20)
        of.Formula.attach_vpool(pool, context="other")
        of.Formula.set_context("other")
        assert list(of.Atom("x") | of.Atom(30)) == [[31, 30]] and of.Atom("x") is not x
        assert of.Formula.export_vpool() is pool and pool.id() == 32
        of.Formula.set_context(None)
        assert of.Atom("x") is not of.Atom("x")
        several = of.Or(of.XOr(*(of.Atom(name) for name in "abcd")), x)
        assert list(several) == list(several)
        for make in (of.XOr, of.Equals):
            with pytest.raises(of.FormulaError):
                make(x)


def test_signatures() -> None:
    formula = import_module("pysat.formula")
    assert same_parameters(formula.Formula, gates.Formula, set()) > 8
    assert [(kind.name, kind.value) for kind in gates.FormulaType] == [
        (kind.name, kind.value) for kind in formula.FormulaType
    ]
    for gate in (*GATES, "Atom"):
        assert same_parameters(getattr(formula, gate), getattr(gates, gate), set()) > 0


def test_clauses_as_parts() -> None:
    for text in ("c & Atom(4)", "~c", "c >> Atom(4)", "Neg(c | Atom(4))", "And(c, Or(c, d), ~d)", "XOr(d, c)"):
        found = []
        for formula, clauses in ((theirs, theirs.CNF), (gates, cnf.CNF)):
            formula.Formula.cleanup()
            scope = dict(vars(formula), c=clauses(from_clauses=[[1, 2], [-3]]), d=clauses(from_clauses=[[-1, 3]]))
            for var in range(1, 5):
                formula.Atom(var)
            made = [list(clause) for clause in eval(text, scope)]
            found.append((models(made, 4), len(made)))
        assert found[0][0] == found[1][0] and 0 < found[1][1] <= found[0][1], text
    with pytest.raises(gates.FormulaError):
        cnf.CNF().simplified()
    first = cnf.CNF(from_clauses=[[5, 6]])
    first.append([7], update_vpool=True)
    assert gates.Formula.export_vpool().id() == 8 and first.atoms() == list(range(1, 8))


def test_refused() -> None:
    x = gates.Atom("x")
    bad = ("And(x, 1)", "And()", "Implies(x)", "ITE(x, x, x, x)", "Neg(subformula=x, other=x)", "x & True", "Atom()")
    for text in bad:
        with pytest.raises(TypeError, match="takes|operand"):
            eval(text, dict(vars(gates), x=x))
    with pytest.raises(ValueError, match="object"):
        gates.Atom(-1)
    with pytest.raises(gates.FormulaError, match="type"):
        gates.Formula(x)
