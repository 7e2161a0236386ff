//! The options of an encoding, each set by the method of its name, and the name of an encoding.

/// For each option of an encoding, a public field, a method that sets it. Where all have a value (`= …`), these are the
/// default.
macro_rules! options {
    ($encoding:ident { $($option:ident: $value:ty = $default:expr),* }) => {
        crate::encode::options!($encoding { $($option: $value),* });

        impl Default for $encoding {
            #[doc = concat!($("`", stringify!($option = $default), "` "),*)]
            fn default() -> Self {
                Self { $($option: $default),* }
            }
        }
    };
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

/// The name of an encoding whose options have their default values: an item of its `impl` of a trait of encodings.
macro_rules! named {
    ($name:expr) => {
        fn encoding_name(&self) -> Option<crate::constraint::EncodingName> {
            (*self == Self::default()).then_some(crate::constraint::EncodingName::Named($name))
        }
    };
}
pub(crate) use named;
