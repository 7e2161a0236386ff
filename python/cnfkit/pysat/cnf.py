"""``CNF``, ``CNFPlus``, ``WCNF`` and ``WCNFPlus``, where PySAT is not installed."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from decimal import Decimal
from importlib import import_module
from operator import index
from os import PathLike, fspath
from typing import IO, TYPE_CHECKING, Any, Union

from cnfkit.pysat.gates import And, Formula, FormulaError, FormulaType, IDPool

if TYPE_CHECKING:
    from typing_extensions import Self

_File = Union[str, PathLike[str]]
_OPEN: dict[str, Any] = {"gzip": gzip.open, "bzip2": bz2.open, "lzma": lzma.open}
_NO_TOP = Decimal("inf")
_ENDS = {".gz": "gzip", ".bz2": "bzip2", ".lzma": "lzma", ".xz": "lzma"}


def _open(name: _File, mode: str, compression: str | None) -> Any:
    if compression == "use_ext":
        compression = next((kind for end, kind in _ENDS.items() if fspath(name).endswith(end)), None)
    if compression is None:
        return open(name, mode, encoding="utf-8")
    if compression not in _OPEN:
        raise ValueError(f"compression: {compression!r}, but there are {', '.join(_OPEN)}, use_ext and None")
    return _OPEN[compression](name, mode + "t", encoding="utf-8")


def _checked(clause: Iterable[int], name: str = "clause") -> list[int]:
    """The literals as a list of ints."""
    lits = list(clause)
    for at, lit in enumerate(lits):
        if isinstance(lit, bool) or not hasattr(lit, "__index__"):
            raise TypeError(f"{name}: a literal is an int, not {type(lit).__name__}")
        lits[at] = index(lit)
    if 0 in lits:
        raise ValueError(f"{name}: there is no literal 0")
    return lits


def _native(words: list[str]) -> list[Any] | None:
    """Literals, a bound and perhaps weights, of `1 2 <= 1` or `w 2*1 3*2 >= 3`; None of a clause."""
    for at, word in enumerate(words):
        if word in ("<=", ">="):
            terms = [term.partition("*") for term in words[words[0] == "w" : at]]
            sign = 1 if word == "<=" else -1
            weights = [int(weight) if star else 1 for weight, star, _ in terms]
            lits = [sign * int(lit if star else weight) for weight, star, lit in terms]
            bound = int(words[at + 1]) if sign == 1 else sum(weights) - int(words[at + 1])
            return [lits, bound] if all(weight == 1 for weight in weights) else [lits, bound, weights]
    return None


def _line(clause: Sequence[Any]) -> str:
    """A clause, or literals and a bound, as text."""
    if not (clause and isinstance(clause[0], (list, tuple, range))):
        return " ".join(map(str, [*clause, 0]))
    lits, bound, *weights = clause
    terms = ["w", *(f"{w}*{lit}" for lit, w in zip(lits, weights[0]))] if weights else map(str, lits)
    return " ".join([*terms, "<=", str(bound)])


def _sum(terms: Iterable[tuple[Any, int]], least: Any) -> tuple[list[tuple[Any, int]], Any]:
    """Weights of literals that are at least a number, with variables in the place of literals."""
    terms = list(terms)
    bound = least - sum(weight for weight, lit in terms if lit < 0)
    return [(weight if lit > 0 else -weight, abs(lit)) for weight, lit in terms], bound


def _words(terms: Iterable[tuple[Any, int]], one: str) -> str:
    """Weights with their signs, and variables; ``one`` is a weight of 1."""
    return " ".join(f"{'+' if w > 0 else '-'}{one if abs(w) == 1 else abs(w)} x{var}" for w, var in terms)


def _smt(lit: int) -> str:
    return f"x{lit}" if lit > 0 else f"(not x{-lit})"


class _Text:
    """A formula as text: what formulas with and without soft clauses share."""

    nv: int
    comments: list[str]

    def _start(self, file: _File | None, fp: IO[str] | None, string: str | None, comment_lead: Sequence[str]) -> None:
        self._clear()
        if file is not None:
            self.from_file(file, comment_lead)
        elif fp is not None:
            self.from_fp(fp, comment_lead)
        elif string is not None:
            self.from_string(string, comment_lead)

    def _clear(self) -> None:
        self.nv, self.comments = 0, []

    def _know(self, clause: Iterable[int], name: str = "clause") -> list[int]:
        lits = _checked(clause, name)
        self.nv = max([self.nv, *map(abs, lits)])
        return lits

    def _read(self, words: list[str]) -> None:
        raise NotImplementedError

    def from_file(
        self, fname: _File, comment_lead: Sequence[str] = ("c",), compressed_with: str | None = "use_ext"
    ) -> None:
        """Reads a file in DIMACS, compressed as its name says: .gz, .bz2, .lzma, .xz."""
        with _open(fname, "r", compressed_with) as file:
            self.from_fp(file, comment_lead)

    def from_fp(self, file_pointer: IO[str], comment_lead: Sequence[str] = ("c",)) -> None:
        """Reads an open file in DIMACS."""
        self.from_string(file_pointer.read(), comment_lead)

    def from_string(self, string: str, comment_lead: Sequence[str] = ("c",)) -> None:
        """Reads DIMACS, a clause a line."""
        self._clear()
        for line in map(str.strip, string.splitlines()):
            if line.startswith("p "):
                self._preamble(line.split())
            elif line.startswith(("p", *comment_lead)):
                self.comments.append(line)
            elif line:
                self._read(line.split())

    def _preamble(self, words: list[str]) -> None:
        """Takes what the first line says."""

    def __deepcopy__(self, memo: Any) -> Any:
        made = object.__new__(type(self))
        vars(made).update(deepcopy(vars(self), memo))
        return made

    def copy(self) -> Self:
        """A copy that shares nothing with it."""
        return deepcopy(self)

    def to_dimacs(self) -> str:
        """The formula as text."""
        raise NotImplementedError

    def _write(self, text: str, file_pointer: IO[str], comments: Iterable[str] | None) -> None:
        for line in [*(comments or ()), text]:
            print(line, file=file_pointer)

    def _rows(self) -> tuple[list[list[int]], list[Any], list[tuple[Any, list[int]]]]:
        """Clauses, literals with a bound, and soft clauses with their weights."""
        raise NotImplementedError

    def to_alien(self, file_pointer: IO[str], format: str = "opb", comments: Iterable[str] | None = None) -> None:
        """Writes OPB, a linear programme with ``lp``, or SMT-LIB 2 with ``smt``, which has no bounds on literals.

        A soft clause of several literals has a variable above ``nv``, whose negation has its weight in the objective.
        """
        marks = {"opb": "*", "lp": "\\", "smt": ";"}
        if format not in marks:
            raise ValueError(f"format: {format!r}, but there are {', '.join(marks)}")
        hard, atmosts, soft = self._rows()
        if atmosts and format == "smt":
            raise NotImplementedError("format: SMT-LIB has no bounds on the number of true literals")
        top, hard = self.nv, [*hard]
        costs: list[tuple[Any, int]] = []
        for weight, clause in soft:
            lit = clause[0] if len(clause) == 1 else top + 1
            if len(clause) != 1:
                top += 1
                hard.append([*clause, -top])
            costs.append((-weight if lit > 0 else weight, lit))
        lines = [f"{marks[format]} {comment}" for comment in [*self.comments, *(comments or ())]]
        print(*lines, *getattr(self, f"_{format}")(hard, atmosts, costs, top), sep="\n", file=file_pointer)

    def _smt(self, hard: list[list[int]], _: list[Any], costs: list[tuple[Any, int]], top: int) -> Iterator[str]:
        yield from (f"(declare-fun x{var} () Bool)" for var in range(1, top + 1))
        yield from (f"(assert (or {' '.join(map(_smt, clause)) or 'false'}))" for clause in hard)
        yield from (f"(assert-soft {_smt(lit)} :weight {abs(weight)})" for weight, lit in costs)
        yield "(check-sat)"
        if costs:
            yield from ("(get-model)", "(get-objectives)")
        yield "(exit)"

    def _sums(self, hard: list[list[int]], atmosts: list[Any], one: str) -> list[str]:
        sums = [_sum([(1, lit) for lit in clause], 1) for clause in hard]
        for lits, bound, *weights in atmosts:
            each = weights[0] if weights else [1] * len(lits)
            sums.append(_sum([(weight, -lit) for weight, lit in zip(each, lits)], sum(each) - bound))
        return [f"{_words(terms, one) or f'+{one} x1 -{one} x1'} >= {bound}" for terms, bound in sums]

    def _opb(self, hard: list[list[int]], atmosts: list[Any], costs: list[tuple[Any, int]], top: int) -> Iterator[str]:
        sums = self._sums(hard, atmosts, "1")
        yield f"* #variable= {top} #constraint= {len(sums)}"
        if costs:
            yield f"min: {' '.join(f'{weight:+} x{abs(lit)}' for weight, lit in costs)} ;"
        yield from (f"{row} ;" for row in sums)

    def _lp(self, hard: list[list[int]], atmosts: list[Any], costs: list[tuple[Any, int]], top: int) -> Iterator[str]:
        yield from ("Minimize", f"obj: {' '.join(f'{weight:+} x{abs(lit)}' for weight, lit in costs)}".rstrip())
        yield "Subject To"
        yield from (f"c{number}: {row}" for number, row in enumerate(self._sums(hard, atmosts, ""), 1))
        yield "Bounds"
        yield from (f"0 <= x{var} <= 1" for var in range(1, top + 1))
        yield "Binary"
        yield from (f"x{var}" for var in range(1, top + 1))
        yield "End"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(from_string={self.to_dimacs()!r})"


class CNF(_Text, Formula):
    """Clauses, lists of ints; ``nv`` is their highest variable. Lines that begin with ``comment_lead`` are comments.

    >>> cnf = CNF(from_clauses=[[-1, 2], [3]])
    >>> cnf.append([1, -4])
    >>> cnf.nv, list(cnf)
    (4, [[-1, 2], [3], [1, -4]])
    >>> print(cnf.to_dimacs())
    p cnf 4 3
    -1 2 0
    3 0
    1 -4 0
    """

    type = FormulaType.CNF
    nv: int
    name: Any
    clauses: list[list[Any]]
    encoded: list[list[Any]]
    _gate = And._gate

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        return object.__new__(cls)

    def __init__(
        self,
        from_file: _File | None = None,
        from_fp: IO[str] | None = None,
        from_string: str | None = None,
        from_clauses: Iterable[Iterable[int]] = (),
        from_aiger: Any = None,
        comment_lead: Sequence[str] = ("c",),
        by_ref: bool = False,
    ) -> None:
        self._start(from_file, from_fp, from_string, comment_lead)
        if from_clauses and not self.nv:
            self.from_clauses(from_clauses, by_ref)
        elif from_aiger is not None and not self.nv:
            self.from_aiger(from_aiger)

    def _clear(self) -> None:
        super()._clear()
        self.name, self.clauses, self.encoded = None, [], []

    def _read(self, words: list[str]) -> None:
        self.append([lit for lit in map(int, words) if lit != 0])

    def from_clauses(self, clauses: Iterable[Iterable[int]], by_ref: bool = False) -> None:
        """Takes clauses; lists themselves with ``by_ref``, otherwise copies."""
        self._clear()
        self.extend(clauses)
        if by_ref and isinstance(clauses, list):
            vars(self)["clauses"] = clauses

    def from_aiger(self, aig: Any, vpool: IDPool | None = None) -> None:
        """Takes an AIGER circuit, an ``aiger.AIG`` or ``aiger.BoolExpr``, by the package py-aiger-cnf.

        ``inps`` and ``outs`` are the literals of its inputs and outputs, whose names are in ``vpool``.
        """
        pool = vpool or IDPool()
        circuit = import_module("aiger_cnf").aig2cnf(aig, fresh=pool.id, force_true=False)
        self._clear()
        self.extend(circuit.clauses)
        self.comments.extend(f"c {comment.strip()}" for comment in circuit.comments)
        inps, outs = (list(lits.values()) for lits in (circuit.input2lit, circuit.output2lit))
        vars(self).update(vpool=pool, inps=inps, outs=outs)

    def append(self, clause: Iterable[int], update_vpool: bool = False) -> None:
        """Adds a clause; with ``update_vpool``, formulas of gates take other variables."""
        self.clauses.append(self._know(clause))
        if update_vpool:
            Formula.export_vpool().occupy(1, self.nv)

    def extend(self, clauses: Iterable[Any]) -> None:
        """Adds clauses."""
        for clause in clauses:
            self.append(clause)

    def negate(self, topv: int | None = None) -> CNF:
        """The negation: one of the clauses is false. Each clause of several literals gets a variable above ``topv``.

        ``auxvars`` are these variables, and ``enclits`` the literals by clause that say that it is false.
        """
        negated, top = CNF(), max(topv or 0, self.nv)
        auxvars: list[int] = []
        enclits: list[int] = []
        for clause in self.clauses:
            if len(clause) == 1:
                enclits.append(-clause[0])
                continue
            top += 1
            auxvars.append(top)
            enclits.append(top)
            negated.extend([-lit, -top] for lit in clause)
            negated.append([*clause, top])
        negated.append(enclits)
        vars(negated).update(nv=max(top, negated.nv), auxvars=auxvars, enclits=enclits)
        return negated

    def weighted(self) -> WCNF:
        """The clauses as soft ones of weight 1."""
        made = WCNF()
        made.extend(self.clauses, [1] * len(self.clauses))
        made.nv, made.comments = self.nv, [*self.comments]
        return made

    def to_dimacs(self) -> str:
        """The clauses in DIMACS."""
        return "\n".join([*self.comments, f"p cnf {self.nv} {len(self.clauses)}", *map(_line, self.clauses)])

    def to_fp(self, file_pointer: IO[str], comments: Iterable[str] | None = None, as_dnf: bool = False) -> None:
        """Writes DIMACS to an open file, ``comments`` first; ``as_dnf`` says that lines are conjunctions."""
        text = self.to_dimacs()
        self._write(text.replace("p cnf", "p dnf", 1) if as_dnf else text, file_pointer, comments)

    def to_file(
        self,
        fname: _File,
        comments: Iterable[str] | None = None,
        as_dnf: bool = False,
        compress_with: str | None = "use_ext",
    ) -> None:
        """Writes a file in DIMACS, ``comments`` first, compressed as its name says."""
        with _open(fname, "w", compress_with) as file:
            self.to_fp(file, comments, as_dnf)

    def _rows(self) -> tuple[list[list[int]], list[Any], list[tuple[Any, list[int]]]]:
        return self.clauses, getattr(self, "atmosts", []), []

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.clauses)

    def clausify(self) -> None:
        """Nothing: these are clauses."""

    def _said(self, truth: bool, used: dict[Any, None]) -> list[list[Any]]:
        return self.clauses if truth else [[-self._use(used)]]

    def _use(self, used: dict[Any, None]) -> Any:
        if self.name is None:
            lits: list[int] = []
            parts: list[list[int]] = []
            for clause in self.clauses:
                lits.append(clause[0] if len(clause) == 1 else Formula.export_vpool().id())
                if len(clause) != 1:
                    parts += [[*clause, -lits[-1]], *([-lit, lits[-1]] for lit in clause)]
            self._define(lits)
            self.encoded += parts
        used[self] = None
        return self.name

    def simplified(self, assumptions: Iterable[Any] = ()) -> Any:
        """A FormulaError: clauses have no atoms."""
        raise FormulaError("clauses cannot be simplified")

    def _atoms(self, found: dict[Any, None]) -> None:
        found.update(dict.fromkeys(range(1, self.nv + 1)))


class CNFPlus(CNF):
    """Clauses, and ``atmosts``: pairs of literals and a bound, or triples with weights.

    >>> cnf = CNFPlus()
    >>> cnf.append([[1, 2, 3], 2], is_atmost=True)
    >>> print(cnf.to_dimacs())
    p cnf+ 3 1
    1 2 3 <= 2
    """

    def __init__(
        self,
        from_file: _File | None = None,
        from_fp: IO[str] | None = None,
        from_string: str | None = None,
        comment_lead: Sequence[str] = ("c",),
    ) -> None:
        super().__init__(from_file, from_fp, from_string, comment_lead=comment_lead)

    def _clear(self) -> None:
        super()._clear()
        self.atmosts: list[Any] = []

    def _read(self, words: list[str]) -> None:
        atmost = _native(words)
        self.append(atmost, is_atmost=True) if atmost else super()._read(words)

    def append(self, clause: Iterable[Any], is_atmost: bool = False) -> None:
        """Adds a clause, or literals and a bound on how many are true."""
        if not is_atmost:
            return super().append(clause)
        lits, *bound = clause
        self.atmosts.append([self._know(lits), *bound])

    def extend(self, formula: Iterable[Any]) -> None:
        """Adds the clauses, and native constraints, of another formula, or clauses."""
        super().extend(formula)
        for atmost in getattr(formula, "atmosts", ()):
            self.append(atmost, is_atmost=True)

    def weighted(self) -> WCNFPlus:
        """The clauses as soft ones of weight 1, and the native constraints."""
        soft, made = super().weighted(), WCNFPlus()
        vars(made).update(vars(soft), atms=deepcopy(self.atmosts))
        return made

    def to_dimacs(self) -> str:
        """The clauses and native constraints in extended DIMACS."""
        lines = [*self.clauses, *self.atmosts]
        return "\n".join([*self.comments, f"p cnf+ {self.nv} {len(lines)}", *map(_line, lines)])

    def to_fp(self, file_pointer: IO[str], comments: Iterable[str] | None = None) -> None:  # type: ignore[override]
        """Writes extended DIMACS to an open file, ``comments`` first."""
        self._write(self.to_dimacs(), file_pointer, comments)

    def to_file(  # type: ignore[override]
        self, fname: _File, comments: Iterable[str] | None = None, *, compress_with: str | None = "use_ext"
    ) -> None:
        """Writes a file, ``comments`` first, compressed as its name says."""
        with _open(fname, "w", compress_with) as file:
            self.to_fp(file, comments)


class WCNF(_Text):
    """Clauses that are ``hard``, and ``soft`` ones with weights, ``wght``; ``topw`` is above their sum.

    >>> wcnf = WCNF()
    >>> wcnf.append([-1, -2])
    >>> wcnf.extend([[1], [2]], weights=[3, 4])
    >>> wcnf.topw, wcnf.unweighted().clauses
    (8, [[-1, -2], [1], [2]])
    >>> print(wcnf.to_dimacs())
    h -1 -2 0
    3 1 0
    4 2 0
    >>> from cnfkit import Formula
    >>> Formula.read_wcnf(wcnf.to_dimacs()).minimise().value
    3
    """

    nv: int
    topw: Any

    def __init__(
        self,
        from_file: _File | None = None,
        from_fp: IO[str] | None = None,
        from_string: str | None = None,
        comment_lead: Sequence[str] = ("c",),
    ) -> None:
        self._start(from_file, from_fp, from_string, comment_lead)
        self._bound()

    def _bound(self) -> None:
        if self.topw == _NO_TOP:
            self.topw = 1 + sum(self.wght)

    def _clear(self) -> None:
        super()._clear()
        self.topw = _NO_TOP
        self.hard: list[list[int]] = []
        self.soft: list[list[int]] = []
        self.wght: list[Any] = []

    def from_string(self, string: str, comment_lead: Sequence[str] = ("c",)) -> None:
        """Reads WCNF, a clause a line, in either format; a soft clause of negative weight is one of its negation."""
        self._negatives: list[tuple[list[int], Any]] = []
        super().from_string(string, comment_lead)
        self.normalize_negatives(self._negatives)
        self._bound()

    def _preamble(self, words: list[str]) -> None:
        self.topw = _weight(words[4]) if len(words) == 5 else _NO_TOP

    def _read(self, words: list[str]) -> None:
        weight = None if words[0] == "h" else _weight(words[0])
        clause = self._know(lit for lit in map(int, words[1:]) if lit != 0)
        if weight is None or weight >= self.topw:
            self.hard.append(clause)
        elif weight > 0:
            self.soft.append(clause)
            self.wght.append(weight)
        else:
            self._negatives.append((clause, -weight))

    def normalize_negatives(self, negatives: Iterable[tuple[list[int], Any]]) -> None:
        """Adds the negations of clauses, each with its weight; hard, where that reaches ``topw``."""
        for clause, weight in negatives:
            lit = clause[0] if len(clause) == 1 else self.nv + 1
            if len(clause) != 1:
                self.nv += 1
                self.hard += [*([lit, -other] for other in clause), [-lit, *clause]]
            if weight >= self.topw:
                self.hard.append([-lit])
            else:
                self.soft.append([-lit])
                self.wght.append(weight)

    def append(self, clause: Iterable[int], weight: Any = None) -> None:
        """Adds a hard clause, or a soft one with a weight above 0."""
        if weight is not None and not weight > 0:
            raise ValueError(f"weight: {weight}, but it is to be above 0")
        lits = self._know(clause)
        if weight is None:
            self.hard.append(lits)
        else:
            self.soft.append(lits)
            self.wght.append(weight)
            self.topw += weight

    def extend(self, clauses: Iterable[Iterable[int]], weights: Sequence[Any] | None = None) -> None:
        """Adds hard clauses, or soft ones with as many weights."""
        clauses = list(clauses)
        if weights is not None and len(weights) != len(clauses):
            raise ValueError(f"weights: {len(weights)} of {len(clauses)} clauses")
        for clause, weight in zip(clauses, weights or [None] * len(clauses)):
            self.append(clause, weight)

    def unweighted(self) -> CNF:
        """All clauses, without weights."""
        made = CNF(from_clauses=[*self.hard, *self.soft])
        made.nv, made.comments = self.nv, [*self.comments]
        return made

    def _others(self) -> list[Any]:
        return []

    def _rows(self) -> tuple[list[list[int]], list[Any], list[tuple[Any, list[int]]]]:
        return self.hard, self._others(), list(zip(self.wght, self.soft))

    def to_dimacs(self, format: str = "mse22") -> str:
        """The clauses in the format of 2022, or with ``legacy`` in that before, with variables and ``topw``."""
        if format not in ("mse22", "legacy"):
            raise ValueError(f"format: {format!r}, but there are mse22 and legacy")
        top, hard, others = "h", list(map(_line, self.hard)), list(map(_line, self._others()))
        head = []
        if format == "legacy":
            top, count = str(self.topw), len(hard) + len(self.soft) + len(others)
            head = [f"p wcnf{'+' if others else ''} {self.nv} {count} {top}"]
        soft = [f"{weight} {_line(clause)}" for weight, clause in zip(self.wght, self.soft)]
        return "\n".join(
            [*self.comments, *head, *(f"{top} {line}" for line in hard), *soft, *(f"{top} {line}" for line in others)]
        )

    def to_fp(self, file_pointer: IO[str], comments: Iterable[str] | None = None, format: str = "mse22") -> None:
        """Writes WCNF to an open file, ``comments`` first."""
        self._write(self.to_dimacs(format), file_pointer, comments)

    def to_file(
        self,
        fname: _File,
        comments: Iterable[str] | None = None,
        compress_with: str | None = "use_ext",
        format: str = "mse22",
    ) -> None:
        """Writes a file in WCNF, ``comments`` first, compressed as its name says."""
        with _open(fname, "w", compress_with) as file:
            self.to_fp(file, comments, format)


def _weight(text: str) -> Any:
    """A weight as an int if it is one, otherwise exact."""
    weight = Decimal(text)
    return int(weight) if weight == weight.to_integral_value() else weight


class WCNFPlus(WCNF):
    """Hard and soft clauses, and ``atms``: pairs of literals and a bound, or triples with weights."""

    def _clear(self) -> None:
        super()._clear()
        self.atms: list[Any] = []

    def _read(self, words: list[str]) -> None:
        atmost = _native(words[1:])
        self.append(atmost, is_atmost=True) if atmost else super()._read(words)

    def append(self, clause: Iterable[Any], weight: Any = None, is_atmost: bool = False) -> None:
        """Adds a hard clause, a soft one with a weight, or literals and a bound on how many are true."""
        if not is_atmost:
            return super().append(clause, weight)
        lits, *bound = clause
        self.atms.append([self._know(lits), *bound])

    def unweighted(self) -> CNFPlus:
        """All clauses, without weights, and the native constraints."""
        plain, made = super().unweighted(), CNFPlus()
        vars(made).update(vars(plain), atmosts=deepcopy(self.atms))
        return made

    def _others(self) -> list[Any]:
        return self.atms
