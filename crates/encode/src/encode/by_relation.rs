//! [`ByRelation`]: encodings of counts, which treat *at most*, *at least* and *exactly* k alike.

use rustsat::types::{Lit, Var};

use crate::constraint::EncodingName;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// An encoding of *at most*, *at least* and *exactly k of n literals are true*.
///
/// It is an [`Encoding`](super::Encoding) and an [`AtMostK`](crate::AtMostK) by that. It is called with literals of
/// distinct variables
/// and bounds that are not trivial, and may rely on that:
///
/// | relation | range |
/// |---|---|
/// | at most k | 1 ≤ k ≤ n − 2 |
/// | at least k | 2 ≤ k ≤ n − 1 |
/// | exactly k | 1 ≤ k ≤ n − 1, n ≥ 3 |
///
/// ```
/// use cnfkit::encode::{ByRelation, Full, Writer};
/// use cnfkit::{ClauseSink, Cnf, Combinatorial, Constrain, Lit, Relation, Size, Totalizer};
///
/// /// Small bounds without auxiliaries, others by a tree.
/// struct Mixed;
///
/// impl ByRelation for Mixed {
///     fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
///         match relation {
///             Relation::AtMost(..=2) => relation.encode(&Combinatorial, to, lits),
///             _ => relation.encode(&Totalizer::default(), to, lits),
///         }
///     }
///
///     fn size(&self, n: usize, relation: Relation) -> Size {
///         match relation {
///             Relation::AtMost(..=2) => relation.size(&Combinatorial, n),
///             _ => relation.size(&Totalizer::default(), n),
///         }
///     }
/// }
///
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(6);
/// cnf.at_most(&x, 2, &Mixed)?;
/// assert_eq!((cnf.n_vars(), cnf.n_clauses()), (6, 20));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
pub trait ByRelation: Send + Sync {
    /// Adds the clauses that make the relation hold.
    ///
    /// # Errors
    /// When the sink takes no more.
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full>;

    /// Exactly what [`encode`](Self::encode) adds.
    fn size(&self, n: usize, relation: Relation) -> Size;

    /// The encoding as data: see [`Encoding::encoding_name`](super::Encoding::encoding_name).
    fn encoding_name(&self) -> Option<EncodingName> {
        None
    }

    /// True if auxiliaries follow from the inputs: see [`Encoding::one_model`](super::Encoding::one_model).
    fn one_model(&self) -> bool {
        false
    }

    /// Defines a literal for each of *at least `first`* to *at least `last`* of `lits`, in both directions;
    /// 1 ≤ `first` ≤ `last` ≤ `lits.len()`, and at least 3 literals. Asked only where
    /// [`outputs_size`](Self::outputs_size) is known.
    ///
    /// All clauses are definitions. Reified constraints are made of this where that is smaller, and of two halves under
    /// conditions otherwise.
    #[doc(hidden)]
    fn outputs(&self, to: &mut Writer<'_>, lits: &[Lit], first: usize, last: usize) -> Result<Vec<Lit>, Full> {
        let _ = (to, lits, first, last);
        unreachable!("an encoding with `outputs_size` has `outputs`")
    }

    /// Exactly what [`outputs`](Self::outputs) adds; `None`, the default: this encoding does not count.
    #[doc(hidden)]
    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        let _ = (n, first, last);
        None
    }

    /// Adds the clauses that make at least `least` and at most `most` of `lits` true, by one counter for both;
    /// 1 ≤ `least` ≤ `most` < `lits.len()`. Asked only where [`between_size`](Self::between_size) is known.
    ///
    /// # Errors
    /// When the sink takes no more.
    #[doc(hidden)]
    fn between(&self, to: &mut Writer<'_>, lits: &[Lit], least: usize, most: usize) -> Result<(), Full> {
        let outputs = self.outputs(to, lits, least, most + 1)?;
        to.clause(&[outputs[0]])?;
        to.clause(&[!outputs[most + 1 - least]])
    }

    /// Exactly what [`between`](Self::between) adds; `None` where there is no one counter for both bounds.
    #[doc(hidden)]
    fn between_size(&self, n: usize, least: usize, most: usize) -> Option<Size> {
        Some(self.outputs_size(n, least, most + 1)? + Size::clauses(2, 1))
    }

    /// The encoding that one which chooses among others takes for `n` literals, and its size.
    #[doc(hidden)]
    fn chosen(&self, n: usize, relation: Relation) -> Option<(&dyn ByRelation, Size)> {
        let _ = (n, relation);
        None
    }
}

/// True if these are in the range of [`ByRelation::outputs`], and not more than there are variables.
pub(crate) const fn countable(n: usize, first: usize, last: usize) -> bool {
    3 <= n && n <= Var::MAX_IDX as usize && 1 <= first && first <= last && last <= n
}
