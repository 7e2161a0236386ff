//! Gem Hunter: boards, encodings, what becomes of superfluous clauses, totals and neighbourhoods.

use cnfkit::gem_hunter::{Neighbourhood, Redundancy};
use cnfkit::{CardEncoding, Cell, GemHunterEncoder, GemMap};

use super::{Golden, Random};

/// A board with one trap in `one_in` cells; half of the other cells show their number, a few traps and gems are given.
fn board(rows: usize, columns: usize, one_in: usize) -> GemMap {
    let mut random = Random((rows * 1000 + columns * 10 + one_in) as u64);
    let traps: Vec<bool> = (0..rows * columns).map(|_| random.below(one_in) == 0).collect();
    let mut map = GemMap::new(rows, columns);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let near = |at: usize, size: usize| at.saturating_sub(1)..(at + 2).min(size);
        let around = near(row, rows).flat_map(|r| near(column, columns).map(move |c| r * columns + c));
        let number = around.filter(|&cell| cell != row * columns + column && traps[cell]).count();
        let cell = match (traps[row * columns + column], random.below(20)) {
            (true, 0) => Cell::Trap,
            (false, 0) => Cell::Gem,
            (false, 1..=10) => Cell::Number(number as u8),
            _ => Cell::Unknown,
        };
        map.set(row, column, cell);
    }
    map
}

pub(super) fn gem_hunter(golden: &mut Golden) {
    let boards = [
        ("example", "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _".parse().unwrap()),
        ("contradiction", "3, _\n_, 1".parse().unwrap()),
        ("row", "_, 1, _, _, 2, _, 1, _".parse().unwrap()),
        ("small", board(5, 5, 4)),
        ("wide", board(4, 23, 5)),
        ("beginner", board(9, 9, 6)),
        ("expert", board(16, 30, 5)),
        ("dense", board(12, 12, 2)),
    ];
    for (name, map) in &boards {
        let encoder = || GemHunterEncoder::new(map.clone());
        for &enc in CardEncoding::ALL {
            golden.add(format!("gem-hunter/{name}/{enc}"), &encoder().encoding(enc).encode().unwrap());
        }
        let redundancies =
            [("keep", Redundancy::Keep), ("once", Redundancy::NoDuplicates), ("least", Redundancy::NoSubsumed)];
        for (which, redundancy) in redundancies {
            for enc in [CardEncoding::Combinatorial, CardEncoding::Totalizer] {
                let formula = encoder().redundancy(redundancy).encoding(enc).encode().unwrap();
                golden.add(format!("gem-hunter/{name}/{enc}/{which}"), &formula);
            }
        }
        for traps in [0, 2, 5, 17] {
            for enc in [CardEncoding::Auto, CardEncoding::Smallest, CardEncoding::Sequential] {
                let formula = encoder().traps(traps).encoding(enc).encode().unwrap();
                golden.add(format!("gem-hunter/{name}/{enc}/traps-{traps}"), &formula);
            }
        }
        let hoods = [
            ("four", Neighbourhood::four()),
            ("hexagonal", Neighbourhood::hexagonal()),
            ("torus", Neighbourhood::eight().torus()),
            (
                "knight",
                Neighbourhood::offsets([(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]),
            ),
        ];
        for (which, hood) in hoods {
            match encoder().neighbourhood(hood).encode() {
                Ok(formula) => golden.add(format!("gem-hunter/{name}/{which}"), &formula),
                Err(error) => golden.line(format!("gem-hunter/{name}/{which}"), error.to_string().replace(' ', "-")),
            }
        }
    }
}
