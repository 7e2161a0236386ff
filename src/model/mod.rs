//! Integer variables, arrays of them, and constraints by name: write the puzzle, not the clauses.
//!
//! A [`Model`] has [integer variables](IntVar) with finite domains and [truth values](Bool). Constraints are made by
//! comparing expressions and by functions with MiniZinc's names, combined by [`when`](Constraint::when),
//! [`or`](Constraint::or), [`iff`](Constraint::iff) and so on, and [posted](Model::post). Questions are methods of the
//! model.
//!
//! ```
//! use cnfkit::model::Model;
//! let clues = ["1...", "..3.", "...4", "...."];
//! let mut model = Model::new();
//! let grid = model.int_grid(4, 4, 1..=4);
//! for i in 0..4 {
//!     model.all_different(grid.row(i));
//!     model.all_different(grid.column(i));
//!     let (r, c) = (i / 2 * 2, i % 2 * 2);
//!     model.all_different(grid.slice(r..r + 2, c..c + 2));
//! }
//! for (r, line) in clues.iter().enumerate() {
//!     for (c, clue) in line.chars().enumerate().filter_map(|(c, sign)| Some((c, sign.to_digit(10)?))) {
//!         model.post(grid.at(r, c).eq(i64::from(clue)));
//!     }
//! }
//! let solution = model.solve()?.expect("this one has a solution");
//! assert_eq!(solution.grid(&grid).get(0, 0), 1);
//! println!("{}", solution.grid(&grid));
//! # Ok::<(), cnfkit::model::ModelError>(())
//! ```
//!
//! What happens to a question:
//!
//! 1. Domains shrink until nothing changes: every rule takes away values that it can rule out (`domains`).
//! 2. Rules say which literals they need: *x is v*, *x is at least v*, or both (`encoder`).
//! 3. Rules write clauses and constraints into a [`Formula`], which orders and encodes them.
//! 4. The solver's model is read back as a [`Solution`].

mod ask;
mod code;
mod constraint;
mod domain;
mod domains;
mod encoder;
mod error;
mod explain;
mod expr;
mod grid;
mod needs;
mod node;
mod rule;
mod shrink;
mod solution;
mod statistics;
mod view;

use std::sync::atomic::{AtomicU32, Ordering};

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

pub use self::ask::{Certain, Optimum, Solutions};
use self::code::{Codes, Truth};
use self::constraint::Compare;
pub use self::constraint::{Constraint, all, any};
pub use self::domain::Domain;
use self::domains::Domains;
use self::encoder::Encoder;
pub use self::error::ModelError;
pub use self::explain::{Explanation, Source};
use self::explain::{Trace, Writer};
pub use self::expr::{Bool, Expr, IntVar, sum};
use self::expr::{Test, Unit};
pub use self::grid::IntGrid;
use self::needs::Needs;
use self::node::Node;
use self::rule::Linear;
pub use self::rule::{
    Automaton, abs, all_different, all_different_except, all_equal, among, circuit, count, cumulative, disjunctive,
    div, element, global_cardinality, inverse, lex_less, lex_lesseq, maximum, minimum, modulo, negative_table, pow,
    regular, subcircuit, table, times,
};
pub use self::solution::{Solution, ValueGrid};
pub use self::statistics::{ConstraintSize, Statistics};
use self::view::View;
use crate::cnf::CapacityError;
use crate::formula::{Formula, Order};
use crate::gcd::gcd;
use crate::offer::Offer;
use crate::relation::Relation;
use crate::sink::{ClauseSink, forward_sink};
use crate::solve::{Clock, Limits};
use crate::{AmoEncoding, CardEncoding, PbEncoding};

/// The encodings of a model's constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// For at most one and exactly one.
    pub amo: AmoEncoding,
    /// For counts.
    pub card: CardEncoding,
    /// For sums of three variables and more.
    pub pb: PbEncoding,
    /// For integer variables in sums, products and the like.
    pub int: IntEncoding,
}

