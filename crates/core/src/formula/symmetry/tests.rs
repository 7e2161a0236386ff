//! Symmetries of formulas by lot, whose solutions are all looked at.

use std::collections::BTreeSet;

use rustsat::types::Lit;

use super::rows::SymmetryRows;
use super::search::SymmetryGroup;
use crate::random::Random;
use crate::{CardEncoding, ClauseSink, Constrain, Formula, PbEncoding};

/// Something that a formula says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Clause(Vec<Lit>),
    Count(Vec<Lit>, usize),
    Sum(Vec<(Lit, u64)>, u64),
    Reified(Lit, Vec<Lit>, usize),
    Under(Lit, Vec<Lit>, usize),
}

impl Said {
    fn lot(n: usize, random: &mut Random) -> Self {
        let mut vars: Vec<u32> = (0..n as u32).collect();
        random.shuffle(&mut vars);
        let len = 2 + random.below(3);
        let mut lits: Vec<Lit> = vars[..len].iter().map(|&var| Lit::new(var, random.below(2) == 0)).collect();
        let r = Lit::new(vars[len], random.below(2) == 0);
        lits.sort_unstable();
        match random.below(9) {
            0 => Self::Count(lits, 1 + random.below(len - 1)),
            1 => Self::Sum(lits.into_iter().map(|lit| (lit, 1 + random.below(3) as u64)).collect(), 3),
            2 => Self::Reified(r, lits, 1),
            3 => Self::Under(r, lits, 1),
            _ => Self::Clause(lits),
        }
    }

    fn image(&self, of: &dyn Fn(Lit) -> Lit) -> Self {
        let all = |lits: &[Lit]| {
            let mut lits: Vec<Lit> = lits.iter().map(|&lit| of(lit)).collect();
            lits.sort_unstable();
            lits
        };
        match self {
            Self::Clause(lits) => Self::Clause(all(lits)),
            Self::Count(lits, k) => Self::Count(all(lits), *k),
            Self::Sum(terms, k) => {
                let mut terms: Vec<(Lit, u64)> = terms.iter().map(|&(lit, weight)| (of(lit), weight)).collect();
                terms.sort_unstable();
                Self::Sum(terms, *k)
            }
            Self::Reified(r, lits, k) => Self::Reified(of(*r), all(lits), *k),
            Self::Under(r, lits, k) => Self::Under(of(*r), all(lits), *k),
        }
    }

    fn say(&self, formula: &mut Formula) {
        match self {
            Self::Clause(lits) => formula.add_clause(lits),
            Self::Count(lits, k) => formula.at_most(lits, *k, &CardEncoding::Auto),
            Self::Sum(terms, k) => formula.pb_at_most(terms, *k, &PbEncoding::Auto),
            Self::Reified(r, lits, k) => formula.iff_at_least(*r, lits, *k, &CardEncoding::Auto),
            Self::Under(r, lits, k) => formula.when(&[*r]).at_most(lits, *k, &CardEncoding::Auto),
        }
        .unwrap();
    }
}

/// A formula that has the symmetries of a group by lot, and others by accident.
fn symmetric(n: usize, random: &mut Random) -> Formula {
    let generators: Vec<Vec<Lit>> = (0..=random.below(3))
        .map(|_| {
            let mut vars: Vec<u32> = (0..n as u32).collect();
            random.shuffle(&mut vars);
            let mut to: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
            let mut at = 0;
            while at + 1 < n && random.below(4) > 0 {
                let len = (2 + random.below(2)).min(n - at);
                let phase = random.below(4) == 0;
                for i in 0..len {
                    to[vars[at + i] as usize] = Lit::new(vars[at + (i + 1) % len], phase);
                }
                at += len;
            }
            to
        })
        .collect();
    let image = |generator: &[Lit], lit: Lit| if lit.is_neg() { !generator[lit.vidx()] } else { generator[lit.vidx()] };
    let mut all = BTreeSet::new();
    let mut open: Vec<Said> = (0..=random.below(3)).map(|_| Said::lot(n, random)).collect();
    while let Some(said) = open.pop() {
        if all.len() < 300 && all.insert(said.clone()) {
            open.extend(generators.iter().map(|generator| said.image(&|lit| image(generator, lit))));
        }
    }
    let mut formula = Formula::with_vars(n);
    all.iter().for_each(|said| said.say(&mut formula));
    if random.below(2) == 0 {
        let mut orbit = BTreeSet::new();
        let mut open = vec![Lit::new(random.below(n) as u32, random.below(2) == 0)];
        while let Some(lit) = open.pop() {
            if orbit.insert(lit) {
                open.extend(generators.iter().map(|generator| image(generator, lit)));
            }
        }
        let others = Lit::positive(random.below(n) as u32);
        let cost = orbit.into_iter().map(|lit| (lit, 3)).chain((random.below(3) == 0).then_some((others, 1)));
        formula.set_objective(cost);
    }
    formula
}

fn is_true(values: u64, lit: Lit) -> bool {
    (values >> lit.vidx() & 1 == 1) != lit.is_neg()
}

