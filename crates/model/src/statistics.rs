//! [`Statistics`]: what each part of a model becomes.

use std::fmt::{self, Write};
use std::mem::{replace, take};

use super::variables::Domains;
use super::writer::{Encoder, EncodingContext, EncodingOutput, Needs, ReadyLiterals, VariableCodes};
use super::{Model, ModelError, PostedConstraint};
use cnfkit_core::internals::{Clock, sort};
use cnfkit_core::{Formula, Size};

/// Constraints, and runs of variables with equal literals, that are said in words.
const MOST_PARTS: usize = 10;

/// The sizes of a model's parts as clauses for a question, known before anything is encoded; and, printed, in words
/// which parts are the largest, and why.
///
/// Parts are sized one by one: in the whole, what several constraints say is encoded once.
///
/// ```
/// use cnfkit::model::{ConstraintSize, Model, Statistics, VariableEncoding};
/// let mut model = Model::new();
/// let x = model.ints(2, 1..=3);
/// model.group("two", |model| model.post(x[0].ne(x[1])));
/// let statistics: Statistics = model.statistics()?;
/// let only: &ConstraintSize = &statistics.constraints[0];
/// assert_eq!((only.group.as_deref(), only.is_lazy, only.size.clauses), (Some("two"), false, 3));
/// assert!(only.size.fits(&statistics.total) && statistics.variables.fits(&statistics.total));
/// assert_eq!(only.ways, ["pairs of values"]);
/// let first: &VariableEncoding = &statistics.of_variables[0];
/// assert_eq!((first.values, first.is_direct, first.direct_for), (3, true, Some(0)));
/// assert_eq!(
///     statistics.to_string(),
///     "11 clauses, 6 variables, 24 literals
///  75 %: literals of variables: 6 variables, 8 clauses
///     x0 to x1, of 3 values: a literal for each value, for constraint 0
///  25 %: constraint 0 (\"two\"): x0 - x1 != 0: 0 variables, 3 clauses: pairs of values
/// "
/// );
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The literals of variables, with the clauses that define them.
    pub variables: Size,
    /// Each constraint, in the order in which they were posted; a constraint entailed by the
    /// domains has size zero.
    /// Definitions of sums that stand where a variable must are constraints, too.
    pub constraints: Vec<ConstraintSize>,
    /// All of it.
    pub total: Size,
    /// The variables with a literal for each value: see [`IntEncoding`](crate::IntEncoding).
    pub direct: usize,
    /// The variables with a literal for each *at least this value*, which may have others, too.
    pub order: usize,
    /// The variables with a literal for each bit, which may have others, too.
    pub binary: usize,
    /// The literals of each variable, in the order in which variables were made.
    pub of_variables: Vec<VariableEncoding>,
    /// The largest parts in words.
    words: String,
}

/// In words: the size, and the largest parts with the ways in which they are written, the largest first.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// The literals of one variable, and the constraints that asked for them first, by their numbers; `None` where it was a
/// [literal](Model::lit), a [lazy](Model::lazy) constraint, or nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableEncoding {
    /// The number of values that are left.
    pub values: u64,
    /// True if there is a literal for each value.
    pub is_direct: bool,
    /// The constraint that asked for values first.
    pub direct_for: Option<usize>,
    /// True if there is a literal for each *at least this value*.
    pub is_order: bool,
    /// The constraint that asked for *at least* first.
    pub order_for: Option<usize>,
    /// True if there is a literal for each bit.
    pub is_binary: bool,
    /// The constraint that asked for bits first.
    pub binary_for: Option<usize>,
}

/// As a line: `a literal for each value, for constraint 2; bits, for constraint 3`.
impl fmt::Display for VariableEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.is_direct, "a literal for each value", self.direct_for),
            (self.is_order, "a literal for each *at least*", self.order_for),
            (self.is_binary, "bits", self.binary_for),
        ];
        let kind = |&(_, name, of): &(bool, &str, Option<usize>)| {
            of.map_or_else(|| name.to_owned(), |of| format!("{name}, for constraint {of}"))
        };
        let parts: Vec<String> = kinds.iter().filter(|(is, ..)| *is).map(kind).collect();
        match parts.is_empty() {
            true if self.values == 2 => f.write_str("one literal at most"),
            true => f.write_str("no literals"),
            false => f.write_str(&parts.join("; ")),
        }
    }
}

/// The size of one constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConstraintSize {
    /// The [group](Model::group) that it was posted in.
    pub group: Option<String>,
    /// Auxiliaries, clauses and literals.
    pub size: Size,
    /// True if a part of it is not written as clauses: it would be long, and is checked while or after the solver
    /// searches. [`Model::formula`] has all of it as clauses.
    pub is_lazy: bool,
    /// The ways in which its parts are written, where there is more than one.
    pub ways: Vec<&'static str>,
}

