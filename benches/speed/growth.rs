//! Time and memory of encoding Sudoku as the side grows: `cargo bench --bench growth` prints a table for each way.

use std::time::Instant;

use cnfkit::{AmoEncoding, Grid, Layout, SudokuEncoder, Tally};
use cnfkit_speed::mostly_filled;

const SIDES: [usize; 11] = [9, 16, 25, 36, 49, 64, 81, 100, 144, 225, 400];
/// The largest formula made here, in bytes.
const MOST: u64 = 2 << 30;

fn empty(side: usize) -> SudokuEncoder {
    SudokuEncoder::new(Grid::empty(Layout::for_side(side)))
}

/// The fastest run of as many as fit in a fifth of a second, and the heap of one; `encode` says how many clauses it
/// made.
fn measure(side: usize, encode: impl Fn() -> u64) {
    let mut clauses = 0;
    let heap = allocation_counter::measure(|| clauses = encode());
    let start = Instant::now();
    let mut seconds = f64::INFINITY;
    while seconds.is_infinite() || start.elapsed().as_secs_f64() < 0.2 {
        let start = Instant::now();
        encode();
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let per_clause = |amount: f64| amount / clauses.max(1) as f64;
    println!(
        "| {side} | {clauses} | {:.3} | {:.1} | {:.2} | {:.1} | {} |",
        seconds * 1e3,
        per_clause(seconds * 1e9),
        heap.bytes_max as f64 / f64::from(1 << 20),
        per_clause(heap.bytes_max as f64),
        heap.count_total
    );
}

fn table(title: &str) {
    println!("\n**{title}**\n\n| side | clauses | ms | ns a clause | MiB | bytes a clause | allocations |");
    println!("|---:|---:|---:|---:|---:|---:|---:|");
}

fn main() {
    for encoding in [AmoEncoding::Pairwise, AmoEncoding::Auto] {
        table(&format!("all rules, `{encoding}`, into a formula"));
        for side in SIDES {
            let encoder = empty(side).encoding(encoding);
            let size = encoder.size();
            if 4 * (size.clauses + size.lits) <= MOST {
                measure(side, || encoder.encode().expect("fits").n_clauses() as u64);
            } else if size.clauses > u64::from(u32::MAX) || size.lits > 1 << 30 {
                let start = Instant::now();
                let error = encoder.encode().expect_err("larger than a formula may be");
                println!("\n{side}: refused in {:.0} µs: {error}\n", start.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    table("all rules, `auto`, only counted");
    for side in SIDES {
        let encoder = empty(side).encoding(AmoEncoding::Auto);
        measure(side, || {
            let mut tally = Tally::new(side.pow(3));
            let Ok(()) = encoder.encode_rules(&mut tally);
            tally.size().clauses
        });
    }
    table("what is open after propagation, `pairwise`, four cells of ten empty, propagation included");
    for side in SIDES {
        let encoder = SudokuEncoder::new(mostly_filled(side));
        measure(side, || encoder.prune().expect("fits").map_or(0, |pruned| pruned.cnf().n_clauses() as u64));
    }
}
