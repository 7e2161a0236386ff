//! `Formula::detect`: at-most-ones that are planted are found, nothing that is found is false, and no model is lost.

#[cfg(feature = "batsat")]
mod figures;
mod meaning;
mod planted;
mod size;
mod textbook;

use std::collections::{BTreeMap, BTreeSet};

use cnfkit::{ClauseSink, Cnf, Formula, Lit, Relation};
use cnfkit_properties::cases;
use planted::{By, Planted, Random, Recipe};

fn of_cnf(cnf: &Cnf) -> Formula {
    let mut formula = Formula::with_vars(cnf.n_vars());
    cnf.clauses().for_each(|clause| formula.add_clause(clause).unwrap());
    formula
}

/// The literals that unit propagation derives from a literal.
struct Propagation {
    watches: Vec<Vec<usize>>,
    clauses: Vec<Vec<Lit>>,
}

impl Propagation {
    fn new(cnf: &Cnf) -> Self {
        let mut watches = vec![Vec::new(); 2 * cnf.n_vars()];
        let clauses: Vec<Vec<Lit>> = cnf.clauses().map(<[Lit]>::to_vec).collect();
        for (index, clause) in clauses.iter().enumerate() {
            clause.iter().for_each(|lit| watches[lit.lidx()].push(index));
        }
        Self { watches, clauses }
    }

    /// All literals that follow; none if that is a contradiction.
    fn from(&self, lit: Lit) -> Option<BTreeSet<Lit>> {
        let (mut implied, mut queue) = (BTreeSet::from([lit]), vec![lit]);
        while let Some(lit) = queue.pop() {
            for &clause in &self.watches[(!lit).lidx()] {
                let open: Vec<Lit> =
                    self.clauses[clause].iter().copied().filter(|&lit| !implied.contains(&!lit)).collect();
                match open[..] {
                    [] => return None,
                    [unit] if implied.insert(unit) => queue.push(unit),
                    _ => {}
                }
            }
        }
        Some(implied)
    }
}

/// Families of encodings, with how many were planted, found, and found with exactly their literals.
type Rates = BTreeMap<String, [usize; 3]>;

fn check(cnf: &Cnf, planted: &[Planted], rates: &mut Rates) {
    let formula = of_cnf(cnf);
    let detected = formula.detect();
    assert!(detected.is_complete());
    let found: Vec<(BTreeSet<Lit>, Relation)> =
        detected.constraints().filter_map(|c| Some((c.lits().collect(), c.counted()?.1))).collect();
    let mut with: BTreeMap<Lit, Vec<usize>> = BTreeMap::new();
    for (index, (lits, _)) in found.iter().enumerate() {
        lits.iter().for_each(|&lit| with.entry(lit).or_default().push(index));
    }
    for Planted { lits, exactly, by } in planted {
        let lits: BTreeSet<Lit> = lits.iter().copied().collect();
        let candidates = with.get(lits.first().unwrap()).map_or(&[][..], |list| list);
        let covering = || candidates.iter().map(|&index| &found[index]).filter(|(other, _)| lits.is_subset(other));
        let same = covering().any(|(other, relation)| {
            other.len() == lits.len() && *relation == if *exactly { Relation::Exactly(1) } else { Relation::AtMost(1) }
        });
        let rate = rates.entry(by.family()).or_default();
        rate[0] += 1;
        rate[1] += usize::from(covering().next().is_some());
        rate[2] += usize::from(same);
    }
    // All that is found follows.
    let propagation = Propagation::new(cnf);
    for (lits, relation) in &found {
        assert!(
            *relation == Relation::AtMost(1) || cnf.clauses().any(|clause| clause.iter().all(|l| lits.contains(l)))
        );
        for &lit in lits {
            if let Some(implied) = propagation.from(lit) {
                assert!(lits.iter().all(|&other| other == lit || implied.contains(&!other)), "{lits:?}");
            }
        }
    }
}

fn print(rates: &Rates) {
    for (family, [planted, found, same]) in rates {
        println!("{family:12} {planted:6} planted, {found:6} found, {same:6} with the same literals and relation");
    }
}

/// The seeds are others than those that the search was tuned on, which were below 100, from 1000 on, and from 5000 on.
#[test]
fn planted_at_most_ones_are_found() {
    let mut rates = Rates::new();
    for seed in 0..cnfkit_properties::cases(8, 20) {
        let threes = [200, 300, 500, 800][seed as usize % 4];
        let recipe = Recipe { inputs: 600, amos: 20, most: 200, twos: 20, threes };
        let (cnf, planted) = planted::formula(recipe, &By::all(), &mut Random(9_000 + u64::from(seed)));
        check(&cnf, &planted, &mut rates);
    }
    print(&rates);
    // From about 28 literals on, the smallest encoding has clauses of three auxiliaries: its parts are found then.
    rates.remove("smallest");
    // An input that is nowhere else but in clauses of two is taken for an auxiliary: one at-most-one may lack it.
    for (family, [planted, found, _]) in rates {
        assert!(100 * (found + 1) >= 95 * planted, "{family}: {found} of {planted}");
    }
}