impl Model {
    /// The sizes of variables and constraints as clauses.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 1..=4);
    /// model.all_different(&x);
    /// model.post(x[0].lt(x[1]));
    /// let statistics = model.statistics()?;
    /// assert_eq!(statistics.constraints.len(), 2);
    /// assert_eq!(statistics.constraints[1].size.vars, 0);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// When the model is wrong or too large.
    pub fn statistics(&self) -> Result<Statistics, ModelError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let group = |at: Option<u32>| at.map(|at| self.groups[at as usize].clone());
        let clock = self.asking.start();
        let shrunk = Domains::new(self.domains.clone()).shrink(self.posted.iter(), &clock)?;
        let Ok(domains) = shrunk else {
            let nothing = |posted: &PostedConstraint| ConstraintSize {
                group: group(posted.group),
                size: Size::ZERO,
                is_lazy: false,
                ways: Vec::new(),
            };
            return Ok(Statistics {
                variables: Size::ZERO,
                constraints: self.posted.iter().map(nothing).collect(),
                total: Size::clause(0),
                direct: 0,
                order: 0,
                binary: 0,
                of_variables: Vec::new(),
                words: "1 clause, the empty one: constraints contradict each other before anything is encoded\n".into(),
            });
        };
        let needs = self.all_needs(&domains, &clock)?;
        let mut output = EncodingOutput::behind(Formula::with_vars(self.formula.n_vars()), None);
        let start =
            ReadyLiterals { aliases: &self.aliases, choice: self.choice, seed: 0, codes: VariableCodes::default() };
        let codes = start.literals(&domains, &needs, &mut output)?;
        let variables = output.formula.size();
        let n_vars = |formula: &Formula| formula.n_vars() as u64;
        let first = n_vars(&output.formula);
        let variables = Size { vars: variables.vars + first - self.formula.n_vars() as u64, ..variables };
        let mut total = variables + Size { vars: 0, ..self.formula.size() };
        let mut constraints = Vec::with_capacity(self.posted.len());
        let mut lazy = 0;
        for (index, posted) in self.posted.iter().enumerate() {
            let before = output.formula.n_vars();
            let whole = replace(&mut output.formula, Formula::with_vars(before));
            let context = EncodingContext::of(index, posted.choice, &needs, false);
            posted.node.encode(&mut Encoder::new(&domains, &codes, context, &mut output))?;
            let part = replace(&mut output.formula, whole);
            let mut size = part.size();
            size.vars += n_vars(&part) - before as u64;
            total += size;
            let is_lazy = replace(&mut lazy, output.n_lazy()) < output.n_lazy();
            let ways = take(&mut output.ways);
            constraints.push(ConstraintSize { group: group(posted.group), size, is_lazy, ways });
        }
        let of_variables = (0..domains.len()).map(|index| {
            let code = codes.of(index);
            let [direct_for, order_for, binary_for] = needs.askers_of(index).map(|by| by.map(|by| by as usize));
            let (is_direct, is_order, is_binary) = (code.direct.is_some(), code.order.is_some(), code.bits.is_some());
            let values = domains.all()[index].len();
            VariableEncoding { values, is_direct, direct_for, is_order, order_for, is_binary, binary_for }
        });
        let of_variables: Vec<VariableEncoding> = of_variables.collect();
        let count = |is: fn(&VariableEncoding) -> bool| of_variables.iter().filter(|&of| is(of)).count();
        let (direct, order, binary) = (count(|of| of.is_direct), count(|of| of.is_order), count(|of| of.is_binary));
        let words = String::new();
        let mut all = Statistics { variables, constraints, total, direct, order, binary, of_variables, words };
        all.words = self.words(&all);
        Ok(all)
    }

    /// The largest parts of these statistics.
    fn words(&self, of: &Statistics) -> String {
        let Size { vars, clauses, lits } = of.total;
        let mut words = format!("{clauses} clauses, {vars} variables, {lits} literals\n");
        let share = |size: &Size| 100 * size.lits / lits.max(1);
        let mut parts: Vec<usize> = (0..of.constraints.len()).collect();
        sort::by_key(&mut parts, |&index| !of.constraints[index].size.lits);
        let mut parts = parts.into_iter().take(MOST_PARTS).peekable();
        let of_variables = |words: &mut String| {
            let Size { vars, clauses, .. } = of.variables;
            let share = share(&of.variables);
            _ = writeln!(words, "{share:3} %: literals of variables: {vars} variables, {clauses} clauses");
            let mut first = 0;
            for run in of.of_variables.chunk_by(|one, other| one == other).take(MOST_PARTS) {
                let (n, values) = (run.len(), run[0].values);
                if values > 1 {
                    let names = if n == 1 { format!("x{first}") } else { format!("x{first} to x{}", first + n - 1) };
                    _ = writeln!(words, "    {names}, of {values} values: {}", run[0]);
                }
                first += n;
            }
            if first < of.of_variables.len() {
                _ = writeln!(words, "    … {} variables more", of.of_variables.len() - first);
            }
        };
        let mut is_said = false;
        while let Some(&index) = parts.peek() {
            let ConstraintSize { group, size, ways, .. } = &of.constraints[index];
            if !is_said && size.lits <= of.variables.lits {
                of_variables(&mut words);
                is_said = true;
                continue;
            }
            let name = group.as_ref().map_or_else(String::new, |group| format!(" ({group:?})"));
            let (share, text, Size { vars, clauses, .. }) = (share(size), self.posted[index].node.text(self), size);
            _ = write!(words, "{share:3} %: constraint {index}{name}: {text}: {vars} variables, {clauses} clauses");
            if !ways.is_empty() {
                _ = write!(words, ": {}", ways.join("; "));
            }
            words.push('\n');
            parts.next();
        }
        if !is_said {
            of_variables(&mut words);
        }
        if of.constraints.len() > MOST_PARTS {
            _ = writeln!(words, "    … {} constraints more", of.constraints.len() - MOST_PARTS);
        }
        words
    }

    /// The literals that all constraints need, with who asked.
    fn all_needs(&self, domains: &Domains, clock: &Clock) -> Result<Needs, ModelError> {
        let mut needs = Needs::new(domains.len());
        needs.has_theory = self.has_theory();
        needs.note_askers();
        self.add_needs(domains, &mut needs, clock)?;
        needs.settle(domains);
        Ok(needs)
    }
}
