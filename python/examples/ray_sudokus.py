"""Solves Sudokus on a Ray cluster: `python ray_sudokus.py 1000000 answers.txt`.

RAY_ADDRESS names a cluster whose machines have cnfkit; without it, two workers on this machine do.
"""

import os
import random
import sys

import ray

from cnfkit import Sudoku

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BATCH = 100


@ray.remote(max_retries=-1)  # what a worker that dies was at is done by another
def solve(seeds: range) -> list[tuple[int, Sudoku, Sudoku | None]]:
    """Puzzles, of which each has digits of its own, with their solutions: objects of cnfkit pickle."""
    digits = ("".join(random.Random(seed).sample("123456789", 9)) for seed in seeds)
    puzzles = [Sudoku(EASY.translate(str.maketrans("123456789", some))) for some in digits]
    return [(seed, puzzle, puzzle.solve()) for seed, puzzle in zip(seeds, puzzles)]


if __name__ == "__main__":
    count, path = int(sys.argv[1]), sys.argv[2]
    ray.init(**({} if "RAY_ADDRESS" in os.environ else {"num_cpus": 2, "include_dashboard": False}))
    waiting = [solve.remote(range(at, min(at + BATCH, count))) for at in range(0, count, BATCH)]
    with open(path, "w", encoding="ascii", buffering=1) as answers:
        while waiting:
            [done], waiting = ray.wait(waiting)
            for seed, *grids in ray.get(done):
                print(seed, *(sum(grid.rows(), []) for grid in grids), sep=";", file=answers)