/// True if the clauses that were added hold for some values of the auxiliaries: those that have to be true are.
fn is_kept(added: &[Vec<Lit>], mut values: u64, n: usize) -> bool {
    loop {
        let broken = added.iter().find(|clause| !clause.iter().any(|&lit| is_true(values, lit)));
        let Some(clause) = broken else { return true };
        let Some(aux) = clause.iter().find(|lit| lit.vidx() >= n && lit.is_pos()) else { return false };
        values |= 1 << aux.vidx();
    }
}

/// Solutions become solutions that cost as much, and one of those that symmetries make of each other is left.
#[test]
fn one_solution_of_each_kind_is_left() {
    let mut random = Random::new(28);
    let (mut generators, mut gone, mut left) = (0, 0, 0);
    for round in 0..400 {
        let n = 6 + round % 4;
        let formula = symmetric(n, &mut random);
        let cost = |values: u64| -> i64 {
            formula.objective().iter().filter(|&&(lit, _)| is_true(values, lit)).map(|&(_, weight)| weight).sum()
        };
        let is_model = |values: u64| {
            formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(values, lit)))
                && formula.constraints().all(|constraint| constraint.holds(|lit| is_true(values, lit)))
        };
        let models: BTreeSet<u64> = (0..1 << n).filter(|&values| is_model(values)).collect();
        let symmetries = formula.symmetries();
        generators += symmetries.len();
        let image = |generator: &[(Lit, Lit)], values: u64| {
            let moved = generator.iter().fold(0, |moved, &(from, _)| moved | 1_u64 << from.vidx());
            let set = |image: u64, &(from, to): &(Lit, Lit)| {
                image | u64::from(is_true(values, from) != to.is_neg()) << to.vidx()
            };
            generator.iter().fold(values & !moved, set)
        };
        let broken = formula.without_symmetries(0.0).unwrap().into_formula();
        let added: Vec<Vec<Lit>> = broken.clauses().skip(formula.n_clauses()).map(<[Lit]>::to_vec).collect();
        let mut seen = BTreeSet::new();
        for &model in &models {
            let (mut orbit, mut open) = (BTreeSet::new(), vec![model]);
            while let Some(values) = open.pop() {
                assert!(models.contains(&values) && cost(values) == cost(model), "{formula:?}: {symmetries:?}");
                if orbit.insert(values) {
                    open.extend(symmetries.iter().map(|generator| image(generator, values)));
                }
            }
            if seen.insert(orbit.first().copied()) {
                let kept = orbit.iter().filter(|&&values| is_kept(&added, values, n)).count();
                assert!(kept > 0, "{formula:?}: {symmetries:?}");
                left += kept;
                gone += orbit.len() - kept;
            }
        }
    }
    assert!(generators > 800 && gone > left, "{generators} generators, {gone} solutions gone, {left} left");
}

/// All symmetries of what has many, and small groups left alone.
#[test]
fn groups_have_the_orders_that_are_known() {
    let log = |formula: &Formula| SymmetryGroup::new(&SymmetryRows::new(formula)).log();
    let factorial = |n: u32| (1..=n).map(|i| f64::from(i).log2()).sum::<f64>();
    // Rows and columns of a matrix are exchanged.
    let mut matrix = Formula::new();
    let x: Vec<Vec<Lit>> = (0..5).map(|_| matrix.new_lits(4)).collect();
    for row in &x {
        matrix.at_least(row, 2, &CardEncoding::Auto).unwrap();
    }
    for column in 0..4 {
        let lits: Vec<Lit> = x.iter().map(|row| row[column]).collect();
        matrix.at_most(&lits, 3, &CardEncoding::Auto).unwrap();
    }
    assert!((log(&matrix) - factorial(5) - factorial(4)).abs() < 1e-6);
    assert!(matrix.break_symmetries().unwrap().formula().n_clauses() > 0);
    matrix.set_objective([(x[0][0], 1)]);
    assert!((log(&matrix) - factorial(4) - factorial(3)).abs() < 1e-6);
    assert_eq!(matrix.break_symmetries().unwrap().formula().n_clauses(), 0);
    // A ring, its reflections, and all signs at once.
    let mut ring = Formula::new();
    let x = ring.new_lits(7);
    for at in 0..7 {
        ring.add_clause(&[x[at], x[(at + 1) % 7]]).unwrap();
        ring.add_clause(&[!x[at], !x[(at + 1) % 7]]).unwrap();
    }
    assert!((log(&ring) - 28_f64.log2()).abs() < 1e-6, "{}", log(&ring));
    assert!(Formula::with_vars(9).symmetries().is_empty());
}

/// Hundreds of literals that are all alike: orbits take no longer than the search for each symmetry.
#[test]
fn many_equal_literals_are_exchanged_in_time() {
    let mut formula = Formula::new();
    let x = formula.new_lits(600);
    formula.at_most(&x, 300, &CardEncoding::Auto).unwrap();
    let begun = std::time::Instant::now();
    assert_eq!(formula.symmetries().len(), 599);
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
}
