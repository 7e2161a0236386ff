//! The constraints of a `Formula`: those that are said twice, named encodings, names, objectives, and limits.

use cnfkit::{
    AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit, Order, PbEncoding, Relation,
    SequentialCounter, Size, Tally, Totalizer,
};

use super::lot;

fn inputs(n: usize) -> Vec<Lit> {
    (0..n as u32).map(Lit::positive).collect()
}

#[test]
fn what_is_said_twice_or_implied_is_encoded_once() {
    let x = inputs(12);
    let not = |lits: &[Lit]| lits.iter().map(|&lit| !lit).collect::<Vec<_>>();
    let auto = CardEncoding::Auto;
    let reversed: Vec<Lit> = x.iter().rev().copied().collect();
    let size = |relation: Relation| relation.size(&auto, 12);
    let most_three = |more: &dyn Fn(&mut Formula)| {
        let mut formula = Formula::with_vars(12);
        formula.at_most(&x, 3, &auto).unwrap();
        more(&mut formula);
        assert_eq!(formula.constraints().len(), 2);
        formula.size()
    };
    assert_eq!(most_three(&|formula| formula.at_most(&reversed, 3, &auto).unwrap()), size(Relation::AtMost(3)));
    assert_eq!(most_three(&|formula| formula.at_most(&x, 5, &auto).unwrap()), size(Relation::AtMost(3)));
    assert_eq!(most_three(&|formula| formula.at_least(&not(&x), 9, &auto).unwrap()), size(Relation::AtMost(3)));
    assert_eq!(most_three(&|formula| formula.at_least(&not(&x), 10, &auto).unwrap()), size(Relation::AtMost(2)));
    assert_eq!(most_three(&|formula| formula.at_least(&x, 3, &auto).unwrap()), size(Relation::Exactly(3)));
    assert_eq!(most_three(&|formula| formula.exactly(&x, 2, &auto).unwrap()), size(Relation::Exactly(2)));
    assert_eq!(most_three(&|formula| formula.exactly(&not(&x), 10, &auto).unwrap()), size(Relation::Exactly(2)));
    assert_eq!(most_three(&|formula| formula.at_least(&x, 4, &auto).unwrap()), Size::clause(0));
    // One counter for both bounds.
    let mut between = Tally::new(12);
    between.between(&x, 2..=3, &auto).unwrap();
    assert!(between.size().cost() < (size(Relation::AtMost(3)) + size(Relation::AtLeast(2))).cost());
    assert_eq!(most_three(&|formula| formula.at_least(&x, 2, &auto).unwrap()), between.size());
    // Other literals, another condition, an order to be kept: another constraint.
    let both = size(Relation::AtMost(3)) + size(Relation::AtMost(3));
    let mut other = x.clone();
    other[0] = !other[0];
    assert_eq!(most_three(&|formula| formula.at_most(&other, 3, &auto).unwrap()), both);
    assert_eq!(most_three(&|formula| formula.keep_order().at_most(&x, 3, &auto).unwrap()), both);
    let mut twice = Formula::with_vars(14);
    for _ in 0..2 {
        twice.when(&[Lit::positive(12), Lit::negative(13)]).at_most(&x, 3, &auto).unwrap();
        twice.iff_at_most(Lit::positive(12), &x, 3, &auto).unwrap();
        twice.at_most_one(&x[..6], &AmoEncoding::Smallest).unwrap();
        twice.when(&[Lit::positive(12), Lit::negative(12)]).at_most(&x, 2, &auto).unwrap();
    }
    let mut once = Tally::new(14);
    once.when(&[Lit::positive(12), Lit::negative(13)]).at_most(&x, 3, &auto).unwrap();
    once.iff_at_most(Lit::positive(12), &x, 3, &auto).unwrap();
    once.at_most_one(&x[..6], &AmoEncoding::Smallest).unwrap();
    assert_eq!((twice.constraints().len(), twice.size()), (8, once.size()));
}