#[test]
fn rows_columns_and_boxes_are_found() {
    // A Sudoku of side 9 with every group in another encoding; every variable is in four groups.
    let mut rates = Rates::new();
    let step = cases(3, 1) as usize;
    let groups = |kind: usize| {
        (0..81).map(move |at| {
            let (a, b) = (at / 9, at % 9);
            (0..9).map(move |c| match kind {
                0 => (a * 9 + b) * 9 + c,
                1 => (a * 9 + c) * 9 + b,
                2 => (c * 9 + a) * 9 + b,
                _ => ((a / 3 * 3 + c / 3) * 9 + a % 3 * 3 + c % 3) * 9 + b,
            })
        })
    };
    let is_taken = |at: usize, by: &By| matches!(by, By::Crate(_)) || at.is_multiple_of(step);
    for (_, by) in By::all().into_iter().enumerate().filter(|(at, by)| is_taken(*at, by)) {
        let mut cnf = Cnf::new();
        let x = cnf.new_lits(729);
        let mut planted = Vec::new();
        for group in (0..4).flat_map(groups) {
            let lits: Vec<Lit> = group.map(|var| x[var]).collect();
            by.write(&mut cnf, &lits);
            cnf.add_clause(&lits).unwrap();
            planted.push(Planted { lits, exactly: true, by });
        }
        check(&cnf, &planted, &mut rates);
    }
    print(&rates);
    // Groups share pairs, and a clause pays once: where an encoding has no clause to spare, some groups stay clauses.
    assert!(rates.values().all(|[planted, found, same]| 100 * found >= 85 * planted && found == same), "{rates:?}");
    for family in ["bimander", "bitwise", "ladder", "pairwise", "product"] {
        assert!(rates[family][0] == rates[family][1], "{family}: {rates:?}");
    }
}

/// Nothing takes long: a literal in very many clauses of two, many of them at random, one large clique.
#[test]
fn large_and_hostile_formulas_take_bounded_work() {
    let mut random = Random(7);
    let mut star = Formula::with_vars(200_001);
    let lit = |var: usize| Lit::positive(var as u32);
    (1..=200_000).for_each(|var| star.add_clause(&[!lit(0), !lit(var)]).unwrap());
    let mut two_stars = Formula::with_vars(100_002);
    for var in 2..100_002 {
        two_stars.add_clause(&[!lit(0), !lit(var)]).unwrap();
        two_stars.add_clause(&[!lit(1), !lit(var)]).unwrap();
    }
    let mut chain = Formula::with_vars(100_000);
    (1..100_000).for_each(|var| chain.add_clause(&[!lit(var - 1), lit(var)]).unwrap());
    for (formula, most) in [(&star, 20_000_000), (&two_stars, 20_000_000), (&chain, 20_000_000)] {
        let detected = formula.detect();
        assert!(detected.is_complete() && detected.work() < most, "{}", detected.work());
        assert_eq!(detected.constraints().len(), 0);
    }
    let mut dense = Formula::with_vars(700);
    for _ in 0..100_000 {
        dense.add_clause(&random.lits(&(0..700).map(lit).collect::<Vec<_>>(), 2)).unwrap();
    }
    for most in [0, 1_000, 1_000_000, 20_000_000] {
        let detected = dense.detect_within(most);
        assert!(!detected.is_complete() && detected.work() < 2 * most + 1_000_000, "{most}: {}", detected.work());
    }
    let mut clique = Formula::with_vars(1_000);
    for (a, b) in (0..1_000).flat_map(|a| (0..a).map(move |b| (a, b))) {
        clique.add_clause(&[!lit(a), !lit(b)]).unwrap();
    }
    let detected = clique.detect();
    assert_eq!((detected.constraints().len(), detected.replaced().len()), (1, 499_500));
    assert!(detected.work() < 10_000_000, "{}", detected.work());
}

/// A million clauses of two by lot over 2,000 variables: cliques are small and very many.
#[test]
#[ignore = "takes seconds; prints the time"]
fn a_million_clauses_of_two() {
    let mut random = Random(9);
    let vars: Vec<Lit> = (0..2_000).map(Lit::positive).collect();
    let mut dense = Formula::with_vars(2_000);
    for _ in 0..1_000_000 {
        dense.add_clause(&random.lits(&vars, 2)).unwrap();
    }
    let start = std::time::Instant::now();
    let detected = dense.detect();
    println!("{:?}, {} constraints, {} steps", start.elapsed(), detected.constraints().len(), detected.work());
    assert!(detected.constraints().len() > 1_000 && detected.work() < 2 * Formula::DETECT_WORK);
}
