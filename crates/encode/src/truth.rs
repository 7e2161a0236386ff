//! [`Truth`]: a truth value that is known while a formula is written, or the literal that will have it.

use std::ops::Not;

use rustsat::types::Lit;

/// A truth value, or the literal that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// True or false, whatever the inputs are.
    Known(bool),
    /// True if and only if this literal is, as far as its clauses say so.
    If(Lit),
}

impl Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::If(lit) => Self::If(!lit),
        }
    }
}