#[test]
fn named_encodings_and_kept_orders() {
    let mut lits = inputs(10);
    lits.reverse();
    // A named encoding is kept, ordered and merged as any other, and encodes what it is asked for.
    let mut formula = Formula::with_vars(10);
    formula.at_most(&lits, 3, &CardEncoding::Sequential).unwrap();
    formula.at_most(&lits, 4, &SequentialCounter::default()).unwrap();
    formula.at_most(&lits, 5, &CardEncoding::Auto).unwrap();
    assert_eq!((formula.constraints().len(), formula.n_clauses(), formula.n_vars()), (3, 0, 10));
    assert_eq!(formula.size(), Relation::AtMost(3).size(&CardEncoding::Sequential, 10));
    let mut cnf = Cnf::with_vars(10);
    let mut ordered = lits.clone();
    ordered.sort_unstable_by_key(|lit| formula.sequence().iter().position(|&var| var == lit.var()));
    cnf.keep_order().at_most(&ordered, 3, &CardEncoding::Sequential).unwrap();
    assert!(formula.encode().unwrap().clauses().zip(cnf.clauses()).all(|(one, other)| one == other));

    // One with options of its own has no name: it is written at once.
    let two_sided = Totalizer::default().two_sided(true);
    let mut formula = Formula::with_vars(10);
    formula.at_most(&lits, 3, &two_sided).unwrap();
    let mut cnf = Cnf::with_vars(10);
    cnf.at_most(&lits, 3, &two_sided).unwrap();
    assert_eq!((formula.constraints().len(), formula.clauses().eq(cnf.clauses())), (0, true));
    assert_eq!(formula.n_vars(), cnf.n_vars());

    // Other constraints pull neighbours apart; the order stays.
    let mut formula = Formula::with_vars(10);
    formula.keep_order().at_most(&lits, 3, &CardEncoding::Auto).unwrap();
    formula.at_most_one(&[lits[0], lits[5], lits[9]], &AmoEncoding::Auto).unwrap();
    let mut cnf = Cnf::with_vars(10);
    cnf.keep_order().at_most(&lits, 3, &CardEncoding::Auto).unwrap();
    assert!(formula.encode().unwrap().clauses().zip(cnf.clauses()).all(|(one, other)| one == other));
    assert_eq!(formula.constraints().next().map(|constraint| constraint.lits().collect()), Some(lits.clone()));

    // With `Order::Given` that holds for all.
    let mut formula = Formula::with_vars(10).order(Order::Given);
    formula.at_most(&lits, 3, &CardEncoding::Auto).unwrap();
    assert!(formula.encode().unwrap().clauses().eq(cnf.clauses()));
}

#[test]
fn a_sink_that_refuses_is_left_as_it_was() {
    let mut formula = Formula::new();
    let x = formula.new_lits(40);
    formula.add_clause(&x[..2]).unwrap();
    formula.exactly(&x, 20, &CardEncoding::Auto).unwrap();
    let needed = formula.size();
    let limit = |clauses| Size { clauses, ..Cnf::DEFAULT_LIMIT };
    assert!(formula.clone().with_limit(limit(needed.clauses)).encode().is_ok());
    let error = formula.clone().with_limit(limit(needed.clauses - 1)).encode().unwrap_err();
    assert_eq!((error.needed.clauses, error.needed.vars), (needed.clauses, needed.vars + 40));
    let mut cnf = Cnf::with_vars(3).with_limit(limit(needed.clauses - 1));
    formula.encode_into(&mut cnf).unwrap_err();
    assert_eq!((cnf.n_vars(), cnf.n_clauses()), (3, 0));
}

#[test]
fn names_and_the_objective_are_kept() {
    let mut formula = Formula::new();
    let x = formula.new_lits(3);
    formula.set_name(x[2].var(), "left");
    formula.set_name(x[0].var(), String::from("right"));
    formula.set_objective(x.iter().map(|&lit| (!lit, 2)));
    assert_eq!((formula.name(x[2].var()), formula.name(x[1].var())), (Some("left"), None));
    assert_eq!(formula.names().collect::<Vec<_>>(), [(x[0].var(), "right"), (x[2].var(), "left")]);
    assert_eq!(formula.objective(), [(!x[0], 2), (!x[1], 2), (!x[2], 2)]);
    formula.set_objective([(x[0], 0); 0]);
    assert!(formula.objective().is_empty());
}

#[test]
#[should_panic(expected = "is not known to the sink")]
fn an_objective_of_unknown_variables() {
    Formula::with_vars(3).set_objective([(Lit::positive(3), 1)]);
}

