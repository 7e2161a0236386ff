//! [`own_name`] names an encoding that the library does not know, of counts or of sums of weights, so that a
//! `Formula` keeps its constraints and has it encode them at last.

use rustsat::types::Lit;

use super::encoding::{Encoding, Plan};
use crate::constraint::{Constraint, EncodingName, Own};
use crate::writer::Writer;

/// The name of the default value of `E`, for [`Encoding::encoding_name`], and `ByRelation::encoding_name`. A `Formula`
/// keeps constraints by it, merges and orders them, and has
/// `E::default()` plan them at last, twice: once for the size, once to write.
///
/// Different types are to have different names. A name of the library's stands for `E`, too, where it is said by this.
///
/// ```
/// use cnfkit::encode::own_name;
/// use cnfkit::{ClauseSink, Constrain, Constraint, Encoding, EncodingName, Formula, Lit, Plan, Size};
///
/// /// Sums of weights of which any two are too much.
/// #[derive(Default)]
/// struct Pairs;
///
/// impl Encoding for Pairs {
///     fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
///         let (terms, relation) = constraint.weighted()?;
///         let heavy = |at: usize| terms.all()[at..].iter().map(move |&other| (terms.all()[at - 1], other));
///         let pairs = (1..terms.len()).flat_map(heavy);
///         let (heavy, light): (Vec<_>, Vec<_>) = pairs.partition(|(a, b)| !relation.allows(a.1 + b.1));
///         let clauses: Vec<[Lit; 2]> = heavy.iter().map(|&((a, _), (b, _))| [!a, !b]).collect();
///         let size = Size::clauses(clauses.len() as u64, 2);
///         let plan = Plan::new(size, move |_, to| clauses.iter().try_for_each(|clause| to.clause(clause)));
///         (light.is_empty() && relation.least().is_none()).then_some(plan)
///     }
///
///     fn encoding_name(&self) -> Option<EncodingName> {
///         Some(own_name::<Self>("pairs"))
///     }
/// }
///
/// let mut formula = Formula::new();
/// let x = formula.new_lits(4);
/// let groups = [(x[0], 9), (x[1], 8), (x[2], 7), (x[3], 5)];
/// formula.pb_at_most(&groups, 11, &Pairs)?;
/// assert_eq!((formula.constraints().len(), formula.n_clauses()), (1, 0));
/// assert_eq!(formula.encode()?.n_clauses(), 6);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[must_use]
pub const fn own_name<E: Encoding + Default + 'static>(name: &'static str) -> EncodingName {
    EncodingName::Own(Own { name, encoding: const { &OwnEncoding::of::<E>() } })
}

/// The default value of a type of somebody else's.
#[derive(Debug)]
#[doc(hidden)]
pub struct OwnEncoding {
    with: fn(&mut dyn FnMut(&dyn Encoding)),
}

impl OwnEncoding {
    const fn of<E: Encoding + Default>() -> Self {
        Self { with: |ask| ask(&E::default()) }
    }

    /// The size of a plan; the plan is made again when it is written, by a value of its own.
    fn plan_by(&self, iff: Option<Lit>, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        let mut size = None;
        (self.with)(&mut |enc| size = plan(enc, constraint, iff).map(|plan| plan.size()));
        let write = move |constraint: &Constraint<'_>, to: &mut Writer<'_>| {
            let mut written = Ok(());
            (self.with)(&mut |enc| {
                let plan = plan(enc, constraint, iff).expect("a plan for what was planned before");
                written = plan.write(constraint, to);
            });
            written
        };
        Some(Plan::new(size?, write))
    }
}

fn plan<'e>(enc: &'e dyn Encoding, constraint: &Constraint<'_>, iff: Option<Lit>) -> Option<Plan<'e>> {
    iff.map_or_else(|| enc.plan(constraint), |r| enc.plan_iff(r, constraint))
}

impl Own {
    /// The encoding of that name.
    ///
    /// # Panics
    /// Never: nothing else makes names.
    #[must_use]
    pub fn encoding(self) -> &'static OwnEncoding {
        self.encoding.downcast_ref().expect("nothing else makes names")
    }
}

impl Encoding for OwnEncoding {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        self.plan_by(None, constraint)
    }

    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        self.plan_by(Some(r), constraint)
    }

    fn one_model(&self) -> bool {
        let mut has_one_model = false;
        (self.with)(&mut |enc| has_one_model = enc.one_model());
        has_one_model
    }
}
