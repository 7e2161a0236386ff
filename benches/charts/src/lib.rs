//! The pictures of the README and of `docs/pictures`: charts of the figures in `benches/BASELINE.md`, and what
//! `cnfkit::render` draws. `cargo run --release -p cnfkit-charts` makes them all.

mod chart;
mod figures;
mod look;
mod puzzles;
pub mod table;

use std::error::Error;
use std::path::PathBuf;

use cnfkit::CardEncoding;

/// The file that has the figures.
#[must_use]
pub fn baseline() -> PathBuf {
    root().join("benches/BASELINE.md")
}

/// The directory that has the pictures.
#[must_use]
pub fn pictures() -> PathBuf {
    root().join("docs/pictures")
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pictures by the name of their file, from the text of `benches/BASELINE.md`.
///
/// # Errors
/// When a figure is not where a chart expects it, with the name of the picture.
pub fn draw(baseline: &str) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    use puzzles::structure;
    let drawn = [
        ("sudoku.svg", puzzles::sudoku()),
        ("gem-hunter.svg", puzzles::gem_hunter()),
        ("totalizer.svg", structure(8, 3, CardEncoding::Totalizer)),
        ("network.svg", structure(16, 4, CardEncoding::CardinalityNetwork)),
        ("diagram.svg", structure(8, 3, CardEncoding::DecisionDiagram)),
        ("sizes-at-most-half.svg", figures::at_most_half(baseline)),
        ("sizes-at-most-one.svg", figures::at_most_one(baseline)),
        ("sizes-weights.svg", figures::weights(baseline)),
        ("encode.svg", figures::encode(baseline)),
        ("puzzles.svg", figures::puzzles(baseline)),
        ("orders-batsat.svg", figures::orders(baseline, "BatSat")),
        ("orders-cadical.svg", figures::orders(baseline, "CaDiCaL")),
    ];
    let named = drawn.into_iter().map(|(name, picture)| match picture {
        // Files end with a line's end.
        Ok(picture) => Ok((name, picture.trim_end().to_owned() + "\n")),
        Err(error) => Err(format!("{name}: {error}").into()),
    });
    named.collect()
}
