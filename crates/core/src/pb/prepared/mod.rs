//! Formulas that are planned by writing them: the size of an encoding of weights depends on every weight, so that there
//! is no closed form for it.
//!
//! | | what is kept | for encoders that |
//! |---|---|---|
//! | [`Draft`] | clauses over variables of its own: input i is variable i | change what they wrote, or write it often |
//! | [`Recording`] | clauses as they were sent, up to a budget | take longer than their clauses take to copy |
//! | [`Rehearsed`] | the size alone; the encoder runs again | are as fast as copying |

mod draft;
mod recording;
mod rehearsal;

pub(crate) use self::draft::Draft;
pub(super) use self::recording::Recording;
pub(super) use self::rehearsal::{Rehearsed, Script};
