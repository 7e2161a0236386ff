"""``pysat.card``: cardinality constraints, and a totalizer that grows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from cnfkit._cnfkit import Counter, card_clauses, encode
from cnfkit.pysat.formula import Pool, above, cnf_plus, into_pool
from cnfkit.pysat.formula import __getattr__ as __getattr__

if TYPE_CHECKING:
    from cnfkit.pysat.formula import CNF, CNFPlus, IDPool

__all__ = [
    "CNF",
    "CNFPlus",
    "CardEnc",
    "EncType",
    "IDPool",
    "ISeqCounter",
    "ITotalizer",
    "NoSuchEncodingError",
    "UnsupportedBound",
]


class NoSuchEncodingError(Exception):
    """An encoding that there is not."""


class UnsupportedBound(Exception):
    """A bound that an encoding of at most one cannot express."""


class EncType:
    """Encodings of cardinality constraints, with PySAT's numbers."""

    pairwise = 0
    seqcounter = 1
    sortnetwrk = 2
    cardnetwrk = 3
    bitwise = 4
    ladder = 5
    totalizer = 6
    mtotalizer = 7
    kmtotalizer = 8
    native = 9


_NAMES = {
    EncType.pairwise: "pairwise",
    EncType.seqcounter: "sequential",
    EncType.sortnetwrk: "network",
    EncType.cardnetwrk: "cardinality-network",
    EncType.bitwise: "bitwise",
    EncType.ladder: "ladder",
    EncType.totalizer: "totalizer",
    EncType.mtotalizer: "modulo",
    EncType.kmtotalizer: "k-modulo",
}
_OF_ONE = (EncType.pairwise, EncType.bitwise, EncType.ladder)
_SIDES = ("at_most", "at_least", "exactly")
_OF_MORE = {encoding: name for encoding, name in _NAMES.items() if encoding not in _OF_ONE}


def finish(encoded: Any, inputs: Iterable[int], top_id: int | None, vpool: Pool | None) -> Any:
    """Encoded clauses as a CNFPlus, with auxiliaries out of the pool."""
    clauses, nv = encoded.to_lists(), encoded.n_vars
    if vpool is not None:
        nv = into_pool(clauses, max([top_id or 0, *map(abs, inputs)]), nv, vpool)
    return cnf_plus(clauses, nv)


def top_of(top_id: int | None, vpool: Pool | None) -> int | None:
    """The highest variable in use that is told; numbers below 1 are none."""
    assert not top_id or vpool is None, "Use either a top id or a pool of variables but not both."
    top_id = top_id if vpool is None else vpool.top
    return None if top_id is None or top_id < 1 else top_id


class CardEnc:
    """Cardinality constraints as ``CNFPlus``."""

    @classmethod
    def _encode(
        cls,
        side: str,
        lits: Iterable[int],
        bound: int,
        top_id: int | None,
        vpool: Pool | None,
        encoding: int,
        conditionals: Sequence[int] | None,
    ) -> Any:
        if vpool is None and not conditionals and encoding in _OF_MORE:
            top = None if top_id is None or top_id < 1 else top_id
            found = card_clauses(_SIDES.index(side), lits, bound, top, _OF_MORE[encoding])
            if found is not None:
                return cnf_plus(*found)
        if encoding not in _NAMES and encoding != EncType.native:
            raise NoSuchEncodingError(encoding)
        lits = list(lits)
        n, when = len(lits), list(conditionals or ())
        if (side != "at_least" and bound < 0) or (side != "at_most" and bound > n):
            raise ValueError(f"Wrong bound: {bound}")
        if encoding in _OF_ONE and 1 < bound < n - 1:
            raise UnsupportedBound(encoding, bound)
        top_id = top_of(top_id, vpool)
        if not lits:
            return cnf_plus([], 0)
        if encoding == EncType.native:
            if when:
                raise UnsupportedBound("a native constraint has no condition")
            atmosts: list[Any] = []
            if side != "at_most":
                atmosts.append(([-lit for lit in lits], n - bound))
            if side != "at_least":
                atmosts.append((lits, bound))
            return cnf_plus([], max([top_id or 0, *map(abs, lits)]), atmosts)
        inputs = lits
        if encoding in _OF_ONE and bound == n - 1 and bound != 1:
            # All but one: at most, at least or exactly one of the negations.
            lits, bound = [-lit for lit in lits], 1
            side = {"at_most": "at_least", "at_least": "at_most"}.get(side, side)
        # An encoding of at most one has no say where there is nothing to encode.
        has_say = encoding not in _OF_ONE or (bound == 1 and side != "at_least")
        bounds: dict[str, Any] = {side: max(bound, 0)}
        name = _NAMES[encoding] if has_say else "auto"
        encoded = encode(lits, when=when, encoding=name, top_id=top_id, **bounds)
        return finish(encoded, [*inputs, *when], top_id, vpool)

    @classmethod
    def atmost(
        cls,
        lits: Iterable[int],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int = EncType.seqcounter,
        conditionals: Sequence[int] | None = None,
    ) -> Any:
        """At most ``bound`` of the literals are true, if all of ``conditionals`` are.

        >>> CardEnc.atmost([1, 2, 3], bound=2).clauses
        [[-1, -2, -3]]
        """
        return cls._encode("at_most", lits, bound, top_id, vpool, encoding, conditionals)

    @classmethod
    def atleast(
        cls,
        lits: Iterable[int],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int = EncType.seqcounter,
        conditionals: Sequence[int] | None = None,
    ) -> Any:
        """At least ``bound`` of the literals are true, if all of ``conditionals`` are."""
        return cls._encode("at_least", lits, bound, top_id, vpool, encoding, conditionals)

    @classmethod
    def equals(
        cls,
        lits: Iterable[int],
        bound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
        encoding: int = EncType.seqcounter,
        conditionals: Sequence[int] | None = None,
    ) -> Any:
        """Exactly ``bound`` of the literals are true, if all of ``conditionals`` are."""
        return cls._encode("exactly", lits, bound, top_id, vpool, encoding, conditionals)


