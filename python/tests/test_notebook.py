"""The notebook of the examples runs, and shows its pictures."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_the_notebook_runs() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(Path(__file__).parents[1] / "examples" / "three_problems.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    assert [next(iter({"image/svg+xml", "text/html"} & set(data)), "text") for data in shown] == [
        *("text/html", "image/svg+xml", "text", "image/svg+xml", "text/html")
    ]