/// How constraints that add and compare see their variables. What other constraints need is there, too: encodings are
/// channelled.
///
/// ```
/// use cnfkit::model::{Choice, IntEncoding, Model};
/// let mut model = Model::new();
/// let mut choice = Choice::default();
/// choice.int = IntEncoding::Binary;
/// model.set_choice(choice);
/// let x = model.ints(3, 0..=200);
/// model.post((x[0] + x[1]).eq(x[2]));
/// assert!(model.statistics()?.total.vars < 100);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IntEncoding {
    /// Binary where domains are large, otherwise unary.
    #[default]
    Auto,
    /// A literal for each value: *x is v*, or *x is at least v*. More is propagated.
    Unary,
    /// A literal for each bit. Less is written.
    Binary,
}

/// Integer variables, truth values, and constraints on them, with the questions to ask.
///
/// A model is a [`ClauseSink`], too: [`lit`](Self::lit) makes literals of its truth values, and all methods of
/// [`Constrain`](crate::Constrain) take them.
///
/// # Panics
/// Every method panics when it is given a variable of another model: that is an error of the program.
#[derive(Debug)]
pub struct Model {
    id: u32,
    /// The caller's own clauses and constraints.
    formula: Formula,
    domains: Vec<Domain>,
    posted: Vec<Posted>,
    groups: Vec<String>,
    group: Option<u32>,
    choice: Choice,
    /// The literals that were made of truth values.
    literals: FxHashMap<(u32, Test), Lit>,
    /// The variables that are 1 where a truth value is true, also in the order in which they were made.
    integers: FxHashMap<(u32, Test), IntVar>,
    aliases: Vec<(IntVar, Bool)>,
    limits: Limits,
    /// The order that was asked for.
    order: Option<Order>,
    /// The first thing that was wrong with it.
    error: Option<ModelError>,
}

#[derive(Debug)]
struct Posted {
    node: Node,
    group: Option<u32>,
    choice: Choice,
}

/// A model as a formula, and where its variables are.
#[derive(Debug)]
struct Encoded {
    formula: Formula,
    domains: Domains,
    codes: Codes,
    /// A literal for each group: its constraints hold where that is true.
    selectors: Vec<Lit>,
    /// Who wrote what, where that was asked for.
    trace: Trace,
}

impl Default for Model {
    fn default() -> Self {
        Self::new()
    }
}

