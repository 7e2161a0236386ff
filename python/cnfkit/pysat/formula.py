"""``pysat.formula``: pools of variables, and formulas, PySAT's where it is installed, else of ``cnf`` and ``gates``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cnfkit.pysat.cnf import CNF, WCNF, CNFPlus, WCNFPlus
    from cnfkit.pysat.gates import ITE, PYSAT_FALSE, PYSAT_TRUE, And, Atom, Equals, Formula, FormulaError, FormulaType
    from cnfkit.pysat.gates import Implies, Neg, Or, XOr

__all__ = [
    "And",
    "Atom",
    "CNF",
    "CNFPlus",
    "Equals",
    "Formula",
    "FormulaError",
    "FormulaType",
    "IDPool",
    "ITE",
    "Implies",
    "Neg",
    "Or",
    "PYSAT_FALSE",
    "PYSAT_TRUE",
    "WCNF",
    "WCNFPlus",
    "XOr",
]


class Pool(Protocol):
    """A pool of variables: ours, or PySAT's."""

    top: int

    def id(self, obj: Any = None) -> int:
        """The variable of an object, or a new one."""
        ...


@lru_cache(maxsize=None)
def __getattr__(name: str) -> Any:
    """A class of formulas. PySAT takes a while to import: it waits for the first one."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module("pysat.formula")
    except ImportError:
        module = import_module("cnfkit.pysat." + ("cnf" if "CNF" in name else "gates"))
    return getattr(module, name)


def cnf_plus(clauses: list[list[int]], nv: int, atmosts: Sequence[Any] = ()) -> Any:
    """A CNFPlus of these clauses and native constraints."""
    formula = __getattr__("CNFPlus")()
    formula.clauses, formula.nv, formula.atmosts = clauses, nv, list(atmosts)
    return formula


def above(vpool: Pool | None, top_id: int | None) -> int | None:
    """The variable above which all are free: of the pool, and not below ``top_id``."""
    if vpool is None:
        return None if top_id is None or top_id < 1 else top_id
    return max([top_id or 0, vpool.top, *(high for _, high in _occupied(vpool))])


def _occupied(vpool: Pool) -> list[list[int]]:
    return list(getattr(vpool, "_occupied", ()))


def into_pool(clauses: list[list[int]], top: int, nv: int, vpool: Pool) -> int:
    """Takes the auxiliaries, the variables above ``top``, out of the pool; they change where the pool has others.

    Returns the highest variable.
    """
    occupied = _occupied(vpool)
    # A pool hands out no variable that is in use, and none of a range that one in use is in.
    vpool.top = max([top, *(high for low, high in occupied if low <= top)])
    if vpool.top == top and not any(low <= nv and high > top for low, high in occupied):
        vpool.top = max(top, nv)
        return nv
    new = {var: vpool.id() for var in range(top + 1, nv + 1)}
    for clause in clauses:
        clause[:] = [lit if abs(lit) <= top else new[lit] if lit > 0 else -new[-lit] for lit in clause]
    return max(vpool.top, top)


class IDPool:
    """Variables for objects, from ``start_from`` on, none of them in an ``occupied`` interval.

    With ``with_neg``, the negation of an object has the negated variable.

    >>> pool = IDPool(occupied=[[12, 18], [3, 10]])
    >>> [pool.id(f"v{i}") for i in range(5)]
    [1, 2, 11, 19, 20]
    >>> pool.obj(19)
    'v3'
    """

    top: int

    def __init__(
        self, start_from: int = 1, occupied: Iterable[Sequence[int]] = (), with_neg: bool = False
    ) -> None:
        self.restart(start_from, occupied, with_neg)

    def restart(self, start_from: int = 1, occupied: Iterable[Sequence[int]] = (), with_neg: bool = False) -> None:
        """Begins anew."""
        self.top = start_from - 1
        self.with_neg = with_neg
        self.obj2id: dict[Hashable, int] = {}
        self.id2obj: dict[int, Any] = {}
        self._occupied: list[list[int]] = sorted([low, high] for low, high in occupied)

    def _next(self) -> int:
        self.top += 1
        while self._occupied and self._occupied[0][0] <= self.top:
            self.top = max(self.top, self._occupied.pop(0)[1] + 1)
        return self.top

    def id(self, obj: Any = None) -> int:
        """The variable of an object, a new one if it has none, or a new one of no object."""
        if obj is None:
            return self._next()
        if obj not in self.obj2id:
            var = self._next()
            self.obj2id[obj], self.id2obj[var] = var, obj
            if self.with_neg and hasattr(obj, "__neg__"):
                self.obj2id[-obj], self.id2obj[-var] = -var, -obj
        return self.obj2id[obj]

    def obj(self, vid: int) -> Any:
        """The object of a variable, or None."""
        return self.id2obj.get(vid)

    def occupy(self, start: int, stop: int) -> None:
        """Keeps the variables from ``start`` to ``stop`` for others."""
        if stop >= start:
            self._occupied = sorted([*self._occupied, [start, stop]])

    def __repr__(self) -> str:
        return f"IDPool(start_from={self.top + 1}, occupied={self._occupied})"