/// Where the reifying literal is one of the inputs, halves are kept by themselves: all of them, or nothing.
#[test]
fn a_refused_reified_bound_leaves_nothing() {
    let size = |vars, clauses| Size { vars, clauses, lits: 1_000 };
    for n in [3, 5, 7] {
        let lits = inputs(n);
        for (k, sign) in (0..=n).flat_map(|k| [(k, false), (k, true)]) {
            let r = lits[0].var().lit(sign);
            for limit in (0..40).flat_map(|most| [size(n as u64, most), size(100, most)]) {
                for exactly in [false, true] {
                    let mut formula = Formula::with_vars(n).with_limit(limit);
                    let posted = if exactly {
                        formula.iff_exactly(r, &lits, k, &CardEncoding::Auto)
                    } else {
                        formula.iff_at_most(r, &lits, k, &CardEncoding::Auto)
                    };
                    let held = formula.constraints().len() + formula.n_clauses() + formula.n_vars() - n;
                    assert!(posted.is_ok() || held == 0, "{r} iff {k} of {n}, exactly: {exactly}, within {limit}");
                }
            }
        }
    }
}

/// Bounds that follow from several constraints on the same literals are encoded: events fill their rooms. What is to be
/// small stays.
#[test]
fn sums_are_compared() {
    let said = |events: usize, enc: &CardEncoding| {
        let mut formula = Formula::new();
        let events: Vec<Vec<Lit>> = (0..events).map(|_| formula.new_lits(5)).collect();
        events.iter().for_each(|event| formula.exactly_one(event, &AmoEncoding::Auto).unwrap());
        for slot in 0..5 {
            let within: Vec<Lit> = events.iter().map(|event| event[slot]).collect();
            formula.at_most(&within, 3, enc).unwrap();
        }
        formula.size()
    };
    let sizes = |events: u64, enc: &CardEncoding, relation: Relation| {
        Relation::Exactly(1).size(&CardEncoding::Auto, 5) * events + relation.size(enc, events as usize) * 5
    };
    let (auto, smallest) = (CardEncoding::Auto, CardEncoding::Smallest);
    assert_eq!(said(15, &auto), sizes(15, &auto, Relation::Exactly(3)));
    assert_eq!(said(14, &auto), sizes(14, &auto, Relation::AtMost(3)));
    assert_eq!(said(15, &smallest), sizes(15, &smallest, Relation::AtMost(3)));
    assert_eq!([&auto, &smallest].map(|enc| said(16, enc)), [Size::clause(0) * 21; 2]);
}

/// Groups are found again by name, however many there are.
#[test]
fn many_groups_have_names() {
    let mut formula = Formula::new();
    let x = formula.new_lit();
    let begun = std::time::Instant::now();
    for round in 0..40_000 {
        formula.group(&format!("group {round}"), |formula| formula.add_clause(&[x])).unwrap();
    }
    formula.group("group 7", |formula| formula.add_clause(&[x])).unwrap();
    assert_eq!(formula.groups().len(), 40_000);
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
}

/// Soft clauses that are the same but for the order of literals have one relaxation, of the sum of their weights.
#[test]
fn equal_soft_clauses_are_one() {
    let mut text = String::from("h -1 -2 0\n");
    for round in 0..1_000 {
        let clauses = [["1 2", "2 1"][round % 2], ["-1 2", "2 -1"][round % 2], "-2 1", "1", "-1", "2 2 1"];
        clauses.iter().for_each(|clause| text.extend(["3 ", clause, " 0\n"]));
    }
    let formula = Formula::read_wcnf(text.as_bytes()).unwrap();
    assert_eq!((formula.n_relaxations(), formula.n_clauses(), formula.lits().len()), (3, 4, 2));
    let total: i64 = formula.objective().iter().map(|&(_, weight)| weight).sum();
    assert_eq!(total, 18_000);
    let mut later = formula.clone();
    later.add_soft_clause(&[Lit::positive(1), Lit::positive(0)], 2).unwrap();
    assert_eq!(later.n_relaxations(), 3);
}

