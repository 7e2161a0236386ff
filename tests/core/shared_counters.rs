//! Reified counts of the same literals share a counter: what they say, and that it is never larger than one for each.

use cnfkit::ask::Ask;
use cnfkit::{CardEncoding, Constrain, Constraint, Formula, Lit, Relation, Size};

/// Constraints that literals from `n` on say of the first `n`, some by the negations of all of them, in another order.
fn formula(n: usize, said: &[(Relation, bool)], enc: CardEncoding) -> Formula {
    let mut formula = Formula::with_vars(n + said.len());
    for (at, &(relation, is_negated)) in said.iter().enumerate() {
        let mut lits: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, (var % 3 == 1) != is_negated)).collect();
        lits.rotate_left(at % n);
        let relation = if is_negated { relation.of_negated(n).unwrap() } else { relation };
        formula.post(&Constraint::count(&lits, relation).iff(Lit::positive((n + at) as u32)), enc).unwrap();
    }
    formula
}

/// The size of the formula, and of each constraint alone.
fn sizes(n: usize, said: &[(Relation, bool)], enc: CardEncoding) -> (Size, Size) {
    let alone = said.iter().map(|one| formula(n, std::slice::from_ref(one), enc).size()).sum();
    (formula(n, said, enc).size(), alone)
}

#[test]
fn two_neighbours_by_one_counter() {
    let said = [(Relation::AtMost(5), false), (Relation::AtMost(6), true)];
    let (both, alone) = sizes(10, &said, CardEncoding::Auto);
    assert!(4 * both.cost() < 3 * alone.cost(), "{both} {alone}");
    let histogram: Vec<_> = (0..=10).map(|k| (Relation::Exactly(k), k % 2 == 0)).collect();
    let (all, alone) = sizes(10, &histogram, CardEncoding::Auto);
    assert!(4 * all.cost() < alone.cost(), "{all} {alone}");
}

/// As many solutions as there are values of the inputs, which are those of the definition; in a formula for counting,
/// as many models.
#[test]
fn all_pairs_and_triples() {
    let n = 5;
    let relations: Vec<Relation> =
        (0..=n).flat_map(|k| [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)]).collect();
    let mut shared = 0;
    for (at, &one) in relations.iter().enumerate() {
        for (number, &other) in relations[..at].iter().enumerate() {
            for enc in
                [CardEncoding::Auto, CardEncoding::Smallest, CardEncoding::Totalizer, CardEncoding::Combinatorial]
            {
                let third = relations[(7 * at + number) % relations.len()];
                let said = [(one, number % 2 == 0), (other, at % 2 == 0), (third, false)];
                let (all, alone) = sizes(n, &said, enc);
                assert!(all.cost() <= alone.cost(), "{said:?} by {enc}");
                shared += usize::from(all.cost() < alone.cost());
                for formula in [formula(n, &said, enc), formula(n, &said, enc).for_counting()] {
                    let mut counted = 0;
                    for solution in Ask::new(&formula).solutions() {
                        let solution = solution.unwrap();
                        let sum = (0..n as u32).filter(|&var| solution.is_true(Lit::new(var, var % 3 == 1))).count();
                        for (at, (relation, _)) in said.iter().enumerate() {
                            assert_eq!(solution.is_true(Lit::positive((n + at) as u32)), relation.allows(sum));
                        }
                        counted += 1;
                    }
                    assert_eq!(counted, 1 << n, "{said:?} by {enc}");
                    let cnf = formula.encode().unwrap();
                    assert_eq!(formula.size().vars as usize, cnf.n_vars() - formula.n_vars());
                    assert_eq!(formula.size().clauses as usize, cnf.n_clauses());
                    if formula.is_for_counting() {
                        let clauses = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
                        assert_eq!(Ask::new(&clauses).count(100).unwrap(), 1 << n, "{said:?} by {enc}");
                    }
                }
            }
        }
    }
    assert!(shared > 150, "{shared}");
}

/// Bounds that are far apart, by other names, or under another condition, have counters of their own.
#[test]
fn counters_of_their_own() {
    let far = [(Relation::AtLeast(2), false), (Relation::AtLeast(99), false)];
    let (both, alone) = sizes(100, &far, CardEncoding::Auto);
    assert_eq!(both, alone);
    // Those that are near share one, beside the others.
    let near = [far[0], (Relation::AtMost(2), true), far[1]];
    let (three, alone) = sizes(100, &near, CardEncoding::Auto);
    let (two, _) = sizes(100, &near[..2], CardEncoding::Auto);
    assert!(three.cost() < alone.cost());
    assert_eq!(three, two + sizes(100, &far[1..], CardEncoding::Auto).0);

    let mut formula = Formula::with_vars(14);
    let x: Vec<Lit> = (0..14).map(Lit::positive).collect();
    formula.iff_at_most(x[10], &x[..10], 5, CardEncoding::Auto).unwrap();
    let one = formula.size();
    formula.when([x[13]]).iff_at_most(x[11], &x[..10], 5, CardEncoding::Auto).unwrap();
    let two = formula.size();
    assert!(two.cost() >= 2 * one.cost());
    formula.iff_at_most(x[12], &x[..10], 5, CardEncoding::Totalizer).unwrap();
    assert!(formula.size().cost() > two.cost() + one.cost() / 2);
}
