"""``pysat.solvers``: every name is cnfkit's ``Solver``, BatSat, a descendant of MiniSat.

Constraints of ``Solver`` in ``cnfkit``, such as ``at_most``, are here, too. What only some solvers of PySAT have, such
as propagators, is a NotImplementedError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import process_time
from typing import Any

import cnfkit

__all__ = [
    "Cadical103",
    "Cadical153",
    "Cadical195",
    "Cadical300",
    "CryptoMinisat",
    "Ergo",
    "Gluecard3",
    "Gluecard4",
    "Glucose3",
    "Glucose4",
    "Glucose42",
    "Kissat404",
    "Lingeling",
    "MapleCM",
    "MapleChrono",
    "Maplesat",
    "Mergesat3",
    "Minicard",
    "Minisat22",
    "MinisatEP",
    "MinisatGH",
    "NoSuchSolverError",
    "Solver",
    "SolverNames",
]

# PySAT has Ergo on some platforms only.
ergo_present = True


class NoSuchSolverError(Exception):
    """A solver that there is not."""


class SolverNames:
    """The names of solvers by PySAT. All stand for one solver here."""

    cadical103: tuple[str, ...] = ("cd", "cd103", "cdl", "cdl103", "cadical103")
    cadical153: tuple[str, ...] = ("cd15", "cd153", "cdl15", "cdl153", "cadical153")
    cadical195: tuple[str, ...] = ("cd19", "cd195", "cdl19", "cdl195", "cadical195")
    cadical300: tuple[str, ...] = ("cd30", "cd300", "cdl30", "cdl300", "cadical300")
    cryptosat: tuple[str, ...] = ("cms", "cms5", "crypto", "crypto5", "cryptominisat", "cryptominisat5")
    ergo: tuple[str, ...] = ("ergo",)
    gluecard3: tuple[str, ...] = ("gc3", "gc30", "gluecard3", "gluecard30")
    gluecard4: tuple[str, ...] = ("gc4", "gc41", "gluecard4", "gluecard41")
    glucose3: tuple[str, ...] = ("g3", "g30", "glucose3", "glucose30")
    glucose4: tuple[str, ...] = ("g4", "g41", "glucose4", "glucose41")
    glucose42: tuple[str, ...] = ("g42", "g421", "glucose42", "glucose421")
    kissat404: tuple[str, ...] = ("ks", "ks4", "kissat", "kissat4", "kissat404")
    lingeling: tuple[str, ...] = ("lgl", "lingeling")
    maplechrono: tuple[str, ...] = ("mcb", "chrono", "chronobt", "maplechrono")
    maplecm: tuple[str, ...] = ("mcm", "maplecm")
    maplesat: tuple[str, ...] = ("mpl", "maple", "maplesat")
    mergesat3: tuple[str, ...] = ("mg3", "mgs3", "mergesat3", "mergesat30")
    minicard: tuple[str, ...] = ("mc", "mcard", "minicard")
    minisat22: tuple[str, ...] = ("m22", "msat22", "minisat22")
    minisatgh: tuple[str, ...] = ("mgh", "msat-gh", "minisat-gh")
    minisatep: tuple[str, ...] = ("mep", "msat-ep", "minisat-ep", "minisatep")


_KNOWN = {name for names in vars(SolverNames).values() if isinstance(names, tuple) for name in names}  # pyright: ignore


class Solver(cnfkit.Solver):
    """A solver that is asked again and again.

    >>> with Solver(name="g4", bootstrap_with=[[-1, 2], [-2, 3]]) as solver:
    ...     print(solver.solve(assumptions=[1, -3]), solver.get_core())
    ...     print(solver.solve(assumptions=[1]), solver.get_model())
    False [1, -3]
    True [1, 2, 3]
    """

    def __new__(cls, name: str = "m22", bootstrap_with: Any = None, use_timer: bool = False, **kwargs: Any) -> Solver:
        return super().__new__(cls, bootstrap_with)

    def __init__(self, name: str = "m22", bootstrap_with: Any = None, use_timer: bool = False, **kwargs: Any) -> None:
        if name.lower() not in _KNOWN:
            raise NoSuchSolverError(name)
        self._uses_timer = use_timer
        self._last_time = self._total_time = 0.0

    def _timed(self, ask: Callable[[], Any]) -> Any:
        begun = process_time()
        try:
            return ask()
        finally:
            self._last_time = process_time() - begun
            self._total_time += self._last_time

    def solve(self, assumptions: Iterable[int] = (), **limits: Any) -> bool:  # type: ignore[override]
        """True if there is a model in which the assumptions hold."""
        if not self._uses_timer:
            return super().solve(assumptions, **limits)
        return bool(self._timed(lambda: cnfkit.Solver.solve(self, assumptions, **limits)))

    def solve_limited(  # type: ignore[override]
        self, assumptions: Iterable[int] = (), expect_interrupt: bool = False, **limits: Any
    ) -> bool | None:
        """As ``solve``, or None if the budget of conflicts is used up, or it was interrupted."""
        answer = self._timed(lambda: cnfkit.Solver.solve_limited(self, assumptions, expect_interrupt, **limits))
        return None if answer is None else bool(answer)

    def propagate(  # type: ignore[override]
        self, assumptions: Iterable[int] = (), phase_saving: int = 0
    ) -> tuple[bool, list[int]]:
        """Whether unit propagation of the assumptions finds no conflict, and what follows from them; as in PySAT,
        literals that are true without them are left out."""
        agrees, lits = super().propagate(assumptions, phase_saving)
        always = set(super().propagate()[1])
        return agrees, [lit for lit in lits if lit not in always]

    def enum_models(  # type: ignore[override]
        self, assumptions: Iterable[int] = (), projection: Iterable[int] = ()
    ) -> Iterator[list[int]]:
        """The models in which the assumptions hold, each blocked by a clause; or what they are on ``projection``."""
        assumptions, variables = list(assumptions), list(projection)
        if len(set(variables)) < len(variables) or any(variable <= 0 for variable in variables):
            raise ValueError("projection: distinct positive variables are allowed")
        while self.solve(assumptions):
            model = self.get_model() or []
            if variables:
                if max(variables) > len(model):
                    raise ValueError(f"projection: the variable {max(variables)} is beyond the model's {len(model)}")
                model = [model[variable - 1] for variable in variables]
            self.add_clause([-lit for lit in model])
            yield model

    def get_core(self) -> list[int] | None:
        """The assumptions that contradict each other; None if the clauses contradict themselves."""
        return super().get_core() or None

    def add_clause(  # type: ignore[override]
        self, clause: Iterable[int], no_return: bool = True, **conditions: Any
    ) -> bool | None:
        """One of the literals is true. Without ``no_return``, whether unit propagation finds no contradiction."""
        super().add_clause(clause, **conditions)
        return None if no_return else self.propagate()[0]

    def append_formula(self, formula: Any, no_return: bool = True) -> bool | None:  # type: ignore[override]
        """Adds clauses, or a formula with its native constraints."""
        super().append_formula(formula)
        return None if no_return else self.propagate()[0]

    def add_atmost(
        self, lits: Iterable[int], k: int, weights: Sequence[int] = (), no_return: bool = True
    ) -> bool | None:
        """At most ``k`` of the literals are true, or of their weights together."""
        self.at_most(lits, k, weights=weights or None)
        return None if no_return else self.propagate()[0]

    def add_xor_clause(self, lits: Iterable[int], value: bool = True) -> None:
        """An odd number of the literals are true, or an even one."""
        self.parity(lits, odd=value)

    def supports_atmost(self) -> bool:
        """True: they become clauses."""
        return True

    def get_proof(self) -> list[str] | None:
        """None: ``Formula.solve_certified`` writes proofs."""
        return None

    def time(self) -> float | None:
        """The seconds of CPU time of the last question."""
        return self._last_time if self._uses_timer else None

    def time_accum(self) -> float | None:
        """The seconds of CPU time of all questions."""
        return self._total_time if self._uses_timer else None

    def start_mode(self, warm: bool = False) -> None:
        """Nothing: the solver starts each question with what it has learnt."""

    def activate_atmost(self) -> None:
        """Nothing: at-most constraints need no activation."""


def _refuse(name: str) -> Callable[..., Any]:
    def method(self: Solver, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{name}: BatSat cannot do that")

    method.__name__, method.__doc__ = name, "A NotImplementedError, as of most solvers of PySAT."
    return method


for _name in (
    "apply_jw",
    "attach_vpool",
    "configure",
    "connect_propagator",
    "dec_budget",
    "disable_propagator",
    "disconnect_propagator",
    "enable_propagator",
    "flip_bits",
    "get_activities",
    "ignore",
    "is_decision",
    "observe",
    "prop_budget",
    "propagator_active",
    "reset_observed",
    "set_activities",
    "sync_vars",
    "sync_vpool",
):
    setattr(Solver, _name, _refuse(_name))


class _Named(Solver):
    """A solver of PySAT by its class."""

    def __new__(cls, bootstrap_with: Any = None, use_timer: bool = False, **kwargs: Any) -> _Named:
        return cnfkit.Solver.__new__(cls, bootstrap_with)

    def __init__(self, bootstrap_with: Any = None, use_timer: bool = False, **kwargs: Any) -> None:
        super().__init__(use_timer=use_timer)


class Cadical103(_Named):
    """See ``Solver``."""


class Cadical153(_Named):
    """See ``Solver``."""


class Cadical195(_Named):
    """See ``Solver``."""


class Cadical300(_Named):
    """See ``Solver``."""


class CryptoMinisat(_Named):
    """See ``Solver``."""


class Ergo(_Named):
    """See ``Solver``."""


class Gluecard3(_Named):
    """See ``Solver``."""


class Gluecard4(_Named):
    """See ``Solver``."""


class Glucose3(_Named):
    """See ``Solver``."""


class Glucose4(_Named):
    """See ``Solver``."""


class Glucose42(_Named):
    """See ``Solver``."""


class Kissat404(_Named):
    """See ``Solver``."""


class Lingeling(_Named):
    """See ``Solver``."""


class MapleCM(_Named):
    """See ``Solver``."""


class MapleChrono(_Named):
    """See ``Solver``."""


class Maplesat(_Named):
    """See ``Solver``."""


class Mergesat3(_Named):
    """See ``Solver``."""


class Minicard(_Named):
    """See ``Solver``."""


class Minisat22(_Named):
    """See ``Solver``."""


class MinisatEP(_Named):
    """See ``Solver``."""


class MinisatGH(_Named):
    """See ``Solver``."""
