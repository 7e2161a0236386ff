"""``pysat.pb``: sums of weights. No other package is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from warnings import warn

from cnfkit._cnfkit import encode
from cnfkit.pysat.card import CardEnc, NoSuchEncodingError, finish, top_of
from cnfkit.pysat.formula import Pool, cnf_plus
from cnfkit.pysat.formula import __getattr__ as __getattr__

if TYPE_CHECKING:
    from cnfkit.pysat.formula import CNFPlus

__all__ = ["CNFPlus", "CardEnc", "EncType", "NoSuchEncodingError", "PBEnc"]


class EncType:
    """Encodings of sums of weights, with PySAT's numbers."""

    best = 0
    bdd = 1
    seqcounter = 2
    sortnetwrk = 3
    adder = 4
    binmerge = 5
    native = 6
    watchdog = 7
    totalizer = 8
    mixedradix = 9


_NAMES = {
    EncType.best: "auto",
    EncType.bdd: "interval-diagram",
    EncType.seqcounter: "sequential-weight-counter",
    EncType.sortnetwrk: "mixed-radix-sorter",
    EncType.adder: "binary-adder",
    EncType.binmerge: "global-watchdog",
    EncType.watchdog: "global-watchdog",
    EncType.totalizer: "generalized-totalizer",
    EncType.mixedradix: "mixed-radix-sorter",
}
# Sums of fewer weights are within the budget of every encoding.
_LONG = 30


class PBEnc:
    """Bounds on sums of weights as ``CNFPlus``. Literals are ints beside ``weights``, or pairs with their weights."""

    @classmethod
    def _encode(
        cls,
        side: str,
        lits: Iterable[Any],
        weights: Iterable[int] | None,
        bound: int,
        top_id: int | None,
        vpool: Pool | None,
        encoding: int,
        conditionals: Sequence[int] | None,
    ) -> Any:
        if encoding not in _NAMES and encoding != EncType.native:
            raise NoSuchEncodingError(encoding)
        if bound < 0:
            raise ValueError(f"Wrong bound: {bound}")
        if encoding == EncType.binmerge:
            warn("EncType.binmerge is the global watchdog here: EncType.watchdog", stacklevel=3)
        lits, when = list(lits), list(conditionals or ())
        top_id = top_of(top_id, vpool)
        if not lits:
            return cnf_plus([], 0)
        if weights is not None:
            weights = list(weights)
        elif all(isinstance(lit, (list, tuple)) and len(lit) == 2 for lit in lits):  # pyright: ignore
            lits, weights = [lit for lit, _ in lits], [weight for _, weight in lits]
        else:
            weights = [1] * len(lits)
        assert len(lits) == len(weights), "Same number of literals and weights is expected."
        if encoding == EncType.native:
            total, negated = sum(weights) - bound, [-lit for lit in lits]
            both = {"at_most": [(lits, bound, weights)], "at_least": [(negated, total, weights)]}
            atmosts = both.get(side, both["at_most"] + both["at_least"])
            return cnf_plus([], max([top_id or 0, *map(abs, lits), *map(abs, when)]), atmosts)
        bounds: dict[str, Any] = {side: bound}
        encoded = encode(lits, weights=weights, when=when, encoding=_NAMES[encoding], top_id=top_id, **bounds)
        if encoding not in (EncType.best, EncType.adder) and len(lits) >= _LONG:
            adder = encode(lits, weights=weights, when=when, encoding="binary-adder", top_id=top_id, **bounds)
            if (len(adder), adder.n_lits, adder.n_vars) == (len(encoded), encoded.n_lits, encoded.n_vars):
                warn(f"{_NAMES[encoding]} is too large here: the sum is a binary adder", stacklevel=3)
        return finish(encoded, [*lits, *when], top_id, vpool)

    @classmethod
    def leq(
        cls,
        lits: Iterable[Any],
        weights: Iterable[int] | None = None,
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int = EncType.best,
        conditionals: Sequence[int] | None = None,
    ) -> Any:
        """The weights of the true literals sum up to at most ``bound``, if all of ``conditionals`` are true.

        >>> PBEnc.leq(lits=[1, 2, 3], weights=[1, 1, 3], bound=4).clauses
        [[-1, -2, -3]]
        """
        return cls._encode("at_most", lits, weights, bound, top_id, vpool, encoding, conditionals)

    @classmethod
    def geq(
        cls,
        lits: Iterable[Any],
        weights: Iterable[int] | None = None,
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int = EncType.best,
        conditionals: Sequence[int] | None = None,
    ) -> Any:
        """The weights of the true literals sum up to at least ``bound``, if all of ``conditionals`` are true."""
        return cls._encode("at_least", lits, weights, bound, top_id, vpool, encoding, conditionals)

    @classmethod
    def equals(
        cls,
        lits: Iterable[Any],
        weights: Iterable[int] | None = None,
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int = EncType.best,
        conditionals: Sequence[int] | None = None,
    ) -> Any:
        """The weights of the true literals sum up to ``bound``, if all of ``conditionals`` are true."""
        return cls._encode("exactly", lits, weights, bound, top_id, vpool, encoding, conditionals)

    atmost = leq
    atleast = geq
