//! The parameters [[n, k, d]] of a quantum code (CSS) given by its checks, two files with a row of bits a line:
//! `cargo run --release --example code_distance -- X Z [PROOFS]`; without files, of Steane's code. With a name of
//! new folders, VeriPB can check that no error of either kind is lighter (`PROOFS-x`, `PROOFS-z`).
//!
//! An error has an even number of bits in common with each check of the other kind, and an odd one with some vector
//! that has an even number in common with each check of its own: otherwise it is a product of those. It takes seconds
//! for [[90, 8, 10]]. Codes: S. Bravyi and others, Nature 627, 2024, pages 778–782.

use std::error::Error;

use cnfkit::prelude::*;

type Rows = Vec<Vec<bool>>;

fn rows(text: &str) -> Result<Rows, String> {
    let bit = |bit| if matches!(bit, '0' | '1') { Ok(bit == '1') } else { Err(format!("`{bit}` is not a bit")) };
    text.lines().map(|line| line.chars().filter(|c| !c.is_whitespace()).map(bit).collect()).collect()
}

fn is_odd(one: &[bool], other: &[bool]) -> bool {
    one.iter().zip(other).filter(|&(&a, &b)| a && b).count() % 2 == 1
}

/// A basis of the vectors that have an even number of bits in common with each row.
fn even(rows: &Rows, n: usize) -> Rows {
    rows.iter().fold((0..n).map(|at| (0..n).map(|bit| bit == at).collect()).collect(), |basis: Rows, row| {
        let (odd, mut basis): (Rows, Rows) = basis.into_iter().partition(|vector| is_odd(vector, row));
        basis.extend(odd.iter().skip(1).map(|one| one.iter().zip(&odd[0]).map(|(a, b)| a ^ b).collect()));
        basis
    })
}

/// An even number of the literals is true: in pieces of at most eight, of which there are proofs.
fn even_number(formula: &mut Formula, mut lits: Vec<Lit>) -> Result<(), CapacityError> {
    while lits.len() > 8 {
        let part = formula.new_lit();
        formula.parity(lits.drain(..7).chain([part]).collect::<Vec<_>>(), false)?;
        lits.push(part);
    }
    formula.parity(&lits, false)
}

/// The least number of bits of an error; none where no qubit is encoded.
fn lightest(checks: &Rows, own: &Rows, n: usize, proof: Option<String>) -> Result<Option<i128>, Box<dyn Error>> {
    let mut formula = Formula::new();
    let error = formula.new_lits(n);
    formula.set_objective(error.iter().map(|&lit| (lit, 1)));
    let bits = |row: &[bool]| error.iter().zip(row).filter(|(_, bit)| **bit).map(|(&lit, _)| lit).collect::<Vec<_>>();
    checks.iter().try_for_each(|row| even_number(&mut formula, bits(row)))?;
    let vectors = even(own, n);
    let odd = formula.new_lits(vectors.len());
    for (vector, &lit) in vectors.iter().zip(&odd) {
        even_number(&mut formula, [bits(vector), vec![lit]].concat())?;
    }
    formula.add_clause(&odd)?;
    let best = match proof {
        Some(proof) => formula.ask().proof(&proof).minimum()?,
        None => formula.minimum()?,
    };
    Ok(best.map(|best| best.value))
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let read = |at: usize| args.get(at).map_or(Ok("1010101\n0110011\n0001111".to_owned()), std::fs::read_to_string);
    let (x, z) = (rows(&read(0)?)?, rows(&read(1)?)?);
    let n = x.first().or(z.first()).map_or(0, Vec::len);
    if x.iter().chain(&z).any(|row| row.len() != n) || x.iter().any(|one| z.iter().any(|other| is_odd(one, other))) {
        return Err("each row has as many bits, and each of X an even number in common with each of Z".into());
    }
    let k = even(&x, n).len() + even(&z, n).len() - n;
    let proof = |kind| args.get(2).map(|name| format!("{name}-{kind}"));
    match lightest(&x, &z, n, proof("z"))?.min(lightest(&z, &x, n, proof("x"))?) {
        Some(d) => println!("[[{n}, {k}, {d}]]"),
        None => println!("[[{n}, 0]]"),
    }
    Ok(())
}
