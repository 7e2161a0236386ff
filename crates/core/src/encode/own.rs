//! [`own_name`] names an encoding that the library does not know, of counts or of sums of weights, so that a
//! [`Formula`](crate::Formula) keeps its constraints and has it encode them at last.

use rustsat::types::Lit;

use super::encoding::{Encoding, Plan};
use crate::constraint::{Constraint, EncodingName, Own};
use crate::erase::{AnySink, Stopped, erase};
use crate::sink::ClauseSink;
use crate::size::Size;

/// The name of the default value of `E`, for [`Encoding::encoding_name`], `ByRelation::encoding_name` and
/// `AtMostK::encoding_name`. A [`Formula`](crate::Formula) keeps constraints by it, merges and orders them, and has
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
///     type Plan<'e> = Clauses;
///
///     fn plan(&self, constraint: &Constraint<'_>) -> Option<Clauses> {
///         let (terms, relation) = constraint.weighted()?;
///         let heavy = |at: usize| terms.all()[at..].iter().map(move |&other| (terms.all()[at - 1], other));
///         let pairs = (1..terms.len()).flat_map(heavy);
///         let (heavy, light): (Vec<_>, Vec<_>) = pairs.partition(|(a, b)| !relation.allows(a.1 + b.1));
///         let clauses = heavy.iter().map(|&((a, _), (b, _))| [!a, !b]).collect();
///         (light.is_empty() && relation.least().is_none()).then_some(Clauses(clauses))
///     }
///
///     fn encoding_name(&self) -> Option<EncodingName> {
///         Some(own_name::<Self>("pairs"))
///     }
/// }
///
/// struct Clauses(Vec<[Lit; 2]>);
///
/// impl Plan for Clauses {
///     fn size(&self) -> Size {
///         Size::clauses(self.0.len() as u64, 2)
///     }
///
///     fn write<S: ClauseSink + ?Sized>(&self, _: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error> {
///         self.0.iter().try_for_each(|clause| sink.add_clause(clause))
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

/// The default value of a type, whatever that is. It plans a constraint, reified by a literal where there is one.
#[derive(Debug)]
pub(crate) struct OwnEncoding {
    size: fn(&Constraint<'_>, Option<Lit>) -> Option<Size>,
    write: fn(&Constraint<'_>, Option<Lit>, &mut AnySink<'_>) -> Result<(), Stopped>,
}

impl OwnEncoding {
    const fn of<E: Encoding + Default>() -> Self {
        Self {
            size: |constraint, iff| Some(plan(&E::default(), constraint, iff)?.size()),
            write: |constraint, iff, sink| match plan(&E::default(), constraint, iff) {
                Some(plan) => plan.write(constraint, sink),
                None => panic!("{}: no plan for what was planned before", std::any::type_name::<E>()),
            },
        }
    }
}

fn plan<'e, E: Encoding>(enc: &'e E, constraint: &Constraint<'_>, iff: Option<Lit>) -> Option<E::Plan<'e>> {
    iff.map_or_else(|| enc.plan(constraint), |r| enc.plan_iff(r, constraint))
}

impl Own {
    /// The encoding of that name.
    pub(crate) fn encoding(self) -> &'static OwnEncoding {
        self.encoding.downcast_ref().expect("nothing else makes names")
    }
}

impl Encoding for OwnEncoding {
    type Plan<'e> = OwnPlan<'e>;

    fn plan(&self, constraint: &Constraint<'_>) -> Option<OwnPlan<'_>> {
        Some(OwnPlan { enc: self, iff: None, size: (self.size)(constraint, None)? })
    }

    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<OwnPlan<'_>> {
        Some(OwnPlan { enc: self, iff: Some(r), size: (self.size)(constraint, Some(r))? })
    }
}

/// The size of a plan, which is made again when it is written.
#[derive(Debug)]
pub(crate) struct OwnPlan<'e> {
    enc: &'e OwnEncoding,
    iff: Option<Lit>,
    size: Size,
}

impl Plan for OwnPlan<'_> {
    fn size(&self) -> Size {
        self.size
    }

    fn write<S: ClauseSink + ?Sized>(&self, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error> {
        erase(sink, |sink| (self.enc.write)(constraint, self.iff, sink))
    }
}
