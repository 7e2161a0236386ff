//! Megabytes a second of CPU time when KNF and OPB of 10⁷ literals are written and read: a third of the lines are
//! constraints.

use std::time::Instant;

use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Lit};
use cnfkit_speed::seconds;

const LITERALS: usize = 10_000_000;
const VARS: u32 = 1_000_000;

fn main() {
    let clock = Instant::now();
    let mut formula = Formula::with_vars(VARS as usize);
    let mut state = 1_u32;
    let mut lit = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Lit::new((state >> 8) % VARS, state >> 31 == 1)
    };
    let mut used = 0;
    while used < LITERALS {
        let mut lits: Vec<Lit> = (0..12).map(|_| lit()).collect();
        // A literal that came twice would make a sum of weights, which KNF has as clauses.
        lits.sort_unstable();
        lits.dedup_by_key(|lit| lit.var());
        let (clauses, constraint) = lits.split_at(6);
        clauses.chunks(3).for_each(|clause| formula.add_clause(clause).expect("small enough"));
        formula.at_least(constraint, 3, &CardEncoding::Auto).expect("small enough");
        used += lits.len();
    }
    let mut text = Vec::new();
    let rate = |bytes: usize, start: f64| bytes as f64 / 1e6 / (seconds(clock) - start);
    println!("| format | megabytes | written, MB/s | read, MB/s |\n|---|---:|---:|---:|");
    for (name, is_knf) in [("KNF", true), ("OPB", false)] {
        text.clear();
        let start = seconds(clock);
        if is_knf { formula.write_knf(&mut text) } else { formula.write_opb(&mut text) }.expect("memory holds it");
        let written = rate(text.len(), start);
        let start = seconds(clock);
        let again =
            if is_knf { Formula::read_knf(&text[..]) } else { Formula::read_opb(&text[..]) }.expect("as written");
        let read = rate(text.len(), start);
        assert_eq!(again.constraints().len(), formula.constraints().len());
        println!("| {name} | {:.0} | {written:.0} | {read:.0} |", text.len() as f64 / 1e6);
    }
}
