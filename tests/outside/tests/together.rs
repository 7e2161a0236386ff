//! This crate's encodings are treated as the library's own: by `Formula`, conditions, reification, orders and each
//! other.

use cnfkit::encode::{ByRelation, Full, Writer, own_name};
use cnfkit::testing::{Engine, Recorder};
use cnfkit::{
    AmoEncoding, AtMostK, CardEncoding, ClauseSink, Cnf, Combinatorial, Constrain, Constraint, Encoding, EncodingName,
    Formula, Lit, Order, Pairwise, PbEncoding, PbRelation, Relation, Size, Tally, Terms,
};
use outside::{Choice, Covers, Distinct, OpbText, Registers, Tournament};

fn inputs(n: usize) -> Vec<Lit> {
    Tally::new(n).inputs()
}

/// The sets of the first `n` variables that some values of the others complete.
fn solutions(recorder: &Recorder, n: usize) -> Vec<u32> {
    let mut engine = Engine::new(recorder);
    let sets = (0..1_u32 << n).filter(|set| {
        let mark = engine.mark();
        let mut lits = inputs(n).into_iter().map(|lit| if set >> lit.vidx() & 1 == 1 { lit } else { !lit });
        let is_allowed = lits.all(|lit| engine.assume(lit)) && engine.satisfiable();
        engine.undo(mark);
        is_allowed
    });
    sets.collect()
}

/// The models of a formula, however its constraints are encoded.
fn solutions_of(formula: &Formula, n: usize) -> Vec<u32> {
    let mut recorder = Recorder::new(n);
    let Ok(()) = formula.encode_into(&mut recorder);
    assert_eq!(recorder.size(n), recorder.announced, "what was announced is what came");
    solutions(&recorder, n)
}

/// The sets of which `holds` is true, given the number of true ones among the first `n - 1` and whether the last is.
fn expected(n: usize, holds: impl Fn(u32, bool) -> bool) -> Vec<u32> {
    let last = 1 << (n - 1);
    (0..1_u32 << n).filter(|set| holds((set & (last - 1)).count_ones(), set & last > 0)).collect()
}

const OWN: [Choice; 2] = [Choice::Own, Choice::Library(CardEncoding::Totalizer)];

#[test]
fn a_formula_says_the_same_by_any_encoding() {
    for enc in OWN {
        let mut formula = Formula::with_vars(7);
        let x = inputs(7);
        formula.when(&x[6..]).at_most(&x[..6], 2, &enc).unwrap();
        formula.keep_order().at_least(&x[..6], 2, &enc).unwrap();
        formula.at_most_one(&x[..2], &Tournament).unwrap();
        let holds = expected(7, |count, cond| count >= 2 && (!cond || count <= 2));
        let pairs: Vec<u32> = holds.into_iter().filter(|set| set & 0b11 < 0b11).collect();
        assert_eq!(solutions_of(&formula, 7), pairs, "{enc:?}");

        let mut formula = Formula::with_vars(7);
        formula.iff_exactly(x[6], &x[..6], 3, &enc).unwrap();
        assert_eq!(solutions_of(&formula, 7), expected(7, |count, r| r == (count == 3)), "{enc:?}");
    }
}

#[test]
fn a_formula_keeps_what_has_a_name() {
    let kept = |enc: &Choice| {
        let mut formula = Formula::with_vars(6);
        formula.at_most(&inputs(6), 2, enc).unwrap();
        let names: Vec<EncodingName> = formula.constraints().map(|constraint| constraint.encoding).collect();
        names
    };
    let [own, library] = OWN;
    assert_eq!(kept(&own), [own_name::<Choice>("own")]);
    assert_eq!(kept(&library), [EncodingName::Named("totalizer")]);
    assert_eq!(Encoding::encoding_name(&Registers), Some(own_name::<Registers>("registers")));
}

