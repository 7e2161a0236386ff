//! The options of an encoding, each set by the method of its name.

/// For each option of an encoding, a public field, a method that sets it.
macro_rules! options {
    ($encoding:ident { $($option:ident: $value:ty),* }) => {
        impl $encoding {$(
            #[doc = concat!("Sets [`", stringify!($option), "`](Self#structfield.", stringify!($option), ").")]
            #[must_use]
            pub const fn $option(mut self, $option: $value) -> Self {
                self.$option = $option;
                self
            }
        )*}
    };
}
pub(crate) use options;
