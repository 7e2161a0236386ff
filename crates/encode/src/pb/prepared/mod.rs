//! Formulas that are planned by writing them: the size of an encoding of weights depends on every weight, so that there
//! is no closed form for it.
//!
//! | | what is kept | for encoders that |
//! |---|---|---|
//! | [`ClauseTemplate`] | clauses over its own variables: input i is variable i | change clauses, or write them often |
//! | [`ClauseLog`] | clauses as they were sent, up to a budget | take longer than their clauses take to copy |
//! | [`DryRun`] | the size alone; the encoder runs again | are as fast as copying |

mod dry_run;
mod log;
mod template;

pub(super) use self::dry_run::{DryRun, Script};
pub(super) use self::log::ClauseLog;
pub use self::template::ClauseTemplate;
