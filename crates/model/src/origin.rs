//! [`Explanation`]: the variables and constraints that a clause of the encoded formula comes from.

use std::fmt;

use super::encoded::Want;
use super::variables::IntVar;
use super::writer::{Trace, WritingSource};
use super::{Model, ModelError};
use cnfkit_core::formula::{Origin, Origins};

/// The origin of a clause; made by [`Explanations::clause`].
///
/// ```
/// use cnfkit::model::{Explanation, Model, Source};
/// let mut model = Model::new();
/// let x = model.ints(2, 1..=3);
/// model.post(x[0].ne(x[1]));
/// let last = model.formula()?.encode()?.n_clauses() - 1;
/// let explanation: Explanation = model.explain_clause(last)?.expect("there is such a clause");
/// assert!(matches!(explanation.sources[..], [Source::Variable(_)]));
/// assert_eq!(explanation.to_string(), "variable 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The constraints that produced it: more than one where constraints on the same literals are encoded as one.
    /// Constraints that tightened its bound, or made its literals equal, are not among them.
    pub sources: Vec<Source>,
}

/// Something that was said to a [`Model`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// The meaning of the literals of a variable: that it has one value, that bounds follow from each other.
    Variable(IntVar),
    /// A constraint.
    #[non_exhaustive]
    Constraint {
        /// Its number from 0, in the order in which constraints were posted: as in
        /// [`Statistics::constraints`](super::Statistics::constraints).
        index: usize,
        /// The [group](Model::group) that it was posted in.
        group: Option<String>,
        /// Of a conjunction, the number from 0 of the part that the clause comes from.
        part: Option<usize>,
    },
    /// The caller's own clauses and constraints on literals.
    Own,
    /// A [literal](Model::lit) that was made of a truth value.
    Literal,
    /// Constraints that contradict each other before anything is encoded: the clause is the empty one.
    Contradiction,
}

/// As a line: `constraint 3 ("rows"), part 1`.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(var) => write!(f, "variable {}", var.index),
            Self::Constraint { index, group, part } => {
                write!(f, "constraint {index}")?;
                if let Some(group) = group {
                    write!(f, " ({group:?})")?;
                }
                part.map_or(Ok(()), |part| write!(f, ", part {part}"))
            }
            Self::Own => f.write_str("a clause or constraint on literals"),
            Self::Literal => f.write_str("a literal of a truth value"),
            Self::Contradiction => f.write_str("a contradiction that shrinking domains finds"),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sources.iter().enumerate().try_for_each(|(at, source)| {
            f.write_str(if at == 0 { "" } else { "; " })?;
            source.fmt(f)
        })
    }
}

/// The origins of the clauses of a model's formula; made by [`Model::explanations`], which encodes the model once.
///
/// ```
/// use cnfkit::model::{Explanations, Model};
/// let mut model = Model::new();
/// let x = model.ints(2, 1..=3);
/// model.post(x[0].ne(x[1]));
/// let explanations: Explanations<'_> = model.explanations()?;
/// assert!(explanations.clause(0).is_some() && explanations.clause(1 << 20).is_none());
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanations<'a> {
    model: &'a Model,
    trace: Trace,
    origins: Origins,
}

impl Explanations<'_> {
    /// The origin of clause `clause`, from 0, of the encoded [formula](Model::formula); `None` if there are fewer.
    #[must_use]
    pub fn clause(&self, clause: usize) -> Option<Explanation> {
        let trace = &self.trace;
        let writers: Vec<Option<WritingSource>> = match self.origins.of(clause as u64)? {
            Origin::Clause(at) => vec![trace.of_clause(at)],
            Origin::Constraints(all) => all.iter().map(|&at| trace.of_constraint(at)).collect(),
        };
        Some(Explanation { sources: writers.into_iter().flatten().map(|writer| self.source(writer)).collect() })
    }

    fn source(&self, writer: WritingSource) -> Source {
        let model = self.model;
        match writer {
            WritingSource::Own => Source::Own,
            WritingSource::Contradiction => Source::Contradiction,
            WritingSource::Variable(index) => Source::Variable(model.makers().var(index)),
            WritingSource::Literal => Source::Literal,
            WritingSource::Constraint(index, part) => {
                let index = index as usize;
                let group = model.posted[index].group.map(|at| model.groups[at as usize].clone());
                Source::Constraint { index, group, part: part.map(|part| part as usize) }
            }
        }
    }
}

impl Model {
    /// The origin of each clause of the encoded [formula](Self::formula).
    ///
    /// ```
    /// use cnfkit::model::{Model, all_different};
    /// let mut model = Model::new();
    /// let x = model.ints(4, 1..=4);
    /// model.post(all_different(&x).and(x[0].ne(2)));
    /// model.group("order", |model| model.post(x[1].lt(x[2])));
    /// let cnf = model.formula()?.encode()?;
    /// let explanations = model.explanations()?;
    /// let said: Vec<String> =
    ///     (0..cnf.n_clauses()).filter_map(|at| Some(explanations.clause(at)?.to_string())).collect();
    /// assert_eq!(said.len(), cnf.n_clauses());
    /// assert!(said.iter().any(|said| said == "constraint 0, part 0"));
    /// assert!(said.iter().any(|said| said == "constraint 1 (\"order\")"));
    /// assert!(said.iter().any(|said| said == "variable 3"));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// When the model is wrong or too large.
    pub fn explanations(&self) -> Result<Explanations<'_>, ModelError> {
        let encoded = self.encoded(Want::Trace, &self.asking.start())?;
        Ok(Explanations { model: self, origins: encoded.formula.origins(), trace: encoded.trace })
    }

    /// The origin of clause `clause`, from 0, of the encoded [formula](Self::formula); `None` if there are fewer.
    ///
    /// # Errors
    /// When the model is wrong or too large. It is encoded for each question: ask several of
    /// [`explanations`](Self::explanations).
    pub fn explain_clause(&self, clause: usize) -> Result<Option<Explanation>, ModelError> {
        Ok(self.explanations()?.clause(clause))
    }
}
