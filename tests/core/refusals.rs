//! Announced before the first clause, and nothing left behind by a refusal: over all small shapes, with conditions and
//! reifying literals that are among the literals, given twice, or contradict each other.

use std::fmt::Debug;

use cnfkit::{
    AmoEncoding, CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Constraint, Formula, Lit, PbEncoding,
    PbRelation, Relation, Size, Terms, Var,
};

/// A formula that keeps the largest size that was announced for it before its first clause.
struct Announced {
    cnf: Cnf,
    most: Size,
}

impl ClauseSink for Announced {
    type Error = CapacityError;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        self.cnf.add_clause(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.cnf.new_lit()
    }

    fn next_var(&self) -> Var {
        self.cnf.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), CapacityError> {
        let (most, whole) = (&mut self.most, self.cnf.size() + *size);
        if self.cnf.n_clauses() == 0 {
            most.vars = most.vars.max(whole.vars);
            most.clauses = most.clauses.max(whole.clauses);
            most.lits = most.lits.max(whole.lits);
        }
        self.cnf.reserve(size)
    }
}

/// Literals, a reifying literal, conditions, a relation, and what it is encoded by.
#[derive(Clone, Debug)]
struct Shape {
    lits: Vec<Lit>,
    relation: Relation,
    iff: Option<Lit>,
    /// The conditions of one `when` after the other.
    conditions: Vec<Vec<Lit>>,
}

const INPUTS: usize = 5;

impl Shape {
    fn post<S: ClauseSink + ?Sized>(&self, sink: &mut S, enc: &CardEncoding) -> Result<(), S::Error> {
        match &self.conditions[..] {
            [] => self.say(sink, enc),
            [one] => self.say(&mut sink.when(one), enc),
            [one, other, ..] => self.say(&mut sink.when(one).when(other), enc),
        }
    }

    fn say<S: ClauseSink + ?Sized>(&self, sink: &mut S, enc: &CardEncoding) -> Result<(), S::Error> {
        match (self.iff, self.relation) {
            (None, Relation::AtMost(1)) if self.lits.len() % 2 == 1 => {
                sink.at_most_one(&self.lits, &AmoEncoding::Card(*enc))
            }
            (None, relation) => sink.cardinality(&self.lits, relation, enc),
            (Some(r), relation) => sink.post(&Constraint::count(&self.lits, relation).iff(r), enc),
        }
    }
}

fn shapes() -> Vec<Shape> {
    let x = |number: i32| Lit::from_ipasir(number).unwrap();
    let lits = |numbers: &[i32]| numbers.iter().copied().map(x).collect::<Vec<Lit>>();
    let slices: [&[i32]; 17] = [
        &[],
        &[1],
        &[-1],
        &[1, 1],
        &[1, -1],
        &[1, 2],
        &[-1, 2],
        &[1, 2, 1],
        &[2, 1, 3],
        &[1, 2, 3],
        &[1, -2, -3],
        &[1, 1, 2, 2],
        &[1, 1, 1, 2],
        &[1, 2, 2, 3],
        &[1, 2, 3, 4],
        &[-1, 2, -3, 4],
        &[1, -1, 2, 3],
    ];
    let reifiers = [None, Some(1), Some(-1), Some(2), Some(5), Some(-5)];
    let conditions: [&[&[i32]]; 12] = [
        &[],
        &[&[1]],
        &[&[-1]],
        &[&[5]],
        &[&[1, 1]],
        &[&[1, -1]],
        &[&[2, -5]],
        &[&[5], &[5]],
        &[&[5], &[-5]],
        &[&[1], &[-2]],
        &[&[-5], &[1, 1]],
        &[&[]],
    ];
    let mut shapes = Vec::new();
    for slice in slices {
        for k in (0..=slice.len() + 1).chain([usize::MAX]) {
            for relation in [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)] {
                for iff in reifiers {
                    for cond in conditions {
                        shapes.push(Shape {
                            lits: lits(slice),
                            relation,
                            iff: iff.map(x),
                            conditions: cond.iter().map(|cond| lits(cond)).collect(),
                        });
                    }
                }
            }
        }
    }
    shapes
}

