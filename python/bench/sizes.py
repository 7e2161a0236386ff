"""Clauses of each encoding by PySAT's name, ours and PySAT's: `python bench/sizes.py`, where python-sat is installed.

Sums of weights are PySAT's by pypblib or pindakaas, whichever it has.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pysat.card
import pysat.pb

import cnfkit.pysat.card
import cnfkit.pysat.pb

CARD = [(10, 1), (10, 3), (30, 15), (100, 1), (100, 10), (100, 50), (300, 30)]
WEIGHTS = [(5, 10), (10, 10), (20, 10), (20, 100), (50, 20), (100, 50)]


def names(of: type) -> dict[str, int]:
    """The encodings of a class, but for those that write no clauses."""
    return {name: number for name, number in vars(of).items() if name[0] != "_" and name != "native"}


def clauses(call: Callable[[], Any]) -> int | None:
    """The number of clauses, or None where the encoding is refused."""
    try:
        return len(call().clauses)
    except Exception:
        return None


def cell(ours: int | None, theirs: int | None) -> str:
    """Both numbers, and their quotient where ours is larger."""
    shown = [f"{number:,}" if number is not None else "–" for number in (ours, theirs)]
    larger = f" ({ours / theirs:.1f} ×)" if ours and theirs and ours > theirs else ""
    return " / ".join(shown) + larger


def table(title: str, cases: list[str], rows: dict[str, list[str]]) -> None:
    """Prints a table."""
    print(f"\n| {title} | {' | '.join(cases)} |")
    print("|---" * (len(cases) + 1) + "|")
    for name, cells in rows.items():
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    """Prints both tables."""
    for side in ("atmost", "atleast", "equals"):
        rows = {}
        for name, number in names(pysat.card.EncType).items():
            both = [getattr(of.CardEnc, side) for of in (cnfkit.pysat.card, pysat.card)]
            made = [[clauses(lambda: call(range(1, n + 1), k, encoding=number)) for call in both] for n, k in CARD]
            rows[name] = [cell(*pair) for pair in made]
        table(side, [f"{k} of {n}" for n, k in CARD], rows)
    for side in ("leq", "geq", "equals"):
        rows = {}
        for name, number in names(pysat.pb.EncType).items():
            both = [getattr(of.PBEnc, side) for of in (cnfkit.pysat.pb, pysat.pb)]
            rows[name] = []
            for n, most in WEIGHTS:
                rng = random.Random(n)
                weights = [rng.randint(1, most) for _ in range(n)]
                said = {"lits": list(range(1, n + 1)), "weights": weights, "bound": sum(weights) // 2}
                rows[name].append(cell(*(clauses(lambda: call(**said, encoding=number)) for call in both)))
        table(side, [f"{n} weights to {most}" for n, most in WEIGHTS], rows)


if __name__ == "__main__":
    main()
