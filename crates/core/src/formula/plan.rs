//! A formula as clauses: constraints are merged, tightened, grouped and put in order; then each is planned, which gives
//! the size of everything; then all are written.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::{Lit, Var};

use super::double_counting::CountingStep;
use super::go_on::{TryGoOn, unlimited};
use super::keep::{AskedEncoding, KeptConstraints};
use super::merge::{Items, MergeItem};
use super::order::VariablePlaces;
use super::parities::ParityRows;
use super::substitute::EqualLits;
use super::way::Way;
use super::{Formula, Order};
use crate::cnf::{CapacityError, Cnf};
use crate::constrain::writing;
use crate::constraint::Constraint;
use crate::encode::{self, Full};
use crate::erase::{AnySink, erase};
use crate::relation::PbRelation;
use crate::sink::{ClauseSink, Tally};
use crate::size::Size;
use crate::sort;

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
        let planned = unlimited(|go_on| self.planned(go_on));
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(self.clauses.limit());
        cnf.reserve(&planned.size)?;
        cnf.append(&self.clauses);
        planned.write(&mut cnf, &mut |_, _| {})?;
        Ok(cnf)
    }

    /// Everything as clauses into `sink`, in which variables `0..n_vars` are those of this formula. Those that it
    /// does not have yet are made first. No constraint is [offered](ClauseSink::offer), unless the sink
    /// [wants them](ClauseSink::wants_constraints); then those that it declines are encoded.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Tally};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(9);
    /// formula.at_most(&x, 3, CardEncoding::Auto)?;
    /// let mut tally = Tally::new(9);
    /// let Ok(()) = formula.encode_into(&mut tally);
    /// assert_eq!(tally.size(), formula.size());
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    ///
    /// # Errors
    /// As the sink fails. It gets the exact size of everything before the first clause and the first variable, so one
    /// that refuses it is left as it was; one that [wants constraints](ClauseSink::wants_constraints) has them before.
    pub fn encode_into<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        erase(sink, &mut |sink| if sink.wants_constraints() { self.offer_to(sink) } else { self.encode_to(sink) })
    }

    fn encode_to(&self, sink: &mut AnySink<'_>) -> Result<(), Full> {
        let planned = self.planned(&mut || sink.go_on())?;
        let missing = self.n_vars().saturating_sub(sink.next_var().idx32() as usize);
        sink.reserve(&(planned.size + Size::variables(missing as u64)))?;
        for _ in 0..missing {
            sink.new_lit();
        }
        self.clauses().try_for_each(|clause| sink.add_clause(clause))?;
        let words = format!("{} of a formula's constraints", planned.items.all.len());
        let words = if planned.items.all.is_empty() { "" } else { &words };
        writing(sink, &words, |sink| planned.write(sink, &mut |_, _| {}))
    }

    /// Offers each constraint to `sink`, and encodes those that it declines, and sums with groups: these propagate far
    /// better than their literals one by one.
    fn offer_to(&self, sink: &mut AnySink<'_>) -> Result<(), Full> {
        let missing = self.n_vars().saturating_sub(sink.next_var().idx32() as usize);
        if missing > 0 {
            sink.reserve(&Size::variables(missing as u64))?;
        }
        for _ in 0..missing {
            sink.new_lit();
        }
        let items = self.items(&mut || sink.go_on())?;
        let is_grouped = |item: &&MergeItem| !item.is_count() && items.terms(item).is_grouped();
        let mut grouped: FxHashSet<u32> = items.all.iter().filter(is_grouped).map(|item| item.from).collect();
        let merged: Vec<u32> =
            items.merged.iter().filter(|(first, _)| grouped.contains(first)).map(|&(_, at)| at).collect();
        grouped.extend(merged);
        let mut declined = Self { kept: KeptConstraints::default(), ..self.with_clauses(self.clauses.clone()) };
        for (at, constraint) in (0..).zip(self.constraints()) {
            sink.go_on()?;
            if grouped.contains(&at) || !sink.offer(&constraint)? {
                declined.kept.push_again(&constraint);
            }
        }
        let planned = declined.planned(&mut || sink.go_on())?;
        sink.reserve(&planned.size)?;
        self.clauses().try_for_each(|clause| sink.add_clause(clause))?;
        planned.write(sink, &mut |_, _| {})
    }

    /// The exact size of [`encode`](Self::encode)'s result: auxiliaries of constraints, clauses and literals. The
    /// formula's own variables are not counted. The plan is kept for `encode`, until the formula changes.
    #[must_use]
    pub fn size(&self) -> Size {
        let plan = || Box::new(unlimited(|go_on| FormulaPlan::new(self, go_on)));
        self.plan.get_or_init(plan).size
    }

    /// The plan that is kept, or one that is made now.
    pub(super) fn planned(&self, go_on: &mut TryGoOn<'_>) -> Result<KeptOrMade<'_>, Full> {
        Ok(match self.plan.get() {
            Some(kept) => KeptOrMade::Kept(kept),
            None => KeptOrMade::Made(Box::new(FormulaPlan::new(self, go_on)?)),
        })
    }

    /// The constraints as they are encoded, but for the order of literals.
    pub(super) fn items(&self, go_on: &mut TryGoOn<'_>) -> Result<Items, Full> {
        let parities = ParityRows::new(self, go_on)?;
        self.items_by(None, (&self.kept, parities), EqualLits::default(), go_on)
    }

    /// Constraints and parities, with equal literals as one, and the steps of double counting by which bounds became
    /// what they are.
    pub(super) fn items_by(
        &self,
        steps: Option<&mut Vec<CountingStep>>,
        (kept, parities): (&KeptConstraints, ParityRows),
        mut equal: EqualLits,
        go_on: &mut TryGoOn<'_>,
    ) -> Result<Items, Full> {
        let mut substitute = |items: &mut Items, given: (u32, &Constraint<'_>), go_on: &mut TryGoOn<'_>| {
            items.substitute(self, &mut equal, given, go_on)
        };
        let mut items = Items::new(kept, &mut substitute, go_on)?;
        if equal.are_some() && !items.gains {
            items = Items::new(kept, &mut |_, _, _| Ok(None), go_on)?;
        }
        go_on()?;
        items.tighten(self, steps, go_on)?;
        go_on()?;
        if self.by_mean {
            items.sort_by_mean();
        }
        items.group(self.clauses(), go_on)?;
        items.share_sums(self.n_vars(), go_on)?;
        items.parities = parities;
        Ok(items)
    }

    /// The origins of the clauses of [`encode`](Self::encode)'s result.
    #[doc(hidden)]
    pub fn origins(&self) -> Origins {
        let own = self.n_clauses() as u64;
        let planned = unlimited(|go_on| FormulaPlan::new(self, go_on));
        let mut merged: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for &(first, other) in &planned.items.merged {
            merged.entry(first).or_default().push(other as usize);
        }
        let mut parts = Vec::new();
        let mut tally = Tally::new(self.n_vars());
        let Ok(()) = planned.items.parities.write(&mut tally, &mut |tally: &Tally, from| {
            let all = from.iter().map(|&at| at as usize).collect();
            parts.push((own + tally.size().clauses, Origin::Constraints(all)));
        });
        let Ok(()) = planned.write_items(&mut tally, &mut |tally: &Tally, item| {
            let others = merged.get(&item.from).cloned().unwrap_or_default();
            let all = std::iter::once(item.from as usize).chain(others).collect();
            parts.push((own + tally.size().clauses, Origin::Constraints(all)));
        });
        Origins { own, parts, end: own + tally.size().clauses }
    }

    /// All variables in the order in which the literals of constraints are encoded: for encoders elsewhere, which are
    /// given constraints in that order through [`keep_order`](crate::Constrain::keep_order).
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
        let places = unlimited(|go_on| VariablePlaces::new(self, &self.items(go_on)?, go_on));
        places.sort(&mut sequence);
        sequence.into_iter().map(Lit::var).collect()
    }
}