/// From what is there to what was announced, one component at a time.
fn limits(there: Size, announced: Size) -> impl Iterator<Item = Size> {
    let vars = (there.vars..=announced.vars).map(move |vars| Size { vars, ..announced });
    let clauses = (there.clauses..=announced.clauses).map(move |clauses| Size { clauses, ..announced });
    let lits = (there.lits..=announced.lits).map(move |lits| Size { lits, ..announced });
    vars.chain(clauses).chain(lits)
}

/// Something that is posted to any sink.
trait Post: Debug {
    fn post<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error>;
}

impl Post for (&Shape, &CardEncoding) {
    fn post<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.0.post(sink, self.1)
    }
}

fn check(shape: &impl Post) -> usize {
    let what: &dyn Debug = shape;
    let empty = Cnf::with_vars(INPUTS);
    let mut spy = Announced { most: empty.size(), cnf: empty.clone() };
    shape.post(&mut spy).unwrap();
    let (came, announced, whole) = (spy.cnf.size(), spy.most, spy.cnf);
    assert!(came.fits(&announced), "{what:?}: announced {announced}, came {came}");
    let mut refused = 0;
    for limit in limits(empty.size(), announced) {
        let mut cnf = empty.clone().with_limit(limit);
        let before = cnf.clone();
        match shape.post(&mut cnf) {
            Ok(()) => {
                assert!(cnf.clauses().eq(whole.clauses()) && cnf.n_vars() == whole.n_vars(), "{what:?} within {limit}");
            }
            Err(error) => {
                assert!(cnf == before, "{what:?} within {limit}: {} are left behind", cnf.size());
                assert!(!error.needed.fits(&limit), "{what:?}: {error}");
                refused += 1;
            }
        }
    }
    let mut cnf = empty.with_limit(announced);
    shape.post(&mut cnf).unwrap_or_else(|error| panic!("{what:?}: {error} after {announced} were announced"));
    refused
}

#[test]
fn all_is_announced_and_a_refusal_leaves_nothing_behind() {
    let shapes = shapes();
    let mut refused = 0;
    for (at, shape) in shapes.iter().enumerate() {
        // Every shape with some encodings, every encoding with some shapes.
        for step in 0..3 {
            refused += check(&(shape, &CardEncoding::ALL[(at + 5 * step) % CardEncoding::ALL.len()]));
        }
    }
    assert!(shapes.len() > 15_000 && refused > 200_000, "{} shapes, {refused} refusals", shapes.len());
}

/// Weighted literals in groups, and the rest as in a [`Shape`].
#[derive(Clone, Debug)]
struct Sum {
    terms: Vec<(Lit, u64)>,
    ends: Vec<usize>,
    relation: PbRelation,
    iff: Option<Lit>,
    cond: Vec<Lit>,
    enc: PbEncoding,
}

impl Post for Sum {
    fn post<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        let Self { relation, enc, .. } = self;
        let terms =
            if self.ends.is_empty() { Terms::new(&self.terms) } else { Terms::grouped(&self.terms, &self.ends) };
        match (self.iff, &self.cond[..]) {
            (None, []) => sink.pb_grouped(&terms, *relation, enc),
            (None, cond) => sink.when(cond).pb_grouped(&terms, *relation, enc),
            (Some(r), []) => sink.pb_iff_grouped(r, &terms, *relation, enc),
            (Some(r), cond) => sink.when(cond).pb_iff_grouped(r, &terms, *relation, enc),
        }
    }
}

