"""Maturin, after one line where there is no Rust; by itself, it installs a toolchain without a word."""

import shutil

if shutil.which("cargo") is None:
    raise SystemExit("cnfkit: there is no wheel for this system, and to build it takes Rust: https://rustup.rs")

from maturin import *  # noqa: E402, F403
