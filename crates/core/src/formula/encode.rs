//! A formula as clauses: planned, ordered, announced, written.

use std::cell::Cell;
use std::convert::Infallible;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::{Lit, Var};

use super::order::{Hypergraph, positions};
use super::pb::{Exclusions, PbItem, PbItems, Plans};
use super::plan::{Item, Plan};
use super::shape::{Shape, Writer};
use super::{Formula, Order};
use crate::PbEncoding;
use crate::cnf::{CapacityError, Cnf};
use crate::constrain::Constrain;
use crate::encode::Terms;
use crate::guard::Guarded;
use crate::offer::Aim;
use crate::relation::{PbRelation, Relation};
use crate::sink::{ClauseSink, Size, Tally, forward_sink};
use crate::through::through;

impl Formula {
    /// Everything as clauses: the clauses as they were added, then the constraints. Variables keep their numbers;
    /// auxiliaries come above them, after those that [vanished](crate::Detected::auxiliaries) in detection.
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
        let all = self.all(Plans::ROOM);
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(self.clauses.limit());
        cnf.reserve(&all.size)?;
        cnf.append(&self.clauses);
        self.write(all, &mut cnf, &mut |_| {})?;
        Ok(cnf)
    }

    /// Everything as clauses into `sink`, in which variables `0..n_vars` are those of this formula. Those that it
    /// does not have yet are made first.
    ///
    /// # Errors
    /// As the sink fails. It gets the exact size of everything before the first clause and the first variable, so one
    /// that refuses it is left as it was.
    pub fn encode_into<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        let all = self.all(Plans::ROOM);
        let missing = self.n_vars().saturating_sub(sink.next_var().idx32() as usize);
        sink.reserve(&(all.size + Size::variables(missing as u64)))?;
        for _ in 0..missing {
            sink.new_lit();
        }
        self.clauses().try_for_each(|clause| sink.add_clause(clause))?;
        self.write(all, sink, &mut |_| {})
    }

    /// The constraints to encode, with their size and that of the clauses. Plans of sums of up to `room` literals are
    /// kept.
    fn all(&self, room: u64) -> All {
        let plan = Plan::new(self);
        // The size of a count depends on the number of its literals alone, that of a sum of weights on their order too.
        let (mut sums, mut places) = (PbItems::default(), None);
        if !self.pb.is_empty() {
            sums = self.sums(&plan);
            let order = self.places_for(&plan, &sums);
            Self::arrange(&mut sums, &order);
            if self.order == Order::Formula {
                sums.put_opposed_last();
            }
            places = Some(order);
        }
        let plans = Plans::new(room);
        let spare = self.spare();
        let size = self.planned_size(&plan, spare.len() as u64) + self.size_of_sums(&sums, &plans);
        plans.begin_again();
        All { plan, sums, places, plans, spare, size }
    }

    /// Writes constraints, whose size was announced, and says beforehand what it is going to write.
    fn write<S: ClauseSink + ?Sized>(
        &self,
        all: All,
        sink: &mut S,
        mark: &mut dyn FnMut(Part<'_>),
    ) -> Result<(), S::Error> {
        let All { plan, sums, places, plans, spare, .. } = all;
        if plan.items.is_empty() && sums.is_empty() {
            return Ok(());
        }
        let sink = &mut Announced { sink, spare: spare.into_iter() };
        let places = places.unwrap_or_else(|| self.places_for(&plan, &sums));
        let mut lits: Vec<Lit> = Vec::new();
        let mut writer = Writer::default();
        for item in &plan.items {
            mark(Part::Count(item.from));
            lits.clear();
            lits.extend_from_slice(plan.lits(item));
            if !item.in_order {
                places.sort(&mut lits);
            }
            writer.write(sink, item, plan.cond(item), &lits)?;
        }
        sink.spare = Vec::new().into_iter(); // the auxiliaries of sums have numbers that follow each other
        sums.iter().try_for_each(|item| {
            mark(Part::Sum(&item.from));
            write_sum(item, sink, &plans)
        })
    }

    /// What the clauses of [`encode`](Self::encode)'s result come from.
    #[doc(hidden)]
    #[must_use]
    pub fn origins(&self) -> Origins {
        let own = self.n_clauses() as u64;
        let count = Cell::new(own);
        let all = self.all(Plans::ROOM);
        let mut merged: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for &(first, other) in &all.plan.merged {
            merged.entry(first).or_default().push(other as usize);
        }
        let mut parts = Vec::new();
        let mut tally = Counted { tally: Tally::new(self.n_vars()), count: &count };
        let Ok(()) = self.write(all, &mut tally, &mut |part| {
            let origin = match part {
                Part::Count(first) => {
                    let others = merged.remove(&first).unwrap_or_default();
                    Origin::Counts(std::iter::once(first as usize).chain(others).collect())
                }
                Part::Sum(all) => Origin::Sums(all.iter().map(|&of| of as usize).collect()),
            };
            parts.push((count.get(), origin));
        });
        Origins { own, parts, end: count.get() }
    }

    /// The exact size of [`encode`](Self::encode)'s result: auxiliaries of constraints, clauses and literals. The
    /// formula's own variables are not counted.
    #[must_use]
    pub fn size(&self) -> Size {
        self.all(0).size
    }

    /// The sums of weights to encode, in groups.
    pub(super) fn sums(&self, plan: &Plan) -> PbItems {
        let mut sums = PbItems::new(self.pb_constraints());
        let sets = plan.items.iter().filter_map(|item| plan.at_most_one(item));
        let exclusions = Exclusions::new(&sums, sets, self.clauses());
        sums.iter_mut().filter(|item| !item.in_order).for_each(|item| exclusions.group(item));
        sums
    }

    /// Puts the terms of sums in order: groups by their first literal, and the literals of each.
    fn arrange(sums: &mut PbItems, places: &Places) {
        for item in sums.iter_mut().filter(|item| !item.in_order) {
            let terms = Terms::of(&item.terms, &item.group_ends);
            let mut groups: Vec<Vec<(Lit, u64)>> = terms.groups().map(<[_]>::to_vec).collect();
            groups.iter_mut().for_each(|group| places.sort_by(group, |&(lit, _)| lit));
            places.sort_by(&mut groups, |group| group[0].0);
            if !item.group_ends.is_empty() {
                item.group_ends.clear();
                item.group_ends.extend(groups.iter().scan(0, |end, group| {
                    *end += group.len();
                    Some(*end)
                }));
            }
            item.terms = groups.concat();
        }
    }

    /// The size of all sums; their plans are kept in `plans`.
    fn size_of_sums(&self, sums: &PbItems, plans: &Plans) -> Size {
        let size = |item: &PbItem| {
            let mut tally = Tally::new(self.n_vars());
            let Ok(()) = write_sum(item, &mut tally, plans);
            tally.size()
        };
        sums.iter().map(size).sum()
    }

    /// Variables that [`detect`](Self::detect) left without clauses, and that nothing was said of since.
    fn spare(&self) -> Vec<Var> {
        let mut spare: FxHashSet<Var> = self.vanished.iter().copied().collect();
        if !spare.is_empty() {
            let in_clauses = self.clauses().flatten().map(|lit| lit.var());
            in_clauses.chain(self.vars_beside_clauses()).for_each(|var| {
                spare.remove(&var);
            });
        }
        let mut spare: Vec<Var> = spare.into_iter().collect();
        spare.sort_unstable();
        spare
    }

    /// The size of the clauses and of the counts, whose auxiliaries are variables that are `spare` first.
    fn planned_size(&self, plan: &Plan, spare: u64) -> Size {
        let clauses = Size { vars: 0, ..self.clauses.size() };
        let mut known: FxHashMap<Shape, Size> = FxHashMap::default();
        let mut last: Option<(Shape, Size)> = None;
        let size = |item: &Item| {
            let shape = Shape::of(item, plan.cond(item).len());
            if let Some((_, size)) = last.filter(|&(other, _)| other == shape) {
                return size;
            }
            let size = *known.entry(shape).or_insert_with(|| shape.size());
            last = Some((shape, size));
            size
        };
        let size = plan.items.iter().map(size).sum::<Size>() + clauses;
        Size { vars: size.vars.saturating_sub(spare), ..size }
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
        let plan = Plan::new(self);
        self.places(&plan, &PbItems::new(self.pb_constraints())).sort(&mut sequence);
        sequence.into_iter().map(Lit::var).collect()
    }

    /// The places of variables where some constraint is to be put in order.
    fn places_for(&self, plan: &Plan, sums: &PbItems) -> Places {
        let all_given = plan.items.iter().all(|item| item.in_order) && sums.iter().all(|item| item.in_order);
        if all_given { Places::Given } else { self.places(plan, sums) }
    }

    fn places(&self, plan: &Plan, sums: &PbItems) -> Places {
        let kept = self.kept.n_lits() + self.kept.len() + self.pb.n_lits() + self.pb.len();
        let lits = self.clauses.n_lits() + kept;
        match self.order {
            Order::Given => Places::Given,
            Order::Formula if lits < Hypergraph::MOST => {
                let edges = self.n_clauses() + plan.items.len() + sums.len();
                let mut graph = Hypergraph::with_room(edges, lits);
                self.clauses().for_each(|clause| graph.add(CLAUSE, clause.iter().copied()));
                for item in &plan.items {
                    let all = plan.cond(item).iter().chain(plan.lits(item)).copied();
                    graph.add(label(item), all.chain(item.iff().map(|(r, _)| r)));
                }
                for item in sums.iter() {
                    let all = item.cond.iter().copied().chain(item.terms.iter().map(|&(lit, _)| lit));
                    graph.add(label_of_sum(item), all.chain(item.iff.map(|(r, _)| r)));
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

/// What is to be encoded.
struct All {
    plan: Plan,
    sums: PbItems,
    /// The order of literals, where it was computed already.
    places: Option<Places>,
    /// What the sums were planned to be.
    plans: Plans,
    /// Variables that auxiliaries of counts may be.
    spare: Vec<Var>,
    /// Of clauses and constraints.
    size: Size,
}

/// What is written next: a count, by the number of its first constraint, or a sum of weights, by those of all.
#[derive(Clone, Copy)]
enum Part<'a> {
    Count(u32),
    Sum(&'a [u32]),
}

/// What a clause comes from, by number: one of the clauses, or counts or sums of weights that are encoded as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A clause.
    Clause(usize),
    /// Counts.
    Counts(Vec<usize>),
    /// Sums of weights.
    Sums(Vec<usize>),
}

/// What clauses come from.
#[derive(Clone, Debug)]
pub struct Origins {
    /// So many clauses were given as such.
    own: u64,
    /// The first clause of each constraint, ascending.
    parts: Vec<(u64, Origin)>,
    end: u64,
}

impl Origins {
    /// What a clause comes from; `None` if there are not so many.
    #[must_use]
    pub fn of(&self, clause: u64) -> Option<Origin> {
        if clause < self.own {
            return Some(Origin::Clause(clause as usize));
        }
        let after = self.parts.partition_point(|&(first, _)| first <= clause);
        let (_, origin) = self.parts[..after].last().filter(|_| clause < self.end)?;
        Some(origin.clone())
    }
}

/// Counts clauses where others can see it.
struct Counted<'c> {
    tally: Tally,
    count: &'c Cell<u64>,
}

impl ClauseSink for Counted<'_> {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.count.set(self.count.get() + 1);
        self.tally.add_clause(clause)
    }

    forward_sink!(self => self.tally; variables, reserve);
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
        self.sort_by(lits, |&lit| lit);
    }

    /// Sorts by the place of the literal that `lit` gives.
    fn sort_by<T>(&self, all: &mut [T], lit: impl Fn(&T) -> Lit) {
        match self {
            Self::Given => {}
            Self::Variable => all.sort_unstable_by_key(|one| lit(one).vidx()),
            Self::All(positions) => all.sort_unstable_by_key(|one| positions[lit(one).vidx()]),
            Self::Some(vars, positions) => all.sort_by_cached_key(|one| {
                let lit = lit(one);
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

/// The label of a sum of weights: equal for two if their bounds and weights are the same.
fn label_of_sum(item: &PbItem) -> u64 {
    let mix = |sum: u64, x: u64| (sum ^ x).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let mut weights: Vec<u64> = item.terms.iter().map(|&(_, weight)| weight).collect();
    weights.sort_unstable();
    let bounds = item.relations().into_iter().fold(u64::from(item.iff.is_some()), |sum, relation| {
        let kind = match relation {
            PbRelation::AtMost(_) => 1,
            PbRelation::AtLeast(_) => 2,
            PbRelation::Exactly(_) => 3,
        };
        mix(mix(sum, kind), relation.bound())
    });
    weights.into_iter().fold(bounds, mix)
}

/// Writes a sum of weights; the empty clause where its bounds contradict each other.
fn write_sum<S: ClauseSink + ?Sized>(item: &PbItem, sink: &mut S, plans: &Plans) -> Result<(), S::Error> {
    if item.cond.is_empty() {
        write_plain_sum(item, sink, plans)
    } else {
        write_plain_sum(item, &mut Guarded::new(sink, &item.cond), plans)
    }
}

fn write_plain_sum<S: ClauseSink + ?Sized>(item: &PbItem, sink: &mut S, plans: &Plans) -> Result<(), S::Error> {
    let encoding = plans.of(match item.aim {
        Aim::Solving => PbEncoding::Auto,
        Aim::Size => PbEncoding::Smallest,
    });
    let relations = item.relations();
    if relations.is_empty() {
        return sink.add_clause(&[]);
    }
    let terms = Terms::of(&item.terms, &item.group_ends);
    through(&mut sink.keep_order(), |sink| {
        relations.into_iter().try_for_each(|relation| match item.iff {
            None => sink.pb_grouped(&terms, relation, &encoding),
            Some((r, _)) => sink.pb_iff_grouped(r, &terms, relation, &encoding),
        })
    })
}

/// A sink that was told the size of everything: parts announce themselves no more, because some know only an upper
/// bound.
struct Announced<'a, S: ?Sized> {
    sink: &'a mut S,
    spare: std::vec::IntoIter<Var>,
}

impl<S: ClauseSink + ?Sized> ClauseSink for Announced<'_, S> {
    type Error = S::Error;

    fn reserve(&mut self, _: &Size) -> Result<(), S::Error> {
        Ok(())
    }

    fn new_lit(&mut self) -> Lit {
        self.spare.next().map_or_else(|| self.sink.new_lit(), Var::pos_lit)
    }

    fn next_var(&self) -> Var {
        self.sink.next_var()
    }

    forward_sink!(self => self.sink; add_clause, define, offer, fixed, sorts_inputs);
}