fn sums() -> Vec<Sum> {
    let x = |number: i32| Lit::from_ipasir(number).unwrap();
    let all: [(&[(i32, u64)], &[usize]); 9] = [
        (&[(1, 3), (2, 2)], &[]),
        (&[(1, 3), (-2, 2), (3, 2)], &[]),
        (&[(1, 2), (1, 2), (2, 1), (-2, 3), (3, 2)], &[]),
        (&[(1, 3), (2, 4), (-3, 5), (4, 2)], &[]),
        (&[(1, 3), (2, 3), (3, 3), (4, 3)], &[]),
        (&[(1, 7), (2, 4), (3, 2), (4, 1)], &[2, 4]),
        (&[(1, 5), (2, 4), (3, 3), (4, 3)], &[3, 4]),
        (&[(1, u64::MAX), (2, u64::MAX - 1), (3, 5)], &[]),
        (&[(1, 0), (2, 6), (3, 4), (4, 10)], &[]),
    ];
    let mut sums = Vec::new();
    for (at, (terms, ends)) in all.into_iter().enumerate() {
        let terms: Vec<(Lit, u64)> = terms.iter().map(|&(number, weight)| (x(number), weight)).collect();
        for bound in [0, 1, 3, 4, 5, 6, 8, 11, u64::MAX - 1, u64::MAX] {
            let relations = [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)];
            for (relation, iff, cond) in relations.into_iter().flat_map(|relation| {
                [(None, &[][..]), (None, &[5]), (None, &[1, -1]), (Some(5), &[]), (Some(-1), &[]), (Some(2), &[5])]
                    .map(|(iff, cond): (Option<i32>, &[i32])| (relation, iff, cond))
            }) {
                let enc = PbEncoding::ALL[(at + sums.len()) % PbEncoding::ALL.len()];
                let cond = cond.iter().map(|&number| x(number)).collect();
                sums.push(Sum { terms: terms.clone(), ends: ends.to_vec(), relation, iff: iff.map(x), cond, enc });
            }
        }
    }
    sums
}

#[test]
fn sums_are_announced_and_a_refusal_leaves_nothing_behind() {
    let sums = sums();
    let refused: usize = sums.iter().map(check).sum();
    assert!(sums.len() > 1_500 && refused > 20_000, "{} sums, {refused} refusals", sums.len());
}

/// A formula that keeps sums refuses them whole when it is encoded.
#[test]
fn a_formula_with_sums_is_refused_whole() {
    for sum in sums().iter().filter(|sum| sum.enc == PbEncoding::Auto) {
        let mut formula = Formula::with_vars(INPUTS);
        sum.post(&mut formula).unwrap();
        let size = formula.size();
        let mut cnf = Cnf::with_vars(INPUTS);
        let before = cnf.size();
        formula.encode_into(&mut cnf).unwrap();
        let auxiliaries = Size { vars: cnf.size().vars - formula.n_vars() as u64, ..cnf.size() };
        assert_eq!(auxiliaries, size, "{sum:?}");
        if cnf.size() != before {
            let limit = Size { clauses: cnf.size().clauses - 1, ..Cnf::DEFAULT_LIMIT };
            let mut small = Cnf::with_vars(INPUTS).with_limit(limit);
            formula.encode_into(&mut small).unwrap_err();
            assert_eq!(small.size(), before, "{sum:?}");
        }
    }
}

/// Literals that the sink does not know are a caller's bug, as for counts; also where their weight is 0.
#[test]
fn unknown_literals_of_sums_panic() {
    let unknown = Lit::positive(7);
    let known = Lit::positive(0);
    let posts: [fn(&mut Cnf, Lit, Lit) -> Result<(), CapacityError>; 5] = [
        |cnf, known, unknown| cnf.pb_at_most(&[(known, 1), (unknown, 2)], 2, &PbEncoding::Auto),
        |cnf, known, unknown| cnf.pb_at_least(&[(known, 1), (unknown, 0)], 0, &PbEncoding::Auto),
        |cnf, known, unknown| cnf.pb_iff_exactly(unknown, &[(known, 1)], 1, &PbEncoding::Auto),
        |cnf, known, unknown| cnf.pb_iff_at_least(known, &[(unknown, 1)], 0, &PbEncoding::Auto),
        |cnf, known, unknown| {
            cnf.pb_grouped(&Terms::grouped(&[(known, 1), (unknown, 2)], &[2]), PbRelation::AtMost(9), &PbEncoding::Auto)
        },
    ];
    for post in posts {
        let mut cnf = Cnf::with_vars(5);
        let posted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| post(&mut cnf, known, unknown)));
        let message = posted.unwrap_err();
        assert!(message.downcast_ref::<String>().is_some_and(|text| text.contains("not known to the sink")));
        assert_eq!(cnf.n_clauses(), 0);
    }
}
