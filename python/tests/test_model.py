"""Models against trying every assignment."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cnfkit

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(-4, 4), min_size=3, max_size=3),
    st.sampled_from(sorted(COMPARE)),
    st.integers(-12, 12),
    st.integers(0, 3),
)
def test_sums_and_logic(factors: list[int], name: str, bound: int, shape: int) -> None:
    compare, (a, b, c) = COMPARE[name], factors
    model = cnfkit.Model()
    x, y, z = model.ints(3, -1, 3)
    first, second = compare(a * x - (-b) * y + c * z, bound), x < 2 - z
    model.post([first & second, first | ~second, first ^ second, first.implies(second)][shape])

    def holds(x: int, y: int, z: int) -> bool:
        one, other = bool(compare(a * x + b * y + c * z, bound)), x < 2 - z
        return [one and other, one or not other, one != other, not one or other][shape]

    right = {v for v in product(range(-1, 4), repeat=3) if holds(*v)}
    found = [(s[x], s[y], s[z]) for s in model.solutions()]
    assert set(found) == right and len(found) == len(right) == model.count()


def cycle(v: tuple[int, ...], *, sub: bool) -> bool:
    if sorted(v) != list(range(len(v))):
        return False
    inside = [i for i in range(len(v)) if v[i] != i] if sub else list(range(len(v)))
    if not inside:
        return True
    at, steps = v[inside[0]], 1
    while at != inside[0]:
        at, steps = v[at], steps + 1
    return steps == len(inside)


def loads(v: tuple[int, ...], durations: list[int], demands: list[int]) -> int:
    return max(
        sum(d for s, n, d in zip(v, durations, demands) if s <= t < s + n) for t in range(max(v) + max(durations))
    )


RULES: dict[str, tuple[Callable[[list[cnfkit.IntExpr]], cnfkit.Constraint], Callable[[tuple[int, ...]], bool]]] = {
    "all_different": (cnfkit.all_different, lambda v: len(set(v)) == 4),
    "except": (
        lambda x: cnfkit.all_different(x, except_values=[0]),
        lambda v: len({i for i in v if i}) == len([i for i in v if i]),
    ),
    "all_equal": (cnfkit.all_equal, lambda v: len(set(v)) == 1),
    "any_of": (lambda x: cnfkit.any_of([x[0] == 1, x[1] > x[2]]), lambda v: v[0] == 1 or v[1] > v[2]),
    "all_of": (lambda x: cnfkit.all_of([x[0] == 1, True]), lambda v: v[0] == 1),
    "circuit": (cnfkit.circuit, lambda v: cycle(v, sub=False)),
    "subcircuit": (lambda x: cnfkit.circuit(x, sub=True), lambda v: cycle(v, sub=True)),
    "count": (lambda x: cnfkit.count(x, [1, 3]) == 2, lambda v: sum(i in (1, 3) for i in v) == 2),
    "cardinality": (
        lambda x: cnfkit.global_cardinality(x, {0: x[0], 2: 1}),
        lambda v: v.count(0) == v[0] and v.count(2) == 1,
    ),
    "cumulative": (
        lambda x: cnfkit.cumulative(x, [1, 2, 2, 1], [1, 2, 1, 1], 3),
        lambda v: loads(v, [1, 2, 2, 1], [1, 2, 1, 1]) <= 3,
    ),
    "disjunctive": (
        lambda x: cnfkit.disjunctive(x[:3], [1, 2, 1]),
        lambda v: loads(v[:3], [1, 2, 1], [1, 1, 1]) <= 1,
    ),
    "element": (lambda x: cnfkit.element([3, x[3], 1], x[0], x[1]), lambda v: v[0] < 3 and (3, v[3], 1)[v[0]] == v[1]),
    "inverse": (
        lambda x: cnfkit.inverse(x[:2], x[2:]),
        lambda v: max(v) < 2 and all((v[i] == j) == (v[2 + j] == i) for i in (0, 1) for j in (0, 1)),
    ),
    "lex": (lambda x: cnfkit.lex(x[:2], x[2:]), lambda v: v[:2] <= v[2:]),
    "lex_strict": (lambda x: cnfkit.lex(x[:2], x[2:], strict=True), lambda v: v[:2] < v[2:]),
    "table": (lambda x: cnfkit.table(x[:2], [[0, 1], [3, 3]]), lambda v: v[:2] in ((0, 1), (3, 3))),
    "negative": (lambda x: cnfkit.table(x[:2], [[0, 1]], negative=True), lambda v: v[:2] != (0, 1)),
    "automaton": (
        lambda x: cnfkit.automaton(x, 2, 0, [1], [(0, 0, 0), (0, 1, 1), (1, 2, 1)]),
        lambda v: v in ((0, 0, 0, 1), (0, 0, 1, 2), (0, 1, 2, 2), (1, 2, 2, 2)),
    ),
    "abs": (lambda x: cnfkit.function("abs", x[0] - 2, x[1]), lambda v: abs(v[0] - 2) == v[1]),
    "times": (lambda x: cnfkit.function("times", *x[:3]), lambda v: v[0] * v[1] == v[2]),
    "div": (lambda x: cnfkit.function("div", *x[:3]), lambda v: v[1] > 0 and v[0] // v[1] == v[2]),
    "mod": (lambda x: cnfkit.function("mod", *x[:3]), lambda v: v[1] > 0 and v[0] % v[1] == v[2]),
    "pow": (lambda x: cnfkit.function("pow", *x[:3]), lambda v: v[0] ** v[1] == v[2]),
    "max": (lambda x: cnfkit.function("max", *x), lambda v: max(v[:3]) == v[3]),
    "min": (lambda x: cnfkit.function("min", *x), lambda v: min(v[:3]) == v[3]),
}


@pytest.mark.parametrize("name", RULES)
def test_rules(name: str) -> None:
    make, holds = RULES[name]
    model = cnfkit.Model()
    x = model.ints(4, range(4))
    # A constraint may be used again.
    rule = make(x)
    model.post(rule, rule | rule)
    right = {v for v in product(range(4), repeat=4) if holds(v)}
    assert {tuple(solution[x]) for solution in model.solutions()} == right
    assert 0 < len(right) < 4**4


def test_questions() -> None:
    model = cnfkit.Model()
    x = model.ints(3, 1, 9)
    b = model.bool()
    model.post(x[0] + x[1] == x[2], b.iff(x[0] > 5), group="sums")
    seen: list[int] = []
    best = model.maximise(x[0] - 2 * x[1] + 3 * b, on_improvement=lambda solution, value: seen.append(value))
    assert best is not None and best.value == 8 - 2 + 3 == best.bound == seen[-1] and best.is_optimal
    assert best.solution[x] == [8, 1, 9] and best.solution[b] is True and best.solution[x[0] + 1] == 9
    least = model.minimise(x[2])
    assert least is not None and least.value == 2
    assert model.formula().solve() is not None
    model.post(x[2] < 2, group="small")
    assert model.unsat_core() == ["sums", "small"] or model.unsat_core() == ["small", "sums"]
    assert model.solve() is None and model.minimise(x[0]) is None and model.count() == 0
    assert repr(model) == "<Model of 4 variables>"


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_copies(make: Callable[[cnfkit.Model], cnfkit.Model]) -> None:
    model = cnfkit.Model()
    x = model.int(1, 5)
    before = model.solve()
    other = make(model)
    later, others, third = model.int(0, 1), other.int(7, 9), make(other)
    # What was made before is in both, as a value and in sums with what came later.
    model.post(x + later == 4)
    other.post(x + others == 11, copy.deepcopy(x) == x)
    assert (model.count(), other.count(), third.count()) == (2, 3, 15)
    found = other.solve()
    assert found is not None and found[x] + found[others] == 11 and found[x + others] == 11
    # What was made later is not.
    assert before is not None
    calls: list[Callable[[], object]] = [
        lambda: other.post(later == 1),
        lambda: model.post(others == 7),
        lambda: later + others,
        lambda: model.maximise(others),
        lambda: found[later],
        lambda: before[later],
        lambda: before[others],
        lambda: third.post(other.bool()),
        lambda: model.solutions(of=[others]),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="model|values of 1"):
            call()
    third.post(others == 9, x == 1)
    assert third.count() == 1 and model.count() == 2
    # A list of a model and its variables is copied as one.
    (same, y) = copy.deepcopy((model, x))
    same.post(y == 4)
    assert same.count() == 1 and model.count() == 2
