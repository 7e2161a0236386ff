//! Constraints in words: by the functions and operators that they were posted with, variables by their numbers.

use super::Model;
use super::variables::{Bool, Test};

impl Model {
    /// A truth value in words: `x3` of a Boolean variable, `x3 <= 7`.
    pub(super) fn text_of(&self, bool: Bool) -> String {
        let Bool { var, test, negated } = bool;
        let index = var.index;
        match test {
            Test::AtLeast(1) if self.domains[index as usize].bounds() == (0, 1) => {
                format!("{}x{index}", if negated { "!" } else { "" })
            }
            Test::AtLeast(least) if negated => format!("x{index} < {least}"),
            Test::AtLeast(least) => format!("x{index} >= {least}"),
            Test::Is(value) => format!("x{index} {} {value}", if negated { "!=" } else { "=" }),
        }
    }

    /// All constraints that were posted, but for definitions, each with its number.
    pub(super) fn texts(&self) -> &[String] {
        self.texts.get_or_init(|| {
            let posted = self.posted.iter().enumerate().filter(|(_, posted)| !posted.defines);
            posted.map(|(index, posted)| format!("constraint {index}: {}", posted.node.text(self))).collect()
        })
    }
}
