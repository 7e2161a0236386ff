//! A formula as clauses: planned, ordered, announced, written.

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use super::order::{Hypergraph, positions};
use super::plan::{Item, Plan};
use super::{Formula, Order};
use crate::CardEncoding;
use crate::cnf::{CapacityError, Cnf};
use crate::constrain::Constrain;
use crate::guard::Guarded;
use crate::offer::Aim;
use crate::relation::Relation;
use crate::sink::{ClauseSink, Size, Tally, forward_sink};
use crate::through::through;

impl Formula {
    /// Everything as clauses: the clauses as they were added, then the constraints. Variables keep their numbers;
    /// auxiliaries come above them.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Order};
    /// let mut formula = Formula::with_vars(4);
    /// let x: Vec<_> = (0..4).map(cnfkit::Lit::positive).collect();
    /// formula.at_most(&x, 3, &CardEncoding::Auto).unwrap();
    /// assert_eq!(formula.encode().unwrap().to_string(), "p cnf 4 1\n-1 -2 -3 -4 0\n");
    /// ```
    ///
    /// # Errors
    /// When the whole is larger than the [limit](Self::with_limit): before anything is encoded.
    pub fn encode(&self) -> Result<Cnf, CapacityError> {
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(self.clauses.limit());
        self.encode_into(&mut cnf)?;
        Ok(cnf)
    }

    /// Everything as clauses into `sink`, in which variables `0..n_vars` are those of this formula. Those that it
    /// does not have yet are made first.
    ///
    /// # Errors
    /// As the sink fails. It gets the exact size of everything before the first clause and the first variable, so one
    /// that refuses it is left as it was.
    pub fn encode_into<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        let plan = Plan::new(self);
        let missing = self.n_vars().saturating_sub(sink.next_var().idx32() as usize);
        sink.reserve(&(self.planned_size(&plan) + Size::variables(missing as u64)))?;
        for _ in 0..missing {
            sink.new_lit();
        }
        let sink = &mut Announced(sink);
        self.clauses().try_for_each(|clause| sink.add_clause(clause))?;
        if plan.items.is_empty() {
            return Ok(());
        }
        let places = self.places(&plan);
        let mut lits: Vec<Lit> = Vec::new();
        for item in &plan.items {
            lits.clear();
            lits.extend_from_slice(plan.lits(item));
            if !item.in_order {
                places.sort(&mut lits);
            }
            // Only reified constraints have a literal there, only these look at it.
            let r = item.iff().map_or(Lit::positive(0), |(r, _)| r);
            Encode::of(item).write(sink, plan.cond(item), r, &lits)?;
        }
        Ok(())
    }

    /// The exact size of [`encode`](Self::encode)'s result: auxiliaries of constraints, clauses and literals. The
    /// formula's own variables are not counted.
    #[must_use]
    pub fn size(&self) -> Size {
        self.planned_size(&Plan::new(self))
    }

    fn planned_size(&self, plan: &Plan) -> Size {
        let clauses = Size { vars: 0, ..self.clauses.size() };
        let mut known: FxHashMap<Shape, Size> = FxHashMap::default();
        let size = |item: &Item| {
            let shape = Shape::of(item, plan.cond(item).len());
            *known.entry(shape).or_insert_with(|| shape.size())
        };
        plan.items.iter().map(size).sum::<Size>() + clauses
    }

    /// All variables in the order in which the literals of constraints are encoded: for encodings by name, which are
    /// given constraints in that order through [`keep_order`](Constrain::keep_order), and for encoders elsewhere.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(6);
    /// for (a, b) in [(0, 3), (3, 1), (1, 5)] {
    ///     formula.add_clause(&[x[a], x[b]])?;
    /// }
    /// formula.at_most(&x, 2, &CardEncoding::Auto)?;
    /// let order: Vec<u32> = formula.sequence().iter().map(|var| var.idx32()).collect();
    /// assert!(order.windows(4).any(|run| run == [0, 3, 1, 5] || run == [5, 1, 3, 0]));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub fn sequence(&self) -> Vec<Var> {
        let mut sequence: Vec<Lit> = (0..self.n_vars() as u32).map(Lit::positive).collect();
        self.places(&Plan::new(self)).sort(&mut sequence);
        sequence.into_iter().map(Lit::var).collect()
    }

    fn places(&self, plan: &Plan) -> Places {
        let lits = self.clauses.n_lits() + self.kept.n_lits() + self.kept.len();
        match self.order {
            Order::Given => Places::Given,
            Order::Formula if lits < Hypergraph::MOST => {
                let mut graph = Hypergraph::with_room(self.n_clauses() + plan.items.len(), lits);
                self.clauses().for_each(|clause| graph.add(CLAUSE, clause.iter().copied()));
                for item in &plan.items {
                    let all = plan.cond(item).iter().chain(plan.lits(item)).copied();
                    graph.add(label(item), all.chain(item.iff().map(|(r, _)| r)));
                }
                if self.n_vars() / 2 <= lits {
                    return Places::All(positions(self.n_vars(), &graph));
                }
                let vars = graph.compact();
                let positions = positions(vars.len(), &graph);
                Places::Some(vars, positions)
            }
            Order::Formula | Order::Variable => Places::Variable,
        }
    }
}

