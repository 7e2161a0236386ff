//! [`PbEncoding`]: encodings of sums of weights by name, and two that choose among them.

use std::fmt;

use super::one_model::sums_together;
use super::pb_policy::{self, PbChoice};
use super::shapes::planned_by_shape;
use crate::constraint::{Constraint, EncodingName, Goal};
use crate::encode::{Encoding, GoOn, Plan};
use crate::pb::{
    BinaryAdder, DynamicPolyWatchdog, GeneralizedTotalizer, GlobalWatchdog, IntervalDiagram, LocalWatchdog,
    MixedRadixSorter, SequentialWeightCounter, smallest,
};

/// Declares [`PbEncoding`]: a variant, its name, the encoder it stands for with its default options, and whether that
/// is generalised arc consistent, a line each.
macro_rules! encodings {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $enc:ident, $gac:literal;)*) => {
        /// The encodings of constraints on a sum of weights by name, and two that choose among them.
        ///
        /// Each name stands for the struct of that name with its default options.
        ///
        /// ```
        /// use cnfkit::PbEncoding;
        /// let diagram: PbEncoding = "interval-diagram".parse().unwrap();
        /// assert_eq!(diagram, PbEncoding::IntervalDiagram);
        /// assert!("diagramm".parse::<PbEncoding>().unwrap_err().to_string().contains("allowed: auto, smallest"));
        /// ```
        #[doc(alias = "PBEnc")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum PbEncoding {
            /// For fast solving: the encoding of the first row that covers the sum. Of n terms of weight W together, b
            /// is the bound, and *size* is about the most nodes or clauses for each term. No sum may have more than
            /// about a million.
            ///
            #[doc = include_str!("auto_pb.md")]
            #[default]
            Auto,
            /// The fewest variables + clauses among all encodings that are generalised arc consistent, and trees of
            /// sums of any shape, whose auxiliaries are eliminated where they cost more than they save. A clause that
            /// takes the place of an auxiliary has up to 32 literals.
            ///
            /// The shape of the tree is searched for: about a fifth of a second at most for each side of the bound,
            /// some milliseconds for ten literals.
            Smallest,
            $($(#[$doc])* $variant,)*
        }

        impl PbEncoding {
            /// All of them, the two choosers first.
            pub const ALL: &'static [Self] = &[Self::Auto, Self::Smallest, $(Self::$variant),*];

            const fn name(self) -> &'static str {
                match self {
                    Self::Auto => "auto",
                    Self::Smallest => "smallest",
                    $(Self::$variant => $name,)*
                }
            }

            /// True if unit propagation on this encoding derives every implied input and every contradiction of *at
            /// most* and of *at least*: generalised arc consistency (GAC). For equality, *exactly*, no
            /// polynomial GAC encoding exists unless P = NP. [`Auto`](Self::Auto) is GAC while the estimated size
            /// stays within its budget.
            #[must_use]
            pub const fn is_gac(self) -> bool {
                match self {
                    Self::Auto => false,
                    Self::Smallest => true,
                    $(Self::$variant => $gac,)*
                }
            }
        }

        crate::by_value!(PbEncoding);

        impl Encoding for PbEncoding {
            fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
                self.plan_while(constraint, &mut || true)
            }

            fn plan_while(&self, constraint: &Constraint<'_>, go_on: &mut GoOn<'_>) -> Option<Plan<'_>> {
                Some(match self {
                    Self::Auto => planned_by_shape(constraint, &mut |constraint| chosen(constraint, go_on))?,
                    Self::Smallest => {
                        let (terms, relation) = constraint.weighted()?;
                        let mut best = smallest(&terms, relation, go_on).map(Plan::of_terms);
                        // Not all encodings of weights use groups, as a tree does.
                        let enough = terms.is_grouped() && best.is_some();
                        $(if $gac && !enough && go_on() {
                            let other = $enc::DEFAULT.prepared(constraint, go_on).map(Plan::of_terms);
                            best = Plan::smaller(other, best);
                        })*
                        best?
                    }
                    $(Self::$variant => Plan::of_terms($enc::DEFAULT.prepared(constraint, go_on)?),)*
                })
            }

            fn plan_together(&self, all: &[Constraint<'_>], go_on: &mut GoOn<'_>) -> Option<Plan<'_>> {
                matches!(self, Self::Auto | Self::Smallest).then(|| sums_together(all, false, go_on))?
            }

            fn encoding_name(&self) -> Option<EncodingName> {
                Some(match self {
                    Self::Auto => EncodingName::Open(Goal::Solving),
                    Self::Smallest => EncodingName::Open(Goal::Size),
                    named => EncodingName::Named(named.name()),
                })
            }
        }
    };
}

encodings! {
    /// [`IntervalDiagram`].
    IntervalDiagram, "interval-diagram", IntervalDiagram, true;
    /// [`GeneralizedTotalizer`].
    GeneralizedTotalizer, "generalized-totalizer", GeneralizedTotalizer, true;
    /// [`SequentialWeightCounter`].
    SequentialWeightCounter, "sequential-weight-counter", SequentialWeightCounter, true;
    /// [`BinaryAdder`].
    BinaryAdder, "binary-adder", BinaryAdder, false;
    /// [`GlobalWatchdog`].
    GlobalWatchdog, "global-watchdog", GlobalWatchdog, false;
    /// [`LocalWatchdog`].
    LocalWatchdog, "local-watchdog", LocalWatchdog, true;
    /// [`DynamicPolyWatchdog`].
    DynamicPolyWatchdog, "dynamic-poly-watchdog", DynamicPolyWatchdog, false;
    /// [`MixedRadixSorter`].
    MixedRadixSorter, "mixed-radix-sorter", MixedRadixSorter, false;
}

/// The choice of `Auto`.
fn chosen(constraint: &Constraint<'_>, go_on: &mut GoOn<'_>) -> Option<Plan<'static>> {
    let (terms, relation) = constraint.weighted()?;
    pb_policy::weights(&terms, relation).find_map(|(choice, budget)| {
        let mut diagram = |linked| IntervalDiagram { budget, linked }.prepared(constraint, go_on).map(Plan::of_terms);
        match choice {
            PbChoice::Diagram => diagram(true),
            PbChoice::PlainDiagram => diagram(false),
            PbChoice::Totalizer => GeneralizedTotalizer { budget }.prepared(constraint, go_on).map(Plan::of_terms),
            PbChoice::Watchdog => {
                GlobalWatchdog { budget: budget as u64, linked: true }.prepared(constraint, go_on).map(Plan::of_terms)
            }
            PbChoice::Adder => BinaryAdder::DEFAULT.prepared(constraint, go_on).map(Plan::of_terms),
        }
    })
}

impl fmt::Display for PbEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
