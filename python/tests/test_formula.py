"""Formulas: constraints, questions, texts, pickles."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cnfkit
from common import allowed, assignments, models, veripb


@st.composite
def constraints(draw: st.DrawFn) -> dict[str, object]:
    n = draw(st.integers(1, 6))
    literal = st.integers(-n, n).filter(bool)
    lits = draw(st.lists(literal, max_size=7))
    weighted = draw(st.booleans())
    return {
        "n": n,
        "lits": lits,
        "weights": draw(st.lists(st.integers(-6, 9), min_size=len(lits), max_size=len(lits))) if weighted else None,
        "side": draw(st.sampled_from(["at_most", "at_least", "exactly"])),
        "k": draw(st.integers(-4, 25)) if weighted else draw(st.integers(0, 8)),
        "when": draw(st.lists(literal, max_size=2)),
        "iff": draw(st.none() | literal),
        "encoding": draw(st.sampled_from(cnfkit.encodings()["weights" if weighted else "cardinality"])),
    }


def holds(said: dict[str, object], true: set[int]) -> bool:
    lits, weights = said["lits"], said["weights"]
    assert isinstance(lits, list)
    value = sum(w for lit, w in zip(lits, weights or [1] * len(lits)) if lit in true)  # type: ignore[call-overload]
    k = said["k"]
    assert isinstance(k, int)
    is_met = {"at_most": value <= k, "at_least": value >= k, "exactly": value == k}[str(said["side"])]
    if said["iff"] is not None:
        is_met = is_met == (said["iff"] in true)
    return is_met or not set(said["when"]) <= true  # type: ignore[call-overload]


@settings(max_examples=300, deadline=None)
@given(constraints())
def test_constraints_mean_what_they_say(said: dict[str, object]) -> None:
    n = said["n"]
    assert isinstance(n, int)
    right = allowed(n, lambda true: holds(said, true))
    keywords = {key: said[key] for key in ("weights", "when", "iff", "encoding")}

    encoding, one = str(said["encoding"]), said["k"] == 1 and said["side"] != "at_least"
    if one and said["iff"] is None and said["weights"] is None and encoding not in ("auto", "smallest"):
        keywords["encoding"] = f"card:{encoding}"
    formula = cnfkit.Formula(n)
    getattr(formula, str(said["side"]))(said["lits"], said["k"], **keywords)
    assert {tuple(model[:n]) for model in formula.solutions()} == right
    assert pickle.loads(pickle.dumps(formula)).count() == formula.count()

    bound = {str(said["side"]): said["k"]}
    clauses = cnfkit.encode(said["lits"], top_id=n, **bound, **keywords)  # type: ignore[arg-type]
    assert models(clauses.to_lists(), n) == right


def test_copies_keep_auxiliaries_apart() -> None:
    formula = cnfkit.Formula(5)
    formula.parity([1, 2, 3, 4, 5])
    formula.between([1, 2, 3, 4, 5], 2, 3, iff=1)
    for again in [copy.copy(formula), pickle.loads(pickle.dumps(formula))]:
        assert again.count() == formula.count()
        for variable in range(6, again.n_vars + 1):
            with pytest.raises(ValueError, match="auxiliary"):
                again.add_clause([variable])
        again.add_clause([again.new_lit()])
        assert again.count() == formula.count()


def test_array_and_lists_are_the_same_clauses() -> None:
    clauses = cnfkit.encode(range(1, 101), at_most=30)
    array, lists = clauses.to_numpy(), clauses.to_lists()
    assert array.dtype == numpy.int32 and array.flags.writeable
    assert array.tolist() == [number for clause in lists for number in (*clause, 0)]
    assert len(clauses) == len(lists) and clauses.n_lits == sum(map(len, lists)) and lists == list(clauses)
    assert clauses.n_vars == numpy.abs(array).max()
    again = pickle.loads(pickle.dumps(clauses))
    assert again.to_lists() == lists and again.n_vars == clauses.n_vars


def test_size_is_known_before_encoding() -> None:
    formula = cnfkit.Formula(50)
    formula.at_most(range(1, 51), 20)
    clauses = formula.encode()
    assert formula.size() == (clauses.n_vars - 50, len(clauses), clauses.n_lits)


def test_optima_cores_and_backbones() -> None:
    formula = cnfkit.Formula()
    x = formula.new_lits(5)
    formula.at_least(x, 3)
    formula.objective = [(x[i], (i + 1) ** 2) for i in range(5)]
    seen: list[int] = []
    best = formula.minimise(on_improvement=lambda model, value, low, high: seen.append(value))
    assert best is not None and best.value == 1 + 4 + 9 == best.lower_bound and best.is_optimal
    assert seen == sorted(seen, reverse=True) and seen[-1] == best.value
    most = formula.maximise()
    assert most is not None and most.value == 55
    assert formula.backbone() == []
    core = formula.unsat_core([-x[0], -x[1], -x[2], -x[3]])
    assert core is not None and core.groups == [] and len(core.assumptions) == 3
    assert formula.solve([-x[0], -x[1], -x[2]]) is None
    with formula.group("none"):
        formula.add_clauses([[-lit] for lit in x])
    assert formula.unsat_core() == (["none"], []) and formula.minimise() is None and formula.backbone() is None
    with pytest.raises(TypeError, match="named groups"):
        pickle.dumps(formula)  # the copy would have none


def test_symmetries() -> None:
    formula = cnfkit.Formula(12)
    x = list(range(1, 13))
    formula.at_least(x, 5)
    formula.objective = [(lit, 1) for lit in x]
    # Of literals that are alike the first are true.
    first = x[:5] + [-lit for lit in x[5:]]
    best = formula.minimise(break_symmetries=True)
    assert best is not None and (best.model, best.value) == (first, 5)
    model = formula.solve(break_symmetries=True)
    assert model is not None and model[:5] == x[:5] and len(model) == 12
    with pytest.raises(ValueError, match="assumptions"):
        formula.solve([-1], break_symmetries=True)


def test_texts(tmp_path: Path) -> None:
    formula = cnfkit.Formula()
    rain, sun = formula.new_lit("rain"), formula.new_lit("sun")
    formula.at_most([rain, sun, 3, 4], 2)
    formula.add_soft_clause([rain, sun], 3)
    for kind in ("dimacs", "knf", "opb", "wcnf"):
        text = getattr(formula, f"write_{kind}")()
        path = tmp_path / f"formula.{kind}"
        assert getattr(formula, f"write_{kind}")(path) is None
        assert path.read_text(encoding="utf-8") == text
        read = getattr(cnfkit.Formula, f"read_{kind}")
        assert read(text).names() == read(text.encode()).names() == read(path).names() == {1: "rain", 2: "sun"}
    assert copy.deepcopy(formula).count() == copy.copy(formula).count() == formula.count()
    with pytest.raises(FileNotFoundError):
        cnfkit.Formula.read_opb(tmp_path / "none")
    with pytest.raises(cnfkit.ReadError, match="line 2, column 3") as caught:
        cnfkit.Formula.read_dimacs("p cnf 2 1\n1 y 0\n")
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_copies() -> None:
    formula = cnfkit.Formula()
    formula.at_most(formula.new_lits(3), 1)
    for make in (copy.copy, copy.deepcopy):
        other = make(formula)
        other.add_clause([1])
        assert other is not formula and (formula.count(), other.count()) == (4, 1)
        with formula.group("open"):
            assert make(formula).unsat_core([1, 2]) == ([], [1, 2])


def test_certificates(tmp_path: Path) -> None:
    formula = cnfkit.Formula()
    formula.at_most(range(1, 10), 3)
    clauses = formula.certify(tmp_path / "clauses")
    assert len(clauses) > 0
    assert {path.name for path in (tmp_path / "clauses").iterdir()} == {"formula.opb", "proof.pbp", "clauses.opb"}
    veripb(tmp_path / "clauses", "s VERIFIED")
    formula.set_objective(range(1, 10), [-1] * 9)
    best = formula.minimise_certified(tmp_path / "best")
    assert best is not None and best[1] == -3
    veripb(tmp_path / "best", "s VERIFIED BOUNDS -3 <= obj <= -3")
    values: list[int] = []
    proven = formula.minimise(proof=tmp_path / "proven", on_improvement=lambda _model, value, *_bounds: values.append(value))
    assert proven is not None and proven.is_optimal and proven.value == values[-1] == -3
    veripb(tmp_path / "proven", "s VERIFIED BOUNDS -3 <= obj <= -3")
    worst = formula.maximise(proof=tmp_path / "worst")
    assert worst is not None and worst.value == worst.lower_bound == worst.upper_bound == 0
    veripb(tmp_path / "worst", "s VERIFIED BOUNDS 0 <= obj <= 0")
    with pytest.raises(ValueError, match="break_symmetries"):
        formula.minimise(proof=tmp_path / "broken", break_symmetries=True)
    formula.at_least(range(1, 10), 4)
    assert formula.solve_certified(tmp_path / "none") is None
    assert "conclusion UNSAT" in (tmp_path / "none" / "proof.pbp").read_text(encoding="utf-8")
    veripb(tmp_path / "none", "s VERIFIED UNSATISFIABLE")
    with pytest.raises(FileExistsError):
        formula.solve_certified(tmp_path / "none")
    with pytest.raises(ValueError, match="no proof for constraint 0"):
        other = cnfkit.Formula()
        other.at_most(range(1, 91), 4_000, weights=range(3, 183, 2), encoding="mixed-radix-sorter")
        other.certify(tmp_path / "digits")


def test_proofs_at_a_limit(tmp_path: Path) -> None:
    """Seventeen pigeons in sixteen holes, or one literal for each pigeon that has none: the best is hard to prove."""
    formula = cnfkit.Formula()
    holes = [formula.new_lits(16) for _ in range(17)]
    homeless = formula.new_lits(17)
    for pigeon, lit in zip(holes, homeless, strict=True):
        formula.add_clause([*pigeon, lit])
    for hole in range(16):
        for one in range(17):
            for other in range(one):
                formula.add_clause([-holes[one][hole], -holes[other][hole]])
    formula.set_objective(homeless, [1] * 17)
    best = formula.minimise(proof=tmp_path / "stopped", time_limit=1)
    assert best is not None and not best.is_optimal and best.lower_bound < best.value
    veripb(tmp_path / "stopped", f"s VERIFIED BOUNDS {best.lower_bound} <= obj <= {best.value}")


def test_several_objectives() -> None:
    """Of three machines at least one: by cost and by noise, and what is wrong with an objective."""
    formula = cnfkit.Formula(3)
    formula.add_clause([1, 2, 3])
    cost, noise = [(1, 2), (2, 5), (3, 9)], [(1, 8), (2, 7), (3, 1)]
    front = list(formula.pareto(cost, noise))
    assert [values for _, values in front] == [(2, 8), (5, 7), (9, 1)]
    assert [model for model, _ in front] == [[1, -2, -3], [-1, 2, -3], [-1, -2, 3]]
    best = formula.lexicographic([[(1, 1)], cost, noise])
    assert best == ([-1, 2, -3], [0, 5, 7], 3, True)
    assert formula.lexicographic([]) is not None
    formula.add_clause([-1])
    formula.add_clause([-2])
    formula.add_clause([-3])
    assert formula.lexicographic([cost]) is None and list(formula.pareto(cost, noise)) == []
    with pytest.raises(ValueError, match="variable 4"):
        formula.lexicographic([[(4, 1)]])
    with pytest.raises(ValueError, match="variable 4"):
        formula.pareto(cost, [(4, 1)])
    with pytest.raises(TypeError):
        formula.lexicographic([1])  # type: ignore[list-item]


def test_hints() -> None:
    """The first model has the hinted literals, but for those that contradict a clause."""
    formula = cnfkit.Formula(30)
    for var in range(1, 30):
        formula.add_clause([var, var + 1])
    formula.set_objective(range(1, 31), [1] * 30)
    hint = [var if var % 2 == 0 else -var for var in range(1, 31)]
    values: list[int] = []
    best = formula.minimise(hint=hint, on_improvement=lambda _model, value, *_bounds: values.append(value))
    assert best is not None and best.value == 15 and values[0] == 15
    best = formula.minimise(hint=[-1, -2, *hint[2:]])
    assert best is not None and best.value == 15
    with pytest.raises(ValueError, match="31"):
        formula.minimise(hint=[31])


def test_puzzles() -> None:
    puzzle = cnfkit.Sudoku("1...\n..3.\n...4\n.2..")
    solution = puzzle.solve()
    assert solution is not None and solution[0, 0] == 1 and [puzzle.count(), puzzle.is_unique()] == [1, True]
    assert list(puzzle.solutions()) == [solution] == [pickle.loads(pickle.dumps(solution))]
    assert solution == cnfkit.Sudoku(solution.rows()) == eval(repr(solution), {"Sudoku": cnfkit.Sudoku})
    assert puzzle._repr_svg_().startswith("<svg") and puzzle.encode().n_vars == 64
    with pytest.raises(cnfkit.ReadError) as caught:
        cnfkit.Sudoku("1...\n..x.\n...4\n....")
    assert caught.value.line == 2
    with pytest.raises(ValueError, match="row 1"):
        cnfkit.Sudoku([[5, 0, 0, 0]] + [[0] * 4] * 3).solve()
    assert cnfkit.Sudoku([[1, 1, 0, 0]] + [[0] * 4] * 3).solve() is None
    made = cnfkit.Sudoku.generate(9, seed=3)
    assert made is not None and made.is_unique()

    board = cnfkit.GemHunter("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _", traps=4)
    found = board.solve()
    assert found is not None and sum(row.count("T") for row in found.rows()) == 4
    assert board == pickle.loads(pickle.dumps(board)) == cnfkit.GemHunter(board.rows(), traps=4)
    assert board == eval(repr(board), {"GemHunter": cnfkit.GemHunter}) and board._repr_svg_().startswith("<svg")
    kinds = board.deduce()
    assert kinds is not None and kinds[0][:3] == ["number", "trap", "number"]
    assert cnfkit.GemHunter("1, _\n3, _").explain() == [(1, 0)]
    assert cnfkit.GemHunter.generate(6, 7, seed=1, time_limit=60.0).count(limit=2) >= 1
    assert cnfkit.GemHunter([["_"] * 63]).count() == 2**63
    with pytest.raises(OverflowError, match="limit"):
        cnfkit.GemHunter([["_"] * 8] * 8).count()
    assert cnfkit.GemHunter([["_"] * 8] * 8).count(2**62) == 2**62
    with pytest.raises(TypeError, match="limit"):
        cnfkit.GemHunter([["_"]]).count(limit=True)
    with pytest.raises(ValueError, match="limit"):
        cnfkit.Formula(2).count(-1)


def test_expressions() -> None:
    meanings: dict[str, Callable[[bool, bool, bool], bool]] = {
        "(a -> b) & !c": lambda a, b, c: (not a or b) and not c,
        "a ^ 2 <-> c": lambda a, b, c: (a != b) == c,
        "ite(a, b, not 3)": lambda a, b, c: b if a else not c,
    }
    for text, test in meanings.items():
        formula = cnfkit.Formula()
        for name in "abc":
            formula.new_lit(name)
        formula.require(text)
        other = cnfkit.Formula()
        for name in "abc":
            other.new_lit(name)
        made = other.literal(text)
        for some in assignments(3):
            expected = test(*(lit > 0 for lit in some))
            assert (formula.solve(some) is not None) == expected
            model = other.solve(some)
            assert model is not None and (made in model) == expected
    formula = cnfkit.Formula(2)
    for wrong in ("1 & 3", "1 &", "0", "1 2", "", "x", "-1"):
        with pytest.raises(ValueError, match="column"):
            formula.require(wrong)
        with pytest.raises(ValueError, match="column"):
            formula.literal(wrong)
    assert formula.n_vars == 2 and formula.n_clauses == 0


def test_for_counting() -> None:
    formula = cnfkit.Formula()
    formula.at_most(range(1, 9), 3, when=9)
    exact = formula.for_counting()
    assert exact.encode().n_vars > 9
    assert cnfkit.Formula.read_dimacs(exact.write_dimacs() or "").count() == formula.count() == exact.count()


def test_rows_of_no_literals_are_rows() -> None:
    formula = cnfkit.Formula(2)
    formula.at_least_many(numpy.zeros((2, 0), int), [0, 0])
    assert formula.count() == 4
    formula.at_least_many(numpy.zeros((2, 0), int), [0, 1])
    assert formula.count() == 0
    assert cnfkit.encode_many(numpy.zeros((2, 0), int), at_least=1).to_lists() == [[], []]
    assert cnfkit.encode_many(numpy.zeros((0, 3), int), at_least=1).to_lists() == []


def test_auxiliaries_are_no_variables_of_the_caller() -> None:
    formula = cnfkit.Formula(4)
    formula.require("1 | 2 & 3 | 2 & 4")
    taken = formula.n_vars
    assert taken > 4
    both = formula.literal("1 & 3 & (2 | 4)")
    wrong: list[Callable[[], None]] = [
        lambda: formula.add_clause([1, taken]),
        lambda: formula.at_most([1, -taken, 3], 1),
        lambda: formula.at_most([1, 2, 3], 1, iff=taken),
        lambda: formula.parity([1, 2], when=taken),
        lambda: formula.at_least_many([[1, 2], [3, taken]], 1),
        lambda: formula.set_objective([1, taken], [2, 3]),
        lambda: formula.add_soft_clause([taken], 3),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match=f"variable {taken} is an auxiliary of an earlier constraint"):
            call()
    own = formula.new_lit()
    formula.add_clause([-both, own])
    assert formula.solve([both, -own]) is None
    assert formula.solve([1, 2, 3, -own]) is None
    model = formula.solve([1, -3, -own])
    assert model is not None and model[0] == 1 and model[2] == -3

    formula = cnfkit.Formula()
    formula.add_clause([-1, -2, -3])
    formula.add_soft_clause([1, 2], 3)
    formula.add_soft_clause([-2, 3], 3)
    with pytest.raises(ValueError, match="variable 4 is an auxiliary"):
        formula.add_clause([4, 1])


@pytest.mark.parametrize("kind", [cnfkit.Formula, cnfkit.Solver])
@pytest.mark.parametrize("weights", [None, [5, -4, 9, 3]])
def test_between(kind: type[cnfkit.Formula] | type[cnfkit.Solver], weights: list[int] | None) -> None:
    values = [1] * 4 if weights is None else weights
    bounds = [(0, 2), (1, 3), (2, 2), (3, 1)] if weights is None else [(-4, 3), (0, 8), (5, 5), (9, 4)]
    for least, most in bounds:
        asked = kind()
        asked.between([1, 2, 3, 4], least, most, weights=weights, when=5, iff=6)
        asked.between([-1, 2, 3, 4], 1, 3, when=[5, 6])
        for signs in range(64):
            given = [var if signs >> (var - 1) & 1 else -var for var in range(1, 7)]
            total = sum(value for lit, value in zip(given, values) if lit > 0)
            inside = least <= total <= most
            others = sum(lit > 0 for lit in given[1:4]) + (given[0] < 0)
            holds = given[4] < 0 or ((given[5] > 0) == inside and (given[5] < 0 or 1 <= others <= 3))
            answer = asked.solve(given)
            assert (answer is not None and answer is not False) == holds, (least, most, given)
    with pytest.raises(ValueError, match="a bound on a number of literals is 0 or more"):
        kind().between([1, 2], -1, 1)
