"""Names, signatures, defaults, exceptions and attributes beside those of PySAT's own modules."""

from __future__ import annotations

import copy
import inspect
import io
import pickle
import random
import re
import subprocess
import sys
import warnings
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from common import allowed, models

import cnfkit
from cnfkit.pysat import cnf as own
from cnfkit.pysat.card import CardEnc, ISeqCounter, ITotalizer
from cnfkit.pysat.gates import IDPool

pytest.importorskip("pysat.solvers")

MODULES = ("card", "pb", "formula", "solvers")


def modules(name: str) -> tuple[ModuleType, ModuleType]:
    return import_module(f"pysat.{name}"), import_module(f"cnfkit.pysat.{name}")


def public(module: ModuleType) -> set[str]:
    """The names that a module defines itself."""
    own = (name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__)
    return {name for name in own if not name.startswith("_")} | {"PYSAT_TRUE", "PYSAT_FALSE"} & set(vars(module))


def default(value: Any) -> Any:
    """Lists and tuples are alike: nobody changes a default."""
    return list(value) if isinstance(value, (list, tuple, dict)) else value


def parameters(function: Any) -> list[tuple[str, Any]]:
    named = [p for p in inspect.signature(function).parameters.values() if p.kind != p.VAR_KEYWORD]
    return [(p.name, default(p.default)) for p in named if p.name not in ("self", "cls")]


@pytest.mark.parametrize("name", MODULES)
def test_names(name: str) -> None:
    theirs, ours = modules(name)
    assert public(theirs) <= set(ours.__all__)
    assert all(hasattr(ours, exported) for exported in ours.__all__)
    spaces: dict[str, Any] = {}
    exec(f"from cnfkit.pysat.{name} import *", spaces)
    assert set(spaces) - {"__builtins__"} == set(ours.__all__)


def test_star() -> None:
    spaces: dict[str, Any] = {}
    exec("from cnfkit.pysat import *", spaces)
    for name in ("CNF", "CNFPlus", "IDPool", "CardEnc", "PBEnc", "ITotalizer", "ISeqCounter", "Solver"):
        assert name in spaces
    assert "Counter" not in spaces and "encode" not in spaces
    assert type(spaces["CardEnc"].atmost([1, 2])) is spaces["CNFPlus"]


CLASSES = [
    *(("card", name) for name in ("CardEnc", "ITotalizer", "ISeqCounter")),
    *(("pb", "PBEnc"), ("formula", "IDPool"), ("solvers", "Solver"), ("solvers", "Minisat22")),
]


@pytest.mark.parametrize(("module", "name"), CLASSES)
def test_methods(module: str, name: str) -> None:
    theirs, ours = (getattr(of, name) for of in modules(module))
    if name == "IDPool":
        assert ours is theirs
        ours = IDPool
    for method, value in vars(theirs).items():
        if method.startswith("_") and method != "__init__" or not callable(getattr(theirs, method)):
            continue
        if (name, method) in {("Solver", "new"), ("Minisat22", "new")}:
            continue  # a solver is made once
        assert hasattr(ours, method), method
        if method in ("__init__",) or module != "solvers":
            expected, found = parameters(getattr(theirs, method)), parameters(getattr(ours, method))
            # More may follow.
            assert found[: len(expected)] == expected or name == "Minisat22", (method, expected, found)


def same_parameters(theirs: Any, ours: Any, left: set[str]) -> int:
    """Compares the methods of two classes; ours may have more parameters."""
    names = {name for name, value in vars(theirs).items() if callable(getattr(theirs, name)) and name[0] != "_"}
    for name in names - left:
        expected, found = (parameters(getattr(of, name)) for of in (theirs, ours))
        assert found[: len(expected)] == expected, (ours, name, expected, found)
    assert parameters(theirs.__init__) in (parameters(ours.__init__), [("args", inspect.Parameter.empty)])
    return len(names - left)


@pytest.mark.parametrize("name", ["CNF", "CNFPlus", "WCNF", "WCNFPlus"])
def test_our_own_formulas(name: str) -> None:
    theirs, ours = getattr(import_module("pysat.formula"), name), getattr(own, name)
    assert same_parameters(theirs, ours, set()) > 3


def test_circuits() -> None:
    aiger, theirs = pytest.importorskip("aiger"), import_module("pysat.formula")
    x, y, z = (aiger.atom(name) for name in "xyz")
    for expr in (x, ~(x | y) & z, (x ^ y) | (y & ~z)):
        circuits = [module.CNF(from_aiger=expr) for module in (own, theirs)]
        ours, other = ([c.clauses, c.nv, c.inps, c.outs, [c.vpool.obj(v) for v in c.inps]] for c in circuits)
        assert ours == other