impl Model {
    /// A model without variables and constraints.
    #[must_use]
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            formula: Formula::new(),
            domains: Vec::new(),
            posted: Vec::new(),
            groups: Vec::new(),
            group: None,
            choice: Choice::default(),
            literals: FxHashMap::default(),
            integers: FxHashMap::default(),
            aliases: Vec::new(),
            limits: Limits::none(),
            order: None,
            error: None,
        }
    }

    /// An integer variable with this domain: a range, `1..=9`, or values, `[2, 3, 5, 7]`.
    ///
    /// An empty domain is an error that every question reports.
    ///
    /// # Panics
    /// When there are 2³² variables already.
    pub fn int(&mut self, domain: impl Into<Domain>) -> IntVar {
        let domain = domain.into();
        let index = self.domains.len();
        if domain.is_empty() {
            self.fail(ModelError::EmptyDomain { variable: index });
        }
        self.domains.push(domain);
        IntVar { model: self.id, index: u32::try_from(index).expect("more than 2³² variables") }
    }

    /// So many integer variables with this domain.
    ///
    /// # Panics
    /// When these would be more than 2³² variables.
    pub fn ints(&mut self, n: usize, domain: impl Into<Domain>) -> Vec<IntVar> {
        let domain = domain.into();
        assert!(n <= u32::MAX as usize - self.domains.len(), "{n} more variables: there may be 2³² in all");
        (0..n).map(|_| self.int(&domain)).collect()
    }

    /// A grid of integer variables with this domain.
    ///
    /// # Panics
    /// As [`ints`](Self::ints) does.
    pub fn int_grid(&mut self, rows: usize, columns: usize, domain: impl Into<Domain>) -> IntGrid {
        let vars = self.ints(rows.saturating_mul(columns), domain);
        IntGrid::new(rows, columns, vars)
    }

    /// A Boolean variable.
    pub fn bool(&mut self) -> Bool {
        self.int(0..=1).at_least(1)
    }

    /// So many Boolean variables.
    pub fn bools(&mut self, n: usize) -> Vec<Bool> {
        (0..n).map(|_| self.bool()).collect()
    }

    /// The domain that a variable was made with.
    #[must_use]
    pub fn domain(&self, var: IntVar) -> &Domain {
        self.check(var);
        &self.domains[var.index as usize]
    }

    /// Says that a constraint holds.
    ///
    /// Numbers beyond 64 bits are an error that every question reports.
    pub fn post(&mut self, constraint: impl Into<Constraint>) {
        let node = Node::of(constraint.into(), self);
        let (group, choice) = (self.group, self.choice);
        self.posted.push(Posted { node, group, choice });
    }

    /// Says that no two of the expressions have the same value: posts [`all_different`].
    pub fn all_different<E: Into<Expr>>(&mut self, exprs: impl IntoIterator<Item = E>) {
        self.post(all_different(exprs));
    }

    /// A truth value that is true if and only if the constraint holds.
    pub fn reify(&mut self, constraint: impl Into<Constraint>) -> Bool {
        let node = Node::of(constraint.into(), self);
        if let Node::Bool(bool) = node {
            return bool;
        }
        let bool = self.bool();
        let node = node.iff(bool, self);
        let (group, choice) = (self.group, self.choice);
        self.posted.push(Posted { node, group, choice });
        bool
    }

    /// Posts constraints as a group of this name, which [`why_unsatisfiable`](Self::why_unsatisfiable) can blame.
    /// Groups of one name are one group; a group within a group is blamed by its own name.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 1..=3);
    /// model.group("order", |model| {
    ///     model.post(x[0].lt(x[1]));
    ///     model.post(x[1].lt(x[2]));
    /// });
    /// model.group("first", |model| model.post(x[0].ge(2)));
    /// model.group("last", |model| model.post(x[2].ge(2)));
    /// assert_eq!(model.why_unsatisfiable()?, Some(vec!["order", "first"]));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn group<T>(&mut self, name: &str, post: impl FnOnce(&mut Self) -> T) -> T {
        let found = self.groups.iter().position(|other| other == name);
        let index = found.unwrap_or_else(|| {
            self.groups.push(name.to_owned());
            self.groups.len() - 1
        });
        let outer = self.group.replace(index as u32);
        let result = post(self);
        self.group = outer;
        result
    }

    /// The encodings of the constraints that are posted from now on.
    pub fn set_choice(&mut self, choice: Choice) {
        self.choice = choice;
    }

    /// The order of literals in encoded constraints: see [`Formula::order`].
    ///
    /// Without this, literals are in the order of variables and values where all that is to be encoded is *at most one*
    /// and *exactly one*, and in that of the whole formula, [`Order::Formula`], otherwise. The first takes no time, and
    /// queens, Latin squares and Sudokus need as many conflicts with it.
    pub fn set_order(&mut self, order: Order) {
        self.order = Some(order);
    }

    /// Limits the time of each question, and sets the flag that cancels it.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// A literal that is true if and only if `bool` is, for the methods of [`Constrain`](crate::Constrain).
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// use cnfkit::{CardEncoding, Constrain};
    /// let mut model = Model::new();
    /// let x = model.ints(6, 1..=3);
    /// let twos: Vec<_> = x.iter().map(|x| model.lit(x.is(2))).collect();
    /// model.exactly(&twos, 5, &CardEncoding::Auto).expect("room for a few clauses");
    /// assert_eq!(model.count(100)?, 6 * 2);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn lit(&mut self, bool: Bool) -> Lit {
        self.check(bool.var);
        let formula = &mut self.formula;
        let lit = *self.literals.entry((bool.var.index, bool.test)).or_insert_with(|| formula.new_lit());
        if bool.negated { !lit } else { lit }
    }

    /// The model as a formula: constraints as data, to be encoded or written.
    ///
    /// # Errors
    /// When the model is wrong, or too large.
    pub fn formula(&self) -> Result<Formula, ModelError> {
        Ok(self.encoded(Want::Solution, &self.limits.start())?.formula)
    }

    /// Posts what defines a variable of the model's own, which is part of no group.
    fn define(&mut self, node: Node) {
        self.posted.push(Posted { node, group: None, choice: self.choice });
    }

    fn fail(&mut self, error: ModelError) {
        self.error.get_or_insert(error);
    }

    fn check(&self, var: IntVar) {
        assert!(var.model == self.id, "a variable of another model");
    }

    /// The variable that is 1 where `bool` is true and 0 where it is not.
    fn integer(&mut self, bool: Bool) -> IntVar {
        if let Some(&var) = self.integers.get(&(bool.var.index, bool.test)) {
            return var;
        }
        let var = self.int(0..=1);
        self.integers.insert((bool.var.index, bool.test), var);
        let positive = Bool { negated: false, ..bool };
        self.aliases.push((var, positive));
        let group = self.group.take(); // a definition
        self.post(positive.iff(var.at_least(1)));
        self.group = group;
        var
    }

    /// A sum with each variable once.
    fn collect(&mut self, expr: Expr) -> Option<(Vec<(IntVar, i64)>, i64)> {
        let mut constant = i128::from(expr.constant);
        let mut terms: Vec<(IntVar, i128)> = Vec::with_capacity(expr.terms.len());
        for (unit, factor) in expr.terms {
            let factor = i128::from(factor);
            match unit {
                Unit::Int(var) => {
                    self.check(var);
                    terms.push((var, factor));
                }
                Unit::Bool(bool) => {
                    self.check(bool.var);
                    let is_own = bool.test == Test::AtLeast(1) && self.domain(bool.var).bounds() == (0, 1);
                    let var = if is_own { bool.var } else { self.integer(bool) };
                    constant += if bool.negated { factor } else { 0 };
                    terms.push((var, if bool.negated { -factor } else { factor }));
                }
            }
        }
        terms.sort_by_key(|&(var, _)| var.index);
        let mut sums: Vec<(IntVar, i128)> = Vec::with_capacity(terms.len());
        for (var, factor) in terms {
            match sums.last_mut() {
                Some((last, sum)) if last.index == var.index => *sum += factor,
                _ => sums.push((var, factor)),
            }
        }
        sums.retain(|&(_, factor)| factor != 0);
        // Every sum of some of the terms fits.
        let largest = |&(var, factor): &(IntVar, i128)| {
            let (min, max) = self.domains[var.index as usize].bounds();
            factor.unsigned_abs() * u128::from(min.unsigned_abs().max(max.unsigned_abs()))
        };
        let reach: u128 = sums.iter().map(largest).sum::<u128>() + constant.unsigned_abs();
        if expr.overflows || reach > Self::LARGEST {
            self.fail(ModelError::TooLarge { constraint: self.posted.len() });
            return None;
        }
        Some((sums.into_iter().map(|(var, factor)| (var, factor as i64)).collect(), constant as i64))
    }

    /// The greatest sum: differences of two fit 64 bits, with a duration, too.
    const LARGEST: u128 = (1 << 61) - 1;

    fn linear(&mut self, expr: Expr, compare: Compare) -> Linear {
        let Some((mut terms, constant)) = self.collect(expr) else {
            return Linear { terms: Vec::new(), compare, bound: 0 };
        };
        let mut bound = -constant;
        let divisor = terms.iter().fold(0, |divisor, &(_, factor)| gcd(divisor, factor.unsigned_abs().into()));
        if divisor > 1
            && let Ok(by) = i64::try_from(divisor)
        {
            if compare != Compare::AtMost && bound % by != 0 {
                // Never equal: a sum of nothing that should be 1.
                return Linear { terms: Vec::new(), compare, bound: 1 };
            }
            terms.iter_mut().for_each(|(_, factor)| *factor /= by);
            bound = bound.div_euclid(by);
        }
        Linear { terms, compare, bound }
    }

    /// The view that stands for an expression; sums get a variable of their own.
    fn view(&mut self, expr: Expr) -> View {
        let zero = View { var: IntVar { model: self.id, index: 0 }, factor: 0, offset: 0 };
        let Some((terms, offset)) = self.collect(expr) else { return zero };
        match terms[..] {
            [] => View { offset, ..zero },
            [(var, factor)] => View { var, factor, offset },
            _ => {
                let (mut min, mut max) = (offset, offset);
                for &(var, factor) in &terms {
                    let (least, most) = View { var, factor, offset: 0 }.bounds(&self.domains[var.index as usize]);
                    (min, max) = (min + least, max + most);
                }
                let sum = self.int(min..=max);
                let group = self.group.take(); // a definition
                let terms = terms.into_iter().map(|(var, factor)| (Unit::Int(var), factor)).collect();
                self.post(Expr { terms, constant: offset, overflows: false }.eq(sum));
                self.group = group;
                View::whole(sum)
            }
        }
    }

    /// The truth values that literals were made of, in the order of these.
    fn pins(&self) -> Vec<(Bool, Lit)> {
        let pinned = |(&(index, test), &lit): (&(u32, Test), &Lit)| {
            (Bool { var: IntVar { model: self.id, index }, test, negated: false }, lit)
        };
        let mut pins: Vec<(Bool, Lit)> = self.literals.iter().map(pinned).collect();
        pins.sort_unstable_by_key(|&(_, lit)| lit);
        pins
    }

    /// The literals that are needed for all that was said.
    fn add_needs(&self, domains: &Domains, needs: &mut Needs) {
        for posted in &self.posted {
            needs.choice = posted.choice.int;
            posted.node.needs(domains, needs);
        }
        let aliased = self.aliases.iter().map(|&(_, bool)| bool);
        let tests = aliased.chain(self.pins().into_iter().map(|(bool, _)| bool));
        tests.filter(|&bool| domains.truth(bool).is_none()).for_each(|bool| needs.test(bool));
    }

    fn encoded(&self, want: Want<'_>, clock: &Clock) -> Result<Encoded, ModelError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let blames = matches!(want, Want::Blame);
        let held = |posted: &&Posted| !blames || posted.group.is_none();
        let shrunk = self.shrink(self.posted.iter().filter(held), clock)?;
        let mut formula = self.formula.clone().order(self.order.unwrap_or_default());
        let mut trace = matches!(want, Want::Trace).then(Trace::default);
        if let Some(trace) = &mut trace {
            trace.mark(&Formula::new(), Writer::Own);
        }
        let Ok(domains) = shrunk else {
            if let Some(trace) = &mut trace {
                trace.mark(&formula, Writer::Contradiction);
            }
            formula.add_clause(&[])?;
            let (domains, codes) = (Domains::default(), Codes::default());
            let selectors = formula.new_lits(if blames { self.groups.len() } else { 0 });
            return Ok(Encoded { formula, domains, codes, selectors, trace: trace.unwrap_or_default() });
        };
        let mut needs = Needs::new(domains.len());
        self.add_needs(&domains, &mut needs);
        if let Want::Each(units) = want {
            let bools = units.iter().filter_map(|unit| if let &Unit::Bool(bool) = unit { Some(bool) } else { None });
            bools.filter(|&bool| domains.truth(bool).is_none()).for_each(|bool| needs.test(bool));
        }
        needs.settle(&domains);
        match want {
            Want::Solution | Want::Blame | Want::Trace => {}
            Want::Every => needs.all(&domains),
            Want::Each(units) => units.iter().for_each(|unit| {
                if let &Unit::Int(var) = unit {
                    needs.any(var.index as usize, domains.of(var));
                }
            }),
            Want::Sum(terms) => {
                terms.iter().for_each(|&(var, _)| needs.sum(var.index as usize, domains.of(var)));
            }
            Want::Optimum(var) => needs.bounds(var, domains.of(var)),
        }
        let selectors = if blames { formula.new_lits(self.groups.len()) } else { Vec::new() };
        let mut encoder = Encoder::new(&mut formula, &domains, &needs, &self.aliases, self.choice, trace)?;
        for (index, posted) in (0..).zip(&self.posted) {
            clock.check()?;
            encoder.choice = posted.choice;
            encoder.mark(Writer::Constraint(index, None));
            match posted.group.filter(|_| blames) {
                None => posted.node.encode_parts(index, &mut encoder)?,
                Some(group) => encoder.under(selectors[group as usize], |encoder| posted.node.encode(encoder))?,
            }
        }
        encoder.mark(Writer::Literal);
        for (bool, lit) in self.pins() {
            let truth = encoder.known(bool);
            encoder.clause([truth, Truth::If(!lit)])?;
            encoder.clause([!truth, Truth::If(lit)])?;
        }
        let (codes, trace) = encoder.into_parts();
        if self.order.is_none() && says_one_only(&formula) {
            formula = formula.order(Order::Variable);
        }
        Ok(Encoded { formula, domains, codes, selectors, trace })
    }
}

