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
//! The questions:
//!
//! | to know | ask |
//! |---|---|
//! | one solution, or that there is none | [`solve`](Model::solve) |
//! | all solutions | [`solutions`](Model::solutions) |
//! | the values of some variables in all solutions | [`solutions_by`](Model::solutions_by) |
//! | their number | [`count`](Model::count) |
//! | the best one | [`minimum`](Model::minimum), [`maximum`](Model::maximum) |
//! | any of these by another solver, within limits, in threads, with a proof | [`ask`](Model::ask) |
//! | what all solutions share | [`backbone`](Model::backbone) |
//! | why there is none | [`unsat_core`](Model::unsat_core), [`smallest_unsat_core`](Model::smallest_unsat_core) |
//! | a solution with further constraints, again and again | [`incremental`](Model::incremental) |
//! | which part is large, and why | [`statistics`](Model::statistics) |
//! | where a clause comes from | [`explanations`](Model::explanations) |
//!
//! What happens to a question:
//!
//! 1. Domains shrink until nothing changes: every rule takes away values that it can rule out (`shrink`).
//! 2. Rules say which literals they need: *x is v*, *x is at least v*, or bits. The page of `writer` has these
//!    encodings.
//! 3. Rules (`rule`, one a file) write clauses and constraints into a [`Formula`], which orders and encodes them.
//! 4. The solver's model is read back as a [`Solution`].

mod ask;
mod choice;
mod constraint;
mod cost;
mod encoded;
mod error;
mod functions;
mod goal;
mod hint;
mod incremental;
mod lazy;
mod leaves;
mod load;
mod neighbours;
mod node;
mod origin;
mod question;
mod relaxation;
mod rule;
mod ruler;
mod shrink;
mod simplex;
mod statistics;
mod sums;
mod symmetries;
mod text;
mod threads;
mod variables;
mod writer;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

pub use self::ask::{Backbone, Optimum, Solutions};
pub use self::choice::{Choice, IntEncoding};
pub use self::constraint::{Constraint, all, any};
pub use self::error::ModelError;
pub use self::incremental::Incremental;
use self::node::ConstraintNode;
pub use self::origin::{Explanation, Explanations, Source};
#[cfg(any(feature = "batsat", feature = "cadical"))]
pub use self::question::ProvenAnswer;
pub use self::question::Question;
pub use self::rule::{
    Automaton, Edge, abs, all_different, all_different_except, all_different_tuples, all_equal, among, bin_packing,
    bin_packing_load, circuit, connected, count, count_eq, cumulative, decreasing, diffn, disjunctive, div, dreachable,
    element, global_cardinality, global_cardinality_low_up, increasing, inverse, lex_less, lex_lesseq, maximum,
    minimum, modulo, negative_table, no_overlap, nvalue, parity, path, pow, reachable, regular, single_cycle,
    strictly_decreasing, strictly_increasing, subcircuit, table, times, tree, value_precede,
};
pub use self::statistics::{ConstraintSize, Statistics, VariableEncoding};
pub use self::variables::{Bool, BoolGrid, Domain, Expr, Grid, IntGrid, IntVar, Solution, ValueGrid, sum};
use self::variables::{Lineage, Makers, Test};
use cnfkit_ask::Strategy;
use cnfkit_core::internals::{Asking, engine};
use cnfkit_core::solvers::{External, Solver};
use cnfkit_core::{ClauseSink, Formula, Layer, Limits, Order};

/// Integer variables, truth values and constraints on them, and the questions to ask.
///
/// A model is a [`ClauseSink`], too: [`lit`](Self::lit) makes literals of its truth values, and all methods of
/// [`Constrain`](cnfkit_core::Constrain) take them.
///
/// A clone has the variables that were made before, and makes its own from then on.
///
/// # Panics
/// Every method panics when it is given a variable of another model: that is an error of the program.
#[derive(Clone, Debug)]
pub struct Model {
    lineage: Lineage,
    /// The caller's own clauses and constraints.
    formula: Formula,
    domains: Vec<Domain>,
    posted: Vec<PostedConstraint>,
    groups: Vec<String>,
    /// The place of each group's name.
    group_places: FxHashMap<String, u32>,
    group: Option<u32>,
    choice: Choice,
    /// The literals that were made of truth values.
    literals: FxHashMap<(u32, Test), Lit>,
    /// The variables that are 1 where a truth value is true, also in the order in which they were made.
    integers: FxHashMap<(u32, Test), IntVar>,
    aliases: Vec<(IntVar, Bool)>,
    lazy: Vec<lazy::Lazy>,
    asking: Asking,
    /// The order that was asked for.
    order: Option<Order>,
    strategy: Strategy,
    /// The values that were hinted at, by variable.
    hints: FxHashMap<u32, i64>,
    /// 0: variables have literals in the order in which they were made; otherwise by lot.
    seed: u64,
    threads: usize,
    /// The solver is a program: the default one looks for optima, too.
    has_program: bool,
    breaks_symmetries: bool,
    /// Variables have literals that constraints posted from now on do not change.
    is_incremental: bool,
    /// The constraints in words, once somebody asked; without definitions.
    texts: OnceLock<Vec<String>>,
    /// The first thing that was wrong with it.
    error: Option<ModelError>,
}