@pytest.mark.parametrize("name", ["CNF", "CNFPlus"])
def test_our_own_clauses(name: str) -> None:
    theirs, ours = getattr(import_module("pysat.formula"), name), getattr(own, name)
    given = [of(from_string="c hello\np cnf 5 2\n1 -2 0\n3 0\n") for of in (theirs, ours)]
    for formula in given:
        formula.append([-4, 2])
        formula.extend([[7], [-1, 2]])
    assert given[0].clauses == given[1].clauses and given[0].nv == given[1].nv == 7
    assert given[0].to_dimacs().strip() == given[1].to_dimacs()
    copied = given[1].copy()
    assert repr(copied) == repr(given[1]) and copied.clauses is not given[1].clauses
    assert list(given[1]) == given[1].clauses and eval(repr(copied), {name: ours}).clauses == copied.clauses
    negated, weighted = ([getattr(formula, method)() for formula in given] for method in ("negate", "weighted"))
    assert negated[0].clauses == negated[1].clauses and negated[0].enclits == negated[1].enclits
    assert state(weighted[0]) == state(weighted[1]) and weighted[1].topw == 6


def alien(formula: Any, format: str) -> list[Any]:
    """The lines of another format, with the numbers of sums, and without comments that count."""
    file = io.StringIO()
    formula.to_alien(file, format, comments=["more"])
    sums = re.compile(r"([+-])\s*(\d*)\s*x(\d+)")
    lines = [line for line in file.getvalue().splitlines() if "#" not in line]
    return [(sums.findall(re.sub(r"([+-])1 ", r"\1 ", line)), re.sub(sums, "", line).split()) for line in lines]


@pytest.mark.parametrize("format", ["opb", "lp", "smt"])
def test_other_formats(format: str) -> None:
    made = {}
    for of in (own, import_module("pysat.formula")):
        cnf, plus = of.CNF(from_clauses=[[1, -2, 3], [-3], [2, 4]]), of.CNFPlus(from_string="c hello\np cnf+ 2 0\n")
        plus.extend([[1, -2], [-3]])
        if format != "smt":
            plus.append([[1, -2, 3], 2], is_atmost=True)
            plus.append([[1, -2, 3], 4, [2, 3, 5]], is_atmost=True)
        wcnf = of.WCNF()
        wcnf.append([1, -2])
        wcnf.extend([[1], [-2]], weights=[3, 4])
        made[of] = [alien(formula, format) for formula in (cnf, plus, wcnf)]
    ours, theirs = made.values()
    assert ours == theirs
    with pytest.raises(ValueError, match="opb"):
        own.CNF().to_alien(io.StringIO(), "pdf")


def test_soft_clauses_cost_their_weight() -> None:
    wcnf = own.WCNFPlus(from_string="h -1 -2 0\nh -1 -3 0\n5 1 0\n3 2 3 0\n4 2 -3 0\n2 -2 0\nh 1 2 3 <= 2\n")
    file = io.StringIO()
    wcnf.to_alien(file)
    least = cnfkit.Formula.read_opb(file.getvalue()).minimise()
    theirs = import_module("pysat.formula").WCNF(from_string=wcnf.to_dimacs().replace("h 1 2 3 <= 2", ""))
    with import_module("pysat.examples.rc2").RC2(theirs) as rc2:
        rc2.compute()
        # A true literal that is wanted counts below 0.
        assert least is not None and least.value == rc2.cost - 5 - 3 - 4
    with pytest.raises(NotImplementedError, match="SMT"):
        wcnf.to_alien(io.StringIO(), "smt")


def state(formula: Any) -> list[Any]:
    """What a formula with soft clauses has."""
    return [getattr(formula, name, None) for name in ("nv", "hard", "soft", "wght", "topw", "comments", "atms")]


WEIGHTED = [
    "c hello\np wcnf 3 4 12\n12 1 -2 0\n3 2 0\n12 3 0\n4 -1 -3 0\n",
    "h 1 2 0\n5 -1 0\n2 -2 3 0\n",
    "p wcnf 4 3\n7 1 0\n-2 2 3 0\n-3 4 0\n0.5 1 2 0\n",
    "p wcnf 2 2 3\n-3 1 0\n-5 1 2 0\n1 2 0\n",
]