impl Items {
    /// Puts counts in the order of the mean of their variables' numbers.
    fn sort_by_mean(&mut self) {
        let counts = self.all.partition_point(MergeItem::is_count);
        let mut items = std::mem::take(&mut self.all);
        sort::by_key(&mut items[..counts], |item| {
            let lits = self.lits(item);
            lits.iter().map(|lit| lit.vidx() as u64).sum::<u64>() / lits.len().max(1) as u64
        });
        self.all = items;
    }
}

/// The plan of a whole formula: the one that it keeps, or one for this call alone.
pub(super) enum KeptOrMade<'f> {
    Kept(&'f FormulaPlan),
    Made(Box<FormulaPlan>),
}

impl std::ops::Deref for KeptOrMade<'_> {
    type Target = FormulaPlan;

    fn deref(&self) -> &FormulaPlan {
        match self {
            Self::Kept(planned) => planned,
            Self::Made(planned) => planned,
        }
    }
}

/// The constraints of a formula as they are encoded, each with the way that it takes to clauses.
#[derive(Debug)]
pub(super) struct FormulaPlan {
    pub(super) items: Items,
    /// The ways; counts that differ in nothing but their literals share one.
    pub(super) ways: Vec<Way>,
    /// The way of each item.
    of: Vec<u32>,
    /// Of clauses and constraints.
    pub(super) size: Size,
}