/// Constraints that are kept are merged, put in order, and encoded by the encoding that was asked for.
#[test]
fn a_formula_orders_what_it_keeps() {
    let mut formula = Formula::with_vars(6);
    let x = inputs(6);
    let shuffled = [x[3], x[0], x[5], x[1], x[4], x[2]];
    formula.at_most(&shuffled, 2, &Choice::Own).unwrap();
    formula.at_most(&x, 2, &Choice::Own).unwrap();
    let chain = |lits: &[Lit]| {
        let mut cnf = Cnf::with_vars(6);
        Registers.at_most(&mut cnf, lits, 2).unwrap();
        cnf
    };
    assert_eq!(formula.constraints().len(), 2);
    assert_eq!(formula.size(), AtMostK::amk_size(&Registers, 6, 2));
    assert_eq!(formula.order(Order::Variable).encode().unwrap(), chain(&x));
    let mut kept = Formula::with_vars(6);
    kept.keep_order().at_most(&shuffled, 2, &Choice::Own).unwrap();
    assert_eq!(kept.encode().unwrap(), chain(&shuffled));
}

#[test]
fn data_goes_to_any_encoding() {
    let x = inputs(6);
    let counts = [Relation::AtMost(1), Relation::AtMost(3), Relation::AtLeast(4), Relation::Exactly(2)];
    for relation in counts {
        let constraint = Constraint::count(&x[..5], relation).when(&x[5..]);
        let holds = expected(6, |count, cond| !cond || relation.allows(count as usize));
        let reified = expected(6, |count, r| r == relation.allows(count as usize));
        let all = |sink: &mut Recorder, constraint: &Constraint<'_>, at: usize| match at {
            0 => sink.post(constraint, &Choice::Own),
            1 => sink.post(constraint, &Registers),
            // It does not encode counts: the library takes over.
            _ => sink.post(constraint, &Covers::default()),
        };
        for at in 0..3 {
            let mut recorder = Recorder::new(6);
            let Ok(()) = all(&mut recorder, &constraint, at);
            assert_eq!(solutions(&recorder, 6), holds, "{relation}, {at}");
            let mut recorder = Recorder::new(6);
            let Ok(()) = all(&mut recorder, &Constraint::count(&x[..5], relation).iff(x[5]), at);
            assert_eq!(solutions(&recorder, 6), reified, "{relation}, {at}, reified");
        }
    }
}

#[test]
fn sums_go_through_every_door() {
    const WEIGHTS: [u64; 5] = [5, 4, 3, 2, 2];
    let x = inputs(6);
    let terms: Vec<(Lit, u64)> = x.iter().copied().zip(WEIGHTS).collect();
    let sum = |set: &u32| (0..5).filter(|at| set >> at & 1 == 1).map(|at| WEIGHTS[at]).sum::<u64>();
    for relation in [PbRelation::AtMost(8), PbRelation::AtLeast(6), PbRelation::Exactly(9)] {
        let holds = |set: &u32| relation.allows(sum(set));
        let sets = |allowed: &dyn Fn(&u32) -> bool| (0..64_u32).filter(allowed).collect::<Vec<u32>>();
        // The second is over its budget at once: the front door adds in binary.
        for enc in [Covers::default(), Covers { budget: 3 }] {
            let mut formula = Formula::with_vars(6);
            formula.when(&x[5..]).pb(&terms, relation, &enc).unwrap();
            assert_eq!(solutions_of(&formula, 6), sets(&|set| set >> 5 == 0 || holds(set)), "{relation}");
            let mut formula = Formula::with_vars(6);
            formula.pb_iff_grouped(x[5], &Terms::new(&terms), relation, &enc).unwrap();
            assert_eq!(solutions_of(&formula, 6), sets(&|set| (set >> 5 == 1) == holds(set)), "{relation}");
        }
    }
    let constraint = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(8));
    assert!(Covers { budget: 3 }.plan(&constraint).is_none());
}

