"""Long questions: limits, signals, callbacks, other threads."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable
from functools import lru_cache

import pytest

import cnfkit
from common import pigeons

# Within these seconds a question ends after Ctrl-C, or after its time.
PROMISED = 0.1


class Stopwatch:
    """Seconds of a machine that others use, too, which are longer by the share of a CPU that this process gets."""

    def __init__(self) -> None:
        self.begun, self.used = time.monotonic(), time.process_time()

    def share(self) -> float:
        """The share so far; questions keep a CPU busy all the time."""
        return min(1.0, max(0.02, (time.process_time() - self.used) / (time.monotonic() - self.begun)))


def model() -> cnfkit.Model:
    model = cnfkit.Model()
    x = model.ints(14, 1, 13)
    model.post(*(x[i] != x[j] for i in range(14) for j in range(i)))
    return model


QUESTIONS: dict[str, Callable[[float | None], object]] = {
    "solve": lambda limit: pigeons(14).solve(time_limit=limit),
    "assuming": lambda limit: pigeons(14).solve([1], time_limit=limit),
    "count": lambda limit: cnfkit.Formula(40).count(time_limit=limit),
    "solutions": lambda limit: sum(1 for _ in pigeons(14).solutions(time_limit=limit)),
    "backbone": lambda limit: pigeons(14).backbone(time_limit=limit),
    "unsat_core": lambda limit: pigeons(14).unsat_core(time_limit=limit),
    "minimise": lambda limit: pigeons(14).minimise(time_limit=limit),
    "solver": lambda limit: cnfkit.Solver(pigeons(14)).solve([1], time_limit=limit),
    "symmetries": lambda limit: pigeons(40).solve(break_symmetries=True, time_limit=limit),
    "model": lambda limit: model().count(time_limit=limit),
    "sudokus": lambda limit: cnfkit.Sudoku([[0] * 9] * 9).count(time_limit=limit),
    "making a sudoku": lambda limit: cnfkit.Sudoku.generate(25, minimal=True, time_limit=limit),
}


@pytest.fixture(autouse=True)
def ctrl_c_is_heeded() -> None:
    """A shell starts what runs in its background with Ctrl-C ignored, and Python leaves that as it is."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("name", QUESTIONS)
def test_time_limit(name: str) -> None:
    watch = Stopwatch()
    with pytest.raises(TimeoutError):
        QUESTIONS[name](0.2)
    assert time.monotonic() - watch.begun < 0.2 + PROMISED / watch.share()


@pytest.mark.parametrize("name", QUESTIONS)
def test_ctrl_c(name: str) -> None:
    raised: list[float] = []
    watch = Stopwatch()

    def interrupt() -> None:
        raised.extend([watch.share(), time.monotonic()])
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        QUESTIONS[name](None)
    share, at = raised
    assert time.monotonic() - at < PROMISED / share


@lru_cache(maxsize=None)
def counts() -> cnfkit.Formula:
    """20 bounds on 2,000 literals: two million clauses."""
    formula = cnfkit.Formula(3000)
    for at in range(20):
        formula.at_most(range(10 * at + 1, 10 * at + 2001), 900, when=3000)
    return formula


@lru_cache(maxsize=None)
def encoded() -> cnfkit.Clauses:
    return counts().encode()


@lru_cache(maxsize=None)
def some() -> cnfkit.Clauses:
    return cnfkit.encode(range(1, 1001), at_most=300, encoding="sequential")


@lru_cache(maxsize=None)
def lists() -> list[list[int]]:
    return encoded().to_lists()


@lru_cache(maxsize=None)
def text() -> str:
    return encoded().write_dimacs() or ""


# What takes no limit, again and again until it is interrupted, and what it is prepared with.
WORK: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "detect": (lambda: pigeons(100), lambda: pigeons(100).detect()),
    "encode": (counts, lambda: counts().encode()),
    "encode_many": (list, lambda: cnfkit.encode_many([range(1, 2000)] * 50, at_most=500)),
    "size": (counts, lambda: counts().size()),
    "to_arrays": (counts, lambda: counts().to_arrays()),
    "to_numpy": (encoded, lambda: encoded().to_numpy()),
    "to_lists": (some, lambda: some().to_lists()),
    "write_dimacs": (counts, lambda: counts().write_dimacs()),
    "clauses as text": (encoded, lambda: encoded().write_dimacs()),
    "read_dimacs": (text, lambda: cnfkit.Formula.read_dimacs(text())),
    "add_clauses": (lists, lambda: cnfkit.Formula(3000).add_clauses(lists())),
    "append_formula": (lists, lambda: cnfkit.Solver(lists())),
    "solve_limited": (list, lambda: cnfkit.Solver(pigeons(14)).solve_limited()),
    "enum_models": (list, lambda: list(cnfkit.Solver([[40, 1]]).enum_models())),
    "a large board": (list, lambda: cnfkit.Sudoku([[0] * 36] * 36).encode()),
}


