"""The names and signatures of PySAT, with cnfkit behind them.

>>> from cnfkit.pysat import CardEnc, EncType
>>> CardEnc.atmost(lits=[1, 2, 3], bound=1, encoding=EncType.pairwise).clauses
[[-1, -2], [-1, -3], [-2, -3]]

PySAT numbers encodings of counts and of sums of weights each in its own way: ``EncType`` is the class of
``pysat.card``; that of ``pysat.pb`` is ``PBEncType`` here, and ``EncType`` in ``cnfkit.pysat.pb``. Where PySAT is
installed, formulas and pools (``CNF``, ``WCNF``, ``Atom``, ``IDPool``, …) are its own. All names of ``solvers`` are
one solver, cnfkit's.
"""

from typing import TYPE_CHECKING

from cnfkit.pysat.card import CardEnc, EncType, ISeqCounter, ITotalizer, NoSuchEncodingError, UnsupportedBound
from cnfkit.pysat.formula import __getattr__ as __getattr__
from cnfkit.pysat.pb import EncType as PBEncType
from cnfkit.pysat.pb import PBEnc
from cnfkit.pysat.solvers import NoSuchSolverError, Solver, SolverNames

if TYPE_CHECKING:
    from cnfkit.pysat.formula import CNF, WCNF, CNFPlus, IDPool

__all__ = [
    "CNF",
    "CNFPlus",
    "CardEnc",
    "EncType",
    "IDPool",
    "ISeqCounter",
    "ITotalizer",
    "NoSuchEncodingError",
    "NoSuchSolverError",
    "PBEnc",
    "PBEncType",
    "Solver",
    "SolverNames",
    "UnsupportedBound",
    "WCNF",
]
