//! Macros for what encodings have in common: options, each set by the method of its name; a name; the `impl`s of those
//! of at most one and of sums of weights.

/// For each option of an encoding, a public field, a method that sets it; `= …` are the default values.
macro_rules! options {
    ($encoding:ident { $($option:ident: $value:ty = $default:expr),* $(,)? }) => {
        impl $encoding {
            /// The default options.
            pub(crate) const DEFAULT: Self = Self { $($option: $default),* };

            $(
                #[doc = concat!("Sets [`", stringify!($option), "`](Self#structfield.", stringify!($option), ").")]
                #[must_use]
                pub const fn $option(mut self, $option: $value) -> Self {
                    self.$option = $option;
                    self
                }
            )*
        }

        impl Default for $encoding {
            #[doc = concat!($("`", stringify!($option = $default), "` "),*)]
            fn default() -> Self {
                Self::DEFAULT
            }
        }
    };
}
pub(crate) use options;

/// The name of an encoding whose options have their default values: an item of its `impl` of a trait of encodings.
macro_rules! named {
    ($name:expr) => {
        fn encoding_name(&self) -> Option<crate::constraint::EncodingName> {
            (*self == Self::default()).then_some(crate::constraint::EncodingName::Named($name))
        }
    };
}
pub(crate) use named;

/// Plans by the encoding's own `prepared`, whose plan has its literals: an item of its `impl Encoding`.
macro_rules! by_terms {
    () => {
        fn plan(&self, constraint: &crate::constraint::Constraint<'_>) -> Option<crate::encode::Plan<'_>> {
            self.plan_while(constraint, &mut || true)
        }

        fn plan_while(
            &self,
            constraint: &crate::constraint::Constraint<'_>,
            go_on: &mut crate::encode::GoOn<'_>,
        ) -> Option<crate::encode::Plan<'_>> {
            self.prepared(constraint, go_on).map(crate::encode::Plan::of_terms)
        }
    };
}
pub(crate) use by_terms;

/// The encodings of at most one: each is an [`Encoding`](super::Encoding) by its [`Amo`].
macro_rules! amo {
    ($($enc:ty),*) => {$(
        $crate::by_value!($enc);

        impl $crate::encode::AtMostOne for $enc {}

        impl $crate::encode::Encoding for $enc {
            fn plan(&self, constraint: &$crate::constraint::Constraint<'_>) -> Option<$crate::encode::Plan<'_>> {
                let (lits, relation) = constraint.counted()?;
                $crate::encode::Plan::of_one(self, lits.len(), relation)
            }

            fn encoding_name(&self) -> Option<$crate::constraint::EncodingName> {
                $crate::encode::Amo::encoding_name(self)
            }

            fn count_size(&self, n: usize, relation: $crate::relation::Relation) -> Option<$crate::size::Size> {
                Some($crate::encode::Plan::of_one(self, n, relation)?.size())
            }

            fn takes_pairs(&self) -> bool {
                true
            }

            fn one_model(&self) -> bool {
                $crate::encode::Amo::one_model(self)
            }
        }
    )*};
}
pub(crate) use amo;
