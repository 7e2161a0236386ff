//! The parts that every encoder behind rustsat's traits has in common.

/// Constructors, access to the inputs, and statistics, for a struct with the fields `lits`, `enc`, `size` and those
/// named, which start at their default.
macro_rules! encoder {
    ($name:ident $(: $bound:ident)? { $($field:ident),* }) => {
        impl<E $(: $bound)?> $name<E> {
            /// The encoding `enc` over `lits`; for encodings with parameters other than the default.
            pub fn new(enc: E, lits: impl IntoIterator<Item = Lit>) -> Self {
                let lits = lits.into_iter().collect();
                Self { lits, enc, size: $crate::Size::ZERO, $($field: Default::default()),* }
            }
        }

        impl<E: Default $(+ $bound)?> From<Vec<Lit>> for $name<E> {
            fn from(lits: Vec<Lit>) -> Self {
                Self::new(E::default(), lits)
            }
        }

        impl<E: Default $(+ $bound)?> FromIterator<Lit> for $name<E> {
            fn from_iter<T: IntoIterator<Item = Lit>>(lits: T) -> Self {
                Self::new(E::default(), lits)
            }
        }

        impl<E $(: $bound)?> ::rustsat::encodings::IterInputs for $name<E> {
            type Iter<'a>
                = ::std::iter::Copied<::std::slice::Iter<'a, Lit>>
            where
                E: 'a;

            fn iter(&self) -> Self::Iter<'_> {
                self.lits.iter().copied()
            }
        }

        /// Counts what was emitted, saturating, however the collector simplified it.
        impl<E $(: $bound)?> ::rustsat::encodings::EncodeStats for $name<E> {
            fn n_clauses(&self) -> usize {
                usize::try_from(self.size.clauses).unwrap_or(usize::MAX)
            }

            fn n_vars(&self) -> u32 {
                u32::try_from(self.size.vars).unwrap_or(u32::MAX)
            }
        }
    };
}
pub(super) use encoder;
