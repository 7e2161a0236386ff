"""``pysat.formula``: pools of variables, and formulas, PySAT's where it is installed, else of ``cnf`` and ``gates``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from cnfkit.pysat.cnf import CNF, WCNF, CNFPlus, WCNFPlus
    from cnfkit.pysat.gates import ITE, PYSAT_FALSE, PYSAT_TRUE, And, Atom, Equals, Formula, FormulaError, FormulaType
    from cnfkit.pysat.gates import IDPool, Implies, Neg, Or, XOr

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
    """A class of formulas, or of pools. PySAT takes a while to import: it waits for the first one."""
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