#[derive(Clone, Debug)]
struct PostedConstraint {
    node: ConstraintNode,
    group: Option<u32>,
    choice: Choice,
    /// It says what a variable stands for that the model made.
    defines: bool,
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
        Self {
            lineage: Lineage::new(),
            formula: Formula::new(),
            domains: Vec::new(),
            posted: Vec::new(),
            groups: Vec::new(),
            group_places: FxHashMap::default(),
            group: None,
            choice: Choice::default(),
            literals: FxHashMap::default(),
            integers: FxHashMap::default(),
            aliases: Vec::new(),
            lazy: Vec::new(),
            asking: Asking::default(),
            order: None,
            strategy: Strategy::Auto,
            hints: FxHashMap::default(),
            seed: 0,
            threads: 1,
            has_program: false,
            breaks_symmetries: false,
            is_incremental: false,
            texts: OnceLock::new(),
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
        self.lineage.make(u32::try_from(index).expect("more than 2³² variables"))
    }

    /// New integer variables with this domain, `n` of them.
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

    /// A grid of integer variables with a domain for each cell, by row and column.
    ///
    /// ```
    /// use cnfkit::model::{Domain, Model};
    /// let clues = [[Some(1), None], [None, None]];
    /// let mut model = Model::new();
    /// let cell = |row: usize, column: usize| match clues[row][column] {
    ///     Some(value) => Domain::from(value..=value),
    ///     None => Domain::from(1..=2),
    /// };
    /// let grid = model.int_grid_from_fn(2, 2, cell);
    /// for i in 0..2 {
    ///     model.all_different(grid.row(i).rev());
    ///     model.all_different(grid.column(i));
    /// }
    /// assert_eq!(model.solve()?.expect("one").grid(&grid).to_string(), "1 2\n2 1");
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Panics
    /// As [`ints`](Self::ints) does.
    pub fn int_grid_from_fn<D: Into<Domain>>(
        &mut self,
        rows: usize,
        columns: usize,
        mut domain: impl FnMut(usize, usize) -> D,
    ) -> IntGrid {
        IntGrid::from_fn(rows, columns, |row, column| self.int(domain(row, column)))
    }

    /// A grid of Boolean variables.
    ///
    /// ```
    /// use cnfkit::model::{BoolGrid, Model};
    /// let mut model = Model::new();
    /// let grid: BoolGrid = model.bool_grid(2, 2);
    /// model.post(grid.at(0, 0).or(grid.at(1, 1)));
    /// assert_eq!(model.count(100)?, 12);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Panics
    /// As [`ints`](Self::ints) does.
    pub fn bool_grid(&mut self, rows: usize, columns: usize) -> BoolGrid {
        BoolGrid::new(rows, columns, self.bools(rows.saturating_mul(columns)))
    }

    /// A Boolean variable.
    pub fn bool(&mut self) -> Bool {
        self.int(0..=1).at_least(1)
    }

