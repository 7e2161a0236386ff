"""A solver for CPMpy: ``register()``, then ``model.solve(solver="cnfkit")``.

Nested expressions go to a ``cnfkit.Model`` as they are; global constraints that it lacks are decomposed by CPMpy.
Objectives, all (optimal) solutions, assumptions with minimal cores, and time limits work.
"""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy
from cpmpy.expressions.core import BoolVal
from cpmpy.expressions.utils import get_bounds, is_boolexpr, is_int
from cpmpy.expressions.variables import NegBoolView, _BoolVarImpl, _IntVarImpl, intvar
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface, SolverStatus
from cpmpy.solvers.utils import SolverLookup
from cpmpy.transformations.decompose_global import decompose_in_tree
from cpmpy.transformations.get_variables import get_variables
from cpmpy.transformations.negation import push_down_negation
from cpmpy.transformations.normalize import toplevel_list
from cpmpy.transformations.safening import no_partial_functions, safen_objective

import cnfkit
from cnfkit import Constraint, IntExpr, Model

_COMPARE: dict[str, Callable[[Any, Any], Constraint]] = {
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
_FUNCTIONS = {"mul": "times", "div": "div", "mod": "mod", "pow": "pow", "abs": "abs", "min": "min", "max": "max"}
_ORDERS = {
    "increasing": "<=",
    "decreasing": ">=",
    "strictly_increasing": "<",
    "strictly_decreasing": ">",
}


def _flat(array: Any) -> list[Any]:
    return list(numpy.array(array, dtype=object).flatten())


def _are_naturals(*arrays: Any) -> bool:
    return all(is_int(one) and one >= 0 for array in arrays for one in _flat(array))


class CPM_cnfkit(SolverInterface):  # type: ignore[misc]
    """CPMpy's interface to ``cnfkit.Model``, which is its attribute ``model``."""

    supported_global_constraints: frozenset[str] = frozenset(
        ["alldifferent", "alldifferent_except_0", "alldifferent_except_n", "allequal", "among", "circuit", "count"]
        + ["cumulative", "cumulative_optional", "element", "gcc", "indomain", "inverse", "lex_less", "lex_lesseq", "negative_table"]
        + ["no_overlap", "no_overlap_optional", "nvalue", "regular", "table", *_FUNCTIONS, *_ORDERS]
    )
    supported_reified_global_constraints = supported_global_constraints

    @staticmethod
    def supported() -> bool:
        """True: this module is part of the solver."""
        return True

    @staticmethod
    def version() -> str | None:
        """The version of cnfkit."""
        try:
            return version("cnfkit")
        except PackageNotFoundError:
            return None

    def __init__(self, cpm_model: Any = None, subsolver: str | None = None) -> None:
        assert subsolver is None, "cnfkit has no subsolvers"
        self.model: Model = Model()
        self.objective_value_: Any = None
        self.cpm_status: Any = None
        self._objective: Any = None
        self._minimises = True
        self._core: list[Any] = []
        super().__init__(name="cnfkit", cpm_model=cpm_model)

    @property
    def native_model(self) -> Model:
        """The model itself."""
        return self.model

    def solver_var(self, cpm_var: Any) -> Any:
        """The variable of the model, or the number."""
        if is_int(cpm_var):
            return int(cpm_var)
        if isinstance(cpm_var, NegBoolView):
            return ~self.solver_var(cpm_var._bv)
        if cpm_var.name not in self._varmap:
            is_bool = isinstance(cpm_var, _BoolVarImpl)
            new = self.model.bool() if is_bool else self.model.int(cpm_var.lb, cpm_var.ub, name=cpm_var.name)
            self._varmap[cpm_var.name] = new
        return self._varmap[cpm_var.name]

    def transform(self, cpm_expr: Any) -> list[Any]:
        """Constraints with total functions and no global constraint that models lack."""
        # A decomposition may drop what it was given, and with it that a divisor is not 0.
        total = no_partial_functions(toplevel_list(cpm_expr), safen_toplevel=frozenset({"div", "mod"}))
        constraints = push_down_negation(total)
        supported = self.supported_global_constraints
        return list(
            decompose_in_tree(constraints, supported=supported, supported_reified=supported, csemap=self._csemap)
        )

    def add(self, cpm_expr: Any) -> CPM_cnfkit:
        """Posts constraints."""
        get_variables(cpm_expr, collect=self.user_vars)
        for constraint in self.transform(cpm_expr):
            self.model.post(self._truth(constraint))
        return self

    __add__ = add

    def objective(self, expr: Any, minimize: bool) -> None:
        """Sets the objective."""
        get_variables(expr, collect=self.user_vars)
        expr, safe = safen_objective(expr)
        low, high = get_bounds(expr)
        value = intvar(int(low), int(high))
        for constraint in self.transform([*safe, value == expr]):
            self.model.post(self._truth(constraint))
        self._objective, self._minimises = self.solver_var(value), minimize

    def has_objective(self) -> bool:
        """True if there is an objective."""
        return self._objective is not None

    # Expressions

    def _numbers(self, array: Any) -> list[Any]:
        return [self._number(one) for one in _flat(array)]

    def _new(self, expr: Any) -> IntExpr:
        low, high = get_bounds(expr)
        return self.model.int(int(low), int(high))

    def _variables(self, array: Any) -> list[IntExpr]:
        """Variables, new ones for what is none."""
        found = []
        for one in _flat(array):
            if isinstance(one, _IntVarImpl) and not isinstance(one, _BoolVarImpl):
                found.append(self.solver_var(one))
            else:
                new = self._new(one)
                self.model.post(new == self._number(one))
                found.append(new)
        return found

    def _number(self, expr: Any) -> Any:
        """An operand of a sum."""
        if is_int(expr) or isinstance(expr, (_IntVarImpl, _BoolVarImpl)):
            return self.solver_var(expr)
        if is_boolexpr(expr):
            return self.model.reify(self._truth(expr))
        name, args = expr.name, expr.args
        if name == "sum":
            return cnfkit.weighted_sum(self._numbers(args))
        if name == "wsum":
            return cnfkit.weighted_sum(self._numbers(args[1]), [int(weight) for weight in args[0]])
        if name == "sub":
            return self._number(args[0]) - self._number(args[1])
        if name == "-":
            return -self._number(args[0])
        if name == "mul" and any(is_int(arg) for arg in args):
            return self._number(args[0]) * self._number(args[1])
        if name == "among" or (name == "count" and is_int(args[1])):
            return cnfkit.count(self._variables(args[0]), [int(value) for value in _flat(args[1])])
        if name == "count":
            value = self._number(args[1])
            return cnfkit.weighted_sum(self.model.reify(one == value) for one in self._variables(args[0]))
        if name == "nvalue":
            variables = self._variables(args)
            lows, highs = get_bounds(_flat(args))
            values = range(int(min(lows)), int(max(highs)) + 1)
            return cnfkit.weighted_sum(self.model.reify(cnfkit.count(variables, [value]) >= 1) for value in values)
        result = self._new(expr)
        if name == "element":
            self.model.post(cnfkit.element(self._numbers(args[0]), self._number(args[1]), result))
        elif name in _FUNCTIONS:
            self.model.post(cnfkit.function(_FUNCTIONS[name], *self._numbers(args), result))
        else:
            raise NotImplementedError(f"cnfkit knows no expression {expr}")
        return result

    def _truth(self, expr: Any) -> Any:
        """A constraint, or a bool."""
        if isinstance(expr, (bool, numpy.bool_)):
            return bool(expr)
        if isinstance(expr, BoolVal):
            return bool(expr.args[0])
        if isinstance(expr, _BoolVarImpl):
            return self.solver_var(expr)
        name, args = expr.name, expr.args
        if name in ("and", "or"):
            join = cnfkit.all_of if name == "and" else cnfkit.any_of
            return join(self._truth(arg) for arg in args)
        if name == "not":
            return cnfkit.all_of([self._truth(args[0])]).iff(False)
        if name == "->":
            return cnfkit.all_of([self._truth(args[0])]).implies(self._truth(args[1]))
        if name in _COMPARE:
            left, right = args
            if name in ("==", "!=") and is_boolexpr(left) and is_boolexpr(right):
                one, other = cnfkit.all_of([self._truth(left)]), self._truth(right)
                return one.iff(other) if name == "==" else one ^ other
            return _COMPARE[name](self._number(left) + 0, self._number(right))
        return self._global(expr, name, args)

    def _global(self, expr: Any, name: str, args: Any) -> Any:
        if name == "alldifferent":
            return cnfkit.all_different(self._numbers(args))
        if name in ("alldifferent_except_0", "alldifferent_except_n"):
            values = [int(value) for value in _flat(args[1])] if len(args) == 2 else [0]
            return cnfkit.all_different(self._numbers(args[0]), except_values=values)
        if name == "allequal":
            return cnfkit.all_equal(self._numbers(args))
        if name == "circuit":
            return cnfkit.circuit(self._numbers(args))
        if name == "inverse":
            return cnfkit.inverse(self._numbers(args[0]), self._numbers(args[1]))
        if name in ("lex_less", "lex_lesseq"):
            return cnfkit.lex(self._numbers(args[0]), self._numbers(args[1]), strict=name == "lex_less")
        if name in ("table", "negative_table"):
            rows = [[int(value) for value in row] for row in args[1]]
            return cnfkit.table(self._numbers(args[0]), rows, negative=name != "table")
        if name == "indomain":
            return cnfkit.table([self._number(args[0])], [[int(value)] for value in _flat(args[1])])
        if name == "regular":
            word, transitions, start, accepting = args
            at = expr.node_map
            steps = [(at[one], int(value), at[other]) for one, value, other in transitions]
            return cnfkit.automaton(self._numbers(word), len(at), at[start], [at[one] for one in accepting], steps)
        if name in _ORDERS:
            numbers, compare = self._numbers(args), _COMPARE[_ORDERS[name]]
            return cnfkit.all_of(compare(one + 0, other) for one, other in zip(numbers, numbers[1:]))
        if name == "gcc":
            variables, values, counts = args
            variables, values = self._variables(variables), [int(value) for value in _flat(values)]
            parts = [cnfkit.count(variables, [v]) == n for v, n in zip(values, self._numbers(counts))]
            if expr.closed:
                parts += [cnfkit.table([one], [[value] for value in values]) for one in variables]
            return cnfkit.all_of(parts)
        if name in ("cumulative", "cumulative_optional", "no_overlap", "no_overlap_optional"):
            runs = _flat(args[-1]) if name.endswith("optional") else None
            args = args if runs is None else args[:-1]
            tasks = list(args) if name.startswith("cumulative") else [*args, 1, 1]
            starts, durations, ends, demands, capacity = tasks if len(tasks) == 5 else [*tasks[:2], None, *tasks[2:]]
            if _are_naturals(durations, demands, capacity):
                numbers, n = self._numbers(starts), len(_flat(starts))
                times = [int(one) for one in _flat(durations)]
                each = [int(one) for one in _flat(demands)] * (n if is_int(demands) else 1)
                present = None if runs is None else self._numbers(runs)
                if name.startswith("no_overlap"):
                    rule = cnfkit.disjunctive(numbers, times, present)
                else:
                    demands = each if present is None else [one * run for one, run in zip(each, present)]
                    rule = cnfkit.cumulative(numbers, times, demands, int(capacity))
                late = [] if ends is None else self._numbers(ends)
                fits = [s + t == end for s, t, end in zip(numbers, times, late)]
                if present is not None:
                    fits = [cnfkit.any_of([run == 0, fit]) for run, fit in zip(present, fits)]
                return cnfkit.all_of([rule, *fits])
        parts, defining = expr.decompose()
        self.add(defining)
        return cnfkit.all_of(self._truth(part) for part in self.transform(parts))

    # Questions

    def _take(self, solution: Any) -> None:
        """Gives the variables their values, or none."""
        for var in self.user_vars:
            var._value = None if solution is None else solution[self.solver_var(var)]

    def solve(
        self,
        time_limit: float | None = None,
        assumptions: Iterable[Any] | None = None,
        proof: str | os.PathLike[str] | None = None,
    ) -> bool:
        """Solves, for the best value if there is an objective; assumptions hold for this question only.

        They are Boolean variables or their negations. ``proof`` is a folder to be made, for what the answer says there
        is not: a solution, or one better than the optimum. VeriPB 3.0 checks its ``proof.pbp`` against its
        ``formula.opb``, the model in clauses, with a better value demanded where there is an optimum. Any solution is
        proof enough of itself: then no folder is made. The answer is there before its proof, and a proof that the time
        does not suffice for is a TimeoutError.
        """
        if time_limit is not None and time_limit <= 0:
            raise ValueError("Time limit must be positive")
        self.solver_vars(list(self.user_vars))
        model, assumed = self.model, [] if assumptions is None else list(assumptions)
        literals = self.solver_vars(assumed)
        if assumed:
            # With all variables: later ones are not the copy's.
            model = copy.copy(model)
            for at, literal in enumerate(literals):
                model.post(literal, group=str(at))
        self.cpm_status, self.objective_value_, self._core = SolverStatus(self.name), None, []
        begin, solution, exit_status = time.monotonic(), None, ExitStatus.UNSATISFIABLE
        deadline = None if time_limit is None else begin + time_limit

        def left() -> float | None:
            return None if deadline is None else max(0.0, deadline - time.monotonic())

        try:
            if self.has_objective():
                search = model.minimise if self._minimises else model.maximise
                best = search(self._objective, time_limit=time_limit)
                if best is not None:
                    solution, self.objective_value_ = best.solution, best.value
                    exit_status = ExitStatus.OPTIMAL if best.is_optimal else ExitStatus.FEASIBLE
            else:
                solution = model.solve(time_limit=time_limit)
                exit_status = ExitStatus.UNSATISFIABLE if solution is None else ExitStatus.FEASIBLE
            if solution is None and assumed:
                self._core = [assumed[int(at)] for at in model.unsat_core(time_limit=left()) or ()]
        except TimeoutError:
            exit_status = ExitStatus.UNKNOWN
        self.cpm_status.exitstatus, self.cpm_status.solve_time = exit_status, time.monotonic() - begin
        self._take(solution)
        if proof is not None and exit_status in (ExitStatus.UNSATISFIABLE, ExitStatus.OPTIMAL):
            self._prove(model, proof, left())
        return solution is not None

    def _prove(self, model: Model, folder: str | os.PathLike[str], time_limit: float | None) -> None:
        """Proves that there is no solution, or none that is better."""
        if self.objective_value_ is not None:
            model, best = copy.copy(model), self.objective_value_
            model.post(self._objective < best if self._minimises else self._objective > best)
        # As text it has no groups of literals, which encodings use, and whose clauses have no proofs.
        formula = cnfkit.Formula.read_opb(model.formula().write_opb() or "")
        assert formula.solve_certified(folder, time_limit=time_limit) is None

    def get_core(self) -> list[Any]:
        """A minimal set of the last question's assumptions that contradict the model."""
        assert self.cpm_status.exitstatus == ExitStatus.UNSATISFIABLE, "a core is that of a model without solutions"
        return self._core

    def solveAll(
        self,
        display: Any = None,
        time_limit: float | None = None,
        solution_limit: int | None = None,
        call_from_model: bool = False,
    ) -> int:
        """Finds all solutions, the best ones if there is an objective, and returns their number."""
        begin, model = time.monotonic(), self.model
        own = self.solver_vars(list(self.user_vars))
        if self.has_objective():
            if not self.solve(time_limit=time_limit):
                return 0
            model = copy.copy(model)
            model.post(self._objective == self.objective_value_)
        left = None if time_limit is None else max(0.0, time_limit - (time.monotonic() - begin))
        count, is_over, last = 0, True, None
        try:
            for last in model.solutions(of=own, time_limit=left):
                self._take(last)
                self.print_display(display)
                count += 1
                if count == solution_limit:
                    is_over = False
                    break
        except TimeoutError:
            is_over = False
        self.cpm_status = SolverStatus(self.name)
        none = ExitStatus.UNSATISFIABLE if is_over else ExitStatus.UNKNOWN
        some = ExitStatus.OPTIMAL if is_over else ExitStatus.FEASIBLE
        self.cpm_status.exitstatus = some if count else none
        self.cpm_status.solve_time = time.monotonic() - begin
        self._take(last)
        return count


def register() -> None:
    """Makes CPMpy know the solver ``"cnfkit"``. Calling it again does no harm."""
    before = SolverLookup.base_solvers
    if all(name != "cnfkit" for name, _ in before()):
        SolverLookup.base_solvers = classmethod(lambda cls: [*before(), ("cnfkit", CPM_cnfkit)])
