"""The names and signatures of PySAT's encodings, with cnfkit behind them.

>>> from cnfkit.pysat import CardEnc, EncType
>>> CardEnc.atmost(lits=[1, 2, 3], bound=1, encoding=EncType.pairwise).clauses
[[-1, -2], [-1, -3], [-2, -3]]

PySAT numbers encodings of counts and of sums of weights each in its own way: ``EncType`` is the class of
``pysat.card``; that of ``pysat.pb`` is ``PBEncType`` here, and ``EncType`` in ``cnfkit.pysat.pb``. Where PySAT is
installed, results are its ``CNFPlus`` and ``CNF``.
"""

from cnfkit.pysat.card import CardEnc, EncType, ITotalizer, NoSuchEncodingError, UnsupportedBound
from cnfkit.pysat.formula import IDPool
from cnfkit.pysat.pb import EncType as PBEncType
from cnfkit.pysat.pb import PBEnc

__all__ = [
    "CardEnc",
    "EncType",
    "IDPool",
    "ITotalizer",
    "NoSuchEncodingError",
    "PBEnc",
    "PBEncType",
    "UnsupportedBound",
]