/// The place of each variable in the order of encoding.
enum Places {
    /// Literals stay as they are.
    Given,
    /// By number.
    Variable,
    /// The position of every variable.
    All(Vec<u32>),
    /// Some variables in order, and the position of each; the others, which no clause and no constraint has, come last.
    Some(Vec<u32>, Vec<u32>),
}

impl Places {
    fn sort(&self, lits: &mut [Lit]) {
        match self {
            Self::Given => {}
            Self::Variable => lits.sort_unstable_by_key(|lit| lit.vidx()),
            Self::All(positions) => lits.sort_unstable_by_key(|lit| positions[lit.vidx()]),
            Self::Some(vars, positions) => lits.sort_by_cached_key(|lit| {
                vars.binary_search(&lit.vidx32()).map_or(lit.vidx() + positions.len(), |at| positions[at] as usize)
            }),
        }
    }
}

/// The label of clauses in the hypergraph; those of constraints are others.
const CLAUSE: u64 = 1;

/// The label of an item in the hypergraph: equal for two items if they say the same of their literals.
fn label(item: &Item) -> u64 {
    let kind = item.relations().map(|relation| match relation {
        None => 0,
        Some(Relation::AtMost(k)) => 1 + 3 * k as u64,
        Some(Relation::AtLeast(k)) => 2 + 3 * k as u64,
        Some(Relation::Exactly(k)) => 3 + 3 * k as u64,
    });
    let iff = u64::from(item.iff().is_some());
    CLAUSE + 1 + iff + 2 * (kind[0].wrapping_add(kind[1].wrapping_mul(0x9E37_79B9)))
}

/// All that the size of an item depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shape {
    n: usize,
    guards: usize,
    encode: Encode,
}

impl Shape {
    fn of(item: &Item, guards: usize) -> Self {
        Self { n: item.n(), guards, encode: Encode::of(item) }
    }

    /// In closed form, or, where a condition touches some clauses only, by counting.
    fn size(self) -> Size {
        let Self { n, guards, encode } = self;
        if encode.impossible {
            return Size::clause(guards);
        }
        let encoding = encode.encoding();
        let relations = encode.relations.into_iter().chain([encode.iff]).flatten();
        let closed: Size = relations.map(|relation| relation.size(&encoding, n)).sum();
        if guards == 0 && encode.iff.is_none() {
            return closed;
        }
        let mut tally = Tally::new(n + guards + 1);
        let lits = tally.inputs();
        let (lits, others) = lits.split_at(n);
        let (&r, cond) = others.split_last().expect("one more");
        let Ok(()) = encode.write(&mut tally, cond, r, lits);
        tally.size()
    }
}

/// The way in which one item is written, whatever its literals.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Encode {
    relations: [Option<Relation>; 2],
    impossible: bool,
    iff: Option<Relation>,
    aim: Aim,
}

impl Encode {
    fn of(item: &Item) -> Self {
        let iff = item.iff().map(|(_, relation)| relation);
        let relations = if iff.is_some() { [None; 2] } else { item.relations() };
        Self { relations, impossible: item.is_impossible(), iff, aim: item.aim }
    }

    const fn encoding(self) -> CardEncoding {
        match self.aim {
            Aim::Solving => CardEncoding::Auto,
            Aim::Size => CardEncoding::Smallest,
        }
    }

    fn write<S: ClauseSink + ?Sized>(self, sink: &mut S, cond: &[Lit], r: Lit, lits: &[Lit]) -> Result<(), S::Error> {
        if cond.is_empty() { self.plain(sink, r, lits) } else { self.plain(&mut Guarded::new(sink, cond), r, lits) }
    }

    fn plain<S: ClauseSink + ?Sized>(self, sink: &mut S, r: Lit, lits: &[Lit]) -> Result<(), S::Error> {
        if self.impossible {
            return sink.add_clause(&[]);
        }
        let encoding = self.encoding();
        let Some(relation) = self.iff else {
            return through(sink, |sink| {
                self.relations.into_iter().flatten().try_for_each(|relation| write(sink, relation, lits, encoding))
            });
        };
        through(&mut sink.keep_order(), |sink| match relation {
            Relation::AtMost(k) => sink.iff_at_most(r, lits, k, &encoding),
            Relation::AtLeast(k) => sink.iff_at_least(r, lits, k, &encoding),
            Relation::Exactly(k) => sink.iff_exactly(r, lits, k, &encoding),
        })
    }
}

/// The literals are distinct and in order: an encoder may have them as they are.
fn write<S>(sink: &mut S, relation: Relation, lits: &[Lit], encoding: CardEncoding) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
{
    match relation {
        Relation::AtMost(0) | Relation::Exactly(0) => lits.iter().try_for_each(|&lit| sink.add_clause(&[!lit])),
        Relation::AtLeast(k) | Relation::Exactly(k) if k == lits.len() => {
            lits.iter().try_for_each(|&lit| sink.add_clause(&[lit]))
        }
        _ => relation.encode(&encoding, sink, lits),
    }
}

/// A sink that was told the size of everything: parts announce themselves no more, because some know only an upper
/// bound.
struct Announced<'a, S: ?Sized>(&'a mut S);

impl<S: ClauseSink + ?Sized> ClauseSink for Announced<'_, S> {
    type Error = S::Error;

    fn reserve(&mut self, _: &Size) -> Result<(), S::Error> {
        Ok(())
    }

    forward_sink!(self => self.0; add_clause, define, variables, offer, fixed, sorts_inputs);
}