    /// New Boolean variables, `n` of them.
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
        let node = ConstraintNode::of(constraint.into(), !self.is_incremental, self);
        self.push(node, false);
    }

    fn push(&mut self, node: ConstraintNode, defines: bool) {
        let (group, choice) = (self.group, self.choice);
        self.texts.take();
        self.posted.push(PostedConstraint { node, group, choice, defines });
    }

    /// Says that no two of the expressions have the same value: posts [`all_different`].
    pub fn all_different<E: Into<Expr>>(&mut self, exprs: impl IntoIterator<Item = E>) {
        self.post(all_different(exprs));
    }

    /// A truth value that is true if and only if the constraint holds.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(2, 1..=4);
    /// let rises = model.reify(x[0].lt(x[1]));
    /// model.post((!rises).or(x[0].eq(1)));
    /// assert_eq!(model.count(100)?, 10 + 3);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn reify(&mut self, constraint: impl Into<Constraint>) -> Bool {
        let node = ConstraintNode::of(constraint.into(), false, self);
        if let ConstraintNode::Bool(bool) = node {
            return bool;
        }
        let bool = self.bool();
        let node = node.iff(bool, self);
        self.push(node, true);
        bool
    }

    /// Posts constraints as a group of this name, a member of [unsatisfiable cores](Self::unsat_core). Groups of one
    /// name are one group; a group within a group has its own name there.
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
    /// assert_eq!(model.unsat_core()?, Some(vec!["order", "first"]));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn group<T>(&mut self, name: &str, post: impl FnOnce(&mut Self) -> T) -> T {
        let index = self.group_places.get(name).copied().unwrap_or_else(|| {
            let index = self.groups.len() as u32;
            self.groups.push(name.to_owned());
            self.group_places.insert(name.to_owned(), index);
            index
        });
        let outer = self.group.replace(index);
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
    /// Without this, where all that is to be encoded is *at most one* and *exactly one*, literals are in the order of
    /// variables and values, and constraints in that of the mean of their literals; otherwise literals are in the order
    /// of the whole formula, [`Order::Formula`]. The first takes no time; queens need a third of the conflicts with it,
    /// Latin squares and Sudokus as many.
    pub fn set_order(&mut self, order: Order) {
        self.order = Some(order);
    }

    /// The way in which [`minimise`](Self::minimise) and [`maximise`](Self::maximise) search.
    ///
    /// Without this, [`Strategy::Auto`] is core-guided search for sums. For the multiple of a single variable, whose
    /// bounds are literals, it asks for solutions below the best one, at the lower bound and in the middle in turn,
    /// with limits on conflicts and steps that grow: [`Strategy::SolutionImproving`] does only the first of these.
    #[doc(hidden)]
    pub fn set_strategy(&mut self, strategy: Strategy) {
        self.strategy = strategy;
    }

    /// Limits each question, from when it is asked.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use cnfkit::ask::Strategy;
    /// use cnfkit::model::Model;
    /// use cnfkit::{Limits, Order};
    /// let mut model = Model::new();
    /// let x = model.ints(4, 1..=4);
    /// model.all_different(&x);
    /// model.set_limits(Limits::none().time(Duration::from_secs(60)));
    /// model.set_order(Order::Variable);
    /// model.set_strategy(Strategy::SolutionImproving);
    /// assert_eq!(model.minimum(x[0] + x[1])?.map(|best| best.value), Some(3));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    #[doc(alias = "set_time_limit")]
    #[doc(alias = "max_time_in_seconds")]
    #[doc(hidden)]
    pub fn set_limits(&mut self, limits: Limits) {
        self.asking.limits = limits;
    }

    /// Puts each question to solvers that are made by `make`, such as `CaDiCaL::default`, instead of the default one.
    ///
    /// ```
    /// # fn main() -> Result<(), cnfkit::model::ModelError> {
    /// use cnfkit::model::Model;
    /// use cnfkit::solvers::{BatSat, Plain};
    /// let mut model = Model::new();
    /// let x = model.ints(3, 0..=4);
    /// model.all_different(&x);
    /// model.set_solver(|| Plain(BatSat::default()));
    /// assert_eq!(model.maximum(x[0] + x[1] * 2)?.expect("there are solutions").value, 3 + 2 * 4);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(hidden)]
    pub fn set_solver<S: Solver + 'static>(&mut self, make: impl Fn() -> S + Send + Sync + 'static) {
        self.asking.engine = engine(make);
        self.has_program = false;
    }

    /// Puts each question to a program, and the search for an optimum to the default solver, too, in another thread:
    /// a program is started for each better solution. The first answer is the answer.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// use cnfkit::solvers::External;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 0..=4);
    /// model.all_different(&x);
    /// model.set_program(&External::new("cadical"));
    /// match model.maximum(x[0] + x[1] * 2) {
    ///     Ok(best) => assert_eq!(best.expect("there are solutions").value, 3 + 2 * 4),
    ///     Err(error) => assert!(error.to_string().contains("does not start"), "{error}"), // where there is no CaDiCaL
    /// }
    /// ```
    #[doc(hidden)]
    pub fn set_program(&mut self, program: &External) {
        let program = program.another();
        self.set_solver(move || program.another());
        self.has_program = true;
    }

    /// A literal that is true if and only if `bool` is, for the methods of [`Constrain`](cnfkit_core::Constrain).
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

    /// Posts what defines a variable of the model's own, which is part of no group.
    fn define(&mut self, node: ConstraintNode) {
        let group = self.group.take();
        self.push(node, true);
        self.group = group;
    }

    /// Posts what defines a variable of the model's own, and what that takes.
    fn define_by(&mut self, constraint: Constraint) {
        let group = self.group.take();
        let node = ConstraintNode::of(constraint, true, self);
        self.push(node, true);
        self.group = group;
    }

    fn fail(&mut self, error: ModelError) {
        self.error.get_or_insert(error);
    }

    /// The models that made its variables.
    const fn makers(&self) -> &Makers {
        &self.lineage.makers
    }

    #[track_caller]
    fn check(&self, var: IntVar) {
        let is_known = self.makers().made(var) && (var.index as usize) < self.domains.len();
        assert!(is_known, "a variable of another model");
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
        self.define_by(positive.iff(var.at_least(1)));
        var
    }
}

/// The caller's own clauses and constraints, on [literals](Model::lit) of the model and on new ones. Solutions are told
/// apart by the model's variables, not by such literals.
impl Layer for Model {
    type Inner = Formula;

    fn inner(&self) -> &Formula {
        &self.formula
    }

    fn inner_mut(&mut self) -> &mut Formula {
        &mut self.formula
    }
}

// With Kissat alone every answer is a search of its own: far too many here.
#[cfg(all(test, any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat")))]
mod again;
#[cfg(test)]
mod globals;
#[cfg(all(test, any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat")))]
mod hostile;
#[cfg(test)]
mod tests;