/// All that the way of a count depends on that is not reified, and its size.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct CountShape {
    n: usize,
    guards: usize,
    relations: [Option<PbRelation>; 2],
    asked: AskedEncoding,
}

impl FormulaPlan {
    /// Literals of the plans of sums that are kept until they are written, which are some 100 MB; sums beyond are
    /// planned a second time then.
    const ROOM: u64 = 1 << 23;

    /// Plans it all; an error of `go_on`, which is asked now and then, ends that.
    fn new(formula: &Formula, go_on: &mut TryGoOn<'_>) -> Result<Self, Full> {
        let plan = |items: Items, go_on: &mut TryGoOn<'_>| {
            Self::of(formula, items, &mut |items, at, go_on| Way::new(items, &items.all[at], go_on), go_on)
        };
        let parities = ParityRows::new(formula, go_on)?;
        let equal = EqualLits::new(formula, &parities);
        let items = formula.items_by(None, (&formula.kept, parities), equal, go_on)?;
        if !items.gains {
            return plan(items, go_on);
        }
        // Groups may be lost with literals.
        let (as_one, given) = (plan(items, go_on)?, formula.items(go_on)?);
        let given = plan(given, go_on)?;
        Ok(if as_one.size.cost() < given.size.cost() { as_one } else { given })
    }

    /// Plans these constraints, which may change where `way` decides about them: it is asked once for all counts of one
    /// shape.
    pub(super) fn of(
        formula: &Formula,
        mut items: Items,
        way_of: &mut dyn FnMut(&mut Items, usize, &mut encode::GoOn<'_>) -> Way,
        go_on: &mut TryGoOn<'_>,
    ) -> Result<Self, Full> {
        items.arrange(formula, go_on)?;
        if formula.order == Order::Formula {
            items.put_opposed_last();
        }
        let (mut ways, mut of) = (Vec::new(), Vec::with_capacity(items.all.len()));
        let mut shapes: FxHashMap<CountShape, (u32, Size)> = FxHashMap::default();
        let mut last = None;
        let (mut size, mut room) = (Size { vars: 0, ..formula.clauses.size() } + items.parities.size(), Self::ROOM);
        for at in 0..items.all.len() {
            let item = &items.all[at];
            let shape = (item.is_count() && !item.is_reified()).then(|| {
                let guards = items.cond(item).len();
                CountShape { n: item.n(), guards, relations: item.relations(), asked: item.asked }
            });
            let known = last
                .filter(|&(other, _)| shape == Some(other))
                .map(|(_, known)| known)
                .or_else(|| shapes.get(&shape?).copied());
            let (way, own) = match known {
                Some(known) => known,
                None => {
                    go_on()?;
                    let mut asked = Ok(());
                    let way = way_of(&mut items, at, &mut || {
                        asked = go_on();
                        asked.is_ok()
                    });
                    asked?;
                    let own = way.size(&items, &items.all[at], formula.n_vars());
                    let left = room.checked_sub(own.lits);
                    room = left.unwrap_or(room);
                    ways.push(if left.is_some() || shape.is_some() { way } else { Way::Again });
                    (ways.len() as u32 - 1, own)
                }
            };
            if let Some(shape) = shape {
                shapes.entry(shape).or_insert((way, own));
                last = Some((shape, (way, own)));
            }
            of.push(way);
            size += own;
        }
        Ok(Self { items, ways, of, size })
    }

    /// The items that a solver watches.
    pub(super) fn watched(&self) -> impl Iterator<Item = &MergeItem> {
        self.each().filter(|&(_, way)| matches!(self.ways[way as usize], Way::Watched)).map(|(item, _)| item)
    }

    /// Each item with the number of its way, and the way.
    pub(super) fn each(&self) -> impl Iterator<Item = (&MergeItem, u32)> {
        self.items.all.iter().zip(self.of.iter().copied())
    }
}

/// The origin of a clause, by number: one of the clauses, or constraints that are encoded as one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Origin {
    Clause(usize),
    Constraints(Vec<usize>),
}

/// The origins of a formula's clauses.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Origins {
    /// The number of clauses that were given as such.
    own: u64,
    /// The first clause of each constraint, ascending.
    parts: Vec<(u64, Origin)>,
    end: u64,
}

impl Origins {
    /// The origin of a clause; `None` if there are not so many.
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
