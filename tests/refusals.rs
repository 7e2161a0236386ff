//! Announced before the first clause, and nothing left behind by a refusal: over all small shapes, with conditions and
//! reifying literals that are among the literals, given twice, or contradict each other.

use std::fmt::Debug;

use cnfkit::{AmoEncoding, CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Lit, Relation, Size, Var};

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
            (Some(r), Relation::AtMost(k)) => sink.iff_at_most(r, &self.lits, k, enc),
            (Some(r), Relation::AtLeast(k)) => sink.iff_at_least(r, &self.lits, k, enc),
            (Some(r), Relation::Exactly(k)) => sink.iff_exactly(r, &self.lits, k, enc),
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

fn check(shape: &Shape, enc: &CardEncoding) -> usize {
    let what: &dyn Debug = &(enc, shape);
    let empty = Cnf::with_vars(INPUTS);
    let mut spy = Announced { most: empty.size(), cnf: empty.clone() };
    shape.post(&mut spy, enc).unwrap();
    let (came, announced, whole) = (spy.cnf.size(), spy.most, spy.cnf);
    assert!(came.fits(&announced), "{what:?}: announced {announced}, came {came}");
    let mut refused = 0;
    for limit in limits(empty.size(), announced) {
        let mut cnf = empty.clone().with_limit(limit);
        let before = cnf.clone();
        match shape.post(&mut cnf, enc) {
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
    shape.post(&mut cnf, enc).unwrap_or_else(|error| panic!("{what:?}: {error} after {announced} were announced"));
    refused
}

#[test]
fn all_is_announced_and_a_refusal_leaves_nothing_behind() {
    let shapes = shapes();
    let mut refused = 0;
    for (at, shape) in shapes.iter().enumerate() {
        // Every shape with some encodings, every encoding with some shapes.
        for step in 0..3 {
            refused += check(shape, &CardEncoding::ALL[(at + 5 * step) % CardEncoding::ALL.len()]);
        }
    }
    assert!(shapes.len() > 15_000 && refused > 200_000, "{} shapes, {refused} refusals", shapes.len());
}