class ITotalizer:
    """A count as literals: ``rhs[k]`` is true if more than k of the literals are.

    With ``vpool``, new variables are out of that pool. It can be copied and pickled.

    >>> with ITotalizer(lits=[1, 2, 3], ubound=1) as t:
    ...     print(len(t.cnf.clauses), t.rhs)
    ...     t.increase(ubound=2)
    ...     print(t.nof_new, t.rhs)
    7 [6, 7]
    1 [6, 7, 8]
    """

    ubound: int
    top_id: int
    nof_new: int

    def __init__(
        self,
        lits: Iterable[int] = (),
        ubound: int = 1,
        top_id: int | None = None,
        vpool: Pool | None = None,
    ) -> None:
        self.vpool = vpool
        self._clear()
        lits = list(lits)
        if lits:
            self.new(lits, ubound, top_id)

    def _clear(self) -> None:
        self._counter: Counter | None = None
        # The calls of the counter: what a copy does again.
        self._calls: list[tuple[Any, ...]] = []
        self.lits: list[int] = []
        self.ubound = self.top_id = self.nof_new = 0
        self.cnf: Any = __getattr__("CNF")()
        self.rhs: list[int] = []

    def _call(self, method: str, *args: Any) -> None:
        if self._counter is None:
            self._counter = Counter([], 0, one_sided=True)
        getattr(self._counter, method)(*args)

    def _count(self, method: str, of: Any, top_id: int | None) -> None:
        top_id = above(self.vpool, top_id)
        self._calls.append((method, of, top_id))
        self._call(method, of, top_id)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_counter": None, "cnf": (list(self.cnf.clauses), self.cnf.nv)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.lits, self._calls = list(self.lits), list(self._calls)
        clauses, nv = state["cnf"]
        self.cnf = __getattr__("CNF")()
        self.cnf.clauses, self.cnf.nv = clauses, nv
        for call in self._calls:
            self._call(*call)
        if self._counter is not None:
            self._counter.take()

    def new(self, lits: Iterable[int] = (), ubound: int = 1, top_id: int | None = None) -> None:
        """Begins with these literals."""
        self._clear()
        self.lits, self.ubound = list(lits), ubound
        upto = self._upto()
        self._count("extend", list(self.lits), top_id)
        self._count("widen", upto, None)
        self._take()

    def _upto(self) -> int:
        if self.ubound < 0:
            raise ValueError(f"Wrong bound: {self.ubound}")
        return min(self.ubound + 1, len(self.lits))

    def _take(self, others: Iterable[list[int]] = ()) -> None:
        """Moves new clauses to the formula."""
        assert self._counter is not None
        new = [*others, *self._counter.take().to_lists()]
        self.cnf.clauses.extend(new)
        self.nof_new, self.rhs = len(new), self._counter.outputs
        self.top_id = self.cnf.nv = self._counter.top_id
        if self.vpool is not None:
            self.vpool.top = max(self.vpool.top, self.top_id)

    def increase(self, ubound: int = 1, top_id: int | None = None) -> None:
        """Counts further, so that bounds up to ``ubound`` have literals."""
        if self._counter is None or ubound <= self.ubound or self.ubound >= len(self.lits):
            self.nof_new = 0
            return
        self.ubound = ubound
        self._count("widen", self._upto(), top_id)
        self._take()

    def extend(self, lits: Iterable[int] = (), ubound: int | None = None, top_id: int | None = None) -> None:
        """Counts literals too, those that are not counted yet; the literals of bounds are new ones."""
        new = sorted(set(lits).difference(self.lits))
        if new:
            self._add(new, ubound, top_id, ())
        elif ubound:
            self.increase(ubound, top_id)

    def merge_with(self, another: ITotalizer, ubound: int | None = None, top_id: int | None = None) -> None:
        """Counts the literals of another totalizer, too; its clauses join the formula."""
        bounds = [another.ubound, ubound or 0]
        self._add(another.lits, max(bounds), max(another.top_id, top_id or 0), another.cnf.clauses)

    def _add(self, lits: list[int], ubound: int | None, top_id: int | None, others: Iterable[list[int]]) -> None:
        self.ubound = max(self.ubound, ubound or 0)
        self.lits.extend(lits)
        self._count("extend", list(lits), top_id)
        self._count("widen", self._upto(), None)
        self._take(others)

    def delete(self) -> None:
        """Forgets everything. Memory is freed without that, too."""
        self._clear()

    def __enter__(self) -> ITotalizer:
        return self

    def __exit__(self, *error: object) -> None:
        self.delete()

    def __repr__(self) -> str:
        return f"<ITotalizer of {len(self.lits)} literals, bounds up to {self.ubound}>"