@pytest.mark.parametrize("name", ["WCNF", "WCNFPlus"])
def test_our_own_soft_clauses(name: str, tmp_path: Path) -> None:
    theirs, ours = getattr(import_module("pysat.formula"), name), getattr(own, name)
    natives = ["p wcnf+ 7 3 10\n10 1 -2 3 5 -7 <= 3\n10 4 5 6 -7 >= 2\nh w 2*1 3*-2 <= 4\n5 3 5 7 0\n"]
    for text in WEIGHTED + natives * (name == "WCNFPlus"):
        given = [of(from_string=text) for of in (theirs, ours)]
        for formula in given:
            formula.append([9, -1], weight=5)
            formula.append((7, 8))
            formula.extend([[3], [-8, 4]], weights=[2, 1])
            formula.extend([[3, 5]])
            if name == "WCNFPlus":
                formula.append([[1, 11], 1], is_atmost=True)
        assert state(given[0]) == state(given[1])
        assert given[0].to_dimacs().strip() == given[1].to_dimacs()
        copied = given[1].copy()
        copied.append([20], weight=1)
        assert state(given[0]) == state(given[1]) != state(copied)
        plain = [formula.unweighted() for formula in given]
        assert plain[0].clauses == plain[1].clauses and plain[0].nv == plain[1].nv
        assert getattr(plain[0], "atmosts", 0) == getattr(plain[1], "atmosts", 0)
        for end in ("wcnf", "wcnf.gz", "wcnf.bz2", "wcnf.xz"):
            for format in ("mse22", "legacy"):
                given[1].to_file(str(tmp_path / f"own.{end}"), comments=["c written"], format=format)
                read = [of(from_file=str(tmp_path / f"own.{end}")) for of in (theirs, ours)]
                assert state(read[0]) == state(read[1]) and read[1].hard == given[1].hard
                assert read[1].wght == given[1].wght and "c written" in read[1].comments


def test_our_own_formulas_refuse() -> None:
    wcnf = own.WCNF()
    for weight in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="weight"):
            wcnf.append([1], weight)
    with pytest.raises(ValueError, match="weights"):
        wcnf.extend([[1], [2]], [3])
    for formula in (wcnf, own.CNF()):
        bad: list[Any] = [True, 1.5, "1", 0]
        for lit in bad:
            with pytest.raises(TypeError if lit else ValueError, match="clause"):
                formula.append([1, lit])
    with pytest.raises(ValueError, match="format"):
        wcnf.to_dimacs("other")
    with pytest.raises(ValueError, match="compression"):
        wcnf.to_file("unused", compress_with="zip")
    assert wcnf.hard == wcnf.soft == [] and wcnf.topw == 1


def test_our_own_files(tmp_path: Path) -> None:
    theirs = import_module("pysat.formula").CNFPlus()
    ours = own.CNFPlus()
    for formula in (theirs, ours):
        formula.append([1, -2])
        formula.append([[1, 2, -3], 2], is_atmost=True)
        formula.append([[1, 2, -3], 4, [2, 3, 4]], is_atmost=True)
    assert theirs.to_dimacs().strip() == ours.to_dimacs()
    ours.to_file(tmp_path / "plus.cnf", comments=["c written"])
    read = own.CNFPlus(from_file=tmp_path / "plus.cnf")
    assert read.atmosts == ours.atmosts and read.clauses == ours.clauses and read.comments == ["c written"]
    other = own.CNFPlus(from_string="p cnf+ 3 2\n1 2 3 >= 2\nw 2*1 3*2 >= 3\n 1 2 0\n")
    assert other.atmosts == [[[-1, -2, -3], 1], [[-1, -2], 2, [2, 3]]] and other.clauses == [[1, 2]]
    ours.extend(other)
    assert len(ours.atmosts) == 4 and len(ours.clauses) == 2
    clauses = [[1, 2]]
    assert own.CNF(from_clauses=clauses, by_ref=True).clauses is clauses
    assert own.CNF(from_clauses=clauses).clauses is not clauses


def test_without_pysat() -> None:
    program = "\n".join((
        "import sys; sys.modules['pysat'] = None",
        "from cnfkit.pysat import *",
        "cnf = CardEnc.atmost([1, 2, 3, 4], 2)",
        "assert type(cnf) is CNFPlus and issubclass(CNFPlus, CNF) and cnf.nv == 6",
        "assert ITotalizer([1, 2], 1).cnf.nv == 4 and ISeqCounter([1, 2]).rhs",
        "assert Solver(bootstrap_with=cnf).solve() and 'pysat.formula' not in sys.modules",
        "from cnfkit.pysat.formula import *",
        "x, y = Atom('x'), Atom('y')",
        "solver = Solver(bootstrap_with=x & ~(x >> y))",
        "assert solver.solve() and Formula.formulas(solver.get_model()) == [x, ~y]",
        "assert not Solver(bootstrap_with=CNF(from_clauses=(x & ~x))).solve() and WCNF().topw == 1",
    ))
    subprocess.run([sys.executable, "-c", program], check=True)