@pytest.mark.parametrize("name", WORK)
def test_ctrl_c_at_work(name: str) -> None:
    prepare, work = WORK[name]
    prepare()
    raised: list[float] = []
    watch = Stopwatch()

    def interrupt() -> None:
        raised.extend([watch.share(), time.monotonic()])
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.5, interrupt).start()
    gc.disable()  # a hook that hypothesis has at collections would swallow the interrupt
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                work()
    finally:
        gc.enable()
    share, at = raised
    assert time.monotonic() - at < PROMISED / share


def test_ctrl_c_while_encoding() -> None:
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        for _ in range(100):
            cnfkit.encode(range(1, 26), at_most=9, encoding="combinatorial")
    timer.join()


def test_other_threads_run() -> None:
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(TimeoutError):
        pigeons(14).solve(time_limit=0.5)
    stop.set()
    thread.join()
    assert len(ticks) > 20


def test_a_formula_in_use_cannot_be_changed() -> None:
    formula, errors = pigeons(14), []

    def change() -> None:
        time.sleep(0.1)
        try:
            formula.add_clause([1])
        except RuntimeError as error:
            errors.append(str(error))
        assert formula.n_vars == 14 * 13

    thread = threading.Thread(target=change)
    thread.start()
    with pytest.raises(TimeoutError):
        formula.solve(time_limit=0.4)
    thread.join()
    assert errors == ["Already borrowed"]
    formula.add_clause([1])


def test_callbacks() -> None:
    formula = cnfkit.Formula()
    x = formula.new_lits(300)
    formula.add_clauses([x[i], x[(i * 37 + 1) % 300], x[(i * 61 + 2) % 300]] for i in range(300))
    formula.set_objective(x, [i * 7 % 23 + 1 for i in range(300)])
    seen: list[cnfkit.Progress] = []
    best = formula.minimise(time_limit=0.8, on_progress=seen.append)
    assert best is not None and best.lower_bound <= best.value
    assert best.is_optimal or (seen[-1].value is not None and seen[-1].lower_bound is not None)

    with pytest.raises(LookupError, match="enough"):
        formula.minimise(on_improvement=fail)
    model = cnfkit.Model()
    y = model.ints(5, 0, 9)
    with pytest.raises(LookupError, match="enough"):
        model.maximise(cnfkit.weighted_sum(y), on_improvement=fail)


def fail(*_: object) -> None:
    raise LookupError("enough")


OnProgress = Callable[[cnfkit.Progress], object]
WATCHED: dict[str, Callable[[float | None, OnProgress], object]] = {
    "solve": lambda limit, show: pigeons(14).solve(time_limit=limit, on_progress=show),
    "assuming": lambda limit, show: pigeons(14).solve([1], time_limit=limit, on_progress=show),
    "count": lambda limit, show: pigeons(14).count(time_limit=limit, on_progress=show),
    "backbone": lambda limit, show: pigeons(14).backbone(time_limit=limit, on_progress=show),
    "unsat_core": lambda limit, show: pigeons(14).unsat_core(time_limit=limit, on_progress=show),
    "minimise": lambda limit, show: pigeons(14).minimise(time_limit=limit, on_progress=show),
    "model": lambda limit, show: model().solve(time_limit=limit, on_progress=show),
    "model_core": lambda limit, show: model().unsat_core(time_limit=limit, on_progress=show),
    "model_minimise": lambda limit, show: model().minimise(3, time_limit=limit, on_progress=show),
}


@pytest.mark.parametrize("name", WATCHED)
def test_progress(name: str) -> None:
    seen: list[cnfkit.Progress] = []
    with pytest.raises(TimeoutError):
        WATCHED[name](0.8, seen.append)
    assert 0 < seen[0].seconds < seen[-1].seconds < 1.0 and len(seen) < 10
    assert 0 < seen[0].conflicts < seen[-1].conflicts
    with pytest.raises(LookupError, match="enough"):
        WATCHED[name](None, fail)


def test_solutions_that_are_dropped_end() -> None:
    before = threading.active_count()
    solutions = cnfkit.Formula(30).solutions()
    assert len({tuple(next(solutions)) for _ in range(10)}) == 10
    del solutions
    assert threading.active_count() == before
