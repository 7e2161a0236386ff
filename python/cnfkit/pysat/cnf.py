"""``CNF`` and ``CNFPlus``, where PySAT is not installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from os import PathLike
from typing import IO, Any

_File = str | PathLike[str]


class CNF:
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

    def __init__(
        self,
        from_file: _File | None = None,
        from_fp: IO[str] | None = None,
        from_string: str | None = None,
        from_clauses: Iterable[Iterable[int]] = (),
        from_aiger: None = None,
        comment_lead: Sequence[str] = ("c",),
        by_ref: bool = False,
    ) -> None:
        if from_aiger is not None:
            raise NotImplementedError("AIGER circuits are read by PySAT")
        self._clear()
        if from_file is not None:
            self.from_file(from_file, comment_lead)
        elif from_fp is not None:
            self.from_fp(from_fp, comment_lead)
        elif from_string is not None:
            self.from_string(from_string, comment_lead)
        elif from_clauses:
            self.from_clauses(from_clauses, by_ref)

    def _clear(self) -> None:
        self.nv = 0
        self.clauses: list[list[int]] = []
        self.comments: list[str] = []

    def from_file(self, fname: _File, comment_lead: Sequence[str] = ("c",)) -> None:
        """Reads a file in DIMACS."""
        with open(fname, encoding="utf-8") as file:
            self.from_fp(file, comment_lead)

    def from_fp(self, file_pointer: IO[str], comment_lead: Sequence[str] = ("c",)) -> None:
        """Reads an open file in DIMACS."""
        self.from_string(file_pointer.read(), comment_lead)

    def from_string(self, string: str, comment_lead: Sequence[str] = ("c",)) -> None:
        """Reads DIMACS, a clause a line."""
        self._clear()
        for line in map(str.strip, string.splitlines()):
            if line.startswith(("p", *comment_lead)):
                if not line.startswith("p "):
                    self.comments.append(line)
            elif line:
                self._read(line.split())

    def _read(self, words: list[str]) -> None:
        self.append([lit for lit in map(int, words) if lit != 0])

    def from_clauses(self, clauses: Iterable[Iterable[int]], by_ref: bool = False) -> None:
        """Takes clauses; lists themselves with ``by_ref``, otherwise copies."""
        self._clear()
        self.clauses = clauses if by_ref and isinstance(clauses, list) else [list(clause) for clause in clauses]
        self.nv = max((abs(lit) for clause in self.clauses for lit in clause), default=0)

    def append(self, clause: Iterable[int]) -> None:
        """Adds a clause."""
        clause = list(clause)
        self.nv = max([self.nv, *map(abs, clause)])
        self.clauses.append(clause)

    def extend(self, clauses: Iterable[Any]) -> None:
        """Adds clauses."""
        for clause in clauses:
            self.append(clause)

    def copy(self) -> Any:
        """A copy that shares nothing with it."""
        return deepcopy(self)

    def negate(self, topv: int | None = None) -> CNF:
        """The negation: one of the clauses is false. Each clause of several literals gets a variable above ``topv``.

        ``auxvars`` are these variables, and ``enclits`` the literals by clause that say that it is false.
        """
        negated, top = CNF(), max(topv or 0, self.nv)
        auxvars, enclits = [], []
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

    def _lines(self) -> list[str]:
        clauses = [" ".join(map(str, [*clause, 0])) for clause in self.clauses]
        return [*self.comments, f"p cnf {self.nv} {len(self.clauses)}", *clauses]

    def to_dimacs(self) -> str:
        """The clauses in DIMACS."""
        return "\n".join(self._lines())

    def to_fp(self, file_pointer: IO[str], comments: Iterable[str] | None = None) -> None:
        """Writes DIMACS to an open file, ``comments`` first."""
        for line in [*(comments or ()), *self._lines()]:
            print(line, file=file_pointer)

    def to_file(self, fname: _File, comments: Iterable[str] | None = None) -> None:
        """Writes a file in DIMACS, ``comments`` first."""
        with open(fname, "w", encoding="utf-8") as file:
            self.to_fp(file, comments)

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.clauses)

    def __len__(self) -> int:
        return len(self.clauses)

    def __getitem__(self, key: int) -> list[int]:
        return self.clauses[key]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CNF) and self._lines() == other._lines()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.nv} variables, {len(self.clauses)} clauses>"


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
        for at, word in enumerate(words):
            if word in ("<=", ">="):
                terms = [term.partition("*") for term in words[words[0] == "w" : at]]
                sign = 1 if word == "<=" else -1
                weights = [int(weight) if star else 1 for weight, star, _ in terms]
                lits = [sign * int(lit if star else weight) for weight, star, lit in terms]
                bound = int(words[at + 1]) if sign == 1 else sum(weights) - int(words[at + 1])
                plain = all(weight == 1 for weight in weights)
                self.append([lits, bound] if plain else [lits, bound, weights], is_atmost=True)
                return
        super()._read(words)

    def append(self, clause: Iterable[Any], is_atmost: bool = False) -> None:
        """Adds a clause, or literals and a bound on how many are true."""
        if not is_atmost:
            return super().append(clause)
        atmost = list(clause)
        self.nv = max([self.nv, *map(abs, atmost[0])])
        self.atmosts.append(atmost)

    def extend(self, formula: Iterable[Any]) -> None:
        """Adds the clauses, and native constraints, of another formula, or clauses."""
        super().extend(formula)
        for atmost in getattr(formula, "atmosts", ()):
            self.append(atmost, is_atmost=True)

    def _lines(self) -> list[str]:
        lines = super()._lines()
        at = len(self.comments)
        lines[at] = f"p cnf+ {self.nv} {len(self.clauses) + len(self.atmosts)}"
        for lits, bound, *weights in self.atmosts:
            terms = ["w", *(f"{w}*{lit}" for lit, w in zip(lits, weights[0]))] if weights else map(str, lits)
            lines.append(" ".join([*terms, "<=", str(bound)]))
        return lines
