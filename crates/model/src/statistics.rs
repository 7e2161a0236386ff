//! [`Statistics`]: what each part of a model becomes.

use std::mem::replace;

use super::variables::Domains;
use super::writer::{Encoder, Needs};
use super::{Model, ModelError};
use cnfkit_core::{Formula, Size};

/// The sizes of a model's parts as clauses for a question, known before anything is encoded.
///
/// Parts are sized one by one: in the whole, what several constraints say is encoded once.
///
/// ```
/// use cnfkit::model::{ConstraintSize, Model, Statistics};
/// let mut model = Model::new();
/// let x = model.ints(2, 1..=3);
/// model.group("two", |model| model.post(x[0].ne(x[1])));
/// let statistics: Statistics = model.statistics()?;
/// let only: &ConstraintSize = &statistics.constraints[0];
/// assert_eq!((only.group.as_deref(), only.is_lazy, only.size.clauses), (Some("two"), false, 3));
/// assert!(only.size.fits(&statistics.total) && statistics.variables.fits(&statistics.total));
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
        let Ok(domains) = self.shrink(self.posted.iter(), &self.asking.start())? else {
            let nothing = |posted: &super::Posted| ConstraintSize {
                group: group(posted.group),
                size: Size::ZERO,
                is_lazy: false,
            };
            let constraints = self.posted.iter().map(nothing).collect();
            let (direct, order, binary) = (0, 0, 0);
            return Ok(Statistics {
                variables: Size::ZERO,
                constraints,
                total: Size::clause(0),
                direct,
                order,
                binary,
            });
        };
        let mut formula = Formula::with_vars(self.formula.n_vars());
        let mut encoder = self.encoder(&domains, &mut formula)?;
        let variables = encoder.formula.size();
        let n_vars = |formula: &Formula| formula.n_vars() as u64;
        let first = n_vars(encoder.formula);
        let variables = Size { vars: variables.vars + first - self.formula.n_vars() as u64, ..variables };
        let mut total = variables + Size { vars: 0, ..self.formula.size() };
        let mut constraints = Vec::with_capacity(self.posted.len());
        let mut lazy = 0;
        for posted in &self.posted {
            let before = encoder.formula.n_vars();
            let whole = replace(encoder.formula, Formula::with_vars(before));
            encoder.choice = posted.choice;
            posted.node.encode(&mut encoder)?;
            let part = replace(encoder.formula, whole);
            let mut size = part.size();
            size.vars += n_vars(&part) - before as u64;
            total += size;
            let is_lazy = replace(&mut lazy, encoder.n_lazy()) < encoder.n_lazy();
            constraints.push(ConstraintSize { group: group(posted.group), size, is_lazy });
        }
        let [direct, order, binary] = encoder.count_codes();
        Ok(Statistics { variables, constraints, total, direct, order, binary })
    }

    /// An encoder with the literals that all constraints need.
    fn encoder<'a>(&self, domains: &'a Domains, formula: &'a mut Formula) -> Result<Encoder<'a>, ModelError> {
        let mut needs = Needs::new(domains.len());
        needs.has_theory = self.has_theory();
        self.add_needs(domains, &mut needs);
        needs.settle(domains);
        let mut encoder = Encoder::new(formula, domains, &needs, &self.aliases, self.choice, None)?;
        encoder.allow_cuts();
        if needs.has_theory {
            encoder.allow_sums();
        }
        Ok(encoder)
    }
}