def outcome(call: Any) -> str:
    """The kind of a result, or of an exception."""
    try:
        return f"made, {call().atmosts}"
    except Exception as error:
        return type(error).__name__


def test_exceptions() -> None:
    (card, our_card), (pb, our_pb) = modules("card"), modules("pb")
    cases: list[dict[str, Any]] = [
        *({"lits": [1, 2, 3], "bound": bound} for bound in (-1, 0, 2, 3, 4)),
        *({"lits": [1, 2, 3, 4, 5], "bound": 2, "top_id": top} for top in (-1, 0, 3, 9)),
        {"lits": [], "bound": 1},
        {"lits": (1, 2, 3, 4, 5), "bound": 2},
        {"lits": range(1, 6), "bound": 2},
    ]
    count = 0
    for encoding in (*range(10), 42, -1):
        for side in ("atmost", "atleast", "equals"):
            for case in cases:
                both = [getattr(of.CardEnc, side) for of in (card, our_card)]
                found = [outcome(lambda: call(encoding=encoding, **case)) for call in both]
                assert found[0] == found[1], (encoding, side, case)
                count += 1
    weights: list[Any] = [None, [1, 2, 3], [1, 2], [2, 2, 1]]
    for encoding in (0, 1, 2, 6, 42):
        for side in ("leq", "geq", "equals", "atmost", "atleast"):
            for bound in (-1, 1, 3):
                for given in weights:
                    for top in (None, -1, 7):
                        arguments = {"lits": [1, 2, 3], "weights": given, "bound": bound, "top_id": top}
                        found = [
                            outcome(lambda: getattr(of.PBEnc, side)(encoding=encoding, **arguments))
                            for of in (pb, our_pb)
                        ]
                        assert found[0] == found[1], (encoding, side, arguments)
                        count += 1
    assert count > 1000


@pytest.mark.filterwarnings("ignore:EncType.binmerge")
def test_no_encoding_is_much_larger() -> None:
    (card, our_card), (pb, our_pb) = modules("card"), modules("pb")
    sums = [(5, 10), (20, 100), (50, 20)]
    count = 0
    for of, ours, sides in ((card, our_card, ("atmost", "atleast", "equals")), (pb, our_pb, ("leq", "geq", "equals"))):
        encodings = [value for name, value in vars(of.EncType).items() if name[0] != "_" and name != "native"]
        for side in sides:
            for encoding in encodings:
                for n, k in [(10, 1), (10, 3), (30, 15), (100, 10)] if of is card else sums:
                    case: dict[str, Any] = {"lits": list(range(1, n + 1)), "bound": k, "encoding": encoding}
                    if of is pb:
                        case["weights"] = [1 + i * 37 % k for i in range(n)]
                        case["bound"] = sum(case["weights"]) // 2
                    enc = (of.CardEnc, ours.CardEnc) if of is card else (of.PBEnc, ours.PBEnc)
                    try:
                        sizes = [len(getattr(one, side)(**case).clauses) for one in enc]
                    except of.UnsupportedBound if of is card else ():
                        continue
                    assert sizes[1] <= 1.25 * sizes[0] + 5, (side, case, sizes)
                    count += 1
    assert count > 140


def test_a_name_that_is_another_encoding_warns() -> None:
    ours = import_module("cnfkit.pysat.pb")
    with pytest.warns(UserWarning, match="global watchdog"):
        ours.PBEnc.leq([1, 2, 3], [2, 3, 4], 5, encoding=ours.EncType.binmerge)
    lits, weights = list(range(1, 101)), [i * 37 % 50 + 1 for i in range(100)]
    with pytest.warns(UserWarning, match="generalized-totalizer is too large"):
        ours.PBEnc.equals(lits, weights, sum(weights) // 2, encoding=ours.EncType.totalizer)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.PBEnc.equals(lits, weights, 900, encoding=ours.EncType.adder)
        ours.PBEnc.leq(lits, weights, 900, encoding=ours.EncType.watchdog)
        ours.PBEnc.leq(lits[:5], weights[:5], 80, encoding=ours.EncType.totalizer)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))])
def test_totalizers_are_copied(again: Any) -> None:
    first = ITotalizer([1, 2, 3], ubound=1)
    first.extend([9, 10])
    other = ITotalizer([5, 6], ubound=1, top_id=first.top_id)
    first.merge_with(other)
    copied = again(first)
    assert copied.cnf.clauses == first.cnf.clauses and copied.rhs == first.rhs
    before = len(first.cnf.clauses)
    copied.increase(3)
    assert len(first.cnf.clauses) == before < len(copied.cnf.clauses)
    first.increase(3)
    assert copied.cnf.clauses == first.cnf.clauses and copied.rhs == first.rhs and copied.nof_new > 0


