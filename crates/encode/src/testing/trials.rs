//! Random trials against a definition: a constraint, or a sequence of calls, drawn at random, and all assignments of
//! its inputs.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::{Duration, Instant};

use rustsat::types::Lit;

use crate::random::Random;

/// The number of trials.
#[derive(Debug)]
pub enum Until {
    /// As many assignments as this were checked: the same trials every time.
    Assignments(u64),
    /// The time is up.
    TimeIsUp,
}

/// Makes trials, each of which returns how many assignments it checked.
pub fn run(what: &str, until: &Until, trial: &mut dyn FnMut(&mut Random) -> u64) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let (seed, budget) = match until {
        Until::Assignments(_) => (1, Duration::MAX),
        Until::TimeIsUp => {
            let fresh = RandomState::new().hash_one(0_u8);
            let seconds = number("CNFKIT_FUZZ_SECONDS").unwrap_or(120);
            (number("CNFKIT_FUZZ_SEED").unwrap_or(fresh), Duration::from_secs(seconds))
        }
    };
    println!("{what}: CNFKIT_FUZZ_SEED={seed}");
    let start = Instant::now();
    let mut random = Random::new(seed);
    let (mut trials, mut assignments) = (0_u64, 0);
    loop {
        let over = match until {
            Until::Assignments(wanted) => assignments >= *wanted,
            Until::TimeIsUp => start.elapsed() >= budget,
        };
        if over {
            break;
        }
        assignments += trial(&mut random);
        trials += 1;
    }
    println!("{what}: {trials} trials, {assignments} assignments in {:?}", start.elapsed());
}

/// A literal of the first `vars` variables.
pub fn any_lit(random: &mut Random, vars: usize) -> Lit {
    Lit::new(random.below(vars) as u32, random.below(2) == 0)
}

/// Up to 16 places: of distinct variables, of few variables, or mostly one literal.
pub fn places(random: &mut Random, vars: usize) -> Vec<Lit> {
    const MOST: usize = 16;
    let mut lits: Vec<Lit> = match random.below(4) {
        0 => {
            let mut all: Vec<Lit> = (0..vars as u32).map(|var| Lit::new(var, random.below(2) == 0)).collect();
            random.shuffle(&mut all);
            all.truncate(1 + random.below(vars));
            all
        }
        // Each literal with one sign, so that repeats do not cancel out.
        1 | 2 => {
            let signs = random.next();
            let some = 1 + random.below(vars);
            let n = random.below(MOST + 1);
            (0..n).map(|_| random.below(some) as u32).map(|var| Lit::new(var, signs >> var & 1 == 1)).collect()
        }
        _ => (0..random.below(MOST + 1)).map(|_| any_lit(random, vars)).collect(),
    };
    if let (0, Some(&first)) = (random.below(3), lits.first()) {
        let more = random.below(MOST + 1 - lits.len().min(MOST));
        lits.extend(std::iter::repeat_n(first, more));
        random.shuffle(&mut lits);
    }
    lits
}

/// A bound, mostly near one of the ends.
pub fn bound(random: &mut Random, n: usize) -> usize {
    match random.below(8) {
        0 => 0,
        1 => n,
        2 => n + 1,
        3 => n.saturating_sub(1 + random.below(3)),
        4 => 1 + random.below(3),
        5 if random.below(8) == 0 => usize::MAX,
        _ => random.below(n + 2),
    }
}

/// True if the assignment, a bit a variable, makes `lit` true.
#[must_use]
pub fn is_true(assignment: u32, lit: Lit) -> bool {
    (assignment >> lit.vidx32() & 1 == 1) == lit.is_pos()
}

/// The number of `lits` that the assignment makes true.
#[must_use]
pub fn count_true(assignment: u32, lits: &[Lit]) -> usize {
    lits.iter().filter(|&&lit| is_true(assignment, lit)).count()
}