/// What an encoding is for.
#[derive(Clone, Copy, Debug)]
enum Want<'a> {
    /// Any solution: variables that no constraint has need no literals.
    Solution,
    /// The same, with a trace of who wrote what.
    Trace,
    /// Every solution: all variables have literals.
    Every,
    /// Every choice of values for these.
    Each(&'a [Unit]),
    /// Bounds on this variable.
    Optimum(IntVar),
    /// The least sum of multiples of variables.
    Sum(&'a [(IntVar, i64)]),
    /// Groups that contradict each other: a literal for each.
    Blame,
}

impl Encoded {
    fn solution(&self, model: u32, is_true: impl Fn(Lit) -> bool) -> Solution {
        // A solver may leave a variable open: then neither literal is true for it, and it counts as false.
        let holds = |lit: Lit| is_true(lit.var().pos_lit()) == lit.is_pos();
        let value = |index: usize| self.codes.value(&self.domains, index, holds);
        Solution::new(model, (0..self.domains.len()).map(value).collect())
    }

    /// The literals that tell solutions apart.
    fn literals(&self) -> Vec<Lit> {
        (0..self.domains.len()).flat_map(|index| self.codes.literals(&self.domains, index)).collect()
    }

    /// The literals that tell the values of these apart.
    fn literals_of(&self, units: &[Unit]) -> Vec<Lit> {
        let mut lits = Vec::new();
        if self.domains.len() == 0 {
            return lits; // there is no solution
        }
        for unit in units {
            match *unit {
                Unit::Int(var) => lits.extend(self.codes.literals(&self.domains, var.index as usize)),
                Unit::Bool(bool) => {
                    if let Truth::If(lit) = self.codes.truth(&self.domains, bool) {
                        lits.push(lit);
                    }
                }
            }
        }
        lits.sort_unstable();
        lits.dedup();
        lits
    }
}

/// The caller's own clauses and constraints, on [literals](Model::lit) of the model and on new ones. Solutions are told
/// apart by the model's variables, not by such literals.
impl ClauseSink for Model {
    type Error = CapacityError;

    forward_sink!(self => self.formula; add_clause, define, variables, reserve, offer, sorts_inputs);
}

/// True if all constraints that are kept say *at most one* or *exactly one* of their literals or of the negations.
fn says_one_only(formula: &Formula) -> bool {
    let is_one = |constraint: Offer<'_>| match constraint.relation {
        Relation::AtMost(k) | Relation::Exactly(k) | Relation::AtLeast(k) => k <= 1 || k + 1 >= constraint.lits.len(),
    };
    formula.pb_constraints().len() == 0 && formula.constraints().all(is_one)
}

// With Kissat alone every answer is a search of its own: far too many here.
#[cfg(all(test, any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat")))]
mod hostile;
#[cfg(test)]
mod tests;