/// Bounds on the same terms are one, and so are those on their negations.
#[test]
fn the_same_terms_are_encoded_once() {
    let x = inputs(6);
    let terms: Vec<(Lit, u64)> = x.iter().copied().zip([2, 3, 4, 5, 6, 7]).collect();
    let negated: Vec<(Lit, u64)> = terms.iter().map(|&(lit, weight)| (!lit, weight)).collect();
    let size = |say: &dyn Fn(&mut Formula)| {
        let mut formula = Formula::with_vars(6).order(Order::Variable);
        say(&mut formula);
        formula.size()
    };
    let auto = PbEncoding::Auto;
    let once = size(&|formula| formula.pb_at_most(&terms, 13, &auto).unwrap());
    assert!(once.clauses > 6);
    let twice = size(&|formula| {
        formula.pb_at_most(&terms, 13, &auto).unwrap();
        formula.pb_at_most(&terms, 15, &auto).unwrap();
        // At least 11 of 27 false: at most 16 true.
        formula.pb_at_least(&negated, 11, &auto).unwrap();
    });
    assert_eq!(twice, once);
    let exactly = size(&|formula| formula.pb_exactly(&terms, 13, &auto).unwrap());
    let both = size(&|formula| {
        formula.pb_at_most(&terms, 13, &auto).unwrap();
        formula.pb_at_most(&negated, 14, &auto).unwrap();
    });
    assert_eq!(both, exactly);
    let contradiction = size(&|formula| {
        formula.pb_at_most(&terms, 10, &auto).unwrap();
        formula.pb_at_least(&terms, 12, &auto).unwrap();
    });
    assert_eq!(contradiction, Size::clause(0));
}

/// Literals that exclude each other are groups: of those with 7, 5 and 4 and of those with 6 and 3 one each, 13 is the
/// most there is.
#[test]
fn groups_are_found() {
    let x = inputs(5);
    let terms = [(x[0], 7), (x[1], 5), (x[2], 4), (x[3], 6), (x[4], 3)];
    let mut alone = Formula::with_vars(5);
    alone.pb_at_most(&terms, 13, &PbEncoding::Auto).unwrap();
    assert!(alone.size().clauses > 0);
    let mut formula = Formula::with_vars(5);
    formula.pb_at_most(&terms, 13, &PbEncoding::Auto).unwrap();
    formula.exactly_one(&x[..3], &AmoEncoding::Auto).unwrap();
    formula.add_clause(&[!x[3], !x[4]]).unwrap();
    let mut tally = Tally::new(5);
    tally.exactly_one(&x[..3], &AmoEncoding::Auto).unwrap();
    assert_eq!(formula.size().clauses, tally.size().clauses + 1);
    // The same for their negations, a clique of binary clauses, and a sum from below.
    let mut formula = Formula::with_vars(5);
    let negated = terms.map(|(lit, weight)| (!lit, weight));
    formula.pb_at_least(&negated, 12, &PbEncoding::Auto).unwrap();
    for (a, b) in [(0, 1), (0, 2), (1, 2), (3, 4)] {
        formula.add_clause(&[!x[a], !x[b]]).unwrap();
    }
    assert_eq!(formula.size().clauses, 4);
}

/// A formula whose variables are renumbered, and whose parts are listed in another order, is encoded alike: the
/// clauses are the same but for the numbers. Constraints are listed in the same order here, so that their
/// auxiliaries have the same numbers.
#[test]
fn numbers_and_listing_do_not_matter() {
    const N: usize = 60;
    let mut below = lot(6);
    for _ in 0..20 {
        let mut some = |n: usize| {
            let mut lits: Vec<Lit> = inputs(N).iter().map(|lit| lit.var().lit(below(2) == 0)).collect();
            lits.sort_by_cached_key(|_| below(1 << 30));
            lits.truncate(n);
            lits
        };
        let mut clauses: Vec<Vec<Lit>> = (0..3 * N).map(|_| some(3)).collect();
        let mut constraints: Vec<Vec<Lit>> = (0..6).map(|_| some(30)).collect();
        let mut to = inputs(N);
        to.sort_by_cached_key(|_| below(1 << 30));
        let image = |lit: &Lit| if lit.vidx() < N { Lit::new(to[lit.vidx()].vidx32(), lit.is_neg()) } else { *lit };
        let encode = |clauses: &[Vec<Lit>], constraints: &[Vec<Lit>]| {
            let mut formula = Formula::with_vars(N);
            clauses.iter().for_each(|clause| formula.add_clause(clause).unwrap());
            for (lits, k) in constraints.iter().zip(5..) {
                formula.at_most(lits, k, &CardEncoding::Auto).unwrap();
            }
            formula.encode().unwrap()
        };
        let sorted = |cnf: &Cnf, image: &dyn Fn(&Lit) -> Lit| {
            let mut clauses: Vec<Vec<Lit>> = cnf.clauses().map(|clause| clause.iter().map(image).collect()).collect();
            clauses.iter_mut().for_each(|clause| clause.sort_unstable());
            clauses.sort_unstable();
            clauses
        };
        let first = sorted(&encode(&clauses, &constraints), &image);
        for lits in clauses.iter_mut().chain(&mut constraints) {
            *lits = lits.iter().map(image).collect();
            lits.sort_by_cached_key(|_| below(1 << 30));
        }
        clauses.sort_by_cached_key(|_| below(1 << 30));
        assert!(first == sorted(&encode(&clauses, &constraints), &|lit| *lit));
    }
}