def test_totalizers_out_of_pools() -> None:
    pool = IDPool(start_from=20, occupied=[[30, 40]])
    count = ITotalizer([1, 2, 3, 4], ubound=2, vpool=pool)
    new = {abs(lit) for clause in count.cnf.clauses for lit in clause} - {1, 2, 3, 4}
    assert min(new) >= 20 and not new & set(range(30, 41))
    var = pool.id("x")
    assert var not in new
    count.increase(3)
    count.extend([5])
    again = {abs(lit) for clause in count.cnf.clauses for lit in clause} - {1, 2, 3, 4, 5}
    assert var not in again and again > new and pool.id("y") not in again


def test_sequential_counters() -> None:
    theirs = import_module("pysat.card").ISeqCounter
    for n in range(1, 6):
        for steps in ((0,), (1,), (0, 1, 3), (2, 1, 7)):
            counters = [of(lits=list(range(1, n + 1)), ubound=steps[0], top_id=7) for of in (theirs, ISeqCounter)]
            for step in steps[1:]:
                for counter in counters:
                    counter.increase(step)
            found = [(c.cnf.clauses, c.rhs, c.top_id, c.nof_new, c.ubound) for c in counters]
            assert found[0] == found[1]
            for length in range(-1, n + 2):
                for bound in range(-1, n + 1):
                    assert counters[0].get_constraint(length, bound) == counters[1].get_constraint(length, bound)
            ours = counters[1]
            for bound, output in enumerate(ours.rhs):
                limited = [*ours.cnf.clauses, [-output]]
                assert models(limited, n) == allowed(n, lambda said: sum(lit > 0 for lit in said) <= bound)
    with pytest.raises(ValueError):
        ISeqCounter([1, 2], ubound=-1)
    with ISeqCounter([1, 2]) as counter:
        assert "2 literals" in repr(counter)
    assert counter.lits == [] and counter.rhs == []


def test_solver_names() -> None:
    theirs, ours = modules("solvers")
    names = {name: value for name, value in vars(theirs.SolverNames).items() if not name.startswith("_")}
    known = {name: value for name, value in vars(ours.SolverNames).items() if not name.startswith("_")}
    assert names == known


def test_propagate_leaves_out_what_is_always_true() -> None:
    theirs, ours = modules("solvers")
    rng, conflicts = random.Random(7), 0
    for _ in range(300):
        given = [[rng.choice((-1, 1)) * var for var in rng.sample(range(1, 9), rng.randint(1, 3))] for _ in range(6)]
        assumed = [rng.choice((-1, 1)) * var for var in rng.sample(range(1, 9), rng.randint(0, 3))]
        with theirs.Solver("m22", bootstrap_with=given) as other, ours.Solver("m22", bootstrap_with=given) as own:
            (expected, wanted), (agrees, lits) = other.propagate(assumed), own.propagate(assumed)
        assert agrees == expected
        if agrees:
            assert sorted(lits) == sorted(wanted)
        else:
            conflicts += 1
    assert 50 < conflicts < 250


def test_projected_models() -> None:
    theirs, ours = modules("solvers")
    given = [[1, 2, 3], [-1, -2], [3, 4]]
    for projection in ([], [4, 1], [3]):
        with theirs.Solver(bootstrap_with=given) as other, ours.Solver(bootstrap_with=given) as own:
            wanted = sorted(other.enum_models(projection=projection, assumptions=[-2]))
            assert sorted(own.enum_models(projection=projection, assumptions=[-2])) == wanted and wanted
    for projection in ([0], [-1], [1, 1], [5]):
        for module in (theirs, ours):
            solver = module.Solver(bootstrap_with=given)
            with pytest.raises(ValueError):
                list(solver.enum_models(projection=projection))
            assert solver.solve()


def test_mixed_use() -> None:
    from pysat.solvers import Solver

    made = CardEnc.atmost(range(1, 9), 3)
    with Solver("g4", bootstrap_with=made) as other:
        assert other.solve([1, 2, 3]) and not other.solve([1, 2, 3, 4])
    from pysat.formula import Atom

    assert not cnfkit.Solver(Atom("x") ^ (Atom("y") ^ Atom("z")) ^ Atom("x") ^ (Atom("y") ^ Atom("z"))).solve()
    assert cnfkit.Solver(made).solve([1, 2, 3]) and not cnfkit.Solver(made).solve([1, 2, 3, 4])