class ISeqCounter:
    """A sequential counter that grows: ``rhs[k]`` is true if more than k of the literals are.

    Register j of a prefix, a variable, is true if more than j literals of the prefix are: C. Sinz, *Towards an optimal
    CNF encoding of Boolean cardinality constraints*, CP 2005, pages 827-831.

    >>> with ISeqCounter(lits=[1, 2, 3], ubound=1) as t:
    ...     print(t.cnf.clauses, t.rhs)
    ...     t.increase(ubound=2)
    ...     print(t.cnf.clauses[-t.nof_new :], t.rhs)
    [[-1, 4], [-4, 5], [-2, 5], [-5, 6], [-3, 6], [-4, -2, 7], [-7, 8], [-5, -3, 8]] [6, 8]
    [[-7, -3, 9]] [6, 8, 9]
    """

    ubound: int
    top_id: int
    nof_new: int

    def __init__(self, lits: Iterable[int] = (), ubound: int = 1, top_id: int | None = None) -> None:
        self._clear()
        lits = list(lits)
        if lits:
            self.new(lits, ubound, top_id)

    def _clear(self) -> None:
        self.lits: list[int] = []
        self.ubound = self.top_id = self.nof_new = 0
        self.cnf: Any = __getattr__("CNF")()
        self.rhs: list[int] = []
        # By bound and length of the prefix, from bound + 1 on.
        self._registers: list[list[int]] = []

    def new(self, lits: Iterable[int] = (), ubound: int = 1, top_id: int | None = None) -> None:
        """Begins with these literals."""
        if ubound < 0:
            raise ValueError("`ubound` cannot be negative")
        self._clear()
        self.lits, self.ubound = list(lits), ubound
        self.top_id = max([top_id or 0, *map(abs, self.lits)])
        self._grow()

    def _grow(self) -> None:
        """Adds the registers up to the bound."""
        new: list[list[int]] = []
        for bound in range(len(self._registers), min(self.ubound + 1, len(self.lits))):
            below = self._registers[-1] if bound else []
            row: list[int] = []
            for place in range(bound, len(self.lits)):
                self.top_id += 1
                if row:
                    new.append([-row[-1], self.top_id])
                enough = [-below[place - bound]] if bound else []
                new.append([*enough, -self.lits[place], self.top_id])
                row.append(self.top_id)
            self._registers.append(row)
        self.cnf.clauses.extend(new)
        self.cnf.nv, self.nof_new = self.top_id, len(new)
        self.rhs = [row[-1] for row in self._registers]

    def increase(self, ubound: int = 1, top_id: int | None = None) -> None:
        """Counts further, so that bounds up to ``ubound`` have literals."""
        self.top_id = max(self.top_id, top_id or 0)
        if ubound <= self.ubound or self.ubound >= len(self.lits):
            self.nof_new = 0
            return
        self.ubound = ubound
        self._grow()

    def get_constraint(self, prefix_len: int, bound: int) -> int | None:
        """The literal that is true if more than ``bound`` of the first ``prefix_len`` literals are, or None."""
        if 0 <= bound < len(self.rhs) and bound < prefix_len <= len(self.lits):
            return self._registers[bound][prefix_len - bound - 1]
        return None

    def delete(self) -> None:
        """Forgets everything. Memory is freed without that, too."""
        self._clear()

    def __enter__(self) -> ISeqCounter:
        return self

    def __exit__(self, *error: object) -> None:
        self.delete()

    def __repr__(self) -> str:
        return f"<ISeqCounter of {len(self.lits)} literals, bounds up to {self.ubound}>"
