"""Boolean formulas of gates, and pools of variables, where PySAT is not installed.

A formula is one object however often it is made, until its context is cleaned up. A part gets a variable of the
context's pool, which is true if and only if the part is (G. S. Tseitin 1968); the whole needs none.

>>> x, y, z = Atom("x"), Atom("y"), Atom("z")
>>> list((x @ y) | z)
[[-1, 2, -3], [-2, 1, -3], [-1, -2, 3], [1, 2, 3], [3, 4]]
>>> Formula.literals([x, ~z]), Formula.formulas([-1, 3, 4])
([1, -4], [Neg(Atom('x')), Atom('z')])
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self


class FormulaError(Exception):
    """A formula that cannot be made, or a question that it cannot answer."""


class FormulaType(Enum):
    """The kinds of formulas, with PySAT's numbers."""

    ATOM = 0
    AND = 1
    OR = 2
    NEG = 3
    IMPL = 4
    EQ = 5
    XOR = 6
    ITE = 7
    CNF = 8


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


class Formula:
    """A formula, made by its subclasses and by ``~ & | >> << @ ^``; iteration gives its clauses.

    ``name`` is its literal where it has one, ``encoded`` are the clauses that define it, and ``clauses``, after
    ``clausify``, say that the formula holds, given the names of its parts.
    """

    type: FormulaType
    name: Any
    clauses: list[list[Any]]
    encoded: list[list[Any]]
    merged: bool
    _parts: list[Any]
    _instances: dict[Hashable, dict[Any, Any]] = defaultdict(dict)
    _vpool: dict[Hashable, IDPool] = defaultdict(IDPool)
    _context: Hashable = "default"
    # Operands by name; with an operator instead there are any number, in any order.
    _roles: tuple[str, ...] = ()
    _sign = ""
    # The truth of all operands, where that is what one truth of the formula says.
    _all: bool | None = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        return cls._make(args, kwargs)  # type: ignore[no-any-return]

    @classmethod
    def _make(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        kind = kwargs.pop("type", None)
        if cls is Formula:
            if kind not in _GATES:
                raise FormulaError(f"type: a FormulaType of gates, not {kind!r}")
            cls = _GATES[kind]
        merge, operands = bool(kwargs.pop("merge", False)), iter(args)
        parts = [kwargs.pop(role) if role in kwargs else next(operands, Formula) for role in cls._roles] or list(args)
        if Formula in parts or not parts or kwargs or cls._roles and [*operands]:
            raise TypeError(f"{cls.__name__} takes {', '.join(cls._roles) or 'one operand or more'}")
        if cls is Atom:
            return Atom._of(parts[0])
        for part in parts:
            if not isinstance(part, Formula):
                raise TypeError(f"{cls.__name__}: an operand is a Formula, not {type(part).__name__}")
        same = [part for part in parts if merge and type(part) is cls]
        if same:  # PySAT's order, which numbers of variables follow
            parts.remove(same[0])
            parts = [of for part in (same[0], *parts) for of in (part._parts if type(part) is cls else [part])]
        return cls._known((frozenset(Counter(parts).items()) if cls._sign else tuple(parts), merge), parts, merge)

    @classmethod
    def _known(cls, key: Any, parts: list[Any], merge: bool = False) -> Any:
        """The formula of these parts, a new one if there is none."""
        known = {} if Formula._context is None else Formula._instances[Formula._context]
        if (cls, key) not in known:
            if cls in (Equals, XOr) and len(parts) < 2:
                raise FormulaError(f"{cls.__name__} takes two operands or more")
            made = known[cls, key] = object.__new__(cls)
            made._parts, made.merged, made.name, made.clauses, made.encoded = parts, merge, None, [], []
            vars(made).update({"subformulas": parts} if cls._sign else zip(cls._roles, parts))
        return known[cls, key]

    @staticmethod
    def set_context(context: Hashable = "default") -> None:
        """Formulas are made in this context from now on; in ``None``, each is a new one."""
        Formula._context = context

    @staticmethod
    def attach_vpool(vpool: IDPool, context: Hashable = "default") -> None:
        """Variables of a context are those of this pool."""
        Formula._vpool[context] = vpool

    @staticmethod
    def export_vpool(active: bool = True, context: Hashable = "default") -> IDPool:
        """The pool of the context in use, or, if not ``active``, of another one."""
        return Formula._vpool[Formula._context if active else context]

    @staticmethod
    def cleanup(context: Hashable = None) -> None:
        """Forgets the formulas and variables of a context, or of all."""
        for known in (Formula._instances, Formula._vpool):
            known.clear() if context is None else known.pop(context, None)
        if context is None:
            Formula.set_context()

    @staticmethod
    def formulas(lits: Iterable[int], atoms_only: bool = True) -> list[Any]:
        """The formulas of literals; atoms and their negations alone, or all that have a name."""
        known = Formula.export_vpool().id2obj
        found = [known[abs(lit)] if lit > 0 else ~known[abs(lit)] for lit in lits if abs(lit) in known]
        return [form for form in found if not atoms_only or type(form._parts[0] if type(form) is Neg else form) is Atom]

    @staticmethod
    def literals(forms: Iterable[Any]) -> list[int]:
        """The literals of formulas but for constants, which have none."""
        return [form._use({}) for form in forms if form not in (PYSAT_TRUE, PYSAT_FALSE)]

    def __deepcopy__(self, memo: Any) -> Any:
        raise FormulaError("a formula is one object: it has no copies")

    def __invert__(self) -> Any:
        return Neg(self)

    def __neg__(self) -> Any:
        return ~self

    def __and__(self, other: Any) -> Any:
        return And(self, other, merge=True)

    def __or__(self, other: Any) -> Any:
        return Or(self, other, merge=True)

    def __rshift__(self, other: Any) -> Any:
        return Implies(self, other)

    def __lshift__(self, other: Any) -> Any:
        return Implies(other, self)

    def __matmul__(self, other: Any) -> Any:
        return Equals(self, other, merge=True)

    def __xor__(self, other: Any) -> Any:
        return XOr(self, other, merge=True)

    def __iter__(self) -> Iterator[list[int]]:
        used: dict[Any, None] = {}
        self.clauses = self._said(True, used)
        for clause in [clause for form in used for clause in form.encoded] + self.clauses:
            if 0.5 not in clause:
                yield [lit for lit in clause if lit != -0.5]

    def clausify(self) -> None:
        """Makes ``clauses``, and names of all parts."""
        self.clauses = self._said(True, {})

    def _inputs(self) -> list[Any]:
        """The parts that its gate has."""
        return self._parts

    def _gate(self, lits: list[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
        """Clauses that say that it is true, and that it is false, of the literals of its inputs."""
        raise NotImplementedError

    def _said(self, truth: bool, used: dict[Any, None]) -> list[list[Any]]:
        """Clauses that say that it has this truth; ``used`` are the named parts whose definitions they need."""
        if truth is self._all:
            return [clause for part in self._parts for clause in part._said(truth, used)]
        return self._gate([part._use(used) for part in self._inputs()])[not truth]

    def _use(self, used: dict[Any, None]) -> Any:
        """Its literal, and those that it is defined by."""
        if self not in used:
            lits = [part._use(used) for part in self._inputs()]
            used[self] = None
            if self.name is None:
                self._define(lits)
        return self.name

    def _define(self, lits: list[Any]) -> None:
        if len(lits) == 1:
            self.name = lits[0]
            return
        self.name = Formula.export_vpool().id(self)
        self.encoded = [
            [*clause, sign] for sign, said in zip((-self.name, self.name), self._gate(lits)) for clause in said
        ]

    def simplified(self, assumptions: Iterable[Any] = ()) -> Any:
        """The formula where these atoms and negations of atoms are true."""
        known = set(assumptions)
        return self._simple([part.simplified(known) for part in self._parts])

    def _simple(self, parts: list[Any]) -> Any:
        """The formula of simplified parts, simplified."""
        raise NotImplementedError

    def satisfied(self, model: Iterable[Any]) -> bool | None:
        """Its truth where these atoms and negations of atoms are true; None if that is not known."""
        simple = self.simplified(model)
        return bool(simple.object) if simple in (PYSAT_TRUE, PYSAT_FALSE) else None

    def atoms(self, constants: bool = False) -> list[Any]:
        """The atoms in it, with or without true and false."""
        found: dict[Any, None] = {}
        self._atoms(found)
        return [atom for atom in found if constants or atom not in (PYSAT_TRUE, PYSAT_FALSE)]

    def _atoms(self, found: dict[Any, None]) -> None:
        for part in self._parts:
            part._atoms(found)

    def __repr__(self) -> str:
        parts = ", ".join(map(repr, self._parts))
        return f"{type(self).__name__}[{parts}]" if self._sign else f"{type(self).__name__}({parts})"

    def __str__(self) -> str:
        return f" {self._sign} ".join(part._bracketed() for part in self._parts)

    def _bracketed(self) -> str:
        return str(self) if isinstance(self, (Atom, Neg)) else f"({self})"


class Atom(Formula):
    """A variable, which stands for an object; for an int above 0, that variable. ``Atom(True)`` is true."""

    type = FormulaType.ATOM
    _roles = ("object",)
    object: Any
    name: Any

    @classmethod
    def _of(cls, of: Any) -> Any:
        if type(of) is bool:
            return PYSAT_TRUE if of else PYSAT_FALSE
        try:
            hash(of)
        except TypeError:
            return cls._known((type(of), repr(of)), [of])
        if type(of) is int and of < 1:
            raise ValueError(f"object: a variable is above 0, not {of}")
        atom, pool = cls._known((type(of), of), [of]), Formula.export_vpool()
        if type(of) is int and pool.obj(of) is not atom:
            atom.name = pool.obj2id[atom] = of
            pool.id2obj[of] = atom
            pool.occupy(1, of)
        return atom

    def __invert__(self) -> Any:
        return {PYSAT_TRUE: PYSAT_FALSE, PYSAT_FALSE: PYSAT_TRUE}.get(self) or Neg(self)

    def _use(self, used: dict[Any, None]) -> Any:
        if self.name is None:
            self.name = Formula.export_vpool().id(self)
        return self.name

    def _said(self, truth: bool, used: dict[Any, None]) -> list[list[Any]]:
        return [[self._use(used) if truth else -self._use(used)]]

    def simplified(self, assumptions: Iterable[Any] = ()) -> Any:
        """True or false if that is assumed, otherwise the atom."""
        known = set(assumptions)
        return PYSAT_TRUE if self in known else PYSAT_FALSE if ~self in known else self

    def _atoms(self, found: dict[Any, None]) -> None:
        found[self] = None

    def __str__(self) -> str:
        return str(self.object)[0] if isinstance(self.object, bool) else str(self.object)


class Neg(Formula):
    """The ``subformula`` is false."""

    type = FormulaType.NEG
    _roles = ("subformula",)
    subformula: Any
    name: Any

    def __invert__(self) -> Any:
        return self.subformula

    def _said(self, truth: bool, used: dict[Any, None]) -> list[list[Any]]:
        return self.subformula._said(not truth, used)  # type: ignore[no-any-return]

    def _use(self, used: dict[Any, None]) -> Any:
        self.name = -self.subformula._use(used)
        return self.name

    def _simple(self, parts: list[Any]) -> Any:
        return ~parts[0]

    def __str__(self) -> str:
        return f"~{self.subformula}" if type(self.subformula) is Atom else f"~({self.subformula})"


class And(Formula):
    """All operands are true; with ``merge``, also those of operands that are such formulas."""

    type = FormulaType.AND
    _sign = "&"
    _all = True

    def _gate(self, lits: list[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
        return [[lit] for lit in lits], [[-lit for lit in lits]]

    def _simple(self, parts: list[Any]) -> Any:
        return _joined(And, parts, self.merged)


class Or(Formula):
    """One operand is true, or more; with ``merge``, also those of operands that are such formulas."""

    type = FormulaType.OR
    _sign = "|"
    _all = False

    def _gate(self, lits: list[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
        return [lits], [[-lit] for lit in lits]

    def _simple(self, parts: list[Any]) -> Any:
        return _joined(Or, parts, self.merged)


class Implies(Formula):
    """If ``left`` is true, ``right`` is."""

    type = FormulaType.IMPL
    _roles = ("left", "right")

    def _gate(self, lits: list[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
        return [[-lits[0], lits[1]]], [[lits[0]], [-lits[1]]]

    def _simple(self, parts: list[Any]) -> Any:
        left, right = parts
        made = _joined(Or, [~left, right])
        return Implies(left, right) if type(made) is Or else made

    def __str__(self) -> str:
        return " >> ".join(part._bracketed() for part in self._inputs())


class Equals(Formula):
    """All operands are true, or none is; with ``merge``, also those of operands that are such formulas."""

    type = FormulaType.EQ
    _sign = "@"

    def _gate(self, lits: list[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
        ring = [[-one, other] for one, other in zip(lits, [*lits[1:], lits[0]])]
        return ring, [[-lit for lit in lits], lits]

    def _simple(self, parts: list[Any]) -> Any:
        if PYSAT_TRUE in parts:
            return _joined(And, parts, self.merged)
        if PYSAT_FALSE in parts:
            return _joined(And, [~part for part in parts], self.merged)
        kept = dict.fromkeys(parts)
        if any(~part in kept for part in kept):
            return PYSAT_FALSE
        return Equals(*kept) if len(kept) > 1 else PYSAT_TRUE


class XOr(Formula):
    """An odd number of operands is true; with ``merge``, also those of operands that are such formulas."""

    type = FormulaType.XOR
    _sign = "^"

    _two: list[Any] = []

    def _inputs(self) -> list[Any]:
        if not self._two:
            parts = self._parts
            while len(parts) > 2:
                parts = [*parts[2:], XOr(*parts[:2])]
            self._two = parts
        return self._two

    def _gate(self, lits: list[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
        one, other = lits
        return [[one, other], [-one, -other]], [[one, -other], [-one, other]]

    def _simple(self, parts: list[Any]) -> Any:
        kept: dict[Any, None] = {}
        odd = False
        for part in parts:
            if part in (PYSAT_TRUE, PYSAT_FALSE):
                odd ^= part is PYSAT_TRUE
            elif part in kept or ~part in kept:
                odd ^= part not in kept
                del kept[part if part in kept else ~part]
            else:
                kept[part] = None
        made = XOr(*kept, merge=self.merged) if len(kept) > 1 else next(iter(kept), PYSAT_FALSE)
        return ~made if odd else made


class ITE(Formula):
    """``cons1`` is true if ``cond`` is, otherwise ``cons2``."""

    type = FormulaType.ITE
    _roles = ("cond", "cons1", "cons2")

    def _gate(self, lits: list[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
        cond, one, two = lits
        return [[-cond, one], [cond, two]], [[-cond, -one], [cond, -two], [-one, -two]]

    def _simple(self, parts: list[Any]) -> Any:
        cond, one, two = parts
        if cond in (PYSAT_TRUE, PYSAT_FALSE) or one is two:
            return two if cond is PYSAT_FALSE else one
        if one is ~two:
            return Equals(cond, one)._simple([cond, one])
        for case, then, other in ((cond, one, two), (~cond, two, one)):
            if then in (PYSAT_TRUE, case):
                return _joined(Or, [case, other])
            if then in (PYSAT_FALSE, ~case):
                return _joined(And, [~case, other])
        return ITE(cond, one, two)

    def __str__(self) -> str:
        cond, one, two = self._inputs()
        return f"({Implies(cond, one)}) & ({Implies(~cond, two)})"


def _joined(gate: Any, parts: list[Any], merge: bool = False) -> Any:
    """The ``And`` or ``Or`` of simplified parts, simplified."""
    neutral, other = (PYSAT_TRUE, PYSAT_FALSE) if gate is And else (PYSAT_FALSE, PYSAT_TRUE)
    kept = dict.fromkeys(part for part in parts if part is not neutral)
    if any(part is other or ~part in kept for part in kept):
        return other
    return gate(*kept, merge=merge) if len(kept) > 1 else next(iter(kept), neutral)


_GATES: dict[Any, type[Formula]] = {gate.type: gate for gate in (Atom, And, Or, Neg, Implies, Equals, XOr, ITE)}
PYSAT_FALSE, PYSAT_TRUE = (Atom._known(value, [value]) for value in (False, True))
# No variables: iteration leaves out what has them.
PYSAT_FALSE.name, PYSAT_TRUE.name = -0.5, 0.5