/// Counts clauses, and lets nothing go on after so many questions.
struct Impatient {
    left: usize,
    tally: Tally,
}

impl ClauseSink for Impatient {
    type Error = ();

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), ()> {
        let Ok(()) = self.tally.add_clause(clause);
        Ok(())
    }

    fn go_on(&mut self) -> Result<(), ()> {
        self.left = self.left.checked_sub(1).ok_or(())?;
        Ok(())
    }

    fn new_lit(&mut self) -> Lit {
        self.tally.new_lit()
    }

    fn next_var(&self) -> cnfkit::Var {
        self.tally.next_var()
    }
}

/// A sink is asked before each sum is planned and written, under a condition too, and ends all of it.
#[test]
fn a_sink_ends_what_takes_long() {
    const SUMS: usize = 20;
    let mut random = lot(3);
    let mut formula = Formula::with_vars(7);
    for _ in 0..SUMS {
        let terms: Vec<(Lit, u64)> = inputs(7).iter().map(|&lit| (lit, 1 + random(50) as u64)).collect();
        formula.pb_at_most(&terms, 60, &PbEncoding::Auto).unwrap();
    }
    let clauses_before_the_end = |left: usize| {
        let mut sink = Impatient { left, tally: Tally::new(8) };
        let ended = formula.encode_into(&mut sink.when(&[Lit::positive(7)]));
        (ended, sink.tally.size().clauses)
    };
    let whole = (0..9 * SUMS).find(|&left| clauses_before_the_end(left).0.is_ok()).unwrap();
    assert!((2 * SUMS..3 * SUMS).contains(&whole), "{whole}");
    let clauses: Vec<u64> = (0..=whole).map(|left| clauses_before_the_end(left).1).collect();
    assert!(clauses[..=whole - SUMS].iter().all(|&clauses| clauses == 0), "{clauses:?}");
    assert!(clauses[whole - SUMS..].is_sorted_by(|a, b| a < b), "{clauses:?}");
}

/// Some of everything.
fn say<S: ClauseSink>(sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
    sink.add_clause(&lits[..3])?;
    sink.exactly_one(&lits[..9], &AmoEncoding::Auto)?;
    sink.at_most(lits, 9, &CardEncoding::Smallest)?;
    sink.at_least(&lits[3..], 7, &CardEncoding::Auto)?;
    sink.when(&lits[..2]).exactly(&lits[5..], 7, &CardEncoding::Auto)?;
    sink.iff_exactly(lits[0], &lits[4..], 6, &CardEncoding::Auto)
}

/// Sorted by variable and nothing merged, a formula is what a `Cnf` gets.
#[test]
fn the_order_by_variable_is_that_of_a_cnf() {
    let (mut formula, mut cnf) = (Formula::with_vars(20).order(Order::Variable), Cnf::with_vars(20));
    let lits: Vec<Lit> = inputs(20).iter().map(|lit| Lit::positive(lit.vidx32() * 7 % 20)).collect();
    say(&mut formula, &lits).unwrap();
    say(&mut cnf, &lits).unwrap();
    assert_eq!(formula.encode().unwrap().to_string(), cnf.to_string());
}
