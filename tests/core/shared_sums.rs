//! Bounds on the same weighted terms share one structure in a `Formula`: what they say, and that it is never larger
//! than one for each.

use cnfkit::ask::Ask;
use cnfkit::{Constrain, Constraint, Formula, Lit, PbEncoding, PbRelation, Size, Terms};

use crate::is_exhaustive;

const WEIGHTS: [u64; 6] = [3, 5, 7, 4, 6, 9];

/// A bound, whether the negations are summed up, and whether it is reified, conditioned by a literal, or plain.
type Said = (PbRelation, bool, Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Iff,
    When,
    Plain,
}

/// Constraints of these kinds about six literals, each with a literal of its own from 6 on.
fn formula(said: &[Said], enc: PbEncoding) -> Formula {
    let mut formula = Formula::with_vars(6 + said.len());
    let total: u64 = WEIGHTS.iter().sum();
    for (at, &(relation, is_negated, kind)) in said.iter().enumerate() {
        let mut terms: Vec<(Lit, u64)> =
            (0..6).map(|var| (Lit::new(var, (var % 3 == 1) != is_negated), WEIGHTS[var as usize])).collect();
        terms.rotate_left(at % 6);
        let relation = if is_negated { relation.of_negated(total).unwrap() } else { relation };
        let (own, constraint) = (Lit::positive(6 + at as u32), Constraint::weights(Terms::new(&terms), relation));
        match kind {
            Kind::Iff => formula.post(&constraint.iff(own), enc).unwrap(),
            Kind::When => formula.post(&constraint.when(&[own]), enc).unwrap(),
            Kind::Plain => formula.post(&constraint, enc).unwrap(),
        }
    }
    formula
}

/// The size of the formula, and of each constraint alone.
fn sizes(said: &[Said], enc: PbEncoding) -> (Size, Size) {
    let alone = said.iter().map(|one| formula(std::slice::from_ref(one), enc).size()).sum();
    (formula(said, enc).size(), alone)
}

#[test]
fn neighbours_by_one_structure() {
    let said = [(PbRelation::AtMost(15), false, Kind::Iff), (PbRelation::AtMost(18), true, Kind::Iff)];
    for is_counting in [false, true] {
        let size = |said: &[Said]| {
            let formula = formula(said, PbEncoding::Auto);
            if is_counting { formula.for_counting().size() } else { formula.size() }.cost()
        };
        let (both, alone) = (size(&said), size(&said[..1]) + size(&said[1..]));
        assert!(6 * both < 5 * alone, "{both} {alone}");
    }
    // Bounds from one side take half an if-then-else.
    let said = [10, 12, 14, 16].map(|most| (PbRelation::AtMost(most), false, Kind::When));
    let (all, alone) = sizes(&said, PbEncoding::Auto);
    println!("{all} {alone}");
    assert!(all.cost() < alone.cost(), "{all} {alone}");
    // By its name, an encoding is what was asked for.
    let (all, alone) = sizes(&said, PbEncoding::GeneralizedTotalizer);
    assert_eq!(all, alone);
}

/// As many solutions as the definition has, each by what it says; in a formula for counting, as many models.
#[test]
fn all_that_is_said() {
    let kinds = [Kind::Iff, Kind::When, Kind::Plain];
    let relations: Vec<PbRelation> = (9..25)
        .step_by(3)
        .flat_map(|k| [PbRelation::AtMost(k), PbRelation::AtLeast(k), PbRelation::Exactly(k)])
        .collect();
    let mut shared = 0;
    for (at, &one) in relations.iter().enumerate() {
        for (number, &other) in relations[..at].iter().enumerate() {
            let encodings = [PbEncoding::Auto, PbEncoding::Smallest].into_iter().enumerate();
            for (_, enc) in encodings.filter(|&(half, _)| is_exhaustive() || (at + number) % 2 == half) {
                let kind = |more: usize| kinds[(at + number / 3 + more) % 3];
                let third = relations[(7 * at + number) % relations.len()];
                let kinds = [kind(0), kind(number % 3), kind(0)];
                let said = [(one, number % 2 == 0, kinds[0]), (other, at % 2 == 0, kinds[1]), (third, false, kinds[2])];
                let (all, alone) = sizes(&said, enc);
                assert!(all.cost() <= alone.cost(), "{said:?} by {enc}: {all} {alone}");
                shared += usize::from(all.cost() < alone.cost());
                let holds = |values: u32| {
                    let is_true = |var: usize| values >> var & 1 == 1;
                    let sum: u64 = (0..6).filter(|&var| is_true(var) != (var % 3 == 1)).map(|var| WEIGHTS[var]).sum();
                    said.iter().enumerate().all(|(at, &(relation, _, kind))| match kind {
                        Kind::Iff => relation.allows(sum) == is_true(6 + at),
                        Kind::When => relation.allows(sum) || !is_true(6 + at),
                        Kind::Plain => relation.allows(sum),
                    })
                };
                let expected: Vec<u32> = (0..1 << 9).filter(|&values| holds(values)).collect();
                for formula in [formula(&said, enc), formula(&said, enc).for_counting()] {
                    let ask = Ask::new(&formula);
                    let solutions = ask.solutions().map(|solution| {
                        let solution = solution.unwrap();
                        (0..9).filter(|&var| solution.is_true(Lit::positive(var))).map(|var| 1 << var).sum()
                    });
                    let mut solutions: Vec<u32> = solutions.collect();
                    solutions.sort_unstable();
                    assert_eq!(solutions, expected, "{said:?} by {enc}");
                    let cnf = formula.encode().unwrap();
                    assert_eq!(formula.size().vars as usize, cnf.n_vars() - formula.n_vars());
                    assert_eq!(formula.size().clauses as usize, cnf.n_clauses());
                    if formula.is_for_counting() {
                        let clauses = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
                        assert_eq!(Ask::new(&clauses).count(1000).unwrap(), expected.len(), "{said:?}");
                    }
                }
            }
        }
    }
    println!("{shared}");
    assert!(shared > if is_exhaustive() { 100 } else { 50 }, "{shared}");
}
