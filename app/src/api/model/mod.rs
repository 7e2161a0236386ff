//! x

use super::Question;

/// Its questions.
#[must_use]
pub fn questions() -> Vec<Question> {
    Vec::new()
}
