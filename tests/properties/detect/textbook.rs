//! At most one as papers and other libraries write it, where that differs from this crate's encodings: auxiliaries
//! defined in both directions, rows pairwise, groups of other sizes.

use cnfkit::{ClauseSink, Cnf, Lit};

/// An encoding: its family, its form, and what writes it.
pub(crate) type Encoding = (&'static str, &'static str, fn(&mut Cnf, &[Lit]));

pub(crate) const ALL: [Encoding; 14] = [
    ("pairwise", "pairwise", pairwise),
    ("product", "rows and columns pairwise", |cnf, lits| product(cnf, lits, false, false)),
    ("product", "rows and columns again products", |cnf, lits| product(cnf, lits, true, false)),
    ("product", "both directions", |cnf, lits| product(cnf, lits, true, true)),
    ("ladder", "sequential", |cnf, lits| sequential(cnf, lits, false)),
    ("ladder", "sequential, both directions", |cnf, lits| sequential(cnf, lits, true)),
    ("ladder", "regular, channelled both ways", regular),
    ("commander", "groups of 3", |cnf, lits| commander(cnf, lits, 3, false)),
    ("commander", "groups of 3, both directions", |cnf, lits| commander(cnf, lits, 3, true)),
    ("commander", "groups of √n, both directions", |cnf, lits| commander(cnf, lits, lits.len().isqrt().max(2), true)),
    ("bitwise", "bitwise", bitwise),
    ("bitwise", "Gray code", |cnf, lits| coded(cnf, lits, |at| at ^ (at >> 1))),
    ("bimander", "groups of 2", |cnf, lits| bimander(cnf, lits, 2)),
    ("bimander", "groups of √n", |cnf, lits| bimander(cnf, lits, lits.len().isqrt().max(2))),
];

fn add(cnf: &mut Cnf, clause: &[Lit]) {
    cnf.add_clause(clause).unwrap();
}

fn pairwise(cnf: &mut Cnf, lits: &[Lit]) {
    for (at, &a) in lits.iter().enumerate() {
        lits[at + 1..].iter().for_each(|&b| add(cnf, &[!a, !b]));
    }
}

/// Chen, *A New SAT Encoding of the At-Most-One Constraint*, `ModRef` 2010.
fn product(cnf: &mut Cnf, lits: &[Lit], recursive: bool, both: bool) {
    if lits.len() < 5 {
        return pairwise(cnf, lits);
    }
    let p = (1..=lits.len()).find(|p| p * p >= lits.len()).unwrap();
    let q = lits.len().div_ceil(p);
    let (rows, columns) = (cnf.new_lits(p), cnf.new_lits(q));
    let mut cells = vec![Vec::new(); p + q];
    for (at, &lit) in lits.iter().enumerate() {
        add(cnf, &[!lit, rows[at / q]]);
        add(cnf, &[!lit, columns[at % q]]);
        cells[at / q].push(lit);
        cells[p + at % q].push(lit);
    }
    if both {
        for (&aux, cells) in rows.iter().chain(&columns).zip(cells) {
            let clause: Vec<Lit> = [!aux].into_iter().chain(cells).collect();
            add(cnf, &clause);
        }
    }
    for side in [&rows, &columns] {
        if recursive { product(cnf, side, recursive, both) } else { pairwise(cnf, side) }
    }
}

/// Sinz, *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005, section 2 with k = 1.
fn sequential(cnf: &mut Cnf, lits: &[Lit], both: bool) {
    let n = lits.len();
    let s = cnf.new_lits(n - 1);
    for at in 0..n {
        if at < n - 1 {
            add(cnf, &[!lits[at], s[at]]);
        }
        if at > 0 {
            add(cnf, &[!lits[at], !s[at - 1]]);
        }
        if at > 0 && at < n - 1 {
            add(cnf, &[!s[at - 1], s[at]]);
            if both {
                add(cnf, &[!s[at], s[at - 1], lits[at]]);
            }
        }
    }
    if both {
        add(cnf, &[!s[0], lits[0]]);
    }
}

/// Ansótegui, Manyà, *Mapping Problems with Finite-Domain Variables to Problems with Boolean Variables*, SAT 2004;
/// Gent, Nightingale, *A New Encoding of `AllDifferent` into SAT*, `ModRef` 2004: `y[i]` is "one of the literals from i
/// on".
fn regular(cnf: &mut Cnf, lits: &[Lit]) {
    let n = lits.len();
    let y = cnf.new_lits(n);
    for at in 0..n {
        add(cnf, &[!lits[at], y[at]]);
        if at + 1 < n {
            add(cnf, &[!y[at + 1], y[at]]);
            add(cnf, &[!lits[at], !y[at + 1]]);
            add(cnf, &[!y[at], y[at + 1], lits[at]]);
        } else {
            add(cnf, &[!y[at], lits[at]]);
        }
    }
}

/// Klieber, Kwon, *Efficient CNF Encoding for Selecting 1 from N Objects*, CFV 2007.
fn commander(cnf: &mut Cnf, lits: &[Lit], group: usize, both: bool) {
    if lits.len() <= group + 1 {
        return pairwise(cnf, lits);
    }
    let mut commanders = Vec::new();
    for group in lits.chunks(group) {
        let leader = cnf.new_lit();
        pairwise(cnf, group);
        group.iter().for_each(|&lit| add(cnf, &[!lit, leader]));
        if both {
            let clause: Vec<Lit> = [!leader].into_iter().chain(group.iter().copied()).collect();
            add(cnf, &clause);
        }
        commanders.push(leader);
    }
    commander(cnf, &commanders, group, both);
}

/// Frisch, Peugniez, Doggett, Nightingale, *Solving Non-Boolean Satisfiability Problems with Stochastic Local Search*,
/// Journal of Automated Reasoning 35, 2005.
fn bitwise(cnf: &mut Cnf, lits: &[Lit]) {
    coded(cnf, lits, |at| at);
}

fn coded(cnf: &mut Cnf, lits: &[Lit], code: impl Fn(usize) -> usize) {
    let bits = (0..usize::BITS as usize).find(|&bits| 1 << bits >= lits.len()).unwrap();
    let bits = cnf.new_lits(bits);
    for (at, &lit) in lits.iter().enumerate() {
        for (place, &bit) in bits.iter().enumerate() {
            add(cnf, &[!lit, if code(at) >> place & 1 == 1 { bit } else { !bit }]);
        }
    }
}

/// Hölldobler, Nguyen, *On SAT-Encodings of the At-Most-One Constraint*, `ModRef` 2013.
fn bimander(cnf: &mut Cnf, lits: &[Lit], group: usize) {
    let groups: Vec<&[Lit]> = lits.chunks(group).collect();
    let bits = (0..usize::BITS as usize).find(|&bits| 1 << bits >= groups.len()).unwrap();
    let bits = cnf.new_lits(bits);
    for (at, group) in groups.into_iter().enumerate() {
        pairwise(cnf, group);
        for &lit in group {
            for (place, &bit) in bits.iter().enumerate() {
                add(cnf, &[!lit, if at >> place & 1 == 1 { bit } else { !bit }]);
            }
        }
    }
}