/// Sums by an encoding of this crate are kept, merged with what is known of their literals, and written by it at last.
#[test]
fn a_formula_keeps_sums() {
    let mut formula = Formula::with_vars(5);
    let x = inputs(5);
    let terms = [(x[3], 5), (x[0], 4), (x[2], 3), (x[1], 2)];
    formula.pb_at_most(&terms, 8, &Covers::default()).unwrap();
    formula.pb_at_most(&terms, 8, &Covers::default()).unwrap(); // once more
    formula.when(x[4]).pb_at_least(&terms, 5, &Covers::default()).unwrap();
    assert_eq!(formula.n_clauses(), 0);
    let kept: Vec<EncodingName> = formula.constraints().map(|constraint| constraint.encoding).collect();
    assert_eq!(kept, [own_name::<Covers>("covers"); 3]);
    let weights = |set: &u32| [4_u32, 2, 3, 5].iter().enumerate().map(|(at, weight)| (set >> at & 1) * weight).sum();
    let holds = |set: &u32| {
        let sum: u32 = weights(set);
        sum <= 8 && (set >> 4 == 0 || sum >= 5)
    };
    assert_eq!(solutions_of(&formula, 5), (0..32).filter(holds).collect::<Vec<u32>>());
    // No auxiliaries: the clauses of covers, not those of another encoding.
    assert_eq!(formula.encode().unwrap().n_vars(), 5);
    assert_eq!(formula.size().clauses, formula.encode().unwrap().n_clauses() as u64);
    // With other options the clauses come at once.
    formula.pb_at_most(&terms, 9, &Covers { budget: 99 }).unwrap();
    assert_eq!((formula.constraints().len(), formula.n_clauses() > 0), (3, true));
}

#[test]
fn the_sink_keeps_what_it_knows() {
    let x = inputs(6);
    let mut text = OpbText::with_vars(6);
    let Ok(()) = text.at_most(&x[..5], 2, &Registers);
    let Ok(()) = text.pb_at_least([(x[0], 4), (!x[1], 3), (x[2], 2), (x[3], 2)], 6, PbEncoding::Auto);
    let Ok(()) = text.add_clause(&[!x[0], x[5]]);
    let lines = [
        "* #variable= 6 #constraint= 3",
        "-1 x1 -1 x2 -1 x3 -1 x4 -1 x5 >= -2 ;",
        "+2 x1 +1 ~x2 +1 x3 +1 x4 >= 3 ;",
        "+1 ~x1 +1 x6 >= 1 ;\n",
    ];
    assert_eq!(text.to_string(), lines.join("\n"));

    // Under a condition, or reified: clauses.
    let mut text = OpbText::with_vars(6);
    let Ok(()) = text.when(&x[5..]).at_most(&x[..5], 2, &Registers);
    let Ok(()) = text.iff_at_least(x[5], &x[..5], 2, CardEncoding::Auto);
    let text = text.to_string();
    assert!(text.lines().skip(1).all(|line| line.ends_with(">= 1 ;")), "{text}");
    let read = Formula::read_opb(text.as_bytes()).unwrap();
    let holds = |count: u32, last: bool| (!last || count <= 2) && last == (count >= 2);
    assert_eq!(solutions_of(&read, 6), expected(6, holds));
}

#[test]
fn the_layer_passes_on_all_else() {
    let mut cnf = Cnf::with_vars(6);
    let x = inputs(6);
    let mut distinct = Distinct::new(&mut cnf);
    distinct.at_most(&x[..4], 2, Combinatorial).unwrap();
    distinct.at_most(&x[1..5], 2, Combinatorial).unwrap();
    distinct.when(&x[5..]).at_most_one(&x[..2], Pairwise).unwrap();
    distinct.when(&x[5..]).at_most_one(&x[..3], Pairwise).unwrap();
    // Of 4 + 4 clauses one came before, of 1 + 3 as well.
    assert_eq!(cnf.n_clauses(), 10);

    let mut formula = Formula::with_vars(6);
    let mut distinct = Distinct::new(&mut formula);
    distinct.keep_order().at_most(&x, 2, CardEncoding::Auto).unwrap();
    distinct.at_most_one(&x[..3], AmoEncoding::Smallest).unwrap();
    let kept: Vec<(usize, bool)> = formula.constraints().map(|kept| (kept.lits().count(), kept.in_order)).collect();
    assert_eq!(kept, [(6, true), (3, false)]);
}

/// It says that it adds less than it does.
struct Understated;

impl ByRelation for Understated {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        relation.encode(&Combinatorial, to, lits)
    }

    fn size(&self, _: usize, relation: Relation) -> Size {
        Size::clause(relation.bound() + 1)
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "1 clauses, 3 literals; written: 0 variables, 10 clauses, 30 literals")]
fn a_wrong_size_is_noticed_at_the_front_door() {
    let _ = Cnf::with_vars(5).at_most(&inputs(5), 2, &Understated);
}
